"""`prontuario servi` without a browser: who may come in, what is told, and that nobody is left."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import asynccontextmanager

import aiohttp
import pytest

from app.cli import verbs as cli
from app.shell import child
from app.web import serve, server
from app.web.serve import listening
from app.web.server import Server
from tests.web.program import PATIENCE, gone, is_alive

SILENT = [sys.executable, "-c", ""]


@asynccontextmanager
async def visitor():
    """A client that keeps cookies, also those of a number."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
        yield client


@asynccontextmanager
async def served(command=SILENT):
    """A server and a client of it that has shown nothing yet."""
    with listening(0) as listener:
        running = Server(command, listener.getsockname()[1])
        task = asyncio.create_task(running.run(listener))
        try:
            async with visitor() as client:
                yield running, client
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def root(address):
    return address.partition("/?")[0]


async def status(client, address, **headers):
    async with client.get(address, headers=headers) as answer:
        return answer.status


async def socket_status(client, address, **headers):
    try:
        async with client.ws_connect(f"{root(address)}/ws", headers=headers):
            return 101
    except aiohttp.WSServerHandshakeError as refused:
        return refused.status


# Who may come in


async def test_the_printed_address_opens_the_page_and_its_files():
    async with served() as (running, client):
        here = root(running.address)
        assert here.startswith("http://127.0.0.1:")
        async with client.get(running.address) as answer:
            assert answer.status == 200
            text = await answer.text()
            cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert await status(client, here + "/") == 200, "the cookie is enough to reload"
        files = re.findall(r'(?:src|href)="([^"]+)"', text)
        css = await (await client.get(here + "/page/page.css")).text()
        files += re.findall(r'url\("([^"]+)"\)', css)
        assert len(files) == 7
        assert {await status(client, here + name) for name in files} == {200}
        assert await status(client, here + "/page/") == 403, "folders are not listed"
        assert await status(client, here + "/altro") == 404


PATHS = ["/", "/?token=", "/?token=sbagliato", "/?token=%E2%82%AC", "/ws", "/altro"]
FILES = ["/page/page.js", "/terminal/js/textual.js"]


@pytest.mark.parametrize("path", PATHS + FILES)
async def test_without_the_token_nothing_opens(path):
    async with (
        served() as (running, client),
        client.get(root(running.address) + path) as answer,
    ):
        assert answer.status == 403
        assert "indirizzo intero" in await answer.text()
        assert "Set-Cookie" not in answer.headers


async def test_a_token_of_another_time_does_not_open():
    async with served() as (running, client):
        old = {"Cookie": f"{running._cookie}=vecchio"}
        assert await status(client, root(running.address) + "/", **old) == 403
        assert await status(client, running.address, **old) == 200


FOREIGN_HOSTS = [
    "example.org",
    "example.org:{port}",
    "localhost.example.org:{port}",
    "127.0.0.1.example.org:{port}",  # a name that somebody points at this machine
    "0.0.0.0:{port}",
    "[::1]:{port}",
    "127.0.0.1:1",
    "127.0.0.1",
    "",
]
FOREIGN_ORIGINS = [
    "null",
    "http://example.org",
    "http://{host}.example.org",
    "https://{host}",
    "http://127.0.0.1:1",
    "http://127.0.0.1",
    "",
]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
async def test_another_host_is_refused_even_with_the_token(host):
    async with served() as (running, client):
        await client.get(running.address)
        named = host.format(port=running.address.split(":")[2].partition("/")[0])
        assert await status(client, running.address, Host=named) == 403
        assert (
            await socket_status(client, running.address, Host=named, Origin=root(running.address))
            == 403
        )


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
async def test_another_origin_is_refused_even_with_the_token(origin):
    async with served() as (running, client):
        await client.get(running.address)
        named = origin.format(host=root(running.address).removeprefix("http://"))
        assert await status(client, running.address, Origin=named) == 403
        assert await socket_status(client, running.address, Origin=named) == 403


