"""The chance of the marked answer under the answers: a number, of what, the results as bars."""

from __future__ import annotations

from fractions import Fraction

from rich.text import Text
from textual.widgets import Static

from app.play.why import Glance
from app.shell.i18n import _, _n, catalog
from app.widgets.odds_panel import badge, bar

HEIGHTS = "▁▂▃▄▅▆▇█"


class ChanceLine(Static):
    """What is known of the chance of the marked answer. It keeps its room while a question has
    odds, so that marking another answer moves nothing."""

    def __init__(self) -> None:
        super().__init__("", id="chance", markup=False)
        self.plain = False

    def show(self, found: Glance | None) -> None:
        """Show this; None where the question has no odds."""
        is_shown = found is not None
        if is_shown != self.has_class("-shown"):
            self.set_class(is_shown, "-shown")
        if found is not None:
            lines = self.size.height or 2
            self.update(glance_text(found, self.plain, lines), layout=False)


def glance_text(found: Glance, plain: bool = False, lines: int = 2) -> Text:
    """What is said beside the marked answer: its chance with a bar, the results as small bars; or
    what is asked next, and the chance as it is now."""
    text = Text()
    if found.share is not None:
        is_now = _("As it is:") + " " if found.then and lines > 1 else ""
        text.append(f"{is_now}{catalog().percent(found.share)} {found.of} ", "bold")
        text.append(bar(found.share, plain) if lines > 1 else "")
    text.append(("  " if text else "") + found.about, "dim")
    text.append("\n" if lines > 1 else "  ")
    if found.then:
        text.append(_("Then: {what}", what=found.then), "italic")
        return text
    for place, (said, share) in enumerate(found.results):
        text.append("  " if place else "")
        text.append(f"{'' if plain else height(share)}{badge(share)} ", "bold")
        text.append(said)
    if found.rest:
        text.append("  " + _n("+{n} more: O", "+{n} more: O", n=found.rest), "dim")
    return text


def height(share: Fraction) -> str:
    """A chance as a small upright bar."""
    return HEIGHTS[min(len(HEIGHTS) - 1, int(share * len(HEIGHTS)))]
