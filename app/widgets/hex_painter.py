"""A hex as coloured text: a tile, painted from plain data and kept until something changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias
from zlib import crc32

from rich.segment import Segment
from rich.style import Style

from app.presenters.base import CounterLook, MarkLook, Presenter, ink_on, is_light, mix
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
    options: Collection[Hex] = ()
    refused: Collection[Hex] = ()
    reachable: Mapping[Hex, str] = field(default_factory=dict)
    in_range: Collection[Hex] = ()
    targets: Mapping[Hex, str] = field(default_factory=dict)
    sheet: Mapping[Hex, str] = field(default_factory=dict)
    control: Mapping[Hex, Side] = field(default_factory=dict)
    sight: Mapping[Hex, Mapping[int, bool]] = field(default_factory=dict)
    blocked_by: Hex | None = None
    flash: Collection[Hex] = ()
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
LABEL = 3.5
"""The contrast of the number of a hex: quiet, as on printed maps."""
SIGN = 2.6
"""The contrast of a small sign printed in colour: it must keep its colour."""
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


TEXTURES: Final = ".,:;'\"`^v|_~-░▴↟∆≋◦"
"""What is scattered on the ground."""


class _Plain(dict[int, str]):
    """Characters to ASCII: known ones by hand, lines and blocks by kind."""

    def __missing__(self, code: int) -> str:
        if code < 128:
            return chr(code)
        return "#" if 0x2580 <= code < 0x25A0 else "?"


_KNOWN: Final = (
    "◉◊▯⊟⊡✛✓∙▸◂✕»╋▴↟∆◦▾≋░✶⚑⌂∗⊗⊠═àèéìòùÀÈÉÌÒÙ",
    "O*[=@+v.><x>+^^^ov~:*FB*XX=aeeiouAEEIOU",
)
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


Part: TypeAlias = tuple[str, str, str]
"""A word of a line in a hex: its text, its ink, and its ground, empty for that of the hex."""


def whole_words(line: str, width: int, rows: int) -> list[str]:
    """A text in so many rows: words that fit, none of them cut."""
    found = [""]
    for word in line.split():
        longer = f"{found[-1]} {word}" if found[-1] else word
        if len(longer) <= width:
            found[-1] = longer
        elif len(word) > width or len(found) == rows:
            break
        else:
            found.append(word)
    return [row for row in found if row]


def width_of(parts: Sequence[Part]) -> int:
    """The cells of a line, with a blank between its words."""
    return sum([len(text) for text, _ink, _back in parts]) + len(parts) - 1


def chip(look: MarkLook) -> Part:
    """A mark as a word on a ground of its colour."""
    ink = BLACK if is_light(look.colour) else WHITE
    return look.glyph + look.text, ink, look.colour


def words_on(look: CounterLook, width: int, rows: int) -> list[str]:
    """The name of a large counter and as many of its words as fit, each whole."""
    found = whole_words(look.name, width, rows)
    if look.words and " ".join(found) != look.name:
        found = []
    for item in look.words.split(", "):
        lines = whole_words(item, width, rows - len(found)) if len(found) < rows else []
        if " ".join(lines) == item:
            found += lines
    return found + [""] * (rows - len(found))


def whole_states(states: str, width: int) -> str:
    """States as far as there is room: closer together, then without the last ones; letters that
    stand together are one state each."""
    groups = states.split(" ")
    if len(states) <= width or len(groups) == 1:
        return states[:width]
    while len("".join(groups)) > width and len(groups) > 1:
        groups.pop()
    return "".join(groups)[:width]


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
        self._textures = set(TEXTURES)
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
        if h == table.hover or h in table.flash:
            colour = mix(colour, WHITE, 0.3 if h == table.hover else 0.7)
        return mix(colour, BLACK, (h.q - h.r) % 3 * self.shade)  # unlike all six neighbours

    def _rim(self, h: Hex) -> str:
        """The colour of a hex along its sides."""
        table = self.table
        if h == table.cursor:
            return CURSOR if h in table.board else WHITE  # it is dark beside the map
        if h in table.targets or h == table.blocked_by:
            return TARGET
        if h in table.flash:
            return WHITE
        return OPTION if h in table.options else self.ground(h)

    def _paint(self, h: Hex) -> Tile:
        tile = Tile(self.geometry, self.ground(h))
        is_on = h in self.table
        if h in self.table.board:
            self._terrain(tile, h)
        self._sides(tile, h)
        if is_on:
            lines = self._lines(h)
            self._roads(tile, h)
            self._ring(tile, h)
            self._print(tile, h, lines)
            self._marks(tile, h)
            self._counters(tile, h)
            self._sight(tile, h)
            for y, parts in lines:
                self._line(tile, y, parts)
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
        if height and art and not self.table.counters.get(h):
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
        if spot.is_middle and h in table.board and other in table.board:
            arrow = self.presenter.arrow(table.board, h, other)
            if arrow is not None:
                return arrow.glyph, arrow.colour
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

    def _print(self, tile: Tile, h: Hex, lines: Sequence[tuple[int, Sequence[Part]]]) -> None:
        """What is printed on the map: label, elevation, and a letter where there is no colour."""
        slots, board = self.geometry.slots, self.table.board
        if "label" not in slots or h not in board:
            return
        rim = self._rim(h)
        is_held = bool(self.table.counters.get(h))
        is_moved = is_held or (lines and lines[0][0] <= slots["label"][1])
        x, y, width, _height = slots["top" if is_moved else "label"]
        label = board.label(h)
        if is_held and self._covers_label(h):
            pass  # a badge has the place
        elif h == self.table.cursor:
            tile.put(x, y, f"{label:^{width}}", WHITE, rim, True)
        else:
            self._word(
                tile, x + (width - len(label)) // 2, y, label, ink_on(tile.ground, least=LABEL)
            )
        height = board.elevation(h)
        if height:
            x, y, *_rest = slots["height"]
            self._word(tile, x, y, str(height)[-1], mix(tile.ground, BLACK, 0.8), bold=True)
        if self.mono:
            x, y, *_rest = slots["letter"]
            letter = self.presenter.terrain(board.terrain(h)).letter
            tile.put(x, y, letter, mix(tile.ground, BLACK, 0.8))

    def _word(
        self, tile: Tile, x: int, y: int, text: str, ink: str, back: str = "", bold: bool = False
    ) -> None:
        """A word on the ground; no texture touches it."""
        for edge in (x - 1, x + len(text)):
            n = tile.index.get((edge, y))
            if n is not None and tile.text[n] in self._textures:
                tile.set(n, " ", tile.ground, tile.ground)
        tile.put(x, y, text, ink, back, bold)

    def _line(self, tile: Tile, y: int, parts: Sequence[Part]) -> None:
        """A line of words in the middle of a hex."""
        x, _y, width, _height = self.geometry.slots["counter"]
        x += (width - width_of(parts)) // 2
        for text, ink, back in parts:
            self._word(tile, x, y, text, ink, back, bold=True)
            x += len(text) + 1

    def _marks_at(self, h: Hex) -> tuple[Mark, ...]:
        view = self.table.view
        return view.marks.get(view.label(h), ()) if view is not None else ()

    def _looks_at(self, h: Hex) -> list[MarkLook]:
        """Objectives and the like; smoke is a texture."""
        looks = [self.presenter.printed(name) for name in self.table.board.markers_at(h)]
        looks += [self.presenter.mark(mark) for mark in self._marks_at(h)]
        return [look for look in looks if look.glyph != "░"]

    def _lines(self, h: Hex) -> list[tuple[int, Sequence[Part]]]:
        """The lines of a hex without counters, each with its row: marks and names, signs printed
        in colour, then costs, chances and the sheet that lies over the map."""
        slots = self.geometry.slots
        if "tab" not in slots or self.table.counters.get(h):
            return []
        _x, y, width, height = slots["counter"]
        ground, board = self.ground(h), self.table.board
        marks = [chip(look) for look in self._looks_at(h)]
        caption = self.presenter.caption(board, h) if h in board else ""
        if caption:
            marks.append((caption, ink_on(ground), ""))
        signs = self.presenter.signs(board, h) if h in board else ()
        dots = [(sign.glyph, ink_on(ground, sign.colour, SIGN), "") for sign in signs]
        badges = self._badge_parts(h)
        if height == 2 and marks and dots and width_of([*marks, *dots]) <= width:
            marks, dots = [*marks, *dots], []
        found = [parts for parts in (marks, dots, badges) if parts]
        if len(found) > height:
            found.remove(dots)
        top = y + (height - len(found) + 1) // 2
        return [(top + n, parts) for n, parts in enumerate(found)]

    def _badge_parts(self, h: Hex) -> list[Part]:
        """A cost or a chance, and what the sheet says; glyphs say it without colour."""
        table = self.table
        found: list[Part] = []
        if h in table.targets:
            text = table.targets[h]
            glyph = "" if text.endswith("%") else GLYPHS["target"]
            found.append((glyph + text, WHITE, TARGET))
        elif table.reachable.get(h):
            found.append((GLYPHS["reach"] + table.reachable[h], BLACK, REACH))
        if h in table.sheet:
            found.append((table.sheet[h] or GLYPHS["sheet"], WHITE, LAYER))
        return found

    def _covers_label(self, h: Hex) -> bool:
        """Whether what stands over a counter takes the place of its label."""
        slots = self.geometry.slots
        is_sole = slots["tab"] == slots["top"]
        return h in self.table.sheet or (is_sole and bool(self._badge_parts(h)))

    def _marks(self, tile: Tile, h: Hex) -> None:
        """Who holds a hex, and the first mark of a hex with counters: at its right. On the overview
        there is room for one glyph."""
        slots = self.geometry.slots
        if "right" in slots and self.table.control.get(h):
            army = self.presenter.army(self.table.control[h])
            x, y, *_rest = slots["right"]
            tile.put(x, y, army.letter, army.ink, army.colour, True)
        looks = self._looks_at(h)
        if not looks or ("right" in slots) != bool(self.table.counters.get(h)):
            return
        if "right" in slots:
            x, y, *_rest = slots["right"]
            ink = ink_on(tile.ground, looks[0].colour)
            tile.put(x, y, looks[0].glyph, ink, bold=True)
        else:
            _text, ink, back = chip(looks[-1])
            tile.put(0, 0, f"{looks[-1].glyph} ", ink, back, True)

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
            back = mix(look.colour, BLACK, (h.q - h.r) % 3 * 0.12)  # neighbours stay apart
            tile.put(x, y, f"{text:<2}"[:2], ink_on(back, look.ink), back, True)
            return
        more = f"{GLYPHS['more']}{len(rest)}" if rest else ""
        is_raised = h in self.table.board and self.table.board.elevation(h) != 0
        first, states = look.type, side + look.states
        room = width - len(look.strength)
        strength = look.strength
        if strength and len(first) >= room:  # no room for both: the shorter one goes below
            below = first if len(first) < len(strength) else strength
            first, strength = ("", strength) if below is first else (first, "")
            states = f"{side}{below} {look.states}"
        lines = [f"{first:<{width - len(strength)}}{strength}"]
        lines += words_on(look, width, height - 2) if height > 2 else []
        left = width - len(more) - is_raised  # the number of the height stands beside this line
        lines += [whole_states(states, left)]
        for k, line in enumerate(lines):
            back = mix(look.colour, BLACK, 0.18) if k else look.colour
            tile.put(x, y + k, f"{line:<{width}}"[:width], ink_on(back, look.ink), back, not k)
        if rest:
            under = self.presenter.counter(rest[0])
            tile.put(x + left, y + height - 1, more, under.ink, under.colour, True)

    def _sight(self, tile: Tile, h: Hex) -> None:
        covered = self.table.counters.get(h)
        x, y, width, height = self.geometry.slots["counter"]
        for n, is_beyond in self.table.sight.get(h, {}).items():
            a, b = self.geometry.cells[n]
            if not (covered and x <= a < x + width and y <= b < y + height):
                tile.set(n, GLYPHS["beyond" if is_beyond else "sight"], SIGHT, tile.back[n], True)

    def _badges(self, tile: Tile, h: Hex) -> None:
        table, slots = self.table, self.geometry.slots
        if "tab" not in slots:
            return self._small_badges(tile, h)
        if h in table.options:
            for slot, glyph in (("left", "option"), ("right", "option end")):
                x, y, *_rest = slots[slot]
                tile.put(x, y, GLYPHS[glyph], BLACK, bold=True)
        elif h in table.refused:
            x, y, *_rest = slots["left"]
            tile.put(x, y, GLYPHS["refused"], mix(tile.ground, BLACK, 0.7), bold=True)
        if table.counters.get(h):
            self._tabs(tile, h)
        if h == table.blocked_by:
            x, y, width, height = slots["counter"]
            cross = f" {GLYPHS['block']} "
            tile.put(x + (width - 3) // 2, y + height // 2, cross, WHITE, BLOCK, True)
        return None

    def _tabs(self, tile: Tile, h: Hex) -> None:
        """What stands at a counter: the sheet over it, a cost or a chance beside the other end;
        where both ends are one, the cost or the chance."""
        parts = self._badge_parts(h)
        if h in self.table.sheet:
            self._tab(tile, "top", parts.pop())
        if parts:
            self._tab(tile, "tab", parts[0])

    def _tab(self, tile: Tile, slot: str, part: Part) -> None:
        x, y, width, _height = self.geometry.slots[slot]
        text, ink, back = part
        words = text if len(text) <= width else text[1:]  # the glyph goes before the number does
        tile.put(x, y, f"{words:^{width}}"[:width], ink, back, True)

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
            cost = table.reachable[h]
            glyph = GLYPHS["reach"] if len(cost) == 1 else ""  # apart from the counter beside it
            tile.put(0, 0, f"{glyph}{cost}"[:2], BLACK, bold=True)
        elif h in table.options:
            tile.put(0, 0, GLYPHS["option"] + GLYPHS["option end"], BLACK, bold=True)
        elif h in table.refused:
            tile.put(0, 0, GLYPHS["refused"], BLACK)
        elif h in table.sheet:
            tile.put(0, 0, f"{table.sheet[h] or GLYPHS['sheet']:<2}"[:2], WHITE, LAYER, True)
