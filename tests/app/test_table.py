"""The table without a screen: who looks, when, what is shown and reckoned, what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from app.play.chances import Chances, Progress
from app.play.discretion import HUMAN, REMOTE
from app.play.reckoning import Reckoned, chance_in, foresee, foretell, reckon
from app.play.session import Session
from app.play.table import Ask, Refusal, Table
from app.play.tutorial import tutorial_for
from app.presenters.base import GenericPresenter
from app.shell import i18n
from engine.core.rules import Ruling
from engine.core.text import Msg
from engine.drive import RANDOM
from engine.game import UndoRefused
from engine.odds import Odds
from engine.titles import TITLES
from tests.app.tables import ACTION, DEPLOY, MOVE, OP_FIRE, TARGET, VERB, session_at, session_of


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def table_at(folder, stop="", times=1, **seats):
    return Table(session_at(folder, stop, times, **seats))


def first(table):
    return table.decision.options[0].id


def said(table):
    """The words of the why of the first answer."""
    return [row.said for row in table.why(first(table))]


def reckoned(option="b:a", share=Fraction(1, 3)):
    return Reckoned(Msg("what?"), option, Odds(Msg("what?"), ((Msg("hit"), share),), (), 1))


# --- who looks --------------------------------------------------------------------------------


def test_whoever_is_asked_sits_down_and_the_others_have_to_leave(tmp_path):
    table = table_at(tmp_path, DEPLOY)
    assert table.seat == "us"
    while table.decision.side == "us":
        table.give([first(table)])
    assert table.seat == "us", "nobody has come to the table yet"
    assert table.change_seat()
    assert table.seat == "de"
    assert not table.change_seat()


def test_where_one_person_plays_nobody_has_to_leave(tmp_path):
    table = table_at(tmp_path, DEPLOY, de=RANDOM)
    while not table.session.is_bot_turn:
        table.give([first(table)])
    assert not table.change_seat()
    assert table.seat == "us"


def test_who_looks_at_the_past_keeps_the_chair(tmp_path):
    """Otherwise the other side's table would be laid out before the wrong person."""
    table = table_at(tmp_path, DEPLOY)
    while table.decision.side == "us":
        table.give([first(table)])
    table.walk(-1)
    assert table.is_past
    assert not table.change_seat()
    assert table.seat == "us"
    assert table.question is None
    seen = table.looking
    assert (seen.sides, seen.is_told_all) == (("us",), False)


def test_what_the_rules_say_is_told_from_the_chair_of_who_looks(tmp_path, monkeypatch):
    """The other person is asked, but the first still looks at the past."""
    table = table_at(tmp_path, DEPLOY)
    while table.decision.side == "us":
        table.give([first(table)])
    table.walk(-1)
    believed = []
    monkeypatch.setattr(
        type(table.title), "belief", lambda _title, state, side: believed.append(side) or state
    )
    hex = next(iter(table.view.board.hexes()))
    table.inspect(hex)
    table.layers()
    table.sight(hex, hex)
    table.describe(hex)
    assert set(believed) == {"us"}


@pytest.mark.parametrize("seats", [{"us": RANDOM, "de": RANDOM}, {}])
def test_all_is_shown_where_no_secret_of_a_person_is_left(tmp_path, seats):
    table = table_at(tmp_path, ACTION, **seats)
    assert table.looking.is_told_all == bool(seats)
    assert any("seme" in part for part in table.headline()) == bool(seats)


def test_lines_that_are_hidden_from_the_seat_are_not_there(tmp_path):
    session = session_of(tmp_path, "aslsk", "R3")
    while session.decision is not None and not any(s.hidden_from for s in session.game.steps):
        session.answer(session.decision.options[0].id)
    hidden = [step for step in session.game.steps if step.hidden_from]
    assert hidden, "nothing is hidden in this scenario"
    for side in session.seats:
        shown = [frame.step for frame in Table(session, side).frames]
        for step in hidden:
            assert (step in shown) == (side not in step.hidden_from)


# --- past and present -------------------------------------------------------------------------


def test_the_past_is_walked_line_by_line_and_the_last_line_is_the_present(tmp_path):
    table = table_at(tmp_path, ACTION)
    last = len(table.frames) - 1
    assert not table.is_past
    assert table.walk(-1)
    assert table.at == last - 1
    assert table.walk(1)
    assert table.at is None
    table.look_at(0)
    assert table.at == 0
    assert not table.walk(-1), "nothing has happened before"
    assert [line.step for line in table.told] == [table.frames[0].step]
    table.look_at_now()
    assert [f.step for f in table.frames] == [line.step for line in table.told]
    table.look_at(last)
    assert table.at is None


