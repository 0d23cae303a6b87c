"""Jump mode: a letter over every pane, answer and lit hex; pressing it goes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import OptionList, Static

from app.shell.i18n import _
from app.widgets.decision_bar import DecisionBar
from app.widgets.hexmap import HexMap
from app.widgets.steady import Steady

if TYPE_CHECKING:
    from app.screens.play import PlayScreen

LETTERS = "asdfghjklqweruiopzxcvbnmty"


class Spot(msgspec.Struct, frozen=True):
    """A place on the screen, and what it is for the screen that asks."""

    what: str
    x: int
    y: int


def labels(count: int) -> list[str]:
    """As many labels as places, of one letter while they last."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    return [a + b for a, b in product(LETTERS, repeat=2)][:count]


def spots_of(table: PlayScreen) -> list[Spot]:
    """The panes in sight, the answers in sight, and the lit hexes in sight."""
    return [*_panes(table), *_answers(table), *_hexes(table)]


FRAMES = {
    "#map": "#map",
    "#answers": "#decision",
    "#chronicle": "#chronicle-box",
    "#units": "#units",
    "#forces": "#forces",
    "#odds": "#odds",
    "#page": "#rule",
}
"""What can have the focus, and the frame around it."""


def _panes(table: PlayScreen) -> Iterator[Spot]:
    for name, around in FRAMES.items():
        pane, frame = table.query_one(name, Widget), table.query_one(around, Widget)
        if frame.region and pane.focusable:
            yield Spot(f"pane/{name}", frame.region.x, frame.region.y)


def _answers(table: PlayScreen) -> Iterator[Spot]:
    bar = table.query_one(DecisionBar)
    rows = bar.query_one("#answers", OptionList)
    area = rows.scrollable_content_region
    for row, option in enumerate(bar.listed):
        y = bar.line_of(row) - rows.scroll_offset.y
        if 0 <= y < area.height:
            yield Spot(f"answer/{option}", area.x, area.y + y)


def _hexes(table: PlayScreen) -> Iterator[Spot]:
    board = table.query_one("#map", HexMap)
    if board.view is None or not board.region:
        return
    shift = board.content_region.offset - board.scroll_offset
    for hex in board.options:
        if board.has_in_sight(hex):
            region = board.region_of(hex).translate(shift)
            yield Spot(f"hex/{board.view.label(hex)}", region.x + region.width // 2,
                       region.y + region.height // 2)  # fmt: skip


class LabelScreen(ModalScreen[str | None], Steady[str | None]):
    """Letters over the screen; a key that is none of them closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", _("Close"))]
    CSS = """
    LabelScreen { background: $background 0%; layers: labels; }
    LabelScreen > .label {
        layer: labels; position: absolute; width: auto; height: 1; padding: 0;
        background: $accent; color: $background; text-style: bold;
    }
    """

    def __init__(self, spots: Sequence[Spot]) -> None:
        super().__init__()
        self._spots = dict(zip(labels(len(spots)), spots, strict=True))
        self._typed = ""

    def compose(self) -> ComposeResult:
        """A label at each place."""
        yield from self._labels()

    def _labels(self) -> Iterator[Static]:
        for label, spot in self._spots.items():
            shown = Static(label.upper(), classes="label", markup=False)
            shown.styles.offset = Offset(spot.x, spot.y)
            yield shown

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Jump"), _(
            "Every pane, answer and lit hex has a letter: press it to go there. Esc leaves "
            "everything as it is."
        )

    def on_key(self, event: events.Key) -> None:
        """Go to what the letters name."""
        if event.key in ("escape", "f1"):
            return
        event.stop()
        event.prevent_default()
        self._typed += (event.character or "").lower()
        if self._typed in self._spots:
            self.dismiss(self._spots[self._typed].what)
        elif not self._typed or not any(one.startswith(self._typed) for one in self._spots):
            self.dismiss(None)
