"""The same game as a linear dialogue: for screen readers, dumb terminals and pipes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TextIO, TypeAlias

from app.play.citing import Quote, no_words
from app.play.dice_words import DiceEntry, how_to_type, what_to_roll
from app.play.discretion import HUMAN, Audience
from app.play.mail import by_number, export, newest, promises, spent, waiting
from app.play.orders import Done
from app.play.primer import in_lines, primer
from app.play.session import Session, frames_of
from app.play.table import Table
from app.play.telling import Teller
from app.play.why import Kind, Row
from app.presenters.base import Presenter, name_of
from app.presenters.registry import presenter_for
from app.shell.i18n import _, _n, catalog, say
from app.shell.paths import post_folder
from engine import titles
from engine.core.ctx import RollRequest
from engine.core.decisions import Decision
from engine.core.rules import BY_HAND, Refused, Roll, Ruling, Side, Step
from engine.core.title import Title
from engine.core.view import View
from engine.examples import Example, Playing
from engine.game import UndoRefused
from engine.saves.lines import SaveError

WORDS = {
    "aiuto": "?",
    "comandi": "h",
    "help": "h",
    "leggi": "l",
    "tavolo": "m",
    "mappa": "m",
    "esagono": "e",
    "visuale": "s",
    "delega": "d",
    "probabilità": "o",
    "probabilita": "o",
    "vietate": "v",
    "tutto": "t",
    "ultima": "w",
    "ripeti": ".",
    "regole": "r",
    "regola": "r",
    "annulla": "u",
    "undo": "u",
    "esci": "q",
    "quit": "q",
    "exit": "q",
}
"""The words that stand for the letters of the dialogue, in small letters."""


RuleText: TypeAlias = Callable[[str, Ruling | None], str]
"""A rule as plain text, with the words that a ruling applied of it."""


class Dialogue:
    """A game in questions and answers."""

    def __init__(
        self,
        session: Session,
        read: Callable[[], str],
        out: TextIO,
        rule_text: RuleText | None = None,
        quote: Quote = no_words,
    ) -> None:
        self.session = session
        self._read = read
        self._out = out
        self._rule_text = rule_text
        self._quote = quote
        self.table = Table(session)
        self._names: Presenter = self.table.presenter
        self._told = 0
        self._cited: Ruling | None = None
        self._asked: Decision | None = None

    def run(self) -> None:
        """Play until the game or the person ends it."""
        info = self.session.scenario
        self._say(f"{self.session.title.info.name}: {info.name}")
        for line in self._names.briefing(info.id):
            self._say(line)
        self._say(_("Type the number of an answer; ? explains it, h lists the commands."))
        if self.session.ledger is not None and not self.session.ledger.mails:
            self._say("\n".join(promises()))
        while True:
            self.table.change_seat()
            self._names.use(self.table.view)
            self._tell()
            self.tell_of_file()
            outcome = self.session.position.outcome
            if outcome is not None:
                self._ruling(outcome.ruling)
                winner = outcome.winner
                side = self._side(winner) if winner else ""
                self._say(_("{side} wins.", side=side) if winner else _("Nobody wins."))
                if self.session.ledger is None or not self._post():
                    return
            if self.session.is_bot_turn:
                self._let_the_bot_answer()
                continue
            if self.session.is_away:
                if not self._post():
                    return
                continue
            if self.session.is_spent:
                self._say(spent())
                return
            if self._answer_the_only_one() or self._carry_on():
                continue
            try:
                line = self._ask()
            except (EOFError, KeyboardInterrupt):
                self._take_leave()
                return
            if self._meant(line) == "q":
                self._take_leave()
                return
            self._obey(line)

    def _take_leave(self) -> None:
        if self.session.is_kept:
            self._say(_("The game is saved: {file}", file=self.session.path.name))
        else:
            self._say(_("Nobody has answered anything: the game is not kept."))

    def _meant(self, word: str) -> str:
        """The letter that a word stands for; what names an answer stands for itself."""
        options = self.session.decision.options if self.session.decision is not None else ()
        if any(option.id.partition(":")[2].lower() == word.lower() for option in options):
            return word
        return WORDS.get(word.lower(), word)

    def _post(self) -> bool:
        """Offer what the post can do while others are to answer; whether the game goes on here."""
        self._say(waiting(self.session))
        if self.session.ledger is None:
            return False
        while True:
            for number, words in enumerate(by_number(self.session).values(), start=1):
                self._say(f"  {number}. {words}")
            self._out.write("> ")
            self._out.flush()
            try:
                line = self._read().strip()
            except (EOFError, KeyboardInterrupt):
                line = "q"
            if line == "q":
                self._say(_("The game is saved: {file}", file=self.session.path.name))
                return False
            try:
                if line == "1":
                    path = export(self.session, post_folder())
                    self._say(_("Written: {file}", file=str(path)))
                elif line == "2" and self._take_in():
                    return True
            except SaveError as error:
                self._say(self._names.say(error.msg))

    def _take_in(self) -> bool:
        letter = newest(self.session)
        if letter is None:
            words = _("No mail for this game has come: put it into {folder}, then try again.",
                      folder=str(post_folder()))  # fmt: skip
            self._say(words)
            return False
        self.session.receive(letter, titles.TITLES)
        return True

    def _obey(self, line: str) -> None:
        commands: dict[str, Callable[[], None]] = {
            "h": self._help,
            "?": self._explain,
            "u": self._undo,
            "o": self._odds,
            "m": self._table,
            "r": self._rules,
            "v": self._refusals,
            "l": self._ask_again,
            "d": self._delegate,
            "t": self._place_all,
            "w": self._as_before,
            ".": self._again,
        }
        if not line or self._are_faces(line):
            return
        verb, *labels = line.split()
        verb = self._meant(verb)
        if verb in commands and not labels:
            commands[verb]()
            return
        if verb == "e" and len(labels) == 1:
            self._hex(labels[0])
            return
        if verb == "s" and len(labels) == 2:
            self._sight(*labels)
            return
        decision, request = self.session.decision, self.session.position.request
        if isinstance(request, RollRequest):
            self._tell_wrong_faces(request, line)
        elif decision is not None:
            self._answer(decision, line)

    # Asking

    def _ask(self) -> str:
        decision, request = self.session.decision, self.session.position.request
        if isinstance(request, RollRequest):
            self._ruling(request.ruling)
            self._say(f"  {what_to_roll(request, self._names)}")
            faces = how_to_type(request, self._names)
            self._say("  " + _("Type the faces, with spaces or without: {faces}.", faces=faces))
        elif decision is not None and decision is self._asked:
            self._say(_("Still the same question; l reads it again."))
        elif decision is not None:
            self._asked = decision
            self._say("")
            self._say(f"{self._side(decision.side)}:")
            self._ruling(decision.ruling)
            view = self.table.view
            for number, option in enumerate(decision.options, start=1):
                self._say(
                    f"  {number}. {self._names.answer(option.id, option.msg)}"
                    f"{self._about(option.id, view)}"
                )
            if decision.refused:
                n = len(decision.refused)
                self._say(
                    "  " + _n("({n} refused: v says why)", "({n} refused: v says why each)", n=n)
                )
        self._out.write("> ")
        self._out.flush()
        return self._read().strip()

    def _about(self, option: str, view: View) -> str:
        """Where a unit stands and what it is; what ground a hex is."""
        kind, _colon, name = option.partition(":")
        if kind == "h":
            with suppress(ValueError):
                hex = view.board.hex_at(name)  # the name of a place beside it says all
                return f", {self._names.name('terrain', view.board.terrain(hex))}"
        for counter in view.counters if kind == "u" else ():
            if counter.id == name:
                where = self._names.where(view, counter)
                return f", {where}: {self._names.detail(counter)}".replace(", :", ",")
        return ""

    def _answer(self, decision: Decision, line: str) -> None:
        if self._are_several(decision, line):
            return
        chosen = line
        named = [o.id for o in decision.options if o.id.partition(":")[2].lower() == line.lower()]
        if named:
            chosen = named[0]
        if line.isdigit() and 1 <= int(line) <= len(decision.options):
            chosen = decision.options[int(line) - 1].id
        try:
            self.table.orders.hear(decision, chosen)
            self.session.answer(chosen)
        except Refused as refused:
            if decision.refused.get(chosen) is None and ":" not in chosen:
                self._say(_("Type the number of an answer; ? explains it, h lists the commands."))
                return
            self._say(_("Not possible:"))
            for ruling in refused.rulings:
                self._ruling(ruling)

    def _are_faces(self, line: str) -> bool:
        """Take a line as the faces that are asked for, if it is them all: an icon may have the
        letter of a command."""
        request = self.session.position.request
        if not isinstance(request, RollRequest):
            return False
        entry = DiceEntry(request, self._names)
        is_whole = entry.type_in(line) and entry.confirm()
        if is_whole:
            self.session.enter(entry.faces)
        return is_whole

    def _tell_wrong_faces(self, request: RollRequest, line: str) -> None:
        entry = DiceEntry(request, self._names)
        if entry.type_in(line):
            entry.confirm()
        self._say(entry.fault)

    def _let_the_bot_answer(self) -> None:
        decision = self.session.decision
        assert decision is not None
        chosen, reason = self.session.bot_choice()
        option, known = decision.option(chosen), len(self.session.game.steps)
        self.session.answer(chosen, reason)
        if not self.table.looking.may_hear(self.session.game.steps[known:]):
            return
        if option is not None:
            text = self._names.answer(option.id, option.msg)
            self._say(f"{self._side(decision.side)}: {self._names.say(decision.ruling.msg)}"
                      f" — {text}")  # fmt: skip
        if reason is not None:
            self._say(f"  ({self._names.say(reason)})")

    def _answer_the_only_one(self) -> bool:
        """Give the answer that has no alternative, and say so."""
        decision = self.session.decision
        if decision is None or len(decision.options) > 1 or decision.refused:
            return False
        option = decision.options[0]
        asked, said = self._names.say(decision.ruling.msg), self._names.say(option.msg)
        self._say(_("{question} Only one answer: {answer}.", question=asked, answer=said))
        self.session.answer(option.id)
        return True

    def _delegate(self) -> None:
        n = self.session.delegate()
        self._say(_n("The program answered once for you.", "The program gave {n} answers for you.",
                     n=n))  # fmt: skip

    def _ask_again(self) -> None:
        self._asked = None

    # Many as one

    def _are_several(self, decision: Decision, line: str) -> bool:
        """Give several answers by their numbers: units that act do so as a group."""
        numbers = line.split()
        count = len(decision.options)
        if len(numbers) < 2 or not all(n.isdigit() and 0 < int(n) <= count for n in numbers):
            return False
        options = [decision.options[int(n) - 1].id for n in numbers]
        if self.table.orders.question is not None:
            self.table.orders.begin(options)
            options = options[:1]
        given = self.table.give(options)
        if given.refusal is not None:
            self.table.orders.stop()
            self._say(_("Not possible:"))
            for ruling in given.refusal.rulings:
                self._ruling(ruling)
        return True

    def _carry_on(self) -> bool:
        """Give what was asked for in one go, as far as it goes by itself; whether it went on."""
        placing, orders = self.table.placing, self.table.orders
        if placing.is_by_program:
            placing.take(self.session.bot_choice(self.session.deputy)[0])
            return True
        if placing.is_by_plan:
            stop = placing.give_planned()
            if stop is not None:
                self._say(stop.said)
            return True
        if placing.is_over:
            self._say(placing.ended())
        if not orders.is_on:
            return False
        return self._tell_done(orders.go_on())

    def _tell_done(self, done: Done) -> bool:
        if done.said:
            self._tell()
            self._say(done.said)
        self._cited = next(iter(done.rulings), self._cited)
        return done.given > 0

    def _place_all(self) -> None:
        if self.table.placing.applies:
            self.table.placing.begin()
        else:
            self._say(_("Nothing is being set up now."))

    def _as_before(self) -> None:
        applies = self.table.placing.applies
        said = (
            self.table.placing.begin_as_before() if applies else _("Nothing is being set up now.")
        )
        if said:
            self._say(said)

    def _again(self) -> None:
        self._tell_done(self.table.orders.again())

    def _hex(self, label: str) -> None:
        view = self.table.view
        try:
            hex = view.board.hex_at(label.upper())
        except ValueError:
            self._say(_("There is no hex {label}.", label=label))
            return
        self._say(self._names.describe(view, hex))
        for ruling in self.table.inspect(hex):
            self._ruling(ruling)

    def _sight(self, first: str, second: str) -> None:
        board = self.table.view.board
        try:
            seen = self.table.sight(board.hex_at(first.upper()), board.hex_at(second.upper()))
        except ValueError:
            self._say(_("There is no hex {label}.", label=f"{first}, {second}"))
            return
        if seen is None:
            self._say(_("This title does not tell sight beforehand."))
            return
        words = {True: _("clear"), False: _("blocked"), None: _("not to be known yet")}[seen.clear]
        self._say(_("Sight: {what}.", what=words))
        for ruling in seen.rulings:
            self._ruling(ruling)

    # Telling

    def _tell(self) -> None:
        """Say every step that was not said yet."""
        frames, looking = self.session.frames(), self.table.looking
        for told in Teller(looking).tell(looking.moments(frames[self._told :])):
            self._say(step_text(told.step, told.words))
            self._cited = told.step.ruling
        self._told = len(frames)

    def tell_of_file(self) -> None:
        """What became of the game's file."""
        for one in self.session.heard():
            self._say(one)

    def _ruling(self, ruling: Ruling) -> None:
        self._say(f"  {self._names.say(ruling.msg)}  [{ruling.refs[0]}]")
        self._cited = ruling

    def _help(self) -> None:
        for key, what in (
            ("1, 2, 3…", _("answer with that option")),
            ("l, leggi", _("read the question again")),
            ("m, tavolo", _("the table: units and tracks")),
            ("e F6", _("what is in a hex")),
            ("s F6 G4", _("the line of sight between two hexes")),
            ("d, delega", _("let the program answer this question")),
            ("1 3 4", _("several answers: units act one after the other, or together")),
            ("., ripeti", _("the last order once more, for a unit of the same kind")),
            ("t, tutto", _("the program sets up the rest of your side")),
            ("w, ultima", _("set up as in the last game of this scenario")),
            ("o, probabilità", _("the odds of what is asked")),
            ("v, vietate", _("why the refused answers are refused")),
            ("r, regole", _("the rules last cited, in full")),
            ("u, annulla", _("take back the last answer")),
            ("q, esci", _("leave; the game is saved")),
            ("?, aiuto", _("the question explained: what can I do?")),
            ("h, comandi", _("this list")),
        ):
            self._say(f"  {key:<16}{what}")

    def _explain(self) -> None:
        """The open question, for who has never been asked it."""
        ways = (
            ("1, 2, 3…", _("answer with that option")),
            ("v, vietate", _("why the refused answers are refused")),
            ("o, probabilità", _("the odds of what is asked")),
            ("r, regole", _("the rules last cited, in full")),
            ("d, delega", _("let the program answer this question")),
            ("u, annulla", _("take back the last answer")),
        )
        for line in in_lines(primer(self.table, ways, self._quote)):
            self._say(line)

    def _undo(self) -> None:
        try:
            self.session.undo()
        except UndoRefused as refused:
            self._say(say(refused.msg))
            return
        self._told = len(self.session.frames())
        self._say(_("Taken back."))
        self._asked = None

    def _odds(self) -> None:
        """They are reckoned here: the dialogue has nothing else to do until they are told."""
        for row in self.table.why_here(self._quote):
            self._say(row_text(row))

    def _table(self) -> None:
        view = self.table.view
        self._say(self._names.say(view.phase))
        for panel in self._names.panels(view):
            self._say(f"{panel.heading}:")
            for line in panel.lines:
                self._say(f"  {line}")
        for track in view.tracks:
            last = f"/{track.last}" if track.last is not None else ""
            whose = f" ({self._side(track.side)})" if track.side else ""
            self._say(f"  {self._names.say(track.name)}{whose}: {track.value}{last}")
        for counter in view.counters:
            where = self._names.where(view, counter) or _("off the map")
            name, about = self._names.name("unit", counter.id), self._names.detail(counter)
            self._say(f"  {where}: {name}, {about}")

    def _refusals(self) -> None:
        decision = self.session.decision
        for option, rulings in decision.refused.items() if decision is not None else ():
            self._say(f"  {name_of(self._names, decision, option)}")
            for ruling in rulings:
                self._ruling(ruling)

    def _rules(self) -> None:
        for ref in self._cited.refs if self._cited is not None else ():
            self._say(self._rule_text(ref, self._cited) if self._rule_text is not None else ref)

    def _side(self, side: Side) -> str:
        return self._names.army(side).name

    def _say(self, text: str) -> None:
        self._out.write(text + "\n")


