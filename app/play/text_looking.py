"""The table in plain lines: what lies where, what is seen and reached, what has happened and why.

For whoever does not look at the map. All of it is asked of the `Table`, which decides what the one
who looks may know; nothing here reads a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.play.chronicle import Action
from app.play.citing import Quote
from app.play.table import HexCard, Table
from app.play.telling import Told
from app.play.walk import cost_of
from app.play.why import Kind, Row
from app.shell.i18n import _, _n, catalog
from engine.core.hexes import Hex
from engine.core.rules import BY_HAND, Roll, Ruling, Step
from engine.core.title import Layer, Overlay, Sight
from engine.core.view import CounterView, View

MOST_ACTIONS = 12
"""Actions that are told step by step at once."""


# --- where everything is ----------------------------------------------------------------------


def hex_named(view: View, label: str) -> Hex | None:
    """The hex or the place beside the map that somebody names, in whatever letters."""
    for one in (label.upper(), label, label.lower()):
        try:
            hex = view.hex_at(one)
        except ValueError:
            continue
        return hex if hex in view else None
    return None


def whole(table: Table) -> Iterator[str]:
    """Everything on the table: where the game stands, tracks, units, marks."""
    view, names = table.view, table.presenter
    yield " · ".join(table.headline())
    for track in view.tracks:
        last = f"/{track.last}" if track.last is not None else ""
        whose = f" ({names.army(track.side).name})" if track.side else ""
        yield f"  {names.say(track.name)}{whose}: {track.value}{last}"
    for counter in view.counters:
        yield f"  {counter_line(table, counter)}"
    yield from marks(table)


def marks(table: Table) -> Iterator[str]:
    """What lies on hexes and is no counter, each kind with its hexes."""
    names, found = table.presenter, dict[str, list[str]]()
    for label, here in table.view.marks.items():
        for mark in here:
            whose = f" ({names.army(mark.side).name})" if mark.side else ""
            words = f"{names.name('mark', mark.kind)}{whose} {mark.text}".rstrip()
            found.setdefault(words, []).append(label)
    for words, where in found.items():
        yield f"  {words}: {', '.join(sorted(where, key=_in_order))}"


def forces(table: Table) -> Iterator[str]:
    """What a title keeps beside the map."""
    panels = table.presenter.panels(table.view)
    for panel in panels:
        yield f"{panel.heading}:"
        for line in panel.lines:
            yield f"  {line}"
    if not panels:
        yield _("This title keeps nothing beside the map.")


def counter_line(table: Table, counter: CounterView) -> str:
    """A counter in one line: where, what, whose, its values and states."""
    names = table.presenter
    where = names.where(table.view, counter) or _("off the map")
    name, about = names.name("unit", counter.id), names.detail(counter)
    army = names.army(counter.side).name if counter.side else ""
    whose = f" ({army})" if army and army not in name else ""
    return f"{where}: {name}{whose}" + (f", {about}" if about else "")


def units(table: Table, words: str) -> list[str]:
    """The units by where they stand; those alone whose line has some words, with all of them."""
    counters = sorted(table.view.counters, key=lambda one: one.side != table.seat)
    lines = [(counter, counter_line(table, counter)) for counter in counters]
    if not words:
        return [f"  {line}" for _counter, line in lines] or [_("No unit is on the table.")]
    wanted = words.casefold().split()
    found = [(c, li) for c, li in lines if all(word in li.casefold() for word in wanted)]
    told = []
    for counter, line in found:
        told.append(f"  {line}")
        told += [f"    {one}" for one in values(table, counter)]
    return told or [_("No unit that you can see is called «{words}».", words=words)]


def values(table: Table, counter: CounterView) -> list[str]:
    """All that is known of a counter on the map, as its card has it."""
    if counter.hex is None:
        return []
    name = table.presenter.name("unit", counter.id)
    cards = table.presenter.units(table.view, counter.hex)
    about = table.presenter.detail(counter)
    return [line for card in cards if card.name == name for line in card.lines if line not in about]


def card_lines(card: HexCard) -> Iterator[str]:
    """The card of a hex: ground, units, what can be answered there, what the rules say."""
    yield card.heading
    for line in card.lines:
        yield f"  {line}"
    for unit in card.units:
        whose = f" ({unit.whose})" if unit.whose and unit.whose not in unit.name else ""
        yield f"  {unit.name}{whose}:"
        for line in unit.lines:
            yield f"    {line}"
    if card.answers:
        yield "  " + _("What you may answer here") + ":"
        for answer in card.answers:
            yield f"    {answer}"
    if card.rules:
        yield "  " + _("What the rules say of it") + ":"
        for said, cite in card.rules:
            yield f"    {said}  [{cite}]"


def ground(table: Table) -> Iterator[str]:
    """The map in words: each kind of ground, height, hexside and line with its hexes."""
    board, names = table.view.board, table.presenter
    by_kind: dict[str, list[Hex]] = {}
    for hex in board.hexes():
        by_kind.setdefault(names.name("terrain", board.terrain(hex)), []).append(hex)
        height = board.elevations.get(hex, 0)
        if height:
            by_kind.setdefault(_("level {n}", n=height), []).append(hex)
        for name in board.markers_at(hex):
            by_kind.setdefault(names.name("feature", name), []).append(hex)
    most = max(by_kind, key=lambda kind: len(by_kind[kind]), default="")
    for kind, hexes in by_kind.items():
        said = _("all the others") if kind == most else labels(table.view, hexes)
        yield f"  {kind}: {said}"
    for edges in (board.roads, board.sides):
        by_name: dict[str, list[str]] = {}
        for edge, features in edges.items():
            between = "-".join(sorted(board.label(hex) for hex in edge if hex in board))
            for name in features:
                by_name.setdefault(names.name("feature", name), []).append(between)
        for feature, places in by_name.items():
            yield f"  {feature}: {', '.join(sorted(places, key=_in_order))}"


def labels(view: View, hexes: Iterable[Hex]) -> str:
    """Hexes by their printed names, in the order in which one looks for them."""
    return ", ".join(sorted((view.label(hex) for hex in hexes), key=_in_order))


def _in_order(label: str) -> tuple[str, int]:
    """A2 comes before A10."""
    letters = label.rstrip("0123456789")
    number = label[len(letters) :]
    return letters, int(number or 0)


# --- what is seen and reached -----------------------------------------------------------------


def sight_words(seen: Sight) -> str:
    """Whether a line of sight is free."""
    words = {True: _("clear"), False: _("blocked"), None: _("not to be known yet")}[seen.clear]
    return _("Sight: {what}.", what=words)


def seen_from(table: Table, hex: Hex) -> tuple[list[str], tuple[Ruling, ...]]:
    """What is seen from a hex, units first; where the rules forbid to know it, that and why."""
    view, board = table.view, table.view.board
    clear, blocked = list[Hex](), list[Hex]()
    for other in board.hexes():
        seen = table.sight(hex, other) if other != hex else None
        if other != hex and seen is None:
            return [table.presenter.no_sight], ()
        if seen is not None and seen.clear is None:
            return [sight_words(seen)], seen.rulings
        if seen is not None:
            (clear if seen.clear else blocked).append(other)
    lines = [_n("From {hex} {n} hex is in sight.", "From {hex} {n} hexes are in sight.",
                n=len(clear), hex=view.label(hex))]  # fmt: skip
    for heading, hexes in ((_("Units in sight:"), clear), (_("Units out of sight:"), blocked)):
        there = [c for c in view.counters if c.hex in hexes and c.side != table.seat]
        lines += [heading, *[f"  {counter_line(table, c)}" for c in there]] if there else []
    if clear and len(clear) <= len(blocked):
        lines.append(_("Hexes in sight: {hexes}.", hexes=labels(view, clear)))
    elif blocked:
        lines.append(_("Hexes out of sight: {hexes}.", hexes=labels(view, blocked)))
    return lines, ()


def reach(table: Table, overlays: Iterable[Overlay]) -> list[str]:
    """What the map tints at a question, in words: hexes by what it costs to go there."""
    lines = []
    for overlay in overlays:
        if overlay.hexes and overlay.id in ("reach", "range", "targets"):
            lines.append(f"{_sentence(table.presenter.say(overlay.msg))}:")
            lines += [f"  {line}" for line in _by_text(table, overlay)]
    return lines or [_("This question is not about who reaches what: first choose a unit and what "
                       "it does.")]  # fmt: skip


def _by_text(table: Table, overlay: Overlay) -> Iterator[str]:
    groups = grouped(overlay.hexes)
    for text in sorted(groups, key=lambda one: (cost_of(one), one)):
        named = labels(table.view, groups[text])
        said = table.presenter.name(overlay.id, text)
        cost = _("cost {n}", n=said) if overlay.id == "reach" else said
        yield f"{cost}: {named}" if text else named


def grouped(hexes: Mapping[Hex, str]) -> dict[str, list[Hex]]:
    """Hexes by the text that they bear."""
    found: dict[str, list[Hex]] = {}
    for hex, text in hexes.items():
        found.setdefault(" ".join(text.split()), []).append(hex)
    return found


def layers(table: Table) -> list[str]:
    """What can be laid over the map, by number."""
    said = [_sentence(table.presenter.say(layer.msg)) for layer in table.layers()]
    lines = [f"  k {number}: {words}" for number, words in enumerate(said, start=1)]
    return lines or [_("This title has nothing to lay over the map.")]


def layer_lines(table: Table, layer: Layer) -> list[str]:
    """A sheet in words: the hexes by what stands on them."""
    names, hexes = table.presenter, layer.hexes()
    what = _sentence(names.say(layer.msg))
    if not hexes:
        return [_("{what}: nothing to show now", what=what)]
    lines = [f"{what}:"]
    keys = dict(names.layer_keys(layer.id))
    for text, found in sorted(grouped(hexes).items()):
        said = names.army(text).name if layer.id == "control" and text else _spoken(text, keys)
        named = labels(table.view, found)
        lines.append(f"  {said}: {named}" if said else f"  {named}")
    return lines


def _spoken(text: str, keys: Mapping[str, str]) -> str:
    """What stands on a hex, its signs in words."""
    signs = "|".join(map(re.escape, sorted(keys, key=len, reverse=True)))
    said = re.sub(signs, lambda sign: f"{keys[sign.group()]} ", text) if keys else text
    return " ".join(said.split())


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# --- what has happened ------------------------------------------------------------------------


def happened(table: Table, quote: Quote) -> list[str]:
    """What came of the reader's last answer, and what others have done since, step by step with
    the words of the rules."""
    actions = table.chronicle.actions
    loud = [action for action in actions if not action.is_quiet]
    own = [place for place, one in enumerate(loud) if one.side == table.seat]
    since = loud[own[-1] :] if own else loud[-1:]
    told = set[str]()
    lines = []
    left = len(since) - MOST_ACTIONS
    for action in since[-MOST_ACTIONS:]:
        lines += action_lines(table, action, quote, told)
    if left > 0:
        lines.insert(0, _n("({n} action before these: e {all} lists them all)",
                           "({n} actions before these: e {all} lists them all)",
                           n=left, all=len(since)))  # fmt: skip
    return lines or [_("Nothing has happened yet.")]


def action_lines(table: Table, action: Action, quote: Quote, told: set[str]) -> list[str]:
    """An action: what came of it, its steps, and the words of the rules, each once."""
    lines = [_heading(table, action)]
    for line in table.chronicle.lines[action.first : action.end]:
        lines.append(f"  {step_text(line.step, line.words)}")
        for words in quote(line.step.ruling):
            if words not in told:
                told.add(words)
                lines.append(f"      «{words}»")
    return lines


def last_actions(table: Table, count: int) -> list[str]:
    """The last actions, each in a line, with the number by which it is looked at."""
    actions = [action for action in table.chronicle.actions if not action.is_quiet][-count:]
    told = [f"  {_heading(table, action)}" for action in actions]
    return told or [_("Nothing has happened yet.")]


def _heading(table: Table, action: Action) -> str:
    who = f"{table.presenter.army(action.side).name}: " if action.side else ""
    summary = table.chronicle.summary(action)
    return _("Line {n}", n=action.first + 1) + f". {who}{summary}"


def moment(table: Table, quote: Quote) -> list[str]:
    """The step that is looked at in the past, with what it applied."""
    assert table.at is not None
    line = table.lines[table.at]
    said = [_("In the past, line {place} of {of}. «presente» comes back.",
              place=table.at + 1, of=len(table.lines))]  # fmt: skip
    turn = table.presenter.turn(table.view)
    said += [f"  {turn}"] if turn else []
    said.append(f"  {step_text(line.step, line.words)}")
    return [*said, *[f"      «{words}»" for words in quote(line.step.ruling)]]


def citing(table: Table, ref: str) -> list[str]:
    """The lines of the game that applied a rule."""
    found = [(n, line) for n, line in enumerate(table.lines, start=1)
             if ref in line.step.ruling.refs]  # fmt: skip
    head = _n("{n} line of this game applied it.", "{n} lines of this game applied it.",
              n=len(found))  # fmt: skip
    return [head, *[f"  {_numbered(n, line)}" for n, line in found]]


def _numbered(number: int, line: Told) -> str:
    return _("Line {n}", n=number) + f". {line.words}"


def row_text(row: Row) -> str:
    """A row of the why of chances as one line of text, its rule at the end."""
    said = row.said if row.share is None else f"{catalog().percent(row.share)}: {row.said}"
    if row.kind is Kind.QUOTE:
        return f"      «{said}»"
    number = f" {row.number}" if row.number else ""
    ref = f"  [{row.ruling.refs[0]}]" if row.ruling is not None else ""
    return f"{'  ' if row.kind is Kind.HEAD else '    '}{said}{number}{ref}"


def step_text(step: Step, words: str) -> str:
    """A step as one line of text, its rules at the end."""
    parts = [words]
    if isinstance(step.chance, Roll):
        typed = _("real dice:") if step.chance.source == BY_HAND else ""
        faces = " ".join(filter(None, [typed, *map(str, step.chance.faces)]))
        parts.append(f"[{faces}]")
    if step.tally is not None:
        line = step.tally
        sign = line.operation if line.operation != "+" or line.value < 0 else "+"
        value = str(line.value) if line.value < 0 else f"{sign}{line.value}"
        parts.append(f"{value} = {line.total}")
    return f"{'  ' * step.depth}{' '.join(parts)}  [{step.ruling.refs[0]}]"


# --- the guide --------------------------------------------------------------------------------


def lesson(table: Table) -> Sequence[str]:
    """The lesson of the guide: where it stands, its text, what is to be done, what it proposes."""
    guide = table.guide
    if guide is None:
        return [_("This game has no guide.")]
    shown = guide.lesson
    if shown is None:
        return [_("The guide is closed: «guida apri» opens it again.")]
    todo = shown.todo
    if guide.is_ahead:
        todo = _("When you come to it: {todo}", todo=todo)
    elif guide.is_done:
        todo = _("Done: {todo}", todo=todo)
    lines = [_("Guide {place}", place=guide.place), f"  {shown.text}", f"  → {todo}"]
    question, proposed = table.question, table.proposed
    if question is not None and proposed is not None:
        place = [option.id for option in question.options].index(proposed) + 1
        words = table.presenter.answer(proposed, question.options[place - 1].msg)
        lines.append("  " + _("The guide proposes: {n}. {answer}", n=place, answer=words))
    elif table.is_astray:
        lines.append("  " + _("You have gone another way: u comes back."))
    return lines
