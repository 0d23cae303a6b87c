"""What is asked, of whom, why, and every answer with its key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.markup import escape
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from app.play.citing import Cite, short_ref
from app.presenters.base import Presenter, name_of
from app.shell.i18n import _, _n
from app.widgets.odds_panel import badge
from engine.core.decisions import Decision
from engine.core.hexes import Hex, distance
from engine.core.rules import Ruling
from engine.core.view import View

KEYS = "123456789"
LAST = len(KEYS)
"""The number of the answer that ends a choice, whose key is 0."""
MOST_NAMED = 2
LONGEST_END = 26
MORE = "more"
"""The row that unfolds the refused answers."""
ALL = "all"
"""The row that brings back the answers of every hex."""


def end_of(decision: Decision, ends: Iterable[str]) -> str | None:
    """The answer that ends a choice among things on the table, if there is one; `ends` are the
    verbs that do so in the title."""
    ids = [option.id for option in decision.options]
    if len(ids) < 2 or all(id.startswith("b:") for id in ids):
        return None
    return next((f"b:{verb}" for verb in ends if f"b:{verb}" in ids), None)


def key_of(decision: Decision, option: str, ends: Iterable[str]) -> str:
    """The key of an answer while all are listed; a blank where there are too many."""
    end = end_of(decision, ends)
    ids = [one.id for one in decision.options if one.id != end]
    return "0" if option == end else dict(zip(ids, KEYS, strict=False)).get(option, " ")


class AnswerList(OptionList):
    """The answers; Enter where there are none is told, not swallowed.

    `when_marked` hears at once which row the cursor is on: a message would come a paint later.
    """

    class Empty(Message):
        """Enter, and nothing to choose."""

    when_marked: Callable[[int], None] | None = None

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Tell which row is marked, in time for the same paint."""
        super().watch_highlighted(highlighted)
        if highlighted is not None and self.when_marked is not None:
            self.when_marked(highlighted)

    def action_select(self) -> None:
        """Choose the marked answer."""
        if not self.option_count:
            self.post_message(self.Empty())
        super().action_select()


