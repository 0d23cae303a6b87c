"""To Kill: armour, location, aspect, and what becomes of an AFV (3.2.4.aspect, 7.1, 7.9-7.12).

Refs: 2.0.af, 2.0.aspect, 2.0.immobilized, 2.0.shock, 2.0.wreck, 3.2.4.aspect, 3.2.4.location,
3.2.4.tk_summary, 7.1, 7.9, 7.10, 7.10.shock, 7.10.immobilized, 7.10.stun, 7.11, 7.12, casa.03,
casa.11.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from engine.aslsk.rules.morale import (
    PASS,
    PINS,
    Effects,
    apply_result,
    check_reading,
    crew_morale,
    read_ift,
    stun,
    tell_barrage,
    tell_column,
)
from engine.aslsk.rules.terrain import DIRECT, crew_cover, vehicle_cover
from engine.aslsk.state.book import DR, LATE_TOTAL, drm
from engine.aslsk.state.state import SHOCK, State, Vehicle
from engine.aslsk.state.tables import (
    ap_range,
    apcr_range,
    column,
    he_fp,
    he_tk,
    ift,
    to_kill_file,
    turret_af,
)
from engine.aslsk.state.vehicle_events import Immobilized, Shocked, Wrecked
from engine.core.ctx import Ctx, Tally, exact
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all

FRONT, SIDE, REAR = N_("front"), N_("side"), N_("rear")
TURRET, HULL = N_("turret"), N_("hull")
NO_EFFECT = -99
TK_AP = (
    "7.9#tk-ap-distanza/fino a 25 mm/{range}",
    "7.9#tk-ap-distanza/37-57 mm/{range}",
    "7.9#tk-ap-distanza/da 65 mm/{range}",
)
TK_APCR = (
    "7.9#tk-apcr-distanza/APCR fino a 57 mm/{range}",
    "7.9#tk-apcr-distanza/APCR da 65 mm/{range}",
)


def aspect_of(spine: int, hexside: int) -> str:
    """Front, side or rear of an arc that points at a hexspine (3.2.4.aspect)."""
    gap = (hexside - spine) % 6
    if gap in (0, 1):
        return FRONT
    return SIDE if gap in (2, 5) else REAR


def aspect(state: State, v: Vehicle, location: str, firer: str, coloured: int) -> str:
    """The aspect hit; on a dividing hexspine the worse for the firer (3.2.4.aspect)."""
    if firer == v.hex:
        return REAR if coloured <= 2 else SIDE if coloured <= 4 else FRONT
    spine = v.tca if location == TURRET and v.data.is_turreted else v.vca
    order = {FRONT: 0, SIDE: 1, REAR: 2}
    sides = state.ground.sides_hit(v.hex, firer)
    return min((aspect_of(spine, k) for k in sides), key=order.__getitem__)


def armour(v: Vehicle, location: str, where: str) -> int:
    """The AF there: circle and square change the turret by a level (7.1)."""
    row = 0 if where == FRONT else 1
    af = v.data.af[row]
    if location == TURRET and v.data.is_turreted:
        return turret_af(af, v.data.turret_af[row])
    return af


# What strikes it


class Shell(msgspec.Struct, frozen=True):
    """What strikes an AFV: ammunition, and the gun that fired it, or the row of a SW (7.9)."""

    ammo: str
    calibre: int = 0
    gun: str = ""
    nation: str = ""
    special: str = ""

    @property
    def name(self) -> str:
        """The ammunition as players write it."""
        return shell_name(self.ammo, self.special)

    @property
    def collateral_fp(self) -> Fraction:
        """The FP against a CE crew of an AFV that survives (7.12)."""
        if self.ammo in ("APCR", "APDS", "MG") or self.special.startswith("ATR"):
            return Fraction(1)
        if self.ammo == "AP":
            return Fraction(1 if self.calibre < 37 else 2)
        if self.special:
            return Fraction({"psk": 12, "pf": 16}.get(self.special, 8))
        return Fraction(he_fp(self.calibre))


class Blow(msgspec.Struct, frozen=True):
    """A hit on an AFV: the shell, from how far and where, and the To Hit dice (3.2.4.location)."""

    shell: Shell
    away: int
    firer: str
    coloured: int
    white: int
    critical: bool

    @property
    def location(self) -> str:
        """Where it strikes."""
        return location_of(self.coloured, self.white)


class Blast(msgspec.Struct, frozen=True):
    """ATT at an AFV, or a barrage, which has no firer, on the IFT (7.11, DaE2.53)."""

    fp: Fraction
    rolled: int
    location: str
    critical: bool
    how: str
    firer: str = ""


def location_of(coloured: int, white: int) -> str:
    """The turret if the coloured die is the lower one (3.2.4.location)."""
    return TURRET if coloured < white else HULL


def shell_name(ammo: str, special: str = "") -> str:
    """The name of a weapon's ammunition as players write it."""
    return special.partition("-")[0].upper() or ("HEAT" if ammo == "H" else ammo)


