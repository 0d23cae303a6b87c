"""«Posso…?», «Perché non posso…?»: a question in words, answered by the engine at this position.

Whoever asks names units, hexes and what he wants to do. The open question has an answer for some of
them, allowed or refused; where it has not, its answers are tried, and the questions that they lead
to are looked at. Nothing is tried beyond dice, beyond another side's answer, or beyond something
that may be known only by doing it; it is tried on what the one who asks believes, never on what he
cannot see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from app.play.table import Table
from app.presenters.base import name_of
from app.shell.i18n import _
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Refused, RuleBug, Ruling
from engine.core.text import N_, Msg
from engine.core.title import Overlay
from engine.game import Game, Position, ScriptedChance

Meanings = Callable[[str], Sequence[frozenset[str]]]
"""What each word of a text may mean, synonyms made one: the index of the rules knows."""

ASKS = re.compile(
    r"\b(posso|possono|può|puo|possiamo|potrei|potrebbe|riesco|riesce|si può|perch[eéè] non"
    r"|permess[oa]|legale|lecito|vietat[oa])\b",
    re.IGNORECASE,
)
LABEL = re.compile(r"\b(?:[a-z]{0,2}\d+[a-z]{0,2}\d*|[a-z]\d+)\b", re.IGNORECASE)
IDLE = re.compile(r"\b(perch[eéè]|non|esagono|unità|adesso|ancora)\b", re.IGNORECASE)
"""Words of a question that name nothing."""
HERE = re.compile(r"\b(qui|qua|lì|là|quest[oa]|quest')", re.IGNORECASE)
MOST_TRIED = 60
"""Answers that are tried for one question."""
DEEPEST, MOST_STRAYS = 4, 2
MOST_INSTEAD = 4
WHOLE = 0.9
"""The share of a question that the name of a candidate takes if nothing else is asked."""
SYNONYM = 0.8
ALIKE = 0.5
"""The share of a verb's meaning that a question must have to mean it."""


class Named(msgspec.Struct, frozen=True):
    """What a question names: units and hexes of the table, what its words mean, the words."""

    units: frozenset[str] = frozenset()
    hexes: frozenset[Hex] = frozenset()
    meant: tuple[frozenset[str], ...] = ()
    words: str = ""

    @property
    def all_meant(self) -> frozenset[str]:
        """What any of the words may mean."""
        return frozenset[str]().union(*self.meant)

    @property
    def things(self) -> frozenset[object]:
        """The units and hexes."""
        return self.units | self.hexes

    @property
    def bare(self) -> str:
        """The words without those that only ask."""
        return " ".join(ASKS.sub(" ", self.words).replace("?", " ").split())


class Reply(msgspec.Struct, frozen=True):
    """Whether something is allowed, None where that cannot be told from here; in words, with the
    rulings behind it, the answers that lead there and what could be done instead."""

    is_allowed: bool | None
    words: str
    rulings: tuple[Ruling, ...] = ()
    way: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


class _Place(NamedTuple):
    """A question that was come to: how, and what of the things named is dealt with."""

    at: Position[Any]
    way: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    used: frozenset[object] = frozenset()
    strays: int = 0  # answers on the way that nobody named

    @property
    def decision(self) -> Decision:
        """The question."""
        assert self.at.decision is not None
        return self.at.decision


class _Found(NamedTuple):
    """A candidate that is meant, with the rulings against it, if any."""

    place: _Place
    option: str
    used: frozenset[object]
    against: tuple[Ruling, ...]
    exact: float

    @property
    def merit(self) -> tuple[int, int, float]:
        """How many of the things named it deals with; how few answers that nobody named lead to
        it; how much of the question is its name, or of its name in the question."""
        return len(self.used), -self.place.strays, self.exact


def is_question(words: str) -> bool:
    """Whether words ask what may be done."""
    return ASKS.search(words) is not None


