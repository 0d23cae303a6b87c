"""Real dice: the person rolls at the table and says what fell, by keys or with the mouse."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Static

from app.play.dice_words import DiceEntry, how_to_type, only_dice, what_to_roll
from app.presenters.base import DieFace, Presenter
from app.shell.i18n import _
from app.widgets.steady import Steady
from engine.core.ctx import RollRequest


class DiceRows(Static, can_focus=True):
    """Every die with its faces: a key or a click chooses one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "screen.back", _("Take back"), key_display="Bksp"),
        Binding("enter", "screen.confirm", _("Confirm")),
    ]
    DEFAULT_CSS = """
    DiceRows { width: auto; height: auto; }
    """

    class Typed(Message):
        """Something was typed."""

    def __init__(self, entry: DiceEntry, plain: bool) -> None:
        super().__init__("", id="dice-rows", markup=False)
        self._entry = entry
        self._plain = plain
        self._room = max(len(entry.name_of(die)) for die in range(len(entry.dice))) + 4

    def on_mount(self) -> None:
        """Show the dice."""
        self.show()

    def on_key(self, event: events.Key) -> None:
        """A face; what is no face is told."""
        if event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self._entry.press(event.character)
            self.post_message(self.Typed())

    def on_click(self, event: events.Click) -> None:
        """The face under the mouse."""
        found = event.style.meta.get("face")
        if found is not None:
            event.stop()
            self._entry.put(*found)
            self.post_message(self.Typed())

    def on_paste(self, event: events.Paste) -> None:
        """Several faces at once."""
        event.stop()
        self._entry.type_in(event.text)
        self.post_message(self.Typed())

    def show(self) -> None:
        """Draw what is typed so far; the die that comes next has a mark."""
        lines: list[Content] = []
        at_line = 0
        for die, faces in enumerate(self._entry.choices):
            is_next = die == self._entry.at
            if is_next:
                at_line = len(lines)
            mark = ("> " if self._plain else "▸ ") if is_next else "  "
            label = Content.styled(f"{mark}{self._entry.name_of(die):<{self._room - 2}}",
                                   "bold" if is_next else "")  # fmt: skip
            drawn = [self._face(die, face) for face in faces]
            if any(face.words for face in faces):
                lines.append(label)
                lines += [Content("   ") + face for face in drawn]
            else:
                lines.append(label + Content(" ").join(drawn) + self._half(is_next))
        self.update(Content("\n").join(lines))
        self.call_after_refresh(
            self.scroll_visible_line, at_line if self._entry.at is not None else len(lines) - 1
        )

    def _half(self, is_next: bool) -> Content:
        """The digit that waits for another."""
        pending = self._entry.pending if is_next else ""
        return Content(f"  {pending}…" if pending else "")

    def scroll_visible_line(self, line: int) -> None:
        """Bring a line of the dice into sight."""
        if isinstance(self.parent, VerticalScroll):
            self.parent.scroll_to_region(Region(0, line, 1, 1), animate=False)

    def _face(self, die: int, face: DieFace) -> Content:
        chosen = self._entry.typed[die]
        said = f"[{face.look.text}]" if chosen == face.value else f" {face.look.text} "
        click = Style.from_meta({"face": (die, face.value)})
        ground, ink = Color.parse(face.look.ground), Color.parse(face.look.ink)
        if self._plain or chosen not in (None, face.value):
            look = Style(dim=chosen not in (None, face.value), bold=chosen == face.value)
        else:
            look = Style(background=ground, foreground=ink, bold=True)
        words = Content.styled(f" {face.words}", click) if face.words else Content("")
        return Content.styled(said, look + click) + words


class DiceEntryScreen(ModalScreen[tuple[int, ...] | None], Steady[tuple[int, ...] | None]):
    """Asks for the faces of one roll; Esc lets the dice wait."""

    AUTO_FOCUS = "#dice-rows"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", _("Later"))]

    def __init__(
        self, request: RollRequest, presenter: Presenter, cited: str, plain: bool = False
    ) -> None:
        super().__init__()
        self._presenter = presenter
        self._cited = cited
        self._plain = plain
        self.entry = DiceEntry(request, presenter)

    def compose(self) -> ComposeResult:
        """Why and which dice, a row of faces for each, what is wrong, and the keys."""
        request = self.entry.request
        with Vertical(id="dice-entry") as box:
            box.border_title = _("Real dice")
            yield Static(self._why(), id="dice-why")
            yield Static(what_to_roll(request, self._presenter), id="dice-what", markup=False)
            with VerticalScroll(can_focus=False):
                yield DiceRows(self.entry, self._plain)
            yield Static("", id="dice-fault", markup=False)
            yield Static(self._keys(), id="dice-keys", markup=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Real dice"), _(
            "Roll the dice that are named, and choose the face of each: by its key, with the "
            "mouse, or by pasting them all. Backspace takes back the last one, Enter confirms when "
            "every die has its face, Esc lets the dice wait: Space at the table asks for them "
            "again. Only dice are real: cards and markers are drawn by the program."
        )

    def _why(self) -> Content:
        said = self._presenter.say(self.entry.request.ruling.msg)
        return Content(f"{said}  ") + Content.styled(self._cited, "dim italic")

    def cite(self, cited: str) -> None:
        """Name the rule of the roll, once its book is known."""
        self._cited = cited
        self.query_one("#dice-why", Static).update(self._why())

    def _keys(self) -> str:
        has_icons = any(face.words for faces in self.entry.choices for face in faces)
        faces = how_to_type(self.entry.request, self._presenter)
        faces = _("the letter beside each") if has_icons else faces
        keys = _("Faces: {faces} · Backspace takes back · Enter confirms · Esc: later", faces=faces)
        return f"{keys}\n{only_dice()}"

    def _show(self) -> None:
        self.query_one(DiceRows).show()
        ready = _("All dice have their face: Enter confirms.") if self.entry.is_complete else ""
        fault = self.query_one("#dice-fault", Static)
        fault.update(self.entry.fault or ready)
        fault.set_class(bool(self.entry.fault), "-wrong")

    def on_dice_rows_typed(self) -> None:
        """Show what was typed."""
        self._show()

    def action_back(self) -> None:
        """Take back the last face."""
        self.entry.back()
        self._show()

    def action_confirm(self) -> None:
        """Give the faces, if all are there."""
        if self.entry.confirm():
            self.dismiss(self.entry.faces)
        else:
            self._show()
