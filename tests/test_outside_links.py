"""The weekly look at other people's pages, against a host of our own."""

from __future__ import annotations

import importlib.util
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("outside_links", Path(__file__).parents[1] / "tools/outside_links.py")
outside_links = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(outside_links)


class Answers(BaseHTTPRequestHandler):
    """Answers ``/404`` with 404, and so on."""

    def do_GET(self):
        self.send_response(int(self.path.strip("/")))
        self.end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def host():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()


@pytest.mark.parametrize(("code", "gone", "what"), [(200, False, ""), (404, True, "404"), (410, True, "410"), (403, False, "403"), (503, False, "503")])
def test_what_an_answer_means(host, code, gone, what):
    assert outside_links.trouble(f"{host}/{code}") == (gone, what)


def test_a_host_that_does_not_exist_is_gone():
    assert outside_links.trouble("http://no-such-host.invalid/")[0]


def test_a_closed_port_is_silence_not_absence():
    gone, what = outside_links.trouble("http://127.0.0.1:9/")
    assert what and not gone


def test_links_of_the_site(tmp_path, monkeypatch):
    monkeypatch.setenv("FFNBOOK_SITE_URL", "https://book.example/")
    (tmp_path / "en").mkdir()
    page = '<a href="https://a.example/x#part">a</a><a href="https://a.example/x">a</a><a href="https://book.example/es/">own</a><a href="b.html">b</a><a href="mailto:c@d.example">c</a>'
    (tmp_path / "en/a.html").write_text(page, encoding="utf-8")
    assert outside_links.outside(tmp_path) == {"https://a.example/x": "en/a.html"}


def test_report_names_address_reason_and_page(host):
    text, gone = outside_links.report({f"{host}/404": "en/a.html", f"{host}/403": "es/b.html", f"{host}/200": "es/c.html"})
    assert gone == 1
    assert f"1 gone:\n- {host}/404 (404): en/a.html" in text
    assert f"by hand:\n- {host}/403 (403): es/b.html" in text
    assert "/200" not in text
