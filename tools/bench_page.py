"""What a first view weighs, and how long a widget takes from a slider's input to the paint."""

from __future__ import annotations

import gzip
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_build import Books
from chromium import chromium

from ffnbook.site import serve

CHAPTERS = ("exact-form", "activations", "width-and-parameters")
WIDGETS = ("activations", "width-and-parameters")
VIEW, SCRIPTS, PAINT = 250_000, 60_000, 16.0
INLINE = "[...document.scripts].filter((s) => !s.src && (!s.type || s.type === 'module')).map((s) => s.textContent).join('')"
MODULES = """[...document.querySelectorAll('script[type$="widget-state+json"]')]
  .flatMap((s) => Object.values(JSON.parse(s.textContent).state)).map((m) => m.state._esm ?? "").join("")"""
# One step of a slider: the time its handlers take, and from the next frame's beginning to its paint.
# The wait for the display between the two is not ours.
STEPS = """async (count) => {
  const slider = document.querySelector("[data-ffn-host=drawn] input[type=range]"), times = [];
  const [low, high] = [Number(slider.min), Number(slider.max)];
  for (let i = 0; i < count; i++) {
    const painted = new Promise((done) => requestAnimationFrame(() => {
      const began = performance.now(), after = new MessageChannel();
      after.port1.onmessage = () => done(performance.now() - began);
      after.port2.postMessage(0);
    }));
    const began = performance.now();
    slider.value = low + (high - low) * (0.5 + 0.45 * Math.sin(i / 7));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const handled = performance.now() - began;
    times.push(handled + (await painted));
    await new Promise((done) => setTimeout(done, 4));
  }
  return times;
}"""


@contextmanager
def served(site: Path) -> Iterator[str]:
    made = serve.server(site)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}/"
    made.shutdown()
    made.server_close()


def measure(books: Books) -> Iterator[tuple]:
    """(what, value, budget, kept, remark) for each chapter and widget."""
    with chromium() as browser, served(books.site()) as home:
        for name in CHAPTERS:
            with served(books.stock_site("es")) as stock_home:
                view, scripts, _ = weight(browser, f"{home}es/{name}.html", home)
                stock_view, stock_scripts, hosts = weight(browser, f"{stock_home}{name}.html", stock_home)
            beside = f"stock {stock_view / 1000:.0f} kB, of it scripts {stock_scripts / 1000:.0f} kB, and {hosts} other hosts"
            yield f"first view of {name}, gzipped", f"{view / 1000:.0f} kB", "250 kB", view <= VIEW, beside
            yield f"scripts of {name}, gzipped", f"{scripts / 1000:.0f} kB", "60 kB", scripts <= SCRIPTS, ""
        for name in WIDGETS:
            for slower in (1, 4):
                times = steps(browser, f"{home}es/{name}.html", slower)
                worst = statistics.quantiles(times, n=20)[-1]
                what = f"slider of {name}, input to paint, p95" + (f", CPU ÷ {slower}" if slower > 1 else "")
                budget, kept = ("16 ms", worst <= PAINT) if slower == 1 else ("none", True)
                yield what, f"{worst:.1f} ms", budget, kept, f"median {statistics.median(times):.1f} ms"


def weight(browser, url: str, home: str) -> tuple[int, int, int]:
    """(bytes of all, bytes of scripts, other hosts asked) of a first visit; other hosts are not reached."""
    page, finished, others = browser.new_page(viewport={"width": 412, "height": 823}), [], set()

    def gate(route):
        if route.request.url.startswith(home):
            return route.continue_()
        others.add(route.request.url.split("/")[2])
        return route.abort()

    page.route("**/*", gate)
    page.on("requestfinished", lambda request: finished.append(request))
    page.goto(url)
    page.wait_for_timeout(1500)
    sizes = [(request.url.split("?")[0], request.sizes()["responseBodySize"]) for request in finished]
    scripts = sum(size for address, size in sizes if address.endswith((".js", ".mjs")))
    inside = gzip.compress((page.evaluate(INLINE) + page.evaluate(MODULES)).encode(), 6)
    page.close()
    return sum(size for _, size in sizes), scripts + len(inside), len(others)


def steps(browser, url: str, slower: int, count: int = 200) -> list[float]:
    page = browser.new_page(viewport={"width": 412, "height": 823})
    page.goto(url)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    slider = page.locator("[data-ffn-host=drawn] input[type=range]").first
    slider.scroll_into_view_if_needed()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    times = page.evaluate(STEPS, count)
    page.close()
    return times[20:]
