"""The user's saved games: go on with one, watch it again, send it, take one in."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from app.play.discretion import HUMAN
from app.play.session import NotWhole, Session, games_in
from app.play.tutorial import is_guided
from app.presenters.registry import presenter_for
from app.screens.choice import ChoiceScreen
from app.screens.listing import ListScreen
from app.shell.i18n import _, _n, catalog, say
from app.shell.paths import post_folder, saves_folder
from engine import titles
from engine.saves.letters import Letter
from engine.saves.lines import SaveError
from engine.saves.reading import header_in, read


class SavesScreen(ListScreen):
    """Saved games, the latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w,W", "watch", _("Watch again"), key_display="W"),
        Binding("e,E", "export", _("Export by mail"), key_display="E"),
        Binding("i,I", "take_in", _("Import by mail"), key_display="I"),
        Binding("delete", "remove", _("Delete"), key_display=_("Del")),
    ]
    heading = _("Saved games")
    when_empty = _("There are no saved games: every game you start is saved by itself.")

    def rows(self) -> list[tuple[str, str]]:
        """A row for each file."""
        return [(path.name, row_of(path)) for path in games()]

    def _marked(self) -> Path | None:
        for listing in self.query("#listing").results(OptionList):
            if listing.highlighted is not None:
                name = listing.get_option_at_index(listing.highlighted).id
                return saves_folder() / str(name)
        return None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on with the chosen game."""
        go_on(self.app, saves_folder() / str(event.option.id))

    def action_watch(self) -> None:
        """Watch the marked game again, step by step."""
        from app.screens.replay import watch

        path = self._marked()
        if path is None:
            return
        try:
            watch(self.app, path)
        except SaveError as error:
            self.notify(f"{path.name}: {say(error.msg)}", severity="error", markup=False)

    def action_remove(self) -> None:
        """Move the marked file to the bin folder: nothing is lost by one key."""
        path = self._marked()
        if path is not None:
            bin_folder = saves_folder() / "cestino"
            bin_folder.mkdir(exist_ok=True)
            path.replace(bin_folder / path.name)
            self.notify(_("{file} is in the folder cestino.", file=path.name), markup=False)
            self.refresh(recompose=True)

    def action_export(self) -> None:
        """Write the marked game as a mail to send."""
        from app.play.mail import export

        path = self._marked()
        if path is None:
            return
        try:
            session = Session.open(path, titles.TITLES)
            try:
                written = export(session, post_folder())
            finally:
                session.close()
        except NotWhole:
            self.notify(_("The game is not whole: open it first."), severity="error")
            return
        except SaveError as error:
            self.notify(f"{path.name}: {say(error.msg)}", severity="error", markup=False)
            return
        self.app.copy_to_clipboard(written.read_text(encoding="utf-8"))
        self.notify(_("Written: {file}", file=str(written)), timeout=12, markup=False)

    def action_take_in(self) -> None:
        """Take in one of the mails that came; with one only, that one."""
        from app.play.mail import broken, is_new, mails

        found = {path.name: letter for path, letter in mails(post_folder()) if is_new(letter)}
        if not found:
            words = _("No new mail: put what you received into {folder}, then try again.",
                      folder=str(post_folder()))  # fmt: skip
            said = "\n".join(broken(post_folder()) or [words])
            self.notify(said, timeout=12, markup=False)
            return

        def chosen(name: str | None) -> None:
            if name is not None:
                self._take_in(found[name])

        first = next(iter(found))
        if len(found) == 1:
            chosen(first)
        else:
            values = {name: name for name in found}
            self.app.push_screen(ChoiceScreen(_("Which file?"), values, first), chosen)

    def _take_in(self, letter: Letter) -> None:
        """Go on with the game of a letter, on one's own side; where several are free, ask which."""
        from app.play.mail import free_sides, take_in

        def play(side: str | None) -> None:
            if side is None:
                return
            try:
                session = take_in(letter, titles.TITLES, side)
            except NotWhole:
                self.notify(_("The game is not whole: open it first."), severity="error")
                return
            except SaveError as error:
                self.notify(say(error.msg), severity="error", timeout=12, markup=False)
                return
            session.close()
            go_on(self.app, session.path)

        sides = free_sides(letter)
        if len(sides) > 1:
            first = next(iter(sides))
            self.app.push_screen(ChoiceScreen(_("Which side is yours?"), sides, first), play)
        else:
            play("")


def games() -> list[Path]:
    """The saved games, the latest first."""
    return games_in(saves_folder())


def row_of(path: Path) -> str:
    """A saved game in a line: title, scenario, who plays, how far, when."""
    when = catalog().date(datetime.fromtimestamp(path.stat().st_mtime))
    try:
        with path.open("rb") as file:
            header = header_in(file.readline())
            answers = sum(line.startswith(b'{"c"') for line in file)
    except (OSError, SaveError):
        return f"{path.stem} · {when}"
    title = titles.TITLES.get(header.title)
    if title is None:
        return f"{path.stem} · {when}"
    names = presenter_for(header.title)
    infos = {info.id: info.name for info in title.scenarios()}
    seats = ", ".join(
        names.army(side).name + " " + (_("person") if who == HUMAN else _(who))
        for side, who in header.players.items()
    )
    much = _n("{n} answer", "{n} answers", n=answers) if not header.is_sealed else ""
    name = infos.get(header.scenario, header.scenario)
    guided = _("guided") if is_guided(header.note) else ""
    parts = [when, f"{title.info.name}: {name}", guided, seats, much]
    return " · ".join(part for part in parts if part)


def go_on(app: App[Any], path: Path) -> bool:
    """Open a saved game at the table; whether it could be read."""
    from app.screens.reopen import screen_for

    try:
        screen = screen_for(path)
    except SaveError as error:
        app.notify(f"{path.name}: {say(error.msg)}", severity="error", markup=False)
        return False
    if isinstance(app.screen, SavesScreen):
        app.switch_screen(screen)
    else:
        app.push_screen(screen)
    return True


def open_saves(app: App[Any]) -> None:
    """Open the list."""
    app.push_screen(SavesScreen())


def open_latest(app: App[Any]) -> None:
    """Go on with the game last played."""
    path = latest()
    if path is None:
        app.notify(_("There are no saved games: every game you start is saved by itself."))
    else:
        go_on(app, path)


def latest() -> Path | None:
    """The game last played that can still be read."""
    for path in games():
        with suppress(SaveError):
            read(path)
            return path
    return None
