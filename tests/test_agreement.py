"""A change in one language alone is seen, shown and led back to agreement."""

from __future__ import annotations

import json
import shutil

import pytest
from small_book import EN, ES, SmallBook

from ffnbook.site.authoring import agreed, agreement, sources
from ffnbook.site.authoring.pairs import pairs

STATE = agreement.STATE


@pytest.fixture(params=["\n", "\r\n"], ids=["lf", "crlf"])
def book(tmp_path, request) -> SmallBook:
    return SmallBook(tmp_path / "book", request.param)


def agreements(book: SmallBook) -> list[str]:
    return [str(f) for f in agreement.check(book.root, pairs(book.root))]


def test_a_change_in_one_language_shows_its_diff_and_where_to_look(book):
    line = book.edit(ES, "### Más", "### Más aún")
    (found,) = agreements(book)
    assert found.startswith(f"{ES}:{line}: book/widths.md has changed here since both languages were agreed, and {EN} has not.")
    assert f"Look at: widths-more ({EN}:{line - 1})." in found
    assert "ffnbook parity --agree book/widths.md" in found
    assert "\n    -### Más\n    +### Más aún\n" in found


def test_the_english_side_alone_is_seen_as_well(book):
    line = book.edit(EN, "How many?", "How many, then?")
    (found,) = agreements(book)
    assert found.startswith(f"{EN}:{line}: ") and f"widths-count ({ES}:" in found


def test_a_sentence_taken_out_is_shown_too(book):
    book.edit(EN, "How many?\n", "")
    (found,) = agreements(book)
    assert "\n    -How many?" in found and f"widths-count ({ES}:" in found


def test_a_long_diff_is_cut(book):
    book.edit(EN, "There are", "\n".join(f"Line {'x' * n}." for n in range(300)) + "\nThere are")
    (found,) = agreements(book)
    assert len(found.splitlines()) < 130 and found.endswith("more lines")


def test_a_message_changed_in_one_language_names_its_key(book):
    book.edit("ffnbook/locale/es/pages.toml", "Suma de", "Total de")
    (found,) = agreements(book)
    assert found.startswith("ffnbook/locale/es/pages.toml:2: locale/pages.toml has changed here")
    assert "Look at: widths.sum (ffnbook/locale/en/pages.toml:2)" in found


def test_both_changed_is_said_briefly(book):
    book.edit_both("cite}`vaswani2017`", "cite}`shazeer2020`")
    (found,) = agreements(book)
    assert "has changed here and in book/en/widths.md" in found and "\n" not in found


def test_agreeing_is_one_command(book, capsys):
    book.edit(ES, "### Más", "### Más aún")
    book.edit("book/es/sizes.md", "# Sizes", "# Tamaños")
    assert sources.run(["--agree", "widths"], book.root) == 0
    assert "Agreed: book/widths.md" in capsys.readouterr().out
    (found,) = agreements(book)
    assert found.startswith("book/es/sizes.md:5:")
    assert sources.run(["--agree"], book.root) == 0
    assert agreements(book) == []


@pytest.mark.parametrize("name", ["widths", "book/widths.md", "widths.md", "book/es/widths.md", "book\\en\\widths.md"])
def test_a_page_is_called_as_an_author_would(book, name):
    book.edit(ES, "### Más", "### Más aún")
    assert sources.run(["--agree", name], book.root) == 0
    assert agreements(book) == []


def test_an_unknown_page_gets_a_suggestion(book, capsys):
    assert sources.run(["--agree", "width"], book.root) == 2
    assert "No page or message file is called width. Near it: widths" in capsys.readouterr().err


def test_pages_that_differ_are_not_agreed(book, capsys):
    book.edit(ES, "vaswani2017", "shazeer2020")
    book.edit("book/es/sizes.md", "# Sizes", "# Tamaños")
    assert sources.run(["--agree"], book.root) == 1
    said = capsys.readouterr()
    assert "citation shazeer2020" in said.err and "Not agreed" in said.err and "Agreed: book/sizes.md" in said.out
    (found,) = agreements(book)
    assert found.startswith(f"{ES}:")


def test_a_new_page(book):
    for lang in ("es", "en"):
        book.write(f"book/{lang}/more.md", "---\ndescription: x\n---\n(more)=\n# More\n")
    assert agreements(book) == [
        "book/es/more.md:1: book/more.md is new and not yet agreed with book/en/more.md. "
        "When both say the same: ffnbook parity --agree book/more.md"
    ]


def test_a_deleted_page(book):
    for lang in ("es", "en"):
        (book.root / f"book/{lang}/sizes.md").unlink()
    assert any(f.startswith(f"{STATE}:1: book/sizes.md was agreed and no longer exists.") for f in agreements(book))
    assert sources.run(["--agree", "sizes"], book.root) == 0
    assert agreements(book) == []


