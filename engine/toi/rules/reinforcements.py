"""Building squads and bringing units onto the map, at set-up and later.

Refs: preparazione.5-squadre, preparazione.5-forza-piena, preparazione.5-due-fori,
preparazione.5-mix, preparazione.5-divisioni, stato.rinforzi-zona, stato.rinforzi-limiti,
accentramento.rinforzi, faq.miniature-esaurite, casa.31, casa.49.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, Option, button, place
from engine.core.rules import Ruling, Side
from engine.core.text import N_, Msg
from engine.toi.rules.ground import ground
from engine.toi.rules.stacking import why_not_stay
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.events import Placed, ReserveSet, SquadBuilt, UnitArrived, UnitLost
from engine.toi.state.limits import why_no_base, why_no_piece
from engine.toi.state.state import Force, State, Unit
from engine.toi.state.units import HOLES, enemies_at, new_id

Figures = tuple[str, ...]


@lru_cache(maxsize=4096)
def fillings(stock: tuple[tuple[str, int], ...]) -> tuple[Figures, ...]:
    """Every way to put figures of a stock on one base, full or not."""
    found: list[Figures] = []

    def fill(at: int, chosen: Figures, holes: int) -> None:
        if chosen:
            found.append(chosen)
        for index in range(at, len(stock)):
            kind, count = stock[index]
            more = holes + tables.UNITS[kind].holes
            if more <= HOLES and chosen.count(kind) < count:
                fill(index, (*chosen, kind), more)

    fill(0, (), 0)
    return tuple(sorted(set(found), key=lambda figures: (-_holes(figures), figures)))


def _holes(figures: Figures) -> int:
    return sum(tables.UNITS[figure].holes for figure in figures)


@lru_cache(maxsize=4096)
def why_not_build(figures: Figures) -> Ruling | None:
    """Every base is filled, all four holes (preparazione.5-forza-piena)."""
    holes = _holes(figures)
    if holes == HOLES:
        return None
    return rule(
        ("preparazione.5-forza-piena", "preparazione.5-due-fori"),
        N_("{n} holes filled out of {holes}"),
        n=holes,
        holes=HOLES,
    )


@lru_cache(maxsize=4096)
def full_squads(stock: tuple[tuple[str, int], ...]) -> tuple[Figures, ...]:
    """The ways that leave no hole empty (preparazione.5-forza-piena)."""
    return tuple(figures for figures in fillings(stock) if _holes(figures) == HOLES)


@lru_cache(maxsize=4096)
def _squads(stock: tuple[tuple[str, int], ...]) -> tuple[Choice[Figures], ...]:
    return tuple(
        Choice(Option(f"b:{filling_id(one)}", Msg(N_("Squad of {figures}"), {"figures": one})), one)
        for one in fillings(stock)
    )


def filling_id(figures: Figures) -> str:
    """A stable id: `2reg-1mg`."""
    kinds = dict.fromkeys(figures)
    return "-".join(f"{figures.count(kind)}{tables.UNITS[kind].code}" for kind in kinds)


def rivals(state: State, side: Side) -> tuple[Side, ...]:
    """The seats across the screen (preparazione.5-ordine)."""
    others = [other for other in state.seats if other != side]
    return tuple([seat for other in others for seat in state.seats[other]])


def build_squad(ctx: Ctx[State], seat: Side, side: Side, division: int, hidden: bool) -> None:
    """Fill one base with figures of its division (preparazione.5-squadre)."""
    force = next(f for f in ctx.state.reserve[side] if f.division == division)
    stock = tuple(sorted(force.figures.items()))
    full = full_squads(stock)
    figures = full[0]
    name = new_id(ctx.state, side)
    if len(full) > 1:
        figures = ctx.choose(
            "setup.figures",
            seat,
            _squads(stock),
            ("preparazione.5-squadre#combini", "preparazione.5-mix"),
            N_("{unit}, division {division}: which figures?"),
            why_not=why_not_build,
            unit=name,
            division=division,
        )
    away = rivals(ctx.state, side) if hidden else ()
    event = SquadBuilt(unit=name, side=side, division=division, figures=figures, hidden_from=away)
    ctx.do(
        event,
        (
            "preparazione.5-squadre#incastra",
            "preparazione.5-mix",
            "preparazione.5-divisioni#separate",
            "casa.31",
        ),
        N_("{unit} is built: {figures}"),
        unit=name,
        figures=figures,
    )


def available(ctx: Ctx[State], figures: Figures) -> Figures:
    """The figures received: regulars replace those missing in the box (faq.miniature-esaurite)."""
    found: list[str] = []
    for figure in figures:
        kind = tables.UNITS[figure]
        wanted = found.count(figure) + 1
        if next(why_no_piece(ctx.state, figure, wanted), None) is None:
            found.append(figure)
            continue
        regular = f"{kind.nation}_reg"
        ctx.cite(
            "faq.miniature-esaurite",
            N_("No {figure} left: {n} regulars instead"),
            figure=figure,
            n=kind.holes,
        )
        found += [regular] * kind.holes
    return tuple(found)


def receive_force(ctx: Ctx[State], seat: Side, side: Side, force: Force) -> list[str]:
    """Receive and build the squads and vehicles of an arrival. Their names."""
    pieces = tuple(piece for piece, n in force.figures.items() for _ in range(n))
    have = available(ctx, pieces)
    counts = {piece: have.count(piece) for piece in dict.fromkeys(have)}
    waiting = Force(force.division, force.bases, counts)
    before = set(ctx.state.units)
    ctx.do(ReserveSet(side=side, forces=(waiting,)), "stato.rinforzi#ricevi")
    for _ in range(force.bases):
        for against in why_no_base(ctx.state, side, force.division):
            ctx.cite(against)
            break
        else:
            build_squad(ctx, seat, side, force.division, hidden=False)
    ctx.do(ReserveSet(side=side, forces=()), "stato.rinforzi#ricevi")
    for kind, count in force.vehicles.items():
        for _ in range(count):
            receive_vehicle(ctx, side, force.division, kind, "stato.rinforzi#ricevi")
    return [name for name in ctx.state.units if name not in before]


def receive_squad(ctx: Ctx[State], side: Side, division: int, figures: Figures, ref: str) -> str:
    """A squad is received, already built; empty when no base is left (limiti.componenti)."""
    for against in why_no_base(ctx.state, side, division):
        ctx.cite(against)
        return ""
    name = new_id(ctx.state, side)
    have = available(ctx, figures)
    event = UnitArrived(unit=name, side=side, division=division, piece="squad", figures=have)
    ctx.do(event, ref, N_("{unit} is built: {figures}"), unit=name, figures=have)
    return name


def receive_vehicle(ctx: Ctx[State], side: Side, division: int, kind: str, ref: str) -> str:
    """A vehicle is received; empty when the box has none left (limiti.componenti)."""
    for against in why_no_piece(ctx.state, kind):
        ctx.cite(against)
        return ""
    name = new_id(ctx.state, f"{side}-{tables.UNITS[kind].code}")
    ctx.do(UnitArrived(unit=name, side=side, division=division, piece=kind), ref)
    return name


def why_not_arrive(state: State, unit: Unit, label: str, zone: tuple[str, ...]) -> Iterator[Ruling]:
    """Why a reinforcement may not enter in a hex (stato.rinforzi-limiti)."""
    if label not in zone:
        yield rule(
            "stato.rinforzi-zona",
            N_("{hex} is not a reinforcement hex of {side}"),
            hex=label,
            side=unit.side,
        )
    if enemies_at(state, label, unit.side):
        yield rule("stato.rinforzi-limiti#nemici", N_("{hex} holds enemies"), hex=label)
    for found in why_not_stay(state, unit, label):
        own = rule.ruling(("accentramento.rinforzi", "stato.rinforzi-limiti#limite"), found.msg)
        yield Ruling((*own.refs, *found.refs), found.msg, (*own.anchors, *found.anchors))


def bring_in(ctx: Ctx[State], seat: Side, names: list[str]) -> None:
    """Place reinforcements in the zone; what finds no place is lost (casa.49)."""
    state = ctx.state
    if not names:
        return
    side = state.units[names[0]].side
    zone = state.zones.get(side, ())
    barred = bool(zone) and all(enemies_at(state, label, side) for label in zone)
    if barred:
        ctx.cite(
            "stato.rinforzi-limiti#perduti", N_("The enemy holds the whole zone: all are lost")
        )
    for name in names:
        unit = ctx.state.units[name]
        open_ = [
            label
            for label in zone
            if next(why_not_arrive(ctx.state, unit, label, zone), None) is None
        ]
        if not open_:
            ctx.do(
                UnitLost(unit=name),
                (
                    "stato.rinforzi-limiti#perduti" if barred else "stato.rinforzi-limiti#pieni",
                    "casa.49",
                ),
            )
            continue
        hexes = ground(ctx.state).hex
        choices: list[Choice[str]] = [place(label, label, hex=hexes[label]) for label in zone]
        if len(names) > 1:
            choices.append(button("no", "", N_("Give {unit} up"), unit=name))
        label = ctx.choose(
            "reinforcements.hex",
            seat,
            choices,
            ("stato.rinforzi-zona", "casa.49"),
            N_("{unit} arrives: where?"),
            why_not=lambda h: why_not_arrive(ctx.state, unit, h, zone) if h else None,  # noqa: B023
            unit=name,
        )
        if label:
            ctx.do(Placed(unit=name, hex=label), ("stato.rinforzi-zona", "stato.rinforzi#zona"))
        else:
            ctx.do(UnitLost(unit=name), ("stato.rinforzi-limiti#pieni", "casa.49"))
