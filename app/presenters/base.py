"""How a title looks: colours, textures, letters and names, from View data alone.

Nothing here draws and nothing imports Textual: the map, the panels and the text mode all ask a
presenter. `GenericPresenter` plays any title; a title's own presenter overrides pieces of it.

Characters are never emoji and never of ambiguous width, box drawing and blocks apart. Whatever
a colour says, a letter or a glyph says too.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from app.shell.i18n import _, catalog, fraction, say
from engine.core.board import Board
from engine.core.ctx import RollRequest
from engine.core.decisions import Decision
from engine.core.dice import Die
from engine.core.hexes import Hex
from engine.core.rules import Roll, Side, Step, TallyLine
from engine.core.text import N_, Msg
from engine.core.title import Sight
from engine.core.view import CounterView, Mark, View

T = TypeVar("T")


@lru_cache(maxsize=1 << 14)
def mix(colour: str, other: str, part: float) -> str:
    """A colour moved towards another, both as #rrggbb."""
    pairs = [(int(colour[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join([f"{round(a + (b - a) * part):02x}" for a, b in pairs])


@lru_cache(maxsize=1 << 14)
def luminance(colour: str) -> float:
    """How bright a colour is to the eye, from 0 to 1, as WCAG reckons it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio of two colours, from 1 to 21; text is read with ease from 4.5 on."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def is_light(colour: str) -> bool:
    """Whether black reads better than white on a colour."""
    return contrast(colour, "#000000") > contrast(colour, "#ffffff")


@lru_cache(maxsize=1 << 14)
def ink_on(ground: str, colour: str = "", least: float = 4.5) -> str:
    """A quiet ink that is still read with ease on a ground: of a colour, or of the ground's own."""
    end = "#000000" if is_light(ground) else "#ffffff"
    for part in range(0 if colour else 10, 20):
        ink = mix(colour or ground, end, part / 20)
        if contrast(ink, ground) >= least:
            return ink
    return end


# --- looks ------------------------------------------------------------------------------------


class TerrainLook(msgspec.Struct, frozen=True):
    """Ground, the characters scattered on it or drawn in its middle, and a letter for all that.

    `art` is drawn on the normal map, `large` on the large one; both keep their place.
    """

    colour: str
    ink: str
    letter: str
    texture: str = ""
    art: tuple[str, ...] = ()
    large: tuple[str, ...] = ()


Pattern: TypeAlias = Literal["solid", "broken", "dots", "teeth"]
"""How a hexside feature is drawn, so that kinds differ without colour too."""


class HexsideLook(msgspec.Struct, frozen=True):
    """A feature along a hexside: a wall, a hedge, a cliff, a stream."""

    colour: str
    pattern: Pattern
    letter: str


class LineLook(msgspec.Struct, frozen=True):
    """A line from hex to hex: a road, a track, a railway, a river."""

    colour: str
    letter: str
    thick: bool = True
    dashed: bool = False


class ArmyLook(msgspec.Struct, frozen=True):
    """A side: its name, its accent, what is written on the accent, and a letter."""

    name: str
    colour: str
    ink: str
    letter: str


class CounterLook(msgspec.Struct, frozen=True):
    """A counter, in words short enough to be printed on it."""

    colour: str
    ink: str
    army: str
    type: str
    name: str
    strength: str = ""
    states: str = ""
    words: str = ""


class MarkLook(msgspec.Struct, frozen=True):
    """An objective, smoke, a bunker: one glyph, a letter that stands for it, maybe a word."""

    glyph: str
    letter: str
    colour: str
    text: str = ""


class UnitCard(msgspec.Struct, frozen=True):
    """A counter for whoever inspects its hex: its name, its side, its values and states."""

    name: str
    whose: str
    lines: tuple[str, ...]


class Face(msgspec.Struct, frozen=True):
    """A die as it fell: what it shows, its colours, which die it is, and whether it succeeds;
    None where that is not told by one die. `means` says what its letters stand for."""

    text: str
    ground: str
    ink: str
    name: str = ""
    succeeds: bool | None = None
    means: str = ""


class Opens(Enum):
    """What a step opens in the chronicle: a phase, in which the rules go on by themselves, a deed
    that is told apart from the others, or nothing."""

    NOTHING = auto()
    PHASE = auto()
    DEED = auto()


class DieFace(msgspec.Struct, frozen=True):
    """A face that a die of a roll can show: the key that types it, its number, how it looks, and
    what it is called where a number does not say it."""

    key: str
    value: int
    look: Face
    words: str = ""


class Panel(msgspec.Struct, frozen=True):
    """Something a title wants beside the map that other titles do not have."""

    id: str
    heading: str
    lines: tuple[str, ...]


Spread: TypeAlias = Sequence[tuple[Msg, Fraction]]
"""Results with their chances, as `engine.odds` gives them."""


class Presenter(Protocol):
    """What screens ask of a title's looks."""

    showpiece: ClassVar[str]

    def use(self, view: View, after: View | None = None) -> None:
        """Remember the table, so that ids of counters have names; and for those that come in a
        step, the table after it."""
        ...

    def name(self, key: str, id: str) -> str:
        """An id in words; `key` says what it is the id of. Given to `i18n.say`."""
        ...

    def say(self, msg: Msg) -> str:
        """A message of the engine in this title's words."""
        ...

    def answer(self, option: str, msg: Msg) -> str:
        """An answer in words; its id may say more than its message."""
        ...

    def where(self, view: View, counter: CounterView) -> str:
        """The hex that a counter stands on, or the place where it is kept, in words."""
        ...

    def detail(self, counter: CounterView) -> str:
        """What tells a counter from its fellows, in a few words: contents, states."""
        ...

    def states(self, counter: CounterView) -> list[str]:
        """The states of a counter in words, as its detail tells them."""
        ...

    def risk(self, view: View, hex: Hex) -> str:
        """What threatens who goes to a hex, in a word or two; empty if nothing is known."""
        ...

    def lit(self, msg: Msg, view: View) -> Mapping[Hex, str]:
        """The hexes that a step is about, each with a short text or none."""
        ...

    def headline(self, view: View) -> tuple[str, ...]:
        """What the top line says of the game: phase, round, what each side has."""
        ...

    def turn(self, view: View) -> str:
        """The turn or round of the game, in words."""
        ...

    def results(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """What may come of it, in words; one of these happens and no other."""
        ...

    def at_least(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """The same where results can be ranked: each line counts all that goes further."""
        ...

    def chance(self, odds: Spread) -> Fraction | None:
        """One number for the map: how probable any effect is, if that has a meaning."""
        ...

    def chance_of(self, odds: Spread) -> str:
        """What that number is the chance of, in a word or two."""
        ...

    def foretold(self, msg: Msg) -> str:
        """What may happen to a unit, in words beside its chance."""
        ...

    def total(self, line: TallyLine) -> str:
        """What a running total comes to."""
        ...

    def faces(self, step: Step, names: Sequence[str], after: Sequence[Step]) -> tuple[Face, ...]:
        """The dice of a roll, die by die; `names` are those of the dice, `after` what followed."""
        ...

    def opens(self, step: Step) -> Opens:
        """What a step opens in the chronicle."""
        ...

    def doer(self, steps: Sequence[Step], look: Callable[[], View], asked: Side) -> Side:
        """Whose doing these steps are, where `asked` was asked in them; nobody's if empty. `look`
        gives the table before them."""
        ...

    def is_deed(self, step: Step) -> bool:
        """Whether a step says who does something to what."""
        ...

    def is_blow(self, step: Step) -> bool:
        """Whether a step tells harm to somebody."""
        ...

    def is_verdict(self, step: Step) -> bool:
        """Whether a step says how a deed has ended."""
        ...

    def is_void(self, step: Step) -> bool:
        """Whether a step says that a deed came to nothing, or is rolled only for that."""
        ...

    def is_price(self, step: Step) -> bool:
        """Whether a step is the price of an action: no action has two."""
        ...

    def shot(self, steps: Sequence[Step], view: View) -> Sight | None:
        """The line between who fires and at what, once these steps of an action have told it."""
        ...

    def die_faces(self, die: Die, request: RollRequest) -> tuple[DieFace, ...]:
        """What a die of a roll can show."""
        ...

    def die_role(self, die: Die, request: RollRequest) -> str:
        """What a kind of dice is rolled for, in a word; empty where the roll itself says it."""
        ...

    def value(self, id: str) -> str:
        """What an optional rule can be, in words."""
        ...

    def briefing(self, scenario: str) -> tuple[str, ...]:
        """What a player should know of a scenario before it begins: forces, victory."""
        ...

    def army(self, side: Side) -> ArmyLook:
        """A side."""
        ...

    def terrain(self, name: str) -> TerrainLook:
        """A terrain."""
        ...

    def ground(self, name: str, elevation: int) -> str:
        """The colour of a terrain at an elevation."""
        ...

    def hexside(self, name: str) -> HexsideLook:
        """A feature of a hexside."""
        ...

    def line(self, name: str) -> LineLook:
        """A road or river from hex to hex."""
        ...

    def counter(self, counter: CounterView) -> CounterLook:
        """A counter."""
        ...

    def mark(self, mark: Mark) -> MarkLook:
        """Something on a hex that is not a counter."""
        ...

    def printed(self, name: str) -> MarkLook:
        """Something printed on a hex of the map."""
        ...

    def caption(self, board: Board, hex: Hex) -> str:
        """A name printed in a hex besides its label, in a few letters: a draw, a landing box."""
        ...

    def signs(self, board: Board, hex: Hex) -> tuple[MarkLook, ...]:
        """Small signs printed in a hex, each in its colour."""
        ...

    def arrow(self, board: Board, one: Hex, other: Hex) -> MarkLook | None:
        """An arrow printed on the side between two hexes, whichever of them it leaves."""
        ...

    def sign_keys(self) -> tuple[tuple[MarkLook, str], ...]:
        """The small signs and arrows printed on the map, in words."""
        ...

    def layer_keys(self, id: str) -> tuple[tuple[str, str], ...]:
        """What the texts of a sheet over the map mean, where they are no plain numbers."""
        ...

    @property
    def no_sight(self) -> str:
        """What is said where a title tells no sight between two hexes."""
        ...

    def describe(self, view: View, hex: Hex) -> str:
        """A hex in a few lines, for a tooltip."""
        ...

    def ground_lines(self, view: View, hex: Hex) -> list[str]:
        """A hex with its ground, its features and its marks, each in a line."""
        ...

    def units(self, view: View, hex: Hex) -> tuple[UnitCard, ...]:
        """The counters of a hex, each with all that is known of it."""
        ...

    def panels(self, view: View) -> tuple[Panel, ...]:
        """Panels of this title alone."""
        ...


# --- the looks of any title -------------------------------------------------------------------

PAPER = "#d9d1a9"
_WOOD, _LEAF, _WATER, _DEEP = "#8fa568", "#4c6a35", "#93b9c6", "#4d84a0"
_BRICK, _ROOF, _EARTH = "#d2bd98", "#8e5a44", "#7d6238"

_HOUSES = (" ▟▙   ", "▟▙ ▟▙▖")
_TOWN = ("  ▟▙  ▄▄ ", " ▟██▙ ██ ", " █▛▜█ ▀▀▟▙", " ▀▘▝▀ ▐███")

TERRAINS: Mapping[str, TerrainLook] = {
    "open clear free aperto libero scoperto": TerrainLook(
        PAPER, "#b5aa78", ".", "               ,          ' "
    ),
    "wood forest bosc foresta copertura cover": TerrainLook(_WOOD, _LEAF, "w", "▴ ↟ ▴↟  "),
    "orchard frutteto": TerrainLook("#b9c183", _LEAF, "o", "◦   "),
    "bocage hedgerow siepi": TerrainLook("#a9b474", "#557038", "k", '"  ░ "'),
    "brush scrub cespugli macchia": TerrainLook("#c3c08a", "#7c7f42", "u", " \" '  "),
    "grain wheat field campo grano": TerrainLook("#dcc677", "#b08d2c", "g", "|'|  "),
    "rough rock accidentato roccia": TerrainLook("#c9b588", _EARTH, "a", " ^  .∆  "),
    "marsh swamp palude": TerrainLook("#a8b79a", _DEEP, "m", '~ "  _ '),
    "beach sand spiaggia sabbia": TerrainLook("#e6d9ae", "#c0a65e", "s", " .    : "),
    "pavilion shelf pianoro": TerrainLook("#d3cf9b", "#8d8c4d", "p", " '    "),
    "draw gully canalone gola": TerrainLook("#c4b486", _EARTH, "d", " v    "),
    "building house village town edificio casa paese": TerrainLook(
        _BRICK, _ROOF, "e", "", _HOUSES, _TOWN
    ),
    "fort fortifica bunker": TerrainLook("#bdb6a2", "#5b564b", "f", "", ("▛▀▀▜", "▙▄▄▟")),
    "wall muro": TerrainLook("#a39c8d", "#5c554a", "#", "", ("▄▄▄▄▄▄", "▀▀▀▀▀▀")),
    "bridge ponte": TerrainLook(_WATER, "#6f5434", "=", "", ("══════", "══════")),
    "ford guado guadabile": TerrainLook("#a9c7c4", _DEEP, "%", "~ . "),
    "deep profondo": TerrainLook("#6f9fb8", "#33617c", "D", "≋  ≋ "),
    "river stream fiume ruscello": TerrainLook(_WATER, _DEEP, "~", " ~ ≋  "),
    "lake lago water acqua": TerrainLook("#84b0c4", _DEEP, "~", "~   ~   "),
    "sea mare landing sbarco": TerrainLook("#7aa6bd", "#456f8a", "~", "~     "),
    "hill high elevato alto collina altura": TerrainLook("#cbb07a", _EARTH, "h", " ∆    "),
}
"""Words that a terrain's name may contain, in English or Italian, and how it then looks."""

HEXSIDES: Mapping[str, HexsideLook] = {
    "hedge siepe bocage": HexsideLook("#3f6b2c", "dots", "h"),
    "wall muro argine": HexsideLook("#5c554a", "solid", "W"),
    "river stream water fiume ruscello": HexsideLook("#3f7fa6", "solid", "~"),
    "cliff scogliera bluff dun slope pendi crest cresta": HexsideLook("#84562a", "teeth", "v"),
    "ditch trench fosso trincea": HexsideLook("#5a4632", "broken", "t"),
    "shingle ciottol": HexsideLook("#9a8a68", "dots", "c"),
    "wire filo triang": HexsideLook("#333333", "broken", "x"),
}

LINES: Mapping[str, LineLook] = {
    "rail ferrovia binari": LineLook("#4a443c", "+", dashed=True),
    "trail track path sentiero pista secondar": LineLook("#8f6f45", "-", thick=False, dashed=True),
    "river stream fiume ruscello": LineLook("#3f7fa6", "~"),
    "mine mined minat": LineLook("#8c3b2a", "*", dashed=True),
    "road primary strada": LineLook("#a67f4e", "="),
}

MARKS: Mapping[str, tuple[str, str, str]] = {
    "objective obiettivo victory vittoria": ("✶", "*", "#b08d00"),
    "smoke fumo": ("░", "s", "#6d6d6d"),
    "control controllo flag bandiera": ("⚑", "F", "#333333"),
    "trench trincea foxhole": ("▂", "t", "#5a4632"),
    "bunker pillbox": ("⌂", "B", "#4c473d"),
    "mine minefield": ("∗", "m", "#8c3b2a"),
    "wire filo": ("#", "x", "#4a4a4a"),
    "trap ostacol obstacle frisia": ("⊠", "o", "#4a4a4a"),
    "fire fiamme flame": ("▴", "f", "#b5431a"),
    "wreck relitto": ("⊗", "r", "#333333"),
    "entry exit uscita entrata": ("▸", ">", "#333333"),
}

ACCENTS = (
    ("#23508c", "#ffffff"),  # dark, light, dark, light: sides differ in greyscale as well
    ("#f2b45f", "#1a1408"),
    ("#0e6249", "#ffffff"),
    ("#e9dc6a", "#1a1708"),
    ("#6f3f78", "#ffffff"),
)
"""Blue, orange, green, yellow, purple: apart for every common kind of colour blindness."""

DICE: Mapping[str, tuple[str, str]] = {
    "": ("#e8e2d0", "#20241f"),
    "white": ("#f4f1e6", "#20241f"),
    "coloured": ("#c0392b", "#ffffff"),
    "black": ("#303030", "#ffffff"),
    "red": ("#b03a2e", "#ffffff"),
    "pink": ("#e8a6b8", "#20241f"),
    "grey": ("#9a9a9a", "#101010"),
    "green": ("#3f7f3a", "#ffffff"),
    "yellow": ("#e0c341", "#20241f"),
    "blue": ("#3b6fb6", "#ffffff"),
    "purple": ("#7b4a96", "#ffffff"),
}
"""Ground and ink of a die, by its name."""

FALLBACK = ("#cfc3a0", "#bcc59a", "#cdb5a0", "#b9c4c2", "#d8c58b", "#c0b8c4")


def matching(looks: Mapping[str, T], name: str) -> T | None:
    """The first look one of whose words is in a name."""
    found = (look for words, look in looks.items() if any(w in name for w in words.split()))
    return next(found, None)


def initials(text: str, size: int) -> str:
    """The first letters of a word, in capitals."""
    return "".join([c for c in text if c.isalnum()])[:size].upper()


class AtLeast(int):
    """A number that says of itself that it may be more."""

    def __format__(self, spec: str) -> str:
        return _("at least {number}", number=int(self))


def amount(result: Msg) -> int | None:
    """How many of something a result is about, if it is about a number."""
    number = result.facts.get("n")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def merged(results: Iterable[tuple[str, Fraction]]) -> tuple[tuple[str, Fraction], ...]:
    """Results that read alike are one."""
    found: dict[str, Fraction] = {}
    for said, share in results:
        found[said] = found.get(said, Fraction(0)) + share
    return tuple(found.items())


class GenericPresenter:
    """Plain looks for any title, guessed from names. A title's presenter fills these tables:

    looks by the names that its boards and views use; accents (ground and ink) by side; the letters
    printed on a counter by kind; the letter of a state; the words of the values that its optional
    rules can have; and for the chronicle the names of the events that begin a phase, that open
    something else of their own, that do harm, that are the price of an action, and the rules by
    which a deed comes to nothing. `showpiece` is the worked example that is told where
    no screen can open.
    """

    terrains: ClassVar[Mapping[str, TerrainLook]] = {}
    hexsides: ClassVar[Mapping[str, HexsideLook]] = {}
    lines: ClassVar[Mapping[str, LineLook]] = {}
    title: ClassVar[str] = ""
    showpiece: ClassVar[str] = ""
    values: ClassVar[Mapping[str, str]] = {}
    marks: ClassVar[Mapping[str, MarkLook]] = {}
    accents: ClassVar[Mapping[Side, tuple[str, str]]] = {}
    types: ClassVar[Mapping[str, str]] = {}
    letters: ClassVar[Mapping[str, str]] = {}
    phases: ClassVar[frozenset[str]] = frozenset()
    openings: ClassVar[frozenset[str]] = frozenset()
    blows: ClassVar[frozenset[str]] = frozenset()
    prices: ClassVar[frozenset[str]] = frozenset()
    voids: ClassVar[frozenset[str]] = frozenset()
    verdicts: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, sides: tuple[Side, ...] = ()) -> None:
        self._order = list(sides)
        self._counters: dict[str, CounterView] = {}
        self._terrains: dict[str, TerrainLook] = {}
        self._armies: dict[Side, ArmyLook] = {}

    def use(self, view: View, after: View | None = None) -> None:
        """Remember the table, so that ids of counters have names."""
        self._counters = {counter.id: counter for counter in after.counters} if after else {}
        self._counters |= {counter.id: counter for counter in view.counters}

    def name(self, key: str, id: str) -> str:
        """An id in words; the catalogs know terrains, states and kinds."""
        if id in self._counters:
            return say(self._counters[id].name, lambda _key, inner: self.word(inner), self.title)
        if key == "side" and id in self._order:
            return self.army(id).name
        return self.word(id) if id else ""

    def word(self, id: str) -> str:
        """A word of this title."""
        return catalog().text(id, self.title)

    def say(self, msg: Msg) -> str:
        """A message of the engine, its ids named."""
        return say(msg, self.name, self.title)

    def answer(self, option: str, msg: Msg) -> str:
        """An answer in words: its message says all."""
        return self.say(msg)

    def risk(self, view: View, hex: Hex) -> str:
        """Nothing is known."""
        return ""

    def lit(self, msg: Msg, view: View) -> Mapping[Hex, str]:
        """Where the units that a message names are, its unit and target first; and its hexes."""
        found: dict[Hex, str] = {}
        where = {counter.id: counter.hex for counter in view.counters}
        facts = sorted(msg.facts.items(), key=lambda fact: fact[0] not in ("unit", "target"))
        for _key, said in facts:
            names = said if isinstance(said, tuple) else (said,)
            hexes = [where.get(name) for name in names if isinstance(name, str)]
            found |= {hex: "" for hex in hexes if hex is not None}
        for key in ("hex", "to"):
            try:
                found[view.hex_at(str(msg.facts.get(key, "")))] = ""
            except ValueError:
                continue
        return found

    def detail(self, counter: CounterView) -> str:
        """Strength and states."""
        return ", ".join([word for word in (counter.strength, *self.states(counter)) if word])

    def states(self, counter: CounterView) -> list[str]:
        """By their names."""
        return [self.name("state", state) for state in counter.states]

    def headline(self, view: View) -> tuple[str, ...]:
        """Phase and every track."""
        parts = [self.say(view.phase)]
        for track in view.tracks:
            last = f"/{track.last}" if track.last is not None else ""
            whose = f" {self.army(track.side).name}" if track.side else ""
            parts.append(f"{self.say(track.name)}{whose} {track.value}{last}")
        return tuple(parts)

    def turn(self, view: View) -> str:
        """The track of turns or rounds."""
        for track in view.tracks:
            if track.id in ("turn", "round"):
                said = self.say(track.name).partition(",")[0]
                return f"{said[:1].upper()}{said[1:]} {track.value}"
        return ""

    def results(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """Every result by itself, numbers in their order."""
        ranked = sorted(odds, key=lambda one: (one[0].id, amount(one[0]) or 0))
        return merged((self.say(result), share) for result, share in ranked)

    def at_least(self, odds: Spread) -> tuple[tuple[str, Fraction], ...]:
        """Numbers as "at least n", where there are several and none of them goes without."""
        found: list[tuple[str, Fraction]] = []
        families: dict[str, list[tuple[int, Msg, Fraction]]] = {}
        for result, share in odds:
            number = amount(result)
            if number is not None:
                families.setdefault(result.id, []).append((number, result, share))
        for family in families.values():
            family.sort(key=lambda one: one[0])
            for place, (number, result, _share) in enumerate(family):
                total = sum((share for _n, _result, share in family[place:]), Fraction(0))
                said = Msg(result.id, {**result.facts, "n": AtLeast(number)})
                if number > 0 and len(family) > 1:
                    found.append((self.say(said), total))
        return tuple(found)

    def foretold(self, msg: Msg) -> str:
        """The message as it is."""
        return self.say(msg)

    def total(self, line: TallyLine) -> str:
        """The number."""
        return fraction(Fraction(line.total))

    def faces(self, step: Step, names: Sequence[str], after: Sequence[Step]) -> tuple[Face, ...]:
        """Dice in their colours; what is drawn from a pool is told in words alone."""
        shown = step.chance.faces if isinstance(step.chance, Roll) else ()
        return tuple(
            Face(str(face), *DICE.get(name, DICE[""]), name)
            for face, name in zip(shown, names, strict=True)
        )

    def opens(self, step: Step) -> Opens:
        """A phase or a deed, by the name of the event."""
        name = type(step.event).__name__
        return Opens.PHASE if name in self.phases else (
            Opens.DEED if name in self.openings else Opens.NOTHING)  # fmt: skip

    def doer(self, steps: Sequence[Step], look: Callable[[], View], asked: Side) -> Side:
        """Whoever was asked."""
        return asked

    def is_deed(self, step: Step) -> bool:
        """Somebody, and a target, a marker or a hex; who only supports it leads no deed."""
        facts = step.ruling.msg.facts
        if "lead" in facts:
            return False
        has_object = any(key in facts for key in ("target", "marker", "hex"))
        return has_object and any(key in facts for key in ("unit", "side", "kind"))

    def is_blow(self, step: Step) -> bool:
        """By the name of the event."""
        return type(step.event).__name__ in self.blows

    def is_verdict(self, step: Step) -> bool:
        """By the sentence or the table that it applied."""
        ends = tuple(self.verdicts)
        return step.event is None and any(one.startswith(ends) for one in step.ruling.anchors)

    def is_void(self, step: Step) -> bool:
        """By its rule."""
        return step.ruling.refs[0] in self.voids

    def is_price(self, step: Step) -> bool:
        """By the name of the event."""
        return type(step.event).__name__ in self.prices

    def shot(self, steps: Sequence[Step], view: View) -> Sight | None:
        """The last hexes of which one sees the other, or the last unit with a target."""
        where = {counter.id: counter.hex for counter in view.counters}

        def hex_of(name: object) -> Hex | None:
            found = where.get(str(name)) or where.get(str(name).rpartition(":")[0])
            if found is None:
                with suppress(ValueError):
                    found = view.hex_at(str(name))
            return found

        for step in reversed(steps):
            facts = step.ruling.msg.facts
            for one, other in (("a", "b"), ("hex", "target"), ("unit", "target")):
                a, b = hex_of(facts.get(one, "")), hex_of(facts.get(other, ""))
                if a is not None and b is not None and a != b:
                    return Sight(a, b, (), True, ())
        return None

    def die_faces(self, die: Die, request: RollRequest) -> tuple[DieFace, ...]:
        """Numbers from 1."""
        ground, ink = DICE.get(die.name, DICE[""])
        numbers = range(1, die.sides + 1)
        return tuple(DieFace(str(n), n, Face(str(n), ground, ink, die.name)) for n in numbers)

    def die_role(self, die: Die, request: RollRequest) -> str:
        """The roll says it."""
        return ""

    def chance(self, odds: Spread) -> Fraction | None:
        """Unknown: what an effect is, titles know."""
        return None

    def chance_of(self, odds: Spread) -> str:
        """Any effect."""
        return _("has an effect")

    def army(self, side: Side) -> ArmyLook:
        """A side; accents go round in the order of the sides."""
        if side not in self._armies:
            if side not in self._order:
                self._order.append(side)
            accent = ACCENTS[self._order.index(side) % len(ACCENTS)]
            colour, ink = self.accents.get(side, accent)
            name = self.side_name(side)
            taken = {look.letter for look in self._armies.values()}
            letter = next((c for c in initials(name, 9) if c not in taken), "?")
            self._armies[side] = ArmyLook(name, colour, ink, letter)
        return self._armies[side]

    def value(self, id: str) -> str:
        """What an optional rule can be; a value without words speaks for itself."""
        known = {"si": N_("yes"), "no": N_("no"), **self.values}
        return self.word(known.get(id, id))

    def briefing(self, scenario: str) -> tuple[str, ...]:
        """Nothing beyond what the scenario itself says."""
        return ()

    def side_name(self, side: Side) -> str:
        """A side in words."""
        words = self.word(side)
        return words if words != side else side.upper() if len(side) < 4 else side.capitalize()

    def terrain(self, name: str) -> TerrainLook:
        """A terrain: the title's, or one whose words are in the name, or a colour of its own."""
        if name not in self._terrains:
            look = self.terrains.get(name) or matching(TERRAINS, name.casefold())
            if look is None:
                colour = FALLBACK[zlib.crc32(name.encode()) % len(FALLBACK)]
                look = TerrainLook(colour, mix(colour, "#000000", 0.4), name[:1] or "?", " .   ")
            self._terrains[name] = look
        return self._terrains[name]

    def ground(self, name: str, elevation: int) -> str:
        """The colour of a terrain, browner as it rises and bluer as it sinks."""
        colour = self.terrain(name).colour
        if elevation > 0:
            return mix(colour, "#9a6a35", min(0.6, 0.2 * elevation))
        return mix(colour, "#5d7f93", min(0.5, -0.15 * elevation)) if elevation else colour

    def hexside(self, name: str) -> HexsideLook:
        """A feature of a hexside."""
        known = self.hexsides.get(name) or matching(HEXSIDES, name.casefold())
        return known or HexsideLook("#7a2f5a", "broken", name[:1])

    def line(self, name: str) -> LineLook:
        """A road or river from hex to hex."""
        known = self.lines.get(name) or matching(LINES, name.casefold())
        return known or LineLook("#6b5a48", name[:1])

    def counter(self, counter: CounterView) -> CounterLook:
        """A counter: the first letters of its kind, its strength, and a letter for each state."""
        army = self.army(counter.side)
        return CounterLook(
            army.colour,
            army.ink,
            army.letter,
            self.types.get(counter.kind) or initials(self.word(counter.kind), 3),
            self.name("unit", counter.id)
            if counter.id in self._counters
            else self.say(counter.name),
            counter.strength,
            "".join([self.letters.get(s) or initials(self.word(s), 1) for s in counter.states]),
            ", ".join([self.name("state", s) for s in counter.states]),
        )

    def mark(self, mark: Mark) -> MarkLook:
        """Something on a hex that is not a counter; it takes the accent of its side."""
        look = self.printed(mark.kind)
        colour = self.army(mark.side).colour if mark.side else look.colour
        return MarkLook(look.glyph, look.letter, colour, mark.text)

    def printed(self, name: str) -> MarkLook:
        """Something printed on a hex of the map."""
        if name in self.marks:
            return self.marks[name]
        glyph, letter, colour = matching(MARKS, name.casefold()) or ("◦", name[:1], "#3b3732")
        return MarkLook(glyph, letter, colour)

    def caption(self, board: Board, hex: Hex) -> str:
        """Nothing but the label."""
        return ""

    def signs(self, board: Board, hex: Hex) -> tuple[MarkLook, ...]:
        """None."""
        return ()

    def arrow(self, board: Board, one: Hex, other: Hex) -> MarkLook | None:
        """None."""
        return None

    def sign_keys(self) -> tuple[tuple[MarkLook, str], ...]:
        """None."""
        return ()

    @property
    def no_sight(self) -> str:
        """It is not told."""
        return _("This title does not tell sight beforehand.")

    def layer_keys(self, id: str) -> tuple[tuple[str, str], ...]:
        """Numbers speak for themselves."""
        return ()

    def where(self, view: View, counter: CounterView) -> str:
        """The hex that a counter stands on, or the place where it is kept, in words."""
        if counter.hex is not None and counter.hex in view.board:
            return view.board.label(counter.hex)
        return self.name("place", counter.place)

    def heading(self, view: View, hex: Hex) -> str:
        """A hex with its ground, or a place beside the map, in words."""
        if hex not in view.board:
            return self.name("place", view.label(hex))
        return f"{view.label(hex)}: {self.name('terrain', view.board.terrain(hex))}"

    def level(self, view: View, hex: Hex) -> str:
        """The elevation of a hex after its heading, unless it is 0."""
        height = view.board.elevations.get(hex, 0)
        return ", " + _("level {n}", n=height) if height else ""

    def marked(self, view: View, hex: Hex) -> list[str]:
        """The marks of a hex, each in a line: what, whose, and what is written on it."""
        lines = []
        for mark in view.marks.get(view.label(hex), ()):
            whose = f" ({self.army(mark.side).name})" if mark.side else ""
            lines.append(f"{self.word(mark.kind)}{whose} {mark.text}".rstrip())
        return lines

    def features(self, view: View, hex: Hex) -> list[str]:
        """What runs along the sides of a hex, through it, or is printed in it."""
        board = view.board
        sides = {name for side, names in board.sides.items() if hex in side for name in names}
        roads = {name for side, names in board.roads.items() if hex in side for name in names}
        shown = [*sorted(roads | sides), *board.markers_at(hex)]
        return [", ".join([self.name("feature", name) for name in shown])] if shown else []

    def stacked(self, counters: Sequence[CounterView]) -> Sequence[CounterView]:
        """The counters of a hex in the order in which they are described."""
        return counters

    def card(self, counter: CounterView) -> tuple[str, ...]:
        """A counter in a few lines: its values in words, its states."""
        return (self.detail(counter),)

    def shorthand(self, counter: CounterView) -> str:
        """What is written on a counter, as the map draws it."""
        look = self.counter(counter)
        return " ".join([part for part in (look.type, look.strength, look.states) if part])

    def ground_lines(self, view: View, hex: Hex) -> list[str]:
        """A hex with its ground, its features and its marks, each in a line."""
        heading = self.heading(view, hex) + self.level(view, hex)
        return [heading, *self.features(view, hex), *self.marked(view, hex)]

    def units(self, view: View, hex: Hex) -> tuple[UnitCard, ...]:
        """The counters of a hex, each with all that is known of it."""
        found = []
        for counter in self.stacked(view.at(hex)):
            whose = self.army(counter.side).name if counter.side else ""
            lines = [line for line in self.card(counter) if line]
            written = self.shorthand(counter)
            if written:
                lines.append(_("on the counter: {letters}", letters=written))
            found.append(UnitCard(self.name("unit", counter.id), whose, tuple(lines)))
        return tuple(found)

    def describe(self, view: View, hex: Hex) -> str:
        """A hex in a few lines: ground, features, marks, counters."""
        lines = self.ground_lines(view, hex)
        for counter in self.stacked(view.at(hex)):
            said = self.detail(counter)
            above = "  " if counter.facts.get("owner") else ""  # a weapon, after who carries it
            lines.append(above + self.name("unit", counter.id) + (f": {said}" if said else ""))
        return "\n".join(lines)

    def panels(self, view: View) -> tuple[Panel, ...]:
        """No panels of its own."""
        return ()


def name_of(presenter: Presenter, decision: Decision | None, option: str) -> str:
    """An answer in words, whether it is allowed or refused."""
    kind, _colon, name = option.partition(":")
    words = decision.refused.words(option) if decision is not None else None
    if words is not None and kind not in "uh":  # a verb: its id is not for people
        return presenter.answer(option, words)
    return presenter.name(kind, name)