async def test_a_socket_needs_cookie_and_origin():
    async with served() as (running, client):
        ours = {"Origin": root(running.address)}
        assert await socket_status(client, running.address, **ours) == 403
        token = running.address.partition("?")[2]
        async with client.get(f"{root(running.address)}/ws?{token}", headers=ours) as answer:
            assert answer.status == 403, "the token opens the page and nothing else"
        await client.get(running.address)
        assert await socket_status(client, running.address) == 403
        assert await socket_status(client, running.address, **ours) == 101
        there = {key: value.replace("127.0.0.1", "localhost") for key, value in ours.items()}
        assert await socket_status(client, running.address, **there) == 101


async def test_pages_may_load_nothing_from_elsewhere():
    async with served() as (running, client):
        async with client.get(running.address) as answer:
            text, headers = await answer.text(), answer.headers
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', text)
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"


async def test_the_page_speaks_italian():
    async with served() as (running, client), client.get(running.address) as answer:
        text = await answer.text()
    assert '<html lang="it">' in text
    assert "Avvio…" in text
    assert "Collegamento perso" in text


# A window and its process


@asynccontextmanager
async def window(running, client, width=100, height=30):
    await client.get(running.address)
    here = root(running.address)
    address = f"{here}/ws?width={width}&height={height}"
    async with client.ws_connect(address, headers={"Origin": here}) as opened:
        yield opened


async def told(opened):
    """What the page is told until the window closes."""
    said = [message.data async for message in opened]
    return [json.loads(text) for text in said if isinstance(text, str)]


async def test_a_child_that_ends_well_closes_the_window():
    async with served() as (running, client), window(running, client) as opened:
        assert await told(opened) == []
        assert opened.close_code == aiohttp.WSCloseCode.OK


async def test_a_fault_of_the_child_is_told_on_the_page():
    command = [sys.executable, "-c", "import sys; sys.exit('Manca il file <mappa>.')"]
    async with served(command) as (running, client), window(running, client) as opened:
        assert await told(opened) == [["fault", "Manca il file <mappa>."]]


async def test_a_traceback_goes_into_a_file_and_its_name_on_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(server.tempfile, "tempdir", str(tmp_path))
    command = [sys.executable, "-c", "1 / 0"]
    async with served(command) as (running, client), window(running, client) as opened:
        [[kind, text]] = await told(opened)
    assert kind == "fault"
    assert "Traceback" not in text
    [file] = tmp_path.glob("prontuario-*.txt")
    assert str(file) in text
    assert "ZeroDivisionError" in file.read_text()


async def test_a_silent_end_is_told_with_its_code():
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    async with served(command) as (running, client), window(running, client) as opened:
        assert await told(opened) == [["fault", "Prontuario si è chiuso da solo (codice 3)."]]


DEAF = r"""
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
sys.stdout.write(f"__GANGLION__\nD\0\0\0\x20{f'{os.getpid()} {other.pid}':>32}")
sys.stdout.flush()
time.sleep(600)
"""


async def test_a_child_that_does_not_listen_is_ended_with_all_that_it_started(monkeypatch):
    monkeypatch.setattr(server, "GRACE", 0.2)
    async with served([sys.executable, "-c", DEAF]) as (running, client):
        async with window(running, client) as opened:
            pids = [int(word) for word in (await opened.receive_bytes()).split()]
            assert all(is_alive(pid) for pid in pids)
        await gone(*pids)


async def test_nonsense_from_the_page_is_passed_over(monkeypatch):
    monkeypatch.setattr(server, "GRACE", 0.2)
    command = [sys.executable, "-c", DEAF]
    async with served(command) as (running, client), window(running, client) as opened:
        for message in ([], "x", {"a": 1}, ["resize", {"width": "x"}], ["stdin", 3]):
            await opened.send_json(message)
        await opened.send_str("{")
        await opened.send_json(["ping", "7"])
        said = [await opened.receive(), await opened.receive()]
        assert '["pong", "7"]' in [message.data for message in said]


# The whole, as a person starts it


async def drawn(opened, words):
    """Read what is drawn until words appear in it."""
    seen = b""
    async with asyncio.timeout(PATIENCE):
        while words.encode() not in seen:
            seen += (await opened.receive()).data


