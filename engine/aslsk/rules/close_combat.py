"""Close Combat: ambush, odds, vehicles, Melee (3.8, 5.3).

Refs: 2.0.cc, 2.0.melee, 3.8, 3.8.odds, 3.8.smc, 3.8.ambush, 3.8.sequential, 3.8.ccv,
3.8.afv_attack, 3.8.sn_attack, 3.8.melee, 3.8.vehicle_melee, 5.3, casa.04, casa.06, casa.36.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import msgspec

from engine.aslsk.rules.morale import (
    Effects,
    apply_result,
    eliminate,
    level,
    pick,
    read_ift,
    reduce_unit,
    tell_column,
)
from engine.aslsk.rules.rally import create_leader
from engine.aslsk.rules.to_kill import destroy
from engine.aslsk.state.book import DR, LATE_TOTAL, ONE, drm, rule, single
from engine.aslsk.state.events import CcSet, Cleared, Joined, Marked, Settled
from engine.aslsk.state.ground import BUILDINGS, WOODS
from engine.aslsk.state.state import (
    MAP,
    MELEE,
    CcAttack,
    CloseCombat,
    State,
    Unit,
    Vehicle,
    noted,
    stacks,
    units_at,
    vehicles_at,
)
from engine.aslsk.state.tables import CREW, HS, SQUAD, THREE_TO_TWO, kill_number, odds_column, other
from engine.aslsk.state.units import is_inexperienced
from engine.aslsk.state.vehicle_events import AttackedInCc, Immobilized
from engine.core.ctx import Ctx, exact
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all

replace = msgspec.structs.replace
SN_SINCE = "1944-07"
IFE_IN_CC = 20


def fighters(state: State, hex: str, side: Side) -> list[Unit]:
    """The infantry of a side in a hex."""
    return [u for u in units_at(state, hex) if u.side == side]


def tanks(state: State, hex: str, side: Side) -> list[Vehicle]:
    """The live vehicles of a side in a hex."""
    return [v for v in vehicles_at(state, hex) if v.side == side and v.is_live]


def contested(state: State) -> list[str]:
    """Hexes where somebody could attack somebody (3.8)."""
    one, two = state.sides
    found = []
    for hex, group in stacks(state).items():
        if f"cc {hex}" in state.settled or hex in state.ground.is_off:
            continue
        sides = {u.side for u in group}
        enemies = len(sides) == 2 or any(tanks(state, hex, state.enemy(side)) for side in sides)
        if enemies and any(can_attack(state, hex, side) for side in (one, two)):
            found.append(hex)
    return found


def can_attack(state: State, hex: str, side: Side) -> bool:
    """Whether a side has anybody able to attack in the hex."""
    foes = fighters(state, hex, state.enemy(side))
    if any(not u.broken for u in fighters(state, hex, side)):
        return bool(foes or tanks(state, hex, state.enemy(side)))
    return bool(foes) and any(_weapons(state, v) for v in tanks(state, hex, side))


def close_combat(ctx: Ctx[State]) -> bool:
    """One hex after the other, in the ATTACKER's order (3.8)."""
    state = ctx.state
    if state.cc is not None:
        fight(ctx)
        return True
    hexes = contested(state)
    if not hexes:
        return False
    hex = hexes[0]
    if len(hexes) > 1:
        choices = [state.ground.offer[h] for h in hexes]
        hex = ctx.choose(
            "cc.hex",
            state.attacker,
            choices,
            ("3.8#ordine", "2.0.cc#combattimento"),
            N_("which CC is fought?"),
        )
    ctx.do(
        CcSet(what=N_("CC begins"), cc=CloseCombat(hex)),
        "3.8#stesso-esagono",
        N_("CC in {hex}"),
        hex=hex,
    )
    join_leaders(ctx, hex)
    ambush(ctx, hex)
    begin(ctx, hex)
    return True


def join_leaders(ctx: Ctx[State], hex: str) -> None:
    """SMC join a MMC of theirs, or another SMC if there is none, or fight alone (3.8.smc)."""
    for one in list(units_at(ctx.state, hex)):
        mates = [u for u in fighters(ctx.state, hex, one.side) if u.is_mmc]
        if not mates and one.is_leader:
            mates = _other_leaders(ctx.state, one)
        if not one.is_leader or not mates:
            continue
        name = mates[0].id
        if len(mates) > 1 or not one.broken:
            choices: list[Choice[str]] = [unit(u.id, u.id, N_("with {unit}")) for u in mates]
            choices.append(button("solo", "", N_("alone")))
            name = ctx.choose(
                "cc.join",
                one.side,
                choices,
                "3.8.smc#unirsi",
                N_("whom does {unit} join?"),
                unit=one.id,
            )
        if name:
            ctx.do(Joined(unit=one.id, mate=name), "3.8.smc#unirsi")


