"""US attacks (8): 8.1-8.16, 8.2-8.27, 8.3-8.34, 8.51, 11.13."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, Option, button
from engine.core.rules import Ruling
from engine.core.text import N_, NP_, msg
from engine.ddob.rules.choosing import hex_choice, unit_choice
from engine.ddob.rules.communication import is_linked, link_ruling
from engine.ddob.rules.free_actions import free_reason, is_free
from engine.ddob.rules.leaders import hqs_of
from engine.ddob.rules.losses import disrupt, lose_step
from engine.ddob.rules.reinforcements import give_depth, tactical_from_wn
from engine.ddob.rules.reveal import TACTICAL, remove_german, reveal_depth, reveal_unit
from engine.ddob.rules.terrain import factors, why_not_across
from engine.ddob.state.book import US, rule
from engine.ddob.state.events import (
    Acted,
    Attacked,
    DepthGone,
    GermanDisrupted,
    HiddenAgain,
    NavalMarker,
    Paid,
)
from engine.ddob.state.ground import BEACH_DOTTED, HEX, IS_LOW, NEIGHBOURS, distance
from engine.ddob.state.state import (
    State,
    Unit,
    is_extended,
    name_of,
    on_map,
    position_of,
    threats,
    units_at,
)
from engine.ddob.state.tables import CHARTS, DEPTH, GUNS, POSITION_AT, UNITS, WEAPONS, GermanData

NAVAL_STRENGTH = 9
DIRECT_FIRE = ("tank", "AT", "AA", "SP AA")
FLANKING = "FL"
COLUMNS = {
    "alone": "Unità sola",
    "hidden": "Con Incognita nascosta",
    "shown": "Con Incognita rivelata",
    "extended": "Rivelata dal Turno 17",
}
"""The heads of the attack chart as the text has them."""
FROM_AFAR = NP_("{unit} fires at {hex} from the next hex.", "{unit} fires at {hex} from {n} hexes.")
UNDER_AN_HQ = NP_(
    "{unit} fires at {hex} from the next hex under {leader}.",
    "{unit} fires at {hex} from {n} hexes under {leader}.",
)


class Plan(msgspec.Struct, frozen=True):
    """An attack being declared: the target, who takes part, and naval fire."""

    target: str
    units: tuple[str, ...]
    naval: bool = False


class Force(msgspec.Struct, frozen=True):
    """What the attackers bring: reckoned and told once, though the chart may be read twice."""

    weapons: tuple[str, ...]
    strength: int


# 8.1 Who may attack


def is_adjacent(found: Unit, target: str) -> bool:
    """Whether the unit stands next to the target."""
    return target in NEIGHBOURS[found.at]


def why_not_target(state: State, target: str) -> Iterator[Ruling]:
    """Why a German hex cannot be attacked now (8.16, 8.41, 8.53)."""
    attacked = list(state.attacked)
    if state.options.get("8.16") == "posizione" and target in POSITION_AT:
        attacked += [h for a in state.attacked if a in POSITION_AT for h in POSITION_AT[a].hexes]
    if target in attacked:
        yield rule(("8.16", "casa.63"), N_("{hex} has been attacked in this phase."), hex=target)
    if target in state.barraged:
        yield rule(
            ("8.41#attacco-o-sbarramento", "8.53"),
            N_("{hex} has been barraged in this phase."),
            hex=target,
        )


def why_not_lead(state: State, found: Unit) -> Iterator[Ruling]:
    """Why this infantry cannot open an attack on any hex (8.1)."""
    near = [h for h in NEIGHBOURS[found.at] if h in state.germans]
    if not near:
        yield rule(
            ("8.1#fanteria-adiacente", "8.1.fanteria"),
            N_("{unit} is adjacent to no German unit."),
            unit=found.id,
        )
        return
    for target in near:
        if not any(True for _ in why_not_open(state, found, target)):
            return
    for target in near:
        yield from why_not_open(state, found, target)


def why_not_open(state: State, found: Unit, target: str) -> Iterator[Ruling]:
    """Why the unit cannot be the adjacent infantry of an attack on a hex (8.1, 8.15)."""
    yield from why_not_target(state, target)
    yield from why_not_across(found.at, target)


def why_not_join(state: State, plan: Plan, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot take part in a declared attack (8.1, 8.11-8.15)."""
    data = UNITS[found.id]
    if found.acted:
        yield rule(("8.13", "7.2#una-volta"), N_("{unit} has acted this turn."), unit=found.id)
    if found.disrupted:
        yield rule(("8.13", "7.7#solo-togliere"), N_("{unit} is disrupted."), unit=found.id)
    if found.climb:
        yield rule(("8.13", "7.4#solo-quella"), N_("{unit} is climbing."), unit=found.id)
    if cost(state, (*plan.units, found.id)) > state.actions:
        yield rule("8.13", N_("No action is left for {unit}."), unit=found.id)
    if data.is_infantry:
        yield from why_not_infantry(state, plan, found)
    else:
        yield from why_not_range(state, plan.target, found)
        if data.type in DIRECT_FIRE:
            yield from why_not_direct(state, plan, found)
        else:
            yield from why_not_guns(state, plan, found)