# To Kill


def printed_tk(shell: Shell) -> int:
    """The TK# of the ammunition as its table has it; 0 if it has none (7.9)."""
    file = to_kill_file()
    if shell.special in file.heat_latw:
        return file.heat_latw[shell.special]
    if shell.ammo == "MG" or shell.special:
        return file.ap[shell.special or "MG"]
    if shell.ammo == "HE":
        return he_tk(shell.calibre)
    if shell.ammo == "H":
        return file.heat.get(str(shell.calibre), 11)
    table = file.ap if shell.ammo == "AP" else file.apcr
    return table.get(f"{shell.gun}-{shell.nation}", table.get(shell.gun, 0))


def basic_tk(shell: Shell, away: int) -> int:
    """TK# of the ammunition with its range change; NO_EFFECT when out of range (7.9)."""
    base = printed_tk(shell)
    if shell.special in to_kill_file().heat_latw or shell.ammo in ("HE", "H"):
        return base
    if shell.ammo == "MG" or shell.special:
        return base + (ap_range(15, away) or 0)
    is_ap = shell.ammo == "AP"
    change = ap_range(shell.calibre, away) if is_ap else apcr_range(shell.ammo, shell.calibre, away)
    return base + change if base and change is not None else NO_EFFECT


def _table_of(shell: Shell) -> str:
    """The To Kill table of what strikes (7.9)."""
    if shell.special in to_kill_file().heat_latw:
        return "7.9#tk-heat/{tk}"
    known = {
        "APCR": "7.9#tk-apcr/{tk}",
        "APDS": "7.9#tk-apcr/{tk}",
        "H": "7.9#tk-heat/{tk}",
        "HE": "7.9#tk-he/TK#",
    }
    return known.get(shell.ammo, "7.9#tk-ap/{tk}")


def kill_vehicle(ctx: Ctx[State], name: str, blow: Blow) -> None:
    """Location, aspect, armour, DR (7.9)."""
    v = ctx.state.vehicles[name]
    shell = blow.shell
    location = blow.location
    where = aspect(ctx.state, v, location, blow.firer, blow.coloured)
    within = blow.firer == v.hex
    ctx.cite(
        (
            "3.2.4.location#dadi",
            "3.2.4.aspect#stesso-esagono" if within else "3.2.4.aspect#lato",
            "2.0.aspect",
        ),
        N_("{location} {aspect}"),
        location=location,
        aspect=where,
    )
    tk = ctx.tally(N_("TK#"))
    _tell_tk(ctx, tk, shell, blow.away)
    if blow.critical:
        tk.times(2, "6.1#veicolo", N_("Critical Hit"))
    if where == REAR and shell.ammo in ("AP", "APCR", "APDS", "MG"):
        tk.add(1, "7.9#modificatori", N_("rear"))
    tk.add(
        -armour(v, location, where),
        ("7.1#due-af", "2.0.af#sottrai"),
        N_("AF of the {location}"),
        location=location,
    )
    resolve_kill(ctx, name, shell.ammo, int(tk.total), location, shell.collateral_fp)


