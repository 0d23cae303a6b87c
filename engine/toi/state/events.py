"""Every change of state. Events say what happened and what follows; they know no rules."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from engine.core.pools import Pool
from engine.core.rules import Event, Side
from engine.core.text import N_, Msg
from engine.toi.state.state import (
    DISRUPTED,
    FATIGUED,
    NORMAL,
    OP_FIRE,
    PINNED,
    READY,
    Active,
    Army,
    Force,
    Fort,
    Played,
    State,
    Unit,
    in_points,
)

replace = msgspec.structs.replace


def _unit(state: State, name: str, **changes: Any) -> State:
    one = state.units.get(name)
    if one is None:
        return state
    return replace(state, units={**state.units, name: replace(one, **changes)})


def _army(state: State, side: Side, **changes: Any) -> State:
    army: Army = replace(state.armies[side], **changes)
    return replace(state, armies={**state.armies, side: army})


def _active(state: State, **changes: Any) -> State:
    if state.active is None:
        return state
    return replace(state, active=replace(state.active, **changes))


def _without(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    if item not in items:
        return items
    at = items.index(item)
    return items[:at] + items[at + 1 :]


# --- the sequence of play ---------------------------------------------------------------------


class StepBegan(Event, frozen=True):
    """A phase, or a step of it, begins; `queue` holds the sides that will take part."""

    says: ClassVar[str] = N_("{phase}: {step}")
    phase: str
    step: str
    queue: tuple[Side, ...] = ()

    def on(self, state: State) -> State:
        """Phase, step and those who are to act in it."""
        return replace(state, phase=self.phase, step=self.step, queue=self.queue)


class SideFinished(Event, frozen=True):
    """A side has nothing more to do in this step."""

    says: ClassVar[str] = N_("{side} has finished this step")
    side: Side

    def on(self, state: State) -> State:
        """The next side of the queue acts."""
        return replace(state, queue=_without(state.queue, self.side))


class TurnBegan(Event, frozen=True):
    """An action turn begins."""

    says: ClassVar[str] = N_("Action turn of {side}")
    side: Side
    left: dict[Side, int]

    def on(self, state: State) -> State:
        """The side's seats have their actions."""
        return replace(state, turn=self.side, left=self.left, queue=())


class SeatChosen(Event, frozen=True):
    """A team says which of its members acts now."""

    says: ClassVar[str] = N_("{seat} acts now")
    seat: Side

    def on(self, state: State) -> State:
        """That seat heads the queue."""
        return replace(state, queue=(self.seat,))


class ActionUsed(Event, frozen=True):
    """An action is used up."""

    says: ClassVar[str] = N_("{seat} uses an action")
    seat: Side

    def on(self, state: State) -> State:
        """One action less."""
        return replace(state, left={**state.left, self.seat: state.left.get(self.seat, 0) - 1})


class ActionsGranted(Event, frozen=True):
    """A card gives actions."""

    says: ClassVar[str] = N_("{seat} receives {n} actions")
    seat: Side
    n: int

    def on(self, state: State) -> State:
        """More actions in this turn."""
        left = state.left.get(self.seat, 0) + self.n
        return replace(state, left={**state.left, self.seat: left})


class SeatDone(Event, frozen=True):
    """A player's Action Phase is over."""

    says: ClassVar[str] = N_("{seat} has finished the Action Phase")
    seat: Side

    def on(self, state: State) -> State:
        """No more actions this round."""
        left = {**state.left, self.seat: 0}
        return replace(state, done=(*state.done, self.seat), left=left)


class RoundBegan(Event, frozen=True):
    """The round marker moves."""

    says: ClassVar[str] = N_("Round {round} begins")
    round: int

    def on(self, state: State) -> State:
        """The next round."""
        return replace(state, round=self.round, done=(), left={})


class GameEnded(Event, frozen=True):
    """Somebody has won."""

    says: ClassVar[str] = N_("{side} wins")
    side: Side
    ending: str

    def on(self, state: State) -> State:
        """The winner, and how."""
        return replace(state, winner=self.side, ending=self.ending, phase="over", active=None)


# --- set-up -----------------------------------------------------------------------------------


