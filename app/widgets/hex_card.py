"""A hex for whoever inspects it: who is there, what the ground does, what can be answered."""

from __future__ import annotations

import textwrap

from rich.text import Text

from app.play.table import HexCard
from app.shell.i18n import _

LEAST = 24
"""The columns that words have at least, whatever the rule beside them takes."""


def card_text(card: HexCard, width: int) -> Text:
    """The card of a hex in lines of a width; rules stand at the right edge."""
    text = Text()
    text.append(card.heading + "\n", "bold underline")
    for line in card.lines:
        _wrap(text, line[:1].upper() + line[1:], width)
    for unit in card.units:
        text.append("\n" + unit.name, "bold")
        text.append(f" · {unit.whose}\n" if unit.whose and unit.whose not in unit.name else "\n")
        for line in unit.lines:
            _wrap(text, line, width, "  ")
    if card.answers:
        text.append("\n" + _("What you may answer here") + "\n", "bold")
        for answer in card.answers:
            _wrap(text, f"▸ {answer}", width, "  ")
    if card.rules:
        text.append("\n" + _("What the rules say of it") + "\n", "bold")
        for said, cite in card.rules:
            _ruled(text, said, cite, width)
    return text


def _wrap(text: Text, line: str, width: int, indent: str = "") -> None:
    rows = textwrap.wrap(line, max(LEAST, width), initial_indent=indent,
                         subsequent_indent=indent + "  ")  # fmt: skip
    text.append("\n".join(rows) + "\n")


def _ruled(text: Text, said: str, cite: str, width: int) -> None:
    """Words at the left, their rule at the right of the last line."""
    rows = textwrap.wrap(said, max(LEAST, width - len(cite) - 2), subsequent_indent="  ") or [""]
    for row in rows[:-1]:
        text.append(row + "\n")
    text.append(rows[-1] + " " * max(2, width - len(rows[-1]) - len(cite)))
    text.append(cite + "\n", "dim")
