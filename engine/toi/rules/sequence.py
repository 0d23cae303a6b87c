"""The order of play: set-up, then rounds of three phases (round.fasi)."""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.toi.rules import activation, command, setup, status
from engine.toi.state.state import State


def play(ctx: Ctx[State]) -> None:
    """One procedure, from a resting state to the next full stop of the book."""
    match ctx.state.phase:
        case "set-up":
            setup.play(ctx)
        case "action":
            activation.play(ctx)
        case "command":
            command.play(ctx)
        case _:
            status.play(ctx)
