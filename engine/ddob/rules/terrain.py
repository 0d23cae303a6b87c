"""The terrain effects chart (tec) for US movement and German defence: 5.21, 7.3, 7.31, 17.22."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from engine.core.rules import Anchor, Ruling
from engine.core.text import N_, msg
from engine.ddob.rules.communication import is_in_play
from engine.ddob.rules.engineers import is_open_side
from engine.ddob.state.book import rule
from engine.ddob.state.ground import (
    BARRIERS,
    COVER_AT,
    IS_LOW,
    MINED,
    SIDE,
    TERRAIN_AT,
    TIDE_AT,
    is_doubtful,
    is_submerged,
    roads,
)
from engine.ddob.state.state import State, Unit
from engine.ddob.state.tables import TERRAIN, UNITS, TerrainRow, tide

STOPPING = ("shingle", *BARRIERS)


def column(unit: Unit) -> str:
    """The column of the chart: infantry, leaders or others."""
    data = UNITS[unit.id]
    return "infantry" if data.is_infantry else "leaders" if data.is_leader else "others"


def has_road(state: State, a: str, b: str) -> bool:
    """A road or trail across the side, not mined or cleared of mines (tec.strada, 17.22)."""
    kinds = roads(a, b)
    if any(kind not in MINED for kind in kinds):
        return True
    return bool(kinds) and is_open_side(state, a, b)


def why_not_enter(state: State, unit: Unit, b: str) -> Iterator[Ruling]:
    """Why a unit may not step from its hex into a neighbour: the chart and 7.31."""
    a = unit.at
    if b in state.germans:
        yield rule("7.31", N_("{hex} holds a German unit."), hex=b)
    if b in TIDE_AT and is_submerged(b, tide(state.turn)):
        yield rule(
            ("5.21#sommerso", "tec.marea-spiaggia#marea"), N_("{hex} is under water."), hex=b
        )
    if not is_in_play(state, b):
        yield rule("ef.area#linea", N_("{hex} is not in play."), hex=b)
    if TERRAIN_AT[b] == "rough":
        yield rule("tec.accidentato", N_("{hex} is rough: nobody enters."), hex=b)
    sides = SIDE.get((a, b), ())
    kind = column(unit)
    if kind != "others":
        if "sheer cliff" in sides:
            yield rule("tec.scogliera-picco", N_("A sheer cliff stops {unit}."), unit=unit.id)
        if "scaleable cliff" in sides and kind == "leaders":
            yield rule(
                ("tec.scogliera-scalabile#leader", "7.5#altri"),
                N_("{unit} does not climb cliffs."),
                unit=unit.id,
            )
        return
    if sides or b in COVER_AT or roads(a, b):
        yield from why_not_drive(state, unit, a, b, sides)


def why_not_drive(
    state: State, unit: Unit, a: str, b: str, sides: tuple[str, ...]
) -> Iterator[Ruling]:
    """What stops units that are neither infantry nor leaders (tec, 19.3.ciottoli, 19.3.strade)."""
    road = has_road(state, a, b)
    if roads(a, b) and not road:
        yield rule(("tec.strada-minata#passano", "17.22"), N_("The road to {hex} is mined."), hex=b)
    cover = COVER_AT.get(b)
    if cover in ("woods", "bocage") and not road:
        ref = "tec.bosco" if cover == "woods" else "tec.bocage#strada"
        yield rule(
            (ref, "tec.strada#attraversa"),
            N_("{unit} enters {hex} by road only."),
            unit=unit.id,
            hex=b,
        )
    for side in sides:
        if side in STOPPING:
            if not is_open_side(state, a, b):
                yield rule(
                    (
                        "tec.ciottoli#attraversano",
                        "7.3#ostacoli",
                        "casa.43#vietati",
                        "casa.74" if road else "",
                    ),
                    N_("{unit} does not cross {side} before engineers open it."),
                    unit=unit.id,
                    side=side,
                )
        elif side in ("sheer cliff", "scaleable cliff"):
            ref = (
                "tec.scogliera-picco" if side == "sheer cliff" else "tec.scogliera-scalabile#leader"
            )
            yield rule(ref, N_("{unit} does not cross {side}."), unit=unit.id, side=side)
        elif not road:
            yield rule(
                ("tec.siepe-argine#strada", "19.34")
                if side == "seawall"
                else (SIDE_REF[side], "tec.strada#attraversa"),
                N_("{unit} crosses {side} by road only; the side is uncertain on the map.")
                if is_doubtful(side, a, b)
                else N_("{unit} crosses {side} by road only."),
                unit=unit.id,
                side=side,
            )


SIDE_REF = {
    "hedge": "tec.siepe-argine#strada",
    "slope": "tec.pendio#strada",
    "bluff": "tec.duna#attraversa",
}


# German defence


DEFENCE = MappingProxyType(
    {
        "woods": "tec#terreno-difesa/bosco",
        "buildings": "tec#terreno-difesa/edifici",
        "bocage": "tec#terreno-difesa/bocage",
    }
)
"""Where the chart has what cover does for the defender."""
BY_TERRAIN = {
    "bocage": "ddob:tec.bocage#difesa",
    "shingle": "ddob:tec.ciottoli#difesa",
    "anti-tank ditch": "ddob:tec.ciottoli#difesa",
    "anti-tank wall": "ddob:tec.ciottoli#difesa",
    "slope": "ddob:tec.pendio#difesa",
}
"""What the longer texts of terrain say of the defence."""


def factors(state: State, target: str, origins: list[str]) -> tuple[int, int, list[Ruling]]:
    """How much terrain multiplies the unit and its depth marker (tec, 8.31, casa.69)."""
    told: list[Ruling] = []
    if state.germans[target].is_armor:
        told.append(rule("23.6#terreno", N_("German tanks gain nothing from terrain.")))
        return 1, 1, told
    cover = TERRAIN[COVER_AT.get(target, "open")]
    unit, depth = cover.unit, cover.depth
    if unit > 1:
        told.append(rule.also(factor_ruling(cover, cover.id, unit, depth), DEFENCE[cover.id]))
    found = [side_factors(origin, target) for origin in origins]
    if found:
        side_unit, side_depth, name = min(found)
        if side_unit > 1:
            by_side = factor_ruling(TERRAIN[name], name, side_unit, side_depth)
            told.append(rule.also(by_side, "8.31#raddoppia", "casa.69#raddoppia"))
        unit, depth = max(unit, side_unit), max(depth, side_depth)
    return unit, depth, told


def factor_ruling(row: TerrainRow, name: str, unit: int, depth: int) -> Ruling:
    """What a row of the chart does for the defender."""
    said = N_("{terrain}: unit ×{unit}, depth marker ×{depth}")
    anchors = (Anchor(BY_TERRAIN[name]),) if name in BY_TERRAIN else ()
    return Ruling((row.ref,), msg(said, terrain=name, unit=unit, depth=depth), anchors)


def side_factors(origin: str, target: str) -> tuple[int, int, str]:
    """What the side between two hexes does for the defender, the best of its features."""
    best = (1, 1, "open")
    for side in SIDE.get((origin, target), ()):
        row = TERRAIN[side]
        if row.unit > 1:
            best = max(best, (row.unit, row.depth, "slope" if side == "bluff" else side))
    return best


def why_not_across(origin: str, target: str) -> Iterator[Ruling]:
    """Why nobody attacks from a hex into an adjacent one (8.15)."""
    for side in SIDE.get((origin, target), ()):
        if side in ("scaleable cliff", "sheer cliff"):
            ref = (
                "tec.scogliera-picco"
                if side == "sheer cliff"
                else "tec.scogliera-scalabile#attacchi"
            )
            yield rule(("8.15#dal-basso", ref), N_("No attack across {side}."), side=side)
        elif side == "bluff" and IS_LOW[origin]:
            yield rule(
                ("8.15#dal-basso", "tec.duna#attacco", "casa.21"), N_("No attack up a bluff.")
            )
