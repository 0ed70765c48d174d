"""Describe a perturbator with its parameters, strengths and risks. Private."""

from __future__ import annotations

import inspect
import re
from copy import deepcopy
from functools import cache
from typing import Any

from perturb.registry import label_risk
from perturb.registry import severity as severities
from perturb.registry.definition import TOUCHES, Perturbator
from perturb.registry.described import built_in
from perturb.registry.making import summary_in
from perturb.registry.registry import MODULE_OF, alias_targets, lookup
from perturb.resources import read_rows

_ARGUMENT = re.compile(r"^ {4}(\w+): ", re.MULTILINE)


def describe(name: str) -> dict[str, Any]:
    """Describe a perturbator.

    Args:
        name: a name or an alias.

    Returns:
        A mapping with `name`, `summary`, `unit`, `label_risk`, `source`, `version`, `languages`,
        `scripts`, `touches`, `expect`, `expect_alone` and `expect_of_kind` (the effect on the right
        answer, see `perturb.perturbator`), `parameters` with their defaults, the `ranges` of
        numeric ones in words, `intensities` and `severities` with their `p`, the `spread` of rates
        that it has by default, `aliases` with their parameters, `doc`, and `example`, a text that
        shows it. `scale` has the `unit` of the severities' error rate ("character" or "word"), the
        share of `texts` that p = 1 changes, and their error rate: in the `typical` ones, its `low`
        and its `high`. `risk` has the shares of English texts with numbers, negations, labels of
        options and names that lose one of these at the intensity medium. `reach` has the share of
        `texts` of each class, and of their `words`, that p = 1 changes. Both are empty for a
        perturbator that wasn't measured.

    Raises:
        UsageError: an unknown name.

    Examples:
        >>> describe("yz_swap")["unit"]
        'place'
    """
    for each in built_in().values() if name in MODULE_OF else ():  # which has aliases too
        if name in (each["name"], *each["aliases"]):
            return deepcopy(each)
    return description(lookup(name))


def description(perturbator: Perturbator) -> dict[str, Any]:
    """Return the result of `describe` from the perturbator itself."""
    known = severities.measured(perturbator)
    scale = known._asdict() if known else {"shares": {}}
    shares = scale.pop("shares")
    return {
        "name": perturbator.name,
        "summary": perturbator.summary,
        "unit": perturbator.unit,
        "label_risk": perturbator.label_risk,
        "risk": label_risk.measured(perturbator.name),
        "reach": _reach().get(perturbator.name, {}),
        "source": perturbator.source,
        "version": perturbator.version,
        "languages": list(perturbator.languages),
        "scripts": list(perturbator.scripts),
        "touches": [word for word in TOUCHES if word in perturbator.touches],
        "expect": perturbator.expect,
        "expect_alone": perturbator.expect_alone,
        "expect_of_kind": dict(perturbator.expect_of_kind),
        "parameters": dict(perturbator.parameters),
        "ranges": {key: str(limits) for key, limits in perturbator.ranges.items()},
        "intensities": dict(perturbator.intensities),
        "spread": perturbator.spread(**perturbator.parameters),
        "severities": shares,
        "scale": scale,
        "aliases": {
            alias: dict(parameters)
            for alias, (name, parameters) in sorted(alias_targets.items())
            if name == perturbator.name
        },
        "doc": doc_of(perturbator),
        "example": perturbator.example,
    }


def doc_of(perturbator: Perturbator) -> str:
    """Return what the docstring of a perturbator says besides its summary."""
    doc = inspect.getdoc(perturbator.find) or ""
    return doc.partition("\n\n")[2] if summary_in(doc) == perturbator.summary else doc


@cache
def _reach() -> dict[str, dict[str, dict[str, float]]]:
    """Return the shares of texts and of words that p = 1 changes, by perturbator and class."""
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name, kind, texts, words in read_rows("english", "reach.tsv"):
        table.setdefault(name, {})[kind] = {"texts": float(texts), "words": float(words)}
    return table


def documented(doc: str, part: str = "Args") -> tuple[str, dict[str, str]]:
    """Return the body of a docstring, and its text about each argument except the batch.

    Args:
        doc: the docstring, without its indentation.
        part: the title above the arguments.
    """
    body, _, rest = f"\n{doc}".partition(f"\n{part}:\n")
    arguments, _, _ = rest.partition("\n\n")
    _, *pieces = _ARGUMENT.split(arguments)
    described = zip(pieces[::2], pieces[1::2], strict=True)
    return body.strip(), {
        name: " ".join(text.split()) for name, text in described if name != "batch"
    }