def test_nothing_has_happened_at_the_start(tmp_path):
    table = table_at(tmp_path)
    table.frames = []
    assert not table.walk(-1)
    assert not table.walk(1)


def test_the_map_of_the_past_is_that_of_its_moment(tmp_path):
    table = table_at(tmp_path, ACTION)
    now = table.view
    assert table.view is now, "one look serves while nothing changes"
    table.look_at(0)
    assert table.view != now
    assert table.view == table.title.view(table.frames[0].state, "us")
    table.look_at_now()
    assert table.view == now


def test_step_by_step_an_answer_leads_to_its_first_line(tmp_path):
    table = table_at(tmp_path, TARGET)
    table.is_stepwise = True
    while not table.is_past:
        before = len(table.frames)
        table.give([first(table)])
    assert table.at == before


def test_what_is_taken_back_ends_the_look_at_the_past(tmp_path):
    table = table_at(tmp_path, MOVE)
    before = table.session.game.entries
    table.give([first(table)])
    table.walk(-1)
    table.take_back(studio=False)
    assert (table.at, table.session.game.entries) == (None, before)
    table.repeat()
    assert len(table.session.game.entries) > len(before)
    with pytest.raises(UndoRefused):
        table.repeat()


def test_lines_that_no_longer_exist_are_not_looked_at(tmp_path):
    table = table_at(tmp_path, MOVE)
    table.give([first(table)])
    table.at = len(table.frames) - 1
    table.session.undo()
    table.refresh()
    assert table.at is None


# --- what is said -----------------------------------------------------------------------------


def test_a_person_is_asked_with_the_rules_behind_it(tmp_path):
    table = table_at(tmp_path, ACTION)
    prompt = table.prompt()
    assert prompt.asks is Ask.ANSWER
    assert prompt.ruling == table.decision.ruling
    assert prompt.who == table.presenter.army("us").name
    assert table.why_closed() == ""


def test_the_past_asks_nothing(tmp_path):
    table = table_at(tmp_path, ACTION)
    table.look_at(2)
    assert f"riga 3 di {len(table.frames)}" in table.past_note
    assert "passato" in table.why_closed()
    assert table.lit == table.crossed == ()
    assert table.overlays() == ()


def test_a_program_thinks_is_stopped_and_fails(tmp_path):
    table = table_at(tmp_path, ACTION, us="medio")
    assert "Esc" in table.prompt().said
    assert "sta pensando" in table.why_closed()
    table.stop()
    assert table.is_waiting
    assert not table.has_failed
    assert "fermo" in table.prompt().said
    table.stop("Rotto.")
    assert table.has_failed
    assert "Rotto." in table.prompt().said
    assert "a caso" in table.prompt().said
    table.session.answer(first(table))
    assert not table.has_failed, "the next question is another one"


def test_somebody_elsewhere_is_waited_for(tmp_path):
    table = table_at(tmp_path, ACTION, us=REMOTE)
    assert table.session.is_old_post
    assert table.prompt().asks is Ask.NOTHING
    assert table.question is None
    seats = {"us": HUMAN, "de": REMOTE}
    table = Table(Session.new(TITLES["toi"], "toi-s1", seats=seats, path=tmp_path / "p.prontuario"))
    while not table.session.is_away:
        table.give([first(table)])
    assert table.prompt().asks is Ask.POST
    assert list(table.prompt().offers) == ["export", "take_in"]
    assert table.is_by_post
    assert "altrove" in table.why_closed()


def test_real_dice_are_waited_for(tmp_path):
    session = Session.new(TITLES["toi"], "toi-s1", real_dice=True, path=tmp_path / "p.prontuario")
    while session.position.request is None:
        session.answer(session.bot_choice("medio")[0])
    table = Table(session)
    assert table.is_waiting
    assert "dadi" in table.why_closed()
    assert "dadi veri" in table.headline()
    assert table.lit == ()


def test_the_end_is_told_once_with_its_rule(tmp_path):
    table = Table(session_of(tmp_path, "ddob", "easy-fox", ""))
    prompt = table.prompt()
    assert prompt.asks is Ask.NOTHING
    assert prompt.ruling == table.session.position.outcome.ruling
    assert "partita è finita" in prompt.said
    assert "niente" in table.why_closed()
    assert not table.change_seat()


