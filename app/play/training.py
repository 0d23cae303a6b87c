"""Training: questions about the rules, made from positions of games that programs play.

«Is it allowed?» takes an answer that the open question offers or refuses; «What happens?» takes a
roll whose odds are known. What is right is what the engine says, told with its rulings. Everything
is made of what the side that is asked may know. The same seed makes the same questions. No screen.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import count, islice
from typing import Any, NamedTuple

import msgspec

from app.play import places
from app.play.citing import Quote, quote_from
from app.play.primer import About, explanations
from app.play.progress import Progress, chapter_of
from app.play.reckoning import Reckoned, foretell, questions
from app.play.why import Kind, Row, assumed, brief, of_one
from app.presenters.base import Presenter, name_of
from app.presenters.registry import presenter_for
from app.shell.i18n import _, catalog
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Command, RuleRef, Ruling
from engine.core.text import Msg
from engine.core.title import ScenarioInfo, Sight, Title
from engine.core.view import View
from engine.drive import RANDOM, player_of
from engine.game import Game, Position, SeededChance
from engine.odds import OverBudget, because, odds
from rules_it.corpus import Corpus

LEVEL = "medio"
"""Who plays the games, where a title has such a player."""
LONGEST = 500
"""Decisions of one game that are looked at."""
MOST_SEEN = 2_000
"""Decisions that are looked at for one question, before giving up."""
POOL = 10
"""Questions from which the next one is chosen, where no rule is due."""
LONG_POOL = 80
"""The same while one about a rule that is due is looked for."""
RECENT = 4
"""Rules that are not asked about again at once."""
ONE_IN = 6
"""Of so many decisions one is asked about, so that positions differ."""
SURVEYED = 50
"""Positions of a scenario that are looked at to know its chapters."""
CHOICES = 4
APART = Fraction(8, 100)
"""What two chances to choose from differ by at least."""
LEAD = Fraction(1, 25)
"""What the likeliest result must be ahead of the next by."""
MOST_NAMED, MOST_AGAINST, MOST_REASONS = 4, 3, 4


class Sort(Enum):
    """What a question is about."""

    ALLOWED = "permesso"
    ODDS = "probabilita"


class Level(Enum):
    """How hard a question is: one ruling decides, or several do, or the odds."""

    EASY = "facile"
    HARD = "difficile"


class Wanted(NamedTuple):
    """What is to be asked about; everything, unless told otherwise."""

    chapter: str = ""
    level: Level | None = None


ANYTHING = Wanted()


class Scene(msgspec.Struct, frozen=True):
    """The position of a question on the map: what is asked about, and once that is answered what
    was allowed and what was not."""

    view: View
    about: Hex | None = None
    focus: tuple[Hex, ...] = ()
    allowed: tuple[Hex, ...] = ()
    refused: tuple[Hex, ...] = ()
    sight: Sight | None = None


class Drill(msgspec.Struct, frozen=True):
    """One question in words, its answers, which of them is right (by place), and why.

    `rule` decides it and `chapter` holds that rule; `asking` is what is asked at the table there;
    `option` is the answer that the question is about, `so_far` what the side has chosen on the way.
    """

    slug: str
    scenario: str
    sort: Sort
    level: Level
    rule: RuleRef
    chapter: str
    where: tuple[str, ...]
    asking: str
    words: str
    choices: tuple[str, ...]
    right: int
    why: tuple[Row, ...]
    scene: Scene
    at: Position[Any]
    option: str
    so_far: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings that the answer cites, that of the rule that decides first."""
        found = [row.ruling for row in self.why if row.ruling is not None]
        return tuple(sorted(found, key=lambda ruling: self.rule not in ruling.refs))

    def verdict(self, choice: int) -> str:
        """What is said of an answer, by its place."""
        answer = self.choices[self.right]
        if choice == self.right:
            return _("Right: {answer}.", answer=answer)
        return _("Wrong: the answer is {answer}.", answer=answer)


class _Spot(NamedTuple):
    """A position that is asked about."""

    at: Position[Any]
    decision: Decision
    scenario: ScenarioInfo
    way: tuple[tuple[Decision, str], ...]  # what the side has answered in this procedure


class _Find(NamedTuple):
    """A question that can be made: its rule, how hard it is, and how to make it."""

    rule: RuleRef
    chapter: str
    level: Level
    sort: Sort
    make: Callable[[], Drill]


