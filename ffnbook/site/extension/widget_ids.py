"""Widgets are named by their place on the page: the ids that a kernel draws differ from run to run."""

from __future__ import annotations

import json
import re

VIEW = re.compile(r'(<script type="application/vnd\.jupyter\.widget-view\+json">)(.*?)(</script>)', re.S)
REFERENCE = re.compile(r"IPY_MODEL_(\w+)")


def setup(app):
    app.connect("html-page-context", rename, priority=910)  # once the theme has put the states into the page


def rename(app, pagename, template, context, doctree) -> None:
    """Write views and states with names of our own, and in one order whether they come from a run or from the cache."""
    views = [json.loads(view[2])["model_id"] for view in VIEW.finditer(context.get("body", ""))]
    if views:
        states = [json.loads(state) for state in context["widget_state"]]
        names = in_order(views, {model: held for state in states for model, held in state["state"].items()})
        context["widget_state"] = [renamed(state, names) for state in states]
        context["body"] = VIEW.sub(lambda view: view[1] + renamed(json.loads(view[2]), names) + view[3], context["body"])


def in_order(viewed: list[str], models: dict[str, dict]) -> dict[str, str]:
    """A name for each model: those that are shown and what they consist of first, then the others by what they hold."""
    others = sorted(models, key=lambda model: REFERENCE.sub("", written(models[model])))
    names: dict[str, str] = {}
    queue = [*viewed, *others]
    while queue:
        model = queue.pop(0)
        if model not in names:
            names[model] = f"widget{len(names)}"
            queue = [*REFERENCE.findall(written(models.get(model, {}))), *queue]
    return names


def renamed(data: dict, names: dict[str, str]) -> str:
    text = re.sub(r"[0-9a-f]{32}", lambda model: names.get(model[0], model[0]), json.dumps(data))
    return written(json.loads(text)).replace("</", "<\\/")


def written(data) -> str:
    return json.dumps(data, sort_keys=True)
