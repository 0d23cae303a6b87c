"""Barrages: tanks 8.4-8.42, naval fire 8.5-8.54, artillery 17.3."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.attacks import has_radio, is_adjacent, why_not_level
from engine.ddob.rules.choosing import folded, hex_choice
from engine.ddob.rules.leaders import hqs_of
from engine.ddob.state.book import US, rule
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import Barraged, DepthGone, GermanDisrupted, NavalMarker
from engine.ddob.state.ground import distance
from engine.ddob.state.state import German, State, Unit, field_of_fire, name_of, on_map, threats
from engine.ddob.state.tables import CHARTS, GUNS, POSITION_AT, UNITS


def observers(state: State, german: German) -> list[Unit]:
    """Undisrupted infantry in the field of fire of an undisrupted target (8.4, casa.16)."""
    field = field_of_fire(german)
    return [
        u for u in on_map(state) if u.at in field and not u.disrupted and UNITS[u.id].is_infantry
    ]


# 8.4 Tanks, 17.3 artillery


def why_not_hit(state: State, found: Unit, target: str) -> Iterator[Ruling]:
    """Why a unit cannot barrage a German hex in its range (8.4, 8.41, 8.42, 17.3)."""
    german = state.germans[target]
    if is_adjacent(found, target):
        yield rule(
            "8.4#non-adiacente", N_("{unit} is adjacent to {hex}."), unit=found.id, hex=target
        )
    if target in state.attacked:
        yield rule("8.41#attacco-o-sbarramento", N_("{hex}: attacked in this phase."), hex=target)
    if not german.is_wn and not german.shown:
        yield rule("8.42#nascosti", N_("{hex}: a hidden reinforcement is no target."), hex=target)
    yield from why_not_level(state, target, found)
    if UNITS[found.id].type in GUNS:
        yield from why_not_guns(state, found, german)
    else:
        yield from why_not_observed(state, found, german)


def why_not_observed(state: State, found: Unit, german: German) -> Iterator[Ruling]:
    """The tank is in the target's field of fire, or infantry there observes (8.4)."""
    if german.disrupted:
        yield rule(
            ("8.4#in-confusione", "casa.16#niente-cdf"),
            N_("{hex}: disrupted, no field of fire."),
            hex=german.hex,
        )
        return
    if found.at in field_of_fire(german):
        return
    watching = observers(state, german)
    commanded = bool(state.commanded.get(found.id))
    if not watching:
        yield rule("8.4#osservatore", N_("Nobody observes {hex}."), hex=german.hex)
    elif not commanded and not any(state.commanded.get(u.id) for u in watching):
        yield rule(
            "8.4#osservatore",
            N_("Neither {unit} nor its observers are under command."),
            unit=found.id,
        )


def why_not_guns(state: State, found: Unit, german: German) -> Iterator[Ruling]:
    """Artillery barrages under an HQ or command post (17.3)."""
    mine = hqs_of(state, found.id)
    if not mine:
        yield rule("17.3#hq", N_("No HQ or command post commands {unit}."), unit=found.id)
    if german.disrupted:
        yield rule(
            ("17.3#osservatore", "casa.16#niente-cdf"),
            N_("{hex}: disrupted, no field of fire."),
            hex=german.hex,
        )
    elif found.at not in field_of_fire(german):
        watching = observers(state, german)
        if not any(hq in hqs_of(state, u.id) for hq in mine for u in watching):
            yield rule(
                "17.3#osservatore", N_("No infantry of the same HQ observes {hex}."), hex=german.hex
            )
    if not UNITS[found.id].is_armored:
        for near, level in threats(state, found.at):
            yield rule(
                "17.3#non-corazzata",
                N_("{unit} lies under {level} fire of {position}."),
                unit=found.id,
                level=level,
                position=name_of(near),
            )


