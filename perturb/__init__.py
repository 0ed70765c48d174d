"""Small, seeded, exactly recorded changes to text.

>>> import perturb
>>> str(perturb.apply("The quick brown fox", "char_delete", p=0.1, seed=7))
'Th quck brown fox'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perturb._version import __version__ as __version__

if TYPE_CHECKING:
    from perturb.api import apply, augment, describe
    from perturb.errors import DataError, PerturbError, UsageError, VerificationError
    from perturb.pipeline.combinators import one_of, some_of, sometimes
    from perturb.pipeline.grids import Grid, grid
    from perturb.pipeline.pipeline import Pipeline
    from perturb.pipeline.step import Step
    from perturb.records.edit import Edit
    from perturb.records.record import Record
    from perturb.records.verify import verify
    from perturb.registry.from_function import from_function
    from perturb.registry.from_regex import from_regex
    from perturb.registry.registry import Perturbator, names, perturbator, register

_HOME = {
    "DataError": "errors",
    "Edit": "records.edit",
    "Grid": "pipeline.grids",
    "PerturbError": "errors",
    "Perturbator": "registry.registry",
    "Pipeline": "pipeline.pipeline",
    "Record": "records.record",
    "Step": "pipeline.step",
    "UsageError": "errors",
    "VerificationError": "errors",
    "apply": "api",
    "augment": "api",
    "describe": "api",
    "from_function": "registry.from_function",
    "from_regex": "registry.from_regex",
    "grid": "pipeline.grids",
    "names": "registry.registry",
    "one_of": "pipeline.combinators",
    "perturbator": "registry.registry",
    "register": "registry.registry",
    "some_of": "pipeline.combinators",
    "sometimes": "pipeline.combinators",
    "verify": "records.verify",
}

__all__ = [
    "DataError",
    "Edit",
    "Grid",
    "PerturbError",
    "Perturbator",
    "Pipeline",
    "Record",
    "Step",
    "UsageError",
    "VerificationError",
    "apply",
    "augment",
    "describe",
    "from_function",
    "from_regex",
    "grid",
    "names",
    "one_of",
    "perturbator",
    "register",
    "some_of",
    "sometimes",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `perturb --help` needs no NumPy."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
