"""Games by post: what stays sealed, what is found, and what nobody has to send."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import shutil
import zlib
from pathlib import Path

import msgspec
import pytest

from app.cli.verbs import main
from app.play import mail
from app.play.discretion import HUMAN, REMOTE
from app.play.session import NotWhole, Session
from app.play.text_looking import step_text
from app.presenters.registry import presenter_for
from app.shell import breakdown
from engine.core.rules import Command, Roll, RuleBug
from engine.game import UndoRefused, digest
from engine.saves.letters import _mailing, closed, opened
from engine.saves.lines import SaveError, line_of
from engine.saves.reading import parse, read
from engine.saves.seal import unsealed
from engine.titles import TITLES
from tests.app.postmen import Table, begin, play, profile, quick

__all__ = ["quick"]
HIDDEN = (("aslsk", "R2", {}), ("toi", "toi-s1", {"costruzione": "segreta"}))


def played(base: Path, slug: str, scenario: str, mails: int, **rest) -> Table:
    table = Table(base, slug, scenario, **rest)
    for _ in range(mails):
        assert table.send(at_most=200)
    return table


def everything(folder: Path) -> bytes:
    """Every byte below a folder, and what base64 and zlib make of it, as far as they do."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            found += [str(path).encode(), *_unpacked(path.read_bytes())]
    return b"\n".join(found)


