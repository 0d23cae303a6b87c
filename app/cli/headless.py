"""The verbs that need no screen and never import Textual."""

from __future__ import annotations

import os
import random
import sys
import time
from argparse import Namespace
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from app.cli.answers import DONE, NO, Answer, Fault, named_file, unknown_title
from app.play.discretion import audience
from app.play.text_looking import step_text
from app.play.watching import replay_for
from app.shell import own_data
from app.shell.i18n import _, _n, say
from app.shell.paths import saves_folder, writable
from engine import titles
from engine.core.rules import Command, Refused, RuleBug, Side
from engine.core.title import ScenarioInfo, Title
from engine.drive import RANDOM, TooLong, drive, player_of, sides_of
from engine.game import Game, SeededChance
from engine.saves.lines import FORMAT, Header, SaveError
from engine.saves.replaying import Loaded, load
from engine.saves.writing import SaveFile


def list_titles(args: Namespace) -> Answer:
    """`prontuario titoli`: the titles with their scenarios and sides."""
    data = [
        {
            "titolo": slug,
            "nome": title.info.name,
            "scenari": [
                {"id": info.id, "nome": info.name, "lati": list(info.sides)}
                for info in title.scenarios()
            ],
        }
        for slug, title in titles.TITLES.items()
    ]
    lines = []
    for entry in data:
        lines.append(f"{entry['titolo']}  {entry['nome']}")
        for scenario in entry["scenari"]:
            sides = ", ".join(scenario["lati"])  # type: ignore[index]
            lines.append(f"  {scenario['id']}  {scenario['nome']} ({sides})")  # type: ignore[index]
    return Answer(data, tuple(lines) or (_("No game is installed yet."),))


def find_title(slug: str) -> Title[Any]:
    """A registered title, or the fault that names those there are."""
    title = titles.TITLES.get(slug.strip().lower())
    if title is None:
        raise unknown_title(slug, list(titles.TITLES))
    return title


def find_scenario(title: Title[Any], wanted: str) -> ScenarioInfo:
    """A scenario of a title, or the fault that names those there are."""
    infos = {info.id: info for info in title.scenarios()}
    if wanted not in infos:
        known = ", ".join(infos)
        raise Fault(_("There is no scenario {id}. Scenarios: {known}.", id=wanted, known=known))
    return infos[wanted]


def find_level(title: Title[Any], wanted: str, people: tuple[str, ...] = ()) -> str:
    """A level of the program's play, or one of the people that may sit there; `ia` is the
    strongest level there is."""
    known = (RANDOM, *title.levels)
    if wanted == "ia":
        return known[-1]
    if wanted not in (*people, *known):
        names = ", ".join((*people, *known))
        raise Fault(_("There is no player {id}. Players: {known}.", id=wanted, known=names))
    return wanted


def check_seats(given: int, info: ScenarioInfo) -> None:
    """Fault where more players are named than there are sides."""
    sides = ", ".join(info.sides)
    if given > len(info.sides):
        raise Fault(_("{given} players are too many. Sides: {sides}.", given=given, sides=sides))


# Validating


def validate(args: Namespace) -> Answer:
    """`prontuario valida`: every fault of a scenario, map or example file."""
    path = named_file(args.file)
    faults = own_data.faults_of(path, find_title(args.titolo or _title_named_in(path)))
    data = [{"file": f.file, "percorso": f.path, "riga": f.line, "errore": f.text} for f in faults]
    lines = tuple(map(str, faults))
    return Answer(data, lines or (_("{file}: no errors.", file=path.name),), NO if faults else 0)


def _title_named_in(path: Path) -> str:
    """The slug on the `titolo:` line of a data file, or of the folder that it lies in."""
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                key, _colon, value = line.partition(":")
                if key.strip() == "titolo":
                    return value.partition(" #")[0].strip().strip("\"'")
    except UnicodeDecodeError as error:
        raise Fault(_("{file} is not text.", file=path.name)) from error
    except OSError as error:
        raise Fault(_("{file} cannot be read.", file=path.name)) from error
    for folder in path.absolute().parts[::-1]:
        if folder in titles.TITLES:
            return folder
    raise Fault(_("{file} does not name its title: add a line `titolo:`.", file=path.name))


# Replaying


def loaded_game(path: Path) -> Loaded[Any]:
    """A saved game played again, or the fault that says where its file cannot be read."""
    try:
        return load(path, titles.TITLES)
    except SaveError as error:
        where = f"{path.name}:{error.line}" if error.line else path.name
        raise Fault(f"{where}: {say(error.msg)}", NO) from error


def replay(args: Namespace) -> Answer:
    """`prontuario replay`: play a saved game again and check every resting state."""
    loaded = loaded_game(named_file(args.file))
    game, record, stopped = loaded.game, loaded.record, loaded.divergence
    told = replay_for(game, audience(game, record.header.players, args.lato))
    looking, steps = told.looking, told.steps
    warnings = [say(msg) for msg in loaded.warnings]
    data = {
        "titolo": record.header.title,
        "scenario": record.header.scenario,
        "voci": len(record.entries) if looking.is_told_all else None,
        "passi": len(steps),
        "studio": record.header.studio,
        "visto_da": looking.named,
        "divergenza": None if stopped is None else {"voce": stopped.entry},
        "avvisi": warnings,
    }
    which = {"title": record.header.title, "scenario": record.header.scenario}
    if looking.is_told_all:
        n = len(record.entries)
        lines = [
            _n("{title}, {scenario}: {n} entry.", "{title}, {scenario}: {n} entries.", n=n, **which)
        ]
    else:  # how many answers others gave in secret is theirs to know
        n = len(steps)
        lines = [
            _n("{title}, {scenario}: {n} step.", "{title}, {scenario}: {n} steps.", n=n, **which),
            told.note,
        ]
    if not args.verifica:
        lines += [step_text(line.step, line.words) for line in told.lines]
    lines += warnings or [_("Every resting state and all dice agree.")]
    return Answer(data, tuple(lines), NO if warnings else DONE)


