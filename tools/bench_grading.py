"""How fast grading is, beside otter-grader on the same exercise in the same run, and whether memory stays flat.

    python tools/bench_grading.py [--count 10000] [--jobs 2] [--skip-otter]

otter-grader is installed into a temporary virtual environment of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SCRATCH = tempfile.TemporaryDirectory(prefix="ffnbook-bench-")
GELU = (ROOT / "solutions/activations/gelu/solution.py").read_text(encoding="utf-8")
OTTER_TEST = '''OK_FORMAT = True
test = {"name": "gelu", "points": 5, "suites": [{"scored": True, "setup": "", "teardown": "", "type": "doctest", "cases": [
    {"code": ">>> import numpy as np\\n>>> gelu(np.zeros((2, 3))).shape\\n(2, 3)", "hidden": False, "locked": False},
    {"code": ">>> bool(np.allclose(gelu(np.array([-1.0, 0, 2])), [-0.15865525, 0, 1.95449974]))\\nTrue", "hidden": False, "locked": False},
    {"code": ">>> bool(np.allclose(gelu(np.array([-1000.0, 1000])), [0, 1000]))\\nTrue", "hidden": False, "locked": False},
    {"code": ">>> bool(np.allclose(gelu(np.array([-1, 0, 2])), [-0.15865525, 0, 1.95449974]))\\nTrue", "hidden": False, "locked": False},
    {"code": ">>> bool(np.isfinite(gelu(np.random.default_rng(0).normal(size=(7, 5)))).all())\\nTrue", "hidden": True, "locked": False},
]}]}
'''


def notebook(number: int) -> bytes:
    """A notebook with a right answer, different from all others."""
    cells = [GELU, f"mine = {number}"]
    made = [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": c} for i, c in enumerate(cells)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": made}).encode()


def one_by_one(times: int = 100) -> tuple[list[float], float]:
    """Seconds per submission in one process, after the first; and of processor time, both sides of the wall."""
    from ffnbook.exercises import catalog
    from ffnbook.grading.grade import grade
    from ffnbook.grading.sandbox import Sandbox

    course = catalog.Set(single_exercise())
    taken = []
    with Sandbox() as sandbox:
        print("layers:", ", ".join(sandbox.layers))
        for number in range(times + 1):
            if number == 1:
                before = processor(sandbox)
            start = time.perf_counter()
            result = grade("x.ipynb", notebook(number), course, sandbox)
            taken.append(time.perf_counter() - start)
            assert result.points == result.max
        used = processor(sandbox) - before
    return taken[1:], used / times


def processor(sandbox) -> float:
    """Processor time of this process, and of the sandbox's with all the children it has had."""
    import psutil

    processes = [psutil.Process()]
    for zygote in sandbox._zygotes.values():
        processes += psutil.Process(zygote.process.pid).children(recursive=True)
    return sum(sum(process.cpu_times()[:4]) for process in processes)


def single_exercise() -> Path:
    """A set of gelu alone, as otter grades it alone."""
    folder = Path(tempfile.mkdtemp(dir=SCRATCH.name, prefix="ffnbook-bench-")) / "activations" / "gelu"
    folder.mkdir(parents=True)
    for path in (ROOT / "exercises/source/activations/gelu").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "solution.py").write_text(GELU, encoding="utf-8")
    return folder.parents[1]


def quick_check(times: int = 200) -> float:
    from ffnbook.exercises import check

    space: dict = {}
    exec(GELU, space)
    check("gelu", space)
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        check("gelu", space)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def otter(runs: int, jobs: int) -> tuple[float, float, float]:
    """Seconds per ``otter run`` alone, submissions per second with ``jobs`` at once, processor time of one."""
    folder = Path(tempfile.mkdtemp(dir=SCRATCH.name, prefix="otter-bench-"))
    venv.create(folder / "venv", with_pip=True)
    binaries = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([binaries / "python", "-m", "pip", "install", "-q", "otter-grader", "ipykernel", "numpy", "scipy"], check=True, stderr=subprocess.DEVNULL)
    (folder / "tests").mkdir()
    (folder / "tests" / "gelu.py").write_text(OTTER_TEST, encoding="utf-8")
    env = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    quiet = {"cwd": folder, "env": env, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([binaries / "otter", "generate", "-t", "tests", "-o", "a.zip", "--no-environment"], check=True, **quiet)

    def command(number: int) -> list:
        place = folder / f"run{number}"
        place.mkdir(exist_ok=True)
        (place / "x.ipynb").write_bytes(notebook(number))
        return [binaries / "otter", "run", "-a", "a.zip", "-o", f"run{number}", f"run{number}/x.ipynb"]

    subprocess.run(command(0), check=True, **quiet)
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    for number in range(1, runs + 1):
        subprocess.run(command(number), check=True, **quiet)
    alone, after = (time.perf_counter() - start) / runs, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / runs
    start = time.perf_counter()
    under_way = [subprocess.Popen(command(100 + number), **quiet) for number in range(jobs)]
    assert not any(process.wait() for process in under_way)
    return alone, jobs / (time.perf_counter() - start), used


def batch(count: int, jobs: int) -> tuple[float, list[float]]:
    """Submissions per second of ``ffnbook grade`` end to end, and the memory of all its processes in MB as it went."""
    import psutil

    folder = Path(tempfile.mkdtemp(dir=SCRATCH.name, prefix="ffnbook-batch-"))
    (folder / "in").mkdir()
    for number in range(count):
        (folder / "in" / f"{number:06}.ipynb").write_bytes(notebook(number))
    command = [sys.executable, "-m", "ffnbook", "grade", folder / "in", "--out", folder / "out", "--jobs", str(jobs)]
    command += ["--exercises", single_exercise()]
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory = []
    while process.poll() is None:
        memory.append(_memory(psutil.Process(process.pid)))
        time.sleep(1)
    rate = count / (time.perf_counter() - start)
    assert process.returncode == 0 and len(list((folder / "out" / "results").iterdir())) == count
    return rate, memory


def _memory(process) -> float:
    """What the trusted processes hold, in MB; the sandboxes' children come and go."""
    import psutil

    total = 0
    for one in [process, *process.children()]:
        try:
            total += one.memory_info().rss
        except psutil.Error:
            pass
    return total / 1e6


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=10_000)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--skip-otter", action="store_true")
    chosen = options.parse_args()
    print(f"check(): {1e3 * quick_check():.1f} ms (budget 10 ms)")
    taken, used = one_by_one()
    print(f"one submission, sandboxed: median {1e3 * statistics.median(taken):.1f} ms, worst {1e3 * max(taken):.1f} ms (budget 60 ms)")
    print(f"its processor time: {1e3 * used:.1f} ms")
    rate, memory = batch(chosen.count, chosen.jobs)
    print(f"{chosen.count} submissions end to end, {chosen.jobs} at once: {rate:.1f} a second")
    quarter = max(1, len(memory) // 4)
    early, late = max(memory[quarter : 2 * quarter] or memory), max(memory[-quarter:])
    print(f"memory of the grader's own processes: {early:.0f} MB in the second quarter, {late:.0f} MB in the last")
    if not chosen.skip_otter:
        alone, together, otters = otter(3, chosen.jobs)
        print(f"otter run: {alone:.2f} s a submission alone, {together:.2f} a second with {chosen.jobs} at once")
        print(f"ratio of rates: {rate / together:.0f} times otter's (budget 50)")
        print(f"processor time of otter run: {otters:.2f} s, {otters / used:.0f} times ours")


if __name__ == "__main__":
    main()
