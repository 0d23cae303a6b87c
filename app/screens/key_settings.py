"""Which key does what: every action of the table, and the key that one presses to change it."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from app.screens.keys import (
    Clash,
    as_kept,
    clash_of,
    group_of,
    name_of,
    named,
    place_of,
    shown,
)
from app.screens.play import PlayScreen
from app.shell import config
from app.shell.i18n import _
from app.widgets.steady import Steady


def bindings_of(app: App[Any]) -> list[BindingType]:
    """All keys of the table and of the program."""
    return [*app.BINDINGS, *PlayScreen.BINDINGS]


class KeyScreen(ModalScreen[str | None], Steady[str | None]):
    """Waits for the new key of an action. One that another action has is told first: Enter lets
    the two change places, any other key is tried instead."""

    CSS = """
    KeyScreen { align: center middle; background: $background 70%; }
    KeyScreen > Vertical {
        width: 64; max-width: 95%; height: auto; border: round $accent;
        border-title-color: $accent; background: $surface; padding: 1 2;
    }
    #clash { color: $warning; margin-top: 1; }
    """

    def __init__(self, action: str, name: str, now: str, keys: dict[str, str]) -> None:
        super().__init__()
        self._action = action
        self._title_of = name
        self._key_now = now
        self._keys = keys
        self._clash: Clash | None = None

    def compose(self) -> ComposeResult:
        """What is waited for."""
        with Vertical() as box:
            box.border_title = self._title_of
            box.border_subtitle = _("Esc leaves it as it is")
            yield Static(_("Now: {key}. Press the new key.", key=self._key_now), markup=False)
            yield Static("", id="clash", markup=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return self._title_of, _("Press the key that this action is to have, or Esc.")

    def on_key(self, event: events.Key) -> None:
        """Take the key, or tell who has it."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
        elif event.key == "enter" and self._clash is not None and self._clash.action:
            self.dismiss(self._clash.key)
        else:
            key = event.key if len(event.key) > 1 else event.key.lower()
            self._clash = clash_of(bindings_of(self.app), self._keys, self._action, key)
            if self._clash is None:
                self.dismiss(key)
            else:
                self._tell(self._clash)

    def _tell(self, clash: Clash) -> None:
        key = self.app.get_key_display(Binding(clash.key, ""))
        said = _("{key} belongs to: {holder}.", key=key, holder=clash.holder)
        if clash.action:
            what = _("Enter lets the two change places; another key leaves it alone.")
        else:
            what = _("It cannot be given away: press another key.")
        self.query_one("#clash", Static).update(f"{said}\n{what}")


class KeySettingsScreen(Steady[None]):
    """The actions, each with its key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", _("Back")),
        Binding("delete,backspace", "reset", _("Usual key"), key_display=_("Del")),
        Binding("f8", "reset_all", _("All as usual")),
    ]

    def compose(self) -> ComposeResult:
        """The list."""
        listing = OptionList(id="listing", markup=False)
        listing.border_title = _("Keys")
        listing.border_subtitle = _("Enter changes a key, Del gives the usual one back")
        yield listing
        yield Footer()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Keys"), _(
            "Every action of the table with its key. Enter asks for a new key: if another action "
            "has it, you are told before anything changes. Del gives an action its usual key back, "
            "F8 all of them. The keys are kept with the settings."
        )

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()
        self.query_one(OptionList).focus()

    @property
    def _keys(self) -> dict[str, str]:
        settings: config.Settings = getattr(self.app, "settings", config.Settings())
        return dict(settings.keys)

    def _fill(self) -> None:
        listing = self.query_one(OptionList)
        at = listing.highlighted
        listing.clear_options()
        keys, last = self._keys, ""
        bindings = sorted(named(bindings_of(self.app)), key=lambda one: place_of(one.id or ""))
        for binding in bindings:
            action = binding.id or ""
            if group_of(action) != last:
                last = group_of(action)
                listing.add_option(Option(Text(_(last), style="bold"), disabled=True))
            row = Text(f"  {shown(self.app, binding, keys):<12}", style="bold")
            row.append(name_of(binding), "not bold")
            if action in keys:
                usual = shown(self.app, binding, {})
                row.append("  " + _("(usually {key})", key=usual), "not bold dim")
            listing.add_option(Option(row, id=action))
        listing.highlighted = 1 if at is None else at

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the new key."""
        action = str(event.option.id)
        binding = self._binding(action)
        now = shown(self.app, binding, self._keys)
        screen = KeyScreen(action, name_of(binding), now, self._keys)
        self.app.push_screen(screen, lambda key: self._take(action, key))

    def _binding(self, action: str) -> Binding:
        return next(one for one in named(bindings_of(self.app)) if one.id == action)

    def _take(self, action: str, key: str | None) -> None:
        if key is None:
            return
        keys = self._keys
        clash = clash_of(bindings_of(self.app), keys, action, key)
        if clash is not None and clash.action:
            keys[clash.action] = keys.get(action) or self._binding(action).key
        keys[action] = as_kept(key)
        self._keep(keys)

    def action_reset(self) -> None:
        """Give the marked action its usual key back."""
        option = self.query_one(OptionList).highlighted_option
        action = str(option.id) if option is not None and option.id else ""
        keys = self._keys
        if action not in keys:
            self.notify(_("This is the usual key."), markup=False)
            return
        del keys[action]
        usual = next(iter(Binding.make_bindings([self._binding(action)]))).key
        clash = clash_of(bindings_of(self.app), keys, action, usual)
        if clash is not None and clash.action in keys:  # they had changed places
            del keys[clash.action]
        self._keep(keys)

    def action_reset_all(self) -> None:
        """Give every action its usual key back."""
        self._keep({})
        self.notify(_("All keys are as usual."), markup=False)

    def _keep(self, keys: dict[str, str]) -> None:
        """Use the keys from now on, and remember them."""
        usual = {binding.id: binding.key for binding in named(bindings_of(self.app))}
        changed = {action: key for action, key in keys.items() if usual.get(action) != key}
        settings: config.Settings = getattr(self.app, "settings", config.Settings())
        settings = msgspec.structs.replace(settings, keys=changed)
        setattr(self.app, "settings", settings)  # noqa: B010  the app of a test may have none
        config.save(settings, lambda said: self.notify(said, severity="warning", markup=False))
        self.app.set_keymap(changed)
        self._fill()


def open_keys(app: App[Any]) -> None:
    """Open the screen."""
    app.push_screen(KeySettingsScreen())
