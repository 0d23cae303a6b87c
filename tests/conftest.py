"""Fixtures for every test: user folders that are thrown away, and rule markers that must exist."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.play import showcase
from app.shell import breakdown
from rules_it.corpus import SLUGS
from tests import citations

INVENTORY = Path(__file__).parent / "rules_it" / "inventory"
REFERENCE_BOOK = "prova"


@pytest.fixture(autouse=True)
def user_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Saves, notes and settings of a test live and die with it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("app.shell.breakdown.DISCREET", [])
    return tmp_path


@pytest.fixture(autouse=True)
def bare_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first screen, which lies under every other, starts no process to find out its maps."""
    monkeypatch.setattr(showcase, "find_out", lambda saves: showcase.Showcase(""))


@pytest.fixture(autouse=True)
def not_discreet() -> Iterator[None]:
    """A test that opens a sealed game leaves the others as they were."""
    yield
    breakdown.DISCREET.clear()


def pytest_sessionfinish() -> None:
    """Write the citations of a title again when that is asked for."""
    citations.write()


def known_refs() -> set[str]:
    """Every ref of the inventories; house rulings have an open range of their own."""
    lists = [(INVENTORY / f"{slug}.txt").read_text(encoding="utf-8") for slug in SLUGS]
    return {ref.strip() for text in lists for line in text.splitlines() for ref in line.split("=")}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A rule marker must name rules that exist."""
    known = known_refs()
    for item in items:
        for marker in item.iter_markers("rule"):
            for ref in marker.args:
                book, _, locator = ref.partition(":")
                house = locator.startswith(("casa.", "arbitrato."))
                if book != REFERENCE_BOOK and not house and ref not in known:
                    raise pytest.UsageError(f"{item.nodeid}: no rule is called {ref}")
            if not marker.args:
                raise pytest.UsageError(f"{item.nodeid}: a rule marker without a rule")
