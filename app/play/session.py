"""A game at the table: who sits where, what is asked, saving at every answer. No screen."""

from __future__ import annotations

import os
import random
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from app.cli.answers import why
from app.play import tutorial
from app.play.discretion import HUMAN, REMOTE
from app.play.reckoning import questions
from app.shell import breakdown
from app.shell.i18n import say
from app.shell.paths import is_writable, lent_folder, saves_folder, writable
from engine.core.decisions import Decision, Option
from engine.core.rules import Command, Entry, Ruling, Side, Step
from engine.core.text import N_, Msg
from engine.core.title import Player, Question, ScenarioInfo, Title
from engine.drive import RANDOM, player_of
from engine.examples import Example
from engine.game import Game, Passage, Position, SeededChance, UndoRefused
from engine.saves import letters
from engine.saves.chains import Chain, new_secret
from engine.saves.letters import Letter
from engine.saves.lines import FORMAT, Header, Ledger, Note, Post, SaveError
from engine.saves.lock import Lock
from engine.saves.reading import Record, Snapshot, read
from engine.saves.replaying import Loaded, chance_of, from_snapshot, load, photo_of
from engine.saves.writing import SaveFile, Told, taken

SUFFIX = ".prontuario"
MOST_DELEGATED = 200
"""Answers that the program gives for a person in one go."""


class InUse(SaveError):
    """Another window plays this game."""

    def __init__(self) -> None:
        super().__init__(N_("The game is open in another window: here you can only read it."))


class NotWhole(Exception):
    """The file is damaged, or the rules no longer accept all of it: the player chooses."""

    def __init__(self, loaded: Loaded[Any]) -> None:
        super().__init__(loaded.record.header.scenario)
        self.loaded = loaded


class Frame(msgspec.Struct, frozen=True):
    """One moment of a game: a step with the state before and after it.

    `entries` counts the answers given when the procedure of the step began, `side` is who was
    first asked in it, if anybody was.
    """

    before: Any
    state: Any
    step: Step
    entries: int
    passage: int
    side: Side = ""


