"""The one setting that says where the book lives."""

import pytest

from ffnbook.site import address, build


@pytest.fixture(autouse=True)
def nowhere(monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.delenv("FFNBOOK_SITE_URL", raising=False)
    return monkeypatch


def test_without_a_setting_there_is_no_repository_and_no_made_up_owner():
    assert address.repository_url() is None
    assert address.site_url() == "http://127.0.0.1:8000/"


@pytest.mark.parametrize(
    ("name", "site"),
    [
        ("Ana/ffn", "https://ana.github.io/ffn/"),
        ("ana/ana.github.io", "https://ana.github.io/"),
    ],
)
def test_a_fork_s_site_is_the_fork_s(nowhere, name, site):
    nowhere.setenv("GITHUB_REPOSITORY", name)
    assert address.site_url() == site
    assert address.repository_url() == f"https://github.com/{name}"


def test_a_setting_that_is_no_repository_is_not_used(nowhere):
    nowhere.setenv("GITHUB_REPOSITORY", "javascript:alert(1)")
    assert address.repository() is None


def test_one_s_own_address_wins(nowhere):
    nowhere.setenv("GITHUB_REPOSITORY", "ana/ffn")
    nowhere.setenv("FFNBOOK_SITE_URL", "https://example.org/curso")
    assert address.site_url() == "https://example.org/curso/"


@pytest.mark.parametrize("wrong", ["example.org", "http://a b/", "//example.org/", "ftp://example.org/", "https://example.org/?a"])
def test_an_address_no_link_could_lead_to_stops_the_build(nowhere, tmp_path, wrong):
    nowhere.setenv("FFNBOOK_SITE_URL", wrong)
    said = []
    assert build.build(said.append, site=tmp_path / "site") == 1
    assert len(said) == 1 and wrong in said[0] and "https://" in said[0]
    nowhere.setenv("FFNBOOK_SITE_URL", "http://example.org:8000/a/b")
    assert address.unusable() is None
