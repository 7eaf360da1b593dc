"""What was handed in and is of no kind that is read is named, with what to do; furniture is not."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from grading_tools import COURSE, RIGHT, data, notebook

from ffnbook.grading.collect import KINDS, Skipped, collect
from ffnbook.grading.reports.words import not_read, why_skipped

ROOT = Path(__file__).parents[2]
GOOD = data(notebook(*RIGHT.values()))
FURNITURE = (".DS_Store", "__MACOSX/._x.docx", "Thumbs.db", ".git/config", ".ipynb_checkpoints/x.docx", "desktop.ini", "__pycache__/x.pyc",
             ".cache/x.docx", "~$tarea.docx", ".gitignore")  # fmt: skip
DUE = {"ana/tarea.docx": "document", "bo/tarea.RAR": "archive", "cleo/tarea.html": "web_page", "dan/foto.HEIC": "picture", "eva/tarea.pdf": "document",
       "fede/tarea.py.bak": "other", "gil/tarea": "other"}  # fmt: skip


def ffnbook(*args, lang="en"):
    command = [sys.executable, "-m", "ffnbook", *map(str, args), "--lang", lang]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"COLUMNS": "200"}, timeout=120)


@pytest.fixture
def handed_in(tmp_path):
    folder = tmp_path / "class"
    for name in (*FURNITURE, *DUE, "hugo/tarea.ipynb"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(GOOD)
    return folder


def test_every_kind_is_told_and_furniture_is_not(handed_in):
    skipped: list[Skipped] = []
    assert [source.name for source in collect([handed_in, handed_in / "ana"], skipped)] == ["hugo/tarea.ipynb"]
    assert {one.name: one.why for one in skipped} == DUE | {"tarea.docx": "document"}
    assert len({why_skipped(Skipped("x", why, ""), lang) for why in (*KINDS, "link", "nested", "other") for lang in ("es", "en")}) == 14


def test_in_zips_too(tmp_path):
    inner = tmp_path / "inner"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("tarea.docx", "x")
        archive.writestr("more.zip", "x")
        archive.writestr("__MACOSX/._tarea.docx", "x")
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ana/", "")
        archive.writestr("ana/foto.png", "x")
        archive.writestr("ana/tarea.ipynb", GOOD)
        archive.write(inner, "bo.zip")
    skipped: list[Skipped] = []
    sources = list(collect([tmp_path / "class.zip"], skipped))
    assert [source.fault for source in sources] == ["", "nothing"]
    due = {"class.zip/ana/foto.png": "picture", "class.zip/bo.zip/tarea.docx": "document", "class.zip/bo.zip/more.zip": "nested"}
    assert {one.name: one.why for one in skipped} == due


def test_a_link_to_anything_is_told(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class/ana").symlink_to(ROOT / "book")
    skipped: list[Skipped] = []
    assert list(collect([tmp_path / "class"], skipped)) == [] and [(one.name, one.why) for one in skipped] == [("ana", "link")]


def test_the_command_and_the_reports_name_them_in_the_teachers_language(handed_in, tmp_path):
    out = tmp_path / "out"
    done = ffnbook("grade", handed_in, "--exercises", COURSE, "--out", out, lang="es")
    assert done.returncode == 0 and "De otro tipo, sin leer: 7." in done.stdout
    assert "ana/tarea.docx: Es un documento, no un cuaderno. Pide el .ipynb" in done.stdout and "DS_Store" not in done.stdout
    entries = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    told = [entry for entry in entries if entry["status"] == "not_read"]
    assert {entry["name"]: entry["facts"]["why"] for entry in told} == DUE and entries[: -len(told)] == [entries[0]]
    assert all(entry["text"] and entry["points"] == "0" for entry in told)
    text = (out / "summary.md").read_text(encoding="utf-8")
    assert "### De otro tipo, sin leer" in text and "cleo/tarea.html: Es una página web" in text
    assert len(list((out / "learners").iterdir())) == 1


def test_a_folder_of_nothing_else_says_what_is_there(tmp_path):
    (tmp_path / "tarea.docx").write_text("x")
    for command in (("grade", tmp_path, "--out", tmp_path / "out"), ("check", tmp_path)):
        done = ffnbook(*command)
        assert done.returncode == 2 and "tarea.docx: It is a document" in done.stdout and "no submission in" in done.stderr, done


@pytest.mark.parametrize(("system", "file"), [("gradescope", "results.json"), ("classroom50", "result.json")])
def test_a_system_that_hands_over_one_learner_gets_an_answer(tmp_path, system, file):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/tarea.docx").write_text("x")
    done = ffnbook("grade", tmp_path / "in", "--out", tmp_path / "out", "--also", system)
    result = json.loads((tmp_path / "out" / file).read_text(encoding="utf-8"))
    assert done.returncode == 3 and result["score"] == 0 and "Nothing can be read from .docx files" in json.dumps(result)


def test_a_long_list_is_cut_and_says_so():
    skipped = [Skipped(f"{number}.docx", "document", "") for number in range(30)]
    lines = not_read(skipped, "en", 20)
    assert len(lines) == 21 and lines[-1] == "And 10 more; all of them are in grades.json."


def locked(content: bytes) -> bytes:
    """A zip whose members say that they need a password, as any zip program writes it."""
    data = bytearray(content)
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(signature)
        while start >= 0:
            data[start + place] |= 1
            start = data.find(signature, start + 1)
    return bytes(data)


def test_a_zip_with_a_password_is_called_that(tmp_path):
    made = tmp_path / "made"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("tarea.ipynb", GOOD)
    (tmp_path / "ana.zip").write_bytes(locked(made.read_bytes()))
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("bo.zip", locked(made.read_bytes()))
    outer = tmp_path / "outer"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("cy.zip", made.read_bytes())
    (tmp_path / "locked.zip").write_bytes(locked(outer.read_bytes()))
    made.unlink(), outer.unlink()
    assert {source.name: source.bytes().facts["why"] for source in collect([tmp_path])} == {
        "ana.zip/tarea.ipynb": "password", "class.zip/bo.zip/tarea.ipynb": "password", "locked.zip/cy.zip": "password",
    }  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_told_and_never_read(tmp_path):
    """Reading one waits for somebody to write to it."""
    for name in ("ana.ipynb", "bo.zip", "pipe"):
        os.mkfifo(tmp_path / name)
    skipped: list[Skipped] = []
    assert {source.name: source.bytes().facts["why"] for source in collect([tmp_path], skipped)} == {"ana.ipynb": "empty", "bo.zip": "empty"}
    assert [one.name for one in skipped] == ["pipe"]
    assert [source.fault for source in collect([tmp_path / "pipe", tmp_path / "ana.ipynb"])] == ["empty", "empty"]


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_that_may_not_be_opened_is_told(tmp_path, monkeypatch, mode):
    """Who is in it must not be simply absent.  (Where the tests run as root every folder opens: then that is only played.)"""
    shut = tmp_path / "ana"
    for name in ("ana/tarea.ipynb", "bo.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(GOOD)
    real = os.access
    monkeypatch.setattr("ffnbook.grading.collect.os.access", lambda path, mode: path != shut and real(path, mode))
    shut.chmod(mode)
    try:
        assert {source.name: source.fault for source in collect([tmp_path])} == {"ana": "closed", "bo.ipynb": ""}
    finally:
        shut.chmod(0o755)
