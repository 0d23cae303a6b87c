"""One writer for a file: a lock beside it, which the system drops when its holder ends."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _hold(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:

    def _hold(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """Held from the moment it is taken until it is released, or its process ends."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle = handle

    @classmethod
    def take(cls, path: Path) -> Lock | None:
        """The lock of a file; None while another window has it. OSError where none can be kept."""
        real = Path(os.path.realpath(path))
        beside = real.with_name(f".{real.name}.blocco")
        while True:
            handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                _hold(handle)
                if _is_same(handle, beside):
                    return cls(beside, handle)
            except BlockingIOError:
                os.close(handle)
                return None
            except PermissionError:
                os.close(handle)
                return None
            os.close(handle)  # its holder has just released it and taken the file away

    def release(self) -> None:
        """Let others write."""
        with suppress(OSError):
            self._path.unlink()
        os.close(self._handle)


def _is_same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
