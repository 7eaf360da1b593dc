"""First reading of a page, line by line: what is prose, and which blocks stand between."""

from __future__ import annotations

import re

import yaml

from ffnbook.site.reading.markup import Directive, Heading, Math

FENCE = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*(?:\{(?P<name>[^}\s]+)\})?[ \t]*(?P<rest>[^`]*)$")
OPTION = re.compile(r"^[ \t]*:([\w-]+):(?:[ \t]+(.*))?$")
TARGET = re.compile(r"^\(([^()\s]+)\)=[ \t]*$")
HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t#]*$")
MATH_BLOCK = re.compile(r"^[ \t]*\$\$(?!.*\$\$[ \t]*[^\s(])")  # not a formula that text follows
MATH_END = re.compile(r"^(?P<text>.*?)\$\$[ \t]*(?:\((?P<label>[^()\s]+)\))?[ \t]*$")
LITERAL = frozenset(
    "code-cell code code-block math raw bibliography toctree literalinclude mermaid csv-table eval-rst".split()
)
# Directives whose argument is a title the reader sees; of any other it is an id, a path or a name.
TITLED = frozenset(
    "admonition attention caution card danger dropdown error grid-item-card hint important list-table margin "
    "note seealso sidebar tab-item table tip topic warning".split()
)
_loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> dict:
    """The mapping written in ``text``; empty where it is none."""
    try:
        return as_mapping(yaml.load(text, _loader))
    except yaml.YAMLError:
        return {}


def as_mapping(found: object) -> dict:
    return found if isinstance(found, dict) else {}


class Scanner:
    """Fills a page's front matter, headings, targets, directives, displayed math and prose lines."""

    def __init__(self, page):
        self.page = page
        self.lines = page.lines
        self.open: list[Directive] = []
        self.waiting: str | None = None  # a target whose heading may follow
        page.prose = [""] * len(self.lines)

    def run(self) -> None:
        at = self.front_matter()
        while at < len(self.lines):
            at = self.step(at)
        for left in self.open:
            self.page.problems.append((left.line, "authoring.prose.unclosed", {"fence": left.fence}))

    def front_matter(self) -> int:
        if self.lines[0].rstrip() != "---":
            return 0
        end = next((i for i, text in enumerate(self.lines[1:], 1) if text.rstrip() == "---"), 0)
        if not end:
            self.page.problems.append((1, "authoring.prose.unclosed", {"fence": "---"}))
        try:
            self.page.front = as_mapping(yaml.load("\n".join(self.lines[1:end]), _loader))
        except yaml.YAMLError as error:
            line = error.problem_mark.line + 2 if getattr(error, "problem_mark", None) else 1
            self.page.problems.append((line, "authoring.prose.front", {"error": getattr(error, "problem", None) or str(error)}))
        return end + 1

    def step(self, at: int) -> int:
        """Read the block or line at index ``at``; return the index of the next."""
        text = self.lines[at]
        fence = FENCE.match(text)
        if self.open and fence and self._closes(fence):
            self._close(at)
            return at + 1
        if self.open and self.open[-1].literal:
            return at + 1
        if fence and (fence["name"] or fence["fence"][0] != ":"):
            return self._directive(at, fence)
        if MATH_BLOCK.match(text):
            return self._math(at)
        if text.lstrip().startswith("<!--"):
            return self._comment(at)
        if text.startswith(r"\begin{"):
            end = self._until(at, r"\end{")
            self.page.math.append(Math(at + 1, "\n".join(self.lines[at:end]), True))
            return end
        return self._line(at, text)

    def _comment(self, at: int) -> int:
        end = self._until(at, "-->")
        if "-->" not in self.lines[end - 1]:
            self.page.problems.append((at + 1, "authoring.prose.unclosed", {"fence": "<!--"}))
            return len(self.lines)  # what a browser hides of the page
        return end

    def _closes(self, fence: re.Match) -> bool:
        mine = self.open[-1].fence
        bare = not fence["name"] and not fence["rest"].strip()
        return bare and fence["fence"][0] == mine[0] and len(fence["fence"]) >= len(mine)

    def _close(self, at: int) -> None:
        block = self.open.pop()
        block.body = self.lines[block.body_line - 1 : at]
        if block.name == "math":
            self.page.math.append(Math(block.line, "\n".join([block.argument, *block.body]), True))

    def _directive(self, at: int, fence: re.Match) -> int:
        name = fence["name"] or ""
        block = Directive(at + 1, name, fence["rest"].strip(), fence["fence"], not name or name in LITERAL)
        after = self._options(at + 1, block) if name else at + 1
        block.body_line = after + 1
        if name in TITLED:
            self.page.prose[at] = block.argument
        self.page.directives.append(block)
        self.open.append(block)
        return after

    def _options(self, at: int, block: Directive) -> int:
        if at < len(self.lines) and self.lines[at].strip() == "---":
            end = next((i for i in range(at + 1, len(self.lines)) if self.lines[i].strip() == "---"), at)
            block.options = load_yaml("\n".join(self.lines[at + 1 : end]))
            return end + 1
        while at < len(self.lines) and (found := OPTION.match(self.lines[at])):
            block.options[found[1]] = (found[2] or "").strip()
            at += 1
        return at

    def _math(self, at: int) -> int:
        first = self.lines[at].lstrip()[2:]
        for end in range(at, len(self.lines)):
            found = MATH_END.match(first if end == at else self.lines[end])
            if found:
                inner = [found["text"]] if end == at else [first, *self.lines[at + 1 : end], found["text"]]
                self.page.math.append(Math(at + 1, "\n".join(inner), True, found["label"]))
                return end + 1
        self.page.problems.append((at + 1, "authoring.prose.unclosed", {"fence": "$$"}))
        return at + 1

    def _until(self, at: int, mark: str) -> int:
        return next((i for i in range(at, len(self.lines)) if mark in self.lines[i]), at) + 1

    def _line(self, at: int, text: str) -> int:
        if target := TARGET.match(text):
            self.waiting = target[1]
            self.page.targets.append((target[1], at + 1))
        elif heading := HEADING.match(text):
            self.page.headings.append(Heading(at + 1, len(heading[1]), heading[2], self.waiting))
            self.page.prose[at] = heading[2]
            self.waiting = None
        elif text.strip():
            self.waiting = None
            if not text.startswith(("%", "+++")):
                self.page.prose[at] = text
        return at + 1
