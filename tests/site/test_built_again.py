"""Building again on warm caches: what changed is new, what did not is not run, what is gone is gone."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from ffnbook.site import extras, installed
from ffnbook.site.inputs import files_under

WIDGET = """
```{code-cell} ipython3
from ffnbook.widgets import ActivationExplorer
lesson.widget(ActivationExplorer())
```
"""


@pytest.fixture
def agreed_again(book):
    """For tests that agree what they changed."""
    yield
    book.restore()
    book.agree()


def test_a_page_is_run_when_what_it_imports_has_changed_and_only_then(book):
    after_build(book)
    runs = book.runs_so_far()
    book.edit("ffnbook/small.py", "ANSWER = 41", "from ffnbook.other import UNRELATED\n\nANSWER = 50 + UNRELATED")
    page = after_build(book)
    assert ">51<" in page and ">41<" not in page
    book.edit("ffnbook/other.py", "UNRELATED = 1", "UNRELATED = 7")  # imported by what the page imports
    assert ">57<" in after_build(book)
    assert book.runs_so_far() == runs + 2
    book.write("ffnbook/third.py", "NOBODY = 1\n")
    book.edit("book/es/answer.md", "Mira {glue", "Fíjate en {glue")
    assert "Fíjate en" in after_build(book)
    assert book.runs_so_far() == runs + 2


KERNEL = "kernelspec: {display_name: Python 3, language: python, name: python3}\n"


@pytest.mark.parametrize(
    "written",
    ["kernelspec:\n  display_name: Python 3\n  language: python\n  name: python3\n", "", "kernelspec:   {name: python3, display_name: Python 3}\n"],
    ids=["block", "none", "spaces"],
)
def test_the_front_matter_may_write_its_kernel_as_it_likes(book, written):
    book.edit("book/es/answer.md", KERNEL, written)
    assert ">41<" in after_build(book)
    book.edit("ffnbook/small.py", "ANSWER = 41", "ANSWER = 52")
    assert ">52<" in after_build(book)


def test_a_setting_that_is_used_as_pages_are_read_reads_them_again(book):
    after_build(book)
    book.edit("_config.yml", "source-{key}", "paper-{key}")
    after_build(book)
    assert 'id="paper-vaswani2017"' in book.html("bibliography") and '#paper-vaswani2017"' in book.html("index")


def test_a_word_of_the_frame_changed_is_on_every_page(book):
    book.edit("ffnbook/locale/es/ui.toml", '"Ir al contenido"', '"Saltar al contenido"')
    after_build(book)
    try:
        assert all("Saltar al contenido" in book.html(name) for name in ("index", "answer", "bibliography"))
    finally:
        book.edit("ffnbook/locale/es/ui.toml", '"Saltar al contenido"', '"Ir al contenido"')


def test_a_page_renamed_is_built_and_its_old_name_is_gone(book, agreed_again):
    assert (book.out / "site/es/answer.html").is_file()
    for lang in ("es", "en"):
        (book.root / f"book/{lang}/answer.md").rename(book.root / f"book/{lang}/reply.md")
    book.edit("_toc.yml", "answer", "reply")
    for lang in ("es", "en"):
        book.edit(f"book/{lang}/reply.md", "(answer)=", "(reply)=")
        book.edit(f"book/{lang}/reply.md", "(answer-part)=", "(reply-part)=")
        book.edit(f"book/{lang}/index.md", "#answer-part", "#reply-part")
    book.agree()
    status, said = book.build_all()
    assert status == 0, said
    site = book.out / "site"
    assert (site / "es/reply.html").is_file()
    left = [p.relative_to(site).as_posix() for p in site.rglob("answer.*") if "_static" not in p.parts]
    assert left == []
    assert "answer" not in (site / "sitemap.xml").read_text(encoding="utf-8")


def test_a_book_built_again_is_the_book_built_from_nothing(book):
    """What pages show of one another; words that are gone from the search; a file brought back with the time it had; widgets."""
    book.edit("book/es/answer.md", "2 + 2\n```\n", "2 + 2\n```\n" + WIDGET)
    book.edit("book/es/bibliography.md", "```{bib", "Palabraquesobra [](#answer-part).\n\n```{bib")
    after_build(book)
    book.edit("book/es/answer.md", "# Uno", "# Unidad")
    book.edit("book/es/answer.md", "## Parte", "## Sección")
    after_build(book)
    assert "Sección" in book.html("bibliography")
    book.edit("book/es/bibliography.md", "Palabraquesobra ", "Véase ")
    after_build(book)
    book.edit("book/es/index.md", "Mira", "Observa")
    os.utime(book.root / "book/es/index.md", (0, 0))
    after_build(book)
    assert book.build(out="anew")[0] == 0
    again, anew = (published(book.out / name / "html") for name in ("es", "anew"))
    assert again.keys() == anew.keys()
    assert [name for name in anew if again[name] != anew[name]] == []
    shutil.rmtree(book.out / "anew")


def test_the_table_of_contents_is_the_same_on_every_page(book):
    after_build(book)
    book.edit("_toc.yml", "parts.sublayer", "parts.size")
    after_build(book)
    assert all("El tamaño" in book.html(name) and "La subcapa" not in book.html(name) for name in ("index", "answer", "bibliography"))


def test_what_a_page_linked_to_is_missed_although_that_page_has_not_changed(book):
    book.edit("book/es/bibliography.md", "```{bib", "[](#answer-part)\n\n```{bib")
    after_build(book)
    book.edit("book/es/answer.md", "(answer-part)=", "(answer-piece)=")
    book.edit("book/es/index.md", "#answer-part", "#answer-piece")
    status, said = book.build()
    assert status != 0 and "bibliography.md" in said and "answer-part" in said


def test_no_file_of_ours_outlives_its_source(book):
    book.write("ffnbook/site/extension/static/gone.mjs", "export const gone = 1;\n")
    after_build(book)
    gone = book.out / "es/html/_static/gone.mjs"
    assert gone.is_file()
    (book.root / "ffnbook/site/extension/static/gone.mjs").unlink()
    after_build(book)
    assert not gone.is_file() and gone.with_name("page.mjs").is_file()


def test_no_code_is_left_beside_a_page_that_runs_none(book):
    assert book.build(FFNBOOK_LIVE="1")[0] == 0
    code = book.out / "es/html/_live/answer.json"
    assert code.is_file()
    after_build(book)
    assert not code.is_file()


def test_other_versions_are_another_book(book, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    known = installed.versions.__wrapped__()
    (tmp_path / "NumPy-0.1.dist-info").mkdir()
    (tmp_path / "unheard_of-0.1.dist-info").mkdir()
    assert installed.versions.__wrapped__() != known and "unheard" not in installed.versions.__wrapped__()


def test_nothing_changed_is_said_at_once(book):
    assert book.build_all()[0] == 0
    page = book.out / "site" / "es" / "answer.html"
    built, began = page.stat().st_mtime_ns, time.monotonic()
    status, said = book.build_all()
    assert status == 0
    assert page.stat().st_mtime_ns == built
    assert said.count("\n") == 1 and time.monotonic() - began < 20


def test_what_changed_in_one_language_leaves_the_other_as_it_is(book, agreed_again):
    assert book.build_all()[0] == 0
    pages = {lang: book.out / lang / "html" / "answer.html" for lang in ("es", "en")}
    written = {lang: page.stat().st_mtime_ns for lang, page in pages.items()}
    book.edit("book/es/answer.md", "Mira {glue", "Observa {glue")
    book.agree()
    status, said = book.build_all()
    assert status == 0, said
    assert re.search(r"(Building|Construyo) es…", said), said
    assert "Observa" in (book.out / "site/es/answer.html").read_text(encoding="utf-8")
    assert pages["en"].stat().st_mtime_ns == written["en"]
    assert pages["es"].stat().st_mtime_ns > written["es"]
    book.write("ffnbook/small.py", "ANSWER = 43\n")  # both languages use the library
    status, said = book.build_all()
    assert status == 0 and re.search(r"(Building|Construyo) es, en…", said), said
    assert all("43" in (book.out / f"site/{lang}/answer.html").read_text(encoding="utf-8") for lang in ("es", "en"))


def test_a_language_that_failed_is_built_again_although_nothing_changed(book, agreed_again):
    for lang in ("es", "en"):
        book.edit(f"book/{lang}/answer.md", "2 + 2", "1 / 0")
    book.agree()
    for _ in range(2):
        status, said = book.build_all()
        assert status == 1 and "ZeroDivisionError" in said


def test_a_new_address_is_on_every_page(book):
    status, said = book.build_all(FFNBOOK_SITE_URL="https://else.example/ffn/")
    assert status == 0, said
    for page in (book.out / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "127.0.0.1" not in text, page
        if page.name != "404.html":
            assert '<link rel="canonical" href="https://else.example/ffn/' in text, page


def test_the_private_exercises_of_a_shell_are_kept_from_the_pages(book, agreed_again):
    """A teacher's shell may be told which set to grade with; the book's pages always show the course's own."""
    for lang in ("es", "en"):
        book.edit(f"book/{lang}/answer.md", "2 + 2", '"FFNBOOK_EXERCISES" in os.environ')
    book.agree()
    status, said = book.build_all(FFNBOOK_EXERCISES=str(book.root / "private"))
    assert status == 0, said
    assert re.search(r'class="output.*?<pre[^>]*>(<span></span>)?False\b', book.html("answer"), re.S)


