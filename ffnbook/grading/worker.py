"""The inside of the sandbox: runs a learner's cells, then answers calls.  Nothing here is trusted.

Started as ``python -s -P worker.py zygote FD OPTIONS`` it imports what the submissions need
once and forks a fresh, walled child for each; as ``direct`` it is that child itself.
"""

from __future__ import annotations

import array as _array
import ast
import builtins
import gc
import importlib
import io
import json
import os
import random
import select
import signal
import socket
import sys

import numpy as np

INSIDE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, INSIDE)
sys.path.append(os.path.join(INSIDE, "absent"))  # stand-ins for what a learner has and this machine may not

from ffnbook.exercises import calling, values  # noqa: E402
from ffnbook.grading import jail, wire  # noqa: E402

MAX_OUTPUT = 4_000
QUIET = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)  # statements not announced


class Output(io.TextIOBase):
    """Keeps the first characters that are printed and drops the rest."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.kept = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if len(self.kept) < MAX_OUTPUT:
            self.kept += text[: MAX_OUTPUT - len(self.kept)]
        return len(text)


class Notebook:
    """One namespace, filled cell by cell and statement by statement."""

    def __init__(self, sock: socket.socket):
        self.sock, self.kept, self.output = sock, [], Output()
        self.space: dict = {"__name__": "__main__", "__builtins__": __builtins__}

    def load(self, job: dict) -> None:
        """Run the cells; a statement that fails costs itself, as it would not in Jupyter."""
        for name, module in job["inject"].items():
            try:
                self.space[name] = importlib.import_module(module)
            except ImportError:
                pass
        errors, skip, modules = {}, {tuple(place) for place in job["skip"]}, dict(sys.modules)
        for index, source in enumerate(job["cells"]):
            try:
                statements = ast.parse(source, f"<cell {index}>").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue  # the grader has seen it and says so
            for place, statement in enumerate(statements):
                if (index, place) not in skip:
                    announce = job["careful"] or not isinstance(statement, QUIET) or getattr(statement, "decorator_list", None)
                    if announce:
                        wire.send(self.sock, {"at": [index, place]})
                    failed = self._run(index, statement)
                    if failed:
                        errors.setdefault(str(index), failed)
            _close_figures()
        sys.modules.update({name: module for name, module in modules.items() if name not in sys.modules})
        wire.send(self.sock, {"loaded": errors, "output": self.output.kept})

    def _run(self, index: int, statement: ast.stmt) -> dict | None:
        try:
            exec(compile(ast.Module([statement], []), f"<cell {index}>", "exec"), self.space)
        except BaseException as error:  # SystemExit and KeyboardInterrupt too
            status, facts = calling.explain(error)
            return {"status": status, "facts": facts}
        return None

    def serve(self) -> None:
        """Answer calls until the grader hangs up."""
        while True:
            request, arrays = wire.receive(self.sock)
            try:
                reply, out = self._answer(request, arrays)
            except BaseException as error:
                status, facts = calling.explain(error)
                reply, out = {"fault": status, "facts": facts}, []
            wire.send(self.sock, reply | {"n": request["n"]}, out)

    def _answer(self, request: dict, arrays: list) -> tuple[dict, list]:
        name, handle, out = request["name"], request.get("handle"), []
        if handle is None and name not in self.space:
            return {"fault": "missing", "facts": {"name": name}}, out
        target = self.space[name] if handle is None else self.kept[handle]
        if request["op"] == "get":
            return {"ok": values.encode(target, out, self._keep)}, out
        if calling.is_stub(target):
            return {"fault": "unanswered", "facts": {"name": name}}, out
        if request.get("attribute"):
            target = getattr(target, request["attribute"])
        args = [self._argument(tree, arrays) for tree in request["args"]]
        kwargs = {key: self._argument(tree, arrays) for key, tree in request["kwargs"].items()}
        result, said, changed = calling.call(target, args, kwargs)
        return {"ok": values.encode(result, out, self._keep), "warnings": said, "changed": changed}, out

    def _argument(self, tree: object, arrays: list) -> object:
        value = values.decode(tree, arrays)
        return self.kept[value.handle] if isinstance(value, values.Opaque) else value

    def _keep(self, value: object) -> int:
        self.kept.append(value)
        return len(self.kept) - 1


def _close_figures() -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        try:
            pyplot.close("all")
        except BaseException:
            pass


def _no_input(prompt: object = "") -> str:
    raise EOFError("input() has nobody to answer it here")


def _show_nothing(*objects: object, **options: object) -> None:
    """``display``, which IPython puts among the builtins."""


def _same_luck() -> None:
    """The same chance numbers every time, ``np.random.default_rng()`` and its like included: a mark is no lottery."""
    random.seed(0)
    np.random.seed(0)
    os.urandom = random._urandom = random.Random(0).randbytes
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def child(sock: socket.socket) -> None:
    """Be the process of one submission; never returns."""
    try:
        builtins.input, builtins.display = _no_input, _show_nothing
        _same_luck()
        notebook = Notebook(sock)
        sys.stdout = sys.stderr = notebook.output
        sys.stdin = io.StringIO()
        wire.send(sock, {"ready": 1})
        notebook.load(wire.receive(sock)[0])
        notebook.serve()
    finally:
        os._exit(0)


def walls(memory: int, cpu: int) -> None:
    """The limits every child has, with namespaces of its own or without."""
    if sys.platform == "linux":
        jail.limits(memory, cpu)
        jail.powerless()
        jail.seccomp()
    elif os.name == "posix":
        jail.limits(0, cpu)


def zygote(control: socket.socket, modules: list[str]) -> None:
    """Import, then fork one child per request until the grader hangs up."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError:
            pass
    gc.collect()
    gc.freeze()  # so that collecting in a child copies none of the shared pages
    jail.unreadable()
    wire.send(control, {"ready": 1})
    while True:
        data, ancillary, _, _ = control.recvmsg(4096, socket.CMSG_LEN(64))
        if not data:
            os._exit(0)
        fds = _array.array("i")
        for _, _, raw in ancillary:
            fds.frombytes(raw[: len(raw) - len(raw) % fds.itemsize])
        pid = os.fork()
        if pid == 0:
            _guardian(control, fds, json.loads(data))
        for fd in fds:
            os.close(fd)
        status = os.waitpid(pid, 0)[1]
        wire.send(control, {"exit": os.waitstatus_to_exitcode(status)})


