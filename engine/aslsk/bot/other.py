"""The other questions: set-up, rally, close combat, facing, artillery (1.3, 3.1, 3.8, DaE2)."""

from __future__ import annotations

from engine.aslsk.bot.answers import Ask, always, best_of, fact, first, ids_of, units_in
from engine.aslsk.bot.moves import _company, pull, stand, whim
from engine.aslsk.bot.odds import at_most, duel
from engine.aslsk.bot.sight import BLIND, glances
from engine.aslsk.bot.table import Table, is_cover, tank_worth
from engine.aslsk.bot.vehicles import facing, gates, post
from engine.aslsk.rules.morale import level
from engine.aslsk.rules.oba import enemy_near, eye
from engine.aslsk.rules.rally import rallying_leader
from engine.aslsk.rules.terrain import is_shelter
from engine.aslsk.state.ground import BUILDINGS, OPEN
from engine.aslsk.state.state import Unit, units_at, weapons_of
from engine.aslsk.state.tables import CREW, SQUAD, other
from engine.core.decisions import Decision
from engine.core.text import N_, msg
from engine.kit.player import Answer

VIEW_RANGE = 8


# --- set-up -----------------------------------------------------------------------------------


def outlook(t: Table, hex: str) -> float:
    """How much of the way of the enemy is seen from a hex."""
    key = ("outlook", hex)
    kept = t.enemy_memo.get(key)
    if kept is not None:
        return kept
    seen = glances(t.field)
    side = 1 if gates_are_west(t) else -1
    columns, away = t.field.column, t.field.away[hex]
    column = columns[hex]
    found = 0.0
    for label in t.field.labels:
        ahead = (column - columns[label]) * side
        if ahead > 0 and away[label] <= VIEW_RANGE:
            found += seen.between(hex, label) < BLIND
    t.enemy_memo[key] = found
    return found


def gates_are_west(t: Table) -> bool:
    """Whether the enemy comes from the west."""
    place = gates(t)
    column = t.field.column[place[0]] if place else 0
    return column < t.field.board.grid.columns // 2


def where_to_set_up(t: Table, decision: Decision) -> Answer:
    """In cover, on the goals or in sight of the way there."""
    name = fact(decision, "unit")
    if name in t.state.vehicles:
        chosen = best_of(decision, lambda one: _park(t, name, one[2:]))
    else:
        u = t.state.units[name]
        chosen = best_of(decision, lambda one: post_of(t, u, one[2:]))
    return chosen, msg(N_("{unit} covers the approaches"), unit=name)


def post_of(t: Table, u: Unit, hex: str) -> float:
    """What a hex is worth to a unit at the start."""
    found = stand(t, u, hex) if t.foes else 0.0
    mates = [one for one in units_at(t.state, hex) if one.side == t.seat]
    if not t.foes:
        found = whim(t, u, hex) + 0.8 * t.shelter(hex)
        found += _company(t, u, mates) if u.is_leader else 0.6 * pull(t, u, hex)
        found -= 1.5 * sum(one.is_mmc for one in mates) if u.is_mmc else 0.0
    if t.attacks:
        return found
    found += 0.06 * outlook(t, hex)
    if u.data.kind == CREW:
        found += 0.06 * outlook(t, hex)
        if t.field.kind(hex) == OPEN or t.field.is_paved(hex):
            found -= 4.0
        if t.field.terrain[hex] in BUILDINGS:
            found -= 3.0
    return found


def _park(t: Table, name: str, hex: str) -> float:
    v = t.state.vehicles[name]
    rough = 5.0 if is_cover(t.field, hex) else 0.0
    return post(t, v, hex) + 0.05 * outlook(t, hex) - rough


def who_possesses(t: Table, decision: Decision) -> Answer:
    """Machine guns go where they see far, one to each squad, near a leader."""
    weapon = t.state.weapons[fact(decision, "weapon")]
    data = weapon.data

    def score(option: str) -> float:
        u = t.state.units[option[2:]]
        held = weapons_of(t.state, u.id)
        found = -6.0 * len(held) + (3.0 if u.data.kind == SQUAD else 0.0)
        if u.is_leader:
            return -20.0 if data.kind != "radio" else 1.0 + u.leadership
        mates = units_at(t.state, u.hex) if u.hex else []
        led = [one.leadership for one in mates if one.is_leader and one.side == t.seat]
        if u.hex and u.hex not in t.field.is_off:
            found += 0.05 * outlook(t, u.hex)
            if data.is_mortar and t.field.terrain[u.hex] in BUILDINGS:
                found -= 30.0
        if led and data.fp >= 4:
            found += 2.0 - min(led)
        if data.kind in ("ft", "dc"):
            found += 2.0 * u.data.assault
        return found + 0.1 * u.data.morale

    chosen = best_of(decision, score)
    return chosen, None


