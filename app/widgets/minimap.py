"""The whole map in little, with the window on it."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from app.presenters.base import mix
from app.widgets.hex_painter import BLACK, style_of
from app.widgets.hexmap import HexMap
from engine.core.hexes import Hex
from engine.core.view import View


class Minimap(Widget):
    """The whole map in little, with a frame around what the large one shows; a click goes there."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Minimap { height: auto; }
    """

    def __init__(self, map: HexMap, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.map = map

    def on_mount(self) -> None:
        """Follow the map."""
        for name in ("scroll_x", "scroll_y", "virtual_size", "view"):
            self.watch(self.map, name, self._follow, init=False)

    def _follow(self) -> None:
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Two rows of hexes for each line."""
        view = self.map.view
        return len(view.extent[1]) // self._step(width) // 2 + 1 if view is not None else 1

    def _step(self, width: int) -> int:
        """How many columns of hexes share a cell."""
        view = self.map.view
        return -(-len(view.extent[0]) // max(1, width)) if view is not None else 1

    def _frame(self) -> Region:
        """The cells that the large map shows."""
        view, step = self.map.view, self._step(self.size.width)
        if view is None:
            return Region()
        columns, rows = (len(span) for span in view.extent)
        plane, window = self.map.virtual_size, self.map.size
        left, top = self.map.scroll_offset
        x, y = left * columns // max(1, plane.width), top * rows // max(1, plane.height)
        width = -(-window.width * columns // max(1, plane.width))
        height = -(-window.height * rows // max(1, plane.height))
        right, bottom = min(columns, x + width), min(rows, y + height)
        x, y = x // step, y // step // 2
        return Region(x, y, -(-right // step) - x, -(-bottom // step // 2) - y)

    def render_line(self, y: int) -> Strip:
        """Each cell shows two hexes, one above the other, or the letter of who is there."""
        painter, view, step = self.map.painter, self.map.view, self._step(self.size.width)
        if painter is None or view is None or 2 * y * step >= len(view.extent[1]):
            return Strip.blank(self.size.width, self.rich_style)
        frame = self._frame()
        segments = []
        for x in range(-(-len(view.extent[0]) // step)):
            upper, lower = self._hex(view, x, 2 * y), self._hex(view, x, 2 * y + 1)
            is_last = lower not in view
            is_seen = frame.contains(x, y)
            char, ink, back = "▀", painter.ground(upper), painter.ground(lower)
            held = painter.table.counters.get(upper) or painter.table.counters.get(lower)
            if held:
                army = self.map.presenter.army(held[0].side)
                char, ink, back = army.letter, army.ink, army.colour
            elif not is_seen:
                ink, back = mix(ink, BLACK, 0.3), back if is_last else mix(back, BLACK, 0.3)
            corner = frame_corner(frame, x, y)
            if corner:
                char, ink = corner, BLACK
            if painter.plain:
                char = " " if char == "▀" else "+" if corner else char
            segments.append(Segment(char, style_of(ink, back, bool(held))))
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _hex(self, view: View, x: int, y: int) -> Hex:
        """The hex that a cell stands for, by its column and its row of hexes."""
        step, (columns, rows) = self._step(self.size.width), view.extent
        return view.board.grid.from_offset(columns[0] + x * step, rows[0] + y * step)

    def on_click(self, event: events.Click) -> None:
        """Show that place on the large map."""
        view = self.map.view
        if view is not None:
            self.map.centre_on(self._hex(view, event.x, 2 * event.y))


def frame_corner(frame: Region, x: int, y: int) -> str:
    """The glyph of a corner of the frame, if this is one."""
    rows = {frame.y: "┌┐", frame.bottom - 1: "└┘"}
    columns = {frame.x: 0, frame.right - 1: 1}
    return rows[y][columns[x]] if y in rows and x in columns else ""
