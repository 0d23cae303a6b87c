"""The keys of the table: how they are grouped, who has which, and what happens when one moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from textual.app import App
from textual.binding import Binding, BindingType
from textual.keys import Keys, key_to_character
from textual.screen import Screen

from app.shell.config import KEYS
from app.shell.i18n import _
from engine.core.text import N_

GROUPS: dict[str, tuple[str, ...]] = {
    N_("Playing"): (
        "tavolo.cosa-posso",
        "tavolo.posso",
        "tavolo.vietate",
        "tavolo.gruppo",
        "tavolo.pila",
        "tavolo.stesso-ordine",
        "tavolo.piazza-tutto",
        "tavolo.come-prima",
        "tavolo.numeri-avanti",
        "tavolo.numeri-indietro",
        "tavolo.consiglio",
        "tavolo.delega",
        "tavolo.annulla",
        "tavolo.ripeti",
        "tavolo.studio",
    ),
    N_("Looking"): (
        "tavolo.esagono",
        "tavolo.forze",
        "tavolo.probabilita",
        "tavolo.schede",
        "tavolo.pannello",
        "tavolo.salta",
    ),
    N_("Rules"): ("tavolo.regola", "tavolo.righe", "tavolo.cerca"),
    N_("The past"): (
        "tavolo.risoluzione",
        "tavolo.indietro",
        "tavolo.passo",
        "tavolo.presente",
        "tavolo.passo-passo",
    ),
    N_("Map"): ("tavolo.visuale", "tavolo.strati", "tavolo.zoom"),
    N_("The guide"): (
        "tavolo.guida-regola",
        "tavolo.guida-avanti",
        "tavolo.guida-indietro",
        "tavolo.guida-fine",
    ),
    N_("The game"): ("tavolo.menu", "prontuario.aiuto", "prontuario.comandi", "prontuario.esci"),
}
"""The actions by what they are for, by the names that the settings file uses."""
OTHER = N_("More")
FIXED = ("enter", "tab", "shift+tab", "up", "down", "left", "right", "escape")
"""Keys that every list and the map need."""
TAKEN = {
    "full_stop": N_("the map"),
    "comma": N_("the map"),
    "plus": N_("the map"),
    "equals_sign": N_("the map"),
    "minus": N_("the map"),
    "semicolon": N_("the map"),
    "b": N_("the rule"),
}
"""Keys that a pane needs while it has the focus."""


class Clash(msgspec.Struct, frozen=True):
    """Who has a key already: an action that can take another one in exchange, or none that can."""

    key: str
    holder: str
    action: str = ""


def named(bindings: Iterable[BindingType]) -> list[Binding]:
    """The bindings that have names."""
    return [one for one in bindings if isinstance(one, Binding) and one.id]


def group_of(action: str) -> str:
    """What an action is for."""
    return next((group for group, ids in GROUPS.items() if action in ids), OTHER)


def place_of(action: str) -> tuple[int, int]:
    """Where an action stands in the lists: its group, and its place there."""
    groups = list(GROUPS)
    group = group_of(action)
    if group == OTHER:
        return len(groups), 0
    return groups.index(group), GROUPS[group].index(action)


def shown(app: App[Any], binding: Binding, keys: Mapping[str, str]) -> str:
    """The key of a binding, as the footer names it, under the user's keys."""
    own = keys.get(binding.id or "")
    first = next(iter(_singles(replace(binding, key=own, key_display=None) if own else binding)))
    return app.get_key_display(first)


def key_of(screen: Screen[Any], action: str) -> str:
    """The key of a named action of a screen, as it is now."""
    settings = getattr(screen.app, "settings", None)
    keys: Mapping[str, str] = settings.keys if settings is not None else {}
    for binding in named((*screen.BINDINGS, *screen.app.BINDINGS)):
        if binding.id == action:
            return shown(screen.app, binding, keys)
    return ""


def as_kept(key: str) -> str:
    """A key as the settings keep it: a letter answers with Shift too."""
    return f"{key},{key.upper()}" if len(key) == 1 and key.isalpha() else key


def name_of(binding: Binding) -> str:
    """An action in words."""
    return binding.tooltip or binding.description


def clash_of(
    bindings: Iterable[BindingType], keys: Mapping[str, str], action: str, key: str
) -> Clash | None:
    """Who of these has a key that is wanted for an action; None if it is free."""
    if key in FIXED:
        return Clash(key, _("lists and map"))
    if key in TAKEN:
        return Clash(key, _(TAKEN[key]))
    for binding in (one for one in bindings if isinstance(one, Binding)):
        held = keys.get(binding.id or "") or binding.key
        names = [one.key for one in _singles(replace(binding, key=held))]
        if key.lower() in [name.lower() for name in names] and binding.id != action:
            return Clash(key, name_of(binding) or _("the answers"), binding.id or "")
    return None


def _singles(binding: Binding) -> list[Binding]:
    return list(Binding.make_bindings([binding]))


def faults_of_keys(keys: Mapping[str, str], bindings: Iterable[BindingType]) -> list[str]:
    """What is wrong with the user's keys: actions and keys that are not there, keys given twice."""
    bound = [one for one in bindings if isinstance(one, Binding)]
    ids = {binding.id for binding in bound}
    faults = []
    for action, key in keys.items():
        path = f"{KEYS}.{action}"
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
        for single in _singles(replace(binding, key=key)):
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
