"""The deck: 2.3, 2.1.carte-fasi, 4.vi."""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.core.text import N_
from engine.ddob.state.events import Drew, Shuffled
from engine.ddob.state.state import State
from engine.ddob.state.tables import CARDS, Card

USES = (
    N_("landing east"),
    N_("landing west"),
    N_("event"),
    N_("event 2"),
    N_("fire east"),
    N_("fire west"),
    N_("infiltration"),
    N_("barrage"),
    N_("naval fire"),
    N_("naval fire 2"),
    N_("bombardment 1"),
    N_("bombardment 2"),
)
"""What a card may be drawn for; the track remembers it by this name."""


def draw_card(ctx: Ctx[State], use: str, ref: str | tuple[str, ...]) -> Card:
    """A card for one of its three parts; it stays on the track until the turn ends (2.3)."""
    if not ctx.state.deck.items:
        ctx.do(Shuffled(), ("4.vi#rimescola", "casa.48"))
    name = ctx.draw(ctx.state.deck, ref, N_("A card for {use}"), use=use)
    ctx.do(Drew(card=name, use=use), ref)
    return CARDS[name]
