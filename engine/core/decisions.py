"""What players are asked: options, refused candidates and the reason of the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

from engine.core.hexes import Hex
from engine.core.rules import RuleRef, Ruling, Side
from engine.core.text import Fact, Msg

T = TypeVar("T")
Kind: TypeAlias = Literal["unit", "hex", "side", "card", "number", "button"]
PREFIX: dict[str, Kind] = {
    "u": "unit",
    "h": "hex",
    "s": "side",
    "c": "card",
    "n": "number",
    "b": "button",
}


class Option(msgspec.Struct, frozen=True, gc=False):
    """One thing that may be answered. The id is stable text and is what saves record."""

    id: str
    msg: Msg
    hex: Hex | None = None
    refs: tuple[RuleRef, ...] = ()

    @property
    def kind(self) -> Kind:
        """Unit, hex, hexside, card, number or button, from the prefix of the id."""
        return PREFIX[self.id[0]]


class Choice(msgspec.Struct, Generic[T], frozen=True, gc=False):
    """A candidate of a decision: how it is shown and the value that the rule receives."""

    option: Option
    value: T


def unit(name: str, value: T, msgid: str = "{unit}", /, hex: Hex | None = None) -> Choice[T]:
    """Candidate: a unit."""
    return Choice(Option(f"u:{name}", Msg(msgid, {"unit": name}), hex), value)


def place(label: str, value: T, msgid: str = "{hex}", /, hex: Hex | None = None) -> Choice[T]:
    """Candidate: a hex, by its printed label."""
    return Choice(Option(f"h:{label}", Msg(msgid, {"hex": label}), hex), value)


def side(label: str, value: T, msgid: str = "{side}", /, hex: Hex | None = None) -> Choice[T]:
    """Candidate: a hexside, by its printed label."""
    return Choice(Option(f"s:{label}", Msg(msgid, {"side": label}), hex), value)


def card(name: str, value: T, msgid: str = "{card}", /) -> Choice[T]:
    """Candidate: a card."""
    return Choice(Option(f"c:{name}", Msg(msgid, {"card": name})), value)


def amount(count: int, value: T, msgid: str = "{n}", /) -> Choice[T]:
    """Candidate: a number."""
    return Choice(Option(f"n:{count}", Msg(msgid, {"n": count})), value)


def button(verb: str, value: T, msgid: str, /, **facts: Fact) -> Choice[T]:
    """Candidate: a verb."""
    return Choice(Option(f"b:{verb}", Msg(msgid, facts)), value)


Objections: TypeAlias = Ruling | Iterable[Ruling] | None
"""What a `why_not_…` function answers: the ruling or rulings that forbid, or None."""
WhyNot: TypeAlias = Callable[[T], Objections]


def objections(found: Objections) -> Iterator[Ruling]:
    """The forbidding rulings one by one; a generator is only run as far as it is read."""
    if found is None:
        return iter(())
    return iter((found,)) if isinstance(found, Ruling) else iter(found)


class Refusals(Mapping[str, tuple[Ruling, ...]]):
    """Refused candidates by id. One objection is enough to refuse; the rest wait until read."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Option, Ruling, Iterable[Ruling]]] = {}
        self._read: dict[str, tuple[Ruling, ...]] = {}

    def add(self, option: Option, first: Ruling, more: Iterable[Ruling] = ()) -> None:
        """Refuse a candidate."""
        self._found[option.id] = option, first, more

    def holds_any(self, options: Mapping[str, object]) -> bool:
        """Whether something is refused that is also offered."""
        return not self._found.keys().isdisjoint(options)

    def words(self, option: str) -> Msg | None:
        """How a refused candidate would have been shown."""
        found = self._found.get(option)
        return None if found is None else found[0].msg

    def __getitem__(self, option: str) -> tuple[Ruling, ...]:
        read = self._read.get(option)
        if read is None:
            _option, first, more = self._found[option]
            read = self._read[option] = (first, *more)
        return read

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, option: object) -> bool:
        return option in self._found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusals) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self._found))


class Decision(msgspec.Struct, frozen=True):
    """Who is asked, why, what may be answered, and what may not with the reasons.

    `id` says which question of the title it is (`fire.target`): whoever looks a question up uses
    it; the words of the ruling are only shown.
    """

    id: str
    side: Side
    ruling: Ruling
    options: tuple[Option, ...]
    refused: Refusals

    def option(self, option_id: str) -> Option | None:
        """The option with that id."""
        return next((option for option in self.options if option.id == option_id), None)

    def why_not(self, option_id: str) -> tuple[Ruling, ...]:
        """Every ruling against an id that is not an option; the question's own if it has none."""
        return self.refused.get(option_id, (self.ruling,))
