"""Every question that a title can ask is explained to a beginner, in a few sentences of our own."""

from __future__ import annotations

import re

import pytest

from app.play.primer import explanations
from engine.titles import TITLES
from tests.tools.questions import asked, sources


@pytest.mark.parametrize("slug", TITLES)
def test_every_question_is_explained_and_nothing_else(slug):
    assert asked(slug).keys() - explanations(slug).keys() == set(), "nobody explains these"
    assert explanations(slug).keys() - asked(slug).keys() == set(), "nobody asks these"


@pytest.mark.parametrize("slug", TITLES)
def test_an_explanation_has_one_to_three_sentences_and_says_what_often_pays(slug):
    for question, about in explanations(slug).items():
        sentences = re.findall(r"[.!?](?=\s|$)", about.text)
        assert 1 <= len(sentences) <= 3, question
        said = [about.advice] if isinstance(about.advice, str) else [*about.advice.values()]
        assert said, question
        assert all(words.endswith(".") for words in said), question


@pytest.mark.parametrize("slug", TITLES)
def test_the_answers_that_are_explained_exist(slug):
    code = "".join(path.read_text(encoding="utf-8") for path in sources(slug))
    for question, about in explanations(slug).items():
        pays = {} if isinstance(about.advice, str) else about.advice
        for option, words in (*about.answers.items(), *pays.items()):
            assert words.strip(), (question, option)
            assert f'"{option.removeprefix("b:")}"' in code, (question, option)
