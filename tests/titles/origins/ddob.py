"""The numbers of D-Day at Omaha Beach: hits, guns, hexes counted on the map, cells of charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.ddob.state.ground import HEX, SECTOR
from engine.ddob.state.state import German, State
from engine.ddob.state.tables import (
    CARDS,
    CHARTS,
    DEPTH,
    GERMANS,
    POSITIONS,
    SETUPS,
    TERRAIN,
    UNITS,
    GermanData,
)
from tests.titles.numbers import Kind, Number, Origin, Said
from tests.titles.origins.common import fixed, totals

FIRES = "{fires} fires, one hit at most (units {units}, depth markers {markers})"
FIRES_TWICE = "{fires} fires, up to {n} hits (units {units}, depth markers {markers}, doubled)"
NO_PATH = "{hex} has no path to an exit."
OCCUPIED = "{hex} is occupied: no German communication."
COMMANDS = "{leader} commands {units}."
OPENS = "{base}, on space {space} of the track, reaches {n} hexes: {hexes}."
DRIFTS = "{unit} drifts {n} boxes by choice."
ATTACKED = "{us} against {german}, weapons {weapons}, {ratio}: {effects}"
UNHARMED = "{us} against {german}, weapons {weapons}, {ratio}: no effect"
FIRST = "{units}: first of {n} by priority ({order}), before {others}"
PICKED = f"{FIRST}; among equals you picked {{picked}}"
CLEARED = "{n} of {limit} hexes cleared in the {sector} sector on turn {turn}."
ARTILLERY = "Artillery: {count} guns of {calibres} mm, {value} needed by {card}."
NEAREST = "{position}: nearest to US units, {n} hexes."
FACTORS = "{terrain}: unit ×{unit}, depth marker ×{depth}"
CROWDED = "{hex}: {n} units, at most {most}; you give up {unit}."
CATASTROPHE = "Division {division}: {n} losses of {limit}. Decisive defeat."
MEYER = "{units} units and {depth} depth markers of Kampfgruppe Meyer."
LATE = ("5.11#esce", "5.11#alta-marea", "5.14.leader", "11.4#colpito/HQ")
"""Rules that send a unit two turns on."""
PRIMARY, PAVED_OR_FOOT = 4, 2
LOSSES, EXTENDED_LOSSES = 8, 14
MEYER_UNITS, MEYER_MARKERS, BACK = 4, 2, 5
EXTENDED = 17


def applies(said: Said, *places: str) -> bool:
    """Whether the step applies one of these sentences or cells, or a rule without any."""
    cited = (*said.step.ruling.refs, *said.step.ruling.anchors)
    return any(f"ddob:{place}" in cited for place in places)


def between(a: str, b: str) -> int:
    """Hexes from one to the other on the map."""
    (q, r), (x, y) = HEX[a], HEX[b]
    return (abs(x - q) + abs(y - r) + abs(x + y - q - r)) // 2


def hex_named(name: str) -> str:
    """The hex of a position; the half of a WN of two hexes has N or S behind its name."""
    if name in POSITIONS:
        return POSITIONS[name].hexes[0]
    if name[:-1] in POSITIONS:
        return POSITIONS[name[:-1]].hexes["NS".index(name[-1])]
    return name


def total(name: str) -> Origin:
    """What the last tally of a name came to; nothing without a line."""
    return lambda said: totals(said.earlier, name)[-1:] or [0]


def told(said: Said, words: str, name: str) -> set[str]:
    """What earlier lines of a kind name."""
    found: set[str] = set()
    for step in said.earlier:
        if step.ruling.msg.id == words:
            fact = step.ruling.msg.facts[name]
            found |= set(map(str, fact)) if isinstance(fact, tuple) else {str(fact)}
    return found


def listed(*names: str) -> Origin:
    """As many as the line itself names."""

    def count(said: Said) -> Iterable[Number]:
        yield sum(len(said.fact(name)) for name in names)

    return count


# German fire


def firing(said: Said) -> list[German]:
    """The counters that fire: of the position named, neither disrupted nor silent."""
    state, name = said.before, said.fact("fires")
    hexes = POSITIONS[name].hexes if name in POSITIONS else (name,)
    here = [state.germans[h] for h in hexes if h in state.germans]
    return [g for g in here if not g.disrupted and not g.silent]


def firing_units(said: Said) -> Iterable[Number]:
    """How many they are."""
    yield len(firing(said))


def firing_markers(said: Said) -> Iterable[Number]:
    """How many of them have a depth marker."""
    yield sum(bool(g.depth) for g in firing(said))


def limit_of_hits(said: Said) -> Iterable[Number]:
    """Units and markers, as the line says them; twice where it says so."""
    yield (said.fact("units") + said.fact("markers")) * (2 if applies(said, "14.11#doppio") else 1)


def crowd(said: Said) -> Iterable[Number]:
    """The steps in the hex when the action began: those who fall in it still count."""
    yield sum(unit.steps for unit in said.rest.units.values() if unit.at == said.fact("hex"))


def asked_by_card(said: Said) -> Iterable[Number]:
    """The number on the artillery line of the card."""
    line = CARDS[said.fact("card")].artillery
    yield from [line.value] if line else []


def first_guns(said: Said) -> Iterable[Number]:
    """Turn 4, or 5 after the bombardment (6.5, 22.1)."""
    yield 5 if applies(said, "22.1#dal-turno-5") else 4


def mortars(said: Said) -> Iterable[Number]:
    """Two with a depth marker, else one (16.5)."""
    here = [said.before.germans.get(h) for h in POSITIONS[said.fact("position")].hexes]
    yield 2 if any(g and g.depth and not g.disrupted for g in here) else 1


def linked(said: Said) -> Iterable[Number]:
    """The hexes of positions in play, less those that the lines before name."""
    sectors = SETUPS[said.before.scenario].sectors
    hexes = {h for p in POSITIONS.values() for h in p.hexes if SECTOR[h] in sectors}
    yield len(hexes - told(said, NO_PATH, "hex") - told(said, OCCUPIED, "hex"))


# German units


def us_hexes(state: State) -> list[str]:
    """Where US units stand; generals do not count (12.1)."""
    units = [unit for unit in state.units.values() if UNITS[unit.id].type != "general"]
    return [unit.at for unit in units if unit.at in HEX]


def to_us(said: Said) -> Iterable[Number]:
    """Hexes from the position to the nearest US unit."""
    here = hex_named(said.fact("position"))
    yield min(between(here, there) for there in us_hexes(said.before))


def to_wn(said: Said) -> Iterable[Number]:
    """Hexes from the position to the WN."""
    yield between(hex_named(said.fact("position")), hex_named(said.fact("wn")))


def reserves(said: Said) -> Iterable[Number]:
    """What is left in the Tactical and the Divisional box (9.34)."""
    yield said.before.boxes.get("T", 0) + said.before.boxes.get("D", 0)


def of_meyer(box: str, most: int) -> Origin:
    """What the rule frees, at most what is left in a box (9.5)."""
    return lambda said: [min(most, said.before.boxes.get(box, 0))]


def coming_back(said: Said) -> Iterable[Number]:
    """Five, at most the eliminated mobile markers (22.4)."""
    yield min(BACK, sum(said.before.dead_mobile.values()))


def dead_strongholds(said: Said) -> Iterable[Number]:
    """The eliminated WN units."""
    yield sum(said.before.dead_wn.values())


def factor(column: str) -> Origin:
    """The cell of the terrain chart in the row that the line names."""
    return lambda said: [getattr(TERRAIN[said.fact("terrain")], column)]


def factor_told(column: str) -> Origin:
    """The best factor that the terrain lines of this comparison told."""

    def best(said: Said) -> Iterable[Number]:
        lines = [s.ruling.msg.facts for s in said.earlier if s.ruling.msg.id == FACTORS]
        yield max(int(str(facts[column])) for facts in lines)

    return best


def printed(faces: Mapping[str, Mapping[str, GermanData]], fact: str) -> Origin:
    """The strength on the counter that the line names."""

    def on_counter(said: Said) -> Iterable[Number]:
        name = said.fact(fact)
        yield from (kind[name].strength for kind in faces.values() if name in kind)

    return on_counter


# US units


def delayed_to(said: Said) -> Iterable[Number]:
    """This turn and what the rule adds: a cell of the landing chart, two, one, or your choice."""
    turn = said.before.turn
    for anchor in said.step.ruling.anchors:
        if anchor.startswith("ddob:5.1#sbarchi/"):
            row, letter = anchor.split("/")[1:]
            cell = getattr(CHARTS.landing[int(row) - 1], letter)
            yield from (turn + int(e.split()[1]) for e in cell if e.startswith("delay"))
    if applies(said, *LATE):
        yield turn + 2
    if applies(said, "5.31#due"):
        yield turn + 1
    if applies(said, "5.34#rinviare"):
        yield from (int(answer) for answer in said.chosen if answer.isdigit())


def drifted(said: Said) -> Iterable[Number]:
    """The number that the player answered for this unit: the next one that is not nothing."""
    before = sum(step.ruling.msg.id == DRIFTS for step in said.earlier)
    answers = [int(answer) for answer in said.chosen if answer.isdigit() and int(answer)]
    yield from answers[before : before + 1]


def commanded(said: Said) -> Iterable[Number]:
    """As many units as the lines before name."""
    yield len(told(said, COMMANDS, "units"))


def reach_of_post(said: Said) -> Iterable[Number]:
    """The cell of the track on the post's space."""
    yield CHARTS.hq_range.ranges[said.fact("space") - 1]


