"""The first screen: ask for a rule, go on with a game, begin one, or open anything else."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from app import __version__
from app.play import showcase
from app.play.showcase import Card, Showcase, Tile, Tiles
from app.shell import own_data, streams
from app.shell.config import Settings
from app.shell.i18n import _, _n, catalog
from app.shell.paths import saves_folder
from app.widgets.background import background
from app.widgets.later import Later, later
from app.widgets.steady import Steady
from engine.core.files import slugs
from engine.core.text import N_
from rules_it.corpus import SLUGS

WIDE, TALL = 100, 36
"""Columns and rows from which the titles stand two by two, with their scenarios listed."""

# What an entry opens is imported then: the first paint does not wait for it.
OPENS = {
    "games": ("app.screens.new_game", "open_new_game"),
    "guide": ("app.screens.new_game", "open_guided"),
    "rules": ("app.screens.rules", "open_rules"),
    "cards": ("app.screens.cards", "open_cards"),
    "training": ("app.screens.training", "open_training"),
    "saves": ("app.screens.saves", "open_saves"),
    "settings": ("app.screens.settings", "open_settings"),
}


class Way(Widget, can_focus=True):
    """Something that opens by Enter or a click; `entry` says what."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", show=False)]
    entry: str

    class Opened(Message):
        """Somebody goes through."""

        def __init__(self, entry: str) -> None:
            super().__init__()
            self.entry = entry

    def action_open(self) -> None:
        """Open it."""
        self.post_message(self.Opened(self.entry))

    def on_click(self) -> None:
        """Open it."""
        self.action_open()


class Door(Way, Static, can_focus=True):
    """A way with a few words on it."""

    def __init__(self, words: str | Text, entry: str, *, id: str | None = None) -> None:
        super().__init__(words, id=id, markup=False)
        self.entry = entry


