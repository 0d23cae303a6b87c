"""Tables of the texts that are drawn from the data of the engine, so that they exist once.

`rules_it/<slug>/tabelle.yaml` says how each is drawn; docs/corpus-format.md explains the syntax.
The data are files under `engine/<slug>/data`, read by path: nothing of the engine is imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from typing import Any

import msgspec

TABLE = re.compile(r"\{tabella: ([a-z0-9]+(?:-[a-z0-9]+)*)\}")
UNDRAWN = re.compile(rf"^{TABLE.pattern}$(?!\n\|)", re.MULTILINE)
HOLE = re.compile(r"\{(?P<path>[^{}|]+?)(?P<sign>\+?)(?:\|(?P<absent>[^{}]*))?\}")
MANY = re.compile(r"\{(?P<path>[^{}|]+)\.\*(?P<sign>\+?)(?:\|(?P<absent>[^{}]*))?\}")
ENDLESS = 90
"""A band that ends here or later has no end: `55+`."""

Data = Any
"""What a data file holds: texts, lists and mappings."""
Read = Callable[[str], Data]
"""Reads a data file of the title by its name without `.yaml`."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row, or one for each item (`per`) or for each value of some mappings (`gruppi`)."""

    cells: tuple[str, ...] = msgspec.field(name="celle")
    each: str = msgspec.field(name="per", default="")
    groups: tuple[str, ...] = msgspec.field(name="gruppi", default=())


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is drawn. Words stand for what the data say, by field or everywhere.

    `parole_di` takes the words of another table.
    """

    files: tuple[str, ...] = msgspec.field(name="file")
    head: tuple[str, ...] = msgspec.field(name="testa")
    rows: tuple[Row | tuple[str, ...], ...] = msgspec.field(name="righe")
    words: dict[str, str] = msgspec.field(name="parole", default={})
    words_of: str = msgspec.field(name="parole_di", default="")
    joint: str = msgspec.field(name="unisci", default=", ")


class Drawings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `tabelle.yaml` holds: the tables of a title by name, and words for all of them."""

    tables: dict[str, Drawing] = msgspec.field(name="tabelle", default={})
    words: dict[str, str] = msgspec.field(name="parole", default={})

    def draw(self, name: str, read: Read) -> list[list[str]]:
        """The cells of a table, the header first; LookupError where the data lack something."""
        drawing = self.tables[name]
        files = {file: read(file) for file in drawing.files}
        root = files if len(files) > 1 else files[drawing.files[0]]
        shared = self.tables[drawing.words_of].words if drawing.words_of else {}
        pen = Pen(root, self.words | shared | drawing.words, drawing.joint)
        rows = [list(pen.cells(drawing.head, {}))]
        width = len(rows[0])
        for row in drawing.rows:
            kind = row if isinstance(row, Row) else Row(row)
            rows += [list(pen.cells(kind.cells, here, width)) for here in pen.places(kind)]
        if len({*map(len, rows)}) > 1:
            raise LookupError(f"rows of {sorted({*map(len, rows)})} cells")
        return rows


