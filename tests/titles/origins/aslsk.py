"""The numbers of ASL Starter Kit: ranges, columns, DR with their DRM, MF and MP, morale."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from engine.aslsk.state.ground import BUILDINGS, WOODS
from engine.aslsk.state.state import Unit, weapons_of
from engine.aslsk.state.tables import CREW, Band, ift_file, other, to_hit_file
from engine.core.rules import Roll, Step
from tests.titles.numbers import Kind, Number, Origin, Said
from tests.titles.origins.common import fixed, latest, since, totals

FIRES = "{side} attacks {hex}"
AIMS = "{unit} fires at {hex}: {how} {ammo}"
PF_AIMS = "{unit} uses a PF on {hex}"
BURNS = "{unit} burns {hex}"
HEADINGS = (FIRES, AIMS, PF_AIMS, BURNS)
TH = "TH# {number} at range {range}"
TO_HIT = "{unit}: To Hit {number}"
CASE_16 = "Case 16: the lower die counts twice: {n}"
ON_COLUMN = "{fp} FP on the {column} column"
ON_COLUMN_HIT = "{fp} FP on the {column} column against what was hit"
COWERING = "Cowering: {n} columns to the left"
COWERED = "the attack is on the {column} column"
AT_HIDDEN = "Area Fire on the {column} column against a hidden unit"
RESIDUAL = "Residual FP {fp} attacks in {hex}"
LEAVES = "Residual FP {fp} in {hex}, from the {column} column"
FINAL = "final DR {dr}: {result}"
FINAL_OF = "{unit}: final DR {dr}: {result}"
HIT_OR_MISS = "{unit}: final {dr}, {result}"
OWN_BARRAGE = "{unit} is under its own barrage: morale -1"
MF_SPENT = "{n} MF spent, {total} in all"
MP_SPENT = "{n} MP spent, {total} in all"
HEAVY = "{n} PP too many: {carried} instead of {free}"
KILL = "{fp} to {defence}: Kill# {number}"
KILL_AGAIN = "with the new leader {fp} to {defence}: Kill# {number}"
SHOTS = "attack {n} of {most} on these MF or MP"
ATTACKS = (
    "{side} fires at {hex}",
    "effect of the hit in {hex}",
    "effect of the PF on {unit}",
    BURNS,
    "the DC in {hex}",
    "Residual FP in {hex}",
    "the barrage on {hex}",
    "To Kill {unit}: under {number} eliminates",
    "To Kill {unit}: {number} or less",
)
"""The rolls whose DR is read on the IFT, those against an AFV for its crew (7.12)."""
LOWER = {
    "3.2.4.intensive_fire": 2,
    "3.2.4.non_qualified": 2,
    "3.3.3.sff": 2,
    "3.3.3.fpf": 2,
    "4.0.captured": 2,
    "4.1.breakdown#cala": 2,
    "5.4": 1,
    "5.5": 2,
    "6.8#di-nuovo": 2,
}
"""By how much rules lower a B# or X#; each says so."""


# Dice and running totals


def run(said: Said, name: str, *between: str) -> Number:
    """What the lines of a total came to that stand just before, some messages let pass."""
    for step in reversed(said.earlier):
        if step.tally is not None and step.tally.name == name:
            return step.tally.total
        if step.ruling.msg.id not in between:
            break
    return 0


def fresh(said: Said) -> Sequence[Step]:
    """The steps since the last roll."""
    rolls = [n for n, step in enumerate(said.earlier) if step.chance is not None]
    return said.earlier[rolls[-1] + 1 :] if rolls else said.earlier


def thrown(said: Said, *words: str) -> tuple[int, ...]:
    """The faces of the last roll that was made for such a reason."""
    for step in reversed(said.earlier):
        if isinstance(step.chance, Roll) and step.ruling.msg.id in words:
            return step.chance.faces
    return ()


def less(need: Callable[[Said], Number], name: str, *between: str) -> Origin:
    """A number less the DRM that stand just before."""
    return lambda said: [need(said) - run(said, name, *between)]


def repeated(step: Step, name: str) -> Number:
    """A number that a step says."""
    found = step.ruling.msg.facts[name]
    assert isinstance(found, int | Fraction)
    return found


