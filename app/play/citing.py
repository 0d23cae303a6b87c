"""Refs in the few letters that fit at the right edge of a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from app.rules.linker import quotes
from app.shell.i18n import _
from engine.core.rules import Ruling
from rules_it.corpus import Corpus, Rule

LONGEST_REF = 11

Cite: TypeAlias = Callable[[str], str]
"""A ref in a few letters."""


Quote: TypeAlias = Callable[[Ruling], tuple[str, ...]]
"""The words of its first rule that a ruling applied."""


def not_yet(_ref: str) -> str:
    """Something is to come, while there are no texts: ids are not for people."""
    return "…"


def no_words(_ruling: Ruling) -> tuple[str, ...]:
    """Nothing, while there are no texts."""
    return ()


def quote_from(corpus: Corpus) -> Quote:
    """What a ruling applied, out of the texts."""
    return lambda ruling: quotes(corpus, ruling, ruling.refs[0])


def short_ref(ref: str) -> str:
    """A ref without its book, cut to what fits."""
    locator = ref.partition(":")[2]
    return locator if len(locator) <= LONGEST_REF else locator[: LONGEST_REF - 1] + "…"


def cite_from(corpus: Corpus) -> Cite:
    """Refs by section where the book numbers them, else by page."""

    def cite(ref: str) -> str:
        entry = corpus.entry(ref)
        if not isinstance(entry, Rule):
            return short_ref(ref).replace(".", " ")
        if corpus.book_of(ref).info.numbered and entry.source.section:
            return entry.source.section
        if entry.source.page:
            return _("p. {page}", page=entry.source.page)
        heading = (entry.source.heading or "").partition(" - ")[0]
        return heading if 0 < len(heading) <= LONGEST_REF else short_ref(ref)

    return cite
