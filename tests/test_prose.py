"""Faults of one page read alone: each is found at its line, with what to do; what is sound passes."""

from __future__ import annotations

import pytest
from small_book import EN, ES, SmallBook

from ffnbook.site.authoring.cells import first_difference, tree
from ffnbook.site.authoring.numbers_in_prose import stray_numbers
from ffnbook.site.reading.pages import parse

STRAY = {
    "0.17 of them": ["0.17"],
    "el 0,02 de": ["0,02"],
    "12,288 wide": ["12,288"],
    "12\u202f288 de ancho": ["12\u202f288"],
    "12 288 de ancho": ["288"],
    "13 neurons, 12 not": ["13"],
    "2048 neurons": ["2048"],
    "a 16-bit float": ["16"],
    "70B weights": ["70"],
    "100 % of 1e-5": ["100", "1e-5"],
    "| 512 | 2048 |": ["512", "2048"],
    "from 1706 on": ["1706"],
    "−0.5 to 1.5": ["0.5", "1.5"],
}
FREE = [
    "in 2017, from 1997–2023, the 1990s",
    "three or 12, 4×, 8/3, W1, 10⁶, x2048",
    "GPT-3.5 and GPT-2, Llama 3.1 70B, Qwen2.55, Python 3.11, PaLM 540B, float32, ViT-16",
    "arXiv:1706.03762, 10.1000/xyz.123, 2024-03-14",
    "section 3.3, Table 14, tablas 13, sección 3.2–3.5, pp. 5484–5495, § 14, appendix A.13",
    "14 de marzo de 2024; March 14, 2024",
    "14. an item of a list",
]


@pytest.mark.parametrize("text", STRAY)
def test_numbers_that_no_cell_computed(text):
    assert stray_numbers(text) == STRAY[text]


@pytest.mark.parametrize("text", FREE)
def test_numbers_that_are_names_or_small(text):
    assert stray_numbers(text) == []


@pytest.fixture(params=["\n", "\r\n"], ids=["lf", "crlf"])
def book(tmp_path, request) -> SmallBook:
    return SmallBook(tmp_path, request.param)


