"""Small, seeded, exactly recorded changes to text.

Public are the names in `__all__` and the modules `engine`, `evaluation`, `integrations`,
`robustness`, `steps` and `testing`, each with what its own `__all__` lists. All else is private.

>>> import perturb
>>> str(perturb.apply("The quick brown fox", "char_delete", p=0.1, seed=7))
'Th quck brown fox'
"""

import sys

if (
    sys.argv[:1] == ["-m"]
    and sys.orig_argv[-len(sys.argv)] in ("perturb", "-mperturb")
    and not sys.flags.safe_path
):
    del sys.path[0]  # the working folder, whose files are data and not ours to import
from importlib import import_module
from typing import TYPE_CHECKING, Any

from perturb._version import __version__ as __version__

if TYPE_CHECKING:
    from perturb import engine as engine
    from perturb import evaluation as evaluation
    from perturb import integrations as integrations
    from perturb import robustness as robustness
    from perturb import steps as steps
    from perturb import testing as testing
    from perturb.api import apply, augment, describe
    from perturb.errors import DataError, PerturbError, UsageError, VerificationError
    from perturb.pipeline.combinators import one_of, some_of, sometimes
    from perturb.pipeline.grids import Grid, grid
    from perturb.pipeline.pipeline import Pipeline
    from perturb.pipeline.step import Step
    from perturb.records.edit import Edit, edits_between
    from perturb.records.record import Record
    from perturb.records.record_list import RecordList
    from perturb.registry.definition import Perturbator
    from perturb.registry.from_function import from_function
    from perturb.registry.from_regex import KeyedRandom, from_regex
    from perturb.registry.registry import names, perturbator, register
    from perturb.registry.vocabulary import Intensity, Severity, SpanPolicy
    from perturb.rows.read_records import read_records
    from perturb.rows.stored import categories, restored
    from perturb.rows.verify import verify
    from perturb.transform import Transform

_MODULES = ("engine", "evaluation", "integrations", "robustness", "steps", "testing")
_HOME = {
    "DataError": "errors",
    "Edit": "records.edit",
    "Grid": "pipeline.grids",
    "Intensity": "registry.vocabulary",
    "KeyedRandom": "registry.from_regex",
    "PerturbError": "errors",
    "Perturbator": "registry.definition",
    "Pipeline": "pipeline.pipeline",
    "Record": "records.record",
    "RecordList": "records.record_list",
    "Severity": "registry.vocabulary",
    "SpanPolicy": "registry.vocabulary",
    "Step": "pipeline.step",
    "Transform": "transform",
    "UsageError": "errors",
    "VerificationError": "errors",
    "apply": "api",
    "augment": "api",
    "categories": "rows.stored",
    "describe": "api",
    "edits_between": "records.edit",
    "from_function": "registry.from_function",
    "from_regex": "registry.from_regex",
    "grid": "pipeline.grids",
    "names": "registry.registry",
    "one_of": "pipeline.combinators",
    "perturbator": "registry.registry",
    "read_records": "rows.read_records",
    "register": "registry.registry",
    "restored": "rows.stored",
    "some_of": "pipeline.combinators",
    "sometimes": "pipeline.combinators",
    "verify": "rows.verify",
}

__all__ = [
    "DataError",
    "Edit",
    "Grid",
    "Intensity",
    "KeyedRandom",
    "PerturbError",
    "Perturbator",
    "Pipeline",
    "Record",
    "RecordList",
    "Severity",
    "SpanPolicy",
    "Step",
    "Transform",
    "UsageError",
    "VerificationError",
    "apply",
    "augment",
    "categories",
    "describe",
    "edits_between",
    "from_function",
    "from_regex",
    "grid",
    "names",
    "one_of",
    "perturbator",
    "read_records",
    "register",
    "restored",
    "some_of",
    "sometimes",
    "verify",
]


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, "__version__"])


if not TYPE_CHECKING:  # so that type checkers know which names there are

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used, so that `perturb --help` needs no NumPy."""
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name not in _HOME:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=sys.modules[__name__])
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value
