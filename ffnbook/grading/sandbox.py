"""Starting children behind walls, from the trusted side.

With bubblewrap, one long-lived sandbox holds a process that has imported what submissions
need; it forks a child for each, in namespaces of its own.  Where the kernel does not let
it, each submission gets a sandbox to itself.  Without bubblewrap children run behind
limits only, and nothing they earn may be called final.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from functools import cache, partial
from multiprocessing.util import Finalize

from ffnbook.grading import jail, wire
from ffnbook.grading.bwrap import ENVIRONMENT, bubblewrap, bubblewrap_fault, seen_inside, stage

START = 60.0  # seconds for imports, torch's among them
EXIT = 10.0
MOMENT = 0.5
KILLED = 109  # how a child ends that the kernel killed: 100 + SIGKILL


class NoSandbox(RuntimeError):
    """A child could not be started; the text says why."""


class Child:
    """One process that runs one submission."""

    def __init__(self, sock: socket.socket, wait, pid: int | None = None):
        self.sock, self._wait, self._pid = sock, wait, pid
        self._code: int | None = None

    def end(self, ending: bool = False) -> int:
        """End it; how it ended: 0 and up its exit code, above 100 a signal.  ``ending``: it is about to by itself."""
        if self._code is None:
            self._code = self._wait(ending)
            self.sock.close()
        return self._code

    def cpu(self) -> float | None:
        """Seconds of processor time it has had, where the system tells."""
        try:
            return None if self._pid is None else time.clock_gettime((~self._pid << 3) | 2)
        except (OSError, AttributeError, OverflowError):
            return None


def _pair() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair()
    if hasattr(socket, "SO_PASSCRED"):
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def _ready(sock: socket.socket, seconds: float) -> int | None:
    """Wait for the child's first frame; its process id as the kernel (not the child) gives it."""
    pid = None
    if hasattr(socket, "SCM_CREDENTIALS"):
        sock.settimeout(seconds)
        try:
            _, ancillary, _, _ = sock.recvmsg(1, socket.CMSG_SPACE(12), socket.MSG_PEEK)
        except OSError:
            raise wire.Late from None
        pid = next((struct.unpack("3i", raw[:12])[0] for _, kind, raw in ancillary if kind == socket.SCM_CREDENTIALS), None)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    wire.receive(sock, seconds)
    return pid or None


class Zygote:
    """A sandbox that has imported ``modules`` and forks children."""

    def __init__(self, modules: list[str]):
        self.control, theirs = socket.socketpair()
        self.process = _start(bubblewrap(), "/inside", "zygote", str(theirs.fileno()), {"modules": modules}, (theirs.fileno(),))
        theirs.close()
        try:
            wire.receive(self.control, START)
        except (wire.Late, wire.Closed, wire.Broken):
            self.close()
            raise NoSandbox("the sandbox did not start") from None

    def child(self, memory: int, cpu: int) -> Child:
        ours, theirs = _pair()
        stop_read, stop_write = os.pipe()
        try:
            self.control.settimeout(EXIT)
            socket.send_fds(self.control, [json.dumps({"memory": memory, "cpu": cpu}).encode()], [theirs.fileno(), stop_read])
        except OSError:
            os.close(stop_write)
            ours.close()
            raise NoSandbox("the sandbox is gone") from None
        finally:
            theirs.close()
            os.close(stop_read)
        wait = partial(self._wait, stop_write)
        try:
            return Child(ours, wait, _ready(ours, EXIT))
        except (wire.Late, wire.Closed, wire.Broken):
            code = Child(ours, wait).end(ending=True)
            raise NoSandbox(f"a child could not build its walls ({code})") from None

    def _wait(self, stop: int, ending: bool) -> int:
        """The exit code of the child, which is ended now unless it is about to end by itself."""
        try:
            if ending:
                try:
                    return self._exit(MOMENT)
                except wire.Late:
                    pass
                finally:
                    os.close(stop)
            else:
                os.close(stop)
            return self._exit(EXIT)
        except (wire.Late, wire.Closed, wire.Broken, KeyError, ValueError, TypeError):
            self.close()
            return KILLED

    def _exit(self, seconds: float) -> int:
        return int(wire.receive(self.control, seconds)[0]["exit"])

    def close(self) -> None:
        self.control.close()
        _end(self.process)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None and self.control.fileno() >= 0


