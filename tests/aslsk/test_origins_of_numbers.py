"""Every number says where it comes from, and the doubtful ones are shown as such (1.3, casa.39)."""

# ruff: noqa: E501  positions and cases are written in one line

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

from app.presenters.aslsk import MEANINGS, STATES, VALUES, AslskPresenter, doubts
from engine import aslsk
from engine.aslsk import TITLE
from engine.aslsk.state import tables
from engine.core.rules import Step
from engine.core.text import msg
from tests.aslsk.table import Table

FILES = (tables.ift_file(), tables.to_hit_file(), tables.to_kill_file(), tables.other())
TANKS = "mappa: ex-carri\ndata: 1943-06\nlati: [german, russian]\nfase: PFPh\n"


def doubtful() -> dict[str, set[str]]:
    """The parts of each file that wait for a check or are ours."""
    return {
        type(file).__name__: {key for key, one in file.origins.items() if one.is_doubtful}
        for file in FILES
    }


@pytest.mark.rule("aslsk:casa.46", "aslsk:casa.48", "aslsk:casa.39", "aslsk:7.9", "aslsk:7.6")
def test_the_doubtful_tables_are_the_known_ones():
    assert doubtful() == {
        "IftFile": set(),
        "ToHitFile": {"vtt.1", "vtt.2", "att.13"},
        "ToKillFile": {"ap_fasce", "apcr_fasce"},
        "OtherFile": {"bog_pressione.high", "bog_ac_bosco"},
    }


@pytest.mark.rule("aslsk:1.2")
def test_the_doubtful_counters_are_the_known_ones():
    vehicles = {name for name, one in tables.VEHICLES.items() if "torretta" in one.verify}
    assert vehicles == {"ge-iif", "ge-psw222", "ru-t34m43", "us-m5a1", "us-m8", "us-m10"}
    others = {name: one.verify for name, one in tables.VEHICLES.items() if one.verify}
    assert {name for name in others if name not in vehicles} == {
        "ge-iiin",
        "ge-ivh",
        "ge-vib",
        "ru-kv1e",
        "ru-t34m41",
    }
    assert {n for n, w in tables.WEAPONS.items() if w.verify} == {"br-51mtr", "ru-radio", "ru-76l"}
    people = {one.nation for one in tables.PEOPLE.values() if one.verify}
    assert people == {"allied minor"}
    assert tables.VEHICLES["us-m10"].reconstructed == ("scoperto",)


@pytest.mark.rule("aslsk:1.2")
@pytest.mark.parametrize("file", FILES, ids=lambda file: type(file).__name__)
def test_every_origin_names_a_part_of_its_file(file):
    fields = {one.encode_name: one.name for one in msgspec.structs.fields(file)}
    for key in file.origins:
        table, _, part = key.partition(".")
        value = getattr(file, fields[table])
        if part and isinstance(value, dict):
            assert part in {str(k) for k in value}, key
        elif part:
            assert int(part) in {row.first for row in value}, key


@pytest.mark.rule("aslsk:1.2")
def test_every_doubtful_value_of_a_counter_is_a_value_with_a_name():
    for kind in (tables.PEOPLE, tables.WEAPONS, tables.VEHICLES):
        for name, one in kind.items():
            fields = {f.encode_name for f in msgspec.structs.fields(one)} | {"scoperto"}
            for key in (*one.verify, *one.sources):
                assert key in fields, (name, key)
            for key in (*one.verify, *one.reconstructed):
                assert key in VALUES, (name, key)


