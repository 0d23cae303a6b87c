"""Amphibious operations (5): 5.1-5.15, 5.2-5.22, 5.3-5.34."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, amount, button, place
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.choosing import unit_choice
from engine.ddob.rules.communication import is_in_play
from engine.ddob.rules.losses import eliminate, lose_step
from engine.ddob.state.book import BOMBARDMENT, DIVISION_OF, SECTOR_OF, US, rule
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import Checked, Delayed, Drifted, Landed, Placed, Removed, Transferred
from engine.ddob.state.ground import HEX, OBSTACLES, SECTOR
from engine.ddob.state.state import TRACK, State, Unit, in_boxes
from engine.ddob.state.tables import (
    BOX_ROW,
    BOXES,
    CHARTS,
    HIGH,
    LOW,
    SETUPS,
    UNITS,
    Box,
    Card,
    LandingRow,
    tide,
)

OFF_COURSE_DELAY = 2
LAST_PRINTED_BOX_TURN = 10
VOLUNTARY_DELAY_TURN = 7
MINE_TURNS = range(7, 23)
RANGER_DRIFT_TURN = 4
BOX_LIMIT = 2
LAST_SURE_TURN = 3
"""Until then the landing table is printed for tanks; those delayed longer use the same row."""
BOX_CHOICES: tuple[Choice[Box | int], ...] = tuple(
    place(box.id, box, hex=HEX[box.hex]) for box in BOXES.values()
)


# 5.1 Landing checks


def table_turn(state: State) -> int:
    """The turn whose rows apply, moved by the variants (5.1, 22.1, 22.2)."""
    if state.has(BOMBARDMENT) and state.turn in (4, 5):
        return 2
    if state.has("22.2") and state.turn == 1:
        return 2
    return state.turn


def landing_row(state: State, unit: Unit) -> LandingRow | None:
    """The row of the landing table for a unit, or none if it is not checked (5.15)."""
    kind = UNITS[unit.id].type
    turn = table_turn(state)
    beach = BOXES[unit.at].beach or "u"
    for row in CHARTS.landing:
        if kind not in row.types or not row.turns[0] <= turn <= row.turns[1]:
            continue
        if not row.beaches or beach in row.beaches:
            return row
    return None


def landing_checks(ctx: Ctx[State], sector: str) -> None:
    """One card for all units of a sector, applied at once (5.1, casa.11)."""
    state = ctx.state
    here = [u for u in in_boxes(state) if BOXES[u.at].sector == sector and not u.checked]
    if not here:
        return
    rows = {u.id: landing_row(state, u) for u in here}
    if not any(rows.values()) and not any(meets_mines(state, u) for u in here):
        ctx.cite("5.15#nessuno", N_("{sector}: no unit needs a landing check."), sector=sector)
        return
    card = draw_card(ctx, f"landing {sector}", ("5.1#carta", "4.i#controlli"))
    for unit in here:
        row = rows[unit.id]
        if UNITS[unit.id].is_leader:
            ctx.cite("5.12#non-controlla", N_("{unit} makes no landing check."), unit=unit.id)
        elif row is None:
            ctx.cite("5.15#esente", N_("{unit} is exempt from the check."), unit=unit.id)
        else:
            check(ctx, unit.id, row, card)
    if card.mine:
        mine(ctx, sector, [u.id for u in here])
    for unit in here:
        now = ctx.state.units[unit.id]
        if now.at in BOXES and BOXES[now.at].sector != sector:
            ctx.do(Checked(unit=unit.id, sector=sector), ("5.1#una-volta", "casa.11"))


def check(ctx: Ctx[State], name: str, row: LandingRow, card: Card) -> None:
    """The letter of the unit's symbol gives its result (5.1)."""
    unit = ctx.state.units[name]
    letter = card.landing[unit.symbol]
    effects: tuple[str, ...] = getattr(row, letter)
    cell = f"5.1#sbarchi/{CHARTS.landing.index(row) + 1}/{letter}"
    if table_turn(ctx.state) != ctx.state.turn:
        ref = "22.2" if ctx.state.turn == 1 else "22.1#tabella"
        ctx.cite(ref, N_("The table of turn {turn} applies."), turn=table_turn(ctx.state))
    if row.is_ours and ctx.state.turn > LAST_SURE_TURN:
        said = N_("{unit}: letter {letter}, in a reconstructed row of the table")
        ctx.cite("5.1#lettera", said, unit=name, letter=letter, doubt=True)
    else:
        ctx.cite("5.1#lettera", N_("{unit}: letter {letter}"), unit=name, letter=letter)
    if not effects:
        ctx.cite(cell, N_("{unit}: no effect."), unit=name)
        if UNITS[name].type == "ranger" and ctx.state.turn >= RANGER_DRIFT_TURN:
            ranger_option(ctx, name)
        return
    for effect in effects:
        verb, _, n = effect.partition(" ")
        if verb == "lose":
            for _ in range(int(n)):
                if not lose_step(ctx, name, cell, by_fire=False):
                    return
        elif verb == "eliminated":
            eliminate(ctx, name, cell)
        elif verb == "removed":
            ctx.do(Removed(unit=name), cell)
        elif verb == "delay":
            ctx.do(Delayed(unit=name, turn=ctx.state.turn + int(n)), cell)
        else:
            drift(ctx, name, -int(n) if verb == "east" else int(n))


