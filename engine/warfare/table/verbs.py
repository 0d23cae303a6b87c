"""The verbs of Warfare in the order of their keys, the same for every unit and support."""

from __future__ import annotations

from engine.warfare.rules.actions import SUPPORT_VERBS
from engine.warfare.rules.actions import VERBS as ACTIONS
from engine.warfare.state.state import HEAVY, LIGHT, WEAPON_IDS

_WEAPONS = (WEAPON_IDS[LIGHT], WEAPON_IDS[HEAVY])

VERBS: dict[str, tuple[str, ...]] = {
    "action.what": tuple([verb.id for verb in ACTIONS]),
    "support.what": tuple([verb.id for verb in SUPPORT_VERBS]),
    "fire.weapon": _WEAPONS,
    "overwatch.weapon": _WEAPONS,
    "support.value": _WEAPONS,
}
"""By question."""
