"""Formulas become MathML while the book is built: no script, no other host, read aloud as they are."""

from __future__ import annotations

import html
import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from ffnbook.messages import t

# A sign that follows one of these is a sign, not a subtraction.
AFTER = re.escape("([{|,;=<>≤≥≈≠→×·/∈⟨") + "−+"
# What closes a phrase stays on the line of what it closes.
CLOSING = re.compile(r"[.,;:!?…%)\]’”»]+")
LOGGER = logging.getLogger(__name__)


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.add_post_transform(KeepPunctuation)


class KeepPunctuation(SphinxPostTransform):
    """A browser may start a line with the full stop after a formula; here the two are held together."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for formula in list(self.document.findall(nodes.math)):
            outer = formula
            while isinstance(outer.parent, nodes.Inline) and len(outer.parent) == 1:
                outer = outer.parent  # a link, say, that is all formula
            after = outer.next_node(descend=False, siblings=True)
            if isinstance(after, nodes.Text) and (closing := CLOSING.match(after)):
                rest = nodes.Text(after[closing.end() :])
                after.parent.replace(after, rest)
                held = nodes.inline("", "", classes=["together"])
                outer.parent.replace(outer, held)
                held += [outer, nodes.Text(closing[0])]


def to_mathml(latex: str, *, display: bool, lang: str) -> str:
    """``latex`` as a ``<math>`` element, decimals as ``lang`` writes them.

    The source stays readable to software as an annotation.
    """
    unescaped = re.sub(r"\\.", "", latex)
    if unescaped.count("{") != unescaped.count("}"):
        raise ValueError(t("building.formula.braces", lang))
    markup = convert(latex.strip(), display="block" if display else "inline")
    markup = tidy(html.unescape(markup).replace("&", "&amp;"))
    if unknown := re.search(r"\\[A-Za-z]+", markup):
        raise ValueError(t("building.formula.unknown", lang, command=unknown[0]))
    return decimal_comma(markup) if lang == "es" else markup


def tidy(markup: str) -> str:
    """Leave out what browsers assume anyway, and mend what latex2mathml leaves odd."""
    markup = markup.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "").replace(' display="inline"', "")
    markup = re.sub(r"(?<=[>])-(?=</mo>)", "−", markup)
    markup = re.sub(rf"(<mo[^>]*>[{AFTER}]</mo>)<mo>([−+±])</mo>", r'\1<mo form="prefix">\2</mo>', markup)
    markup = markup.replace("<mo>/</mo>", '<mo lspace="0" rspace="0">/</mo>')
    markup = re.sub("<mo>([⊕⊖⊗⊘⊙])</mo>", r'<mo largeop="false">\1</mo>', markup)  # between two things, not before many: Firefox draws it large
    return re.sub(r"<(m[oi])>([a-z]{2,})</\1>(?=(<m(?:i|n|frac|sqrt|sup|sub)\b)?)", _named_function, markup)


def _named_function(found: re.Match) -> str:
    """A function's name is an identifier: upright, close to its bracket, apart from anything else."""
    return f"<mi>{found[2]}</mi>" + ('<mspace width="0.17em"/>' if found[3] else "")


def decimal_comma(markup: str) -> str:
    return re.sub(r"<mn>(\d+)\.(\d+)</mn>", r"<mn>\1,\2</mn>", markup)


def visit_inline(self, node) -> None:
    self.body.append(_rendered(self, node, display=False))
    _skip()


def visit_block(self, node) -> None:
    label = f' id="{node["ids"][0]}"' if node.get("ids") else ""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    self.body.append(f'<div class="math"{label}>{_rendered(self, node, display=True)}{number}</div>\n')
    _skip()


def _rendered(self, node, *, display: bool) -> str:
    lang = self.config.ffnbook_language
    try:
        return to_mathml(node.astext(), display=display, lang=lang)
    except Exception as error:
        LOGGER.warning("%s", t("building.formula.bad", lang, formula=node.astext(), error=error), location=node)
        return f"<code>{html.escape(node.astext())}</code>"


def _skip():
    raise nodes.SkipNode