def test_the_name_of_the_scenario_is_the_first_to_go(tmp_path):
    table = table_at(tmp_path, ACTION)
    name = table.session.scenario.name
    assert name in table.headline()
    assert name not in table.headline(is_brief=True)


# --- the map ----------------------------------------------------------------------------------


def test_answers_lie_where_their_units_and_hexes_are(tmp_path):
    table = table_at(tmp_path, ACTION)
    for option in table.decision.options:
        hex = table.hex_of(option.id)
        if option.id.startswith("u:"):
            assert hex == next(c.hex for c in table.view.counters if c.id == option.id[2:])
            assert option.id in table.options_at(hex)
            assert hex in table.lit
    assert table.hex_of("u:nobody") is None
    assert table.hex_of("h:Z99") is None
    assert table.hex_of("b:pass") is None


def test_what_is_forbidden_is_crossed_out_unless_it_is_allowed_too_or_too_much(
    tmp_path, monkeypatch
):
    table = table_at(tmp_path, MOVE)
    refused = {table.hex_of(option) for option in table.decision.refused} - {None}
    assert set(table.crossed) <= refused
    assert not set(table.crossed) & set(table.lit)
    monkeypatch.setattr("app.play.places.MOST_CROSSES", 0)
    assert table.crossed == ()


def test_a_hex_that_cannot_be_chosen_says_why(tmp_path):
    table = table_at(tmp_path, DEPLOY)
    option = next(iter(table.decision.refused))
    refusal = table.refusal_at(table.hex_of(option))
    assert refusal.rulings == table.decision.why_not(refusal.option)
    table = table_at(tmp_path, ACTION)
    told = {table.hex_of(option) for option in table.decision.refused}
    far = next(h for h in table.view.board.hexes() if h not in told and h not in table.lit)
    stray = table.refusal_at(far)
    assert stray.option == f"h:{table.view.label(far)}"
    assert stray.rulings[0].refs == table.decision.ruling.refs


def test_a_far_hex_is_reached_by_small_answers(tmp_path):
    table = table_at(tmp_path, MOVE)
    (reach,) = [overlay for overlay in table.overlays() if overlay.id == "reach"]
    far = next(hex for hex in reach.hexes if hex not in table.lit)
    way = table.way_to(far)
    assert len(way) > 1
    assert way[-1] == f"h:{table.view.label(far)}"
    assert table.way_to(next(iter(table.lit)))
    before = table.session.game.entries
    given = table.give(way)
    assert given.taken
    assert len(table.session.game.entries) > len(before)


def test_a_question_is_about_its_unit(tmp_path):
    table = table_at(tmp_path, VERB)
    unit = table.decision.ruling.msg.facts["unit"]
    assert table.subjects()[0] == next(c.hex for c in table.view.counters if c.id == unit)


def test_sheets_go_round_and_the_past_shows_its_step(tmp_path):
    table = table_at(tmp_path, ACTION)
    count = len(table.layers())
    assert count
    places = [table.next_layer()[0] for _n in range(count + 1)]
    assert places == [*range(1, count + 1), 0]
    assert not any(table.sheets())
    for _n in range(count):
        place, layers = table.next_layer()
        is_control = layers[place - 1].id == "control"
        assert table.sheets()[not is_control] == {}
        assert table.sheets()[is_control] == layers[place - 1].hexes()
    at = next(n for n, f in enumerate(table.frames) if "unit" in f.step.ruling.msg.facts)
    table.look_at(at)
    own, found = table.lit_by_step()
    assert set(own) <= set(found)
    assert table.sheets() == (found, {})


def test_a_hex_is_described_with_its_rules_each_thing_once(tmp_path):
    table = table_at(tmp_path, ACTION)
    table.cite = lambda ref: f"<{ref}>"
    hex = table.lit[0]
    lines = table.describe(hex).splitlines()
    rulings = table.inspect(hex)
    assert rulings
    assert sum(line.endswith(">") for line in lines) == len(rulings)
    assert len(set(lines)) == len(lines)


# --- answering --------------------------------------------------------------------------------


def test_answers_are_given_while_the_same_is_asked(tmp_path):
    table = table_at(tmp_path, DEPLOY)
    asked = table.decision.id
    options = [o.id for o in table.decision.options]
    given = table.give(options[:1] * 500)
    assert 0 < given.taken < 500
    assert given.refusal is not None or table.decision.id != asked or table.decision.side != "us"