def _tell_tk(ctx: Ctx[State], tk: Tally, shell: Shell, away: int) -> None:
    """The TK# of the table, and what the range makes of it (7.9)."""
    printed = printed_tk(shell)
    tk.add(
        printed,
        (_table_of(shell), "2.0.th#tk"),
        N_("TK# of {ammo}"),
        ammo=shell.name,
        tk=printed,
    )
    base = basic_tk(shell, away)
    if base == NO_EFFECT:
        text = N_("range {range}: no effect")
        tk.set(base, _range_row(shell), text, range=away)
    else:
        text = N_("{ammo} at range {range}")
        tk.add(base - printed, _range_row(shell), text, ammo=shell.name, range=away, table="tk")


def _range_row(shell: Shell) -> str:
    """Where the table tells what the range makes of a TK# (7.9)."""
    if shell.ammo == "APDS":
        return "7.9#tk-apcr-distanza/APDS/{range}"
    if shell.ammo == "APCR":
        small, large = TK_APCR
        return small if shell.calibre <= 57 else large
    calibre = 15 if shell.ammo == "MG" or shell.special else shell.calibre
    smallest, small, large = TK_AP
    return smallest if calibre <= 25 else small if calibre <= 57 else large


def resolve_kill(
    ctx: Ctx[State], name: str, ammo: str, final: int, location: str, fp: Fraction
) -> None:
    """The TK DR against the final TK# (7.10, casa.11)."""
    why = N_("To Kill {unit}: under {number} eliminates")
    rolled = ctx.roll(
        DR, LATE_TOTAL, ("7.9#distrutto", "7.10#effetti"), why, unit=name, number=final
    )
    if ammo == "pf" and rolled == 12:
        ctx.cite("4.4.2#tk-dodici", N_("a dud"))
    elif rolled < final:
        destroy(ctx, name, "7.10#effetti/inferiore al TK# finale")
    elif rolled == final and ammo == "MG":
        stun(ctx, name, "7.10#effetti/uguale/MG", False)
    elif rolled == final or (rolled == final + 1 and ammo in ("HE", "DC")):
        equal = rolled == final
        why_hull = "7.10.immobilized#uguale" if equal else "7.10.immobilized#uno-in-piu"
        row = "7.10#effetti/uguale" if equal else "7.10#effetti/uno in più"
        if not _cripple(ctx, name, location, why_hull, row):
            collateral(ctx, name, rolled, fp)
    elif rolled == final + 1 and ammo != "MG":
        possible_shock(ctx, name, rolled, fp)
    else:
        ctx.cite("7.10#piu-alto", N_("no effect"))
        collateral(ctx, name, rolled, fp)


def _cripple(ctx: Ctx[State], name: str, location: str, ref: str, why_shock: str) -> bool:
    """Shock or immobilization; whether it was Shock, which spares the crew the rest (7.12)."""
    if location == TURRET and ctx.state.vehicles[name].data.is_turreted:
        shock(ctx, name, why_shock)
        return True
    immobilize(ctx, name, ref)
    return False


def possible_shock(ctx: Ctx[State], name: str, rolled: int, fp: Fraction) -> None:
    """One above the TK#: the crew takes a NMC (7.10)."""
    v = ctx.state.vehicles[name]
    tell_barrage(ctx, v)
    read = check_reading(crew_morale(ctx.state, name), int(v.crew.plus), 99)
    found = ctx.roll(
        DR, read, "7.10#possibile-shock", N_("possible Shock of {unit}: NMC"), unit=name
    )
    if found in (PASS, PINS):
        ctx.cite("7.10#possibile-shock", N_("{unit} is not shocked"), unit=name)
        collateral(ctx, name, rolled, fp)
    else:
        shock(ctx, name, "7.10#possibile-shock")


