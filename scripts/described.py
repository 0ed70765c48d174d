"""Write what is known of built-in perturbators and their modules: `python scripts/described.py`."""

from importlib import import_module
from pathlib import Path

import perturb.perturbators
from perturb.io.jsonl import dumps
from perturb.registry import registry
from perturb.registry.describe import description
from perturb.registry.described import TABLE
from perturb.registry.label_risk import WEIGHTS, measured, risk_of
from perturb.registry.registry import MODULES

PREFIX = "perturb.perturbators."
HEADER = """\
# The built-in perturbators and their other names, each with its module
# Source: the modules
# Licence: MIT (LICENSE)
# Made by: scripts/described.py
# Columns: name; module, in perturb.perturbators; label risk, by perturb.registry.label_risk

"""


def loaded() -> dict[str, tuple[str, str]]:
    """Load all modules of perturbators; return that and the label risk of each name and alias."""
    folder = Path(perturb.perturbators.__file__).parent
    for file in sorted(folder.glob("[!_]*/[!_]*.py")):
        import_module(f"{PREFIX}{file.parent.name}.{file.stem}")
    names = {name: name for name in registry.registered}
    names |= {alias: name for alias, (name, _) in registry.alias_targets.items()}
    found = {name: registry.registered[own] for name, own in sorted(names.items())}
    return {
        name: (each.find.__module__.removeprefix(PREFIX), risk(each))
        for name, each in found.items()
        if each.find.__module__.startswith(PREFIX)
    }


def risk(each: perturb.Perturbator) -> str:
    """Return the label risk by the rule; one that was not measured loses nothing so far."""
    return risk_of(each.name, measured(each.name) or dict.fromkeys(WEIGHTS, 0.0), each.touches)


def modules() -> bytes:
    """Return the table of modules, sorted by name."""
    rows = ("\t".join([name, *facts]) for name, facts in loaded().items())
    return (HEADER + "".join(f"{row}\n" for row in rows)).encode()


def table() -> bytes:
    """Return the table of descriptions, with a line for each perturbator, sorted by name."""
    known = (registry.registered[name] for name in loaded() if name in registry.registered)
    # What was read at the start may be of before the last measurement.
    return b"".join(dumps(description(each) | {"label_risk": risk(each)}) for each in known)


if __name__ == "__main__":
    MODULES.write_bytes(modules())
    TABLE.write_bytes(table())