class Session:
    """A game, its seats and its file."""

    def __init__(
        self, game: Game[Any], header: Header, path: Path, notes: Iterable[Note] = (), **rest: Any
    ) -> None:
        self.game = game
        self.header = header
        self.title: Title[Any] = game.title
        self.seats: dict[Side, str] = {
            side: header.players.get(side, HUMAN) for side in self.scenario.sides
        }
        self._reason: Msg | None = None
        self.is_auto = False
        self._is_begun = True  # a file that was there before, or that somebody asked for, is kept
        self._notes = list(notes)
        self._known: list[tuple[Passage[Any], tuple[Frame, ...]]] = []
        self._noted: dict[int, tuple[Note, Step]] = {}
        self._bots: dict[Side, Player] = {}
        # a game by post has no seed, and nobody is to know how a program breaks ties in it
        self.rng = random.Random(header.seed if header.post is None else None)
        if header.is_sealed:
            breakdown.keep_discreet()
        self._save = SaveFile.create(path, header, game, self._notes, **rest)

    # Beginning

    @classmethod
    def new(
        cls,
        title: Title[Any],
        scenario: str,
        *,
        seats: Mapping[Side, str] | None = None,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        real_dice: bool = False,
        guided: bool = False,
        path: Path | None = None,
    ) -> Session:
        """Begin a game and its file; SaveError where a game by post cannot be laid out so."""
        header = Header(
            FORMAT,
            title.info.slug,
            title.info.revision,
            scenario,
            secrets.token_hex(16) if seed is None else seed,
            dict(options or {}),
            dict(seats or {}),
            real_dice,
            note=tutorial.NOTE if guided else "",
        )
        ledger = None
        if REMOTE in header.players.values():
            info = next(info for info in title.scenarios() if info.id == scenario)
            header, ledger = _by_post(header, info.sides, is_seeded=seed is not None)
        game = Game(title, scenario, chance_of(header, ledger), header.options)
        target = path or new_path(title.info.slug, scenario)
        session = cls(game, header, target, lock=_lock_of(target), ledger=ledger)
        session._is_begun = path is not None or ledger is not None
        session.settle()
        return session

    @classmethod
    def guided(
        cls, title: Title[Any], guide: tutorial.Tutorial, path: Path | None = None
    ) -> Session:
        """Begin the guided game of a title where its guide begins, with the dice of the guide."""
        info = next(one for one in title.scenarios() if one.id == guide.scenario)
        seats = default_seats(title, info.sides)
        session = cls.new(
            title, guide.scenario, seats=seats, seed=guide.seed, guided=True, path=path
        )
        for option in guide.before:
            session.game.answer(option)
        session._is_begun = path is not None
        session._sync()
        return session

    @classmethod
    def trial(cls, title: Title[Any], example: Example, path: Path | None = None) -> Session:
        """Play on from the position of a worked example: a person for whoever is asked first."""
        start = title.position(example.position)
        scenario = example.scenario or title.scenarios()[0].id
        asked = Game(title, scenario, SeededChance(1), start=start).position.decision
        looking = asked.side if asked is not None else title.scenarios()[0].sides[0]
        there = {looking, *(counter.side for counter in title.view(start, looking).counters)}
        info = max(title.scenarios(), key=lambda i: (
            looking in i.sides, len(there & set(i.sides)), i.id == scenario))  # fmt: skip
        order = sorted(info.sides, key=lambda side: side != looking)
        header = Header(FORMAT, title.info.slug, title.info.revision, info.id,
                        secrets.token_hex(16), players=default_seats(title, order))  # fmt: skip
        scenario = info.id
        game = Game(title, scenario, chance_of(header), start=start)
        target = path or new_path(title.info.slug, scenario)
        photo = photo_of(title, start)
        session = cls(game, header, target, lock=_lock_of(target), start=photo)
        session._is_begun = path is not None
        session.settle()
        return session

    @classmethod
    def join(cls, letter: Letter, side: Side, titles: Mapping[str, Title[Any]]) -> Session:
        """Take a free side of a game that came by mail; SaveError if it cannot be."""
        ledger = letters.joined(letter, side, new_secret())
        loaded = letters.checked(letter, side, titles, ledger)
        header = loaded.record.header
        target = new_path(header.title, header.scenario)
        session = cls(loaded.game, header, target, lock=_lock_of(target), ledger=ledger)
        session.settle()
        return session

    @classmethod
    def open(cls, path: Path, titles: Mapping[str, Title[Any]]) -> Session:
        """Take up a saved game; InUse while another window plays it, NotWhole where the file or
        the rules do not let it go on as it was."""
        lock = _lock_of(path)
        try:
            loaded = load(path, titles)
        except SaveError:
            _released(lock)
            raise
        if not loaded.is_whole:
            _released(lock)
            raise NotWhole(loaded)
        if not is_writable(Path(os.path.realpath(path)).parent):
            _released(lock)
            return cls.take_up(loaded)
        return cls._of(loaded, loaded.game, path, lock)

    @classmethod
    def take_up(cls, loaded: Loaded[Any], from_photo: bool = False) -> Session:
        """Go on from the last good position, or from the snapshot, in a file of its own: the old
        one stays as it is."""
        header = loaded.record.header
        target = new_path(header.title, header.scenario)
        lock = _lock_of(target)
        if not from_photo:
            return cls._of(loaded, loaded.game, target, lock)
        return cls._of(loaded, from_snapshot(loaded), target, lock, loaded.snapshot)

    @classmethod
    def _of(
        cls,
        loaded: Loaded[Any],
        game: Game[Any],
        path: Path,
        lock: Lock | None,
        start: Snapshot | None = None,
    ) -> Session:
        record = loaded.record
        header = msgspec.structs.replace(
            record.header, format=FORMAT, revision=game.title.info.revision
        )
        done = len(game.entries)
        notes = [note for note in record.notes if note.entries <= done and start is None]
        warnings = [*record.warnings, *((done, msg) for msg in loaded.warnings)]
        session = cls(game, header, path, notes, lock=lock, start=start or record.start,
                      warnings=warnings, ledger=record.ledger)  # fmt: skip
        session._save.told += [Told(msg) for msg in loaded.warnings]
        if session.is_old_post:
            words = N_("This game by post is of the old kind: nothing in it is sealed or proved.")
            session._save.told.append(Told(Msg(words)))
        session.settle()
        return session

    @property
    def path(self) -> Path:
        """The game's file."""
        return self._save.path

    @property
    def is_kept(self) -> bool:
        """Whether the file stays when the table is left: not where nobody ever answered."""
        return self._is_begun or self._has_answers(self.game.entries)

    def _has_answers(self, entries: Iterable[Entry]) -> bool:
        """Whether anybody has answered anything, after the opening of a guided game."""
        given = [entry.option for entry in entries if isinstance(entry, Command)]
        guide = None
        if tutorial.is_guided(self.header.note):
            guide = tutorial.tutorial_for(self.header.title, self.header.scenario)
        before = list(guide.before) if guide is not None else []
        return len(given) > len(before) if given[: len(before)] == before else bool(given)

    @property
    def scenario(self) -> ScenarioInfo:
        """The scenario played."""
        infos = self.title.scenarios()
        return next(info for info in infos if info.id == self.game.scenario)

    @property
    def position(self) -> Position[Any]:
        """Where the game stands."""
        return self.game.position

    @property
    def decision(self) -> Decision | None:
        """What is asked now."""
        return self.position.decision

    @property
    def is_bot_turn(self) -> bool:
        """Whether the program is to answer."""
        decision = self.decision
        return decision is not None and self.seats[decision.side] not in (HUMAN, REMOTE)

    @property
    def is_away(self) -> bool:
        """Whether somebody else, elsewhere, is to answer."""
        decision, ledger = self.decision, self.ledger
        if decision is None:
            return self.position.request is not None and ledger is not None and not ledger.is_open
        return self.seats[decision.side] == REMOTE

    @property
    def is_old_post(self) -> bool:
        """Whether people play elsewhere, as games by post were before they had a seal."""
        return self.header.post is None and REMOTE in self.seats.values()

    @property
    def is_spent(self) -> bool:
        """Whether a game by post has come to the end of the chain of its dice."""
        ledger = self.ledger
        return self.position.request is not None and ledger is not None and ledger.is_open

    @property
    def ledger(self) -> Ledger | None:
        """What a game by post keeps beside its answers."""
        return self._save.ledger

    @property
    def awaited(self) -> tuple[Side, ...]:
        """Who is to have the next mail: who is asked, the next without a side, who begins the
        dice; all the others when the game is over."""
        decision, ledger = self.decision, self.ledger
        if decision is not None:
            return (decision.side,) if self.is_away else ()
        if ledger is None:
            return ()
        if self.position.outcome is not None:
            return tuple(side for side in ledger.people if self.seats[side] == REMOTE)
        return (*ledger.free, ledger.first)[:1] if self.is_away else ()

    def answers_of(self, side: Side) -> tuple[str, ...]:
        """The answers that a side has given so far."""
        given = self.game.entries
        return tuple(one.option for one in given if isinstance(one, Command) and one.side == side)

    @property
    def humans(self) -> tuple[Side, ...]:
        """The sides that people play."""
        return tuple(side for side, who in self.seats.items() if who == HUMAN)

    # Playing

    def answer(self, option: str, reason: Msg | None = None) -> Position[Any]:
        """Answer the open question; Refused carries the rulings against it. The journal tells the
        reason that a program gives, once for all the answers that follow from it."""
        decision, done, told = self.decision, len(self.game.entries), len(self.game.steps)
        is_own = decision is not None and self.seats[decision.side] == HUMAN
        self.game.answer(option)
        self._is_begun = self._is_begun or is_own
        if reason is not None and decision is not None and reason != self._reason:
            # a reason is for those who see all that came of it
            unseen = {side for step in self.game.steps[told:] for side in step.hidden_from}
            hidden_from = tuple(side for side in self.seats if side in unseen)
            ruling = Ruling(decision.ruling.refs, reason)
            self._notes.append(Note(done, told, ruling, hidden_from))
        self._reason = reason
        self._sync(is_own)
        return self.settle()

    def _sync(self, settle: bool = True) -> None:
        """Write what happened; it is safely on the disk when a person is asked."""
        self._save.sync(self.game, self._notes, settle=settle or not self.is_bot_turn)

    def settle(self) -> Position[Any]:
        """Give the answers that have no alternative: to people elsewhere no mail is sent for them;
        to people here where they want it so. The journal tells."""
        while (option := self._only_option()) is not None:
            decision = self.decision
            assert decision is not None
            facts = {**option.msg.facts, **{"seat": decision.side}}
            others = tuple(side for side in self.seats if side != decision.side)
            ruling = Ruling(decision.ruling.refs, Msg(option.msg.id, facts))
            done, told = len(self.game.entries), len(self.game.steps)
            self._notes.append(Note(done, told, ruling, others))
            self.game.answer(option.id)
            self._sync()
        return self.position

    def _only_option(self) -> Option | None:
        decision = self.decision
        if decision is None or len(decision.options) > 1:
            return None
        who = self.seats[decision.side]
        is_given = who == REMOTE and self.header.is_sealed
        if who == HUMAN:
            is_given = self.is_auto and not decision.refused and not self._is_before_roll()
        return decision.options[0] if is_given else None

    def _is_before_roll(self) -> bool:
        """Whether the answer leads straight to what has odds: the last moment to see them."""
        return any(len(question.commands) == 1 for question in self.questions())

    def enter(self, faces: Sequence[int]) -> Position[Any]:
        """Type in real dice; ValueError if they cannot be."""
        self._is_begun = True
        self.game.enter(faces)
        self._sync()
        return self.settle()

    def bot_choice(self, level: str = "") -> tuple[str, Msg | None]:
        """What the program would answer now, and why; may take a while, and changes nothing.

        Without a level, the player who sits there.
        """
        decision = self.decision
        assert decision is not None
        side = decision.side
        bot = player_of(self.title, level) if level else self._bots.get(side)
        if bot is None:
            bot = self._bots[side] = player_of(self.title, self.seats[side])
        draft = self.position.draft
        option = bot.choose(lambda: self.title.view(draft, side), decision, self.rng)
        return option, bot.reason()

    @property
    def deputy(self) -> str:
        """The level at which the program answers for a person."""
        levels = self.title.levels
        return levels[len(levels) // 2] if levels else RANDOM

    def delegate(self, at_most: int = MOST_DELEGATED) -> int:
        """The program answers the open question for a person, until another one is asked."""
        decision = self.decision
        if decision is None or self.seats[decision.side] != HUMAN:
            return 0
        bot = self._bots.get(decision.side)
        if bot is None:
            bot = self._bots[decision.side] = player_of(self.title, self.deputy)
        asked, given = (decision.side, decision.id), 0
        while decision is not None and given < at_most:
            if (decision.side, decision.id) != asked:
                break
            look = partial(self.title.view, self.position.draft, decision.side)
            self.answer(bot.choose(look, decision, self.rng))
            decision, given = self.decision, given + 1
        return given

    def undo(self, studio: bool = False) -> Position[Any]:
        """Take back the last answer of a person, and what programs answered after it: all of it,
        or nothing."""
        taken, was_studio = 0, self.game.studio
        if self.ledger is None and not self._has_answers(self.game.entries):
            raise UndoRefused(Msg(N_("There is nothing to take back.")))
        try:
            while not taken or self._answers_itself():
                self._take_back(studio)
                taken += 1
        except UndoRefused:
            for _ in range(taken):
                self.game.redo()
            self.game.studio = was_studio
            raise
        steps = len(self.game.steps)
        self._notes = [note for note in self._notes if note.steps < steps]
        self._sync()
        return self.settle()

    def _take_back(self, studio: bool) -> None:
        """Take back one answer; in a game by post no dice, and nothing that was sent or came."""
        if self.ledger is None:
            self.game.undo(studio)
            return
        sent = self.ledger.mails[-1].entries if self.ledger.mails else 0
        if not any(isinstance(entry, Command) for entry in self.game.entries[sent:]):
            raise UndoRefused(Msg(N_("What was sent or received by post is not taken back.")))
        if self.game.why_not_undo() is not None:
            raise UndoRefused(Msg(N_("In a game by post dice and what was shown stay.")))
        self.game.undo()

    def _answers_itself(self) -> bool:
        """Whether what is asked now asks nothing of a person."""
        return self.is_bot_turn or self._only_option() is not None

    def redo(self) -> Position[Any]:
        """Repeat the answer taken back."""
        self.game.redo()
        self._sync()
        return self.settle()

    def save(self) -> None:
        """Leave the file compact, with a snapshot; the game goes on."""
        self._is_begun = True
        self._save.rewrite(self.game, self._notes)

    def keep(self, note: str) -> None:
        """Note in the header of the file what is to be remembered of the table."""
        if note != self.header.note:
            self.header = msgspec.structs.replace(self.header, note=note)
            self._save.header = msgspec.structs.replace(self._save.header, note=note)
            self._save.rewrite(self.game, self._notes)

    def close(self) -> None:
        """Leave the file compact, and to other windows; a game never begun leaves none."""
        self._save.close(self.game, self._notes)
        if self._save.is_in_trouble:
            self._save_elsewhere()
        elif not self.is_kept:
            self._drop()

    def _drop(self) -> None:
        """Take the file away, unless it holds an answer after all."""
        with suppress(OSError, SaveError):
            record = read(self.path)
            if record.damage is None and not self._has_answers(record.entries):
                self.path.unlink()

    def _save_elsewhere(self) -> None:
        """The disk does not take the game to the end: one more try, in the system's own folder."""
        told, path = self._save.told, lent_folder() / self.path.name
        self._save = self._save.elsewhere(path, self.game, self._notes)
        if not self._save.is_in_trouble:
            self._save.told = [Told(Msg(N_("The game is saved in {file}."), {"file": str(path)}))]
        self._save.told = [*told, *self._save.told]

    # By post

    def written(self) -> Letter:
        """The game as it is sent; SaveError while it is for somebody here to go on."""
        if self.ledger is None:
            raise SaveError(N_("This is no game by post: choose a seat «by mail» in a new one."))
        if not self.awaited:
            raise SaveError(N_("It is still your turn: there is nothing to send yet."))
        return letters.written(self.header, self.ledger, self.game)

    def sent(self, letter: Letter) -> None:
        """Keep in mind that a letter is on its way: from now on it holds."""
        assert self.ledger is not None
        self._keep(msgspec.structs.replace(self.ledger, mails=letter.ledger.mails))

    def receive(self, letter: Letter, titles: Mapping[str, Title[Any]]) -> None:
        """Go on with a game as it came by mail; SaveError if it does not continue this one."""
        if self.ledger is None:
            raise SaveError(N_("This is no game by post: choose a seat «by mail» in a new one."))
        mine = Record(self.header, self.game.entries, {}, ledger=self.ledger)
        loaded, ledger = letters.received(letter, mine, titles)
        self.game = loaded.game
        self._keep(ledger)
        self.settle()

    def _keep(self, ledger: Ledger) -> None:
        self._save.ledger = ledger
        self._save.rewrite(self.game, self._notes)

    def heard(self) -> list[str]:
        """What the player must hear about the file, each thing once."""
        told, self._save.told = self._save.told, []
        return [_in_words(one) for one in told]

    # Looking

    def seat(self) -> Side:
        """From whose chair the table is seen: the person asked, or the only person there is."""
        decision = self.decision
        if decision is not None and self.seats[decision.side] == HUMAN:
            return decision.side
        return self.humans[0] if self.humans else self.scenario.sides[0]

    def frames(self) -> list[Frame]:
        """Every step of the game with its states."""
        passages = self.game.passages
        same = 0
        for (known, _made), passage in zip(self._known, passages, strict=False):
            if known is not passage:
                break
            same += 1
        del self._known[same:]
        entries = sum(len(passage.entries) for passage in passages[:same])
        for number, passage in enumerate(passages[same:], start=same):
            made = tuple(_frames(passage, entries, number))
            self._known.append((passage, made))
            entries += len(passage.entries)
        position = self.position
        now = _frames(_going(position), entries, len(passages))
        found = [frame for _passage, made in self._known for frame in made]
        found += now
        return found

    def moments(self) -> list[Frame]:
        """Every moment of the game, the lines that are not steps included."""
        found = self.frames()
        for note in reversed(self._notes):
            at = note.steps
            if at <= len(found):
                state = found[at - 1].state if at else self.position.rest
                before = found[at - 1] if at else None
                place = (before.entries, before.passage, before.side) if before else (0, 0)
                found.insert(at, Frame(state, state, self._step_of(note), *place))
        return found

    def _step_of(self, note: Note) -> Step:
        """A note as the same step every time."""
        known = self._noted.get(id(note))
        if known is None or known[0] is not note:
            known = self._noted[id(note)] = note, note.as_step()
        return known[1]

    def questions(self) -> tuple[Question, ...]:
        """What odds are worth asking now, for whoever is asked."""
        return questions(self.title, self.position)


def _by_post(header: Header, sides: Sequence[Side], is_seeded: bool) -> tuple[Header, Ledger]:
    """The header of a game by post, and the ledger with which it begins."""
    players = {side: header.players.get(side, HUMAN) for side in sides}
    here = [side for side, who in players.items() if who == HUMAN]
    people = [side for side, who in players.items() if who in (HUMAN, REMOTE)]
    if len(here) != 1:
        raise SaveError(N_("In a game by post exactly one side is played here by a person."))
    if header.real_dice or is_seeded:
        raise SaveError(N_("In a game by post dice come from the chains of the sides: no seed and "
                           "no real dice."))  # fmt: skip
    secret = new_secret()
    pledge = (here[0], Chain(secret).commitment)
    post = Post(secrets.token_hex(8), here[0])
    sealed = msgspec.structs.replace(header, seed="", players=players, post=post)
    return sealed, Ledger(tuple(people), (pledge,), secret=secret)


def default_seats(title: Title[Any], sides: Sequence[Side]) -> dict[Side, str]:
    """A person on the first side, the program on the others: at its middle level, if it has any."""
    levels = title.levels
    level = "medio" if "medio" in levels else levels[len(levels) // 2] if levels else RANDOM
    return {side: level if number else HUMAN for number, side in enumerate(sides)}


def frames_of(game: Game[Any]) -> Iterator[Frame]:
    """Every step of a game with the state after it."""
    entries = 0
    for number, passage in enumerate(game.passages):
        yield from _frames(passage, entries, number)
        entries += len(passage.entries)
    yield from _frames(_going(game.position), entries, len(game.passages))


def _going(position: Position[Any]) -> Passage[Any]:
    """The procedure that is going on, as if it were finished."""
    return Passage(position.rest, tuple(position.open), tuple(position.steps), 0)


def _frames(passage: Passage[Any], entries: int, number: int) -> Iterator[Frame]:
    state = passage.rest
    side = next((entry.side for entry in passage.entries if isinstance(entry, Command)), "")
    for step in passage.steps:
        before = state
        if step.event is not None:
            state = step.event.on(state)
        yield Frame(before, state, step, entries, number, side)


def _in_words(told: Told) -> str:
    facts = {"why": why(told.error)} if told.error is not None else {}
    return say(Msg(told.msg.id, {**told.msg.facts, **facts}))


def _lock_of(path: Path) -> Lock | None:
    """The lock of a file, None where locks cannot be kept; InUse if another window has it."""
    try:
        lock = Lock.take(path)
    except OSError:
        return None
    if lock is None:
        raise InUse
    return lock


def _released(lock: Lock | None) -> None:
    if lock is not None:
        lock.release()


def new_path(slug: str, scenario: str) -> Path:
    """A new file for a game."""
    safe = re.sub(r"[^a-z0-9-]+", "-", f"{slug}-{scenario}".lower())
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    return taken(writable(saves_folder()), f"{safe}-{stamp}", SUFFIX)


def games_in(folder: Path) -> list[Path]:
    """The saved games of a folder, the latest first."""
    found = folder.glob(f"*{SUFFIX}")
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
