"""The doors: the choice of language, and addresses where there is no page."""

from __future__ import annotations

import shutil
import threading

import pytest
from accessibility import findings, start
from playwright.sync_api import expect
from reader import SCHEMES, WIDTHS, Reader

from ffnbook.messages import LANGUAGES, t
from ffnbook.site import extras, serve
from ffnbook.site.extension import theme


@pytest.mark.parametrize(("locale", "door"), [("es-MX", "es/"), ("en-GB", "en/"), ("ca-ES", ""), ("fr-FR", "")])
def test_the_landing_page_follows_the_browser(browser, server, locale, door):
    someone = Reader(browser, server, locale=locale)
    page = someone.open("")
    page.wait_for_url(f"**/repo/{door}*")
    assert page.url.removeprefix(server).startswith(door)
    if not door:
        for lang in LANGUAGES:
            expect(page.get_by_role("link", name=t("ui.title", lang))).to_be_visible()
    someone.leave()


def test_the_last_choice_goes_before_the_browsers_language(browser, server):
    someone = Reader(browser, server, locale="es")
    page = someone.open("es/index.html")
    page.locator(".language").click()
    page.wait_for_url("**/en/index.html")
    page.goto("about:blank")
    someone.open("")
    page.wait_for_url("**/en/*")
    someone.leave()


def test_without_scripts_the_landing_page_offers_both(browser, server):
    someone = Reader(browser, server, java_script_enabled=False, locale="es")
    page = someone.open("")
    for lang in LANGUAGES:
        door = page.get_by_role("link", name=t("ui.title", lang))
        expect(door).to_have_attribute("lang", lang)
        assert door.get_attribute("href").startswith(f"{lang}/")
    someone.leave()


@pytest.fixture(scope="module")
def empty_site(tmp_path_factory):
    """The address of a site of two pages, published under /repo/, and its page for all other addresses."""
    root = tmp_path_factory.mktemp("empty")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FFNBOOK_SITE_URL", "https://someone.github.io/repo/")
        (root / "404.html").write_text(extras.not_found(), encoding="utf-8")
    (root / "favicon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    for lang in LANGUAGES:
        shutil.copytree(theme.HERE / "static", root / lang / "_static")
        (root / lang / "index.html").write_text(f"<title>{lang}</title>", encoding="utf-8")
    made = serve.server(root, prefix="/repo/")
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}/repo/"
    made.shutdown()
    made.server_close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", ["index.html", "404.html"])
def test_the_doors_are_accessible(browser, server, empty_site, path, scheme, width):
    someone = Reader(browser, server if path == "index.html" else empty_site, locale="fr")
    page = someone.open(path, width=width, scheme=scheme)
    start(page)
    assert findings(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    someone.leave()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_address_without_a_page_says_so_and_leads_home(browser, empty_site, lang):
    someone = Reader(browser, empty_site)
    page = someone.open("es/no/such/page.html")
    assert sorted(said.split(":")[0] for said in someone.complaints) == ["404", "console"]  # of the page itself
    page.get_by_role("link", name=t("ui.not_found.title", lang)).click()
    page.wait_for_url(f"**/repo/{lang}/index.html")
    someone.context.close()
