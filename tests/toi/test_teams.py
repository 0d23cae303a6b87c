"""Three and four players (chapter «Gioco a 3 e 4 giocatori»)."""

from __future__ import annotations

import pytest

from engine.game import Game, SeededChance
from engine.toi import TITLE
from tests.toi.table import Table


def team(*chance, us=None, de=None, players=4, **more):
    return Table(
        dice=chance,
        idle=False,
        giocatori=players,
        us=us or {"us-1": "C5 4reg", "us-2": "C6 4reg div2"},
        de=de or {"de-1": "P1 4reg", "de-2": "P2 4reg div2"},
        **more,
    )


@pytest.mark.rule(
    "toi:squadre-gioco.turni", "toi:squadre-gioco.azioni", "toi:squadre-gioco.divisioni"
)
def test_each_member_takes_half_the_actions_with_his_own_division():
    table = team(us={f"us-{n}": f"C{n} 4reg div{1 + n % 2}" for n in range(1, 7)})
    assert table.options == {"b:us1", "b:us2"}
    table.play("b:us2")
    assert table.asked.side == "us2"
    assert {"u:us-1", "u:us-3", "u:us-5"} <= table.options
    assert "u:us-2" not in table.options
    table.play("u:us-1", "b:affatica", "u:us-3", "b:affatica")
    assert table.asked.side == "us1"
    table.play("u:us-2", "b:affatica", "u:us-4", "b:affatica")
    assert table.asked.side == "de1"


@pytest.mark.rule("toi:squadre-gioco.fine")
def test_a_member_goes_on_with_his_own_half():
    table = team(
        us={
            "us-1": "C1 4reg",
            "us-2": "C2 4reg div2",
            "us-3": "C3 4reg div2",
            "us-4": "C4 4reg div2",
        }
    )
    table.play("b:us1", "b:fine")
    assert table.asked.side == "us2"
    table.play("u:us-2", "b:affatica", "u:us-3", "b:affatica")
    assert table.asked.side == "de1"
    assert "squadre-gioco.fine" in table.cited


@pytest.mark.rule("toi:squadre-gioco.tre", "toi:squadre-gioco.numero", "toi:squadre-gioco.veicoli")
def test_the_lone_player_plays_as_in_a_game_of_two():
    table = Table.around(Game(TITLE, "toi-s2-3", SeededChance(1)))
    assert {"squadre-gioco.tre", "squadre-gioco.numero", "squadre-gioco.veicoli"} <= table.cited
    table = team(players=3, turno="de", de={f"de-{n}": f"P{n} 4reg" for n in range(1, 6)})
    for n in (1, 2, 3):
        assert table.asked.side == "de"
        table.play(f"u:de-{n}", "b:affatica")
    assert table.asked.side == "us1"


@pytest.mark.rule("toi:squadre-gioco.combinato", "toi:squadre-gioco.insieme", "toi:casa.48")
def test_the_other_division_supports_for_one_command():
    position = {
        "us": {"us-1": "C5 4reg", "us-2": "C5 4reg div2", "us-3": "C6 4reg div2"},
        "de": {"de-1": "F5 4reg", "de-2": "P1 4reg div2"},
    }
    broke = team(**position).play("b:us1", "u:us-1", "b:concentrato", "u:de-1")
    assert broke.options == {"b:normale", "b:soppressivo"}
    table = team(1, **position, comando={"us": 2})
    table.play("b:us1", "u:us-1", "b:concentrato", "u:de-1", "u:us-2", "u:us-3", "b:normale")
    assert table.state.armies["us"].command == 1
    assert table.fact("attacco.1-valore", "n") == 8
    assert {"squadre-gioco.combinato", "squadre-gioco.insieme"} <= table.cited


@pytest.mark.rule("toi:squadre-gioco.combinato", "toi:casa.48")
def test_support_is_free_with_an_officer():
    table = team(
        1,
        us={"us-1": "C5 4reg", "us-2": "C6 3reg 1uff div2"},
        de={"de-1": "F5 4reg", "de-2": "P1 4reg div2"},
    )
    table.play("b:us1", "u:us-1", "b:concentrato", "u:de-1", "u:us-2", "b:normale")
    assert table.fact("attacco.1-valore", "n") == 6


