"""What the site holds beside its two languages: the choice of language, 404, sitemap, cards, icon."""

from __future__ import annotations

import hashlib
import html
import math
import re
import shutil
from pathlib import Path

from ffnbook.messages import LANGUAGES, t
from ffnbook.site import address
from ffnbook.site.extension import theme

NOT_PUBLISHED = (
    "_sources", ".buildinfo", "objects.inv", "reports", "translations.js", "sphinx_highlight.js", "basic.css", "*.ipynb_checkpoints",
    "mystnb.*.css", "pygments.css", "plus.png", "minus.png", "file.png", "__pycache__",
)  # fmt: skip
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>
path{fill:none;stroke-linecap:round;stroke-linejoin:round}.axis{stroke:#9aa4b1;stroke-width:2}.curve{stroke:#7b2d8e;stroke-width:3.6}
@media(prefers-color-scheme:dark){.curve{stroke:#d79be8}}</style>
<path class="axis" d="M2 22h28"/><path class="curve" d="PATH"/></svg>
"""


def write(site: Path) -> None:
    """Write every file of this module's subject into ``site``."""
    (site / ".nojekyll").touch()
    (site / "favicon.svg").write_text(icon(), encoding="utf-8")
    (site / "index.html").write_text(landing(), encoding="utf-8")
    (site / "404.html").write_text(not_found(), encoding="utf-8")
    pages = sorted(p.relative_to(site / "es").as_posix() for p in (site / "es").rglob("*.html"))
    (site / "sitemap.xml").write_text(sitemap([p for p in pages if p != "search.html"]), encoding="utf-8")
    (site / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {address.site_url()}sitemap.xml\n", encoding="utf-8")
    for lang in LANGUAGES:
        shutil.copy2(card(site.parent, lang), site / f"card-{lang}.png")


def icon() -> str:
    return ICON.replace("PATH", curve_path(3, 29, 22, 8))


def curve_path(left: float, right: float, zero: float, scale: float) -> str:
    """GELU from -2.6 to 2 as an SVG path, ``zero`` the height of its axis."""
    steps = [i / 69 for i in range(70)]
    return "M" + "L".join(f"{left + s * (right - left):.2f} {zero - scale * gelu(4.6 * s - 2.6):.2f}" for s in steps)


def gelu(x: float) -> float:
    """As ``ffnbook.activations.gelu``, without the half second that NumPy and SciPy take to import."""
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def head(title: str, extra: str = "", base: str = "") -> str:
    return (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{html.escape(title)}</title><meta name="color-scheme" content="light dark">{extra}'
        "<script>(d=>{try{const m=localStorage.getItem('ffn-theme');if(m)d.dataset.theme=m}catch{}})(document.documentElement)</script>"
        f"<style>{FONT.format(base=base)}{theme.stylesheet()}{LANDING_CSS}</style>"
    )


FONT = "@font-face{{font-family:Literata;src:url({base}en/_static/fonts/literata-normal.woff2) format('woff2');font-weight:400 700;font-display:swap}}"
LANDING_CSS = (
    ".landing{min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);align-content:center;justify-items:center;gap:2.2rem;padding:2rem 1.1rem;text-align:center}"
    ".landing svg.mark{width:min(17rem,70vw);margin:0 auto;fill:none;stroke-linecap:round}"
    ".landing .axis{stroke:var(--line);stroke-width:.2}.landing .curve{stroke:var(--c-gelu);stroke-width:.6}"
    ".landing .doors{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem;width:100%;max-width:44rem}"
    ".landing a{display:block;padding:1.4rem 1.5rem;border:1px solid var(--line);border-radius:10px;color:var(--fg);text-decoration:none}"
    ".landing a:hover{border-color:var(--accent)}.landing h1{margin:0;font-size:2rem}.landing h2{margin:0 0 .3rem;font-size:1.3rem}"
    ".landing p{margin:0 0 .8rem;color:var(--muted);font-size:.95rem}.landing b{color:var(--accent);font:600 .85rem var(--ui)}"
)


def landing() -> str:
    """The first page: both languages, the reader's own first in line to be opened by the browser."""
    alternates = "".join(f'<link rel="alternate" hreflang="{c}" href="{u}">' for c, u in theme.alternates("index"))
    description = html.escape(t("ui.description", lang="en"))
    extra = (
        f'<link rel="canonical" href="{address.site_url()}">{alternates}<link rel="icon" href="favicon.svg" type="image/svg+xml">'
        f'<meta name="description" content="{description}"><meta property="og:image" content="{address.site_url()}card-en.png">'
        f"<script>{FOLLOW}</script>"
    )
    both = " · ".join(t("ui.title", lang=lang) for lang in ("en", "es"))
    doors = "".join(door(lang) for lang in LANGUAGES)
    mark = f'<svg class="mark" viewBox="0 0 32 12" aria-hidden="true"><path class="axis" d="M1 10h30"/><path class="curve" d="{curve_path(1, 31, 10, 4.5)}"/></svg>'
    return (
        f'<!doctype html><html lang="en"><head>{head(both, extra)}</head><body><main class="landing">{mark}'
        f'<h1 class="hidden">{html.escape(both)}</h1><div class="doors">{doors}</div></main></body></html>'
    )


# The reader's last choice, else the browser's first language of ours; never away from a deliberate visit to the choice.
FOLLOW = (
    "(()=>{if(location.hash==='#choose'||document.referrer.startsWith(location.origin+location.pathname))return;let l;"
    "try{l=localStorage.getItem('ffn-language')}catch{}"
    "l??=(navigator.languages||[]).map(x=>x.slice(0,2)).find(x=>x==='es'||x==='en');"
    "if(l==='es'||l==='en')location.replace(l+'/index.html')})()"
)


def door(lang: str) -> str:
    title, subtitle, go = (html.escape(t(f"ui.{key}", lang=lang)) for key in ("title", "subtitle", "landing.go"))
    return f'<a href="{lang}/index.html" hreflang="{lang}" lang="{lang}"><h2>{title}</h2><p>{subtitle}</p><b>{go}</b></a>'


def not_found() -> str:
    """Served for any address there is no page at, so its links are absolute."""
    base = re.sub(r"^https?://[^/]+", "", address.site_url())
    doors = "".join(
        f'<a href="{base}{lang}/index.html" hreflang="{lang}" lang="{lang}"><h2>{html.escape(t("ui.not_found.title", lang=lang))}</h2>'
        f'<p>{html.escape(t("ui.not_found.text", lang=lang))}</p><b>{html.escape(t("ui.not_found.home", lang=lang))}</b></a>'
        for lang in LANGUAGES
    )
    title = " · ".join(t("ui.not_found.title", lang=lang) for lang in ("en", "es"))
    extra = f'<meta name="robots" content="noindex"><link rel="icon" href="{base}favicon.svg" type="image/svg+xml">'
    return f'<!doctype html><html lang="en"><head>{head(title, extra, base)}</head><body><main class="landing"><h1>404</h1><div class="doors">{doors}</div></main></body></html>'


def sitemap(pages: list[str]) -> str:
    rows = []
    for page in pages:
        name = page.removesuffix(".html")
        links = "".join(f'<xhtml:link rel="alternate" hreflang="{c}" href="{u}"/>' for c, u in theme.alternates(name))
        rows += [f"<url><loc>{theme.page_url(lang, name)}</loc>{links}</url>" for lang in LANGUAGES]
    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {namespaces}>\n' + "\n".join(rows) + "\n</urlset>\n"


def card(folder: Path, lang: str) -> Path:
    """The card, drawn once for as long as its words and this module stay what they are."""
    made_of = repr((t("ui.title", lang=lang), t("ui.subtitle", lang=lang), Path(__file__).read_text(encoding="utf-8")))
    path = folder / f"card-{lang}-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}.png"
    if not path.is_file():
        draft = path.with_suffix(".draft.png")
        draw_card(draft, lang)
        draft.replace(path)  # a card that was half drawn when the build was stopped would stay so
    return path


def draw_card(path: Path, lang: str) -> None:
    """The picture shown when a page is shared: the curve and the title, 1200 × 630."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-3.2, 3.2), ylim=(-1.4, 2.0))
    axes.axis("off")
    x = [-3.2 + 5.4 * i / 399 for i in range(400)]
    axes.axhline(0, color="#d5dae0", lw=2)
    axes.plot(x, [gelu(v) for v in x], color="#7b2d8e", lw=9, solid_capstyle="round")
    axes.text(-2.75, 1.25, t("ui.title", lang=lang), fontsize=52, fontweight="bold", color="#1b2026", family="serif")
    axes.text(-2.75, -1.05, t("ui.subtitle", lang=lang), fontsize=24, color="#59626d", family="serif")
    figure.savefig(path)
