"""The command palette: what the keys of the screen do, and rules by number, words, question."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from app.rules.library import LIBRARY, PATIENCE
from app.shell import breakdown
from app.shell.i18n import _
from engine.core.rules import RuleRef, Ruling
from engine.core.text import Msg
from rules_it.corpus import CorpusError

LIMIT = 8
PROGRAM = "prontuario."
"""Actions of the program itself, which the palette offers by other words."""


class ListedCommands(Provider):
    """Commands that are known one by one."""

    def listed(self) -> Iterator[tuple[str, str, IgnoreReturnCallbackType]]:
        """Each by its name, what is said of it, and what it does."""
        raise NotImplementedError

    async def discover(self) -> Hits:
        """Before anything is typed: all of it."""
        for name, about, run in self.listed():
            yield DiscoveryHit(name, run, name, about)

    async def search(self, query: str) -> Hits:
        """What matches the words typed."""
        matcher = self.matcher(query)
        for name, about, run in self.listed():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, name, about)


class ActionCommands(ListedCommands):
    """Everything that a key of the screen does, each thing once."""

    def listed(self) -> Iterator[tuple[str, str, IgnoreReturnCallbackType]]:
        """The bindings in force now."""
        told = set(getattr(self.screen, "closed_keys", ()))
        for active in self.screen.active_bindings.values():
            binding = active.binding
            is_ours = bool(binding.id) or (binding.show and active.node is self.screen)
            is_program = (binding.id or "").startswith(PROGRAM)
            if not is_ours or is_program or not active.enabled or not binding.description:
                continue  # Textual's own keys have no name, and no Italian
            name = binding.tooltip or binding.description
            if binding.action in told or name in told:
                continue
            told |= {binding.action, name}
            key = self.app.get_key_display(binding)
            run = partial(self.screen.run_action, binding.action)
            yield name, _("key {key}", key=key), run


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
            beside(Ruling((RuleRef(ref),), Msg("")))
            return
        from app.screens.rules import open_rules

        open_rules(self.app, ref)
