"""The reference of Python: a page for each public module, of the names in its `__all__`."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

MODULES = (
    "perturb",
    "perturb.engine",
    "perturb.evaluation",
    "perturb.robustness",
    "perturb.testing",
    "perturb.integrations.sklearn",
    "perturb.integrations.torch",
    "perturb.integrations.weave",
)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of each module, and the one that lists them."""
    for name in MODULES:
        yield f"reference/python/{name}.md", page(import_module(name))
    entries = "\n".join(MODULES)
    said = "# Python\n\nThe public names. Every module that is not here is private.\n"
    yield "reference/python/index.md", f"{said}\n```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n"


def page(module: ModuleType) -> str:
    """Return the page of a module: a heading for each name, so that the table beside it has all."""
    summary, _, _ = (module.__doc__ or "").partition("\n")
    members = [name for name in module.__all__ if not inspect.ismodule(getattr(module, name))]
    parts = [f"# {module.__name__}\n", f"{summary}\n"]
    for name in members:
        parts.append(f"## {name}\n")
        parts.append(directive(f"{module.__name__}.{name}", getattr(module, name)))
    return "\n".join(parts)


def directive(path: str, value: Any) -> str:
    """Return the directive that documents a name."""
    lines = [f".. autodata:: {path}", "   :no-value:"]
    if inspect.isclass(value):
        lines = [f".. autoclass:: {path}", "   :members:", "   :undoc-members:"]
        lines += ["   :exclude-members: __new__, __init__"]
    elif callable(value):
        lines = [f".. autofunction:: {path}"]
    return "\n".join(["```{eval-rst}", *lines, "```\n"])