class Pen:
    """Fills the holes of cells. `here` is what a row is about: its key and its value."""

    def __init__(self, root: Data, words: dict[str, str], joint: str) -> None:
        self.root = root
        self.words = words
        self.joint = joint

    def places(self, row: Row) -> Iterator[dict[str, Data]]:
        """What each row of a kind is about."""
        if row.each:
            found = self.find(row.each, {})
            pairs = found.items() if isinstance(found, dict) else enumerate(found, 1)
            for key, value in pairs:
                yield {"chiave": str(key), "valore": value}
        elif row.groups:
            groups: dict[str, list[str]] = {}
            for path in row.groups:
                for key, value in self.find(path, {}).items():
                    groups.setdefault(value, []).append(key)
            for value, keys in sorted(groups.items(), key=lambda group: _number(group[0])):
                yield {"chiavi": keys, "valore": value}
        else:
            yield {}

    def cells(self, cells: tuple[str, ...], here: dict[str, Data], width: int = 0) -> Iterator[str]:
        """The cells of one row; `{path.*}` is one for each item, and fills the row if it can."""
        for cell in cells:
            many = MANY.fullmatch(cell)
            if many is None:
                yield HOLE.sub(partial(self._fill, here=here), cell)
                continue
            path, sign, absent = many.group("path", "sign", "absent")
            found = self.find(path, here)
            field = path.rpartition(".")[2]
            values = list(found.values() if isinstance(found, dict) else found)
            yield from (self._said(value, field, sign) for value in values)
            if absent is not None:
                yield from [absent] * (width - len(values) - len(cells) + 1)

    def _fill(self, hole: re.Match[str], here: dict[str, Data]) -> str:
        path, sign, absent = hole.group("path", "sign", "absent")
        try:
            said = self._joined(path, sign, here)
        except LookupError:
            if absent is None:
                raise
            return absent
        return said or (absent or "")

    def _joined(self, path: str, sign: str, here: dict[str, Data]) -> str:
        """What a hole says: a value, or several in one of the manners that join them."""
        field = path.rpartition(".")[2]
        if " ~ " in path:
            first, last = (str(self.find(end, here)) for end in path.split(" ~ "))
            return self._said(span(first, last), field, sign)
        if " / " in path:
            pair = dict.fromkeys(str(self.find(part, here)) for part in path.split(" / "))
            return "/".join(self._said(value, field, sign) for value in pair)
        if " > " in path:
            path, _, link = path.partition(" > ")
            return " → ".join(self._chain(path, link, here))
        if " e " in path:
            holes = (f"{{{part}{sign}|}}" for part in path.split(" e "))
            said = (HOLE.sub(partial(self._fill, here=here), hole) for hole in holes)
            return " e ".join(filter(None, said))
        return self._said(self.find(path, here), field, sign)

    def _chain(self, path: str, link: str, here: dict[str, Data]) -> Iterator[str]:
        """What a record leads to, from link to link; a record without a name says its key."""
        above, _, key = path.rpartition(".")
        known = self.find(above, here)
        while key:
            record = known[key]
            yield self._said(record.get("nome", key), link, "")
            key = record.get(link, "")

    def _said(self, value: Data, field: str, sign: str) -> str:
        if isinstance(value, list):
            return self.joint.join(self._item(item, field, sign) for item in value)
        if isinstance(value, dict):
            pairs = ((self._said(key, field, ""), value[key]) for key in value)
            return self.joint.join(self._pair(name, held, field, sign) for name, held in pairs)
        text = str(value)
        word = self.words.get(f"{field}.{text}", self.words.get(text))
        return word if word is not None else f"+{text}" if sign and _number(text) > 0 else text

    def _item(self, item: Data, field: str, sign: str) -> str:
        """A thing of a list; one that is a list itself reads as a few words."""
        if isinstance(item, list):
            return " ".join(self._said(word, field, sign) for word in item)
        return self._said(item, field, sign)

    def _pair(self, name: str, held: Data, field: str, sign: str) -> str:
        """A thing of a mapping: its name, and what it has after a colon or in brackets."""
        said = self._said(held, field, sign)
        if not name:
            return said
        return f"{name} ({said})" if isinstance(held, dict) else f"{name}: {said}"

    def find(self, path: str, here: dict[str, Data]) -> Data:
        """What stands at a path: in what the row is about, else from the top of the data."""
        steps = path.split(".")
        value = here.get("valore")
        inside = steps[0] in value if isinstance(value, dict) else steps[0].isdigit()
        found = value if inside else here if steps[0] in here else self.root
        for step in steps:
            found = self._step(found, step, here)
        return found

    def _step(self, found: Data, step: str, here: dict[str, Data]) -> Data:
        if isinstance(found, dict):
            if step in found:
                return found[step]
            if step == "chiavi":
                return list(found)
        elif isinstance(found, list):
            if step in _MADE:
                return _MADE[step](found)
            if step.startswith("@"):
                return _band(found, _number(self.find(step[1:], here)))
            for item in found:
                if _is_called(item, step.split("&")):
                    return item
            if re.fullmatch(r"-?\d+", step):
                return found[int(step)]
        raise LookupError(f"nothing is called {step}")


