"""A saved game that cannot go on as it was: what is wrong, and from where to play on."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from app.play.session import InUse, NotWhole, Session
from app.screens.play import PlayScreen
from app.screens.replay import ReplayScreen, replay_of_save
from app.shell.i18n import _, say
from app.widgets.steady import Steady
from engine import titles
from engine.core.rules import Command, Entry
from engine.saves.replaying import Loaded

GOOD, PHOTO = "good", "photo"


def screen_for(path: Path) -> Screen[None]:
    """The screen on which a saved game goes on; SaveError if the file is none.

    A game that another window plays is watched; one that is not whole asks from where.
    """
    try:
        return PlayScreen(Session.open(path, titles.TITLES))
    except InUse as in_use:
        return ReplayScreen(replay_of_save(path), said=say(in_use.msg))
    except NotWhole as found:
        return ReopenScreen(path, found.loaded)


class ReopenScreen(Steady[None]):
    """Says how much of a game is good, and lets the player choose where it goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "choose(0)", _("Choose"), show=False),
        Binding("2", "choose(1)", _("Choose"), show=False),
        Binding("escape", "app.pop_screen", _("Back")),
    ]
    CSS = """
    ReopenScreen { align: center middle; }
    ReopenScreen #why { width: 72; max-width: 100%; height: auto; padding: 1 2; }
    ReopenScreen OptionList { width: 72; max-width: 100%; height: auto; border: round $accent; }
    """

    def __init__(self, path: Path, loaded: Loaded[Any]) -> None:
        super().__init__()
        self._path = path
        self._loaded = loaded
        self._ways = ways(loaded)

    def compose(self) -> ComposeResult:
        """What happened, then the ways to go on."""
        kept = _("The file {file} stays as it is: the game goes on in a copy.")
        said = [say(msg) for msg in self._loaded.warnings]
        lines = [_("This game cannot go on as it was saved."), "", *said, ""]
        yield Static("\n".join([*lines, kept.format(file=self._path.name)]), id="why", markup=False)
        options = OptionList(
            *(Option(f"{n}  {words}") for n, words in enumerate(self._ways.values(), 1)),
            markup=False,
        )
        options.border_title = _("Where does it go on?")
        options.border_subtitle = _("Enter chooses, Esc closes")
        yield options
        yield Footer(show_command_palette=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("A game that is not whole"), _(
            "Part of the file is damaged, or the rules have changed since and no longer accept an "
            "answer. Choose from where to play on; the old file stays where it is."
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on from there."""
        self.action_choose(event.option_index)

    def action_choose(self, place: int) -> None:
        """Go on from the first or the second of the ways."""
        if place < len(self._ways):
            is_photo = list(self._ways)[place] == PHOTO
            session = Session.take_up(self._loaded, is_photo)
            session.heard()  # it stands on this screen
            self.app.switch_screen(PlayScreen(session))


def ways(loaded: Loaded[Any]) -> dict[str, str]:
    """From where a game that is not whole can go on."""
    good, all_ = _answers(loaded.game.entries), _answers(loaded.record.entries)
    found = {GOOD: _("From the last good position: after {n} answers.", n=good)}
    if loaded.divergence is not None:
        words = _("From the last good position: {n} answers of {all}.", n=good, all=all_)
        found = {GOOD: words}
    if loaded.snapshot is not None:
        words = _("From the snapshot in the file: after {n} entries, without the story before it.",
                  n=loaded.snapshot.entries)  # fmt: skip
        found[PHOTO] = words
    return found


def _answers(entries: tuple[Entry, ...]) -> int:
    return sum(isinstance(entry, Command) for entry in entries)
