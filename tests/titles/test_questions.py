"""Every question has an id of its own, and every player weighs it or leaves it to chance."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from engine.drive import player_of
from tests import reference
from tests.titles.registry import ALL

ENGINE = Path(__file__).parents[2] / "engine"
LEVELS = [(slug, level) for slug in sorted(ALL) for level in ALL[slug].levels]


def sources(slug: str) -> list[Path]:
    if slug == "prova":
        return [Path(reference.__file__)]
    return sorted((ENGINE / slug).rglob("*.py"))


def first_arguments(slug: str) -> list[tuple[str, ast.expr]]:
    """What stands for the question in each `ctx.choose`, with its place."""
    found = []
    for path in sources(slug):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(ast.Name("ctx"), "choose"), [question, *_]):
                    found.append((f"{path.name}:{node.lineno}", question))
    return found


def asked(slug: str) -> Counter[str]:
    """The ids that a title asks, as its code names them."""
    return Counter(
        node.value for _, node in first_arguments(slug) if isinstance(node, ast.Constant)
    )


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