def drift(ctx: Ctx[State], name: str, boxes: int) -> None:
    """Along the row of boxes, east to the left; beyond the ends a delay (5.11, casa.06)."""
    unit = ctx.state.units[name]
    origin = unit.at
    spot = BOX_ROW.index(origin) + boxes
    row = [b for b in BOX_ROW if BOXES[b].sector in SETUPS[ctx.state.scenario].sectors]
    if not 0 <= spot < len(BOX_ROW) or BOX_ROW[spot] not in row:
        ctx.do(Delayed(unit=name, turn=ctx.state.turn + OFF_COURSE_DELAY), "5.11#esce")
        return
    box = BOX_ROW[spot]
    label = BOXES[box].waterline(tide(ctx.state.turn))
    if label and not is_in_play(ctx.state, label):
        ctx.do(
            Delayed(unit=name, turn=ctx.state.turn + OFF_COURSE_DELAY),
            ("ef.area#linea", "5.11#esce"),
        )
        return
    if not label:
        ctx.do(
            Delayed(unit=name, turn=ctx.state.turn + OFF_COURSE_DELAY),
            ("5.11#alta-marea", "casa.07"),
        )
        return
    ctx.do(Drifted(unit=name, at=box), ("5.11#sposta", "casa.06", "casa.56"))
    for leader in in_boxes(ctx.state):
        if leader.at == origin and UNITS[leader.id].is_leader:
            follow(ctx, leader.id, name, box)


def follow(ctx: Ctx[State], leader: str, name: str, box: str) -> None:
    """A leader may go with a unit that drifts out of its box (5.12)."""
    choices: list[Choice[bool]] = [
        button("segui", True, N_("{leader} follows {unit}."), leader=leader, unit=name),
        button("resta", False, N_("{leader} stays."), leader=leader),
    ]
    if ctx.choose(
        "landing.follow", US, choices, "5.12#segui", N_("Does {leader} follow?"), leader=leader
    ):
        ctx.do(Drifted(unit=leader, at=box), "5.12#segui")


def ranger_option(ctx: Ctx[State], name: str) -> None:
    """Rangers that land as planned may go up to four boxes east (5.13)."""
    if name == "C/2R":
        ctx.cite(("5.13#non-vale", "casa.08"), N_("{unit} has no such choice."), unit=name)
        return
    spot = BOX_ROW.index(ctx.state.units[name].at)
    choices = [amount(n, n, N_("{n} boxes east")) for n in range(min(4, spot) + 1)]
    boxes = ctx.choose(
        "landing.drift", US, choices, "5.13#decidi", N_("How far does {unit} drift?"), unit=name
    )
    if boxes:
        ctx.cite("5.13#deviare", N_("{unit} drifts {n} boxes by choice."), unit=name, n=boxes)
        drift(ctx, name, -boxes)


# 5.14 Mines


def meets_mines(state: State, unit: Unit) -> bool:
    """Whether a unit lands in, or passes, an obstacle hex that is not cleared (5.14)."""
    if state.turn not in MINE_TURNS or unit.at not in BOXES:
        return False
    box = BOXES[unit.at]
    if UNITS[unit.id].type == "general" or tide(state.turn) == LOW:
        return False
    if tide(state.turn) == HIGH and not box.high:
        return False
    return box.mid in OBSTACLES and box.mid not in state.cleared