def test_a_renamed_page(book):
    for lang in ("es", "en"):
        (book.root / f"book/{lang}/sizes.md").rename(book.root / f"book/{lang}/lengths.md")
    found = agreements(book)
    assert any("book/lengths.md was agreed under the name book/sizes.md" in f for f in found)
    assert sources.run(["--agree", "book/lengths.md", "book/sizes.md"], book.root) == 0
    assert agreements(book) == []


def test_line_ends_and_trailing_blanks_do_not_count(book):
    for path in (ES, "ffnbook/locale/en/pages.toml"):
        text = book.read(path)
        book.write(path, text.replace("\n", "  \n") + "\n\n")
    assert agreements(book) == []


def test_the_state_holds_in_a_copy_with_the_other_line_ends(book, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(book.root, copy)
    for path in [p for p in copy.rglob("*") if p.is_file()]:
        text = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8", newline="\r\n" if book.newline == "\n" else "\n")
    assert agreement.check(copy, pairs(copy)) == []


def test_the_state_is_json_sorted_one_line_a_pair_and_stable(book):
    before = (book.root / STATE).read_bytes()
    names = list(json.loads(before))
    assert names == sorted(names) and len(before.splitlines()) == len(names) + 2
    assert sources.run(["--agree"], book.root) == 0
    assert (book.root / STATE).read_bytes() == before


def test_agreeing_one_page_changes_one_line(book):
    before = book.read(STATE).splitlines()
    book.edit(ES, "### Más", "### Más aún")
    sources.run(["--agree", "widths"], book.root)
    after = book.read(STATE).splitlines()
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_a_line_that_is_still_true_is_kept_whatever_deflates_it(book, monkeypatch):
    before = book.read(STATE)
    monkeypatch.setattr(agreed.zlib, "compress", lambda data, level: (_ for _ in ()).throw(AssertionError("compressed anew")))
    assert sources.run(["--agree"], book.root) == 0
    assert book.read(STATE) == before


def test_a_merge_conflict_costs_one_page_and_is_mended_by_agreeing(book):
    ours = book.read(STATE)
    mine = next(line for line in ours.splitlines() if "book/widths.md" in line)
    book.edit(ES, "### Más", "### Más aún")
    sources.run(["--agree", "widths"], book.root)
    theirs = next(line for line in book.read(STATE).splitlines() if "book/widths.md" in line)
    book.write(STATE, ours.replace(mine, f"<<<<<<< HEAD\n{mine}\n=======\n{theirs}\n>>>>>>> branch"))
    found = agreements(book)
    assert len(found) == 2
    assert any(f.startswith(f"{STATE}:3: This file holds the marks of a merge conflict.") for f in found)
    assert any("book/widths.md is new and not yet agreed" in f for f in found)
    assert sources.run(["--agree", "widths"], book.root) == 0
    assert agreements(book) == [] and set(json.loads(book.read(STATE))) == set(json.loads(ours))


def test_a_page_left_in_a_conflict_is_told_and_not_agreed(book, capsys):
    line = book.edit(ES, "Son ", "<<<<<<< HEAD\nSon \n=======\nHay \n>>>>>>> other\n")
    told = f"{ES}:{line}: This file holds the marks of a merge conflict. Choose what is to stay"
    assert any(f.startswith(told) for f in book.faults())
    assert sources.run(["--agree", "widths"], book.root) == 1
    assert told in capsys.readouterr().err


def test_a_spoilt_entry_costs_one_page(book):
    text = book.read(STATE)
    line = next(line for line in text.splitlines() if "book/widths.md" in line)
    book.write(STATE, text.replace(line, line[:60] + "!!" + line[62:]))
    assert [f for f in agreements(book) if "book/widths.md" not in f] == []
    assert len(agreements(book)) == 1


def test_without_a_state_every_pair_is_new(book):
    (book.root / STATE).unlink()
    assert len(agreements(book)) == 4 and all("not yet agreed" in f for f in agreements(book))


def test_exercise_texts_and_the_readme_are_pairs(book):
    for path in ("exercises/source/a/b/text.es.md", "exercises/source/a/b/text.en.md", "README.md", "CONTRIBUIR.md"):
        book.write(path, "x\n")
    found = book.faults(without_agreement=False)
    assert any("exercises/source/a/b/text.md is new" in f for f in found)
    assert any(f.startswith("README.md:1: Its counterpart LEEME.md does not exist.") for f in found)
    assert any(f.startswith("CONTRIBUIR.md:1: Its counterpart CONTRIBUTING.md does not exist.") for f in found)
