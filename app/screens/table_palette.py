"""The command palette at the table: units and hexes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hits
from textual.types import IgnoreReturnCallbackType

from app.screens.palette import ListedCommands
from app.shell.i18n import _

if TYPE_CHECKING:
    from app.screens.play import PlayScreen


class TableCommands(ListedCommands):
    """Everything that lies on the table."""

    def listed(self) -> Iterator[tuple[str, str, IgnoreReturnCallbackType]]:
        """Units, then hexes."""
        table = cast("PlayScreen", self.screen)
        view = table.query_one("#map").view  # type: ignore[attr-defined]
        if view is None:
            return
        for counter in view.counters:
            if counter.hex is not None:
                name = table.presenter.name("unit", counter.id)
                where = table.presenter.where(view, counter)
                about = f"{where} · {table.presenter.detail(counter)}"
                yield name, about, partial(table.go_to, counter.hex)
        for hex in view.board.hexes():
            label = view.board.label(hex)
            terrain = table.presenter.name("terrain", view.board.terrain(hex))
            yield _("Hex {label}", label=label), terrain, partial(table.go_to, hex)

    async def discover(self) -> Hits:
        """Before anything is typed: the units."""
        for name, about, run in self.listed():
            if not name.startswith(_("Hex {label}", label="")):
                yield DiscoveryHit(name, run, name, about)
