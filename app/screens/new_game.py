"""A new game: title and scenario, who plays, which rules, which dice."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Checkbox, Footer, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from app.play.dice_words import no_dice, only_dice
from app.play.discretion import HUMAN, REMOTE
from app.play.session import Session, default_seats
from app.play.tutorial import tutorial_for
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from app.shell.i18n import _, _n, say
from app.widgets.hex_geometry import OVERVIEW
from app.widgets.hexmap import HexMap
from app.widgets.picker import Picker
from app.widgets.steady import Steady
from engine import titles
from engine.core.title import ScenarioInfo, Title
from engine.drive import RANDOM
from engine.saves.lines import SaveError

WIDE = 100


class Tick(Checkbox):
    """A checkbox that shows without colour whether it is on."""

    BUTTON_INNER = " "

    def watch_value(self) -> None:
        """Write or rub out the mark."""
        setattr(self, "BUTTON_INNER", "X" if self.value else " ")  # noqa: B010  a class's by right
        super().watch_value()


class Preview(HexMap):
    """The map of a scenario in little; it is only looked at."""

    can_focus = False


class NewGameScreen(Steady[None]):
    """Choose a scenario on the left, the rest on the right, and begin."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", _("Back")),
        Binding("f5", "begin", _("Begin")),
    ]

    def __init__(self, slug: str = "", scenario: str = "") -> None:
        super().__init__()
        self._wanted = (slug, scenario)
        self._rows: list[tuple[str, ScenarioInfo]] = [
            (name, info) for name, title in titles.TITLES.items() for info in title.scenarios()
        ]
        self._row = 0

    def compose(self) -> ComposeResult:
        """Scenarios, their briefing, and the table to lay."""
        with Horizontal(id="new-game"):
            listing = OptionList(id="scenarios")
            listing.border_title = _("Scenarios")
            yield listing
            with VerticalScroll(id="briefing-box", can_focus=True) as box:
                box.border_title = _("Briefing")
                yield Static("", id="briefing", markup=False)
                yield Vertical(id="preview-box")
            with VerticalScroll(id="table-box") as table:
                table.border_title = _("The table")
                yield Button(_("Begin (F5)"), id="begin", variant="primary")
                yield Tick(_("Guide me step by step"), id="guided")
                note = Static(_("It begins in the middle of the action: the program has set up for "
                                "you, and the dice are fixed for the guide."), id="guided-note",
                              markup=False)  # fmt: skip
                note.display = False
                yield note
                yield Vertical(id="seats")
                yield Static("", id="post-note", markup=False)
                yield Vertical(id="switches")
                with Vertical(id="dice"):
                    yield Label(_("Seed of the dice (empty: by chance)"))
                    yield Input(id="seed", type="integer", placeholder=_("by chance"))
                    yield Tick(_("Real dice, typed in by hand"), id="real-dice")
                    yield Static("", id="dice-note", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Fill the list and mark what was asked for."""
        listing = self.query_one("#scenarios", OptionList)
        last = ""
        for slug, info in self._rows:
            if slug != last:
                name = titles.TITLES[slug].info.name
                listing.add_option(Option(name, id=f"title:{slug}", disabled=True))
                last = slug
            players = f" ({len(info.sides)})" if len(info.sides) > 2 else ""
            listing.add_option(Option(f"  {info.name}{players}", id=f"{slug}/{info.id}"))
        ids = [f"{slug}/{info.id}" for slug, info in self._rows]
        wanted = "/".join(self._wanted)
        of_title = [id for id in ids if id.startswith(f"{self._wanted[0]}/")]
        first = wanted if wanted in ids else next(iter(of_title or ids), "")
        if first:
            listing.highlighted = listing.get_option_index(first)
        listing.focus()

    def on_resize(self, _event: events.Resize) -> None:
        """Three columns, or two."""
        self.set_class(self.app.size.width < WIDE, "-narrow")

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("New game"), _(
            "Choose a scenario with the arrows; Tab goes to the seats, the optional rules and the "
            "dice; F5 or the button begins. Each side is played by a person or by the program. "
            "With a seed the same dice fall again."
        )

    @property
    def title_and_scenario(self) -> tuple[Title[Any], ScenarioInfo]:
        """What is marked in the list."""
        slug, info = self._rows[self._row]
        return titles.TITLES[slug], info

    @on(OptionList.OptionHighlighted, "#scenarios")
    async def _scenario_marked(self, event: OptionList.OptionHighlighted) -> None:
        ids = [f"{slug}/{info.id}" for slug, info in self._rows]
        if event.option.id not in ids:
            return
        self._row = ids.index(event.option.id)
        title, info = self.title_and_scenario
        presenter = presenter_for(title.info.slug)
        view = title.view(title.start(info.id, {}), info.sides[0])
        presenter.use(view)
        self.query_one("#briefing", Static).update(self._briefing(presenter, title, info))
        box = self.query_one("#preview-box", Vertical)
        await box.remove_children()
        preview = Preview(presenter, view, zoom=OVERVIEW, id="preview")
        columns, rows = view.extent
        preview.styles.width = 2 * len(columns) + 4
        preview.styles.height = len(rows) + 1
        await box.mount(preview)
        await self._lay_table(presenter, title, info)

    @on(OptionList.OptionSelected, "#scenarios")
    def _scenario_chosen(self) -> None:
        self.query_one("#begin", Button).focus()

    def _briefing(self, presenter: Presenter, title: Title[Any], info: ScenarioInfo) -> str:
        lines = [f"{title.info.name}: {info.name}", ""]
        if info.briefing:
            lines += [info.briefing, ""]
        about = presenter.briefing(info.id)
        if not about:
            lines.append(presenter.say(info.summary))
        if info.turns:
            lines.append(_n("Length: {n} turn", "Length: {n} turns", n=info.turns))
        if info.difficulty:
            lines.append(_("Difficulty: {level} of 5", level=info.difficulty))
        lines += about
        view = title.view(title.start(info.id, {}), info.sides[0])
        for side in info.sides if not about else ():
            own = [c for c in view.counters if c.side == side]
            kinds: dict[str, int] = {}
            for counter in own:
                kinds[counter.kind] = kinds.get(counter.kind, 0) + 1
            forces = ", ".join(f"{n} {presenter.name('kind', k)}" for k, n in kinds.items())
            lines.append(f"{presenter.army(side).name}: {forces}".rstrip(": "))
        lines += ["", _("Map: {name}", name=view.board.name)]
        if view.board.provenance == "ricostruito":
            lines.append(_("Reconstructed map and forces."))
        return "\n".join(lines)

    async def _lay_table(self, presenter: Presenter, title: Title[Any], info: ScenarioInfo) -> None:
        players = [
            (_("person"), HUMAN),
            *((_("program: {level}", level=_(level)), level) for level in title.levels),
            (_("program: any answer"), RANDOM),
            (_("person elsewhere, by mail"), REMOTE),
        ]
        seats = self.query_one("#seats", Vertical)
        await seats.remove_children()
        defaults = default_seats(title, info.sides)
        for number, side in enumerate(info.sides):
            await seats.mount(
                Label(presenter.army(side).name),
                Picker(players, value=defaults[side], allow_blank=False, id=f"seat-{number}"),
            )
        switches = self.query_one("#switches", Vertical)
        await switches.remove_children()
        for number, switch in enumerate(info.switches):
            values = [(presenter.value(value), value) for value in switch.values]
            await switches.mount(
                Label(presenter.say(switch.ruling.msg)),
                Picker(values, value=switch.values[0], allow_blank=False, id=f"switch-{number}"),
            )
        has_dice, real = title.info.has_dice, self.query_one("#real-dice", Checkbox)
        real.display, real.value = has_dice, real.value and has_dice
        self.query_one("#dice-note", Static).update(only_dice() if has_dice else no_dice())
        guided = self.query_one("#guided", Checkbox)
        guided.display = tutorial_for(title.info.slug, info.id) is not None
        guided.value = False

    @on(Picker.Changed)
    def _seat_changed(self) -> None:
        """By post the dice are those of the chains; what that proves and what not is said here."""
        from app.play.mail import promises

        is_by_post = any(
            picker.value == REMOTE for picker in self.query("#seats Picker").results(Picker)
        )
        self.query_one("#dice").display = not is_by_post
        note = self.query_one("#post-note", Static)
        note.display = is_by_post
        note.update("\n".join([_("A game by post:"), *(f"• {said}" for said in promises())]))

    def _chosen(self, which: str, default: str) -> str:
        """The value of a list; who is quicker than the screen that lays it gets the usual one."""
        for select in self.query(which).results(Picker):
            return str(select.value)
        return default

    @on(Button.Pressed, "#begin")
    def _pressed(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        """Begin the game as it is laid out."""
        title, info = self.title_and_scenario
        guide = tutorial_for(title.info.slug, info.id)
        if guide is not None and self.query_one("#guided", Checkbox).value:
            self._sit_down(Session.guided(title, guide))
            return
        defaults = default_seats(title, info.sides)
        seats = {
            side: self._chosen(f"#seat-{number}", defaults[side])
            for number, side in enumerate(info.sides)
        }
        options = {
            switch.id: self._chosen(f"#switch-{number}", switch.values[0])
            for number, switch in enumerate(info.switches)
        }
        typed = self.query_one("#seed", Input).value.strip()
        is_by_post = REMOTE in seats.values()
        try:
            session = Session.new(
                title,
                info.id,
                seats=seats,
                options=options,
                seed=int(typed) if typed.lstrip("-").isdigit() and not is_by_post else None,
                real_dice=self.query_one("#real-dice", Checkbox).value and not is_by_post,
            )
        except SaveError as error:
            self.notify(say(error.msg), severity="warning", timeout=12, markup=False)
            return
        self._sit_down(session)

    def _sit_down(self, session: Session) -> None:
        from app.screens.play import PlayScreen

        self.app.switch_screen(PlayScreen(session))

    @on(Checkbox.Changed, "#guided")
    def _guided_changed(self, event: Checkbox.Changed) -> None:
        """A guided game has its own seats, rules and dice."""
        for part in ("#seats", "#switches", "#dice"):
            self.query_one(part).display = not event.value
        self.query_one("#guided-note").display = event.value


def open_new_game(app: App[Any], slug: str = "", scenario: str = "") -> None:
    """Open the screen, or say that there is nothing to play."""
    if titles.TITLES:
        app.push_screen(NewGameScreen(slug, scenario))
    else:
        app.notify(_("No game is installed yet."), severity="warning")


def open_guided(app: App[Any]) -> None:
    """Choose a title, and straight into its guided game."""
    from app.screens.choice import ChoiceScreen
    from app.screens.play import PlayScreen

    names = {slug: title.info.name for slug, title in titles.TITLES.items() if tutorial_for(slug)}

    def begin(slug: str | None) -> None:
        tutorial = tutorial_for(slug) if slug is not None else None
        if slug is None or tutorial is None:
            return
        session = Session.guided(titles.TITLES[slug], tutorial)
        app.push_screen(PlayScreen(session))

    if names:
        app.push_screen(ChoiceScreen(_("Which game?"), names, next(iter(names))), begin)
    else:
        app.notify(_("No title has a guide yet."), severity="warning")
