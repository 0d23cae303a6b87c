"""The ASCS dice: nine colours, one die for each roll, modifiers that change the colour.

Refs: warfare:dadi.ordine, dadi.modificatori, dadi.un_dado, dadi.combattimento, dadi.test,
dadi.test_base, arbitrato.limite_colore.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.core.ctx import Ctx, Tally
from engine.core.dice import D8, Dice, Die
from engine.core.rules import Locators
from engine.core.text import N_, Fact
from engine.warfare.state.tables import COLOURS, DICE

MISSED, MORALE, DAMAGE_1, DAMAGE_2, ELIMINATED = (
    N_("missed"),
    N_("morale"),
    N_("damage 1"),
    N_("damage 2"),
    N_("eliminated"),
)
CRITICAL_FAILURE, FAILURE, MARGINAL, SUCCESS, CRITICAL = (
    N_("critical failure"),
    N_("failure"),
    N_("marginal success"),
    N_("success"),
    N_("critical success"),
)

PLACES: Final = MappingProxyType({colour: place for place, colour in enumerate(COLOURS)})
DIE_IDS: Final = ("bianco", "rosa", "grigio", "verde", "giallo", "rosso", "blu", "viola", "nero")
"""How options call the dice, from the worst."""
DICE_BY_COLOUR: Final = tuple(Dice((Die(colour, 6),)) for colour in COLOURS)
SCATTER: Final = Dice((D8,))
D20: Final = Dice((Die("d20", 20),))


def _reading(faces: tuple[str, ...]) -> Callable[[tuple[int, ...]], str]:
    return lambda rolled: faces[rolled[0] - 1]


COMBAT: Final = tuple(_reading(die.combat) for die in DICE.dice)
TEST: Final = tuple(_reading(die.test) for die in DICE.dice)
COMBAT_FACES: Final = tuple(die.combat for die in DICE.dice)
TEST_FACES: Final = tuple(die.test for die in DICE.dice)
MEAN_WEIGHT: Final = tuple(
    sum(DICE.weights[face] for face in die.combat) / len(die.combat) for die in DICE.dice
)


def index(colour: str) -> int:
    """The place of a colour on the ladder, white 0 to black 8."""
    return PLACES[colour]


class Steps(NamedTuple):
    """The rules of a test, step by step: its price, its die, its roll."""

    price: Locators
    die: Locators
    roll: Locators


def clamp(place: int) -> int:
    """A place on the ladder: what goes beyond white or black is lost."""
    return max(0, min(len(COLOURS) - 1, place))


def base_die(ctx: Ctx[Any], colour: str, ref: Locators, msgid: str, /, **facts: Fact) -> Tally:
    """The die to start from; modifiers are added to its place on the ladder (dadi.test_base)."""
    ladder = ctx.tally(N_("colour"))
    ladder.set(index(colour), ref, msgid, colour=colour, **facts)
    return ladder


def final_die(ladder: Tally) -> int:
    """The die after all modifiers (dadi.modificatori, arbitrato.limite_colore)."""
    place = clamp(int(ladder.total))
    if place != ladder.total:
        ladder.set(
            place,
            ("dadi.modificatori#estremi", "arbitrato.limite_colore"),
            N_("no die beyond {colour}"),
            colour=COLOURS[place],
        )
    return place


LARGE_ICONS: Final = MappingProxyType(
    {
        MISSED: "dadi.combattimento#icone/Mancato",
        MORALE: "dadi.combattimento#morale",
        DAMAGE_1: "dadi.combattimento#icone/1 danno",
        DAMAGE_2: "dadi.combattimento#icone/2 danni",
        ELIMINATED: "dadi.combattimento#icone/Eliminato",
    }
)


def combat_roll(ctx: Ctx[Any], die: int, ref: Locators, msgid: str, /, **facts: Fact) -> str:
    """One die, large icons (dadi.combattimento, dadi.un_dado)."""
    ctx.cite(
        ("dadi.modificatori#somma", "dadi.un_dado"), N_("one {colour} die"), colour=COLOURS[die]
    )
    result = ctx.roll(DICE_BY_COLOUR[die], COMBAT[die], ref, msgid, **facts)
    ctx.cite(LARGE_ICONS[result], N_("result: {result}"), result=result)
    return result


def test_roll(ctx: Ctx[Any], die: int, ref: Locators, msgid: str, /, **facts: Fact) -> str:
    """One die, small icons (dadi.test, dadi.un_dado)."""
    ctx.cite(("dadi.test_base", "dadi.un_dado"), N_("one {colour} die"), colour=COLOURS[die])
    result = ctx.roll(DICE_BY_COLOUR[die], TEST[die], ref, msgid, **facts)
    ctx.cite("dadi.test#piccola", N_("result: {result}"), result=result)
    return result


def without_marginal_row(result: str) -> str:
    """A table without rows of its own for them: marginal as success (arbitrato.sm_come_s)."""
    return SUCCESS if result == MARGINAL else result