def _other_leaders(state: State, one: Unit) -> list[Unit]:
    """SMC without a MMC may fight together; whoever is joined joins nobody (3.8.smc)."""
    mine = fighters(state, one.hex, one.side)
    if one.broken or any(u.joined == one.id for u in mine):
        return []
    return [u for u in mine if u.id != one.id and not u.broken and not u.joined]


def ambush(ctx: Ctx[State], hex: str) -> None:
    """Advancing into woods or a building may mean an ambush (3.8.ambush)."""
    state = ctx.state
    if not is_ambush_possible(state, hex):
        return
    sides = (state.attacker, state.defender)
    rolls = [
        ambush_drm(ctx, hex, side)
        + ctx.roll(ONE, single, "3.8.ambush#dr", N_("ambush dr of {side}"), side=side)
        for side in sides
    ]
    winner = ""
    if rolls[0] + 3 <= rolls[1]:
        winner = sides[0]
    elif rolls[1] + 3 <= rolls[0]:
        winner = sides[1]
    if winner:
        now = ctx.state.cc
        assert now is not None
        won = CcSet(what=N_("an ambush succeeds"), cc=replace(now, ambusher=winner))
        low, high = sorted(rolls)
        text = N_("{side} ambushes: {low} against {high}")
        ctx.do(won, "3.8.ambush#dr", text, side=winner, low=low, high=high)
    else:
        low, high = sorted(rolls)
        text = N_("no ambush: {low} against {high}, less than 3 apart")
        ctx.cite("3.8.ambush#dr", text, low=low, high=high)


def is_ambush_possible(state: State, hex: str) -> bool:
    """Whether somebody advanced on an enemy in woods or a building without Melee (3.8.ambush)."""
    group = units_at(state, hex)
    terrain = state.ground.terrain[hex]
    came = any(u.cc for u in group)
    if (terrain != WOODS and terrain not in BUILDINGS) or not came or any(u.melee for u in group):
        return False
    sides = (state.attacker, state.defender)
    return all(fighters(state, hex, side) or tanks(state, hex, side) for side in sides)


def ambush_drm(ctx: Ctx[State], hex: str, side: Side) -> int:
    """CX, pinned, inexperienced +1 each; the best leader not alone (3.8.ambush)."""
    state = ctx.state
    mine = fighters(state, hex, side)
    tally = ctx.tally(N_("ambush drm"))
    if any(u.cx for u in mine):
        tally.add(1, ("3.8.ambush#drm", "3.3.1.double_time#cx-dr"), N_("CX"))
    if any(u.pinned for u in mine):
        tally.add(1, ("3.8.ambush#drm", "3.2.3.pinned#cc"), N_("Pin"))
    if any(is_inexperienced(state, u) for u in mine):
        tally.add(1, ("3.8.ambush#drm", "5.4#ambush"), N_("inexperienced"))
    leaders = [u for u in mine if u.is_leader and not u.broken and not u.pinned]
    if leaders and len(mine) > 1:
        best = min(leaders, key=lambda u: u.leadership)
        tally.add(best.leadership, "3.8.ambush#drm", N_("{unit} leads"), unit=best.id)
    return int(tally.total)


def is_sequential(state: State, hex: str) -> bool:
    """A vehicle in the hex makes attacks alternate (3.8.sequential)."""
    return any(v.is_live for v in vehicles_at(state, hex))


def begin(ctx: Ctx[State], hex: str) -> None:
    """Who goes first (3.8, 3.8.sequential, casa.36)."""
    state = ctx.state
    cc = state.cc
    assert cc is not None
    first = state.attacker
    ref = "3.8#attaccante-dichiara"
    if cc.ambusher:
        first, ref = cc.ambusher, "casa.36"
    elif is_sequential(state, hex) and tanks(state, hex, state.attacker):
        ref = "3.8.sequential#entrambi"
        if not tanks(state, hex, state.defender):
            first, ref = state.defender, "3.8.sequential#comincia"
    elif is_sequential(state, hex):
        ref = "3.8.sequential#comincia"
    snapshot = {u.id: u for u in units_at(state, hex)}
    begun = replace(cc, rolled=True, turn=first, snapshot=snapshot)
    ctx.do(CcSet(what=N_("attacks are declared"), cc=begun), ref)