def literals(path: Path) -> set[str]:
    """The texts of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


@pytest.mark.rule("aslsk:casa.39")
def test_every_doubtful_saying_is_said_by_the_rules():
    folder = Path(aslsk.__file__).parent
    known = {text for path in (folder / "rules").rglob("*.py") for text in literals(path)}
    file = tables.load(folder / "data" / "origins.yaml", tables.OriginsFile)
    for one in file.sayings:
        assert one.table in known, one.table
        assert one.origin.is_doubtful, one.table
        assert one.origin.ref.startswith("aslsk:"), one.table


@pytest.mark.rule("aslsk:casa.46")
def test_the_most_exact_origin_counts():
    file = tables.to_hit_file()
    assert file.origin("vtt", 1).provenance == "ricostruito"
    assert file.origin("vtt", 3).provenance == "regolamento"
    assert file.origin("vtt", 7).provenance == file.provenance == "pubblico"
    assert tables.other().origin("leader_drm", "russian").provenance == "regolamento"
    assert tables.other().origin("leader_drm", "german").provenance == "pubblico"


# What a player sees


def spoken(run: Table, side: str) -> list[str]:
    """The steps in Italian, as the screen says them."""
    presenter = AslskPresenter(run.state.sides)
    presenter.use(TITLE.view(run.state, side))
    steps: tuple[Step, ...] = run.game.steps
    return [presenter.say(step.ruling.msg) for step in steps]


@pytest.mark.rule("aslsk:casa.46", "aslsk:3.2.4.vtt")
@pytest.mark.parametrize(("hex", "marked"), [("J4", True), ("J3", True), ("J2", False)])
def test_a_reconstructed_to_hit_number_is_said_to_be_one(hex, marked):
    run = Table(
        TANKS + f"unità: {{z: ru-447 AA9}}\nveicoli: {{t: ge-ivh J5 vca=0 tca=0, k: ru-kv1e {hex}}}",
        "u:t:ma", f"h:{hex}", "b:VTT-k-AP",
        dice=[(6, 6)],
    )  # fmt: skip
    lines = [line for line in spoken(run, "german") if line.startswith("TH#")]
    assert len(lines) == 1
    assert ("(" in lines[0]) is marked
    assert ("casa.46" in run.cited) is marked


@pytest.mark.rule("aslsk:7.9")
@pytest.mark.parametrize(("away", "ammo", "marked"), [(1, "AP", True), (3, "AP", False), (1, "HEAT", False)])  # fmt: skip
def test_a_to_kill_number_that_waits_for_a_check_says_so(away, ammo, marked):
    said = AslskPresenter().say(msg("{ammo} at range {range}", ammo=ammo, range=away, table="tk"))
    assert said.endswith(")") is marked


@pytest.mark.rule("aslsk:1.2.7")
def test_a_counter_tells_its_doubtful_values():
    run = Table(TANKS + "veicoli: {t: ge-psw222 J5, k: ru-t70 J2, m: us-m10 J9}")
    view = TITLE.view(run.state, "german")
    presenter = AslskPresenter(run.state.sides)
    presenter.use(view)
    details = {one.id: presenter.detail(one) for one in view.counters}
    assert doubts("ge-psw222")[0] in details["t"]
    assert all(doubt in details["m"] for doubt in doubts("us-m10"))
    assert len(doubts("us-m10")) == 2
    assert doubts("ru-t70") == []


@pytest.mark.rule("aslsk:1.3")
def test_the_briefing_tells_which_counters_are_doubtful():
    lines = AslskPresenter().briefing("R3")
    assert any("T-34 M43" in line and doubts("ru-t34m43")[0] in line for line in lines)
    assert any("KV-1E" in line and doubts("ru-kv1e")[0] in line for line in lines)
    assert not any("StuG IIIG:" in line for line in lines)


# Counters as players read them


def shown(text: str, side: str) -> tuple[AslskPresenter, dict[str, str], dict[str, str]]:
    """The presenter of a position, the details of its counters, and what is printed on them."""
    run = Table(text)
    view = TITLE.view(run.state, side)
    presenter = AslskPresenter(run.state.sides)
    presenter.use(view)
    looks = {one.id: presenter.counter(one) for one in view.counters}
    printed = {
        id: f"{look.type} {look.strength} {look.states}".rstrip() for id, look in looks.items()
    }
    return presenter, {one.id: presenter.detail(one) for one in view.counters}, printed


@pytest.mark.rule("aslsk:1.2.2", "aslsk:1.2.3")
def test_a_squad_shows_exponent_underline_and_broken_side():
    _presenter, details, _printed = shown(
        "lati: [american, german]\nunità: {a: us-666 E7, b: us-666 E8 broken DM, c: ge-467 E5, d: ge-228 E4}",
        "american",
    )
    assert "Smoke 3" in details["a"]
    assert "Assault Fire" in details["a"]
    assert "Assault Fire" not in details["c"]
    assert "Self Rally" in details["d"]
    assert details["b"].startswith("broken, DM")
    assert "Smoke" not in details["b"]
    assert "8" in details["b"]


@pytest.mark.rule("aslsk:1.2.7", "aslsk:3.2.4.vca_tca")
def test_a_vehicle_never_runs_into_its_calibre():
    text = "veicoli: {" + ", ".join(f"v{n}: {t} E{n % 9 + 1} vca=1 tca=2" for n, t in enumerate(tables.VEHICLES)) + "}"  # fmt: skip
    _presenter, _details, printed = shown("lati: [german, russian]\n" + text, "german")
    for n, kind in enumerate(tables.VEHICLES):
        label, strength, states = printed[f"v{n}"].split()
        assert len(label) == 2, kind
        assert len(strength) <= 3 or not label[-1].isdigit(), kind
        assert states.startswith("v3t5"), kind


@pytest.mark.rule("aslsk:7.7", "aslsk:3.2.4.vca_tca")
@pytest.mark.parametrize(
    ("state", "letters"),
    [
        ("vca=4 tca=4 BU", "v9BU"),
        ("vca=4 tca=4 CE Motion", "v9CE m"),
        ("vca=4 tca=5 BU", "v9t11"),
        ("vca=4 tca=5 CE", "v9t11C"),
        ("vca=4 tca=5 BU Motion", "v9t11m"),
    ],
)
def test_what_matters_of_a_vehicle_fits_on_its_counter(state, letters):
    _presenter, _details, printed = shown(
        f"lati: [german, russian]\nveicoli: {{t: ge-ivh E5 {state}}}", "german"
    )
    assert printed["t"].split(" ", 2)[2] == letters


@pytest.mark.rule("aslsk:6.10", "aslsk:3.3.5")
def test_acquisition_and_residual_fp_lie_on_the_map():
    run = Table(
        "lati: [german, russian]\nunità: {c: ge-228 C9, x: ru-447 C6}\narmi: {g: ge-75l c ca=0 acquired=2 target=x target_hex=C6}\nresiduo: {C5: 4}"
    )
    marks = TITLE.view(run.state, "russian").marks
    assert [(m.kind, m.side, m.text) for m in marks["C6"]] == [("acquired", "german", "-2")]
    assert [(m.kind, m.text) for m in marks["C5"]] == [("Residual FP", "4")]


@pytest.mark.rule("aslsk:1.2.4")
def test_a_weapon_is_told_after_who_carries_it():
    run = Table(
        "lati: [german, russian]\nunità: {a: ge-467 E7, b: ge-467 E7, x: ru-447 C6}\narmi: {m: ge-lmg a, n: ge-hmg b}"
    )
    view = TITLE.view(run.state, "german")
    presenter = AslskPresenter(run.state.sides)
    presenter.use(view)
    hex = next(one.hex for one in view.counters if one.id == "a")
    lines = presenter.describe(view, hex).splitlines()[1:]
    assert [line.startswith("  ") for line in lines] == [False, True, False, True]
    assert lines[1].strip().startswith("LMG")
    assert lines[3].strip().startswith("HMG")


@pytest.mark.rule("aslsk:1.2")
def test_the_legend_explains_every_letter_and_abbreviation():
    run = Table("lati: [german, russian]\nunità: {a: ge-467 E7, x: ru-447 C6}")
    presenter = AslskPresenter(run.state.sides)
    panels = {panel.id: panel.lines for panel in presenter.panels(TITLE.view(run.state, "german"))}
    assert set(MEANINGS) == set(STATES)
    for mark, _words in STATES.values():
        assert any(line.split()[0] == mark for line in panels["letters"]), mark
    assert all(len(line.split(None, 1)) == 2 for line in panels["abbreviations"])
    assert {"FP", "ROF", "PP", "AF"} <= {line.split()[0] for line in panels["abbreviations"]}
