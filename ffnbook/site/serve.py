"""``ffnbook serve``: the site on this machine, built again and reloaded as its sources change."""

from __future__ import annotations

import contextlib
import gzip
import threading
import time
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ffnbook.messages import t
from ffnbook.site import build, inputs

RELOAD = b"""<script>(()=>{let v;setInterval(async()=>{try{const n=await(await fetch("/__version")).text();if(v&&n!==v)location.reload();v=n}catch{}},700)})()</script>"""
COMPRESSED = (".html", ".css", ".js", ".mjs", ".svg", ".json", ".xml")


class Handler(SimpleHTTPRequestHandler):
    """Static files, gzipped as any real host would, under an optional sub-path."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".woff2": "font/woff2"}
    prefix, live = "/", False
    version = "0"

    def do_GET(self):
        if self.live and self.path == "/__version":
            return self.answer(type(self).version.encode(), "text/plain")
        if not self.path.startswith(self.prefix):
            return self.missing()
        self.path = "/" + self.path.removeprefix(self.prefix)
        path = Path(self.translate_path(self.path))
        if path.is_dir() and not self.path.split("?")[0].endswith("/"):
            return super().do_GET()
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.missing()
        return self.answer(path.read_bytes(), self.guess_type(str(path)), path.suffix in COMPRESSED)

    def missing(self):
        page = Path(self.directory) / "404.html"
        self.answer(page.read_bytes() if page.is_file() else b"404", "text/html", status=404)

    def answer(self, body: bytes, kind: str, compress: bool = False, status: int = 200):
        if self.live and kind == "text/html":
            body += RELOAD
        compress = compress and "gzip" in self.headers.get("Accept-Encoding", "")
        body = gzip.compress(body, 6) if compress else body
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache" if self.live else "max-age=600")
        if compress:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def server(site: Path, port: int = 0, *, prefix: str = "/", live: bool = False) -> ThreadingHTTPServer:
    """A server of ``site``, not yet running; port 0 takes any that is free."""
    kind = type("SiteHandler", (Handler,), {"prefix": prefix, "live": live})
    made = ThreadingHTTPServer(("127.0.0.1", port), partial(kind, directory=str(site)))
    made.handler = kind
    return made


def serve(say: Callable[[str], None], port: int, *, live: bool = True, site: Path = build.SITE) -> int:
    """Build and serve until interrupted; with ``live``, build again whenever a source changes, sound or not."""
    try:
        made = server(site, port, live=live)  # before the build: who has to choose another port need not wait for it
    except OSError:
        say(t("building.port_taken", port=port))
        return 1
    seen = times()
    status = build.build(say, site=site)
    if status and not live:
        return status
    threading.Thread(target=made.serve_forever, daemon=True).start()
    say(t("building.serving", url=f"http://127.0.0.1:{made.server_port}/"))
    try:
        watch(say, made.handler, seen) if live else threading.Event().wait()
    except KeyboardInterrupt:
        return 0
    finally:
        made.shutdown()


def watch(say: Callable[[str], None], handler, seen: dict[Path, int]) -> None:
    while True:
        time.sleep(0.5)
        now = times()
        if changed := changes(seen, now):
            say(t("building.rebuilding", path=changed[0].relative_to(build.ROOT).as_posix()))
            build.build(say)
            handler.version = str(time.time())
        seen = now


def changes(seen: dict[Path, int], now: dict[Path, int]) -> list[Path]:
    """What is new, or another, or gone."""
    return sorted(path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path))


def times() -> dict[Path, int]:
    found = {}
    for path in (path for name in (*inputs.INPUTS, *inputs.ONLY_CHECKED) for path in inputs.files_under(build.ROOT / name)):
        with contextlib.suppress(FileNotFoundError):  # an editor's own file, gone already
            found[path] = path.stat().st_mtime_ns
    return found
