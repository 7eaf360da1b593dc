"""The frame of the pages: menu links, theme, layout between the widths, keyboard, motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from reader import PAGES, PROSE, Reader

from ffnbook.messages import LANGUAGES, t

CHAPTER = "exact-form.html"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
WHITE, DARK = "rgb(255, 255, 255)", "rgb(20, 24, 31)"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_menu_link_navigates_and_the_current_one_closes_the_menu(reader, lang):
    page = reader.open(f"{lang}/{CHAPTER}", width=375)
    page.locator(".menu-button").click()
    page.locator("#menu [aria-current]").click()
    expect(page.locator("#menu")).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")
    page.locator(".menu-button").click()
    page.locator("#menu a[href^='glossary']").click()
    page.wait_for_url(f"**/{lang}/glossary.html")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_theme_button_goes_round_and_is_remembered(reader, lang):
    page = reader.open(f"{lang}/{CHAPTER}", scheme="light")
    button, seen = page.locator(".theme-button"), []
    for _ in range(3):
        button.click()
        seen.append((button.get_attribute("aria-label"), page.evaluate(BACKGROUND)))
        page.reload()
        assert (button.get_attribute("aria-label"), page.evaluate(BACKGROUND)) == seen[-1]
    labels = [t(f"ui.script.theme_{mode}", lang) for mode in ("light", "dark", "auto")]
    assert seen == list(zip(labels, (WHITE, DARK, WHITE), strict=True))


def test_the_theme_follows_the_system_until_told_otherwise(reader):
    page = reader.open(f"es/{CHAPTER}", scheme="dark")
    assert page.evaluate(BACKGROUND) == DARK
    page.locator(".theme-button").click()  # light
    assert page.evaluate(BACKGROUND) == WHITE


OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("nav.contents, #menu, article > *, article section > *, aside.margin, figure.plot, .ffn-widget")]
    .filter((e) => e.checkVisibility() && !e.matches("section")).map((e) => [e, e.getBoundingClientRect()]);
  const out = [];
  for (const [a, r] of boxes.filter(([e]) => e.matches("nav.contents, #menu, aside.margin")))
    for (const [b, s] of boxes) {
      if (a.contains(b) || b.contains(a)) continue;
      const across = Math.min(r.right, s.right) - Math.max(r.left, s.left);
      const passes = (e, other) => getComputedStyle(e).position === "sticky" && !other.matches("nav");
      const down = passes(a, b) || passes(b, a) ? Infinity : Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
      if (across > 1 && down > 1) out.push(`${a.className || a.id} over ${b.tagName}.${b.className} by ${across}`);
    }
  return out;
}"""


@pytest.mark.parametrize("path", PROSE)
def test_nothing_lies_over_the_text_at_any_width(reader, path):
    page = reader.open(path)
    reader.draw_widgets()
    for width in (992, 1059, 1060, 1100, 1200, 1329, 1330, 1400, 1920):
        reader.resize(width)
        assert page.evaluate(OVERLAPS) == [], f"at {width} px"


@pytest.mark.parametrize("width", [375, 1400])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["exact-form", "activations", "width-and-parameters"])
def test_a_link_to_a_section_ends_with_its_heading_in_sight(reader, lang, name, width):
    """Widgets and figures that take their final height on the way must not carry it off."""
    top = f"document.getElementById('{name}-short').getBoundingClientRect().top"
    at_rest = f"() => {{ const y = {top}, rests = Math.abs(y - window.was) < 1; window.was = y; return rests && Math.abs(y) < 400; }}"
    for way in ("from elsewhere", "on the page"):
        reader.open("en/index.html", width=width)
        page = reader.open(f"{lang}/{name}.html" + (f"#{name}-short" if way == "from elsewhere" else ""))
        if way == "on the page":
            page.evaluate(f"""document.querySelector("a[href='#{name}-short']").click()""")
        page.wait_for_function(at_rest, polling=400)
        assert 0 <= page.evaluate(top) <= 110, way


@pytest.mark.parametrize("name", ["exact-form", "activations", "width-and-parameters", "search"])
@pytest.mark.parametrize("width", [320, 800])
def test_touching_a_field_does_not_enlarge_the_page(browser, server, name, width):
    """As iPhones and iPads do where its letters are smaller than 16 pixels."""
    someone = Reader(browser, server, has_touch=True, is_mobile=True, viewport={"width": width, "height": 800})
    page = someone.open(f"es/{name}.html")
    someone.draw_widgets()
    small = """[...document.querySelectorAll("input:not([type=range], [type=radio], [type=checkbox]), select")]
        .filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML.slice(0, 90))"""
    assert page.evaluate(small) == []
    cut = """[...document.querySelectorAll(".ffnw input[type=text]")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth).map((e) => e.value)"""
    assert page.evaluate(cut) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    someone.leave()


