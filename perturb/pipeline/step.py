"""Steps: a perturbator with its strength and parameters, and the forms in which it is written.

`p` is a share of the step's units, or with `per=word` of the words; `severity` and `intensity`
stand for a `p` of units; `count` takes its place. Without any of them a step hits one word in ten,
and one that acts on a whole text takes every text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, get_args

from perturb.engine.batch import Batch
from perturb.engine.placement import EVERYWHERE, Of, Per, Placement, Spare, Where
from perturb.engine.sites import Sites
from perturb.engine.text.scripts import versioned
from perturb.errors import UsageError, shown, suggestion
from perturb.pipeline import grammar
from perturb.registry.definition import (
    INTENSITIES,
    WHOLE,
    Intensity,
    Perturbator,
    Severity,
    as_it_is,
)
from perturb.registry.parameters import LARGEST
from perturb.registry.registry import goes_by_name
from perturb.values.frozen import Frozen
from perturb.values.scalars import checked_real, checked_whole, plain

# What says how much is done; a step that says none of these has no strength of its own.
SHARES = ("p", "intensity", "severity", "count")

_USUAL_SHARE = 0.1
_WORDS = {"per": Per, "where": Where, "of": Of, "spare": Spare}
_NUMBERS = ("count", "min_edits", "max_edits", "skip_first", "skip_last", "min_word_length")
# Steps that do more than this do not hit letters.
_LETTERS = frozenset({"letters", "digits", "case", "punctuation", "space"})
# Of the rates of texts in units of their mean: real noise has 0.5 to 3.
_WIDEST = 4
_OF_LETTERS = ("where", "of", "within", "signs")


def resolve(
    perturbator: Perturbator,
    unit: str,
    settings: Mapping[str, Any],
    severe: Callable[[object], float],
) -> dict[str, Any]:
    """Return how strong a step is and where it may act, by the fields of the step that say it.

    Args:
        perturbator: the perturbator.
        unit: that of its sites.
        settings: those fields as the caller gives them; None says nothing.
        severe: returns the `p` of a severity.

    Raises:
        UsageError: an invalid value, or two that exclude each other.
        TypeError: a value of a wrong type.
    """
    name = perturbator.name
    strength = {
        key: _checked(name, key, value) for key, value in settings.items() if value is not None
    }
    p, shares = strength.pop("p", None), [key for key in SHARES if key in strength]
    if p is not None:
        shares = ["p", *shares]
    if shares == ["p", "count"] and p == 0:  # as in a record, where the count decides
        p, shares = None, ["count"]
    if len(shares) > 1 and shares not in (["p", "intensity"], ["p", "severity"]):  # also as there
        raise UsageError(
            f"{name}: give one of p, intensity, severity and count; got {' and '.join(shares)}"
        )
    for key, share_at in (("intensity", perturbator.intensities.__getitem__), ("severity", severe)):
        if key in strength:
            meant = share_at(strength[key])
            if p not in (None, meant):
                raise UsageError(
                    f"{name}: give one of p and {key}; here {key} {strength[key]} is p={meant!r}, "
                    f"got p={p!r} as well"
                )
            p = meant
            if strength.get("per") == "word":
                raise UsageError(f"{name}: {key} gives a share of its units; with per=word give p")
    # Where a step acts on a text as a whole, its share is one of texts.
    all_or_nothing = unit == perturbator.unit and tuple(perturbator.intensities.values()) == WHOLE
    is_whole = unit == "text" or all_or_nothing
    if not shares:
        p = 1.0 if is_whole else _USUAL_SHARE
        strength = {"per": "unit" if is_whole else "word", **strength}
    if is_whole and strength.get("per") == "word":
        raise UsageError(
            f"{name} acts on a text as a whole, and p is the share of texts; leave out per=word"
        )
    _check_together(perturbator, unit, strength)
    return {"p": p, **strength}


def _checked(name: str, key: str, value: Any) -> Any:
    """Return one setting."""
    value = plain(value)
    if key in ("p", "within"):
        return _share(name, key, value)
    if key == "spread":
        what = f"a number from 0 to {_WIDEST}, such as 1"
        return float(checked_real(f"{name}: spread", value, what, 0, _WIDEST))
    if key == "segmenter":
        return versioned(value) if value else ""
    if key in _NUMBERS:
        return checked_whole(f"{name}: {key}", value, 0, LARGEST)
    if key == "signs":
        if not isinstance(value, bool):
            raise TypeError(f"{name}: signs must be true or false; got {shown(value)}")
        return value
    if key == "intensity" and value not in INTENSITIES:
        raise UsageError(
            f"{name}: intensity is one of {', '.join(INTENSITIES)}; got {value!r} "
            "(numbers from 1 to 5 are a severity)"
        )
    if key in _WORDS and value not in get_args(_WORDS[key]):
        known = get_args(_WORDS[key])
        hint = suggestion(value, known) if isinstance(value, str) else ""
        raise UsageError(
            f"{name}: {key} is {' or '.join(known)}; got {value!r}: {hint}".rstrip(": ")
        )
    return value


def _share(name: str, key: str, value: Any) -> float:
    p = checked_real(f"{name}: {key}", value, "a number in [0, 1]")
    if not 0 <= p <= 1:
        hint = f"; for {p:g} % write {key}={p / 100:g}" if 1 < p <= 100 else ""
        raise UsageError(f"{name}: {key} must be in [0, 1]; got {p!r}{hint}")
    return float(p)


def _check_together(perturbator: Perturbator, unit: str, strength: Mapping[str, Any]) -> None:
    """Refuse settings that exclude each other, or that mean nothing for this step."""
    name = perturbator.name
    fewest, most = strength.get("min_edits", 0), strength.get("max_edits")
    if most is not None and fewest > most:
        raise UsageError(f"{name}: min_edits {fewest} is more than max_edits {most}")
    if strength.get("spread") and "count" in strength:
        raise UsageError(
            f"{name}: count is the same in each text; a spread needs a share, such as p"
        )
    if "within" in strength and strength.get("per") != "word":
        raise UsageError(f"{name}: within is a share of the letters of a word; it needs per=word")
    usual = EVERYWHERE._asdict()
    unmeant = [key for key in _OF_LETTERS if strength.get(key, usual[key]) != usual[key]]
    if unmeant and not (
        unit == "character" or (unit == "place" and perturbator.touches <= _LETTERS)
    ):
        raise UsageError(
            f"{name} does not act on single letters, so it has no {unmeant[0]}; per, spare, "
            "min_word_length, skip_first and skip_last hold for every step"
        )


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
