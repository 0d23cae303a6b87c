"""Off-board artillery, an option: radio, battery access, spotting rounds, fire for effect (DaE2).

Refs: dae2, dae2.1, dae2.11, dae2.2, dae2.21, dae2.3, dae2.31, dae2.32, dae2.321, dae2.33,
dae2.34, dae2.35, dae2.4, dae2.5, dae2.51, dae2.52, dae2.53, dae2.54, dae2.55, dae2.6, dae2.7,
dae2.8, dae2.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from engine.aslsk.rules.firepower import gunshield, movement_drm
from engine.aslsk.rules.guns import may_hide
from engine.aslsk.rules.morale import (
    Effects,
    alive,
    apply_result,
    leader_losses,
    read_column,
    read_ift,
)
from engine.aslsk.rules.sight import los, sees
from engine.aslsk.rules.terrain import MORTAR, air_burst, cover
from engine.aslsk.rules.to_kill import Blast, att_on_vehicle, location_of
from engine.aslsk.state.book import DR, LATE_BOTH, ONE, both, drm, rule, total
from engine.aslsk.state.events import Flipped, Jammed, ObaSet, SmokePlaced
from engine.aslsk.state.ground import BUILDINGS, ORCHARD, WOODS
from engine.aslsk.state.state import (
    DFPH,
    FINAL,
    MAP,
    MPH,
    PFPH,
    PREP,
    Oba,
    State,
    Unit,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.state.tables import column, he_fp
from engine.aslsk.state.units import enemy_holds
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.hexes import DIRECTIONS, Hex, disk, distance
from engine.core.pools import Pool
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all

replace = msgspec.structs.replace
BLACK, RED = N_("black"), N_("red")
ORDERS = {
    "leave": ("lascia", N_("leave the SR")),
    "convert": ("converti", N_("FFE:1 in place")),
    "smoke": ("fumo", N_("smoke FFE:1 in place")),
    "both": ("correggi-converti", N_("correct and convert")),
    "both smoke": ("correggi-fumo", N_("correct and convert to smoke")),
    "correct": ("correggi", N_("correct the SR")),
    "cancel": ("cancella", N_("cancel the SR")),
}
"""What may be done with an SR: the option and its words (dae2.33)."""
TALL = (WOODS, *BUILDINGS, ORCHARD)
"""Terrain that stands a level above its hex (1.1.1)."""
MOST_FP = 36
SR_LIMIT = 18
FFE_LIMIT = 3


def _set(ctx: Ctx[State], what: str, refs: str | tuple[str, ...], **changes: Any) -> Oba:
    assert ctx.state.oba is not None
    changed = replace(ctx.state.oba, **changes)
    hex = changes.get("ffe") or changes.get("sr") or ""
    if hex in ctx.state.ground.hex:
        text = N_("{what} in {hex}")
        ctx.do(ObaSet(what=what, oba=changed), refs, text, what=what, hex=hex)
    else:
        ctx.do(ObaSet(what=what, oba=changed), refs)
    return changed


def observer(state: State) -> Unit | None:
    """The Good Order leader with a working radio (dae2.1)."""
    oba = state.oba
    if oba is None or oba.radio not in state.weapons:
        return None
    radio = state.weapons[oba.radio]
    if radio.place != MAP or radio.broken or not radio.owner:
        return None
    one = state.units[radio.owner]
    able = one.side == oba.side and one.is_leader and one.good_order
    return one if able and one.hex not in state.ground.is_off else None


def eye(state: State) -> str:
    """The hex that LOS is traced from: the observer's, or the off-board one (dae2.8)."""
    if state.oba is not None and state.oba.spot:
        return state.oba.spot
    one = observer(state)
    return one.hex if one is not None else ""


