"""A page's MyST as the Markdown that Jupyter, Colab and VS Code show: values in place, asides as quotes, folds as folds."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from ffnbook.messages import t
from ffnbook.site.authoring.links import SCHEME
from ffnbook.site.reading import blocks, inline
from ffnbook.site.reading.anchors import Book
from ffnbook.site.reading.choices import split_choices, written
from ffnbook.site.reading.markup import Directive
from ffnbook.site.reading.pages import Page, parse
from ffnbook.site.takeaway.exercise_markdown import ExerciseBlocks, details

LINK = re.compile(r"(?<!!)\[(?P<text>(?:[^\[\]`$]|`[^`]*`|\$[^$]*\$|\[[^\[\]]*\])*)\]\((?P<url>[^()\s]*)\)")
HTML_LINK = re.compile(r'<a href="(?P<url>[\w./-]+)"[^>]*>(?P<text>.*?)</a>')
ADMONITIONS = frozenset("admonition caution hint important note tip warning".split())
LEFT_OUT = frozenset("toctree tableofcontents raw exercise-progress answers-kept".split())
CODE = frozenset(["", "code", "code-block"])
CITED = frozenset(["cite", "cite:p", "cite:t"])
ROLES = CITED | {"given", "eq", "ref", "glue", "glue:text"}


class Unwritable(ValueError):
    """The page uses something that this module cannot write for a notebook."""


@dataclass
class Piece:
    """A stretch of the notebook: ``kind`` is text, folded or code; ``section`` is the id it stands under."""

    kind: str
    section: str
    text: str
    tags: tuple[str, ...] = ()


class Writer(ExerciseBlocks):
    """Writes one page; ``values`` are what its cells glued, by name."""

    def __init__(self, page: Page, book: Book, values: dict[str, str]):
        self.page, self.book, self.values, self.lang = page, book, values, page.lang
        self.starts = {d.line - 1: d for d in page.directives}
        self.targets = {h.line - 1: h.target for h in page.headings}
        self.section = page.name

    def pieces(self) -> list[Piece]:
        """The page from top to bottom; a fold is a piece of its own, and so is every section's text."""
        found: list[Piece] = []
        start = self._after_front_matter()
        for at, text, kind in self.read(start, len(self.page.lines)):
            if at in self.targets:
                self.section = self.targets[at] or self.section
            join = kind == "text" and at not in self.targets and found and found[-1].kind == "text"
            tags = self.starts[at].tags if kind == "code" else ()
            if join:
                found[-1].text += text
            elif kind != "text" or text.strip():
                found.append(Piece(kind, self.section, text, tags))
        return [Piece(p.kind, p.section, tidy(p.text) if p.kind != "code" else p.text, p.tags) for p in found]

    def read(self, at: int, end: int):
        """(line, text, kind) of each block between two lines."""
        lines = self.page.lines
        while at < end:
            start = at
            if block := self.starts.get(at):
                at = block.body_line + len(block.body)
                kind = {"code-cell": "code", "dropdown": "folded", "solution": "folded"}.get(block.name, "text")
                yield start, self.directive(block), kind
            elif blocks.MATH_BLOCK.match(lines[at]):
                at = self._after_formula(at, end)
                yield start, self.formula("\n".join(lines[start:at])), "text"
            elif lines[at].lstrip().startswith("<!--"):
                at = next((i for i in range(at, end) if "-->" in lines[i]), end) + 1
            elif blocks.TARGET.match(lines[at]) or lines[at].startswith(("%", "+++")):
                at += 1
            else:
                at = self._after_paragraph(at, end)
                yield start, self.prose("\n".join(lines[start:at])) + "\n", "text"

    def markdown(self, block: Directive) -> str:
        """What stands inside a directive."""
        start = block.body_line - 1
        return tidy("".join(text for _, text, _ in self.read(start, start + len(block.body))))

    def _after_front_matter(self) -> int:
        lines = self.page.lines
        return lines.index("---", 1) + 1 if lines[0] == "---" else 0

    def _after_formula(self, at: int, end: int) -> int:
        first = self.page.lines[at].replace("$$", "", 1)
        return next((i for i in range(at, end) if blocks.MATH_END.match(first if i == at else self.page.lines[i])), end - 1) + 1

    def _after_paragraph(self, at: int, end: int) -> int:
        """Lines up to the next that begins something else (a heading is a paragraph by itself)."""
        lines = self.page.lines
        if blocks.HEADING.match(lines[at]):
            return at + 1
        stops = (i for i in range(at + 1, end) if i in self.starts or i in self.targets or self._special(lines[i]))
        return next(stops, end)

    @staticmethod
    def _special(line: str) -> bool:
        return bool(blocks.TARGET.match(line) or blocks.MATH_BLOCK.match(line) or line.startswith(("%", "+++", "<!--")))

    # Blocks

    def directive(self, block: Directive) -> str:
        name = block.name
        if name == "code-cell":
            return "\n".join(block.body).strip("\n")
        if name in LEFT_OUT:
            return ""
        if name in CODE:
            return "\n".join([block.fence + block.argument, *block.body, block.fence]) + "\n"
        if name not in WRITTEN:
            raise Unwritable(t("running.unwritable", page=self.page.path, line=block.line, what=f"{{{name}}}"))
        writer = self.write_admonition if name in ADMONITIONS else getattr(self, f"write_{name}")
        return f"\n{writer(block)}\n\n"

    def write_math(self, block: Directive) -> str:
        tag = f" \\tag{{{self.book.number(block.label)}}}" if block.label else ""
        return f"$$\n{self.decimals(chr(10).join([block.argument, *block.body]).strip())}{tag}\n$$"

    def write_dropdown(self, block: Directive) -> str:
        return details(self.prose(block.argument), self.markdown(block))

    def write_margin(self, block: Directive) -> str:
        return quoted(self.prose(block.argument) or t("ui.aside", self.lang), self.markdown(block))

    def write_admonition(self, block: Directive) -> str:
        own = block.argument if block.name == "admonition" else ""
        title = own or t(f"running.admonition.{block.name}", self.lang)
        text = self.markdown(block) if own or not block.argument else f"{self.prose(block.argument)}\n{self.markdown(block)}"
        return quoted(self.prose(title), text)

    def write_predict(self, block: Directive) -> str:
        """The choices by letter, then a fold for each: a fold's title is read as Markdown by no one, so it holds no formula."""
        question, choices = split_choices(block.body)
        asked = self.prose("\n".join(question).strip())
        options = [f"- **{letter(i)}.** {self.prose(' '.join(text))}" for i, (_, text, _) in enumerate(choices)]
        replies = [self._reply(i, right, reply) for i, (right, _, reply) in enumerate(choices)]
        return "\n\n".join([quoted(t("ui.predict.title", self.lang), "\n".join([asked, "", *options])), *replies])

    def _reply(self, place: int, right: bool, reply: list[str]) -> str:
        verdict = t(f"ui.predict.{'right' if right else 'wrong'}", self.lang)
        return details(t("running.notebook.chose", self.lang, letter=letter(place)), f"**{verdict}** {self.prose(chr(10).join(reply))}")

    def write_figure(self, block: Directive) -> str:
        return f"{self.write_image(block)}\n\n{self.markdown(block)}"

    def write_image(self, block: Directive) -> str:
        return self.image(str(block.options.get("alt", "")), block.argument)

    def image(self, alt: str, source: str) -> str:
        """An image as the site has it; where that has no address, what there is to see."""
        url = source if SCHEME.match(source) else self.book.file(f"_images/{Path(source).name}")
        return f"![{alt}]({url})" if url else f"*{alt}*"

    def write_bibliography(self, block: Directive) -> str:
        return self.linked(t("running.notebook.bibliography", self.lang), self.book.url("bibliography"))

    def write_include(self, block: Directive) -> str:
        path = Path(self.book.root, self.page.path).parent / block.argument
        return self.other(path.read_text(encoding="utf-8"))

    def other(self, text: str) -> str:
        """Text from another file, written for this page."""
        inner = Writer(parse(text, self.page.path, self.page.name, self.lang), self.book, self.values)
        return tidy("".join(text for _, text, _ in inner.read(inner._after_front_matter(), len(inner.page.lines))))

    def formula(self, text: str) -> str:
        """A ``$$`` block; its label becomes its number."""
        label = re.search(r"\$\$[ \t]*\(([^()\s]+)\)[ \t]*$", text)
        if label:
            tag = f"\\tag{{{self.book.number(label[1])}}}"
            text = text[: label.start()].rstrip() + f" {tag}\n$$"
        return f"\n{self.decimals(text)}\n\n"

    def decimals(self, latex: str) -> str:
        return re.sub(r"(\d)\.(\d)", r"\1{,}\2", latex) if self.lang == "es" else latex

    # Words

    def prose(self, text: str) -> str:
        """Running text: links led out of the notebook, roles replaced by what they show."""
        text = re.sub(r"\n: +", "  \n", text)  # a definition under its term
        text = HTML_LINK.sub(lambda found: self.linked(found["text"], self.book.file(found["url"])), text)
        return inline.TOKEN.sub(self._token, LINK.sub(self._link, text))

    def _token(self, found: re.Match) -> str:
        if found["role"]:
            return self.role(found["role"], found["content"])
        if found["math"] is not None or found["display"] is not None:
            return self.decimals(found[0])
        if found["alt"] is not None:
            return self.image(found["alt"], found["source"])
        if found["attributes"]:
            return ""
        return found[0]

    def _link(self, found: re.Match) -> str:
        text, url = found["text"], found["url"]
        if url.startswith("#"):
            return self.linked(text or self.book.heading(url[1:]), self.book.place(url[1:]))
        if SCHEME.match(url):
            return found[0]
        page, _, anchor = url.partition("#")
        return self.linked(text, self.book.url(page.removesuffix(".md"), anchor) if page.endswith(".md") else None)

    @staticmethod
    def linked(text: str, url: str | None) -> str:
        return f"[{text}]({url})" if url else text

    def role(self, name: str, content: str) -> str:
        if name.startswith("glue"):
            return self._value(content.split(":")[0].strip())
        if name == "given":
            return written(content, self.lang)
        if name in CITED:
            return self._cited(name, [key.strip() for key in content.split(",")])
        if name == "eq":
            return self.linked(f"({self.book.number(content)})", self.book.place(content))
        if name == "ref":
            titled = re.fullmatch(r"(?:(.*?)\s*<)?([^<>]+?)>?", content)
            return self.linked(titled[1] or self.book.heading(titled[2]), self.book.place(titled[2]))
        raise Unwritable(t("running.unwritable", page=self.page.path, line=1, what=f"{{{name}}}`{content}`"))

    def _value(self, name: str) -> str:
        if name not in self.values:
            raise Unwritable(t("running.no_value", page=self.page.path, name=name))
        return self.values[name]

    def _cited(self, name: str, keys: list[str]) -> str:
        url = self.book.url("bibliography")
        works = [self.book.source(key) for key in keys]
        if name == "cite:t":
            return ", ".join(self.linked(f"{who} ({year})", url) for who, year in works)
        return "(" + "; ".join(self.linked(f"{who}, {year}", url) for who, year in works) + ")"


