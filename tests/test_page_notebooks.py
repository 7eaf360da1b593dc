"""Pages as notebooks: plain Markdown with the values in place, no solution run, and cells that run anywhere."""

from __future__ import annotations

import ast
import asyncio
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient

from ffnbook import lesson
from ffnbook.exercises import catalog
from ffnbook.messages import LANGUAGES, t
from ffnbook.site.build import ROOT
from ffnbook.site.extension import actions
from ffnbook.site.reading import anchors, glued
from ffnbook.site.reading.anchors import Book
from ffnbook.site.reading.pages import parse
from ffnbook.site.takeaway import notebooks
from ffnbook.site.takeaway.plain_markdown import Unwritable, Writer

HOME = "https://someone.github.io/book/"
LEFTOVERS = re.compile(r"^[`:~]{3,}\{|\{(?:glue|given|cite|eq|ref|numref)[:\w]*\}`|^\([\w-]+\)=$|\]\(#|^:::", re.M)
MOST_MEMORY = 1_500_000  # kB; Binder promises little more


def write(text: str, lang: str = "en", home: str | None = HOME, **values: str) -> str:
    """The Markdown of a page's source, as if it were the page exact-form."""
    book = Book(ROOT, lang, home)
    page = parse(text, f"book/{lang}/exact-form.md", "exact-form", lang)
    book.pages["exact-form"] = page
    return "\n---\n".join(piece.text for piece in Writer(page, book, values).pieces())


@pytest.mark.parametrize(
    ("source", "lang", "written"),
    [
        ("It is {glue:text}`a`.", "en", "It is 7."),
        ("{given}`2048` and {given}`0.5`", "es", "2048 and 0,5"),
        ("$x = 0.16$", "es", "$x = 0{,}16$"),
        ("$x = 0.16$", "en", "$x = 0.16$"),
        ("`0.16`", "es", "`0.16`"),
        ("See [GELU](#term-gelu).", "es", f"See [GELU]({HOME}es/glossary.html#term-gelu)."),
        ("See [$x_1$ and `a[0]`](#term-gelu).", "en", f"See [$x_1$ and `a[0]`]({HOME}en/glossary.html#term-gelu)."),
        ("{cite}`hendrycks2016`", "en", f"([Hendrycks and Gimpel, 2016]({HOME}en/bibliography.html))"),
        ("{cite:t}`hendrycks2016`", "es", f"[Hendrycks y Gimpel (2016)]({HOME}es/bibliography.html)"),
        ("[A](https://example.org/a)", "en", "[A](https://example.org/a)"),
        ('<a href="x.zip" download>x</a>', "en", f"[x]({HOME}en/x.zip)"),
        ("% a comment\nText", "en", "Text"),
        ("Term\n: Meaning", "en", "Term  \nMeaning"),
    ],
)  # fmt: skip
def test_words_are_plain_markdown_with_their_values(source, lang, written):
    assert write(source, lang, a="7") == written


def test_without_an_address_links_are_their_words():
    text = "[GELU](#term-gelu) by {cite:t}`hendrycks2016`, [*x*](#term-relu)"
    assert write(text, home=None) == "GELU by Hendrycks and Gimpel (2016), *x*"


def test_formulas_keep_the_numbers_they_have_on_the_page():
    text = "```{math}\n:label: one\na\n```\n\nSee {eq}`two`.\n\n$$\nb\n$$ (two)\n"
    written = write(text)
    assert "$$\na \\tag{1}\n$$" in written and "b \\tag{2}\n$$" in written
    assert f"[(2)]({HOME}en/exact-form.html#equation-two)" in written


def test_images_are_those_of_the_site():
    written = "![A cat](img/cat.png)\n\n```{figure} img/dog.png\n:alt: A dog\n:name: x-dog\nThe $d$.\n```\n"
    there = f"{HOME}en/_images"
    assert f"![A cat]({there}/cat.png)" in write(written) and f"![A dog]({there}/dog.png)\n\nThe $d$." in write(written)
    assert "*A cat*" in write(written, home=None) and "*A dog*" in write(written, home=None)
    assert "![A](https://example.org/a.png)" in write("![A](https://example.org/a.png)", home=None)


