"""Reference cards as data: drawn from the engine's files, lit by the game, found by name."""

from __future__ import annotations

import json
import random
import re
import shutil
from html.parser import HTMLParser

import pytest

from app.rules import cards
from app.rules.binder import EVERYTHING, Binder
from app.rules.cards_html import page
from app.rules.library import LIBRARY
from app.shell import i18n
from engine.core.files import ENGINE, OWN_DATA
from engine.core.rules import Ruling
from engine.core.text import Msg
from engine.titles import TITLES
from rules_it.cards import EVERY
from tests.app.tables import session_of
from tests.app.test_rules_cli import run

SLUGS = ("toi", "ddob", "aslsk", "warfare")
FOREIGN = re.compile(
    r"_|\b(?:infantry|vehicle|tank|squad|green|yellow|true|false|german|american|east|west|"
    r"damage|none|us|de)\b|[◆▲●]"
)
"""What an id or an English word of the data looks like."""


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    i18n.use("it")


@pytest.fixture(scope="module")
def corpus():
    return LIBRARY.open_corpus(alone=True)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Puts a changed copy of a data file where the user's own data lie."""
    monkeypatch.setenv(OWN_DATA, str(tmp_path))

    def change(slug, name, old, new):
        target = tmp_path / slug / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ENGINE / slug / "data" / name, target)
        text = target.read_text(encoding="utf-8")
        assert text.count(old) == 1
        target.write_text(text.replace(old, new), encoding="utf-8")

    return change


def card(corpus, slug, id):
    return next(one for one in cards.cards_of(corpus, slug) if one.id == id)


def entry(corpus, slug, title):
    return next(one for one in cards.entries_of(corpus, slug) if one.title == title)


# what is on them


@pytest.mark.parametrize("slug", SLUGS)
def test_every_row_leads_to_a_rule_and_every_table_has_rows(corpus, slug):
    for one in cards.cards_of(corpus, slug):
        assert one.tables, one.name
        for table in one.tables:
            assert table.rows, (one.name, table.heading)
            for row in table.rows:
                assert corpus.entry(row.ref) is not None, (one.name, row.cells[0], row.ref)
                assert any(row.cells), (one.name, table.heading)


@pytest.mark.parametrize("slug", SLUGS)
def test_sequence_terrain_combat_markers_costs_and_catalogues_are_there(corpus, slug):
    ids = {one.id for one in cards.cards_of(corpus, slug)}
    assert {"sequenza", "azioni", "terreno", "stati", "scenari"} <= ids | {"azioni"}
    assert ids & {"combattimento", "fuoco"}
    assert ids & {"azioni", "rally"}
    assert ids & {"unita", "miniature", "fanteria"}


@pytest.mark.parametrize("slug", SLUGS)
def test_the_plan_names_only_what_there_is(corpus, slug):
    plans = corpus.books[slug].plans
    assert len({plan.id for plan in plans.cards}) == len(plans.cards)
    for plan in plans.cards:
        for where in (*(line.ref for line in plan.lines), *plan.tables):
            assert corpus.canonical(f"{slug}:{where.partition('#')[0]}"), (plan.id, where)
        for where in plan.tables:
            assert list(cards._texts(corpus, slug, where)), (plan.id, where)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_value_of_a_catalogue_is_said_of_something(corpus, slug):
    found = cards._records(corpus, slug)
    for plan in corpus.books[slug].plans.cards:
        if plan.catalogue is not None:
            said = {value.name for record in found[plan.id] for value in record.values}
            assert said == {value.name for value in plan.catalogue.values}, plan.id


@pytest.mark.parametrize("slug", SLUGS)
def test_entries_have_names_values_rules_and_a_source_and_no_ids(corpus, slug):
    entries = cards.entries_of(corpus, slug)
    assert len({one.id for one in entries}) == len(entries) > 60
    for one in entries:
        assert one.id.startswith(f"scheda:{slug}/")
        assert one.title
        assert one.title in one.names
        assert one.values, one.id
        assert one.refs, one.id
        assert all(corpus.entry(ref) for ref in one.refs), one.id
        assert one.provenance
        assert one.text
        said = " ".join((one.title, one.kind, one.text))
        assert not FOREIGN.search(said), said


