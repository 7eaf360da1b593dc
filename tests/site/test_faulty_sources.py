"""A book that is not sound is not built, and its author is told where and what."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FAILED = {"es": "falló una celda", "en": "a cell failed"}


@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_failing_cell_is_named_with_its_line_in_the_pages_language(book, lang):
    line = book.edit(f"book/{lang}/answer.md", "2 + 2", "1 / 0")
    status, said = book.build(lang)
    assert status != 0
    assert f"{lang}/answer.md:{line}" in said
    assert "ZeroDivisionError" in said and FAILED[lang] in said and "1 / 0" in said
    assert "Traceback" not in said and "\x1b" not in said


def test_a_cell_that_takes_its_kernel_with_it_is_named_like_any_other(book):
    line = book.edit("book/es/answer.md", "2 + 2", "import os\n\nos._exit(3)")
    status, said = book.build()
    assert status != 0
    assert f"es/answer.md:{line}: {FAILED['es']}" in said and "DeadKernelError" in said
    assert "Exception occurred" not in said and "tracker" not in said


def test_a_slow_cell_is_named_like_any_other(book):
    config = book.read("_config.yml")
    book.edit("_config.yml", "timeout: 300", "timeout: 2")
    line = book.edit("book/es/answer.md", "2 + 2", "import time\n\ntime.sleep(30)")
    try:
        status, said = book.build()
    finally:
        book.write("_config.yml", config)
    assert status != 0
    assert f"es/answer.md:{line}: {FAILED['es']}" in said and "→ CellTimeoutError: A cell timed out" in said


def test_a_module_half_written_fails_the_cell_that_imports_it_and_no_cache_is_lost(book):
    assert book.build()[0] == 0
    book.write("ffnbook/small.py", "ANSWER = \n")
    status, said = book.build()
    assert status != 0
    assert "es/answer.md:" in said and "SyntaxError" in said and "small.py" in said
    assert "threw an exception" not in said and "se cortó" not in said and "broke off" not in said


def test_a_failing_cell_stops_plain_jupyter_book_without_flags_too(book):
    line = book.edit("book/es/answer.md", "2 + 2", "1 / 0")
    program = str(Path(sys.executable).with_name("jupyter-book"))
    runner = f"import subprocess, sys; sys.exit(subprocess.call([{program!r}, *sys.argv[1:]]))"
    paths = {"config": "_config.yml", "toc": "_toc.yml", "path-output": "_build/plain"}
    flags = [part for name, path in paths.items() for part in (f"--{name}", str(book.root / path))]
    status, said = book.python("-c", runner, "build", "book/es", *flags)
    assert status != 0
    assert f"es/answer.md:{line}" in said and "ZeroDivisionError" in said


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("(answer-part)=", "[x](#nowhere)\n\n(answer-part)=", "nowhere"),
        ("$x = 0.5$", r"$x = \frac{1$", r"fórmula que no se entiende: x = \frac{1 (sus llaves no van por parejas)"),
        ("{glue:text}`answer`", "{glue:text}`lost`", "lost"),
        ("(answer-part)=", "{cite}`nobody1999`\n\n(answer-part)=", "nobody1999"),
    ],
    ids=["reference", "formula", "glue", "citation"],
)
def test_what_sphinx_warns_of_fails_the_build(book, old, new, named):
    book.edit("book/es/answer.md", old, new)
    status, said = book.build()
    assert status != 0
    assert "answer.md" in said and named in said
    assert "threw an exception" not in said


def test_a_warning_a_cell_prints_fails_the_build(book):
    book.edit("book/es/answer.md", "2 + 2", 'import warnings; warnings.warn("careful")')
    status, said = book.build()
    assert status != 0
    assert "es/answer.md" in said and "stderr" in said and "UserWarning: careful" in said


@pytest.mark.parametrize("fault", ['import warnings; warnings.warn("careful")', "1 / 0"], ids=["warning", "error"])
def test_what_failed_once_fails_again_although_nothing_changed(book, fault):
    book.edit("book/es/answer.md", "2 + 2", fault)
    assert [book.build()[0] != 0 for _ in range(3)] == [True] * 3


def test_a_fault_in_the_words_of_a_page_fails_again_although_nothing_changed(book):
    book.edit("book/es/answer.md", "Mira {glue", "{nosuchrole}`x` Mira {glue")
    assert [book.build()[0] != 0 for _ in range(2)] == [True] * 2


def test_a_build_that_was_cut_short_is_made_whole(book):
    """Killed after the pages were read and before they were written: what the reading warned of is not lost."""
    book.edit("book/es/answer.md", "Mira {glue", "{nosuchrole}`x` Mira {glue")
    killed = "import os, sphinx.builders; sphinx.builders.Builder.write = lambda *_: os._exit(9)"
    program = f"{killed}\nfrom ffnbook.site.one_language import main\nmain('es', {str(book.out / 'es')!r})"
    assert book.python("-c", program)[0] == 9
    status, said = book.build()
    assert status != 0 and "nosuchrole" in said
    assert book.python("-c", program)[0] == 9
    for kept in (book.out / "es/.jupyter_cache").rglob("*.ipynb"):
        kept.write_bytes(kept.read_bytes()[:50])  # as a kill may leave it
    book.restore()
    status, said = book.build()
    assert status == 0, said


def test_faults_of_the_sources_are_told_before_anything_is_built(book):
    line = book.edit("book/es/answer.md", "{glue:text}`answer` $x = 0.5$", "{glue:text}`answer` $x = 0.5$ 4096")
    status, said = book.build_all()
    assert status == 1
    assert f"book/es/answer.md:{line}" in said and "4096" in said
    assert "Building" not in said and "Construyo" not in said


def test_the_last_good_site_stays_where_a_build_fails(book):
    before = (book.out / "site" / "es" / "answer.html").read_bytes()
    for lang in ("es", "en"):
        book.edit(f"book/{lang}/answer.md", "2 + 2", "1 / 0")
    book.agree()
    status, said = book.build_all()
    assert status == 1
    assert "es/answer.md" in said and "en/answer.md" in said
    assert (book.out / "site" / "es" / "answer.html").read_bytes() == before
    book.restore()
    book.agree()
