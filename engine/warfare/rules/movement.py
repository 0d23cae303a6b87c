"""Chapter 1: movement, stacking, and what happens on entering a hex.

Refs: warfare:movimento.*, stacking.*, terreno.*, veicoli.movimento, anfibio.*, stealth.abilita,
popolazione.muovere*, ignoti.blocco, arbitrato.sconto_movimento, arbitrato.civili_limiti,
arbitrato.ingressi, arbitrato.ordine_ingresso, arbitrato.stop_movimento, arbitrato.rimbalzo,
arbitrato.mossa_gratuita, arbitrato.stealth_durata, arbitrato.rimbalzo_scarico,
arbitrato.lancio_su_blocco, arbitrato.elicotteri_folla.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from heapq import heappop, heappush
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_
from engine.warfare.rules.morale import eliminate, lose_overwatch, show_use, why_not_suppressed
from engine.warfare.rules.overwatch import can_anybody_react, window
from engine.warfare.rules.track import available, finish_action, pay
from engine.warfare.rules.unknown import BOUNCED, is_triggered, kind_of, spring
from engine.warfare.state.book import joined, rule
from engine.warfare.state.events import Loaded, Marched, MarchSet, Moved, PeopleMoved, PeopleSaved
from engine.warfare.state.setting import field_of, littered, scenario_of, spots, spots_around
from engine.warfare.state.state import (
    BOXES,
    CIVILIANS,
    CROWD,
    SUPPRESSED,
    March,
    Population,
    State,
    Unit,
    are_enemies,
    civilians_aboard,
    has_crowd,
    is_alive,
    is_regular,
    passenger_of,
    people_at,
)
from engine.warfare.state.tables import (
    AMPHIBIOUS,
    BRIDGE,
    COVER,
    FORTIFICATION,
    HELICOPTER,
    HIGH_GROUND,
    INFANTRY,
    OPEN,
    ROADBLOCK,
    STEALTH,
    TERRAIN,
    VEHICLE,
    WATER,
    Class,
    Field,
)

replace = msgspec.structs.replace


class Walk(msgspec.Struct, frozen=True):
    """A path while it is declared. `paid` hexes of `group` are still covered by the last AP."""

    hexes: tuple[str, ...]
    followers: tuple[str, ...] = ()
    terrain: int = 0
    escort: int = 0
    crossings: int = 0
    group: str = ""
    paid: int = 0
    follower: str = ""
    hooked: str = ""
    stealth: bool = False

    @property
    def here(self) -> str:
        """The last hex declared."""
        return self.hexes[-1]


@cache
def price(terrain: str, kind: Class) -> tuple[int, int]:
    """AP, and how many hexes in a row they buy (terreno.tabella)."""
    ap, _, hexes = TERRAIN[terrain].cost[kind].partition("/")
    return int(ap), int(hexes or 1)


def total(walk: Walk, damage: int) -> int:
    """The whole cost of a path (movimento.pagare)."""
    if len(walk.hexes) == 1:
        return 0
    return charge(walk.terrain + walk.escort, walk.crossings + walk.stealth, damage)


def charge(ground: int, abilities: int, damage: int) -> int:
    """Terrain and escort less damage, abilities in full (movimento.pagare)."""
    return max(1, ground - damage) + abilities


Prices: TypeAlias = dict[str, tuple[str, int, int, bool]]


@cache
def prices(field: Field, kind: Class) -> Prices:
    """For each hex its group, its AP, how many more hexes they buy, and whether it is wet.

    To who flies all ground is alike, and no shore is crossed.
    """
    found = {}
    for hex, terrain in field.terrain.items():
        ap, hexes = price(terrain, kind)
        flies = kind == HELICOPTER
        group = HELICOPTER if flies else TERRAIN[terrain].group
        found[hex] = (group, ap, hexes - 1, terrain == WATER and not flies)
    return found


def stride(table: Prices, walk: Walk, to: str) -> tuple[int, bool, str, int]:
    """One more hex: its AP, whether it crosses a shore, and what its AP still cover."""
    group, ap, more, is_wet = table[to]
    crosses = is_wet != table[walk.hexes[-1]][3]
    if walk.paid and group == walk.group:
        return 0, crosses, group, walk.paid - 1
    return ap, crosses, group, more


def cost_with(field: Field, mover: Unit, walk: Walk, to: str) -> int:
    """The whole cost of a path with one more hex (movimento.pagare)."""
    ap, crosses, _, _ = stride(prices(field, mover.kind), walk, to)
    ground = walk.terrain + ap + walk.escort + bool(walk.follower)
    return charge(ground, walk.crossings + crosses + walk.stealth, mover.damage)


def longer(field: Field, mover: Unit, walk: Walk, to: str) -> Walk:
    """The path with one more hex, and what it costs (movimento.costo)."""
    ap, crosses, group, paid = stride(prices(field, mover.kind), walk, to)
    return Walk(
        (*walk.hexes, to),
        (*walk.followers, walk.follower),
        walk.terrain + ap,
        walk.escort + bool(walk.follower),
        walk.crossings + crosses,
        group,
        paid,
        walk.follower,
        walk.hooked,
        walk.stealth,
    )


# Legality


def why_not_enter(
    state: State, field: Field, mover: Unit, origin: str, to: str
) -> Iterator[Ruling]:
    """Terrain, sides, obstacles and people that keep a unit out of a hex."""
    flies = mover.is_helicopter
    name = state.at.get(to)
    if name is not None and are_enemies(state, state.units[name].side, mover.side):
        yield rule(
            "stacking.attraversare#nemici",
            N_("{other} stands in {hex}: enemies are not crossed"),
            other=name,
            hex=to,
        )
    if not flies:
        terrain = field.terrain[to]
        if terrain == WATER and AMPHIBIOUS not in mover.values.abilities:
            yield rule(
                ("terreno.acqua#entrano", "anfibio.abilita#altre"),
                N_("{hex} is water: {unit} is not amphibious"),
                hex=to,
                unit=mover.id,
            )
        elif terrain == WATER and scenario_of(state).chapter < 5:
            yield rule(scenario_of(state).says("chapters"), N_("{hex} is water"), hex=to)
        if field.triangles and field.has_triangles(origin, to):
            yield rule(
                "fortificazioni.lati#lato", N_("the side towards {hex} has triangles"), hex=to
            )
        if to in state.roadblocks:
            yield rule("blocchi.ostacolo#nessuna", N_("a roadblock in {hex}"), hex=to)
        if to in state.rubble:
            yield rule("macerie.segnalino#blocca", N_("rubble in {hex}"), hex=to)
        for marker in state.hidden.values():
            own = marker.hex == to and not are_enemies(state, marker.owner, mover.side)
            if own and kind_of(marker) == ROADBLOCK:
                yield rule(
                    "blocchi.ostacolo#nessuna", N_("a roadblock of ours hides in {hex}"), hex=to
                )
    if state.population and is_regular(state, mover.side) and has_crowd(state, to):
        yield rule(
            (
                "popolazione.attraversare#chi/Regolari/Folla ostile",
                "arbitrato.folla_su_regolari",
                "arbitrato.elicotteri_folla" if flies else "",
            ),
            N_("a hostile crowd in {hex}: Regulars do not enter"),
            hex=to,
        )


def can_enter(state: State, field: Field, mover: Unit, origin: str, to: str) -> bool:
    """Whether nothing keeps a unit out of a hex: on plain ground there is nothing to ask."""
    if to not in littered(state) and not field.has_triangles(origin, to):
        return True
    return next(why_not_enter(state, field, mover, origin, to), None) is None


def why_not_step(state: State, mover: Unit, walk: Walk, to: str) -> Iterator[Ruling]:
    """Whether the declared path may go on into a hex."""
    field = field_of(state)
    if not can_enter(state, field, mover, walk.here, to):
        yield from why_not_enter(state, field, mover, walk.here, to)
    cost, left = cost_with(field, mover, walk, to), available(state, mover.side)
    if cost > left:
        yield rule(
            "movimento.limite_ap#limite",
            N_("{cost} AP for {hex}: {available} are available for movement"),
            cost=cost,
            hex=to,
            available=left,
        )
    elif is_taken(state, mover, to) and not can_go_on(
        state, field, mover, longer(field, mover, walk, to)
    ):
        yield rule(
            ("stacking.limite#una", "stacking.attraversare#amici"),
            N_("{other} stands in {hex} and the AP do not reach beyond it"),
            other=state.at[to],
            hex=to,
        )


def is_taken(state: State, mover: Unit, hex: str) -> bool:
    """Whether another unit stands in a hex (stacking.limite)."""
    name = state.at.get(hex)
    return name is not None and name != mover.id


def can_go_on(state: State, field: Field, mover: Unit, walk: Walk) -> bool:
    """Whether a path can still end in a hex without units."""
    limit, full = available(state, mover.side), littered(state)
    waiting, seen = [walk], [walk.here]
    for path in waiting:
        here = path.here
        for to in field.around[here]:
            if to in seen or cost_with(field, mover, path, to) > limit:
                continue
            if to not in full and not field.triangles:
                return True
            if not can_enter(state, field, mover, here, to):
                continue
            if not is_taken(state, mover, to):
                return True
            seen.append(to)
            waiting.append(longer(field, mover, path, to))
    return False


def why_not_move(state: State, mover: Unit) -> Iterator[Ruling]:
    """Not suppressed, and somewhere to go (movimento.azione)."""
    yield from why_not_suppressed(mover)
    field = field_of(state)
    if not can_go_on(state, field, mover, Walk((mover.hex,))):
        yield rule(
            ("movimento.limite_ap#limite", "movimento.azione#avanza"),
            N_("{unit} has no hex to move to with {available} AP"),
            unit=mover.id,
            available=available(state, mover.side),
        )


def why_not_follow(state: State, mover: Unit, walk: Walk, people: Population) -> Iterator[Ruling]:
    """Who may take population along, and how many (popolazione.muovere)."""
    if mover.is_helicopter:
        yield rule("arbitrato.civili_limiti", N_("helicopters escort nobody"), unit=mover.id)
    if scenario_of(state).chapter < 2:
        yield rule(
            scenario_of(state).says("chapters"),
            N_("moving population belongs to chapter {chapter}"),
            chapter=2,
        )
    if people.face == CROWD and is_regular(state, mover.side):
        yield rule(
            ("popolazione.muovere_folla", "arbitrato.folla_su_regolari"),
            N_("a hostile crowd follows Irregulars only"),
            marker=people.id,
        )
    if walk.hooked and walk.hooked != people.id:
        yield rule(
            "arbitrato.civili_limiti",
            N_("{unit} has taken population {marker} along in this movement"),
            unit=mover.id,
            marker=walk.hooked,
        )
    if walk.follower == people.id:
        yield rule("popolazione.muovere#segue", N_("{marker} follows already"), marker=people.id)
    elif people.id in walk.followers:
        yield rule(
            "popolazione.muovere#segue", N_("{marker} was left on the way"), marker=people.id
        )


def why_not_stealth(state: State, mover: Unit) -> Iterator[Ruling]:
    """The ability, where the scenario teaches it (stealth.abilita)."""
    if STEALTH not in mover.values.abilities:
        yield rule("stealth.abilita#spende", N_("{unit} has no stealth"), unit=mover.id)
    if scenario_of(state).chapter < 5:
        yield rule(
            scenario_of(state).says("chapters"),
            N_("stealth belongs to chapter {chapter}"),
            chapter=5,
        )
    if available(state, mover.side) < 2:
        yield rule(
            ("movimento.limite_ap#limite", "stealth.abilita#spende"),
            N_("stealth and a hex cost 2 AP: {available} are available for movement"),
            available=available(state, mover.side),
        )
    elif not can_go_on(state, field_of(state), mover, Walk((mover.hex,), stealth=True)):
        yield rule(
            ("movimento.limite_ap#limite", "stealth.abilita#spende"),
            N_("with stealth {unit} has no hex to move to"),
            unit=mover.id,
        )


# The action

GO, DROP, HIDE = "vai", "lascia", "stealth"


def move(ctx: Ctx[State], name: str) -> None:
    """Declare a path, pay it, walk it hex by hex (movimento.azione)."""
    mover = ctx.state.units[name]
    walk = declare(ctx, mover)
    pay_walk(ctx, mover, walk)
    cargo = passenger_of(ctx.state, name) or civilians_aboard(ctx.state, name)
    if cargo is not None:
        ctx.cite("trasporto.movimento", N_("{cargo} goes along for nothing"), cargo=cargo.id)
    if walk.stealth or walk.crossings:
        show_use(ctx, name)
    lose_overwatch(ctx, name, "overwatch.fine#muove")
    follow_path(ctx, name, walk)


def declare(ctx: Ctx[State], mover: Unit) -> Walk:
    """The whole path is declared before anything is paid (movimento.pagare)."""
    state, field = ctx.state, field_of(ctx.state)
    left = available(state, mover.side)
    walk = Walk((mover.hex,))
    while True:
        answer: str | Population = ctx.choose(
            "move.next",
            mover.side,
            ways_on(state, field, mover, walk),
            ("movimento.azione#avanza", "movimento.pagare#dichiara"),
            N_("Where does {unit} go? {cost} AP so far, {available} available"),
            why_not=partial(why_not_declare, state, mover, walk),
            unit=mover.id,
            cost=total(walk, mover.damage),
            available=left,
            path=walk.hexes,
        )
        if answer == GO:
            return walk
        if answer == HIDE:
            walk = replace(walk, stealth=True)
        elif answer == DROP:
            walk = replace(walk, follower="")
        elif isinstance(answer, Population):
            walk = replace(walk, follower=answer.id, hooked=answer.id)
        else:
            walk = longer(field, mover, walk, answer)


def ways_on(state: State, field: Field, mover: Unit, walk: Walk) -> Iterator[Choice[Any]]:
    """How a path may go on: hexes around, the end, stealth, population left or taken along."""
    known = spots(field)
    for label in field.around[walk.here]:
        yield known[label]
    if len(walk.hexes) > 1:
        yield button(GO, GO, N_("go: {cost} AP"), cost=total(walk, mover.damage))
    elif STEALTH in mover.values.abilities and not walk.stealth:
        yield button(HIDE, HIDE, N_("use stealth"))
    if walk.follower:
        yield button(DROP, DROP, N_("leave population {marker}"), marker=walk.follower)
    for people in people_at(state, walk.here):
        yield unit(people.id, people, N_("take population {unit} along"))


def why_not_declare(
    state: State, mover: Unit, walk: Walk, answer: str | Population
) -> Iterator[Ruling]:
    """What is wrong with one answer while a path is declared."""
    if isinstance(answer, Population):
        yield from why_not_follow(state, mover, walk, answer)
        taken = replace(walk, follower=answer.id, hooked=answer.id)
        if is_stuck(state, mover, taken):
            yield rule(
                ("popolazione.muovere_costo#limite", "movimento.limite_ap#limite"),
                N_("with population along no hex is within {available} AP"),
                available=available(state, mover.side),
            )
    elif answer == GO:
        if is_taken(state, mover, walk.here):
            yield rule(
                "stacking.limite#una",
                N_("{other} stands in {hex}: no movement ends there"),
                other=state.at[walk.here],
                hex=walk.here,
            )
    elif answer == HIDE:
        yield from why_not_stealth(state, mover)
    elif answer != DROP:
        yield from why_not_step(state, mover, walk, answer)


def is_stuck(state: State, mover: Unit, walk: Walk) -> bool:
    """Whether a path can neither end here nor go on."""
    if len(walk.hexes) > 1 and not is_taken(state, mover, walk.here):
        return False
    return not can_go_on(state, field_of(state), mover, walk)


def pay_walk(ctx: Ctx[State], mover: Unit, walk: Walk) -> None:
    """Every hex with its cost, then the cube (movimento.costo, movimento.pagare)."""
    field = field_of(ctx.state)
    cost = ctx.tally(N_("cost"))
    done = Walk(walk.hexes[:1])
    for to, follower in zip(walk.hexes[1:], walk.followers, strict=True):
        done = replace(done, follower=follower)
        before, done = done, longer(field, mover, done, to)
        terrain = field.terrain[to]
        ap = done.terrain - before.terrain
        if ap:
            cost.add(
                ap,
                step_rule(mover.kind, terrain),
                N_("{hex}: {terrain}"),
                hex=to,
                terrain=terrain,
            )
        else:
            ctx.cite(
                step_rule(mover.kind, terrain),
                N_("{hex}: {terrain}, within the AP just paid"),
                hex=to,
                terrain=terrain,
            )
        if follower:
            cost.add(
                1,
                "popolazione.muovere_costo#paga"
                if ctx.state.population[follower].face == CIVILIANS
                else "popolazione.muovere_folla",
                N_("population {marker} follows"),
                marker=follower,
            )
    base = int(cost.total)
    if mover.damage:
        cost.set(
            max(1, base - mover.damage),
            (
                "danno.uno#movimento" if mover.damage == 1 else "danno.due#paga",
                "arbitrato.sconto_movimento",
                "arbitrato.costo_minimo#mai" if base <= mover.damage else "",
            ),
            N_("damage of {unit}"),
            unit=mover.id,
        )
    cost.add(
        walk.crossings,
        ("anfibio.transizione#passa", "azioni.abilita#fisso"),
        N_("between land and water"),
    )
    cost.add(
        int(walk.stealth),
        ("stealth.abilita#prima", "arbitrato.stealth_durata", "azioni.abilita#fisso"),
        N_("stealth"),
    )
    pay(
        ctx,
        mover.side,
        int(cost.total),
        ("movimento.pagare#dichiara", "movimento.limite_ap#limite"),
    )


STEP_RULES: Final[Mapping[tuple[str, str], Locators]] = MappingProxyType(
    {
        (INFANTRY, OPEN): "movimento.fanteria",
        (INFANTRY, BRIDGE): "movimento.fanteria",
        (INFANTRY, COVER): "movimento.fanteria",
        (INFANTRY, FORTIFICATION): (
            "movimento.costo#terreno",
            "terreno.tabella#terreno/fortificazione/Fanteria",
        ),
        (INFANTRY, HIGH_GROUND): (
            "movimento.costo#terreno",
            "terreno.tabella#terreno/elevato/Fanteria",
        ),
        (VEHICLE, OPEN): "movimento.veicolo_scoperto#due",
        (VEHICLE, BRIDGE): "movimento.veicolo_scoperto#due",
        (VEHICLE, COVER): "veicoli.movimento#veicoli-movimento/copertura, fortificazione/Veicolo",
        (
            VEHICLE,
            FORTIFICATION,
        ): "veicoli.movimento#veicoli-movimento/copertura, fortificazione/Veicolo",
        (VEHICLE, HIGH_GROUND): "veicoli.movimento#veicoli-movimento/elevato/Veicolo",
        (INFANTRY, WATER): "anfibio.abilita#entrare",
        (VEHICLE, WATER): "anfibio.abilita#entrare",
    }
)
"""The rule that prices a terrain for a class that goes on the ground."""


def step_rule(kind: Class, terrain: str) -> Locators:
    """The rule that prices a hex; to helicopters all ground is alike (elicotteri.unita)."""
    if kind == HELICOPTER:
        return ("movimento.costo#terreno", "elicotteri.unita#sorvola", "terreno.tabella#ogni")
    return STEP_RULES[(kind, terrain)]


def follow_path(ctx: Ctx[State], name: str, walk: Walk) -> None:
    """The paid path lies ahead; stealth keeps overwatch quiet (stealth.abilita)."""
    declined: tuple[Side, ...] = ()
    if walk.stealth:
        ctx.cite("stealth.abilita#spende", N_("{unit} does not trigger overwatch"), unit=name)
        declined = tuple(ctx.state.cubes)
    march = March(name, walk.hexes[:1], walk.hexes[1:], walk.followers, declined=declined)
    begin_march(ctx, march, "movimento.azione#avanza")


def begin_march(ctx: Ctx[State], march: March, ref: Locators) -> None:
    """A unit sets out; its hexes are entered one after the other (arbitrato.ingressi)."""
    ctx.do(
        MarchSet(unit=march.unit, march=march),
        ref,
        N_("{unit} sets out for {hexes}"),
        unit=march.unit,
        hexes=march.ahead,
    )


def march_on(ctx: Ctx[State], *, asks: bool = True) -> None:
    """Go on with a movement until it ends, or until dice have been rolled for it.

    Without `asks` it rests where somebody may react: who reacts is asked from there, and needs to
    know nothing of how the path was declared.
    """
    is_closed = False
    while (march := ctx.state.march) is not None:
        if march.is_reacting and not is_closed:
            if not asks and can_anybody_react(ctx.state, march.unit):
                return
            before = ctx.state.units[march.unit]
            if window(ctx, march.unit):
                cite_going_on(ctx, before)
                settle_march(ctx)
                return
            is_closed = True
            stop_if_suppressed(ctx, march)
        elif march.ahead:
            is_closed = False
            has_sprung = enter(ctx)
            settle_march(ctx)
            if has_sprung:
                return
        else:
            end_march(ctx)


def cite_going_on(ctx: Ctx[State], before: Unit) -> None:
    """Shaken or damaged on its way, a unit may complete its path (arbitrato.stop_movimento)."""
    march, mover = ctx.state.march, ctx.state.units[before.id]
    if march is None or not march.ahead or not mover.hex or mover.morale == SUPPRESSED:
        return
    if (mover.morale, mover.damage) != (before.morale, before.damage):
        ctx.cite(
            "arbitrato.stop_movimento#prosegue",
            N_("{unit} is not suppressed: its movement goes on"),
            unit=mover.id,
        )


def settle_march(ctx: Ctx[State]) -> None:
    """A unit that is gone moves no more."""
    march = ctx.state.march
    if march is not None and not is_alive(ctx.state, march.unit):
        end_march(ctx)


def end_march(ctx: Ctx[State]) -> None:
    """The movement is over, and with it the action."""
    march = ctx.state.march
    assert march is not None
    mover = ctx.state.units[march.unit]
    ctx.do(
        MarchSet(unit=march.unit, march=None),
        "movimento.azione#avanza" if mover.hex else "movimento.azione#ferma",
        N_("{unit} ends its movement in {hex}")
        if mover.hex
        else N_("the movement of {unit} is over"),
        unit=march.unit,
        hex=mover.hex,
    )
    finish_action(ctx)


def enter(ctx: Ctx[State]) -> bool:
    """A unit enters the next hex: markers first, then overwatch (arbitrato.ordine_ingresso).

    True when a marker did something.
    """
    march = ctx.state.march
    assert march is not None
    name, to = march.unit, march.ahead[0]
    follower = still_there(ctx.state, march.followers[0] if march.followers else "")
    ctx.do(
        Marched(unit=name, hex=to),
        "stacking.attraversare#amici"
        if is_taken(ctx.state, ctx.state.units[name], to)
        else entry_ref(march),
    )
    if follower:
        ctx.do(PeopleMoved(marker=follower, hex=to), "popolazione.muovere#segue")
    has_sprung = False
    if any(m.hex == to for m in ctx.state.hidden.values()):
        mover = ctx.state.units[name]
        cite_own_markers(ctx, name, to)
        has_sprung = any(
            m.hex == to and is_triggered(ctx.state, m, mover) for m in ctx.state.hidden.values()
        )
        if spring(ctx, name) == BOUNCED:
            bounce(ctx, march, follower)
    if is_alive(ctx.state, name):
        save_civilians(ctx, name, follower)
    return has_sprung


def entry_ref(march: March) -> str:
    """By which rule a unit enters a hex: dropped, unloaded, for nothing, or on its way."""
    if not march.done:
        return "aviotrasporto.abilita#ingresso"
    if march.carrier:
        return "trasporto.scarico#entra"
    return "arbitrato.mossa_gratuita" if march.is_free else "movimento.azione#avanza"


def still_there(state: State, follower: str) -> str:
    """The population that follows, unless it was saved on the way."""
    return follower if follower and state.population[follower].hex else ""


def cite_own_markers(ctx: Ctx[State], name: str, hex: str) -> None:
    """An IED spares the units of its owner, and nothing bursts under a helicopter."""
    mover = ctx.state.units[name]
    for marker in ctx.state.hidden.values():
        if marker.hex == hex and not is_triggered(ctx.state, marker, mover):
            ctx.cite(
                (
                    "arbitrato.ied_proprietario#elicotteri"
                    if mover.is_helicopter
                    else "arbitrato.ied_proprietario#ied",
                    "ignoti.rivelare#esenti",
                ),
                N_("{marker} has no effect on {unit}"),
                marker=marker.id,
                unit=name,
            )


def bounce(ctx: Ctx[State], march: March, follower: str) -> None:
    """Back where it came from, paying again (ignoti.blocco, arbitrato.rimbalzo)."""
    name = march.unit
    ref = ("ignoti.blocco#rimbalza", "arbitrato.rimbalzo#ritorno")
    if not march.done:
        land_beside(ctx, name)
        return
    mover, origin = ctx.state.units[name], march.done[-1]
    if not march.is_free:
        ap, _ = price(field_of(ctx.state).terrain[origin], mover.kind)
        cost = ap + bool(follower)
        pay(ctx, mover.side, cost, ("ignoti.blocco#rimbalza", "arbitrato.rimbalzo#costo"))
    if march.carrier:
        ctx.do(
            Loaded(unit=name, carrier=march.carrier),
            ("arbitrato.rimbalzo_scarico", "ignoti.blocco#rimbalza"),
        )
    else:
        back = [hex for hex in reversed(march.done) if not is_taken(ctx.state, mover, hex)]
        to = back[0] if back else origin
        if to != origin:
            ref = ("ignoti.blocco#occupato", "arbitrato.rimbalzo#occupato")
        ctx.do(Moved(unit=name, hex=to), ref)
        if follower:
            ctx.do(PeopleMoved(marker=follower, hex=to), "popolazione.muovere#segue")
        spring(ctx, name)
    stopped = replace(march, ahead=(), followers=(), follower=follower, is_reacting=True)
    ctx.do(
        MarchSet(unit=name, march=stopped),
        ("ignoti.blocco#resta", "" if march.is_free else "arbitrato.rimbalzo#costo"),
        N_("the movement of {unit} stops at the roadblock"),
        unit=name,
    )


def land_beside(ctx: Ctx[State], name: str) -> None:
    """Dropped on a hidden roadblock there is no way back: the unit lands beside it."""
    state, one = ctx.state, ctx.state.units[name]
    ref = ("arbitrato.lancio_su_blocco#atterra", "ignoti.blocco#rimbalza")
    around = spots_around(state, one.hex)
    if all(next(why_not_land(state, one, c.value), None) is not None for c in around):
        eliminate(ctx, name, "arbitrato.lancio_su_blocco#eliminata")
        return
    hex = ctx.choose(
        "airborne.beside",
        one.side,
        around,
        ref,
        N_("A roadblock: where does {unit} land instead?"),
        why_not=lambda label: why_not_land(state, one, label),
        unit=name,
    )
    ctx.do(Moved(unit=name, hex=hex), ref)
    if spring(ctx, name) == BOUNCED:
        land_beside(ctx, name)


def why_not_land(state: State, one: Unit, hex: str) -> Iterator[Ruling]:
    """An empty hex that is not water (aviotrasporto.abilita)."""
    ref = "aviotrasporto.abilita#lancio"
    if field_of(state).terrain[hex] == WATER:
        yield rule(ref, N_("{hex} is water"), hex=hex)
    if hex in state.at:
        yield rule(ref, N_("{other} stands in {hex}"), other=state.at[hex], hex=hex)
    if hex in state.roadblocks or hex in state.rubble:
        yield rule(ref, N_("{hex} is blocked"), hex=hex)
    if is_regular(state, one.side) and has_crowd(state, hex):
        yield rule(
            (ref, "popolazione.attraversare#chi/Regolari/Folla ostile"),
            N_("a hostile crowd in {hex}: Regulars do not enter"),
            hex=hex,
        )
    if any(
        m.hex == hex and kind_of(m) == ROADBLOCK and not are_enemies(state, m.owner, one.side)
        for m in state.hidden.values()
    ):
        yield rule(ref, N_("a roadblock of ours hides in {hex}"), hex=hex)


def stop_if_suppressed(ctx: Ctx[State], march: March) -> None:
    """A suppressed unit goes no further (arbitrato.stop_movimento)."""
    mover = ctx.state.units[march.unit]
    if not mover.hex or mover.morale != SUPPRESSED:
        return
    if march.ahead:
        ctx.cite(
            "arbitrato.stop_movimento#ferma", N_("{unit} is suppressed: it stops"), unit=mover.id
        )
    step_back(ctx, march)
    end_march(ctx)


def step_back(ctx: Ctx[State], march: March) -> None:
    """A unit that must stop among friends goes back to the last empty hex of its path."""
    mover = ctx.state.units[march.unit]
    taken = [u.hex for u in ctx.state.units.values() if u.hex and u.id != mover.id]
    if mover.hex not in taken:
        return
    to = next(hex for hex in reversed(march.done) if hex not in taken)
    ctx.do(
        Moved(unit=mover.id, hex=to),
        ("arbitrato.stop_movimento#torna", "stacking.attraversare#torni"),
    )
    if still_there(ctx.state, march.follower):
        ctx.do(PeopleMoved(marker=march.follower, hex=to), "popolazione.muovere#segue")


def save_civilians(ctx: Ctx[State], name: str, follower: str) -> None:
    """Civilians led or carried by Regulars to the safe row are saved (scenari.s2)."""
    state = ctx.state
    scenario = scenario_of(state)
    if scenario.victory.kind != "hostages" or not is_regular(state, state.units[name].side):
        return
    if field_of(state).row(state.units[name].hex) != scenario.victory.row:
        return
    aboard = civilians_aboard(state, name)
    if aboard is not None:
        ctx.do(PeopleSaved(marker=aboard.id), scenario.says("saved"))
    if follower and state.population[follower].face == CIVILIANS:
        ctx.do(PeopleSaved(marker=follower), scenario.says("saved"))


def free_move(ctx: Ctx[State], name: str, ref: Locators) -> None:
    """One hex for nothing, if the player wants (arbitrato.mossa_gratuita)."""
    state, mover = ctx.state, ctx.state.units[name]
    offers = [*spots_around(state, mover.hex), button("resta", "", N_("stay"))]
    to = ctx.choose(
        "move.free",
        mover.side,
        offers,
        joined(ref, "arbitrato.mossa_gratuita"),
        N_("{unit} may move one hex for nothing"),
        why_not=lambda hex: why_not_free_move(state, mover, hex),
        unit=name,
    )
    if to:
        march = March(name, (mover.hex,), (to,), is_free=True)
        begin_march(ctx, march, "arbitrato.mossa_gratuita")


def why_not_free_move(state: State, mover: Unit, hex: str) -> Iterator[Ruling]:
    """An adjacent hex where the unit could end a movement."""
    if not hex:
        return
    if is_taken(state, mover, hex):
        yield rule(
            "stacking.limite#una", N_("{other} stands in {hex}"), other=state.at[hex], hex=hex
        )
    yield from why_not_enter(state, field_of(state), mover, mover.hex, hex)


def reach(state: State, mover: Unit) -> dict[str, int]:
    """Every hex where a movement can end, with its least cost; for screens."""
    return {hex: total(walk, mover.damage) for hex, walk in walks(state, mover).items()}


def walks(state: State, mover: Unit, *, follower: str = "") -> dict[str, Walk]:
    """Every hex where a movement can end, with the cheapest path to it; for who plans."""
    field, limit, full = field_of(state), available(state, mover.side), littered(state)
    table, damage = prices(field, mover.kind), mover.damage
    best: dict[tuple[str, str, int], int] = {}
    ends: dict[str, Walk] = {}
    start = Walk((mover.hex,), follower=follower, hooked=follower)
    queue: list[tuple[int, int, Walk]] = [(0, 0, start)]
    count = 0
    while queue:
        cost, _, walk = heappop(queue)
        here = walk.here
        if best.get((here, walk.group, walk.paid), cost) < cost:
            continue
        if len(walk.hexes) > 1 and not is_taken(state, mover, here):
            ends.setdefault(here, walk)
        for to in field.around[here]:
            ap, crosses, group, paid = stride(table, walk, to)
            ground = walk.terrain + ap + walk.escort + bool(follower)
            spent = charge(ground, walk.crossings + crosses, damage)
            mark = (to, group, paid)
            if spent > limit or spent >= best.get(mark, BOXES):
                continue
            is_plain = to not in full and not field.triangles
            if is_plain or can_enter(state, field, mover, here, to):
                best[mark] = spent
                count += 1
                heappush(queue, (spent, count, longer(field, mover, walk, to)))
    ends.pop(mover.hex, None)
    return ends
