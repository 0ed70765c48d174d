"""Map the names of the built-in perturbators to their modules, so that only one has to be loaded.

`python scripts/refresh.py NAME` writes the table, from what the modules register.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from perturb.resources import folder, parse

# The packages of perturbators, as the documentation calls them.
FAMILIES: Mapping[str, str] = {
    "letters": "Letters and keys",
    "layout": "Case, space and punctuation",
    "unicode": "Unicode",
    "machines": "Machines and encodings",
    "words": "Words",
    "people": "People, places and varieties",
    "order": "Order and passages",
    "prompts": "Prompts and options",
}
MODULES = folder() / "registry" / "modules.tsv"
MODULE_OF: Mapping[str, str] = MappingProxyType(dict(parse(MODULES)))
# Other libraries whose functions have names here, such as nlpaug.KeyboardAug, with their modules.
LIBRARIES: Mapping[str, str] = MappingProxyType({"nlpaug": "shared.nlpaug"})


def load(name: str) -> None:
    """Import the module of a built-in perturbator, if that is the name of one."""
    if name in MODULE_OF:
        import_module(f"perturb.perturbators.{MODULE_OF[name]}")


def unlisted_module(name: str) -> str | None:
    """Return the file of this package that declares a perturbator the table doesn't list yet.

    Whoever writes a perturbator in a checkout meets this before running the script that lists it.
    """
    perturbators = folder() / "perturbators"
    for file in sorted(perturbators.rglob("*.py")):
        if re.search(rf'perturbator\(\s*"{re.escape(name)}"', file.read_text("utf-8")):
            return file.relative_to(perturbators).as_posix()
    return None


def is_of_library(name: str) -> bool:
    """Return whether a name is that of another library's function."""
    library, dot, _ = name.partition(".")
    return bool(dot) and library in LIBRARIES


def is_drop_in(name: str) -> bool:
    """Return whether a name has the form of a drop-in name: a library before a dot.

    Functions of libraries that run themselves, such as `nlpaug.KeyboardAug`, are none.
    """
    if "." not in name or is_of_library(name):
        return False
    return re.fullmatch(r"[^\W\d_]\w*\.[^\W\d_]\w*", name) is not None
