"""Unknown markers: entering, recon, IED, mines, disarming, dummies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.odds import odds
from engine.warfare import TITLE
from tests.warfare.table import FAR, Table, u


def hidden(item, hex="D5", owner="verde", **more):
    return {"i1": {"tipo": item, "esagono": hex, "di": owner, **more}}


@pytest.mark.rule(
    "warfare:ied.ingresso",
    "warfare:ied.attacco",
    "warfare:ied.rimozione",
    "warfare:ignoti.rivelare",
)
def test_an_ied_bursts_under_who_enters_and_is_gone():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=hidden("ied_rosso"), dice=(2,)
    )
    state = game.go("b1", "D5").state
    assert game.rolled == ["1yellow"], "red, one less for the defence"
    assert state.units["b1"].morale == 1
    assert state.hidden == {}
    assert {"ied.ingresso", "ied.attacco", "ied.rimozione", "ignoti.rivelare"} <= game.cited


@pytest.mark.rule("warfare:ied.attacco", "warfare:arbitrato.ied_modificatori")
def test_a_blast_counts_the_terrain_of_who_is_hit_and_costs_nothing():
    game = Table(
        unita={"b1": u("usmc_squad", "D4", danno=2), "v1": FAR},
        nascosti=hidden("ied_blu", "E4"),
        dice=(1,),
    )
    state = game.go("b1", "E4").state
    assert game.rolled == ["1yellow"], "blue, one less for defence and one for cover"
    assert state.cubes["blu"].position == 11
    assert state.cubes["verde"].position == 20
    assert state.rubble == ()


@pytest.mark.rule("warfare:arbitrato.fortificazione_supporti", "warfare:ied.ricognizione")
@pytest.mark.parametrize(("hex", "die"), [("C7", "1grey"), ("E7", "1yellow")])
def test_a_blast_beside_a_fortification_comes_from_the_hex_of_the_marker(hex, die):
    game = Table(
        unita={"b1": u("us_recon", "D7"), "v1": FAR}, nascosti=hidden("ied_rosso", hex), dice=(1, 1)
    )
    game.play("u:b1", "b:ricognizione", "u:i1", "b:detona")
    assert game.rolled[1] == die, "red, one less for defence, two across triangles"


@pytest.mark.rule("warfare:arbitrato.fortificazione_supporti", "warfare:ied.ingresso")
def test_a_blast_in_the_fortification_itself_meets_no_cover():
    game = Table(
        unita={"b1": u("us_recon", "E7"), "v1": FAR}, nascosti=hidden("ied_rosso", "D7"), dice=(1,)
    )
    game.go("b1", "D7")
    assert game.rolled == ["1yellow"]


@pytest.mark.rule("warfare:ied.mina_resta", "warfare:ied.ingresso")
def test_a_mine_stays_and_bursts_again():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": FAR},
        nascosti=hidden("mina"),
        dice=(1, 1),
        caselle={"blu": 30, "verde": 10},
    )
    state = game.go("b1", "D5").state
    assert state.hidden["i1"].revealed
    game.go("b1", "E5")
    game.go("b1", "D5")
    assert game.rolled == ["1green", "1green"]
    assert "ied.mina_resta" in game.cited


@pytest.mark.rule("warfare:ied.ingresso", "warfare:arbitrato.ied_proprietario")
def test_an_ied_spares_its_owner_and_a_mine_does_not():
    for item, count in (("ied_rosso", 0), ("mina", 1)):
        game = Table(
            unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "C5")},
            nascosti=hidden(item),
            caselle={"blu": 20, "verde": 30},
            dice=(1,),
        )
        game.go("v1", "D5")
        assert len(game.rolled) == count
        if not count:
            assert "arbitrato.ied_proprietario" in game.cited


@pytest.mark.rule("warfare:ignoti.rivelare", "warfare:arbitrato.ied_proprietario")
def test_helicopters_reveal_nothing():
    game = Table(unita={"b1": u("ita_mangusta", "C5"), "v1": FAR}, nascosti=hidden("mina"))
    state = game.go("b1", "D5").state
    assert not state.hidden["i1"].revealed


@pytest.mark.rule("warfare:ignoti.blocco", "warfare:arbitrato.rimbalzo")
def test_a_hidden_roadblock_throws_back_beyond_the_limit_of_ap():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": FAR},
        nascosti=hidden("ignoto_blocco"),
        caselle={"blu": 30, "verde": 30},
    )
    state = game.go("b1", "D5").state
    assert state.units["b1"].hex == "C5"
    assert state.cubes["blu"].position == 12
    assert state.roadblocks == ("D5",)


@pytest.mark.rule("warfare:ignoti.blocco", "warfare:arbitrato.rimbalzo")
def test_thrown_back_on_a_friend_a_unit_goes_further_back_for_nothing():
    game = Table(
        unita={"b1": u("usmc_squad", "B5"), "b2": u("us_rifle", "C5"), "v1": FAR},
        nascosti=hidden("ignoto_blocco"),
    )
    state = game.go("b1", "C5", "D5").state
    assert state.units["b1"].hex == "B5"
    assert state.cubes["blu"].position == 13


@pytest.mark.rule("warfare:ignoti.blocco", "warfare:arbitrato.rimbalzo")
def test_who_is_thrown_back_may_be_fired_at_where_it_came_from_and_not_in_the_roadblock():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_mg", "D7", overwatch="si")},
        nascosti=hidden("ignoto_blocco"),
        dice=(1,),
    )
    game.go("b1", "D5", "E5")
    facts = game.position.decision.ruling.msg.facts
    assert (game.asked.side, facts["hex"], facts["ahead"]) == ("verde", "C5", ())
    state = game.play("u:v1").state
    assert state.units["b1"].hex == "C5", "the movement is over"
    assert state.cubes["blu"].position == 13, "two hexes declared, one back"


@pytest.mark.rule("warfare:ignoti.blocco", "warfare:movimento.veicolo_scoperto")
@pytest.mark.parametrize(
    ("kind", "hex", "cost"), [("us_jltv", "C5", 1 + 1), ("us_jltv", "E4", 1 + 2)]
)
def test_the_way_back_costs_what_its_terrain_costs(kind, hex, cost):
    to = "D5" if hex == "C5" else "F4"
    game = Table(unita={"b1": u(kind, hex), "v1": FAR}, nascosti=hidden("ignoto_blocco", to))
    assert game.go("b1", to).state.cubes["blu"].position == 10 + cost


@pytest.mark.rule("warfare:dummy.segnalino", "warfare:ricognizione.marginale")
@pytest.mark.parametrize("face", [3, 4])
def test_a_dummy_found_by_recon_is_removed(face):
    game = examine(u("us_recon", "C5"), "dummy", face)
    assert game.state.hidden == {}
    assert "dummy.segnalino" in game.cited


@pytest.mark.rule("warfare:dummy.segnalino")
def test_a_dummy_is_removed_when_entered():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=hidden("dummy"))
    assert game.go("b1", "D5").state.hidden == {}
    assert "dummy.segnalino" in game.cited


@pytest.mark.rule("warfare:arbitrato.tiratore_ignoto", "warfare:tiratore.segnalino")
def test_a_hidden_sniper_joins_its_owner():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=hidden("tiratore"))
    state = game.go("b1", "D5").state
    assert [(s.side, s.type) for s in state.supports.values()] == [("verde", "ins_sniper")]
    assert "arbitrato.tiratore_ignoto" in game.cited


@pytest.mark.rule("warfare:arbitrato.tiratore_ignoto", "warfare:unita.fazioni")
@pytest.mark.parametrize(
    ("scenario", "owner", "mover", "sniper"),
    [
        ("s5", "rosso", "b1", "ru_sniper"),
        ("s5", "blu", "r1", "usmc_sniper"),
        ("s4", "blu", "v1", "ita_sniper"),
        ("s4", "verde", "b1", "ins_sniper"),
    ],
)
def test_a_hidden_sniper_is_of_the_faction_of_its_owner(scenario, owner, mover, sniper):
    kinds = {"b": "us_rifle", "r": "ru_fucilieri", "v": "ins_cellula"}
    sides = {"b": "blu", "r": "rosso", "v": "verde"}
    other = {"blu": "b2", "rosso": "r2", "verde": "v2"}[owner]
    game = Table(
        unita={mover: u(kinds[mover[0]], "C5"), other: u(kinds[other[0]], "L1")},
        scenario=scenario,
        supporti={},
        nascosti={"i1": {"tipo": "tiratore", "esagono": "D5", "di": owner}},
        caselle={sides[mover[0]]: 30, owner: 20},
    )
    state = game.go(mover, "D5").state
    assert [(s.side, s.type) for s in state.supports.values()] == [(owner, sniper)]


@pytest.mark.rule("warfare:arbitrato.ordine_ingresso", "warfare:ignoti.rivelare")
def test_the_marker_comes_before_overwatch():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_mg", "G5", overwatch="si")},
        nascosti=hidden("dummy"),
    )
    game.go("b1", "D5")
    assert game.asked.side == "verde"
    assert game.state.hidden == {}


@pytest.mark.rule("warfare:arbitrato.doppio_segnalino")
def test_the_owner_orders_several_markers():
    markers = {**hidden("dummy"), "i2": {"tipo": "ied_rosso", "esagono": "D5", "di": "verde"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers, dice=(1,))
    game.go("b1", "D5")
    assert game.asked.side == "verde"
    state = game.play("u:i2").state
    assert state.hidden == {}


@pytest.mark.rule("warfare:arbitrato.doppio_segnalino")
def test_after_a_roadblock_the_other_marker_does_nothing():
    markers = {
        **hidden("ignoto_blocco"),
        "i2": {"tipo": "ied_rosso", "esagono": "D5", "di": "verde"},
    }
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers)
    game.go("b1", "D5")
    state = game.play("u:i1").state
    assert list(state.hidden) == ["i2"]
    assert state.units["b1"].hex == "C5"
    assert game.rolled == []


# Recon


def examine(unit, item, face, **given):
    game = Table(unita={"b1": unit, "v1": FAR}, nascosti=hidden(item), dice=(face, 1), **given)
    game.play("u:b1", "b:ricognizione", "u:i1")
    return game


@pytest.mark.rule("warfare:ricognizione.azione", "warfare:ricognizione.senza_icona")
def test_units_without_the_icon_roll_grey():
    game = examine(u("usmc_squad", "C5", morale=1), "dummy", 5)
    assert game.rolled == ["1grey"]
    assert "ricognizione.senza_icona" in game.cited
    game = examine(u("us_recon", "C5"), "dummy", 5)
    assert game.rolled == ["1yellow"]
    assert game.state.cubes["blu"].position == 14
    assert {"ricognizione.azione", "azioni.speciali"} <= game.cited
    for unit, die, ap in (("usmc_squad", "1pink", 2), ("us_recon", "1green", 3)):
        game = examine(u(unit, "C5", danno=1), "dummy", 5)
        assert game.rolled == [die], "damage makes both worse and cheaper"
        assert game.state.cubes["blu"].position == 10 + ap


@pytest.mark.rule(
    "warfare:ricognizione.test", "warfare:ricognizione.fallimento", "warfare:ied.ricognizione"
)
def test_on_a_failure_the_owner_is_asked_whatever_lies_there():
    for item in ("ied_rosso", "mina", "dummy"):
        game = examine(u("us_recon", "C5"), item, 1)
        assert game.asked.side == "verde"
        if item == "ied_rosso":
            assert "b:detona" in game.options
        else:
            assert game.why_not("b:detona") == {"ied.ricognizione"}
        state = game.play("b:rinuncia").state
        assert not state.hidden["i1"].revealed
        assert "ricognizione.fallimento" in game.cited


@pytest.mark.rule("warfare:ied.ricognizione", "warfare:ied.rimozione")
def test_an_ied_is_detonated_on_who_examines_it():
    game = Table(
        unita={"b1": u("us_recon", "C5"), "v1": FAR}, nascosti=hidden("ied_rosso"), dice=(2, 4)
    )
    game.play("u:b1", "b:ricognizione", "u:i1")
    assert game.state.units["b1"].shown, "who examines shows its values before the owner answers"
    state = game.play("b:detona").state
    assert state.hidden == {}
    assert state.units["b1"].damage == 1
    assert state.units["b1"].hex == "C5"
    assert game.rolled == ["1yellow", "1yellow"]
    assert state.cubes["verde"].position == 20, "detonating costs nothing"
    assert "ied.ricognizione" in game.cited


@pytest.mark.rule("warfare:ricognizione.marginale")
def test_a_marginal_success_turns_a_mine_up_without_a_burst():
    game = examine(u("us_recon", "C5"), "mina", 3)
    assert game.state.hidden["i1"].revealed
    assert game.rolled == ["1yellow"]
    assert "ricognizione.marginale" in game.cited
    game = examine(u("us_recon", "C5"), "ied_rosso", 3)
    state = game.play("b:rinuncia").state
    assert state.hidden["i1"].revealed


@pytest.mark.rule("warfare:ricognizione.successo")
def test_a_success_removes_an_ied_and_turns_a_roadblock_up():
    assert examine(u("us_recon", "C5"), "ied_rosso", 4).state.hidden == {}
    game = examine(u("us_recon", "C5"), "ignoto_blocco", 4)
    assert game.state.roadblocks == ("D5",)
    assert "ricognizione.successo" in game.cited


@pytest.mark.rule("warfare:ricognizione.critico")
def test_a_critical_success_removes_anything():
    for item in ("mina", "ignoto_blocco", "tiratore"):
        game = examine(u("us_recon", "C5"), item, 6)
        assert game.state.hidden == {}
        assert game.state.roadblocks == ()
        assert game.state.supports == {}
        assert "ricognizione.critico" in game.cited


@pytest.mark.rule("warfare:ricognizione.azione")
def test_recon_needs_an_adjacent_marker_face_down():
    game = Table(
        unita={"b1": u("us_recon", "A1"), "v1": FAR},
        nascosti=hidden("mina", scoperto="si", hex="B1"),
    )
    game.play("u:b1")
    assert game.why_not("b:ricognizione") == {"ricognizione.azione"}
    game = Table(unita={"b1": u("us_recon", "A1"), "v1": FAR}, nascosti=hidden("mina", hex="C1"))
    game.play("u:b1")
    assert game.why_not("b:ricognizione") == {"ricognizione.azione"}, "two hexes away"
    game = Table(
        unita={"b1": u("us_recon", "A1", morale=2), "v1": FAR}, nascosti=hidden("mina", hex="B1")
    )
    game.play("u:b1")
    assert game.why_not("b:ricognizione") == {"morale.soppresso"}
    game = Table(
        unita={"b1": u("us_recon", "A1"), "v1": FAR}, nascosti=hidden("mina", hex="B1", owner="blu")
    )
    game.play("u:b1")
    assert "ricognizione.azione" in game.why_not("b:ricognizione"), "one's own is known"


# Disarming


@pytest.mark.rule("warfare:bonifica.azione", "warfare:bonifica.test")
@pytest.mark.parametrize(
    ("face", "left", "dice"), [(1, True, 2), (2, True, 1), (3, False, 1), (5, False, 1)]
)
def test_each_result_of_disarming_a_mine(face, left, dice):
    game = Table(
        unita={"b1": u("us_engineers", "C5", morale=1), "v1": FAR},
        nascosti=hidden("mina", scoperto="si"),
        dice=(face, 1),
    )
    state = game.play("u:b1", "b:bonifica", "u:i1").state
    assert ("i1" in state.hidden) == left
    assert len(game.rolled) == dice
    assert {"bonifica.azione", "bonifica.test"} <= game.cited


@pytest.mark.rule("warfare:bonifica.test", "warfare:arbitrato.bonifica_rivelato")
def test_a_critical_failure_in_disarming_bursts_on_who_disarms():
    game = Table(
        unita={"b1": u("us_engineers", "C5", danno=1), "v1": FAR},
        nascosti=hidden("mina", scoperto="si"),
        dice=(1, 3),
    )
    state = game.play("u:b1", "b:bonifica", "u:i1").state
    assert game.rolled == ["1grey", "1green"], "its damage shifts the test and not the blast"
    assert state.units["b1"].morale == 1
    assert state.cubes["blu"].position == 13
    assert "i1" in state.hidden


@pytest.mark.rule("warfare:bonifica.azione", "warfare:azioni.speciali")
def test_only_engineers_that_are_not_suppressed_disarm():
    markers = hidden("mina", scoperto="si")
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers)
    game.play("u:b1")
    assert {"bonifica.azione", "azioni.speciali"} == game.why_not("b:bonifica")
    game = Table(unita={"b1": u("us_engineers", "C5", morale=2), "v1": FAR}, nascosti=markers)
    game.play("u:b1")
    assert game.why_not("b:bonifica") == {"morale.soppresso"}


@pytest.mark.rule("warfare:bonifica.test")
def test_a_critical_success_in_disarming_gives_a_free_hex():
    game = Table(
        unita={"b1": u("us_engineers", "C5"), "v1": FAR},
        nascosti=hidden("mina", scoperto="si"),
        dice=(6,),
    )
    game.play("u:b1", "b:bonifica", "u:i1")
    assert "b:resta" in game.options, "only if it likes"
    state = game.play("h:D5").state
    assert state.units["b1"].hex == "D5"
    assert state.cubes["blu"].position == 14


@pytest.mark.rule("warfare:bonifica.azione", "warfare:arbitrato.bonifica_rivelato")
def test_only_revealed_markers_are_disarmed():
    game = Table(unita={"b1": u("us_engineers", "C5"), "v1": FAR}, nascosti=hidden("mina"))
    game.play("u:b1")
    assert "arbitrato.bonifica_rivelato" in game.why_not("b:bonifica")


@pytest.mark.rule("warfare:bonifica.test", "warfare:ied.rimozione")
def test_an_ied_that_bursts_while_disarmed_is_gone():
    game = Table(
        unita={"b1": u("us_engineers", "C5"), "v1": FAR},
        nascosti=hidden("ied_rosso", scoperto="si"),
        dice=(1, 1),
    )
    state = game.play("u:b1", "b:bonifica", "u:i1").state
    assert state.hidden == {}
    assert "arbitrato.bonifica_rivelato" in game.cited


# Suppression


@pytest.mark.rule("warfare:soppressione.azione", "warfare:soppressione.test")
@pytest.mark.parametrize(
    ("face", "morale", "damage"), [(1, 0, 0), (2, 0, 0), (3, 1, 0), (5, 2, 0), (6, 1, 2)]
)
def test_each_result_of_suppression_fire(face, morale, damage):
    game = Table(unita={"b1": u("us_mg", "A5"), "v1": u("ins_tecnica", "G5")}, dice=(face,))
    state = game.play("u:b1", "b:sopprimi", "u:v1").state
    assert (state.units["v1"].morale, state.units["v1"].damage) == (morale, damage)
    assert state.cubes["blu"].position == 17
    assert {
        "soppressione.azione",
        "soppressione.test",
        "arbitrato.soppressione_gittata",
    } <= game.cited


@pytest.mark.rule("warfare:soppressione.los")
def test_suppression_reaches_into_smoke_and_not_through_it():
    units = {"b1": u("us_mg", "A5"), "v1": u("ins_cellula", "D5")}
    game = Table(unita=units, fumo=["D5"])
    game.play("u:b1")
    assert "b:sopprimi" in game.options
    game = Table(unita=units, fumo=["C5"])
    game.play("u:b1")
    assert "soppressione.los" in game.why_not("b:sopprimi")
    game = Table(unita=units, fumo=["A5"])
    game.play("u:b1")
    assert "arbitrato.soppressione_dal_fumo" in game.why_not("b:sopprimi")


@pytest.mark.rule("warfare:soppressione.azione")
def test_suppression_needs_the_icon_and_steady_morale():
    game = Table(unita={"b1": u("us_mg", "A5", morale=1), "v1": u("ins_cellula", "D5")})
    game.play("u:b1")
    assert "combattimento.morale" in game.why_not("b:sopprimi")
    game = Table(unita={"b1": u("usmc_squad", "A5"), "v1": u("ins_cellula", "D5")})
    game.play("u:b1")
    assert "soppressione.azione" in game.why_not("b:sopprimi")


@pytest.mark.rule("warfare:soppressione.azione", "warfare:arbitrato.soppressione_gittata")
def test_suppression_takes_no_defence_or_terrain_and_no_helicopter_or_shield():
    game = Table(
        unita={"b1": u("us_rifle", "E4"), "v1": u("ins_mg", "C4", danno=1)},
        caselle={"blu": 20, "verde": 30},
        dice=(5,),
    )
    state = game.play("u:v1", "b:sopprimi", "u:b1").state
    assert game.rolled == ["1pink"], "grey, one less for damage only"
    assert state.cubes["verde"].position == 13
    game = Table(
        unita={"b1": u("us_apache", "C5"), "v1": u("ins_mg", "E5")},
        caselle={"blu": 20, "verde": 30},
    )
    game.play("u:v1")
    assert "arbitrato.soppressione_gittata" in game.why_not("b:sopprimi")
    game = Table(
        unita={"b1": u("us_mg", "C5"), "v1": u("ins_cellula", "E5")},
        popolazione={"p1": {"esagono": "E5"}},
    )
    game.play("u:b1")
    assert "ostaggi.scudo" in game.why_not("b:sopprimi")


@pytest.mark.rule("warfare:ignoti.rivelare", "warfare:ied.ingresso")
def test_the_odds_of_walking_over_a_marker_follow_what_may_lie_there():
    markers = {
        "i1": {"tipo": "dummy", "esagono": "D5", "di": "verde"},
        "i2": {"tipo": "ignoto_blocco", "esagono": "L9", "di": "verde"},
        "i3": {"tipo": "ied_rosso", "esagono": "L8", "di": "verde"},
    }
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers)
    game.play("u:b1", "b:muovi", "h:D5")
    position = game.position
    question = TITLE.questions(TITLE.belief(game.state, "blu"), position.decision)[-1]
    found = odds(TITLE, TITLE.belief(position.rest, "blu"), position.open, question)
    shares = {result.facts["result"]: share for result, share in found.spread}
    assert shares["thrown back"] == Fraction(1, 3)
    assert shares["no effect"] == Fraction(1, 3) + Fraction(1, 3) * Fraction(1, 6)


# Odds


def chances(game):
    """What each question of the open decision may come to, for who is asked."""
    position = game.position
    side = position.decision.side
    found = []
    for question in TITLE.questions(TITLE.belief(game.state, side), position.decision):
        spread = odds(TITLE, TITLE.belief(position.rest, side), position.open, question).spread
        shares = {}
        for result, share in spread:
            word = result.facts["result"]
            shares[word] = shares.get(word, Fraction(0)) + share
        found.append((question, shares))
    return found


@pytest.mark.rule("warfare:ied.ricognizione", "warfare:ied.attacco")
def test_the_owner_of_an_ied_knows_the_odds_before_it_detonates():
    """Red, one less for the defence: yellow misses on one face of six and never eliminates."""
    ((question, shares),) = chances(examine(u("us_recon", "C5"), "ied_rosso", 1))
    assert [command.option for command in question.commands] == ["b:detona"]
    assert shares == {"no effect": Fraction(1, 6), "effect": Fraction(5, 6)}
    ((_, shares),) = chances(examine(u("us_recon", "C5", danno=2), "ied_rosso", 1))
    assert shares["eliminated"] == Fraction(3, 6), "two faces of one point, one of two"


@pytest.mark.rule("warfare:ied.ricognizione")
def test_there_are_no_odds_of_a_burst_that_cannot_be():
    assert chances(examine(u("us_recon", "C5"), "mina", 1)) == []


@pytest.mark.rule("warfare:aviotrasporto.abilita", "warfare:ied.ingresso")
@pytest.mark.parametrize("lands", [True, False])
def test_odds_of_landing_or_getting_off_on_a_marker(lands):
    if lands:
        units = {"b1": u("ita_folgore", riserva="si"), "v1": FAR}
        answers = ("u:b1",)
    else:
        units = {"b1": u("usmc_squad", a_bordo="b2"), "b2": u("usmc_lav", "C5"), "v1": FAR}
        answers = ("u:b2", "b:scarica")
    game = Table(unita=units, nascosti=hidden("ied_rosso"))
    game.play(*answers)
    ((question, shares),) = chances(game)
    assert [command.option for command in question.commands] == ["h:D5"]
    assert shares == {"no effect": Fraction(1, 6), "effect": Fraction(5, 6)}


@pytest.mark.rule("warfare:arbitrato.doppio_segnalino", "warfare:ied.attacco")
def test_odds_of_each_order_of_two_markers():
    markers = {**hidden("dummy"), "i2": {"tipo": "ied_rosso", "esagono": "D5", "di": "verde"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers)
    game.go("b1", "D5")
    found = chances(game)
    assert [q.commands[0].option for q, _ in found] == ["u:i1", "u:i2"]
    assert all(shares["effect"] == Fraction(5, 6) for _, shares in found)
