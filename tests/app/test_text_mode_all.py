"""The dialogue knows what the screen knows: every action of the table, in all four titles."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from textual.binding import Binding

from app.play.session import Session
from app.play.table import Table
from app.play.text_commands import BY_NAME, COMMANDS, HOW
from app.play.text_looking import happened, hex_named, layer_lines, reach, seen_from, units
from app.play.text_mode import Dialogue, lines_from
from app.play.tutorial import tutorial_for
from app.presenters.registry import presenter_for
from app.screens.play import PlayScreen
from app.shell import i18n
from engine.titles import TITLES
from tests.app.postmen import Table as Post
from tests.app.postmen import play
from tests.app.tables import ACTION, DEPLOY, MOVE, TARGET, session_at, session_of

ONLY_ON_A_SCREEN = {
    "tavolo.zoom": "a dialogue draws no map",
    "tavolo.pannello": "a dialogue has no panels: each has a command of its own",
    "tavolo.salta": "a dialogue has no cursor to move",
    "tavolo.numeri-avanti": "every answer has its own number",
    "tavolo.numeri-indietro": "every answer has its own number",
    "tavolo.passo-passo": "every step is a line already, read at the reader's own pace",
    "panel": "the second letter of a panel that has a command",
}
"""Actions of the table that no command of the dialogue stands for, and why."""
SCENARIOS = {"toi": "toi-s1", "ddob": "easy-fox", "aslsk": "R1", "warfare": "s1"}
WIDEST = 100


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def talk(session: Session, *lines: str, warned: bool = False) -> str:
    out = StringIO()
    typed = "".join(f"{line}\n" for line in lines)
    Dialogue(session, lines_from(StringIO(typed)), out, warned=warned).run()
    return out.getvalue()


def told(session: Session, *lines: str) -> list[str]:
    """What each line is answered with, in one row."""
    parts = talk(session, *lines, "q").split("\n> ")
    return [" ".join(part.split()) for part in parts[1:]]


def begun(tmp_path, slug: str) -> Session:
    """A game of a title in which a few answers were given."""
    scenario = SCENARIOS[slug]
    title = TITLES[slug]
    session = Session.new(title, scenario, seed=3, path=tmp_path / f"{slug}.prontuario")
    while not session.game.steps or len(session.game.entries) < 40:
        if session.is_bot_turn:
            session.answer(*session.bot_choice())
        else:
            session.answer(session.bot_choice(session.deputy)[0])
    while session.is_bot_turn:
        session.answer(*session.bot_choice())
    return session


# --- nothing is missing -----------------------------------------------------------------------


def test_every_action_of_the_table_has_a_command_or_a_reason_to_have_none():
    bindings = [one for one in PlayScreen.BINDINGS if isinstance(one, Binding)]
    actions = {one.id or one.action.partition("(")[0] for one in bindings}
    commands = [command for group in COMMANDS.values() for command in group]
    done = {action for command in commands for action in command.does}
    done |= {action for _how, _what, does in HOW for action in does}
    assert actions == done | set(ONLY_ON_A_SCREEN)
    assert not done & set(ONLY_ON_A_SCREEN)


def test_no_two_commands_have_the_same_name_and_the_help_lists_them_all(tmp_path):
    commands = [command for group in COMMANDS.values() for command in group]
    names = [name for command in commands for name in (command.name, *command.words)]
    assert len(names) == len(set(names)) == len(BY_NAME)
    said = talk(session_at(tmp_path, ACTION), "h", "q")
    assert all(f"  {command.shown}" in said for command in commands)


EVERYTHING = [
    "h", "?", "l", "m", "unità", "c", "p", "k", "k 1", "terreno", "o", "o 1", "f", "f sequenza",
    "r", "righe", "/ movimento", "r 1", "r 99", "e", "e 5", "passi", "passi 3", "m", "1",
    "indietro", "avanti", "presente", "avanti", "presente", "guida", "partita", "a", "x", "v",
    "posso muovere?", "perché non posso sparare?", "n", "i", "s", "b", "e zz99", "s zz99",
    "pippo", "99", "b 99", ". 99", "o 99", "u", "y", "studio", "y", "t 4", "",
]  # fmt: skip


@pytest.mark.parametrize("slug", sorted(SCENARIOS))
def test_every_command_answers_in_short_lines_of_plain_italian(tmp_path, slug):
    session = begun(tmp_path, slug)
    said = talk(session, *EVERYTHING, "q").partition("\n")[2]  # after the name of the title
    assert [line for line in said.split("\n") if len(line.removeprefix("> ")) > WIDEST] == []
    assert "Traceback" not in said
    for word in ("the ", " of ", " is ", "{", "None"):
        assert word not in said
    ids = {counter.id for counter in Table(session).view.counters if "-" in counter.id}
    names = {presenter_for(slug).name("unit", id) for id in ids}
    assert not [id for id in ids - names if re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", said)]


# --- what happened ----------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(SCENARIOS))
def test_the_chronicle_tells_every_step_since_the_last_own_action(tmp_path, slug):
    session = begun(tmp_path, slug)
    table = Table(session)
    loud = [action for action in table.chronicle.actions if not action.is_quiet]
    own = [n for n, action in enumerate(loud) if action.side == table.seat][-1]
    (said,) = told(session, "e")[:1]
    for action in loud[own:][-12:]:
        assert " ".join(table.chronicle.summary(action).split()) in said
        for line in table.chronicle.lines[action.first : action.end]:
            assert " ".join(line.words.split()) in said


def test_a_step_of_the_chronicle_is_told_with_the_words_that_it_applied(tmp_path):
    session = begun(tmp_path, "aslsk")
    lines = happened(Table(session), lambda ruling: (f"testo di {ruling.refs[0]}",))
    refs = re.findall(r"\[(aslsk:[^\]]+)\]", "\n".join(lines))
    assert refs
    assert all(lines.count(f"      «testo di {ref}»") == 1 for ref in set(refs))


# --- where everything is ----------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(SCENARIOS))
def test_every_unit_is_told_with_its_place(tmp_path, slug):
    session = begun(tmp_path, slug)
    table = Table(session)
    lines = units(table, "")
    names = table.presenter
    for counter in table.view.counters:
        where = names.where(table.view, counter) or "fuori dalla mappa"
        assert any(li.startswith(f"  {where}: {names.name('unit', counter.id)}") for li in lines)
    on_map = next(counter for counter in table.view.counters if counter.hex in table.view.board)
    assert len(units(table, names.name("unit", on_map.id))) > 1


def test_a_hex_is_told_as_its_card_tells_it(tmp_path):
    session = session_at(tmp_path, MOVE)
    table = Table(session)
    option = next(o for o in session.decision.options if o.kind == "hex")
    hex = table.hex_of(option.id)
    said = told(session, f"i {table.view.label(hex).lower()}")[0]
    table.cite = str
    card = table.card(hex)
    assert card.heading in said
    assert "Qui puoi rispondere:" in said
    assert all(f"{words} [{ref}]" in said for words, ref in card.rules)


def test_what_a_unit_reaches_is_told_with_its_costs(tmp_path):
    table = Table(session_at(tmp_path, MOVE))
    overlay = next(one for one in table.overlays() if one.id == "reach")
    lines = reach(table, table.overlays())
    for hex, cost in overlay.hexes.items():
        row = next(line for line in lines if line.startswith(f"  costo {cost}: "))
        assert table.view.label(hex) in row.partition(": ")[2].split(", ")


@pytest.mark.parametrize("slug", ["toi", "warfare"])
def test_what_a_unit_would_reach_is_told_before_it_is_chosen(tmp_path, slug):
    at_start = session_of(tmp_path, "warfare", "s1", "action.who")
    session = session_at(tmp_path, ACTION) if slug == "toi" else at_start
    before = len(session.game.entries)
    assert "costo 1: " in told(session, "p 1")[0]
    assert len(session.game.entries) == before


def test_what_may_be_known_only_by_doing_it_is_not_told(tmp_path):
    session = session_of(tmp_path, "aslsk", "R1", "move.who")
    assert told(session, "p 1")[0].startswith("Dalla domanda aperta adesso non si può dire.")


@pytest.mark.parametrize("slug", ["toi", "aslsk", "warfare"])
def test_what_is_seen_from_a_hex_is_told_where_the_rules_let_one_know(tmp_path, slug):
    table = Table(begun(tmp_path, slug))
    hexes = table.view.board.hexes()
    start = hexes[len(hexes) // 2]
    lines, rulings = seen_from(table, start)
    if slug == "aslsk":
        assert lines == ["Visuale: non ancora nota."]
        assert rulings[0].refs[0].startswith("aslsk:3.2.1")
        return
    in_sight = [hex for hex in hexes if hex != start and table.sight(start, hex).clear]
    assert str(len(in_sight)) in lines[0]
    assert lines[-1].startswith("Esagoni ")


@pytest.mark.parametrize("slug", sorted(SCENARIOS))
def test_every_sheet_over_the_map_is_told_hex_by_hex(tmp_path, slug):
    table = Table(begun(tmp_path, slug))
    for layer in table.layers():
        said = " ".join(layer_lines(table, layer))
        assert all(table.view.label(hex) in said for hex in layer.hexes())


def test_the_signs_of_a_sheet_are_told_in_words(tmp_path):
    table = Table(begun(tmp_path, "ddob"))
    fire = next(layer for layer in table.layers() if layer.id == "fire")
    assert not set("◉∙◦") & set(" ".join(layer_lines(table, fire)))
    assert any("intenso 2: " in line for line in layer_lines(table, fire))


# --- asking and answering ---------------------------------------------------------------------


def test_a_question_is_answered_by_the_engine(tmp_path):
    session = session_of(tmp_path, "warfare", "s1", "action.what")
    ref = session.decision.refused["b:fuoco"][0].refs[0]
    said = told(session, "posso muovere in E5?", "perché non posso fare fuoco?", "r")
    assert said[0].startswith(("Sì: ", "No, "))
    assert said[1].startswith("No, fuoco: ")
    assert f"({ref})" in said[1]
    assert said[2].startswith("WAR ")


def test_a_question_that_the_engine_cannot_answer_is_looked_up_in_the_rules(tmp_path):
    said = told(session_at(tmp_path, ACTION), "può un carro entrare in un lago?")[0]
    assert said.startswith("Dalla domanda aperta adesso non si può dire. 1. ")
    assert "toi:" in said


def test_a_far_hex_is_reached_in_one_line(tmp_path):
    session = session_at(tmp_path, MOVE)
    table = Table(session)
    near = {table.hex_of(o.id) for o in session.decision.options}
    overlay = next(one for one in table.overlays() if one.id == "reach")
    far = next(hex for hex in overlay.hexes if hex not in near and len(table.way_to(hex)) > 1)
    way, before = table.way_to(far), len(session.game.entries)
    talk(session, table.view.label(far), "q")
    given = [entry.option for entry in session.game.entries[before:] if hasattr(entry, "option")]
    assert given[: len(way)] == way


def test_an_answer_is_given_by_its_name(tmp_path):
    session = session_at(tmp_path, ACTION)
    names = presenter_for("toi")
    names.use(Table(session).view)
    option = session.decision.options[1]
    talk(session, names.answer(option.id, option.msg).upper(), "q")
    assert session.game.entries[-1].option == option.id


def test_a_name_that_means_several_answers_lists_them(tmp_path):
    session = session_at(tmp_path, ACTION)
    table = Table(session)
    places = [table.hex_of(o.id) for o in session.decision.options if o.id.startswith("u:")]
    hex = next(hex for hex in places if places.count(hex) > 1)
    before = len(session.game.entries)
    said = told(session, table.view.label(hex))[0]
    assert "scrivi il numero di una" in said
    assert len(session.game.entries) == before


def test_who_sits_at_a_keyboard_is_warned_once_before_a_phase_ends(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    said = talk(session, "0", "q", warned=True)
    assert "possono ancora agire" in said
    assert len(session.game.entries) == before
    talk(session, "0", "0", "q", warned=True)
    assert len(session.game.entries) > before


def test_lines_from_a_pipe_end_a_phase_at_once(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    assert "ancora agire" not in talk(session, "0", "q")
    assert len(session.game.entries) > before


def test_what_is_neither_an_answer_nor_a_command_says_what_to_do(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    said = told(session, "pippo", "i", "k 99")
    assert said[0].startswith("«pippo» non è né una risposta né un comando. Scrivi il numero")
    assert said[1].startswith("Si scrive così: i, esagono F6")
    assert said[2].startswith("k 1: ")
    assert len(session.game.entries) == before


def test_a_stack_is_placed_with_one_line(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    before = len(session.game.entries)
    said = told(session, "b 1")[0]
    given = [entry.option for entry in session.game.entries[before:] if hasattr(entry, "option")]
    assert "insieme" in said
    assert len(given) > 1
    assert len({option for option in given if option.startswith("h:")}) == 1


def test_advice_is_given_with_its_number_and_answers_nothing(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    assert re.match(r"Consiglio: \d+, ", told(session, "a")[0])
    assert len(session.game.entries) == before


def test_what_was_taken_back_is_repeated_and_told_again(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    talk(session, "1", "u", "q")
    assert len(session.game.entries) == before
    talk(session, "y", "q")
    assert len(session.game.entries) == before + 1


def test_dice_are_taken_back_in_studio_alone(tmp_path):
    session = session_at(tmp_path, TARGET)
    while session.game.why_not_undo() is None:
        session.answer(session.bot_choice(session.deputy)[0])
    thrown = len(session.game.entries)
    assert "«studio» riprende anche i dadi" in told(session, "u")[0]
    assert len(session.game.entries) == thrown
    assert told(session, "studio")[0].startswith("Annullato.")
    assert len(session.game.entries) < thrown


# --- odds, rules, cards -----------------------------------------------------------------------


def test_the_why_of_one_answer_is_told_with_its_rules(tmp_path):
    session = session_at(tmp_path, TARGET)
    said = told(session, "o 1")[0]
    assert re.search(r"\d%: ", said)
    assert "[toi:" in said
    assert "«" in said


def test_a_search_tells_the_answering_sentence_and_reads_the_rule_by_its_number(tmp_path):
    said = told(session_at(tmp_path, ACTION), "/ fumo blocca la visuale", "r 1")
    assert re.search(r"\d\. toi:\S+ ", said[0])
    assert "blocca la visuale" in said[0]
    assert said[1].startswith("TOI ")


def test_things_are_found_by_their_names_before_the_rules(tmp_path):
    session = session_of(tmp_path, "warfare", "s1", "action.what")
    assert told(session, "/ LAV-25")[0].startswith("1. LAV-25 (")


def test_cards_are_read_row_by_row_and_say_what_is_in_use(tmp_path):
    said = told(session_at(tmp_path, ACTION), "f", "schede terreno e movimento", "f sequenza")
    assert "Sequenza di gioco: 18 righe, in uso adesso" in said[0]
    assert "bosco: Blocca sì; Squadre 2; Veicoli 3; Copertura 2" in said[1]
    assert "In uso adesso:" in said[2]


# --- the past, the guide, the end -------------------------------------------------------------


def test_the_past_is_walked_and_nothing_is_answered_there(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    said = told(session, "passi 4", "1", "indietro", "avanti", "presente")
    assert said[0].startswith("Nel passato, riga 4 di ")
    assert "«presente» torna alla domanda" in said[1]
    assert said[2].startswith("Nel passato, riga 3 di ")
    assert said[3].startswith("Nel passato, riga 4 di ")
    assert said[4].startswith("Questo è il presente.")
    assert len(session.game.entries) == before


def test_the_lesson_of_a_guide_is_told_and_leafed_through(tmp_path):
    session = Session.guided(TITLES["toi"], tutorial_for("toi"), tmp_path / "guida.prontuario")
    said = talk(session, "guida avanti", "guida indietro", "guida chiudi", "guida apri", "q")
    assert said.count("Guida 1/") >= 2
    assert "Guida 2/" in said
    assert "La guida è chiusa" in said
    assert "→ " in said


def test_a_game_taken_up_again_tells_its_last_actions_alone(tmp_path):
    session = begun(tmp_path, "ddob")
    table = Table(session)
    loud = [table.chronicle.summary(one) for one in table.chronicle.actions if not one.is_quiet]
    said = " ".join(talk(session, "q").split())
    assert f"Finora {len(table.lines)} righe" in said
    assert all(" ".join(words.split()) in said for words in loud[-5:])
    assert table.lines[0].words not in said


def test_while_others_answer_by_post_the_table_can_be_looked_at(tmp_path):
    post = Post(tmp_path, "toi", "toi-s1")
    with post.at(post.turn):
        session = post.open(post.turn)
        play(session, post.rng)
        assert session.is_away
        said = talk(session, "m", "unità", "e", "pippo", "q")
        session.close()
    assert said.count("  1. Scrivi la posta per") == 5
    assert "Comandi (USA): " in said
    assert "1 scrive la posta" in said


def test_after_the_end_what_happened_can_still_be_looked_at(tmp_path):
    session = session_of(tmp_path, "toi", "toi-s1", "")
    said = talk(session, "e", "passi 3", "presente", "pippo", "q")
    assert "La partita è finita: e racconta" in said
    assert "Nel passato, riga 3 di " in said
    assert "Adesso non ti si chiede niente" in said


def test_a_hex_is_named_in_any_letters(tmp_path):
    view = Table(session_at(tmp_path, MOVE)).view
    assert hex_named(view, "f6") == hex_named(view, "F6") == view.hex_at("F6")
    assert hex_named(view, "zz99") is None
