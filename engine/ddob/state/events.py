"""Every change of the table. `reduce` writes what an event says and knows no rule."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec

from engine.core.rules import Event, RuleBug
from engine.core.text import N_, NP_
from engine.ddob.state.state import CLIFF, EXIT, LOST, OUT, TRACK, UNSEEN, Base, German, State, Unit

replace = msgspec.structs.replace
S = TypeVar("S", bound=msgspec.Struct)


# The deck and the clock


class Drew(Event, frozen=True):
    """A card came up and lies on the card track (2.1.carte-fasi)."""

    says: ClassVar[str] = N_("Card {card}: {use}")
    reveals: ClassVar[bool] = True
    card: str
    use: str


class Shuffled(Event, frozen=True):
    """The discards went back into the deck."""

    says: ClassVar[str] = N_("The discards are shuffled into the deck.")


class Discarded(Event, frozen=True):
    """The cards of the track were discarded."""

    says: ClassVar[str] = N_("The cards of the turn are discarded.")


class PhaseBegan(Event, frozen=True):
    """Another phase."""

    says: ClassVar[str] = N_("Phase: {phase}")
    phase: str


class TurnBegan(Event, frozen=True):
    """The turn marker moved on."""

    says: ClassVar[str] = N_("Turn {turn}")
    turn: int


class Ended(Event, frozen=True):
    """The game is decided."""

    says: ClassVar[str] = N_("{points} victory points: {degree}")
    degree: str
    points: int
    why: str


class Queued(Event, frozen=True):
    """Positions that still have to act, in order."""

    says: ClassVar[str] = NP_("One position may act.", "{n} positions may act.")
    n: int
    queue: tuple[str, ...]


class Noted(Event, frozen=True):
    """Something that holds until the end of the turn."""

    says: ClassVar[str] = N_("{key}: {value}")
    key: str
    value: str = "si"


class BatteriesTurned(Event, frozen=True):
    """Off-map batteries were turned to their inactive side, or back (6.51)."""

    says: ClassVar[str] = NP_(
        "One off-map battery is inactive.", "{n} off-map batteries are inactive."
    )
    n: int
    batteries: tuple[str, ...]


class Linked(Event, frozen=True):
    """The positions in German communication, fixed for the phase (12.24)."""

    says: ClassVar[str] = NP_(
        "One position is in German communication.",
        "{n} positions are in German communication.",
    )
    n: int
    hexes: tuple[str, ...]


# US units


class Placed(Event, frozen=True):
    """A unit was put in a landing box or in a hex."""

    says: ClassVar[str] = N_("{unit} is placed in {at}.")
    unit: str
    at: str


class Drifted(Event, frozen=True):
    """A unit drifted to another box."""

    says: ClassVar[str] = N_("{unit} drifts to {at}.")
    unit: str
    at: str


class Checked(Event, frozen=True):
    """A unit was checked by the landing card of a sector."""

    says: ClassVar[str] = N_("{unit} has made its landing check.")
    unit: str
    sector: str


class Delayed(Event, frozen=True):
    """A unit went back to the turn track."""

    says: ClassVar[str] = N_("{unit} is delayed to turn {turn}.")
    unit: str
    turn: int


class Landed(Event, frozen=True):
    """A unit went ashore."""

    says: ClassVar[str] = N_("{unit} lands in {hex}.")
    unit: str
    hex: str


class Transferred(Event, frozen=True):
    """A unit passed under the other division."""

    says: ClassVar[str] = N_("{unit} is now under division {division}.")
    unit: str
    division: str


class Moved(Event, frozen=True):
    """A unit moved one hex."""

    says: ClassVar[str] = N_("{unit} moves to {hex}.")
    unit: str
    hex: str


class Exited(Event, frozen=True):
    """A unit left the map by an exit."""

    says: ClassVar[str] = N_("{unit} leaves the map by exit {exit}.")
    unit: str
    exit: str


class LostStep(Event, frozen=True):
    """A unit lost a step and lives."""

    says: ClassVar[str] = N_("{unit} loses a step.")
    unit: str


class Died(Event, frozen=True):
    """A unit was eliminated."""

    says: ClassVar[str] = N_("{unit} is eliminated.")
    unit: str


class Removed(Event, frozen=True):
    """A unit left the game without being a loss."""

    says: ClassVar[str] = N_("{unit} is out of the game.")
    unit: str


class LossNoted(Event, frozen=True):
    """A full-strength counter went to the loss box of a division."""

    says: ClassVar[str] = N_("{unit} goes to the loss box of division {division}.")
    unit: str
    division: str


class LossTaken(Event, frozen=True):
    """A counter came back from the loss box."""

    says: ClassVar[str] = N_("{unit} leaves the loss box of division {division}.")
    unit: str
    division: str


class GainedStep(Event, frozen=True):
    """A unit recovered a step."""

    says: ClassVar[str] = N_("{unit} recovers a step.")
    unit: str


class Disrupted(Event, frozen=True):
    """A unit was disrupted."""

    says: ClassVar[str] = N_("{unit} is disrupted.")
    unit: str


class Rallied(Event, frozen=True):
    """A unit removed its disruption."""

    says: ClassVar[str] = N_("{unit} removes its disruption.")
    unit: str


class Hit(Event, frozen=True):
    """A unit has lost its step of this fire phase."""

    says: ClassVar[str] = N_("{unit} can lose no other step in this phase.")
    unit: str


class Climbing(Event, frozen=True):
    """A climb marker was put, turned or removed."""

    says: ClassVar[str] = N_("{unit}: climb marker {marker}")
    unit: str
    marker: str = ""
    hex: str = ""


class Acted(Event, frozen=True):
    """A unit used its action of the turn."""

    says: ClassVar[str] = N_("{unit} has acted.")
    unit: str


class Paid(Event, frozen=True):
    """A division spent one of its actions."""

    says: ClassVar[str] = N_("Division {division} spends an action.")
    division: str


class HeroCame(Event, frozen=True):
    """A hero joined a unit."""

    says: ClassVar[str] = N_("{hero} leads {unit}.")
    unit: str
    hero: str


class HeroFell(Event, frozen=True):
    """A hero died and his unit is inspired."""

    says: ClassVar[str] = N_("{unit} loses its hero and is inspired.")
    unit: str


class Wounded(Event, frozen=True):
    """A general was wounded."""

    says: ClassVar[str] = N_("{unit} is wounded.")
    unit: str


class CommandPost(Event, frozen=True):
    """An HQ became a command post, its marker advanced, or it is an HQ again."""

    says: ClassVar[str] = N_("{unit}: command range space {space}")
    unit: str
    space: int


# The US action phase


class ActionsBegan(Event, frozen=True):
    """Command is fixed and markers of the last phase are gone."""

    says: ClassVar[str] = NP_("One unit is under command.", "{n} units are under command.")
    n: int
    commanded: dict[str, tuple[str, ...]]


class DivisionBegan(Event, frozen=True):
    """A division acts."""

    says: ClassVar[str] = N_("Division {division} has {actions} actions.")
    division: str
    actions: int


class DivisionDone(Event, frozen=True):
    """A division has finished."""

    says: ClassVar[str] = N_("Division {division} has finished.")
    division: str


class LeaderMoved(Event, frozen=True):
    """A leader moved and gives no more free actions."""

    says: ClassVar[str] = N_("{unit} gives no more free actions in this phase.")
    unit: str


class Attacked(Event, frozen=True):
    """A German hex was attacked in this phase."""

    says: ClassVar[str] = N_("{hex} has been attacked.")
    hex: str


class Barraged(Event, frozen=True):
    """A German hex was barraged in this phase."""

    says: ClassVar[str] = N_("{hex} has been barraged.")
    hex: str


class NavalMarker(Event, frozen=True):
    """A naval fire marker was gained or spent."""

    says: ClassVar[str] = N_("Naval fire markers: {n}")
    n: int


# Germans


class GermanPlaced(Event, frozen=True):
    """A German unit appeared, as its back shows it."""

    says: ClassVar[str] = N_("A German unit ({kind}) appears in {hex}.")
    hex: str
    kind: str
    box: str = ""


class Ticketed(Event, frozen=True):
    """Where in the Divisional box a face-down unit came from."""

    says: ClassVar[str] = N_("{hex}: {ticket}")
    hex: str
    ticket: str


class DepthPlaced(Event, frozen=True):
    """A face-down depth marker was put under a unit."""

    says: ClassVar[str] = N_("A depth marker ({kind}) goes under {hex}.")
    hex: str
    kind: str


class UnitShown(Event, frozen=True):
    """A German unit was turned up."""

    says: ClassVar[str] = N_("{hex}: the unit is {unit}.")
    reveals: ClassVar[bool] = True
    hex: str
    unit: str
    pool: str = ""


class DepthShown(Event, frozen=True):
    """A depth marker was turned up."""

    says: ClassVar[str] = N_("{hex}: the depth marker is {depth}.")
    reveals: ClassVar[bool] = True
    hex: str
    depth: str


class Reoccupied(Event, frozen=True):
    """An eliminated WN unit came back, face up and silent (16.1)."""

    says: ClassVar[str] = N_("{unit} holds {hex} again.")
    hex: str
    unit: str


class HiddenAgain(Event, frozen=True):
    """A German unit was turned face down."""

    says: ClassVar[str] = N_("{hex}: the unit is hidden again.")
    hex: str


class DepthGone(Event, frozen=True):
    """A depth marker left the map: out of the game, or back to its box."""

    says: ClassVar[str] = N_("{hex}: the depth marker leaves the map.")
    hex: str
    to: str = "out"


class GermanDisrupted(Event, frozen=True):
    """A German unit was disrupted."""

    says: ClassVar[str] = N_("{hex}: the German unit is disrupted.")
    hex: str


class GermanRecovered(Event, frozen=True):
    """A German unit is no longer disrupted."""

    says: ClassVar[str] = N_("{hex}: the German unit recovers.")
    hex: str


class GermanGone(Event, frozen=True):
    """A German unit left the map: dead, out of the game, or back to the Divisional box."""

    says: ClassVar[str] = N_("{hex}: the German unit leaves the map ({to}).")
    hex: str
    to: str


class GermanMoved(Event, frozen=True):
    """A German unit moved with its depth marker."""

    says: ClassVar[str] = N_("The German unit in {hex} goes to {to}.")
    hex: str
    to: str


class Silenced(Event, frozen=True):
    """A German unit does not fire in this phase."""

    says: ClassVar[str] = N_("{hex} does not fire in this phase.")
    hex: str


class MeyerFreed(Event, frozen=True):
    """Units of Kampfgruppe Meyer went to the Divisional box."""

    says: ClassVar[str] = N_("{units} units and {depth} depth markers of Kampfgruppe Meyer.")
    units: int
    depth: int
    ticket: str


class MobileReturned(Event, frozen=True):
    """Eliminated mobile depth markers came back, once (22.4)."""

    says: ClassVar[str] = NP_("A mobile depth marker returns.", "{n} mobile depth markers return.")
    n: int


class RocketsFired(Event, frozen=True):
    """The rockets of WN69 have fired."""

    says: ClassVar[str] = N_("The rockets have fired.")


class RoadEnd(Event, frozen=True):
    """German tanks reached the end of their road."""

    says: ClassVar[str] = N_("{hex}: the tanks are at the end of the road.")
    hex: str


# Engineers


class Cleared(Event, frozen=True):
    """An obstacle hex was cleared."""

    says: ClassVar[str] = N_("{hex} is cleared.")
    hex: str


class BasePlaced(Event, frozen=True):
    """An engineer base was set up."""

    says: ClassVar[str] = N_("Engineer base {base} in {hex}.")
    base: str
    hex: str


class BaseAdvanced(Event, frozen=True):
    """The range of an engineer base grew by a space."""

    says: ClassVar[str] = N_("Engineer base {base}: the range marker advances.")
    base: str


class BaseSettled(Event, frozen=True):
    """A division has done its engineer operation of the turn."""

    says: ClassVar[str] = N_("The engineers of division {division} are done.")
    division: str


class Garrisoned(Event, frozen=True):
    """A garrison was put on an empty German position."""

    says: ClassVar[str] = N_("A garrison holds {hex}.")
    hex: str


class GarrisonLost(Event, frozen=True):
    """A garrison was removed."""

    says: ClassVar[str] = N_("The garrison of {hex} is removed.")
    hex: str


class Opened(Event, frozen=True):
    """Hexes that engineers have reached at least once."""

    says: ClassVar[str] = NP_("Engineers have opened a hex.", "Engineers have opened {n} hexes.")
    n: int
    hexes: tuple[str, ...]


def plus(counts: dict[str, int], key: str, n: int) -> dict[str, int]:
    """Counts after a change; what falls to zero stays as zero."""
    return {**counts, key: counts.get(key, 0) + n}


def taken(counts: dict[str, int], key: str) -> dict[str, int]:
    """Counts after one was taken; a key with none left goes away."""
    left = counts.get(key, 0) - 1
    rest = {k: n for k, n in counts.items() if k != key}
    if left > 0:
        rest[key] = left
    return dict(sorted(rest.items()))


def reduce(state: State, event: Any) -> State:
    """The state after an event."""
    writer = _WRITERS.get(type(event))
    if writer is None:
        raise RuleBug(f"no state after {event}")
    found: State = writer(state, event)
    return found


def _unit(state: State, name: str, **changes: Any) -> State:
    unit = replace(state.units[name], **changes)
    return replace(state, units={**state.units, name: unit})


def _german(state: State, label: str, **changes: Any) -> State:
    german = replace(state.germans[label], **changes)
    return replace(state, germans={**state.germans, label: german})


def _drew(s: State, e: Drew) -> State:
    cards = {**s.cards, e.use: e.card}
    return replace(s, deck=s.deck.minus(e.card), track=(*s.track, e.card), cards=cards)


def _shuffled(s: State, _e: Shuffled) -> State:
    return replace(s, deck=s.deck.plus(s.discards), discards=())


def _discarded(s: State, _e: Discarded) -> State:
    return replace(s, discards=(*s.discards, *s.track), track=(), cards={}, notes={})


def _ended(s: State, e: Ended) -> State:
    return replace(s, degree=e.degree, points=e.points, why=e.why)


def _died(s: State, e: Died) -> State:
    gone = Unit(e.unit, LOST, s.units[e.unit].command)
    return replace(s, units={**s.units, e.unit: gone})


def _removed(s: State, e: Removed) -> State:
    return _unit(s, e.unit, at=OUT, hero="", inspired=False)


def _loss(s: State, e: LossNoted) -> State:
    box = (*s.losses[e.division], e.unit)
    return replace(s, losses={**s.losses, e.division: box})


def _loss_taken(s: State, e: LossTaken) -> State:
    box = tuple(name for name in s.losses[e.division] if name != e.unit)
    return replace(s, losses={**s.losses, e.division: box})


def _exited(s: State, e: Exited) -> State:
    record = (e.unit, s.units[e.unit].steps, e.exit)
    return replace(_unit(s, e.unit, at=f"{EXIT} {e.exit}"), exited=(*s.exited, record))


def _actions_began(s: State, e: ActionsBegan) -> State:
    return replace(
        s, commanded=e.commanded, moved_leaders=(), attacked=(), barraged=(), done=(), division=""
    )


def _division_done(s: State, e: DivisionDone) -> State:
    return replace(s, division="", done=(*s.done, e.division), actions=0)


def _german_placed(s: State, e: GermanPlaced) -> State:
    boxes = plus(s.boxes, e.box, -1) if e.box else s.boxes
    german = German(e.hex, e.kind, born=s.births + 1)
    armor = s.armor_entered + (e.kind == "armor")
    germans = {**s.germans, e.hex: german}
    return replace(s, germans=germans, births=s.births + 1, boxes=boxes, armor_entered=armor)


def _ticketed(s: State, e: Ticketed) -> State:
    return _german(
        replace(s, tickets=taken(s.tickets, e.ticket)) if e.ticket != UNSEEN else s,
        e.hex,
        ticket=e.ticket,
    )


def _depth_placed(s: State, e: DepthPlaced) -> State:
    drawn = replace(s, boxes=plus(s.boxes, e.kind, -1))
    return _german(drawn, e.hex, depth=UNSEEN, depth_kind=e.kind, depth_shown=False)


def _unit_shown(s: State, e: UnitShown) -> State:
    if e.pool:
        unseen = {**s.unseen, e.pool: s.unseen[e.pool].minus(e.unit)}
        if s.germans[e.hex].kind == "mixed":
            unseen["mixed"] = s.unseen["mixed"].minus(e.pool)
        s = replace(s, unseen=unseen)
    return _german(s, e.hex, unit=e.unit, shown=True)


def _depth_shown(s: State, e: DepthShown) -> State:
    german = s.germans[e.hex]
    if german.depth == UNSEEN:
        kind = german.depth_kind
        s = replace(s, unseen={**s.unseen, kind: s.unseen[kind].minus(e.depth)})
    return _german(s, e.hex, depth=e.depth, depth_shown=True)


def _depth_gone(s: State, e: DepthGone) -> State:
    german = s.germans[e.hex]
    kind, name = german.depth_kind, german.depth
    if e.to == "box":
        s = replace(s, boxes=plus(s.boxes, kind, 1))
        if name != UNSEEN:
            s = replace(s, unseen={**s.unseen, kind: s.unseen[kind].plus((name,))})
    elif kind == "mobile":
        s = replace(s, dead_mobile=plus(s.dead_mobile, name, 1))
    return _german(s, e.hex, depth="", depth_kind="", depth_shown=False)


def _german_gone(s: State, e: GermanGone) -> State:
    german = s.germans[e.hex]
    germans = {h: g for h, g in s.germans.items() if h != e.hex}
    s = replace(s, germans=germans)
    if e.to == "division":
        tickets = dict(sorted(plus(s.tickets, german.unit, 1).items()))
        since = {**s.since, german.unit: s.births}
        boxes = plus(s.boxes, "D", 1)
        return replace(s, tickets=tickets, since=since, boxes=boxes)
    if e.to == "eliminated" and german.kind == "wn":
        return replace(s, dead_wn=dict(sorted(plus(s.dead_wn, german.unit, 1).items())))
    return s


def _reoccupied(s: State, e: Reoccupied) -> State:
    german = German(e.hex, "wn", e.unit, shown=True, silent=True, born=s.births + 1)
    germans = {**s.germans, e.hex: german}
    return replace(s, germans=germans, births=s.births + 1, dead_wn=taken(s.dead_wn, e.unit))


def _german_moved(s: State, e: GermanMoved) -> State:
    germans = {h: g for h, g in s.germans.items() if h != e.hex}
    germans[e.to] = replace(s.germans[e.hex], hex=e.to)
    return replace(s, germans=germans)


def _meyer(s: State, e: MeyerFreed) -> State:
    boxes = plus(plus(s.boxes, "M", -e.units), "D", e.units)
    boxes = plus(plus(boxes, "meyer", -e.depth), "mobile", e.depth)
    tickets = dict(sorted(plus(s.tickets, e.ticket, e.units).items()))
    return replace(s, boxes=boxes, tickets=tickets, since={**s.since, e.ticket: s.births})


def _mobile_returned(s: State, e: MobileReturned) -> State:
    known = [name for name, n in s.dead_mobile.items() if name != UNSEEN for _ in range(n)]
    pool = s.unseen["mobile"].plus(known)
    return replace(
        s,
        boxes=plus(s.boxes, "mobile", e.n),
        unseen={**s.unseen, "mobile": pool},
        dead_mobile={},
        mobile_returned=True,
    )


def _base_advanced(s: State, e: BaseAdvanced) -> State:
    base = s.bases[e.base]
    return replace(s, bases={**s.bases, e.base: Base(base.hex, base.space + 1)})


def _garrison_lost(s: State, e: GarrisonLost) -> State:
    return replace(s, garrisons=tuple(h for h in s.garrisons if h != e.hex))


def _opened(s: State, e: Opened) -> State:
    return replace(s, opened=tuple(sorted({*s.opened, *e.hexes})))


def _hero_came(s: State, e: HeroCame) -> State:
    left = tuple(name for name in s.heroes if name != e.hero)
    return replace(_unit(s, e.unit, hero=e.hero, inspired=False), heroes=left)


_WRITERS: dict[type[Event], Any] = {
    Drew: _drew,
    Shuffled: _shuffled,
    Discarded: _discarded,
    PhaseBegan: lambda s, e: replace(s, phase=e.phase),
    TurnBegan: lambda s, e: replace(s, turn=e.turn),
    Ended: _ended,
    Queued: lambda s, e: replace(s, queue=e.queue),
    Noted: lambda s, e: replace(s, notes={**s.notes, e.key: e.value}),
    BatteriesTurned: lambda s, e: replace(s, inactive=e.batteries),
    Linked: lambda s, e: replace(s, linked=e.hexes),
    Placed: lambda s, e: _unit(s, e.unit, at=e.at, due=0),
    Drifted: lambda s, e: _unit(s, e.unit, at=e.at),
    Checked: lambda s, e: _unit(s, e.unit, checked=e.sector),
    Delayed: lambda s, e: _unit(s, e.unit, at=TRACK, due=e.turn, delayed=True, space=0, checked=""),
    Landed: lambda s, e: _unit(s, e.unit, at=e.hex, checked="", acted=False),
    Transferred: lambda s, e: _unit(s, e.unit, command=e.division),
    Moved: lambda s, e: _unit(s, e.unit, at=e.hex),
    Exited: _exited,
    LostStep: lambda s, e: _unit(s, e.unit, steps=s.units[e.unit].steps - 1),
    Died: _died,
    Removed: _removed,
    LossNoted: _loss,
    LossTaken: _loss_taken,
    GainedStep: lambda s, e: _unit(s, e.unit, steps=s.units[e.unit].steps + 1),
    Disrupted: lambda s, e: _unit(s, e.unit, disrupted=True),
    Rallied: lambda s, e: _unit(s, e.unit, disrupted=False),
    Hit: lambda s, e: _unit(s, e.unit, hit=True),
    Climbing: lambda s, e: _unit(
        s, e.unit, climb=e.marker, cliff=e.hex if e.marker == CLIFF else ""
    ),
    Acted: lambda s, e: _unit(s, e.unit, acted=True),
    Paid: lambda s, e: replace(s, actions=s.actions - 1),
    HeroCame: _hero_came,
    HeroFell: lambda s, e: _unit(s, e.unit, inspired=True),
    Wounded: lambda s, e: _unit(s, e.unit, wounded=True),
    CommandPost: lambda s, e: _unit(s, e.unit, space=e.space),
    ActionsBegan: _actions_began,
    DivisionBegan: lambda s, e: replace(s, division=e.division, actions=e.actions),
    DivisionDone: _division_done,
    LeaderMoved: lambda s, e: replace(s, moved_leaders=(*s.moved_leaders, e.unit)),
    Attacked: lambda s, e: replace(s, attacked=(*s.attacked, e.hex)),
    Barraged: lambda s, e: replace(s, barraged=(*s.barraged, e.hex)),
    NavalMarker: lambda s, e: replace(s, naval=e.n),
    GermanPlaced: _german_placed,
    Ticketed: _ticketed,
    DepthPlaced: _depth_placed,
    UnitShown: _unit_shown,
    DepthShown: _depth_shown,
    Reoccupied: _reoccupied,
    HiddenAgain: lambda s, e: _german(s, e.hex, shown=False),
    DepthGone: _depth_gone,
    GermanDisrupted: lambda s, e: _german(s, e.hex, disrupted=True),
    GermanRecovered: lambda s, e: _german(s, e.hex, disrupted=False),
    GermanGone: _german_gone,
    GermanMoved: _german_moved,
    Silenced: lambda s, e: _german(s, e.hex, silent=True),
    MeyerFreed: _meyer,
    MobileReturned: _mobile_returned,
    RocketsFired: lambda s, e: replace(s, rockets_fired=True),
    RoadEnd: lambda s, e: _german(s, e.hex, end=True),
    Cleared: lambda s, e: replace(s, cleared=(*s.cleared, e.hex)),
    BasePlaced: lambda s, e: replace(s, bases={**s.bases, e.base: Base(e.hex)}),
    BaseAdvanced: _base_advanced,
    BaseSettled: lambda s, e: replace(s, base_done=(*s.base_done, e.division)),
    Garrisoned: lambda s, e: replace(s, garrisons=(*s.garrisons, e.hex)),
    GarrisonLost: _garrison_lost,
    Opened: _opened,
}


def fresh_phase(state: State) -> dict[str, Unit]:
    """The units without the markers that last one phase."""
    return {
        name: replace(u, acted=False, hit=False) if u.acted or u.hit else u
        for name, u in state.units.items()
    }


class FirePhaseBegan(Event, frozen=True):
    """A fire phase begins: hits and silence of the last one are forgotten."""

    says: ClassVar[str] = N_("German fire begins.")


class MarkersRemoved(Event, frozen=True):
    """The action markers of a finished phase were taken away."""

    says: ClassVar[str] = N_("Action markers are removed.")


def _fire_began(s: State, _e: FirePhaseBegan) -> State:
    units = fresh_phase(s)
    germans = {h: replace(g, silent=False) if g.silent else g for h, g in s.germans.items()}
    return replace(s, units=units, germans=germans)


def _markers_removed(s: State, _e: MarkersRemoved) -> State:
    return replace(s, units=fresh_phase(s), commanded={}, moved_leaders=(), base_done=())


_WRITERS[FirePhaseBegan] = _fire_began
_WRITERS[MarkersRemoved] = _markers_removed