def fight(ctx: Ctx[State]) -> None:
    """The next declaration or resolution."""
    state = ctx.state
    cc = state.cc
    assert cc is not None
    at_once = is_at_once(state, cc)
    if len(cc.passed) == 2:
        if not at_once:
            together(ctx, cc)
        now = ctx.state.cc
        assert now is not None
        finish(ctx, now)
        return
    side = cc.turn
    attack_or_none = declare(ctx, side, cc)
    if attack_or_none is None:
        passed = (*cc.passed, side)
        nxt = state.enemy(side) if len(passed) < 2 else side
        ctx.do(
            CcSet(what=N_("a side declares no more"), cc=replace(cc, passed=passed, turn=nxt)),
            "3.8#una-volta",
            N_("{side} declares no more attacks in CC"),
            side=side,
        )
        return
    attack = attack_or_none
    after = replace(
        cc,
        acted=(*cc.acted, *attack.attackers),
        hit=(*cc.hit, *attack.targets),
    )
    if not at_once:
        after = replace(after, declared=(*cc.declared, attack))
        text = N_("CC declared: {unit} against {target}")
        whom = {"unit": attack.attackers, "target": attack.targets}
        ctx.do(
            CcSet(what=N_("an attack is declared"), cc=after),
            "3.8#attaccante-dichiara" if side == state.attacker else "3.8#difensore-dichiara",
            text,
            **whom,
        )
        return
    if not cc.ambusher and state.enemy(side) not in cc.passed:
        after = replace(after, turn=state.enemy(side))
    ctx.do(
        CcSet(what=N_("an attack is made"), cc=after),
        "3.8.sequential#uno-alla-volta" if not cc.ambusher else "casa.36",
        N_("CC: {unit} against {target}"),
        unit=attack.attackers,
        target=attack.targets,
    )
    resolve(ctx, attack, after)


def is_at_once(state: State, cc: CloseCombat) -> bool:
    """Whether attacks are resolved one by one, and not together (3.8.ambush, 3.8.sequential)."""
    return bool(cc.ambusher) or is_sequential(state, cc.hex) or _had_vehicle(state, cc)


def _had_vehicle(state: State, cc: CloseCombat) -> bool:
    return any(":" in name for name in cc.acted) or any(n in state.vehicles for n in cc.hit)


# Declaring


def members(state: State, name: str) -> list[str]:
    """A MMC with the SMC that joined it, or a vehicle (3.8.smc)."""
    return [name] + [u.id for u in state.units.values() if u.joined == name and u.place == MAP]


def _attackers(state: State, name: str) -> list[str]:
    """Who attacks with it: a broken SMC defends with his MMC but does not attack (3.8)."""
    if name not in state.units:
        return [name]
    return [n for n in members(state, name) if not state.units[n].broken]


def _weapons(state: State, v: Vehicle) -> list[str]:
    """What a vehicle may use in CC (3.8.afv_attack, casa.06)."""
    if v.crew.shock or v.crew.stun:
        return []
    data = v.data
    found = []
    if data.aamg and v.crew.ce:
        found.append("aamg")
    if data.cmg and not (data.is_restricted and v.crew.ce) and data.is_turreted:
        found.append("cmg")
    if data.rmg:
        found.append("rmg")
    if data.ife and data.calibre <= IFE_IN_CC and data.is_turreted and not v.arms.ma:
        found.append("ife")
    if data.smoke.get("sN") and not v.crew.ce and state.date >= SN_SINCE:
        found.append("sn")
    return [part for part in found if part not in v.arms.broken and part not in v.arms.lost]


def declare(ctx: Ctx[State], side: Side, cc: CloseCombat) -> CcAttack | None:
    """One attack: who, against whom (3.8)."""
    state = ctx.state
    names = _fighting(state, cc.hex, side)
    able = [n for n in names if next(why_not_attack(state, cc, n, side), None) is None]
    foe = state.enemy(side)
    targets = [u.id for u in fighters(state, cc.hex, foe)]
    targets += [v.id for v in tanks(state, cc.hex, foe)]
    hittable = [n for n in targets if next(why_not_hit(state, cc, n), None) is None]
    if not able or not hittable:
        return None
    choices: list[Choice[str]] = [unit(n, n, N_("{unit} attacks")) for n in names]
    choices.append(button("passa", "", N_("no more attacks")))
    first = ctx.choose(
        "cc.attacker",
        side,
        choices,
        ("3.8#una-volta", "2.0.cc#combattimento"),
        N_("who attacks in {hex}?"),
        why_not=lambda n: why_not_attack(state, cc, n, side) if n else None,
        hex=cc.hex,
    )
    if not first:
        return None
    victim = ctx.choose(
        "cc.target",
        side,
        [unit(n, n, N_("against {unit}")) for n in targets],
        "3.8#una-volta",
        N_("whom does {unit} attack?"),
        why_not=lambda n: why_not_victim(state, cc, n, first),
        unit=first,
    )
    if victim not in state.units:
        return CcAttack(side, tuple(_attackers(state, first)), (victim,))
    if first.endswith(":sn"):
        return CcAttack(side, tuple(_attackers(state, first)), tuple(members(state, victim)))
    return _widen(ctx, side, first, victim, able, hittable)


def _fighting(state: State, hex: str, side: Side) -> list[str]:
    """What a side attacks with in a hex: its infantry and the weapons of its vehicles (3.8)."""
    guns = [f"{v.id}:{part}" for v in tanks(state, hex, side) for part in _weapons(state, v)]
    return [*[u.id for u in fighters(state, hex, side)], *guns]


