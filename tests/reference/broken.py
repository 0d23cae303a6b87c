"""The reference title with one thing wrong in each variant; every oracle must catch its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place, unit
from engine.core.dice import D6, Dice, Each
from engine.core.hexes import Hex
from engine.core.rules import Roll, Ruling, Side
from engine.core.title import Outcome
from engine.core.view import View
from tests.reference import BLUE, RED, LostStep, Reference, State, Unit, rule

replace = msgspec.structs.replace


class Crashes(Reference):
    def react(self, ctx: Ctx[State], name: str) -> None:
        raise ZeroDivisionError


class AsksNothing(Reference):
    def react(self, ctx: Ctx[State], name: str) -> None:
        nobody: list[Choice[str]] = []
        ctx.choose("broken.who-fires", BLUE, nobody, "3.2", "who fires?")


class OffersTwice(Reference):
    def fire(self, ctx: Ctx[State], name: str) -> None:
        ctx.choose("broken.who", RED, [unit("r1", 1), unit("r1", 2)], "4.1", "who?")


class NeverEnds(Reference):
    def outcome(self, state: State) -> Outcome | None:
        return None


class BreaksAnInvariant(Reference):
    def invariants(self, state: State) -> Any:
        if state.round > 1:
            yield "round 2 is forbidden here"


class ChangesWithoutEvent(Reference):
    def search(self, ctx: Ctx[State], name: str) -> None:
        ctx.state = replace(ctx.state, passed=0, round=ctx.state.round)
        one = ctx.state.units[name]
        ctx.state = replace(
            ctx.state, units={**ctx.state.units, name: replace(one, steps=one.steps + 1)}
        )


class RefusesWithoutRule(Reference):
    def step_fault(self, state: State, one: Unit, to: Hex) -> Ruling | None:
        if to in self.board.grid and self.board.terrain(to) == "bosco":
            return rule((), "no reason")
        return super().step_fault(state, one, to)


class ShowsTheHiddenUnit(Reference):
    def view(self, state: State, side: Side) -> View:
        seen = super().view(state, side)
        hidden = state.units["b3"].hex
        return replace(seen, marks={"nascosta": ()} if hidden == self.at("D2") else {})


class LosesAnOption(Reference):
    """An answer that lies on no hex of the map."""

    def activate(self, ctx: Ctx[State]) -> None:
        ctx.choose(
            "broken.needless-question",
            ctx.state.turn,
            [place("A1", 1, hex=Hex(-9, 0))],
            "2.1",
            "a needless question",
        )
        super().activate(ctx)


class LosesACounter(Reference):
    """A counter that lies on no hex of the map."""

    def view(self, state: State, side: Side) -> View:
        seen = super().view(state, side)
        first, *others = seen.counters
        return replace(seen, counters=(replace(first, hex=Hex(-9, 0)), *others))


class BelievesTooMuch(Reference):
    def belief(self, state: State, side: Side) -> State:
        return state if side == RED else super().belief(state, side)


class OptionsKnowTooMuch(Reference):
    """An option goes missing where the hidden unit is."""

    def activate(self, ctx: Ctx[State]) -> None:
        spots = [place("A1", 1), place("A2", 2)]
        if ctx.state.turn == RED and ctx.state.units["b3"].hex == self.at("D2"):
            spots.pop()
        ctx.choose("broken.needless-question", ctx.state.turn, spots, "2.1", "a needless question")
        super().activate(ctx)


class RefusedByTheHiddenUnit(Reference):
    """What may be answered becomes a refusal where the hidden unit is."""

    def why_not_act(self, state: State, name: str) -> Any:
        yield from super().why_not_act(state, name)
        hides = state.units["b3"]
        if name == "r2" and hides.hidden and hides.hex == self.at("D2"):
            yield rule("2.1", "something stirs")


class RefusalsKnowTooMuch(Reference):
    """The options are the same for every deal; a unit refused anyway hears one reason more."""

    def why_not_act(self, state: State, name: str) -> Any:
        known = list(super().why_not_act(state, name))
        yield from known
        hides = state.units["b3"]
        if known and state.turn == RED and hides.hidden and hides.hex == self.at("D2"):
            yield rule("2.1", "something stirs")


class RefusalsNameTheHidden(Reference):
    """One reason in either case, but its facts tell where the hidden unit is."""

    def why_not_act(self, state: State, name: str) -> Any:
        hides = state.units["b3"]
        for ruling in super().why_not_act(state, name):
            if state.turn == RED and hides.hidden and hides.hex is not None:
                yield rule("2.1", "not while {hex} stirs", hex=self.board.label(hides.hex))
            else:
                yield ruling


class WhispersMidway(Reference):
    """At rest every deal asks the same; who has begun to move is asked by the hidden unit."""

    def move(self, ctx: Ctx[State], name: str) -> None:
        spots = [place("A1", 1), place("A2", 2)]
        hides = ctx.state.units["b3"]
        if ctx.state.turn == RED and hides.hidden and hides.hex == self.at("D2"):
            spots.pop()
        ctx.choose("broken.midway", ctx.state.turn, spots, "3.1", "a needless question")
        super().move(ctx, name)


class RefusesMidway(Reference):
    """Where one goes is refused by what hides there, though nobody has seen it."""

    def step_fault(self, state: State, one: Unit, to: Hex) -> Ruling | None:
        hides = state.units["b3"]
        if hides.hidden and one.side == RED and to == hides.hex:
            return rule("3.4", "something stirs")
        return super().step_fault(state, one, to)


class NamesTheRefused(Reference):
    """A candidate that is always refused, for one reason, but its own words tell the secret."""

    def activate(self, ctx: Ctx[State]) -> None:
        hides = ctx.state.units["b3"]
        known = "" if hides.hex is None else self.board.label(hides.hex)
        there = known if ctx.state.turn == RED and hides.hidden else ""
        ctx.choose(
            "broken.refused-words",
            ctx.state.turn,
            [place("A1", True), button("no", False, "not towards {hex}", hex=there)],
            "2.1",
            "a needless question",
            why_not=lambda may: None if may else rule("2.1", "not this one"),
        )
        super().activate(ctx)


class Forgetful(Reference):
    """Depends on how often it ran: neither undo nor replay come out the same."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = 0

    def search(self, ctx: Ctx[State], name: str) -> None:
        self.runs += 1
        ctx.cite("5.1", "searched {n} times", n=self.runs)
        super().search(ctx, name)


