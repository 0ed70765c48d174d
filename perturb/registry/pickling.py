"""Send perturbators to other processes: by name where that is enough, else by value."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from perturb.errors import UsageError
from perturb.registry import plugins, registry
from perturb.registry.definition import Perturbator


def reduced(perturbator: Perturbator) -> tuple[Any, ...]:
    """Return what `__reduce__` returns.

    A built-in perturbator goes by its name, one of a plugin by its file, one of a module by that
    module, and others by value.
    """
    if perturbator.built_in:
        return registry.lookup, (perturbator.name,)
    if (file := plugins.file_of(perturbator)) is not None:
        return plugins.from_file, (file, perturbator.name)
    module, name = perturbator.find.__module__, perturbator.find.__qualname__
    if module != "__main__" and getattr(sys.modules.get(module), name, None) is perturbator:
        return _attribute, (module, name)
    return _known_or_made, (perturbator.name, _value(perturbator))


def _value(perturbator: Perturbator) -> bytes | None:
    """Return the fields as bytes; None where they have to be known in the other process."""
    values = tuple(perturbator.field_values().values())
    try:
        return _dumps(values)
    except (pickle.PicklingError, AttributeError, TypeError):
        if perturbator.name not in registry.registered():
            raise
        return None


def _dumps(values: Sequence[Any]) -> bytes:
    try:
        import cloudpickle  # it takes functions of a notebook, and lambdas
    except ImportError:
        return pickle.dumps(values)
    made: bytes = cloudpickle.dumps(values)
    return made


def _attribute(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _known_or_made(name: str, value: bytes | None) -> Perturbator:
    """Return the perturbator of that name, or make it of its fields."""
    known = registry.registered().get(name)
    if known is not None:
        return known
    if value is None:
        raise UsageError(
            f"the perturbator {name!r} is not known in this process and can't be sent to it: "
            "define it in a module that is imported here, or install cloudpickle"
        )
    return Perturbator(*pickle.loads(value))
