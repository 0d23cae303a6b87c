"""German actions (16, tab.azioni), turns 17-32 or from turn 12 with 14.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from types import MappingProxyType

from engine.core.ctx import Ctx
from engine.core.decisions import place
from engine.core.pools import Pool
from engine.core.rules import Ruling
from engine.core.text import N_, NP_
from engine.ddob.rules.armor import LABELS, act_armor
from engine.ddob.rules.choosing import folded, hex_choice, pick_units, tell_order, unit_choice
from engine.ddob.rules.communication import is_fixed
from engine.ddob.rules.german_fire import (
    CALIBRES,
    CONCENTRATED,
    called,
    fire_alone,
    shell,
    shot_of,
    why_silent,
)
from engine.ddob.rules.losses import disrupt, eliminate, lose_step
from engine.ddob.rules.reinforcements import arrive, give_depth
from engine.ddob.rules.terrain import why_not_enter
from engine.ddob.rules.zones import capture_general, nearest_us
from engine.ddob.state.book import REDEPLOYMENT, SECTORS, US, rule
from engine.ddob.state.events import (
    DepthGone,
    GarrisonLost,
    GermanMoved,
    Hit,
    Moved,
    Noted,
    Queued,
    Reoccupied,
    Silenced,
)
from engine.ddob.state.ground import (
    BASE,
    COVER_AT,
    HEX,
    LAND,
    NEIGHBOURS,
    SEASIDE,
    SECTOR,
    distance,
)
from engine.ddob.state.state import (
    State,
    Unit,
    active,
    fighters_at,
    germans_of,
    index,
    is_extended,
    name_of,
    units_at,
)
from engine.ddob.state.tables import (
    ACTIONS,
    CARDS,
    DOTS,
    DOUBTFUL_ARROWS,
    INTENSE,
    POSITION_AT,
    POSITIONS,
    SPORADIC,
    UNITS,
    Card,
    Position,
    Square,
)

MORTAR_RANGE, WN_BEACH_RANGE, WN_RANGE = 3, 5, 2
PATROL_RANGE = 3
NEAR = 2
HOLDS_AGAINST = 7


# 16 Who acts


@cache
def in_order(sector: str, card_id: str) -> tuple[Position, ...]:
    """The positions of a sector that a card calls, higher numbers first (16)."""
    found = [position for position, _square in called(sector, card_id)]
    return tuple(sorted(found, key=lambda p: (-p.number, [-ord(c) for c in p.zone])))


def queue(ctx: Ctx[State], sector: str, card: Card) -> None:
    """Positions of the card's colours, higher numbers first; tanks, then advances (16)."""
    names = [p.id for p in in_order(sector, card.id) if why_not_check(ctx.state, p) is None]
    tanks = [
        f"armor:{g.unit}"
        for g in ctx.state.germans.values()
        if g.is_armor and SECTOR[g.hex] == sector and card.square(g.data.colour) is not None
    ]
    queued = (*names, *tanks)
    event = Queued(n=len(queued), queue=queued)
    if queued:
        said = NP_("{queue} may act.", "{n} positions may act: {queue}.")
        shown = tuple([name.partition(":")[2] or name for name in queued])
        ctx.do(event, ("16#controlla", "16.sequenza"), said, n=len(queued), queue=shown)
    else:
        ctx.do(event, ("16#controlla", "16.sequenza"), N_("No position may act."))
    tell_idle(ctx, sector, card)


def tell_idle(ctx: Ctx[State], sector: str, card: Card) -> None:
    """Who does nothing though the card calls it and US units are near (16.nessuna, 23.43)."""
    state = ctx.state
    found = []
    for position in in_order(sector, card.id):
        against = why_not_check(state, position)
        is_near = germans_of(state, position) or nearest_us(state, position.hexes[0]) <= NEAR
        if against is not None and is_near and position.hexes[0] not in index(state).occupied:
            found.append(against)
    for ruling in folded(found):
        ctx.cite(ruling)


