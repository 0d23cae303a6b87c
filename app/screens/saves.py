"""The user's saved games."""

from __future__ import annotations

from datetime import datetime

from app.i18n import _, catalog
from app.paths import saves_folder
from app.screens.listing import ListScreen


class SavesScreen(ListScreen):
    """Saved games, the latest first."""

    heading = _("Saved games")
    when_empty = _("There are no saved games: every game you start is saved by itself.")

    def rows(self) -> list[tuple[str, str]]:
        """A row for each file."""
        found = [(path.stat().st_mtime, path) for path in saves_folder().glob("*.prontuario")]
        return [
            (path.name, f"{path.stem}  ·  {catalog().date(datetime.fromtimestamp(when))}")
            for when, path in sorted(found, reverse=True)
        ]
