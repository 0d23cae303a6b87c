"""The commands of the dialogue: one for everything that a key of the table does on a screen.

`COMMANDS` is the whole of it: the help, the words that stand for letters and what is done all come
from there. A command names the actions of the table that it stands for: a test sees that none is
missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from app.play import text_looking as looking
from app.play.asking import Reply, ask, ask_of, tinted_after
from app.play.orders import in_one_go
from app.play.primer import in_lines, primer
from app.presenters.base import name_of
from app.rules.cards import phase_words
from app.shell.i18n import _, _n
from engine.core.decisions import Option
from engine.core.hexes import Hex
from engine.core.rules import RuleRef
from engine.core.text import N_
from engine.game import UndoRefused

if TYPE_CHECKING:
    from app.play.text_mode import Dialogue

Run: TypeAlias = Callable[["Dialogue", str], None]

MOST_STEPS = 10
"""Actions that are listed when nobody says how many."""


class Command(NamedTuple):
    """What can be typed: a letter or a word and others that stand for it, what follows it (in
    brackets where it may be left out), what it does, and the actions of the table it stands for."""

    name: str
    words: tuple[str, ...]
    takes: str
    what: str
    run: Run
    does: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """How the help lists it."""
        names = ", ".join((self.name, *self.words[:1]))
        return f"{names} {self.takes}".strip()

    def hears(self, argument: str) -> bool:
        """Whether it is meant with something after it, or with nothing."""
        if not argument:
            return not self.takes or self.takes.startswith("[")
        return bool(self.takes)


# --- playing ----------------------------------------------------------------------------------


def explain(talk: Dialogue, _argument: str) -> None:
    """The open question, for who has never been asked it."""
    wanted = ("x", "o", "r", "a", "d", "u")
    ways = [("1, 2, 3…", _("answer with that option"))]
    ways += [(BY_NAME[name].shown, _(BY_NAME[name].what)) for name in wanted]
    talk.say(*in_lines(primer(talk.table, ways, talk.texts.quote)))


def may_i(talk: Dialogue, argument: str) -> None:
    """What may be done with a hex; other words are a question of their own."""
    hex = looking.hex_named(talk.table.view, argument)
    if hex is None:
        wonder(talk, f"posso {argument}?")
        return
    talk.here = hex
    tell_reply(talk, ask_of(talk.table, hex))


def wonder(talk: Dialogue, words: str) -> None:
    """A question in words, answered by the engine at this position; else by the rules."""
    reply = ask(talk.table, words, talk.texts.meanings, talk.here)
    tell_reply(talk, reply)
    if reply is None:
        look_up(talk, words)


def tell_reply(talk: Dialogue, reply: Reply | None) -> None:
    """What the engine answers, and the rules behind it."""
    if reply is None:
        closed = talk.table.why_closed()
        talk.say(closed or _("That cannot be told from the question that is open now."))
        return
    talk.say(reply.words)
    talk.cite(*reply.rulings)


def forbidden(talk: Dialogue, _argument: str) -> None:
    """What is refused, each with its rule."""
    decision = talk.table.question
    if decision is None or not decision.refused:
        talk.say(talk.table.why_closed() or _("Nothing is forbidden here."))
        return
    for option, rulings in decision.refused.items():
        talk.say(f"  {name_of(talk.names, decision, option)}")
        talk.rulings(rulings)


def not_seen_or_forbidden(talk: Dialogue, argument: str) -> None:
    """The letter of the forbidden alone; with hexes that of the sight, as on the screen."""
    (sight if argument else forbidden)(talk, argument)


def stack(talk: Dialogue, argument: str) -> None:
    """Put a whole stack where an answer lies, or give the stack of a unit one order."""
    if "block" not in in_one_go(talk.table):
        talk.say(talk.table.why_closed() or _("There is no stack to place or to order now."))
        return
    option = answer_named(talk, argument)
    if option is None:
        return
    if talk.table.placing.applies:
        talk.say(talk.table.placing.fill(option.id).said)
        return
    together = talk.table.orders.stack_at(option.id)
    if together:
        talk.give(together)
    else:
        talk.say(_("This unit stands alone."))


def answer_named(talk: Dialogue, argument: str) -> Option | None:
    """The answer that somebody names, who is told where there is none."""
    question = talk.table.question
    found = talk.found(argument) if question is not None else []
    option = question.option(found[0]) if question is not None and found else None
    if option is None:
        talk.say(talk.table.why_closed() or _("There is no answer «{words}».", words=argument))
    return option


def again(talk: Dialogue, argument: str) -> None:
    """The last order once more, for the unit that is named or for the next of its kind."""
    option = answer_named(talk, argument) if argument else None
    if option is not None or not argument:
        talk.tell_done(talk.table.orders.again(option.id if option is not None else None))


def place_all(talk: Dialogue, _argument: str) -> None:
    """The program sets up the rest of the side."""
    if talk.table.placing.applies:
        talk.table.placing.begin()
    else:
        talk.say(_("Nothing is being set up now."))


def as_before(talk: Dialogue, _argument: str) -> None:
    """Set up as in the last game of the scenario, or as before what was taken back."""
    applies = talk.table.placing.applies
    said = talk.table.placing.begin_as_before() if applies else _("Nothing is being set up now.")
    if said:
        talk.say(said)


def advise(talk: Dialogue, _argument: str) -> None:
    """The program's best player says what it would answer, and why; nothing is answered."""
    levels, question = talk.session.title.levels, talk.table.question
    if question is None:
        talk.say(talk.table.why_closed())
        return
    if not levels:
        talk.say(_("This title has no player that could advise you."))
        return
    chosen, reason = talk.session.bot_choice(levels[-1])
    ids = [option.id for option in question.options]
    msg = question.options[ids.index(chosen)].msg
    answer = f"{ids.index(chosen) + 1}, {talk.names.answer(chosen, msg).rstrip('.')}"
    why = talk.names.say(reason) if reason is not None else ""
    talk.say(_("Advice: {answer}. {why}", answer=answer, why=why).strip())


