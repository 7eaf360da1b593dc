"""One browser for each module of these tests: its event loop must not outlive them, other tests have loops of their own."""

from __future__ import annotations

import pytest
from chromium import chromium
from reader import Reader


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def reader(browser, server):
    """Opens pages as one reader would; whatever the browser complains of fails the test."""
    someone = Reader(browser, server)
    yield someone
    someone.leave()
