"""Set-up (3, 21.1, ef.preparazione) and what variants change in it (22.1, 22.3, 22.4, 23.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.pools import Pool
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.core.title import Switch
from engine.ddob.rules.choosing import hex_choice
from engine.ddob.rules.landing import why_not_place
from engine.ddob.state.book import (
    BOMBARDMENT,
    DIVISIONS,
    REACTION,
    REDEPLOYMENT,
    SECTOR_OF,
    TANKS,
    US,
    rule,
)
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import (
    DepthGone,
    Discarded,
    GermanDisrupted,
    GermanGone,
    PhaseBegan,
    Placed,
)
from engine.ddob.state.ground import COVER_AT, HEX, LAND, SECTOR, TIDE_AT
from engine.ddob.state.state import OUT, TRACK, UNSEEN, German, State, Unit, units_at
from engine.ddob.state.tables import (
    BOXES,
    CARDS,
    DEPTH,
    GERMANS,
    HEROES,
    HIGH,
    POSITION_AT,
    POSITIONS,
    SETUPS,
    UNITS,
    Box,
    Setup,
)

DELAY_OF_BOMBARDMENT, LATE_DELAY = 3, 1
BOMBARDMENT_TURN = 4
WAITING = "waterline"
replace = msgspec.structs.replace
BOX_NAMES = {"wn": "wn depth"}
BOX_CHOICES = tuple(place(b.id, b, hex=HEX[b.hex]) for b in BOXES.values())
BEACH_CHOICES = tuple(hex_choice(h) for h in LAND if h in TIDE_AT)


def switches(scenario: str) -> tuple[Switch, ...]:
    """The optional rules of a scenario."""
    found = [
        Switch(
            "giocatori",
            rule("1.due-giocatori#ogni", N_("Players, one per division")),
            ("uno", "due"),
        ),
        Switch(
            "plunging",
            rule("casa.46", N_("Plunging fire raises sporadic dots to")),
            ("intenso", "moderato"),
        ),
        Switch(
            "8.16", rule("casa.63", N_("One attack per phase counts")), ("esagono", "posizione")
        ),
    ]
    if scenario != "beyond-the-beach":
        found.append(
            Switch(BOMBARDMENT, rule(("22.1#una", "casa.79"), N_("Effective Allied bombardment")))
        )
        found.append(
            Switch("22.2", rule(("22.2", "casa.79"), N_("Tanks of the first wave are safe")))
        )
    if scenario != "easy-fox":
        found.append(Switch("22.3", rule(("22.3", "casa.79"), N_("Rangers at Pointe du Hoc"))))
    if SETUPS[scenario].turns[1] == 32:
        found.append(Switch(REACTION, rule("22.4#parte", N_("Improved German reaction"))))
        found.append(Switch(TANKS, rule("23#arrivano", N_("German tanks"))))
        found.append(
            Switch(REDEPLOYMENT, rule("casa.61", N_("Redeployment compares")), ("punti", "forza"))
        )
    if scenario == "d-day":
        found.append(Switch("14.2", rule("14.2", N_("German actions from turn 12"))))
    return tuple(found)


def start(scenario: str, options: dict[str, str]) -> State:
    """The table before the first procedure (3, 21.1, ef.preparazione)."""
    setup = SETUPS[scenario]
    germans = german_set_up(setup)
    boxes = filled_boxes(setup, germans)
    if options.get(REACTION) == "si":
        boxes["D"] = boxes.get("D", 0) + boxes.pop("M", 0)
        boxes["mobile"] += boxes.pop("meyer", 0)
    if options.get(TANKS) == "si":
        boxes["armor"], boxes["armor depth"] = 4, 4
    units = us_set_up(setup, options)
    return State(
        scenario=scenario,
        options=options,
        turn=first_turn(setup, options),
        last_turn=setup.turns[1],
        phase="setup",
        units=units,
        germans=germans,
        deck=Pool.of("deck", CARDS),
        unseen=pools(setup),
        boxes=boxes,
        tickets=tickets(setup, options),
        births=len(germans),
        losses=starting_losses(setup, units),
        cleared=setup.cleared,
        heroes=tuple(hero for hero in HEROES if not any(u.hero == hero for u in units.values())),
        rockets_fired=scenario == "beyond-the-beach",
    )


def filled_boxes(setup: Setup, germans: dict[str, German]) -> dict[str, int]:
    """What the German boxes hold at the start, markers of units ashore taken out (21.1)."""
    boxes = {BOX_NAMES.get(name, name): n for name, n in setup.boxes.items()}
    for german in germans.values():
        if german.depth and not german.is_wn:
            boxes[german.depth_kind] -= 1
    return boxes


def first_turn(setup: Setup, options: dict[str, str]) -> int:
    """Turn 4 after an effective bombardment (22.1)."""
    return BOMBARDMENT_TURN if options.get(BOMBARDMENT) == "si" else setup.turns[0]


def pools(setup: Setup) -> dict[str, Pool]:
    """Every face not seen yet, by the kind that the back shows."""
    found = {}
    for kind, counters in (*GERMANS.items(), *DEPTH.items()):
        found[kind] = Pool(kind, dict(sorted((n, c.copies) for n, c in counters.items())))
    if setup.reinforcements:
        found["mixed"] = Pool("mixed", {"D": 6, "T": 6})
    return found


def tickets(setup: Setup, options: dict[str, str]) -> dict[str, int]:
    """What lies in the Divisional box."""
    found = {"D": setup.boxes.get("D", 0)}
    if options.get(REACTION) == "si":
        found["M1"] = setup.boxes.get("M", 0)
    return {name: n for name, n in found.items() if n}


def german_set_up(setup: Setup) -> dict[str, German]:
    """WN units by kind, their depth markers, and reinforcements already ashore (3.wn)."""
    found: dict[str, German] = {}
    for kind, hexes in setup.wn.items():
        for label in hexes:
            found[label] = German(label, kind, born=len(found) + 1)
    for label in setup.wn_depth:
        found[label] = German(
            label, found[label].kind, depth=UNSEEN, depth_kind="wn depth", born=found[label].born
        )
    for name in setup.reinforcements:
        label = POSITIONS[name.rstrip("+")].hexes[0]
        kind = depth_of(label) if name.endswith("+") else ""
        depth = UNSEEN if kind else ""
        found[label] = German(label, "mixed", depth=depth, depth_kind=kind, born=len(found) + 1)
    return found


def depth_of(label: str) -> str:
    """Building or mobile, by the terrain of a reinforcement position (9.21)."""
    return "building" if COVER_AT.get(label) == "buildings" else "mobile"


def us_set_up(setup: Setup, options: dict[str, str]) -> dict[str, Unit]:
    """US units in boxes, on the turn track, or already ashore (3.us)."""
    found: dict[str, Unit] = {}
    for name, data in UNITS.items():
        found[name] = placed(setup, options, Unit(name, OUT, data.division, data.full))
    return found


def placed(setup: Setup, options: dict[str, str], unit: Unit) -> Unit:
    """Where a unit starts."""
    name, data = unit.id, UNITS[unit.id]
    if SECTOR_OF[data.division] not in setup.sectors:
        return unit
    if options.get("22.3") == "si" and data.type == "ranger" and name != "C/2R":
        return unit
    if name in setup.units:
        label, *rest = setup.units[name]
        steps = int(rest[0]) if rest else 0
        hero = rest[1] if len(rest) > 1 else ""
        command = "1" if name in setup.transferred else data.division
        return replace(unit, at=label, steps=steps, hero=hero, command=command)
    if name in setup.waterline:
        return replace(unit, at=WAITING, steps=setup.waterline[name])
    if name in setup.eliminated:
        return replace(unit, at="lost", steps=0)
    if name in setup.postponed:
        return replace(unit, at=TRACK, due=setup.postponed[name], delayed=True)
    if not data.turn:
        return replace(unit, at=data.box) if setup.turns[0] == 1 else unit
    if data.turn > setup.last_arrival or data.turn < setup.turns[0] - 1:
        return unit
    due = data.turn
    if setup.turns[0] > 1 and due < setup.turns[0]:
        return replace(unit, at=WAITING)
    if options.get(BOMBARDMENT) == "si":
        due += DELAY_OF_BOMBARDMENT if due < 16 else LATE_DELAY
    return replace(unit, at=TRACK, due=due)


def starting_losses(setup: Setup, units: dict[str, Unit]) -> dict[str, tuple[str, ...]]:
    """Regular infantry already down to its last step (21.1)."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(DIVISIONS, ())
    for name, unit in units.items():
        data = UNITS[name]
        if data.type == "infantry" and (unit.at == "lost" or unit.steps == 1):
            found[data.division] = (*found[data.division], name)
    return found


