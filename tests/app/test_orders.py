"""Many as one, in every title: stacks, groups, the last order again, a word before the end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from app.play.discretion import HUMAN
from app.play.orders import Done, in_one_go, is_walk
from app.play.session import Session
from app.play.table import Table
from app.shell import i18n
from engine.core.hexes import Hex
from engine.core.rules import Command
from engine.drive import RANDOM
from engine.titles import TITLES

GAMES = [("toi", "toi-s1", "us"), ("ddob", "beyond-the-beach", "us"), ("aslsk", "R1", "american"),
         ("warfare", "s1", "blu")]  # fmt: skip


@pytest.fixture(autouse=True)
def italian(tmp_path, monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    monkeypatch.setattr("app.play.placing.saves_folder", lambda: tmp_path)


def at_actors(folder: Path, slug: str, scenario: str, side: str, seed: int = 3) -> Table:
    """A game in which a person is asked for the first time who acts, all others being programs."""
    title = TITLES[slug]
    sides = next(info.sides for info in title.scenarios() if info.id == scenario)
    seats = {one: HUMAN if one == side else RANDOM for one in sides}
    session = Session.new(title, scenario, seats=seats, seed=seed, path=folder / "o.prontuario")
    session.rng = random.Random(seed)
    table = Table(session)
    to_actors(table)
    return table


def to_actors(table: Table, at_most: int = 600) -> None:
    """Programs answer, the person's own questions too, until somebody is asked who acts."""
    session = table.session
    for _ in range(at_most):
        if table.orders.question is not None and len(units(table)) > 1:
            return
        level = "" if session.is_bot_turn else session.deputy
        session.answer(session.bot_choice(level)[0])
    raise AssertionError("nobody is asked who acts")


def units(table: Table) -> list[str]:
    question = table.orders.question
    return [o.id for o in question.options if o.id[:2] == "u:"] if question is not None else []


def let_others(table: Table) -> None:
    while table.session.is_bot_turn:
        table.session.answer(table.session.bot_choice()[0])


def order(table: Table, first: str, prefer: tuple[str, ...]) -> None:
    """A person orders one unit: verbs that are preferred, else the first answer."""
    assert table.give((first,)).taken == 1
    for _ in range(30):
        let_others(table)
        decision = table.question
        if decision is None or decision.id in table.title.info.actors:
            return
        ids = [option.id for option in decision.options]
        wanted = [one for one in prefer if one in ids]
        table.give((wanted[0] if wanted else ids[0],))
    raise AssertionError("the order does not end")


def since(table: Table, place: int) -> list[str]:
    """What the person has answered since."""
    side = table.session.humans[0]
    entries = table.session.game.entries[place:]
    return [e.option for e in entries if isinstance(e, Command) and e.side == side]


PREFER = {
    "toi": ("b:affatica", "b:prepara-op"),
    "ddob": ("b:resta",),
    "aslsk": ("b:via", "b:corsa", "h:A5", "h:A6", "h:A7", "h:A8", "b:fine"),
    "warfare": ("b:vai", "b:overwatch", "b:muovi"),
}


@pytest.mark.parametrize(("slug", "scenario", "side"), GAMES)
def test_the_last_order_is_given_to_a_unit_of_the_same_kind(tmp_path, slug, scenario, side):
    table = at_actors(tmp_path, slug, scenario, side)
    for _ in range(12):
        first = units(table)[-1]
        start = len(table.session.game.entries)
        order(table, first, PREFER[slug])
        if table.orders.similar() is not None:
            break
        to_actors(table)
    given, wanted = since(table, start), table.orders.similar()
    assert wanted is not None
    assert wanted != first
    assert "again" in in_one_go(table)
    place = len(table.session.game.entries)
    done = table.orders.again()
    assert done.said or table.orders.is_on
    answers = since(table, place)
    assert answers[0] == wanted
    assert len(answers) == done.given
    assert len(answers) <= len(given)
    for mine, his in zip(answers[1:], given[1:], strict=False):
        assert mine == his or mine[:2] == "h:" or wanted[2:] in mine


@pytest.mark.parametrize(("slug", "scenario", "side"), GAMES)
def test_ending_while_units_can_act_is_asked_twice(tmp_path, slug, scenario, side):
    table = at_actors(tmp_path, slug, scenario, side)
    ends = table.title.info.ends
    for _ in range(20):
        question = table.orders.question
        end = next((f"b:{verb}" for verb in ends if question.option(f"b:{verb}")), "")
        if end:
            break
        table.session.answer(units(table)[0])
        to_actors(table)
    warning = table.orders.warning(end, ends)
    assert str(len(units(table))) in warning
    assert table.presenter.name("unit", units(table)[0][2:]) in warning
    assert "0 conclude" in warning
    assert table.orders.warning(end, ends) == ""
    assert table.orders.warning(units(table)[0], ends) == ""


