"""The guide of a first game: its rules exist, and it follows what the player does."""

from __future__ import annotations

import pytest

from app.i18n import catalog
from app.session import Session
from app.tutorial import Guide, tutorial_for
from engine.titles import TITLES
from rules_it.corpus import Corpus


@pytest.mark.parametrize("slug", TITLES)
def test_lessons_name_rules_and_questions_that_exist(slug):
    corpus = Corpus.read()
    tutorial = tutorial_for(slug)
    assert tutorial.scenario == TITLES[slug].scenarios()[0].id
    for lesson in tutorial.lessons:
        assert corpus.entry(lesson.ref) is not None, lesson.ref
        for ref in lesson.cited:
            assert corpus.entry(ref) is not None, ref
        for msgid in lesson.until:
            assert catalog().has(msgid), msgid


def test_a_title_without_a_guide_has_none():
    assert tutorial_for("nessuno") is None
    assert tutorial_for("../toi") is None
    assert tutorial_for("toi", "toi-s2") is None


@pytest.mark.parametrize("slug", TITLES)
def test_the_guide_follows_the_game_to_its_end(slug, tmp_path):
    title = TITLES[slug]
    tutorial = tutorial_for(slug)
    sides = title.scenarios()[0].sides
    seats = dict.fromkeys(sides, "umano")
    session = Session.new(
        title, tutorial.scenario, seats=seats, seed=tutorial.seed, path=tmp_path / "x.prontuario"
    )
    guide = Guide(tutorial)
    last = len(tutorial.lessons) - 1
    while guide.at < last and session.decision is not None:
        before = guide.at
        guide.follow(session.decision, session.game.steps)
        lesson = tutorial.lessons[guide.at]
        if guide.at < last and not lesson.until and not lesson.cited:
            guide.skip()  # the reader goes on by hand
        assert guide.at >= before
        session.delegate(at_most=1)
    assert guide.at == last


def test_a_lesson_can_be_skipped_and_the_guide_ended():
    guide = Guide(tutorial_for("toi"))
    guide.skip()
    assert guide.at == 1
    guide.skip(-5)
    assert guide.at == 0
    guide.skip(99)
    assert guide.lesson is None
