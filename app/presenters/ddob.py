"""D-Day at Omaha Beach: positions by colour and name, tide, losses, points and the cards drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import ClassVar

from app.presenters.base import (
    CounterLook,
    Face,
    GenericPresenter,
    HexsideLook,
    LineLook,
    MarkLook,
    Opens,
    Panel,
    Spread,
    TerrainLook,
    is_light,
)
from app.shell.i18n import catalog, words_of
from engine.core.board import Board
from engine.core.hexes import Hex, distance, neighbours
from engine.core.rules import Draw, Side, Step
from engine.core.text import N_, NP_, Fact, Msg
from engine.core.title import Sight
from engine.core.view import CounterView, Mark, View
from engine.ddob.rules.losses import EXTENDED_LOSS_LIMIT, LOSS_LIMIT, loss_limit
from engine.ddob.rules.victory import score
from engine.ddob.state.book import DIVISIONS, FIRST_EXTENDED_TURN, SECTOR_OF
from engine.ddob.state.fields import field_of
from engine.ddob.state.ground import HEX
from engine.ddob.state.state import State, named_hex
from engine.ddob.state.tables import (
    BOXES,
    CARDS,
    CHARTS,
    DEPTH,
    DOTS,
    DOTS_AT,
    DRAWS,
    GERMANS,
    POSITION_AT,
    POSITIONS,
    SETUPS,
    UNITS,
    Card,
    Square,
    tide,
    victory_degree,
)
from engine.ddob.table.inspect import DISRUPTED, LANDS, LOSES, SHELLED, SIGNS, fire
from engine.ddob.table.view import OmahaView

_ = words_of("ddob")

ARMIES: Mapping[str, str] = {"us": N_("Americans"), "de": N_("Germans")}
SYMBOLS: Mapping[str, tuple[str, str]] = {
    "◆": ("◊", N_("diamond")),
    "▲": ("▴", N_("triangle")),
    "●": ("◦", N_("circle")),
}
"""Target symbols: one glyph of certain width, and a word."""

COLOURS: Mapping[str, str] = {
    "orange": "#e08a3c",
    "red": "#b5342c",
    "purple": "#7b4a96",
    "blue": "#3f86cf",
    "green": "#6fb86a",
    "brown": "#7d5330",
}
GERMAN_PHASES = ("event", "fire", "guns")
"""Phases in which the Germans act."""
CARD = ("#efe6c8", "#20241f")
"""Ground and ink of what is printed on a card."""
STATES: Mapping[str, str] = {
    "in disorder": N_("D (in disorder)"),
    "acted": N_("a (acted)"),
    "climb": N_("c (climb)"),
    "climb cliff": N_("C (climb cliff)"),
    "hero": N_("H (hero)"),
    "inspired": N_("i (inspired)"),
    "wounded": N_("w (wounded)"),
    "command post": N_("P (command post)"),
    "command transfer": N_("x (command transfer)"),
    "hidden": N_("? (hidden)"),
    "depth marker": N_("+ (depth marker)"),
    "depth revealed": N_("! (depth revealed)"),
}
"""The letter of a state on a counter comes first."""

ACTIONS: Mapping[str, str] = {"tank": N_("T"), "star": "*"}
LETTERS: Mapping[str, str] = {
    "tank": N_("T tank: bonus against armour"),
    "star": N_("* star: also heroes, HQs and generals"),
    "F": N_("F fire"),
    "R": N_("R resupply, redeployment, reinforcement or reoccupation"),
    "A": N_("A advance, ambush or artillery"),
    "M": N_("M mortars"),
    "P": N_("P patrol"),
}
"""What the letters of a fire card let the Germans do; F, R, A, M and P only from turn 17 (6.1)."""
GERMAN_BOXES = ("T", "D", "M", "wn depth", "building", "mobile")
BEACHES: Mapping[str, str] = {
    "FG": "Fox Green",
    "ER": "Easy Red",
    "EG": "Easy Green",
    "DR": "Dog Red",
    "DW": "Dog White",
    "DG": "Dog Green",
    "CH": "Charlie",
}
"""The beaches by the letters of their landing boxes."""
PHASES = (
    "landing:east",
    "landing:west",
    "arrivals",
    "event",
    "fire:east",
    "fire:west",
    "event 2",
    "engineers",
    "division",
    "end",
)
"""The phases of the track; a card drawn for one has its name, without the colon."""

PART_OF: Mapping[str, str] = {
    "landing": "arrivals",
    "fire": "fire:east",
    "act:east": "fire:east",
    "guns:east": "fire:east",
    "act:west": "fire:west",
    "guns:west": "fire:west",
    "actions": "division",
    "stacking": "division",
}
READINGS: Mapping[tuple[str, str], str] = {
    ("weapons", "si"): N_("all at hand"),
    ("weapons", "no"): N_("not all at hand"),
    ("result", "-"): N_("no effect"),
    ("match", "neither"): N_("neither symbol nor colour match"),
    ("match", "symbol"): N_("the symbol matches"),
    ("match", "colour"): N_("the colour matches"),
    ("match", "both"): N_("symbol and colour match"),
    ("action", "-"): N_("no action"),
    ("to", "division"): N_("back to the Divisional box"),
}
"""Values that say something else under one name."""

FORETOLD: Mapping[str, str] = {
    LOSES: N_("{unit} loses a step ({sector} card)"),
    DISRUPTED: N_("{unit} is only disrupted ({sector} card)"),
    SHELLED: N_("{unit}: the card of artillery aims at its symbol"),
    LANDS: N_("{unit}: landing check {letter}, {effect}"),
}
"""What the next cards may do to a unit, in words that leave the number to its column."""

POINTERS = "▴▴▸▾▾◂"
"""An arrow for each side of a hex; a slanted side says the rest."""

QUIET = ("nothing", "repulsed")
"""Results of an attack that do nothing to the Germans."""

_SAND, _WET, _GRASS = "#e6d9ae", "#c0a65e", "#c9c68a"


DANGERS: Mapping[str, str] = {
    "◉": NP_("intense fire of {n} position", "intense fire of {n} positions"),
    "∙": NP_("moderate fire of {n} position", "moderate fire of {n} positions"),
    "◦": NP_("sporadic fire of {n} position", "sporadic fire of {n} positions"),
}
"""The strongest fire on a hex, by the dot that the map shows (6.2)."""


FIRES: Mapping[str, str] = {
    "intense": N_("intense"),
    "moderate": N_("moderate"),
    "sporadic": N_("sporadic"),
}
WEAPONS: Mapping[str, str] = {
    "✓": N_("none lacks"),
    "BZ": "bazooka",
    "BG": "bangalore",
    "BR": "BAR",
    "DE": N_("demolitions"),
    "MO": N_("mortar"),
    "RD": N_("radio"),
    "MG": N_("machine gun"),
    "AR": N_("artillery"),
    "NA": N_("naval fire"),
    "FL": N_("flanking"),
}
NAMES: Mapping[str, str] = {
    **{box.hex: box.id for box in BOXES.values() if box.beach},
    **{label: draw for draw, hexes in DRAWS.items() for label in hexes},
}
"""What is printed in a hex besides its number."""

BOX_HEXES = frozenset(box.hex for box in BOXES.values())

DOT_LOOKS: Mapping[str, tuple[MarkLook, ...]] = {
    label: tuple(
        MarkLook(SIGNS[level], level[:1].upper(), COLOURS[position.colour])
        for position, level in sorted(dots, key=lambda one: list(SIGNS).index(one[1]))
    )
    for label, dots in DOTS_AT.items()
}


class OmahaPresenter(GenericPresenter):
    """The looks and words of D-Day at Omaha Beach."""

    title = "ddob"
    phases = frozenset({"PhaseBegan", "Discarded"})
    openings = frozenset({"TurnBegan"})
    blows = frozenset({"LostStep", "Died", "Removed", "Disrupted", "HeroFell", "Wounded"})
    verdicts = frozenset({"ddob:8.3#attacco/"})
    values: ClassVar[Mapping[str, str]] = {
        "uno": N_("one person"),
        "due": N_("two people"),
        "intenso": N_("intense"),
        "moderato": N_("moderate"),
        "esagono": N_("each attacked hex"),
        "posizione": N_("a whole position"),
        "punti": N_("strength points"),
        "forza": N_("strength"),
    }

    terrains: ClassVar[Mapping[str, TerrainLook]] = {
        "beach": TerrainLook(_SAND, _WET, "s", "  .      :  "),
        "pavilion": TerrainLook("#cfd39b", "#8d8c4d", "p", "  '    "),
        "pavilion with buildings": TerrainLook("#cfd39b", "#8e5a44", "P", "", (" ▟▙   ", "▟▙ ▟▙▖")),
        "valley": TerrainLook("#b9c48a", "#6c7a3c", "d", " v    v  "),
        "valley with woods": TerrainLook("#9fb274", "#4c6a35", "D", "▴ v ↟   "),
        "valley with buildings": TerrainLook("#b9c48a", "#8e5a44", "E", "", (" ▟▙   ", "▟▙ ▟▙▖")),
        "high ground": TerrainLook(_GRASS, "#a39a58", "h", "      ,      "),
        "bocage": TerrainLook("#a3b06c", "#557038", "k", '"  ░ "'),
        "landing box": TerrainLook("#8fb8cc", "#3f6f8c", "L", "≋    "),
        "sea": TerrainLook("#6f9fb8", "#4d7f99", "~", "~       "),
    }
    hexsides: ClassVar[Mapping[str, HexsideLook]] = {
        "shingle": HexsideLook("#8f7f5c", "dots", "c"),
        "seawall": HexsideLook("#5c554a", "solid", "W"),
        "anti-tank ditch": HexsideLook("#5a3a22", "broken", "f"),
        "anti-tank wall": HexsideLook("#2f2b26", "solid", "M"),
        "sheer cliff": HexsideLook("#3d2714", "solid", "X"),
        "scaleable cliff": HexsideLook("#6b3f1a", "teeth", "C"),
        "bluff": HexsideLook("#a06a2c", "teeth", "b"),
        "slope": HexsideLook("#b08d4a", "broken", "/"),
        "hedge": HexsideLook("#3f6b2c", "dots", "h"),
    }
    lines: ClassVar[Mapping[str, LineLook]] = {
        "primary road": LineLook("#8c5a34", "="),
        "secondary road": LineLook("#a67f4e", "-", thick=False),
        "trail": LineLook("#8f6f45", ".", thick=False, dashed=True),
        "mined road": LineLook("#a3302b", "*", dashed=True),
        "mined trail": LineLook("#a3302b", ":", thick=False, dashed=True),
    }
    marks: ClassVar[Mapping[str, MarkLook]] = {
        "obstacle": MarkLook("⊠", "o", "#8a7f66"),
        "cleared": MarkLook("⊟", "l", "#bfae7c"),
        "garrison": MarkLook("⚑", "G", "#3b4520"),
        "smoke": MarkLook("░", "f", "#6d6d6d"),
    }
    accents: ClassVar[Mapping[Side, tuple[str, str]]] = {
        "us": ("#3b4520", "#ffffff"),
        "de": ("#c9ccd1", "#141414"),
    }

    def __init__(self, sides: tuple[Side, ...] = ()) -> None:
        super().__init__(sides)
        self._fire: tuple[State, Mapping[Hex, str]] | None = None
        self._turn_now = 0

    def use(self, view: View, after: View | None = None) -> None:
        """Remember the table, and which turn it is."""
        super().use(view, after)
        known = view.known if isinstance(view, OmahaView) else None
        self._turn_now = known.turn if known is not None else 0

    @property
    def no_sight(self) -> str:
        """Fields of fire take the place of lines of sight (6.2)."""
        return _("No German position on these two hexes: what is told is the field of fire of one.")

    # --- words ------------------------------------------------------------------------------

    def name(self, key: str, id: str) -> str:
        """Units, positions, symbols and cards by the names that players use."""
        if (key, id) in READINGS:
            return _(READINGS[key, id])
        kind, colon, rest = id.partition(":")
        if colon and len(kind) == 1:
            return self.name(kind, rest)
        if kind == "de" and rest in POSITION_AT:
            counter = self._counters.get(id)
            place = str(counter.facts.get("position", rest)) if counter else rest
            return _("German unit in {position}", position=place)
        if id in ARMIES and key != "exit":
            return _(ARMIES[id])
        if id in SYMBOLS:
            return _(SYMBOLS[id][1])
        if id in BOXES and not BOXES[id].beach:
            return _("{hex} (without letters)", hex=BOXES[id].hex)
        if id in UNITS:
            return id.replace("•", "-")
        if key in ("card", "c") and id in CARDS:
            return _("card {number}", number=id)
        if id.startswith("exit "):
            return _("exit {letter}", letter=id[5:])
        if key in ("battery", "batteries"):
            sector, _dash, calibre = id.partition("-")
            return f"{_(sector)} {calibre}"
        if key == "hex" and id in POSITION_AT:
            place = POSITION_AT[id].id
            return id if place == id else f"{id} ({place})"
        return super().name(key, id).replace("•", "-")

    def say(self, msg: Msg) -> str:
        """A card that came up shows the part it was drawn for; chances are percentages."""
        facts = msg.facts
        if "card" in facts and "use" in facts:
            card, use = CARDS[str(facts["card"])], str(facts["use"])
            if use.startswith("event"):
                return _("Card {number}, {use}", number=card.id, use=_(use))
            content = landing_of(card) if use.startswith("landing") else fire_of(card)
            return _("Card {number}, {use}: {content}", number=card.id, use=_(use),
                     content=content)  # fmt: skip
        if facts.keys() == {"unit", "marker", "hex"} and not facts["marker"]:
            return _(
                "{unit} has no climb marker any more.", unit=self.name("unit", str(facts["unit"]))
            )
        chance = facts.get("chance")
        if isinstance(chance, Fraction):
            msg = Msg(msg.id, {**facts, "chance": catalog().percent(chance)})
        return super().say(msg)

    def risk(self, view: View, hex: Hex) -> str:
        """The strongest live field of fire on a hex, and of how many positions (6.2)."""
        known = view.known if isinstance(view, OmahaView) else None
        if known is None:
            return ""
        if self._fire is None or self._fire[0] is not known:
            self._fire = known, fire(known)
        found = self._fire[1].get(hex, "")
        return _(DANGERS[found[0]], n=int(found[1:])) if found else ""

    def lit(self, msg: Msg, view: View) -> Mapping[Hex, str]:
        """Who fires lights up the field of fire, level by level (6.2, 23.3)."""
        found = dict(super().lit(msg, view))
        firing = "fires" in msg.facts
        name = str(msg.facts.get("fires" if firing else "position", ""))
        position = POSITIONS.get(name)
        labels = position.hexes if position is not None else (named_hex(name),)
        found |= {HEX[label]: "" for label in labels if label in HEX}
        if firing:
            field = DOTS[name] if position is not None else field_of(name)
            found |= {HEX[label]: SIGNS[level] for label, level in field.items()}
        return found

    def opens(self, step: Step) -> Opens:
        """A position that fires does something of its own."""
        return Opens.DEED if "fires" in step.ruling.msg.facts else super().opens(step)

    def doer(self, steps: Sequence[Step], look: Callable[[], View], asked: Side) -> Side:
        """Events and fire are the Germans', whoever chooses who is hit."""
        view = look()
        known = view.known if isinstance(view, OmahaView) else None
        is_theirs = known is not None and known.phase.partition(":")[0] in GERMAN_PHASES
        return "de" if is_theirs else asked

    def is_deed(self, step: Step) -> bool:
        """An attack on a position, a barrage with what it does."""
        facts = step.ruling.msg.facts
        return set(facts) == {"position"} or "match" in facts

    def shot(self, steps: Sequence[Step], view: View) -> Sight | None:
        """From the position that fires to the unit that it fires at."""
        target = next((str(s.ruling.msg.facts["hex"]) for s in reversed(steps)
                       if {"unit", "hex"} <= set(s.ruling.msg.facts)), "")  # fmt: skip
        fires = next((str(s.ruling.msg.facts["fires"]) for s in reversed(steps)
                      if "fires" in s.ruling.msg.facts), "")  # fmt: skip
        position = POSITIONS.get(fires)
        labels = position.hexes if position is not None else (named_hex(fires),) if fires else ()
        a = next((HEX[label] for label in labels if label in HEX), None)
        b = HEX.get(target)
        return Sight(a, b, (), True, ()) if a is not None and b is not None and a != b else None

    def faces(self, step: Step, names: Sequence[str], after: Sequence[Step]) -> tuple[Face, ...]:
        """The part of a card that it was drawn for, square by square."""
        drawn, use = step.chance, str(step.ruling.msg.facts.get("use", ""))
        if not isinstance(drawn, Draw):
            return super().faces(step, names, after)
        if drawn.item not in CARDS:
            return (Face(drawn.item, *CARD, means=german_words(drawn.item)),)
        card = CARDS[drawn.item]
        if use.startswith("landing"):
            means = _("units by symbol, each with its row of the landing table")
            return tuple(
                Face(f"{SYMBOLS[symbol][0]} {letter}", *CARD, means=means)
                for symbol, letter in card.landing.items()
            )
        if use.startswith("event"):
            return (Face(card.id, *CARD, means=_("the number of the event")),)
        glyph, symbol = SYMBOLS[card.target]
        target = _("{glyph} target: {symbol}", glyph=glyph, symbol=_(symbol))
        found = [Face(glyph, *CARD, means=target)]
        for square in card.fire:
            ground = COLOURS[square.colour]
            ink = "#141414" if is_light(ground) else "#ffffff"
            double = "=" if square.squares == 2 else ""
            letter = ACTIONS.get(square.action, square.action)
            means = self._square_words(square)
            text = f"{_(letter)[:4]}{double}"
            found.append(Face(text, ground, ink, square.colour, means=means))
        return tuple(found)

    def _square_words(self, square: Square) -> str:
        """What the letter of a square of a fire card stands for, and a double one."""
        said = []
        if square.action in ACTIONS or self._turn_now >= FIRST_EXTENDED_TURN:
            said.append(_(LETTERS[square.action]))
        else:
            said.append(_("letters: only from turn {n}", n=FIRST_EXTENDED_TURN))
        if square.squares == 2:
            said.append(_("= double: who has an Unknown fires"))
        return " · ".join(said)

    def side_name(self, side: Side) -> str:
        """A side in words."""
        return _(ARMIES.get(side, side))

    # --- counters ---------------------------------------------------------------------------

    def counter(self, counter: CounterView) -> CounterLook:
        """Americans: name, strength, symbol and steps. Germans: position, its colour, states."""
        army = self.army(counter.side)
        colour, ink = army.colour, army.ink
        letters = "".join([_(STATES[s])[:1] for s in counter.states if s in STATES])
        if counter.side == "de":
            tint = str(counter.facts.get("colour", ""))
            colour = COLOURS.get(tint, colour)
            ink = "#141414" if is_light(colour) else "#ffffff"
            type = str(counter.facts.get("position", ""))
            if counter.strength == "?":  # that says it
                letters = letters.replace("?", "")
            letters = f"{_(tint)[:2].capitalize()} {letters}".rstrip() if tint else letters
        elif counter.kind == "base":
            type = _("ENG")
        else:
            type = short(counter.id)
            symbol = SYMBOLS.get(str(counter.facts.get("symbol", "")), ("", ""))[0]
            steps = counter.facts.get("steps", 0)
            letters = (f"{symbol}{steps} " if steps else "") + letters
        return CounterLook(
            colour,
            ink,
            army.letter,
            type,
            self.name("unit", counter.id),
            counter.strength,
            letters,
            self.detail(counter),
        )

    def detail(self, counter: CounterView) -> str:
        """States before steps, symbol and hero; what is known of a German unit before states."""
        facts = counter.facts
        parts = []
        states = self.states(counter)
        if counter.side == "de":
            parts.append(_(str(facts.get("colour", ""))) if facts.get("colour") else "")
            if "unit" in facts:
                parts.append(self._face(facts))
            if "depth" in facts:
                parts.append(_("depth marker {depth}, reconstructed", depth=facts["depth"]))
            parts += states
        elif counter.kind == "base":
            parts += states
        else:
            parts += [_(counter.kind), *states]
            if facts.get("steps"):
                symbol = self.name("symbol", str(facts.get("symbol", "")))
                strength = counter.strength
                parts.append(_("strength {strength}", strength=strength))
                parts.append(_("steps {steps}", steps=facts["steps"]))
                parts.append(symbol)
            if "hero" in facts:
                parts.append(_("hero {hero}", hero=facts["hero"]))
            if counter.id in UNITS and UNITS[counter.id].is_ours:
                parts.append(_("reconstructed values"))
        return ", ".join([part for part in parts if part])

    def states(self, counter: CounterView) -> list[str]:
        """Without that of having a hero, who is told by name."""
        return [_(state) for state in counter.states if state != "hero"]

    def _face(self, facts: Mapping[str, Fact]) -> str:
        weapons = facts.get("weapons", ())
        needed = ", ".join([str(w) for w in weapons]) if isinstance(weapons, tuple) else ""
        return _("unit {unit}, needs {weapons}", unit=facts["unit"], weapons=needed or "-")

    def mark(self, mark: Mark) -> MarkLook:
        """Empty positions have their colour and their name."""
        if mark.kind == "empty position":
            position = POSITION_AT[named_hex(mark.text)]
            text = mark.text if position.id != position.hexes[0] else ""
            if text.startswith("WN"):  # three letters fit beside the glyph
                text = text[2:] if text[-1:] in ("N", "S") else text.replace("WN", "W")
            return MarkLook("▯", "p", COLOURS[position.colour], text)
        if mark.kind == "obstacle":
            return self.marks["obstacle"]
        return super().mark(mark)

    def caption(self, board: Board, hex: Hex) -> str:
        """The name of a landing box or of a draw."""
        return NAMES.get(board.label(hex), "")

    def signs(self, board: Board, hex: Hex) -> tuple[MarkLook, ...]:
        """The dots of the fields of fire, in the colours of their positions (2.1.punti-fuoco)."""
        return DOT_LOOKS.get(board.label(hex), ())

    def arrow(self, board: Board, one: Hex, other: Hex) -> MarkLook | None:
        """The arrow of a position that may advance."""
        return arrows().get(frozenset((one, other)))

    def sign_keys(self) -> tuple[tuple[MarkLook, str], ...]:
        """Dots, names and arrows of the map."""
        dots = [
            (MarkLook(SIGNS[level], "", "#3b3732"), _("fire dot: {level}", level=_(words)))
            for level, words in FIRES.items()
        ]
        return (
            *dots,
            *[
                (MarkLook("◉", "", colour), _("fire dot of a {colour} position", colour=_(name)))
                for name, colour in COLOURS.items()
            ],
            (MarkLook("▴", "", COLOURS["red"]), _("arrow of advance of a position")),
            (MarkLook("E-3", "", "#3b3732"), _("draw")),
            (MarkLook("FG2", "", "#3b3732"), _("landing box")),
        )

    def layer_keys(self, id: str) -> tuple[tuple[str, str], ...]:
        """The levels of fire; the weapons by their letters."""
        if id == "fire":
            return tuple([(SIGNS[level], _(words)) for level, words in FIRES.items()])
        if id == "weapons":
            return tuple([(letters, _(words)) for letters, words in WEAPONS.items()])
        return (("✶", _("counts for victory")),) if id == "points" else ()

    def printed(self, name: str) -> MarkLook:
        """Obstacles are drawn as the view has them, cleared or not; tide lines stay quiet."""
        if name == "obstacle" or name.endswith(" tide"):
            return MarkLook("░", name[:1], "#c0a65e")
        look = super().printed(name)
        if name.startswith("exit "):
            return MarkLook(look.glyph, look.letter, look.colour, name[5:])
        return look

    def features(self, view: View, hex: Hex) -> list[str]:
        """The names of a hex, its position, what runs along and through it; an obstacle is told as
        it is now."""
        board, label = view.board, view.label(hex)
        lines = []
        beach = BEACHES.get(NAMES.get(label, "")[:2], "") if label in BOX_HEXES else ""
        if beach:
            lines.append(_("landing box {box}, beach {beach}", box=NAMES[label], beach=beach))
        position = POSITION_AT.get(label)
        if position is not None:
            lines.append(_("position {position}, {colour}", position=position.id,
                           colour=_(position.colour)))  # fmt: skip
        sides = {name for side, names in board.sides.items() if hex in side for name in names}
        roads = {name for side, names in board.roads.items() if hex in side for name in names}
        shown = [*sorted(roads | sides), *board.markers_at(hex)]
        if any(mark.kind in ("cleared", "obstacle") for mark in view.marks.get(label, ())):
            shown = [name for name in shown if name != "obstacle"]
        if shown:
            lines.append(", ".join([self.name("feature", name) for name in shown]))
        return lines

    def marked(self, view: View, hex: Hex) -> list[str]:
        """The marks of a hex; a position without Germans is told with its name."""
        kinds = [mark.kind for mark in view.marks.get(view.label(hex), ())]
        return [self.name("feature", kind) for kind in kinds]

    def card(self, counter: CounterView) -> tuple[str, ...]:
        """What it is, its values and its states."""
        full = self._in_full(counter.id) if counter.id in UNITS else ""
        return tuple([line for line in (full, self.detail(counter)) if line])

    def _in_full(self, id: str) -> str:
        """What the letters of an infantry company stand for."""
        parts = id.split("/")
        if len(parts) != 3 or not parts[0].isalpha():
            return ""
        return _("company {company}, battalion {battalion}, regiment {regiment}",
                 company=parts[0], battalion=parts[1], regiment=parts[2])  # fmt: skip

    # --- the table --------------------------------------------------------------------------

    def headline(self, view: View) -> tuple[str, ...]:
        """Turn, phase, points, losses, the division that acts, tide."""
        known = view.known if isinstance(view, OmahaView) else None
        if known is None:
            return super().headline(view)
        limit = loss_limit(known)
        lost = ", ".join(
            [_("Div. {division} {number}/{limit}", division=d, number=len(units), limit=limit)
             for d, units in losses(known).items()]
        )  # fmt: skip
        parts = [
            _("turn {turn}/{last}", turn=known.turn, last=known.last_turn),
            self.say(view.phase),
            _("VP {points}", points=score(known)),
            _("losses {lost}", lost=lost),
        ]
        if known.division:
            parts.append(_("Division {division}, actions: {left}", division=known.division,
                           left=known.actions))  # fmt: skip
        parts.append(_(tide(known.turn)))
        return tuple(parts)

    def panels(self, view: View) -> tuple[Panel, ...]:
        """Turn and tide, cards drawn, points, losses, German boxes, letters on counters."""
        known = view.known if isinstance(view, OmahaView) else None
        if known is None:
            return ()
        found = [
            Panel("turn", _("Turn and tide"), self._turn(known)),
            Panel("cards", _("Phases and cards"), self._cards(known)),
            Panel("points", _("Victory points"), self._points(known)),
            Panel("losses", _("Losses"), self._losses(known)),
            Panel("boxes", _("German boxes"), self._boxes(view)),
            Panel("letters", _("On counters"), legend()),
        ]
        return tuple(panel for panel in found if panel.lines)

    def _turn(self, known: State) -> tuple[str, ...]:
        first, last = SETUPS[known.scenario].turns
        lines = [_("Turn {turn} of {last}", turn=known.turn, last=known.last_turn)]
        for row in CHARTS.tides:
            begin, end = max(row.turns[0], first), min(row.turns[1], last)
            if begin <= end:
                mark = "▸" if begin <= known.turn <= end else " "
                turns = str(begin) if begin == end else f"{begin}-{end}"
                lines.append(f"{mark} {turns:>5}  {_(row.tide)}")
        shuffle = next((t for t in CHARTS.shuffles.turns if known.turn <= t < last), None)
        if shuffle is None:
            lines.append(_("Cards in the deck: {n}", n=known.deck.total))
        else:
            lines.append(_("Cards in the deck: {n}, shuffled after turn {turn}",
                           n=known.deck.total, turn=shuffle))  # fmt: skip
        lines.append(_("Naval fire markers: {n}", n=known.naval))
        due = sorted({u.due for u in known.units.values() if u.at == "track" and u.due})
        for turn in [t for t in due if t >= known.turn]:
            units = [u.id for u in known.units.values() if u.at == "track" and u.due == turn]
            said = ", ".join([self.name("unit", id) for id in units])
            lines.append(_("Arrivals on turn {turn}: {units}", turn=turn, units=said))
        return tuple(lines)

    def _cards(self, known: State) -> tuple[str, ...]:
        """The track of phases with their cards, then the cards of actions."""
        lines = []
        cards = dict(known.cards)
        here = PART_OF.get(known.phase, known.phase)
        for phase in PHASES:
            sector = phase.partition(":")[2]
            if sector and sector not in SETUPS[known.scenario].sectors:
                continue
            if phase == "event 2" and known.turn < FIRST_EXTENDED_TURN:
                continue
            use = phase.replace(":", " ")
            mark = "▸" if phase == here else " "
            said = f": {card_of(use, CARDS[cards.pop(use)], known.turn)}" if use in cards else ""
            lines.append(f"{mark} {_(phase)}{said}")
        for use, id in cards.items():
            lines.append(f"  {_(use)}: {card_of(use, CARDS[id], known.turn)}")
        return tuple(lines)

    def _points(self, known: State) -> tuple[str, ...]:
        points = score(known)
        check = SETUPS[known.scenario].check
        if known.turn <= 16 and known.last_turn > 16 and SETUPS[known.scenario].turns[0] == 1:
            check = "first check"
        lines = [
            _("Now: {points}, that is {degree}", points=points,
              degree=_(victory_degree(check, points))),
        ]  # fmt: skip
        row = next(row for row in CHARTS.victory if row.check == check)
        lines += [_("From {least}: {degree}", least=least, degree=_(d)) for least, d in row.levels]
        return tuple(lines)

    def _losses(self, known: State) -> tuple[str, ...]:
        lines = [_("With {limit} in one Division the game is lost.", limit=loss_limit(known))]
        for division, lost in losses(known).items():
            said = ", ".join([self.name("unit", id) for id in lost]) or "-"
            lines.append(
                _("Division {division}: {number} ({units})", division=division, number=len(lost),
                  units=said)
            )  # fmt: skip
        return tuple(lines)

    def _boxes(self, view: View) -> tuple[str, ...]:
        return tuple(f"{self.say(t.name)}: {t.value}" for t in view.tracks if t.id in GERMAN_BOXES)

    def briefing(self, scenario: str) -> tuple[str, ...]:
        """Turns, sectors and the points of every degree."""
        found = SETUPS.get(scenario)
        if found is None:
            return ()
        row = next(row for row in CHARTS.victory if row.check == found.check)
        first, last = found.turns
        return (
            _("Turns {first}-{last}", first=first, last=last),
            _("Sectors: {sectors}", sectors=", ".join([_(s) for s in found.sectors])),
            _("Victory points:"),
            *[
                "  " + _("From {least}: {degree}", least=least, degree=_(degree))
                for least, degree in row.levels
            ],
            "  " + _("else: {degree}", degree=_(row.below)),
            _(
                "With {limit} infantry units lost in one Division the game is lost at once.",
                limit=LOSS_LIMIT if first < FIRST_EXTENDED_TURN else EXTENDED_LOSS_LIMIT,
            ),
            "",
            _("You lead the Americans; the cards move the Germans."),
        )

    def foretold(self, msg: Msg) -> str:
        """Fire, artillery and landing without the numbers, which stand beside the words."""
        words = FORETOLD.get(str(msg.facts.get("foretold", "")))
        return self.say(Msg(words, msg.facts)) if words else self.say(msg)

    # --- odds -------------------------------------------------------------------------------

    def chance(self, odds: Spread) -> Fraction | None:
        """How probable it is that the attack, the barrage or the fire does anything."""
        loud = [share for result, share in odds if not is_quiet(result.facts)]
        return sum(loud, Fraction(0))

    def chance_of(self, odds: Spread) -> str:
        """What that is the chance of: of hurting the Germans, or of being hit."""
        is_own = any("n" in result.facts for result, _share in odds)
        return _("it is hit") if is_own else _("hurts the Germans")


