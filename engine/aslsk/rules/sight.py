"""Line of sight with everything on the map: hindrance, smoke, vehicles (3.2.1).

Refs: 1.2.5, 2.0.los, 2.0.hindrance, 2.0.blind_hex, 2.0.keu, 3.2.1, 3.2.1.declare,
3.2.1.hindrance, 3.2.1.levels, 3.2.1.through_units, 7.4.1, casa.22, casa.25, casa.26, casa.45.
"""

from __future__ import annotations

import msgspec

from engine.aslsk.state.book import OUTSIDE, drm, rule
from engine.aslsk.state.ground import BRUSH, GRAIN
from engine.aslsk.state.state import State, parked
from engine.aslsk.state.tables import he_fp
from engine.core.ctx import Ctx
from engine.core.decisions import button
from engine.core.hexes import disk
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import Modifier

TOO_MUCH = 6
FREE, SUPPOSED = "libera", "supposta"
"""The option `los`: checked before declaring; in a belief, where nobody has stretched the thread
yet (3.2.1.declare)."""
DRAWN = (GRAIN, BRUSH)
"""Hindrances whose drawing the thread must cross (casa.45)."""


class Los(msgspec.Struct, frozen=True):
    """A LOS: blocked or not, and what hinders it."""

    blocked: Ruling | None
    hindrance: tuple[Modifier, ...] = ()

    @property
    def clear(self) -> bool:
        """Whether there is LOS."""
        return self.blocked is None

    @property
    def drm(self) -> int:
        """The sum of the hindrances."""
        return sum(one.value for one in self.hindrance)


STOPS = {
    "1.1.1.woods": ("1.1.1.woods#los", "3.2.1#libera", "casa.45#bosco"),
    "1.1.1.buildings": ("1.1.1.buildings#los", "3.2.1#libera", "casa.45#edificio"),
    "1.1.1.hills": ("1.1.1.hills#blocca", "3.2.1#libera"),
    "1.1.1.hedges.los": ("1.1.1.hedges.los#blocca", "3.2.1#libera"),
    "1.1.1.orchard.season": ("1.1.1.orchard.season#stagione/aprile-ottobre", "3.2.1#livelli"),
    "3.2.1.levels": ("3.2.1.levels#cresta", "3.2.1#livelli"),
}
"""What stops a thread, by its rule."""
HINDERS = {
    "1.1.1.orchard": "1.1.1.orchard#hindrance",
    "1.1.1.orchard.season": "1.1.1.orchard.season#stagione/novembre-marzo",
    "1.1.1.grain": "1.1.1.grain#hindrance",
    "1.1.1.brush": "1.1.1.brush#hindrance",
}
_OFF = Los(rule("casa.26", N_("nobody sees or is seen off the map")))
_SAME = Los(None)


def los(state: State, a: str, b: str) -> Los:
    """The LOS between two hexes as things stand (3.2.1)."""
    field = state.ground
    if a in field.is_off or b in field.is_off:
        return _OFF
    if a == b and not state.smoke:
        return _SAME
    fixed = field.los(a, b)
    if fixed.blocked is not None:
        stop = fixed.blocked
        return Los(rule(STOPS[stop.ref], stop.why, hex=stop.hex))
    found = [
        drm(
            1,
            (HINDERS[ref], "casa.45#grano") if field.kind(at) in DRAWN else HINDERS[ref],
            N_("hindrance of {hex}"),
            kind=OUTSIDE,
            hex=at,
        )
        for at, ref in fixed.hindrance
    ]
    if state.smoke:
        found += _smoke(state, a, b, fixed.touched)
    if state.vehicles:
        found += _vehicles(state, a, b, fixed.touched)
    if state.oba is not None and state.oba.ffe:
        found += _barrage(state, a, b, fixed.hexes)
    if sum(one.value for one in found) >= TOO_MUCH:
        return Los(rule("3.2.1.hindrance#sei", N_("hindrances add up to +6 or more")))
    return Los(None, tuple(found))


def is_los_free(state: State) -> bool:
    """Whether LOS may be checked before an attack is declared (3.2.1.declare)."""
    return state.options.get("los") == FREE


def is_supposed(state: State) -> bool:
    """Whether this is a belief, in which no LOS may be checked (3.2.1.declare)."""
    return state.options.get("los") == SUPPOSED


def known_los(state: State, a: str, b: str) -> Los:
    """The LOS of an attack; in a belief it is clear, and only smoke at its ends hinders it."""
    if not is_supposed(state):
        return los(state, a, b)
    return Los(None, tuple(_smoke(state, a, b, ()))) if state.smoke else _SAME


def declared_los(ctx: Ctx[State], side: Side, a: str, b: str) -> Los:
    """The thread of a declared attack; odds take it for granted, and say so (3.2.1.declare)."""
    if is_supposed(ctx.state):
        clear = [button("libera", True, N_("the LOS is clear"))]
        text = N_("does {hex} see {target}?")
        ctx.choose("sight.clear", side, clear, "3.2.1.declare#prima", text, hex=a, target=b)
    return known_los(ctx.state, a, b)


