"""A folder nobody may write in, and a disk that is full: what an author is told, and that nothing is lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from ffnbook.grading.bwrap import bubblewrap_fault

pytestmark = pytest.mark.skipif(sys.platform != "linux" or bool(bubblewrap_fault()), reason="bubblewrap makes the disks of these tests")
BUILD = "import sys; from ffnbook.site.build import build; sys.exit(build(print))"
CANNOT_WRITE = re.compile(r"(?m)^(Cannot write in|No se puede escribir en) _build ")


def on(book, *disk: str) -> tuple[int, str]:
    """A build of the whole site with another disk where ``_build`` is."""
    env = {**os.environ, "PYTHONPATH": str(book.root), "RUNS": str(book.runs), "FFNBOOK_LIVE": "0", "NO_COLOR": "1"}
    command = ["bwrap", "--dev-bind", "/", "/", *disk, "--chdir", str(book.root), sys.executable, "-c", BUILD]
    done = subprocess.run(command, env=env, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout


def test_a_folder_that_may_not_be_written_is_named_and_its_site_stays(book):
    assert book.build_all()[0] == 0
    page = book.out / "site" / "es" / "answer.html"
    before = page.read_bytes()
    status, said = on(book, "--ro-bind", str(book.out), str(book.out))
    assert status == 1 and CANNOT_WRITE.match(said) and said.count("\n") <= 2
    assert page.read_bytes() == before


@pytest.mark.parametrize("kilobytes", [100, 1000, 2000])  # it fills up as the pages are run, as they are written, as they are joined
def test_a_full_disk_is_the_last_thing_said(book, kilobytes):
    status, said = on(book, "--size", str(kilobytes * 1024), "--tmpfs", str(book.out))
    assert status == 1
    last = said.rstrip().splitlines()[-1]
    assert CANNOT_WRITE.match(last) or re.match("There is no room left where _build is|No queda sitio donde está _build", last), said
    assert "Traceback" not in said