async def test_two_windows_play_at_once_and_a_closed_one_ends_alone(program):
    async with visitor() as client, window(program, client) as one:
        async with window(program, client) as two:
            await drawn(one, "Comincia da qui")
            await drawn(two, "Comincia da qui")
            first, second = program.children
            await two.send_json(["stdin", "\x1bOQ"])
            await drawn(two, "Saint-Aubin")
            both = {first, second}
        async with asyncio.timeout(PATIENCE):
            while len(program.children) == 2:
                await asyncio.sleep(0.02)
        assert set(program.children) < both
        await one.send_json(["stdin", "\x1bOQ"])
        await drawn(one, "Saint-Aubin")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_the_server_and_its_children(program, number):
    async with visitor() as client, window(program, client) as opened:
        await drawn(opened, "Comincia da qui")
        pids = program.children
        ended = asyncio.create_task(asyncio.to_thread(program.end, number))
        assert await told(opened) == []
        assert opened.close_code == aiohttp.WSCloseCode.GOING_AWAY
        out, err = await ended
    assert len(pids) == 1
    assert not is_alive(*pids)
    assert program.process.returncode == 0
    assert err == ""
    assert "Ctrl+C" in out


async def test_children_do_not_outlive_a_server_that_is_killed(program):
    async with visitor() as client, window(program, client) as opened:
        await drawn(opened, "Comincia da qui")
        pids = program.children
        assert pids
        program.process.kill()
    await gone(*pids)


async def test_leaving_the_program_closes_its_window(program):
    async with visitor() as client, window(program, client) as opened:
        await drawn(opened, "Comincia da qui")
        await opened.send_json(["stdin", "\x11"])
        assert await told(opened) == []
        assert opened.close_code == aiohttp.WSCloseCode.OK


async def test_the_program_follows_the_size_of_the_window(program):
    async with visitor() as client, window(program, client, 60, 10) as opened:
        await drawn(opened, "60×10")
        await opened.send_json(["resize", {"width": 120, "height": 40}])
        await drawn(opened, "Comincia da qui")


# Ports


def faulty(capsys, *arguments):
    code = cli.main(["servi", *arguments])
    return code, capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "65536", "99999999"])
def test_a_port_that_cannot_be_is_wrong_usage(capsys, port):
    code, err = faulty(capsys, f"--porta={port}")
    assert code == 2
    assert (
        err
        == f"La porta {port} non esiste: vanno da 1 a 65535; con 0 ne viene scelta una libera.\n"
    )


def test_a_busy_port_is_told(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        code, err = faulty(capsys, "--porta", str(port))
    assert code == 1
    assert f"La porta {port} è già occupata" in err
    assert len(err.splitlines()) == 1


def test_a_port_of_the_system_is_told(capsys, monkeypatch):
    class Refusing(socket.socket):
        def bind(self, _address):
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(serve.socket, "socket", Refusing)
    code, err = faulty(capsys, "--porta", "80")
    assert code == 2
    assert "Il sistema non ti concede la porta 80" in err


def test_without_the_extra_it_is_said_how_to_install_it(capsys, monkeypatch):
    monkeypatch.setattr(serve, "find_spec", lambda _name: None)
    code, err = faulty(capsys)
    assert code == 2
    assert "pipx install --force '.[web]'" in err


def test_only_this_machine_is_listened_to():
    with listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


# Where the full screen may open


def test_the_full_screen_opens_in_a_terminal_or_in_a_window_of_the_browser(monkeypatch):
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    assert not cli.may_open()
    monkeypatch.setenv("TEXTUAL_DRIVER", server.DRIVER)
    assert cli.may_open()
    monkeypatch.delenv("TEXTUAL_DRIVER")
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert cli.may_open()


def test_a_child_never_runs_what_lies_in_the_current_folder(tmp_path):
    (tmp_path / "app.py").write_text("raise SystemExit('il file di un altro')\n")
    run = subprocess.run(
        child.command("app", "--version"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert run.stdout.startswith("prontuario "), run.stderr
