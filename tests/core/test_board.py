"""Boards drawn in YAML: one good board per style, and every fault with its place."""

from __future__ import annotations

import pytest

from engine.core.board import load_board
from engine.core.data import DataErrors
from engine.core.hexes import BadLabel, Hex, neighbours

TERRAINS = ("aperto", "bosco", "edificio")
FEATURES = ("strada", "sentiero", "siepe", "muro", "bunker", "mina")

TOKENS = """\
nome: Il guado
provenienza: ricostruito
ref: toi:mappe
griglia: {colonne: 4, righe: 3}
legenda:
  .0: aperto
  .1: aperto 1
  b0: bosco
  b-1: bosco -1
  x: fuori
mappa: |
  .0 .0 b0 x
  .1 b-1 b0 .0
  .0 .0 .0 .0
quote:
  2: [A1]
strade:
  strada:
    - [A1, B1, C1]
    - [B1, B2]
  sentiero: [[C1, B1]]
lati:
  A1-B1: [siepe, muro]
  B2-C3: [siepe]
segnalini:
  A2: [bunker, mina]
fuori:
  - D3
"""

CHARACTERS = """\
nome: Città
provenienza: regolamento
ref: warfare:mappe
griglia: {colonne: 6, righe: 2}
legenda: {.: aperto, "#": edificio}
mappa: |
  ..##..
  .#..#.
"""

# The 13-column map of aslsk R1: flat hexes, even columns one hex shorter.
FLAT = """\
nome: Mulino Basso
provenienza: ricostruito
ref: aslsk:mappe
griglia: {colonne: 13, righe: 9, esagoni: lato, accorciate: true}
legenda: {.: aperto, r: strada, W: bosco, o: frutteto, g: grano, u: macchia, S: pietra, b: legno}
mappa: |
  1|  .   .   .   .   .   .   r   .   .   .   .   .   .
  2|  .   W   W   .   o   .   r   .   .   o   u   u   .
  3|  .   W   W   o   o   .   r   S   .   o   .   u   u
  4|  .   .   .   .   .   S   r   S   b   .   .   .   .
  5|  r   r   r   r   r   r   r   r   r   r   r   r   r
  6|  .   g   .   .   b   b   r   b   .   .   .   .   .
  7|  .   g   g   g   .   .   r   .   S   W   W   W   .
  8|  .   .   g   W   W   .   r   .   .   .   W   W   .
  9|  .       .       W       r       .       .       .
strade:
  sterrata:
    - [G1, G2, G3, G4, G5, G6, G7, G8, G9]
    - [A5, B5, C5, D5, E5, F5, G5, H5, I5, J5, K5, L5, M5]
"""

# The whole of ddob: row 01 at the bottom, even rows shifted and shorter, north downwards.
OMAHA = """\
nome: Omaha
provenienza: pubblico
ref: ddob:mappa
griglia:
  {colonne: 36, righe: 20, etichette: RRCC, accorciate: true, prima_riga: basso, nord: basso}
legenda:
  b: spiaggia
  p: padiglione
  P: padiglione costruito
  d: gola
  W: gola boscosa
  E: gola costruita
  a: altura 1
  s: bocage 1
  e: edifici 1
  w: boschi 1
  r: accidentato
  L: riquadro
  ~: mare
  .: fuori
mappa: |
  20| ..aasssaessassssssaaaaasaassasaaa..
  19| aaasesaeaassassssaaawssaaassaaasaaaa
  18| aaaeaaweaassassssssaasasaaswasasaaa
  17| assasaaaaasaaaawssaaaaassaasaaasssaa
  16| aasaaaeeaaeeaassssasaaassaseseaasss
  15| aaaasaaaaaeaasaaaawswaasssseaaaaeass
  14| sassassseeWsawssaaeaessaassassaseae
  13| assaaasseeWdsasssaseeesaaaasasaassas
  12| sassaaeasadasssWsseeessaaaaassaaaaa
  11| saeeaassasaWessaWaeeEadsssaaawssasae
  10| eessaaasasdasssWaaaaEEasssaseesassw
  09| ssaarasssddaassadaaaaaEaasaaeewaaasw
  08| araarawpppppPppppPpppPaaaaaseeeesaw
  07| ararrrppbbbbbbbbbbbbPpppPpPsaadasaaa
  06| ~~rbbbbbbbbbbbbbbbbbbbbbbbpPaEaaaaa
  05| ~~~~bbbbbbbbbbbbbbbbbbbbbbbbpppaaasa
  04| ~~~LLLLLLLLLLLLLLbbbbbbbbbbbbbbbaaa
  03| ~~~~~~~~~~~~~~~~~LLLLLLLLbbbbbbbbbrr
  02| ~~~~~~~~~~~~~~~~~~~~~~~~LLbbbbbbbbb
  01| ~~~~~~~~~~~~~~~~~~~~~~~~~~LLLLLLLbbb
lati:
  0710-0809: [ghiaia]
  0334-0335: [scogliera]
"""
OMAHA_TERRAINS = (
    *("spiaggia", "padiglione", "padiglione costruito", "gola", "gola boscosa", "gola costruita"),
    *("altura", "bocage", "edifici", "boschi", "accidentato", "riquadro", "mare"),
)


