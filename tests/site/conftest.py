"""One tiny book, built once; each test finds its sources sound and its caches warm."""

from __future__ import annotations

import pytest
from mini import MiniBook


@pytest.fixture(scope="package")
def warm_book(tmp_path_factory) -> MiniBook:
    made = MiniBook(tmp_path_factory.mktemp("mini"))
    made.agree()
    status, said = made.build_all()
    assert status == 0, said
    return made


@pytest.fixture
def book(warm_book) -> MiniBook:
    warm_book.restore()
    return warm_book
