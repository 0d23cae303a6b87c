"""Every verb where nothing goes well: files, folders, streams and encodings that refuse.

Whatever happens there is no traceback, the exit code is one of those documented, a person reads an
Italian sentence, and what was there before is there afterwards.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import sys
from pathlib import Path

import pytest

from app.cli import consulting as rules_cli
from app.cli import verbs as cli
from app.rules import library
from app.screens.app import ProntuarioApp
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.screens.saves import games
from app.shell import i18n, paths
from app.widgets.hexmap import HexMap
from engine.saves.reading import read
from tests.app.postmen import begin, play, profile
from tests.app.tables import DEPLOY, session_at

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "engine/toi/data/examples/01-carte-di-partenza.yaml"
SCENARIO = ROOT / "engine/toi/data/scenarios/toi-s1.yaml"
ENGLISH = re.compile(
    r"\b(the|is|are|not|of|no|cannot|can't|error|Errno|expected|required|argument|arguments|value|"
    r"invalid|unrecognized|ambiguous|could|match|choose|from|ignored|explicit|allowed|with|such|"
    r"directory|permission|denied|exists|empty|usage|options|show|help|traceback)\b",
    re.IGNORECASE,
)
ITALIAN_TOO = {"no"}  # «la risposta è no»


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    paths.lent_folder.cache_clear()


@pytest.fixture
def save(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    session.close()
    return session.path


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Another computer, with a game by post that waits for somebody to take the other side."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with profile(folder):
        session = begin("toi", "toi-s1")
        play(session, random.Random(1))
        session.close()
    return session.path


@pytest.fixture
def by_post(elsewhere, tmp_path):
    return Path(shutil.copy(elsewhere, tmp_path))


@pytest.fixture
def letter(by_post, tmp_path, capsys):
    assert cli.main(["posta", "esporta", str(by_post), "-o", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    return next((tmp_path / "out").iterdir())


def run(capsys, *arguments):
    code = cli.main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def english_in(text):
    return {word.lower() for word in ENGLISH.findall(text)} - ITALIAN_TOO


def is_sentence(text):
    """Words for a person in Italian: no traceback, no English, no blame on ourselves."""
    assert text.strip()
    assert "ha commesso un errore" not in text, text
    assert not english_in(text), text
    return True


def told_by(app):
    return "\n".join(notice.message for notice in app._notifications)


VERBS = {
    "nothing": [],
    "titoli": ["titoli"],
    "cerca": ["cerca", "fumo"],
    "regola": ["regola", "ddob:6.31"],
    "copertura": ["copertura", "--titolo", "toi"],
    "regole": ["regole"],
    "gioca": ["gioca", "toi", "toi-s1", "--testo", "--seme", "1"],
    "gioca a save": ["gioca", "SAVE", "--testo"],
    "esempi": ["esempi", "--titolo", "toi"],
    "esempi --file": ["esempi", "--file", EXAMPLE, "--verifica"],
    "rapporto": ["rapporto", "SAVE"],
    "posta esporta": ["posta", "esporta", "POST", "-o", "FOLDER"],
    "posta importa": ["posta", "importa", "LETTER", "--lato", "de"],
    "posta verifica": ["posta", "verifica", "LETTER"],
    "valida": ["valida", SCENARIO, "--titolo", "toi"],
    "replay": ["replay", "SAVE"],
    "simula": ["simula", "--titolo", "toi", "--scenario", "toi-s1"],
}
JSON = {name for name in VERBS if name not in ("nothing", "regole", "gioca", "gioca a save")}


@pytest.fixture(params=VERBS.values(), ids=VERBS)
def command(request, save, by_post, letter, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    known = {"SAVE": save, "POST": by_post, "LETTER": letter, "FOLDER": tmp_path / "new"}
    return [str(known.get(word, word)) for word in request.param]


# Streams


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_verb_speaks_whatever_the_output_can_show(command, encoding, monkeypatch):
    out, err = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding=encoding))
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(err, encoding=encoding))
    code = cli.main(command)
    assert (code, err.getvalue().decode(encoding)) == (0, "")
    assert out.getvalue().decode(encoding).strip()


@pytest.mark.parametrize("verb", sorted(JSON))
def test_json_is_the_same_document_in_every_encoding(
    verb, save, by_post, letter, tmp_path, monkeypatch
):
    known = {"SAVE": save, "POST": by_post, "LETTER": letter, "FOLDER": tmp_path / "new"}
    command = [str(known.get(word, word)) for word in VERBS[verb]] + ["--json"]
    found = []
    for encoding in ("utf-8", "ascii"):
        out = io.BytesIO()
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding=encoding))
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / encoding))  # a mail is taken in once
        assert cli.main(command) == 0
        found.append(json.loads(out.getvalue().decode(encoding)))
    if verb not in ("simula", "posta importa"):  # times and names of files differ
        assert found[0] == found[1]


def test_plain_characters_take_the_place_of_those_that_cannot_be_shown(monkeypatch):
    out = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="ascii"))
    from app.shell import streams

    streams.prepare()
    sys.stdout.write("perché — «più» → ½ │ ░█ \udcff 名")
    sys.stdout.flush()
    assert out.getvalue() == b'perche - "piu" > ? | .# ? ?'


def test_a_full_disk_behind_the_output_is_told(command, monkeypatch, capsys):
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert cli.main(command) == 1
    err = capsys.readouterr().err
    assert is_sentence(err)
    assert "il disco è pieno" in err


@pytest.mark.parametrize("gone", ["stdout", "stderr", "stdin"])
def test_a_closed_stream_is_no_reason_to_fail(command, gone, monkeypatch, capsys):
    monkeypatch.setattr(sys, gone, None)
    code = cli.main(command)
    getattr(sys, gone).close()
    assert code == 0
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["titoli", "--help"]])
def test_help_too_fails_clearly_where_nobody_can_take_it(arguments, monkeypatch, capsys):
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert cli.main(arguments) == 1
    assert is_sentence(capsys.readouterr().err)


def test_a_sentence_that_nobody_can_hear_still_gives_its_code(monkeypatch):
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stderr", full)
        assert cli.main(["regola", "toi:boh"]) == 1
        assert cli.main(["gioca", "boh", "--testo"]) == 2


# Folders of the user


@pytest.mark.parametrize("kind", ["below a file", "a file"])
def test_folders_that_cannot_be_written_stop_no_verb(command, kind, tmp_path, monkeypatch, capsys):
    blocked = tmp_path / "blocked"
    blocked.write_text("mine")
    home = blocked / "x" if kind == "below a file" else blocked
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setattr(paths.tempfile, "tempdir", str(tmp_path))
    code, _out, err = run(capsys, *command)
    assert code == 0
    if command[:1] == ["gioca"]:
        assert "non si può scrivere" in err
        assert is_sentence(err.replace(str(tmp_path), ""))
        where = next(tmp_path.glob("prontuario-*"))
        assert str(where) in err
    else:
        assert err == ""
    assert blocked.read_text() == "mine"


def test_a_game_in_a_folder_that_can_only_be_read_goes_on_elsewhere(save, monkeypatch, capsys):
    before = save.read_bytes()
    monkeypatch.setattr("app.play.session.is_writable", lambda folder: folder != save.parent)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    assert cli.main(["gioca", str(save), "--testo"]) == 0
    assert save.read_bytes() == before
    assert list(paths.saves_folder().iterdir())


async def test_the_full_screen_opens_where_nothing_can_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/x")
    monkeypatch.setattr(paths.tempfile, "tempdir", str(tmp_path))
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "/dev/null/x/prontuario non si può scrivere" in told_by(app)
        await pilot.press("f7")
        await pilot.pause()
        assert "Le impostazioni non si possono salvare" in told_by(app)
        await pilot.press("f3")
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, NewGameScreen)
        session = begin("toi", "toi-s1")
        play(session, random.Random(1))
        table = PlayScreen(session)
        await app.push_screen(table)
        assert session.path.is_relative_to(tmp_path)
        table.action_export()
        assert list(tmp_path.rglob("*.posta"))
        assert games() == [session.path]


async def test_a_terminal_of_few_characters_gets_a_plain_map(tmp_path, monkeypatch):
    few = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr(sys, "__stderr__", few)
    app = ProntuarioApp(lambda: PlayScreen(session_at(tmp_path, DEPLOY)))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.screen.query_one(HexMap).dump().isascii()


# Files that are no good

BAD_FILES = {
    "missing": lambda folder: folder / "manca.prontuario",
    "a folder": lambda folder: folder,
    "below a file": lambda folder: Path("/dev/null/x.prontuario"),
    "a name too long": lambda folder: folder / ("x" * 300 + ".prontuario"),
    "a path too long": lambda folder: Path("/".join(["", *["x" * 200] * 30]) + ".prontuario"),
    "no UTF-8 in the name": lambda folder: folder / "\udcff.prontuario",
    "empty": lambda folder: written(folder / "vuoto.prontuario", b""),
    "binary": lambda folder: written(folder / "b.prontuario", bytes(range(256)) * 9),
    "a device": lambda folder: Path("/dev/full"),
    "a circle": lambda folder: circle(folder / "giro.prontuario"),
}


def written(path, content):
    path.write_bytes(content)
    return path


def circle(path):
    path.symlink_to(path)
    return path


READERS = {
    "rapporto": ["rapporto", "FILE"],
    "replay": ["replay", "FILE"],
    "posta esporta": ["posta", "esporta", "FILE"],
    "posta importa": ["posta", "importa", "FILE", "--lato", "us"],
    "posta verifica": ["posta", "verifica", "FILE"],
    "gioca": ["gioca", "FILE", "--testo"],
    "valida": ["valida", "FILE"],
    "esempi --verifica": ["esempi", "--file", "FILE", "--verifica"],
}


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_no_good_is_a_sentence(reader, kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file = BAD_FILES[kind](tmp_path)
    there = sorted(path.name for path in tmp_path.iterdir())
    code, out, err = run(capsys, *[file if word == "FILE" else word for word in READERS[reader]])
    assert code in (1, 2)
    assert is_sentence((out + err).replace(str(tmp_path), ""))
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "data") == there


# Places to write to

BAD_PLACES = {
    "below a file": lambda folder: Path("/dev/null/x"),
    "a name too long": lambda folder: folder / ("x" * 300),
    "a circle": lambda folder: circle(folder / "giro"),
}


@pytest.mark.parametrize("kind", [*BAD_PLACES, "a missing folder", "a folder", "a full disk"])
def test_a_report_that_cannot_be_written_says_so(kind, save, tmp_path, capsys):
    place = {
        "a missing folder": tmp_path / "manca" / "r.md",
        "a folder": tmp_path,
        "a full disk": Path("/dev/full"),
    }.get(kind) or BAD_PLACES[kind](tmp_path)
    code, out, err = run(capsys, "rapporto", save, "-o", place)
    assert (code, out) == (1, "")
    assert is_sentence(err.replace(str(tmp_path), ""))
    assert str(place) in err


@pytest.mark.parametrize("kind", [*BAD_PLACES, "a file"])
def test_a_letter_that_cannot_be_written_says_so(kind, by_post, tmp_path, capsys):
    before = read(by_post)
    place = by_post if kind == "a file" else BAD_PLACES[kind](tmp_path)
    code, out, err = run(capsys, "posta", "esporta", by_post, "-o", place)
    assert (code, out) == (1, "")
    assert is_sentence(err.replace(str(tmp_path), ""))
    assert str(place) in err
    assert read(by_post) == before


def test_a_letter_makes_the_folder_it_is_sent_to(by_post, tmp_path, capsys):
    place = tmp_path / "nuova" / "cartella"
    assert run(capsys, "posta", "esporta", by_post, "-o", place)[0] == 0
    assert len(list(place.iterdir())) == 1


def test_a_letter_from_a_save_with_the_longest_name_can_be_written(by_post, tmp_path, capsys):
    long = by_post.rename(by_post.with_name("x" * 244 + by_post.suffix))
    assert run(capsys, "posta", "esporta", long, "-o", tmp_path / "out")[0] == 0
    assert long.exists()


# Words that are no good


@pytest.mark.parametrize(
    "arguments",
    [
        ["cerca", "\udcff"],
        ["cerca", "fumo", "--titolo", "\udcff"],
        ["regola", "\udcff"],
        ["gioca", "\udcff", "--testo"],
        ["gioca", "toi", "\udcff", "--testo"],
        ["gioca", "toi", "--lati", "\udcff", "--testo"],
        ["esempi", "--titolo", "\udcff"],
        ["copertura", "--titolo", "\udcff"],
        ["valida", str(SCENARIO), "--titolo", "\udcff"],
        ["simula", "--titolo", "\udcff", "--scenario", "x"],
        ["simula", "--titolo", "toi", "--scenario", "\udcff"],
        ["simula", "--titolo", "toi", "--scenario", "toi-s1", "--giocatori", "\udcff"],
        ["\udcff"],
    ],
)
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_words_that_are_no_text_are_answered_like_any_other(arguments, more, monkeypatch):
    out, err = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="utf-8"))
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(err, encoding="utf-8"))
    code = cli.main([*arguments, *(more if arguments[0] not in ("gioca", "\udcff") else [])])
    assert code in (1, 2)
    assert is_sentence((out.getvalue() + err.getvalue()).decode())


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("manca.prontuario", "Il file manca.prontuario non esiste."),
        ("cartella.prontuario", "cartella.prontuario è una cartella: indica un file."),
        ("", "Manca il nome del file."),
    ],
)
def test_a_file_that_is_not_there_is_wrong_usage_for_every_verb(
    reader, file, words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cartella.prontuario").mkdir()
    if reader == "gioca" and not file:
        words = "Indica quale titolo"
    code, _out, err = run(capsys, *[file if word == "FILE" else word for word in READERS[reader]])
    assert code == 2
    assert words in err


# What argparse says


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["balla"], "scelta non valida"),
        (["titolo"], "scelta non valida"),
        (["posta", "porta", "x"], "scelta non valida"),
        (["--lingua", "fr"], "scelta non valida"),
        (["--lingua"], "serve un valore"),
        (["--lingua=--"], "scelta non valida"),
        (["titoli", "--json=si"], "togli 'si'"),
        (["titoli", "x"], "argomenti sconosciuti: x"),
        (["titoli", "--boh"], "argomenti sconosciuti: --boh"),
        (["simula"], "mancano questi argomenti"),
        (["cerca"], "mancano questi argomenti"),
        (["posta"], "mancano questi argomenti"),
        (["cerca", "fumo", "-n"], "serve un valore"),
        (["cerca", "fumo", "-n", "x"], "x non è un numero intero"),
        (["cerca", "fumo", "-n=--"], "-- non è un numero intero"),
        (["simula", "--titolo=--", "--scenario=--"], "Il titolo -- non esiste"),
        (["simula", "--p", "1"], "opzione ambigua"),
        (["gioca", "--lati=--", "toi", "--testo"], "Il giocatore -- non esiste"),
        (["gioca", "toi", "--seme=--"], "-- non è un numero intero"),
        (["gioca", "toi", "--seme", "1.5"], "1.5 non è un numero intero"),
        (["regola", "--", "--"], "non esiste"),
        (["regola", "foo:1"], "Il titolo foo non esiste. Titoli: toi, ddob, aslsk, warfare."),
        (["regola", ""], "Indica quale regola"),
        (["regole", "foo:1"], "Il titolo foo non esiste. Titoli: toi, ddob, aslsk, warfare."),
        (["regole", "ddob:99.9"], "La regola ddob:99.9 non esiste"),
        (["gioca", "toi", "--lati", "foo"], "Giocatori: umano, posta, casuale, medio, difficile."),
        (["gioca", "toi", "--lati", "ia,ia,ia"], "3 giocatori sono troppi. Lati: us, de."),
        (
            ["simula", "--titolo", "toi", "--scenario", "toi-s1", "--giocatori", "umano"],
            "Giocatori: casuale, medio, difficile.",
        ),
        (
            ["simula", "--titolo", "toi", "--scenario", "toi-s1", "--giocatori", "ia,ia,ia"],
            "3 giocatori sono troppi",
        ),
        (["cerca", "fumo", "--titolo", "foo"], "Il titolo foo non esiste"),
        (["copertura", "--titolo", "foo"], "Il titolo foo non esiste"),
    ],
)
def test_wrong_command_lines_are_answered_in_italian(arguments, words, capsys):
    code, out, err = run(capsys, *arguments)
    assert code in (1, 2)
    assert words in err
    assert is_sentence(re.sub(r"--\w[\w-]*", "", out + err))


def test_without_a_terminal_the_browser_prints_the_rule(capsys):
    asked = run(capsys, "regole", "ddob:6.31")
    assert asked == run(capsys, "regola", "ddob:6.31")
    assert asked[0] == 0
    assert "Limite dei colpi" in asked[1]


def test_a_title_is_known_whatever_its_capitals(capsys):
    few = ["--scenario", "toi-s1", "--partite", "1", "--json"]
    for arguments in (["cerca", "fumo", "--titolo", "TOI"], ["esempi", "--titolo", " Toi"],
                      ["simula", "--titolo", "TOI", *few]):  # fmt: skip
        assert run(capsys, *arguments)[0] == 0


FOR_PROGRAMMERS = {
    ".__call__() not defined",
    "conflicting subparser: %s",
    "conflicting subparser alias: %s",
    'argument "-" with mode %r',
    "cannot merge actions - two groups are named %r",
    "'required' is an invalid argument for positionals",
    "invalid option string %(option)r: must start with a character %(prefix_chars)r",
    "dest= is required for options like %r",
    "invalid conflict_resolution value: %r",
    "conflicting option string: %s",
    "conflicting option strings: %s",
    "mutually exclusive arguments must be optional",
    "cannot have multiple subparser arguments",
    "%r is not callable",
    "show program's version number and exit",
    " (default: %(default)s)",
    "subcommands",
    "%(prog)s: warning: %(message)s\n",
    "option '%(option)s' is deprecated",
    "argument '%(argument_name)s' is deprecated",
    "command '%(parser_name)s' is deprecated",
}
"""Sentences about a parser that is badly made, or about what ours does not have."""


def test_all_that_argparse_says_to_people_is_in_the_catalog():
    """Whichever Python this is: a new version may say new things."""
    import argparse
    import ast

    said = set()
    for node in ast.walk(ast.parse(Path(argparse.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
            said |= {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
    italian = i18n.load("it")
    assert len(said) > 20
    missing = said - FOR_PROGRAMMERS - set(cli.ARGPARSE)
    assert not missing
    for msgid in set(cli.ARGPARSE) - {"%(heading)s:"}:
        assert italian.has(msgid), msgid


def test_help_is_all_in_italian(capsys):
    for verb in ("", *(words[0] for words in VERBS.values() if words), "servi"):
        code, out, _err = run(capsys, *[verb][: bool(verb)], "--help")
        assert code == 0
        assert not english_in(re.sub(r"--?\w[\w-]*|\{[^}]*\}", "", out)), out


# Damaged caches


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache that is empty at first."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "prontuario"


def truncated(path):
    os.truncate(path, path.stat().st_size // 2)


def emptied(path):
    os.truncate(path, 0)


def garbled(path):
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = b"\xc1" * 64
    path.write_bytes(content)


def replaced(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [truncated, emptied, garbled, replaced])
def test_a_damaged_catalog_is_compiled_anew(cache, damage):
    good = i18n.load("it").text("Quit")
    (kept,) = cache.glob("it-*")
    damage(kept)
    assert i18n.load("it").text("Quit") == good
    if damage is not replaced:
        damage(kept)
        assert i18n.load("it").text("Quit") == good


@pytest.mark.parametrize("damage", [truncated, emptied, garbled])
@pytest.mark.parametrize("part", ["corpus.bin", "search.bin", "*.seg", "*.toc", "whole.json"])
def test_a_damaged_index_is_made_anew(part, damage, small_index):
    (file,) = small_index.folder.rglob(part)
    before = small_index.answer()
    damage(file)
    assert small_index.answer() == before


@pytest.mark.parametrize("how", ["a file in place of the index", "a file missing"])
def test_an_index_that_is_not_what_it_was_is_made_anew(how, small_index):
    import shutil

    before = small_index.answer()
    if how == "a file missing":
        next(small_index.folder.rglob("*.seg")).unlink()
    else:
        shutil.rmtree(small_index.folder)
        small_index.folder.write_text("non sono un indice")
    assert small_index.answer() == before


class SmallIndex:
    def __init__(self, cache):
        self.cache = cache
        self.answer()
        (self.folder,) = (path for path in (cache / "regole").iterdir() if path.is_dir())

    def answer(self):
        from rules_it.build import ensure
        from rules_it.search import Index
        from tests.rules_it.test_search import FIXTURE

        index = Index.open(ensure(self.cache, None, FIXTURE))
        return [hit.ref for hit in index.search("mortaio").hits]


@pytest.fixture
def small_index(tmp_path):
    return SmallIndex(tmp_path / "cache")


def test_rules_that_cannot_be_opened_say_why_in_italian(monkeypatch, capsys):
    class Shut(library.Library):
        def open_corpus(self, progress=None, **named):
            raise PermissionError(13, "Permission denied", "/x")

        open_index = open_corpus

    monkeypatch.setattr(rules_cli, "LIBRARY", Shut())
    for words in (["cerca", "fumo"], ["regola", "ddob:6.31"], ["copertura"]):
        code, _out, err = run(capsys, *words)
        assert code == 1
        assert is_sentence(err)
        assert "non hai il permesso" in err