# Simulating


class GameResult(msgspec.Struct, frozen=True):
    """What one simulated game came to."""

    seed: int
    winner: Side | None
    decisions: int
    failure: str = ""


def play_one(slug: str, scenario: str, levels: tuple[str, ...], seed: int) -> GameResult:
    """One game without a screen; one that fails is kept as a save that the program can open."""
    title = find_title(slug)
    game = Game(title, scenario, SeededChance(seed))
    seats = {
        side: player_of(title, levels[index % len(levels)])
        for index, side in enumerate(sides_of(game))
    }
    winner: Side | None = None
    failure = ""
    try:
        winner = drive(game, seats, random.Random(seed)).winner
    except (TooLong, RuleBug, Refused) as error:
        path = writable(saves_folder()) / f"guasto-{slug}-{scenario}-{seed}.prontuario"
        players = {side: levels[index % len(levels)] for index, side in enumerate(seats)}
        header = Header(FORMAT, slug, title.info.revision, scenario, seed, players=players)
        SaveFile.create(path, header, game)
        failure = f"{type(error).__name__}: {error} ({path})"
    decisions = sum(isinstance(entry, Command) for entry in game.entries)
    return GameResult(seed, winner, decisions, failure)


def simulate(args: Namespace) -> Answer:
    """`prontuario simula`: games without a screen, with a progress bar on stderr."""
    title = find_title(args.titolo)
    info = find_scenario(title, args.scenario)
    levels = tuple(find_level(title, word) for word in args.giocatori.split(","))
    check_seats(len(levels), info)
    if args.partite < 1 or args.processi < 1:
        raise Fault(_("Games and processes are at least 1."))
    jobs = [
        (title.info.slug, info.id, levels, args.seme + number) for number in range(args.partite)
    ]
    started = time.perf_counter()
    results = []
    for done, result in enumerate(_run(jobs, args.processi), start=1):
        results.append(result)
        _progress(done, len(jobs))
    elapsed = time.perf_counter() - started
    data = summary(results, info, elapsed)
    lines = [
        _n(
            "{n} game of {title}, {scenario}",
            "{n} games of {title}, {scenario}",
            n=len(results),
            title=title.info.slug,
            scenario=info.id,
        )
    ]
    wins: dict[str, int] = data["vittorie"]
    for winner, won in wins.items():
        seats = ", ".join(info.teams.get(winner, ()))
        name = f"{winner} ({seats})" if seats else winner or "—"
        lines.append(f"  {name}: {won}")
    if "sconfitte" in data:
        lines.append(_("  lost: {n}", n=data["sconfitte"]))
    elif data["pareggi"]:
        lines.append(_("  drawn: {n}", n=data["pareggi"]))
    lines.append(_("{rate} decisions per second", rate=data["decisioni_al_secondo"]))
    failed = [r for r in results if r.failure]
    lines += [_("game {seed}: {why}", seed=r.seed, why=r.failure) for r in failed]
    return Answer(data, tuple(lines), NO if failed else 0)


def _run(jobs: list[tuple[str, str, tuple[str, ...], int]], processes: int) -> Any:
    if processes == 1:
        yield from (play_one(*job) for job in jobs)
        return
    with ProcessPoolExecutor(min(processes, os.cpu_count() or 1)) as pool:
        yield from pool.map(play_one, *zip(*jobs, strict=True), chunksize=1)


def summary(results: list[GameResult], info: ScenarioInfo, elapsed: float) -> dict[str, Any]:
    """The figures of a simulation; whoever plays alone loses where nobody wins."""
    lengths = sorted(r.decisions for r in results)
    team_of = {seat: team for team, seats in info.teams.items() for seat in seats}
    winners = dict.fromkeys(team_of.get(side, side) for side in info.sides)
    wins = {side: sum(r.winner == side for r in results) for side in winners}
    nobody = len(results) - sum(wins.values()) - sum(bool(r.failure) for r in results)
    is_alone = len(info.sides) == 1
    return {
        "partite": len(results),
        "vittorie": wins,
        **({"sconfitte": nobody} if is_alone else {}),
        "pareggi": 0 if is_alone else nobody,
        "fallite": [{"seme": r.seed, "motivo": r.failure} for r in results if r.failure],
        "decisioni": {
            "totale": sum(lengths),
            "minimo": lengths[0],
            "mediana": lengths[len(lengths) // 2],
            "massimo": lengths[-1],
        },
        "secondi": round(elapsed, 3),
        "decisioni_al_secondo": round(sum(lengths) / max(elapsed, 1e-9)),
    }


def _progress(done: int, total: int) -> None:
    """A bar on stderr, only where a person looks."""
    if not sys.stderr.isatty():
        return
    width = 30
    full = done * width // total
    sys.stderr.write(f"\r{'█' * full}{'░' * (width - full)} {done}/{total}")
    if done == total:
        sys.stderr.write("\n")
    sys.stderr.flush()