def named(said: Said, fact: str = "unit") -> Unit:
    """The unit that a step names, as it is then."""
    found: Unit = said.before.units[said.fact(fact)]
    return found


# Fire on the IFT


def at_column(fp: Number) -> int:
    """The place of the last column that is headed by no more than the FP."""
    return bisect_right(ift_file().columns, fp) - 1


def heading(place: int) -> Iterable[Number]:
    """The FP that heads a column."""
    return [ift_file().columns[place]] if place >= 0 else []


def strength(said: Said) -> Number:
    """The FP of all who fire: the totals since the last column that was read, or roll."""
    marks = [
        n
        for n, step in enumerate(said.earlier)
        if step.chance is not None or step.ruling.msg.id in (ON_COLUMN, ON_COLUMN_HIT)
    ]
    return sum(totals(said.earlier[marks[-1] + 1 :] if marks else said.earlier, "FP"))


def summed(said: Said) -> Iterable[Number]:
    """That FP, all together."""
    yield strength(said)


def read_column(said: Said) -> Iterable[Number]:
    """The column of that FP; nothing is hit by less than 1 FP."""
    return heading(at_column(strength(said))) or [0]


def shifted(said: Said) -> int:
    """The columns that Cowering has cost since the FP was told."""
    steps = since(said, ON_COLUMN, ON_COLUMN_HIT)
    return sum(int(repeated(s, "n")) for s in steps if s.ruling.msg.id == COWERING)


def cowered(said: Said) -> Iterable[Number]:
    """The column that was read, so many to the left as Cowering said."""
    (fp,) = latest((ON_COLUMN, "column"))(said)
    return heading(at_column(fp) - shifted(said))


def cowers(said: Said) -> Iterable[Number]:
    """One column, two for the inexperienced (3.2.2.cowering, 5.4)."""
    yield 2 if said.cites("5.4") else 1


def at_hidden(said: Said) -> Iterable[Number]:
    """Half the FP, less the columns of Cowering (6.4)."""
    if said.earlier and any(s.ruling.msg.id == RESIDUAL for s in said.earlier):
        (fp,) = latest((RESIDUAL, "fp"))(said)
    else:
        (fp,) = latest((ON_COLUMN, "fp"))(said)
    return heading(at_column(Fraction(fp, 2)) - shifted(said))


def group(said: Said) -> Iterable[Number]:
    """As many as the step names."""
    yield len(said.fact("units"))


def told_column(said: Said) -> Iterable[Number]:
    """The column that was told last; that of a CH is for one of those who were hit (6.1)."""
    columns = (ON_COLUMN, ON_COLUMN_HIT, COWERED, AT_HIDDEN)
    struck = False
    for n in range(len(said.earlier) - 1, -1, -1):
        step = said.earlier[n]
        words = step.ruling.msg.id
        if words == RESIDUAL:
            return [repeated(step, "fp")]
        critical = said.earlier[n - 1].ruling.msg.id == "Critical Hit"
        if words in columns and not (critical and struck):
            return [repeated(step, "column")]
        struck = struck or words == FINAL_OF
    return []


def final(said: Said) -> Iterable[Number]:
    """The DR of the attack with the DRM that stand behind the result or the roll before.

    Several who share their DRM are told one after the other, with the same DR.
    """
    last = said.earlier[-1]
    unit = said.step.ruling.msg.facts.get("unit")
    if last.ruling.msg.id == FINAL_OF and unit in said.before.units:
        yield repeated(last, "dr")
        return
    marks = [
        n
        for n, step in enumerate(said.earlier)
        if step.ruling.msg.id in (FINAL, FINAL_OF) or step.chance is not None
    ]
    yield sum(thrown(said, *ATTACKS)) + sum(totals(said.earlier[marks[-1] + 1 :], "DRM"))


# Residual FP


