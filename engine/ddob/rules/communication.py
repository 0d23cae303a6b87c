"""Control and communication (12): 12.1, 12.11, 12.2, 12.21, 12.22, 12.23, 12.24, 12.3, 12.31.

Who controls which hex is kept in `state.index`, because every chapter asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache, lru_cache

from engine.core.ctx import Ctx
from engine.core.index import indexed
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.choosing import folded
from engine.ddob.state.book import WEST, rule
from engine.ddob.state.events import Linked
from engine.ddob.state.ground import (
    BASE,
    COVER_AT,
    EXIT_AT,
    LAND,
    NEIGHBOURS,
    SEASIDE,
    SECTOR,
    SIDE,
)
from engine.ddob.state.state import German, State, Unit, field_of_fire, index, index_of
from engine.ddob.state.tables import POSITION_AT, POSITIONS, SETUPS, UNITS, Position

NO_PASSAGE = frozenset(h for h in LAND if BASE[h] in ("rough", "beach") or h in SEASIDE)
"""Where German communication never passes (12.2)."""
WESTERN = frozenset(h for h in LAND if SECTOR[h] == WEST)
HALF_MAP = NO_PASSAGE | WESTERN
"""The same in Easy Fox, which has no west (ef.area, casa.54)."""
BEACHES = frozenset(h for h in LAND if BASE[h] == "beach")
STEEP = ("bluff", "scaleable cliff", "sheer cliff")
GENTLE: dict[str, tuple[str, ...]] = {
    here: tuple(
        there
        for there in NEIGHBOURS[here]
        if BASE[there] != "rough" and not any(s in STEEP for s in SIDE.get((here, there), ()))
    )
    for here in LAND
}
"""The neighbours to which a US path may lead (12.3)."""


def is_in_play(state: State, label: str) -> bool:
    """Whether a hex belongs to the scenario (ef.area)."""
    return SECTOR[label] in SETUPS[state.scenario].sectors


def control(state: State, label: str) -> Iterator[Ruling]:
    """Who occupies or controls a hex, with the rule (12.1, 12.11)."""
    for unit in index(state).by_hex.get(label, ()):
        if UNITS[unit.id].type != "general":
            data = UNITS[unit.id]
            yield rule(
                "12.1#controllo/HQ, posto di comando, Base del Genio"
                if data.is_leader
                else "12.1#controllo/corazzati (carri, artiglieria e AA semoventi) con qualsiasi PF"
                if data.is_armored
                else "12.1#controllo/artiglieria, anticarro, antiaerea non corazzate"
                if not data.is_infantry
                else "12.1#controllo/fanteria con 1 PF"
                if unit.steps == 1
                else "12.1#controllo/fanteria (anche Ranger) con 2 o 3 PF",
                N_("{unit} occupies {hex}."),
                unit=unit.id,
                hex=label,
            )
    if label in index(state).controlled and label not in index(state).occupied:
        yield rule(
            ("12.1#nero", "12.11"), N_("{hex} is controlled from an adjacent hex."), hex=label
        )


def german_reach(state: State) -> frozenset[str]:
    """The hexes from which a free path leads to an exit (12.2, 12.21)."""
    return _german_reach(state.units, state.germans, state.scenario)


@indexed()
def _german_reach(
    units: dict[str, Unit], germans: dict[str, German], scenario: str
) -> frozenset[str]:
    us = index_of(units)
    barred = HALF_MAP if len(SETUPS[scenario].sectors) == 1 else NO_PASSAGE
    cut = us.occupied.union(us.controlled.difference(germans)) - barred
    return reach_around(cut, barred)


@lru_cache(maxsize=64)
def reach_around(cut: frozenset[str], barred: frozenset[str]) -> frozenset[str]:
    """The hexes from which a path leads to an exit around those that US units cut (12.21).

    While they are on the beach they cut none.
    """
    return _spread(EXIT_AT.keys(), NEIGHBOURS, barred | cut)


def is_linked(state: State, label: str) -> bool:
    """Whether the unit or the empty position in a hex has German communication (12.2)."""
    return _has_link(state, label, german_reach(state))


def _has_link(state: State, label: str, reach: frozenset[str]) -> bool:
    german = state.germans.get(label)
    if german is None and label in index(state).occupied:
        return False
    if label in reach or label in EXIT_AT:
        return True
    if not reach.isdisjoint(NEIGHBOURS[label]):
        return True
    if german is None or german.is_wn or german.is_armor:
        return False
    return any(_leads_out(state, n, reach) for n in NEIGHBOURS[label])


def _leads_out(state: State, label: str, reach: frozenset[str]) -> bool:
    """A bocage hex that is only controlled may be the first of the path (12.23)."""
    if COVER_AT.get(label) != "bocage" or label in index(state).occupied:
        return False
    return label in EXIT_AT or not reach.isdisjoint(NEIGHBOURS[label])


def link_ruling(state: State, label: str) -> Ruling:
    """Why a hex has or has not German communication."""
    if not is_linked(state, label):
        if label in index(state).occupied:
            return rule(
                "12.22#occupato", N_("{hex} is occupied: no German communication."), hex=label
            )
        return rule("12.2#percorso", N_("{hex} has no path to an exit."), hex=label)
    german = state.germans.get(label)
    if german is None:
        return rule("12.22#vuota", N_("{hex}: the empty position is in communication."), hex=label)
    reach = german_reach(state)
    if label in reach or any(n in reach for n in NEIGHBOURS[label]) or label in EXIT_AT:
        return rule(("12.2#percorso", "12.21"), N_("{hex} is in German communication."), hex=label)
    return rule("12.23#bocage", N_("{hex} communicates through the bocage."), hex=label)


def linked_now(state: State) -> tuple[str, ...]:
    """Every position hex in communication at this moment."""
    reach = german_reach(state)
    return tuple([h for h in position_hexes(state.scenario) if _has_link(state, h, reach)])


@cache
def position_hexes(scenario: str) -> tuple[str, ...]:
    """The hexes of the positions in play (ef.area)."""
    sectors = SETUPS[scenario].sectors
    return tuple(h for p in POSITIONS.values() for h in p.hexes if SECTOR[h] in sectors)


def fix_communication(ctx: Ctx[State]) -> None:
    """Communication is fixed for the whole fire phase (12.24)."""
    found = linked_now(ctx.state)
    cut = [h for h in position_hexes(ctx.state.scenario) if h not in found]
    for ruling in folded([link_ruling(ctx.state, h) for h in cut], "hex"):
        ctx.cite(ruling)
    ctx.do(Linked(n=len(found), hexes=found), "12.24")


def is_fixed(state: State, position: Position) -> bool:
    """Whether a position was in communication when the fire phase began."""
    return any(h in state.linked for h in position.hexes)


# The fields of fire that cut US communication


def dotted(state: State) -> frozenset[str]:
    """Every hex in the field of fire of a German unit, disrupted or not (12.31)."""
    return _dotted(state.germans)


@indexed(keep=4)
def _dotted(germans: dict[str, German]) -> frozenset[str]:
    return frozenset().union(*[field_of_fire(german) for german in germans.values()])


def us_reach(state: State) -> frozenset[str]:
    """The hexes from which a US path leads to a beach (12.3, 12.31)."""
    return _us_reach(state.germans, state.scenario)


@indexed(keep=4)
def _us_reach(germans: dict[str, German], scenario: str) -> frozenset[str]:
    west = WESTERN if len(SETUPS[scenario].sectors) == 1 else frozenset()
    barred = _dotted(germans).union(germans, west)
    return _spread(BEACHES, GENTLE, barred)


def _spread(start: Set[str], near: Mapping[str, Iterable[str]], barred: Set[str]) -> frozenset[str]:
    """The hexes that a path from a starting hex reaches, without entering a barred one."""
    reached = set(start - barred)
    found = set(reached)
    while reached:
        around: set[str] = set().union(*[near[h] for h in reached])
        reached = around - found - barred
        found |= reached
    return frozenset(found)


def us_path_ruling(label: str, has_path: bool) -> Ruling:
    """Whether a hex has US communication, as a ruling."""
    if has_path:
        return rule("12.3#percorso", N_("{hex} has a path to the beach."), hex=label)
    return rule(
        ("12.3#percorso", "12.31#interrompe"), N_("{hex} has no path to the beach."), hex=label
    )


def sector_of_position(label: str) -> str:
    """The sector whose card a German hex obeys (6.22)."""
    position = POSITION_AT.get(label)
    return position.sector if position is not None else SECTOR[label]
