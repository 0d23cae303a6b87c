"""The table: the map, the question, the resolution step by step with the rule beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static, Tab, Tabs
from textual.worker import Worker, get_current_worker

from app.play.bots import BotFailed, BotProcess
from app.play.discretion import HUMAN
from app.play.mail import broken, by_number, export, newest, spent, waiting
from app.play.session import Frame, Session
from app.play.tutorial import guide_of
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from app.rules.library import LIBRARY
from app.rules.notes import Notebook
from app.screens.choice import ChoiceScreen
from app.screens.curtain import CurtainScreen
from app.screens.dice_entry import DiceEntryScreen
from app.screens.table_palette import TableCommands
from app.shell import config, streams
from app.shell.i18n import _, _n
from app.shell.paths import post_folder
from app.widgets.background import background, careful
from app.widgets.decision_bar import KEYS, LAST, AnswerList, DecisionBar
from app.widgets.guide_box import GuideBox
from app.widgets.hexmap import HexMap
from app.widgets.journal import Journal
from app.widgets.later import Later, later
from app.widgets.minimap import Minimap
from app.widgets.odds_panel import OddsPanel, badge, chance_in
from app.widgets.rule_pane import RulePane
from app.widgets.steady import Steady
from app.widgets.steps import StepList, cite_from, step_line
from app.widgets.table_footer import TableFooter
from app.widgets.walk import path_to
from engine import titles
from engine.core.ctx import RollRequest
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Refused, Ruling, Side, Step
from engine.core.text import N_, Msg
from engine.core.title import Outcome, Overlay, Question
from engine.core.view import View
from engine.drive import RANDOM
from engine.game import Position, UndoRefused
from engine.odds import Odds, OverBudget
from engine.saves.lines import SaveError
from rules_it.corpus import Corpus

WIDE = 100
PANELS = ("steps", "rule", "units", "forces", "odds")
MOST_CROSSES = 24
"""Forbidden hexes are crossed out when they are few; else those allowed stand out enough."""


def fitting(parts: Sequence[str], width: int) -> str:
    """As many parts as fit on a line, the first ones first."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else part
        if line and len(longer) > width - 2:
            break
        line = longer
    return line


def ending(outcome: Outcome, presenter: Presenter) -> str:
    """How a game ended, naming the winner once; alone against the game there may be none."""
    winner = presenter.army(outcome.winner).name if outcome.winner else ""
    why = presenter.say(outcome.ruling.msg)
    if winner and winner not in why:
        return _("The game is over: {who}. {why}", who=winner, why=why)
    return _("The game is over. {why}", why=f"{why[:1].upper()}{why[1:].rstrip('.')}.")