def leaving(said: Said) -> int:
    """The column of the FP of those who have fired their last, less Cowering (3.3.5, casa.23)."""
    steps = [s for s in said.earlier if not (s.tally and s.tally.name == "columns less")]
    if steps[-1].ruling.msg.id == ON_COLUMN:  # told apart, for what a hit on an AFV leaves
        return at_column(repeated(steps[-1], "fp"))
    gone = {name for name, one in said.before.weapons.items() if one.data.kind == "atr"}
    told: list[tuple[str, Number]] = []
    for step in volley(said):
        facts, words = step.ruling.msg.facts, step.ruling.msg.id
        if words.startswith(("{unit} keeps its ROF", "{unit} is lost", "{weapon} malfunctions")):
            gone.add(str(facts.get("unit", facts.get("weapon"))))
        elif words == "{unit} gives its ROF up to leave Residual FP":
            gone.discard(str(facts["unit"]))
        elif (
            words == "Critical Hit" and told
        ):  # it strikes one of those who were hit, and leaves no more
            told.pop()
        elif step.tally is not None and step.tally.name == "FP":
            if step.tally.operation == "+" and step.tally.total == step.tally.value:
                told.append((str(facts.get("unit", "")), 0))
            told[-1] = told[-1][0], step.tally.total
    share = sum(fp for one, fp in told if one not in gone)
    return at_column(share) - shifted(said)


def volley(said: Said) -> Sequence[Step]:
    """The steps of the last attack: those behind the roll that came before its own."""
    rolls = [n for n, step in enumerate(said.earlier) if isinstance(step.chance, Roll)]
    own = [n for n in rolls if said.earlier[n].ruling.msg.id in ATTACKS]
    before = [n for n in rolls if n < own[-1]]
    return said.earlier[before[-1] + 1 :] if before else said.earlier


def left_column(said: Said) -> Iterable[Number]:
    """The column from which Residual FP is read."""
    return heading(leaving(said))


def left_fp(said: Said) -> Iterable[Number]:
    """The row of Residual FP, by the columns less that stand just before (3.3.5, 3.3.5.shift)."""
    columns, rows = ift_file().columns, ift_file().residual
    place, shifts = leaving(said), int(run(said, "columns less"))
    base = rows[max(shifts, 0)][place]
    if shifts < 0:
        base = columns[min(columns.index(base) + 1, 5)] if base else 1
    yield base


# To Hit


def seat(said: Said, name: str) -> str:
    """Where a weapon, its vehicle or a unit is."""
    state, name = said.before, name.partition(":")[0]
    if name in state.weapons:
        one = state.weapons[name]
        return str(state.units[one.owner].hex if one.owner else one.hex)
    return str((state.vehicles.get(name) or state.units[name]).hex)


def away(said: Said) -> Iterable[Number]:
    """The hexes from who fires to where, as the heading of the attack says."""
    words = (AIMS, PF_AIMS, BURNS)
    facts = since(said, *words)[0].ruling.msg.facts
    yield said.before.ground.range(seat(said, str(facts["unit"])), str(facts["hex"]))


def printed_th(said: Said) -> Iterable[Number]:
    """The cell of the To Hit table; its colour is told before the dice fall."""
    (range_,) = away(said)
    distance, kind = int(range_), said.fact("how")
    heads = since(said, AIMS, PF_AIMS)[0].ruling.msg.facts
    weapon = said.before.weapons.get(heads["unit"])
    file = to_hit_file()
    if kind == "pf":
        yield file.latw["pf"][distance]
    elif kind == "LATW":
        yield file.latw[weapon.data.grade][distance]
    elif weapon is not None and weapon.data.is_mortar:
        yield file.mortar_exceptions.get(weapon.type, {}).get(distance, file.mortar)
    elif any("#in-moto" in anchor for anchor in said.step.ruling.anchors):
        yield 10
    else:
        rows: tuple[Band, ...] = getattr(file, kind.lower())
        row = next(r for r in rows if r.first <= distance <= r.last)
        told = until_roll(said)
        yield row.red if "red To Hit numbers" in told else row.black


def until_roll(said: Said) -> list[str]:
    """What is said until the next roll."""
    found: list[str] = []
    for step in said.later:
        if step.chance is not None:
            break
        found.append(step.ruling.msg.id)
    return found


def to_hit(said: Said) -> Iterable[Number]:
    """The TH# less the DRM that were told after it."""
    steps = since(said, TH)
    yield totals(steps, "TH#")[-1] - sum(totals(steps, "TH DRM"))