def space_of_post(said: Said) -> Iterable[Number]:
    """Where the marker of the post lies."""
    yield said.before.units[said.fact("unit")].space


def next_space(said: Said) -> Iterable[Number]:
    """One space on; none for a post that is an HQ again."""
    space = said.before.units[said.fact("unit")].space
    yield 0 if applies(said, "18.33#torna", "18.11") else space + 1


def actions(said: Said) -> Iterable[Number]:
    """Two, or three from turn 17; events make it one, or add one."""
    lines = {step.ruling.msg.id for step in said.earlier}
    count = 3 if applies(said, "15.vi#tre") else 2
    if "German fire: one action only." in lines:
        count = 1
    yield count + ("Initiative: one more action." in lines)


def most_hexes(said: Said) -> Iterable[Number]:
    """Four along a primary road, else two (17.1, 17.2)."""
    is_primary = applies(said, "17.2#strada/strada principale/Massimo")
    yield PRIMARY if is_primary else PAVED_OR_FOOT


def to_target(said: Said) -> Iterable[Number]:
    """Hexes from the unit to the hex that it fires at."""
    yield between(said.before.units[said.fact("unit")].at, said.fact("hex"))


def stacked(said: Said) -> Iterable[Number]:
    """Units of a hex that count for its limit: all but leaders."""
    here = [name for name, unit in said.before.units.items() if unit.at == said.fact("hex")]
    yield sum(UNITS[name].type not in ("HQ", "general") for name in here)