def why_no_barrage(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit has no target at all: every German unit in range, with what speaks against it."""
    near = [h for h in state.germans if distance(found.at, h) <= found.range]
    if not near:
        said = N_("{unit}: no German unit within its range of {n} hexes.")
        yield rule(
            (barrage_ref(found.id, "17.3#a-portata", "8.4#non-adiacente"), "8.11#gittata"),
            said,
            unit=found.id,
            n=found.range,
        )
    against = []
    for target in near:
        first = next(why_not_hit(state, found, target), None)
        if first is None:
            return
        against.append(first)
    yield from folded(against, "hex")


def barrage_ref(name: str, gun: str, tank: str) -> str:
    """The rule by which a unit barrages, for a gun or for a tank (8.4, 17.3)."""
    return gun if UNITS[name].type in GUNS else tank


def tell_observer(ctx: Ctx[State], found: Unit, german: German) -> None:
    """Who sees the target of a barrage, and who commands them (8.4, 17.3)."""
    state = ctx.state
    is_gun = UNITS[found.id].type in GUNS
    if found.at in field_of_fire(german):
        said = N_("{unit} is in the field of fire of {position} and needs no observer.")
        ref = barrage_ref(found.id, "17.3#osservatore", "8.4#nel-cdf")
        ctx.cite(ref, said, unit=found.id, position=name_of(german.hex))
        return
    for watching in observers(state, german):
        mine, others = state.commanded.get(found.id, ()), state.commanded.get(watching.id, ())
        leaders = (*mine, *others)
        if is_gun:
            leaders = tuple(hq for hq in hqs_of(state, found.id) if hq in others)
        if leaders:
            ctx.cite(
                "17.3#osservatore" if is_gun else "8.4#osservatore",
                N_("{observer} observes {position}, under command of {leader}."),
                observer=watching.id,
                position=name_of(german.hex),
                leader=leaders[0],
            )
            return


def barrage(ctx: Ctx[State], name: str) -> None:
    """One unit barrages one hex with a card of its own (8.4, 8.41, 17.3)."""
    state = ctx.state
    found = state.units[name]
    near = [h for h in state.germans if distance(found.at, h) <= found.range]
    target = ctx.choose(
        "barrage.target",
        US,
        [hex_choice(h) for h in near],
        ("8.4#non-adiacente", "8.41#una-per-volta"),
        N_("Which hex does {unit} barrage?"),
        why_not=lambda h: why_not_hit(state, found, h),
        unit=name,
    )
    if target not in state.barraged:
        ctx.do(Barraged(hex=target), "8.41#attacco-o-sbarramento")
    german = state.germans[target]
    tell_observer(ctx, found, german)
    card = draw_card(ctx, "barrage", barrage_ref(name, "17.3#carta", "8.4#carta"))
    colour = german.data.colour if german.is_armor else POSITION_AT[target].colour
    has_symbol = card.target == found.symbol
    has_colour = card.square(colour) is not None
    match = (
        "both"
        if has_symbol and has_colour
        else "symbol"
        if has_symbol
        else "colour"
        if has_colour
        else "neither"
    )
    depth = "yes" if german.depth else "no"
    row = next(r for r in CHARTS.barrage if r.match == match and r.depth in (depth, "any"))
    strength = found.strength
    band = 0 if strength <= 2 else 1 if strength <= 5 else 2
    result = row.results[band]
    cell = f"8.4#sbarramento/{CHARTS.barrage.index(row) + 1}/{BANDS[band]}"
    ctx.cite(
        (cell, "17.3#carta") if UNITS[name].type in GUNS else cell,
        N_("{unit} barrages {position}: {match}, strength {strength}, {result}"),
        unit=name,
        position=name_of(target),
        match=match,
        strength=strength,
        result=result,
    )
    hit(ctx, target, result, cell)


BANDS = ("Forza 1-2", "Forza 3-5", "Forza 6+")
"""The columns of the barrage chart as the text has them."""
MATCHES = (N_("neither"), N_("symbol"), N_("colour"), N_("both"))


def hit(ctx: Ctx[State], target: str, result: str, ref: str | tuple[str, ...]) -> None:
    """Disruption, and the loss of the marker where the table says so."""
    german = ctx.state.germans[target]
    if result == "depth removed" and german.depth:
        ctx.do(DepthGone(hex=target), ref)
    if result != "-" and not german.disrupted:
        ctx.do(GermanDisrupted(hex=target), ref)


# 8.5 Naval fire


def why_not_shell(state: State, target: str) -> Iterator[Ruling]:
    """Why ships cannot barrage a German hex (8.52, 8.53)."""
    german = state.germans[target]
    if target in state.attacked:
        yield rule("8.53", N_("{hex}: attacked in this phase."), hex=target)
    if not german.is_wn and not german.shown:
        yield rule("8.52#nascosto", N_("{hex}: a hidden reinforcement is no target."), hex=target)
    if german.disrupted:
        yield rule(
            ("8.52#nascosto", "casa.16#niente-cdf"),
            N_("{hex}: disrupted, no field of fire."),
            hex=german.hex,
        )
    elif not any(has_radio(state, u.id, target) for u in observers(state, german)):
        yield rule(
            "8.52#spendi",
            N_("No infantry with a radio or an HQ is in the field of fire of {hex}."),
            hex=target,
        )


def why_no_naval(state: State) -> Iterator[Ruling]:
    """Why no naval barrage is possible at all (8.52)."""
    against = []
    for target in state.germans:
        first = next(why_not_shell(state, target), None)
        if first is None:
            return
        against.append(first)
    yield from folded(against, "hex")
    if not against:
        yield rule("8.52#spendi", N_("No German hex is a target for the ships."))


def naval_barrage(ctx: Ctx[State]) -> None:
    """A marker disrupts a German unit and removes its depth marker, free (8.52, 8.53)."""
    state = ctx.state
    target = ctx.choose(
        "naval.target",
        US,
        [hex_choice(h) for h in state.germans],
        "8.52#spendi",
        N_("Which hex do the ships hit?"),
        why_not=lambda h: why_not_shell(state, h),
    )
    ctx.do(NavalMarker(n=state.naval - 1), ("8.52#spendi", "8.54"))
    if target not in state.barraged:
        ctx.do(Barraged(hex=target), "8.53")
    watching = observers(state, state.germans[target])
    ctx.cite(
        "8.52#spendi",
        N_("{observer} directs the ships by radio."),
        observer=next(u.id for u in watching if has_radio(state, u.id, target)),
    )
    hit(ctx, target, "depth removed", "8.52#effetto")