@pytest.mark.rule("toi:squadre-gioco.visuale")
def test_the_other_division_does_not_spot():
    wall = {"E5": "woods", "E4": "woods", "E6": "woods"}
    for division, sees in (("", True), ("div2", False)):
        table = team(
            us={
                "us-1": "C5 2mor",
                "us-2": f"H5 4reg {division}",
                "us-3": "A1 4reg div2",
                "us-4": "C7 4reg",
            },
            de={"de-1": "G5 4reg", "de-3": "C9 4reg", "de-2": "P1 4reg div2"},
            terreno=wall,
        )
        table.play("b:us1", "u:us-1", "b:concentrato")
        assert ("h:G5" in table.options) is sees
        if not sees:
            assert "squadre-gioco.visuale" in table.why_not("h:G5")


@pytest.mark.rule("toi:squadre-gioco.carte")
def test_a_card_touches_only_the_units_of_who_plays_it():
    table = team(
        us={"us-1": "C5 4reg pinned", "us-2": "C6 4reg div2 pinned"},
        comando={"us": 3},
        mano={"us": ["mor1-05"]},
    )
    table.play("b:us2", "c:mor1-05")
    assert table.options == {"u:us-2"}


@pytest.mark.rule("toi:squadre-gioco.risorse")
def test_command_phase_decisions_need_both():
    position = {"fase": "command", "comando": {"us": 3}}
    table = team(**position).play("n:2")
    assert table.asked.side == "us2"
    table.play("b:no")
    assert table.state.armies["us"].initiative == 0
    assert team(**position).play("n:2", "b:si").state.armies["us"].initiative == 2


@pytest.mark.rule("toi:squadre-gioco.trasferimenti")
def test_transfers_between_divisions_need_both():
    for answer, figures in (("b:si", 4), ("b:no", 3)):
        table = team(
            us={"us-1": "C5 2reg", "us-2": "C5 3reg div2"}, fase="status", passo="transfers"
        )
        table.play("u:us-1", "u:us-2")
        assert table.asked.side == "us2"
        table.play(answer)
        assert len(table.unit("us-2").figures) == figures


@pytest.mark.rule("toi:squadre-gioco.trasporti")
def test_a_squad_boards_the_partners_truck_but_does_not_drive_it():
    table = team(us={"us-1": "C5 4reg", "us-gmc-1": "C5 gmc div2", "us-2": "A1 4reg"})
    table.play("b:us1")
    assert "u:us-gmc-1" not in table.options
    table.play("u:us-1", "b:avanzata", "u:us-gmc-1")
    assert table.unit("us-1").aboard == "us-gmc-1"
    assert "squadre-gioco.trasporti" in table.cited


@pytest.mark.rule("toi:casa.12")
def test_the_command_phase_follows_the_action_phase():
    table = team(comando={"us": 1}).play("b:us1", "b:fine", "b:fine", "b:de1", "b:fine", "b:fine")
    assert table.state.phase == "command"
    assert "casa.12" in table.cited


@pytest.mark.rule("toi:squadre-gioco.fine", "toi:squadre-gioco.turni")
def test_a_team_is_not_asked_who_goes_first_when_one_of_them_has_nobody_to_activate():
    table = team(us={"us-1": "C5 4reg fatigued", "us-2": "C6 4reg div2"})
    assert table.asked.id == "action.next"
    assert table.asked.side == "us2"
    done = [step for step in table.game.steps if type(step.event).__name__ == "SeatDone"]
    assert [step.event.seat for step in done] == ["us1"]
    assert {"toi:azione.fine", "toi:squadre-gioco.fine"} <= set(done[0].ruling.refs)


@pytest.mark.rule("toi:squadre-gioco.fine")
def test_a_team_without_a_ready_unit_is_asked_nothing():
    table = team(us={"us-1": "C5 4reg fatigued", "us-2": "C6 4reg fatigued div2"})
    assert (table.asked.id, table.asked.side) == ("action.member", "de1")
    done = [step for step in table.game.steps if type(step.event).__name__ == "SeatDone"]
    assert [step.event.seat for step in done] == ["us1", "us2"]
