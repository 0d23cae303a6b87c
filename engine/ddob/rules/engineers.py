"""Engineers (10, 19): 10.1, 10.12, 15.v, 19.1-19.4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place, unit
from engine.core.index import indexed
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.choosing import hex_choice
from engine.ddob.rules.communication import is_linked
from engine.ddob.state.book import BOMBARDMENT, SECTOR_OF, US, rule
from engine.ddob.state.events import (
    BaseAdvanced,
    BasePlaced,
    BaseSettled,
    Cleared,
    Garrisoned,
    Noted,
    Opened,
)
from engine.ddob.state.ground import (
    BASE,
    HEX,
    LAND,
    OBSTACLES,
    SECTOR,
    distance,
    distances,
    is_submerged,
)
from engine.ddob.state.state import Base, German, State, active, name_of, threats
from engine.ddob.state.tables import (
    BASES,
    CARDS,
    CHARTS,
    DOTS_AT,
    POSITIONS,
    SETUPS,
    Position,
    tide,
)

ALL_CLEAR_TURN = 23


# 10.1 Obstacles on the beach


def clearing_limit(state: State) -> int:
    """Hexes per sector this turn (10.12, 22.1)."""
    if state.has(BOMBARDMENT) and state.turn < 5:
        return 0
    found = [row for row in CHARTS.clearing if row.turns[0] <= state.turn <= row.turns[1]]
    return found[0].hexes if found else 0


def why_not_clear(state: State, label: str) -> Iterator[Ruling]:
    """Why obstacles that are left cannot be cleared now (10.1, casa.65, casa.82)."""
    card = CARDS[state.cards[f"fire {SECTOR[label]}"]]
    recovered = state.notes.get("recovered", "").split()
    for position, level in DOTS_AT.get(label, ()):
        if position.colour not in card.squares:
            continue
        if all(german.hex in recovered for german in active(state, position)):
            continue
        yield under_fire(label, level, position.id)


@cache
def under_fire(label: str, level: str, position: str) -> Ruling:
    """No work where a position of the card's colours fires (10.1, casa.65)."""
    return rule(
        ("10.1#bonificabile", "casa.65"),
        N_("{hex} lies under {level} fire of {position}, whose colour is on the card."),
        hex=label,
        level=level,
        position=position,
    )


def clear_obstacles(ctx: Ctx[State]) -> bool:
    """One more obstacle hex, sector by sector; whether the phase is over (10.1, 10.12)."""
    state = ctx.state
    limit = clearing_limit(state)
    for sector in SETUPS[state.scenario].sectors:
        done = int(state.notes.get(f"cleared {sector}", "0"))
        if done >= limit or f"fire {sector}" not in state.cards:
            continue
        hexes = [h for h in OBSTACLES if SECTOR[h] == sector and h not in state.cleared]
        against = {h: tuple(why_not_clear(state, h)) for h in hexes}
        if all(against.values()):
            continue
        choices: list[Choice[str]] = [hex_choice(h) for h in hexes]
        choices.append(
            button("basta", "", N_("No other hex in the {sector} sector"), sector=sector)
        )
        label = ctx.choose(
            "engineers.clear",
            US,
            choices,
            ("10.1#puoi", "10.12#massimo"),
            N_("Which obstacles do the engineers clear? {n} left in the {sector} sector."),
            why_not=against.get,
            n=limit - done,
            sector=sector,
        )
        if not label:
            ctx.do(
                Noted(key=f"cleared {sector}", value=str(limit)),
                "10.1#puoi",
                N_("No other hex is cleared in the {sector} sector."),
                sector=sector,
            )
            return False
        ctx.do(Cleared(hex=label), ("10.1#cleared", "10.12#massimo"))
        ctx.do(
            Noted(key=f"cleared {sector}", value=str(done + 1)),
            "10.12#bonifica/{turn}/Esagoni per settore",
            N_("{n} of {limit} hexes cleared in the {sector} sector on turn {turn}."),
            n=done + 1,
            limit=limit,
            sector=sector,
            turn=state.turn,
        )
        return False
    return True


def tell_finished(ctx: Ctx[State]) -> None:
    """Why the engineers clear no other hex (10.1, 10.12, 22.1)."""
    state = ctx.state
    limit = clearing_limit(state)
    if not limit:
        ref = (
            "22.1#dal-turno-5"
            if state.has(BOMBARDMENT) and state.turn < 5
            else "10.12#bonifica/{turn}/Esagoni per settore"
        )
        ctx.cite(("4.iv", ref), N_("No obstacle is cleared on turn {turn}."), turn=state.turn)
        return
    for sector in SETUPS[state.scenario].sectors:
        hexes = [h for h in OBSTACLES if SECTOR[h] == sector and h not in state.cleared]
        if int(state.notes.get(f"cleared {sector}", "0")) >= limit:
            continue
        ctx.cite(
            ("10.1#bonificabile", "casa.65") if hexes else "10.1#puoi",
            N_("All obstacles left in the {sector} sector lie under fire.")
            if hexes
            else N_("No obstacle is left in the {sector} sector."),
            sector=sector,
        )
    ctx.cite("4.iv", N_("The engineers have finished."))


