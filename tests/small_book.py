"""A book of two small pages in two languages, sound until a test breaks it."""

from __future__ import annotations

import re
from pathlib import Path

from ffnbook.site.authoring import sources

PAGE = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
description: @description@
run: [pyodide, binder]
---
(widths)=
# @title@

```{code-cell} ipython3
:tags: [remove-cell]
from ffnbook import lesson; lesson.start("@lang@")
```

@see@ [@other@](#sizes) {cite}`vaswani2017`. GPT-3.5, Llama 3.1 8B, 2017, float32, @table@ 14, `0.5`, $x = 0.25$.

(widths-count)=
## @count@

```{predict} widths-guess
@question@
- ( ) @one@
  : @reply@
- (x) @two@
  : @reply@
```

```{code-cell} ipython3
:tags: [remove-input]
import numpy as np

# @comment@
weights = 8 * np.ones((4, 4))
if weights.sum() > 1:
    print(weights.shape)
lesson.glue("total", weights.sum())
for name in ("relu", "gelu"):
    lesson.glue(f"size-{name}", 4)
lesson.show(None, "figures.widths.curve")
print(lesson.t("pages.widths.sum", n=3))
```

@shows@ {glue:text}`total` {glue:text}`size-gelu` {given}`2048`.

$$
y = W x \\text{ @if_word@ } x > 0
$$ (eq-widths)

(widths-more)=
### @more@

```{figure} ../img/@lang@/drawing.svg
:alt: @alt@
:name: fig-drawing
@caption@
```

:::{dropdown} @solution@
@see@ {ref}`fig-drawing`.
:::

![@alt@](../img/photo.png)
"""

WORDS = {
    "es": dict(
        description="Anchos.", title="Anchos", see="Mira", other="otra", table="tabla", count="¿Cómo se cuenta?",
        question="¿Cuántos?", one="uno", two="dos", reply="Es así.", comment="ocho veces unos", shows="Son", if_word="si",
        more="Más", alt="un dibujo", caption="Un dibujo.", solution="Solución",
    ),
    "en": dict(
        description="Widths.", title="Widths", see="See", other="other", table="Table", count="How to count",
        question="How many?", one="one", two="two", reply="That is so.", comment="eight times ones", shows="There are",
        if_word="if", more="More", alt="a drawing", caption="A drawing.", solution="Solution",
    ),
}
OTHER = "---\ndescription: x\n---\n(sizes)=\n# Sizes\n\n[a](#widths-count)\n"
TOC = "format: jb-book\nroot: sizes\nparts:\n  - caption: pages.widths.sum\n    chapters:\n      - file: widths\n"
BIB = "@article{vaswani2017,\n  author = {Vaswani, Ashish},\n  title = {Attention},\n  year = {2017},\n}\n@misc{shazeer2020, author={Shazeer, Noam}, title={GLU}, year={2020}}\n"
MESSAGES = {
    "_toc.yml": TOC,
    "book/references.bib": BIB,
    "ffnbook/locale/es/pages.toml": '[widths]\nsum = "Suma de {n}"\n',
    "ffnbook/locale/en/pages.toml": '[widths]\nsum = "Sum of {n}"\n',
    "ffnbook/locale/es/figures.toml": '[widths.curve]\nalt = "Una curva"\n',
    "ffnbook/locale/en/figures.toml": '[widths.curve]\nalt = "A curve"\n',
}
ES, EN = "book/es/widths.md", "book/en/widths.md"


class SmallBook:
    """The book under ``root``; ``newline`` says how its files end their lines."""

    def __init__(self, root: Path, newline: str = "\n"):
        self.root, self.newline = root, newline
        for path, text in MESSAGES.items():
            self.write(path, text)
        for lang, words in WORDS.items():
            self.write(f"book/{lang}/widths.md", re.sub(r"@(\w+)@", lambda m: {"lang": lang, **words}[m[1]], PAGE))
            self.write(f"book/{lang}/sizes.md", OTHER)
        assert sources.run(["--agree"], root) == 0

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8", newline=self.newline)

    def edit(self, path: str, old: str, new: str) -> int:
        """Replace ``old``, which must be there once; return the line it began on."""
        text = self.read(path)
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {path}"
        self.write(path, text.replace(old, new))
        return text[: text.index(old)].count("\n") + 1

    def edit_both(self, old: str, new: str) -> int:
        self.edit(ES, old, new)
        return self.edit(EN, old, new)

    def faults(self, without_agreement: bool = True) -> list[str]:
        """The faults as an author sees them."""
        found = sources.check_all(self.root)
        return [str(f) for f in found if not (without_agreement and "--agree" in f.message)]

    def only_fault(self) -> str:
        found = self.faults()
        assert len(found) == 1, "\n".join(found) or "no fault"
        return found[0]
