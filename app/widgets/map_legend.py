"""What the map shows, in words: a line for what lies over it now, a list for what is printed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Static

from app.play.legend import Key
from app.presenters.base import MarkLook, Presenter, ink_on
from app.shell.i18n import _
from app.widgets.hex_painter import (
    BLACK,
    BLOCK,
    GLYPHS,
    LAYER,
    OPTION,
    PLAIN,
    RANGE,
    REACH,
    SIGHT,
    TARGET,
    WHITE,
)
from engine.core.view import View

PAPER = "#d9d1a9"
SAMPLES = {
    "answer": (GLYPHS["option"] + GLYPHS["option end"], BLACK, OPTION),
    "reach": (GLYPHS["reach"], BLACK, REACH),
    "chance": ("", WHITE, TARGET),
    "range": ("▘▘▘", RANGE, PAPER),
    "sheet": ("", WHITE, LAYER),
    "step": (GLYPHS["sheet"], WHITE, LAYER),
    "control": ("", WHITE, LAYER),
    "sight": (GLYPHS["sight"] * 3, SIGHT, PAPER),
    "beyond": (GLYPHS["beyond"] * 3, SIGHT, PAPER),
    "block": (GLYPHS["block"], WHITE, BLOCK),
}
"""How each kind of key is drawn: glyphs, ink and ground, as on the map."""
PATTERNS = {"solid": "▄▄▄", "broken": "▄ ▄", "dots": "▖▖▖", "teeth": "▾▾▾"}


class MapLegend(Static):
    """One line under the map: what its badges, outlines and lines mean; none, and it is gone."""

    DEFAULT_CSS = """
    MapLegend { height: 1; width: 100%; padding: 0 1; background: $panel; display: none; }
    MapLegend.-shown { display: block; }
    """

    def __init__(self) -> None:
        super().__init__("", id="legend", markup=False)
        self.plain = False
        self._keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Explain these."""
        if keys != self._keys:
            self._keys = keys
            self.set_class(bool(keys), "-shown")
            self._write()

    def on_resize(self) -> None:
        """As many keys as fit."""
        self._write()

    def _write(self) -> None:
        width = self.content_size.width or self.app.size.width
        self.update(legend_line(self._keys, width, self.plain), layout=False)


def legend_line(keys: Sequence[Key], width: int, plain: bool = False) -> Text:
    """Keys on a line, whole ones only; the first is always there."""
    found = Text(no_wrap=True, overflow="ellipsis")
    for key in keys:
        one = Text("  " if found else "")
        glyph, ink, ground = SAMPLES[key.kind]
        sign = glyph + key.sign
        if sign:
            one.append(sign.translate(PLAIN) if plain else sign, f"bold {ink} on {ground}")
            one.append(" ")
        one.append(key.words)
        if found and found.cell_len + one.cell_len > width:
            break
        found.append_text(one)
    return found


def board_legend(presenter: Presenter, view: View, plain: bool = False) -> Text:
    """All that is printed on a board, each with a sample: ground, hexsides, lines, signs."""
    board = view.board
    found = Text()

    def add(sample: str, ink: str, ground: str, words: str) -> None:
        shown = sample.translate(PLAIN) if plain else sample
        found.append(f"{shown:^5}", f"bold {ink} on {ground}")
        found.append(f" {words}\n")

    for name in dict.fromkeys(board.terrains.values()):
        look = presenter.terrain(name)
        texture = "".join(dict.fromkeys(look.texture.replace(" ", "")))[:3]
        sample = look.letter if plain else texture or "▟▙" * bool(look.art)
        add(sample, look.ink, look.colour, presenter.name("terrain", name))
    for height in sorted({h for h in board.elevations.values() if h}):
        ground = presenter.ground(next(iter(board.terrains.values())), height)
        add(str(height), ink_on(ground), ground, _("level {n}", n=height))
    for name in dict.fromkeys(name for names in board.sides.values() for name in names):
        side = presenter.hexside(name)
        sample = side.letter if plain else PATTERNS[side.pattern]
        add(sample, side.colour, PAPER, presenter.name("feature", name))
    for name in dict.fromkeys(name for names in board.roads.values() for name in names):
        line = presenter.line(name)
        drawn = "▀ ▀ ▀" if line.dashed else "▀▀▀▀▀" if line.thick else "▔▔▔▔▔"
        add(line.letter if plain else drawn, line.colour, PAPER, presenter.name("feature", name))
    for sign, words in marks_of(presenter, view):
        add(sign.glyph + sign.text, ink_on(PAPER, sign.colour, 2.6), PAPER, words)
    return found


def marks_of(presenter: Presenter, view: View) -> list[tuple[MarkLook, str]]:
    """The marks and signs of a table with their words, each once."""
    found: dict[str, tuple[MarkLook, str]] = {}
    for names in view.board.markers.values():
        for name in names:
            look = presenter.printed(name)
            if look.glyph != "░":
                words = presenter.name("feature", name)
                found.setdefault(words, (look, words))
    for marks in view.marks.values():
        for mark in marks:
            look, words = presenter.mark(mark), presenter.name("mark", mark.kind)
            found.setdefault(words, (MarkLook(look.glyph, look.letter, look.colour), words))
    return [*found.values(), *presenter.sign_keys()]
