"""How Sphinx builds the site; `python scripts/build_site.py` calls it."""

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent), str(HERE.parent / "tests")]

from perturb._version import PUBLISHED, __version__  # noqa: E402

project = "perturb"
author = "the perturb authors"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "docstrings",
    "generated_pages",
    "long_names",
    "site_search",
]
exclude_patterns = ["_ext"]
templates_path = ["_templates"]
highlight_language = "text"
# Two hyphens begin an option, and quotation marks stand in code.
smartquotes = False
myst_enable_extensions = ["deflist", "strikethrough"]
# It is for HTML alone, which is all that is built.
suppress_warnings = ["myst.strikethrough"]
myst_heading_anchors = 3

# A single pair of backticks is code in docstrings, as it is in Markdown.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_mock_imports = ["inspect_ai", "spacy", "torch"]
autodoc_preserve_defaults = True
napoleon_use_rtype = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "perturb"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["sliders.js"]
# What is copied of an example in Python can be run: its lines without prompts and output.
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#2757a8",
        "color-brand-content": "#2757a8",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#86b0f2",
        "color-brand-content": "#86b0f2",
    },
}


def setup(app: Any) -> None:
    """Say how perturb is installed from the package index, once it is there."""
    if PUBLISHED:
        app.connect("source-read", lambda _app, _name, pages: pages.append(published(pages.pop())))


def published(page: str) -> str:
    """Return a page with the commands of a checkout as those of the package index."""
    page = re.sub(r"pip install (')?\.(?=[\[`\n ])", r"pip install \1perturb-text", page)
    return page.replace("pip install ./perturb", "pip install perturb-text")
