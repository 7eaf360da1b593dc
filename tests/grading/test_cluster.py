"""Grading on Dask: two worker processes, one of them killed half-way; no submission lost or doubled."""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from grading_tools import COURSE, RIGHT, SEED, data, notebook

from ffnbook.exercises import catalog
from ffnbook.grading import batch
from ffnbook.grading.batch import Settings
from ffnbook.grading.collect import collect

distributed = pytest.importorskip("distributed")
COUNT = 30
ROOT = Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_half_way_loses_nothing(tmp_path):
    from ffnbook.grading import cluster

    for number in range(COUNT):
        (tmp_path / f"{number:02}.ipynb").write_bytes(data(notebook(*RIGHT.values(), f"x = {number}")))
    settings = Settings(tmp_path / "out", COURSE, SEED)
    sources = list(collect([tmp_path]))
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as local:
        seen: list[str] = []

        def done(name: str) -> None:
            seen.append(name)
            if len(seen) == COUNT // 3:
                victim = next(iter(local.workers.values()))
                os.kill(victim.pid, signal.SIGKILL)

        names = cluster.run(sources, settings, local.scheduler_address, done)
        again: list[str] = []
        assert cluster.run(sources, settings, local.scheduler_address, again.append) == names
    assert len(seen) == len(set(names)) == COUNT and len(list(settings.folder.iterdir())) == COUNT
    results = list(batch.results(settings, names))
    assert {result.status for result in results} == {"graded"} and all(result.points == result.max for result in results)
    assert all(result.final for result in results)


def test_a_worker_with_several_threads_grades_one_at_a_time(tmp_path, monkeypatch):
    """A sandbox serves one submission; two at once have cost right answers their points."""
    from ffnbook.grading import cluster
    from ffnbook.grading.grade import Result

    inside, most = [], []

    def grade(name, *_, **__):
        inside.append(name)
        time.sleep(0.01)
        most.append(len(inside))
        inside.remove(name)
        return Result(name)

    monkeypatch.setattr(cluster, "grade", grade)
    settings = Settings(tmp_path, COURSE, SEED)
    due = cluster.version(catalog.load(COURSE))
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda number: cluster.remote(str(number), b"{}", settings, due), range(12)))
    assert set(most) == {1}


class Gone:
    """A future of a scheduler that went away."""

    def result(self):
        raise distributed.client.FutureCancelledError("x", "scheduler-connection-lost")


def test_a_scheduler_that_goes_away_makes_no_submission_unreadable():
    from ffnbook.grading import cluster

    with pytest.raises(OSError, match="connection-lost"):
        cluster._result(Gone(), "x.ipynb")


@pytest.mark.filterwarnings("ignore")
def test_a_worker_with_another_version_gives_no_marks(tmp_path, monkeypatch):
    """They would be kept, and taken for those of this version."""
    from ffnbook.grading import cluster

    (tmp_path / "x.ipynb").write_bytes(data(notebook(*RIGHT.values())))
    settings, failures = Settings(tmp_path / "out", COURSE, SEED), []
    monkeypatch.setattr(cluster, "grader", lambda: "0123456789")  # here, not in the worker's process
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as local:
        assert cluster.run(collect([tmp_path / "x.ipynb"]), settings, local.scheduler_address, failures=failures) == []
    assert len(failures) == 1 and "≠ ffnbook" in failures[0] and "01234567" in failures[0] and not settings.folder.exists()


@pytest.mark.parametrize("address", ["here", "tcp://10.0.0.1", "smoke://10.0.0.1:8786"])
def test_an_address_nobody_can_have_is_told_at_once(tmp_path, address):
    (tmp_path / "x.ipynb").write_bytes(data(notebook(*RIGHT.values())))
    command = [sys.executable, "-m", "ffnbook", "grade", str(tmp_path), "--out", str(tmp_path / "out"), "--dask", address, "--lang", "es"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, timeout=60)
    assert done.returncode == 2 and done.stderr.strip().startswith(f"Ningún planificador de Dask responde en {address}")
    assert "Traceback" not in done.stderr


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_lacks_the_exercises_makes_no_submission_unreadable(tmp_path):
    """A private set must lie on every machine; where it does not, nothing is stored, and the reason told."""
    from ffnbook.grading import cluster

    (tmp_path / "x.ipynb").write_bytes(data(notebook(*RIGHT.values())))
    own = shutil.copytree(COURSE, tmp_path / "own")
    settings, failures = Settings(tmp_path / "out", own, SEED), []
    (source,) = collect([tmp_path / "x.ipynb"])
    settings.key(source)  # the set is read here, and then it is gone
    shutil.rmtree(own)
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as local:
        assert cluster.run([source], settings, local.scheduler_address, failures=failures) == []
    assert len(failures) == 1 and str(own) in failures[0] and not settings.folder.exists()
