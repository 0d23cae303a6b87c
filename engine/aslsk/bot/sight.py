"""Sight as a player judges it by looking at the map.

Nobody checks a LOS before declaring (3.2.1.declare), and neither do the computer players: they
look at the hexes that the line crosses, not at the drawings, and may be wrong.
"""

from __future__ import annotations

from functools import lru_cache

from engine.aslsk.rules.sight import is_los_free, los
from engine.aslsk.state.ground import BRUSH, BUILDINGS, GRAIN, ORCHARD, WOODS, Ground
from engine.aslsk.state.state import State
from engine.core.hexes import line

BLIND = 9
"""More than any hindrance lets through."""


class Glances:
    """What the terrain of a map seems to hide: judged once per pair of hexes."""

    def __init__(self, field: Ground) -> None:
        self.field = field
        self._known: dict[tuple[str, str], int] = {}

    def between(self, a: str, b: str) -> int:
        """The hindrance that one sees between two hexes, BLIND if something is in the way."""
        key = (a, b)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._look(a, b)
        return found

    def _look(self, a: str, b: str) -> int:
        field = self.field
        if a in field.is_off or b in field.is_off:
            return BLIND
        met = line(field.hex[a], field.hex[b])
        hindered = 0
        for hexes in met.stretches:
            labels = [field.at[h] for h in hexes if h in field.at]
            labels = [label for label in labels if label not in field.is_off]
            if labels and all(self._hides(a, b, label) for label in labels):
                return BLIND
            if any(self._hinders(a, b, label) for label in labels):
                hindered += 1
        ends = (field.hex[a], field.hex[b])
        if field.level[a] == field.level[b] and field.hedges:
            for x, y in met.crossed:
                pair = (field.at.get(x, ""), field.at.get(y, ""))
                if pair in field.hedges and x not in ends and y not in ends:
                    return BLIND
        return hindered if hindered < 6 else BLIND

    def _hides(self, a: str, b: str, label: str) -> bool:
        field = self.field
        low, high = sorted((field.level[a], field.level[b]))
        if field.level[label] > low and (low != high or low == 0):
            return True
        if low == high and field.level[label] < low:
            return False
        return field.terrain[label] == WOODS or field.terrain[label] in BUILDINGS

    def _hinders(self, a: str, b: str, label: str) -> bool:
        field = self.field
        flat = field.level[a] == field.level[b]
        if flat and field.level[label] < field.level[a]:
            return False
        return field.kind(label) == ORCHARD or (flat and field.kind(label) in (GRAIN, BRUSH))


@lru_cache(maxsize=64)
def glances(field: Ground) -> Glances:
    """The judgements of a map."""
    return Glances(field)


def look(state: State, a: str, b: str) -> int:
    """The hindrance between two hexes with smoke and wrecks, BLIND if nothing seems to be seen."""
    if is_los_free(state):
        found = los(state, a, b)
        return found.drm if found.clear else BLIND
    seen = glances(state.ground).between(a, b)
    if seen == BLIND or not state.smoke:
        return seen
    met = line(state.ground.hex[a], state.ground.hex[b])
    at = state.ground.at
    for hexes in met.stretches:
        clouds = [state.smoke[at[h]].value for h in hexes if at.get(h) in state.smoke]
        seen += max(clouds, default=0)
    if a in state.smoke:
        seen += state.smoke[a].value + 1
    if b in state.smoke:
        seen += state.smoke[b].value
    return seen if seen < 6 else BLIND
