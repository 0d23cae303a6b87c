"""When the program itself fails: three lines for the person, the details in a file.

Nothing of the user's goes into that file but the name of the game that was open. Once a sealed game
has been opened, not even what the fault says of itself: it may name an answer of the other side.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from datetime import datetime
from pathlib import Path
from zlib import crc32

from app import __version__
from app.cli.answers import BROKEN
from app.shell import paths, streams
from app.shell.child import ChildFailed
from app.shell.i18n import _

KEPT = 50
"""Details of so many faults are kept, the newest."""

DISCREET: list[bool] = []
"""Not empty once this process has opened a sealed game."""


def keep_discreet() -> None:
    """From now on faults are told without their own words."""
    DISCREET[:] = [True]


def note(error: BaseException, game: Path | None = None) -> Path | None:
    """Write the details of a fault to a file; None if no file can be written anywhere."""
    trace = details(error)
    text = "\n".join((*_facts(game), "", trace))
    return _in_own_folder(text, crc32(trace.encode())) or _in_temporary(text)


def details(error: BaseException) -> str:
    """Where a fault happened; that of another process of ours is told as it was told there."""
    elsewhere = f"{error.details}\n" if isinstance(error, ChildFailed) else ""
    return elsewhere + "".join(_trace(error))


def _trace(error: BaseException) -> list[str]:
    if not DISCREET:
        return traceback.format_exception(error)
    lines = [f"{type(error).__name__}\n", *traceback.format_tb(error.__traceback__)]
    earlier = error.__cause__ or error.__context__
    return lines if earlier is None else [*_trace(earlier), "\n", *lines]


def _facts(game: Path | None) -> tuple[str, ...]:
    import platform  # both would slow every start
    from importlib.metadata import PackageNotFoundError, version

    try:
        textual = version("textual")
    except PackageNotFoundError:
        textual = "?"
    return (
        f"prontuario {__version__}, textual {textual}",
        f"Python {platform.python_version()}, {platform.platform()}",
        f"TERM={os.environ.get('TERM', '')}",
        f"{datetime.now():%Y-%m-%d %H:%M:%S}",
        str(game or ""),
    )


def _in_own_folder(text: str, mark: int) -> Path | None:
    """The same fault on the same day has one file."""
    try:
        folder = paths.faults_folder()
        path = folder / f"guasto-{datetime.now():%Y%m%d}-{mark:08x}.txt"
        path.write_text(text, encoding="utf-8")
        for old in sorted(folder.glob("guasto-*.txt"))[:-KEPT]:
            old.unlink()
    except OSError:
        return None
    return path


def _in_temporary(text: str) -> Path | None:
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="prontuario-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
    except OSError:
        return None
    return Path(file.name)


def said(what: str, error: BaseException, game: Path | None = None) -> str:
    """That one thing has failed, for the panel that it concerns; the rest goes on."""
    path = note(error, game)
    details = _("Details: {file}", file=path) if path is not None else ""
    return f"{what} {details}".rstrip()


def tell(error: BaseException, game: Path | None = None) -> int:
    """Say on stderr what has happened, what became of the game, where the details are."""
    path = note(error, game)
    words = "" if DISCREET else str(error)
    short = " ".join(f"{type(error).__name__}: {words}".split())[:160].rstrip(":")
    lines = [_("Prontuario has stopped because of a fault of its own ({error}).", error=short)]
    if game is not None:
        saved = _("The game is saved up to your last answer: prontuario gioca {file}", file=game)
        lines.append(saved)
    else:
        lines.append(_("Your saved games are not touched by it."))
    if path is not None:
        lines.append(_("The details are in {file}: to report the fault, send that file to whoever "
                       "looks after Prontuario.", file=path))  # fmt: skip
    else:
        lines.append(_("The details could not be written anywhere."))
    streams.complain("\n".join(lines))
    return BROKEN
