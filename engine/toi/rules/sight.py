"""Line of sight: who sees whom, and why.

Refs: visuale.necessaria, visuale.unita, visuale.stesso-livello, visuale.bloccanti,
visuale.esagono-intero, visuale.fumo, visuale.proprio-esagono, visuale.bordo,
visuale.livelli-diversi, visuale.ostacolo-vicino, visuale.ciechi-2, visuale.ciechi-1,
visuale.collina-ostacolo, visuale.quota, visuale.adiacenti, visuale.plateau,
movimento.mezzi-esagoni, operazioni.comuni, casa.04, casa.05, casa.15, casa.45, casa.46,
casa.54.

A line joins two hex centres. Where it runs along hexsides, or passes through a corner, two
parallels are judged instead, each from end to end; elsewhere the two are one. Hexes are named by
their printed labels. `smoke` is any collection of labels, `fog` the farthest distance at which
anything is seen, 0 for no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

import msgspec

from engine.core.board import Board
from engine.core.hexes import Hex, distance, line
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.core.title import Sight
from engine.toi.state.book import rule
from engine.toi.state.tables import TERRAINS

OFF_MAP = N_("off the map")
"""Stands for the label of what is not on the map."""


class Seen(msgspec.Struct, frozen=True):
    """A line of sight: whether it is clear, the hex that blocks it, the hexes met, the rulings."""

    a: str
    b: str
    clear: bool
    blocked_by: str
    hexes: tuple[str, ...]
    rulings: tuple[Ruling, ...]


class Judged(msgspec.Struct, frozen=True):
    """One parallel of a line: the hex that blocks it, if any, and the rulings."""

    blocked_by: str
    rulings: tuple[Ruling, ...]


# --- asking -----------------------------------------------------------------------------------


def sees(board: Board, a: str, b: str, smoke: Collection[str] = (), fog: int = 0) -> bool:
    """Whether two hexes see each other. Fast: lines are worked out once for each board."""
    lines = _lines(board)
    met, clear = lines.plain.get((a, b)) or lines.work_out(a, b)
    if fog and distance(lines.hexes[a], lines.hexes[b]) > fog:
        return False
    if not clear or not smoke or met.isdisjoint(smoke):
        return clear
    return trace(board, a, b, smoke).clear


def eyes(board: Board, smoke: Collection[str], fog: int) -> Callable[[str, str], bool]:
    """`sees` for whoever asks of many lines at one moment."""
    if smoke or fog:
        return lambda a, b: sees(board, a, b, smoke, fog)
    lines = _lines(board)
    known = lines.plain

    def clear(a: str, b: str) -> bool:
        return (known.get((a, b)) or lines.work_out(a, b))[1]

    return clear


def trace(board: Board, a: str, b: str, smoke: Collection[str] = (), fog: int = 0) -> Seen:
    """The line between two hexes, with every rule that clears or blocks it."""
    lines = _lines(board)
    met, _clear = lines.plain.get((a, b)) or lines.work_out(a, b)
    on_line = tuple(sorted({label for label in smoke if label in met or label in (a, b)}))
    key = (a, b, on_line, fog)
    found = lines.traced.get(key)
    if found is None:
        found = lines.traced[key] = _Tracer(lines, on_line).trace(a, b, fog)
    return found


def explain(
    board: Board,
    a: Hex,
    b: Hex,
    smoke: Collection[str] = (),
    fog: int = 0,
    units: Collection[str] = (),
) -> Sight:
    """The line as a screen shows it; `units` are the hexes that hold some."""
    seen = trace(board, board.label(a), board.label(b), smoke, fog)
    crowded = tuple(label for label in seen.hexes[1:-1] if label in units)
    rulings = seen.rulings
    if crowded:
        harmless = rule("visuale.unita", N_("The units in {hexes} do not block"), hexes=crowded)
        rulings = (*rulings, harmless)
    return Sight(
        a=a,
        b=b,
        hexes=tuple(board.hex_at(label) for label in seen.hexes),
        clear=seen.clear,
        rulings=rulings,
        blocked_by=board.hex_at(seen.blocked_by) if seen.blocked_by else None,
    )


# --- judging ----------------------------------------------------------------------------------


class _Tracer:
    """Judges one line, in the order of the chapter."""

    def __init__(self, lines: _Lines, smoke: Collection[str]) -> None:
        self.lines, self.smoke = lines, smoke

    def trace(self, a: str, b: str, fog: int) -> Seen:
        """No attack without sight, and sight is mutual (visuale.necessaria)."""
        met = self.lines.met(a, b)
        found = self.judge(a, b, fog)
        rulings = [*self.own_hexes((a, b)), *found.rulings]
        is_clear = not found.blocked_by and not self.is_foggy(a, b, fog)
        if not is_clear:
            unseen = N_("{a} and {b} do not see each other: no attack between them")
            rulings.append(rule("visuale.necessaria#serve", unseen, a=a, b=b))
        blocker = "" if found.blocked_by == OFF_MAP else found.blocked_by
        return Seen(a, b, is_clear, blocker, met, tuple(rulings))

    def judge(self, a: str, b: str, fog: int) -> Judged:
        """The exceptions first, then the line: whole, or as two parallels."""
        if a == b:
            same = rule(
                ("visuale.proprio-esagono#mai", "casa.45"),
                N_("Both in {hex}: they see each other"),
                hex=a,
            )
            return Judged("", (same,))
        if self.is_foggy(a, b, fog):
            far = N_("Fog: {a} and {b} are {distance} hexes apart, sight ends at {limit}")
            apart = self.distance(a, b)
            ruling = rule("operazioni.comuni", far, a=a, b=b, distance=apart, limit=fog)
            return Judged("", (ruling,))
        if self.distance(a, b) == 1:
            return self.adjacent(a, b)
        left, right = self.lines.parallels(a, b)
        if left == right:
            return self.parallel(a, b, left)
        return self.along_hexsides(a, b, left, right)

    def adjacent(self, a: str, b: str) -> Judged:
        """Adjacent hexes always see each other, even over a cliff (visuale.adiacenti)."""
        near = N_("{a} and {b} are adjacent: they always see each other")
        rulings = [rule("visuale.adiacenti", near, a=a, b=b)]
        if abs(self.level(a) - self.level(b)) > 1:
            cliff = N_("The cliff between {a} and {b} stops movement, not sight")
            rulings.append(rule("casa.15#visuale", cliff, a=a, b=b))
        return Judged("", tuple(rulings))

    def along_hexsides(
        self, a: str, b: str, left: tuple[str, ...], right: tuple[str, ...]
    ) -> Judged:
        """Two parallels: one that is free from end to end is enough (visuale.bordo)."""
        judged = [self.parallel(a, b, met) for met in (left, right)]
        free = [met for met, one in zip((left, right), judged, strict=True) if not one.blocked_by]
        if free:
            open_side = tuple(label for label in free[0] if label != OFF_MAP)
            clear = N_("The line runs along hexsides: the parallel through {hexes} is free")
            ruling = rule(("visuale.bordo#libera", "casa.04#parallele"), clear, hexes=open_side)
            best = judged[0] if free[0] is left else judged[1]
            return Judged("", (*best.rulings, ruling))
        both = N_("The line runs along hexsides: {left} blocks one parallel, {right} the other")
        blockers = [one.blocked_by for one in judged]
        ruling = rule(
            ("visuale.bordo#entrambe", "casa.04#alternati"),
            both,
            left=blockers[0],
            right=blockers[1],
        )
        on_map = [label for label in blockers if label != OFF_MAP]
        first, second = (one.rulings for one in judged)
        other = tuple(found for found in second if found not in first)
        return Judged((on_map or blockers)[0], (*first, *other, ruling))

    def parallel(self, a: str, b: str, met: tuple[str, ...]) -> Judged:
        """One parallel, by the levels of its ends; half hexes are no part of the board."""
        if OFF_MAP in met:
            off = N_("The half hexes at the edge are no part of the board: no line runs there")
            return Judged(OFF_MAP, (rule(("movimento.mezzi-esagoni#fuori-gioco", "casa.54"), off),))
        if self.level(a) == self.level(b):
            return self.same_level(a, b, met)
        return self.different_levels(a, b, met)

    def same_level(self, a: str, b: str, met: tuple[str, ...]) -> Judged:
        """Any blocking hex between the two blocks (visuale.stesso-livello)."""
        level = self.level(a)
        for label in met:
            if label in self.smoke or self.is_blocking(label):
                between = N_("Both at level {level}: {hex} lies between {a} and {b}")
                ruling = rule(
                    "visuale.stesso-livello#bloccata", between, level=level, hex=label, a=a, b=b
                )
                return Judged(label, (ruling, self.blocking(label), *self.clipped(a, b, label)))
            if self.level(label) > level:
                higher = N_("{hex} at level {level} is higher than both ends, at level {ends}")
                ruling = rule(
                    ("visuale.quota#piu-alto", "visuale.bloccanti#bloccano"),
                    higher,
                    hex=label,
                    level=self.level(label),
                    ends=level,
                )
                return Judged(label, (ruling,))
        free = N_("Both at level {level}, and nothing between {a} and {b} blocks")
        return Judged("", (rule("visuale.stesso-livello#libera", free, level=level, a=a, b=b),))

    def different_levels(self, a: str, b: str, met: tuple[str, ...]) -> Judged:
        """Over an obstacle one may see; not into the blind hexes (visuale.livelli-diversi)."""
        high, low = (a, b) if self.level(a) > self.level(b) else (b, a)
        outward = met if high == a else met[::-1]
        found = (
            self.higher_than_both(high, outward)
            or self.plateau(high, outward)
            or self.behind_obstacle(high, low, outward[::-1])
        )
        levels = {"level": self.level(high), "below": self.level(low)}
        if found:
            above = N_("{high} is at level {level}, {low} at level {below}")
            ruling = rule("visuale.livelli-diversi#sopra", above, high=high, low=low, **levels)
            return Judged(found.blocked_by, (ruling, *found.rulings))
        free = N_("{high} at level {level} and {low} at level {below}: nothing between them blocks")
        clear = rule("visuale.livelli-diversi#libera", free, high=high, low=low, **levels)
        return Judged("", (clear,))

    def higher_than_both(self, high: str, outward: tuple[str, ...]) -> Judged | None:
        """A hex higher than both units always blocks (visuale.quota)."""
        for label in outward:
            if self.level(label) > self.level(high):
                higher = N_("{hex} at level {level} is higher than both ends, at level {ends}")
                facts = {"level": self.level(label), "ends": self.level(high)}
                return Judged(label, (rule("visuale.quota#entrambe", higher, hex=label, **facts),))
        return None

    def plateau(self, high: str, outward: tuple[str, ...]) -> Judged | None:
        """The plateau in front of the higher unit hides what lies below (visuale.plateau)."""
        edge = outward[0]
        if self.level(edge) != self.level(high):
            return None
        hidden = N_("Plateau: the line leaves {high} through {hex}, at the same level {level}")
        level = self.level(high)
        return Judged(
            edge, (rule("visuale.plateau#ciglio", hidden, high=high, hex=edge, level=level),)
        )

    def behind_obstacle(self, high: str, low: str, inward: tuple[str, ...]) -> Judged | None:
        """The lower unit may be in a blind hex of the obstacle (visuale.ciechi-2, ciechi-1)."""
        obstacle = self.nearest_obstacle(low, inward)
        if obstacle is None:
            return None
        away = self.distance(obstacle, low)
        difference = self.level(high) - self.level(low)
        nearest = N_("{hex} is the obstacle nearest to {low}, the lower end")
        why = (
            rule("visuale.ostacolo-vicino#vicino", nearest, hex=obstacle, low=low),
            self.obstacle(obstacle, high, low),
        )
        shadow = 2 if difference == 1 else 1
        within = N_("{low} is {n} from {hex}, within its blind hexes: {shadow}")
        beyond = N_("{low} is {n} from {hex}, beyond its blind hexes: {shadow}")
        ruling = rule(
            ("visuale.ciechi-2#distanza" if difference == 1 else "visuale.ciechi-1", "casa.46"),
            within if away <= shadow else beyond,
            low=low,
            n=away,
            hex=obstacle,
            shadow=shadow,
        )
        return Judged(obstacle if away <= shadow else "", (*why, ruling))

    def nearest_obstacle(self, low: str, inward: tuple[str, ...]) -> str | None:
        """The first obstacle met from the lower unit (visuale.ostacolo-vicino)."""
        for label in inward:
            is_hill = self.level(label) > self.level(low)
            if is_hill or label in self.smoke or self.is_blocking(label):
                return label
        return None

    # What hexes are

    def own_hexes(self, ends: Iterable[str]) -> Iterable[Ruling]:
        """The terrain of the two ends never blocks (visuale.proprio-esagono)."""
        for label in dict.fromkeys(ends):
            if label in self.smoke or self.is_blocking(label):
                own = N_("{hex} is one of the ends: its own terrain does not block")
                yield rule("visuale.proprio-esagono#mai", own, hex=label)

    def blocking(self, label: str) -> Ruling:
        """Woods, buildings and smoke (visuale.bloccanti, visuale.fumo)."""
        if label in self.smoke:
            return rule("visuale.fumo", N_("Smoke in {hex} blocks the line"), hex=label)
        terrain = self.lines.board.terrain(self.lines.hexes[label])
        blocks = N_("{hex} is blocking terrain: {terrain}")
        return rule("visuale.bloccanti#bloccano", blocks, hex=label, terrain=terrain)

    def obstacle(self, label: str, high: str, low: str) -> Ruling:
        """Why a hex is an obstacle between levels (visuale.collina-ostacolo)."""
        if label in self.smoke or self.is_blocking(label):
            return self.blocking(label)
        hill = N_("{hex} at level {level} is an obstacle: above {low}, not above {high}")
        level = self.level(label)
        return rule(
            ("visuale.collina-ostacolo#collina", "casa.05"), hill,
            hex=label, level=level, low=low, high=high,
        )  # fmt: skip

    def clipped(self, a: str, b: str, label: str) -> Iterable[Ruling]:
        """Terrain fills its hex: a line that misses the centre counts (visuale.esagono-intero)."""
        start, end, h = (self.lines.hexes[name] for name in (a, b, label))
        if (end.q - start.q) * (h.r - start.r) != (end.r - start.r) * (h.q - start.q):
            whole = N_("{hex} blocks as a whole, wherever the line crosses it")
            yield rule("visuale.esagono-intero", whole, hex=label)

    def is_blocking(self, label: str) -> bool:
        return label in self.lines.blocking

    def is_foggy(self, a: str, b: str, fog: int) -> bool:
        return bool(fog) and self.distance(a, b) > fog

    def level(self, label: str) -> int:
        return self.lines.levels[label]

    def distance(self, a: str, b: str) -> int:
        return distance(self.lines.hexes[a], self.lines.hexes[b])


# --- remembering ------------------------------------------------------------------------------


class _Lines:
    """What has been worked out about one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hexes = {label: h for h, label in board.labels.items()}
        self.levels = {label: board.elevation(h) for h, label in board.labels.items()}
        self.blocking = frozenset(
            label for h, label in board.labels.items() if TERRAINS[board.terrain(h)].blocks
        )
        levels = sorted(set(self.levels.values()))
        self.in_the_way = {
            level: self.blocking.union(
                [OFF_MAP], [label for label, other in self.levels.items() if other > level]
            )
            for level in levels
        }
        self.plain: dict[tuple[str, str], tuple[frozenset[str], bool]] = {}
        self.drawn: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self.traced: dict[tuple[str, str, tuple[str, ...], int], Seen] = {}

    def work_out(self, a: str, b: str) -> tuple[frozenset[str], bool]:
        """The hexes between two others, and whether they see each other without smoke."""
        left, right = self.parallels(a, b) if a != b else ((), ())
        low, high = sorted((self.levels[a], self.levels[b]))
        in_the_way = self.in_the_way[low]
        clear = in_the_way.isdisjoint(left) or in_the_way.isdisjoint(right)
        if not clear and low < high:
            clear = not _Tracer(self, ()).judge(a, b, 0).blocked_by
        found = self.plain[a, b] = self.plain[b, a] = (frozenset(left + right), clear)
        return found

    def met(self, a: str, b: str) -> tuple[str, ...]:
        """Every hex of the map that the line meets or runs along, ends included."""
        if a == b:
            return (a,)
        left, right = self.parallels(a, b)
        middle = [label for pair in zip(left, right, strict=False) for label in pair]
        middle += left[len(right) :] + right[len(left) :]
        return (a, *(label for label in dict.fromkeys(middle) if label != OFF_MAP), b)

    def parallels(self, a: str, b: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The hexes met by the two parallels, from `a` to `b` without the ends."""
        found = self.drawn.get((a, b))
        if found is None:
            self._draw(*sorted((a, b), key=self.hexes.__getitem__))
            found = self.drawn[a, b]
        return found

    def _draw(self, a: str, b: str) -> None:
        """Both ways at once: on the way back the left is the right, from its other end."""
        labels = self.board.labels
        drawn = line(self.hexes[a], self.hexes[b]).parallels
        left, right = [tuple([labels.get(h, OFF_MAP) for h in met]) for met in drawn]
        self.drawn[a, b] = (left, right)
        self.drawn[b, a] = (right[::-1], left[::-1])


@lru_cache(maxsize=256)
def _lines(board: Board) -> _Lines:
    return _Lines(board)
