"""F1: an explanation of what has the focus, and the keys that work there, by what they are for."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar, Protocol, runtime_checkable

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from app.screens.keys import GROUPS, OTHER, group_of, name_of, place_of
from app.shell.i18n import _
from app.widgets.steady import Steady

ALWAYS = {"command_palette", "quit"}
"""Keys that the footer leaves out but the help lists."""
WIDE = 110
"""Columns from which the keys stand in two columns."""
SINGLE, COLUMN = 70, 56
"""The width of the box, and of half a wide one."""

Keys = list[tuple[str, str]]
Groups = dict[str, Keys]


@runtime_checkable
class Helpable(Protocol):
    """A widget or screen that explains itself."""

    def explain(self) -> tuple[str, str]:
        """A heading and an explanation."""
        ...


def explanation_of(screen: Screen[object]) -> tuple[str, str, Groups]:
    """Heading, text and keys for the focused widget, or for what is around it."""
    heading, text = _("Help"), _("Press a key listed at the bottom of the screen.")
    node: DOMNode | None = screen.focused or screen
    while node is not None:
        if isinstance(node, Helpable):
            heading, text = node.explain()
            break
        node = node.parent
    return heading, text, grouped_keys(screen)


def grouped_keys(screen: Screen[object]) -> Groups:
    """What can be pressed now, as it is bound now, by what it is for."""
    here: dict[str, str] = {}
    named: dict[str, tuple[str, str]] = {}
    closed = getattr(screen, "closed_keys", ())
    for active in screen.active_bindings.values():
        binding = active.binding
        if not binding.description or not active.enabled or binding.action in closed:
            continue
        key = screen.app.get_key_display(binding)
        if binding.id and group_of(binding.id) != OTHER:
            named.setdefault(binding.id, (key, name_of(binding)))
        elif binding.show or binding.action in ALWAYS or binding.id:
            here.setdefault(key, name_of(binding))
    found: Groups = {}
    own = [*getattr(screen, "fixed_keys", ()), *sorted(here.items())]
    if own:
        found[_("Here")] = own
    for action in sorted(named, key=place_of):
        found.setdefault(_(group_of(action)), []).append(named[action])
    every = {_(group) for group in GROUPS}
    return found if any(group in every for group in found) else {_("Keys"): own}


class HelpScreen(ModalScreen[None], Steady[None]):
    """The explanation, over the screen that it explains."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", _("Close"))]

    def __init__(self, heading: str, text: str, keys: Groups) -> None:
        super().__init__()
        self._heading = heading
        self._text = text
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Text first, then the keys."""
        with VerticalScroll(id="help") as box:
            box.border_title = self._heading
            yield Static(self._text, id="help-text", markup=False)
            with Horizontal(id="help-keys"):
                yield Static("", id="help-left", markup=False)
                yield Static("", id="help-right", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Lay the keys out."""
        self._lay()

    def on_resize(self, _event: events.Resize) -> None:
        """One column or two."""
        self._lay()

    def _lay(self) -> None:
        is_wide = self.app.size.width >= WIDE and len(self._keys) > 1
        self.set_class(is_wide, "-wide")
        blocks = list(self._keys.items())
        width = max((len(key) for _heading, keys in blocks for key, _what in keys), default=1)
        left, right = _in_two(blocks) if is_wide else (blocks, [])
        room = (COLUMN if is_wide else min(SINGLE, self.app.size.width * 9 // 10)) - 8
        self.query_one("#help-left", Static).update(_drawn(left, width, room))
        self.query_one("#help-right", Static).update(_drawn(right, width, room))
        self.query_one("#help-right").display = bool(right)


def _drawn(blocks: list[tuple[str, Keys]], width: int, room: int) -> Text:
    """The keys in a column of their own, so that long words wrap beside them."""
    parts = []
    for heading, keys in blocks:
        lines = [Text(heading, style="bold underline")]
        for key, what in keys:
            first, *more = wrap(what, max(12, room - width - 2)) or [""]
            lines.append(Text.assemble((f"{key:<{width}}  ", "bold"), first))
            lines += [Text(" " * (width + 2) + line) for line in more]
        parts.append(Text("\n").join(lines))
    return Text("\n\n").join(parts)


def _in_two(
    blocks: list[tuple[str, Keys]],
) -> tuple[list[tuple[str, Keys]], list[tuple[str, Keys]]]:
    """The blocks in two columns of about the same length."""
    total = sum(len(keys) + 2 for _heading, keys in blocks)
    length = 0
    for place, (_heading, keys) in enumerate(blocks):
        if place and length + len(keys) / 2 > total / 2:
            return blocks[:place], blocks[place:]
        length += len(keys) + 2
    return blocks, []