def _widen(
    ctx: Ctx[State],
    side: Side,
    first: str,
    victim: str,
    able: Sequence[str],
    hittable: Sequence[str],
) -> CcAttack:
    """Others may attack too, and be attacked (3.8)."""
    state = ctx.state
    group, hit = _attackers(state, first), members(state, victim)
    while True:
        more = [
            n
            for n in able
            if n not in group and (":" in n) == (":" in first) and not _is_joined(state, n)
        ]
        also = [
            n for n in hittable if n not in hit and n in state.units and not _is_joined(state, n)
        ]
        if not more and not also:
            break
        offers: list[Choice[str]] = [button("attacca", "", N_("attack"))]
        offers += [unit(n, n, N_("{unit} attacks too")) for n in more]
        offers += [unit(n, n, N_("{unit} is attacked too")) for n in also]
        pick_ = ctx.choose("cc.more", side, offers, "3.8#unite", N_("who else?"))
        if not pick_:
            break
        if pick_ in more:
            group += _attackers(state, pick_)
        else:
            hit += members(state, pick_)
    return CcAttack(side, tuple(group), tuple(hit))


def _is_joined(state: State, name: str) -> bool:
    return name in state.units and bool(state.units[name].joined)


def why_not_attack(state: State, cc: CloseCombat, name: str, side: Side) -> Iterator[Ruling]:
    """Broken units do not attack; each attacks once (3.8)."""
    if name in cc.acted:
        yield rule("3.8#una-volta", N_("{unit} has attacked"), unit=name)
    if name in state.units:
        one = state.units[name]
        if one.broken:
            yield rule("3.8#broken", N_("{unit} is broken"), unit=name)
        if one.joined:
            yield rule(
                "3.8.smc#unirsi", N_("{unit} fights with {other}"), unit=name, other=one.joined
            )
        return
    vehicle, _, part = name.partition(":")
    if not fighters(state, cc.hex, state.enemy(side)):
        yield rule("3.8.afv_attack#fra-loro", N_("AFV do not attack each other in CC"))
    if part == "sn" and not (state.vehicles[vehicle].marks.attacked or cc.ambusher == side):
        yield rule("3.8.sn_attack#quando", N_("{unit} has not been attacked yet"), unit=vehicle)


def why_not_hit(state: State, cc: CloseCombat, name: str) -> Iterator[Ruling]:
    """Each is attacked at most once; vehicles by several attacks (3.8, 3.8.ccv)."""
    if name in state.units:
        if name in cc.hit:
            yield rule("3.8#una-volta", N_("{unit} has been attacked"), unit=name)
        if state.units[name].joined:
            other_ = state.units[name].joined
            yield rule("3.8.smc#unirsi", N_("{unit} defends with {other}"), unit=name, other=other_)


def why_not_victim(state: State, cc: CloseCombat, name: str, first: str) -> Iterator[Ruling]:
    """Vehicles attack infantry only (3.8.afv_attack)."""
    yield from why_not_hit(state, cc, name)
    if ":" in first and name in state.vehicles:
        yield rule("3.8.afv_attack#fra-loro", N_("AFV do not attack each other in CC"))


# Resolving


def resolve(ctx: Ctx[State], attack: CcAttack, cc: CloseCombat) -> None:
    """An attack against infantry or against a vehicle."""
    with ctx.under("3.8#stesso-esagono", N_("{side} attacks in CC"), side=attack.side):
        target = attack.targets[0]
        if target in ctx.state.vehicles:
            against_vehicle(ctx, attack, cc)
        elif attack.attackers[0].endswith(":sn"):
            sn_attack(ctx, attack, cc)
        else:
            against_infantry(ctx, attack, cc)


def _as_it_was(state: State, cc: CloseCombat, name: str, at_once: bool) -> Unit:
    if at_once or name not in cc.snapshot:
        return state.units[name]
    return cc.snapshot[name]


CX_ATTACKS = drm(1, ("3.3.1.double_time#cx", "3.8.odds#drm"), N_("CX attackers"))


class Weighed(msgspec.Struct, frozen=True):
    """An attack on infantry before its dice: who is left, FP, DRM (3.8.odds)."""

    attack: CcAttack
    targets: tuple[str, ...]
    strength: Fraction
    defence: Fraction
    change: int


class Rolled(msgspec.Struct, frozen=True):
    """What a CC DR gives, for each number of leaders that may join the defence; 2 is a birth."""

    results: tuple[str, ...]
    born: bool


