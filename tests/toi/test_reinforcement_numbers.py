"""Where reinforcements may enter (chapter «Fase di stato»)."""

from __future__ import annotations

import pytest

from engine.toi.rules.reinforcements import why_not_arrive
from tests.toi.table import Table


@pytest.mark.rule("toi:stato.rinforzi-zona")
@pytest.mark.parametrize(("hex", "refs"), [("C5", []), ("D5", ["toi:stato.rinforzi-zona"])])
def test_only_the_hexes_of_the_zone_are_entered(hex, refs):
    table = Table(us={"us-1": "A1 4reg"}, de={"de-1": "P1 4reg"})
    against = why_not_arrive(table.state, table.unit("us-1"), hex, ("C5",))
    assert [ref for ruling in against for ref in ruling.refs] == refs
