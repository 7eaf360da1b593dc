"""What tests share: the built site and a server of it."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import chromium
import pytest

from ffnbook.site import build, serve

# A machine like Binder's, the teacher's shell commands and the sandbox are Linux's own.
collect_ignore = ["grading", "test_binder.py", "test_how_to_submit.py"] if sys.platform == "win32" else []
PREFIX = "/repo/"  # as GitHub Pages serves a project's site


def pytest_addoption(parser):
    parser.addoption("--site", type=Path, help="test the site in this folder, as it is, instead of building it")
    parser.addoption("--slow-browser", type=float, default=0, metavar="RATE", help="browser tests meet pages RATE times slower, and late")


def pytest_configure(config):
    chromium.slower = config.getoption("--slow-browser")


@pytest.fixture(scope="session")
def site(request) -> Path:
    """The folder of the built site; what is current is not built again."""
    if given := request.config.getoption("--site"):
        return given.resolve()
    said: list[str] = []
    if build.build(said.append):
        pytest.fail("\n".join(said), pytrace=False)
    return build.SITE


@pytest.fixture(scope="session")
def server(site):
    """The address of the site, served with gzip under a sub-path: ``http://127.0.0.1:PORT/repo/``."""
    made = serve.server(site, prefix=PREFIX)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}{PREFIX}"
    made.shutdown()
    made.server_close()
