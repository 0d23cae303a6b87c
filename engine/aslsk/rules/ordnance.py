"""The weapon of a To Hit attack, its ammunition, and the shot that it declares (3.2.4, 6.0-6.2).

Refs: 2.0.intensive_fire, 2.0.ordnance, 3.2.4, 3.2.4.effect_infantry, 3.2.4.intensive_fire, 3.3.3,
4.4.2, 6.2, 6.2.ap, 6.2.apcr_apds, 6.2.he, 6.2.heat.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from engine.aslsk.rules.elements import Element
from engine.aslsk.rules.terrain import DIRECT, MORTAR
from engine.aslsk.rules.to_kill import Shell
from engine.aslsk.state.state import FIRST, MPH, PREP, State, Unit, Vehicle, Weapon
from engine.aslsk.state.tables import VEHICLES, WEAPONS, column, column_fp, he_fp
from engine.core.text import N_

ITT, ATT, VTT, LATW = N_("ITT"), N_("ATT"), N_("VTT"), N_("LATW")
HE, AP, HEAT, APCR, APDS = "HE", "AP", "H", "APCR", "APDS"
SMOKE, WP = "S", "WP"
SPECIAL_SHELLS = (HEAT, APCR, APDS)
HEAT_SINCE = {"german": "1942-05", "italian": "1942-09"}
PF = "pf"
PF_FP = 16


class Aim(msgspec.Struct, frozen=True, gc=False):
    """How a weapon attacks: target type, hex, the vehicle if one is named, ammunition."""

    kind: str
    hex: str
    target: str = ""
    ammo: str = ""

    @property
    def id(self) -> str:
        """The option's id."""
        return "-".join(part for part in (self.kind, self.target, self.ammo) if part)


class Gunner(msgspec.Struct, frozen=True, kw_only=True):
    """What a To Hit attack needs to know of its weapon, be it a SW, a Gun or a MA."""

    kind: str
    nation: str
    calibre: int = 0
    barrel: str = ""
    rof: int = 0
    b: int = 0
    x: int = 0
    turret: str = "NT"
    grade: str = ""
    fp: int = 0
    tk: str = ""
    ammo: dict[str, dict[int, int]] = {}
    out_of: tuple[str, ...] = ()
    no_ap: bool = False
    no_he: bool = False
    is_mortar: bool = False
    is_gun: bool = False
    is_ma: bool = False

    @property
    def has_backblast(self) -> bool:
        """A LATW that burns what is behind it: all but the PIAT (4.4.3)."""
        return self.kind == "latw" and self.grade != "piat"


def gunner(state: State, e: Element) -> Gunner:
    """The weapon behind an element."""
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        return _main_armament(v.type, v.arms.out_of)
    if e.part == PF:
        return _PANZERFAUST
    w = state.weapons[e.weapon]
    return _piece(w.type, w.out_of)


_PANZERFAUST = Gunner(kind="latw", nation="german", grade=PF, fp=PF_FP)


@lru_cache(maxsize=256)
def _main_armament(type: str, out_of: tuple[str, ...]) -> Gunner:
    d = VEHICLES[type]
    return Gunner(
        kind="ma",
        nation=d.nation,
        calibre=d.calibre,
        barrel=d.barrel,
        rof=d.rof,
        b=d.b,
        turret=d.turret,
        ammo=d.ammo,
        out_of=out_of,
        no_ap=d.no_ap,
        is_ma=True,
    )


@lru_cache(maxsize=256)
def _piece(type: str, out_of: tuple[str, ...]) -> Gunner:
    t = WEAPONS[type]
    return Gunner(
        kind=t.kind,
        nation=t.nation,
        calibre=t.calibre,
        barrel=t.barrel,
        rof=t.rof,
        b=t.b,
        x=t.x,
        turret="T" if t.is_360 else "NT",
        grade=t.grade,
        fp=t.fp,
        tk=t.tk,
        ammo=t.ammo,
        out_of=out_of,
        no_ap=t.no_ap,
        no_he=t.no_he,
        is_mortar=t.is_mortar,
        is_gun=t.is_gun,
    )