def cite_clear(ctx: Ctx[State], a: str, b: str) -> None:
    """The LOS of a declared attack is clear, whoever stands between (3.2.1.through_units); odds
    have not seen it."""
    if is_supposed(ctx.state):
        return
    level = ctx.state.ground.level
    ctx.cite(
        ("3.2.1#libera", "3.2.1.through_units")
        if level[a] == level[b]
        else ("3.2.1.levels#cresta", "3.2.1#livelli", "3.2.1.through_units"),
        N_("{hex} sees {target}"),
        hex=a,
        target=b,
    )


def cite_blocked(ctx: Ctx[State], ruling: Ruling) -> None:
    """The rule that stops a LOS, after the attack was declared (3.2.1.declare)."""
    lost = rule.ruling("3.2.1.declare#perso", ruling.msg)
    refs, anchors = (*lost.refs, *ruling.refs), (*lost.anchors, *ruling.anchors)
    ctx.cite(Ruling(refs, ruling.msg, anchors))


def sees(state: State, a: str, b: str) -> bool:
    """Whether there is LOS between two hexes: the thread is the same from both ends."""
    field = state.ground
    if a in field.is_off or b in field.is_off:
        return False
    if a == b:
        return not state.smoke or los(state, a, b).clear
    fixed = field.los(a, b) if a < b else field.los(b, a)
    if fixed.blocked is not None:
        return False
    if not state.smoke:
        barrage = int(state.oba is not None and bool(state.oba.ffe))
        vehicles = min(len(parked(state)), len(fixed.touched))
        if len(fixed.hindrance) + vehicles + barrage < TOO_MUCH:
            return True
    return los(state, a, b).clear


def why_not_see(state: State, unit: str, a: str, b: str) -> Ruling | None:
    """What stops the LOS, where it may be checked before firing (3.2.1)."""
    blocked = None if sees(state, a, b) else los(state, a, b).blocked
    if blocked is None:
        return None
    found = rule("3.2.1#vedere", N_("{unit} has no LOS to {hex}"), unit=unit, hex=b)
    refs = dict.fromkeys((*found.refs, *blocked.refs))
    return Ruling(tuple(refs), found.msg, (*found.anchors, *blocked.anchors))


def _smoke(state: State, a: str, b: str, touched: tuple[tuple[str, ...], ...]) -> list[Modifier]:
    """Smoke hinders fire into, through and out of its hex (1.2.5)."""
    found = []
    for hexes in (*touched, (a,), (b,)):
        values = [state.smoke[label].value for label in hexes if label in state.smoke]
        if values and not (hexes == (b,) and a == b):
            at = next(label for label in hexes if label in state.smoke)
            far = at != b
            found.append(
                drm(
                    max(values),
                    "1.2.5#drm",
                    N_("Smoke in {hex}"),
                    kind=OUTSIDE if far else "",
                    hex=at,
                )
            )
    if a in state.smoke and a != b:
        found.append(drm(1, "casa.25", N_("firing out of smoke in {hex}"), kind=OUTSIDE, hex=a))
    return found


def _vehicles(state: State, a: str, b: str, touched: tuple[tuple[str, ...], ...]) -> list[Modifier]:
    """AFV and wrecks that did not move hinder at their level (7.4.1, casa.24)."""
    field = state.ground
    if field.level[a] != field.level[b]:
        return []
    places = parked(state)
    found = []
    for hexes in touched:
        for label in hexes:
            if label not in places or field.level[label] != field.level[a]:
                continue
            still = [
                v
                for v in places[label]
                if not (v.marks.fresh_wreck if v.wreck else v.is_moving_target)
            ]
            if not still:
                continue
            if field.los(a, label).blocked or field.los(label, b).blocked:
                continue
            text = N_("AFV or wreck in {hex}")
            found.append(drm(1, "7.4.1#hindrance", text, kind=OUTSIDE, hex=label))
            break
    return found


def _barrage(state: State, a: str, b: str, path: tuple[str, ...]) -> list[Modifier]:
    """LOS from, into or through a blast area: +1 at most (DaE2.5)."""
    area = blast_area(state)
    if area and (a in area or b in area or any(label in area for label in path)):
        return [
            drm(
                1,
                "dae2.5#hindrance",
                N_("LOS through a blast area"),
                kind=OUTSIDE if a in area else "",
            )
        ]
    return []


def blast_area(state: State) -> tuple[str, ...]:
    """The hexes under an HE barrage: seven, rockets a radius of two (DaE2.5, DaE2.9)."""
    oba = state.oba
    if oba is None or not oba.ffe or oba.kind != "HE" or not he_fp(oba.calibre):
        return ()
    field = state.ground
    return tuple(
        [
            field.at[h]
            for h in disk(field.spot(oba.ffe), 2 if oba.rockets else 1)
            if field.at.get(h, "") in field.terrain
        ]
    )
