"""Games at a given question, for the tests of the table; Tide of Iron unless told otherwise."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from app.play.discretion import HUMAN
from app.play.session import Session
from engine.drive import player_of
from engine.game import Game
from engine.saves.lines import FORMAT, Header
from engine.saves.replaying import chance_of
from engine.titles import TITLES

TOI = TITLES["toi"]
SCENARIO = "toi-s1"
SEED = 7
DEPLOY = "setup.place"
OP_FIRE = "opfire.wait"
ACTION = "action.next"
VERB = "action.verb"
MOVE = "move.next"
TARGET = "fire.target"


def header(**seats: str) -> Header:
    """Two people, unless told otherwise."""
    players = {"us": HUMAN, "de": HUMAN, **seats}
    return Header(FORMAT, "toi", TOI.info.revision, SCENARIO, SEED, {}, players)


@cache
def entries(stop: str, times: int = 1, side: str = "us"):
    """The answers of two programs up to the n-th time that a side is asked something."""
    game = Game(TOI, SCENARIO, chance_of(header()))
    rng = random.Random(2)
    level = "medio" if "medio" in TOI.levels else "casuale"
    bots = {one: player_of(TOI, level) for one in ("us", "de")}
    while (decision := game.position.decision) is not None:
        if decision.id == stop and decision.side == side:
            times -= 1
            if not times:
                return game.entries
        draft, asked = game.position.draft, decision.side
        look = lambda draft=draft, asked=asked: TOI.view(draft, asked)  # noqa: E731
        game.answer(bots[asked].choose(look, decision, rng))
    raise AssertionError(f"nobody asks {stop}")


def session_at(folder: Path, stop: str = "", times: int = 1, **seats: str) -> Session:
    """A session at that question; from the start without one."""
    head = header(**seats)
    game = Game(TOI, SCENARIO, chance_of(head))
    if stop:
        game.resume(entries(stop, times)[len(game.entries) :])
    return Session(game, head, folder / "prova.prontuario")


@cache
def played(
    slug: str, scenario: str, stop: str, side: str = "", level: str = "casuale", seed: int = SEED
):
    """The answers of programs up to the first time that a side is asked this; or to the end."""
    title = TITLES[slug]
    game = Game(title, scenario, chance_of(head_of(slug, scenario, seed)))
    rng = random.Random(2)
    bots = {}
    while (decision := game.position.decision) is not None:
        if decision.id == stop and decision.side == (side or decision.side):
            return game.entries
        draft, asked = game.position.draft, decision.side
        bot = bots.setdefault(asked, player_of(title, level))
        look = lambda draft=draft, asked=asked: title.view(draft, asked)  # noqa: E731
        game.answer(bot.choose(look, decision, rng))
    assert not stop, f"nobody asks {stop}"
    return game.entries


def head_of(slug: str, scenario: str, seed: int = SEED, **seats: str) -> Header:
    """Every side has a person, unless told otherwise."""
    title = TITLES[slug]
    sides = next(info for info in title.scenarios() if info.id == scenario).sides
    players = {**dict.fromkeys(sides, HUMAN), **seats}
    return Header(FORMAT, slug, title.info.revision, scenario, seed, {}, players)


def session_of(
    folder: Path, slug: str, scenario: str, stop: str | None = None, side: str = "", **seats: str
) -> Session:
    """A session of any title at that question; at its end if that is empty."""
    head = head_of(slug, scenario, **seats)
    game = Game(TITLES[slug], scenario, chance_of(head))
    if stop is not None:
        game.resume(played(slug, scenario, stop, side)[len(game.entries) :])
    return Session(game, head, folder / "prova.prontuario")
