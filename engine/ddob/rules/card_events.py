"""Events of the cards (ev.*), with what Easy Fox leaves out (ef.eventi-ignorati)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.choosing import hex_choice, pick_units, unit_choice
from engine.ddob.rules.communication import linked_now
from engine.ddob.rules.german_fire import CALIBRES, is_battery_active
from engine.ddob.rules.losses import disrupt, lose_step
from engine.ddob.rules.reinforcements import (
    add_depth,
    add_depth_each,
    free_meyer,
    reinforce_zones,
    tactical_from_wn,
)
from engine.ddob.rules.reveal import TACTICAL, remove_german, reveal_depth, reveal_unit
from engine.ddob.state.book import OTHER, REACTION, SECTOR_OF, US, rule
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import (
    DepthGone,
    GainedStep,
    GermanDisrupted,
    GermanRecovered,
    HeroCame,
    LossTaken,
    NavalMarker,
    Noted,
    RocketsFired,
)
from engine.ddob.state.ground import BASE, NEIGHBOURS, SECTOR, distance
from engine.ddob.state.state import (
    German,
    State,
    Unit,
    fighters_at,
    in_boxes,
    is_extended,
    name_of,
    named_hex,
    on_map,
)
from engine.ddob.state.tables import BATTERIES, BOXES, CARDS, HEROES, SETUPS, UNITS

ROCKET_HEX = "1222"
ROCKET_RANGE = range(3, 8)
NAVAL_MARKERS = 2


def event(ctx: Ctx[State], second: bool) -> None:
    """Draw a card and apply the band of the turn (4.ii, 15.ii, 15.iv)."""
    ref = "15.iv#pesca" if second else "15.ii" if ctx.state.turn > 16 else "4.ii#pesca"
    card = draw_card(ctx, "event 2" if second else "event", ref)
    effects = card.event(ctx.state.turn)
    if any(is_ignored(ctx.state, effect) for effect in effects):
        with ctx.under(ref, N_("Event: {event}"), event=effects[0][0]):
            ctx.cite("ef.eventi-ignorati#ignora", N_("Ignored in Easy Fox."))
        return
    for effect in effects:
        with ctx.under(ref, N_("Event: {event}"), event=effect[0]):
            HAPPENINGS[effect[0]](ctx, effect[1:], second)


def is_ignored(state: State, effect: tuple[str, ...]) -> bool:
    """An event with such an effect does not happen at all in Easy Fox (ef.eventi-ignorati)."""
    if len(SETUPS[state.scenario].sectors) == 2:
        return False
    kind, *args = effect
    if kind in ("rockets", "rockets destroyed", "kampfgruppe meyer"):
        return True
    if kind in ("hero", "step", "patrol report", "prisoner talks"):
        return args == ["29"]
    if kind == "smoke":
        return all(int(name[2:]) >= 66 for name in args)
    return False


def reinforcements(ctx: Ctx[State], zones: tuple[str, ...], second: bool) -> None:
    """One German unit for every zone (ev.rinforzi)."""
    ctx.cite("ev.rinforzi#zone", N_("Reinforcements in zones {zones}"), zones=zones)
    reinforce_zones(ctx, zones, second)


def depth(ctx: Ctx[State], args: tuple[str, ...], second: bool) -> None:
    """One depth marker, or one in each sector (ev.incognita)."""
    if args:
        add_depth_each(ctx, "ev.incognita#carta")
        return
    card = CARDS[ctx.state.cards["event 2" if second else "event"]]
    with_hero = any(effect[0] == "hero" for effect in card.event(ctx.state.turn))
    sector = ctx.state.notes.get("hero sector", "") if with_hero else ""
    if sector:
        ctx.cite("9.23#stesso-settore", N_("In the sector of the hero: {sector}."), sector=sector)
    add_depth(ctx, sector, "9.23#stesso-settore" if sector else "ev.incognita#carta")


def hero(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """A hero joins a unit of the division (ev.eroe, 11.11, casa.49)."""
    division = args[0]
    name = next((h for h in ctx.state.heroes if HEROES[h] == division), "")
    units = {
        u.id: u
        for u in (*on_map(ctx.state), *in_boxes(ctx.state))
        if u.command == division and not UNITS[u.id].is_leader
    }

    def why_not(unit: str) -> Ruling | None:
        if not units[unit].hero or units[unit].inspired:
            return None
        return rule(("11.11#un-solo-eroe", "casa.84"), N_("{unit} has a hero already."), unit=unit)

    if not name:
        ctx.cite("ev.eroe", N_("No hero of division {division} is left."), division=division)
        return
    if all(why_not(unit) for unit in units):
        said = N_("No unit of division {division} can take a hero.")
        ctx.cite(("ev.eroe", "11.11#un-solo-eroe", "casa.84"), said, division=division)
        return
    chosen = ctx.choose(
        "events.hero",
        US,
        [unit_choice(u) for u in units.values()],
        ("ev.eroe", "11.11#metti", "casa.49"),
        N_("Which unit of division {division} does {hero} lead?"),
        why_not=why_not,
        division=division,
        hero=name,
    )
    ctx.do(HeroCame(unit=chosen, hero=name), ("ev.eroe", "11.11#metti"))
    at = ctx.state.units[chosen].at
    where = BOXES[at].sector if at in BOXES else SECTOR[at]
    ctx.do(
        Noted(key="hero sector", value=where),
        "9.23#stesso-settore",
        N_("The hero is in the {value} sector."),
        value=where,
    )


def naval(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """A naval fire marker, of the two there are (ev.navale, 8.5)."""
    if ctx.state.naval >= NAVAL_MARKERS:
        ctx.cite("ev.navale#due", N_("Both naval fire markers are taken: no other one."))
        return
    ctx.do(NavalMarker(n=ctx.state.naval + 1), ("ev.navale#ricevi", "8.5", "8.54"))


def smoke(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """The named WNs do not fire this turn (ev.fumo)."""
    ctx.do(
        Noted(key="smoke", value=" ".join(args)),
        "ev.fumo#metti",
        N_("Smoke on {positions}."),
        positions=args,
    )


def rockets(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """The rockets of WN69 hit a unit three to seven hexes away (ev.razzi, 19.33)."""
    german = ctx.state.germans.get(ROCKET_HEX)
    if german is None or german.kind != "rocket":
        ctx.cite("ev.razzi#ignora", N_("The rockets are gone."))
        return
    if german.disrupted:
        ctx.cite(("ev.razzi#ignora", "6.4#non-spara"), N_("The rockets are disrupted and silent."))
        return
    if not ctx.state.rockets_fired:
        ctx.do(RocketsFired(), "ev.razzi#colpisce")
    ranked = [
        (-u.steps, u)
        for u in on_map(ctx.state)
        if not UNITS[u.id].is_leader
        and BASE[u.at] in ("beach", "pavilion")
        and distance(ROCKET_HEX, u.at) in ROCKET_RANGE
    ]
    if not ranked:
        ctx.cite("ev.razzi#dove", N_("Nobody on beach or pavilion, three to seven hexes away."))
    for name in pick_units(ctx, ranked, 1, "ev.razzi#piu-pf", "rockets"):
        sector = SECTOR[ctx.state.units[name].at]
        lose_step(ctx, name, "ev.razzi#colpisce")
        if is_extended(ctx.state):
            ctx.do(
                Noted(key=f"artillery {sector}"),
                ("19.33#artiglieria", "casa.91"),
                N_("Artillery fires in the {sector} sector."),
                sector=sector,
            )


def rockets_destroyed(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """Rockets that have fired are destroyed (ev.razzi-distrutti)."""
    german = ctx.state.germans.get(ROCKET_HEX)
    if not ctx.state.rockets_fired or german is None or german.kind != "rocket":
        ctx.cite("ev.razzi-distrutti", N_("No rockets have given themselves away."))
        return
    remove_german(ctx, ROCKET_HEX, "out", "ev.razzi-distrutti")


def recovery(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """Every German unit recovers (ev.recupero)."""
    disrupted = [label for label, german in ctx.state.germans.items() if german.disrupted]
    if not disrupted:
        ctx.cite("ev.recupero", N_("No German unit is disrupted."))
    for label in disrupted:
        ctx.do(GermanRecovered(hex=label), "ev.recupero")


def step(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """An infantry unit at its last step recovers one (ev.passo, 13.12)."""

    def reduced(division: str) -> list[Unit]:
        return [
            u
            for u in (*on_map(ctx.state), *in_boxes(ctx.state))
            if UNITS[u.id].type == "infantry" and u.steps == 1 and u.command == division
        ]

    able = reduced(args[0]) or reduced(OTHER[args[0]])
    if not able:
        ctx.cite("ev.passo#altra-divisione", N_("No infantry is at its last step."))
        return
    if able[0].command != args[0]:
        said = N_("Nobody of division {division} is at its last step: the other one recovers.")
        ctx.cite("ev.passo#altra-divisione", said, division=args[0])
    name = ctx.choose(
        "events.recovers",
        US,
        [unit_choice(u) for u in able],
        "ev.passo#scegli",
        N_("Which unit recovers a step?"),
    )
    ctx.do(GainedStep(unit=name), "ev.passo#scegli")
    division = UNITS[name].division
    if name in ctx.state.losses[division]:
        ctx.do(LossTaken(unit=name, division=division), "13.12")


def initiative(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """One more action for each division (ev.iniziativa)."""
    ctx.do(
        Noted(key="initiative"),
        ("ev.iniziativa", "casa.50"),
        N_("Every division has one more action."),
    )


def intense_fire(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """One action instead of two for each division (ev.intenso)."""
    ctx.do(
        Noted(key="intense"),
        ("ev.intenso#una-azione", "casa.50"),
        N_("Every division has one action only."),
    )


def plunging_fire(ctx: Ctx[State], _args: tuple[str, ...], second: bool) -> None:
    """Sporadic dots behind a protective hexside become intense (ev.plunging, casa.46)."""
    if second:
        ctx.cite("ev.plunging", N_("Too late in the turn: ignored."))
        return
    level = "moderate" if ctx.state.options.get("plunging") == "moderato" else "intense"
    ctx.do(
        Noted(key="plunging", value=level),
        ("ev.plunging", "casa.46"),
        N_("Sporadic fire on sheltered beaches is {level}."),
        level=level,
    )


def concealed(ctx: Ctx[State], symbols: tuple[str, ...], _second: bool) -> None:
    """Units next to hidden reinforcements are disrupted (ev.occultati)."""
    hidden = [
        g.hex for g in ctx.state.germans.values() if not g.is_wn and not g.is_armor and not g.shown
    ]
    caught = [
        u
        for u in on_map(ctx.state)
        if u.symbol in symbols and any(h in NEIGHBOURS[u.at] for h in hidden)
    ]
    if not caught:
        said = N_("Nobody with {symbols} is next to a hidden reinforcement.")
        ctx.cite("ev.occultati", said, symbols=symbols)
    for unit in caught:
        disrupt(ctx, unit.id, "ev.occultati")


def snipers(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """A command post has range 1 this turn (ev.cecchini)."""
    found = ctx.state.units[args[0]]
    ctx.do(
        Noted(key="snipers", value=args[0]),
        "ev.cecchini#raggio" if found.space and found.is_on_map else "ev.cecchini#non-posto",
        N_("{unit}: range 1 this turn.")
        if found.space and found.is_on_map
        else N_("{unit} is no command post: no effect."),
        unit=args[0],
    )


def unexpected_naval_fire(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """A fire card picks the position that the ships hit (ev.navale-inatteso)."""
    first = draw_card(ctx, "naval fire", "ev.navale-inatteso#prima")
    name = next(arg[1:] for arg in args if arg[0] == first.target)
    label = named_hex(name)
    ctx.cite("ev.navale-inatteso#prima", N_("The ships hit {position}."), position=name)
    if label in ctx.state.germans:
        shell_german(ctx, label)
    elif fighters_at(ctx.state, label):
        second = draw_card(ctx, "naval fire 2", "ev.navale-inatteso#seconda")
        ranked = [(0, u) for u in fighters_at(ctx.state, label) if u.symbol == second.target]
        if not ranked:
            said = N_("Nobody there has {symbol}.")
            ctx.cite("ev.navale-inatteso#nessuna", said, symbol=second.target)
        for unit in pick_units(
            ctx, ranked, 1, "ev.navale-inatteso#seconda", "unexpected naval fire"
        ):
            lose_step(ctx, unit, "ev.navale-inatteso#seconda", by_fire=False)
    else:
        ctx.cite("ev.navale-inatteso#nessuno", N_("{position} is empty: no effect."), position=name)


def shell_german(ctx: Ctx[State], label: str) -> None:
    """The German unit is disrupted and loses its depth marker."""
    if ctx.state.germans[label].depth:
        ctx.do(DepthGone(hex=label), "ev.navale-inatteso#tedesca")
    if ctx.state.germans[label].disrupted:
        said = N_("{position}: disrupted already.")
        ctx.cite("ev.navale-inatteso#tedesca", said, position=name_of(label))
    else:
        ctx.do(GermanDisrupted(hex=label), "ev.navale-inatteso#tedesca")


def engineers_limited(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """No new base, range or traffic this turn, if any gun can fire (ev.artiglieria-genio)."""
    state = ctx.state
    guns = any(g.kind in CALIBRES for g in state.germans.values())
    linked = msgspec.structs.replace(state, linked=linked_now(state))
    if not guns and not any(is_battery_active(linked, b) for b in BATTERIES):
        ctx.cite("ev.artiglieria-genio#nullo", N_("All German guns are silent: no effect."))
        return
    ctx.do(
        Noted(key="engineers limited"),
        "ev.artiglieria-genio#non-puoi",
        N_("Engineers neither expand nor direct traffic this turn."),
    )


def kampfgruppe_meyer(ctx: Ctx[State], _args: tuple[str, ...], _second: bool) -> None:
    """Kampfgruppe Meyer is released (ev.kgm)."""
    if ctx.state.has(REACTION):
        ctx.cite("22.4#ignora-kgm", N_("Kampfgruppe Meyer is in play already."))
    else:
        free_meyer(ctx)


def hidden_units(state: State, sector: str = "") -> list[German]:
    """German units that are face down, or whose marker is."""
    return [
        g for g in state.germans.values() if not g.shown and (not sector or SECTOR[g.hex] == sector)
    ]


def reveal_by_event(ctx: Ctx[State], label: str, ref: str) -> None:
    """An event shows a unit and its marker; a tactical reinforcement comes face up (9.4)."""
    reveal_unit(ctx, label, ref)
    if ctx.state.germans[label].depth:
        depth = reveal_depth(ctx, label, ref)
        if depth.id == TACTICAL:
            ctx.do(DepthGone(hex=label), "9.4#togli")
            tactical_from_wn(ctx, label, face_up=True)


def patrol_report(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """The hidden unit nearest to a US unit of the sector is revealed (ev.pattuglia)."""
    sector = SECTOR_OF[args[0]]
    scouts = [
        u.at for u in on_map(ctx.state) if SECTOR[u.at] == sector and UNITS[u.id].type != "general"
    ]
    ranked = [
        (min(distance(g.hex, at) for at in scouts), g.hex)
        for g in (hidden_units(ctx.state) if scouts else ())
    ]
    if not ranked:
        ctx.cite("ev.pattuglia#rivela", N_("There is nobody to report, or nothing to see."))
        return
    best = min(ranked)[0]
    first = [label for far, label in ranked if far == best]
    label = first[0]
    if len(first) > 1:
        spots = [hex_choice(h) for h in first]
        label = ctx.choose(
            "events.reported", US, spots, "ev.pattuglia#parita", N_("Which unit is reported?")
        )
    reveal_by_event(ctx, label, "ev.pattuglia#rivela")


def prisoner_talks(ctx: Ctx[State], args: tuple[str, ...], _second: bool) -> None:
    """The player reveals a hidden unit of the sector (ev.prigioniero)."""
    sector = SECTOR_OF[args[0]]
    found = hidden_units(ctx.state, sector) or hidden_units(ctx.state)
    if not found:
        ctx.cite("ev.prigioniero#altro-settore", N_("Nothing is hidden any more."))
        return
    if SECTOR[found[0].hex] != sector:
        said = N_("Nothing is hidden in the {sector} sector: the other one.")
        ctx.cite("ev.prigioniero#altro-settore", said, sector=sector)
    spots = [hex_choice(g.hex) for g in found]
    label = ctx.choose(
        "events.betrayed",
        US,
        spots,
        "ev.prigioniero#rivela",
        N_("Which unit does the prisoner betray?"),
    )
    reveal_by_event(ctx, label, "ev.prigioniero#rivela")


Happening = Callable[[Ctx[State], tuple[str, ...], bool], None]
HAPPENINGS: dict[str, Happening] = {
    N_("reinforcements"): reinforcements,
    N_("depth"): depth,
    N_("hero"): hero,
    N_("naval"): naval,
    N_("smoke"): smoke,
    N_("rockets"): rockets,
    N_("rockets destroyed"): rockets_destroyed,
    N_("recovery"): recovery,
    N_("step"): step,
    N_("initiative"): initiative,
    N_("intense fire"): intense_fire,
    N_("plunging fire"): plunging_fire,
    N_("concealed enemy"): concealed,
    N_("snipers"): snipers,
    N_("unexpected naval fire"): unexpected_naval_fire,
    N_("engineers limited"): engineers_limited,
    N_("kampfgruppe meyer"): kampfgruppe_meyer,
    N_("patrol report"): patrol_report,
    N_("prisoner talks"): prisoner_talks,
}