@pytest.mark.parametrize("slug", SLUGS)
def test_all_records_of_the_files_are_entries(corpus, slug):
    """Whoever adds a unit to a file finds it on the card."""
    found = cards._records(corpus, slug)
    for plan in corpus.books[slug].plans.cards:
        catalogue = plan.catalogue
        if catalogue is None or catalogue.file.endswith(EVERY) or ".*." in catalogue.each:
            continue
        held = cards._data(slug, catalogue.file)[catalogue.each]
        assert len(found[plan.id]) == len(held), plan.id


def test_states_carry_the_letter_that_the_map_prints(corpus):
    signs = {row.cells[0]: row.cells[1] for row in card(corpus, "aslsk", "stati").tables[0].rows}
    assert (signs["Broken"], signs["CX"], signs["Prep Fire"]) == ("B", "X", "p")
    for slug in SLUGS:
        lines = [line for plan in corpus.books[slug].plans.cards for line in plan.lines]
        assert all(cards._sign_of(slug, line.state) for line in lines if line.state), slug


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_on_a_card_says_something(corpus, slug):
    for one in cards.cards_of(corpus, slug):
        for table in one.tables:
            if not table.ref and not table.rows[0].entry:
                assert all(len(row.cells[-1]) > 10 for row in table.rows), one.name


def test_a_sentence_that_announces_a_list_tells_it(corpus):
    said = cards.first_sentence(corpus, "toi:azione.otto")
    assert "Avanzata; Fuoco concentrato" in said


# the same data that the engine uses


def test_a_value_changed_in_a_data_file_changes_entry_and_card(corpus, own):
    assert dict(entry(corpus, "warfare", "T-72B3").values)["Difesa"] == "3"
    own(
        "warfare",
        "units.yaml",
        "pesanti: [7, 8, blue]\n    difesa: 3",
        "pesanti: [7, 9, blue]\n    difesa: 5",
    )
    changed = entry(corpus, "warfare", "T-72B3")
    assert dict(changed.values)["Difesa"] == "5"
    assert "gittata 9" in changed.text
    rows = card(corpus, "warfare", "unita").tables[0].rows
    assert any(
        "7 AP, 9, blu" in cell for row in rows if row.cells[0] == "T-72B3" for cell in row.cells
    )


