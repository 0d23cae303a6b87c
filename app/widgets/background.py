"""Work whose fault ends nothing: the panel that it concerns says so, and a file has the details.

Every worker and every thread of a screen goes through here; a house test finds those that do not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from threading import Thread
from typing import Any, Literal, ParamSpec, TypeAlias, cast

from textual import work
from textual.worker import NoActiveWorker, get_current_worker

from app.shell import breakdown
from app.shell.i18n import _
from app.widgets.later import later

P = ParamSpec("P")
Where: TypeAlias = Literal["loop", "thread", "daemon"]
"""Beside the screen's own work, in a thread, or in one that nobody waits for at the end."""


def careful(what: str, tell: str) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """A method of a widget that handles `Later`: should it fail, the method named `tell` gets a
    sentence, `what` with where the details are, and the arguments of the one that failed."""

    def wrap(do: Callable[P, Any]) -> Callable[P, Any]:
        def fail(error: Exception, *given: Any) -> None:
            widget, *arguments = given
            said = breakdown.said(_(what), error, getattr(widget, "game", None))
            if not _is_cancelled():
                later(widget, getattr(widget, tell), said, *arguments)

        @wraps(do)
        async def awaited(*given: P.args, **named: P.kwargs) -> None:
            try:
                await do(*given, **named)
            except Exception as error:  # noqa: BLE001  whatever it is, the screen stays
                fail(error, *given)

        @wraps(do)
        def called(*given: P.args, **named: P.kwargs) -> None:
            try:
                do(*given, **named)
            except Exception as error:  # noqa: BLE001  whatever it is, the screen stays
                fail(error, *given)

        return awaited if iscoroutinefunction(do) else called

    return wrap


def background(
    what: str, tell: str, where: Where = "loop", *, exclusive: bool = False, group: str = "default"
) -> Callable[[Callable[P, Any]], Callable[P, None]]:
    """A careful method that runs behind the screen; of an exclusive group only the last one goes
    on."""

    def wrap(do: Callable[P, Any]) -> Callable[P, None]:
        safe = careful(what, tell)(do)
        if where != "daemon":
            worker = work(safe, thread=where == "thread", exclusive=exclusive, group=group)
            return cast("Callable[P, None]", worker)

        @wraps(do)
        def start(*given: P.args, **named: P.kwargs) -> None:
            Thread(target=safe, args=given, kwargs=named, daemon=True).start()

        return start

    return wrap


def _is_cancelled() -> bool:
    try:
        return get_current_worker().is_cancelled
    except NoActiveWorker:
        return False