def test_a_site_without_run_this_page_has_nothing_of_it(book):
    assert book.build_all()[0] == 0  # as the tiny book is always built, with FFNBOOK_LIVE=0
    assert not (book.out / "site" / "live").exists()
    assert "data-ways" not in book.html("answer")


def test_two_builds_from_nothing_give_the_same_pages(book):
    pages = []
    for _ in range(2):
        shutil.rmtree(book.out)
        status, said = book.build_all()
        assert status == 0, said
        site = book.out / "site"
        pages.append({p.relative_to(site).as_posix(): p.read_bytes() for p in files_under(site)})
    assert pages[0].keys() == pages[1].keys()
    assert [name for name in pages[0] if pages[0][name] != pages[1][name]] == []
    assert [name for name, content in pages[0].items() if str(book.root).encode() in content] == []


def published(folder: Path) -> dict[str, bytes]:
    """What of a language's folder is published."""
    files = {path.relative_to(folder).as_posix(): path for path in files_under(folder)}
    unpublished = shutil.ignore_patterns(*extras.NOT_PUBLISHED)
    return {name: path.read_bytes() for name, path in files.items() if not unpublished("", name.split("/"))}


def after_build(book, name: str = "answer") -> str:
    """The page after a build of the Spanish book."""
    status, said = book.build()
    assert status == 0, said
    return book.html(name)
