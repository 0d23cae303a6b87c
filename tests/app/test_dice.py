"""Real dice: every roll that a title can ask for is told in words and can be typed."""

from __future__ import annotations

import random
from functools import cache

import pytest
from textual.widgets import Static

from app.play.dice_words import DIE_WORDS, DiceEntry, how_to_type, what_to_roll
from app.play.session import Session
from app.play.text_mode import Dialogue
from app.presenters.registry import presenter_for
from app.screens.dice_entry import DiceEntryScreen
from app.screens.play import PlayScreen
from app.shell.i18n import use
from engine.core.ctx import RollRequest
from engine.game import Game, RealDice
from engine.titles import TITLES
from tests.app.test_play import settled, table

WITH_DICE = [slug for slug, title in TITLES.items() if title.info.has_dice]
ANSWERS = 500


def rolls_of(slug: str, scenario: str, seed: int) -> dict[tuple[str, str], RollRequest]:
    """The rolls that a random game asks for, by their dice and rule."""
    found: dict[tuple[str, str], RollRequest] = {}
    rng, game = random.Random(seed), Game(TITLES[slug], scenario, RealDice(seed))
    for _ in range(ANSWERS):
        at = game.position
        if isinstance(at.request, RollRequest):
            found.setdefault((at.request.dice.name, at.request.ruling.refs[0]), at.request)
            game.enter([rng.randint(1, die.sides) for die in at.request.dice.dice])
        elif at.decision is not None:
            game.answer(rng.choice(at.decision.options).id)
    return found


@cache
def all_rolls(slug: str) -> tuple[RollRequest, ...]:
    """The rolls of one random game in each scenario of a title."""
    found: dict[tuple[str, str], RollRequest] = {}
    for seed, info in enumerate(TITLES[slug].scenarios()):
        found |= rolls_of(slug, info.id, seed)
    return tuple(found.values())


@pytest.mark.parametrize("slug", TITLES)
def test_a_title_asks_for_dice_if_it_says_so(slug):
    assert bool(all_rolls(slug)) == TITLES[slug].info.has_dice


@pytest.mark.parametrize("slug", WITH_DICE)
def test_every_roll_is_told_in_words(slug):
    use("it")
    presenter = presenter_for(slug)
    for request in all_rolls(slug):
        said = what_to_roll(request, presenter) + how_to_type(request, presenter)
        assert said.startswith("Tira ")
        assert not any(die.name in said.split() for die in request.dice.dice), said
        for die in request.dice.dice:
            assert die.name in DIE_WORDS or die.name == f"d{die.sides}"


@pytest.mark.parametrize("slug", WITH_DICE)
def test_every_face_that_a_rule_reads_can_be_typed(slug):
    presenter = presenter_for(slug)
    for request in all_rolls(slug):
        for choices, die in zip(DiceEntry(request, presenter).choices, request.dice.dice,
                                strict=True):  # fmt: skip
            keys = [face.key for face in choices]
            assert len(set(keys)) == len(keys)
            typed = {request.read((face.value,)) for face in choices} if len(
                request.dice.dice) == 1 else set()  # fmt: skip
            if typed:
                every = {request.read((n,)) for n in range(1, die.sides + 1)}
                assert typed == every
            for face in choices:
                entry = DiceEntry(request, presenter)
                assert entry.press(face.key)
                assert entry.press(" ")
                assert entry.typed[0] == face.value or die is not request.dice.dice[0]


@pytest.mark.parametrize("slug", WITH_DICE)
def test_faces_are_typed_taken_back_and_confirmed_when_all_are_there(slug):
    presenter = presenter_for(slug)
    rng = random.Random(4)
    for request in all_rolls(slug):
        entry = DiceEntry(request, presenter)
        assert not entry.confirm()
        assert entry.fault
        wanted = [rng.choice(choices) for choices in entry.choices]
        for face in wanted:
            assert entry.press(face.key)
            entry.press(" ")
        assert entry.confirm()
        assert entry.faces == tuple(face.value for face in wanted)
        assert request.dice.accepts(entry.faces)
        assert not entry.press(wanted[0].key)
        entry.back()
        assert not entry.is_complete
        pasted = DiceEntry(request, presenter)
        assert pasted.type_in(", ".join(face.key for face in wanted))
        assert pasted.confirm()
        assert pasted.faces == (*entry.faces, wanted[-1].value)


def roll(slug: str, name: str) -> RollRequest:
    """A roll of these dice."""
    return next(request for request in all_rolls(slug) if request.dice.name == name)