def lose_contact(ctx: Ctx[State]) -> None:
    """A radio without an observer in Good Order is out of contact at once (dae2.1)."""
    oba = ctx.state.oba
    if oba is not None and oba.contact and not oba.spot and observer(ctx.state) is None:
        _set(ctx, N_("contact is lost"), "dae2.1#perde", contact=False)


def _now(state: State) -> str:
    return f"{state.turn} {state.attacker} {state.phase}"


def oba_step(ctx: Ctx[State]) -> bool:
    """The battery acts once at the start of its PFPh or DFPh (dae2.1); False when it is done."""
    state = ctx.state
    oba = state.oba
    if oba is None or oba.side != state.who or oba.closed or oba.done_in == _now(state):
        return False
    _set(ctx, N_("the battery acts"), "dae2#batteria", done_in=_now(state))
    with ctx.under("dae2#batteria", N_("off-board artillery of {side}"), side=oba.side):
        _mission(ctx)
    return True


def _mission(ctx: Ctx[State]) -> None:
    lose_contact(ctx)
    if not eye(ctx.state) or not _contact(ctx):
        _unattended(ctx)
        return
    oba = ctx.state.oba
    assert oba is not None
    if not oba.sr and (not oba.ffe or oba.stage == "C"):
        _access(ctx)
    elif oba.ffe:
        _continue(ctx)
    else:
        _spotting(ctx)


def _contact(ctx: Ctx[State]) -> bool:
    """Radio contact, or its maintenance with -1 or -2 (dae2.1, dae2.11, dae2.8)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    if oba.spot:
        _set(ctx, N_("contact is automatic"), "dae2.8#automatici", contact=True)
        return True
    printed = state.weapons[oba.radio].data.contact
    bonus = (2 if oba.battalion else 1) if oba.contact else 0
    ref = "dae2.11#mantenere" if oba.contact else "dae2.1#dr"
    offers = [button("chiama", True, N_("call the battery")), button("passa", False, N_("no call"))]
    if not ctx.choose("oba.call", oba.side, offers, ref, N_("does the observer call?")):
        if oba.contact:
            _set(ctx, N_("contact is lost"), "dae2.11#perde", contact=False)
        return False
    number = ctx.tally(N_("contact"))
    number.add(printed, "dae2.1#dr", N_("contact number of {unit}"), unit=oba.radio)
    number.add(bonus, "dae2.11#mantenere", N_("contact is kept up"))
    need = int(number.total)
    rolled = ctx.roll(DR, total, ref, N_("radio contact: {number} or less"), number=need)
    if rolled == 12:
        ctx.do(Jammed(weapon=oba.radio), "dae2.1#dodici")
        _set(ctx, N_("contact is lost"), "dae2.1#dodici", contact=False)
        return False
    made = rolled <= need
    failed = "dae2.11#perde" if oba.contact else "dae2.1#dr"
    said = N_("contact") if made else N_("contact is lost")
    _set(ctx, said, ref if made else failed, contact=made)
    if made:
        marker = PREP if state.phase == PFPH else FINAL
        ctx.do(
            Flipped(unit=state.weapons[oba.radio].owner, marker=marker),
            ("dae2.1#azione", "dae2#batteria"),
        )
    return made


def _unattended(ctx: Ctx[State]) -> None:
    """Without contact the SR stays, FFE:2 goes on, FFE:C is removed (dae2.11).

    An observer who does not even see the blast loses the mission at once.
    """
    oba = ctx.state.oba
    assert oba is not None
    hex = oba.sr or oba.ffe
    if hex and eye(ctx.state) and not sees_blast(ctx.state, hex):
        _set(
            ctx,
            N_("the mission is cancelled"),
            "dae2.11#senza-los",
            access=False,
            sr="",
            ffe="",
            stage="",
        )
    elif oba.ffe and oba.stage == "2":
        resolve(ctx)
        _set(ctx, N_("FFE:C"), "dae2.11#senza-contatto", stage="C")
    elif oba.ffe:
        _cancel(ctx, "dae2.11#senza-contatto")


def sees_blast(state: State, hex: str) -> bool:
    """The blast is seen unless an adjacent obstacle not below hides it (dae2.32)."""
    field = state.ground
    origin = eye(state)
    if not origin or hex not in field.terrain:
        return False
    if origin == hex:
        return True
    fixed = field.los(origin, hex)
    if fixed.blocked is None:
        return True
    at = fixed.blocked.hex
    top = field.level[at] + (field.terrain[at] in TALL)
    return not (at in field.near[origin] and field.level[origin] <= top)


def _access(ctx: Ctx[State]) -> None:
    """A chit: black gives access, a second red ends it for good (dae2.2, dae2.21)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    if not oba.access or oba.stage == "C":
        if oba.drew == state.turn or not oba.pile.items:
            if oba.ffe:
                _cancel(ctx, "dae2.34#cancellata")
            return
        item = ctx.draw(oba.pile, ("dae2.2#pesca", "dae2.21"), N_("battery access"))
        _set(ctx, N_("a chit is drawn"), "dae2.21", pile=oba.pile.minus(item), drew=state.turn)
        if item == RED:
            gone = oba.reds + 1 >= 2
            _set(
                ctx,
                N_("no access"),
                "dae2.2#secondo-rosso" if gone else "dae2.2#rosso",
                reds=oba.reds + 1,
                access=False,
                closed=gone,
                sr="",
                ffe="",
                stage="",
            )
            return
        again = oba.stage == "C"
        _set(ctx, N_("access"), "dae2.2#nero", access=True)
        if again and _renew(ctx):
            return
    oba = ctx.state.oba
    assert oba is not None
    if oba.rockets:
        _rockets(ctx)
    else:
        _request(ctx)