# The directives that a notebook can hold.
WRITTEN = CODE | LEFT_OUT | ADMONITIONS | {"code-cell"} | {name.removeprefix("write_") for name in dir(Writer) if name.startswith("write_")}


def unwritable(page: Page) -> list[tuple[int, str]]:
    """The directives and roles of the page that :class:`Writer` does not know, each with its line."""
    found = [(block.line, f"{{{block.name}}}") for block in page.directives if block.name not in WRITTEN]
    return found + [(role.line, f"{{{role.name}}}`{role.text}`") for role in page.roles if role.name not in ROLES]


def nearest(what: str) -> str | None:
    """The directive or role, of those a notebook can hold, that ``what`` is a slip for; none where it looks like none."""
    near = difflib.get_close_matches(what[1:].partition("}")[0], ROLES if "`" in what else WRITTEN, 1, 0.75)
    return f"{{{near[0]}}}" if near else None


def letter(place: int) -> str:
    return chr(ord("A") + place)


def tidy(text: str) -> str:
    """No blank lines at the ends, one between blocks."""
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")


def quoted(title: str, text: str) -> str:
    """An aside: a quote under its title."""
    return "\n".join(f"> {line}".rstrip() for line in [f"**{title}**", "", *text.split("\n")])


def with_code(fold: str, code: str) -> str:
    """The fold with ``code`` at its end, to be read and not run."""
    return f"{fold.removesuffix('</details>')}```python\n{code}\n```\n\n</details>"
