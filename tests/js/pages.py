"""A small static page with widgets on it, as the book builds them."""

from __future__ import annotations

import json
from pathlib import Path

from ipywidgets import embed

from ffnbook import messages

ROOT = Path(__file__).parents[2]
HOST = ROOT / "ffnbook" / "site" / "extension" / "static" / "host.mjs"
ORIGIN = "http://localhost:8999"  # never reached: every request is answered here
THEME = """
:root { --bg:#ffffff; --fg:#1b2026; --muted:#5b6470; --line:#d9dee4; --panel:#f4f6f8; --accent:#b04008;
  --c-attention:#0b5cad; --c-ffn:#b04008; --c-embeddings:#1f7a4d; --c-rest:#5b6470; --c-relu:#3d4756; --c-gelu:#7b2d8e; --c-silu:#00696e; }
@media (prefers-color-scheme: dark) { :root { --bg:#14181f; --fg:#e6eaf0; --muted:#a9b3bf; --line:#333c48; --panel:#1d232c; --accent:#ff9a5c;
  --c-attention:#6cb2ff; --c-ffn:#ff9a5c; --c-embeddings:#5fd39a; --c-rest:#a9b3bf; --c-relu:#c3ccd8; --c-gelu:#d79be8; --c-silu:#4fd0d6; } }
:root { color-scheme: light dark; }
.reserve { min-height: var(--narrow, 0); } @media (min-width: 48rem) { .reserve { min-height: var(--wide, 0); } } @media print { .reserve { min-height: 0; } }
body { background: var(--bg); color: var(--fg); font: 18px/1.5 Charter, "Bitstream Charter", "Liberation Serif", serif; margin: 0 auto; padding: 16px; max-width: 860px; }
"""


def markup(*widgets, lang: str, before: str = "") -> str:
    """The HTML of a page that shows `widgets` the way myst-nb leaves them."""
    state = embed.dependency_state(widgets, drop_defaults=False)  # all of it, as a running kernel sends it
    data = embed.embed_data(views=list(widgets), state=state)
    views = "".join(
        f'<div class="ffn-widget" data-widget="{getattr(w, "anchor", "")}"><div class="fallback">{_fallback(w)}</div>'
        f'<script type="application/vnd.jupyter.widget-view+json">{json.dumps(spec)}</script></div>'
        for w, spec in zip(widgets, data["view_specs"]))
    strings = json.dumps(messages.catalogue("ui.script", lang))
    models = json.dumps(data["manager_state"], sort_keys=True).replace("</", "<\\/")  # sorted, as jupyter-cache keeps it
    return f"""<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Widgets</title>
<meta name="viewport" content="width=device-width"><style>{THEME}</style><main><h1>Widgets</h1>{before}{views}</main>
<script type="application/json" id="ffn-strings">{strings}</script>
<script type="application/vnd.jupyter.widget-state+json">{models}</script>
<script type="module" src="host.mjs"></script></html>"""


def _fallback(widget) -> str:
    return widget.fallback_html() if hasattr(widget, "fallback_html") else ""


def show(page, html: str, *, hash: str = "") -> list[str]:
    """Open `html` in `page`, wait for its widgets, and return a list that collects script errors."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    serve(page, html)
    page.goto(f"{ORIGIN}/page.html{hash}")
    page.wait_for_function("document.querySelectorAll('[data-ffn-host]').length > 0")
    return errors


def serve(page, html: str) -> None:
    """Answer all requests of `page`: the page itself, the host and the widgets' own files; the rest is 404."""

    def answer(route):
        name = route.request.url.removeprefix(ORIGIN + "/").split("#")[0]
        source = HOST if name == "host.mjs" else ROOT / "ffnbook" / name
        if name == "page.html":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif source.suffix == ".mjs" and source.is_file():
            route.fulfill(body=source.read_text(encoding="utf-8"), content_type="text/javascript; charset=utf-8")
        else:
            route.fulfill(status=204 if name == "favicon.ico" else 404, body="")

    page.route(f"{ORIGIN}/**", answer)
