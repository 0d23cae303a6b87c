"""The known offenders that the oracles let pass: what offends no more is to be struck out."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from app.play.session import frames_of
from app.presenters.registry import presenter_for
from app.shell.i18n import catalog
from app.widgets.hex_painter import words_on
from engine.game import Game
from engine.saves.replaying import chance_of
from engine.titles import TITLES
from tests.app.tables import head_of, played
from tests.screen.known import CUT, ENGLISH, NAMELESS, UNTRANSLATED
from tests.screen.oracles import ENGLISH_WORDS, WORD, is_cut, known_to, vocabulary, whole_words_of

TABLES = (("toi", "toi-s2"), ("ddob", "easy-fox"), ("warfare", "s2"))
"""Games with all that is known to offend on counters and in the names of units."""
SEED = 3
WIDTH = 10
"""Letters in a line of a large counter."""


@cache
def at_tables() -> tuple[frozenset[str], frozenset[str]]:
    """Ids that units have for a name, and words cut on counters, over games of random answers."""
    ids, cut = set(), set()
    for slug, scenario in TABLES:
        title, presenter = TITLES[slug], presenter_for(slug)
        sides = next(info.sides for info in title.scenarios() if info.id == scenario)
        game = Game(title, scenario, chance_of(head_of(slug, scenario, SEED)))
        game.resume(played(slug, scenario, "", seed=SEED)[len(game.entries) :])
        moments = list(frames_of(game))[::25]
        for frame, side in product(moments, sides):
            view = title.view(frame.state, side)
            presenter.use(view)
            for counter in view.counters:
                look = presenter.counter(counter)
                lines = (look.type, look.states, *words_on(look, WIDTH, 2))
                drawn = {w for line in lines for w in whole_words_of(line)}
                drawn -= set(WORD.findall(look.name))
                cut |= {word for word in drawn if is_cut(word)}
                ids |= {counter.id}.intersection(presenter.name("unit", counter.id).split())
    return frozenset(ids), frozenset(cut)


def stale(known: frozenset[str], found: set[str] | frozenset[str]) -> list[str]:
    return [one for one in sorted(known) if not any(re.fullmatch(one, word) for word in found)]


def test_every_unit_known_to_have_no_name_has_none():
    assert stale(NAMELESS, at_tables()[0]) == []


def test_every_word_known_to_be_cut_is():
    assert stale(CUT, at_tables()[1]) == []


def test_every_english_word_known_is_in_the_catalog():
    assert stale(ENGLISH, vocabulary() & set(ENGLISH_WORDS.split())) == []


def test_every_text_known_to_be_untranslated_is():
    assert [text for text in UNTRANSLATED if known_to(catalog(), text, "")] == []
