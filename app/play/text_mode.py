"""The same game as a linear dialogue: for screen readers, dumb terminals and pipes.

`Dialogue` asks, takes answers and tells what follows; everything else that can be typed is in
`text_commands`, and how the table is put into lines in `text_looking`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from textwrap import wrap
from typing import Any, TextIO

from app.play import text_commands
from app.play.asking import is_question
from app.play.dice_words import DiceEntry, how_to_type, what_to_roll
from app.play.discretion import HUMAN, Audience
from app.play.keys import end_of
from app.play.mail import by_number, export, newest, promises, spent, waiting
from app.play.orders import Done
from app.play.session import Session, frames_of
from app.play.table import Refusal, Table
from app.play.telling import Teller
from app.play.text_commands import BY_NAME, wonder
from app.play.text_looking import hex_named, last_actions, lesson, step_text
from app.play.texts import Hit, Texts
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from app.shell import config
from app.shell.i18n import _, _n
from app.shell.paths import post_folder
from engine import titles
from engine.core.ctx import RollRequest
from engine.core.decisions import Decision, Option
from engine.core.hexes import Hex
from engine.core.rules import Command, Ruling, Side
from engine.core.title import Title
from engine.core.view import View
from engine.examples import Example, Playing
from engine.saves.lines import SaveError

WIDTH = 98
"""The columns of a line, with room for the prompt before the first."""
SHORTEST = 3
"""Letters from which the beginning of a name gives an answer."""
MOST_RECALLED = 5
"""Actions that are told of a game that is taken up again."""
MOST_NAMED = 9
"""Answers that are listed where several are meant."""


class Dialogue:
    """A game in questions and answers. `here` is the hex last looked at, `hits` what was last
    found; who is `warned` is asked once more before a phase ends."""

    def __init__(
        self,
        session: Session,
        read: Callable[[], str],
        out: TextIO,
        texts: Texts | None = None,
        warned: bool = False,
    ) -> None:
        self.session = session
        self._read = read
        self._out = out
        self.texts = texts or Texts(session.title.info.slug)
        self._warned = warned
        self.table = Table(session)
        self.table.cite = str  # whole: who reads it can type it
        self.names: Presenter = self.table.presenter
        self.here: Hex | None = None
        self.hits: list[Hit] = []
        self._told = 0
        self._asked: Decision | None = None
        self.lesson: tuple[str, ...] = ()  # of the guide, as it was last told
        self._ended: Ruling | None = None  # the end that was told
        self._is_over = False

    # Going on

    def run(self) -> None:
        """Play until the game or the person ends it."""
        info = self.session.scenario
        self.say(f"{self.session.title.info.name}: {info.name}", *self.names.briefing(info.id))
        self.say(_("Type the number of an answer; ? explains it, h lists the commands."))
        if self.session.ledger is not None and not self.session.ledger.mails:
            self.say(*promises())
        if any(isinstance(entry, Command) for entry in self.session.game.entries):
            self._recall()
        while not self._is_over:
            self._go_on()

    def _recall(self) -> None:
        """A game that is taken up again: the last actions, not all of them."""
        self._told = len(self.session.frames())
        self.table.refresh()
        self.names.use(self.table.view)
        self.say("", _n("{n} line so far («passi» walks through them). The last actions:",
                        "{n} lines so far («passi» walks through them). The last actions:",
                        n=len(self.table.lines)))  # fmt: skip
        self.say(*last_actions(self.table, MOST_RECALLED))

    def _go_on(self) -> None:
        """One thing: what ends the game, what is answered by itself, or a line of the person."""
        if not self.table.is_past:
            self._sit_down()
            self._tell()
        self.tell_of_file()
        outcome = self.session.position.outcome
        if outcome is not None:
            self._after_end(outcome.ruling, outcome.winner)
        elif self.session.is_bot_turn:
            self._let_the_bot_answer()
        elif self.session.is_away:
            self._is_over = not self._post()
        elif self.session.is_spent:
            self.say(spent())
            self._is_over = True
        elif self.table.is_past or not (self._answer_the_only_one() or self._carry_on()):
            self._hear()

    def _sit_down(self) -> None:
        """Whoever is asked looks; another person at the same keyboard is told so."""
        if self.table.change_seat():
            who = self._side(self.table.seat)
            self.say("", _("Now {who} plays: what follows is for that side's eyes.", who=who))
        self.names.use(self.table.view)

    def _after_end(self, ruling: Ruling, winner: Side | None) -> None:
        """Who has won; then what happened can still be looked at."""
        if self._ended is not ruling:
            self._ended = ruling
            self.rulings([ruling])
            side = self._side(winner) if winner else ""
            self.say(_("{side} wins.", side=side) if winner else _("Nobody wins."))
            if self.session.ledger is not None:
                self._is_over = not self._post()
                return
            self.say(_("The game is over: e tells the last things, «passi» walks back, q leaves."))
        self._hear()

    def _hear(self) -> None:
        try:
            line = self._ask()
        except (EOFError, KeyboardInterrupt):
            self.leave()
            return
        self.obey(line)

    def leave(self) -> None:
        """The person leaves the table."""
        self._is_over = True
        self.say_where_kept()

    def say_where_kept(self) -> None:
        """The name of the file, if the game has one."""
        if self.session.is_kept:
            self.say(_("The game is saved: {file}", file=self.session.path.name))
        else:
            self.say(_("Nobody has answered anything: the game is not kept."))

    def _post(self) -> bool:
        """Offer what the post can do while others are to answer; whether the game goes on here."""
        self.say(waiting(self.session))
        if self.session.ledger is None:
            return False
        while not self._is_over:
            for number, words in enumerate(by_number(self.session).values(), start=1):
                self.say(f"  {number}. {words}")
            try:
                line = self._line()
            except (EOFError, KeyboardInterrupt):
                line = "q"
            try:
                if line == "1":
                    path = export(self.session, post_folder())
                    self.say(_("Written: {file}", file=str(path)))
                elif line == "2" and self._take_in():
                    return True
                elif line != "2":
                    self._look_meanwhile(line)
            except SaveError as error:
                self.say(self.names.say(error.msg))
        return False

    def _look_meanwhile(self, line: str) -> None:
        """While others are to answer everything can be looked at, and nothing answered."""
        self.table.refresh()
        command, argument = self._command(line)
        if command is not None and command.hears(argument):
            command.run(self, argument)
        elif line:
            self.say(self.table.why_closed() or _("h lists the commands."))

    def _take_in(self) -> bool:
        letter = newest(self.session)
        if letter is None:
            words = _("No mail for this game has come: put it into {folder}, then try again.",
                      folder=str(post_folder()))  # fmt: skip
            self.say(words)
            return False
        self.session.receive(letter, titles.TITLES)
        return True

    def obey(self, line: str) -> None:
        """Do what a line says: faces of dice, a command, a question, or an answer."""
        if not line or self._are_faces(line):
            return
        command, argument = self._command(line)
        if command is not None and command.hears(argument):
            command.run(self, argument)
        elif command is None and len(line.split()) > 1 and is_question(line):
            wonder(self, line)
        elif command is not None and not self.found(line):
            self.say(_("Write it like this: {how}", how=command.shown))
        else:
            self._take(line)

    def _command(self, line: str) -> tuple[text_commands.Command | None, str]:
        """The command that a line begins with, and what follows; what names an answer is none."""
        if line.startswith("/"):
            return BY_NAME["/"], line[1:].strip()
        verb, _space, argument = line.partition(" ")
        question = self.table.question
        names = (
            [option.id.partition(":")[2].lower() for option in question.options] if question else ()
        )
        if line.lower() in names:
            return None, ""
        return BY_NAME.get(verb.lower()), argument.strip()

    def _take(self, line: str) -> None:
        """A line that is no command: in the past nothing is answered, dice have their faces."""
        request, decision = self.session.position.request, self.session.decision
        if self.table.is_past:
            self.say(_("This is the past: «presente» comes back to the question."))
        elif isinstance(request, RollRequest):
            self._tell_wrong_faces(request, line)
        elif decision is not None:
            self._answer(decision, line)
        else:
            self.say(_("Nothing is asked now.") + " " + _("h lists the commands."))

    # Asking

    def _ask(self) -> str:
        """Read the question, unless it was read already, and take a line."""
        decision, request = self.session.decision, self.session.position.request
        self.table.refresh()
        self._tell_lesson()
        if self.table.is_past or (decision is None and request is None):
            pass
        elif isinstance(request, RollRequest):
            self.rulings([request.ruling])
            self.say(f"  {what_to_roll(request, self.names)}")
            faces = how_to_type(request, self.names)
            self.say("  " + _("Type the faces, with spaces or without: {faces}.", faces=faces))
        elif decision is self._asked:
            self.say(_("Still the same question; l reads it again."))
        elif decision is not None:
            self._asked = decision
            self._read_out(decision)
        return self._line()

    def _line(self) -> str:
        self._out.write("> ")
        self._out.flush()
        return self._read().strip()

    def _read_out(self, decision: Decision) -> None:
        """A question with its answers."""
        self.say("", f"{self._side(decision.side)}:")
        self.rulings([decision.ruling])
        self._list(decision, [option.id for option in decision.options])
        if decision.refused:
            n = len(decision.refused)
            self.say("  " + _n("({n} refused: x says why)", "({n} refused: x says why each)", n=n))
        if self.table.orders.note:
            self.say(f"  {self.table.orders.note}")

    def _list(self, decision: Decision, wanted: Sequence[str]) -> None:
        view = self.table.view
        for number, option in enumerate(decision.options, start=1):
            if option.id in wanted:
                self.say(f"  {number}. {self._words(option)}{self._about(option.id, view)}")

    def _words(self, option: Option) -> str:
        return self.names.answer(option.id, option.msg)

    def _tell_lesson(self) -> None:
        """The lesson of the guide, when it is another one or has something else to propose."""
        if self.table.guide is None or not self.table.guide.is_open or self.table.is_past:
            return
        self.table.follow_guide()
        told = tuple(lesson(self.table))
        if told != self.lesson:
            self.say("", *(told if told[:2] != self.lesson[:2] else told[3:]))
        self.lesson = told

    def _about(self, option: str, view: View) -> str:
        """Where a unit stands and what it is; what ground a hex is."""
        kind, _colon, name = option.partition(":")
        if kind == "h":
            with suppress(ValueError):
                hex = view.board.hex_at(name)  # the name of a place beside it says all
                return f", {self.names.name('terrain', view.board.terrain(hex))}"
        for counter in view.counters if kind == "u" else ():
            if counter.id == name:
                where = self.names.where(view, counter)
                return f", {where}: {self.names.detail(counter)}".replace(", :", ",")
        return ""

    def _answer(self, decision: Decision, line: str) -> None:
        """Give the answer that a line names, or several; a far hex hex by hex."""
        several = self._several(decision, line)
        found = several or self.found(line)
        if several or len(found) == 1:
            self.give(found)
            return
        if found:
            self.say(_("Several answers are meant: write the number of one."))
            self._list(decision, found[:MOST_NAMED])
            return
        hex = hex_named(self.table.view, line)
        way = self.table.way_to(hex) if hex is not None else []
        refusal = self.table.refusal_at(hex) if hex is not None else None
        if line in decision.refused:
            refusal, way = Refusal(line, decision.why_not(line)), []
        if way:
            self.give(way, as_group=False)
        elif refusal is not None:
            self._refuse(refusal)
        else:
            self.say(_("«{line}» is neither an answer nor a command. Type the number of an answer; "
                       "l reads them again, ? explains them, h lists the commands.",
                       line=line))  # fmt: skip

    def _several(self, decision: Decision, line: str) -> list[str]:
        """The answers that several numbers name; none if these are no such numbers."""
        numbers, count = line.split(), len(decision.options)
        if len(numbers) < 2 or not all(n.isdigit() and 0 < int(n) <= count for n in numbers):
            return []
        return [decision.options[int(n) - 1].id for n in numbers]

    def found(self, words: str) -> list[str]:
        """The answers that some words name: by id, by number, by hex, or by how they are called."""
        decision = self.session.decision
        if decision is None:
            return []
        options, wanted = decision.options, words.casefold().strip().rstrip(".")
        named = [o.id for o in options if wanted in (o.id.lower(), o.id.partition(":")[2].lower())]
        end = end_of(decision, self.session.title.info)
        if named or (wanted == "0" and end is not None):
            return named[:1] or [end or ""]
        if wanted.isdigit() and 1 <= int(wanted) <= len(options):
            return [options[int(wanted) - 1].id]
        hex = hex_named(self.table.view, words)
        if hex is not None:
            return self.table.options_at(hex)
        called = {o.id: self._words(o).casefold().rstrip(".") for o in options}
        exact = [id for id, name in called.items() if name == wanted]
        begun = [id for id, name in called.items() if name.startswith(wanted)]
        return exact or (begun if len(wanted) >= SHORTEST else [])

    def give(self, options: Sequence[str], as_group: bool = True) -> None:
        """Give answers; units that act do so as a group. What is refused is told with its rules."""
        orders = self.table.orders
        if self._warned:
            warning = orders.warning(options[0], self.session.title.info.ends)
            if warning:
                self.say(warning)
                return
        if as_group and len(options) > 1 and orders.question is not None:
            orders.begin(list(options))
            options = options[:1]
        given = self.table.give(options)
        if given.refusal is not None:
            orders.stop()
            self._refuse(given.refusal)

    def _refuse(self, refusal: Refusal) -> None:
        self.say(_("Not possible:"))
        self.rulings(refusal.rulings)

    def _are_faces(self, line: str) -> bool:
        """Take a line as the faces that are asked for, if it is them all: an icon may have the
        letter of a command."""
        request = self.session.position.request
        if not isinstance(request, RollRequest):
            return False
        entry = DiceEntry(request, self.names)
        is_whole = entry.type_in(line) and entry.confirm()
        if is_whole:
            self.session.enter(entry.faces)
        return is_whole

    def _tell_wrong_faces(self, request: RollRequest, line: str) -> None:
        entry = DiceEntry(request, self.names)
        if entry.type_in(line):
            entry.confirm()
        self.say(entry.fault)

    def _let_the_bot_answer(self) -> None:
        decision = self.session.decision
        assert decision is not None
        chosen, reason = self.session.bot_choice()
        option, known = decision.option(chosen), len(self.session.game.steps)
        self.session.answer(chosen, reason)
        if not self.table.looking.may_hear(self.session.game.steps[known:]):
            return
        if option is not None:
            text = self.names.answer(option.id, option.msg)
            self.say(f"{self._side(decision.side)}: {self.names.say(decision.ruling.msg)}"
                      f" — {text}")  # fmt: skip
        if reason is not None:
            self.say(f"  ({self.names.say(reason)})")

    def _answer_the_only_one(self) -> bool:
        """Give the answer that has no alternative, and say so."""
        decision = self.session.decision
        if decision is None or len(decision.options) > 1 or decision.refused:
            return False
        option = decision.options[0]
        asked, said = self.names.say(decision.ruling.msg), self._words(option)
        self.say(_("{question} Only one answer: {answer}.", question=asked, answer=said))
        self.session.answer(option.id)
        return True

    # Many as one

    def _carry_on(self) -> bool:
        """Give what was asked for in one go, as far as it goes by itself; whether it went on."""
        placing, orders = self.table.placing, self.table.orders
        if placing.is_by_program:
            placing.take(self.session.bot_choice(self.session.deputy)[0])
            return True
        if placing.is_by_plan:
            stop = placing.give_planned()
            if stop is not None:
                self.say(stop.said)
            return True
        if placing.is_over:
            self.say(placing.ended())
        if not orders.is_on:
            return False
        return self.tell_done(orders.go_on())

    def tell_done(self, done: Done) -> bool:
        """What came of an order that was repeated; whether something was answered."""
        if done.said:
            self._tell()
            self.say(done.said)
        self.cite(*done.rulings)
        return done.given > 0

    # Telling

    def _tell(self) -> None:
        """Say every step that was not said yet."""
        frames, looking = self.session.frames(), self.table.looking
        for told in Teller(looking).tell(looking.moments(frames[self._told :])):
            self.say(step_text(told.step, told.words))
            self.cite(told.step.ruling)
        self._told = len(frames)

    def tell_of_file(self) -> None:
        """What became of the game's file."""
        for one in self.session.heard():
            self.say(one)

    def rulings(self, rulings: Iterable[Ruling]) -> None:
        """Rulings in words, each with its rule; `r` reads the last one."""
        for ruling in rulings:
            self.say(f"  {self.names.say(ruling.msg)}  [{ruling.refs[0]}]")
            self.cite(ruling)

    def cite(self, *rulings: Ruling) -> None:
        """These are the rulings last cited, if there are any."""
        self.table.cited = rulings or self.table.cited

    def forget_told(self) -> None:
        """Lines were taken back: those that come next are told again."""
        self._told = len(self.session.frames())
        self._asked = None

    def ask_again(self) -> None:
        """The question is read once more."""
        self._asked = None

    def _side(self, side: Side) -> str:
        return self.names.army(side).name

    def say(self, *texts: str) -> None:
        """Lines, none longer than a line may be; what goes on stands further in."""
        for text in texts:
            for line in text.split("\n"):
                indent = " " * (len(line) - len(line.lstrip()) + 2)
                rows = wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False,
                            break_on_hyphens=False)  # fmt: skip
                self._out.write("\n".join(rows if len(line) > WIDTH else [line]) + "\n")


