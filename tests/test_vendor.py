"""Fetching the files of others: the hash decides, sources are asked in order, and what is wrong is said to the author."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ffnbook import messages
from ffnbook.site.live import browser_python, page, vendor

GOOD = b"the file the manifest means"


def item(file: str, data: bytes = GOOD, sources: tuple[str, ...] = (), **more) -> vendor.Item:
    return vendor.Item("thing", "1.0", file, hashlib.sha256(data).hexdigest(), sources, **more)


class Releases:
    """A host on this machine with the files of a folder; ``asked`` is what it was asked for."""

    def __init__(self, folder: Path):
        self.folder, self.asked = folder, asked = folder, []

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=str(folder))

            def do_GET(self):
                asked.append(self.path)
                super().do_GET()

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def releases(tmp_path):
    (tmp_path / "releases").mkdir()
    made = Releases(tmp_path / "releases")
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def said():
    return []


@pytest.fixture
def store(tmp_path, said):
    (tmp_path / "cache").mkdir()
    return vendor.Store(said.append, tmp_path / "cache")


def test_a_file_is_fetched_once_and_kept_under_its_hash(store, releases, said):
    (releases.folder / "thing.whl").write_bytes(GOOD)
    wanted = item("thing.whl", sources=(f"{releases.address}/thing.whl",))
    first = store.get(wanted)
    assert first.read_bytes() == GOOD and wanted.sha256[:16] in str(first)
    assert store.get(wanted) == first
    assert releases.asked == ["/thing.whl"]
    assert said == [messages.t("live.vendor.fetching", file="thing.whl")]


def test_what_was_kept_and_then_harmed_is_fetched_again(store, releases):
    (releases.folder / "thing.whl").write_bytes(GOOD)
    wanted = item("thing.whl", sources=(f"{releases.address}/thing.whl",))
    store.get(wanted).write_bytes(b"half of it")
    assert store.get(wanted).read_bytes() == GOOD
    assert len(releases.asked) == 2


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_another_hash_stops_the_build_though_another_source_is_named(store, releases, lang):
    (releases.folder / "thing.whl").write_bytes(b"another file")
    (releases.folder / "again.whl").write_bytes(GOOD)
    wanted = item("thing.whl", sources=(f"{releases.address}/thing.whl", f"{releases.address}/again.whl"))
    before = messages.current()
    messages.set_language(lang)
    try:
        with pytest.raises(vendor.VendorError) as error:
            store.get(wanted)
    finally:
        messages.set_language(before)
    for part in (wanted.sha256, hashlib.sha256(b"another file").hexdigest(), f"{releases.address}/thing.whl", "vendor.toml"):
        assert part in str(error.value)
    assert ("se detiene" if lang == "es" else "the build stops") in str(error.value)
    assert not list(store.cache.glob("*/thing.whl"))


def test_sources_are_asked_in_order_until_one_has_the_file(store, releases):
    (releases.folder / "second.whl").write_bytes(GOOD)
    other = Releases(releases.folder)
    wanted = item("thing.whl", sources=(f"{releases.address}/first.whl", f"{other.address}/second.whl"))
    assert store.get(wanted).read_bytes() == GOOD
    assert releases.asked == ["/first.whl"]
    other.server.shutdown()
    other.server.server_close()


def test_a_file_that_no_source_has_stops_the_build_and_says_what_was_tried(store, releases):
    sources = (f"{releases.address}/thing.whl", "https://127.0.0.1:9/thing.whl")
    with pytest.raises(vendor.VendorError) as error:
        store.get(item("thing.whl", sources=sources))
    for part in ("thing.whl", *sources, "404", "--no-live"):
        assert part in str(error.value)


def test_a_host_that_does_not_answer_is_not_asked_for_every_file(store):
    for name in ("one.whl", "two.whl"):
        with pytest.raises(vendor.VendorError) as error:
            store.get(item(name, sources=("https://127.0.0.1:9/x",)))
    assert "127.0.0.1:9 did not answer before" in str(error.value)


def test_a_member_of_a_wheel_is_a_source_like_any_other(store, tmp_path, monkeypatch):
    def download(package, folder):
        with zipfile.ZipFile(folder / "carrier.whl", "w") as wheel:
            wheel.writestr("carrier/files/thing.whl", GOOD)
        return folder / "carrier.whl"

    asked = []
    monkeypatch.setattr(vendor, "pip_download", lambda package, folder: asked.append(package) or download(package, folder))
    assert store.get(item("thing.whl", sources=("pypi:carrier==1!carrier/files/thing.whl",))).read_bytes() == GOOD
    with pytest.raises(vendor.VendorError):
        store.get(item("none.whl", b"x", sources=("pypi:carrier==1!carrier/files/none.whl",)))
    assert asked == ["carrier==1"]  # the carrier is kept too


def tarball(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def test_only_what_the_manifest_takes_leaves_an_archive(tmp_path):
    archive = tarball(tmp_path / "a.tgz", {"package/lib/a.js": b"a", "package/lib/a.js.map": b"m", "package/../../evil.js": b"e"})
    vendor.unpack(archive, {"package/lib/*.js": "thebe"}, tmp_path / "live")
    assert [p.relative_to(tmp_path / "live").as_posix() for p in (tmp_path / "live").rglob("*.*")] == ["thebe/a.js"]


def test_a_pattern_that_takes_nothing_is_a_fault_of_the_manifest(tmp_path):
    archive = tarball(tmp_path / "a.tgz", {"package/lib/a.js": b"a"})
    with pytest.raises(vendor.VendorError, match=r"lib/\*\.css"):
        vendor.unpack(archive, {"package/lib/*.js": "x", "package/lib/*.css": "x"}, tmp_path / "live")


# ---- the manifest -----------------------------------------------------------------------------------------

ITEMS = vendor.load()


def test_every_file_of_the_manifest_has_a_name_a_version_a_hash_and_a_source():
    assert len({i.file for i in ITEMS}) == len(ITEMS)
    for i in ITEMS:
        assert i.name and i.version and len(i.sha256) == 64 and i.sources, i
        assert i.version in i.file
        for source in i.sources:
            assert source.startswith(("npm:", "pypi:", "https://")), source


def test_what_the_browser_has_is_the_version_that_the_book_pins():
    pins = dict(
        line.split("==") for line in (vendor.MANIFEST.parents[3] / "constraints.txt").read_text(encoding="utf-8").split() if "==" in line
    )
    ours = {i.name: i.version for i in ITEMS if any("pypi:" in s and "!" not in s for s in i.sources)}
    assert {"anywidget", "ipywidgets"} <= set(ours)
    for name, version in ours.items():
        assert pins.get(name, pins.get(name.replace("-", "_"))) == version, f"{name}: constraints.txt and vendor.toml differ"


# ---- Python in the browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pyodide(site) -> Path:
    return site / "live" / "pyodide"


@pytest.fixture(scope="module")
def lock(pyodide) -> dict:
    return json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]


def test_hashes_of_the_release_are_those_in_pyodides_own_lock_file(site):
    archive = next(i for i in ITEMS if i.name == "pyodide")
    with tarfile.open(vendor.Store(print).get(archive)) as opened:
        official = json.load(opened.extractfile("package/pyodide-lock.json"))["packages"]
    by_file = {package["file_name"]: package["sha256"] for package in official.values()}
    release = [i for i in ITEMS if any(s.startswith("https://") for s in i.sources)]
    assert len(release) > 20
    assert {i.file: i.sha256 for i in release} == {i.file: by_file[i.file] for i in release}


def test_every_package_of_the_lock_file_is_there_whole_with_all_it_needs(pyodide, lock):
    for name, package in lock.items():
        assert hashlib.sha256((pyodide / package["file_name"]).read_bytes()).hexdigest() == package["sha256"], name
        assert set(package["depends"]) <= {key for known in lock for key in (known, known.replace("-", "_"))}, name
    assert {"numpy", "scipy", "matplotlib", "ipywidgets", "anywidget", "ffnbook", "ipython"} <= set(lock)


def test_our_wheel_holds_what_pages_use_and_no_solution(pyodide, lock):
    with zipfile.ZipFile(pyodide / lock["ffnbook"]["file_name"]) as wheel:
        names = wheel.namelist()
        assert wheel.testzip() is None
    assert {"ffnbook/lesson.py", "ffnbook/locale/es/widgets.toml", "ffnbook/widgets/activation_explorer.mjs"} <= set(names)
    assert {"ffnbook/exercises/source/order.toml", "ffnbook/exercises/source/activations/gelu/tests.py"} <= set(names)
    assert not [name for name in names if "solution" in name or name.startswith(("ffnbook/site/", "ffnbook/grading/"))]


def test_equal_sources_make_equal_wheels(tmp_path):
    made = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        made.append(browser_python.write_wheel(tmp_path / folder, "ffnbook", "1", {"ffnbook/x.py": b"x = 1\n"}).read_bytes())
    assert made[0] == made[1]


def test_a_page_asks_for_what_it_and_what_it_imports_import():
    assert page.packages("import math") == ["ffnbook"]
    assert page.packages("import numpy\nfrom ffnbook.numbers import num") == ["ffnbook", "numpy"]
    assert "scipy" in page.packages("from ffnbook.activations import gelu")
    assert "scipy" in page.packages("check('silu')")
    assert {"anywidget", "matplotlib"} <= set(page.packages("from ffnbook.widgets import ActivationExplorer\nfrom ffnbook import lesson"))


def test_binder_is_offered_where_the_repository_is_known(monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert page.ways(["pyodide", "binder"]) == ["pyodide", "server"]
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/course")
    assert page.ways(["pyodide", "binder"]) == ["pyodide", "binder", "server"]
    assert page.ways(["binder"]) == ["binder", "server"]
