"""What pages show of one another: titles, headings, numbers, works cited.  Where any of it moves, all are written again.

Sphinx writes the pages that it read.  One that it did not read would keep another's old title
in its menu, and a link to what is gone would be no fault.  No page is read again for this.
"""

from __future__ import annotations

import hashlib
import json

from ffnbook.site.takeaway import notebooks


def setup(app):
    app.connect("env-updated", to_be_written, priority=900)  # once the bibliography knows what is cited


def to_be_written(app, env) -> list[str]:
    now = shown(app, env)
    before, env.ffnbook_shown = getattr(env, "ffnbook_shown", None), now
    return [] if now == before else sorted(env.found_docs)


def shown(app, env) -> str:
    """A hash of all that a page may show of another."""
    standard, math, cite = (env.get_domain(name) for name in ("std", "math", "cite"))
    facts = [
        {name: str(title) for name, title in env.titles.items()},
        standard.labels, standard.anonlabels, math.equations, env.toc_secnumbers, env.toc_fignumbers,
        [(each.citation_id, each.bibliography_key, each.key, each.formatted_entry.label) for each in cite.citations],
        app.config.external_site_map.as_json(),
        [path.name for path in notebooks.exercises(app.ffnbook_book)],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()
