"""`prontuario allena`: questions about the rules as a dialogue in lines, or as data."""

from __future__ import annotations

import random
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import TextIO

from app.cli.answers import USAGE, Answer, Fault
from app.cli.consulting import open_corpus
from app.cli.headless import find_title
from app.play.citing import Cite, cite_from
from app.play.progress import Progress
from app.play.text_mode import lines_from
from app.play.training import Drill, Sort, Trainer, as_data
from app.play.why import Kind, Row
from app.shell import streams
from app.shell.i18n import _, catalog
from engine import titles
from rules_it.corpus import Corpus

LEAVE = {"q", "esci", "quit", "exit"}


def train(args: Namespace) -> Answer:
    """Ask so many questions; as data, they come with their answers and nothing is kept."""
    if args.domande < 1:
        raise Fault(_("At least one question."), USAGE)
    corpus = open_corpus()
    seed = random.randrange(1, 1_000_000) if args.seme is None else args.seme
    wanted = [find_title(args.titolo)] if args.titolo else list(titles.TITLES.values())
    trainers = [Trainer(title, corpus, seed) for title in wanted]
    if args.json:
        drills = _drills(trainers, args.domande, None)
        return Answer({"seme": seed, "domande": [as_data(one, corpus) for one in drills]}, ())
    progress = Progress(tell=streams.complain)
    dialogue = Dialogue(corpus, progress, lines_from(sys.stdin), sys.stdout)
    dialogue.run(_drills(trainers, args.domande, progress))
    return Answer(None, dialogue.summary([trainer.slug for trainer in trainers]))


def _drills(trainers: list[Trainer], most: int, progress: Progress | None) -> Iterator[Drill]:
    """Questions of every title in turn; a title without any is passed by."""
    for number in range(most):
        drill = trainers[number % len(trainers)].next(progress)
        if drill is not None:
            yield drill


class Dialogue:
    """Asks line by line. Where nobody answers any more, every question comes with its answer."""

    def __init__(
        self, corpus: Corpus, progress: Progress, read: Callable[[], str], out: TextIO
    ) -> None:
        self._corpus = corpus
        self._cite: Cite = cite_from(corpus)
        self._progress = progress
        self._read = read
        self._out = out
        self._is_over = False  # the input has ended
        self.asked = self.right = 0

    def run(self, drills: Iterator[Drill]) -> None:
        """Ask them all, unless somebody leaves."""
        for number, drill in enumerate(drills, 1):
            self._ask(number, drill)
            place = self._answer(drill)
            if place is None and not self._is_over:
                return
            if place is not None:
                is_right = place == drill.right
                self.asked += 1
                self.right += is_right
                self._progress.note(drill.rule, is_right)
                self._say(drill.verdict(place))
            else:
                self._say(_("Answer: {answer}.", answer=drill.choices[drill.right]))
            for row in drill.why:
                self._say(line(row, self._cite))
            self._say("")

    def summary(self, slugs: list[str]) -> tuple[str, ...]:
        """How it went, and the chapters so far."""
        if not self.asked:
            return ()
        lines = [_("Right {right} of {asked}.", right=self.right, asked=self.asked)]
        for slug in slugs:
            for score in self._progress.scores(self._corpus, slug):
                share = f"{round((score.share or 0) * 100)}%"
                name = self._corpus.books[slug].info.short
                lines.append(f"  {share:>4} {score.asked:>4}  {name} · {score.chapter}")
        return tuple(lines)

    def _say(self, words: str) -> None:
        self._out.write(words + "\n")
        self._out.flush()

    def _ask(self, number: int, drill: Drill) -> None:
        self._say(f"{number}. {self._corpus.books[drill.slug].info.name} · {drill.chapter}")
        self._say("   " + " · ".join(drill.where))
        if drill.so_far:
            self._say("   " + _("Chosen so far: {what}", what=" · ".join(drill.so_far)))
        self._say("   " + _("At the table: {what}", what=drill.asking))
        self._say(drill.words)
        for given in drill.given:
            self._say("   " + _("Assumed: {what}.", what=given.rstrip(".")))
        for place, said in enumerate(drill.choices, 1):
            self._say(f"  {place}  {said}")

    def _answer(self, drill: Drill) -> int | None:
        """The place of an answer; None where somebody leaves, or the input has ended."""
        letters = {"s": 0, "sì": 0, "si": 0, "y": 0, "n": 1, "no": 1}
        while not self._is_over:
            self._out.write("> ")
            self._out.flush()
            try:
                said = self._read().strip().casefold()
            except EOFError:
                self._say("")
                self._is_over = True
                return None
            if said in LEAVE:
                return None
            place = int(said) - 1 if said.isdecimal() else -1
            if drill.sort is Sort.ALLOWED:
                place = letters.get(said, place)
            if 0 <= place < len(drill.choices):
                return place
            self._say(_("Type the number of an answer, from 1 to {n}, or q to leave.",
                        n=len(drill.choices)))  # fmt: skip
        return None


def line(row: Row, cite: Cite) -> str:
    """A line of the why."""
    ref = f"  [{cite(row.ruling.refs[0])}]" if row.ruling is not None else ""
    share = f"{catalog().percent(row.share):>6} " if row.share is not None else ""
    number = f"  {row.number}" if row.number else ""
    said = f"«{row.said}»" if row.kind is Kind.QUOTE else row.said
    return f"   {share}{said}{number}{ref}"
