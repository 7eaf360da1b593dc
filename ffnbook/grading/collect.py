"""Finding submissions in files, folders and zips; each is read only when its turn comes."""

from __future__ import annotations

import io
import os
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ffnbook.exercises.judge import Fault
from ffnbook.grading.reading import MAX_BYTES, NOTEBOOKS, SCRIPTS, too_big, unreadable

ANSWERS = NOTEBOOKS + SCRIPTS
JUNK = {"__macosx", ".ipynb_checkpoints", "__pycache__", ".git", ".venv", "venv", "node_modules", ".idea", ".vscode"}
FURNITURE = {"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"}
KINDS = {  # what people hand in that nobody can grade, by why; the texts say what to do
    "archive": (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"),
    "document": (".docx", ".doc", ".odt", ".rtf", ".pdf", ".pages", ".pptx", ".txt", ".md"),
    "web_page": (".html", ".htm", ".mhtml", ".webarchive", ".url", ".webloc"),
    "picture": (".png", ".jpg", ".jpeg", ".heic", ".webp", ".gif", ".bmp"),
}
MAX_ZIP = 2 << 30
MAX_MEMBERS = 50_000
MAX_NAME = 300


Member = tuple[str, int]  # a zip may hold a name more than once: the name, and which of them


@dataclass(frozen=True)
class Source:
    """Where one submission is: a file, or a member of a zip (of a zip)."""

    name: str  # how reports call it; unique in a batch
    path: str
    members: tuple[Member, ...] = ()
    fault: str = ""  # known already: the why of an unreadable one

    @property
    def key(self) -> tuple:
        return str(Path(self.path).resolve()), self.members

    def bytes(self) -> bytes | Fault:
        """The content, or why there is none; never more than the limit is read."""
        if self.fault:
            return unreadable(self.fault, got=PurePosixPath(self.name).suffix or "?")
        try:
            return self._read()
        except Fault as fault:
            return fault
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError):
            return unreadable("zip")
        except OSError as error:
            return unreadable("text", text=error.strerror or str(error))
        except Exception as error:  # zlib.error and the like
            return unreadable("text", text=str(error)[:200])

    def _read(self) -> bytes:
        if not self.members:
            size = Path(self.path).stat().st_size
            if size > MAX_BYTES:
                raise too_big(size)
            return Path(self.path).read_bytes()
        with zipfile.ZipFile(self.path) as archive:
            data = _member(archive, self.members[0], MAX_ZIP if len(self.members) > 1 else MAX_BYTES)
        for member in self.members[1:]:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                data = _member(archive, member, MAX_BYTES)
        return data


def _members(archive: zipfile.ZipFile) -> list[Member]:
    """What is in the zip, by name; of one name, as many as there are."""
    counts: dict[str, int] = {}
    found = []
    for name in archive.namelist():
        found.append((name, counts.get(name, 0)))
        counts[name] = counts.get(name, 0) + 1
    return sorted(found)[:MAX_MEMBERS]


def _member(archive: zipfile.ZipFile, member: Member, limit: int) -> bytes:
    name, which = member
    info = [info for info in archive.infolist() if info.filename == name][which]
    if info.file_size > limit:
        raise too_big(info.file_size)
    if info.flag_bits & 1:
        raise unreadable("password")
    with archive.open(info) as file:
        data = file.read(limit + 1)  # what the zip says of its sizes need not be true
    if len(data) > limit:
        raise too_big(len(data))
    return data


@dataclass(frozen=True)
class Skipped:
    """A file of a kind that is not read: whoever handed it in must not be simply absent."""

    name: str
    why: str  # a key of KINDS, or link, nested, other
    path: str  # of the file, or of the zip it is in


def collect(paths: list[Path], skipped: list[Skipped] | None = None) -> Iterator[Source]:
    """Every submission under ``paths``, in a stable order, none twice; files of other kinds are told to ``skipped``."""
    seen: set[object] = set()
    names: dict[str, int] = {}
    owner: dict[str, Path] = {}
    files = Counter(path.name for path in {path.absolute() for path in paths} if not path.is_dir())
    for path in paths:
        folder = path.is_dir()
        for source in _under(path):
            if isinstance(source, Skipped):
                if skipped is not None and source not in seen and not _hidden(source.name):
                    skipped.append(source)
                seen.add(source)
                continue
            if source.key in seen:
                continue
            seen.add(source.key)
            name = source.name
            if files[path.name] > 1 and not folder or owner.setdefault(name, path) != path:
                # ana/tarea.ipynb and bo/tarea.ipynb: whose it is, the folder says
                name = f"{(path.absolute() if folder else path.absolute().parent).name}/{name}"
            count = names[name] = names.get(name, 0) + 1
            yield replace(source, name=name if count == 1 else f"{name} #{count}")


