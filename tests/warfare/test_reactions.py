"""Who may react, in which order, with what reasons against, and who pays."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u

ACTS, FIRES = "action.who", "overwatch.who"
SAM, DUEL, JAMS, RAMS = "air.sam", "sniper.duel", "drone.jam", "drone.ram"
CROWD = {"folla": "si"}
FPV = {"us_drone_fpv": {"lato": "blu"}}


# Overwatch


@pytest.mark.rule("warfare:overwatch.costo", "warfare:arbitrato.overwatch_reazioni")
def test_the_mover_pays_first_then_each_watcher_pays_its_own_shot():
    game = Table(
        unita={
            "b1": u("usmc_squad", "A5"),
            "v1": u("ins_mg", "E5", overwatch="si"),
            "v2": u("ins_cellula", "C7", overwatch="si"),
        },
        dice=(1, 1),
    )
    game.go("b1", "B5", "C5")
    assert (game.asked.side, game.asked.id) == ("verde", FIRES)
    assert "overwatch.costo" in game.asked_by
    assert set(game.options) == {"u:v1", "u:v2", "b:attendi", "b:mai"}, "in the order they like"
    game.play("u:v2")
    assert (game.asked.side, game.asked.id) == ("verde", FIRES), "the other one, in the same hex"
    assert list(game.options) == ["u:v1", "b:attendi", "b:mai"]
    state = game.play("u:v1").state
    assert game.paid == [("blu", 2), ("verde", 2), ("verde", 4)]
    assert (game.asked.side, game.asked.id) == ("blu", ACTS)
    assert state.units["b1"].hex == "C5"
    assert not state.units["v1"].overwatch
    assert not state.units["v2"].overwatch


@pytest.mark.rule("warfare:overwatch.fuoco", "warfare:overwatch.una_volta")
def test_a_unit_shot_down_on_its_way_ends_its_movement_and_the_others_keep_their_cubes():
    game = Table(
        unita={
            "b1": u("usmc_squad", "A5", danno=2),
            "v1": u("ins_mg", "E5", overwatch="si"),
            "v2": u("ins_cellula", "C7", overwatch="si"),
        },
        dice=(5,),
    )
    game.go("b1", "B5", "C5")
    state = game.play("u:v1").state
    assert state.units["b1"].place == "out of the game"
    assert state.march is None
    assert state.units["v2"].overwatch
    assert game.asked.id == ACTS


@pytest.mark.rule("warfare:overwatch.fuoco", "warfare:morale.scosso")
def test_a_shaken_unit_goes_on_along_its_path():
    game = Table(
        unita={"b1": u("usmc_squad", "A5"), "v1": u("ins_mg", "E5", overwatch="si")}, dice=(4,)
    )
    game.go("b1", "B5", "C5")
    state = game.play("u:v1").state
    assert (state.units["b1"].morale, state.units["b1"].hex) == (1, "C5")


@pytest.mark.rule("warfare:overwatch.fuoco", "warfare:fuoco.passo2", "warfare:fuoco.passo3")
def test_watchers_that_cannot_fire_are_refused_with_their_reason():
    game = Table(
        unita={
            "b1": u("usmc_squad", "C4"),
            "v1": u("ins_mg", "D6", overwatch="si"),
            "v2": u("ins_mg", "G4", overwatch="si"),
            "v3": u("ins_cellula", "L10", overwatch="si"),
        }
    )
    game.go("b1", "D4")
    assert list(game.options) == ["u:v1", "b:attendi", "b:mai"]
    assert "los.regola2" in game.why_not("u:v2")
    assert "fuoco.passo3" in game.why_not("u:v3")


@pytest.mark.rule("warfare:anfibio.fuoco", "warfare:overwatch.fuoco")
def test_infantry_in_the_water_does_not_react():
    game = Table(
        unita={
            "b1": u("ita_lagunari", "H8", overwatch="si"),
            "b2": u("us_rifle", "F7", overwatch="si"),
            "v1": u("ins_cellula", "G9"),
        },
        caselle={"blu": 20, "verde": 30},
    )
    game.go("v1", "G8")
    assert list(game.options) == ["u:b2", "b:attendi", "b:mai"]
    assert game.why_not("u:b1") >= {"anfibio.fuoco"}


@pytest.mark.rule("warfare:tiratore.limiti", "warfare:arbitrato.tiratore_overwatch")
def test_a_sniper_that_may_not_fire_is_refused_with_its_limits():
    game = Table(
        unita={"b1": u("us_jltv", "A5"), "v1": u("ins_tecnica", "E5", overwatch="si")},
        supporti={"ins_sniper": {"lato": "verde", "overwatch": "si"}},
    )
    game.go("b1", "B5")
    assert list(game.options) == ["u:v1", "b:attendi", "b:mai"]
    assert game.why_not("c:ins_sniper") == {"tiratore.limiti"}


@pytest.mark.rule("warfare:arbitrato.tiratore_overwatch", "warfare:tiratore.limiti")
def test_a_sniper_alone_is_not_asked_about_what_it_may_not_shoot():
    for kind, smoke in (("us_jltv", ()), ("ita_mangusta", ()), ("us_rifle", ("B5",))):
        game = Table(
            unita={"b1": u(kind, "A5"), "v1": FAR},
            supporti={"ins_sniper": {"lato": "verde", "overwatch": "si"}},
            fumo=list(smoke),
        )
        game.go("b1", "B5")
        assert (game.asked.side, game.asked.id) == ("blu", ACTS), kind


@pytest.mark.rule("warfare:arbitrato.fine_turno_reazione", "warfare:turno.fine")
def test_a_reaction_that_takes_the_last_cube_past_40_ends_the_turn_after_the_action():
    game = Table(
        unita={"b1": u("usmc_squad", "A5"), "v1": u("ins_mg", "E5", overwatch="si")},
        posizioni={"blu": 38, "verde": 38},
        attivo="blu",
        dice=(1,),
    )
    game.go("b1", "B5")
    assert game.state.turn == 1
    game.play("b:attendi")
    assert (game.asked.side, game.state.turn) == ("verde", 1), "blue is at 39"
    game = Table(
        unita={"b1": u("usmc_squad", "A5"), "v1": u("ins_mg", "E5", overwatch="si")},
        posizioni={"blu": 38, "verde": 39},
        attivo="blu",
        dice=(4,),
    )
    game.go("b1", "B5", "C5")
    assert game.state.turn == 1, "blue reached 40, green is at 39"
    state = game.play("u:v1").state
    assert (state.turn, state.units["b1"].hex) == (2, "C5")
    assert state.units["b1"].morale == 0, "shaken on the way, calmed when the turn ended"
    assert {"turno.fine", "arbitrato.fine_turno_reazione"} <= game.cited


DUMMY = {"tipo": "dummy", "esagono": "C6", "di": "verde"}
MINE = {"tipo": "mina", "esagono": "C6", "di": "verde", "scoperto": "si"}


@pytest.mark.rule("warfare:overwatch.fine")
@pytest.mark.parametrize(
    ("unit", "verb", "answers", "given"),
    [
        ("usmc_squad", "muovi", ("h:B5", "b:vai"), {}),
        ("usmc_squad", "fuoco", ("b:leggero", "u:v1"), {}),
        ("usmc_squad", "fumo", ("h:B5",), {}),
        ("usmc_squad", "converti", ("u:p1",), {"popolazione": {"p1": {"esagono": "C6", **CROWD}}}),
        ("us_engineers", "sgombra", ("h:C6",), {"blocchi": ["C6"]}),
        ("us_mg", "sopprimi", ("u:v1",), {}),
        ("us_recon", "ricognizione", ("u:i1",), {"nascosti": {"i1": DUMMY}}),
        ("us_engineers", "bonifica", ("u:i1",), {"nascosti": {"i1": MINE}}),
        ("us_recon", "droni", (), {}),
        ("usmc_lav", "carica", ("u:b2",), {}),
        ("us_recon", "ricognizione-droni", ("c:us_drone_fpv",), {"supporti": FPV}),
    ],
)
def test_every_action_ends_an_overwatch(unit, verb, answers, given):
    units = {
        "b1": u(unit, "C5", overwatch="si"),
        "b2": u("us_rifle", "B6"),
        "v1": u("ins_cellula", "E5", overwatch="si"),
    }
    game = Table(unita=units, dice=(5,), **given)
    game.play("u:b1", f"b:{verb}", *answers)
    assert not game.state.units["b1"].overwatch
    assert "overwatch.fine" in game.cited


@pytest.mark.rule("warfare:overwatch.azione")
@pytest.mark.parametrize("kind", ["usmc_squad", "us_jltv", "ita_mangusta"])
def test_infantry_vehicles_and_helicopters_watch_unless_shaken(kind):
    game = Table(unita={"b1": u(kind, "C5"), "v1": FAR})
    assert game.play("u:b1", "b:overwatch").state.units["b1"].overwatch
    assert game.paid == [("blu", 1)]
    game = Table(unita={"b1": u(kind, "C5", morale=1), "v1": FAR})
    game.play("u:b1")
    assert "combattimento.morale" in game.why_not("b:overwatch")


@pytest.mark.rule("warfare:overwatch.una_volta", "warfare:overwatch.azione")
def test_a_sniper_in_overwatch_takes_no_second_cube():
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": FAR},
        supporti={"usmc_sniper": {"lato": "blu", "overwatch": "si"}},
    )
    game.play("c:usmc_sniper")
    assert game.why_not("b:overwatch") == {"overwatch.una_volta"}


# Snipers


@pytest.mark.rule("warfare:tiratore.duello", "warfare:overwatch.costo", "warfare:tiratore.ritorno")
def test_in_a_duel_each_pays_its_own_and_goes_to_its_own_box():
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        supporti={
            "usmc_sniper": {"lato": "blu"},
            "ins_sniper": {"lato": "verde", "overwatch": "si"},
        },
        dice=(1, 3),
    )
    game.play("c:usmc_sniper", "b:mira", "u:v1")
    assert (game.asked.side, game.asked.id) == ("verde", DUEL)
    assert "overwatch.costo" in game.asked_by
    state = game.play("c:ins_sniper").state
    assert game.paid == [("blu", 4), ("verde", 2)]
    assert game.rolled == ["1grey", "1green"], "first who watches, then who was aiming"
    assert state.supports["usmc_sniper"].position == state.cubes["blu"].position == 14
    assert state.supports["ins_sniper"].position == state.cubes["verde"].position == 22
    assert not state.supports["ins_sniper"].overwatch


@pytest.mark.rule("warfare:tiratore.prosegue", "warfare:arbitrato.supporto_morale")
def test_a_sniper_eliminated_in_a_duel_is_gone_for_good():
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        supporti={
            "usmc_sniper": {"lato": "blu", "danno": 2},
            "ins_sniper": {"lato": "verde", "overwatch": "si"},
        },
        dice=(5,),
    )
    game.play("c:usmc_sniper", "b:mira", "u:v1")
    state = game.play("c:ins_sniper").state
    assert state.supports["usmc_sniper"].place == "gone"
    assert state.units["v1"].morale == 0
    assert "arbitrato.supporto_morale" in game.why_not("c:usmc_sniper")


@pytest.mark.rule("warfare:tiratore.duello", "warfare:tiratore.prosegue")
@pytest.mark.parametrize(("face", "again"), [(4, False), (1, True), (5, True)])
def test_a_second_sniper_is_asked_only_while_the_first_target_still_aims(face, again):
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        supporti={
            "usmc_sniper": {"lato": "blu"},
            "ins_sniper": {"lato": "verde", "overwatch": "si"},
            "ru_sniper": {"lato": "verde", "overwatch": "si"},
        },
        dice=(face, 1),
    )
    game.play("c:usmc_sniper", "b:mira", "u:v1", "c:ins_sniper")
    assert (game.asked.id == DUEL) == again


# Aircraft and drones

AIR = {
    "b1": u("usmc_squad", "A1"),
    "v1": u("ins_cellula", "E5"),
    "v2": u("ins_sam", "G5", overwatch="si"),
    "v3": u("ins_vedette", "L9"),
}


def windows(game, *answers):
    """The questions put to green until blue acts again, each answered in turn."""
    found = []
    for answer in answers:
        found.append(game.asked.id)
        assert game.asked.side == "verde"
        game.play(answer)
    return found


@pytest.mark.rule("warfare:cas.sam_overwatch", "warfare:cas.sam_uscita", "warfare:cas.doppio")
def test_an_aircraft_meets_two_windows_before_and_after_its_attack():
    game = Table(unita=AIR, supporti={"us_a10": {"lato": "blu"}}, dice=(1, 3, 1))
    game.play("c:us_a10", "b:cas", "b:leggero", "u:v1")
    assert {"cas.sam_overwatch", "overwatch.costo"} <= game.asked_by
    assert game.state.units["v1"].damage == 0
    game.play("u:v2")
    assert {"cas.sam_uscita", "cas.doppio", "overwatch.costo"} <= game.asked_by
    assert game.state.units["v1"].damage == 1, "the attack lies between the two"
    state = game.play("u:v2").state
    assert game.paid == [("blu", 8), ("verde", 6), ("verde", 6)]
    assert game.rolled == ["1grey", "1purple", "1grey"]
    assert state.supports["us_a10"].position == 18


@pytest.mark.rule(
    "warfare:cas.sam_overwatch", "warfare:cas.annullato", "warfare:arbitrato.sam_prima"
)
@pytest.mark.parametrize(("face", "again"), [(4, False), (1, True), (5, True)])
def test_a_second_sam_in_overwatch_fires_unless_the_mission_is_called_off(face, again):
    units = {**AIR, "v4": u("ins_sam", "G7", overwatch="si")}
    game = Table(unita=units, supporti={"us_a10": {"lato": "blu"}}, dice=(face, 1))
    game.play("c:us_a10", "b:cas", "b:leggero", "u:v1", "u:v2")
    assert (game.asked.id == SAM) == again
    if again:
        assert "cas.sam_overwatch" in game.asked_by
        assert list(game.options) == ["u:v4", "b:rinuncia"]


@pytest.mark.rule("warfare:cas.sam_uscita", "warfare:arbitrato.sam_dopo")
def test_only_one_sam_fires_as_an_aircraft_leaves_and_a_shaken_one_is_refused():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_sam", "G5"),
        "v3": u("ins_sam", "L1"),
        "v4": u("ins_sam", "L3", morale=1),
    }
    game = Table(unita=units, supporti={"us_a10": {"lato": "blu"}}, dice=(1, 1))
    game.play("c:us_a10", "b:cas", "b:leggero", "u:v1")
    assert list(game.options) == ["u:v2", "u:v3", "b:rinuncia"]
    assert {"combattimento.morale", "morale.scosso"} <= game.why_not("u:v4")
    game.play("u:v3")
    assert (game.asked.side, game.asked.id) == ("blu", ACTS)


@pytest.mark.rule("warfare:cas.sam_overwatch", "warfare:sam.arma")
def test_before_the_attack_only_sam_in_range_fire():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "A9"),
        "v2": u("ins_sam", "C9", overwatch="si"),
        "v3": u("ins_sam", "L1", overwatch="si"),
        "v4": u("ins_mg", "E9", overwatch="si"),
    }
    game = Table(unita=units, supporti={"us_a10": {"lato": "blu"}})
    game.play("c:us_a10", "b:cas", "b:leggero", "u:v1")
    assert list(game.options) == ["u:v2", "b:rinuncia"]
    assert "fuoco.passo3" in game.why_not("u:v3")
    assert game.why_not("u:v4") == {"sam.arma"}


@pytest.mark.rule("warfare:droni.come_cas", "warfare:droni.sam", "warfare:disturbo.azione")
def test_a_large_drone_meets_sam_then_jamming_then_sam_again():
    game = Table(unita=AIR, supporti={"us_drone_mq": {"lato": "blu"}}, dice=(1, 1, 2, 1))
    game.play("c:us_drone_mq", "b:drone", "b:leggero", "u:v1")
    assert windows(game, "u:v2", "u:v3", "u:v2") == [SAM, JAMS, SAM]
    assert game.paid == [("blu", 5), ("verde", 6), ("verde", 2), ("verde", 6)]
    assert game.rolled == ["1green", "1green", "1yellow", "1green"]
    assert game.asked.id == ACTS


@pytest.mark.rule("warfare:droni.speronamento", "warfare:arbitrato.speronamento_momento")
def test_a_small_drone_meets_ramming_then_jamming_and_no_sam():
    supports = {
        "us_drone_fpv": {"lato": "blu"},
        "ins_drone_fpv": {"lato": "verde", "overwatch": "si"},
    }
    game = Table(unita=AIR, supporti=supports, dice=(1, 1, 3))
    game.play("c:us_drone_fpv", "b:drone", "b:leggero", "u:v1")
    assert "overwatch.costo" in game.asked_by
    assert windows(game, "c:ins_drone_fpv", "u:v3") == [RAMS, JAMS]
    assert game.paid == [("blu", 3), ("verde", 3), ("verde", 2)]
    assert game.state.units["v1"].morale == 1
    assert game.asked.id == ACTS


@pytest.mark.rule("warfare:droni.speronamento")
def test_what_ramming_does_it_does_to_both():
    supports = {
        "us_drone_fpv": {"lato": "blu", "danno": 2},
        "ins_drone_fpv": {"lato": "verde", "overwatch": "si", "danno": 2},
    }
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")},
        supporti=supports,
        dice=(6,),
    )
    game.play("c:us_drone_fpv", "b:drone", "b:leggero", "u:v1")
    state = game.play("c:ins_drone_fpv").state
    assert game.rolled == ["1pink"], "green, two less for its own damage"
    assert [s.place for s in state.supports.values()] == ["gone", "gone"]
    assert game.paid == [("blu", 1), ("verde", 1)]


@pytest.mark.rule("warfare:disturbo.azione", "warfare:morale.soppresso")
def test_a_suppressed_unit_does_not_jam():
    game = Table(
        unita={**AIR, "v4": u("ins_vedette", "K9", morale=2)},
        supporti={"us_drone_fpv": {"lato": "blu"}},
    )
    game.play("c:us_drone_fpv", "b:drone", "b:leggero", "u:v1")
    assert list(game.options) == ["u:v3", "b:rinuncia"]
    assert game.why_not("u:v4") == {"morale.soppresso"}


@pytest.mark.rule("warfare:disturbo.azione", "warfare:arbitrato.disturbo_dado")
def test_one_attempt_to_jam_is_all_and_damage_makes_it_worse_and_cheaper():
    game = Table(
        unita={**AIR, "v3": u("ins_vedette", "L9", danno=1), "v4": u("ins_vedette", "K9")},
        supporti={"us_drone_fpv": {"lato": "blu"}},
        dice=(2, 1),
    )
    game.play("c:us_drone_fpv", "b:drone", "b:leggero", "u:v1")
    game.play("u:v3")
    assert game.rolled == ["1grey", "1green"]
    assert game.paid == [("blu", 3), ("verde", 1)]
    assert game.asked.id == ACTS


@pytest.mark.rule("warfare:disturbo.test", "warfare:arbitrato.disturbo_valore")
def test_a_drone_taken_over_attacks_with_the_value_its_owner_paid():
    game = Table(unita=AIR, supporti={"us_drone_fpv": {"lato": "blu"}}, dice=(6, 1))
    game.play("c:us_drone_fpv", "b:drone", "b:pesante", "u:v1")
    game.play("u:v3")
    assert "arbitrato.disturbo_valore" in game.asked_by
    game.play("u:b1")
    assert game.rolled == ["1green", "1green"], "yellow, one less for the defence"