def mine(ctx: Ctx[State], sector: str, checked: list[str]) -> None:
    """One exposed unit of the sector loses a step; an HQ is only delayed (5.14, 5.14.leader)."""
    state = ctx.state
    if state.turn not in MINE_TURNS:
        ctx.cite("5.14#turni", N_("The mine symbol counts on turns 7-22 only."))
        return
    exposed = [
        u
        for u in (state.units[name] for name in checked)
        if meets_mines(state, u) and SECTOR[BOXES[u.at].waterline(tide(state.turn))] == sector
    ]
    fighters = [u for u in exposed if not UNITS[u.id].is_leader]
    victims = fighters or exposed
    if not victims:
        ctx.cite(("5.14#esposta", "casa.12"), N_("Nobody meets a mine."))
        return
    name = victims[0].id
    if len(victims) > 1:
        name = ctx.choose(
            "landing.mine",
            US,
            [unit_choice(u) for u in victims],
            "5.14#perde",
            N_("Which unit meets the mine?"),
        )
    said = N_("{unit} meets a mine: {hex} is not cleared.")
    ctx.cite("5.14#turni", said, unit=name, hex=BOXES[state.units[name].at].mid)
    if fighters:
        lose_step(ctx, name, ("5.14#perde", "casa.12"), by_fire=False)
    else:
        ctx.do(Delayed(unit=name, turn=state.turn + OFF_COURSE_DELAY), "5.14.leader")


# 5.2 Landing


def land(ctx: Ctx[State]) -> None:
    """Every unit left in a box goes to the waterline (5.2, 5.21, 5.22)."""
    water = tide(ctx.state.turn)
    for unit in in_boxes(ctx.state):
        label = BOXES[unit.at].waterline(water)
        if not label:
            ctx.do(
                Delayed(unit=unit.id, turn=ctx.state.turn + OFF_COURSE_DELAY),
                ("5.11#alta-marea", "casa.07"),
            )
            continue
        ctx.do(Landed(unit=unit.id, hex=label), ("5.2#passa", "5.21#linee"))
        if SECTOR[label] != SECTOR_OF[unit.command]:
            ctx.do(Transferred(unit=unit.id, division=DIVISION_OF[SECTOR[label]]), "5.22#passa")


# 5.3 Arrivals


def arriving(state: State) -> list[Unit]:
    """Units of this turn, generals last so that they can share a box (5.3, 5.31)."""
    found = [u for u in state.units.values() if u.at == TRACK and u.due == state.turn]
    return sorted(found, key=lambda u: UNITS[u.id].type == "general")


def filled(state: State) -> dict[str, int]:
    """Units in each landing box, without leaders (5.31)."""
    found: dict[str, int] = {}
    for unit in in_boxes(state):
        if not UNITS[unit.id].is_leader:
            found[unit.at] = found.get(unit.at, 0) + 1
    return found


def why_not_place(
    state: State, unit: Unit, box: Box, crowd: dict[str, int] | None = None
) -> tuple[Ruling, ...]:
    """Why an arriving unit may not be put in a box (5.3, 5.31-5.34)."""
    found = why_not_box(state, unit, box, crowd)
    if (
        UNITS[unit.id].type == "general"
        and not has_company(state, box)
        and could_share(state, unit)
    ):
        alone = rule(
            ("5.31#generale", "casa.83"), N_("{unit} may not be alone in a box."), unit=unit.id
        )
        return (*found, alone)
    return found


def why_not_box(
    state: State, unit: Unit, box: Box, crowd: dict[str, int] | None = None
) -> tuple[Ruling, ...]:
    """What is printed, the limit and the kind of box, whoever else is in it (5.3, 5.31-5.34)."""
    found = closed(state.scenario, unit.id, box.id)
    if box.id not in open_boxes(state, unit):
        found = (*found, not_printed(unit.id, unit.delayed))
    if UNITS[unit.id].is_leader:
        return found
    others = (filled(state) if crowd is None else crowd).get(box.id, 0)
    return found if others < BOX_LIMIT else (*found, full(box.id))


@cache
def closed(scenario: str, unit: str, name: str) -> tuple[Ruling, ...]:
    """Why a box never takes a unit, whenever it arrives (5.32, 5.33, ef.area)."""
    box = BOXES[name]
    found = []
    if box.sector not in SETUPS[scenario].sectors:
        found.append(rule("ef.area#linea", N_("{box} is not in play."), box=name))
    if not box.beach:
        found.append(rule("5.32", N_("{box} has no letter: only drift leads there."), box=name))
    if box.beach == "CH" and UNITS[unit].type != "ranger":
        found.append(rule("5.33", N_("{box}: rangers only."), box=name))
    return tuple(found)


@cache
def full(box: str) -> Ruling:
    """A box holds two units (5.31)."""
    return rule("5.31#due", N_("{box} holds two units already."), box=box)