def _renew(ctx: Ctx[State]) -> bool:
    """An FFE:C with new access becomes FFE:1 or an SR (dae2.34)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    hex = oba.ffe
    seen = sees_blast(state, hex)
    offers: list[Choice[str]] = [button("via", "", N_("remove it"))]
    if seen and enemy_near(state, hex):
        offers.append(button("ffe1", "HE", N_("FFE:1 in place")))
    if seen:
        offers.append(button("fumo", "smoke", N_("smoke FFE:1 in place")))
        offers.append(button("sr", "sr", N_("replace it with an SR")))
    chosen = ctx.choose(
        "oba.ffe-c", oba.side, offers, "dae2.34#se-ottieni", N_("what becomes of the FFE:C?")
    )
    if chosen in ("HE", "smoke"):
        _set(ctx, N_("FFE:1"), ("dae2.34#converti", "dae2.7#annuncia"), stage="1", kind=chosen)
        _open_fire(ctx)
        return True
    if chosen == "sr":
        _set(ctx, N_("SR"), "dae2.34#sr", sr=hex, ffe="", stage="")
        return True
    _set(ctx, N_("the FFE:C is removed"), "dae2.34#togli", ffe="", stage="")
    return False


def enemy_near(state: State, hex: str) -> bool:
    """A Known enemy in the hex or next to it, in the observer's LOS; HIP units do not count."""
    oba = state.oba
    assert oba is not None
    origin = eye(state)
    return any(
        enemy_holds(state, at, oba.side) and sees(state, origin, at)
        for at in (hex, *state.ground.near.get(hex, ()))
    )


def _request(ctx: Ctx[State]) -> None:
    """An AR in LOS, accuracy, and an SR (dae2.3, dae2.321)."""
    hex = _place_request(ctx, "dae2.3#metti")
    if hex:
        landed = _land(ctx, hex, 0, 99, False)
        ref = "dae2.3#preciso" if landed == hex else "dae2.3#altrove"
        _set(ctx, N_("SR"), (ref, "dae2.321"), sr=landed)


