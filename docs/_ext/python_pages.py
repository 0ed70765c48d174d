"""The reference of Python: a page for each public module, of the names in its `__all__`."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

MODULES = (
    "perturb",
    "perturb.dask",
    "perturb.engine",
    "perturb.evaluation",
    "perturb.ray",
    "perturb.robustness",
    "perturb.spark",
    "perturb.steps",
    "perturb.testing",
    "perturb.integrations.sentence_transformers",
    "perturb.integrations.sklearn",
    "perturb.integrations.tools",
    "perturb.integrations.torch",
    "perturb.integrations.transformers",
    "perturb.integrations.weave",
)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of each module, and the one that lists them."""
    for name in MODULES:
        yield f"reference/python/{name}.md", page(import_module(name))
    entries = "\n".join(MODULES)
    listed = "\n".join(
        f"- [{name}]({name}.md): {_summary(import_module(name))}" for name in MODULES
    )
    said = "# Python\n\nThe public names. Every module that is not here is private.\n"
    toctree = f"```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    yield "reference/python/index.md", f"{said}\n{listed}\n\n{toctree}"


def _summary(module: ModuleType) -> str:
    """Return the first paragraph of a module's docstring."""
    return " ".join((module.__doc__ or "").partition("\n\n")[0].split())


def page(module: ModuleType) -> str:
    """Return the page of a module: a heading for each name, so that the table beside it has all."""
    members = [name for name in module.__all__ if not inspect.ismodule(getattr(module, name))]
    parts = [f"# {module.__name__}\n", f"{_summary(module)}\n"]
    for name in members:
        parts.append(f"## {name}\n")
        parts.append(directive(f"{module.__name__}.{name}", getattr(module, name)))
    return "\n".join(parts)


def comment(path: str) -> str:
    """Return what the comment above a constant says, wherever its package defines it."""
    module, _, name = path.rpartition(".")
    home = Path(import_module(module).__file__ or "")
    for file in [home, *home.parent.rglob("*.py")]:
        found = re.search(rf"((?:^# .*\n)+){name}\b.*=", file.read_text("utf-8"), re.MULTILINE)
        if found:
            return " ".join(line.removeprefix("# ") for line in found[1].splitlines())
    raise ValueError(f"no comment says what {path} is")


def signature_of(function: Any) -> inspect.Signature | str:
    """Return a signature that is not in the source, where Sphinx reads defaults; else nothing.

    That of `augment` has types as text, which are left out as everywhere.
    """
    if not hasattr(function, "__signature__"):
        return ""
    taken = [
        each.replace(annotation=each.empty) if isinstance(each.annotation, str) else each
        for each in inspect.signature(function).parameters.values()
        if each.name != "self"
    ]
    typed = any(each.annotation is not each.empty for each in taken)
    signature = inspect.signature(function).replace(parameters=taken)
    return signature if typed else signature.replace(return_annotation=signature.empty)


def directive(path: str, value: Any) -> str:
    """Return the directive that documents a name."""
    if inspect.isclass(value):
        said_above = ", ".join(["__new__", "__init__", *getattr(value, "_fields", ())])
        lines = [f".. autoclass:: {path}{signature_of(value.__init__)}", "   :members:"]
        lines += [f"   :exclude-members: {said_above}"]
    elif inspect.isroutine(value):
        lines = [f".. autofunction:: {path}{signature_of(value)}"]
    else:
        lines = [f".. py:data:: {path}", "", f"   {comment(path)}"]
        if get_origin(value) is Literal:
            lines += ["", f"   One of {', '.join(f'`{one!r}`' for one in get_args(value))}."]
    return "\n".join(["```{eval-rst}", *lines, "```\n"])
