"""Positions of D-Day at Omaha Beach in a few lines, and what came of them."""

from __future__ import annotations

from typing import Any

from engine.ddob import TITLE
from engine.ddob.state.state import State
from engine.game import Game, ScriptedChance


def state(**given: Any) -> State:
    """A state in the form of example files."""
    return TITLE.position(given)


def table(*draws: str, **given: Any) -> Game[State]:
    """A game that starts from a position, with the draws given."""
    scenario = given.get("scenario", "first-wave")
    options = given.get("opzioni", {})
    return Game(TITLE, scenario, ScriptedChance(draws), options, start=state(**given))


def act(game: Game[State], *options: str) -> State:
    """Answer one option after the other; the state that follows."""
    for option in options:
        game.answer(option)
    return game.position.draft


def now(game: Game[State]) -> State:
    """The state that a screen would show."""
    return game.position.draft


def cited(game: Game[State]) -> set[str]:
    """The locators of every step so far."""
    return {ref.partition(":")[2] for step in game.steps for ref in step.ruling.refs}


def offered(game: Game[State]) -> set[str]:
    """The options that can be answered."""
    decision = game.position.decision
    assert decision is not None
    return {option.id for option in decision.options}


def against(game: Game[State], option: str) -> set[str]:
    """The locators that forbid an option."""
    decision = game.position.decision
    assert decision is not None
    assert decision.option(option) is None, f"{option} is offered"
    return {ref.partition(":")[2] for ruling in decision.refused[option] for ref in ruling.refs}
