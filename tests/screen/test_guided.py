"""The guided first game of every title, followed to the end of its guide by keys."""

from __future__ import annotations

from random import Random

import pytest

from app.play.tutorial import Guide, Lesson, tutorial_for
from app.screens.app import ProntuarioApp
from app.screens.choice import ChoiceScreen
from app.screens.play import PlayScreen
from app.shell import i18n
from app.widgets.decision_bar import DecisionBar
from app.widgets.guide_box import GuideBox
from app.widgets.hexmap import HexMap
from app.widgets.rule_pane import RulePane
from engine.titles import TITLES
from tests.screen.oracles import Eyes, is_seen
from tests.screen.player import Hand, Player, ready_hands

SIZES = [(120, 40), (80, 24)]


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


class Pupil(Hand):
    """Reads each lesson, opens its rule, and gives the answers that it marks. In the middle he
    leaves the table and comes back."""

    def __init__(self) -> None:
        self.read: list[int] = []
        self.has_left = False

    async def move(self, player: Player) -> None:
        """Read, end the guide with its last lesson, or answer."""
        guide = player.table.query_one(GuideBox).guide
        assert guide is not None
        lesson = guide.lesson
        assert lesson is not None
        if guide.at not in self.read:
            self.read.append(guide.at)
            await self._look_up(player, lesson)
        elif guide.at == guide.last:
            await player.press("f4")
        elif guide.at >= guide.last // 2 and not self.has_left:
            self.has_left = True
            await self._leave(player, guide)
        elif player.table.query_one(RulePane) in player.app.focused.ancestors:
            await player.press("escape")  # Tab has led into a page, where it goes to its links
        elif player.is_asked:
            await player.to_answers()
            assert player.table.query_one(DecisionBar).marked == player.table.table.proposed
            self.see_acting(player)
            await player.press("enter")
        else:
            await player.answer(by_mouse=False)

    def see_acting(self, player: Player) -> None:
        """The unit that acts is in sight, and the guide takes at most six lines of a narrow
        screen."""
        table = player.table
        if table.has_class("-narrow"):
            assert table.query_one(GuideBox).region.height <= 6
        subject = next(iter(table.table.subjects()), None)
        shown = table.query_one("#map", HexMap)
        if subject is not None and shown.region and not table.table.lit:
            assert shown.has_in_sight(subject)

    async def _look_up(self, player: Player, lesson: Lesson) -> None:
        """The rule of the lesson, beside the map; then back to the guide."""
        await player.press("f3")
        assert player.table.query_one(RulePane).ref == lesson.ref
        await player.press("escape")
        assert is_seen(player.table.query_one(GuideBox))

    async def _leave(self, player: Player, guide: Guide) -> None:
        """Leave the table and come back: the guide is where it was."""
        before = (guide.at, guide.front, guide.due)
        await player.leave_and_reopen()
        again = player.table.query_one(GuideBox).guide
        assert again is not None
        assert again is not guide
        assert (again.at, again.front, again.due) == before
        assert is_seen(player.table.query_one(GuideBox))


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
            await player.press("down", "enter")
            assert isinstance(app.screen, ChoiceScreen)
            await player.press(*["down"] * list(TITLES).index(slug), "enter")
            assert isinstance(app.screen, PlayScreen)
            assert player.session.title is TITLES[slug]
            pupil = Pupil()
            await player.play(lambda _session: is_over(player), pupil)
            assert is_over(player), pupil.read
            assert pupil.read == list(range(len(tutorial_for(slug).lessons)))
            assert pupil.has_left
            assert not app.screen.query_one(GuideBox).has_class("-shown")
            await player.press("f6")
            assert is_seen(app.screen.query_one(GuideBox))


def is_over(player: Player) -> bool:
    """Whether the guide has been closed after its last lesson."""
    guide = player.table.query_one(GuideBox).guide
    return guide.lesson is None
