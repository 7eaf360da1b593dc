"""bubblewrap's command, and the few files the inside of a sandbox sees."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path

STUBS = {
    "__init__.py": "",
    "lesson.py": "def __getattr__(name):\n    return lambda *args, **kwargs: None\n",
    "exercises/__init__.py": "def check(*args, **kwargs): ...\n",
    "grading/__init__.py": "def submit(*args, **kwargs): ...\n",
}
TQDM = """class tqdm:
    def __init__(self, iterable=(), *args, **kwargs): self.iterable = iterable
    def __iter__(self): return iter(self.iterable)
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def __getattr__(self, name): return lambda *args, **kwargs: None
def trange(*args, **kwargs): return tqdm(range(*args))
"""
# what only shows things, and must cost nobody marks where it is not installed
ABSENT = {
    "tqdm/__init__.py": TQDM, "tqdm/auto.py": TQDM, "tqdm/notebook.py": TQDM,
    "IPython/__init__.py": STUBS["lesson.py"], "IPython/display.py": STUBS["lesson.py"],
}  # fmt: skip
SCRATCH = 32 << 20  # bytes of /tmp, for a submission with a sandbox to itself
INSIDE = ("exercises/values.py", "exercises/calling.py", "grading/wire.py", "grading/jail.py", "grading/worker.py")
ENVIRONMENT = {
    "HOME": "/tmp", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1",
    "MPLBACKEND": "Agg", "MPLCONFIGDIR": "/tmp/mpl", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
}  # fmt: skip


@cache
def stage() -> Path:
    """A folder with the few files the inside needs, and stand-ins for what a learner's first cell imports."""
    folder = Path(tempfile.mkdtemp(prefix="ffnbook-inside-"))
    library = Path(__file__).parents[1]
    stand_ins = {f"ffnbook/{name}": text for name, text in STUBS.items()} | {f"absent/{name}": text for name, text in ABSENT.items()}
    for name, text in stand_ins.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in INSIDE:
        shutil.copy(library / name, folder / "ffnbook" / name)
    # not atexit, which the processes of a pool do not run
    Finalize(None, shutil.rmtree, args=(folder,), kwargs={"ignore_errors": True}, exitpriority=10)
    return folder


def seen_inside(path: str) -> str:
    """Where the sandbox shows ``path``: a scratch disk lies over /tmp there, so a checkout in /tmp is shown elsewhere."""
    return "/python" + path.removeprefix("/tmp") if path.startswith("/tmp/") else path


def bubblewrap(inside: str = "/inside") -> list[str]:
    """The command that puts what follows into a sandbox: no network, no home, nothing to write to."""
    command = ["bwrap", "--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            command += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            command += ["--ro-bind", str(path), str(path)]
    command += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives"]
    prefixes = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))}
    for prefix in sorted(prefixes):
        if not prefix.startswith("/usr"):
            command += ["--ro-bind", prefix, seen_inside(prefix)]
    for key in ("purelib", "platlib"):  # an installed ffnbook holds the tests
        installed = Path(sysconfig.get_path(key), "ffnbook")
        if installed.is_dir():
            command += ["--tmpfs", seen_inside(str(installed))]
    command += ["--ro-bind", str(stage()), inside, "--proc", "/proc", "--dev", "/dev", *_scratch(), "--tmpfs", "/tmp"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    command += ["--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--hostname", "sandbox"]
    command += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--chdir", "/tmp"]
    for name, value in ENVIRONMENT.items():
        command += ["--setenv", name, value]
    return command


@cache
def _scratch() -> list[str]:
    """The options that bound the next disk in memory; bubblewrap before 0.7 has none, and such a disk may fill half the memory.

    Only a submission with a sandbox to itself ever writes there: the children of a shared one have a smaller disk of their own.
    """
    try:
        said = subprocess.run(["bwrap", "--help"], capture_output=True, encoding="utf-8", errors="replace", timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return ["--size", str(SCRATCH)] if "--size" in said else []


@cache
def bubblewrap_fault() -> str:
    """Why bubblewrap cannot be used here; empty when it can."""
    if sys.platform != "linux" or not shutil.which("bwrap"):
        return "bwrap not found"
    try:
        done = subprocess.run([*bubblewrap(), "true"], capture_output=True, timeout=20, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.decode(errors="replace").strip()[:300] or f"exit {done.returncode}"
