"""Steps: a perturbator with its strength and parameters, and its written forms.

`p` is a share of the step's units, or with `per=word` of the words; `severity` and `intensity`
mean a `p` of units; `count` takes its place. Without any of them a step edits one word in ten, and
a step that acts on whole texts edits every text.
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
    LARGEST,
    WHOLE,
    Intensity,
    Perturbator,
    Severity,
    as_it_is,
)
from perturb.registry.registry import goes_by_name
from perturb.values.fields import Frozen, checked_real, checked_whole, plain

# The settings of strength. A step with none of them has no strength of its own.
SHARES = ("p", "intensity", "severity", "count")

# One word in ten: a question of ten words gets one edit, so each text shows what the step does.
_USUAL_SHARE = 0.1
_WORDS = {"per": Per, "where": Where, "of": Of, "spare": Spare}
_NUMBERS = ("count", "min_edits", "max_edits", "skip_first", "skip_last", "min_word_length")
# Steps that touch more than this, such as the order of words, have no single letters as sites.
_LETTERS = frozenset({"letters", "digits", "case", "punctuation", "space"})
# The standard deviation of the texts' rates, in units of their mean. Real noise has 0.5 to 3. Above
# 4 the cap of rates at 1 holds it back: around a mean of 5 %, 4 gives in fact 2.8, and 8 gives 3.2.
_WIDEST = 4
_OF_LETTERS = ("where", "of", "within", "signs")


def resolve(
    perturbator: Perturbator,
    unit: str,
    settings: Mapping[str, Any],
    severe: Callable[[object], float],
    counted: float = 0.0,
) -> dict[str, Any]:
    """Return the fields of a step for its strength and its places.

    Args:
        perturbator: the perturbator.
        unit: the unit of its sites.
        settings: these fields from the caller; None as if it weren't there.
        severe: returns the `p` of a severity.
        counted: the spread of the rates of texts that was counted: the default of `spread`, unless
            the strength says what each text gets.

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
    if shares == ["p", "count"] and p == 0:  # a record says p=0 beside a count
        p, shares = None, ["count"]
    # A record has the p of an intensity or a severity beside its name.
    if len(shares) > 1 and shares not in (["p", "intensity"], ["p", "severity"]):
        raise UsageError(
            f"{name}: give one of p, intensity, severity and count; got {' and '.join(shares)}"
        )
    for key, share_at in (("intensity", perturbator.intensities.__getitem__), ("severity", severe)):
        if key in strength:
            meant = share_at(strength[key])
            if p not in (None, meant):
                raise UsageError(
                    f"{name}: give one of p and {key}; {key} {strength[key]} is p={meant!r}, but "
                    f"got p={p!r}"
                )
            p = meant
            if strength.get("per") == "word":
                raise UsageError(f"{name}: {key} is a share of its units; with per=word give p")
    # For a step that acts on whole texts, p is a share of texts.
    all_or_nothing = unit == perturbator.unit and tuple(perturbator.intensities.values()) == WHOLE
    is_whole = unit == "text" or all_or_nothing
    if not shares:
        p = 1.0 if is_whole else _USUAL_SHARE
        strength = {"per": "unit" if is_whole else "word", **strength}
    if is_whole and strength.get("per") == "word":
        raise UsageError(
            f"{name} acts on whole texts, so p is the share of texts; leave out per=word"
        )
    _check_together(perturbator, unit, strength)
    if counted and _may_spread(p, strength.get("severity")):
        strength = {"spread": counted, **strength}
    return {"p": p, **strength}


def _may_spread(p: float | None, severity: object) -> bool:
    """Return whether rates are those of texts on average: no count, severity, or p of 1."""
    return p not in (None, 1) and severity is None


def _checked(name: str, key: str, value: Any) -> Any:
    """Return one setting."""
    if key in ("p", "within"):
        return _share(name, key, value)
    if key == "spread":
        what = f"a number from 0 to {_WIDEST}, such as 1"
        return float(checked_real(f"{name}: spread", value, what, 0, _WIDEST))
    if key in _NUMBERS:
        return checked_whole(f"{name}: {key}", value, 0, LARGEST)
    value = plain(value)
    if key == "segmenter":
        return versioned(value) if value else ""
    if key == "field" and not isinstance(value, str):
        raise TypeError(f"{name}: field must be a path; got {shown(value)}")
    if key == "signs" and not isinstance(value, bool):
        raise TypeError(f"{name}: signs must be true or false; got {shown(value)}")
    if key == "intensity" and value not in INTENSITIES:
        raise UsageError(
            f"{name}: intensity must be one of {', '.join(INTENSITIES)} (give numbers from 1 to 5 "
            f"as severity); got {value!r}"
        )
    if key in _WORDS and value not in get_args(_WORDS[key]):
        known = get_args(_WORDS[key])
        hint = suggestion(value, known) if isinstance(value, str) else ""
        raise UsageError(
            f"{name}: {key} must be {' or '.join(known)}; got {value!r}: {hint}".rstrip(": ")
        )
    return value


