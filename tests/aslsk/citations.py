"""What every example of the title cites: how often each ruling, by steps, questions, refusals.

python -m tests.aslsk.citations      # writes the record again; the commit says why it changed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from engine import examples
from engine.aslsk import TITLE
from engine.core.rules import Ruling
from tests.citations import kind_of

RECORD = Path(__file__).parents[1] / "golden" / "aslsk" / "esempi.txt"


def cited(path: Path) -> list[str]:
    """The rulings of an example, each with what said it and how many times."""
    found: Counter[str] = Counter()

    def note(what: str, ruling: Ruling) -> None:
        found[f"{what} {','.join(ref.partition(':')[2] for ref in ruling.refs)}"] += 1

    playing = examples.Playing(TITLE, examples.read(path))
    _note_question(note, playing)
    for _step, faults in playing.run():
        assert not faults, path
        _note_question(note, playing)
    for step in playing.game.steps:
        note(kind_of(step), step.ruling)
    return [f"{count} {text}" for text, count in sorted(found.items())]


def _note_question(note: Callable[[str, Ruling], None], playing: examples.Playing) -> None:
    decision = playing.game.position.decision
    if decision is None:
        return
    note(f"? {decision.id}", decision.ruling)
    for option, rulings in decision.refused.items():
        for ruling in rulings:
            note(f"! {decision.id} {option[:2]}", ruling)


def record() -> str:
    """Every example with what it cites."""
    lines: list[str] = []
    for path in sorted(examples.packaged("aslsk")):
        lines += [f"# {path.stem}", *cited(path)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    RECORD.write_text(record(), encoding="utf-8")
