"""How the program draws and reads when it runs behind a window of the browser."""

from __future__ import annotations

from textual import events, messages
from textual.drivers.web_driver import WebDriver


class BrowserDriver(WebDriver):
    """Textual's driver for the web, awake from the start and never left behind."""

    def start_application_mode(self) -> None:
        """Begin with the focus: Textual's takes it away until the page has been clicked."""
        super().start_application_mode()
        self._app.call_later(self._app.post_message, events.AppFocus())

    def run_input_thread(self) -> None:
        """Read what is typed; who has nobody to read from any more goes home."""
        super().run_input_thread()
        self._app.post_message(messages.ExitApp())
