"""Builds that are stopped, that meet one another, or that cannot write."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ffnbook.site import extras, serve

SLOW = "import time; time.sleep(60)"
COMMAND = ("-m", "ffnbook", "build")
linux = pytest.mark.skipif(sys.platform != "linux", reason="asks ps and sends the signals of Linux")


@pytest.fixture
def at_work(book):
    """A build of the whole book whose kernels are busy."""
    for lang in ("es", "en"):
        book.edit(f"book/{lang}/answer.md", "2 + 2", SLOW)
    book.agree()
    (book.root / "t").mkdir(exist_ok=True)
    process = book.start(*COMMAND, LANG="es_ES.UTF-8", TMPDIR=str(book.root / "t"))
    try:
        assert until(lambda: process.poll() is not None or sum("ipykernel" in line for line in book.at_work()) == 2, 240)
        assert process.poll() is None, process.communicate()[0]
        yield process
    finally:
        process.kill()
        process.communicate()
        book.restore()
        book.agree()


def until(happens, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not happens() and time.monotonic() < end:
        time.sleep(0.1)
    return happens()


@linux
def test_ctrl_c_leaves_nothing_at_work_and_is_answered(book, at_work):
    before = (book.out / "site/es/answer.html").read_bytes()
    os.killpg(at_work.pid, signal.SIGINT)
    said, _ = at_work.communicate(timeout=60)
    assert at_work.returncode == 130, said
    assert "Interrumpida" in said and "Traceback" not in said
    assert until(lambda: not book.at_work(), 60), book.at_work()
    assert (book.out / "site/es/answer.html").read_bytes() == before


@linux
def test_a_build_that_is_killed_takes_its_languages_and_kernels_along(book, at_work):
    at_work.kill()
    assert until(lambda: not book.at_work(), 60), book.at_work()
    book.restore()
    book.agree()
    status, said = book.build_all()
    assert status == 0, said


def test_two_builds_at_once_take_turns(book):
    book.write("ffnbook/small.py", "ANSWER = 44\n")
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(lambda _: book.build_all(), range(2))
    assert one[0] == two[0] == 0, (one, two)
    said = one[1] + two[1]
    assert len(re.findall("Another build is at work|Otra construcción trabaja", said)) == 1
    assert len(re.findall("Nothing has changed|Nada ha cambiado", said)) == 1
    assert "44" in (book.out / "site/es/answer.html").read_text(encoding="utf-8")


def test_where_nothing_can_be_written_the_author_is_told(book):
    aside = book.out.rename(book.root / "aside")
    book.out.write_text("a file where a folder should be", encoding="utf-8")
    try:
        status, said = book.python(*COMMAND, LANG="es_ES.UTF-8")
    finally:
        book.out.unlink()
        aside.rename(book.out)
    assert status == 1
    assert "No se puede escribir en _build" in said and "Traceback" not in said


def test_the_build_speaks_the_language_of_its_author_and_makes_the_same_site(book):
    assert book.build_all()[0] == 0
    pages = {lang: (book.out / f"site/{lang}/answer.html").read_bytes() for lang in ("es", "en")}
    assert book.python(*COMMAND, LANG="es_ES.UTF-8")[1].startswith("Nada ha cambiado")
    (book.out / "site.stamp").unlink()
    assert "Sitio en" in book.python(*COMMAND, LANG="es_ES.UTF-8")[1]
    assert "Nothing has changed" in book.python(*COMMAND, LANG="C.UTF-8")[1]
    assert pages == {lang: (book.out / f"site/{lang}/answer.html").read_bytes() for lang in pages}


def test_what_others_did_to_what_was_built_is_undone(book):
    assert book.build_all()[0] == 0
    page, code = book.out / "site/es/answer.html", book.out / "es/html/_static/page.mjs"
    sound = page.read_bytes()
    page.write_bytes(sound + b" ")
    status, said = book.build_all()
    assert status == 0 and page.read_bytes() == sound, said
    code.unlink()
    page.unlink()
    status, said = book.build_all()
    assert status == 0 and page.is_file() and code.is_file(), said


def test_a_build_that_breaks_off_says_so_and_the_next_starts_from_nothing(book):
    for kept in (book.out / "es/.jupyter_cache").rglob("*.ipynb"):
        kept.write_bytes(kept.read_bytes()[:50])
    (book.out / "es.stamp").unlink(missing_ok=True)  # so that nobody notices
    (book.out / "es/.doctrees/environment.pickle").unlink(missing_ok=True)
    book.write("ffnbook/other.py", "UNRELATED = 2\n")
    status, said = book.build_all()
    assert status == 1 and re.search("broke off|se interrumpió a medias", said), said
    status, said = book.build_all()
    assert status == 0, said


def test_serve_sees_what_is_new_what_is_another_and_what_is_gone():
    same, other, gone, new = (Path(name) for name in ("same", "other", "gone", "new"))
    assert serve.changes({same: 1, other: 1, gone: 1}, {same: 1, other: 2, new: 1}) == [gone, new, other]


def test_a_card_half_drawn_is_not_kept(tmp_path, monkeypatch):
    def stopped(path, lang):
        path.write_bytes(b"half a pict")
        raise KeyboardInterrupt

    monkeypatch.setattr(extras, "draw_card", stopped)
    with pytest.raises(KeyboardInterrupt):
        extras.card(tmp_path, "es")
    monkeypatch.setattr(extras, "draw_card", lambda path, lang: path.write_bytes(b"whole"))
    assert extras.card(tmp_path, "es").read_bytes() == b"whole"
