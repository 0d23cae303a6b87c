"""Boards: a map drawn by hand in YAML, and the questions that rules ask of it.

    nome: Il guado
    provenienza: ricostruito         # or regolamento, pubblico, memoria
    ref: toi:mappe
    griglia: {colonne: 4, righe: 2}  # more keys in GridFile
    legenda: {.0: aperto, b1: bosco 1, x: fuori}
    mappa: |                         # from the top; or one character per hex, without blanks
      1| .0 .0 b1 x
      2| .0 b1 b1 .0
    quote: {2: [A1, B1]}
    strade: {strada: [[A1, B1, C1]]}
    lati: {A1-B1: [siepe]}
    segnalini: {A2: [bunker]}
    fuori: [D2]

A legend entry is a terrain and, unless 0, its elevation. A hex drawn as `fuori`, or listed there,
is not on the map. The number and bar before a row may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import field

from engine.core.data import Document
from engine.core.hexes import BadLabel, Edge, Grid, Hex, distance, edge
from engine.core.text import N_, msg

Provenance: TypeAlias = Literal["regolamento", "pubblico", "memoria", "ricostruito"]
"""Where a board comes from: the rulebook, public facts, memory, or our reconstruction."""

OFF = "fuori"
_NUMBER = re.compile(r"-?[0-9]+")


class Board(msgspec.Struct, frozen=True, eq=False):
    """A map. It never changes, all states share it, and it is equal only to itself."""

    name: str
    provenance: Provenance
    ref: str
    grid: Grid
    terrains: Mapping[Hex, str]
    elevations: Mapping[Hex, int]
    sides: Mapping[Edge, tuple[str, ...]]
    lines: Mapping[str, tuple[tuple[Hex, ...], ...]]
    roads: Mapping[Edge, tuple[str, ...]]
    markers: Mapping[Hex, tuple[str, ...]]
    labels: Mapping[Hex, str]

    def __contains__(self, h: Hex) -> bool:
        """Whether the hex is on the map."""
        return h in self.terrains

    def hexes(self) -> tuple[Hex, ...]:
        """Every hex of the map, in reading order."""
        return tuple(self.terrains)

    def terrain(self, h: Hex) -> str:
        """The terrain of a hex of the map."""
        return self.terrains[h]

    def elevation(self, h: Hex) -> int:
        """The elevation of a hex of the map."""
        return self.elevations[h]

    def side(self, a: Hex, b: Hex) -> tuple[str, ...]:
        """The features of the hexside between two neighbours."""
        return self.sides.get((a, b) if a < b else (b, a), ())

    def has_road(self, a: Hex, b: Hex, *kinds: str) -> bool:
        """Whether a road, of one of these kinds if any is named, joins two neighbours."""
        found = self.roads.get((a, b) if a < b else (b, a), ())
        return any(kind in kinds for kind in found) if kinds else bool(found)

    def markers_at(self, h: Hex) -> tuple[str, ...]:
        """What is printed in a hex besides its terrain."""
        return self.markers.get(h, ())

    def label(self, h: Hex) -> str:
        """The printed name of a hex of the map."""
        return self.labels[h]

    def hex_at(self, label: str) -> Hex:
        """The hex with that printed name; raises BadLabel."""
        return self.grid.hex_at(label)


class GridFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`griglia`: see Grid."""

    columns: Annotated[int, msgspec.Meta(ge=1, le=99)] = field(name="colonne")
    rows: Annotated[int, msgspec.Meta(ge=1, le=99)] = field(name="righe")
    hexes: Literal["punta", "lato"] = field(name="esagoni", default="punta")
    labels: Literal["A1", "RRCC", "CCRR"] = field(name="etichette", default="A1")
    shifted: Literal["pari", "dispari"] = field(name="sfalsate", default="pari")
    short: bool = field(name="accorciate", default=False)
    first_row: Literal["alto", "basso"] = field(name="prima_riga", default="alto")
    north: Literal["alto", "basso"] = field(name="nord", default="alto")

    def grid(self) -> Grid:
        """The grid described."""
        return Grid(
            columns=self.columns,
            rows=self.rows,
            orientation="pointy" if self.hexes == "punta" else "flat",
            scheme=self.labels,
            shifted="even" if self.shifted == "pari" else "odd",
            short=self.short,
            first_row="top" if self.first_row == "alto" else "bottom",
            north="top" if self.north == "alto" else "bottom",
        )


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as written by hand."""

    name: str = field(name="nome")
    provenance: Provenance = field(name="provenienza")
    ref: str
    grid: GridFile = field(name="griglia")
    legend: dict[str, str] = field(name="legenda")
    drawing: str = field(name="mappa")
    elevations: dict[int, list[str]] = field(name="quote", default_factory=dict)
    lines: dict[str, list[list[str]]] = field(name="strade", default_factory=dict)
    sides: dict[str, list[str]] = field(name="lati", default_factory=dict)
    markers: dict[str, list[str]] = field(name="segnalini", default_factory=dict)
    off: list[str] = field(name="fuori", default_factory=list)


def load_board(source: str | Path, terrains: Collection[str], features: Collection[str]) -> Board:
    """Read a board; DataErrors holds every fault. Features name hexsides, lines and markers."""
    doc = Document(source)
    return _Drafter(doc, doc.convert(BoardFile), terrains, features).board()


class _Drafter:
    """Turns a file into a board, noting in the document all that does not fit."""

    def __init__(
        self, doc: Document, file: BoardFile, terrains: Collection[str], features: Collection[str]
    ) -> None:
        self.doc, self.file = doc, file
        self.known_terrains, self.known_features = terrains, features
        self.grid = file.grid.grid()
        self.terrains: dict[Hex, str] = {}
        self.elevations: dict[Hex, int] = {}
        self.sides: dict[Edge, tuple[str, ...]] = {}
        self.lines: dict[str, tuple[tuple[Hex, ...], ...]] = {}
        self.roads: dict[Edge, tuple[str, ...]] = {}
        self.markers: dict[Hex, tuple[str, ...]] = {}

    def board(self) -> Board:
        self.draw_hexes()
        self.cut_off()  # from here on, a label must be that of a hex left on the map
        self.raise_hexes()
        self.draw_lines()
        self.draw_sides()
        self.put_markers()
        self.doc.check()
        hexes = self.grid.hexes()
        return Board(
            name=self.file.name,
            provenance=self.file.provenance,
            ref=self.file.ref,
            grid=self.grid,
            terrains=MappingProxyType({h: self.terrains[h] for h in hexes}),
            elevations=MappingProxyType({h: self.elevations.get(h, 0) for h in hexes}),
            sides=MappingProxyType(self.sides),
            lines=MappingProxyType(self.lines),
            roads=MappingProxyType(self.roads),
            markers=MappingProxyType(self.markers),
            labels=MappingProxyType({h: self.grid.label(h) for h in hexes}),
        )

    def draw_hexes(self) -> None:
        legend = self.legend()
        rows = self.file.drawing.rstrip().split("\n")
        if len(rows) != self.grid.rows:
            wrong = N_("{found} rows instead of {expected}")
            self.doc.fault("$.mappa", msg(wrong, found=len(rows), expected=self.grid.rows))
        places: list[list[Hex]] = [[] for _ in range(self.grid.rows)]
        for h in self.grid.hexes():
            places[self.grid.offset(h)[1]].append(h)
        for n, (row, hexes) in enumerate(zip(rows, places, strict=False)):
            for h, token in zip(hexes, self.tokens(n, row, legend, len(hexes)), strict=False):
                self.terrains[h], elevation = legend.get(token, ("", 0))
                if elevation:
                    self.elevations[h] = elevation

    def legend(self) -> dict[str, tuple[str, int]]:
        found = {}
        for token, text in self.file.legend.items():
            path = f"$.legenda.{token}"
            name, _, last = text.rpartition(" ")
            terrain, elevation = (name, int(last)) if _NUMBER.fullmatch(last) else (text, 0)
            if "|" in token or token.split() != [token]:
                self.doc.fault(path, msg(N_("Token {token} has a blank or a bar"), token=token))
            if terrain not in self.known_terrains and terrain != OFF:
                self.doc.fault(path, msg(N_("Unknown terrain {terrain}"), terrain=terrain))
            found[token] = terrain, elevation
        return found

    def tokens(self, n: int, row: str, legend: Collection[str], expected: int) -> list[str]:
        path, line = f"$.mappa[{n}]", self.doc.line("$.mappa") + 1 + n
        margin, bar, drawn = row.rpartition("|")
        number = n + 1 if self.grid.first_row == "top" else self.grid.rows - n
        if bar and margin.strip().lstrip("0") != str(number):
            wrong = N_("Row {number} is marked {found}")
            self.doc.fault(path, msg(wrong, number=number, found=margin.strip()), line)
        tokens = drawn.split()
        if len(tokens) == 1 and tokens[0] not in legend:
            tokens = list(tokens[0])
        if len(tokens) != expected:
            wrong = N_("{found} hexes instead of {expected}")
            self.doc.fault(path, msg(wrong, found=len(tokens), expected=expected), line)
        for k, token in enumerate(tokens):
            if token not in legend:
                wrong = N_("Token {token} is not in the legend")
                self.doc.fault(f"{path}[{k}]", msg(wrong, token=token), line)
        return tokens

    def cut_off(self) -> None:
        off = {h for h, terrain in self.terrains.items() if terrain == OFF}
        for n, label in enumerate(self.file.off):
            path = f"$.fuori[{n}]"
            h = self.hex(label, path)
            if h in off:
                self.doc.fault(path, msg(N_("{name} is repeated"), name=label))
            elif h:
                off.add(h)
        self.grid = msgspec.structs.replace(self.grid, off=frozenset(off))

    def raise_hexes(self) -> None:
        for elevation, labels in self.file.elevations.items():
            for n, label in enumerate(labels):
                path = f"$.quote.{elevation}[{n}]"
                h = self.hex(label, path)
                if h in self.elevations:
                    self.doc.fault(path, msg(N_("{label} has two elevations"), label=label))
                elif h:
                    self.elevations[h] = elevation

    def draw_lines(self) -> None:
        for kind, lines in self.file.lines.items():
            path = f"$.strade.{kind}"
            self.check_name(kind, path)
            found = [self.polyline(kind, labels, f"{path}[{n}]") for n, labels in enumerate(lines)]
            self.lines[kind] = tuple(found)

    def polyline(self, kind: str, labels: list[str], path: str) -> tuple[Hex, ...]:
        if len(labels) < 2:
            self.doc.fault(path, msg(N_("A line needs at least two hexes")))
        hexes = [self.hex(label, f"{path}[{n}]") for n, label in enumerate(labels)]
        for n, (a, b) in enumerate(pairwise(hexes), 1):
            side = self.side(a, b, f"{path}[{n}]")
            if side and kind not in self.roads.get(side, ()):
                self.roads[side] = (*self.roads.get(side, ()), kind)
        return tuple([h for h in hexes if h])

    def draw_sides(self) -> None:
        for text, names in self.file.sides.items():
            path = f"$.lati.{text}"
            self.check_names(names, path)
            a, dash, b = text.partition("-")
            if not dash:
                self.doc.fault(path, msg(N_("A hexside is two labels and a dash")))
                continue
            side = self.side(self.hex(a, path), self.hex(b, path), path)
            if side in self.sides:
                self.doc.fault(path, msg(N_("Hexside {side} is given twice"), side=text))
            elif side:
                self.sides[side] = tuple(names)

    def put_markers(self) -> None:
        for label, names in self.file.markers.items():
            path = f"$.segnalini.{label}"
            self.check_names(names, path)
            if h := self.hex(label, path):
                self.markers[h] = tuple(names)

    def hex(self, label: str, path: str) -> Hex | None:
        try:
            return self.grid.hex_at(label)
        except BadLabel:
            self.doc.fault(path, msg(N_("{label} is not on the map"), label=label))
            return None

    def side(self, a: Hex | None, b: Hex | None, path: str) -> Edge | None:
        if a is None or b is None:
            return None
        if distance(a, b) == 1:
            return edge(a, b)
        labels = {"a": self.grid.label(a), "b": self.grid.label(b)}
        self.doc.fault(path, msg(N_("{a} and {b} are not adjacent"), **labels))
        return None

    def check_names(self, names: list[str], path: str) -> None:
        for n, name in enumerate(names):
            self.check_name(name, f"{path}[{n}]")
            if name in names[:n]:
                self.doc.fault(f"{path}[{n}]", msg(N_("{name} is repeated"), name=name))

    def check_name(self, name: str, path: str) -> None:
        if name not in self.known_features:
            self.doc.fault(path, msg(N_("Unknown feature {name}"), name=name))
