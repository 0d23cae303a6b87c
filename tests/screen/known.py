"""Known offenders on the screen, as patterns: lists that may only grow shorter.

What stands here is wrong, is known, and waits for the step that mends it.
"""

UNTRANSLATED: frozenset[str] = frozenset()
ENGLISH: frozenset[str] = frozenset()
NAMELESS: frozenset[str] = frozenset()
CUT: frozenset[str] = frozenset(
    {
        r"[EMRTU]{3,4}",  # no word: the figures of a squad, a letter each, may spell one
    }
)
