"""Lines that break where a person would break them.

Rich breaks a line at every blank, a no-break one included: «p.» would stand at the end of a line,
its number on the next. Here the name of a page, and what a no-break blank joins, is one word.
"""

from __future__ import annotations

import re

import rich._wrap

PAGE = r"\bpp?\.[ \xa0](?=[≈\d])"
WORD = re.compile(rf"[^\S\xa0]*(?:{PAGE}|[\S\xa0])+[^\S\xa0]*")


def keep_pages_whole() -> None:
    """Let Rich, and so every widget, break lines at these words."""
    rich._wrap.re_word = WORD
