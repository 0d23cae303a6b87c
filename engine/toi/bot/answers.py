"""How the computer answers each question of the game, apart from the cards.

An answer is the id of an option and, where there is one, the reason in one line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from engine.core.decisions import Decision
from engine.core.text import N_, msg
from engine.kit.player import Answer
from engine.toi.bot.plans import (
    Plan,
    assault_supporters,
    assault_value,
    best_assault,
    best_stop,
    fire_plans,
    next_supporter,
    op_value,
    unit_plans,
)
from engine.toi.bot.table import WORTH, Table, figure_worths, firepower, guns_only, march
from engine.toi.rules.suppression import NORMAL_ATTACK
from engine.toi.rules.targets import GUNS, RIFLES
from engine.toi.rules.terrain import SQUADS
from engine.toi.state import tables
from engine.toi.state.state import (
    ASSAULT,
    CONCENTRATED,
    FIRE_MOVE,
    NORMAL,
    OP_FIRE,
    READY,
    Active,
    Unit,
)
from engine.toi.state.units import has_officer, is_heavy, make, on_map

Ask: TypeAlias = Callable[[Table, Decision], Answer]

NORMAL_ID, SUPPRESSIVE_ID = "b:normale", "b:soppressivo"
GROUP_IDS = {GUNS: "b:mitragliatrici", RIFLES: "b:fucilieri"}


def ids_of(decision: Decision) -> frozenset[str]:
    """The ids that may be answered."""
    return frozenset(option.id for option in decision.options)


def best_of(decision: Decision, score: Callable[[str], float]) -> str:
    """The option with the best score; the first of equals."""
    return max((option.id for option in decision.options), key=score)


def first(t: Table, decision: Decision) -> Answer:
    """Whatever comes first."""
    return decision.options[0].id, None


def always(*wanted: str) -> Ask:
    """The first of some answers that is offered."""

    def ask(t: Table, decision: Decision) -> Answer:
        known = ids_of(decision)
        return next((one for one in wanted if one in known), decision.options[0].id), None

    return ask


def asked_unit(t: Table, decision: Decision) -> Unit:
    """The unit that a question is about."""
    return t.state.units[str(decision.ruling.msg.facts["unit"])]


# --- activation -------------------------------------------------------------------------------


def verb(t: Table, decision: Decision) -> Answer:
    """What the chosen unit does: the best of its plans that is allowed."""
    known = ids_of(decision)
    unit = asked_unit(t, decision)
    for plan in unit_plans(t, unit):
        if plan.verb in known:
            return plan.verb, plan.why
    return always("b:prepara-op", "b:affatica")(t, decision)


def step(t: Table, decision: Decision) -> Answer:
    """The next hex of the active unit, its attack, or its end."""
    known = ids_of(decision)
    unit = asked_unit(t, decision)
    active = t.state.active
    if unit.aboard or active is None:
        return always("b:scendi", "b:fine")(t, decision)
    near = frozenset(one[2:] for one in known if one.startswith("h:"))
    if unit.fort and "b:esci" in known:
        near = frozenset(t.field.near[unit.hex])
    mp = active.mp - (3 if unit.fort else 0)
    charge = step_to_assault(t, unit, active, mp, near, known)
    if charge is not None:
        return charge
    shot = shot_on_the_move(t, unit, active, mp, near, known)
    if shot is not None:
        return shot
    shooting = active.action == FIRE_MOVE and not active.attacked
    _value, label, way = best_stop(t, unit, mp, near, shooting=shooting)
    if way:
        return go(unit, way[0], known, label)
    return stay(t, unit, decision, known)


def step_to_assault(
    t: Table, unit: Unit, active: Active, mp: int, near: frozenset[str], known: frozenset[str]
) -> Answer | None:
    """Assault from here, or go where the best assault begins."""
    if active.action != ASSAULT:
        return None
    value, label, here, way = best_assault(t, unit, mp, near, active.bonus)
    if not label or value <= 0:
        return None
    if here == unit.hex and "b:assalta" in known:
        why = msg(N_("{unit} assaults {hex} from {here}"), unit=unit.id, hex=label, here=here)
        return "b:assalta", why
    return go(unit, way[0], known) if way else None


def shot_on_the_move(
    t: Table, unit: Unit, active: Active, mp: int, near: frozenset[str], known: frozenset[str]
) -> Answer | None:
    """Fire now, unless a better shot waits on the way."""
    if active.action != FIRE_MOVE or active.attacked or "b:attacca" not in known:
        return None
    shot = t.best_shot(unit, unit.hex, FIRE_MOVE)
    if shot is None:
        return None
    later = best_stop(t, unit, mp, near, shooting=True)
    now = t.stand(unit, unit.hex) if active.moved else best_stop(t, unit, mp, near)[0]
    if now + shot.value >= later[0] - 0.01 or later[1] == unit.hex:
        why = msg(N_("{unit} fires at {target}"), unit=unit.id, target=shot.target)
        return "b:attacca", why
    return None


def stay(t: Table, unit: Unit, decision: Decision, known: frozenset[str]) -> Answer:
    """Shelter where one stands, or end; on where one may not stop."""
    shelter = sorted(one for one in known if one.startswith("b:entra-"))
    if shelter and not t.attacks:
        return shelter[0], msg(N_("{unit} takes shelter"), unit=unit.id)
    if "b:fine" in known:
        return "b:fine", msg(N_("{unit} stays in {hex}"), unit=unit.id, hex=unit.hex)
    places = sorted(one for one in known if one.startswith("h:"))
    if places:
        return max(places, key=lambda one: t.stand(unit, one[2:])), None
    return first(t, decision)


def go(unit: Unit, label: str, known: frozenset[str], goal: str = "") -> Answer:
    """One step of the way, out of the shelter first."""
    why = msg(N_("{unit} moves towards {hex}"), unit=unit.id, hex=goal or label)
    if unit.fort and "b:esci" in known:
        return "b:esci", why
    return f"h:{label}", why


# --- fire -------------------------------------------------------------------------------------


def fire_choice(t: Table, unit: Unit) -> Plan | None:
    """The attack that the unit is making, as it was planned."""
    active = t.state.active
    if active is not None and active.unit == unit.id:
        shot = t.best_shot(unit, unit.hex, FIRE_MOVE)
        return Plan(0.0, "", msg(N_("{unit} fires"), unit=unit.id), shot=shot) if shot else None
    plans = sorted(fire_plans(t, unit), key=lambda plan: -plan.score)
    return plans[0] if plans else None


def whom(t: Table, decision: Decision) -> Answer:
    """The target of the best attack."""
    known = ids_of(decision)
    unit = asked_unit(t, decision)
    active = t.state.active
    if active is not None and active.unit == unit.id:
        chosen = fire_choice(t, unit)
        plans = [chosen] if chosen else []
    else:
        plans = sorted(fire_plans(t, unit), key=lambda plan: -plan.score)
    for plan in plans:
        target = f"h:{plan.hex}" if plan.hex and not (plan.shot and plan.shot.target) else ""
        if plan.shot is not None and plan.shot.target:
            target = f"u:{plan.shot.target}"
        if target in known:
            return target, plan.why
    return first(t, decision)


def is_reaction(t: Table, unit: Unit) -> bool:
    """Whether a unit is firing in answer to the active enemy."""
    active = t.state.active
    return (
        active is not None
        and active.unit in t.state.units
        and t.state.units[active.unit].side != unit.side
    )


def kind(t: Table, decision: Decision) -> Answer:
    """Normal or suppressive: what is expected to hurt more."""
    unit = asked_unit(t, decision)
    if is_reaction(t, unit):
        assert t.state.active is not None
        target = t.state.units[t.state.active.unit]
        shot = t.volley(unit, target, [], OP_FIRE)
    else:
        plan = fire_choice(t, unit)
        shot = plan.shot if plan is not None else None
    if shot is None:
        return SUPPRESSIVE_ID, None
    chosen = NORMAL_ID if shot.kind == NORMAL_ATTACK else SUPPRESSIVE_ID
    why = msg(N_("{unit}: {kind} promises more"), unit=unit.id, kind=shot.kind)
    return chosen, why


def group(t: Table, decision: Decision) -> Answer:
    """Which figures fire: guns alone stay in op fire."""
    known = ids_of(decision)
    unit = asked_unit(t, decision)
    if is_reaction(t, unit):
        assert t.state.active is not None
        target = t.state.units[t.state.active.unit]
        shots = t.shots(unit, unit.hex, target, OP_FIRE)
        whole = max((s.value for s in shots if s.group != GUNS), default=0.0)
        guns = max((s.value for s in shots if s.group == GUNS), default=0.0)
        if guns >= 0.65 * whole and GROUP_IDS[GUNS] in known:
            return GROUP_IDS[GUNS], msg(N_("{unit} stays in op fire"), unit=unit.id)
        return always("b:tutti")(t, decision)
    plan = fire_choice(t, unit)
    if plan is not None and plan.shot is not None:
        wanted = GROUP_IDS.get(plan.shot.group, "b:tutti")
        if wanted in known:
            return wanted, None
    return always("b:tutti")(t, decision)


def support(t: Table, decision: Decision) -> Answer:
    """Whoever adds more than its own attack would, one after the other."""
    known = ids_of(decision)
    lead = asked_unit(t, decision)
    target = t.state.units[str(decision.ruling.msg.facts["target"])]
    named = known | frozenset(decision.refused)
    taken = [
        unit
        for unit in on_map(t.state, lead.side)
        if unit.id != lead.id and f"u:{unit.id}" not in named
    ]
    able = [t.state.units[one[2:]] for one in sorted(known) if one.startswith("u:")]
    mode = OP_FIRE if is_reaction(t, lead) else CONCENTRATED
    ally = next_supporter(t, lead, target, taken, able, mode)
    if ally is None:
        return "b:fuoco", msg(N_("{unit} needs no more support"), unit=lead.id)
    return f"u:{ally.id}", msg(N_("{unit} adds to the attack"), unit=ally.id)


def reaction(t: Table, decision: Decision) -> Answer:
    """Opportunity fire: when the shot is worth losing the marker."""
    mover = asked_unit(t, decision)
    best, value = "", 0.0
    for option in decision.options:
        if not option.id.startswith("u:"):
            continue
        unit = t.state.units[option.id[2:]]
        shots = t.shots(unit, unit.hex, mover, OP_FIRE)
        if not shots:
            continue
        promise = max(shot.value for shot in shots)
        cheap = guns_only(unit) or (unit.is_squad and not make(unit.figures).rifles)
        least = 0.25 if cheap else 0.55
        if promise >= least and promise > value:
            best, value = option.id, promise
    if not t.temper.sharp and not best:
        best = next((o.id for o in decision.options if o.id.startswith("u:")), "")
    if best:
        return best, msg(N_("{unit} has a good shot at {target}"), unit=best[2:], target=mover.id)
    return "b:no", msg(N_("No shot at {target} is good enough yet"), target=mover.id)


# --- losses, assault, retreat -----------------------------------------------------------------


def figure_lost(t: Table, decision: Decision) -> Answer:
    """The cheapest figure goes."""
    lost = best_of(decision, lambda one: -WORTH[tables.UNITS[one[2:]].kind])
    return lost, msg(N_("{figure} is missed least"), figure=lost[2:])


def unit_lost(t: Table, decision: Decision) -> Answer:
    """The cheapest unit takes the hit."""

    def price(option: str) -> float:
        unit = t.state.units[option[2:]]
        return figure_worths(unit.figures)[0] if unit.is_squad else t.worth(unit) / 2

    lost = best_of(decision, lambda one: -price(one))
    return lost, msg(N_("{unit} can bear it best"), unit=lost[2:])


def least_unit(t: Table, decision: Decision) -> Answer:
    """The unit worth least."""
    lost = best_of(decision, lambda one: -t.worth(t.state.units[one[2:]]))
    return lost, msg(N_("{unit} is worth least"), unit=lost[2:])


def assault_hex(t: Table, decision: Decision) -> Answer:
    """The hex where the assault promises most."""
    unit = asked_unit(t, decision)
    bonus = t.state.active.bonus if t.state.active else 0
    label = best_of(decision, lambda one: assault_value(t, unit, unit.hex, one[2:], bonus))
    return label, msg(N_("{unit} assaults {hex}"), unit=unit.id, hex=label[2:])


def assault_support(t: Table, decision: Decision) -> Answer:
    """The strongest squads next to the hex."""
    known = ids_of(decision)
    unit = asked_unit(t, decision)
    label = str(decision.ruling.msg.facts["hex"])
    for one in assault_supporters(t, unit, label):
        if f"u:{one.id}" in known:
            return f"u:{one.id}", msg(N_("{unit} adds to the attack"), unit=one.id)
    return always("b:assalto")(t, decision)


def retreat(t: Table, decision: Decision) -> Answer:
    """Cover, out of sight, not far from the goals."""
    label = str(decision.ruling.msg.facts["hex"])
    group = [unit for unit in t.mine if unit.hex == label]
    if not group:
        return first(t, decision)
    unit = group[0]

    def score(option: str) -> float:
        there = option[2:]
        crowded = sum(one.hex == there for one in t.mine)
        mined = 3.0 * bool(t.state.obstacles.get(there))
        room = -4.0 * max(0, crowded + len(group) - 3)
        return t.stand(unit, there) + room - mined

    chosen = best_of(decision, score)
    return chosen, msg(N_("{hex} is the safest way back"), hex=chosen[2:])


def follow_up(t: Table, decision: Decision) -> Answer:
    """Squads advance into a hex that is worth more than their own."""
    label = str(decision.ruling.msg.facts["hex"])
    best, gain = "b:no", 0.0
    for option in decision.options:
        if option.id.startswith("u:"):
            unit = t.state.units[option.id[2:]]
            value = t.stand(unit, label) - t.stand(unit, unit.hex) + 0.4
            if not any(one.hex == label for one in t.mine):
                value += 0.5
            if value > gain:
                best, gain = option.id, value
    return best, msg(N_("{hex} is worth having"), hex=label)


# --- set-up -----------------------------------------------------------------------------------

DECK_ORDER = ("b:com1", "b:art1", "b:ter1", "b:mor1")


def filling(t: Table, decision: Decision) -> Answer:
    """Heavy weapons with two riflemen, officers with the best, riflemen with their like."""

    def score(option: str) -> float:
        counts: dict[str, int] = {}
        for part in option[2:].split("-"):
            counts[part[1:]] = int(part[0])
        guns, mortars = counts.get("mg", 0), counts.get("mor", 0)
        value = 0.0
        if guns and mortars:
            value -= 3.0
        if guns == 1 and counts.get("reg", 0) == 2:
            value += 4.0
        if mortars == 1 and counts.get("reg", 0) == 2:
            value += 4.5
        if counts.get("uff", 0) == 1 and not guns and not mortars:
            value += 3.0 + 0.4 * counts.get("eli", 0)
        if counts.get("uff", 0) > 1 or ((guns or mortars) and counts.get("eli", 0)):
            value -= 3.0
        if counts.get("eli", 0) == 4:
            value += 2.0
        if counts.get("reg", 0) == 4:
            value += 1.0
        return value

    return best_of(decision, score), None


def token(t: Table, decision: Decision) -> Answer:
    """Medics with officers, flames and engineers with the best, anti-tank with anybody."""
    wanted = str(decision.ruling.msg.facts["token"])

    def score(option: str) -> float:
        unit = t.state.units[option[2:]]
        worth = t.worth(unit)
        if wanted == "medic":
            return 9.0 * has_officer(unit) - worth
        return worth if wanted in ("flamethrower", "engineer") else -worth

    return best_of(decision, score), None


def deploy(t: Table, decision: Decision) -> Answer:
    """Attackers near the enemy and covered, defenders on and around the goals."""
    unit = asked_unit(t, decision)
    made = make(unit.figures) if unit.is_squad else None
    own = [label for label in t.home() if label in t.field.near]
    held = {label for label, _pull in t.goals if label in own}

    def score(option: str) -> float:
        verb, what = option[:1], option[2:]
        if verb == "u":
            return -5.0
        fort = ""
        label = what
        if verb == "b":
            built = t.state.forts[what]
            label, fort = built.hex, built.kind
            inside = sum(one.fort == what for one in t.state.units.values())
            if t.attacks or inside or (made is not None and made.mortars):
                return -5.0
        mates = t.crowd(label)
        value = t.pull(unit, label) - 0.45 * mates * mates
        cover = t.red_dice(unit, label, NORMAL_ATTACK, fort)
        value += (0.25 if t.attacks else 0.55) * min(cover, 5)
        if label in held and not mates:
            value += 1.5
        if made is not None and made.mortars:
            value -= 0.5 * t.pull(unit, label)
            if t.field.terrain[label].id == "building":
                value -= 4.0
        if not unit.is_squad:
            value += 0.3 * is_heavy(unit)
        if t.temper.sharp and t.theirs:
            value -= 0.5 * t.caution * t.threat(unit, label, fort)
        return value

    chosen = best_of(decision, score)
    return chosen, msg(N_("{unit}: a good place to start"), unit=unit.id)


def hide(t: Table, decision: Decision) -> Answer:
    """Conceal the most valuable squads."""
    squads = [o.id for o in decision.options if o.id.startswith("u:")]
    if not squads:
        return first(t, decision)
    return max(squads, key=lambda one: t.worth(t.state.units[one[2:]])), None


def ambush(t: Table, decision: Decision) -> Answer:
    """Units that gain more by waiting than by acting lie in wait for the whole round."""
    best, gain = "b:fine", 0.0
    for option in decision.options:
        if not option.id.startswith("u:"):
            continue
        unit = t.state.units[option.id[2:]]
        ready = msgspec.structs.replace(unit, activation=READY)
        value = wait_gain(t, ready)
        if value > gain:
            best, gain = option.id, value
    if best == "b:fine":
        return best, msg(N_("The others are needed for actions"))
    return best, msg(N_("{unit} waits for the enemy"), unit=best[2:])


def wait_gain(t: Table, unit: Unit) -> float:
    """What waiting a whole round is worth, less the best action."""
    if t.attacks:
        return -1.0
    waiting = 1.15 * op_value(t, unit)
    shot = t.best_shot(unit, unit.hex, CONCENTRATED)
    return waiting - (shot.value if shot is not None else 0.0)


def arrive(t: Table, decision: Decision) -> Answer:
    """Reinforcements enter where they are nearest to the goals."""
    unit = asked_unit(t, decision)

    def score(option: str) -> float:
        if not option.startswith("h:"):
            return -99.0
        return t.pull(unit, option[2:]) - 0.1 * sum(one.hex == option[2:] for one in t.mine)

    return best_of(decision, score), None


def worth_most(t: Table, decision: Decision) -> Answer:
    """The squad worth most."""
    chosen = best_of(decision, lambda one: t.worth(t.state.units[one[2:]]))
    return chosen, msg(N_("{unit} is worth most"), unit=chosen[2:])


def near_goal(t: Table, label: str) -> float:
    """How near a hex is to the goals, for squads."""
    return max(
        (
            pull * 0.85 ** (march(t.field, SQUADS, goal, t.obstacles).get(label, 300) / 3)
            for goal, pull in t.goals
        ),
        default=0.0,
    )


def fights(t: Table, decision: Decision) -> Answer:
    """A concealed squad fights when the others need it."""
    label = str(decision.ruling.msg.facts["hex"])
    shown = [one for one in t.mine if one.hex == label and not one.concealed]
    weak = sum(firepower(one.figures, False) for one in shown if one.condition == NORMAL) < 6
    return always("b:partecipa" if weak else "b:nascosta")(t, decision)


ANSWERS: dict[str, Ask] = {
    "action.verb": verb,
    "move.next": step,
    "move.obstacle": first,
    "move.dismount": worth_most,
    "fire.target": whom,
    "fire.kind": kind,
    "fire.figures": group,
    "fire.support": support,
    "fire.thick-armor": always("b:si"),
    "fire.reroll": always("b:rilancia"),
    "mortars.support": always("b:fuoco"),
    "opfire.react": reaction,
    "opfire.wait": ambush,
    "losses.figure": figure_lost,
    "assault.hex": assault_hex,
    "assault.support": assault_support,
    "assault.concealed": fights,
    "assault.losses": unit_lost,
    "assault.supporter-losses": least_unit,
    "assault.retreat": retreat,
    "assault.excess": least_unit,
    "assault.advance": follow_up,
    "special.patient": worth_most,
    "special.trench": always("b:entra"),
    "setup.figures": filling,
    "setup.specialist": token,
    "setup.ace": worth_most,
    "setup.place": deploy,
    "setup.concealed": hide,
    "reinforcements.hex": arrive,
    "transfer.giver": always("b:fine"),
    "transfer.figure": figure_lost,
    "transfer.taker": worth_most,
    "transfer.agree": always("b:si"),
}
"""What is answered to what, by the id of the question."""
