"""Steps as lines: what happened, dice as dice, totals in a column, the rule at the right edge."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.text import Text

from app.play.citing import Cite, not_yet
from app.play.telling import Told, tally_text
from engine.core.rules import Roll

FACES = {1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅"}


def dice_text(roll: Roll, plain: bool = False, icons: Sequence[str] = ()) -> str:
    """Dice as dice where they have six faces, else as numbers, or as the icons that they show."""
    if icons and not all(icon.isdigit() for icon in icons):
        return " ".join(f"[{icon}]" for icon in icons)
    if plain or any(face not in FACES for face in roll.faces):
        return " ".join(f"[{face}]" for face in roll.faces)
    return " ".join(FACES[face] for face in roll.faces)


def step_words(told: Told, plain: bool = False, icons: Sequence[str] = ()) -> str:
    """A line without its numbers and its rule."""
    chance = told.step.chance
    if isinstance(chance, Roll):
        return f"{dice_text(chance, plain, icons)}  {told.words}"
    return told.words


def step_line(
    told: Told,
    width: int,
    cite: Cite = not_yet,
    *,
    plain: bool = False,
    lines: int = 3,
    inside: int = 0,
    icons: Sequence[str] = (),
) -> Text:
    """One step in a few lines of the given width, so far inside, total and first rule at the right
    edge."""
    step = told.step
    indent = " " * inside + "  " * min(step.depth, 4)
    said = step_words(told, plain, icons)
    number = tally_text(step.tally) if step.tally is not None else ""
    ref = cite(step.ruling.refs[0])
    room = max(8, width - len(indent) - len(ref) - len(number) - 1 - bool(number))
    rows = textwrap.wrap(said, room, max_lines=lines, placeholder="…") or [""]
    style = "bold" if step.chance is not None else ""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"{indent}{rows[0]:<{room}}", style)
    if number:
        text.append(f" {number}", "bold")
    text.append(f" {ref}", "dim italic")
    for row in rows[1:]:
        text.append(f"\n{indent}  {row}" if len(row) + 2 <= room else f"\n{indent}{row}", style)
    return text