def test_a_refusal_keeps_what_was_given_and_says_what_stopped_it(tmp_path):
    table = table_at(tmp_path, DEPLOY)
    before = len(table.session.game.entries)
    refused = next(iter(table.decision.refused))
    given = table.give([refused])
    assert given.taken == 0
    assert given.refusal == Refusal(refused, table.decision.why_not(refused))
    assert len(table.session.game.entries) == before


def test_the_same_refusal_twice_is_noticed_and_cites_its_rules(tmp_path):
    table = table_at(tmp_path, DEPLOY)
    option, other = list(table.decision.refused)[:2]
    refusal = Refusal(option, table.decision.why_not(option))
    assert not table.refuse(refusal)
    assert table.cited == refusal.rulings
    assert not table.refuse(Refusal(other, table.decision.why_not(other)))
    assert not table.refuse(refusal), "another one came between"
    assert table.refuse(refusal)
    assert not table.refuse(refusal), "the rule was opened: it begins anew"
    table.give([first(table)])
    assert not table.refuse(refusal), "another question"


def test_a_program_answers_for_a_person_on_request(tmp_path):
    table = table_at(tmp_path, DEPLOY)
    asked = table.decision.id
    table.begin_delegation()
    while table.is_delegated:
        assert "sta pensando" in table.why_closed()
        table.session.answer(first(table))
    assert table.decision.id != asked or table.decision.side != "us"
    table.end_delegation()
    assert table.why_closed() == ""


def test_the_answer_of_a_program_says_where_to_look(tmp_path):
    table = table_at(tmp_path, MOVE, us="medio")
    option, reason = table.session.bot_choice()
    hex = table.take_program_answer(option, reason)
    assert hex in table.view.board


def test_what_a_program_did_waits_to_be_walked_in_step_mode(tmp_path):
    table = table_at(tmp_path, TARGET, us="medio")
    table.is_stepwise = True
    before = len(table.lines)
    while not table.is_past:
        option, reason = table.session.bot_choice()
        hex = table.take_program_answer(option, reason)
    assert hex is None, "what is not shown yet is not pointed at"
    assert len(table.chronicle.lines) == table.at + 1 < len(table.lines)
    assert table.at >= before
    while table.walk(1) and table.is_past:
        assert len(table.chronicle.lines) == table.at + 1
    assert len(table.chronicle.lines) == len(table.lines)


# --- what is reckoned -------------------------------------------------------------------------


def test_odds_are_begun_once_heard_in_part_and_done(tmp_path):
    table = table_at(tmp_path, TARGET)
    at = table.begin_reckoning()
    assert at is table.session.position
    assert table.is_reckoning
    assert table.begin_reckoning() is None, "it is under way"
    assert said(table) == ["Calcolo…"]
    found = list(reckon(table.title, at))
    assert table.hear(at, found[0])
    assert f"1 di {len(found)}" in said(table)[0]
    assert all(table.hear(at, one) for one in found[1:])
    assert table.chances.end(at.decision)
    assert not table.is_reckoning
    assert "Calcolo" not in said(table)[0]
    assert table.chances.found == tuple(found)
    assert set(table.chances.best) <= {option.id for option in at.decision.options}
    assert table.begin_reckoning() is None, "it is known"


def test_odds_that_come_late_are_dropped(tmp_path):
    table = table_at(tmp_path, TARGET)
    at = table.begin_reckoning()
    (one, *_rest) = reckon(table.title, at)
    table.give([first(table)])
    assert not table.is_reckoning
    assert not table.hear(at, one)
    assert table.chances.found == ()
    table.begin_reckoning()
    assert not table.chances.end(at.decision)
    assert not table.chances.fail(at.decision, "Rotto.")
    assert "Rotto." not in said(table)


def test_what_is_reckoned_is_given_up_in_the_past_and_begun_anew(tmp_path):
    table = table_at(tmp_path, TARGET)
    at = table.begin_reckoning()
    (one, *_rest) = reckon(table.title, at)
    table.walk(-1)
    assert not table.is_reckoning
    assert table.begin_reckoning() is None
    assert not table.hear(at, one), "nobody waits"
    table.look_at_now()
    assert table.begin_reckoning() is table.session.position
    assert table.is_reckoning


def test_what_is_known_is_still_known_after_a_look_at_the_past(tmp_path):
    table = table_at(tmp_path, TARGET)
    at = table.begin_reckoning()
    for one in reckon(table.title, at):
        table.hear(at, one)
    table.chances.end(at.decision)
    table.walk(-1)
    assert table.begin_reckoning() is None
    assert said(table) == ["Qui non c'è niente da calcolare."]
    table.look_at_now()
    assert table.begin_reckoning() is None
    assert table.chances.is_of(table.question)
    assert table.chances.found


