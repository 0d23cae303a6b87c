"""Tide of Iron: squads by number and contents, cards by name, what each side has in hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

import msgspec

from app.presenters.base import (
    CounterLook,
    Face,
    GenericPresenter,
    MarkLook,
    Panel,
    Spread,
    TerrainLook,
    merged,
)
from app.shell.i18n import words_of
from engine.core.ctx import RollRequest
from engine.core.dice import Die
from engine.core.rules import Side, Step
from engine.core.text import N_, NP_, Fact, Msg
from engine.core.view import CounterView, Hand, View
from engine.toi.state import tables
from engine.toi.state.dice import SAVE
from engine.toi.state.tables import UnitType

_ = words_of("toi")

ARMIES: Mapping[str, str] = {"us": N_("USA"), "de": N_("Germany")}
SHORT: Mapping[str, str] = {"us": N_("US"), "de": N_("Ger.")}
FIGURES: Mapping[str, tuple[str, str]] = {
    "regular": (NP_("{n} regular", "{n} regulars"), "R"),
    "elite": (NP_("{n} elite", "{n} elites"), "E"),
    "officer": (NP_("{n} officer", "{n} officers"), "U"),
    "machine_gun": (NP_("{n} machine gun", "{n} machine guns"), "M"),
    "mortar": (NP_("{n} mortar", "{n} mortars"), "T"),
}
"""Figures in words, and as a letter on the counter."""

VEHICLES: Mapping[str, str] = {
    "truck": N_("truck"),
    "half_track": N_("half-track"),
    "tank": N_("tank"),
}
DRIFT = "toi:strategia.lancio-spostamento"
"""The rule of the roll that moves a shot from where it was aimed."""
FILLING = re.compile(r"\d+[a-z]+(-\d+[a-z]+)*")
PART = re.compile(r"(\d+)([a-z]+)")
"""The contents of a squad as an option names them: 3eli-1reg."""

STATES: Mapping[str, str] = {
    "fatigued": N_("Fa"),
    "op fire": N_("Op"),
    "pinned": N_("Pi"),
    "disrupted": N_("Di"),
    "concealed": N_("Co"),
    "light": N_("d1"),
    "heavy": N_("d2"),
    "engineer": N_("En"),
    "anti-tank": N_("A-T"),
    "flamethrower": N_("Fl"),
    "medic": N_("Me"),
}
"""A state in two letters, for the counter; a panel says what they mean."""

DAMAGE: Mapping[str, str] = {"light": N_("light damage"), "heavy": N_("heavy damage")}
DEGREES: Mapping[str, str] = {"light": N_("slight"), "heavy": N_("serious")}
"""The damage of a vehicle; other titles have light and heavy weapons."""

KINDS: Mapping[str, str] = {"truck": N_("TR"), "half_track": N_("HT"), "tank": N_("TK")}
"""A vehicle in two letters, for the counter."""

SOURCES: Mapping[str, str] = {
    "pubblico": N_("from a public source"),
    "ricostruito": N_("reconstructed"),
    "memoria": N_("from memory"),
}
"""Where a number comes from that the book does not print."""

VALUES: Mapping[str, tuple[str, ...]] = {
    N_("movement"): ("pm",),
    N_("range against infantry"): ("raggio", "fanteria"),
    N_("firepower against infantry"): ("fanteria",),
    N_("range against vehicles"): ("raggio", "veicoli"),
    N_("firepower against vehicles"): ("veicoli",),
    N_("armor"): ("blindatura",),
}
"""The values of the reference card, and the keys of their sources."""

THIRDS: Mapping[int, str] = {2: "½", 3: "⅓⅔"}
"""What is left of a number, by its denominator: movement on roads is paid in thirds."""

LADDER = ("none", "figures", "condition", "damage", "lost")
"""The fates of a unit that is fired at, from nothing to the worst."""
WORSE = {"pinned": 1, "disrupted": 2, "light": 1, "heavy": 2}


class ToiPresenter(GenericPresenter):
    """The looks and words of Tide of Iron."""

    title = "toi"
    showpiece = "25-perdite-a-scelta"
    phases = frozenset({"StepBegan", "SideFinished", "TurnBegan", "PhaseBegan"})
    openings = frozenset({"RoundBegan"})
    blows = frozenset({"FigureLost", "UnitLost", "Pinned", "Disrupted", "Routed", "Damaged"})
    verdicts = frozenset({"toi:assalto.8-fallito#fallisce", "toi:assalto.9-ritirata#riesce"})
    values: ClassVar[Mapping[str, str]] = {
        "aperta": N_("no, in the open"),
        "segreta": N_("yes, in secret"),
        "stato-seguente": N_("to the next status phase"),
        "round-intero": N_("a whole round more"),
    }

    terrains: ClassVar[Mapping[str, TerrainLook]] = {
        "flooded river": TerrainLook("#9dbfc4", "#4d84a0", "~", "~ ≋ ~  "),
    }
    marks: ClassVar[Mapping[str, MarkLook]] = {
        "command objective": MarkLook("✶", "*", "#b08d00"),
        "victory objective": MarkLook("⚑", "V", "#8c3b2a"),
        "reinforcement zone": MarkLook("▸", ">", "#333333"),
    }

    # --- words ------------------------------------------------------------------------------

    def name(self, key: str, id: str) -> str:
        """Sides, squads, vehicles, figures, cards and decks by the names that players use."""
        kind, colon, rest = id.partition(":")
        if colon and len(kind) == 1:
            return self.name(kind, rest)
        if id[:2] in ARMIES and (id in ARMIES or id[2:].isdigit()):
            return f"{_(ARMIES[id[:2]])} {id[2:]}".strip()
        if key == "scenario" and id in tables.scenarios():
            return tables.scenarios()[id].name
        if key == "state" and id in DAMAGE:
            return _(DAMAGE[id])
        if key == "damage" and id in DEGREES:
            return _(DEGREES[id])
        if key == "b" and FILLING.fullmatch(id):
            parts = [(tables.unit_type("us", code).id, int(n)) for n, code in PART.findall(id)]
            return ", ".join([self._several(figure, n) for figure, n in parts])
        if key == "step" and not id:
            return _("it begins")
        if key == "feature" and id == "road":
            return _("road")
        return printed(id) or self._numbered(id) or super().name(key, id)

    def _numbered(self, id: str) -> str:
        """What has a number of its own: a squad, a vehicle, a fortification."""
        nation, dash, number = id.partition("-")
        if dash and nation in ARMIES and number.isdigit():
            return self._unit(id, nation, number)
        code, _dash, place = number.rpartition("-")
        if f"{nation}_{code}" in tables.UNITS:
            return self._vehicle(f"{nation}_{code}", place)
        return f"{nation} {number}" if dash and nation in ("trincea", "bunker") else ""

    def _vehicle(self, type: str, number: str) -> str:
        """A vehicle by its number and its make: what class it is, its counter says."""
        return _("{make} no. {number}", make=make(tables.UNITS[type]), number=number)

    def _unit(self, id: str, nation: str, number: str) -> str:
        counter = self._counters.get(id)
        army = _(SHORT[nation])
        if counter is not None and counter.kind in VEHICLES:
            vehicle = _(VEHICLES[counter.kind])
            return _("{vehicle} {number}, {army}", vehicle=vehicle, number=number, army=army)
        return _("squad {number}, {army}", number=number, army=army)

    def say(self, msg: Msg) -> str:
        """A message; equal figures are counted, movement points are whole and thirds."""
        facts = {key: self._counted(fact) for key, fact in msg.facts.items()}
        said = super().say(Msg(msg.id, facts))
        source = SOURCES.get(str(msg.facts.get("source", "")))
        return f"{said} ({_(source)})" if source else said

    def _counted(self, fact: Fact) -> Fact:
        if isinstance(fact, Fraction) and fact.denominator in THIRDS:
            whole, rest = divmod(fact.numerator, fact.denominator)
            return f"{whole or ''}{THIRDS[fact.denominator][rest - 1]}"
        if not isinstance(fact, tuple):
            return fact
        counts = Counter(str(item) for item in fact)
        return ", ".join([self._several(item, n) for item, n in counts.items()])

    def _several(self, item: str, count: int) -> str:
        figure = tables.UNITS.get(item)
        if figure is not None and figure.kind in FIGURES:
            return _(FIGURES[figure.kind][0], n=count)
        if figure is not None and count > 1:
            return f"{count} {make(figure)}"
        return self.name("", item) if count == 1 else f"{count} {self.name('', item)}"

    def side_name(self, side: Side) -> str:
        """A side in words."""
        return self.name("side", side)

    # --- counters ---------------------------------------------------------------------------

    def counter(self, counter: CounterView) -> CounterLook:
        """Number and figures on the first line, states on the second."""
        look = super().counter(counter)
        number = counter.id.rpartition("-")[2][:2]
        shown = " ".join([_(STATES[state]) for state in counter.states if state in STATES])
        return CounterLook(
            look.colour,
            look.ink,
            look.army,
            f"{number:<2}{contents(counter)}",
            look.name,
            "",
            shown,
            look.words,
        )

    def detail(self, counter: CounterView) -> str:
        """What a squad holds, and its states."""
        figures = counter.facts.get("figures", ())
        held = self._counted(figures) if isinstance(figures, tuple) and figures else ""
        states = ", ".join(self.states(counter))
        return "; ".join([part for part in (str(held), states) if part])

    def states(self, counter: CounterView) -> list[str]:
        """Ready, where nothing else is to be said."""
        return super().states(counter) or [_("ready")]

    def card(self, counter: CounterView) -> tuple[str, ...]:
        """Contents, states, firepower, and which values are not the book's."""
        lines = self.detail(counter).split("; ")
        power = counter.facts.get("firepower")
        if power:
            lines.append(_("firepower {power}", power=power))
        return (*lines, *doubts(counter))

    # --- the table --------------------------------------------------------------------------

    def headline(self, view: View) -> tuple[str, ...]:
        """Round, phase, who holds what is fought for, actions left, command."""
        tracks = {track.id: track for track in view.tracks}
        game = tracks["round"]
        parts = [f"{self.say(game.name)} {game.value}/{game.last}", self.say(view.phase)]
        parts += self._standing(view)
        for kind, words in (("actions", N_("actions: {left}")), ("command", N_("command: {left}"))):
            left = [
                f"{self.name('side', str(t.side))} {t.value}"
                for t in view.tracks
                if t.id.startswith(f"{kind}-")
            ]
            if left:
                parts.append(_(words, left=", ".join(left)))
        return tuple(parts)

    def _standing(self, view: View) -> list[str]:
        """Points, or how many of the victory objectives either side holds."""
        known = getattr(view, "known", None)
        scenario = tables.scenarios().get(known.scenario) if known is not None else None
        if known is None or scenario is None:
            return []
        if isinstance(scenario.victory, tables.PointsVictory):
            count = {side: army.points for side, army in known.armies.items()}
            words = N_("points: {held}")
        else:
            count = dict.fromkeys(known.armies, 0)
            for one in scenario.victory_objectives:
                side = known.control.get(one.hex)
                if side in count:
                    count[side] += 1
            words = N_("objectives: {held}")
        held = ", ".join([f"{self.name('side', side)} {n}" for side, n in count.items()])
        return [_(words, held=held)]

    def panels(self, view: View) -> tuple[Panel, ...]:
        """One for each side: command, initiative, points, cards with costs and texts."""
        found = []
        sides = [t.side for t in view.tracks if t.id.startswith("command-") and t.side]
        values = {track.id: track.value for track in view.tracks}
        holder = next((t.side for t in view.tracks if t.id == "initiative"), None)
        for side in sorted(sides, key=lambda one: one != view.side[:2]):
            lines = [
                _("Command: {n}", n=values.get(f"command-{side}", 0)),
                _("On the initiative card: {n}", n=values.get(f"initiative-{side}", 0)),
                _("Victory points: {n}", n=values.get(f"points-{side}", 0)),
            ]
            if holder == side:
                lines.append(_("Has the initiative"))
            for hand in view.hands:
                if hand.side == side:
                    lines += self._hand(hand)
            found.append(Panel(side, self.name("side", side), tuple(lines)))
        known = getattr(view, "known", None)
        scenario = tables.scenarios().get(known.scenario) if known is not None else None
        if scenario is not None:
            found.append(Panel("victory", _("Victory"), tuple(self._victory(scenario))))
        found.append(Panel("letters", _("On counters"), tuple(self._letters())))
        return tuple(found)

    def _letters(self) -> Iterator[str]:
        """What the letters on counters mean."""
        for words, letter in FIGURES.values():
            yield f"{letter:<4}{_(words, n=1).removeprefix('1 ')}"
        for kind, code in KINDS.items():
            yield f"{_(code):<4}{_(VEHICLES[kind])}"
        for state, code in STATES.items():
            yield f"{_(code):<4}{self.name('state', state)}"

    def _hand(self, hand: Hand) -> list[str]:
        lines = [f"{self.say(hand.name)}: {hand.size}"]
        for id in hand.cards:
            card = tables.CARDS.get(id)
            if card is not None:
                phase = _("action card") if card.phase == "action" else _("command card")
                ours = sourced(card.provenance)
                cost = _("cost {cost}", cost=card.cost)
                lines.append(f"  {card.name} · {phase} · {cost}{ours}")
                lines.append(f"    {card.text}")
            elif id in tables.OPERATIONS:
                order = tables.OPERATIONS[id]
                lines += [f"  {order.name}{sourced(order.provenance)}", f"    {order.text}"]
        return lines

    def briefing(self, scenario: str) -> tuple[str, ...]:
        """Length, difficulty, how it is won, the forces of either side."""
        known = tables.scenarios()
        found = known.get(scenario) or known.get(scenario.rpartition("-")[0])
        if found is None:
            return ()
        lines = [
            _("Length: {rounds} rounds", rounds=found.rounds),
            _("Difficulty: {level} of 3", level=found.complexity),
            *self._origin(found),
            "",
            *self._victory(found),
            "",
        ]
        for nation, divisions in found.forces.items():
            name = self.name("side", nation)
            bases = sum(force.bases for force in divisions.values())
            lines.append(f"{name}: " + _("{number} squads", number=bases))
            figures: Counter[str] = Counter()
            for force in divisions.values():
                figures.update({f"{nation}_{code}": n for code, n in force.figures.items()})
                figures.update({f"{nation}_{code}": n for code, n in force.vehicles.items()})
            lines.append("  " + ", ".join([self._several(item, n) for item, n in figures.items()]))
            decks = ", ".join(tables.DECKS[deck].name for deck in found.decks.get(nation, ()))
            lines += ["  " + _("decks: {decks}", decks=decks)] if decks else []
        for more in found.reinforcements:
            side = self.name("side", more.side)
            lines.append(_("Reinforcements: {side}, end of round {round}", side=side,
                           round=more.round))  # fmt: skip
        return tuple(lines)

    def _origin(self, scenario: tables.ScenarioData) -> list[str]:
        if scenario.provenance not in SOURCES:
            return []
        return [_("Scenario: {source}", source=_(SOURCES[scenario.provenance]))]

    def _victory(self, scenario: tables.ScenarioData) -> list[str]:
        hexes = ", ".join(one.hex for one in scenario.victory_objectives)
        victory = scenario.victory
        if isinstance(victory, tables.PointsVictory):
            return [_("Victory objectives: {hexes}. Most points at the end win.", hexes=hexes)]
        facts = {"side": self.name("side", victory.side), "other": self.name("side", victory.other)}
        return [
            _("Victory objectives: {hexes}.", hexes=hexes),
            _("{side} wins at once with {instant} of them, at the end with {final}; else {other}.",
              instant=victory.instant, final=victory.final, **facts),
        ]  # fmt: skip

    # --- dice -------------------------------------------------------------------------------

    def faces(self, step: Step, names: Sequence[str], after: Sequence[Step]) -> tuple[Face, ...]:
        """Black dice hit with what the roll says, red ones save."""
        need = step.ruling.msg.facts.get("need")
        found = []
        for face in super().faces(step, names, after):
            least = SAVE if face.name == "red" else need
            hits = int(face.text) >= least if isinstance(least, int) else None
            found.append(msgspec.structs.replace(face, succeeds=hits))
        return tuple(found)

    def die_role(self, die: Die, request: RollRequest) -> str:
        """Black dice attack, red ones cover; of a shot that drifts they tell how far and where."""
        if request.ruling.refs[0].startswith(DRIFT):
            return {"black": _("distance"), "red": _("direction")}[die.name]
        return {"black": _("attack"), "red": _("cover")}.get(die.name, "")

    # --- odds -------------------------------------------------------------------------------

    def results(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """What befalls a unit, from nothing to the worst; of an assault, who has the hex."""
        if is_assault(odds):
            hex, cleared = str(odds[0][0].facts["hex"]), self.chance(odds) or Fraction(0)
            found = ((_("{hex} is cleared", hex=hex), cleared),
                     (_("{hex} holds", hex=hex), 1 - cleared))  # fmt: skip
            return tuple([(said, share) for said, share in found if share])
        if any(fate(result) not in LADDER for result, _share in odds):
            return super().results(odds)
        rungs = sorted(odds, key=lambda one: rung(one[0]))
        return merged((self.say(result), share) for result, share in rungs)

    def at_least(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """What befalls a unit is a ladder: each rung says "or worse"; losses of an assault."""
        if is_assault(odds):
            return self._losses(odds)
        if any(fate(result) not in LADDER for result, _share in odds):
            return ()
        rungs = [one for one in sorted(odds, key=lambda one: rung(one[0]))
                 if fate(one[0]) != LADDER[0]]  # fmt: skip
        found = []
        for place, (result, _share) in enumerate(rungs[:-1]):
            total = sum((part for _result, part in rungs[place:]), Fraction(0))
            found.append((_("{what}, or worse", what=self.say(result)), total))
        return tuple(found)

    def _losses(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """The losses of either side in an assault."""
        found = []
        for key, words in (
            ("mine", N_("at least {number} of our figures lost")),
            ("theirs", N_("at least {number} enemy figures killed")),
        ):
            most = max((int(str(r.facts[key])) for r, _p in odds), default=0)
            for number in range(1, most + 1):
                share = sum((p for r, p in odds if int(str(r.facts[key])) >= number), Fraction(0))
                found.append((_(words, number=number), share))
        return tuple(found)

    def chance(self, odds: Spread) -> Fraction | None:
        """How probable it is that the target suffers, the hex is cleared, the call gets through."""
        quiet = (LADDER[0], "holds", "silence", "unhealed")
        if any(not fate(result) for result, _share in odds):
            return None
        return sum((share for result, share in odds if fate(result) not in quiet), Fraction(0))

    def chance_of(self, odds: Spread) -> str:
        """What that is the chance of."""
        fates = {fate(result) for result, _share in odds}
        for some, words in (
            ({"holds", "cleared"}, N_("clears the hex")),
            ({"silence", "contact"}, N_("makes contact")),
            ({"unhealed", "recovers"}, N_("a figure recovers")),
        ):
            if fates <= some:
                return _(words)
        return super().chance_of(odds)


def is_assault(odds: Spread) -> bool:
    """Whether results are those of an assault."""
    return bool(odds) and all(fate(result) in ("holds", "cleared") for result, _share in odds)


def fate(result: Msg) -> str:
    """What became of a unit, of a hex or of a call, as the title names it."""
    return str(result.facts.get("fate", ""))


def rung(result: Msg) -> tuple[int, int]:
    """How bad a result is."""
    facts = result.facts
    word = str(facts.get("condition", facts.get("damage", "")))
    number = facts.get("n", WORSE.get(word, 0))
    return LADDER.index(fate(result)), number if isinstance(number, int) else 0


def printed(id: str) -> str:
    """The name on a card, a deck or a piece; empty for anything else."""
    for named in (tables.CARDS, tables.DECKS, tables.OPERATIONS):
        if id in named:
            return named[id].name
    return figure_name(tables.UNITS[id]) if id in tables.UNITS else ""


def contents(counter: CounterView) -> str:
    """A squad as letters, a vehicle as two letters of its type."""
    figures = counter.facts.get("figures", ())
    if counter.kind != "squad" or not isinstance(figures, tuple):
        return _(KINDS.get(counter.kind, counter.kind))[:4]
    order = list(FIGURES)
    kinds = sorted([tables.UNITS[str(f)].kind for f in figures], key=order.index)
    return "".join([FIGURES[kind][1] for kind in reversed(kinds)])


def sourced(source: str) -> str:
    """The source of a record, in brackets, when it is not the book."""
    return f" ({_(SOURCES[source])})" if source in SOURCES else ""


def doubts(counter: CounterView) -> Iterator[str]:
    """Which values of a unit the book does not print, by their source."""
    nation, _dash, rest = counter.id.partition("-")
    held = counter.facts.get("figures") or (f"{nation}_{rest.rpartition('-')[0]}",)
    for id in dict.fromkeys(held if isinstance(held, tuple) else ()):
        line = tables.UNITS.get(str(id))
        if line is None:
            continue
        shown = {
            N_("movement"): True,
            N_("range against infantry"): line.infantry is not None,
            N_("firepower against infantry"): line.infantry is not None,
            N_("range against vehicles"): line.vehicles is not None,
            N_("firepower against vehicles"): line.vehicles is not None,
            N_("armor"): line.is_vehicle,
        }
        for source, words in SOURCES.items():
            found = [
                _(value)
                for value, keys in VALUES.items()
                if shown[value] and line.source(*keys) == source
            ]
            if found:
                yield f"{figure_name(line)}, {_(words)}: " + ", ".join(found)


def figure_name(figure: UnitType) -> str:
    """A figure in a word, a vehicle by its full name."""
    if figure.kind not in FIGURES:
        return figure.name
    return _(FIGURES[figure.kind][0], n=1).removeprefix("1 ")


def make(vehicle: UnitType) -> str:
    """A vehicle by its make, without its class: the same for one and for many."""
    return vehicle.name.partition(" ")[2]


PRESENTER = ToiPresenter
