"""Standard streams that never fail: for want of a character, of room, or of a stream."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from contextlib import suppress
from io import TextIOWrapper

NEAREST = {
    character: plain
    for plain, characters in {
        "-": "‐‑–—―−─━═╌┄╸╺╴╶╼╾",
        "|": "│┃║▏▌▐╎┆",
        "+": "┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬",
        "'": "‘’′",
        '"': "“”„«»″",
        ".": "…·•░▒",
        "#": "█▓■▪▬▀▄▁▂▃▅▆▇▔",
        "o": "○●◉◦◯°",
        "*": "★☆◆◇♦✱",
        "x": "×✕✗✘",
        "v": "✓✔▼▽↓",
        "^": "▲△↑⌃",
        ">": "→▶▸►⏵⇒≥",
        "<": "←◀◂◄⇐≤",
        "~": "≈∼",
    }.items()
    for character in characters
}


def nearest(error: UnicodeError) -> tuple[str, int]:
    """A plain character for each one that the stream cannot carry: columns stay where they are."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character)
    if parts[0].isascii() and all(map(unicodedata.combining, parts[1:])):
        return parts[0]
    return NEAREST.get(character, "?")


codecs.register_error("prontuario.nearest", nearest)


def prepare() -> None:
    """See that there are three streams, and that every character can be read and written."""
    for name, mode, errors in (
        ("stdin", "r", "replace"),
        ("stdout", "w", "prontuario.nearest"),
        ("stderr", "w", "prontuario.nearest"),
    ):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started the program
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def is_plain() -> bool:
    """Whether the terminal is told to show fewer characters than a map is drawn with."""
    try:
        "█▒╭→".encode(getattr(sys.__stderr__, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return True
    return False


def complain(sentence: str) -> None:
    """Tell a person what went wrong, if anybody can hear."""
    with suppress(OSError):
        sys.stderr.write(f"{sentence}\n")


def let_go() -> None:
    """Hand over what is printed; what nobody takes is dropped, or Python would fail at the end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