# 19.1 Engineer bases


def potential_fire(state: State, label: str, ref: str) -> Iterator[Ruling]:
    """Every position that has, or could have, a dot on the hex (18.1, 19.1, 19.2, casa.34)."""
    for near, level in threats(state, label, disrupted=True):
        yield rule(
            ref,
            N_("{hex} lies under {level} fire of {position}."),
            hex=label,
            level=level,
            position=name_of(near),
        )
    for position, _level in DOTS_AT.get(label, ()):
        if any(h in state.germans for h in position.hexes):
            continue
        if any(is_linked(state, h) for h in position.hexes):
            yield rule(
                (ref, "casa.34"),
                N_("{hex}: {position} is empty but in German communication."),
                hex=label,
                position=position.id,
            )


def is_disturbed(state: State, division: str) -> Iterator[Ruling]:
    """Why bases of a division can neither grow nor direct traffic (19.33, ev)."""
    if "engineers limited" in state.notes:
        yield rule("ev.artiglieria-genio#non-puoi", N_("Artillery limits the engineers this turn."))
    if f"artillery {SECTOR_OF[division]}" in state.notes:
        yield rule("19.33#non-puo", N_("German artillery has fired in the sector."))


def why_not_base(state: State, label: str) -> Iterator[Ruling]:
    """Why a new base cannot stand in a beach hex of its sector (19.1, casa.93)."""
    if "engineers limited" in state.notes:
        yield rule("ev.artiglieria-genio#piazzare", N_("Artillery limits the engineers this turn."))
    if is_submerged(label, tide(state.turn)):
        yield rule(
            ("19.1#dove", "5.21#sommerso", "casa.93"), N_("{hex} is under water."), hex=label
        )
    yield from potential_fire(state, label, "19.1#dove")


def why_not_advance_base(state: State, division: str, base: str) -> Iterator[Ruling]:
    """Why the range of a base cannot grow (19.2, 19.33)."""
    yield from is_disturbed(state, division)
    if state.bases[base].space >= len(CHARTS.engineer_range.ranges):
        yield rule("19.2#raggio-genio/Raggio/9", N_("{base} has its full range."), base=base)
    yield from potential_fire(state, state.bases[base].hex, "19.2#avanza")


def settle_bases(ctx: Ctx[State]) -> bool:
    """Each division places a base or advances one (15.v, 19.21); whether all are settled."""
    state = ctx.state
    for division in ("1", "29"):
        if division in state.base_done or SECTOR_OF[division] not in sectors(state):
            continue
        operate(ctx, division)
        return False
    return True


def sectors(state: State) -> tuple[str, ...]:
    """The sectors in play."""
    return SETUPS[state.scenario].sectors


def operate(ctx: Ctx[State], division: str) -> None:
    """One operation of a division's engineers (19.1, 19.2, 19.21)."""
    state = ctx.state
    mine = [b for b, d in BASES.items() if d == division]
    spare = [b for b in mine if b not in state.bases]
    standing = [b for b in mine if b in state.bases]
    spots = [h for h in LAND if BASE[h] == "beach" and SECTOR[h] == SECTOR_OF[division]]
    choices: list[Choice[str]] = []
    if spare:
        choices += [hex_choice(h) for h in spots]
    choices += [unit(b, b, hex=HEX[state.bases[b].hex]) for b in standing]
    choices.append(button("basta", "", N_("Nothing this turn")))

    def why_not(choice: str) -> Iterator[Ruling] | None:
        if not choice:
            return None
        if choice in state.bases:
            return why_not_advance_base(state, division, choice)
        return why_not_base(state, choice)

    found = ctx.choose(
        "engineers.base",
        US,
        choices,
        ("19#piazzano", "19.21"),
        N_("Engineers of division {division}: a new base, or more range?"),
        why_not=why_not,
        division=division,
    )
    if found in state.bases:
        ctx.do(BaseAdvanced(base=found), "19.2#avanza")
    elif found:
        ctx.do(BasePlaced(base=spare[0], hex=found), "19.1#dove")
    ctx.do(BaseSettled(division=division), "19.21")


# 19.3 What bases do


def base_range(state: State, base: str) -> int:
    """The range of a base on its track (19.2)."""
    return CHARTS.engineer_range.ranges[state.bases[base].space - 1]


