"""Many as one: a stack, a group, the last order once more, and who has not acted yet.

An order is what a person answers from the question that asks who acts (`TitleInfo.actors`) until
that question is asked again. It is repeated answer by answer: a rule may stop it, and so does any
question that the first unit was not asked. Others are asked in between as ever. Where the rules
let units act together (`TitleInfo.joins`), the others of a group join there instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.shell.i18n import _, _n
from engine.core.decisions import Decision
from engine.core.hexes import Hex, add, distance
from engine.core.rules import Command, Roll, Ruling, Side
from engine.core.view import CounterView, View

if TYPE_CHECKING:
    from app.play.table import Table

MOST_HEARD = 80
"""Answers among which the last order is looked for."""
MOST_NAMED = 3


class Order(NamedTuple):
    """What a unit was told: the question that asked who acts, the unit, where it stood, and every
    answer after it with its question."""

    asked: str
    unit: CounterView
    answers: tuple[tuple[str, str], ...]


class Heard(NamedTuple):
    """An answer of a person: its place among the entries of the game, its question, and the unit
    that was chosen to act, as it stood."""

    place: int
    side: Side
    asked: str
    option: str
    unit: CounterView | None


class Done(NamedTuple):
    """What came of going on: how many answers were given, what is said, and the rulings that
    stopped it, if rules did, against which answer."""

    given: int = 0
    said: str = ""
    option: str = ""
    rulings: tuple[Ruling, ...] = ()


class Repeat:
    """An order that is being repeated for another unit."""

    def __init__(self, order: Order, unit: CounterView) -> None:
        self.order = order
        self.unit = unit
        self.left = list(order.answers)


class Orders:
    """The orders of a person at the table. `waiting` are the units of a group that have not had
    theirs yet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.waiting: list[str] = []
        self._side: Side = ""
        self._asked = ""
        self._repeat: Repeat | None = None
        self._names: list[str] = []  # of those that have had the order
        self._entries = 0
        self._heard: list[Heard] = []
        self._had: set[str] = set()  # units that have had the last order
        self._known: tuple[Decision | None, Order | None] = (None, None)
        self._warned: Decision | None = None

    # Who acts

    @property
    def question(self) -> Decision | None:
        """The question who acts, if that is what a person is asked."""
        question = self._table.question
        is_asked = question is not None and question.id in self._table.title.info.actors
        return question if is_asked else None

    def stack_at(self, option: str) -> list[str]:
        """The answers that lie where this one does, itself first; none where it lies alone."""
        question, hex = self.question, self._table.hex_of(option)
        if question is None or hex is None or not option.startswith("u:"):
            return []
        here = [one for one in self._table.options_at(hex) if one.startswith("u:")]
        return [option, *(one for one in here if one != option)] if len(here) > 1 else []

    def has_stack(self) -> bool:
        """Whether two of those that can act stand together."""
        question = self.question
        if question is None:
            return False
        found = [self._table.hex_of(o.id) for o in question.options if o.id.startswith("u:")]
        places = [hex for hex in found if hex is not None]
        return len(set(places)) < len(places)

    # A group

    def begin(self, options: list[str]) -> None:
        """The first of a group is chosen now, the others wait to join it or to follow it."""
        question = self.question
        assert question is not None
        self.stop()
        self._side, self._asked = question.side, question.id
        self.waiting = [one for one in options[1:] if one.startswith("u:")]
        self._names = options[:1]
        self._entries = len(self._table.session.game.entries)

    def stop(self) -> bool:
        """The person answers by himself again; whether something was going on."""
        was_on = self.is_on
        self.waiting, self._repeat, self._names = [], None, []
        return was_on

    @property
    def is_on(self) -> bool:
        """Whether a group waits, or an order is being repeated."""
        return bool(self.waiting) or self._repeat is not None

    @property
    def note(self) -> str:
        """Who still waits, in words; nothing where nobody does."""
        if not self.waiting:
            return ""
        return _n("{n} more waits to do the same: {names}", "{n} more wait to do the same: {names}",
                  n=len(self.waiting), names=self._listed(self.waiting))  # fmt: skip

    # The last order

    @property
    def last(self) -> Order | None:
        """The last order given at the question that is open now."""
        question = self.question
        if question is None:
            return None
        if self._known[0] is not question:
            self._known = question, self._find_last(question)
        return self._known[1]

    def hear(self, decision: Decision, option: str) -> None:
        """Keep in mind an answer that is about to be given."""
        place = len(self._table.session.game.entries)
        is_head = decision.id in self._table.title.info.actors
        unit = counter_of(self._table.view, option) if is_head else None
        if unit is not None:
            self._had = {unit.id, *(self._had if self._repeat is not None else ())}
        kept = [one for one in self._heard[-MOST_HEARD:] if one.place < place]
        self._heard = [*kept, Heard(place, decision.side, decision.id, option, unit)]

    def _find_last(self, question: Decision) -> Order | None:
        entries, answers = self._table.session.game.entries, list[tuple[str, str]]()
        for one in reversed(self._heard):
            if one.side != question.side:
                continue
            if one.place >= len(entries) or entries[one.place] != Command(one.side, one.option):
                return None  # it was taken back
            if one.asked == question.id:
                known = one.unit
                return Order(one.asked, known, tuple(reversed(answers))) if known else None
            answers.append((one.asked, one.option))
        return None

    def similar(self, marked: str | None = None) -> str | None:
        """Who could have the last order too: the marked unit if it is of the same kind, else those
        that stood with it, else the next of its kind in the list."""
        order, question = self.last, self.question
        if order is None or question is None:
            return None
        view = self._table.view
        ids = [option.id for option in question.options]
        at = next((n for n, one in enumerate(ids) if one == f"u:{order.unit.id}"), -1)
        alike: list[tuple[bool, str]] = []
        for option in (*question.options[at + 1 :], *question.options[: at + 1]):
            unit = counter_of(view, option.id)
            if unit is not None and unit.kind == order.unit.kind and unit.id not in self._had:
                if option.id == marked:
                    return marked
                alike.append((unit.hex != order.unit.hex, option.id))
        return min(alike, key=lambda one: one[0])[1] if alike else None

    def again(self, marked: str | None = None) -> Done:
        """Give the last order to a unit of the same kind."""
        order, option = self.last, self.similar(marked)
        if order is None:
            return Done(said=_("No order has been given yet that could be repeated."))
        if option is None:
            return Done(said=_("No other unit of the same kind can act now."))
        self.stop()
        self._names = [f"u:{order.unit.id}"]
        self._begin(order, option)
        return self.go_on()

    def _begin(self, order: Order, option: str) -> None:
        question, unit = self.question, counter_of(self._table.view, option)
        assert question is not None
        assert unit is not None
        self._side, self._asked = question.side, question.id
        self._repeat = Repeat(order, unit)
        self._repeat.left.insert(0, (question.id, option))
        self._entries = len(self._table.session.game.entries)

    # Going on

    def go_on(self) -> Done:
        """Give the answers that are to be given by themselves now, as far as they go."""
        given = 0
        while self.is_on:
            decision = self._table.decision
            if self._table.is_past or decision is None:
                break
            if decision.side != self._side and decision.id in self._table.title.info.actors:
                return self._passed_on(given)
            if self._table.question is None or decision.side != self._side:
                break  # others are asked in between
            step = self._step(decision)
            if step.said or not step.given:
                return step._replace(given=given + step.given)
            given += step.given
        return Done(given)

    def _passed_on(self, given: int) -> Done:
        """The turn has passed to others: what was begun is at its end."""
        left = [f"u:{self._repeat.unit.id}"] if self._repeat is not None else []
        names = self._listed([*left, *self.waiting])
        self.stop()
        return Done(given, _("The turn has passed on. Not done: {names}.", names=names))

    def _step(self, decision: Decision) -> Done:
        """One answer, if one is to be given; else what is said, or nothing while the person is to
        answer."""
        if self._was_shot_at():
            return self._ended(_("dice have fallen for the others meanwhile"))
        if self._repeat is None:
            return self._of_group(decision)
        return self._of_repeat(decision, self._repeat)

    def _was_shot_at(self) -> bool:
        """Whether others have answered since the last answer given here, and dice fell then."""
        entries = self._table.session.game.entries[self._entries :]
        others = [n for n, e in enumerate(entries)
                  if isinstance(e, Command) and e.side != self._side]  # fmt: skip
        return bool(others) and any(isinstance(e, Roll) for e in entries[others[0] :])

    def _of_group(self, decision: Decision) -> Done:
        if decision.id in self._table.title.info.joins:
            return self._join(decision)
        if decision.id != self._asked:
            self._entries = len(self._table.session.game.entries)
            return Done()  # the first one is still being told what to do
        order = self.last
        if order is None:
            return self._ended(_("no order was given"))
        self._entries = len(self._table.session.game.entries)
        option = self.waiting.pop(0)
        if decision.option(option) is None:
            rulings = decision.why_not(option) if option in decision.refused else ()
            return self._refused(decision, option, rulings)
        self._begin(order, option)
        return self._of_repeat(decision, self._repeat) if self._repeat else Done()

    def _join(self, decision: Decision) -> Done:
        """Those of the group that may join do so."""
        for option in self.waiting:
            if decision.option(option) is not None:
                self.waiting.remove(option)
                self._names.append(option)
                self._give(option)
                joined = _("Together: {names}.", names=self._listed(self._names))
                return Done(1, "" if self.waiting else joined)
        return Done()

    def _of_repeat(self, decision: Decision, repeat: Repeat) -> Done:
        info = self._table.title.info
        while repeat.left and repeat.left[0][0] in info.joins:
            # who joined the first one need not be there for the others
            wanted = repeat.left[0][1]
            if decision.id == repeat.left[0][0] and decision.option(wanted) is not None:
                break
            if not wanted.startswith("u:"):
                break
            repeat.left.pop(0)
        if not repeat.left:
            return self._finished(0)
        asked, option = repeat.left[0]
        if decision.id != asked:
            return self._ended(_("something else is asked: now it is your choice"))
        option = self._for(repeat, option)
        if decision.option(option) is None:
            return self._refused(decision, option, decision.why_not(option))
        repeat.left.pop(0)
        self._give(option)
        return Done(1) if self._has_more(repeat) else self._finished(1)

    def _has_more(self, repeat: Repeat) -> bool:
        """Whether anything is left to be answered; who joined the first one is not, unless that is
        what is asked."""
        joins, decision = self._table.title.info.joins, self._table.decision
        if decision is not None and decision.side == self._side and decision.id in joins:
            return bool(repeat.left)
        return not all(asked in joins and one.startswith("u:") for asked, one in repeat.left)

    def _give(self, option: str) -> None:
        self._table.give((option,))
        self._entries = len(self._table.session.game.entries)

    def _finished(self, given: int) -> Done:
        """A unit has done the same as the first one; the next of the group follows."""
        assert self._repeat is not None
        self._names.append(f"u:{self._repeat.unit.id}")
        self._repeat = None
        if self.waiting:
            return Done(given)
        names = self._listed(self._names)
        self.stop()
        return Done(given, _("The same order: {names}. U takes back.", names=names))

    def _refused(self, decision: Decision, option: str, rulings: tuple[Ruling, ...]) -> Done:
        """A rule stops it."""
        why = "; ".join(self._table.presenter.say(ruling.msg) for ruling in rulings)
        done = self._ended(why or _("it cannot act now"))
        return done._replace(option=option, rulings=rulings)

    def _ended(self, why: str) -> Done:
        unit = self._repeat.unit if self._repeat is not None else None
        who = self._table.presenter.name("unit", unit.id) if unit is not None else ""
        rest = _("Not done: {names}.", names=self._listed(self.waiting)) if self.waiting else ""
        self.stop()
        why = why.rstrip(".")
        said = _("{who}: the order stops here: {why}.", who=who, why=why)
        if not who:
            said = _("The order stops here: {why}.", why=why)
        return Done(said=f"{said} {rest}".strip())

    def _for(self, repeat: Repeat, option: str) -> str:
        """An answer of the first unit as the same answer of another one: itself instead of it; a
        walk goes in the same directions."""
        first, unit = repeat.order.unit, repeat.unit
        parts = [unit.id if part == first.id else part for part in option.split(":")]
        option = ":".join(parts)
        if not option.startswith("h:") or first.hex is None or unit.hex is None:
            return option
        view = self._table.view
        walk = [_hex_of(view, one) for _asked, one in repeat.order.answers if one[:2] == "h:"]
        here = _hex_of(view, option)
        if first.hex == unit.hex or here is None or not is_walk(first.hex, walk):
            return option
        shifted = add(here, Hex(unit.hex.q - first.hex.q, unit.hex.r - first.hex.r))
        return f"h:{view.label(shifted)}" if shifted in view else option

    # Before a phase ends

    def warning(self, option: str, ends: tuple[str, ...]) -> str:
        """Who could still act, said once before a phase or turn is ended; nothing else."""
        question = self.question
        if question is None or option not in [f"b:{verb}" for verb in ends]:
            return ""
        left = [one.id for one in question.options if one.id.startswith("u:")]
        if not left or self._warned is question:
            return ""
        self._warned = question
        return _n("{n} unit can still act: {names}. 0 once more ends all the same.",
                  "{n} units can still act: {names}. 0 once more ends all the same.",
                  n=len(left), names=self._listed(left))  # fmt: skip

    def _listed(self, options: list[str]) -> str:
        """Units by name, the first few."""
        presenter = self._table.presenter
        names = [presenter.name("unit", one.partition(":")[2]) for one in options]
        more = len(names) - MOST_NAMED
        return ", ".join(names[:MOST_NAMED]) + (_(" and {n} more", n=more) if more > 0 else "")