class Trainer:
    """Asks about the rules of one title, the same for the same seed and the same progress."""

    def __init__(
        self, title: Title[Any], corpus: Corpus, seed: int = 1, wanted: Wanted = ANYTHING
    ) -> None:
        self.title = title
        self.slug = title.info.slug
        self.corpus = corpus
        self.wanted = wanted
        self._names: Presenter = presenter_for(self.slug)
        self._quote: Quote = quote_from(corpus)
        self._seed = seed
        self._rng = random.Random(f"{self.slug} {seed}")
        self._finds = self._found()
        self._recent: deque[RuleRef] = deque(maxlen=RECENT)
        self._asked: Counter[RuleRef] = Counter()
        self._last: Sort | None = None

    def next(
        self, progress: Progress | None = None, is_wanted: Callable[[], bool] = lambda: True
    ) -> Drill | None:
        """The next question: about a rule that is due first, else about a new one; None where none
        is found in time, or nobody wants it any more."""
        due = progress.due(self.slug) - {*self._recent} if progress is not None else frozenset()
        most = LONG_POOL if due else POOL
        pool: list[_Find] = []
        seen = 0
        for find in self._finds:
            if not is_wanted():
                return None
            if find is None:
                seen += 1
            elif self._fits(find):
                pool.append(find)
            if seen >= MOST_SEEN or len(pool) >= most or (pool and pool[-1].rule in due):
                break
        if not pool:
            return None
        best = min(pool, key=lambda find: self._order(find, due, progress))
        self._recent.append(best.rule)
        self._asked[best.rule] += 1
        self._last = best.sort
        return best.make()

    def chapters(self, is_wanted: Callable[[], bool] = lambda: True) -> list[str]:
        """The chapters that can be asked about, as far as a look at every scenario shows, in the
        order of the book."""
        found: set[str] = set()
        for info in self.title.scenarios():
            spots = (spot for spot in self._game(info, 0) if spot is not None)
            for spot in islice(spots, SURVEYED):
                if not is_wanted():
                    return []
                found |= {find.chapter for find in self._finds_at(spot)}
        order = [chapter.title for chapter in self.corpus.books[self.slug].chapters]
        return sorted(found, key=lambda name: order.index(name) if name in order else len(order))

    def _fits(self, find: _Find) -> bool:
        chapter, level = self.wanted
        return find.chapter == (chapter or find.chapter) and find.level is (level or find.level)

    def _order(
        self, find: _Find, due: frozenset[str], progress: Progress | None
    ) -> tuple[bool, bool, int, bool, bool]:
        is_known = progress is not None and progress.standing(find.rule) is not None
        is_recent = find.rule in self._recent
        return (
            is_recent,
            find.rule not in due,
            self._asked[find.rule],
            is_known,
            find.sort is self._last,
        )

    # --- positions --------------------------------------------------------------------------------

    def _found(self) -> Iterator[_Find | None]:
        """What can be asked, game after game without an end; None for every decision passed."""
        infos = self.title.scenarios()
        first = self._rng.randrange(len(infos))
        for number in count():
            for spot in self._game(infos[(first + number) % len(infos)], number):
                yield None
                if spot is not None:
                    yield from self._finds_at(spot)

    def _game(self, info: ScenarioInfo, number: int) -> Iterator[_Spot | None]:
        """The positions of one game that are asked about; None for those that are not."""
        title = self.title
        seed = self._seed * 1_000 + number
        rng = random.Random(f"{info.id} {seed}")
        game: Game[Any] = Game(title, info.id, SeededChance(seed))
        level = LEVEL if LEVEL in title.levels else RANDOM
        players = {side: player_of(title, level) for side in info.sides}
        given: list[tuple[Decision, str]] = []
        for _turn in range(LONGEST):
            at, decision = game.position, game.position.decision
            if decision is None:
                return
            is_asked = not rng.randrange(ONE_IN) and not title.is_set_up(at.draft, decision)
            commands = sum(isinstance(entry, Command) for entry in at.open)
            own = [one for one in given[len(given) - commands :] if one[0].side == decision.side]
            yield _Spot(at, decision, info, tuple(own)) if is_asked else None

            def look(at: Position[Any] = at, side: str = decision.side) -> View:
                return title.view(at.draft, side)

            option = players[decision.side].choose(look, decision, rng)
            given.append((decision, option))
            game.answer(option)

    def _finds_at(self, spot: _Spot) -> Iterator[_Find]:
        """What can be asked at a position: about one answer, and about one roll."""
        refused = sorted(spot.decision.refused)
        if refused:
            yield from self._allowed(spot, self._rng.choice(refused))
        asked = questions(self.title, spot.at)
        if asked:
            question = self._rng.choice(asked)
            belief = self.title.belief(spot.at.rest, spot.decision.side)
            with suppress(OverBudget):
                found = odds(self.title, belief, spot.at.open, question)
                why = because(self.title, belief, spot.at.open, question)
                option = question.commands[0].option if question.commands else ""
                yield from self._happens(spot, Reckoned(question.msg, option, found, why))
        elif not self._rng.randrange(ONE_IN):  # it takes long
            yield from self._foretold(spot)

    def _find(self, refs: Sequence[RuleRef], *rest: Any) -> Iterator[_Find]:
        """A question about the first of these rules that a chapter holds, else about the first."""
        known = [ref for ref in refs if self.corpus.entry(ref) is not None]
        in_book = [ref for ref in known if self.corpus.chapter_of(ref) is not None]
        level, sort, make = rest
        ref = next(iter(in_book or known), None)
        if ref is not None:
            chapter = chapter_of(self.corpus, ref)
            yield _Find(ref, chapter, level, sort, partial(make, ref, chapter))

    # --- is it allowed? ---------------------------------------------------------------------------

    def _allowed(self, spot: _Spot, refused: str) -> Iterator[_Find]:
        """About a refused answer, or about one of its kind that the same rule lets through."""
        against = spot.decision.refused[refused]
        alike = [one.id for one in spot.decision.options if one.id[0] == refused[0]]
        is_yes = bool(alike) and self._rng.random() < 0.5
        option = self._rng.choice(alike) if is_yes else refused
        is_hard = not is_yes and len({repr(ruling.msg) for ruling in against}) > 1
        level = Level.HARD if is_hard else Level.EASY

        def make(rule: RuleRef, chapter: str) -> Drill:
            names, decision = self._names, spot.decision
            view = self.title.view(spot.at.draft, decision.side)
            names.use(view)
            rows = (
                self._why_yes(spot, view, option, refused) if is_yes else self._why_no(spot, option)
            )
            return Drill(
                self.slug, spot.scenario.name, Sort.ALLOWED, level, rule, chapter,
                self._where(spot, view), names.say(decision.ruling.msg),
                may_you(names, self.slug, decision, option), (_("Yes"), _("No")), int(not is_yes),
                tuple(rows), self._scene(spot, view, option, is_yes), spot.at, option,
                self._so_far(spot),
            )  # fmt: skip

        yield from self._find([ref for ruling in against for ref in ruling.refs],
                              level, Sort.ALLOWED, make)  # fmt: skip

    def _why_no(self, spot: _Spot, option: str) -> Iterator[Row]:
        decision = spot.decision
        yield from self._lines(decision.refused[option])
        others = [call(self._names, decision, one.id) for one in decision.options
                  if one.id[0] == option[0]]  # fmt: skip
        if others:
            named = "; ".join(others[:MOST_NAMED])
            said = _("You may choose: {names}.", names=named)
            if len(others) > MOST_NAMED:
                said = _("You may choose: {names}; and others.", names=named)
            yield Row(Kind.NOTE, said)

    def _why_yes(self, spot: _Spot, view: View, option: str, refused: str) -> Iterator[Row]:
        decision, names = spot.decision, self._names
        yield Row(Kind.NOTE, _("No rule forbids it here."))
        yield Row(Kind.LINE, names.say(decision.ruling.msg), ruling=decision.ruling)
        sight = self._sight(spot, view, option)
        if sight is not None and sight.clear is None and decision.id.startswith("fire."):
            yield from self._lines(sight.rulings)
        others = [refused, *(one for one in decision.refused if one != refused)]
        told: dict[str, str] = {}
        for other in others:
            if other[0] == option[0] and len(told) < MOST_AGAINST:
                told.setdefault(names.say(decision.refused[other][0].msg), other)
        yield Row(Kind.HEAD, _("This, instead, is forbidden:"))
        for said, other in told.items():
            name = call(names, decision, other)
            words = said if name in said else f"{name}: {said}"
            yield Row(Kind.LINE, words, ruling=decision.refused[other][0])

    def _lines(self, rulings: Sequence[Ruling]) -> Iterator[Row]:
        """Rulings in words, each with the words of its rule; the same thing is said once."""
        told: dict[str, Ruling] = {}
        for ruling in rulings:
            told.setdefault(self._names.say(ruling.msg), ruling)
        quoted: set[str] = set()
        for said, ruling in list(told.items())[:MOST_REASONS]:
            yield Row(Kind.LINE, said, ruling=ruling)
            for words in self._quote(ruling)[:1]:
                if words not in quoted:
                    quoted.add(words)
                    yield Row(Kind.QUOTE, words)

    # --- what happens? ----------------------------------------------------------------------------

    def _happens(self, spot: _Spot, one: Reckoned) -> Iterator[_Find]:
        """About a roll that follows at once: how probable it is, or what is the likeliest."""
        rolls = [reason.ruling for reason in one.because.reasons if reason.dice]
        if not rolls or one.because.choices or one.odds is None:
            return
        names = self._names
        names.use(self.title.view(spot.at.draft, spot.decision.side))
        asked: list[tuple[str, tuple[str, ...], int]] = []
        what = _upper(names.say(one.question)).rstrip(".")
        share = names.chance(one.odds.spread)
        others = [part for _msg, part in one.odds.spread]
        chances = self._chances(share, others) if share is not None else None
        if chances is not None:
            of = names.chance_of(one.odds.spread)
            asked.append(
                (_("{what}. How probable is it that it «{of}»?", what=what, of=of), *chances)
            )
        likeliest = _likeliest(brief(names.results, one, names))
        if likeliest is not None:
            asked.append((_("{what}. Which result is the likeliest?", what=what), *likeliest))
        if not asked:
            return
        words, choices, right = self._rng.choice(asked)

        def make(rule: RuleRef, chapter: str) -> Drill:
            view = self.title.view(spot.at.draft, spot.decision.side)
            names.use(view)
            rows = [*of_one(one, names, self._quote), *assumed([one], names, self._quote)]
            given = tuple(names.say(ruling.msg) for ruling in one.odds.given) if one.odds else ()
            return Drill(
                self.slug, spot.scenario.name, Sort.ODDS, Level.HARD, rule, chapter,
                self._where(spot, view), names.say(spot.decision.ruling.msg), words, choices,
                right, tuple(rows), self._scene(spot, view, one.option, True), spot.at, one.option,
                self._so_far(spot), given,
            )  # fmt: skip

        yield from self._find(rolls[-1].refs, Level.HARD, Sort.ODDS, make)

    def _foretold(self, spot: _Spot) -> Iterator[_Find]:
        """About what the rules foretell of a unit, where they do."""
        fates = [one for one in foretell(self.title, spot.at) if 0 < one.share < 1]
        if not fates:
            return
        fate = self._rng.choice(fates)
        chances = self._chances(fate.share, [one.share for one in fates])
        if chances is None:
            return
        choices, right = chances

        def make(rule: RuleRef, chapter: str) -> Drill:
            names = self._names
            view = self.title.view(spot.at.draft, spot.decision.side)
            names.use(view)
            said = names.foretold(fate.ruling.msg)
            unit = f"u:{fate.ruling.msg.facts['unit']}"
            share = Row(Kind.SHARE, said, share=fate.share)
            return Drill(
                self.slug, spot.scenario.name, Sort.ODDS, Level.HARD, rule, chapter,
                self._where(spot, view), names.say(spot.decision.ruling.msg),
                _("How probable is this, as far as is known now: {what}?", what=said),
                choices, right, (share, *self._lines([fate.ruling])),
                self._scene(spot, view, unit, True), spot.at, unit,
            )  # fmt: skip

        yield from self._find(fate.ruling.refs, Level.HARD, Sort.ODDS, make)

    def _chances(
        self, share: Fraction, others: Sequence[Fraction]
    ) -> tuple[tuple[str, ...], int] | None:
        """Chances to choose from, in order, and the place of the right one; None where it is sure.

        The wrong ones are those of other results, of the contrary, or some dice away."""
        if not 0 < share < 1:
            return None
        away = [share + Fraction(n, 12) for n in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)]
        self._rng.shuffle(away)
        found = [share]
        for one in [1 - share, *others, *away]:
            is_apart = all(abs(one - known) >= APART for known in found)
            if is_apart and 0 < one < 1 and len(found) < CHOICES:
                found.append(one)
        return tuple(percent(one) for one in sorted(found)), sorted(found).index(share)

    # --- the position in words and on the map -----------------------------------------------------

    def _where(self, spot: _Spot, view: View) -> tuple[str, ...]:
        who = self._names.army(spot.decision.side).name
        return who, *self._names.headline(view), spot.scenario.name

    def _so_far(self, spot: _Spot) -> tuple[str, ...]:
        """What the side has chosen on the way, in words."""
        options = [(option, decision.option(option)) for decision, option in spot.way]
        return tuple(self._names.answer(id, one.msg).rstrip() for id, one in options if one)

    def _scene(self, spot: _Spot, view: View, option: str, is_allowed: bool) -> Scene:
        decision = spot.decision
        about = places.hex_of(view, decision, option)
        way = [places.hex_of(view, asked, given) for asked, given in spot.way]
        found = [about, *places.subjects(view, decision), *way]
        focus = [hex for hex in found if hex is not None]
        sight = None if is_allowed else self._sight(spot, view, option)
        cited = {ref for ruling in decision.refused.get(option, ()) for ref in ruling.refs}
        tells = {ref for ruling in sight.rulings for ref in ruling.refs} if sight else set()
        return Scene(
            view, about, tuple(dict.fromkeys(focus)), places.lit(view, decision),
            places.crossed(view, decision),
            sight if sight is not None and sight.clear is False and cited & tells else None,
        )  # fmt: skip

    def _sight(self, spot: _Spot, view: View, option: str) -> Sight | None:
        """The line from who acts to what is asked about, as far as the rules let it be known."""
        where = places.hex_of(view, spot.decision, option)
        start = next((hex for hex in places.subjects(view, spot.decision) if hex != where), None)
        if where is None or start is None or where not in view.board.hexes():
            return None
        if start not in view.board.hexes():
            return None
        belief = self.title.belief(spot.at.draft, spot.decision.side)
        return self.title.sight(belief, start, where)