def skip(path: Path, name: str, why: str = "") -> Skipped:
    """A file that is no submission, and why not."""
    lower = name.lower()
    why = why or next((kind for kind, endings in KINDS.items() if lower.endswith(endings)), "other")
    return Skipped(name[-MAX_NAME:], why, str(path.absolute()))


def _hidden(name: str) -> bool:
    return any(part.startswith(".") and part.strip(".") for part in PurePosixPath(name).parts)


def _under(path: Path) -> Iterator[Source | Skipped]:
    if path.is_dir():
        closed: set[Path] = set()
        for file in sorted(path.rglob("*")):
            inside = file.relative_to(path)
            if closed & set(file.parents):
                continue
            if _closed(file) and not is_junk(inside.as_posix()):
                closed.add(file)
                yield Source(inside.as_posix(), str(file), fault="closed")  # who knows who is in there
            elif (file.is_symlink() or not file.is_dir()) and not is_junk(inside.as_posix()):
                yield from _file(file, inside.as_posix(), strict=False)
    else:
        yield from _file(path, path.name, strict=True)


def _closed(path: Path) -> bool:
    return not path.is_symlink() and path.is_dir() and not os.access(path, os.R_OK | os.X_OK)


def _file(path: Path, name: str, strict: bool) -> Iterator[Source | Skipped]:
    lower = path.name.lower()
    if path.is_symlink() and (strict or lower.endswith((*ANSWERS, ".zip"))):
        yield Source(name, str(path), fault="link")  # it may point at a solution, or at what is nobody's to read
    elif not path.is_file() and (strict or lower.endswith((*ANSWERS, ".zip"))):
        yield Source(name, str(path), fault="empty")  # a pipe, a device: to read it may never end
    elif lower.endswith(ANSWERS):
        yield Source(name, str(path))
    elif lower.endswith(".zip"):
        yield from _zip(path, name)
    elif strict:
        yield Source(name, str(path), fault="type")
    else:
        yield skip(path, name, "link" if path.is_symlink() else "")


def _zip(path: Path, name: str) -> Iterator[Source | Skipped]:
    found = False
    try:
        with path.open("rb") as file, _listed(file) as archive:
            for member in _members(archive):
                inside = member[0]
                if is_junk(inside) or inside.endswith("/"):
                    continue
                if inside.lower().endswith(ANSWERS):
                    found = True
                    yield Source(f"{name}/{inside}", str(path), (member,))
                elif inside.lower().endswith(".zip"):
                    found = True
                    yield from _nested(archive, path, f"{name}/{inside}", member)
                else:
                    yield skip(path, f"{name}/{inside}")
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, ValueError):
        yield Source(name, str(path), fault="zip")
        return
    if not found:
        yield Source(name, str(path), fault="nothing")


def _listed(file: BinaryIO) -> zipfile.ZipFile:
    """The zip in ``file``; one that lists more than anybody hands in is refused before its list is read, which takes minutes."""
    found = 0
    while piece := file.read(16 << 20):
        found += piece.count(b"PK\x01\x02")
    if found > MAX_MEMBERS:
        raise zipfile.BadZipFile("too many members")
    return zipfile.ZipFile(file)


def _nested(archive: zipfile.ZipFile, path: Path, name: str, member: Member) -> Iterator[Source | Skipped]:
    """One zip inside a zip: how learning platforms hand out a class."""
    try:
        data = io.BytesIO(_member(archive, member, MAX_BYTES * 4))
        with _listed(data) as inner:
            inside = [one for one in _members(inner) if not is_junk(one[0]) and not one[0].endswith("/")]
    except (Fault, zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        why = error.facts.get("why") if isinstance(error, Fault) else "zip"
        yield Source(name, str(path), (member,), fault="password" if why == "password" else "zip")
        return
    for answer in inside:
        if answer[0].lower().endswith(ANSWERS):
            yield Source(f"{name}/{answer[0]}", str(path), (member, answer))
        else:
            yield skip(path, f"{name}/{answer[0]}", "nested" if answer[0].lower().endswith(".zip") else "")
    if not any(answer[0].lower().endswith(ANSWERS) for answer in inside):
        yield Source(name, str(path), (member,), fault="nothing")


def is_junk(name: str) -> bool:
    """Checkpoints, what macOS and Windows leave behind, and hidden files."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or any(part.lower() in JUNK for part in parts):
        return True
    return parts[-1].startswith((".", "~$")) or parts[-1].lower() in FURNITURE