def test_attack_and_cover_are_named():
    use("it")
    request = next(one for one in all_rolls("toi") if "+" in one.dice.name and "need" in
                   one.ruling.msg.facts)  # fmt: skip
    said = what_to_roll(request, presenter_for("toi"))
    assert "(attacco)" in said
    assert "(copertura)" in said


def test_a_face_that_is_not_there_is_told_with_those_that_are():
    use("it")
    entry = DiceEntry(roll("aslsk", "1coloured+1white"), presenter_for("aslsk"))
    assert not entry.type_in("4 8")
    assert entry.typed == [4, None]
    assert entry.fault == "Dado bianco: non c'è la faccia «8», le sue facce sono da 1 a 6."


def test_numbers_of_two_digits_wait_for_the_second():
    entry = DiceEntry(roll("warfare", "4d20"), presenter_for("warfare"))
    for key in "1":
        entry.press(key)
    assert entry.pending == "1"
    assert entry.press("5")
    assert entry.typed[0] == 15
    assert entry.type_in("3 1 20")
    assert entry.faces == (15, 3, 1, 20)


def test_small_letters_do_where_only_one_icon_has_the_letter():
    combat = next(one for one in all_rolls("warfare") if "morale" in one.branches()[0]
                  or any(value == "morale" for value, _share in one.branches()))  # fmt: skip
    entry = DiceEntry(combat, presenter_for("warfare"))
    assert entry.press("m")
    assert combat.read(entry.faces) == "morale"


def session_at_roll(folder, slug: str, scenario: str, want) -> Session:
    """A game with real dice at a roll."""
    sides = next(info.sides for info in TITLES[slug].scenarios() if info.id == scenario)
    session = Session.new(
        TITLES[slug], scenario, seats=dict.fromkeys(sides, "umano"), seed=5, real_dice=True,
        path=folder / "veri.prontuario",
    )  # fmt: skip
    rng = random.Random(1)
    for _ in range(3000):
        request = session.position.request
        if isinstance(request, RollRequest):
            if want(request):
                return session
            session.enter([rng.randint(1, die.sides) for die in request.dice.dice])
        else:
            assert session.decision is not None
            session.answer(rng.choice(session.decision.options).id)
    raise AssertionError("no such roll")


async def at_entry(pilot, app) -> DiceEntryScreen:
    """The screen that asks for the dice, past the curtain."""
    await settled(pilot)
    if not isinstance(app.screen, DiceEntryScreen):
        await pilot.press("enter")
        await settled(pilot)
    assert isinstance(app.screen, DiceEntryScreen)
    return app.screen


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_icons_are_chosen_by_letter_and_by_mouse(tmp_path, size):
    session = session_at_roll(tmp_path, "warfare", "s3", lambda one: one.dice.name[1:] in DIE_WORDS)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        asks = await at_entry(pilot, app)
        first, *_others, last = asks.entry.choices[0]
        await pilot.press("9")
        assert "«9»" in str(asks.query_one("#dice-fault", Static).content)
        await pilot.press("enter")
        assert app.screen is asks
        await pilot.press(first.key if first.key != "-" else "minus")
        assert asks.entry.faces == (first.value,)
        await pilot.press("backspace")
        assert asks.entry.faces == ()
        await pilot.click("#dice-rows", offset=(4, len(asks.entry.choices[0])))
        assert asks.entry.faces == (last.value,)
        done = len(session.game.entries)
        await pilot.press("enter")
        await settled(pilot)
        assert session.game.entries[done].faces == (last.value,)


async def test_dice_wait_until_space_asks_for_them_again(tmp_path):
    session = session_at_roll(tmp_path, "toi", "toi-s1", lambda one: len(one.dice.dice) > 1)
    app = table(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await at_entry(pilot, app)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, PlayScreen)
        await pilot.press("space")
        asks = await at_entry(pilot, app)
        count = len(asks.entry.dice)
        await pilot.press(*"1" * count, "enter")
        await settled(pilot)
        assert not isinstance(session.position.request, RollRequest) or app.screen is not asks


def test_the_dialogue_asks_in_the_same_words_and_takes_icons(tmp_path):
    import io

    use("it")
    session = session_at_roll(tmp_path, "warfare", "s3", lambda one: one.dice.name[1:] in DIE_WORDS)
    request = session.position.request
    presenter = presenter_for("warfare")
    face = DiceEntry(request, presenter).choices[0][1]
    lines, out = iter(["9", face.key, "q"]), io.StringIO()
    done = len(session.game.entries)
    Dialogue(session, lambda: next(lines), out).run()
    said = out.getvalue()
    assert what_to_roll(request, presenter) in said
    assert how_to_type(request, presenter) in said
    assert "«9»" in said
    assert session.game.entries[done].faces == (face.value,)
