"""The rule texts and their index, opened when first needed and shared by all who need them.

A wheel carries both. In a checkout they are made in the user's cache: the texts at once, the
index by another process.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from app.shell.child import command
from app.shell.heap import keep_for_good
from app.shell.paths import cache_folder, writable
from rules_it.corpus import Corpus

if TYPE_CHECKING:
    from rules_it.search import Index

Progress = Callable[[int, int], None]
"""Hears how much of the index is made: rules done, rules in all."""

PATIENCE = 0.3
"""Seconds to wait for what should be there already, before doing without."""


class Library:
    """Opens the corpus and the index once, whichever thread asks first."""

    def __init__(self) -> None:
        self.corpus: Corpus | None = None
        self.index: Index | None = None
        self._lock = Lock()
        self._opening = Lock()
        self._maker: Thread | None = None
        self._made = Event()
        self._folder = Path()
        self._error: BaseException | None = None
        self._listener: Progress | None = None

    def open_corpus(self, *, alone: bool = False) -> Corpus:
        """The texts; at once, even where the index has still to be made.

        Who goes on to search, as every screen with a palette may, has it made meanwhile.
        """
        if not alone and self.index is None:
            self._begin()
        if self.corpus is None:
            from rules_it import build

            with self._opening:
                if self.corpus is None:
                    self.corpus = build.open_texts(writable(cache_folder()))
                    keep_for_good()
        return self.corpus

    def open_index(
        self, progress: Progress | None = None, patience: float | None = None
    ) -> Index | None:
        """The index, made first if need be; None if that takes more than the patience given."""
        if self.index is None:
            self._listener = progress or self._listener
            folder = self._wait(patience)
            if folder is None:
                return None
            from rules_it.search import Index

            with self._opening:
                if self.corpus is None:
                    self.corpus = Corpus.load(folder)
                if self.index is None:
                    self.index = Index.open(folder, self.corpus)
        return self.index

    def _wait(self, patience: float | None) -> Path | None:
        """The compiled folder, or None if it is not there in time."""
        self._begin()
        if not self._made.wait(patience):
            return None
        if self._error is not None:
            error, self._error, self._maker = self._error, None, None  # the next call tries again
            raise error
        return self._folder

    def _begin(self) -> None:
        """Have the index made, unless that is under way."""
        with self._lock:
            if self._maker is None:
                self._made.clear()
                # a daemon: who leaves the program does not wait for an index
                self._maker = Thread(target=self._make, daemon=True)
                self._maker.start()

    def _make(self) -> None:
        from rules_it import build

        try:
            self._folder = build.ensure(writable(cache_folder()), self._tell, command=command)
        except BaseException as error:  # noqa: BLE001  whoever waits gets it
            self._error = error
        self._made.set()

    def _tell(self, done: int, of: int) -> None:
        if self._listener is not None:
            self._listener(done, of)


LIBRARY = Library()
"""The one library of the program."""
