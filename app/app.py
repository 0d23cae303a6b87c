"""The full-screen program: themes, palette, help, and the screens it opens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

import msgspec
from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.screen import Screen

from app import config
from app.i18n import _
from app.screens.help import HelpScreen, explanation_of
from app.screens.home import HomeScreen
from app.screens.too_small import SMALLEST, TooSmallScreen
from app.themes import THEMES

KEY_NAMES = {
    "esc": "Esc",
    "enter": _("Enter"),
    "⏎": _("Enter"),
    "space": _("Space"),
    "⌫": _("Backspace"),
    "tab": "Tab",
}


def rule_commands() -> type[Provider]:
    """The palette's search in the rules, imported when the palette opens."""
    from app.palette import RuleCommands

    return RuleCommands


class ProntuarioApp(App[None]):
    """Prontuario on the whole terminal."""

    CSS_PATH = "prontuario.tcss"
    TITLE = "Prontuario"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {
        *App.COMMANDS,
        rule_commands,
    }
    # Class bodies run after the language is chosen: cli imports the screens last.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "explain", _("Help"), priority=True),
        Binding("ctrl+p", "command_palette", _("Palette"), show=False, priority=True),
        Binding("ctrl+q", "quit", _("Quit"), show=False, priority=True),
    ]

    def __init__(self, first: Callable[[], Screen[None]] | None = None) -> None:
        super().__init__()
        self._first = first
        self.settings = config.load()
        for theme in THEMES:
            self.register_theme(theme)
        known = {theme.name for theme in THEMES}
        self.theme = self.settings.theme if self.settings.theme in known else THEMES[0].name

    def get_default_screen(self) -> Screen[None]:
        """The menu lies below every other screen: who leaves the last one comes to it."""
        return HomeScreen()

    def on_mount(self) -> None:
        """Open the screen asked for, with the keys that the user wants."""
        if self.settings.keys:
            self.set_keymap(self.settings.keys)
        if self._first is not None:
            self.push_screen(self._first())

    def on_resize(self, event: events.Resize) -> None:
        """Say so, kindly, when the terminal is too small to play in."""
        width, height = SMALLEST
        small = event.size.width < width or event.size.height < height
        shown = isinstance(self.screen, TooSmallScreen)
        if small and not shown:
            self.push_screen(TooSmallScreen())
        elif shown and not small:
            self.pop_screen()

    def get_key_display(self, binding: Binding) -> str:
        """Keys as the footer and the help name them."""
        shown = super().get_key_display(binding)
        is_plain = len(shown) == 1 or binding.key.startswith("f")
        return KEY_NAMES.get(shown, shown.upper() if is_plain else shown)

    def action_explain(self) -> None:
        """F1: explain what has the focus, or close the explanation."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        elif not isinstance(self.screen, TooSmallScreen):
            self.push_screen(HelpScreen(*explanation_of(self.screen)))

    def action_command_palette(self) -> None:
        """Open the palette, which finds commands by their names."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=_("Find a command…")))

    def action_theme_next(self) -> None:
        """Go to the next theme and remember it."""
        names = [theme.name for theme in THEMES]
        following = (names.index(self.theme) + 1) % len(names) if self.theme in names else 0
        self.theme = names[following]
        self.settings = msgspec.structs.replace(self.settings, theme=self.theme)
        config.save(self.settings)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers everywhere."""
        yield SystemCommand(_("Help"), _("Explain what has the focus"), self.action_explain)
        yield SystemCommand(_("Theme"), _("Change the colours"), self.action_theme_next)
        yield SystemCommand(_("Quit"), _("Close Prontuario"), self.exit)
