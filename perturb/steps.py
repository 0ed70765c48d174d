"""One function for each perturbator, which makes a step: `perturb.steps.ocr(p=0.05)`.

Aliases, plugins and registered perturbators have one too. Type checkers and editors read
`steps.pyi`, which `python scripts/steps.py` writes.
"""

from collections.abc import Iterable
from inspect import Parameter, Signature, getdoc
from textwrap import TextWrapper
from typing import Any, Literal, Union, get_type_hints

from perturb.engine.placement import Per
from perturb.errors import UsageError
from perturb.pipeline.specs import make_step
from perturb.pipeline.step import Step
from perturb.registry import registry
from perturb.registry.definition import Perturbator
from perturb.registry.describe import doc_of, documented
from perturb.registry.registry import names, resolve

# The name of a perturbator that comes with perturb, or another name of one; for type checkers a
# `Literal`, and here the form in which stubtest expects that.
StepName = Union[tuple(Literal[name] for name in sorted(registry.MODULE_OF))]  # noqa: UP007
_LINES = TextWrapper(92, initial_indent=" " * 4, subsequent_indent=" " * 8)
__all__ = ["StepName", *sorted(registry.MODULE_OF)]


def __dir__() -> list[str]:
    return sorted({*__all__, *names()})


def __getattr__(name: str) -> Any:
    """Return the function that makes the steps of a perturbator."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        perturbator, fixed = resolve(name)
    except UsageError as error:
        raise AttributeError(f"module {__name__!r}: {error}") from None

    def step(p: float | None = None, **settings: Any) -> Step:
        return make_step(name, p=p, **settings)

    types = get_type_hints(Step) | {"per": Per | None, "spread": float | None} | perturbator.types
    usual = {key: getattr(Step, key, None) for key in Step._fields[1:-1]}
    # Words, where no strength is given either; and the spread that was counted.
    usual |= {"per": None, "spread": None} | perturbator.parameters
    # A signature shows the words of a default that is read later, such as the name of a lexicon.
    usual = {key: str(value) if isinstance(value, str) else value for key, value in usual.items()}
    kinds = dict.fromkeys(usual, Parameter.KEYWORD_ONLY) | {"p": Parameter.POSITIONAL_OR_KEYWORD}
    step.__name__ = step.__qualname__ = name
    step.__doc__ = _documentation(perturbator, kinds.keys() - fixed.keys())
    step.__signature__ = Signature(
        [
            Parameter(key, kinds[key], default=usual[key], annotation=types.get(key, Any))
            for key in usual
            if key not in fixed
        ],
        return_annotation=Step,
    )
    if name in registry.MODULE_OF:
        globals()[name] = step
    return step


def _documentation(perturbator: Perturbator, settings: Iterable[str]) -> str:
    """Return what the steps of a perturbator do, and each setting with its range."""
    body, own = documented(doc_of(perturbator))
    own |= {name: f"{own[name]} Allowed: {limits}." for name, limits in perturbator.ranges.items()}
    about = own | documented(getdoc(Step) or "", "Attributes")[1]
    listed = (f"{name}: {text}" for name, text in about.items() if name in settings)
    parts = [perturbator.summary, body, "Args:\n" + "\n".join(map(_LINES.fill, listed))]
    return "\n\n".join(filter(None, parts)) + "\n"