def why_not_infantry(state: State, plan: Plan, found: Unit) -> Iterator[Ruling]:
    """Infantry joins from an adjacent hex, heavy infantry from two away (8.1, 8.15)."""
    target = plan.target
    if is_adjacent(found, target):
        against = list(why_not_across(found.at, target))
        if against and not found.is_heavy:
            yield from against
        elif against:
            yield from why_not_level(state, target, found)
        return
    if not found.is_heavy:
        yield rule(
            "8.1.fanteria", N_("{unit} is not adjacent to {hex}."), unit=found.id, hex=target
        )
    elif distance(found.at, target) > 2:
        yield rule("8.1.pesante#distanza", N_("{unit} is more than two hexes away."), unit=found.id)
    else:
        yield from why_not_level(state, target, found)


def why_not_range(state: State, target: str, found: Unit) -> Iterator[Ruling]:
    """The target must be in range, and not too high (8.11, 8.12)."""
    far = distance(found.at, target)
    if far > found.range:
        yield rule(
            "8.11#gittata",
            N_("{unit}: the target is {n} hexes away, its range is {range}."),
            unit=found.id,
            n=far,
            range=found.range,
        )
    if far > 1 or any(True for _ in why_not_across(found.at, target)):
        yield from why_not_level(state, target, found)


def why_not_level(state: State, target: str, found: Unit) -> Iterator[Ruling]:
    """From low ground no ranged fire at high ground without dots on the beach (8.12)."""
    if not IS_LOW[found.at] or IS_LOW[target]:
        return
    position = position_of(state.germans[target])
    if position is None or position.id not in BEACH_DOTTED:
        yield rule(
            "8.12#dal-basso",
            N_("{unit} is on low ground and {position} has no dot on a beach."),
            unit=found.id,
            position=name_of(target),
        )


def why_not_direct(state: State, plan: Plan, found: Unit) -> Iterator[Ruling]:
    """Tanks, AT and AA need to be near the infantry or under command (8.1.carri)."""
    if why_direct(state, plan, found) is None:
        yield rule(
            "8.1.carri#condizioni",
            N_("{unit} is neither near the attack nor under command."),
            unit=found.id,
        )


def why_direct(state: State, plan: Plan, found: Unit) -> Ruling | None:
    """By which of the four conditions tanks, AT and AA take part (8.1.carri)."""
    far = distance(found.at, plan.target)
    infantry = [state.units[n] for n in plan.units if UNITS[n].is_infantry]
    given: dict[str, str | int] = {"unit": found.id, "hex": plan.target, "n": far}
    if is_adjacent(found, plan.target):
        return rule(("8.1.carri#adiacente", "8.11#gittata"), FROM_AFAR, **given)
    beside = [u.id for u in infantry if u.at in (found.at, *NEIGHBOURS[found.at])]
    if beside:
        refs = ("8.1.carri#fanteria", "8.11#gittata")
        said = N_("{unit} fires at {hex}, distance {n}: it is beside {other}.")
        return rule(refs, said, **given, other=beside[0])
    commanding = state.commanded.get(found.id, ())
    if commanding:
        refs = ("8.1.carri#comandata", "8.11#gittata")
        said = N_("{unit} fires at {hex}, distance {n}: under command of {leader}.")
        return rule(refs, said, **given, leader=commanding[0])
    led = [u.id for u in infantry if state.commanded.get(u.id)]
    if led:
        refs = ("8.1.carri#fanteria-comandata", "8.11#gittata")
        said = N_("{unit} fires at {hex}, distance {n}: {leader} commands {other}.")
        return rule(refs, said, **given, other=led[0], leader=state.commanded[led[0]][0])
    return None


