"""Every change of the table: an event writes what it says and knows no rule."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from engine.core.rules import Event
from engine.core.text import N_, NP_
from engine.ddob.state.state import CLIFF, EXIT, LOST, OUT, TRACK, UNSEEN, Base, German, State, Unit

replace = msgspec.structs.replace


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


def _unit(state: State, name: str, **changes: Any) -> State:
    unit = replace(state.units[name], **changes)
    return replace(state, units={**state.units, name: unit})


def _german(state: State, label: str, **changes: Any) -> State:
    german = replace(state.germans[label], **changes)
    return replace(state, germans={**state.germans, label: german})


def fresh_phase(state: State) -> dict[str, Unit]:
    """The units without the markers that last one phase."""
    return {
        name: replace(u, acted=False, hit=False) if u.acted or u.hit else u
        for name, u in state.units.items()
    }


# The deck and the clock


class Drew(Event, frozen=True):
    """A card came up and lies on the card track (2.1.carte-fasi)."""

    says: ClassVar[str] = N_("Card {card}: {use}")
    reveals: ClassVar[bool] = True
    card: str
    use: str

    def on(self, state: State) -> State:
        """Out of the deck and onto the track, under its use."""
        cards = {**state.cards, self.use: self.card}
        return replace(
            state, deck=state.deck.minus(self.card), track=(*state.track, self.card), cards=cards
        )


class Shuffled(Event, frozen=True):
    """The discards went back into the deck."""

    says: ClassVar[str] = N_("The discards are shuffled into the deck.")

    def on(self, state: State) -> State:
        """The deck has the discards again."""
        return replace(state, deck=state.deck.plus(state.discards), discards=())


class Discarded(Event, frozen=True):
    """The cards of the track were discarded."""

    says: ClassVar[str] = N_("The cards of the turn are discarded.")

    def on(self, state: State) -> State:
        """The track is empty, and what held for the turn is forgotten."""
        return replace(
            state, discards=(*state.discards, *state.track), track=(), cards={}, notes={}
        )


class PhaseBegan(Event, frozen=True):
    """Another phase."""

    says: ClassVar[str] = N_("Phase: {phase}")
    phase: str

    def on(self, state: State) -> State:
        """The phase is set."""
        return replace(state, phase=self.phase)


class TurnBegan(Event, frozen=True):
    """The turn marker moved on."""

    says: ClassVar[str] = N_("Turn {turn}")
    turn: int

    def on(self, state: State) -> State:
        """The turn is set."""
        return replace(state, turn=self.turn)


class Ended(Event, frozen=True):
    """The game is decided."""

    says: ClassVar[str] = N_("{points} victory points: {degree}")
    degree: str
    points: int
    why: str

    def on(self, state: State) -> State:
        """The degree, its points and its rule are kept."""
        return replace(state, degree=self.degree, points=self.points, why=self.why)


class Queued(Event, frozen=True):
    """Positions that still have to act, in order."""

    says: ClassVar[str] = N_("The positions that may act.")
    n: int
    queue: tuple[str, ...]

    def on(self, state: State) -> State:
        """The queue is set."""
        return replace(state, queue=self.queue)


class Noted(Event, frozen=True):
    """Something that holds until the end of the turn."""

    says: ClassVar[str] = N_("{key}: {value}")
    key: str
    value: str = "si"

    def on(self, state: State) -> State:
        """The note is kept until the turn ends."""
        return replace(state, notes={**state.notes, self.key: self.value})


class BatteriesTurned(Event, frozen=True):
    """Off-map batteries were turned to their inactive side, or back (6.51)."""

    says: ClassVar[str] = N_("The off-map batteries are turned.")
    n: int
    batteries: tuple[str, ...]

    def on(self, state: State) -> State:
        """The inactive batteries are set."""
        return replace(state, inactive=self.batteries)


class Linked(Event, frozen=True):
    """The positions in German communication, fixed for the phase (12.24)."""

    says: ClassVar[str] = NP_(
        "One position hex is in German communication.",
        "{n} position hexes are in German communication.",
    )
    n: int
    hexes: tuple[str, ...]

    def on(self, state: State) -> State:
        """The hexes in communication are set."""
        return replace(state, linked=self.hexes)


# US units


class Placed(Event, frozen=True):
    """A unit was put in a landing box or in a hex."""

    says: ClassVar[str] = N_("{unit} is placed in {at}.")
    unit: str
    at: str

    def on(self, state: State) -> State:
        """The unit waits no more."""
        return _unit(state, self.unit, at=self.at, due=0)


class Drifted(Event, frozen=True):
    """A unit drifted to another box."""

    says: ClassVar[str] = N_("{unit} drifts to {at}.")
    unit: str
    at: str

    def on(self, state: State) -> State:
        """The unit is in another box."""
        return _unit(state, self.unit, at=self.at)


class Checked(Event, frozen=True):
    """A unit was checked by the landing card of a sector."""

    says: ClassVar[str] = N_("{unit} has made its landing check.")
    unit: str
    sector: str

    def on(self, state: State) -> State:
        """The sector is kept with the unit."""
        return _unit(state, self.unit, checked=self.sector)


class Delayed(Event, frozen=True):
    """A unit went back to the turn track."""

    says: ClassVar[str] = N_("{unit} is delayed to turn {turn}.")
    unit: str
    turn: int

    def on(self, state: State) -> State:
        """The unit is due later, without what it had."""
        return _unit(state, self.unit, at=TRACK, due=self.turn, delayed=True, space=0, checked="")


class Landed(Event, frozen=True):
    """A unit went ashore."""

    says: ClassVar[str] = N_("{unit} lands in {hex}.")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """The unit stands on the map."""
        return _unit(state, self.unit, at=self.hex, checked="", acted=False)


class Transferred(Event, frozen=True):
    """A unit passed under the other division."""

    says: ClassVar[str] = N_("{unit} is now under division {division}.")
    unit: str
    division: str

    def on(self, state: State) -> State:
        """The command changes."""
        return _unit(state, self.unit, command=self.division)


class Moved(Event, frozen=True):
    """A unit moved one hex."""

    says: ClassVar[str] = N_("{unit} moves to {hex}.")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """The unit stands elsewhere."""
        return _unit(state, self.unit, at=self.hex)


class Exited(Event, frozen=True):
    """A unit left the map by an exit."""

    says: ClassVar[str] = N_("{unit} leaves the map by exit {exit}.")
    unit: str
    exit: str

    def on(self, state: State) -> State:
        """Unit, steps and exit are written down."""
        record = (self.unit, state.units[self.unit].steps, self.exit)
        return replace(
            _unit(state, self.unit, at=f"{EXIT} {self.exit}"), exited=(*state.exited, record)
        )


class LostStep(Event, frozen=True):
    """A unit lost a step and lives."""

    says: ClassVar[str] = N_("{unit} loses a step.")
    unit: str

    def on(self, state: State) -> State:
        """One step less."""
        return _unit(state, self.unit, steps=state.units[self.unit].steps - 1)


class Died(Event, frozen=True):
    """A unit was eliminated."""

    says: ClassVar[str] = N_("{unit} is eliminated.")
    unit: str

    def on(self, state: State) -> State:
        """The unit is lost, with all that it had."""
        gone = Unit(self.unit, LOST, state.units[self.unit].command)
        return replace(state, units={**state.units, self.unit: gone})


class Removed(Event, frozen=True):
    """A unit left the game without being a loss."""

    says: ClassVar[str] = N_("{unit} is out of the game.")
    unit: str

    def on(self, state: State) -> State:
        """The unit is out, without its hero."""
        return _unit(state, self.unit, at=OUT, hero="", inspired=False)


class LossNoted(Event, frozen=True):
    """A full-strength counter went to the loss box of a division."""

    says: ClassVar[str] = N_("{unit} goes to the loss box of division {division}.")
    unit: str
    division: str

    def on(self, state: State) -> State:
        """One more in the loss box."""
        box = (*state.losses[self.division], self.unit)
        return replace(state, losses={**state.losses, self.division: box})


class LossTaken(Event, frozen=True):
    """A counter came back from the loss box."""

    says: ClassVar[str] = N_("{unit} leaves the loss box of division {division}.")
    unit: str
    division: str

    def on(self, state: State) -> State:
        """One less in the loss box."""
        box = tuple(name for name in state.losses[self.division] if name != self.unit)
        return replace(state, losses={**state.losses, self.division: box})


class GainedStep(Event, frozen=True):
    """A unit recovered a step."""

    says: ClassVar[str] = N_("{unit} recovers a step.")
    unit: str

    def on(self, state: State) -> State:
        """One step more."""
        return _unit(state, self.unit, steps=state.units[self.unit].steps + 1)


class Disrupted(Event, frozen=True):
    """A unit was disrupted."""

    says: ClassVar[str] = N_("{unit} is disrupted.")
    unit: str

    def on(self, state: State) -> State:
        """The marker is put."""
        return _unit(state, self.unit, disrupted=True)


class Rallied(Event, frozen=True):
    """A unit removed its disruption."""

    says: ClassVar[str] = N_("{unit} removes its disruption.")
    unit: str

    def on(self, state: State) -> State:
        """The marker is removed."""
        return _unit(state, self.unit, disrupted=False)


class Hit(Event, frozen=True):
    """A unit has lost its step of this fire phase."""

    says: ClassVar[str] = N_("{unit} can lose no other step in this phase.")
    unit: str

    def on(self, state: State) -> State:
        """The unit is spared from now on."""
        return _unit(state, self.unit, hit=True)


class Climbing(Event, frozen=True):
    """A climb marker was put, turned or removed."""

    says: ClassVar[str] = N_("{unit}: climb marker {marker}")
    unit: str
    marker: str = ""
    hex: str = ""

    def on(self, state: State) -> State:
        """The marker, and the hex above a cliff."""
        return _unit(
            state, self.unit, climb=self.marker, cliff=self.hex if self.marker == CLIFF else ""
        )


class Acted(Event, frozen=True):
    """A unit used its action of the turn."""

    says: ClassVar[str] = N_("{unit} has acted.")
    unit: str

    def on(self, state: State) -> State:
        """The unit has acted."""
        return _unit(state, self.unit, acted=True)


class Paid(Event, frozen=True):
    """A division spent one of its actions."""

    says: ClassVar[str] = N_("Division {division} spends an action.")
    division: str

    def on(self, state: State) -> State:
        """One action less."""
        return replace(state, actions=state.actions - 1)


class HeroCame(Event, frozen=True):
    """A hero joined a unit."""

    says: ClassVar[str] = N_("{hero} leads {unit}.")
    unit: str
    hero: str

    def on(self, state: State) -> State:
        """The hero leaves those that wait."""
        left = tuple(name for name in state.heroes if name != self.hero)
        return replace(_unit(state, self.unit, hero=self.hero, inspired=False), heroes=left)


class HeroFell(Event, frozen=True):
    """A hero died and his unit is inspired."""

    says: ClassVar[str] = N_("{unit} loses its hero and is inspired.")
    unit: str

    def on(self, state: State) -> State:
        """The unit is inspired."""
        return _unit(state, self.unit, inspired=True)


class Wounded(Event, frozen=True):
    """A general was wounded."""

    says: ClassVar[str] = N_("{unit} is wounded.")
    unit: str

    def on(self, state: State) -> State:
        """The general is wounded."""
        return _unit(state, self.unit, wounded=True)


class CommandPost(Event, frozen=True):
    """An HQ became a command post, its marker advanced, or it is an HQ again."""

    says: ClassVar[str] = N_("{unit}: command range space {space}")
    unit: str
    space: int

    def on(self, state: State) -> State:
        """The space on the track is set."""
        return _unit(state, self.unit, space=self.space)


# The US action phase


class ActionsBegan(Event, frozen=True):
    """Command is fixed and markers of the last phase are gone."""

    says: ClassVar[str] = NP_("One unit is under command.", "{n} units are under command.")
    n: int
    commanded: dict[str, tuple[str, ...]]

    def on(self, state: State) -> State:
        """Command is set, and the last phase forgotten."""
        return replace(
            state,
            commanded=self.commanded,
            moved_leaders=(),
            attacked=(),
            barraged=(),
            done=(),
            division="",
        )


class DivisionBegan(Event, frozen=True):
    """A division acts."""

    says: ClassVar[str] = N_("Division {division} has {actions} actions.")
    division: str
    actions: int

    def on(self, state: State) -> State:
        """The division has its actions."""
        return replace(state, division=self.division, actions=self.actions)


class DivisionDone(Event, frozen=True):
    """A division has finished."""

    says: ClassVar[str] = N_("Division {division} has finished.")
    division: str

    def on(self, state: State) -> State:
        """The division is done."""
        return replace(state, division="", done=(*state.done, self.division), actions=0)


class LeaderMoved(Event, frozen=True):
    """A leader moved and gives no more free actions."""

    says: ClassVar[str] = N_("{unit} gives no more free actions in this phase.")
    unit: str

    def on(self, state: State) -> State:
        """One more leader that moved."""
        return replace(state, moved_leaders=(*state.moved_leaders, self.unit))


class Attacked(Event, frozen=True):
    """A German hex was attacked in this phase."""

    says: ClassVar[str] = N_("{hex} has been attacked.")
    hex: str

    def on(self, state: State) -> State:
        """One more hex attacked."""
        return replace(state, attacked=(*state.attacked, self.hex))


class Barraged(Event, frozen=True):
    """A German hex was barraged in this phase."""

    says: ClassVar[str] = N_("{hex} has been barraged.")
    hex: str

    def on(self, state: State) -> State:
        """One more hex barraged."""
        return replace(state, barraged=(*state.barraged, self.hex))


class NavalMarker(Event, frozen=True):
    """A naval fire marker was gained or spent."""

    says: ClassVar[str] = N_("Naval fire markers: {n}")
    n: int

    def on(self, state: State) -> State:
        """The number of markers is set."""
        return replace(state, naval=self.n)


# Germans


class GermanPlaced(Event, frozen=True):
    """A German unit appeared, as its back shows it."""

    says: ClassVar[str] = N_("A German unit ({kind}) appears in {hex}.")
    hex: str
    kind: str
    box: str = ""

    def on(self, state: State) -> State:
        """Out of its box and onto the map."""
        boxes = plus(state.boxes, self.box, -1) if self.box else state.boxes
        german = German(self.hex, self.kind, born=state.births + 1)
        armor = state.armor_entered + (self.kind == "armor")
        germans = {**state.germans, self.hex: german}
        return replace(
            state, germans=germans, births=state.births + 1, boxes=boxes, armor_entered=armor
        )


class Ticketed(Event, frozen=True):
    """Where in the Divisional box a face-down unit came from."""

    says: ClassVar[str] = N_("{hex}: {ticket}")
    hex: str
    ticket: str

    def on(self, state: State) -> State:
        """The ticket leaves the Divisional box."""
        return _german(
            replace(state, tickets=taken(state.tickets, self.ticket))
            if self.ticket != UNSEEN
            else state,
            self.hex,
            ticket=self.ticket,
        )


class DepthPlaced(Event, frozen=True):
    """A face-down depth marker was put under a unit."""

    says: ClassVar[str] = N_("A depth marker ({kind}) goes under {hex}.")
    hex: str
    kind: str

    def on(self, state: State) -> State:
        """Out of its box, face down."""
        drawn = replace(state, boxes=plus(state.boxes, self.kind, -1))
        return _german(drawn, self.hex, depth=UNSEEN, depth_kind=self.kind, depth_shown=False)


class UnitShown(Event, frozen=True):
    """A German unit was turned up."""

    says: ClassVar[str] = N_("{hex}: the unit is {unit}.")
    reveals: ClassVar[bool] = True
    hex: str
    unit: str
    pool: str = ""

    def on(self, state: State) -> State:
        """The face leaves the pool of those not seen."""
        if self.pool:
            unseen = {**state.unseen, self.pool: state.unseen[self.pool].minus(self.unit)}
            if state.germans[self.hex].kind == "mixed":
                unseen["mixed"] = state.unseen["mixed"].minus(self.pool)
            state = replace(state, unseen=unseen)
        return _german(state, self.hex, unit=self.unit, shown=True)


class DepthShown(Event, frozen=True):
    """A depth marker was turned up."""

    says: ClassVar[str] = N_("{hex}: the depth marker is {depth}.")
    reveals: ClassVar[bool] = True
    hex: str
    depth: str

    def on(self, state: State) -> State:
        """The face leaves the pool of those not seen."""
        german = state.germans[self.hex]
        if german.depth == UNSEEN:
            kind = german.depth_kind
            state = replace(
                state, unseen={**state.unseen, kind: state.unseen[kind].minus(self.depth)}
            )
        return _german(state, self.hex, depth=self.depth, depth_shown=True)


class Reoccupied(Event, frozen=True):
    """An eliminated WN unit came back, face up and silent (16.1)."""

    says: ClassVar[str] = N_("{unit} holds {hex} again.")
    hex: str
    unit: str

    def on(self, state: State) -> State:
        """Face up and silent, no longer among the dead."""
        german = German(self.hex, "wn", self.unit, shown=True, silent=True, born=state.births + 1)
        germans = {**state.germans, self.hex: german}
        return replace(
            state, germans=germans, births=state.births + 1, dead_wn=taken(state.dead_wn, self.unit)
        )


class HiddenAgain(Event, frozen=True):
    """A German unit was turned face down."""

    says: ClassVar[str] = N_("{hex}: the unit is hidden again.")
    hex: str

    def on(self, state: State) -> State:
        """Face down."""
        return _german(state, self.hex, shown=False)


class DepthGone(Event, frozen=True):
    """A depth marker left the map: out of the game, or back to its box."""

    says: ClassVar[str] = N_("{hex}: the depth marker leaves the map.")
    hex: str
    to: str = "out"

    def on(self, state: State) -> State:
        """Back to its box, among the dead, or out."""
        german = state.germans[self.hex]
        kind, name = german.depth_kind, german.depth
        if self.to == "box":
            state = replace(state, boxes=plus(state.boxes, kind, 1))
            if name != UNSEEN:
                state = replace(
                    state, unseen={**state.unseen, kind: state.unseen[kind].plus((name,))}
                )
        elif kind == "mobile":
            state = replace(state, dead_mobile=plus(state.dead_mobile, name, 1))
        return _german(state, self.hex, depth="", depth_kind="", depth_shown=False)


class GermanDisrupted(Event, frozen=True):
    """A German unit was disrupted."""

    says: ClassVar[str] = N_("{hex}: the German unit is disrupted.")
    hex: str

    def on(self, state: State) -> State:
        """The marker is put."""
        return _german(state, self.hex, disrupted=True)


class GermanRecovered(Event, frozen=True):
    """A German unit is no longer disrupted."""

    says: ClassVar[str] = N_("{hex}: the German unit recovers.")
    hex: str

    def on(self, state: State) -> State:
        """The marker is removed."""
        return _german(state, self.hex, disrupted=False)


class GermanGone(Event, frozen=True):
    """A German unit left the map: dead, out of the game, or back to the Divisional box."""

    says: ClassVar[str] = N_("{hex}: the German unit leaves the map ({to}).")
    hex: str
    to: str

    def on(self, state: State) -> State:
        """To the Divisional box, among the dead, or out."""
        german = state.germans[self.hex]
        germans = {h: g for h, g in state.germans.items() if h != self.hex}
        state = replace(state, germans=germans)
        if self.to == "division":
            tickets = dict(sorted(plus(state.tickets, german.unit, 1).items()))
            since = {**state.since, german.unit: state.births}
            boxes = plus(state.boxes, "D", 1)
            return replace(state, tickets=tickets, since=since, boxes=boxes)
        if self.to == "eliminated" and german.kind == "wn":
            return replace(state, dead_wn=dict(sorted(plus(state.dead_wn, german.unit, 1).items())))
        return state


class GermanMoved(Event, frozen=True):
    """A German unit moved with its depth marker."""

    says: ClassVar[str] = N_("The German unit in {hex} goes to {to}.")
    hex: str
    to: str

    def on(self, state: State) -> State:
        """The unit is filed under another hex."""
        germans = {h: g for h, g in state.germans.items() if h != self.hex}
        germans[self.to] = replace(state.germans[self.hex], hex=self.to)
        return replace(state, germans=germans)


class Silenced(Event, frozen=True):
    """A German unit does not fire in this phase."""

    says: ClassVar[str] = N_("{hex} does not fire in this phase.")
    hex: str

    def on(self, state: State) -> State:
        """The unit is silent."""
        return _german(state, self.hex, silent=True)


class MeyerFreed(Event, frozen=True):
    """Units of Kampfgruppe Meyer went to the Divisional box."""

    says: ClassVar[str] = N_("{units} units and {depth} depth markers of Kampfgruppe Meyer.")
    units: int
    depth: int
    ticket: str

    def on(self, state: State) -> State:
        """Units and markers change box."""
        boxes = plus(plus(state.boxes, "M", -self.units), "D", self.units)
        boxes = plus(plus(boxes, "meyer", -self.depth), "mobile", self.depth)
        tickets = dict(sorted(plus(state.tickets, self.ticket, self.units).items()))
        return replace(
            state, boxes=boxes, tickets=tickets, since={**state.since, self.ticket: state.births}
        )


class MobileReturned(Event, frozen=True):
    """Eliminated mobile depth markers came back, once (22.4)."""

    says: ClassVar[str] = NP_("A mobile depth marker returns.", "{n} mobile depth markers return.")
    n: int

    def on(self, state: State) -> State:
        """The dead markers are in their box again."""
        known = [name for name, n in state.dead_mobile.items() if name != UNSEEN for _ in range(n)]
        pool = state.unseen["mobile"].plus(known)
        return replace(
            state,
            boxes=plus(state.boxes, "mobile", self.n),
            unseen={**state.unseen, "mobile": pool},
            dead_mobile={},
            mobile_returned=True,
        )


class RocketsFired(Event, frozen=True):
    """The rockets of WN69 have fired."""

    says: ClassVar[str] = N_("The rockets have fired.")

    def on(self, state: State) -> State:
        """They do not fire again."""
        return replace(state, rockets_fired=True)


class RoadEnd(Event, frozen=True):
    """German tanks reached the end of their road."""

    says: ClassVar[str] = N_("{hex}: the tanks are at the end of the road.")
    hex: str

    def on(self, state: State) -> State:
        """The tanks stay."""
        return _german(state, self.hex, end=True)


# Engineers


class Cleared(Event, frozen=True):
    """An obstacle hex was cleared."""

    says: ClassVar[str] = N_("{hex} is cleared.")
    hex: str

    def on(self, state: State) -> State:
        """One more hex cleared."""
        return replace(state, cleared=(*state.cleared, self.hex))


class BasePlaced(Event, frozen=True):
    """An engineer base was set up."""

    says: ClassVar[str] = N_("Engineer base {base} in {hex}.")
    base: str
    hex: str

    def on(self, state: State) -> State:
        """The base stands."""
        return replace(state, bases={**state.bases, self.base: Base(self.hex)})


class BaseAdvanced(Event, frozen=True):
    """The range of an engineer base grew by a space."""

    says: ClassVar[str] = N_("Engineer base {base}: the range marker advances.")
    base: str

    def on(self, state: State) -> State:
        """One space more."""
        base = state.bases[self.base]
        return replace(state, bases={**state.bases, self.base: Base(base.hex, base.space + 1)})


class BaseSettled(Event, frozen=True):
    """A division has done its engineer operation of the turn."""

    says: ClassVar[str] = N_("The engineers of division {division} are done.")
    division: str

    def on(self, state: State) -> State:
        """The division is done."""
        return replace(state, base_done=(*state.base_done, self.division))


class Garrisoned(Event, frozen=True):
    """A garrison was put on an empty German position."""

    says: ClassVar[str] = N_("A garrison holds {hex}.")
    hex: str

    def on(self, state: State) -> State:
        """One more garrison."""
        return replace(state, garrisons=(*state.garrisons, self.hex))


class GarrisonLost(Event, frozen=True):
    """A garrison was removed."""

    says: ClassVar[str] = N_("The garrison of {hex} is removed.")
    hex: str

    def on(self, state: State) -> State:
        """One garrison less."""
        return replace(state, garrisons=tuple(h for h in state.garrisons if h != self.hex))


class Opened(Event, frozen=True):
    """Hexes that engineers have reached at least once."""

    says: ClassVar[str] = NP_("Engineers have opened a hex.", "Engineers have opened {n} hexes.")
    n: int
    hexes: tuple[str, ...]

    def on(self, state: State) -> State:
        """The hexes stay open."""
        return replace(state, opened=tuple(sorted({*state.opened, *self.hexes})))


# Phases that begin and end


class FirePhaseBegan(Event, frozen=True):
    """A fire phase begins: hits and silence of the last one are forgotten."""

    says: ClassVar[str] = N_("German fire begins.")

    def on(self, state: State) -> State:
        """Nobody is hit or silent."""
        units = fresh_phase(state)
        germans = {h: replace(g, silent=False) if g.silent else g for h, g in state.germans.items()}
        return replace(state, units=units, germans=germans)


class MarkersRemoved(Event, frozen=True):
    """The action markers of a finished phase were taken away."""

    says: ClassVar[str] = N_("Action markers are removed.")

    def on(self, state: State) -> State:
        """Nobody has acted, and command is over."""
        return replace(
            state, units=fresh_phase(state), commanded={}, moved_leaders=(), base_done=()
        )