def strength(said: Said) -> Iterable[Number]:
    """What the counter of the unit has on the side that is up."""
    yield said.before.units[said.fact("unit")].strength


def markers_of_ships(said: Said) -> Iterable[Number]:
    """One more by an event, one less when one is spent."""
    yield said.before.naval + (1 if applies(said, "ev.navale#ricevi") else -1)


def losses(said: Said) -> Iterable[Number]:
    """The units in the loss box of the division."""
    yield len(said.before.losses[said.fact("division")])


def losses_allowed(said: Said) -> Iterable[Number]:
    """Eight, or fourteen from turn 17 (13.1, 20.1)."""
    yield EXTENDED_LOSSES if said.before.turn >= EXTENDED else LOSSES


# Engineers


def cleared(said: Said) -> Iterable[Number]:
    """The hexes of the sector that were cleared this turn, this one included."""
    before = said.before.notes.get(f"cleared {said.fact('sector')}", "0")
    yield int(before) + 1


def clearing(said: Said) -> Iterable[Number]:
    """The cell of the chart in the row of the turn (10.12)."""
    turn = said.fact("turn")
    yield from (r.hexes for r in CHARTS.clearing if r.turns[0] <= turn <= r.turns[1])


def reach_of_base(said: Said) -> Iterable[Number]:
    """The cell of the track on the base's space."""
    yield CHARTS.engineer_range.ranges[said.fact("space") - 1]


def space_of_base(said: Said) -> Iterable[Number]:
    """Where the marker of the base lies."""
    yield said.before.bases[said.fact("base")].space


def opened(said: Said) -> Iterable[Number]:
    """As many hexes as the lines before name."""
    yield len(told(said, OPENS, "hexes"))


# The clock


def this_turn(said: Said) -> Iterable[Number]:
    """The turn that is being played."""
    yield said.before.turn


def next_turn(said: Said) -> Iterable[Number]:
    """The one after it."""
    yield said.before.turn + 1


UNIT_TIMES = "unit {unit}, {printed} × {factor}"
DEPTH_TIMES = "depth marker {depth}, {printed} × {factor}"
OUR_DEPTH_TIMES = "depth marker {depth}, {printed} × {factor}, reconstructed"
POST = "{unit}, on space {space} of the track, commands within {n} hexes."

