"""The map: one widget that draws hexes line by line.

Three layers, each ignorant of the next. `hex_geometry` says which cells a hex covers and what lies
on its sides; `hex_painter` turns a hex into segments (a tile) from a `Table` of plain data;
`HexMap` scrolls, listens, and joins tiles into strips. Tiles and strips are cached, and a change
throws away only the tiles of the hexes it touches: the cost of a move does not grow with the map.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, Final, TypeAlias, TypeVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.query import NoMatches
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Tooltip

from app.presenters.base import GenericPresenter, Presenter
from app.shell.i18n import _
from app.widgets.hex_geometry import (
    LARGE,
    NORMAL,
    OVERVIEW,
    Geometry,
    geometry_of,
    quarters_between,
)
from app.widgets.hex_painter import Painter, Table
from engine.core.hexes import BadLabel, Hex, neighbours
from engine.core.rules import Side
from engine.core.title import Sight
from engine.core.view import CounterView, View

K = TypeVar("K")

MARGIN: Final = 1
FLASH: Final = 0.5
"""Seconds that a changed hex stays lit."""
MOST_FLASHES: Final = 8
"""More changes than these are another position, and light up nothing."""
_KEYS: Final = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "home": "upper_left",
    "pageup": "upper_right",
    "end": "lower_left",
    "pagedown": "lower_right",
}
_STEPS: Final = {  # the directions that a key may mean, for pointy and for flat hexes
    "up": ((0, 1), (0,)),
    "down": ((4, 3), (3,)),
    "left": ((5,), (5, 4)),
    "right": ((2,), (1, 2)),
    "upper_left": ((0,), (5,)),
    "upper_right": ((1,), (1,)),
    "lower_left": ((4,), (4,)),
    "lower_right": ((3,), (2,)),
}


class HexMap(ScrollView):
    """The map of a View. Overlays are attributes; what people do arrives as messages."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    HexMap {
        background: $background;
        scrollbar-size: 1 1;
        scrollbar-color: $primary 50%;
        scrollbar-background: $surface;
        scrollbar-corner-color: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *[Binding(key, f"step('{to}')", show=False) for key, to in _KEYS.items()],
        *[Binding(f"shift+{key}", f"pan('{key}')", show=False) for key in list(_KEYS)[:4]],
        *[Binding(f"ctrl+{key}", f"pan('{key}', 6)", show=False) for key in list(_KEYS)[:4]],
        Binding("enter", "select", _("Choose"), show=False),
        Binding("full_stop", "next_counter(1)", _("Next unit"), show=False),
        Binding("comma", "next_counter(-1)", _("Previous unit"), show=False),
        Binding("plus,equals_sign", "zoom(1)", _("Zoom in"), show=False),
        Binding("minus", "zoom(-1)", _("Zoom out"), show=False),
        Binding("semicolon", "tip", _("What is here"), key_display=";", show=False),
    ]

    class HexMessage(Message):
        """Something about a hex of the map."""

        def __init__(self, map: HexMap, hex: Hex) -> None:
            super().__init__()
            self.map = map
            self.hex = hex

        @property
        def control(self) -> HexMap:
            """The map."""
            return self.map

    class HexSelected(HexMessage):
        """A hex was chosen, with Enter or a click."""

    class CursorMoved(HexMessage):
        """The cursor is on another hex."""

    class HexHovered(HexMessage):
        """The mouse is over another hex."""

    class CounterSelected(HexMessage):
        """A hex with counters was chosen: the one on top. Choosing again turns the stack."""

        def __init__(self, map: HexMap, hex: Hex, id: str) -> None:
            super().__init__(map, hex)
            self.id = id

    view: var[View | None] = var(None, init=False)
    zoom: var[int] = var(NORMAL, init=False)
    plain: var[bool] = var(False, init=False)
    cursor: var[Hex | None] = var(None, init=False)
    hover: var[Hex | None] = var(None, init=False)
    options: var[Collection[Hex]] = var(frozenset, init=False)
    refused: var[Collection[Hex]] = var(frozenset, init=False)
    reachable: var[Mapping[Hex, str]] = var(dict, init=False)
    in_range: var[Collection[Hex]] = var(frozenset, init=False)
    targets: var[Mapping[Hex, str]] = var(dict, init=False)
    sheet: var[Mapping[Hex, str]] = var(dict, init=False)
    control: var[Mapping[Hex, Side]] = var(dict, init=False)
    sight: var[Sight | None] = var(None, init=False)
    flash: var[Collection[Hex]] = var(frozenset, init=False)

    def __init__(
        self,
        presenter: Presenter | None = None,
        view: View | None = None,
        *,
        zoom: int = NORMAL,
        plain: bool = False,
        describe: Callable[[Hex], str] | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.presenter: Presenter = presenter or GenericPresenter()
        self.describe = describe
        self._strips: dict[tuple[int, int, int], Strip] = {}
        self._origin = self._spare = (0, 0)
        self.extent = Size(0, 0)  # cells of the whole map at the middle zoom
        self._aim = (0, 0)
        self._centre: Hex | None = None
        self._kept: tuple[Hex, ...] = ()  # what was brought into sight last
        self._pointed: Hex | None = None  # the hex that was clicked, while the mouse rests there
        self._grip: tuple[Offset, Offset] | None = None
        self._is_dragging = False
        self.has_motion = False
        self._flash_over: Timer | None = None
        self.painter: Painter | None = None
        self.set_reactive(HexMap.zoom, zoom)
        self.set_reactive(HexMap.plain, plain)
        self.set_reactive(HexMap.view, view)
        for name in (
            "options",
            "refused",
            "reachable",
            "in_range",
            "targets",
            "sheet",
            "control",
            "flash",
        ):
            self.watch(self, name, self._watcher(name), init=False)
        self._lay_out()

    # what is drawn

    def on_mount(self) -> None:
        """Take the colours of the theme, and follow it."""
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._lay_out())
        self._lay_out()

    def on_resize(self) -> None:
        """Keep a small map in the middle, and show what could not be shown before, or no longer."""
        self._place()
        if self._centre is not None:
            self.centre_on(self._centre)
        elif self._kept or self.cursor is not None:
            self.show_all(self._kept or [h for h in (self.cursor,) if h is not None])
        elif self.options and not any(map(self.has_in_sight, self.options)):
            self.show(next(iter(self.options)))

    def _lay_out(self) -> None:
        """Start afresh: another board, zoom, theme or alphabet."""
        self._strips.clear()
        self.painter = None
        if self.view is not None:
            self.presenter.use(self.view)
            board = self.view.board
            shown = self.is_attached
            self.painter = Painter(
                Table(board),
                geometry_of(board.grid.orientation, self.zoom),
                self.presenter,
                self.background_colors[1].hex6 if shown else "#171a17",
                shown and self.app.no_color,
                self.plain,
                self._shade(),
            )
            self._fill_table(self.painter.table, self.view)
            normal = geometry_of(board.grid.orientation, NORMAL)
            self.extent = extent(normal, self.painter.table.hexes)[1]
        self._place()

    def _shade(self) -> float:
        """How much neighbours of one terrain differ: not at all where colours are few."""
        if self.is_attached and self.app.console.color_system in ("standard", "256", "windows"):
            return 0
        return 0.04 if self.zoom else 0.015

    def _fill_table(self, table: Table, view: View) -> None:
        table.view = view
        table.counters = by_hex(view)
        for (a, b), kinds in view.board.roads.items():
            for h, other in ((a, b), (b, a)):
                table.roads.setdefault(h, {})[neighbours(h).index(other)] = kinds
        table.cursor, table.hover = self.cursor, self.hover
        table.options, table.refused = set(self.options), set(self.refused)
        table.in_range, table.flash = set(self.in_range), set(self.flash)
        table.reachable, table.targets = self.reachable, self.targets
        table.sheet, table.control = self.sheet, self.control
        self._trace(self.sight)

    def _place(self) -> None:
        """Where the map lies on the widget's own plane, and how large that is."""
        if self.painter is None:
            self.virtual_size = Size(0, 0)
            self.refresh()
            return
        (left, top), (width, height) = extent(self.painter.geometry, self.painter.table.hexes)
        spare_x, spare_y = self.size.width - width, self.size.height - height
        self._spare = (max(0, spare_x // 2), max(0, spare_y // 2))
        self._origin = (MARGIN + self._spare[0] - left, self._spare[1] - top)
        self._strips.clear()
        self.virtual_size = Size(width, height)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window on the map."""
        left, top = self.scroll_offset
        return self._strip(y + top, left, self.size.width)

    def _strip(self, y: int, left: int, width: int) -> Strip:
        """One line of the map, between two columns; kept until something on it changes."""
        found = self._strips.get((y, left, width))
        if found is None:
            if len(self._strips) > 2048:
                self._strips.clear()
            found = self._strips[y, left, width] = self._join(y, left, width)
        return found

    def _join(self, y: int, left: int, width: int) -> Strip:
        painter = self.painter
        if painter is None:
            return Strip.blank(width, self.rich_style)
        x = left - self._origin[0]
        tiles = painter.geometry.tiles(y - self._origin[1], x, x + width)
        segments: list[Segment] = []
        for _start, h, row in tiles:
            parts = painter.tile(h)[row]
            if segments and parts[0].style is segments[-1].style:
                text, style, _control = segments.pop()
                segments.append(Segment(text + parts[0].text, style))
                parts = parts[1:]
            segments += parts
        return Strip(trimmed(segments, x - tiles[0][0], width), width)

    def dump(self) -> str:
        """The whole map as text."""
        width, height = self.virtual_size
        left, top = self._spare
        lines = [self._join(y + top, left, width).text.rstrip() for y in range(height)]
        return "\n".join(lines)

    # what changes it

    def _watcher(self, name: str) -> Callable[[Overlaid, Overlaid], None]:
        def changed(old: Overlaid, new: Overlaid) -> None:
            if self.painter is not None:
                setattr(self.painter.table, name, new if isinstance(new, Mapping) else set(new))
                self._touch(difference(old, new))

        return changed

    def watch_view(self, old: View | None, new: View | None) -> None:
        """Draw again the hexes whose counters or marks are not the same."""
        if self.painter is None or old is None or new is None or not is_alike(old, new):
            self._kept, self._pointed = (), None
            self._lay_out()
            return
        self.presenter.use(new)
        table = self.painter.table
        before, table.counters, table.view = table.counters, by_hex(new), new
        touched = difference(before, table.counters)
        for label in difference(old.marks, new.marks):
            with suppress(BadLabel):  # something beside the map
                touched.add(new.hex_at(label))
        self._touch(touched)
        if self.has_motion and 0 < len(touched) <= MOST_FLASHES:
            self._light_up(touched)

    def _light_up(self, hexes: Collection[Hex]) -> None:
        """Show for a moment what has changed."""
        if self._flash_over is not None:
            self._flash_over.stop()
        self.flash = frozenset(hexes)
        self._flash_over = self.set_timer(FLASH, lambda: setattr(self, "flash", frozenset()))

    def watch_zoom(self) -> None:
        """Draw at the new size, around the same hex."""
        middle = self.cursor or self.hex_at(self.size.width // 2, self.size.height // 2)
        self._lay_out()
        if middle is not None:
            self.centre_on(middle)

    def watch_plain(self) -> None:
        """Draw with the other alphabet."""
        self._lay_out()

    def watch_cursor(self, old: Hex | None, new: Hex | None) -> None:
        """Move the ring, keep it in sight, and tell."""
        if self.painter is None:
            return
        self.painter.table.cursor = new
        self._touch([h for h in (old, new) if h is not None])
        if new is not None:
            self.show(new)
            self.post_message(self.CursorMoved(self, new))
        self._hide_tip()

    def watch_hover(self, old: Hex | None, new: Hex | None) -> None:
        """Brighten the hex under the mouse; its tooltip is what `describe` says."""
        if self.painter is None:
            return
        self.painter.table.hover = new
        self._touch([h for h in (old, new) if h is not None])
        self.tooltip = Content(self.describe(new)) if new is not None and self.describe else None
        if new is not None:
            self.post_message(self.HexHovered(self, new))

    def watch_sight(self, old: Sight | None, new: Sight | None) -> None:
        """Draw another line of sight."""
        if self.painter is not None:
            before = set(self.painter.table.sight)
            self._trace(new)
            blocks = {s.blocked_by for s in (old, new) if s is not None and s.blocked_by}
            self._touch(before | set(self.painter.table.sight) | blocks)

    def _trace(self, sight: Sight | None) -> None:
        """Lay a line of sight on the tiles it crosses; past the blocking hex it is broken."""
        assert self.painter is not None
        table, geometry = self.painter.table, self.painter.geometry
        table.sight, table.blocked_by = {}, sight.blocked_by if sight else None
        if sight is None:
            return
        (ax, ay), (bx, by) = geometry.position(sight.a), geometry.position(sight.b)
        x, y = geometry.centre
        found: dict[Hex, dict[int, bool]] = {}
        is_beyond = sight.clear is None
        for (cx, cy), _quarter in quarters_between(ax + x, ay + y, bx + x, by + y):
            h = geometry.hex_at(cx, cy)
            is_beyond = is_beyond or h == sight.blocked_by
            px, py = geometry.position(h)
            found.setdefault(h, {})[geometry.index[cx - px, cy - py]] = is_beyond
        table.sight = found

    def clear_overlays(self) -> None:
        """Take away every overlay; the cursor stays."""
        self.options = self.refused = self.in_range = frozenset()
        self.reachable, self.targets, self.sheet, self.control = {}, {}, {}, {}
        self.sight = None

    def _touch(self, hexes: Collection[Hex]) -> None:
        """Draw some hexes again, and nothing else."""
        if not hexes or self.painter is None:
            return
        self.painter.forget(hexes)
        regions = [self.region_of(h) for h in hexes]
        lines = {y for region in regions for y in range(region.y, region.bottom)}
        for key in [key for key in self._strips if key[0] in lines]:
            del self._strips[key]
        if len(regions) > 8:
            regions = [Region.from_union(regions)]
        window = Region(0, 0, *self.size)
        seen = [region.translate(-self.scroll_offset).intersection(window) for region in regions]
        seen = [region for region in seen if region]
        if seen:
            self.refresh(*seen)

    # where things are

    def region_of(self, h: Hex) -> Region:
        """The box of a hex on the plane that scrolls."""
        if self.painter is None:
            return Region()
        x, y = self.painter.geometry.position(h)
        size = self.painter.geometry.size
        height = size.height + (self.painter.geometry.is_split and h.q % 2)
        return Region(x + self._origin[0], y + self._origin[1], size.width, height)

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex under a cell of the window."""
        if self.painter is None:
            return None
        left, top = self.scroll_offset
        h = self.painter.geometry.hex_at(x + left - self._origin[0], y + top - self._origin[1])
        return h if h in self.painter.table else None

    def counters_at(self, h: Hex) -> tuple[CounterView, ...]:
        """The counters on a hex, the one on top first."""
        if self.painter is None or h not in self.painter.table.counters:
            return ()
        stack = self.painter.table.counters[h]
        turn = self.painter.table.turned.get(h, 0) % len(stack)
        return stack[turn:] + stack[:turn]

    def has_in_sight(self, h: Hex) -> bool:
        """Whether a hex is whole in the window."""
        window = Region(*self.scroll_offset, *self.scrollable_content_region.size)
        return window.contains_region(self.region_of(h))

    def show(self, h: Hex) -> None:
        """Scroll as little as is needed to see a hex and something around it; a far one, to it."""
        self.show_all([h])

    def show_all(self, hexes: Sequence[Hex]) -> None:
        """Scroll as little as is needed to see the first hex and, as far as they fit, the others;
        where they are far, to the middle between them. They stay in sight when the window gets
        smaller. What was clicked stays under the mouse as long as all of them are seen."""
        self._kept = tuple(hexes)
        if not hexes or self._is_steady(hexes):
            return
        if not self.size:
            self.centre_on(hexes[0])
            return
        width, height = self.scrollable_content_region.size
        box = spare = self.region_of(hexes[0])
        for h in hexes[1:]:
            both = box.union(self.region_of(h))
            if both.width <= width and both.height <= height:
                box = both
        left, top = self.scroll_offset
        x = nearest(left, box.x, box.right, width, spare.width)
        y = nearest(top, box.y, box.bottom, height, spare.height)
        if abs(x - left) > 2 * spare.width or abs(y - top) > 2 * spare.height:
            x = round(box.x + (box.width - width) / 2)
            y = round(box.y + (box.height - height) / 2)
        if (x, y) != (left, top):
            self.scroll_to(x, y, animate=False, force=True, immediate=True)

    def _is_steady(self, hexes: Sequence[Hex]) -> bool:
        """Whether the map stays where it is under a mouse that has clicked it."""
        pointed = self._pointed
        return pointed is not None and all(h == pointed or self.has_in_sight(h) for h in hexes)

    def centre_on(self, what: Hex | str, animate: bool = False) -> None:
        """Scroll a hex, or the counter with that id, to the middle."""
        h = self._hex_of(what) if isinstance(what, str) else what
        if h is None:
            return
        self._kept = (h,)
        self._centre = h if not self.size else None
        if self._centre is not None:  # as soon as there is room for it
            return
        region = self.region_of(h)
        width, height = self.scrollable_content_region.size
        x, y = region.x + (region.width - width) / 2, region.y + (region.height - height) / 2
        self.scroll_to(
            *(round(x), round(y)), animate=animate, duration=0.2, force=True, immediate=True
        )

    def _hex_of(self, id: str) -> Hex | None:
        counters = self.view.counters if self.view is not None else ()
        return next((counter.hex for counter in counters if counter.id == id), None)

    # what people do

    def action_step(self, way: str) -> None:
        """Move the cursor one hex; going straight zigzags, and keeps its line."""
        if self.painter is None:
            return
        self._pointed = None
        geometry, table = self.painter.geometry, self.painter.table
        here = self.cursor
        if here is None:
            width, height = self.size
            self.cursor = self.hex_at(width // 2, height // 2) or table.hexes[0]
            return
        around = neighbours(here)
        steps = _STEPS[way][0 if geometry.is_pointy else 1]
        goals = [around[d] for d in steps if around[d] in table]
        if len(steps) == 1:
            self._aim = geometry.position(goals[0] if goals else here)
        axis = 0 if geometry.is_pointy else 1
        goals.sort(key=lambda h: abs(geometry.position(h)[axis] - self._aim[axis]))
        if goals:
            self.cursor = goals[0]

    def action_pan(self, way: str, hexes: int = 1) -> None:
        """Scroll the map and leave the cursor where it is."""
        if self.painter is None:
            return
        geometry = self.painter.geometry
        x, y = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[way]
        self.scroll_relative(
            x * hexes * geometry.across, y * hexes * geometry.down, animate=False, force=True
        )

    def action_zoom(self, step: int) -> None:
        """Come closer or go away."""
        self.zoom = min(LARGE, max(OVERVIEW, self.zoom + step))

    def action_select(self) -> None:
        """Choose the hex under the cursor."""
        if self.cursor is not None:
            self.select(self.cursor)

    def select(self, h: Hex) -> None:
        """Choose a hex, and the counter on top; choosing it again turns its stack."""
        if self.painter is None:
            return
        table = self.painter.table
        again = self.cursor == h and h in table.turned
        if len(table.counters.get(h, ())) > 1:
            table.turned = {h: table.turned[h] + 1 if again else 0}
            self._touch([h])
        self.cursor = h
        self._aim = self.painter.geometry.position(h)
        self.post_message(self.HexSelected(self, h))
        for counter in self.counters_at(h)[:1]:
            self.post_message(self.CounterSelected(self, h, counter.id))

    def action_next_counter(self, step: int) -> None:
        """Go to the next hex with counters: a lit one if any is, else one of our own."""
        if self.view is None:
            return
        self._pointed = None
        lit = [c.hex for c in self.view.counters if c.hex in self.options]
        own = [c.hex for c in self.view.counters if c.side == self.view.side]
        hexes = list(dict.fromkeys([h for h in lit or own if h is not None]))
        if hexes:
            now = hexes.index(self.cursor) if self.cursor in hexes else -1 if step > 0 else 0
            self.cursor = hexes[(now + step) % len(hexes)]
            self._aim = self.painter.geometry.position(self.cursor) if self.painter else (0, 0)

    def action_tip(self) -> None:
        """Show the tooltip of the hex under the cursor, where it is."""
        if self.cursor is None:
            self.action_step("up")
        if self.cursor is None or self.describe is None:
            return
        try:
            tooltip = self.screen.get_child_by_type(Tooltip)
        except NoMatches:
            return
        region = self.region_of(self.cursor).translate(self.content_region.offset)
        region = region.translate(-self.scroll_offset)
        tooltip.absolute_offset = Offset(region.x + region.width // 2, region.bottom - 1)
        tooltip.update(Content(self.describe(self.cursor)))
        tooltip.display = True

    def _hide_tip(self) -> None:
        if self.is_attached:
            for tooltip in self.screen.query_children(Tooltip):
                tooltip.display = False

    def _hex_under(self, event: events.MouseEvent) -> Hex | None:
        at = event.get_content_offset(self)
        return self.hex_at(*at) if at is not None else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the map."""
        self._grip = (event.screen_offset, self.scroll_offset)
        self._is_dragging = False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the map if it is held; else the hex under the mouse is hovered."""
        if self._grip is None:
            self.hover = self._hex_under(event)
            return
        start, scroll = self._grip
        moved = event.screen_offset - start
        self._is_dragging = self._is_dragging or abs(moved.x) > 1 or abs(moved.y) > 0
        if self._is_dragging:
            self.hover = None
            self.scroll_to(*(scroll - moved), animate=False, force=True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go; without a drag it was a click, which chooses."""
        was_held, self._grip = self._grip is not None, None
        self.release_mouse()
        h = self._hex_under(event)
        if was_held and not self._is_dragging and h is not None:
            self._pointed = h
            self.select(h)

    def on_leave(self) -> None:
        """Nothing is hovered outside."""
        self.hover = self._pointed = None

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Map"), _(
            "Arrows, Home, End and the Page keys move the cursor from hex to hex; Shift and an "
            "arrow scroll. Enter chooses the hex, and again the next counter of its stack. "
            "Comma and full stop go to the units, plus and minus change the size, ; says what "
            "is here. With the mouse: click, drag and wheel."
        )


Overlaid: TypeAlias = Collection[Hex] | Mapping[Hex, str]


def extent(geometry: Geometry, hexes: Iterable[Hex]) -> tuple[Offset, Size]:
    """Where a map begins on its plane, and the cells that it takes."""
    corners = [geometry.position(h) for h in hexes]
    left, top = min([x for x, _y in corners]), min([y for _x, y in corners])
    width = max([x for x, _y in corners]) - left + geometry.size.width + 2 * MARGIN
    height = max([y for _x, y in corners]) - top + geometry.size.height + geometry.is_split
    return Offset(left, top), Size(width, height)


def is_alike(one: View, other: View) -> bool:
    """Whether two views have the same ground to draw."""
    return one.board is other.board and one.places == other.places


def by_hex(view: View) -> dict[Hex, tuple[CounterView, ...]]:
    """The counters that lie on the map."""
    found: dict[Hex, tuple[CounterView, ...]] = {}
    for counter in view.counters:
        if counter.hex is not None:
            found[counter.hex] = (*found.get(counter.hex, ()), counter)
    return found


def difference(old: Collection[K], new: Collection[K]) -> set[K]:
    """The keys that came, went, or have another value."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {key for key in {*old, *new} if old.get(key) != new.get(key)}
    return set(old) ^ set(new)


def trimmed(segments: list[Segment], skip: int, width: int) -> list[Segment]:
    """Segments without the first cells, and no longer than a width; every cell is a character."""
    while skip >= len(segments[0].text):
        skip -= len(segments.pop(0).text)
    spare = sum([len(segment.text) for segment in segments]) - skip - width
    while spare >= len(segments[-1].text):
        spare -= len(segments.pop().text)
    if spare:
        text, style, _control = segments[-1]
        segments[-1] = Segment(text[:-spare], style)
    if skip:
        text, style, _control = segments[0]
        segments[0] = Segment(text[skip:], style)
    return segments


def nearest(start: int, low: int, high: int, window: int, spare: int) -> int:
    """The scroll position nearest to `start` that shows a stretch with room on both sides."""
    spare = max(0, min(spare, (window - (high - low)) // 2))
    return max(0, min(max(start, high + spare - window), low - spare))