# What is left to the player, and to the bombardment


def set_up(ctx: Ctx[State]) -> None:
    """The next unit that the player places, or the start of play (3, 21, 21.1)."""
    state = ctx.state
    ashore = SETUPS[state.scenario].waterline
    waiting = [u for u in state.units.values() if u.at == WAITING]
    waiting.sort(key=lambda u: u.id not in ashore)
    if waiting:
        place_ashore(ctx, waiting[0])
        return
    if state.scenario == "easy-fox":
        ctx.cite(("ef", "ef.preparazione#us", "ef.area#solo-est"), N_("Easy Fox: the east only."))
    elif state.scenario == "beyond-the-beach":
        ctx.cite(("21", "21.1#turno", "casa.36#aggiungi"), N_("Beyond the Beach: from turn 17."))
    else:
        ctx.cite(
            ("3#capitolo", "3.wn#piazza", "3.artiglieria", "3.rinforzi#mescola", "3.us#tracciato"),
            N_("Set-up is complete."),
        )
    tell_variants(ctx)
    ready: list[Choice[bool]] = [button("comincia", True, N_("Begin"))]
    ctx.choose(
        "setup.begin",
        US,
        ready,
        ("3#scenari//Turni", "4#fasi"),
        N_("Everything is in its place: begin turn {turn}?"),
        turn=state.turn,
    )
    if state.has(BOMBARDMENT):
        bombard(ctx)
    ctx.do(PhaseBegan(phase="landing:east"), "4#anfibie")


