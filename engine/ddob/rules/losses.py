"""Losses of US units: 6.32, 6.33, 11.14, 11.15, 13.1, 13.11, 20.1."""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.text import N_
from engine.ddob.state.book import US
from engine.ddob.state.events import (
    CommandPost,
    Delayed,
    Died,
    Disrupted,
    Ended,
    HeroFell,
    LossNoted,
    LostStep,
    Removed,
    Wounded,
)
from engine.ddob.state.state import State, is_extended
from engine.ddob.state.tables import LEADERS, UNITS

CATASTROPHE = "13.1"
LOSS_LIMIT, EXTENDED_LOSS_LIMIT = 8, 14


class GameOver(Exception):
    """The game was decided in the middle of a procedure; nothing else happens."""


def lose_step(ctx: Ctx[State], name: str, ref: str | tuple[str, ...], by_fire: bool = True) -> bool:
    """A unit loses a step, or its hero for it; whether it is still in play (6.32).

    `ref` is what costs it; how German fire takes a step is 6.32.
    """
    unit = ctx.state.units[name]
    refs = (ref,) if isinstance(ref, str) else ref
    if unit.steps > 1:
        ctx.do(LostStep(unit=name), (*refs, "6.32#gira" if by_fire else ""))
        if unit.steps == 2:
            note_loss(ctx, name)
        return True
    if by_fire and unit.hero and not unit.inspired and spares(ctx, name, refs):
        return True
    eliminate(ctx, name, (*refs, "6.32#eliminata" if by_fire else ""))
    return False


def spares(ctx: Ctx[State], name: str, cause: tuple[str, ...]) -> bool:
    """The hero may die in place of the last step that something costs (11.14)."""
    choices: list[Choice[bool]] = [
        button("sacrifica", True, N_("The hero falls, {unit} lives."), unit=name),
        button("elimina", False, N_("{unit} is eliminated with its hero."), unit=name),
    ]
    if not ctx.choose(
        "losses.hero",
        US,
        choices,
        "11.14#sacrifica",
        N_("Sacrifice the hero of {unit}?"),
        unit=name,
    ):
        return False
    ctx.do(HeroFell(unit=name), ("11.14#sacrifica", "11.15", *cause))
    return True


def eliminate(ctx: Ctx[State], name: str, ref: str | tuple[str, ...]) -> None:
    """A unit leaves the game as a loss."""
    steps = ctx.state.units[name].steps
    ctx.do(Died(unit=name), ref)
    if steps > 1:
        note_loss(ctx, name)


def loss_limit(state: State) -> int:
    """The losses of one division that end the game (13.1, 20.1)."""
    return EXTENDED_LOSS_LIMIT if is_extended(state) else LOSS_LIMIT


def note_loss(ctx: Ctx[State], name: str) -> None:
    """Regular infantry down to its last step goes to the loss box of its own division (13.1)."""
    data = UNITS[name]
    division = data.division
    if data.type != "infantry" or name in ctx.state.losses[division]:
        if data.type != "infantry":
            ctx.cite("13.11", N_("{unit} never counts for the catastrophe."), unit=name)
        return
    ctx.do(
        LossNoted(unit=name, division=division),
        ("13.1#metti" if ctx.state.units[name].steps else "13.1#di-colpo", "casa.55"),
    )
    lost, limit = len(ctx.state.losses[division]), loss_limit(ctx.state)
    if lost >= limit:
        ctx.do(
            Ended(degree="decisive defeat", points=0, why=CATASTROPHE),
            ("13.1#perdi", "20.1#perdi") if ctx.state.last_turn > 16 else ("13.1#perdi", "13"),
            N_("Division {division}: {n} losses of {limit}. Decisive defeat."),
            division=division,
            n=lost,
            limit=limit,
        )
        raise GameOver


def disrupt(ctx: Ctx[State], name: str, ref: str | tuple[str, ...]) -> None:
    """A unit is disrupted; a second marker has no effect (6.33)."""
    unit = ctx.state.units[name]
    if unit.disrupted:
        ctx.cite("6.33#seconda", N_("{unit} is disrupted already."), unit=name)
    else:
        ctx.do(Disrupted(unit=name), ref)


def hit_leader(ctx: Ctx[State], name: str) -> None:
    """What happens to a leader hit by German fire (11.4, 18.33)."""
    unit = ctx.state.units[name]
    kind = UNITS[name].type
    if kind not in LEADERS:
        ctx.do(HeroFell(unit=name), ("11.4#colpito/eroe", "11.15"))
    elif unit.space:
        ctx.do(CommandPost(unit=name, space=0), "18.33#torna")
    elif kind == "HQ":
        ctx.do(Delayed(unit=name, turn=ctx.state.turn + 2), "11.4#colpito/HQ")
    elif unit.wounded:
        ctx.do(Removed(unit=name), "11.4#colpito/generale già ferito")
    else:
        ctx.do(Wounded(unit=name), "11.4#colpito/generale illeso")