def weigh(ctx: Ctx[State], attack: CcAttack, cc: CloseCombat, at_once: bool) -> Weighed | None:
    """Odds and DRM of an attack on infantry; None if nobody is left (3.8.odds)."""
    state = ctx.state
    targets = tuple([n for n in attack.targets if state.units[n].place == MAP])
    if not targets:
        ctx.cite("3.8#una-volta", N_("the targets are gone"))
        return None
    is_tank = ":" in attack.attackers[0]
    strength = attack_strength(ctx, attack, cc, at_once)
    if not strength:
        ctx.cite("3.8.sequential#perde", N_("the attackers are gone"))
        return None
    against = ctx.tally(N_("CC defence"))
    for name in targets:
        value = _defence(state, name, is_tank, len(targets))
        ref = "3.8.afv_attack#rapporto" if is_tank else "3.8.odds#rapporto"
        against.add(exact(value), ref, N_("FP of {unit}"), unit=name)
    defence = Fraction(against.total)
    ctx.cite(
        ("3.8.odds#rapporto", "casa.04" if odds_column(strength, defence) == THREE_TO_TWO else ""),
        N_("{fp} to {defence}: Kill# {number}"),
        fp=strength,
        defence=defence,
        number=kill_number(strength, defence),
    )
    lines = attack_drm(state, attack, targets, cc, at_once)
    change = add_all(ctx.tally(N_("CC DRM")), lines)
    return Weighed(attack, targets, strength, defence, change)


def outcome(final: int, number: int) -> str:
    """Under the Kill# all die, at it one is reduced (3.8.odds)."""
    return "kill" if final < number else "reduce" if final == number else "nothing"


def roll_cc(ctx: Ctx[State], odds: Weighed, joiners: int) -> Rolled:
    """The DR of an attack, read for up to so many leaders who may join the defence (5.3)."""
    names = odds.attack.attackers
    people = any(n in ctx.state.units and ctx.state.units[n].is_mmc for n in names)
    numbers = [kill_number(odds.strength, odds.defence + n) for n in range(joiners + 1)]

    def read(faces: tuple[int, ...]) -> Rolled:
        rolled = faces[0] + faces[1]
        results = tuple([outcome(rolled + odds.change, number) for number in numbers])
        return Rolled(results, people and rolled == 2)

    why = N_("CC: under {number} eliminates")
    return ctx.roll(DR, read, ("3.8.odds#dr", "1.4#due-dadi"), why, number=numbers[0] - odds.change)


def against_infantry(ctx: Ctx[State], attack: CcAttack, cc: CloseCombat) -> None:
    """An attack that takes effect before the next: odds, DR, losses (3.8.sequential)."""
    odds = weigh(ctx, attack, cc, True)
    if odds is None:
        return
    found = roll_cc(ctx, odds, 0)
    result = found.results[0]
    if found.born and new_leader(ctx, attack):
        result = _again(ctx, odds, 1, 0)
    _kill(ctx, odds.targets, result)


def together(ctx: Ctx[State], cc: CloseCombat) -> None:
    """Simultaneous attacks: every DR, then new leaders and new odds, then the losses (3.8, 5.3)."""
    rolled: list[tuple[Weighed, Rolled]] = []
    for attack in cc.declared:
        ref = _turn_of(ctx.state, attack.side)
        with ctx.under(ref, N_("{side} attacks in CC"), side=attack.side):
            odds = ctx.once(weigh, ctx, attack, cc, False)
            if odds is not None:
                foes = sum(_has_mmc(ctx.state, a) for a in cc.declared if a.side != attack.side)
                rolled.append((odds, roll_cc(ctx, odds, foes)))
    leaders = [new_leader(ctx, odds.attack) if found.born else "" for odds, found in rolled]
    made = [name for name in leaders if name]
    for (odds, found), own in zip(rolled, leaders, strict=True):
        comers = [n for n in made if n != own and ctx.state.units[n].joined in odds.targets]
        ref = _turn_of(ctx.state, odds.attack.side)
        with ctx.under(ref, N_("{side} attacks in CC"), side=odds.attack.side):
            result = found.results[0]
            if own:
                result = _again(ctx, odds, 1, len(comers))
            elif comers:
                _again(ctx, odds, 0, len(comers))
                result = found.results[len(comers)]
            _kill(ctx, [*odds.targets, *comers], result)


def _turn_of(state: State, side: Side) -> str:
    return "3.8#attaccante-risolve" if side == state.attacker else "3.8#difensore-risolve"


def _has_mmc(state: State, attack: CcAttack) -> bool:
    return any(n in state.units and state.units[n].is_mmc for n in attack.attackers)


def _again(ctx: Ctx[State], odds: Weighed, more: int, comers: int) -> str:
    """The odds with new leaders on either side, and what an original 2 is worth there (5.3)."""
    strength, defence = odds.strength + more, odds.defence + comers
    number = kill_number(strength, defence)
    ctx.cite(
        "5.3#si-unisce",
        N_("with the new leader {fp} to {defence}: Kill# {number}"),
        fp=strength,
        defence=defence,
        number=number,
    )
    return outcome(2 + odds.change, number)


