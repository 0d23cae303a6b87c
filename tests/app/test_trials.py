"""«Provala»: the position of a worked example is played on, saved and taken up again."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from app.play.session import Session
from app.rules import linker
from app.rules.library import LIBRARY
from app.rules.page import LINES, TRIAL, page_of, well_asked
from app.screens.app import ProntuarioApp
from app.screens.play import PlayScreen
from app.shell import i18n
from app.widgets.chronicle import ChronicleBox
from app.widgets.decision_bar import DecisionBar
from app.widgets.page_view import PageView
from app.widgets.rule_pane import RulePane
from engine.examples import packaged, read, verify
from engine.titles import TITLES
from tests.app.tables import ACTION, session_at

MOST_CITED = {
    "toi": (
        "azione.unita-attiva stato.op stato.pesca definizioni.attivata casa.29 "
        "stato.trasferimenti comando.spesa round.fasi scheda.lettura "
        "movimento.non-cumulativo azione.fine preparazione.5-divisioni casa.31 "
        "comando.conserva"
    ),
    "ddob": ("17.1 7.2 11.3 11.2"),
    "aslsk": (
        "2.0.dff 3.1 2.0.rph 3.0 1.4 3.2.1.through_units 3.5 3.4 3.2.4.ca_free 2.0.pfph "
        "2.0.dfph 2.0.nmc 3.9 2.0.afph 3.4.cleanup 3.3.5.shift casa.20 3.1.h "
        "3.3.5.replace 3.1.c 3.3 1.3"
    ),
    "warfare": ("overwatch.azione arbitrato.piu_giocatori fumogeni.lancio dadi.test_base"),
}
"""What 200 games cited most while no example showed it (`tests/tools/trials.py`), without the
phases that go by themselves: those are watched, not tried."""


def examples():
    return [path for slug in TITLES for path in packaged(slug)]


@pytest.mark.parametrize("path", examples(), ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_every_example_can_be_played_from(path, tmp_path):
    example = read(path)
    session = Session.trial(TITLES[example.title], example, tmp_path / "prova.prontuario")
    decision = session.decision
    has_rolled = any(step.chance is not None for step in session.game.steps)
    assert decision is None or decision.side in (session.seats if has_rolled else session.humans)


@pytest.mark.parametrize("slug", TITLES)
def test_a_trial_is_saved_and_taken_up_again(slug, tmp_path):
    example = read(packaged(slug)[0])
    session = Session.trial(TITLES[slug], example, tmp_path / "prova.prontuario")
    if session.decision is not None:
        session.answer(session.decision.options[0].id)
    state = session.position.draft
    session.close()
    again = Session.open(tmp_path / "prova.prontuario", TITLES)
    assert again.position.draft == state
    again.close()


@pytest.mark.parametrize("slug", TITLES)
def test_the_page_of_a_rule_with_an_example_leads_to_its_trial(slug):
    corpus = LIBRARY.open_corpus(alone=True)
    ref = next(ref for ref, found in linker.links(corpus, slug).trials.items() if found)
    page = page_of(corpus, ref, linker.status(corpus, ref))
    rows = [row for section in page.sections for part in section.parts for row in part.rows]
    assert any(run.ref.startswith(TRIAL) for row in rows for cell in row for run in cell)


def most_cited():
    return [
        f"{slug}:{locator}" for slug, locators in MOST_CITED.items() for locator in locators.split()
    ]


@pytest.mark.parametrize("ref", most_cited())
def test_a_rule_that_games_cite_most_has_a_trial_in_whose_run_it_is_cited(ref, tmp_path):
    trial = linker.status(LIBRARY.open_corpus(alone=True), ref).trial
    assert trial is not None
    example = read(Path(trial.file))
    title = TITLES[example.title]
    report = verify(title, example)
    assert report.faults == ()
    assert ref in report.refs
    session = Session.trial(title, example, tmp_path / "prova.prontuario")
    assert session.decision is not None
    assert session.decision.side in session.humans
    session.close()


@pytest.mark.parametrize("slug", TITLES)
def test_a_rule_that_an_example_only_cites_can_be_tried_too(slug):
    corpus = LIBRARY.open_corpus(alone=True)
    found = linker.links(corpus, slug)
    assert set(found.examples) < set(found.examples) | set(found.trials)


def test_a_page_names_the_three_shortest_whole_questions():
    asked = (
        "limite colpi",
        "Quanti colpi?",
        "quanti?",
        "E se piove?",
        "Chi?",
        "Chi spara per primo?",
    )
    assert well_asked(asked) == ["Chi?", "E se piove?", "Quanti colpi?"]
    assert well_asked(("elenco azioni", "lista?")) == []


def test_a_rule_that_only_the_preparation_applies_cannot_be_tried():
    corpus = LIBRARY.open_corpus(alone=True)
    assert linker.status(corpus, "ddob:4.iii").trial is None


def test_a_trial_applies_its_rule_by_an_answer():
    corpus = LIBRARY.open_corpus(alone=True)
    trial = linker.status(corpus, "warfare:disturbo.azione").trial
    assert trial is not None
    steps = read(Path(trial.file)).steps
    first = next(n for n, step in enumerate(steps) if step.answer is not None)
    assert any("warfare:disturbo.azione" in step.cites for step in steps[first:])


async def test_a_trial_names_the_answer_that_leads_to_the_rule(tmp_path, monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    app = ProntuarioApp(lambda: PlayScreen(session_at(tmp_path, ACTION)))
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await written(pilot)
        path = packaged("toi")[0]
        pane.post_message(RulePane.TrialChosen(path, read(path).refs[0]))
        said = ""
        for _ in range(600):
            await pilot.pause(0.05)
            bars = app.screen.query(DecisionBar)
            said = bars.first().said if bars else ""
            if said.startswith("Prova la regola"):
                break
        assert "Rispondi «" in said


async def test_the_rule_at_the_table_leads_to_the_lines_that_applied_it(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await written(pilot)
        assert any(section.ref == LINES for section in pane.page.sections)
        pane.post_message(PageView.Followed(LINES))
        await pilot.pause()
        assert app.screen.query_one(ChronicleBox).is_filtered


async def test_who_leaves_a_trial_by_the_menu_is_back_at_the_game(tmp_path, monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    session = session_at(tmp_path, ACTION)
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await written(pilot)
        path = packaged("toi")[0]
        pane.post_message(RulePane.TrialChosen(path, read(path).refs[0]))
        for _ in range(600):
            await pilot.pause(0.05)
            if app.screen.session is not session:
                break
        await pilot.press("m")
        await pilot.pause()
        rows = app.screen.query_one(OptionList)
        words = [str(row.prompt).partition("  ")[2] for row in rows.options]
        rows.highlighted = words.index("Lascia la prova e torna dove eri")
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.session is session


async def written(pilot):
    """The rule beside the map, once it is known what the engine does with it."""
    for _ in range(600):
        await pilot.pause(0.05)
        pane = pilot.app.screen.query_one(RulePane)
        if pane.page is not None and any(s.kind == "engine" for s in pane.page.sections):
            return pane
    raise AssertionError("the rule is not shown")