def lines_from(stream: TextIO) -> Callable[[], str]:
    """A reader of lines that ends with EOFError, as `input` does."""

    def read() -> str:
        line = stream.readline()
        if not line:
            raise EOFError
        return line

    return read


def seats_from(text: str, sides: tuple[Side, ...]) -> Iterator[tuple[Side, str]]:
    """Who sits where, from `umano,medio`; missing seats are people."""
    given = [word.strip() for word in text.split(",")] if text else []
    for index, side in enumerate(sides):
        yield side, given[index] if index < len(given) and given[index] else HUMAN


def play(session: Session) -> None:
    """Play on standard input and output. Who sits at a keyboard is warned before a phase ends while
    somebody could still act; lines from a pipe are taken as they are."""
    warned = sys.stdin.isatty() and config.load().warned
    dialogue = Dialogue(session, lines_from(sys.stdin), sys.stdout, warned=warned)
    dialogue.run()
    session.close()
    dialogue.tell_of_file()


def tell_example(title: Title[Any], example: Example, out: TextIO) -> None:
    """Play a worked example as text: what is answered, what follows, and by which rules."""
    names = presenter_for(title.info.slug)
    playing = Playing(title, example)
    side = title.scenarios()[0].sides[0]
    names.use(title.view(playing.game.position.draft, side))
    out.write(f"{title.info.name}: {example.name}\n\n")
    told, teller = 0, Teller(Audience(title, (side,), (side,), is_told_all=True))
    for step, _faults in playing.run():
        if step.answer is not None:
            kind, _colon, name = step.answer.partition(":")
            out.write("> " + _("Answer: {what}", what=names.name(kind, name)) + "\n")
        frames = list(frames_of(playing.game))
        for one in teller.tell(frames[told:]):
            out.write(f"  {step_text(one.step, one.words)}\n")
        told = len(frames)
        decision = playing.game.position.decision
        if step.answer is not None and decision is not None:
            asked = f"{names.army(decision.side).name}: {names.say(decision.ruling.msg)}"
            out.write(f"{asked}  [{decision.ruling.refs[0]}]\n")