def test_asides_are_quotes_and_folds_are_folds():
    written = write(":::{admonition} A $b$\n:class: confused\n\nOne.\n\nTwo.\n:::\n\n```{margin}\nAside.\n```\n\n:::{dropdown} More\nText\n:::\n")
    assert "> **A $b$**\n>\n> One.\n>\n> Two." in written
    assert f"> **{t('ui.aside', 'en')}**\n>\n> Aside." in written
    assert "<details>\n<summary>More</summary>\n\nText\n\n</details>" in written


def test_a_prediction_tells_nothing_before_it_is_opened():
    written = write("```{predict} exact-form-x\nWhich?\n- ( ) $1$\n  : No, $2$.\n- (x) $3$\n  : Indeed.\n```\n")
    before, after = written.split("<details>", 1)
    assert "> - **A.** $1$\n> - **B.** $3$" in before
    assert "Indeed" not in before and "No, " not in before
    assert after.count("<summary>") == 2 and "$" not in "".join(re.findall("<summary>.*?</summary>", after))


def test_what_cannot_be_written_is_named():
    with pytest.raises(Unwritable, match=r"exact-form\.md:1: \{list-table\}"):
        write("```{list-table}\n- a\n```\n")
    with pytest.raises(Unwritable, match="'nowhere'"):
        write("{glue:text}`nowhere`")


SOLVED = """(x)=
# T

Do it.

:::{dropdown} Solution
So.
:::

```{code-cell} ipython3
:tags: [solution]
answer = 1
```

```{code-cell} ipython3
:tags: [remove-cell]
lesson.glue("n", answer)
```

```{code-cell} ipython3
1 + 1
```
"""


def test_solutions_are_read_not_run():
    page = parse(SOLVED, "book/en/x.md", "x", "en")
    cells = notebooks.export(page, Book(ROOT, "en", None), {}).cells
    assert [c.source for c in cells if c.cell_type == "code"][1:] == [f"# {t('running.notebook.answer', 'en')}", "1 + 1"]
    assert "So.\n\n```python\nanswer = 1\n```\n\n</details>" in cells[-2].source


@pytest.mark.parametrize(("repository", "torch"), [(None, False), ("someone/book", False), ("someone/book", True)])
def test_the_first_cell_installs_only_what_is_missing(repository, torch, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    if repository:
        monkeypatch.setenv("GITHUB_REPOSITORY", repository)
    page = parse("# T\n\n```{code-cell} ipython3\n" + ("import torch" if torch else "1") + "\n```\n", "p", "p", "en")
    code = notebooks.setup_code(page)
    extra = "[torch]" if torch else ""
    expected = f'%pip install -q "ffnbook{extra} @ git+https://github.com/{repository}"' if repository else "raise ModuleNotFoundError"
    assert expected in code
    exec(compile(code.replace("%pip", "pass # "), "setup", "exec"), {})  # ffnbook is here: nothing happens


def test_running_a_page_without_sphinx_gives_the_values_in_its_prose():
    page = parse('# T\n\n```{code-cell} ipython3\nfrom ffnbook import lesson; lesson.start("es")\nlesson.glue("n", 2.5)\n```\n', "p", "p", "es")
    assert glued.run(page) == {"n": "2,5"}


def test_colab_is_told_to_draw_our_widgets(monkeypatch):
    told = []
    output = SimpleNamespace(enable_custom_widget_manager=lambda: told.append(True))
    monkeypatch.setitem(sys.modules, "google", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "google.colab", SimpleNamespace(output=output))
    lesson.start("en")
    assert told == [True]


# Of the real pages, as the build wrote them


def taken(site) -> dict[str, nbformat.NotebookNode]:
    """Every page's notebook: ``{es/exact-form: notebook}``."""
    paths = sorted(path for lang in LANGUAGES for path in (site / lang / notebooks.FOLDER).glob("*.ipynb"))
    return {f"{path.parts[-3]}/{path.stem}": nbformat.read(path, 4) for path in paths}


def test_every_page_with_cells_has_a_valid_notebook_in_both_languages(site):
    expected = {f"{lang}/{page.name}" for lang in LANGUAGES for page in notebooks.with_cells(anchors.book(ROOT, lang))}
    found = taken(site)
    assert set(found) == expected and found
    for name, notebook in found.items():
        nbformat.validate(notebook)
        assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5), name
        assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code"), name


