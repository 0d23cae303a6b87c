"""States for example files. The form of `posizione`, every key optional:

    mappa: prato               # a map of data/maps; prato is an open field
    terreno: {E5: woods, F5: open 1, G5: woods 2}     # replaces the printed terrain
    strade: [[A1, B1, C1]]
    scenario: toi-s1           # whose zones, deployment area and victory apply
    giocatori: 2               # 3: us1 us2 against de; 4: us1 us2 against de1 de2
    fase: action               # set-up, action, command or status
    passo: ""                  # a step of the phase; empty for its beginning
    round: 1
    rounds: 8
    turno: us                  # who takes the action turn (phase action)
    azioni: {us: 3, de: 3}     # per action turn
    iniziativa: us
    us: {us-1: D5 4reg, us-m4-1: H7 m4 light}
    de: {de-1: F5 2reg 1mg op pinned, de-2: su:de-opel-1 4reg, de-opel-1: F6 opel}
    segnalini: {trench: [F5], razor wire: [E5], smoke: [G5]}
    obiettivi: {F6: neutral 1, E4: victory, H6: victory 1, F3: de 2}
    controllo: {F6: us}
    comando: {us: 3}           # available command
    iniziativa_carta: {us: 2}  # command on the initiative card
    pv: {us: 1}
    mazzi: {us: [mor1, com1]}  # whole decks
    mano: {us: [com1-01]}      # in the headquarters; taken out of the decks
    area: {us: [art1-03]}      # in the play area
    operazioni: {de: [op-01]}
    asso: {de: de-tig-1}
    finito: [de]               # players whose Action Phase is over
    riserva: {us: {1: 2basette 1mg 6reg 1m4}}  # still to be built (set-up, squads to build)
    rinforzi: [{fine_round: 3, lato: us, divisione: 1, forza: 1basette 1mg 2reg}]
    zona: {us: [C5]}           # where reinforcements enter
    opzioni: {fumo: round-intero}

A unit is its id and words in any order: the hex, or `su:` and the vehicle that carries it; the
figures (`2reg 1mg`) or the code of a vehicle (`m4`); then fatigued, op, pinned, disrupted, light,
heavy, concealed, a specialization (engineer, anti-tank, flamethrower, medic), `in:` and the
fortification, `div2`. Fortifications are called trincea-1, trincea-2, bunker-1 … in the order in
which they are written. In the phase `action` the side of `turno` is about to take an action.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from engine.core.data import DataErrors, Fault, unknown_word
from engine.core.pools import Pool
from engine.core.rules import Side
from engine.core.text import N_, Msg, msg
from engine.toi.rules.activation import TURNS
from engine.toi.rules.ground import Ground
from engine.toi.state import tables
from engine.toi.state.state import (
    BUNKER,
    DE,
    FATIGUED,
    NATIONS,
    OP_FIRE,
    SMOKE,
    TRENCH,
    US,
    Army,
    Arrival,
    Force,
    Fort,
    Objective,
    Played,
    State,
    Unit,
)

KEYS = frozenset(
    [
        "mappa",
        "terreno",
        "strade",
        "scenario",
        "giocatori",
        "fase",
        "passo",
        "round",
        "rounds",
        "turno",
        "azioni",
        "iniziativa",
        "us",
        "de",
        "segnalini",
        "obiettivi",
        "controllo",
        "comando",
        "iniziativa_carta",
        "pv",
        "mazzi",
        "mano",
        "area",
        "operazioni",
        "asso",
        "finito",
        "riserva",
        "rinforzi",
        "zona",
        "opzioni",
    ]
)
CONDITIONS = ("pinned", "disrupted")
DAMAGES = ("light", "heavy")
TOKENS = ("engineer", "anti-tank", "flamethrower", "medic")
PHASES = ("set-up", "command", "action", "status")
WORDS = (*CONDITIONS, *DAMAGES, *TOKENS, "op", "fatigued", "concealed", "div1", "div2")
_FIGURES = re.compile(r"([1-4])([a-z]+)")
_PIECES = re.compile(r"([0-9]+)([a-z][a-z0-9]*|251)\b")

SEATS: dict[str, dict[Side, tuple[Side, ...]]] = {
    "2": {US: (US,), DE: (DE,)},
    "3": {US: ("us1", "us2"), DE: (DE,)},
    "4": {US: ("us1", "us2"), DE: ("de1", "de2")},
}
"""The players of a game of two, three or four."""


class _Reader:
    """Reads the form and gathers what is wrong with it."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.faults: list[Fault] = []

    def fault(self, path: str, message: Msg) -> None:
        self.faults.append(Fault("posizione", f"$.posizione.{path}", 1, message))

    def text(self, key: str, default: str) -> str:
        value = self.given.get(key)
        return default if value is None else str(value)

    def number(self, key: str, default: int) -> int:
        text = self.text(key, str(default))
        if not text.lstrip("-").isdigit():
            self.fault(key, msg(N_("{value} is not a number"), value=text))
            return default
        return int(text)

    def one_of(self, key: str, default: str, allowed: Collection[str]) -> str:
        text = self.text(key, default)
        return text if self.known(key, text, allowed) else default

    def known(self, path: str, value: str, allowed: Collection[str]) -> bool:
        if value in allowed:
            return True
        text = N_("{value} is not one of: {allowed}")
        self.fault(path, msg(text, value=value, allowed=tuple(allowed)))
        return False

    def table(self, key: str) -> dict[str, Any]:
        value = self.given.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(key, msg(N_("A mapping is expected")))
            return {}
        return {str(name): item for name, item in value.items()}

    def names(self, value: Any) -> tuple[str, ...]:
        return tuple(str(item) for item in value or ())

    def state(self) -> State:
        overlays = tuple((label, str(text)) for label, text in self.table("terreno").items())
        roads = tuple(self.names(line) for line in self.given.get("strade") or ())
        map_id = self.map_id()
        field = Ground(tables.board(map_id, overlays, roads))
        seats = SEATS[self.one_of("giocatori", "2", SEATS)]
        phase = self.one_of("fase", "action", PHASES)
        turn = self.one_of("turno", US, NATIONS)
        self.one_of("iniziativa", US, NATIONS)
        acts = self.actions()
        units = {
            name: self.unit(field, side, name, str(words))
            for side in NATIONS
            for name, words in self.table(side).items()
        }
        forts, obstacles, smoke = self.markers(field)
        self.check()
        self.check_units(field, units, forts)
        done = self.names(self.given.get("finito"))
        step, left, queue = self.moment(phase, turn, seats, acts, done)
        return State(
            scenario=self.text("scenario", "toi-s1"),
            map=map_id,
            phase=phase,
            step=step,
            turn=turn,
            initiative=self.text("iniziativa", US),
            round=self.number("round", 1),
            rounds=self.number("rounds", 8),
            seats=seats,
            actions=acts,
            left=left,
            armies={side: self.army(side, seats[side][0]) for side in NATIONS},
            units=units,
            forts=forts,
            obstacles=obstacles,
            smoke=smoke,
            objectives=dict(self.objectives(field)),
            control={str(k): str(v) for k, v in self.table("controllo").items()},
            reserve={side: tuple(self.reserve(side)) for side in NATIONS},
            arrivals=tuple(self.arrivals()),
            zones={side: self.names(labels) for side, labels in self.table("zona").items()},
            done=done,
            queue=queue,
            overlays=overlays,
            roads=roads,
            options={str(k): str(v) for k, v in self.table("opzioni").items()},
        )

    def map_id(self) -> str:
        """The map; what follows needs it, so faults so far are told at once if there is none."""
        for key in self.given:
            if key not in KEYS:
                self.fault(str(key), msg(N_("Unknown key {key}"), key=str(key)))
        found = self.text("mappa", "prato")
        if found not in tables.map_ids():
            self.fault("mappa", msg(N_("There is no map called {name}"), name=found))
            self.check()
        return found

    def actions(self) -> dict[Side, int]:
        """The actions of each side per turn."""
        given = self.table("azioni")
        for side in given:
            self.known(f"azioni.{side}", side, NATIONS)
        return {side: int(str(given.get(side, 3))) for side in NATIONS}

    def moment(
        self,
        phase: str,
        turn: Side,
        seats: dict[Side, tuple[Side, ...]],
        acts: dict[Side, int],
        done: tuple[Side, ...],
    ) -> tuple[str, dict[Side, int], tuple[Side, ...]]:
        """The step of the phase, the actions left and those who are still to act."""
        step = self.text("passo", "")
        if phase == "action" and not step:
            share = acts[turn] if len(seats[turn]) == 1 else -(-acts[turn] // 2)
            return TURNS, {seat: share for seat in seats[turn] if seat not in done}, ()
        if not step:
            return step, {}, ()
        first = self.text("iniziativa", US)
        return step, {}, (*seats[first], *seats[DE if first == US else US])

    def reserve(self, side: Side) -> Iterator[Force]:
        """What a side has still to build."""
        for division, words in (self.table("riserva").get(side) or {}).items():
            yield self.force(f"riserva.{side}", side, division, str(words))

    def unit(self, field: Ground, side: Side, name: str, words: str) -> Unit:
        values: dict[str, Any] = {}
        figures: list[str] = []
        kind = "squad"
        for word in words.split():
            found = _FIGURES.fullmatch(word)
            if word in field.hex:
                values["hex"] = word
            elif word.startswith("su:"):
                values["aboard"] = word[3:]
            elif word.startswith("in:"):
                values["fort"] = word[3:]
            elif f"{side}_{word}" in tables.UNITS:
                kind = f"{side}_{word}"
            elif found and f"{side}_{found[2]}" in tables.UNITS:
                figures += [f"{side}_{found[2]}"] * int(found[1])
            elif word in CONDITIONS:
                values["condition"] = word
            elif word in DAMAGES:
                values["damage"] = word
            elif word in TOKENS:
                values["token"] = word
            elif word in ("op", "fatigued"):
                values["activation"] = OP_FIRE if word == "op" else FATIGUED
            elif word == "concealed":
                values["concealed"] = True
            elif word in ("div1", "div2"):
                values["division"] = int(word[3:])
            else:
                self.fault(f"{side}.{name}", unknown_word(word, WORDS))
        division = values.pop("division", 1)
        return Unit(name, side, division, kind, figures=tuple(sorted(figures)), **values)

    def check_units(self, field: Ground, units: dict[str, Unit], forts: dict[str, Fort]) -> None:
        for name, unit in units.items():
            path = f"{unit.side}.{name}"
            if unit.is_squad and not unit.figures:
                self.fault(path, msg(N_("{unit} has neither figures nor a type"), unit=name))
            if unit.aboard and unit.aboard not in units:
                self.fault(path, msg(N_("There is no vehicle called {name}"), name=unit.aboard))
            if unit.fort and (unit.fort not in forts or forts[unit.fort].hex != unit.hex):
                self.fault(path, msg(N_("{name} is not in that hex"), name=unit.fort))
        self.check()

    def markers(
        self, field: Ground
    ) -> tuple[dict[str, Fort], dict[str, tuple[str, ...]], dict[str, int]]:
        forts: dict[str, Fort] = {}
        obstacles: dict[str, tuple[str, ...]] = {}
        smoke: dict[str, int] = {}
        for kind, labels in self.table("segnalini").items():
            if kind not in tables.MARKERS:
                self.fault(f"segnalini.{kind}", msg(N_("Unknown key {key}"), key=kind))
                continue
            for label in self.names(labels):
                if label not in field.hex:
                    wrong = msg(N_("{label} is not on the map"), label=label)
                    self.fault(f"segnalini.{kind}", wrong)
                elif kind in (TRENCH, BUNKER):
                    prefix = "bunker" if kind == BUNKER else "trincea"
                    name = f"{prefix}-{1 + sum(fort.kind == kind for fort in forts.values())}"
                    forts[name] = Fort(name, label, kind)
                elif kind == SMOKE:
                    smoke[label] = self.number("round", 1)
                else:
                    obstacles[label] = (*obstacles.get(label, ()), kind)
        return forts, obstacles, smoke

    def objectives(self, field: Ground) -> Iterator[tuple[str, Objective]]:
        for label, text in self.table("obiettivi").items():
            owner, _, value = str(text).partition(" ")
            count = int(value) if value.isdigit() else 0
            if owner == "victory":
                yield label, Objective(victory=True, points=count)
            else:
                yield label, Objective(owner, count)

    def force(self, path: str, side: Side, division: Any, words: str) -> Force:
        bases = 0
        figures: dict[str, int] = {}
        vehicles: dict[str, int] = {}
        for count, code in _PIECES.findall(words):
            kind = tables.UNITS.get(f"{side}_{code}")
            if code == "basette":
                bases = int(count)
            elif kind is None:
                self.fault(path, msg(N_("{word} means nothing here"), word=code))
            elif kind.is_vehicle:
                vehicles[kind.id] = int(count)
            else:
                figures[kind.id] = int(count)
        return Force(int(str(division)), bases, figures, vehicles)

    def arrivals(self) -> Iterator[Arrival]:
        for n, given in enumerate(self.given.get("rinforzi") or ()):
            side = str(given.get("lato", US))
            words, division = str(given.get("forza", "")), given.get("divisione", 1)
            force = self.force(f"rinforzi[{n}]", side, division, words)
            yield Arrival(int(str(given.get("fine_round", 1))), side, force)

    def army(self, side: Side, seat: Side) -> Army:
        hand = self.names(self.table("mano").get(side))
        area = self.names(self.table("area").get(side))
        for name in (*hand, *area):
            if name not in tables.CARDS:
                self.fault(f"mano.{side}", msg(N_("There is no card called {name}"), name=name))
        self.check()
        decks = {}
        for deck in self.names(self.table("mazzi").get(side)):
            cards = [card.id for card in tables.DECKS[deck].cards]
            left = [card for card in cards if card not in hand and card not in area]
            decks[deck] = Pool.of(deck, left)
        played = tuple(
            Played(name, seat, self.number("round", 1) + 1 if self.expires(name) else 0)
            for name in area
        )
        return Army(
            command=int(str(self.table("comando").get(side, 0))),
            initiative=int(str(self.table("iniziativa_carta").get(side, 0))),
            points=int(str(self.table("pv").get(side, 0))),
            decks=decks,
            hand=hand,
            area=played,
            operations=self.names(self.table("operazioni").get(side)),
            ace=str(self.table("asso").get(side, "")),
        )

    def expires(self, name: str) -> bool:
        return bool(tables.CARDS[name].effect.until)

    def check(self) -> None:
        if self.faults:
            raise DataErrors(self.faults)


def position(given: Mapping[str, Any]) -> State:
    """A state built from the `posizione` of an example file; DataErrors if it cannot be."""
    return _Reader(given).state()