def which_spine(t: Table, decision: Decision) -> Answer:
    """Toward what matters most."""
    name = fact(decision, "weapon")
    if name in t.state.vehicles:
        v = t.state.vehicles[name]
        return f"n:{facing(t, v.hex, v.vca)}", None
    w = t.state.weapons[name]
    hex = t.state.units[w.owner].hex if w.owner else w.hex
    return f"n:{facing(t, hex, max(w.ca, 0))}", None


def what_turns(t: Table, decision: Decision) -> Answer:
    """Whatever looks the wrong way."""
    for option in decision.options:
        name = option.id[2:]
        if name in t.state.vehicles:
            v = t.state.vehicles[name]
            if facing(t, v.hex, v.vca) != v.vca:
                return option.id, None
        elif name in t.state.weapons:
            w = t.state.weapons[name]
            if not w.hidden and facing(t, t.state.units[w.owner].hex, w.ca) != w.ca:
                return option.id, None
    return "b:passa", None


def hatches(t: Table, decision: Decision) -> Answer:
    """Open where the gun may fire so."""
    v = t.state.vehicles[fact(decision, "unit")]
    return ("b:bu" if v.data.is_restricted else "b:ce"), None


def where_to_wait(t: Table, decision: Decision) -> Answer:
    """Off the map, where the way in is short and not crowded."""
    name = fact(decision, "unit")

    def score(option: str) -> float:
        off = option[2:]
        entries = [h for h in t.field.near[off] if h not in t.field.is_off]
        if not entries:
            return -99.0
        if name in t.state.vehicles:
            v = t.state.vehicles[name]
            road = 2.0 * any(t.field.has_road(off, h) for h in entries)
            taken = sum(one.hex == off for one in t.tanks)
            return max(post(t, v, h) for h in entries) + road - 3.0 * taken
        u = t.state.units[name]
        mates = [one for one in units_at(t.state, off) if one.side == t.seat]
        if u.is_leader:
            return _company(t, u, mates)
        near = max(stand(t, u, h) for h in entries)
        return near + whim(t, u, off) - 1.2 * sum(one.is_mmc for one in mates)

    return best_of(decision, score), None


# --- rally ------------------------------------------------------------------------------------


def rally_chance(t: Table, u: Unit, alone: bool) -> float:
    """The chance that a broken unit rallies (3.1.e, 3.1.f)."""
    leader = None if alone else rallying_leader(t.state, u)
    drm = 1 if leader is None else leader.leadership
    drm += 4 * u.dm - is_shelter(t.field, u.hex)
    return at_most(level(t.state, u) - drm)


def who_rallies(t: Table, decision: Decision) -> Answer:
    """Whoever is worth most and may succeed."""
    alone = decision.id == "rally.self"
    best, name = 0.3, ""
    for u in units_in(t, decision):
        value = rally_chance(t, u, alone) * t.worth(u) - t.worth(u) / 72
        if value > best:
            best, name = value, u.id
    if name:
        return f"u:{name}", msg(N_("{unit} must fight again"), unit=name)
    return "b:passa", None


def stays_dm(t: Table, decision: Decision) -> Answer:
    """In the open under fire it is better to be able to rout."""
    u = t.state.units[fact(decision, "unit")]
    if t.exposure(u.hex, u.morale, 0, False) > 0.15:
        return "b:tieni", None
    return "b:togli", None


def recovers(t: Table, decision: Decision) -> Answer:
    """A weapon is worth picking up for those who have none."""
    best, chosen = 0.0, ""
    for option in decision.options:
        name, _, weapon = option.id[2:].partition("+")
        if name not in t.state.units or weapon not in t.state.weapons:
            continue
        u, w = t.state.units[name], t.state.weapons[weapon]
        value = float(w.data.fp + 6 * w.data.is_gun) - 4.0 * len(weapons_of(t.state, name))
        if w.data.is_gun and u.data.kind != CREW:
            value -= 5.0
        if u.is_leader:
            value -= 6.0
        if value > best:
            best, chosen = value, option.id
    return (chosen, None) if chosen else always("b:passa")(t, decision)


def repairs(t: Table, decision: Decision) -> Answer:
    """Everything that can be repaired."""
    return next((o.id for o in decision.options if o.id.startswith("u:")), "b:passa"), None


