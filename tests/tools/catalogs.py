"""`make i18n`: bring the catalogs up to date with the code, and say what lacks a translation."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from engine.titles import TITLES

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "locale"
KEYWORDS: dict[str, object] = {"_": None, "N_": None, "NP_": (1, 2), "_n": (1, 2)}
PACKAGES = ("app", "engine", "rules_it")
COMPLETE = ("it",)


def template() -> Catalog:
    """Every message of the code, in order of files."""
    found = Catalog(project="Prontuario", fuzzy=False)
    for package in PACKAGES:
        for file, line, message, _comments, _context in extract_from_dir(
            str(ROOT / package), [("**.py", "python")], {}, KEYWORDS, ()
        ):
            context = title_of(f"{package}/{file}")
            found.add(message, locations=[(f"{package}/{file}", line)], context=context)
    return found


def title_of(file: str) -> str | None:
    """The title whose words a file speaks: they are its context in the catalogs."""
    parts = Path(file).with_suffix("").parts
    own = [parts[1]] if parts[0] == "engine" else parts[2:3] if "presenters" in parts else []
    return next((slug for slug in own if slug in TITLES), None)


def path_of(language: str) -> Path:
    """The catalog of a language."""
    return LOCALE / language / "LC_MESSAGES" / "prontuario.po"


def read(language: str) -> Catalog:
    """The catalog of a language as it stands."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language)


def missing(language: str) -> list[str]:
    """Messages without a translation, or with a doubtful one."""
    known = read(language)
    lacking = []
    for message in template():
        if not message.id:
            continue
        key = message.id[0] if isinstance(message.id, tuple) else message.id
        found = known.get(key, message.context)
        strings = found.string if found is not None else ""
        if found is None or found.fuzzy or not all([strings] if strings == "" else strings):
            lacking.append(str(key))
    return lacking


def placeholders(text: str) -> set[str]:
    """The facts that a sentence names."""
    import string

    return {name for _t, name, _f, _c in string.Formatter().parse(text) if name}


def wrong_placeholders(language: str) -> list[str]:
    """Translations that name facts which the message does not have."""
    wrong = []
    for message in read(language):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        if not message.id or "%(" in ids[0] or "%s" in ids[0]:
            continue
        allowed = set().union(*(placeholders(i) for i in ids))
        wrong += [f"{ids[0]!r}: {s!r}" for s in strings if not placeholders(s) <= allowed]
    return wrong


def write(catalog: Catalog, path: Path) -> None:
    """Write a catalog in a stable order, without dates or line numbers; each message names the
    files that say it."""
    catalog.header_comment = "# The words of Prontuario."
    catalog.project, catalog.version = "Prontuario", ""
    text = BytesIO()
    write_po(
        text, catalog, width=100, sort_by_file=False, omit_header=False, include_lineno=False,
        ignore_obsolete=True,
    )  # fmt: skip
    lines = [
        line
        for line in text.getvalue().decode().splitlines()
        if not line.startswith(
            ('"POT-Creation', '"PO-Revision', '"Last-', '"Language-Team', '"Generated', '"Report-')
        )
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def main(fragments: list[str]) -> int:
    """Update every catalog; fragments are .po files whose translations are taken over."""
    fresh = template()
    write(fresh, LOCALE / "prontuario.pot")
    for language in ("it", "en"):
        known = read(language) if path_of(language).is_file() else Catalog(locale=language)
        for fragment in fragments:
            with Path(fragment).open("rb") as file:
                for message in read_po(file, locale=language):
                    if message.id and message.string and language == "it":
                        known.delete(message.id, message.context)
                        known.add(message.id, message.string, context=message.context)
        known.update(fresh, no_fuzzy_matching=True)
        known.fuzzy = False
        write(known, path_of(language))
    lacking = {language: missing(language) for language in COMPLETE}
    for language, messages in lacking.items():
        for message in messages:
            sys.stdout.write(f"{language}: {message!r}\n")
    return 1 if any(lacking.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
