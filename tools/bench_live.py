"""How long "Run this page" takes to its first output in the browser, beside thebe-lite as it comes: `python tools/bench_live.py`.

Both run the same two cells of the same page on the same files, from one server on this machine, in turn,
each in a browser that has cached nothing. What is printed is the median of each, and their ratio.
"""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from chromium import chromium  # noqa: E402

from ffnbook.site import build, serve  # noqa: E402

PAGE, ROUNDS, BUDGET = "en/activations.html", 5, 1.3
# thebe and thebe-lite with nothing of ours around them, as their documentation has it.
BARE = """<!doctype html><meta charset="utf-8"><pre data-executable>FIRST</pre><pre data-executable>SHOWN</pre>
<script src="live/thebe-lite/thebe-lite.min.js"></script><script src="live/thebe/index.js"></script><script>
const lite = thebeLite.startJupyterLiteServer, at = (path) => new URL(path, location).href;
thebeLite.startJupyterLiteServer = () => lite({ litePluginSettings: { "@jupyterlite/pyodide-kernel-extension:kernel": {
  pyodideUrl: at("live/pyodide/pyodide.js"), pipliteUrls: [at("live/thebe-lite/pypi/all.json")], pipliteWheelUrl: at("live/pyodide/PIPLITE") } } });
async function run() {
  const { session, notebook } = await thebe.bootstrap({ useBinder: false, useJupyterLite: true, requestKernel: true, mountStatusWidget: false,
    mountActivateWidget: false, kernelOptions: { kernelName: "python", path: "/page.ipynb" }, mathjaxUrl: "", mathjaxConfig: "" });
  await session.kernel.requestExecute({ code: "import piplite\\nawait piplite.install(['ipywidgets', 'anywidget', 'ffnbook'])" }).done;
  for (const cell of notebook.cells) await cell.execute();
}
</script>"""


def main(site: Path) -> int:
    made = serve.server(site)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{made.server_port}/"
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    for _ in range(ROUNDS):
        times["bare"].append(once(home, bare))
        times["ours"].append(once(home, ours))
        print({name: round(taken[-1], 1) for name, taken in times.items()}, flush=True)
    made.shutdown()
    first = {name: statistics.median(taken) for name, taken in times.items()}
    ratio = first["ours"] / first["bare"]
    print(f"first output: bare {first['bare']:.1f} s, ours {first['ours']:.1f} s, ratio {ratio:.2f} (budget {BUDGET})")
    return ratio > BUDGET


def once(home: str, way) -> float:
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(180_000)
        return way(page, home)


def ours(page, home: str) -> float:
    page.goto(home + PAGE)
    page.locator(".live-open").click()
    page.locator(".live-start").wait_for()
    began = time.monotonic()
    page.locator(".live-start").click()
    page.locator(".live-cell-run").first.click()
    page.wait_for_function("document.querySelector('.live-output')?.innerText.includes('array(')", polling=50)
    return time.monotonic() - began


def bare(page, home: str) -> float:
    page.goto(home + PAGE)
    cells = json.loads(page.request.get(home + PAGE.replace("/", "/_live/").replace(".html", ".json")).text())["cells"]
    piplite = json.loads(page.request.get(home + "live/files.json").text())["packages"]["piplite"]["file"]
    text = BARE.replace("FIRST", cells[0]).replace("SHOWN", cells[1]).replace("PIPLITE", piplite)
    page.route(f"{home}bare.html", lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto(home + "bare.html")
    began = time.monotonic()
    page.evaluate("void run()")
    page.wait_for_function("document.querySelector('.thebe-output')?.innerText.includes('array(') || [...document.querySelectorAll('.jp-OutputArea-output')].some((e) => e.innerText.includes('array('))", polling=50)
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else build.SITE))