ORIGINS: Mapping[Kind, Origin] = {
    (FIRES, "units"): firing_units,
    (FIRES, "markers"): firing_markers,
    (FIRES, "n"): limit_of_hits,
    (FIRES_TWICE, "units"): firing_units,
    (FIRES_TWICE, "markers"): firing_markers,
    (FIRES_TWICE, "n"): limit_of_hits,
    ("{unit} in {hex}: concentrated target, {n} steps.", "n"): crowd,
    ("{unit} in {hex}: concentrated target, {n} steps; tank symbol: armor is hit.", "n"): crowd,
    (FIRST, "n"): listed("units", "others"),
    (PICKED, "n"): listed("units", "others"),
    ("{units}: your choice among {n} equals, not {others}", "n"): listed("units", "others"),
    (ARTILLERY, "count"): total("guns"),
    (ARTILLERY, "value"): asked_by_card,
    ("No artillery before turn {turn}.", "turn"): first_guns,
    ("One off-map battery is inactive: {batteries}.", "n"): listed("batteries"),
    ("Mortars of {position}, with a depth marker: at most {n} hits.", "n"): mortars,
    ("Mortars of {position}, without a depth marker: at most {n} hit.", "n"): mortars,
    ("One position hex is in German communication.", "n"): linked,
    ("{queue} may act.", "n"): listed("queue"),
    (NEAREST, "n"): to_us,
    ("{position}: nearest to US units, {n} hexes; your choice among equals.", "n"): to_us,
    ("{position}: nearest to US units, {n} hexes; others as near come after it.", "n"): to_us,
    ("{position}: nearest to {wn}, {n} hexes.", "n"): to_wn,
    ("Units left: {n}, for zones {zones}. None for {passed}.", "n"): reserves,
    (MEYER, "units"): of_meyer("M", MEYER_UNITS),
    (MEYER, "depth"): of_meyer("meyer", MEYER_MARKERS),
    ("A mobile depth marker returns.", "n"): coming_back,
    ("Eliminated WN units left: {n}, too few.", "n"): dead_strongholds,
    (FACTORS, "unit"): factor("unit"),
    (FACTORS, "depth"): factor("depth"),
    (UNIT_TIMES, "printed"): printed(GERMANS, "unit"),
    (UNIT_TIMES, "factor"): factor_told("unit"),
    (DEPTH_TIMES, "printed"): printed(DEPTH, "depth"),
    (DEPTH_TIMES, "factor"): factor_told("depth"),
    (OUR_DEPTH_TIMES, "printed"): printed(DEPTH, "depth"),
    (OUR_DEPTH_TIMES, "factor"): factor_told("depth"),
    ("{unit} is delayed to turn {turn}.", "turn"): delayed_to,
    (DRIFTS, "n"): drifted,
    ("One unit is under command.", "n"): commanded,
    (POST, "space"): space_of_post,
    (POST, "n"): reach_of_post,
    ("{unit} commands within {n} hexes because of snipers.", "n"): fixed(1),
    ("{unit}: command range space {space}", "space"): next_space,
    ("Division {division} has {actions} actions.", "actions"): actions,
    ("{unit} has moved {n} hexes, the most it may.", "n"): most_hexes,
    ("{unit} fires at {hex} from the next hex.", "n"): to_target,
    ("{unit} fires at {hex} from the next hex under {leader}.", "n"): to_target,
    ("{unit} fires at {hex}, distance {n}: it is beside {other}.", "n"): to_target,
    ("{unit} fires at {hex}, distance {n}: under command of {leader}.", "n"): to_target,
    ("{unit} fires at {hex}, distance {n}: {leader} commands {other}.", "n"): to_target,
    (CROWDED, "n"): stacked,
    (CROWDED, "most"): fixed(2),
    (ATTACKED, "us"): total("US strength"),
    (ATTACKED, "german"): total("German strength"),
    (UNHARMED, "us"): total("US strength"),
    (UNHARMED, "german"): total("German strength"),
    ("{unit} barrages {position}: {match}, strength {strength}, {result}", "strength"): strength,
    ("Strength {n}: the advance is repulsed.", "n"): total("defence of the route"),
    ("Strength {n}: the advance succeeds.", "n"): total("defence of the route"),
    ("Naval fire markers: {n}", "n"): markers_of_ships,
    (CATASTROPHE, "n"): losses,
    (CATASTROPHE, "limit"): losses_allowed,
    (CLEARED, "n"): cleared,
    (CLEARED, "limit"): clearing,
    (CLEARED, "turn"): this_turn,
    (OPENS, "space"): space_of_base,
    (OPENS, "n"): reach_of_base,
    ("Engineers have opened a hex.", "n"): opened,
    ("First check: {n} points, {degree}", "n"): total("victory points"),
    ("{points} victory points: {degree}", "points"): total("victory points"),
    ("The table of turn {turn} applies.", "turn"): fixed(2),
    ("No obstacle is cleared on turn {turn}.", "turn"): this_turn,
    ("No event on turn {turn}.", "turn"): this_turn,
    ("Turn {turn}", "turn"): next_turn,
}
