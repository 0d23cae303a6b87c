"""Every worked example of the book is played."""

from __future__ import annotations

import pytest

from engine import examples
from engine.aslsk import TITLE
from tests.aslsk.citations import RECORD, cited
from tests.titles.numbers import unexplained
from tests.titles.origins.aslsk import ORIGINS

PATHS = examples.packaged("aslsk")


@pytest.mark.rule("aslsk:3.0")
def test_all_sixty_nine_examples_are_shipped():
    books = {path.stem[:5] for path in PATHS if path.stem.startswith("ex-")}
    assert books == {f"ex-{n:02}" for n in range(1, 70)}


@pytest.mark.rule("aslsk:3.0")
def test_twenty_situations_of_our_own_name_what_a_good_player_would():
    own = [examples.read(path) for path in PATHS if path.stem.startswith("sit-")]
    assert [one.id for one in own] == [f"sit-{n:02}" for n in range(1, 21)]
    for one in own:
        assert sum(len(step.cites) for step in one.steps) >= 3, one.id


@pytest.mark.rule("aslsk:3.0")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_an_example_comes_out_as_the_book_says(path):
    assert examples.verify(TITLE, examples.read(path)).faults == ()


def _recorded() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in RECORD.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            lines = found.setdefault(line[2:], [])
        else:
            lines.append(line)
    return found


RECORDED = _recorded()


@pytest.mark.rule("aslsk:3.0")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_an_example_cites_what_it_cited(path):
    assert cited(path) == RECORDED[path.stem]


@pytest.mark.rule("aslsk:3.0")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_number_of_an_example_has_an_origin(path):
    playing = examples.Playing(TITLE, examples.read(path))
    for _step, faults in playing.run():
        assert not faults
    assert list(unexplained(playing.game, ORIGINS)) == []
