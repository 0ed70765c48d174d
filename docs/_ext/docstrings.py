"""Let docstrings say what they say: outside code, no sign of theirs is markup."""

import re
from typing import Any

from sphinx.application import Sphinx

# Code in backticks stays as it is; elsewhere these signs would be emphasis, or refer to something.
_CODE_OR_SIGN = re.compile(r"(`[^`]*`|>>>.*|\.\.\. .*)|([*|\\])|(?<=\w)(_)(?!\w)")


def _plain(line: str) -> str:
    return _CODE_OR_SIGN.sub(lambda found: found[1] or f"\\{found[2] or found[3]}", line)


def escape(
    _app: Sphinx, _kind: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Escape the signs that reStructuredText would read, before the sections are found."""
    in_code = False
    for at, line in enumerate(lines):
        in_code = bool(line.strip()) and (in_code or line.lstrip().startswith(">>>"))
        if not in_code:
            lines[at] = _plain(line)


def setup(app: Sphinx) -> dict[str, bool]:
    """Come before napoleon."""
    app.connect("autodoc-process-docstring", escape, priority=100)
    return {"parallel_read_safe": True}
