"""The program that the tests of the browser talk to."""

from __future__ import annotations

import signal

import pytest

from tests.web.program import Program


@pytest.fixture
def program(tmp_path):
    (tmp_path / "una cartella").mkdir()
    (tmp_path / "una cartella" / "app.py").write_text("raise SystemExit('il file di un altro')\n")
    running = Program(tmp_path / "una cartella", "--porta", "0")
    yield running
    running.end(signal.SIGKILL)
