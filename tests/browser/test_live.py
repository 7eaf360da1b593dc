"""“Run this page” as a reader uses it: in the browser, on a Jupyter server, through (an imitation of) Binder."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager, suppress

import accessibility
import pytest
from fake_binder import TOKEN, Binder, Jupyter, Wire
from playwright.sync_api import Route, TimeoutError, expect
from reader import Reader

from ffnbook.messages import LANGUAGES, t

CHAPTER = "activations"
MINUTE = 60_000
PYTHON_STARTS = 2 * MINUTE  # on a machine that does three other things besides
# What thebe and JupyterLite remark on the console; no fault of the page.
REMARKS = re.compile(
    r"ServiceWorker|Memory storage fallback|will NOT be synced|Failed to parse \"span|Connection lost, reconnecting"
    r"|WebGL|The AudioContext"
)


class Learner(Reader):
    """A reader who runs a page; ``allowed`` are addresses beyond the site that they chose to use."""

    def __init__(self, browser, home, lang, **options):
        self.lang, self.allowed = lang, ()
        super().__init__(browser, home, **options)
        self.context.set_default_timeout(MINUTE)

    def _own(self, url: str) -> bool:
        return super()._own(url) or url.startswith(self.allowed or ("-",))

    def words(self, key: str) -> str:
        return t(f"live.page.{key}", self.lang)

    def come(self, page: str = CHAPTER, *, ways: str = "pyodide binder server") -> None:
        """Open a page and its choice of ways."""
        self.open(f"{self.lang}/{page}.html")
        self.page.evaluate("(ways) => { document.querySelector('.live-open').dataset.ways = ways }", ways)
        self.page.get_by_role("button", name=t("live.open", self.lang)).click()
        expect(self.page.locator(".live-choice")).to_be_visible()

    def choose(self, way: str, address: str = "", token: str = TOKEN) -> None:
        self.page.locator(f"input[value={way}]").check()
        if way == "server":
            self.allowed = (address, address.replace("http", "ws"))
            self.page.get_by_label(self.words("server.address")).fill(address)
            self.page.get_by_label(self.words("server.token")).fill(token)
        self.page.get_by_role("button", name=self.words("start"), exact=True).click()

    def press(self, name: str) -> None:
        self.page.locator(".live-bar").get_by_role("button", name=self.words(f"buttons.{name}"), exact=True).click()

    def retry_unless_back(self) -> None:
        """Ask for another try, unless the connection has come back by itself first."""
        with suppress(TimeoutError):
            self.page.locator(".live-retry").click(timeout=3000)

    def hears(self, key: str, timeout: float = MINUTE, **values) -> None:
        """What the status says, aloud too."""
        text = self.words(key).format(**values) if values else self.words(key)
        expect(self.page.get_by_role("status").filter(has_text=text)).to_be_visible(timeout=timeout)

    def cell(self, order: int):
        """The ``order``-th cell whose code the page shows."""
        return self.page.locator(".cell:has(.live-input)").nth(order - 1)

    def type(self, order: int, code: str) -> None:
        """Type into a cell; again, as a person would, where something took the focus meanwhile."""
        for _attempt in range(3):
            self.cell(order).locator(".CodeMirror").click()
            expect(self.cell(order).locator(".CodeMirror-focused")).to_be_visible()
            self.page.keyboard.press("ControlOrMeta+A")
            self.page.keyboard.insert_text(code)
            with suppress(TimeoutError):  # the editor looks at what was typed when it has time
                editor = self.cell(order).locator(".CodeMirror").element_handle()
                self.page.wait_for_function("([e, code]) => e.CodeMirror.getValue() === code", arg=[editor, code], timeout=5000)
                return
        assert self.code(order) == code

    def code(self, order: int) -> str:
        return self.cell(order).locator(".CodeMirror").evaluate("(e) => e.CodeMirror.getValue()")

    def run(self, order: int, code: str | None = None) -> None:
        if code is not None:
            self.type(order, code)
        self.page.get_by_role("button", name=self.words("cell.run_label").format(number=order), exact=True).click()

    def shows(self, order: int, text: str, timeout: float = MINUTE) -> None:
        expect(self.cell(order).locator(".live-output")).to_contain_text(text, timeout=timeout)

    def leave(self) -> None:
        self.complaints = [said for said in self.complaints if not REMARKS.search(said)]
        super().leave()

    def forgive(self, pattern: str) -> None:
        """What the browser says of a fault that the test itself made."""
        self.complaints = [said for said in self.complaints if not re.search(pattern, said)]


@contextmanager
def closing(thing):
    try:
        yield thing
    finally:
        thing.close()


@pytest.fixture(scope="module")
def jupyter(server, tmp_path_factory):
    with closing(Jupyter(server.removesuffix("/repo/"), tmp_path_factory.mktemp("jupyter"))) as running:
        yield running


@pytest.fixture
def wire(jupyter):
    with closing(Wire(jupyter.port)) as made:
        yield made


@pytest.fixture(params=LANGUAGES)
def learner(request, browser, server):
    someone = Learner(browser, server, request.param)
    yield someone
    someone.leave()


WIDGET = "from ffnbook.widgets import ActivationExplorer\nw = ActivationExplorer(x=1)\nlesson.widget(w)"


def widget_both_ways(learner: Learner) -> None:
    """A slider moved in the page is read in Python, and what Python sets moves the slider."""
    learner.run(1, WIDGET)
    slider = learner.cell(1).locator("input[type=range]").first
    expect(slider).to_be_visible()
    before = slider.input_value()
    slider.focus()
    learner.page.keyboard.press("ArrowRight")
    learner.page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    learner.run(2, "print('moved', w.x > 1, w.x < 5)\nw.x = -4.0")
    learner.shows(2, "moved True True")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"[−-]4"))


def error_is_readable(learner: Learner) -> None:
    learner.run(2, "total = 1\ntotal / 0")
    learner.hears("status.error", number=2)
    learner.shows(2, "ZeroDivisionError: division by zero")
    expect(learner.page.locator(".live-detail")).to_have_text("ZeroDivisionError: division by zero")


# ---- before the click -------------------------------------------------------------------------------------


def test_a_page_that_lost_its_network_says_so_once_and_recovers(browser, server):
    someone = Learner(browser, server, "es")
    page = someone.open(f"es/{CHAPTER}.html")
    page.wait_for_load_state("networkidle")
    someone.context.set_offline(True)
    told = page.locator(".actions [role=alert]")
    for _ in range(2):
        page.locator(".live-open").click()
        expect(page.locator(".live-open")).to_have_attribute("aria-busy", "false")
        expect(told).to_have_count(1)
    someone.context.set_offline(False)
    page.locator(".live-open").click()
    expect(page.locator(".live-choice")).to_be_visible()
    expect(told).to_have_count(0)
    someone.context.close()


def test_nothing_is_loaded_before_the_click_and_python_not_before_the_choice(learner):
    asked = []
    learner.page.on("request", lambda request: asked.append(request.url))
    learner.open(f"{learner.lang}/{CHAPTER}.html")
    learner.page.wait_for_load_state("networkidle")
    assert [url for url in asked if "live" in url] == []
    learner.come()
    learner.page.wait_for_load_state("networkidle")
    loaded = {url.split("/live/")[1] for url in asked if "/live/" in url}
    assert {"live.mjs", "live.css", f"{learner.lang}.json", "files.json"} <= loaded
    assert all("/" not in path for path in loaded), loaded


def test_the_control_in_the_page_is_light(site):
    text = (site / "en" / f"{CHAPTER}.html").read_text(encoding="utf-8")
    start = text.index('<button class="live-open"')
    assert text.index("</script>", start) - start < 1000


def test_each_way_says_its_cost(learner, site):
    learner.come()
    files = json.loads((site / "live" / "files.json").read_text(encoding="utf-8"))
    costs = learner.page.locator(".live-cost").all_inner_texts()
    megabytes = [float(re.match(r"[\d.,]+", cost)[0].replace(",", ".")) for cost in costs]
    assert megabytes[0] * 1e6 > files["fetched"] + files["packages"]["numpy"]["size"]
    assert megabytes[1] == megabytes[2] == 1
    assert all(re.search(r"\d+ s|minut|momento|once", cost) for cost in costs)


# ---- in this browser --------------------------------------------------------------------------------------


def test_in_this_browser(learner):
    page = learner.page
    learner.come()
    page.route("**/numpy-*.whl", lambda route: route.abort())
    learner.choose("pyodide")
    learner.hears("failed.pyodide", PYTHON_STARTS)  # the connection is lost; nothing typed is
    learner.forgive("numpy|ERR_FAILED")
    answer = learner.code(2) + "\nprint(z.sum() + 40)"
    learner.type(2, answer)
    page.unroute("**/numpy-*.whl")
    learner.press("retry")
    learner.run(2)  # before Python is ready
    learner.hears("status.waiting")
    learner.shows(2, "40.0", PYTHON_STARTS)  # the cells above ran first
    assert learner.code(2) == answer

    learner.press("runall")
    learner.hears("status.done", PYTHON_STARTS)
    assert page.locator(".live-output figure.plot svg").count() >= 5
    assert page.locator(".ffn-fallback").count() == 0  # K04: no copy of the static page's is left
    assert page.locator(".cell_output figure.plot").count() == 0

    widget_both_ways(learner)
    error_is_readable(learner)
    learner.run(2, "from ffnbook.exercises import check\n\n\ndef relu(x):\n    return np.maximum(x, 0)\n\n\ncheck('relu')")
    learner.shows(2, "ReLU: 3")  # of 4 points: the last one is for cases that only a grader has

    flood = "while True:\n    print('more')"
    learner.run(2, flood)
    learner.hears("status.running", number=1, count=1)
    learner.shows(2, learner.words("cell.rest"))  # and no more: the page has time for its button
    learner.press("stop")
    learner.hears("status.stopped_restarted", PYTHON_STARTS)
    assert learner.code(2) == flood
    learner.run(2, "print('again', 2 + 3)")
    learner.shows(2, "again 5")

    page.reload()
    learner.come()
    learner.choose("server", "http://127.0.0.1:9/")
    expect(learner.cell(2)).to_be_visible()
    assert learner.code(2) == "print('again', 2 + 3)"  # kept by the browser
    learner.press("reset")
    assert "again" not in learner.code(2)
    page.reload()
    learner.come()
    learner.choose("server", "http://127.0.0.1:9/")
    expect(learner.cell(2)).to_be_visible()
    assert "again" not in learner.code(2)
    learner.forgive("127.0.0.1:9/|ERR_UNSAFE_PORT")


# ---- on a Jupyter server ----------------------------------------------------------------------------------


def test_on_my_own_jupyter(learner, wire):
    address = f"http://127.0.0.1:{wire.port}/"
    learner.come()
    learner.choose("server", address, token="wrong")
    learner.hears("failed.server")
    learner.forgive(r"403|401|wrong|ERR_FAILED|CORS policy")
    learner.press("other")
    learner.choose("server", address)
    learner.hears("status.ready")
    learner.press("runall")
    learner.hears("status.done")
    widget_both_ways(learner)
    error_is_readable(learner)

    learner.run(2, "kept = 7\nprint('kept')")
    learner.shows(2, "kept")
    wire.cut()
    learner.hears("status.lost")
    learner.type(2, "print('still', kept)")
    wire.mend()
    learner.retry_unless_back()
    learner.hears("status.back")
    learner.run(2)
    learner.shows(2, "still 7")
    learner.forgive("ERR_|WebSocket")

    learner.run(2, "import time\nwhile True:\n    time.sleep(0.05)")
    learner.hears("status.running", number=1, count=1)
    learner.press("stop")
    learner.hears("status.stopped")
    learner.shows(2, "KeyboardInterrupt")

    learner.press("restart")
    learner.hears("status.restarted")
    learner.run(2, "print('kept' in globals())")
    learner.shows(2, "False")

    learner.run(2, "import os\nos._exit(1)")
    learner.hears("status.died")
    learner.forgive("ERR_|WebSocket")
    learner.run(2, "print('alive')")
    learner.shows(2, "alive")


# ---- through Binder ---------------------------------------------------------------------------------------


def test_on_binder(learner, wire):
    with closing(Binder(wire.port)) as binder:
        learner.allowed = (binder.address, f"http://127.0.0.1:{wire.port}/", f"ws://127.0.0.1:{wire.port}/")

        def point_to_the_imitation(route: Route) -> None:
            files = route.fetch().json()
            route.fulfill(json={**files, "binder": {**files["binder"], "binderUrl": binder.address, "repo": "someone/course"}})

        learner.page.route("**/live/files.json", point_to_the_imitation)
        binder.fails = True
        learner.come()
        learner.choose("binder")
        learner.hears("failed.binder")
        expect(learner.page.locator(".live-detail")).to_have_text("Could not resolve ref")
        binder.fails = False
        learner.press("retry")
        learner.hears("status.ready")
        assert binder.asked == ["/build/gh/someone/course/HEAD"] * 2
        learner.press("runall")
        learner.hears("status.done")
        widget_both_ways(learner)
        wire.cut()
        learner.hears("status.lost")
        wire.mend()
        learner.retry_unless_back()
        learner.hears("status.back")
        learner.forgive("ERR_|WebSocket")


# ---- for everyone -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("learner", "width"), [("es", 375), ("en", 1200)], indirect=["learner"])
def test_readable_in_both_themes_and_by_keyboard(learner, wire, width):
    page = learner.page
    learner.resize(width)
    learner.come()
    accessibility.start(page)
    assert accessibility.findings(page) == []
    learner.choose("server", f"http://127.0.0.1:{wire.port}/")
    learner.hears("status.ready")
    error_is_readable(learner)
    accessibility.start(page)
    assert accessibility.findings(page) == []
    page.emulate_media(color_scheme="dark")
    accessibility.start(page, accessibility.RULES_OF_COLOUR)
    assert accessibility.findings(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width

    learner.cell(1).locator(".CodeMirror").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=learner.words("cell.run_label").format(number=1), exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    learner.hears("status.done")
