"""F1: an explanation of what has the focus, and the keys that work there."""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from app.shell.i18n import _
from app.widgets.steady import Steady

ALWAYS = {"command_palette", "quit"}
"""Keys that the footer leaves out but the help lists."""


@runtime_checkable
class Helpable(Protocol):
    """A widget or screen that explains itself."""

    def explain(self) -> tuple[str, str]:
        """A heading and an explanation."""
        ...


def explanation_of(screen: Screen[object]) -> tuple[str, str, list[tuple[str, str]]]:
    """Heading, text and keys for the focused widget, or for what is around it."""
    heading, text = _("Help"), _("Press a key listed at the bottom of the screen.")
    node: DOMNode | None = screen.focused or screen
    while node is not None:
        if isinstance(node, Helpable):
            heading, text = node.explain()
            break
        node = node.parent
    keys: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        is_ours = binding.show or binding.action in ALWAYS or bool(binding.id)
        if binding.description and is_ours:
            said = binding.tooltip or binding.description
            keys.setdefault(screen.app.get_key_display(binding), said)
    return heading, text, sorted(keys.items())


class HelpScreen(ModalScreen[None], Steady[None]):
    """The explanation, over the screen that it explains."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", _("Close"))]

    def __init__(self, heading: str, text: str, keys: list[tuple[str, str]]) -> None:
        super().__init__()
        self._heading = heading
        self._text = text
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Text first, then the keys."""
        with VerticalScroll(id="help") as box:
            box.border_title = self._heading
            yield Static(self._text, id="help-text", markup=False)
            width = max((len(key) for key, _what in self._keys), default=0)
            lines = [f"{key:<{width}}  {what}" for key, what in self._keys]
            yield Static(_("Keys"), id="help-keys-title")
            yield Static("\n".join(lines), id="help-keys", markup=False)
        yield Footer()