def test_entries_are_kept_between_processes_as_long_as_they_fit(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(cards, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cards, "_KEPT", {})
    made = cards.entries_of(corpus, "aslsk")
    kept = tmp_path / "schede-aslsk.bin"
    whole = kept.read_bytes()

    with monkeypatch.context() as context:
        context.setattr(cards, "_made", lambda corpus, slug: ())
        cards._KEPT.clear()
        assert cards.entries_of(corpus, "aslsk") == made
        context.setattr(cards, "SOURCES", {"memoria": "other words"})
        cards._KEPT.clear()
        assert cards.entries_of(corpus, "aslsk") == ()

    kept.write_bytes(whole[:-9])  # a crash or a full disk
    cards._KEPT.clear()
    assert cards.entries_of(corpus, "aslsk") == made


def test_a_table_of_the_texts_follows_the_data_too(corpus, own):
    own(
        "toi",
        "terrain.yaml",
        "squadre: 2, veicoli: 3, copertura: 2",
        "squadre: 2, veicoli: 3, copertura: 5",
    )
    table = card(corpus, "toi", "terreno").tables[0]
    assert next(row.cells for row in table.rows if row.cells[0] == "bosco")[-1] == "5"
    assert dict(entry(corpus, "toi", "bosco").values)["Copertura"] == "5"


def test_what_is_reconstructed_says_so(corpus):
    assert entry(corpus, "toi", "Al riparo").provenance.startswith("Dato ricostruito")
    veterans = entry(corpus, "toi", "Duri veterani").provenance
    assert veterans == "Dal regolamento; Costo in comandi: dato ricostruito."
    panzer = entry(corpus, "aslsk", "PzKpfw IIF (Germania)").provenance
    assert "da controllare: Torretta, Dimensione" in panzer


def test_a_counter_is_drawn_as_the_map_prints_it(corpus):
    drawn = "\n".join(cards.picture(entry(corpus, "aslsk", "4-6-7 (Germania)")))
    assert "4-6-7" in drawn
    assert "G" in drawn
    assert cards.picture(entry(corpus, "toi", "Al riparo")) == ()
    for slug in SLUGS:
        for one in cards.entries_of(corpus, slug):
            assert len({len(line) for line in cards.picture(one)}) <= 1, one.id


def test_a_scenario_tells_forces_and_victory(corpus):
    told = "\n".join(cards.story(entry(corpus, "toi", "Il crocevia di Saint-Aubin")))
    assert "Germania" in told
    assert "round" in told


# what is lit


def ruling(anchor, **facts):
    return Ruling((anchor.partition("#")[0],), Msg("x", facts), (anchor,))


def test_the_cell_used_last_is_lit_and_the_binder_opens_there(corpus):
    old, new = (
        ruling("aslsk:3.2.3#ift/{dr}/{column}", dr=9, column=4),
        ruling("aslsk:3.2.3#ift/{dr}/{column}", dr=5, column=8),
    )
    lit = cards.used(corpus, [new, old])
    binder = Binder(cards.cards_of(corpus, "aslsk"), lit)
    assert binder.open == "aslsk/fuoco"
    table = binder.cards[binder.open].tables[0]
    lighted = [
        (table.rows[row].cells[0], table.head[column])
        for row in range(len(table.rows))
        for column in range(len(table.head))
        if cards.is_lit(table, row, column, lit)
    ]
    assert lighted == [("5", "8")]
    assert [item.card.id for item in binder.items() if item.is_lit] == ["fuoco"]


def test_a_whole_row_is_lit_where_no_column_is_told(corpus):
    lit = cards.used(corpus, [ruling("toi:terreno.lettura#terreni/bosco")])
    table = card(corpus, "toi", "terreno").tables[0]
    number = next(n for n, row in enumerate(table.rows) if row.cells[0] == "bosco")
    assert all(cards.is_lit(table, number, column, lit) for column in range(len(table.head)))
    assert not cards.is_lit(table, number + 1, 0, lit)


@pytest.mark.parametrize(
    ("slug", "scenario"),
    [("toi", "toi-s1"), ("ddob", "easy-fox"), ("aslsk", "R1"), ("warfare", "s1")],
)
def test_the_present_phase_is_lit_through_a_whole_game(corpus, tmp_path, slug, scenario):
    session = session_of(tmp_path, slug, scenario, "")
    sequence = card(corpus, slug, "sequenza").tables[0]
    title, seen = TITLES[slug], set()
    for frame in session.moments()[::25]:
        if title.outcome(frame.state) is not None:
            continue
        phase = title.view(frame.state, session.scenario.sides[0]).phase
        now = cards.phase_words(phase)
        lit = [n for n in range(len(sequence.rows)) if cards.is_row_lit(sequence, n, {}, now)]
        assert lit, phase
        seen.update(lit)
    session.close()
    assert len(seen) > 1


# filtering


def test_the_filter_ignores_accents_and_case_and_counts_what_stands_above(corpus):
    binder = Binder(cards.cards_of(corpus, "toi"))
    binder.look_for("ELITE")
    assert binder.open == EVERYTHING
    assert any("élite" in row.cells[0] for _c, t, _w in binder.shown() for row in t.rows)
    binder.look_for("miniature tiger")
    assert [row.cells[0] for _c, t, _w in binder.shown() for row in t.rows] == ["Carro Tiger I"]
    binder.look_for("nessuno lo dice")
    assert binder.shown() == []
    assert binder.items() == []
    binder.look_for("")
    assert binder.open == "toi/sequenza"


def test_a_filtered_row_keeps_its_light(corpus):
    lit = cards.used(corpus, [ruling("toi:terreno.lettura#terreni/bosco")])
    binder = Binder(cards.cards_of(corpus, "toi"), lit)
    binder.look_for("bosco")
    rows = [
        (row, whole.rows.index(row), whole) for _c, t, whole in binder.shown() for row in t.rows
    ]
    assert [row.cells[0] for row, n, whole in rows if cards.is_row_lit(whole, n, lit)] == ["bosco"]


# finding by name


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("T-72B3 gittata", "T-72B3"),
        ("carta al riparo", "Al riparo"),
        ("campo di fuoco wn72", "WN72"),
        ("evento 19", "Carta 19"),
        ("t72b3", "T-72B3"),
        ("quanto costa Duri veterani", "Duri veterani"),
        ("asl 467", "4-6-7 (Germania)"),
        ("leader 8-1", "Leader 8-1"),
        ("tiger toi", "Carro Tiger I (Germania)"),
        ("carta 7", "Carta 07"),
    ],
)
def test_what_is_named_comes_first_and_is_sure(corpus, query, title):
    best = cards.find(corpus, query)[0]
    assert (best.entry.title, best.is_sure) == (title, True)


