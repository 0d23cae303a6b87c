"""Every scenario of every title, played at the screen."""

from __future__ import annotations

from argparse import Namespace
from random import Random

import pytest

from app.cli.playing import session_for
from app.play.discretion import HUMAN
from app.play.session import Session
from app.play.table import Table
from app.screens.app import ProntuarioApp
from app.screens.play import PlayScreen
from app.shell import i18n
from engine.drive import RANDOM
from engine.titles import TITLES
from tests.screen.oracles import Eyes
from tests.screen.player import Everything, Hand, KeysAlone, MouseAlone, Player, ready_hands

SEED = 3
WIDE, NARROW = (120, 40), (80, 24)
SCENARIOS = [(slug, info) for slug, title in TITLES.items() for info in title.scenarios()]
HANDS: dict[str, type[Hand]] = {"keys": KeysAlone, "mouse": MouseAlone, "mixed": Everything}
WAYS = [("keys", WIDE), ("mouse", NARROW), ("keys", NARROW), ("mouse", WIDE)]
DEFENDERS = ("R2", "R3", "R4")
"""Where the second side has less to do: who wants a short game takes that chair."""
QUICK = ("toi-s2-4", "first-wave", "R1", "s5")
"""One scenario a title whose second turn comes soon, for every key in the fast suite."""
ENTERING = ("R3", "R4")
"""Where the first side comes from off the map: its chair is taken, too."""
FEWEST = 15
"""Answers that a short game gives at least."""


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def turn_of(session: Session) -> int:
    tracks = Table(session).view.tracks
    return next(track.value for track in tracks if track.id in ("turn", "round"))


async def play(monkeypatch, slug, info, hand, size, level, *, chair=0, begin="", whole):
    """A person against programs, from the first screen or straight at the table."""
    seats = [HUMAN if number == chair else level for number in range(len(info.sides))]
    wanted = Namespace(titolo=slug, scenario=info.id, lati=",".join(seats), seme=SEED,
                       dadi_veri=False)  # fmt: skip
    app = ProntuarioApp(None if begin else lambda: PlayScreen(session_for(wanted)))
    eyes = Eyes(monkeypatch)
    with ready_hands(monkeypatch):
        async with app.run_test(size=size) as pilot:
            haste = 0.1 if whole else 0.4
            player = Player(pilot, Random(f"{slug} {info.id} {hand}"), eyes, haste)
            await player.settle()
            if begin:
                await player.begin(begin, dict(enumerate(seats[1:], start=1)), SEED)
            first = turn_of(player.session)

            def enough(session: Session) -> bool:
                is_own = player.delegated * 10 <= player.given
                return not whole and is_own and turn_of(session) > first and player.given >= FEWEST

            await player.play(enough, HANDS[hand]())
            assert player.session.position.outcome is not None or not whole
            assert player.delegated * 10 <= max(1, player.given)


def name_of(place: int) -> str:
    return SCENARIOS[place][1].id


async def short(monkeypatch, place, hand, size, chair=None):
    """A scenario to its second turn; the first of each title from the first screen on."""
    slug, info = SCENARIOS[place]
    is_first = info is TITLES[slug].scenarios()[0]
    begin = f"{slug}/{info.id}" if is_first else ""
    if chair is None:
        chair = 1 if info.id in DEFENDERS else 0
    await play(monkeypatch, slug, info, hand, size, RANDOM, chair=chair, begin=begin, whole=False)


@pytest.mark.parametrize("place", range(len(SCENARIOS)), ids=name_of)
async def test_a_scenario_lives_to_its_second_turn(monkeypatch, place):
    await short(monkeypatch, place, *WAYS[place % len(WAYS)])


@pytest.mark.parametrize("name", ENTERING)
async def test_the_side_that_enters_lives_to_the_second_turn(monkeypatch, name):
    place = next(n for n in range(len(SCENARIOS)) if name_of(n) == name)
    await short(monkeypatch, place, *WAYS[place % len(WAYS)], chair=0)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(n, id=name_of(n), marks=() if name_of(n) in QUICK else pytest.mark.slow)
        for n in range(len(SCENARIOS))
    ],
)
async def test_a_scenario_lives_with_every_key_to_its_second_turn(monkeypatch, place):
    await short(monkeypatch, place, "mixed", (WIDE, NARROW)[place % 2])


@pytest.mark.slow
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("place", range(len(SCENARIOS)), ids=name_of)
async def test_a_scenario_lives_to_its_end(monkeypatch, place, hand):
    slug, info = SCENARIOS[place]
    size = (WIDE, NARROW)[(place + list(HANDS).index(hand)) % 2]
    begin = f"{slug}/{info.id}"
    await play(monkeypatch, slug, info, hand, size, "medio", begin=begin, whole=True)