def is_quiet(facts: Mapping[str, Fact]) -> bool:
    """Whether nothing came of it: nobody hit, or no German."""
    return facts.get("result") in QUIET or facts.get("n") == 0


def german_words(id: str) -> str:
    """What is printed on a German counter, in words; nothing where it says itself."""
    groups = (*GERMANS.values(), *DEPTH.values())
    found = next((group[id] for group in groups if id in group), None)
    if found is None:
        return ""
    weapons = ", ".join(
        [f"{weapon} ({_(WEAPONS.get(weapon, weapon))})" for weapon in found.weapons]
    )
    strength = _("strength {n}", n=found.strength)
    return f"{strength} · " + _("it takes {weapons}", weapons=weapons) if weapons else strength


def short(id: str) -> str:
    """A unit in six letters at most: E/2/16 whole, A/1/116 is A1/116, 1-2/397 is 12/397."""
    if len(id) <= 6:
        return id
    *company, regiment = id.replace("•", "").split("/")
    found = "".join(company) + "/" + regiment if company else regiment
    return found if len(found) <= 6 else found.replace("/", "")


@cache
def arrows() -> Mapping[frozenset[Hex], MarkLook]:
    """The arrows of advance, by the side of the position's hex that they cross (16.8)."""
    found = {}
    for position in POSITIONS.values():
        start = HEX[position.hexes[0]]
        for to in position.advances:
            goal = HEX[POSITIONS[to].hexes[0] if to in POSITIONS else to]
            near = min(neighbours(start), key=lambda h: distance(h, goal))
            glyph = POINTERS[neighbours(start).index(near)]
            found[frozenset((start, near))] = MarkLook(glyph, ">", COLOURS[position.colour])
    return found