def new_leader(ctx: Ctx[State], attack: CcAttack) -> str:
    """An original 2 may create a leader; he joins the MMC that made the attack (5.3)."""
    mmc = [ctx.state.units[n] for n in attack.attackers if n in ctx.state.units]
    mmc = [u for u in mmc if u.is_mmc]
    best = max(mmc, key=lambda u: u.morale)
    name = create_leader(ctx, attack.side, best.hex, level(ctx.state, best), False)
    now = ctx.state.cc
    if name and now is not None:
        known = {**now.snapshot, name: ctx.state.units[name]}
        acted = replace(now, acted=(*now.acted, name), snapshot=known)
        ctx.do(CcSet(what=N_("a leader joins the CC"), cc=acted), "5.3#si-unisce")
        ctx.do(Joined(unit=name, mate=best.id), "5.3#si-unisce")
    return name


def attack_strength(ctx: Ctx[State], attack: CcAttack, cc: CloseCombat, at_once: bool) -> Fraction:
    """The FP of an attack; AFV weapons are halved in Motion (3.8.afv_attack)."""
    state = ctx.state
    fp = ctx.tally(N_("CC FP"))
    for name in attack.attackers:
        vehicle, _, part = name.partition(":")
        if part:
            v = state.vehicles[vehicle]
            if not v.is_live or v.crew.shock or v.crew.stun:
                text = N_("{unit} cannot attack: Shock, Stun or gone")
                ctx.cite("3.8.afv_attack#nullo", text, unit=name)
                continue
            value = int(getattr(v.data, part))
            fp.add(value, "3.8.afv_attack#armi", N_("FP of {unit}"), unit=name)
            if v.is_non_stopped:
                text = N_("{unit} is not stopped: half its FP")
                fp.add(Fraction(-value, 2), "3.8.afv_attack#nullo", text, unit=name)
        else:
            one = _as_it_was(state, cc, name, at_once)
            if not at_once or one.place == MAP:
                full = 1 if one.is_leader else one.data.fp
                ref = "3.8.smc#vale" if one.is_leader else "3.8.odds#rapporto"
                fp.add(full, ref, N_("FP of {unit}"), unit=name)
                if one.pinned:
                    text = N_("{unit} has a Pin: half its FP")
                    fp.add(
                        Fraction(-full, 2), ("3.8.odds#pinned", "3.2.3.pinned#cc"), text, unit=name
                    )
    return Fraction(fp.total)


def _defence(state: State, name: str, is_tank: bool, together: int) -> Fraction:
    one = state.units[name]
    if not is_tank:
        return Fraction(1 if one.is_leader else one.data.fp)
    if one.is_leader:
        return Fraction(1 if one.joined or together > 1 else 2)
    return Fraction(other().ccv[one.data.kind])


def attack_drm(
    state: State, attack: CcAttack, targets: Sequence[str], cc: CloseCombat, at_once: bool
) -> list[Modifier]:
    """Leadership, ambush, CX, broken, Stun (3.8.odds)."""
    found = []
    mine = [_as_it_was(state, cc, n, at_once) for n in attack.attackers if n in state.units]
    found += directing(mine)
    found += _ambush_drm(cc, attack.side)
    if any(u.cx for u in mine):
        found.append(CX_ATTACKS)
    foes = [state.units[n] for n in targets if n in state.units]
    if any(u.cx for u in foes):
        found.append(drm(-1, ("3.3.1.double_time#contro", "3.8.odds#drm"), N_("CX defenders")))
    if foes and all(u.broken for u in foes):
        found.append(drm(-2, "3.8#broken", N_("broken defenders")))
    for name in attack.attackers:
        vehicle = name.partition(":")[0]
        if vehicle in state.vehicles and state.vehicles[vehicle].crew.plus:
            found.append(drm(1, "7.10.stun#piu-uno", N_("{unit} was Stunned"), unit=vehicle))
            break
    return found


def directing(mine: Sequence[Unit]) -> list[Modifier]:
    """A leader who attacks with a MMC may direct it: the best, if he helps (3.8.smc)."""
    able = [u for u in mine if u.is_leader and not u.broken and not u.pinned and u.leadership < 0]
    if not able or not any(u.is_mmc for u in mine):
        return []
    best = min(able, key=lambda u: u.leadership)
    return [drm(best.leadership, "3.8.smc#dirige", N_("{unit} directs"), unit=best.id)]


def _ambush_drm(cc: CloseCombat, side: Side) -> list[Modifier]:
    if not cc.ambusher:
        return []
    value = -1 if cc.ambusher == side else 1
    return [drm(value, "3.8.ambush#effetto", N_("ambush"))]


def _kill(ctx: Ctx[State], targets: Sequence[str], result: str) -> None:
    here = [n for n in targets if ctx.state.units[n].place == MAP]
    if result == "kill":
        for name in here:
            eliminate(ctx, name, "3.8.odds#eliminate")
    elif result == "reduce" and here:
        name = pick(ctx, here, "3.8.odds#ridotta", N_("who suffers Casualty Reduction?"))
        reduce_unit(ctx, name, "3.8.odds#ridotta")
    else:
        ctx.cite("3.8.odds#niente", N_("no effect"))


