"""The table of D-Day at Omaha Beach and of ASL Starter Kit, as a newcomer meets it."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from textual.widgets import OptionList

from app.play.chances import Progress
from app.play.keys import end_of
from app.play.tutorial import NOTE, tutorial_for
from app.presenters.registry import presenter_for
from app.screens.app import ProntuarioApp
from app.screens.curtain import CurtainScreen
from app.screens.replay import ReplayScreen, replay_of_save
from app.screens.room import fitting
from app.widgets.chronicle import ChronicleList
from app.widgets.decision_bar import DecisionBar
from app.widgets.hexmap import HexMap
from app.widgets.rule_pane import RulePane
from app.widgets.table_footer import TableFooter
from engine.core.text import Msg
from tests.app.tables import session_of
from tests.app.test_play import NARROW, WIDE, italian, settled, table, text_of  # noqa: F401


@pytest.mark.parametrize(("slug", "scenario"), [("ddob", "easy-fox"), ("aslsk", "R1")])
async def test_advice_is_given_with_its_reason(tmp_path, slug, scenario):
    app = table(session_of(tmp_path, slug, scenario))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("a")
        await settled(pilot, lambda: "Consiglio" in text_of(app.screen, "#verdict"))


MOVERS = "fire.at-movers"
ACTS = "actions.what"
WAITS = "entry.wait"
MOVES = "move.next"
AIM = "fire.kind"


def rows(app):
    answers = app.screen.query_one("#answers", OptionList)
    return [str(answers.get_option_at_index(n).prompt) for n in range(answers.option_count)]


WHO_MOVES = "move.who"


async def at_a_stack(app, pilot):
    """Choose on the map a hex where several answers lie; how many, and of how many."""
    screen = app.screen
    board, decision = screen.query_one(HexMap), screen.session.decision
    hexes = [h for h in board.options if len(screen.table.options_at(h)) > 1]
    assert hexes
    board.post_message(HexMap.HexSelected(board, hexes[0]))
    await settled(pilot, lambda: "(Esc)" in rows(app)[-1])
    return hexes[0], len(screen.table.options_at(hexes[0])), len(decision.options)


async def test_a_stack_on_the_map_lists_its_own_answers_and_escape_lists_all(tmp_path):
    session = session_of(tmp_path, "aslsk", "R2", WHO_MOVES, "russian")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        before = rows(app)
        hex, here, all_of_them = await at_a_stack(app, pilot)
        shown = rows(app)
        assert len(shown) == here + 2  # the end of the choice, and the way back to all
        assert shown[-1] == f"… tutte le {all_of_them} risposte (Esc)"
        assert "Esc le mostra tutte" in text_of(app.screen, "#verdict")
        await pilot.press("escape")
        await settled(pilot)
        assert rows(app) == before
        await at_a_stack(app, pilot)
        entries, second = len(session.game.entries), app.screen.table.options_at(hex)[1]
        await pilot.press("2")
        await settled(pilot)
        assert session.game.entries[entries].option == second


@pytest.mark.parametrize(
    ("slug", "scenario", "asked", "side"),
    [
        ("aslsk", "R2", WHO_MOVES, "russian"),
        ("ddob", "easy-fox", "actions.who", "us"),
        ("toi", "toi-s1", "opfire.wait", "us"),
        ("warfare", "s1", "action.who", "blu"),
    ],
)
async def test_zero_ends_a_choice_and_is_always_in_sight(tmp_path, slug, scenario, asked, side):
    session = session_of(tmp_path, slug, scenario, asked, side)
    decision = session.decision
    end = end_of(decision, session.title.info)
    app = table(session)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        words = app.screen._bar.words_of(end)
        assert [row for row in rows(app) if row.startswith("0")] == [f"0  {words}"]
        firsts = [row[0] for row in rows(app) if row[0] in "123456789"]
        assert firsts == list("123456789")[: len(firsts)]
        assert f"0: {words}" in app.screen._bar.border_subtitle
        entries = len(session.game.entries)
        await pilot.press("0")
        await settled(pilot)
        if len(session.game.entries) == entries:  # somebody could still act: it is said once
            assert decision.id in session.title.info.actors
            await pilot.press("0")
            await settled(pilot)
        assert session.game.entries[entries].option == end


async def test_zero_where_nothing_can_be_ended_says_so(tmp_path):
    session = session_of(tmp_path, "aslsk", "R1")
    assert end_of(session.decision, session.title.info) is None
    app = table(session)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        assert "niente da chiudere" in text_of(app.screen, "#verdict")


async def test_a_forbidden_verb_has_words_and_enter_opens_its_rule(tmp_path):
    session = session_of(tmp_path, "aslsk", "R3", MOVES, "german")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press("x")
        verbs = [id[2:] for id in session.decision.refused if id.startswith("b:")]
        assert verbs
        assert not [row for row in rows(app) for verb in verbs if row.startswith(f"×  {verb}:")]
        await pilot.press("enter")
        await settled(pilot)
        said = text_of(app.screen, "#verdict")
        assert "Invio apre la regola" in said
        chosen = app.screen._bar.marked
        await pilot.press("enter")
        await settled(pilot)
        ref = session.decision.why_not(chosen)[0].refs[0]
        assert app.screen.query_one(RulePane).ref == ref
        await pilot.press("escape")
        assert app.screen.focused.id == "answers"


async def test_places_off_the_map_are_told_by_the_hexes_beside_them(tmp_path):
    app = table(session_of(tmp_path, "aslsk", "R1", WAITS))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "fuori mappa presso A5, A6" in "\n".join(rows(app))
        said = [line.words for line in app.screen.table.lines]
        assert "RPh a, rinforzi: USA" in said


async def test_attacks_with_different_ammunition_can_be_told_apart(tmp_path):
    app = table(session_of(tmp_path, "aslsk", "R3", AIM))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        listed = [row[3:] for row in rows(app)]
        assert len(set(listed)) == len(listed)
        assert any("AP" in row and "al veicolo" in row for row in listed)


async def test_odds_tell_what_the_next_cards_may_do_to_the_units(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot, lambda: app.screen.table.foretold)
        await settled(pilot)
        said = text_of(app.screen, "#odds-text")
        assert "prossime carte" in said
        assert "% " in said
        assert "perde un PF (carta est)" in said
        assert app.screen.focused.id == "odds"  # the arrows scroll it
        await pilot.press("escape")
        assert app.screen.focused.id == "answers"


@pytest.mark.parametrize(("slug", "scenario", "said"), [
    ("ddob", "easy-fox", "La partita è finita."),
    ("aslsk", "R1", "La partita è finita. Vince "),
])  # fmt: skip
async def test_the_end_is_told_once_and_says_how_to_go_on(tmp_path, slug, scenario, said):
    app = table(session_of(tmp_path, slug, scenario, ""))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        question = text_of(app.screen, "#question")
        assert question.startswith(said)
        assert "nessuno" not in question
        assert "M apre il menù" in question


async def test_help_lists_every_key_of_the_table(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox"))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("f1")
        await settled(pilot)
        lines = text_of(app.screen, "#help-left").splitlines()
        keys = {line.split()[0] for line in lines if line.strip()}
        assert {"A", "C", "D", "E", "G", "I", "K", "M", "O", "R", "U", "V", "X", "Y", "Z"} <= keys
        assert {"?", "F7", "Ctrl+P"} <= keys


async def test_the_top_line_ends_with_a_whole_word(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    for size in (WIDE, NARROW):
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            line = text_of(app.screen, "#status")
            assert len(line) <= size[0] - 2
            assert not line.endswith(("·", " "))
        app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))


async def test_the_step_shown_over_the_question_has_the_whole_width(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot)
        app.screen.update_table()
        shown = text_of(app.screen, "#outcome-text").splitlines()
        assert max(map(len, shown)) > NARROW[0] * 3 // 4


async def test_a_game_that_began_before_the_first_answer_says_so(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", "actions.who"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        said = app.screen.table.begun
        assert said.startswith("Già accaduto: ")
        assert "sbarco" in said
        assert "fuoco tedesco" in said
        assert app.screen.query_one(DecisionBar).said == said
        await pilot.press("space")
        await settled(pilot, lambda: app.screen.table.is_past)


def test_parts_that_do_not_fit_are_left_out_whole():
    assert fitting(("uno", "due", "tre"), 12) == "uno · due"


async def test_the_guide_opens_at_its_first_lesson_whatever_was_answered_by_itself(tmp_path):
    tutorial = tutorial_for("ddob")
    session = session_of(tmp_path, "ddob", "easy-fox")
    session.keep(NOTE)
    app = table(session)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        assert tutorial.lessons[0].text[:20] in text_of(app.screen, "#lesson")


async def test_the_map_goes_where_the_question_is(tmp_path):
    session = session_of(tmp_path, "aslsk", "R3", AIM)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        shown = app.screen.query_one(HexMap)
        assert shown.cursor == shown.view.board.hex_at(session.decision.ruling.msg.facts["hex"])


async def test_the_past_of_a_finished_game_says_how_to_come_back(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ""))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("backspace")
        await settled(pilot)
        assert text_of(app.screen, "#past").startswith("NEL PASSATO")


@pytest.mark.parametrize("keys", [(), ("o",), ("r",)])
async def test_help_and_menu_are_never_cut_off_the_keys_at_the_bottom(tmp_path, keys):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press(*keys)
        await settled(pilot)
        shown = app.screen.query_one(TableFooter).keys
        assert {"M", "F1"} <= {key.shown for key in shown}
        assert sum(key.width for key in shown) <= NARROW[0]


async def test_a_replay_begins_at_the_beginning_and_the_map_follows_it(tmp_path):
    session = session_of(tmp_path, "ddob", "easy-fox", ACTS)
    session.close()
    screen = ReplayScreen(replay_of_save(session.path))
    app = ProntuarioApp(lambda: screen)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, lambda: screen.query_one(RulePane)._corpus is not None)
        assert screen.at == -1
        assert text_of(screen, "#status").startswith("D-Day at Omaha Beach: Easy Fox · 0/")
        await pilot.press("space", "space")
        assert screen.at == 1


async def test_the_rule_follows_the_steps_of_a_replay(tmp_path):
    session = session_of(tmp_path, "ddob", "easy-fox", ACTS)
    session.close()
    screen = ReplayScreen(replay_of_save(session.path))
    app = ProntuarioApp(lambda: screen)
    async with app.run_test(size=WIDE) as pilot:
        pane = screen.query_one(RulePane)
        await settled(pilot, lambda: pane._corpus is not None)
        for _ in range(6):
            await pilot.press("space")
            await settled(pilot)
            assert pane.ruling is screen.replay.steps[screen.at].ruling
        assert len(pane._visits) == 1  # shown in passing


async def test_the_steps_of_a_narrow_replay_open_at_the_step_shown(tmp_path):
    session = session_of(tmp_path, "ddob", "easy-fox", ACTS)
    session.close()
    screen = ReplayScreen(replay_of_save(session.path))
    app = ProntuarioApp(lambda: screen)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, lambda: screen.query_one(RulePane)._corpus is not None)
        await pilot.press("end")
        await pilot.press(*["backspace"] * 3)
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot)
        steps = screen.query_one(ChronicleList)
        assert steps.marked.first == screen.at
        assert steps.scroll_offset.y > 0
        assert screen.at == len(screen.replay.frames) - 4


@pytest.mark.parametrize(("slug", "scenario"), [("toi", "toi-s1"), ("aslsk", "R1")])
async def test_two_people_begin_at_one_table(tmp_path, slug, scenario):
    app = table(session_of(tmp_path, slug, scenario))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        if isinstance(app.screen, CurtainScreen):
            await pilot.press("enter")
            await settled(pilot)
        assert rows(app)


async def test_a_target_says_who_is_there_how_far_and_how_probable_an_effect_is(tmp_path):
    app = table(session_of(tmp_path, "aslsk", "R4", "fire.target", "german"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen.table.chances.progress is Progress.DONE)
        await settled(pilot)
        first = rows(app)[0]
        assert "%" in first
        assert "distanza" in "".join(rows(app))
        assert "6-6-6" in "".join(rows(app))


async def test_a_hex_that_answers_nothing_says_so_and_not_the_question_again(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        shown = app.screen.query_one(HexMap)
        shown.select(shown.view.board.hex_at("1313"))
        await settled(pilot)
        assert "1313: non è fra le risposte" in text_of(app.screen, "#verdict")


async def test_a_sheet_without_anything_on_it_says_so(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("k", "k", "k")
        assert "per ora niente" in text_of(app.screen, "#verdict")
        assert not app.screen.query_one(HexMap).sheet


def test_the_chance_of_a_rally_is_that_of_the_rally_alone():
    shares = [
        ({"rallied": 1}, Fraction(1, 4)),
        ({"reduced": 1}, Fraction(1, 4)),
        ({}, Fraction(1, 2)),
    ]
    odds = [(Msg("x", {"dead": 0, **facts}), share) for facts, share in shares]
    presenter = presenter_for("aslsk")
    assert presenter.chance(odds) == Fraction(1, 4)
    assert presenter.chance(odds[1:]) == Fraction(1, 4)


async def test_the_phase_is_told_in_words_and_among_the_others(tmp_path):
    for size in (WIDE, NARROW):
        app = table(session_of(tmp_path, "aslsk", "R1", MOVERS, "german"))
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            line = text_of(app.screen, "#status")
            assert line.startswith("Turno 1/7 · MPh: movimento, DFF del DIFENSORE · attacca USA")
            assert ("PFPh [MPh] DFPh" in line) == (size == WIDE)


async def test_a_weapon_of_a_vehicle_lies_where_the_vehicle_does(tmp_path):
    session = session_of(tmp_path, "aslsk", "R3", MOVERS, "russian")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        guns = [o.id for o in session.decision.options if o.id.startswith("u:") and ":" in o.id[2:]]
        assert guns
        assert all(
            app.screen.table.hex_of(gun) in app.screen.query_one(HexMap).options for gun in guns
        )


async def test_a_hex_to_move_to_tells_the_fire_on_it(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        listed = "\n".join(rows(app))
        assert "muove in" in listed
        assert re.search(
            r"spiaggia · fuoco (intenso|moderato|sporadico) di \d posizion[ei]", listed
        ), listed


@pytest.mark.parametrize("key", ["k", "K"])
async def test_a_letter_of_the_footer_answers_with_shift_too(tmp_path, key):
    app = table(session_of(tmp_path, "ddob", "easy-fox", ACTS))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press(key)
        assert "Sulla mappa" in text_of(app.screen, "#verdict")
