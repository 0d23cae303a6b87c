"""What a screen may explain: fields of fire, threats, hexes (6.2, 12, 13.22, tec)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.hexes import Hex
from engine.core.pools import Pool
from engine.core.rules import Ruling
from engine.core.text import N_, msg
from engine.core.title import Layer, Sight
from engine.ddob.rules import victory
from engine.ddob.rules.attacks import FLANKING, Plan, flanks, weapons_of
from engine.ddob.rules.communication import (
    control,
    german_reach,
    link_ruling,
    us_path_ruling,
    us_reach,
)
from engine.ddob.rules.german_fire import first_artillery, forecast, guns_of
from engine.ddob.rules.landing import landing_row
from engine.ddob.rules.leaders import hqs_of
from engine.ddob.state.book import rule
from engine.ddob.state.events import Discarded, FirePhaseBegan, Shuffled, TurnBegan
from engine.ddob.state.ground import (
    BASE,
    BOARD,
    COVER_AT,
    EXIT_AT,
    HEX,
    MINED,
    NEIGHBOURS,
    OBSTACLES,
    ON_ROAD,
    SECTOR,
    SHELTER,
    SIDE,
    TERRAIN_AT,
    TIDE_AT,
    distance,
    is_doubtful,
    is_submerged,
)
from engine.ddob.state.state import State, Unit, field_of_fire, index, name_of, on_map, threats
from engine.ddob.state.tables import (
    BOXES,
    CARDS,
    CHARTS,
    DEPTH,
    DOTS_AT,
    DOUBTFUL_ARROWS,
    DOUBTFUL_TIDES,
    DOUBTS,
    DRAWS,
    HIGH,
    LEVELS,
    LOW,
    MID,
    POSITION_AT,
    SETUPS,
    TERRAIN,
    UNITS,
    Card,
    german_data,
    tide,
)

AFTER_FIRE = ("event 2", "engineers", "actions", "division", "stacking", "end")
BOX_AT = {box.hex: box for box in BOXES.values()}
SIGNS = dict(zip(LEVELS, "◉∙◦", strict=True))
"""The levels of fire as dots, the heaviest first."""
LOSES, DISRUPTED, SHELLED, LANDS = "loses", "disrupted", "shelled", "lands"
"""What the next cards may do to a unit: the fact `foretold` of a ruling."""


def sight(state: State, a: Hex, b: Hex) -> Sight | None:
    """The field of fire of a German unit over another hex, in place of a line of sight."""
    one, other = BOARD.label(a), BOARD.label(b)
    if one not in state.germans:
        if other not in state.germans:
            return None
        return sight(state, b, a)
    german = state.germans[one]
    level = field_of_fire(german).get(other)
    name = name_of(one)
    if level is None:
        ruling = rule(
            "6.2", N_("{hex} is not in the field of fire of {position}."), hex=other, position=name
        )
        return Sight(a, b, (), False, (ruling,))
    rulings = [
        rule(
            "6.2",
            N_("{hex} lies under {level} fire of {position}."),
            hex=other,
            level=level,
            position=name,
        )
    ]
    position = POSITION_AT.get(one)
    if position is not None and len(position.hexes) == 2:
        rulings.append(rule("6.21", N_("{position} has one field of fire."), position=position.id))
    if position is not None and other in SECTOR and SECTOR[other] != position.sector:
        rulings.append(
            rule("6.22", N_("The card of the {sector} sector counts."), sector=position.sector)
        )
    if german.disrupted:
        rulings.append(rule("6.4", N_("{position} is disrupted."), position=name))
    return Sight(a, b, (), not german.disrupted, tuple(rulings))


# Layers


def layers(state: State) -> tuple[Layer, ...]:
    """Fields of fire, what the next cards threaten, weapons, communication and points."""
    return (
        Layer("fire", msg(N_("German fields of fire: the strongest, and how many")),
              lambda: fire(state)),
        Layer("threats", msg(N_("chance of losing a step to the next card")),
              lambda: danger(state)),
        Layer("weapons", msg(N_("weapons that attacks on known units still lack")),
              lambda: lacking(state)),
        Layer("german", msg(N_("German communication")),
              lambda: {HEX[h]: "" for h in german_reach(state)}),
        Layer("us", msg(N_("US communication")), lambda: {HEX[h]: "" for h in us_reach(state)}),
        Layer("points", msg(N_("positions that count now")), lambda: worth(state)),
    )  # fmt: skip


def fire(state: State) -> dict[Hex, str]:
    """Every hex in a field of fire, with the strongest level and how many positions."""
    found: dict[Hex, str] = {}
    for label in DOTS_AT:
        levels = sorted(LEVELS.index(level) for _near, level in threats(state, label))
        if levels:
            found[HEX[label]] = f"{SIGNS[LEVELS[levels[0]]]}{len(levels)}"
    return found


def next_turn(state: State) -> State:
    """The table when another turn has begun, its cards still to come (4.vi)."""
    found = Discarded().on(state)
    if state.turn in CHARTS.shuffles.turns:
        found = Shuffled().on(found)
    return FirePhaseBegan().on(TurnBegan(turn=state.turn + 1).on(found))


def before_fire(state: State) -> State | None:
    """The table as the next fire cards find it, if there are any left in the game."""
    if state.phase not in AFTER_FIRE:
        return state
    return next_turn(state) if state.turn < state.last_turn else None


def danger(state: State) -> dict[Hex, str]:
    """The chance that the next cards cost somebody a step in each hex with US units."""
    coming = before_fire(state)
    if coming is None:
        return {}
    worst: dict[str, int] = {}
    for sector in SETUPS[state.scenario].sectors:
        for name, threat in forecast(coming, sector).items():
            at = state.units[name].at
            worst[at] = max(worst.get(at, 0), round(100 * threat.loses))
    return {HEX[at]: f"{percent}%" for at, percent in sorted(worst.items()) if percent}


def lacking(state: State) -> dict[Hex, str]:
    """For each German hex whose counters are known, the weapons that the units beside it, or near
    enough to fire at it, do not bring; `✓` if none (8.2, 8.22)."""
    found: dict[Hex, str] = {}
    for label, german in state.germans.items():
        parts = [german_data(german.kind, german.unit)] if german.shown else []
        parts += [DEPTH[german.depth_kind][german.depth]] if german.depth_shown else []
        if not parts:
            continue
        able = [
            unit
            for unit in on_map(state)
            if not UNITS[unit.id].is_leader and 0 < distance(unit.at, label) <= max(unit.range, 1)
        ]
        have = {weapon for unit in able for weapon in weapons_of(state, unit, label)}
        if any(hqs_of(state, unit.id) for unit in able):
            have.add("RD")
        if flanks(state, Plan(label, tuple(unit.id for unit in able)), parts):
            have.add(FLANKING)
        missing = dict.fromkeys(w for part in parts for w in part.weapons if w not in have)
        found[HEX[label]] = " ".join(missing) or "✓"
    return found


def worth(state: State) -> dict[Hex, str]:
    """The positions that count for victory now (13.22)."""
    held = victory.holding(state)
    return {HEX[h]: "✶" for h in POSITION_AT if victory.is_held(held, h)}


# One hex


def inspect(state: State, hex: Hex) -> tuple[Ruling, ...]:
    """All that the rules say of a hex."""
    label = BOARD.label(hex)
    if label in BOX_AT:
        return tuple(inspect_box(state, label))
    if label not in NEIGHBOURS:
        return (rule("2.1", N_("{hex} is not played on."), hex=label),)
    return tuple(inspect_land(state, label))


def inspect_box(state: State, label: str) -> Iterator[Ruling]:
    """A landing box: its lane, and the chances of the landing check, of the turn of landing (5)."""
    box = BOX_AT[label]
    lands_later = state.phase.partition(":")[0] not in ("setup", "landing")
    if lands_later and state.turn < state.last_turn:
        state = next_turn(state)
    yield rule(
        "2.1.riquadri-sbarco",
        N_("Landing box {box}, {sector} sector"),
        box=box.id,
        sector=box.sector,
    )
    water = tide(state.turn)
    yield rule(
        "5.2",
        N_("At {tide} it leads to {hex}, by a reconstructed lane.")
        if box.is_ours
        else N_("At {tide} it leads to {hex}."),
        tide=water,
        hex=box.waterline(water) or "-",
        doubt=box.is_ours,
    )
    for unit in state.units.values():
        if unit.at != box.id or not unit.symbol:
            continue
        row = landing_row(state, unit)
        if row is None:
            yield rule("5.15", N_("{unit} is exempt from the check."), unit=unit.id)
            continue
        total = state.deck.total or 1
        for letter in "ABCD":
            n = sum(CARDS[c].landing[unit.symbol] == letter for c in state.deck.items)
            yield rule(
                "5.1",
                N_("{unit}: {letter} on {n} of {total} cards, {effect}"),
                foretold=LANDS,
                unit=unit.id,
                letter=letter,
                n=n,
                total=total,
                effect=getattr(row, letter) or ("no effect",),
            )


def inspect_land(state: State, label: str) -> Iterator[Ruling]:
    """A hex on land: terrain, sides, roads, tide, fire, control and communication."""
    yield from inspect_names(label)
    row = TERRAIN[COVER_AT.get(label, "open")]
    ground = msg(N_("{hex}: {terrain}"), hex=label, terrain=TERRAIN_AT[label])
    yield Ruling((row.ref,), ground)
    if label in TIDE_AT:
        under = is_submerged(label, tide(state.turn))
        yield rule(
            "5.21",
            N_("{hex}: {tide} line, under water now.") if under else N_("{hex}: {tide} line."),
            hex=label,
            tide=TIDE_AT[label],
        )
        if label in DOUBTFUL_TIDES:
            said = N_("{hex}: the tide line is uncertain on the map.")
            yield rule("5.21", said, hex=label, doubt=True)
    if label in OBSTACLES:
        yield rule(
            "10.1",
            N_("{hex}: obstacles cleared.")
            if label in state.cleared
            else N_("{hex}: obstacles and mines."),
            hex=label,
        )
    if label in EXIT_AT:
        yield rule("2.1.uscite", N_("{hex}: exit {exit}"), hex=label, exit=EXIT_AT[label])
    for near in NEIGHBOURS[label]:
        for side in SIDE.get((label, near), ()):
            found = msg(N_("Toward {hex}: {side}"), hex=near, side=side)
            if is_doubtful(side, label, near):
                said = N_("Toward {hex}: {side}, uncertain on the map")
                found = msg(said, hex=near, side=side, doubt=True)
            yield Ruling((TERRAIN[side].ref,), found)
    for road in ON_ROAD.get(label, ()):
        ref = "tec.strada-minata" if road in MINED else "tec.strada"
        if road in DOUBTS:
            said = N_("{hex}: {road}, uncertain on the map")
            yield rule(ref, said, hex=label, road=road, doubt=True)
        else:
            yield rule(ref, N_("{hex}: {road}"), hex=label, road=road)
    if BASE[label] == "beach" and label in SHELTER:
        yield rule(
            "7.1.auto-conservazione",
            N_("{hex}: {n} hexes to shelter."),
            hex=label,
            n=SHELTER[label],
        )
    yield from inspect_fire(state, label)
    yield from inspect_control(state, label)


def inspect_names(label: str) -> Iterator[Ruling]:
    """What a hex belongs to by name: its sector, its draw, the lane of a landing box."""
    if label in SECTOR:
        sector = SECTOR[label]
        yield rule("2.1", N_("{hex}: {sector} sector"), hex=label, sector=sector)
    for draw, hexes in DRAWS.items():
        if label in hexes:
            yield rule("13.21", N_("{hex}: draw {draw}"), hex=label, draw=draw)
    for box in BOXES.values():
        for water, to in ((LOW, box.low), (MID, box.mid), (HIGH, box.high)):
            if to == label:
                said = N_("{hex}: landing place of box {box} at {tide}")
                if box.is_ours:
                    said = N_("{hex}: landing place of box {box} at {tide}, reconstructed")
                yield rule("5.2", said, hex=label, box=box.id, tide=water, doubt=box.is_ours)


def inspect_fire(state: State, label: str) -> Iterator[Ruling]:
    """Dots on a hex and the cards that would make them fire."""
    position = POSITION_AT.get(label)
    if position is not None:
        yield rule(
            "2.1.posizioni",
            N_("{hex}: position {position}, {colour}"),
            hex=label,
            position=name_of(label),
            colour=position.colour,
        )
        if position.is_vp:
            yield rule(
                "20.3", N_("{position} is worth a victory point on turn 32."), position=position.id
            )
        for to in position.advances:
            yield rule(
                "16.8",
                N_("The arrow of {position} points to {to}, uncertain on the map.")
                if position.id in DOUBTFUL_ARROWS
                else N_("The arrow of {position} points to {to}."),
                position=position.id,
                to=to,
                doubt=position.id in DOUBTFUL_ARROWS,
            )
    live = dict(threats(state, label))
    coming = before_fire(state)
    deck = coming.deck if coming is not None else Pool("deck", {})
    for owner, level in DOTS_AT.get(label, ()):
        is_live = any(h in live for h in owner.hexes)
        cards = sum(CARDS[c].square(owner.colour) is not None for c in deck.items)
        message = (
            N_("{position}: {level} fire, its colour on {n} of {total} cards")
            if is_live
            else N_("{position}: {level} fire, now silent")
        )
        yield rule("6.2", message, position=owner.id, level=level, n=cards, total=deck.total)
    if index(state).steps.get(label, 0) >= 5:
        yield rule("6.35", N_("{hex} is a concentrated target."), hex=label)
    if coming is not None and index(state).by_hex.get(label):
        yield from inspect_chances(coming, label)


def inspect_chances(coming: State, label: str) -> Iterator[Ruling]:
    """What the next fire cards may do to the units in a hex (6.3, 6.5)."""
    for sector in SETUPS[coming.scenario].sectors:
        chances = forecast(coming, sector)
        for unit in index(coming).by_hex.get(label, ()):
            if unit.id not in chances:
                continue
            found = chances[unit.id]
            if found.loses:
                yield rule(
                    "6.3",
                    N_("{unit}: {chance} to lose a step to the {sector} card"),
                    foretold=LOSES,
                    unit=unit.id,
                    chance=found.loses,
                    sector=sector,
                )
            if found.disrupts:
                yield rule(
                    "6.3",
                    N_("{unit}: {chance} to be disrupted only by the {sector} card"),
                    foretold=DISRUPTED,
                    unit=unit.id,
                    chance=found.disrupts,
                    sector=sector,
                )
    if BASE[label] != "beach" or coming.turn < first_artillery(coming):
        return
    for unit in index(coming).by_hex.get(label, ()):
        n = sum(is_shelled(coming, unit, CARDS[c]) for c in coming.deck.items)
        if n:
            yield rule(
                ("6.5", "6.5.procedura"),
                N_("{unit}: artillery aims at its symbol on {n} of {total} cards"),
                foretold=SHELLED,
                unit=unit.id,
                n=n,
                total=coming.deck.total,
            )


def is_shelled(state: State, unit: Unit, card: Card) -> bool:
    """Whether the artillery line of a card looks for the symbol of a unit, with guns enough."""
    line = card.artillery
    if line is None or card.target != unit.symbol:
        return False
    guns = sum(1 for _ in guns_of(state, SECTOR[unit.at], line.calibres))
    return guns >= line.value


def inspect_control(state: State, label: str) -> Iterator[Ruling]:
    """Control, communication and whether the hex counts for victory."""
    yield from control(state, label)
    if label in POSITION_AT:
        yield link_ruling(state, label)
    held = victory.holding(state)
    yield us_path_ruling(label, label in held.path)
    yield from victory.why_not_held(held, label)