# Vehicles


def ccv(state: State, names: Sequence[str], fired: bool) -> int:
    """The CCV of the attackers (3.8.ccv)."""
    return sum(one.value for one in ccv_lines(state, names, fired))


def ccv_lines(state: State, names: Sequence[str], fired: bool) -> list[Modifier]:
    """The CCV of the attackers, one less for each halving (3.8.ccv, 3.3.4)."""
    mine = [state.units[n] for n in names if state.units[n].place == MAP]
    if not mine:
        return []
    first = next((u for u in mine if u.is_mmc), mine[0])
    kind = first.data.kind if first.is_mmc else "smc"
    mates = [u for u in mine if u is not first and (u.is_leader or not first.is_mmc)]
    lines = [drm(other().ccv[kind], _ccv_row(first), N_("CCV of {unit}"), unit=first.id)]
    if mates:
        lines.append(drm(1, "3.8.ccv#ccv/SMC", N_("{unit} attacks too"), unit=mates[0].id))
    if first.pinned:
        refs = ("3.8.ccv#dimezza", "3.2.3.pinned#cc")
        lines.append(drm(-1, refs, N_("{unit} has a Pin"), unit=first.id))
    if fired:
        lines.append(
            drm(-1, ("3.8.ccv#dimezza", "3.3.4#ha-sparato"), N_("{unit} has fired"), unit=first.id)
        )
    return lines


CCV_ROWS = {SQUAD: "3.8.ccv#ccv/squadra", HS: "3.8.ccv#ccv/HS", CREW: "3.8.ccv#ccv/Crew"}


def _ccv_row(one: Unit) -> str:
    """Where the table tells the CCV of a unit (3.8.ccv)."""
    return CCV_ROWS[one.data.kind] if one.is_mmc else "3.8.ccv#ccv/SMC"


def vehicle_drm(state: State, v: Vehicle) -> list[Modifier]:
    """Motion +2, immobile -1, no MG -1, CE -1 (3.8.ccv)."""
    found = []
    if v.is_non_stopped:
        found.append(drm(2, ("3.8.ccv#drm"), N_("{unit} is not stopped"), unit=v.id))
    elif v.is_immobile:
        found.append(drm(-1, "3.8.ccv#drm", N_("{unit} is immobile"), unit=v.id))
    data = v.data
    armed = [p for p in ("bmg", "cmg", "rmg", "aamg") if getattr(data, p)]
    armed = [
        p
        for p in armed
        if p not in v.arms.broken and p not in v.arms.lost and (p != "aamg" or v.crew.ce)
    ]
    if not armed or v.crew.shock or v.crew.stun:
        found.append(drm(-1, "3.8.ccv#drm", N_("{unit} has no usable MG"), unit=v.id))
    if v.crew.ce:
        found.append(
            drm(-1, "3.8.ccv#drm", N_("the crew of {unit} is exposed"), unit=v.id, table="ccv")
        )
    return found


def against_vehicle(ctx: Ctx[State], attack: CcAttack, cc: CloseCombat) -> None:
    """DR under the CCV eliminates, equal immobilizes (3.8.ccv)."""
    names = [n for n in attack.attackers if ctx.state.units[n].place == MAP]
    ctx.do(AttackedInCc(vehicle=attack.targets[0]), "3.8.ccv#attacca")
    assault_vehicle(ctx, names[:2], attack.targets[0], _ambush_drm(cc, attack.side), False)


def assault_vehicle(
    ctx: Ctx[State],
    names: Sequence[str],
    target: str,
    extra: Sequence[Modifier],
    fired: bool,
    check: Callable[[tuple[int, ...]], tuple[str, ...]] | None = None,
) -> tuple[str, ...]:
    """The CC attack of at most two units, one a SMC, on a vehicle (3.8.ccv, 3.3.4).

    Returns what `check` reads in the same DR: FPF is a NMC too.
    """
    state = ctx.state
    v = state.vehicles[target]
    if not v.is_live or not names:
        ctx.cite("3.8.ccv#attacca", N_("the target is gone"))
        return ()
    value = add_all(ctx.tally(N_("CCV")), ccv_lines(state, names, fired))
    ctx.cite("3.8.ccv#attacca", N_("CCV {number}"), number=value)
    mine = [state.units[n] for n in names]
    lines = [*extra, *vehicle_drm(state, v), *directing(mine)]
    if any(u.cx for u in mine):
        lines.append(CX_ATTACKS)
    change = add_all(ctx.tally(N_("CC DRM")), lines)
    people = any(u.is_mmc for u in mine)

    def read(faces: tuple[int, ...]) -> tuple[str, bool, tuple[str, ...]]:
        rolled = faces[0] + faces[1]
        born = people and rolled == 2
        result = _ccv_result(rolled, change, value)
        return result, born, check(faces) if check is not None else ()

    why = N_("CC against {unit}: under {number} eliminates")
    found, born, checked = ctx.roll(DR, read, "3.8.ccv#dr", why, unit=target, number=value - change)
    if born and new_leader(ctx, CcAttack(mine[0].side, tuple(names), (target,))):
        ctx.cite("5.3#si-unisce", N_("with the new leader: CCV {number}"), number=value + 1)
        found = _ccv_result(2, change, value + 1)
    _strike_vehicle(ctx, found, target, names)
    return checked


