"""Known offenders on the screen, as patterns: lists that may only grow shorter.

What stands here is wrong, is known, and waits for the step that mends it: words cut on counters.
"""

UNTRANSLATED: frozenset[str] = frozenset()
ENGLISH: frozenset[str] = frozenset({"dummy"})
NAMELESS: frozenset[str] = frozenset()
CUT: frozenset[str] = frozenset(
    {
        r"[A-Z]{3,4}",  # kinds and classes: the first letters of a word
        r"\w{10}",  # words longer than a counter is wide
    }
)