def doubled(said: Said) -> Iterable[Number]:
    """The To Hit DR with its lower die twice."""
    faces = thrown(said, TO_HIT)
    yield sum(faces) + min(faces)


def hit_or_miss(said: Said) -> Iterable[Number]:
    """The To Hit DR with the DRM of the firer, and those of the target that stand just before."""
    steps = since(said, TO_HIT)
    dr = sum(thrown(said, TO_HIT))
    for step in steps:
        if step.ruling.msg.id == CASE_16:
            dr = int(repeated(step, "n"))
    before = since(said, TH)
    common = sum(totals([s for s in before if s not in steps], "TH DRM"))
    own = behind(steps, HIT_OR_MISS)
    if any(s.ruling.msg.id == "firer DRM" for s in own):
        common = 0
    yield dr + common + sum(totals(own, "TH DRM"))


def behind(steps: Sequence[Step], words: str) -> Sequence[Step]:
    """The steps behind the last one that says such words."""
    marks = [n for n, step in enumerate(steps) if step.ruling.msg.id == words]
    return steps[marks[-1] + 1 :] if marks else steps


def acquired(said: Said) -> Iterable[Number]:
    """-1, or -2 for a target that was acquired when the shot was made: its Case 20 (6.10)."""
    told = [s.ruling.msg.id for s in since(said, AIMS)]
    yield -2 if any(words.startswith("Case 20") for words in told) else -1


# Movement


def spent(said: Said) -> Iterable[Number]:
    """What the hex costs, line by line, or what the rule says that is cited for it."""
    for name in ("MF cost", "MP cost"):
        if (cost := said.value(name)) is not None:
            yield cost
            return
    if said.cites("3.3.1.smoke"):
        yield 1 if said.chosen[-1] == seat(said, said.before.mover.units[0]) else 2
    elif said.cites("3.3.2.vca"):
        yield 2 if is_rough(said) else 1
    elif said.cites("3.3.1.recover", "3.3.2.start_stop", "3.3.2.delay", "7.5"):
        yield 1


def is_rough(said: Said) -> bool:
    """Whether a vehicle turns in a building, or in woods without a road (3.3.2.vca)."""
    field, hex = said.before.ground, seat(said, said.before.mover.units[0])
    in_woods = field.terrain[hex] == WOODS and hex not in field.road_hexes
    return in_woods or field.terrain[hex] in BUILDINGS


def in_all(said: Said) -> Iterable[Number]:
    """The same with what was spent before, by who spent most of those that spend now."""
    (now,) = spent(said)
    state = said.before
    if state.router is not None:
        yield now + Fraction(state.router.spent, 2)
        return
    who = list(state.mover.units)
    if said.cites("3.3.1.smoke", "3.3.1.recover", "4.3.placement"):
        who = [payer(said)]
    yield now + Fraction(max(state.mover.spent[name] for name in who), 2)


def payer(said: Said) -> str:
    """Who of a stack throws smoke, takes up a weapon, or places the DC that it has."""
    state = said.before
    for name in said.spoken_of():
        one = name.partition("+")[0]
        if one in state.mover.spent:
            return one
        for weapon in state.weapons.values():
            if name.startswith(f"{weapon.id}-") and weapon.owner in state.mover.spent:
                return str(weapon.owner)
    raise LookupError("nobody is named")


def carrier(said: Said) -> Unit:
    """Whose MF are being told."""
    unit = since(said, "MF of {unit}")[0].ruling.msg.facts["unit"]
    found: Unit = said.before.units[unit]
    return found


def carried(said: Said) -> Iterable[Number]:
    """The PP on its SW."""
    held = weapons_of(said.before, carrier(said).id)
    yield sum(weapon.data.pp for weapon in held if not weapon.data.is_gun)


def free(said: Said) -> Iterable[Number]:
    """The IPC of who carries, and of the SMC who leads one MMC (2.0.ipc, 4.0.portage)."""
    one, steps = carrier(said), since(said, "MF of {unit}")
    runs = any(s.ruling.msg.id == "Double Time" for s in steps)
    yield ipc(one, runs)
    for step in steps:
        if step.ruling.msg.id == "{unit} leads":
            leader = said.before.units[step.ruling.msg.facts["unit"]]
            yield ipc(one, runs) + ipc(leader, runs)


