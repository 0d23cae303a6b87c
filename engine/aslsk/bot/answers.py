"""How the computer answers each question of the game.

An answer is the id of an option and, where there is one, the reason in one line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.aslsk.bot.fire import (
    able_elements,
    best_shots,
    group_so_far,
    joins,
    known_hexes,
    patience,
    reserve,
    shots_of,
)
from engine.aslsk.bot.moves import (
    LEAST_GAIN,
    best_mode,
    best_way,
    gain,
    refuge,
    stand,
    step_up,
    ways,
)
from engine.aslsk.bot.table import Table, chance
from engine.aslsk.bot.vehicles import drives, next_act, tank_gain
from engine.aslsk.rules.elements import elements, find
from engine.aslsk.rules.movement import left_mf
from engine.aslsk.rules.rout import must_rout
from engine.aslsk.state.state import ASSAULT, DOUBLE, PFPH, Unit, units_at
from engine.core.decisions import Decision
from engine.core.text import N_, msg
from engine.kit.player import Answer

Ask: TypeAlias = Callable[[Table, Decision], Answer]

MODES = {ASSAULT: "b:assalto", DOUBLE: "b:corsa"}
LEAST_HARM = 0.15
TANK_PATIENCE = 1.8
"""What a vehicle of those who must take ground asks of a shot that keeps it where it is."""


def ids_of(decision: Decision) -> frozenset[str]:
    """The ids that may be answered."""
    return frozenset(option.id for option in decision.options)


def units_in(t: Table, decision: Decision) -> list[Unit]:
    """The units that may be answered."""
    names = [option.id[2:] for option in decision.options if option.id.startswith("u:")]
    return [t.state.units[name] for name in names if name in t.state.units]


def best_of(decision: Decision, score: Callable[[str], float]) -> str:
    """The option with the best score; the first of equals."""
    return max((option.id for option in decision.options), key=score)


def always(*wanted: str) -> Ask:
    """The first of some answers that is offered."""

    def ask(t: Table, decision: Decision) -> Answer:
        known = ids_of(decision)
        return next((one for one in wanted if one in known), decision.options[0].id), None

    return ask


def first(t: Table, decision: Decision) -> Answer:
    """The first option."""
    return decision.options[0].id, None


def fact(decision: Decision, name: str) -> str:
    """A fact of the question."""
    return str(decision.ruling.msg.facts[name])


# --- fire -------------------------------------------------------------------------------------


def who_fires(t: Table, decision: Decision) -> Answer:
    """The best attack that is worth more than waiting or moving."""
    able = able_elements(t, [o.id for o in decision.options])
    by_id = {e.id: e for e in able}
    for shot in best_shots(t, able, known_hexes(t)):
        if shot.value < LEAST_HARM:
            break
        e = by_id[shot.first]
        if t.state.phase == PFPH and shot.value < _least(t, e.vehicle, shot.first):
            continue
        why = msg(N_("{unit} fires at {target}"), unit=shot.first, target=shot.hex)
        return f"u:{shot.first}", why
    return "b:passa", msg(N_("no shot is worth more"))


def _least(t: Table, vehicle: str, name: str) -> float:
    if vehicle:
        return TANK_PATIENCE if t.attacks else LEAST_HARM
    return patience(t, find(t.state, t.seat, name))


def at_which_hex(t: Table, decision: Decision) -> Answer:
    """The target of the best attack of the chosen element."""
    e = find(t.state, t.seat, fact(decision, "unit"))
    known = [o.id[2:] for o in decision.options]
    hexes = [hex for hex in known_hexes(t) if hex in known]
    found = shots_of(t, e, elements(t.state, t.seat), hexes)
    if not found:
        return decision.options[0].id, None
    shot = max(found, key=lambda one: one.value)
    return f"h:{shot.hex}", msg(N_("{unit} fires at {target}"), unit=e.id, target=shot.hex)


def how_to_attack(t: Table, decision: Decision) -> Answer:
    """The way of attacking that takes most."""
    e = find(t.state, t.seat, fact(decision, "unit"))
    known = ids_of(decision)
    hex = fact(decision, "hex")
    found = shots_of(t, e, elements(t.state, t.seat), [hex])
    found = [shot for shot in found if f"b:{shot.aim}" in known]
    if not found:
        return decision.options[0].id, None
    return f"b:{max(found, key=lambda one: one.value).aim}", None


def who_joins(t: Table, decision: Decision) -> Answer:
    """Whoever adds more than its own attack would, one after the other."""
    hex = fact(decision, "hex")
    named = [o.id[2:] for o in decision.options] + [one[2:] for one in decision.refused]
    group = group_so_far(t, named)
    able = able_elements(t, [o.id for o in decision.options])
    scores = [(joins(t, group, e, able, hex), e.id) for e in able]
    best, name = max(scores, default=(-1.0, ""), key=lambda pair: pair[0])
    if name and best >= 0:
        return f"u:{name}", msg(N_("{unit} adds to the attack"), unit=name)
    return "b:fuoco", None


def who_directs(t: Table, decision: Decision) -> Answer:
    """The best leader, unless he makes it worse."""
    able = [u for u in units_in(t, decision) if u.leadership <= 0]
    forgotten = t.temper.neglect and t.temper.neglect > chance(fact(decision, "hex"), t.state.turn)
    if not able or forgotten:
        return "b:nessuno", None
    if t.state.phase == PFPH and able[0].leadership == 0 and gain(t, able[0]) > 3:
        return "b:nessuno", None
    best = min(able, key=lambda u: u.leadership)
    return f"u:{best.id}", msg(N_("{unit} directs"), unit=best.id)


def window(t: Table, decision: Decision) -> Answer:
    """Defensive fire when the shot is worth giving away (3.3.3)."""
    hex = fact(decision, "hex")
    known = ids_of(decision)
    able = able_elements(t, [o.id for o in decision.options])
    by_id = {e.id: e for e in able}
    bold = sorted(one for one in known if one.startswith("b:corpo-"))
    if bold:
        return bold[0], None
    for shot in best_shots(t, able, [hex]):
        if shot.value < LEAST_HARM:
            break
        if shot.value >= reserve(t, by_id[shot.first], able, hex):
            why = msg(N_("{unit} fires at {target}"), unit=shot.first, target=hex)
            return f"u:{shot.first}", why
    return "b:passa", msg(N_("No shot at {target} is good enough yet"), target=hex)


def which_weapon(t: Table, decision: Decision) -> Answer:
    """The weapon of a moving vehicle with the best attack (3.3.2.2)."""
    able = able_elements(t, [o.id for o in decision.options])
    found = best_shots(t, able, known_hexes(t))
    return (f"u:{found[0].first}" if found else decision.options[0].id), None


# --- movement ---------------------------------------------------------------------------------


def who_moves(t: Table, decision: Decision) -> Answer:
    """Vehicles first, then whoever gains by moving, leaders last."""
    known = ids_of(decision)
    for v in t.tanks:
        if f"u:{v.id}" not in known:
            continue
        off = v.hex in t.field.is_off
        if off or v.drive.motion or tank_gain(t, v) > LEAST_GAIN:
            return f"u:{v.id}", msg(N_("{unit} moves towards {hex}"), unit=v.id, hex=_aim_of(t))
    able = units_in(t, decision)
    able.sort(key=lambda u: (u.is_leader, -stand(t, u, u.hex), u.id))
    for u in able:
        if t.crew_of_gun(u):
            continue
        way = best_way(t, u)
        if way.hex != u.hex and way.score - stand(t, u, u.hex) > LEAST_GAIN:
            why = msg(N_("{unit} moves towards {hex}"), unit=u.id, hex=way.hex)
            return f"u:{u.id}", why
    if "b:passa" in known:
        return "b:passa", msg(N_("nobody gains by moving"))
    return decision.options[0].id, None


def _aim_of(t: Table) -> str:
    aims = t.aims()
    return max(aims, key=lambda hex: aims[hex]) if aims else ""


def how_to_move(t: Table, decision: Decision) -> Answer:
    """Normal, assault or double time."""
    u = t.state.units[fact(decision, "unit")]
    mode, way = best_mode(t, u)
    chosen = MODES.get(mode, "b:normale")
    if chosen in ids_of(decision):
        return chosen, msg(N_("{unit} moves towards {hex}"), unit=u.id, hex=way.hex)
    return "b:normale", None


def who_moves_along(t: Table, decision: Decision) -> Answer:
    """A leader goes with the last squad of his hex."""
    u = t.state.units[fact(decision, "unit")]
    if u.is_mmc:
        here = [one for one in units_at(t.state, u.hex) if one.side == t.seat and one.is_mmc]
        for one in units_in(t, decision):
            if one.is_leader and len(here) == 1:
                return f"u:{one.id}", msg(N_("{unit} goes along"), unit=one.id)
    return "b:via", None


def next_step(t: Table, decision: Decision) -> Answer:
    """The next MF or MP."""
    mover = t.state.mover
    assert mover is not None
    known = ids_of(decision)
    name = mover.units[0]
    if name in t.state.vehicles:
        v = t.state.vehicles[name]
        go = drives(t, v, mover)
        why = msg(N_("{unit} moves towards {hex}"), unit=name, hex=go.hex)
        return next_act(t, v, go, mover, known), why
    group = [t.state.units[n] for n in mover.units]
    mf = min(left_mf(t.state, mover, n, False) for n in mover.units)
    if mover.mode == ASSAULT:
        mf += 1
    way = ways(t, group, mf, mover.mode, mover.entered)[0]
    if way.first and f"h:{way.first}" in known:
        why = msg(N_("{unit} moves towards {hex}"), unit=name, hex=way.hex)
        return f"h:{way.first}", why
    if "b:fine" in known:
        return "b:fine", msg(N_("{unit} stays in {hex}"), unit=name, hex=group[0].hex)
    return decision.options[0].id, None


# --- advance and rout -------------------------------------------------------------------------


def who_advances(t: Table, decision: Decision) -> Answer:
    """Whoever gains most by one more hex."""
    best, name, goal = 0.4, "", ""
    must = ""
    for u in units_in(t, decision):
        if t.crew_of_gun(u):
            continue
        off = u.hex in t.field.is_off
        for hex in t.field.near[u.hex]:
            if hex in t.field.is_off:
                continue
            value = step_up(t, u, hex) + (50.0 if off else 0.0)
            if value > best:
                best, name, goal = value, u.id, hex
        if off:
            must = must or u.id
    if name or must:
        why = msg(N_("{unit} moves towards {hex}"), unit=name or must, hex=goal)
        return f"u:{name or must}", why
    return always("b:passa")(t, decision)


def where_to_advance(t: Table, decision: Decision) -> Answer:
    """The hex that is worth most."""
    u = t.state.units[fact(decision, "unit")]

    def score(option: str) -> float:
        return 0.0 if option == "b:resta" else step_up(t, u, option[2:])

    chosen = best_of(decision, score)
    return chosen, msg(N_("{unit} moves towards {hex}"), unit=u.id, hex=chosen[2:])


def who_routs(t: Table, decision: Decision) -> Answer:
    """Those who must, and those under fire."""
    for u in units_in(t, decision):
        if must_rout(t.state, u) is not None or t.exposure(u.hex, u.morale, 0, False) > 0.12:
            return f"u:{u.id}", None
    return always("b:passa")(t, decision)


def where_to_rout(t: Table, decision: Decision) -> Answer:
    """Cover, out of sight, near a leader."""
    u = t.state.units[fact(decision, "unit")]

    def score(option: str) -> float:
        if option == "b:fermo":
            return refuge(t, u, u.hex)
        if option.startswith("b:striscia-"):
            return refuge(t, u, option.removeprefix("b:striscia-")) - 1.0
        hex = option[2:]
        under = t.exposure(hex, u.morale, 0, False) if not t.shelter(hex) else 0.0
        return refuge(t, u, hex) - 6.0 * under

    chosen = best_of(decision, score)
    return chosen, msg(N_("{unit} takes shelter"), unit=u.id)


ANSWERS: dict[str, Ask] = {
    "fire.who": who_fires,
    "fire.target": at_which_hex,
    "fire.kind": how_to_attack,
    "fire.group": who_joins,
    "fire.leader": who_directs,
    "fire.gunner": first,
    "fire.apart": always("b:insieme"),
    "fire.at-movers": window,
    "fire.weapon": which_weapon,
    "fire.rof": always("b:tieni"),
    "fire.backblast": always("b:evita"),
    "sight.clear": always("b:libera"),
    "move.who": who_moves,
    "move.mode": how_to_move,
    "move.along": who_moves_along,
    "move.next": next_step,
    "move.onward": first,
    "move.more-mp": first,
    "advance.who": who_advances,
    "advance.hex": where_to_advance,
    "advance.leader": first,
    "advance.along": always("b:via"),
    "rout.who": who_routs,
    "rout.hex": where_to_rout,
    "rout.leader": always("b:solo"),
}
"""What is answered to what in the phases of fire and movement."""
