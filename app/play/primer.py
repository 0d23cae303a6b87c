"""«What can I do?»: the open question explained to somebody who has never been asked it.

Made of the question itself (its rule, its answers, what is forbidden and why) and of a short text
for each id of a question, in `questions/<slug>.yaml`. No screen.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from app.play.citing import Quote, no_words
from app.play.table import Ask, Table
from app.presenters.base import Presenter, name_of
from app.shell.i18n import _, _n
from engine.core.data import load
from engine.core.decisions import Decision, Option
from engine.core.rules import RuleRef

FOLDER = Path(__file__).parent / "questions"
MOST_NAMED = 6
"""Things of one kind that are named before the rest is counted."""
MOST_REASONS = 5
MOST_TOLD = 12

Ways = Sequence[tuple[str, str]]
"""What can be pressed or typed, and what it does."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told of a question: what is decided, answers one by one, what is often sensible,
    as a whole or of each answer that is offered; and how an answer of each kind is asked about in
    training."""

    text: str = msgspec.field(name="testo")
    answers: dict[str, str] = msgspec.field(name="risposte", default={})
    advice: str | dict[str, str] = msgspec.field(name="conviene", default="")
    asks: dict[str, str] = msgspec.field(name="puoi", default={})

    def pays(self, offered: Container[str]) -> str:
        """What is often sensible among the answers that are offered."""
        if isinstance(self.advice, str):
            return self.advice
        return " ".join(said for option, said in self.advice.items() if option in offered)


class Remark(msgspec.Struct, frozen=True):
    """A line of the explanation; `lead` is what it begins with and stands out, `ref` its rule."""

    words: str
    lead: str = ""
    ref: RuleRef | None = None


class Part(msgspec.Struct, frozen=True):
    """Some lines under a heading."""

    heading: str
    remarks: tuple[Remark, ...]


class Primer(msgspec.Struct, frozen=True):
    """The whole explanation."""

    heading: str
    parts: tuple[Part, ...]


@cache
def explanations(slug: str) -> dict[str, About]:
    """What is told of the questions of a title, by id; nothing where it has no file."""
    path = FOLDER / f"{slug}.yaml"
    return load(path, dict[str, About]) if slug.isidentifier() and path.is_file() else {}


def primer(table: Table, ways: Ways, quote: Quote = no_words) -> Primer:
    """The open question explained; where nothing is asked here, what is waited for."""
    decision = table.question
    if decision is None or table.prompt().asks is not Ask.ANSWER:
        said = table.why_closed() or table.prompt().said
        waits = Part(_("Nothing is asked of you now"), (Remark(said),))
        return Primer(_("What can I do?"), (waits, _by_keys(ways)))
    about = explanations(table.title.info.slug).get(decision.id, About(""))
    names = table.presenter
    parts = [_asked(decision, names, quote)]
    if about.text:
        parts.append(Part(_("What it means"), (Remark(about.text),)))
    parts.append(Part(_("What you can answer"), tuple(_answers(decision, names, about))))
    if decision.refused:
        parts.append(Part(_("What is forbidden now"), tuple(_forbidden(decision, names))))
    if pays := about.pays({option.id for option in decision.options}):
        parts.append(Part(_("What often pays"), (Remark(pays),)))
    return Primer(_("What can I do?"), (*parts, _by_keys(ways)))


def _by_keys(ways: Ways) -> Part:
    return Part(_("How"), tuple(Remark(what, key) for key, what in ways))


def _asked(decision: Decision, names: Presenter, quote: Quote) -> Part:
    """Who is asked, what, and the sentence of the rule that asks it."""
    who = names.army(decision.side).name
    said = names.say(decision.ruling.msg)
    remarks = [Remark(said, who, decision.ruling.refs[0])]
    remarks += [Remark(f"«{words}»") for words in quote(decision.ruling)]
    return Part(_("Who is asked, and why"), tuple(remarks))


def _answers(decision: Decision, names: Presenter, about: About) -> Iterator[Remark]:
    """Things on the table by kind, verbs one by one with what they lead to."""
    by_kind: dict[str, list[Option]] = {}
    for option in decision.options:
        by_kind.setdefault(option.kind, []).append(option)
    headings = {
        "unit": _("A unit"),
        "hex": _("A hex, lit on the map"),
        "side": _("A side of a hex"),
        "card": _("A card"),
        "number": _("A number"),
    }
    for kind, options in by_kind.items():
        if kind in headings:
            said = [names.answer(option.id, option.msg) for option in options]
            yield Remark(_listed(said), headings[kind])
    verbs = by_kind.get("button", [])
    for option in verbs[:MOST_TOLD]:
        lead = names.answer(option.id, option.msg)
        yield Remark(about.answers.get(option.id, ""), f"«{lead}»")
    if len(verbs) > MOST_TOLD:
        yield Remark(_n("and {n} more", "and {n} more", n=len(verbs) - MOST_TOLD))


def _listed(said: list[str]) -> str:
    more = len(said) - MOST_NAMED
    named = ", ".join(said[:MOST_NAMED])
    return named + (" " + _n("and {n} more", "and {n} more", n=more) if more > 0 else "")


def _forbidden(decision: Decision, names: Presenter) -> Iterator[Remark]:
    """The reasons, the one that forbids most first, with what it forbids."""
    by_reason: dict[tuple[str, RuleRef], list[str]] = {}
    for option in decision.refused:
        ruling = decision.refused[option][0]
        by_reason.setdefault((ruling.msg.id, ruling.refs[0]), []).append(option)
    reasons = sorted(by_reason.items(), key=lambda reason: -len(reason[1]))
    for (_id, ref), options in reasons[:MOST_REASONS]:
        said = names.say(decision.refused[options[0]][0].msg)
        lead = _listed([name_of(names, decision, option) for option in options[:1]])
        more = len(options) - 1
        if more:
            lead += " " + _n("and {n} more", "and {n} more", n=more)
        yield Remark(said, lead, ref)
    if len(reasons) > MOST_REASONS:
        yield Remark(_n("and {n} more reason", "and {n} more reasons",
                        n=len(reasons) - MOST_REASONS))  # fmt: skip


def in_lines(found: Primer) -> Iterator[str]:
    """The explanation as plain lines, each with its rule."""
    for part in found.parts:
        yield f"{part.heading}:"
        for remark in part.remarks:
            words = ": ".join(filter(None, (remark.lead, remark.words)))
            yield f"  {words}" + (f"  [{remark.ref}]" if remark.ref else "")
