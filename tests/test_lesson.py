"""What a page imports."""

import pytest

from ffnbook import lesson, messages


@pytest.fixture
def shown(monkeypatch):
    pages = []
    monkeypatch.setattr(lesson, "_display", pages.append)
    yield pages
    messages.set_language("en")


def test_start_sets_the_language_of_texts_and_numbers():
    lesson.start("es")
    assert lesson.num(0.5, 2) == "0,50"
    lesson.start("en")
    assert lesson.num(0.5, 2) == "0.50"


def test_an_unknown_language_is_refused_by_name():
    with pytest.raises(ValueError, match="es, en; got 'fr'"):
        lesson.start("fr")


def test_glue_outside_a_build_needs_nothing_of_the_site(monkeypatch):
    monkeypatch.delenv("FFNBOOK_BUILD", raising=False)
    monkeypatch.setitem(__import__("sys").modules, "myst_nb", None)  # importing it would now raise
    lesson.glue("n", 33088)


def test_a_table_heads_its_columns_and_rows_and_escapes_its_cells(shown):
    lesson.start("es")
    lesson.table(["a<b", "n"], [["GPT-2", 124439808]], "Tabla")
    assert '<th scope="col">a&lt;b</th>' in shown[0]
    assert '<th scope="row">GPT-2</th><td>124\u202f439\u202f808</td>' in shown[0]
    assert "<caption>Tabla</caption>" in shown[0] and shown[0].startswith('<div class="table">')
    lesson.table(["a", "b"], [["x", "Una frase."]], words=True)
    assert shown[1].startswith('<div class="table words">')


def test_a_figure_is_shown_with_the_alt_text_of_its_language(shown):
    from ffnbook.figures import activations

    for lang in ("es", "en"):
        lesson.start(lang)
        lesson.show(activations.curves(), "figures.activations.curves")
    alts = [messages.t("figures.activations.curves.alt", lang=lang) for lang in ("es", "en")]
    assert all(alt[:20] in page for alt, page in zip(alts, shown, strict=True))
