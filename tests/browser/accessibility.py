"""axe-core on open pages, its findings in one readable line each."""

from __future__ import annotations

import json

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

ALL_RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
RULES_OF_COLOUR = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
START = "(options) => { window.axeFindings = axe.run(document, options).then((r) => r.violations); }"


def start(page: Page, rules: dict = ALL_RULES) -> None:
    """Set axe to work on ``page`` without waiting for it, so that several pages are examined side by side."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    page.evaluate(START, {"runOnly": rules, "resultTypes": ["violations"]})


def findings(page: Page) -> list[str]:
    """What axe finds on ``page``, where :func:`start` set it to work."""
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {json.dumps(node['target'])} {node['html'][:120]}"
        for rule in page.evaluate("window.axeFindings")
        for node in rule["nodes"]
    ]
