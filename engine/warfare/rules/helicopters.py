"""Chapter 4: helicopters, low and high; hunting them.

Refs: warfare:elicotteri.*, caccia_elicottero.*, arbitrato.caccia_sei, arbitrato.alta_fumo.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.state.book import rule
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import HEAVY, LIGHT, State, Unit
from engine.warfare.state.tables import BRIDGE, HUNTER, OPEN, WATER, Field

SEPARATE_WEAPONS = "armi_elicotteri"
LOW_TERRAIN = (OPEN, WATER, BRIDGE)


def is_high(field: Field, unit: Unit) -> bool:
    """High over anything but open ground and water, and always in overwatch (elicotteri.alta)."""
    if not unit.is_helicopter:
        return False
    return unit.overwatch or field.terrain[unit.hex] not in LOW_TERRAIN


def cite_altitude(ctx: Ctx[State], target: Unit) -> None:
    """How high a target flies, and what of it: high, terrain does not count (elicotteri.alta)."""
    if not target.is_helicopter:
        return
    if is_high(field_of(ctx.state), target):
        ctx.cite(
            (
                "elicotteri.alta#terreno",
                "elicotteri.alta_overwatch" if target.overwatch else "",
                "elicotteri.alta_bersaglio#difesa",
            ),
            N_("{target} flies high: terrain does not count"),
            target=target.id,
        )
    else:
        ctx.cite(
            ("elicotteri.bassa#terreno", "elicotteri.bassa_bersaglio#solo"),
            N_("{target} flies low, and terrain counts"),
            target=target.id,
        )


def why_not_at_helicopter(field: Field, firer: Unit, weapon: str, target: Unit) -> Iterator[Ruling]:
    """Which weapons reach a helicopter (elicotteri.bassa_bersaglio, elicotteri.alta_bersaglio)."""
    is_sam = weapon == HEAVY and firer.values.sam
    if is_high(field, target):
        if not is_sam:
            ref = "elicotteri.alta_overwatch" if target.overwatch else "elicotteri.alta#esagono"
            yield rule(
                ("elicotteri.alta_bersaglio#soltanto", ref),
                N_("{target} is high: only SAM or CAS reach it"),
                target=target.id,
            )
        return
    if weapon == HEAVY and not is_sam and HUNTER not in firer.values.abilities:
        yield rule(
            (
                "elicotteri.bassa_bersaglio#caccia",
                "fuoco.pesanti#elicottero",
                "caccia_elicottero.abilita#altre",
            ),
            N_("heavy weapons reach a low helicopter only with helicopter hunting"),
            target=target.id,
        )


def why_not_separate_weapons(
    state: State, firer: Unit, weapon: str, target: Unit
) -> Iterator[Ruling]:
    """Optional: at infantry only light, at vehicles only heavy (elicotteri.armi_opzionale)."""
    if not firer.is_helicopter or not state.is_on(SEPARATE_WEAPONS):
        return
    wrong = HEAVY if target.is_infantry else LIGHT if target.is_vehicle else ""
    if weapon == wrong:
        yield rule(
            "elicotteri.armi_opzionale",
            N_("helicopters fire light at infantry and heavy at vehicles"),
            weapon=weapon,
        )


def is_hunting(firer: Unit, weapon: str, target: Unit) -> bool:
    """Whether the ability is needed, and paid, for this shot (caccia_elicottero.costo)."""
    return weapon == HEAVY and target.is_helicopter and not firer.values.sam
