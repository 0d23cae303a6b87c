"""The program's players think in a process of their own; whoever asks for advice asks them.

A player sees what any player of that side sees: a View and a Decision.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from app.play.process import Answer, GameProcess, serve
from app.shell.child import ChildFailed
from engine.core.rules import Side
from engine.core.text import Msg, PlainMsg
from engine.core.title import Player, Title
from engine.drive import player_of
from engine.game import Position
from engine.saves.lines import Header


class Choice(msgspec.Struct, frozen=True):
    """What a player answers, and why."""

    option: str
    reason: PlainMsg | None = None


class BotProcess(GameProcess):
    """The process of the players of one game."""

    module = "app.play.bots"

    async def choose(self, at: Position[Any], level: str = "") -> tuple[str, Msg | None]:
        """The answer to the decision of a position, and why.

        Without a level, of the player who sits there.
        """
        parts: list[bytes] = []
        await self.ask(at, level, parts.append)
        try:
            found = msgspec.json.decode(parts[0], type=Choice)
            return found.option, found.reason.msg() if found.reason is not None else None
        except (LookupError, ValueError) as error:
            self.close()
            raise ChildFailed from error


def players(title: Title[Any], header: Header) -> Answer:
    """Answers with the choices of the players of a game, who remember what they have seen."""
    known: dict[tuple[Side, str], Player] = {}
    rng = random.Random(header.seed if header.post is None else None)

    def choose(at: Position[Any], level: str) -> Iterator[Choice]:
        decision = at.decision
        assert decision is not None
        seat = decision.side, level or header.players[decision.side]
        if seat not in known:
            known[seat] = player_of(title, seat[1])
        player = known[seat]
        option = player.choose(partial(title.view, at.draft, decision.side), decision, rng)
        reason = player.reason()
        yield Choice(option, PlainMsg.of(reason) if reason is not None else None)

    return choose


if __name__ == "__main__":
    serve(players)