def ask(table: Table, words: str, meanings: Meanings, here: Hex | None = None) -> Reply | None:
    """What the engine answers to a question in words; None where they ask nothing that the open
    question deals with. `here` is the hex that is pointed at."""
    if table.question is None or not is_question(words):
        return None
    reply = _reply(table, named_in(table, words, meanings, here), meanings)
    return reply if reply.is_allowed is not None else None


def ask_of(table: Table, hex: Hex) -> Reply | None:
    """What may be done with a hex that is pointed at, or with what stands there."""
    if table.question is None:
        return None
    return _reply(table, Named(hexes=frozenset({hex})), lambda _words: ())


def tinted_after(table: Table, option: str) -> tuple[Overlay, ...]:
    """What the map would tint at the question that an answer leads to, or at the next one; nothing
    where that may be known only by giving it."""
    search = _Search(table, Named(), lambda _words: ())
    first = search.after(_Place(table.session.position), option)
    places = [first] if first is not None else []
    for place in places[:1]:
        verbs = [o.id for o in place.decision.options if o.id[0] == "b"]
        places += [far for verb in verbs if (far := search.after(place, verb)) is not None]
    for place in places:
        belief = table.title.belief(place.at.draft, table.seat)
        found = table.title.overlays(belief, place.decision)
        if any(overlay.id == "reach" and overlay.hexes for overlay in found):
            return found
    return ()


# --- what is named ----------------------------------------------------------------------------


def named_in(table: Table, words: str, meanings: Meanings, here: Hex | None = None) -> Named:
    """The units, the hexes and the verbs that a question names; the longest names first."""
    view, rest = table.view, f" {' '.join(words.casefold().split())} "
    names = {c.id: table.presenter.name("unit", c.id).casefold() for c in view.counters}
    units = set()
    for unit, name in sorted(names.items(), key=lambda one: -len(one[1])):
        if name and _holds(rest, name):
            units.add(unit)
            rest = rest.replace(name, " ")
    hexes = set()
    for label in LABEL.findall(rest):
        with suppress(ValueError):
            hexes.add(view.hex_at(label.upper()))
            rest = rest.replace(label, " ")
    if not hexes and here is not None and HERE.search(rest):
        hexes.add(here)
    meant = tuple(meanings(IDLE.sub(" ", HERE.sub(" ", ASKS.sub(" ", rest)))))
    return Named(frozenset(units), frozenset(hexes), meant, " ".join(words.casefold().split()))


