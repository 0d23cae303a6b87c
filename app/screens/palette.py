"""Rules in the command palette: by number, by words, by question."""

from __future__ import annotations

from asyncio import to_thread
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from app.rules.library import LIBRARY, PATIENCE
from app.shell import breakdown
from app.shell.i18n import _
from rules_it.corpus import CorpusError

LIMIT = 8


class RuleCommands(Provider):
    """Finds rules and opens them beside the map, or in the browser where there is none."""

    async def discover(self) -> Hits:
        """Before anything is typed: the browser itself."""
        about = _("Search, contents, bookmarks")
        yield DiscoveryHit(_("Rules"), self._opener(""), _("Rules"), about)

    async def search(self, query: str) -> Hits:
        """The rules that answer what is typed."""
        if self.matcher(query).match(_("Rules")) > 0:
            yield Hit(0.5, self.matcher(query).highlight(_("Rules")), self._opener(""))
        if len(query.strip()) < 2:
            return
        try:
            index = await to_thread(partial(LIBRARY.open_index, patience=PATIENCE))
            if index is None:  # it is being made: the next key may find it
                return
            found = await to_thread(partial(index.search, query, limit=LIMIT, typing=True))
        except (CorpusError, OSError):  # the browser tells what is wrong
            return
        except Exception as error:  # noqa: BLE001  whatever it is, the palette stays and tells it
            failed = breakdown.said(_("The search failed."), error)
            yield Hit(0.1, failed.replace("[", r"\["), self._opener(""), text=failed)
            return
        for place, hit in enumerate(found.hits):
            citation = index.corpus.citation(hit.ref)
            # rules come below commands that match well, in their own order
            yield Hit(
                0.49 - place / 1000,
                f"{citation} · {hit.title}".replace("[", r"\["),
                self._opener(hit.ref),
                text=f"{hit.ref} {hit.title}",
                help=" ".join(hit.extract.split())[:100].replace("[", r"\["),
            )

    def _opener(self, ref: str) -> partial[None]:
        return partial(self._open, ref)

    def _open(self, ref: str) -> None:
        beside = getattr(self.screen, "open_rule", None)
        if ref and beside is not None:
            beside(ref)
            return
        from app.screens.rules import open_rules

        open_rules(self.app, ref)
