"""The table of D-Day at Omaha Beach and of ASL Starter Kit, as a newcomer meets it."""

from __future__ import annotations

import pytest

from tests.app.tables import session_of
from tests.app.test_play import NARROW, WIDE, italian, settled, table, text_of  # noqa: F401


@pytest.mark.parametrize(("slug", "scenario"), [("ddob", "easy-fox"), ("aslsk", "R1")])
async def test_advice_is_given_with_its_reason(tmp_path, slug, scenario):
    app = table(session_of(tmp_path, slug, scenario))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("a")
        await settled(pilot, lambda: "Consiglio" in text_of(app.screen, "#verdict"))
