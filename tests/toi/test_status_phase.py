"""The six steps of the Status Phase (chapter «Fase di Stato»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def phase(*chance, **position):
    """The Status Phase is about to begin."""
    return Table(
        dice=chance,
        **{
            "fase": "status",
            "idle": False,
            "us": {"us-1": "C5 4reg"},
            "de": {"de-1": "P1 4reg"},
            **position,
        },
    )


@pytest.mark.rule("toi:stato.pesca", "toi:stato.passi", "toi:strategia.no-rimescola")
def test_each_side_draws_one_card_of_a_deck_of_its_choice():
    table = phase("com1-02", mazzi={"us": ["mor1", "com1"]})
    assert table.options == {"b:mor1", "b:com1"}
    table.play("b:com1")
    army = table.state.armies["us"]
    assert army.hand == ("com1-02",)
    assert army.decks["com1"].total == 9
    assert "stato.pesca" in table.cited


@pytest.mark.rule("toi:stato.pesca-piu")
def test_a_plus_may_give_one_more_card_and_never_a_third():
    table = phase("com1-07", mazzi={"us": ["com1"]})
    assert table.options == {"b:pesca", "b:no"}
    table.chance.add("com1-01")
    table.play("b:pesca")
    assert len(table.state.armies["us"].hand) == 2
    assert "stato.pesca-piu" in table.cited
    none = phase("com1-07", mazzi={"us": ["com1"]}).play("b:no")
    assert len(none.state.armies["us"].hand) == 1


@pytest.mark.rule("toi:stato.pesca-vuoto")
def test_without_cards_the_step_is_skipped():
    table = phase()
    assert "stato.pesca-vuoto" in table.cited


@pytest.mark.rule(
    "toi:stato.attivazione",
    "toi:stato.bloccate",
    "toi:stato.disgregate",
    "toi:stato.scaduti",
    "toi:condizioni.durata",
    "toi:miniature.ufficiale.recupero-veloce",
    "toi:fumo.durata",
)
def test_markers_are_removed_in_their_order():
    table = phase(
        us={
            "us-1": "C5 4reg fatigued",
            "us-2": "D5 4reg pinned",
            "us-3": "E5 4reg disrupted",
            "us-4": "F5 4reg disrupted",
            "us-5": "F5 3reg 1uff op",
            "us-m4-1": "G5 m4 light",
        },
        segnalini={"smoke": ["A1"]},
    )
    table.play("b:fine")
    assert table.unit("us-1").activation == "ready"
    assert table.unit("us-2").condition == "normal"
    assert table.unit("us-3").condition == "pinned"
    assert table.unit("us-4").condition == "normal"
    assert table.unit("us-5").activation == "ready"
    assert table.unit("us-m4-1").damage == "light"
    assert table.state.smoke == {}


@pytest.mark.rule("toi:stato.attivazione")
def test_passengers_are_ready_again_too():
    table = phase(us={"us-gmc-1": "C5 gmc", "us-1": "su:us-gmc-1 4reg fatigued"})
    assert table.unit("us-1").activation == "ready"


@pytest.mark.rule("toi:casa.20", "toi:stato.disgregate")
def test_an_officer_aboard_rallies_nobody():
    table = phase(
        us={
            "us-gmc-1": "C5 gmc",
            "us-1": "su:us-gmc-1 3reg 1uff",
            "us-2": "C5 4reg disrupted",
            "us-3": "D5 4reg",
        }
    )
    assert table.unit("us-2").condition == "pinned"


@pytest.mark.rule("toi:casa.10", "toi:fumo.durata")
def test_smoke_may_last_a_full_round_by_a_switch():
    engineers = {
        "us": {"us-1": "C5 4reg engineer"},
        "operazioni": {"us": ["op-04"]},
        "de": {"de-1": "P1 4reg"},
    }
    for options, until in (({}, 1), ({"fumo": "round-intero"}, 2)):
        table = Table(**engineers, opzioni=options).play("u:us-1", "b:fumo", "h:D5")
        assert table.state.smoke == {"D5": until}


@pytest.mark.rule("toi:stato.op")
def test_any_number_of_able_units_goes_in_op_fire():
    table = phase(
        us={
            "us-1": "C5 4reg",
            "us-2": "D5 4reg disrupted",
            "us-gmc-1": "E5 gmc",
            "us-3": "F5 2mor",
            "us-m4-1": "G5 m4",
        }
    )
    assert table.asked.ruling.refs == ("toi:stato.op",)
    assert {"condizioni.op"} <= table.why_not("u:us-2")
    assert {"casa.37"} <= table.why_not("u:us-gmc-1")
    assert {"casa.38"} <= table.why_not("u:us-3")
    table.play("u:us-1", "u:us-m4-1")
    assert table.unit("us-1").activation == "op fire"


# --- transfers --------------------------------------------------------------------------------


def transfers(**us):
    names = {name.replace("_", "-"): words for name, words in us.items()}
    table = phase(us=names, segnalini={"trench": ["C5"]})
    while table.asked.ruling.refs == ("toi:stato.op",):
        table.play("b:fine")
    return table


@pytest.mark.rule("toi:stato.trasferimenti")
def test_figures_move_between_squads_of_a_hex():
    table = transfers(us_1="C5 1reg 1uff", us_2="C5 3reg", us_3="D5 2reg")
    assert "stato.trasferimenti" in table.why_not("u:us-3")
    table.play("u:us-1", "b:us_uff", "u:us-2")
    assert table.unit("us-2").figures == ("us_reg", "us_reg", "us_reg", "us_uff")
    assert "stato.trasferimenti" in table.cited


@pytest.mark.rule("toi:stato.trasferimenti")
def test_an_empty_base_leaves_the_game_and_four_holes_are_the_limit():
    table = transfers(us_1="C5 1reg", us_2="C5 3reg", us_3="C5 1mg 1reg")
    table.play("u:us-1", "u:us-2")
    assert table.is_gone("us-1")
    crowded = transfers(us_1="C5 1mg", us_2="C5 3reg", us_3="C5 1reg")
    crowded.play("u:us-1")
    assert "stato.trasferimenti" in crowded.why_not("u:us-2")


@pytest.mark.rule(
    "toi:stato.trasf-specializzate",
    "toi:stato.trasf-condizione",
    "toi:stato.trasf-fortificate",
    "toi:specializzazioni.no-scambi",
)
def test_who_neither_gives_nor_receives():
    table = transfers(
        us_1="C5 2reg",
        us_2="C5 2reg medic",
        us_3="C5 2reg in:trincea-1",
        us_4="E5 2reg",
        us_5="E5 2reg disrupted",
        us_6="E5 2reg",
    )
    assert "stato.trasf-specializzate" in table.why_not("u:us-2")
    assert "stato.trasf-fortificate" in table.why_not("u:us-3")
    assert "stato.trasf-condizione" in table.why_not("u:us-5")
    assert "u:us-4" in table.options
    assert "u:us-1" not in table.options


# --- reinforcements ---------------------------------------------------------------------------


def arrivals(**position):
    return Table(
        **{
            "fase": "status",
            "passo": "arrivals",
            "idle": False,
            "round": 3,
            "us": {"us-1": "A1 4reg"},
            "de": {"de-1": "P1 4reg"},
            "rinforzi": [{"fine_round": 3, "lato": "us", "forza": "1basette 1mg 2reg 1m4"}],
            "zona": {"us": ["C5", "D5"]},
            **position,
        }
    )


@pytest.mark.rule("toi:stato.rinforzi", "toi:stato.rinforzi-zona")
def test_reinforcements_enter_in_their_zone():
    table = arrivals()
    assert table.options >= {"h:C5", "h:D5"}
    table.play("h:C5", "h:D5")
    assert {table.unit("us-2").hex, table.unit("us-m4-1").hex} == {"C5", "D5"}
    assert {"stato.rinforzi", "stato.rinforzi-zona"} <= table.cited


@pytest.mark.rule("toi:stato.rinforzi-limiti", "toi:accentramento.rinforzi")
def test_neither_among_enemies_nor_beyond_the_stacking_limit():
    table = arrivals(
        de={"de-1": "C5 4reg"}, us={"us-1": "A1 4reg", "us-5": "D5 4reg", "us-6": "D5 4reg"}
    )
    assert "stato.rinforzi-limiti" in table.why_not("h:C5")
    table.play("h:D5")
    assert table.is_gone("us-m4-1") or table.is_gone("us-7")
    assert "casa.49" in table.cited


@pytest.mark.rule("toi:stato.rinforzi-limiti", "toi:casa.49")
def test_a_zone_full_of_enemies_loses_everything():
    table = arrivals(de={"de-1": "C5 4reg", "de-2": "D5 4reg"})
    assert table.is_gone("us-2")
    assert "stato.rinforzi-limiti" in table.cited


@pytest.mark.rule("toi:faq.miniature-esaurite", "toi:limiti.componenti")
def test_missing_figures_are_replaced_by_regulars():
    crews = {f"us-{n}": f"{h} 2mg" for n, h in ((1, "A1"), (2, "A2"), (3, "A3"))}
    table = arrivals(us=crews)
    table.play("h:C5")
    built = [
        unit
        for name, unit in table.state.units.items()
        if unit.side == "us" and unit.is_squad and name not in crews
    ]
    assert built[0].figures == ("us_reg",) * 4
    assert "faq.miniature-esaurite" in table.cited


@pytest.mark.rule("toi:stato.avanza")
def test_the_next_round_begins_with_the_initiative():
    table = arrivals(rinforzi=[], iniziativa="de")
    assert table.state.round == 4
    assert table.asked.side == "de"
