"""Answers between plans: overwatch, SAM, duels, jamming, arrows, hexes.

The reactions of all levels are those of the solo opponent (warfare:solitario.cenno).
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from engine.core.decisions import Decision
from engine.core.rules import Side
from engine.core.text import N_, msg
from engine.kit.player import Answer
from engine.warfare.bot.judgement import WEAPON_BUTTONS, fire_die, objectives, points_of
from engine.warfare.rules.fire import WEAPONS, can_fire_at
from engine.warfare.rules.fortifications import terrain_shift
from engine.warfare.rules.sight import can_see
from engine.warfare.state.ascs import clamp, index
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import State, are_enemies, enemies, unit_at
from engine.warfare.state.tables import ENGINEERS, HIDDEN, RECON, SUPPORTS

PINK, GREY, GREEN = 1, 2, 3
QUIET = ("b:vai", "b:resta", "b:rinuncia", "b:attendi")


def some_answer(offered: list[str]) -> str:
    """What changes least, or else the first thing on offer."""
    return next((quiet for quiet in QUIET if quiet in offered), offered[0])


def _offered(decision: Decision) -> list[str]:
    return [option.id for option in decision.options]


def _whatever(state: State, decision: Decision) -> Answer:
    """A detail on which little depends, or a plan that came to nothing."""
    return some_answer(_offered(decision)), None


def _weapon(state: State, decision: Decision) -> Answer:
    facts = decision.ruling.msg.facts
    one, target = state.units[str(facts["unit"])], state.units[str(facts["target"])]
    best = max(WEAPONS, key=lambda w: fire_die(state, one, w, target))
    return WEAPON_BUTTONS[best], msg(N_("the better die"))


def _fire_first(state: State, decision: Decision) -> Answer:
    return _offered(decision)[0], msg(N_("it always fires first"))


def _jam(state: State, decision: Decision) -> Answer:
    able = [o for o in _offered(decision) if o.startswith("u:")]
    best = max(able, key=lambda o: index(state.units[o[2:]].values.icons[RECON]))
    return best, msg(N_("a drone is always jammed"))


def _arrow(state: State, decision: Decision) -> Answer:
    field = field_of(state)
    around = field.by_direction[str(decision.ruling.msg.facts["hex"])]
    ways = [n for n, h in enumerate(around) if h and _is_foe(state, decision.side, h)]
    name = field.board.grid.direction_name(ways[0] if ways else 0)
    return f"b:freccia-{name}", msg(N_("the arrow points at an enemy"))


def _people(state: State, decision: Decision) -> Answer:
    field, side = field_of(state), decision.side
    best = max(
        _offered(decision),
        key=lambda o: sum(_is_foe(state, side, h) for h in field.around[o[2:]]),
    )
    return best, msg(N_("beside most enemies"))


def _turned(state: State, decision: Decision) -> Answer:
    best = max(_offered(decision), key=lambda o: points_of(state.units[o[2:]]))
    return best, msg(N_("the most valuable target"))


def _nearest(state: State, decision: Decision) -> Answer:
    goals, field = objectives(state, decision.side), field_of(state)
    if not goals:
        return _whatever(state, decision)
    nearest = min(_offered(decision), key=lambda o: min(field.distance(o[2:], g) for g in goals))
    return nearest, msg(N_("nearest to its goal"))


def _marker(state: State, decision: Decision) -> Answer:
    """The owner knows what lies there."""

    def die(option: str) -> int:
        colour = HIDDEN[state.hidden[option[2:]].item].die
        return -1 if colour is None else index(colour)

    return max(_offered(decision), key=die), msg(N_("the worst marker comes first"))


def _smoke(state: State, decision: Decision) -> Answer:
    """Before the nearest enemy."""
    field, foes = field_of(state), enemies(state, decision.side)
    if not foes:
        return _whatever(state, decision)
    best = min(_offered(decision), key=lambda o: min(field.distance(o[2:], e.hex) for e in foes))
    return best, msg(N_("before the nearest enemy"))


def _is_foe(state: State, side: Side, hex: str) -> bool:
    other = unit_at(state, hex)
    return other is not None and are_enemies(state, other.side, side)


def _overwatch(state: State, decision: Decision) -> Answer:
    """Fire where the die is best along the declared path; hold if it is white."""
    offered, facts = _offered(decision), decision.ruling.msg.facts
    mover = state.units[str(facts["unit"])]
    best, who = 0, ""
    for option in offered:
        if option.startswith("c:"):
            die = index(SUPPORTS[state.supports[option[2:]].type].light.die)
        elif option.startswith("u:"):
            one = state.units[option[2:]]
            fit = [w for w in WEAPONS if can_fire_at(state, one, w, mover)]
            die = max((fire_die(state, one, w, mover) for w in fit), default=0)
        else:
            continue
        if die > best:
            best, who = die, option
    if best < PINK:
        return "b:attendi", msg(N_("only a white die: it holds"))
    ahead = facts.get("ahead", ())
    if isinstance(ahead, tuple) and who.startswith("u:"):
        one, field = state.units[who[2:]], field_of(state)
        here = terrain_shift(field, mover.hex, one.hex)
        later = [
            str(h)
            for h in ahead
            if field.distance(one.hex, str(h)) <= one.values.light.range
            and can_see(state, one, str(h))
            and terrain_shift(field, str(h), one.hex) > here
        ]
        if later:
            return "b:attendi", msg(N_("{hex} is a better place to fire"), hex=later[0])
    return who, msg(N_("the best die on the path"))


def _ied(state: State, decision: Decision) -> Answer:
    """Detonate under engineers, vehicles, damaged units, or with a good die."""
    name = str(decision.ruling.msg.facts["unit"])
    unit = state.units[name]
    if "b:detona" not in _offered(decision):
        return "b:rinuncia", None
    worth = unit.is_vehicle or unit.damage or ENGINEERS in unit.values.icons
    die = clamp(index("red") - unit.values.defence)
    if worth or die >= GREEN:
        return "b:detona", msg(N_("{unit} is worth the IED"), unit=name)
    return "b:rinuncia", msg(N_("the IED waits for a better target"))


def _sam(state: State, decision: Decision) -> Answer:
    """Fire with a grey die or better; as the aircraft leaves, whatever the die."""
    defence = state.supports[str(decision.ruling.msg.facts["support"])].values.defence
    able = [o for o in _offered(decision) if o.startswith("u:")]
    if not able:
        return "b:rinuncia", None

    def die(option: str) -> int:
        one = state.units[option[2:]]
        assert one.values.heavy is not None
        return clamp(index(one.values.heavy.die) - defence - one.damage)

    best = max(able, key=die)
    if die(best) >= GREY or not state.units[best[2:]].overwatch:
        return best, msg(N_("a good die against the aircraft"))
    return "b:rinuncia", msg(N_("the die is too poor"))


REACTIONS: MappingProxyType[str, Callable[[State, Decision], Answer]] = MappingProxyType(
    {
        "overwatch.who": _overwatch,
        "overwatch.weapon": _weapon,
        "recon.detonate": _ied,
        "sniper.duel": _fire_first,
        "drone.ram": _fire_first,
        "air.sam": _sam,
        "drone.jam": _jam,
        "drone.turned": _turned,
        "artillery.arrow": _arrow,
        "population.push": _people,
        **dict.fromkeys(("setup.arrival", "airborne.beside", "roadblock.remove"), _nearest),
        "unknown.first": _marker,
        "smoke.hex": _smoke,
        **dict.fromkeys(
            (
                "move.next",
                "move.free",
                "airborne.hex",
                "transport.unload",
                "drone.send",
                "setup.tables",
                "setup.mission",
                "setup.face",
            ),
            _whatever,
        ),
    }
)
