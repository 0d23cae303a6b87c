"""The keys at the bottom of the table; a narrow terminal leaves out the less urgent ones.

One line of text: Textual's own footer makes a widget of every key, anew at each change of the
focus, and lays the whole screen out again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

SPARE = (
    "step(-1)",
    "layer",
    "cards",
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


class Key(NamedTuple):
    """A key that can be pressed now."""

    key: str
    shown: str
    words: str
    action: str

    @property
    def width(self) -> int:
        """The columns that it takes, with the space after it."""
        return len(self.shown) + len(self.words) + 2


class TableFooter(Static):
    """A footer that leaves out whole keys instead of being cut off: help and menu stay."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES = {"footer--key", "footer--words"}
    DEFAULT_CSS = """
    TableFooter {
        dock: bottom; height: 1; color: $footer-foreground; background: $footer-background;
    }
    TableFooter > .footer--key { color: $footer-key-foreground; text-style: bold; }
    TableFooter > .footer--words { color: $footer-description-foreground; }
    """

    def __init__(self) -> None:
        super().__init__("", markup=False)
        self.keys: tuple[Key, ...] = ()

    def on_mount(self) -> None:
        """Follow what can be pressed."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self.app.theme_changed_signal.subscribe(
            self, lambda _theme: self.call_after_refresh(self._draw_again)
        )

    def _draw_again(self) -> None:
        """The same keys in other colours."""
        self.update(self._drawn())

    def again(self) -> None:
        """Something lies over the table now, or no more."""
        self._follow(self.screen)

    def on_unmount(self) -> None:
        """Follow no more."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def on_resize(self) -> None:
        """Other keys may fit now."""
        self._follow(self.screen)

    def _follow(self, screen: Screen[Any]) -> None:
        """Show the keys that fit, if they are not those shown."""
        if not self.is_attached or screen is not self.screen or not screen.app.app_focus:
            return
        found = self._that_fit()
        if found != self.keys:
            self.keys = found
            self.update(self._drawn())

    def _that_fit(self) -> tuple[Key, ...]:
        if self.app.screen is not self.screen:  # what lies over it has keys of its own
            return ()
        idle = getattr(self.screen, "idle_keys", ())
        first: dict[str, Key] = {}  # by action: of the keys that do the same one is shown
        for _node, binding, is_enabled, _tooltip in self.screen.active_bindings.values():
            if binding.show and is_enabled:
                action = binding.action.removeprefix("screen.").removeprefix("app.")
                shown = self.app.get_key_display(binding)
                first.setdefault(action, Key(binding.key, shown, binding.description, action))
        keys = [key for action, key in first.items() if action not in idle]
        for action in SPARE:
            if sum(key.width for key in keys) <= self.app.size.width:
                break
            keys = [key for key in keys if key.action != action]
        return tuple(keys)

    def _drawn(self) -> Content:
        bold, plain = (self.get_visual_style(f"footer--{name}") for name in ("key", "words"))
        parts: list[Content] = []
        for key in self.keys:
            press = Style.from_meta({"@click": f"app.simulate_key({key.key!r})"})
            parts += [Content.styled(key.shown, bold + press),
                      Content.styled(f" {key.words} ", plain + press)]  # fmt: skip
        return Content("").join(parts)
