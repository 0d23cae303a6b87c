"""What must hold on the screen after every gesture of a player."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

from textual.app import App
from textual.command import Command, CommandList, CommandPalette
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option
from textual.worker import WorkerState

from app.screens.app import ProntuarioApp
from app.screens.palette import RuleCommands
from app.screens.play import PlayScreen
from app.screens.rules import RulesScreen
from app.shell.i18n import IN, Catalog, catalog
from app.shell.paths import data_folder
from app.widgets.decision_bar import DecisionBar
from app.widgets.hexmap import HexMap
from engine.core.text import Msg
from engine.core.view import View
from engine.titles import TITLES
from tests.screen.known import CUT, ENGLISH, NAMELESS, UNTRANSLATED

ENGLISH_WORDS = """
with your which where whose what when unit units fire fires move
moves turn game choose chooses press next previous focus search find loading error failed hex
target attack attacks advance retreat pinned broken shaken wounded activated dummy unknown roll
rolls lost wins draw open close back forward reckoning none quit help title
"""
"""Words that no screen in Italian shows, and that are no end of an Italian one."""
OWN_TERMS = [
    "fire",
    "turn",
    "open",
    "broken",
    "pinned",
    "advance",
    "target",
    "unit",
    "hex",
    "move",
    "roll",
]
"""Terms that ASL Starter Kit keeps in English, as its book does."""
OWN_NAMES = ("Close Combat", "Game Turn")
"""… and those of several words, of which one alone would not do."""
PATH = re.compile(r"[\w/-]*\w\.(?:py|yaml|json|prontuario)\b|(?<!\w)/(?:[a-z.-]{3,}/)+")
WORD = re.compile(r"[^\W\d_]{3,}")
OPTION_ID = re.compile(r"\b[uhcb]:[\w:-]+")
MOVING = "up down left right home end pageup pagedown tab shift+tab full_stop comma plus minus"
QUOTING = "PageView, RulePane, ResultList, HexMap, CommandList"
"""What shows words of the books, or a window on words."""
STILL = frozenset([*MOVING.split(), "h"])
"""Keys that move something: at its end they move nothing, and need not say so."""


class Offence(AssertionError):
    """Something on the screen that must not be."""


class Eyes:
    """Looks at the screen before and after a gesture; offences carry the story so far."""

    def __init__(self, monkeypatch: Any) -> None:
        self._story: list[str] = []
        self._said = 0
        self._seen: list[Strip] = []
        self._untranslated: set[str] = set()
        self.known_met: set[str] = set()
        self._listen(monkeypatch)

    def _listen(self, monkeypatch: Any) -> None:
        """Hear every sentence that the program says, and every word it has no Italian for."""
        eyes = self

        def notify(app: App[Any], *args: Any, **kwargs: Any) -> None:
            eyes._said += 1
            true_notify(app, *args, **kwargs)

        def say(bar: DecisionBar, text: Any) -> None:
            eyes._said += bool(str(text))
            true_say(bar, text)

        def spoken(self: Catalog, msg: Msg, name: Any = None, title: str = "") -> str:
            if not known_to(self, msg.id, title):
                eyes._untranslated.add(msg.id)
            return true_spoken(self, msg, name, title)

        true_notify, true_say, true_spoken = App.notify, DecisionBar.say, Catalog.say
        monkeypatch.setattr(App, "notify", notify)
        monkeypatch.setattr(DecisionBar, "say", say)
        monkeypatch.setattr(Catalog, "say", spoken)

    def story(self) -> str:
        """The last gestures."""
        return " · ".join(self._story[-25:])

    @asynccontextmanager
    async def on(
        self, gesture: str, app: ProntuarioApp, must_change: bool = True
    ) -> AsyncIterator[None]:
        """Look before and after; what is being laid out gets a moment to come to rest."""
        before, said, screen = self._seen, self._said, app.screen
        key = gesture.removeprefix("key ")
        is_bound = key == gesture or is_key_of(screen, key)
        self._story.append(gesture)
        yield
        for patience in (0.02, 0.1, 0.3, 0):
            try:
                self._after(gesture, app, must_change and is_bound, before, said, screen)
            except Offence as offence:
                if not patience or app._exception is not None:
                    raise Offence(f"{offence}\nafter: {self.story()}\n{self.text}") from None
                await asyncio.sleep(patience)
            else:
                return

    def _after(
        self, gesture: str, app: ProntuarioApp, is_due: bool, before: list[Strip], said: int,
        screen: Screen[Any],
    ) -> None:  # fmt: skip
        """What must hold now that the gesture is over."""
        self._alive(app)
        self.look(app)
        is_table = isinstance(screen, PlayScreen) and app.screen is screen
        is_moving = gesture.removeprefix("key ") in STILL or isinstance(app.focused, Input)
        if is_due and is_table and not is_moving and self._said == said and self._seen == before:
            raise Offence(f"«{gesture}» changes nothing and says nothing")

    @property
    def text(self) -> str:
        """All that is drawn, as text."""
        return "\n".join(strip.text for strip in self._seen)

    def _alive(self, app: ProntuarioApp) -> None:
        """No fault ended the program, or a part of it."""
        if app._exception is not None:
            raise Offence(f"the program ends: {app._exception!r}") from app._exception
        failed = [w for w in app.workers if w.state == WorkerState.ERROR]
        if failed:
            raise Offence(f"a worker failed: {failed}")
        details = sorted((data_folder() / "guasti").glob("*"))
        if details:
            raise Offence(f"a fault was noted:\n{details[-1].read_text(encoding='utf-8')}")

    def look(self, app: ProntuarioApp) -> None:
        """All that must hold of what is on the screen now."""
        self._seen = list(app.screen._compositor.render_strips())
        screen = app.screen
        self._focus(app)
        if isinstance(screen, PlayScreen):
            self._question(screen)
            self._counters(screen)
        self._words(app)

    def _focus(self, app: ProntuarioApp) -> None:
        """The focus lies on something in sight, or on the screen itself where nothing takes it."""
        focused = app.focused
        if focused is None:
            if isinstance(app.screen, PlayScreen):
                raise Offence("nothing has the focus")
            return
        if not focused.is_attached or not is_seen(focused):
            raise Offence(f"the focus is on {focused!r}, which is not in sight")
        if isinstance(app.screen, PlayScreen) and not isinstance(focused, Input):
            keys = set(app.screen.active_bindings)
            if not {"1", "u", "slash", "f1"} <= keys:
                raise Offence(f"with the focus on {focused!r} the keys of the table are dead")

    def _question(self, table: PlayScreen) -> None:
        """The question, or what goes on instead, is in sight, and its answers with it unless
        something is read over a narrow table."""
        question = table.query_one("#question")
        if not is_seen(question) or not str(question.render()).strip():
            raise Offence("the question is not in sight")
        session = table.session
        if session.decision is None or session.is_bot_turn or session.is_away or table.is_past:
            return
        if table.has_class("-narrow") and table.has_class("-side-open"):
            return  # what is read lies over the answers; the question is still there
        answers = table.query_one("#answers", OptionList)
        if not is_seen(answers) or not answers.option_count:
            raise Offence("the answers are not in sight")

    # Words

    def _words(self, app: ProntuarioApp) -> None:
        self._judge("untranslated", self._untranslated, UNTRANSLATED)
        text = self.text
        terms, own = (OWN_TERMS, OWN_NAMES) if is_of(app, "aslsk") else (frozenset(), ())
        for name in (*names(), *own):
            text = text.replace(name, "_" * len(name))
        prose = re.sub(r"\w*…+\w*", "", self._prose(app, text))  # a part of a word is none
        words = {word.lower() for word in re.findall(r"[^\W\d_]+", prose)}
        self._judge("english", words.intersection(ENGLISH_WORDS.split()).difference(terms), ENGLISH)
        found = {*PATH.findall(text), *OPTION_ID.findall(text)}
        table = app.screen
        if isinstance(table, PlayScreen):
            view = table.query_one(HexMap).view
            tokens = set(re.findall(r"[\w-]+", text))
            found |= tokens.intersection(ids_of(view) if view is not None else ())
        self._judge("nameless", found, NAMELESS)

    def _prose(self, app: ProntuarioApp, text: str) -> str:
        """The screen without what is quoted from rules, which cite the terms of their book, and
        without the map, whose window cuts words."""
        lines = text.splitlines()
        said = []
        for screen in app.screen_stack:  # one may be seen through another
            for part in screen.query(QUOTING):
                x, right, blank = part.region.x, part.region.right, "…" * part.region.width
                for y in range(part.region.y, min(part.region.bottom, len(lines))):
                    lines[y] = lines[y][:x] + blank + lines[y][right:]
            for commands in screen.query(CommandList):
                said += [str(one.prompt) for one in commands.options if not is_rule(one)]
        return "\n".join([*lines, *said])

    def _counters(self, table: PlayScreen) -> None:
        """No word on a counter is cut in its middle; those of a unit's name are as printed."""
        board = table.query_one(HexMap)
        if board.painter is None or board.view is None or not is_seen(board):
            return
        x, y, width, height = board.painter.geometry.slots["counter"]
        if height == 1:
            return
        found = set()
        for h in board.painter.table.counters:
            if h in board.painter.table.sight:
                continue  # a line of sight is drawn over what it crosses, as long as it is shown
            rows = board.painter.tile(h)
            here = board.counters_at(h)
            names = " ".join(table.presenter.name("unit", c.id) for c in here)
            letters = " ".join(table.presenter.counter(c).states for c in here)
            for k in range(height):
                row = "".join(segment.text for segment in rows[y + k])
                first = board.painter.geometry.rows[y + k][0]
                drawn = row[x - first : x - first + width]
                found |= set(whole_words_of(drawn)).difference(WORD.findall(f"{names} {letters}"))
        self._judge("cut", {word for word in found if is_cut(word)}, CUT)

    def _judge(self, kind: str, found: set[str], known: frozenset[str]) -> None:
        fresh = []
        for word in sorted(found):
            matching = {pattern for pattern in known if re.fullmatch(pattern, word)}
            self.known_met |= matching
            if not matching:
                fresh.append(word)
        if fresh:
            raise Offence(f"{kind}: {fresh}")


