"""Steps as lines: what happened, dice as dice, totals in a column, the rule at the right edge."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from app.play.citing import Cite, short_ref
from app.play.telling import Told
from app.shell.i18n import _
from engine.core.rules import Roll, Step, TallyLine

FACES = {1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅"}


def dice_text(roll: Roll, plain: bool = False) -> str:
    """Dice as dice where they have six faces, else as numbers."""
    if plain or any(face not in FACES for face in roll.faces):
        return " ".join(f"[{face}]" for face in roll.faces)
    return " ".join(FACES[face] for face in roll.faces)


def tally_text(tally: TallyLine) -> str:
    """What is done to a total and what it comes to, in two columns."""
    if tally.operation == "=":
        return f"     ={tally.total!s:>4}"
    value = str(tally.value)
    if tally.operation == "×":
        value = f"×{value}"
    elif not value.startswith("-"):
        value = f"+{value}"
    return f"{value:>5}={tally.total!s:>4}"


def step_words(told: Told, plain: bool = False) -> str:
    """A line without its numbers and its rule."""
    chance = told.step.chance
    if isinstance(chance, Roll):
        return f"{dice_text(chance, plain)}  {told.words}"
    return told.words


def step_line(
    told: Told,
    width: int,
    cite: Cite = short_ref,
    *,
    plain: bool = False,
    lines: int = 3,
    inside: int = 0,
) -> Text:
    """One step in a few lines of the given width, so far inside, total and first rule at the right
    edge."""
    step = told.step
    indent = " " * inside + "  " * min(step.depth, 4)
    said = step_words(told, plain)
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


class StepList(OptionList):
    """Lines of a resolution or of the whole game; Enter opens the rule of the marked one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", _("Open the rule")),
    ]

    class Chosen(Message):
        """A line whose rule is wanted."""

        def __init__(self, step: Step, index: int) -> None:
            super().__init__()
            self.step = step
            self.index = index

    class Marked(Message):
        """The line that the cursor is on."""

        def __init__(self, step: Step, index: int, sender: StepList) -> None:
            super().__init__()
            self.step = step
            self.index = index
            self.sender = sender

    def __init__(
        self,
        *,
        id: str,
        help_heading: str,
        help_text: str,
        click_walks: bool = True,
    ) -> None:
        super().__init__(id=id)
        self._click_walks = click_walks
        self._steps: tuple[Told, ...] = ()
        self._listed: list[int] = []
        self._width = 0
        self._help = (help_heading, help_text)
        self._cite: Cite = short_ref
        self._words = ""
        self._ref = ""
        self.plain = False
        self.follows = True  # whether the newest line is marked

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return self._help

    def action_select(self) -> None:
        """Open the rule of the marked line; where there is no line, that is said."""
        if not self.option_count:
            self.notify(_("There is no line here."))
        super().action_select()

    @property
    def shown(self) -> tuple[Step, ...]:
        """The steps listed."""
        return tuple(self._steps[index].step for index in self._listed)

    def show(self, steps: Sequence[Told]) -> None:
        """List these steps; what is already listed stays where it is."""
        steps = tuple(steps)
        width = self._room()
        if width != self._width or steps[: len(self._steps)] != self._steps:
            self.clear_options()
            self._steps, self._listed = (), []
            self._width = width
        first = len(self._steps)
        self._steps = steps
        fresh = [n for n in range(first, len(steps)) if self._matches(steps[n])]
        self._listed += fresh
        self.add_options(
            Option(step_line(steps[n], width, self._cite, plain=self.plain)) for n in fresh
        )
        if self.follows and self._listed and (fresh or self.highlighted is None):
            self.highlighted = len(self._listed) - 1

    def only(self, words: str = "", ref: str = "") -> int:
        """List only the steps with these words, or that cite this rule; how many there are."""
        self._words, self._ref = words.casefold(), ref
        self._again()
        return len(self._listed)

    def cite_with(self, cite: Cite) -> None:
        """Name rules in another way from now on."""
        self._cite = cite
        self._again()

    def go_to(self, index: int) -> None:
        """Mark a step by its place in the whole list, if it is listed."""
        if index in self._listed:
            self.highlighted = self._listed.index(index)

    def _matches(self, told: Told) -> bool:
        refs = told.step.ruling.refs
        if self._ref:
            return self._ref in refs
        if not self._words:
            return True
        said = f"{step_words(told)} {' '.join(refs)}".casefold()
        return self._words in said

    def _again(self) -> None:
        """List the same steps anew; the cursor stays, and in sight."""
        steps, row = self._steps, self.highlighted
        at = self._listed[row] if row is not None and row < len(self._listed) else -1
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            self._steps, self._listed = (), []
            self.show(steps)
            self.go_to(at)

    def on_resize(self) -> None:
        """Lay the lines out again for the new width."""
        if self._room() != self._width:
            self._again()

    def _room(self) -> int:
        """The width of a line; as before while the list is not on the screen."""
        width = self.scrollable_content_region.width - 1
        return max(20, width) if width > 0 else self._width or 48

    async def _on_click(self, event: events.Click) -> None:
        """Choose the line under the mouse; where a click does not walk, the cursor's being there
        is not told."""
        event.prevent_default()
        silent = () if self._click_walks else (OptionList.OptionHighlighted,)
        with self.prevent(*silent):
            await super()._on_click(event)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the rule of the chosen line."""
        event.stop()
        index = self._listed[event.option_index]
        self.post_message(self.Chosen(self._steps[index].step, index))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say which line the cursor is on."""
        event.stop()
        if event.option_index < len(self._listed):
            index = self._listed[event.option_index]
            self.post_message(self.Marked(self._steps[index].step, index, self))
