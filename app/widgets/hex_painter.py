"""A hex as coloured text: a tile, painted from plain data and kept until something changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from zlib import crc32

from rich.segment import Segment
from rich.style import Style

from app.presenters.base import Presenter, is_light, mix
from app.widgets.hex_geometry import QUARTERS, Geometry, Spot
from engine.core.board import Board
from engine.core.hexes import Hex, neighbours
from engine.core.rules import Side
from engine.core.view import CounterView, Mark, View


@dataclass
class Table:
    """All that a tile may show, as plain data."""

    board: Board
    counters: dict[Hex, tuple[CounterView, ...]] = field(default_factory=dict)
    view: View | None = None
    roads: dict[Hex, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    cursor: Hex | None = None
    hover: Hex | None = None
    flashing: Collection[Hex] = ()
    options: Collection[Hex] = ()
    refused: Collection[Hex] = ()
    reachable: Mapping[Hex, str] = field(default_factory=dict)
    in_range: Collection[Hex] = ()
    targets: Mapping[Hex, str] = field(default_factory=dict)
    sheet: Mapping[Hex, str] = field(default_factory=dict)
    control: Mapping[Hex, Side] = field(default_factory=dict)
    sight: Mapping[Hex, Mapping[int, bool]] = field(default_factory=dict)
    blocked_by: Hex | None = None
    turned: dict[Hex, int] = field(default_factory=dict)  # which counter of a stack is on top

    def __contains__(self, h: Hex) -> bool:
        """Whether there is anything to draw: a hex of the map, or a place beside it."""
        return h in self.board or (self.view is not None and h in self.view)

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """Every hex of the map, and those of the places beside it."""
        places = self.view.places if self.view is not None else ()
        return (*self.board.hexes(), *[place.hex for place in places])


CURSOR, OPTION, TARGET, LAYER = "#101010", "#fff06a", "#b3202c", "#5b2a86"
REACH, RANGE, SIGHT, BLOCK = "#fffbe0", "#5b2a86", "#101010", "#b3202c"
WHITE, BLACK = "#ffffff", "#000000"
BESIDE = "#8a8a80"
"""What the places beside the map are tinted with."""

GLYPHS: Final = {
    "option": "▸",
    "option end": "◂",
    "refused": "✕",
    "reach": "»",
    "target": "╋",
    "sheet": "▴",
    "sight": "∙",
    "beyond": "◦",
    "block": "✕",
    "more": "+",
}
"""What says without colour what an overlay says with it."""


class _Plain(dict[int, str]):
    """Characters to ASCII: known ones by hand, lines and blocks by kind."""

    def __missing__(self, code: int) -> str:
        if code < 128:
            return chr(code)
        return "#" if 0x2580 <= code < 0x25A0 else "?"


_KNOWN: Final = ("∙▸◂✕»╋▴↟∆◦▾≋░✶⚑⌂∗⊗⊠═àèéìòùÀÈÉÌÒÙ", "*><x>+^^^ov~:*FB*XX=aeeiouAEEIOU")
PLAIN: Final = _Plain({ord(char): plain for char, plain in zip(*_KNOWN, strict=True)})


@lru_cache(maxsize=1 << 14)
def style_of(ink: str, ground: str, bold: bool) -> Style:
    """A style, made once."""
    return Style(color=ink, bgcolor=ground, bold=bold)


@lru_cache(maxsize=1 << 14)
def differ(a: str, b: str, grey: bool = False) -> bool:
    """Whether two colours, or their greys, are far enough apart to show a border by themselves."""
    steps = [int(a[n : n + 2], 16) - int(b[n : n + 2], 16) for n in (1, 3, 5)]
    if grey:
        return abs(3 * steps[0] + 6 * steps[1] + steps[2]) > 40
    return sum([abs(step) for step in steps]) > 12


def whole_words(line: str, width: int) -> str:
    """As many words as fit; a first word that does not is cut."""
    if len(line) > width and line[width] not in " ,":
        return line[:width].rpartition(" ")[0] or line[:width]
    return line[:width]


class Tile:
    """The cells of one hex while they are painted."""

    def __init__(self, geometry: Geometry, ground: str) -> None:
        count = len(geometry.cells)
        self.index = geometry.index
        self.ground = ground
        self.text = [" "] * count
        self.ink = [ground] * count
        self.back = [ground] * count
        self.bold = [False] * count

    def set(self, n: int, char: str, ink: str, back: str, bold: bool = False) -> None:
        """One cell."""
        self.text[n], self.ink[n], self.back[n], self.bold[n] = char, ink, back, bold

    def put(self, x: int, y: int, text: str, ink: str, back: str = "", bold: bool = False) -> None:
        """A word, as far as the tile goes."""
        for k, char in enumerate(text):
            n = self.index.get((x + k, y))
            if n is not None:
                self.set(n, char, ink, back or self.ground, bold)

    def rows(self, geometry: Geometry, plain: bool) -> tuple[tuple[Segment, ...], ...]:
        """The finished tile: segments by row, neighbouring cells of one style together."""
        rows = []
        stop = 0
        for _first, length in geometry.rows:
            start, stop = stop, stop + length
            rows.append(tuple(self._segments(start, stop, plain)))
        return tuple(rows)

    def _segments(self, start: int, stop: int, plain: bool) -> Iterator[Segment]:
        text, ink, back, bold = "", "", "", False
        for n in range(start, stop):
            char = self.text[n]
            if self.back[n] == back and (char == " " or not text.strip()):
                if char != " ":
                    ink, bold = self.ink[n], self.bold[n]
            elif text and (self.ink[n], self.back[n], self.bold[n]) != (ink, back, bold):
                yield Segment(text.translate(PLAIN) if plain else text, style_of(ink, back, bold))
                text = ""
            if not text:
                ink, back, bold = self.ink[n], self.back[n], self.bold[n]
            text += char
        yield Segment(text.translate(PLAIN) if plain else text, style_of(ink, back, bold))


class Painter:
    """Paints the hexes of a table at one zoom."""

    def __init__(
        self,
        table: Table,
        geometry: Geometry,
        presenter: Presenter,
        backdrop: str = "#171a17",
        mono: bool = False,
        plain: bool = False,
        shade: float = 0.04,
    ) -> None:
        self.table = table
        self.geometry = geometry
        self.presenter = presenter
        self.backdrop = backdrop
        self.mono = mono or plain
        self.plain = plain
        self.shade = shade
        self._tiles: dict[Hex, tuple[tuple[Segment, ...], ...]] = {}
        self._grounds: dict[Hex, str] = {}

    def tile(self, h: Hex) -> tuple[tuple[Segment, ...], ...]:
        """The segments of a hex, row by row."""
        found = self._tiles.get(h)
        if found is None:
            found = self._tiles[h] = self._paint(h).rows(self.geometry, self.plain)
        return found

    def forget(self, hexes: Iterable[Hex]) -> None:
        """Paint these hexes again, and the sides that their neighbours draw for them."""
        for h in hexes:
            self._grounds.pop(h, None)
            self._tiles.pop(h, None)
            for other in neighbours(h):
                self._tiles.pop(other, None)

    def ground(self, h: Hex) -> str:
        """The background of a hex with what tints it."""
        found = self._grounds.get(h)
        if found is None:
            found = self._grounds[h] = self._ground(h)
        return found

    def _ground(self, h: Hex) -> str:
        table = self.table
        if h not in table:
            return self.backdrop
        if h in table.board:
            colour = self.presenter.ground(table.board.terrain(h), table.board.elevation(h))
        else:
            colour = mix(self.backdrop, BESIDE, 0.3)
        if h in table.options:
            colour = mix(colour, OPTION, 0.4)
        elif h in table.reachable:
            colour = mix(colour, WHITE, 0.45)
        elif h in table.refused:
            colour = mix(colour, "#3c3c3c", 0.4)
        elif h in table.sheet:
            colour = mix(colour, LAYER, 0.22)
        if h == table.hover or h in table.flashing:
            colour = mix(colour, WHITE, 0.3 if h == table.hover else 0.6)
        return mix(colour, BLACK, (h.q - h.r) % 3 * self.shade)  # unlike all six neighbours

    def _rim(self, h: Hex) -> str:
        """The colour of a hex along its sides."""
        table = self.table
        if h == table.cursor:
            return CURSOR if h in table.board else WHITE  # it is dark beside the map
        if h in table.targets or h == table.blocked_by:
            return TARGET
        return OPTION if h in table.options else self.ground(h)

    def _paint(self, h: Hex) -> Tile:
        tile = Tile(self.geometry, self.ground(h))
        is_on = h in self.table
        if h in self.table.board:
            self._terrain(tile, h)
        self._sides(tile, h)
        if is_on:
            self._roads(tile, h)
            self._ring(tile, h)
            self._print(tile, h)
            self._marks(tile, h)
            self._counters(tile, h)
            self._sight(tile, h)
            self._badges(tile, h)
        return tile

    def _terrain(self, tile: Tile, h: Hex) -> None:
        look = self.presenter.terrain(self.table.board.terrain(h))
        ink = mix(look.ink, tile.ground, 0.25)
        texture = look.texture
        if any(m.kind for m in self._marks_at(h) if self.presenter.mark(m).glyph == "░"):
            texture, ink = "░ ░░ ", "#777777"
        if texture:
            for n in self.geometry.inside:
                char = texture[crc32(bytes((h.q & 255, h.r & 255, n))) % len(texture)]
                if char != " ":
                    tile.set(n, char, ink, tile.ground)
        x, y, width, height = self.geometry.slots.get("art", (0, 0, 0, 0))
        art = look.large if height > 2 and look.large else look.art[len(look.art) - height :]
        if height and art:
            left = x + (width - max(map(len, art))) // 2
            top = y + (height - len(art) + 1) // 2
            for k, line in enumerate(art):
                for m, char in enumerate(line):
                    if char != " ":
                        tile.put(left + m, top + k, char, look.ink)

    def _sides(self, tile: Tile, h: Hex) -> None:
        table, geometry = self.table, self.geometry
        if geometry.is_split and h.q % 2 == 0:
            return
        ours, our_rim = tile.ground, self._rim(h)
        around = neighbours(h)
        for spot in geometry.spots:
            other = around[spot.edge]
            if h not in table and other not in table:
                continue
            theirs = self.ground(other)
            glyph = self._feature(h, other, spot)
            if glyph is not None:
                char, ink = glyph
                upper = spot.edge in (0, 1, 5)
                is_their_back = spot.fill != " " and (spot.is_low == upper) and geometry.is_pointy
                tile.set(spot.cell, char, ink, theirs if is_their_back else ours)
                continue
            their_rim = self._rim(other)
            if spot.fill != " " and not self.plain and differ(our_rim, their_rim, self.mono):
                pair = (our_rim, their_rim) if spot.is_ours else (their_rim, our_rim)
                tile.set(spot.cell, spot.fill, *pair)
            elif self.plain or not differ(ours, theirs, self.mono):
                char = spot.plain if self.plain else spot.line
                tile.set(spot.cell, char, mix(ours, BLACK, 0.5 if self.mono else 0.3), ours)

    def _feature(self, h: Hex, other: Hex, spot: Spot) -> tuple[str, str] | None:
        """The glyph and colour of what runs along a side."""
        table = self.table
        pattern, colour, letter = "", "", ""
        if (h in table.in_range) != (other in table.in_range):
            pattern, colour, letter = "dots", RANGE, ":"
        names = table.board.side(h, other)
        if names:
            look = self.presenter.hexside(names[0])
            pattern, colour, letter = look.pattern, look.colour, look.letter
        if not pattern or self.geometry.is_split:
            return None
        if self.mono and spot.is_middle:
            return letter, colour
        is_odd = sum(self.geometry.cells[spot.cell]) % 2
        if pattern == "solid" or (pattern == "broken" and is_odd):
            return spot.thick, colour
        if pattern == "dots":
            return spot.dots, colour
        return ("▾" if pattern == "teeth" and (is_odd or spot.fill == " ") else " "), colour

    def _roads(self, tile: Tile, h: Hex) -> None:
        drawn: dict[tuple[int, str], int] = {}
        for d, kinds in self.table.roads.get(h, {}).items():
            look = self.presenter.line(kinds[0])
            for n, part in self.geometry.spokes[d]:
                if look.dashed and sum(self.geometry.cells[n]) % 2:
                    continue
                if not look.thick:
                    part &= -part  # one quarter is enough
                drawn[n, kinds[0]] = part = part | drawn.get((n, kinds[0]), 0)
                char = look.letter if self.plain else QUARTERS[part]
                tile.set(n, char, look.colour, tile.ground)

    def _ring(self, tile: Tile, h: Hex) -> None:
        rim = self._rim(h)
        if rim != tile.ground:
            for n, char in self.geometry.ring:
                tile.set(n, char, rim, tile.ground)

    def _print(self, tile: Tile, h: Hex) -> None:
        """What is printed on the map: label, elevation, and a letter where there is no colour."""
        slots, board = self.geometry.slots, self.table.board
        if "label" not in slots or h not in board:
            return
        rim = self._rim(h)
        x, y, width, _height = slots["top" if self.table.counters.get(h) else "label"]
        label = board.label(h)
        if h in self.table.sheet and (x, y) == slots["top"][:2]:
            pass  # the text of the sheet has the place
        elif h == self.table.cursor:
            tile.put(x, y, f"{label:^{width}}", WHITE, rim, True)
        else:
            left = x + (width - len(label)) // 2
            tile.put(left, y, label, mix(tile.ground, BLACK, 0.4))
        height = board.elevation(h)
        if height:
            x, y, *_rest = slots["height"]
            tile.put(x, y, str(height)[-1], mix(tile.ground, BLACK, 0.7), bold=True)
        if self.mono:
            x, y, *_rest = slots["letter"]
            letter = self.presenter.terrain(board.terrain(h)).letter
            tile.put(x, y, letter, mix(tile.ground, BLACK, 0.7))

    def _marks_at(self, h: Hex) -> tuple[Mark, ...]:
        view = self.table.view
        return view.marks.get(view.label(h), ()) if view is not None else ()

    def _marks(self, tile: Tile, h: Hex) -> None:
        """Objectives and the like: in the middle of an empty hex, at the right of a held one."""
        looks = [self.presenter.printed(name) for name in self.table.board.markers_at(h)]
        looks += [self.presenter.mark(mark) for mark in self._marks_at(h)]
        looks = [look for look in looks if look.glyph != "░"]
        slots = self.geometry.slots
        if "right" in slots and self.table.control.get(h):
            army = self.presenter.army(self.table.control[h])
            x, y, *_rest = slots["right"]
            tile.put(x, y, army.letter, army.ink, army.colour, True)
        if not looks:
            return
        x, y, width, height = slots["counter"]
        if not self.table.counters.get(h):
            words = " ".join([look.glyph + look.text for look in looks])[: width - 2]
            # on the overview there is room for one glyph: that of the mark on top
            look, words = (looks[0], f" {words} ") if words else (looks[-1], f"{looks[-1].glyph} ")
            ink = BLACK if is_light(look.colour) else WHITE
            left = x + (width - len(words)) // 2
            tile.put(left, y + height // 2, words, ink, look.colour, True)
        elif "right" in slots:
            x, y, *_rest = slots["right"]
            tile.put(x, y, looks[0].glyph, looks[0].colour, bold=True)

    def _counters(self, tile: Tile, h: Hex) -> None:
        stack = self.table.counters.get(h, ())
        if not stack:
            return
        turn = self.table.turned.get(h, 0) % len(stack)
        top, *rest = stack[turn:] + stack[:turn]
        look = self.presenter.counter(top)
        x, y, width, height = self.geometry.slots["counter"]
        side = look.army if self.mono else ""
        if height == 1:
            text = (side or look.type[:1]) + (look.strength[:1] or look.type[1:2])
            tile.put(x, y, f"{text:<2}"[:2], look.ink, look.colour, True)
            return
        more = f"{GLYPHS['more']}{len(rest)}" if rest else ""
        first, states = look.type, side + look.states
        room = width - len(look.strength)
        if look.strength and len(first) >= room:  # a long strength has a line for itself
            first, states = "", f"{side}{look.type} {look.states}"
        lines = [f"{first:<{room}}{look.strength}"]
        lines += [look.name, look.words] if height > 2 else []
        lines += [f"{states:<{width}}"[: width - len(more)]]
        for k, line in enumerate(lines):
            back = mix(look.colour, BLACK, 0.18) if k else look.colour
            tile.put(x, y + k, f"{whole_words(line, width):<{width}}", look.ink, back, not k)
        if rest:
            under = self.presenter.counter(rest[0])
            left = x + width - len(more)
            tile.put(left, y + height - 1, more, under.ink, under.colour, True)

    def _sight(self, tile: Tile, h: Hex) -> None:
        covered = self.table.counters.get(h)
        x, y, width, height = self.geometry.slots["counter"]
        for n, is_beyond in self.table.sight.get(h, {}).items():
            a, b = self.geometry.cells[n]
            if not (covered and x <= a < x + width and y <= b < y + height):
                tile.set(n, GLYPHS["beyond" if is_beyond else "sight"], SIGHT, tile.back[n], True)

    def _badges(self, tile: Tile, h: Hex) -> None:
        table, slots = self.table, self.geometry.slots
        if "badge" not in slots:
            return self._small_badges(tile, h)
        if h in table.options:
            for slot, glyph in (("left", "option"), ("right", "option end")):
                x, y, *_rest = slots[slot]
                tile.put(x, y, GLYPHS[glyph], BLACK, bold=True)
        elif h in table.refused:
            x, y, *_rest = slots["left"]
            tile.put(x, y, GLYPHS["refused"], mix(tile.ground, BLACK, 0.7), bold=True)
        if h in table.targets:
            self._badge(tile, "badge", GLYPHS["target"], table.targets[h], WHITE, TARGET)
        elif table.reachable.get(h):
            self._badge(tile, "badge", GLYPHS["reach"], table.reachable[h], BLACK, REACH)
        if h in table.sheet:
            self._badge(tile, "top", "", table.sheet[h] or GLYPHS["sheet"], WHITE, LAYER)
        if h == table.blocked_by:
            x, y, width, height = slots["counter"]
            cross = f" {GLYPHS['block']} "
            tile.put(x + (width - 3) // 2, y + height // 2, cross, WHITE, BLOCK, True)
        return None

    def _badge(self, tile: Tile, slot: str, glyph: str, text: str, ink: str, back: str) -> None:
        x, y, width, _height = self.geometry.slots[slot]
        words = glyph + text if len(text) < width else text[:width]
        tile.put(x + (width - len(words)) // 2, y, words, ink, back, True)

    def _small_badges(self, tile: Tile, h: Hex) -> None:
        """Overlays on the overview: two cells are all there is."""
        table = self.table
        if h == table.cursor:
            text = "".join(tile.text) if table.counters.get(h) else "[]"
            tile.put(0, 0, text, WHITE, CURSOR, True)
        elif h in table.targets:
            tile.put(0, 0, GLYPHS["target"], WHITE, TARGET, True)
        elif h == table.blocked_by:
            tile.put(0, 0, GLYPHS["block"], WHITE, BLOCK, True)
        elif table.counters.get(h):
            if h in table.options:
                tile.put(1, 0, GLYPHS["option"], BLACK, OPTION, True)
        elif h in table.reachable:
            tile.put(0, 0, f"{table.reachable[h]:<2}"[:2], BLACK, bold=True)
        elif h in table.options:
            tile.put(0, 0, GLYPHS["option"] + GLYPHS["option end"], BLACK, bold=True)
        elif h in table.refused:
            tile.put(0, 0, GLYPHS["refused"], BLACK)
        elif h in table.sheet:
            tile.put(0, 0, f"{table.sheet[h] or GLYPHS['sheet']:<2}"[:2], WHITE, LAYER, True)
