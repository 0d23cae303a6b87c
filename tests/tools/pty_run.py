"""Running a program in a real pseudo-terminal, to measure what a person waits for."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence


class Terminal:
    """A program in a pty of a given size."""

    def __init__(self, command: Sequence[str], size: tuple[int, int] = (120, 40)) -> None:
        self.started = time.perf_counter()
        # A whole environment: readline puts the size of another terminal where only C sees it.
        hidden = ("NO_COLOR", "COLUMNS", "LINES")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._handle, theirs = pty.openpty()
        self.resize(size)
        # pty.fork is not for a process with threads. A session is told of new sizes by the first
        # terminal that its head opens.
        opening = [*("sh", "-c", ': <"$0" && exec "$@"'), os.ttyname(theirs)]
        self._program = subprocess.Popen(
            [*opening, *command],
            env=kept,
            start_new_session=True,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self.seen = b""

    @property
    def has_ended(self) -> bool:
        """Whether the program is over."""
        return self._program.poll() is not None

    def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size; the program hears of it."""
        columns, rows = size
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def is_cooked(self) -> bool:
        """Whether the terminal echoes and edits lines again, as a shell expects."""
        modes = termios.tcgetattr(self._handle)[3]
        return bool(modes & termios.ECHO and modes & termios.ICANON)

    def finish(self, seconds: float = 20) -> tuple[int, str]:
        """Wait for the end of the program: its exit code, and all that it wrote meanwhile."""
        written = b""
        while select.select([self._handle], [], [], seconds)[0]:
            try:
                written += os.read(self._handle, 1 << 20)
            except OSError:  # its end is closed
                break
        else:
            raise TimeoutError("the program does not end")
        return self._program.wait(), written.decode(errors="replace")

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._handle, keys.encode())

    def read(self, patience: float, silence: float) -> tuple[float, int]:
        """When the last byte came, and how many: output ends when it is silent for a while."""
        last, count, wait = time.perf_counter(), 0, patience
        while select.select([self._handle], [], [], wait)[0]:
            try:
                data = os.read(self._handle, 1 << 20)
            except OSError as gone:
                raise RuntimeError("the program ended") from gone
            if b"\x1b[c" in data:
                os.write(self._handle, b"\x1b[?62;c")
            last, count, wait = time.perf_counter(), count + len(data), silence
        return last, count

    def press(self, keys: str, silence: float = 0.06) -> tuple[float, int]:
        """Milliseconds from a key to the end of what it painted, and the bytes painted."""
        start = time.perf_counter()
        self.type(keys)
        last, count = self.read(10, silence)
        return (last - start) * 1000, count

    def press_for(self, keys: str, text: str, silence: float = 0.06) -> tuple[float, float]:
        """Milliseconds from a key to the first sight of `text`, and to the end of what follows."""
        start = time.perf_counter()
        self.type(keys)
        seen = start + self.wait_for(text)
        last, count = self.read(silence, silence)
        return (seen - start) * 1000, ((last if count else seen) - start) * 1000

    @property
    def cpu(self) -> float:
        """Milliseconds of processor that the program itself has taken, its children apart."""
        with open(f"/proc/{self._program.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def wait_for(self, text: str, seconds: float = 20) -> float:
        """Seconds until the program has written `text` since the last call; TimeoutError else."""
        begun = time.perf_counter()
        wanted = text.encode()
        self.seen = b""
        while wanted not in self.seen:
            left = begun + seconds - time.perf_counter()
            if left <= 0 or not select.select([self._handle], [], [], left)[0]:
                raise TimeoutError(f"{text!r} does not appear")
            try:
                self.seen += os.read(self._handle, 65536)
            except OSError as closed:
                raise TimeoutError(f"the program ended before {text!r}") from closed
        return time.perf_counter() - begun

    def close(self) -> None:
        """End the program at once."""
        self._program.kill()
        self._program.wait()
        os.close(self._handle)


def seconds_to(command: Sequence[str], text: str) -> float:
    """From starting a program to the first sight of `text`."""
    terminal = Terminal(command)
    try:
        terminal.wait_for(text)
        return time.perf_counter() - terminal.started
    finally:
        terminal.close()