def _guardian(control: socket.socket, fds: _array.array, job: dict) -> None:
    """Between zygote and child: builds the walls, ends the child when told, passes on how it ended."""
    try:
        control.close()
        jail.die_with_parent()
        wire_fd, stop_fd = fds
        jail._libc.prctl(jail.PR_SET_DUMPABLE, 1, 0, 0, 0)  # or /proc/self/uid_map is not ours to write
        jail.namespaces()
        jail.first_to_go()
        jail.unreadable()
        pid = os.fork()
        if pid == 0:
            _enter(wire_fd, job)
        os.close(wire_fd)
        gone = os.pidfd_open(pid)
        select.select([stop_fd, gone], [], [])
        stopped = not select.select([gone], [], [], 0)[0]
        if stopped:
            os.kill(pid, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os._exit(0 if stopped else code if code >= 0 else 100 - code)  # 100 + the signal's number
    finally:
        os._exit(99)


def _enter(wire_fd: int, job: dict) -> None:
    try:
        sock = socket.socket(fileno=wire_fd)
        jail.die_with_parent()
        os.setsid()  # or what is done to the whole group would be done to those who start the next child
        null = os.open("/dev/null", os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        os.closerange(3, wire_fd)
        os.closerange(wire_fd + 1, 256)
        jail.limits(job["memory"], job["cpu"])
        jail.scratch()
        jail.powerless()
        jail.seccomp()
    except BaseException:
        os._exit(98)
    child(sock)


def main(argv: list[str]) -> None:
    mode, address, options = argv[1], argv[2], json.loads(argv[3])
    if ":" in address:  # Windows passes no sockets on: call back
        host, port, token = address.split(":")
        sock = socket.create_connection((host, int(port)))
        sock.sendall(token.encode())
    else:
        sock = socket.socket(fileno=int(address))
    if mode == "zygote":
        zygote(sock, options["modules"])
    for module in options["modules"]:
        try:
            importlib.import_module(module)
        except ImportError:
            pass
    walls(options["memory"], options["cpu"])
    child(sock)


if __name__ == "__main__":
    main(sys.argv)
