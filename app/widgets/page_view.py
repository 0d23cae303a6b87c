"""The page of a rule on the screen: lines drawn as they scroll by, with links to follow."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from app.rules.page import Page
from app.shell.i18n import _
from app.widgets.layout import Layout, Marker, Target, spans_of

WIDEST = 92
"""Lines longer than this tire the eye."""

STYLES = (
    *(
        "title",
        "source",
        "dim",
        "rule",
        "grid",
        "heading",
        "warning",
        "engine",
        "bold",
        "link",
        "term",
    ),
    *("mark", "header", "match", "here", "casa", "faq", "errata", "note", "examples", "reason"),
    *("cited", "head", "sought", "sought-lit"),
)


class PageView(ScrollView, can_focus=True):
    """Shows a page. Tab goes from link to link, Enter follows, the mouse does both."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"page--{name}" for name in STYLES}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "link(1)", _("Link"), show=False),
        Binding("shift+tab", "link(-1)", _("Previous link"), show=False),
        Binding("enter", "follow", _("Follow the link"), show=False),
        Binding("left", "turn(-1)", _("Previous rule"), show=False),
        Binding("right", "turn(1)", _("Next rule"), show=False),
        Binding("space", "leaf", _("Page down"), show=False),
    ]
    DEFAULT_CSS = """
    PageView { overflow-x: hidden; scrollbar-gutter: stable; padding: 0 1; }
    """

    class Followed(Message):
        """A link was followed."""

        def __init__(self, ref: str) -> None:
            super().__init__()
            self.ref = ref

    class Pointed(Message):
        """A link has the cursor, or none has."""

        def __init__(self, target: Target | None) -> None:
            super().__init__()
            self.target = target

    class Left(Message):
        """Enter where no link has the cursor, in a page that is left by it."""

    class Turned(Message):
        """The next or the previous rule is wanted."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    virtual_size: Reactive[Size] = Reactive(Size(0, 0))
    """How long the page is; a longer one moves nothing else, so no screen is laid out for it."""

    def watch_virtual_size(self, size: Size) -> None:
        """Let the scrollbar know."""
        self._scroll_update(size)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._page: Page | None = None
        self._layout_: Layout | None = None
        self._link: int | None = None
        self._match = 0
        self._find = ""
        self._sought: Marker | None = None
        self._is_unseen = False  # is what is cited still to be shown?
        self.is_at_table = False  # where Enter leaves the page, and Space and Backspace walk

    # What is shown

    def show(self, page: Page, scroll: float = 0, sought: Marker | None = None) -> None:
        """Show a page from its top, from what is cited, or from where it was left; lightly marked
        are the words of the search that led to it."""
        self._page = page
        self._sought = sought
        self._link = None
        self._match = 0
        self._set()
        self.scroll_to(y=scroll, animate=False, force=True)
        self._is_unseen = not scroll
        self._reveal_cited()

    def renew(self, page: Page) -> None:
        """Show the same page with something more in it; cursor and place stay."""
        self._page = page
        self._set()

    def find(self, words: str) -> int:
        """Mark words in the page and go to the first; how many there are."""
        self._find = words.strip()
        self._match = 0
        self._set()
        self._reveal("match", 0)
        return self.matches

    def find_next(self, by: int = 1) -> int:
        """Go to another match; its place, from 1, or 0 if there is none."""
        if not self.matches:
            return 0
        self._match = (self._match + by) % self.matches
        self._reveal("match", self._match)
        self.refresh()
        return self._match + 1

    @property
    def matches(self) -> int:
        """How many times the words looked for stand in the page."""
        return self._layout_.matches if self._layout_ else 0

    @property
    def text(self) -> str:
        """The lines of the page, as shown."""
        lines = self._layout_.lines if self._layout_ else []
        return "\n".join(line.plain for line in lines)

    @property
    def target(self) -> Target | None:
        """The link that has the cursor."""
        if self._layout_ is None or self._link is None:
            return None
        return self._layout_.links[self._link]

    def _set(self) -> None:
        width = min(self.scrollable_content_region.width - 1, WIDEST)
        if self._page is None or width < 8:
            return
        self._layout_ = Layout(self._page, width, self._style, self._find, self._sought)
        self.virtual_size = Size(width, len(self._layout_.lines))
        self.refresh()

    def _style(self, name: str) -> Style:
        styles = self.get_component_styles(f"page--{name}")
        text = styles.text_style
        return Style(
            styles.background if styles.has_rule("background") else None,
            styles.color if styles.has_rule("color") else None,
            bold=text.bold,
            italic=text.italic,
            underline=text.underline,
            reverse=text.reverse,
        )

    def _reveal(self, key: str, number: int) -> None:
        line = self._layout_.line_of(key, number) if self._layout_ else None
        if line is not None:
            region = Region(0, line - 2, self.size.width, 5)
            self.scroll_to_region(region, animate=False, force=True)

    def _reveal_cited(self) -> None:
        """Go to what is cited, once there is room to show it."""
        if self._is_unseen and self.size.height > 1:
            found = self._layout_.cited(self.size.height) if self._layout_ else None
            if found is not None:
                self._is_unseen = False
                first, last = found
                spare = max(0, self.size.height - (last - first + 1))
                region = Region(0, first - min(2, spare), self.size.width, last - first + 3)
                self.scroll_to_region(region, animate=False, force=True)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """One line of the page, with the cursor and what is selected."""
        lines = self._layout_.lines if self._layout_ else []
        place = y + self.scroll_offset.y
        base = self.visual_style
        width = self.scrollable_content_region.width
        if not 0 <= place < len(lines):
            return Strip.blank(width, base.rich_style)
        line = lines[place]
        for key, number in (("match", self._match), ("link", self._link)):
            if number is not None:
                for start, end in spans_of(line, key, number):
                    line = line.stylize(self._style("here"), start, end)
        line = self._selected(line, place)
        strip = Strip(line.render_segments(base), line.cell_length)
        return strip.adjust_cell_length(width, base.rich_style).apply_offsets(0, place)

    def _selected(self, line: Content, place: int) -> Content:
        selection = self.text_selection
        span = selection.get_span(place) if selection is not None else None
        if span is None:
            return line
        start, end = span
        style = self.screen.get_visual_style("screen--selection")
        return line.stylize(style, start, len(line) if end == -1 else end)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The words under a selection made with the mouse."""
        return selection.extract(self.text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self.refresh()

    def on_mount(self) -> None:
        """Set the page again when the colours change."""
        signal = self.app.theme_changed_signal
        signal.subscribe(self, lambda theme: self.call_after_refresh(self._set))

    def on_resize(self, event: events.Resize) -> None:
        """Set the page again in the new width."""
        self._set()
        self.call_after_refresh(self._reveal_cited)

    # Links

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """At a table Space goes a step forward, also from here."""
        if action == "leaf" and self.is_at_table:
            return False
        return super().check_action(action, parameters)

    def action_leaf(self) -> None:
        """Go on by a page."""
        self.action_page_down()

    def action_link(self, by: int) -> None:
        """Go to the next link; past the last, on to the next widget."""
        layout = self._layout_
        if layout is None or not layout.links:
            raise SkipAction
        if self._link is None:
            top = self.scroll_offset.y
            shown = list(layout.links_on(top, top + self.size.height))
            new = (shown or [0])[0 if by > 0 else -1]
        else:
            new = self._link + by
        if not 0 <= new < len(layout.links):
            self._point(None)
            raise SkipAction
        self._point(new)
        self._reveal("link", new)

    def action_follow(self) -> None:
        """Follow the link that has the cursor."""
        if self.target is None and self.is_at_table:
            self.post_message(self.Left())
            return
        if self.target is None:
            self.notify(_("There is no link under the cursor: Tab goes to the next one."))
            return
        self.post_message(self.Followed(self.target.ref))

    def action_turn(self, by: int) -> None:
        """Go to the rule that follows or precedes."""
        self.post_message(self.Turned(by))

    def on_click(self, event: events.Click) -> None:
        """Follow the link under the mouse."""
        link = event.style.meta.get("link")
        if link is not None and self._layout_ is not None and not self.text_selection:
            self.post_message(self.Followed(self._layout_.links[link].ref))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show what the link under the mouse leads to."""
        link = event.style.meta.get("link")
        if link is not None and link != self._link:
            self._point(link)

    def _point(self, link: int | None) -> None:
        self._link = link
        self.refresh()
        self.post_message(self.Pointed(self.target))
