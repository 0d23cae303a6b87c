"""What the player sees, believes and may not know."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.core.index import indexed
from engine.core.rules import Side
from engine.core.text import N_, Fact, Msg, msg
from engine.core.title import Pick
from engine.core.view import CounterView, Hand, Mark, Track, View
from engine.ddob.rules.choosing import spot
from engine.ddob.rules.communication import is_in_play
from engine.ddob.rules.reveal import ticket_fits
from engine.ddob.state.book import US
from engine.ddob.state.ground import BOARD, HEX, OBSTACLES
from engine.ddob.state.state import UNSEEN, German, State, Unit, name_of
from engine.ddob.state.tables import CARDS, CHARTS, POSITION_AT, UNITS, tide

replace = msgspec.structs.replace
DE = "de"


class OmahaView(View, frozen=True):
    """The table with all that the player may know: `known` is the belief, without secrets."""

    known: State | None = None


def view(state: State, side: Side) -> OmahaView:
    """The table from the American chair."""
    counters = [us_counter(u) for u in state.units.values() if u.at not in ("out", "lost")]
    counters += [german_counter(g) for g in state.germans.values()]
    counters += [
        CounterView(
            name,
            US,
            "base",
            msg(N_("Engineer base {base}"), base=name),
            HEX[base.hex],
            strength=str(CHARTS.engineer_range.ranges[base.space - 1]),
        )
        for name, base in state.bases.items()
    ]
    return OmahaView(
        side,
        msg(state.phase),
        BOARD,
        tuple(counters),
        marks(state),
        tracks(state),
        (Hand(DE, msg(N_("Cards on the track")), len(state.track), state.track),),
        known=belief(state),
    )


@lru_cache(maxsize=2048)
def us_counter(u: Unit) -> CounterView:
    """A US unit or leader."""
    data = UNITS[u.id]
    flags = (
        (N_("in disorder"), u.disrupted),
        (N_("acted"), u.acted),
        (N_("climb"), u.climb == "climb"),
        (N_("climb cliff"), u.climb == "climb cliff"),
        (N_("hero"), bool(u.hero) and not u.inspired),
        (N_("inspired"), u.inspired),
        (N_("wounded"), u.wounded),
        (N_("command post"), bool(u.space)),
        (N_("command transfer"), u.command != data.division),
    )
    facts: dict[str, Fact] = {
        "symbol": u.symbol,
        "steps": u.steps,
        "division": data.division,
        "command": u.command,
        "range": u.range if data.full else 0,
        "due": u.due,
    }
    if u.hero:
        facts["hero"] = u.hero
    where = "" if u.at in HEX else u.at
    strength = f"{u.strength}" if data.full else ""
    states = tuple(name for name, on in flags if on)
    return CounterView(u.id, US, data.type, Msg(u.id), spot(u.at), where, strength, states, facts)


@lru_cache(maxsize=2048)
def german_counter(g: German) -> CounterView:
    """A German unit: its face only once it has been seen."""
    known = bool(g.unit)
    flags = (
        (N_("hidden"), not g.shown),
        (N_("in disorder"), g.disrupted),
        (N_("depth marker"), bool(g.depth)),
        (N_("depth revealed"), g.depth_shown),
    )
    facts: dict[str, Fact] = {"kind": "reinforcement" if g.kind in "TDmixed" else g.kind}
    position = POSITION_AT.get(g.hex)
    if position is not None:
        facts["position"] = name_of(g.hex)
        facts["colour"] = position.colour
    if known:
        facts["unit"] = g.unit
        facts["weapons"] = g.data.weapons
    if g.depth and g.depth != UNSEEN:
        facts["depth"] = g.depth
    if g.depth:
        facts["depth kind"] = g.depth_kind
    strength = str(g.data.strength) if known else "?"
    states = tuple(name for name, on in flags if on)
    label = msg(N_("German unit in {position}"), position=name_of(g.hex))
    return CounterView(f"de:{g.hex}", DE, g.kind, label, HEX[g.hex], "", strength, states, facts)


def marks(state: State) -> dict[str, tuple[Mark, ...]]:
    """Obstacles, garrisons, empty German positions and smoke, by printed hex."""
    found: dict[str, tuple[Mark, ...]] = {}

    def put(label: str, mark: Mark) -> None:
        found[label] = (*found.get(label, ()), mark)

    for label in OBSTACLES:
        put(label, Mark(N_("cleared") if label in state.cleared else N_("obstacle")))
    for label in state.garrisons:
        put(label, Mark(N_("garrison"), US))
    for label in POSITION_AT:
        if label not in state.germans and is_in_play(state, label):
            put(label, Mark(N_("empty position"), None, name_of(label)))
    for name in state.notes.get("smoke", "").split():
        for label, position in POSITION_AT.items():
            if position.id == name:
                put(label, Mark(N_("smoke")))
    return found


def tracks(state: State) -> tuple[Track, ...]:
    """Turn, tide, actions, losses, naval markers and boxes."""
    names = {
        "T": N_("Tactical reinforcements"),
        "D": N_("Divisional reinforcements"),
        "M": N_("Kampfgruppe Meyer"),
        "wn depth": N_("WN depth markers"),
        "building": N_("Building depth markers"),
        "mobile": N_("Mobile depth markers"),
    }
    found = [
        Track("turn", msg(N_("Turn, {tide}"), tide=tide(state.turn)), state.turn, state.last_turn),
        Track("actions", msg(N_("Actions left")), state.actions, side=US),
        Track("losses 1", msg(N_("Losses of the 1st division")), len(state.losses["1"])),
        Track("losses 29", msg(N_("Losses of the 29th division")), len(state.losses["29"])),
        Track("naval", msg(N_("Naval fire markers")), state.naval, side=US),
        Track("deck", msg(N_("Cards in the deck")), state.deck.total, len(CARDS)),
    ]
    found += [
        Track(name, msg(label), state.boxes.get(name, 0), side=DE) for name, label in names.items()
    ]
    return tuple(found)


# Belief and secrets


def believed_ticket(german: German) -> German:
    """A unit of the Divisional box as far as anybody knows."""
    if german.kind != "D":
        return german
    return replace(german, ticket="" if german.unit else UNSEEN)


def belief(state: State) -> State:
    """The state without what the Divisional box hides."""
    germans, tickets = _believed(state.germans, state.tickets)
    return replace(state, believed=True, germans=germans, tickets=tickets)


@indexed()
def _believed(
    germans: dict[str, German], tickets: dict[str, int]
) -> tuple[dict[str, German], dict[str, int]]:
    divisional = [g for g in germans.values() if g.kind == "D"]
    if not divisional:
        return germans, tickets
    pool = dict(tickets)
    for german in divisional:
        if not german.unit and german.ticket != UNSEEN:
            pool[german.ticket] = pool.get(german.ticket, 0) + 1
    return {h: believed_ticket(g) for h, g in germans.items()}, dict(sorted(pool.items()))


def redeal(state: State, pick: Pick) -> State:
    """Tickets exchanged between face-down units and the Divisional box, where they fit."""
    hidden = [
        g
        for g in state.germans.values()
        if g.kind == "D" and not g.unit and g.ticket not in ("", UNSEEN)
    ]
    if not hidden:
        return state
    box = [t for t, n in state.tickets.items() for _ in range(n)]
    germans = dict(state.germans)
    for german in hidden:
        others = [g for g in hidden if g.hex != german.hex]
        spots = len(box) + len(others)
        if not spots:
            continue
        mine = germans[german.hex].ticket
        chosen = pick(spots)
        if chosen < len(box):
            theirs = box[chosen]
            if ticket_fits(state, theirs, german.born):
                box[chosen] = mine
                germans[german.hex] = replace(germans[german.hex], ticket=theirs)
            continue
        other = others[chosen - len(box)]
        theirs = germans[other.hex].ticket
        if ticket_fits(state, theirs, german.born) and ticket_fits(state, mine, other.born):
            germans[german.hex] = replace(germans[german.hex], ticket=theirs)
            germans[other.hex] = replace(germans[other.hex], ticket=mine)
    counts: dict[str, int] = {}
    for ticket in sorted(box):
        counts[ticket] = counts.get(ticket, 0) + 1
    return replace(state, germans=germans, tickets=counts)
