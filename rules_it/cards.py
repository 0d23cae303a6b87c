"""What the reference cards of a title are made of: `rules_it/<slug>/schede.yaml`.

A card has rows that are rules, tables of the texts, or the records of data files of the engine,
told with the holes of `rules_it.tables`. docs/corpus-format.md explains the syntax. Nothing that
the texts or the data hold is written here again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from rules_it.tables import HOLE, Data, Pen, Read

EVERY = "/*"
"""What ends the name of a folder whose files are the records."""
BOOK, PARTLY = "regolamento", "in parte"
"""Where figures come from: all, or only some of them, are printed in the book."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row that is a rule, or the sentence of it that an anchor names.

    `when` are words of the phase that it is about; `state` is one that counters have.
    """

    ref: str = msgspec.field(name="rif")
    name: str = msgspec.field(name="nome", default="")
    when: tuple[str, ...] = msgspec.field(name="quando", default=())
    state: str = msgspec.field(name="stato", default="")


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a record lies on the table: what a presenter is told of its counter."""

    side: str = msgspec.field(name="lato", default="")
    kind: str = msgspec.field(name="genere", default="")
    id: str = "{chiave}"
    name: str = msgspec.field(name="nome", default="")
    strength: str = msgspec.field(name="forza", default="")
    facts: dict[str, str | tuple[str, ...]] = msgspec.field(name="fatti", default={})
    kinds: dict[str, str] = msgspec.field(name="generi", default={})


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Something that a record says: what it is called and the words; for a column a shorter name
    and shorter words."""

    name: str
    words: str
    short: str = ""
    cell: str = ""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The records of a data file, or the files of a folder (`scenarios/*`), as entries.

    `each` is the path of the records; `a.*.b` are the `b` of every `a`, which is then `sopra`.
    `row` is what begins its row, where a column says the rest of the title; `told` is the id of a
    scenario that the presenter tells in its own words.
    """

    file: str
    title: str = msgspec.field(name="titolo")
    values: tuple[Value, ...] = msgspec.field(name="valori")
    one: str = msgspec.field(name="uno")
    each: str = msgspec.field(name="per", default="")
    names: tuple[str, ...] = msgspec.field(name="nomi", default=())
    id: str = "{chiave}"
    row: str = msgspec.field(name="riga", default="")
    ref: str = msgspec.field(name="rif", default="")
    sought: tuple[str, ...] = msgspec.field(name="cerca", default=())
    words: dict[str, str] = msgspec.field(name="parole", default={})
    figure: Figure | None = msgspec.field(name="pedina", default=None)
    told: str = msgspec.field(name="racconto", default="")
    without: tuple[str, ...] = msgspec.field(name="tranne", default=())


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card: its rules, the tables of some rules (`3.2.4#to-hit` is one of several), records."""

    id: str
    name: str = msgspec.field(name="nome")
    lines: tuple[Line, ...] = msgspec.field(name="voci", default=())
    tables: tuple[str, ...] = msgspec.field(name="tavole", default=())
    catalogue: Catalogue | None = msgspec.field(name="catalogo", default=None)


class Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `schede.yaml` holds: the cards in order, and words for all of their records."""

    cards: tuple[Plan, ...] = msgspec.field(name="schede", default=())
    words: dict[str, str] = msgspec.field(name="parole", default={})


class Said(msgspec.Struct, frozen=True):
    """A value of a record, in words; `source` where it comes from elsewhere than the record."""

    name: str
    words: str
    cell: str
    source: str = ""


class Drawn(msgspec.Struct, frozen=True):
    """How the counter of a record is told to a presenter."""

    id: str
    side: str
    kind: str
    name: str
    strength: str
    facts: dict[str, str | tuple[str, ...]]


class Record(msgspec.Struct, frozen=True):
    """A unit, a weapon, a card, a scenario: what its file says of it, in words."""

    id: str
    title: str
    row: str
    names: tuple[str, ...]
    values: tuple[Said, ...]
    refs: tuple[str, ...]
    source: str
    doubtful: tuple[str, ...]
    note: str
    figure: Drawn | None
    told: str


Names = Callable[[str], Iterable[str]]
"""The files of a folder of data, by their names without `.yaml`."""


def records(plan: Catalogue, words: dict[str, str], read: Read, names: Names) -> Iterator[Record]:
    """The entries of a catalogue; LookupError where the data lack a title."""
    if plan.file.endswith(EVERY):
        folder = plan.file.removesuffix(EVERY)
        for name in (name for name in names(folder) if name not in plan.without):
            data = read(f"{folder}/{name}")
            pen = Pen(data, words | plan.words, ", ")
            yield _Clerk(plan, pen).record({"chiave": name, "valore": data})
    else:
        pen = Pen(read(plan.file), words | plan.words, ", ")
        for place in _places(pen, plan.each, {}):
            yield _Clerk(plan, pen).record(place)


