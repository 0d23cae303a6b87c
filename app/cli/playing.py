"""`prontuario gioca`, `esempi`, `rapporto`: playing and retelling from the command line."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from app.cli import headless
from app.cli.answers import DONE, NO, Answer, Fault, named_file, refused_folder, why
from app.cli.headless import check_seats, find_level, find_scenario, find_title, loaded_game
from app.play.discretion import HUMAN, REMOTE, audience
from app.play.mail import export, free_sides, letter_in, read_mail, take_in, waiting
from app.play.session import SUFFIX, InUse, NotWhole, Session, default_seats
from app.play.text_looking import step_text
from app.play.text_mode import play, seats_from, tell_example
from app.play.watching import Replay, replay_for
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from app.shell import own_data, streams
from app.shell.i18n import _, catalog, say
from engine import examples, titles
from engine.core.data import DataErrors, Document
from engine.core.rules import Command
from engine.core.text import N_
from engine.core.title import Title
from engine.game import digest
from engine.saves.letters import checked, why_forged, wrong_mail
from engine.saves.lines import SaveError
from engine.saves.replaying import Loaded, load


def session_for(args: Namespace) -> Session:
    """The game that the arguments describe: a saved one by its file, or a new one."""
    if args.titolo.endswith(SUFFIX):
        return saved_session(named_file(args.titolo))
    title = find_title(args.titolo)
    info = find_scenario(title, args.scenario) if args.scenario else title.scenarios()[0]
    seats = default_seats(title, info.sides)
    if args.lati:
        check_seats(len(args.lati.split(",")), info)
        seats = {
            side: find_level(title, who, (HUMAN, REMOTE))
            for side, who in seats_from(args.lati, info.sides)
        }
    try:
        return Session.new(title, info.id, seats=seats, seed=args.seme, real_dice=args.dadi_veri)
    except SaveError as error:
        raise Fault(say(error.msg)) from error


def saved_session(path: Path) -> Session:
    """A saved game taken up; one that is not whole from its last good position, in a copy."""
    try:
        return Session.open(path, titles.TITLES)
    except NotWhole as found:
        kept = _("The old file is kept; the game goes on in a new one.")
        streams.complain(f"{path}: {kept}")
        return Session.take_up(found.loaded)
    except InUse:
        raise
    except SaveError as error:
        raise Fault(f"{path}: {say(error.msg)}", NO) from error


def play_in_text(args: Namespace) -> int:
    """`prontuario gioca --testo`: a linear dialogue."""
    if not args.titolo:
        raise Fault(_("Say which title: {known}.", known=", ".join(titles.TITLES)))
    try:
        session = session_for(args)
    except InUse as in_use:
        told = headless.replay(Namespace(file=args.titolo, lato="", verifica=False))
        return Answer(None, (say(in_use.msg), *told.lines)).show(as_json=False)
    refused = refused_folder()
    if refused:
        streams.complain(refused)
    play(session)
    return DONE


def show_an_example() -> None:
    """One short worked example, step by step with its citations, where no screen can open."""
    for slug, title in titles.TITLES.items():
        files = examples.packaged(slug)
        if files:
            named = [path for path in files if path.stem == presenter_for(slug).showpiece]
            tell_example(title, examples.read((named or files)[0]), sys.stdout)
            return


# Play by post


def mail(args: Namespace) -> Answer:
    """`prontuario posta`: write the mail of a game, take one in, or prove a game."""
    does = {"esporta": _send, "importa": _take_in, "verifica": _prove}
    path = Path("-") if args.file == "-" else named_file(args.file)
    try:
        return does[args.azione](path, args)
    except NotWhole as found:
        said = _("The game is not whole: open it first.")
        raise Fault(f"{path.name}: {said}", NO) from found
    except SaveError as error:
        raise Fault(f"{path.name}: {say(error.msg)}", NO) from error


def _send(path: Path, args: Namespace) -> Answer:
    session = Session.open(path, titles.TITLES)
    try:
        written = export(session, Path(args.o) if args.o else Path())
        data = {"file": str(written), **_about(session), "per": list(session.awaited)}
    finally:
        session.close()
    return Answer(data, (_("Written: {file}", file=str(written)),))


def _take_in(path: Path, args: Namespace) -> Answer:
    letter = letter_in(sys.stdin.read()) if args.file == "-" else read_mail(path)
    sides = free_sides(letter)
    if (args.lato or len(sides) > 1) and sides and args.lato not in sides:
        known = ", ".join(sides)
        raise Fault(_("Say which side is yours with --lato: {known}.", known=known))
    session = take_in(letter, titles.TITLES, args.lato)
    try:
        data = {"file": str(session.path), **_about(session), "tocca_a_te": not session.awaited}
        said = _("It is your turn: prontuario gioca {file}", file=str(session.path))
        if session.awaited:
            said = waiting(session)
    finally:
        session.close()
    return Answer(data, (_("Written: {file}", file=str(session.path)), said))


def _about(session: Session) -> dict[str, Any]:
    assert session.header.post is not None
    assert session.ledger is not None
    post, number = session.header.post, len(session.ledger.mails)
    return {"partita": post.game, "lato": post.side, "posta": number}


def _prove(path: Path, args: Namespace) -> Answer:
    """Every link against the commitments, every mail against its digest, every answer again."""
    if path.suffix == SUFFIX:
        loaded = load(path, titles.TITLES)
        post, ledger = loaded.record.header.post, loaded.record.ledger
        if post is None or ledger is None:
            raise SaveError(N_("This is no game by post: there is nothing to prove in it."))
        name = post.game
        wrong = wrong_mail(name, ledger, loaded.game.entries)
        if not loaded.is_whole:
            raise NotWhole(loaded)
        forged = why_forged(loaded)
        if forged is not None:
            raise forged
        if wrong:
            raise SaveError(N_("Mail number {n} does not hold what its digest says."), n=wrong)
    else:
        letter = letter_in(sys.stdin.read()) if args.file == "-" else read_mail(path)
        loaded = checked(letter, letter.sender, titles.TITLES)
        name, ledger = letter.game, letter.ledger
    game = loaded.game
    rolls = sum(not isinstance(entry, Command) for entry in game.entries)
    is_over = game.position.outcome is not None
    data = {"partita": name, "posta": len(ledger.mails), "tiri": rolls, "finita": is_over,
            "impegni": [link for _side, link in ledger.pledges],
            "impronta": ledger.mails[-1].digest if ledger.mails else "",
            "stato": digest(game.position.rest)}  # fmt: skip
    lines = (
        _("Game {name}: {mails} mails, {rolls} rolls and draws.", name=name,
          mails=len(ledger.mails), rolls=rolls),
        _("Every roll comes from the commitments, every mail continues the one before, and the "
          "rules accept every answer."),
        _("Digest of the last mail: {digest}. The other side must read the same.",
          digest=data["impronta"]),
        _("Position: {digest}.", digest=data["stato"]),
    )  # fmt: skip
    return Answer(data, lines)


# Examples


class _Found(NamedTuple):
    """A worked example in its file."""

    title: Title[Any]
    example: examples.Example
    doc: Document


def list_examples(args: Namespace) -> Answer:
    """`prontuario esempi`: list the worked examples, or play and check them."""
    found, broken = _read_examples(args)
    if args.verifica:
        return _checked(broken + [_check(one, is_own=bool(args.file)) for one in found])
    listed = [{"id": e.id, "nome": e.name, "titolo": e.title, "refs": list(e.refs)}
              for _title, e, _doc in found]  # fmt: skip
    lines = [f"{e.title}  {e.id:<28} {e.name}" for _title, e, _doc in found]
    lines += [fault for entry in broken for fault in entry["ottenuto"]]
    return Answer(listed + broken, tuple(lines), NO if broken else DONE)


def _read_examples(args: Namespace) -> tuple[list[_Found], list[dict[str, Any]]]:
    """The examples asked for, and what is wrong with the files that hold none."""
    found: list[_Found] = []
    broken: list[dict[str, Any]] = []
    for path in _example_files(args):
        try:
            doc = Document(path)
            example = doc.convert(examples.Example)
            title = find_title(example.title)
            found.append(_Found(title, example, doc))
            wrong = own_data.faults_of(path, title) if args.file and not args.verifica else ()
        except DataErrors as errors:
            wrong = own_data.tell(errors.faults)
        if wrong:
            told = [*map(str, wrong)]
            broken.append({"id": path.name, "esito": "errore", "ottenuto": told, "refs": []})
    return found, broken


def _check(one: _Found, is_own: bool) -> dict[str, Any]:
    """Play an example and compare; the refs of the user's own files are looked up too."""
    report = examples.verify(*one)
    wrong = own_data.tell(report.faults)
    if is_own:
        wrong = (*wrong, *own_data.unknown_refs(Path(one.doc.file), one.example.title))
    return {
        "id": one.example.id,
        "esito": "no" if wrong else "si",
        "atteso": len(one.example.steps),
        "ottenuto": [*map(str, wrong)],
        "refs": list(report.refs),
    }


