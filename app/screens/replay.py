"""Watching a game or a worked example again, forward and back, inside resolutions too."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from app.play.citing import cite_from, quote_from
from app.play.discretion import audience, chairs
from app.play.watching import Replay, Watching, replay_for
from app.presenters.registry import presenter_for
from app.rules.library import LIBRARY
from app.rules.notes import Notebook
from app.screens.choice import ChoiceScreen
from app.screens.room import fit, fitting, share
from app.shell import config, streams
from app.shell.i18n import _
from app.widgets.background import background
from app.widgets.chronicle import ChronicleBox, ChronicleList
from app.widgets.hexmap import HexMap
from app.widgets.later import Later, later
from app.widgets.outcome import OutcomeStrip
from app.widgets.page_view import PageView
from app.widgets.rule_pane import RulePane
from app.widgets.steady import Steady
from app.widgets.table_footer import TableFooter
from engine import titles
from engine.core.hexes import Hex
from engine.core.text import N_
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

    AUTO_FOCUS = "#chronicle"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "go(1)", _("Forward")),
        Binding("backspace", "go(-1)", _("Back a step"), key_display="Bksp"),
        Binding("home", "to(-1)", _("To the start"), show=False, priority=True),
        Binding("end", "go(1000000)", _("To the end"), show=False, priority=True),
        Binding("r,R", "rule", _("Rule"), key_display="R"),
        Binding("f2", "side", _("Panel")),
        Binding("z,Z", "zoom", _("Size of the map"), show=False),
        Binding("escape", "leave", _("Back")),
    ]

    def __init__(self, replay: Replay, said: str = "") -> None:
        super().__init__()
        self.replay = replay
        self._said = said
        self.watching = Watching(replay)
        self.presenter = self.watching.presenter
        self._corpus: Corpus | None = None
        self._had_side = False  # whether the panel was open when the rule was

    def compose(self) -> ComposeResult:
        """Map and outcome on the left, chronicle and rule on the right."""
        yield Static("", id="status", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="side"):
                with Vertical(id="panels"):
                    box = ChronicleBox(self.watching.chronicle, self.presenter)
                    box.border_title = _("Chronicle")
                    yield box
                yield RulePane(id="rule")
            with Vertical(id="board"):
                yield HexMap(self.presenter, id="map", describe=self._describe)
                yield OutcomeStrip(self.presenter)
                if self.replay.note:
                    yield Static(self.replay.note, id="note", markup=False)
        yield TableFooter()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Watching again"), _(
            "Space goes a step forward and Backspace a step back; the map shows the position after "
            "each step, with its dice and its rule. Home goes to the start and End to the end. "
            "Enter on a line opens its rule to the full height, and closes it."
        )

    @property
    def at(self) -> int:
        """The line looked at; -1 before the first."""
        return self.watching.at

    @property
    def _map(self) -> HexMap:
        return self.query_one("#map", HexMap)

    @property
    def _list(self) -> ChronicleList:
        return self.query_one(ChronicleBox).list

    def on_mount(self) -> None:
        """Start before the first step."""
        if self._said:
            self.notify(self._said, severity="warning", timeout=12, markup=False)
        settings: config.Settings = getattr(self.app, "settings", config.Settings())
        plain = settings.ascii or streams.is_plain()
        self.set_class(plain, "-ascii")
        self._map.plain = self._list.plain = self.query_one(OutcomeStrip).plain = plain
        self._map.has_motion = settings.motion and not self.app.is_headless
        self.query_one(RulePane).is_at_table = self.query_one(PageView).is_at_table = True
        self._fit()
        self._load_texts()
        self._show()
        self._open_on_units()
        self._focus_walk()

    def _focus_walk(self) -> None:
        """The chronicle has the arrows where it is in sight, else the map."""
        is_hidden = self.has_class("-narrow") and not self.has_class("-side-open")
        (self._map if is_hidden else self._list).focus()

    def _open_on_units(self) -> None:
        """Before anything has happened the map shows the units of the side that looks on."""
        counters = self._map.view.counters if self._map.view is not None else ()
        own = [c.hex for c in counters if c.side == self.replay.looking.side and c.hex is not None]
        if own:
            self._map.centre_on(own[len(own) // 2])

    def on_resize(self, _event: events.Resize) -> None:
        """One column or two."""
        self._fit()
        self._show()

    def _fit(self) -> None:
        fit(self)
        share(self, self._map.extent)
        self.query_one(OutcomeStrip).is_walked = True
        self.query_one(OutcomeStrip).is_small = self.has_class("-short")

    @background(N_("The rules cannot be opened."), "_tell_fault", "thread")
    def _load_texts(self) -> None:
        later(self, self._use_texts, LIBRARY.open_corpus())

    def _tell_fault(self, said: str) -> None:
        self.notify(said, severity="warning", timeout=12, markup=False)

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _use_texts(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.query_one(RulePane).use(corpus, Notebook())
        self._list.cite = cite_from(corpus)
        self._list.again()
        self._show()

    def _describe(self, hex: Hex) -> str:
        view = self._map.view
        return self.presenter.describe(view, hex) if view is not None else ""

    # Walking

    def _show(self) -> None:
        """The moment looked at: map, line of sight, dice, rule."""
        view = self.watching.view
        self.presenter.use(view)
        self._map.view = view
        share(self, self._map.extent)
        count = f"{self.at + 1}/{len(self.replay.frames)}"
        parts = (self.replay.name, count, *self.presenter.headline(view))
        line = fitting(parts, self.app.size.width)
        self.query_one("#status", Static).update(line, layout=False)
        self._list.show(self.at if self.at >= 0 else None)
        ruling = self.watching.ruling
        said = quote_from(self._corpus)(ruling) if ruling and self._corpus is not None else ()
        self.query_one(OutcomeStrip).show(self.watching.outcome(), quote=" ".join(said))
        self._map.sight = shot = self.watching.shot()
        own, self._map.sheet = self.watching.lit()
        ends = [shot.b, shot.a] if shot is not None else list(own)
        self._map.show_all(sorted(ends, key=lambda end: end not in own))
        if ruling is not None:
            self.query_one(RulePane).follow(ruling)

    def action_go(self, by: int) -> None:
        """Go some steps forward or back."""
        self.action_to(self.at + by)

    def action_to(self, index: int) -> None:
        """Go to a step; -1 is before the first."""
        if self._is_rule_open:
            self._close_rule()
        self.watching.look_at(index)
        self._show()

    @on(ChronicleList.Marked)
    def _marked(self, event: ChronicleList.Marked) -> None:
        if event.at != self.at:
            self.watching.look_at(event.at, is_revealed=False)
            self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Who reads a rule has Home and End in it."""
        is_reading = any(pane.has_focus_within for pane in self.query(RulePane))
        if is_reading and parameters in ((-1,), (1000000,)):
            return action == "go" and parameters == (-1,)
        return super().check_action(action, parameters)

    # The rule

    @on(ChronicleList.Chosen)
    def _chosen(self) -> None:
        self.action_rule()

    def action_rule(self) -> None:
        """Give the rule of the step the full height of its column, or give that back."""
        pane, ruling = self.query_one(RulePane), self.watching.ruling
        if self._is_rule_open:
            self._close_rule()
        elif ruling is not None:
            self._had_side = self.has_class("-side-open")
            self.add_class("-side-open")
            self.set_class(not self.has_class("-wide"), "-rule-open")
            pane.open_cited(ruling)
            pane.view.focus()

    @property
    def _is_rule_open(self) -> bool:
        """Whether a rule is read: in a very wide terminal it has its full height anyway."""
        is_read = self.query_one(RulePane).has_focus_within
        return self.has_class("-rule-open") or (self.has_class("-wide") and is_read)

    def _close_rule(self) -> None:
        self.remove_class("-rule-open")
        self.set_class(self._had_side, "-side-open")
        self._focus_walk()

    @on(PageView.Left)
    def _rule_left(self) -> None:
        self._close_rule()

    def action_leave(self) -> None:
        """Close the rule, the filter, the panel over a narrow map; then the screen."""
        if self._is_rule_open:
            self._close_rule()
        elif self.query_one(ChronicleBox).is_filtered:
            self.query_one(ChronicleBox).show_all()
            self._list.focus()
        elif self.has_class("-narrow") and self.has_class("-side-open"):
            self.action_side()
        else:
            self.app.pop_screen()

    def action_zoom(self) -> None:
        """Go round the sizes of the map."""
        self._map.zoom = (self._map.zoom + 1) % 3

    def action_side(self) -> None:
        """Open or close the panel over a narrow map."""
        self.toggle_class("-side-open")
        self._focus_walk()
        self.call_after_refresh(self._list.scroll_to_highlight)