class DecisionBar(Vertical):
    """The open question. Answers are lines; refused ones are folded, and say why when chosen.

    `when_marked` hears which answer the cursor is on, before that is painted.
    """

    class Answered(Message):
        """An answer, or something refused that the person tried; several if they were marked."""

        def __init__(self, *options: str) -> None:
            super().__init__()
            self.options = options

    def __init__(self, presenter: Presenter, ends: Iterable[str] = ()) -> None:
        super().__init__(id="decision")
        self._ends = tuple(ends)
        self.border_title = _("Decision")
        self._presenter = presenter
        self._decision: Decision | None = None
        self._view: View | None = None
        self._ids: list[str] = []
        self._numbered: list[str] = []
        self._here: tuple[str, ...] = ()  # the answers of one hex, while only those are listed
        self._group: list[str] = []
        self._is_unfolded = False
        self._chances: Mapping[str, Fraction] = {}
        self.cite: Cite = short_ref
        self.when_marked: Callable[[str], None] | None = None

    def compose(self) -> ComposeResult:
        """The question over its answers."""
        yield Static("", id="question", markup=False)
        answers = AnswerList(id="answers")
        answers.when_marked = self._tell_marked
        yield answers
        yield Static("", id="verdict", markup=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Decision"), _(
            "The question, the rule behind it and every answer. Choose with the arrows and "
            "Enter, with the number of the answer, on the map, or with the mouse; 0 ends the "
            "choice where it can be ended; where units could still act, it says so first. G "
            "marks several answers to give one after the other, B a whole stack: the others join "
            "the first unit where the rules let them, else they do the same after it. H repeats "
            "the last order for another unit of the same kind. While you set up, T lets the "
            "program place all that is left, W sets up as the last time, B puts a stack on the "
            "marked hex. X lists what is forbidden: choose it to see which rules forbid it. A "
            "asks the program for advice, D lets it answer for you."
        )

    def show(
        self, decision: Decision | None, who: str, note: str = "", view: View | None = None
    ) -> None:
        """Ask this; without a decision, only the note."""
        self._decision, self._view = decision, view
        self._group, self._is_unfolded, self._chances = [], False, {}
        self._here = ()
        self.say("")
        self.border_subtitle = " · ".join(self._always()) if decision is not None else ""
        question = self.query_one("#question", Static)
        if decision is None:
            self.query_one(OptionList).clear_options()
            self._ids, self._numbered = [], []
            question.update(note)
            return
        text = Text()
        text.append(f"{who}: ", "bold")
        text.append(self._presenter.say(decision.ruling.msg))
        text.append(f"  {self.cite(decision.ruling.refs[0])}", "dim italic")
        if note:
            text.append(f"  {note}", "italic")
        question.update(text)
        self._list()

    def asks(self, decision: Decision | None) -> bool:
        """Whether this is the question that is shown."""
        return decision is not None and decision is self._decision

    def offer(self, note: str, choices: Mapping[str, str]) -> None:
        """Say something, and what can be done about it by number; `Answered` brings the choice."""
        self.show(None, "", note)
        self._ids = self._numbered = list(choices)
        answers = self.query_one(OptionList)
        for key, words in zip(KEYS, choices.values(), strict=False):
            answers.add_option(Option(Text(f"{key}  {words}", no_wrap=True, overflow="ellipsis")))
        answers.highlighted = 0

    def _always(self) -> Iterator[str]:
        """What is in sight however long the list is: how to end the choice, what is forbidden."""
        decision = self._decision
        assert decision is not None
        end, count = end_of(decision, self._ends), len(decision.refused)
        if end is not None:
            words = self.words_of(end)
            words = words if len(words) <= LONGEST_END else words[: LONGEST_END - 1] + "…"
            yield f"[@click=screen.take({LAST})]0: {escape(words)}[/]"
        if count:
            words = _n("X: {n} forbidden", "X: {n} forbidden answers", n=count)
            yield f"[@click=screen.forbidden]{words}[/]"

    def _list(self, at: int = 0) -> None:
        decision = self._decision
        assert decision is not None
        rows: list[Option] = []
        end = end_of(decision, self._ends)
        shown = [o for o in decision.options if not self._here or o.id in (*self._here, end)]
        self._ids = []
        self._numbered = [option.id for option in shown if option.id != end]
        keys = dict(zip(self._numbered, KEYS, strict=False))
        room = self.query_one(OptionList).scrollable_content_region.width - 1
        for option in shown:
            key = "0" if option.id == end else keys.get(option.id, " ")
            mark = "*" if option.id in self._group else " "
            row = Text(no_wrap=True, overflow="ellipsis")
            row.append(f"{key}{mark} ", "bold")
            said = self._presenter.answer(option.id, option.msg)
            row.append(said, "bold" if option.id in self._group else "")
            if option.id in self._chances:
                row.append(f" · {badge(self._chances[option.id])}", "bold")
            row.append(self._about(option.id), "dim")
            if room > 20:
                row.truncate(room, overflow="ellipsis")
            rows.append(Option(row))
            self._ids.append(option.id)
        count = len(decision.refused)
        if self._here:
            words = _("… all {n} answers (Esc)", n=len(decision.options))
            rows.append(Option(Text(words, style="dim italic")))
            self._ids.append(ALL)
        elif count and not self._is_unfolded:
            words = _n("… and {n} forbidden (X lists it)", "… and {n} forbidden (X lists them)",
                       n=count)  # fmt: skip
            rows.append(Option(Text(words, style="dim italic")))
            self._ids.append(MORE)
        elif count:
            for refused in decision.refused:
                row = Text(no_wrap=True, overflow="ellipsis", style="dim")
                row.append("×  ")
                row.append(self.name_of(refused), "strike")
                row.append(f": {self._presenter.say(decision.refused[refused][0].msg)}")
                if room > 20:
                    row.truncate(room, overflow="ellipsis")
                rows.append(Option(row))
                self._ids.append(refused)
        answers = self.query_one(OptionList)
        answers.clear_options()
        answers.add_options(rows)
        answers.highlighted = min(at, len(rows) - 1)

    def _about(self, option: str) -> str:
        """Where a unit stands and what it is, after its name."""
        kind, _colon, name = option.partition(":")
        if self._view is None or kind not in "uh":
            return ""
        if kind == "h":
            try:
                hex = self._view.hex_at(name)
                return "".join(f" · {part}" for part in self._about_hex(hex))
            except ValueError:
                return ""
        part = name.rpartition(":")[0]  # a weapon of a vehicle is told by the vehicle
        names = (name, part) if part else (name,)
        for counter in self._view.counters:
            if counter.id in names:
                where = self._presenter.where(self._view, counter)
                parts = [part for part in (where, self._presenter.detail(counter)) if part]
                return "".join(f" · {part}" for part in parts)
        return ""

    def _about_hex(self, hex: Hex) -> Iterator[str]:
        """The ground, how far it is from the unit that is asked about, and who is there."""
        assert self._view is not None
        if hex in self._view.board:
            yield self._presenter.name("terrain", self._view.board.terrain(hex))
        risk = self._presenter.risk(self._view, hex)
        if risk:
            yield risk
        facts = self._decision.ruling.msg.facts if self._decision is not None else {}
        units = {counter.id: counter for counter in self._view.counters}
        asked = units.get(str(facts.get("unit", "")).partition(":")[0])
        if asked is not None and asked.hex is not None and distance(asked.hex, hex) > 1:
            yield _("distance {n}", n=distance(asked.hex, hex))
        here = [c for c in self._view.at(hex) if asked is None or c.id != asked.id]
        if here:
            first = ", ".join(self._presenter.name("unit", c.id) for c in here[:MOST_NAMED])
            more = len(here) - MOST_NAMED
            yield first + (f" +{more}" if more > 0 else "")

    def foretell(self, chances: Mapping[str, Fraction]) -> None:
        """Show beside the answers how probable it is that they do anything."""
        if self._decision is None or chances == self._chances:
            return
        self._chances = dict(chances)
        self._list(self.query_one(OptionList).highlighted or 0)

    def name_of(self, option: str) -> str:
        """An answer in words."""
        return name_of(self._presenter, self._decision, option)

    def words_of(self, option: str) -> str:
        """A permitted answer as it is listed."""
        found = self._decision.option(option) if self._decision is not None else None
        if found is None:
            return self.name_of(option)
        return self._presenter.answer(option, found.msg)

    def refuse(self, name: str, rulings: tuple[Ruling, ...]) -> None:
        """Say why an answer is refused."""
        text = Text()
        reasons = "; ".join(
            f"{self._presenter.say(r.msg)} ({', '.join(dict.fromkeys(map(self.cite, r.refs)))})"
            for r in rulings
        )
        if not reasons.startswith(f"{name} "):  # it often begins with the name itself
            text.append(f"{name}: ", "bold")
        text.append(f"{reasons}.")
        text.append(" " + _("Enter opens the rule."), "italic")
        self.say(text)

    def say(self, text: str | Text) -> None:
        """Show a line under the answers."""
        verdict = self.query_one("#verdict", Static)
        verdict.update(text)
        verdict.set_class(bool(str(text)), "-shown")
        # the line takes its room from the answers: the marked one stays in sight
        self.call_after_refresh(self.query_one(OptionList).scroll_to_highlight)

    @property
    def listed(self) -> tuple[str, ...]:
        """The rows as they are listed, by their ids."""
        return tuple(self._ids)

    @property
    def marked(self) -> str | None:
        """The answer under the cursor."""
        at = self.query_one(OptionList).highlighted
        return self._ids[at] if at is not None and at < len(self._ids) else None

    def mark(self, option: str) -> None:
        """Put the cursor on an answer."""
        if option not in self._ids:
            self.widen()
        if option in self._ids:
            self.query_one(OptionList).highlighted = self._ids.index(option)

    def toggle(self, option: str, go_on: bool = True) -> bool:
        """Put an answer into the group to be given together, or take it out, and go on to the
        next one; False if there is no such answer."""
        decision = self._decision
        if decision is None or decision.option(option) is None:
            return False
        if option in self._group:
            self._group.remove(option)
        else:
            self._group.append(option)
        self.mark(option)
        at = self._ids.index(option)
        is_more = any(decision.option(following) for following in self._ids[at + 1 : at + 2])
        self._list(at + (go_on and is_more))
        count = len(self._group)
        self.say(_n("{n} answer marked: Enter gives it.", "{n} answers marked: Enter gives them.",
                    n=count) if count else "")  # fmt: skip
        return True

    def unfold(self) -> bool:
        """List the refused answers, or fold them again; False if nothing is refused."""
        if self._decision is None or not self._decision.refused:
            return False
        self._is_unfolded, self._here = not self._is_unfolded or bool(self._here), ()
        self._list(len(self._decision.options) if self._is_unfolded else 0)
        return True

    def narrow(self, options: Iterable[str]) -> None:
        """List only the answers of one hex, and the one that ends the choice."""
        self._here = tuple(options)
        self._list()

    def widen(self) -> bool:
        """List every answer again; False if they all are listed."""
        if self._decision is None or not self._here:
            return False
        marked, self._here = self.marked, ()
        self._list()
        if marked is not None:
            self.mark(marked)
        self.say("")
        return True

    def take(self, number: int) -> None:
        """Answer with a number key; what has no answer is told."""
        decision, count = self._decision, len(self._numbered)
        end = end_of(decision, self._ends) if decision is not None else None
        if number == LAST and end is not None:
            self.post_message(self.Answered(end))
        elif number == LAST:
            self.say(_("0 ends a choice: here there is nothing to end."))
        elif number < count:
            self.post_message(self.Answered(self._numbered[number]))
        else:
            self.say(_n("There is only answer 1.", "The answers go from 1 to {n}.", n=count))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with Enter or the mouse."""
        event.stop()
        chosen = self._ids[event.option_index]
        if chosen == MORE:
            self.unfold()
        elif chosen == ALL:
            self.widen()
        elif self._group:
            self.post_message(self.Answered(*self._group))
        else:
            self.post_message(self.Answered(chosen))

    def _tell_marked(self, row: int) -> None:
        if self.when_marked is not None and row < len(self._ids):
            self.when_marked(self._ids[row])
