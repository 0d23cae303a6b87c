"""Training: what is asked is what the engine says, in words, about rules that are in the books."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from io import StringIO

import pytest

from app.__main__ import main
from app.cli.training import Dialogue
from app.play import training
from app.play.progress import RESTS, Progress
from app.play.reckoning import foretell, reckon
from app.play.text_mode import lines_from
from app.play.training import Level, Sort, Trainer, Wanted, percent
from app.presenters.registry import presenter_for
from app.rules.library import LIBRARY
from app.shell import i18n
from engine.titles import TITLES

MANY = 30
IDS = re.compile(r"\b[ubhcns]:\w|[{}]|\b[a-z]+\.[a-z]+\b|_")
"""What looks like the name of something inside the program."""
ENGLISH = re.compile(r"\b(the|which|rule|answer|probable|allowed|hex|may)\b", re.IGNORECASE)


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


@pytest.fixture(scope="module")
def corpus():
    return LIBRARY.open_corpus(alone=True)


@pytest.fixture(scope="module")
def drills(corpus):
    """Thirty questions of every title."""
    i18n.use("it")
    made = {}
    for slug, title in TITLES.items():
        trainer = Trainer(title, corpus, 11)
        made[slug] = [trainer.next() for _n in range(MANY)]
    return made


def words_of(drill):
    rows = [row.said for row in drill.why]
    return [
        *drill.where,
        *drill.so_far,
        drill.asking,
        drill.words,
        *drill.given,
        *drill.choices,
        *rows,
    ]


@pytest.mark.parametrize("slug", TITLES)
def test_yes_is_an_option_of_the_engine_and_no_a_refusal_with_all_its_rulings(slug, drills):
    asked = [drill for drill in drills[slug] if drill.sort is Sort.ALLOWED]
    assert {drill.choices[drill.right] for drill in asked} == {"Sì", "No"}
    names = presenter_for(slug)
    for drill in asked:
        decision = drill.at.decision
        names.use(drill.scene.view)
        if drill.choices[drill.right] == "Sì":
            assert decision.option(drill.option) is not None
            continue
        against = decision.refused[drill.option]
        said = {row.said for row in drill.why}
        assert {names.say(ruling.msg) for ruling in against[:2]} <= said
        assert drill.level is (
            Level.HARD if len({repr(r.msg) for r in against}) > 1 else Level.EASY
        )


@pytest.mark.parametrize("slug", TITLES)
def test_the_right_chance_or_result_is_that_of_the_exact_odds(slug, drills):
    asked = [drill for drill in drills[slug] if drill.sort is Sort.ODDS]
    assert asked
    title, names = TITLES[slug], presenter_for(slug)
    for drill in asked:
        names.use(drill.scene.view)
        spreads = [one.odds.spread for one in reckon(title, drill.at)
                   if one.odds is not None and one.option == drill.option]  # fmt: skip
        if spreads:
            chances = {percent(share) for spread in spreads if (share := names.chance(spread))}
            best = [max(names.results(spread), key=lambda one: one[1])[0] for spread in spreads]
            right = drill.choices[drill.right]
            assert right in chances or any(said.endswith(right) for said in best)
        else:
            fates = {percent(one.share) for one in foretell(title, drill.at)
                     if f"u:{one.ruling.msg.facts['unit']}" == drill.option}  # fmt: skip
            assert drill.choices[drill.right] in fates
        assert 2 <= len(set(drill.choices)) == len(drill.choices) <= 4


@pytest.mark.parametrize("slug", TITLES)
def test_every_answer_has_a_rule_that_is_in_the_book(slug, drills, corpus):
    for drill in drills[slug]:
        assert corpus.entry(drill.rule) is not None
        assert drill.rule in drill.rulings[0].refs
        assert drill.chapter in [chapter.title for chapter in corpus.books[slug].chapters]
        assert all(corpus.entry(ref) for ruling in drill.rulings for ref in ruling.refs)


@pytest.mark.parametrize("slug", TITLES)
def test_everything_is_said_in_italian_and_without_ids(slug, drills):
    names = presenter_for(slug)
    for drill in drills[slug]:
        names.use(drill.scene.view)
        hidden = {c.id for c in drill.scene.view.counters if names.name("unit", c.id) != c.id}
        for said in words_of(drill):
            assert not IDS.search(said), said
            assert said == drill.scenario or not ENGLISH.search(said), said
            assert not hidden & set(re.split(r"[\s,:;«»]+", said)), said


@pytest.mark.parametrize("slug", TITLES)
def test_the_position_is_what_the_side_that_is_asked_may_see(slug, drills):
    for drill in drills[slug]:
        side = drill.at.decision.side
        assert drill.scene.view == TITLES[slug].view(drill.at.draft, side)
        if slug == "aslsk":
            assert drill.scene.sight is None


@pytest.mark.parametrize("slug", TITLES)
def test_the_words_of_an_answer_do_not_tell_whether_it_is_allowed(slug, drills):
    names = presenter_for(slug)
    for drill in drills[slug]:
        decision = drill.at.decision
        names.use(drill.scene.view)
        for option in [one.id for one in decision.options if one.id[0] in "uh"][:5]:
            kind, _colon, name = option.partition(":")
            assert training.call(names, decision, option) == names.name(kind, name)


def test_the_same_seed_asks_the_same_and_another_seed_something_else(corpus):
    def asked(seed):
        trainer = Trainer(TITLES["toi"], corpus, seed)
        return [trainer.next().words for _n in range(5)]

    assert asked(4) == asked(4)
    assert asked(4) != asked(5)


def test_only_the_chapter_and_the_level_that_are_wanted_are_asked_about(corpus):
    chapters = Trainer(TITLES["toi"], corpus).chapters()
    assert "Visuale" in chapters
    trainer = Trainer(TITLES["toi"], corpus, 2, Wanted("Visuale", Level.EASY))
    for _n in range(4):
        drill = trainer.next()
        assert (drill.chapter, drill.level) == ("Visuale", Level.EASY)


def test_what_nobody_wants_and_what_cannot_be_asked_is_given_up(corpus, monkeypatch):
    assert Trainer(TITLES["toi"], corpus, 2).next(is_wanted=lambda: False) is None
    monkeypatch.setattr(training, "MOST_SEEN", 100)
    assert Trainer(TITLES["toi"], corpus, 2, Wanted("Nessun capitolo")).next() is None


def test_a_rule_that_is_due_comes_before_new_ones(corpus, tmp_path):
    day = date(2026, 5, 1)
    progress = Progress(tmp_path / "a.json", today=lambda: day)
    progress.note("warfare:movimento.limite_ap", False)
    assert (
        Trainer(TITLES["warfare"], corpus, 3).next(progress).rule == "warfare:movimento.limite_ap"
    )
    other = Progress(tmp_path / "b.json", today=lambda: day)
    assert Trainer(TITLES["warfare"], corpus, 3).next(other).rule != "warfare:movimento.limite_ap"


def test_in_asl_a_shot_is_declared_without_a_word_about_the_line(corpus):
    trainer = Trainer(TITLES["aslsk"], corpus, 6, Wanted(level=Level.EASY))
    fired = [d for d in (trainer.next() for _n in range(60))
             if d.at.decision.id.startswith("fire.") and d.choices[d.right] == "Sì"]  # fmt: skip
    assert fired
    for drill in fired:
        assert not any(re.search(r"LOS.*(libera|bloccata)", row.said) for row in drill.why)


# --- what was learnt --------------------------------------------------------------------------


def test_a_rule_rests_longer_with_every_right_answer_and_comes_back_with_a_wrong_one(tmp_path):
    today = [date(2026, 5, 1)]
    progress = Progress(tmp_path / "a.json", today=lambda: today[0])
    assert not progress.is_due("toi:fumo")
    for rest in (*RESTS[1:], RESTS[-1]):
        progress.note("toi:fumo", True)
        today[0] += timedelta(days=rest - 1)
        assert not progress.is_due("toi:fumo")
        today[0] += timedelta(days=1)
        assert progress.due("toi") == {"toi:fumo"}
    progress.note("toi:fumo", False)
    assert progress.is_due("toi:fumo")
    assert progress.standing("toi:fumo").box == 1
    assert progress.due("ddob") == frozenset()


def test_chapters_are_counted_in_the_order_of_the_book_and_weak_ones_told(tmp_path, corpus):
    progress = Progress(tmp_path / "a.json")
    for is_right in (True, False, False):
        progress.note("ddob:7.2", is_right)
    progress.note("ddob:5.3", True)
    first, second = progress.scores(corpus, "ddob")
    assert (first.chapter, first.asked, first.right, first.is_weak) == (
        "5. Operazioni anfibie", 1, 1, False,
    )  # fmt: skip
    assert (second.chapter, second.asked, second.right, second.is_weak, second.due) == (
        "7. Azioni US", 3, 1, True, 1,
    )  # fmt: skip
    assert progress.scores(corpus, "toi") == []


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"regole": 3}', b""])
def test_a_damaged_record_is_moved_aside_and_told(tmp_path, content):
    path = tmp_path / "allenamento.json"
    path.write_bytes(content)
    told: list[str] = []
    progress = Progress(path, told.append)
    kept = list(tmp_path.glob("allenamento-danneggiato-*.json"))
    assert [file.read_bytes() for file in kept] == [content]
    assert len(told) == 1
    assert str(kept[0]) in told[0]
    assert progress.note("toi:fumo", True)
    assert Progress(path).standing("toi:fumo").right == 1


def test_a_record_written_by_hand_with_an_impossible_box_is_taken_as_the_last(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"regole": {"toi:fumo": {"scatola": 99}}}', encoding="utf-8")
    assert Progress(path).is_due("toi:fumo")


# --- the dialogue -----------------------------------------------------------------------------


def dialogue_of(corpus, tmp_path, typed):
    out, progress = StringIO(), Progress(tmp_path / "a.json")
    trainer = Trainer(TITLES["toi"], corpus, 5)
    dialogue = Dialogue(corpus, progress, lines_from(StringIO(typed)), out)
    dialogue.run(trainer.next() for _n in range(3))
    return dialogue, out.getvalue(), progress


def test_the_dialogue_takes_answers_until_the_input_ends_then_tells_them(corpus, tmp_path):
    first = Trainer(TITLES["toi"], corpus, 5).next()
    dialogue, said, progress = dialogue_of(corpus, tmp_path, f"forse\n{first.right + 1}\n")
    assert "Scrivi il numero di una risposta" in said
    assert f"Giusto: {first.choices[first.right]}." in said
    assert said.count("Risposta: ") == 2
    assert (dialogue.asked, dialogue.right) == (1, 1)
    assert progress.standing(first.rule).asked == 1
    assert dialogue.summary(["toi"])[0] == "Giuste 1 su 1."


def test_q_leaves_the_dialogue(corpus, tmp_path):
    dialogue, said, _progress = dialogue_of(corpus, tmp_path, "q\n")
    assert dialogue.asked == 0
    assert "2. Tide of Iron" not in said


def test_allena_gives_questions_and_answers_as_data(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["allena", "ddob", "--domande", "2", "--seme", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["seme"] == 3
    assert [one["titolo"] for one in data["domande"]] == ["ddob", "ddob"]
    assert all(one["giusta"] in one["risposte"] for one in data["domande"])
    assert all(any("regole" in row for row in one["perche"]) for one in data["domande"])
    assert not list(tmp_path.rglob("allenamento.json"))


def test_allena_without_a_title_asks_about_all_of_them(capsys):
    assert main(["allena", "--domande", "4", "--seme", "3", "--json"]) == 0
    asked = [one["titolo"] for one in json.loads(capsys.readouterr().out)["domande"]]
    assert asked == list(TITLES)


def test_allena_names_the_titles_there_are(capsys):
    assert main(["allena", "scacchi"]) == 2
    assert "toi" in capsys.readouterr().err