class Shot(msgspec.Struct, frozen=True, gc=False):
    """A declared To Hit attack: who fires what, at what, from how far, and who directs it."""

    e: Element
    aim: Aim
    gun: Gunner
    away: int
    intensive: bool = False
    defensive: bool = False
    leader: Unit | None = None
    avoids: bool = False
    """The Backblast, at a price (4.4.3)."""


def shot_of(state: State, e: Element, aim: Aim) -> Shot:
    """The shot that an element would fire now, without anybody's help (3.2.4)."""
    return Shot(
        e,
        aim,
        gunner(state, e),
        state.ground.range(e.hex, aim.hex),
        is_intensive(state, e),
        is_defensive(state, e),
    )


def is_intensive(state: State, e: Element) -> bool:
    """A Gun or MA that has lost its ROF fires once more (3.2.4.intensive_fire)."""
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        return e.part == "ma" and v.marks.fire in (PREP, FIRST)
    if e.part in ("ife", PF):
        return False
    w = state.weapons[e.weapon]
    return w.data.is_gun and w.fire in (PREP, FIRST)


def is_defensive(state: State, e: Element) -> bool:
    """Whether the element fires at movers in the enemy MPh (3.3.3)."""
    return state.phase == MPH and e.side != state.attacker


def fire_of(state: State, e: Element) -> str:
    """What TEM asks of a weapon: whether it is a mortar (1.1.1)."""
    return MORTAR if e.weapon and state.weapons[e.weapon].data.is_mortar else DIRECT


def holder_of(state: State, e: Element) -> Weapon | Vehicle:
    """What acquires targets: a Gun or SW, or the vehicle of a MA (6.10)."""
    return state.vehicles[e.vehicle] if e.vehicle else state.weapons[e.weapon]


# Ammunition


def special(state: State, g: Gunner, kind: str) -> int:
    """The depletion number of special ammunition in this year; 0 if there is none (6.2)."""
    years = g.ammo.get(kind)
    if not years or kind in g.out_of:
        return 0
    today = 100 * state.year + int(state.date[5:7] or 1)
    dates = [(since if since > 9999 else 100 * since, n) for since, n in sorted(years.items())]
    found = [number for since, number in dates if since <= today]
    if not found:
        return 0
    if kind == HEAT and state.date < HEAT_SINCE.get(g.nation, "1943-01"):
        return 0
    return found[-1]


def is_limited(g: Gunner, ammo: str) -> bool:
    """Whether ammunition can run out: special rounds, and HE where it is one (6.2)."""
    if g.kind == "latw":
        return False
    return ammo in (*SPECIAL_SHELLS, SMOKE, WP) or (ammo == HE and g.no_he)


def hit_fp(g: Gunner, aim: Aim) -> Fraction:
    """The FP of a hit against infantry (3.2.4.effect_infantry, 6.2)."""
    if g.kind == "latw":
        return Fraction(g.fp)
    if aim.ammo == AP:
        return Fraction(1 if g.calibre < 37 else 2)
    if aim.ammo in (APCR, APDS):
        return Fraction(1)
    fp = Fraction(he_fp(g.calibre))
    if aim.ammo == HEAT:
        index = column(fp) - 1
        return Fraction(column_fp(index) if index >= 0 else 0)
    return fp


def shell_of(g: Gunner, aim: Aim) -> Shell:
    """What a hit brings against armour (7.9)."""
    if g.kind == "mg":
        return Shell("MG", g.calibre, f"{g.calibre}{g.barrel}", g.nation)
    special = (g.tk or g.grade) if g.kind in ("atr", "latw") else ""
    return Shell(aim.ammo, g.calibre, f"{g.calibre}{g.barrel}", g.nation, special)