# --- close combat -----------------------------------------------------------------------------


def cc_groups(t: Table) -> tuple[list[Unit], list[Unit]]:
    """Own attackers and enemies of the CC that is being fought."""
    cc = t.state.cc
    assert cc is not None
    here = units_at(t.state, cc.hex)
    mine = [u for u in here if u.side == t.seat and not u.broken and u.id not in cc.acted]
    foes = [u for u in here if u.side != t.seat and u.id not in cc.hit]
    return mine, foes


def cc_value(mine: list[Unit], foes: list[Unit], t: Table) -> float:
    """What an attack takes from a group of enemies."""
    if not mine or not foes:
        return 0.0
    fp = sum((1.0 if u.is_leader else u.data.fp) * (0.5 if u.pinned else 1.0) for u in mine)
    defence = sum(1.0 if u.is_leader else u.data.fp for u in foes)
    lead = min((u.leadership for u in mine if u.is_leader and not u.pinned), default=0)
    drm = lead + int(any(u.cx for u in mine)) - int(any(u.cx for u in foes))
    drm -= 2 * all(u.broken for u in foes)
    return duel(fp, defence, drm) * sum(t.worth(u) for u in foes)


def who_attacks(t: Table, decision: Decision) -> Answer:
    """The strongest first."""
    able = units_in(t, decision)
    if able:
        best = max(able, key=lambda u: (u.data.fp, u.id))
        return f"u:{best.id}", None
    guns = [o.id for o in decision.options if o.id.startswith("u:") and not o.id.endswith(":sn")]
    return (guns[0] if guns else "b:passa"), None


def whom_to_attack(t: Table, decision: Decision) -> Answer:
    """The enemy whose loss is likeliest and dearest."""
    mine, _ = cc_groups(t)
    mine = mine or [u for u in t.mine if u.id == fact(decision, "unit")]

    def score(option: str) -> float:
        name = option[2:]
        if name in t.state.vehicles:
            v = t.state.vehicles[name]
            best = max((other().ccv[u.data.kind] for u in mine), default=0)
            return at_most(best - 1) * tank_worth(v)
        return cc_value(mine, [t.state.units[name]], t)

    chosen = best_of(decision, score)
    return chosen, msg(
        N_("{unit} attacks {target}"), unit=fact(decision, "unit"), target=chosen[2:]
    )


def who_else(t: Table, decision: Decision) -> Answer:
    """All friends attack together; more enemies only if that takes more."""
    mine, foes = cc_groups(t)
    offered = {o.id[2:] for o in decision.options if o.id.startswith("u:")}
    for u in mine:
        if u.id in offered:
            return f"u:{u.id}", msg(N_("{unit} adds to the attack"), unit=u.id)
    guns = sorted(name for name in offered if ":" in name)
    if guns:
        return f"u:{guns[0]}", None
    hit = [u for u in foes if u.id not in offered]
    now = cc_value(mine, hit, t)
    for u in foes:
        if u.id in offered and cc_value(mine, [*hit, u], t) > now:
            return f"u:{u.id}", None
    return "b:attacca", None


def whom_to_join(t: Table, decision: Decision) -> Answer:
    """A leader fights with the strongest squad."""
    able = units_in(t, decision)
    if not able:
        return decision.options[0].id, None
    return f"u:{max(able, key=lambda u: (not u.broken, u.data.fp, u.id)).id}", None


# --- charges, artillery, small things -----------------------------------------------------------


def where_dc(t: Table, decision: Decision) -> Answer:
    """The hex with most to lose."""

    def score(option: str) -> float:
        hex = option.rpartition("-")[2]
        own = any(u.side == t.seat for u in units_at(t.state, hex))
        return -9.0 if own else t.harm_at("", hex, 30.0, 0)

    return best_of(decision, score), None


def crowd_at(t: Table, hex: str) -> float:
    """What a barrage would strike around a hex or a place off the map, own units against it."""
    found = 0.0
    for near in (hex, *t.field.near.get(hex, ())):
        for u in units_at(t.state, near):
            if not u.hidden or u.side == t.seat:
                part = t.worth(u) / (1 + t.shelter(near))
                found += part if u.side != t.seat else -2.0 * part
    return found


