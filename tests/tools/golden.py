"""Golden transcripts: `make golden` writes them again; the commit says why they changed."""

from __future__ import annotations

from pathlib import Path

from tests.titles.oracles import transcript
from tests.titles.registry import ALL, GAMES

FOLDER = Path(__file__).parents[1] / "golden"
SEED = 1
DECISIONS = 150


def golden_path(slug: str, scenario: str) -> Path:
    """Where the transcript of a scenario is kept."""
    return FOLDER / slug / f"{scenario}.txt"


def golden_text(slug: str, scenario: str) -> str:
    """The transcript as the rules play it today."""
    return "\n".join(transcript(ALL[slug], scenario, SEED, DECISIONS)) + "\n"


def main() -> None:
    """Write every transcript."""
    for slug, scenario in GAMES:
        path = golden_path(slug, scenario)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(golden_text(slug, scenario), encoding="utf-8")


if __name__ == "__main__":
    main()