def lit_at(
    frames: Sequence[Frame], at: int, presenter: Presenter, view: View
) -> tuple[Mapping[Hex, str], dict[Hex, str]]:
    """The hexes of a step; and with those of the steps that it belongs to."""
    steps = [frames[at].step]
    for frame in reversed(frames[:at]):
        if not steps[-1].depth:
            break
        if frame.step.depth < steps[-1].depth:
            steps.append(frame.step)
    own = presenter.lit(steps[0].ruling.msg, view)
    found = dict(own)
    for step in steps[1:]:
        found |= presenter.lit(step.ruling.msg, view)
    return own, found


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
        letter("u", "undo", _("Undo"), id="tavolo.annulla"),
        letter("v", "sight", _("Sight"), id="tavolo.visuale"),
        letter("k", "layer", _("Layers"), id="tavolo.strati",
                tooltip=_("Threats, control and more on the map")),
        letter("a", "advise", _("Advice"), id="tavolo.consiglio"),
        letter("y", "redo", _("Redo"), show=False, id="tavolo.ripeti"),
        Binding("ctrl+u", "studio_undo", _("Undo dice too (studio)"), show=False,
                id="tavolo.studio"),
        letter("r", "panel('rule')", _("Rule"), show=False, id="tavolo.regola"),
        letter("e", "panel('steps')", _("Resolution"), show=False, id="tavolo.risoluzione"),
        letter("i", "panel('units')", _("Hex"), show=False, id="tavolo.esagono"),
        letter("c", "panel('forces')", _("Forces"), show=False, id="tavolo.forze"),
        letter("l", "lines", _("Lines that applied the rule"), show=False, id="tavolo.righe"),
        letter("j", "journal", _("Journal"), show=False, id="tavolo.diario"),
        letter("g", "group", _("Mark several"), show=False, id="tavolo.gruppo"),
        letter("x", "forbidden", _("Forbidden"), show=False, id="tavolo.vietate"),
        letter("d", "delegate", _("Let the program choose"), show=False, id="tavolo.delega"),
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
        Binding("m,M,escape", "leave", _("Menu"), key_display="M", id="tavolo.menu"),
        *[Binding(key, f"take({number})", show=False) for number, key in enumerate(KEYS)],
        Binding("0", f"take({LAST})", show=False),
    ]  # fmt: skip

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.presenter = presenter_for(session.title.info.slug)
        self._bots = BotProcess(session.header)
        self._seat: Side = session.seat()
        self._passage = len(session.game.passages)
        self._frames: list[Frame] = []
        self._at: int | None = None
        self._layer = ""  # which sheet lies over the map
        self._step_mode = False
        self._sight_from: Hex | None = None
        self._last_refs: tuple[str, ...] = ()
        self._refused: tuple[Decision, str] | None = None
        self._asked: Decision | None = None
        self._counting: Decision | None = None
        self._uncounted: tuple[Decision, str] | None = None
        self._failed: tuple[Decision | None, str] = (None, "")  # where a player of the program did
        self._thought: Worker[Any] | None = None  # of the program's player whose turn it is
        self._is_stopped = False
        self._own: tuple[int, int] | None = None  # lines of the reader's last roll, until seen
        self._idle: tuple[str, ...] = ()
        self._guide = guide_of(session.title.info.slug, session.scenario.id, session.header.note)
        self._corpus: Corpus | None = None
        self._reckoned: tuple[Decision, tuple[Odds, ...], dict[str, Fraction]] | None = None

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
                yield Tabs(
                    Tab(_("Resolution"), id="tab-steps"),
                    Tab(_("Rule"), id="tab-rule"),
                    Tab(_("Hex"), id="tab-units"),
                    Tab(_("Forces"), id="tab-forces"),
                    Tab(_("Odds"), id="tab-odds"),
                    id="panel-tabs",
                )
                with ContentSwitcher(initial="steps", id="panels"):
                    yield StepList(
                        self.presenter,
                        id="steps",
                        help_heading=_("Resolution"),
                        help_text=_(
                            "What happened since your last answer, each line with its rule. Enter "
                            "or a click opens the rule beside the map; Space and Backspace walk "
                            "the steps."
                        ),
                        click_walks=False,
                    )
                    yield RulePane(id="rule")
                    with VerticalScroll(id="units"):
                        yield Static("", id="units-text", markup=False)
                        yield Static(_("The whole map"), id="minimap-title", markup=False)
                        yield Vertical(id="minimap-box")
                    with VerticalScroll(id="forces"):
                        yield Static("", id="forces-text")
                    yield OddsPanel(self.presenter)
                yield Journal(self.presenter)
            with Vertical(id="board"):
                yield HexMap(self.presenter, id="map", describe=self._describe)
                yield Static("", id="current-step")
                yield GuideBox(self._guide)
                yield DecisionBar(self.presenter)
        yield TableFooter(show_command_palette=False, compact=True)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("The table"), _(
            "The question at the bottom says who must choose and why. Answer with a number, with "
            "the arrows and Enter, or on the map. A forbidden answer tells you which rule forbids "
            "it. Enter on a line of the resolution opens its rule beside the map. Every answer is "
            "saved at once."
        )

    def on_mount(self) -> None:
        """Load the texts behind the first paint, and start."""
        settings: config.Settings = getattr(self.app, "settings", config.Settings())
        self.session.is_auto = settings.forced
        self._step_mode = settings.steps
        plain = settings.ascii or streams.is_plain()
        self.set_class(plain, "-ascii")
        self._map.plain = plain
        self.query_one(OddsPanel).plain = plain
        for steps in self.query(StepList):
            steps.plain = plain
        self.query_one("#minimap-box").mount(Minimap(self._map, id="minimap"))
        self.query_one("#answers").focus()
        self._fit()
        self._load_texts()
        self.session.settle()
        self.update_table()
        self._open_on_own_units()

    def _open_on_own_units(self) -> None:
        """Where nothing is asked on the map, it opens on the units of the seat."""
        view = self._map.view
        if view is None:  # the curtain is down: another person sits down first
            return
        own = [c.hex for c in view.counters if c.side == self._seat and c.hex is not None]
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

    def _use_texts(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.query_one(RulePane).use(corpus, Notebook(), self.session.title.info.slug)
        cite = cite_from(corpus)
        self._bar.cite = cite
        self.query_one(OddsPanel).cite = cite
        for steps in self.query(StepList):
            steps.cite_with(cite)
        self._show_position()

    def on_resize(self, _event: events.Resize) -> None:
        """One column or two."""
        self._fit()
        if self._frames:
            self.call_after_refresh(self._show_position)

    async def on_unmount(self) -> None:
        """Leave the file whole and no process behind."""
        self.workers.cancel_node(self)
        self.session.close()
        self._tell_of_file(self.app.notify)
        await self._bots.closed()

    def _fit(self) -> None:
        self.set_class(self.app.size.width < WIDE, "-narrow")

    # Showing

    @property
    def _map(self) -> HexMap:
        return self.query_one("#map", HexMap)

    @property
    def _bar(self) -> DecisionBar:
        return self.query_one(DecisionBar)

    @property
    def _journal(self) -> Journal:
        return self.query_one(Journal)

    @property
    def _has_failed(self) -> bool:
        """Whether the program's player has failed at this very question."""
        return self._failed[0] is not None and self._failed[0] is self.session.decision

    @property
    def _panel(self) -> str | None:
        return self.query_one("#panels", ContentSwitcher).current

    @property
    def _is_thinking(self) -> bool:
        return self._thought is not None

    @property
    def is_past(self) -> bool:
        """Whether the map shows an earlier moment."""
        return self._at is not None

    @property
    def idle_keys(self) -> tuple[str, ...]:
        """Actions that would do nothing now: the footer leaves them out."""
        is_waiting = self._is_stopped or self.session.position.request is not None
        return () if self.is_past or is_waiting else ("step(1)",)

    def update_table(self) -> None:
        """Show where the game stands, and let whoever is next go on."""
        self._tell_of_file(self.notify)
        is_over = self.session.position.outcome is not None
        seat = self._seat if self.is_past or is_over else self.session.seat()
        if seat != self._seat and len(self.session.humans) > 1:
            self._seat = seat
            who = self.presenter.army(seat).name
            self.app.push_screen(CurtainScreen(who), lambda _done: self.update_table())
            return
        self._seat = seat
        self._show_position()
        self._follow_guide()
        position = self.session.position
        if self.is_past:
            return
        if isinstance(position.request, RollRequest) and self.session.ledger is None:
            why = self.presenter.say(position.request.ruling.msg)
            self.app.push_screen(DiceEntryScreen(position.request, why), self._dice_typed)
        elif self.session.is_bot_turn and not self._is_thinking and not self._is_stopped:
            self._think()

    def _tell_of_file(self, notify: Callable[..., None]) -> None:
        """What became of the game's file; who closes the program reads it in the shell too."""
        for said in self.session.heard():
            notify(said, severity="warning", timeout=20, markup=False)
            getattr(self.app, "said", []).append(said)

    def _show_position(self) -> None:
        self._frames = self.session.frames(self._seat)
        if self._at is not None and self._at >= len(self._frames):
            self._at = None
        self._show_moment()
        shown = self._frames if self._at is None else self._frames[: self._at + 1]
        steps = [frame.step for frame in shown]
        self._show_steps(steps)
        self._journal.list.show([frame.step for frame in self._frames])
        width = max(20, self.query_one("#board").size.width - 1)
        line = step_line(steps[-1], self.presenter, width, self._bar.cite, lines=1) if steps else ""
        self.query_one("#current-step", Static).update(line)
        self._show_decision()

    def _show_steps(self, steps: Sequence[Step]) -> None:
        """The resolution. What the reader's own dice did stays in sight while others go on."""
        listed, first = self.query_one("#steps", StepList), self._first_shown()
        is_held = self._own is not None and not self.is_past and self.focused is not listed
        listed.follows = not is_held
        listed.show(steps[first:])
        if is_held and self._own is not None:
            listed.go_to(self._own[1] - 1 - first)

    def _show_moment(self) -> None:
        """The map, the status and the forces at the moment looked at."""
        state = self.session.position.draft if self._at is None else self._frames[self._at].state
        view = self.session.audience(self._seat).view(state)
        self.presenter.use(view)
        self._map.view = view
        self._show_hex()
        self._show_status()
        forces = Text()
        for panel in self.presenter.panels(view):
            forces.append(panel.heading + "\n", "bold underline")
            forces.append("\n".join(panel.lines) + "\n\n")
        self.query_one("#forces-text", Static).update(
            forces or _("This title keeps nothing beside the map.")
        )

    def _show_hex(self) -> None:
        """What is on the hex under the cursor, for whoever has its panel open."""
        if self._map.cursor is not None and self._panel == "units":
            self.query_one("#units-text", Static).update(self._describe(self._map.cursor))

    def _first_shown(self) -> int:
        """The first step of the resolution: that of the procedure of the last answer, or of the
        one that the past looks at."""
        passage = self._passage
        if self._at is not None:
            passage = min(passage, self._frames[self._at].passage)
        for index, frame in enumerate(self._frames):
            if frame.passage >= passage:
                return index
        return max(0, len(self._frames) - 1)

    def _show_status(self) -> None:
        view = self._map.view
        assert view is not None
        parts = list(self.presenter.headline(view))
        if not self.has_class("-narrow"):
            parts.append(self.session.scenario.name)
        if self.session.game.studio:
            parts.append(_("studio"))
        if self.is_past:
            parts.insert(0, _("IN THE PAST: Esc comes back"))
        if self.session.ledger is not None:
            parts.append(_("by post, mail {n}", n=len(self.session.ledger.mails)))
        elif self.session.header.real_dice:
            parts.append(_("real dice"))
        elif self.session.audience(self._seat).is_told_all:
            header = self.session.header
            words = _("chosen seed {seed}") if header.has_chosen_seed else _("seed {seed}")
            parts.append(words.format(seed=header.seed))
        first = parts[0][:1].upper() + parts[0][1:]
        self.query_one("#status", Static).update(fitting((first, *parts[1:]), self.app.size.width))

    def _show_decision(self) -> None:
        decision, outcome = self.session.decision, self.session.position.outcome
        lit: dict[Hex, str] = {}
        if outcome is not None and not self.is_past:
            said = ending(outcome, self.presenter)
            back = _("Backspace walks back through the game, M opens the menu.")
            if self.session.ledger is not None:
                self._offer_post(f"{said} {back}")
            else:
                self._bar.show(None, "", f"{said} {back}")
            self._last_refs = outcome.ruling.refs
        elif self.is_past:
            place, of = (self._at or 0) + 1, len(self._frames)
            words = _("In the past, line {place} of {of}. Space goes on, Esc comes back to the "
                      "game.", place=place, of=of)  # fmt: skip
            self._bar.show(None, "", words)
        elif self.session.is_away:
            self._offer_post()
        elif self.session.is_spent:
            self._bar.show(None, "", spent())
        elif decision is None:
            self._bar.show(None, "", _("Space goes on."))
        elif self.session.is_bot_turn:
            note = _("(the program thinks… Esc stops it)")
            if self._is_stopped and self._has_failed:
                note = _("Space has it answer at random, this once.")
                note = f"{self._failed[1]} {note}"
            elif self._is_stopped:
                note = _("(stopped: Space lets it go on)")
            who = self.presenter.army(decision.side).name
            self._bar.show(None, "", f"{who}: {self.presenter.say(decision.ruling.msg)}  {note}")
            self._last_refs = decision.ruling.refs
        else:
            who = self.presenter.army(decision.side).name
            self._bar.show(decision, who, view=self._map.view)
            self._last_refs = decision.ruling.refs
            lit = {h: o for o in (x.id for x in decision.options) if (h := self._hex_of(o))}
        self._map.options = tuple(lit)
        if decision is not None and decision is not self._asked:
            self._asked = decision
            self._follow_question(decision, not lit)
            self.call_after_refresh(self._show_marked)
        is_open = (
            decision is not None and not self.is_past and self.session.seats[decision.side] == HUMAN
        )
        refused = decision.refused if decision is not None and is_open else ()
        forbidden = {h for option in refused if (h := self._hex_of(option)) and h not in lit}
        self._map.refused = tuple(forbidden) if len(forbidden) <= MOST_CROSSES else ()
        self._show_overlays(self.session.overlays() if is_open else ())
        self._reckon()
        if self.idle_keys != self._idle:
            self._idle = self.idle_keys
            self.refresh_bindings()

    def _offer_post(self, said: str = "") -> None:
        """It is the turn of somebody elsewhere: what can be done about it here."""
        said = said or waiting(self.session)
        if self.session.is_old_post:
            self._bar.show(None, "", said)
        else:
            self._bar.offer(said, by_number(self.session))

    def _follow_question(self, decision: Decision, is_sole: bool) -> None:
        """The map shows what a question is about; where no answer lies on it, the cursor goes."""
        view, facts = self._map.view, decision.ruling.msg.facts
        assert view is not None
        for key in ("hex", "target", "unit"):
            name = str(facts.get(key, ""))
            hex = next((c.hex for c in view.counters if c.id == name), None)
            if key == "hex":
                with suppress(ValueError):
                    hex = view.hex_at(name)
            if hex is not None:
                if is_sole:
                    self._map.cursor = hex
                self._map.show(hex)
                return

    def _show_marked(self) -> None:
        """Bring the marked answer of a new question into sight, whatever has the focus; one that
        lies nowhere leaves the map to the others."""
        option = self._bar.marked
        hex = self._hex_of(option) if option is not None else None
        lit = [] if self.is_past else list(self._map.options)
        if hex is not None and hex in lit:
            self._map.show(hex)
        elif lit and not any(map(self._map.has_in_sight, lit)):
            self._map.show(lit[0])

    def _show_overlays(self, overlays: tuple[Overlay, ...]) -> None:
        by_id = {overlay.id: overlay.hexes for overlay in overlays}
        self._map.reachable = by_id.get("reach", {})
        self._map.in_range = tuple(by_id.get("range", {}))
        self._map.targets = by_id.get("targets", {})
        self._lay()

    def _lay(self) -> None:
        """Lay the chosen sheet over the map; over the past, what the step is about."""
        if self._at is not None:
            self._map.sheet, self._map.control = self._lit(self._at), {}
            return
        layers = self.session.layers() if self._layer else ()
        hexes = next((layer.hexes() for layer in layers if layer.id == self._layer), {})
        is_control = self._layer == "control"
        self._map.sheet, self._map.control = ({}, hexes) if is_control else (hexes, {})

    def _lit(self, at: int) -> dict[Hex, str]:
        """The hexes of a step and of the steps that it belongs to; the map follows the step."""
        view = self._map.view
        assert view is not None
        own, found = lit_at(self._frames, at, self.presenter, view)
        if own:
            self._map.cursor = next(iter(own))
            self._map.show(next(iter(own)))
        return found

    def _hex_of(self, option_id: str) -> Hex | None:
        """Where an option lies on the map."""
        view, decision = self._map.view, self.session.decision
        if view is None or decision is None:
            return None
        option = decision.option(option_id)
        if option is not None and option.hex is not None:
            return option.hex
        kind, _colon, name = option_id.partition(":")
        if kind == "u":
            whole = next((c.hex for c in view.counters if c.id == name), None)
            part = name.rpartition(":")[0]  # a weapon of a vehicle lies where the vehicle does
            return whole or next((c.hex for c in view.counters if part and c.id == part), None)
        if kind == "h":
            try:
                return view.hex_at(name)
            except ValueError:
                return None
        return None

    def _describe(self, hex: Hex) -> str:
        view = self._map.view
        if view is None:
            return ""
        told = [(self.presenter.say(r.msg), r.refs[0]) for r in self.session.inspect(hex)]
        once = {said for said, _ref in told}
        shown = [li for li in self.presenter.describe(view, hex).splitlines() if li not in once]
        label = view.label(hex) + ": "
        for place, (said, ref) in enumerate(told):
            words = said.removeprefix(label) if place or shown else said
            shown.append(f"{words}  {self._bar.cite(ref)}")
        return "\n".join(shown)

    # Answering

    @on(DecisionBar.Answered)
    def _answered(self, event: DecisionBar.Answered) -> None:
        if self._is_by_post:
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
        if self._is_by_post or not self._is_closed():
            self._bar.take(number)

    @property
    def _is_by_post(self) -> bool:
        """Whether the answers are those of the post."""
        return bool(self.session.ledger is not None and self.session.awaited) and not self.is_past

    def _is_closed(self) -> bool:
        """Whether nothing can be answered now; the person is told why."""
        closed = self._why_closed()
        if closed:
            self._bar.say(closed)
        return bool(closed)

    def _why_closed(self) -> str:
        """Why nothing can be answered now; empty if something can."""
        decision = self.session.decision
        if self.is_past:
            return _("This is the past: Esc comes back to the game.")
        if self.session.is_away:
            return _("Somebody elsewhere has to answer: 1 writes the mail, 2 takes one in.")
        if self.session.is_spent:
            return spent()
        if self.session.position.request is not None:
            return _("The dice wait: Space asks for them again.")
        if decision is None:
            return _("Nothing is asked now.")
        if self.session.is_bot_turn and self._is_stopped:
            return _("The program was stopped: Space lets it go on.")
        if self.session.is_bot_turn:
            return _("The program is thinking: Esc stops it.")
        return ""

    def action_group(self) -> None:
        """Mark the answer under the cursor, to be given with others."""
        option = self._bar.marked
        if self._map.has_focus and self._map.cursor is not None:
            option = next(iter(self._options_at(self._map.cursor)), None)
        if option is None or not self._bar.toggle(option, not self._map.has_focus):
            self._bar.say(self._why_closed() or _("There is no answer here to mark."))

    def action_forbidden(self) -> None:
        """List what is forbidden, or fold it."""
        if not self._bar.unfold():
            self._bar.say(self._why_closed() or _("Nothing is forbidden here."))
        self._bar.query_one("#answers").focus()

    def answer(self, option: str) -> bool:
        """Answer for the person; a refusal is shown with its rules. Whether it was taken."""
        return self._give((option,)) == 1

    def _answer_all(self, options: Sequence[str]) -> None:
        self._give(options)

    def _give(self, options: Sequence[str]) -> int:
        """Give answers one after the other while the same question is asked; how many."""
        decision = self.session.decision
        if self._is_closed() or decision is None:
            return 0
        asked = (decision.side, decision.id)
        passage, before = len(self.session.game.passages), len(self._frames)
        given = 0
        for option in options:
            decision = self.session.decision
            if decision is None or (decision.side, decision.id) != asked:
                break
            try:
                self.session.answer(option)
            except Refused as refused:
                if given:
                    self.update_table()
                self._refuse(option, refused.rulings)
                return given
            given += 1
        self._passage = passage
        self._follow_guide(is_own=True)
        self._frames = self.session.frames(self._seat)
        has_rolled = any(frame.step.chance is not None for frame in self._frames[before:])
        self._own = (before, len(self._frames)) if has_rolled else None
        if has_rolled:
            self._turn_to_steps("odds")
        if self._step_mode and before < len(self._frames) - 1:
            self._at = before
        self.update_table()
        return given

    def _refuse(self, option: str, rulings: tuple[Ruling, ...]) -> None:
        """Say why not; the same answer once more opens the rule."""
        self._last_refs = tuple(ref for ruling in rulings for ref in ruling.refs)
        decision = self.session.decision
        before, self._refused = self._refused, None
        if before is not None and before[0] is decision and before[1] == option:
            self.open_rule(self._last_refs[0])
            return
        self._refused = (decision, option) if decision is not None else None
        self._bar.refuse(self._bar.name_of(option), rulings)

    def _dice_typed(self, faces: tuple[int, ...] | None) -> None:
        if faces is not None:
            self.session.enter(faces)
            self.update_table()
        else:
            self._bar.say(_("The dice wait: Space asks for them again."))

    def _options_at(self, hex: Hex) -> list[str]:
        decision = self.session.decision
        options = decision.options if decision is not None else ()
        return [option.id for option in options if self._hex_of(option.id) == hex]

    @on(HexMap.HexSelected)
    def _hex_selected(self, event: HexMap.HexSelected) -> None:
        decision, view = self.session.decision, self._map.view
        if self._is_closed() or decision is None or view is None:
            return
        here = self._options_at(event.hex)
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
        refused = [o for o in decision.refused if self._hex_of(o) == event.hex]
        if self._go_along(event.hex):
            return
        if refused:
            self._refuse(refused[0], decision.why_not(refused[0]))
        else:
            stray = Ruling(decision.ruling.refs, Msg(N_("it is not among the answers")))
            self._refuse(f"h:{view.label(event.hex)}", (stray,))

    def _go_along(self, target: Hex) -> bool:
        """Walk to a far hex as several small answers, stopping at the first other question."""
        view, decision = self._map.view, self.session.decision
        if view is None or decision is None:
            return False
        near = {h for option in decision.options if option.id[:2] == "h:"
                if (h := self._hex_of(option.id))}  # fmt: skip
        path: Sequence[Hex] = ()
        for overlay in self.session.overlays():
            if target in overlay.paths:
                path = overlay.paths[target][1:]
            elif overlay.id == "reach" and target in overlay.hexes:
                path = path_to(target, overlay.hexes, near)
        return bool(path) and self._give([f"h:{view.label(hex)}" for hex in path]) > 0

    @on(DecisionBar.Marked)
    def _answer_marked(self, event: DecisionBar.Marked) -> None:
        hex = self._hex_of(event.option)
        if hex is not None and not self._map.has_focus:
            self._map.cursor = hex

    @careful(N_("The program could not answer for you."), "_tell_fault")
    def action_delegate(self) -> None:
        """The program answers this question for the person, until another one is asked."""
        if self._is_closed():
            return
        self._passage, self._own = len(self.session.game.passages), None
        given = self.session.delegate()
        self._follow_guide(is_own=True)
        self.update_table()
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
        try:
            option, reason = await self._bots.choose(self.session.game.entries, levels[-1])
        except BotFailed:
            self._bar.say(_("No advice could be had."))
            return
        if self.session.decision is decision and self.is_attached:
            self._bar.mark(option)
            why = self.presenter.say(reason) if reason is not None else ""
            said = _("Advice: {answer}. {why}", answer=self._bar.words_of(option), why=why)
            self._bar.say(said.strip())

    # The program's turn

    @background(N_("The program's player failed."), "_stop_bot", exclusive=True, group="bot")
    async def _think(self) -> None:
        worker = self._thought = get_current_worker()
        try:
            while self.session.is_bot_turn and not worker.is_cancelled:
                level = RANDOM if self._has_failed else ""
                option, reason = await self._bots.choose(self.session.game.entries, level)
                if worker.is_cancelled or not self.display:  # the table is being cleared away
                    return
                self._take_bot_answer(option, reason)
                if reason is not None:
                    self._bar.say(self.presenter.say(reason))
        except BotFailed:
            # Its process cannot be had: think here, at the price of a less lively screen.
            self._take_bot_answer(*self.session.bot_choice(level))
        finally:
            if self._thought is worker:
                self._thought = None
        self.update_table()

    def _give_up_thought(self) -> None:
        """The program's player need not answer what it was asked."""
        self.workers.cancel_group(self, "bot")
        self._thought = None

    def _stop_bot(self, said: str) -> None:
        """After a fault of its player the program waits; Space has it answer at random, once."""
        self._failed, self._is_stopped = (self.session.decision, said), True
        self._show_decision()

    def _take_bot_answer(self, option: str, reason: Msg | None) -> None:
        self.session.answer(option, reason)
        if self._step_mode and self._at is None:
            return
        self._show_position()
        facts = self._frames[-1].step.ruling.msg.facts if self._frames else {}
        for key in ("target", "unit", "hex"):
            hex = self._hex_of(("h:" if key == "hex" else "u:") + str(facts.get(key, "")))
            if hex is not None:
                self._map.show(hex)
                break

    # Walking the steps

    def action_step_mode(self) -> None:
        """Run at once, or one step at a time."""
        self._step_mode = not self._step_mode
        on_or_off = _("on") if self._step_mode else _("off")
        self.notify(_("Step by step: {state}", state=on_or_off))

    def action_step(self, by: int) -> None:
        """Go a step forward or back in what happened; forward from now lets the program go on."""
        if by > 0 and self._at is None:
            if self._is_stopped or self.session.position.request is not None:
                self._is_stopped = False
                self.update_table()
            else:
                self._bar.say(_("This is the present: Backspace walks back through the game."))
            return
        if not self._frames or (by < 0 and self._at == 0):
            self._bar.say(_("Nothing has happened before this."))
            return
        self._turn_to_steps("odds", "rule")
        at = (len(self._frames) - 1 if self._at is None else self._at) + by
        self._at = None if at >= len(self._frames) - 1 else max(0, at)
        self.update_table()
        index = len(self._frames) - 1 if self._at is None else self._at
        self._journal.list.go_to(index)

    def _turn_to_steps(self, *panels: str) -> None:
        """Where one of these panels is open, the resolution takes its place."""
        if self._panel in panels:
            if self._is_at_side:
                self.query_one("#answers").focus()
            self.query_one("#panels", ContentSwitcher).current = "steps"
            self.query_one("#panel-tabs", Tabs).active = "tab-steps"

    def action_tell(self, what: str) -> None:
        """Say where a key of the first screen leads to from here."""
        self._bar.say({
            "quit": _("M opens the menu, which ends the program; Ctrl+Q does so at once."),
            "games": _("M opens the menu: leave the table, and the saved games are there."),
        }[what])  # fmt: skip

    def action_journal(self) -> None:
        """Walk the whole game, or go back from there to the answers."""
        if self._journal.list.has_focus:
            self._leave_side()
            return
        self._open_side()
        self.add_class("-journal")
        self._journal.list.focus()

    def action_lines(self) -> None:
        """The lines of this game that applied the rule shown, or the one last cited."""
        ref = self.query_one(RulePane).ref or (self._last_refs[0] if self._last_refs else "")
        if not ref:
            self._bar.say(_("Open a rule first: R."))
            return
        self._open_side()
        self.add_class("-journal")
        found = self._journal.only_citing(ref)
        self._journal.list.focus()
        self.notify(_n("{n} line of this game applied it.", "{n} lines of this game applied it.",
                       n=found))  # fmt: skip

    @on(StepList.Marked)
    def _line_marked(self, event: StepList.Marked) -> None:
        if not event.sender.has_focus:
            return
        offset = 0 if event.sender.id == "journal" else self._first_shown()
        at, was_past = offset + event.index, self.is_past
        self._at = None if at >= len(self._frames) - 1 else at
        self._show_moment()
        if was_past and not self.is_past:
            self.update_table()  # back in the present, whoever is next goes on
        elif self.is_past:
            self._show_decision()
        self._last_refs = event.step.ruling.refs

    @on(StepList.Chosen)
    def _line_chosen(self, event: StepList.Chosen) -> None:
        self._last_refs = event.step.ruling.refs
        self.open_rule(event.step.ruling.refs[0])

    # Panels

    def open_rule(self, ref: str) -> None:
        """Open a rule beside the map."""
        self._last_refs = (ref, *[other for other in self._last_refs if other != ref])
        self.action_panel("rule")

    def action_panel(self, name: str) -> None:
        """Show a panel, or go back from it to the answers."""
        is_covered = self.has_class("-narrow") and self.has_class("-journal")
        is_open = self._panel == name and not is_covered
        pane, panels = self.query_one(RulePane), self.query_one("#panels", ContentSwitcher)
        is_news = name == "rule" and self._last_refs[:1] != (pane.ref,)
        if is_open and not is_news and self.focused and panels in self.focused.ancestors:
            self._leave_side()
            return
        self._open_side()
        self.remove_class("-journal")
        panels.current = name
        self.query_one("#panel-tabs", Tabs).active = f"tab-{name}"
        if name == "rule":
            if self._last_refs and pane.ref != self._last_refs[0]:
                pane.open(self._last_refs[0])
        elif name == "odds":
            self._reckon()
        self._show_hex()
        # What is read has the arrows; odds, and the hex shown, which follows the cursor of a map in
        # sight, have them when their letter is pressed again.
        if name not in ("odds", "units") or self.has_class("-narrow") or is_open:
            self._focus_panel()

    @on(Tabs.TabActivated, "#panel-tabs")
    def _tab(self, event: Tabs.TabActivated) -> None:
        name = str(event.tab.id).removeprefix("tab-")
        switcher = self.query_one("#panels", ContentSwitcher)
        if switcher.current != name:
            switcher.current = name
            self._show_hex()
            if name == "odds":
                self._reckon()
            elif name == "rule" and self._last_refs and not self.query_one(RulePane).ref:
                self.query_one(RulePane).open(self._last_refs[0])

    def _open_side(self) -> None:
        self.add_class("-side-open")

    def action_side(self) -> None:
        """Open or close the panel over a narrow map; beside a wide one, go there and back."""
        is_narrow = self.has_class("-narrow")
        if self.has_class("-side-open") if is_narrow else self._is_at_side:
            self._leave_side()
        elif is_narrow:
            self._open_side()
        else:
            self._focus_panel()

    def _focus_panel(self) -> None:
        """Give the arrows to the panel that is open."""
        rule = self.query_one(RulePane)
        (rule.view if self._panel == "rule" else self.query_one(f"#{self._panel}")).focus()

    def _leave_side(self) -> None:
        """Back from the panels to the answers, and to a narrow map that they cover."""
        if self._journal.is_filtered:
            self._journal.show_all()
        self.remove_class("-side-open", "-journal")
        self.query_one("#answers").focus()

    @property
    def _is_at_side(self) -> bool:
        """Whether the focus is in the panels."""
        return self.focused is not None and self.query_one("#side") in self.focused.ancestors

    def watch_focused(self, focused: Widget | None) -> None:
        """Where what had the focus has gone out of sight, the answers have it."""
        if focused is None and self.is_current and self.app.app_focus:
            self.call_later(self.query_one("#answers").focus)

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
        layers = self.session.layers()
        ids = ["", *[layer.id for layer in layers]]
        place = (ids.index(self._layer) + 1 if self._layer in ids else 1) % len(ids)
        self._layer = ids[place]
        self._lay()
        if place:
            what = self.presenter.say(layers[place - 1].msg)
            if not self._map.sheet and not self._map.control:
                what = _("{what}: nothing to show now", what=what)
            self._bar.say(_("On the map: {what} ({place} of {of})", what=what, place=place,
                            of=len(layers)))  # fmt: skip
        else:
            self._bar.say(_("Nothing more lies over the map.") if layers
                          else _("This title has nothing to lay over the map."))  # fmt: skip

    # Odds

    def _reckon(self) -> None:
        """Count the odds of what is asked, for the panel and for the targets on the map."""
        if self._counting is not self.session.decision or self.is_past:
            self.workers.cancel_group(self, "odds")
            self._counting = None
        panel = self.query_one(OddsPanel)
        is_human = self.session.decision is not None and not self.session.is_bot_turn
        is_open = is_human and not self.is_past and not self.session.is_away
        questions = self.session.questions() if is_open else ()
        decision = self.session.decision
        if not questions or decision is None:
            foretold = self._foretold()
            panel.show((), "" if foretold else self._why_no_odds(is_open), foretold)
        elif self._reckoned is not None and self._reckoned[0] is decision:
            self._counted(*self._reckoned)
        elif self._uncounted is not None and self._uncounted[0] is decision:
            panel.show((), self._uncounted[1], self._foretold())
        elif self._counting is decision:
            pass  # it goes on, and shows what it has
        else:
            panel.show((), _("Reckoning…"))
            self._counting = decision
            self._count(self.session.position, questions)

    def _why_no_odds(self, is_open: bool) -> str:
        """What the odds panel says where there are none."""
        nothing = _("There is nothing to reckon here.")
        if not is_open:
            return nothing
        later = _("The odds of a roll are shown at the question before it: choose what to do and "
                  "the weapons, and they are here when the target is asked.")  # fmt: skip
        return f"{nothing}\n\n{later}"

    def _foretold(self) -> list[tuple[Fraction, Ruling]]:
        """What the rules foretell of the units of the seat, the worst first."""
        view = self._map.view
        if view is None or self._panel != "odds":
            return []
        own = {c.hex for c in view.counters if c.side == self._seat and c.hex is not None}
        hexes = [h for h in view.board.hexes() if h in own]
        told = [(chance_in(ruling), ruling) for h in hexes for ruling in self.session.inspect(h)]
        found = [(chance, ruling) for chance, ruling in told if chance]
        fire = [pair for pair in found if "chance" in pair[1].msg.facts]
        rest = [pair for pair in found if "chance" not in pair[1].msg.facts]
        return [*sorted(fire, key=lambda pair: -pair[0]), *rest]

    @background(N_("The odds could not be counted."), "_count_failed", "thread", exclusive=True,
                group="odds")  # fmt: skip
    def _count(self, position: Position[Any], questions: tuple[Question, ...]) -> None:
        worker, decision = get_current_worker(), position.decision
        assert decision is not None
        found: list[Odds] = []
        best: dict[str, Fraction] = {}
        for place, question in enumerate(questions, start=1):
            if worker.is_cancelled:
                return
            try:
                odds = self.session.odds(question, position)
            except OverBudget:
                continue
            if worker.is_cancelled:
                return
            found.append(odds)
            chance = self.presenter.chance(odds.spread)
            if chance is not None and question.commands:
                option = question.commands[0].option
                best[option] = max(best.get(option, chance), chance)
            if place < len(questions):
                note = _("Reckoning… {done} of {all}", done=place, all=len(questions))
                later(self, self._counted, decision, tuple(found), dict(best), note)
        later(self, self._counted, decision, tuple(found), best)

    def _count_failed(self, said: str, position: Position[Any], _questions: object) -> None:
        decision = position.decision
        if decision is not None and decision is self.session.decision:
            self._counting, self._uncounted = None, (decision, said)
            self._reckon()

    def _counted(
        self, decision: Decision, found: tuple[Odds, ...], best: dict[str, Fraction], note: str = ""
    ) -> None:
        if not self.is_attached or decision is not self.session.decision:
            return
        if not note:
            self._reckoned, self._counting = (decision, found, best), None
            note = "" if found else _("There are too many cases to count them all.")
            if not self.is_past:
                self._bar.foretell(best)
        self.query_one(OddsPanel).show(found, note, self._foretold())
        shares = {h: share for option, share in best.items() if (h := self._hex_of(option))}
        if shares and not self.is_past:
            self._map.targets = {h: badge(share) for h, share in shares.items()}

    @on(HexMap.CursorMoved)
    def _cursor_moved(self, event: HexMap.CursorMoved) -> None:
        self._show_hex()
        if self._sight_from is not None:
            self._trace(event.hex)

    # Sight

    def action_sight(self) -> None:
        """Draw the line of sight from the cursor; again to stop."""
        self._show_map()
        if self._sight_from is not None:
            self._sight_from = None
            self._map.sight = None
            self._bar.say("")
            return
        if self._map.cursor is None:
            self._map.action_step("up")
        self._sight_from = self._map.cursor
        self._bar.say(_("Sight from here: move the cursor to the other hex. V stops."))
        self._map.focus()

    def _trace(self, target: Hex) -> None:
        assert self._sight_from is not None
        seen = self.session.sight(self._sight_from, target)
        self._map.sight = seen
        if seen is None:
            self._bar.say(_("This title does not tell sight beforehand."))
            return
        words = {True: _("clear"), False: _("blocked"), None: _("not to be known yet")}[seen.clear]
        reasons = "; ".join(
            f"{self.presenter.say(r.msg)} ({self._bar.cite(r.refs[0])})" for r in seen.rulings
        )
        self._last_refs = tuple(ref for ruling in seen.rulings for ref in ruling.refs)
        self._bar.say(_("Sight: {what}. {why}", what=words, why=reasons))

    # The guide

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of the guide are there in a game that has one."""
        if action == "guide":
            return self._guide is not None
        return super().check_action(action, parameters)

    def _follow_guide(self, is_own: bool = False) -> None:
        """Let the guide see what happened, after an answer of the reader or not."""
        if self._guide is None:
            return
        self._guide.follow(self.session.decision, self.session.game.steps, is_own)
        self._show_guide()

    def _show_guide(self) -> None:
        """Show the lesson, and remember it with the game."""
        assert self._guide is not None
        self.query_one(GuideBox).show()
        self.session.keep(self._guide.note)

    def action_guide(self, what: str) -> None:
        """Open the rule of the lesson, leaf through the lessons, close the guide or open it."""
        guide, box = self._guide, self.query_one(GuideBox)
        if guide is None:
            return
        lesson = guide.lesson
        if what == "switch" and lesson is None:
            guide.is_open = True
            self._show_map()
        elif lesson is None:
            self._bar.say(_("The guide is closed: F6 opens it again."))
            return
        elif what == "rule":
            self.open_rule(lesson.ref)
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
            self._bar.say(_("The guide is closed: F6 opens it again."))
        self._show_guide()
        self.query_one("#answers").focus()

    # Taking back, leaving

    def action_undo(self) -> None:
        """Take back the last answer."""
        self._take_back(studio=False)

    def action_studio_undo(self) -> None:
        """Take back the last answer and its dice: the save will say so."""
        self._take_back(studio=True)

    def _take_back(self, studio: bool) -> None:
        try:
            self.session.undo(studio)
        except UndoRefused as refused:
            words = self.presenter.say(refused.msg)
            can_study = not studio and self.session.ledger is None
            self._bar.say(words + (" " + _("Ctrl+U is studio mode.") if can_study else ""))
            return
        self._give_up_thought()
        self._at = self._own = None
        self._passage = len(self.session.game.passages)
        self.update_table()
        self._bar.say(_("Taken back. Y repeats it."))

    def action_redo(self) -> None:
        """Repeat what was taken back."""
        passage = len(self.session.game.passages)
        try:
            self.session.redo()
        except UndoRefused as refused:
            self._bar.say(self.presenter.say(refused.msg))
            return
        self._give_up_thought()
        self._passage = passage
        self.update_table()

    def action_search(self) -> None:
        """Look something up in the rules of this title."""
        from app.screens.rules import RulesScreen

        self.app.push_screen(RulesScreen())

    def action_leave(self) -> None:
        """Close what is open: the past, the sight, the panel, a thought; last, the menu."""
        if self._is_thinking:
            self._give_up_thought()
            self._is_stopped = True
            self._show_decision()
        elif self._is_at_side and self._journal.is_filtered and self._journal.display:
            self._journal.show_all()
            self._journal.list.focus()
        elif self.is_past:
            self._at = None
            self.query_one("#answers").focus()
            self.update_table()
            self._journal.list.go_to(len(self._frames) - 1)
        elif self._sight_from is not None:
            self.action_sight()
        elif self._is_at_side or (self.has_class("-narrow") and self.has_class("-side-open")):
            self._leave_side()
        elif not self._bar.widen():
            self._open_menu()

    def _open_menu(self) -> None:
        guide = {}
        if self._guide is not None:
            guide = {"guide": _("Close the guide") if self._guide.is_open else _("Open the guide")}
        values = {
            "back": _("Back to the table"),
            "help": _("Help"),
            "steps": _("Stop at every step") if not self._step_mode else _("Run without stopping"),
            **guide,
            **({"studio": _("Undo dice too (studio)")} if self.session.ledger is None else {}),
            **({"take_in": _("Take in the mail that came")} if self.session.ledger else {}),
            "home": _("Leave the table (the game is saved)"),
            "quit": _("Quit"),
        }
        self.app.push_screen(ChoiceScreen(_("Menu"), values, "back"), self._menu_chosen)

    def _menu_chosen(self, what: str | None) -> None:
        if what == "help":
            self.call_later(self.app.run_action, "explain")
        elif what == "steps":
            self.action_step_mode()
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
        passage = len(self.session.game.passages)
        try:
            self.session.receive(letter, titles.TITLES)
        except SaveError as error:
            self._bar.say(self.presenter.say(error.msg))
            return
        self._at, self._passage = None, passage
        self.update_table()

    def go_to(self, hex: Hex) -> None:
        """Show a hex."""
        self._map.cursor = hex
        self._map.centre_on(hex)
        self._map.focus()