def board(text=TOKENS):
    return load_board(text, TERRAINS, FEATURES)


def faults(text):
    with pytest.raises(DataErrors) as caught:
        board(text)
    return [(fault.path, fault.line, fault.msg.id) for fault in caught.value.faults]


def changed(old, new, text=TOKENS):
    assert text.count(old) == 1
    return text.replace(old, new)


# --- good boards


def test_a_board_of_tokens_answers_for_each_hex():
    drawn = board()
    at = drawn.hex_at
    assert (drawn.name, drawn.provenance, drawn.ref) == ("Il guado", "ricostruito", "toi:mappe")
    assert [drawn.terrain(at(label)) for label in ("A1", "C1", "B2")] == [
        "aperto",
        "bosco",
        "bosco",
    ]
    assert [drawn.elevation(at(label)) for label in ("A1", "A2", "B2", "C3")] == [2, 1, -1, 0]
    assert drawn.markers_at(at("A2")) == ("bunker", "mina")
    assert drawn.markers_at(at("A1")) == ()


def test_hexes_drawn_or_listed_as_off_are_not_on_the_map():
    drawn = board()
    assert [drawn.label(h) for h in drawn.hexes()] == [
        *("A1", "B1", "C1"),
        *("A2", "B2", "C2", "D2"),
        *("A3", "B3", "C3"),
    ]
    off = drawn.grid.from_offset(3, 0)
    assert off not in drawn
    assert off not in drawn.grid
    for label in ("D1", "D3", "E1"):
        with pytest.raises(BadLabel):
            drawn.hex_at(label)
    with pytest.raises(KeyError):
        drawn.terrain(off)


def test_hexsides_and_roads_are_the_same_from_both_sides():
    drawn = board()
    a, b, c = map(drawn.hex_at, ("A1", "B1", "C1"))
    assert drawn.side(a, b) == drawn.side(b, a) == ("siepe", "muro")
    assert drawn.side(b, c) == ()
    assert drawn.has_road(a, b)
    assert drawn.has_road(b, a)
    assert not drawn.has_road(a, drawn.hex_at("A2"))


def test_roads_have_kinds():
    drawn = board()
    a, b, c = map(drawn.hex_at, ("A1", "B1", "C1"))
    assert drawn.has_road(c, b, "sentiero")
    assert drawn.has_road(c, b, "strada")
    assert drawn.has_road(a, b, "sentiero", "strada")
    assert not drawn.has_road(a, b, "sentiero")
    assert drawn.lines["strada"] == ((a, b, c), (b, drawn.hex_at("B2")))


def test_a_board_of_characters_needs_no_blanks():
    drawn = board(CHARACTERS)
    built = [drawn.label(h) for h in drawn.hexes() if drawn.terrain(h) == "edificio"]
    assert built == ["C1", "D1", "B2", "E2"]


def test_a_file_is_read_like_a_text(tmp_path):
    path = tmp_path / "guado.yaml"
    path.write_text(TOKENS, encoding="utf-8")
    assert load_board(path, TERRAINS, FEATURES).terrains == board().terrains


