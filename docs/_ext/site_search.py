"""Write what the site's search looks through: the sections of each page, and words that lead to it.

The script `_static/search.js` ranks them in the browser. The index is a script too, since browsers
refuse to fetch a file where there is no server.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

# The first prefix that fits names what kind of page it is. Guides come before what says the same
# in less words; lists of all there is, and the table of words, merely lead on.
KINDS = {
    "find": ("", 0.3),
    "genindex": ("", 0),
    "index": ("Home", 0.3),
    "how-to/index": ("Guides", 0.4),
    "how-to/": ("Guide", 1.2),
    "tutorial": ("Tutorial", 1.1),
    "faq": ("Questions", 1.1),
    "explanation/index": ("Explanations", 0.4),
    "explanation/": ("Explanation", 1),
    "migration/index": ("Migration", 0.7),
    "migration/": ("Migration", 0.8),
    "comparison": ("Comparison", 0.9),
    "reference/perturbators/index": ("Perturbators", 0.4),
    "reference/perturbators/gallery": ("Perturbators", 0.4),
    "reference/perturbators/": ("Perturbator", 1),
    "reference/commands/index": ("Commands", 0.4),
    "reference/commands/": ("Command", 0.9),
    "reference/python/": ("Python", 0.5),
    "reference/": ("Reference", 0.6),
}


def kind_of(page: str) -> tuple[str, float]:
    """Return what kind of page one is, and how much its matches count."""
    return next(kind for start, kind in KINDS.items() if page.startswith(start))


# A section's beginning says what it is about; what follows are the rows of tables.
_MOST = 4000


def sections(doctree: nodes.document) -> list[tuple[str, str, str]]:
    """Return the anchor, the heading and the text of each section; the first is the page's own."""
    found = []
    for section in doctree.findall(nodes.section):
        heading, *body = section.children
        text = " ".join(said for part in body for said in texts(part))
        anchor = section["ids"][0] if found else ""
        found.append((anchor, heading.astext(), " ".join(text.split())[:_MOST]))
    return found


def texts(node: nodes.Node) -> list[str]:
    """Return the texts below a node that are shown, outside sections of their own."""
    if isinstance(node, (nodes.section, nodes.raw, nodes.comment, addnodes.toctree)):
        return []
    if isinstance(node, (nodes.TextElement, nodes.Text)):
        return [node.astext()]
    return [text for child in node.children for text in texts(child)]


def words(doctree: nodes.document) -> dict[str, list[str]]:
    """Return the words of "Where is it?" that lead to each page, and to each section of one."""
    found = defaultdict(list)
    for row in doctree.findall(nodes.row):
        asked, *answers = row.children
        for answer in answers:
            for link in answer.findall(addnodes.pending_xref):
                page = link["reftarget"].removesuffix(".md")
                found[f"{page}#{link.get('reftargetid') or ''}"].append(asked.astext())
    return found


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the index once the site is built."""
    if error or app.builder.format != "html":
        return
    leads = words(app.env.get_doctree("find"))
    pages: list[dict[str, Any]] = []
    for page in sorted(app.env.found_docs):
        kind, weight = kind_of(page)
        parts = [
            [*section, " ".join(leads.get(f"{page}#{section[0]}", []))]
            for section in sections(app.env.get_doctree(page))
        ]
        pages.append({"page": page, "kind": kind, "weight": weight, "sections": parts})
    index = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    path = Path(app.outdir) / "_static" / "search-index.js"
    path.write_text(f"const PAGES = {index};\n", "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Come when all pages are read."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
