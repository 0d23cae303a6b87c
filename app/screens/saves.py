"""The user's saved games: go on with one, watch it again, send it, take one in."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from app.i18n import _, _n, catalog, say
from app.paths import post_folder, saves_folder
from app.presenters.registry import presenter_for
from app.screens.choice import ChoiceScreen
from app.screens.listing import ListScreen
from app.session import HUMAN, SUFFIX, NotWhole, Session
from app.tutorial import is_guided
from engine import titles
from engine.saves.lines import SaveError
from engine.saves.reading import header_in, read


class SavesScreen(ListScreen):
    """Saved games, the latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", _("Watch again")),
        Binding("e", "export", _("Export by mail")),
        Binding("i", "take_in", _("Import by mail")),
        Binding("delete", "remove", _("Delete")),
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
        """Write the marked game as a file to send."""
        from app.mail import export

        path = self._marked()
        if path is None:
            return
        try:
            session = Session.open(path, titles.TITLES)
            written = export(session, post_folder())
            session.close()
        except NotWhole:
            self.notify(_("The game is not whole: open it first."), severity="error")
            return
        except SaveError as error:
            self.notify(f"{path.name}: {say(error.msg)}", severity="error", markup=False)
            return
        self.notify(_("Written: {file}", file=str(written)), timeout=12, markup=False)

    def action_take_in(self) -> None:
        """Choose one of the files that came by mail and the side to play."""
        from app.mail import MAIL_SUFFIX

        files = {path.name: path.name for path in sorted(post_folder().glob(f"*{MAIL_SUFFIX}"))}
        if not files:
            folder = str(post_folder())
            self.notify(_("Put the file received into {folder}, then try again.", folder=folder),
                        timeout=12, markup=False)  # fmt: skip
            return
        first = next(iter(files))
        self.app.push_screen(ChoiceScreen(_("Which file?"), files, first), self._file_chosen)

    def _file_chosen(self, name: str | None) -> None:
        from app.mail import sides_in, take_in

        if name is None:
            return
        path = post_folder() / name
        try:
            sides = sides_in(path, titles.TITLES)
        except SaveError as error:
            self.notify(f"{name}: {say(error.msg)}", severity="error", markup=False)
            return

        def play(side: str | None) -> None:
            if side is not None:
                try:
                    go_on(self.app, take_in(path, titles.TITLES, side))
                except SaveError as error:
                    self.notify(say(error.msg), severity="error", markup=False)

        self.app.push_screen(
            ChoiceScreen(_("Which side is yours?"), sides, next(iter(sides))), play
        )


def games() -> list[Path]:
    """The saved games, the latest first."""
    found = list(saves_folder().glob(f"*{SUFFIX}"))
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)


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
    much = _n("{n} answer", "{n} answers", n=answers)
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
