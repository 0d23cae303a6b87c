"""How many vehicles carry squads at a time (chapter «Truppe meccanizzate»)."""

from __future__ import annotations

import pytest

from engine.toi.rules.transport import why_no_room
from engine.toi.state.tables import COMPONENTS
from tests.positions import locators
from tests.toi.table import Table


@pytest.mark.rule("toi:limiti.componenti", "toi:trasporto.segnalini")
@pytest.mark.parametrize("left", [0, 1])
def test_a_vehicle_takes_no_squad_without_a_marker(left):
    loaded = range(1, COMPONENTS.transports["us"] + 1 - left)
    trucks = {f"us-gmc-{n}": f"C{n} gmc" for n in loaded}
    riders = {f"us-{n}": f"su:us-gmc-{n} 4reg" for n in loaded}
    table = Table(us={**trucks, **riders, "us-50": "F5 4reg", "us-gmc-50": "F5 gmc"})
    against = why_no_room(table.state, table.unit("us-50"), table.unit("us-gmc-50"))
    assert ("trasporto.segnalini" in locators(against)) is (left == 0)
