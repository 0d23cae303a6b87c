"""What the garbage collector is spared: nearly all that is made at the start stays to the end."""

from __future__ import annotations

import gc

SELDOM = 50_000
"""New objects between two looks for garbage; Python's own seven hundred cost a start one part in
fifteen."""


def look_seldom() -> None:
    """Let more be made before the collector looks for garbage."""
    gc.set_threshold(SELDOM)


def keep_for_good() -> None:
    """Let the garbage collector pass over what is loaded now, and stays: its walk over the texts
    and the titles' data would stop the screen for a tenth of a second, every few keys."""
    gc.freeze()