def delegate(talk: Dialogue, _argument: str) -> None:
    """The program answers this question for the person, until another one is asked."""
    n = talk.session.delegate()
    talk.table.follow_guide(is_own=True)
    talk.say(_n("The program answered once for you.", "The program gave {n} answers for you.",
                n=n))  # fmt: skip


def undo(talk: Dialogue, _argument: str) -> None:
    """Take back the last answer."""
    take_back(talk, studio=False)


def studio(talk: Dialogue, _argument: str) -> None:
    """Take back the last answer and its dice: the save will say so."""
    take_back(talk, studio=True)


def take_back(talk: Dialogue, studio: bool) -> None:
    """Take back the last answer, with its dice or not."""
    try:
        talk.table.take_back(studio)
    except UndoRefused as refused:
        can_study = not studio and talk.session.ledger is None
        more = " " + _("«studio» takes the dice back too.") if can_study else ""
        talk.say(talk.names.say(refused.msg) + more)
        return
    talk.forget_told()
    talk.say(_("Taken back. {key} repeats it.", key="y"))


def redo(talk: Dialogue, _argument: str) -> None:
    """Repeat what was taken back."""
    try:
        talk.table.repeat()
    except UndoRefused as refused:
        talk.say(talk.names.say(refused.msg))


def read_again(talk: Dialogue, _argument: str) -> None:
    """The question once more."""
    talk.ask_again()


# --- looking ----------------------------------------------------------------------------------


def whole(talk: Dialogue, _argument: str) -> None:
    """Everything on the table."""
    talk.say(*looking.whole(talk.table))


def card(talk: Dialogue, argument: str) -> None:
    """A hex with all that may be known of it."""
    hex = hex_in(talk, argument)
    if hex is not None:
        talk.say(*looking.card_lines(talk.table.card(hex)))
        talk.cite(*talk.table.inspect(hex))


