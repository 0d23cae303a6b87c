"""Somebody who plays at the screen: sees what is drawn, types what the bindings name, clicks.

The player knows of the program what its screens show. Only the eyes (`oracles.Eyes`) look behind:
they check after every gesture what must always hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import textual.app
import textual.pilot
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList, Select

from app.play.keys import key_of
from app.play.session import Session
from app.screens.app import ProntuarioApp
from app.screens.choice import ChoiceScreen
from app.screens.curtain import CurtainScreen
from app.screens.dice_entry import DiceEntryScreen
from app.screens.home import HomeScreen
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.screens.too_small import TooSmallScreen
from app.widgets.hexmap import HexMap
from engine.core.rules import Command
from tests.screen.oracles import Eyes

SIZES = ((120, 40), (80, 24), (100, 30), (200, 60))
TOO_SMALL = (60, 20)
LONGEST = 60.0
"""Seconds that the program may think before the player gives it up for dead."""

Gesture = Callable[["Player"], Awaitable[None]]


@contextmanager
def ready_hands(monkeypatch: Any) -> Iterator[None]:
    """Let the pilot not wait until the processor rests: at a table that counts odds in a thread it
    rests late, and a second a key makes no whole game; `Player.settle` knows better. And paint for
    the eyes alone, once a gesture, not for a terminal that nobody looks at."""

    async def drained(min_sleep: float = 0, max_sleep: float = 0) -> None:
        await asyncio.sleep(0)

    def unpainted(compositor: Compositor, screen_stack: list[Screen[Any]], **_more: Any) -> None:
        visible_screen_stack.set(screen_stack)
        compositor._dirty_regions.clear()

    with monkeypatch.context() as patched:
        patched.setattr(textual.app, "wait_for_idle", drained)
        patched.setattr(textual.pilot, "wait_for_idle", drained)
        patched.setattr(Compositor, "render_update", unpainted)
        yield


def is_waiting(pump: MessagePump) -> bool:
    """Whether a widget has nothing to do until it gets another message."""
    arrival = pump._message_queue.ready_event
    is_listening = bool(arrival._waiters) and not arrival.is_set()
    return pump._closed or (is_listening and not pump._next_callbacks)


def is_quiet(app: ProntuarioApp) -> bool:
    """Whether nothing is going on that a gesture has begun, but for odds, which only add numbers:
    no message on its way, no picture to paint, nobody thinking or searching."""
    if app._exception is not None:
        return True
    if app._resize_event is not None or not all(map(is_waiting, (app, *app._registry))):
        return False
    if any(not worker.is_finished and worker.group != "odds" for worker in app.workers):
        return False
    screen = app.screen
    is_painted = not (screen._layout_required or screen._scroll_required or screen._dirty_widgets)
    return is_painted and not screen._callbacks


class Player:
    """Hands on the keys and the mouse, eyes on the screen."""

    def __init__(self, pilot: Pilot[None], rng: Random, eyes: Eyes, haste: float = 0.1) -> None:
        self.pilot = pilot
        self.app: ProntuarioApp = pilot.app  # type: ignore[assignment]
        self.app.animation_level = "none"
        self.rng = rng
        self.eyes = eyes
        self.haste = haste  # how often the last answer is given: it often ends a phase
        self.given = 0
        self.delegated = 0
        self.gestures = 0

    # What is on the screen

    @property
    def screen(self) -> Screen[Any]:
        """What lies on top."""
        return self.app.screen

    @property
    def table(self) -> PlayScreen:
        """The table, on top or under something."""
        return next(s for s in reversed(self.app.screen_stack) if isinstance(s, PlayScreen))

    @property
    def session(self) -> Session:
        """The game on the table."""
        return self.table.session

    @property
    def is_asked(self) -> bool:
        """Whether the table lies on top and waits for a person."""
        table = self.screen
        if not isinstance(table, PlayScreen) or table.is_past or table.session.is_away:
            return False
        return table.session.decision is not None and not table.session.is_bot_turn

    @property
    def is_thinking(self) -> bool:
        """Whether the program is to answer, and has not been stopped."""
        table = self.screen
        if not isinstance(table, PlayScreen) or table.is_past:
            return False
        return table.session.is_bot_turn and not table.table.is_stopped

    # Hands

    async def press(self, *keys: str) -> None:
        """Type keys, one after the other, and look after each."""
        for key in keys:
            self.gestures += 1
            async with self.eyes.on(f"key {key}", self.app):
                await self.pilot.press(key)
                await self.settle()

    async def write(self, words: str) -> None:
        """Type words into a field."""
        await self.press(*["space" if char == " " else char for char in words])

    async def click(self, selector: str, at: tuple[int, int]) -> None:
        """Click on a widget, and look."""
        self.gestures += 1
        async with self.eyes.on(f"click {selector} {at}", self.app):
            await self.pilot.click(selector, offset=at)
            await self.settle()

    async def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the terminal, and look."""
        self.gestures += 1
        async with self.eyes.on(f"size {size}", self.app, must_change=False):
            await self.pilot.resize_terminal(*size)
            await self.settle()

    async def settle(self) -> None:
        """Wait until the screen is quiet and no program thinks."""
        deadline = asyncio.get_running_loop().time() + LONGEST
        calm = 0
        while calm < 3:  # what ends may begin something else in the next moment
            assert asyncio.get_running_loop().time() < deadline, f"thinks: {self.eyes.story()}"
            self.screen._on_timer_update()  # paint now, not at the next sixtieth of a second
            calm = calm + 1 if is_quiet(self.app) and not self.is_thinking else 0
            await asyncio.sleep(0 if calm else 0.002)

    # Sitting down

    async def begin(self, name: str, seats: dict[int, str], seed: int) -> None:
        """From the first screen to the table, as a person does: list, seats, seed, F5."""
        await self.press("f2")
        assert isinstance(self.screen, NewGameScreen)
        listing = self.screen.query_one("#scenarios", OptionList)
        await self.press("home")
        for _ in range(listing.option_count):
            at = listing.highlighted
            if at is not None and listing.get_option_at_index(at).id == name:
                break
            await self.press("down")
        await self._laid()
        for number, who in seats.items():
            await self._seat(f"#seat-{number}", who)
        await self._tab_to("#seed")
        await self.write(str(seed))
        await self.press("f5")
        assert isinstance(self.screen, PlayScreen | CurtainScreen), self.screen

    async def _laid(self) -> None:
        """Wait until the lists of the scenario are there, and folded."""
        before: list[object] = []
        while (now := list(self.screen.query("Select, .-expanded"))) != before:
            before = now
            await self.pilot.pause(0.1)

    async def _tab_to(self, selector: str) -> None:
        for _ in range(40):
            if self.app.focused is self.screen.query_one(selector):
                return
            await self.press("tab")
        raise AssertionError(f"Tab does not reach {selector}")

    async def _seat(self, selector: str, who: str) -> None:
        await self._tab_to(selector)
        select = self.screen.query_one(selector, Select)
        await self.press("enter")
        for _ in range(12):
            at = select.query_one(OptionList).highlighted
            values = [value for _prompt, value in select._options]
            if at is not None and values[at] == who:
                break
            await self.press("down")
        await self.press("enter")
        await self._laid()
        assert select.value == who

    # Playing

    async def play(self, until: Callable[[Session], bool], hand: Hand, at_most: int = 9000) -> None:
        """Go on until something is so, or the game ends."""
        for _ in range(at_most):
            if not await self._is_at_table():
                continue
            if until(self.session) or self.session.position.outcome is not None:
                return
            await hand.move(self)
        raise AssertionError(f"not there after {at_most} gestures: {self.eyes.story()}")

    async def _is_at_table(self) -> bool:
        """Whether the table is in front; if not, one gesture that leads there."""
        screen = self.screen
        if isinstance(screen, PlayScreen):
            return True
        if isinstance(screen, CurtainScreen):
            if self.rng.random() < 0.5:
                await self.press("enter")
            else:
                await self.click("#curtain-button", (3, 1))
        elif isinstance(screen, DiceEntryScreen):
            await self.roll()
        elif isinstance(screen, TooSmallScreen):
            await self.resize(SIZES[0])
        elif isinstance(screen, HomeScreen):
            await self.press("f3")
        else:
            await self.press("escape")
        return False

    async def roll(self) -> None:
        """Type real dice."""
        assert isinstance(self.screen, DiceEntryScreen)
        faces = [self.rng.choice(choices).key for choices in self.screen.entry.choices]
        await self.write(" ".join(faces))
        await self.press("enter")

    async def answer(self, by_mouse: bool) -> None:
        """Give one answer of one's own choice."""
        if not self.is_asked:
            await self.go_on()
            return
        before = self._commands()
        ways = CLICKS if by_mouse else KEYS
        if self.rng.random() < self.haste:
            ways = [Player.by_row if by_mouse else Player.by_arrows] * 2
        for way in self.rng.sample(ways, 2):
            await way(self)
            if self._commands() != before or not self.is_asked:
                self.given += 1
                return
        await self.by_number()
        self.given += self._commands() != before

    async def go_on(self) -> None:
        """Let the game go on where nothing is asked of a person."""
        if self.table.is_past:
            await self.press("escape")
        else:
            await self.press("space")

    def _commands(self) -> int:
        return sum(isinstance(entry, Command) for entry in self.session.game.entries)

    async def to_answers(self) -> None:
        """Bring the focus to the answers with Tab."""
        for _ in range(8):
            if not self.is_asked or getattr(self.app.focused, "id", "") == "answers":
                return
            await self.press("tab")

    async def by_number(self) -> None:
        """A number key."""
        decision = self.session.decision
        assert decision is not None
        ends = self.session.title.info
        key = key_of(decision, decision.options[self._pick(9)].id, ends)
        await self.press(key.strip() or "1")

    def _pick(self, room: int) -> int:
        """An answer among the first ones, or the last of all."""
        assert self.session.decision is not None
        count = len(self.session.decision.options)
        if count <= room and self.rng.random() < self.haste:
            return count - 1
        return self.rng.randrange(min(room, count))

    async def by_arrows(self) -> None:
        """The arrows and Enter on the list."""
        await self.to_answers()
        decision = self.session.decision
        if not self.is_asked or decision is None:
            return
        listed = self.screen.query_one("#answers", OptionList).option_count
        count = min(len(decision.options), listed)  # a stack lists few
        back = listed - count
        if self.rng.random() < self.haste:
            keys = ["end", *["up"] * back]
        elif count > 8 and self.rng.random() < 0.5:
            keys = ["end", *["up"] * (back + self.rng.randrange(4))]
        else:
            keys = ["home", *["down"] * self.rng.randrange(min(6, count))]
        await self.press(*keys, "enter")

    async def by_map(self) -> None:
        """The cursor of the map: to a lit unit with the full stop, or a few steps, and Enter."""
        board = self.screen.query_one(HexMap)
        if not board.options or not board.display or not board.size:
            return
        for _ in range(6):
            if board.has_focus or not self.is_asked:
                break
            await self.press("tab")
        if board.has_focus:
            await self.press(*["full_stop"] * self.rng.randrange(1, 4), "enter")

    async def by_row(self) -> None:
        """A click on a line of the answers."""
        answers = self.screen.query_one("#answers", OptionList)
        room = min(answers.size.height, answers.option_count)  # a stack lists few
        if room:
            await self.click("#answers", (4, self._pick(room)))

    async def by_hex(self) -> None:
        """A click on a lit hex of the map, dragged into sight if need be."""
        board = self.screen.query_one(HexMap)
        if not board.options or not board.display or not board.size:
            return
        target = self.rng.choice(sorted(board.options))
        if not self._in_window(board, target):
            await self._drag(board, target)
        if self._in_window(board, target):
            x, y = self._middle(board, target)
            await self.click("#map", (x + board.gutter.left, y + board.gutter.top))

    def _middle(self, board: HexMap, h: Any) -> tuple[int, int]:
        region = board.region_of(h).translate(-board.scroll_offset)
        return region.x + region.width // 2, region.y + region.height // 2

    def _in_window(self, board: HexMap, h: Any) -> bool:
        x, y = self._middle(board, h)
        width, height = board.scrollable_content_region.size
        return 0 <= x < width and 0 <= y < height

    async def _drag(self, board: HexMap, target: Any) -> None:
        """Pull the map until the hex is in sight."""
        for _ in range(12):
            if self._in_window(board, target):
                return
            width, height = board.scrollable_content_region.size
            x, y = self._middle(board, target)
            dx = max(-width + 4, min(width - 4, width // 2 - x))
            dy = max(-height + 2, min(height - 2, height // 2 - y))
            start = (width - 2 if dx < 0 else 1, height - 1 if dy < 0 else 0)
            async with self.eyes.on("drag the map", self.app, must_change=False):
                await self.pilot.mouse_down("#map", offset=start)
                await self.pilot.hover("#map", offset=(start[0] + dx, start[1] + dy))
                await self.pilot.mouse_up("#map", offset=(start[0] + dx, start[1] + dy))
                await self.settle()

    # Leaving and coming back

    async def leave_and_reopen(self) -> None:
        """By the menu to the first screen, and back into the game last played; one that was never
        begun is not kept."""
        if not any(isinstance(entry, Command) for entry in self.session.game.entries):
            return
        for _ in range(8):
            if isinstance(self.screen, ChoiceScreen):
                break
            await self.press("escape")
        assert isinstance(self.screen, ChoiceScreen), self.screen
        before = self.session
        asked = before.decision
        rows = self.screen.query_one(OptionList)
        (leave,) = [n for n, row in enumerate(rows.options) if "Lascia" in str(row.prompt)]
        is_trial = "la prova" in str(rows.options[leave].prompt)
        while rows.highlighted != leave:
            await self.press("down")
        await self.press("enter")
        if is_trial:  # a rule's own position, played for a while: the game lies under it
            assert isinstance(self.screen, PlayScreen)
            assert self.session is not before
            return
        assert isinstance(self.screen, HomeScreen), (self.app.screen_stack, self.eyes.story())
        await self.press("f3")
        await self._is_at_table()
        after = self.session
        assert after is not before
        assert after.game.entries[: len(before.game.entries)] == before.game.entries
        if asked is not None and after.decision is not None and before.humans == after.humans:
            is_same = len(after.game.entries) == len(before.game.entries)
            ids = [[option.id for option in one.options] for one in (asked, after.decision)]
            assert not is_same or ids[0] == ids[1], (ids, self.eyes.story())

    async def delegate(self) -> None:
        """Let the program answer a question: seldom, once for ten answers of one's own."""
        if self.is_asked and (self.delegated + 1) * 10 < self.given:
            await self.press("d")
            self.delegated += 1


KEYS: list[Gesture] = [*[Player.by_number] * 6, Player.by_arrows, Player.by_map]
CLICKS: list[Gesture] = [Player.by_row, Player.by_hex, Player.by_hex]


class Hand:
    """How somebody plays."""

    async def move(self, player: Player) -> None:
        """One gesture, or a few that belong together."""
        raise NotImplementedError


class KeysAlone(Hand):
    """Never touches the mouse."""

    async def move(self, player: Player) -> None:
        """An answer."""
        await player.answer(by_mouse=False)


class MouseAlone(Hand):
    """Answers by clicks alone; what has no button is done with the keys that the screen names."""

    async def move(self, player: Player) -> None:
        """An answer."""
        await player.answer(by_mouse=True)


class Everything(Hand):
    """Every other key of the table between answers, other sizes, and the way out and in again."""

    async def move(self, player: Player) -> None:
        """An answer, or something else."""
        if player.rng.random() < 0.5:
            await player.answer(by_mouse=player.rng.random() < 0.4)
        else:
            await player.rng.choice(OTHER)(player)


def keys(*names: str) -> Gesture:
    """Some keys of the table, pressed while it is in front."""

    async def gesture(player: Player) -> None:
        for name in names:
            if isinstance(player.screen, PlayScreen):
                await player.press(name)

    return gesture


async def look_up(player: Player) -> None:
    """Search from the table, and come back."""
    await player.press("slash")
    await player.write(player.rng.choice(["fumo", "morale", "linea di vista", "3"]))
    for _ in range(6):
        if isinstance(player.screen, PlayScreen):
            return
        await player.press("escape")


async def menu(player: Player) -> None:
    """Open the menu, walk it, and close it."""
    for _ in range(6):
        if not isinstance(player.screen, PlayScreen):
            break
        await player.press("m")
    if isinstance(player.screen, ChoiceScreen):
        await player.press("down", "up", "escape")


async def help_(player: Player) -> None:
    """F1, and away again."""
    await player.press("f1", "escape")


async def palette(player: Player) -> None:
    """The palette: some letters, and away again."""
    await player.press("ctrl+p")
    await player.write(player.rng.choice(["map", "re", "vis"]))
    for _ in range(4):
        if isinstance(player.screen, PlayScreen):
            return
        await player.press("escape")


async def journal(player: Player) -> None:
    """Walk the journal, look for a word in it, and come back."""
    await player.press("j")
    if isinstance(player.app.focused, Input):
        await player.write("fu")
    await player.press("up", "up", "down", "escape")


async def another_size(player: Player) -> None:
    """Another size; now and then one that is too small."""
    await player.resize(player.rng.choice([*SIZES, TOO_SMALL]))


async def a_click(player: Player) -> None:
    """A click anywhere on the table."""
    if isinstance(player.screen, PlayScreen):
        width, height = player.app.size
        x, y = player.rng.randrange(width), player.rng.randrange(1, height - 1)
        player.gestures += 1
        async with player.eyes.on(f"click at {(x, y)}", player.app, must_change=False):
            await player.pilot.click(offset=(x, y))
            await player.settle()


OTHER: list[Gesture] = [
    keys("o"), keys("o", "down", "down"), keys("e"), keys("e", "up", "enter"), keys("i"),
    keys("c", "down"), keys("r", "down"), keys("k"), keys("k", "k"), keys("x"),
    keys("x", "down", "enter", "enter"), keys("v", "left", "left", "up", "v"), keys("g", "g"),
    keys("g", "enter"), keys("u"), keys("u", "y"), keys("y"), keys("z"), keys("z", "z", "z"),
    keys("a"), keys("a", "enter"), keys("l"), keys("s"), keys("f2"), keys("f2", "f2"),
    keys("backspace", "backspace", "space"), keys("backspace", "escape"), keys("space"),
    keys("tab"), keys("shift+tab"), keys("down", "up"), keys("left", "right"), keys("escape"),
    keys("9"), keys("pageup"), keys("plus"), keys("minus"), keys("h"),
    look_up, menu, help_, palette, journal, another_size, another_size, a_click, a_click, a_click,
    Player.leave_and_reopen, Player.delegate,
]  # fmt: skip
"""Everything that can be done at the table but answer."""
