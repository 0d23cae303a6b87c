"""ASL Starter Kit: squads by value and letter, fire counters as letters, the eight phases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from app.presenters.base import (
    AtLeast,
    CounterLook,
    GenericPresenter,
    HexsideLook,
    LineLook,
    MarkLook,
    Panel,
    Spread,
    TerrainLook,
    initials,
    merged,
)
from app.shell.i18n import fraction, words_of
from engine.aslsk.state import tables
from engine.aslsk.state.state import Oba, State
from engine.aslsk.state.tables import PEOPLE, VEHICLES, WEAPONS
from engine.aslsk.table.view import SkView
from engine.core.hexes import Hex
from engine.core.rules import Side, Step
from engine.core.text import N_, Msg
from engine.core.view import CounterView, View

_ = words_of("aslsk")

SHORT: Mapping[str, str] = {
    "american": N_("US"),
    "german": N_("Ger."),
    "russian": N_("Rus."),
    "british": N_("Brit."),
    "italian": N_("It."),
    "allied minor": N_("Min."),
}
PHASES: Mapping[str, str] = {
    "RPh": N_("rally, repairs"),
    "PFPh": N_("Prep Fire of the ATTACKER"),
    "MPh": N_("movement, DFF of the DEFENDER"),
    "DFPh": N_("Final Fire of the DEFENDER"),
    "AFPh": N_("Advancing Fire of the ATTACKER"),
    "RtPh": N_("rout"),
    "APh": N_("advance of the ATTACKER"),
    "CCPh": N_("Close Combat"),
}
"""The sequence of a Player Turn, and what is done in each phase."""

STEPS: Mapping[str, str] = {
    "a": N_("a, reinforcements"),
    "b": N_("b, weapons to pick up"),
    "c": N_("c, repairs"),
    "d": N_("d, weapons to hand over"),
    "e": "e, Self Rally",
    "f": N_("f, rally with a leader"),
    "g": N_("g, vehicles in Shock"),
    "h": N_("h, DM to remove"),
    "smoke": N_("Smoke"),
    "oba": "OBA",
    "fire": N_("fire"),
    "turn": N_("turning weapons"),
    "move": N_("moves"),
    "dc": "DC",
    "rout": N_("rout"),
    "advance": "advance",
    "cc": "CC",
    "first": "",
    "second": "",
}
STATES: Mapping[str, tuple[str, str]] = {
    "broken": ("B", "broken"),
    "DM": ("D", "DM"),
    "pinned": ("P", "Pin"),
    "CX": ("X", "CX"),
    "wounded": ("W", N_("wounded")),
    "Melee": ("M", "Melee"),
    "CC": ("x", "CC"),
    "HIP": ("H", "HIP"),
    "hazardous": ("Z", "Hazardous"),
    "Prep Fire": ("p", "Prep Fire"),
    "First Fire": ("f", "First Fire"),
    "Final Fire": ("F", "Final Fire"),
    "Intensive Fire": ("i", "Intensive Fire"),
    "Bounding Fire": ("b", "Bounding Fire"),
    "moving": (">", N_("moving")),
    "malfunctioned": ("!", N_("malfunctioned")),
    "emplaced": ("E", N_("emplaced")),
    "placed": ("c", N_("placed")),
    "wreck": ("#", N_("wreck")),
    "CE": ("CE", "CE"),
    "BU": ("BU", "BU"),
    "Motion": ("m", "Motion"),
    "bogged": ("g", "Bogged"),
    "Mired": ("G", "Mired"),
    "Immobilized": ("I", "Immobilized"),
    "Shock": ("S", "Shock"),
    "UK": ("U", "UK"),
    "Stun": ("s", "Stun"),
    "+1": ("+", "+1"),
    "Recall": ("R", "Recall"),
    "MA malfunctioned": ("!", N_("MA malfunctioned")),
}
"""A state as a letter on the counter, and in words; the terms of the book stay English."""

ROOM = 6
"""The characters of a line of a counter."""

TIGHT: Mapping[str, str] = {"BU": "", "CE": "C"}
"""Letters where there is no room: a vehicle without a CE counter is BU, as on the table."""

MEANINGS: Mapping[str, str] = {
    "broken": N_("shaken, it only routs and rallies"),
    "DM": N_("Desperation Morale, +4 to rally"),
    "pinned": N_("half FP, no movement this turn"),
    "CX": N_("exhausted, +1 to its attacks, easier in CC"),
    "wounded": N_("3 MF, one worse"),
    "Melee": N_("held in Close Combat"),
    "CC": N_("has advanced into Close Combat"),
    "HIP": N_("hidden, the enemy does not see it"),
    "hazardous": N_("pushes a Gun, -2 against it"),
    "Prep Fire": N_("has fired in the PFPh or AFPh"),
    "First Fire": N_("has fired at movers; again at half FP, near"),
    "Final Fire": N_("has fired twice; only FPF is left"),
    "Intensive Fire": N_("has fired all it can"),
    "Bounding Fire": N_("has fired while moving"),
    "moving": N_("is moving, or entered a hex this turn"),
    "malfunctioned": N_("to be repaired"),
    "emplaced": N_("TEM +2 until it moves"),
    "placed": N_("it explodes in the AFPh"),
    "wreck": N_("TEM +1, hindrance +1"),
    "CE": N_("Crew Exposed, hatches open"),
    "BU": N_("Buttoned Up, hatches closed"),
    "Motion": N_("harder to hit, fires badly"),
    "bogged": N_("stuck until it frees itself"),
    "Mired": N_("stuck worse"),
    "Immobilized": N_("moves no more"),
    "Shock": N_("does nothing until it recovers"),
    "UK": N_("Unconfirmed Kill, recovers or is a wreck"),
    "Stun": N_("does nothing this turn"),
    "+1": N_("was Stunned, +1 to its DR"),
    "Recall": N_("must leave the map"),
    "MA malfunctioned": N_("the gun of the vehicle, to be repaired"),
}
"""What a state means at the table, for the legend."""

ABBREVIATIONS: tuple[tuple[str, str], ...] = (
    ("FP", N_("Firepower")),
    ("MF MP", N_("movement of infantry, of vehicles")),
    ("ROF", N_("Rate of Fire: may fire again")),
    ("PP", N_("Portage Points: weight")),
    ("DR dr", N_("two dice, one die; DRM drm: what changes them")),
    ("MC PTC", N_("Morale Check, Pin Task Check")),
    ("TEM LOS", N_("cover of the terrain, Line of Sight")),
    ("SMC MMC", N_("leader; squad, HS or crew")),
    ("SW MA", N_("Support Weapon; gun of a vehicle")),
    ("MG AT", N_("machine gun; anti-tank Gun")),
    ("AF", N_("armour: front / side and rear")),
    ("TH TK", N_("number to hit, number to kill")),
    ("ITT ATT VTT", N_("Infantry, Area, Vehicle Target Type")),
    ("FFNAM FFMO", N_("-1 to who moves not assaulting, -1 in the open")),
    ("VCA TCA CA", N_("where hull, turret, Gun point: hours of the clock")),
    ("OBA SR FFE", N_("artillery off the map: it adjusts, it fires")),
    ("DFF SFF FPF", N_("defensive fire: first, again, desperate")),
)
"""The abbreviations of the counters and of the resolutions, in the order of use."""

TANKS: Mapping[str, str] = {
    "ge-stug": "SG",
    "ge-psw222": "AC",
    "ru-t34m41": "34",
    "ru-t34m43": "34",
    "ru-t3485": "34",
    "ru-kv1e": "KV",
    "ru-t70": "70",
    "ru-su85": "SU",
    "ru-ba6": "BA",
    "us-m4": "M4",
    "us-m4a1": "4A",
    "us-m5a1": "St",
    "us-m8": "Gr",
    "us-m10": "10",
}
"""Vehicles in two characters, so that they never run into the calibre beside them."""

VALUES: Mapping[str, str] = {
    "torretta": N_("turret type"),
    "misura": N_("target size"),
    "guasto": N_("reliability number"),
    "aamg": "AAMG",
    "pressione": N_("ground pressure"),
    "scoperto": N_("open top, taken as closed"),
    "broken": N_("broken morale"),
    "contatto": N_("radio contact"),
    "range": N_("range"),
    "rof": "ROF",
    "pp": "PP",
    "m": "M#",
}
"""Values of a counter that may be doubtful, as its file names them."""

PARTS: Mapping[str, str] = {
    "ma": "MA",
    "ife": "IFE",
    "bmg": "BMG",
    "cmg": "CMG",
    "rmg": "RMG",
    "aamg": "AAMG",
    "pf": "PF",
    "fp": "FP",
}
WORDS: Mapping[str, str] = {
    "ift": "IFT",
    "H": "HEAT",
    "S": "Smoke",
    "hs": "HS",
    "crew": "Crew",
    "smc": "SMC",
    "fp": "FP",
    "pf1": "PF",
    "pf2": "PF",
}
"""Ids that are shown as the book writes them."""

GROUND: Mapping[str, str] = {"open": "Open Ground", "pinned": "Pin", "smoke": "Smoke"}
"""Ids whose word is another one in other titles."""

BUTTONS: Mapping[str, str] = {
    "fuoco": N_("fire"),
    "nessuno": N_("nobody directs"),
    "attacca": N_("attack"),
    "tieni": N_("keep the ROF"),
    "evita": N_("+2 To Hit"),
    "passa": N_("no fire"),
    "solo": N_("alone"),
}
AIMS: Mapping[str, str] = {
    "ITT": N_("at the infantry"),
    "ATT": N_("at the whole hex"),
    "VTT": N_("at the vehicle"),
    "LATW": N_("with the anti-tank weapon"),
}
"""The ways of a To Hit attack, which the book only abbreviates."""

HATCHES: Mapping[str, str] = {"b:ce": "CE", "b:bu": "BU"}
PANZER = re.compile(r"PzKpfw ([IV]+)(\w)$")
ROMAN: Mapping[str, int] = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6}
CLOCK = (1, 3, 5, 7, 9, 11)
"""Hexspines as hours, the top of the map being twelve."""

LETTERS = "ABCDEFGHIJKMNOPQRSTUVWXYZ"
"""Letters of MMC; L is a leader."""

FOES: tuple[tuple[str, str], ...] = (
    ("dead", N_("enemies eliminated: {number}")),
    ("reduced", N_("enemies reduced: {number}")),
    ("broken", N_("enemies broken: {number}")),
    ("pinned", N_("enemies with a Pin: {number}")),
    ("tanks", N_("enemy vehicles eliminated: {number}")),
    ("stuck", N_("enemy vehicles Immobilized: {number}")),
)
"""What a question counts of the enemy, from the worst; each is said as a ladder."""

HARM: tuple[tuple[str, str], ...] = (
    *FOES,
    ("rallied", N_("units rallied: {number}")),
    ("own_dead", N_("your units eliminated: {number}")),
    ("own_reduced", N_("your units reduced: {number}")),
    ("own_broken", N_("your units broken: {number}")),
    ("own_pinned", N_("your units with a Pin: {number}")),
    ("own_tanks", N_("your vehicles eliminated: {number}")),
    ("own_stuck", N_("your vehicles Immobilized: {number}")),
    ("jammed", N_("weapons malfunctioned: {number}")),
)
"""The same with what the asker gains and suffers."""

VICTORY: Mapping[str, str] = {
    "clear": N_("{side} wins if no Good Order enemy MMC is in {hexes} at the end."),
    "hill": N_("{side} wins with control of {n} of these hexes at the end: {hexes}."),
    "buildings": N_("{side} wins with control of {n} of these buildings at the end: {hexes}."),
    "crossroads": N_(
        "{side} wins with control of {hexes} and a mobile AFV within {radius} of {centre}."
    ),
}


class AslskPresenter(GenericPresenter):
    """The looks and words of ASL Starter Kit."""

    title = "aslsk"
    phases = frozenset({"StepBegan", "PhaseEnded", "MarkersRemoved"})
    openings = frozenset({"TurnOf", "PlayerTurnEnded"})
    blows = frozenset({
        *("Broke", "Replaced", "Eliminated", "Jammed", "Immobilized", "Shocked", "Stunned"),
        *("StunnedAndRecalled", "Wrecked", "Abandoned", "MaJammed", "MaLost", "MaDisabled"),
        *("MgJammed", "MgDisabled"),
    })  # fmt: skip
    voids = frozenset({"aslsk:3.2.1.declare"})
    values: ClassVar[Mapping[str, str]] = {
        "dichiara": N_("yes, declare first"),
        "libera": N_("no, look freely"),
    }

    terrains: ClassVar[Mapping[str, TerrainLook]] = {
        "open": TerrainLook("#cfd39a", "#a9b070", ".", "               ,          ' "),
        "woods": TerrainLook("#7f9b5c", "#3f5e2c", "w", "▴ ↟ ▴↟  "),
        "stone building": TerrainLook(
            "#c3c0b8", "#5a5a60", "S", "", (" ▟▙ ▄▄ ", "▐██▌▐█▌"),
            ("  ▟▙  ▄▄ ", " ▟██▙ ██ ", " █▛▜█ ▀▀▟▙", " ▀▘▝▀ ▐███"),
        ),
        "wooden building": TerrainLook(
            "#d9bf94", "#8a5a30", "W", "", (" ▟▙ ▗▖ ", "▐██▌▐▌ "),
            ("  ▟▙  ▗▖ ", " ▟██▙ ▐▌ ", " █▛▜█ ▝▘▟▙", " ▀▘▝▀ ▐███"),
        ),
        "orchard": TerrainLook("#b3c583", "#4c6a35", "o", "◦   "),
        "grain": TerrainLook("#e0c872", "#a98526", "g", "|'|  "),
        "brush": TerrainLook("#b9b877", "#6f7336", "u", " \" '  "),
    }  # fmt: skip
    hexsides: ClassVar[Mapping[str, HexsideLook]] = {
        "hedge": HexsideLook("#2f5a22", "dots", "h"),
        "same building": HexsideLook("#6b6660", "broken", "s"),
    }
    lines: ClassVar[Mapping[str, LineLook]] = {
        "dirt road": LineLook("#a9834f", "-", thick=False),
        "paved road": LineLook("#8d8a84", "="),
    }
    marks: ClassVar[Mapping[str, MarkLook]] = {
        "smoke": MarkLook("░", "s", "#6d6d6d"),
        "Residual FP": MarkLook("∗", "r", "#a3302b"),
        "control": MarkLook("⚑", "F", "#333333"),
        "objective": MarkLook("✶", "*", "#b08d00"),
        "FFE": MarkLook("⊗", "!", "#8c2f1a"),
        "SR": MarkLook("⊡", "+", "#8c5a1a"),
        "acquired": MarkLook("✛", "a", "#7a2f5a"),
    }
    accents: ClassVar[Mapping[Side, tuple[str, str]]] = {
        "american": ("#3f6b3a", "#ffffff"),
        "german": ("#a9c4d8", "#10202c"),
        "russian": ("#7a4a24", "#ffffff"),
        "british": ("#e0c58a", "#2a1f08"),
        "italian": ("#c9c9c9", "#141414"),
        "allied minor": ("#b8d8a8", "#122010"),
    }

    def __init__(self, sides: tuple[Side, ...] = ()) -> None:
        super().__init__(sides)
        self._names: dict[str, str] = {}
        self._letters: dict[str, str] = {}
        self._types: dict[str, str] = {}
        self._off: dict[str, str] = {}

    def use(self, view: View, after: View | None = None) -> None:
        """Remember the table; letters go to the MMC in the order of battle, both sides."""
        super().use(view, after)
        self._names, self._letters, self._types = {}, {}, {}
        for one in (after, view):
            if isinstance(one, SkView) and one.belief is not None:
                self._read(one.belief)

    def _read(self, state: State) -> None:
        mmc = [unit.id for unit in state.units.values() if unit.is_mmc]
        self._letters |= {id: letter(place) for place, id in enumerate(mmc)}
        for group in (state.units, state.weapons, state.vehicles):
            self._types |= {one.id: one.type for one in group.values()}
        self._names = {id: self._named(id, type) for id, type in self._types.items()}
        ground = state.ground
        self._off = {
            place: ", ".join(in_order(h for h in ground.near[place] if h not in ground.is_off))
            for place in ground.is_off
        }

    # --- words ------------------------------------------------------------------------------

    def name(self, key: str, id: str) -> str:
        """Sides, units, weapons, vehicles and their parts by the names that players use."""
        if id in self._off:
            return _("off the map by {hexes}", hexes=self._off[id])
        return self._named_part(key, id) or self._named_thing(key, id) or super().name(key, id)

    def _named_part(self, key: str, id: str) -> str:
        """What is made of several ids: an option, a part of a vehicle, a way of attacking."""
        kind, colon, rest = id.partition(":")
        if colon and len(kind) == 1:
            return _(BUTTONS[rest]) if kind == "b" and rest in BUTTONS else self.name(kind, rest)
        if colon and rest.partition("-")[0] in PARTS:
            part, dash, ammo = rest.partition("-")
            said = f"{self.name(key, kind)} {PARTS[part]}"
            return said + f" {WORDS.get(ammo, ammo)}" * bool(dash)
        how, dash, rest = id.partition("-")
        if key == "b" and dash and how in AIMS:
            target, _dash, ammo = rest.rpartition("-")
            said = f"{how} {WORDS.get(ammo, ammo)}"
            return f"{said}, {self.name('unit', target)}" if target else said
        if key == "spine":
            return f"{id} " + _("({hour} o'clock)", hour=hour(int(id)))
        if key == "target" and "@" in id:  # a hex and the number of the shot
            return id.partition("@")[0]
        head, dash, ammo = id.rpartition("-")
        if dash and ammo in ("S", "WP") and self._known(head):
            return f"{self._known(head)} {WORDS.get(ammo, ammo)}"
        return ""

    def _counters_named(self, id: str) -> str:
        return " + ".join([self._state(part) for part in id.split(" + ")])

    def _named_thing(self, key: str, id: str) -> str:
        """What has a name of its own: counters, steps, terms of the book, states."""
        if key == "result" and id == "-":
            return _("no effect")
        if key == "counter" and id in PEOPLE:
            return PEOPLE[id].name
        known = self._known(id)
        if known:
            return known
        if key == "step":
            return _(STEPS[id]) if STEPS.get(id) else id
        if id in WORDS or id in GROUND:
            return WORDS.get(id) or GROUND[id]
        if key == "marker":
            return self._counters_named(id) if id else _("no counter")
        if id in STATES:
            return self._state(id)
        words = id.split(" ")
        if key == "unit" and words[0] in STEPS:
            sides = [self.name("side", word) for word in words[1:]]
            return " ".join([self.name("step", words[0]), *sides])
        return ""

    def say(self, msg: Msg) -> str:
        """A message in the words of the book; a doubtful number says where it comes from."""
        said = super().say(msg)
        origin = tables.doubt(msg)
        return f"{said} ({origin_words(origin)})" if origin is not None else said

    def answer(self, option: str, msg: Msg) -> str:
        """A To Hit attack says with what; CE and BU say what they are."""
        if option in HATCHES:
            hatch = HATCHES[option]
            return f"{hatch} · {_(MEANINGS[hatch])}"
        how = option[2:].partition("-")[0]
        if how in AIMS:
            return f"{self.name('b', option[2:])} · {_(AIMS[how])}"
        return super().answer(option, msg)

    def _known(self, id: str) -> str:
        """The name of a counter, on the map or not."""
        if id in self._names:
            return self._names[id]
        type = type_of(id)
        return self._named(id, type) if type else ""

    def _named(self, id: str, type: str) -> str:
        """4-6-7 A, 9-1 Ger., LMG Ger. 2, PzKpfw IVH 1."""
        number = id.removeprefix(type_of(id)).removeprefix("-")
        if type in PEOPLE:
            data = PEOPLE[type]
            if data.is_mmc:
                own = self._letters.get(id) or (
                    letter(int(number) - 1) if number.isdigit() else "A"
                )
                return f"{data.name} {own}"
            return f"{data.name} {_(SHORT[data.nation])} {number}".rstrip()
        if type in WEAPONS:
            weapon = WEAPONS[type]
            nation = "" if weapon.is_gun else _(SHORT[weapon.nation])
            return " ".join([part for part in (weapon.name, nation, number) if part])
        return f"{VEHICLES[type].name} {number}".rstrip() if type in VEHICLES else ""

    def _state(self, id: str) -> str:
        return _(STATES[id][1]) if id in STATES else _(id)

    def side_name(self, side: Side) -> str:
        """A side in words."""
        words = _(side)
        return words[:1].upper() + words[1:]

    # --- counters ---------------------------------------------------------------------------

    def counter(self, counter: CounterView) -> CounterLook:
        """Letter and value of a MMC, value of a leader, kind and value of anything else."""
        army = self.army(counter.side)
        type, strength = self._printed_on(counter)
        states = facing(counter) + state_letters(counter.states)
        if len(states) > ROOM:
            kept = [TIGHT.get(s, state_letters([s])) for s in counter.states]
            states = facing(counter) + "".join(kept)
        return CounterLook(
            army.colour,
            army.ink,
            army.letter,
            type,
            self.name("unit", counter.id),
            strength,
            states,
            ", ".join([self._state(state) for state in counter.states]),
        )

    def _printed_on(self, counter: CounterView) -> tuple[str, str]:
        type = self._types.get(counter.id) or type_of(counter.id)
        strength = "" if counter.strength == "0" else counter.strength
        if type in PEOPLE and PEOPLE[type].is_mmc:
            return self._letters.get(counter.id, "A"), strength
        if type in PEOPLE:
            return "L", strength
        if type in WEAPONS:
            weapon = WEAPONS[type]
            return initials(weapon.grade or weapon.kind, 3), strength
        panzer = PANZER.match(counter.name.id)
        if panzer is not None:
            return f"{ROMAN[panzer[1]]}{panzer[2]}", strength
        return TANKS.get(type) or initials(counter.name.id, 2), strength

    def detail(self, counter: CounterView) -> str:
        """States, what it carries or who carries it, values, where guns point, doubts."""
        facts = counter.facts
        type = self._types.get(counter.id) or type_of(counter.id)
        parts = [", ".join(self.states(counter))]
        held = [c.id for c in self._counters.values() if c.facts.get("owner") == counter.id]
        if held:
            parts.append(_("has {weapons}", weapons=self._list(held)))
        if facts.get("owner"):
            parts.append(_("of {unit}", unit=self.name("unit", str(facts["owner"]))))
        parts.append(values(counter))
        if type in PEOPLE and "broken" not in counter.states:
            parts.append(", ".join(abilities(type)))
        parts.append(pointing(counter))
        if facts.get("acquired") and facts.get("target"):
            target = self.name("unit", str(facts["target"]))
            parts.append(_("acquired {target} {drm}", target=target, drm=facts["acquired"]))
        parts += doubts(type)
        return " · ".join([part for part in parts if part])

    def states(self, counter: CounterView) -> list[str]:
        """As the book calls them."""
        return [self._state(state) for state in counter.states]

    def _list(self, ids: Iterable[str]) -> str:
        return ", ".join([self.name("unit", id) for id in ids])

    def features(self, view: View, hex: Hex) -> list[str]:
        """What runs along the sides of a hex, or through it."""
        board = view.board
        shown = {name for side, names in board.sides.items() if hex in side for name in names}
        shown |= {name for side, names in board.roads.items() if hex in side for name in names}
        return [", ".join([self.name("feature", name) for name in sorted(shown)])] if shown else []

    def stacked(self, counters: Sequence[CounterView]) -> Sequence[CounterView]:
        """Every unit with its weapons after it."""
        return stacked(counters)

    def card(self, counter: CounterView) -> tuple[str, ...]:
        """Each part of what is known of a counter on its line."""
        return tuple(self.detail(counter).split(" · "))

    # --- the table --------------------------------------------------------------------------

    def is_blow(self, step: Step) -> bool:
        """Who is pinned is hurt too."""
        return super().is_blow(step) or step.ruling.msg.facts.get("marker") == "pinned"

    def headline(self, view: View) -> tuple[str, ...]:
        """Turn, phase in words, what is held, casualty points, who attacks, the bar of phases."""
        if not isinstance(view, SkView):
            return super().headline(view)
        now = str(view.phase.facts.get("phase", ""))
        parts = [_("turn {turn}/{last}", turn=view.turn, last=view.turns)]
        parts.append(self.say(view.phase) + (f": {_(PHASES[now])}" if now in PHASES else ""))
        if view.wanted:
            parts.append(_("held {goal} of {wanted}", goal=view.goal, wanted=view.wanted))
        lost = [f"{self.army(side).name} {points}" for side, points in view.lost.items() if points]
        if lost:
            parts.append(_("casualty points: {lost}", lost=", ".join(lost)))
        if view.attacker:
            parts.append(_("{side} attacks", side=self.army(view.attacker).name))
        if now in PHASES:
            parts.append(" ".join([f"[{phase}]" if phase == now else phase for phase in PHASES]))
        return tuple(parts)

    def panels(self, view: View) -> tuple[Panel, ...]:
        """Sequence, victory, letters and abbreviations, artillery, what is off the map."""
        if not isinstance(view, SkView):
            return ()
        short = tuple([f"{word:<11} {_(said)}" for word, said in ABBREVIATIONS])
        found = [
            Panel("sequence", _("Player Turn"), self._sequence(view)),
            Panel("victory", _("Victory"), self._score(view)),
            Panel("letters", _("On counters"), state_legend()),
            Panel("abbreviations", _("Abbreviations"), short),
        ]
        oba = view.belief.oba if view.belief is not None else None
        if oba is not None:
            heading = _("Off-board artillery, {side}", side=self.army(oba.side).name)
            found.append(Panel("oba", heading, self._battery(oba)))
        for side in dict.fromkeys(hand.side for hand in view.hands):
            away = self._off_map(view, side)
            if away:
                heading = _("Off the map, {side}", side=self.army(side).name)
                found.append(Panel(f"away-{side}", heading, away))
        return tuple(found)

    def _sequence(self, view: SkView) -> tuple[str, ...]:
        now = str(view.phase.facts.get("phase", ""))
        lines = [_("Turn {turn} of {last}", turn=view.turn, last=view.turns)]
        if view.attacker:
            lines.append(_("ATTACKER: {side}", side=self.army(view.attacker).name))
        if now not in PHASES:
            lines.append(f"▸ {self.name('phase', now)}")
        for phase, words in PHASES.items():
            lines.append(f"{'▸' if phase == now else ' '} {phase:<4} {_(words)}")
        if view.mover is not None:
            units = self._list(view.mover.units)
            spent = max(view.mover.spent.values(), default=0)
            lines.append(_("{units}: spent {cost}", units=units, cost=fraction(Fraction(spent, 2))))
        if view.router is not None:
            lines.append(_("routing: {unit}", unit=self.name("unit", view.router.unit)))
        return tuple(lines)

    def _score(self, view: SkView) -> tuple[str, ...]:
        lines = []
        card = tables.scenarios().get(view.belief.scenario) if view.belief is not None else None
        if card is not None:
            lines += self._victory(card)
        if view.wanted:
            lines.append(_("Held now: {goal} of {wanted}", goal=view.goal, wanted=view.wanted))
        lines.append(_("As things stand: reached") if view.reached
                     else _("As things stand: not reached"))  # fmt: skip
        for track in view.tracks:
            if track.id != "turn" and track.side:
                lines.append(f"{self.say(track.name)}, {self.army(track.side).name}: {track.value}")
        return tuple(lines)

    def _battery(self, oba: Oba) -> tuple[str, ...]:
        lines = [_("Calibre {calibre}", calibre=oba.calibre)]
        lines.append(_("radio contact") if oba.contact else _("no radio contact"))
        lines.append(_("battery access") if oba.access else _("no access"))
        if oba.sr:
            lines.append(f"SR {oba.sr}")
        if oba.ffe:
            lines.append(f"FFE:{oba.stage} {oba.ffe}")
        return tuple(lines)

    def _off_map(self, view: SkView, side: Side) -> tuple[str, ...]:
        lines = []
        for counter in view.counters:
            if counter.side == side and counter.place and not counter.facts.get("owner"):
                place = self.name("place", counter.place)
                lines.append(f"{self.name('unit', counter.id)}: {place}")
        return tuple(lines)

    def briefing(self, scenario: str) -> tuple[str, ...]:
        """Date, length, how it is won, the forces of either side."""
        card = tables.scenarios().get(scenario)
        if card is None:
            return ()
        lines = [_("Date: {date}", date=card.date), _("Length: {turns} turns", turns=card.turns)]
        lines += ["", *self._victory(card), ""]
        for side in card.sides:
            lines.append(f"{self.side_name(side)} (ELR {card.elr[side]})")
            for force in card.forces:
                if force.side == side:
                    lines.append(f"  {self._force(force)}")
            for type in dict.fromkeys(t for f in card.forces if f.side == side for t in f.types):
                lines += [f"  {type_name(type)}: {doubt}" for doubt in doubts(type)]
        if card.oba is not None:
            side, calibre = self.side_name(card.oba.side), card.oba.calibre
            lines.append(_("Optional battery of {calibre}: {side}", calibre=calibre, side=side))
        return tuple(lines)

    def _force(self, force: tables.Force) -> str:
        counts: Counter[str] = Counter()
        for type, number in force.types.items():
            counts[type_name(type)] += number
        said = ", ".join([f"{n} x {name}" if n > 1 else name for name, n in counts.items()])
        if force.edge:
            edge = _(EDGES.get(force.edge, force.edge))
            where = _("enters in turn {turn} from the {edge}", turn=force.turn, edge=edge)
        else:
            where = _("sets up in {zone}", zone=force.zone)
        return f"{said}; {where}"

    def _victory(self, card: tables.Scenario) -> list[str]:
        goal = card.victory
        side = self.side_name(goal.side)
        hexes = ", ".join(goal.hexes)
        words = VICTORY[goal.kind]
        lines = [_(words, side=side, hexes=hexes, n=goal.needed, radius=goal.radius,
                   centre=goal.centre)]  # fmt: skip
        if goal.at_once:
            lines.append(_("At once with {number} of them and every enemy Gun taken or lost.",
                           number=goal.at_once))  # fmt: skip
        if goal.losses:
            lines.append(_("{side} loses with {number} casualty points.", side=side,
                           number=goal.losses))  # fmt: skip
        return lines

    # --- odds -------------------------------------------------------------------------------

    def results(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """All that befalls both sides at once, the most probable first."""
        if any("dead" not in result.facts for result, _share in odds):
            return super().results(odds)
        found = merged((self._harm(result), share) for result, share in odds)
        return tuple(sorted(found, key=lambda one: -one[1]))

    def _harm(self, result: Msg) -> str:
        """What befalls both sides in one result."""
        parts = [_(words, number=n) for k, words in HARM if (n := count(result.facts.get(k)))]
        return ", ".join(parts) or _("no effect")

    def at_least(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """Each kind of harm as a ladder: at least one, at least two."""
        if any("dead" not in result.facts for result, _share in odds):
            return super().at_least(odds)
        found = []
        for key, words in HARM:
            most = max((count(result.facts.get(key)) for result, _share in odds), default=0)
            for number in range(1, most + 1):
                share = sum((p for r, p in odds if count(r.facts.get(key)) >= number), Fraction(0))
                found.append((_(words, number=AtLeast(number)), share))
        return tuple(found)

    def chance(self, odds: Spread) -> Fraction | None:
        """How probable it is that somebody rallies; without that, that any enemy suffers."""
        if not odds or any("dead" not in result.facts for result, _share in odds):
            return None
        keys = [key for key, _words in FOES]
        if any(count(result.facts.get("rallied")) for result, _share in odds):
            keys = ["rallied"]
        return sum((p for r, p in odds if any(count(r.facts.get(k)) for k in keys)), Fraction(0))

    def chance_of(self, odds: Spread) -> str:
        """What that is the chance of."""
        if any(count(result.facts.get("rallied")) for result, _share in odds):
            return _("somebody rallies")
        return _("harms the enemy")


EDGES: Mapping[str, str] = {
    "north": N_("north"),
    "east": N_("east"),
    "south": N_("south"),
    "west": N_("west"),
}


def count(fact: object) -> int:
    """A fact that is a number."""
    return fact if isinstance(fact, int) else 0


def letter(place: int) -> str:
    """A, B, … Z, AA, AB; never L."""
    head, tail = divmod(place, len(LETTERS))
    return (LETTERS[(head - 1) % len(LETTERS)] if head else "") + LETTERS[tail]


def in_order(labels: Iterable[str]) -> list[str]:
    """Hexes as they lie on the map: A9 before A10."""
    return sorted(labels, key=lambda one: [p.zfill(3) for p in re.findall(r"\d+|\D+", one)])


def type_of(id: str) -> str:
    """The type that an id begins with: ge-467 of ge-467-2."""
    parts = id.split("-")
    for end in range(len(parts), 0, -1):
        head = "-".join(parts[:end])
        if head in PEOPLE or head in WEAPONS or head in VEHICLES:
            return head
    return ""


def type_name(type: str) -> str:
    """A type as an order of battle writes it; leaders have no nationality there."""
    for group in (PEOPLE, WEAPONS, VEHICLES):
        if type in group:
            return str(group[type].name)
    return type


def state_letters(states: Iterable[str]) -> str:
    """States as letters; those of two letters stand apart: CE R is not CER."""
    text = ""
    for letters in [STATES[s][0] if s in STATES else s[:1] for s in states]:
        is_apart = len(letters) > 1 or text[-2:] in HATCHES.values()
        text += f" {letters}" if text and is_apart else letters
    return text


def hour(spine: object) -> str:
    """A hexspine as an hour."""
    return str(CLOCK[spine]) if isinstance(spine, int) and 0 <= spine < len(CLOCK) else "?"


def facing(counter: CounterView) -> str:
    """Where it points, for the counter: v3 t5, or a Gun's c9."""
    facts = counter.facts
    if counter.kind == "gun":
        return f"c{hour(facts.get('ca'))}"
    if counter.kind != "vehicle" or "wreck" in counter.states:
        return ""
    hull, turret = hour(facts.get("vca")), hour(facts.get("tca"))
    return f"v{hull}" + (f"t{turret}" if turret != hull else "")