def _places(pen: Pen, path: str, above: dict[str, Data]) -> Iterator[dict[str, Data]]:
    """What each record is about: its key, its value, and what it is part of."""
    first, _, rest = path.partition(".*.")
    found = pen.find(first, above)
    pairs = found.items() if isinstance(found, dict) else enumerate(found, 1)
    for key, value in pairs:
        named = str(value["id"]) if isinstance(value, dict) and "id" in value else str(key)
        place = {"chiave": named, "valore": value, "sopra": above.get("valore", {})}
        if rest:
            yield from _places(pen, rest, place)
        else:
            yield place


class _Clerk:
    """Writes the record of one thing."""

    def __init__(self, plan: Catalogue, pen: Pen) -> None:
        self.plan = plan
        self.pen = pen

    def record(self, here: dict[str, Data]) -> Record:
        """All that the data say of it."""
        plan = self.plan
        title = self.told(plan.title, here)
        names = [self.told(name, here) for name in plan.names]
        return Record(
            self.bare.told(plan.id, here),
            title,
            self.told(plan.row, here) or title,
            tuple(dict.fromkeys(filter(None, [title, *names]))),
            tuple(self.values(here)),
            tuple(self.refs(here)),
            next(iter(self.listed("provenienza", here)), BOOK),
            tuple(self.doubtful(here)),
            next(iter(self.listed("nota", here)), ""),
            self.figure(here),
            self.told(plan.told, here),
        )

    @property
    def bare(self) -> _Clerk:
        """One that says what the data say, without words for it."""
        return _Clerk(self.plan, Pen(self.pen.root, {}, " "))

    def refs(self, here: dict[str, Data]) -> list[str]:
        """The rules of the record itself, of the catalogue, or else of the file."""
        own = here["valore"]
        if self.plan.ref and not (isinstance(own, dict) and "ref" in own):
            return [self.plan.ref]
        return self.listed("ref", here)

    def told(self, words: str, here: dict[str, Data]) -> str:
        """Words with their holes filled; none at all where the data lack what a hole names."""
        try:
            return " ".join(next(self.pen.cells((words,), here), "").split())
        except LookupError:
            return ""

    def values(self, here: dict[str, Data]) -> Iterator[Said]:
        """What it has, each with where that comes from if not where the rest does."""
        sources = self.mapping("fonti", here)
        for name in self.listed("regolamento", here):
            field, dot, _part = name.partition(".")
            sources.setdefault(field, PARTLY if dot else BOOK)
        for value in self.plan.values:
            words = self.told(value.words, here)
            if words:
                fields = {path.partition(".")[0] for path in _paths(value.words)}
                source = next((sources[f] for f in sources if f in fields), "")
                cell = self.told(value.cell, here) if value.cell else words
                yield Said(value.name, words, cell, source)

    def doubtful(self, here: dict[str, Data]) -> Iterator[str]:
        """The names of the values that wait for a check."""
        waiting = self.listed("verificare", here)
        for value in self.plan.values:
            if any(path.partition(".")[0] in waiting for path in _paths(value.words)):
                yield value.name

    def listed(self, field: str, here: dict[str, Data]) -> list[str]:
        """What a field of the record, or else of its file, holds: one thing or many."""
        found = self.at(field, here)
        return [] if found is None else found if isinstance(found, list) else [str(found)]

    def mapping(self, field: str, here: dict[str, Data]) -> dict[str, str]:
        """What a field of the record itself holds by name."""
        own = here["valore"]
        found = own.get(field) if isinstance(own, dict) else None
        return dict(found) if isinstance(found, dict) else {}

    def at(self, field: str, here: dict[str, Data]) -> Any:
        """A field of the record, or else of its file."""
        for known in (here["valore"], self.pen.root):
            if isinstance(known, dict) and field in known:
                return known[field]
        return None

    def figure(self, here: dict[str, Data]) -> Drawn | None:
        """The counter of it, where it has one; facts are ids, and said as they are."""
        plan = self.plan.figure
        if plan is None:
            return None
        clerk = self.bare
        facts = {
            name: clerk.told(fact, here)
            if isinstance(fact, str)
            else tuple(clerk.told(one, here) for one in fact)
            for name, fact in plan.facts.items()
        }
        side, kind, id = (clerk.told(one, here) for one in (plan.side, plan.kind, plan.id))
        name = clerk.told(plan.name or self.plan.title, here)
        kind = plan.kinds.get(kind, kind)
        return Drawn(id, side, kind, name, clerk.told(plan.strength, here), facts)


def _paths(words: str) -> Iterator[str]:
    """The paths that the holes of some words name."""
    for hole in HOLE.finditer(words):
        yield from re.split(r" [~/>e] ", hole["path"])
