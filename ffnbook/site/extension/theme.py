"""The theme: what each page's frame needs to know, in the page's language."""

from __future__ import annotations

import html
import json
import re
import shutil
from functools import cache
from pathlib import Path

from docutils import nodes

from ffnbook.messages import LANGUAGES, catalogue, t
from ffnbook.site import address

HERE = Path(__file__).with_name("theme")
STATIC = Path(__file__).with_name("static")


def setup(app):
    app.add_html_theme("ffnbook", str(HERE))
    app.add_config_value("ffnbook_address", "", "html")
    app.connect("config-inited", remember_address)
    app.connect("builder-inited", add_static)
    app.connect("write-started", empty_static)
    app.connect("build-finished", remove_gone)
    app.connect("html-page-context", frame, priority=900)
    app.connect("html-page-context", forget_words)


def remember_address(app, config) -> None:
    """Every page names the site's address: one built for another is written anew."""
    config.ffnbook_address = f"{address.site_url()} {address.repository_url()}"


def remove_gone(app, exception) -> None:
    """Sphinx leaves the files of a page that was renamed or removed, and pictures no page shows, where they were."""
    out = Path(app.outdir)
    pictures = {name for _, name in app.env.images.values()}
    kept = {"*.html": {f"{page}.html" for page in [*app.env.found_docs, "search"]}, "_images/*": pictures}
    for pattern, names in kept.items():
        for path in out.glob(pattern):
            if path.name not in names:
                path.unlink()


def empty_static(app, builder) -> None:
    """Sphinx copies what there is, and leaves what there was."""
    shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)


def forget_words(app, pagename, template, context, doctree) -> None:
    """Sphinx keeps the words that no page holds any more in the index of its search."""
    if pagename == "search":
        for words in (app.builder.indexer._mapping, app.builder.indexer._title_mapping):
            for word in [word for word, pages in words.items() if not pages]:
                del words[word]


def add_static(app) -> None:
    app.config.html_static_path.append(str(STATIC))


def frame(app, pagename, template, context, doctree) -> None:
    """Fill the template's variables for one page."""
    lang = app.config.ffnbook_language
    context.update(
        t=lambda key, **values: t(f"ui.{key}", lang=lang, **values),
        lang=lang,
        other=next(code for code in LANGUAGES if code != lang),
        nav=navigation(app, pagename),
        css=stylesheet(),
        strings=script_strings(lang),
        alternates=alternates(pagename),
        canonical=page_url(lang, pagename),
        site_url=address.site_url(),
        repository=address.repository_url(),
        widget_state=script_tags(context, "vnd.jupyter.widget-state"),
        has_widgets=doctree is not None and has_class(doctree, "widget-view"),
        description=app.env.metadata.get(pagename, {}).get("description", t("ui.description", lang=lang)),
    )
    if "body" in context:
        context["body"] = localised(context["body"], lang)


def navigation(app, current: str) -> list[dict]:
    """The parts of the table of contents, each with its caption and pages."""
    site_map = app.config.external_site_map
    parts = [{"caption": "", "pages": [site_map.root.docname]}]
    for tree in site_map.root.subtrees:
        caption = t(tree.caption) if tree.caption else ""
        parts.append({"caption": caption, "pages": [str(item) for item in tree.items]})
    return [
        {"caption": p["caption"], "pages": [link(app, d, current) for d in p["pages"] if d in app.env.titles]} for p in parts
    ]


def link(app, docname: str, current: str) -> dict:
    title = app.env.titles[docname].astext()
    href = "#main" if docname == current else app.builder.get_relative_uri(current, docname)
    return {"title": title, "href": href, "current": docname == current}


def page_url(lang: str, pagename: str) -> str:
    return f"{address.site_url()}{lang}/{'' if pagename == 'index' else pagename + '.html'}"


def alternates(pagename: str) -> list[tuple[str, str]]:
    """(hreflang, absolute address) of the page in each language and of the choice between them."""
    pairs = [(code, page_url(code, pagename)) for code in LANGUAGES]
    default = address.site_url() if pagename == "index" else page_url("en", pagename)
    return [*pairs, ("x-default", default)]


@cache
def stylesheet() -> str:
    """The one style sheet, without comments and needless space; it stands in each page's head."""
    css = "".join(path.read_text(encoding="utf-8") for path in sorted((HERE / "css").glob("*.css")))
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*([{};,>])\s*", r"\1", re.sub(r"\s+", " ", css)).replace(";}", "}").strip()


def script_strings(lang: str) -> str:
    return json.dumps(catalogue("ui.script", lang), ensure_ascii=False).replace("<", "\\u003c")


def script_tags(context, kind: str) -> list[str]:
    """Bodies of the data scripts of one kind that myst-nb attached to the page."""
    return [
        script.attributes["body"]
        for script in context.get("script_files", [])
        if kind in (getattr(script, "attributes", None) or {}).get("type", "")
    ]


def has_class(doctree, mime: str) -> bool:
    return any(mime in node.astext() for node in doctree.findall(nodes.raw))


def localised(body: str, lang: str) -> str:
    """What Sphinx writes in English whatever the language, and what it leaves unlabelled."""
    label = html.escape(t("ui.permalink", lang=lang))
    body = re.sub(r'(<a class="headerlink" href="[^"]*") title="[^"]*"', rf'\1 aria-label="{label}"', body)
    body = re.sub(r'<table class="docutils.*?</table>', r'<div class="table-scroll">\g<0></div>', body, flags=re.S)
    body = body.replace('role="doc-biblioentry"', 'role="listitem"')
    body = re.sub(r"<(a|summary|th)\b[^>]*>(?:(?!</\1>).)*</\1>", lambda m: named_by_formula(m[0]), body, flags=re.S)
    return body.replace('<div class="highlight"><pre>', '<div class="highlight"><pre translate="no">')


def named_by_formula(element: str) -> str:
    """A link, summary or heading cell that holds a formula alone takes its name from what the formula says."""
    if "<math" not in element or text_of(re.sub(r"<math.*?</math>", "", element, flags=re.S)):
        return element
    return re.sub(r"<math(?=[ >])", f'<math aria-label="{text_of(element)}"', element)


def text_of(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())