def pointing(counter: CounterView) -> str:
    """Where it points, in words."""
    facts = counter.facts
    if counter.kind == "gun":
        return _("CA at {hour} o'clock", hour=hour(facts.get("ca")))
    if counter.kind != "vehicle" or "wreck" in counter.states:
        return ""
    said = _("VCA at {hour} o'clock", hour=hour(facts.get("vca")))
    if facts.get("tca") != facts.get("vca"):
        said += ", " + _("TCA at {hour} o'clock", hour=hour(facts.get("tca")))
    return said


def values(counter: CounterView) -> str:
    """The numbers printed on a counter."""
    facts = counter.facts
    if counter.kind == "smc":
        return _("morale {n}", n=facts.get("morale", 0))
    if counter.kind in ("squad", "hs", "crew") and "broken" in counter.states:
        return _("broken morale {n}", n=facts.get("morale", 0))
    if counter.kind in ("squad", "hs", "crew"):
        return _("FP {fp}, range {range}, morale {morale}, class {grade}", fp=facts.get("fp"),
                 range=facts.get("range"), morale=facts.get("morale"),
                 grade=facts.get("class"))  # fmt: skip
    parts = [counter.strength] if counter.strength not in ("", "0") else []
    if facts.get("rof"):
        parts.append(f"ROF {facts['rof']}")
    if facts.get("pp"):
        parts.append(f"{facts['pp']} PP")
    if facts.get("mp"):
        parts.append(f"{facts['mp']} MP")
    armour = facts.get("af")
    if isinstance(armour, tuple):
        parts.append("AF " + "/".join([str(value) for value in armour]))
    return ", ".join(parts)


