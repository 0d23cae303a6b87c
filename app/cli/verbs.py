"""The command line: the full-screen program and its headless twin.

Exit codes: 0 done; 1 the answer is no; 2 wrong usage; 70 a fault of ours. Never a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from app import __version__
from app.cli.answers import DONE, NO, USAGE, Answer, Fault, named_file, why
from app.shell import breakdown, i18n, streams
from app.shell.child import keep_safe
from app.shell.heap import look_seldom
from app.shell.i18n import _, say
from engine.core.text import N_

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

# What argparse itself says, in its own format, for the catalogs.
ARGPARSE = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("expected at most one argument"),
    N_("expected %s argument"),
    N_("expected %s arguments"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
    N_("not allowed with argument %s"),
    N_("one of the arguments %s is required"),
    N_("unexpected option string: %s"),
    N_("can't open '%(filename)s': %(error)s"),
    N_("%(heading)s:"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    keep_safe()
    look_seldom()
    streams.prepare()
    i18n.use(_language(arguments))
    try:
        _own_data()
        args = parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], Answer | int] = args.run
        answer = run(args)
        code = answer if isinstance(answer, int) else answer.show(getattr(args, "json", False))
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse has said it all, unless nobody took it
        return _flushed(stop.code)
    except Fault as fault:
        streams.complain(str(fault))
        return fault.code
    except BrokenPipeError:  # the reader has seen enough
        return DONE
    except OSError as error:
        return _refused(error)
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001  the last door: people get lines, not a traceback
        return breakdown.tell(error)
    finally:
        streams.let_go()


def _flushed(code: str | int | None) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return DONE
    except OSError as error:
        return _refused(error)
    return code if isinstance(code, int) else DONE


def _refused(error: OSError) -> int:
    """A file, a folder or the output that the system does not let us use."""
    where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    where = where or _("standard output")
    streams.complain(_("{file}: {why}. Choose another one.", file=where, why=why(error)))
    return NO


def _language(arguments: Sequence[str]) -> str:
    """The language asked for, needed before anything is said."""
    for index, argument in enumerate(arguments):
        value = argument.partition("=")[2] if argument.startswith("--lingua=") else ""
        if argument == "--lingua" and index + 1 < len(arguments):
            value = arguments[index + 1]
        if value in i18n.LANGUAGES:
            return value
    return "it"


def _own_data() -> None:
    """Let the user's data files take the place of ours; those that cannot be used are told."""
    from app.shell import own_data

    if faults := own_data.admit().faults:
        streams.complain("\n".join([*map(str, faults), own_data.advice()]))


