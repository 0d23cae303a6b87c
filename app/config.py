"""The user's settings: a small JSON file that may always be deleted."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from app.paths import data_folder
from engine.core.files import write_atomically


class Settings(msgspec.Struct, frozen=True):
    """What the program remembers between two evenings.

    `tasti` gives other keys to actions, by the names that the settings screen lists:
    {"tavolo.annulla": "z"}. `risposte_uniche` gives by itself the only possible answer.
    """

    theme: str = "prontuario"
    keys: dict[str, str] = msgspec.field(name="tasti", default={})
    ascii: bool = msgspec.field(name="solo_ascii", default=False)
    forced: bool = msgspec.field(name="risposte_uniche", default=True)
    steps: bool = msgspec.field(name="passo_passo", default=False)


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