# Full stops, commas and brackets that begin a line because the formula before them ends one.
STRANDED = """() => [...document.querySelectorAll("article math:not([display])")].flatMap((formula) => {
  const walker = document.createTreeWalker(formula.closest("p, li, td, dd, figcaption, summary, div"), NodeFilter.SHOW_TEXT);
  walker.currentNode = formula;
  let next;
  do next = walker.nextNode(); while (next && formula.contains(next));
  if (!next || !/^[.,;:!?…%)\\]’”»]/.test(next.data)) return [];
  const mark = document.createRange();
  mark.setStart(next, 0);
  mark.setEnd(next, 1);
  const [box, of] = [mark.getClientRects()[0], formula.getBoundingClientRect()];
  return box && of.width && box.left < of.left ? [formula.textContent + next.data.slice(0, 20)] : [];
})"""


@pytest.mark.parametrize("path", PROSE)
def test_no_line_begins_with_the_full_stop_of_a_formula(reader, path):
    page = reader.open(path)
    reader.unfold()
    for width in (308, 320, 345, 360, 375, 390, 412, 600, 800, 1400):  # 308: 320, less a scroll bar
        reader.resize(width)
        assert page.evaluate(STRANDED) == [], f"at {width} px"
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width, f"at {width} px"


@pytest.mark.parametrize("path", PROSE)
def test_letters_twice_as_large_fit_the_window(reader, path):
    """All but a formula in a line, which cannot be broken."""
    page = reader.open(path, width=400)
    reader.unfold()
    page.add_style_tag(content="html { font-size: 212.5% !important } math { display: none !important }")
    page.wait_for_function("getComputedStyle(document.documentElement).fontSize === '34px'")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 400, "while its widgets wait"
    reader.draw_widgets()
    for width in (400, 440, 560, 760, 900, 1100):
        reader.resize(width)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
        assert page.evaluate("[...document.querySelectorAll('.top > *')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className)") == []


# Every stop of the Tab key: what has the focus, whether it can be seen, and whether its mark can.
STOP = """() => {
  const e = document.activeElement;
  if (e === document.body) return null;
  e.dataset.stop ??= String(++window.stops);
  const name = `${e.tagName} ${e.id || e.className} ${(e.ariaLabel || e.textContent || e.name || "").trim().slice(0, 30)}`;
  const shown = e.closest("label") ?? (e.labels?.length && e.getBoundingClientRect().width < 3 ? e.labels[0] : e);
  const box = [...shown.getClientRects()].find((r) => r.width > 1 && r.height > 1);
  if (!box) return { id: e.dataset.stop, fault: `no size: ${name}` };
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const hit = document.elementFromPoint(x, y);
  if (!hit || !(shown.contains(hit) || hit.contains(shown))) return { id: e.dataset.stop, fault: `hidden at ${x},${y} by ${hit?.outerHTML.slice(0, 80)}: ${name}` };
  const marked = [e, shown, ...(e.closest("svg") ? e.querySelectorAll("*") : [])].some((m) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(m);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  return { id: e.dataset.stop, fault: marked ? null : `no focus mark: ${name}` };
}"""
REACHABLE = """[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
    && !(e.type === "radio" && !e.checked && document.querySelector(`input[type=radio][name="${e.name}"]:checked`)))"""


@pytest.mark.parametrize("path", PAGES)
def test_keyboard_alone_at_320_pixels(reader, path):
    page = reader.open(path, width=320)
    reader.draw_widgets()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
    page.evaluate("window.stops = 0; document.documentElement.style.scrollBehavior = 'auto'")
    faults, seen = [], set()
    for _ in range(1000):  # more stops than any page has
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None or stop["id"] in seen:
            break
        seen.add(stop["id"])
        faults += [stop["fault"]] if stop["fault"] else []
    assert faults == []
    assert page.evaluate(f"{REACHABLE}.filter((e) => !e.dataset.stop).map((e) => e.outerHTML.slice(0, 100))") == []


def test_still_for_those_who_ask(browser, server):
    calm = Reader(browser, server, reduced_motion="reduce")
    page = calm.open(f"en/{CHAPTER}")
    calm.draw_widgets()
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    moving = "[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration.split(', ').some((d) => parseFloat(d) > 0.01)).map((e) => e.outerHTML.slice(0, 80))"
    assert page.evaluate(moving) == []
    assert page.evaluate("document.getAnimations().length") == 0
    calm.leave()
