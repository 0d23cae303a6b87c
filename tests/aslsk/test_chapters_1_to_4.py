"""Where two rules of the infantry meet, and where an exception hides (1-4 of the book)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.rout import interdictor
from engine.aslsk.rules.sight import sees
from engine.odds import Odds, odds
from tests.aslsk.table import Table
from tests.positions import ROLL

MOVE = "lati: [russian, german]\nfase: MPh\n"
AMERICANS = "lati: [american, german]\nfase: MPh\n"


# LOS is not told before the attack is declared (3.2.1)


def fire_odds(run: Table, option: str) -> Odds:
    """The odds of an answer, from what whoever is asked may know."""
    position = run.game.position
    decision = position.decision
    assert decision is not None
    draft, rest = (TITLE.belief(s, decision.side) for s in (position.draft, position.rest))
    asked = next(q for q in TITLE.questions(draft, decision) if q.commands[0].option == option)
    return odds(TITLE, rest, position.open, asked)


@pytest.mark.rule("aslsk:3.2.1.declare")
@pytest.mark.parametrize(
    ("weapon", "answers", "option"),
    [
        ("", ("u:a",), "h:{hex}"),
        ("m: ru-mmg a", ("u:m",), "h:{hex}"),
        ("m: ru-50mtr a", ("u:m",), "h:{hex}"),
    ],
)
def test_odds_do_not_tell_whether_a_declared_target_can_be_seen(weapon, answers, option):
    text = "lati: [russian, german]\nfase: PFPh\n{0}unità: {{a: ru-458 G7, x: ge-467 {1}}}\narmi: {{{2}}}"
    hidden, open_ = "C9", "K9"
    state = Table(text.format("", hidden, weapon)).state
    assert [sees(state, "G7", hex) for hex in (hidden, open_)] == [False, True]
    found = [
        fire_odds(Table(text.format("", hex, weapon), *answers), option.format(hex=hex))
        for hex in (hidden, open_)
    ]
    assert found[0].spread == found[1].spread
    assert "aslsk:3.2.1.declare" in {ref for ruling in found[0].given for ref in ruling.refs}


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_odds_count_los_where_it_may_be_checked_freely():
    text = "opzioni: {los: libera}\nlati: [russian, german]\nfase: PFPh\nunità: {a: ru-458 G7, x: ge-467 %s}"
    clear = fire_odds(Table(text % "K9", "u:a"), "h:K9")
    hindered = fire_odds(Table(text % "K7", "u:a"), "h:K7")
    assert clear.spread != hindered.spread
    assert "aslsk:3.2.1.declare" not in {ref for ruling in clear.given for ref in ruling.refs}


# Who moves, and who fires at him


@pytest.mark.rule("aslsk:3.2.2.mandatory_fg", "aslsk:casa.50", "aslsk:3.3.3")
def test_who_has_not_fired_may_fire_at_the_next_mover_in_the_same_hex():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, d: ge-467 C9, e: ge-467 C9, f: ge-467 A9}",
        "u:a", "b:normale", "b:via", "h:D8", "u:d", "b:fuoco", dice=[(6, 4), (1, 1), (6, 6), (1, 1)],
    )  # fmt: skip
    assert "3.2.2.mandatory_fg" in run.why_not("u:e")
    run.play("b:passa", "b:fine", "u:b", "b:normale", "h:D8")
    assert run.state.mover.units == ("b",)
    assert "u:e" in run.options


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:3.1")
def test_who_has_tried_to_rally_may_still_throw_smoke():
    run = Table(
        "lati: [american, german]\nfase: RPh\npasso: e\nunità: {a: us-666 F5 broken, x: ge-467 A1}",
        "u:a", dice=[(2, 3), (1,)],
    )  # fmt: skip
    while run.state.phase != "MPh":
        run.play("b:passa")
    run.play("u:a", "b:normale")
    assert "b:fumo" in run.options
    run.play("b:fumo", "h:F5")
    assert run.state.units["a"].tried
    assert "3.3.1.smoke" in run.why_not("b:fumo")


@pytest.mark.rule("aslsk:4.0", "aslsk:3.3.1.recover")
def test_a_weapon_just_recovered_is_carried_on_unless_it_has_moved_already():
    fresh = Table(
        MOVE + "unità: {a: ru-447 E9, x: ge-467 M1}\narmi: {m: ru-lmg @E9}",
        "u:a", "b:normale", "b:recupera", "b:a+m", "h:E10", "h:D9", dice=[(2,)],
    )  # fmt: skip
    assert fresh.state.units["a"].hex == "D9"
    moved = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 D9, x: ge-467 M1}\narmi: {m: ru-lmg a}",
        "u:a", "b:normale", "h:D9", "b:lascia", "u:m", "b:fine",
        "u:b", "b:normale", "b:recupera", "b:b+m", dice=[(2,)],
    )  # fmt: skip
    assert moved.state.weapons["m"].owner == "b"
    assert "4.0" in moved.why_not("h:C9")


@pytest.mark.rule("aslsk:3.3.1.stack_move", "aslsk:3.3.1.assault_move")
def test_a_member_who_parts_keeps_its_own_assault_movement():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, x: ge-467 M1}",
        "u:a", "b:assalto", "u:b", "u:b", "h:D9", "b:fine",
    )  # fmt: skip
    assert run.state.mover.units == ("b",)
    assert "h:D9" in run.options
    run.play("h:D9")
    assert "3.3.1.assault_move" in run.why_not("h:C9")


@pytest.mark.rule("aslsk:3.3.1.stack_move", "aslsk:3.3.1.road_bonus")
@pytest.mark.parametrize(
    ("parts", "bonus"), [(("u:b", "h:C9", "b:fine"), True), (("h:C9", "u:b", "b:fine"), False)]
)
def test_a_member_who_parts_keeps_its_own_road(parts, bonus):
    run = Table(
        MOVE + "unità: {a: ru-447 D8, b: ru-447 D8, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "h:C8", *parts,
    )  # fmt: skip
    assert run.state.mover.units == ("b",)
    assert run.state.mover.road is bonus


@pytest.mark.rule("aslsk:3.3.1.stack_move")
def test_the_attacker_chooses_who_of_a_divided_stack_goes_on():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, c: ru-447 E9, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "u:c", "u:b", "u:c", "b:fine",
    )  # fmt: skip
    assert run.options == {"u:b", "u:c"}
    run.play("u:c", "b:fine")
    assert run.state.mover.units == ("b",)


@pytest.mark.rule("aslsk:3.3.1.smoke")
def test_a_six_for_smoke_ends_the_move_of_that_unit_only():
    run = Table(
        AMERICANS + "unità: {a: us-666 E9, b: us-666 E9, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "b:fumo", "u:a", "h:E9", dice=[(6,)],
    )  # fmt: skip
    assert run.state.units["a"].done
    assert run.state.mover.units == ("b",)
    assert "h:D9" in run.options


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:3.3.1.leader_bonus")
@pytest.mark.parametrize(
    ("way", "leader_goes"), [(("h:E10",), True), (("h:E10", "h:D9", "h:D8", "h:C9"), False)]
)
def test_a_leader_stays_with_a_unit_stopped_by_a_six_if_it_used_his_bonus(way, leader_goes):
    run = Table(
        AMERICANS + "unità: {a: us-666 E9, l: us-8-1 E9, c: us-666 A1, x: ge-467 M1}",
        "u:a", "b:normale", "u:l", *way, "b:fumo", f"{way[-1]}", dice=[(6,)],
    )  # fmt: skip
    assert run.state.units["a"].done
    assert (run.state.mover is not None) is leader_goes


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:1.2.5")
@pytest.mark.parametrize(("value", "now", "later"), [(1, 2, 1), (2, 2, 2), (3, 3, 3)])
def test_grenades_take_no_lasting_smoke_away_when_they_go(value, now, later):
    run = Table(
        AMERICANS + f"unità: {{a: us-666 E9, x: ge-467 M1}}\nfumo: {{E9: {value}}}",
        "u:a", "b:normale", "b:fumo", "h:E9", dice=[(1,)],
    )  # fmt: skip
    assert run.state.smoke["E9"].value == now
    while run.state.phase == "MPh":
        run.play("b:fine" if "b:fine" in run.options else "b:passa")
    assert run.state.smoke["E9"].value == later
    assert run.state.smoke["E9"].kind == "dispersed"


# Fire, with and without LOS


@pytest.mark.rule("aslsk:3.2.1.declare", "aslsk:1.2.4.1")
@pytest.mark.parametrize(
    ("dice", "marker", "broken"),
    [((2, 4), "", False), ((3, 4), "Prep Fire", False), ((6, 6), "Prep Fire", True)],
)
def test_a_weapon_that_fires_without_los_keeps_its_rate_or_breaks(dice, marker, broken):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-447 G7, b: ru-447 G5, x: ge-467 C9, y: ge-467 K9}\narmi: {m: ru-mmg a}",
        "u:m", "h:C9", "b:fuoco", dice=[dice],
    )  # fmt: skip
    gun = run.state.weapons["m"]
    assert run.state.units["x"].good_order
    assert (gun.fire, gun.broken, gun.shots) == (marker, broken, 1)


@pytest.mark.rule("aslsk:3.2.1.declare", "aslsk:7.8")
@pytest.mark.parametrize(("dice", "broken"), [((6, 6), ("cmg",)), ((6, 5), ())])
def test_the_machine_gun_of_a_tank_that_fires_without_los_may_break(dice, broken):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-447 A1, x: ge-467 C9}\nveicoli: {t: ru-t34m43 G7 vca=3}",
        "u:t:cmg", "h:C9", dice=[dice],
    )  # fmt: skip
    if run.options == {"b:fuoco", "u:t:bmg"}:
        run.play("b:fuoco")
    assert "3.2.1.declare" in run.cited
    assert run.state.vehicles["t"].arms.broken == broken


@pytest.mark.rule("aslsk:3.5", "aslsk:3.2.5")
@pytest.mark.parametrize("dice", [(1, 5), (6, 5)])
def test_a_weapon_that_kept_its_rate_in_the_pfph_does_not_fire_in_the_afph(dice):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-447 G7, b: ru-447 G5, x: ge-467 K9}\narmi: {m: ru-mmg a}",
        "u:m", "h:K9", "b:fuoco", dice=[dice, (1, 1)],
    )  # fmt: skip
    while run.state.phase != "AFPh":
        run.play("b:passa")
    for name in ("u:a", "u:m"):
        assert "3.5" in run.why_not(name)
    assert "u:b" in run.options


@pytest.mark.rule("aslsk:3.5", "aslsk:3.2.5", "aslsk:3.5.vehicles")
def test_a_tank_that_kept_its_rate_in_the_pfph_does_not_fire_in_the_afph():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {b: ge-467 G5, x: ru-447 K9}\nveicoli: {t: ge-ivh G7 vca=0}",
        "u:t:ma", "h:K9", dice=[(1, 5), (6, 6), (1, 1)],
    )  # fmt: skip
    while run.state.phase != "AFPh":
        run.play(
            next(
                o
                for o in ("b:passa", "b:ITT-HE", "b:fine", *sorted(run.options))
                if o in run.options
            )
        )
    assert "7.8" in run.why_not("u:t:ma")


@pytest.mark.rule("aslsk:4.2")
def test_nobody_uses_two_flamethrowers():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-468 G7, x: ru-447 G8, y: ru-447 H7}\narmi: {f: ge-ft a, g: ge-ft a}",
        "u:f", "h:G8", dice=[(3, 4), (1, 1), (1, 1)],
    )  # fmt: skip
    assert "4.2" in run.why_not("u:g")
    assert "u:a" in run.options


@pytest.mark.rule("aslsk:4.4.2", "aslsk:3.2.2.leader")
def test_directing_a_panzerfaust_is_all_the_directing_of_a_leader():
    run = Table(
        "data: 1944-10\nlati: [german, russian]\nfase: PFPh\npf: {german: 3}\nunità: {a: ge-467 G7, b: ge-467 G7, l: ge-9-1 G7, x: ru-447 F5}",
        "u:a:pf", "h:F5", "u:l", dice=[(1,), (6, 5)],
    )  # fmt: skip
    assert run.state.units["l"].directed == ("a:pf",)
    assert run.state.units["l"].fire == "Prep Fire"
    run.play("u:b", "h:F5", "b:fuoco")
    assert "u:l" not in run.options


@pytest.mark.rule("aslsk:4.3", "aslsk:3.3.1.double_time")
@pytest.mark.parametrize(("mode", "tired"), [("b:corsa", True), ("b:normale", False)])
def test_a_charge_remembers_that_its_planter_was_exhausted(mode, tired):
    run = Table(
        "lati: [german, russian]\nfase: MPh\nunità: {a: ge-468 G7, b: ge-467 A1, x: ru-447 G8}\narmi: {c: ge-dc a}",
        "u:a", mode, "b:carica", "b:c-G8", "b:passa", "b:fine", "b:passa", "u:x", "h:G7", dice=[(3, 4), (5, 6), (3, 3), (1, 1), (1, 1), (1, 1)],
    )  # fmt: skip
    assert not run.state.units["a"].cx
    assert run.state.units["a"].broken
    while run.state.phase in ("MPh", "DFPh"):
        run.play("b:passa")
    assert (run.state.weapons["c"].place == "eliminated") or run.state.phase == "AFPh"
    assert bool(run.told("4.3", "unit", of="DRM")) is tired


@pytest.mark.rule("aslsk:4.0.destroy", "aslsk:4.0.usage")
@pytest.mark.parametrize(("unit", "able"), [("ru-447", True), ("ru-237", False)])
def test_destroying_a_weapon_is_a_use_of_it(unit, able):
    run = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: {unit} G7, b: ru-447 G5, x: ge-467 K9}}\narmi: {{m: ru-lmg a}}",
        "u:a", "h:K9", *(["b:fuoco"] if able else []), dice=[(6, 5)],
    )  # fmt: skip
    assert run.state.phase == "PFPh"
    assert ("b:distruggi" in run.options) is able


# FPF (3.3.3)


@pytest.mark.rule("aslsk:3.3.3.fpf", "aslsk:3.2.3.mc")
@pytest.mark.parametrize(
    ("leader", "dice", "squad", "chief"),
    [
        ("ge-8-1", (4, 3), "good", "good"),
        ("ge-8-1", (5, 3), "pinned", "pinned"),
        ("ge-8-1", (6, 3), "broken", "broken"),
        ("ge-9-1", (5, 4), "broken", "pinned"),
        ("ge-9-1", (5, 3), "good", "good"),
    ],
)
def test_a_leader_who_fails_the_check_of_fpf_helps_nobody(leader, dice, squad, chief):
    run = Table(
        MOVE + f"unità: {{f: ru-447 J6, d: ge-468 K5 final used=fp, l: {leader} K5}}",
        "u:f", "b:normale", "h:K6", "u:d", "u:l", dice=[dice, (1, 2), (1, 2)],
    )  # fmt: skip
    for name, found in (("d", squad), ("l", chief)):
        one = run.state.units[name]
        assert ("broken" if one.broken else "pinned" if one.pinned else "good") == found
    assert {"3.3.3.fpf", "3.2.2.leader"} <= run.cited


# Who runs, and where to


def interdictions(run: Table) -> int:
    """How many times somebody was interdicted."""
    return len(run.told("3.6.interdiction", "foe", "unit"))


ROUT = "lati: [american, german]\nfase: RtPh\n"


@pytest.mark.rule("aslsk:3.6.destination")
def test_from_a_shelter_any_adjacent_shelter_may_be_entered():
    run = Table(
        "mappa: ex-vista\n" + ROUT + "unità: {a: us-666 I2 broken DM, x: ge-467 A1}", "u:a", "h:H2"
    )
    assert {"h:G3", "h:G2", "h:H1", "h:H3", "b:fermo"} <= run.options
    assert "3.6.destination" in run.why_not("h:I2")


@pytest.mark.rule("aslsk:3.6.destination")
@pytest.mark.parametrize(("enemy", "free"), [("H4", True), ("M1", False)])
def test_who_may_ignore_every_shelter_goes_where_it_likes(enemy, free):
    run = Table(
        "mappa: ex-rotta\n" + ROUT + f"unità: {{a: us-666 M2 broken DM, x: ge-467 {enemy}}}", "u:a"
    )
    assert "h:M3" in run.options
    if free:
        assert {"h:N2", "h:M1"} <= run.options
    else:
        assert "3.6.destination" in run.why_not("h:L2")


@pytest.mark.rule("aslsk:1.1.1.woods_road", "aslsk:3.6.interdiction")
@pytest.mark.parametrize(
    ("enemy", "way", "struck", "spent"),
    [("B9", "h:E8", 1, 2), ("B9", "b:copertura-E8", 0, 4), ("D9", "h:E8", 0, 2)],
)
def test_who_routs_along_a_road_through_woods_may_be_interdicted(enemy, way, struck, spent):
    run = Table(
        ROUT + f"unità: {{a: us-666 D8 broken DM, b: us-666 A1 broken DM, x: ge-467 {enemy}}}",
        "u:a", way, dice=[(1, 1)],
    )  # fmt: skip
    assert run.state.units["a"].hex == "E8"
    assert interdictions(run) == struck
    assert run.state.router is None or run.state.router.spent == spent


@pytest.mark.rule("aslsk:1.1.1.hills.height_advantage", "aslsk:3.6.interdiction")
def test_who_routs_over_a_crest_in_sight_has_no_height_advantage_there():
    run = Table(
        ROUT + "unità: {a: us-666 I4 broken DM, b: us-666 A9 broken DM, x: ge-467 G4}",
        "u:a", "h:J4", "h:K4", dice=[(1, 1), (1, 1)],
    )  # fmt: skip
    assert run.state.units["a"].hex == "K4"
    assert interdictions(run) == 2


@pytest.mark.rule("aslsk:3.6.interdiction", "aslsk:3.2.2.1")
@pytest.mark.parametrize(
    ("vehicle", "able"),
    [("", True), ("t: us-m4a1 D9 vca=0", False), ("t: us-m4a1 D9 vca=0 wreck", True)],
)
def test_nobody_interdicts_out_of_a_hex_that_holds_an_enemy(vehicle, able):
    state = Table(
        "mappa: ex-bosco\n"
        + ROUT
        + f"unità: {{a: us-666 D4 broken DM, c: ge-467 D9}}\nveicoli: {{{vehicle}}}"
    ).state
    assert bool(interdictor(state, state.units["a"])) is able


# Who goes forward


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


# Hand to hand

CLOSE = "mappa: ex-mischia\nlati: [german, russian]\nfase: CCPh\n"


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.smc")
@pytest.mark.parametrize(("marker", "fp"), [("broken DM", "4"), ("", "5")])
def test_a_broken_leader_defends_with_his_squad_but_does_not_attack(marker, fp):
    answers = ["u:a", "u:x", "u:x", "u:a"] if marker else ["u:a", "u:a", "u:x", "u:x", "u:a"]
    run = Table(
        CLOSE + f"unità: {{a: ge-467 E6, l: ge-8-0 E6 {marker}, x: ru-447 E6}}",
        *answers, dice=[(6, 5), (6, 5)],
    )  # fmt: skip
    odds_ = run.told("3.8.odds", "defence", "fp", "number")
    assert [str(o["fp"]) for o in odds_] == [fp, "4"]
    assert [str(o["defence"]) for o in odds_] == ["4", "5"]


@pytest.mark.rule("aslsk:3.8.smc")
@pytest.mark.parametrize(("answer", "defence"), [("u:m", "2"), ("b:solo", "1")])
def test_two_leaders_without_a_squad_attack_and_defend_together(answer, defence):
    run = Table(CLOSE + "unità: {l: ge-8-0 E6, m: ge-8-1 E6, x: ru-447 E6}", answer)
    run.play("b:passa") if answer == "u:m" else run.play("b:solo", "b:passa")
    run.play("u:x", "u:m")
    if "b:attacca" in run.options:
        run.play("b:attacca")
    assert run.game.position.decision is None
    odds_ = run.told("3.8.odds", "defence", "fp", "number")
    assert [str(o["defence"]) for o in odds_] == [defence]


# Who comes back


@pytest.mark.rule("aslsk:3.1.d", "aslsk:3.1")
def test_stacks_rearrange_several_weapons_as_their_one_action():
    text = "lati: [russian, german]\nfase: RPh\npasso: d\nunità: {a: ru-447 E7, b: ru-447 E7, l: ru-8-0 E7, c: ru-447 E7 broken, x: ge-467 M1}\narmi: {m: ru-lmg a, n: ru-lmg a, o: ru-lmg b}"
    run = Table(text, "b:m>b", "b:o>a", "b:n>b")
    assert [run.state.weapons[n].owner for n in "mno"] == ["b", "b", "a"]
    assert run.state.units["a"].done
    assert not run.state.units["l"].done


# Leaders who fall (3.2.3)


@pytest.mark.rule("aslsk:3.2.3.lltc", "aslsk:5.1")
def test_the_loss_of_a_leader_is_that_of_who_he_was_before_he_failed():
    run = Table(
        "lati: [russian, german]\nelr: {german: 1, russian: 3}\nfase: PFPh\nunità: {a: ru-628 E9, b: ru-628 E9, x: ge-468 E8, l: ge-9-1 E8}",
        "u:a", "h:E8", "u:b", dice=[(2, 4), (6, 5), (1, 1), (4, 5)],
    )  # fmt: skip
    assert run.state.units["l"].type == "ge-8-1"
    assert run.state.units["l"].broken
    assert [f["morale"] for f in run.told("2.0.ptc", "morale", "unit", of=ROLL)] == [7]
    assert run.state.units["x"].pinned


@pytest.mark.rule("aslsk:4.0", "aslsk:4.0.portage", "aslsk:3.1.d", "aslsk:3.7")
def test_a_leader_may_possess_what_he_cannot_carry():
    people = "unità: {a: ru-447 E7, l: ru-8-0 E7, c: ru-447 E7 broken, x: ge-467 M1}\n"
    given = Table(
        "lati: [russian, german]\nfase: RPh\npasso: d\n" + people + "armi: {m: ru-mmg a}", "b:m>l"
    )
    assert given.state.weapons["m"].owner == "l"
    for weapon, able in (("ru-mmg", False), ("ru-lmg", True)):
        run = Table(
            "lati: [russian, german]\nfase: APh\n" + people + f"armi: {{m: {weapon} l}}",
            "b:passa",
            "u:l",
        )
        if able:
            assert "h:E6" in run.options
        else:
            assert "4.0.portage" in run.why_not("h:E6")


@pytest.mark.rule("aslsk:3.3.1.stack_move")
def test_a_leading_unit_that_has_gone_from_the_table_leaves_no_reach_to_show():
    run = Table(MOVE + "unità: {a: ru-447 F5, b: ru-447 F5, x: ge-467 A1}", "u:a", "b:normale")
    run.play("b:via")
    decision = run.game.position.decision
    assert any(one.id == "reach" for one in TITLE.overlays(run.state, decision))
    gone = msgspec.structs.replace(run.state.units["a"], hex="")
    state = msgspec.structs.replace(run.state, units={**run.state.units, "a": gone})
    assert all(one.id != "reach" for one in TITLE.overlays(state, decision))
