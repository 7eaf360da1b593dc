"""The trusted side of the sandbox: processor time is what counts, and every way of starting works."""

import os
import signal
import subprocess
import tempfile
import time
import venv
from pathlib import Path

import pytest
from grading_tools import LAB, QUICK, RIGHT, SEED, data, notebook, statuses

from ffnbook.grading import bwrap, wire
from ffnbook.grading import sandbox as module
from ffnbook.grading.grade import grade
from ffnbook.grading.sandbox import Sandbox, Zygote, direct

BUSY = {"cells": ["while True: pass"], "inject": {}, "skip": [], "careful": False}


@pytest.fixture(scope="module")
def zygote():
    made = Zygote([])
    yield made
    made.close()


def test_processor_time_is_told_by_the_kernel(zygote):
    child = zygote.child(1 << 30, 60)
    wire.send(child.sock, BUSY)
    before, start = child.cpu(), time.monotonic()
    while child.cpu() < before + 0.2:
        assert time.monotonic() - start < 20
        time.sleep(0.01)
    assert child.end() == 0


def test_a_sleeper_uses_none_and_is_ended_all_the_same(sandbox):
    start = time.monotonic()
    result = grade("x.py", b"import time\ndef relu(x):\n    time.sleep(60)", LAB, sandbox, seed=SEED, limits=QUICK)
    assert statuses(result)["relu"] == "timeout" and time.monotonic() - start < 20


@pytest.mark.parametrize("walled", [True, False])
def test_a_process_of_its_own(walled):
    child = direct(walled, [], 1 << 30, 60)
    wire.send(child.sock, BUSY | {"cells": ["x = 1"]})
    assert wire.receive(child.sock, 20)[0] == {"at": [0, 0]} and "loaded" in wire.receive(child.sock, 20)[0]
    child.end()


def test_the_way_of_windows():
    sock, process = module._call_back(str(module.stage()), {"modules": [], "memory": 1 << 30, "cpu": 60})
    assert wire.receive(sock, 20)[0] == {"ready": 1}
    sock.close()
    module._end(process)


def test_how_a_child_ended_is_known(zygote):
    for source, code in (("import os; os._exit(7)", 7), ("import ctypes; ctypes.string_at(0)", 111)):
        child = zygote.child(1 << 30, 60)
        wire.send(child.sock, BUSY | {"cells": [source]})
        with pytest.raises(wire.Closed):
            while True:
                wire.receive(child.sock, 20)
        assert child.end(ending=True) == code


def test_a_dead_zygote_is_replaced():
    with Sandbox() as made:
        content = data(notebook(*RIGHT.values()))
        grade("x.ipynb", content, LAB, made, seed=SEED, limits=QUICK)
        for zygote in made._zygotes.values():
            module._end(zygote.process)
        result = grade("x.ipynb", content, LAB, made, seed=SEED, limits=QUICK)
        assert set(statuses(result).values()) == {"pass"} and "namespaces" in result.layers


def said(zygote, source):
    """What a child that runs this prints."""
    child = zygote.child(1 << 30, 60)
    wire.send(child.sock, BUSY | {"cells": [source]})
    try:
        while True:
            frame = wire.receive(child.sock, 20)[0]
            if "loaded" in frame:
                return frame["output"]
    finally:
        child.end()


def test_what_a_child_does_to_its_group_reaches_nobody(zygote):
    """Neither its neighbours nor the process that the next learner's child is forked from."""
    nice = "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"
    before = said(zygote, nice)
    said(zygote, "import os\nos.setpriority(os.PRIO_PGRP, 0, 19)")
    said(zygote, "import os\nos.kill(0, 9)")
    said(zygote, "import os\nos.killpg(0, 9)")
    assert zygote.process.poll() is None and said(zygote, nice) == before != "19\n"


def test_a_scratch_folder_holds_few_files(zygote):
    """Empty files take no room on it, but memory."""
    lines = ["made = 0", "try:", "    while made < 9000:", "        open(str(made), 'w').close()", "        made += 1", "except OSError:", "    pass"]
    assert 0 < int(said(zygote, "\n".join([*lines, "print(made)"]))) < 4100


FILL = """
import os, errno
size, why = 0, "no limit"
try:
    for number in range(20):
        with open(f"/tmp/{number}", "wb") as file:
            size += file.write(bytes(8 << 20))
            file.flush()
except OSError as error:
    why = errno.errorcode[error.errno]
print(size >> 20, why)
"""


@pytest.mark.parametrize("shared", [True, False])
def test_a_scratch_folder_holds_little_with_a_sandbox_shared_or_of_its_own(zygote, shared):
    child = zygote.child(1 << 30, 60) if shared else direct(True, [], 1 << 30, 60)
    wire.send(child.sock, BUSY | {"cells": [FILL]})
    while "loaded" not in (frame := wire.receive(child.sock, 20)[0]):
        pass
    child.end()
    size, why = frame["output"].split()
    assert why == "ENOSPC" and 16 <= int(size) <= bwrap.SCRATCH >> 20


def test_an_older_bubblewrap_that_takes_no_size_still_starts(monkeypatch):
    monkeypatch.setattr(bwrap.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "--tmpfs DEST", ""))
    bwrap._scratch.cache_clear()
    try:
        assert "--size" not in bwrap.bubblewrap()
    finally:
        bwrap._scratch.cache_clear()
    monkeypatch.undo()
    assert "--size" in bwrap.bubblewrap()


def test_without_memory_the_child_goes_first_and_never_outlives_its_guardian(zygote):
    child = zygote.child(1 << 30, 60)
    place = Path("/proc", str(child._pid))
    assert (place / "oom_score_adj").read_text() == "1000\n"
    guardian = int((place / "stat").read_text().split()[3])
    os.kill(guardian, signal.SIGKILL)
    child.end()
    deadline = time.monotonic() + 20
    while place.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    zygote.child(1 << 30, 60).end()


def test_every_exercise_may_end_its_process_and_the_last_is_still_graded(sandbox):
    ends = [f"x{number} = 1\nimport os\nos._exit(1)" for number in range(12)]
    result = grade("x.ipynb", data(notebook(*ends, *RIGHT.values())), LAB, sandbox, seed=SEED, limits=QUICK)
    assert set(statuses(result).values()) == {"pass"}


def test_an_interpreter_that_lies_in_tmp_is_seen_inside():
    """The scratch disk covers /tmp, and a checkout may stand there."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        venv.create(folder, with_pip=False, system_site_packages=True, symlinks=True)
        code = "from ffnbook.grading import bwrap; import subprocess, sys; "
        code += "print(subprocess.run([*bwrap.bubblewrap(), bwrap.seen_inside(sys.executable), '-c', 'import sys; print(sys.prefix)'], text=True, capture_output=True))"
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        said = subprocess.run([f"{folder}/bin/python", "-c", code], env=environment, text=True, capture_output=True)
        assert "/python/" in said.stdout, said
