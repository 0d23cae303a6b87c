"""Rulings and steps: rules applied to facts, in order.

A game keeps every step of it. They are frozen values that lead to nothing but other values, so
that the garbage collector need not follow them (`gc=False`): else it would look through the whole
trace again and again, a twelfth of the time of a random game.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, NewType, TypeAlias

import msgspec

from engine.core.text import Fact, Msg

RuleRef = NewType("RuleRef", str)
"""`book:locator`, for example `aslsk:3.2.2.1`: the smallest unit that the book numbers."""

Anchor = NewType("Anchor", str)
"""A ref and the sentence or the cell of it that was applied: `aslsk:3.2.2#dimezza`.

A fact of the message may stand in it in braces: `aslsk:3.2.3#ift/{dr}/{column}`.
"""

Side: TypeAlias = str
Locators: TypeAlias = str | tuple[str, ...]
"""One locator or several, each with the anchor of what is applied if need be: `3.2.2#dimezza`."""


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """A rule applied to facts: why something happened, is asked, or is forbidden.

    `refs` name rules and never carry anchors; `anchors` tell the sentences, where they are known.
    """

    refs: tuple[RuleRef, ...]
    msg: Msg
    anchors: tuple[Anchor, ...] = ()


class Book:
    """Turns the literal locators of one book's rule code into refs and rulings."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self._cited: dict[Locators, tuple[tuple[RuleRef, ...], tuple[Anchor, ...]]] = {}

    def refs(self, locators: Locators) -> tuple[RuleRef, ...]:
        """The full refs of one locator or of several."""
        return (self._cited.get(locators) or self._cite(locators))[0]

    def ruling(self, locators: Locators, msg: Msg) -> Ruling:
        """A ruling of this book with a message that is there already."""
        if not msg.id:
            raise RuleBug(f"a ruling without words: {locators}")
        refs, anchors = self._cited.get(locators) or self._cite(locators)
        return Ruling(refs, msg, anchors)

    def also(self, ruling: Ruling, *locators: str) -> Ruling:
        """The same ruling, under further rules of this book, if any is named."""
        if not any(locators):
            return ruling
        refs, anchors = self._cited.get(locators) or self._cite(locators)
        return Ruling((*ruling.refs, *refs), ruling.msg, (*ruling.anchors, *anchors))

    def __call__(self, locators: Locators, msgid: str, /, **facts: Fact) -> Ruling:
        """A ruling of this book."""
        if not msgid:
            raise RuleBug(f"a ruling without words: {locators}")
        refs, anchors = self._cited.get(locators) or self._cite(locators)
        return Ruling(refs, Msg(msgid, facts), anchors)

    def _cite(self, locators: Locators) -> tuple[tuple[RuleRef, ...], tuple[Anchor, ...]]:
        parts = (locators,) if isinstance(locators, str) else locators
        full = [f"{self.slug}:{part}" for part in parts if part]
        if not full:
            raise RuleBug("a ruling without a rule")
        refs = tuple(dict.fromkeys(RuleRef(name.partition("#")[0]) for name in full))
        known = refs, tuple(dict.fromkeys(Anchor(name) for name in full if "#" in name))
        self._cited[locators] = known
        return known


_TELLING = (int, str, Fraction)


class Event(msgspec.Struct, frozen=True, tag=True, kw_only=True, gc=False):
    """A change of state. Titles subclass it and say what it does.

    `says` is the message of the change, whose facts are the fields. `hidden_from` names the
    sides that do not see it. `reveals` marks changes that show a player something new, so
    that taking them back is no longer free.
    """

    says: ClassVar[str]
    reveals: ClassVar[bool] = False
    hidden_from: tuple[Side, ...] = ()

    def on(self, state: Any) -> Any:
        """The state after the change; it holds no rules."""
        raise NotImplementedError

    def msg(self) -> Msg:
        """The change as a message."""
        told = msgspec.structs.asdict(self).items()
        return Msg(self.says, {name: value for name, value in told if isinstance(value, _TELLING)})


BY_HAND = "mano"
"""The source of real dice, which a person typed in."""


class Roll(msgspec.Struct, frozen=True, tag="r", array_like=True, gc=False):
    """Dice as they fell, and where they come from if not from the game's seed."""

    dice: str
    faces: tuple[int, ...]
    source: str = ""


class Draw(msgspec.Struct, frozen=True, tag="d", array_like=True, gc=False):
    """One item as it came out of a pool."""

    pool: str
    item: str
    source: str = ""


class Command(msgspec.Struct, frozen=True, tag="c", array_like=True, gc=False):
    """A side's answer to the current decision: the id of an option."""

    side: Side
    option: str


Entry: TypeAlias = Command | Roll | Draw
"""What a game is made of: answers of players and answers of chance."""


class TallyLine(msgspec.Struct, frozen=True, gc=False):
    """One line of a running total: what was done to it and what it came to."""

    name: str
    operation: str
    value: int | Fraction
    total: int | Fraction


class Step(msgspec.Struct, frozen=True, gc=False):
    """One line of a resolution, always with a ruling."""

    n: int
    depth: int
    ruling: Ruling
    event: Event | None = None
    chance: Roll | Draw | None = None
    tally: TallyLine | None = None
    hidden_from: tuple[Side, ...] = ()


class RuleBug(Exception):
    """Our mistake: an uncited change, an empty decision, a procedure that is not deterministic."""


class Refused(Exception):
    """The player's mistake, with every ruling that forbids it."""

    def __init__(self, *rulings: Ruling) -> None:
        super().__init__(", ".join(ref for ruling in rulings for ref in ruling.refs))
        self.rulings = rulings