def _place_request(ctx: Ctx[State], ref: str) -> str:
    """The hex of the AR, if one is placed and the observer sees it (dae2.3)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    field = state.ground
    spots: list[Choice[str]] = [field.offer[h] for h in field.labels]
    spots.append(button("passa", "", N_("no AR")))
    hex = ctx.choose("oba.request", oba.side, spots, ref, N_("where is the AR placed?"))
    if hex and not sees(state, eye(state), hex):
        ctx.cite("dae2.3#fuori-los", N_("{hex} is out of LOS: the AR is removed"), hex=hex)
        return ""
    return hex


def accuracy_number(state: State, hex: str, extra: int) -> int:
    """The dr that is accurate: 2 less hindrances and distance (dae2.3, dae2.33)."""
    return sum(one.value for one in _accuracy(state, hex, extra))


def _accuracy(state: State, hex: str, extra: int) -> list[Modifier]:
    """What the dr of accuracy needs, line by line (dae2.3, dae2.33)."""
    lines = [drm(2, "dae2.3#preciso", N_("accuracy"))]
    for one in los(state, eye(state), hex).hindrance:
        lines.append(msgspec.structs.replace(one, value=-one.value))
    if extra:
        lines.append(drm(-extra, "dae2.33#accuratezza", N_("a long correction")))
    return lines


def _land(ctx: Ctx[State], hex: str, extra: int, limit: int, blind: bool) -> str:
    """Accuracy dr; an error goes by direction and distance (dae2.3, dae2.31, dae2.4)."""
    state = ctx.state
    number = accuracy_number(state, hex, extra)
    if not blind:
        add_all(ctx.tally(N_("accuracy")), _accuracy(state, hex, extra))
    if blind or number < 1:
        rockets = state.oba is not None and state.oba.rockets
        never = "dae2.9#niente-sr" if rockets else "dae2.4#mai"
        ctx.cite(never if blind else "dae2.3#hindrance", N_("accuracy is impossible"))
    else:

        def accurate(faces: tuple[int, ...]) -> bool:
            return faces[0] <= number

        if ctx.roll(
            ONE, accurate, "dae2.3#preciso", N_("accuracy: {number} or less"), number=number
        ):
            return hex
    coloured, white = ctx.roll(DR, both, ("dae2.31#dr", "1.4#errore"), N_("error of the round"))
    if white > limit:
        ctx.cite("dae2.4#limite", N_("the error is limited to {n}"), n=limit)
    landed = stray(state, hex, coloured, min(white, limit))
    if landed not in state.ground.hex:
        ctx.cite(("dae2.32#fuori-mappa", "casa.53#resta"), N_("the round falls off the map"))
    return landed


def stray(state: State, hex: str, direction: int, length: int) -> str:
    """The place that lies so far in a direction, 1 being north, even off the map (dae2.31)."""
    q, r = state.ground.spot(hex)
    dq, dr = DIRECTIONS[direction - 1]
    return state.ground.name(Hex(q + dq * length, r + dr * length))


def error_limit(moved: int) -> int:
    """One hex of error for every three of correction, rounded up (dae2.4)."""
    return max(1, -(-moved // 3))


def _spotting(ctx: Ctx[State]) -> None:
    """An SR is left, corrected, converted, or corrected and converted (dae2.33)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    seen = sees_blast(state, oba.sr)
    if not seen:
        ctx.cite("dae2.32#nasconde", N_("the blast is hidden from the observer"))
    offers = [button(name, order, text) for order, (name, text) in ORDERS.items()]
    chosen = ctx.choose(
        "oba.sr",
        oba.side,
        offers,
        "dae2.33#devi",
        N_("what becomes of the SR?"),
        why_not=lambda order: why_not_order(state, order),
    )
    ctx.cite(_allows(chosen, seen), N_("the observer decides: {option}"), option=ORDERS[chosen][1])
    if chosen == "leave":
        return
    if chosen == "cancel":
        _set(ctx, N_("the SR is cancelled"), ("dae2.35#sr", "dae2.33#cancellare"), sr="")
        _request(ctx)
    elif chosen in ("convert", "smoke"):
        kind = "smoke" if chosen == "smoke" else "HE"
        refs = (_allows(chosen, seen), "dae2.7#annuncia")
        _set(ctx, N_("FFE:1"), refs, ffe=oba.sr, sr="", stage="1", kind=kind)
        _open_fire(ctx)
    else:
        kind = {"both": "HE", "both smoke": "smoke"}.get(chosen, "")
        _correct(ctx, oba.sr, SR_LIMIT, not seen, kind)


