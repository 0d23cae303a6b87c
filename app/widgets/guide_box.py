"""The guide of a first game: what to know, what to do, and the rule to open."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from app.play.tutorial import Guide
from app.shell.i18n import _


class GuideBox(Vertical):
    """One lesson at a time. Hidden when there is no guide, or while it is closed."""

    def __init__(self, guide: Guide | None) -> None:
        super().__init__(id="guide")
        self.guide = guide
        self._shown = -1

    def compose(self) -> ComposeResult:
        """The lesson; what can be done about it is on the border."""
        with VerticalScroll(can_focus=False):
            yield Static("", id="lesson", markup=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Guide"), _(
            "The guide of a first game goes on by itself, a lesson at a time, when you have done "
            "what it says. F3 opens its rule beside the map, F4 goes on (first to what does not "
            "fit in the box) and F5 goes back to the lessons before; F6 closes the guide and opens "
            "it again. It is kept with the saved game."
        )

    def show(self, is_astray: bool = False) -> None:
        """Show the lesson that the guide is at; who has gone another way is told how to come
        back."""
        guide = self.guide
        lesson = guide.lesson if guide is not None else None
        self.set_class(lesson is not None, "-shown")
        self.screen.set_class(lesson is not None, "-guided")
        if lesson is None or guide is None:
            return
        if self._shown != guide.at:
            self._shown = guide.at
            self.query_one(VerticalScroll).scroll_home(animate=False)
        self.border_title = _("Guide {place}", place=guide.place)
        if guide.at != guide.front:
            self.border_title = _("Guide {place} (you are at {front})", place=guide.place,
                                  front=guide.front + 1)  # fmt: skip
        done, count = guide.progress
        if count > 1:
            self.border_title += " · " + _("{done} of {count}", done=done, count=count)
        if is_astray:
            back = _("another way: {key} comes back", key=self._key("undo"))
            self.border_title += f" · {back}"
        links = {
            "rule": _("rule"),
            "next": _("close") if guide.at == guide.last else _("go on"),
            "back": _("back"),
            "switch": _("switch off"),
        }
        actions = {f"guide('{what}')": words for what, words in links.items()}
        self.border_subtitle = "  ".join(
            f"[@click=screen.{action}]{self._key(action)} {words}[/]"
            for action, words in actions.items()
        )
        todo = Text(f"▸ {lesson.todo}", "bold")
        if guide.is_ahead:
            todo = Text("▸ " + _("When you come to it: {todo}", todo=lesson.todo), "italic")
        elif guide.is_done:
            todo = Text("✓ " + _("Done: {todo}", todo=lesson.todo), "dim")
        what = Text(lesson.text)
        is_narrow = self.screen.has_class("-narrow")  # there, what to do must not be cut off
        text = Text("\n").join([todo, what] if is_narrow else [what, todo])
        self.query_one("#lesson", Static).update(text)

    def _key(self, action: str) -> str:
        """The key of an action of the table, as it is bound now."""
        for active in self.screen.active_bindings.values():
            if active.binding.action == action:
                return self.app.get_key_display(active.binding)
        return ""

    def turn(self) -> bool:
        """Go to what does not fit in the box; False at the end of the lesson."""
        page = self.query_one(VerticalScroll)
        if page.scroll_target_y >= page.max_scroll_y:
            page.scroll_home(animate=False)
            return False
        page.scroll_page_down(animate=False)
        return True
