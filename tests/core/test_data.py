"""Typed YAML loading: text stays text, and every fault is found with its place."""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec
import pytest
import yaml

from app.shell import i18n
from engine.core import data
from engine.core.data import DataErrors, Document, Fault, data_path, load
from engine.core.text import Msg, msg


class Colour(enum.Enum):
    RED = "rosso"
    BLUE = "blu"


class Point(NamedTuple):
    x: int
    y: int


class Unit(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    fire: int = msgspec.field(name="fuoco")
    cost: Annotated[int, msgspec.Meta(ge=1)] = 1
    side: Literal["us", "de"] = "us"
    colour: Colour = Colour.RED


class Roster(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    units: list[Unit] = []
    tables: dict[int, list[int]] = {}
    places: dict[str, Unit] = {}
    leader: Unit | None = None


class Gun(msgspec.Struct, tag="gun", tag_field="kind", forbid_unknown_fields=True):
    range: int


class Tank(msgspec.Struct, tag="tank", tag_field="kind", forbid_unknown_fields=True):
    armour: int
    speed: int


def faults(text, kind=Roster):
    with pytest.raises(DataErrors) as caught:
        load(text, kind)
    return [(fault.path, fault.line, fault.msg) for fault in caught.value.faults]


def only_fault(text, kind=Roster):
    (found,) = faults(text, kind)
    return found


# --- scalars


@pytest.mark.parametrize(
    "written",
    [
        *(
            "0101",
            "0808",
            "007",
            "3",
            "1.10",
            "12:30",
            "1e3",
            "0x1F",
            "1_000",
            ".inf",
            "2024-01-01",
        ),
        *("no", "on", "yes", "true", "null", "~", "sì", "=", "<<"),
    ],
)
def test_a_scalar_stays_as_written(written):
    assert load(f"a: {written}", dict[str, str]) == {"a": written}
    assert load(f"{written}: a", dict[str, str]) == {written: "a"}
    assert load(f"- {written}", list[str]) == [written]


def test_the_traps_would_bite_with_a_plain_loader():
    assert yaml.safe_load("[0101, no, 1.10, 12:30]") == [65, False, 1.1, 750]


def test_text_becomes_what_its_type_says():
    loaded = load(
        "name: 12\nunits: [{id: 0101, fuoco: 3, colour: blu}]\ntables: {6: [1, -2]}", Roster
    )
    assert loaded == Roster("12", [Unit("0101", 3, colour=Colour.BLUE)], {6: [1, -2]})


def test_fractions_are_exact():
    assert load("[1/2, 3, -4/6]", list[Fraction]) == [Fraction(1, 2), 3, Fraction(-2, 3)]


@pytest.mark.parametrize("written", ["1/0", "a", "1/", "0.5", "[1]", "'1/2 '"])
def test_what_is_no_fraction_is_refused(written):
    path, _, found = only_fault(f"[{written}]", list[Fraction])
    assert path == "$[0]"
    assert found.facts["expected"] == "a whole number or a fraction"


@pytest.mark.parametrize("written", ["007", "no", "1_000", "'3 '", "0x1F", "12:30", "due"])
def test_what_is_no_number_is_refused_with_its_text(written):
    path, line, found = only_fault(f"name: a\ntables:\n  1: [5,\n    {written}]")
    assert (path, line) == ("$.tables.1[1]", 4)
    assert found.id == "Expected {expected}, got text: {value}"
    assert found.facts == {"expected": "a whole number", "value": written.strip("'")}


def test_an_empty_value_is_nothing_but_a_quoted_one_is_text():
    assert load("a: ''", dict[str, str]) == {"a": ""}
    assert load("a:", dict[str, str | None]) == {"a": None}
    assert only_fault("name:") == (
        "$.name",
        1,
        msg("Expected {expected}, got {got}", expected="a text", got="nothing at all"),
    )


def test_literal_and_folded_blocks_keep_their_text():
    assert load("a: |\n  ..#\n  #..\n", dict[str, str]) == {"a": "..#\n#..\n"}


# --- what YAML allows and we do not


def test_a_repeated_key_is_a_fault_at_its_second_place():
    assert only_fault("name: a\ntables:\n  1: [1]\n  1: [2]\n") == (
        "$.tables.1",
        4,
        msg("Key {key} is already on line {first}", key="1", first=3),
    )


def test_anchors_and_aliases_are_refused():
    found = faults("name: &n a\nplaces:\n  x: *n\n")
    assert [(path, line) for path, line, _ in found] == [("$.name", 1), ("$.places.x", 3)]
    assert {text.id for _, _, text in found} == {"Anchors and aliases are not allowed"}


def test_a_bomb_of_aliases_never_expands():
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    with pytest.raises(DataErrors) as caught:
        load("a0: &a0 lol\n" + "\n".join(levels), dict[str, list[str] | str])
    assert len(caught.value.faults) == 1 + 29 * 10
    assert all(fault.msg.id.startswith("Anchors") for fault in caught.value.faults)


def test_merge_keys_are_plain_unknown_keys():
    assert only_fault("name: a\n<<: {leader: }") == (
        "$.<<",
        2,
        msg("Unknown key {key}", key="<<"),
    )


@pytest.mark.parametrize("tag", ["!!str", "!!python/object:os.system", "!unit", "!!int"])
def test_tags_are_refused(tag):
    path, line, found = only_fault(f"\nname: {tag} a")
    assert (path, line, found.id) == ("$.name", 2, "Tags are not allowed: {tag}")


@pytest.mark.parametrize("key", ["[a, b]", "{a: b}", ""])
def test_keys_that_are_not_text_are_refused(key):
    assert only_fault(f"name: a\n? {key}\n: 1\n") == ("$", 2, msg("Keys must be text"))


def test_two_documents_are_refused():
    assert only_fault("name: a\n---\nname: b\n") == ("$", 2, msg("More than one document"))


def test_broken_yaml_names_the_line():
    path, line, found = only_fault("name: a\nunits: [1, 2\nplaces: {}\n")
    assert (path, line) == ("$", 3)
    assert found.id.startswith("Not YAML")


def test_tabs_and_control_characters_are_faults_too():
    assert only_fault("name:\n\t- a")[1:2] == (2,)
    assert only_fault("name: a\x00b")[2].id.startswith("Not YAML")


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_is_refused_before_it_hurts(opening):
    assert only_fault(opening * 100_000)[2] == msg("Nested too deeply")


def test_big_files_are_refused(tmp_path):
    text = "name: a\n" + "#" * data.MAX_BYTES
    path = tmp_path / "big.yaml"
    path.write_text(text, encoding="utf-8")
    expected = ("$", 1, msg("Larger than {limit} bytes", limit=data.MAX_BYTES))
    assert only_fault(text) == expected
    assert only_fault(path) == expected


def test_the_pure_python_parser_reads_the_same(monkeypatch):
    monkeypatch.setattr(data, "_LOADER", yaml.SafeLoader)
    assert load("a: [0101, no]\nb: |\n  x\n", dict[str, list[str] | str]) == {
        "a": ["0101", "no"],
        "b": "x\n",
    }
    test_a_repeated_key_is_a_fault_at_its_second_place()
    test_anchors_and_aliases_are_refused()
    test_broken_yaml_names_the_line()
    test_an_empty_value_is_nothing_but_a_quoted_one_is_text()
    test_deep_nesting_is_refused_before_it_hurts("[")


# --- files


def test_a_file_is_named_in_its_faults(tmp_path):
    path = tmp_path / "roster.yaml"
    path.write_text("name: a\nunits: 3\n", encoding="utf-8")
    with pytest.raises(DataErrors, match=r"roster\.yaml:2: \$\.units: Expected a list") as caught:
        load(path, Roster)
    expected = msg("Expected {expected}, got text: {value}", expected="a list", value="3")
    assert caught.value.faults == (Fault(str(path), "$.units", 2, expected),)


def test_a_byte_order_mark_is_ignored(tmp_path):
    path = tmp_path / "roster.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: a\n")
    assert load(path, Roster) == Roster("a")


def test_files_that_cannot_be_read_are_faults(tmp_path):
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("name: perché\n".encode("latin-1"))
    assert only_fault(latin)[2].id.startswith("Not text in UTF-8")
    missing = tmp_path / "missing.yaml"
    assert only_fault(missing)[2] == msg("Cannot be read")
    assert only_fault("name: \ud800")[2].id.startswith("Not text in UTF-8")


def test_data_files_lie_in_the_folder_of_their_title():
    expected = ("toi", "data", "maps", "s1.yaml")
    assert data_path("toi", "maps", "s1.yaml").parts[-4:] == expected


# --- types


def test_all_faults_are_reported_with_path_and_line():
    text = """\
name: [a]
units:
  - id: a
    fuoco: tre
  - {id: b, fuoco: 3, cost: 0}
  - id: c
    side: it
    colour: verde
    extra: 1
places:
  F3: {id: d}
tables:
  uno: [1]
  2:
    - 1
    - x
banana: yes
"""
    assert faults(text) == [
        ("$.name", 1, msg("Expected {expected}, got {got}", expected="a text", got="a list")),
        (
            "$.units[0].fuoco",
            4,
            msg("Expected {expected}, got text: {value}", expected="a whole number", value="tre"),
        ),
        (
            "$.units[1].cost",
            5,
            msg("{value} is less than {limit}", value="0", limit="1"),
        ),
        ("$.units[2]", 6, msg("Key {key} is missing", key="fuoco")),
        (
            "$.units[2].side",
            7,
            msg("{value} is not one of: {allowed}", value="it", allowed=("us", "de")),
        ),
        (
            "$.units[2].colour",
            8,
            msg("{value} is not one of: {allowed}", value="verde", allowed=("rosso", "blu")),
        ),
        ("$.units[2].extra", 9, msg("Unknown key {key}", key="extra")),
        ("$.places.F3", 11, msg("Key {key} is missing", key="fuoco")),
        (
            "$.tables.uno",
            13,
            msg("Expected {expected}, got text: {value}", expected="a whole number", value="uno"),
        ),
        (
            "$.tables.2[1]",
            16,
            msg("Expected {expected}, got text: {value}", expected="a whole number", value="x"),
        ),
        ("$.banana", 17, msg("Unknown key {key}", key="banana")),
    ]


def test_every_missing_key_is_reported():
    assert [found.facts["key"] for _, _, found in faults("[{}]", list[Unit])] == ["id", "fuoco"]


def test_faults_of_form_and_of_type_come_together():
    found = faults("name: a\nname: b\nunits: x\nleader: &l {id: q, fuoco: z}\n")
    assert [path for path, _, _ in found] == ["$.name", "$.units", "$.leader", "$.leader.fuoco"]


def test_an_optional_part_is_looked_into():
    assert only_fault("name: a\nleader:\n  id: x\n  fuoco: y\n")[:2] == ("$.leader.fuoco", 4)
    assert load("name: a\nleader:\n", Roster).leader is None


def test_the_tag_chooses_the_type_to_look_into():
    text = "- {kind: gun, range: 3}\n- kind: tank\n  armour: x\n  speed: y\n"
    assert [found[:2] for found in faults(text, list[Gun | Tank])] == [
        ("$[1].armour", 3),
        ("$[1].speed", 4),
    ]
    assert load("- {kind: gun, range: 3}", list[Gun | Tank]) == [Gun(3)]
    assert only_fault("- {kind: ship}", list[Gun | Tank])[0].startswith("$[0]")


def test_tuples_know_their_length():
    assert load("[1, a]", tuple[int, str]) == (1, "a")
    assert only_fault("[1]", tuple[int, str])[2] == msg("Not {limit} long", limit="2")
    assert only_fault("[x, a]", tuple[int, str])[0] == "$[0]"
    assert only_fault("[[1, 2], [3, x]]", tuple[Point, ...])[0] == "$[1][1]"


def test_a_struct_that_refuses_itself_is_reported():
    class Even(msgspec.Struct):
        n: int

        def __post_init__(self):
            if self.n % 2:
                raise ValueError("odd")

    assert only_fault("- {n: 2}\n- {n: 3}", list[Even]) == (
        "$[1]",
        2,
        msg("Not valid: {reason}", reason="odd"),
    )


def test_an_empty_file_is_reported():
    assert only_fault("") == (
        "$",
        1,
        msg("Expected {expected}, got {got}", expected="a mapping", got="nothing at all"),
    )


def test_long_texts_are_cut_in_messages():
    assert len(only_fault("name: a\nunits: " + "x" * 500)[2].facts["value"]) == 40


def test_faults_are_messages_for_the_catalogs():
    with pytest.raises(DataErrors) as caught:
        load("units: x", Roster)
    assert all(isinstance(fault.msg, Msg) for fault in caught.value.faults)
    assert str(caught.value).splitlines() == [
        "<text>:1: $: Key name is missing",
        "<text>:1: $.units: Expected a list, got text: x",
    ]


class Row(msgspec.Struct, array_like=True):
    a: int
    b: int = 0


class Sized(msgspec.Struct, forbid_unknown_fields=True):
    few: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    between: Annotated[float, msgspec.Meta(gt=1, lt=5)] = 2
    even: Annotated[int, msgspec.Meta(multiple_of=2)] = 2
    long: Annotated[str, msgspec.Meta(min_length=2, max_length=3)] = "ab"
    code: Annotated[str, msgspec.Meta(pattern="^[A-Z]$")] = "A"
    some: Annotated[list[str], msgspec.Meta(min_length=1, max_length=2)] = []
    pairs: Annotated[dict[str, str], msgspec.Meta(max_length=1)] = {}


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("few: 0", Sized, "0 è meno di 1"),
        ("few: 6", Sized, "6 è più di 5"),
        ("between: 1", Sized, "1 non è più di 1.0"),
        ("between: 5", Sized, "5 non è meno di 5.0"),
        ("even: 3", Sized, "3 non è un multiplo di 2"),
        ("few: 99999999999999999999999", Sized, "99999999999999999999999 è più di 5"),
        ("long: a", Sized, "Più corto di 2"),
        ("long: abcd", Sized, "Più lungo di 3"),
        ("code: ab", Sized, "ab non è scritto come '^[A-Z]$'"),
        ("some: []", Sized, "Più corto di 1"),
        ("some: [a, b, c]", Sized, "Più lungo di 2"),
        ("pairs: {a: b, c: d}", Sized, "Più lungo di 1"),
        ("fw: 3", Sized, "Chiave sconosciuta fw: intendevi few?"),
        ("banana: 3", Sized, "Chiave sconosciuta: banana"),
        ("[1]", tuple[int, int], "Non è lungo 2"),
        ("[]", Row, "Più corto di 1"),
        ("[1, x]", Row, "Atteso un numero intero, trovato un testo"),
        ("x", int, "Atteso un numero intero, trovato il testo: x"),
        ("x", float, "Atteso un numero, trovato il testo: x"),
        ("x", bool, "Atteso vero o falso (true, false), trovato il testo: x"),
        ("x", int | None, "Atteso un numero intero, niente, trovato il testo: x"),
        ("x", list[int], "Atteso una lista, trovato il testo: x"),
        ("x", Fraction, "Atteso un numero intero o una frazione, trovato il testo: x"),
        ("[1]", str, "Atteso un testo, trovato una lista"),
        ("a: 1", str, "Atteso un testo, trovato una serie di voci «chiave: valore»"),
        ("[1]", Sized, "Atteso una serie di voci «chiave: valore», trovato una lista"),
        ("", list[int], "Atteso una lista, trovato niente"),
        ("verde", Colour, "verde non è fra: rosso, blu"),
        ("c", Literal["a", "b"], "c non è fra: a, b"),
        ("3", Literal[1, 2], "3 non è fra: 1, 2"),
        ("{kind: ship}", Gun | Tank, "ship non è fra: gun, tank"),
        ("{kind: ship, range: 1}", Gun, "ship non è fra: gun"),
        ("{range: 1}", Gun | Tank, "Manca la chiave kind"),
        ("{kind: gun}", Gun | Tank, "Manca la chiave range"),
    ],
)
def test_everything_that_can_be_wrong_is_said_in_italian(text, kind, said):
    (_path, _line, found) = only_fault(text, kind)
    assert i18n.load("it").say_of_file(found) == said


# --- documents, for checks that types cannot make


def test_a_document_gathers_faults_until_checked():
    doc = Document("a:\n  - x\n  - y\n")
    assert doc.convert(dict[str, list[str]]) == {"a": ["x", "y"]}
    doc.check()
    doc.fault("$.a[1]", msg("no"))
    doc.fault("$.a[0].deep[3].er", msg("no"))
    doc.fault("$.b", msg("no"), 9)
    with pytest.raises(DataErrors) as caught:
        doc.check()
    assert [(f.path, f.line) for f in caught.value.faults] == [
        ("$.a[0].deep[3].er", 2),
        ("$.a[1]", 3),
        ("$.b", 9),
    ]


def test_a_key_stands_on_its_own_line_whatever_follows():
    doc = Document("a:\n  b:\n    - 1\n\n  c: |\n    x\n    y\n  d:\n    e\n")
    assert [doc.line(f"$.a{rest}") for rest in ("", ".b", ".b[0]", ".c", ".d")] == [1, 2, 3, 5, 8]