def row_text(row: Row) -> str:
    """A row of the why of chances as one line of text, its rule at the end."""
    said = row.said if row.share is None else f"{catalog().percent(row.share)}: {row.said}"
    if row.kind is Kind.QUOTE:
        return f"      «{said}»"
    number = f" {row.number}" if row.number else ""
    ref = f"  [{row.ruling.refs[0]}]" if row.ruling is not None else ""
    return f"{'  ' if row.kind is Kind.HEAD else '    '}{said}{number}{ref}"


def step_text(step: Step, words: str) -> str:
    """A step as one line of text, its rules at the end."""
    parts = [words]
    if isinstance(step.chance, Roll):
        typed = _("real dice:") if step.chance.source == BY_HAND else ""
        faces = " ".join(filter(None, [typed, *map(str, step.chance.faces)]))
        parts.append(f"[{faces}]")
    if step.tally is not None:
        line = step.tally
        sign = line.operation if line.operation != "+" or line.value < 0 else "+"
        value = str(line.value) if line.value < 0 else f"{sign}{line.value}"
        parts.append(f"{value} = {line.total}")
    return f"{'  ' * step.depth}{' '.join(parts)}  [{step.ruling.refs[0]}]"


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


def play(session: Session, rule_text: RuleText | None = None, quote: Quote = no_words) -> None:
    """Play on standard input and output."""
    dialogue = Dialogue(session, lines_from(sys.stdin), sys.stdout, rule_text, quote)
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
