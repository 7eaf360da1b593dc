"""What the widgets share: their front-end text, their language, and what to read where nothing is drawn."""

from __future__ import annotations

import html
import re
from pathlib import Path

import anywidget
import traitlets

from ffnbook import messages

HERE = Path(__file__).parent
SHARED_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.mjs";\n', re.MULTILINE)
COMMENT_LINE = re.compile(r"^ *(?://|/\*\*|\*(?: |/|$)).*\n", re.MULTILINE)


def script(name: str) -> str:
    """The front-end module of a widget as one text: what it imports, then its own code, without comment lines."""
    own = (HERE / f"{name}.mjs").read_text(encoding="utf-8")
    imports = SHARED_IMPORT.findall(own)
    if "controls" not in imports or len(set(imports)) < len(imports):
        raise ValueError(f'{name}.mjs must import from "./controls.mjs", and once, on its own lines, from each; found {imports}')
    shared = "".join((HERE / f"{part}.mjs").read_text(encoding="utf-8") for part in imports)
    return COMMENT_LINE.sub("", re.sub(r"^export ", "", shared, flags=re.MULTILINE) + SHARED_IMPORT.sub("", own))


def style(name: str) -> str:
    """The shared style sheet, then the widget's own if it has one."""
    parts = [HERE / f"{part}.css" for part in ("controls", name)]
    return "".join(part.read_text(encoding="utf-8") for part in parts if part.is_file())


class Widget(anywidget.AnyWidget):
    """A widget of the book. `messages_key` names its texts in `locale/<lang>/widgets.toml`."""

    messages_key: str
    heights: tuple[int, int]  # about how tall it is, in rem, on a phone and on a wide screen
    lang = traitlets.Enum(messages.LANGUAGES, help="Language of texts and numbers").tag(sync=True)
    strings = traitlets.Dict(help="The texts shown, taken from the catalogue of `lang`").tag(sync=True)
    anchor = traitlets.Unicode(help="Name by which links set this widget: #anchor:key=value&…").tag(sync=True)

    @traitlets.default("lang")
    def _page_language(self) -> str:
        return messages.current()

    @traitlets.default("strings")
    def _texts(self) -> dict:
        shared = messages.catalogue("widgets.controls", self.lang)
        return {"controls": shared} | messages.catalogue(f"widgets.{self.messages_key}", self.lang)

    @traitlets.default("anchor")
    def _own_name(self) -> str:
        return self.messages_key.replace("_", "-")

    @traitlets.observe("lang")
    def _translate(self, _change: object) -> None:
        self.strings = self._texts()

    def fallback_table(self) -> tuple[list[str], list[list[str]]]:
        """Headers, and rows of as many cells, all of them text: the present state. Each widget has its own."""
        raise NotImplementedError(f"{type(self).__name__} needs a fallback_table(): headers, and rows of as many cells")

    def fallback_values(self) -> dict[str, str]:
        """What the placeholders of the message `fallback`, the table's caption, stand for."""
        return {}

    def fallback_html(self) -> str:
        """The present state as a table, for readers without scripts and for search, with room for the widget itself."""
        headers, rows = self.fallback_table()
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in headers)
        body = "".join(f'<tr><th scope="row">{html.escape(first)}</th>'
                       + "".join(f"<td>{html.escape(cell)}</td>" for cell in rest) + "</tr>" for first, *rest in rows)
        caption = html.escape(messages.t(f"widgets.{self.messages_key}.fallback", self.lang, **self.fallback_values()))
        narrow, wide = self.heights
        return (f'<div class="reserve" style="--narrow:{narrow}rem;--wide:{wide}rem"><table><caption>{caption}</caption>'
                f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")
