"""Headquarters and play area: which cards are in force, and for whom.

Refs: preparazione.aree, strategia.area-di-gioco, strategia.tipi, squadre-gioco.carte.
"""

from __future__ import annotations

from engine.core.rules import Side
from engine.toi.state import tables
from engine.toi.state.state import State, Unit
from engine.toi.state.tables import StrategyCard
from engine.toi.state.units import is_team, nation_of, seat_of

MODIFIES_CARDS = ("cheaper_cards", "easier_contact", "reroll_drift", "forward_observer")


def lasting_for(state: State, seat: Side, effect: str, trigger: str = "") -> StrategyCard | None:
    """A lasting card in force for a player; in teams, for who played it (squadre-gioco.carte)."""
    side = nation_of(state, seat)
    for played in state.armies[side].area:
        card = tables.CARDS[played.card]
        if card.effect.id != effect or not card.lasting or card.effect.trigger != trigger:
            continue
        if played.seat == seat or not is_team(state, side) or effect in MODIFIES_CARDS:
            return card
    return None


def lasting(state: State, unit: Unit, effect: str, trigger: str = "") -> StrategyCard | None:
    """A lasting card in force for a unit."""
    if not state.armies[unit.side].area:
        return None
    return lasting_for(state, seat_of(state, unit), effect, trigger)


def cost_of(state: State, seat: Side, name: str) -> int:
    """What a card costs now: other cards of a family may be cheaper (strategia.tipi)."""
    card = tables.CARDS[name]
    cost = card.cost
    for other in cheapening(state, seat, card):
        cost -= other.effect.n
    return max(0, cost)


def cheapening(state: State, seat: Side, card: StrategyCard) -> list[StrategyCard]:
    """The cards in play that lower what a card costs (strategia.tipi)."""
    area = state.armies[nation_of(state, seat)].area
    family = tables.DECKS[card.deck].family if area else ""
    others = [tables.CARDS[played.card] for played in area if played.card != card.id]
    return [
        other
        for other in others
        if other.effect.id == "cheaper_cards" and other.effect.family == family
    ]
