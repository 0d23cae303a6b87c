"""Warfare: the Action Track with its cubes and parked supports, dice by colour and by letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from string import digits
from typing import ClassVar

import msgspec

from app.presenters.base import (
    ArmyLook,
    CounterLook,
    DieFace,
    Face,
    GenericPresenter,
    HexsideLook,
    MarkLook,
    Panel,
    Spread,
    TerrainLook,
    initials,
)
from app.shell.i18n import words_of
from engine.core.ctx import RollRequest
from engine.core.dice import Die
from engine.core.rules import Side, Step, TallyLine
from engine.core.text import N_
from engine.core.view import CounterView, View
from engine.warfare.rules.victory import score
from engine.warfare.state.setting import scenario_of
from engine.warfare.state.state import BOXES, box_after
from engine.warfare.state.tables import (
    COLOURS,
    DICE,
    HIDDEN,
    SCENARIO_IDS,
    SUPPORTS,
    UNITS,
    Force,
    Scenario,
    packaged_scenario,
)
from engine.warfare.table.view import WarfareView

_ = words_of("warfare")

SIDES: Mapping[str, str] = {
    "blu": N_("Blue side"),
    "verde": N_("Green side"),
    "rosso": N_("Red side"),
    "grigio": N_("Grey side"),
    "arancione": N_("Orange side"),
}
COVERED: Mapping[str, str] = {
    "infantry": N_("covered infantry"),
    "vehicle": N_("covered vehicle"),
    "helicopter": N_("covered helicopter"),
}
CLASSES: Mapping[str, str] = {
    "infantry": N_("?inf."),
    "vehicle": N_("?veh."),
    "helicopter": N_("?hel."),
    "crowd": N_("crowd"),
    "civilians": N_("civil."),
}
"""What has no values to show, in six letters."""

MARKERS: Mapping[str, str] = {
    "unknown": N_("unkn."),
    "dummy": N_("dummy"),
    "mine": N_("mine"),
    "ied": "IED",
    "roadblock": N_("block"),
    "sniper": N_("snip."),
}
"""An unknown marker in six letters, for the counter."""

TYPES: Mapping[str, str] = {
    "usmc_squad": "Mar.",
    "us_rifle": "Fuc.",
    "us_engineers": "Gen.",
    "us_mg": "MG",
    "us_at": "Jav.",
    "us_recon": "Ric.",
    "usmc_lav": "LAV",
    "us_jltv": "JLTV",
    "us_abrams": "M1A2",
    "us_apache": "AH64",
    "ita_fucilieri": "Fuc.",
    "ita_genieri": "Gen.",
    "ita_folgore": "Par.",
    "ita_lagunari": "Lag.",
    "ita_lince": "VTLM",
    "ita_centauro": "Cen.",
    "ita_mangusta": "A129",
    "ru_fucilieri": "Fuc.",
    "ru_vdv": "VDV",
    "ru_spetsnaz": "Spe.",
    "ru_igla": "Igla",
    "ru_genieri": "Gen.",
    "ru_btr82": "BTR",
    "ru_t72": "T72",
    "ru_mi24": "Mi24",
    "ins_cellula": "Cel.",
    "ins_at": "AT",
    "ins_sam": "SAM",
    "ins_martiri": "Fan.",
    "ins_vedette": "Ved.",
    "ins_mg": "PKM",
    "ins_tecnica": "Tec.",
}
"""A type in four letters, for the counter: the names are Italian, and so are these."""

STATES: Mapping[str, str] = {
    "shaken": N_("s (shaken)"),
    "suppressed": N_("S (suppressed)"),
    "overwatch": N_("O (overwatch)"),
    "low": N_("b (low)"),
    "high": N_("a (high)"),
}
"""The letter of a state on a counter comes first."""

DIE_CODES: Mapping[str, str] = {
    "white": N_("Wh"),
    "pink": N_("Pk"),
    "grey": N_("Gy"),
    "green": N_("Gn"),
    "yellow": N_("Ye"),
    "red": N_("Rd"),
    "blue": N_("Bl"),
    "purple": N_("Pu"),
    "black": N_("Bk"),
}
"""A die in two letters, for those who do not see its colour."""

PRINTED: Mapping[str, str] = {
    "leggere.ap": N_("AP of light"),
    "leggere.dado": N_("die of light"),
    "pesanti.ap": N_("AP of heavy"),
    "pesanti.dado": N_("die of heavy"),
    "leggero": N_("light value"),
    "leggero.ap": N_("AP of light"),
    "difesa": N_("defence"),
    "classe": N_("class"),
    "sam": N_("SAM"),
    "azioni.engineers": N_("engineers"),
    "azioni.suppression": N_("suppression"),
    "abilita.transport": N_("transport"),
    "abilita.helicopter_hunter": N_("helicopter_hunter"),
}
"""The values of a counter that the book prints or shows in an example, by their key in the data."""

FACES: Mapping[str, str] = {
    "missed": "-",
    "morale": "M",
    "damage 1": "1",
    "damage 2": "2",
    "eliminated": "E",
    "critical failure": "X",
    "failure": "x",
    "marginal success": "m",
    "success": "s",
    "critical success": "S",
}
VICTORY: Mapping[str, str] = {
    "population": N_(
        "At the end {side} wins with {wins} population markers on the civilians side."
    ),
    "hostages": N_("{side} wins if {wins} civilians reach row {row}."),
    "area": N_(
        "At the end {side} wins if no enemy unit, unknown marker, IED or mine is left in the area "
        "marked on the map."
    ),
    "hold": N_("At the end {side} wins with a unit in {hexes}."),
    "objectives": N_("At the end the most points of held objectives win: {hexes}."),
    "convoy": N_("{side} wins if {wins} vehicles cross the map."),
    "extraction": N_(
        "At the end {side} wins with {wins} infantry beside a helicopter low in {hexes}."
    ),
}
DRAWS: Mapping[str, str] = {
    "area": N_("With {draws} left it is a draw."),
    "objectives": N_("Equal points are a draw."),
}
DRAW = N_("With {draws} it is a draw.")
ROW = 10


class WarfarePresenter(GenericPresenter):
    """The looks and words of Warfare."""

    title = "warfare"
    phases = frozenset({"PhaseSet"})
    openings = frozenset({"TurnEnded"})
    prices = frozenset({"Spent"})
    blows = frozenset({
        *("MoraleSet", "DamageSet", "Eliminated", "PeopleFlipped", "PeopleLost"),
        *("SupportWiped", "RubblePlaced"),
    })  # fmt: skip
    values: ClassVar[Mapping[str, str]] = {
        "dadi": N_("from the dice"),
    }

    terrains: ClassVar[Mapping[str, TerrainLook]] = {
        "cover": TerrainLook("#a8b07c", "#5d6b3a", "c", " ▴ ░ ▴  "),
        "high ground": TerrainLook("#cbb07a", "#7d6238", "h", " ∆   ∆   "),
    }
    hexsides: ClassVar[Mapping[str, HexsideLook]] = {
        "triangles": HexsideLook("#3b342a", "teeth", "v"),
    }
    marks: ClassVar[Mapping[str, MarkLook]] = {
        "roadblock": MarkLook("⊠", "B", "#6b2f1a"),
        "rubble": MarkLook("▒", "r", "#5c554a"),
        "smoke": MarkLook("░", "f", "#6d6d6d"),
        "area": MarkLook("▫", "a", "#8c6d00"),
        "objective": MarkLook("✶", "*", "#b08d00"),
    }
    accents: ClassVar[Mapping[Side, tuple[str, str]]] = {
        "blu": ("#23508c", "#ffffff"),
        "verde": ("#8fd08a", "#0d2410"),
        "rosso": ("#a3302b", "#ffffff"),
        "grigio": ("#c9c9c9", "#141414"),
        "arancione": ("#f2b45f", "#1a1408"),
        "": ("#efe6c6", "#3b3732"),
    }

    def __init__(self, sides: tuple[Side, ...] = ()) -> None:
        super().__init__(sides)
        self._is_crowded = False
        self._colours: dict[Side, str] = {}

    # --- words ------------------------------------------------------------------------------

    def use(self, view: View, after: View | None = None) -> None:
        """Remember the table, the colours of the cubes by which sides are called, and whether more
        than two play: then equal types may meet."""
        super().use(view, after)
        self._is_crowded = sum(track.id.startswith("cube-") for track in view.tracks) > 2
        if isinstance(view, WarfareView):
            self._colours = {cube.side: cube.colour for cube in view.known.cubes.values()}

    def army(self, side: Side) -> ArmyLook:
        """A side, by the colour of its cube: Irregulars are green wherever they sit."""
        return super().army(self._colours.get(side, side))

    def name(self, key: str, id: str) -> str:
        """Sides, units, supports and markers by the names that players use."""
        kind, colon, rest = id.partition(":")
        if colon and len(kind) == 1:
            return self.name(kind, rest)
        if id in SIDES:
            return self.side_name(id)
        if key in ("terrain", "feature") and id == "open":
            return _("open ground")
        counter = self._counters.get(id)
        if counter is not None and id not in SUPPORTS:
            return self._numbered(counter)
        if id in SUPPORTS:
            return SUPPORTS[id].name
        if id in UNITS and not id.startswith("?"):
            return UNITS[id].name
        if id in HIDDEN:
            die = HIDDEN[id].die
            return _(HIDDEN[id].kind) if die is None else f"{_(HIDDEN[id].kind)} ({_(die)})"
        return super().name(key, id)

    def _numbered(self, counter: CounterView) -> str:
        """A counter by what it is and its number, which it keeps when its values are uncovered."""
        number = counter.id.removeprefix(counter.id.rstrip(digits))
        name = _("{name} no. {number}", name=self._type_of(counter), number=number)
        is_covered = counter.kind in COVERED and str(counter.facts.get("type", "")) not in UNITS
        is_shared = is_covered or counter.kind == "marker" or self._is_crowded
        if not is_shared or not counter.side:
            return name
        return _("{name}, {side}", name=name, side=self.side_name(counter.side))

    def _type_of(self, counter: CounterView) -> str:
        """The type of a counter, or its class while the values are covered."""
        known = str(counter.facts.get("type", ""))
        if known in UNITS:
            return UNITS[known].name
        return _(COVERED.get(counter.kind, counter.name.id))

    def side_name(self, side: Side) -> str:
        """A side in words; population belongs to nobody."""
        colour = self._colours.get(side, side)
        return _(SIDES.get(colour, colour or N_("nobody")))

    # --- dice -------------------------------------------------------------------------------

    def is_deed(self, step: Step) -> bool:
        """A support that strikes; who only sees a hex does nothing yet."""
        facts = step.ruling.msg.facts
        if "support" in facts:
            return step.chance is not None
        return super().is_deed(step) and (facts.keys() != {"unit", "hex"} or step.event is not None)

    def faces(self, step: Step, names: Sequence[str], after: Sequence[Step]) -> tuple[Face, ...]:
        """The icon that was read: the large one in combat, the small one in a test."""
        found = []
        read = {str(one.ruling.msg.facts.get("result", "")) for one in after}
        for face in super().faces(step, names, after):
            die = next((die for die in DICE.dice if die.colour == face.name), None)
            if die is None:
                found.append(face)
                continue
            at = int(face.text) - 1
            icon = die.test[at] if die.test[at] in read else die.combat[at]
            hits = icon not in ("missed", "critical failure", "failure")
            means = f"{FACES[icon]}: {_(icon)}"
            found.append(
                msgspec.structs.replace(face, text=FACES[icon], succeeds=hits, means=means)
            )
        return tuple(found)

    def die_faces(self, die: Die, request: RollRequest) -> tuple[DieFace, ...]:
        """A colour shows icons: those that the roll reads, large or small, each once."""
        numbered = super().die_faces(die, request)
        if die.name not in COLOURS:
            return numbered
        first: dict[str, DieFace] = {}
        for face in numbered:
            first.setdefault(str(request.read((face.value,))), face)
        found = []
        for icon, letter in FACES.items():
            if icon in first:
                face = first[icon]
                look = msgspec.structs.replace(face.look, text=letter)
                found.append(DieFace(letter, face.value, look, _(icon)))
        return tuple(found)

    def die_role(self, die: Die, request: RollRequest) -> str:
        """Which of the two icons of a face is read."""
        if die.name not in COLOURS:
            return ""
        large = DICE.dice[COLOURS.index(die.name)].combat
        return _("large icons") if str(request.read((1,))) in large else _("small icons")

    # --- counters ---------------------------------------------------------------------------

    def counter(self, counter: CounterView) -> CounterLook:
        """Type and cost of light weapons; morale, damage and overwatch as letters."""
        look = super().counter(counter)
        type = str(counter.facts.get("type", ""))
        if type in UNITS:
            short = TYPES.get(type) or abbreviated(UNITS[type].name)
        elif counter.kind == "marker":
            short = _(MARKERS[str(counter.facts.get("kind", "unknown"))])
        else:
            short = _(CLASSES.get(counter.kind, counter.kind))
        return CounterLook(
            look.colour,
            look.ink,
            look.army if counter.side else "",
            short,
            look.name,
            counter.strength,
            letters(counter),
            ", ".join(self.states(counter)),
        )

    def states(self, counter: CounterView) -> list[str]:
        """Morale, overwatch, altitude, damage and who carries it, in words."""
        found = [_(state) for state in counter.states if state not in ("damaged", "shown")]
        damage = counter.facts.get("damage", 0)
        if damage:
            found.append(_("damage {n}", n=damage))
        carrier = counter.facts.get("carrier")
        if carrier:
            found.append(_("aboard {carrier}", carrier=self.name("unit", str(carrier))))
        return found

    def detail(self, counter: CounterView) -> str:
        """States, weapons and defence in words; the card has the rest."""
        parts = [", ".join(self.states(counter)), *weapons(counter)]
        if "defence" in counter.facts:
            parts.append(_("defence {n}", n=counter.facts["defence"]))
        return " · ".join([part for part in parts if part])

    def card(self, counter: CounterView) -> tuple[str, ...]:
        """States, weapons, defence, what it can do beyond the others, which values are ours."""
        lines = self.detail(counter).split(" · ")
        for key, words in (
            ("icons", N_("actions: {what}")),
            ("abilities", N_("abilities: {what}")),
        ):
            found = counter.facts.get(key, ())
            if isinstance(found, tuple) and found:
                lines.append(_(words, what=", ".join([_(str(item)) for item in found])))
        return tuple([line for line in (*lines, doubt_of(counter)) if line])

    # --- the table --------------------------------------------------------------------------

    def headline(self, view: View) -> tuple[str, ...]:
        """Turn, who is active with how many AP, what counts for victory, the box of every cube."""
        if not isinstance(view, WarfareView):
            return super().headline(view)
        turn = next(track for track in view.tracks if track.id == "turn")
        parts = [_("turn {turn}/{last}", turn=turn.value, last=turn.last)]
        for side, points in view.available.items():
            parts.append(_("{side} active, {n} AP", side=self.army(side).name, n=points))
        goal = scenario_of(view.known).victory
        if goal.kind in VICTORY:
            count = score(view.known, goal)
            said = N_("left in the area: {n}") if goal.kind == "area" else N_("victory: {n}")
            parts.append(_("victory: {n} of {wins}", n=count, wins=goal.wins) if goal.wins > 0
                         else _(said, n=count))  # fmt: skip
        cubes = [f"{self.army(side).name} {box}" for side, box in view.boxes.items()]
        parts.append(_("Action Track: {cubes}", cubes=", ".join(cubes)))
        return tuple(parts)

    def panels(self, view: View) -> tuple[Panel, ...]:
        """The Action Track, victory, the supports of each side, the dice, the letters of states."""
        if not isinstance(view, WarfareView):
            return ()
        scenario = scenario_of(view.known)
        found = [Panel("track", _("Action Track"), self._track(view))]
        if scenario.victory.kind in VICTORY:
            now = _("Counted now: {n}", n=score(view.known, scenario.victory))
            found.append(Panel("victory", _("Victory"), (*self._victory(scenario), now)))
        for side in view.boxes:
            lines = self._supports(view, side)
            if lines:
                heading = _("Supports, {side}", side=self.army(side).name)
                found.append(Panel(f"supports-{side}", heading, lines))
            away = self._off_map(view, side)
            if away:
                heading = _("Off the map, {side}", side=self.army(side).name)
                found.append(Panel(f"away-{side}", heading, away))
        found.append(Panel("dice", _("Dice, from the worst"), dice_legend()))
        found.append(Panel("letters", _("On counters"), state_legend()))
        return tuple(found)

    def briefing(self, scenario: str) -> tuple[str, ...]:
        """Length, how it is won, the forces of each side; nothing for a scenario not yet rolled."""
        if scenario not in SCENARIO_IDS:
            return ()
        card = packaged_scenario(scenario)
        length = _("Chapter {chapter}, {turns} turns", chapter=card.chapter, turns=card.turns)
        lines = [length, "", *self._victory(card), ""]
        for side, force in card.forces.items():
            lines += self._force(self.army(side).name, force)
        lines += ["", _("The values of counters and supports and the faces of the dice are "
                        "reconstructed where the book does not print them.")]  # fmt: skip
        return tuple(lines)

    def _victory(self, card: Scenario) -> list[str]:
        """How a scenario is won, drawn, and won at once."""
        goal = card.victory
        worth = len(set(goal.objectives.values())) > 1
        hexes = ", ".join([f"{h} ({n})" if worth else h for h, n in goal.objectives.items()])
        facts = {"side": self.army(goal.side).name, "wins": goal.wins, "draws": goal.draws,
                 "row": goal.row, "hexes": hexes}  # fmt: skip
        lines = [_(VICTORY[goal.kind], **facts)]
        if goal.losses_count:
            lines.append(_("Each of its Regular units lost takes one away."))
        if goal.draws >= 0 or goal.kind == "objectives":
            lines.append(_(DRAWS.get(goal.kind, DRAW), **facts))
        for clause in card.sudden:
            side = self.army(clause.side).name
            if clause.civilians:
                lines.append(_("{side} wins at once with {n} of them.", side=side,
                               n=clause.civilians))  # fmt: skip
            if clause.eliminated:
                lines.append(_("{side} wins at once with {n} enemy units eliminated.", side=side,
                               n=clause.eliminated))  # fmt: skip
            if clause.helicopter > 1:
                lines.append(_("A helicopter counts as {n} units.", n=clause.helicopter))
        return lines

    def _force(self, name: str, force: Force) -> list[str]:
        """The units of a side, those that come later, its supports."""
        units = {type: len(hexes) for type, hexes in force.units.items()}
        units |= {type: units.get(type, 0) + n for type, n in force.reserve.items()}
        said = [UNITS[type].name + f" (×{n})" * (n > 1) for type, n in units.items()]
        said += [
            _("{unit} in turn {turn}", unit=UNITS[type].name, turn=late.turn)
            for type, late in force.reinforcements.items()
        ]
        lines = [f"{name} ({', '.join(force.factions)})", "  " + ", ".join(said)]
        supports = [
            _("{unit} in turn {turn}", unit=SUPPORTS[id].name, turn=turn)
            for id, turn in force.supports.items()
        ]
        if supports:
            lines.append("  " + _("supports: {names}", names=", ".join(supports)))
        return lines

    def _track(self, view: WarfareView) -> tuple[str, ...]:
        """Forty boxes in rows of ten, cubes as letters of sides, parked supports as +."""
        cubes: dict[int, str] = {}
        for side, box in view.boxes.items():
            cubes[box] = cubes.get(box, "") + self.army(side).letter
        parked = {box_after(place) for place in view.parked.values()}
        lines = []
        for first in range(BOXES, 0, -ROW):
            cells = []
            for box in range(first, first - ROW, -1):
                shown = f"[{cubes[box]}]" if box in cubes else f"{box:2}"
                cells.append(f"{shown + ('+' if box in parked else ''):<4}")
            lines.append("".join(cells).rstrip())
        for side, box in view.boxes.items():
            army = self.army(side)
            line = _("[{letter}] {side}: box {box}", letter=army.letter, side=army.name, box=box)
            if side in view.available:
                line += ", " + _("active, {n} AP before the others", n=view.available[side])
            if side in view.known.moods:
                line += ", " + _("mood: {mood}", mood=_(view.known.moods[side]))
            lines.append(line)
        for id, place in view.parked.items():
            box = box_after(place)
            lines.append(_("+ {support}: box {box}", support=self.name("card", id), box=box))
        return tuple(lines)

    def _supports(self, view: WarfareView, side: Side) -> tuple[str, ...]:
        lines = []
        for counter in view.counters:
            if counter.side != side or counter.id not in SUPPORTS:
                continue
            where = _(counter.place)
            if counter.place == "waiting":
                where = _("from turn {turn}", turn=counter.facts.get("turn", 0))
            elif counter.id in view.parked:
                box = box_after(view.parked[counter.id])
                where = _("on the track, box {box}", box=box)
            lines.append(f"{self.name('card', counter.id)}: {where}")
            lines.append(f"  {self.detail(counter)}")
        return tuple(lines)

    def _off_map(self, view: WarfareView, side: Side) -> tuple[str, ...]:
        return tuple(
            f"{self.name('unit', counter.id)}: {_(counter.place)}"
            for counter in view.counters
            if counter.side == side and counter.hex is None and counter.kind in COVERED
        )

    # --- odds -------------------------------------------------------------------------------

    def chance(self, odds: Spread) -> Fraction | None:
        """How probable it is that a unit suffers anything, or that something comes of a marker."""
        if odds and all("marker" in result.facts for result, _share in odds):
            done = (share for result, share in odds if result.facts.get("result") != "unchanged")
            return sum(done, Fraction(0))
        if not all("unit" in result.facts for result, _share in odds):
            return None
        hurt = (share for result, share in odds if result.facts.get("result") != "no effect")
        return sum(hurt, Fraction(0))

    def total(self, line: TallyLine) -> str:
        """A colour is called by its name."""
        if line.name != "colour":
            return super().total(line)
        place = max(0, min(len(COLOURS) - 1, int(line.total)))
        return self.word(COLOURS[place])

    def chance_of(self, odds: Spread) -> str:
        """What that is the chance of."""
        if all("marker" in result.facts for result, _share in odds):
            return _("it succeeds")
        return super().chance_of(odds)


def letters(counter: CounterView) -> str:
    """Morale, damage, overwatch and altitude, one letter each."""
    states = [s for s in counter.states if s in STATES]
    damage = counter.facts.get("damage", 0)
    return "".join([_(STATES[s])[:1] for s in states]) + (str(damage) if damage else "")


def weapons(counter: CounterView) -> list[str]:
    """Weapons with their cost, range and die; a support has no range."""
    found = []
    for key, words in (("light", N_("light {ap} AP")), ("heavy", N_("heavy {ap} AP"))):
        value = counter.facts.get(key)
        if not isinstance(value, tuple):
            continue
        ap, *distance, die = value
        said = [_(words, ap=ap), *[_("range {n}", n=n) for n in distance], _(str(die))]
        if key == "heavy" and counter.facts.get("sam"):
            said.append("SAM")
        found.append(", ".join(said))
    return found


def abbreviated(name: str) -> str:
    """A name in four letters: whole, or its beginning with a full stop."""
    return name if len(name) <= 4 else initials(name, 3).capitalize() + "."


def doubt_of(counter: CounterView) -> str:
    """Which values of a counter are ours: all but those that the book prints."""
    if counter.facts.get("provenance") != "ricostruito":
        return ""
    printed = counter.facts.get("printed", ())
    if not isinstance(printed, tuple) or not printed:
        return _("reconstructed values")
    named = ", ".join([_(PRINTED[str(key)]) for key in printed])
    return _("values reconstructed but for {what}", what=named)


def dice_legend() -> tuple[str, ...]:
    """Every die: two letters, its name, its faces in combat and in tests."""
    lines = []
    for colour, die in zip(COLOURS, DICE.dice, strict=True):
        combat = "".join([FACES[face] for face in die.combat])
        test = "".join([FACES[face] for face in die.test])
        lines.append(f"{_(DIE_CODES[colour])} {_(colour):<7} {combat} {test}")
    lines.append(_("combat: - missed, M morale, 1 2 damage, E eliminated"))
    lines.append(_("test: X critical failure, x failure, m marginal, s success, S critical"))
    lines.append(_("The order of the colours is the book's, the faces are reconstructed."))
    return tuple(lines)


def state_legend() -> tuple[str, ...]:
    """What the letters on counters say."""
    return (
        ", ".join([_(words) for words in STATES.values()]),
        _("1 2: physical damage; ?: values covered"),
        _("the number at the right: AP of the light weapons"),
    )


PRESENTER = WarfarePresenter
