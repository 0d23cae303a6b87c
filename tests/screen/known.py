"""Known offenders on the screen, as patterns: lists that may only grow shorter.

What stands here is wrong, is known, and waits for the step that mends it: units without a name of
their own, the sources named on the pages of rules, words cut on counters.
"""

UNTRANSLATED: frozenset[str] = frozenset()
ENGLISH: frozenset[str] = frozenset({"dummy"})
NAMELESS: frozenset[str] = frozenset(
    {
        r"[\w/-]+\.(?:py|yaml)",  # the places in the engine where a rule is applied
        r"[abgioprv]\d{1,2}",  # units and populations of Warfare
    }
)
CUT: frozenset[str] = frozenset(
    {
        r"[A-Z]{3,4}",  # kinds and classes: the first letters of a word
        r"\w{10}",  # words longer than a counter is wide
    }
)
