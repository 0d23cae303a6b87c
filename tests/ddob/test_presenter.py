"""What the table shows beside the map: cards, phases, tides, losses, chances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from app.presenters.ddob import OmahaPresenter, card_of, fire_of
from app.shell import i18n
from engine.core.text import msg
from engine.ddob import TITLE
from engine.ddob.state.ground import HEX
from engine.ddob.state.tables import CARDS
from tests.ddob.table import Table, state_of


@pytest.fixture(autouse=True)
def english(monkeypatch):
    """Messages as the code has them."""
    monkeypatch.setattr(i18n, "_current", i18n.load("en"))


def panel(found, id):
    view = TITLE.view(found, "us")
    return next(p.lines for p in OmahaPresenter(("us",)).panels(view) if p.id == id)


@pytest.mark.rule("ddob:6.1.artiglieria")
def test_a_fire_card_shows_its_artillery_line():
    assert fire_of(CARDS["04"]).endswith(", artillery 3: 75, 88, 105")
    assert "artillery" not in fire_of(CARDS["03"])


@pytest.mark.rule("ddob:2.3")
@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("landing east", "Card 01, landing east: ◊ A  ▴ A  ◦ C  mine"),
        ("event", "Card 01, event"),
        ("fire west", "Card 01, fire west: ◊ orange= F, red= A, purple R"),
    ],
)
def test_a_card_shows_the_part_that_it_was_drawn_for(use, said):
    drawn = msg("Card {card}: {use}", card="01", use=use)
    assert OmahaPresenter(("us",)).say(drawn) == said


def test_chances_are_percentages():
    asked = msg("{unit}: {chance} to lose a step to the {sector} card",
                unit="A/1/16", chance=Fraction(1, 8), sector="east")  # fmt: skip
    assert "12.5%" in OmahaPresenter(("us",)).say(asked)


@pytest.mark.rule("ddob:4", "ddob:2.1.carte-fasi")
def test_the_track_of_phases_marks_the_present_one_and_keeps_the_cards():
    game = Table(
        dice=["05"], fase="landing:east", turno=2, us={"F/2/16": "ER3"}, scenario="easy-fox"
    )
    lines = panel(game.state, "cards")
    assert lines[0].startswith("  landing:east: ◊ ")
    assert [line for line in lines if line.startswith("▸")] == ["▸ event"]
    assert not any("west" in line for line in lines)


@pytest.mark.rule("ddob:2.3", "ddob:ev.eroe", "ddob:ev.incognita")
@pytest.mark.parametrize(
    ("card", "turn", "said"),
    [
        ("20", 8, "depth in each sector"),
        ("07", 8, "hero Division 1; depth"),
        ("09", 24, "concealed enemy ◦ ◊"),
        ("13", 8, "reinforcements A D"),
    ],
)
def test_the_event_of_a_turn_in_words(card, turn, said):
    assert card_of("event", CARDS[card], turn) == said


@pytest.mark.rule("ddob:15")
def test_the_second_event_is_on_the_track_of_the_extended_game_only():
    for turn, phases in ((16, 9), (17, 10)):
        found = state_of(scenario="d-day", turno=turn, us={}, tedeschi={}, fase="guns:west")
        lines = panel(found, "cards")
        assert len(lines) == phases
        assert sum(line.startswith("▸ fire:west") for line in lines) == 1


@pytest.mark.rule("ddob:5.21", "ddob:4.vi", "ddob:2.1.tracciato-turno")
def test_the_turn_track_shows_tides_shuffles_and_arrivals():
    us = {"A/1/16": "track arriva=9", "B/1/16": "track arriva=12", "C/1/16": "0714"}
    lines = panel(state_of(turno=8, us=us, tedeschi={}), "turn")
    assert lines[1:4] == ("    1-6  low tide", "▸  7-15  mid tide", "     16  high tide")
    assert lines[4] == "Cards in the deck: 54, shuffled after turn 13"
    assert lines[6:] == ("Arrivals on turn 9: A/1/16", "Arrivals on turn 12: B/1/16")
    lines = panel(state_of(turno=14, us=us, tedeschi={}), "turn")
    assert "Cards in the deck: 54" in lines


@pytest.mark.rule("ddob:ef.area")
def test_easy_fox_counts_the_losses_of_one_division():
    for scenario, said in (
        ("easy-fox", "losses Div. 1 0/8"),
        ("first-wave", "Div. 1 0/8, Div. 29 0/8"),
    ):
        found = state_of(scenario=scenario, us={}, tedeschi={})
        headline = OmahaPresenter(("us",)).headline(TITLE.view(found, "us"))
        assert any(part.endswith(said) for part in headline)
        assert len(panel(found, "losses")) == (2 if scenario == "easy-fox" else 3)


@pytest.mark.rule("ddob:6.2", "ddob:23.3")
def test_a_position_that_fires_lights_its_field_of_fire():
    view = TITLE.view(state_of(us={"A/1/16": "0614"}, tedeschi={"0916": "wn"}), "us")
    presenter = OmahaPresenter(("us",))
    field = presenter.lit(msg("{fires} fires", fires="WN64", n=1), view)
    assert [field[HEX[h]] for h in ("0614", "0514", "0714", "0916")] == ["◉", "∙", "◦", ""]
    field = presenter.lit(msg("{fires} fires", fires="1321", n=1), view)
    assert [field[HEX[h]] for h in ("1420", "1320", "1321")] == ["◉", "∙", ""]
    assert presenter.lit(msg("{unit} loses a step.", unit="A/1/16"), view) == {HEX["0614"]: ""}
    assert presenter.lit(msg("German fire begins."), view) == {}


@pytest.mark.rule("ddob:2.24.tipo", "ddob:2.21.arrivo")
def test_counters_say_which_of_their_values_are_reconstructed():
    shown = {"specie": "wn", "unita": "2 BZ BR", "rivelata": "si"}
    marker = {"incognita": "1 AR", "incognita_rivelata": "si"}
    us = {"AB/2R": "0714", "A/1/16": "0715"}
    view = TITLE.view(state_of(us=us, tedeschi={"0916": {**shown, **marker}}), "us")
    presenter = OmahaPresenter(("us",))
    ours = {c.id: "reconstructed" in presenter.detail(c) for c in view.counters}
    assert (ours["AB/2R"], ours["A/1/16"]) == (True, False)
    assert [ours[id] for id in ours if id.startswith("de:")] == [True]
