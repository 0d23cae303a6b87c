"""Headless Chromium through its own protocol, as far as a person goes: look, type, click.

The protocol is JSON over a WebSocket, and aiohttp is here already: no driver is needed.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.web.program import PATIENCE

KEYS = {  # name: (code, virtual key code)
    "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Tab": ("Tab", 9), "F1": ("F1", 112),
    "F5": ("F5", 116), "ArrowDown": ("ArrowDown", 40), "ArrowUp": ("ArrowUp", 38),
    "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39), " ": ("Space", 32),
}  # fmt: skip

# textual.js keeps its terminal to itself: `this.terminal = …` passes by here.
EYES = """
Object.defineProperty(Object.prototype, "terminal", {configurable: true, set(value) {
  Object.defineProperty(this, "terminal", {value, writable: true, configurable: true});
  if (value && value.buffer) window.seen = value;
}});
"""
READ = """
(() => {
  if (!window.seen) return "";
  const buffer = window.seen.buffer.active, rows = [];
  for (let row = 0; row < window.seen.rows; row++)
    rows.push(buffer.getLine(row)?.translateToString(true) ?? "");
  return rows.join("\\n");
})()
"""


def program() -> str:
    """Where Chromium is; without it there is nothing to test."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise FileNotFoundError("no Chromium here")
    return found


class Chromium:
    """A browser and what its pages have asked for."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.requests: list[str] = []
        self.errors: list[str] = []

    async def listen(self) -> None:
        """Take in answers and events until the browser ends."""
        async for message in self._socket:
            said = message.json()
            if "id" in said:
                self._answers.pop(said["id"]).set_result(said)
            elif said["method"] == "Network.requestWillBeSent":
                self.requests.append(said["params"]["request"]["url"])
            elif said["method"] == "Network.webSocketCreated":
                self.requests.append(said["params"]["url"])
            elif said["method"] == "Runtime.exceptionThrown":
                self.errors.append(str(said["params"]["exceptionDetails"]))
            elif said["method"] == "Log.entryAdded" and said["params"]["entry"]["level"] == "error":
                self.errors.append(str(said["params"]["entry"]["text"]))

    async def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """One command of the protocol and its result."""
        number = max(self._answers, default=0) + 1
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        command = {"id": number, "method": method, "params": params}
        await self._socket.send_json(command | ({"sessionId": session} if session else {}))
        said = await asyncio.wait_for(answer, PATIENCE)
        assert "error" not in said, f"{method}: {said['error']}"
        result: dict[str, Any] = said["result"]
        return result

    async def open(self, address: str, size: tuple[int, int] = (1200, 860)) -> Window:
        """A new window at an address."""
        made = await self.call("Target.createTarget", url="about:blank", newWindow=True)
        found = await self.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        window = Window(self, found["sessionId"], made["targetId"])
        for domain in ("Page", "Network", "Runtime", "Log"):
            await window.call(f"{domain}.enable")
        await window.call("Page.addScriptToEvaluateOnNewDocument", source=EYES)
        await window.resize(*size)
        await window.call("Page.navigate", url=address)
        return window


class Window:
    """A window of the browser with a terminal in it."""

    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the protocol for this window."""
        return await self._browser.call(method, self._session, **params)

    async def evaluate(self, script: str) -> Any:
        """What a script gives."""
        result = await self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return result["result"].get("value")

    async def resize(self, width: int, height: int) -> None:
        """Pull the window to a size, in pixels."""
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    async def text(self) -> str:
        """What stands in the terminal."""
        return str(await self.evaluate(READ))

    async def message(self) -> str:
        """What the curtain before the terminal says, if it is drawn."""
        script = """document.getElementById("curtain")?.checkVisibility()
            ? document.getElementById("message").innerText : "" """
        return str(await self.evaluate(script))

    async def wait(self, wanted: str | Callable[[str], bool], where: str = "text") -> str:
        """The text of the terminal once it holds what is wanted."""
        holds = wanted if callable(wanted) else lambda text: wanted in text
        text = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds(text):
                    await asyncio.sleep(0.05)
                    text = await getattr(self, where)()
        except TimeoutError:
            raise AssertionError(f"{wanted!r} does not appear in\n{text}") from None
        return text

    async def press(self, *keys: str) -> None:
        """Press keys by their names, or letters as they are."""
        for key in keys:
            code, number = KEYS.get(key, ("", ord(key[0].upper())))
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            shown = {"key": key, "code": code, "windowsVirtualKeyCode": number}
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **shown)
            await self.call("Input.dispatchKeyEvent", type="keyUp", **shown)

    async def click(self, words: str) -> None:
        """Click on words in the terminal."""
        rows = (await self.text()).splitlines()
        row = next(number for number, line in enumerate(rows) if words in line)
        column = rows[row].index(words) + len(words) // 2
        width, height, columns, lines = await self.evaluate(
            """(() => { const box = document.querySelector(".xterm-screen").getBoundingClientRect();
            return [box.width, box.height, window.seen.cols, window.seen.rows]; })()"""
        )
        place = {"x": (column + 0.5) * width / columns, "y": (row + 0.5) * height / lines}
        for kind, button in (
            ("mouseMoved", "none"),
            ("mousePressed", "left"),
            ("mouseReleased", "left"),
        ):
            await self.call(
                "Input.dispatchMouseEvent", type=kind, button=button, clickCount=1, **place
            )

    async def shoot(self, path: Path) -> None:
        """Save what a person would see."""
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(picture["data"]))

    async def close(self) -> None:
        """Close the window."""
        await self._browser.call("Target.closeTarget", targetId=self._target)


@asynccontextmanager
async def chromium(profile: Path, *more: str) -> AsyncIterator[Chromium]:
    """A browser that knows no host but this machine, and ends with the block."""
    options = [
        "--headless=new",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        *more,
    ]
    if os.geteuid() == 0:  # its sandbox refuses root
        options.append("--no-sandbox")
    process = await asyncio.create_subprocess_exec(
        program(), *options, "about:blank",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    said = ""
    try:
        async with asyncio.timeout(PATIENCE):
            while not (found := re.search(r"listening on (ws://\S+)", said)):
                said = (await process.stderr.readline()).decode()
                assert said, "Chromium does not start"
        drain = asyncio.create_task(process.stderr.read())
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(found[1], max_msg_size=0) as socket,
        ):
            browser = Chromium(socket)
            listening = asyncio.create_task(browser.listen())
            yield browser
            await browser.call("Browser.close")
            await listening
        await drain
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