def _holds(text: str, name: str) -> bool:
    """Whether a text has a name in it, and not just a part of a longer one."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


# --- trying -----------------------------------------------------------------------------------


class _Search:
    """Looks for what is meant among the answers of a question and of those that it leads to."""

    def __init__(self, table: Table, named: Named, meanings: Meanings) -> None:
        self.table = table
        self.named = named
        self.meanings = meanings
        self.left = MOST_TRIED
        self.is_blind = _is_blind(table)

    def found(self, place: _Place, deep: int = 0) -> Iterator[_Found]:
        """Every candidate that deals with something that is named, nearest first."""
        decision = place.decision
        meant = {id: self._used(decision, id) - place.used for id in _candidates(decision)}
        for id, used in meant.items():
            if used:
                against = decision.refused.get(id, ())
                exact = self._exact(decision, id) or self._alike(decision, id)
                yield _Found(place, id, place.used | used, against, exact)
        yield from self._reached(place, frozenset().union(place.used, *meant.values()))
        if deep == DEEPEST:
            return
        ends = {f"b:{verb}" for verb in self.table.title.info.ends}
        allowed = [o.id for o in decision.options if o.id[0] in "ubc" and o.id not in ends]
        for id in sorted(allowed, key=lambda id: not meant[id]):
            if place.strays == MOST_STRAYS and not meant[id]:
                continue
            is_over = not (self.named.things - place.used - meant[id])
            if is_over and not self._wants_verb(place.used | meant[id]):
                continue
            following = self.after(place, id)
            if following is not None:
                strays = place.strays + (not meant[id])
                moved = following._replace(used=place.used | meant[id], strays=strays)
                yield from self.found(moved, deep + 1)

    def _wants_verb(self, used: frozenset[object]) -> bool:
        return bool(self.named.meant) and VERB not in used

    def _used(self, decision: Decision, id: str) -> frozenset[object]:
        """What of the things named a candidate deals with."""
        kind, _colon, name = id.partition(":")
        if kind in "uh":
            unit = name if name in self.named.units else name.rpartition(":")[0]
            hex = self.table.hex_of(id) or _hex_of(decision, id)
            found: frozenset[object] = self.named.units & {unit} | self.named.hexes & {hex}
            return found or (frozenset({NAME}) if self._exact(decision, id) else found)
        if self._exact(decision, id):
            return frozenset({VERB})
        if name in self.table.title.info.ends:
            return frozenset()
        return frozenset({VERB}) if self._alike(decision, id) >= ALIKE else frozenset()

    def _alike(self, decision: Decision, id: str) -> float:
        """How much of the name of a candidate is meant; a synonym means a little less."""
        words = self.meanings(_words(self.table, decision, id))
        asked = self.named.all_meant
        said = [any("§" not in term for term in word & asked) for word in words]
        meant = [bool(word & asked) for word in words]
        best = max((1.0 if s else SYNONYM * m for s, m in zip(said, meant, strict=True)), default=0)
        return best * (1 + sum(meant) / len(words)) / 2 if words else 0.0

    def _reached(self, place: _Place, used: frozenset[object]) -> Iterator[_Found]:
        """Whether a hex that no answer names yet lies within reach, where there is one."""
        decision, title = place.decision, self.table.title
        own = {counter.hex for counter in self.table.view.counters if counter.id in place.used}
        left = [hex for hex in self.named.hexes if hex not in used and hex not in own]
        belief = title.belief(place.at.draft, decision.side) if left else None
        for overlay in title.overlays(belief, decision) if left else ():
            for hex in left if overlay.id == "reach" else ():
                label = self.table.view.label(hex)
                far = Ruling(decision.ruling.refs, Msg(N_("{hex} is out of reach"), {"hex": label}))
                against = () if hex in overlay.hexes else (far,)
                yield _Found(place, f"h:{label}", place.used | {hex}, against, 0.0)

    def accounts_for(self, found: _Found) -> bool:
        """Whether every word of the question speaks of what is answered on the way there."""
        decision = found.place.decision
        said = (*found.place.said, _words(self.table, decision, found.option))
        told = frozenset[str]().union(*(word for text in said for word in self.meanings(text)))
        return all(not word or word & told for word in self.named.meant)

    def _exact(self, decision: Decision, id: str) -> int:
        """How much of the question is the name of a candidate, word for word."""
        words = _words(self.table, decision, id).casefold().rstrip(".")
        return len(words) if words and _holds(self.named.words, words) else 0

    def after(self, place: _Place, option: str) -> _Place | None:
        """Where an answer leads, if that may be known without giving it."""
        decision = place.decision
        if self.left <= 0:
            return None
        self.left -= 1
        session = self.table.session
        belief = session.title.belief(place.at.rest, decision.side)
        scratch: Game[Any] = Game(
            session.title, session.scenario.id, ScriptedChance(()), session.game.options, belief
        )
        with suppress(Refused, RuleBug):
            before = scratch.resume(place.at.open)
            known, told = len(scratch.passages), len(scratch.steps)
            if before.decision is None or before.decision.id != decision.id:
                return None
            after = scratch.answer(option)
            is_quiet = len(scratch.steps) == told and len(scratch.passages) == known
            asked = after.decision
            if asked is None or asked.side != decision.side or (self.is_blind and not is_quiet):
                return None
            if scratch.why_not_undo() is not None:
                return None
            words = _words(self.table, decision, option)
            return _Place(after, (*place.way, option), (*place.said, words), place.used)
        return None


VERB, NAME = "verb", "name"
"""Stand for what is to be done, and for something beside the map that is called by its name, among
the things named that an answer deals with."""


def _is_blind(table: Table) -> bool:
    """Whether the rules forbid to know a line of sight before something is declared."""
    hexes = list(islice(table.view.board.hexes(), 2))
    seen = table.sight(*hexes) if len(hexes) == 2 else None
    return seen is not None and seen.clear is None


def _candidates(decision: Decision) -> list[str]:
    return [*(option.id for option in decision.options), *decision.refused]


def _hex_of(decision: Decision, id: str) -> Hex | None:
    option = decision.option(id)
    return option.hex if option is not None else None


def _words(table: Table, decision: Decision, id: str) -> str:
    option = decision.option(id)
    if option is not None:
        return table.presenter.answer(id, option.msg)
    return name_of(table.presenter, decision, id)


# --- the answer -------------------------------------------------------------------------------


def _reply(table: Table, named: Named, meanings: Meanings) -> Reply:
    """The answer of what deals with most of the things named; of equals the nearest."""
    search = _Search(table, named, meanings)
    found = list(search.found(_Place(table.session.position)))
    whole = [one for one in found if one.exact and one.exact >= WHOLE * len(named.bare)]
    found = whole[:1] or [one for one in found if search.accounts_for(one)]
    most = max((one.merit for one in found), default=None)
    best = [one for one in found if one.merit == most]
    if not best:
        return Reply(None, _("That cannot be told from the question that is open now."))
    allowed = [one for one in best if not one.against]
    forbidden = [one for one in best if one.against]
    if allowed and (not forbidden or len(allowed[0].place.way) <= len(forbidden[0].place.way)):
        left = () if whole else named.things - allowed[0].used
        return _yes(table, allowed[0], search.is_blind, left)
    near = len(forbidden[0].place.way) + 1
    return _no(table, forbidden[0], [one for one in allowed if len(one.place.way) <= near])


def _yes(table: Table, found: _Found, is_blind: bool, left: Iterable[object]) -> Reply:
    decision = found.place.decision
    way = (*found.place.said, _words(table, decision, found.option))
    if left:
        said = _("As far as {way} yes; the rest cannot be told from here.", way=_joined(way))
        return Reply(None, said, (decision.ruling,), way)
    hex, start = table.hex_of(found.option), next(iter(table.subjects()), None)
    rulings: tuple[Ruling, ...] = (decision.ruling,)
    seen = table.sight(start, hex) if is_blind and start and hex and start != hex else None
    if seen is not None and decision.id.startswith("fire."):
        rulings = (*seen.rulings, *rulings)
        said = _("You may declare it: {way}.", way=_joined(way))
        why = _said(table, seen.rulings)
        return Reply(True, f"{said} {why[:1].upper()}{why[1:]}", rulings, way)
    return Reply(True, _("Yes: {way}.", way=_joined(way)), rulings, way)


def _no(table: Table, found: _Found, allowed: Sequence[_Found]) -> Reply:
    decision = found.place.decision
    name = _words(table, decision, found.option)
    after = _("after {way}", way=_joined(found.place.said)) if found.place.said else ""
    words = _("No, {name}{after}: {why}", name=name, after=f" ({after})" if after else "",
              why=_said(table, found.against))  # fmt: skip
    others = [_words(table, decision, o.id) for o in decision.options if o.id[0] == found.option[0]]
    instead = [_joined((*one.place.said, _words(table, one.place.decision, one.option)))
               for one in allowed]  # fmt: skip
    named = tuple(dict.fromkeys([*instead, *others]))[:MOST_INSTEAD]
    if named:
        words += " " + _("You may choose: {names}.", names="; ".join(named))
    return Reply(False, words, found.against, found.place.said, named)


def _joined(words: Iterable[str]) -> str:
    return _(", then ").join(f"«{one}»" for one in words)


def _said(table: Table, rulings: Iterable[Ruling]) -> str:
    """Rulings in words, each with its rule."""
    told = [f"{table.presenter.say(r.msg)} ({table.cite(r.refs[0])})" for r in rulings]
    return f"{'; '.join(dict.fromkeys(told))}."
