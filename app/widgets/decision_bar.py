"""What is asked, of whom, why, and every answer with its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from textwrap import shorten

from rich._wrap import divide_line
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.markup import escape
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from app.play.citing import Cite, not_yet
from app.play.keys import END, PER_PAGE, Seat, end_of, forbidden_end, key_at, seated, sole_end
from app.presenters.base import Presenter, name_of
from app.shell.i18n import _, _n
from app.widgets.chance_line import ChanceLine
from app.widgets.odds_panel import badge
from engine.core.decisions import Decision
from engine.core.hexes import Hex, distance
from engine.core.rules import Ruling
from engine.core.title import TitleInfo
from engine.core.view import View

LAST = PER_PAGE
"""The number of the answer that ends a choice, whose key is 0."""
MOST_NAMED = 2
LEAST_ROOM = 20
NO_LIMIT = 1000
INDENT = 3
"""Columns before the second line of an answer: those of its key."""
SEPARATOR = re.compile(r"(?=, |; | · )")
LONGEST_END = 26
MORE = "more"
"""The row that unfolds the refused answers."""
ALL = "all"
"""The row that brings back the answers of every hex."""


class AnswerList(OptionList):
    """The answers; Enter where there are none is told, not swallowed.

    `when_marked` hears at once which row the cursor is on: a message would come a paint later;
    `when_resized` that there is more room, or less.
    """

    class Empty(Message):
        """Enter, and nothing to choose."""

    when_marked: Callable[[int], None] | None = None
    when_resized: Callable[[], None] | None = None

    def on_resize(self) -> None:
        """Tell that other words may fit."""
        if self.when_resized is not None:
            self.when_resized()

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

    def __init__(self, presenter: Presenter, info: TitleInfo) -> None:
        super().__init__(id="decision")
        self._info = info
        self.border_title = _("Decision")
        self._presenter = presenter
        self._decision: Decision | None = None
        self._view: View | None = None
        self._ids: list[str] = []
        self._numbered: dict[int, str] = {}  # by place
        self._page = 0  # which nine of them have the number keys
        self._here: tuple[str, ...] = ()  # the answers of one hex, while only those are listed
        self._group: list[str] = []
        self._is_unfolded = False
        self._said = ""
        self._room = (0, 0)  # columns and rows of the list, once they are known
        self._chances: Mapping[str, Fraction] = {}
        self.cite: Cite = not_yet
        self.when_marked: Callable[[str], None] | None = None

    def compose(self) -> ComposeResult:
        """The question over its answers."""
        yield Static("", id="question", markup=False)
        answers = AnswerList(id="answers")
        answers.when_marked = self._tell_marked
        answers.when_resized = self._fit
        yield answers
        yield ChanceLine()
        yield Static("", id="verdict", markup=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Decision"), _(
            "The question, the rule behind it and every answer. Choose with the arrows and Enter, "
            "with the number of the answer, on the map, or with the mouse; 0 ends the choice where "
            "it can be ended; where units could still act, it says so first. Where there are more "
            "than nine answers, + gives the numbers to the next nine and - back. A verb has the "
            "same number for every unit; one that is forbidden keeps its place, dimmed, and says "
            "why. G marks several answers to give one after the other, B a whole stack: the others "
            "join the first unit where the rules let them, else they do the same after it. H "
            "repeats the last order for another unit of the same kind. While you set up, T lets "
            "the program place all that is left, W sets up as the last time, B puts a stack on the "
            "marked hex. X lists what is forbidden: choose it to see which rules forbid it. A "
            "asks the program for advice, D lets it answer for you."
        )

    def show(
        self, decision: Decision | None, who: str, note: str = "", view: View | None = None
    ) -> None:
        """Ask this; without a decision, only the note. Asked again, it keeps its mark."""
        is_again = self.asks(decision)
        marked = self.marked if is_again else None
        self._decision, self._view = decision, view
        self._group, self._is_unfolded, self._chances = [], False, {}
        self._here, self._page = (), 0
        if not is_again:  # what was said of it still holds
            self.say("")
        question = self.query_one("#question", Static)
        if decision is None:
            self.query_one(OptionList).clear_options()
            self._ids, self._numbered = [], {}
            self.border_subtitle = ""
            question.update(note)
            return
        text = Text()
        text.append(f"{who}: ", "bold")
        text.append(self._presenter.say(decision.ruling.msg))
        text.append(f"  {self.cite(decision.ruling.refs[0])}", "dim italic")
        if note:
            text.append(f"  {note}", "italic")
        question.update(text)
        self._list(marked=marked)

    def asks(self, decision: Decision | None) -> bool:
        """Whether this is the question that is shown."""
        return decision is not None and decision is self._decision

    def offer(self, note: str, choices: Mapping[str, str]) -> None:
        """Say something, and what can be done about it by number; `Answered` brings the choice."""
        self.show(None, "", note)
        self._ids, self._numbered = list(choices), dict(enumerate(choices))
        answers = self.query_one(OptionList)
        for place, words in enumerate(choices.values()):
            row = Text(f"{key_at(place)}  {words}", no_wrap=True, overflow="ellipsis")
            answers.add_option(Option(row))
        answers.highlighted = 0

    def _always(self) -> Iterator[str]:
        """What is in sight however long the list is: how to end the choice, what is forbidden,
        which answers have the number keys."""
        decision = self._decision
        assert decision is not None
        end, count = end_of(decision, self._info), len(self._folded())
        if end is not None:
            words = self.words_of(end)
            words = words if len(words) <= LONGEST_END else _("ends")
            yield f"[@click=screen.take({LAST})]0: {escape(words)}[/]"
        last = max(self._numbered, default=0)
        if last >= PER_PAGE:
            first = self._page * PER_PAGE + 1
            words = _("+: others ({first}-{last} of {all})", first=first,
                      last=min(first + PER_PAGE - 1, last + 1), all=last + 1)  # fmt: skip
            yield f"[@click=screen.turn(1)]{words}[/]"
        if count:
            words = _n("X: {n} forbidden", "X: {n} forbidden answers", n=count)
            yield f"[@click=screen.forbidden]{words}[/]"

    def _folded(self) -> list[str]:
        """The refused answers that have no place of their own in the list."""
        assert self._decision is not None
        placed = self._info.verbs.get(self._decision.id, ())
        return [one for one in self._decision.refused if one[2:] not in placed or one[:2] != "b:"]

    def _list(self, at: int | None = None, marked: str | None = None) -> None:
        """List the answers, with a row or an answer marked; without, the first that is allowed."""
        decision = self._decision
        assert decision is not None
        seats = seated(decision, self._info, self._here)
        self._numbered = {seat.place: seat.option for seat in seats if seat.place != END}
        self._ids = [seat.option for seat in seats]
        folded = self._folded()
        if self._here:
            self._ids.append(ALL)
        elif folded:
            self._ids += folded if self._is_unfolded else [MORE]
        self._room = self._extent()
        rows = self._rows()
        answers = self.query_one(OptionList)
        answers.clear_options()
        answers.add_options(map(Option, rows))
        first = next((n for n, seat in enumerate(seats) if seat.is_allowed), 0)
        first = self._ids.index(marked) if marked in self._ids else first
        answers.highlighted = min(first if at is None else at, len(rows) - 1)
        self.border_subtitle = " · ".join(self._always())

    def _extent(self) -> tuple[int, int]:
        """The columns of a row, more than any row has where that is not known yet; and the rows of
        the list."""
        width, height = self.query_one(OptionList).scrollable_content_region.size
        return (width - 1 if width - 1 > LEAST_ROOM else NO_LIMIT), height

    def _fit(self) -> None:
        """Other words may fit now; the marked answer stays."""
        size = self._extent()
        if self._decision is None or size == self._room:
            return
        self._room, answers = size, self.query_one(OptionList)
        for place, row in enumerate(self._rows()):
            if row != answers.get_option_at_index(place).prompt:
                answers.replace_option_prompt_at_index(place, row)

    def _rows(self) -> list[Text]:
        """The answers as they are listed; what is forbidden after them, or that there is some.
        What is too long for a line has a second one while the list has empty rows."""
        rows = list(self._lines())
        width, height = self._room
        empty, found = height - len(rows), []
        for line in rows:
            row = line(width)
            if empty > 0 and line(NO_LIMIT) != row:
                row, empty = in_two(line, width), empty - 1
            found.append(row)
        return found

    def _lines(self) -> Iterator[Callable[[int], Text]]:
        """Every row, as what it says in so many columns."""
        decision, folded = self._decision, self._folded()
        assert decision is not None
        for seat in seated(decision, self._info, self._here):
            yield partial(self._row, seat)
        if self._here:
            words = _("… all {n} answers (Esc)", n=len(decision.options))
            yield lambda _room: Text(words, style="dim italic")
        elif folded and not self._is_unfolded:
            more = _n("… and {n} forbidden (X lists it)", "… and {n} forbidden (X lists them)",
                      n=len(folded))  # fmt: skip
            yield lambda _room: Text(more, style="dim italic")
        else:
            for option in folded:
                yield partial(self._refused_row, option, "×  ")

    def line_of(self, row: int) -> int:
        """The line of the list at which a row begins."""
        answers = self.query_one(OptionList)
        above = (str(answers.get_option_at_index(n).prompt) for n in range(row))
        return sum(1 + words.count("\n") for words in above)

    def _row(self, seat: Seat, room: int) -> Text:
        """One answer: its key, its words, what it promises, what it is about."""
        key, option = key_at(seat.place, self._page), seat.option
        if not seat.is_allowed:
            return self._refused_row(option, f"{key}× ", room)
        mark = "*" if option in self._group else " "
        row = Text(no_wrap=True, overflow="ellipsis")
        row.append(f"{key}{mark} ", "bold")
        chance = f" · {badge(self._chances[option])}" if option in self._chances else ""
        words = shorten(self.words_of(option), room - len(row) - len(chance), placeholder="…")
        row.append(words, "bold" if option in self._group else "").append(chance, "bold")
        parts, needed = self._about(option)
        return row.append("".join(fitted(parts, needed, room - len(row))), "dim")

    def _refused_row(self, option: str, sign: str, room: int) -> Text:
        """A forbidden answer and the first reason."""
        assert self._decision is not None
        row = Text(no_wrap=True, overflow="ellipsis", style="dim")
        row.append(sign)
        row.append(self.name_of(option), "strike")
        why = self._presenter.say(self._decision.refused[option][0].msg)
        row.append(shorten(f": {why}", max(2, room - len(row)), placeholder="…"))
        return row

    def _about(self, option: str) -> tuple[list[str], list[str]]:
        """Where a unit stands and what it is, after its name: the most telling first; and which of
        it is always told."""
        kind, _colon, name = option.partition(":")
        if self._view is None or kind not in "uh":
            return [], []
        if kind == "h":
            try:
                hex = self._view.hex_at(name)
                return [f" · {part}" for part in self._about_hex(hex)], []
            except ValueError:
                return [], []
        part = name.rpartition(":")[0]  # a weapon of a vehicle is told by the vehicle
        names = (name, part) if part else (name,)
        for counter in self._view.counters:
            if counter.id in names:
                where = self._presenter.where(self._view, counter)
                words = [part for part in (where, self._presenter.detail(counter)) if part]
                parts = SEPARATOR.split(" · " + " · ".join(words))[1:]
                states = SEPARATOR.split(", ".join(self._presenter.states(counter)))
                needed = [where, *[state.lstrip(", ") for state in states]]
                return parts, [part for part in parts if part.lstrip(" ·;,") in needed]
        return [], []

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

    @property
    def said(self) -> str:
        """The line under the answers."""
        return self._said

    def say(self, text: str | Text) -> None:
        """Show a line under the answers."""
        self._said = str(text)
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
        """List the refused answers, or fold them again; False if nothing is refused. Where all of
        them have their place, the cursor goes to the first."""
        decision = self._decision
        if decision is None or not decision.refused:
            return False
        self._is_unfolded, self._here = not self._is_unfolded or bool(self._here), ()
        self._list()
        refused = [n for n, one in enumerate(self._ids) if one in decision.refused]
        if self._is_unfolded and refused:
            at = len(self._ids) - len(self._folded())
            self.query_one(OptionList).highlighted = at if at < len(self._ids) else refused[0]
        return True

    def turn(self, by: int) -> None:
        """Give the number keys to the next nine answers, or to those before."""
        pages = max(self._numbered, default=0) // PER_PAGE + 1
        if self._decision is None or pages == 1:
            self.say(_("All answers have their number already."))
            return
        self._page = (self._page + by) % pages
        at = next((n for n, one in enumerate(self._ids)
                   if self._numbered.get(self._page * PER_PAGE) == one), None)  # fmt: skip
        self._list(at)
        self.call_after_refresh(self.query_one(OptionList).scroll_to_highlight, True)

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
        decision = self._decision
        end = end_of(decision, self._info) if decision is not None else None
        if number == LAST and decision is not None and end is None:
            end = sole_end(decision, self._info) or forbidden_end(decision, self._info)
        chosen = end if number == LAST else self._numbered.get(self._page * PER_PAGE + number)
        if chosen is not None:
            self.post_message(self.Answered(chosen))
        elif number == LAST:
            self.say(_("0 ends a choice: here there is nothing to end."))
        else:
            keys = [key_at(place, self._page) for place in sorted(self._numbered)]
            known = ", ".join(key for key in keys if key.strip())
            self.say(_("No answer here has the key {key}. Keys with an answer: {keys}.",
                       key=number + 1, keys=known or "0"))  # fmt: skip

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


def fitted(parts: Sequence[str], needed: Sequence[str], room: int) -> list[str]:
    """As many parts as fit, the first ones first, but what is needed before the others; «…» stands
    where some are left out. A part begins with what parts it from the one before."""
    kept = [part in needed for part in parts]
    if sum(map(len, parts)) <= room:
        return list(parts)
    left = room - 1 - sum(len(part) for part, is_kept in zip(parts, kept, strict=True) if is_kept)
    others = [n for n, is_kept in enumerate(kept) if not is_kept]
    for n, used in zip(others, accumulate(len(parts[n]) for n in others), strict=True):
        kept[n] = used <= left
    gap = next((n for n, is_kept in enumerate(kept) if not is_kept), -1)
    return ["…" if n == gap else part for n, part in enumerate(parts) if kept[n] or n == gap]


def in_two(line: Callable[[int], Text], width: int) -> Text:
    """A row in two lines, of which the second is set in, with as much as fits in them."""
    room = 2 * width - INDENT
    while True:
        row = line(room)
        first = divide_line(row.plain, width)[:1]
        if not first or len(row) - first[0] <= width - INDENT:
            break
        room -= 1
    above, *below = row.divide(first)
    above.rstrip()
    return Text(f"\n{' ' * INDENT}", no_wrap=True, overflow="ellipsis").join([above, *below])
