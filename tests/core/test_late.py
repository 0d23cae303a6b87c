"""Dice that are looked at late: every look asks chance no more than it needs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.core.dice import D6, Dice
from engine.core.late import Late, Unread, looked

TWO = Dice((D6, D6))


class Cup:
    """Answers looks with what is given and keeps what they asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def ask(self, branches):
        self.asked.append(dict(branches()))
        return self.answers.pop(0)

    def roll(self, read):
        return Late(read).unread(TWO, self.ask)


def total(faces):
    return faces[0] + faces[1]


def both(faces):
    return faces[0], faces[1]


def test_played_it_is_an_ordinary_reading():
    assert Late(total)((2, 5)) == 7


def test_a_comparison_asks_only_whether_it_holds():
    cup = Cup(True)
    assert cup.roll(total) >= 9
    assert cup.asked == [{False: Fraction(26, 36), True: Fraction(10, 36)}]


def test_what_is_known_already_is_not_asked_again():
    cup = Cup(True)
    rolled = cup.roll(total)
    assert rolled >= 9
    assert rolled > 8
    assert rolled != 2
    assert len(cup.asked) == 1


def test_a_second_look_counts_only_the_faces_that_are_left():
    cup = Cup(True, False)
    rolled = cup.roll(total)
    assert rolled >= 9
    assert rolled != 12
    assert cup.asked[1] == {False: Fraction(9, 10), True: Fraction(1, 10)}


def test_reckoning_asks_nothing():
    cup = Cup()
    rolled = 3 + cup.roll(total) - 1
    assert isinstance(rolled // 2, Unread)
    assert rolled >= 4
    assert cup.asked == []


def test_the_dice_of_one_roll_know_each_other():
    cup = Cup(True)
    coloured, white = cup.roll(both)
    assert coloured + white == 12
    assert (coloured == 6, white == 6, coloured < white) == (True, True, False)
    assert cup.asked == [{False: Fraction(35, 36), True: Fraction(1, 36)}]


def test_two_rolls_are_compared_value_by_value():
    cup = Cup(4, False)
    one, other = cup.roll(total), cup.roll(total)
    assert not one < other
    assert len(cup.asked[0]) == 11
    assert cup.asked[1] == {True: Fraction(3, 36), False: Fraction(33, 36)}


def test_a_table_is_asked_for_its_result():
    cup = Cup("low")
    assert looked(cup.roll(total) + 1, lambda n: "low" if n < 5 else "high") == "low"
    assert cup.asked == [{"low": Fraction(3, 36), "high": Fraction(33, 36)}]
    assert looked(7, str) == "7"


@pytest.mark.parametrize("use", [lambda n: list(range(13))[n], lambda n: {5: 5}[n]])
def test_an_index_looks_at_everything(use):
    cup = Cup(5)
    assert use(cup.roll(total)) == 5
    assert len(cup.asked[0]) == 11


def test_words_can_be_late_too():
    cup = Cup(False, True)
    found = cup.roll(
        lambda faces: "pass" if total(faces) < 7 else "pin" if total(faces) == 7 else ""
    )
    assert found != "pass"
    assert found == "pin"
    assert str(found) == "pin"
    assert cup.asked[1] == {True: Fraction(6, 21), False: Fraction(15, 21)}
