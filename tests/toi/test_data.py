"""The data files: complete, within the box, drawn as the maps need, each record with its rule."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from app.presenters.registry import presenter_for
from app.presenters.toi import doubts
from engine.core.data import DataErrors, data_path
from engine.core.hexes import distance, neighbours
from engine.core.text import Msg
from engine.core.view import CounterView
from engine.toi.state import tables
from engine.toi.state.tables import CARDS, COMPONENTS, DECKS, MARKERS, OPERATIONS, TERRAINS, UNITS
from tests.conftest import known_refs
from tests.toi.table import Table

ROOT = Path(__file__).parents[2]
SCENARIOS = tables.scenarios()
SCENARIO_TEXT = data_path("toi", "scenarios", "toi-s3.yaml").read_text(encoding="utf-8")
TOO_MANY = "{n} pieces called {name}, the box has {limit}"
CROWDED = "{label} has {n} markers called {name}, at most {limit}"
NOT_FULL = "The figures fill {holes} holes, the bases have {expected}"
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=list(SCENARIOS))


def faults(text):
    with pytest.raises(DataErrors) as caught:
        tables.load_scenario(text)
    return {(fault.path, fault.msg.id) for fault in caught.value.faults}


# Records


@pytest.mark.rule("toi:componenti.elenco")
def test_every_record_names_a_rule_of_the_book():
    known = known_refs()
    records = [
        *UNITS.values(),
        *TERRAINS.values(),
        *MARKERS.values(),
        *DECKS.values(),
        *CARDS.values(),
        *OPERATIONS.values(),
        *SCENARIOS.values(),
        COMPONENTS,
    ]
    assert [record for record in records if record.ref not in known] == []
    assert [name for name in tables.map_ids() if tables.board(name).ref not in known] == []


@pytest.mark.rule("toi:componenti.elenco")
def test_values_with_another_source_are_values_of_the_record():
    for record in (*UNITS.values(), *CARDS.values(), *DECKS.values(), *OPERATIONS.values()):
        fields = {field.encode_name for field in tables.msgspec.structs.fields(record)}
        assert set(record.sources) <= fields | {"raggio"}, record.id


@pytest.mark.rule("toi:miniature.elenco", "toi:componenti.elenco")
def test_there_are_eight_american_and_nine_german_miniatures():
    assert Counter(unit.nation for unit in UNITS.values()) == {"us": 8, "de": 9}
    pieces = Counter()
    for unit in UNITS.values():
        pieces[unit.nation] += unit.limit
    assert pieces == {"us": 108, "de": 108}


@pytest.mark.rule("toi:scheda.lettura", "toi:combattimento.griglia", "toi:miniature.mortaio.area")
@pytest.mark.parametrize(
    ("unit", "movement", "infantry", "vehicles", "armor"),
    [
        ("us_reg", 4, (4, 1), (1, 1), 0),
        ("de_eli", 4, (4, 2), (1, 1), 0),
        ("us_uff", 4, (4, 1), (1, 1), 0),
        ("us_mg", 4, (5, 3), (3, 2), 0),
        ("de_mg", 4, (5, 4), (3, 2), 0),
        ("us_gmc", 4, None, None, 0),
        ("de_opel", 4, None, None, 0),
        ("us_m3", 7, (5, 4), (3, 2), 1),
        ("de_251", 7, (5, 4), (3, 2), 1),
        ("us_m4", 7, (5, 7), (6, 8), 4),
        ("de_pz4", 6, (5, 6), (8, 10), 4),
        ("de_tig", 5, (5, 6), (8, 13), 6),
    ],
)
def test_values_of_the_reference_card(unit, movement, infantry, vehicles, armor):
    found = UNITS[unit]
    weapons = [w and (w.range, w.power) for w in (found.infantry, found.vehicles)]
    assert (found.movement, *weapons, found.armor) == (movement, infantry, vehicles, armor)


@pytest.mark.rule("toi:miniature.mortaio.area")
@pytest.mark.parametrize("unit", ["us_mor", "de_mor"])
def test_mortars_have_two_area_attacks_and_no_other(unit):
    found = UNITS[unit]
    assert (found.suppressive.range, found.suppressive.power) == (8, 4)
    assert (found.normal.range, found.normal.power) == (8, 2)
    assert found.infantry is None
    assert found.vehicles is None


@pytest.mark.rule("toi:preparazione.5-due-fori", "toi:definizioni.armi-pesanti")
def test_only_crews_fill_two_holes():
    heavy = {unit.id for unit in UNITS.values() if unit.is_heavy_weapon}
    assert heavy == {"us_mg", "us_mor", "de_mg", "de_mor"}
    assert {unit.holes for unit in UNITS.values() if unit.is_vehicle} == {0}


@pytest.mark.rule("toi:trasporto.capacita", "toi:casa.02")
def test_trucks_carry_two_squads_and_half_tracks_one():
    carriers = {unit.id: unit.transport for unit in UNITS.values() if unit.transport}
    assert carriers == {"us_gmc": 2, "de_opel": 2, "us_m3": 1, "de_251": 1}


@pytest.mark.rule(
    "toi:terreno.libero",
    "toi:terreno.accidentato",
    "toi:terreno.bosco",
    "toi:terreno.edificio",
    "toi:terreno.fiume",
    "toi:terreno.lago",
    "toi:terreno.ponte",
)
@pytest.mark.parametrize(
    ("terrain", "blocks", "squads", "vehicles", "cover"),
    [
        ("open", False, 1, 1, 0),
        ("rough", False, 2, 1, 1),
        ("woods", True, 2, 3, 2),
        ("building", True, 2, None, 3),
        ("ford", False, 2, 4, 0),
        ("flooded river", False, 3, None, 0),
        ("deep river", False, None, None, 0),
        ("lake", False, None, None, 0),
        ("bridge", False, 1, 1, 1),
    ],
)
def test_terrain_table(terrain, blocks, squads, vehicles, cover):
    found = TERRAINS[terrain]
    assert (found.blocks, found.squads, found.vehicles, found.cover) == (
        blocks,
        squads,
        vehicles,
        cover,
    )


@pytest.mark.rule("toi:terreno.lettura")
def test_every_terrain_is_a_word_of_the_catalogs():
    assert tuple(TERRAINS) == tables.WORDS


@pytest.mark.rule("toi:terreno.edificio", "toi:specializzazioni.ingegnere.limiti", "toi:casa.39")
def test_where_roads_trenches_and_smoke_do_not_go():
    assert [t.id for t in TERRAINS.values() if not t.road_helps] == ["building"]
    assert [t.id for t in TERRAINS.values() if not t.can_smoke] == ["building"]
    digging = {t.id for t in TERRAINS.values() if t.can_dig}
    assert digging == {"open", "rough", "woods"}


@pytest.mark.rule(
    "toi:fortificazioni.trincea",
    "toi:fortificazioni.bunker",
    "toi:ostacoli.frisia-copertura",
    "toi:fumo.blocca",
    "toi:componenti.fortificazioni",
    "toi:componenti.ostacoli",
)
def test_markers_cover_and_are_counted_by_stock():
    cover = {marker.id: (marker.cover, marker.covers) for marker in MARKERS.values()}
    assert cover == {
        "trench": (2, "occupant"),
        "bunker": (6, "occupant"),
        "razor wire": (0, ""),
        "tank trap": (1, "squads"),
        "minefield": (0, ""),
        "smoke": (2, "all"),
    }
    assert COMPONENTS.stocks == {"fortification": 12, "obstacle": 14, "smoke": 6, "minefield": 6}
    assert {marker.stock for marker in MARKERS.values()} == set(COMPONENTS.stocks)


@pytest.mark.rule("toi:ostacoli.mine", "toi:ostacoli.filo-meta", "toi:ostacoli.mine-meta")
def test_obstacles_halve_and_mines_roll_four_dice():
    halves = {marker.id: marker.halves for marker in MARKERS.values() if marker.halves}
    assert halves == {"razor wire": "squads", "minefield": "all", "smoke": "all"}
    mines = MARKERS["minefield"]
    assert (mines.dice, mines.hits_on) == (4, 4)


@pytest.mark.rule("toi:componenti.basette", "toi:componenti.specializzazione")
def test_the_box():
    assert COMPONENTS.bases == {"us": {1: 12, 2: 12}, "de": {1: 12, 2: 12}}
    assert set(COMPONENTS.tokens.values()) == {6}
    assert COMPONENTS.concealed == {"us": 4, "de": 4}


# Cards


@pytest.mark.rule("toi:componenti.carte-strategiche")
def test_four_decks_of_ten_cards_numbered_in_order():
    assert list(DECKS) == ["mor1", "com1", "art1", "ter1"]
    for deck in DECKS.values():
        expected = [f"{deck.id}-{n:02}" for n in range(1, 11)]
        assert [card.id for card in deck.cards] == expected
        assert {card.deck for card in deck.cards} == {deck.id}
    assert len({card.name for card in CARDS.values()}) == 40


@pytest.mark.rule("toi:stato.pesca-piu", "toi:strategia.area-di-gioco")
def test_plus_symbols_and_lasting_cards():
    plus = {card.id for card in CARDS.values() if card.plus}
    assert plus == {
        "mor1-05", "mor1-08", "com1-07", "art1-08", "art1-10", "ter1-03",
    }  # fmt: skip
    lasting = {card.id for card in CARDS.values() if card.lasting}
    assert lasting == {
        "mor1-02", "mor1-03", "mor1-06", "mor1-07", "com1-06",
        "art1-03", "art1-06", "art1-07", "art1-10", "ter1-10",
    }  # fmt: skip


@pytest.mark.rule("toi:strategia.generale")
def test_costs_and_phases():
    costs = {deck.id: [card.cost for card in deck.cards] for deck in DECKS.values()}
    assert costs == {
        "mor1": [2, 1, 1, 1, 1, 2, 2, 1, 2, 2],
        "com1": [3, 2, 1, 3, 2, 2, 0, 3, 1, 4],
        "art1": [3, 3, 2, 4, 2, 1, 2, 2, 4, 1],
        "ter1": [2, 1, 1, 2, 1, 2, 2, 1, 4, 1],
    }
    phases = {deck.id: "".join(card.phase[0] for card in deck.cards) for deck in DECKS.values()}
    assert phases == {
        "mor1": "cccaacccaa",
        "com1": "accaacaaac",
        "art1": "aacaaccaac",
        "ter1": "aaacaaaccc",
    }


@pytest.mark.rule(
    "toi:strategia.parole-chiave",
    "toi:strategia.contatto",
    "toi:strategia.attacco-area",
    "toi:strategia.area-scoppio",
)
@pytest.mark.parametrize(
    ("card", "contact", "area", "blast"),
    [
        ("art1-01", 4, ("suppressive", 4), ("suppressive", 3)),
        ("art1-02", 3, ("suppressive", 6), ("suppressive", 2)),
        ("art1-04", 4, ("normal", 5), ("normal", 2)),
        ("art1-08", 2, ("normal", 3), None),
        ("art1-09", 5, ("normal", 4), None),
        ("ter1-06", 0, ("suppressive", 3), None),
    ],
)
def test_keywords_of_off_board_attacks(card, contact, area, blast):
    effect = CARDS[card].effect
    attacks = [attack and (attack.kind, attack.power) for attack in (effect.area, effect.blast)]
    assert (effect.contact, *attacks) == (contact, area, blast)
    assert effect.drift


@pytest.mark.rule("toi:strategia.area-di-gioco")
def test_cards_used_at_a_moment_or_for_a_time_stay_in_the_play_area():
    for card in CARDS.values():
        if card.effect.trigger or card.effect.until:
            assert card.lasting, card.id


@pytest.mark.rule("toi:strategia.tipi")
def test_families_named_by_effects_exist():
    families = {deck.family for deck in DECKS.values()}
    assert {card.effect.family for card in CARDS.values() if card.effect.family} <= families


@pytest.mark.rule("toi:stato.rinforzi", "toi:preparazione.5-forza-piena")
def test_squads_received_from_cards_are_full():
    for card in CARDS.values():
        if card.effect.id == "receive_squad":
            for nation in tables.NATIONS:
                holes = [tables.unit_type(nation, code).holes for code in card.effect.figures]
                assert sum(holes) == COMPONENTS.holes


@pytest.mark.rule("toi:componenti.carte-operazionali", "toi:operazioni.comuni")
def test_ten_operations_one_of_them_for_both():
    assert list(OPERATIONS) == [f"op-{n:02}" for n in range(1, 11)]
    assert [card.id for card in OPERATIONS.values() if card.both] == ["op-07"]
    assert len({card.effect for card in OPERATIONS.values()}) == 10


# Scenarios


@every_scenario
@pytest.mark.rule("toi:preparazione.5-forza-piena")
def test_figures_fill_every_base(scenario):
    for nation, divisions in scenario.forces.items():
        for force in divisions.values():
            holes = sum(tables.unit_type(nation, c).holes * n for c, n in force.figures.items())
            assert holes == 4 * force.bases > 0
    for arrival in scenario.reinforcements:
        holes = [tables.unit_type(arrival.side, c).holes * n for c, n in arrival.figures.items()]
        assert sum(holes) == 4 * arrival.bases


@pytest.mark.rule("toi:preparazione.5-squadre")
def test_forces_of_the_three_scenarios():
    bases = {
        name: {nation: [f.bases for f in forces.values()] for nation, forces in s.forces.items()}
        for name, s in SCENARIOS.items()
    }
    assert bases == {
        "toi-s1": {"us": [6, 5], "de": [4, 3]},
        "toi-s2": {"us": [4, 4], "de": [4, 3]},
        "toi-s3": {"us": [6, 6], "de": [4, 4]},
    }


@every_scenario
@pytest.mark.rule("toi:preparazione.6-spiegamento", "toi:accentramento.limite")
def test_the_deployment_area_has_room_for_the_force(scenario):
    for nation, divisions in scenario.forces.items():
        units = sum(force.bases + sum(force.vehicles.values()) for force in divisions.values())
        assert len(scenario.deployment_hexes(nation)) * 3 >= units


@every_scenario
@pytest.mark.rule("toi:preparazione.6-spiegamento")
def test_deployment_areas_do_not_overlap(scenario):
    areas = [set(scenario.deployment_hexes(nation)) for nation in tables.NATIONS]
    assert areas[0].isdisjoint(areas[1])


@every_scenario
@pytest.mark.rule("toi:preparazione.3-mazzi", "toi:preparazione.3-operazionali")
def test_decks_hold_the_starting_cards(scenario):
    for nation in tables.NATIONS:
        assert scenario.starting_cards[nation] <= 10 * len(scenario.decks[nation])
        assert set(scenario.operations.get(nation, ())) <= set(OPERATIONS)


@every_scenario
@pytest.mark.rule("toi:vittoria.condizioni", "toi:comando.punti-vittoria")
def test_the_victory_can_be_reached(scenario):
    objectives = scenario.victory_objectives
    if isinstance(scenario.victory, tables.ControlVictory):
        assert scenario.victory.final <= scenario.victory.instant <= len(objectives)
    else:
        assert all(objective.points > 0 for objective in objectives)


@every_scenario
@pytest.mark.rule("toi:preparazione.5-specializzazioni")
def test_enough_squads_without_heavy_weapons_for_the_tokens(scenario):
    for nation, tokens in scenario.tokens.items():
        light = sum(
            force.bases - force.figures.get("mg", 0) - force.figures.get("mor", 0)
            for force in scenario.forces[nation].values()
        )
        assert sum(tokens.values()) <= light


@pytest.mark.rule("toi:fortificazioni.massimo", "toi:ostacoli.filo-massimo")
def test_fortifications_and_obstacles_of_the_bunker_line():
    markers = SCENARIOS["toi-s3"].markers
    assert {name: len(hexes) for name, hexes in markers.items()} == {
        "bunker": 2,
        "trench": 4,
        "razor wire": 4,
        "tank trap": 2,
        "minefield": 3,
    }
    for name, hexes in markers.items():
        assert max(Counter(hexes).values()) <= MARKERS[name].per_hex


# Maps


@pytest.mark.rule("toi:terreno.strada")
@pytest.mark.parametrize("name", tables.map_ids())
def test_road_steps_are_adjacent_and_avoid_buildings_and_cliffs(name):
    board = tables.board(name)
    for road in board.lines.get("road", ()):
        assert all(board.terrain(h) != "building" for h in road)
        for a, b in pairwise(road):
            assert distance(a, b) == 1
            assert abs(board.elevation(a) - board.elevation(b)) < 2


@pytest.mark.rule("toi:componenti.mappe", "toi:raggio.livelli")
@pytest.mark.parametrize(
    ("name", "columns", "rows"),
    [("toi-s1", 13, 11), ("toi-s2", 15, 12), ("toi-s3", 13, 12), ("prato", 16, 12)],
)
def test_size_and_levels_of_the_maps(name, columns, rows):
    board = tables.board(name)
    assert (board.grid.columns, board.grid.rows) == (columns, rows)
    assert len(board.hexes()) == columns * rows
    assert set(board.elevations.values()) <= {0, 1, 2}


@pytest.mark.rule("toi:terreno.strapiombo")
def test_the_only_cliffs_of_the_bridge_map():
    board = tables.board("toi-s2")
    cliffs = {
        tuple(sorted((board.label(a), board.label(b))))
        for a in board.hexes()
        for b in neighbours(a)
        if b in board and abs(board.elevation(a) - board.elevation(b)) >= 2
    }
    assert cliffs == {("L2", "M1"), ("L2", "M3")}


@pytest.mark.rule("toi:terreno.ponte")
def test_the_bridge_carries_the_road_over_the_river():
    board = tables.board("toi-s2")
    bridge, north, south = (board.hex_at(label) for label in ("H6", "H5", "H7"))
    assert board.terrain(bridge) == "bridge"
    assert board.has_road(bridge, north)
    assert board.has_road(bridge, south)


@pytest.mark.rule("toi:componenti.bersaglio-bussola")
def test_neighbours_of_c3_as_the_compass_names_them():
    board = tables.board("prato")
    labels = [board.label(h) for h in neighbours(board.hex_at("C3"))]
    assert labels == ["B2", "C2", "D3", "C4", "B4", "B3"]
    names = [board.grid.direction_name(d) for d in range(6)]
    assert names == ["NW", "NE", "E", "SE", "SW", "W"]


@pytest.mark.rule("toi:componenti.mappe")
def test_an_overlay_replaces_the_printed_terrain():
    printed = tables.board("toi-s1")
    laid = tables.board("toi-s1", (("E4", "open"), ("A1", "woods 2")), (("A1", "B1"),))
    e4, a1, b1 = (laid.hex_at(label) for label in ("E4", "A1", "B1"))
    assert (printed.terrain(e4), laid.terrain(e4)) == ("building", "open")
    assert (laid.terrain(a1), laid.elevation(a1)) == ("woods", 2)
    assert laid.has_road(a1, b1)
    assert not printed.has_road(a1, b1)


@pytest.mark.rule("toi:componenti.mappe")
def test_a_wrong_overlay_is_refused_with_every_fault():
    with pytest.raises(DataErrors) as caught:
        tables.board("prato", (("Z9", "open"), ("A1", "jungle")), (("A1", "C1"),))
    ids = [fault.msg.id for fault in caught.value.faults]
    assert ids == [
        "{label} is not on the map",
        "Unknown terrain {terrain}",
        "{a} and {b} are not adjacent",
    ]


# Scenario files written by hand


@pytest.mark.rule("toi:intro.scenari")
def test_a_scenario_written_by_hand_is_read():
    assert tables.load_scenario(SCENARIO_TEXT) == SCENARIOS["toi-s3"]


@pytest.mark.rule(
    "toi:limiti.componenti",
    "toi:preparazione.5-forza-piena",
    "toi:fortificazioni.massimo",
    "toi:ostacoli.filo-massimo",
    "toi:ostacoli.mine-massimo",
)
@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        ("reg: 13", "reg: 12", "$.forze.us.1", NOT_FULL),
        ("1: {basette: 6", "1: {basette: 13", "$.forze.us.1.basette", TOO_MANY),
        ("pz4: 1", "pz4: 7", "$.forze", TOO_MANY),
        ("pz4: 1", "m4: 1", "$.forze.de.2.veicoli.m4", "{side} has no piece called {code}"),
        ("nascoste: {de: 3}", "nascoste: {de: 5}", "$.nascoste.de", TOO_MANY),
        ("medic: 1}\n  de", "medic: 6}\n  de", "$.specializzazioni", TOO_MANY),
        ("[E4, H4]", "[E4, Z4]", "$.segnalini.bunker[1]", "{label} is not on the map"),
        ("[G8, D6, J6]", "[G8, G8, J6]", "$.segnalini.minefield[1]", CROWDED),
        ("[E6, F7, H7, I6]", "[E6, E6]", "$.segnalini.razor wire[1]", CROWDED),
        ("[D5, I5, F6, C4]", "[E4, E4, E4]", "$.segnalini.trench[2]", CROWDED),
        ("tank trap:", "dragon:", "$.segnalini.dragon", "There is no marker called {name}"),
        ("[art1, ter1]", "[art1, air1]", "$.mazzi.us[1]", "There is no deck called {name}"),
        ("op-04", "op-44", "$.operazioni.us[0]", "There is no operation card called {name}"),
        ("mappa: toi-s3", "mappa: luna", "$.mappa", "There is no map called {name}"),
    ],
)  # fmt: skip
def test_a_scenario_that_does_not_fit_is_refused(old, new, path, message):
    assert old in SCENARIO_TEXT
    assert (path, message) in faults(SCENARIO_TEXT.replace(old, new, 1))


@pytest.mark.rule("toi:componenti.fortificazioni")
def test_trenches_and_bunkers_share_twelve_counters():
    crowded = SCENARIO_TEXT.replace("[D5, I5, F6, C4]", str([f"A{n}" for n in range(1, 12)]))
    assert ("$.segnalini", TOO_MANY) in faults(crowded)


@pytest.mark.rule("toi:componenti.mappe")
def test_a_map_written_by_hand_is_read(tmp_path: Path):
    source = data_path("toi", "maps", "toi-s1.yaml")
    copy = tmp_path / "mia.yaml"
    copy.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    assert tables.load_map(copy).terrains == tables.board("toi-s1").terrains


# --- where numbers come from ------------------------------------------------------------------

SIGNS = {"regolamento": "", "pubblico": "*", "ricostruito": "°"}


def test_every_number_of_the_table_of_figures_carries_the_sign_of_its_source():
    rows = yaml.safe_load((ROOT / "rules_it/toi/tabelle.yaml").read_text())["tabelle"]["miniature"]
    cells = [cell for row in rows["righe"] for cell in row]
    found = re.findall(r"\{miniature\.(\w+)\.(\w+)(?:\.(\d))?(?: / [^}]*)?(?:\|[^}]*)?\}([*°]?)",
                       " ".join(cells))  # fmt: skip
    assert len(found) > 50
    for id, key, place, sign in found:
        line = tables.UNITS[id]
        if key in ("fanteria", "veicoli") and getattr(line, KEYS[key]) is None:
            continue
        keys = ("raggio", key) if place == "0" else (key,)
        if place == "" and key in ("fanteria", "veicoli"):
            assert line.source("raggio", key) == line.source(key), (id, key)
        assert sign == SIGNS[line.source(*keys)], (id, key, place)


KEYS = {"fanteria": "infantry", "veicoli": "vehicles"}


def test_a_doubtful_number_says_so_in_the_step_and_a_printed_one_does_not():
    def lines(us, de):
        table = Table(dice=[1], us={"us-x-1": us} if "m4" not in us else {"us-m4-1": us},
                      de={"de-1": de})  # fmt: skip
        table.play(*(f"u:{next(iter(table.state.units))}", "b:concentrato", "u:de-1", "b:normale"))
        return {s.ruling.msg.id: s.ruling.msg.facts.get("source") for s in table.game.steps}

    tank = lines("C5 m4", "F5 4reg")
    assert tank["range of {unit}"] == "pubblico"
    assert tank["firepower of {unit}"] is None
    squad = lines("C5 3reg 1uff", "F5 4reg")
    assert squad["range of {unit}"] is None


def test_the_presenter_says_where_a_number_comes_from():
    presenter = presenter_for("toi")
    msg = Msg("range of {unit}", {"unit": "us-m4-1", "source": "pubblico"})
    assert presenter.say(msg).endswith("(da fonte pubblica)")
    assert not presenter.say(Msg("range of {unit}", {"unit": "us-m4-1"})).endswith(")")
    counter = CounterView("de-opel-1", "de", "truck", Msg("{unit}", {"unit": "de-opel-1"}))
    assert [line.partition(", ")[2] for line in doubts(counter)] == [
        "da fonte pubblica: corazza",
        "ricostruito: movimento",
    ]
    assert "Scenario: ricostruito" in presenter.briefing("toi-s1")
