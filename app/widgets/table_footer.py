"""The keys at the bottom of the table; a narrow terminal leaves out the less urgent ones."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

SPARE = (
    "step(-1)",
    "layer",
    "advise",
    "copy",
    "note",
    "bookmark",
    "sight",
    "panel('odds')",
    "find",
    "select",
    "undo",
    "side",
)
"""Actions whose keys are left to the help where there is no room, the first ones first."""


class TableFooter(Footer):
    """A footer that leaves out whole keys instead of being cut off: help and menu stay."""

    def compose(self) -> ComposeResult:
        """The keys that fit."""
        idle = getattr(self.screen, "idle_keys", ())
        keys: list[Widget] = [key for key in super().compose() if action_of(key) not in idle]
        for action in SPARE:
            if sum(map(length, keys)) <= self.app.size.width:
                break
            keys = [key for key in keys if action_of(key) != action]
        yield from keys

    def on_resize(self) -> None:
        """Other keys may fit now."""
        self.refresh(recompose=True)


def action_of(key: Widget) -> str:
    """The action of a key, without the name of whose it is."""
    action = key.action if isinstance(key, FooterKey) else ""
    return action.removeprefix("screen.").removeprefix("app.")


def length(key: Widget) -> int:
    """The columns that a key takes, with the space after it."""
    if not isinstance(key, FooterKey):
        return 0
    return len(key.key_display) + len(key.description) + 2
