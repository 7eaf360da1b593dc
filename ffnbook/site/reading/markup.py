"""The pieces of a page's source that its checks look at, each with the line it starts on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Heading:
    line: int
    level: int
    text: str
    target: str | None  # the explicit id above it


@dataclass
class Directive:
    """A fenced block; ``name`` is empty for plain code, ``literal`` says the body is not prose."""

    line: int
    name: str
    argument: str
    fence: str
    literal: bool
    options: dict[str, object] = field(default_factory=dict)
    body_line: int = 0
    body: list[str] = field(default_factory=list)

    @property
    def label(self) -> str | None:
        found = self.options.get("label") or self.options.get("name")
        return str(found) if found else None

    @property
    def tags(self) -> tuple[str, ...]:
        value = self.options.get("tags")
        words = value if isinstance(value, list) else re.split(r"[,\s]+", str(value or "").strip("[] "))
        return tuple(str(word).strip("\"'") for word in words if word)


@dataclass
class Cell:
    """A code cell; ``line`` is where its first line of code stands in the page."""

    line: int
    source: str
    tags: tuple[str, ...]


@dataclass
class Math:
    line: int
    text: str
    display: bool
    label: str | None = None


@dataclass
class Role:
    line: int
    name: str
    text: str


@dataclass
class Link:
    line: int
    url: str


@dataclass
class Image:
    line: int
    source: str
    alt: str
