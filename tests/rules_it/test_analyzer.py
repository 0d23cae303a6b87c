"""The Italian analyzer on the words of the real corpus, pair by pair."""

from __future__ import annotations

import pytest

from rules_it.build import Common, lexicon_of
from rules_it.corpus import HERE, Corpus, read_yaml
from rules_it.search import Analyzer, Speller, distance


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer(lexicon_of(Corpus.read(), read_yaml(HERE / "glossario.yaml", Common)))


@pytest.fixture(scope="module")
def speller(analyzer) -> Speller:
    return Speller(analyzer.lexicon)


@pytest.mark.parametrize(
    "words",
    [
        "esagono esagoni",
        "comando comandi",
        "mortaio mortai",
        "edificio edifici",
        "arma armi",
        "movimento movimenti muovere muove muovono mosso",
        "sparare spara sparo spari sparato",
        "attacco attaccare attacca attacchi",
        "genio genieri geniere",
        "bosco boschi",
        "unità unita",
        "uscire esce escono uscita",
        "entrare entra entrano entrata",
        "perdere perde perso perdite",
        "scegliere scelgo scelta",
        "togliere tolgo tolto",
        "distruggere distrutto distruzione",
        "ridurre riduce ridotto riduzione",
        "esplodere esplosione",
        "nascondere nascosto nascosta",
        "proteggere protetto protezione",
        "spendere speso spende",
        "lettera lettere",
        "limite limiti limitato",
        "inesperto inesperti",
        "regolare regolari",
        "granata granate",
        "scogliera scogliere",
        "riga righe",
        "vincere vinto",
        "uccidere ucciso",
        "morire muore morto",
        "sopprimere soppresso soppressione",
        "squad squads",
    ],
)
def test_forms_of_one_word_meet(analyzer, words):
    assert len({analyzer.stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("portata", "porta"),
        ("comandante", "comando"),
        ("granata", "grano"),
        ("genio", "genere"),
        ("partita", "parte"),
        ("parte", "partire"),
        ("regolare", "regola"),
        ("comunicazione", "comune"),
        ("successivo", "successo"),
        ("iniziativa", "inizio"),
        ("riparo", "riparare"),
        ("guardia", "guarda"),
        ("leggero", "legge"),
        ("sparire", "sparare"),
        ("mortaio", "morto"),
        ("rotta", "rompere"),
        ("casa", "CAS"),
        ("casa", "caso"),
        ("unità", "unire"),
        ("los", "loss"),
        ("scoperto", "scoprire"),
        ("copertura", "coperto"),
        ("mare", "marea"),
        ("salute", "salire"),
        ("mine", "minuti"),
        ("passo", "passare"),
        ("punto", "puntare"),
        ("esito", "esitazione"),
        ("attaccante", "attacco"),
        ("soldato", "soldi"),
    ],
)
def test_different_words_stay_apart(analyzer, one, other):
    assert analyzer.stems(one) != analyzer.stems(other)


@pytest.mark.parametrize("word", ["non", "contro", "senza", "solo", "mai"])
def test_words_that_turn_a_rule_round_are_kept(analyzer, word):
    assert len(analyzer.stems(word)) == 1


def test_articles_prepositions_and_modal_verbs_fall_out(analyzer):
    assert analyzer.stems("Quando può la squadra che ha il mortaio?") == analyzer.stems(
        "squadra mortaio"
    )


def test_elisions_split_with_either_apostrophe(analyzer):
    alone = analyzer.stems("esagono unità area")
    assert analyzer.stems("dell'esagono, un'unità d'area") == alone
    assert analyzer.stems("dell’esagono, l’unità d’area") == alone


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("unita", "unità"),
        ("unita'", "unità"),
        ("capacita", "capacità"),
        ("elite", "élite"),
        ("opportunità", "opportunita"),
        ("UNITÀ", "unità"),
    ],
)
def test_a_lost_accent_comes_back(analyzer, typed, meant):
    assert analyzer.stems(typed) == analyzer.stems(meant)


def test_a_stop_word_without_its_accent_is_still_a_stop_word(analyzer):
    assert analyzer.stems("perche puo piu di cosi") == analyzer.stems("più")


def test_a_rule_number_is_one_token(analyzer):
    assert analyzer.stems("vedi 3.2.2.1 e 6,31") == [*analyzer.stems("vedi"), "3.2.2.1", "6.31"]


def test_an_abbreviation_is_no_stop_word(analyzer):
    assert analyzer.stems("il carro CE") != analyzer.stems("il carro ce")
    assert analyzer.stems("IL CARRO CE") == analyzer.stems("il carro")


def test_tokens_say_where_they_stand(analyzer):
    text = "Dell'unità, 6.31 e l’élite"
    assert [text[start:end] for start, end, _, _ in analyzer.tokens(text)] == [
        "unità",
        "6.31",
        "élite",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sqadra", "squadra"),
        ("mortaoi", "mortaio"),
        ("esagonno", "esagono"),
        ("mitraliatrice", "mitragliatrice"),
        ("mitragliatirce", "mitragliatrice"),
        ("artigleria", "artiglieria"),
        ("oppurtunita", "opportunità"),
        ("lanciafiame", "lanciafiamme"),
        ("semicingoalto", "semicingolato"),
        ("campominato", "campo minato"),
        ("kw", ""),
        ("xyzzyq", ""),
    ],
)
def test_a_slip_finds_the_word_meant(speller, typed, meant):
    assert speller.correct(typed) == meant


def test_two_slips_are_too_many_in_a_short_word(speller):
    assert speller.correct("bxscx") == ""


@pytest.mark.parametrize(
    ("a", "b", "away"),
    [
        ("", "", 0),
        ("a", "", 1),
        ("carro", "carro", 0),
        ("caro", "carro", 1),
        ("acrro", "carro", 1),
        ("corra", "carro", 2),
        ("bosco", "fosso", 2),
        ("abc", "xyz", 3),
    ],
)
def test_distance_counts_letters_lost_added_changed_and_swapped(a, b, away):
    assert distance(a, b) == distance(b, a) == away


def test_the_common_glossary_contradicts_itself_nowhere():
    common = read_yaml(HERE / "glossario.yaml", Common)
    apart = [word for line in common.apart for word in line.split()]
    terms = [term.term for term in common.terms]
    assert sorted(set(apart)) == sorted(apart)
    assert sorted(set(terms)) == sorted(terms)
    assert set(apart).isdisjoint(common.stop.split())
    assert set(terms).isdisjoint(common.stop.split())
