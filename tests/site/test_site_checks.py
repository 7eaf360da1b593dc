"""The checks of the built site: one fault of each kind put into a sound one, and named with its page."""

from __future__ import annotations

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError, DeadKernelError

from ffnbook import messages
from ffnbook.site.check import check_site
from ffnbook.site.extension import kernels
from ffnbook.site.side_by_side import OneLanguage

PAGE = """<!doctype html><html lang="{lang}"><head><title>{lang}</title><link rel="canonical" href="https://x.example/{lang}/">
<link rel="icon" href="../favicon.svg"><script src="page.js"></script></head>
<body><h1 id="top">A</h1><p id="text">Text, <a href="other.html#top">other</a>, <a href="https://example.org/">away</a>.</p>
<a href="../{other}/index.html" hreflang="{other}" title="Next">switch</a><img src="a.png" alt="A"><svg role="img" aria-label="B"></svg>
<svg aria-hidden="true"></svg><pre>$HOME \\begin{{x}}</pre></body></html>
"""


@pytest.fixture
def site(tmp_path):
    messages.set_language("en")
    for name in ("favicon.svg", "es/page.js", "en/page.js", "es/a.png", "en/a.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for lang, other in (("es", "en"), ("en", "es")):
        for name in ("index", "other"):
            (tmp_path / lang / f"{name}.html").write_text(PAGE.format(lang=lang, other=other), encoding="utf-8")
    return tmp_path


def test_a_sound_site_has_no_faults(site):
    assert check_site(site) == []


BROKEN = {
    "dead link": ("other.html#top", "lost.html", "lost.html"),
    "dead anchor": ("other.html#top", "other.html#nowhere", "#nowhere"),
    "dead anchor here": ("other.html#top", "#nowhere", "#nowhere"),
    "id twice": ('id="text"', 'id="top"', "top"),
    "image without alt": (' alt="A"', "", "<img"),
    "image named by its file": ('alt="A"', 'alt="a.png"', "<img"),
    "image that is not there": ('src="a.png"', 'src="b.png"', "b.png"),
    "script that is not there": ('src="page.js"', 'src="../page.js?v=1"', "../page.js"),
    "figure without label": (' role="img" aria-label="B"', "", "<svg"),
    "figure with an empty label": ('aria-label="B"', 'aria-label=" "', "<svg"),
    "script of another host": ('src="page.js"', 'src="https://cdn.example/x.js"', "cdn.example"),
    "image of another host": ('src="a.png"', 'src="//cdn.example/x.png"', "cdn.example"),
    "raw dollars": ("Text,", "Text $x^2$,", "$x^2$"),
    "raw parentheses": ("Text,", "Text \\(x\\),", "\\("),
    "raw environment": ("Text,", "\\begin{align}x\\end{align}", "\\begin{"),
    "English label": ('id="text"', 'id="text" title="Toggle navigation"', "Toggle "),
    "English button": ("Text,", "<button>Copy to clipboard</button>", "Copy to clipboard"),
    "link into the other language": ("other.html#top", "../en/other.html", "../en/other.html"),
    "placeholder in an alt text": ('alt="A"', 'alt="A line of {n} points"', "“{n}” stands where a value is due: A line of {n} points."),
    "language not said": ('<html lang="es">', "<html>", 'lang="es"'),
    "heavy page": ("Text,", "x" * 1_100_000, "1100 kB"),
    "widget without state": ("Text,", '<script type="application/vnd.jupyter.widget-view+json">{"model_id": "ab12"}</script>', "ab12"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "named"), BROKEN.values(), ids=BROKEN)
def test_each_fault_is_named_with_its_page(site, old, new, named):
    page = site / "es" / "index.html"
    text = page.read_text(encoding="utf-8")
    assert old in text
    page.write_text(text.replace(old, new), encoding="utf-8")
    faults = check_site(site)
    assert len(faults) == 1, faults
    assert "es/index.html" in faults[0] and named in faults[0]


def test_an_image_weighs_as_part_of_its_page_and_is_named(site):
    (site / "es" / "a.png").write_bytes(bytes(1_100_000))
    said = "weighs 1100 kB with its images; the limit is 1000 kB. Most of it is es/a.png, 1100 kB: make that smaller."
    assert check_site(site) == [f"es/{name}.html: {said}" for name in ("index", "other")]


def test_an_image_that_stands_in_the_page_itself_is_no_file(site):
    page = site / "es" / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace('src="a.png"', f'src="data:image/png;base64,{"A" * 5000}"'), encoding="utf-8")
    assert check_site(site) == []


def test_english_words_are_no_fault_on_an_english_page(site):
    page = site / "en" / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("Text,", "Next: Toggle this"), encoding="utf-8")
    assert check_site(site) == []


def test_prices_are_not_formulas(site):
    page = site / "es" / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("Text,", "Cuesta $5 y luego $10."), encoding="utf-8")
    assert check_site(site) == []


def test_what_is_remembered_of_the_pages_changes_no_verdict(site):
    memory, page = site.with_suffix(".json"), site / "es" / "index.html"
    sound = page.read_text(encoding="utf-8")
    page.write_text(sound.replace("other.html#top", "lost.html").replace(' alt="A"', ""), encoding="utf-8")
    faults = check_site(site)
    assert len(faults) == 2
    assert check_site(site, memory) == check_site(site, memory) == faults
    page.write_text(sound, encoding="utf-8")
    assert check_site(site, memory) == []
    memory.write_text(memory.read_text(encoding="utf-8")[:-9], encoding="utf-8")  # as a kill may leave it
    assert check_site(site, memory) == []


def test_what_only_follows_from_a_failed_cell_does_not_hide_it():
    lost = ":9: WARNING: No key 'a' found in glue data for this document. (use `path::key`, to glue from another document) [mystnb.glue]"
    failed = "/x/a.md: WARNING: Executing notebook failed: CellExecutionError [mystnb.exec]"
    build, said = OneLanguage.__new__(OneLanguage), []

    class Process:
        stdout = [f"{line}\n" for line in ("/x/b.md" + lost, failed, "/x/a.md" + lost, "/x/b.md" + lost, "a cell failed")]
        returncode = 0
        wait = staticmethod(lambda: 0)

    build.lang, build.process, build.digest = "es", Process, ""
    build.stamp = type("Stamp", (), {"write": staticmethod(lambda digest: None)})
    assert build.done(said.append)
    assert said == [f"es: {line}" for line in ("/x/b.md" + lost, failed, "/x/b.md" + lost, "a cell failed")]


@pytest.mark.parametrize("numbered", [True, False])
def test_the_cell_that_took_its_kernel_with_it_is_named_whether_it_had_its_number_or_not(monkeypatch, numbered):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in ("one", "two", "three")])

    def async_execute_cell(cell):
        raise DeadKernelError("Kernel died")

    def execute(notebook):
        for number in (1, 2)[: 1 + numbered]:
            notebook.cells[number - 1].execution_count = number
        async_execute_cell(notebook.cells[1])

    monkeypatch.setattr(kernels, "execute", execute)
    with pytest.raises(CellExecutionError) as failed:
        kernels.executed(notebook)
    assert "two" in str(failed.value) and "three" not in str(failed.value)