def why_not_check(state: State, position: Position) -> Ruling | None:
    """Why a position does nothing whatever the letter (16, 16.nessuna, 23.43)."""
    name = position.id
    if any(h in state.germans and state.germans[h].is_armor for h in position.hexes):
        return rule("23.43", N_("{position}: only the tanks act."), position=name)
    germans = germans_of(state, position)
    if germans:
        if all(g.disrupted for g in germans):
            return rule(
                "16.nessuna#confusione", N_("{position}: disrupted, no action."), position=name
            )
        return None
    if any(h in index(state).occupied for h in position.hexes):
        ref = ("16.nessuna#linea", "16.11") if len(position.hexes) > 1 else "16.nessuna#linea"
        return rule(ref, N_("{position}: in US hands."), position=name)
    if not is_fixed(state, position):
        return rule("16.nessuna#linea", N_("{position}: no communication."), position=name)
    if not position.is_wn and nearest_us(state, position.hexes[0]) > NEAR:
        return rule("16.nessuna#lontane", N_("{position}: far from US units."), position=name)
    return None


def act_next(ctx: Ctx[State], sector: str) -> None:
    """The next position of the queue acts; advances wait for the others (16.85)."""
    name, *rest = ctx.state.queue
    card = CARDS[ctx.state.cards[f"fire {sector}"]]
    if name.startswith("armor:"):
        tanks = name.partition(":")[2]
        left = Queued(n=len(rest), queue=tuple(rest))
        ctx.do(left, ("16#successiva", "23.4#agisce"), N_("Tanks {unit}"), unit=tanks)
        act_tanks(ctx, tanks, card)
        return
    is_last = name.startswith("advance:")
    position = POSITIONS[name.partition(":")[2] if is_last else name]
    square = card.square(position.colour)
    assert square is not None
    action = action_of(ctx.state, position, square)
    if action == "advance" and not is_last and tries_to_advance(ctx.state, position, square):
        said = N_("{position}: the advance waits for the other actions.")
        waiting = (*rest, f"advance:{name}")
        ctx.do(Queued(n=len(waiting), queue=waiting), "16.85", said, position=position.id)
        return
    left = Queued(n=len(rest), queue=tuple(rest))
    against = why_not_check(ctx.state, position)
    if against is not None:
        ctx.do(left, locators(against), against.msg.id, **against.msg.facts)
        return
    ctx.do(
        left,
        (*summary(ctx.state, position, square.action), "casa.44"),
        N_("{position}: {letter}, {action}"),
        position=position.id,
        letter=square.action,
        action=action,
    )
    if action != "-":
        DOING[action](ctx, position, card, square)


SUMMARY = MappingProxyType(
    {
        (True, "us"): "tab.azioni#azioni-wn/{}/Occupata, con US",
        (True, "held"): "tab.azioni#azioni-wn/{}/Occupata, senza US",
        (True, "empty"): "tab.azioni#azioni-wn/{}/Vuota, in comunicazione",
        (False, "us"): "tab.azioni#azioni-rinforzo/{}/Occupata, con US",
        (False, "held"): "tab.azioni#azioni-rinforzo/{}/Occupata, senza US",
        (False, "empty"): "tab.azioni#azioni-rinforzo/{}/Vuota, in comunicazione, entro 2 da US",
    }
)
"""Whether it is a WN, and how it stands -> the column of the summary, for any row (tab.azioni)."""
LETTERS = MappingProxyType(
    {
        "F": "16.simboli#simboli/F, carri, stella",
        "tank": "16.simboli#simboli/F, carri, stella",
        "star": "16.simboli#simboli/F, carri, stella",
        "R": "16.simboli#simboli/R",
        "M": "16.simboli#simboli/M",
        "P": "16.simboli#simboli/P",
        "A": "16.simboli#simboli/A",
    }
)
"""What a letter may mean at all (16.simboli)."""


ROWS = {
    (True, "us"): "WN occupato, US nel campo",
    (True, "held"): "WN occupato, senza US",
    (True, "empty"): "WN vuoto",
    (False, "us"): "rinforzo occupato, US nel campo",
    (False, "held"): "rinforzo occupato, senza US",
    (False, "empty"): "rinforzo vuoto",
}
"""The same for the rows of the table that each letter has by itself."""


