"""What is registered: perturbators and aliases by their names, and where they come from.

Of all modules only that of a built-in perturbator is loaded here, before another takes its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from perturb.errors import UsageError
from perturb.registry.built_in import MODULE_OF, load
from perturb.registry.definition import Perturbator

# The perturbators that are loaded, by name.
registered: dict[str, Perturbator] = {}
# What each alias stands for: a name, and parameters.
aliases: dict[str, tuple[str, Mapping[str, Any]]] = {}
_edition = 0
# The file of the caller's that a perturbator comes from, by its name.
homes: dict[str, str] = {}


def register(
    new: Perturbator, others: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> None:
    """Make a perturbator known by its name and its aliases.

    Raises:
        UsageError: a name is taken; the message says by whom.
    """
    for name in (new.name, *others):
        load(name)
        owner, _ = entry(name) or (new, {})
        if _where(owner.find) != _where(new.find):  # else a cell of a notebook that ran again
            raise UsageError(
                f"the perturbator {name!r} of {_where(new.find)} is already registered by "
                f"{_where(owner.find)}"
            )
    if new.name in registered:
        _changed()
    registered[new.name] = new
    aliases.update({alias: (new.name, parameters) for alias, parameters in others.items()})


def entry(name: str) -> tuple[Perturbator, Mapping[str, Any]] | None:
    """Return what a name stands for so far: a perturbator, and the parameters of an alias."""
    target, parameters = aliases.get(name, (name, {}))
    return (registered[target], parameters) if target in registered else None


def goes_by_name(perturbator: Perturbator) -> bool:
    """Return whether the name of a perturbator stands for it in this process."""
    return registered.get(perturbator.name) is perturbator


def edition() -> int:
    """Return a number that is another one once a known name means something else, or nothing."""
    return _edition


def _changed() -> None:
    global _edition
    _edition += 1


@contextmanager
def known(new: Perturbator) -> Iterator[None]:
    """Make a perturbator known by its name for a while, if it is not already.

    Raises:
        UsageError: the name belongs to another perturbator.
    """
    if goes_by_name(new):
        yield
        return
    register(new)
    try:
        yield
    finally:
        del registered[new.name]
        _changed()


def snapshot() -> tuple[Mapping[str, Perturbator], Mapping[str, Any]]:
    """Return what is registered, for `restore`."""
    return dict(registered), dict(aliases)


def restore(before: tuple[Mapping[str, Perturbator], Mapping[str, Any]]) -> None:
    """Forget what callers registered after a snapshot."""
    for name in registered.keys() - before[0].keys() - MODULE_OF.keys():
        del registered[name]
    for name in aliases.keys() - before[1].keys() - MODULE_OF.keys():
        del aliases[name]
    _changed()


def _where(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
