"""Write what is known of built-in perturbators and their modules: `python scripts/described.py`."""

from importlib import import_module
from pathlib import Path

import perturb.perturbators
from perturb.io.jsonl import dumps
from perturb.registry import registry
from perturb.registry.describe import description
from perturb.registry.described import TABLE
from perturb.registry.registry import MODULES

PREFIX = "perturb.perturbators."
HEADER = """\
# The built-in perturbators and their other names, each with its module
# Source: the modules
# Licence: MIT (LICENSE)
# Made by: scripts/described.py
# Columns: name; module, in perturb.perturbators

"""


def loaded() -> dict[str, str]:
    """Load all modules of perturbators, and return that of each name and alias."""
    folder = Path(perturb.perturbators.__file__).parent
    for file in sorted(folder.glob("[!_]*/[!_]*.py")):
        import_module(f"{PREFIX}{file.parent.name}.{file.stem}")
    names = {name: name for name in registry.registered}
    names |= {alias: name for alias, (name, _) in registry.alias_targets.items()}
    homes = {name: registry.registered[own].find.__module__ for name, own in names.items()}
    return {
        name: home.removeprefix(PREFIX)
        for name, home in sorted(homes.items())
        if home.startswith(PREFIX)
    }


def modules() -> bytes:
    """Return the table of modules, sorted by name."""
    return (HEADER + "".join(f"{name}\t{module}\n" for name, module in loaded().items())).encode()


def table() -> bytes:
    """Return the table of descriptions, with a line for each perturbator, sorted by name."""
    known = (registry.registered[name] for name in loaded() if name in registry.registered)
    return b"".join(dumps(description(each)) for each in known)


if __name__ == "__main__":
    MODULES.write_bytes(modules())
    TABLE.write_bytes(table())
