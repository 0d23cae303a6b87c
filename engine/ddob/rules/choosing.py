"""Priorities that the book orders, with what it leaves open to the player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from engine.core.ctx import Ctx
from engine.core.decisions import place, unit
from engine.core.rules import Ruling
from engine.core.text import N_, Msg
from engine.ddob.state.book import US
from engine.ddob.state.ground import HEX, box_hex
from engine.ddob.state.state import State, Unit
from engine.ddob.state.tables import BOXES


def spot(at: str) -> Any:
    """The hex where a unit is drawn, in a landing box or on land."""
    label = box_hex(at) if at in BOXES else at
    return HEX.get(label)


def unit_choice(found: Unit, msgid: str = "{unit}") -> Any:
    """A unit as a candidate, shown where it stands."""
    return _unit_at(found.id, found.at, msgid)


@cache
def _unit_at(name: str, at: str, msgid: str) -> Any:
    return unit(name, name, msgid, hex=spot(at))


@cache
def hex_choice(label: str, msgid: str = "{hex}") -> Any:
    """A hex as a candidate; made once, because the map never changes."""
    return place(label, label, msgid, hex=HEX[label])


_GUNNERS = N_(
    "infantry in landing boxes, others on the beach, others in boxes, infantry on the beach; "
    "then the most steps"
)
ORDERS: dict[str, str] = {
    "6.31": N_("stronger fire, then the nearest, then the most steps"),
    "6.5.procedura": _GUNNERS,
    "16.7": _GUNNERS,
    "16.3": N_("victory points, then the lowest number, then the most US steps or strength"),
    "16.5": N_("the most steps"),
    "16.6": N_("the nearest, then the symbol of the card, then the strongest"),
    "16.92": N_("the nearest, then the most steps"),
    "ev.razzi": N_("the most steps"),
}
"""The priorities of each rule in words."""


def by_tie(chosen: Iterable[tuple[int, ...]], others: Iterable[tuple[int, ...]]) -> bool:
    """Whether somebody was left out who is as good by the first priority."""
    last, first = max(chosen, default=None), min(others, default=None)
    return last is not None and first is not None and last[0] == first[0]


def tell_order(
    ctx: Ctx[State],
    ref: str,
    chosen: list[str],
    among: list[str],
    picked: Sequence[str] = (),
    tie: str = "",
) -> None:
    """Say by what priority somebody was chosen, before whom, and whom the player picked.

    `tie` says what decides among those who are equal by the first priority, if that was needed.
    """
    if not 0 < len(chosen) < len(among):
        return
    units, mine = tuple(chosen), tuple(picked)
    n, others = len(among), tuple([name for name in among if name not in chosen])
    order = ORDERS[ref.partition("#")[0]]
    if mine:
        said = N_(
            "{units}: first of {n} by priority ({order}), before {others}; "
            "among equals you picked {picked}"
        )
        ctx.cite((ref, tie), said, units=units, n=n, order=order, others=others, picked=mine)
    else:
        said = N_("{units}: first of {n} by priority ({order}), before {others}")
        ctx.cite((ref, tie), said, units=units, n=n, order=order, others=others)


def folded(rulings: Iterable[Ruling], key: str = "position") -> list[Ruling]:
    """What is said of several positions in the same words, said once of them all."""
    alike: dict[tuple[Any, ...], list[Ruling]] = {}
    for ruling in rulings:
        rest = tuple((name, fact) for name, fact in ruling.msg.facts.items() if name != key)
        alike.setdefault((ruling.refs, ruling.msg.id, rest), []).append(ruling)
    found = []
    for group in alike.values():
        first = group[0]
        if len(group) > 1 and key in first.msg.facts:
            names = tuple([str(ruling.msg.facts[key]) for ruling in group])
            said = Msg(first.msg.id, {**first.msg.facts, key: names})
            first = Ruling(first.refs, said, first.anchors)
        found.append(first)
    return found


def pick_units(
    ctx: Ctx[State],
    ranked: Sequence[tuple[Any, Unit]],
    count: int,
    ref: str,
    by: str,
    tie: str = "",
) -> list[str]:
    """The `count` units that come first by priority; the player chooses among equals.

    `by` is who hits them: a position, or a word. `tie` is what says who comes first among equals,
    where `ref` does not.
    """
    chosen: list[str] = []
    picked: list[str] = []
    waiting = sorted(ranked, key=lambda pair: pair[0])
    while waiting and len(chosen) < count:
        best = waiting[0][0]
        equals = [u for key, u in waiting if key == best]
        room = count - len(chosen)
        if len(equals) <= room:
            chosen += [u.id for u in equals]
            waiting = waiting[len(equals) :]
            continue
        name = ctx.choose(
            "fire.target",
            US,
            [unit_choice(u) for u in equals],
            tie or ref,
            N_("{by}: equal targets, hits left {n}. Which one is hit?"),
            by=by,
            n=room,
        )
        chosen.append(name)
        picked.append(name)
        waiting = [(key, u) for key, u in waiting if u.id != name]
    if len({key for key, _unit in ranked}) > 1:
        hit = [key for key, u in ranked if u.id in chosen]
        tied = tie if tie and by_tie(hit, [key for key, u in ranked if u.id not in chosen]) else ""
        tell_order(ctx, ref, chosen, [u.id for _key, u in ranked], picked, tied)
    elif picked:
        said = N_("{units}: your choice among {n} equals, not {others}")
        others = tuple([u.id for _key, u in waiting])
        ctx.cite(tie or ref, said, units=tuple(picked), n=len(ranked), others=others)
    return chosen
