"""The site as published: what every page says of itself, and what stands beside the pages."""

from __future__ import annotations

import gzip
import json
import re
import struct
import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

from ffnbook.messages import LANGUAGES, t
from ffnbook.site import address
from ffnbook.site.build import ROOT
from ffnbook.site.extension import theme

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
NAMES = ["index"] + [chapter["file"] for part in TOC["parts"] for chapter in part["chapters"]]
PAGES = [(lang, name) for name in NAMES for lang in LANGUAGES]


@cache
def soup_of(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.fixture
def page(site):
    return lambda lang, name: soup_of(site / lang / f"{name}.html")


def attribute(page: BeautifulSoup, selector: str, name: str = "content") -> str:
    found = page.select(selector)
    assert len(found) == 1, f"{selector}: {len(found)}"
    return found[0][name]


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_a_page_says_what_and_where_it_is(page, lang, name):
    this, url = page(lang, name), theme.page_url(lang, name)
    assert this.html["lang"] == lang
    assert t("ui.title", lang) in this.title.string and len(this.title.string) <= 80
    assert 30 <= len(attribute(this, "meta[name=description]")) <= 200
    assert attribute(this, "link[rel=canonical]", "href") == attribute(this, "meta[property='og:url']") == url
    assert attribute(this, "meta[property='og:description']") == attribute(this, "meta[name=description]")
    assert attribute(this, "meta[property='og:title']") in this.title.string
    assert attribute(this, "meta[property='og:image']") == f"{address.site_url()}card-{lang}.png"
    assert attribute(this, "meta[property='og:locale']").startswith(lang)
    assert attribute(this, "meta[name=viewport]") == "width=device-width, initial-scale=1"


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_the_languages_of_a_page_name_each_other(page, site, lang, name):
    named = {link["hreflang"]: link["href"] for link in page(lang, name).select("link[rel=alternate]")}
    assert set(named) == {*LANGUAGES, "x-default"}
    for code in LANGUAGES:
        assert named[code] == attribute(page(code, name), "link[rel=canonical]", "href")
        path = named[code].removeprefix(address.site_url())
        assert (site / path / "index.html" if path.endswith("/") else site / path).is_file()
    default = named["x-default"].removeprefix(address.site_url())
    assert (site / default).exists()


def test_no_two_pages_share_a_title_or_a_description(page):
    for selector in (lambda p: p.title.string, lambda p: attribute(p, "meta[name=description]")):
        said = [selector(page(lang, name)) for lang, name in PAGES]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_headings_are_in_order_and_named_alike_in_both_languages(page, lang, name):
    headings = [int(h.name[1]) for h in page(lang, name).select("article :is(h1, h2, h3, h4, h5, h6)")]
    assert headings[0] == 1 and headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(headings, headings[1:], strict=False))
    ids = [[section["id"] for section in page(code, name).select("article section[id]")] for code in LANGUAGES]
    assert ids[0] == ids[1]
    assert not [i for i in ids[0] if re.fullmatch(r"id\d+", i)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sources_are_in_order_and_have_names_that_last(page, lang):
    ids = [source["id"] for source in page(lang, "bibliography").select(".citation")]
    assert all(re.fullmatch(r"source-[a-z]+\d{4}", i) for i in ids), ids
    # one that is written with braces in the source, {Gemma Team}, is not sorted as a brace
    assert ids == sorted(ids)


@pytest.mark.parametrize(("lang", "name"), [*PAGES, ("es", "search"), ("en", "search")])
def test_links_stay_in_the_language_and_in_the_folder_of_the_site(page, lang, name):
    this = page(lang, name)
    links = [(a["href"], a.get("hreflang")) for a in this.select("a[href], link[href]:not([rel=canonical], [rel=alternate])")]
    loads = [(e["src"], None) for e in this.select("[src]")]
    for href, hreflang in links + loads:
        parts = urlsplit(href)
        assert parts.scheme or not href.startswith("/"), href  # works under any sub-path
        if not parts.scheme and href.startswith("../") and not hreflang:
            assert "html" not in href, href
    crossing = [a for a in this.select("a[hreflang]")]
    assert [a["href"] for a in crossing] == [f"../{'en' if lang == 'es' else 'es'}/{name}.html"]


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_every_widget_has_its_state_in_the_page(page, lang, name):
    this = page(lang, name)
    states = {}
    for script in this.select("script[type='application/vnd.jupyter.widget-state+json']"):
        states |= json.loads(script.string)["state"]
    views = [json.loads(s.string)["model_id"] for s in this.select("script[type='application/vnd.jupyter.widget-view+json']")]
    assert set(views) <= set(states)
    assert len(set(views)) == len(views)
    used = set(re.findall(r"IPY_MODEL_(\w+)", json.dumps(states)))
    assert used <= set(states)
    assert bool(views) == bool(this.select("script[src$='host.mjs']"))
    assert len(this.select(".ffn-fallback")) == len(views)


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_figures_are_small_and_described(page, lang, name):
    for svg in page(lang, name).select("figure.plot svg"):
        assert len(gzip.compress(str(svg).encode(), 6)) <= 25_000, svg.get("aria-label")
        assert len(svg["aria-label"]) >= 40


def test_no_page_weighs_more_than_a_megabyte(site):
    heavy = {p.relative_to(site).as_posix(): p.stat().st_size for p in site.rglob("*.html") if p.stat().st_size > 1_000_000}
    assert heavy == {}


def test_the_sitemap_names_every_page_once_and_nothing_else(site):
    text = (site / "sitemap.xml").read_text(encoding="utf-8")
    named = re.findall(r"<loc>(.*?)</loc>", text)
    assert sorted(named) == sorted(theme.page_url(lang, name) for lang, name in PAGES)
    assert f"Sitemap: {address.site_url()}sitemap.xml" in (site / "robots.txt").read_text(encoding="utf-8")


def test_hosts_that_run_jekyll_leave_the_site_alone(site):
    assert (site / ".nojekyll").is_file()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_card_is_of_the_size_that_is_shared(site, lang):
    header = (site / f"card-{lang}.png").read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    assert struct.unpack(">II", header[16:24]) == (1200, 630)


def test_the_icon_is_drawn(site):
    assert "<path" in (site / "favicon.svg").read_text(encoding="utf-8")


def test_nothing_of_the_workshop_is_published(site):
    names = {p.name for p in site.rglob("*")}
    assert not names & {"_sources", ".buildinfo", "objects.inv", ".doctrees", ".jupyter_cache", "jupyter_execute", "reports"}
    user = subprocess.run(["git", "rev-parse", "--show-toplevel"], cwd=ROOT, capture_output=True, text=True).stdout.strip() or str(ROOT)
    told = [p.name for p in site.rglob("*") if p.suffix in {".html", ".js", ".mjs", ".json", ".ipynb"} and user in p.read_text(encoding="utf-8", errors="replace")]
    assert told == []
