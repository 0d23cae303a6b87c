"""Bookmarks and personal notes: one JSON file in the user's folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from app.shell.kept import Kept, Tell, Words
from app.shell.paths import data_folder
from engine.core.text import N_

WORDS = Words(
    N_("Your notes cannot be read: {why}"),
    N_("Your notes were damaged: the file is kept as {file}."),
    N_("Your notes cannot be written: {why}"),
    "danneggiate",
)


class Pages(msgspec.Struct, frozen=True):
    """What the file holds: bookmarked refs, the latest first, and a note for each ref."""

    bookmarks: tuple[str, ...] = msgspec.field(name="segnalibri", default=())
    notes: dict[str, str] = msgspec.field(name="note", default={})


class Notebook:
    """The user's bookmarks and notes. `tell` hears what went wrong, in words for a person."""

    def __init__(self, path: Path | None = None, tell: Tell | None = None) -> None:
        self._kept = Kept(path or data_folder() / "note.json", Pages(), WORDS, tell)

    @property
    def bookmarks(self) -> tuple[str, ...]:
        """Bookmarked refs, the latest first."""
        return self._kept.content.bookmarks

    @property
    def noted(self) -> tuple[str, ...]:
        """The refs that have a note."""
        return tuple(self._kept.content.notes)

    def note(self, ref: str) -> str:
        """The note on a rule, or nothing."""
        return self._kept.content.notes.get(ref, "")

    def is_bookmarked(self, ref: str) -> bool:
        """Whether a rule has a bookmark."""
        return ref in self.bookmarks

    def toggle_bookmark(self, ref: str) -> bool:
        """Put or remove a bookmark; whether it is there now."""
        if self.reload():
            others = tuple(other for other in self.bookmarks if other != ref)
            is_new = len(others) == len(self.bookmarks)
            self._kept.keep(Pages((ref, *others) if is_new else others, self._kept.content.notes))
        return self.is_bookmarked(ref)

    def write(self, ref: str, text: str) -> bool:
        """Write the note on a rule, or remove it with an empty one; whether that was done."""
        if not self.reload():
            return False
        notes = {other: note for other, note in self._kept.content.notes.items() if other != ref}
        if text.strip():
            notes[ref] = text.strip()
        return self._kept.keep(Pages(self.bookmarks, notes))

    def reload(self) -> bool:
        """Read the file again; False if it must not be touched."""
        return self._kept.reload()
