"""A web server for one person: the page, its files, and a process of the program per window.

It trusts nobody who cannot name it: a host of ours, an origin of ours, and the token of the address
that was printed, which the browser keeps as a cookie. Whoever fails one of them gets a 403.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import textual_serve
from aiohttp import WSCloseCode, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from app.screens.themes import THEMES
from app.shell import config
from app.shell.i18n import _, catalog

PAGE = Path(__file__).parent / "page"
TERMINAL = Path(textual_serve.__file__).parent / "static"
DRIVER = "app.web.driver:BrowserDriver"
GRACE = 3.0
"""Seconds that a process or a browser gets to end by itself."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

logging.getLogger("textual-serve").addHandler(logging.NullHandler())  # the page says it, not stderr


class Child(AppService):
    """The process behind one window."""

    def __init__(self, command: Sequence[str], window: web.WebSocketResponse) -> None:
        super().__init__(
            "",
            write_bytes=window.send_bytes,
            write_str=window.send_str,
            close=_not_yet,
            download_manager=DownloadManager(),
        )
        self._command = command
        self._window = window
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  `stop` closes it

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        return {**super()._build_environment(width, height), "TEXTUAL_DRIVER": DRIVER}

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Start it without a shell, in a group of its own: Ctrl+C is the server's to pass on."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=self._errors,
            env=self._build_environment(width, height),
            start_new_session=True,
        )
        process.stderr = asyncio.StreamReader()
        process.stderr.feed_eof()
        self._process, self._stdin = process, process.stdin
        return process

    async def take(self, message: Sequence[Any]) -> None:
        """Pass on what the page sends."""
        match message:
            case ["stdin", str(keys)]:
                await self.send_bytes(keys.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await self.set_terminal_size(width, height)
            case ["focus"]:
                await self.focus()
            case ["blur"]:
                await self.blur()
            case ["ping", str(sent)]:
                await self._window.send_json(["pong", sent])

    async def run(self) -> None:
        """Show what it draws; when it ends, say so in the window and close that."""
        await super().run()
        assert self._process is not None
        code = await self._process.wait()
        with suppress(ConnectionError):
            if code and not self._window.closed:
                await self._window.send_json(["fault", self._fault(code)])
            await self._window.close()

    def _fault(self, code: int) -> str:
        """What is said about a process that failed; a traceback goes into a file."""
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        if "Traceback" in text:
            with tempfile.NamedTemporaryFile(
                "w", prefix="prontuario-", suffix=".txt", delete=False, encoding="utf-8"
            ) as file:
                file.write(text + "\n")
            return _("Prontuario made a mistake. The details are in {file}.", file=file.name)
        return text or _("Prontuario ended unexpectedly (code {code}).", code=code)

    async def stop(self) -> None:
        """Ask it to end, then insist; what it had started ends with it."""
        if self._process is not None and self._task is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await self.send_meta({"type": "quit"})
                    await asyncio.shield(self._task)
            with suppress(ProcessLookupError):
                if os.name == "posix":
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
            await self._task
        self._errors.close()


async def _not_yet() -> None:
    """Close nothing when the program says good-bye: how it ended shows when it has."""


class Server:
    """The page and its windows, for whoever has the address."""

    def __init__(self, command: Sequence[str], port: int) -> None:
        self._command = command
        self._token = secrets.token_urlsafe(24)
        self._cookie = f"prontuario-{port}"  # browsers do not tell the ports of a host apart
        suffix = "" if port == 80 else f":{port}"
        self._hosts = tuple(f"{name}{suffix}" for name in ("127.0.0.1", "localhost"))
        self._origins = tuple(f"http://{host}" for host in self._hosts)
        self._windows: set[web.WebSocketResponse] = set()
        self.address = f"{self._origins[0]}/?token={self._token}"

    async def run(self, listener: socket.socket) -> None:
        """Serve until a signal says to end, then end every child."""
        ended = asyncio.Event()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            with suppress(AttributeError, NotImplementedError):  # Windows interrupts `wait` instead
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), ended.set)
        runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=3 * GRACE)
        await runner.setup()
        try:
            await web.SockSite(runner, listener).start()
            await ended.wait()
        finally:
            await runner.cleanup()

    def application(self) -> web.Application:
        """The addresses, all behind the guard."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self._window),
                web.static("/page", PAGE),
                web.static("/terminal", TERMINAL),
            ]
        )
        application.on_response_prepare.append(self._add_headers)
        application.on_shutdown.append(self._close_windows)
        return application

    # Who may come in

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not (self._is_ours(request) and self._has_token(request)):
            text = _("Not here: open the whole address that “prontuario servi” has printed.")
            return web.Response(status=403, text=text + "\n")
        return await handler(request)

    def _is_ours(self, request: web.Request) -> bool:
        """Whether the browser asks by our name, and no page of another site does."""
        origin = request.headers.get("Origin")
        is_same = origin in self._origins or (origin is None and request.path != "/ws")
        return request.headers.get("Host") in self._hosts and is_same

    def _has_token(self, request: web.Request) -> bool:
        shown = request.cookies.get(self._cookie, "")
        if request.path == "/":
            shown = request.query.get("token", shown)
        return secrets.compare_digest(shown.encode(errors="replace"), self._token.encode())

    async def _add_headers(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Nothing from elsewhere, nothing to elsewhere."""
        sockets = " ".join(f"ws://{host}" for host in self._hosts)
        response.headers.update(
            {
                "Content-Security-Policy": f"default-src 'self'; connect-src 'self' {sockets};"
                " style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none';"
                " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "Cache-Control": "no-store",
            }
        )

    # What they get

    async def _page(self, request: web.Request) -> web.Response:
        """The page; the token that opened it goes on as a cookie."""
        text = Template((PAGE / "index.html").read_text(encoding="utf-8"))
        words = {key: escape(value) for key, value in self._words(request.host).items()}
        response = web.Response(text=text.substitute(words), content_type="text/html")
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="Strict")
        return response

    def _words(self, host: str) -> Mapping[str, str]:
        theme = config.load().theme
        colours = next((known for known in THEMES if known.name == theme), THEMES[0])
        return {
            "socket": f"ws://{host}/ws",
            "background": colours.background or "",
            "foreground": colours.foreground or "",
            "panel": colours.panel or "",
            "accent": colours.accent or "",
            "language": catalog().language,
            "starting": _("Starting…"),
            "ended": _("Prontuario is closed. Your games are saved."),
            "lost": _("The connection is lost. Your games are saved: reload the page, or start"
                      " “prontuario servi” again and open its new address."),
            "again": _("Open again"),
        }  # fmt: skip

    async def _window(self, request: web.Request) -> web.WebSocketResponse:
        """A window: its process lives as long as its socket."""
        window = web.WebSocketResponse(heartbeat=15, timeout=GRACE)
        await window.prepare(request)
        self._windows.add(window)
        child = Child(self._command, window)
        try:
            await child.start(_cells(request, "width", 80), _cells(request, "height", 24))
            async for message in window:
                with suppress(ValueError):  # what is no JSON says nothing
                    await child.take(message.json())
        finally:
            self._windows.discard(window)
            await child.stop()
        return window

    async def _close_windows(self, _application: web.Application) -> None:
        """Leave no window waiting: their processes end when their sockets do."""
        closing = (window.close(code=WSCloseCode.GOING_AWAY) for window in tuple(self._windows))
        await asyncio.gather(*closing)


def _cells(request: web.Request, key: str, default: int) -> int:
    value = request.query.get(key, "")
    return int(value) if value.isdecimal() else default
