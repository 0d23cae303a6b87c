"""Numbers and conditions of the small print, each with the case where it does not apply."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.close_combat import attack_drm
from engine.aslsk.rules.elements import find
from engine.aslsk.rules.firepower import firer_drm
from engine.aslsk.rules.firers import breakdown, weapon_rof
from engine.aslsk.rules.ordnance import SMOKE
from engine.aslsk.rules.rout import mf_left
from engine.aslsk.rules.sight import los
from engine.aslsk.rules.smoke_fire import why_not_smoke
from engine.aslsk.state.state import CcAttack, CloseCombat
from tests.aslsk.table import ON_IFT, Table
from tests.citations import ROLL

MOVE = "lati: [russian, german]\nfase: MPh\n"


@pytest.mark.rule("aslsk:3.3.1.double_time", "aslsk:3.2.2.leader")
@pytest.mark.parametrize(
    ("squad", "leader", "value"), [("", "", 0), ("CX", "", 1), ("", "CX", 1), ("CX", "CX", 1)]
)
def test_an_exhausted_leader_worsens_what_he_directs_once(squad, leader, value):
    state = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: ru-447 G7 {squad}, l: ru-8-0 G7 {leader}, x: ge-467 K9}}"
    ).state
    group = [find(state, "russian", "a")]
    found = firer_drm(state, group, [state.units["l"]], {"G7": los(state, "G7", "K9")}, "K9")
    assert sum(m.value for m in found) == value


@pytest.mark.rule("aslsk:4.0.captured", "aslsk:4.1.breakdown", "aslsk:5.4")
@pytest.mark.parametrize(
    ("unit", "weapon", "number"),
    [
        ("ru-447", "ru-mmg", (11, 11)),
        ("ru-447", "ge-mmg", (10, 12)),
        ("ru-426", "ru-mmg", (10, 11)),
        ("ru-426", "ge-mmg", (9, 12)),
    ],
)
def test_a_captured_weapon_and_inexperienced_hands_break_earlier(unit, weapon, number):
    side = "german" if weapon.startswith("ge") else "russian"
    state = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: {unit} G7, x: ge-467 K9}}\narmi: {{m: {weapon} a lato={side}}}"
    ).state
    assert breakdown(state, find(state, "russian", "m")) == number


@pytest.mark.rule("aslsk:4.4.4", "aslsk:3.3.5")
@pytest.mark.parametrize(("joins", "column"), [(("b:fuoco",), 2), (("u:r",), 4)])
def test_an_antitank_rifle_adds_nothing_to_residual_fp(joins, column):
    run = Table(
        MOVE + "unità: {a: ru-447 E9, z: ru-447 A1, d: ge-338 B9, e: ge-237 B9}\narmi: {r: ge-atr e}",
        "u:a", "b:normale", "h:D8", "u:d", *joins, dice=[(6, 5), (1, 1)],
    )  # fmt: skip
    assert run.told("3.2.3", "column", "fp")[0]["column"] == column
    assert run.state.residual.get("D8", 0) == 1


# What fire does


@pytest.mark.rule("aslsk:3.2.3.wound")
@pytest.mark.parametrize(
    ("marker", "dr", "lost"),
    [("", 4, False), ("", 5, True), ("wounded", 3, False), ("wounded", 4, True)],
)
def test_a_second_wound_adds_one_to_its_dr(marker, dr, lost):
    run = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: ru-628 G7, x: ge-9-1 G8 {marker}, y: ge-467 A1}}",
        "u:a", "h:G8", dice=[(1, 2), (dr,), (1, 1)],
    )  # fmt: skip
    assert "3.2.3.wound" in run.cited
    assert (run.state.units["x"].place == "eliminated") is lost
    assert run.state.units["x"].wounded is (not lost or marker != "")


@pytest.mark.rule("aslsk:3.2.3.llmc", "aslsk:3.8.melee")
@pytest.mark.parametrize(("marker", "checks"), [("", 1), ("Melee", 0)])
def test_no_leader_loss_check_in_melee(marker, checks):
    run = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: ru-628 G7, b: ru-628 G7, c: ru-447 A1, x: ge-467 G8 {marker}, l: ge-9-1 G8 {marker}, y: ru-447 {'G8' if marker else 'A1'} {marker}}}",
        "u:a", "h:G8", "u:b", dice=[(1, 3), "l", (1, 1), (1, 1)],
    )  # fmt: skip
    assert run.state.units["l"].place == "eliminated"
    assert len(run.told("3.2.3.llmc", "unit", of="MC DRM")) == checks
    assert ("3.8.melee" in run.cited) is not bool(checks)


@pytest.mark.rule("aslsk:4.0.kia_destroy")
@pytest.mark.parametrize(
    ("dr", "place", "broken"), [(4, "eliminated", False), (5, "map", True), (6, "map", False)]
)
def test_the_weapon_of_who_is_killed_may_be_lost_or_break(dr, place, broken):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-628 G7, b: ru-628 G7, c: ru-447 A1, x: ge-467 G8}\narmi: {m: ge-mmg x}",
        "u:a", "h:G8", "u:b", dice=[(1, 3), (dr,)],
    )  # fmt: skip
    weapon = run.state.weapons["m"]
    assert (weapon.place, weapon.broken) == (place, broken)


# Movement


@pytest.mark.rule("aslsk:3.3.1.road_bonus", "aslsk:1.1.1.roads", "aslsk:1.2.5")
@pytest.mark.parametrize(("smoke", "bonus"), [("C8", False), ("C9", True)])
def test_smoke_on_the_road_costs_the_road_bonus(smoke, bonus):
    run = Table(
        MOVE + f"unità: {{a: ru-447 B8, x: ge-467 M1}}\nfumo: {{{smoke}: 2}}",
        "u:a", "b:normale", "h:C8",
    )  # fmt: skip
    assert run.state.mover.road is bonus
    assert run.state.mover.spent["a"] == (2 if bonus else 4)


@pytest.mark.rule("aslsk:4.3.placement", "aslsk:3.2.3.pinned")
@pytest.mark.parametrize(
    ("check", "planted", "owner"), [((2, 2), "G8", ""), ((4, 3), "", "a"), ((6, 5), "", "a")]
)
def test_a_charge_is_placed_only_by_who_is_neither_pinned_nor_broken(check, planted, owner):
    run = Table(
        "lati: [german, russian]\nfase: MPh\nunità: {a: ge-468 G7, b: ge-467 A1, x: ru-447 G8}\narmi: {c: ge-dc a}",
        "u:a", "b:normale", "b:carica", "b:c-G8", "u:x", dice=[(5, 3), check],
    )  # fmt: skip
    if "b:passa" in run.options and run.asked.side == "russian":
        run.play("b:passa")
    charge = run.state.weapons["c"]
    assert "3.2.3.mc" in run.cited
    assert (charge.planted, charge.owner) == (planted, owner)


@pytest.mark.rule("aslsk:3.3.5.attack", "aslsk:1.2.5")
@pytest.mark.parametrize(("smoke", "final"), [("A1", 4), ("D8", 7)])
def test_smoke_in_the_hex_counts_for_residual_fp_and_denies_ffmo(smoke, final):
    run = Table(
        MOVE + f"unità: {{a: ru-447 E9, z: ru-447 A9, x: ge-467 M1}}\nresiduo: {{D8: 4}}\nfumo: {{{smoke}: 2}}",
        "u:a", "b:normale", "h:D8", dice=[(4, 2), (1, 1)],
    )  # fmt: skip
    assert run.told(ON_IFT, "dr", "result")[0]["dr"] == final


# CC Reaction Fire

TANK = (
    "mappa: ex-carri\ndata: 1944-10\nlati: [russian, german]\nfase: MPh\nunità: {d: ge-468 Z1 %s, %sz: ru-447 A5}\narmi: {m: ge-lmg d}\n"
    "veicoli: {t: ru-t3485 Z1 vca=0 running moving moved}\n"
    "mossa: {unità: [t], speso: 16, da: Y2, finestra: si, scia: [[Y2, 0], [Z1, 16]]}"
)


@pytest.mark.rule("aslsk:3.3.4", "aslsk:3.8.ccv")
@pytest.mark.parametrize(("marker", "ccv"), [("", 5), ("first", 4), ("used=m", 4)])
def test_who_has_fired_even_a_weapon_alone_has_a_lower_ccv(marker, ccv):
    run = Table(TANK % (marker, ""), "b:corpo-d", dice=[(2, 2), (5, 5)])
    assert run.told("3.8.ccv", "number")[0]["number"] == ccv


@pytest.mark.rule("aslsk:3.3.4", "aslsk:3.3.3.fpf", "aslsk:3.2.3.mc")
@pytest.mark.parametrize(
    ("dice", "squad", "leader"),
    [((4, 3), "good", "good"), ((5, 3), "pinned", "pinned"), ((5, 4), "broken", "broken")],
)
def test_a_leader_who_fails_the_check_of_cc_reaction_helps_nobody(dice, squad, leader):
    run = Table(TANK % ("final", "l: ge-8-1 Z1, "), "b:corpo-d", "u:l", dice=[(2, 2), dice, (1, 1)])
    for name, found in (("d", squad), ("l", leader)):
        one = run.state.units[name]
        assert ("broken" if one.broken else "pinned" if one.pinned else "good") == found


# Rout


@pytest.mark.rule("aslsk:3.6.mf", "aslsk:3.2.3.wound")
@pytest.mark.parametrize(("marker", "left"), [("", 12), ("wounded", 6)])
def test_a_wounded_leader_routs_with_three_mf(marker, left):
    state = Table(
        f"lati: [american, german]\nfase: RtPh\nunità: {{a: us-8-1 E9 broken DM {marker}, x: ge-467 M1}}",
        "u:a",
    ).state
    assert mf_left(state, state.router) == left


HEMMED = "mappa: ex-rotta\nlati: [american, german]\nfase: RtPh\nunità: {a: us-666 N6 broken DM, l: us-8-1 N6, w: ge-467 O5, x: ge-467 O6, y: ge-467 M6, z: ge-467 L7}"


@pytest.mark.rule("aslsk:3.6.leader", "aslsk:3.6.interdiction")
@pytest.mark.parametrize(("dice", "place"), [((5, 5), "eliminated"), ((5, 4), "map")])
def test_a_leader_falls_with_the_unit_that_fails_against_interdiction(dice, place):
    run = Table(HEMMED, "u:a", "u:l", "h:N7", dice=[dice])
    assert run.state.units["l"].place == place
    assert run.state.units["a"].type == ("us-346" if place == "eliminated" else "us-666")


@pytest.mark.rule("aslsk:3.6.toward")
@pytest.mark.parametrize("marker", ["", "broken"])
def test_no_rout_toward_a_known_enemy_even_if_it_is_broken(marker):
    run = Table(
        f"lati: [russian, german]\nfase: RtPh\nunità: {{a: ru-447 D7 broken DM, x: ge-467 G7 {marker}}}",
        "u:a",
    )
    assert "3.6.toward" in run.why_not("h:E7")


# Advance, Close Combat, weapons


@pytest.mark.rule("aslsk:3.7.paatc", "aslsk:5.2")
@pytest.mark.parametrize(("unit", "need"), [("it-447", 7), ("it-347", 6)])
def test_only_italians_who_are_not_elite_add_one_to_the_paatc(unit, need):
    run = Table(
        f"lati: [italian, german]\nfase: APh\nunità: {{a: {unit} E9, b: {unit} A1, x: ge-467 M1}}\nveicoli: {{t: ge-ivh E8 vca=0}}",
        "u:a", "h:E8", dice=[(1, 1)],
    )  # fmt: skip
    assert run.told("3.7.paatc", "morale", "unit", of=ROLL)[0]["morale"] == need


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.smc")
@pytest.mark.parametrize(
    ("squad", "leader", "value"), [("", "", 0), ("broken", "broken", -2), ("", "broken", 0)]
)
def test_close_combat_against_the_broken_is_easier_if_all_are(squad, leader, value):
    state = Table(
        f"mappa: ex-mischia\nlati: [german, russian]\nfase: RPh\npasso: e\nunità: {{a: ge-467 E6 Melee, x: ru-447 E6 Melee {squad}, l: ru-8-0 E6 Melee {leader}, c: ge-8-0 A1 broken}}"
    ).state
    attack = CcAttack("german", ("a",), ("x", "l"))
    lines = attack_drm(state, attack, attack.targets, CloseCombat("E6"), True)
    assert sum(m.value for m in lines) == value


@pytest.mark.rule("aslsk:4.2", "aslsk:4.0.captured", "aslsk:5.4")
@pytest.mark.parametrize(
    ("unit", "weapon", "dice", "lost"),
    [
        ("ru-458", "ru-ft f", (4, 5), False),
        ("ru-458", "ru-ft f", (4, 6), True),
        ("ru-458", "ge-ft f", (3, 5), True),
        ("ru-458", "ge-ft f", (3, 4), False),
        ("ru-447", "ru-ft f", (3, 5), True),
        ("ru-447", "ru-ft f", (3, 4), False),
        ("ru-426", "ru-ft f", (3, 4), True),
        ("ru-426", "ru-ft f", (2, 4), False),
    ],
)
def test_when_a_flamethrower_is_spent(unit, weapon, dice, lost):
    kind = weapon.partition(" ")[0]
    side = "german" if kind.startswith("ge") else "russian"
    run = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: {unit} G7, b: ru-447 A1, x: ge-467 G8}}\narmi: {{f: {kind} a lato={side}}}",
        "u:f", "h:G8", dice=[dice, *[(1, 1)] * 4],
    )  # fmt: skip
    assert (run.state.weapons["f"].place == "eliminated") is lost


@pytest.mark.rule("aslsk:6.2.smoke", "aslsk:3.2.4.intensive_fire")
@pytest.mark.parametrize(("marker", "refused"), [("", False), ("prep", True)])
def test_a_gun_that_has_lost_its_rate_fires_no_more_smoke(marker, refused):
    state = Table(
        f"lati: [german, russian]\nfase: PFPh\npasso: smoke\nunità: {{c: ge-228 G7, x: ru-447 A1}}\narmi: {{g: ge-81mtr c ca=0 {marker}}}"
    ).state
    e = find(state, "german", "g")
    refs = {ref[6:] for ruling in why_not_smoke(state, e, SMOKE) for ref in ruling.refs}
    assert ("6.2.smoke" in refs) is refused


@pytest.mark.rule("aslsk:6.2.smoke", "aslsk:3.2.4.intensive_fire")
@pytest.mark.parametrize(("phase", "marker"), [("PFPh", "prep"), ("DFPh", "first")])
def test_what_may_still_make_intensive_fire_makes_no_smoke_with_it(phase, marker):
    sides = "german, russian" if phase == "PFPh" else "russian, german"
    for shown in ("", marker):
        state = Table(
            f"lati: [{sides}]\nfase: {phase}\npasso: smoke\nunità: {{c: ge-228 G7, x: ru-447 A1}}\narmi: {{g: ge-81mtr c ca=0 {shown}}}\nveicoli: {{t: ge-ivh C9 vca=0 {shown}}}"
        ).state
        for name in ("g", "t:ma"):
            found = list(why_not_smoke(state, find(state, "german", name), SMOKE))
            against = [ruling for ruling in found if "aslsk:6.2.smoke" in ruling.refs]
            assert [r.msg.facts for r in against] == ([{"unit": name}] if shown else []), name


@pytest.mark.rule("aslsk:4.2", "aslsk:3.3.3.sff")
@pytest.mark.parametrize(("marker", "able"), [("", True), ("first", False), ("final", False)])
def test_a_flamethrower_does_not_fire_again(marker, able):
    run = Table(
        MOVE + f"unità: {{a: ru-447 E9, d: ge-468 C9}}\narmi: {{f: ge-ft d {marker}}}",
        "u:a", "b:normale", "h:D8",
    )  # fmt: skip
    if able:
        assert "u:f" in run.options
    else:
        assert {"3.3.3.sff"} <= run.why_not("u:f")


@pytest.mark.rule("aslsk:1.2.4.1", "aslsk:3.2.3.pinned")
@pytest.mark.parametrize(("marker", "rof"), [("", 2), ("pinned", 0)])
def test_a_pinned_owner_has_no_rate_of_fire(marker, rof):
    state = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: ru-447 G7 {marker}, x: ge-467 K9}}\narmi: {{m: ru-mmg a}}"
    ).state
    assert weapon_rof(state, find(state, "russian", "m")) == rof


@pytest.mark.rule("aslsk:3.2.3.mc", "aslsk:3.2.3.broken")
@pytest.mark.parametrize(
    ("dice", "found"), [((6, 6), "lost"), ((6, 5), "ge-247"), ((1, 2), "ge-467")]
)
def test_a_broken_unit_is_reduced_by_a_failed_check_and_lost_with_a_twelve(dice, found):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-628 G7, c: ru-447 A1, x: ge-467 G8 broken}",
        "u:a", "h:G8", dice=[(2, 4), dice],
    )  # fmt: skip
    one = run.state.units["x"]
    assert (one.type if one.place == "map" else "lost") == found
    assert one.dm


@pytest.mark.rule("aslsk:3.2.3.lltc")
@pytest.mark.parametrize(("unit", "checks"), [("ge-468", 0), ("ge-467", 1)])
def test_only_those_of_lower_morale_check_when_a_leader_breaks(unit, checks):
    run = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: ru-628 G7, c: ru-447 A1, x: {unit} G8, l: ge-8-1 G8}}",
        "u:a", "h:G8", dice=[(2, 4), (6, 4), (1, 1), (1, 1)],
    )  # fmt: skip
    assert run.state.units["l"].broken
    assert len(run.told("3.2.3.lltc", "unit", of="MC DRM")) == checks


@pytest.mark.rule("aslsk:3.3.1.smoke")
@pytest.mark.parametrize(("hex", "spent"), [("h:E9", 2), ("h:E10", 4)])
def test_smoke_next_door_costs_two_mf(hex, spent):
    run = Table(
        "lati: [american, german]\nfase: MPh\nunità: {a: us-666 E9, x: ge-467 M1}",
        "u:a", "b:normale", "b:fumo", hex, dice=[(1,)],
    )  # fmt: skip
    assert run.state.mover.spent["a"] == spent
    assert hex[2:] in run.state.smoke


@pytest.mark.rule("aslsk:3.3.5.attack")
def test_residual_fp_strikes_again_only_with_worse_drm():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, x: ge-467 M1}\narmi: {m: ru-lmg @D8}\nresiduo: {D8: 2}",
        "u:a", "b:normale", "h:D8", "b:recupera", "b:a+m", dice=[(6, 6), (2,)],
    )  # fmt: skip
    assert run.state.weapons["m"].owner == "a"
    assert len(run.told("3.3.5.attack", "fp", "hex")) == 1
    assert run.game.position.decision is not None


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:3.2.3.pinned")
@pytest.mark.parametrize(
    ("unit", "fp"),
    [("ge-467", "4"), ("ge-467 pinned", "2"), ("ge-8-0", "1"), ("ge-8-0 pinned", "1/2")],
)
def test_who_is_pinned_attacks_at_half_in_close_combat(unit, fp):
    kind, _, marker = unit.partition(" ")
    run = Table(
        f"mappa: ex-mischia\nlati: [german, russian]\nfase: CCPh\nunità: {{a: {kind} E6 {marker}, x: ru-447 E6}}",
        "u:a", "u:x", "b:passa", dice=[(6, 5)],
    )  # fmt: skip
    found = run.told("3.8.odds", "defence", "fp", "number")[0]
    assert (str(found["fp"]), str(found["defence"])) == (fp, "4")


@pytest.mark.rule("aslsk:3.8.ccv")
@pytest.mark.parametrize(("third", "found"), [(2, "wreck"), (3, "immobilized"), (4, "whole")])
def test_an_original_two_always_has_a_chance_against_a_vehicle(third, found):
    run = Table(
        "mappa: ex-carri\ndata: 1944-10\nlati: [russian, german]\nfase: CCPh\nunità: {l: ru-8-1 J2 done}\nveicoli: {t: ge-iif J2 Motion}",
        "u:l", "u:t", dice=[(1, 1), (third,)],
    )  # fmt: skip
    tank = run.state.vehicles["t"]
    assert (
        "wreck" if tank.wreck else "immobilized" if tank.drive.immobilized else "whole"
    ) == found


@pytest.mark.rule("aslsk:4.4.2")
@pytest.mark.parametrize(
    ("unit", "most"), [("ge-467", 3), ("ge-247", 2), ("ge-8-0", 1), ("ge-467 CX", 2)]
)
def test_who_has_a_panzerfaust_at_hand(unit, most):
    kind, _, marker = unit.partition(" ")
    text = f"data: 1944-10\nlati: [german, russian]\nfase: PFPh\npf: {{german: 3}}\nunità: {{a: {kind} G7 {marker}, b: ge-467 A1, x: ru-447 M1}}\nveicoli: {{t: ru-t34m43 G8 vca=0}}"
    for dr in (most, most + 1):
        run = Table(text, "u:a:pf", "h:G8", dice=[(dr,), (6, 5), (1, 1)])
        assert bool(run.told("4.4.2", "side", of="PfUsed")) is (dr <= most)


@pytest.mark.rule("aslsk:3.5")
@pytest.mark.parametrize(
    ("weapon", "able"), [("ru-lmg", True), ("ru-mmg", False), ("ru-hmg", False)]
)
def test_only_light_machine_guns_fire_in_the_afph_after_moving(weapon, able):
    run = Table(
        f"lati: [russian, german]\nfase: AFPh\nunità: {{a: ru-447 G7, x: ge-467 I9}}\narmi: {{m: {weapon} a moved}}"
    )
    if able:
        assert "u:m" in run.options
    else:
        assert "3.5" in run.why_not("u:m")
