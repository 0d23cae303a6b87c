"""The numbers of Tide of Iron: movement points, distances, dice by range band, hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from engine.core.ctx import exact
from engine.core.rules import Roll
from engine.toi.rules.ground import ground
from engine.toi.state.state import HEAVY, INTACT, LIGHT, Unit
from engine.toi.state.tables import CARDS, scenarios
from engine.toi.state.units import has_trait
from tests.titles.numbers import Kind, Number, Origin, Said
from tests.titles.origins.common import fixed, latest, several, since, successes, totals

ATTACK = "{unit} attacks {target}"
VOLLEY = "{unit} rolls {black} black and {red} red dice, {need} or more"
SALVO = "{black} black dice on {hex}, {need} or more"
SUCCESSES = "{n} successes against every unit"
NET = "{n} hits after the red dice"
ASSAULTS = "{unit} assaults {hex}"
ASSAULT_DICE = "Assault: {n} black dice"
DEFENCE_DICE = "Defence: {n} black dice"
HEX_COVER = "Cover of the hex: {n} red dice"
SCORES, ANSWER = "The attacker scores {n} hits", "The defender scores {n} hits"
LOSES, TAKES = "The attacker loses {n} figures", "The defender takes {n} hits"
STRUCK = "{target}: {n} hits, {kind}"
FALLS = ("{unit} loses {figure}", "{unit} loses {figure}, by choice of its owner")
ACTIVATES, EFFECT = "{side} activates {card}", "Effect of {card}"
HALF_TRACK = {INTACT: 4, LIGHT: 3, HEAVY: 1}
TRUCK = {INTACT: 3, LIGHT: 1}
"""The hits that destroy a light vehicle, by its damage (assalto.7-veicoli)."""
CHEAPER = "{card} costs {cost} instead of {full}, because of {by}"
EASIER = "{card}: contact with {n} instead of {full}, because of {by}"
HEX_POINTS = "{hex}: {n} victory points for {side}"
AT_ONCE = "{side} controls {n} victory objectives: {wanted} win at once"
AT_THE_END = "{side} controls {n} victory objectives: {wanted} are needed"
THIRDS = 3
UPHILL = 2
BANDS = {"close range": 4, "normal range": 5, "long range": 6}
ASSAULT, AREA = 4, 5
SAVES, MINES = 5, 4
USES = {
    "trasporto.salire#due-pm": 2,
    "trasporto.scendere#due-pm": 2,
    "movimento-altri-usi/Entrare in trincea o bunker": 1,
    "movimento-altri-usi/Uscire da trincea o bunker": 1,
    "movimento-altri-usi/Togliere filo spinato": 2,
}
"""The points that each use costs, by the sentence or the cell that says so."""
DRIFT = (
    ("No ready squad sees {hex}: drift number {n}", "n"),
    ("{unit} sees {hex}: drift number {n}", "n"),
    ("{unit} is in or next to {hex}: drift number {n}", "n"),
    ("{unit} has an officer and sees {hex}: drift number {n}", "n"),
    ("{unit} is a forward observer of {hex}: drift number {n}", "n"),
)


def left(said: Said) -> Iterable[Number]:
    """The points before it entered, less the road, the slope or the cell of the terrain table."""
    state, field = said.before, ground(said.before)
    unit, hex = state.units[said.fact("unit")], said.fact("hex")
    cell = field.terrain[hex].squads if unit.is_squad else field.terrain[hex].vehicles
    cost = Fraction(cell or 0)
    if said.cites("miniature.camion.strada"):
        cost = Fraction(1, 3)
    elif said.cites("terreno.strada"):
        cost = Fraction(1)
    elif field.level[hex] > field.level[unit.hex]:
        cost = max(cost, Fraction(UPHILL))
    if said.cites("miniature.carro.blitz"):
        others = [u for u in state.units.values() if u.hex == hex and u.side != unit.side]
        cost += sum(not other.concealed for other in others)
    yield exact(Fraction(state.active.mp, THIRDS) - cost)


def distance(said: Said) -> Iterable[Number]:
    """From the unit to the hex that the last line of sight led to."""
    aimed = [s.ruling.msg.facts["b"] for s in said.earlier if s.ruling.msg.id == "{a} sees {b}"]
    field, unit = ground(said.before), said.before.units[said.fact("unit")]
    (q, r), (x, y) = field.hex[unit.hex], field.hex[str(aimed[-1])]
    yield (abs(x - q) + abs(y - r) + abs(x + y - q - r)) // 2


def need(said: Said) -> Iterable[Number]:
    """The success of the range band that was said for this roll; without one the rule's own."""
    rolls = [n for n, step in enumerate(said.earlier) if step.chance is not None]
    steps = said.earlier[rolls[-1] + 1 :] if rolls else said.earlier
    bands = [str(s.ruling.msg.facts["band"]) for s in steps if "band" in s.ruling.msg.facts]
    if bands:
        yield BANDS[bands[-1]]
    else:
        yield AREA if said.cites("area.lancio") else ASSAULT