NUMBER = "The number 0.17 comes from no cell. Compute it and show it: lesson.glue(\"name\", value) and {glue:text}`name`; or"
# (what stands on the English page, what replaces it, how far the fault is from that line, words of the message)
BROKEN = {
    "number": ("There are ", "There are 0.17 ", 0, NUMBER),
    "number in a title": (":::{dropdown} Solution", ":::{dropdown} Solution 0.17", 0, NUMBER),
    "number in a choice": ("- ( ) one", "- ( ) one or 0.17", 0, NUMBER),
    "number in a heading": ("### More", "### More than 0.17", 0, NUMBER),
    "number in a caption": ("A drawing.", "A drawing of 0.17.", 0, NUMBER),
    "number in a link": ("[other]", "[other 0.17]", 0, NUMBER),
    "given comma": ("There are", "{given}`0,5` {given}`0.5`", 0, "Write the given number 0,5 as code does"),
    "description": ("description: Widths.", "author: me", None, "The front matter has no description."),
    "front matter": ("description: Widths.", "description: Widths: all", 0, "The front matter cannot be read here (mapping values are not allowed"),
    "front matter left open": ("binder]\n---", "binder]", None, "The block opened here with --- is never closed."),
    "no notebook": ("jupytext: {text_representation: {extension: .md, format_name: myst}}\n", "", None, "The page has cells, and nothing in its front matter says that it is a notebook, so they would not be run. It needs these two lines:\njupytext: {text"),
    "no kernel": ("kernelspec: {display_name: Python 3, language: python, name: python3}\n", "", None, "The page has cells, and nothing in its front matter says that it is a notebook"),
    "ways": ("[pyodide, binder]", "[pyodid]", None, "The front matter says run: ['pyodid']. Say which ways the page runs, in brackets and of these: pyodide, binder"),
    "one way": ("[pyodide, binder]", "binder", None, "The front matter says run: binder."),
    "second title": ("### More", "# More", 0, "«More» is a second title"),
    "footnote": ("There are ", "So[^a]. There are ", 0, "The footnote a is marked and never written."),
    "comment": ("There are ", "<!-- a note\n\nThere are ", 0, "The block opened here with <!-- is never closed."),
    "tag": (":tags: [remove-input]", ":tags: [remove-inputs]", 1, "No tag is called remove-inputs. Write one of these"),
    "option": (":tags: [remove-input]", ":tag: [remove-input]", 0, "A cell has no option «tag», and it would be ignored."),
    "cell in a block": ("### More", "### More\n\n:::{note}\n```{code-cell} ipython3\n1 + 1\n```\n:::", 3, "A cell inside a list or another block is not run."),
    "cell in a list": ("### More", "### More\n\n- one\n\n  ```{code-cell} ipython3\n  1\n  ```", 4, "A cell inside a list or another block is not run."),
    "no brackets": (":tags: [remove-input]", ":tags: remove-input", 0, "The tags of a cell stand between brackets: :tags: [remove-input]"),
    "directive no notebook holds": ("### More", "### More\n\n```{list-table}\n```", 2, "{list-table} cannot be written in this page's notebook."),
    "misspelt directive": ("### More", "### More\n\n```{margn}\n```", 2, "{margn} is unknown. Did you mean {margin}?"),
    "misspelt role": ("{glue:text}`total`", "{glue:txt}`total`", 0, "{glue:txt}`total` is unknown. Did you mean {glue:text}?"),
    "role no notebook holds": ("There are ", "{doc}`sizes` There are ", 0, "{doc}`sizes` cannot be written in this page's notebook."),
    "unknown source": ("{cite}`vaswani2017`", "{cite}`nobody1999`", 0, "The citation names nobody1999, which is no entry of book/references.bib."),
    "no id": ("(widths-more)=\n", "", 0, "The heading «More» has no id. Put a line (widths-…)= with an English id above it"),
    "comma in math": ("x = 0.25", "x = 0{,}25", 0, "{,} in a formula. Write the decimal point"),
    "comma in a display": ("} x > 0", "} x > 0{,}5", 0, "{,} in a formula"),
    "a dollar": ("There are", "There are 5$", 0, "A dollar sign stands alone in «There are 5$"),
    "money": ("There are", "It costs $5 and then $7", 0, "$5 and then $7 would be read as a formula. Write \\$ for the currency"),
    "glue missing": ("{glue:text}`total`", "{glue:text}`total` {glue:text}`sum`", 0, "The value sum is shown and no cell of this page glues it. Add lesson.glue(\"sum\", …)"),
    "glue unused": ("{glue:text}`total` ", "", -7, "The value 'total' is glued and never shown on this page."),
    "glue twice": ('lesson.glue("total", weights.sum())', 'lesson.glue("total", 1)\nlesson.glue("total", 2)', 1, "The name 'total' is glued already in line 36."),
    "glue unknown": ('lesson.glue("total"', 'lesson.glue(weights', 0, "The name weights cannot be checked without running the page."),
    "alt message": ('"figures.widths.curve"', '"figures.widths.other"', 0, "The figure 'figures.widths.other' has no alt text in en. Add the message alt"),
    "image": ("![a drawing](", "![](", 0, "The image ../img/photo.png has no alt text."),
    "html image": ("There are", '<img src="x.png"> There are', 0, 'The image <img src="x.png"> has no alt text.'),
    "figure": (":alt: a drawing\n", "", -1, "The figure ../img/en/drawing.svg has no alt text."),
    "role and a space": ("{glue:text}`size-gelu`", "{glue:text}`size-gelu` {glue:text} `size-gelu`", 0, "{glue:text} would stand on the page as it is."),
    "table rule": ("### More", "### More\n\n| a | b |\n|---|\n| 1 | 2 |", 3, "This row of the table has 1 cells, and its head 2"),
    "table row": ("### More", "### More\n\n| a | b |\n|---|---|\n| $|x|$ | 2 |", 4, "This row of the table has 4 cells, and its head 2"),
    "no answer": ("- (x) two", "- ( ) two", -4, "Prediction widths-guess marks no choice as right."),
    "no prediction id": ("{predict} widths-guess", "{predict}", 0, "This prediction has no id."),
    "unclosed": (":::\n\n![", "\n![", -2, "The block opened here with ::: is never closed."),
    "start": ('lesson.start("en")', 'lesson.start("es")', 0, 'The first cell must be exactly: from ffnbook import lesson; lesson.start("en")'),
    "syntax": ("    print(weights.shape)", "    %timeit weights", 0, "Python cannot read this cell from here on (invalid syntax), so"),
    "printed words": ("print(weights.shape)", 'print("shape", weights.sum())', 0, "«shape» looks like text for the reader. Put it in"),
    "a sentence": ("weights = 8", 'note = "eight times ones"\nweights = 8', 0, "«eight times ones» looks like text"),
    "a label": ("np.ones((4, 4))", 'np.ones((4, 4), label="Loss")', 0, "«Loss» looks like text"),
    "a docstring": ("weights = 8", 'def f(x):\n    """Return the value."""\nweights = 8', 1, "«Return the value.» looks like text"),
    "accents": ("weights = 8", 'name = "tamaño"\nweights = 8', 0, "«tamaño» looks like text"),
    "f-string": ("print(weights.shape)", 'print(f"loss {weights}")', 0, "«loss» looks like text"),
    "open": ("weights = 8", 'data = open("a.txt")\nweights = 8', 0, "open names no encoding, and Windows would choose another. Add encoding="),
    "read_text": ("weights = 8", "data = path.read_text()\nweights = 8", 0, "path.read_text names no encoding"),
    "warnings": ("weights = 8", 'warnings.filterwarnings("ignore")\nweights = 8', 0, 'warnings.filterwarnings("ignore") hides every warning'),
    "simplefilter": ("weights = 8", 'warnings.simplefilter("ignore")\nweights = 8', 0, 'warnings.simplefilter("ignore") hides every warning'),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_fault_is_placed_and_says_what_to_do(book, case):
    old, new, offset, words = BROKEN[case]
    line = book.edit(EN, old, new)
    here = 1 if offset is None else line + offset
    found = book.faults()
    assert any(f.startswith(f"{EN}:{here}: {words}") for f in found), "\n".join(found)


@pytest.mark.parametrize("target", ["widths-Más", "widths-más", "lengths-more", "widths_more"])
def test_ids_are_plain_english_words_after_the_page(book, target):
    book.edit_both("(widths-more)=", f"({target})=")
    assert len([f for f in book.faults() if f"The id {target} is not of the form widths-words" in f]) == 2


SPANISH = {
    "mistranslation": ("Son ", "La retroalimentación. Son ", "«retroalimentación» is a mistranslation here. Say red feed-forward"),
    "polisemia": ("Son ", "La polisemia. Son ", "«polisemia» is a mistranslation"),
    "question": ("¿Cuántos?", "Cuántos?", "A ? without its ¿ in this paragraph."),
    "exclamation": ("Son ", "Vaya! Son ", "A ! without its ¡ in this paragraph."),
}


@pytest.mark.parametrize("case", SPANISH)
def test_spanish(book, case):
    old, new, words = SPANISH[case]
    line = book.edit(ES, old, new)
    assert book.only_fault().startswith(f"{ES}:{line}: {words}")


SOUND = {
    "mention of a word": (ES, "Son ", "No digas «retroalimentación». Son "),
    "escaped dollar": (EN, "There are", r"It costs \$5, then \$7. There are"),
    "number in code": (EN, "There are", "`x = 0.17` and ``a`b 0.17`` There are"),
    "number in math": (EN, "There are", "$x = 0.17$ over\n$$ 4096 $$ There are"),
    "number in a url": (EN, "There are", "<https://example.org/4096> https://example.org/0.5 [a](https://example.org/0.5) There are"),
    "number in a comment": (EN, "There are", "% a note: 0.17\n\n<!-- 0.17\n\n4096 -->\n\nThere are"),
    "number in plain code": (EN, "There are", "```python\nx = 0.17  # $5 {,}\n```\n\nThere are"),
    "nested fences": (EN, "There are", "````{note}\n```python\nx = 4096\n```\n````\n\nThere are"),
    "keys": (EN, "weights = 8 *", 'weights = dict(a="figures.relu", b="upper", c="#aabbcc", d=".3f", e="ij,jk->ik", f="GELU")["a"] and 8 *'),
    "places": (EN, "weights = 8 *", 'weights = plot(loc="upper left") or 8 *'),
    "binary": (EN, "weights = 8 *", 'weights = open("a.bin", "rb") or open("a", encoding="utf-8") or p.write_text(a, "utf-8") or 8 *'),
    "one warning": (EN, "weights = 8 *", 'weights = warnings.filterwarnings("ignore", category=RuntimeWarning) or 8 *'),
    "names of the code": (EN, "print(weights.shape)", 'print("weights", weights.shape, "GELU", f"{weights:.3f}")'),
}


@pytest.mark.parametrize("case", SOUND)
def test_what_is_sound_passes(book, case):
    path, old, new = SOUND[case]
    book.edit(path, old, new)
    parity = ("The code differs", "displayed equation")  # only one language was edited
    assert [f for f in book.faults() if not any(words in f for words in parity)] == []


# (file, what it says, what it says instead, the line of the fault, words of the message)
BESIDE = {
    "page in no line": ("_toc.yml", "      - file: widths\n", "      - file: sizes2\n", 1, "No line names the page widths"),
    "line without page": ("_toc.yml", "file: widths", "file: width", 6, "This line names width, and there is no book/en/width.md."),
    "page in two lines": ("_toc.yml", "file: widths\n", "file: widths\n      - file: sizes\n", 7, "The page sizes has a line above already."),
    "caption": ("_toc.yml", "pages.widths.sum", "pages.widths.some", 4, "No message is called pages.widths.some."),
    "no table of contents": ("_toc.yml", "parts:", "parts", 4, "This file cannot be read here"),
    "year": ("book/references.bib", "  year = {2017},\n", "", 1, "The entry vaswani2017 has no year."),
    "author": ("book/references.bib", "  author = {Vaswani, Ashish},\n", "", 1, "The entry vaswani2017 has no author."),
    "the same twice": ("book/references.bib", "@article{v", "@misc{Vaswani2017,\n}\n\n@article{v", 4, "The entry vaswani2017 is already in line 1."),
    "braces": ("book/references.bib", "{Attention}", "{Attention", 6, "The bibliography cannot be read from about here"),
}


@pytest.mark.parametrize("case", BESIDE)
def test_what_stands_beside_the_pages_is_checked_too(book, case):
    path, old, new, line, words = BESIDE[case]
    book.edit(path, old, new)
    found = book.faults()
    assert any(f.startswith(f"{path}:{line}: {words}") for f in found), "\n".join(found)


def test_a_configuration_that_is_no_yaml_is_told_before_the_build_runs_into_it(book):
    book.write("_config.yml", "title: x\n\ttimeout: 300\n")
    assert book.only_fault().startswith("_config.yml:2: This file cannot be read here: found character '\\t' that cannot start any token. Mend the YAML")


@pytest.mark.parametrize("path", ["_toc.yml", "book/references.bib", ES])
def test_a_file_in_another_encoding_is_the_only_thing_told_of(book, path):
    full = book.root / path
    full.write_bytes(full.read_bytes() + "# ñ\n".encode("latin-1"))
    assert [f for f in book.faults() if "#sizes" not in f and "widths-count" not in f][0].startswith(f"{path}:1: This file is not UTF-8")
    assert not [f for f in book.faults() if "No line names" in f or "there is no" in f]


def test_of_a_page_in_a_folder_only_that_is_told(book):
    for lang in ("es", "en"):
        book.write(f"book/{lang}/more/widths.md", book.read(f"book/{lang}/widths.md"))
    assert [f.split(": ")[0] for f in book.faults()] == ["book/en/more/widths.md:1", "book/es/more/widths.md:1"]


def test_all_faults_come_at_once_and_in_order(book):
    book.edit(EN, "There are ", "There are 0.17 ")
    book.edit(EN, "![a drawing](", "![](")
    book.edit(ES, "¿Cuántos?", "Cuántos?")
    assert [f.split(":")[0] for f in book.faults()] == [EN, EN, ES]


def test_the_glossary_calls_its_terms_by_their_own_ids(book):
    for lang in ("es", "en"):
        book.write(f"book/{lang}/glossary.md", "---\ndescription: x\n---\n(glossary)=\n# G\n\n(term-bias)=\n## b\n")
    book.edit("_toc.yml", "file: widths\n", "file: widths\n      - file: glossary\n")
    assert book.faults() == []


def test_a_term_stands_in_the_list_of_the_glossary_too(book):
    for lang in ("es", "en"):
        terms = "(term-gelu)=\n## GELU\n\n(term-silu)=\n## SiLU\n"
        book.write(f"book/{lang}/glossary.md", f"---\ndescription: x\n---\n# X\n\n(glossary-a-to-z)=\n## A\n\n[GELU](#term-gelu)\n\n{terms}")
    found = [f for f in book.faults() if "alphabetical" in f]
    said = "The term «SiLU» is not in the alphabetical list, glossary-a-to-z. Add it there in its place: [SiLU](#term-silu) ·"
    assert found == [f"book/{lang}/glossary.md:15: {said}" for lang in ("en", "es")]


EXERCISE = {
    "hints.toml": ("exercises/source/a/b/hints.toml", "[any.es]\nx = “y”\n", 2, "This file cannot be read: Invalid value (at line 2, column 5)"),
    "exercise.toml": ("exercises/source/a/b/exercise.toml", 'id = "b\n', 1, "This file cannot be read: "),
    "tests.py": ("exercises/source/a/b/tests.py", "def a(s, t):\n    t.close(s.f(1 2), 3)\n", 2, "Python cannot read this file from here on (invalid syntax"),
    "solution.py": ("solutions/a/b/solution.py", "def f(x):\nreturn x\n", 2, "Python cannot read this file from here on (expected an indented block"),
}


@pytest.mark.parametrize("case", EXERCISE)
def test_a_file_of_an_exercise_that_cannot_be_read_is_told_before_the_build_runs_into_it(book, case):
    path, text, line, said = EXERCISE[case]
    book.write(path, text)
    assert book.only_fault().startswith(f"{path}:{line}: {said}")
    book.write(path, "\ufeff# nothing\n")
    assert book.faults() == []


def test_a_figure_draws_no_words_of_its_own(book):
    figure = '"""Words here are free."""\n\n@styled\ndef curve(ax):\n    """And here."""\n    ax.text(0, 0, "the bias", ha="center")\n'
    book.write("ffnbook/figures/bias.py", figure)
    said = "«the bias» is a text for the reader, and would be drawn in both languages. Put it in ffnbook/locale/*/figures.toml"
    assert book.only_fault().startswith(f"ffnbook/figures/bias.py:6: {said}")
    book.write("ffnbook/figures/bias.py", figure.replace('"the bias"', 't("figures.bias.curve.label")'))
    assert book.faults() == []


def test_line_numbers_and_texts_of_a_page():
    page = parse("# T\n\n```{code-cell}\n---\ntags: [a, b]\n---\nx = 1\n```\n\n$$\na\n$$ (eq)\n\n{ref}`t <eq>` and\n{given}`5`\n", "p.md", "p", "en")
    assert [(c.line, c.source, c.tags) for c in page.cells] == [(7, "x = 1", ("a", "b"))]
    assert page.labels == [("eq", 10)]
    assert [(r.name, r.text, r.line) for r in page.roles] == [("ref", "t <eq>", 14), ("given", "5", 15)]
    assert len(page.prose) == len(page.lines)


@pytest.mark.parametrize(
    ("one", "two", "lines"),
    [
        ("a = 1\nb = 2", "a = 1\nb = 3", (2, 2)),
        ("a = 1\n\n# c\nb = 2", "a = 1\nb = 3", (4, 2)),
        ("for i in x:\n    a\n    b", "for i in x:\n    a\n    c", (3, 3)),
        ("for i in x:\n    a", "for i in y:\n    a", (1, 1)),
        ("a\nb", "a", (2, 1)),
    ],
)
def test_the_first_line_at_which_code_differs(one, two, lines):
    assert first_difference(tree(one), tree(two)) == lines
