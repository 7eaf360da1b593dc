"""The language of a build is the name of its source folder: ``book/es`` is Spanish."""

from __future__ import annotations

from pathlib import Path

from ffnbook import messages
from ffnbook.messages import t


def setup(app):
    app.add_config_value("ffnbook_language", "", "env")
    app.add_config_value("comments_config", {}, "")  # Jupyter Book sets it even where sphinx_comments is not loaded
    app.connect("config-inited", apply, priority=100)


def apply(app, config) -> None:
    """Set Sphinx, myst-nb and our own catalogue to the folder's language."""
    lang = Path(app.srcdir).name
    messages.set_language(lang)
    config.ffnbook_language = config.language = lang
    config.html_title = t("ui.title")
    config.nb_code_prompt_show = t("ui.code.show")
    config.nb_code_prompt_hide = t("ui.code.hide")
