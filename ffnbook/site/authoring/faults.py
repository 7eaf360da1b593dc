"""A fault an author can mend: where it is, what is wrong, what to do."""

from __future__ import annotations

from dataclasses import dataclass

from ffnbook.messages import t


@dataclass(frozen=True, order=True)
class Fault:
    """``path`` is relative to the repository, with forward slashes on every system."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def fault(path: str, line: int, key: str, /, **values: object) -> Fault:
    """The fault whose text is the message ``key``, in the author's language."""
    return Fault(path, line, t(key, **values))
