"""The numbers of Warfare: the track with its boxes, costs printed on the backs, random tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.warfare.rules.morale import DIE_IDS
from engine.warfare.state import generator
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import Support, Unit
from engine.warfare.state.tables import TERRAIN
from tests.titles.numbers import Kind, Number, Origin, Said
from tests.titles.origins.common import several

BOXES = 40
ONE_AP = (
    "overwatch.azione",
    "fumogeni.lancio",
    "trasporto.abilita",
    "scenari.casuali",
    "droni_squadra.abilita",
    "aviotrasporto.abilita",
)
"""The rules whose text says that the action costs 1 AP."""
FAILED_ASSAULT = 2


def to_pass(said: Said) -> Iterable[Number]:
    """The AP up to the box behind the next cube (track.passare)."""
    cubes = said.before.cubes
    own = cubes[said.fact("side")].position
    yield max(0, min(c.position for c in cubes.values() if c.side != said.fact("side")) - own + 1)


def box_of_owner(said: Said) -> Iterable[Number]:
    """The box of the cube of who leads a support."""
    owner = said.before.supports[said.fact("support")].side
    yield BOXES - said.before.cubes[owner].position % BOXES


def price(said: Said) -> Iterable[Number]:
    """What the action costs: a rule's word, a tally, the way back, or the back of a counter."""
    if said.cites("movimento.pagare"):
        yield from (said.value("cost"),) if said.value("cost") is not None else ()
    elif said.cites(*ONE_AP):
        yield 1
    elif said.cites("assalto.test"):
        yield FAILED_ASSAULT
    elif said.cites("ignoti.blocco"):
        yield from way_back(said)
    elif said.cites("recupero.costo"):
        yield from (_less_damage(n, one) for one in payers(said) for n in die_bought(said))
    else:
        hunting = any("costs {unit} 1 AP more" in s.ruling.msg.id for s in said.earlier)
        for one in payers(said):
            yield from (_less_damage(ap, one) + hunting for ap in printed(one))


def paid_next(said: Said) -> Iterable[Number]:
    """What the line says that follows, whose own origin is looked for in its turn."""
    yield from (n for n in [said.later[0].ruling.msg.facts["n"]] if isinstance(n, int))


def payers(said: Said) -> Iterable[Unit | Support]:
    """The counters spoken of whose player pays."""
    state, side = said.before, said.step.ruling.msg.facts.get("side")
    for name in said.spoken_of():
        one = state.units.get(name) or state.supports.get(name)
        if one is not None and side in (None, one.side):
            yield one


def printed(one: Unit | Support) -> Iterable[int]:
    """The AP on the back of a counter."""
    yield from (weapon.ap for weapon in (one.values.light, one.values.heavy) if weapon)


def printed_of_named(said: Said) -> Iterable[Number]:
    """The AP on the back of the counter that the step names, or of the die that is bought."""
    one = next(iter(payers(said)))
    yield from (*printed(one), *die_bought(said))


def less_damage_of_named(said: Said) -> Iterable[Number]:
    """The same, less its damage."""
    one = next(iter(payers(said)))
    yield from (_less_damage(int(ap), one) for ap in printed_of_named(said))


def _less_damage(ap: int, one: Unit | Support) -> int:
    return max(1, ap - one.damage)


def die_bought(said: Said) -> Iterable[int]:
    """A die costs as many AP as its place among the colours (recupero.costo)."""
    yield from (DIE_IDS.index(name) + 1 for name in said.chosen if name in DIE_IDS)


def way_back(said: Said) -> Iterable[Number]:
    """The terrain where it came from, and one for who follows (arbitrato.rimbalzo)."""
    march = said.before.march
    terrain = TERRAIN[field_of(said.before).terrain[march.done[-1]]]
    ap = terrain.cost[said.before.units[march.unit].kind].partition("/")[0]
    yield int(ap) + any(name and said.before.population[name].hex for name in march.followers[:1])


def markers(said: Said) -> Iterable[Number]:
    """Population and what lies face down."""
    yield len(said.before.population) + len(said.before.hidden)


def table_roll(said: Said) -> Iterable[Number]:
    """The die of a table, which the seed of the scenario gives."""
    seed = 0
    for face in said.rolled():
        seed = seed * 20 + face - 1
    given = said.before.switches.get(generator.SEED, "")
    plan = generator.plan(int(given) if given.isdigit() else seed)
    yield from (roll for table, roll, _row in plan.tables() if table == said.fact("table"))


ORIGINS: Mapping[Kind, Origin] = {
    ("{side} spends {n} AP: box {box}", "n"): price,
    ("{side} has {available} AP before becoming reactive and pays {cost}", "cost"): paid_next,
    ("{side} has {available} AP before becoming reactive and pays {cost}", "available"): to_pass,
    ("{side} passes: box {box}", "n"): to_pass,
    ("{support} goes on the track: box {box}", "box"): box_of_owner,
    ("{unit} has damage {damage}: {cost} AP instead of {printed}", "cost"): less_damage_of_named,
    ("{unit} has damage {damage}: {cost} AP instead of {printed}", "printed"): printed_of_named,
    ("{n} unit", "n"): several("units"),
    ("{n} marker", "n"): markers,
    ("{table}, roll {roll}: {row}", "roll"): table_roll,
}
