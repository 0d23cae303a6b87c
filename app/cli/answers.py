"""What a headless verb answers: data for scripts, lines for people, an exit code."""

from __future__ import annotations

import errno
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from app.shell.i18n import _
from app.shell.paths import data_folder, is_writable, saves_folder, writable
from engine.core.text import N_

DONE, NO, USAGE, BROKEN = 0, 1, 2, 70
"""Exit codes; the last says that the program itself has failed (EX_SOFTWARE)."""


class Answer(msgspec.Struct, frozen=True):
    """The answer of a verb."""

    data: Any
    lines: tuple[str, ...]
    code: int = DONE

    def show(self, as_json: bool) -> int:
        """Print it: one JSON document, or lines for people. The exit code."""
        if as_json:
            from engine.game import encode_fraction  # the full screen starts without the engine

            plain = msgspec.to_builtins(self.data, enc_hook=encode_fraction, str_keys=True)
            text = json.dumps(plain, indent=2, ensure_ascii=False)
            try:
                text.encode(sys.stdout.encoding or "utf-8")
            except UnicodeEncodeError:  # escaped it is the same document
                text = json.dumps(plain, indent=2)
            sys.stdout.write(text + "\n")
        else:
            sys.stdout.writelines(line + "\n" for line in self.lines)
        sys.stdout.flush()
        return self.code


class Fault(Exception):
    """A request that cannot be answered: a sentence that says what to do, and an exit code."""

    def __init__(self, sentence: str, code: int = USAGE) -> None:
        super().__init__(sentence)
        self.code = code


def unknown_title(slug: str, known: list[str]) -> Fault:
    """The fault for a title that is not there."""
    if not known:
        return Fault(_("No game is installed yet."))
    return Fault(_("There is no title {slug}. Titles: {known}.", slug=slug, known=", ".join(known)))


def named_file(name: str) -> Path:
    """The file that an argument names; wrong usage where there is none to read."""
    path = Path(name)
    try:
        if path.is_file():
            return path
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:
        raise Fault(_("{file} cannot be read: {why}.", file=name, why=why(error))) from error
    if not name:
        raise Fault(_("The name of the file is missing."))
    if is_folder:
        raise Fault(_("{file} is a folder: name a file.", file=name))
    if is_there:
        raise Fault(_("{file} is not a file that can be read.", file=name))
    raise Fault(_("There is no file {file}.", file=name))


REASONS = {
    errno.ENOENT: N_("the folder or the file is not there"),
    errno.ENOTDIR: N_("a part of its path is not a folder"),
    errno.EISDIR: N_("it is a folder, not a file"),
    errno.EEXIST: N_("something else has that name"),
    errno.EACCES: N_("you have no permission"),
    errno.EPERM: N_("you have no permission"),
    errno.EROFS: N_("the disk can only be read"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EDQUOT: N_("the disk is full"),
    errno.EFBIG: N_("the file is too large"),
    errno.ENAMETOOLONG: N_("its name is too long"),
    errno.ELOOP: N_("its links lead in a circle"),
    errno.EMFILE: N_("too many files are open"),
    errno.EIO: N_("the disk does not answer"),
}


def why(error: OSError) -> str:
    """Why the system refuses a file or a folder, in words for a person."""
    said = REASONS.get(error.errno or 0)
    if said is not None:
        return _(said)
    return _("the system says {code}", code=errno.errorcode.get(error.errno or 0, str(error)))


def refused_folder() -> str:
    """What is not kept, because the user's folder cannot be written; nothing if it can be."""
    folder = data_folder()
    if is_writable(folder) and is_writable(saves_folder()):
        return ""
    return _(
        "{folder} cannot be written: notes and settings are not kept, games go to {lent}.",
        folder=folder,
        lent=writable(saves_folder()),
    )
