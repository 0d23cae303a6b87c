"""The command line: the full-screen program and its headless twin.

Exit codes: 0 done; 1 the answer is no; 2 wrong usage. Never a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from typing import NoReturn

from app import __version__, i18n
from app.answers import DONE, NO, USAGE, Answer, Fault
from app.i18n import _
from engine.core.text import N_

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
    N_("invalid %(type)s value: %(value)r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    i18n.use(_language(arguments))
    try:
        args = parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], Answer | int] = args.run
        answer = run(args)
        return answer if isinstance(answer, int) else answer.show(getattr(args, "json", False))
    except Fault as fault:
        sys.stderr.write(f"{fault}\n")
        return fault.code
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001  the last door: a person gets a sentence, not a traceback
        return _internal_error()


def _language(arguments: Sequence[str]) -> str:
    """The language asked for, needed before anything is said."""
    for index, argument in enumerate(arguments):
        value = argument.partition("=")[2] if argument.startswith("--lingua=") else ""
        if argument == "--lingua" and index + 1 < len(arguments):
            value = arguments[index + 1]
        if value in i18n.LANGUAGES:
            return value
    return "it"


def _internal_error() -> int:
    with tempfile.NamedTemporaryFile(
        "w", prefix="prontuario-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        traceback.print_exc(file=file)
    sys.stderr.write(_("Prontuario made a mistake. The details are in {file}.", file=file.name))
    sys.stderr.write("\n")
    return NO


class _Parser(argparse.ArgumentParser):
    """argparse in the language of the program."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and how the command is used."""
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    """All verbs and their options."""
    setattr(argparse, "_", lambda text: _(text))  # noqa: B010  argparse speaks through this name
    top = _Parser(
        prog="prontuario",
        description=_("Play four wargames in the terminal, with the rule beside the map."),
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"prontuario {__version__}",
        help=_("show the version and exit"),
    )
    top.add_argument("--lingua", choices=i18n.LANGUAGES, help=_("language: it or en"))
    top.set_defaults(run=full_screen)
    verbs = top.add_subparsers(title=_("verbs"), metavar=_("verb"), parser_class=_Parser)

    def verb(name: str, run: Callable[[argparse.Namespace], Answer], help: str) -> _Parser:
        sub: _Parser = verbs.add_parser(name, help=help, description=help)
        sub.add_argument("--json", action="store_true", help=_("one JSON document"))
        sub.set_defaults(run=run)
        return sub

    verb("titoli", _headless("list_titles"), _("titles with their scenarios and sides"))
    sub = verb("valida", _headless("validate"), _("check a scenario, map or example file"))
    sub.add_argument("file", metavar="FILE")
    sub.add_argument("--titolo", metavar="SLUG", help=_("title, if the file does not name it"))
    sub = verb("replay", _headless("replay"), _("play a saved game again, line by line"))
    sub.add_argument("file", metavar="FILE")
    sub.add_argument("--verifica", action="store_true", help=_("only check, print no steps"))
    sub = verb("simula", _headless("simulate"), _("play games without a screen"))
    sub.add_argument("--titolo", required=True, metavar="SLUG", help=_("title"))
    sub.add_argument("--scenario", required=True, metavar="ID", help=_("scenario"))
    sub.add_argument("--partite", type=int, default=1, metavar="N", help=_("how many games"))
    sub.add_argument(
        "--giocatori", default="casuale", metavar="A,B", help=_("players, in order of sides")
    )
    sub.add_argument("--seme", type=int, default=1, metavar="K", help=_("seed of the first game"))
    sub.add_argument("--processi", type=int, default=1, metavar="P", help=_("processes"))
    return top


def full_screen(args: argparse.Namespace) -> int:
    """`prontuario`: the program on the whole terminal; without one, what can be done instead."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stdout.write(_("This is not a terminal, so the full screen stays closed.") + "\n")
        sys.stdout.write(_("These commands work anywhere:") + "\n\n")
        parser().print_help(sys.stdout)
        return DONE
    from app.app import ProntuarioApp

    ProntuarioApp().run()
    return DONE


def _headless(name: str) -> Callable[[argparse.Namespace], Answer]:
    """A verb of `app.headless`, imported when it runs: the way in stays short."""

    def run(args: argparse.Namespace) -> Answer:
        from app import headless

        found: Callable[[argparse.Namespace], Answer] = getattr(headless, name)
        return found(args)

    return run
