"""``ffnbook serve`` as an author uses it: it builds, serves, and builds again on each change, sound or not."""

from __future__ import annotations

import queue
import signal
import threading
import urllib.request

import pytest


class Serving:
    """The command at work on a book; ``hears`` waits for a line of what it says."""

    def __init__(self, book):
        self.process = book.start("-m", "ffnbook", "serve", "--port", "0", FFNBOOK_LANG="en")
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def hears(self, words: str) -> str:
        said = []
        while words not in (line := self.lines.get(timeout=120)):
            said.append(line)
            assert line, "".join(said)
        return line


@pytest.fixture
def serving(book):
    made = Serving(book)
    yield made
    made.process.kill()
    made.process.communicate()
    book.restore()
    book.agree()


def test_a_change_is_served_and_a_fault_does_not_end_it(book, serving):
    home = serving.hears("The book is at ").split()[4]

    def page() -> str:
        return urllib.request.urlopen(f"{home}es/answer.html", timeout=30).read().decode()

    assert ">41<" in page() and "__version" in page()
    book.edit("ffnbook/small.py", "ANSWER = 41", "ANSWER = ")
    serving.hears("ffnbook/small.py changed")
    serving.hears("nothing new was published")
    assert ">41<" in page()
    book.edit("ffnbook/small.py", "ANSWER = ", "ANSWER = 63")
    serving.hears("ffnbook/small.py changed")
    serving.hears("Site in ")
    assert ">63<" in page()
    book.edit("book/es/answer.md", "description: Uno", "description: Uno: dos")
    serving.hears("book/es/answer.md:4: The front matter cannot be read here")
    serving.process.send_signal(signal.SIGINT)
    assert serving.process.wait(timeout=60) == 0
