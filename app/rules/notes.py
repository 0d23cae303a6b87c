"""Bookmarks and personal notes: one JSON file in the user's folder.

Every change is read again, applied and written at once, so that two open programs do not undo
each other. A file that cannot be understood is moved aside, never overwritten.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec

from app.cli.answers import why
from app.shell.i18n import _
from app.shell.paths import data_folder, free
from engine.core.files import write_atomically


class Pages(msgspec.Struct, frozen=True):
    """What the file holds: bookmarked refs, the latest first, and a note for each ref."""

    bookmarks: tuple[str, ...] = msgspec.field(name="segnalibri", default=())
    notes: dict[str, str] = msgspec.field(name="note", default={})


class Notebook:
    """The user's bookmarks and notes. `tell` hears what went wrong, in words for a person."""

    def __init__(self, path: Path | None = None, tell: Callable[[str], None] | None = None) -> None:
        self.path = path or data_folder() / "note.json"
        self._tell = tell or (lambda sentence: None)
        self._pages = Pages()
        self.reload()

    @property
    def bookmarks(self) -> tuple[str, ...]:
        """Bookmarked refs, the latest first."""
        return self._pages.bookmarks

    @property
    def noted(self) -> tuple[str, ...]:
        """The refs that have a note."""
        return tuple(self._pages.notes)

    def note(self, ref: str) -> str:
        """The note on a rule, or nothing."""
        return self._pages.notes.get(ref, "")

    def is_bookmarked(self, ref: str) -> bool:
        """Whether a rule has a bookmark."""
        return ref in self._pages.bookmarks

    def toggle_bookmark(self, ref: str) -> bool:
        """Put or remove a bookmark; whether it is there now."""
        if self.reload():
            others = tuple(other for other in self.bookmarks if other != ref)
            is_new = len(others) == len(self.bookmarks)
            self._keep(Pages((ref, *others) if is_new else others, self._pages.notes))
        return self.is_bookmarked(ref)

    def write(self, ref: str, text: str) -> bool:
        """Write the note on a rule, or remove it with an empty one; whether that was done."""
        if not self.reload():
            return False
        notes = {other: note for other, note in self._pages.notes.items() if other != ref}
        if text.strip():
            notes[ref] = text.strip()
        return self._keep(Pages(self.bookmarks, notes))

    def reload(self) -> bool:
        """Read the file again, moving a damaged one aside; False if it must not be touched."""
        try:
            self._pages = msgspec.json.decode(self.path.read_bytes(), type=Pages)
        except (FileNotFoundError, NotADirectoryError):
            self._pages = Pages()
        except msgspec.DecodeError:
            return self._set_aside()
        except OSError as error:
            self._tell(_("Your notes cannot be read: {why}", why=why(error)))
            return False
        return True

    def _set_aside(self) -> bool:
        stem = f"{self.path.stem}-danneggiate-{datetime.now():%Y%m%d-%H%M%S}"
        try:
            aside = free(self.path.with_stem(stem))
            self.path.rename(aside)
        except OSError as error:
            self._tell(_("Your notes cannot be read: {why}", why=why(error)))
            return False
        self._pages = Pages()
        self._tell(_("Your notes were damaged: the file is kept as {file}.", file=aside))
        return True

    def _keep(self, pages: Pages) -> bool:
        try:
            content = msgspec.json.format(msgspec.json.encode(pages), indent=2)
            write_atomically(self.path, content)
        except OSError as error:
            self._tell(_("Your notes cannot be written: {why}", why=why(error)))
            return False
        self._pages = pages
        return True
