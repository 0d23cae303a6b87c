"""The worked examples of the book, played."""

from __future__ import annotations

import pytest

from engine import examples
from engine.warfare import TITLE

PATHS = examples.packaged("warfare")


def test_all_eighteen_examples_are_there():
    assert len(PATHS) == 18


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_an_example_comes_out_as_the_book_says(path):
    report = examples.verify(TITLE, examples.read(path))
    assert report.faults == ()