def _checked(data: list[dict[str, Any]]) -> Answer:
    failed = [entry for entry in data if entry["esito"] != "si"]
    lines = [f"{entry['esito']:<7}{entry['id']}" for entry in data]
    lines += [f"  {fault}" for entry in failed for fault in entry["ottenuto"]]
    lines.append(_("{good} of {all} examples pass.", good=len(data) - len(failed), all=len(data)))
    return Answer(data, tuple(lines), NO if failed else DONE)


def _example_files(args: Namespace) -> list[Path]:
    if args.file:
        return [named_file(name) for name in args.file]
    slugs = [find_title(args.titolo).info.slug] if args.titolo else list(titles.TITLES)
    return [path for slug in slugs for path in examples.packaged(slug)]


# Reports


def report(args: Namespace) -> Answer:
    """`prontuario rapporto`: an after-action report with citations, as Markdown."""
    loaded = loaded_game(named_file(args.file))
    game, header = loaded.game, loaded.record.header
    replay = replay_for(game, audience(game, header.players, args.lato))
    names = presenter_for(header.title)
    names.use(replay.looking.view(game.position.draft))
    outcome = game.position.outcome
    counted = Counter(ref for step in replay.steps for ref in step.ruling.refs)
    lines = [f"# {replay.name}", "", *_opening(loaded, replay, names)]
    for told in replay.procedures:
        lines += [f"- {step_text(line.step, line.words).strip()}" for line in told]
        lines.append("")
    if outcome is not None:
        winner = names.army(outcome.winner).name if outcome.winner else _("nobody")
        reason = names.say(outcome.ruling.msg)
        lines.append(_("The game is over: {who}. {why}", who=winner, why=reason))
    lines += ["", "## " + _("Rules applied"), "", "| " + _("rule") + " | n |", "| --- | --- |"]
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    lines += [f"| {ref} | {n} |" for ref, n in ranked]
    data = {"titolo": header.title, "scenario": header.scenario, "regole": dict(counted),
            "vincitore": outcome.winner if outcome is not None else None,
            "visto_da": replay.looking.named}  # fmt: skip
    return _written(args.o, data, lines) if args.o else Answer(data, tuple(lines))


