"""Area attacks: one roll against every unit of a hex (the chapter on area attacks).

Refs: area.definizione, area.lancio, area.difesa, area.veicoli, ostacoli.filo-area,
faq.filo-distrutto, faq.disgregate-mortai, nascoste.immunita, trasporto.immune.
"""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.toi.rules.cover import armor, cover, no_help
from engine.toi.rules.fire import thick_armor
from engine.toi.rules.suppression import SUPPRESSIVE, suffer
from engine.toi.state.book import BLACK, RED
from engine.toi.state.dice import SAVE, successes
from engine.toi.state.events import ObstacleRemoved
from engine.toi.state.state import WIRE, State
from engine.toi.state.units import at, is_vehicle, obstacles_at

AREA_NEED = 5
WIRE_HITS = 3


def area_attack(ctx: Ctx[State], label: str, dice: int, kind: str, need: int = AREA_NEED) -> int:
    """Attack everybody in a hex with one roll (area.definizione). The successes."""
    with ctx.under(
        "area.definizione#esagono", N_("Area attack on {hex}: {kind}"), hex=label, kind=kind
    ):
        hits = ctx.roll(
            BLACK * dice,
            successes(need),
            ("area.lancio#una-volta", "attacco.4-lancio#dadi"),
            N_("{black} black dice on {hex}, {need} or more"),
            black=dice,
            hex=label,
            need=need,
        )
        ctx.cite("area.lancio#per-intero", N_("{n} successes against every unit"), n=hits)
        if hits >= WIRE_HITS and WIRE in obstacles_at(ctx.state, label):
            ctx.do(
                ObstacleRemoved(hex=label, kind=WIRE),
                ("ostacoli.filo-area#distrugge", "faq.filo-distrutto"),
            )
        for unit in at(ctx.state, label):
            if unit.id in ctx.state.units:
                _defend(ctx, unit.id, hits, kind)
    return hits


def _defend(ctx: Ctx[State], name: str, hits: int, kind: str) -> None:
    """Each unit rolls its own red dice (area.difesa)."""
    unit = ctx.state.units[name]
    if unit.concealed:
        ctx.cite("nascoste.immunita#immune", N_("{unit} is concealed: not hit"), unit=name)
        return
    if kind == SUPPRESSIVE and is_vehicle(unit):
        ctx.cite("area.veicoli#ignora", N_("{unit}: suppression ignores vehicles"), unit=name)
        return
    if not hits:
        return
    red = ctx.tally(N_("Cover"))
    add_all(red, cover(ctx.state, unit, kind))
    for found in no_help(ctx.state, unit, kind):
        ctx.cite(found)
    add_all(red, armor(unit, covered=bool(red.total)))
    saves = 0
    dice = int(red.total)
    if dice:
        saves = ctx.roll(
            RED * dice,
            successes(SAVE),
            "area.difesa#lancia",
            N_("{unit} rolls {red} red dice"),
            unit=name,
            red=dice,
        )
        if saves < dice and saves < hits:
            saves += thick_armor(ctx, name)
    net = hits - saves
    if net <= 0:
        ctx.cite("attacco.5-nullo#senza-effetto", N_("No effect on {target}"), target=name)
        return
    ctx.cite("area.difesa#colpi", N_("{unit}: {n} hits"), unit=name, n=net)
    suffer(ctx, name, net, kind)
