"""The program as a person starts it: through a script in a folder of its own."""

from __future__ import annotations

import sys
from pathlib import Path

SCRIPT = """\
import multiprocessing, sys
from app.cli.verbs import main
if __name__ == "__main__":
    multiprocessing.set_start_method({start!r})
    sys.exit(main())
"""


def program(folder: Path, *arguments: str, start: str = "fork") -> list[str]:
    """The command that runs the program with these arguments, from whatever current folder."""
    script = folder / "bin" / "prontuario"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT.format(start=start), encoding="utf-8")
    return [sys.executable, str(script), *arguments]
