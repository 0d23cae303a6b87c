"""Which rules stand behind what is said, asked and refused: recorded, so that none changes unseen.

Crowded positions are played at random and the worked examples as they are written. Of each the
file in `traces/` holds every line once: the message of a step, of a question or of a refusal, and
its rules. `python -m tests.toi.test_traces` writes them again; the commit says why they changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from engine.examples import Playing, packaged, read
from engine.game import Game, SeededChance
from engine.toi import TITLE
from engine.toi.state import tables
from tests.titles.numbers import unexplained
from tests.titles.origins import ORIGINS

FOLDER = Path(__file__).parent / "traces"
DECISIONS = 200
GAMES = 4
BOLD = {
    "b:assalto",
    "b:assalta",
    "b:attacca",
    "b:partecipa",
    "b:scendi",
    "b:si",
    "b:fumo",
    "b:cura",
}
"""What a random player would choose too seldom."""
DECK = 6
"""How many cards each side holds: another six of all in each position."""

LAYOUTS = yaml.safe_load((Path(__file__).parent / "crowded.yaml").read_text(encoding="utf-8"))
OPERATIONS = [*tables.OPERATIONS]
CARDS = [*tables.CARDS]


def crowded() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Each layout with other cards and operations, until all of them have been held."""
    for place in range(0, len(CARDS), 2 * DECK):
        for name, layout in LAYOUTS.items():
            held = CARDS[place:] + CARDS[:place]
            position = {
                "mano": {"us": held[:DECK], "de": held[DECK : 2 * DECK]},
                "area": {"us": [one for one in held[-3:] if tables.CARDS[one].lasting]},
                "operazioni": {
                    "us": OPERATIONS[place // 6 % len(OPERATIONS) :][:2],
                    "de": OPERATIONS[-1 - place // 6 % len(OPERATIONS) :][:1],
                },
                **layout,
            }
            yield f"{name}-{place:02}", position, place


def said(game: Game[Any], seen: int) -> Iterator[str]:
    """What has been cited since, what is asked, and what is refused."""
    for step in game.steps[seen:]:
        yield f"  {step.ruling.msg.id} <{' '.join(step.ruling.refs)}>"
    asked, ended = game.position.decision, game.position.outcome
    if ended is not None:
        yield f"= {ended.degree} <{' '.join(ended.ruling.refs)}>"
    if asked is None:
        return
    yield f"? {asked.id} <{' '.join(asked.ruling.refs)}>"
    for rulings in asked.refused.values():
        for ruling in rulings:
            yield f"! {asked.id}: {ruling.msg.id} <{' '.join(ruling.refs)}>"


def played(position: dict[str, Any], seed: int) -> Iterator[str]:
    """Random games from a position."""
    for number in range(GAMES):
        yield from game_of(position, GAMES * seed + number)


def game_of(position: dict[str, Any], seed: int) -> Iterator[str]:
    """What one of them tells."""
    seen = 0
    for game in stops(position, seed):
        yield from said(game, seen)
        seen = len(game.steps) - len(game.position.steps)


def stops(position: dict[str, Any], seed: int) -> Iterator[Game[Any]]:
    """A game at each of its questions; nobody gives up while there is something to do."""
    rng = Random(seed)
    game = Game(TITLE, "toi-s1", SeededChance(seed), start=TITLE.position(position))
    for _ in range(DECISIONS):
        yield game
        asked = game.position.decision
        if asked is None:
            return
        ids = [option.id for option in asked.options]
        busy = [id for id in ids if id not in ("b:fine", "b:affatica")] or ids
        bold = [id for id in ids if id in BOLD] or busy
        game.answer(rng.choice(rng.choice((bold, busy, busy if rng.random() < 0.9 else ids))))


def example(path: Path) -> Iterator[str]:
    """A worked example, as it is written."""
    playing = Playing(TITLE, read(path))
    yield from said(playing.game, 0)
    for _ in playing.run():
        yield from said(playing.game, 0)


def lines(found: Iterable[str]) -> str:
    """Every line once, in a fixed order."""
    return "\n".join(sorted(set(found))) + "\n"


@pytest.mark.parametrize(
    ("name", "position", "seed"), [pytest.param(*one, id=one[0]) for one in crowded()]
)
def test_a_crowded_position_is_explained_as_recorded(name, position, seed):
    assert lines(played(position, seed)) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("position", "seed"), [pytest.param(*one[1:], id=one[0]) for one in crowded()]
)
def test_every_number_of_a_crowded_position_has_an_origin(position, seed):
    *_before, game = stops(position, GAMES * seed)
    assert list(unexplained(game, ORIGINS["toi"])) == []


@pytest.mark.parametrize("path", packaged("toi"), ids=lambda path: path.stem)
def test_an_example_is_explained_as_recorded(path):
    recorded = FOLDER / f"esempio-{path.stem}.txt"
    assert lines(example(path)) == recorded.read_text(encoding="utf-8")


def main() -> None:
    """Write every trace."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, position, seed in crowded():
        (FOLDER / f"{name}.txt").write_text(lines(played(position, seed)), encoding="utf-8")
    for path in packaged("toi"):
        (FOLDER / f"esempio-{path.stem}.txt").write_text(lines(example(path)), encoding="utf-8")


if __name__ == "__main__":
    main()
