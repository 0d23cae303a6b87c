"""Every message of the rules with the rules it cites, as games reach them: one table, by hand read.

The table is the file beside the transcripts; `python -m tests.warfare.test_citations` writes it
again, and the commit says why it changed. It is read from the worked examples and from random games
on crowded tables, where nearly everything that can be asked, done or refused comes up soon.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engine import examples
from engine.core.rules import Ruling
from engine.game import Game, SeededChance
from engine.warfare import TITLE
from engine.warfare.state.state import State
from tests.warfare.table import FAR, Table, u

PATH = Path(__file__).parents[1] / "golden" / "warfare" / "citazioni.tsv"
DECISIONS = 140

INSURGENTS = {
    "unita": {
        "b1": u("usmc_squad", "C5"),
        "b2": u("us_engineers", "D6", danno=1),
        "b3": u("us_mg", "B5", overwatch="si"),
        "b4": u("us_recon", "E6"),
        "b5": u("usmc_lav", "C6", danno=2),
        "b6": u("us_apache", "G8"),
        "b7": u("us_rifle", "B6", morale=1),
        "b8": u("us_at", a_bordo="b5"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_at", "F5", overwatch="si"),
        "v3": u("ins_sam", "G4", overwatch="si"),
        "v4": u("ins_martiri", "D5"),
        "v5": u("ins_vedette", "F6"),
        "v6": u("ins_mg", "D7", morale=1),
        "v7": u("ins_tecnica", "G6", danno=1),
        "v8": u("ins_cellula", "E7", morale=2),
    },
    "supporti": {
        "us_a10": {"lato": "blu"},
        "us_art155": {"lato": "blu", "danno": 1},
        "us_mort81": {"lato": "blu"},
        "usmc_sniper": {"lato": "blu"},
        "us_drone_mq": {"lato": "blu"},
        "us_drone_fpv": {"lato": "blu"},
        "ins_mort82": {"lato": "verde", "turno": 3},
        "ins_sniper": {"lato": "verde", "overwatch": "si"},
        "ins_drone_fpv": {"lato": "verde", "overwatch": "si"},
    },
    "popolazione": {
        "p1": {"esagono": "F6"},
        "p2": {"esagono": "C4", "folla": "si"},
        "p3": {"esagono": "D4"},
        "p4": {"esagono": "E5", "folla": "si"},
    },
    "nascosti": {
        "i1": {"tipo": "ied_rosso", "esagono": "D8", "di": "verde"},
        "i2": {"tipo": "mina", "esagono": "B4", "di": "verde"},
        "i3": {"tipo": "ignoto_blocco", "esagono": "E8", "di": "verde"},
        "i4": {"tipo": "dummy", "esagono": "C7", "di": "verde"},
        "i5": {"tipo": "tiratore", "esagono": "F7", "di": "verde"},
        "i6": {"tipo": "mina", "esagono": "C3", "di": "verde", "scoperto": "si"},
        "i7": {"tipo": "ied_blu", "esagono": "C3", "di": "verde"},
        "i8": {"tipo": "ied_blu", "esagono": "E4", "di": "blu"},
    },
    "blocchi": ["F4", "B7"],
    "macerie": ["G5"],
    "fumo": ["H5"],
    "riserva_blocchi": {"verde": 2},
}
REGULARS = {
    "lati": ["blu", "rosso"],
    "unita": {
        "b1": u("ita_lagunari", "G8"),
        "b2": u("ita_folgore", riserva="si"),
        "b3": u("ita_genieri", "G7", danno=1),
        "b4": u("us_recon", "F7"),
        "b5": u("usmc_lav", "G9"),
        "b6": u("ita_mangusta", "F6", overwatch="si"),
        "b7": u("us_at", "E4", overwatch="si"),
        "b8": u("us_abrams", "D6"),
        "r1": u("ru_fucilieri", "J8"),
        "r2": u("ru_vdv", riserva="si"),
        "r3": u("ru_igla", "J5", overwatch="si"),
        "r4": u("ru_spetsnaz", "H7"),
        "r5": u("ru_btr82", "J9"),
        "r6": u("ru_mi24", "H9"),
        "r7": u("ru_t72", "I7", danno=1),
        "r8": u("ru_genieri", "J7", morale=1),
    },
    "supporti": {
        "us_a10": {"lato": "blu", "danno": 1},
        "us_drone_mq": {"lato": "blu"},
        "us_mort81": {"lato": "blu"},
        "ru_su25": {"lato": "rosso"},
        "ru_drone_fpv": {"lato": "rosso", "overwatch": "si"},
        "ru_art152": {"lato": "rosso"},
        "ru_sniper": {"lato": "rosso", "overwatch": "si"},
    },
    "popolazione": {"p1": {"esagono": "I7"}, "p2": {"esagono": "D5"}},
    "nascosti": {
        "i1": {"tipo": "ignoto_blocco", "esagono": "G6", "di": "rosso"},
        "i2": {"tipo": "mina", "esagono": "K8", "di": "blu"},
    },
    "blocchi": ["F8", "K7"],
}
SWITCHES = {"masini": "si", "armi_elicotteri": "si", "senza_martirio": "si"}
TABLES = {
    "insorti": INSURGENTS,
    "insorti di notte": {**INSURGENTS, "opzioni": SWITCHES, "caselle": {"blu": 20, "verde": 30}},
    "ultimo giro": {**INSURGENTS, "posizioni": {"blu": 36, "verde": 30}},
    "fiume": REGULARS,
    "fiume al contrario": {**REGULARS, "opzioni": SWITCHES, "caselle": {"blu": 10, "rosso": 30}},
    "capitolo 1": {**INSURGENTS, "scenario": "s1"},
}
B_FAR = u("us_rifle", "A10")
AROUND_D5 = ["C4", "D4", "E5", "D6", "C6"]


class Scene(NamedTuple):
    """A corner that random games seldom reach."""

    units: dict[str, Any]
    answers: tuple[str, ...]
    dice: tuple[int, ...] = ()
    more: dict[str, Any] = {}


def hidden(kind: str, hex: str, owner: str = "verde", **more: str) -> dict[str, Any]:
    """One marker."""
    return {"i1": {"tipo": kind, "esagono": hex, "di": owner, **more}}


DROP = {"b1": u("ita_folgore", riserva="si"), "b2": B_FAR, "v1": FAR}
DISARM = {"b1": u("us_engineers", "C5"), "b2": B_FAR, "v1": FAR}
MINE = {"nascosti": hidden("mina", "D5", scoperto="si")}
FIGHT = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5"), "v2": FAR, "b2": B_FAR}
ASSAULT = ("u:b1", "b:assalta", "u:v1")
RUSSIANS = {"lati": ["blu", "rosso"], "caselle": {"blu": 30, "rosso": 20}}
MARTYR = {"v1": u("ins_martiri", "D5"), "b1": u("usmc_lav", "C5"), "b2": B_FAR, "v2": FAR}
GREEN = {"caselle": {"blu": 20, "verde": 30}}
SCENES = {
    "a SAM in overwatch too far from the aircraft": Scene(
        {"b1": B_FAR, "v1": u("ins_cellula", "A9"), "v2": u("ins_sam", "L1", overwatch="si")},
        ("c:us_a10", "b:cas", "b:leggero", "u:v1", "b:rinuncia"),
        (1,),
        {"supporti": {"us_a10": {"lato": "blu"}}},
    ),
    "an assault into the water": Scene(
        {"b1": u("us_at", "G8"), "r1": u("ru_btr82", "H8"), "r2": u("ru_igla", "L1")},
        ("u:b1", "b:assalta", "u:r1"),
        (6,),
        RUSSIANS,
    ),
    "a crowd with nowhere to go": Scene(
        FIGHT,
        ASSAULT,
        (6,),
        {"popolazione": {"p1": {"esagono": "D5", "folla": "si"}}, "blocchi": AROUND_D5},
    ),
    "a crowd that follows": Scene(
        FIGHT, ASSAULT, (3,), {"popolazione": {"p1": {"esagono": "D5", "folla": "si"}}}
    ),
    "a retreat on a hidden roadblock": Scene(
        FIGHT, ASSAULT, (3,), {"nascosti": hidden("ignoto_blocco", "E5", "blu")}
    ),
    "a retreat off the map": Scene(
        {**FIGHT, "b1": u("usmc_squad", "B5"), "v1": u("ins_cellula", "A5")}, ASSAULT, (3,)
    ),
    "a retreat among friends": Scene({**FIGHT, "v3": u("ins_cellula", "E5")}, ASSAULT, (3,)),
    "an advance on a hidden roadblock": Scene(
        FIGHT, ASSAULT, (6,), {"nascosti": hidden("ignoto_blocco", "D5")}
    ),
    "a captured drone without a target": Scene(
        {"b1": u("us_apache", "A9"), "v1": u("ins_cellula", "E5"), "v2": u("ins_vedette", "K3")},
        ("c:us_drone_fpv", "b:drone", "b:leggero", "u:v1", "u:v2"),
        (6,),
        {"supporti": {"us_drone_fpv": {"lato": "blu"}}},
    ),
    "a helicopter shot down over rubble": Scene(
        {"b1": B_FAR, "r1": u("ru_mi24", "E4"), "r2": u("ru_igla", "L1")},
        ("c:us_a10", "b:cas", "b:pesante", "u:r1", "b:rinuncia"),
        (6,),
        {**RUSSIANS, "supporti": {"us_a10": {"lato": "blu"}}, "macerie": ["E4"]},
    ),
    "a helicopter shot down over water": Scene(
        {"b1": B_FAR, "r1": u("ru_mi24", "H8", overwatch="si"), "r2": u("ru_igla", "L1")},
        ("c:us_a10", "b:cas", "b:pesante", "u:r1", "b:rinuncia"),
        (6,),
        {**RUSSIANS, "supporti": {"us_a10": {"lato": "blu"}}},
    ),
    "rubble over smoke, a marker and a crowd": Scene(
        {"b1": B_FAR, "r1": u("ru_fucilieri", "D5"), "r2": u("ru_fucilieri", "L1")},
        ("c:us_a10", "b:cas", "b:pesante", "u:r1", "h:E5"),
        (6,),
        {
            **RUSSIANS,
            "supporti": {"us_a10": {"lato": "blu"}},
            "fumo": ["D5"],
            "nascosti": hidden("dummy", "D5", "rosso"),
            "popolazione": {"p1": {"esagono": "D5", "folla": "si"}},
        },
    ),
    "a martyr who only frightens": Scene(MARTYR, ("u:v1", "b:martirio", "u:b1"), (1,), GREEN),
    "a martyr who harms nobody": Scene(
        {**MARTYR, "v1": u("ins_martiri", "D5", danno=1)},
        ("u:v1", "b:martirio", "u:b1"),
        (1,),
        GREEN,
    ),
    "a martyr who destroys": Scene(MARTYR, ("u:v1", "b:martirio", "u:b1"), (6,), GREEN),
    "a martyr beside a helicopter": Scene(
        {**MARTYR, "b1": u("us_apache", "C5")}, ("u:v1", "b:overwatch"), (), GREEN
    ),
    "no martyrs in this scenario": Scene(
        {"v1": u("ins_martiri", "D5"), "b1": u("us_rifle", "C5")},
        ("u:v1", "b:overwatch"),
        (),
        {"scenario": "s5", "lati": ["verde", "blu"], "supporti": {}, "nascosti": {}, **GREEN},
    ),
    "civilians lost aboard": Scene(
        {"b1": u("us_abrams", "C5"), "v1": u("ins_tecnica", "E5"), "v2": FAR},
        ("u:b1", "b:fuoco", "b:pesante", "u:v1"),
        (5,),
        {"popolazione": {"p1": {"a_bordo": "v1"}}},
    ),
    "a drop with no hex beside the roadblock": Scene(
        {**DROP, "b3": u("us_rifle", "C5")},
        ("u:b1", "h:D5"),
        (),
        {"nascosti": hidden("ignoto_blocco", "D5"), "blocchi": AROUND_D5},
    ),
    "a drop beside a crowd": Scene(
        DROP, ("u:b1",), (), {"popolazione": {"p1": {"esagono": "D5", "folla": "si"}}}
    ),
    "unloading on a hidden roadblock": Scene(
        {"b1": u("usmc_lav", "C5"), "b2": u("us_rifle", a_bordo="b1"), "v1": FAR},
        ("u:b1", "b:scarica", "h:D5"),
        (),
        {"nascosti": hidden("ignoto_blocco", "D5")},
    ),
    "civilians led on a hidden roadblock": Scene(
        {"b1": u("us_rifle", "C5"), "b2": B_FAR, "v1": FAR},
        ("u:b1", "b:muovi", "u:p1", "h:D5", "b:vai"),
        (),
        {
            "nascosti": hidden("ignoto_blocco", "D5"),
            "popolazione": {"p1": {"esagono": "C5"}, "p2": {"esagono": "C5", "folla": "si"}},
        },
    ),
    "an escort that is suppressed among friends": Scene(
        {
            "b1": u("us_rifle", "C5", morale=1),
            "b2": u("us_rifle", "D5"),
            "v1": u("ins_mg", "G5", overwatch="si"),
        },
        ("u:b1", "b:muovi", "u:p1", "h:D5", "h:E5", "b:vai", "u:v1"),
        (4,),
        {"popolazione": {"p1": {"esagono": "C5"}}},
    ),
    "population left on the way": Scene(
        {"b1": u("us_rifle", "C5"), "b2": B_FAR, "v1": FAR},
        ("u:b1", "b:muovi", "u:p1", "h:D5", "b:lascia", "h:E5", "h:D5"),
        (),
        {"popolazione": {"p1": {"esagono": "C5"}, "p2": {"esagono": "E5"}}},
    ),
    **{
        f"a mine and a die that shows {face}": Scene(
            DISARM, ("u:b1", "b:bonifica", "u:i1"), (face, 1), MINE
        )
        for face in (1, 2, 3, 5, 6)
    },
    "drones that observe for artillery": Scene(
        {"b1": u("usmc_squad", "H2"), "v1": u("ins_at", "K3")},
        ("c:us_art155", "b:colpisci", "b:leggero", "u:v1"),
        (1,),
        {"supporti": {"us_art155": {"lato": "blu"}}, "osserva": "blu"},
    ),
    "nobody left to observe": Scene(
        {"b1": u("usmc_squad", riserva="si"), "v1": u("ins_at", "K3")},
        ("c:us_mort81", "b:colpisci", "b:leggero", "u:v1", "b:freccia-E"),
        (1,),
        {"supporti": {"us_mort81": {"lato": "blu"}}},
    ),
    "a shot that drifts on a helicopter": Scene(
        {"b1": u("usmc_squad", "H2"), "v1": u("ins_at", "K3"), "b2": u("us_apache", "L3")},
        ("c:us_mort81", "b:colpisci", "b:leggero", "u:v1", "b:freccia-E"),
        (1,),
        {"supporti": {"us_mort81": {"lato": "blu"}}, "fumo": ["K3"]},
    ),
    "a shot that drifts on human shields": Scene(
        {"b1": u("usmc_squad", "H2"), "v1": u("ins_at", "K3"), "v2": u("ins_at", "L3")},
        ("c:us_mort81", "b:colpisci", "b:leggero", "u:v1", "b:freccia-E"),
        (1,),
        {
            "supporti": {"us_mort81": {"lato": "blu"}},
            "fumo": ["K3"],
            "popolazione": {"p1": {"esagono": "L3"}},
        },
    ),
    "a shot that drifts off the map": Scene(
        {"b1": u("usmc_squad", "H2"), "v1": u("ins_at", "L3")},
        ("c:us_mort81", "b:colpisci", "b:leggero", "u:v1", "b:freccia-E"),
        (1,),
        {"supporti": {"us_mort81": {"lato": "blu"}}, "fumo": ["L3"]},
    ),
    "infantry in the water": Scene(
        {"b1": u("ita_lagunari", "H8"), "b2": B_FAR, "v1": u("ins_cellula", "G8")},
        ("u:b1", "b:overwatch"),
    ),
    "loading and unloading across triangles": Scene(
        {
            "b1": u("usmc_lav", "D7"),
            "b2": u("us_rifle", a_bordo="b1"),
            "b3": u("usmc_lav", "C7"),
            "b4": u("us_rifle", "E7"),
            "v1": FAR,
        },
        ("u:b1", "b:scarica", "h:D6", "u:b3"),
        (),
        {"popolazione": {"p1": {"esagono": "D7"}, "p2": {"a_bordo": "b3"}}},
    ),
    "civilians get off": Scene(
        {"b1": u("usmc_lav", "C5"), "b2": B_FAR, "v1": FAR},
        ("u:b1", "b:scarica", "h:D5"),
        (),
        {"popolazione": {"p1": {"a_bordo": "b1"}}, "blocchi": ["C4"]},
    ),
    "civilians who cannot get off there": Scene(
        {"b1": u("usmc_lav", "D7"), "b2": B_FAR, "v1": FAR},
        ("u:b1", "b:scarica"),
        (),
        {"popolazione": {"p1": {"a_bordo": "b1"}}, "blocchi": ["E7"]},
    ),
    "civilians who cannot get off into the water": Scene(
        {"b1": u("usmc_lav", "G8"), "b2": B_FAR, "v1": FAR},
        ("u:b1", "b:scarica"),
        (),
        {"popolazione": {"p1": {"a_bordo": "b1"}}},
    ),
    "a sniper in overwatch": Scene(
        {"b1": u("us_rifle", "C5"), "b2": B_FAR, "v1": FAR},
        ("u:b1", "b:muovi", "h:D5", "b:vai", "c:ins_sniper"),
        (4,),
        {"supporti": {"ins_sniper": {"lato": "verde", "overwatch": "si"}}},
    ),
}
SEEDS = range(1, 25)
SCENARIOS = ("s1", "s2", "s3", "s4", "s5", "s5-4", "casuale")


def signature(kind: str, name: str, ruling: Ruling) -> str:
    """What is said, and under which rules."""
    refs = " ".join(ref.partition(":")[2] for ref in ruling.refs)
    return "\t".join((kind, name, ruling.msg.id, refs))


def signatures(game: Game[State]) -> Iterator[str]:
    """What the open question, its refusals and the steps of a game say."""
    decision = game.position.decision
    if decision is not None:
        yield signature("?", decision.id, decision.ruling)
        for found in decision.refused.values():
            for ruling in found:
                yield signature("!", decision.id, ruling)


def of_steps(game: Game[State]) -> Iterator[str]:
    """What the steps of a game say."""
    for step in game.steps:
        event = type(step.event).__name__ if step.event is not None else ""
        yield signature("=", event, step.ruling)


def wander(game: Game[State], seed: int) -> Iterator[str]:
    """A random game, question after question."""
    rng = random.Random(seed)
    for _ in range(DECISIONS):
        decision = game.position.decision
        if decision is None:
            break
        yield from signatures(game)
        game.answer(decision.options[rng.randrange(len(decision.options))].id)
    yield from of_steps(game)
    if game.position.outcome is not None:
        yield signature("#", game.position.outcome.degree, game.position.outcome.ruling)


def citations() -> list[str]:
    """Every signature that examples and random games reach."""
    found: set[str] = set()
    for path in examples.packaged("warfare"):
        playing = examples.Playing(TITLE, examples.read(path))
        for _step, faults in playing.run():
            assert not faults
            found.update(signatures(playing.game))
        found.update(of_steps(playing.game))
    for scene in SCENES.values():
        board = Table(unita=scene.units, dice=scene.dice, **scene.more)
        for answer in scene.answers:
            found.update(signatures(board.game))
            board.play(answer)
        found.update(signatures(board.game))
        found.update(of_steps(board.game))
    for options in ({"seme": "4"}, {"seme": "11"}, {"solitario": "si"}):
        for seed in SEEDS[:4]:
            game = Game(TITLE, "casuale", SeededChance(seed), options)
            found.update(wander(game, seed))
    for given in TABLES.values():
        caselle = {} if {"caselle", "posizioni"} & set(given) else {"caselle": {"blu": 30}}
        for seed in SEEDS:
            start = TITLE.position({**caselle, **given})
            game = Game(TITLE, start.scenario, SeededChance(seed), start=start)
            found.update(wander(game, seed))
    for scenario in SCENARIOS:
        found.update(wander(Game(TITLE, scenario, SeededChance(3)), 3))
    return sorted(found)


def test_every_message_cites_the_rules_it_cited():
    assert citations() == PATH.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    PATH.write_text("\n".join(citations()) + "\n", encoding="utf-8")
