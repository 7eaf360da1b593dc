"""The two languages of a page are the same page: each way to break that is found, placed and explained."""

from __future__ import annotations

import pytest
from small_book import EN, ES, SmallBook

from ffnbook.site.authoring import sources


@pytest.fixture(params=["\n", "\r\n"], ids=["lf", "crlf"])
def book(tmp_path, request) -> SmallBook:
    return SmallBook(tmp_path, request.param)


def test_a_sound_book_has_no_fault(book):
    assert book.faults(without_agreement=False) == []
    assert sources.run([], book.root) == 0


@pytest.mark.parametrize("path", ["book/en/widths.md", "book/es/sizes.md", "ffnbook/locale/es/pages.toml"])
def test_a_file_without_its_counterpart(book, path):
    (book.root / path).unlink()
    here = path.replace("/en/", "/??/").replace("/es/", "/en/").replace("/??/", "/es/")
    assert any(f.startswith(f"{here}:1: Its counterpart {path} does not exist. Write it") for f in book.faults())


# (what is changed in English, what stands there instead, words of the message; {line} is the line of the change)
BROKEN = {
    "section missing": ("(widths-more)=\n### More\n", "", "section widths-more is here and not in book/en/widths.md. Add it there"),
    "section level": ("### More", "## More", "Section widths-more has heading level 3 here and 2 at book/en/widths.md:{line}."),
    "section renamed": ("(widths-count)=", "(widths-counting)=", "section widths-counting is here and not in book/es/widths.md"),
    "equation label": ("(eq-widths)", "(eq-width)", "label eq-width is here and not in book/es/widths.md"),
    "equation": ("y = W x", "y = W^T x", "displayed equation y=W^Tx"),
    "figure name": (":name: fig-drawing", ":name: fig-draw", "label fig-draw is here and not in book/es/widths.md"),
    "figure file": ("drawing.svg", "sketch.svg", "directive {{figure}} ../img/*/sketch.svg fig-drawing is here and not in book/es"),
    "directive missing": (":::{dropdown} Solution\nSee {ref}`fig-drawing`.\n:::\n", "", "directive {{dropdown}} is here and not in book/en"),
    "predict id": ("widths-guess", "widths-guessing", "directive {{predict}} widths-guessing is here and not in book/es"),
    "right choice": ("- ( ) one", "- (x) one", "Prediction widths-guess has the choices ( ) (x) here and (x) (x) at book/en/widths.md:20"),
    "citation": ("vaswani2017", "shazeer2020", "citation shazeer2020 is here and not in book/es/widths.md. Use it there too"),
    "glue": ("{glue:text}`size-gelu`", "{glue:text}`size-relu`", "glued value size-relu is here and not in book/es/widths.md"),
    "given": ("{given}`2048`", "{given}`2049`", "given number 2049 is here and not in book/es/widths.md"),
    "run": ("run: [pyodide, binder]", "run: [binder]", "The front matter says run: ['pyodide', 'binder'] here and ['binder'] in book/en"),
    "tags": ("[remove-input]", "[hide-input]", "The cell has the tags [remove-input] here and [hide-input] at book/en/widths.md:"),
    "first tags": ("[remove-cell]", "[remove-input]", "The cell has the tags [remove-cell] here and [remove-input] at book/en"),
    "code": ("weights = 8 *", "weights = 9 *", "The code differs: here «weights = 8 * np.ones((4, 4))», at book/en/widths.md:{line} «weights = 9"),
    "code inside": ("    print(weights.shape)", "    print(weights.size)", "here «print(weights.shape)», at book/en/widths.md:{line} «print(weights.size)»"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_difference_is_named_with_both_places_and_a_remedy(book, case):
    old, new, words = BROKEN[case]
    line = book.edit(EN, old, new)
    found = book.faults()
    expected = words.format(line=line)
    assert any(expected in f for f in found), "\n".join(found)


def test_the_line_named_is_the_line_of_the_item(book):
    line = book.edit(EN, "vaswani2017", "shazeer2020")
    assert any(f.startswith(f"{EN}:{line}: citation shazeer2020") for f in book.faults())
    assert any(f.startswith(f"{ES}:{line}: citation vaswani2017") for f in book.faults())


def test_sections_in_another_order(book):
    text = book.read(EN)
    start, more, end = text.index("(widths-count)="), text.index("(widths-more)="), len(text)
    book.write(EN, text[:start] + text[more:end] + text[start:more])
    found = [f for f in book.faults() if "The order of each section must be the same" in f]
    assert len(found) == 1 and "here comes widths-count, at book/en/widths.md:" in found[0]


def test_a_cell_in_one_language_only(book):
    book.edit(ES, "(widths-more)=", "```{code-cell} ipython3\nvalue = 1\n```\n\n(widths-more)=")
    assert "The code cell that begins with «value = 1» is here and not in book/en/widths.md" in book.only_fault()


def test_a_cell_under_another_heading(book):
    cell = "```{code-cell} ipython3\nvalue = 1\n```\n\n"
    book.edit(ES, "(widths-more)=", cell + "(widths-more)=")
    book.edit(EN, "```{figure}", cell + "```{figure}")
    assert "This code cell is in section widths-count here and in widths-more at book/en" in book.only_fault()


def test_comments_and_layout_of_the_code_are_free(book):
    book.edit(EN, "import numpy as np\n", "import numpy as np  # arrays\n\n")
    assert book.faults() == []


def test_a_slip_of_syntax_in_both_languages_is_no_difference_of_the_code(book):
    line = book.edit_both("    print(weights.shape)", "\tprint([1 2])")
    assert [f.partition(" (")[0] for f in book.faults()] == [f"{path}:{line}: Python cannot read this cell from here on" for path in (EN, ES)]


@pytest.mark.parametrize("old", ["![{}](../img/photo.png)", ":alt: {}\n"])
def test_an_alt_text_that_was_copied_and_not_translated(book, old):
    new = old.format("a drawing of the curve")
    line = book.edit(ES, old.format("un dibujo"), new)
    there = book.edit(EN, old.format("a drawing"), new)
    found = book.only_fault()
    assert found.startswith(f"{ES}:{line - (':alt:' in old)}: The alt text «a drawing of the curve» is the same, word for word, at {EN}:{there - (':alt:' in old)}.")


def test_a_message_that_was_copied_and_not_translated(book):
    book.edit("ffnbook/locale/es/figures.toml", "Una curva", "A curve that bends")
    book.edit("ffnbook/locale/en/figures.toml", "A curve", "A curve that bends")
    assert book.only_fault().startswith("ffnbook/locale/es/figures.toml:2: The message figures.widths.curve.alt says the same, word for word,")


@pytest.mark.parametrize("text", ["ReLU, GELU, SiLU", "https://example.org/a/b-c/d-e", "`pip install -q some other thing` {one} {two} {three}", "$y = W x + b$, GELU tanh"])
def test_names_and_code_may_be_the_same_in_both_languages(book, text):
    for lang, alt in (("es", "Una curva"), ("en", "A curve")):
        book.edit(f"ffnbook/locale/{lang}/figures.toml", alt, text)
    assert book.faults() == []


def test_asides_are_free(book):
    book.edit(ES, "(widths-more)=", ":::{note}\nUna nota sobre el término.\n:::\n\n(widths-more)=")
    assert book.faults() == []


MESSAGES = {
    "missing": ('alt = "A curve"', 'alt = "A curve"\ncaption = "x"', "en/figures.toml:3: The message figures.widths.curve.caption is here and not in ffnbook/locale/es/figures.toml"),
    "empty": ('alt = "A curve"', 'alt = ""', "en/figures.toml:2: The message figures.widths.curve.alt is empty"),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages_are_the_same_set(book, case):
    old, new, words = MESSAGES[case]
    book.edit("ffnbook/locale/en/figures.toml", old, new)
    assert words in book.only_fault()


def test_messages_have_the_same_placeholders(book):
    book.edit("ffnbook/locale/en/pages.toml", "{n}", "{m}")
    assert book.only_fault().startswith(
        "ffnbook/locale/es/pages.toml:2: The message pages.widths.sum has {m}, {n} in only one language"
    )


@pytest.mark.parametrize("name", ["pages", "figures"])
def test_of_a_message_file_that_is_not_toml_only_that_is_told(book, name):
    path = f"ffnbook/locale/es/{name}.toml"
    book.write(path, book.read(path).replace('= "', "= “"))
    assert book.only_fault().startswith(f"{path}:2: This file cannot be read: Invalid value (at line 2, column ")
    assert "straight quotes" in book.only_fault()


def test_a_mark_that_some_editors_put_first_changes_nothing(book):
    for path in (ES, "_toc.yml", "book/references.bib", "ffnbook/locale/es/figures.toml"):
        book.write(path, "\ufeff" + book.read(path))
    assert book.faults(without_agreement=False) == []


LINKS = {
    "crossing": ("(#sizes)", "(../es/sizes.md)", "The link ../es/sizes.md leaves the language. Link to the page in en"),
    "crossing html": ("There are", '<a href="/es/sizes.html">There</a> are', "The link /es/sizes.html leaves the language"),
    "made from a title": ("(#sizes)", "(#cómo-se-cuenta)", "The link names cómo-se-cuenta, which is no explicit id"),
    "in a page": ("(#sizes)", "(sizes.md#tamaños)", "The link names tamaños, which is no explicit id"),
    "a role": ("{ref}`fig-drawing`", "{ref}`the figure <fig-draw>`", "The link names fig-draw, which is no explicit id"),
}


@pytest.mark.parametrize("case", LINKS)
def test_links_stay_in_the_language_and_name_explicit_ids(book, case):
    old, new, words = LINKS[case]
    line = book.edit(EN, old, new)
    assert book.only_fault().startswith(f"{EN}:{line}: {words}")


def test_an_id_given_twice(book):
    for lang in ("es", "en"):
        book.edit(f"book/{lang}/sizes.md", "(sizes)=\n", "(sizes)=\n(widths)=\n")
    assert any("book/en/widths.md:7: The id widths is already at book/en/sizes.md:5" in f or
               "book/en/widths.md:8: The id widths is already at book/en/sizes.md:6" in f for f in book.faults())


def test_a_page_that_is_not_utf8(book):
    (book.root / EN).write_bytes("---\ndescription: é\n---\n".encode("latin-1"))
    assert any(f.startswith(f"{EN}:1: This file is not UTF-8") for f in book.faults(without_agreement=False))


def test_the_command_prints_every_fault_and_fails(book, capsys):
    book.edit(EN, "vaswani2017", "shazeer2020")
    assert sources.run([], book.root) == 1
    said = capsys.readouterr().err
    assert "citation shazeer2020" in said and "citation vaswani2017" in said and "3 to mend." in said


def test_the_author_is_told_in_spanish_too(book):
    from ffnbook import messages

    book.edit(EN, "vaswani2017", "shazeer2020")
    messages.set_language("es")
    try:
        assert any("está aquí y no en book/es/widths.md. Ponlo también allí" in f for f in book.faults())
    finally:
        messages.set_language("en")
