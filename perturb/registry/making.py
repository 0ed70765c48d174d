"""Make perturbators of functions that find sites; each of them can be pickled."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection
from typing import Any, get_type_hints

from perturb.engine.sites import Sites
from perturb.engine.text.unicode import Script
from perturb.errors import UsageError
from perturb.registry import pickling as pickling  # what is made can be sent
from perturb.registry.built_in import is_of_library
from perturb.registry.definition import Perturbator
from perturb.registry.vocabulary import (
    ANY,
    EXPECTS,
    INTENSITIES,
    LABEL_RISKS,
    RESERVED,
    UNITS,
    Expect,
    LabelRisk,
    Touch,
    Unit,
    check_word,
    checked_languages,
    checked_touches,
)

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
        name: see `Perturbator`, as for all that follow.
        find: its keyword-only arguments become the parameters.
        unit: one of the units.
        label_risk: one of the label risks.
        intensities: a `p` for each intensity, in their order.
        languages: codes, or ("any",).
        scripts: names of scripts in lower case, or ("any",).
        touches: None where nothing is declared, which stands for everything.
        expect: None for what follows from `touches`.
        expect_alone: None for the same as `expect`.
        fields: further ones.

    Raises:
        UsageError: the name is not well formed, or an attribute is not one of its words.
    """
    if not (_NAME.fullmatch(name) or is_of_library(name)):
        raise UsageError(
            "a perturbator's name is of lower-case letters, digits and underscores, the first a "
            f"letter; got {name!r}"
        )
    check_word(f"{name}: unit", unit, UNITS)
    check_word(f"{name}: label_risk", label_risk, LABEL_RISKS)
    if expect is None:
        expect = "unknown" if touches is not None and "meaning" in touches else "same"
    if expect_alone is None:
        expect_alone = expect
    check_word(f"{name}: expect", expect, EXPECTS)
    check_word(f"{name}: expect_alone", expect_alone, EXPECTS)
    for script in scripts:
        check_word(f"{name}: scripts", script, (*_SCRIPTS, *ANY))
    return Perturbator(
        name=name,
        find=find,
        unit=unit,
        label_risk=label_risk,
        intensities=dict(zip(INTENSITIES, intensities, strict=True)),
        parameters=_parameters(name, find),
        types=get_type_hints(find, include_extras=True),
        languages=checked_languages(name, languages),
        scripts=tuple(scripts),
        touches=checked_touches(name, touches),
        expect=expect,
        expect_alone=expect_alone,
        **fields,
    )


def _parameters(name: str, find: Callable[..., Sites]) -> dict[str, Any]:
    _, *parameters = inspect.signature(find).parameters.values()
    for parameter in parameters:
        if parameter.kind is not parameter.KEYWORD_ONLY or parameter.default is parameter.empty:
            raise UsageError(
                f"{name}: its parameter {parameter.name!r} must be keyword-only with a default"
            )
        if parameter.name in RESERVED:
            raise UsageError(
                f"{name}: perturb keeps the name {parameter.name!r} for itself, so a parameter of "
                f"that name would never get its value; reserved are {', '.join(sorted(RESERVED))}"
            )
    return {parameter.name: parameter.default for parameter in parameters}
