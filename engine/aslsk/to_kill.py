"""To Kill: armour, location, aspect, and what becomes of an AFV (3.2.4.aspect, 7.1, 7.9-7.12).

Refs: 2.0.af, 2.0.aspect, 2.0.immobilized, 2.0.shock, 2.0.wreck, 3.2.4.aspect, 3.2.4.location,
3.2.4.tk_summary, 7.1, 7.9, 7.10, 7.10.shock, 7.10.immobilized, 7.10.stun, 7.11, 7.12, casa.03,
casa.11, casa.12.
"""

from __future__ import annotations

from fractions import Fraction

from engine.aslsk.book import DR, LATE_TOTAL, add_all, drm
from engine.aslsk.morale import (
    PASS,
    PINS,
    Effects,
    apply_result,
    check_reading,
    crew_morale,
    stun,
    tell_barrage,
)
from engine.aslsk.state import SHOCK, State, Vehicle
from engine.aslsk.tables import (
    ap_range,
    apcr_range,
    column,
    he_fp,
    he_tk,
    ift,
    to_kill_file,
    turret_af,
)
from engine.aslsk.terrain import DIRECT, crew_cover, vehicle_cover
from engine.aslsk.vehicle_events import Immobilized, Shocked, Wrecked
from engine.core.ctx import Ctx
from engine.core.text import N_

FRONT, SIDE, REAR = N_("front"), N_("side"), N_("rear")
TURRET, HULL = N_("turret"), N_("hull")
NO_EFFECT = -99


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


def shell(ammo: str, special: str = "") -> str:
    """The name of a weapon's ammunition as players write it."""
    return special.partition("-")[0].upper() or ("HEAT" if ammo == "H" else ammo)


def basic_tk(ammo: str, calibre: int, gun: str, nation: str, special: str, away: int) -> int:
    """TK# of the ammunition with its range change; NO_EFFECT when out of range (7.9)."""
    file = to_kill_file()
    if special in file.heat_latw:
        return file.heat_latw[special]
    if ammo == "MG":
        change = ap_range(15, away)
        return file.ap["MG"] + (change or 0)
    if special:
        change = ap_range(15, away)
        return file.ap[special] + (change or 0)
    if ammo == "HE":
        return he_tk(calibre)
    if ammo == "H":
        return file.heat.get(str(calibre), 11)
    table = file.ap if ammo == "AP" else file.apcr
    base = table.get(f"{gun}-{nation}", table.get(gun, 0))
    change = ap_range(calibre, away) if ammo == "AP" else apcr_range(ammo, calibre, away)
    return base + change if base and change is not None else NO_EFFECT


def kill_vehicle(
    ctx: Ctx[State],
    name: str,
    ammo: str,
    calibre: int,
    gun: str,
    nation: str,
    special: str,
    away: int,
    firer: str,
    coloured: int,
    white: int,
    critical: bool,
) -> None:
    """Location, aspect, armour, DR (7.9)."""
    v = ctx.state.vehicles[name]
    location = TURRET if coloured < white else HULL
    where = aspect(ctx.state, v, location, firer, coloured)
    ctx.cite(
        ("3.2.4.location", "3.2.4.aspect", "2.0.aspect"),
        N_("{location} {aspect}"),
        location=location,
        aspect=where,
    )
    base = basic_tk(ammo, calibre, gun, nation, special, away)
    tk = ctx.tally(N_("TK#"))
    text = N_("TK# of {ammo}")
    tk.add(base, ("7.9", "2.0.th"), text, ammo=shell(ammo, special), range=away)
    if critical:
        tk.times(2, "6.1", N_("Critical Hit"))
    if where == REAR and ammo in ("AP", "APCR", "APDS", "MG"):
        tk.add(1, "7.9", N_("rear"))
    tk.add(
        -armour(v, location, where),
        ("7.1", "2.0.af"),
        N_("AF of the {location}"),
        location=location,
    )
    final = int(tk.total)
    fp = _collateral_fp(ammo, calibre, special)
    resolve_kill(ctx, name, ammo, final, location, fp)


def _collateral_fp(ammo: str, calibre: int, special: str) -> Fraction:
    if ammo in ("APCR", "APDS", "MG") or special.startswith("ATR"):
        return Fraction(1)
    if ammo == "AP":
        return Fraction(1 if calibre < 37 else 2)
    if special:
        return Fraction({"psk": 12, "pf": 16}.get(special, 8))
    return Fraction(he_fp(calibre))


