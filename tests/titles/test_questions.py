"""Every question has an id of its own, and every player weighs it or leaves it to chance."""

from __future__ import annotations

import ast

import pytest

from engine.drive import player_of
from tests.titles.registry import ALL
from tests.tools.questions import asked, first_arguments

LEVELS = [(slug, level) for slug in sorted(ALL) for level in ALL[slug].levels]


@pytest.mark.parametrize("slug", sorted(ALL))
def test_a_question_is_named_by_a_literal(slug):
    assert asked(slug)
    wrong = [
        place
        for place, node in first_arguments(slug)
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str))
    ]
    assert not wrong


@pytest.mark.parametrize(("slug", "level"), LEVELS)
def test_every_question_is_weighed_or_left_to_chance_with_a_reason(slug, level):
    title = ALL[slug]
    knows, left = set(player_of(title, level).knows), title.left_to_chance
    assert all(reason.strip() for reason in left.values())
    assert not knows & set(left)
    assert asked(slug).keys() - knows - set(left) == set(), "nobody knows these"
    assert (knows | set(left)) - asked(slug).keys() == set(), "nobody asks these"