def _allows(order: str, seen: bool) -> str:
    """What lets the observer do so with the SR (dae2.33)."""
    known = {"convert": "dae2.33#nemico", "smoke": "dae2.33#fumo", "cancel": "dae2.33#cancellare"}
    return known.get(order, "dae2.33#vedi" if seen else "dae2.33#non-vedi")


def why_not_order(state: State, order: str) -> Iterator[Ruling]:
    """What may not be done with the SR: a hidden blast is corrected or cancelled (dae2.33)."""
    oba = state.oba
    assert oba is not None
    if order in ("correct", "cancel"):
        return
    if not sees_blast(state, oba.sr):
        yield rule(
            ("dae2.33#non-vedi", "dae2.32#nasconde"), N_("the blast is hidden from the observer")
        )
    elif order == "convert" and not enemy_near(state, oba.sr):
        yield rule(
            "dae2.33#nemico", N_("the observer sees no enemy in {hex} or next to it"), hex=oba.sr
        )
    if order == "both" and not any(
        enemy_near(state, hex) for hex in within(state, oba.sr, SR_LIMIT)
    ):
        yield rule("dae2.33#vedi", N_("no enemy in sight is within {n} hexes"), n=SR_LIMIT)


def within(state: State, start: str, limit: int) -> list[str]:
    """The hexes to which an SR or FFE:2 may be corrected (dae2.4)."""
    field = state.ground
    place_ = field.spot(start)
    return [h for h in field.labels if 0 < distance(place_, field.hex[h]) <= limit]


def _correct(ctx: Ctx[State], start: str, limit: int, blind: bool, convert: str) -> None:
    """Move the SR or FFE:2 and roll for accuracy (dae2.4, dae2.33)."""
    state = ctx.state
    field = state.ground
    oba = state.oba
    assert oba is not None
    near = within(state, start, limit)
    if convert == "HE" or (oba.ffe and oba.kind == "HE"):
        near = [h for h in near if enemy_near(state, h)]
    hex = ctx.choose(
        "oba.correction",
        oba.side,
        (field.offer[h] for h in near),
        "dae2.4#sposti",
        N_("where does the fire go?"),
    )
    if not sees(state, eye(state), hex):
        ctx.cite("dae2.3#fuori-los", N_("{hex} is out of LOS: the AR is removed"), hex=hex)
        if oba.ffe:
            _cancel(ctx, "dae2.3#fuori-los")
        return
    moved = distance(field.spot(start), field.hex[hex])
    extra = 0
    if convert:
        extra = 2 if moved > 12 else 1 if moved > 6 else 0
    landed = _land(ctx, hex, extra, 99 if blind else error_limit(moved), blind)
    if oba.ffe:
        _set(ctx, N_("the FFE:2 moves"), "dae2.4#sposti", ffe=landed)
    elif convert:
        refs = ("dae2.33#vedi", "dae2.7#annuncia")
        _set(ctx, N_("FFE:1"), refs, ffe=landed, sr="", stage="1", kind=convert)
        _open_fire(ctx)
    else:
        _set(ctx, N_("the SR moves"), ("dae2.4#sposti", "dae2.321"), sr=landed)