def why_not_guns(state: State, plan: Plan, found: Unit) -> Iterator[Ruling]:
    """Artillery needs an HQ that also commands attacking infantry (8.1.artiglieria)."""
    if is_adjacent(found, plan.target):
        yield rule(
            "8.1.artiglieria#gittata", N_("{unit} is adjacent to the target."), unit=found.id
        )
    mine = hqs_of(state, found.id)
    infantry = [n for n in plan.units if UNITS[n].is_infantry]
    if not any(hq in hqs_of(state, n) for hq in mine for n in infantry):
        yield rule(
            "8.1.artiglieria#hq",
            N_("No HQ commands both {unit} and attacking infantry."),
            unit=found.id,
        )
    if not UNITS[found.id].is_armored:
        for near, level in threats(state, found.at):
            yield rule(
                "8.1.artiglieria#cdf",
                N_("{unit} lies under {level} fire of {position}."),
                unit=found.id,
                level=level,
                position=name_of(near),
            )


def has_radio(state: State, name: str, target: str) -> bool:
    """Whether an infantry unit has RD or is commanded by an HQ (8.1.navale, 8.24)."""
    return bool(hqs_of(state, name)) or "RD" in weapons_of(state, state.units[name], target)


def why_not_naval(state: State, plan: Plan) -> Iterator[Ruling]:
    """Why naval fire cannot join the attack (8.1.navale, 8.51)."""
    infantry = [n for n in plan.units if UNITS[n].is_infantry]
    if not any(has_radio(state, n, plan.target) for n in infantry):
        yield rule(("8.1.navale", "8.51#spendi"), N_("No attacking infantry has a radio or an HQ."))


