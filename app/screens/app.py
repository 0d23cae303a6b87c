"""The full-screen program: themes, palette, help, and the screens it opens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from rich.align import Align
from rich.text import Text
from textual import events
from textual._context import active_message_pump
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandList, CommandPalette, Provider, SearchIcon
from textual.css.query import NoMatches
from textual.filter import DimFilter
from textual.screen import Screen
from textual.widget import MountError, Widget
from textual.widgets.option_list import Option

from app.cli.answers import BROKEN, DONE, refused_folder
from app.screens.help import HelpScreen, explanation_of
from app.screens.home import HomeScreen
from app.screens.themes import DIMMED, THEMES
from app.screens.too_small import TooSmallScreen, is_too_small
from app.shell import breakdown, config, streams
from app.shell.i18n import _
from app.widgets.steady import Steady
from app.widgets.wrapping import keep_pages_whole

if TYPE_CHECKING:
    from app.widgets.rule_pane import RulePane

KEY_NAMES = {
    "esc": "Esc",
    "enter": _("Enter"),
    "⏎": _("Enter"),
    "space": _("Space"),
    "⌫": _("Backspace"),
    "tab": "Tab",
    "end": _("End"),
}


def rule_commands() -> type[Provider]:
    """The palette's search in the rules, imported when the palette opens."""
    from app.screens.palette import RuleCommands

    return RuleCommands


def action_commands() -> type[Provider]:
    """What the keys of the screen do, imported when the palette opens."""
    from app.screens.palette import ActionCommands

    return ActionCommands


class Palette(CommandPalette, Steady[None]):
    """Finds commands by their names."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "escape", _("Close"))]

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Palette"), _(
            "Type a few letters of a command, of a unit or of a hex, or words of a rule. The "
            "arrows choose, Enter does it, Esc closes the palette."
        )

    def on_mount(self) -> None:
        """No picture before the words: terminals draw it each in its own way."""
        self.query_one(SearchIcon).icon = ">"

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Say after a while that nothing was found, in place of Textual's own English words."""
        self._stop_no_matches_countdown()

        def nothing() -> None:
            self._list_visible = bool(search_value)
            if search_value:
                said = Align.center(Text(_("Nothing has this name."), style="not bold"))
                self.query_one(CommandList).add_option(
                    Option(said, disabled=True, id=self._NO_MATCHES)
                )

        self._no_matches_timer = self.set_timer(self._NO_MATCHES_COUNTDOWN, nothing)