def test_a_flat_map_with_short_columns_is_drawn_with_gaps():
    names = ("aperto", "strada", "bosco", "frutteto", "grano", "macchia", "pietra", "legno")
    drawn = load_board(FLAT, names, ["sterrata"])
    assert len(drawn.hexes()) == 111
    stone = [drawn.label(h) for h in drawn.hexes() if drawn.terrain(h) == "pietra"]
    assert stone == ["H3", "F4", "H4", "I7"]
    assert drawn.terrain(drawn.hex_at("E9")) == "bosco"
    for h in drawn.lines["sterrata"][1]:
        assert drawn.terrain(h) == "strada"
    assert drawn.has_road(drawn.hex_at("G5"), drawn.hex_at("F5"))


def test_the_map_of_omaha_has_its_known_hexes():
    drawn = load_board(OMAHA, OMAHA_TERRAINS, ["ghiaia", "scogliera"])
    at = drawn.hex_at
    assert len(drawn.hexes()) == 710 - 4
    known = {"0613": "spiaggia", "0601": "mare", "1011": "gola", "0630": "gola costruita"}
    assert {label: drawn.terrain(at(label)) for label in known} == known
    draw = ("0910", "0911", "1011", "1112", "1211", "1311", "1312", "1411", "0917", "1016", "1117")
    assert all(drawn.terrain(at(label)).startswith("gola") for label in draw)
    assert drawn.elevation(at("2003")) == 1
    assert drawn.side(at("0809"), at("0710")) == ("ghiaia",)
    with pytest.raises(BadLabel):
        at("2001")


def test_every_shown_neighbour_pair_is_on_the_board():
    drawn = board()
    inner = drawn.hex_at("B2")
    assert all(h in drawn for h in neighbours(inner))


def test_a_board_cannot_be_changed_and_is_equal_only_to_itself():
    one, other = board(), board()
    with pytest.raises(AttributeError):
        one.name = "x"
    with pytest.raises(TypeError):
        one.terrains[Hex(0, 0)] = "bosco"
    assert one != other
    assert len({one, other, one}) == 2


# --- faults


