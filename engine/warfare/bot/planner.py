"""A player that plans a whole action, and answers what comes in between by rules of thumb.

Found in the middle of an action that somebody else began, it takes the best plan that begins so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from engine.core.decisions import Decision
from engine.core.rules import Side
from engine.core.text import N_, Msg, msg
from engine.core.view import View
from engine.warfare.bot.reactions import REACTIONS, some_answer
from engine.warfare.state.state import WEAPON_IDS, State
from engine.warfare.table.view import WarfareView

WHO = "action.who"
ANY = "*"
BEGUN: dict[str, tuple[str, ...]] = {
    WHO: (),
    "action.what": ("u:{unit}",),
    "fire.weapon": ("u:{unit}", "b:fuoco"),
    "fire.target": ("u:{unit}", "b:fuoco", "b:{weapon}"),
    "assault.target": ("u:{unit}", "b:assalta"),
    "recovery.die": ("u:{unit}", "b:recupera"),
    "population.turn": ("u:{unit}", "b:converti"),
    "transport.load": ("u:{unit}", "b:carica"),
    "roadblock.place": ("u:{unit}", "b:sbarra"),
    "recon.marker": ("u:{unit}", "b:ricognizione"),
    "clearing.marker": ("u:{unit}", "b:bonifica"),
    "suppression.target": ("u:{unit}", "b:sopprimi"),
    "martyrdom.target": ("u:{unit}", "b:martirio"),
    "support.what": ("c:{support}",),
    "support.value": ("c:{support}", ANY),
    "support.target": ("c:{support}", ANY, "b:{weapon}"),
    "artillery.target": ("c:{support}", "b:colpisci", "b:{weapon}"),
    "sniper.target": ("c:{support}", "b:mira"),
}
"""What was answered before each question of an action, with the facts of the question."""


class Intent(Protocol):
    """A plan: the answers of a whole action, and why."""

    @property
    def answers(self) -> tuple[str, ...]:
        """From who acts to the last detail."""
        ...

    @property
    def reason(self) -> Msg:
        """In one line."""
        ...


class Planner(ABC):
    """Thinks when it has to act or finds an action begun; otherwise follows its plan or reacts."""

    knows = frozenset((*BEGUN, *REACTIONS))
    idle: Msg = msg(N_("nothing is worth its AP: pass"))

    def __init__(self) -> None:
        self._plan: list[str] = []
        self._reason: Msg | None = None

    @abstractmethod
    def think(
        self, state: State, side: Side, begun: Sequence[str], offered: list[str], rng: Random
    ) -> Intent | None:
        """The best plan that goes on from what was begun with something on offer."""

    def reason(self) -> Msg | None:
        """Why the last choice was made."""
        return self._reason

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """The id of an option."""
        offered = [option.id for option in decision.options]
        if decision.id != WHO:
            if self._plan and self._plan[0] in offered:
                return self._plan.pop(0)
            if len(offered) == 1:
                return offered[0]
        self._plan = []
        seen = look()
        assert isinstance(seen, WarfareView)
        if decision.id not in BEGUN:
            return self.react(seen.known, decision, offered)
        begun = begun_of(decision)
        found = self.think(seen.known, decision.side, begun, offered, rng)
        if found is None:
            self._reason = self.idle
            return "b:passa" if decision.id == WHO else some_answer(offered)
        answer, *self._plan = found.answers[len(begun) :]
        self._reason = found.reason
        return answer

    def react(self, state: State, decision: Decision, offered: list[str]) -> str:
        """An answer in between, by a rule of thumb."""
        answer, self._reason = REACTIONS[decision.id](state, decision)
        return answer if answer in offered else offered[-1]


def begun_of(decision: Decision) -> list[str]:
    """What was answered before a question, as far as its facts tell."""
    facts = dict(decision.ruling.msg.facts)
    facts["weapon"] = WEAPON_IDS.get(str(facts.get("weapon")), "")
    return [answer.format_map(facts) for answer in BEGUN[decision.id]]


def begins_so(answers: tuple[str, ...], begun: Sequence[str]) -> bool:
    """Whether a plan begins like this and goes on."""
    return len(answers) > len(begun) and all(
        told in (ANY, answer) for told, answer in zip(begun, answers, strict=False)
    )
