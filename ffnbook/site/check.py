"""The built site, as a visitor's browser would find fault with it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ffnbook.messages import LANGUAGES, t
from ffnbook.site import address

PAGE_LIMIT_KB = 1000
LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href", "use": "href"}
NOT_LOADED = {"canonical", "alternate", "prev", "next"}
# What the stock tools leave in English on a Spanish page.
ENGLISH = (
    "Search this book", "Toggle ", "Show code cell", "Hide code cell", "Launch ", "Link to this",
    "Permalink to", "Copy to clipboard", "Previous", "Next", "On this page", "Chapters",
)  # fmt: skip


@dataclass
class Page:
    """What one HTML file holds that can be wrong."""

    lang: str = ""
    ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str | None]] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    widgets: list[str] = field(default_factory=list)


class Reader(HTMLParser):
    """Reads one page; text inside code, scripts and formulas is not prose."""

    SILENT = {"script", "style", "pre", "code", "math", "svg"}

    def __init__(self):
        super().__init__()
        self.page, self.silent, self.in_english = Page(), [], False

    def handle_starttag(self, tag, attrs):
        values, page = dict(attrs), self.page
        if tag == "html":
            page.lang = values.get("lang", "")
        page.ids += [values["id"]] if "id" in values else []
        if tag == "a" and values.get("href"):
            page.links.append((values["href"], values.get("hreflang")))
        loaded = values.get(LOADED.get(tag, ""))
        if loaded and not (tag == "link" and values.get("rel") in NOT_LOADED):
            page.loads.append(loaded)
            page.images += [loaded] if tag == "img" else []
        if unlabelled(tag, values):
            page.unlabelled.append(self.get_starttag_text()[:70])
        if not values.get("hreflang"):
            page.spoken += [v for k, v in attrs if k in ("title", "aria-label", "placeholder", "alt") and v]
        if tag in self.SILENT:
            self.silent.append(tag)

    def handle_endtag(self, tag):
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data):
        if not self.silent and data.strip():
            self.page.spoken.append(data)
        elif self.silent and self.silent[-1] == "script" and '"model_id"' in data and '"state"' not in data:
            self.page.widgets += re.findall(r'"model_id":\s*"(\w+)"', data)


def unlabelled(tag: str, values: dict) -> bool:
    """Whether an image says nothing to those who cannot see it."""
    hidden = values.get("aria-hidden") == "true"
    if tag == "img":
        return not hidden and ("alt" not in values or values["alt"] == values.get("src"))  # what docutils says of one that a cell draws
    return tag == "svg" and not hidden and not (values.get("role") == "img" and values.get("aria-label", "").strip())


def read(text: str) -> Page:
    reader = Reader()
    reader.feed(text)
    return reader.page


def read_all(texts: list[str], memory: Path | None) -> list[Page]:
    """The pages; ``memory`` keeps them for as long as neither their texts nor this module change."""
    version = Path(__file__).read_bytes()
    keys = [hashlib.sha256(version + text.encode()).hexdigest() for text in texts]
    known = {}
    if memory:
        with contextlib.suppress(OSError, ValueError):  # not there yet, or cut short
            known = json.loads(memory.read_text(encoding="utf-8"))
    pages = [Page(**known[key]) if key in known else read(text) for key, text in zip(keys, texts, strict=True)]
    if memory:
        kept = {key: vars(page) for key, page in zip(keys, pages, strict=True)}
        memory.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    return pages


def check_site(site: Path, memory: Path | None = None) -> list[str]:
    """Every fault of the site, each with its page; an empty list where there is none."""
    texts = {p.relative_to(site).as_posix(): p.read_text(encoding="utf-8") for p in sorted(site.rglob("*.html"))}
    pages = dict(zip(texts, read_all([*texts.values()], memory), strict=True))
    faults = []
    for name, page in pages.items():
        lang = name.split("/")[0] if name.split("/")[0] in LANGUAGES else ""
        found = Faults(name)
        own_faults(found, page, lang, texts[name])
        weight_faults(found, page, texts[name], site)
        link_faults(found, page, lang, pages, site)
        faults += found
    return faults


class Faults(list):
    def __init__(self, page: str):
        super().__init__()
        self.page = page

    def add(self, key: str, **values) -> None:
        self.append(t(f"building.site.{key}", page=self.page, **values))


def own_faults(found: Faults, page: Page, lang: str, text: str) -> None:
    if lang and page.lang != lang:
        found.add("no_lang", code=lang)
    for name, count in Counter(page.ids).items():
        if count > 1:
            found.add("double_id", id=name)
    for what in page.unlabelled:
        found.add("no_alt", what=what)
    for href in page.loads:
        if urlsplit(href).netloc:
            found.add("foreign", href=href)
    for spoken in page.spoken:
        if raw := re.search(r"\$[^$\d\s][^$]*\$|\\\(|\\\[|\\begin\{", spoken):
            found.add("raw_math", text=raw[0][:60])
        elif left := re.search(r"\{[A-Za-z_][\w:.]*\}", spoken):
            found.add("placeholder", mark=left[0], text=spoken.strip()[:60])
        if lang == "es" and (english := next((e for e in ENGLISH if e in spoken), None)):
            found.add("english", text=english)
    for model in page.widgets:
        if f'"{model}": {{"model_name"' not in text and f'"{model}":' not in text:
            found.add("no_widget_state", id=model)


def weight_faults(found: Faults, page: Page, text: str, site: Path) -> None:
    """A page weighs what its file does and its images do; the heaviest of these is named."""
    parts = {found.page: len(text.encode())}
    for image in (own_file(found.page, href) for href in page.images):
        if image and (site / image).is_file():
            parts[image] = (site / image).stat().st_size
    if (size := sum(parts.values()) // 1000) > PAGE_LIMIT_KB:
        heaviest = max(parts, key=parts.get)
        found.add("heavy", size=size, limit=PAGE_LIMIT_KB, part=heaviest, own=parts[heaviest] // 1000)


def link_faults(found: Faults, page: Page, lang: str, pages: dict[str, Page], site: Path) -> None:
    for href in page.loads:
        file = own_file(found.page, href)
        if file and not (site / file).is_file():
            found.add("dead_file", href=href)
    for href, hreflang in page.links:
        parts = urlsplit(href)
        if parts.scheme or parts.netloc:
            continue
        target = resolve(found.page, unquote(parts.path))
        if target not in pages and not (site / target).is_file():
            found.add("dead_link", href=href)
            continue
        if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
            found.add("dead_anchor", href=href)
        if lang and not hreflang and not target.startswith(f"{lang}/"):
            found.add("crosses", href=href)


def own_file(page: str, href: str) -> str | None:
    """The file of the site's that ``href`` loads; none where it is elsewhere, or stands in the page itself (``data:``)."""
    parts = urlsplit(href)
    return None if parts.scheme or parts.netloc or not parts.path else resolve(page, unquote(parts.path))


def resolve(page: str, path: str) -> str:
    """The file a link on ``page`` leads to, relative to the site (an absolute one is from the host's root)."""
    if not path:
        return page
    base = urlsplit(address.site_url()).path
    steps = [] if path.startswith(base) else page.split("/")[:-1]
    path = path.removeprefix(base)
    for step in path.split("/"):
        if step == "..":
            steps = steps[:-1]
        elif step != ".":
            steps.append(step)
    return "/".join(steps[:-1] + [steps[-1] or "index.html"]) if steps else "index.html"