@pytest.mark.parametrize(
    ("old", "new", "path", "line", "message"),
    [
        (".0: aperto\n", ".0: palude\n", "$.legenda..0", 6, "Unknown terrain {terrain}"),
        ("b0: bosco\n", "b 0: bosco\n", "$.legenda.b 0", 8, "Token {token} has a blank or a bar"),
        (
            "x: fuori",
            "x: fuori\n  a|: bosco",
            "$.legenda.a|",
            11,
            "Token {token} has a blank or a bar",
        ),
        (".1 b-1 b0 .0", ".1 b-1 zz .0", "$.mappa[1][2]", 13, "Token {token} is not in the legend"),
        (".1 b-1 b0 .0", ".1 b-1 b0", "$.mappa[1]", 13, "{found} hexes instead of {expected}"),
        (".0 .0 .0 .0", ".0 .0 .0 .0 .0", "$.mappa[2]", 14, "{found} hexes instead of {expected}"),
        ("righe: 3", "righe: 4", "$.mappa", 11, "{found} rows instead of {expected}"),
        (
            "  .0 .0 .0 .0\n",
            "  4| .0 .0 .0 .0\n",
            "$.mappa[2]",
            14,
            "Row {number} is marked {found}",
        ),
        ("[A1]\n", "[A1, D1]\n", "$.quote.2[1]", 16, "{label} is not on the map"),
        ("[A1]\n", "[A2]\n", "$.quote.2[0]", 16, "{label} has two elevations"),
        ("[A1]\n", "[A1,\n    A1]\n", "$.quote.2[1]", 17, "{label} has two elevations"),
        ("  strada:", "  ferrovia:", "$.strade.ferrovia", 18, "Unknown feature {name}"),
        ("[B1, B2]", "[B1, Z9]", "$.strade.strada[1][1]", 20, "{label} is not on the map"),
        ("[B1, B2]", "[B1, B3]", "$.strade.strada[1][1]", 20, "{a} and {b} are not adjacent"),
        ("[B1, B2]", "[B1, B1]", "$.strade.strada[1][1]", 20, "{a} and {b} are not adjacent"),
        ("[B1, B2]", "[B1]", "$.strade.strada[1]", 20, "A line needs at least two hexes"),
        ("A1-B1:", "A1-C1:", "$.lati.A1-C1", 23, "{a} and {b} are not adjacent"),
        ("A1-B1:", "A1-D1:", "$.lati.A1-D1", 23, "{label} is not on the map"),
        ("A1-B1:", "A1B1:", "$.lati.A1B1", 23, "A hexside is two labels and a dash"),
        ("B2-C3:", "B1-A1:", "$.lati.B1-A1", 24, "Hexside {side} is given twice"),
        ("[siepe, muro]", "[siepe, fosso]", "$.lati.A1-B1[1]", 23, "Unknown feature {name}"),
        ("[siepe, muro]", "[siepe, siepe]", "$.lati.A1-B1[1]", 23, "{name} is repeated"),
        ("A2: [bunker, mina]", "A9: [mina]", "$.segnalini.A9", 26, "{label} is not on the map"),
        ("A2: [bunker, mina]", "A2: [x]", "$.segnalini.A2[0]", 26, "Unknown feature {name}"),
        ("A2: [bunker, mina]", "A2: [mina, mina]", "$.segnalini.A2[1]", 26, "{name} is repeated"),
        ("- D3", "- D3\n  - Q7", "$.fuori[1]", 29, "{label} is not on the map"),
        ("- D3", "- D3\n  - D3", "$.fuori[1]", 29, "{name} is repeated"),
        ("- D3", "- D1", "$.fuori[0]", 28, "{name} is repeated"),
        ("nome: Il guado\n", "", "$", 1, "Key {key} is missing"),
        ("ref: toi:mappe", "rif: toi:mappe", "$.rif", 3, "Unknown key {key}: did you mean {near}?"),
        ("ricostruito", "inventato", "$.provenienza", 2, "{value} is not one of: {allowed}"),
        (
            "colonne: 4",
            "colonne: 0",
            "$.griglia.colonne",
            4,
            "{value} is less than {limit}",
        ),
        ("2: [A1]", "alta: [A1]", "$.quote.alta", 16, "Expected {expected}, got text: {value}"),
        ("B2-C3:", "A1-B1:", "$.lati.A1-B1", 24, "Key {key} is already on line {first}"),
    ],
)
def test_a_fault_names_its_path_and_line(old, new, path, line, message):
    assert (path, line, message) in faults(changed(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".1 b-1 b0 .0", ".1 b-1 zz .0"),
        ("[B1, B2]", "[B1, B3]"),
        ("A1-B1:", "A1-C1:"),
        ("- D3", "- D3\n  - Q7"),
    ],
)
def test_one_mistake_is_one_fault(old, new):
    assert len(faults(changed(old, new))) == 1


def test_a_wrong_token_does_not_take_its_hex_off_the_map():
    text = changed(".1 b-1 b0 .0", "zz b-1 b0 .0")
    assert faults(text) == [("$.mappa[1][0]", 13, "Token {token} is not in the legend")]


def test_a_wrong_row_of_characters_is_found_by_its_line():
    text = changed(".#..#.", ".#.@#", CHARACTERS)
    assert faults(text) == [
        ("$.mappa[1]", 8, "{found} hexes instead of {expected}"),
        ("$.mappa[1][3]", 8, "Token {token} is not in the legend"),
    ]


def test_a_blank_slipped_among_characters_spoils_only_its_row():
    text = changed("..##..", "..# #..", CHARACTERS)
    assert {path[:10] for path, _, _ in faults(text)} == {"$.mappa[0]"}


def test_all_faults_of_meaning_are_reported_together():
    text = TOKENS
    for old, new in (
        (".0: aperto\n", ".0: palude\n"),
        (".1 b-1 b0 .0", ".1 b-1 zz .0"),
        ("[B1, B2]", "[B1, B3]"),
        ("A1-B1:", "A1-C1:"),
        ("A2: [bunker, mina]", "A9: [mina]"),
        ("- D3", "- Q7"),
    ):
        text = changed(old, new, text)
    assert [line for _, line, _ in faults(text)] == [6, 13, 20, 23, 26, 28]


def test_faults_name_the_file(tmp_path):
    path = tmp_path / "guado.yaml"
    path.write_text(changed("- D3", "- Q7"), encoding="utf-8")
    with pytest.raises(DataErrors, match=r"guado\.yaml:28: \$\.fuori\[0\]: Q7 is not on the map"):
        load_board(path, TERRAINS, FEATURES)
