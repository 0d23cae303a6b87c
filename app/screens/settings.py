"""The settings: how the program looks and behaves, and which keys do what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from textual.app import App
from textual.binding import BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from app.screens.keys import faults_of_keys
from app.screens.listing import ListScreen
from app.screens.themes import NAMES, THEMES
from app.shell import config
from app.shell.i18n import _, _n
from engine.core.text import N_

PACES = {
    config.AT_ONCE: N_("at once"),
    config.BY_ACTION: N_("a short stop at every outcome"),
    config.BY_STEP: N_("step by step"),
}


def pace_of(settings: config.Settings) -> str:
    """How fast the table goes on; an unknown word of the file is the usual pace."""
    if settings.is_stepwise:
        return config.BY_STEP
    return settings.pace if settings.pace in PACES else config.BY_ACTION


class SettingsScreen(ListScreen):
    """Enter changes a setting; the keys have a screen of their own."""

    heading = _("Settings")
    when_empty = ""

    @property
    def settings(self) -> config.Settings:
        """What is set now."""
        found: config.Settings = getattr(self.app, "settings", config.Settings())
        return found

    def rows(self) -> list[tuple[str, str]]:
        """A row for each setting, then what is wrong with the file."""
        now = self.settings
        yes = {True: _("yes"), False: _("no")}
        changed = _n("{n} changed", "{n} changed", n=len(now.keys)) if now.keys else _("as usual")
        found = [
            ("theme", _("Theme") + f": {_(NAMES.get(self.app.theme, self.app.theme))}"),
            ("ascii", _("Plain characters only (ASCII)") + f": {yes[now.ascii]}"),
            ("motion", _("Changed hexes light up for a moment") + f": {yes[now.motion]}"),
            ("forced", _("Give by itself the only possible answer") + f": {yes[now.forced]}"),
            (
                "warned",
                _("Ask before a phase is ended while units can act") + f": {yes[now.warned]}",
            ),
            ("pace", _("Pace") + f": {_(PACES[pace_of(now)])}"),
            ("keys", _("Keys of the table") + f": {changed} ▸"),
        ]
        found += [(f"fault-{n}", f"! {fault}") for n, fault in enumerate(self._faults())]
        return found

    def _faults(self) -> list[str]:
        reading = config.read()
        return [*reading.faults, *faults_of(reading.settings, self.app.BINDINGS)]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the chosen setting."""
        chosen, at = str(event.option.id), event.option_index
        if chosen == "keys":
            from app.screens.key_settings import open_keys

            open_keys(self.app)
            return
        if chosen == "theme":
            self.call_later(self.app.run_action, "theme_next")
            changed = self.settings
        elif chosen == "pace":
            paces = list(PACES)
            following = paces[(paces.index(pace_of(self.settings)) + 1) % len(paces)]
            changed = msgspec.structs.replace(self.settings, pace=following, steps=False)
        elif chosen in ("ascii", "forced", "motion", "warned"):
            value = not getattr(self.settings, chosen)
            changed = msgspec.structs.replace(self.settings, **{chosen: value})
        else:
            return
        if chosen != "theme":
            setattr(self.app, "settings", changed)  # noqa: B010  the app of a test may have none
            config.save(changed, self._warn)
        self.call_later(self._again, at)

    def on_screen_resume(self) -> None:
        """The keys may have been changed."""
        listing = self.query_one("#listing", OptionList)
        if listing.option_count:
            self._again(listing.highlighted or 0)

    def _warn(self, sentence: str) -> None:
        self.notify(sentence, severity="warning", timeout=20, markup=False)

    def _again(self, at: int) -> None:
        """Fill the list anew: a change may have mended a fault."""
        listing = self.query_one("#listing", OptionList)
        listing.clear_options()
        listing.add_options(Option(text, id=key) for key, text in self.rows())
        listing.highlighted = at


def faults_of(settings: config.Settings, everywhere: Sequence[BindingType]) -> list[str]:
    """What the screens cannot do with the settings: themes, actions and keys that are not there.

    `everywhere` are the keys of the program itself.
    """
    faults = []
    themes = [theme.name for theme in THEMES]
    if settings.theme not in themes:
        faults.append(_("$.theme: there is no theme {name}. Themes: {known}.",
                        name=settings.theme, known=", ".join(themes)))  # fmt: skip
    if settings.keys:
        from app.screens.play import PlayScreen  # settings without keys open no table

        faults += faults_of_keys(settings.keys, (*everywhere, *PlayScreen.BINDINGS))
    return faults


def open_settings(app: App[Any]) -> None:
    """Open the screen."""
    app.push_screen(SettingsScreen())