def _share(name: str, key: str, value: Any) -> float:
    p = checked_real(f"{name}: {key}", value, "a number in [0, 1]")
    if not 0 <= p <= 1:
        hint = f"; for {p:g} % write {key}={p / 100:g}" if 1 < p <= 100 else ""
        raise UsageError(f"{name}: {key} must be in [0, 1]; got {p!r}{hint}")
    return float(p)


def _check_together(perturbator: Perturbator, unit: str, strength: Mapping[str, Any]) -> None:
    """Refuse settings that exclude each other, or that would do nothing for this step."""
    name = perturbator.name
    fewest, most = strength.get("min_edits", 0), strength.get("max_edits")
    if most is not None and fewest > most:
        raise UsageError(f"{name}: min_edits {fewest} is more than max_edits {most}")
    if strength.get("spread") and "count" in strength:
        raise UsageError(
            f"{name}: a count is the same in each text; for a spread give a share, such as p"
        )
    if "within" in strength and strength.get("per") != "word":
        raise UsageError(f"{name}: within is a share of a word's letters; give per=word too")
    usual = EVERYWHERE._asdict()
    unmeant = [key for key in _OF_LETTERS if strength.get(key, usual[key]) != usual[key]]
    of_letters = unit == "character" or (unit == "place" and perturbator.touches <= _LETTERS)
    if unmeant and not of_letters:
        raise UsageError(
            f"{name} doesn't act on single letters, so leave out {unmeant[0]}; every step takes "
            "per, spare, min_word_length, skip_first and skip_last"
        )


_PLACE = attrgetter(*Placement._fields)


class Step(Frozen):
    """One perturbator with its strength and parameters.

    Attributes:
        perturbator: the perturbator.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the perturbator
            was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields; empty
            for all of them.
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
    field: str = ""
    parameters: Mapping[str, Any] = MappingProxyType({})

    @property
    def share(self) -> float | None:
        """Return the share of units to edit, in [0, 1], which may depend on more than `p`."""
        if self.p is None or self.per == "word" or self.perturbator.share is as_it_is:
            return self.p
        return self.perturbator.share(self.p, **self.parameters)

    @property
    def consistent(self) -> bool:
        """Return whether the texts of a row are one text to the perturbator."""
        return self.perturbator.consistent

    @property
    def on_options(self) -> bool:
        """Return whether the perturbator acts on answer options alone."""
        on = self.perturbator.on_options
        return on is not None and on.items() <= self.parameters.items()

    @property
    def _counted(self) -> float:
        """Return the spread that the step has by default."""
        may = _may_spread(self.p, self.severity)
        return self.perturbator.spread(**self.parameters) if may else 0.0

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
        usual = {key: getattr(Step, key) for key in others}
        if self._counted:
            del usual["spread"]  # it is stated, since another one would be taken without it
        return {
            "name": self.perturbator.name,
            "version": self.perturbator.version,
            "p": self.p,
            **{key: value for key, value in others.items() if value != usual.get(key)},
            "params": dict(self.parameters),
        }

    def __repr__(self) -> str:
        """Return the call that makes this step, if its name identifies its perturbator."""
        if not goes_by_name(self.perturbator):
            return f"<Step {self}>"
        name, _, rest = str(self).partition(":")
        settings = grammar.assignments(name, rest).items()
        return f"perturb.steps.{name}({', '.join(f'{key}={value!r}' for key, value in settings)})"

    def __str__(self) -> str:
        return self.spec()

    def spec(self, *, states_spread: bool = False) -> str:
        """Return the shortest spec string that describes this step.

        Args:
            states_spread: whether to state a spread that was counted, which is the default.
        """
        strengths = {key: value for key, value in self.to_dict().items() if key in STRENGTHS}
        if not states_spread and self.spread and self.spread == self._counted:
            del strengths["spread"]
        if self.severity is not None or self.intensity is not None:
            del strengths["p"]
        strengths = {key: value for key, value in strengths.items() if value is not None}
        parts = (grammar.assigned(strengths), spelled_out(self.perturbator, self.parameters))
        return f"{self.perturbator.name}:{','.join(filter(None, parts))}"


# The fields of strength and place.
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
