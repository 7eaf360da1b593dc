"""What a first visit costs in bytes, counted as the server sends them."""

from __future__ import annotations

import gzip

import pytest
from reader import PROSE

VIEW_LIMIT, SCRIPT_LIMIT = 250_000, 60_000
WIDGET_SCRIPTS = """[...document.querySelectorAll('script[type$="widget-state+json"]')]
  .flatMap((s) => Object.values(JSON.parse(s.textContent).state)).map((m) => m.state._esm ?? "").join("")"""
INLINE = "[...document.scripts].filter((s) => !s.src && (!s.type || s.type === 'module')).map((s) => s.textContent).join('')"


@pytest.mark.parametrize("path", PROSE)
def test_a_first_view_is_light(reader, path):
    answers = []
    reader.page.on("requestfinished", lambda request: answers.append(request))
    page = reader.open(path)
    inside = page.evaluate(INLINE) + page.evaluate(WIDGET_SCRIPTS)
    page.wait_for_load_state("networkidle")
    sizes = {request.url: request.sizes()["responseBodySize"] for request in answers if request.url.startswith("http")}
    scripts = sum(size for url, size in sizes.items() if url.endswith((".js", ".mjs")))
    assert sum(sizes.values()) <= VIEW_LIMIT, sizes
    assert scripts + len(gzip.compress(inside.encode(), 6)) <= SCRIPT_LIMIT, sizes
