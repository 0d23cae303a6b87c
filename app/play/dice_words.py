"""Real dice in words, and what is typed of them: how many of which colour, what for, which faces.

The full screen and the dialogue take faces in the same way: by the keys of a die's faces, which are
its numbers, or the letters of its icons.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from app.presenters.base import DieFace, Presenter
from app.shell.i18n import _, _n
from engine.core.ctx import RollRequest
from engine.core.dice import Dice, Die
from engine.core.text import NP_

DIE_WORDS = {
    "black": NP_("{n} black die", "{n} black dice"),
    "red": NP_("{n} red die", "{n} red dice"),
    "white": NP_("{n} white die", "{n} white dice"),
    "coloured": NP_("{n} coloured die", "{n} coloured dice"),
    "pink": NP_("{n} pink die", "{n} pink dice"),
    "grey": NP_("{n} grey die", "{n} grey dice"),
    "green": NP_("{n} green die", "{n} green dice"),
    "yellow": NP_("{n} yellow die", "{n} yellow dice"),
    "blue": NP_("{n} blue die", "{n} blue dice"),
    "purple": NP_("{n} purple die", "{n} purple dice"),
}
"""Dice of one colour, by the name that the engine gives them."""
GAPS = " ,;\t\n"


def count_of(die: Die, n: int) -> str:
    """So many dice of a kind: «4 black dice», «1 die with 20 faces»."""
    if die.name in DIE_WORDS:
        return _(DIE_WORDS[die.name], n=n)
    if die.sides == 6:
        return _n("{n} die", "{n} dice", n=n)
    return _n("{n} die with {sides} faces", "{n} dice with {sides} faces", n=n, sides=die.sides)


def listed(parts: Iterable[str]) -> str:
    """Parts of a sentence, the last one after an «and»."""
    *first, last = parts
    return _("{first} and {last}", first=", ".join(first), last=last) if first else last


def kinds_of(dice: Dice) -> list[tuple[Die, int]]:
    """The kinds of dice of a roll in their order, and how many of each."""
    return [(die, len(list(same))) for die, same in groupby(dice.dice)]


def what_to_roll(request: RollRequest, presenter: Presenter) -> str:
    """Which dice to roll and what each kind decides."""
    parts = []
    for die, n in kinds_of(request.dice):
        role = presenter.die_role(die, request)
        parts.append(count_of(die, n) + (f" ({role})" if role else ""))
    return _("Roll {dice}.", dice=listed(parts))


def how_to_type(request: RollRequest, presenter: Presenter) -> str:
    """The keys of the faces, each kind of keys once."""
    told: dict[str, None] = {}
    for die, _count in kinds_of(request.dice):
        told.setdefault(_keys_in_words(presenter.die_faces(die, request)))
    return listed(told)


def _keys_in_words(faces: tuple[DieFace, ...]) -> str:
    if any(face.words for face in faces):
        return ", ".join(f"{face.key} {face.words}" for face in faces)
    return _("from {first} to {last}", first=faces[0].key, last=faces[-1].key)


class DiceEntry:
    """The faces of one roll as far as they are typed; `at` is the die that comes next."""

    def __init__(self, request: RollRequest, presenter: Presenter) -> None:
        self.request = request
        self.dice = request.dice.dice
        self.choices = tuple(presenter.die_faces(die, request) for die in self.dice)
        self.typed: list[int | None] = [None] * len(self.dice)
        self.pending = ""  # the first digit of a number that may have another
        self.fault = ""

    @property
    def at(self) -> int | None:
        """The first die without a face; None when all have one."""
        return self.typed.index(None) if None in self.typed else None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that are typed."""
        return tuple(face for face in self.typed if face is not None)

    @property
    def is_complete(self) -> bool:
        """Whether every die has a face."""
        return self.at is None

    def name_of(self, place: int) -> str:
        """A die in words, with its number where there are others like it."""
        die = self.dice[place]
        words = count_of(die, 1).partition(" ")[2]
        if self.dice.count(die) == 1:
            return words
        return f"{words} {self.dice[: place + 1].count(die)}"

    def put(self, die: int, face: int) -> None:
        """A face for a die, whichever comes next."""
        self.pending, self.fault = "", ""
        self.typed[die] = face

    def back(self) -> None:
        """Take back what was typed last."""
        self.fault = ""
        if self.pending:
            self.pending = ""
            return
        known = [place for place, face in enumerate(self.typed) if face is not None]
        if known:
            self.typed[known[-1]] = None
        else:
            self.fault = _("No face has been typed yet.")

    def press(self, typed: str) -> bool:
        """A key for the die that comes next; False where it is none of its faces."""
        self.fault = ""
        if typed in GAPS:
            return self._end_number()
        if self.at is None:
            self.fault = _("All dice have their face: Enter confirms, Backspace takes one back.")
            return False
        keys = {face.key: face.value for face in self.choices[self.at]}
        wanted = self._meant(self.pending + typed, keys)
        if self.pending and wanted not in keys:  # the number ended before this key
            return self._end_number() and self.press(typed)
        if wanted not in keys:
            self.fault = self._wrong(typed)
            return False
        if any(key != wanted and key.startswith(wanted) for key in keys):
            self.pending = wanted
            return True
        self.put(self.at, keys[wanted])
        return True

    def _meant(self, typed: str, keys: dict[str, int]) -> str:
        """Small letters do for large ones where only one face has the letter."""
        alike = [key for key in keys if key.lower() == typed.lower()]
        return alike[0] if typed not in keys and len(alike) == 1 else typed

    def _end_number(self) -> bool:
        if self.pending and self.at is not None:
            keys = {face.key: face.value for face in self.choices[self.at]}
            self.put(self.at, keys[self.pending])
        return True

    def _wrong(self, typed: str) -> str:
        assert self.at is not None
        known = _keys_in_words(self.choices[self.at])
        die = self.name_of(self.at)
        return _("{die}: there is no face «{typed}», its faces are {known}.",
                 die=die[:1].upper() + die[1:], typed=typed, known=known)  # fmt: skip

    def type_in(self, text: str) -> bool:
        """Faces one after the other, with gaps or without; False at the first that cannot be."""
        return all(self.press(character) for character in text.strip()) and self._end_number()

    def confirm(self) -> bool:
        """Whether all is there; what is missing is the fault."""
        self._end_number()
        missing = [die for die, face in zip(self.dice, self.typed, strict=True) if face is None]
        if missing:
            which = listed(count_of(die, len(list(same))) for die, same in groupby(missing))
            self.fault = _("Still missing: {which}.", which=which)
        return not missing


def only_dice() -> str:
    """What real dice do not cover."""
    return _("Only dice are real: cards and markers are drawn by the program.")


def no_dice() -> str:
    """Why a title has no real dice."""
    return _("This title has no dice: its cards and markers are drawn by the program.")
