"""Combinators: each text takes some of their steps, chosen at random by its own key.

A combinator chooses among branches, each one step or several in sequence. Before a pipeline is
made, branches are as written; in a pipeline they are tuples of steps and combinators.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from perturb.errors import UsageError, shown, unknown
from perturb.values.fields import Frozen, plain

if TYPE_CHECKING:
    from perturb.engine.gates import Gate

# The kinds, each with the other key of its mapping.
_SETTINGS = {"one_of": "weights", "some_of": "k", "sometimes": "probability"}


class Combinator(Frozen):
    """A choice among branches that each text makes; see `one_of`, `some_of` and `sometimes`.

    Attributes:
        kind: the name of the function that makes it.
        branches: at least one; for `sometimes` exactly one.
        setting: a weight above 0 for each branch; the number of branches a text takes; or the
            probability that it takes the only one.
    """

    kind: str
    branches: tuple[Any, ...]
    setting: Any

    def gate(self, stream: int, place: int) -> Gate:
        """Return the gate of the branch at `place`."""
        from perturb.engine.gates import Between, Lowest  # most pipelines have no combinators

        if self.kind == "some_of":
            return Lowest(stream, place, len(self.branches), self.setting)
        if self.kind == "sometimes":
            return Between(stream, 0.0, self.setting)
        borders = [0.0, *accumulate(self.setting)]
        return Between(stream, borders[place] / borders[-1], borders[place + 1] / borders[-1])

    def to_dict(self) -> dict[str, Any]:
        """Return the combinator as a mapping that JSON can hold."""
        branches = list(map(_listed, self.branches))
        weights = self.setting if self.kind == "one_of" else ()
        setting = list(weights) or self.setting
        return {
            self.kind: branches[0] if self.kind == "sometimes" else branches,
            **({} if weights and set(weights) == {1.0} else {_SETTINGS[self.kind]: setting}),
        }

    def __str__(self) -> str:
        leads = [f"{number(self.setting)}, "] if self.kind != "one_of" else []
        weights = self.setting if self.kind == "one_of" else [1] * len(self.branches)
        branches = [
            (f"{number(weight)}*" if weight != 1 else "") + spelled(branch)
            for weight, branch in zip(weights, self.branches, strict=True)
        ]
        return f"{self.kind}({''.join(leads)}{' | '.join(branches)})"

    __repr__ = __str__


def one_of(steps: Sequence[Any], weights: Sequence[float] | None = None) -> Combinator:
    """Let each text take one of several steps.

    The text's key decides which one, so the choice depends neither on other texts nor on their
    order.

    Args:
        steps: the steps to choose from; each in any form of steps, with a list as a sequence.
        weights: how often each is taken, relative to the others; above 0. None for equally often.

    Raises:
        UsageError: there is no step, or not one valid weight for each.

    Examples:
        >>> import perturb
        >>> noise = perturb.one_of(["char_delete:p=0.2", "case:p=0.2"], weights=[1, 3])
        >>> print(noise)
        one_of(char_delete:p=0.2 | 3*case:p=0.2)
        >>> for text in ("Every text", "takes one", "and one only"):
        ...     record = perturb.apply(text, noise)
        ...     print(record.text, "|", record.steps[0].name)
        everY text | case
        Takes one | case
        and one nl | char_delete
    """
    branches = _branches("one_of", steps)
    weights = [1.0] * len(branches) if weights is None else weights
    if isinstance(weights, (str, Mapping)) or not hasattr(weights, "__len__"):
        raise UsageError(f"one_of: weights must be a list of numbers; got {weights!r}")
    weights = [*map(plain, weights)]
    if len(weights) != len(branches):
        raise UsageError(f"one_of: {len(branches)} steps need as many weights; got {len(weights)}")
    for weight in weights:
        if type(weight) not in (int, float) or not 0 < weight < math.inf:
            raise UsageError(f"one_of: a weight must be a finite number above 0; got {weight!r}")
    if not math.isfinite(sum(map(float, weights))):
        raise UsageError(f"one_of: the sum of the weights must be finite; got {shown(weights)}")
    return Combinator("one_of", branches, tuple(map(float, weights)))


def some_of(k: int, steps: Sequence[Any]) -> Combinator:
    """Let each text take `k` of several steps, in the order in which they are written.

    The steps taken at a smaller `k` are among those at a larger one.

    Args:
        k: how many, from 1 to the number of steps.
        steps: the steps to choose from; each in any form of steps, with a list as a sequence.

    Raises:
        UsageError: there is no step, or `k` isn't such a number.

    Examples:
        >>> import perturb
        >>> noise = perturb.some_of(2, ["char_delete", "case", "ocr"])
        >>> record = perturb.apply("The quick brown fox", noise, p=0.2)
        >>> [step.name for step in record.steps]
        ['char_delete', 'case']
    """
    branches = _branches("some_of", steps)
    k = plain(k)
    if type(k) is not int or not 1 <= k <= len(branches):
        raise UsageError(f"some_of: k must be a whole number from 1 to {len(branches)}; got {k!r}")
    return Combinator("some_of", branches, k)


def sometimes(probability: float, step: Any) -> Combinator:
    """Let a share of the texts take a step.

    The texts that take it at a smaller probability are among those at a larger one. A text that
    takes no step at all is unchanged, with the reason "not taken".

    Args:
        probability: the probability that a text takes it, in [0, 1].
        step: steps in any form, with a list as a sequence.

    Raises:
        UsageError: the probability isn't a number in [0, 1].

    Examples:
        >>> import perturb
        >>> noise = perturb.sometimes(0.5, "char_delete:p=0.2")
        >>> [record.status for record in perturb.apply(["one text", "another text"], noise)]
        ['not taken', 'changed']
    """
    probability = plain(probability)
    if type(probability) not in (int, float) or not 0 <= probability <= 1:
        raise UsageError(f"sometimes: the probability must be in [0, 1]; got {probability!r}")
    return Combinator("sometimes", (step,), float(probability))


def from_mapping(spec: Mapping[str, Any]) -> Combinator | None:
    """Return the combinator of a mapping such as `{"some_of": ["ocr", "case"], "k": 1}`.

    Returns:
        None if the mapping describes none.

    Raises:
        UsageError: a missing key, an unknown key or an invalid value.
    """
    kind = next((kind for kind in _SETTINGS if kind in spec), None)
    if kind is None:
        return None
    setting = _SETTINGS[kind]
    for key in spec:
        if key not in (kind, setting):
            raise unknown(f"key of {kind}", key, [kind, setting])
    value: Any = spec.get(setting)
    if kind == "one_of":
        return one_of(spec[kind], value)
    return (some_of if kind == "some_of" else sometimes)(value, spec[kind])


def spelled(branch: Any) -> str:
    """Return the spec string of a branch."""
    return " ".join(map(str, branch)) if isinstance(branch, (tuple, list)) else str(branch)


def number(value: float) -> str:
    """Return the shortest decimal that gives `value` when read."""
    return repr(value).removesuffix(".0")


def _branches(kind: str, steps: Any) -> tuple[Any, ...]:
    if isinstance(steps, (str, Mapping)) or not isinstance(steps, Sequence) or not steps:
        raise UsageError(f"{kind} takes a list of steps to choose from; got {steps!r}")
    return tuple(tuple(step) if isinstance(step, list) else step for step in steps)


def _listed(branch: Any) -> Any:
    """Return a branch of a pipeline in a form that JSON can hold."""
    steps = [step.to_dict() for step in branch]
    return steps[0] if len(steps) == 1 else steps
