"""A small title that proves the core and the contract suite.

Two sides on a few hexes: movement with a reaction, an attack with dice, a hidden unit, a card
draw, losses chosen by the owner. Its book is `prova`; it is not a game anybody sells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from engine.core.board import Board, load_board
from engine.core.ctx import Ctx
from engine.core.data import DataErrors, Fault
from engine.core.decisions import Choice, Decision, button, card, place, unit
from engine.core.dice import D6, Each
from engine.core.hexes import Hex, distance, line, neighbours
from engine.core.pools import Pool
from engine.core.rules import Book, Command, Event, Ruling, Side
from engine.core.text import Msg, msg
from engine.core.title import (
    Layer,
    Options,
    Outcome,
    Overlay,
    Pick,
    Player,
    Question,
    ScenarioInfo,
    Sight,
    TitleInfo,
)
from engine.core.view import CounterView, Hand, Track, View
from engine.drive import RandomPlayer
from engine.kit.title import BaseTitle

RED, BLUE = "rosso", "blu"
ROUNDS = 4
CARDS = ("mira", "mira", "fumo", "vuota")
HITS = Each(lambda face: int(face >= 5))

rule = Book("prova")

MAP = """
nome: Il cortile
provenienza: ricostruito
ref: prova:mappa
griglia: {colonne: 5, righe: 4}
legenda: {.: aperto, "#": muro, b: bosco}
mappa: |
  .....
  .b#b.
  ..b..
  .....