class RandomOrder(Reference):
    """Offers what a set happens to give first."""

    def hiding_places(self) -> list[str]:
        return list(set(super().hiding_places()))


class _Liar(Each[int]):
    def spread(self, dice: Dice) -> tuple[tuple[int, Fraction], ...]:
        return ((0, Fraction(1, 2)), (1, Fraction(1, 2)))


class LiesAboutOdds(Reference):
    def shoot(self, ctx: Ctx[State], name: str, target: Hex, victims: Side) -> None:
        hits = ctx.roll(
            D6 * 1, _Liar(lambda face: int(face >= 5)), "4.3", "{unit} fires", unit=name
        )
        there = [
            u
            for u in ctx.state.units.values()
            if u.side == victims and u.hex == target and u.steps and not u.hidden
        ]
        if hits and there:
            ctx.do(LostStep(there[0].id), "4.4")


class AllowsTooMuch(Reference):
    """Walls may be entered: the counts change."""

    def step_fault(self, state: State, one: Unit, to: Hex) -> Ruling | None:
        found = super().step_fault(state, one, to)
        return None if found is not None and "3.3" in found.refs[0] else found


class SaysOtherwise(Reference):
    """Cites another rule for the same thing: the golden transcript changes."""

    def pass_the_turn(self, ctx: Ctx[State]) -> None:
        ctx.cite("2.9", "a new line")
        super().pass_the_turn(ctx)


class LosesThings(Reference):
    """A resting state that does not come back from its own entries: loading diverges."""

    def __init__(self) -> None:
        super().__init__()
        self.started = 0

    def start(self, scenario: str, options: Any) -> State:
        self.started += 1
        state = super().start(scenario, options)
        return state if self.started == 1 else replace(state, round=2)


class SaysOneHitMore(Reference):
    """A number that no die and no tally shows."""

    def shoot(self, ctx: Ctx[State], name: str, target: Hex, victims: Side) -> None:
        super().shoot(ctx, name, target, victims)
        rolls = [step.chance for step in ctx.steps if isinstance(step.chance, Roll)]
        hits = sum(face >= 5 for face in rolls[-1].faces)
        ctx.cite("4.3", "{n} hits", n=hits + 1)