def test_nothing_is_said_where_only_a_choice_ends(tmp_path):
    table = at_actors(tmp_path, "aslsk", "R1", "american")
    table.give((units(table)[0],))
    assert table.orders.question is None
    assert table.orders.warning("b:via", table.title.info.ends) == ""


def stacked(table: Table) -> list[str]:
    for option in units(table):
        stack = table.orders.stack_at(option)
        if stack:
            return stack
    raise AssertionError("nobody stands together")


def group(table: Table, options: list[str]) -> None:
    table.orders.begin(options)
    assert table.give(options[:1]).taken == 1


def test_in_aslsk_a_stack_moves_together_by_its_rule(tmp_path):
    table = at_actors(tmp_path, "aslsk", "R1", "american", seed=5)
    for _ in range(40):
        if table.orders.question.id == "move.who" and table.orders.has_stack():
            break
        table.session.answer(units(table)[0])
        to_actors(table)
    stack = stacked(table)
    assert "block" in in_one_go(table)
    place = len(table.session.game.entries)
    group(table, stack)
    done = Done()
    for _ in range(10):
        done = table.orders.go_on()
        if not table.orders.is_on or table.decision.id == "move.next":
            break
        ids = [o.id for o in table.decision.options]
        table.give((next(o for o in ("b:corsa", "b:assalto", *ids) if o in ids),))
    joined = [one for one in since(table, place) if one in stack]
    assert len(joined) > 1
    assert joined[0] == stack[0]
    if not table.orders.waiting:
        assert table.presenter.name("unit", stack[-1][2:]) in done.said


def test_in_toi_a_stack_does_one_after_the_other_what_the_first_did(tmp_path):
    table = at_actors(tmp_path, "toi", "toi-s1", "us")
    pair = units(table)[:2]
    place = len(table.session.game.entries)
    group(table, pair)
    assert table.orders.go_on() == Done()
    assert table.presenter.name("unit", pair[1][2:]) in table.orders.note
    table.give(("b:affatica",))
    done = table.orders.go_on()
    assert since(table, place) == [pair[0], "b:affatica", pair[1], "b:affatica"]
    assert done.given == 2
    assert not table.orders.is_on
    assert table.presenter.name("unit", pair[1][2:]) in done.said


def test_a_rule_that_stops_the_order_is_told(tmp_path):
    table = at_actors(tmp_path, "toi", "toi-s1", "us")
    first, second = units(table)[:2]
    table.give((first,))
    table.give(("b:affatica",))
    order_before = table.orders.last
    assert order_before is not None
    table.orders._known = (table.orders.question,
                           order_before._replace(answers=(("action.verb", "b:vola"),)))  # fmt: skip
    done = table.orders.again(second)
    assert done.given == 1
    assert done.option == "b:vola"
    assert table.presenter.name("unit", second[2:]) in done.said
    assert not table.orders.is_on


def test_something_else_that_is_asked_stops_it(tmp_path):
    table = at_actors(tmp_path, "toi", "toi-s1", "us")
    first, second = units(table)[:2]
    table.give((first,))
    table.give(("b:affatica",))
    known = table.orders.last
    table.orders._known = (table.orders.question, known._replace(answers=(("move.next", "h:A1"),)))
    done = table.orders.again(second)
    assert done.given == 1
    assert "ora decidi tu" in done.said
    assert table.decision.id == "action.verb"


def test_a_walk_is_repeated_in_the_same_directions():
    start = Hex(3, 3)
    assert is_walk(start, [Hex(3, 4), Hex(4, 4)])
    assert not is_walk(start, [Hex(3, 5)])
    assert not is_walk(start, [])
    assert not is_walk(start, [None])


def test_taking_back_forgets_the_order_and_the_group(tmp_path):
    table = at_actors(tmp_path, "toi", "toi-s1", "us")
    pair = units(table)[:2]
    group(table, pair)
    table.take_back(studio=False)
    assert not table.orders.is_on
    assert table.orders.last is None


