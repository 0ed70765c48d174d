"""Make perturbators from functions that find sites, and send them to other processes.

A perturbator goes by name if that is enough, else by value.
"""

from __future__ import annotations

import copyreg
import inspect
import pickle
import re
import sys
from collections.abc import Callable, Collection
from importlib import import_module
from types import ModuleType
from typing import Any, get_type_hints

from perturb.boundary import imported
from perturb.engine.sites import Sites
from perturb.engine.text.characters import Script
from perturb.errors import UsageError
from perturb.registry import registry
from perturb.registry.definition import (
    ANY,
    EXPECTS,
    INTENSITIES,
    LABEL_RISKS,
    RESERVED,
    UNITS,
    Expect,
    LabelRisk,
    Perturbator,
    Range,
    Touch,
    Unit,
    checked_languages,
    checked_touches,
)
from perturb.registry.registry import is_of_library, load
from perturb.values.fields import check_word

# These pickle functions of a notebook, lambdas and closures. Dask needs the first; Ray, Spark and
# Hugging Face's `datasets` each load their own wherever they are used.
_BY_VALUE = ("cloudpickle", "ray.cloudpickle", "pyspark.cloudpickle", "dill")


def reduced(perturbator: Perturbator) -> tuple[Any, ...]:
    """Return, for `copyreg`, a function that gives the perturbator, and its arguments.

    A built-in perturbator goes by its name, one from a plugin by its file, one in a module by that
    module, and any other by value.
    """
    name = perturbator.name
    if is_of_library(name):
        return registry.of_library, (name,)
    if perturbator.built_in:
        return _known_or_made, (name, None)
    if name in registry.homes and registry.goes_by_name(perturbator):
        return registry.from_file, (registry.homes[name], name)
    module, place = perturbator.find.__module__, perturbator.find.__qualname__
    if module != "__main__" and getattr(sys.modules.get(module), place, None) is perturbator:
        return imported, (f"{module}:{place}",)
    return _known_or_made, (name, _value(perturbator))


copyreg.pickle(Perturbator, reduced)


def _value(perturbator: Perturbator) -> tuple[str, bytes] | None:
    """Return the fields as bytes, and the module that reads them.

    Returns:
        None if the fields can't be pickled, so the other process has to know the perturbator.

    Raises:
        UsageError: they can't be pickled, and the perturbator isn't registered here either.
    """
    pickler = _pickler()
    try:
        return pickler.__name__, pickler.dumps(tuple(perturbator.field_values().values()))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        if perturbator.name not in registry.registered:
            raise UsageError(
                f"can't send the perturbator {perturbator.name!r} to another process: {error}; "
                "pip install cloudpickle, which pickles functions by value"
            ) from error
        return None


def _pickler() -> ModuleType:
    """Return a module that pickles functions by value, or the standard one if there is none."""
    loaded = next((name for name in _BY_VALUE if sys.modules.get(name)), _BY_VALUE[0])
    try:
        return import_module(loaded)
    except ImportError:
        return pickle


def _known_or_made(name: str, value: tuple[str, bytes] | None) -> Perturbator:
    """Return the perturbator with a name, or make it from its fields."""
    load(name)
    known = registry.registered.get(name)
    if known is not None:
        return known
    if value is None:
        raise UsageError(
            f"this process doesn't know the perturbator {name!r}, and can't be sent it; define it "
            "in a module that this process imports, or pip install cloudpickle"
        )
    pickler, fields = value
    return Perturbator(*import_module(pickler).loads(fields))


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SCRIPTS = [script.name.lower() for script in Script if script]


def build_perturbator(
    name: str,
    find: Callable[..., Sites],
    *,
    unit: Unit,
    label_risk: LabelRisk,
    intensities: tuple[float, ...],
    languages: Collection[str] = ANY,
    scripts: Collection[str] = ANY,
    touches: Collection[Touch] | None = None,
    expect: Expect | None = None,
    expect_alone: Expect | None = None,
    **fields: Any,
) -> Perturbator:
    """Make a perturbator without registering it.

    Args:
        name: see `Perturbator` for this and all other attributes.
        find: its keyword-only arguments become the parameters.
        unit: one of the units.
        label_risk: one of the label risks.
        intensities: a `p` for each intensity, in their order.
        languages: codes, or ("any",).
        scripts: names of scripts in lower case, or ("any",).
        touches: None for undeclared, which means everything.
        expect: None to derive it from `touches`.
        expect_alone: None for the same as `expect`.
        fields: further attributes.

    Raises:
        UsageError: the name isn't well formed, or an attribute has an unknown word.
    """
    if not (_NAME.fullmatch(name) or is_of_library(name)):
        raise UsageError(
            "a perturbator's name must begin with a lower-case letter, followed by lower-case "
            f"letters, digits or underscores; got {name!r}"
        )
    check_word(f"{name}: unit", unit, UNITS)
    check_word(f"{name}: label_risk", label_risk, LABEL_RISKS)
    if expect is None:
        expect = "unknown" if touches is not None and "meaning" in touches else "same"
    if expect_alone is None:
        expect_alone = expect
    check_word(f"{name}: expect", expect, EXPECTS)
    check_word(f"{name}: expect_alone", expect_alone, EXPECTS)
    for word in fields.get("expect_of_kind", {}).values():
        check_word(f"{name}: expect_of_kind", word, EXPECTS)
    for script in scripts:
        check_word(f"{name}: scripts", script, (*_SCRIPTS, *ANY))
    return Perturbator(
        name=name,
        find=find,
        unit=unit,
        label_risk=label_risk,
        intensities=dict(zip(INTENSITIES, intensities, strict=True)),
        parameters=_parameters(name, find),
        types=get_type_hints(find),
        ranges=_ranges(find),
        languages=checked_languages(name, languages),
        scripts=tuple(scripts),
        touches=checked_touches(name, touches),
        expect=expect,
        expect_alone=expect_alone,
        **fields,
    )


def summary_in(doc: str | None) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((doc or "").partition("\n\n")[0].split())


def _ranges(find: Callable[..., Sites]) -> dict[str, Range]:
    hints = get_type_hints(find, include_extras=True)
    marks = {key: getattr(kind, "__metadata__", ()) for key, kind in hints.items()}
    return {key: part for key, parts in marks.items() for part in parts if isinstance(part, Range)}


def _parameters(name: str, find: Callable[..., Sites]) -> dict[str, Any]:
    _, *parameters = inspect.signature(find).parameters.values()
    for parameter in parameters:
        if parameter.kind is not parameter.KEYWORD_ONLY or parameter.default is parameter.empty:
            raise UsageError(
                f"{name}: the parameter {parameter.name!r} must be keyword-only with a default"
            )
        if parameter.name in RESERVED:
            raise UsageError(
                f"{name}: perturb reserves the name {parameter.name!r}, so that parameter would "
                f"never get its value; rename it; reserved are {', '.join(sorted(RESERVED))}"
            )
    return {parameter.name: parameter.default for parameter in parameters}