class SquadBuilt(Event, frozen=True):
    """A base is filled with figures of its division."""

    says: ClassVar[str] = N_("{unit} is built")
    unit: str
    side: Side
    division: int
    figures: tuple[str, ...]

    def on(self, state: State) -> State:
        """The squad exists, off the map; its figures leave the reserve."""
        built = Unit(self.unit, self.side, self.division, "squad", figures=self.figures)
        forces = []
        for force in state.reserve[self.side]:
            if force.division == self.division:
                counts = dict(force.figures)
                for figure in self.figures:
                    counts[figure] = counts.get(figure, 0) - 1
                left = {figure: n for figure, n in counts.items() if n > 0}
                force = replace(force, bases=force.bases - 1, figures=left)
            forces.append(force)
        reserve = {**state.reserve, self.side: tuple(forces)}
        return replace(state, units={**state.units, self.unit: built}, reserve=reserve)


class UnitArrived(Event, frozen=True):
    """A unit is received, off the map: a vehicle, or a squad already built."""

    says: ClassVar[str] = N_("{unit} is received")
    unit: str
    side: Side
    division: int
    piece: str
    figures: tuple[str, ...] = ()

    def on(self, state: State) -> State:
        """The unit exists, off the map."""
        one = Unit(self.unit, self.side, self.division, self.piece, figures=self.figures)
        return replace(state, units={**state.units, self.unit: one})


class ReserveSet(Event, frozen=True):
    """What a side has still to build."""

    says: ClassVar[str] = N_("{side} takes its forces")
    side: Side
    forces: tuple[Force, ...]

    def on(self, state: State) -> State:
        """The forces wait to be built."""
        return replace(state, reserve={**state.reserve, self.side: self.forces})


class TokenGiven(Event, frozen=True):
    """A squad becomes a specialist."""

    says: ClassVar[str] = N_("{unit} becomes: {token}")
    unit: str
    side: Side
    token: str

    def on(self, state: State) -> State:
        """The token is on the base."""
        left = _without(state.tokens.get(self.side, ()), self.token)
        return replace(
            _unit(state, self.unit, token=self.token), tokens={**state.tokens, self.side: left}
        )


class TokenUnused(Event, frozen=True):
    """No squad can carry the token."""

    says: ClassVar[str] = N_("{side} cannot assign: {token}")
    side: Side
    token: str

    def on(self, state: State) -> State:
        """The token goes back to the box."""
        left = _without(state.tokens.get(self.side, ()), self.token)
        return replace(state, tokens={**state.tokens, self.side: left})


class AceNamed(Event, frozen=True):
    """A tank is named for an operation card."""

    says: ClassVar[str] = N_("{unit} is the ace")
    side: Side
    unit: str

    def on(self, state: State) -> State:
        """The side has its ace."""
        return _army(state, self.side, ace=self.unit)


