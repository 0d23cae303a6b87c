"""What can fire: inherent FP, support weapons, Guns, weapons of vehicles (3.2, 4.0.usage, 7.8).

Refs: 2.0.area_fire, 2.0.fp, 2.0.mg, 2.0.vehicle, 3.2, 3.2.2, 3.2.2.1, 3.2.4.procedure,
3.2.4.range_limits, 3.2.5, 3.3.3, 3.3.3.sff, 3.3.3.fpf, 3.3.3.repeat, 3.4, 3.5, 3.5.vehicles,
4.0.usage, 4.1, 4.2, 4.4, 4.4.2, 4.4.4, 6.8, 7.2, 7.7, 7.8, casa.19, casa.54.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import msgspec

from engine.aslsk.rules.sight import sees
from engine.aslsk.state.book import rule
from engine.aslsk.state.ground import BUILDINGS, WOODS
from engine.aslsk.state.state import (
    AFPH,
    DFPH,
    FINAL,
    FIRST,
    INTENSIVE,
    MAP,
    MPH,
    OWN_FP,
    PFPH,
    PREP,
    Mover,
    State,
    Unit,
    Vehicle,
    Weapon,
    stacks,
    units_at,
    weapons_of,
)
from engine.aslsk.state.tables import CREW, HS, SQUAD, to_hit_file
from engine.aslsk.state.units import enemy_holds, squad_fp
from engine.core.index import indexed
from engine.core.rules import Ruling, Side
from engine.core.text import N_

PREPARED, ADVANCING, BOUNDING_FIRST = (
    N_("Prep Fire"),
    N_("Advancing Fire"),
    N_("Bounding First Fire"),
)
DFF, SFF, FPF = N_("DFF"), N_("SFF"), N_("FPF")
FINAL_FIRE, SUSTAINED = N_("Final Fire"), N_("sustained Final Fire")
HALVED = (SFF, FPF, SUSTAINED)

OWN = "fp"
VEHICLE_PARTS = ("ma", "ife", "bmg", "cmg", "rmg", "aamg")
MAIN = ("ma", "ife")
"""The MA, and the MA on the IFT (6.8)."""
VEHICLE_RANGE = {"bmg": 8, "cmg": 12, "rmg": 8, "aamg": 8, "ife": 16}
MG_LIMIT = 16
IFE_RANGE = 16


class Element(msgspec.Struct, frozen=True, gc=False):
    """One thing that fires."""

    id: str
    hex: str
    side: Side
    unit: str = ""
    weapon: str = ""
    vehicle: str = ""
    part: str = OWN

    @property
    def is_own_fp(self) -> bool:
        """Inherent FP of a MMC."""
        return self.part == OWN

    @property
    def is_ife(self) -> bool:
        """A Gun or MA on the IFT (6.8)."""
        return self.part == "ife"

    @property
    def key(self) -> str:
        """What fires, whether with a To Hit DR or as IFE (3.3.3.repeat)."""
        return self.weapon or (f"{self.vehicle}:ma" if self.is_ife else self.id)


@indexed()
def _known(
    units: dict[str, Unit],
    weapons: dict[str, Weapon],
    vehicles: dict[str, Vehicle],
    pf_left: dict[Side, int],
) -> dict[Side, list[Element]]:
    """The elements of each side; reckoned when asked."""
    return {}


def elements(state: State, side: Side) -> list[Element]:
    """Everything a side could try to fire with, hexes in order."""
    known = _known(state.units, state.weapons, state.vehicles, state.pf_left)
    if side not in known:
        known[side] = _elements(state, side)
    return known[side]


def _elements(state: State, side: Side) -> list[Element]:
    found: list[Element] = []
    has_pf = state.pf_left.get(side, 0) > 0
    for hex, group in stacks(state).items():
        for u in group:
            if u.side != side:
                continue
            if squad_fp(u):
                found.append(Element(u.id, hex, side, unit=u.id))
            if has_pf and u.data.nation == "german":
                found.append(Element(f"{u.id}:pf", hex, side, unit=u.id, part="pf"))
            for w in weapons_of(state, u.id):
                kind = w.data.kind
                if kind in ("dc", "radio"):
                    continue
                found.append(Element(w.id, hex, side, unit=u.id, weapon=w.id, part=kind))
                if w.data.ife:
                    found.append(
                        Element(f"{w.id}:ife", hex, side, unit=u.id, weapon=w.id, part="ife")
                    )
    for v in state.vehicles.values():
        if v.side == side and v.is_live:
            found += vehicle_elements(v)
    return found


def vehicle_elements(v: Vehicle) -> list[Element]:
    """The weapons of a vehicle (7.8)."""
    data = v.data
    have = {
        "ma": True,
        "ife": data.ife,
        "bmg": data.bmg,
        "cmg": data.cmg,
        "rmg": data.rmg,
        "aamg": data.aamg,
    }
    return [
        Element(f"{v.id}:{part}", v.hex, v.side, vehicle=v.id, part=part)
        for part in VEHICLE_PARTS
        if have[part]
    ]


def find(state: State, side: Side, name: str) -> Element:
    """An element by its id."""
    head, _, part = name.partition(":")
    if head in state.vehicles:
        v = state.vehicles[head]
        return Element(name, v.hex, side, vehicle=head, part=part)
    if head in state.weapons:
        w = state.weapons[head]
        unit = state.units[w.owner]
        return Element(name, unit.hex, side, unit=unit.id, weapon=head, part=part or w.data.kind)
    return Element(name, state.units[head].hex, side, unit=head, part=part or OWN)


def is_ordnance(state: State, e: Element) -> bool:
    """Needs a To Hit DR (2.0.ordnance)."""
    if e.vehicle:
        return e.part == "ma"
    return bool(e.weapon) and e.part != "ife" and state.weapons[e.weapon].data.is_ordnance


def marker(state: State, e: Element) -> str:
    """The fire counter on an element."""
    if e.vehicle:
        return state.vehicles[e.vehicle].marks.fire if e.part in MAIN else ""
    if e.weapon:
        own = state.weapons[e.weapon].fire
        return own or (FINAL if state.units[e.unit].fire == FINAL else "")
    if e.part == "pf":
        return FINAL if state.units[e.unit].fire == FINAL else ""
    return state.units[e.unit].fire


def mode(state: State, e: Element) -> str:
    """How the element would fire now."""
    phase = state.phase
    if phase == PFPH:
        return PREPARED
    if phase == AFPH:
        return ADVANCING
    shown = marker(state, e)
    if phase == DFPH:
        return SUSTAINED if shown == FIRST else FINAL_FIRE
    if e.side == state.attacker:
        return BOUNDING_FIRST
    if shown == FINAL:
        return FPF
    return SFF if shown == FIRST else DFF


def reach(state: State, e: Element) -> int:
    """The farthest hex an element can fire at."""
    if e.vehicle:
        if e.part == "ma":
            return 999
        return 2 * VEHICLE_RANGE[e.part]
    if e.part == "ife":
        return 2 * IFE_RANGE
    if e.weapon:
        data = state.weapons[e.weapon].data
        if data.kind == "mg":
            return 2 * data.range
        if data.kind == "ft":
            return 2
        if data.kind == "atr" or data.is_ordnance:
            return data.range or 999
        return data.range
    if e.part == "pf":
        return pf_range(state)
    return 2 * state.units[e.unit].data.range


def pf_range(state: State) -> int:
    """1 hex before June 1944, then 2, 3 in 1945 (4.4.2)."""
    if state.date >= "1945":
        return 3
    return 2 if state.date >= "1944-06" else 1


def normal_range(state: State, e: Element) -> int:
    """Range at full FP."""
    if e.vehicle:
        return VEHICLE_RANGE.get(e.part, 999)
    if e.part == "ife":
        return IFE_RANGE
    if e.weapon:
        return state.weapons[e.weapon].data.range or 999
    return state.units[e.unit].data.range


def base_fp(state: State, e: Element) -> int:
    """Printed FP."""
    if e.vehicle:
        data = state.vehicles[e.vehicle].data
        return {
            "bmg": data.bmg,
            "cmg": data.cmg,
            "rmg": data.rmg,
            "aamg": data.aamg,
            "ife": data.ife,
        }.get(e.part, 0)
    if e.weapon:
        data_w = state.weapons[e.weapon].data
        return data_w.ife if e.part == "ife" else data_w.fp
    return squad_fp(state.units[e.unit])


# May it fire at all?


def why_not_fire(state: State, e: Element) -> Iterator[Ruling]:
    """Everything that keeps an element from firing in this phase, whatever the target."""
    return _why_not_vehicle(state, e) if e.vehicle else _why_not_infantry(state, e)


def _why_not_infantry(state: State, e: Element) -> Iterator[Ruling]:
    unit = state.units[e.unit]
    if unit.broken:
        yield rule("3.2.3.broken#non-spara", N_("{unit} is broken"), unit=unit.id)
    if unit.melee:
        yield rule("3.8.melee#solo-cc", N_("{unit} is in Melee"), unit=unit.id)
    if e.hex in state.ground.is_off:
        yield rule("casa.26", N_("{unit} is off the map"), unit=unit.id)
    if state.phase in (PFPH, AFPH):
        yield from _why_not_twice(state, e, unit)
    elif state.phase == DFPH and marker(state, e) == FINAL:
        yield rule("3.4#final-fire", N_("{unit} is marked Final Fire"), unit=e.id)
    if unit.used and (found := why_not_use(state, e)) is not None:
        yield found
    if e.part == "pf" and mode(state, e) == FPF:
        yield rule("4.4.2#mai-sff", N_("no PF in SFF or FPF"))
    if e.weapon:
        yield from _why_not_weapon(state, e, unit)


def _why_not_twice(state: State, e: Element, unit: Unit) -> Iterator[Ruling]:
    """Once in the PFPh or in the AFPh, save Intensive Fire of a Gun (3.2, 3.5)."""
    shown = marker(state, e)
    again = state.phase == PFPH and shown == PREP and _is_gun(state, e)
    if shown and not again:
        yield rule(
            (
                "3.2#una-volta" if state.phase == PFPH else "3.5#una-volta",
                _no_more_intensive(state) if is_ordnance(state, e) else "",
            ),
            N_("{unit} has fired: {marker}"),
            unit=e.id,
            marker=shown,
        )
    if state.phase == AFPH:
        if unit.fire == PREP or _prep_fired(state, unit):
            yield rule("3.5#dimezzato", N_("{unit} has made Prep Fire"), unit=unit.id)
        if unit.hazard:
            yield rule("6.5#dopo", N_("{unit} has pushed a Gun"), unit=unit.id)


def _no_more_intensive(state: State) -> str:
    if state.phase == AFPH:
        return "3.2.4.intensive_fire#vietato"
    return "3.2.4.intensive_fire#colpo-in-piu"


def _is_gun(state: State, e: Element) -> bool:
    """A Gun that has lost its ROF may still make Intensive Fire (3.2.4.intensive_fire)."""
    return bool(e.weapon) and e.part != "ife" and state.weapons[e.weapon].data.is_gun


def _prep_fired(state: State, unit: Unit) -> bool:
    return any(w.fire == PREP for w in weapons_of(state, unit.id))


def why_not_use(state: State, e: Element) -> Ruling | None:
    """One weapon and inherent FP, or two weapons; HS, crew and SMC one thing (4.0.usage)."""
    unit = state.units[e.unit]
    if not unit.used or mode(state, e) in (SFF, FPF):
        return None
    mine = e.weapon or (e.id if e.part == "pf" else OWN_FP)
    if mine in unit.used and e.part != "pf":
        if e.is_own_fp and not unit.fire and state.phase != MPH:
            return rule(
                "3.2#una-volta", N_("{unit} has used its FP this Player Turn"), unit=unit.id
            )
        return None
    weapons = sum(one != OWN_FP for one in unit.used)
    fp = OWN_FP in unit.used
    allowed = weapons + fp < 2 if unit.data.kind == SQUAD else not unit.used
    if allowed:
        return None
    return rule(usage(unit), N_("{unit} has used all it may this Player Turn"), unit=unit.id)


USAGE = MappingProxyType(
    {
        SQUAD: "4.0.usage#uso/squadra",
        HS: "4.0.usage#uso/HS o Crew",
        CREW: "4.0.usage#uso/HS o Crew",
    }
)


def usage(unit: Unit) -> str:
    """What the table says of the weapons that such a unit uses (4.0.usage)."""
    return USAGE.get(unit.data.kind, "4.0.usage#uso/SMC")


def _why_not_weapon(state: State, e: Element, unit: Unit) -> Iterator[Ruling]:
    weapon = state.weapons[e.weapon]
    data = weapon.data
    if weapon.broken:
        yield rule("1.2.4#guasta", N_("{weapon} is malfunctioned"), weapon=weapon.id)
    if weapon.fire == INTENSIVE:
        yield rule(
            "3.2.4.intensive_fire#non-piu", N_("{weapon} has made Intensive Fire"), weapon=weapon.id
        )
    if state.phase == AFPH:
        yield from _why_not_advancing(weapon)
    if data.kind == "ft":
        yield from _why_not_ft(state, weapon, unit)
    if data.kind in ("atr", "ft", "latw", "mtr") and mode(state, e) in HALVED:
        ref = "3.4#first-fire" if mode(state, e) == SUSTAINED else "3.3.3.sff#di-nuovo"
        yield rule(ref, N_("{weapon} has fired: only FP and MG fire again"), weapon=weapon.id)
    if data.is_mortar and state.ground.terrain[unit.hex] in BUILDINGS:
        yield rule("6.9#edificio", N_("a mortar does not fire from a building"))
    if data.is_gun and not unit.is_mmc:
        yield rule("3.2.4.procedure#possiede", N_("a SMC does not man a Gun"))
    if data.kind == "latw" and data.grade != "piat" and not _can_load(state, unit):
        yield rule("4.4.1#chi", N_("one SMC alone does not fire {weapon}"), weapon=weapon.id)


def _why_not_advancing(weapon: Weapon) -> Iterator[Ruling]:
    """What is heavy and has moved does not fire in the AFPh, and nothing fires twice (3.5)."""
    data = weapon.data
    if weapon.moved and (data.grade in ("mmg", "hmg") or data.is_mortar or data.is_gun):
        yield rule("3.5#mosso", N_("{weapon} has moved"), weapon=weapon.id)
    if weapon.shots:
        yield rule("3.5#una-volta", N_("{weapon} fires only once in the AFPh"), weapon=weapon.id)


def _why_not_ft(state: State, weapon: Weapon, unit: Unit) -> Iterator[Ruling]:
    """One FT for a unit, which is not pinned (4.2)."""
    others = [state.weapons[n] for n in unit.used if n != weapon.id and n in state.weapons]
    if any(one.data.kind == "ft" for one in others):
        yield rule("4.2#uno", N_("{unit} does not use two FT"), unit=unit.id)
    if unit.pinned:
        yield rule("4.2#pinned", N_("{unit} is pinned and cannot use a FT"), unit=unit.id)


def _can_load(state: State, unit: Unit) -> bool:
    """A MMC, or a SMC with another one beside him (4.4.1)."""
    return not unit.is_leader or any(
        u.is_leader and u.id != unit.id and u.side == unit.side and not u.broken
        for u in units_at(state, unit.hex)
    )


def _why_not_vehicle(state: State, e: Element) -> Iterator[Ruling]:
    v = state.vehicles[e.vehicle]
    if v.hex in state.ground.is_off:
        yield rule("casa.26", N_("{unit} is off the map"), unit=v.id)
    if v.crew.shock:
        yield rule("7.10.shock#niente", N_("{vehicle} is in Shock"), vehicle=v.id)
    if v.crew.stun:
        yield rule("7.10.stun#resto", N_("{vehicle} is Stunned"), vehicle=v.id)
    if e.part in MAIN:
        yield from _why_not_main(state, e, v)
    else:
        yield from _why_not_vehicle_mg(e, v)
    kept = v.marks.kept and e.part in MAIN
    if v.marks.fire_phase and v.marks.fire_phase != fire_phase(state, v) and not kept:
        yield rule("7.8#stessa-fase", N_("{vehicle} fires in one fire phase"), vehicle=v.id)
    if state.phase == PFPH and v.drive.motion:
        yield rule("3.2.5#motion", N_("{vehicle} is in Motion"), vehicle=v.id)
    if state.phase == AFPH and _has_bounded(v, kept):
        yield rule(_why_bounded(v), N_("{vehicle} has fired"), vehicle=v.id)
    if state.phase == MPH and v.side == state.attacker:
        yield from _why_not_again(state, e, v, kept)


def _has_bounded(v: Vehicle, kept: bool) -> bool:
    """Has fired in its MPh, more than a MA that has kept its ROF (3.5.vehicles)."""
    only_ma = kept and set(v.marks.fired) <= set(MAIN)
    return v.marks.fire_phase == MPH and not only_ma


def _why_bounded(v: Vehicle) -> str:
    only_ma = set(v.marks.fired) <= set(MAIN)
    return "3.5.vehicles#solo-ma" if only_ma else "3.5.vehicles#altra-arma"


def _why_not_vehicle_mg(e: Element, v: Vehicle) -> Iterator[Ruling]:
    """A MG of a vehicle that works, has not fired, and is not in the way of a hatch (7.8, 7.7)."""
    if e.part in v.arms.broken or e.part in v.arms.lost:
        yield rule("7.8#guasto", N_("{weapon} is malfunctioned"), weapon=e.id)
    if e.part in v.marks.fired:
        yield rule("7.8#un-attacco", N_("{weapon} fires once per Player Turn"), weapon=e.id)
    if e.part == "aamg" and not v.crew.ce:
        yield rule("7.7#ce", N_("an AAMG fires only CE"))
    if e.part == "cmg" and v.data.is_restricted and v.crew.ce:
        yield rule("7.8#niente-cmg", N_("{vehicle} does not fire its CMG while CE"), vehicle=v.id)


def _why_not_again(state: State, e: Element, v: Vehicle, kept: bool) -> Iterator[Ruling]:
    """Bounding First Fire goes on: the MA after one more MP, all from one hex (3.3.2.2, 7.8)."""
    if v.marks.fire_hex and v.marks.fire_hex != v.hex and not kept:
        yield rule("casa.42", N_("the other weapons fire from {hex}"), hex=v.marks.fire_hex)
    if e.part not in MAIN:
        return
    if v.marks.fire:
        yield rule("3.3.2.2#di-nuovo", N_("{unit} has fired"), unit=v.id)
    if kept and state.mover is not None and state.mover.act == "fire":
        yield rule("3.3.2.2#di-nuovo", N_("it fires again after another MP"))


def _why_not_main(state: State, e: Element, v: Vehicle) -> Iterator[Ruling]:
    """The MA as ordnance, then Intensive Fire; as IFE it fires again like a MG (6.8, casa.54)."""
    if v.arms.ma:
        yield rule("7.2#guasto", N_("the MA of {vehicle} does not work"), vehicle=v.id)
    if v.data.is_restricted and v.crew.ce:
        thick, cut = "7.2#torrette/quadrato spesso", "7.2#torrette/quadrato spesso senza angoli"
        ref = thick if v.data.turret == "RST" else cut
        yield rule(ref, N_("{vehicle} does not fire its MA while CE"), vehicle=v.id)
    if v.marks.fire == INTENSIVE:
        text = N_("{weapon} has made Intensive Fire")
        yield rule("3.2.4.intensive_fire#non-piu", text, weapon=e.id)
    if e.part == "ma" and v.marks.fire == FINAL:
        yield rule("3.4#final-fire", N_("{unit} is marked Final Fire"), unit=e.id)
    spent = not v.marks.kept and not set(v.marks.fired).isdisjoint(MAIN)
    if e.is_ife and spent and mode(state, e) not in HALVED:
        yield rule(("7.8#un-attacco", "6.8#di-nuovo"), N_("{weapon} has fired"), weapon=e.id)


def fire_phase(state: State, v: Vehicle) -> str:
    """The fire phase that counts for a vehicle: enemy MPh and DFPh are one (7.8)."""
    if v.side == state.attacker:
        return state.phase
    return DFPH


def why_not_out(state: State, e: Element, target: str) -> Ruling | None:
    """No fire out of a hex that holds an enemy (3.2.2.1)."""
    if e.hex != target and enemy_holds(state, e.hex, e.side):
        return rule("3.2.2.1#fuori", N_("an enemy is in {hex}: no fire out of it"), hex=e.hex)
    return None


def why_not_at(state: State, e: Element, target: str) -> Iterator[Ruling]:
    """Everything that keeps an element from firing at a hex, save LOS (3.2.1.declare)."""
    away = state.ground.away[e.hex][target]
    if away and (found := why_not_out(state, e, target)) is not None:
        yield found
    limit = reach(state, e)
    if away > limit:
        yield rule(
            why_so_far(state, e),
            N_("{hex} is at {range}, {unit} reaches {limit}"),
            hex=target,
            range=away,
            unit=e.id,
            limit=limit,
        )
    if e.weapon and (least := state.weapons[e.weapon].data.least) > away:
        yield rule(
            "3.2.4.range_limits#numeri",
            N_("{unit} fires from {limit} hexes on"),
            unit=e.id,
            limit=least,
        )
    phase = state.phase
    if phase in (MPH, DFPH):
        how = mode(state, e)
        if how in HALVED:
            yield from _why_not_far_again(state, e, how, target, away)
        mover = state.mover if phase == MPH and e.side != state.attacker else None
        if mover is not None and (found := _why_not_repeat(mover, e)) is not None:
            yield found
    if e.vehicle:
        yield from _why_not_hull(state, e, target, away)
        if (found := why_not_bounding(state, e, target)) is not None:
            yield found


def why_so_far(state: State, e: Element) -> str:
    """What limits the range of an element (3.2.2, 3.2.4.range_limits, 4.2, 4.4, 4.4.2, 4.4.4)."""
    if e.part == "pf":
        return "4.4.2#periodi//Gittata"
    if is_ordnance(state, e):
        return "4.4#latw" if e.part == "latw" else "3.2.4.range_limits#numeri"
    return {"ft": "4.2#fp", "atr": "4.4.4#gittata"}.get(e.part, "3.2.2#area-fire")


def _why_not_far_again(
    state: State, e: Element, how: str, target: str, away: int
) -> Iterator[Ruling]:
    """Who fires again fires near: SFF, FPF, sustained Final Fire (3.3.3.sff, 3.3.3.fpf, 3.4)."""
    if how == SFF and not is_ordnance(state, e):
        yield from _why_not_sff(state, e, target, away)
    if how == FPF and away > 1:
        yield rule(("3.3.3.fpf#adiacente", "casa.20"), N_("FPF is only against adjacent movers"))
    if how == SUSTAINED and away > 1 and not is_ordnance(state, e):
        yield rule("3.4#first-fire", N_("marked First Fire: only its own or an adjacent hex"))


def _why_not_hull(state: State, e: Element, target: str, away: int) -> Iterator[Ruling]:
    """A hull that cannot turn fires its bow weapons only into its VCA (7.6, 2.0.immobilized)."""
    v = state.vehicles[e.vehicle]
    bow = e.part == "bmg" or (e.part in ("ma", "ife", "cmg") and not v.data.is_turreted)
    if not bow or not (v.is_stuck):
        return
    if away:
        if state.ground.turns(v.hex, v.vca, target):
            yield rule("2.0.immobilized", N_("{unit} cannot turn its hull"), unit=v.id)
        return
    mover = state.mover
    came = mover is not None and mover.act == "enter" and e.side != state.attacker
    if mover is None or not came or state.ground.turns(v.hex, v.vca, mover.came_from):
        text = N_("the bow weapons of {unit} do not reach its own hex")
        yield rule("7.6#scafo", text, unit=v.id)


def _why_not_sff(state: State, e: Element, target: str, away: int) -> Iterator[Ruling]:
    """Within normal range and not beyond the nearest enemy in LOS (3.3.3.sff, casa.19)."""
    if away > normal_range(state, e):
        yield rule("3.3.3.sff#gittata", N_("SFF is only within normal range"))
    near = state.ground.away[e.hex]
    if any(near[h] < away and sees(state, e.hex, h) for h in target_hexes(state, e.side)):
        yield rule(("3.3.3.sff#vicina", "casa.19"), N_("an enemy in LOS is nearer"))


def _why_not_repeat(mover: Mover, e: Element) -> Ruling | None:
    """As many attacks on a mover as MF of its last expenditure (3.3.3.repeat, casa.21)."""
    done = mover.shots.get(e.key, 0) if mover.shots else 0
    if not done or done < (limit := max(1, mover.latest // 2)):
        return None
    return rule(
        ("3.3.3.repeat#quante", "casa.21"),
        N_("{unit} has attacked {n} times, the mover spent {limit} there"),
        unit=e.id,
        n=done,
        limit=limit,
    )


def is_bounding(state: State, e: Element) -> bool:
    """A vehicle that fires in its MPh, or in the AFPh after entering a hex (7.8, 3.5.vehicles)."""
    how = mode(state, e)
    return how == BOUNDING_FIRST or (how == ADVANCING and state.vehicles[e.vehicle].marks.moving)


def why_not_bounding(state: State, e: Element, target: str) -> Ruling | None:
    """Bounding Fire stays inside the arc of the weapon (7.8)."""
    if e.part == "aamg" or e.hex == target or not is_bounding(state, e):
        return None
    v = state.vehicles[e.vehicle]
    if not state.ground.turns(v.hex, arc_of(v, e.part), target):
        return None
    return rule(("7.8#meta", "3.3.2.2#caso-8"), N_("Bounding Fire stays inside the arc"))


def arc_of(v: Vehicle, part: str) -> int:
    """The hexspine that a weapon of a vehicle points to (3.2.4.vca_tca)."""
    if part == "bmg" or not v.data.is_turreted:
        return v.vca
    if part == "rmg":
        return (v.tca + 3) % 6
    return v.tca


def turret_column(v: Vehicle, part: str) -> str:
    """The column of Case 8: NT for bow weapons, else the turret (3.2.4.ca)."""
    return "NT" if part == "bmg" else v.data.turret


def mount(v: Vehicle, part: str) -> str:
    """Where a weapon sits: what turns with it (7.8)."""
    return "hull" if part == "bmg" or not v.data.is_turreted else "turret"


def turns_owed(state: State, v: Vehicle, part: str, target: str) -> int:
    """The hexspines that a weapon pays for: its own turn, or that of its mount before it (7.8)."""
    if v.hex == target or part == "aamg":
        return 0
    turns = state.ground.turns(v.hex, arc_of(v, part), target)
    if turns or part in v.marks.swung:
        return turns
    return v.marks.hull_swing if mount(v, part) == "hull" else v.marks.swing


def ca_factor(state: State, hex: str) -> int:
    """Case 8 doubles in woods and buildings, as an option (3.2.4.procedure)."""
    terrain = state.ground.terrain[hex]
    double = state.options.get("case8_doppio", "si") == "si"
    return 2 if double and (terrain == WOODS or terrain in BUILDINGS) else 1


def ca_drm(kind: str, turns: int) -> int:
    """Case 8: the first hexspine and each further one (3.2.4.ca)."""
    if not turns:
        return 0
    first, more = to_hit_file().ca[kind]
    return first + more * (turns - 1)


def target_hexes(state: State, side: Side) -> list[str]:
    """Hexes with enemies that a side knows of (wrecks are no enemies)."""
    known = _targets(state)
    if side not in known:
        known[side] = _target_hexes(state, side)
    return known[side]


@indexed(keep=2)
def _targets(state: State) -> dict[Side, list[str]]:
    """The hexes of each side; found when asked."""
    return {}


def _target_hexes(state: State, side: Side) -> list[str]:
    off = state.ground.is_off
    found = []
    for hex, group in stacks(state).items():
        for u in group:
            if u.side != side and not u.hidden:
                if hex not in off:
                    found.append(hex)
                break
    for v in state.vehicles.values():
        known = v.side != side and v.place == MAP and not v.wreck
        if known and v.hex not in found and v.hex not in off:
            found.append(v.hex)
    return found
