"""The user's settings: a small JSON file that may always be deleted."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from app.paths import data_folder
from engine.core.files import write_atomically


class Settings(msgspec.Struct, frozen=True):
    """What the program remembers between two evenings."""

    theme: str = "prontuario"


def settings_path() -> Path:
    """Where the settings are kept."""
    return data_folder() / "impostazioni.json"


def load() -> Settings:
    """The settings; the plain ones if the file is missing or damaged."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(settings_path().read_bytes(), type=Settings)
    return Settings()


def save(settings: Settings) -> None:
    """Keep the settings; a disk that refuses must not stop the game."""
    with suppress(OSError):
        write_atomically(settings_path(), msgspec.json.encode(settings))
