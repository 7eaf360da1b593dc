"""Exercises on the page: someone who answers wrong first, comes back later, has no script, or brings a file."""

from __future__ import annotations

import json

import accessibility
import pytest
from reader import Reader

from ffnbook.exercises import catalog
from ffnbook.messages import LANGUAGES, t

COUNT = catalog.load().find("count-1024")
TAILS = catalog.load().find("tails")
PAGE = "{}/width-and-parameters.html"
REFUSING = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('refused'); } })"


def type_in(page, name: str, text: str, press: str = "Enter"):
    """Type into the field of a question; what the page replies."""
    field = page.locator(f"#q-{name}")
    field.fill(text)
    field.press("Enter") if press == "Enter" else field.locator("xpath=..").get_by_role("button").click()
    return field.locator("xpath=ancestor::form").get_by_role("status").inner_text()


def progress(page) -> str:
    return page.locator(".exercise-progress [role=status]").inner_text()


def kept(page) -> dict:
    return page.evaluate("Object.fromEntries(Object.entries(localStorage).filter(([key]) => /^ffn-(answer|done|predict):/.test(key)))")


def ready(page):
    page.wait_for_function("document.querySelector('.exercise-progress [role=status]')?.textContent")
    return page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wrong_then_right_then_remembered_in_both_languages(reader, lang):
    page = ready(reader.open(PAGE.format(lang)))
    assert progress(page) == t("questions.script.progress", lang, done=0, total=4)
    squared = next(m for m in COUNT.answers["n_W1"]["mistake"] if m["value"] == 1024**2)
    assert type_in(page, "count-1024-n_W1", "1048576") == f"{t('questions.script.wrong', lang)} {squared[lang]}"
    assert type_in(page, "count-1024-n_W1", "123", "click") == f"{t('questions.script.wrong', lang)} {COUNT.answers['n_W1']['hint'][lang]}"
    assert type_in(page, "count-1024-n_W1", "four") == t("questions.script.number", lang)
    assert page.locator("#q-count-1024-n_W1").get_attribute("aria-invalid") == "true"
    for name, text in (("n_W1", "4.194.304"), ("n_W2", "4,194,304"), ("n_ffn", "8 393 728")):
        assert type_in(page, f"count-1024-{name}", text) == f"{t('questions.script.right', lang)} {COUNT.answers[name]['right'][lang]}"
    assert progress(page) == t("questions.script.progress", lang, done=1, total=4)
    other = next(code for code in LANGUAGES if code != lang)
    page = ready(reader.open(PAGE.format(other)))
    assert page.locator("#q-count-1024-n_ffn").input_value() == "8 393 728"
    assert progress(page) == t("questions.script.progress", other, done=1, total=4)
    assert page.locator("[data-exercise=count-1024] .exercise-done").inner_text().strip().endswith(t("questions.exercise.done", other))
    type_in(page, "count-1024-n_ffn", "0")
    assert progress(page) == t("questions.script.progress", other, done=0, total=4)


def test_choices_from_the_keyboard(reader):
    page = ready(reader.open("es/activations.html"))
    choices = page.locator("[data-exercise=tails] [data-name=order] details")
    choices.nth(2).locator("summary").focus()
    page.keyboard.press("Enter")
    assert TAILS.answers["order"]["choices"]["c"]["es"]["reply"] in choices.nth(2).inner_text()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert choices.evaluate_all("all => all.map((d) => d.open)") == [False, True, False, False]
    page.locator("[data-exercise=tails] [data-name=reason] details").nth(2).locator("summary").click()
    page.wait_for_function("localStorage.getItem('ffn-done:tails')")
    assert kept(page) == {"ffn-answer:tails/order": "b", "ffn-answer:tails/reason": "c", "ffn-done:tails": "1"}
    page = ready(reader.open("en/activations.html"))
    assert page.locator("[data-exercise=tails] details[open]").count() == 2
    assert progress(page) == "Done: 1 of 6."


def test_nothing_tells_the_right_choice_apart_before_it_is_opened(reader):
    page = ready(reader.open("en/activations.html"))
    look = "all => all.map((e) => { const s = getComputedStyle(e); return [s.color, s.borderColor, s.fontWeight, s.backgroundColor].join() })"
    for part in ("details", "summary", "summary *"):
        assert len(set(page.locator(f"[data-exercise=tails] [data-name=order] {part}").evaluate_all(look))) == 1


def test_what_the_page_cannot_tell_the_reader_marks(reader):
    page = ready(reader.open("en/exact-form.html"))
    button = page.locator("[data-exercise=ffn] .exercise-done button")
    assert button.get_attribute("aria-pressed") == "false"
    button.focus()
    page.keyboard.press("Enter")
    assert (button.get_attribute("aria-pressed"), progress(page)) == ("true", "Done: 1 of 4.")
    page = ready(reader.open("es/exact-form.html"))
    button = page.locator("[data-exercise=ffn] .exercise-done button")
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert kept(page) == {}


def test_without_javascript_every_reply_can_be_read(browser, server):
    reader = Reader(browser, server, java_script_enabled=False)
    page = reader.open("es/width-and-parameters.html")
    assert not page.locator("form.number").first.is_visible() and not page.locator(".exercise-done button").first.is_visible()
    answer = page.locator(".number-answer").first
    answer.locator("summary").click()
    assert "4\u202f194\u202f304" in answer.inner_text() and COUNT.answers["n_W1"]["right"]["es"] in answer.inner_text()
    page.goto(server + "es/activations.html")
    choice = page.locator("[data-exercise=tails] details").nth(0)
    choice.locator("summary").click()
    assert TAILS.answers["order"]["choices"]["a"]["es"]["reply"] in choice.inner_text()
    reader.leave()