class _Parser(argparse.ArgumentParser):
    """argparse in the language of the program."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and how the command is used."""
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Let a full disk be told: argparse would keep quiet about it."""
        if file is not None and file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Take `--option=--` at its word: before 3.13 argparse loses the value and fails."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            value = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)


def whole_number(text: str) -> int:
    """A number of the command line; argparse would name the type as Python does."""
    try:
        return int(text)
    except ValueError as error:
        said = _("{value} is not a whole number", value=text)
        raise argparse.ArgumentTypeError(said) from error


def parser() -> argparse.ArgumentParser:
    """All verbs and their options."""
    # argparse speaks through these names
    setattr(argparse, "_", lambda text: _(text))  # noqa: B010
    setattr(argparse, "ngettext", lambda one, more, n: _(one if n == 1 else more))  # noqa: B010
    top = _Parser(
        prog="prontuario",
        description=_("Play four wargames in the terminal, with the rule beside the map."),
        epilog=_(
            "Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 70 a fault of the program."
        ),
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"prontuario {__version__}",
        help=_("show the version and exit"),
    )
    top.add_argument("--lingua", choices=i18n.LANGUAGES, help=_("language: it or en"))
    top.set_defaults(run=full_screen)
    verbs = _Verbs(top.add_subparsers(title=_("verbs"), metavar=_("verb"), parser_class=_Parser))
    _add_rules(verbs)
    _add_playing(verbs)
    _add_headless(verbs)
    return top


Run: TypeAlias = Callable[[argparse.Namespace], Answer | int]


class _Verbs:
    """The verbs, as they are added."""

    def __init__(self, verbs: argparse._SubParsersAction[_Parser]) -> None:
        self._verbs = verbs

    def screen(self, name: str, run: Run, help: str) -> _Parser:
        """A verb that opens something."""
        sub = self._verbs.add_parser(name, help=help)
        sub.set_defaults(run=run)
        return sub

    def answer(self, name: str, run: Callable[[argparse.Namespace], Answer], help: str) -> _Parser:
        """A verb that answers, as one JSON document if that is wanted."""
        sub = self._verbs.add_parser(name, help=help, description=help)
        sub.add_argument("--json", action="store_true", help=_("one JSON document"))
        sub.set_defaults(run=run)
        return sub


def _add_rules(verbs: _Verbs) -> None:
    """Titles and rules."""
    verbs.answer("titoli", _headless("list_titles"), _("titles with their scenarios and sides"))
    sub = verbs.answer("cerca", _rules("search"), _("search the rules"))
    sub.add_argument("parole", nargs="+", metavar=_("WORDS"))
    sub.add_argument("--titolo", metavar="SLUG", help=_("only this title"))
    sub.add_argument("-n", type=whole_number, default=10, metavar="N", help=_("how many answers"))
    sub = verbs.answer("regola", _rules("rule"), _("one rule with its links, FAQ and examples"))
    sub.add_argument("ref", metavar="REF", help=_("ref or number: ddob:6.31"))
    said = _("the reference cards of a title: tables, units, weapons, cards, scenarios")
    sub = verbs.answer("schede", _verb("app.cli.cards", "show_cards"), said)
    sub.add_argument("titolo", metavar=_("TITLE"), nargs="?", default="", help=_("title"))
    sub.add_argument("nome", metavar=_("NAME"), nargs="*", help=_("a card, a unit, any word"))
    sub.add_argument("--html", metavar="FILE", help=_("write a page to print"))
    sub = verbs.answer(
        "copertura", _rules("coverage"), _("which rules are applied, tried, by hand, missing")
    )
    sub.add_argument("--titolo", metavar="SLUG", help=_("only this title"))
    said = _("the rules browser, at a rule if one is given")
    sub = verbs.screen("regole", rules_browser, said)
    sub.add_argument(
        "ref", metavar="REF", nargs="?", default="", help=_("ref or number: ddob:6.31")
    )


def _add_playing(verbs: _Verbs) -> None:
    """Playing, retelling, and playing by post."""
    sub = verbs.screen("gioca", play_game, _("straight into a game"))
    sub.add_argument("titolo", metavar=_("TITLE"), nargs="?", default="",
                     help=_("title, or the file of a saved game"))  # fmt: skip
    sub.add_argument("scenario", metavar="SCENARIO", nargs="?", default="", help=_("scenario"))
    sub.add_argument(
        "--lati", default="", metavar="A,B", help=_("who plays: umano, posta or a level")
    )
    sub.add_argument("--seme", type=whole_number, metavar="N", help=_("seed of the dice"))
    sub.add_argument("--dadi-veri", action="store_true", help=_("you roll and type the dice in"))
    sub.add_argument("--testo", action="store_true", help=_("as a linear dialogue"))
    said = _("questions about the rules, from real positions, with the answer and its rules")
    sub = verbs.answer("allena", _verb("app.cli.training", "train"), said)
    sub.add_argument("titolo", metavar=_("TITLE"), nargs="?", default="", help=_("title"))
    sub.add_argument(
        "--domande", type=whole_number, default=10, metavar="N", help=_("how many questions")
    )
    sub.add_argument("--seme", type=whole_number, metavar="N", help=_("seed of the questions"))
    sub = verbs.answer("esempi", _playing("list_examples"), _("the worked examples"))
    sub.add_argument("--titolo", metavar="SLUG", help=_("only this title"))
    sub.add_argument("--file", action="append", metavar="F", help=_("an example file of yours"))
    sub.add_argument("--verifica", action="store_true", help=_("play them and check the results"))
    sub = verbs.answer("rapporto", _playing("report"), _("the story of a saved game"))
    sub.add_argument("file", metavar="FILE")
    sub.add_argument("-o", metavar="F.md", help=_("write it to a file"))
    _looking(sub)
    sub = verbs.answer("posta", _playing("mail"), _("seal a game to send it, or take one in"))
    sub.add_argument("azione", choices=("esporta", "importa", "verifica"))
    said = _("a game to send, a mail to take in (- reads it from the input), either to prove it")
    sub.add_argument("file", metavar="FILE", help=said)
    sub.add_argument("-o", metavar=_("FOLDER"), help=_("where to write it"))
    said = _("your side, where several are free")
    sub.add_argument("--lato", default="", metavar="A", help=said)
    said = _("the same program in a browser on this machine")
    sub = verbs.screen("servi", serve_browser, said)
    sub.add_argument("--porta", type=whole_number, default=8000, metavar="N", help=_("port"))


def _add_headless(verbs: _Verbs) -> None:
    """Checking, replaying and simulating."""
    sub = verbs.answer("valida", _headless("validate"), _("check a scenario, map or example file"))
    sub.add_argument("file", metavar="FILE")
    sub.add_argument("--titolo", metavar="SLUG", help=_("title, if the file does not name it"))
    sub = verbs.answer("replay", _headless("replay"), _("play a saved game again, line by line"))
    sub.add_argument("file", metavar="FILE")
    sub.add_argument("--verifica", action="store_true", help=_("only check, print no steps"))
    _looking(sub)
    sub = verbs.answer("simula", _headless("simulate"), _("play games without a screen"))
    sub.add_argument("--titolo", required=True, metavar="SLUG", help=_("title"))
    sub.add_argument("--scenario", required=True, metavar="ID", help=_("scenario"))
    sub.add_argument(
        "--partite", type=whole_number, default=1, metavar="N", help=_("how many games")
    )
    sub.add_argument(
        "--giocatori", default="casuale", metavar="A,B", help=_("players, in order of sides")
    )
    sub.add_argument(
        "--seme", type=whole_number, default=1, metavar="K", help=_("seed of the first game")
    )
    sub.add_argument("--processi", type=whole_number, default=1, metavar="P", help=_("processes"))


def _looking(sub: argparse.ArgumentParser) -> None:
    said = _("while the game goes on, show what this side may know (one played here)")
    sub.add_argument("--lato", default="", metavar="A", help=said)


def may_open() -> bool:
    """Whether the full screen has a place: a terminal, or a window of `prontuario servi`."""
    return "TEXTUAL_DRIVER" in os.environ or (sys.stdin.isatty() and sys.stdout.isatty())


def full_screen(args: argparse.Namespace) -> int:
    """`prontuario`: the program on the whole terminal; without one, what can be done instead."""
    if not may_open():
        from app.cli.playing import show_an_example
        from engine.titles import TITLES

        sys.stdout.write(_("This is not a terminal, so the full screen stays closed.") + "\n\n")
        show_an_example()
        sys.stdout.write("\n" + _("In a terminal, prontuario opens the full screen.") + "\n")
        for slug, title in list(TITLES.items())[:1]:
            what = f"{slug} {title.scenarios()[0].id}"
            sys.stdout.write(_("To play here: prontuario gioca {what} --testo", what=what) + "\n\n")
        sys.stdout.write(_("These commands work anywhere:") + "\n\n")
        parser().print_help(sys.stdout)
        return DONE
    from app.screens.app import run

    return run()


def play_game(args: argparse.Namespace) -> int:
    """`prontuario gioca`: a game on the whole terminal, or as a dialogue."""
    from app.cli import headless
    from app.cli import playing as play_cli

    if args.testo or not may_open():
        return play_cli.play_in_text(args)
    from app.play.session import SUFFIX
    from app.screens.app import run
    from app.screens.new_game import NewGameScreen
    from app.screens.play import PlayScreen
    from app.screens.reopen import screen_for
    from engine.saves.lines import SaveError

    if args.titolo.endswith(SUFFIX):
        path = named_file(args.titolo)
        try:
            screen = screen_for(path)
        except SaveError as error:
            raise Fault(f"{path}: {say(error.msg)}", NO) from error
        return run(lambda: screen, path)
    if args.scenario:
        session = play_cli.session_for(args)
        return run(lambda: PlayScreen(session), session.path)
    slug = headless.find_title(args.titolo).info.slug if args.titolo else ""
    return run(lambda: NewGameScreen(slug))


def serve_browser(args: argparse.Namespace) -> int:
    """`prontuario servi`."""
    from app.web import serve

    return serve.serve(args)


def rules_browser(args: argparse.Namespace) -> Answer | int:
    """`prontuario regole`: the rules browser on the whole terminal; without one, the rule alone."""
    if not may_open():
        if args.ref:
            return _rules("rule")(args)
        said = _("The rules browser needs a terminal. Here, prontuario regola REF prints a rule "
                 "and prontuario cerca WORDS finds it.")  # fmt: skip
        return Answer(None, (said,))
    from app.screens.app import run
    from app.screens.rules import RulesScreen

    return run(lambda: RulesScreen(args.ref))


def _headless(name: str) -> Callable[[argparse.Namespace], Answer]:
    """A verb of `app.cli.headless`, imported when it runs: the way in stays short."""
    return _verb("app.cli.headless", name)


def _playing(name: str) -> Callable[[argparse.Namespace], Answer]:
    """A verb of `app.cli.playing`, imported when it runs."""
    return _verb("app.cli.playing", name)


def _rules(name: str) -> Callable[[argparse.Namespace], Answer]:
    """A verb of `app.cli.consulting`, imported when it runs."""
    return _verb("app.cli.consulting", name)


def _verb(module: str, name: str) -> Callable[[argparse.Namespace], Answer]:
    def run(args: argparse.Namespace) -> Answer:
        found: Callable[[argparse.Namespace], Answer] = getattr(import_module(module), name)
        return found(args)

    return run
