"""Each language is built in a process of its own, beside the other; here is what starts it, hears it and ends it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ffnbook.messages import t
from ffnbook.site.extension import unfinished
from ffnbook.site.stamp import Stamp


FAILED = re.compile(r"(.+\.md): WARNING: Executing notebook failed")
NOT_GLUED = re.compile(r"(.+\.md):\d+: WARNING: No key '.*\[mystnb\.glue\]$")


def follows(line: str, failed: set[str]) -> bool:
    """Whether a warning only says that a cell which comes after a failed one glued nothing: dozens of these hide the failure."""
    told = NOT_GLUED.match(line.rstrip())
    return bool(told) and told[1] in failed


class OneLanguage:
    """The build of a language, in a process of its own: two languages share nothing but the sources.

    The process loads Sphinx while the sources are still being checked, and waits for ``go``.
    There is none where nothing that the language is made from has changed.
    """

    def __init__(self, lang: str, out: Path, digest: str):
        self.lang, self.digest, self.stamp = lang, digest, Stamp(out / lang)
        self.process = self.sockets = None
        if not (whole := self.stamp.is_whole()) and self.stamp.read():
            shutil.rmtree(out / lang)  # someone else was here: what is left cannot be built upon
        if not (whole and self.stamp.says(digest)):
            out.mkdir(parents=True, exist_ok=True)
            self.stamp.path.unlink(missing_ok=True)
            self.sockets = tempfile.TemporaryDirectory(prefix="ffnbook-", ignore_cleanup_errors=True)
            own = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "FFNBOOK_SOCKETS": self.sockets.name}
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ffnbook.site.one_language", lang, str(out / lang), "--wait"],
                env={**{name: value for name, value in os.environ.items() if name != "FFNBOOK_EXERCISES"}, **own},  # the course's own
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
            )  # fmt: skip

    def go(self) -> None:
        if self.process:
            with contextlib.suppress(BrokenPipeError):  # it ended before; done() says why
                self.process.stdin.write("go\n")
                self.process.stdin.flush()  # and stays open: where it closes, this process has ended, and that one leaves too

    def done(self, say: Callable[[str], None]) -> bool:
        """Whether all went well, once it is over; what the process said is said."""
        if not self.process:
            return True
        failed: set[str] = set()
        for line in self.process.stdout:
            if told := FAILED.match(line):
                failed.add(told[1])
            if not line.startswith("[IPKernelApp]") and not follows(line, failed):  # ipykernel's remark on local sockets is no matter for a build
                say(f"{self.lang}: {line.rstrip()}")
        if self.process.wait() == 0:
            self.stamp.write(self.digest)
        elif unfinished.broke_off(self.stamp.folder):
            say(f"{self.lang}: {t('building.broke_off')}")
        return self.process.returncode == 0

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            with contextlib.suppress(BrokenPipeError), self.process:  # waits for it, and closes its pipes
                pass
            self.sockets.cleanup()
