"""Chapter 3: markers that lie face down; IED and mines, dummies, hidden roadblocks and snipers.

Refs: warfare:ignoti.*, ied.*, dummy.segnalino, arbitrato.ied_*, arbitrato.doppio_segnalino,
arbitrato.tiratore_ignoto, arbitrato.fortificazione_supporti.
"""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.rules import Locators, Side
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.fire import apply_fire
from engine.warfare.rules.fortifications import add_terrain
from engine.warfare.rules.morale import defence_of, show
from engine.warfare.state.ascs import ELIMINATED, base_die, combat_roll, final_die
from engine.warfare.state.events import (
    Identified,
    MarkerRemoved,
    Revealed,
    RoadblockPlaced,
    SupportFound,
)
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import Hidden, State, Unit, are_enemies, is_alive
from engine.warfare.state.tables import (
    DUMMY,
    HIDDEN,
    IED,
    IRREGULARS,
    MINE,
    ROADBLOCK,
    SNIPER,
    SUPPORTS,
    UNKNOWN,
)

FREE, BOUNCED = "free", "bounced"


def kind_of(marker: Hidden) -> str:
    """What is on the back of a marker; unknown in the belief of who may not look."""
    return UNKNOWN if marker.item == UNKNOWN else HIDDEN[marker.item].kind


def settle(ctx: Ctx[State], name: str) -> Hidden:
    """The marker with its back known: while odds are computed it is drawn from what is left."""
    marker = ctx.state.hidden[name]
    if marker.item == UNKNOWN:
        item = ctx.draw(
            ctx.state.unseen[marker.owner],
            "ignoti.rivelare#modi",
            N_("what lies in {hex}?"),
            hex=marker.hex,
        )
        ctx.do(Identified(marker=name, item=item), "ignoti.rivelare#modi")
    return ctx.state.hidden[name]


def is_triggered(state: State, marker: Hidden, mover: Unit) -> bool:
    """Whether entering does anything (ied.ingresso, arbitrato.ied_proprietario)."""
    if mover.is_helicopter:
        return False
    if are_enemies(state, marker.owner, mover.side):
        return True
    return kind_of(marker) == MINE


def spring(ctx: Ctx[State], name: str) -> str:
    """A unit has entered a hex: every marker there has its effect (ignoti.rivelare)."""
    outcome, done = FREE, list[str]()
    while is_alive(ctx.state, name) and outcome == FREE:
        mover = ctx.state.units[name]
        waiting = [
            m
            for m in ctx.state.hidden.values()
            if m.hex == mover.hex and m.id not in done and is_triggered(ctx.state, m, mover)
        ]
        if not waiting:
            break
        marker, is_chosen = waiting[0].id, len(waiting) > 1
        if is_chosen:
            marker = ctx.choose(
                "unknown.first",
                waiting[0].owner,
                [unit(m.id, m.id) for m in waiting if m.owner == waiting[0].owner],
                ("arbitrato.doppio_segnalino", "ignoti.rivelare#ordine"),
                N_("Which marker in {hex} comes first?"),
                hex=mover.hex,
            )
        done.append(marker)
        outcome = trigger(ctx, marker, name, "arbitrato.doppio_segnalino" if is_chosen else "")
    return outcome


def trigger(ctx: Ctx[State], name: str, mover: str, also: str = "") -> str:
    """One marker is turned up under a unit (ied.ingresso, ignoti.blocco, dummy.segnalino)."""
    order = "arbitrato.ordine_ingresso" if is_watched(ctx.state, mover) else ""
    marker = reveal(ctx, name, ("ignoti.rivelare#entrando", order, also))
    kind = kind_of(marker)
    if kind in (IED, MINE):
        explode(ctx, name, mover, "ied.ingresso#esplode")
    elif kind == ROADBLOCK:
        block(ctx, name)
        return BOUNCED
    else:
        discard(ctx, name)
    return FREE


def is_watched(state: State, mover: str) -> bool:
    """Whether any enemy is in overwatch, so that the order of markers and fire matters."""
    side = state.units[mover].side
    return any(u.overwatch and are_enemies(state, u.side, side) for u in state.units.values())


def reveal(ctx: Ctx[State], name: str, ref: Locators) -> Hidden:
    """Turn a marker up."""
    marker = settle(ctx, name)
    if not marker.revealed:
        ctx.do(Revealed(marker=name, hex=marker.hex, kind=kind_of(marker)), ref)
    return ctx.state.hidden[name]


def block(ctx: Ctx[State], name: str) -> None:
    """A hidden roadblock becomes one like all others (ignoti.blocco)."""
    ctx.do(RoadblockPlaced(hex=ctx.state.hidden[name].hex, marker=name), "ignoti.blocco#resta")


def discard(ctx: Ctx[State], name: str) -> None:
    """A dummy is removed; a sniper joins the supports of its owner (arbitrato.tiratore_ignoto)."""
    marker = ctx.state.hidden[name]
    if kind_of(marker) == DUMMY:
        ctx.do(MarkerRemoved(marker=name), "dummy.segnalino#toglie")
        return
    ctx.do(MarkerRemoved(marker=name), "arbitrato.tiratore_ignoto")
    kind = sniper_of(ctx.state, marker.owner)
    found = SupportFound(support=f"{kind}-{name}", back=kind, side=marker.owner)
    ctx.do(found, "arbitrato.tiratore_ignoto")


def sniper_of(state: State, side: Side) -> str:
    """The sniper of the first faction that a player leads."""
    force = scenario_of(state).forces.get(side)
    usual: tuple[str, ...] = ("USA",) if state.cubes[side].regular else (IRREGULARS,)
    factions = usual if force is None else force.factions
    snipers = {s.faction: s.id for s in SUPPORTS.values() if s.kind == SNIPER}
    return next(snipers[faction] for faction in factions if faction in snipers)


def explode(ctx: Ctx[State], name: str, victim: str, ref: Locators) -> None:
    """IED and mines attack like fire that costs nothing (ied.attacco)."""
    marker, target = ctx.state.hidden[name], ctx.state.units[victim]
    colour = HIDDEN[marker.item].die
    assert colour is not None
    show(ctx, victim)
    with ctx.under(ref, N_("{kind} in {hex} explodes"), kind=kind_of(marker), hex=marker.hex):
        ladder = base_die(
            ctx, colour, "ied.attacco#dado", N_("{kind}: {colour}"), kind=kind_of(marker)
        )
        add_all(ladder, defence_of(target, "ied.attacco#difesa", "arbitrato.ied_modificatori"))
        add_terrain(ladder, field_of(ctx.state), target.hex, marker.hex)
        result = combat_roll(
            ctx,
            final_die(ladder),
            "ied.attacco#fuoco",
            N_("the blast hits {target}"),
            target=victim,
        )
        apply_fire(ctx, victim, result)
        if result == ELIMINATED:
            ctx.cite(
                "arbitrato.ied_modificatori",
                N_("no rubble in {hex}: it was an explosion"),
                hex=target.hex,
            )
    if kind_of(marker) == IED:
        ctx.do(MarkerRemoved(marker=name), "ied.rimozione")
    else:
        ctx.cite("ied.mina_resta#resta", N_("the mine stays in {hex}"), hex=marker.hex)