def test_units_walk_side_by_side_in_warfare(tmp_path):
    table = at_actors(tmp_path, "warfare", "s1", "blu")
    kinds: dict[str, list[str]] = {}
    for option in units(table):
        counter = next(c for c in table.view.counters if c.id == option[2:])
        kinds.setdefault(counter.kind, []).append(option)
    first, second = next(found for found in kinds.values() if len(found) > 1)[:2]
    table.give((first,))
    table.give(("b:muovi",))
    before = next(c.hex for c in table.view.counters if c.id == first[2:])
    step = next(o.id for o in table.question.options if o.id[:2] == "h:"
                and table.view.hex_at(o.id[2:]) != before)  # fmt: skip
    table.give((step,))
    if table.question.id == "move.next":
        table.give((next(o.id for o in table.question.options if o.id[:2] == "b:"),))
    let_others(table)
    if table.orders.similar(second) != second:
        pytest.fail("the second one cannot act")
    stood = next(c.hex for c in table.view.counters if c.id == second[2:])
    place = len(table.session.game.entries)
    done = table.orders.again(second)
    walked = [one for one in since(table, place) if one[:2] == "h:"] or [done.option]
    shift = Hex(table.view.hex_at(step[2:]).q - before.q, table.view.hex_at(step[2:]).r - before.r)
    assert walked[0] == f"h:{table.view.label(Hex(stood.q + shift.q, stood.r + shift.r))}"


def test_each_unit_of_the_kind_has_the_order_once(tmp_path):
    table = at_actors(tmp_path, "warfare", "s1", "blu")
    kinds = {f"u:{counter.id}": counter.kind for counter in table.view.counters}
    infantry = [one for one in units(table) if kinds[one] == "infantry"]
    order(table, infantry[-1], ("b:vai", "b:muovi"))
    given = []
    for _ in infantry:
        wanted = table.orders.similar(infantry[0])
        if wanted is None:
            break
        given.append(wanted)
        table.orders.again(infantry[0])
        if table.orders.question is None:
            break
    assert len(set(given)) == len(given)
    assert infantry[-1] not in given


def test_the_last_placing_can_be_changed_before_the_game_begins(tmp_path):
    table = at_begin(tmp_path)
    assert table.decision.id == "setup.begin"
    assert table.session.game.why_not_undo() is None
    table.take_back(studio=False)
    assert table.decision.id == "setup.box"


def at_begin(folder: Path) -> Table:
    """Everything placed by the program in a scenario of ddob, with answers that give themselves."""
    session = Session.new(TITLES["ddob"], "beyond-the-beach", seats={"us": HUMAN}, seed=3,
                          path=folder / "o.prontuario")  # fmt: skip
    session.is_auto = True
    table = Table(session)
    table.placing.begin()
    while table.placing.is_by_program:
        table.placing.take(session.bot_choice(session.deputy)[0])
    assert "U le riprende" in table.placing.ended()
    assert session.is_auto
    return table


def test_in_ddob_units_move_together_by_their_rule(tmp_path):
    table = at_begin(tmp_path)
    session = table.session
    for _ in range(60):
        if table.orders.question is not None and table.orders.has_stack():
            break
        session.answer(session.bot_choice(session.deputy)[0])
    stack = stacked(table)
    place = len(session.game.entries)
    group(table, stack)
    for _ in range(6):
        table.orders.go_on()
        if table.decision.id in table.title.info.actors or not table.orders.is_on:
            break
        ids = [o.id for o in table.decision.options]
        table.give((next((one for one in ids if one.startswith("h:")), ids[0]),))
    answers = since(table, place)
    assert answers[0] == stack[0]
    assert stack[1] in answers


def test_in_aslsk_a_group_fires_together_and_who_cannot_join_fires_after_it(tmp_path):
    table = at_actors(tmp_path, "aslsk", "R1", "german")
    for _ in range(120):
        if table.orders.question is not None and table.orders.question.id == "fire.who" and (
                len(units(table)) > 1):  # fmt: skip
            break
        session = table.session
        session.answer(session.bot_choice("" if session.is_bot_turn else session.deputy)[0])
    place, marked = len(table.session.game.entries), units(table)[:4]
    group(table, marked)
    done = table.orders.go_on()
    assert table.decision.id == "fire.target"
    target = table.decision.options[0].id
    table.give((target,))
    done = table.orders.go_on()
    answers = since(table, place)
    assert answers[:2] == [marked[0], target]
    assert len([one for one in answers if one in marked]) > 1
    assert not table.orders.is_on
    assert "Stesso ordine" in done.said or "Insieme" in done.said