def test_no_markup_of_the_sources_is_left(site):
    for name, notebook in taken(site).items():
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                prose = re.sub(r"^```.*?^```", "", cell.source, flags=re.S | re.M)
                assert not LEFTOVERS.search(prose), f"{name}: {LEFTOVERS.search(prose)[0]} in {cell.id}"


def test_cells_have_the_same_names_and_the_same_code_in_both_languages(site):
    found = taken(site)
    for name, notebook in found.items():
        if name.startswith("es/"):
            twin = found[name.replace("es/", "en/")]
            assert [cell.id for cell in notebook.cells] == [cell.id for cell in twin.cells]
            code, other = ([ast.dump(ast.parse(c.source)) for c in n.cells[2:] if c.cell_type == "code"] for n in (notebook, twin))
            assert len(code) == len(other) and sum(a != b for a, b in zip(code, other)) == 1, "only lesson.start differs"


def test_solutions_of_the_graded_exercises_are_in_no_cell_that_runs(site):
    solutions = [exercise.solution.read_text(encoding="utf-8").strip() for exercise in catalog.load() if exercise.solution]
    assert solutions
    for name, notebook in taken(site).items():
        for cell in notebook.cells:
            if cell.cell_type == "code":
                assert "solution(" not in cell.source and not any(s in cell.source for s in solutions), f"{name}: {cell.id}"


def test_links_to_colab_and_binder_name_what_is_written(site, monkeypatch):
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/repo")
    for lang in LANGUAGES:
        book = anchors.book(ROOT, lang)
        for page in notebooks.with_cells(book):
            found = actions.actions(book, page.name)
            colab = found["colab"].removeprefix("https://colab.research.google.com/github/someone/repo/blob/notebooks/")
            assert (site / lang / notebooks.FOLDER / colab.removeprefix(f"{lang}/")).is_file() and colab.startswith(f"{lang}/")
            assert f"notebooks%2F{lang}%2F{page.name}.ipynb" in found["binder"]
    monkeypatch.delenv("GITHUB_REPOSITORY")
    found = actions.actions(book, page.name)
    assert found["colab"] is found["binder"] is None


def test_every_page_runs_from_a_clean_folder(site, tmp_path):
    """Two at a time; each ends by telling the most memory it held."""

    async def run(name: str, notebook, free: asyncio.Semaphore) -> str | None:
        if sys.platform == "linux":
            memory = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
            notebook.cells.append(nbformat.v4.new_code_cell(memory))
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}, allow_errors=True)
        async with free:
            await client.async_execute()
        return f"{name}: {trouble(notebook)}" if trouble(notebook) else None

    async def run_all() -> list[str | None]:
        free = asyncio.Semaphore(2)
        return await asyncio.gather(*(run(name, notebook, free) for name, notebook in taken(site).items()))

    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have a loop running in this thread
        assert [said for said in apart.submit(lambda: asyncio.run(run_all())).result() if said] == []


def trouble(notebook) -> str | None:
    """What went wrong in a notebook that was run."""
    for cell in (c for c in notebook.cells if c.cell_type == "code"):
        for output in cell.outputs:
            if output.output_type == "error":
                return f"{cell.id}: {output.ename}: {output.evalue}"
        if "lesson.widget(" in cell.source and not any("widget-view" in kind for o in cell.outputs for kind in o.get("data", {})):
            return f"{cell.id} shows no widget"
    if sys.platform == "linux" and (held := int(notebook.cells[-1].outputs[-1].text)) > MOST_MEMORY:
        return f"held {held} kB"
    return None
