"""Every test of the title also holds what its tables cite, so that no citation changes unseen,
and that every number which they tell has an origin (`tests/titles/origins/aslsk.py`).

python -m pytest tests/aslsk --record-citations     # writes the record again, and says why
                                                    # in the commit
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from engine.core.rules import Ruling
from tests.aslsk.table import MADE, Table
from tests.positions import locators
from tests.titles.numbers import unexplained
from tests.titles.origins.aslsk import ORIGINS

RECORD = Path(__file__).parents[1] / "golden" / "aslsk" / "prove.txt"
FOUND: dict[str, list[str]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The way to write the record again."""
    parser.addoption("--record-citations", action="store_true", default=False)


def is_recording(config: pytest.Config) -> bool:
    """Whether the record is written, not read."""
    return bool(config.getoption("--record-citations", default=False))


def cited(tables: list[Table]) -> list[str]:
    """Every locator that steps, the open questions and their refusals cite."""
    rulings: list[Ruling] = []
    for table in tables:
        rulings += [step.ruling for step in table.steps]
        decision = table.position.decision
        if decision is not None:
            rulings.append(decision.ruling)
            rulings += [one for found in decision.refused.values() for one in found]
    return sorted(locators(rulings))


def recorded() -> dict[str, list[str]]:
    """The record by test."""
    if not RECORD.exists():
        return {}
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    return {name: refs.split() for name, _, refs in (line.partition(" : ") for line in lines)}


KNOWN = recorded()


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, None]:
    """After a test that passed: the numbers of its tables, and their citations by the record."""
    MADE.clear()
    outcome = yield
    if getattr(outcome, "excinfo", None) is not None or not MADE:
        return
    name = f"{pyfuncitem.path.stem}::{pyfuncitem.name}"
    strange = [one for table in MADE for one in unexplained(table.game, ORIGINS)]
    assert strange == [], f"{name} tells numbers that come from nowhere"
    found = FOUND[name] = cited([*MADE])
    if not is_recording(pyfuncitem.config):
        assert found == KNOWN.get(name), f"{name} cites otherwise than {RECORD.name} says"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The record is written, if it was asked for."""
    if is_recording(session.config):
        lines = [f"{name} : {' '.join(refs)}" for name, refs in sorted(FOUND.items())]
        RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")
