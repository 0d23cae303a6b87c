"""The start of the Advancing Fire Phase: placed charges explode (3.5, 4.3).

Refs: 3.5, 4.3.
"""

from __future__ import annotations

from engine.aslsk.rules.weapons import explode
from engine.aslsk.state.state import MAP, State
from engine.core.ctx import Ctx


def explode_charges(ctx: Ctx[State]) -> bool:
    """Every DC placed in the MPh goes off (4.3); False when none is left."""
    name = next((w.id for w in ctx.state.weapons.values() if w.planted and w.place == MAP), None)
    if name is None:
        return False
    explode(ctx, name)
    return True
