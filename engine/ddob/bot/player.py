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
from engine.ddob.bot.ground import FAR
from engine.ddob.bot.inland import INLAND, Inland
from engine.ddob.bot.plans import DEPTH_SHARE, Idea, Planner, doomed
from engine.ddob.bot.table import MINDS
from engine.ddob.state.ground import LAND, NEIGHBOURS
from engine.ddob.state.state import Unit, is_extended, named_hex, threats
from engine.ddob.state.tables import BOX_ROW, BOXES, UNITS, tide
from engine.ddob.table.view import OmahaView

WHAT = N_("What does {unit} do?")
DRIFT = N_("How far does {unit} drift?")


class Commander:
    """Answers every question of the American player."""

    knows: frozenset[str] = frozenset()

    def __init__(self, level: str) -> None:
        self._mind = MINDS[level]
        self._plan: list[str] = []
        self._why: Msg | None = None
        self._to = ""
        self._walkers = 1
        self._target = ""
        self._table: Planner | None = None
        self._phase: tuple[int, str] = (0, "")
        self._hopes: dict[str, float] = {}

    def reason(self) -> Msg | None:
        """Why the last choice was made."""
        return self._why if self._mind.is_thorough else None

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """The id of an option."""
        offered = [option.id for option in decision.options]
        question = decision.ruling.msg.id
        if len(offered) == 1:
            if self._plan and self._plan[0] == offered[0]:
                self._plan.pop(0)
            return offered[0]
        if "who acts?" not in question and self._plan and self._plan[0] in offered:
            self._to = self._plan[0][2:]
            return self._plan.pop(0)
        self._plan = []
        self._why = None
        seen = look()
        assert isinstance(seen, OmahaView)
        assert seen.known is not None
        kind = Inland if is_extended(seen.known) else Planner
        table = kind(seen.known, self._mind, rng, self._table)
        self._table = table
        if "who acts?" in question:
            return self._act(table, offered)
        return self._answer(table, question, decision, offered)

    def _act(self, table: Planner, offered: list[str]) -> str:
        """The best idea of all units that may act; leaders move when the others are done (7.33)."""
        self._walkers = 1
        phase = (table.state.turn, table.state.division)
        if phase != self._phase:
            self._phase, self._hopes = phase, {}
        leaders = [o for o in offered if is_leader(o)]
        for able in ([o for o in offered if o not in leaders], leaders):
            best = self._best(table, able)
            if best is not None:
                self._why = best.why
                self._plan = list(best.answers[1:])
                self._target = str(best.why.facts.get("hex", ""))
                self._hopes.pop(best.answers[0], None)
                return best.answers[0]
        self._why = msg(N_("no other action promises anything"))
        return "b:fine"

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

    def _answer(self, table: Planner, question: str, decision: Decision, offered: list[str]) -> str:
        """Everything that is asked between actions."""
        state = table.state
        units = [o for o in offered if o.startswith("u:") and o[2:] in state.units]
        hexes = [o for o in offered if o.startswith("h:")]
        for button in ("b:via", "b:avanti", "b:sali", "b:sacrifica", "b:tutte", "b:segui"):
            if button in offered:
                return button
        if question == WHAT:
            return self._act_with(table, str(decision.ruling.msg.facts["unit"]), offered)
        if any(o.startswith("b:arma-") for o in offered):
            weapons = [o for o in offered if o.startswith("b:arma-")]
            return weapons[0] if len(weapons) == 1 else "b:forza"
        if "b:forza" in offered:
            return "b:forza"
        if "b:no" in offered:
            return self._attrition(table, units)
        if "b:solo" in offered:
            return self._company(table, units)
        if "b:ferma" in offered:
            return self._walk(table, str(decision.ruling.msg.facts["unit"]), hexes)
        if isinstance(table, Inland) and question in INLAND:
            return table.answer(question, str(decision.ruling.msg.facts.get("unit", "")), offered)
        if hexes:
            return self._spot(table, question, decision, hexes)
        if units and question in PRECIOUS:
            return max(units, key=lambda o: (self._value(table, o[2:]), o))
        if units and "b:basta" not in offered:
            return f"u:{doomed(state, [o[2:] for o in units])}"
        if question == DRIFT:
            return self._drift(table, str(decision.ruling.msg.facts["unit"]), offered)
        return offered[0]

    def _attrition(self, table: Planner, units: list[str]) -> str:
        """The cheapest step is given for a depth marker, where the target is worth it (8.3)."""
        prices = {o: table.price(table.state.units[o[2:]]) for o in units}
        least = min(units, key=lambda o: (prices[o], o))
        worth = DEPTH_SHARE * table.prize.get(self._target, 0.0)
        return least if worth > prices[least] else "b:no"

    def _drift(self, table: Planner, name: str, offered: list[str]) -> str:
        """Rangers go ashore where it is best for them (5.13)."""
        unit = table.state.units[name]
        spot = BOX_ROW.index(unit.at)
        water = tide(table.state.turn)
        return max(
            offered, key=lambda o: (self._shore(table, unit, BOX_ROW[spot - int(o[2:])], water), o)
        )

    def _shore(self, table: Planner, unit: Unit, box: str, water: str) -> float:
        """What it is worth to land from a box: where one comes ashore, and where one goes on."""
        label = BOXES[box].waterline(water)
        if label not in NEIGHBOURS:
            return -FAR
        around = max(table.place(unit, h) for h in (label, *NEIGHBOURS[label]))
        return table.place(unit, label) + 0.5 * around - 0.3 * table.crowd(label)

    def _value(self, table: Planner, name: str) -> float:
        unit = table.state.units[name]
        near = table.pull(unit, unit.at) if unit.at in NEIGHBOURS else 0.0
        return unit.strength + near

    def _act_with(self, table: Planner, name: str, offered: list[str]) -> str:
        unit = table.state.units[name]
        best, value = "b:resta", 0.0
        for idea in table.ideas(unit):
            if len(idea.answers) > 1 and idea.answers[1] in offered and idea.value > value:
                best, value = idea.answers[1], idea.value
                self._plan, self._why = list(idea.answers[2:]), idea.why
        return best if best in offered else offered[-1]

    def _company(self, table: Planner, units: list[str]) -> str:
        """Somebody goes along where there is room and the other hex is better."""
        to = self._to
        if to not in NEIGHBOURS or table.crowd(to) >= 1:
            return "b:solo"
        for option in units:
            unit = table.state.units[option[2:]]
            if table.place(unit, to) > table.place(unit, unit.at) + 0.05:
                self._walkers = 2
                return option
        return "b:solo"

    def _walk(self, table: Planner, name: str, hexes: list[str]) -> str:
        unit = table.state.units[name]
        here = table.place(unit, unit.at) if unit.at in NEIGHBOURS else 0.0
        free = [o for o in hexes if table.crowd(o[2:]) + self._walkers <= 2]
        best = max(free, key=lambda o: (table.place(unit, o[2:]), o), default=None)
        if best is None or table.place(unit, best[2:]) <= here + 0.02:
            return "b:ferma"
        return best

    def _spot(self, table: Planner, question: str, decision: Decision, hexes: list[str]) -> str:
        """A hex or landing box: for an American the safest and nearest, for a German the least."""
        state = table.state
        name = str(decision.ruling.msg.facts.get("unit", ""))
        if name in state.units:
            unit = state.units[name]

            def rate(option: str) -> tuple[float, str]:
                label = option[2:]
                if label in BOXES:
                    return self._shore(table, unit, label, tide(min(state.turn + 1, 32))), option
                if label not in NEIGHBOURS:
                    return -FAR, option
                return table.place(unit, label) - 0.6 * max(0, table.crowd(label) - 1), option

            return max(hexes, key=rate)
        germans = [o for o in hexes if named_hex(o[2:]) in state.germans]
        if germans:
            sign = 1 if question in STRIKES else -1
            return max(germans, key=lambda o: (sign * table.volley(named_hex(o[2:])), o))
        return min(
            hexes, key=lambda o: (len(list(threats(state, o[2:]))) if o[2:] in LAND else 0, o)
        )


PRECIOUS = (
    N_("Which unit of division {division} does {hero} lead?"),
    N_("Which unit recovers a step?"),
)
"""Questions where the best unit is named; elsewhere the one that is missed least."""

STRIKES = (
    N_("Which hex do the ships hit?"),
    N_("Which hex does {unit} barrage?"),
    N_("Which hex does {unit} attack?"),
    N_("Which unit is reported?"),
    N_("Which unit does the prisoner betray?"),
)
"""Questions where the most dangerous German is named; elsewhere the least."""


def is_leader(option: str) -> bool:
    """Whether an option names an HQ or a general."""
    return option.startswith("u:") and UNITS[option[2:]].is_leader


def _ideas(table: Planner, option: str) -> Iterator[Idea]:
    """What an option of the action phase offers."""
    if option == "b:navale":
        yield from table.naval()
    elif option.startswith("u:"):
        yield from table.ideas(table.state.units[option[2:]])
