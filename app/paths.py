"""Where things live: packaged catalogs, and the user's saves, notes and caches."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from engine.core.files import OWN_DATA

PACKAGED = Path(__file__).parent
CHECKOUT = PACKAGED.parent


def locale_folder() -> Path:
    """The catalogs: inside the package when installed, beside it in a checkout."""
    packaged = PACKAGED / "locale"
    return packaged if packaged.is_dir() else CHECKOUT / "locale"


def data_folder() -> Path:
    """The user's own things: saves, notes, bookmarks, settings."""
    return _made(Path(platformdirs.user_data_dir("prontuario", appauthor=False)))


def saves_folder() -> Path:
    """The user's games."""
    return _made(data_folder() / "partite")


def own_data_folder() -> Path:
    """The user's own maps, counters, cards and scenarios, by slug; they need not be there."""
    return Path(os.environ.get(OWN_DATA) or data_folder() / "dati")


def cache_folder() -> Path:
    """What can be made again: compiled catalogs, search indexes. Private to the user."""
    return _made(Path(platformdirs.user_cache_dir("prontuario", appauthor=False)))


def _made(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
