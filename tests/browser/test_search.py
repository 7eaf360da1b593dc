"""Search: in the page's language, in its pages alone, and nothing but prose in what it shows."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from ffnbook.messages import LANGUAGES, t

TERMS = {"es": ("atención", "parámetros", "GELU"), "en": ("attention", "parameters", "GELU")}
NOT_PROSE = (*(t("running.actions.notebook", lang) for lang in LANGUAGES), "<button", "</", "Toggle", "import ", "lesson.", "#term-", "```", "{glue", "$", "popover")


def found(page):
    """The items of the result list, once all are there with their words; the search ends by saying how many."""
    expect(page.locator(".search-summary")).not_to_be_empty()
    results = page.locator("#search-results li")
    expect(page.locator("#search-results .context")).to_have_count(results.count())
    return results.all()


@pytest.mark.parametrize(("lang", "term"), [(lang, term) for lang in LANGUAGES for term in TERMS[lang]])
def test_a_term_is_found_in_its_language_and_only_there(reader, lang, term):
    page = reader.open(f"{lang}/exact-form.html")
    page.locator(".search input").fill(term)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{lang}/search.html?q=*")
    items = found(page)
    assert len(items) >= 2
    for item in items:
        assert f"/{lang}/" in item.locator("a").first.evaluate("(a) => a.href")
        assert not [mark for mark in NOT_PROSE if mark in item.inner_text()], item.inner_text()
    assert any(term.lower() in item.inner_text().lower() for item in items)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_result_leads_to_where_the_word_stands(reader, lang):
    page = reader.open(f"{lang}/search.html?q=GELU")
    found(page)[0].locator("a").first.click()
    page.wait_for_url(lambda url: "search.html" not in url)
    assert "gelu" in page.locator("main").inner_text().lower()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_found_is_said_in_the_pages_language(reader, lang):
    page = reader.open(f"{lang}/search.html?q=zxqwv")
    expect(page.locator("#search-results")).to_have_text(t("ui.search.title", lang) + t("ui.search.nothing", lang))
    expect(page.locator("#search-results li")).to_have_count(0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_found_is_said_in_the_books_words(reader, lang):
    page = reader.open(f"{lang}/search.html?q=GELU")
    found(page)
    words = page.locator(".search-summary").inner_text()
    count = int(re.search(r"\d+", words)[0])
    assert words == t("ui.search.found", lang, count=count)
    expect(page.locator("#search-results li")).to_have_count(count)


@pytest.mark.parametrize("asked", ["constructor", "__proto__", "toString", "<img src=x onerror=alert(1)>", "a" * 500, "%", "\\", "   "])
def test_odd_words_are_not_found_and_do_no_harm(reader, asked):
    page = reader.open(f"en/search.html?q={quote(asked)}")
    expect(page.locator(".search-summary")).to_have_text(t("ui.search.nothing", "en"))
    expect(page.locator("#terms")).to_have_value(asked)


REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('refused', 'SecurityError'); } })"


def test_search_works_where_the_browser_keeps_nothing(reader):
    reader.context.add_init_script(REFUSED)
    assert len(found(reader.open("es/search.html?q=GELU"))) >= 2


def test_the_language_switch_asks_the_same(reader):
    page = reader.open("es/search.html?q=GELU")
    page.locator(".language").click()
    page.wait_for_url("**/en/search.html?q=GELU")
    assert len(found(page)) >= 2


def test_a_phone_reaches_search_too(reader):
    page = reader.open("es/index.html", width=375)
    page.locator(".search-link").click()
    page.wait_for_url("**/es/search.html")
    page.get_by_label(t("ui.search.label", "es")).last.fill("GELU")
    page.keyboard.press("Enter")
    assert len(found(page)) >= 2
