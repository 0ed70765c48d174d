"""Write the pages that say what the code says: perturbators, commands, Python, tables.

They stand below `reference/` while the site is built, and are not kept in the repository. A file is
written only if it changes, so that Sphinx reads again only what is new.
"""

from collections.abc import Iterator
from pathlib import Path

import benchmark_page
import command_pages
import perturbator_pages
import python_pages
import record_page
import severity_page
from sphinx.application import Sphinx

Page = tuple[str, str]


def pages() -> Iterator[Page]:
    """Yield the path of each generated page below `docs`, and its Markdown."""
    yield from perturbator_pages.pages()
    yield from command_pages.pages()
    yield from python_pages.pages()
    yield from record_page.pages()
    yield from severity_page.pages()
    yield from benchmark_page.pages()


def write(app: Sphinx) -> None:
    """Write the pages, and delete those of what is no more."""
    docs = Path(app.srcdir)
    written = set()
    for name, text in pages():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
        written.add(path)
    for folder in {path.parent for path in written}:
        for path in set(folder.glob("*.md")) - written:
            path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for pages."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
