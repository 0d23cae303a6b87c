"""What odds are worth knowing, what a screen tints and what it tells of a hex.

No rules of their own: questions are answered by the procedures, overlays by the same predicates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from engine.core import paths
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Command, Ruling, Side
from engine.core.text import N_, NP_, Fact, Msg, msg
from engine.core.title import Layer, Overlay, Question
from engine.toi.rules import assault
from engine.toi.rules.activation import WHICH_ACTION, WHICH_VERB
from engine.toi.rules.combined import WHO_SUPPORTS
from engine.toi.rules.cover import hex_cover
from engine.toi.rules.fire import WHICH_FIGURES, WHICH_TYPE, WHOM
from engine.toi.rules.ground import ground, sees
from engine.toi.rules.movement import WHAT_NEXT, can_stay, points, step_cost
from engine.toi.rules.opportunity import REACT
from engine.toi.rules.specialists import WHO_IS_HEALED
from engine.toi.rules.suppression import WHICH_FIGURE
from engine.toi.rules.targets import BAND, band_of, groups, range_of
from engine.toi.rules.terrain import POINT, TERRAIN
from engine.toi.state import tables
from engine.toi.state.book import locators, rule
from engine.toi.state.state import (
    ADVANCE,
    HEAVY,
    INTACT,
    MINES,
    NEUTRAL,
    NORMAL,
    TRAP,
    WIRE,
    State,
    Unit,
)
from engine.toi.state.units import by_hex, has_trait, obstacles_at, place_of, shown_enemies_at

NORMAL_ANSWER, SUPPRESSIVE_ANSWER = "b:normale", "b:soppressivo"

Read = Callable[[State, State], Msg]


# --- what came of it --------------------------------------------------------------------------


def fate(name: str) -> Read:
    """What happened to one unit."""

    def read(before: State, after: State) -> Msg:
        old, new = before.units.get(name), after.units.get(name)
        if old is None or new is None:
            return msg(N_("{unit} is lost"), unit=name)
        if new.condition != old.condition and new.condition != NORMAL:
            return msg(N_("{unit} is {condition}"), unit=name, condition=new.condition)
        if new.damage != old.damage:
            return msg(N_("{unit}: {damage} damage"), unit=name, damage=new.damage)
        lost = len(old.figures) - len(new.figures)
        if lost > 0:
            plural = NP_("{unit} loses {n} figure", "{unit} loses {n} figures")
            return msg(plural, unit=name, n=lost)
        return msg(N_("{unit}: no effect"), unit=name)

    return read


def clash(active: str, label: str) -> Read:
    """How an assault ended, and what it cost."""

    def read(before: State, after: State) -> Msg:
        side = before.units[active].side
        mine = _figures(before, side) - _figures(after, side)
        theirs = _figures(before, side, others=True) - _figures(after, side, others=True)
        held = any(unit.side != side for unit in by_hex(after.units).get(label, ()))
        facts: dict[str, Fact] = {"hex": label, "mine": mine, "theirs": theirs}
        if held:
            return Msg(N_("{hex} holds: {mine} figures lost, {theirs} killed"), facts)
        return Msg(N_("{hex} is cleared: {mine} figures lost, {theirs} killed"), facts)

    return read


def _figures(state: State, side: str, others: bool = False) -> int:
    return sum(len(unit.figures) for unit in state.units.values() if (unit.side == side) != others)


# --- what is taken for granted ----------------------------------------------------------------


def assume(kind: str) -> Callable[[Decision], tuple[str, Ruling] | None]:
    """Answers to what is asked in between: no more support, all figures, the given type."""

    def policy(decision: Decision) -> tuple[str, Ruling] | None:
        known = {option.id for option in decision.options}
        for answer, ruling in (
            (kind, rule("attacco.3-tipo", N_("The attack is of the given type"))),
            ("b:fuoco", rule("fuoco-combinato.quando", N_("Nobody else supports"))),
            ("b:assalto", rule("assalto.1-supporto", N_("Nobody else supports"))),
            ("b:tutti", rule("combattimento.miste", N_("All figures take part"))),
            ("b:si", rule("miniature.carro.blindatura-solida", N_("The owner uses it"))),
            ("b:rilancia", rule("operazioni.generale", N_("The owner uses it"))),
            ("b:partecipa", rule("faq.assalto-nascoste", N_("Concealed squads fight"))),
        ):
            if answer in known:
                return answer, ruling
        asked = decision.ruling.msg.id
        if asked in (WHICH_FIGURE, assault.WHO_IS_HIT):
            first = decision.options[0].id
            return first, rule("danni.squadra", N_("The owner loses the first figure named"))
        if asked == REACT:
            return "b:no", rule("fuoco-op.innesco", N_("The enemy holds fire"))
        return None

    return policy


# --- the questions ----------------------------------------------------------------------------


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """The questions of a decision."""
    ask = ASKED.get(decision.ruling.msg.id)
    return tuple(ask(state, decision)) if ask is not None else ()


def _kinds(target: Unit) -> tuple[tuple[str, str], ...]:
    normal = (NORMAL_ANSWER, N_("normal attack"))
    return (
        (normal, (SUPPRESSIVE_ANSWER, N_("suppressive attack"))) if target.is_squad else (normal,)
    )


def _shots(state: State, decision: Decision) -> Iterator[Question]:
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        if option.kind == "unit":
            target = state.units[option.id[2:]]
            for answer, kind in _kinds(target):
                yield Question(
                    msg(
                        N_("{unit} fires at {target}: {kind}"),
                        unit=unit,
                        target=target.id,
                        kind=kind,
                    ),
                    (Command(decision.side, option.id),),
                    fate(target.id),
                    assume(answer),
                )
        elif option.kind == "hex":
            label = option.id[2:]
            for one in by_hex(state.units).get(label, ()):
                for answer, kind in _kinds(one):
                    yield Question(
                        msg(
                            N_("Mortars of {unit} on {hex}, {target}: {kind}"),
                            unit=unit,
                            hex=label,
                            target=one.id,
                            kind=kind,
                        ),
                        (Command(decision.side, option.id),),
                        fate(one.id),
                        assume(answer),
                    )


def _types(state: State, decision: Decision) -> Iterator[Question]:
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        kind = N_("normal attack") if option.id == NORMAL_ANSWER else N_("suppressive attack")
        yield Question(
            msg(N_("{unit}: {kind}"), unit=unit, kind=kind),
            (Command(decision.side, option.id),),
            worst_hit,
            assume(option.id),
        )


def _groups(_state: State, decision: Decision) -> Iterator[Question]:
    """A normal attack by each group of figures that may be chosen (combattimento.miste)."""
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        yield Question(
            msg(
                N_("{unit}, {group}: {kind}"),
                unit=unit,
                group=option.msg.id,
                kind=N_("normal attack"),
            ),
            (Command(decision.side, option.id),),
            worst_hit,
            assume(NORMAL_ANSWER),
        )


def worst_hit(before: State, after: State) -> Msg:
    """What happened to the unit that suffered, whoever it was."""
    for name, old in before.units.items():
        new = after.units.get(name)
        if new is None or (new.figures, new.condition, new.damage) != (
            old.figures,
            old.condition,
            old.damage,
        ):
            return fate(name)(before, after)
    return msg(N_("No effect"))


def _supports(state: State, decision: Decision) -> Iterator[Question]:
    facts = decision.ruling.msg.facts
    name = str(facts.get("target", facts["unit"]))
    target = state.units.get(name)
    if target is None:
        return
    for option in decision.options:
        if option.id == "b:no":
            continue
        for answer, kind in _kinds(target):
            yield Question(
                msg(N_("{option}, {target}: {kind}"), option=option.id, target=name, kind=kind),
                (Command(decision.side, option.id),),
                fate(name),
                assume(answer),
            )


def _assaults(state: State, decision: Decision) -> Iterator[Question]:
    facts = decision.ruling.msg.facts
    unit = str(facts["unit"])
    for option in decision.options:
        label = str(facts.get("hex", option.id[2:]))
        yield Question(
            msg(N_("{unit} assaults {hex}: {option}"), unit=unit, hex=label, option=option.id),
            (Command(decision.side, option.id),),
            clash(unit, label),
            assume(NORMAL_ANSWER),
        )


def _steps(state: State, decision: Decision) -> Iterator[Question]:
    """What a minefield would do to whoever enters it."""
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        if option.kind == "hex" and MINES in obstacles_at(state, option.id[2:]):
            yield Question(
                msg(N_("{unit} enters the minefield in {hex}"), unit=unit, hex=option.id[2:]),
                (Command(decision.side, option.id),),
                fate(unit),
                assume(NORMAL_ANSWER),
            )


def _calls(state: State, decision: Decision) -> Iterator[Question]:
    """Whether a card makes contact."""
    for option in decision.options:
        name = option.id[2:]
        if option.kind == "card" and tables.CARDS[name].effect.contact:
            yield Question(
                msg(N_("{card}: contact"), card=name),
                (Command(decision.side, option.id),),
                contact(name),
            )


def contact(name: str) -> Read:
    """Whether a card waits in the play area for another call."""

    def read(before: State, after: State) -> Msg:
        waits = any(played.card == name for army in after.armies.values() for played in army.area)
        return msg(N_("No contact")) if waits else msg(N_("Contact"))

    return read


def _cures(state: State, decision: Decision) -> Iterator[Question]:
    unit = str(decision.ruling.msg.facts["unit"])
    if any(option.id == "b:cura" for option in decision.options):
        yield Question(
            msg(N_("{unit} heals"), unit=unit),
            (Command(decision.side, "b:cura"),),
            healed,
            first_option,
        )


def healed(before: State, after: State) -> Msg:
    """Whether somebody received a figure."""
    more = any(
        len(unit.figures) > len(before.units[name].figures)
        for name, unit in after.units.items()
        if name in before.units
    )
    return msg(N_("A figure recovers")) if more else msg(N_("No effect"))


def first_option(decision: Decision) -> tuple[str, Ruling] | None:
    """The first squad named is healed."""
    if decision.ruling.msg.id != WHO_IS_HEALED:
        return None
    assumed = rule("specializzazioni.medico.cura", N_("The first squad named is healed"))
    return decision.options[0].id, assumed


ASKED: dict[str, Callable[[State, Decision], Iterator[Question]]] = {
    WHOM: _shots,
    WHICH_FIGURES: _groups,
    WHICH_TYPE: _types,
    WHO_SUPPORTS: _supports,
    REACT: _supports,
    assault.WHICH_HEX: _assaults,
    assault.WHO_SUPPORTS: _assaults,
    WHAT_NEXT: _steps,
    WHICH_ACTION: _calls,
    WHICH_VERB: _cures,
}
"""The decisions whose odds are worth asking."""


# --- overlays ---------------------------------------------------------------------------------


def overlays(state: State, decision: Decision) -> tuple[Overlay, ...]:
    """What to tint on the map at a decision."""
    name = str(decision.ruling.msg.facts.get("unit", ""))
    unit = state.units.get(name)
    if unit is None or not place_of(state, unit):
        return ()
    asked = decision.ruling.msg.id
    if asked == WHAT_NEXT:
        left = state.active.mp if state.active is not None else 0
        return (reachable(state, unit, left),)
    if asked == WHICH_VERB:
        return (*_march(state, unit), in_range(state, unit))
    return (in_range(state, unit),) if asked == WHOM else ()


def _march(state: State, unit: Unit) -> Iterator[Overlay]:
    if unit.condition == NORMAL and unit.damage != HEAVY and not unit.aboard:
        total = sum(modifier.value for modifier in points(state, unit, ADVANCE))
        yield reachable(state, unit, total * POINT)


def reachable(state: State, unit: Unit, mp: int) -> Overlay:
    """The hexes that a unit can reach, with their cost in points."""
    field = ground(state)
    start = place_of(state, unit)
    overruns = has_trait(unit, "overrun")

    def price(a: str, b: str, spent: paths.Cost) -> int | None:
        if shown_enemies_at(state, b, unit.side) and not overruns:
            return None
        return step_cost(state, unit, a, b)

    def halts(label: str) -> bool:
        kinds = obstacles_at(state, label)
        stopped = WIRE in kinds and not overruns and unit.token != "engineer"
        return MINES in kinds or (TRAP in kinds and not unit.is_squad) or stopped

    found = paths.reach(
        field.hex[start],
        lambda a, b, spent: price(field.name[a], field.name[b], spent),
        mp,
        neighbours=lambda h: [field.hex[label] for label in field.near[field.name[h]]],
        must_stop=lambda h: halts(field.name[h]),
    )
    costs = {
        h: str(-(-int(cost) // POINT)) if int(cost) % POINT == 0 else f"{int(cost)}/3"
        for h, cost in found.costs.items()
        if h != field.hex[start] and can_stay(state, unit, field.name[h])
    }
    return Overlay("reach", msg(N_("Movement points of {unit}"), unit=unit.id), costs)


def in_range(state: State, unit: Unit) -> Overlay:
    """The hexes that a unit sees within its range against squads, with the band."""
    hexes = {}
    field = ground(state)
    if unit.hex and groups(unit):
        for label, h in field.hex.items():
            target = Unit("", "", 1, "squad", hex=label)
            reach = range_of(state, unit, groups(unit)[0], target)
            band = band_of(field.distance(unit.hex, label), reach)
            if band and label != unit.hex and sees(state, unit.hex, label):
                hexes[h] = BAND[band].msg.id
    return Overlay("range", msg(N_("Range of {unit} against squads"), unit=unit.id), hexes)


def layers(state: State, side: Side) -> tuple[Layer, ...]:
    """What can be laid over the map: where the enemy can fire, who controls what."""
    return (
        Layer("threats", msg(N_("how many enemy units can fire there")),
              lambda: threats(state, side)),
        Layer("control", msg(N_("who controls the objectives")), lambda: control(state)),
    )  # fmt: skip


def threats(state: State, side: Side) -> dict[Hex, str]:
    """How many enemy units see each hex within their range."""
    found: Counter[Hex] = Counter()
    for unit in state.units.values():
        if unit.side != side and not unit.concealed:
            found.update(in_range(state, unit).hexes.keys())
    return {h: str(n) for h, n in found.items()}


def control(state: State) -> dict[Hex, str]:
    """The side that controls each objective."""
    return {ground(state).hex[label]: holder for label, holder in state.control.items() if holder}


# --- one hex ----------------------------------------------------------------------------------


def inspect(state: State, label: str) -> tuple[Ruling, ...]:
    """What the rules say of a hex: terrain, level, cover, works, objective."""
    return tuple(_told(state, label))


def _told(state: State, label: str) -> Iterator[Ruling]:
    field = ground(state)
    terrain = field.terrain[label]
    yield rule(
        (*locators(TERRAIN[terrain.id]), "terreno.lettura"),
        N_("{hex}: {terrain}"),
        hex=label,
        terrain=terrain.id,
    )
    for who, cost in ((N_("squads"), terrain.squads), (N_("vehicles"), terrain.vehicles)):
        if cost is None:
            yield rule(
                (*locators(TERRAIN[terrain.id]), "movimento.costo"), N_("{who}: no entry"), who=who
            )
        else:
            yield rule(
                (*locators(TERRAIN[terrain.id]), "movimento.costo"),
                N_("{who}: {n} movement points"),
                who=who,
                n=cost,
            )
    if field.level[label]:
        yield rule(("raggio.livelli", "terreno.montagna"), N_("level {n}"), n=field.level[label])
    if any(field.has_road(label, near) for near in field.near[label]):
        yield rule(("terreno.strada", "miniature.camion.strada"), N_("a road passes here"))
    total = 0
    for modifier in hex_cover(state, label):
        total += modifier.value
        refs = locators(modifier.ruling)
        yield rule(refs, N_("cover {n}"), n=modifier.value)
    if terrain.blocks or label in state.smoke:
        yield rule("visuale.bloccanti", N_("blocks the line of sight"))
    for fort in state.forts.values():
        if fort.hex == label:
            yield rule(
                ("fortificazioni.bunker" if fort.kind == "bunker" else "fortificazioni.trincea"),
                N_("{fort}: {kind}, cover {n}"),
                fort=fort.id,
                kind=fort.kind,
                n=tables.MARKERS[fort.kind].cover,
            )
    for kind in obstacles_at(state, label):
        yield rule(
            {WIRE: "ostacoli.filo-arresto", TRAP: "ostacoli.frisia", MINES: "ostacoli.mine"}[kind],
            N_("{obstacle}"),
            obstacle=kind,
        )
    objective = state.objectives.get(label)
    if objective is not None:
        if objective.command:
            yield rule(
                ("comando.entrate", "comando.tipi-obiettivo"),
                N_("command objective of {side}: {n}"),
                side=objective.owner or NEUTRAL,
                n=objective.command,
            )
        if objective.victory:
            yield rule("vittoria.condizioni", N_("victory objective"))
        if label in state.control:
            yield rule(
                "comando.controllo-permane", N_("controlled by {side}"), side=state.control[label]
            )
    for unit in by_hex(state.units).get(label, ()):
        if unit.damage != INTACT:
            yield rule(
                "danni.permane", N_("{unit}: {damage} damage"), unit=unit.id, damage=unit.damage
            )
