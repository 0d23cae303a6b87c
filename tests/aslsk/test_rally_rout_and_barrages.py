"""Rally, rout and off-board artillery, where an example of the book does not go (3.1, 3.6, DaE2)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.guns import may_hide
from engine.aslsk.rules.morale import crew_morale, level
from engine.aslsk.rules.oba import barrage_drm, sees_blast
from engine.aslsk.rules.rout import interdictor
from engine.aslsk.rules.sight import los
from engine.aslsk.state.state import State
from engine.aslsk.state.tables import scenarios
from engine.game import Game, ScriptedChance
from tests.aslsk.table import ON_IFT, Table, state_of
from tests.citations import CITE, ROLL, kind_of

ROUT = "mappa: ex-rotta\nlati: [american, german]\nfase: RtPh\n"
OBA = "scenario: R4\nmappa: mD\nlati: [american, german]\n"


# DM


@pytest.mark.rule("aslsk:3.2.3.dm", "aslsk:2.0.keu")
@pytest.mark.parametrize(("to", "dm"), [("h:D8", True), ("h:E8", False)])
def test_a_broken_unit_is_dm_as_soon_as_a_known_enemy_is_next_to_it(to, dm):
    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 E9, z: ru-447 A1, d: ge-467 C9 broken}",
        "u:a", "b:normale", to,
    )  # fmt: skip
    assert run.state.units["d"].dm is dm
    assert ("3.2.3.dm" in run.cited) is dm


@pytest.mark.rule("aslsk:3.1.h", "aslsk:2.0.keu")
@pytest.mark.parametrize(("marker", "dm"), [("", True), ("wreck", False)])
def test_dm_stays_next_to_an_enemy_tank_but_not_to_a_wreck(marker, dm):
    run = Table(
        f"lati: [russian, german]\nfase: RPh\npasso: h\nunità: {{a: ru-447 D5 broken DM, c: ru-447 A1, x: ge-467 M1}}\nveicoli: {{t: ge-ivh D4 {marker}}}"
    )
    run.game.resume(())
    assert run.state.units["a"].dm is dm


# Rout


@pytest.mark.rule("aslsk:3.6.toward")
@pytest.mark.parametrize(("marker", "toward"), [("", True), ("wreck", False)])
def test_no_rout_toward_an_enemy_tank(marker, toward):
    run = Table(
        f"lati: [russian, german]\nfase: RtPh\nunità: {{a: ru-447 C7 broken DM, z: ge-467 M1}}\nveicoli: {{t: ge-ivh C9 vca=0 {marker}}}",
        "u:a",
    )
    refused = run.game.position.decision.refused.get("h:C8", ())
    refs = {ref[6:] for ruling in refused for ref in ruling.refs}
    assert ("3.6.toward" in refs) is toward


@pytest.mark.rule("aslsk:3.6.interdiction", "aslsk:3.2.3.mc")
@pytest.mark.parametrize(
    ("dice", "found"), [((6, 6), "lost"), ((6, 5), "us-346"), ((4, 4), "us-666")]
)
def test_a_twelve_against_interdiction_eliminates_a_broken_unit(dice, found):
    run = Table(
        ROUT + "unità: {a: us-666 N6 broken DM, w: ge-467 O5, x: ge-467 O6, y: ge-467 M6, z: ge-467 L7}",
        "u:a", "h:N7",
        dice=[dice],
    )  # fmt: skip
    one = run.state.units["a"]
    assert (one.type if one.place == "map" else "lost") == found


OPEN = "mappa: ex-bosco\nlati: [american, german]\nfase: RtPh\nunità: {{a: us-666 D4 broken DM, {0}}}\narmi: {{{1}}}\nveicoli: {{{2}}}"


@pytest.mark.rule("aslsk:3.6.interdiction", "aslsk:casa.35")
@pytest.mark.parametrize(
    ("unit", "weapon", "vehicle", "able"),
    [
        ("c: ge-467 D9", "", "", True),
        ("c: ge-447 D9", "", "", False),
        ("c: ge-447 D9", "m: ge-lmg c", "", True),
        ("c: ge-8-1 D9", "m: ge-lmg c", "", False),
        ("c: ge-8-1 D9", "r: ge-atr c", "", True),
        ("c: ge-447 D9", "m: ge-50mtr c", "", True),
        ("c: ge-228 C7", "m: ge-50mtr c", "", False),
        ("c: ge-228 D9", "g: ge-81mtr c ca=5", "", True),
        ("c: ge-228 D9", "g: ge-81mtr c ca=2", "", False),
        ("c: ge-228 D9", "g: ge-75l c ca=0", "", True),
        ("c: ge-228 D9", "g: ge-75l c ca=0 lato=american", "", False),
        ("c: ge-447 D9", "g: ge-75l c ca=0", "", False),
        ("c: ge-447 I10", "", "t: ge-iif D9 vca=0 BU", True),
        ("c: ge-447 I10", "", "t: ge-stug D9 vca=0 BU", False),
        ("c: ge-447 I10", "", "t: ge-stug D9 vca=0 CE", True),
        ("c: ge-447 I10", "", "t: ge-stug D9 vca=3 CE", True),
        ("c: ge-447 I10", "", "t: ge-ivh D9 vca=3 BU", False),
        ("c: ge-447 I10", "", "t: ru-kv1e D9 vca=3 BU", True),
    ],
)
def test_who_interdicts_and_who_does_not(unit, weapon, vehicle, able):
    state = Table(OPEN.format(unit, weapon, vehicle)).state
    assert bool(interdictor(state, state.units["a"])) is able


GUN = "mappa: ex-bosco\nlati: [american, german]\nfase: RtPh\nunità: {a: us-666 D4 broken DM, c: ge-228 D9%s}\narmi: {g: ge-75l c ca=0 acquired=2 target_hex=D5}"


@pytest.mark.rule("aslsk:6.10", "aslsk:3.6.interdiction")
@pytest.mark.parametrize(("other", "kept"), [("", 0), (", d: ge-468 E8", 2)])
def test_a_crew_that_interdicts_loses_its_target_unless_another_can(other, kept):
    run = Table(GUN % other, "u:a", "h:D3", dice=[(1, 1)])
    assert "3.6.interdiction" in run.cited
    gun = run.state.weapons["g"]
    assert (gun.hold.acquired, gun.hold.target_hex) == (kept, "D5" if kept else "")


@pytest.mark.rule("aslsk:dae2.6", "aslsk:3.6.destination")
@pytest.mark.parametrize(("ffe", "forced"), [("A1", True), ("F3", False)])
def test_nobody_is_sent_through_a_barrage_to_reach_a_shelter(ffe, forced):
    run = Table(
        f"lati: [russian, german]\nfase: RtPh\nunità: {{a: ru-447 H3 broken DM, z: ge-467 M6, l: ge-9-1 M6}}\narmi: {{r: ge-radio l}}\noba: {{lato: german, calibro: 105, radio: r, ffe: {ffe}, stadio: C}}",
        "u:a",
    )
    assert "h:G3" in run.options or "h:G2" in run.options
    refused = run.game.position.decision.refused
    refs = {ref[6:] for ruling in refused.get("h:H2", ()) for ref in ruling.refs}
    assert ("3.6.destination" in refs) is forced


# Off-board artillery


BATTERY = (
    OBA
    + "fase: MPh\nunità: {%s}\narmi: {r: us-radio l%s}\noba: {lato: american, radio: r, calibro: 105, ffe: %s, stadio: 2}"
)


@pytest.mark.rule("aslsk:dae2.52", "aslsk:6.6")
@pytest.mark.parametrize("ca", range(6))
def test_a_gunshield_helps_against_a_barrage_wherever_it_points(ca):
    unit = "l: us-10-2 A7, c: ge-228 E7"
    state = Table(BATTERY % (unit, f", g: ge-75l c ca={ca}", "E7")).state
    lines = barrage_drm(state, state.units["c"], False, False)
    assert [(one.value, one.ruling.refs[0]) for one in lines] == [(1, "aslsk:dae2.52")]


@pytest.mark.rule("aslsk:dae2.54", "aslsk:3.2.3.ptc")
@pytest.mark.parametrize(("side", "need"), [("a: us-666 A7", 5), ("a: ge-467 A7", 7)])
def test_a_pin_check_under_the_own_barrage_is_harder_too(side, need):
    attacker = "american" if "us" in side else "german"
    text = (BATTERY % (f"{side}, l: us-10-2 O9, z: ge-467 M1", "", "A5")).replace(
        "fase:", f"attaccante: {attacker}\nfase:"
    )
    text = text.replace("calibro: 105", "calibro: 75")
    run = Table(text, "u:a", "b:normale", "h:A6", dice=[(6, 6), (1, 1), (1, 1)])
    while run.state.mover is not None and "b:passa" in run.options:
        run.play("b:passa")
    asked = run.told("3.2.3.ptc", "morale", "unit", of=ROLL)
    assert [one["morale"] for one in asked] == [need]


def shelled(side: str, position: str) -> str:
    """A position with a HE FFE of a side on E7."""
    return f"scenario: R4\n{position}oba: {{lato: {side}, calibro: 105, ffe: E7, stadio: C}}\n"


@pytest.mark.rule("aslsk:dae2.54", "aslsk:3.1.f", "aslsk:3.1.e")
@pytest.mark.parametrize(("side", "lost"), [("american", 1), ("german", 0)])
def test_rallying_is_harder_under_the_own_barrage(side, lost):
    text = "mappa: mD\nlati: [american, german]\nfase: RPh\npasso: f\n"
    run = Table(
        shelled(side, text + "unità: {l: us-8-1 E7, a: us-666 E7 broken, z: ge-467 A1}\n"),
        "u:a", dice=[(3, 3)],
    )  # fmt: skip
    asked = run.told("3.1.f", "number", "unit", of=ROLL)
    assert [one["number"] for one in asked] == [9 - lost]
    assert ("dae2.54" in run.cited) is bool(lost)


@pytest.mark.rule("aslsk:dae2.54", "aslsk:3.2.3.mc")
@pytest.mark.parametrize(("side", "need"), [("american", 5), ("german", 6)])
def test_a_morale_check_by_enemy_fire_is_harder_under_the_own_barrage(side, need):
    text = "mappa: ex\nlati: [german, american]\nfase: PFPh\n"
    run = Table(
        shelled(side, text + "unità: {a: ge-467 E6, b: ge-467 A1, x: us-666 E7}\n"),
        "u:a", "h:E7", dice=[(4, 3), (1, 1)],
    )  # fmt: skip
    asked = run.told("3.2.3.mc", "morale", "unit", of=ROLL)
    results = run.told(ON_IFT, "dr", "result")
    harder = {"NMC": 0, "1MC": 1, "2MC": 2}[str(results[0]["result"])]
    assert [one["morale"] for one in asked] == [need - harder]
    assert ("dae2.54" in run.cited) is (side == "american")


@pytest.mark.rule("aslsk:dae2.54", "aslsk:3.7.paatc")
@pytest.mark.parametrize(("side", "need"), [("american", 5), ("german", 6)])
def test_a_paatc_is_harder_under_the_own_barrage(side, need):
    text = "lati: [american, german]\nfase: APh\nunità: {a: us-666 E8, b: us-666 A1, x: ge-467 M1}\nveicoli: {t: ge-ivh E9 vca=0}\n"
    run = Table(shelled(side, text), "u:a", "h:E9", dice=[(1, 1)])
    assert run.told("3.7.paatc", "morale", "unit", of=ROLL)[0]["morale"] == need


@pytest.mark.rule("aslsk:dae2.54", "aslsk:7.10", "aslsk:3.2.3.crew_mc")
def test_the_own_barrage_shakes_crews_and_only_high_explosive_does():
    text = "lati: [american, german]\nunità: {a: us-666 E8, x: ge-467 M1}\nveicoli: {t: us-m4a1 E7 vca=0 CE, u: ge-ivh E8 vca=0 CE}\n"
    levels = {}
    for side in ("american", "german"):
        state = Table(shelled(side, text)).state
        levels[side] = [level(state, state.units["a"]), *[crew_morale(state, n) for n in "tu"]]
    assert [a - b for a, b in zip(*levels.values(), strict=True)] == [-1, -1, 1]
    smoke = Table(shelled("american", text).replace("stadio: C", "stadio: C, tipo: SMOKE")).state
    assert level(smoke, smoke.units["a"]) == 6


HIDDEN = OBA + (
    "passo: oba\nunità: {l: us-10-2 A7, c: ge-228 F2 %s}\narmi: {r: us-radio l, g: ge-75l c ca=0 %s}\n"
    "oba: {lato: american, radio: r, contatto: si, accesso: si, ffe: F2, stadio: 2}"
)


def with_zone(state: State) -> State:
    """The crew as set up by the scenario: the enemy knows its zone."""
    crew = msgspec.structs.replace(state.units["c"], entry="zone E-O")
    return msgspec.structs.replace(state, units={**state.units, "c": crew})


@pytest.mark.rule("aslsk:dae2.5", "aslsk:dae2.55", "aslsk:6.4")
@pytest.mark.parametrize(("dice", "found"), [((6, 6), False), ((2, 2), True)])
def test_a_barrage_says_nothing_of_a_hidden_gun_that_it_misses(dice, found):
    chance = ScriptedChance([(3, 4), *[dice] * 7, *[(1, 2)] * 4])
    start = with_zone(state_of(HIDDEN % ("HIP", "HIP")))
    game = Game(TITLE, "R4", chance, start=start)
    game.answer("b:chiama")
    game.answer("b:lascia")
    struck = [
        s.ruling.msg.facts["hex"]
        for s in game.steps
        if "aslsk:dae2.5" in s.ruling.refs
        and kind_of(s) == CITE
        and set(s.ruling.msg.facts) == {"hex"}
    ]
    blind = {h for h in start.ground.near["F2"] if may_hide(start, h)}
    assert len(blind) > 3
    assert set(struck) == {"F2"} | (set() if found else blind)
    assert game.position.draft.units["c"].hidden is not found
    assert any(s.ruling.msg.facts.get("unit") == "c" for s in game.steps) is found
    assert any("aslsk:dae2.55" in s.ruling.refs for s in game.steps) is found


@pytest.mark.rule("aslsk:dae2.5", "aslsk:6.4")
def test_only_hexes_where_a_hidden_unit_could_be_are_struck_blindly():
    state = with_zone(Table(HIDDEN % ("HIP", "HIP")).state)
    assert may_hide(state, "L2")
    assert not may_hide(state, "B2"), "outside its zone"
    assert not may_hide(state, "H5"), "on a paved road"
    assert not may_hide(with_zone(Table(HIDDEN % ("", "")).state), "L2"), "nobody is hidden"


@pytest.mark.rule("aslsk:dae2.5", "aslsk:dae2.9")
@pytest.mark.parametrize(("rockets", "drm"), [("no", 0), ("si", 1)])
def test_rockets_hinder_over_their_whole_area(rockets, drm):
    state = Table(
        OBA
        + f"fase: MPh\nunità: {{l: us-10-2 A9, z: ge-467 O9}}\noba: {{lato: american, osservatore: A9, calibro: 105, ffe: D9, stadio: 2, razzi: {rockets}}}"
    ).state
    assert los(state, "A8", "B8").drm - los(state, "A1", "B1").drm == drm


@pytest.mark.rule("aslsk:dae2.32")
@pytest.mark.parametrize(("eye", "blast", "seen"), [("N2", "A1", False), ("O2", "A1", True)])
def test_the_blast_is_hidden_by_an_obstacle_next_to_the_observer(eye, blast, seen):
    state = Table(
        f"mappa: mC\nlati: [american, german]\nunità: {{l: us-8-1 {eye}, z: ge-467 A5}}\narmi: {{r: us-radio l}}\noba: {{lato: american, radio: r}}"
    ).state
    assert los(state, eye, blast).blocked is not None
    assert sees_blast(state, blast) is seen


# Guns


@pytest.mark.rule("aslsk:3.2.4.ca_free", "aslsk:3.3")
@pytest.mark.parametrize(("answers", "may"), [(["u:g", "n:3"], False), (["b:passa"], True)])
def test_who_has_turned_a_gun_without_firing_does_not_move(answers, may):
    run = Table(
        "lati: [german, russian]\nfase: PFPh\npasso: turn\nunità: {c: ge-228 C9, b: ge-467 A9, x: ru-447 M1}\narmi: {g: ge-75l c ca=0}",
        *answers,
    )
    assert run.state.phase == "MPh"
    if may:
        assert "u:c" in run.options
    else:
        assert "3.2.4.ca_free" in run.why_not("u:c")
    assert "u:b" in run.options


@pytest.mark.rule("aslsk:6.4", "aslsk:2.0.hip", "aslsk:2.0.ssr")
@pytest.mark.parametrize(
    ("named", "may"), [(None, True), (("ge-75l",), True), (("ge-81mtr",), False)]
)
def test_a_gun_may_always_start_hidden_unless_the_scenario_names_which(named, may):
    card = msgspec.structs.replace(scenarios()["R1"], hip=named)
    assert card.allows_hip("ge-75l") is may
