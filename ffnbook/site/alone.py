"""One build at a time in a folder: another would write the same files under its feet."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

PAUSE = 0.2


@contextlib.contextmanager
def alone_in(folder: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the folder; ``waiting`` is called once where another build holds it.  The system lets go for one that was killed."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "build.lock").open("a+b") as file:
        if not _taken(file):
            waiting()
            while not _taken(file):
                time.sleep(PAUSE)
        yield


if sys.platform == "win32":
    import msvcrt

    def _taken(file: IO) -> bool:
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(file: IO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
