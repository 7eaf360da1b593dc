"""The few directives and roles that the chapters use beyond MyST's own."""

from __future__ import annotations

import html

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective, SphinxRole

from ffnbook.messages import t
from ffnbook.site.reading.choices import split_choices, written


def setup(app):
    app.add_directive("dropdown", Dropdown)
    app.add_directive("margin", Margin)
    app.add_directive("predict", Predict)
    app.add_role("given", Given())
    app.add_node(Folded, html=(visit_folded, depart_folded))
    app.connect("doctree-read", fold_solutions)


class Folded(nodes.General, nodes.Element):
    """A ``<details>``: its first child is the summary. Works without JavaScript."""


def visit_folded(self, node) -> None:
    attributes = "".join(f' {k}="{html.escape(str(v))}"' for k, v in node["attributes"].items())
    self.body.append(f'<details class="{" ".join(node["classes"])}"{attributes}>')


def depart_folded(self, node) -> None:
    self.body.append("</details>\n")


def folded(summary: list[nodes.Node], children: list[nodes.Node], kind: str, **attributes) -> Folded:
    node = Folded("", classes=[kind], attributes=attributes)
    node += nodes.raw("", "<summary>", format="html")
    node += nodes.inline("", "", *summary)
    node += nodes.raw("", "</summary>", format="html")
    node += nodes.container("", *children, classes=["folded"])
    return node


class Dropdown(SphinxDirective):
    """Text folded under a title: ``:::{dropdown} Solution``."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        title, _ = self.parse_inline(self.arguments[0])
        return [folded(title, self.parse_content_to_nodes(), "dropdown")]


class Margin(SphinxDirective):
    """An aside: in the margin on wide screens, inset on narrow ones."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        body = self.parse_content_to_nodes()
        if self.arguments:
            title, _ = self.parse_inline(self.arguments[0])
            body.insert(0, nodes.paragraph("", "", nodes.strong("", "", *title)))
        return [
            nodes.raw("", f'<aside class="margin" role="note" aria-label="{html.escape(t("ui.aside"))}">', format="html"),
            nodes.container("", *body),
            nodes.raw("", "</aside>", format="html"),
        ]


class Predict(SphinxDirective):
    """A question to answer before reading on; each choice opens its own reply.

    The content is a question, then choices: ``- ( ) text`` or ``- (x) text`` for a right one,
    each followed by an indented ``: reply``.
    """

    has_content = True
    required_arguments = 1
    option_spec = {"kind": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        question, choices = split_choices(list(self.content))
        if not any(right for right, _, _ in choices) or not all(reply for _, _, reply in choices):
            raise self.error(t("building.predict_incomplete", id=self.arguments[0]))
        box = nodes.container("", classes=["predict"], ids=[self.arguments[0]])
        box += nodes.paragraph("", t("ui.predict.title"), classes=["predict-title"])
        box += self.parse(question)
        box += [self.choice(*choice) for choice in choices]
        return [box]

    def parse(self, lines: list[str]) -> list[nodes.Node]:
        node = nodes.container()
        self.state.nested_parse(lines_of(lines, self), self.content_offset, node)
        return node.children

    def choice(self, right: bool, text: list[str], reply: list[str]) -> Folded:
        summary, _ = self.parse_inline(" ".join(text))
        verdict = nodes.strong("", t("ui.predict.right" if right else "ui.predict.wrong"))
        body = self.parse(reply)
        body[0].insert(0, nodes.Text(" "))
        body[0].insert(0, verdict)
        kind = "right" if right else "wrong"
        return folded(summary, body, f"choice {kind}", name=self.arguments[0])


def lines_of(lines: list[str], directive: SphinxDirective):
    from docutils.statemachine import StringList

    return StringList(lines, source=directive.env.docname)


class Given(SphinxRole):
    """A number that is given, not computed: ``{given}`2048```, written as the language does."""

    def run(self):
        return [nodes.inline("", written(self.text, self.env.config.ffnbook_language), classes=["given"])], []


def fold_solutions(app, doctree) -> None:
    """Move code cells tagged ``solution`` into the dropdown they follow.

    MyST-NB allows no cell inside a directive, and a solution must stay folded.
    """
    for cell in list(doctree.findall(lambda n: "tag_solution" in n.get("classes", []) if isinstance(n, nodes.Element) else False)):
        siblings = cell.parent.children
        before = siblings[siblings.index(cell) - 1]
        if isinstance(before, Folded):
            cell.parent.remove(cell)
            before.children[-1].append(cell)