def _unpacked(data: bytes) -> list[bytes]:
    found = [data]
    for chunk in re.findall(rb"[A-Za-z0-9+/\n\r]{16,}={0,2}", data):
        flat = b"".join(chunk.split()).rstrip(b"=")
        packed = base64.b64decode(flat[: len(flat) // 4 * 4])
        found += [packed, *_inflated(packed)]
    return [*found, *_inflated(data)]


def _inflated(data: bytes) -> list[bytes]:
    found = []
    for start in range(min(24, len(data))):
        for wbits in (15, -15):
            try:
                found.append(zlib.decompressobj(wbits).decompress(data[start:]))
            except zlib.error:
                continue
    return [one for one in found if len(one) > 8]


# What stays sealed


@pytest.mark.parametrize(("slug", "scenario", "options"), HIDDEN)
def test_nothing_that_the_receiver_writes_or_prints_tells_the_other_sides_secrets(
    tmp_path, capsys, monkeypatch, slug, scenario, options
):
    table = played(tmp_path, slug, scenario, 5, options=options)
    sides = {step.hidden_from for step in _steps(table)} - {()}
    assert sides, "nothing was hidden"
    for side in table.sides:
        other = next(one for one in table.sides if one != side)
        with table.at(other):
            theirs = table.open(other)
            assert theirs.ledger is not None
            secret = theirs.ledger.secret
            options_of_other = {e.option for e in theirs.game.entries if isinstance(e, Command)}
            links = {e.source.partition(":")[2] for e in theirs.game.entries
                     if isinstance(e, Roll)}  # fmt: skip
            theirs.close()
        with table.at(side):
            session = table.open(side)
            names = presenter_for(slug)
            names.use(session.title.view(session.position.draft, side))
            unseen = [step for step in session.game.steps if side in step.hidden_from]
            hidden = [step_text(step, names.say(step.ruling.msg)).strip() for step in unseen]
            path = session.path
            session.close()
            (Path(os.environ["XDG_DATA_HOME"]) / "mail.txt").write_bytes(
                table.mails[-1].read_bytes()
            )
            printed = _every_verb(path, table.mails[-1], capsys, monkeypatch)
            breakdown.note(RuleBug(f"{sorted(options_of_other)[0]} answers another question"), path)
            data = everything(tmp_path / side)
        for option in options_of_other | links:
            if len(option) > 4:
                assert option.encode() not in data, option
        assert b'seme":""' in data
        assert secret.encode() not in data
        assert secret not in printed
        for line in hidden:
            assert line not in printed
        assert b'"c":[' not in data
        assert b'"stato"' not in data
        with profile(tmp_path / side):  # nor, for who takes the seal off, the secret of the dice
            assert secret not in json.dumps(_bared(path)) + _bared_mails(tmp_path / side)


def _steps(table: Table):
    with table.at(table.turn):
        session = table.open(table.turn)
        session.close()
        return session.game.steps


def _bared(path: Path) -> list[str]:
    lines = path.read_bytes().splitlines()[1:]
    return [unsealed(json.loads(line)["s"]).decode() for line in lines]


def _bared_mails(folder: Path) -> str:
    letters = [letter for _path, letter in mail.mails(folder)]
    return msgspec.json.encode(letters).decode()


def _every_verb(path: Path, letter: Path, capsys, monkeypatch) -> str:
    """What every verb prints about a game, for people and as JSON, and in a dialogue."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    file = str(path)
    report = str(path.parent / "rapporto.md")
    verbs = (["replay", file], ["replay", file, "--verifica"], ["rapporto", file],
             ["rapporto", file, "-o", report], ["posta", "verifica", file], ["titoli"],
             ["posta", "verifica", str(letter)], ["posta", "importa", str(letter)],
             ["posta", "esporta", file, "-o", str(path.parent)], ["cerca", "fuoco"],
             ["valida", file], ["esempi"], ["gioca", file, "--testo"])  # fmt: skip
    for verb in verbs:
        main(verb)
        if verb[0] != "gioca":
            main([*verb, "--json"])
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_no_seed_is_in_a_game_by_post(tmp_path):
    table = played(tmp_path, "toi", "toi-s1", 3)
    with table.at("us"):
        assert table.open("us").header.seed == ""
    assert "seme" not in msgspec.json.encode(table.letter).decode()


def test_only_the_own_side_can_be_opened(tmp_path):
    table = played(tmp_path, "toi", "toi-s1", 4)
    for side in table.sides:
        with table.at(side):
            session = table.open(side)
            assert session.seat() == side
            assert session.humans == (side,)
            path = session.path
            session.close()
            other = next(one for one in table.sides if one != side)
            data = path.read_bytes()
            swapped = data.replace(f'"lato":"{side}"'.encode(), f'"lato":"{other}"'.encode())
            path.write_bytes(swapped)
            healed = read(path)  # the header has a copy under the seal
            assert healed.damage is not None
            assert healed.header.post.side == side


def test_the_faults_of_a_sealed_game_are_told_without_their_words(tmp_path, user_folders):
    begin("toi", "toi-s1")
    try:
        raise RuleBug("u:us-3 answers")
    except RuleBug as error:
        path = breakdown.note(error)
    text = path.read_text(encoding="utf-8")
    assert "u:us-3" not in text.replace('raise RuleBug("u:us-3 answers")', "")
    assert "RuleBug" in text


# What is found


def changed(letter, **what):
    """A letter of somebody who has taken the program apart, and counts all digests again."""
    return opened(closed(msgspec.structs.replace(letter, **what)))


def receive(table: Table, letter) -> str:
    """What the next one hears about a letter."""
    with table.at(table.turn):
        session = table.open(table.turn)
        before = session.path.read_bytes()
        entries = session.game.entries
        try:
            with pytest.raises(SaveError) as caught:
                session.receive(letter, TITLES)
            assert session.game.entries == entries
            assert len(session.path.read_bytes()) == len(before)
        finally:
            session.close()
    return str(caught.value)


@pytest.fixture(scope="module")
def on_its_way(tmp_path_factory):
    """A game in which a mail with dice in it is on its way to the side that is next."""
    base = tmp_path_factory.mktemp("post")
    table = played(base, "toi", "toi-s1", 6)
    while True:
        with table.at(table.turn):
            session = table.open(table.turn)
            known = len(session.game.entries)
            play(session, table.rng)
            table.mails.append(mail.export(session, base / "mails"))
            table.turn = session.awaited[0]
            session.close()
        if any(isinstance(entry, Roll) for entry in session.game.entries[known:]):
            return table
        table.take_in(table.turn)


@pytest.fixture
def sent(on_its_way, tmp_path):
    """The same, to do with as a test likes."""
    return on_its_way.copied(tmp_path / "post")


def test_an_old_mail_is_told_as_old(sent):
    sent.take_in(sent.turn)
    assert "already taken in" in receive(sent, sent.letter)


def test_ones_own_mail_is_told_as_such(sent, tmp_path):
    sent.turn = next(side for side in sent.sides if side != sent.turn)
    assert "your own mail" in receive(sent, sent.letter)


def test_a_mail_of_another_game_is_told_as_such(sent, tmp_path):
    with profile(tmp_path / "third"):
        session = begin("toi", "toi-s1")
        play(session, sent.rng)
        letter = session.written()
        session.close()
    assert "another game" in receive(sent, letter)


def test_an_entry_already_sent_cannot_change(sent):
    letter = sent.letter
    lines = list(letter.lines)
    place = next(n for n, line in enumerate(lines) if line.command and n > 4)
    lines[place] = msgspec.structs.replace(lines[place], command=("us", "b:altro"))
    said = receive(sent, changed(letter, lines=tuple(lines)))
    assert "already, is another one" in said
    assert f"'entry': {place + 1}" in said


def test_dice_that_no_chain_gives_are_named(sent):
    letter = sent.letter
    known = letter.ledger.mails[-2].entries
    lines = list(letter.lines)
    place = next(n for n, line in enumerate(lines) if line.roll and n >= known)
    dice, faces = lines[place].roll
    lines[place] = msgspec.structs.replace(lines[place],
                                           roll=(dice, (faces[0] % 6 + 1, *faces[1:])))  # fmt: skip
    letter = _counted_again(changed(letter, lines=tuple(lines)))
    assert f"'entry': {place + 1}" in receive(sent, letter)


def _counted_again(letter):
    """The last mail of a letter with the digest that its content has now."""
    *earlier, last = letter.ledger.mails
    known = (last.side, last.pledges, last.entries)
    new = _mailing(letter.game, letter.ledger, letter.entries, tuple(earlier), known)
    ledger = msgspec.structs.replace(letter.ledger, mails=(*earlier, new))
    return msgspec.structs.replace(letter, ledger=ledger)


def test_what_a_digest_does_not_say_is_named(sent):
    letter = sent.letter
    said = receive(sent, changed(letter, lines=letter.lines[:-1]))
    assert "digest" in said or "old" in said


def test_a_mail_that_does_not_continue_the_row_is_named(sent):
    letter = sent.letter
    mails = letter.ledger.mails[1:]
    ledger = msgspec.structs.replace(letter.ledger, mails=mails)
    said = receive(sent, changed(letter, ledger=ledger))
    assert "does not continue mail" in said
    assert "'n': 1" in said


def test_other_commitments_are_refused(sent):
    letter = sent.letter
    (side, link), *rest = letter.ledger.pledges
    ledger = msgspec.structs.replace(letter.ledger, pledges=((side, link[::-1]), *rest))
    assert "other commitments" in receive(sent, changed(letter, ledger=ledger))


def test_nobody_answers_for_another_side(sent, tmp_path):
    shutil.copytree(sent.base / sent.turn, tmp_path / "copy")
    with profile(tmp_path / "copy"):
        (path,) = (tmp_path / "copy").rglob("*.prontuario")
        session = Session.open(path, TITLES)
        session.receive(sent.letter, TITLES)
        known = len(session.game.entries)
        play(session, sent.rng, 1)
        entries, rest = session.game.entries, digest(session.position.rest)
        session.close()
    letter = sent.letter
    *earlier, last = letter.ledger.mails
    mails = (*earlier, msgspec.structs.replace(last, entries=len(entries)))
    ledger = msgspec.structs.replace(letter.ledger, mails=mails)
    lines = tuple(map(line_of, entries))
    forged = _counted_again(changed(letter, lines=lines, ledger=ledger, rest=rest))
    said = receive(sent, forged)
    assert "answered for your side" in said
    assert f"'entry': {known + 1}" in said


def test_a_lost_game_is_told_honestly(sent, tmp_path):
    with profile(tmp_path / "new computer"), pytest.raises(SaveError, match="secret of your dice"):
        mail.take_in(sent.letter, TITLES)


def test_a_game_that_lost_its_last_lines_is_made_whole_by_the_own_mail(sent):
    side = next(one for one in sent.sides if one != sent.turn)
    with sent.at(side):
        session = sent.open(side)
        session.close()
        entries, path = session.game.entries, session.path
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[: len(lines) // 2]))
        assert mail.is_new(sent.letter)
        with pytest.raises(NotWhole) as found:
            Session.open(path, TITLES)
        shorter = Session.take_up(found.value.loaded)
        assert len(shorter.game.entries) < len(entries)
        own = mail.newest(shorter, sent.base / "mails")
        assert own == sent.letter
        shorter.receive(own, TITLES)
        assert shorter.game.entries == entries
        shorter.close()


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_sealed_file_damaged_anywhere_opens_up_to_there_with_its_secret(sent, share):
    with sent.at(sent.turn):
        session = sent.open(sent.turn)
        session.close()
        data = bytearray(session.path.read_bytes())
        data[int(len(data) * share)] ^= 1
        record = parse(bytes(data))
        assert record.damage is not None
        assert record.ledger is not None
        assert record.ledger.secret == session.ledger.secret
        assert session.game.entries[: len(record.entries)] == record.entries


def test_the_proof_at_the_end_counts_everything_again(sent, capsys):
    sent.take_in(sent.turn)
    told = []
    for side in sent.sides:
        with sent.at(side):
            session = sent.open(side)
            session.close()
            assert main(["posta", "verifica", str(session.path), "--json"]) == 0
            told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert main(["posta", "verifica", str(sent.mails[-1])]) == 0


# Undo


def test_nothing_that_was_received_is_taken_back(sent):
    with sent.at(sent.turn):
        session = sent.open(sent.turn)
        session.receive(sent.letter, TITLES)
        known = session.game.entries
        with pytest.raises(UndoRefused) as refused:
            session.undo(studio=True)
        assert "sent or received" in refused.value.msg.id
        assert session.game.entries == known
        session.close()


def test_nothing_that_was_sent_is_taken_back_nor_dice_before_that(sent):
    side = next(one for one in sent.sides if one != sent.turn)
    with sent.at(side):
        session = sent.open(side)
        with pytest.raises(UndoRefused) as refused:
            session.undo()
        assert "sent or received" in refused.value.msg.id
        session._save.ledger = msgspec.structs.replace(session.ledger, mails=())
        entries = session.game.entries
        last = max(n for n, entry in enumerate(entries) if isinstance(entry, Roll))
        while len(session.game.entries) > last + 1:
            session.undo()
        with pytest.raises(UndoRefused) as refused:
            session.undo(studio=True)
        assert "dice" in refused.value.msg.id
        assert not session.game.studio
        session.close()


# The text


@pytest.fixture(scope="module")
def letter_text(on_its_way):
    """A mail as it is written."""
    return on_its_way.mails[-1].read_text(encoding="utf-8")


def test_the_head_is_readable_and_the_game_is_not(letter_text):
    for said in ("Tide of Iron", "Saint-Aubin", "sigillo", "Non si scopre"):
        assert said in letter_text
    for hidden in ("u:us-", "seme", "mor1-", '"c"', "us_reg"):
        assert hidden not in letter_text


@pytest.mark.parametrize("mark", ["> ", ">> ", "> > > ", "| ", ">", "   "])
def test_a_quoted_mail_is_understood(letter_text, mark):
    quoted = "\r\n".join(mark + line for line in letter_text.splitlines())
    text = f"Ciao,\r\necco la mia mossa.\r\n\r\n{quoted}\r\n-- \r\nA presto\r\n"
    assert mail.letter_in(text) == mail.letter_in(letter_text)


@pytest.mark.parametrize("width", [20, 60, 77])
def test_wrapped_lines_are_understood(letter_text, width):
    lines = []
    for line in letter_text.splitlines():
        lines += [line[n : n + width] for n in range(0, len(line), width)] or [""]
    joined = "\n> ".join(lines).replace(mail.BEGIN[:width], mail.BEGIN[:width])
    if width < len(mail.BEGIN):
        joined = joined.replace(f"{mail.BEGIN[:width]}\n> {mail.BEGIN[width:]}", mail.BEGIN)
        joined = joined.replace(f"{mail.END[:width]}\n> {mail.END[width:]}", mail.END)
    assert mail.letter_in(joined) == mail.letter_in(letter_text)


def test_of_several_mails_in_a_text_the_newest_counts(tmp_path):
    table = Table(tmp_path, "toi", "toi-s1")
    texts = []
    for _ in range(3):
        table.send()
        texts.append(table.mails[-1].read_text(encoding="utf-8"))
    quoted = "\n".join("> " + line for line in texts[0].splitlines())
    assert mail.letter_in(f"{texts[2]}\n{quoted}\n{texts[1]}").number == 3


def test_damage_in_the_middle_of_a_mail_is_found(letter_text):
    body = letter_text.index(mail.BEGIN) + len(mail.BEGIN) + 1
    end = letter_text.index(mail.END)
    for place in range(body, end - 1, max(1, (end - body) // 40)):
        if letter_text[place] == "\n":
            continue
        other = "A" if letter_text[place] != "A" else "B"
        with pytest.raises(SaveError):
            mail.letter_in(letter_text[:place] + other + letter_text[place + 1 :])
    with pytest.raises(SaveError, match="cut short"):
        mail.letter_in(letter_text[: (body + end) // 2])


@pytest.mark.parametrize("text", ["", "ciao", f"{mail.BEGIN}\n!!\n{mail.END}\n"])
def test_other_texts_are_refused_kindly(text):
    with pytest.raises(SaveError):
        mail.letter_in(text)


# Lighter


def test_one_file_for_each_game_and_one_mail_in_the_folder_of_each_side(tmp_path):
    table = played(tmp_path, "toi", "toi-s1", 4)
    assert len(list((tmp_path / "mails").iterdir())) == 2
    for side in table.sides:
        assert len(list((tmp_path / side).rglob("*.prontuario"))) == 1


def test_the_side_is_remembered(sent, capsys):
    with sent.at(sent.turn):
        assert main(["posta", "importa", str(sent.mails[-1]), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
    assert told["lato"] == sent.turn


def test_where_several_sides_are_free_the_receiver_says_which(tmp_path, capsys, monkeypatch):
    table = Table(tmp_path, "toi", "toi-s2-3")
    with table.at("us1"):
        session = table.open("us1")
        play(session, table.rng)
        path = mail.export(session, tmp_path)
        session.close()
    with table.at("x"):
        assert main(["posta", "importa", str(path)]) == 2
        assert "us2, de" in capsys.readouterr().err
        with path.open(encoding="utf-8") as file:
            monkeypatch.setattr("sys.stdin", file)
            assert main(["posta", "importa", "-", "--lato", "de", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["lato"] == "de"


def test_answers_without_an_alternative_are_given_without_a_mail():
    session = begin("toi", "toi-s1", mine="de")
    entry = session.game.entries[0]
    assert isinstance(entry, Command)
    assert entry.side == "us"
    asked = session.game.asked(0)
    assert asked is not None
    assert len(asked.options) == 1
    assert [note.hidden_from for note in session._notes] == [("de",)]
    session.close()


def test_a_mail_cannot_be_written_in_ones_own_turn(tmp_path, capsys):
    session = begin("toi", "toi-s1")
    assert not session.awaited
    session.close()
    assert main(["posta", "esporta", str(session.path)]) == 1
    assert "tocca ancora a te" in capsys.readouterr().err.lower()


@pytest.mark.parametrize("lati", ["posta,posta", "umano,posta --seme 3", "umano,posta --dadi-veri"])
def test_what_no_game_by_post_can_be_is_refused(capsys, lati):
    assert main(["gioca", "toi", "toi-s1", "--testo", "--lati", *lati.split()]) == 2
    assert "per posta" in capsys.readouterr().err


def test_games_by_post_of_the_old_kind_open_and_say_so(tmp_path):
    from tests.app.tables import ACTION, session_at

    old = session_at(tmp_path, ACTION, de=REMOTE)
    old.close()
    session = Session.open(old.path, TITLES)
    assert session.seats == {"us": HUMAN, "de": REMOTE}
    assert any("vecchio tipo" in said for said in session.heard())
    with pytest.raises(SaveError):
        session.written()
    session.close()


def test_a_broken_letter_in_the_folder_is_named(tmp_path):
    whole = f"{mail.BEGIN}\nAAAA\n{mail.END}\n"
    (tmp_path / "rotta.posta").write_text(whole, encoding="utf-8")
    (tmp_path / "tronca.posta").write_text(whole[:30], encoding="utf-8")
    (tmp_path / "altro.txt").write_text("ciao", encoding="utf-8")
    said = mail.broken(tmp_path)
    assert [one.partition(":")[0] for one in said] == ["rotta.posta", "tronca.posta"]
    assert "tronca" in said[1].partition(":")[2]