def resolve_kill(
    ctx: Ctx[State], name: str, ammo: str, final: int, location: str, fp: Fraction
) -> None:
    """The TK DR against the final TK# (7.10, casa.11, casa.12)."""
    why = N_("To Kill {unit}: under {number} eliminates")
    rolled = ctx.roll(DR, LATE_TOTAL, ("7.9", "7.10"), why, unit=name, number=final)
    if ammo == "pf" and rolled == 12:
        ctx.cite("4.4.2", N_("a dud"))
        return
    if rolled < final or (ammo == "FT" and rolled == final):
        destroy(ctx, name, "casa.12" if rolled == final else "7.10")
    elif rolled == final and ammo == "MG":
        stun(ctx, name, "7.10", False)
    elif (rolled == final and ammo != "FT") or (rolled == final + 1 and ammo in ("HE", "DC")):
        if not _cripple(ctx, name, location):
            collateral(ctx, name, rolled, fp)
    elif rolled == final + 1 and ammo not in ("MG", "FT"):
        possible_shock(ctx, name, rolled, fp)
    else:
        ctx.cite("7.10", N_("no effect"))
        collateral(ctx, name, rolled, fp)


def _cripple(ctx: Ctx[State], name: str, location: str) -> bool:
    """Shock or immobilization; whether it was Shock, which spares the crew the rest (7.12)."""
    if location == TURRET and ctx.state.vehicles[name].data.is_turreted:
        shock(ctx, name)
        return True
    immobilize(ctx, name, "7.10.immobilized")
    return False


def possible_shock(ctx: Ctx[State], name: str, rolled: int, fp: Fraction) -> None:
    """One above the TK#: the crew takes a NMC (7.10)."""
    v = ctx.state.vehicles[name]
    tell_barrage(ctx, v)
    read = check_reading(crew_morale(ctx.state, name), int(v.plus), 99)
    found = ctx.roll(DR, read, "7.10", N_("possible Shock of {unit}: NMC"), unit=name)
    if found in (PASS, PINS):
        ctx.cite("7.10", N_("{unit} is not shocked"), unit=name)
        collateral(ctx, name, rolled, fp)
    else:
        shock(ctx, name)


def destroy(ctx: Ctx[State], name: str, ref: str) -> None:
    """The AFV becomes a wreck (7.4, 2.0.wreck)."""
    ctx.do(Wrecked(vehicle=name), (ref, "7.4", "2.0.wreck"))


def shock(ctx: Ctx[State], name: str) -> None:
    """Shock: nothing at all until it recovers (7.10.shock)."""
    if ctx.state.vehicles[name].shock != SHOCK:
        ctx.do(Shocked(vehicle=name), ("7.10.shock", "2.0.shock"))


def immobilize(ctx: Ctx[State], name: str, ref: str) -> None:
    """It moves no more (7.10.immobilized)."""
    ctx.do(Immobilized(vehicle=name), (ref, "2.0.immobilized"))


def collateral(ctx: Ctx[State], name: str, rolled: int, fp: Fraction, how: str = DIRECT) -> None:
    """A CE crew of an AFV that was hit and survived: the same DR on the IFT (7.12)."""
    v = ctx.state.vehicles[name]
    index = column(fp)
    if not v.ce or index < 0 or not v.is_live:
        return
    with ctx.under("7.12", N_("collateral attack on the crew of {unit}"), unit=name):
        change = add_all(ctx.tally(N_("DRM")), crew_cover(ctx.state, v, how))
        final = rolled + change
        result = ift(index, final)
        ctx.cite(("7.12", "7.7"), N_("final DR {dr}: {result}"), dr=final, result=result)
        apply_result(ctx, result, [], [name], index, change, Effects())


def att_on_vehicle(
    ctx: Ctx[State],
    name: str,
    fp: Fraction,
    rolled: int,
    location: str,
    critical: bool,
    how: str,
    full_column: bool = False,
    firer: str = "",
) -> None:
    """ATT and barrages against an AFV on the IFT (7.11, DaE2.53)."""
    v = ctx.state.vehicles[name]
    index = column(fp)
    if index < 0:
        return
    lines = []
    least = [armour(v, part, where) for part in (TURRET, HULL) for where in (FRONT, SIDE)]
    if all(af <= 4 for af in least):
        lines.append(drm(-1, "7.11", N_("all AF are 4 or less")))
    if all(af >= 8 for af in least):
        lines.append(drm(1, "7.11", N_("all AF are 8 or more")))
    tem = vehicle_cover(ctx.state, v, firer, how) if not critical else None
    if tem is not None:
        lines.append(tem)
    change = add_all(ctx.tally(N_("DRM")), lines)
    result = ift(index, rolled + change)
    ctx.cite(
        "dae2.53" if full_column else "7.11",
        N_("{unit}: final DR {dr}: {result}"),
        unit=name,
        dr=rolled + change,
        result=result,
    )
    if result.endswith("KIA"):
        destroy(ctx, name, "7.11")
    elif result.startswith("K/") or ift(index, rolled + change - 1).startswith("K/"):
        if not _cripple(ctx, name, location):
            collateral(ctx, name, rolled, fp, how)
    elif v.ce:
        collateral(ctx, name, rolled, fp, how)