def _is_called(item: Data, names: list[str]) -> bool:
    """Is this the record of a list that a path names, by its first fields?"""
    return isinstance(item, dict) and list(item.values())[: len(names)] == names


def _bands(ends: list[str]) -> list[str]:
    """The bands that end with these numbers, the first from 0: `0-12`, `13-18`."""
    first, found = 0, []
    for end in ends:
        found.append(span(str(first), end))
        first = int(end) + 1
    return found


def _open_bands(ends: list[str]) -> list[str]:
    """The same, and what lies beyond the last."""
    return [*_bands(ends), f"{int(ends[-1]) + 1}+"]


def _runs(values: list[Data]) -> list[str]:
    """What each number of a die gives, alike ones together: `1-2: 0`, `3-8: 4`."""
    found, first = [], 1
    for value, alike in groupby(values):
        last = first + len(list(alike)) - 1
        said = "/".join(value) if isinstance(value, list) else value
        found.append(f"{span(str(first), str(last))}: {said}")
        first = last + 1
    return found


_MADE: dict[str, Callable[[list[Data]], list[str]]] = {
    "bande": _bands,
    "bande_aperte": _open_bands,
    "corse": _runs,
}
"""Steps of a path that make something of a list."""


def _band(bands: list[dict[str, str]], number: float) -> dict[str, str]:
    """The record whose span `da`-`a` holds a number."""
    for band in bands:
        if _number(band["da"]) <= number <= _number(band["a"]):
            return band
    raise LookupError(f"no band holds {number}")


def span(first: str, last: str) -> str:
    """A band as people read it: `7-12`, `1`, `55+`."""
    if first == last:
        return first
    return f"{first}+" if _number(last) >= ENDLESS else f"{first}-{last}"


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else 0.0


def markdown(rows: list[list[str]]) -> str:
    """Rows of cells as the texts write a table."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * len(rows[0])}", *lines[1:]])


def with_tables(text: str, drawings: Drawings, read: Read) -> str:
    """A text in which every table that it only names is drawn below its name."""

    def drawn(named: re.Match[str]) -> str:
        try:
            return f"{named.group()}\n{markdown(drawings.draw(named[1], read))}"
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise LookupError(f"tabella {named[1]}: {error}") from error

    return UNDRAWN.sub(drawn, text)


# --- cells ----------------------------------------------------------------------------------


def is_row(label: str, wanted: str) -> bool:
    """Does a row's first cell, or a column's head, speak of a value: `7-12` of 9, `≥15` of 17?"""
    said, meant = label.casefold().strip(), wanted.casefold().strip()
    if said == meant:
        return True
    if not re.fullmatch(r"-?\d+", meant):
        return False
    return any(_holds(part, int(meant)) for part in re.split(r",\s*| e ", said))


def _holds(band: str, number: int) -> bool:
    for pattern, fits in _BANDS:
        found = pattern.fullmatch(band)
        if found:
            return fits(number, *(int(end) for end in found.groups() if end))
    return False


_BANDS: tuple[tuple[re.Pattern[str], Callable[..., bool]], ...] = (
    (re.compile(r"(-?\d+)"), lambda n, a: n == a),
    (re.compile(r"(-?\d+)-(-?\d+)"), lambda n, a, b: a <= n <= b),
    (re.compile(r"(?:≤|fino a )\s*(-?\d+)|(-?\d+) o meno"), lambda n, a: n <= a),
    (re.compile(r"(?:≥|da )\s*(-?\d+)|(-?\d+)(?:\+| o più)"), lambda n, a: n >= a),
)
