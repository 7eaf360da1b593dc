"""Citations in the page's language: the stock styles join names and name parts in English."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

import pybtex.plugin
from pybtex.richtext import HRef, Tag, Text
from pybtex.style.formatting import BaseStyle
from pybtex.style.sorting.author_year_title import SortingStyle
from pybtex.style.template import node
from sphinxcontrib.bibtex.plugin import register_plugin
from sphinxcontrib.bibtex.style.referencing import BracketStyle, PersonStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

from ffnbook.site.reading.authors import initials, join_names, latex, surname

NAME = "ffnbook"


def setup(app):
    app.config.bibtex_default_style = app.config.bibtex_reference_style = NAME


@node
def people(children, context, limit=2, full=False):
    persons = context["entry"].persons["author"]
    return join_names(persons, initials if full else surname, limit)


@dataclass
class People(PersonStyle):
    """Names in the text: at most two, then «et al.»."""

    def names(self, role, full):
        return people()

    def author_or_editor_or_title(self, full):
        return people()


@dataclass
class Citation(AuthorYearReferenceStyle):
    """``[Hendrycks and Gimpel, 2016]``, or its Spanish form."""

    person: PersonStyle = field(default_factory=People)
    bracket_textual: BracketStyle = field(default_factory=lambda: BracketStyle(left="(", right=")"))
    bracket_parenthetical: BracketStyle = field(default_factory=lambda: BracketStyle(left="(", right=")"))


@node
def entry_text(children, context):
    entry = context["entry"]
    fields = entry.fields
    venue = [fields[k] for k in ("booktitle", "journal", "howpublished") if k in fields]
    if "volume" in fields:
        number = f"({fields['number']})" if "number" in fields else ""
        venue.append(fields["volume"] + number)
    if "pages" in fields:
        venue.append(fields["pages"].replace("--", "–"))
    title = Tag("em", latex(fields["title"]))
    if "url" in fields:
        title = HRef(fields["url"], title)
    tail = [latex(v) for v in venue] + ([f"arXiv:{fields['eprint']}"] if "eprint" in fields else [])
    names = join_names(entry.persons["author"], initials, 8)
    end = [". ", Text(", ").join(tail), "."] if tail else ["."]
    return Text(names, f" ({fields['year']}). ", title, *end)


class Order(SortingStyle):
    """By the names as they are read: no brace or accent of the source sends a team to the end of the list."""

    def person_key(self, person):
        return unaccented(f"{surname(person)}  {initials(person)}")


def unaccented(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()


class Style(BaseStyle):
    """One line an entry: people (year). Title. Where."""

    default_sorting_style = NAME

    def get_entry_template(self, entry):
        return entry_text()

    get_article_template = get_inproceedings_template = get_misc_template = get_entry_template

    def format_label(self, entry):
        return entry.key


pybtex.plugin.register_plugin("pybtex.style.formatting", NAME, Style)
pybtex.plugin.register_plugin("pybtex.style.sorting", NAME, Order)
register_plugin("sphinxcontrib.bibtex.style.referencing", NAME, Citation)
