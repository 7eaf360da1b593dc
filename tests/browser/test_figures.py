"""Every figure of every page can be read: on a small phone, on a phone and on a desktop, in either language.

Text is laid out by matplotlib in its own font and shown by the browser in the reader's, so
all is asked twice: in this machine's font, and in letters as far apart as in a wider one.
"""

from __future__ import annotations

import pytest
from reader import PROSE, Reader

from ffnbook.site.build import ROOT

LEAST = {320: 10, 375: 11, 1200: 13}  # window's width: smallest text, in px as seen
WIDER = ".09em"  # between letters: about 15 % more than DejaVu Sans, itself a wide font

FAULTS = """(least) => {
  const out = [], wide = document.documentElement.clientWidth;
  const over = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const beyond = (r, b) => Math.max(b.left - r.left, r.right - b.right, b.top - r.top, r.bottom - b.bottom);
  const seen = (e) => !/none/.test(getComputedStyle(e).fill) || !/none/.test(getComputedStyle(e).stroke);
  const upright = (d) => { // a rectangle: its corners have two x and two y between them
    const n = d.match(/-?[\\d.]+/g) ?? [];
    return /^M[^C]*z *$/i.test(d) && n.length < 11 && [0, 1].every((k) => new Set(n.filter((_, i) => i % 2 === k)).size === 2);
  };
  for (const svg of document.querySelectorAll("svg.figure")) {
    const name = svg.getAttribute("aria-label").slice(0, 30), paper = svg.getBoundingClientRect(), scale = svg.getScreenCTM().a;
    const say = (text, what) => out.push(`${name}…: “${text.textContent}” ${what}`);
    const texts = [...svg.querySelectorAll("text")].map((e) => [e, e.getBoundingClientRect()]);
    const boxes = [...svg.querySelectorAll("path")].filter((e) => upright(e.getAttribute("d")) && seen(e)).map((e) => e.getBoundingClientRect());
    if (!texts.length) out.push(`${name}…: has no text`);
    texts.forEach(([text, box], number) => {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale, { x, y, width, height } = box;
      if (!(size >= least)) say(text, `is ${size.toFixed(1)} px high`);
      if (beyond(box, paper) > 1) say(text, `is ${beyond(box, paper).toFixed(1)} px outside its figure`);
      if (box.left < 0 || box.right > wide) say(text, `is cut by the window: ${box.left} to ${box.right}`);
      for (const [other, where] of texts.slice(0, number)) if (over(box, where) > 1) say(text, `stands on “${other.textContent}”`);
      const holds = ({ left, right, top, bottom }) => left < x + width / 2 && x + width / 2 < right && top < y + height / 2 && y + height / 2 < bottom;
      for (const around of boxes) if (holds(around) && (box.left < around.left - 1 || box.right > around.right + 1)) say(text, "is wider than its box");
    });
  }
  return out;
}"""


@pytest.fixture(scope="module", params=PROSE)
def reading(request, browser, server):
    """One page, its folds open, and how many figures its source shows."""
    someone = Reader(browser, server)
    someone.open(request.param, width=375)
    someone.unfold()
    source = ROOT / "book" / request.param.replace(".html", ".md")
    yield someone, source.read_text(encoding="utf-8").count("lesson.show(")
    someone.leave()


def test_every_figure_is_on_its_page(reading):
    someone, figures = reading
    assert someone.page.locator("svg.figure").count() == figures


@pytest.mark.parametrize("width", LEAST)
def test_every_text_of_a_figure_can_be_read(reading, width):
    someone, _ = reading
    someone.resize(width)
    assert someone.page.evaluate(FAULTS, LEAST[width]) == []


@pytest.mark.parametrize("width", LEAST)
def test_there_is_room_for_a_wider_font(reading, width):
    someone, _ = reading
    someone.resize(width)
    someone.page.evaluate("(gap) => { for (const e of document.querySelectorAll('svg.figure text')) e.style.letterSpacing = gap }", WIDER)
    found = someone.page.evaluate(FAULTS, LEAST[width])
    someone.page.evaluate("() => { for (const e of document.querySelectorAll('svg.figure text')) e.style.letterSpacing = '' }")
    assert found == []
