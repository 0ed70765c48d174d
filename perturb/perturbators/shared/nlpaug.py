"""Perturbators by nlpaug's own augmenters, each named after its class: `nlpaug.KeyboardAug`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from importlib import import_module
from typing import Any

from perturb.boundary import Code
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.errors import UsageError, installing, unknown
from perturb.registry.definition import RESERVED, WHOLE, Expect, Perturbator
from perturb.registry.from_function import caller, global_seeds, sites_by_call
from perturb.registry.making import build_perturbator

_MODULES = ("char", "word", "sentence")
# Arguments that a spec can't hold, since they are lists, functions or models.
_NOT_SCALAR = frozenset(
    "stopwords tokenizer reverse_tokenizer target_words candidates model verbose".split()
)
# The effect on the right answer, if it doesn't stay the same.
_UNKNOWN = """AbstSummAug ContextualWordEmbsAug ContextualWordEmbsForSentenceAug LambadaAug
RandomWordAug TfIdfAug WordEmbsAug""".split()
_EXPECT: Mapping[str, Expect] = {**dict.fromkeys(_UNKNOWN, "unknown"), "AntonymAug": "other"}
# Arguments with these endings lead to files and models: data may not name these.
_OUTSIDE = ("path", "model_name")


@cache
def perturbator_of(name: str) -> Perturbator:
    """Return an augmenter as a perturbator.

    Args:
        name: "nlpaug." and the name of its class.

    Raises:
        UsageError: nlpaug is not installed, or has no such augmenter.
    """
    kinds = _augmenters()
    if name not in kinds:
        raise unknown("augmenter", name, kinds)
    kind = kinds[name]

    def find(batch: Batch, **arguments: Any) -> Sites:
        augmenter = _augmenter(name, tuple(sorted(arguments.items())))
        call = caller(name, partial(_called, name, augmenter))
        return sites_by_call(batch, call, together=True)

    parameters = [
        argument.replace(kind=argument.KEYWORD_ONLY, annotation=argument.empty)
        for argument in inspect.signature(kind).parameters.values()
        if argument.name not in RESERVED | _NOT_SCALAR and argument.default is not argument.empty
    ]
    batch = inspect.Parameter("batch", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    find.__annotations__ = {
        argument.name: Code | None for argument in parameters if argument.name.endswith(_OUTSIDE)
    }
    find.__signature__ = inspect.Signature([batch, *parameters])  # type: ignore[attr-defined]
    find.__doc__ = f"Write what {kind.__name__} of nlpaug makes of a text."
    return build_perturbator(
        name,
        find,
        unit="text",
        summary=f"{kind.__name__} of nlpaug.",
        label_risk="medium",
        source="nlpaug",
        version=1,
        intensities=WHOLE,
        expect=_EXPECT.get(name.removeprefix("nlpaug.")),
    )


@cache
def _augmenters() -> Mapping[str, type]:
    """Return the classes of augmenters of texts, each by the name of its perturbator."""
    try:
        modules = [import_module(f"nlpaug.augmenter.{name}") for name in _MODULES]
    except ImportError as error:
        raise UsageError(
            f"nlpaug's augmenters need the package nlpaug ({error}): {installing('nlpaug')}"
        ) from error
    base = import_module("nlpaug.base_augmenter").Augmenter
    return {
        f"nlpaug.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, base) and name.endswith("Aug")
    }


@lru_cache(maxsize=64)
def _augmenter(name: str, arguments: tuple[tuple[str, Any], ...]) -> Any:
    """Return an augmenter; making one may load a model."""
    try:
        with global_seeds() as seed_globals:
            seed_globals(0)
            return _augmenters()[name](**dict(arguments))
    except Exception as error:  # of whatever kind, by the library
        raise UsageError(
            f"{name}: nlpaug can't make it: {error or type(error).__name__}"
        ) from error


def _called(name: str, augmenter: Any, text: str) -> str:
    try:
        texts = augmenter.augment(text)
    except Exception as error:  # of whatever kind, by the library
        raise UsageError(f"{name} failed at {text[:40]!r}: {error or type(error)}") from error
    # A list of the requested length, or an empty one if nothing can change.
    return str(texts[0]) if texts else text
