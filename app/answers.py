"""What a headless verb answers: data for scripts, lines for people, an exit code."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from app.i18n import _

DONE, NO, USAGE = 0, 1, 2


class Answer(msgspec.Struct, frozen=True):
    """The answer of a verb."""

    data: Any
    lines: tuple[str, ...]
    code: int = DONE

    def show(self, as_json: bool) -> int:
        """Print it: one JSON document, or lines for people. The exit code."""
        if as_json:
            from engine.game import encode_fraction  # the full screen starts without the engine

            text = msgspec.json.encode(self.data, enc_hook=encode_fraction)
            text = msgspec.json.format(text, indent=2)
            sys.stdout.write(text.decode() + "\n")
        else:
            sys.stdout.writelines(line + "\n" for line in self.lines)
        sys.stdout.flush()
        return self.code


class Fault(Exception):
    """A request that cannot be answered: a sentence that says what to do, and an exit code."""

    def __init__(self, sentence: str, code: int = USAGE) -> None:
        super().__init__(sentence)
        self.code = code


def unknown_title(slug: str, known: list[str]) -> Fault:
    """The fault for a title that is not there."""
    if not known:
        return Fault(_("No game is installed yet."))
    return Fault(_("There is no title {slug}. Titles: {known}.", slug=slug, known=", ".join(known)))
