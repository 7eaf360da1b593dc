"""Second reading of a page: roles, links, images and math inside the prose.

What they hold is taken out of ``page.prose``, so that what remains is what a reader reads
as words and numbers of the author's own.
"""

from __future__ import annotations

import re

from ffnbook.site.reading.markup import Image, Link, Math, Role

TOKEN = re.compile(
    r"""
      (?P<escaped> \\[^\w\s] )
    | \{(?P<role>[A-Za-z][\w:.+-]*)\}(?P<ticks>`+)(?P<content>.+?)(?<!`)(?P=ticks)(?!`)
    | (?P<code> (?<!`)(?P<run>`+)(?!`).+?(?<!`)(?P=run)(?!`) )
    | \$\$(?P<display>.+?)\$\$
    | \$(?P<math>(?:\\.|[^$\\])+?)\$(?P<digit>\d?)
    | !\[(?P<alt>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<source>[^()\s]*)[^)]*\)
    | \]\((?P<url><[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)
    | ^[ ]{0,3}\[(?!\^)[^\]]+\]:[ \t]*(?P<reference>\S+)
    | <(?P<auto>(?:https?://|mailto:|project:|path:|\#)[^>\s]+)>
    | (?P<html> </?[A-Za-z][^>]*> )
    | (?P<bare> https?://[^\s<>\]")]+ )
    | (?P<attributes> \{[#.][^}]*\} )
    | (?P<substitution> \{\{.*?\}\} )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
SPECIAL = re.compile(r"[`$\[<\\{]|https?:")
ALT = re.compile(r"""\balt\s*=\s*["']([^"']*)["']""")
HREF = re.compile(r"""\b(?:href|src)\s*=\s*["']([^"']*)["']""")


def scan(page) -> None:
    """Move the inline markup out of ``page.prose`` into the page's lists."""
    lines, start = page.prose, 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end]:
            end += 1
        if end > start:
            text = "\n".join(lines[start:end])
            if SPECIAL.search(text):
                lines[start:end] = _Paragraph(page, start + 1, text).masked().split("\n")
        start = end + 1


class _Paragraph:
    def __init__(self, page, line: int, text: str):
        self.page, self.first, self.text = page, line, text

    def masked(self) -> str:
        return TOKEN.sub(self._take, self.text)

    def _take(self, found: re.Match) -> str:
        line = self.first + self.text.count("\n", 0, found.start())
        page, kind = self.page, found.lastgroup
        if found["role"]:
            page.roles.append(Role(line, found["role"], found["content"]))
        elif found["math"] is not None:
            self._math(found, line)
        elif found["display"] is not None:
            page.math.append(Math(line, found["display"], True))
        elif found["alt"] is not None:
            page.images.append(Image(line, found["source"], found["alt"]))
        elif found["html"]:
            self._html(found["html"], line)
        elif kind in ("url", "reference", "auto", "bare"):
            page.links.append(Link(line, found[kind].strip("<>")))
        return _blank(found[0])

    def _math(self, found: re.Match, line: int) -> None:
        text = found["math"]
        if text != text.strip() or found["digit"]:
            self.page.problems.append((line, "authoring.prose.money", {"text": found[0]}))
        self.page.math.append(Math(line, text, False))

    def _html(self, tag: str, line: int) -> None:
        if tag.startswith("<img"):
            alt = ALT.search(tag)
            self.page.images.append(Image(line, tag, alt[1] if alt else ""))
        self.page.links.extend(Link(line, url) for url in HREF.findall(tag))


def _blank(text: str) -> str:
    """Spaces (and the line ends) in place of ``text``."""
    return "".join("\n" if c == "\n" else " " for c in text)