def in_one_go(table: Table) -> tuple[str, ...]:
    """What does many things in one go and applies to the open question: `place_all`, `as_before`,
    `block`, `again`."""
    placing, orders, question = table.placing, table.orders, table.question
    if question is None:
        return ()
    if placing.applies:
        found = ["place_all", "as_before"] if placing.has_earlier else ["place_all"]
        has_hexes = any(option.id.startswith("h:") for option in question.options)
        return (*found, "block") if has_hexes else tuple(found)
    stack = ("block",) if orders.has_stack() else ()
    return (*stack, "again") if orders.similar() is not None else stack


def counter_of(view: View, option: str) -> CounterView | None:
    """The counter that an answer names."""
    kind, _colon, name = option.partition(":")
    if kind != "u":
        return None
    names = (name, name.rpartition(":")[0])  # a weapon of a vehicle is told by the vehicle
    return next((c for c in view.counters if c.id in names), None)


def is_walk(start: Hex, hexes: list[Hex | None]) -> bool:
    """Whether hexes lead from a hex step by step."""
    here = start
    for hex in hexes:
        if hex is None or distance(here, hex) > 1:
            return False
        here = hex
    return bool(hexes)


def _hex_of(view: View, option: str) -> Hex | None:
    try:
        return view.hex_at(option.partition(":")[2])
    except ValueError:
        return None