def ipc(one: Unit, runs: bool) -> int:
    """3 PP, a SMC 1, wounded 0; one less if CX, and who runs is."""
    if one.is_leader and one.wounded:
        return 0
    return (1 if one.is_leader else 3) - (one.cx or runs)


def too_heavy(said: Said) -> Iterable[Number]:
    """What is carried beyond that."""
    (load,) = carried(said)
    yield from (load - capacity for capacity in free(said))


def shots(said: Said) -> Iterable[Number]:
    """One attack more than the element with most has made on these MF (3.3.3.repeat)."""
    after, before = said.after.mover.shots, said.before.mover.shots
    yield max(n for key, n in after.items() if n != before.get(key, 0))


def shots_allowed(said: Said) -> Iterable[Number]:
    """As many as whole MF or MP of the last expenditure, at least one (3.3.3.repeat)."""
    yield max(1, said.before.mover.latest // 2)


# Morale


def morale(said: Said) -> Number:
    """The morale of the unit named, one less under its own barrage."""
    told = any(s.ruling.msg.id == OWN_BARRAGE for s in said.earlier[-1:])
    return named(said).morale - told


def crew_morale(said: Said) -> Number:
    """The morale of the crews of its nationality (7.10), one less under its own barrage."""
    told = any(s.ruling.msg.id == OWN_BARRAGE for s in said.earlier[-1:])
    return other().crews[said.before.vehicles[said.fact("vehicle")].data.nation] - told


def elr(said: Said) -> Iterable[Number]:
    """What the card of the scenario says of its side."""
    yield said.before.elr.get(named(said).side, 5)


# Close Combat


def kill_number(fp: Number, defence: Number) -> int:
    """The last column of the table whose odds are not better (3.8.odds)."""
    odds, found = Fraction(fp) / Fraction(defence), 0
    for attacker, defender, number in other().cc:
        if odds >= Fraction(attacker, defender):
            found = number
    return other().cc_beyond if odds > other().cc[-1][0] else found


def kill(said: Said) -> Iterable[Number]:
    """The Kill# of the FP against the defence."""
    yield kill_number(totals(said.earlier, "CC FP")[-1], totals(said.earlier, "CC defence")[-1])


def kill_again(said: Said) -> Iterable[Number]:
    """The Kill# of the new odds, which the same line says."""
    yield kill_number(said.fact("fp"), said.fact("defence"))


def to_eliminate(said: Said) -> Iterable[Number]:
    """The Kill# less the DRM that follow it."""
    steps = since(said, KILL)
    yield repeated(steps[0], "number") - sum(totals(steps, "CC DRM"))


def with_leader(fact: str) -> Origin:
    """The FP or the defence of the odds, or with a new leader in it (5.3)."""

    def reckon(said: Said) -> Iterable[Number]:
        for step in said.earlier:
            if step.ruling.msg.id == KILL:
                yield from (repeated(step, fact) + more for more in range(3))

    return reckon


def ccv(more: int) -> Callable[[Said], Number]:
    """The CCV that was told, or with a new leader (5.3)."""
    return lambda said: totals(said.earlier, "CCV")[-1] + more


def against_afv(said: Said) -> Iterable[Number]:
    """The CCV less the DRM behind it."""
    yield ccv(0)(said) - sum(totals(since(said, "CCV {number}"), "CC DRM"))


def ambush(which: Callable[[list[Number]], Number]) -> Origin:
    """Of the two dr with the drm that stand before each, the lower or the higher one."""

    def reckon(said: Said) -> Iterable[Number]:
        found: list[Number] = []
        for n, step in enumerate(said.earlier):
            if step.ruling.msg.id == "ambush dr of {side}" and isinstance(step.chance, Roll):
                line = said.earlier[n - 1].tally
                drm = line.total if line is not None and line.name == "ambush drm" else 0
                found.append(sum(step.chance.faces) + drm)
        yield which(found[-2:])

    return reckon


# Weapons


def lowered(said: Said) -> int:
    """By how much the rules lower a B# or X# that the step cites."""
    cited = (*said.step.ruling.refs, *said.step.ruling.anchors)
    locators = {ref.partition(":")[2] for ref in cited}
    return sum(value for locator, value in LOWER.items() if locator in locators)


def breakdown(said: Said) -> Iterable[Number]:
    """The printed B#, lowered by the rules that the step cites (6.12, 4.1.breakdown)."""
    facts = said.step.ruling.msg.facts
    name, _, part = str(facts.get("weapon", facts.get("unit"))).partition(":")
    if part not in ("", "ma", "ife"):
        yield 12  # 7.8
        return
    one = said.before.weapons.get(name) or said.before.vehicles[name]
    lower = lowered(said)
    yield one.data.b - lower
    if said.cites("7.2.1"):
        yield min(one.data.b, one.data.low_ammo - 1) - lower


def lost_at(said: Said) -> Iterable[Number]:
    """The printed B#, at which a weapon that breaks earlier is lost (casa.16)."""
    yield said.before.weapons[said.fact("unit")].data.b


def spoilt(said: Said) -> Iterable[Number]:
    """The printed X#, lowered by the rules that the step cites (4.4.1)."""
    yield said.before.weapons[said.fact("unit")].data.x - lowered(said)


def burnt_out(said: Said) -> Iterable[Number]:
    """10, 8 for who is not elite, less what the other rules say that are cited (4.2)."""
    weapon = said.before.weapons[said.fact("unit")]
    owner = said.before.units[weapon.owner]
    yield 10 - (2 if owner.is_mmc and owner.data.grade != "E" else 0) - lowered(said)


def dud(said: Said) -> Iterable[Number]:
    """The number of the DC in the hex, as it was when it was placed (4.3, casa.14)."""
    hex = since(said, "the DC in {hex}")[0].ruling.msg.facts["hex"]
    yield from (w.dud_at for w in said.before.weapons.values() if w.planted == hex)


def rate(said: Said) -> Iterable[Number]:
    """The ROF as its lines say; on the IFT the printed one, less what 3.2.4.rof_mod takes."""
    lines = totals(since(said, *HEADINGS), "ROF")
    if lines:
        yield lines[-1]
        return
    state, (name, _, part) = said.before, said.fact("unit").partition(":")
    one = state.weapons.get(name) or state.vehicles[name]
    if not said.cites("3.2.4.rof_mod"):
        yield one.data.rof
    elif name in state.vehicles:
        yield one.data.rof - 1 - (one.turned > 0 and not one.data.is_turreted)
    else:
        owner = state.units[one.owner]
        turned = not one.data.is_360 and (one.turned > 0 or one.ca < 0)
        by_hand = 1 + (owner.data.kind != CREW) + turned if part == "ife" else 0
        yield one.data.rof - (owner.side != one.side) - by_hand


def exponent(said: Said) -> Number:
    """The Smoke Exponent on the counter."""
    return int(named(said).data.smoke)


def dispenser(said: Said) -> Iterable[Number]:
    """The usage number of the smoke dispenser, less the DRM told since the last roll (7.5)."""
    (number,) = said.before.vehicles[said.fact("unit")].data.smoke.values()
    yield number - sum(totals(fresh(said), "smoke DRM"))


def pushing(said: Said) -> Number:
    """The M# of the Gun."""
    return int(said.before.weapons[said.fact("weapon")].data.m)


def in_sight(said: Said) -> Iterable[Number]:
    """The MF or MP in the LOS, as the lines before say."""
    yield said.value("MF or MP in LOS") or 0


ORIGINS: Mapping[Kind, Origin] = {
    ("a FG of {n}: {units}", "n"): group,
    (ON_COLUMN, "fp"): summed,
    (ON_COLUMN, "column"): read_column,
    (ON_COLUMN_HIT, "fp"): summed,
    (ON_COLUMN_HIT, "column"): read_column,
    (COWERING, "n"): cowers,
    (COWERED, "column"): cowered,
    (AT_HIDDEN, "column"): at_hidden,
    (FINAL, "dr"): final,
    (FINAL, "column"): told_column,
    (FINAL_OF, "dr"): final,
    (FINAL_OF, "column"): told_column,
    (LEAVES, "fp"): left_fp,
    (LEAVES, "column"): left_column,
    ("{unit} keeps its ROF {rof}: coloured die {dr}", "rof"): rate,
    ("{unit} loses its ROF {rof}: coloured die {dr}", "rof"): rate,
    (TH, "range"): away,
    (TH, "number"): printed_th,
    ("short barrel", "range"): away,
    ("long barrel", "range"): away,
    ("very long barrel", "range"): away,
    ("APCR or APDS", "range"): away,
    ("calibre of 57 mm or less", "range"): away,
    ("calibre of 40 mm or less", "range"): away,
    ("{ammo} at range {range}", "range"): away,
    ("range {range}: no effect", "range"): away,
    ("FP of a FT at {range}", "range"): away,
    (TO_HIT, "number"): to_hit,
    (CASE_16, "n"): doubled,
    (HIT_OR_MISS, "dr"): hit_or_miss,
    ("{weapon} acquires its target in {hex}: {n} To Hit", "n"): acquired,
    ("{weapon} has its target in {hex} better acquired: {n} To Hit", "n"): acquired,
    ("{weapon} keeps its target in {hex} acquired: {n} To Hit", "n"): acquired,
    (MF_SPENT, "n"): spent,
    (MF_SPENT, "total"): in_all,
    (MP_SPENT, "n"): spent,
    (MP_SPENT, "total"): in_all,
    (HEAVY, "n"): too_heavy,
    (HEAVY, "carried"): carried,
    (HEAVY, "free"): free,
    (SHOTS, "n"): shots,
    (SHOTS, "most"): shots_allowed,
    ("{unit} takes a MC: {morale} or less", "morale"): less(morale, "MC DRM", OWN_BARRAGE),
    ("{unit} takes a PTC: {morale} or less", "morale"): less(morale, "MC DRM", OWN_BARRAGE),
    ("{unit} takes a PAATC: {morale} or less", "morale"): less(morale, "PAATC DRM", OWN_BARRAGE),
    ("{unit} rallies with {number} or less", "number"): less(morale, "rally DRM", OWN_BARRAGE),
    ("the crew of {vehicle} takes a MC: {morale} or less", "morale"): less(
        crew_morale, "MC DRM", OWN_BARRAGE
    ),
    ("the crew of {vehicle} takes a PTC: {morale} or less", "morale"): less(
        crew_morale, "MC DRM", OWN_BARRAGE
    ),
    ("{unit} fails by more than its ELR {elr} and becomes {counter}", "elr"): elr,
    ("{side}: {points} casualty points", "points"): fixed(1),
    (KILL, "number"): kill,
    ("CC: under {number} eliminates", "number"): to_eliminate,
    (KILL_AGAIN, "fp"): with_leader("fp"),
    (KILL_AGAIN, "defence"): with_leader("defence"),
    (KILL_AGAIN, "number"): kill_again,
    ("with the new leader: CCV {number}", "number"): lambda said: [ccv(1)(said)],
    ("CCV {number}", "number"): lambda said: [ccv(0)(said)],
    ("CC against {unit}: under {number} eliminates", "number"): against_afv,
    ("{side} ambushes: {low} against {high}", "low"): ambush(min),
    ("{side} ambushes: {low} against {high}", "high"): ambush(max),
    ("no ambush: {low} against {high}, less than 3 apart", "low"): ambush(min),
    ("no ambush: {low} against {high}, less than 3 apart", "high"): ambush(max),
    ("{weapon} malfunctions: {dr}, B# {number}", "number"): breakdown,
    ("{unit} is lost: {dr}, B# {number}", "number"): lost_at,
    ("{unit} is lost: {dr}, X# {number}", "number"): spoilt,
    ("{unit} is used up: {dr}, X# {number}", "number"): burnt_out,
    ("a dud: {dr}, X# {number}", "number"): dud,
    ("{unit} places smoke with {number} or less", "number"): less(exponent, "smoke drm"),
    ("{unit} makes smoke with {number} or less", "number"): dispenser,
    ("Bog Check of {unit}: under {number}", "number"): less(lambda _said: 12, "Bog DRM"),
    ("{weapon} is pushed: under {number}", "number"): less(pushing, "manhandling DRM"),
    ("{unit} gets going with {number} or less", "number"): in_sight,
}
