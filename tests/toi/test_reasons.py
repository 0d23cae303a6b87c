"""Nothing happens, and nothing fails to happen, without saying why: limits, causes, omissions."""

from __future__ import annotations

import pytest

from tests.toi.table import Table

FULL = {"us-2": "D5 4reg", "us-3": "D5 4reg", "us-4": "D5 4reg"}


def said(table: Table, *refs: str) -> list[dict]:
    """The facts of the steps that cite all of some rules."""
    wanted = {f"toi:{ref}" for ref in refs}
    return [
        {"says": step.ruling.msg.id, **step.ruling.msg.facts}
        for step in table.game.steps
        if wanted <= set(step.ruling.refs)
    ]


# --- where one may pass but not stop ----------------------------------------------------------


@pytest.mark.rule("toi:accentramento.attraversare")
@pytest.mark.parametrize(
    ("action", "verb"), [("b:fuoco-e-movimento", "b:attacca"), ("b:assalto", "b:assalta")]
)
def test_no_attack_from_a_hex_that_is_full(action, verb):
    table = Table(us={"us-1": "C5 4reg", **FULL}, de={"de-1": "E5 4reg"})
    table.play("u:us-1", action, "h:D5")
    assert {"toi:accentramento.attraversare", "toi:accentramento.limite"} <= table.why_not(verb)


@pytest.mark.rule("toi:nascoste.attraversamento")
@pytest.mark.parametrize(
    ("action", "verb"), [("b:fuoco-e-movimento", "b:attacca"), ("b:assalto", "b:assalta")]
)
def test_no_attack_from_a_hex_with_concealed_enemies(action, verb):
    table = Table(
        us={"us-1": "C5 4reg"},
        de={"de-1": "E5 4reg", "de-2": "D5 4reg concealed"},
        terreno={"D5": "rough"},
    )
    table.play("u:us-1", action, "h:D5")
    assert "toi:nascoste.attraversamento" in table.why_not(verb)
