"""Build hook: compiles the catalogs, the rule texts and their index into the wheel."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        made = Path(tempfile.mkdtemp(prefix="prontuario-build-"))
        included = build_data["force_include"]
        for language, compiled in self._catalogs(made):
            included[str(compiled)] = f"app/locale/{language}/LC_MESSAGES/prontuario.mo"
        included[str(self._texts(made))] = "rules_it/_compiled"

    def _catalogs(self, made: Path) -> list[tuple[str, Path]]:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        found = []
        for source in sorted(Path(self.root, "locale").rglob("*.po")):
            language = source.parent.parent.name
            compiled = made / f"{language}.mo"
            with source.open("rb") as po, compiled.open("wb") as mo:
                write_mo(mo, read_po(po, locale=language))
            found.append((language, compiled))
        return found

    def _texts(self, made: Path) -> Path:
        sys.path.insert(0, self.root)
        try:
            from rules_it import build

            build.build(made / "regole")
        finally:
            sys.path.remove(self.root)
        return made / "regole"
