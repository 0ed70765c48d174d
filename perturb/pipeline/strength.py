"""How strong a step is, and where it may act: whatever a caller may say of it is resolved here.

`p` is a share of the step's units, or with `per=word` of the words; `severity` and `intensity`
stand for a `p` of units; `count` takes its place. Without any of them a step hits one word in ten,
and one that acts on a whole text takes every text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from perturb.engine.placement import EVERYWHERE, Of, Per, Spare, Where
from perturb.engine.text.segments import versioned
from perturb.errors import UsageError, shown, suggestion
from perturb.registry.definition import WHOLE, Perturbator
from perturb.registry.parameters import LARGEST
from perturb.registry.vocabulary import INTENSITIES
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
