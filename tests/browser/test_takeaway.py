"""What a reader takes away: a page as a notebook, the book in a zip that opens from the disk."""

from __future__ import annotations

import json
import zipfile

import nbformat
import pytest
from chromium import soon
from reader import NAMES, Reader

from ffnbook.messages import LANGUAGES, t
from ffnbook.site.build import ROOT
from ffnbook.site.check import read
from ffnbook.site.reading import anchors
from ffnbook.site.takeaway import notebooks

WITH_CELLS = [page.name for page in notebooks.with_cells(anchors.book(ROOT, "en"))]
WITH_WIDGETS = [n for n in WITH_CELLS if "lesson.widget(" in (ROOT / "book" / "en" / f"{n}.md").read_text(encoding="utf-8")]

# What of a kind is not drawn, or narrower than it should be
SMALL = """([kind, least]) => [...document.querySelectorAll(kind)].filter((e) => e.getBoundingClientRect().width <= least)
  .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_download_buttons_hand_over_valid_notebooks(reader, lang, tmp_path):
    for name in WITH_CELLS:
        page = reader.open(f"{lang}/{name}.html")
        links = page.locator(".actions a[download]").all()
        assert len(links) == 1 + (ROOT / "exercises" / lang / f"{name}.ipynb").is_file()
        for link in links:
            with page.expect_download() as waiting:
                link.click()
            assert waiting.value.suggested_filename.endswith(".ipynb")
            waiting.value.save_as(tmp_path / "taken.ipynb")
            nbformat.validate(json.loads((tmp_path / "taken.ipynb").read_text(encoding="utf-8")))


@pytest.fixture(scope="module", params=LANGUAGES)
def offline(request, site, tmp_path_factory):
    """(language, folder) of the unpacked edition."""
    name = t("running.offline.name", request.param)
    folder = tmp_path_factory.mktemp("offline")
    with zipfile.ZipFile(site / request.param / f"{name}.zip") as packed:
        packed.extractall(folder)
    return request.param, folder / name


class AtHome(Reader):
    """A reader whose pages come from the disk: the browser gives what they make no origin."""

    def _own(self, url: str) -> bool:
        return super()._own(url) or url.startswith("blob:null/")


@pytest.fixture
def at_home(browser, offline):
    """A reader of the unpacked edition, without a server."""
    someone = AtHome(browser, offline[1].as_uri() + "/")
    yield someone
    someone.leave()


def test_each_page_reads_well_from_the_disk(at_home, offline):
    for name in NAMES:
        page = at_home.open(f"{name}.html")
        at_home.unfold()
        assert page.locator("html").get_attribute("lang") == offline[0]
        assert page.evaluate("document.fonts.ready.then((all) => [...all].filter((f) => f.status === 'loaded').length)") > 0
        assert page.evaluate(SMALL, ["main math", 0]) == page.evaluate(SMALL, ["main svg.figure", 200]) == [], name


def test_widgets_move_on_the_disk(at_home):
    assert WITH_WIDGETS
    for name in WITH_WIDGETS:
        page = at_home.open(f"{name}.html")
        at_home.draw_widgets()
        slider = page.locator("[data-ffn-host=drawn] input[type=range]:visible").first
        words = "e => e.closest('[data-ffn-host]').innerText"
        before = slider.input_value(), slider.evaluate(words)
        slider.press("ArrowRight")
        soon(page, lambda: before[0] != slider.input_value() and before[1] != slider.evaluate(words), True)


def test_every_link_leads_somewhere_on_the_disk(offline):
    folder = offline[1]
    for path in folder.glob("*.html"):
        for href, _ in read(path.read_text(encoding="utf-8")).links:
            target = href.split("#")[0].split("?")[0]
            assert "://" in href or not target or (folder / target).is_file(), f"{path.name}: {href}"


def test_the_search_works_on_the_disk(at_home):
    page = at_home.open("search.html?q=gelu")
    page.locator("#search-results li").first.wait_for()
