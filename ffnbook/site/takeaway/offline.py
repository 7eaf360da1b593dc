"""The whole book in one file per language, to be read from a disk: ``/es/la-ffn-por-dentro.zip``.

A browser that opens a page from a disk (``file://``) refuses modules, fonts and anything
fetched by a script.  So modules become plain scripts, fonts travel inside a style sheet,
and what needs other machines is left out.
"""

from __future__ import annotations

import base64
import re
import zipfile
from fnmatch import fnmatch
from pathlib import Path

from ffnbook.messages import t
from ffnbook.site import address, extras

FONT_FACE = re.compile(r"@font-face\{[^}]*\}")
MODULE = re.compile(r'<script type="module" src="(_static/[\w.-]+)\.mjs"></script>')
AWAY = re.compile(r'<a\b[^>]*\bhref="(?P<href>\.\./[^"]*|[\w-]+\.zip)"[^>]*>(?P<text>.*?)</a>', re.S)
EXPORT = re.compile(r"^export (?:async )?(?:const|let|class|function\*?) (\w+)", re.M)
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.mjs)";', re.M)
FONTS = "_static/fonts/fonts.css"
NOT_TAKEN = frozenset([".zip", ".woff2", ".mjs"])
LIVE = frozenset(["live", "_live"])  # "Run this page" needs a site


def write(folder: Path, lang: str) -> None:
    """Put the edition of the language that was built into ``folder`` beside its pages."""
    name = t("running.offline.name", lang)
    with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path, content in sorted(edition(folder, lang).items()):
            packed.writestr(zipfile.ZipInfo(f"{name}/{path}"), content, zipfile.ZIP_DEFLATED)


def edition(folder: Path, lang: str) -> dict[str, bytes]:
    """Every file of the edition by its path in it."""
    files = {"favicon.svg": extras.icon().encode()}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and taken(p.relative_to(folder))):
        files[path.relative_to(folder).as_posix()] = path.read_bytes()
    pages = {name: content.decode() for name, content in files.items() if name.endswith(".html")}
    for module in {found for text in pages.values() for found in MODULE.findall(text)}:
        files[f"{module}.js"] = plain_script(folder / f"{module}.mjs").encode()
    files[FONTS] = fonts(pages["index.html"], folder).encode()
    files |= {name: page(text, lang).encode() for name, text in pages.items()}
    options = "_static/documentation_options.js"
    files[options] = files[options].replace(b"SHOW_SEARCH_SUMMARY: true", b"SHOW_SEARCH_SUMMARY: false")  # it fetches pages
    return files


def taken(path: Path) -> bool:
    unpublished = any(fnmatch(part, pattern) for part in path.parts for pattern in extras.NOT_PUBLISHED)
    return path.suffix not in NOT_TAKEN and not LIVE & set(path.parts) and not unpublished


def plain_script(path: Path) -> str:
    """A module as an expression that gives what it exports; those it imports stand inside it."""

    def imported(found: re.Match) -> str:
        return f"const {{{found[1].replace(' as ', ': ')}}} = {plain_script(path.with_name(found[2])).rstrip()}"

    module = path.read_text(encoding="utf-8")
    exported = ", ".join(EXPORT.findall(module))
    body = EXPORT.sub(lambda found: found[0].removeprefix("export "), IMPORT.sub(imported, module))
    return f"(() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def fonts(home: str, folder: Path) -> str:
    """The home page's font rules, each with its file inside."""

    def inside(found: re.Match) -> str:
        data = base64.b64encode((folder / found[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{data})"

    return "\n".join(re.sub(r"url\(([^)]+)\)", inside, rule) for rule in FONT_FACE.findall(home))


def page(text: str, lang: str) -> str:
    """A page of the site as it can be read without it."""
    text = re.sub(r"<!--online-->.*?<!--/online-->", "", text, flags=re.S)
    text = re.sub(r'<link rel="preload"[^>]*>', "", text)
    text = FONT_FACE.sub("", text).replace("<style>", f'<link rel="stylesheet" href="{FONTS}"><style>', 1)
    text = MODULE.sub(r'<script defer src="\1.js"></script>', text)
    text = text.replace('"../favicon.svg"', '"favicon.svg"')
    return AWAY.sub(lambda link: elsewhere(link, lang), text)


def elsewhere(link: re.Match, lang: str) -> str:
    """A link to what the edition lacks (the other language, itself): to the site where it has an address, else none."""
    href = link["href"]
    if address.is_public():
        path = href.removeprefix("../") if href.startswith("../") else f"{lang}/{href}"
        return link[0].replace(f'"{href}"', f'"{address.site_url()}{path}"')
    return "" if href.startswith("../") else link["text"]
