"""The table: what a person who sits at it sees of a game, may do, and is told. No screen.

A session has the game, its seats and its file. The table adds who looks and at which moment, what
lies over the map, what is reckoned, and where a guide is; it alone decides, with `discretion`, what
of the game is shown. The full screen and the dialogue draw it and hand on what people do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from app.play import discretion, places
from app.play.chances import Chances, Progress
from app.play.chronicle import Action, Chronicle
from app.play.citing import Cite, Quote, no_words, not_yet
from app.play.discretion import HUMAN, Audience
from app.play.legend import Key, legend
from app.play.mail import by_number, spent, waiting
from app.play.orders import Orders
from app.play.outcome import Result, result_of
from app.play.placing import Placing
from app.play.reckoning import Foretold, Reckoned, foresee, foretell, reckon
from app.play.session import Frame, Session
from app.play.telling import Teller, Told
from app.play.tutorial import guide_of
from app.play.walk import path_to
from app.play.watching import lit_at
from app.play.why import (
    Glance,
    Kind,
    Row,
    assumed,
    compared,
    fates,
    glance,
    leading,
    of_one,
    page,
)
from app.presenters.base import Opens, Presenter, UnitCard
from app.presenters.registry import presenter_for
from app.shell.i18n import _, _n
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Refused, RuleRef, Ruling, Side
from engine.core.text import N_, Msg
from engine.core.title import Layer, Outcome, Overlay, Sight
from engine.core.view import View
from engine.foresight import Ahead
from engine.game import Position

MOST_PLACES = 40
"""Actions among which the last one that tells something is looked for."""


class Ask(Enum):
    """What the table asks for."""

    ANSWER = auto()
    NOTHING = auto()
    POST = auto()


class Prompt(msgspec.Struct, frozen=True):
    """What is asked or said under the map, and the ruling behind it. `said` stands alone, but for a
    question, whose words the decision has; `offers` are the things that can be done by post."""

    asks: Ask
    said: str = ""
    who: str = ""
    offers: dict[str, str] = {}
    ruling: Ruling | None = None


class Refusal(NamedTuple):
    """An answer that is not allowed, and the rulings against it."""

    option: str
    rulings: tuple[Ruling, ...]


class Given(NamedTuple):
    """How many answers were taken, and what stopped the others."""

    taken: int
    refusal: Refusal | None = None


class Sheets(NamedTuple):
    """What lies over the map: a short text by hex; who holds a hex."""

    sheet: Mapping[Hex, str] = {}
    control: Mapping[Hex, Side] = {}


class HexCard(msgspec.Struct, frozen=True):
    """A hex for whoever inspects it; rules come with where they stand."""

    heading: str
    lines: tuple[str, ...]
    units: tuple[UnitCard, ...]
    rules: tuple[tuple[str, str], ...]
    answers: tuple[str, ...] = ()


class Look(msgspec.Struct):
    """What a moment looks like to somebody; what he believes of it, once that is asked."""

    state: Any
    looking: Audience
    view: View
    belief: Any = None


class Table:
    """A game as one of its people sees it, now or at an earlier moment.

    `at` is the moment looked at, None for the present; `seat` is who looks. `cited` are the
    rulings last cited, the newest first.
    """

    def __init__(self, session: Session, seat: Side = "") -> None:
        self.session = session
        self.title = session.title
        self.presenter: Presenter = presenter_for(session.title.info.slug)
        self.cite: Cite = not_yet
        self.seat = seat or session.seat()
        self.at: int | None = None
        self.is_stepwise = False
        self.is_stopped = False
        self.sight_from: Hex | None = None
        self.cited: tuple[Ruling, ...] = ()
        self.chances = Chances()
        self._fates: tuple[Decision | None, tuple[Foretold, ...] | None] = (None, ())
        self._ahead: tuple[Decision | None, list[Ahead]] = (None, [])
        self.guide = guide_of(session.title.info.slug, session.scenario.id, session.header.note)
        self.frames: list[Frame] = []
        self.lines: list[Told] = []
        self.chronicle = Chronicle(self._before, self._after, self.presenter)
        self._seen = 0
        self._tellers: dict[Audience, Teller] = {}
        self._last: Look | None = None
        self._reviewed = 0
        self._layer = ""
        self._delegated: tuple[Side, str] | None = None
        self._verbs: dict[tuple[Side, str], str] = {}  # last chosen, by question
        self._refused: tuple[Decision, str] | None = None
        self._failed: tuple[Decision, str] | None = None  # where a player of the program did
        self.placing = Placing(self)
        self.orders = Orders(self)
        self.refresh()

    # Who looks, and when

    @property
    def looking(self) -> Audience:
        """Who looks at the table."""
        seats = self.session.seats
        is_told_all = discretion.is_told_all(self.session.position, seats)
        is_over = is_told_all and discretion.has_people(seats)
        return Audience(self.title, (self.seat,), tuple(seats), is_told_all, is_over)

    @property
    def is_past(self) -> bool:
        """Whether an earlier moment is looked at."""
        return self.at is not None

    @property
    def decision(self) -> Decision | None:
        """What is asked now, of whomever."""
        return self.session.decision

    @property
    def question(self) -> Decision | None:
        """What a person here is asked now, and sees."""
        decision = self.decision
        is_here = decision is not None and self.session.seats[decision.side] == HUMAN
        return decision if is_here and not self.is_past else None

    @property
    def view(self) -> View:
        """The table at the moment looked at, as far as it is shown."""
        return self._look().view

    def _belief(self) -> Any:
        """The moment looked at as far as the one who looks knows it."""
        look = self._look()
        if look.belief is None:
            look.belief = self.title.belief(look.state, self.seat)
        return look.belief

    def _look(self) -> Look:
        """One look at a moment serves until another moment, or somebody else, is looked at."""
        state = self.session.position.draft if self.at is None else self.frames[self.at].state
        looking, last = self.looking, self._last
        if last is None or last.state is not state or last.looking != looking:
            self._last = last = Look(state, looking, looking.view(state))
        return last

    def refresh(self) -> None:
        """Look at what has happened since."""
        looking = self.looking
        self.frames = looking.moments(self.session.moments())
        if looking not in self._tellers:
            self._tellers[looking] = Teller(looking)
        self.lines = self._tellers[looking].tell(self.frames)
        if self.at is None:
            self._seen = len(self.lines)
        self.chronicle.take(self.lines[: self._seen])
        if self.at is not None and self.at >= len(self.frames):
            self.at = None

    def _before(self, told: Told) -> View:
        """The table before a line, as it was seen when it was told."""
        return self._tellers[self.looking].before(told)

    def _after(self, told: Told) -> View:
        """The table after a line, as it was seen when it was told."""
        return self._tellers[self.looking].after(told)

    def change_seat(self) -> bool:
        """Whoever is asked sits down, but not while the past or the end is looked at; whether
        another person has to come to the table."""
        if self.is_past or self.session.position.outcome is not None:
            return False
        before, self.seat = self.seat, self.session.seat()
        return before != self.seat and len(self.session.humans) > 1

    # Past and present

    @property
    def past_note(self) -> str:
        """Which line is looked at, and how to come back; nothing in the present."""
        if self.at is None:
            return ""
        return _("IN THE PAST · line {place} of {of} · End comes back to the present",
                 place=self.at + 1, of=self._seen)  # fmt: skip

    @property
    def is_coming(self) -> bool:
        """Whether in step mode something has happened that is not shown yet."""
        return self._seen < len(self.lines)

    def outcome(self) -> Result:
        """What is told of the last outcome: in the past of the action looked at; else of the last
        thing that somebody did, and of the reader's own last one before it."""
        chronicle, actions = self.chronicle, self.chronicle.actions
        if self.at is not None:
            shown = chronicle.action_of(self.at)
            is_coming = self._seen < len(self.lines)
            return (result_of(chronicle, shown, self.presenter, self.at, is_coming)
                    if shown is not None else Result(""))  # fmt: skip
        done = [one for one in actions[-MOST_PLACES:] if not one.is_quiet] or actions[-1:]
        if not done:
            return Result("")
        found = result_of(chronicle, done[-1], self.presenter)
        own = [actions[place] for place in self._last_own()]
        if done[-1].side != self.seat and own and self._news_since(own[0].end):
            return msgspec.structs.replace(found, own=result_of(chronicle, own[0], self.presenter))
        return found

    def _last_own(self) -> list[int]:
        """The place of the reader's last action, if he has done one."""
        actions = self.chronicle.actions
        backwards = range(len(actions) - 1, -1, -1)
        own = (n for n in backwards if actions[n].side == self.seat and not actions[n].is_quiet)
        return [n for n in [next(own, -1)] if n >= 0]

    def _news_since(self, line: int) -> list[Action]:
        """What others have done from a line on, and what befell by itself."""
        actions = reversed(self.chronicle.actions)
        found = list(takewhile(lambda one: one.first >= line, actions))
        return [one for one in reversed(found) if not one.is_quiet and one.side != self.seat]

    @property
    def news(self) -> list[Action]:
        """What others have done since the reader's last action, unless he has seen it again."""
        if self.is_past:
            return []
        own = [self.chronicle.actions[place].end for place in self._last_own()]
        return self._news_since(max(self._reviewed, *own, 0))

    @property
    def news_words(self) -> str:
        """That there is something to look at again; nothing where there is not."""
        news = self.news
        if not news:
            return ""
        sides = dict.fromkeys(action.side for action in news if action.side)
        who = ", ".join(self.presenter.army(side).name for side in sides)
        if not who:
            return _n("{n} thing happened · Space shows it again",
                      "{n} things happened · Space shows them again",
                      n=len(news))  # fmt: skip
        return _n("{who}: {n} action · Space shows it again",
                  "{who}: {n} actions · Space shows them again",
                  n=len(news), who=who)  # fmt: skip

    @property
    def begun(self) -> str:
        """That the rules have played some phases before the reader's first answer, and which key
        shows them; nothing where they have not, or where a guide tells it."""
        if self._last_own() or self.guide is not None:
            return ""
        phases = []
        for action in self.news:
            steps = [line.step for line in self.lines[action.first : action.end]]
            opened = [str(step.ruling.msg.facts["phase"]) for step in steps
                      if self.presenter.opens(step) is Opens.PHASE
                      and "phase" in step.ruling.msg.facts]  # fmt: skip
            phases += opened[-1:]  # as the heading of the action
        if not phases:
            return ""
        said = "; ".join(self.presenter.name("phase", phase) for phase in phases)
        return _("The game has begun: {phases}. Space shows it from the beginning.", phases=said)

    @property
    def told(self) -> list[Told]:
        """What has happened up to the moment looked at."""
        return self.lines if self.at is None else self.lines[: self.at + 1]

    def look_at(self, index: int) -> None:
        """Look at the moment after a line; the last one is the present. What is looked at for the
        first time is in the chronicle from now on."""
        was_past = self.is_past
        self.at = None if index >= len(self.frames) - 1 else max(0, index)
        self._seen = len(self.lines) if self.at is None else max(self._seen, self.at + 1)
        if was_past and self.at is None:
            self._reviewed = self._seen
        self.chronicle.take(self.lines[: self._seen])

    def look_at_now(self) -> None:
        """Come back to the present."""
        self.look_at(len(self.frames))

    def walk(self, by: int) -> bool:
        """Go a line forward or back in what has happened; False where there is none before."""
        if not self.frames or (by < 0 and self.at == 0):
            return False
        self.look_at((len(self.frames) - 1 if self.at is None else self.at) + by)
        return True

    # What is said

    def headline(self, is_brief: bool = False) -> list[str]:
        """What the top line says, the most telling first."""
        session = self.session
        parts = list(self.presenter.headline(self.view))
        if not is_brief:
            parts.append(session.scenario.name)
        if session.game.studio:
            parts.append(_("studio"))
        if session.ledger is not None:
            parts.append(_("by post, mail {n}", n=len(session.ledger.mails)))
        elif session.header.real_dice and self.title.info.has_dice:
            parts.append(_("real dice"))
        elif self.looking.is_told_all:
            header = session.header
            words = _("chosen seed {seed}") if header.has_chosen_seed else _("seed {seed}")
            parts.append(words.format(seed=header.seed))
        return [parts[0][:1].upper() + parts[0][1:], *parts[1:]]

    def prompt(self) -> Prompt:
        """What is asked or said now."""
        decision, outcome = self.decision, self.session.position.outcome
        if self.is_coming:
            return Prompt(Ask.NOTHING, _("Space shows the next step, End all of them."))
        if outcome is not None:
            return self._ended(outcome)
        if self.session.is_away:
            return self._by_post(waiting(self.session))
        if self.session.is_spent:
            return Prompt(Ask.NOTHING, spent())
        if decision is None:
            return Prompt(Ask.NOTHING, _("Space goes on."))
        who, ruling = self.presenter.army(decision.side).name, decision.ruling
        if self.session.is_bot_turn:
            said = f"{who}: {self.presenter.say(decision.ruling.msg)}  {self._about_program()}"
            return Prompt(Ask.NOTHING, said, ruling=ruling)
        return Prompt(Ask.ANSWER, who=who, ruling=ruling)

    def _ended(self, outcome: Outcome) -> Prompt:
        back = _("Backspace walks back through the game, M opens the menu.")
        said, ruling = f"{ending(outcome, self.presenter)} {back}", outcome.ruling
        if self.session.ledger is not None:
            return msgspec.structs.replace(self._by_post(said), ruling=ruling)
        return Prompt(Ask.NOTHING, said, ruling=ruling)

    def _by_post(self, said: str) -> Prompt:
        """It is the turn of somebody elsewhere: what can be done about it here."""
        if self.session.is_old_post:
            return Prompt(Ask.NOTHING, said)
        return Prompt(Ask.POST, said, offers=by_number(self.session))

    def _about_program(self) -> str:
        """What the program's player does."""
        if self.is_stopped and self.has_failed and self._failed is not None:
            go_on = _("Space has it answer at random, this once.")
            return f"{self._failed[1]} {go_on}"
        if self.is_stopped:
            return _("(stopped: Space lets it go on)")
        return _("(the program thinks… Esc stops it)")

    @property
    def is_by_post(self) -> bool:
        """Whether what can be answered now is what the post offers."""
        return bool(self.session.ledger is not None and self.session.awaited) and not self.is_past

    @property
    def is_waiting(self) -> bool:
        """Whether Space lets somebody go on: a program that was stopped, or dice to be typed in."""
        return self.is_stopped or self.session.position.request is not None

    def why_closed(self) -> str:
        """Why nothing can be answered now; empty if something can."""
        session = self.session
        if self.is_past:
            return _("This is the past: Esc comes back to the game.")
        if session.is_away:
            return _("Somebody elsewhere has to answer: 1 writes the mail, 2 takes one in.")
        if session.is_spent:
            return spent()
        if session.position.request is not None:
            return _("The dice wait: Space asks for them again.")
        if session.decision is None:
            return _("Nothing is asked now.")
        if session.is_bot_turn and self.is_stopped:
            return _("The program was stopped: Space lets it go on.")
        if session.is_bot_turn or self.is_delegated:
            return _("The program is thinking: Esc stops it.")
        return ""

    # The program's player

    @property
    def has_failed(self) -> bool:
        """Whether the program's player has failed at this very question."""
        return self._failed is not None and self._failed[0] is self.decision

    def stop(self, fault: str = "") -> None:
        """The program waits, for a fault of its player if one is told."""
        self.is_stopped = True
        if fault and self.decision is not None:
            self._failed = (self.decision, fault)

    def take_program_answer(self, option: str, reason: Msg | None) -> Hex | None:
        """Answer for the program; where on the map that is to be seen, if somewhere."""
        is_walked, before = self.is_stepwise and self.at is None, len(self.frames)
        self.session.answer(option, reason)
        self.refresh()
        if is_walked:
            self._begin_walk(before)
        if self._seen < len(self.frames):  # what is not shown yet is not pointed at
            return None
        facts = self.frames[-1].step.ruling.msg.facts if self.frames else {}
        for key in ("target", "unit", "hex"):
            hex = self.hex_of(("h:" if key == "hex" else "u:") + str(facts.get(key, "")))
            if hex is not None:
                return hex
        return None

    # The map

    def hex_of(self, option_id: str) -> Hex | None:
        """Where an option lies on the map."""
        decision = self.decision
        return places.hex_of(self.view, decision, option_id) if decision is not None else None

    def options_at(self, hex: Hex) -> list[str]:
        """The answers that lie on a hex."""
        options = self.decision.options if self.decision is not None else ()
        return [option.id for option in options if self.hex_of(option.id) == hex]

    @property
    def lit(self) -> tuple[Hex, ...]:
        """The hexes on which answers lie."""
        if self.is_past or self.prompt().asks is not Ask.ANSWER or self.decision is None:
            return ()
        return places.lit(self.view, self.decision)

    @property
    def crossed(self) -> tuple[Hex, ...]:
        """The hexes to be crossed out: those where all is forbidden, if they are not too many."""
        question = self.question
        return places.crossed(self.view, question) if question is not None else ()

    def refusal_at(self, hex: Hex) -> Refusal | None:
        """Why a hex cannot be chosen; None if nothing is asked."""
        decision = self.decision
        if decision is None:
            return None
        for option in decision.refused:
            if self.hex_of(option) == hex:
                return Refusal(option, decision.why_not(option))
        stray = Ruling(decision.ruling.refs, Msg(N_("it is not among the answers")))
        return Refusal(f"h:{self.view.label(hex)}", (stray,))

    def way_to(self, target: Hex) -> list[str]:
        """The small answers that lead to a far hex; none if it cannot be reached in one go."""
        decision, view = self.decision, self.view
        if decision is None:
            return []
        near = {hex for option in decision.options if option.id[:2] == "h:"
                if (hex := self.hex_of(option.id)) is not None}  # fmt: skip
        path: Sequence[Hex] = ()
        for overlay in self.overlays():
            if target in overlay.paths:
                path = overlay.paths[target][1:]
            elif overlay.id == "reach" and target in overlay.hexes:
                path = path_to(target, overlay.hexes, near)
        return [f"h:{view.label(hex)}" for hex in path]

    def subjects(self) -> list[Hex]:
        """The hexes that the question is about: who acts, on what, and where."""
        decision = self.decision
        return places.subjects(self.view, decision) if decision is not None else []

    def shot(self, since: int = 0) -> Sight | None:
        """The line between who fires and at what, once it is told: in the past of the step looked
        at; in the present of what was done last, if some of it came after the first lines."""
        lines = self._last_done(since)
        if not lines:
            return None
        return self.presenter.shot([line.step for line in lines], self._before(lines[-1]))

    def scene(self, since: int = 0) -> list[Hex]:
        """Where something was done last: the ends of a shot, the target first; or what was fought
        for, once it has been decided."""
        shot = self.shot(since)
        if shot is not None:
            return [shot.b, shot.a]
        lines = self._last_done(since)
        if not any(self.presenter.is_verdict(line.step) for line in lines):
            return []
        deed = self.chronicle.done(lines)
        return list(self.presenter.lit(deed.step.ruling.msg, self._before(deed)))[::-1]

    def _last_done(self, since: int) -> Sequence[Told]:
        """The lines, as far as they are told, of the action that is looked at; in the present of
        the last one that somebody did, if some of it came after the first lines."""
        at = self._seen - 1 if self.at is None else self.at
        action = self.chronicle.action_of(at)
        if self.at is None:
            actions = reversed(self.chronicle.actions[-MOST_PLACES:])
            action = next((one for one in actions if not one.is_quiet), None)
        if action is None or (self.at is None and action.end <= since):
            return ()
        return self.lines[action.first : min(action.end, at + 1)]

    def overlays(self) -> tuple[Overlay, ...]:
        """What the map tints at the open question."""
        question = self.question
        return self.title.overlays(self._belief(), question) if question is not None else ()

    def lit_by_step(self) -> tuple[Mapping[Hex, str], Mapping[Hex, str]]:
        """In the past, the hexes of the step; and with those of the steps that it belongs to."""
        assert self.at is not None
        return lit_at(self.frames, self.at, self.presenter, self.view)

    def layers(self) -> tuple[Layer, ...]:
        """What can be laid over the map."""
        return self.title.layers(self._belief(), self.seat)

    def next_layer(self) -> tuple[int, tuple[Layer, ...]]:
        """Take the next sheet, after the last one none; its number from 1, and all there are."""
        layers = self.layers()
        ids = ["", *[layer.id for layer in layers]]
        place = (ids.index(self._layer) + 1 if self._layer in ids else 1) % len(ids)
        self._layer = ids[place]
        return place, layers

    def take_off_layer(self) -> bool:
        """Take away the sheet that lies over the map; False if there is none."""
        had_one, self._layer = bool(self._layer), ""
        return had_one

    def sheets(self) -> Sheets:
        """What lies over the map: the chosen sheet, and over the past what the step is about."""
        if self.at is not None:
            return Sheets(self.lit_by_step()[1])
        layers = self.layers() if self._layer else ()
        hexes = next((layer.hexes() for layer in layers if layer.id == self._layer), {})
        return Sheets(control=hexes) if self._layer == "control" else Sheets(hexes)

    def legend(
        self, overlays: Iterable[Overlay], sight: Sight | None, has_chances: bool
    ) -> tuple[Key, ...]:
        """What lies over the map, in words."""
        if self.at is not None:
            return (Key("step", "", _("what the step is about")),)
        layer = next((one for one in self.layers() if one.id == self._layer), None)
        return legend(self.presenter, overlays, layer, sight, has_chances)

    def sight(self, a: Hex, b: Hex) -> Sight | None:
        """The line of sight between two hexes, explained; None where a title does not tell."""
        return self.title.sight(self._belief(), a, b)

    def inspect(self, hex: Hex) -> tuple[Ruling, ...]:
        """What the rules say of a hex."""
        return self.title.inspect(self._belief(), hex)

    def at_hand(self, hex: Hex | None = None) -> frozenset[RuleRef]:
        """The rules of what a person has before him: the question and what it forbids, what was
        last cited, and the hex that he points at."""
        question = self.question
        against = question.refused.values() if question is not None else ()
        rulings = [*self.cited, *(ruling for found in against for ruling in found)]
        rulings += [question.ruling] if question is not None else []
        rulings += self.inspect(hex) if hex is not None else ()
        return frozenset(ref for ruling in rulings for ref in ruling.refs)

    def describe(self, hex: Hex) -> str:
        """A hex in a few lines: what is there, and what the rules say of it."""
        view = self.view
        told = [(self.presenter.say(r.msg), r.refs[0]) for r in self.inspect(hex)]
        once = {said for said, _ref in told}
        shown = [li for li in self.presenter.describe(view, hex).splitlines() if li not in once]
        label = view.label(hex) + ": "
        for place, (said, ref) in enumerate(told):
            words = said.removeprefix(label) if place or shown else said
            shown.append(f"{words}  {self.cite(ref)}")
        return "\n".join(shown)

    def card(self, hex: Hex) -> HexCard:
        """A hex with all that a player may know of it: units, ground, rules, what can be done."""
        view, question = self.view, self.question
        heading, *lines = self.presenter.ground_lines(view, hex)
        label = view.label(hex) + ": "
        rules = []
        for ruling in self.inspect(hex):
            said = self.presenter.say(ruling.msg).removeprefix(label)
            if label + said != heading:
                rules.append((said[:1].upper() + said[1:], self.cite(ruling.refs[0])))
        options = question.options if question is not None else ()
        here = [option for option in options if self.hex_of(option.id) == hex]
        answers = [self.presenter.answer(option.id, option.msg) for option in here]
        units = self.presenter.units(view, hex)
        return HexCard(heading, tuple(lines), units, tuple(rules), tuple(answers))

    # Answering

    def give(self, options: Sequence[str]) -> Given:
        """Give answers one after the other while the same question is asked."""
        decision = self.decision
        assert decision is not None
        asked = (decision.side, decision.id)
        given, before = 0, len(self.frames)
        for option in options:
            decision = self.decision
            if decision is None or (decision.side, decision.id) != asked:
                break
            try:
                self.orders.hear(decision, option)
                self.session.answer(option)
            except Refused as refused:
                return Given(given, Refusal(option, refused.rulings))
            given += 1
            if decision.id in self.title.info.verbs and option.startswith("b:"):
                self._verbs[decision.side, decision.id] = option
        self.follow_guide(is_own=True)
        self.refresh()
        if self.is_stepwise:
            self._begin_walk(before)
        return Given(given)

    @property
    def default(self) -> str | None:
        """The answer that is marked at first: the verb that was last chosen at such a question."""
        question = self.question
        last = self._verbs.get((question.side, question.id)) if question is not None else None
        is_there = question is not None and last is not None and question.option(last) is not None
        return last if is_there else None

    def _begin_walk(self, first: int) -> None:
        """In step mode, show the first of the lines that have come, and not yet the others."""
        if first < len(self.frames) - 1:
            self.at, self._seen = first, first + 1
            self.chronicle.take(self.lines[: self._seen])

    def refuse(self, refusal: Refusal) -> bool:
        """Take note of a refusal that is told; whether the same was told just before."""
        self.cited = refusal.rulings
        decision, before = self.decision, self._refused
        is_again = before is not None and before[0] is decision and before[1] == refusal.option
        self._refused = None if is_again or decision is None else (decision, refusal.option)
        return is_again

    @property
    def is_delegated(self) -> bool:
        """Whether the program is answering this question for the person."""
        decision = self.decision
        is_this = decision is not None and self._delegated == (decision.side, decision.id)
        return is_this or self.placing.is_by_program

    def begin_delegation(self) -> None:
        """The program answers for the person from now on, until another question is asked."""
        self._delegated = (self.decision.side, self.decision.id) if self.decision else None

    def end_delegation(self) -> None:
        """The person answers again."""
        self._delegated = None
        self.follow_guide(is_own=True)

    def take_back(self, studio: bool) -> None:
        """Take back the last answer; UndoRefused if it may not be."""
        entries = self.session.game.entries
        self.session.undo(studio)
        self.orders.stop()
        self.placing.stop()
        self.placing.remember(entries[len(self.session.game.entries) :])
        self.at = None

    def repeat(self) -> None:
        """Repeat what was taken back; UndoRefused if nothing was."""
        self.session.redo()

    def came_by_mail(self) -> None:
        """The game has gone on by mail."""
        self.at = None

    # What is reckoned

    @property
    def is_reckoning(self) -> bool:
        """Whether the odds of the open question are being reckoned."""
        is_wanted = self.chances.is_of(self.question)
        return is_wanted and self.chances.progress is Progress.GOING

    def begin_reckoning(self) -> Position[Any] | None:
        """Where odds are to be reckoned from now on; None where there are none, where they are
        known, and where it is under way."""
        question = self.question
        if self.chances.is_of(question):
            return None
        questions = self.session.questions() if question is not None else ()
        if question is None or not questions:
            if self.chances.progress is Progress.GOING:
                self.chances.forget()
            return None
        self.chances.begin(question, len(questions))
        return self.session.position

    def hear(self, at: Position[Any], one: Reckoned) -> bool:
        """Take odds that were reckoned at a position; False if they come too late."""
        assert at.decision is not None
        is_open = at.decision is self.question
        return is_open and self.chances.hear(at.decision, one, self.presenter)

    def reckon_here(self) -> list[Reckoned]:
        """The odds of the open question, at once: for who has nothing else to do meanwhile."""
        at = self.session.position
        return list(reckon(self.title, at)) if self.question is not None else []

    def glance(self, option: str) -> Glance:
        """What is said of the chance of an answer beside it."""
        is_known = self.chances.is_of(self.question)
        return glance(self.chances, option, self.presenter) if is_known else Glance()

    def why(self, option: str | None, quote: Quote = no_words) -> list[Row]:
        """The why of the chances of an answer, or where there will be some; then what the rules
        foretell."""
        question, rows = self.question, []
        if question is not None and self.chances.is_of(question):
            rows = [Row(Kind.NOTE, self.chances.note)] if self.chances.note else []
            if any(one.odds for one in self.chances.found):
                rows += page(self.chances, question, option, self.presenter, quote)
        elif question is None:
            rows = [Row(Kind.NOTE, _("There is nothing to reckon here."))]
        elif self._ahead[0] is question:
            rows = [*leading(self._ahead[1], option, question, self.presenter)]
        if not rows and self._fates[0] is question and self._fates[1] is None:
            rows.append(Row(Kind.NOTE, _("Reckoning…")))
        return [*rows, *fates(self.foretold, self.presenter)]

    def begin_foreseeing(self) -> Position[Any] | None:
        """Where it is to be found out what answers lead to, since none has odds; None where that
        is known or under way."""
        question = self.question
        if question is None or self._ahead[0] is question or self.chances.is_of(question):
            return None
        self._ahead = question, []
        return self.session.position

    def hear_ahead(self, at: Position[Any], one: Ahead) -> bool:
        """Take what an answer leads to; False if it comes too late."""
        if at.decision is None or at.decision is not self.question:
            return False
        self._ahead[1].append(one)
        return True

    def why_here(self, quote: Quote = no_words, option: str | None = None) -> list[Row]:
        """The chances of every answer, or of one, with their why, and what the rules foretell, at
        once: for who has nothing else to do."""
        question = self.question
        if question is None:
            return [Row(Kind.NOTE, _("There is nothing to reckon here."))]
        at = self.session.position
        if self.begin_reckoning() is not None:
            for one in self.reckon_here():
                self.hear(at, one)
            self.chances.end(question)
        if self.begin_foretelling() is not None:
            self.hear_foretold(at, [*foretell(self.title, at)])
        found = self.chances.found if self.chances.is_of(question) else ()
        if option is not None or not found:
            if self.begin_foreseeing() is not None:
                for ahead in foresee(self.title, at):
                    self.hear_ahead(at, ahead)
            return self.why(option, quote)
        told: dict[str, set[tuple[object, ...]]] = {one.option: set() for one in found}
        rows = [row for one in found
                for row in of_one(one, self.presenter, quote, told[one.option])]  # fmt: skip
        rows += assumed(found, self.presenter, quote)
        rows += compared(self.chances, question, None, self.presenter)
        return [*rows, *fates(self.foretold, self.presenter)]

    def begin_foretelling(self) -> Position[Any] | None:
        """Where the rules are to foretell from now on; None where that is known or under way."""
        question = self.question
        if question is None or self._fates[0] is question:
            return None
        self._fates = question, None
        return self.session.position

    def hear_foretold(self, at: Position[Any], found: Sequence[Foretold]) -> bool:
        """Take what the rules foretell at a position; False if it comes too late."""
        if at.decision is None or at.decision is not self.question:
            return False
        fire = [one for one in found if "chance" in one.ruling.msg.facts]
        rest = [one for one in found if "chance" not in one.ruling.msg.facts]
        self._fates = at.decision, (*sorted(fire, key=lambda one: -one.share), *rest)
        return True

    @property
    def foretold(self) -> tuple[Foretold, ...]:
        """What the rules foretell of the units of the seat, the worst first, once that is heard."""
        question = self.question
        return self._fates[1] or () if question is not None and self._fates[0] is question else ()

    # The guide

    def follow_guide(self, is_own: bool = False) -> None:
        """Let the guide see what happened, after an answer of the reader or not."""
        if self.guide is not None:
            given = self.session.answers_of(self.seat)
            self.guide.follow(self.decision, self.session.game.steps, is_own, given)
            self.keep_guide()

    @property
    def proposed(self) -> str | None:
        """The answer that the guide proposes now, if it does."""
        return self.guide.proposes(self.question) if self.guide is not None else None

    @property
    def is_astray(self) -> bool:
        """Whether the guide proposes answers and the question that is open has none of them."""
        guide = self.guide
        if guide is None or guide.lesson is None or self.question is None:
            return False
        has_some = bool(guide.lesson.answers) and guide.at == guide.due
        return has_some and self.proposed is None

    def keep_guide(self) -> None:
        """Remember with the game where the guide is."""
        if self.guide is not None:
            self.session.keep(self.guide.note)


def ending(outcome: Outcome, presenter: Presenter) -> str:
    """How a game ended, naming the winner once; alone against the game there may be none."""
    winner = presenter.army(outcome.winner).name if outcome.winner else ""
    why = presenter.say(outcome.ruling.msg)
    if winner and winner not in why:
        return _("The game is over: {who}. {why}", who=winner, why=why)
    return _("The game is over. {why}", why=f"{why[:1].upper()}{why[1:].rstrip('.')}.")