def firepower(said: Said) -> Iterable[Number]:
    """What the lead and its supporters came to, together."""
    yield sum(totals(since(said, ATTACK), "Firepower"))


def cover(said: Said) -> Iterable[Number]:
    """What the cover came to; nothing without a line."""
    yield from totals(since(said, ATTACK), "Cover")[-1:] or [0]


def hits(said: Said) -> Iterable[Number]:
    """Black successes less red ones, with a die rolled again and the thick armor's."""
    steps = since(said, VOLLEY)
    facts, chance = steps[0].ruling.msg.facts, steps[0].chance
    assert isinstance(chance, Roll)
    black, wanted = int(str(facts["black"])), int(str(facts["need"]))
    net = sum(face >= wanted for face in chance.faces[:black])
    net -= sum(face >= SAVES for face in chance.faces[black:])
    for step in steps[1:]:
        if isinstance(step.chance, Roll):
            net += sum(face >= wanted for face in step.chance.faces)
        net -= step.ruling.msg.id == "{unit}: one more red success"
    yield max(0, net)


def salvo(said: Said) -> Iterable[Number]:
    """The successes of an area attack."""
    wanted = since(said, SALVO)[0].ruling.msg.facts["need"]
    yield sum(face >= int(str(wanted)) for face in said.rolled())


def struck(said: Said) -> Iterable[Number]:
    """The successes of an area attack less what the unit's own red dice saved; mines' on 4."""
    if said.cites("ostacoli.mine"):
        yield sum(face >= MINES for face in said.rolled())
    if said.cites("assalto.7-veicoli"):
        yield taken_by_vehicle(said)
    if not said.cites("area.difesa"):
        return
    steps = since(said, SUCCESSES)
    net = int(str(steps[0].ruling.msg.facts["n"]))
    own = [s for s in steps if s.ruling.msg.facts.get("unit") == said.fact("unit")]
    for step in own:
        if isinstance(step.chance, Roll):
            net -= sum(face >= SAVES for face in step.chance.faces)
        net -= step.ruling.msg.id == "{unit}: one more red success"
    yield net


def taken_by_vehicle(said: Said) -> int:
    """What the defender did not give the others, at most what destroys it."""
    unit = said.rest.units[said.fact("unit")]
    here = [other.id for other in said.rest.units.values() if other.hex == unit.hex]
    hits = sum(int(n) for n in latest((TAKES, "n"))(said))
    others = sum(said.chosen.count(name) for name in here if name != unit.id)
    return min(room(unit), hits - others)


def room(unit: Unit) -> int:
    """The hits that it can take: its figures, or the cell of the table (assalto.7-veicoli)."""
    if unit.is_squad:
        return len(unit.figures)
    return (TRUCK if has_trait(unit, "fragile") else HALF_TRACK)[unit.damage]


def beyond_last(said: Said) -> Iterable[Number]:
    """Hits less the figures lost; the defender's are counted before anything is lost."""
    if said.cites("assalto.7-perdite-difensore"):
        hex = since(said, ASSAULTS)[0].ruling.msg.facts["hex"]
        here = [u for u in said.before.units.values() if u.hex == hex and not u.concealed]
        hits = sum(int(n) for n in latest((TAKES, "n"))(said))
        yield hits - sum(map(room, here))
    else:
        steps = since(said, LOSES)
        fallen = sum(step.ruling.msg.id in FALLS for step in steps)
        yield int(str(steps[0].ruling.msg.facts["n"])) - fallen


def beyond_figures(said: Said) -> Iterable[Number]:
    """The hits on the squad less the figures that it lost by them."""
    name, steps = said.fact("unit"), since(said, STRUCK, "{unit}: {n} hits")
    lost = [s for s in steps if s.ruling.msg.id in FALLS and s.ruling.msg.facts["unit"] == name]
    yield int(str(steps[0].ruling.msg.facts["n"])) - len(lost)


def assaulting(tally: str) -> Origin:
    """What a tally of the assault came to, of all who take part."""
    return lambda said: [sum(totals(since(said, ASSAULTS), tally))]


def answered(said: Said) -> Iterable[Number]:
    """The successes of the defenders' dice; none without dice."""
    yield from [*latest((ANSWER, "n"))(said)] if _answers(said) else [0]


def _answers(said: Said) -> bool:
    return any(s.ruling.msg.id == ANSWER for s in since(said, ASSAULTS))


