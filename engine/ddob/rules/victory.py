"""Winning: 13-13.22, 19.3.guarnigione, 20-20.3, 21.2, 22, 23.7, ef.vittoria."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.core.title import Outcome
from engine.ddob.rules.communication import dotted, german_reach, is_in_play, is_linked, us_reach
from engine.ddob.rules.engineers import in_range
from engine.ddob.state.book import US, rule
from engine.ddob.state.events import Ended
from engine.ddob.state.ground import EXIT_AT, IS_LOW, NEIGHBOURS, is_barred
from engine.ddob.state.state import State, index, on_map
from engine.ddob.state.tables import (
    CHARTS,
    DRAWS,
    POSITION_AT,
    POSITIONS,
    SETUPS,
    UNITS,
    victory_degree,
)

DRAW_POINTS, OPEN_DRAW_POINTS = 5, 4
WINNING = ("US victory", "decisive victory", "operational victory", "tactical victory")
VARIANTS = (("22.1#vp", -10), ("22.2", -5), ("22.3", 5), ("22.4#vp", 5))
FIRST_CHECK = "20.2"
DECIDED = {
    "13.1": "13.1#perdi",
    "13.2": "13.2#vinci",
    "20.2": "20.2#conta",
    "20.3": "20.3#conta",
    "21.2": "21.2#conta",
    "23.5.fine": "23.5.fine#perdi",
}
"""Rule that ended a game -> what of it did."""


class Holding(msgspec.Struct, frozen=True):
    """Everything that control for victory points depends on, worked out once."""

    state: State
    path: frozenset[str]
    under_fire: frozenset[str]
    linked: frozenset[str]
    held: frozenset[str]


def holding(state: State) -> Holding:
    """The table as the victory check sees it."""
    us = index(state)
    return Holding(state, us_reach(state), dotted(state), german_reach(state), us.controlled)


def why_not_held(found: Holding, label: str) -> Iterator[Ruling]:
    """Why a hex does not count as controlled (13.22); a garrison always holds its own (casa.90)."""
    case = "13.22#occupi" if label in found.held else "13.22#retrovia"
    if label in found.state.germans:
        yield rule("13.22#occupi", N_("{hex} is held by Germans."), hex=label)
    elif label in found.state.garrisons:
        return
    if label not in found.path:
        yield rule((case, "12.3#percorso"), N_("{hex} has no path to the beach."), hex=label)
    if label in found.under_fire:
        yield rule(
            (case, "12.31#interrompe"), N_("{hex} lies in a German field of fire."), hex=label
        )
    if label in found.held:
        return
    if label in found.linked or (label in POSITION_AT and is_linked(found.state, label)):
        yield rule(
            "13.22#retrovia", N_("{hex} is not controlled and has German communication."), hex=label
        )


def is_held(found: Holding, label: str) -> bool:
    """Whether nothing speaks against the hex."""
    return not any(True for _ in why_not_held(found, label))


class Line(msgspec.Struct, frozen=True):
    """One entry of the count."""

    points: int
    ref: str
    what: str
    also: tuple[str, ...] = ()


def count_first(state: State) -> list[Line]:
    """Victory points at the end of turn 16 (13.2, 13.21)."""
    found = holding(state)
    lines = []
    for position in POSITIONS.values():
        if not is_in_play(state, position.hexes[0]):
            continue
        if all(is_held(found, h) for h in position.hexes):
            points = len(position.hexes) if position.is_wn else 1
            row = (
                "13.2#punti/ogni posizione di rinforzo, con o senza il segno VP"
                if not position.is_wn
                else "13.2#punti/ogni WN di un esagono"
                if points == 1
                else "13.2#punti/ogni WN di due esagoni, solo se controlli entrambi"
            )
            lines.append(Line(points, row, position.id))
    for draw, hexes in DRAWS.items():
        if is_in_play(state, hexes[0]) and all(is_held(found, h) for h in hexes):
            row = "13.2#punti/ogni accesso (D-1, D-3, E-1, E-3)"
            lines.append(Line(DRAW_POINTS, row, draw, ("13.21#entroterra",)))
    return lines


def is_open(state: State, hexes: tuple[str, ...]) -> bool:
    """Whether engineers are or were next to every mined or barred side of a draw (casa.35)."""
    opened = {*state.opened, *in_range(state)}
    return not any(
        is_barred(label, near) and opened.isdisjoint((label, near))
        for label in hexes
        for near in NEIGHBOURS[label]
    )


def count_second(state: State) -> list[Line]:
    """Victory points at the end of turn 32 (20.3)."""
    found = holding(state)
    lines = []
    for position in POSITIONS.values():
        if position.is_vp and all(is_held(found, h) for h in position.hexes):
            row = "20.3#voci/ogni posizione di rinforzo con il segno VP che controlli (sono 42)"
            is_kept = position.hexes[0] in state.garrisons
            kept = ("19.3.guarnigione#vp", "casa.90") if is_kept else ()
            lines.append(Line(1, row, position.id, kept))
        if position.is_wn:
            lost = sum(not is_held(found, h) for h in position.hexes)
            if lost:
                lines.append(
                    Line(-lost, "20.3#voci/ogni esagono WN che non controlli", position.id)
                )
    for draw, hexes in DRAWS.items():
        if all(is_held(found, h) for h in hexes) and is_open(state, hexes):
            lines.append(
                Line(
                    OPEN_DRAW_POINTS,
                    "20.3#voci/ogni accesso aperto",
                    draw,
                )
            )
    for unit in on_map(state):
        data = UNITS[unit.id]
        if not data.is_infantry and not data.is_leader and not IS_LOW[unit.at]:
            lines.append(
                Line(
                    1, "20.3#voci/ogni unità su terreno elevato che non sia fanteria né HQ", unit.id
                )
            )
    lines += exited(state, found)
    meyer = state.boxes.get("M", 0)
    if meyer:
        lines.append(
            Line(
                -meyer,
                "20.3#voci/ogni unità ancora nel riquadro Kampfgruppe Meyer (non le Incognite)",
                "Kampfgruppe Meyer",
            )
        )
    return lines


def exited(state: State, found: Holding) -> Iterator[Line]:
    """Points of units that left the map (20.3, 20.3.uscita)."""
    doors = {letter: label for label, letter in EXIT_AT.items()}
    for name, steps, letter in state.exited:
        data = UNITS[name]
        if data.is_armored:
            yield Line(1, "20.3#corazzato", name)
        if data.type == "ranger":
            if letter in "FG":
                yield Line(steps, "20.3.uscita#annota", name)
        elif (data.is_armored or data.is_infantry) and doors[letter] in found.path:
            yield Line(steps, "20.3.uscita#annota", name)


def variants(state: State) -> list[Line]:
    """What the variants add or take (22, 23.7)."""
    named = [(ref, ref.partition("#")[0], points) for ref, points in VARIANTS]
    lines = [Line(points, ref, name) for ref, name, points in named if state.has(name)]
    if state.armor_entered:
        lines.append(Line(state.armor_entered, "23.7", "armor"))
    return lines


def tell_denied(ctx: Ctx[State], hexes_of: dict[str, tuple[str, ...]]) -> None:
    """What US units hold without points, because of fire or no path to the beach (13.22)."""
    found = holding(ctx.state)
    denied = [
        name
        for name, hexes in hexes_of.items()
        if all(h in found.held for h in hexes) and not all(is_held(found, h) for h in hexes)
    ]
    if denied:
        said = N_("{position}: held, but under fire or without a path to the beach. No points.")
        ctx.cite(
            ("13.22#sotto-tiro", "12.3#percorso", "12.31#interrompe"), said, position=tuple(denied)
        )


def tally(ctx: Ctx[State], lines: list[Line], ref: str) -> int:
    """The count, line by line."""
    total = ctx.tally(N_("victory points"))
    for line in lines:
        own = line.ref.partition("#")[0]
        refs = (line.ref, "" if ref.partition("#")[0] == own else ref, *line.also)
        total.add(line.points, refs, N_("{what}"), what=line.what)
    return int(total.total)


def level_label(kind: str, points: int) -> str:
    """The row of a victory chart that points reach, as the text has it."""
    levels = next(row.levels for row in CHARTS.victory if row.check == kind)
    found = next((least for least, _degree in levels if points >= least), None)
    return f"meno di {levels[-1][0]}" if found is None else str(found)


def check(ctx: Ctx[State]) -> None:
    """The victory check of the turn, if there is one (13.2, 20.2, 20.3, 21.2, ef.vittoria)."""
    state = ctx.state
    kind = SETUPS[state.scenario].check
    if state.turn in (16, state.last_turn):
        worth = [p for p in POSITIONS.values() if state.turn == 16 or p.is_vp or p.is_wn]
        tell_denied(ctx, {p.id: p.hexes for p in worth} | DRAWS)
    if state.turn == 16 and state.last_turn == 16:
        why = "ef.vittoria" if kind == "easy fox" else "13.2"
        ref = "ef.vittoria" if kind == "easy fox" else "13.2#somma"
        ctx.cite(
            ("13", "ef.vittoria") if kind == "easy fox" else ("13", "13.2#somma"),
            N_("The scenario ends."),
        )
        points = tally(ctx, [*count_first(state), *variants(state)], ref)
        said = DECIDED.get(why, why)
        ctx.do(Ended(degree=victory_degree(kind, points), points=points, why=why), said)
    elif state.turn == 16:
        points = tally(ctx, count_first(state), "20.2#conta")
        degree = victory_degree("first check", points)
        cell = f"20.2#vittoria-turno-16/{level_label('first check', points)}"
        ctx.cite(
            ("20", cell, "casa.77" if variants(state) else ""),
            N_("First check: {n} points, {degree}"),
            n=points,
            degree=degree,
        )
        if degree != "play on":
            ctx.do(Ended(degree=degree, points=points, why=FIRST_CHECK), cell)
    elif state.turn == state.last_turn:
        why, chart = (
            ("21.2", "vittoria-beyond")
            if kind == "beyond the beach"
            else ("20.3", "vittoria-finale")
        )
        ctx.cite(
            ("20", "21.2#conta") if kind == "beyond the beach" else ("20", "20.3#conta"),
            N_("The last turn is over."),
        )
        points = tally(ctx, [*count_second(state), *variants(state)], DECIDED[why])
        cell = f"{why}#{chart}/{level_label(kind, points)}"
        ctx.do(Ended(degree=victory_degree(kind, points), points=points, why=why), cell)


def score(state: State) -> int:
    """The points of the next check if it came now; variants count at the last one (casa.77)."""
    is_first = state.turn <= 16 and SETUPS[state.scenario].turns[0] == 1
    lines = count_first(state) if is_first else count_second(state)
    if not is_first or state.last_turn == 16:
        lines += variants(state)
    return sum(line.points for line in lines)


def outcome(state: State) -> Outcome | None:
    """How the game ended, once it has."""
    if not state.degree:
        return None
    ruling = rule(
        DECIDED.get(state.why, state.why),
        N_("{points} victory points: {degree}"),
        points=state.points,
        degree=state.degree,
    )
    return Outcome(US if state.degree in WINNING else None, state.degree, ruling)