def summary(state: State, position: Position, letter: str) -> tuple[str, str, str]:
    """Where the texts have what a position does with a letter (tab.azioni, 16.simboli)."""
    if not germans_of(state, position):
        case = "empty"
    else:
        case = "us" if us_in(state, position) else "held"
    own = ACTIONS[letter].ref.partition(":")[2]
    if letter == "F":
        own = "tab.azioni.f#vuota" if case == "empty" else "tab.azioni.f#occupata"
    elif letter not in LABELS:
        own = f"{own}#riga/{ROWS[position.is_wn, case]}"
    column = SUMMARY[position.is_wn, case]
    return own, column.format(LABELS.get(letter, letter)), LETTERS[letter]


def locators(ruling: Ruling) -> tuple[str, ...]:
    """What a ruling of this book cites, as rule code writes it."""
    said = {anchor.partition("#")[0]: str(anchor) for anchor in ruling.anchors}
    return tuple(said.get(ref, ref).partition(":")[2] for ref in ruling.refs)


def act_tanks(ctx: Ctx[State], name: str, card: Card) -> None:
    """Tanks act with the colour of their own (23.4)."""
    german = next(g for g in ctx.state.germans.values() if g.unit == name)
    if german.disrupted:
        said = N_("{position}: disrupted, no action.")
        ctx.cite(("23.4#agisce", "16.nessuna#confusione"), said, position=german.hex)
        return
    square = card.square(german.data.colour)
    if square is None or (square.squares == 2 and not german.depth):
        ctx.cite(
            ("23.4#incognita", "16.quadrati#occupata"),
            N_("{hex}: a double square, and no depth marker."),
            hex=german.hex,
        )
        return
    act_armor(ctx, german, card, square)


def us_in(state: State, position: Position) -> bool:
    """Whether a US unit stands in the field of fire."""
    occupied = index(state).occupied
    return any(h in occupied for h in DOTS[position.id])


def action_of(state: State, position: Position, square: Square) -> str:
    """The cell of the summary for a position (tab.azioni)."""
    row = ACTIONS[square.action]
    if germans_of(state, position):
        has_us = us_in(state, position)
        if position.is_wn:
            return row.wn_us if has_us else row.wn
        return row.reinforcement_us if has_us else row.reinforcement
    return row.wn_empty if position.is_wn else row.reinforcement_empty


def answers(ctx: Ctx[State], position: Position, square: Square) -> bool:
    """Whether an occupied position obeys a square: doubles need a marker (16.quadrati)."""
    germans = active(ctx.state, position)
    if germans and all(g.silent for g in germans):
        ctx.cite("16.32", N_("{position} does not act again in this phase."), position=position.id)
        return False
    if square.squares == 1 or any(g.depth for g in germans):
        return True
    ctx.cite(
        "16.quadrati#occupata",
        N_("{position}: a double square, and no depth marker."),
        position=position.id,
    )
    return False