def destroy(ctx: Ctx[State], name: str, ref: str) -> None:
    """The AFV becomes a wreck (7.4, 2.0.wreck)."""
    ctx.do(Wrecked(vehicle=name), (ref, "7.4#relitto", "2.0.wreck#distrutto"))


def shock(ctx: Ctx[State], name: str, ref: str) -> None:
    """Shock: nothing at all until it recovers; again it does nothing more (7.10.shock)."""
    if ctx.state.vehicles[name].crew.shock != SHOCK:
        ctx.do(Shocked(vehicle=name), (ref, "7.10.shock#niente", "2.0.shock#shock"))
    else:
        ctx.cite((ref, "7.10.shock#gia"), N_("{unit} is in Shock already"), unit=name)


def immobilize(ctx: Ctx[State], name: str, ref: str) -> None:
    """It moves no more (7.10.immobilized)."""
    ctx.do(Immobilized(vehicle=name), (ref, "2.0.immobilized"))


def collateral(ctx: Ctx[State], name: str, rolled: int, fp: Fraction, how: str = DIRECT) -> None:
    """A CE crew of an AFV that was hit and survived: the same DR on the IFT (7.12)."""
    v = ctx.state.vehicles[name]
    index = column(fp)
    if not v.crew.ce or index < 0 or not v.is_live:
        return
    with ctx.under("7.12#esposto", N_("collateral attack on the crew of {unit}"), unit=name):
        tell_column(ctx, "7.12#stesso-dr", N_("FP of the weapon"), exact(fp))
        change = add_all(ctx.tally(N_("DRM")), crew_cover(ctx.state, v, how))
        final = rolled + change
        result = read_ift(index, final, change)
        ctx.cite(
            ("7.12#stesso-dr", "7.7#equipaggio"),
            N_("final DR {dr}: {result}"),
            dr=final,
            result=result.text,
        )
        apply_result(ctx, result, [], [name], Effects())


def att_on_vehicle(ctx: Ctx[State], name: str, blast: Blast) -> None:
    """ATT and barrages against an AFV on the IFT (7.11, DaE2.53)."""
    index = column(blast.fp)
    if index < 0:
        return
    v = ctx.state.vehicles[name]
    change = add_all(ctx.tally(N_("DRM")), _blast_drm(ctx.state, v, blast))
    final = blast.rolled + change
    result = ift(index, final)
    ctx.cite(
        "7.11#ift" if blast.firer else "dae2.53",
        N_("{unit}: final DR {dr}: {result}"),
        unit=name,
        dr=final,
        result=result,
    )
    if result.endswith("KIA"):
        destroy(ctx, name, "7.11#kia")
    elif result.startswith("K/") or ift(index, final - 1).startswith("K/"):
        if not _cripple(ctx, name, blast.location, "7.10.immobilized#k", "7.11#k"):
            collateral(ctx, name, blast.rolled, blast.fp, blast.how)
    elif v.crew.ce:
        collateral(ctx, name, blast.rolled, blast.fp, blast.how)


def _blast_drm(state: State, v: Vehicle, blast: Blast) -> Iterator[Modifier]:
    """Armour all light or all heavy, and TEM save for a Critical Hit (7.11)."""
    armours = [armour(v, part, where) for part in (TURRET, HULL) for where in (FRONT, SIDE)]
    if max(armours) <= 4:
        yield drm(-1, "7.11#drm", N_("all AF are 4 or less"))
    if min(armours) >= 8:
        yield drm(1, "7.11#drm", N_("all AF are 8 or more"))
    tem = vehicle_cover(state, v, blast.firer, blast.how) if not blast.critical else None
    if tem is not None:
        yield tem
