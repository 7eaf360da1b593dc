"""A Jupyter server as a reader would start it, a wire to it that can be cut, and an imitation of BinderHub."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TOKEN = "my-secret"


class Jupyter:
    """``jupyter server`` with the options that "Run this page" shows the reader, in an empty folder."""

    def __init__(self, origin: str, folder: Path):
        self.port = free_port()
        options = [f"--ServerApp.allow_origin={origin}", f"--IdentityProvider.token={TOKEN}"]
        ours = [f"--ServerApp.port={self.port}", "--ServerApp.ip=127.0.0.1", "--no-browser", "--allow-root", f"--ServerApp.root_dir={folder}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        home = {**os.environ, "JUPYTER_CONFIG_DIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder / "run"), "FFNBOOK_BUILD": "0"}
        self.process = subprocess.Popen([sys.executable, "-m", "jupyter_server", *options, *ours], env=home, **quiet)
        self.wait()

    def wait(self, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api?token={TOKEN}", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise TimeoutError("the Jupyter server did not start")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


class Wire:
    """Carries connections to ``port`` until it is cut; once mended it carries new ones."""

    def __init__(self, port: int):
        self.target, self.whole, self.open = port, True, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.target))
            self.open += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=carry, args=ends, daemon=True).start()

    def cut(self) -> None:
        self.whole = False
        for end in self.open:
            hang_up(end)
        self.open.clear()

    def mend(self) -> None:
        self.whole = True

    def close(self) -> None:
        self.cut()
        self.listener.close()


def carry(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    hang_up(source)
    hang_up(target)


def hang_up(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()


class Binder:
    """BinderHub's one answer: the story of a build as events, at whose end there is the server at ``port``."""

    def __init__(self, port: int):
        self.fails = False
        self.asked: list[str] = []
        binder = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                binder.asked.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                for event in binder.story(port):
                    self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                    self.wfile.flush()
                    time.sleep(0.1)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def story(self, port: int) -> list[dict]:
        if self.fails:
            return [{"phase": "waiting", "message": "Waiting"}, {"phase": "failed", "message": "Could not resolve ref"}]
        ready = {"phase": "ready", "message": "Server running", "url": f"http://127.0.0.1:{port}/", "token": TOKEN}
        return [{"phase": "waiting", "message": "Waiting"}, {"phase": "launching", "message": "Launching server"}, ready]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]
