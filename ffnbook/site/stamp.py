"""What was built from what: a stamp beside a folder tells a build whether anything is left to do."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ffnbook.site.inputs import files_under


class Stamp:
    """Beside a folder that was built: the digest of what it was built from, and of what it then held."""

    def __init__(self, folder: Path):
        self.folder, self.path = folder, folder.with_suffix(".stamp")

    def read(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").split() if self.path.is_file() else []

    def says(self, digest: str) -> bool:
        return self.read()[:1] == [digest]

    def is_whole(self) -> bool:
        """Whether nothing of what was built is missing or another (by its size and time: nothing is read)."""
        return self.read()[1:] == [self.held()]

    def write(self, digest: str) -> None:
        self.path.write_text(f"{digest} {self.held()}", encoding="utf-8")

    def held(self) -> str:
        files = sorted((path.relative_to(self.folder).as_posix(), path.stat()) for path in files_under(self.folder))
        return hashlib.sha256(repr([(name, stat.st_size, int(stat.st_mtime)) for name, stat in files]).encode()).hexdigest()
