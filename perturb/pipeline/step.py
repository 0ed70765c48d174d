"""Steps: a perturbator with its strength and parameters, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from perturb.engine.batch import Batch
from perturb.engine.placement import Of, Per, Placement, Spare, Where
from perturb.engine.sites import Sites
from perturb.errors import shown
from perturb.pipeline import grammar
from perturb.registry.definition import Perturbator, as_it_is
from perturb.registry.store import goes_by_name
from perturb.registry.vocabulary import Intensity, Severity
from perturb.values.frozen import Frozen

_PLACE = attrgetter(*Placement._fields)


class Step(Frozen):
    """One perturbator with its strength and parameters.

    Attributes:
        perturbator: what to do.
        p: the share of the units to edit, or what `share` is made of, in [0, 1]; with `per`
            "word" that of the words; None where `count` is given.
        intensity: such as "low" where `p` is that of an intensity, else None.
        severity: from 1 to 5 where `p` is that of a severity, else None.
        count: the number of edits a text, at least 0.
        min_edits: the fewest edits a text, as far as there are sites.
        max_edits: the most edits a text.
        per: "word" where `p`, `count` and the limits are about words, and one edit is made in each
            that is hit; else "unit". See `perturb.engine.placement.Placement` for this and for:
        where: which letters of a word may be hit.
        of: which characters may be hit, and are counted.
        spare: which words stay.
        within: the share of the letters of a word that are hit in one that is.
        signs: whether signs may be hit and written.
        spread: how much the rate differs from text to text, around the share as their mean: its
            standard deviation in units of that mean, from 0 to 4.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that gives the words of Chinese, Japanese and Thai, such as
            "budoux"; kept with its version. Without it steps on words leave such texts alone.
        parameters: every parameter of the perturbator with its value.
    """

    perturbator: Perturbator
    p: float | None
    intensity: Intensity | None = None
    severity: Severity | None = None
    count: int | None = None
    min_edits: int = 0
    max_edits: int | None = None
    per: Per = "unit"
    where: Where = "any"
    of: Of = "any"
    spare: Spare = "none"
    within: float | None = None
    signs: bool = True
    spread: float = 0.0
    skip_first: int = 0
    skip_last: int = 0
    min_word_length: int = 0
    segmenter: str = ""
    parameters: Mapping[str, Any] = MappingProxyType({})

    @property
    def share(self) -> float | None:
        """Return the share of the units to edit, in [0, 1], which may depend on more than `p`."""
        if self.p is None or self.per == "word" or self.perturbator.share is as_it_is:
            return self.p
        return self.perturbator.share(self.p, **self.parameters)

    @property
    def consistent(self) -> bool:
        """Return whether the texts of a row are one text to the perturbator."""
        return self.perturbator.consistent

    @cached_property
    def placement(self) -> Placement:
        """Return where the step may act."""
        return Placement(*_PLACE(self))

    def sites(self, batch: Batch) -> Sites:
        """Return the sites of a batch at which the step may act."""
        return sites_of(self.perturbator, batch, self.parameters)

    def to_dict(self) -> dict[str, Any]:
        """Return the step as a mapping that JSON can hold, with all parameters."""
        others = {key: getattr(self, key) for key in STRENGTHS[1:]}
        return {
            "name": self.perturbator.name,
            "version": self.perturbator.version,
            "p": self.p,
            **{key: value for key, value in others.items() if value != getattr(Step, key)},
            "params": dict(self.parameters),
        }

    def __repr__(self) -> str:
        """Return the call that makes this step, if its perturbator goes by its name."""
        if not goes_by_name(self.perturbator):
            return f"<Step {self}>"
        name, _, rest = str(self).partition(":")
        settings = grammar.assignments(name, rest).items()
        return f"perturb.steps.{name}({', '.join(f'{key}={value!r}' for key, value in settings)})"

    def __str__(self) -> str:
        """Return the shortest spec string that describes this step."""
        strengths = {key: value for key, value in self.to_dict().items() if key in STRENGTHS}
        if self.severity is not None or self.intensity is not None:
            del strengths["p"]
        strengths = {key: value for key, value in strengths.items() if value is not None}
        parts = (grammar.assigned(strengths), spelled_out(self.perturbator, self.parameters))
        return f"{self.perturbator.name}:{','.join(filter(None, parts))}"


# The fields that say how strong a step is, and where it may act.
STRENGTHS = Step._fields[1:-1]


def sites_of(perturbator: Perturbator, batch: Batch, parameters: Mapping[str, Any]) -> Sites:
    """Return the sites of a batch at which a perturbator may act."""
    sites = perturbator.find(batch, **parameters)
    if not isinstance(sites, Sites):
        raise TypeError(f"{perturbator.name} must return Sites; got {shown(sites)}")
    return sites


def spelled_out(perturbator: Perturbator, parameters: Mapping[str, Any]) -> str:
    """Return the parameters that differ from the defaults, in the form of a spec string."""
    defaults = perturbator.parameters
    return grammar.assigned({k: v for k, v in parameters.items() if v != defaults[k]})
