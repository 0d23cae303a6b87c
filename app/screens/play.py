"""The table: the map, the question, the resolution step by step with the rule beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.markup import escape
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, Static
from textual.worker import Worker, get_current_worker

from app.play.asking import Reply, ask, ask_of
from app.play.bots import BotProcess
from app.play.chances import Progress
from app.play.citing import cite_from, no_words, quote_from
from app.play.keys import PER_PAGE
from app.play.mail import broken, export, newest
from app.play.orders import Done, in_one_go
from app.play.primer import primer
from app.play.reckoning import OddsProcess, Reckoned
from app.play.session import MOST_DELEGATED, Session
from app.play.table import Ask, Refusal, Table
from app.rules.library import LIBRARY
from app.rules.notes import Notebook
from app.screens.choice import ChoiceScreen
from app.screens.curtain import CurtainScreen
from app.screens.dice_entry import DiceEntryScreen
from app.screens.keys import key_of
from app.screens.labels import LabelScreen, spots_of
from app.screens.room import fit, fitting, share
from app.screens.table_palette import TableCommands
from app.screens.what_now import WAYS, WhatNowScreen, ways
from app.shell import config, streams
from app.shell.i18n import _, _n
from app.shell.paths import post_folder
from app.widgets.background import background
from app.widgets.chance_line import ChanceLine
from app.widgets.chronicle import ChronicleBox, ChronicleList
from app.widgets.decision_bar import LAST, AnswerList, DecisionBar
from app.widgets.guide_box import GuideBox
from app.widgets.hex_card import card_text
from app.widgets.hexmap import HexMap
from app.widgets.later import Later, later
from app.widgets.map_legend import MapLegend, board_legend
from app.widgets.minimap import Minimap
from app.widgets.odds_panel import OddsPanel, badge
from app.widgets.outcome import OutcomeStrip
from app.widgets.page_view import PageView
from app.widgets.rule_pane import RulePane
from app.widgets.steady import Steady
from app.widgets.table_footer import TableFooter
from engine import titles
from engine.core.ctx import RollRequest
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import RuleRef, Ruling
from engine.core.text import N_, Msg
from engine.core.title import Overlay
from engine.drive import RANDOM
from engine.foresight import Ahead
from engine.game import Position, UndoRefused
from engine.saves.lines import SaveError
from rules_it.corpus import Corpus
from rules_it.search import Index

STOP = 2.5
"""Seconds of the stop at an outcome."""
PANELS = {"chronicle": "chronicle-box", "units": "units", "forces": "forces", "odds": "odds"}
"""The panels over the rule, by the names of their actions."""
MENU = {
    "place_all": N_("Place all that is left (T)"),
    "as_before": N_("Set up as the last time (W)"),
    "block": N_("The whole stack (B)"),
    "again": N_("The last order once more (H)"),
}
IN_ONE_GO = tuple(MENU)
"""Actions that are there where they apply."""
GUIDE = tuple(f"guide('{what}')" for what in ("rule", "next", "back", "switch"))


def letter(key: str, action: str, said: str, **more: Any) -> Binding:
    """A key that answers with Shift too: the footer shows capitals."""
    return Binding(f"{key},{key.upper()}", action, said, key_display=key.upper(), **more)


class PlayScreen(Steady[None]):
    """A game being played."""

    AUTO_FOCUS = "#answers"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {TableCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "step(1)", _("Step"), id="tavolo.passo"),
        Binding("backspace", "step(-1)", _("Step back"), key_display="Bksp", id="tavolo.indietro"),
        letter("s", "step_mode", _("Step by step"), show=False, id="tavolo.passo-passo"),
        letter("o", "panel('odds')", _("Chances"), id="tavolo.probabilita", tooltip=_("Odds")),
        Binding("question_mark", "what_now", _("Explain"), key_display="?",
                id="tavolo.cosa-posso", priority=True, tooltip=_("What can I do?")),
        Binding("f7", "jump", _("Jump"), show=False, id="tavolo.salta",
                tooltip=_("A letter over every pane, answer and lit hex: go there")),
        letter("u", "undo", _("Undo"), id="tavolo.annulla"),
        letter("v", "sight", _("Sight"), id="tavolo.visuale"),
        letter("k", "layer", _("Layers"), id="tavolo.strati",
                tooltip=_("Threats, control and more on the map")),
        letter("f", "cards", _("Reference cards"), id="tavolo.schede"),
        letter("a", "advise", _("Advice"), id="tavolo.consiglio"),
        letter("y", "redo", _("Redo"), show=False, id="tavolo.ripeti"),
        Binding("ctrl+u", "studio_undo", _("Undo dice too (studio)"), show=False,
                id="tavolo.studio"),
        letter("r", "rule", _("Rule"), show=False, id="tavolo.regola"),
        letter("e", "panel('chronicle')", _("Chronicle"), show=False, id="tavolo.risoluzione"),
        letter("i", "panel('units')", _("Hex"), show=False, id="tavolo.esagono"),
        letter("c", "panel('forces')", _("Forces"), show=False, id="tavolo.forze"),
        letter("l", "lines", _("Lines that applied the rule"), show=False, id="tavolo.righe"),
        Binding("j,J", "panel('chronicle')", show=False),
        Binding("end", "present", _("Back to the present"), show=False, priority=True,
                id="tavolo.presente"),
        letter("g", "group", _("Mark several"), show=False, id="tavolo.gruppo"),
        letter("x", "forbidden", _("Forbidden"), show=False, id="tavolo.vietate"),
        letter("d", "delegate", _("Let the program choose"), show=False, id="tavolo.delega"),
        letter("t", "place_all", _("Place all"), id="tavolo.piazza-tutto",
               tooltip=_("The program sets up the rest of your side")),
        letter("w", "as_before", _("As last time"), id="tavolo.come-prima",
               tooltip=_("Set up as in the last game of this scenario, or as before undoing")),
        letter("b", "block", _("Stack"), id="tavolo.pila",
               tooltip=_("The whole stack: place it together, or mark it to act as one")),
        letter("h", "again", _("Same order"), id="tavolo.stesso-ordine",
               tooltip=_("The last order once more, for the next unit of the same kind")),
        letter("z", "zoom", _("Size of the map"), show=False, id="tavolo.zoom"),
        Binding("f2", "side", _("Panel"), id="tavolo.pannello"),
        Binding("f3", "guide('rule')", _("Rule of the guide"), show=False,
                id="tavolo.guida-regola"),
        Binding("f4", "guide('next')", _("Go on with the guide"), show=False,
                id="tavolo.guida-avanti"),
        Binding("f5", "guide('back')", _("Lesson before"), show=False, id="tavolo.guida-indietro"),
        Binding("f6", "guide('switch')", _("Close or open the guide"), show=False,
                id="tavolo.guida-fine"),
        Binding("q,Q", "tell('quit')", show=False),
        Binding("p,P", "tell('games')", show=False),
        Binding("slash", "search", _("Search"), id="tavolo.cerca"),
        letter("n", "ask", _("May I?"), show=False, id="tavolo.posso",
                tooltip=_("Whether the hex under the cursor may be chosen, and why not")),
        letter("m", "menu", _("Menu"), id="tavolo.menu"),
        Binding("escape", "leave", show=False),
        *[Binding(str(n + 1), f"take({n})", show=False) for n in range(PER_PAGE)],
        Binding("plus", "turn(1)", _("Numbers to the next nine"), show=False, key_display="+",
                id="tavolo.numeri-avanti"),
        Binding("minus", "turn(-1)", _("Numbers back"), show=False, key_display="-",
                id="tavolo.numeri-indietro"),
        Binding("0", f"take({LAST})", show=False),
    ]  # fmt: skip

    def __init__(
        self, session: Session, tried: tuple[str, RuleRef, tuple[str, ...]] | None = None
    ) -> None:
        """`tried` is what a rule is tried on, that rule, and the answers that lead to it."""
        super().__init__()
        self.session = session
        self._tried = tried
        self.table = Table(session)
        self.presenter = self.table.presenter
        self._bots = BotProcess(session.header)
        self._odds = OddsProcess(session.header)
        self._asked: Decision | None = None  # the question that the map has followed
        self._thought: Worker[Any] | None = None  # of the program's player whose turn it is
        self._idle: tuple[str, ...] = ()
        self._offers: tuple[str, ...] = ()  # what can be done in one go now
        self._corpus: Corpus | None = None
        self._sought = ""  # in the rules, last
        self._has_stops = False
        self._warns = True  # before a phase is ended while somebody could still act
        self._stopped_at = 0  # lines whose outcomes have had their stop
        self._go_on = asyncio.Event()
        self._waits = False  # at an outcome
        self._overlays: tuple[Overlay, ...] = ()
        self._card_rows = 0  # of the tallest card of a hex that was shown
        self._before_rule: tuple[Widget | None, bool] | None = None  # the focus, and the panel
        self._since = 0  # lines that were there before the last answer

    @property
    def game(self) -> Path:
        """The file of the game, for the details of a fault."""
        return self.session.path

    # Laying the table

    def compose(self) -> ComposeResult:
        """Status, map and question on the left, panels and journal on the right."""
        yield Static("", id="status", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="side"):
                with ContentSwitcher(initial="chronicle-box", id="panels"):
                    yield ChronicleBox(self.table.chronicle, self.presenter)
                    with VerticalScroll(id="units"):
                        yield Static("", id="units-text", markup=False)
                        yield Static(_("The whole map"), id="minimap-title", markup=False)
                        yield Vertical(id="minimap-box")
                        yield Static(_("What is printed on the map"), id="printed-title")
                        yield Static("", id="printed", markup=False)
                    with VerticalScroll(id="forces"):
                        yield Static("", id="forces-text")
                    yield OddsPanel()
                yield RulePane(id="rule")
            with Vertical(id="board"):
                yield HexMap(self.presenter, id="map", describe=self.table.describe)
                yield MapLegend()
                yield OutcomeStrip(self.presenter)
                yield GuideBox(self.table.guide)
                yield Static("", id="past", markup=False)
            yield DecisionBar(self.presenter, self.session.title.info)
        yield TableFooter()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("The table"), _(
            "The question at the bottom says who must choose and why. Answer with a number, with "
            "the arrows and Enter, or on the map. A forbidden answer tells you which rule forbids "
            "it. The chronicle tells what happened, and the rule beside it follows the line that "
            "is marked. Every answer is saved at once."
        )

    def on_mount(self) -> None:
        """Load the texts behind the first paint, and start."""
        settings: config.Settings = getattr(self.app, "settings", config.Settings())
        self.session.is_auto = settings.forced
        self.table.is_stepwise = settings.is_stepwise
        self._has_stops = settings.pace != config.AT_ONCE and not self.app.is_headless
        self._warns = settings.warned
        self._stopped_at = self._since = len(self.table.lines)
        plain = settings.ascii or streams.is_plain()
        self.set_class(plain, "-ascii")
        self._map.plain = plain
        self._map.has_motion = settings.motion and not self.app.is_headless
        self.query_one(OddsPanel).plain = plain
        self.query_one(ChanceLine).plain = plain
        self._chronicle.list.plain = plain
        self.query_one(OutcomeStrip).plain = plain
        self.query_one(MapLegend).plain = plain
        self._bar.when_marked = self._answer_marked
        self.query_one("#minimap-box").mount(Minimap(self._map, id="minimap"))
        self.query_one("#answers").focus()
        self.query_one(RulePane).is_at_table = self.query_one(PageView).is_at_table = True
        self.query_one(RulePane).has_lines = True
        self._map.border_title = _("Map")
        self.query_one(RulePane).letter = key_of(self, "tavolo.regola")
        self._entitle_panels()
        self._fit()
        self._load_texts()
        self.session.settle()
        self.update_table()
        self._open_on_own_units()
        if begun := self.table.begun:
            self._bar.say(begun)

    def _open_on_own_units(self) -> None:
        """Where nothing is asked on the map, it opens on the units of the seat."""
        view = self._map.view
        if view is None:  # the curtain is down: another person sits down first
            return
        own = [c.hex for c in view.counters if c.side == self.table.seat and c.hex is not None]
        if own and not self._map.options and self._map.cursor is None:
            self._map.centre_on(own[len(own) // 2])

    @background(N_("The rules cannot be opened."), "_tell_fault", "thread")
    def _load_texts(self) -> None:
        later(self, self._use_texts, LIBRARY.open_corpus())

    def _tell_fault(self, said: str) -> None:
        self._bar.say(said)

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _trial_words(self, name: str, answers: tuple[str, ...]) -> str:
        """What is tried here, and which answer leads to the rule."""
        decision = self.table.question
        offered = filter(None, map(decision.option, answers)) if decision is not None else ()
        first = next(iter(offered), None)
        if first is None:
            return _("Try the rule beside the map: {name}. Play on as you like.", name=name)
        said = self.table.presenter.answer(first.id, first.msg)
        return _("Try the rule beside the map: {name}. Answer «{answer}» and see what follows.",
                 name=name, answer=said)  # fmt: skip

    def _use_texts(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.query_one(RulePane).use(corpus, Notebook(), self.session.title.info.slug)
        self.table.cite = cite = cite_from(corpus)
        self._bar.cite = cite
        self.query_one(OddsPanel).cite = cite
        self.query_one(OddsPanel).quote = quote_from(corpus)
        self._chronicle.list.cite = cite
        self._chronicle.list.again()
        self._show_position()
        if self._tried is not None:
            name, ref, answers = self._tried
            self.table.cited = (Ruling((ref,), Msg("")),)
            self._bar.say(self._trial_words(name, answers))
        self._follow_rule()
        asks, request = self.app.screen, self.session.position.request
        if isinstance(asks, DiceEntryScreen) and request is not None:
            asks.cite(cite(request.ruling.refs[0]))

    def on_resize(self, _event: events.Resize) -> None:
        """One column or two."""
        self._fit()
        self.call_after_refresh(self._entitle_panels)
        if self.table.frames:
            self.call_after_refresh(self._show_position)

    def on_screen_suspend(self) -> None:
        """Something lies over the table, with keys of its own."""
        self.query_one(TableFooter).again()

    def on_screen_resume(self) -> None:
        """The table has the keys again."""
        self.query_one(TableFooter).again()

    async def on_unmount(self) -> None:
        """Leave the file whole and no process behind."""
        self.workers.cancel_node(self)
        self.session.close()
        self._tell_of_file(self.app.notify)
        await self._bots.closed()
        await self._odds.closed()

    def _fit(self) -> None:
        is_rule_open = self._is_rule_open
        fit(self)
        self.set_class(is_rule_open and not self.has_class("-wide"), "-rule-open")
        share(self, self._map.extent)
        self.query_one(OutcomeStrip).is_small = self.has_class("-short")

    # Showing

    @property
    def _map(self) -> HexMap:
        return self.query_one("#map", HexMap)

    @property
    def _bar(self) -> DecisionBar:
        return self.query_one(DecisionBar)

    @property
    def _chronicle(self) -> ChronicleBox:
        return self.query_one(ChronicleBox)

    @property
    def _panel(self) -> str:
        current = self.query_one("#panels", ContentSwitcher).current
        return next(name for name, id in PANELS.items() if id == current)

    @property
    def _is_thinking(self) -> bool:
        return self._thought is not None

    @property
    def is_past(self) -> bool:
        """Whether the map shows an earlier moment."""
        return self.table.is_past

    @property
    def idle_keys(self) -> tuple[str, ...]:
        """Actions that would do nothing now: the footer leaves them out."""
        is_idle = not (self.is_past or self._waits or self.table.is_waiting or self.table.news)
        return ("step(1)", *self.closed_keys) if is_idle else self.closed_keys

    @property
    def closed_keys(self) -> tuple[str, ...]:
        """Actions that do not apply now: no list of keys has them, and who presses one is told."""
        guide = GUIDE if self.table.guide is None else ()
        return (*guide, *[action for action in IN_ONE_GO if action not in self._offers])

    def _is_without(self, action: str) -> bool:
        """Whether an action does not apply now; the person is told why."""
        if action in self._offers:
            return False
        self._bar.say(self.table.why_closed() or _("Here that key has nothing to do."))
        return True

    def update_table(self) -> None:
        """Show where the game stands, and let whoever is next go on."""
        self._tell_of_file(self.notify)
        if self.table.change_seat():
            who = self.presenter.army(self.table.seat).name
            self.app.push_screen(CurtainScreen(who), lambda _done: self.update_table())
            return
        self._show_position()
        self.table.follow_guide()
        if not self.table.is_coming:
            self.query_one(GuideBox).show(self.table.is_astray)
            self._mark_proposed()
        position = self.session.position
        if self.is_past:
            return
        if isinstance(position.request, RollRequest) and self.session.ledger is None:
            self._ask_for_dice(position.request)
        elif self.session.is_bot_turn and not self._is_thinking and not self.table.is_stopped:
            self._think()
        else:
            self._carry_on()

    def _tell_of_file(self, notify: Callable[..., None]) -> None:
        """What became of the game's file; who closes the program reads it in the shell too."""
        for said in self.session.heard():
            notify(said, severity="warning", timeout=20, markup=False)
            getattr(self.app, "said", []).append(said)

    def _show_position(self) -> None:
        self.table.refresh()
        self._show_moment()
        self._chronicle.list.show(self.table.at)
        self._show_decision()

    def _show_moment(self) -> None:
        """The map, the status and the open panel at the moment looked at."""
        view = self.table.view
        self.presenter.use(view)
        self._map.view = view
        share(self, self._map.extent)
        self._show_hex()
        self._show_forces()
        self._show_status()

    def _show_forces(self) -> None:
        """What a title keeps beside the map, for whoever has its panel open."""
        if self._panel == "forces":
            forces = Text()
            for panel in self.presenter.panels(self.table.view):
                forces.append(panel.heading + "\n", "bold underline")
                forces.append("\n".join(panel.lines) + "\n\n")
            none = _("This title keeps nothing beside the map.")
            self.query_one("#forces-text", Static).update(forces or none)

    def _show_hex(self) -> None:
        """What is on the hex under the cursor, for whoever has its panel open."""
        if self._map.cursor is not None and self._panel == "units":
            width = self.query_one("#units").scrollable_content_region.width or self.app.size.width
            text = card_text(self.table.card(self._map.cursor), width - 1)
            rows = text.plain.count("\n")
            has_grown, self._card_rows = rows > self._card_rows, max(rows, self._card_rows)
            text.append("\n" * (self._card_rows - rows))  # the same height: no screen is laid out
            self.query_one("#units-text", Static).update(text, layout=has_grown)
            printed = self.query_one("#printed", Static)
            if self._map.view is not None and not printed.content:
                printed.update(board_legend(self.presenter, self._map.view, self._map.plain))

    def _show_status(self) -> None:
        parts = self.table.headline(is_brief=self.has_class("-narrow"))
        line = fitting(parts, self.app.size.width)
        self.query_one("#status", Static).update(line, layout=False)

    def _show_decision(self) -> None:
        prompt, decision = self.table.prompt(), self.table.decision
        if self.is_past and self._bar.asks(decision):
            pass  # the question stays as it is asked now
        elif prompt.asks is Ask.ANSWER:
            self._bar.show(decision, prompt.who, self.table.orders.note, view=self._map.view)
            if decision is not self._asked and (default := self.table.default) is not None:
                self._bar.mark(default)
            self._mark_proposed()
        elif prompt.asks is Ask.POST:
            self._bar.offer(prompt.said, prompt.offers)
        else:
            self._bar.show(None, "", prompt.said)
        self._show_past()
        self._show_outcome()
        if prompt.ruling is not None and not self.is_past:
            self.table.cited = (prompt.ruling,)
            self._follow_rule()
        self._map.options = lit = self.table.lit
        if decision is not None and decision is not self._asked and not self.table.is_coming:
            self._asked = decision
            about = self.table.subjects()
            if about and not lit:
                self._map.cursor = about[0]
            self.call_after_refresh(self._show_question)
        self._map.refused = self.table.crossed
        self._show_overlays()
        self._reckon()
        self._offers = in_one_go(self.table)
        if self.idle_keys != self._idle:
            self._idle = self.idle_keys
            self.refresh_bindings()

    def _mark_proposed(self) -> None:
        """Put the cursor on the answer that the guide proposes."""
        proposed = self.table.proposed
        if proposed is not None and self._bar.asks(self.table.question):
            self._bar.mark(proposed)

    def _show_past(self) -> None:
        """The bar that says that an earlier moment is looked at; the question is dimmed."""
        self.set_class(self.is_past, "-past")
        self.query_one("#past", Static).update(self.table.past_note, layout=False)

    def _show_outcome(self) -> None:
        """What was done last, and the line of a shot while it is news or is walked through."""
        goes_on = _("Space goes on") if self._waits else self.table.news_words
        strip = self.query_one(OutcomeStrip)
        strip.is_walked = self.is_past
        strip.show(self.table.outcome(), goes_on, self._applied())
        if self.table.sight_from is None:
            self._map.sight = self.table.shot(self._since)

    def _applied(self) -> str:
        """In the past, the words of its rule that the step applied."""
        is_beside = self.has_class("-narrow") and self.has_class("-side-open")
        if self.table.at is None or self._corpus is None or is_beside:
            return ""
        ruling = self.table.lines[self.table.at].step.ruling
        return " ".join(quote_from(self._corpus)(ruling))

    def _show_shot(self, hex: Hex | None = None) -> None:
        """Bring the target and who fired into sight; else the hex where something happened."""
        seen = self._map.sight
        if seen is not None and self.table.sight_from is None:
            self._map.show_all([seen.b, seen.a])
        elif hex is not None:
            self._map.show(hex)

    def _show_question(self) -> None:
        """Bring into sight, as far as they fit, where something was just done, the marked answer of
        a new question, whatever has the focus, who acts, and what it is about. Where no answer
        lies on the map, who is asked about comes first; in a guide, what it proposes."""
        if self.is_past:
            return
        option, lit = self._bar.marked, list(self._map.options)
        marked = self.table.hex_of(option) if option is not None else None
        subjects = self.table.subjects()
        answer = [marked] if marked is not None and marked in lit else []
        wanted = [] if lit else subjects[:1]
        wanted += answer if option == self.table.proposed else []
        wanted += self.table.scene(self._since) if self.table.sight_from is None else []
        wanted += answer
        self._map.show_all([*wanted, *subjects])
        if marked not in lit and lit and not any(map(self._map.has_in_sight, lit)):
            self._map.show(lit[0])

    def _show_overlays(self) -> None:
        self._overlays = () if self.is_past else self.table.overlays()
        by_id = {overlay.id: overlay.hexes for overlay in self._overlays}
        self._map.reachable = by_id.get("reach", {})
        self._map.in_range = tuple(by_id.get("range", {}))
        self._map.targets = by_id.get("targets", {})
        self._lay()

    def _lay(self) -> None:
        """Lay the chosen sheet over the map; the map follows the step of the past."""
        self._map.sheet, self._map.control = self.table.sheets()
        if self.is_past:
            own = list(self.table.lit_by_step()[0])
            if own:
                self._map.cursor = own[0]
            shot = self._map.sight
            ends = [shot.b, shot.a] if shot is not None else own
            self._map.show_all(sorted(ends, key=lambda end: end not in own))
        self._show_legend()

    def _show_legend(self) -> None:
        """What the map shows now, in words under it."""
        keys = self.table.legend(self._overlays, self._map.sight, bool(self._map.targets))
        self.query_one(MapLegend).show(keys)

    # Answering

    @on(DecisionBar.Answered)
    def _answered(self, event: DecisionBar.Answered) -> None:
        if self.is_past and self.has_class("-narrow"):
            self.action_rule()  # the chronicle, whose key this is, is not in sight
        elif self.table.is_by_post:
            {"export": self.action_export, "take_in": self.action_take_in}[event.options[0]]()
        elif len(event.options) > 1:
            self._answer_all(event.options)
        else:
            self.answer(event.options[0])

    @on(AnswerList.Empty)
    def _nothing_asked(self) -> None:
        self._is_closed()

    def action_take(self, number: int) -> None:
        """Answer with a number key, wherever the focus is."""
        if self.table.is_by_post or not self._is_closed():
            self._show_map()  # what is said of the answer stands with the answers
            self._bar.take(number)

    def action_turn(self, by: int) -> None:
        """Give the number keys to the next nine answers, or back."""
        if not self._is_closed():
            self._bar.turn(by)

    def _is_closed(self) -> bool:
        """Whether nothing can be answered now; the person is told why. In the past any answer
        comes back to the present first."""
        if self.is_past:
            self.action_present()
            return True
        closed = self.table.why_closed()
        if closed:
            self._bar.say(closed)
        return bool(closed)

    def action_group(self) -> None:
        """Mark the answer under the cursor, to be given with others."""
        option = self._marked_answer()
        if option is None or not self._bar.toggle(option, not self._map.has_focus):
            self._bar.say(self.table.why_closed() or _("There is no answer here to mark."))

    def action_forbidden(self) -> None:
        """List what is forbidden, or fold it."""
        if not self._bar.unfold():
            self._bar.say(self.table.why_closed() or _("Nothing is forbidden here."))
        self._bar.query_one("#answers").focus()

    def answer(self, option: str) -> bool:
        """Answer for the person; a refusal is shown with its rules. Whether it was taken."""
        return self._give((option,)) == 1

    def _answer_all(self, options: Sequence[str]) -> None:
        self._give(options)

    def _give(self, options: Sequence[str]) -> int:
        """Give answers one after the other while the same question is asked; how many."""
        if self._is_closed() or self._is_warned(options[0]):
            return 0
        self._since = len(self.table.lines)
        orders = self.table.orders
        if len(options) > 1 and orders.question is not None:
            orders.begin(list(options))
            options = options[:1]
        given = self.table.give(options)
        if given.taken and not self.query_one(RulePane).has_focus_within:
            self.remove_class("-rule-open")  # whoever has read it goes on: the chronicle is back
        if given.refusal is None:
            self.update_table()
            return given.taken
        orders.stop()
        if given.taken:
            self.update_table()
        self._refuse(given.refusal)
        return given.taken

    def _refuse(self, refusal: Refusal) -> None:
        """Say why not; the same answer once more opens the rule."""
        if self.table.refuse(refusal):
            self.open_rule(self.table.cited[0])
        else:
            self._bar.refuse(self._bar.name_of(refusal.option), refusal.rulings)

    def _ask_for_dice(self, request: RollRequest) -> None:
        cited = self.table.cite(request.ruling.refs[0])
        entry = DiceEntryScreen(request, self.presenter, cited, self._map.plain)
        self.app.push_screen(entry, self._dice_typed)

    def _dice_typed(self, faces: tuple[int, ...] | None) -> None:
        if faces is not None:
            self.session.enter(faces)
            self.update_table()
        else:
            self._bar.say(_("The dice wait: Space asks for them again."))

    @on(HexMap.HexSelected)
    def _hex_selected(self, event: HexMap.HexSelected) -> None:
        if self._is_closed():
            return
        here = self.table.options_at(event.hex)
        if len(here) == 1:
            self.answer(here[0])
            return
        if here:
            top = [f"u:{counter.id}" for counter in self._map.counters_at(event.hex)]
            self._bar.narrow(here)
            self._bar.mark(next((option for option in top if option in here), here[0]))
            self._bar.query_one("#answers").focus()
            self._bar.say(_("Several answers lie here: choose one. Esc lists all."))
            return
        refusal, way = self.table.refusal_at(event.hex), self.table.way_to(event.hex)
        if (not way or not self._give(way)) and refusal is not None:
            self._refuse(refusal)

    def _answer_marked(self, option: str) -> None:
        hex = self.table.hex_of(option)
        if hex is not None and not self._map.has_focus and not self.is_past:
            self._map.cursor = hex
        decision = self.table.question
        if decision is not None:
            against = decision.refused.get(option)
            self.table.cited = against or (decision.ruling,)
            self._follow_rule()
            self.call_later(self._show_why)

    def action_delegate(self) -> None:
        """The program answers this question for the person, until another one is asked."""
        if not self._is_closed():  # a player of the program that thinks goes on thinking
            self._delegate()

    # Many as one

    def _carry_on(self) -> None:
        """Give what was asked for in one go, as far as it goes by itself now."""
        placing, orders = self.table.placing, self.table.orders
        if placing.is_by_program and not self._is_thinking:
            self._delegate(whole=True)
        elif placing.is_by_plan:
            before, stop = placing.given, placing.give_planned()
            if stop is not None or placing.given != before:
                self.update_table()
            if stop is not None:
                self._bar.say(stop.said)
                self.table.cited = stop.rulings or self.table.cited
        elif placing.is_over:
            self._bar.say(placing.ended())
        elif orders.is_on:
            self._tell_done(orders.go_on())

    def _tell_done(self, done: Done) -> None:
        if done.given:
            self.update_table()
        if done.said:
            self._bar.say(done.said)
            self.table.cited = done.rulings or self.table.cited
            self._follow_rule()

    def _is_warned(self, option: str) -> bool:
        """Whether the person is told, for the first time, who could still act."""
        if not self._warns:
            return False
        warning = self.table.orders.warning(option, self.session.title.info.ends)
        if warning:
            self._bar.say(warning)
        return bool(warning)

    def action_place_all(self) -> None:
        """The program sets up the rest of the side; Esc stops it."""
        if not self._is_closed() and not self._is_without("place_all"):
            self.table.placing.begin()
            self._carry_on()

    def action_as_before(self) -> None:
        """Set up as in the last game of the scenario, or as before what was taken back."""
        if not self._is_closed() and not self._is_without("as_before"):
            why_not = self.table.placing.begin_as_before()
            if why_not:
                self._bar.say(why_not)
            else:
                self._carry_on()

    def action_block(self) -> None:
        """Put a whole stack on the marked hex, or mark the stack of the marked unit."""
        if self._is_closed() or self._is_without("block"):
            return
        option = self._marked_answer()
        if option is None:
            self._bar.say(_("There is no answer here to mark."))
            return
        if self.table.placing.applies:
            stop = self.table.placing.fill(option)
            self.update_table()
            self._bar.say(stop.said)
            return
        stack = self.table.orders.stack_at(option)
        for one in stack:
            self._bar.toggle(one, False)
        if stack:
            self._bar.mark(option)
        self._bar.say(_("The stack is marked: Enter orders the first one, and the others do the "
                        "same.") if stack else _("This unit stands alone."))  # fmt: skip

    def action_again(self) -> None:
        """Give the last order to the next unit of the same kind."""
        if not self._is_closed() and not self._is_without("again"):
            self._tell_done(self.table.orders.again(self._marked_answer()))

    def _marked_answer(self) -> str | None:
        """The answer under the cursor, in the list or on the map."""
        if self._map.has_focus and self._map.cursor is not None:
            return next(iter(self.table.options_at(self._map.cursor)), None)
        return self._bar.marked

    @background(N_("The program could not answer for you."), "_tell_fault", exclusive=True,
                group="bot")  # fmt: skip
    async def _delegate(self, whole: bool = False) -> None:
        worker = self._thought = get_current_worker()
        given, level, placing = 0, self.session.deputy, self.table.placing
        if not whole:
            self.table.begin_delegation()
        try:
            while self.table.is_delegated and given < MOST_DELEGATED:
                option, _reason = await self._bots.choose(self.session.position, level)
                (placing.take if whole else self.session.answer)(option)
                given += 1
        except Exception:
            placing.stop()  # a player that failed is not asked again by itself
            raise
        finally:
            self.table.end_delegation()
            if self._thought is worker:
                self._thought = None
            if given and self.is_attached and self.display:  # the table is not being cleared away
                self.update_table()
        if whole:
            return
        self._bar.say(_n("The program gave {n} answer for you. U takes it back.",
                         "The program gave {n} answers for you. U takes them back one by one.",
                         n=given))  # fmt: skip

    @background(N_("No advice could be had."), "_tell_fault", exclusive=True, group="advice")
    async def action_advise(self) -> None:
        """The program's best player says what it would answer, and why; nothing is answered."""
        decision, levels = self.session.decision, self.session.title.levels
        if self._is_closed():
            return
        if not levels:
            self._bar.say(_("This title has no player that could advise you."))
            return
        self._bar.say(_("The program thinks…"))
        option, reason = await self._bots.choose(self.session.position, levels[-1])
        if self.session.decision is decision and self.is_attached:
            self._bar.mark(option)
            why = self.presenter.say(reason) if reason is not None else ""
            answer = self._bar.words_of(option).rstrip(".")
            said = _("Advice: {answer}. {why}", answer=answer, why=why)
            self._bar.say(said.strip())

    # The program's turn

    @background(N_("The program's player failed."), "_stop_bot", exclusive=True, group="bot")
    async def _think(self) -> None:
        worker = self._thought = get_current_worker()
        try:
            await self._stop_at_outcome()
            while self.session.is_bot_turn and not worker.is_cancelled:
                if self.table.has_failed:
                    option, reason = self.session.bot_choice(RANDOM)
                else:
                    option, reason = await self._bots.choose(self.session.position)
                if worker.is_cancelled or not self.display:  # the table is being cleared away
                    return
                self._take_bot_answer(option, reason)
                if reason is not None:
                    self._bar.say(self.presenter.say(reason))
                await self._stop_at_outcome()
        finally:
            if self._thought is worker:
                self._thought = None
        self.update_table()

    async def _stop_at_outcome(self) -> None:
        """Where dice have fallen, give the reader a moment; Space goes on at once."""
        lines, self._stopped_at = self.table.lines[self._stopped_at :], len(self.table.lines)
        has_dice = any(line.step.chance is not None for line in lines)
        if has_dice and self._has_stops and not self.table.is_stepwise and not self.is_past:
            self._go_on.clear()
            self._waits = True
            self._show_outcome()
            self._show_shot()
            try:
                async with asyncio.timeout(STOP):
                    await self._go_on.wait()
            except TimeoutError:
                pass
            finally:
                self._waits = False
                self._show_outcome()

    def _give_up_thought(self) -> None:
        """The program's player need not answer what it was asked."""
        self.workers.cancel_group(self, "bot")
        self._thought = None
        self.table.placing.stop()

    def _stop_bot(self, said: str) -> None:
        """After a fault of its player the program waits; Space has it answer at random, once."""
        self.table.stop(said)
        self._show_decision()

    def _take_bot_answer(self, option: str, reason: Msg | None) -> None:
        self._since = len(self.table.lines)
        hex = self.table.take_program_answer(option, reason)
        if not self.table.is_stepwise or self.is_past:
            self._show_position()
        if not self.is_past:
            self._show_shot(hex)

    # Walking the steps

    def action_step_mode(self) -> None:
        """Run at once, or one step at a time."""
        self.table.is_stepwise = not self.table.is_stepwise
        on_or_off = _("on") if self.table.is_stepwise else _("off")
        self.notify(_("Step by step: {state}", state=on_or_off))

    def action_step(self, by: int) -> None:
        """Go a step forward or back in what happened; forward from now lets the program go on."""
        if by > 0 and not self.is_past:
            if self._waits:
                self._go_on.set()
            elif self.table.is_waiting:
                self.table.is_stopped = False
                self.update_table()
            elif self.table.news:
                self.table.look_at(self.table.news[0].first)
                self._show_step()
            else:
                self._say_briefly(_("This is the present: Backspace walks back through the game."))
            return
        if not self.table.walk(by):
            self._say_briefly(_("Nothing has happened before this."))
            return
        self._show_step()

    def _say_briefly(self, words: str) -> None:
        """Say something that nobody needs to read twice."""
        self._bar.say(words)
        self.set_timer(STOP, partial(self._unsay, words))

    def _unsay(self, words: str) -> None:
        if self._bar.said == words:
            self._bar.say("")

    def _show_step(self) -> None:
        """Show the line that was walked to, with all that follows it."""
        at = len(self.table.lines) - 1 if self.table.at is None else self.table.at
        self.table.chronicle.reveal(at)
        if self._is_rule_open:
            self._close_rule()
        self.query_one("#panels", ContentSwitcher).current = PANELS["chronicle"]
        self.remove_class("-reading")
        self._entitle_panels()
        self._bar.say("")
        self.update_table()
        if self.is_past:
            self._cite_line(at)
        self._focus_walk()

    def _focus_walk(self) -> None:
        """Who walks has the arrows in the chronicle, where it is in sight; who is back, in the
        answers."""
        is_hidden = self.has_class("-narrow") and not self.has_class("-side-open")
        if self.is_past and not is_hidden:
            self._chronicle.list.focus()
        elif not self.is_past and not self.has_class("-side-open"):
            self.query_one("#answers").focus()

    def action_tell(self, what: str) -> None:
        """Say where a key of the first screen leads to from here."""
        self._bar.say({
            "quit": _("M opens the menu, which ends the program; Ctrl+Q does so at once."),
            "games": _("M opens the menu: leave the table, and the saved games are there."),
        }[what])  # fmt: skip

    @on(RulePane.LinesWanted)
    def action_lines(self) -> None:
        """The lines of this game that applied the rule shown, or the one last cited."""
        cited = self.table.cited
        ref = self.query_one(RulePane).ref or (cited[0].refs[0] if cited else "")
        if not ref:
            self._bar.say(_("Open a rule first: R."))
            return
        self._show_panel("chronicle")
        found = self._chronicle.only_citing(ref)
        self._chronicle.list.focus()
        self.notify(_n("{n} line of this game applied it.", "{n} lines of this game applied it.",
                       n=found))  # fmt: skip

    @on(ChronicleList.Marked)
    def _line_marked(self, event: ChronicleList.Marked) -> None:
        was_past = self.is_past
        self.table.look_at(event.at)
        self._cite_line(event.at)
        if was_past and not self.is_past:
            self.update_table()  # back in the present, whoever is next goes on
            return
        self._show_moment()
        self._show_decision()

    @on(ChronicleList.Chosen)
    def _line_chosen(self) -> None:
        row = self._chronicle.list.marked
        if row is not None:
            self.open_rule(self.table.lines[row.at].step.ruling)

    def _cite_line(self, at: int) -> None:
        """The rule of a line is the one looked at."""
        self.table.cited = (self.table.lines[at].step.ruling,)
        self._follow_rule()

    def action_present(self) -> None:
        """Come back from the past, or to the answers."""
        if self._is_rule_open:
            self._close_rule()
        if self.is_past:
            self.table.look_at_now()
            self._asked = None  # the map shows the question again
            self.update_table()
        self._chronicle.list.show(None)
        self.query_one("#answers").focus()

    # Panels

    def _follow_rule(self) -> None:
        """Show the rule last cited, unless somebody is reading another one; after the paint that
        shows what cites it."""
        self.call_later(self._show_rule)

    def _show_rule(self) -> None:
        pane = self.query_one(RulePane)
        if self.table.cited and not pane.has_focus_within and pane.ruling != self.table.cited[0]:
            pane.follow(self.table.cited[0])

    def open_rule(self, ruling: Ruling) -> None:
        """Open a rule beside the map to the full height, at what of it was applied."""
        if not self._is_rule_open:
            before = None if self.query_one(RulePane).has_focus_within else self.focused
            self._before_rule = before, self.has_class("-side-open")
        self.table.cited = (ruling, *[other for other in self.table.cited if other is not ruling])
        self._open_side()
        self.set_class(not self.has_class("-wide"), "-rule-open")
        pane = self.query_one(RulePane)
        pane.open_cited(ruling)
        pane.view.focus()

    def action_rule(self) -> None:
        """Give the rule the full height of its column, or give that back."""
        pane = self.query_one(RulePane)
        if self._is_rule_open and pane.has_focus_within:
            self._close_rule()
        elif self.table.cited:
            self.open_rule(self.table.cited[0])
        else:
            self._bar.say(_("No rule has been cited yet."))

    @property
    def _is_rule_open(self) -> bool:
        """Whether somebody reads a rule that was opened: it has the full height of its column, as
        it always has in a very wide terminal."""
        is_read = self._before_rule is not None and self.query_one(RulePane).has_focus_within
        return self.has_class("-rule-open") or (self.has_class("-wide") and is_read)

    def _close_rule(self) -> None:
        """Give the height back to what lies over the rule, and the focus to who had it."""
        self.remove_class("-rule-open")
        (before, had_side), self._before_rule = self._before_rule or (None, False), None
        if before is None or not before.is_attached or not before.display:
            self._leave_side()
        else:
            self.set_class(had_side, "-side-open")
            before.focus()

    @on(PageView.Left)
    def _rule_left(self) -> None:
        self._close_rule()

    def action_panel(self, name: str) -> None:
        """Show a panel, or go back from it to the answers."""
        is_open = self._panel == name and not self.has_class("-rule-open")
        is_read = self._is_at_panels
        if is_open and is_read:
            self._leave_side()
            return
        self._show_panel(name)
        # What is read has the arrows; odds, and the hex shown, which follows the cursor of a map in
        # sight, have them where another panel had them, or when their letter is pressed again.
        if name not in ("odds", "units") or self.has_class("-narrow") or is_open or is_read:
            self._focus_panel()

    def _show_panel(self, name: str) -> None:
        """Put a panel in sight."""
        self._open_side()
        self.remove_class("-rule-open")
        self.query_one("#panels", ContentSwitcher).current = PANELS[name]
        self.set_class(name in ("units", "forces"), "-reading")
        self._entitle_panels()
        if name == "odds":
            self._reckon()
        self._show_forces()
        self.call_after_refresh(self._show_hex)

    def _entitle_panels(self) -> None:
        """The border of the open panel names them all, with their letters."""
        self.set_class(self._panel == "odds", "-odds-open")
        shown = {"chronicle": _("Chronicle"), "units": _("Hex"), "forces": _("Forces"),
                 "odds": _("Odds")}  # fmt: skip
        actions = ("risoluzione", "esagono", "forze", "probabilita")
        keys = [key_of(self, f"tavolo.{action}") for action in actions]
        gap, room = "  ", (self.query_one("#panels").size.width or self.app.size.width) - 6
        if sum(map(len, keys)) + sum(map(len, shown.values())) + 3 * len(gap) + 4 > room:
            gap, shown["odds"] = " ", _("Chances")
        parts = []
        for (name, words), key in zip(shown.items(), keys, strict=True):
            style = "b u" if name == self._panel else "dim"
            parts.append(f"[{style}][@click=screen.panel('{name}')]{key} {escape(words)}[/][/]")
        self.query_one(f"#{PANELS[self._panel]}").border_title = gap.join(parts)

    def _open_side(self) -> None:
        self.add_class("-side-open")

    def action_side(self) -> None:
        """Open or close the panel over a narrow map; beside a wide one, go there and back."""
        is_narrow = self.has_class("-narrow")
        if self.has_class("-side-open") if is_narrow else self._is_at_side:
            self._leave_side()
        else:
            if is_narrow:
                self._open_side()
            self.remove_class("-rule-open")
            self._focus_panel()

    def _focus_panel(self) -> None:
        """Give the arrows to the panel that is open."""
        chronicle = self._chronicle.list
        (chronicle if self._panel == "chronicle" else self.query_one(f"#{self._panel}")).focus()

    def _leave_side(self) -> None:
        """Back from the panels to the answers, and to a narrow map that they cover."""
        if self._chronicle.is_filtered:
            self._chronicle.show_all()
        self.remove_class("-side-open", "-rule-open")
        self._before_rule = None
        self.query_one("#answers").focus()

    @property
    def _is_at_side(self) -> bool:
        """Whether the focus is in the panels, or in the rule below them."""
        return self.query_one("#side").has_focus_within

    @property
    def _is_at_panels(self) -> bool:
        """Whether the focus is in a panel over the rule."""
        return self.query_one("#panels").has_focus_within

    def watch_focused(self, focused: Widget | None) -> None:
        """Where what had the focus has gone out of sight, the answers have it; who goes to the
        answers of a narrow table uncovers them."""
        if focused is None and self.is_current and self.app.app_focus:
            self.call_later(self.query_one("#answers").focus)
        elif focused is not None and focused.id == "answers":
            self.remove_class("-side-open")
            if self.has_class("-narrow"):
                self.remove_class("-rule-open")

    def _show_map(self) -> None:
        """Uncover the map where the panel has its place."""
        if self.has_class("-narrow") and self.has_class("-side-open"):
            self._leave_side()

    def action_zoom(self) -> None:
        """Go round the sizes of the map."""
        self._show_map()
        self._map.zoom = (self._map.zoom + 1) % 3

    def action_layer(self) -> None:
        """Lay the next sheet over the map; after the last one, none."""
        self._show_map()
        place, layers = self.table.next_layer()
        self._lay()
        if place:
            what = self.presenter.say(layers[place - 1].msg)
            if not self._map.sheet and not self._map.control:
                what = _("{what}: nothing to show now", what=what)
            facts = {"what": what, "place": place, "of": len(layers),
                     "key": key_of(self, "tavolo.strati")}  # fmt: skip
            self._bar.say(
                _("On the map: {what} ({place} of {of}; {key} takes it off)", **facts)
                if place == len(layers) else
                _("On the map: {what} ({place} of {of}; {key} goes on, Esc clears)", **facts)
            )  # fmt: skip
        else:
            self._bar.say(_("Nothing more lies over the map.") if layers
                          else _("This title has nothing to lay over the map."))  # fmt: skip

    # Odds

    def _reckon(self) -> None:
        """Count the odds of what is asked, for the panel and for the targets on the map."""
        if not self.table.is_reckoning:
            self.workers.cancel_group(self, "odds")
        at = self.table.begin_reckoning()
        if at is not None:
            self.workers.cancel_group(self, "ahead")
            self._count(at)
        if self._panel == "odds" and (at := self.table.begin_foretelling()) is not None:
            self._foretell(at)
        if self._panel == "odds" and (at := self.table.begin_foreseeing()) is not None:
            self._foresee(at)
        self._show_chances()

    @background(
        N_("The odds could not be counted."), "_fates_failed", exclusive=True, group="fates"
    )
    async def _foretell(self, at: Position[Any]) -> None:
        if self.table.hear_foretold(at, await self._odds.foretell(at)):
            later(self, self._show_chances)

    def _fates_failed(self, said: str, at: Position[Any]) -> None:
        if self.table.hear_foretold(at, ()):
            self._show_chances()
        self._bar.say(said)

    def _show_chances(self) -> None:
        """What is known of the odds: beside the answers, on the map, of the marked answer."""
        chances = self.table.chances
        if chances.is_of(self.table.question):
            if chances.progress is Progress.DONE:
                self._bar.foretell(chances.best)
            ranked = sorted(chances.best.items(), key=lambda one: one[1])  # of a hex the best
            best = {self.table.hex_of(option): share for option, share in ranked}
            shares = {hex: badge(share) for hex, share in best.items() if hex is not None}
            if shares:
                self._map.targets = shares
                self._show_legend()
        self._show_why()

    def _show_why(self) -> None:
        """The chance of the marked answer under the answers, its why in the panel."""
        marked, panel = self._bar.marked, self.query_one(OddsPanel)
        has_odds = self.table.chances.is_of(self.table.question)
        glance = self.table.glance(marked) if has_odds and marked is not None else None
        self.query_one(ChanceLine).show(glance)
        if self._panel == "odds":
            panel.show(self.table.why(marked, panel.quote))

    @background(
        N_("The odds could not be counted."), "_ahead_failed", exclusive=True, group="ahead"
    )
    async def _foresee(self, at: Position[Any]) -> None:
        await self._odds.foresee(at, partial(later, self, self._hear_ahead, at))

    def _ahead_failed(self, said: str, _at: Position[Any]) -> None:
        self._bar.say(said)

    def _hear_ahead(self, at: Position[Any], one: Ahead) -> None:
        if self.table.hear_ahead(at, one) and (one.option == self._bar.marked or one.at):
            self._show_why()

    @background(N_("The odds could not be counted."), "_count_failed", exclusive=True, group="odds")
    async def _count(self, at: Position[Any]) -> None:
        await self._odds.reckon(at, partial(later, self, self._hear, at))
        later(self, self._counted, at)

    def _hear(self, at: Position[Any], one: Reckoned) -> None:
        if self.table.hear(at, one):
            self._show_chances()

    def _counted(self, at: Position[Any]) -> None:
        if at.decision is not None and self.table.chances.end(at.decision):
            self._show_chances()

    def _count_failed(self, said: str, at: Position[Any]) -> None:
        if at.decision is not None and self.table.chances.fail(at.decision, said):
            self._show_chances()

    @on(HexMap.CursorMoved)
    def _cursor_moved(self, event: HexMap.CursorMoved) -> None:
        self._show_hex()
        if self.table.sight_from is not None:
            self._trace(event.hex)

    # Sight

    def action_sight(self) -> None:
        """Draw the line of sight from the cursor; again to stop."""
        self._show_map()
        if self.table.sight_from is not None:
            self.table.sight_from = None
            self._map.sight = self.table.shot(self._since)
            self._show_legend()
            self._bar.say("")
            return
        if self._map.cursor is None:
            self._map.action_step("up")
        self.table.sight_from = self._map.cursor
        self._map.sight = None  # the line of the last shot is no answer
        self._show_legend()
        self._bar.say(
            _(
                "Sight from here: move the cursor to the other hex. {key} stops.",
                key=key_of(self, "tavolo.visuale"),
            )
        )
        self._map.focus()

    def _trace(self, target: Hex) -> None:
        assert self.table.sight_from is not None
        if target == self.table.sight_from:
            return  # what is said of how to go on stays
        seen = self.table.sight(self.table.sight_from, target)
        self._map.sight = seen
        self._show_legend()
        if seen is None:
            self._bar.say(self.presenter.no_sight)
            return
        words = {True: _("clear"), False: _("blocked"), None: _("not to be known yet")}[seen.clear]
        reasons = "; ".join(
            f"{self.presenter.say(r.msg)} ({self._bar.cite(r.refs[0])})" for r in seen.rulings
        )
        self.table.cited = seen.rulings or self.table.cited
        self._bar.say(_("Sight: {what}. {why}", what=words, why=reasons))

    # The guide

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """End is of the map and of the rules too; who types words types `?` in them."""
        if action == "present":
            return self.is_past or isinstance(self.focused, AnswerList | ChronicleList)
        if action == "what_now":
            return not isinstance(self.focused, Input)
        return super().check_action(action, parameters)

    @property
    def _guide_closed(self) -> str:
        key = key_of(self, "tavolo.guida-fine")
        return _("The guide is closed: {key} opens it again.", key=key)

    def action_guide(self, what: str) -> None:
        """Open the rule of the lesson, leaf through the lessons, close the guide or open it."""
        guide, box = self.table.guide, self.query_one(GuideBox)
        if guide is None:
            self._bar.say(_("This game has no guide."))
            return
        lesson = guide.lesson
        if what == "switch" and lesson is None:
            guide.is_open = True
            self._show_map()
        elif lesson is None:
            self._bar.say(self._guide_closed)
            return
        elif what == "rule":
            self.open_rule(Ruling((RuleRef(lesson.ref),), Msg("")))
            return
        elif self.has_class("-narrow") and self.has_class("-side-open"):
            self._leave_side()  # the panel covers the guide: first it comes back into sight
        elif what == "switch":
            guide.is_open = False
        elif what == "next" and not box.turn():
            guide.go_on()
        elif what == "back" and not guide.go_back():
            self._bar.say(_("This is the first lesson."))
        if not guide.is_open:
            self._bar.say(self._guide_closed)
        box.show(self.table.is_astray)
        self.table.keep_guide()
        self.query_one("#answers").focus()

    # Help

    @property
    def fixed_keys(self) -> list[tuple[str, str]]:
        """Keys that the help lists and that have no other name."""
        return [
            ("1-9, 0", _("give the answer with that number; 0 ends the choice")),
            (_("Arrows, Enter"), _("walk the answers, the map or the chronicle, and choose")),
            ("Tab", _("go to the next pane")),
            ("Esc", _("one level back")),
        ]

    def action_what_now(self) -> None:
        """Explain the open question."""
        keys = [key_of(self, action) for action in WAYS]
        quote = quote_from(self._corpus) if self._corpus is not None else no_words
        found = primer(self.table, ways(keys), quote)

        def chosen(what: str | None) -> None:
            if what is not None:
                self.call_later(self.run_action, what)

        self.app.push_screen(WhatNowScreen(found, self._bar.cite), chosen)

    def action_jump(self) -> None:
        """Go anywhere with one key more."""
        self.app.push_screen(LabelScreen(spots_of(self)), self._go_to_spot)

    def _go_to_spot(self, what: str | None) -> None:
        """Go to a pane, mark an answer, or put the cursor on a hex."""
        kind, _colon, name = (what or "").partition("/")
        if kind == "pane":
            self.query_one(name).focus()
        elif kind == "answer":
            self.query_one("#answers").focus()
            self._bar.mark(name)
        elif kind == "hex" and self._map.view is not None:
            self._map.focus()
            self._map.cursor = self._map.view.hex_at(name)

    # Taking back, leaving

    def action_undo(self) -> None:
        """Take back the last answer."""
        self._take_back(studio=False)

    def action_studio_undo(self) -> None:
        """Take back the last answer and its dice: the save will say so."""
        self._take_back(studio=True)

    def _take_back(self, studio: bool) -> None:
        try:
            self.table.take_back(studio)
        except UndoRefused as refused:
            words = self.presenter.say(refused.msg)
            can_study = not studio and self.session.ledger is None
            key = key_of(self, "tavolo.studio")
            self._bar.say(words + (" " + _("{key} is studio mode.", key=key) if can_study else ""))
            return
        self._give_up_thought()
        self.update_table()
        self._bar.say(_("Taken back. {key} repeats it.", key=key_of(self, "tavolo.ripeti")))

    def action_redo(self) -> None:
        """Repeat what was taken back."""
        try:
            self.table.repeat()
        except UndoRefused as refused:
            self._bar.say(self.presenter.say(refused.msg))
            return
        self._give_up_thought()
        self.update_table()

    def action_search(self) -> None:
        """Look something up in the rules of this title."""
        from app.screens.rules import RulesScreen

        near = self.table.at_hand(self._map.cursor)
        screen = RulesScreen(title=self.session.title.info.slug, near=near, ask=self._ask)
        screen.look_for(self._sought, is_old=True)
        self.app.push_screen(screen, self._looked_up)

    def _ask(self, words: str, index: Index) -> Reply | None:
        """What the engine answers to a question about this position."""
        meanings = partial(index.meanings, title=self.session.title.info.slug)
        return ask(self.table, words, meanings, self._map.cursor)

    def action_ask(self) -> None:
        """May something be done with the hex under the cursor, or with what stands there?"""
        if self._is_closed():
            return
        hex = self._map.cursor
        reply = ask_of(self.table, hex) if hex is not None else None
        if reply is None or hex is None:
            self._bar.say(_("Put the cursor on a hex: N asks whether it may be chosen, and why."))
            return
        refusal = self.table.refusal_at(hex)
        if reply.is_allowed is None and not reply.way and refusal is not None:
            self._refuse(refusal)
            return
        self.table.cited = reply.rulings or self.table.cited
        self._follow_rule()
        self._bar.say(f"{self.table.view.label(hex)}: {reply.words}")

    def _looked_up(self, words: str | None) -> None:
        """Remember what was looked for, for the next time."""
        self._sought = words or ""

    def action_cards(self) -> None:
        """The sheets beside the board, with the phase and what was used last lit."""
        from app.rules.cards import phase_words
        from app.screens.cards import CardsScreen

        rulings = [told.step.ruling for told in reversed(self.table.told)]
        now = phase_words(self.table.view.phase)
        self.app.push_screen(CardsScreen(self.session.title.info.slug, rulings, now))

    def action_leave(self) -> None:
        """Close what is open: a thought, the past, the sight, the panel, a sheet; then the menu."""
        if self._is_thinking:
            self._give_up_thought()
            if self.session.is_bot_turn:
                self.table.stop()
            self._show_decision()
        elif self._is_rule_open:
            self._close_rule()
        elif self._is_at_side and self._chronicle.is_filtered and self._panel == "chronicle":
            self._chronicle.show_all()
            self._chronicle.list.focus()
        elif self.is_past:
            self.action_present()
        elif self.table.sight_from is not None:
            self.action_sight()
        elif self._is_at_side or (self.has_class("-narrow") and self.has_class("-side-open")):
            self._leave_side()
        elif self.table.take_off_layer():
            self._lay()
            self._bar.say(_("Nothing more lies over the map."))
        elif self.table.orders.stop():
            self._show_decision()
            self._bar.say(_("The others wait no more: each is yours to order."))
        elif not self._bar.widen():
            self.action_menu()

    def action_menu(self) -> None:
        """What can be done with the game as a whole."""
        guide = {}
        if self.table.guide is not None:
            guide = {
                "guide": _("Close the guide") if self.table.guide.is_open else _("Open the guide")
            }
        values = {
            "back": _("Back to the table"),
            "what_now": _("What can I do?"),
            "help": _("Help"),
            "keys": _("Keys of the table"),
            "steps": _("Stop at every step")
            if not self.table.is_stepwise
            else _("Run without stopping"),
            **guide,
            **{action: _(words) for action, words in MENU.items() if action in self._offers},
            **({"studio": _("Undo dice too (studio)")} if self.session.ledger is None else {}),
            **({"take_in": _("Take in the mail that came")} if self.session.ledger else {}),
            "home": _("Leave the table (the game is saved)")
            if self._tried is None
            else _("Leave the trial, back to where you were"),
            "quit": _("Quit"),
        }
        self.app.push_screen(ChoiceScreen(_("Menu"), values, "back"), self._menu_chosen)

    def _menu_chosen(self, what: str | None) -> None:
        if what == "help":
            self.call_later(self.app.run_action, "explain")
        elif what == "keys":
            self.call_later(self.app.run_action, "keys")
        elif what == "what_now":
            self.call_later(self.action_what_now)
        elif what == "steps":
            self.action_step_mode()
        elif what in IN_ONE_GO:
            self.call_later(self.run_action, what)
        elif what == "studio":
            self.action_studio_undo()
        elif what == "guide":
            self.action_guide("switch")
        elif what == "take_in":
            self.action_take_in()
        elif what == "home":
            self.app.pop_screen()
        elif what == "quit":
            self.app.exit()

    def action_export(self) -> None:
        """Write the game as a mail to send, in a file and on the clipboard."""
        try:
            path = export(self.session, post_folder())
            self.app.copy_to_clipboard(path.read_text(encoding="utf-8"))
        except SaveError as error:
            self._bar.say(self.presenter.say(error.msg))
            return
        self._show_status()
        self._bar.say(_("Written: {file} (and on the clipboard). Send it.", file=str(path)))

    def action_take_in(self) -> None:
        """Go on with the newest mail for this game in the folder of the post."""
        letter = newest(self.session)
        if letter is None:
            words = _("No mail for this game has come: put it into {folder}, then try again.",
                      folder=str(post_folder()))  # fmt: skip
            self._bar.say("\n".join(broken(post_folder()) or [words]))
            return
        try:
            self.session.receive(letter, titles.TITLES)
        except SaveError as error:
            self._bar.say(self.presenter.say(error.msg))
            return
        self.table.came_by_mail()
        self.update_table()

    def go_to(self, hex: Hex) -> None:
        """Show a hex."""
        self._map.cursor = hex
        self._map.centre_on(hex)
        self._map.focus()
