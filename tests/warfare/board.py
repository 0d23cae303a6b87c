"""Builders: a position in a few lines, answers, and what was cited or refused.

The map `esempi` is open ground but for: cover C2, I2, J2, I3, E4; high ground J5, I6, J6; a
fortification D7 with triangles towards C6, C7 and C8; water H8, I8, H10, I10; a bridge H9, I9.
"""

from __future__ import annotations

from typing import Any

from engine.core.rules import Refused
from engine.game import Game, ScriptedChance
from engine.warfare import TITLE
from engine.warfare.state.events import Spent
from engine.warfare.state.state import LIGHT, WEAPON_IDS, State

A10 = {"us_a10": {"lato": "blu"}}
FAR = {"tipo": "ins_cellula", "esagono": "L1"}
"""An enemy that takes no part."""


def u(kind: str, hex: str = "", **more: Any) -> dict[str, Any]:
    """A unit of a position."""
    return {"tipo": kind, **({"esagono": hex} if hex else {}), **more}


def table(units: dict[str, Any], *, dice: tuple[int, ...] = (), **given: Any) -> Game[State]:
    """A game with blue active and ten AP ahead, unless told otherwise."""
    if "posizioni" not in given and given.get("scenario") is None:
        given.setdefault("caselle", {"blu": 30, "verde": 20})
    start = TITLE.position({"unita": units, **given})
    return Game(TITLE, "s1", ScriptedChance([(face,) for face in dice]), start=start)


def say(game: Game[State], *answers: str) -> State:
    """Answer, one decision after the other."""
    for answer in answers:
        game.answer(answer)
    return game.position.draft


def go(game: Game[State], unit: str, *hexes: str) -> State:
    """Move a unit along a path."""
    return say(game, f"u:{unit}", "b:muovi", *(f"h:{hex}" for hex in hexes), "b:vai")


def attack(
    units: dict[str, Any],
    *,
    dice: tuple[int, ...],
    value: str = LIGHT,
    supports: dict[str, Any] | None = None,
    target: str = "v1",
    verb: str = "cas",
    **given: Any,
) -> Game[State]:
    """A game in which the first of the supports, an A-10 unless told otherwise, attacks."""
    game = table(units, supporti=supports or A10, dice=dice, **given)
    name = next(iter(supports or A10))
    say(game, f"c:{name}", f"b:{verb}", f"b:{WEAPON_IDS[value]}", f"u:{target}")
    return game


def now(game: Game[State]) -> State:
    """The table as it is."""
    return game.position.draft


def asked(game: Game[State]) -> str:
    """Who is asked."""
    decision = game.position.decision
    assert decision is not None
    return decision.side


def offered(game: Game[State]) -> list[str]:
    """The options."""
    decision = game.position.decision
    assert decision is not None
    return [option.id for option in decision.options]


def against(game: Game[State], option: str) -> set[str]:
    """The rules against an option that must not be on offer."""
    decision = game.position.decision
    assert decision is not None
    assert option in decision.refused, f"{option} is not refused: {offered(game)}"
    return {ref.partition(":")[2] for r in decision.why_not(option) for ref in r.refs}


def cited(game: Game[State]) -> set[str]:
    """Every rule cited so far."""
    return {ref.partition(":")[2] for step in game.steps for ref in step.ruling.refs}


def rolled(game: Game[State]) -> list[str]:
    """The dice rolled so far."""
    return [step.chance.dice for step in game.steps if hasattr(step.chance, "dice")]


def paid(game: Game[State]) -> list[tuple[str, int]]:
    """Who paid how many AP so far, in order."""
    return [(s.event.side, s.event.n) for s in game.steps if isinstance(s.event, Spent)]


def told(game: Game[State], locator: str) -> list[dict[str, Any]]:
    """The facts of every step that cites this rule."""
    ref = f"warfare:{locator}"
    return [dict(s.ruling.msg.facts) for s in game.steps if ref in s.ruling.refs]


def question(game: Game[State]) -> str:
    """The id of the open question."""
    decision = game.position.decision
    assert decision is not None
    return decision.id


def why(game: Game[State]) -> set[str]:
    """The rules that the open question cites."""
    decision = game.position.decision
    assert decision is not None
    return {ref.partition(":")[2] for ref in decision.ruling.refs}


def refused(game: Game[State], answer: str) -> bool:
    """Whether an answer is thrown back."""
    try:
        game.answer(answer)
    except Refused:
        return True
    return False
