"""The smallest Textual program: what any start is compared with."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    """One word on the screen."""

    def compose(self) -> ComposeResult:
        yield Static("pronto")


if __name__ == "__main__":
    MinimalApp().run()
