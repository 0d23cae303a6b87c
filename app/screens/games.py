"""The games that can be played."""

from __future__ import annotations

from app.i18n import _
from app.screens.listing import ListScreen
from engine import titles


class GamesScreen(ListScreen):
    """Titles and scenarios."""

    heading = _("Play")
    when_empty = _("No game is installed yet.")

    def rows(self) -> list[tuple[str, str]]:
        """A row for each scenario of each title."""
        return [
            (f"{slug}/{info.id}", f"{title.info.name}  ·  {info.name}")
            for slug, title in titles.TITLES.items()
            for info in title.scenarios()
        ]
