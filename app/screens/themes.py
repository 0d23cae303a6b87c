"""The colours of the program. One accent per side; meaning never rests on colour alone."""

from __future__ import annotations

from textual.theme import Theme

THEMES = (
    Theme(
        name="prontuario",
        primary="#c8a45c",
        secondary="#7d9a6b",
        accent="#e0b965",
        foreground="#e8e2d4",
        background="#171a17",
        surface="#1f241f",
        panel="#2a312a",
        success="#8fb573",
        warning="#e0b04a",
        error="#d9705b",
        dark=True,
    ),
    Theme(
        name="prontuario-chiaro",
        primary="#7a5a14",
        secondary="#4c6b3a",
        accent="#8a6410",
        foreground="#24261f",
        background="#f3eddd",
        surface="#e9e1cc",
        panel="#dcd2b8",
        success="#3f7030",
        warning="#8f5f00",
        error="#a33a24",
        dark=False,
    ),
    # Blue, orange and yellow stay apart for every common kind of colour blindness.
    Theme(
        name="prontuario-daltonici",
        primary="#56b4e9",
        secondary="#f0e442",
        accent="#e69f00",
        foreground="#f2f2f2",
        background="#101418",
        surface="#192027",
        panel="#232c35",
        success="#56b4e9",
        warning="#f0e442",
        error="#e69f00",
        dark=True,
    ),
)