@indexed(keep=4)
def _ranges(bases: dict[str, Base], germans: dict[str, German]) -> dict[int, frozenset[str]]:
    """The hexes in range, by how many tanks have entered the map; reckoned when asked."""
    return {}


def in_range(state: State) -> frozenset[str]:
    """Hexes in the range of a base and in no field of fire (19.31, 19.32, 6.4)."""
    if not state.bases:
        return frozenset()
    known = _ranges(state.bases, state.germans)
    if state.armor_entered in known:
        return known[state.armor_entered]
    near: dict[str, None] = {}
    for name, base in state.bases.items():
        reach = base_range(state, name)
        near |= {label: None for label, far in distances(base.hex).items() if far <= reach}
    known[state.armor_entered] = frozenset(
        label for label in near if not any(True for _ in threats(state, label))
    )
    return known[state.armor_entered]


def is_open_side(state: State, a: str, b: str) -> bool:
    """Whether engineers have opened the side between two hexes (19.31)."""
    near = in_range(state)
    return a in near or b in near


def why_no_traffic(state: State, label: str) -> Iterator[Ruling]:
    """Why a unit in a hex cannot move free under traffic control (19.3.traffico, 19.33)."""
    if BASE[label] not in ("beach", "pavilion", "valley"):
        yield rule("19.3.traffico", N_("{hex} is not beach, pavilion or draw."), hex=label)
    if label not in in_range(state):
        yield rule("19.31", N_("{hex} is out of engineer range."), hex=label)
        return
    found = [
        BASES[name]
        for name, base in state.bases.items()
        if distance(base.hex, label) <= base_range(state, name)
    ]
    if all(any(True for _ in is_disturbed(state, division)) for division in found):
        yield rule("19.33#non-puo", N_("Artillery stops the traffic in {hex}."), hex=label)


def why_not_garrison(state: State, position: Position) -> Iterator[Ruling]:
    """Why a position takes no garrison (19.3.guarnigione)."""
    for label in position.hexes:
        if label in state.garrisons:
            yield rule("19.3.guarnigione#puoi", N_("{hex} has a garrison."), hex=label)
        if label in state.germans:
            yield rule("19.3.guarnigione#puoi", N_("{hex} is held by Germans."), hex=label)
        if label not in in_range(state):
            yield rule(("19.31", "19.32"), N_("{hex} is out of engineer range."), hex=label)


def garrison(ctx: Ctx[State]) -> bool:
    """The player may garrison positions in range, all at once or one by one (19.3.guarnigione)."""
    state = ctx.state
    near = in_range(state)
    here = [p for p in (POSITIONS.values() if state.bases else ()) if p.hexes[0] in near]
    able = [p for p in here if not any(True for _ in why_not_garrison(state, p))]
    if not able or "garrisons" in state.notes:
        return True
    choices: list[Choice[tuple[str, ...]]] = [
        button("tutte", tuple(p.id for p in able), N_("All of them")),
        button("basta", (), N_("No other garrison")),
    ]
    for found_position in here:
        label = found_position.hexes[0]
        choices.append(place(label, (found_position.id,), hex=HEX[label]))
    found = ctx.choose(
        "engineers.garrison",
        US,
        choices,
        "19.3.guarnigione#puoi",
        N_("Which positions get a garrison?"),
        why_not=lambda names: [r for n in names for r in why_not_garrison(state, POSITIONS[n])],
    )
    for name in found:
        for label in POSITIONS[name].hexes:
            ctx.do(Garrisoned(hex=label), "19.3.guarnigione#puoi")
    if not found:
        ctx.do(Noted(key="garrisons"), "19.3.guarnigione#puoi", N_("No other garrison this turn."))
    return not found


def open_roads(ctx: Ctx[State]) -> None:
    """What is in range is cleared, and counts as opened for good (19.3.strade, casa.35)."""
    state = ctx.state
    new = tuple(sorted(h for h in in_range(state) if h not in state.opened))
    for name, base in state.bases.items():
        reach = base_range(state, name)
        near = tuple([h for h in new if distance(base.hex, h) <= reach])
        if near:
            ctx.cite(
                ("19.31", "19.32", "19.2#raggio-genio/Raggio/{space}"),
                N_("{base}, on space {space} of the track, reaches {n} hexes: {hexes}."),
                base=name,
                space=base.space,
                n=reach,
                hexes=near,
            )
    if new:
        ctx.do(
            Opened(n=len(new), hexes=new), ("19.3.strade#bonificate", "19.3.ciottoli", "casa.35")
        )


def demolish(ctx: Ctx[State]) -> None:
    """From turn 23 no obstacle is left (19.4, casa.33)."""
    if ctx.state.turn == ALL_CLEAR_TURN:
        for label in OBSTACLES:
            if label not in ctx.state.cleared:
                ctx.do(Cleared(hex=label), ("19.4", "casa.33"))
