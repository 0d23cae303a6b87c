"""Watching a game or a worked example again, forward and back, inside resolutions too."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from app.play.citing import Cite, cite_from, short_ref
from app.play.discretion import audience, chairs
from app.play.watching import Replay, lit_at, replay_for
from app.presenters.registry import presenter_for
from app.rules.library import LIBRARY
from app.rules.notes import Notebook
from app.screens.choice import ChoiceScreen
from app.screens.play import WIDE, fitting
from app.shell.i18n import _
from app.widgets.background import background
from app.widgets.hexmap import HexMap
from app.widgets.later import Later, later
from app.widgets.rule_pane import RulePane
from app.widgets.steady import Steady
from app.widgets.steps import StepList, step_line
from app.widgets.table_footer import TableFooter
from engine import titles
from engine.core.hexes import Hex
from engine.core.text import N_
from engine.core.view import View
from engine.saves.replaying import load
from rules_it.corpus import Corpus


def replay_of_save(path: Path) -> Replay:
    """A saved game, for all the people who play it here; SaveError if it cannot be read."""
    loaded = load(path, titles.TITLES)
    return replay_for(loaded.game, audience(loaded.game, loaded.record.header.players))


def watch(app: App[Any], path: Path) -> None:
    """Watch a saved game; people who share this computer say first who of them looks on."""
    loaded = load(path, titles.TITLES)
    game, players = loaded.game, loaded.record.header.players

    def sit_down(side: str | None) -> None:
        if side is not None:
            app.push_screen(ReplayScreen(replay_for(game, audience(game, players, side))))

    sides = chairs(game, players)
    if not sides:
        sit_down("")
        return
    names = presenter_for(game.title.info.slug)
    values = {"": _("What all of you may know"), **{side: names.army(side).name for side in sides}}
    app.push_screen(ChoiceScreen(_("Who looks on?"), values, ""), sit_down)


class ReplayScreen(Steady[None]):
    """The map at any moment, every step with its rule."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,right", "go(1)", _("Forward")),
        Binding("backspace,left", "go(-1)", _("Back a step")),
        Binding("home", "to(-1)", _("To the start"), show=False),
        Binding("end", "go(1000000)", _("To the end"), show=False),
        Binding("r", "rule", _("Rule")),
        Binding("f2", "side", _("Panel")),
        Binding("z", "zoom", _("Size of the map"), show=False),
        Binding("escape", "app.pop_screen", _("Back")),
    ]

    def __init__(self, replay: Replay, said: str = "") -> None:
        super().__init__()
        self.replay = replay
        self._said = said
        self.presenter = presenter_for(replay.title.info.slug)
        self.at = -1
        self._cite: Cite = short_ref

    def compose(self) -> ComposeResult:
        """Map on the left, steps and rule on the right."""
        yield Static("", id="status", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="side"):
                steps = StepList(
                    id="journal",
                    help_heading=_("Steps"),
                    help_text=_(
                        "Every step of the game. Move along it to see the map as it was; Enter "
                        "opens the rule of a line."
                    ),
                )
                steps.border_title = _("Steps")
                steps.follows = False
                yield steps
                yield RulePane(id="rule")
            with Vertical(id="board"):
                yield HexMap(self.presenter, id="map", describe=self._describe)
                yield Static("", id="current-step")
                if self.replay.note:
                    yield Static(self.replay.note, id="note", markup=False)
        yield TableFooter()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Watching again"), _(
            "Space goes a step forward and Backspace a step back; the map shows the position after "
            "each step. Enter on a line opens its rule."
        )

    def on_mount(self) -> None:
        """Start before the first step."""
        if self._said:
            self.notify(self._said, severity="warning", timeout=12, markup=False)
        self.set_class(self.app.size.width < WIDE, "-narrow")
        self.query_one("#journal", StepList).show(self.replay.lines)
        self._load_texts()
        self._show()
        self._open_on_units()

    def _open_on_units(self) -> None:
        """Before anything has happened the map shows the units of the side that looks on."""
        shown = self.query_one("#map", HexMap)
        counters = shown.view.counters if shown.view is not None else ()
        own = [c.hex for c in counters if c.side == self.replay.looking.side and c.hex is not None]
        if own:
            shown.centre_on(own[len(own) // 2])

    def on_resize(self, _event: events.Resize) -> None:
        """One column or two."""
        self.set_class(self.app.size.width < WIDE, "-narrow")

    @background(N_("The rules cannot be opened."), "_tell_fault", "thread")
    def _load_texts(self) -> None:
        later(self, self._use_texts, LIBRARY.open_corpus())

    def _tell_fault(self, said: str) -> None:
        self.notify(said, severity="warning", timeout=12, markup=False)

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _use_texts(self, corpus: Corpus) -> None:
        self.query_one(RulePane).use(corpus, Notebook())
        self._cite = cite_from(corpus)
        steps = self.query_one("#journal", StepList)
        steps.cite_with(self._cite)
        if self.at >= 0:
            steps.go_to(self.at)
        self._show()

    def _describe(self, hex: Hex) -> str:
        view = self.query_one("#map", HexMap).view
        return self.presenter.describe(view, hex) if view is not None else ""

    def _show(self) -> None:
        view = self.replay.view(self.at)
        self.presenter.use(view)
        self.query_one("#map", HexMap).view = view
        count = f"{self.at + 1}/{len(self.replay.frames)}"
        parts = (self.replay.name, count, *self.presenter.headline(view))
        self.query_one("#status", Static).update(fitting(parts, self.app.size.width))
        line = self.query_one("#current-step", Static)
        if self.at >= 0:
            step = self.replay.frames[self.at].step
            width = max(20, line.size.width)
            line.update(step_line(self.replay.lines[self.at], width, self._cite, lines=1))
            self._follow(view)
            self.query_one(RulePane).follow(step.ruling)
        else:
            self.query_one("#map", HexMap).sheet = {}
            line.update(_("Space begins."))

    def _follow(self, view: View) -> None:
        """Light what the step is about, and keep it in sight."""
        shown = self.query_one("#map", HexMap)
        own, shown.sheet = lit_at(self.replay.frames, self.at, self.presenter, view)
        if own:
            shown.show(next(iter(own)))

    def action_zoom(self) -> None:
        """Go round the sizes of the map."""
        shown = self.query_one("#map", HexMap)
        shown.zoom = (shown.zoom + 1) % 3

    def action_go(self, by: int) -> None:
        """Go some steps forward or back."""
        self.action_to(max(-1, min(len(self.replay.frames) - 1, self.at + by)))

    def action_to(self, index: int) -> None:
        """Go to a step; -1 is before the first."""
        self.at = index
        self.query_one("#journal", StepList).highlighted = max(0, self.at)
        self._show()

    @on(StepList.Marked)
    def _marked(self, event: StepList.Marked) -> None:
        if event.sender.has_focus:
            self.at = event.index
            self._show()

    @on(StepList.Chosen)
    def _chosen(self, event: StepList.Chosen) -> None:
        self.query_one(RulePane).open_cited(event.step.ruling)

    def action_rule(self) -> None:
        """Open the rule of the step shown."""
        if self.at >= 0:
            self.add_class("-side-open")
            self.query_one(RulePane).open_cited(self.replay.frames[self.at].step.ruling)

    def action_side(self) -> None:
        """Open or close the panel over a narrow map."""
        self.toggle_class("-side-open")
        self.call_after_refresh(self.query_one("#journal", StepList).scroll_to_highlight)
