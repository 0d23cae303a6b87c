"""Options are called in Italian, and saves that called them in English are read all the same."""

from __future__ import annotations

from engine.game import Game
from engine.warfare import RENAMED, TITLE
from tests.titles.oracles import positions
from tests.warfare.table import FAR, Table, u


def called(decision) -> set[str]:
    """What a decision offers and refuses."""
    return {option.id for option in decision.options} | set(decision.refused)


def all_called() -> set[str]:
    """What is offered or refused in some games, and in two rare places."""
    found: set[str] = set()
    for scenario in ("s2", "s3", "s5", "casuale"):
        for seed in (1, 2, 3):
            for _game, decision in positions(TITLE, scenario, seed, 400):
                found |= called(decision)
    cleared = Table(unita={"b1": u("us_engineers", "C5"), "v1": FAR}, blocchi=["D5"], dice=(6,))
    cleared.play("u:b1", "b:sgombra", "h:D5")
    found |= called(cleared.position.decision)
    chosen = (
        Game(TITLE, "casuale", None, {"seme": str(n)}).position.decision for n in range(1, 80)
    )
    return found | called(next(d for d in chosen if d is not None and d.id == "setup.mission"))


def test_every_new_name_is_in_use_and_no_old_one_is():
    found = all_called()
    names = RENAMED[4]
    for old, new in names.items():
        if old.endswith("*"):
            assert any(option.startswith(new[:-1]) for option in found), new
            assert not any(option.startswith(old[:-1]) for option in found), old
        else:
            assert new in found
            assert old not in found or old in names.values()


def test_no_two_old_names_become_one():
    assert len(set(RENAMED[4].values())) == len(RENAMED[4])
