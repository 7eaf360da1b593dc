"""“Run this page”: what a page says of its cells, and the folder ``live/`` that the click loads from."""

import os


def wanted() -> bool:
    """Whether the site is to have it; FFNBOOK_LIVE=0 builds without, and fetches nothing."""
    return os.environ.get("FFNBOOK_LIVE") != "0"
