"""Let long names in tables break where they are put together, so that a narrow screen holds them.

A browser would break them at any letter or at none. A `<wbr>` is no character: a reader copies, and
the search finds, the name.
"""

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

# Behind signs that join, before the capitals of a name like WordSwap, and within a whole alphabet.
_SEAMS = re.compile(
    r"(?<=\w[_:,=|/.])(?=\w)|(?<=[a-z])(?=[A-Z])"
    r"|(?<=[a-z]{12})(?=[a-z]{12})|(?<=[A-Z]{12})(?=[A-Z]{12})"
)


class LongNames(SphinxPostTransform):
    """Put breaks into the texts of tables."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Replace each text that has a seam by one piece of HTML, which is indexed without tags."""
        for table in self.document.findall(nodes.table):
            for text in list(table.findall(nodes.Text)):
                parts = _SEAMS.split(text.astext())
                if parts[1:]:
                    broken = "<wbr>".join(map(escape, parts))
                    text.parent.replace(text, nodes.raw("", broken, format="html"))


def setup(app: Any) -> dict[str, bool]:
    """Come last, when references are resolved."""
    app.add_post_transform(LongNames)
    return {"parallel_read_safe": True}
