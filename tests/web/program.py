"""`prontuario servi` as a person starts it, and the processes that it has."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

PATIENCE = 60
"""Seconds until something awaited counts as missing."""


class Program:
    """`prontuario servi` in a process, and the children it has."""

    def __init__(self, cwd, *arguments):
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("prontuario"), "servi", *arguments],
            cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.said = ""
        while not (found := re.search(r"http://\S+", self.said)):
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            self.said += line
        self.address = found[0]

    @property
    def children(self):
        """The processes behind its windows."""
        pid = self.process.pid
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(word) for word in listed.split()]

    def end(self, number):
        """End it if it still runs; all that it said, on both streams."""
        if self.process.stdout.closed:
            return "", ""
        self.process.send_signal(number)
        out, err = self.process.stdout.read(), self.process.stderr.read()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.said + out, err


def is_alive(pid):
    """Whether a process runs; one that nobody has buried does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


async def gone(*pids):
    """Wait until processes have ended."""
    async with asyncio.timeout(PATIENCE):
        while any(is_alive(pid) for pid in pids):
            await asyncio.sleep(0.02)
