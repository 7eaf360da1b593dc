"""The same work on a Dask cluster: ``ffnbook grade --dask ADDRESS`` (needs ``distributed``).

A submission's bytes travel to a worker and its result comes back; the results are stored
here, as they are without a cluster.  Workers need ffnbook, the exercises and their
solutions at the same version.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from concurrent.futures import CancelledError
from threading import Lock

from distributed import Client, as_completed
from distributed.comm import get_address_host_port

import ffnbook
from ffnbook.exercises import catalog
from ffnbook.exercises.judge import Fault
from ffnbook.grading.batch import Settings, grader, grader_fault, store, stored
from ffnbook.grading.collect import Source
from ffnbook.grading.grade import Result, grade
from ffnbook.grading.reading import unreadable
from ffnbook.grading.sandbox import kept

RETRIES = 3
AHEAD = 4  # submissions under way per worker

_one_at_a_time = Lock()  # a worker may have several threads (dask's default); a sandbox serves one


def version(exercises: catalog.Set) -> str:
    """What marks depend on besides the submission: the library, NumPy, the exercises."""
    return f"ffnbook {ffnbook.__version__} ({grader()[:8]}-{exercises.digest[:8]})"


def remote(name: str, data: bytes | dict, settings: Settings, due: str) -> dict:
    """On a worker: the plain result of one submission, or why this machine could not grade it; ``due`` is the version it must have."""
    content = data if isinstance(data, bytes) else Fault("unreadable", **data)
    try:
        exercises = catalog.load(settings.exercises)
        if version(exercises) != due:  # its marks would be kept as if they were of this version
            return {"failed": f"{platform.node()}: {version(exercises)} ≠ {due}"}
        with _one_at_a_time:
            return grade(name, content, exercises, kept(settings.walls), seed=settings.seed, chapters=settings.chapters).plain()
    except (OSError, catalog.BadSet) as error:
        return {"failed": str(error)}


def run(
    sources: list[Source],
    settings: Settings,
    address: str,
    done: Callable[[str], None] = lambda name: None,
    failures: list[str] | None = None,
) -> list[str]:
    """Grade all on the cluster; a submission whose worker dies goes to another one.

    Raises OSError when the scheduler is gone; what was graded till then is stored.
    """
    names: dict[int, str] = {}
    due = version(catalog.load(settings.exercises))
    try:
        get_address_host_port(address)
    except ValueError as error:  # no port, no such protocol; to find out, a client would wait for a minute
        raise ConnectionError(str(error)) from None
    with Client(address, set_as_default=False) as client:
        ahead = max(1, AHEAD * len(client.scheduler_info(n_workers=-1)["workers"]))
        todo = iter(enumerate(sources))
        waiting, under_way = as_completed(loop=client.loop), {}
        while True:
            while len(under_way) < ahead and (item := next(todo, None)) is not None:
                index, source = item
                target = settings.key(source)
                if stored(target) is not None:
                    names[index] = target.name
                    done(target.name)
                    continue
                content = source.bytes()
                sent = content if isinstance(content, bytes) else content.facts
                future = client.submit(remote, source.name, sent, settings, due, pure=False, retries=RETRIES)
                under_way[future] = index, source.name, target
                waiting.add(future)
            if not under_way:
                break
            future = next(waiting)
            index, name, target = under_way.pop(future)
            result = _result(future, name)
            fault = result if isinstance(result, str) else grader_fault(result)
            if not fault:
                store(result, target)
                names[index] = target.name
            elif failures is not None:
                failures.append(fault)
            done(target.name)
    return [names[index] for index in sorted(names)]


def _result(future, name: str) -> Result | str:
    try:
        plain = future.result()
        return plain["failed"] if "failed" in plain else Result.from_plain(plain)
    except (CancelledError, OSError) as error:  # nobody is there to ask: that says nothing about the submission
        raise ConnectionError(str(error)) from error
    except Exception:  # every worker that tried it died
        fault = unreadable("killed")
        return Result(name, fault.status, facts=fault.facts)
