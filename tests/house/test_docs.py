"""What the documents point at is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
NAMED = re.compile(
    r"`((?:app|engine|rules_it|tests|docs|play|widgets|screens)/[\w/.]+\.(?:py|yaml|md))`"
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_exist(path):
    targets = LINK.findall(path.read_text(encoding="utf-8"))
    assert [one for one in targets if not (path.parent / one).exists()] == []


@pytest.mark.parametrize("name", ["architecture", "app", "bots", "presenters", "data-formats"])
def test_modules_that_a_page_names_exist(name):
    named = NAMED.findall((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8"))
    assert named
    assert [one for one in named if not any((ROOT / at / one).exists() for at in ("", "app"))] == []


def test_every_picture_is_shown():
    shown = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    pictures = [path.name for path in (ROOT / "docs" / "immagini").iterdir()]
    assert [name for name in pictures if f"immagini/{name}" not in shown] == []
