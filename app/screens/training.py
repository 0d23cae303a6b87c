"""Training: what to be asked about, then questions at real positions with their rules beside."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from app.play.citing import Cite, cite_from, not_yet
from app.play.progress import Progress, Score
from app.play.training import ANYTHING, Drill, Level, Sort, Trainer, Wanted
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from app.rules.library import LIBRARY
from app.rules.notes import Notebook
from app.screens.room import fit, fitting
from app.shell import config, streams
from app.shell.i18n import _, _n
from app.widgets.background import background
from app.widgets.hexmap import HexMap
from app.widgets.later import Later, later
from app.widgets.odds_panel import rows_text
from app.widgets.page_view import PageView
from app.widgets.rule_pane import RulePane
from app.widgets.steady import Steady
from engine import titles
from engine.core.hexes import Hex
from engine.core.text import N_
from rules_it.corpus import Corpus

LEVELS: dict[str, tuple[Level | None, str]] = {
    "all": (None, N_("All questions")),
    "easy": (Level.EASY, N_("Easy: one rule decides")),
    "hard": (Level.HARD, N_("Hard: several rules, or odds")),
}
EVERYTHING = "*"
"""The row of all chapters."""
COLUMN = 8
"""The width of a number beside the name of a chapter."""


class TrainingScreen(Steady[None]):
    """Which title, how hard, which chapter; with how every chapter was answered so far."""

    AUTO_FOCUS = "#train-titles"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", _("Back")),
        Binding("f5", "begin", _("Begin")),
        Binding("right", "app.focus_next", _("Next list"), show=False),
        Binding("left", "app.focus_previous", _("List before"), show=False),
    ]
    DEFAULT_CSS = """
    TrainingScreen OptionList {
        border: round $primary 60%; border-title-color: $primary; background: $surface;
        padding: 0; text-wrap: nowrap; text-overflow: ellipsis;
        border-subtitle-color: $foreground 80%;
    }
    TrainingScreen OptionList:focus { border: round $accent; }
    TrainingScreen OptionList > .option-list--option { padding: 0 1; }
    TrainingScreen #train-intro { height: auto; padding: 0 1; margin-bottom: 1; }
    TrainingScreen #train-lists { height: 1fr; }
    TrainingScreen #train-left { width: 34; }
    TrainingScreen #train-titles, TrainingScreen #train-levels { height: auto; }
    TrainingScreen #train-about { height: 1fr; padding: 0 1; color: $foreground 80%; }
    TrainingScreen #train-chapters { width: 1fr; height: 1fr; }
    """

    def __init__(self, slug: str = "") -> None:
        super().__init__()
        known = list(titles.TITLES)
        self._slug = slug if slug in titles.TITLES else known[0]
        self._level = "all"
        self._corpus: Corpus | None = None
        self._found: dict[str, list[str]] = {}  # the chapters of a title that can be asked about
        self._looking = ""
        self.progress: Progress | None = None

    def compose(self) -> ComposeResult:
        """Titles and levels on the left, chapters on the right."""
        said = _("Questions from real positions: is it allowed? what happens? Each answer comes "
                 "with the rules that decide it.")  # fmt: skip
        yield Static(said, id="train-intro", markup=False)
        with Horizontal(id="train-lists"):
            with Vertical(id="train-left"):
                names = [Option(t.info.name.partition(":")[0], id=s)
                         for s, t in titles.TITLES.items()]  # fmt: skip
                listing = OptionList(*names, id="train-titles", markup=False)
                listing.border_title = _("Title")
                yield listing
                levels = [Option(_(words), id=id) for id, (_level, words) in LEVELS.items()]
                listing = OptionList(*levels, id="train-levels", markup=False)
                listing.border_title = _("Difficulty")
                yield listing
                yield Static("", id="train-about", markup=False)
            listing = OptionList(id="train-chapters", markup=False)
            listing.border_title = _("Chapters")
            listing.border_subtitle = _("Enter begins")
            yield listing
        yield Footer(compact=True, show_command_palette=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Training"), _(
            "Choose a title, how hard the questions are and a chapter, or all of them; Enter on a "
            "chapter or F5 begins. Beside each chapter: how often its rules were asked, how many "
            "answers were right, how many rules are due again. A rule that you know rests longer "
            "and longer, up to three weeks; a wrong answer brings it back at once. Chapters with "
            "an exclamation mark want more training."
        )

    def on_mount(self) -> None:
        """Mark the title; then find out what can be asked."""
        ids = list(titles.TITLES)
        self.query_one("#train-titles", OptionList).highlighted = ids.index(self._slug)
        self.query_one("#train-levels", OptionList).highlighted = 0
        self._load()

    def on_screen_resume(self) -> None:
        """Somebody comes in, or back from the questions."""
        self.progress = Progress(tell=self._tell)
        self._show()

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _tell(self, said: str) -> None:
        self.notify(said, severity="warning", timeout=12, markup=False)

    @background(N_("The training cannot be opened."), "_tell", "thread")
    def _load(self) -> None:
        later(self, self._ready, LIBRARY.open_corpus())

    def _ready(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._look()
        self._show()

    def _look(self) -> None:
        """Find out which chapters of the title can be asked about."""
        if self._corpus is not None and self._slug not in self._found:
            self._looking = self._slug
            self._survey(self._corpus, self._slug)

    @background(N_("The chapters cannot be listed."), "_survey_failed", "daemon")
    def _survey(self, corpus: Corpus, slug: str) -> None:
        trainer = Trainer(titles.TITLES[slug], corpus)
        found = trainer.chapters(lambda: self._looking == slug and self.is_attached)
        if found:
            later(self, self._surveyed, slug, found)

    def _survey_failed(self, said: str, _corpus: Corpus, _slug: str) -> None:
        self._tell(said)

    def _surveyed(self, slug: str, found: list[str]) -> None:
        self._found[slug] = found
        if slug == self._slug:
            self._show()

    # Showing

    def on_resize(self, _event: events.Resize) -> None:
        """The columns end at the right edge."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        """The chapters with what is known of them; the mark stays where it was."""
        listing = self.query_one("#train-chapters", OptionList)
        corpus, progress = self._corpus, self.progress
        if corpus is None or progress is None:
            return
        scores = {one.chapter: one for one in progress.scores(corpus, self._slug)}
        order = [chapter.title for chapter in corpus.books[self._slug].chapters]
        names = {*scores, *self._found.get(self._slug, [])}
        shown = sorted(names, key=lambda one: order.index(one) if one in order else len(order))
        asked, right, due = (sum(parts) for parts in zip(
            (0, 0, 0), *((one.asked, one.right, one.due) for one in scores.values()), strict=True
        ))  # fmt: skip
        whole = Score("", asked, right, due)
        room = listing.size.width - 4  # its padding, and a scroll bar
        rows = [Option(_heading(room), disabled=True)]
        rows += [Option(_row(_("All chapters"), whole, room), id=EVERYTHING)]
        rows += [Option(_row(name, scores.get(name, Score(name)), room), id=name) for name in shown]
        marked = listing.highlighted_option
        before = marked.id if marked is not None else EVERYTHING
        ids = [row.id for row in rows]
        listing.clear_options()
        listing.add_options(rows)
        listing.highlighted = ids.index(before) if before in ids else 1
        self._show_about(whole, [one for one in scores.values() if one.is_weak])

    def _show_about(self, whole: Score, weak: list[Score]) -> None:
        parts = []
        if self._slug not in self._found:
            parts.append(_("Looking for chapters to ask about…"))
        if whole.due:
            parts.append(_n("{n} rule is due: it comes first.", "{n} rules are due: they come "
                            "first.", n=whole.due))  # fmt: skip
        if weak:
            worst = min(weak, key=lambda one: one.share or 0)
            parts.append(_("Weakest: {chapter}.", chapter=worst.chapter))
        self.query_one("#train-about", Static).update("\n".join(parts))

    # Choosing

    @on(OptionList.OptionHighlighted, "#train-titles")
    def _turned(self, event: OptionList.OptionHighlighted) -> None:
        if event.option.id and event.option.id != self._slug:
            self._slug = event.option.id
            self._look()
            self._show()

    @on(OptionList.OptionHighlighted, "#train-levels")
    def _weighed(self, event: OptionList.OptionHighlighted) -> None:
        self._level = event.option.id or "all"

    @on(OptionList.OptionSelected, "#train-titles")
    @on(OptionList.OptionSelected, "#train-levels")
    def _entered(self) -> None:
        self.query_one("#train-chapters").focus()

    @on(OptionList.OptionSelected, "#train-chapters")
    def _chosen(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        """Ask."""
        listing = self.query_one("#train-chapters", OptionList)
        marked = listing.highlighted_option
        chapter = marked.id if marked is not None and marked.id != EVERYTHING else ""
        level, _words = LEVELS[self._level]
        self.app.push_screen(DrillScreen(self._slug, Wanted(chapter or "", level)))


def _heading(room: int) -> Text:
    """What the columns say."""
    names = (_("times asked"), _("answered rightly"), _("due again"))
    numbers = "".join(name.rjust(COLUMN) for name in names)
    return Text(("  " + _("Chapter")).ljust(max(10, room - len(numbers))) + numbers, "dim")


def _row(name: str, score: Score, room: int) -> Text:
    """A chapter with its numbers at the right edge."""
    share = f"{round(score.share * 100)}%" if score.share is not None else "-"
    parts = (str(score.asked or "-"), share, str(score.due or "-"))
    numbers = "".join(part.rjust(COLUMN) for part in parts)
    mark = "! " if score.is_weak else "  "
    wide = max(8, room - len(numbers) - len(mark))
    shown = name if len(name) <= wide else name[: wide - 1] + "…"
    style = "bold" if score.is_weak else ""
    return Text.assemble((mark, "bold"), (shown.ljust(wide), style), (numbers, ""))


class DrillScreen(Steady[None]):
    """A question, its position on the map, and after the answer the rule beside it."""

    AUTO_FOCUS = "#drill-answers"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,R", "rule", _("Rule"), key_display="R"),
        Binding("z,Z", "zoom", _("Size of the map"), key_display="Z", show=False),
        Binding("pagedown", "scroll_why(1)", _("Scroll"), show=False, priority=True),
        Binding("pageup", "scroll_why(-1)", _("Scroll"), show=False, priority=True),
        Binding("escape", "leave", _("Back")),
    ]
    DEFAULT_CSS = """
    DrillScreen #drill { height: 1fr; layout: horizontal; }
    DrillScreen #drill-board { width: 1fr; height: 1fr; }
    DrillScreen #drill-side { width: 54; height: 1fr; }
    DrillScreen.-wide #drill-side { width: 76; }
    DrillScreen #drill-box {
        height: auto; max-height: 60%; border: round $primary 60%; background: $surface;
        border-title-color: $primary; padding: 0 1; border-subtitle-color: $foreground 80%;
    }
    DrillScreen #drill-box.-right { border: round $success; border-title-color: $success; }
    DrillScreen #drill-box.-wrong { border: round $error; border-title-color: $error; }
    DrillScreen #drill-answers {
        height: auto; border: round $primary 60%; background: $surface; padding: 0;
    }
    DrillScreen #drill-answers:focus { border: round $accent; }
    DrillScreen #drill-answers > .option-list--option { padding: 0 1; }
    DrillScreen #drill-answers { border-title-color: $primary; }
    DrillScreen #drill-notes {
        height: auto; max-height: 1fr; border: round $primary 60%; background: $surface;
        border-title-color: $primary; padding: 0 1;
    }
    DrillScreen.-narrow #drill-notes, DrillScreen.-answered #drill-notes,
    DrillScreen.-bare #drill-notes { display: none; }
    DrillScreen #drill-side RulePane { height: 1fr; display: none; }
    DrillScreen.-answered #drill-side RulePane { display: block; }
    DrillScreen.-narrow #drill { layout: vertical; }
    DrillScreen.-narrow #drill-board { width: 100%; height: 1fr; min-height: 5; }
    DrillScreen.-narrow #drill-side { width: 100%; height: auto; max-height: 75%; }
    DrillScreen.-narrow #drill-box { max-height: 11; }
    DrillScreen.-narrow #drill-side RulePane { display: none; }
    DrillScreen.-narrow.-rule-open #drill-board { display: none; }
    DrillScreen.-narrow.-rule-open #drill-box { display: none; }
    DrillScreen.-narrow.-rule-open #drill-side { height: 1fr; max-height: 100%; }
    DrillScreen.-narrow.-rule-open #drill-side RulePane { display: block; }
    """

    def __init__(self, slug: str, wanted: Wanted = ANYTHING, seed: int | None = None) -> None:
        super().__init__()
        self._slug = slug
        self._wanted = wanted
        self._seed = random.randrange(1, 1_000_000) if seed is None else seed
        self.presenter: Presenter = presenter_for(slug)
        self._cite: Cite = not_yet
        self._trainer: Trainer | None = None
        self._ready: Drill | None = None  # prepared while the player thinks
        self._is_busy = self._is_left = False
        self._note = _("A position is being looked for…")
        self._shown = 0  # the next ruling that R opens
        self.drill: Drill | None = None
        self.choice: int | None = None
        self.progress: Progress | None = None
        self.asked = self.right = 0

    def compose(self) -> ComposeResult:
        """The map; the question, its answers and its rule."""
        yield Static("", id="status", markup=False)
        with Horizontal(id="drill"):
            with Vertical(id="drill-board"):
                yield HexMap(self.presenter, id="map", describe=self._describe)
            with Vertical(id="drill-side"):
                with VerticalScroll(id="drill-box", can_focus=False) as box:
                    box.border_title = _("Training")
                    yield Static(self._note, id="drill-text", markup=False)
                yield OptionList(id="drill-answers", markup=False)
                with VerticalScroll(id="drill-notes", can_focus=False) as notes:
                    notes.border_title = _("What is there")
                    yield Static("", id="drill-there", markup=False)
                yield RulePane(id="rule")
        yield Footer(compact=True, show_command_palette=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Training"), _(
            "A position of a game that the program has played, seen by the side that is asked. "
            "Answer with a number, with the arrows and Enter, or with a click; S and N are yes "
            "and no. Then the rules that decide are told: Page Down scrolls them, R opens them "
            "one after the other, Enter asks again. On the map a question mark lies on what is "
            "asked about; after the answer what is allowed is lit and what is forbidden is "
            "crossed out. Esc leaves; what you know is kept."
        )

    def on_mount(self) -> None:
        """Paint first; then look for a position."""
        settings: config.Settings = getattr(self.app, "settings", config.Settings())
        self._plain = settings.ascii or streams.is_plain()
        self.query_one(HexMap).plain = self._plain
        self.query_one(PageView).is_at_table = self.query_one(RulePane).is_at_table = True
        self.progress = Progress(tell=self._tell)
        fit(self)
        self._prepare()

    def on_unmount(self) -> None:
        """Nobody waits for the next question any more."""
        self._is_left = True

    def on_resize(self, _event: events.Resize) -> None:
        """Beside the map, or below it."""
        fit(self)
        self.call_after_refresh(self._write)

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _tell(self, said: str) -> None:
        self.notify(said, severity="warning", timeout=12, markup=False)

    def _describe(self, hex: Hex) -> str:
        view = self.query_one(HexMap).view
        return self.presenter.describe(view, hex) if view is not None else ""

    # Preparing

    def _prepare(self) -> None:
        """Have the next question made, unless one is there or under way."""
        if not self._is_busy and self._ready is None:
            self._is_busy = True
            self._make()

    @background(N_("No question could be made."), "_failed", "daemon")
    def _make(self) -> None:
        if self._trainer is None:
            corpus = LIBRARY.open_corpus()
            later(self, self._use_texts, corpus)
            title = titles.TITLES[self._slug]
            self._trainer = Trainer(title, corpus, self._seed, self._wanted)
        later(self, self._made, self._trainer.next(self.progress, lambda: not self._is_left))

    def _failed(self, said: str) -> None:
        self._is_busy = False
        self._note = said
        self._tell(said)
        self._write()

    def _use_texts(self, corpus: Corpus) -> None:
        self._cite = cite_from(corpus)
        self.query_one(RulePane).use(corpus, Notebook(), self._slug)

    def _made(self, drill: Drill | None) -> None:
        self._is_busy = False
        self._ready = drill
        if drill is None and self.drill is None:
            self._note = _("No question about this was found. Esc goes back: choose another "
                           "chapter.")  # fmt: skip
            self._write()
        elif self.drill is None:
            self._ask()

    def _ask(self) -> None:
        """Show the question that is ready."""
        self.drill, self._ready, self.choice, self._shown = self._ready, None, None, 0
        self.remove_class("-answered", "-rule-open")
        self._show()
        self._prepare()

    # Showing

    def _show(self) -> None:
        """The question: position, words, answers."""
        drill, map = self.drill, self.query_one(HexMap)
        answers = self.query_one("#drill-answers", OptionList)
        answers.clear_options()
        self._write()
        if drill is None:
            return
        scene = drill.scene
        self.presenter.use(scene.view)
        map.clear_overlays()
        map.sight = None
        map.view = scene.view
        map.sheet = {scene.about: "?"} if scene.about is not None else {}
        answers.add_options(
            Option(f"{place}  {said}", id=f"choice-{place}")
            for place, said in enumerate(drill.choices, 1)
        )
        answers.highlighted = 0
        answers.border_title = _("Answer: a number, or Enter")
        answers.focus()
        there = [self.presenter.describe(scene.view, hex) for hex in scene.focus]
        self.query_one("#drill-there", Static).update("\n\n".join(there))
        self.set_class(not there, "-bare")
        self.call_after_refresh(map.show_all, scene.focus)

    def _write(self) -> None:
        """The words of the question; once it is answered, the verdict and why."""
        self._count()
        drill, box = self.drill, self.query_one("#drill-box")
        text = self.query_one("#drill-text", Static)
        box.set_class(self.choice is not None and drill is not None
                      and self.choice == drill.right, "-right")  # fmt: skip
        box.set_class(self.choice is not None and drill is not None
                      and self.choice != drill.right, "-wrong")  # fmt: skip
        if drill is None:
            text.update(self._note)
            return
        is_odds = drill.sort is Sort.ODDS
        box.border_title = _("What happens?") if is_odds else _("Is it allowed?")
        box.border_subtitle = "" if self.choice is None else drill.chapter
        if self.choice is None:
            text.update(question_text(drill))
            return
        width = box.size.width - 5
        words = Text.assemble((drill.words + "\n", "dim"))
        words.append(drill.verdict(self.choice) + "\n", "bold")
        words.append(rows_text(drill.why, self._cite, self._plain, width, 2))
        words.rstrip()
        text.update(words)

    def _count(self) -> None:
        """The line at the top: how many were right, and where the game is."""
        score = _("right {right} of {asked}", right=self.right, asked=self.asked)
        where = self.drill.where if self.drill is not None else ()
        parts = (_("Training"), score, *where)
        self.query_one("#status", Static).update(fitting(parts, self.app.size.width))

    # Answering

    def on_key(self, event: events.Key) -> None:
        """A number answers; S and N are yes and no."""
        drill = self.drill
        if drill is None or self.choice is not None or event.character is None:
            return
        letters = {"s": 0, "y": 0, "n": 1} if drill.sort is Sort.ALLOWED else {}
        place = letters.get(event.character.lower())
        if event.character.isdecimal():
            place = int(event.character) - 1
        if place is not None and 0 <= place < len(drill.choices):
            event.stop()
            self._answer(place)

    @on(OptionList.OptionSelected, "#drill-answers")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        id = event.option.id or ""
        if id == "again":
            self._again()
        elif id == "rule":
            self.action_rule()
        elif self.choice is None:
            self._answer(int(id.removeprefix("choice-")) - 1)

    def _answer(self, place: int) -> None:
        """Take an answer: the verdict, why, and the rule."""
        drill = self.drill
        assert drill is not None
        is_right = place == drill.right
        self.choice = place
        self.asked += 1
        self.right += is_right
        if self.progress is not None:
            self.progress.note(drill.rule, is_right)
        self.add_class("-answered")
        map, scene = self.query_one(HexMap), drill.scene
        if drill.sort is Sort.ALLOWED:
            map.options, map.refused = scene.allowed, scene.refused
            map.sight = scene.sight
        answers = self.query_one("#drill-answers", OptionList)
        answers.clear_options()
        answers.border_title = ""
        answers.add_option(Option(_("Again (Enter)"), id="again"))
        if drill.rulings:
            answers.add_option(Option(_("Open the rule (R)"), id="rule"))
            self.query_one(RulePane).follow(drill.rulings[0])
        answers.highlighted = 0
        answers.focus()
        self._write()
        self.query_one("#drill-box").scroll_home(animate=False)
        self.call_after_refresh(self._write)
        self.refresh_bindings()

    def _again(self) -> None:
        """The next question; where none is ready yet, it comes as soon as it is."""
        if self._ready is None and not self._is_busy:
            self._tell(_("No other question about this was found. Esc goes back."))
            return
        self._ask()

    # The rule

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no rule to open before the answer: it would tell it."""
        if action == "rule":
            return self.choice is not None
        if action == "scroll_why":  # who reads the rule scrolls that
            return not self.query_one(RulePane).has_focus_within
        return super().check_action(action, parameters)

    def action_rule(self) -> None:
        """Open the next rule that the answer cites; after the last one close them."""
        rulings = self.drill.rulings if self.drill is not None else ()
        distinct = list({ruling.refs[0]: ruling for ruling in rulings}.values())
        if self.has_class("-rule-open") and self._shown >= len(distinct):
            self._close_rule()
        elif distinct:
            pane = self.query_one(RulePane)
            self.add_class("-rule-open")
            pane.open_cited(distinct[self._shown % len(distinct)])
            pane.view.focus()
            self._shown += 1

    def _close_rule(self) -> None:
        self._shown = 0
        self.remove_class("-rule-open")
        self.query_one("#drill-answers").focus()

    @on(PageView.Left)
    def _rule_left(self) -> None:
        self._close_rule()

    def action_scroll_why(self, by: int) -> None:
        """Scroll what is told of the answer."""
        box = self.query_one("#drill-box", VerticalScroll)
        box.scroll_page_down(animate=False) if by > 0 else box.scroll_page_up(animate=False)

    def action_zoom(self) -> None:
        """Go round the sizes of the map."""
        map = self.query_one(HexMap)
        map.zoom = (map.zoom + 1) % 3

    def action_leave(self) -> None:
        """Close the rule; then the screen."""
        if self.has_class("-rule-open"):
            self._close_rule()
        else:
            self.app.pop_screen()


def question_text(drill: Drill) -> Text:
    """What is asked at the table, what is asked here, and what is assumed."""
    text = Text()
    if drill.so_far:
        chosen = " · ".join(words[:1].upper() + words[1:] for words in drill.so_far)
        text.append(_("Chosen so far: {what}", what=chosen) + "\n", "dim")
    if drill.asking and drill.asking.casefold() not in drill.words.casefold():
        asking = drill.asking[:1].upper() + drill.asking[1:]
        text.append(_("At the table: {what}", what=asking) + "\n", "dim")
    text.append(drill.words, "bold")
    for given in drill.given:
        text.append("\n" + _("Assumed: {what}.", what=given.rstrip(".")), "italic")
    return text


def open_training(app: App[Any], slug: str = "") -> None:
    """Open the training room, at a title if one is given."""
    app.push_screen(TrainingScreen(slug))
