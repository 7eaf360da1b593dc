"""Take the pictures of README and LEEME from the built site: ``python tools/screenshots.py``.

Needs the site (``ffnbook build``) and Chromium or Chrome.  Writes docs/screenshot-en.png and -es.png.
"""

from __future__ import annotations

import io
import sys
import threading
from pathlib import Path

from PIL import Image

from ffnbook.site import build, serve

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from chromium import chromium  # noqa: E402 - the tests' way of finding a browser

PAGE = "activations.html#activation-explorer:zoom=negative&x=-2"  # a link to a setting draws its widget at once
WIDGET = ".ffnw"
SIZE = {"width": 1200, "height": 760}
ABOVE = 130  # px of text to be seen over the widget
LIMIT = 150_000  # bytes


def main() -> int:
    if not (build.SITE / "index.html").is_file():
        print("There is no site yet. Build it first: ffnbook build", file=sys.stderr)
        return 2
    made = serve.server(build.SITE)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    with chromium() as browser:
        for lang in ("en", "es"):
            picture = light(take(browser, f"http://127.0.0.1:{made.server_port}/{lang}/{PAGE}"))
            (ROOT / f"docs/screenshot-{lang}.png").write_bytes(picture)
            print(f"docs/screenshot-{lang}.png", f"{len(picture) / 1000:.0f} kB")
    made.shutdown()
    return 0


def take(browser, url: str) -> bytes:
    """The page with its first widget, drawn, below the header."""
    page = browser.new_page(viewport=SIZE, device_scale_factor=2, color_scheme="light", reduced_motion="reduce")
    page.goto(url)
    widget = page.locator(WIDGET).first
    widget.wait_for()
    widget.evaluate("(node, above) => scrollTo(0, node.getBoundingClientRect().top + scrollY - above)", ABOVE)
    page.wait_for_timeout(500)
    picture = page.screenshot()
    page.close()
    return picture


def light(picture: bytes) -> bytes:
    """The same picture with as many colours as ``LIMIT`` lets it have."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32):
        out = io.BytesIO()
        image.quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() <= LIMIT:
            return out.getvalue()
    raise ValueError(f"the picture weighs {out.tell()} bytes even with 32 colours; take a smaller one than {SIZE}")


if __name__ == "__main__":
    sys.exit(main())