def test_where_nothing_can_be_kept_the_page_works_and_says_so(browser, server):
    reader = Reader(browser, server)
    reader.context.add_init_script(REFUSING)
    page = ready(reader.open("en/width-and-parameters.html"))
    assert type_in(page, "count-1024-n_W1", "4194304").startswith("Yes.")
    assert progress(page) == t("questions.script.refused", "en")
    page.goto(server + "en/index.html")
    page.locator("[data-do=clear]").click()
    reader.leave()


def saved(page) -> dict:
    with page.expect_download() as waiting:
        page.locator("[data-do=save]").click()
    assert waiting.value.suggested_filename.endswith(".json")
    return json.loads(waiting.value.path().read_text(encoding="utf-8"))


def give(page, content: str) -> str:
    """Load a file from the panel; what the panel says."""
    with page.expect_file_chooser() as waiting:
        page.locator("[data-do=load]").click()
    before = said(page)
    waiting.value.set_files([{"name": "mine.json", "mimeType": "application/json", "buffer": content.encode()}])
    page.wait_for_function("before => document.querySelector('.answers-kept .reply').textContent !== before", arg=before)
    return said(page)


def said(page) -> str:
    return page.locator(".answers-kept .reply").text_content()


def test_answers_are_saved_erased_brought_back_and_loaded(reader):
    page = ready(reader.open("es/width-and-parameters.html"))
    type_in(page, "count-1024-n_W1", "4.194.304")
    page.locator("[data-exercise=ffn-share] .exercise-done button").click()
    page = reader.open("es/index.html")
    page.wait_for_function("document.querySelector('.answers-kept .reply').textContent")
    assert said(page) == t("questions.script.kept", "es", answers=1, done=1)
    before, file = kept(page), saved(page)
    assert file == {"format": "ffnbook-answers/1", "kept": before} and len(before) == 2
    page.evaluate("localStorage.setItem('ffn-theme', 'dark')")
    clear = page.locator("[data-do=clear]")
    clear.focus()
    page.keyboard.press("Enter")
    assert kept(page) == {} and page.evaluate("localStorage.getItem('ffn-theme')") == "dark"
    page.get_by_role("button", name=t("questions.script.undo", "es")).press("Enter")
    assert kept(page) == before and clear.evaluate("e => e === document.activeElement")
    clear.click()
    assert give(page, json.dumps(file)) == t("questions.script.loaded", "es", answers=1, done=1)
    assert kept(page) == before


@pytest.mark.parametrize("content", ["", "not json", "[]", "null", '{"format": "other/1", "kept": {}}', '{"format": "ffnbook-answers/1", "kept": null}', "x" * 1_100_000])
def test_a_file_that_is_no_such_file_changes_nothing(reader, content):
    page = reader.open("en/index.html")
    page.evaluate("localStorage.setItem('ffn-done:ffn', '1')")
    assert give(page, content) == t("questions.script.unreadable", "en")
    assert kept(page) == {"ffn-done:ffn": "1"}


def test_a_hostile_file_puts_nothing_on_the_page(reader):
    page = reader.open("en/index.html")
    bad = {
        "ffn-answer:count-1024/n_W1": '<img src=x onerror="document.title=1">',
        "ffn-theme": "dark", "other": "1", "ffn-answer:tails/order": "zzz", "ffn-done:<b>": "1", "ffn-done:relu": 1, "ffn-done:silu": "x" * 300,
    }  # fmt: skip
    give(page, json.dumps({"format": "ffnbook-answers/1", "kept": bad}))
    assert set(kept(page)) == {"ffn-answer:count-1024/n_W1", "ffn-answer:tails/order"}
    assert page.evaluate("[localStorage.getItem('ffn-theme'), localStorage.getItem('other')]") == [None, None]
    page = ready(reader.open("en/width-and-parameters.html"))
    assert page.locator("[data-exercise=count-1024] img").count() == 0 and page.title() != "1"
    assert type_in(page, "count-1024-n_W1", "4194304").startswith("Yes.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1200])
def test_answered_pages_are_as_accessible_as_fresh_ones(reader, scheme, width):
    page = ready(reader.open("es/width-and-parameters.html", width=width, scheme=scheme))
    for name, text in (("n_W1", "1048576"), ("n_W2", "4194304"), ("n_ffn", "?")):
        type_in(page, f"count-1024-{name}", text)
    page.locator("[data-exercise=ffn-share] .exercise-done button").click()
    page.locator("details.solution").first.evaluate("fold => fold.open = true")
    page.evaluate("scrollTo(0, 0)")  # the frame that stays on top covers what scrolls under it
    accessibility.start(page)
    assert accessibility.findings(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_the_exercise_notebook_downloads_in_the_language_of_the_page(reader):
    for lang in LANGUAGES:
        page = ready(reader.open(PAGE.format(lang)))
        with page.expect_download() as waiting:
            page.locator(".exercise-progress a").click()
        cells = json.loads(waiting.value.path().read_text(encoding="utf-8"))["cells"]
        assert f'lesson.start("{lang}")' in "".join(cells[1]["source"])
        assert waiting.value.suggested_filename.startswith(f"width-and-parameters-{lang}-")
