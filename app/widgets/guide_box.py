"""The guide of a first game: what to know, what to do, and the rule to open."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from app.i18n import _
from app.tutorial import Guide


class GuideBox(Vertical):
    """One lesson at a time. Hidden when there is no guide, or when it is over."""

    def __init__(self, guide: Guide | None) -> None:
        super().__init__(id="guide")
        self.guide = guide

    def compose(self) -> ComposeResult:
        """The lesson; what can be done about it is on the border."""
        with VerticalScroll(can_focus=False):
            yield Static("", id="lesson", markup=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Guide"), _(
            "The guide of a first game goes on by itself when you have done what it says. F3 opens "
            "its rule beside the map, F4 goes on (first to what does not fit in the box), F6 ends "
            "it."
        )

    def show(self) -> None:
        """Show the lesson that the guide is at."""
        lesson = self.guide.lesson if self.guide is not None else None
        self.set_class(lesson is not None, "-shown")
        if lesson is None or self.guide is None:
            return
        self.border_title = _("Guide {place}", place=self.guide.place)
        links = (("rule", _("F3 rule")), ("next", _("F4 go on")), ("end", _("F6 end")))
        self.border_subtitle = "  ".join(
            f"[@click=screen.guide('{what}')]{words}[/]" for what, words in links
        )
        what, todo = Text(lesson.text), Text(f"▸ {lesson.todo}", "bold")
        is_narrow = self.screen.has_class("-narrow")  # there, what to do must not be cut off
        text = Text("\n").join([todo, what] if is_narrow else [what, todo])
        self.query_one("#lesson", Static).update(text)

    def turn(self) -> bool:
        """Go to what does not fit in the box; False at the end of the lesson."""
        page = self.query_one(VerticalScroll)
        if page.scroll_target_y >= page.max_scroll_y:
            page.scroll_home(animate=False)
            return False
        page.scroll_page_down(animate=False)
        return True
