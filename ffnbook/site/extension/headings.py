"""Section ids: the explicit English target, the same in both languages, never a slug of the title."""

from __future__ import annotations

from docutils import nodes
from sphinx.transforms import SphinxTransform


class ExplicitIds(SphinxTransform):
    """Keep the ids that the author wrote above a heading and drop those made from its title."""

    default_priority = 270  # just after targets reach the sections they precede (260)

    def apply(self, **kwargs) -> None:
        for section in self.document.findall(nodes.section):
            written = [n for n in section["names"] if self.document.nametypes.get(n)]
            section["ids"] = [self.document.nameids[n] for n in written if self.document.nameids.get(n)] or section["ids"]


def setup(app):
    app.add_transform(ExplicitIds)
