"""Set-up: the order of battle, placement, possession, HIP and facing (1.3, 4.0, 6.3, 6.4).

Refs: 1.2.6, 1.3, 2.0.ob, 2.0.ssr, 3.3.2.motion, 4.0, 4.4.2, 6.3, 6.4, 7.7, dae2.21.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.aslsk.state.book import hexspines, rule
from engine.aslsk.state.events import (
    Emplaced,
    Enlisted,
    Marked,
    Placed,
    Possessed,
    Revealed,
    SetUpOnPavement,
)
from engine.aslsk.state.ground import BUILDINGS, Ground
from engine.aslsk.state.state import HIDDEN, MAP, POOL, Drive, Oba, State, Unit, Vehicle, Weapon
from engine.aslsk.state.tables import CREW, PEOPLE, WEAPONS, Scenario, kind_of, scenarios
from engine.aslsk.state.units import friends_at, has_room, load
from engine.aslsk.state.vehicle_events import Parked
from engine.core.ctx import Ctx
from engine.core.decisions import button, unit
from engine.core.pools import Pool
from engine.core.rules import Ruling, Side
from engine.core.text import N_


def enlist(card: Scenario, options: dict[str, str]) -> Enlisted:
    """Every counter of the order of battle (2.0.ob)."""
    units: list[Unit] = []
    weapons: list[Weapon] = []
    vehicles: list[Vehicle] = []
    count: dict[str, int] = {}
    for force in card.forces:
        entry = f"{force.turn} {force.edge}" if force.edge else ""
        zone = force.zone
        for name, number in force.types.items():
            kind = kind_of(force, name)
            if kind.endswith("-radio") and options.get("oba") != "si":
                continue
            for _ in range(number):
                count[kind] = count.get(kind, 0) + 1
                label = f"{kind}-{count[kind]}" if number > 1 or count[kind] > 1 else kind
                where = entry or f"zone {zone}"
                if kind in PEOPLE:
                    units.append(Unit(label, force.side, kind, entry=where))
                elif kind in WEAPONS:
                    weapons.append(Weapon(label, force.side, kind, entry=where))
                else:
                    spine = 4 if force.edge == "east" else 1  # entering, it looks into the map
                    vehicles.append(
                        Vehicle(
                            label,
                            force.side,
                            kind,
                            entry=where,
                            vca=spine,
                            tca=spine,
                            drive=Drive(motion=bool(entry)),
                        )
                    )
    return Enlisted(units=tuple(units), weapons=tuple(weapons), vehicles=tuple(vehicles))


def zone_hexes(field: Ground, zone: str) -> list[str]:
    """The hexes of a range of hexrows, as `F-M`."""
    first, _, last = zone.partition("-")
    low, high = _column(first), _column(last)
    return [h for h in field.labels if low <= field.column[h] <= high]


def _column(letters: str) -> int:
    return (len(letters) - 1) * 26 + ord(letters[0]) - ord("A")


def waiting(state: State, side: Side, entry: str) -> Iterator[Unit | Weapon | Vehicle]:
    """Counters of a side still to be placed or handed out, infantry first."""
    for group in (state.units, state.weapons, state.vehicles):
        for one in group.values():
            on_map = one.entry.startswith("zone ")
            if one.side == side and one.place == POOL and on_map == (entry == "zone"):
                yield one


def set_up(ctx: Ctx[State]) -> bool:
    """One counter is set up; False when the side has placed all (1.3)."""
    side = ctx.state.who
    one = next(waiting(ctx.state, side, "zone"), None)
    if one is None:
        return False
    if isinstance(one, Unit):
        _place_unit(ctx, one)
    elif isinstance(one, Weapon):
        _hand_out(ctx, one)
    else:
        _place_vehicle(ctx, one)
    return True


def _place_unit(ctx: Ctx[State], one: Unit) -> None:
    field = ctx.state.ground
    hexes = zone_hexes(field, one.entry[5:])
    hex = ctx.choose(
        "setup.hex",
        one.side,
        (field.offer[h] for h in hexes),
        ("1.3#schierano", "2.0.ob"),
        N_("where does {unit} set up?"),
        why_not=lambda h: why_not_set_up(ctx.state, one, h),
        unit=one.id,
    )
    secret = keeps_secret(ctx.state, one)
    ctx.do(Placed(unit=one.id, hex=hex, hidden_from=secret), "1.3#schierano")
    if secret:
        ctx.do(Marked(unit=one.id, marker=HIDDEN, hidden_from=secret), ("6.4#nascosti", "2.0.hip"))


def keeps_secret(state: State, one: Unit) -> tuple[Side, ...]:
    """Crews stay off the table until their Gun is known to be hidden or not (6.4)."""
    card = scenarios().get(state.scenario)
    hides = card is not None and any(
        w.data.is_gun and card.allows_hip(w.type)
        for w in state.weapons.values()
        if w.side == one.side
    )
    return (state.enemy(one.side),) if hides and one.data.kind == CREW else ()


def why_not_set_up(state: State, one: Unit, hex: str) -> Iterator[Ruling]:
    """Stacking holds from the start (2.0.stacking); a crew leaves room for its Gun."""
    if not has_room(state, hex, [one]):
        yield rule("2.0.stacking#massimo", N_("{hex} is full"), hex=hex)
    if one.data.kind == CREW and friends_at(state, hex, one.side):
        text = N_("a crew with a Gun counts as a squad: {hex} is taken")
        yield rule("2.0.squad_equiv", text, hex=hex)


def _hand_out(ctx: Ctx[State], one: Weapon) -> None:
    """Every weapon sets up possessed (4.0)."""
    state = ctx.state
    crews = [u for u in state.units.values() if u.side == one.side and u.place == MAP]
    if one.entry and not one.entry.startswith("zone "):
        crews = [u for u in state.units.values() if u.side == one.side and u.entry == one.entry]
    owner = ctx.choose(
        "setup.owner",
        one.side,
        [unit(u.id, u.id, hex=state.ground.hex.get(u.hex)) for u in crews],
        ("4.0#setup", "1.3#possedute"),
        N_("who possesses {weapon}?"),
        why_not=lambda name: why_not_possess(state, one, state.units[name]),
        weapon=one.id,
    )
    secret = keeps_secret(state, state.units[owner])
    ctx.do(Possessed(unit=owner, weapon=one.id, hidden_from=secret), "4.0#setup")
    if one.data.is_gun:
        _emplace(ctx, one, owner)


def why_not_possess(state: State, one: Weapon, owner: Unit) -> Iterator[Ruling]:
    """Guns go to crews, and only some into buildings (1.2.6); a SMC carries 2 PP (4.0.portage)."""
    field = state.ground
    has_gun = any(w.owner == owner.id and w.data.is_gun for w in state.weapons.values())
    if one.data.is_gun:
        if owner.data.kind != CREW:
            yield rule("1.2.6#crew", N_("a Gun is manned by a crew"))
        if has_gun:
            yield rule("1.2.6#crew", N_("{unit} mans a Gun already"), unit=owner.id)
        if owner.hex and field.terrain[owner.hex] in BUILDINGS:
            small = one.data.size == "small" or (
                one.data.kind in ("AT", "INF") and one.data.size != "large"
            )
            if not small:
                yield rule(
                    "1.2.6#edificio", N_("{weapon} is too large for a building"), weapon=one.id
                )
    else:
        if owner.data.kind == CREW:
            yield rule("2.0.gun", N_("{unit} is kept for a Gun"), unit=owner.id)
        if one.data.kind == "radio" and not owner.is_leader:
            yield rule("dae2.1#leader", N_("a radio is carried by a leader"))
        if owner.is_leader and one.data.kind != "radio" and one.data.pp + load(state, owner) > 2:
            yield rule("4.0.portage#mai-piu", N_("{unit} carries at most 2 PP"), unit=owner.id)


def _emplace(ctx: Ctx[State], one: Weapon, owner: str) -> None:
    """Facing, emplacement, and HIP where the scenario allows it (6.3, 6.4)."""
    state = ctx.state
    hex = state.units[owner].hex
    paved = state.ground.is_paved(hex)
    spine = ctx.choose(
        "facing.ca",
        one.side,
        hexspines(),
        "3.2.4.ca#punta",
        N_("where does {weapon} point?"),
        weapon=one.id,
    )
    ref = "6.3#interrato"
    placed = SetUpOnPavement if paved else Emplaced
    secret = keeps_secret(state, state.units[owner])
    ctx.do(placed(weapon=one.id, ca=spine, hidden_from=secret), ref)
    card = scenarios().get(state.scenario)
    if card is not None and card.allows_hip(one.type) and not paved:
        offers = [button("nascosto", True, N_("hidden")), button("visibile", False, N_("in sight"))]
        why = N_("does {weapon} start hidden?")
        if ctx.choose(
            "setup.hidden", one.side, offers, ("6.4#nascosti", "2.0.ssr"), why, weapon=one.id
        ):
            ctx.do(
                Marked(unit=one.id, marker=HIDDEN, hidden_from=secret), ("6.4#nascosti", "2.0.hip")
            )
            return
    if ctx.state.units[owner].hidden:
        ctx.do(
            Revealed(unit=owner, hex=hex), "6.4#nascosti", N_("{unit} is not hidden"), unit=owner
        )


def _place_vehicle(ctx: Ctx[State], one: Vehicle) -> None:
    field = ctx.state.ground
    hexes = zone_hexes(field, one.entry[5:])
    hex = ctx.choose(
        "setup.hex",
        one.side,
        [field.offer[h] for h in hexes],
        ("1.3#schierano", "2.0.ob"),
        N_("where does {unit} set up?"),
        why_not=lambda h: why_not_park(ctx.state, one, h),
        unit=one.id,
    )
    ctx.do(Placed(unit=one.id, hex=hex), "1.3#schierano")
    spine = ctx.choose(
        "facing.ca",
        one.side,
        hexspines(),
        "3.2.4.vca_tca#punta",
        N_("where does {weapon} point?"),
        weapon=one.id,
    )
    offers = [button("ce", True, N_("CE")), button("bu", False, N_("BU"))]
    ce = ctx.choose(
        "setup.hatch", one.side, offers, "7.7#cambio", N_("is {unit} CE or BU?"), unit=one.id
    )
    ctx.do(Parked(vehicle=one.id, spine=spine, ce=ce), ("7.7#cambio", "3.3.2.motion#setup"))


def why_not_park(state: State, one: Vehicle, hex: str) -> Iterator[Ruling]:
    """One vehicle per hex; armoured cars stay out of buildings (2.0.stacking, 1.1.1.buildings)."""
    if any(v.hex == hex and v.side == one.side for v in state.vehicles.values() if v.place == MAP):
        yield rule("2.0.stacking#veicolo", N_("{hex} holds a vehicle"), hex=hex)
    if one.data.is_ac and state.ground.terrain[hex] in BUILDINGS:
        yield rule("1.1.1.buildings#ac", N_("an armoured car stays out of buildings"))


def arm_arrivals(ctx: Ctx[State]) -> bool:
    """Weapons of entering units are handed out before they enter (4.0, 3.1.a)."""
    side = ctx.state.who
    one = next(
        (
            w
            for w in waiting(ctx.state, side, "edge")
            if isinstance(w, Weapon) and int(w.entry.partition(" ")[0]) <= ctx.state.turn
        ),
        None,
    )
    if one is None:
        return False
    _hand_out(ctx, one)
    return True


def start_state(state: State, card: Scenario, pf: dict[Side, int]) -> State:
    """Control at start, Panzerfaust and battery of the scenario (2.0.control, 4.4.2, dae2.21)."""
    control = {hex: side for side, hexes in card.control.items() for hex in hexes}
    oba = None
    if card.oba is not None and state.options.get("oba") == "si":
        radio = next(w.id for w in state.weapons.values() if w.data.kind == "radio")
        chits = ["black"] * card.oba.black + ["red"] * card.oba.red
        oba = Oba(card.oba.side, card.oba.calibre, Pool.of(N_("draw pile"), chits), radio)
    return msgspec.structs.replace(state, control=control, pf_left=pf, oba=oba)