def act_fire(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """The position fires (6.3)."""
    for ruling in why_silent(ctx.state, position, square):
        ctx.cite(ruling)
        return
    fire_alone(ctx, shot_of(ctx.state, position, card, square), card)


# 16.1 Re-occupation


def why_not_reoccupy(state: State, position: Position) -> Iterator[Ruling]:
    """Why a WN stays empty (16.1, 16.11, 19.3.guarnigione)."""
    if any(h in state.garrisons for h in position.hexes):
        yield rule(
            "19.3.guarnigione#impedisce",
            N_("{position}: a garrison holds it."),
            position=position.id,
        )
    if not state.dead_wn:
        yield rule("16.1#nessuna", N_("No eliminated WN unit is left."))


def reoccupy(ctx: Ctx[State], position: Position, card: Card, _square: Square) -> None:
    """Eliminated WN units come back into every hex of the WN (16.1, 16.11, 16.12)."""
    for ruling in why_not_reoccupy(ctx.state, position):
        ctx.cite(ruling)
        return
    taken = share(ctx, position, card)
    for label in position.hexes:
        if label not in taken:
            ctx.cite("16.12", N_("{hex}: nearer hexes come first."), hex=label)
            continue
        capture_general(ctx, label)
        pool = Pool("eliminated WN", ctx.state.dead_wn)
        name = ctx.draw(pool, "16.1#sorteggia", N_("Who holds {hex} again?"), hex=label)
        ctx.do(Reoccupied(hex=label, unit=name), ("16.1#sorteggia", "16.11"))


def share(ctx: Ctx[State], position: Position, card: Card) -> list[str]:
    """The hexes of a WN that units are left for: near first, then by number (16.12, casa.92)."""
    state = ctx.state
    wanting: list[tuple[int, int, str]] = []
    for other in POSITIONS.values():
        square = card.square(other.colour)
        if not other.is_wn or other.sector != position.sector or square is None:
            continue
        if square.action != "R" or germans_of(state, other):
            continue
        if not is_fixed(state, other) or any(True for _ in why_not_reoccupy(state, other)):
            continue
        wanting += [(nearest_us(state, h), -other.number, h) for h in other.hexes]
    left = sum(state.dead_wn.values())
    if left < len(wanting):
        ctx.cite(("16.12", "casa.92"), N_("Eliminated WN units left: {n}, too few."), n=left)
    taken = [h for _near, _number, h in sorted(wanting)[:left] if h in position.hexes]
    near = {nearest_us(state, h) for h in position.hexes}
    if len(taken) == 1 and len(position.hexes) == 2 and len(near) == 1:
        spots = [hex_choice(h) for h in position.hexes]
        taken = [
            ctx.choose(
                "reoccupy.hex",
                US,
                spots,
                ("16.12", "casa.92"),
                N_("Which hex is held again?"),
            )
        ]
    return taken


# 16.2 Re-supply


def resupply(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """A unit without a marker takes one, then the position fires (16.2, 16.21)."""
    german = active(ctx.state, position)[0]
    if german.silent:
        answers(ctx, position, square)
        return
    if not german.depth and is_fixed(ctx.state, position):
        give_depth(
            ctx,
            german.hex,
            ("16.2#pescane", "16.21#sola") if square.squares == 2 else "16.2#pescane",
        )
    elif not german.depth:
        ctx.cite("16.2#solo-fuoco", N_("{position}: no communication."), position=position.id)
    if answers(ctx, position, square):
        act_fire(ctx, position, card, square)


# 16.3 Redeployment


def redeploy(ctx: Ctx[State], position: Position, _card: Card, square: Square) -> None:
    """A unit with nobody in its field goes where there is somebody (16.3, 16.31-16.34)."""
    if not answers(ctx, position, square):
        return
    if not is_fixed(ctx.state, position):
        ctx.cite("16.3#riguarda", N_("{position}: no communication."), position=position.id)
        return
    able = [p for p in POSITIONS.values() if can_redeploy(ctx.state, position, p)]
    if not able:
        ctx.cite(
            ("16.3#nessuna", "16.31") if position.is_vp else "16.3#nessuna",
            N_("{position}: no position calls for it."),
            position=position.id,
        )
        return
    keys = {p.id: redeploy_rank(ctx.state, p) for p in able}
    first = [p for p in able if keys[p.id] == min(keys.values())]
    chosen = first[0]
    if len(first) > 1:
        spots = [place(p.hexes[0], p, hex=HEX[p.hexes[0]]) for p in first]
        chosen = ctx.choose(
            "redeploy.to",
            US,
            spots,
            ("16.3#destinazioni", "casa.61"),
            N_("Where does {position} redeploy?"),
            position=position.id,
        )
    picked = [chosen.id] if len(first) > 1 else ()
    tell_order(ctx, "16.3#destinazioni", [chosen.id], [p.id for p in able], picked)
    ctx.cite(
        ("16.3#sposta", "16.33", "casa.61"),
        N_("{position} redeploys to {to}."),
        position=position.id,
        to=chosen.id,
    )
    shift(ctx, position.hexes[0], chosen.hexes[0], "16.3#sposta", "16.34")
    ctx.do(Silenced(hex=chosen.hexes[0]), "16.32")


def can_redeploy(state: State, origin: Position, to: Position) -> bool:
    """Empty, same sector, in communication, with US units in its field (16.3, 16.31)."""
    label = to.hexes[0]
    if to.is_wn or to.sector != origin.sector or label in state.germans:
        return False
    if label in state.garrisons or label in index(state).occupied:
        return False
    if origin.is_vp and not to.is_vp:
        return False
    return is_fixed(state, to) and us_in(state, to)


def redeploy_rank(state: State, position: Position) -> tuple[int, int, int]:
    """Victory points, then number, then most US steps in the field (16.3, casa.61)."""
    us = index(state)
    steps = sum(us.steps.get(h, 0) for h in DOTS[position.id])
    if state.options.get(REDEPLOYMENT) == "forza":
        steps = sum(u.strength for h in DOTS[position.id] for u in us.by_hex.get(h, ()))
    return -int(position.is_vp), position.number, -steps


def shift(ctx: Ctx[State], origin: str, to: str, ref: str, swap_ref: str) -> None:
    """A German unit and its marker change hex; the marker changes kind with the terrain."""
    capture_general(ctx, to)
    ctx.do(GermanMoved(hex=origin, to=to), ref)
    german = ctx.state.germans[to]
    wanted = "building" if COVER_AT.get(to) == "buildings" else "mobile"
    if german.depth_kind in ("building", "mobile") and german.depth_kind != wanted:
        if ctx.state.boxes.get(wanted):
            ctx.do(DepthGone(hex=to, to="box"), swap_ref)
            give_depth(ctx, to, swap_ref)
        else:
            ctx.cite(swap_ref, N_("{hex} keeps its depth marker."), hex=to)


# 16.4 Reinforcement


def reinforce(ctx: Ctx[State], position: Position, _card: Card, _square: Square) -> None:
    """An empty position near US units receives a unit with a marker (16.4, casa.68)."""
    label = position.hexes[0]
    if label in ctx.state.garrisons:
        ctx.cite(
            "19.3.guarnigione#impedisce",
            N_("{position}: a garrison holds it."),
            position=position.id,
        )
        return
    if not position.is_vp and not us_in_strong_fire(ctx.state, position):
        ctx.cite(
            "16.4#senza-vp",
            N_("{position}: no VP, and nobody under strong fire."),
            position=position.id,
        )
        return
    ref = "16.4#con-vp" if position.is_vp else "16.4#senza-vp"
    ctx.cite((ref, "casa.68#pesca"), N_("{position} is reinforced."), position=position.id)
    if arrive(ctx, label, always_depth=True):
        ctx.do(Silenced(hex=label), "16.4#non-spara")


def us_in_strong_fire(state: State, position: Position) -> bool:
    """Whether a US unit stands on an intense or steady dot."""
    occupied = index(state).occupied
    return any(h in occupied for h, level in DOTS[position.id].items() if level != SPORADIC)


# 16.5 Mortars


@cache
def mortar_field(name: str, origins: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes that mortars of a position reach (16.5, casa.62)."""
    position = POSITIONS[name]
    found = []
    for label in LAND:
        far = min(distance(h, label) for h in origins)
        if not position.is_wn:
            if far <= MORTAR_RANGE:
                found.append(label)
        elif far <= WN_BEACH_RANGE:
            is_shore = BASE[label] == "beach" or label in SEASIDE
            if is_shore or (far <= WN_RANGE and BASE[label] != "beach"):
                found.append(label)
    return tuple(found)


def mortar(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """Units with the symbol within mortar range lose a step (16.5, 16.51)."""
    if not answers(ctx, position, square):
        return
    state = ctx.state
    germans = active(state, position)
    us = index(state)
    ranked: list[tuple[int, Unit]] = []
    again = []
    for label in mortar_field(position.id, tuple(g.hex for g in germans)):
        concentrated = us.steps.get(label, 0) >= CONCENTRATED
        for unit in us.by_hex.get(label, ()):
            if UNITS[unit.id].is_leader or not (unit.symbol == card.target or concentrated):
                continue
            if unit.hit and not is_extended(state):
                again.append(unit.id)
            else:
                ranked.append((-unit.steps, unit))
    if again:
        ctx.cite("6.34#uno-per-fase", N_("{hit}: no second step in this phase."), hit=tuple(again))
    if not ranked:
        ctx.cite(
            "16.51",
            N_("{position}: nobody with {symbol} in mortar range."),
            position=position.id,
            symbol=card.target,
        )
        return
    limit = 2 if any(g.depth for g in germans) else 1
    ctx.cite(
        "16.5#massimo",
        N_("Mortars of {position}, with a depth marker: at most {n} hits.")
        if limit == 2
        else N_("Mortars of {position}, without a depth marker: at most {n} hit."),
        position=position.id,
        n=limit,
    )
    for name in pick_units(ctx, ranked, limit, "16.5#piu-pf", position.id):
        is_marked = state.units[name].symbol == card.target
        ref = (
            ("16.5#perdono", "casa.62")
            if is_marked
            else ("16.5#perdono", "casa.62", "6.35#concentrato", "casa.72")
        )
        if lose_step(ctx, name, ref) and not is_extended(ctx.state):
            ctx.do(Hit(unit=name), "6.34#uno-per-fase")


# 16.6 Patrols


def patrol(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """US units under strong fire are disrupted, or the nearest one within three (16.6, 16.61)."""
    if not answers(ctx, position, square):
        return
    state = ctx.state
    caught = [
        unit
        for label, level in DOTS[position.id].items()
        if level != SPORADIC
        for unit in fighters_at(state, label)
    ]
    leaders = [
        unit.id
        for label, level in DOTS[position.id].items()
        if level != SPORADIC
        for unit in units_at(state, label)
        if UNITS[unit.id].is_leader
    ]
    if leaders:
        ctx.cite("16.61", N_("{units}: leaders are no targets of a patrol."), units=tuple(leaders))
    if caught:
        for unit in caught:
            disrupt(ctx, unit.id, "16.6#confusione")
        return
    origin = position.hexes[0]
    ranked = [
        ((distance(origin, u.at), u.symbol != card.target, -u.strength), u)
        for units in index(state).by_hex.values()
        for u in units
        if not UNITS[u.id].is_leader and distance(origin, u.at) <= PATROL_RANGE
    ]
    if not ranked:
        ctx.cite("16.6#niente", N_("{position}: nobody within three hexes."), position=position.id)
        return
    for name in pick_units(ctx, ranked, 1, "16.6#vicina", position.id):
        disrupt(ctx, name, "16.6#vicina")


# 16.7 Artillery


def artillery(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """A WN with a gun shells beach or boxes of either sector (16.7, casa.31)."""
    if not answers(ctx, position, square):
        return
    if not any(g.kind in CALIBRES for g in active(ctx.state, position)):
        ctx.cite("16.7#pezzo", N_("{position} has no gun."), position=position.id)
        return
    refs = ("16.7#perde", "16.7#priorita", "16.7#niente", "16.7#parita")
    hit = shell(ctx, card.target, position.sector, SECTORS, refs)
    if hit:
        ctx.do(
            Noted(key=f"artillery {hit}"),
            ("16.7#perde", "casa.31"),
            N_("Artillery fires in the {sector} sector."),
            sector=hit,
        )


# 16.8 Advances


def destination(state: State, position: Position) -> Position | None:
    """Where the arrow leads, if no German is there (16.8, 16.86)."""
    for name in position.advances:
        if POSITIONS[name].hexes[0] not in state.germans:
            return POSITIONS[name]
    return None


def fires_instead(state: State, position: Position) -> bool:
    """Before the enemy, a known 716th unit or one without a marker fires (16.81, casa.70)."""
    german = active(state, position)[0]
    known_716 = german.shown and german.data.division == "716"
    return us_in(state, position) and (not german.depth or known_716)


def tries_to_advance(state: State, position: Position, square: Square) -> bool:
    """Whether the letter leads to an advance: only then the position waits (16.8, 16.85)."""
    germans = active(state, position)
    if not germans or destination(state, position) is None:
        return False
    if square.squares == 2 and not germans[0].depth:
        return False
    return not fires_instead(state, position)


def advance(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """Try to advance, or fire (16.8, 16.81)."""
    if not answers(ctx, position, square):
        return
    to = destination(ctx.state, position)
    if to is None:
        ctx.cite("16.8#spara", N_("{position} has nowhere to advance."), position=position.id)
        if us_in(ctx.state, position):
            act_fire(ctx, position, card, square)
        return
    if len(position.advances) > 1:
        ctx.cite(
            "16.86#verso-a7" if to.id == position.advances[0] else "16.86#altra",
            N_("{position} advances to {to}."),
            position=position.id,
            to=to.id,
        )
    german = active(ctx.state, position)[0]
    if fires_instead(ctx.state, position):
        ctx.cite(
            "16.81#div-716" if german.depth else "16.81#senza",
            N_("{position} fires instead of advancing."),
            position=position.id,
        )
        act_fire(ctx, position, card, square)
        return
    ctx.cite(
        (
            "16.81#senza-us"
            if not us_in(ctx.state, position)
            else "16.81#rivelata"
            if german.shown
            else "16.81#nascosta",
            "casa.70",
        ),
        N_("{position} tries to advance to {to}; the arrow is uncertain on the map.")
        if position.id in DOUBTFUL_ARROWS
        else N_("{position} tries to advance to {to}."),
        position=position.id,
        to=to.id,
    )
    press_on(ctx, position.hexes[0], to.hexes[0], card)


def route(a: str, b: str) -> list[str]:
    """The hexes of an advance (16.82, casa.58)."""
    common = [n for n in NEIGHBOURS[a] if n in NEIGHBOURS[b]]
    if distance(a, b) == 1:
        return [a, b, *common]
    if len(common) == 1:
        return [common[0], *NEIGHBOURS[common[0]]]
    sides = [
        n for n in NEIGHBOURS[b] if n not in common and any(n in NEIGHBOURS[c] for c in common)
    ]
    return [a, *common, b, *[n for n in sides if n != a]]


def press_on(ctx: Ctx[State], a: str, b: str, card: Card) -> None:
    """Disrupt, add up the defence, and succeed under seven (16.82, 16.84)."""
    hexes = route(a, b)
    ctx.cite(
        ("16.82#percorso/adiacente", "casa.58#adiacenti")
        if distance(a, b) == 1
        else ("16.82#percorso/a 2 esagoni in linea retta", "casa.58#retta")
        if sum(n in NEIGHBOURS[b] for n in NEIGHBOURS[a]) == 1
        else ("16.82#percorso/a 2 esagoni, non in linea", "casa.58#angolo"),
        N_("The route: {hexes}"),
        hexes=tuple(hexes),
    )
    standing = [u for h in hexes for u in fighters_at(ctx.state, h)]
    if standing:
        for unit in standing:
            is_steady = UNITS[unit.id].is_infantry or UNITS[unit.id].type == "tank"
            if not is_steady or unit.symbol == card.target:
                disrupt(ctx, unit.id, "16.82#confusione")
        total = defence(ctx, hexes)
        if total >= HOLDS_AGAINST:
            ctx.cite("16.82#respinta", N_("Strength {n}: the advance is repulsed."), n=total)
            return
        ctx.cite("16.82#riesce", N_("Strength {n}: the advance succeeds."), n=total)
        able = [u for h in hexes for u in fighters_at(ctx.state, h)]
        name = able[0].id
        if len(able) > 1:
            name = ctx.choose(
                "advance.losses",
                US,
                [unit_choice(u) for u in able],
                "16.82#togli",
                N_("Which unit loses a step?"),
            )
        lose_step(ctx, name, "16.82#togli", by_fire=False)
    if b in ctx.state.garrisons:
        for label in POSITION_AT[b].hexes:
            ctx.do(GarrisonLost(hex=label), "19.3.guarnigione#avanzata")
    if fighters_at(ctx.state, b) or any(UNITS[u.id].type == "HQ" for u in units_at(ctx.state, b)):
        together = ""
        for unit in units_at(ctx.state, b):
            together = fall_back(ctx, unit.id, hexes, together) or together
    shift(ctx, a, b, "16.82#togli" if standing else "16.82#libero", "16.83")


def defence(ctx: Ctx[State], hexes: list[str]) -> int:
    """Undisrupted strength on the route, doubled in bocage and buildings (16.82, 16.84)."""
    total = ctx.tally(N_("defence of the route"))
    disrupted = [u.id for h in hexes for u in fighters_at(ctx.state, h) if u.disrupted]
    if disrupted:
        said = N_("{units}: disrupted, they do not count.")
        ctx.cite("16.82#somma", said, units=tuple(disrupted))
    for label in hexes:
        cover = COVER_AT.get(label, "")
        for unit in fighters_at(ctx.state, label):
            if unit.disrupted:
                continue
            if cover in ("bocage", "buildings"):
                said = N_("{unit}, doubled by {terrain}")
                total.add(unit.strength * 2, "16.82#somma", said, unit=unit.id, terrain=cover)
            else:
                total.add(unit.strength, "16.82#somma", N_("{unit}"), unit=unit.id)
            if unit.hero and not unit.inspired:
                total.add(1, "16.84#eroe", N_("hero of {unit}"), unit=unit.id)
    return int(total.total)


def fall_back(ctx: Ctx[State], name: str, hexes: list[str], together: str) -> str:
    """A unit in the way retreats one hex, off the route if it can (16.82, casa.81).

    Units retreat together as far as terrain lets them. Infantry and leaders always can; terrain
    may leave vehicles nowhere to go.
    """
    unit = ctx.state.units[name]
    near = [
        h for h in NEIGHBOURS[unit.at] if not any(True for _ in why_not_enter(ctx.state, unit, h))
    ]
    able = [h for h in near if h not in hexes] or near
    if not able:
        eliminate(ctx, name, ("16.82#ritirano", "casa.81"))
        return ""
    to = together if together in able else able[0]
    if to != together and len(able) > 1:
        spots = [hex_choice(h) for h in able]
        to = ctx.choose(
            "advance.retreat",
            US,
            spots,
            "16.82#ritirano",
            N_("Where does {unit} retreat?"),
            unit=name,
        )
    ctx.do(
        Moved(unit=name, hex=to), ("16.82#ritirano", "casa.81") if to in hexes else "16.82#ritirano"
    )
    return to


# 16.9 Ambushes


def ambush(ctx: Ctx[State], position: Position, card: Card, _square: Square) -> None:
    """An empty position strikes one unit with the symbol (16.9, 16.92)."""
    if not us_in(ctx.state, position):
        ctx.cite(
            "16.9#riguarda",
            N_("{position}: no US unit in the field of fire."),
            position=position.id,
        )
        return
    state = ctx.state
    us = index(state)
    strong: list[tuple[tuple[int, int], Unit]] = []
    weak: list[tuple[tuple[int, int], Unit]] = []
    for label, level in DOTS[position.id].items():
        concentrated = us.steps.get(label, 0) >= CONCENTRATED
        for unit in fighters_at(state, label):
            if unit.symbol != card.target and not concentrated:
                continue
            if level == INTENSE and unit.hit and not is_extended(state):
                continue
            key = (distance(position.hexes[0], label), -unit.steps)
            (strong if level == INTENSE else weak).append((key, unit))
    if not strong and not weak:
        ctx.cite(
            "16.9#niente",
            N_("{position}: nobody with {symbol}."),
            position=position.id,
            symbol=card.target,
        )
        return
    name = pick_units(ctx, strong or weak, 1, "16.92#piu-vicina", position.id)[0]
    ctx.cite(
        ("16.9#intenso" if strong else "16.9#altro", "16.92#una-sola")
        if state.units[name].symbol == card.target
        else (
            "16.9#intenso" if strong else "16.9#altro",
            "16.92#una-sola",
            "6.35#concentrato",
            "casa.72",
        ),
        N_("{unit} is ambushed from {position}."),
        unit=name,
        position=name_of(position.hexes[0]),
    )
    if strong:
        if lose_step(ctx, name, "16.9#intenso") and not is_extended(ctx.state):
            ctx.do(Hit(unit=name), "6.34#uno-per-fase")
    else:
        disrupt(ctx, name, "16.9#altro")


def act_or_silent(ctx: Ctx[State], position: Position, card: Card, square: Square) -> None:
    """The cell says fire: single or double square decides (16.quadrati)."""
    if answers(ctx, position, square):
        act_fire(ctx, position, card, square)


Doing = Callable[[Ctx[State], Position, Card, Square], None]
DOING: dict[str, Doing] = {
    N_("fire"): act_or_silent,
    N_("reoccupy"): reoccupy,
    N_("resupply"): resupply,
    N_("redeploy"): redeploy,
    N_("reinforce"): reinforce,
    N_("mortar"): mortar,
    N_("patrol"): patrol,
    N_("artillery"): artillery,
    N_("advance"): advance,
    N_("ambush"): ambush,
}
