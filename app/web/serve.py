"""`prontuario servi`: the port, the address, and what is said about both."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from argparse import Namespace
from importlib.util import find_spec

from app.cli.answers import DONE, NO, Fault
from app.shell import child
from app.shell.i18n import _

LOOPBACK = "127.0.0.1"
PORTS = range(65536)


def serve(args: Namespace) -> int:
    """`prontuario servi`: the same program in a browser, on this machine only, until Ctrl+C."""
    if args.porta not in PORTS:
        text = _("There is no port {port}: they go from 1 to 65535; 0 takes a free one.",
                 port=args.porta)  # fmt: skip
        raise Fault(text)
    if find_spec("textual_serve") is None:
        raise Fault(
            _("The part for the browser is missing. In the project's folder: {how}, or {other}.",
              how="pipx install --force '.[web]'", other=".venv/bin/pip install -e '.[web]'")
        )  # fmt: skip
    from app.web.server import Server

    with listening(args.porta) as listener:
        language = ("--lingua", args.lingua) if args.lingua else ()
        server = Server(child.command("app", *language), listener.getsockname()[1])
        sys.stdout.write(
            _("Open this address in a browser:") + f"\n\n  {server.address}\n\n"
            + _("Only this computer can reach it, and only with the whole address.") + "\n"
            + _("Every window has a game of its own. Ctrl+C here closes them all.") + "\n"
        )  # fmt: skip
        sys.stdout.flush()
        asyncio.run(server.run(listener))
    return DONE


def listening(port: int) -> socket.socket:
    """The socket that browsers reach; a port that cannot be had is a sentence."""
    listener = socket.socket()
    try:
        if os.name == "posix":  # a port left a minute ago is free; elsewhere this would share it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()
    except OSError as error:
        listener.close()
        if isinstance(error, PermissionError):
            text = _("The system does not give you port {port}: choose one above 1023 with --porta,"
                     " or 0 for a free one.", port=port)  # fmt: skip
            raise Fault(text) from error
        if error.errno == errno.EADDRINUSE:
            text = _("Port {port} is taken by another program: choose another one with --porta, or"
                     " 0 for a free one.", port=port)  # fmt: skip
            raise Fault(text, NO) from error
        why = error.strerror or str(error)
        raise Fault(_("Port {port} does not open: {why}.", port=port, why=why), NO) from error
    return listener
