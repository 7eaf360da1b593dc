"""Ask for every page of other sites that the built book links to: ``python tools/outside_links.py``.

Says what is gone (and exits 1), and what could not be asked: many publishers turn programs away.
"""

from __future__ import annotations

import socket
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from ffnbook.site import address, build, check

GONE = (404, 410)
HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; link check of a book)", "Accept": "*/*"}


def outside(site: Path) -> dict[str, str]:
    """Each address outside the site that a page links to, with the first such page."""
    found: dict[str, str] = {}
    for path in sorted(site.rglob("*.html")):
        for href, _ in check.read(path.read_text(encoding="utf-8")).links:
            if urlsplit(href).scheme in ("http", "https") and not href.startswith(address.site_url()):
                found.setdefault(urldefrag(href).url, path.relative_to(site).as_posix())
    return found


def trouble(url: str, timeout: float = 30) -> tuple[bool, str]:
    """Whether ``url`` is gone, and what went wrong ("" where nothing did)."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=HEADERS), timeout=timeout):
            return False, ""
    except urllib.error.HTTPError as error:
        return error.code in GONE, str(error.code)
    except urllib.error.URLError as error:
        return isinstance(error.reason, socket.gaierror), str(error.reason)
    except (OSError, ValueError) as error:
        return False, str(error)


def report(links: dict[str, str]) -> tuple[str, int]:
    """The report as Markdown, and how many links lead nowhere."""
    with ThreadPoolExecutor(8) as pool:
        results = dict(zip(links, pool.map(trouble, links), strict=True))
    lines = {gone: [f"- {url} ({what}): {links[url]}" for url, (is_gone, what) in results.items() if what and is_gone == gone] for gone in (True, False)}
    text = [f"## {len(links)} links to other sites", f"{len(lines[True])} gone:", *lines[True]]
    return "\n".join([*text, f"\n{len(lines[False])} that did not answer a program; open them by hand:", *lines[False]]), len(lines[True])


def main() -> int:
    if not (build.SITE / "index.html").is_file():
        print("There is no site yet. Build it first: ffnbook build", file=sys.stderr)
        return 2
    text, gone = report(outside(build.SITE))
    print(text)
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main())
