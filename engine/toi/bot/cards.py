"""How the computer spends actions, cards and command."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.core.decisions import Decision
from engine.core.text import N_, msg
from engine.kit.player import Answer
from engine.toi.bot.answers import DECK_ORDER, Ask, always, best_of, first, near_goal
from engine.toi.bot.plans import best_assault, movement_points, unit_plans
from engine.toi.bot.table import Table
from engine.toi.rules.cards import contact_number, drift_number
from engine.toi.rules.suppression import NORMAL_ATTACK, SUPPRESSIVE
from engine.toi.state.state import ASSAULT, FATIGUED, INTACT, NORMAL, READY, Unit, enemy
from engine.toi.state.tables import CARDS, Effect
from engine.toi.state.units import has_heavy_weapon, is_reduced, is_vehicle

CARD_PRICE = 0.5
"""What one command is worth to a player who could spend it otherwise."""
LASTING = {
    "cover_bonus": 1.2,
    "firepower_bonus": 1.2,
    "wide_determination": 1.0,
    "stand_fast": 1.6,
    "march_order": 1.6,
    "cheaper_cards": 1.0,
    "reroll_drift": 0.7,
    "forward_observer": 1.0,
    "easier_contact": 0.9,
}


# --- actions ----------------------------------------------------------------------------------


def action(t: Table, decision: Decision) -> Answer:
    """The best plan of all units and cards, or the end of the phase."""
    best, score, why = "b:fine", 0.0, msg(N_("Nothing useful is left to do"))
    for option in decision.options:
        if option.id.startswith("u:"):
            plan = unit_plans(t, t.state.units[option.id[2:]])[0]
            value, reason = plan.score, plan.why
        elif option.id.startswith("c:"):
            name = option.id[2:]
            value = card_value(t, name)
            reason = msg(N_("{card} is worth its cost now"), card=name)
        else:
            continue
        if value > score:
            best, score, why = option.id, value, reason
    return best, why


def card_value(t: Table, name: str) -> float:
    """What a card of the Action Phase brings, less its price."""
    card = CARDS[name]
    waiting = any(played.card == name for played in t.state.armies[t.side].area)
    price = 0.0 if waiting else CARD_PRICE * card.cost
    return _gain(t, name, card.effect) - price


def _gain(t: Table, name: str, effect: Effect) -> float:
    weigh = GAINS.get(effect.id)
    return weigh(t, name, effect) if weigh is not None else 0.0


def _own(t: Table) -> list[Unit]:
    return [unit for unit in t.mine if t.owns(unit)]


def _strike(t: Table, name: str, effect: Effect) -> float:
    luck = (7 - contact_number(t.state, t.seat, CARDS[name])[0]) / 6 if effect.contact else 1.0
    return luck * max((strike_value(t, name, label) for label in _marks(t)), default=0.0)


def _reduced(t: Table, name: str, effect: Effect) -> float:
    return 1.0 * min(effect.n, sum(is_reduced(unit) for unit in _own(t)))


def _shaken(t: Table, name: str, effect: Effect) -> float:
    return 0.9 * sum(unit.condition != NORMAL for unit in _own(t)[: 2 * effect.n])


def _damaged(t: Table, name: str, effect: Effect) -> float:
    return 2.0 * any(is_vehicle(unit) and unit.damage != INTACT for unit in _own(t))


def _assaults(t: Table, name: str, effect: Effect) -> float:
    return max((assault_gain(t, unit, effect.bonus) for unit in _own(t)), default=0.0) + 0.4


def _tired(t: Table, name: str, effect: Effect) -> float:
    return 0.9 * max((again_gain(t, unit) for unit in _own(t)), default=0.0)


GAINS: dict[str, Callable[[Table, str, Effect], float]] = {
    "receive_command": lambda t, name, effect: 2.0,
    "off_board_attack": _strike,
    "receive_regulars": _reduced,
    "rally_one": _shaken,
    "rally_pinned": _shaken,
    "shake": lambda t, name, effect: 0.9 if t.theirs else 0.0,
    "repair": _damaged,
    "assault_order": _assaults,
    "ready_unit": _tired,
    "dig_trench": lambda t, name, effect: 0.7 if not t.attacks else 0.0,
}
"""What the effects of cards bring, in the worth of a regular figure; the others are not played."""


def _marks(t: Table) -> list[str]:
    return sorted({unit.hex for unit in t.theirs if not unit.concealed})


def strike_value(t: Table, name: str, label: str) -> float:
    """What an attack from off the board is expected to do to a hex and around it."""
    effect = CARDS[name].effect
    total = 0.0
    if effect.area is not None:
        kind = SUPPRESSIVE if effect.area.kind == "suppressive" else NORMAL_ATTACK
        total += t.area_value(label, kind, effect.area.power)
    if effect.blast is not None:
        kind = SUPPRESSIVE if effect.blast.kind == "suppressive" else NORMAL_ATTACK
        total += sum(t.area_value(n, kind, effect.blast.power) for n in t.field.near[label])
    if effect.drift:
        total *= (7 - drift_number(t.state, t.seat, label).value) / 6
    return total


def assault_gain(t: Table, unit: Unit, bonus: int = 0) -> float:
    """The best assault of a ready squad."""
    ready = unit.activation == READY and unit.condition == NORMAL
    if not ready or not unit.is_squad or has_heavy_weapon(unit) or unit.aboard:
        return -9.0
    return best_assault(t, unit, movement_points(t, unit, ASSAULT) + 3, None, bonus)[0]


def again_gain(t: Table, unit: Unit) -> float:
    """What a tired unit would do, were it ready again."""
    if unit.activation != FATIGUED or unit.condition != NORMAL:
        return 0.0
    plans = unit_plans(t, msgspec.structs.replace(unit, activation=READY))
    return max(plan.score for plan in plans)


# --- the effects of cards ---------------------------------------------------------------------


def unit_by(score: Callable[[Table, Unit], float]) -> Ask:
    """The unit with the best score; whoever may stop does so when it is not worth it."""

    def ask(t: Table, decision: Decision) -> Answer:
        def value(option: str) -> float:
            if not option.startswith("u:"):
                return 0.0
            return score(t, t.state.units[option[2:]])

        return best_of(decision, value), None

    return ask


def _worth(t: Table, unit: Unit) -> float:
    return t.worth(unit)


def target_hex(t: Table, decision: Decision) -> Answer:
    """Where the shells hurt most."""
    name = str(decision.ruling.msg.facts["card"])
    known = {option.id for option in decision.options}
    marks = [label for label in _marks(t) if f"h:{label}" in known]
    if not marks or CARDS[name].effect.id != "off_board_attack":
        return first(t, decision)
    label = max(marks, key=lambda one: strike_value(t, name, one))
    return f"h:{label}", msg(N_("The shells hurt most in {hex}"), hex=label)


def hex_for_card(t: Table, decision: Decision) -> Answer:
    """Trenches, wire and cleared mines near the goals; smoke only where it must be."""
    known = [option.id for option in decision.options if option.id.startswith("h:")]
    if not known or any(option.id == "b:fine" for option in decision.options):
        return always("b:fine")(t, decision)
    return max(known, key=lambda one: near_goal(t, one[2:])), None


# --- command ----------------------------------------------------------------------------------


def spend(t: Table, decision: Decision) -> Answer:
    """Useful cards first; then the initiative, when it can be had, and the rest is kept."""
    known = {option.id for option in decision.options}
    army = t.state.armies[t.side]
    best, score = "", 0.0
    for option in sorted(known):
        if option.startswith("c:"):
            value = command_value(t, option[2:])
            if value > score:
                best, score = option, value
    if best:
        return best, msg(N_("{card} is worth its cost now"), card=best[2:])
    keep = max((CARDS[name].cost for name in army.hand if CARDS[name].phase == "action"), default=0)
    free = army.command - (keep if t.temper.sharp else 1)
    if t.state.round >= t.state.rounds:
        free = army.command
    theirs = t.state.armies[enemy(t.side)].initiative
    holder = t.state.initiative == t.side
    need = theirs - army.initiative + (1 if holder else 0)
    if need > 0 and free >= need and f"n:{need}" in known:
        return f"n:{need}", msg(N_("{n} command take the initiative"), n=need)
    if free > 3 and f"n:{free - 2}" in known:
        return f"n:{free - 2}", msg(N_("Command to spare goes on the initiative"))
    return "b:fine", msg(N_("Command is kept for cards"))


def command_value(t: Table, name: str) -> float:
    """What a card of the Command Phase brings, less its price."""
    card = CARDS[name]
    effect = card.effect
    last = t.state.round >= t.state.rounds
    gain = 0.0
    if effect.id in LASTING:
        gain = 0.0 if last else LASTING[effect.id]
    elif effect.id == "receive_squad":
        gain = 0.0 if t.state.rounds - t.state.round < 3 else 3.5
    elif effect.id in ("rally_pinned", "rally_one"):
        shaken = sum(unit.condition != NORMAL for unit in t.mine if t.owns(unit))
        gain = 0.8 * min(shaken, max(1, effect.n))
    elif effect.id == "receive_regulars":
        hurt = sum(is_reduced(unit) for unit in t.mine if t.owns(unit))
        gain = 0.9 * min(effect.n, hurt)
    elif effect.id == "draw_card":
        gain = 0.0 if last else 0.7
    elif effect.id == "raise_initiative":
        gain = 0.8
    elif effect.id == "cut_initiative":
        gain = 0.5 * t.state.armies[enemy(t.side)].initiative
    elif effect.id == "give_token":
        gain = 1.5 * any(is_vehicle(unit) for unit in t.theirs)
    elif effect.id == "place_wire":
        gain = 0.0 if t.attacks else 0.7
    return gain - 0.4 * card.cost


CARD_ANSWERS: dict[str, Ask] = {
    "action.next": action,
    "command.spend": spend,
    "command.agree-card": always("b:si"),
    "command.agree-initiative": always("b:si"),
    "cards.deck": always(*DECK_ORDER),
    "cards.plus": always("b:pesca"),
    "cards.discard": always("b:si"),
    "cards.target": target_hex,
    "cards.smoke": hex_for_card,
    "cards.trench": hex_for_card,
    "cards.wire": hex_for_card,
    "cards.rally": unit_by(_worth),
    "cards.regular": unit_by(_worth),
    "cards.conceal": unit_by(_worth),
    "cards.specialist": unit_by(lambda t, unit: -t.worth(unit)),
    "cards.repair": unit_by(_worth),
    "cards.enemy": unit_by(_worth),
    "cards.transport": unit_by(_worth),
    "cards.fire": unit_by(_worth),
    "cards.ready": unit_by(again_gain),
    "cards.assault": unit_by(assault_gain),
    "cards.assault-again": unit_by(lambda t, unit: assault_gain(t, unit) - 0.3),
    "special.smoke": hex_for_card,
    "special.mines": hex_for_card,
}
"""What is answered about actions, cards and command, by the id of the question."""
