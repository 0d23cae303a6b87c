"""What all tests of this title share: their citations are those of the golden file."""

from __future__ import annotations

import os

from tests.ddob import citations


def pytest_sessionfinish() -> None:
    """Write the file again when asked."""
    if os.environ.get(citations.RECORD) and citations.met:
        citations.PATH.write_text("\n".join(sorted(citations.met)) + "\n", encoding="utf-8")