def ids_of(view: View) -> set[str]:
    """The ids of units that nobody may read; those that a hex is called too, and single letters,
    which are words and the signs of squads, tell nothing."""
    ids = {c.id for c in view.counters if c.id[0].islower() and len(c.id) > 1}
    return ids.difference(view.label(h) for h in view.board.hexes())


def is_rule(option: Option) -> bool:
    """Whether a line of the palette is a rule that it has found."""
    command = option.hit.command if isinstance(option, Command) else None
    return isinstance(command, partial) and isinstance(
        getattr(command.func, "__self__", None), RuleCommands
    )


def is_seen(widget: Widget) -> bool:
    """Whether a widget has a place on the screen, inside of it."""
    region = widget.region
    return bool(region) and widget.screen.region.overlaps(region) and widget.display


def is_of(app: ProntuarioApp, slug: str) -> bool:
    """Whether a title is at the table, or all are in the browser."""
    screens = app.screen_stack
    games = [s.session.title.info.slug for s in screens if isinstance(s, PlayScreen)]
    return slug in games or any(isinstance(s, RulesScreen | CommandPalette) for s in screens)


def is_key_of(screen: Screen[Any], key: str) -> bool:
    """Whether a key means something where the focus is."""
    return key in screen.active_bindings


def known_to(words: Catalog, msgid: str, title: str) -> bool:
    """Whether the catalog has a sentence of its own for an id, in the words of the title or in
    those of the program; facts alone need none."""
    if not re.search(r"[^\W\d_]", re.sub(r"{\w+}", "", msgid)):
        return bool(msgid)
    texts = words._translations._catalog  # type: ignore[attr-defined]
    keys = (msgid, f"{title}{IN}{msgid}")
    return any(key in texts or (key, 0) in texts for key in keys)


@cache
def names() -> tuple[str, ...]:
    """Names of titles, scenarios and maps, which keep their language; the longest first."""
    found = {"Prontuario"}
    for title in TITLES.values():
        found |= {title.info.name, *title.info.name.split(":")}
        found |= {info.name for info in title.scenarios()}
    return tuple(sorted(found, key=len, reverse=True))


@cache
def vocabulary() -> frozenset[str]:
    """Every word of the Italian catalog."""
    texts = catalog()._translations._catalog  # type: ignore[attr-defined]
    return frozenset(w.lower() for text in texts.values() for w in re.findall(r"[^\W\d_]+", text))


@cache
def whole_words_of(line: str) -> list[str]:
    """The words of a counter but for those that a full stop marks as abbreviations."""
    return WORD.findall(re.sub(r"[^\W\d_]+\.", " ", line))


def is_cut(word: str) -> bool:
    """Whether a word on a counter is only the beginning of one; letters of states are none."""
    low = word.lower()
    if word not in (low, word.upper(), word.capitalize()):
        return False
    return low not in vocabulary() and any(whole.startswith(low) for whole in vocabulary())
