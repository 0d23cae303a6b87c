"""What the user keeps in one small JSON file.

Every change is read again, applied and written at once, so that two open programs do not undo
each other. A file that cannot be understood is moved aside, never overwritten.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from app.cli.answers import why
from app.shell.i18n import _
from app.shell.paths import free
from engine.core.files import write_atomically

T = TypeVar("T")
Tell = Callable[[str], None]


class Words(NamedTuple):
    """What is told of the file, as message ids: that it cannot be read, that it was damaged, that
    it cannot be written; and what the name of a damaged one ends with."""

    unread: str
    damaged: str
    unwritten: str
    aside: str


class Kept(Generic[T]):
    """The content of the file. `tell` hears what went wrong, in words for a person."""

    def __init__(self, path: Path, empty: T, words: Words, tell: Tell | None = None) -> None:
        self.path = path
        self.content = self._empty = empty
        self._words = words
        self._tell = tell or (lambda sentence: None)
        self.reload()

    def reload(self) -> bool:
        """Read the file again, moving a damaged one aside; False if it must not be touched."""
        try:
            self.content = msgspec.json.decode(self.path.read_bytes(), type=type(self._empty))
        except (FileNotFoundError, NotADirectoryError):
            self.content = self._empty
        except msgspec.DecodeError:
            return self._set_aside()
        except OSError as error:
            self._tell(_(self._words.unread, why=why(error)))
            return False
        return True

    def keep(self, content: T) -> bool:
        """Write it; whether that was done."""
        try:
            written = msgspec.json.format(msgspec.json.encode(content), indent=2)
            write_atomically(self.path, written)
        except OSError as error:
            self._tell(_(self._words.unwritten, why=why(error)))
            return False
        self.content = content
        return True

    def _set_aside(self) -> bool:
        stem = f"{self.path.stem}-{self._words.aside}-{datetime.now():%Y%m%d-%H%M%S}"
        try:
            aside = free(self.path.with_stem(stem))
            self.path.rename(aside)
        except OSError as error:
            self._tell(_(self._words.unread, why=why(error)))
            return False
        self.content = self._empty
        self._tell(_(self._words.damaged, file=aside))
        return True
