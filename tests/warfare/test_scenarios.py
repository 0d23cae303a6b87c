"""Set-up, scenarios and victory, random scenarios, the solo opponent."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.drive import RandomPlayer, drive
from engine.game import Game, ScriptedChance, SeededChance
from engine.warfare import TITLE
from engine.warfare.rules.victory import score
from engine.warfare.state import generator
from engine.warfare.state.tables import ROSTER, SUPPORTS
from tests.warfare.table import Table, u


@pytest.mark.rule(
    "warfare:setup.mappa",
    "warfare:setup.posti",
    "warfare:setup.unita",
    "warfare:setup.segnalini",
    "warfare:setup.cubetti",
    "warfare:setup.turno",
    "warfare:setup.supporti",
    "warfare:setup.dadi",
    "warfare:setup.danni",
    "warfare:unita.piazzamento",
)
def test_set_up_follows_the_nine_steps():
    game = Table.around(Game(TITLE, "s3", SeededChance(1)))
    order = [r for s in game.steps for r in s.ruling.refs if r.startswith("warfare:setup.")]
    assert list(dict.fromkeys(order)) == [
        f"warfare:setup.{step}"
        for step in (
            "mappa",
            "posti",
            "unita",
            "segnalini",
            "cubetti",
            "supporti",
            "dadi",
            "danni",
            "turno",
        )
    ]
    state = game.state
    assert (state.turn, state.active) == (1, "blu")
    assert state.cubes["verde"].box == 37
    assert state.supports["us_art155"].place == "waiting"


@pytest.mark.rule("warfare:arbitrato.inizio_pari")
def test_in_the_same_starting_box_the_scenario_says_who_begins():
    game = Table.around(Game(TITLE, "s5", SeededChance(1)))
    assert game.state.active == "blu"
    assert "arbitrato.inizio_pari" in game.cited


@pytest.mark.rule("warfare:setup.cubetti", "warfare:track.ruoli")
def test_the_highest_box_begins_and_the_set_up_says_so():
    game = Table.around(Game(TITLE, "s4", SeededChance(1)))
    assert {"side": "verde"} in game.facts("setup.cubetti")
    assert game.facts("track.ruoli") == [{"side": "verde"}]
    assert "arbitrato.inizio_pari" not in game.cited


@pytest.mark.rule("warfare:track.ruoli")
@pytest.mark.parametrize("scenario", ["s2", "s5-4", "casuale"])
def test_whenever_somebody_acts_nobody_else_has_a_higher_box(scenario):
    game, rng, asked = Table.around(Game(TITLE, scenario, SeededChance(8))), random.Random(8), 0
    while game.position.decision is not None and asked < 60:
        if game.asked.id == "action.who":
            positions = {side: cube.position for side, cube in game.state.cubes.items()}
            assert positions[game.state.active] == min(positions.values())
            asked += 1
        game.play(rng.choice(list(game.options)))
    assert asked == 60


@pytest.mark.rule("warfare:scenari.s1", "warfare:scenari.s2")
def test_rules_of_later_chapters_are_refused():
    game = Table.around(Game(TITLE, "s1", SeededChance(1)))
    game.play("u:b2")
    for verb in ("b:fuoco", "b:assalta", "b:overwatch", "b:fumo", "b:recupera"):
        assert game.why_not(verb) == {"scenari.s1"}
    game = Table.around(Game(TITLE, "s2", SeededChance(1)))
    assert game.state.active == "verde"
    game.play("u:v1")
    assert "scenari.s2" in game.why_not("b:ricognizione")


def at_the_end(scenario, units, **given):
    """The outcome of a position when its last turn is over."""
    state = TITLE.position({"scenario": scenario, "unita": units, **given})
    return TITLE.outcome(state)


def civilians(count, total=5):
    hexes = ["C4", "E4", "G4", "D2", "G2"]
    return {
        f"p{n}": {"esagono": hexes[n], "folla": "no" if n < count else "si"} for n in range(total)
    }


@pytest.mark.rule("warfare:scenari.s1")
@pytest.mark.parametrize(("count", "winner"), [(4, "blu"), (3, "blu"), (2, None), (1, "verde")])
def test_hearts_and_minds_count_civilians(count, winner):
    units = {"b1": u("usmc_squad", "C8"), "v1": u("ins_cellula", "D5")}
    found = at_the_end("s1", units, turno=4, popolazione=civilians(count))
    assert found.winner == winner
    assert found.ruling.refs == ("warfare:scenari.s1",)


@pytest.mark.rule("warfare:scenari.s1")
def test_all_five_markers_win_at_once_and_a_regular_lost_costs_one():
    units = {"b1": u("usmc_squad", "C8"), "v1": u("ins_cellula", "D5")}
    found = at_the_end("s1", units, popolazione=civilians(5))
    assert (found.winner, found.degree) == ("blu", "sudden victory")
    state = TITLE.position(
        {"scenario": "s1", "turno": 4, "unita": units, "popolazione": civilians(3)}
    )
    lost = msgspec.structs.replace(state.units["b1"], place="out of the game", hex="")
    state = msgspec.structs.replace(state, units={**state.units, "b1": lost}, at={"D5": "v1"})
    assert TITLE.outcome(state).winner is None


@pytest.mark.rule("warfare:scenari.s2")
def test_civilians_led_to_the_last_row_are_saved():
    units = {"b1": u("usmc_squad", "C8"), "v1": u("ins_cellula", "A1")}
    game = Table(
        unita=units,
        scenario="s2",
        caselle={"blu": 30, "verde": 20},
        popolazione={"p1": {"esagono": "C8"}, "p2": {"esagono": "A2"}},
    )
    state = game.play("u:b1", "b:muovi", "u:p1", "h:C9", "b:vai").state
    assert state.population["p1"].place == "left the map"
    assert "scenari.s2" in game.cited
    done = msgspec.structs.replace(state, turn=4)
    assert (TITLE.outcome(done).winner, TITLE.outcome(done).degree) == (None, "drawn game")


@pytest.mark.rule("warfare:scenari.s3")
@pytest.mark.parametrize(
    ("hexes", "winner"), [([], "blu"), (["D3"], None), (["D3", "E5"], "verde")]
)
def test_the_farm_must_be_clear(hexes, winner):
    units = {"b1": u("us_rifle", "A1"), "v9": u("ins_cellula", "L10")}
    units |= {f"v{n}": u("ins_cellula", hex) for n, hex in enumerate(hexes, 1)}
    found = at_the_end("s3", units, turno=5, nascosti={})
    assert found.winner == winner


@pytest.mark.rule("warfare:scenari.s3")
def test_an_unknown_marker_in_the_farm_counts_too():
    units = {"b1": u("us_rifle", "A1"), "v9": u("ins_cellula", "L10")}
    markers = {"i1": {"tipo": "dummy", "esagono": "D4", "di": "verde"}}
    assert at_the_end("s3", units, turno=5, nascosti=markers).winner is None


@pytest.mark.rule("warfare:scenari.s4")
def test_the_outpost_falls_if_an_insurgent_stands_inside():
    units = {"b1": u("ita_fucilieri", "A10"), "v1": u("ins_cellula", "F5")}
    assert at_the_end("s4", units, turno=5).winner == "verde"
    units = {"b1": u("ita_fucilieri", "A10"), "v1": u("ins_cellula", "F3")}
    assert at_the_end("s4", units, turno=5).winner == "blu"


@pytest.mark.rule("warfare:scenari.s4")
def test_the_helicopter_arrives_in_turn_two_by_its_edge():
    game = Table.around(Game(TITLE, "s4", SeededChance(1)))
    rng = random.Random(1)
    while game.asked.id != "setup.arrival":
        options = game.options
        game.play("b:passa" if "b:passa" in options else rng.choice(list(options)))
    assert game.state.turn == 2
    assert all(option.endswith("10") for option in game.options)
    state = game.play(next(iter(game.options))).state
    assert state.units["b6"].place == "map"


@pytest.mark.rule("warfare:scenari.s5")
def test_a_bridge_hex_counts_for_the_last_unsuppressed_holder():
    units = {"b1": u("usmc_squad", "F4"), "r1": u("ru_fucilieri", "N4")}
    game = Table(unita=units, scenario="s5", posizioni={"blu": 10, "rosso": 20})
    state = game.play("u:b1", "b:muovi", "h:F5", "b:vai").state
    assert state.control == {"F5": "blu"}
    assert "scenari.s5" in game.cited
    state = game.play("u:b1", "b:muovi", "h:F4", "b:vai").state
    assert state.control == {"F5": "blu"}
    assert TITLE.outcome(msgspec.structs.replace(state, turn=5)).winner == "blu"


@pytest.mark.rule("warfare:scenari.s5", "warfare:scenari.s4")
def test_losses_end_a_game_at_once():
    state = TITLE.position({"scenario": "s4"})
    dead = {
        name: msgspec.structs.replace(unit, place="out of the game", hex="")
        for name, unit in state.units.items()
        if unit.side == "blu" and name in ("b1", "b2", "b6")
    }
    units = {**state.units, **dead}
    at = {x.hex: n for n, x in units.items() if x.hex}
    found = TITLE.outcome(msgspec.structs.replace(state, units=units, at=at))
    assert (found.winner, found.degree) == ("verde", "sudden victory"), "the helicopter counts two"


# Random scenarios


@pytest.mark.rule("warfare:scenari.casuali")
def test_the_same_seed_builds_the_same_scenario():
    one = Table.around(Game(TITLE, "casuale", None, {"seme": "7"}))
    other = Game(TITLE, "casuale", None, {"seme": "7"})
    assert one.position.rest == other.position.rest
    assert one.position.rest != Game(TITLE, "casuale", None, {"seme": "8"}).position.rest
    assert "scenari.casuali" in one.cited


@pytest.mark.rule("warfare:scenari.casuali")
def test_the_seed_may_be_rolled():
    game = Table.around(Game(TITLE, "casuale", ScriptedChance([(1, 1, 1, 8)])))
    game.play("b:tira")
    given = Table.around(Game(TITLE, "casuale", None, {"seme": "7"}))
    assert msgspec.structs.replace(game.state, switches={"seme": "7"}) == given.state
    assert game.position.decision == given.position.decision


@pytest.mark.rule("warfare:scenari.casuali")
def test_generated_armies_keep_the_rules_of_the_generator():
    for seed in range(1, 60):
        plan = generator.plan(seed)
        mission = plan.mission if plan.mission != generator.CHOICE else 5
        scenario = generator.scenario(generator.name_of(seed, mission))
        for (side, force), points in zip(scenario.forces.items(), plan.forces.points, strict=True):
            ids = [k for k, hexes in force.units.items() for _ in hexes]
            ids += [k for k, n in force.reserve.items() for _ in range(n)]
            kinds = [ROSTER[k].kind for k in ids]
            assert sum(ROSTER[k].points for k in ids) <= points, (seed, side)
            assert kinds.count("infantry") * 2 >= len(kinds), (seed, side)
            assert kinds.count("helicopter") <= 1
            assert max(ids.count(k) for k in ids) <= 3
            assert all(SUPPORTS[s].faction in force.factions for s in force.supports)


@pytest.mark.rule("warfare:scenari.casuali", "warfare:droni.facce")
def test_the_owner_chooses_the_face_of_a_drone():
    for seed in range(1, 80):
        game = Table.around(Game(TITLE, "casuale", SeededChance(1), {"seme": str(seed)}))
        decision = game.position.decision
        if decision.id == "setup.face":
            assert "warfare:droni.facce" in decision.ruling.refs
            other = list(game.options)[1]
            state = game.play(other).state
            assert any(s.type == other[len("b:faccia-") :] for s in state.supports.values())
            return
    raise AssertionError("no seed draws a drone with two faces")


@pytest.mark.rule("warfare:scenari.casuali")
def test_random_scenarios_are_played_to_their_end():
    for seed in ("3", "11", "29", "41"):
        game = Game(TITLE, "casuale", SeededChance(5), {"seme": seed})
        players = {"blu": RandomPlayer(), "rosso": RandomPlayer()}
        assert drive(game, players, random.Random(5)).ruling.refs == ("warfare:scenari.casuali",)


@pytest.mark.rule("warfare:scenari.casuali")
def test_vehicles_of_a_convoy_leave_by_the_north_edge():
    seed = next(
        n
        for n in range(1, 400)
        if generator.plan(n).mission == 6
        and {generator.field(generator.name_of(n, 6)).terrain[h] for h in ("C1", "D1")}
        <= {"open", "cover"}
    )
    name = generator.name_of(seed, 6)
    units = {
        "b1": u("us_jltv", "C1"),
        "b2": u("us_jltv", "C3"),
        "b3": u("us_rifle", "E1"),
        "b4": u("us_at", a_bordo="b1"),
        "b5": u("us_jltv", "D1"),
        "r1": u("ins_cellula", "L10"),
    }
    state = TITLE.position(
        {
            "scenario": name,
            "unita": units,
            "posizioni": {"blu": 0, "rosso": 9},
            "popolazione": {"p1": {"a_bordo": "b5"}},
            "nascosti": {},
        }
    )
    game = Table.around(Game(TITLE, "casuale", None, start=state))
    for unit in ("b2", "b3"):
        game = Table.around(Game(TITLE, "casuale", None, start=state))
        game.play(f"u:{unit}")
        assert "scenari.casuali" in game.why_not("b:esci"), "not in row 1, or not a vehicle"
    game = Table.around(Game(TITLE, "casuale", None, start=state))
    after = game.play("u:b1", "b:esci").state
    assert [after.units[n].place for n in ("b1", "b4")] == ["left the map"] * 2
    assert {"side": "blu", "n": 1, "box": 39} in game.facts("scenari.casuali")
    assert game.facts("trasporto.movimento") == [{"unit": "b4"}]
    assert {"unit": "b1"} in game.facts("scenari.casuali")
    assert game.why_not("u:b1") == {"scenari.casuali"}, "who has left acts no more"
    assert after.cubes["blu"].position == 1
    victory = generator.scenario(name).victory
    assert score(after, victory) == 1, "the cargo does not count"
    after = game.play("u:b5", "b:esci").state
    assert (after.population["p1"].place, after.population["p1"].carrier) == ("left the map", "")
    assert list(TITLE.invariants(after)) == []


@pytest.mark.rule("warfare:scenari.casuali", "warfare:elicotteri.bassa")
def test_an_extraction_needs_a_low_helicopter_and_infantry_beside_it():
    seed = next(n for n in range(1, 400) if generator.fits(n, 7))
    name = generator.name_of(seed, 7)
    field, victory = generator.field(name), generator.scenario(name).victory
    (spot,) = victory.objectives
    one, other = field.around[spot][:2]
    far = next(hex for hex in field.labels if field.distance(hex, spot) > 3)

    def winner(overwatch, second):
        units = {
            "b1": u("us_apache", spot, overwatch=overwatch),
            "b2": u("us_rifle", one),
            "b3": u("us_at", second),
            "r1": u("ins_cellula", far),
        }
        given = {"scenario": name, "unita": units, "turno": 9, "popolazione": {}, "nascosti": {}}
        return TITLE.outcome(TITLE.position(given)).winner

    assert winner("no", other) == "blu"
    assert winner("si", other) == "rosso", "in overwatch it is high"
    beyond = next(h for h in field.labels if field.distance(h, spot) == 2)
    assert winner("no", beyond) == "rosso", "only one unit beside it"


# The solo opponent


@pytest.mark.rule("warfare:solitario.cenno")
@pytest.mark.parametrize(
    ("face", "mood"), [(1, "cautious"), (6, "normal"), (16, "aggressive"), (20, "fanatical")]
)
def test_the_solo_opponent_rolls_a_mood_each_turn(face, mood):
    game = Table.around(Game(TITLE, "s2", ScriptedChance([(face,)]), {"solitario": "si"}))
    assert game.state.moods == {"verde": mood}
    assert "solitario.cenno" in game.cited


@pytest.mark.rule("warfare:solitario.cenno")
def test_the_solo_opponent_gives_a_reason_and_beats_chance():
    wins = 0
    for seed in range(3):
        game = Game(TITLE, "s5", SeededChance(seed), {"solitario": "si"})
        solo = TITLE.player("solitario")
        outcome = drive(game, {"blu": RandomPlayer(), "rosso": solo}, random.Random(seed))
        wins += outcome.winner == "rosso"
        assert solo.reason() is not None
    assert wins >= 2


@pytest.mark.rule("warfare:solitario.cenno")
def test_unknown_levels_are_refused():
    with pytest.raises(KeyError):
        TITLE.player("impossibile")


def test_every_data_file_is_valid():
    from engine.core.data import data_path

    for path in sorted(data_path("warfare").rglob("*.yaml")):
        if path.parent.name in ("maps", "scenarios", "examples"):
            assert TITLE.validate(path) == (), path


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("unita: {usmc_lav: [D8]", "unita: {usmc_tank: [D8]"),
        ("casella: 38", "casella: 41"),
        ("folla: [C4,", "folla: [Z4,"),
    ],
)
def test_a_wrong_scenario_file_says_what_is_wrong(tmp_path, text, fault):
    from engine.core.data import data_path

    good = data_path("warfare", "scenarios", "s1.yaml").read_text(encoding="utf-8")
    assert text in good
    path = tmp_path / "s1.yaml"
    path.write_text(good.replace(text, fault), encoding="utf-8")
    assert TITLE.validate(path)
