"""The settings: how the program looks and behaves, and which keys do what."""

from __future__ import annotations

from typing import Any

import msgspec
from textual.app import App
from textual.binding import Binding
from textual.widgets import OptionList

from app import config
from app.i18n import _
from app.screens.listing import ListScreen


class SettingsScreen(ListScreen):
    """Enter changes a setting; keys are changed in the file."""

    heading = _("Settings")
    when_empty = ""

    @property
    def settings(self) -> config.Settings:
        """What is set now."""
        found: config.Settings = getattr(self.app, "settings", config.Settings())
        return found

    def rows(self) -> list[tuple[str, str]]:
        """A row for each setting, then the keys of the table."""
        from app.screens.play import PlayScreen

        now = self.settings
        yes = {True: _("yes"), False: _("no")}
        found = [
            ("theme", _("Theme") + f": {self.app.theme}"),
            ("ascii", _("Plain characters only (ASCII)") + f": {yes[now.ascii]}"),
            ("forced", _("Give by itself the only possible answer") + f": {yes[now.forced]}"),
            ("steps", _("Resolutions step by step") + f": {yes[now.steps]}"),
            (
                "file",
                _("Keys: change them under tasti in {file}", file=str(config.settings_path())),
            ),
        ]
        for binding in PlayScreen.BINDINGS:
            if isinstance(binding, Binding) and binding.id:
                key = now.keys.get(binding.id, binding.key)
                found.append((binding.id, f"  {binding.id:<22} {key:<16} {binding.description}"))
        return found

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the chosen setting."""
        chosen, at = str(event.option.id), event.option_index
        if chosen == "theme":
            self.run_worker(self.app.run_action("theme_next"))
            changed = self.settings
        elif chosen in ("ascii", "forced", "steps"):
            value = not getattr(self.settings, chosen)
            changed = msgspec.structs.replace(self.settings, **{chosen: value})
        else:
            return
        if chosen != "theme":
            setattr(self.app, "settings", changed)  # noqa: B010  the app of a test may have none
            config.save(changed)
        self.call_later(self._again, at)

    def _again(self, at: int) -> None:
        listing = self.query_one("#listing", OptionList)
        for key, text in self.rows():
            listing.replace_option_prompt(key, text)
        listing.highlighted = at


def open_settings(app: App[Any]) -> None:
    """Open the screen."""
    app.push_screen(SettingsScreen())