class Placed(Event, frozen=True):
    """A unit comes onto the map."""

    says: ClassVar[str] = N_("{unit} is placed in {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """The unit is in the hex."""
        return _unit(state, self.unit, hex=self.hex, fort="", aboard="")


class Concealed(Event, frozen=True):
    """A squad gets a concealed marker."""

    says: ClassVar[str] = N_("{unit} is concealed")
    unit: str

    def on(self, state: State) -> State:
        """The marker is on."""
        return _unit(state, self.unit, concealed=True)


class Revealed(Event, frozen=True):
    """A squad loses its concealed marker."""

    says: ClassVar[str] = N_("{unit} is revealed")
    unit: str

    def on(self, state: State) -> State:
        """The marker is off."""
        return _unit(state, self.unit, concealed=False)


# --- activation -------------------------------------------------------------------------------


class Activated(Event, frozen=True):
    """A unit becomes the active unit."""

    says: ClassVar[str] = N_("{unit}: {action}")
    unit: str
    action: str
    mp: int
    hex: str
    bonus: int = 0
    card: str = ""
    again: int = 0
    seat: Side = ""

    def on(self, state: State) -> State:
        """It is the only active unit."""
        active = Active(
            self.unit,
            self.action,
            self.mp,
            (self.hex,),
            bonus=self.bonus,
            card=self.card,
            again=self.again,
            seat=self.seat,
        )
        return replace(state, active=active)


class ActivationEnded(Event, frozen=True):
    """The active unit has finished."""

    says: ClassVar[str] = N_("{unit} has finished its action")
    unit: str

    def on(self, state: State) -> State:
        """Nobody is active."""
        return replace(state, active=None)


class Fatigued(Event, frozen=True):
    """A unit is fatigued."""

    says: ClassVar[str] = N_("{unit} is fatigued")
    unit: str

    def on(self, state: State) -> State:
        """The marker shows fatigue."""
        return _unit(state, self.unit, activation=FATIGUED)


class Readied(Event, frozen=True):
    """A unit loses its activation marker."""

    says: ClassVar[str] = N_("{unit} is ready")
    unit: str

    def on(self, state: State) -> State:
        """No activation marker."""
        return _unit(state, self.unit, activation=READY)


class OpFireSet(Event, frozen=True):
    """A unit lies in wait."""

    says: ClassVar[str] = N_("{unit} is in op fire")
    unit: str

    def on(self, state: State) -> State:
        """The marker shows op fire."""
        return _unit(state, self.unit, activation=OP_FIRE)


class AllReady(Event, frozen=True):
    """Every activation marker is removed."""

    says: ClassVar[str] = N_("All activation markers are removed")

    def on(self, state: State) -> State:
        """Everybody is ready."""
        units = {
            name: one if one.activation == READY else replace(one, activation=READY)
            for name, one in state.units.items()
        }
        return replace(state, units=units)


class PointsSpent(Event, frozen=True):
    """Movement points are spent without entering a hex. In thirds."""

    says: ClassVar[str] = N_("{unit} spends movement points: {left} left")
    unit: str
    left: int

    def on(self, state: State) -> State:
        """Less to spend."""
        return _active(state, mp=self.left, moved=True)

    def msg(self) -> Msg:
        """In points."""
        return Msg(self.says, {"unit": self.unit, "left": in_points(self.left)})


class Moved(Event, frozen=True):
    """The active unit enters a hex."""

    says: ClassVar[str] = N_("{unit} enters {hex}: {left} movement points left")
    unit: str
    hex: str
    left: int

    def msg(self) -> Msg:
        """In points."""
        return Msg(self.says, {"unit": self.unit, "hex": self.hex, "left": in_points(self.left)})

    def on(self, state: State) -> State:
        """It is there, and the path is longer."""
        moved = _unit(state, self.unit, hex=self.hex, fort="", aboard="")
        if moved.active is None:
            return moved
        path = (*moved.active.path, self.hex)
        return _active(moved, mp=self.left, path=path, moved=True)


class PointsLost(Event, frozen=True):
    """Damage takes movement points away. In thirds."""

    says: ClassVar[str] = N_("{unit} has {left} movement points left")
    unit: str
    left: int

    def on(self, state: State) -> State:
        """Less to spend."""
        return _active(state, mp=self.left)

    def msg(self) -> Msg:
        """In points."""
        return Msg(self.says, {"unit": self.unit, "left": in_points(self.left)})


class Halted(Event, frozen=True):
    """The active unit may enter no further hex."""

    says: ClassVar[str] = N_("{unit} must stop")
    unit: str

    def on(self, state: State) -> State:
        """It stays."""
        return _active(state, halted=True)


class Entangled(Event, frozen=True):
    """The active squad entered wire or mines: no assault in this activation."""

    says: ClassVar[str] = N_("{unit} can no longer assault")
    unit: str

    def on(self, state: State) -> State:
        """Remembered until the activation ends."""
        return _active(state, wired=True)


class Attacked(Event, frozen=True):
    """The active unit has made its attack."""

    says: ClassVar[str] = N_("{unit} has attacked")
    unit: str

    def on(self, state: State) -> State:
        """No second attack in this activation."""
        return _active(state, attacked=True)


class ShotAt(Event, frozen=True):
    """A unit has fired at the active unit, and may not do so again in this activation."""

    says: ClassVar[str] = N_("{unit} has fired at the active unit")
    unit: str

    def on(self, state: State) -> State:
        """Remembered until the activation ends."""
        if state.active is None:
            return state
        return _active(state, shot_by=(*state.active.shot_by, self.unit))


class WentBack(Event, frozen=True):
    """A unit that may not stay goes back along its path."""

    says: ClassVar[str] = N_("{unit} goes back to {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """It is there."""
        return _unit(state, self.unit, hex=self.hex)


class Displaced(Event, frozen=True):
    """A unit changes hex without moving: retreat or advance after an assault."""

    says: ClassVar[str] = N_("{unit} goes to {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """It is there, outside any fortification."""
        return _unit(state, self.unit, hex=self.hex, fort="")


# --- transport and fortifications -------------------------------------------------------------


class Boarded(Event, frozen=True):
    """A squad is aboard a vehicle."""

    says: ClassVar[str] = N_("{unit} boards {vehicle}")
    unit: str
    vehicle: str

    def on(self, state: State) -> State:
        """Off the map, with the vehicle."""
        return _unit(state, self.unit, hex="", fort="", aboard=self.vehicle)


class Dismounted(Event, frozen=True):
    """A squad leaves its vehicle."""

    says: ClassVar[str] = N_("{unit} dismounts in {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """In the vehicle's hex."""
        return _unit(state, self.unit, hex=self.hex, aboard="")


class FortEntered(Event, frozen=True):
    """A squad is inside a trench or bunker."""

    says: ClassVar[str] = N_("{unit} enters {fort}")
    unit: str
    fort: str

    def on(self, state: State) -> State:
        """Inside."""
        return _unit(state, self.unit, fort=self.fort)


class FortLeft(Event, frozen=True):
    """A squad leaves its trench or bunker."""

    says: ClassVar[str] = N_("{unit} leaves {fort}")
    unit: str
    fort: str

    def on(self, state: State) -> State:
        """Outside."""
        return _unit(state, self.unit, fort="")


class FortBuilt(Event, frozen=True):
    """A trench or bunker appears."""

    says: ClassVar[str] = N_("{kind} in {hex}")
    fort: str
    hex: str
    kind: str

    def on(self, state: State) -> State:
        """On the map."""
        fort = Fort(self.fort, self.hex, self.kind)
        return replace(state, forts={**state.forts, self.fort: fort})


class ObstaclePlaced(Event, frozen=True):
    """An obstacle appears."""

    says: ClassVar[str] = N_("{kind} in {hex}")
    hex: str
    kind: str

    def on(self, state: State) -> State:
        """On the map."""
        here = (*state.obstacles.get(self.hex, ()), self.kind)
        return replace(state, obstacles={**state.obstacles, self.hex: here})


class ObstacleRemoved(Event, frozen=True):
    """An obstacle goes."""

    says: ClassVar[str] = N_("{kind} removed from {hex}")
    hex: str
    kind: str

    def on(self, state: State) -> State:
        """Off the map."""
        rest = _without(state.obstacles.get(self.hex, ()), self.kind)
        obstacles = {h: kinds for h, kinds in state.obstacles.items() if h != self.hex}
        if rest:
            obstacles[self.hex] = rest
        return replace(state, obstacles=obstacles)


class SmokePlaced(Event, frozen=True):
    """Smoke appears."""

    says: ClassVar[str] = N_("smoke in {hex}")
    hex: str
    until: int

    def on(self, state: State) -> State:
        """On the map until the Status Phase of that round."""
        return replace(state, smoke={**state.smoke, self.hex: self.until})


class SmokeLifted(Event, frozen=True):
    """Smoke goes."""

    says: ClassVar[str] = N_("the smoke in {hex} clears")
    hex: str

    def on(self, state: State) -> State:
        """Off the map."""
        return replace(state, smoke={h: r for h, r in state.smoke.items() if h != self.hex})


# --- losses, damage, conditions ---------------------------------------------------------------


class FigureLost(Event, frozen=True):
    """A squad loses a figure."""

    says: ClassVar[str] = N_("{unit} loses {figure}")
    unit: str
    figure: str

    def on(self, state: State) -> State:
        """One figure less; an empty base leaves the game."""
        one = state.units.get(self.unit)
        if one is None:
            return state
        left = _without(one.figures, self.figure)
        if left:
            return _unit(state, self.unit, figures=left)
        return _gone(state, self.unit)


class FigureGained(Event, frozen=True):
    """A squad receives a figure."""

    says: ClassVar[str] = N_("{unit} receives {figure}")
    unit: str
    figure: str

    def on(self, state: State) -> State:
        """One figure more."""
        one = state.units.get(self.unit)
        if one is None:
            return state
        return _unit(state, self.unit, figures=tuple(sorted((*one.figures, self.figure))))


class UnitLost(Event, frozen=True):
    """A unit leaves the game, with whoever rides in it."""

    says: ClassVar[str] = N_("{unit} is lost")
    unit: str

    def on(self, state: State) -> State:
        """Off the map for good."""
        return _gone(state, self.unit)


def _gone(state: State, name: str) -> State:
    units = {n: u for n, u in state.units.items() if n != name and u.aboard != name}
    return replace(state, units=units)


class Pinned(Event, frozen=True):
    """A squad is pinned."""

    says: ClassVar[str] = N_("{unit} is pinned")
    unit: str

    def on(self, state: State) -> State:
        """Pinned."""
        return _unit(state, self.unit, condition=PINNED)


class Disrupted(Event, frozen=True):
    """A squad is disrupted."""

    says: ClassVar[str] = N_("{unit} is disrupted")
    unit: str

    def on(self, state: State) -> State:
        """Disrupted."""
        return _unit(state, self.unit, condition=DISRUPTED)


class Rallied(Event, frozen=True):
    """A squad is in normal condition again."""

    says: ClassVar[str] = N_("{unit} is in normal condition")
    unit: str

    def on(self, state: State) -> State:
        """Neither pinned nor disrupted."""
        return _unit(state, self.unit, condition=NORMAL)


class Damaged(Event, frozen=True):
    """A vehicle's damage changes."""

    says: ClassVar[str] = N_("{unit}: {damage} damage")
    unit: str
    damage: str

    def on(self, state: State) -> State:
        """As damaged as that."""
        return _unit(state, self.unit, damage=self.damage)


# --- command, cards, objectives ---------------------------------------------------------------


class CommandGained(Event, frozen=True):
    """A side receives command."""

    says: ClassVar[str] = N_("{side} receives {n} command")
    side: Side
    n: int

    def on(self, state: State) -> State:
        """More available command."""
        return _army(state, self.side, command=state.armies[self.side].command + self.n)


class CommandSpent(Event, frozen=True):
    """A side spends command."""

    says: ClassVar[str] = N_("{side} spends {n} command")
    side: Side
    n: int

    def on(self, state: State) -> State:
        """Less available command."""
        return _army(state, self.side, command=state.armies[self.side].command - self.n)


class InitiativeRaised(Event, frozen=True):
    """Command goes onto an initiative card, or leaves it."""

    says: ClassVar[str] = N_("initiative card of {side}: {n}")
    side: Side
    n: int

    def on(self, state: State) -> State:
        """The total on the card."""
        total = max(0, state.armies[self.side].initiative + self.n)
        return _army(state, self.side, initiative=total)


class InitiativeTaken(Event, frozen=True):
    """The initiative token changes hands, or stays."""

    says: ClassVar[str] = N_("{side} has the initiative")
    side: Side

    def on(self, state: State) -> State:
        """The holder."""
        return replace(state, initiative=self.side)


class ControlTaken(Event, frozen=True):
    """A side controls an objective."""

    says: ClassVar[str] = N_("{side} controls {hex}")
    side: Side
    hex: str

    def on(self, state: State) -> State:
        """The control marker."""
        return replace(state, control={**state.control, self.hex: self.side})


class PointsGained(Event, frozen=True):
    """A side receives victory points."""

    says: ClassVar[str] = N_("{side} receives {n} victory points")
    side: Side
    n: int

    def on(self, state: State) -> State:
        """The total has no ceiling."""
        return _army(state, self.side, points=state.armies[self.side].points + self.n)


class CardDrawn(Event, frozen=True):
    """A card comes out of a deck, face up."""

    says: ClassVar[str] = N_("{side} draws {card}")
    reveals: ClassVar[bool] = True
    side: Side
    deck: str
    card: str

    def on(self, state: State) -> State:
        """In the headquarters."""
        army = state.armies[self.side]
        decks: dict[str, Pool] = {**army.decks, self.deck: army.decks[self.deck].minus(self.card)}
        return _army(state, self.side, decks=decks, hand=(*army.hand, self.card))


class CardSpent(Event, frozen=True):
    """A card leaves the game."""

    says: ClassVar[str] = N_("{card} is discarded")
    side: Side
    card: str

    def on(self, state: State) -> State:
        """Neither in the headquarters nor in the play area."""
        army = state.armies[self.side]
        area = tuple(played for played in army.area if played.card != self.card)
        return _army(
            state,
            self.side,
            hand=_without(army.hand, self.card),
            area=area,
            spent=(*army.spent, self.card),
        )


class CardKept(Event, frozen=True):
    """A card goes to the play area, or stays there with its radio call noted."""

    says: ClassVar[str] = N_("{card} lies in the play area")
    side: Side
    card: str
    seat: Side
    until: int = 0
    tried: int = 0

    def on(self, state: State) -> State:
        """In the play area."""
        army = state.armies[self.side]
        others = tuple(played for played in army.area if played.card != self.card)
        area = (*others, Played(self.card, self.seat, self.until, self.tried))
        return _army(state, self.side, hand=_without(army.hand, self.card), area=area)
