"""Which presenter shows a title: its own if it has one, else the plain one."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from app.presenters.base import GenericPresenter, Presenter
from engine.core.rules import Side
from engine.titles import TITLES


def presenter_for(slug: str) -> Presenter:
    """The presenter of a title: `PRESENTER` of its module here, or the generic one."""
    module = f"app.presenters.{slug}"
    known: type[GenericPresenter] = GenericPresenter
    if slug.isidentifier() and find_spec(module) is not None:
        known = getattr(import_module(module), "PRESENTER", GenericPresenter)
    return known(sides_of(slug))


def sides_of(slug: str) -> tuple[Side, ...]:
    """The sides of a title in the order of its scenarios, each with the same accent always."""
    title = TITLES.get(slug)
    sides = [side for info in title.scenarios() for side in info.sides] if title else []
    return tuple(dict.fromkeys(sides))
