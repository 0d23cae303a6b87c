"""What lies over the map now, in words: costs, chances, outlines, sheets and lines of sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.presenters.base import Presenter
from app.shell.i18n import _
from engine.core.title import Layer, Overlay, Sight


class Key(NamedTuple):
    """A sign of the map and what it means; `kind` says how it is drawn."""

    kind: str
    sign: str
    words: str


def legend(
    presenter: Presenter,
    overlays: Iterable[Overlay],
    layer: Layer | None,
    sight: Sight | None,
    has_chances: bool,
) -> tuple[Key, ...]:
    """The keys of what is shown: what the person asked for first, then what the question shows."""
    found: list[Key] = []
    if sight is not None:
        found += _of_sight(sight)
    if layer is not None:
        found += _of_layer(presenter, layer)
    for overlay in overlays:
        if overlay.hexes and overlay.id in ("reach", "range"):
            sign = min(overlay.hexes.values()) if overlay.id == "reach" else ""
            found.append(Key(overlay.id, sign, presenter.say(overlay.msg)))
    if has_chances:
        found.append(Key("chance", "%", _("chance of an effect")))
    return tuple(found)


def _of_sight(sight: Sight) -> Iterator[Key]:
    yield Key("sight", "", _("line of sight"))
    if sight.clear is not True:
        yield Key("beyond", "", _("beyond what stops it") if sight.blocked_by else _("not known"))
    if sight.blocked_by is not None:
        yield Key("block", "", _("stops the line"))


def _of_layer(presenter: Presenter, layer: Layer) -> Sequence[Key]:
    kind = "control" if layer.id == "control" else "sheet"
    words = presenter.say(layer.msg)
    hexes = layer.hexes()
    if not hexes:
        return [Key(kind, "", _("{what}: nothing to show now", what=words))]
    if kind == "control":
        return [Key(kind, "", words)]
    texts = "\n".join(hexes.values())
    keys = [(sign, said) for sign, said in presenter.layer_keys(layer.id) if sign in texts]
    sample = "" if keys else next(iter(texts.split()), "▴")
    return [Key(kind, sample, words), *[Key(kind, sign, said) for sign, said in keys]]
