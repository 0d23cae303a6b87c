"""Games saved by every earlier version: what could once be opened can be opened for ever.

A file is named after its format, its title and the revision of the title's rules. When a revision
or the format rises, a game of the version before is added here, and none is ever taken away.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.play.session import NotWhole, Session
from engine.saves.lines import FORMAT
from engine.saves.replaying import load
from engine.titles import TITLES

FOLDER = Path(__file__).parents[1] / "saves"
STOP = {"formato1-aslsk-1": 16, "formato1-aslsk-2": 18, "formato1-warfare-1": 0,
        "formato2-warfare-4": 0}  # fmt: skip
"""Where the rules of today no longer accept an answer; all others replay to their end."""
FILES = sorted(FOLDER.glob("*.prontuario"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_game_replays_as_far_as_it_ever_did(path):
    loaded = load(path, TITLES)
    assert loaded.record.damage is None
    assert loaded.forged == ()
    done = len(loaded.game.entries)
    if path.stem in STOP:
        assert loaded.divergence is not None
        assert done >= STOP[path.stem]
    else:
        assert loaded.is_whole
        assert done == len(loaded.record.entries)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_game_goes_on_and_opens_again(path, tmp_path):
    copy = Path(shutil.copy(path, tmp_path))
    before = copy.read_bytes()
    try:
        session = Session.open(copy, TITLES)
    except NotWhole as found:
        session = Session.take_up(found.loaded)
        assert copy.read_bytes() == before
    if session.decision is not None:
        session.answer(session.decision.options[0].id)
    entries = session.game.entries
    session.close()
    again = Session.open(session.path, TITLES)
    assert again.header.format == FORMAT
    assert again.game.entries == entries
    again.close()


@pytest.mark.parametrize("slug", TITLES)
def test_every_revision_of_every_title_has_its_game(slug):
    revisions = {int(path.stem.split("-")[2]) for path in FILES if f"-{slug}-" in path.stem}
    assert revisions == set(range(1, TITLES[slug].info.revision + 1))
    formats = {int(path.stem[7]) for path in FILES if f"-{slug}-" in path.stem}
    assert formats == set(range(1, FORMAT + 1))