@cache
def not_printed(name: str, is_delayed: bool) -> Ruling:
    """The counter names other boxes (5.3, 5.34)."""
    own = counter_ref(UNITS[name].box)
    ref = (own, "5.34#entro-10") if is_delayed else (own,)
    said = N_("{unit} arrives at {printed}.")
    return rule(ref, said, unit=name, printed=UNITS[name].box)


def open_boxes(state: State, unit: Unit) -> Collection[str]:
    """The boxes of the counter, or all for who comes late after turn 10 (5.3, 5.34)."""
    if unit.delayed and state.turn > LAST_PRINTED_BOX_TURN:
        return BOXES
    data = UNITS[unit.id]
    return printed_boxes(data.box, data.division)


def has_company(state: State, box: Box) -> bool:
    """Whether a unit is in the box, an HQ included (5.31, casa.83)."""
    return any(u.at == box.id and UNITS[u.id].type != "general" for u in in_boxes(state))


def could_share(state: State, general: Unit) -> bool:
    """Whether a unit that has just arrived is in a box where the general could go (5.31)."""
    return any(
        has_company(state, box) and not why_not_box(state, general, box) for box in BOXES.values()
    )


@cache
def printed_boxes(printed: str, division: str) -> tuple[str, ...]:
    """The boxes where what is printed on a counter lets it arrive (5.3)."""
    return tuple(b.id for b in BOXES.values() if fits_counter(printed, division, b))


def free_boxes(state: State, unit: Unit, crowd: dict[str, int]) -> Iterator[Box]:
    """The boxes where an arriving unit may be put (5.3)."""
    for name in open_boxes(state, unit):
        if not why_not_place(state, unit, BOXES[name], crowd):
            yield BOXES[name]


def fits_counter(printed: str, division: str, box: Box) -> bool:
    """What is printed on the counter: a box, a beach, or a division (5.3)."""
    if printed == "ranger":
        return box.beach in ("DG", "CH")
    if printed in ("1st", "29th"):
        return bool(box.beach) and box.sector == SECTOR_OF[division]
    return printed in (box.id, box.beach)


@cache
def delay_choice(turn: int) -> Choice[Box | int]:
    """A later turn as a candidate."""
    return amount(turn, turn, N_("delay to turn {n}"))


def printed(state: State, unit: Unit) -> str:
    """The rule that says in which boxes a unit arrives (5.3, 5.34)."""
    if unit.delayed:
        return "5.34#dopo-10" if state.turn > LAST_PRINTED_BOX_TURN else "5.34#entro-10"
    return counter_ref(UNITS[unit.id].box)


def counter_ref(box: str) -> str:
    """The kind of box that is printed on a counter (5.3)."""
    if box in ("1st", "29th"):
        return "5.3#divisione"
    return "5.3#riquadro" if box in BOXES else "5.3#lettere"


def limited(state: State, unit: Unit) -> str:
    """The rule that leaves a unit only one of its boxes, if it had others (5.31)."""
    boxes = [b for b in open_boxes(state, unit) if not closed(state.scenario, unit.id, b)]
    return "5.31#due" if len(boxes) > 1 else ""


def arrive_one(ctx: Ctx[State], unit: Unit) -> None:
    """An arriving unit is put in a box, or delayed if the player wants (5.3, 5.34)."""
    state = ctx.state
    crowd = filled(state)
    may_delay = state.turn >= VOLUNTARY_DELAY_TURN
    if not may_delay:
        free = list(islice(free_boxes(state, unit, crowd), 2))
        if not free:
            ctx.do(Delayed(unit=unit.id, turn=state.turn + 1), ("5.31#due", "casa.78"))
            return
        if len(free) == 1:
            ctx.do(
                Placed(unit=unit.id, at=free[0].id), (printed(state, unit), limited(state, unit))
            )
            return

    def why_not(choice: Box | int) -> tuple[Ruling, ...] | Ruling | None:
        if isinstance(choice, Box):
            return why_not_place(state, unit, choice, crowd)
        return None if may_delay else rule("5.34#prima", N_("No voluntary delay before turn 7."))

    choices: list[Choice[Box | int]] = [*BOX_CHOICES]
    later = range(state.turn + 1, max(state.last_turn, state.turn + 1) + 1)
    choices += [delay_choice(turn) for turn in later]
    found = ctx.choose(
        "landing.box",
        US,
        choices,
        "5.3#segnalino",
        N_("Where does {unit} arrive?"),
        why_not=why_not,
        unit=unit.id,
    )
    if isinstance(found, Box):
        ctx.do(Placed(unit=unit.id, at=found.id), printed(state, unit))
    else:
        ctx.do(Delayed(unit=unit.id, turn=found), "5.34#rinviare")
