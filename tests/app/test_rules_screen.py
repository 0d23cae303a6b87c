"""The rules browser, by keys and mouse, at the two sizes that matter."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager

import msgspec
import pytest
from textual.color import Color
from textual.widgets import ContentSwitcher, Input, OptionList

from app.presenters.base import contrast
from app.rules.linker import Links, Place, Played
from app.rules.notes import Notebook
from app.screens.app import ProntuarioApp
from app.screens.help import HelpScreen
from app.screens.home import HomeScreen
from app.screens.jump import JumpScreen
from app.screens.note import NoteScreen
from app.screens.replay import ReplayScreen
from app.screens.rules import RulesScreen
from app.screens.themes import THEMES
from app.shell import i18n
from app.shell.paths import data_folder
from app.widgets.contents_tree import ContentsTree
from app.widgets.layout import spans_of
from app.widgets.page_view import PageView
from app.widgets.result_list import BookmarkList, ResultList
from app.widgets.rule_pane import RulePane
from app.widgets.search_box import SearchBox
from engine import examples, titles
from engine.core.rules import Book
from engine.ddob import TITLE as DDOB
from rules_it.corpus import CorpusError
from tests.app import tiny

WIDE, NARROW = (120, 40), (80, 24)


@pytest.fixture(autouse=True)
def library(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    monkeypatch.setattr(titles, "TITLES", {})
    monkeypatch.setattr("app.rules.linker.slugs", tuple)
    return use(monkeypatch, tiny.TinyLibrary())


def use(monkeypatch, library):
    for module in ("app.screens.rules", "app.screens.palette", "app.widgets.rule_pane"):
        monkeypatch.setattr(f"{module}.LIBRARY", library)
    return library


class Browser:
    """A browser at work, and what a person sees of it."""

    def __init__(self, pilot):
        self.pilot = pilot
        self.app = pilot.app

    @property
    def screen(self):
        return next(s for s in self.app.screen_stack if isinstance(s, RulesScreen))

    @property
    def pane(self):
        return self.screen.query_one(RulePane)

    @property
    def page(self):
        return "\n".join(line.rstrip() for line in self.pane.view.text.splitlines())

    @property
    def list(self):
        return self.screen.query_one("#rules-lists", ContentSwitcher).current

    @property
    def results(self):
        return [o.id for o in self.screen.query_one(ResultList).options if not o.disabled]

    async def press(self, *keys):
        await self.pilot.press(*keys)

    async def search(self, words):
        self.screen.query_one(SearchBox).words = words
        await self.until(lambda: self.screen.query_one(ResultList).shown_for == words)
        await self.pilot.pause()

    async def until(self, true):
        end = time.monotonic() + 30  # only a machine under heavy load needs it
        while not true():
            assert time.monotonic() < end, "it never happened"
            await self.pilot.pause(0.01)

    async def click(self, words):
        """Click on words of the page."""
        lines = self.page.splitlines()
        y = next(n for n, line in enumerate(lines) if words in line)
        await self.pilot.click(PageView, offset=(lines[y].index(words) + 2, y))


@asynccontextmanager
async def browser(size=WIDE, ref=""):
    app = ProntuarioApp(lambda: RulesScreen(ref))
    async with app.run_test(size=size) as pilot:
        found = Browser(pilot)
        await found.until(lambda: found.screen.query_one(ContentsTree).root.children[0].data)
        if size == WIDE or ref:
            await found.until(lambda: found.page)
        yield found


# Searching


async def test_answers_appear_as_you_type_and_the_best_is_shown_beside():
    async with browser() as b:
        await b.press(*"bosco")
        await b.until(lambda: b.results == ["toi:bosco"])
        await b.until(lambda: b.pane.ref == "toi:bosco")
        assert b.list == "results"
        rows = b.screen.query_one(ResultList).options[0].prompt.plain.splitlines()
        assert rows[0].startswith("TOI Bosco")
        assert rows[0].endswith("p. 48")
        assert rows[1].strip() == "Il bosco copre."
        await b.press("enter")
        assert isinstance(b.screen.focused, PageView)


async def test_what_was_looked_for_stands_out_in_the_extract():
    async with browser() as b:
        await b.search("dimezza")
        prompt = b.screen.query_one(ResultList).options[0].prompt
        marked = [prompt.plain[s.start : s.end] for s in prompt.spans if s.style == "bold $accent"]
        assert marked == ["dimezza"]


async def test_arrows_show_each_answer_and_back_returns_to_the_rule_read_before():
    async with browser(ref="ddob:7.1") as b:
        await b.press("slash")
        await b.search("fumo")
        await b.press("down", "down")
        assert b.pane.ref == b.results[1]
        await b.press("enter", "backspace")
        assert b.pane.ref == "ddob:7.1"
        await b.press("alt+right")
        assert b.pane.ref == b.results[1]
        await b.press("alt+left")
        assert b.pane.ref == "ddob:7.1"


async def test_up_from_the_first_answer_goes_back_to_the_words():
    async with browser() as b:
        await b.search("fumo")
        await b.press("down", "up")
        assert isinstance(b.screen.focused, Input)


async def test_titles_and_kinds_are_filters_for_keys_and_mouse():
    async with browser() as b:
        await b.search("fumo")
        await b.press("f3")
        await b.until(lambda: b.results == ["toi:fumo"])
        await b.pilot.click("#title-ddob")
        await b.until(lambda: b.results == ["ddob:6.32", "ddob:6.3"])
        await b.press("f4", *["down"] * 8, "enter")
        await b.until(lambda: b.results == ["ddob:6.32"])
        assert "FAQ" in str(b.screen.query_one("#kind").render())
        await b.pilot.click("#title-all")
        await b.pilot.click("#kind")
        await b.press("home", "enter")
        await b.until(lambda: len(b.results) == 3)


async def test_a_kind_without_words_lists_every_rule_of_that_kind():
    async with browser() as b:
        b.screen.query_one(SearchBox).kind = "meccanica"
        await b.until(lambda: len(b.results) == 5)
        await b.pilot.click("#title-toi")
        await b.until(lambda: b.results == ["toi:fumo", "toi:bosco"])
        b.screen.query_one(SearchBox).kind = ""
        await b.until(lambda: b.list == "contents")


async def test_another_spelling_can_be_chosen():
    async with browser() as b:
        await b.search("fumoo")
        assert b.results[0] == "corrected"
        assert b.pane.ref == "toi:fumo"
        await b.press("down", "up", "enter")
        await b.until(lambda: b.screen.query_one(SearchBox).words == "fumo")
        await b.until(lambda: b.results[0] == "toi:fumo")


async def test_nothing_found_is_a_sentence_and_no_words_show_the_contents():
    async with browser() as b:
        await b.search("zzz")
        first = b.screen.query_one(ResultList).options[0]
        assert "Non ho trovato" in str(first.prompt)
        await b.press("enter")
        assert isinstance(b.screen.focused, Input)
        await b.press(*["backspace"] * 3)
        await b.until(lambda: b.list == "contents")


async def test_words_typed_right_after_the_slash_are_not_lost():
    async with browser(ref="ddob:7.1") as b:
        for key in ("slash", *"bosco"):
            b.app.simulate_key(key)
        await b.until(lambda: b.screen.query_one(SearchBox).words == "bosco")


async def test_a_slash_where_one_already_writes_is_no_word():
    async with browser() as b:
        for key in ("slash", *"fumo"):
            b.app.simulate_key(key)
        await b.until(lambda: b.screen.query_one(SearchBox).words == "fumo")
        await b.until(lambda: b.screen.query_one(ResultList).shown_for == "fumo")


async def test_enter_typed_before_the_answers_opens_the_best_of_them():
    async with browser() as b:
        for key in (*"bosco", "enter"):
            b.app.simulate_key(key)
        await b.until(lambda: b.pane.ref == "toi:bosco" and b.pane.view.has_focus)


async def test_while_the_index_is_made_the_contents_can_be_read(monkeypatch):
    library = use(monkeypatch, tiny.TinyLibrary(slow=True))
    async with browser() as b:
        await b.until(lambda: "50%" in str(b.screen.query_one(SearchBox).border_subtitle))
        await b.press(*"bosco")
        results = b.screen.query_one(ResultList)
        await b.until(lambda: results.option_count)
        assert "in preparazione" in str(results.options[0].prompt)
        await b.press("escape", "i", "down", "space", "down", "space", "down", "enter")
        assert b.pane.ref == "toi:fumo"
        library.built.set()
        await b.until(lambda: b.results == ["toi:bosco"])
        assert not b.screen.query_one(SearchBox).border_subtitle


async def test_texts_that_cannot_be_opened_are_told(library, monkeypatch):
    def broken():
        raise CorpusError("ddob/book.yaml: rotto")

    monkeypatch.setattr(library, "open_corpus", broken)
    app = ProntuarioApp(RulesScreen)
    async with app.run_test(size=WIDE) as pilot:
        b = Browser(pilot)
        await b.until(lambda: app._notifications)
        assert "rotto" in next(iter(app._notifications)).message
        await b.press(*"fumo", "enter", "escape", "q")
        assert isinstance(app.screen, HomeScreen)


# Jumping


async def test_a_number_typed_anywhere_jumps_to_the_rule():
    async with browser(ref="toi:fumo") as b:
        await b.press(*"6.31")
        assert isinstance(b.app.screen, JumpScreen)
        await b.press("enter")
        assert b.pane.ref == "ddob:6.31"
        assert isinstance(b.screen.focused, PageView)


async def test_a_number_typed_at_once_is_not_lost():
    async with browser(ref="toi:fumo") as b:
        for key in ("6", "full_stop", "3", "1", "enter"):
            b.app.simulate_key(key)
        await b.until(lambda: b.pane.ref == "ddob:6.31")


async def test_the_rules_below_a_number_can_be_chosen_and_escape_changes_nothing():
    async with browser(ref="toi:fumo") as b:
        await b.press(*"6.3", "down", "enter")
        assert b.pane.ref == "ddob:6.31"
        await b.press("7", "escape")
        assert b.pane.ref == "ddob:6.31"


async def test_a_number_that_is_not_there_offers_the_nearest():
    async with browser(ref="toi:fumo") as b:
        await b.press(*"6.39")
        options = b.app.screen.query_one(OptionList)
        await b.until(lambda: options.option_count > 1)
        assert "non esiste" in str(options.options[0].prompt)
        await b.press("enter")
        assert b.pane.ref.startswith("ddob:6.3")


async def test_an_unknown_ref_on_the_command_line_offers_the_nearest():
    app = ProntuarioApp(lambda: RulesScreen("ddob:6.39"))
    async with app.run_test(size=WIDE) as pilot:
        b = Browser(pilot)
        await b.until(lambda: isinstance(app.screen, JumpScreen))
        await b.until(lambda: any(o.option_count > 1 for o in app.screen.query(OptionList)))
        await b.press("enter")
        assert b.pane.ref.startswith("ddob:6.3")


async def test_digits_in_the_search_box_are_words():
    async with browser() as b:
        await b.press(*"6.3")
        assert b.screen.query_one(SearchBox).words == "6.3"
        assert isinstance(b.app.screen, RulesScreen)


# The rule


async def test_a_page_says_all_there_is_about_a_rule():
    async with browser(ref="ddob:6.3") as b:
        await b.until(lambda: "Non ancora applicata dal motore" in b.page)
        for words in (
            "Risolvere il fuoco",
            "D-Day at Omaha Beach, p. 11",
            "6. Fuoco tedesco",
            "Meccanica",
            "Una posizione sola spara una volta.",
            "Regola della casa · Chi sceglie",
            "Perché: Il libro tace.",
            "• 6.31 Limite dei colpi",
            "• Chi spara?",
            "◂ Precedente",
        ):
            assert words in b.page
        assert b.pane.border_title == "DDOB 6.3, p. 11"


async def test_a_rule_tells_where_the_engine_applies_it(monkeypatch):
    found = Links(
        True,
        {"ddob:6.3": (Place("engine/ddob/fire.py", "resolve"), Place("engine/ddob/data/t.yaml"))},
        {"ddob:7.1": "muovi tu i pezzi"},
    )
    monkeypatch.setattr("app.rules.linker.links", lambda corpus, slug: found)
    async with browser(ref="ddob:6.3") as b:
        await b.until(lambda: "Applicata dal motore in 2 punti" in b.page)
        assert "engine/ddob" not in b.page, "where the code is, is nothing for a player"
        await b.press(*"7.1", "enter")
        assert "Da applicare a mano: muovi tu i pezzi" in b.page
        await b.press("right")
        assert "motore" not in b.page


async def test_a_worked_example_opens_from_its_rule(monkeypatch, tmp_path):
    broken = tmp_path / "rotto.yaml"
    broken.write_text("titolo: [", encoding="utf-8")
    played = examples.packaged("ddob")[0]
    found = Links(True, examples={"ddob:6.31": (Played("a", "Sulla spiaggia", str(played)),)})
    monkeypatch.setattr(titles, "TITLES", {"ddob": DDOB})
    monkeypatch.setattr("app.rules.linker.prepare", lambda slug: None)
    monkeypatch.setattr("app.rules.linker.links", lambda corpus, slug: found)
    async with browser(ref="ddob:6.31") as b:
        await b.until(lambda: "Esempi giocati\n• Sulla spiaggia" in b.page)
        await b.click("Sulla spiaggia")
        await b.until(lambda: isinstance(b.app.screen, ReplayScreen))
        await b.press("escape")
        await b.until(lambda: isinstance(b.app.screen, RulesScreen))
        b.pane.post_message(RulePane.ExampleChosen(broken))
        await b.until(lambda: b.app._notifications)


async def test_tables_are_drawn_faq_stand_beside_and_back_links_are_told():
    async with browser(ref="ddob:6.31") as b:
        assert "Tiro │ Effetto\n─────┼─────────\n1-3  │ niente\n4-6  │ un colpo" in b.page
        assert "▎ FAQ · Quanti colpi con il fumo?" in b.page
        assert "Citata da 1 regola\n• 6.3 Risolvere il fuoco" in b.page


async def test_a_cited_sentence_or_cell_is_marked_and_in_sight():
    async with browser(ref="ddob:6.31#colpi/5/Effetto") as b:
        assert b.pane.ref == "ddob:6.31"
        assert cited(b) == "un colpo"
        b.pane.open_cited(Book("ddob")("6.3#fumo", "smoke"))
        await b.until(lambda: b.pane.ref == "ddob:6.3")
        assert cited(b) == "Il fumo non ferma il fuoco; il fumo resta."
        b.pane.open("ddob:6.3")
        assert cited(b) == ""
        await b.press("backspace")
        await b.until(lambda: b.pane.ref == "ddob:6.31")
        assert cited(b) == "un colpo"


async def test_the_words_of_a_search_are_marked_throughout_the_page_and_when_one_comes_back():
    async with browser() as b:
        await b.search("fuoco")
        await b.press("down")
        await b.until(lambda: b.pane.ref == "ddob:6")
        assert marked(b, "sought") == ["fuoco", "Fuoco"]  # the title and the chapter
        await b.press("down", "enter")
        assert b.pane.ref == "ddob:6.3"
        marks = marked(b, "sought")
        assert marks == ["fuoco", "Fuoco", "fuoco"]  # and the text
        await b.press("tab", "enter")
        assert b.pane.ref != "ddob:6.3"
        assert marked(b, "sought") == []  # a link is no search
        await b.press("backspace")
        assert marked(b, "sought") == marks


async def test_pages_opened_from_the_contents_have_no_marks():
    async with browser(ref="ddob:6.3") as b:
        await b.press("slash")
        await b.search("fumo")
        await b.press("down", "i")
        b.screen.open("ddob:6.3")
        assert marked(b, "sought") == []


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
async def test_marks_of_a_search_are_read_in_every_theme_and_are_not_the_lit_passage(theme):
    async with browser() as b:
        b.app.theme = theme.name
        await b.pilot.pause()
        sought, lit = b.pane.view._style("sought"), b.pane.view._style("cited")
        assert sought.background.a == 1
        assert contrast(sought.foreground.hex, sought.background.hex) >= 4.5
        surface = Color.parse(theme.surface)
        assert len({sought.background.hex, (surface + lit.background).hex, surface.hex}) == 3


async def test_without_colours_the_words_of_a_search_are_underlined(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with browser() as b:
        await b.search("fumo")
        await b.press("down", "enter")
        assert b.pane.ref == "toi:fumo"
        title = next(s for s in b.pane.view.render_line(0) if s.text == "Fumo")
        assert title.style.underline
        assert b.pane.view._style("cited").reverse
        b.pane.open("ddob:6.3#fumo", sought="fumo")
        lines = [b.pane.view.render_line(y) for y in range(b.pane.view.size.height)]
        words = [s.style for line in lines for s in line if s.text.lower() == "fumo"]
        assert len(words) == 2
        assert all(style.underline and style.reverse for style in words)


async def test_a_narrow_screen_scrolls_to_what_is_cited(library):
    last = "{#fine}Paragrafo 39 di una regola lunga."
    rule = library.corpus.entries["ddob:7.1"]
    text = rule.text.replace(last.removeprefix("{#fine}"), last)
    library.corpus.entries["ddob:7.1"] = msgspec.structs.replace(rule, text=text)
    async with browser(NARROW, ref="ddob:7.1#fine") as b:
        await b.until(lambda: b.pane.view.scroll_offset.y > 40)
        assert cited(b) == "Paragrafo 39 di una regola lunga."


def cited(b):
    """What is lit in the page, as one line."""
    lines = b.pane.view._layout_.lines
    lit = ("".join(line.plain[s:e] for s, e in spans_of(line, "cited", 0)) for line in lines)
    return " ".join(filter(None, lit))


def marked(b, key):
    """The marked words of the page."""
    lines = b.pane.view._layout_.lines
    return [line.plain[s:e] for line in lines for s, e in spans_of(line, key, 0)]


async def test_reconstructed_figures_are_told():
    async with browser(ref="toi:fumo") as b:
        assert "Dato ricostruito" in b.page


async def test_links_are_followed_with_tab_and_enter_and_the_border_tells_where_they_lead():
    async with browser(ref="ddob:6.3") as b:
        await b.press("tab")
        assert "Dove sta il nemico." in str(b.pane.border_subtitle)
        await b.press("tab")
        assert b.pane.border_subtitle == "6.31 Limite dei colpi"
        await b.press("enter")
        assert b.pane.ref == "ddob:6.31"
        await b.press("backspace", "shift+tab", "shift+tab", "enter")
        assert b.pane.ref != "ddob:6.3"


async def test_past_the_last_link_tab_goes_on_to_the_next_widget():
    async with browser(ref="toi:bosco") as b:
        view = b.pane.view
        await b.press("tab")
        assert b.screen.focused is view
        await b.press("tab")
        assert b.screen.focused is not view


async def test_links_and_terms_are_followed_with_the_mouse():
    async with browser(ref="ddob:6.3") as b:
        await b.click("il movimento")
        assert b.pane.ref == "ddob:7.1"
        await b.press("backspace")
        await b.click("posizione")
        assert b.pane.ref == "ddob:6"
        await b.click("Successiva")
        assert b.pane.ref == "ddob:6.3"


async def test_words_of_the_page_can_be_selected_with_the_mouse():
    async with browser(ref="toi:bosco") as b:
        view = b.pane.view
        await b.pilot.mouse_down(view, offset=(1, 3))
        await b.pilot.hover(view, offset=(9, 3))
        await b.pilot.mouse_up(view, offset=(9, 3))
        assert b.screen.get_selected_text().strip() == "Il bosco"
        assert b.pane.ref == "toi:bosco"


async def test_left_and_right_turn_the_pages_of_the_book():
    async with browser(ref="ddob:6.3") as b:
        await b.press("right", "right")
        assert b.pane.ref == "ddob:6.32"
        await b.press("left")
        assert b.pane.ref == "ddob:6.31"
        await b.press("backspace", "backspace", "backspace")
        assert b.pane.ref == "ddob:6.3"


async def test_going_back_finds_the_page_where_it_was_left():
    async with browser(ref="ddob:7.1") as b:
        await b.press("pagedown")
        await b.until(lambda: b.pane.view.scroll_y > 0)
        place = b.pane.view.scroll_target_y
        await b.press("right", "backspace")
        await b.until(lambda: b.pane.view.scroll_y == place)


async def test_words_are_found_in_the_page_whatever_their_case_and_accents():
    async with browser(ref="ddob:6.3") as b:
        await b.press("ctrl+f", *"FÙMO")
        count = b.screen.query_one("#find-count")
        assert str(count.render()) == "1 di 2"
        await b.press("enter")
        assert str(count.render()) == "2 di 2"
        await b.press("enter")
        assert str(count.render()) == "1 di 2"
        await b.press("z")
        assert str(count.render()) == "non trovato"
        await b.press("escape")
        assert isinstance(b.screen.focused, PageView)
        assert b.pane.view.matches == 0


async def test_finding_scrolls_to_the_words():
    async with browser(ref="ddob:7.1") as b:
        await b.press("ctrl+f", *"paragrafo 39")
        await b.until(lambda: b.pane.view.scroll_y > 20)


async def test_the_citation_is_copied():
    async with browser(ref="ddob:6.31") as b:
        await b.press("c")
        assert b.app.clipboard == "DDOB 6.31, p. 12"


async def test_the_colours_follow_the_theme():
    async with browser(ref="ddob:6.31") as b:

        def colour():
            return b.pane.view.render_line(0)._segments[0].style.color

        before = colour()
        b.app.action_theme_next()
        await b.until(lambda: colour() != before)


# What the user keeps


async def test_bookmarks_are_kept_listed_and_opened():
    async with browser(ref="ddob:6.31") as b:
        await b.press("b")
        assert "★" in str(b.pane.border_title)
        await b.press("right", "s")
        assert b.list == "bookmarks"
        rows = b.screen.query_one(BookmarkList).options
        assert [row.id for row in rows] == ["ddob:6.31"]
        await b.press("enter")
        assert b.pane.ref == "ddob:6.31"
        assert Notebook().bookmarks == ("ddob:6.31",)
        await b.press("b")
        assert Notebook().bookmarks == ()
        assert "★" not in str(b.pane.border_title)


async def test_notes_are_written_shown_and_kept():
    async with browser(ref="toi:fumo") as b:
        await b.press("n")
        assert isinstance(b.app.screen, NoteScreen)
        await b.press(*"2 carri", "escape")
        assert "▎ La tua nota\n▎ 2 carri" in b.page
        assert Notebook().note("toi:fumo") == "2 carri"
        await b.press("n", *"!!", "ctrl+d")
        assert Notebook().note("toi:fumo") == "2 carri"
        await b.press("n", *["backspace"] * 7, "escape")
        assert "La tua nota" not in b.page
        assert Notebook().noted == ()


async def test_damaged_notes_are_told_and_kept():
    (data_folder() / "note.json").write_text("rotto")
    async with browser(ref="toi:fumo") as b:
        await b.until(lambda: b.app._notifications)
        told = next(iter(b.app._notifications)).message
        assert "danneggiat" in told
    assert [f.read_text() for f in data_folder().glob("note-danneggiate*")] == ["rotto"]


# The contents


async def test_the_contents_open_down_to_a_rule_and_follow_the_page():
    async with browser(ref="ddob:6.31") as b:
        tree = b.screen.query_one(ContentsTree)
        await b.until(lambda: tree.cursor_node and tree.cursor_node.data.ref == "ddob:6.31")
        await b.press("i", "down", "enter")
        assert b.pane.ref == "ddob:6.32"


async def test_the_contents_open_with_the_mouse():
    async with browser() as b:
        tree = b.screen.query_one(ContentsTree)
        for x, y in ((2, 0), (4, 1), (8, 3)):
            at = (tree.region.x + x, tree.region.y + y)
            await b.until(lambda at=at: "node" in b.screen.get_style_at(*at).meta)
            await b.pilot.click(tree, offset=(x, y))
        await b.until(lambda: b.pane.ref == "toi:bosco")


async def test_house_rulings_have_a_chapter_and_give_their_reason():
    async with browser(ref="ddob:casa.01") as b:
        assert "Il libro tace." in b.page
        assert "Riguarda\n• 6.3 Risolvere il fuoco" in b.page
        tree = b.screen.query_one(ContentsTree)
        await b.until(lambda: tree.cursor_node and tree.cursor_node.data.ref == "ddob:casa.01")


# Small screens, other ways in and out


async def test_on_a_small_screen_lists_and_rule_take_turns():
    async with browser(NARROW) as b:
        side = b.screen.query_one("#rules-side")
        await b.search("fumo")
        assert side.display
        assert not b.pane.display
        await b.press("down", "enter")
        assert (side.display, b.pane.display) == (False, True)
        assert b.pane.ref == "toi:fumo"
        await b.press("escape")
        assert (side.display, b.pane.display) == (True, False)
        await b.press("f2")
        assert isinstance(b.screen.focused, PageView)
        await b.press("f2")
        assert isinstance(b.screen.focused, ResultList)
        await b.press(*"6.31", "enter")
        assert b.pane.display
        assert "Limite dei colpi" in b.page


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_keys_of_the_footer_fit_on_the_screen(size):
    async with browser(size, "ddob:6.3") as b:
        for to in ("ctrl+f", "escape", "slash", "escape", "r", "i", "s", "f2"):
            await b.press(to)
            await b.pilot.pause()
            keys = [key for key in b.screen.query("FooterKey") if key.display]
            assert keys
            assert max(key.region.right for key in keys) <= size[0], to


async def test_a_terminal_that_changes_size_keeps_the_page():
    async with browser(WIDE, "ddob:6.3") as b:
        await b.pilot.resize_terminal(*NARROW)
        await b.until(lambda: b.screen.has_class("-narrow"))
        assert b.pane.display
        assert b.pane.ref == "ddob:6.3"


async def test_f1_explains_what_has_the_focus():
    async with browser(ref="ddob:6.3") as b:
        await b.press("f1")
        assert isinstance(b.app.screen, HelpScreen)
        assert "collegamento" in str(b.app.screen.query_one("#help-text").render())


async def test_the_browser_opens_from_home_and_keeps_its_place():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("f4")
        b = Browser(pilot)
        await b.until(lambda: b.page)
        await b.press("escape", *"6.31", "enter")
        await b.until(lambda: b.pane.ref == "ddob:6.31")
        await b.press("q")
        assert isinstance(app.screen, HomeScreen)
        await b.press("f4")
        await b.until(lambda: isinstance(app.screen, RulesScreen))
        assert b.pane.ref == "ddob:6.31"


async def test_leaving_a_browser_started_from_the_command_line_shows_the_menu():
    async with browser(ref="ddob:6.3") as b:
        app = b.app
        await b.press("q")
        assert isinstance(app.screen, HomeScreen)


async def test_the_palette_finds_rules_by_number_and_words():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        b = Browser(pilot)
        await b.press("ctrl+p", *"colpi")
        options = app.screen.query_one(OptionList)
        await b.until(lambda: options.option_count and "DDOB" in str(options.options[0].prompt))
        await b.press("enter")
        await b.until(lambda: isinstance(app.screen, RulesScreen))
        await b.until(lambda: b.pane.ref in ("ddob:6.31", "ddob:6.32"))