class ProntuarioApp(App[None]):
    """Prontuario on the whole terminal."""

    CSS_PATH = "prontuario.tcss"
    TITLE = "Prontuario"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {
        *App.COMMANDS,
        action_commands,
        rule_commands,
    }
    # Class bodies run after the language is chosen: cli imports the screens last.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "explain", _("Help"), priority=True, id="prontuario.aiuto"),
        Binding("ctrl+p", "command_palette", _("Palette"), show=False, priority=True,
                id="prontuario.comandi"),
        Binding("ctrl+q", "quit", _("Quit"), show=False, priority=True, id="prontuario.esci"),
    ]  # fmt: skip

    def __init__(
        self, first: Callable[[], Screen[Any]] | None = None, game: Path | None = None
    ) -> None:
        keep_pages_whole()
        super().__init__()
        self._first = first
        self.fault: Exception | None = None
        self.game = game
        self.said: list[str] = []
        reading = config.read()
        self.settings, self._faults = reading.settings, reading.faults
        for theme in THEMES:
            self.register_theme(theme)
        known = {theme.name for theme in THEMES}
        self.theme = self.settings.theme if self.settings.theme in known else THEMES[0].name
        for line_filter in self._filters:
            if isinstance(line_filter, DimFilter):
                line_filter.dim_factor = DIMMED
        self.animation_level = "none"  # motion costs a slow line twenty paints for one

    def get_default_screen(self) -> Screen[Any]:
        """The menu lies below every other screen: who leaves the last one comes to it."""
        return HomeScreen()

    def refresh_css(self, animate: bool = True) -> None:
        """Read the styles again in other colours; before anything is shown they are read once."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def on_mount(self) -> None:
        """Open the screen asked for, with the keys that the user wants."""
        if self.settings.keys:
            self.set_keymap(self.settings.keys)
        # after the first paint: what the keys may do is known by screens that are not loaded yet
        self.call_after_refresh(self._tell_faults)
        if self._first is not None:
            self.push_screen(self._first())

    def _tell_faults(self) -> None:
        from app.screens.settings import faults_of

        faults = [*self._faults, *faults_of(self.settings, self.BINDINGS)]
        if faults:
            self.warn("\n".join([*faults, str(config.settings_path())]))
        refused = refused_folder()
        if refused:
            self.warn(refused)

    def on_rule_pane_example_chosen(self, event: RulePane.ExampleChosen) -> None:
        """Step through a worked example on the map."""
        from app.play.watching import replay_of_example  # the first screen needs no game
        from app.screens.replay import ReplayScreen
        from engine import examples, titles

        try:
            example = examples.read(event.path)
            replay = replay_of_example(titles.TITLES[example.title], example)
        except Exception as error:  # noqa: BLE001  the rule stays open, whatever the example does
            self.warn(_("This example cannot be played: {why}", why=error))
        else:
            self.push_screen(ReplayScreen(replay))

    def on_rule_pane_trial_chosen(self, event: RulePane.TrialChosen) -> None:
        """Play on from the position of a worked example."""
        from app.play.session import Session
        from app.screens.play import PlayScreen
        from engine import examples, titles
        from engine.core.rules import RuleRef

        try:
            example = examples.read(event.path)
            session = Session.trial(titles.TITLES[example.title], example)
        except Exception as error:  # noqa: BLE001  the rule stays open, whatever the example does
            self.warn(_("This example cannot be played: {why}", why=error))
        else:
            answers = tuple([step.answer for step in example.steps if step.answer is not None])
            self.push_screen(PlayScreen(session, (example.name, RuleRef(event.ref), answers)))

    def warn(self, sentence: str) -> None:
        """Tell what went wrong, long enough to read it."""
        self.notify(sentence, severity="warning", timeout=20, markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Say so, kindly, when the terminal is too small to play in."""
        if is_too_small(event.size) and not isinstance(self.screen, TooSmallScreen):
            self.push_screen(TooSmallScreen())

    def _handle_exception(self, error: Exception) -> None:
        """Close the screen in good order and keep the first fault, for whoever ran the program.

        In place of Textual's own, which paints a screenful of traceback.
        """
        lost = isinstance(error, NoMatches | MountError)
        if lost and self._is_leaving(active_message_pump.get(None)):
            return  # who is taken away while it settles in misses its children
        if self.fault is None:
            self.fault = error
            games = [screen.game for screen in self.screen_stack if hasattr(screen, "game")]
            self.game = games[0] if games else self.game
            self._exception = error  # the pilot of a test raises it
            self._exception_event.set()
        self._return_code = BROKEN
        self._close_messages_no_wait()

    def _is_leaving(self, node: object) -> bool:
        """Whether a widget is being taken away, with its screen or with the whole program."""
        if not isinstance(node, Widget):
            return False
        shown = any(one in self.screen_stack for one in node.ancestors_with_self)
        return not shown or not node.is_attached

    def get_key_display(self, binding: Binding) -> str:
        """Keys as the footer and the help name them."""
        shown = super().get_key_display(binding)
        if shown.startswith("^") and len(shown) > 1:
            return f"Ctrl+{shown[1:].upper()}"
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
            self.push_screen(Palette(placeholder=_("Find a command…")))

    def action_help_quit(self) -> None:
        """Ctrl+C where nothing can be copied: say how one leaves."""
        how = _("Ctrl+Q closes Prontuario; a game stays saved.")
        self.notify(how, title=_("Do you want to leave?"), markup=False)

    def action_theme_next(self) -> None:
        """Go to the next theme and remember it."""
        names = [theme.name for theme in THEMES]
        following = (names.index(self.theme) + 1) % len(names) if self.theme in names else 0
        self.theme = names[following]
        self.settings = msgspec.structs.replace(self.settings, theme=self.theme)
        config.save(self.settings, self.warn)

    def action_keys(self) -> None:
        """Change the keys of the table."""
        from app.screens.key_settings import KeySettingsScreen, open_keys

        if not any(isinstance(screen, KeySettingsScreen) for screen in self.screen_stack):
            open_keys(self)

    def action_train(self) -> None:
        """Open the training room, unless it is open."""
        from app.screens.training import DrillScreen, TrainingScreen, open_training

        rooms = (TrainingScreen, DrillScreen)
        if not any(isinstance(screen, rooms) for screen in self.screen_stack):
            open_training(self)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers everywhere."""
        yield SystemCommand(_("Help"), _("Explain what has the focus"), self.action_explain)
        said = _("Learn the rules by questions from real positions")
        yield SystemCommand(_("Training"), said, self.action_train)
        yield SystemCommand(_("Theme"), _("Change the colours"), self.action_theme_next)
        yield SystemCommand(_("Keys of the table"), _("Which key does what"), self.action_keys)
        yield SystemCommand(_("Quit"), _("Close Prontuario"), self.exit)


def run(first: Callable[[], Screen[Any]] | None = None, game: Path | None = None) -> int:
    """Run the program from a screen, about a game if it opens one; the exit code."""
    app = ProntuarioApp(first, game)
    app.run()
    for sentence in app.said:
        streams.complain(sentence)
    return breakdown.tell(app.fault, app.game) if app.fault is not None else DONE