def spent(said: Said) -> Iterable[Number]:
    """The cost of the card just activated, the number answered, or the other division's one."""
    if said.cites("squadre-gioco.combinato"):
        yield 1
    elif said.cites("comando.iniziativa-spesa"):
        yield from (int(answer) for answer in said.chosen if answer.isdigit())
    else:
        lines = [s.ruling.msg.facts for s in said.earlier if s.ruling.msg.id == ACTIVATES]
        lowered = [*latest((CHEAPER, "cost"))(said)]
        yield from lowered or [CARDS[str(lines[-1]["card"])].cost]


def on_card(field: str) -> Origin:
    """A number of the card whose effect is applied."""

    def printed(said: Said) -> Iterable[Number]:
        cards = [s.ruling.msg.facts["card"] for s in said.earlier if s.ruling.msg.id == EFFECT]
        yield getattr(CARDS[str(cards[-1])].effect, field)

    return printed


def one_point_less(said: Said) -> Iterable[Number]:
    """A movement point is lost, down to none."""
    yield exact(max(Fraction(0), Fraction(said.before.active.mp, THIRDS) - 1))


def contact(said: Said) -> Iterable[Number]:
    """The contact number of the card, or what a line before says that it is lowered to."""
    yield from [*latest((EASIER, "n"))(said)] or [CARDS[said.fact("card")].effect.contact]


def easier(said: Said) -> Iterable[Number]:
    """The contact number less what the other card says, and not below its minimum."""
    helping = CARDS[said.fact("by")].effect
    yield max(helping.minimum, CARDS[said.fact("card")].effect.contact - helping.n)


def printed_contact(said: Said) -> Iterable[Number]:
    """The contact number on the card."""
    yield CARDS[said.fact("card")].effect.contact


def lowered_cost(said: Said) -> Iterable[Number]:
    """The command on the card less what each of the others says, and not below nothing."""
    others = [CARDS[name].effect.n for name in said.fact("by")]
    yield max(0, CARDS[said.fact("card")].cost - sum(others))


def printed_cost(said: Said) -> Iterable[Number]:
    """The command on the card."""
    yield CARDS[said.fact("card")].cost


def points_now(said: Said) -> Iterable[Number]:
    """The movement points that the active unit has, as players count them."""
    yield exact(Fraction(said.before.active.mp, THIRDS))


def power_of_card(said: Said) -> Iterable[Number]:
    """The dice of the attacks of the card that was played."""
    for name in said.chosen[:2]:
        if name in CARDS:
            effect = CARDS[name].effect
            attacks = (effect.area, effect.following, effect.blast)
            yield from (attack.power for attack in attacks if attack is not None)


def causes(said: Said) -> Iterable[Number]:
    """As many as the rules of halving that the step cites."""
    yield sum(ref.endswith(("-meta", ".meta")) for ref in said.step.ruling.refs)


def figures(said: Said) -> Iterable[Number]:
    """How many figures of the kind the squad has."""
    yield said.before.units[said.fact("unit")].figures.count(said.fact("figure"))


def left_of_use(said: Said) -> Iterable[Number]:
    """The points before, less what the use costs: the words of the rule or of its table."""
    anchors = " ".join(said.step.ruling.anchors)
    cost = next(cost for words, cost in USES.items() if words in anchors)
    yield exact(Fraction(said.before.active.mp, THIRDS) - cost)


def income(said: Said) -> Iterable[Number]:
    """What its hexes give, as the lines before say, or what the card in play says."""
    own = by_hex(said, "{hex}: {n} command for {side}")
    yield from [sum(own)] if own else of_card(said)


def victory_points(said: Said) -> Iterable[Number]:
    """What its hexes give, as the lines before say."""
    yield sum(by_hex(said, HEX_POINTS))


def by_hex(said: Said, words: str) -> list[int]:
    """What the lines of a kind gave to the side, hex by hex."""
    lines = [s.ruling.msg.facts for s in said.earlier if s.ruling.msg.id == words]
    return [int(str(facts["n"])) for facts in lines if facts["side"] == said.fact("side")]


def of_objective(field: str) -> Origin:
    """What the scenario prints beside the objective."""
    return lambda said: [getattr(said.before.objectives[said.fact("hex")], field)]


def objectives(said: Said) -> Iterable[Number]:
    """As many as the line before names."""
    words = "Victory objectives of {side}: {hexes}"
    named = [s.ruling.msg.facts["hexes"] for s in said.earlier if s.ruling.msg.id == words]
    yield sum(len(hexes) for hexes in named if isinstance(hexes, tuple))


def goal(field: str) -> Origin:
    """What the scenario asks for."""
    return lambda said: [getattr(scenarios()[said.before.scenario].victory, field)]


def of_card(said: Said) -> Iterable[int]:
    """The number on the strategy card that was played."""
    yield from (CARDS[name].effect.n for name in said.chosen[:2] if name in CARDS)


