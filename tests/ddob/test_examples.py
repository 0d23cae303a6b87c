"""The worked examples of the book, played."""

from __future__ import annotations

import pytest

from engine import examples
from engine.ddob import TITLE
from tests import citations

FILES = examples.packaged("ddob")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.rule("ddob:6.3", "ddob:8.3", "ddob:5.1")
def test_the_example_comes_out_as_the_book_says(path):
    example = examples.read(path)
    report = examples.verify(TITLE, example)
    assert report.faults == ()
    playing = examples.Playing(TITLE, example)
    assert all(not faults for _step, faults in playing.run())
    citations.check(playing.game)
    assert report.refs or path.stem == "ritardo"


@pytest.mark.rule("ddob:2.4")
def test_every_example_has_its_own_id():
    ids = [examples.read(path).id for path in FILES]
    assert len(ids) == len(set(ids)) >= 30
    assert ids == [path.stem for path in FILES]
