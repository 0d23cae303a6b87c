"""What one DR on the IFT does to a hex, and the Residual FP that it leaves (3.2.3, 3.3.5).

Refs: 2.0.air_burst, 2.0.area_fire, 2.0.residual, 3.2.3, 3.3.5, 3.3.5.replace, 3.3.5.shift, 6.4,
casa.23.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from engine.aslsk.rules.firepower import target_drm
from engine.aslsk.rules.morale import Effects, IftResult, alive, apply_result, read_ift, reveal
from engine.aslsk.rules.terrain import crew_cover
from engine.aslsk.state.book import OUTSIDE, rule
from engine.aslsk.state.events import ResidualPlaced
from engine.aslsk.state.state import ASSAULT, State
from engine.aslsk.state.tables import column, column_fp, residual
from engine.core.ctx import Ctx
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """An attack on everybody in a hex with one DR (3.2.3)."""

    names: Sequence[str]
    crews: Sequence[str]
    column: int
    area: int | None = None
    """The column against hidden units, if it is not that of half the FP (6.4)."""
    rolled: int
    common: Sequence[Modifier]
    how: str
    firers: tuple[str, ...]
    moving: bool = False
    hindered: bool = False

    @property
    def hidden_column(self) -> int:
        """The column of Area Fire (6.4, 2.0.area_fire)."""
        return column(Fraction(column_fp(self.column), 2)) if self.area is None else self.area


class _Alike:
    """Those who have equal DRM and share one result."""

    def __init__(self, lines: list[Modifier]) -> None:
        self.lines = lines
        self.names: list[str] = []
        self.crews: list[str] = []


def strike(ctx: Ctx[State], attack: Strike, effects: Effects) -> None:
    """One DR against everybody in the hex; equal DRM share one result (3.2.3).

    Hidden units suffer apart, on the column of Area Fire; a miss says nothing of them (6.4).
    """
    seen, unseen = ctx.once(_sort, ctx.state, attack)
    if attack.moving and attack.names:
        _tell_cancelled(ctx, attack)
    for alike in seen.values():
        _strike_seen(ctx, attack, alike, effects)
    for value, names in unseen.items():
        _strike_unseen(ctx, attack, value, names, effects)


def _tell_cancelled(ctx: Ctx[State], attack: Strike) -> None:
    """The DRM against movers that something takes away (3.3.1.assault_move, 3.3.3.ffmo)."""
    mover = ctx.state.mover
    if mover is not None and mover.mode == ASSAULT:
        text = N_("no FFNAM: Assault Movement")
        ctx.cite(("3.3.3.ffnam#drm", "3.3.1.assault_move#evita"), text)
    elif attack.hindered:
        ctx.cite(
            ("3.3.3.ffmo#hindrance", "3.2.1.hindrance#disturbo"), N_("no FFMO through a hindrance")
        )


def _sort(state: State, attack: Strike) -> tuple[dict[int, _Alike], dict[int, list[str]]]:
    """The targets by their DRM, hidden units apart."""
    seen: dict[int, _Alike] = {}
    unseen: dict[int, list[str]] = {}
    for name in attack.names:
        own = _drm_against(state, attack, name)
        value = sum(one.value for one in own)
        if state.units[name].hidden:
            unseen.setdefault(value, []).append(name)
        else:
            seen.setdefault(value, _Alike(own)).names.append(name)
    for name in attack.crews:
        own = crew_cover(state, state.vehicles[name], attack.how)
        value = sum(one.value for one in own)
        seen.setdefault(value, _Alike(own)).crews.append(name)
    return seen, unseen


def _drm_against(state: State, attack: Strike, name: str) -> list[Modifier]:
    return target_drm(state, name, attack.firers, attack.how, attack.moving, attack.hindered)


def _strike_seen(ctx: Ctx[State], attack: Strike, alike: _Alike, effects: Effects) -> None:
    change = add_all(ctx.tally(N_("DRM")), [*attack.common, *alike.lines])
    final = attack.rolled + change
    result = read_ift(attack.column, final, change)
    _cite_result(ctx, final, result)
    names = alive(ctx.state, alike.names)
    crews = [c for c in alike.crews if ctx.state.vehicles[c].crew.ce]
    apply_result(ctx, result, names, crews, effects)


def _cite_result(ctx: Ctx[State], final: int, result: IftResult) -> None:
    ctx.cite(
        "3.2.3#ift/{dr}/{column}",
        N_("final DR {dr}: {result}"),
        dr=final,
        result=result.text,
        column=column_fp(result.column),
    )


def _strike_unseen(
    ctx: Ctx[State], attack: Strike, value: int, names: Sequence[str], effects: Effects
) -> None:
    """Hidden units are shown by what happens to them (6.4, 2.0.area_fire)."""
    half = attack.hidden_column
    change = sum(one.value for one in attack.common) + value
    if half < 0:
        return
    final = attack.rolled + change
    result = read_ift(half, final, change)
    if result.text == "-":
        return
    for name in names:
        reveal(ctx, name)
    text = N_("Area Fire on the {column} column against a hidden unit")
    ctx.cite(("6.4#meta", "2.0.area_fire#hip"), text, column=column_fp(half))
    own = _drm_against(ctx.state, attack, names[0])
    add_all(ctx.tally(N_("DRM")), [*attack.common, *own])
    _cite_result(ctx, final, result)
    apply_result(ctx, result, names, [], effects)


# Residual FP


class Residue(msgspec.Struct, frozen=True):
    """What an attack may leave behind: its FP and DRM, and what moved its column."""

    fp: Fraction
    common: Sequence[Modifier] = ()
    cowering: int = 0
    """Columns to the left (3.2.2.cowering)."""
    less: bool = False
    """Whether part of the FP leaves nothing (casa.23)."""
    burst: bool = False
    """An Air Burst (3.3.5.shift)."""


def leave_residual(ctx: Ctx[State], hex: str, residue: Residue) -> None:
    """Half the column used stays in the hex, less outside DRM, one more for an Air Burst.

    Refs: 3.3.5, 3.3.5.shift, casa.23.
    """
    index = column(residue.fp)
    if index >= 0:
        index = max(index - residue.cowering, -1)
    left = residual(index, _tell_shifts(ctx, residue) if index >= 0 else 0)
    there = ctx.state.residual.get(hex, 0)
    if not left:
        ctx.cite("3.3.5#residual", N_("too little for Residual FP"))
        return
    if left <= there:
        ctx.cite(
            "3.3.5.replace#sostituisce", N_("Residual FP {fp} stays in {hex}"), fp=there, hex=hex
        )
        return
    less = residue.less or residue.cowering
    refs = ("3.3.5#lascia", "2.0.residual#resta", "3.3.5.replace#una", "casa.23" if less else "")
    text = N_("Residual FP {fp} in {hex}, from the {column} column")
    ctx.do(ResidualPlaced(hex=hex, fp=left), refs, text, fp=left, hex=hex, column=column_fp(index))


def _tell_shifts(ctx: Ctx[State], residue: Residue) -> int:
    """Columns less for DRM from outside the hex, one more for an Air Burst (3.3.5.shift)."""
    shifts = ctx.tally(N_("columns less"))
    for one in residue.common:
        if one.kind == OUTSIDE and one.value > 0:
            shifts.add(one.value, rule.also(one.ruling, "3.3.5.shift#scende"))
    if residue.burst:
        refs = ("3.3.5.shift#air-burst", "2.0.air_burst")
        shifts.add(-1, refs, N_("one column more for the Air Burst"))
    return int(shifts.total)
