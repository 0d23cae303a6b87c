"""The keys that do many things in one go, at the table and in the dialogue."""

from __future__ import annotations

import io

import msgspec
import pytest

from app.play.bots import BotProcess
from app.play.keys import key_of
from app.play.orders import in_one_go
from app.play.session import SUFFIX, Session
from app.play.text_mode import Dialogue
from app.screens.choice import ChoiceScreen
from app.screens.play import PlayScreen
from app.shell import config, i18n
from app.widgets.table_footer import TableFooter
from engine.core.rules import Command
from engine.titles import TITLES
from tests.app.tables import ACTION, DEPLOY, session_at
from tests.app.test_play import SIZES, WIDE, settled, table, text_of


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    monkeypatch.setattr("app.play.placing.saves_folder", lambda: tmp_path)
    return tmp_path


def own(session: Session, side: str = "us") -> list[str]:
    return [e.option for e in session.game.entries if isinstance(e, Command) and e.side == side]


def keys_of(screen) -> list[str]:
    return [key.action for key in screen.query_one(TableFooter).keys]


@pytest.mark.parametrize("size", SIZES)
async def test_t_places_all_and_u_takes_back(tmp_path, size):
    session = session_at(tmp_path, DEPLOY, de="casuale")
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert "place_all" in keys_of(app.screen)
        await pilot.press("t")
        await settled(pilot, lambda: session.decision.id == ACTION)
        await settled(pilot)
        assert "Schieramento finito" in text_of(app.screen, "#verdict")
        assert "place_all" not in keys_of(app.screen)
        before = len(own(session))
        await pilot.press("u")
        await settled(pilot)
        assert len(own(session)) < before


async def test_esc_stops_what_t_began(tmp_path):
    session = session_at(tmp_path, DEPLOY, de="casuale")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("t", "escape")
        await settled(pilot)
        placed = len(own(session))
        assert not app.screen.table.placing.side
        await settled(pilot)
        assert len(own(session)) == placed
        assert isinstance(app.screen, PlayScreen)


async def test_a_player_that_fails_gives_the_set_up_back(tmp_path, monkeypatch):
    async def choose(*_anything):
        raise RuntimeError("broken")

    monkeypatch.setattr(BotProcess, "choose", choose)
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        before = len(own(session))
        await pilot.press("t")
        await settled(pilot, lambda: not app.screen.table.placing.side)
        await settled(pilot)
        await pilot.press("1")
        await settled(pilot)
        assert len(own(session)) == before + 1


async def test_w_sets_up_as_the_last_time(tmp_path):
    before = session_at(tmp_path, ACTION)
    before.close()
    (tmp_path / "prova.prontuario").rename(tmp_path / f"prima{SUFFIX}")
    session = session_at(tmp_path, DEPLOY, de="casuale")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "as_before" in keys_of(app.screen)
        start = len(own(session))
        await pilot.press("w")
        await settled(pilot, lambda: not app.screen.table.placing.side)
        await settled(pilot)
        assert own(session)[start:] == own(before)[start : len(own(session))]
        assert "Partita del" in text_of(app.screen, "#verdict")


async def test_w_is_not_offered_without_an_earlier_game(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "as_before" not in keys_of(app.screen)
        assert "place_all" in keys_of(app.screen)


async def test_b_puts_a_stack_on_the_marked_hex(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        start = len(own(session))
        hex = session.decision.options[0].id
        await pilot.press("b")
        await settled(pilot)
        placed = own(session)[start:]
        assert len(placed) > 1
        assert set(placed) == {hex}
        assert "insieme" in text_of(app.screen, "#verdict")


@pytest.mark.parametrize("size", SIZES)
async def test_b_marks_a_stack_and_it_does_the_same(tmp_path, size):
    session = session_at(tmp_path, ACTION, de="casuale")
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        orders = app.screen.table.orders
        assert "block" in keys_of(app.screen)
        options = [o.id for o in session.decision.options if o.id[:2] == "u:"]
        first = next(one for one in options if orders.stack_at(one))
        stack = orders.stack_at(first)
        for _ in range(options.index(first)):
            await pilot.press("down")
        await pilot.press("b", "enter")
        await settled(pilot)
        assert session.decision.id == "action.verb"
        start = len(own(session)) - 1
        await pilot.press(key_of(session.decision, "b:affatica", session.title.info))
        await settled(pilot, lambda: not orders.is_on)
        await settled(pilot)
        assert own(session)[start : start + 4] == [stack[0], "b:affatica", stack[1], "b:affatica"]


async def test_esc_lets_the_others_wait_no_more(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("g", "g", "enter")
        await settled(pilot)
        assert app.screen.table.orders.waiting
        assert "fare lo stesso" in text_of(app.screen, "#question")
        await pilot.press("escape")
        await settled(pilot)
        assert not app.screen.table.orders.is_on
        assert "fare lo stesso" not in text_of(app.screen, "#question")


async def test_h_repeats_the_last_order(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "again" not in keys_of(app.screen)
        await pilot.press("1")
        await settled(pilot)
        await pilot.press(key_of(session.decision, "b:affatica", session.title.info))
        await settled(pilot)
        assert "again" in keys_of(app.screen)
        start = len(own(session))
        wanted = app.screen.table.orders.similar(app.screen._bar.marked)
        await pilot.press("h")
        await settled(pilot)
        assert own(session)[start:] == [wanted, "b:affatica"]
        assert "Stesso ordine" in text_of(app.screen, "#verdict")


async def test_the_first_0_says_who_could_act_and_the_second_ends(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        before = len(own(session))
        await pilot.press("0")
        await settled(pilot)
        assert "possono ancora agire" in text_of(app.screen, "#verdict")
        assert len(own(session)) == before
        await pilot.press("0")
        await settled(pilot)
        assert own(session)[before] == "b:fine"


async def test_the_warning_can_be_turned_off(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    app.settings = msgspec.structs.replace(config.Settings(), warned=False)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        before = len(own(session))
        await pilot.press("0")
        await settled(pilot)
        assert own(session)[before] == "b:fine"


async def test_the_menu_offers_what_applies(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("m")
        await settled(pilot)
        assert isinstance(app.screen, ChoiceScreen)
        values = app.screen._values
        assert "place_all" in values
        assert "again" not in values
        while list(values)[app.screen.query_one("OptionList").highlighted] != "place_all":
            await pilot.press("down")
        start = len(own(session))
        await pilot.press("enter")
        await settled(pilot, lambda: len(own(session)) > start + 3)


def test_the_dialogue_does_the_same(tmp_path):
    session = session_at(tmp_path, DEPLOY, de="casuale")
    lines, out = iter(["t", "1 2", "4", ".", "q"]), io.StringIO()
    start = len(own(session))
    Dialogue(session, lambda: next(lines), out).run()
    said = out.getvalue()
    assert "Schieramento finito" in said
    assert said.count("Stesso ordine") >= 1
    answers = own(session)[start:]
    assert answers.count(answers[-1]) >= 2


@pytest.mark.parametrize("slug", TITLES)
def test_titles_name_questions_that_their_rules_ask(slug):
    from pathlib import Path

    title = TITLES[slug]
    code = "".join(p.read_text(encoding="utf-8") for p in Path(f"engine/{slug}/rules").glob("*.py"))
    for question in (*title.info.actors, *title.info.joins):
        assert f'"{question}"' in code
    assert title.info.actors


def test_nothing_is_offered_while_nothing_is_asked(tmp_path):
    from app.play.table import Table

    session = session_at(tmp_path, ACTION, us="casuale", de="casuale")
    assert in_one_go(Table(session)) == ()
