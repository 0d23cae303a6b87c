"""What counters are worth: experience, stacking, movement, portage, leaders (1.2, 2.0, 5.4).

Refs: 1.2.1, 1.2.2, 1.2.3, 2.0.good_order, 2.0.inexperienced, 2.0.stacking, 2.0.squad_equiv,
3.3.1.stacking, 3.3.1.mf_table, 4.0.portage, 5.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.aslsk.state.book import rule
from engine.aslsk.state.state import (
    MAP,
    State,
    Unit,
    Vehicle,
    Weapon,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.state.tables import CREW, HS, SMC, SQUAD
from engine.core.index import indexed
from engine.core.rules import Ruling, Side
from engine.core.text import N_

SQUADS_IN_A_HEX = 3
LEADERS_IN_A_HEX = 4
NOWHERE: frozenset[str] = frozenset()


def known(unit: Unit, side: Side) -> bool:
    """Whether a side may know where a unit is (6.4)."""
    return not unit.hidden or unit.side == side


def friends_at(state: State, hex: str, side: Side) -> list[Unit]:
    """The infantry of a side in a hex."""
    return [u for u in units_at(state, hex) if u.side == side]


def foes_at(state: State, hex: str, side: Side) -> list[Unit]:
    """The infantry in a hex that a side knows to be hostile."""
    return [u for u in units_at(state, hex) if u.side != side and not u.hidden]


def tanks_at(state: State, hex: str, side: Side) -> list[Vehicle]:
    """The live vehicles of a side in a hex."""
    return [v for v in vehicles_at(state, hex) if v.side == side and not v.wreck]


@indexed(keep=4)
def _held(units: dict[str, Unit], vehicles: dict[str, Vehicle]) -> dict[Side, set[str]]:
    """The hexes where known units of each side are, vehicles included."""
    found: dict[Side, set[str]] = {}
    for u in units.values():
        if u.place == MAP and not u.hidden:
            found.setdefault(u.side, set()).add(u.hex)
    for v in vehicles.values():
        if v.place == MAP and not v.wreck:
            found.setdefault(v.side, set()).add(v.hex)
    return found


@indexed()
def _enemies(state: State) -> dict[Side, frozenset[str] | set[str]]:
    """The hexes where each side knows enemies, vehicles included."""
    held = _held(state.units, state.vehicles)
    return {side: held.get(state.enemy(side), NOWHERE) for side in (*state.sides, *held)}


def enemy_holds(state: State, hex: str, side: Side) -> bool:
    """Whether known enemies of a side are in a hex, vehicles included."""
    return hex in _enemies(state).get(side, NOWHERE)


def enemy_hexes(state: State, side: Side) -> frozenset[str] | set[str]:
    """The hexes where a side knows enemies, vehicles included."""
    return _enemies(state).get(side, NOWHERE)


def has_good_leader(state: State, unit: Unit) -> bool:
    """Whether a Good Order leader is stacked with the unit (5.4)."""
    return any(
        u.is_leader and u.good_order and u.side == unit.side and u.id != unit.id
        for u in units_at(state, unit.hex)
    )


def is_inexperienced(state: State, unit: Unit) -> bool:
    """Conscripts, and Green MMC without a Good Order leader (2.0.inexperienced, 5.4)."""
    grade = unit.data.grade
    return unit.is_mmc and (grade == "C" or (grade == "G" and not has_good_leader(state, unit)))


def gun_of(state: State, unit: Unit) -> Weapon | None:
    """The Gun that a unit mans."""
    return next((w for w in weapons_of(state, unit.id) if w.data.is_gun), None)


def half_squads(state: State, unit: Unit) -> int:
    """Stacking in halves of a squad; whoever mans a Gun counts as a squad (2.0.squad_equiv)."""
    if unit.is_leader:
        return 0
    if unit.data.kind == SQUAD or gun_of(state, unit) is not None:
        return 2
    return 1


def why_not_stack(state: State, hex: str, comers: Iterable[Unit]) -> Iterator[Ruling]:
    """Stacking limits at every moment (2.0.stacking, 3.3.1.stacking)."""
    comers = list(comers)
    names = {u.id for u in comers}
    side = comers[0].side
    group = [u for u in friends_at(state, hex, side) if u.id not in names] + comers
    squads = leaders = 0
    for u in group:
        if u.is_leader:
            leaders += 1
        else:
            squads += half_squads(state, u)
    if squads > 2 * SQUADS_IN_A_HEX:
        yield rule(
            "3.3.1.stacking#massimo",
            N_("{hex} would hold {n} half squads, at most {limit}"),
            hex=hex,
            n=squads,
            limit=2 * SQUADS_IN_A_HEX,
        )
    if leaders > LEADERS_IN_A_HEX:
        yield rule(
            "2.0.stacking#smc",
            N_("{hex} would hold {n} SMC, at most {limit}"),
            hex=hex,
            n=leaders,
            limit=LEADERS_IN_A_HEX,
        )


def has_room(state: State, hex: str, comers: list[Unit]) -> bool:
    """Whether stacking lets units in."""
    return next(why_not_stack(state, hex, comers), None) is None


# Movement factors, in halves (3.3.1.mf_table)


def basic_mf(state: State, unit: Unit) -> int:
    """SMC 6 (3 wounded), MMC 4 (3 inexperienced)."""
    if unit.is_leader:
        return 6 if unit.wounded else 12
    return 6 if is_inexperienced(state, unit) else 8


def ipc(unit: Unit) -> int:
    """What a unit carries without slowing down (2.0.ipc, 4.0.portage)."""
    if unit.is_leader:
        return 0 if unit.wounded else 1 - unit.cx
    return 3 - unit.cx


def load(state: State, unit: Unit) -> int:
    """The PP of the SW that a unit carries; a Gun is not carried (2.0.pp)."""
    return sum(w.data.pp for w in weapons_of(state, unit.id) if not w.data.is_gun)


def why_not_carry(state: State, unit: Unit) -> Ruling | None:
    """A SMC never carries more than 2 PP (4.0.portage)."""
    if unit.is_leader and load(state, unit) > 2:
        return rule("4.0.portage#mai-piu", N_("{unit} carries more than 2 PP"), unit=unit.id)
    return None


def capacity(unit: Unit, helper: Unit | None, double: bool) -> int:
    """The PP that cost a unit no MF, with the SMC who helps it (2.0.ipc, 4.0.portage)."""
    found = 0
    for one in (unit, helper):
        if one is not None and (one is unit or (one.good_order and unit.good_order)):
            found += max(ipc(one) - (double and not one.cx), 0)
    return found


def excess(state: State, unit: Unit, helper: Unit | None, double: bool) -> int:
    """PP beyond the IPC of a unit and of the SMC who helps it (4.0.portage)."""
    return max(load(state, unit) - capacity(unit, helper, double), 0)


def allowance(
    state: State, unit: Unit, leader: Unit | None, double: bool, helped: bool = True
) -> int:
    """The MF of a unit, in halves: leader bonus, Double Time, load (3.3.1.mf_table)."""
    mf = basic_mf(state, unit)
    if double:
        mf += 4
    if unit.is_leader:
        leader = None
    if leader is not None:
        mf += 4
    heavy = excess(state, unit, leader if helped else None, double)
    return max(mf - 2 * heavy, 0)


# Leaders


def leaders_at(state: State, hex: str, side: Side) -> list[Unit]:
    """Unbroken, unpinned leaders who may use their DRM in a hex (1.2.1)."""
    return [
        u
        for u in units_at(state, hex)
        if u.side == side and u.is_leader and not u.broken and not u.pinned
    ]


def best_helper(state: State, one: Unit) -> Unit | None:
    """The Good Order leader whose DRM helps most; nobody has to use one that harms (1.2.1)."""
    able = [u for u in leaders_at(state, one.hex, one.side) if u.good_order and u.leadership < 0]
    return min(able, key=lambda u: (u.leadership, u.id), default=None)


def casualty_points(unit: Unit) -> int:
    """What a unit is worth when lost."""
    kind = unit.data.kind
    if kind == SMC:
        return 1 + max(-unit.data.leadership, 0)
    return 2 if kind == SQUAD else 1


def squad_fp(unit: Unit) -> int:
    """Inherent FP; a SMC has none (1.2.2)."""
    return unit.data.fp


def is_half(unit: Unit) -> bool:
    """A HS or crew."""
    return unit.data.kind in (HS, CREW)
