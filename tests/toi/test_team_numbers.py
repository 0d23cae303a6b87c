"""What a team pays for the other division (chapter «Gioco a squadre»)."""

from __future__ import annotations

import pytest

from tests.toi.test_teams import team


@pytest.mark.rule("toi:squadre-gioco.combinato", "toi:casa.48")
@pytest.mark.parametrize(("command", "supports"), [(0, False), (1, True)])
def test_one_command_is_enough_for_the_support_of_the_other_division(command, supports):
    table = team(
        us={"us-1": "C5 4reg", "us-2": "C5 4reg div2"},
        de={"de-1": "F5 4reg", "de-2": "P1 4reg div2"},
        comando={"us": command},
    )
    table.play("b:us1", "u:us-1", "b:concentrato", "u:de-1")
    assert ("u:us-2" in table.options) is supports
