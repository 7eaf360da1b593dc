"""Every page, both languages, at three widths, light and dark: one load of each, then every question asked of it."""

from __future__ import annotations

import accessibility
import pytest
from playwright.sync_api import expect
from reader import PAGES, WIDTHS, Reader

OVERFLOWING = """() => {
  const wide = document.documentElement.clientWidth, out = [];
  if (document.scrollingElement.scrollWidth > wide) out.push(`the page: ${document.scrollingElement.scrollWidth} px`);
  const scrolls = (e) => { for (; e; e = e.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)) return true; };
  for (const e of document.querySelectorAll("main *")) {
    const { left, right, width } = e.getBoundingClientRect();
    if (width > 1 && (right > wide + 1 || left < -1) && !scrolls(e) && !e.closest("svg, math, .hidden"))
      out.push(`${e.tagName}.${e.className} from ${left} to ${right}`);
  }
  return out;
}"""


@pytest.fixture(scope="module", params=PAGES)
def opened(request, browser, server):
    """One page in three windows, {width: reader}, its widgets drawn and its folds open."""
    readers = {width: Reader(browser, server) for width in WIDTHS}
    for width, reader in readers.items():
        reader.open(request.param, width=width)
    for reader in readers.values():
        reader.draw_widgets()
        reader.unfold()
    yield readers
    for reader in readers.values():
        reader.context.close()


def at(width: int, found: list[str]) -> list[str]:
    return [f"at {width} px: {what}" for what in found]


@pytest.mark.parametrize(
    ("scheme", "rules"), [("light", accessibility.ALL_RULES), ("dark", accessibility.RULES_OF_COLOUR)], ids=["light", "dark"]
)
def test_axe_finds_nothing(opened, scheme, rules):
    for reader in opened.values():
        reader.page.emulate_media(color_scheme=scheme)
        accessibility.start(reader.page, rules)
    assert [what for width, reader in opened.items() for what in at(width, accessibility.findings(reader.page))] == []


def test_nothing_overflows_sideways(opened):
    assert [what for width, reader in opened.items() for what in at(width, reader.page.evaluate(OVERFLOWING))] == []


@pytest.mark.parametrize("width", [w for w in WIDTHS if w < 1060])
def test_the_menu_opens_and_closes(opened, width):
    page = opened[width].page
    button, menu = page.locator(".menu-button"), page.locator("#menu")
    expect(menu).to_be_hidden()
    button.click()
    expect(menu.get_by_role("link").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    menu.locator(".menu-close").click()
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()


def test_a_wide_window_shows_the_menu(opened):
    expect(opened[1400].page.locator("#menu").get_by_role("link").first).to_be_visible()
    expect(opened[1400].page.locator(".menu-button")).to_be_hidden()


def test_the_page_contents_are_at_hand(opened):
    if not opened[1400].page.locator("nav.contents").count():
        assert opened[1400].page.locator("article h2").count() < 2
        return
    expect(opened[1400].page.locator("nav.contents a").nth(1)).to_be_visible()
    for width in (375, 800):
        inline = opened[width].page.locator("details.contents-inline")
        if not inline.count() and "index.html" in opened[width].page.url:
            continue  # the preface begins without one
        inline.evaluate("(e) => { e.open = false }")
        inline.locator("summary").click()
        expect(inline.locator("a").nth(1)).to_be_visible()


LONG_SECTION = """() => [...document.querySelectorAll("article section section[id]")]
  .filter((s) => s.getBoundingClientRect().height > 400 && !s.querySelector("section")).reverse()
  .find((s) => s.getBoundingClientRect().top + scrollY + innerHeight < document.documentElement.scrollHeight)?.id"""
READING = "document.documentElement.classList.contains('reading')"


def test_the_switch_leads_to_the_same_section(opened):
    page = opened[800].page
    page.emulate_media(reduced_motion="reduce")
    here, there = (page.locator("html").get_attribute("lang"), page.locator(".language").get_attribute("hreflang"))
    section = page.evaluate(LONG_SECTION)
    if section:
        page.evaluate("(id) => document.getElementById(id).scrollIntoView({behavior: 'instant'})", section)
        page.wait_for_function(READING)
        page.mouse.wheel(0, -20)  # turning back a little brings the frame's top
        page.wait_for_function(f"!{READING}")
    was = page.url.split("#")[0]
    page.locator(".language").click()
    page.wait_for_url(lambda url: f"/{there}/" in url)
    assert page.url == was.replace(f"/{here}/", f"/{there}/") + (f"#{section}" if section else "")
    assert page.locator("html").get_attribute("lang") == there
    assert not section or page.locator(f"[id='{section}']").count() == 1


def test_no_error_no_failed_and_no_foreign_request(opened):
    assert [what for width, reader in opened.items() for what in at(width, reader.complaints)] == []
