"""What every chapter offers: what one will be able to do, how long it takes, and a question to answer aloud."""

from __future__ import annotations

import re

import pytest

from ffnbook.exercises import catalog
from ffnbook.messages import LANGUAGES
from ffnbook.site.build import ROOT
from ffnbook.site.reading.markup import Directive
from ffnbook.site.reading.pages import Page, read

CHAPTERS = ("exact-form", "activations", "width-and-parameters")
ABLE = {"en": "**What you will be able to do:**", "es": "**Qué sabrás hacer:**"}
TIMES = {
    "en": re.compile(r"About \{given\}`(\d+)` minutes to read, \{given\}`(\d+)` for the exercises\."),
    "es": re.compile(r"Unos \{given\}`(\d+)` minutos de lectura y \{given\}`(\d+)` de ejercicios\."),
}
# The rule behind the times: careful reading, with the predictions answered and the figures moved. An estimate, not a measurement.
WORDS_PER_MINUTE = 150
MINUTES = {"line of code": 1 / 12, "figure": 1 / 3, "widget": 3, "predict": 1 / 2, "formula": 1 / 3, "dropdown": 1}
WORK = {"choice": 5, "numeric": 5, "function": 10, "torch": 15}  # minutes for an exercise


def chapter(name: str, lang: str) -> Page:
    return read(ROOT / "book" / lang / f"{name}.md", ROOT, name, lang)


def before_exercises(page: Page) -> int:
    return next(h.line for h in page.headings if h.target == f"{page.name}-exercises")


def reading_minutes(page: Page) -> float:
    """How long the page takes up to its exercises."""
    end = before_exercises(page)
    counted = [d for d in page.directives if d.line < end]
    words = sum(len(line.split()) for line in page.prose[:end])
    minutes = words / WORDS_PER_MINUTE + sum(map(directive_minutes, counted))
    return minutes + MINUTES["formula"] * sum(m.display for m in page.math if m.line < end)


def directive_minutes(block: Directive) -> float:
    if block.name != "code-cell":
        return MINUTES.get(block.name, 0)
    code = "\n".join(block.body)
    shown = MINUTES["figure"] * code.count("lesson.show(") + MINUTES["widget"] * code.count("lesson.widget(")
    hidden = {"remove-cell", "remove-input", "hide-input"} & set(block.tags)
    return shown + (0 if hidden else MINUTES["line of code"] * sum(bool(line.strip()) for line in block.body))


def fives(minutes: float) -> int:
    return 5 * round(minutes / 5)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_says_how_long_it_takes_by_the_rule(name):
    read_in = max(fives(reading_minutes(chapter(name, lang))) for lang in LANGUAGES)
    done_in = fives(sum(WORK[e.kind] for e in catalog.load() if e.chapter == name))
    for lang in LANGUAGES:
        said = TIMES[lang].findall("\n".join(chapter(name, lang).lines))
        assert said == [(str(read_in), str(done_in))], f"{lang}: by the rule {read_in} minutes to read and {done_in} for the exercises"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_says_first_what_one_will_be_able_to_do(name, lang):
    page = chapter(name, lang)
    lines = [at for at, line in enumerate(page.lines, 1) if line.startswith(ABLE[lang])]
    idea, following = idea_lines(page)
    assert len(lines) == 1 and idea < lines[0] < following


def idea_lines(page: Page) -> tuple[int, int]:
    """Where the idea in one sentence stands, and where the next section begins."""
    starts = [h.line for h in page.headings]
    idea = next(h.line for h in page.headings if h.target == f"{page.name}-idea")
    return idea, starts[starts.index(idea) + 1]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_asks_for_an_explanation_and_folds_a_good_one(name, lang):
    page = chapter(name, lang)
    order = [h.target for h in page.headings]
    assert order.index(f"{name}-explain") + 1 == order.index(f"{name}-short")
    start, end = (next(h.line for h in page.headings if h.target == f"{name}-{part}") for part in ("explain", "short"))
    folds = [d for d in page.directives if d.name == "dropdown" and start < d.line < end]
    assert len(folds) == 1 and len(" ".join(folds[0].body).split()) > 60


def test_the_rule_counts_what_is_read():
    assert reading_minutes(chapter("exact-form", "en")) > 20
    shown = Directive(1, "code-cell", "", "```", False, {}, body=["x = 1", "", "y = 2"])
    assert directive_minutes(shown) == pytest.approx(2 / 12)


def test_no_docstring_numbers_the_chapters():
    """They have names; a number would be that of another course."""
    numbered = re.compile(r"\bchapters? \d", re.I)
    modules = sorted((ROOT / "ffnbook").rglob("*.py"))
    assert [path.name for path in modules if numbered.search(path.read_text(encoding="utf-8"))] == []
