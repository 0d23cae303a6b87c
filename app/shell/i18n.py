"""Words for people: catalogs, messages with their facts, Italian numbers and dates.

The catalogs are compiled when the wheel is built. In a checkout they are compiled on first use
into the user's cache, so that editing a .po file is enough to see it.
"""

from __future__ import annotations

import gettext
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from fractions import Fraction
from functools import partial
from io import BytesIO
from typing import Protocol, TypeAlias

from app.shell.paths import cache_folder, locale_folder
from engine.core.files import slugs, write_atomically
from engine.core.text import N_, Fact, Msg

LANGUAGES = ("it", "en")
DOMAIN = "prontuario"
MARK = 4
IN = "\x04"
"""What gettext puts between a context and its message; our contexts are the titles."""
OURS = ("expected", "got")
"""The facts of a fault that are our words, not those of the file."""


Name: TypeAlias = Callable[[str, str], str]
"""The kind of a fact and an id -> its name."""


class Catalog:
    """One language's words."""

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations
        self._anywhere = ("", *slugs())

    def text(self, msgid: str, title: str = "", /, **facts: object) -> str:
        """A sentence with its facts, in the words of a title; the fact `n` chooses the plural form.

        Nothing stays nothing: to gettext the empty id is the header of the catalog.
        """
        if not msgid:
            return ""
        sentence = self._sentence(msgid, title, facts.get("n"))
        return sentence.format_map(_Facts(facts)) if facts else sentence

    def _sentence(self, msgid: str, title: str, number: object) -> str:
        """The words of the title come first; who speaks without one takes them where they are."""
        for context in (title, "") if title else self._anywhere:
            key = f"{context}{IN}{msgid}" if context else msgid
            sentence = key
            if isinstance(number, int):
                sentence = self._translations.ngettext(key, key, number)
            if sentence == key:
                sentence = self._translations.gettext(key)
            if sentence != key:
                return sentence
        return msgid

    def has(self, msgid: str) -> bool:
        """Whether the catalog knows a sentence."""
        return bool(msgid) and self._sentence(msgid, "", None) != msgid

    def say(self, msg: Msg, name: Name | None = None, title: str = "") -> str:
        """A message of the engine in words; `name(key, id)` gives ids their names."""
        facts = {key: self._fact(key, fact, name, title) for key, fact in msg.facts.items()}
        return self.text(msg.id, title, **facts)

    def say_of_file(self, msg: Msg) -> str:
        """What is wrong with a file: its own words stay as they are written there."""
        facts = {
            key: self._fact(key, fact, None, "") if key in OURS else _as_written(fact)
            for key, fact in msg.facts.items()
        }
        return self.text(msg.id, **facts)

    def _fact(self, key: str, fact: Fact, name: Name | None, title: str) -> object:
        if isinstance(fact, bool):
            return self.text(N_("yes") if fact else N_("no"))
        if isinstance(fact, Fraction):
            return fraction(fact)
        if isinstance(fact, tuple):
            return ", ".join(str(self._fact(key, item, name, title)) for item in fact)
        if isinstance(fact, str):
            named = name(key, fact) if name is not None else fact
            return self.text(named, title) if named == fact and fact else named
        return fact

    def number(self, value: float | Fraction, digits: int = 1) -> str:
        """A number as this language writes it."""
        from babel.numbers import format_decimal

        pattern = "#,##0." + "#" * digits
        return str(format_decimal(float(value), format=pattern, locale=self.language))

    def percent(self, value: Fraction) -> str:
        """A probability as this language writes it, to a tenth."""
        text = f"{float(value * 100):.1f}%"
        if value and text == "0.0%":
            text = "<0.1%"
        return text.replace(".", ",") if self.language == "it" else text

    def date(self, when: datetime) -> str:
        """A day and hour as this language writes them."""
        from babel.dates import format_datetime

        return str(format_datetime(when, "d MMM y HH:mm", locale=self.language))


def _as_written(fact: Fact) -> object:
    return ", ".join(map(str, fact)) if isinstance(fact, tuple) else fact


class _Facts(dict[str, object]):
    """Facts of a sentence; one that is missing shows its name instead of breaking the screen."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def fraction(value: Fraction) -> str:
    """A fraction as players write it: 4, 1/2, 3 1/2."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def load(language: str) -> Catalog:
    """The catalog of a language: compiled if there is one, else compiled from the source."""
    folder = locale_folder() / language / "LC_MESSAGES"
    source = folder / f"{DOMAIN}.po"
    if source.is_file():
        content = _compiled(source.read_bytes(), language)
    else:
        content = (folder / f"{DOMAIN}.mo").read_bytes()
    return Catalog(language, gettext.GNUTranslations(BytesIO(content)))


def _compiled(source: bytes, language: str) -> bytes:
    """A .po file as .mo, compiled once for each content."""
    name = f"{zlib.crc32(source):08x}-{len(source)}"  # hashlib would slow every start
    cached = cache_folder() / f"{language}-{name}.cat"
    with suppress(OSError):
        kept = cached.read_bytes()
        content, mark = kept[:-MARK], kept[-MARK:]
        if mark == _mark(content):
            return content
    content = compile_catalog(source, language)
    with suppress(OSError):  # a cache that cannot be read or written only costs time
        write_atomically(cached, content + _mark(content))
    return content


def _mark(content: bytes) -> bytes:
    """What stands at the end of a cached catalog that is whole."""
    return zlib.crc32(content).to_bytes(MARK, "big")


def compile_catalog(source: bytes, language: str) -> bytes:
    """A .po file as .mo."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(source), locale=language))
    return compiled.getvalue()


_current: Catalog | None = None


def use(language: str) -> Catalog:
    """Speak a language from now on."""
    global _current
    _current = load(language)
    return _current


def catalog() -> Catalog:
    """The language spoken now; Italian unless told otherwise."""
    return _current if _current is not None else use("it")


def _(msgid: str, /, **facts: object) -> str:
    """A sentence of the program in the language spoken now."""
    return catalog().text(msgid, **facts)


def _n(singular: str, plural: str, /, **facts: object) -> str:
    """A sentence with plural forms; the fact `n` chooses between them."""
    return catalog().text(singular, **facts)


def say_of_file(msg: Msg) -> str:
    """What is wrong with a file, in the language spoken now."""
    return catalog().say_of_file(msg)


def say(msg: Msg, name: Name | None = None, title: str = "") -> str:
    """A message of the engine in the language spoken now."""
    return catalog().say(msg, name, title)


class Say(Protocol):
    """A sentence with its facts in words."""

    def __call__(self, msgid: str, /, **facts: object) -> str:
        """The words."""
        ...


def words_of(title: str) -> Say:
    """What `_` is to the program, for the words of a title."""
    return partial(_text, title)


def _text(title: str, msgid: str, /, **facts: object) -> str:
    return catalog().text(msgid, title, **facts)
