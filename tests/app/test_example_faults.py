"""Example files of the user: what is wrong in them is said with file, line and what is allowed."""

from __future__ import annotations

import pytest

from app.cli.verbs import main
from engine import examples
from engine.titles import TITLES

FOLDER = {slug: examples.packaged(slug)[0].parent for slug in TITLES}
MISTAKES = [
    # title, example, what is written, what is written instead, path, words
    (
        "toi",
        "36-quattro-giocatori",
        "giocatori: 4",
        "giocatori: 7",
        "$.posizione.giocatori",
        "7 non è fra: 2, 3, 4",
    ),
    (
        "toi",
        "36-quattro-giocatori",
        "lato: us1",
        "lato: us9",
        "$.passi[0]",
        "Tocca a us1, non a us9",
    ),
    (
        "toi",
        "25-perdite-a-scelta",
        "dadi: [",
        "dadi: [9, ",
        "$.passi",
        "I dadi non possono mostrare 9,",
    ),
    (
        "toi",
        "25-perdite-a-scelta",
        "posizione:",
        "posizione:\n  fase: notte",
        "$.posizione.fase",
        "notte non è fra: set-up",
    ),
    (
        "toi",
        "45-deriva",
        "rispondi: ",
        "rispondi: u:gatto # ",
        "$.passi[0]",
        "Non si può rispondere u:gatto",
    ),
    (
        "toi",
        "25-perdite-a-scelta",
        "refs: [toi:",
        "refs: [toi:99.9, toi:",
        "$.refs[0]",
        "toi:99.9 qui non vuol dire",
    ),
    (
        "aslsk",
        "ex-59",
        "smoked",
        "smokd",
        "$.posizione.veicoli.t",
        "smokd qui non vuol dire niente: intendevi smoked?",
    ),
    (
        "aslsk",
        "ex-59",
        "vca=1",
        "vcc=1",
        "$.posizione.veicoli.t",
        "vcc qui non vuol dire niente: intendevi vca?",
    ),
    (
        "aslsk",
        "ex-59",
        "ge-iiin F4",
        "ge-iiin Z99",
        "$.posizione.veicoli.t",
        "Z99 non è sulla mappa",
    ),
    (
        "aslsk",
        "ex-59",
        "refs: [",
        "refs: [aslsk:99.9, ",
        "$.refs[0]",
        "aslsk:99.9 qui non vuol dire",
    ),
    ("aslsk", "ex-59", "dadi: [", "dadi: [0, ", "$.passi", "I dadi non possono mostrare 0,"),
    (
        "ddob",
        "attacco-1",
        "turno: 8",
        "turno: presto",
        "$.posizione.turno",
        "Atteso un numero intero, trovato il testo: presto",
    ),
    (
        "ddob",
        "attacco-1",
        "posizione:",
        "posizione:\n  turna: 3",
        "$.posizione.turna",
        "Chiave sconosciuta turna: intendevi turno?",
    ),
    (
        "ddob",
        "carri-arrivo",
        'pesca: "19"',
        "pesca: asso",
        "$.passi",
        "asso non si può pescare. Restano: ",
    ),
    (
        "warfare",
        "09-fuoco",
        "attivo: verde",
        "attivo: viola",
        "$.posizione.attivo",
        "viola non è fra:",
    ),
    (
        "warfare",
        "09-fuoco",
        "posizione:",
        "posizione:\n  scenario: s99",
        "$.posizione.scenario",
        "s99 non è fra: s1",
    ),
]


def spoilt(folder, slug, name, old, new):
    text = (FOLDER[slug] / f"{name}.yaml").read_text(encoding="utf-8")
    assert old in text
    path = folder / "mio.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(("slug", "name", "old", "new", "where", "words"), MISTAKES)
def test_a_mistake_in_an_example_is_the_file_s(
    slug, name, old, new, where, words, tmp_path, capsys
):
    path = spoilt(tmp_path, slug, name, old, new)
    for command in (
        ["valida", str(path)],
        ["esempi", "--file", str(path)],
        ["esempi", "--verifica", "--file", str(path)],
    ):
        assert main(command) == 1
        shown = capsys.readouterr()
        assert shown.err == ""
        (told,) = [line for line in shown.out.splitlines() if words in line][:1]
        file, line, rest = told.strip().removeprefix(str(path.parent)).split(":", 2)
        assert file == "/mio.yaml"
        assert int(line) > 1
        assert rest.strip().startswith(where)


@pytest.mark.parametrize("slug", TITLES)
def test_our_own_examples_have_no_mistake(slug, capsys):
    for path in examples.packaged(slug)[::12]:
        assert main(["valida", str(path)]) == 0, capsys.readouterr().out