def stacked(counters: Iterable[CounterView]) -> list[CounterView]:
    """Counters as they lie: every unit with its weapons after it."""
    group = list(counters)
    here = {counter.id for counter in group}
    found: list[CounterView] = []
    for counter in group:
        if counter.facts.get("owner") not in here:
            found.append(counter)
            found += [one for one in group if one.facts.get("owner") == counter.id]
    return found


def abilities(type: str) -> list[str]:
    """What a counter shows by exponents, underlines and boxes (1.2.2, 1.2.3)."""
    data = PEOPLE[type]
    found = [_("broken morale {n}", n=data.broken)] if data.is_mmc else []
    if data.smoke:
        found.append(f"Smoke {data.smoke}")
    if data.assault:
        found.append("Assault Fire")
    if data.is_mmc and data.self_rallies:
        found.append("Self Rally")
    if data.no_elr and not data.self_rallies:
        found.append(_("no ELR"))
    return found


def doubts(type: str) -> list[str]:
    """The values of a counter that wait for a check, and those that are ours."""
    data = PEOPLE.get(type) or WEAPONS.get(type) or VEHICLES.get(type)
    if data is None:
        return []
    found = []
    if data.verify:
        found.append(_("to verify: {what}", what=named(data.verify)))
    if data.reconstructed:
        found.append(_("reconstructed: {what}", what=named(data.reconstructed)))
    return found


def named(keys: Iterable[str]) -> str:
    """Values of a counter in words."""
    return ", ".join([_(VALUES.get(key, key)) for key in keys])


def origin_words(origin: tables.Origin) -> str:
    """Where a doubtful number comes from, in a word or two."""
    words = {"ricostruito": _("reconstructed"), "memoria": _("from memory")}
    parts = [words.get(origin.provenance, ""), _("to verify") if origin.verify else ""]
    return ", ".join([part for part in parts if part])


def state_legend() -> tuple[str, ...]:
    """What the letters on counters say, each state on its line."""
    lines = [f"{mark:<2} {_(words)}: {_(MEANINGS[id])}" for id, (mark, words) in STATES.items()]
    lines.append(_("v t c: VCA, TCA and CA as hours of the clock"))
    lines.append(_("L: leader"))
    return tuple(lines)


PRESENTER = AslskPresenter
