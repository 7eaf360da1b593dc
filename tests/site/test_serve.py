"""``ffnbook serve`` as an author uses it: it builds, serves, and builds again on each change, sound or not."""

from __future__ import annotations

import queue
import signal
import socket
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


def test_a_taken_port_is_told_before_the_build(book):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, said = book.python("-m", "ffnbook", "serve", "--port", str(port), FFNBOOK_LANG="es")
    assert (status, said) == (1, f"El puerto {port} está ocupado: elige otro con --port.\n")


@pytest.mark.parametrize("stem", ["authoring", "building", "ui"])
def test_a_file_of_words_that_cannot_be_read_is_named(book, stem):
    """Its own words are not needed to say so, and the command that watches the sources goes on."""
    path = f"ffnbook/locale/es/{stem}.toml"
    sound = book.read(path)
    book.write(path, sound + '\nbroken = "\n')
    try:
        for command in (["build"], ["parity"]):
            status, said = book.python("-m", "ffnbook", *command, FFNBOOK_LANG="es")
            assert status == 1 and path in said and "Traceback" not in said, said
    finally:
        book.write(path, sound)


def test_watching_outlives_a_file_of_words_that_cannot_be_read(book, serving):
    serving.hears("The book is at ")
    path = "ffnbook/locale/en/authoring.toml"
    sound = book.read(path)
    try:
        book.write(path, sound + '\nbroken = "\n')
        assert path in serving.hears(f"{path}: ")
        book.write(path, sound)
        serving.hears(f"{path} changed")
        serving.hears("Site ")
    finally:
        book.write(path, sound)
