"""The colours of the program. One accent per side; meaning never rests on colour alone."""

from __future__ import annotations

from textual.theme import Theme

from engine.core.text import N_

THEMES = (
    Theme(
        name="prontuario",
        primary="#c8a45c",
        secondary="#86a175",
        accent="#e0b965",
        foreground="#e8e2d4",
        background="#171a17",
        surface="#1f241f",
        panel="#2a312a",
        success="#8fb573",
        warning="#e0b04a",
        error="#dd7e6b",
        dark=True,
    ),
    Theme(
        name="prontuario-chiaro",
        primary="#765713",
        secondary="#476436",
        accent="#75550e",
        foreground="#24261f",
        background="#f3eddd",
        surface="#e9e1cc",
        panel="#dfd6be",
        success="#39652b",
        warning="#7c5200",
        error="#a03923",
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
    # Black and white, and few colours far apart, for weak eyes and bad screens.
    Theme(
        name="prontuario-contrasto",
        primary="#ffd75f",
        secondary="#9fe870",
        accent="#ffd75f",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        success="#9fe870",
        warning="#ffd75f",
        error="#ff9d8a",
        dark=True,
    ),
)

NAMES = {
    "prontuario": N_("dark"),
    "prontuario-chiaro": N_("light, like paper"),
    "prontuario-daltonici": N_("dark, for the colour-blind"),
    "prontuario-contrasto": N_("high contrast"),
}
"""The themes in words."""

DIMMED = 0.7
"""How much of its ink a dimmed text keeps: with less it could not be read on paper."""
