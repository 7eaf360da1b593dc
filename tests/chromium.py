"""A browser for the tests: the system's Chromium or Chrome, else Playwright's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright
from slow_browser import slow

PATIENCE = 30_000  # ms: a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE)
slower = 0.0  # how many times, where --slow-browser asks for it
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
MISSING = (
    "No browser for the tests: install Chromium or Chrome (Debian: apt install chromium), "
    "run `playwright install chromium`, or name one in FFNBOOK_CHROMIUM."
)


def found() -> str | None:
    """The path of this machine's browser, if it has one on its PATH."""
    return os.environ.get("FFNBOOK_CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """A running browser, closed at the end; the test fails with one sentence where there is none."""
    path = found()
    ways = [{"executable_path": path}] if path else [{"channel": "chrome"}, {}]
    with sync_playwright() as play:
        browser = next((b for way in ways if (b := started(play, [*FLAGS, *flags], way))), None)
        if browser is None:
            pytest.fail(MISSING, pytrace=False)
        if slower:
            slow(browser, slower)
        yield browser
        browser.close()


def started(play, flags: list[str], way: dict) -> Browser | None:
    try:
        return play.chromium.launch(args=flags, **way)
    except Error:
        if "executable_path" in way:
            raise
        return None


def soon(page: Page, read: Callable[[], object], wanted: object) -> None:
    """``read()`` is ``wanted``, now or once the page has answered; it draws in a later frame than the click's."""
    for _ in range(0, PATIENCE, 50):
        if read() == wanted:
            return
        page.wait_for_timeout(50)
    assert read() == wanted