def initiative(said: Said) -> Iterable[Number]:
    """The command just spent on it, or the card's number, at most what lies there if it goes."""
    if said.cites("comando.iniziativa-spesa"):
        yield from latest(("{side} spends {n} command", "n"))(said)
    here = said.before.armies[said.fact("side")].initiative
    yield from (n for number in of_card(said) for n in (number, -min(number, here)))


def obstacles(said: Said) -> Iterable[Number]:
    """The obstacles of every hex."""
    yield sum(map(len, said.before.obstacles.values()))


ORIGINS: Mapping[Kind, Origin] = {
    ("{unit} enters {hex}: {left} movement points left", "left"): left,
    ("{unit} is {distance} hexes away: {band}", "distance"): distance,
    (VOLLEY, "need"): need,
    (SALVO, "need"): need,
    ("Attack value: {n} black dice", "n"): firepower,
    ("Defence value: {n} red dice", "n"): cover,
    (VOLLEY, "black"): latest(("Attack value: {n} black dice", "n"), (ASSAULT_DICE, "n")),
    (VOLLEY, "red"): latest(("Defence value: {n} red dice", "n"), (HEX_COVER, "n")),
    (NET, "n"): hits,
    (ASSAULT_DICE, "n"): assaulting("Assault firepower"),
    (DEFENCE_DICE, "n"): assaulting("Defence firepower"),
    (HEX_COVER, "n"): assaulting("Cover"),
    (SCORES, "n"): hits,
    ("The defenders of {hex} roll {black} black dice", "black"): latest((DEFENCE_DICE, "n")),
    (ANSWER, "n"): successes(ASSAULT),
    (LOSES, "n"): latest((ANSWER, "n")),
    (TAKES, "n"): latest((SCORES, "n")),
    ("The assault fails: {a} hits against {b}", "a"): latest((SCORES, "n")),
    ("The assault fails: {a} hits against {b}", "b"): answered,
    ("The assault succeeds: {a} hits against {b}", "a"): latest((SCORES, "n")),
    ("The assault succeeds: {a} hits against {b}", "b"): answered,
    ("{n} hits beyond the last figure are lost", "n"): beyond_last,
    ("{unit}: {n} hits beyond its figures are lost", "n"): beyond_figures,
    ("{side} spends {n} command", "n"): spent,
    ("{unit} trembles with {n} or more", "n"): on_card("roll"),
    ("{seat} receives {n} actions", "n"): on_card("n"),
    ("{unit} heals {patient}: {need} or more", "need"): fixed(4),
    ("{unit} has {left} movement points left", "left"): one_point_less,
    (SUCCESSES, "n"): salvo,
    (STRUCK, "n"): latest((NET, "n")),
    ("{unit}, {damage}: {n} hits", "n"): latest((NET, "n"), ("{unit}: {n} hits", "n")),
    ("{unit}: {n} × {figure}", "n"): figures,
    ("{unit} has {left} movement points left: it can enter no other hex", "left"): points_now,
    (CHEAPER, "cost"): lowered_cost,
    (CHEAPER, "full"): printed_cost,
    (EASIER, "n"): easier,
    (EASIER, "full"): printed_contact,
    ("{unit} spends movement points: {left} left", "left"): left_of_use,
    ("{side} receives {n} command", "n"): income,
    ("{hex}: {n} command for {side}", "n"): of_objective("command"),
    (HEX_POINTS, "n"): of_objective("points"),
    ("{side} receives {n} victory points", "n"): victory_points,
    (AT_ONCE, "n"): objectives,
    (AT_ONCE, "wanted"): goal("instant"),
    (AT_THE_END, "n"): objectives,
    (AT_THE_END, "wanted"): goal("final"),
    ("initiative card of {side}: {n}", "n"): initiative,
    ("No ready squad sees {hex}: drift number {n}", "n"): fixed(6),
    ("{unit} sees {hex}: drift number {n}", "n"): fixed(4),
    ("{unit} is in or next to {hex}: drift number {n}", "n"): fixed(3),
    ("{unit} has an officer and sees {hex}: drift number {n}", "n"): fixed(3),
    ("{unit} is a forward observer of {hex}: drift number {n}", "n"): fixed(3),
    ("Drift from {hex}: {n} or more stays", "n"): latest(*DRIFT),
    ("{card}: contact with {n} or more", "n"): contact,
    ("{n} dice on {hex}: {kind}", "n"): power_of_card,
    ("{unit}: {n} hits", "n"): struck,
    ("{unit} stays concealed: {n} hits", "n"): latest((NET, "n"), (SUCCESSES, "n")),
    ("{unit} would be halved {n} times", "n"): causes,
    ("{n} fortifications and {m} obstacles on the map", "n"): several("forts"),
    ("{n} fortifications and {m} obstacles on the map", "m"): obstacles,
}
