"""Where things live: packaged catalogs, and the user's saves, notes and caches."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

from engine.core.files import OWN_DATA

PACKAGED = Path(__file__).parents[1]
CHECKOUT = PACKAGED.parent


def locale_folder() -> Path:
    """The catalogs: inside the package when installed, beside it in a checkout."""
    packaged = PACKAGED / "locale"
    return packaged if packaged.is_dir() else CHECKOUT / "locale"


def data_folder() -> Path:
    """The user's own things: saves, notes, bookmarks, settings."""
    return _made(Path(platformdirs.user_data_dir("prontuario", appauthor=False)))


def saves_folder() -> Path:
    """The user's games; those of this evening, where there is no folder for them."""
    folder = _made(data_folder() / "partite")
    return folder if os.path.isdir(folder) else lent_folder()


def post_folder() -> Path:
    """Where games by mail are written and looked for."""
    return _made(writable(data_folder()) / "posta")


def faults_folder() -> Path:
    """The details of what went wrong in the program itself."""
    return _made(data_folder() / "guasti")


def own_data_folder() -> Path:
    """The user's own maps, counters, cards and scenarios, by slug; they need not be there."""
    return Path(os.environ.get(OWN_DATA) or data_folder() / "dati")


def cache_folder() -> Path:
    """What can be made again: compiled catalogs, search indexes. Private to the user."""
    return _made(Path(platformdirs.user_cache_dir("prontuario", appauthor=False)))


def free(path: Path) -> Path:
    """The path, or one like it that nothing has yet."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def is_writable(folder: Path) -> bool:
    """Whether files can be put into a folder."""
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def writable(folder: Path) -> Path:
    """The folder; one that is lent for the time being, if nothing can be put there."""
    return folder if is_writable(folder) else lent_folder()


@cache
def lent_folder() -> Path:
    """Where things go as long as the user's own folder refuses them."""
    return Path(tempfile.mkdtemp(prefix="prontuario-"))


def _made(folder: Path) -> Path:
    """The folder, made if that can be; whoever reads there finds nothing, who writes is told."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
