"""Turning up German counters: 9.1, 9.4."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import msgspec

from engine.core.ctx import Ctx
from engine.core.pools import Pool
from engine.core.text import N_
from engine.ddob.state.events import DepthGone, DepthShown, GermanGone, UnitShown
from engine.ddob.state.state import UNSEEN, German, State, name_of
from engine.ddob.state.tables import DEPTH, GermanData

TACTICAL = "tactical"


def ticket_fits(state: State, ticket: str, born: int) -> bool:
    """Whether a unit placed as the `born`-th could have come from a ticket of the box."""
    return state.since.get(ticket, -1) < born


class Face(msgspec.Struct, frozen=True):
    """What a face-down unit may be: the pool it would come from, and its weight."""

    pool: str
    weight: Fraction


def candidates(state: State, german: German) -> dict[str, Face]:
    """Name -> face of all that a face-down unit may be."""
    if german.kind == "mixed":
        shares = {kind: Fraction(n) for kind, n in state.unseen["mixed"].items.items()}
    elif german.kind != "D":
        shares = {german.kind: Fraction(1)}
    elif german.ticket != UNSEEN:
        shares = {german.ticket: Fraction(1)}
    else:
        shares = {
            ticket: Fraction(n)
            for ticket, n in state.tickets.items()
            if n and ticket_fits(state, ticket, german.born)
        }
    found: dict[str, Face] = {}
    for share, weight in shares.items():
        pool = share[0] if share in ("M1", "M2") else share
        if pool not in state.unseen:
            found[share] = Face("", weight)
            continue
        items = state.unseen[pool].items
        total = sum(items.values())
        for name, n in items.items():
            known = found[name].weight if name in found else Fraction(0)
            found[name] = Face(pool, known + weight * n / total)
    return found


def reveal_unit(ctx: Ctx[State], label: str, ref: str) -> GermanData:
    """The German unit in a hex is turned up; its depth marker is not (9.1)."""
    german = ctx.state.germans[label]
    if german.shown:
        return german.data
    if german.unit:
        ctx.do(UnitShown(hex=label, unit=german.unit), (ref, "9.1#si-rivela"))
        return ctx.state.germans[label].data
    faces = candidates(ctx.state, german)
    scale = lcm(*[face.weight.denominator for face in faces.values()])
    pool = Pool(
        "german unit",
        {
            name: int(face.weight * scale)
            for name, face in sorted(faces.items(), key=lambda pair: pair[0])
        },
    )
    if len(faces) == 1:
        name = next(iter(faces))
    else:
        name = ctx.draw(pool, ref, N_("Who is in {position}?"), position=name_of(label))
    ctx.do(UnitShown(hex=label, unit=name, pool=faces[name].pool), (ref, "9.1#si-rivela"))
    return ctx.state.germans[label].data


def reveal_depth(ctx: Ctx[State], label: str, ref: str) -> GermanData:
    """The depth marker in a hex is turned up."""
    german = ctx.state.germans[label]
    name = german.depth
    if name == UNSEEN:
        pool = ctx.state.unseen[german.depth_kind]
        name = ctx.draw(
            pool, ref, N_("Which depth marker is in {position}?"), position=name_of(label)
        )
    if not german.depth_shown:
        by_attack = ref == "8.3#rivela-incognita"
        ctx.do(
            DepthShown(hex=label, depth=name),
            (ref, "9.1#incognita" if by_attack else "9.1#si-rivela"),
        )
    return DEPTH[german.depth_kind][name]


def remove_german(ctx: Ctx[State], label: str, to: str, ref: str | tuple[str, ...]) -> None:
    """A German unit leaves the map, and its depth marker leaves the game."""
    if ctx.state.germans[label].depth:
        ctx.do(DepthGone(hex=label), ref)
    ctx.do(GermanGone(hex=label, to=to), ref)
