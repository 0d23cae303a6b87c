"""Players of two levels: every action is priced, and the best is taken until none is worth it.

Both see what the player sees. The middle level weighs danger roughly and hesitates; the hard one
counts the cards left and what a face-down unit may be, runs for open points at the end, and says
why. Targets are set once in a phase and set anew when a German falls or comes; after every action
only the units that promised most are weighed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from engine.core.decisions import Decision
from engine.core.text import N_, Msg, msg
from engine.core.view import View
from engine.ddob.bot.fire import MINDS
from engine.ddob.bot.ground import FAR
from engine.ddob.bot.inland import Inland
from engine.ddob.bot.plans import DEPTH_SHARE, Idea, Planner, doomed
from engine.ddob.state.ground import LAND, NEIGHBOURS
from engine.ddob.state.state import Unit, is_extended, named_hex, threats
from engine.ddob.state.tables import BOX_ROW, UNITS, tide
from engine.ddob.table.view import OmahaView
from engine.kit.player import Answer, Strategist

WHO_ACTS = "actions.who"
WEAPON = "b:arma-"


class Commander(Strategist[Planner]):
    """Answers every question of the American player."""

    def __init__(self, level: str) -> None:
        self._mind = MINDS[level]
        planned = {
            WHO_ACTS: self._act,
            "actions.what": self._act_with,
            "move.together": self._company,
            "move.next": self._walk,
            "infiltrate.leader": self._company,
            "attack.attrition": self._attrition,
        }
        super().__init__({**BETWEEN_ACTIONS, **planned}, is_sharp=self._mind.is_thorough)
        self._plan: list[str] = []
        self._to = ""
        self._walkers = 1
        self._target = ""
        self._table: Planner | None = None
        self._phase: tuple[int, str] = (0, "")
        self._hopes: dict[str, float] = {}
        self._rng = Random(0)

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """What was planned, as long as it is offered; else what promises most."""
        planned = self._plan[0] if self._plan else ""
        if len(decision.options) == 1:
            if planned == decision.options[0].id:
                self._plan.pop(0)
            return decision.options[0].id
        if planned and decision.id != WHO_ACTS and decision.option(planned) is not None:
            self._to = planned[2:]
            return self._plan.pop(0)
        self._plan = []
        self._rng = rng
        return super().choose(look, decision, rng)

    def sit_down(self, look: Callable[[], View], decision: Decision) -> Planner:
        """The table, weighed with what is left of the one before."""
        seen = look()
        assert isinstance(seen, OmahaView)
        assert seen.known is not None
        kind = Inland if is_extended(seen.known) else Planner
        self._table = kind(seen.known, self._mind, self._rng, self._table)
        return self._table

    def _act(self, table: Planner, decision: Decision) -> Answer:
        """The best idea of all units that may act; leaders move when the others are done (7.33)."""
        offered = ids(decision)
        self._walkers = 1
        phase = (table.state.turn, table.state.division)
        if phase != self._phase:
            self._phase, self._hopes = phase, {}
        leaders = [o for o in offered if is_leader(o)]
        for able in ([o for o in offered if o not in leaders], leaders):
            best = self._best(table, able)
            if best is not None:
                self._plan = list(best.answers[1:])
                self._target = str(best.why.facts.get("hex", ""))
                self._hopes.pop(best.answers[0], None)
                return best.answers[0], best.why
        return "b:fine", msg(N_("no other action promises anything"))

    def _best(self, table: Planner, offered: list[str]) -> Idea | None:
        """The best idea worth an action: first among those that promised most, then among all."""
        fresh: dict[str, float] = {}
        best: Idea | None = None
        for is_last_look in (False, True):
            while True:
                floor = self._mind.least if best is None else best.value
                left = [o for o in offered if o not in fresh]
                likely = [o for o in left if is_last_look or self._hopes.get(o, FAR) > floor]
                if not likely:
                    break
                option = max(likely, key=lambda o: (self._hopes.get(o, FAR), o))
                found = max(_ideas(table, option), key=lambda i: i.value, default=None)
                fresh[option] = self._hopes[option] = found.value if found else -FAR
                if found is not None and found.value > floor:
                    best = found
            if best is not None:
                break
        return best

    def _act_with(self, table: Planner, decision: Decision) -> Answer:
        """The best idea of one unit; else it stays."""
        best, value = "b:resta", 0.0
        why: Msg | None = None
        for idea in table.ideas(unit_of(table, decision)):
            if len(idea.answers) < 2 or idea.value <= value:
                continue
            if decision.option(idea.answers[1]) is not None:
                best, value, why = idea.answers[1], idea.value, idea.why
                self._plan = list(idea.answers[2:])
        return best, why

    def _attrition(self, table: Planner, decision: Decision) -> Answer:
        """The cheapest step is given for a depth marker, where the target is worth it (8.3)."""
        prices = {o: table.price(table.state.units[o[2:]]) for o in ids(decision, "u:")}
        least = min(prices, key=lambda o: (prices[o], o))
        worth = DEPTH_SHARE * table.prize.get(self._target, 0.0)
        return least if worth > prices[least] else "b:no", None

    def _company(self, table: Planner, decision: Decision) -> Answer:
        """Somebody goes along where there is room and the other hex is better."""
        to = self._to
        if to in NEIGHBOURS and not table.crowd(to):
            for option in ids(decision, "u:"):
                unit = table.state.units[option[2:]]
                if table.place(unit, to) > table.place(unit, unit.at) + 0.05:
                    self._walkers = 2
                    return option, None
        return "b:solo", None

    def _walk(self, table: Planner, decision: Decision) -> Answer:
        """On to a better hex with room for all who walk, or stop (17.1)."""
        unit = unit_of(table, decision)
        here = table.place(unit, unit.at) if unit.at in NEIGHBOURS else 0.0
        free = [o for o in ids(decision, "h:") if table.crowd(o[2:]) + self._walkers <= 2]
        best = max(free, key=lambda o: (table.place(unit, o[2:]), o), default=None)
        if best is None or table.place(unit, best[2:]) <= here + 0.02:
            return "b:ferma", None
        return best, None


def ids(decision: Decision, kind: str = "") -> list[str]:
    """The ids of the options, or those of one kind."""
    return [option.id for option in decision.options if option.id.startswith(kind)]


def unit_of(table: Planner, decision: Decision) -> Unit:
    """The unit that a question is about."""
    return table.state.units[str(decision.ruling.msg.facts["unit"])]


def is_leader(option: str) -> bool:
    """Whether an option names an HQ or a general."""
    return option.startswith("u:") and UNITS[option[2:]].is_leader


def _ideas(table: Planner, option: str) -> Iterator[Idea]:
    """What an option of the action phase offers."""
    if option == "b:navale":
        yield from table.naval()
    elif option.startswith("u:"):
        yield from table.ideas(table.state.units[option[2:]])


# What is asked between actions


def always(option: str) -> Callable[[Planner, Decision], Answer]:
    """The same answer every time, where it is offered."""
    return lambda _table, _decision: (option, None)


def first(_table: Planner, decision: Decision) -> Answer:
    """The order of the book."""
    return decision.options[0].id, None


def berth(table: Planner, decision: Decision) -> Answer:
    """A landing box or a hex to begin in (5.3, 21.1)."""
    return table.berth(unit_of(table, decision), ids(decision)), None


def retreat(table: Planner, decision: Decision) -> Answer:
    """A hex to fall back to (16.82)."""
    return table.refuge(unit_of(table, decision), ids(decision, "h:")), None


def drift(table: Planner, decision: Decision) -> Answer:
    """Rangers go ashore where it is best for them (5.13)."""
    unit = unit_of(table, decision)
    spot = BOX_ROW.index(unit.at)
    water = tide(table.state.turn)
    return max(
        ids(decision), key=lambda o: (table.shore(unit, BOX_ROW[spot - int(o[2:])], water), o)
    ), None


def hero(_table: Planner, decision: Decision) -> Answer:
    """The one weapon that is lacking, else strength (8.23)."""
    weapons = ids(decision, WEAPON)
    return weapons[0] if len(weapons) == 1 else "b:forza", None


def base(table: Planner, decision: Decision) -> Answer:
    """Engineers work from turn 17 on (19)."""
    assert isinstance(table, Inland)
    return table.engineer(ids(decision)), None


def post(table: Planner, decision: Decision) -> Answer:
    """HQs settle from turn 17 on (18)."""
    assert isinstance(table, Inland)
    return table.post(ids(decision)), None


def least_missed(table: Planner, decision: Decision) -> Answer:
    """The unit that had better take a loss."""
    return f"u:{doomed(table.state, [o[2:] for o in ids(decision, 'u:')])}", None


def most_precious(table: Planner, decision: Decision) -> Answer:
    """The strongest unit, near to what it is meant to take."""

    def worth(option: str) -> tuple[float, str]:
        unit = table.state.units[option[2:]]
        near = table.pull(unit, unit.at) if unit.at in NEIGHBOURS else 0.0
        return unit.strength + near, option

    return max(ids(decision, "u:"), key=worth), None


def volley(table: Planner, option: str) -> float:
    """What one firing of the German unit in a hex may cost."""
    return table.volley(named_hex(option[2:]))


def most_dangerous(table: Planner, decision: Decision) -> Answer:
    """The German unit whose fire costs most."""
    return max(ids(decision, "h:"), key=lambda o: (volley(table, o), o)), None


def least_dangerous(table: Planner, decision: Decision) -> Answer:
    """The German unit whose fire costs least."""
    return max(ids(decision, "h:"), key=lambda o: (-volley(table, o), o)), None


def least_watched(table: Planner, decision: Decision) -> Answer:
    """The hex in the fewest fields of fire."""

    def watched(option: str) -> tuple[int, str]:
        return len(list(threats(table.state, option[2:]))) if option[2:] in LAND else 0, option

    return min(ids(decision, "h:"), key=watched), None


BETWEEN_ACTIONS: dict[str, Callable[[Planner, Decision], Answer]] = {
    "setup.begin": first,
    "setup.hex": berth,
    "setup.box": berth,
    "landing.box": berth,
    "landing.drift": drift,
    "landing.follow": always("b:segui"),
    "landing.mine": least_missed,
    "events.hero": most_precious,
    "events.recovers": most_precious,
    "events.reported": most_dangerous,
    "events.betrayed": most_dangerous,
    "fire.target": least_missed,
    "fire.leader": least_missed,
    "losses.hero": always("b:sacrifica"),
    "reinforcements.depth": least_dangerous,
    "reoccupy.hex": least_watched,
    "redeploy.to": least_watched,
    "advance.losses": least_missed,
    "advance.retreat": retreat,
    "engineers.clear": least_watched,
    "engineers.base": base,
    "engineers.garrison": always("b:tutte"),
    "command.post": post,
    "actions.division": first,
    "infiltrate.go-on": always("b:avanti"),
    "climb.go-on": always("b:sali"),
    "attack.target": most_dangerous,
    "attack.units": always("b:via"),
    "attack.hero": hero,
    "barrage.target": most_dangerous,
    "naval.target": most_dangerous,
    "stacking.eliminated": least_missed,
}
