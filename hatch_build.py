"""Build hook: compiles the catalogs into the wheel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        out = Path(self.directory) / "catalogs"
        for source in sorted(Path(self.root, "locale").rglob("*.po")):
            language = source.parent.parent.name
            compiled = out / f"{language}.mo"
            compiled.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as po, compiled.open("wb") as mo:
                write_mo(mo, read_po(po, locale=language))
            where = f"app/locale/{language}/LC_MESSAGES/prontuario.mo"
            build_data["force_include"][str(compiled)] = where
