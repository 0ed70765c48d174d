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

_registered: dict[str, Perturbator] = {}
# What each alias stands for: a name, and parameters.
_aliases: dict[str, tuple[str, Mapping[str, Any]]] = {}
_edition = 0
# The file of the caller's that a perturbator comes from, by its name.
homes: dict[str, str] = {}


def register(
    new: Perturbator, aliases: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> None:
    """Make a perturbator known by its name and its aliases.

    Raises:
        UsageError: a name is taken; the message says by whom.
    """
    for name in (new.name, *aliases):
        load(name)
        owner, _ = entry(name) or (new, {})
        if _where(owner.find) != _where(new.find):  # else a cell of a notebook that ran again
            raise UsageError(
                f"the perturbator {name!r} of {_where(new.find)} is already registered by "
                f"{_where(owner.find)}"
            )
    if new.name in _registered:
        _changed()
    _registered[new.name] = new
    _aliases.update({alias: (new.name, parameters) for alias, parameters in aliases.items()})


def entry(name: str) -> tuple[Perturbator, Mapping[str, Any]] | None:
    """Return what a name stands for so far: a perturbator, and the parameters of an alias."""
    target, parameters = _aliases.get(name, (name, {}))
    return (_registered[target], parameters) if target in _registered else None


def registered() -> Mapping[str, Perturbator]:
    """Return the perturbators that are loaded, by name."""
    return _registered


def aliases() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """Return the aliases of those, each with the name and the parameters that it stands for."""
    return _aliases


def goes_by_name(perturbator: Perturbator) -> bool:
    """Return whether the name of a perturbator stands for it in this process."""
    return _registered.get(perturbator.name) is perturbator


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
        del _registered[new.name]
        _changed()


def snapshot() -> tuple[Mapping[str, Perturbator], Mapping[str, Any]]:
    """Return what is registered, for `restore`."""
    return dict(_registered), dict(_aliases)


def restore(before: tuple[Mapping[str, Perturbator], Mapping[str, Any]]) -> None:
    """Forget what callers registered after a snapshot."""
    for name in _registered.keys() - before[0].keys() - MODULE_OF.keys():
        del _registered[name]
    for name in _aliases.keys() - before[1].keys() - MODULE_OF.keys():
        del _aliases[name]
    _changed()


def _where(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