def where_barrage(t: Table, decision: Decision) -> Answer:
    """Where most enemies and no friends are, in sight of the observer."""
    origin = eye(t.state)

    def score(option: str) -> float:
        hex = option[2:]
        if hex not in t.field.hex:
            return 0.0
        seen = not origin or t.sees(origin, hex) < BLIND
        return crowd_at(t, hex) + (6.0 if seen else 0.0)

    chosen = best_of(decision, score)
    if chosen[2:] not in t.field.hex:
        return chosen, None
    return chosen, msg(N_("most enemies are around {hex}"), hex=chosen[2:])


def spotting(t: Table, decision: Decision) -> Answer:
    """Fire where it lies if that is good, otherwise bring it nearer."""
    oba = t.state.oba
    known = ids_of(decision)
    assert oba is not None
    if "b:converti" in known and enemy_near(t.state, oba.sr) and crowd_at(t, oba.sr) > 4:
        return "b:converti", None
    return always("b:correggi-converti", "b:correggi", "b:cancella")(t, decision)


def barrage_goes_on(t: Table, decision: Decision) -> Answer:
    """Leave it while it strikes more enemies than friends."""
    oba = t.state.oba
    assert oba is not None
    here = crowd_at(t, oba.ffe) if oba.ffe else 0.0
    if here > 3:
        return always("b:lascia", "b:ffe1", "b:correggi")(t, decision)
    return always("b:correggi", "b:sr", "b:via", "b:cancella")(t, decision)


def cheapest_tank(t: Table, decision: Decision) -> Answer:
    """The vehicle worth least."""
    return best_of(decision, lambda one: -tank_worth(t.state.vehicles[one[2:]])), None


def dearest_unit(t: Table, decision: Decision) -> Answer:
    """The unit worth most."""
    able = units_in(t, decision)
    if not able:
        return decision.options[0].id, None
    return f"u:{max(able, key=lambda u: (t.worth(u), u.id)).id}", None


def which_acquired(t: Table, decision: Decision) -> Answer:
    """The target worth most."""

    def score(option: str) -> float:
        name = option[2:]
        v = t.state.vehicles.get(name)
        return tank_worth(v) if v is not None else t.worth(t.state.units[name])

    return best_of(decision, score), None


def least_weapon(t: Table, decision: Decision) -> Answer:
    """The weapon with the least FP."""
    return best_of(decision, lambda one: -float(t.state.weapons[one[2:]].data.fp)), None


def most_weapons(t: Table, decision: Decision) -> Answer:
    """The load with the most FP."""

    def score(option: str) -> float:
        return sum(float(t.state.weapons[name].data.fp) for name in option[2:].split("+"))

    return best_of(decision, score), None


def where_smoke(t: Table, decision: Decision) -> Answer:
    """Over most friends."""
    return best_of(
        decision, lambda one: sum(u.side == t.seat for u in units_at(t.state, one[2:]))
    ), None


def blind_enemy(t: Table, decision: Decision) -> Answer:
    """Over most enemies."""
    return best_of(decision, lambda one: crowd_at(t, one[2:])), None


OTHERS: dict[str, Ask] = {
    "setup.hex": where_to_set_up,
    "setup.owner": who_possesses,
    "setup.hidden": always("b:nascosto"),
    "setup.hatch": hatches,
    "entry.wait": where_to_wait,
    "facing.who": what_turns,
    "facing.ca": which_spine,
    "facing.turret": which_spine,
    "gun.push": always("b:fine"),
    "rally.self": who_rallies,
    "rally.who": who_rallies,
    "rally.dm": stays_dm,
    "weapon.recover": recovers,
    "weapon.repair": repairs,
    "weapon.transfer": always("b:passa"),
    "weapon.drop": least_weapon,
    "weapon.destroy": least_weapon,
    "rout.weapons": most_weapons,
    "smoke.who": first,
    "smoke.hex": where_smoke,
    "smoke.firer": always("b:passa"),
    "smoke.target": blind_enemy,
    "cc.hex": first,
    "cc.attacker": who_attacks,
    "cc.target": whom_to_attack,
    "cc.more": who_else,
    "cc.join": whom_to_join,
    "cc.leader": always("b:solo"),
    "dc.hex": where_dc,
    "dc.against": always("b:fanteria"),
    "oba.call": always("b:chiama"),
    "oba.request": where_barrage,
    "oba.correction": where_barrage,
    "oba.sr": spotting,
    "oba.ffe-2": barrage_goes_on,
    "oba.ffe-c": barrage_goes_on,
    "vehicle.unbog": always("b:libera"),
    "vehicle.wreck": cheapest_tank,
    "fire.victim": dearest_unit,
    "acquisition.keep": which_acquired,
}
"""What is answered to what outside fire and movement."""