def _start(prefix: list[str], inside: str, mode: str, address: str, options: dict, fds: tuple = ()) -> subprocess.Popen:
    worker = f"{inside}/ffnbook/grading/worker.py"
    python = seen_inside(sys.executable) if prefix else sys.executable
    # the environment is all ours, and -I would ignore the hash seed in it
    command = [*prefix, python, "-s", "-P", "-B", worker, mode, address, json.dumps(options)]
    extra = {} if os.name == "nt" else {"pass_fds": fds, "start_new_session": True}
    system = {k: os.environ[k] for k in ("SYSTEMROOT", "LD_LIBRARY_PATH") if k in os.environ}
    here = {"HOME": tempfile.gettempdir(), "MPLCONFIGDIR": os.path.join(tempfile.gettempdir(), "ffnbook-mpl")}
    environment = {**ENVIRONMENT, **system, **({} if prefix else here)}
    null = subprocess.DEVNULL
    return subprocess.Popen(
        command, stdin=null, stdout=null, stderr=null, env=environment, cwd=tempfile.gettempdir(), close_fds=True, **extra
    )


def _end(process: subprocess.Popen) -> int:
    try:
        os.killpg(process.pid, signal.SIGKILL) if os.name == "posix" else process.kill()
    except (ProcessLookupError, PermissionError):
        pass
    return process.wait()


def direct(walled: bool, modules: list[str], memory: int, cpu: int) -> Child:
    """A process for one submission only, inside bubblewrap or behind limits."""
    options = {"modules": modules, "memory": memory, "cpu": cpu}
    prefix, inside = (bubblewrap(), "/inside") if walled else ([], str(stage()))
    if os.name == "nt":
        sock, process = _call_back(inside, options)
    else:
        sock, theirs = _pair()
        process = _start(prefix, inside, "direct", str(theirs.fileno()), options, (theirs.fileno(),))
        theirs.close()
    wait = partial(_wait_alone, process)
    try:
        return Child(sock, wait, _ready(sock, START))
    except (wire.Late, wire.Closed, wire.Broken):
        raise NoSandbox(f"the process did not start ({Child(sock, wait).end(ending=True)})") from None


def _wait_alone(process: subprocess.Popen, ending: bool) -> int:
    code = 0
    if ending:
        try:
            code = process.wait(MOMENT)
        except subprocess.TimeoutExpired:
            pass
    _end(process)
    code = code if code >= 0 else 100 - code
    return code - 28 if code > 128 else code  # bubblewrap passes signals on as 128 + n


def _call_back(inside: str, options: dict) -> tuple[socket.socket, subprocess.Popen]:
    token = secrets.token_hex(16)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(START)
        process = _start([], inside, "direct", f"127.0.0.1:{server.getsockname()[1]}:{token}", options)
        sock, _ = server.accept()
    if sock.recv(len(token), socket.MSG_WAITALL).decode() != token:
        raise NoSandbox("something else called back")
    return sock, process


@cache
def kept(walls: str) -> Sandbox:
    """The sandbox of this process: kept from one submission to the next, closed when the process ends."""
    sandbox = Sandbox(walls)
    # not atexit, which the processes of a pool do not run; before the files that its inside sees are taken away
    Finalize(sandbox, sandbox.close, exitpriority=20)
    return sandbox


class Sandbox:
    """Children for submissions, behind the best walls there are (or ``walls="limits"``)."""

    def __init__(self, walls: str = "best"):
        self.fault = bubblewrap_fault() if walls == "best" else "not asked for"
        self._zygotes: dict[tuple, Zygote] = {}
        self._shared = not self.fault

    @property
    def final(self) -> bool:
        """Whether marks earned here may be called final."""
        return not self.fault

    @property
    def layers(self) -> list[str]:
        """The walls that are up, for the record."""
        up = [] if self.fault else ["bubblewrap", "network", "filesystem"]
        up += ["namespaces"] if self._shared else []
        up += ["seccomp"] if sys.platform == "linux" and os.uname().machine in jail.ARCHITECTURES else []
        return [*up, "capabilities", "rlimits"] if sys.platform == "linux" else [*up, "rlimits"] if os.name == "posix" else up

    def child(self, modules: list[str], memory: int, cpu: int) -> Child:
        if self._shared:
            try:
                return self._zygote(modules).child(memory, cpu)
            except NoSandbox:
                self.close()
                if not self._again(modules, memory, cpu):
                    self._shared = False
        return direct(not self.fault, modules, memory, cpu)

    def _again(self, modules: list[str], memory: int, cpu: int) -> bool:
        """Whether forking works at all here: a zygote may have died, or the kernel forbids nesting."""
        try:
            self._zygote(modules).child(memory, cpu).end()
        except NoSandbox:
            self.close()
            return False
        return True

    def _zygote(self, modules: list[str]) -> Zygote:
        key = tuple(modules)
        if key not in self._zygotes or not self._zygotes[key].alive:
            self._zygotes[key] = Zygote(modules)
        return self._zygotes[key]

    def close(self) -> None:
        for zygote in self._zygotes.values():
            zygote.close()
        self._zygotes.clear()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_) -> None:
        self.close()