def test_a_fault_is_said_instead_of_odds_and_is_not_tried_again(tmp_path):
    table = table_at(tmp_path, TARGET)
    at = table.begin_reckoning()
    assert table.chances.fail(at.decision, "Rotto.")
    assert said(table) == ["Rotto."]
    assert table.begin_reckoning() is None
    assert not table.hear(at, reckoned())


def test_where_nothing_is_rolled_it_is_said_where_odds_are(tmp_path):
    table = table_at(tmp_path, OP_FIRE)
    assert not table.session.questions()
    assert table.begin_reckoning() is None
    assert table.reckon_here() == []
    at = table.begin_foreseeing()
    assert at is table.session.position
    assert table.begin_foreseeing() is None, "it is under way"
    assert all(table.hear_ahead(at, one) for one in foresee(table.title, at))
    assert said(table)[0] == "Qui a nessuna risposta segue subito un tiro."


def test_nothing_is_reckoned_for_who_is_not_asked(tmp_path):
    table = table_at(tmp_path, TARGET, us="medio")
    assert table.begin_reckoning() is None
    assert table.reckon_here() == []
    assert said(table) == ["Qui non c'è niente da calcolare."]
    assert table.begin_foreseeing() is None


def test_the_dialogue_has_the_same_odds_at_once(tmp_path):
    table = table_at(tmp_path, TARGET)
    assert table.reckon_here() == list(reckon(table.title, table.session.position))


class Hits(GenericPresenter):
    """Every effect counts."""

    def chance(self, odds):
        return sum((share for msg, share in odds if msg.id == "hit"), Fraction(0))


def test_an_answer_promises_the_best_of_its_odds(tmp_path):
    decision = table_at(tmp_path, TARGET).decision
    chances = Chances()
    chances.begin(decision, 3)
    assert chances.hear(decision, reckoned(share=Fraction(1, 3)), Hits())
    assert chances.hear(decision, reckoned(share=Fraction(1, 4)), Hits())
    assert chances.hear(decision, Reckoned(Msg("what?"), "b:b", None), Hits())
    assert chances.best == {"b:a": Fraction(1, 3)}
    assert len(chances.found) == 3
    assert chances.end(decision)
    assert not chances.end(decision)


def test_too_many_cases_are_said(tmp_path):
    decision = table_at(tmp_path, TARGET).decision
    chances = Chances()
    chances.begin(decision, 1)
    chances.hear(decision, Reckoned(Msg("what?"), "b:b", None), Hits())
    chances.end(decision)
    assert chances.progress is Progress.DONE
    assert "troppi" in chances.note


@pytest.mark.parametrize(
    ("facts", "chance"),
    [
        ({"unit": "a", "chance": Fraction(1, 2)}, Fraction(1, 2)),
        ({"unit": "a", "n": 1, "total": 4}, Fraction(1, 4)),
        ({"unit": "a", "n": 1, "total": 0}, None),
        ({"chance": Fraction(1, 2)}, None),
        ({"unit": "a"}, None),
    ],
)
def test_a_ruling_may_tell_a_chance(facts, chance):
    assert chance_in(Ruling(("toi:fumo",), Msg("what", facts))) == chance


def test_what_is_foretold_has_the_worst_first(tmp_path):
    acts = "actions.who"
    table = Table(session_of(tmp_path, "ddob", "easy-fox", acts))
    at = table.begin_foretelling()
    assert table.begin_foretelling() is None  # under way
    assert table.hear_foretold(at, list(foretell(table.title, at)))
    told = [share for share, ruling in table.foretold if "chance" in ruling.msg.facts]
    assert told
    assert told == sorted(told, reverse=True)


# --- the guide --------------------------------------------------------------------------------


def test_the_guide_follows_and_is_kept_with_the_game(tmp_path):
    tutorial = tutorial_for("toi")
    session = Session.new(TITLES["toi"], tutorial.scenario, seed=tutorial.seed, guided=True,
                          path=tmp_path / "p.prontuario")  # fmt: skip
    table = Table(session)
    table.follow_guide()
    before = session.header.note
    while session.header.note == before:
        table.give([first(table)])
    again = Table(session)
    assert (again.guide.front, again.guide.due) == (table.guide.front, table.guide.due)


def test_without_a_guide_nothing_is_followed(tmp_path):
    table = table_at(tmp_path, ACTION)
    assert table.guide is None
    table.follow_guide(is_own=True)
    assert table.session.header.note == ""
