"""Send perturbators to other processes: by name where that is enough, else by value."""

from __future__ import annotations

import copyreg
import pickle
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from perturb.boundary import imported
from perturb.errors import UsageError
from perturb.registry import store
from perturb.registry.built_in import is_of_library, load
from perturb.registry.definition import Perturbator

# They take functions of a notebook, lambdas and closures. Ray, Spark and Hugging Face's `datasets`
# come with one each, which is loaded wherever they are at work; the first is what Dask needs.
_BY_VALUE = ("cloudpickle", "ray.cloudpickle", "pyspark.cloudpickle", "dill")


def reduced(perturbator: Perturbator) -> tuple[Any, ...]:
    """Return what `copyreg` wants: a function that gives the perturbator, and its arguments.

    A built-in perturbator goes by its name, one of a plugin by its file, one of a module by that
    module, and others by value.
    """
    name = perturbator.name
    if is_of_library(name):
        from perturb.registry.plugins import of_library

        return of_library, (name,)
    if perturbator.built_in:
        return _known_or_made, (name, None)
    if name in store.homes and store.goes_by_name(perturbator):
        from perturb.registry.plugins import from_file

        return from_file, (store.homes[name], name)
    module, place = perturbator.find.__module__, perturbator.find.__qualname__
    if module != "__main__" and getattr(sys.modules.get(module), place, None) is perturbator:
        return imported, (f"{module}:{place}",)
    return _known_or_made, (name, _value(perturbator))


copyreg.pickle(Perturbator, reduced)


def _value(perturbator: Perturbator) -> tuple[str, bytes] | None:
    """Return the fields as bytes, and the module that reads them.

    None is returned where the perturbator has to be known in the other process.

    Raises:
        UsageError: they can't be sent, nor is the perturbator one that may be known there.
    """
    pickler = _pickler()
    try:
        return pickler.__name__, pickler.dumps(tuple(perturbator.field_values().values()))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        if perturbator.name not in store.registered:
            raise UsageError(
                f"the perturbator {perturbator.name!r} can't be sent to another process: {error}; "
                "pip install cloudpickle, which pickles functions by value"
            ) from error
        return None


def _pickler() -> ModuleType:
    """Return a module that pickles functions by value if there is one, else the plain one."""
    loaded = next((name for name in _BY_VALUE if sys.modules.get(name)), _BY_VALUE[0])
    try:
        return import_module(loaded)
    except ImportError:
        return pickle


def _known_or_made(name: str, value: tuple[str, bytes] | None) -> Perturbator:
    """Return the perturbator of that name, or make it of its fields."""
    load(name)
    known = store.registered.get(name)
    if known is not None:
        return known
    if value is None:
        raise UsageError(
            f"the perturbator {name!r} is not known in this process and can't be sent to it: "
            "define it in a module that is imported here, or pip install cloudpickle"
        )
    pickler, fields = value
    return Perturbator(*import_module(pickler).loads(fields))