def may_you(names: Presenter, slug: str, decision: Decision, option: str) -> str:
    """«Puoi…?» about an answer: in the words that its title has for it, else in plain ones."""
    answer = call(names, decision, option)
    template = explanations(slug).get(decision.id, About("")).asks.get(option[0], "")
    if template and not (option[0] == "h" and " " in answer):  # a place that is no bare hex
        facts = {**decision.ruling.msg.facts, "answer": answer}
        return _upper(names.say(Msg(template, facts)))
    asked = names.say(decision.ruling.msg)
    return _("To «{what}», may you answer «{answer}»?", what=_upper(asked), answer=answer)


def call(names: Presenter, decision: Decision, option: str) -> str:
    """An answer by name, the same whether it is allowed or not: the words are not to tell it."""
    found = decision.option(option)
    if option[0] in "uh":
        return name_of(names, decision, option)
    said = names.answer(option, found.msg) if found else name_of(names, decision, option)
    return said.rstrip(".")


def percent(share: Fraction) -> str:
    """A chance to choose, in whole points."""
    return f"{round(share * 100)}%"


def _likeliest(results: Sequence[tuple[str, Fraction]]) -> tuple[tuple[str, ...], int] | None:
    """The likeliest results, in their own order, and the place of the first of them; None where
    there is too little to choose from, or hardly a difference."""
    best = sorted(results, key=lambda one: -one[1])[:CHOICES]
    if (
        len(best) < 3
        or best[0][1] - best[1][1] < LEAD
        or len({said for said, _s in best}) < len(best)
    ):
        return None
    shown = tuple(said for said, share in results if (said, share) in best)
    return shown, shown.index(best[0][0])


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def as_data(drill: Drill, corpus: Corpus) -> dict[str, Any]:
    """A question with its answer for scripts."""
    return {
        "titolo": drill.slug,
        "scenario": drill.scenario,
        "tipo": drill.sort.value,
        "livello": drill.level.value,
        "regola": drill.rule,
        "capitolo": drill.chapter,
        "situazione": list(drill.where),
        "finora": list(drill.so_far),
        "al_tavolo": drill.asking,
        "domanda": drill.words,
        "risposte": list(drill.choices),
        "giusta": drill.choices[drill.right],
        "perche": [_row_data(row, corpus) for row in drill.why],
    }


def _row_data(row: Row, corpus: Corpus) -> dict[str, Any]:
    data: dict[str, Any] = {"testo": row.said}
    if row.number:
        data["numero"] = row.number
    if row.share is not None:
        data["probabilita"] = catalog().percent(row.share)
    if row.ruling is not None:
        data["regole"] = list(row.ruling.refs)
        data["fonte"] = corpus.citation(row.ruling.refs[0])
    return data
