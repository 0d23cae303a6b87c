"""What the first screen shows of the titles and of the game last played.

Little maps need the engines, for which the first paint does not wait: a process of its own finds
all this out (`python -m app.play.showcase`), and the maps are kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from app.shell.child import ChildFailed, command
from app.shell.paths import CHECKOUT, cache_folder
from engine.core.files import slugs, write_atomically

if TYPE_CHECKING:
    from app.presenters.base import Presenter
    from engine.core.title import ScenarioInfo
    from engine.core.view import View


class Tile(msgspec.Struct, frozen=True, array_like=True):
    """A hex in little: its colour, its letter, and whose counters stand on it."""

    colour: str
    letter: str
    army: str = ""
    accent: str = ""
    ink: str = ""


Tiles: TypeAlias = tuple[tuple[Tile | None, ...], ...]
"""A map in little, row by row; None where there is no hex."""


class Card(msgspec.Struct, frozen=True):
    """A title on the first screen."""

    slug: str
    name: str
    scenarios: tuple[str, ...]
    is_solitaire: bool
    rows: Tiles


class Latest(msgspec.Struct, frozen=True):
    """The game that can be gone on with: where it is and how it stands."""

    file: str
    scenario: str
    phase: str


class Showcase(msgspec.Struct, frozen=True):
    """All that was found out; `played` counts the saved games of each title, `entries` those of
    the rule books."""

    stamp: str
    entries: int = 0
    cards: tuple[Card, ...] = ()
    latest: Latest | None = None
    played: dict[str, int] = {}


def kept() -> Showcase | None:
    """What an earlier run found, if the files it was made of are still the same."""
    with suppress(OSError, msgspec.DecodeError):
        found = msgspec.msgpack.decode(_path().read_bytes(), type=Showcase)
        return found if found.stamp == _stamp() else None
    return None


def find_out(saves: Path) -> Showcase:
    """Everything, from a process of its own."""
    done = subprocess.run(
        command("app.play.showcase", str(saves)), capture_output=True, check=False
    )
    try:
        return msgspec.msgpack.decode(done.stdout, type=Showcase)
    except msgspec.DecodeError as error:
        raise ChildFailed(done.stderr.decode(errors="replace")) from error


def make(saves: Path) -> Showcase:
    """The cards, kept for the next time, and the game last played."""
    from app.play.session import games_in

    known = kept() or _made()
    with suppress(OSError):  # a cache that cannot be written only costs time
        write_atomically(_path(), msgspec.msgpack.encode(known))
    played: dict[str, int] = {}
    latest: Latest | None = None
    for path in games_in(saves):
        slug = _title_of(path)
        if slug:
            played[slug] = played.get(slug, 0) + 1
            latest = latest or _latest(path)
    return msgspec.structs.replace(known, latest=latest, played=played)


def _made() -> Showcase:
    """The cards of all titles, in the order of the registry."""
    from app.rules.library import LIBRARY
    from engine.titles import TITLES

    entries = len(LIBRARY.open_corpus(alone=True).entries)
    return Showcase(_stamp(), entries, tuple(map(_card, TITLES)))


def _card(slug: str) -> Card:
    """A title with the map of its first scenario."""
    from app.presenters.registry import presenter_for
    from engine.titles import TITLES

    title = TITLES[slug]
    first, *_others = infos = title.scenarios()
    view = title.view(title.start(first.id, {}), first.sides[0])
    return Card(
        slug,
        title.info.name,
        tuple(map(_named, infos)),
        all(len(info.sides) == 1 for info in infos),
        _little(view, presenter_for(slug)),
    )


def _named(info: ScenarioInfo) -> str:
    """A scenario; the same one for more than two players says so."""
    return info.name if len(info.sides) <= 2 else f"{info.name} ({len(info.sides)})"


def _little(view: View, presenter: Presenter) -> Tiles:
    """A map as tiles."""
    from app.presenters.base import mix

    board = view.board
    lines: dict[object, str] = {}
    for edge, names in board.roads.items():
        for hex in edge:
            lines[hex] = presenter.line(names[0]).colour
    seen = ((c.hex, c.side) for c in view.counters if c.hex is not None)
    held = {hex: presenter.army(side) for hex, side in seen}

    def tile(column: int, row: int) -> Tile | None:
        hex = board.grid.from_offset(column, row)
        if hex not in board:
            return None
        terrain = board.terrain(hex)
        colour = presenter.ground(terrain, board.elevations.get(hex, 0))
        if hex in lines:
            colour = mix(colour, lines[hex], 0.55)
        letter = presenter.terrain(terrain).letter
        if hex not in held:
            return Tile(colour, letter)
        army = held[hex]
        return Tile(colour, letter, army.letter, army.colour, army.ink)

    grid = board.grid
    return tuple(
        tuple(tile(column, row) for column in range(grid.columns)) for row in range(grid.rows)
    )


def _title_of(path: Path) -> str:
    """The title of a saved game that can be read, by its first line."""
    from engine.saves.lines import SaveError
    from engine.saves.reading import header_in

    with suppress(OSError, SaveError), path.open("rb") as file:
        slug = header_in(file.readline()).title
        return slug if slug in slugs() else ""
    return ""


def _latest(path: Path) -> Latest | None:
    """How a saved game stands, as far as all who play it here may know; None if it is over."""
    from app.play.discretion import audience
    from app.presenters.registry import presenter_for
    from engine.saves.lines import SaveError
    from engine.saves.replaying import load
    from engine.titles import TITLES

    try:
        loaded = load(path, TITLES)
    except (SaveError, OSError):
        return None
    game = loaded.game
    if game.position.outcome is not None:
        return None
    presenter = presenter_for(game.title.info.slug)
    view = audience(game, loaded.record.header.players).view(game.position.draft)
    presenter.use(view)
    name = next(info.name for info in game.title.scenarios() if info.id == game.scenario)
    phase = " · ".join(presenter.headline(view)[:2])
    return Latest(str(path), name, phase)


def _path() -> Path:
    return cache_folder() / "vetrina.bin"


def _stamp() -> str:
    """Names, sizes and times of what the cards are made of."""
    digest = hashlib.blake2b(digest_size=16)
    paths = [Path(__file__), *(CHECKOUT / "app" / "presenters").glob("*.py")]
    for slug in slugs():
        paths += (CHECKOUT / "engine" / slug / "data").rglob("*.yaml")
        paths += (CHECKOUT / "rules_it" / slug).glob("*.yaml")
    for path in sorted(paths):
        stat = path.stat()
        digest.update(f"{path}:{stat.st_size}:{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.msgpack.encode(make(Path(sys.argv[1]))))