def cost(state: State, names: tuple[str, ...]) -> int:
    """Actions of the division for these units: two stacked ones cost one (7.21, 8.13)."""
    paying: dict[str, int] = {}
    for name in names:
        found = state.units[name]
        if not is_free(state, found):
            paying[found.at] = paying.get(found.at, 0) + 1
    return sum((n + 1) // 2 for n in paying.values())


# Declaring


def attack(ctx: Ctx[State], name: str) -> None:
    """Declare an attack, then resolve it (8.1, 8.3)."""
    state = ctx.state
    found = state.units[name]
    near = [h for h in NEIGHBOURS[found.at] if h in state.germans]
    target = near[0]
    if len(near) > 1:
        target = ctx.choose(
            "attack.target",
            US,
            [hex_choice(h) for h in near],
            "8.1#fanteria-adiacente",
            N_("Which hex does {unit} attack?"),
            why_not=lambda h: why_not_open(state, found, h),
            unit=name,
        )
    plan = Plan(target, (name,))
    while True:
        joined = ask_for_more(ctx, plan)
        if joined is None:
            break
        if joined == "naval":
            plan = Plan(target, plan.units, True)
        else:
            plan = Plan(target, (*plan.units, joined), plan.naval)
    resolve(ctx, plan)


def ask_for_more(ctx: Ctx[State], plan: Plan) -> str | None:
    """Another participant, naval fire, or nobody else (8.1, 8.13)."""
    state = ctx.state

    def candidates() -> Iterator[Choice[str | None]]:
        go = msg(N_("Attack {hex} with what is declared"), hex=plan.target)
        yield Choice(Option("b:via", go, HEX[plan.target]), None)
        for found in on_map(state):
            if found.command != state.division or found.id in plan.units:
                continue
            data = UNITS[found.id]
            if data.is_leader:
                continue
            if distance(found.at, plan.target) <= max(found.range, 2) + 1 and not found.acted:
                yield unit_choice(found)
        if state.naval and not plan.naval:
            yield button("navale", "naval", N_("Add naval fire"))

    def why_not(choice: str | None) -> Iterator[Ruling] | None:
        if choice is None:
            return None
        if choice == "naval":
            return why_not_naval(state, plan)
        return why_not_join(state, plan, state.units[choice])

    return ctx.choose(
        "attack.units",
        US,
        candidates(),
        ("8.1#altre-unita", "8.13", "casa.76"),
        N_("Who else attacks {position}? {n} units so far."),
        why_not=why_not,
        position=name_of(plan.target),
        n=len(plan.units),
    )


# 8.2 Weapons


def weapons_of(state: State, found: Unit, target: str) -> tuple[str, ...]:
    """The weapons a unit brings against a hex (8.2, 8.21, 8.26, 8.27)."""
    data = UNITS[found.id]
    far = distance(found.at, target)
    if data.is_infantry:
        if found.steps < data.full:
            return data.weapons[data.full - found.steps - 1]
        if not found.is_heavy:
            return WEAPONS["full infantry"]
        blocked = any(True for _ in why_not_across(found.at, target)) if far == 1 else True
        return WEAPONS["heavy infantry afar" if blocked else "heavy infantry"]
    if data.type == "tank":
        return WEAPONS["tank near" if far <= 3 else "tank"]
    if data.type in GUNS:
        return WEAPONS["artillery"]
    return WEAPONS["AT" if data.type == "AT" else "AA"]


def pooled(ctx: Ctx[State], plan: Plan) -> dict[str, None]:
    """All weapons of the attack (8.2, 8.24, 8.31)."""
    state = ctx.state
    found: dict[str, None] = {}
    for name in plan.units:
        unit = state.units[name]
        brought = weapons_of(state, unit, plan.target)
        data = UNITS[name]
        reduced = data.is_infantry and unit.steps < data.full
        ctx.cite(
            "8.27#entro-3"
            if data.type == "tank" and brought == WEAPONS["tank near"]
            else "8.27#entro-5"
            if data.type == "tank"
            else "8.26#adiacente"
            if unit.is_heavy and brought == WEAPONS["heavy infantry"]
            else "8.26#distanza"
            if unit.is_heavy
            else "8.21"
            if reduced
            else "8.31#somma",
            N_("{unit} brings {weapons}."),
            unit=name,
            weapons=brought,
        )
        found.update(dict.fromkeys(brought))
        if is_adjacent(unit, plan.target) and hqs_of(state, name):
            ctx.cite("8.24", N_("{unit} has the radio of an HQ."), unit=name)
            found["RD"] = None
    if plan.naval:
        ctx.cite(("8.51#requisiti", "8.25"), N_("Naval fire meets NA, AR and DE."))
        found.update(dict.fromkeys(WEAPONS["naval"]))
    return found


def origins(state: State, plan: Plan) -> list[str]:
    """The adjacent hexes from which the attack comes."""
    found = [state.units[n].at for n in plan.units if is_adjacent(state.units[n], plan.target)]
    return list(dict.fromkeys(found))


def flanks(state: State, plan: Plan, parts: list[GermanData]) -> bool:
    """Two hexes that do not touch, or three if unit and marker both ask for it (8.22)."""
    hexes = origins(state, plan)
    if sum(FLANKING in part.weapons for part in parts) > 1:
        return len(hexes) >= 3
    return any(b not in NEIGHBOURS[a] for a in hexes for b in hexes if a != b)


def missing(ctx: Ctx[State], plan: Plan, force: Force, parts: list[GermanData]) -> list[str]:
    """Required weapons that the attack does not bring (8.2, 8.22)."""
    wanted = list(dict.fromkeys(w for part in parts for w in part.weapons))
    ctx.cite("8.2#richieste", N_("The defenders ask for {weapons}."), weapons=tuple(wanted))
    lacking = [w for w in wanted if w != FLANKING and w not in force.weapons]
    if FLANKING in wanted:
        outflanked = flanks(ctx.state, plan, parts)
        twice = sum(FLANKING in part.weapons for part in parts) > 1
        ctx.cite(
            "8.22#tre" if twice else "8.22#due",
            N_("The target is outflanked.") if outflanked else N_("The target is not outflanked."),
        )
        if not outflanked:
            lacking.append(FLANKING)
    return lacking


# 8.3 Resolving


def resolve(ctx: Ctx[State], plan: Plan) -> None:
    """Reveal, compare, consult the chart, apply; twice if a marker is revealed (8.3)."""
    spend(ctx, plan)
    target = plan.target
    with ctx.under(
        ("8.3#dichiara", "8#attacco"), N_("Attack on {position}"), position=name_of(target)
    ):
        unit = reveal_unit(ctx, target, "8.3#rivela")
        force = Force(tuple(pooled(ctx, plan)), strength(ctx, plan))
        if ctx.state.germans[target].depth_shown:
            consult(ctx, plan, force, [unit, known_depth(ctx.state, target)], "shown")
        elif ctx.state.germans[target].depth:
            consult(ctx, plan, force, [unit], "hidden")
        else:
            consult(ctx, plan, force, [unit], "alone")


def known_depth(state: State, target: str) -> GermanData:
    """The depth marker that lies face up."""
    german = state.germans[target]
    return DEPTH[german.depth_kind][german.depth]


def spend(ctx: Ctx[State], plan: Plan) -> None:
    """Every participant uses its action, and the naval marker is spent (8.13, 8.54)."""
    paying: dict[str, int] = {}
    for name in plan.units:
        found = ctx.state.units[name]
        free = free_reason(ctx.state, found)
        if free is None:
            paying[found.at] = paying.get(found.at, 0) + 1
        else:
            ctx.cite(free)
    for n in paying.values():
        for used in range(0, n, 2):
            ctx.do(Paid(division=ctx.state.division), ("8.13", "7.21" if n - used > 1 else ""))
    for name in plan.units:
        ctx.do(Acted(unit=name), "8.13")
    tell_support(ctx, plan)
    if plan.naval:
        ctx.do(NavalMarker(n=ctx.state.naval - 1), ("8.51#spendi", "8.54"))
    ctx.do(Attacked(hex=plan.target), ("8.16", "8.32"))


def tell_support(ctx: Ctx[State], plan: Plan) -> None:
    """By what rule those take part who are not adjacent infantry (8.1)."""
    state = ctx.state
    for name in plan.units:
        found, kind = state.units[name], UNITS[name].type
        at, far = plan.target, distance(found.at, plan.target)
        if UNITS[name].is_infantry:
            if far > 1:
                refs = ("8.1.pesante#distanza", "8.11#gittata")
                ctx.cite(refs, FROM_AFAR, unit=name, hex=at, n=far)
        elif kind in DIRECT_FIRE:
            joined = why_direct(state, plan, found)
            if joined is not None:
                ctx.cite(joined)
        else:
            ctx.cite(
                ("8.1.artiglieria#hq", "8.11#gittata"),
                UNDER_AN_HQ,
                unit=name,
                hex=at,
                n=far,
                leader=hqs_of(state, name)[0],
            )
    if plan.naval:
        caller = next(
            n for n in plan.units if UNITS[n].is_infantry and has_radio(state, n, plan.target)
        )
        ctx.cite(
            ("8.1.navale", "8.51#spendi"),
            N_("{observer} directs the ships by radio."),
            observer=caller,
        )


def consult(
    ctx: Ctx[State],
    plan: Plan,
    force: Force,
    parts: list[GermanData],
    column: str,
    unit_strength: int = 0,
) -> None:
    """Strengths, weapons and the row of the chart; the unit's strength if told already (8.3)."""
    lacking = missing(ctx, plan, force, parts)
    for weapon in lacking:
        ctx.cite("8.2#richieste", N_("Weapon {weapon} is missing."), weapon=weapon)
    german = defence(ctx, plan, parts, unit_strength)
    lacking, us = use_hero(ctx, plan, lacking, force.strength)
    ratio = (
        "less"
        if us < german
        else "equal"
        if us == german
        else "double"
        if us >= 2 * german
        else "more"
    )
    row = next(r for r in CHARTS.attack if r.weapons is not bool(lacking) and r.ratio == ratio)
    effects: tuple[str, ...] = getattr(row, column)
    cell = f"8.3#attacco/{CHARTS.attack.index(row) + 1}/{COLUMNS[column]}"
    if column == "shown" and row.extended and is_extended(ctx.state):
        cell = f"8.3#attacco/{CHARTS.attack.index(row) + 1}/{COLUMNS['extended']}"
        ctx.cite(("14#un-solo-attacco", cell), N_("From turn 17 one attack may defeat both."))
        effects = row.extended
    ctx.cite(
        cell,
        N_("{us} against {german}, weapons {weapons}, {ratio}: {effects}")
        if effects
        else N_("{us} against {german}, weapons {weapons}, {ratio}: no effect"),
        us=us,
        german=german,
        weapons="no" if lacking else "si",
        ratio=ratio,
        effects=effects,
    )
    for effect in effects:
        if effect == "reveal depth":
            uncover(ctx, plan, force, parts, german, us)
        else:
            apply(ctx, plan, effect, cell)


def strength(ctx: Ctx[State], plan: Plan) -> int:
    """All strengths added up, and nine for naval fire (8.31, 8.51)."""
    total = ctx.tally(N_("US strength"))
    for name in plan.units:
        total.add(ctx.state.units[name].strength, "8.31#somma", N_("{unit}"), unit=name)
    if plan.naval:
        total.add(NAVAL_STRENGTH, "8.51#nove", N_("naval fire"))
    return int(total.total)


def defence(ctx: Ctx[State], plan: Plan, parts: list[GermanData], unit_strength: int) -> int:
    """The revealed German parts, each as terrain multiplies it (8.3, tec)."""
    total = ctx.tally(N_("German strength"))
    unit_factor, depth_factor, told = factors(ctx.state, plan.target, origins(ctx.state, plan))
    total.total = unit_strength
    if not unit_strength:
        for ruling in told:
            ctx.cite(ruling)
        value = parts[0].strength * unit_factor
        said = N_("unit {unit}") if unit_factor == 1 else N_("unit {unit}, {printed} × {factor}")
        more = multiplied(parts[0], unit_factor)
        total.add(value, "8.3#confronta", said, unit=parts[0].id, **more)
    for depth in parts[1:]:
        value = depth.strength * depth_factor
        said = depth_words(depth.is_ours, depth_factor)
        more = multiplied(depth, depth_factor)
        total.add(value, "8.3#confronta", said, depth=depth.id, doubt=depth.is_ours, **more)
    return int(total.total)


def multiplied(part: GermanData, factor: int) -> dict[str, int]:
    """The printed strength and what terrain makes of it, if anything."""
    return {"printed": part.strength, "factor": factor} if factor > 1 else {}


def depth_words(is_ours: bool, factor: int) -> str:
    """A depth marker in the count: whether its strength is ours, and multiplied."""
    if factor == 1:
        return N_("depth marker {depth}, reconstructed") if is_ours else N_("depth marker {depth}")
    if is_ours:
        return N_("depth marker {depth}, {printed} × {factor}, reconstructed")
    return N_("depth marker {depth}, {printed} × {factor}")


def use_hero(ctx: Ctx[State], plan: Plan, lacking: list[str], us: int) -> tuple[list[str], int]:
    """One hero next to the target is a weapon or one more strength (8.23, 11.13)."""
    state = ctx.state
    heroes = [
        n
        for n in plan.units
        if state.units[n].hero
        and not state.units[n].inspired
        and is_adjacent(state.units[n], plan.target)
    ]
    if not heroes:
        return lacking, us
    if len(heroes) > 1:
        said = N_("{units}: only one of their heroes helps.")
        ctx.cite("8.23#uno-solo", said, units=tuple(heroes))
    wild = [w for w in lacking if w != FLANKING]
    choices: list[Choice[str]] = [
        *[button(f"arma-{w}", w, N_("as {weapon}"), weapon=w) for w in wild],
        button("forza", "+1", N_("one more strength")),
        button("niente", "", N_("not at all")),
    ]
    use = ctx.choose(
        "attack.hero",
        US,
        choices,
        ("8.23#vantaggi", "11.13#vantaggi"),
        N_("How does the hero of {unit} help?"),
        unit=heroes[0],
    )
    if use == "+1":
        total = ctx.tally(N_("US strength"))
        total.total = us
        total.add(1, ("8.23#forza", "11.13#forza"), N_("hero of {unit}"), unit=heroes[0])
        return lacking, int(total.total)
    if use:
        ref = ("8.23#arma", "8.25") if use == "NA" else ("8.23#arma", "11.13#arma")
        ctx.cite(ref, N_("The hero counts as {weapon}."), weapon=use)
    return [w for w in lacking if w != use], us


def apply(ctx: Ctx[State], plan: Plan, effect: str, cell: str) -> None:
    """One effect of the chart, which stands in a cell of it; not the marker that is revealed."""
    target = plan.target
    german = ctx.state.germans[target]
    if effect == "US disrupted":
        disrupt_attackers(ctx, plan)
    elif effect == "gains depth":
        gain_depth(ctx, target)
    elif effect == "hidden again":
        ctx.do(HiddenAgain(hex=target), (cell, "9.1#resta"))
    elif effect == "German disrupted":
        if german.disrupted:
            ctx.cite(cell, N_("{position}: disrupted already."), position=name_of(target))
        else:
            ctx.do(GermanDisrupted(hex=target), cell)
    elif effect == "attrition":
        attrition(ctx, plan)
    elif effect == "depth eliminated":
        ctx.do(DepthGone(hex=target), (cell, "casa.22"))
    else:
        defeat(ctx, target)


def disrupt_attackers(ctx: Ctx[State], plan: Plan) -> None:
    """Adjacent attackers are disrupted; who fires from afar and leaders are not (8.3, 8.14)."""
    state = ctx.state
    near = [n for n in plan.units if is_adjacent(state.units[n], plan.target)]
    for name in near:
        disrupt(ctx, name, ("8.3#us-in-confusione", "7.7#durante-la-fase"))
    spots = dict.fromkeys(state.units[n].at for n in near)
    leaders = [u.id for at in spots for u in units_at(state, at) if UNITS[u.id].is_leader]
    far = [n for n in plan.units if n not in near]
    if leaders or far:
        ctx.cite(
            ("8.3#us-in-confusione" if far else "", "8.14" if leaders else ""),
            N_("{units}: not disrupted."),
            units=(*far, *leaders),
        )


def gain_depth(ctx: Ctx[State], target: str) -> None:
    """A failed attack brings a depth marker to a unit in communication (8.3, 9.2)."""
    ctx.cite(rule.also(link_ruling(ctx.state, target), "12.24"))
    if is_linked(ctx.state, target):
        give_depth(ctx, target, ("8.3#riceve", "9.2#attacco-fallito", "9.22#riavere"))


def attrition(ctx: Ctx[State], plan: Plan) -> None:
    """An adjacent attacker may lose a step to eliminate the marker (8.3)."""
    able = [ctx.state.units[n] for n in plan.units if is_adjacent(ctx.state.units[n], plan.target)]
    choices: list[Choice[str]] = [unit_choice(u) for u in able]
    choices.append(button("no", "", N_("No attrition")))
    name = ctx.choose(
        "attack.attrition",
        US,
        choices,
        "8.3#attrito",
        N_("Who loses a step to eliminate the depth marker?"),
    )
    if name:
        lose_step(ctx, name, "8.3#attrito", by_fire=False)
        ctx.do(DepthGone(hex=plan.target), "8.3#attrito")


def uncover(
    ctx: Ctx[State],
    plan: Plan,
    force: Force,
    parts: list[GermanData],
    unit_strength: int,
    us: int,
) -> None:
    """The marker is revealed and everything is compared again, heroes anew (8.3, 8.23, 9.4)."""
    target = plan.target
    depth = reveal_depth(ctx, target, "8.3#rivela-incognita")
    if depth.id == TACTICAL:
        ctx.do(DepthGone(hex=target), ("9.4#togli", "8.3#tactical"))
        defeat(ctx, target)
        tactical_from_wn(ctx, target)
    else:
        if us != force.strength:
            total = ctx.tally(N_("US strength"))
            total.set(force.strength, "8.3#rivela-incognita", N_("reckoned anew without the hero"))
        consult(ctx, plan, force, [parts[0], depth], "shown", unit_strength)


def defeat(ctx: Ctx[State], target: str) -> None:
    """Eliminated, or withdrawn to the Divisional box (8.33, 8.34, 23.6)."""
    german = ctx.state.germans[target]
    if german.is_armor:
        remove_german(ctx, target, "out", ("8.3#sconfitta", "23.6#escono"))
    elif german.is_wn:
        remove_german(ctx, target, "eliminated", ("8.3#sconfitta", "8.33#wn"))
    elif german.data.division != "352":
        ctx.cite("8.33#div-716", N_("The 716th division does not withdraw."))
        remove_german(ctx, target, "eliminated", ("8.3#sconfitta", "8.33#div-716"))
    elif not is_linked(ctx.state, target):
        ctx.cite(("8.33#senza-linea", "casa.52"), N_("No communication: no withdrawal."))
        remove_german(ctx, target, "eliminated", ("8.3#sconfitta", "8.33#senza-linea"))
    else:
        ctx.cite(rule.also(link_ruling(ctx.state, target), "casa.52"))
        remove_german(ctx, target, "division", ("8.3#sconfitta", "8.33#si-ritira"))
    ctx.cite("8.34", N_("Nobody advances."))
