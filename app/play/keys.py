"""Which key gives which answer: a verb has the same key for every unit, what is forbidden keeps its
place, and one key ends a choice. Everything else has its number by its place in the list."""

from __future__ import annotations

from typing import NamedTuple

from engine.core.decisions import Decision
from engine.core.title import TitleInfo

PER_PAGE = 9
"""The number keys that give answers; 0 ends a choice."""
END = -1
"""The place of the answer that ends a choice."""


class Seat(NamedTuple):
    """An answer in the list: its place from 0, or END; whether it is allowed."""

    option: str
    place: int
    is_allowed: bool = True


def end_of(decision: Decision, info: TitleInfo) -> str | None:
    """The answer that ends a choice or declines what is offered, if there is one."""
    ids = [option.id for option in decision.options]
    fixed = info.verbs.get(decision.id, ())
    if len(ids) < 2:
        return None
    ends = [verb for verb in info.ends if verb not in fixed]
    return next((f"b:{verb}" for verb in ends if f"b:{verb}" in ids), None)


def sole_end(decision: Decision, info: TitleInfo) -> str | None:
    """The only answer that is left, if it ends something: 0 gives it as before."""
    ids = [option.id for option in decision.options]
    return next((id for id in ids[:1] if len(ids) == 1 and id[2:] in info.ends), None)


def forbidden_end(decision: Decision, info: TitleInfo) -> str | None:
    """What would end the choice, if that is forbidden now."""
    return next((f"b:{verb}" for verb in info.ends if f"b:{verb}" in decision.refused), None)


def seated(decision: Decision, info: TitleInfo, only: tuple[str, ...] = ()) -> list[Seat]:
    """The answers in the order of their keys, forbidden verbs that have a key among them; of some
    answers, where only those are listed."""
    end = end_of(decision, info)
    verbs = info.verbs.get(decision.id, ())
    fixed = {f"b:{verb}": place for place, verb in enumerate(verbs) if verb}
    shown = [one.id for one in decision.options if not only or one.id in (*only, end)]
    barred = [one for one in decision.refused if one in fixed and not only]
    if only:
        fixed = {}
    taken = {fixed[one] for one in (*shown, *barred) if one in fixed}
    free = (place for place in range(len(taken) + len(shown)) if place not in taken)
    found = [Seat(one, fixed[one], False) for one in barred]
    for one in shown:
        if one != end:
            found.append(Seat(one, fixed[one] if one in fixed else next(free)))
    found.sort(key=lambda seat: seat.place)
    last = [Seat(end, END)] if end is not None else []
    is_first = bool(shown) and shown[0] == end
    return [*last, *found] if is_first else [*found, *last]


def key_of(decision: Decision, option: str, info: TitleInfo) -> str:
    """The key of an answer while all are listed; a blank where it is further on."""
    seat = next((seat for seat in seated(decision, info) if seat.option == option), None)
    return " " if seat is None else key_at(seat.place)


def key_at(place: int, page: int = 0) -> str:
    """The key of a place while a page of nine has the numbers; a blank where it has none."""
    if place == END:
        return "0"
    number = place - page * PER_PAGE
    return str(number + 1) if 0 <= number < PER_PAGE else " "