def losses(known: State) -> dict[str, tuple[str, ...]]:
    """The loss boxes of the divisions in play."""
    sectors = SETUPS[known.scenario].sectors
    return {d: units for d, units in known.losses.items() if SECTOR_OF[d] in sectors}


def card_of(use: str, card: Card, turn: int) -> str:
    """The part of a card that it was drawn for."""
    if use.startswith("landing"):
        return landing_of(card)
    if use.startswith("event"):
        return "; ".join([" ".join([event_word(word) for word in e]) for e in card.event(turn)])
    return fire_of(card)


def event_word(word: str) -> str:
    """A word of an event: what happens, to whom, where."""
    if word == "each":
        return _("in each sector")
    if word in DIVISIONS:
        return _("Division {division}", division=word)
    return SYMBOLS[word][0] if word in SYMBOLS else _(word)


def landing_of(card: Card) -> str:
    """The landing part of a card: a letter for each symbol, and the mine."""
    letters = [f"{SYMBOLS[s][0]} {letter}" for s, letter in card.landing.items()]
    return "  ".join([*letters, _("mine")] if card.mine else letters)


def fire_of(card: Card) -> str:
    """The fire part of a card: target symbol, colours, double squares, letters and artillery."""
    squares = []
    for square in card.fire:
        double = "=" if square.squares == 2 else ""
        letter = ACTIONS.get(square.action, square.action)
        squares.append(f"{_(square.colour)}{double} {_(letter)}")
    if card.artillery is not None:
        calibres = ", ".join(card.artillery.calibres)
        squares.append(_("artillery {value}: {calibres}", value=card.artillery.value,
                         calibres=calibres))  # fmt: skip
    return f"{SYMBOLS[card.target][0]} " + ", ".join(squares)


def legend() -> tuple[str, ...]:
    """What the letters on counters say."""
    return (
        " ".join([f"{glyph} {_(word)}" for glyph, word in SYMBOLS.values()]),
        *[_(words) for words in STATES.values()],
        _("= on a card: double square"),
    )


PRESENTER = OmahaPresenter