def _ccv_result(rolled: int, change: int, number: int) -> str:
    """What a DR against the CCV comes to (3.8.ccv)."""
    final = rolled + change
    if rolled == 12:
        return "12"
    if final < number:
        return "kill"
    if final == number:
        return "immobilize"
    return "2" if rolled == 2 and number - change < 2 else "nothing"


def _strike_vehicle(ctx: Ctx[State], found: str, target: str, names: Sequence[str]) -> None:
    """Eliminated, immobilized, or harm to the attackers on an original 12 (3.8.ccv)."""
    v = ctx.state.vehicles[target]
    ref = {"2": "3.8.ccv#due", "12": "3.8.ccv#dodici"}.get(found, "3.8.ccv#dr")
    if found == "2":
        third = ctx.roll(ONE, single, "3.8.ccv#due", N_("an original 2: a third die"))
        found = "kill" if third <= 2 else "immobilize" if third == 3 else "nothing"
    if found == "kill":
        destroy(ctx, target, ref)
    elif found == "immobilize":
        ctx.do(Immobilized(vehicle=target), (ref, "7.10.immobilized#cc"))
    elif found == "12" and not v.crew.shock and not v.crew.stun:
        name = pick(ctx, list(names), "3.8.ccv#dodici", N_("who suffers Casualty Reduction?"))
        reduce_unit(ctx, name, "3.8.ccv#dodici")
    else:
        ctx.cite(ref, N_("no effect"))


def sn_attack(ctx: Ctx[State], attack: CcAttack, cc: CloseCombat) -> None:
    """Nahverteidigungswaffe: 16 FP on all infantry of the hex (3.8.sn_attack)."""
    v = ctx.state.vehicles[attack.attackers[0].partition(":")[0]]
    rolled = ctx.roll(DR, LATE_TOTAL, "3.8.sn_attack#quando", N_("{unit} uses its sN"), unit=v.id)
    limit = v.data.smoke["sN"]
    if rolled > limit:
        ctx.cite("3.8.sn_attack#numero", N_("no effect: over {number}"), number=limit)
        return
    index = tell_column(ctx, "3.8.sn_attack#quando", N_("FP of a sN"), 16)
    names = [u.id for u in units_at(ctx.state, cc.hex)]
    apply_result(ctx, read_ift(index, rolled), names, [], Effects())


# Melee


def finish(ctx: Ctx[State], cc: CloseCombat) -> None:
    """Who is left is in Melee (3.8.melee, 3.8.vehicle_melee)."""
    ctx.do(Settled(unit=f"cc {cc.hex}"), "3.8#ordine", N_("the CC in {hex} is fought"), hex=cc.hex)
    ctx.do(CcSet(what=N_("CC ends"), cc=None), "3.8#ordine")
    update_melee(ctx, cc.hex)


def holds(state: State, hex: str) -> bool:
    """Infantry of both sides, one unbroken at least; or an enemy vehicle that is not in Motion."""
    group = units_at(state, hex)
    sides = {u.side for u in group}
    if len(sides) == 2:
        return any(not u.broken for u in group)
    return any(
        v.is_live and not v.drive.motion and v.side != side
        for side in sides
        for v in vehicles_at(state, hex)
    )


def update_melee(ctx: Ctx[State], hex: str) -> None:
    """Melee counters come and go (3.8.melee)."""
    locked = holds(ctx.state, hex)
    if locked and len({u.side for u in units_at(ctx.state, hex)}) == 1:
        ctx.cite(
            "3.8.vehicle_melee#trattiene", N_("a vehicle holds the infantry of {hex}"), hex=hex
        )
    for one in list(units_at(ctx.state, hex)):
        if locked and not one.melee:
            ctx.do(Marked(unit=one.id, marker=MELEE), ("3.8.melee#resta", "2.0.melee#restano"))
        elif not locked and one.melee:
            ctx.do(Cleared(unit=one.id, marker=MELEE), "3.8.melee#togli")


def loosen(ctx: Ctx[State]) -> None:
    """Melee ends at once when nobody faces anybody (3.8.melee)."""
    for name in noted(ctx.state.units).locked:
        one = ctx.state.units[name]
        if not holds(ctx.state, one.hex):
            ctx.do(Cleared(unit=one.id, marker=MELEE), "3.8.melee#togli")