"""
BOARD: Board = load_board(MAP, ("aperto", "muro", "bosco"), ())


class Unit(msgspec.Struct, frozen=True):
    id: str
    side: Side
    hex: Hex | None
    steps: int = 2
    hidden: bool = False
    used: bool = False


class State(msgspec.Struct, frozen=True):
    phase: str
    turn: Side
    round: int
    units: dict[str, Unit]
    deck: Pool
    hands: dict[Side, tuple[str, ...]]
    passed: int = 0


# Events


def with_unit(state: State, name: str, **changes: object) -> State:
    replace = msgspec.structs.replace
    return replace(state, units={**state.units, name: replace(state.units[name], **changes)})


class Moved(Event, frozen=True):
    says: ClassVar[str] = "{unit} moves to {hex}"
    unit: str
    hex: str

    def on(self, state: State) -> State:
        return with_unit(state, self.unit, hex=BOARD.hex_at(self.hex))


class Placed(Moved, frozen=True):
    says: ClassVar[str] = "{unit} is placed in {hex}"


class Drew(Event, frozen=True):
    says: ClassVar[str] = "{side} draws {card}"
    side: Side
    card: str

    def on(self, state: State) -> State:
        hands = {**state.hands, self.side: (*state.hands[self.side], self.card)}
        return msgspec.structs.replace(state, deck=state.deck.minus(self.card), hands=hands)


class Played(Event, frozen=True):
    says: ClassVar[str] = "{side} plays {card}"
    side: Side
    card: str

    def on(self, state: State) -> State:
        left = list(state.hands[self.side])
        left.remove(self.card)
        return msgspec.structs.replace(state, hands={**state.hands, self.side: tuple(left)})


class Revealed(Event, frozen=True):
    says: ClassVar[str] = "{unit} is found"
    reveals: ClassVar[bool] = True
    unit: str

    def on(self, state: State) -> State:
        return with_unit(state, self.unit, hidden=False)


class LostStep(Event, frozen=True):
    says: ClassVar[str] = "{unit} loses a step"
    unit: str

    def on(self, state: State) -> State:
        return with_unit(state, self.unit, steps=state.units[self.unit].steps - 1)


class Used(Event, frozen=True):
    says: ClassVar[str] = "{unit} has acted"
    unit: str

    def on(self, state: State) -> State:
        return msgspec.structs.replace(with_unit(state, self.unit, used=True), passed=0)


class Passed(Event, frozen=True):
    says: ClassVar[str] = "{side} passes"
    side: Side

    def on(self, state: State) -> State:
        return msgspec.structs.replace(state, passed=state.passed + 1)


class TurnOf(Event, frozen=True):
    says: ClassVar[str] = "it is the turn of {side}"
    side: Side

    def on(self, state: State) -> State:
        return msgspec.structs.replace(state, turn=self.side)


class RoundEnded(Event, frozen=True):
    says: ClassVar[str] = "round {round} ends"
    round: int

    def on(self, state: State) -> State:
        replace = msgspec.structs.replace
        fresh = {name: replace(unit, used=False) for name, unit in state.units.items()}
        return replace(state, units=fresh, round=state.round + 1, passed=0, turn=RED)


class Began(Event, frozen=True):
    says: ClassVar[str] = "the game begins"

    def on(self, state: State) -> State:
        return msgspec.structs.replace(state, phase="turn")


def enemy(side: Side) -> Side:
    return BLUE if side == RED else RED


class Reference(BaseTitle[State]):
    """The title."""

    info = TitleInfo("prova", "Il cortile", "prova", 1, ends=("passa", "fermo", "no"))
    book = rule
    state_type = State
    levels: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.board = BOARD

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        return (ScenarioInfo("cortile", "Il cortile", (RED, BLUE), msg("a yard")),)

    def start(self, scenario: str, options: Options) -> State:
        units = [
            Unit("r1", RED, self.at("A4")),
            Unit("r2", RED, self.at("B4")),
            Unit("r3", RED, self.at("A4")),
            Unit("b1", BLUE, self.at("E1")),
            Unit("b2", BLUE, self.at("D1")),
            Unit("b3", BLUE, None, hidden=True),
        ]
        by_id = {u.id: u for u in units}
        deck = Pool.of("mazzo", CARDS)
        return State("setup", RED, 1, by_id, deck, {RED: (), BLUE: ()})

    def at(self, label: str) -> Hex:
        return self.board.hex_at(label)

    # Procedures

    def play(self, ctx: Ctx[State]) -> None:
        if ctx.state.phase == "setup":
            self.set_up(ctx)
        else:
            self.activate(ctx)

    def set_up(self, ctx: Ctx[State]) -> None:
        """Blue hides a unit (1.1), red draws a card (1.2)."""
        spots = [place(label, label) for label in self.hiding_places()]
        spot = ctx.choose(
            "yard.where-hide", BLUE, spots, "1.1", "where does {unit} hide?", unit="b3"
        )
        ctx.do(Placed("b3", spot, hidden_from=(RED,)), "1.1")
        found = ctx.draw(
            ctx.state.deck, "1.2", "{side} draws a card", side=RED, hidden_from=(BLUE,)
        )
        ctx.do(Drew(RED, found, hidden_from=(BLUE,)), "1.2")
        ctx.do(Began(), "1.3")

    def hiding_places(self) -> list[str]:
        return ["B2", "C3", "D2", "D3"]

    def activate(self, ctx: Ctx[State]) -> None:
        """One unit of the side to move acts (2.1)."""
        side = ctx.state.turn
        mine = [unit(u.id, u.id) for u in ctx.state.units.values() if u.side == side]
        choices: list[Choice[str]] = [*mine, button("passa", "", "pass")]
        chosen = ctx.choose(
            "yard.who-acts",
            side,
            choices,
            "2.1",
            "who acts?",
            why_not=lambda name: self.why_not_act(ctx.state, name),
        )
        if not chosen:
            ctx.do(Passed(side), "2.2")
        else:
            verbs = [button("muovi", "muovi", "move"), button("spara", "spara", "fire")]
            verb = ctx.choose(
                "yard.what",
                side,
                verbs,
                "2.1",
                "what does {unit} do?",
                why_not=lambda v: self.why_not_verb(ctx.state, chosen, v),
                unit=chosen,
            )
            if verb == "muovi":
                self.move(ctx, chosen)
            else:
                self.fire(ctx, chosen)
            if ctx.state.units[chosen].steps:
                ctx.do(Used(chosen), "2.1")
        self.pass_the_turn(ctx)

    def why_not_act(self, state: State, name: str) -> Iterator[Ruling]:
        if not name:
            return
        one = state.units[name]
        if not one.steps:
            yield rule("2.3", "{unit} is lost", unit=name)
        if one.used:
            yield rule("2.1", "{unit} has acted already", unit=name)
        if one.hidden:
            yield rule("1.1", "{unit} is hiding", unit=name)

    def why_not_verb(self, state: State, name: str, verb: str) -> Iterator[Ruling]:
        one = state.units[name]
        if verb == "spara" and not self.targets(state, one):
            yield rule("4.1", "{unit} sees nobody within 2", unit=name)
        if verb == "muovi" and all(self.step_fault(state, one, h) for h in neighbours(one.hex)):
            yield rule("3.1", "{unit} is shut in", unit=name)

    def move(self, ctx: Ctx[State], name: str) -> None:
        """Up to two hexes; each may draw a shot (3.1, 3.2)."""
        for leg in range(2):
            one = ctx.state.units[name]
            hexes = [h for h in neighbours(one.hex) if h in self.board.grid]
            legs: list[Choice[Hex | None]] = [place(self.board.label(h), h) for h in hexes]
            if leg:
                legs.append(button("fermo", None, "stop"))
            to = ctx.choose(
                "yard.where-go",
                one.side,
                legs,
                "3.1",
                "where does {unit} go?",
                why_not=lambda h, one=one: h and self.step_fault(ctx.state, one, h),
                unit=name,
            )
            if to is None:
                return
            ctx.do(Moved(name, self.board.label(to)), "3.1")
            self.search(ctx, name)
            self.react(ctx, name)
            if not ctx.state.units[name].steps:
                return

    def step_fault(self, state: State, one: Unit, to: Hex) -> Ruling | None:
        if to not in self.board.grid:
            return rule("3.1", "off the map")
        label = self.board.label(to)
        if self.board.terrain(to) == "muro":
            return rule("3.3", "{hex} is a wall", hex=label)
        seen = [u for u in state.units.values() if u.steps and u.hex == to and not u.hidden]
        if any(u.side != one.side for u in seen):
            return rule("3.4", "{hex} holds an enemy", hex=label)
        if len([u for u in seen if u.id != one.id]) >= 2:
            return rule("3.5", "{hex} is full", hex=label)
        return None

    def search(self, ctx: Ctx[State], name: str) -> None:
        """A hidden enemy is found from an adjacent hex, or one's own (5.1)."""
        one = ctx.state.units[name]
        for other in ctx.state.units.values():
            near = other.hex is not None and distance(other.hex, one.hex) <= 1
            if other.hidden and other.side != one.side and near:
                ctx.do(Revealed(other.id), "5.1")

    def react(self, ctx: Ctx[State], name: str) -> None:
        """One enemy within 1 may fire at the mover (3.2)."""
        one = ctx.state.units[name]
        foe = enemy(one.side)
        ready = [u for u in self.targets(ctx.state, one) if distance(u.hex, one.hex) <= 1]
        if not ready:
            return
        shooters: list[Choice[str]] = [unit(u.id, u.id) for u in ready]
        shooters.append(button("trattieni", "", "hold fire"))
        shooter = ctx.choose(
            "yard.who-fires-at", foe, shooters, "3.2", "who fires at {unit}?", unit=name
        )
        if shooter:
            with ctx.under("3.2", "{shooter} reacts", shooter=shooter):
                self.shoot(ctx, shooter, one.hex, one.side)

    def fire(self, ctx: Ctx[State], name: str) -> None:
        """Fire at a hex within 2 (4.1)."""
        one = ctx.state.units[name]
        hexes = list(dict.fromkeys(u.hex for u in self.targets(ctx.state, one)))
        spots = [place(self.board.label(h), h) for h in hexes]
        target = ctx.choose(
            "yard.where-fire", one.side, spots, "4.1", "where does {unit} fire?", unit=name
        )
        self.shoot(ctx, name, target, enemy(one.side))

    def targets(self, state: State, one: Unit) -> list[Unit]:
        return [
            u
            for u in state.units.values()
            if u.side != one.side and u.steps and not u.hidden and distance(u.hex, one.hex) <= 2
        ]

    def shoot(self, ctx: Ctx[State], name: str, target: Hex, victims: Side) -> None:
        """Dice by strength and cards, hits at 5 or more; the owner takes the losses (4.2-4.4)."""
        one = ctx.state.units[name]
        dice = ctx.tally("dice")
        dice.add(one.steps, "4.2", "steps of {unit}", unit=name)
        if "mira" in ctx.state.hands[one.side]:
            offers = [card("mira", True), button("no", False, "keep it")]
            if ctx.choose("yard.play-card", one.side, offers, "4.5", "play a card?"):
                ctx.do(Played(one.side, "mira"), "4.5")
                dice.add(1, "4.5", "aim")
        if self.board.terrain(target) == "bosco" and dice.total > 1:
            dice.add(-1, "4.6", "wood")
        hits = ctx.roll(D6 * int(dice.total), HITS, "4.3", "{unit} fires", unit=name)
        ctx.cite("4.3", "{n} hits", n=hits)
        for _ in range(hits):
            there = [
                u
                for u in ctx.state.units.values()
                if u.side == victims and u.hex == target and u.steps and not u.hidden
            ]
            if not there:
                return
            lost = ctx.choose(
                "yard.who-hit", victims, [unit(u.id, u.id) for u in there], "4.4", "who is hit?"
            )
            ctx.do(LostStep(lost), "4.4")

    def pass_the_turn(self, ctx: Ctx[State]) -> None:
        """Sides alternate; two passes end the round (2.2)."""
        state = ctx.state
        if state.passed == 2 or all(u.used or not u.steps for u in state.units.values()):
            ctx.do(RoundEnded(state.round), "2.2")
        else:
            ctx.do(TurnOf(enemy(state.turn)), "2.1")

    def outcome(self, state: State) -> Outcome | None:
        alive = {side: sum(u.steps for u in self.of(state, side)) for side in (RED, BLUE)}
        if not alive[RED] or not alive[BLUE]:
            winner = RED if alive[RED] else BLUE
            return Outcome(winner, "totale", rule("6.1", "the enemy is lost"))
        if state.round > ROUNDS:
            best = max(alive.values())
            ahead = [side for side in alive if alive[side] == best]
            winner_or_none = ahead[0] if len(ahead) == 1 else None
            return Outcome(winner_or_none, "ai punti", rule("6.2", "most steps left"))
        return None

    def of(self, state: State, side: Side) -> list[Unit]:
        return [u for u in state.units.values() if u.side == side]

    # What sides know

    def view(self, state: State, side: Side) -> View:
        counters = []
        for u in state.units.values():
            if u.hidden and u.side != side:
                continue
            states = tuple(s for s, on in (("usata", u.used), ("nascosta", u.hidden)) if on)
            shown = CounterView(u.id, u.side, "squadra", Msg(u.id), u.hex, "", str(u.steps), states)
            counters.append(shown)
        hands = tuple(
            Hand(s, Msg("hand"), len(cards), cards if s == side else ())
            for s, cards in state.hands.items()
        )
        tracks = (Track("round", Msg("round"), state.round, ROUNDS),)
        return View(side, Msg(state.phase), self.board, tuple(counters), {}, tracks, hands)

    def belief(self, state: State, side: Side) -> State:
        replace = msgspec.structs.replace
        units = {
            n: replace(u, hex=None) if u.hidden and u.side != side else u
            for n, u in state.units.items()
        }
        other = enemy(side)
        unknown = state.hands[other]
        deck = state.deck.plus(unknown)
        return replace(state, units=units, deck=deck, hands={**state.hands, other: ()})

    def redeal(self, state: State, side: Side, pick: Pick) -> State:
        replace = msgspec.structs.replace
        units = dict(state.units)
        for n, u in state.units.items():
            if u.hidden and u.side != side and u.hex is not None:
                near = [f.hex for f in self.of(state, side) if f.steps and f.hex is not None]
                spots = [self.at(label) for label in self.hiding_places()]
                free = [h for h in spots if all(distance(h, f) > 1 for f in near)]
                if free:
                    units[n] = replace(u, hex=free[pick(len(free))])
        other = enemy(side)
        deck = state.deck.plus(state.hands[other])
        hand = []
        for _ in state.hands[other]:
            items = [item for item, n in deck.items.items() for _ in range(n)]
            hand.append(items[pick(len(items))])
            deck = deck.minus(hand[-1])
        return replace(state, units=units, deck=deck, hands={**state.hands, other: tuple(hand)})

    def questions(self, state: State, decision: Decision) -> tuple[Question, ...]:
        if decision.id != "yard.where-fire":
            return ()
        foe = enemy(decision.side)

        def read(before: State, after: State) -> Msg:
            lost = sum(u.steps for u in self.of(before, foe)) - sum(
                u.steps for u in self.of(after, foe)
            )
            return msg("{n} steps lost", n=lost)

        def assume(asked: Decision) -> tuple[str, Ruling] | None:
            if asked.id in ("yard.who-hit", "yard.play-card"):
                return asked.options[-1].id, rule(asked_locator(asked), "the last one is taken")
            return None

        return tuple(
            Question(
                msg("fire at {hex}", hex=option.msg.facts["hex"]),
                (Command(decision.side, option.id),),
                read,
                assume,
            )
            for option in decision.options
        )

    def sight(self, state: State, a: Hex, b: Hex) -> Sight | None:
        met = line(a, b)
        walls = [h for hexes in met.stretches for h in hexes if self.board.terrain(h) == "muro"]
        found = rule("4.1", "{hex} is a wall", hex=self.board.label(walls[0])) if walls else None
        rulings = (found,) if found else (rule("4.1", "nothing stands between"),)
        hexes = tuple(h for hexes in met.stretches for h in hexes)
        return Sight(a, b, hexes, not walls, rulings, walls[0] if walls else None)

    def overlays(self, state: State, decision: Decision) -> tuple[Overlay, ...]:
        hexes = {option.hex: "" for option in decision.options if option.hex is not None}
        return (Overlay("options", msg("where"), hexes),) if hexes else ()

    def layers(self, state: State, side: Side) -> tuple[Layer, ...]:
        return ()

    def inspect(self, state: State, hex: Hex) -> tuple[Ruling, ...]:
        terrain = self.board.terrain(hex)
        return (rule("4.6" if terrain == "bosco" else "3.1", terrain),)

    def position(self, given: Mapping[str, Any]) -> State:
        state = self.start("cortile", {})
        replace = msgspec.structs.replace
        units = dict(state.units)
        for name, spot in given.get("unità", {}).items():
            units[name] = replace(units[name], hex=self.at(spot), hidden=False)
        turn = given.get("turno", RED)
        return replace(state, units=units, phase="turn", turn=turn)

    def player(self, level: str) -> Player:
        return RandomPlayer()

    def invariants(self, state: State) -> Iterator[str]:
        for u in state.units.values():
            if u.steps < 0:
                yield f"{u.id} has {u.steps} steps"
        cards = state.deck.total + sum(len(hand) for hand in state.hands.values())
        if cards > len(CARDS):
            yield f"{cards} cards"
        for h in {u.hex for u in state.units.values() if u.steps and u.hex and not u.hidden}:
            here = [u for u in state.units.values() if u.hex == h and u.steps and not u.hidden]
            if len(here) > 3:
                yield f"{len(here)} units in {h}"

    def validate(self, path: Path) -> tuple[Fault, ...]:
        try:
            load_board(path, ("aperto", "muro", "bosco"), ())
        except DataErrors as errors:
            return errors.faults
        return ()


def asked_locator(decision: Decision) -> str:
    return decision.ruling.refs[0].partition(":")[2]
