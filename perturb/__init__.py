"""Small, seeded, exactly recorded changes to text.

Public are the names in `__all__` and the modules `dask`, `engine`, `evaluation`, `integrations`,
`ray`, `robustness`, `spark`, `steps` and `testing`, each with what its own `__all__` lists. All
else is private.

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

if TYPE_CHECKING:  # `as` exports a name; type checkers read no table
    from perturb import dask as dask
    from perturb import engine as engine
    from perturb import evaluation as evaluation
    from perturb import integrations as integrations
    from perturb import ray as ray
    from perturb import robustness as robustness
    from perturb import spark as spark
    from perturb import steps as steps
    from perturb import testing as testing
    from perturb.api import apply as apply
    from perturb.api import augment as augment
    from perturb.errors import DataError as DataError
    from perturb.errors import PerturbError as PerturbError
    from perturb.errors import UsageError as UsageError
    from perturb.errors import VerificationError as VerificationError
    from perturb.fitting.fit import Fit as Fit
    from perturb.fitting.fit import fit as fit
    from perturb.perturbators.declaration import perturbator as perturbator
    from perturb.pipeline.combinators import one_of as one_of
    from perturb.pipeline.combinators import some_of as some_of
    from perturb.pipeline.combinators import sometimes as sometimes
    from perturb.pipeline.pipeline import Grid as Grid
    from perturb.pipeline.pipeline import Pipeline as Pipeline
    from perturb.pipeline.pipeline import grid as grid
    from perturb.pipeline.step import Step as Step
    from perturb.records.edit import Edit as Edit
    from perturb.records.edit import edits_between as edits_between
    from perturb.records.record import Record as Record
    from perturb.records.record import RecordList as RecordList
    from perturb.registry.definition import Intensity as Intensity
    from perturb.registry.definition import Perturbator as Perturbator
    from perturb.registry.definition import Severity as Severity
    from perturb.registry.definition import SpanPolicy as SpanPolicy
    from perturb.registry.describe import describe as describe
    from perturb.registry.from_function import from_function as from_function
    from perturb.registry.from_regex import KeyedRandom as KeyedRandom
    from perturb.registry.from_regex import from_regex as from_regex
    from perturb.registry.registry import names as names
    from perturb.registry.registry import register as register
    from perturb.rows.read_records import read_records as read_records
    from perturb.rows.stored import categories as categories
    from perturb.rows.stored import restored as restored
    from perturb.rows.verify import verify as verify
    from perturb.transform import Transform as Transform

_MODULES = (
    *("dask", "engine", "evaluation", "integrations", "ray"),
    *("robustness", "spark", "steps", "testing"),
)
# The public names by the module that defines them.
_DEFINED = {
    "api": ("apply", "augment"),
    "errors": ("DataError", "PerturbError", "UsageError", "VerificationError"),
    "fitting.fit": ("Fit", "fit"),
    "perturbators.declaration": ("perturbator",),
    "pipeline.combinators": ("one_of", "some_of", "sometimes"),
    "pipeline.pipeline": ("Grid", "Pipeline", "grid"),
    "pipeline.step": ("Step",),
    "records.edit": ("Edit", "edits_between"),
    "records.record": ("Record", "RecordList"),
    "registry.definition": ("Intensity", "Perturbator", "Severity", "SpanPolicy"),
    "registry.describe": ("describe",),
    "registry.from_function": ("from_function",),
    "registry.from_regex": ("KeyedRandom", "from_regex"),
    "registry.registry": ("names", "register"),
    "rows.read_records": ("read_records",),
    "rows.stored": ("categories", "restored"),
    "rows.verify": ("verify",),
    "transform": ("Transform",),
}
_HOME = {name: module for module, names in _DEFINED.items() for name in names}


def __dir__() -> list[str]:
    return sorted([*_HOME, *_MODULES, "__version__"])


if not TYPE_CHECKING:  # so that type checkers know which names there are
    __all__ = sorted(_HOME)

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used, so that `perturb --help` needs no NumPy."""
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name not in _HOME:
            from perturb.errors import likely
            from perturb.registry.registry import MODULE_OF

            meant = {each: f"steps.{each}" for each in MODULE_OF} | {"list": "names"}
            hint = likely(name, __dir__(), meant, "perturb.")
            message = f"module {__name__!r} has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=sys.modules[__name__])
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value
