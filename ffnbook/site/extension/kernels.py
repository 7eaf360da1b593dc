"""Kernels that talk through files of their own: two builds side by side, each looking for free ports, could take the same."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import traceback

import jupyter_client
from jupyter_cache.executors import utils
from nbclient import execute
from nbclient.exceptions import CellExecutionError, DeadKernelError
from traitlets import default

COUNT = itertools.count()


def setup(app):
    utils.executenb = executed
    if sys.platform == "win32":  # it has no such files
        return
    own = None if "FFNBOOK_SOCKETS" in os.environ else tempfile.TemporaryDirectory(prefix="ffnbook-")
    folder = own.name if own else os.environ["FFNBOOK_SOCKETS"]  # of whoever started this, who puts it away

    class KernelManager(jupyter_client.AsyncKernelManager):
        transport = "ipc"
        until_this_process_ends = own

        @default("ip")
        def _in_its_own_file(self):
            return f"{folder}/{os.getpid()}-{next(COUNT)}"

        @default("connection_file")
        def _beside_it(self):
            return f"{folder}/{os.getpid()}-{next(COUNT)}.json"

    # nbclient asks for the class by this name, each time it starts a kernel
    jupyter_client.AsyncKernelManager = KernelManager


def executed(notebook, **options):
    """The notebook, run; a cell that took its kernel with it (no memory, a crash, an exit) has failed like any other."""
    try:
        return execute(notebook, **options)
    except DeadKernelError as error:
        cell = _running(error) or next(c for c in notebook.cells if c.cell_type == "code" and c.execution_count is None)
        raise CellExecutionError.from_cell_and_msg(cell, {"ename": "DeadKernelError", "evalue": str(error), "traceback": []}) from error


def _running(error: DeadKernelError):
    """The cell that was being run: it may have its number already, or not yet, as the kernel had the time to say so."""
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code.co_name == "async_execute_cell"]
    return frames[-1].get("cell") if frames else None
