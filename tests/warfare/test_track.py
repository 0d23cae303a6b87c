"""The action track: spending, roles, passing, the end of the turn."""

from __future__ import annotations

import pytest

from engine.game import Game, SeededChance
from engine.warfare import TITLE
from tests.warfare.table import FAR, Table, u


@pytest.mark.rule("warfare:track.spesa", "warfare:track.ruoli")
def test_each_ap_is_a_box_and_who_has_fewer_left_becomes_reactive():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, caselle={"blu": 30, "verde": 30})
    state = game.go("b1", "D5").state
    assert state.cubes["blu"].box == 29
    assert state.active == "verde"
    assert {"track.spesa", "track.ruoli"} <= game.cited
    assert not {"track.parita", "arbitrato.piu_giocatori"} & game.cited


@pytest.mark.rule("warfare:track.ruoli", "warfare:track.parita")
def test_who_is_still_ahead_stays_active_and_nothing_is_said_of_a_tie():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR})
    state = game.go("b1", "D5").state
    assert state.active == "blu"
    assert not {"track.ruoli", "track.parita"} & {
        r.partition(":")[2] for s in game.steps[-2:] for r in s.ruling.refs
    }


@pytest.mark.rule("warfare:track.parita")
def test_in_the_same_box_the_active_player_stays_active():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, caselle={"blu": 30, "verde": 29})
    state = game.go("b1", "D5").state
    assert state.cubes["blu"].position == state.cubes["verde"].position
    assert state.active == "blu"
    assert "track.parita" in game.cited


@pytest.mark.rule("warfare:track.ripetere", "warfare:movimento.alternare")
def test_units_act_in_any_order_any_number_of_times():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "b2": u("us_rifle", "C9"), "v1": FAR})
    game.go("b1", "D5")
    game.go("b2", "D9")
    state = game.go("b1", "E5").state
    assert (state.units["b1"].hex, state.units["b2"].hex) == ("E5", "D9")
    assert "warfare:track.ripetere" in game.position.decision.ruling.refs
    game.play("u:b1")
    assert "warfare:movimento.alternare" in game.position.decision.ruling.refs


@pytest.mark.rule("warfare:track.passare")
def test_passing_goes_one_box_beyond_the_opponent():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR})
    state = game.play("b:passa").state
    assert state.cubes["blu"].box == 19
    assert state.active == "verde"
    assert "track.passare" in game.cited


@pytest.mark.rule("warfare:track.mai_sale")
def test_from_box_1_the_cube_goes_round_to_40():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, caselle={"blu": 2, "verde": 1})
    state = game.play("b:passa").state
    assert state.cubes["blu"].position == 40
    assert state.cubes["blu"].box == 40
    assert "track.mai_sale" in game.cited


@pytest.mark.rule("warfare:turno.fine")
def test_the_turn_does_not_end_while_a_cube_is_before_box_40():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, caselle={"blu": 2, "verde": 1})
    state = game.play("b:passa").state
    assert state.turn == 1
    assert "turno.fine" not in game.cited


@pytest.mark.rule(
    "warfare:turno.fine",
    "warfare:turno.fine.scossi",
    "warfare:turno.fine.soppressi",
    "warfare:turno.fine.fumo",
    "warfare:turno.fine.cubetto",
    "warfare:turno.nuovo",
    "warfare:morale.fine_turno",
    "warfare:fumogeni.durata",
)
def test_the_end_of_the_turn_calms_units_and_supports_and_moves_no_cube():
    game = Table(
        unita={
            "b1": u("usmc_squad", "C5", morale=2),
            "b2": u("us_rifle", "C7", morale=1),
            "b3": u("us_at", "C9", overwatch="si", danno=1),
            "v1": FAR,
        },
        supporti={"us_a10": {"lato": "blu", "morale": 1, "posizione": 5, "turno": 1}},
        posizioni={"blu": 38, "verde": 41},
        fumo=["A1"],
    )
    state = game.play("b:passa").state
    assert state.turn == 2
    assert [state.units[n].morale for n in ("b1", "b2")] == [1, 0]
    assert state.supports["us_a10"].morale == 0
    assert state.smoke == ()
    assert state.units["b3"].overwatch
    assert state.units["b3"].damage == 1
    assert (state.cubes["blu"].position, state.cubes["verde"].position) == (42, 41)
    refs = [r for s in game.steps for r in s.ruling.refs if r.startswith("warfare:turno.fine.")]
    order = list(dict.fromkeys(refs))
    assert order == [
        "warfare:turno.fine.fumo",
        "warfare:turno.fine.scossi",
        "warfare:turno.fine.soppressi",
        "warfare:turno.fine.cubetto",
    ]


@pytest.mark.rule("warfare:arbitrato.piu_giocatori", "warfare:giocatori.numero")
def test_with_four_players_the_next_cube_of_anybody_is_the_limit():
    game = Table.around(Game(TITLE, "s5-4", SeededChance(1)))
    assert game.asked.side == "blu"
    state = game.play("b:passa").state
    assert state.cubes["blu"].position == 1
    assert state.active == "grigio"
    assert "arbitrato.piu_giocatori" in game.cited
    assert not any(option == "u:b1" for option in game.options)


@pytest.mark.rule("warfare:azioni.frazione_ap")
def test_an_action_other_than_movement_is_paid_with_too_few_ap():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")},
        caselle={"blu": 30, "verde": 30},
        dice=(1,),
    )
    state = game.play("u:b1", "b:fuoco", "b:leggero", "u:v1").state
    assert state.cubes["blu"].box == 27
    assert state.active == "verde"
    assert "azioni.frazione_ap" in game.cited
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")},
        caselle={"blu": 30, "verde": 28},
        dice=(1,),
    )
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    assert "azioni.frazione_ap" not in game.cited, "three AP are there"


@pytest.mark.rule("warfare:azioni.tabella", "warfare:azioni.speciali")
def test_a_special_action_needs_its_icon():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")})
    game.play("u:b1")
    for verb in ("b:sopprimi", "b:martirio", "b:bonifica"):
        assert "azioni.speciali" in game.why_not(verb)
    assert "azioni.tabella" in {r.partition(":")[2] for r in game.position.decision.ruling.refs}


@pytest.mark.rule("warfare:turno.fine")
def test_the_last_action_is_resolved_before_the_turn_ends():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")},
        posizioni={"blu": 39, "verde": 45},
        dice=(4,),
    )
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    texts = [s.ruling.refs[0] for s in game.steps]
    assert texts.index("warfare:fuoco.risultati") < texts.index("warfare:turno.fine")
    assert game.state.units["v1"].morale == 0, "shaken by the shot, calmed by the end of the turn"
