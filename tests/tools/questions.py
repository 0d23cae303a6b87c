"""Which questions the code of a title asks."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests import reference

ENGINE = Path(__file__).parents[2] / "engine"


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