class LittleMap(Widget):
    """A map in little: two rows of hexes for each line, as large as fits without distortion."""

    DEFAULT_CSS = """
    LittleMap { height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: Tiles = ()
        self.plain = False

    def show(self, rows: Tiles) -> None:
        """Draw a map."""
        self.rows = rows
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A line of the map, in the middle of the room that there is."""
        width, height = self.size
        if not self.rows or not width:
            return Strip.blank(width, self.rich_style)
        columns, lines = len(self.rows[0]), len(self.rows)
        scale = min(width / columns, 2 * height / lines)
        across, down = max(1, int(columns * scale)), max(1, int(lines * scale) // 2)
        left, line = (width - across) // 2, y - (height - down) // 2
        if not 0 <= line < down:
            return Strip.blank(width, self.rich_style)
        top, bottom = (half * lines // (2 * down) for half in (2 * line, 2 * line + 1))
        cells = [Segment(" " * left, self.rich_style)]
        for x in range(across):
            column = x * columns // across
            upper, lower = self.rows[top][column], self.rows[bottom][column]
            is_named = x == _middle(column, columns, across) and line == _middle(top, lines, down)
            cells.append(self._cell(upper, lower, is_named))
        return Strip(cells).adjust_cell_length(width, self.rich_style)

    def _cell(self, upper: Tile | None, lower: Tile | None, is_named: bool) -> Segment:
        from app.widgets.hex_painter import style_of  # of the map: the first paint has none

        held = next((tile for tile in (upper, lower) if tile is not None and tile.army), None)
        if held is not None:
            letter = held.army if is_named or self.plain else " "
            return Segment(letter, style_of(held.ink, held.accent, True))
        if upper is None or lower is None:
            return Segment(" ", self.rich_style)
        if self.plain:
            return Segment(upper.letter, style_of("#000000", upper.colour, False))
        return Segment("▀", style_of(upper.colour, lower.colour, False))


def _middle(place: int, count: int, cells: int) -> int:
    """The middle cell of one of so many things that are drawn on so many cells."""
    first, end = -(-place * cells // count), -(-(place + 1) * cells // count)
    return (first + max(first, end - 1)) // 2


class TitleCard(Way, Vertical, can_focus=True):
    """A title: its name, a map, what there is to play; it opens its scenarios."""

    def __init__(self, slug: str) -> None:
        super().__init__(id=f"title-{slug}", classes="title")
        self.entry = f"title:{slug}"

    def compose(self) -> ComposeResult:
        """The map, its scenarios where there is room, and a line under them."""
        yield LittleMap()
        with Vertical(classes="about"):
            yield Static("", classes="scenarios", markup=False)
            yield Static("", classes="facts", markup=False)

    def show(self, card: Card, played: int) -> None:
        """What was found out of the title."""
        self.border_title = card.name.partition(":")[0]
        self.query_one(LittleMap).show(card.rows)
        self.query_one(".scenarios", Static).update("\n".join(card.scenarios))
        facts = [_n("{n} scenario", "{n} scenarios", n=len(card.scenarios))]
        if card.is_solitaire:
            facts.append(_("solitaire"))
        if played:
            facts.append(_n("{n} game", "{n} games", n=played))
        room = max(self.query_one(".about").size.width, len(facts[0]))
        while len(" · ".join(facts)) > room:
            facts.pop()
        self.query_one(".facts", Static).update(" · ".join(facts))


class HomeScreen(Steady[None]):
    """Where everything begins: typing searches, arrows and Tab walk, Enter opens."""

    AUTO_FOCUS = "#ask"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,alt+g", "open('games')", _("Play"), key_display="F2"),
        Binding("f3,alt+c", "open('latest')", _("Continue"), key_display="F3"),
        Binding("f4,alt+r", "open('rules')", _("Rules"), key_display="F4"),
        Binding("f5,alt+p", "open('saves')", _("Games"), key_display="F5"),
        Binding("f6,alt+i", "open('settings')", _("Settings"), key_display="F6", show=False),
        Binding("f7,alt+t", "app.theme_next", _("Theme"), key_display="F7", show=False),
        Binding("f8,alt+s", "open('cards')", _("Reference cards"), key_display="F8", show=False),
        Binding("f9,alt+a", "open('training')", _("Training"), key_display="F9", show=False),
        Binding("up", "walk(0, -1)", show=False),
        Binding("down", "walk(0, 1)", show=False),
        Binding("left", "walk(-1, 0)", show=False),
        Binding("right", "walk(1, 0)", show=False),
        Binding("escape", "ask", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._latest: Path | None = None

    def compose(self) -> ComposeResult:
        """The search, the two ways to play at once, the titles, everything else."""
        self._size_up()  # before anything has a style that would change with it
        yield Static("", id="masthead", markup=False)
        said = _("for example: can I fire out of smoke?")
        ask = Input(placeholder=said, id="ask", select_on_focus=False)
        ask.border_title = _("Search a rule, or ask a question")
        yield ask
        with Horizontal(id="ways"):
            going_on = Door("", "latest", id="way-on")
            going_on.border_title = _("Continue")
            going_on.border_subtitle = "F3"
            going_on.display = False
            yield going_on
            begin = Door(self._invitation(), "guide", id="way-in")
            begin.border_title = _("Begin here")
            yield begin
        with Horizontal(id="shelf"):
            for slug in sorted(slugs(), key=(*SLUGS, *slugs()).index):
                yield TitleCard(slug)
        with Horizontal(id="entries"):
            for entry, name in self.entries():
                yield Door(self._entry(entry, name), entry, id=f"entry-{entry}")

    def entries(self) -> list[tuple[str, str]]:
        """What else there is: id and name."""
        return [
            ("games", _("Play")),
            ("cards", _("Reference cards")),
            ("training", _("Training")),
            ("rules", _("Rules")),
            ("saves", _("Games")),
            ("settings", _("Settings")),
            ("help", _("Help")),
            ("quit", _("Quit")),
        ]

    def _entry(self, entry: str, name: str) -> Text:
        key = self._key(entry)
        return Text.assemble((f"{key} " if key else "", "bold"), name)

    def _key(self, entry: str) -> str:
        """The key that opens an entry from anywhere on this screen."""
        action = {"help": "explain", "quit": "quit"}.get(entry, f"open('{entry}')")
        for binding in (*self.BINDINGS, *self.app.BINDINGS):
            if isinstance(binding, Binding) and binding.action == action:
                first = next(iter(Binding.make_bindings([binding])))
                return binding.key_display or self.app.get_key_display(first)
        return ""

    def _invitation(self) -> Text:
        first = _("First game, guided: ten minutes")
        return Text.assemble((first, "bold"), "\n", _("every step with its rule beside it"))

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Home"), _(
            "Type a question or some words and press Enter: the rules answer. The arrows and Tab "
            "go to the titles and to everything else, Enter or a click opens it; so do the keys "
            "shown at the bottom. Ctrl+P opens the palette, which finds every command by its name."
        )

    def on_mount(self) -> None:
        """Paint first; then find out what there is to show."""
        self._name_entries()
        self._count(0, 0)
        if getattr(self.app, "settings", Settings()).ascii or streams.is_plain():
            for map in self.query(LittleMap):
                map.plain = True
        self.call_after_refresh(self._furnish)
        if faults := own_data.admit().faults:
            first = {fault.file: str(fault) for fault in reversed(faults)}  # one of each file
            text = "\n".join((*sorted(first.values())[:3], own_data.advice()))
            self.notify(text, severity="warning", timeout=20, markup=False)

    def _furnish(self) -> None:
        known = showcase.kept()
        if known is not None:
            self._show(known)

    def on_screen_resume(self) -> None:
        """Somebody comes in, or back, perhaps from a game."""
        self.call_after_refresh(self._find_out)

    @background(N_("The titles cannot be shown."), "_tell", "daemon")
    def _find_out(self) -> None:
        found = showcase.find_out(saves_folder())
        later(self, self._show, found)
        later(self, self._latest_is, found)

    def _tell(self, said: str) -> None:
        self.notify(said, severity="warning", markup=False)

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _show(self, found: Showcase) -> None:
        """Maps and numbers of the titles."""
        self._count(found.entries, sum(len(card.scenarios) for card in found.cards))
        for card in found.cards:
            self.query_one(f"#title-{card.slug}", TitleCard).show(
                card, found.played.get(card.slug, 0)
            )

    def _latest_is(self, found: Showcase) -> None:
        """The game that can be gone on with; where there is none, nothing offers it."""
        latest = found.latest
        self._latest = Path(latest.file) if latest is not None else None
        door = self.query_one("#way-on", Door)
        door.display = latest is not None
        if latest is not None:
            door.update(Text.assemble((latest.scenario, "bold"), "\n", latest.phase))

    def _count(self, entries: int, scenarios: int) -> None:
        """The line at the top; numbers as they become known."""
        parts = [_n("{n} title", "{n} titles", n=len(slugs()))]
        if entries:
            parts.append(_("{number} entries", number=catalog().number(entries)))
        if scenarios:
            parts.append(_n("{n} scenario", "{n} scenarios", n=scenarios))
        right = " · ".join(parts)
        left = f"Prontuario  v{__version__}"
        room = max(1, self.app.size.width - 4 - len(left) - len(right))
        line = Text(left, style="bold") + Text(" " * room + right)
        self.query_one("#masthead", Static).update(line)

    def on_resize(self, _event: events.Resize) -> None:
        """Names of titles in full, or short."""
        self._size_up()
        self._name_entries()

    def _size_up(self) -> None:
        """Say by classes how much room there is."""
        width, height = self.app.size
        self.set_class(width < WIDE, "-narrow")
        self.set_class(height >= TALL and width >= WIDE, "-tall")

    def _name_entries(self) -> None:
        names = dict(self.entries())
        train, leave = (
            self._entry("training", names["training"]),
            self._entry("quit", names["quit"]),
        )
        if self.has_class("-narrow"):  # so that all of them fit
            train, leave = self._entry("training", _("Train")), Text(names["quit"])
        self.query_one("#entry-training", Door).update(train)
        self.query_one("#entry-quit", Door).update(leave)

    # Walking and opening

    def on_key(self, event: events.Key) -> None:
        """Typing searches, wherever one is."""
        ask = self.query_one("#ask", Input)
        if event.is_printable and event.character and self.focused is not ask:
            event.stop()
            ask.focus()
            ask.insert_text_at_cursor(event.character)

    def action_ask(self) -> None:
        """Back to the search."""
        self.query_one("#ask", Input).focus()

    def action_walk(self, right: int, down: int) -> None:
        """To the nearest thing on that side."""
        here = self.focused
        if here is None:
            self.action_ask()
            return
        ahead = [
            widget
            for widget in self.focus_chain
            if isinstance(widget, Widget) and _is_ahead(here, widget, right, down)
        ]
        if ahead:
            min(ahead, key=lambda widget: _distance(here, widget, bool(down))).focus()

    @on(Input.Submitted, "#ask")
    def _search(self, event: Input.Submitted) -> None:
        from app.screens.rules import open_rules

        if event.value.strip():
            open_rules(self.app, words=event.value)
        else:
            self.action_walk(0, 1)

    @on(Way.Opened)
    def _opened(self, event: Way.Opened) -> None:
        self.action_open(event.entry)

    def action_open(self, entry: str) -> None:
        """Open an entry."""
        kind, _colon, slug = entry.partition(":")
        if entry == "quit":
            self.app.exit()
        elif entry == "help":
            self.call_later(self.app.run_action, "explain")
        elif entry == "latest":
            self._go_on()
        elif kind == "title":
            from app.screens.new_game import open_new_game

            open_new_game(self.app, slug)
        else:
            module, name = OPENS[entry]
            getattr(import_module(module), name)(self.app)

    def _go_on(self) -> None:
        from app.screens.saves import go_on, open_latest

        if self._latest is None:
            open_latest(self.app)
        else:
            go_on(self.app, self._latest)


def _is_ahead(here: Widget, there: Widget, right: int, down: int) -> bool:
    """Whether a widget lies on that side of another."""
    one, other = here.region, there.region
    if down:
        return other.y >= one.bottom if down > 0 else other.bottom <= one.y
    beside = other.y < one.bottom and one.y < other.bottom
    return beside and (other.x >= one.right if right > 0 else other.right <= one.x)


def _distance(here: Widget, there: Widget, is_vertical: bool) -> tuple[int, int]:
    """Rows first, where one goes up or down; columns first, where one goes sideways."""
    across = abs(here.region.x - there.region.x)
    along = abs(here.region.y - there.region.y)
    return (along, across) if is_vertical else (across, along)
