"""Leaders in command (11.2, 11.3, 7.1.comando) and command posts (18)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling
from engine.core.text import N_, msg
from engine.ddob.rules.engineers import potential_fire
from engine.ddob.state.book import US, rule
from engine.ddob.state.events import CommandPost, Noted
from engine.ddob.state.ground import HEX, NEIGHBOURS
from engine.ddob.state.state import State, Unit, on_map, threats
from engine.ddob.state.tables import CHARTS, UNITS


def under_fire(state: State, label: str) -> bool:
    """Whether the hex lies in a German field of fire; disrupted units have none (6.4, 18.32)."""
    return any(True for _ in threats(state, label))


def command_range(state: State, leader: Unit) -> int:
    """How far a leader commands: 1, or the track of a command post (18.2, 18.22, 18.32)."""
    if not leader.space:
        return 1
    if under_fire(state, leader.at):
        return -1
    if state.notes.get("snipers") == leader.id:
        return 1
    return CHARTS.hq_range.ranges[leader.space - 1]


def hexes_commanded(state: State, leader: Unit) -> tuple[str, ...]:
    """Hexes within command range; the way goes around German units (18.3, 18.31)."""
    reach = command_range(state, leader)
    if reach < 0:
        return ()
    found = {leader.at: 0}
    waiting = [leader.at]
    for here in waiting:
        if found[here] == reach:
            continue
        for there in NEIGHBOURS[here]:
            if there not in found and (reach == 1 or there not in state.germans):
                found[there] = found[here] + 1
                waiting.append(there)
    return tuple(found)


def commands(state: State) -> dict[str, tuple[str, ...]]:
    """Unit -> leaders that command it now: fixed when the action phase begins (7.1.comando)."""
    found: dict[str, tuple[str, ...]] = {}
    for leader in on_map(state):
        if not UNITS[leader.id].is_leader:
            continue
        hexes = hexes_commanded(state, leader)
        for other in on_map(state):
            if other.at in hexes and not UNITS[other.id].is_leader:
                found[other.id] = (*found.get(other.id, ()), leader.id)
    return found


def hqs_of(state: State, name: str) -> tuple[str, ...]:
    """The HQs and command posts that command a unit in this phase."""
    return tuple(n for n in state.commanded.get(name, ()) if UNITS[n].type == "HQ")


# 18 Command posts


def why_not_post(state: State, hq: Unit) -> Iterator[Ruling]:
    """Why an HQ cannot become a command post here (18.1)."""
    yield from potential_fire(state, hq.at, "18.1#fuori")


def why_not_extend(state: State, hq: Unit) -> Iterator[Ruling]:
    """Why the range of a command post cannot grow (18.2, 18.32)."""
    if hq.space >= len(CHARTS.hq_range.ranges):
        yield rule("18.22#raggio-hq/Raggio/8", N_("{unit} has its full range."), unit=hq.id)
    if under_fire(state, hq.at):
        yield rule(("18.2", "18.32"), N_("{unit} is under German fire."), unit=hq.id)


def tell_unsettled(ctx: Ctx[State], hqs: list[Unit]) -> None:
    """Why no HQ becomes a post and no range grows, each under its own rule."""
    state = ctx.state
    full = [hq.id for hq in hqs if hq.space >= len(CHARTS.hq_range.ranges)]
    under = [hq.id for hq in hqs if hq.space and hq.id not in full]
    barred = [hq for hq in hqs if not hq.space]
    if full:
        said = N_("{units}: the range is as far as it goes.")
        ctx.cite("18.22#raggio-hq/Raggio/8", said, units=tuple(full))
    if under:
        said = N_("{units}: under German fire, the range does not grow.")
        ctx.cite(("18.2", "18.32"), said, units=tuple(under))
    if barred:
        found = [ruling for hq in barred for ruling in list(why_not_post(state, hq))[:1]]
        refs = dict.fromkeys(ref for ruling in found for ref in ruling.refs)
        anchors = dict.fromkeys(anchor for ruling in found for anchor in ruling.anchors)
        names = tuple(hq.id for hq in barred)
        said = N_("{units}: a German position fires here or may; no command post.")
        ctx.cite(Ruling(tuple(refs), msg(said, units=names), tuple(anchors)))


def settle_posts(ctx: Ctx[State]) -> bool:
    """HQs become command posts and ranges grow (15.v, 18.1, 18.2, 18.21)."""
    state = ctx.state
    done = state.notes.get("posts", "").split()
    hqs = [u for u in on_map(state) if UNITS[u.id].type == "HQ" and u.id not in done]

    def why_not(name: str) -> Iterator[Ruling] | None:
        if not name:
            return None
        hq = state.units[name]
        return why_not_extend(state, hq) if hq.space else why_not_post(state, hq)

    against = [next(iter(why_not(hq.id) or ()), None) for hq in hqs]
    if None not in against:
        tell_unsettled(ctx, hqs)
        return True
    choices: list[Choice[str]] = [unit(hq.id, hq.id, hex=HEX[hq.at]) for hq in hqs]
    choices.append(button("basta", "", N_("No other command post")))
    name = ctx.choose(
        "command.post",
        US,
        choices,
        ("18", "18.21"),
        N_("Which HQ sets up or extends its command?"),
        why_not=why_not,
    )
    if not name:
        return True
    hq = state.units[name]
    ctx.do(CommandPost(unit=name, space=hq.space + 1), "18.2" if hq.space else "18.1#gira")
    ctx.do(
        Noted(key="posts", value=" ".join((*done, name))),
        "18.21",
        N_("{unit} is settled this turn."),
        unit=name,
    )
    return False
