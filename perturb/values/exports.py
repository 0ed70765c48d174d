"""The public names of a package, each imported when it is first used.

The package's stub says where each name is: type checkers and editors read it, and so does this
module.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_EXPORT = re.compile(r"^from (\S+) import (?:\(\s*)?(\w+) as ", re.MULTILINE)


def exports(
    package: str, meant: Callable[[], Mapping[str, str]] = dict
) -> tuple[dict[str, str], Callable[[str], Any]]:
    """Return the modules of the names that a package exports, and its `__getattr__`.

    Args:
        package: the name of the package; its submodules are their own home.
        meant: names that people try, each with the right one.
    """
    module: Any = sys.modules[package]
    stub = module.__loader__.get_data(f"{module.__file__}i").decode()  # also in a zip
    homes = {name: home for home, name in _EXPORT.findall(stub)}

    def get(name: str) -> Any:
        """Import a public name when it is first used, so that `perturb --help` needs no NumPy."""
        if name not in homes:
            from perturb.errors import likely

            hint = likely(name, homes, meant(), f"{package}.")
            message = f"module {package!r} has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=module)
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    return homes, get