def _opening(loaded: Loaded[Any], replay: Replay, names: Presenter) -> Iterator[str]:
    """Who played, with which dice, for whom it is told, and what was said of the file."""
    header, looking = loaded.record.header, replay.looking
    seats = [
        f"{names.army(side).name}: {_(header.players.get(side, HUMAN))}"
        for side in looking.everybody
    ]
    yield ", ".join(seats) + "."
    if header.real_dice:
        yield _("Real dice, typed in by hand.")
    elif looking.is_told_all:
        words = _("Chosen seed {seed}.") if header.has_chosen_seed else _("Seed {seed}.")
        yield words.format(seed=header.seed)
    yield from filter(None, [replay.note])
    yield ""
    for _after, msg in loaded.record.warnings:
        yield from (_("When the file was opened once: {what}", what=say(msg)), "")
    for msg in loaded.warnings:
        yield from (say(msg), "")
    if header.studio:
        yield from (_("Played in studio mode: some dice were taken back."), "")


def _written(name: str, data: dict[str, Any], lines: list[str]) -> Answer:
    """The report in a file of its own."""
    try:
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        said = _("{file} cannot be written: {why}.", file=name, why=why(error))
        raise Fault(said, NO) from error
    size = catalog().number(len(lines))
    return Answer(data, (_("{file}: {n} lines.", file=name, n=size),))
