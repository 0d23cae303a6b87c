"""The first screen: what can be done from here."""

from __future__ import annotations

from importlib import import_module
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from app import __version__
from app.shell import own_data
from app.shell.i18n import _
from app.widgets.steady import Steady

BANNER = r"""
 ___             _                  _
| _ \_ _ ___ _ _| |_ _  _ __ _ _ __(_)___
|  _/ '_/ _ \ ' \  _| || / _` | '_/| / _ \
|_| |_| \___/_||_\__|\_,_\__,_|_|  |_\___/
""".strip("\n")


# What an entry opens is imported then: the first paint does not wait for it.
OPENS = {
    "games": ("app.screens.new_game", "open_new_game"),
    "latest": ("app.screens.saves", "open_latest"),
    "guide": ("app.screens.new_game", "open_guided"),
    "rules": ("app.screens.rules", "open_rules"),
    "saves": ("app.screens.saves", "open_saves"),
    "settings": ("app.screens.settings", "open_settings"),
}


class HomeScreen(Steady[None]):
    """The menu of the program."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "open('games')", _("Play")),
        Binding("c", "open('latest')", _("Continue")),
        Binding("r", "open('rules')", _("Rules")),
        Binding("p", "open('saves')", _("Games")),
        Binding("t", "app.theme_next", _("Theme")),
        Binding("q", "app.quit", _("Quit")),
    ]

    def compose(self) -> ComposeResult:
        """Banner, menu, and what the marked entry does."""
        with Center():  # as a block: its lines must not be centred one by one
            yield Static(BANNER, id="banner", markup=False)
        yield Static(
            _("Four wargames, every rule at hand.") + f"  v{__version__}", id="motto", markup=False
        )
        with Horizontal(id="home"):
            entries = [Option(name, id=key) for key, name, _about in self.entries()]
            menu = OptionList(*entries, id="menu")
            menu.border_title = _("Menu")
            yield menu
            about = Static("", id="about", markup=False)
            about.border_title = _("What it does")
            yield about
        yield Footer()

    def entries(self) -> list[tuple[str, str, str]]:
        """The menu: id, name and what it does."""
        return [
            ("games", _("Play"), _("Choose a title and a scenario, and play it here.")),
            ("latest", _("Continue"), _("Go on with the game you played last.")),
            (
                "guide",
                _("First game, guided"),
                _("A game explained step by step, each step with its rule beside the map."),
            ),
            ("rules", _("Rules"), _("Search and read the rules of the four games.")),
            ("saves", _("Saved games"), _("Go on with a game, or watch it again.")),
            ("settings", _("Settings"), _("Colours, plain characters, keys, step by step.")),
            ("help", _("Help"), _("How to move about. F1 explains any screen.")),
            ("quit", _("Quit"), _("Close Prontuario. Games are saved at every answer.")),
        ]

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Home"), _(
            "Choose with the arrows and Enter, with the key shown at the bottom, or with the "
            "mouse. Ctrl+P opens the palette, which finds every command by its name."
        )

    def on_mount(self) -> None:
        """Start on the first entry."""
        self.query_one("#menu", OptionList).focus()
        if faults := own_data.admit().faults:
            first = {fault.file: str(fault) for fault in reversed(faults)}  # one of each file
            text = "\n".join((*sorted(first.values())[:3], own_data.advice()))
            self.notify(text, severity="warning", timeout=20, markup=False)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what the marked entry does."""
        texts = {key: about for key, _name, about in self.entries()}
        self.query_one("#about", Static).update(texts[str(event.option.id)])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the chosen entry."""
        self.action_open(str(event.option.id))

    def action_open(self, entry: str) -> None:
        """Open an entry of the menu."""
        if entry == "quit":
            self.app.exit()
        elif entry == "help":
            self.call_later(self.app.run_action, "explain")
        else:
            module, name = OPENS[entry]
            getattr(import_module(module), name)(self.app)