@pytest.mark.parametrize("query", ["", "di", "6.31", "8.1", "posso sparare dal fumo", "chi vince"])
def test_a_question_or_a_number_of_a_rule_is_no_name(corpus, query):
    assert not any(found.is_sure for found in cards.find(corpus, query))


def test_of_a_hundred_names_the_entry_comes_first_nearly_always(corpus):
    named = [
        (slug, name, one)
        for slug in SLUGS
        for one in cards.entries_of(corpus, slug)
        for name in one.names
    ]
    sample = random.Random(72).sample(named, 100)
    first = 0
    for slug, name, one in sample:
        found = cards.find(corpus, name, [slug])
        best = found[0].entry if found and found[0].is_sure else None
        first += best is not None and (best.id == one.id or name in best.names)
    assert first >= 98


@pytest.mark.parametrize("slug", SLUGS)
def test_at_least_25_names_of_a_title_mean_one_thing_only(corpus, slug):
    sure = 0
    for one in cards.entries_of(corpus, slug):
        hits = [found.entry.id for found in cards.find(corpus, one.title, [slug]) if found.is_sure]
        sure += hits[:1] == [one.id]
    assert sure >= 25
    assert sure >= 0.9 * len(cards.entries_of(corpus, slug))


# on the command line


def test_the_cards_are_listed(capsys):
    code, out, _err = run(capsys, "schede")
    assert code == 0
    assert "Tide of Iron" in out
    assert "Posizioni tedesche" in out
    code, out, _err = run(capsys, "schede", "toi", "--json")
    assert [one["id"] for one in json.loads(out)["toi"]][:2] == ["sequenza", "azioni"]


def test_a_card_and_a_thing_are_shown_by_name(capsys):
    _code, out, _err = run(capsys, "schede", "toi", "terreno")
    assert "bosco" in out
    assert "Copertura" in out
    code, out, _err = run(capsys, "schede", "T-72B3")
    assert code == 0
    assert "Armi pesanti: 7 AP, gittata 8, dado blu" in out
    assert "Dato ricostruito." in out
    _code, out, _err = run(capsys, "schede", "aslsk", "lmg", "--json")
    assert {one["nome"] for one in json.loads(out)} >= {"LMG (Germania)", "LMG (URSS)"}
    _code, out, _err = run(capsys, "schede", "toi", "reticolati", "nemici")
    assert "Reticolati" in out


def test_bad_names_get_a_sentence_and_a_code(capsys):
    code, _out, err = run(capsys, "schede", "pippo")
    assert (code, err.strip()) == (
        2,
        "Nessun titolo e nessuna voce si chiama pippo. Titoli: toi, ddob, aslsk, warfare.",
    )
    code, _out, err = run(capsys, "schede", "toi", "duri", "veteraani")
    assert code == 1
    assert "Duri veterani" in err
    code, _out, err = run(capsys, "schede", "toi", "xyzzy")
    assert code == 1
    assert "Nessuna scheda contiene xyzzy" in err
    code, _out, err = run(capsys, "schede", "toi", "--html", "/non/esiste/x.html")
    assert code == 1
    assert "non si può scrivere" in err


class Reader(HTMLParser):
    """Counts what is opened and closed."""

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.words = ""

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def test_the_page_to_print_is_whole_and_stands_alone(capsys, corpus, tmp_path):
    file = tmp_path / "schede.html"
    code, out, _err = run(capsys, "schede", "aslsk", "--html", str(file))
    assert code == 0
    assert "PDF" in out
    text = file.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert "@media print" in text
    assert "@page" in text
    assert "http" not in text
    assert "<script" not in text
    for one in cards.cards_of(corpus, "aslsk"):
        assert one.name in reader.words
    assert "4-6-7" in reader.words
    only = page([("Prova", [card(corpus, "aslsk", "cc")])])
    assert "Kill#" in only
    assert "4-6-7" not in only


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("T-72B3", "gittata"), "T-72B3"),
        (("carta", "al", "riparo"), "Al riparo"),
        (("campo", "di", "fuoco", "wn72"), "WN72"),
        (("evento", "19"), "Carta 19"),
    ],
)
def test_search_puts_what_is_named_before_the_rules(capsys, words, title):
    code, out, _err = run(capsys, "cerca", *words, "--json", "-n", "5")
    found = json.loads(out)
    assert code == 0
    assert found[0]["titolo"] == title
    assert found[0]["ref"].startswith("scheda:")
    assert len(found) <= 5
    code, out, _err = run(capsys, "cerca", *words)
    assert out.startswith(f"{title}  (")