def hex_in(talk: Dialogue, label: str) -> Hex | None:
    """The hex that somebody names, who is told where there is none."""
    hex = looking.hex_named(talk.table.view, label)
    if hex is None:
        some = list(talk.table.view.board.hexes())
        sample = talk.table.view.label(some[len(some) // 2])
        talk.say(_("There is no hex {label}: write it as it is printed, such as {sample}.",
                   label=label, sample=sample))  # fmt: skip
    else:
        talk.here = hex
    return hex


def units(talk: Dialogue, argument: str) -> None:
    """The units by where they stand."""
    talk.say(*looking.units(talk.table, argument))


def forces(talk: Dialogue, _argument: str) -> None:
    """What each side has beside the map."""
    talk.say(*looking.forces(talk.table))


def odds(talk: Dialogue, argument: str) -> None:
    """They are reckoned here: the dialogue has nothing else to do until they are told."""
    option = answer_named(talk, argument) if argument else None
    if option is None and argument:
        return
    rows = talk.table.why_here(talk.texts.quote, option.id if option is not None else None)
    talk.say(*map(looking.row_text, rows))
    talk.cite(*[row.ruling for row in rows if row.ruling is not None][:1])


def cards(talk: Dialogue, argument: str) -> None:
    """The reference cards, or one of them."""
    rulings = [line.step.ruling for line in reversed(talk.table.told)]
    now = phase_words(talk.table.view.phase)
    if argument:
        talk.say(*talk.texts.card(argument, rulings, now))
        return
    talk.say(*talk.texts.cards(rulings, now))
    talk.say(_("f and a name reads one: f terreno. A unit or a weapon has its own, too."))


def reach(talk: Dialogue, argument: str) -> None:
    """Where whoever acts can go, and what is in range; or a unit that could be chosen."""
    option = answer_named(talk, argument) if argument else None
    found = tinted_after(talk.table, option.id) if option is not None else ()
    if found:
        talk.say(*looking.reach(talk.table, found))
    elif option is not None:
        talk.say(_("That cannot be told from the question that is open now."))
    elif not argument:
        talk.say(*looking.reach(talk.table, talk.table.overlays()))


def sight(talk: Dialogue, argument: str) -> None:
    """What is seen from a hex, or the line between two."""
    hexes = [hex_in(talk, label) for label in argument.split()[:2]]
    found = [hex for hex in hexes if hex is not None]
    if len(found) < len(hexes) or not found:
        return
    if len(found) == 1:
        lines, rulings = looking.seen_from(talk.table, found[0])
        talk.say(*lines)
        talk.rulings(rulings)
        return
    seen = talk.table.sight(found[0], found[1])
    if seen is None:
        talk.say(talk.table.presenter.no_sight)
        return
    talk.say(looking.sight_words(seen))
    talk.rulings(seen.rulings)


def layers(talk: Dialogue, argument: str) -> None:
    """What can be laid over the map, or one sheet of it."""
    found = talk.table.layers()
    if argument.isdigit() and 0 < int(argument) <= len(found):
        talk.say(*looking.layer_lines(talk.table, found[int(argument) - 1]))
    else:
        talk.say(*looking.layers(talk.table))


def ground(talk: Dialogue, _argument: str) -> None:
    """The map in words."""
    talk.say(*looking.ground(talk.table))


# --- rules ------------------------------------------------------------------------------------


def rule(talk: Dialogue, argument: str) -> None:
    """The rules last cited; one by its number in what was found, or by its name."""
    cited = talk.table.cited[0] if talk.table.cited else None
    if argument.isdigit() and 0 < int(argument) <= len(talk.hits):
        ref = talk.hits[int(argument) - 1].ref
        talk.say(*(talk.texts.rule(ref) if ref else [_("This has no rule of its own.")]))
    elif argument:
        talk.say(*talk.texts.named(argument))
    elif cited is None:
        talk.say(_("No rule has been cited yet."))
    else:
        for ref in cited.refs:
            talk.say(*talk.texts.rule(ref, cited))


def lines_of(talk: Dialogue, argument: str) -> None:
    """The lines of this game that applied a rule: the one last cited, or the one named."""
    cited = talk.table.cited
    named = [RuleRef(ref) for ref in talk.texts.corpus.candidates(argument)] if argument else []
    refs = named or [ref for ruling in cited[:1] for ref in ruling.refs[:1]]
    if not refs:
        talk.say(_("No rule has been cited yet."))
        return
    talk.say(f"[{refs[0]}]", *looking.citing(talk.table, refs[0]))


def search(talk: Dialogue, argument: str) -> None:
    """What the rules and the data answer to some words; a question is answered by the engine."""
    reply = ask(talk.table, argument, talk.texts.meanings, talk.here)
    if reply is not None:
        tell_reply(talk, reply)
    look_up(talk, argument)


def look_up(talk: Dialogue, words: str) -> None:
    """What the rules and the data have on some words."""
    notes, talk.hits = talk.texts.search(words, talk.table.at_hand(talk.here))
    talk.say(*notes)
    for number, hit in enumerate(talk.hits, start=1):
        first, *more = hit.lines
        talk.say(f"{number}. {first}", *[f"  {line}" for line in more])
    if talk.hits:
        talk.say(_("r and its number reads the whole rule."))


# --- the past ---------------------------------------------------------------------------------


def chronicle(talk: Dialogue, argument: str) -> None:
    """What has happened since the last answer; the last actions; or, with its name, a hex."""
    if argument and looking.hex_named(talk.table.view, argument) is not None:
        card(talk, argument)
    elif argument.isdigit():
        talk.say(*looking.last_actions(talk.table, max(1, int(argument))))
    elif argument:
        hex_in(talk, argument)
    else:
        talk.say(*looking.happened(talk.table, talk.texts.quote))


def step_to(talk: Dialogue, argument: str) -> None:
    """Look at the table after a line; without a number, the lines that can be looked at."""
    if not argument.isdigit():
        talk.say(*looking.last_actions(talk.table, MOST_STEPS))
        talk.say(_("«passi» and the number of a line looks at that moment."))
        return
    talk.table.look_at(int(argument) - 1)
    _tell_moment(talk)


def back(talk: Dialogue, _argument: str) -> None:
    """A line back."""
    if talk.table.walk(-1):
        _tell_moment(talk)
    else:
        talk.say(_("Nothing has happened before this."))


def forward(talk: Dialogue, _argument: str) -> None:
    """A line forward; from the present, first to what others have done."""
    table = talk.table
    if table.is_past:
        table.walk(1)
    elif table.news:
        table.look_at(table.news[0].first)
    else:
        talk.say(_("This is the present: «indietro» walks back through the game."))
        return
    _tell_moment(talk)


def present(talk: Dialogue, _argument: str) -> None:
    """Back to the present."""
    talk.table.look_at_now()
    _tell_moment(talk)


def _tell_moment(talk: Dialogue) -> None:
    table = talk.table
    table.presenter.use(table.view)
    if table.at is None:
        talk.say(_("This is the present."))
        talk.ask_again()
        return
    talk.say(*looking.moment(table, talk.texts.quote))
    talk.cite(table.lines[table.at].step.ruling)


# --- the guide, the game ----------------------------------------------------------------------


def guide(talk: Dialogue, argument: str) -> None:
    """The lesson of the guide; the next one, the one before, its rule; closed or opened."""
    found = talk.table.guide
    shown = found.lesson if found is not None else None
    if found is not None and argument in ("apri", "chiudi"):
        found.is_open = argument == "apri"
    elif found is not None and argument == "avanti":
        found.go_on()
    elif found is not None and argument == "indietro" and not found.go_back():
        talk.say(_("This is the first lesson."))
    elif shown is not None and argument == "regola":
        talk.say(*talk.texts.rule(shown.ref))
        return
    talk.table.keep_guide()
    talk.lesson = tuple(looking.lesson(talk.table))
    talk.say(*talk.lesson)


def game(talk: Dialogue, _argument: str) -> None:
    """Which game this is, and where it is kept."""
    talk.say(" · ".join(talk.table.headline()))
    talk.say_where_kept()


def listing(talk: Dialogue, _argument: str) -> None:
    """All that can be typed, by what it is for."""
    for group, commands in COMMANDS.items():
        rows = [(command.shown, _(command.what)) for command in commands]
        if group == FIRST:
            rows = [*((how, _(what)) for how, what, _does in HOW), *rows]
        talk.say(f"{_(group)}:")
        for shown, what in rows:
            talk.say(*_beside(shown, what))


def _beside(shown: str, what: str, width: int = 26) -> Iterator[str]:
    """A command and what it does, long words under each other."""
    first, *more = wrap(what, 96 - width)
    yield f"  {shown:<{width}}{first}"
    for line in more:
        yield " " * (width + 2) + line


def leave(talk: Dialogue, _argument: str) -> None:
    """Leave the table."""
    talk.leave()


# --- the table of commands --------------------------------------------------------------------

HOW = (
    ("1, 2, 3…", N_("answer with that option"), ("take",)),
    ("F6, un nome", N_("answer with what lies on that hex, or is called so; also a far hex"), ()),
    ("1 3 4", N_("several answers: units act one after the other, or together"),
     ("tavolo.gruppo",)),
    ("0", N_("end the choice, the phase or the turn"), ("take",)),
    ("posso …?", N_("any question: the engine answers it, with the rule"), ("tavolo.posso",)),
)  # fmt: skip
"""What is typed that is no command: how, what it does, the actions that it stands for."""

FIRST = N_("Playing")
COMMANDS: dict[str, tuple[Command, ...]] = {
    FIRST: (
        Command("?", ("aiuto",), "", N_("the question explained: what can I do?"), explain,
                ("tavolo.cosa-posso",)),
        Command("l", ("leggi",), "", N_("read the question again"), read_again),
        Command("n", (), "F6", N_("whether a hex may be chosen, and why not"), may_i,
                ("tavolo.posso",)),
        Command("x", ("vietate",), "", N_("why the refused answers are refused"), forbidden,
                ("tavolo.vietate",)),
        Command("b", ("pila",), "2", N_("the whole stack: place it there, or order it as one"),
                stack, ("tavolo.pila",)),
        Command(".", ("ripeti", "ordine"), "[2]",
                N_("the last order once more, for a unit of the same kind"), again,
                ("tavolo.stesso-ordine",)),
        Command("t", ("tutto",), "", N_("the program sets up the rest of your side"), place_all,
                ("tavolo.piazza-tutto",)),
        Command("w", ("ultima",), "", N_("set up as in the last game of this scenario"), as_before,
                ("tavolo.come-prima",)),
        Command("a", ("consiglio",), "", N_("what the program would answer, and why"), advise,
                ("tavolo.consiglio",)),
        Command("d", ("delega",), "", N_("let the program answer this question"), delegate,
                ("tavolo.delega",)),
        Command("u", ("annulla", "undo"), "", N_("take back the last answer"), undo,
                ("tavolo.annulla",)),
        Command("y", ("rifai", "redo"), "", N_("repeat what was taken back"), redo,
                ("tavolo.ripeti",)),
        Command("studio", (), "", N_("take back the last answer with its dice"), studio,
                ("tavolo.studio",)),
    ),
    N_("Looking"): (
        Command("m", ("tavolo", "mappa"), "", N_("the table: units, marks and tracks"), whole),
        Command("i", ("esagono",), "F6", N_("a hex: ground, units, answers, rules"), card,
                ("tavolo.esagono",)),
        Command("unità", ("unita",), "[parole]",
                N_("the units with hex, values and states; those with some words in full"), units),
        Command("c", ("forze",), "", N_("what each side has beside the map"), forces,
                ("tavolo.forze",)),
        Command("p", ("portata",), "[2]",
                N_("where whoever acts, or would act, can go, with costs; what is in range"),
                reach),
        Command("s", ("visuale",), "F6 [G4]",
                N_("what is seen from a hex, or whether a hex sees another"), sight,
                ("tavolo.visuale",)),
        Command("v", (), "[F6 G4]", N_("with hexes as s; alone as x"), not_seen_or_forbidden),
        Command("k", ("strati",), "[1]", N_("threats, control and more on the map, in words"),
                layers, ("tavolo.strati",)),
        Command("terreno", (), "", N_("the map in words: ground, heights, roads"), ground),
        Command("o", ("probabilità", "probabilita"), "[2]",
                N_("the odds of what is asked, or of one answer, with their why"), odds,
                ("tavolo.probabilita",)),
        Command("f", ("schede", "scheda"), "[nome]", N_("the reference cards, or one of them"),
                cards, ("tavolo.schede",)),
    ),
    N_("Rules"): (
        Command("r", ("regola", "regole"), "[2]",
                N_("the rules last cited, in full; or one that was found, or that you name"), rule,
                ("tavolo.regola",)),
        Command("righe", (), "[regola]", N_("the lines of this game that applied the rule"),
                lines_of, ("tavolo.righe",)),
        Command("/", ("cerca",), "parole", N_("search rules and data"), search,
                ("tavolo.cerca",)),
    ),
    N_("The past"): (
        Command("e", ("cronaca",), "[5]",
                N_("what happened since your last answer, with its rules; the last 5 actions"),
                chronicle, ("tavolo.risoluzione",)),
        Command("passi", ("passo",), "[12]", N_("look at the moment after a line"), step_to),
        Command("indietro", (), "", N_("a step back in what happened"), back,
                ("tavolo.indietro",)),
        Command("avanti", (), "", N_("a step forward; first to what the others did"), forward,
                ("tavolo.passo",)),
        Command("presente", (), "", N_("back to the present"), present, ("tavolo.presente",)),
    ),
    N_("The guide"): (
        Command("guida", (), "[avanti]",
                N_("the lesson; also «guida indietro», «regola», «chiudi», «apri»"), guide,
                ("tavolo.guida-regola", "tavolo.guida-avanti", "tavolo.guida-indietro",
                 "tavolo.guida-fine")),
    ),
    N_("The game"): (
        Command("partita", ("salva",), "", N_("which game this is, and the name of its file"),
                game),
        Command("h", ("comandi", "help"), "", N_("this list"), listing, ("tavolo.menu",)),
        Command("q", ("esci", "quit", "exit"), "", N_("leave; the game is saved"), leave,
                ("leave", "tell")),
    ),
}  # fmt: skip
"""Every command, by what it is for."""

BY_NAME = {
    name: command
    for commands in COMMANDS.values()
    for command in commands
    for name in (command.name, *command.words)
}
"""The commands by all that stands for them, in small letters."""
