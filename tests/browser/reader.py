"""A reader at a browser: opens pages, waits for widgets, and hears every complaint of the browser."""

from __future__ import annotations

import yaml
from playwright.sync_api import Browser, Page

from ffnbook.messages import LANGUAGES
from ffnbook.site.build import ROOT

NAMES = ["index"] + [
    chapter["file"]
    for part in yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    for chapter in part["chapters"]
]
PAGES = [f"{lang}/{name}.html" for name in [*NAMES, "search"] for lang in LANGUAGES]
PROSE = [page for page in PAGES if "search" not in page]
WIDTHS = (375, 800, 1400)
SCHEMES = ("light", "dark")
HEIGHT = 800


class Reader:
    """One browser context and one page in it; ``complaints`` is what went wrong, as the browser says it."""

    def __init__(self, browser: Browser, home: str, **options):
        self.home = home
        self.complaints: list[str] = []
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": HEIGHT}, "locale": "en", **options})
        self.context.set_default_timeout(30_000)
        self.page: Page = self.context.new_page()
        self._listen()

    def _listen(self) -> None:
        hear = self.complaints.append
        self.page.on("console", lambda said: hear(f"console: {said.text}") if said.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: hear(f"script error: {error}"))
        # what the page no longer wanted, because it was left, is no fault of the site's
        self.page.on("requestfailed", lambda request: None if "ERR_ABORTED" in request.failure else hear(f"failed: {request.url} {request.failure}"))
        self.page.on("response", lambda answer: hear(f"{answer.status}: {answer.url}") if answer.status >= 400 else None)
        self.page.on("request", lambda request: None if self._own(request.url) else hear(f"foreign: {request.url}"))

    def _own(self, url: str) -> bool:
        return url.startswith((self.home, "data:", f"blob:{self.home.split('/repo/')[0]}"))

    def open(self, path: str, *, width: int | None = None, scheme: str | None = None) -> Page:
        """Go to ``path`` under the site's address."""
        if width:
            self.resize(width)
        if scheme:
            self.page.emulate_media(color_scheme=scheme)
        self.page.goto(self.home + path)
        return self.page

    def resize(self, width: int, height: int = HEIGHT) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def draw_widgets(self) -> None:
        """Have every widget of the page drawn, near the window or not."""
        self.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.page.wait_for_function(
            "[...document.querySelectorAll('[data-ffn-host]')].every((e) => !/waiting|drawing/.test(e.dataset.ffnHost))"
        )

    def unfold(self) -> None:
        """Open every fold of the page."""
        self.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.removeAttribute('name'); d.open = true })")

    def leave(self) -> None:
        """Close the window; what the browser complained of meanwhile is an error."""
        self.context.close()
        assert not self.complaints, "\n".join(self.complaints)