def _continue(ctx: Ctx[State]) -> None:
    """An FFE:2 is left, corrected or cancelled, then resolved (dae2.33, dae2.35)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    seen = sees_blast(state, oba.ffe)
    if oba.rockets and not seen:
        _cancel(ctx, "dae2.9#seguente")
        return
    offers = [
        button("lascia", "leave", N_("leave the FFE:2")),
        button("correggi", "correct", N_("correct the FFE:2")),
        button("cancella", "cancel", N_("cancel the FFE")),
    ]
    chosen = ctx.choose(
        "oba.ffe-2",
        oba.side,
        offers,
        "dae2.33#devi",
        N_("what becomes of the FFE:2?"),
        why_not=lambda order: why_not_go_on(state, order),
    )
    if chosen == "cancel":
        _cancel(ctx, "dae2.35#ffe")
        return
    if chosen == "correct":
        _correct(ctx, oba.ffe, FFE_LIMIT, not seen, "")
    now = ctx.state.oba
    if now is not None and now.ffe:
        resolve(ctx)
        _set(ctx, N_("FFE:C"), "dae2.5#risolve", stage="C", access=False)


def why_not_go_on(state: State, order: str) -> Iterator[Ruling]:
    """What may not be done with the FFE:2: HE goes only next to a Known enemy (dae2.33, dae2.4)."""
    oba = state.oba
    assert oba is not None
    if order == "leave" and not sees_blast(state, oba.ffe):
        yield rule(
            ("dae2.33#non-vedi", "dae2.32#nasconde"), N_("the blast is hidden from the observer")
        )
    if order != "correct":
        return
    if oba.rockets:
        yield rule("dae2.9#niente-sr", N_("rockets are never corrected"))
    elif oba.kind == "HE" and not any(
        enemy_near(state, hex) for hex in within(state, oba.ffe, FFE_LIMIT)
    ):
        yield rule("dae2.4#nemico", N_("no enemy in sight is within {n} hexes"), n=FFE_LIMIT)


def _cancel(ctx: Ctx[State], ref: str) -> None:
    _set(ctx, N_("the FFE is cancelled"), (ref, "dae2.35#ffe"), ffe="", stage="", access=False)


def _rockets(ctx: Ctx[State]) -> None:
    """Rockets: no SR, no accuracy, one mission (dae2.9)."""
    hex = _place_request(ctx, "dae2.9#niente-sr")
    if not hex:
        return
    landed = _land(ctx, hex, 0, 99, True)
    _set(ctx, N_("FFE:1"), "dae2.9#niente-sr", ffe=landed, stage="1", kind="HE", pile=Pool(BLACK))
    _open_fire(ctx)


def _open_fire(ctx: Ctx[State]) -> None:
    """FFE:1 is resolved and becomes FFE:2 (dae2.5)."""
    resolve(ctx)
    _set(ctx, N_("FFE:2"), "dae2.5#risolve", stage="2")


# Resolution


def area(state: State) -> list[str]:
    """Seven hexes, rockets a radius of two; only those on the map (dae2.5, dae2.9, dae2.32)."""
    oba = state.oba
    if oba is None or not oba.ffe:
        return []
    field = state.ground
    hexes = disk(field.spot(oba.ffe), 2 if oba.rockets else 1)
    return [field.at[h] for h in hexes if h in field.at and field.at[h] not in field.is_off]


def resolve(ctx: Ctx[State]) -> None:
    """Every hex has its own DR at the full FP of the calibre (dae2.5, dae2.55)."""
    oba = ctx.state.oba
    assert oba is not None
    if oba.kind == "smoke":
        early = ctx.state.phase == PFPH
        for hex in area(ctx.state):
            kind = "full" if early else "dispersed"
            ctx.do(
                SmokePlaced(hex=hex, value=3 if early else 2, kind=kind, side=oba.side),
                "dae2.7#mette",
            )
        return
    for hex in area(ctx.state):
        people = [u.id for u in units_at(ctx.state, hex)]
        tanks = [v.id for v in vehicles_at(ctx.state, hex) if v.is_live]
        if people or tanks or may_hide(ctx.state, hex):
            strike_hex(ctx, hex, people, tanks, False)


def strike_hex(
    ctx: Ctx[State], hex: str, people: Sequence[str], tanks: Sequence[str], moving: bool
) -> None:
    """One hex under fire (dae2.5, dae2.52, dae2.53, dae2.54)."""
    state = ctx.state
    oba = state.oba
    assert oba is not None
    entered = state.phase not in (PFPH, DFPH)
    with ctx.under(
        "dae2.51#entra" if entered else "dae2.5#ogni-esagono",
        N_("the barrage strikes {hex}"),
        hex=hex,
    ):
        coloured, white = ctx.roll(
            DR, LATE_BOTH, "dae2.5#ogni-esagono", N_("the barrage on {hex}"), hex=hex
        )
        rolled = coloured + white
        critical = rolled == 2
        fp = _tell_fp(ctx, oba.calibre, hex, critical)
        effects = Effects()
        barrage = Barrage(column(fp), rolled, critical, moving)
        _strike_people(ctx, people, barrage, effects)
        blast = Blast(fp, rolled, location_of(coloured, white), critical, MORTAR)
        for name in tanks:
            if ctx.state.vehicles[name].is_live:
                att_on_vehicle(ctx, name, blast)
        leader_losses(ctx, effects)


def _tell_fp(ctx: Ctx[State], calibre: int, hex: str, critical: bool) -> Fraction:
    """The FP of a barrage, twice as much with a CH, and its column (dae2.5)."""
    fp = ctx.tally(N_("FP"))
    refs = ("dae2.5#ogni-esagono", "3.2.4.effect_infantry#calibro")
    fp.add(he_fp(calibre), refs, N_("FP of {calibre} mm"), calibre=calibre)
    if critical:
        fp.times(2, "dae2.5#ch", N_("Critical Hit in {hex}"), hex=hex)
        if fp.total > MOST_FP:
            fp.set(MOST_FP, "dae2.5#ch", N_("no more than that"))
    read_column(ctx, fp)
    return Fraction(fp.total)


class Barrage(msgspec.Struct, frozen=True):
    """The DR of a barrage on a hex: its column, whether it is critical, whether it meets movers."""

    column: int
    rolled: int
    critical: bool
    moving: bool


def _strike_people(
    ctx: Ctx[State], people: Sequence[str], barrage: Barrage, effects: Effects
) -> None:
    """One DR for the hex; whoever has equal DRM and side shares one result (3.2.3, dae2.5)."""
    oba = ctx.state.oba
    assert oba is not None
    groups: dict[tuple[int, bool], list[str]] = {}
    lines: dict[tuple[int, bool], list[Modifier]] = {}
    for name in alive(ctx.state, people):
        one = ctx.state.units[name]
        found = barrage_drm(ctx.state, one, barrage.critical, barrage.moving)
        key = (sum(line.value for line in found), one.side == oba.side)
        lines.setdefault(key, found)
        groups.setdefault(key, []).append(name)
    for (change, own), names in groups.items():
        final = barrage.rolled + change
        result = read_ift(barrage.column, final, change)
        struck = [n for n in names if result.text != "-" or not ctx.state.units[n].hidden]
        if not struck:
            continue
        if any(ctx.state.units[n].hidden for n in struck):
            ctx.cite("dae2.55", N_("not halved against a hidden unit"))
        add_all(ctx.tally(N_("DRM")), lines[change, own])
        text = N_("{unit}: final DR {dr}: {result}")
        for name in struck:
            ctx.cite("dae2.5#ogni-esagono", text, unit=name, dr=final, result=result.text)
        apply_result(ctx, result, struck, [], effects)


def barrage_drm(state: State, one: Unit, critical: bool, moving: bool) -> list[Modifier]:
    """TEM, Air Burst, gunshield +1; no height advantage, no hindrance (dae2.52)."""
    found: list[Modifier] = []
    tem = cover(state, one, "", MORTAR)
    shield = gunshield(state, one, (), MORTAR)
    if tem is not None:
        value = -tem.value if critical else tem.value
        found.append(drm(value, "dae2.52", N_("TEM of {hex}"), hex=one.hex))
    elif shield is not None:
        found.append(drm(1, "dae2.52", N_("gunshield of {unit}"), unit=one.id))
    burst = air_burst(state.ground, one.hex, MORTAR)
    if burst is not None:
        found.append(burst)
    if one.hazard and not one.pinned:
        found.append(drm(-2, "6.5#azzardato", N_("{unit} moves hazardously"), unit=one.id))
    elif moving and not one.pinned:
        found += movement_drm(state, one, [""], MORTAR, False)
    flames = sum(w.data.kind == "ft" for w in weapons_of(state, one.id))
    if flames:
        found.append(drm(-flames, "4.2#pericolo", N_("{unit} has a FT"), unit=one.id))
    return found


def burning(state: State) -> list[str]:
    """The hexes where an HE FFE strikes whoever enters (dae2.51)."""
    oba = state.oba
    if oba is None or oba.kind != "HE" or oba.stage not in ("2", "C"):
        return []
    return area(state)


def _burning(state: State, hex: str) -> bool:
    return hex in burning(state)


def barrage_on_entry(ctx: Ctx[State]) -> None:
    """Movers that enter a blast area are attacked there (dae2.51)."""
    mover = ctx.state.mover
    if mover is None or mover.act not in ("enter", "push") or ctx.state.phase != MPH:
        return
    names = [ctx.state.units.get(n) or ctx.state.vehicles[n] for n in mover.units]
    hex = next((one.hex for one in names if one.hex), "")
    if not _burning(ctx.state, hex):
        return
    people = [n for n in mover.units if n in ctx.state.units and ctx.state.units[n].place == MAP]
    tanks = [n for n in mover.units if n in ctx.state.vehicles]
    strike_hex(ctx, hex, people, tanks, True)


def barrage_on_rout(ctx: Ctx[State], name: str) -> bool:
    """A router in a blast area is attacked instead of interdicted (dae2.51, dae2.6)."""
    one = ctx.state.units[name]
    if one.place != MAP or not _burning(ctx.state, one.hex):
        return False
    ctx.cite("dae2.6", N_("{unit} routs through the barrage"), unit=name)
    strike_hex(ctx, one.hex, [name], [], False)
    return True


def barrage_on_advance(ctx: Ctx[State], name: str) -> None:
    """Whoever advances into a blast area is attacked (dae2.51)."""
    one = ctx.state.units[name]
    if one.place == MAP and _burning(ctx.state, one.hex):
        strike_hex(ctx, one.hex, [name], [], False)


def position_oba(state: State, given: Mapping[str, Any]) -> State:
    """The battery of an example file: `oba: {lato, calibro, radio, contatto, sr, …}`."""
    facts = given.get("oba")
    if not facts:
        return state
    chits = [BLACK] * int(facts.get("neri", 6)) + [RED] * int(facts.get("rossi", 3))
    oba = Oba(
        side=str(facts["lato"]),
        calibre=int(facts.get("calibro", 105)),
        pile=Pool.of(N_("draw pile"), chits),
        radio=str(facts.get("radio", "")),
        contact=facts.get("contatto", "no") == "si",
        access=facts.get("accesso", "no") == "si",
        sr=str(facts.get("sr", "")),
        ffe=str(facts.get("ffe", "")),
        stage=str(facts.get("stadio", "")),
        kind=str(facts.get("tipo", "HE")),
        spot=str(facts.get("osservatore", "")),
        rockets=facts.get("razzi", "no") == "si",
        battalion=facts.get("battaglione", "no") == "si",
    )
    return replace(state, oba=oba)
