"""Processes of our own: modules of this program, never what lies in the folder it is run from."""

from __future__ import annotations

import os
import sys


class ChildFailed(Exception):
    """A process of ours ended, answered nonsense, or has failed and told the details."""

    def __init__(self, details: str = "") -> None:
        super().__init__("a process of the program has failed")
        self.details = details


def command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this program, without the current folder on its path."""
    return [sys.executable, "-P", "-m", module, *arguments]


def keep_safe() -> None:
    """Keep the current folder from the children that others start: pools, servers."""
    os.environ["PYTHONSAFEPATH"] = "1"