def tell_variants(ctx: Ctx[State]) -> None:
    """The variants that are in play (22, 23)."""
    state = ctx.state
    if any(state.has(name) for name in ("22.1", "22.2", "22.3", "22.4")):
        ctx.cite("22#combinate", N_("Historical variants are in play."))
    if state.has("22.3"):
        ctx.cite("22.3", N_("The rangers land at Pointe du Hoc."))
    if state.has(REACTION):
        ctx.cite("22.4#parte", N_("Kampfgruppe Meyer starts in the Divisional box."))
    if state.has(TANKS):
        ctx.cite(("23#arrivano", "23.1"), N_("German tanks may come from turn 17."))
    if state.has("14.2"):
        ctx.cite("14.2", N_("German actions from turn 12."))
    if state.options.get("giocatori") == "due":
        ctx.cite("1.due-giocatori#ogni", N_("Two players, one for each division."))


def why_not_ashore(state: State, unit: Unit, label: str) -> Iterator[Ruling]:
    """Why a unit of Beyond the Beach cannot start in a hex (21.1, casa.36)."""
    if TIDE_AT.get(label) != HIGH:
        yield off_the_line(label)
    if SECTOR[label] != SECTOR_OF[unit.command]:
        yield rule("21.1#linea", N_("{hex} is in the other sector."), hex=label)
    if sum(not UNITS[u.id].is_leader for u in units_at(state, label)) >= 2:
        yield rule(("21.1#linea", "7.6"), N_("{hex} holds two units already."), hex=label)


@cache
def off_the_line(label: str) -> Ruling:
    """Units begin on the waterline (21.1, casa.36)."""
    return rule(
        ("21.1#linea", "casa.36#linea"), N_("{hex} is not on the high-tide line."), hex=label
    )


def place_ashore(ctx: Ctx[State], unit: Unit) -> None:
    """The player puts a unit on the waterline, or in a box if it arrives on turn 16 (21.1)."""
    state = ctx.state
    if unit.id in SETUPS[state.scenario].waterline:
        label = ctx.choose(
            "setup.hex",
            US,
            BEACH_CHOICES,
            ("21.1#linea", "casa.36#linea"),
            N_("Where does {unit} start?"),
            why_not=lambda h: why_not_ashore(state, unit, h),
            unit=unit.id,
        )
        ctx.do(Placed(unit=unit.id, at=label), "21.1#linea")
        return

    def why_not(box: Box) -> tuple[Ruling, ...]:
        return why_not_place(state, unit, box)

    box = ctx.choose(
        "setup.box",
        US,
        BOX_CHOICES,
        ("21.1#turno-16", "5.3#segnalino"),
        N_("In which box does {unit} start?"),
        why_not=why_not,
        unit=unit.id,
    )
    ctx.do(Placed(unit=unit.id, at=box.id), ("21.1#turno-16", "5.3#segnalino"))


def bombard(ctx: Ctx[State]) -> None:
    """Two fire cards disrupt or remove the WNs of their colours (22.1, casa.37)."""
    first = draw_card(ctx, "bombardment 1", "22.1#due-carte")
    second = draw_card(ctx, "bombardment 2", "22.1#due-carte")
    for label, german in list(ctx.state.germans.items()):
        colour = POSITION_AT[label].colour
        times = sum(card.square(colour) is not None for card in (first, second))
        if not times or not german.is_wn:
            continue
        if german.depth:
            ref = "22.1#entrambe" if times == 2 else "22.1#una"
            ctx.do(DepthGone(hex=label), (ref, "casa.37"))
        if times == 2:
            ctx.do(GermanGone(hex=label, to="out"), ("22.1#entrambe", "casa.37"))
        else:
            ctx.do(GermanDisrupted(hex=label), ("22.1#una", "casa.37"))
    ctx.do(Discarded(), "22.1#scarta")
