"""The guided first game of every title, followed to the end of its guide by keys."""

from __future__ import annotations

from random import Random

import pytest

from app import i18n
from app.app import ProntuarioApp
from app.screens.choice import ChoiceScreen
from app.screens.play import PlayScreen
from app.widgets.guide_box import GuideBox
from app.widgets.rule_pane import RulePane
from engine.titles import TITLES
from tests.screen.oracles import Eyes
from tests.screen.player import Hand, Player, ready_hands

SIZES = [(120, 40), (80, 24)]


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


class Pupil(Hand):
    """Reads each lesson, opens its rule, does what it asks for, and takes advice."""

    def __init__(self) -> None:
        self.read: set[str] = set()

    async def move(self, player: Player) -> None:
        """Read, go on by hand where the lesson asks for nothing, or answer."""
        guide = player.table.query_one(GuideBox).guide
        lesson = guide.lesson if guide is not None else None
        assert lesson is not None
        if lesson.text not in self.read:
            self.read.add(lesson.text)
            await player.press("f3")
            assert player.table.query_one(RulePane).ref == lesson.ref
            await player.press("escape")
        elif not (lesson.until or lesson.cited):
            await player.press("f4")
        elif player.is_asked and player.rng.random() < 0.8:
            await player.press("a")
            await player.to_answers()
            if player.is_asked:
                await player.press("enter")
        else:
            await player.answer(by_mouse=False)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=["120", "80"])
@pytest.mark.parametrize("slug", TITLES)
async def test_a_guided_game_is_followed_to_its_end(monkeypatch, slug, size):
    app = ProntuarioApp()
    eyes = Eyes(monkeypatch)
    with ready_hands(monkeypatch):
        async with app.run_test(size=size) as pilot:
            player = Player(pilot, Random(slug), eyes)
            await player.settle()
            await player.press("down", "down", "enter")
            assert isinstance(app.screen, ChoiceScreen)
            await player.press(*["down"] * list(TITLES).index(slug), "enter")
            assert isinstance(app.screen, PlayScreen)
            assert player.session.title is TITLES[slug]
            guide = app.screen.query_one(GuideBox).guide
            await player.play(lambda _session: guide.lesson is None, Pupil())
            assert guide.lesson is None
            assert not app.screen.query_one(GuideBox).has_class("-shown")
