"""Where the book lives: one setting, ``GITHUB_REPOSITORY`` (owner/name), as GitHub's own CI sets it.

``FFNBOOK_SITE_URL`` overrides the site's address for those who publish elsewhere.  With
neither, the site takes the address `ffnbook serve` gives it and links to no repository.
"""

from __future__ import annotations

import os
import re


def repository() -> str | None:
    """``owner/name``, or None where the book has no public home."""
    name = os.environ.get("GITHUB_REPOSITORY", "")
    return name if re.fullmatch(r"[\w.-]+/[\w.-]+", name) else None


def repository_url() -> str | None:
    name = repository()
    return f"https://github.com/{name}" if name else None


def is_public() -> bool:
    """Whether the site has an address of its own, which text that leaves it can link to."""
    return bool(os.environ.get("FFNBOOK_SITE_URL") or repository())


def unusable() -> str | None:
    """What ``FFNBOOK_SITE_URL`` says where that is no address a link could lead to."""
    own = os.environ.get("FFNBOOK_SITE_URL")
    return own if own and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", own) else None


def site_url() -> str:
    """The site's absolute address, with a slash at its end."""
    if own := os.environ.get("FFNBOOK_SITE_URL"):
        return own.rstrip("/") + "/"
    if name := repository():
        owner, repo = name.split("/")
        host = f"https://{owner.lower()}.github.io/"
        return host if repo.lower() == f"{owner.lower()}.github.io" else f"{host}{repo}/"
    return "http://127.0.0.1:8000/"
