"""Advance: who is exhausted, who takes whom along (3.7)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from tests.aslsk.table import Table


@pytest.mark.rule("aslsk:3.7.cx", "aslsk:3.7.paatc")
@pytest.mark.parametrize(("dice", "cx", "hex"), [((6, 5), False, "K4"), ((1, 2), True, "L3")])
def test_who_fails_the_paatc_of_a_hard_advance_is_not_exhausted(dice, cx, hex):
    run = Table(
        "lati: [russian, german]\nfase: APh\nunità: {a: ru-426 K4, b: ru-447 A1, z: ge-467 M9}\narmi: {m: ru-mmg a}\nveicoli: {t: ge-ivh L3 vca=0}",
        "u:a", "h:L3", dice=[dice],
    )  # fmt: skip
    one = run.state.units["a"]
    assert (one.cx, one.hex) == (cx, hex)


@pytest.mark.rule("aslsk:3.7.cx", "aslsk:4.0.portage")
@pytest.mark.parametrize(
    ("weapons", "tired"),
    [("n: ru-mmg b", ()), ("n: ru-mmg b, o: ru-lmg b", ("b",))],
)
def test_a_leader_takes_several_squads_along_and_lends_his_ipc_to_one(weapons, tired):
    run = Table(
        f"lati: [russian, german]\nfase: APh\nunità: {{a: ru-426 J3, b: ru-426 J3, c: ru-426 J3, l: ru-8-1 J3, z: ge-467 M9}}\narmi: {{m: ru-mmg a, k: ru-lmg a, {weapons}}}",
        "b:passa", "u:a", "h:K3", "u:l",
    )  # fmt: skip
    assert run.options == {"b:via", "u:b"}
    run.play("u:b")
    assert [run.state.units[n].hex for n in "ablc"] == ["K3", "K3", "K3", "J3"]
    assert tuple(n for n in "ab" if run.state.units[n].cx) == tired


@pytest.mark.rule("aslsk:4.0", "aslsk:3.7.cx")
def test_a_weapon_is_dropped_free_in_the_aph_and_weighs_no_more():
    text = "lati: [russian, german]\nfase: APh\nunità: {a: ru-447 E9, b: ru-447 E9 broken, x: ge-467 M1}\narmi: {m: ru-mmg a, n: ru-mmg b}"
    run = Table(text, "b:lascia", "u:m")
    assert (run.state.weapons["m"].owner, run.state.weapons["m"].hex) == ("", "E9")
    assert run.state.weapons["n"].owner == "b"
    run.play("u:a", "h:E8")
    assert not run.state.units["a"].cx
    assert Table(text, "u:a", "h:E8").state.units["a"].cx
