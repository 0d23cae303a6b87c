"""The settings: how the program looks and behaves, and which keys do what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
from textual.app import App
from textual.binding import Binding, BindingType
from textual.keys import Keys, key_to_character
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from app.screens.listing import ListScreen
from app.screens.themes import THEMES
from app.shell import config
from app.shell.i18n import _
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
            (
                "warned",
                _("Ask before a phase is ended while units can act") + f": {yes[now.warned]}",
            ),
            ("pace", _("Pace") + f": {_(PACES[pace_of(now)])}"),
            (
                "file",
                _("Keys: change them under tasti in {file}", file=str(config.settings_path())),
            ),
        ]
        found += [(f"fault-{n}", f"! {fault}") for n, fault in enumerate(self._faults())]
        for binding in PlayScreen.BINDINGS:
            if isinstance(binding, Binding) and binding.id:
                key = now.keys.get(binding.id, binding.key)
                found.append((binding.id, f"  {binding.id:<22} {key:<16} {binding.description}"))
        return found

    def _faults(self) -> list[str]:
        reading = config.read()
        return [*reading.faults, *faults_of(reading.settings, self.app.BINDINGS)]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the chosen setting."""
        chosen, at = str(event.option.id), event.option_index
        if chosen == "theme":
            self.call_later(self.app.run_action, "theme_next")
            changed = self.settings
        elif chosen == "pace":
            paces = list(PACES)
            following = paces[(paces.index(pace_of(self.settings)) + 1) % len(paces)]
            changed = msgspec.structs.replace(self.settings, pace=following, steps=False)
        elif chosen in ("ascii", "forced", "warned"):
            value = not getattr(self.settings, chosen)
            changed = msgspec.structs.replace(self.settings, **{chosen: value})
        else:
            return
        if chosen != "theme":
            setattr(self.app, "settings", changed)  # noqa: B010  the app of a test may have none
            config.save(changed, self._warn)
        self.call_later(self._again, at)

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
        faults += _faults_of_keys(settings.keys, everywhere)
    return faults


def _faults_of_keys(keys: dict[str, str], everywhere: Sequence[BindingType]) -> list[str]:
    from app.screens.play import PlayScreen  # settings without keys open no table

    bound = [one for one in (*everywhere, *PlayScreen.BINDINGS) if isinstance(one, Binding)]
    ids = {binding.id for binding in bound}
    faults = []
    for action, key in keys.items():
        path = f"{config.KEYS}.{action}"
        if action not in ids:
            faults.append(_("$.{path}: there is no such action: Settings lists them.", path=path))
        elif not all(is_key(name.strip()) for name in key.split(",")):
            faults.append(
                _('$.{path}: {value} is not a key: write its name, such as "w" or "ctrl+z".',
                  path=path, value=f'"{key}"')
            )  # fmt: skip
    holders: dict[str, dict[str, None]] = {}
    for binding in bound:
        key = keys.get(binding.id or "") or binding.key
        for single in Binding.make_bindings([replace(binding, key=key)]):
            name = binding.id or binding.description or _("the answers")
            holders.setdefault(single.key, {})[name] = None
    faults += [
        _("The key {key} is given to more than one action: {actions}. Change one.",
          key=key, actions=", ".join(names))
        for key, names in holders.items() if len(names) > 1
    ]  # fmt: skip
    return faults


def is_key(name: str) -> bool:
    """Whether a key has that name: a character, or a name that Textual knows."""
    *modifiers, last = [name] if len(name) == 1 else name.split("+")
    if not set(modifiers) <= {"ctrl", "shift", "alt"}:
        return False
    return last in {key.value for key in Keys} or key_to_character(last) is not None


def open_settings(app: App[Any]) -> None:
    """Open the screen."""
    app.push_screen(SettingsScreen())
