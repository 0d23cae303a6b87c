"""The user's settings: a small JSON file that may always be deleted.

What is good in it is used, what is not is named and stays in the file: it is the user's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from app.cli.answers import why
from app.shell.i18n import _
from app.shell.paths import data_folder, free
from engine.core.files import write_atomically

AT_ONCE, BY_ACTION, BY_STEP = PACES = ("subito", "azione", "passo")
"""How fast a table goes on."""


class Settings(msgspec.Struct, frozen=True):
    """What the program remembers between two evenings.

    `tasti` gives other keys to actions, by the names that the settings screen lists:
    {"tavolo.annulla": "w"}. `risposte_uniche` gives by itself the only possible answer. `ritmo` is
    how the table goes on: at once, with a stop at every outcome, or step by step. `lampi`: changed
    hexes light up for a moment. `avviso_di_fine` asks once more before a phase is ended while
    somebody could still act.
    """

    theme: str = "prontuario"
    keys: dict[str, str] = msgspec.field(name="tasti", default={})
    ascii: bool = msgspec.field(name="solo_ascii", default=False)
    forced: bool = msgspec.field(name="risposte_uniche", default=True)
    steps: bool = msgspec.field(name="passo_passo", default=False)
    pace: str = msgspec.field(name="ritmo", default=BY_ACTION)
    motion: bool = msgspec.field(name="lampi", default=True)
    warned: bool = msgspec.field(name="avviso_di_fine", default=True)

    @property
    def is_stepwise(self) -> bool:
        """Whether every step waits for a key."""
        return self.steps or self.pace == BY_STEP


FIELDS = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
KEYS = "tasti"


class Reading(msgspec.Struct, frozen=True):
    """The settings as far as their file is good, and a sentence for all that is not."""

    settings: Settings
    faults: tuple[str, ...] = ()


def settings_path() -> Path:
    """Where the settings are kept."""
    return data_folder() / "impostazioni.json"


def load() -> Settings:
    """The settings; the plain ones for what the file lacks or has wrong."""
    return read().settings


def read() -> Reading:
    """The settings field by field, and what is wrong with the file."""
    path = settings_path()
    try:
        found = _object(path)
    except OSError as error:
        return Reading(Settings(), (_("{file} cannot be read: {why}.", file=path, why=why(error)),))
    if found is None:
        words = _("{file} is not JSON: mend it, or it will be kept as {copy}.",
                  file=path, copy=free(_copy_of(path)).name)  # fmt: skip
        return Reading(Settings(), (words,))
    return _checked(found)


def save(settings: Settings, tell: Callable[[str], None] = lambda sentence: None) -> None:
    """Keep what has changed; a disk that refuses must not stop the game, and is told."""
    path = settings_path()
    try:
        found = _object(path)
        if found is None:
            write_atomically(free(_copy_of(path)), path.read_bytes())
            found = {}
        before, now = _checked(found).settings, msgspec.to_builtins(settings)
        changed = {
            name: now[name]
            for name, field in FIELDS.items()
            if getattr(before, field.name) != getattr(settings, field.name)
        }
        content = msgspec.json.encode(found | changed)
        write_atomically(path, msgspec.json.format(content, indent=2))
    except OSError as error:
        tell(_("The settings cannot be saved: {why}.", why=why(error)))


def _copy_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.bak")


def _object(path: Path) -> dict[str, Any] | None:
    """What the file holds; None if that is no JSON object."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (msgspec.DecodeError, RecursionError):
        return None


def _checked(found: dict[str, Any]) -> Reading:
    good: dict[str, Any] = {}
    faults = []
    for name, value in found.items():
        if name not in FIELDS:
            known = ", ".join(FIELDS)
            faults.append(_("$.{name}: there is no such setting. Settings: {known}.",
                            name=name, known=known))  # fmt: skip
        elif name == KEYS and isinstance(value, dict):
            good[name] = {action: key for action, key in value.items() if isinstance(key, str)}
            faults += [
                _("$.{path}: {value} is not a key: write its name, such as \"w\" or \"ctrl+z\".",
                  path=f"{KEYS}.{action}", value=_shown(key))
                for action, key in value.items() if action not in good[name]
            ]  # fmt: skip
        else:
            try:
                good[name] = msgspec.convert(value, FIELDS[name].type)
            except msgspec.ValidationError:
                hint = {
                    str: _("a text in quotes"),
                    bool: _("true or false"),
                }.get(FIELDS[name].type, '{"tavolo.annulla": "w"}')
                faults.append(_("$.{path}: {value} is not good here: write {hint}.",
                                path=name, value=_shown(value), hint=hint))  # fmt: skip
    return Reading(msgspec.convert(good, Settings), tuple(faults))


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
