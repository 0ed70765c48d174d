"""The origin of a row, read from its linkage record: its original, and how it was perturbed."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import regex

from perturb.errors import DataError, UsageError
from perturb.plan.options import LINKAGE
from perturb.plan.recipe_text import only_step, read_options, split
from perturb.robustness.linking.record_text import TOLD, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.linking.sources import Row


# The path of a file, pinned by its hash.
_FILE = regex.compile(r"(?:[^,=]*[/\\])?([^,=/\\]*)@sha256:([0-9a-f]{6})[0-9a-f]{58}")
_STRENGTH = regex.compile(r"\b(?:intensity|count)=")
# What becomes of the right answer: it still holds, or was moved or rewritten with the text; it is
# another; nobody can know it any more.
KEPT, OTHER, ABSTAIN = "same", "other", "abstain"
# What a system should react to.
REACTING = (OTHER, ABSTAIN)


class Condition(NamedTuple):
    """One way of perturbing: the perturbator, its strength, and its parameters as text.

    What the user named, and several steps in a row, is one condition by its label, without a
    strength of its own. `severity` is that which was given in place of `p`, else None. `expect` is
    KEPT where the right answer is known, else "other", "abstain" or "unknown"; rows of one noise
    that differ in it are of several conditions. `control` is true where nothing is perturbed on
    purpose.
    """

    perturbator: str
    p: float | None
    params: str
    severity: int | None = None
    expect: str = KEPT
    control: bool = False

    @property
    def name(self) -> str:
        """The perturbator with its strength; see `condition_name`."""
        return condition_name(self.perturbator, self.p, self.severity, self.expect)


# All conditions together.
OVERALL = "overall"
WHOLE = Condition(OVERALL, None, "")


class Origin(NamedTuple):
    """What rows of one label, recipe, expectation and status share.

    Attributes:
        condition: how they were perturbed; None for untouched originals.
        instance: tells apart the rows of one original and condition, by seed and replicate.
        reason: why they have no edit; "" where the text was changed.
        steps: those of the recipe.
        has_target: whether a right answer followed the steps.
    """

    condition: Condition | None = None
    instance: tuple[Any, ...] = (None, None)
    reason: str = ""
    steps: str = ""
    has_target: bool = False


class Link(NamedTuple):
    """One row's place, with what `Origin` says of it.

    `sample` is the seed that the system answered with; None for none. `look` is that at which
    asking stopped, as 2/5; "" where nothing was looked at before the end. `record` is all that was
    read; None for a row without one.
    """

    original_id: str
    condition: Condition | None
    instance: tuple[Any, ...]
    reason: str
    sample: Any
    look: str
    record: dict[str, str] | None


def link(row: Row) -> Link:
    """Read a row's linkage record; a row without one is an original, known by its `id`.

    Raises:
        DataError: the record, or a row's identity, is missing or malformed.
    """
    sample, look = answered_by(row)
    record = record_of(row)
    if record is None:
        return Link(identity(row), *Origin()[:3], sample, look, None)
    return Link(record["original_id"], *origin_of(*TOLD(record))[:3], sample, look, record)


def answered_by(row: Row) -> tuple[Any, str]:
    """Return the seed that a system answered a row with, and the look at which asking stopped."""
    response = row.get("response")
    if not isinstance(response, dict):
        return None, ""
    if response.get("bisected") == "inferred":
        raise DataError("its answer was inferred, not asked for, by an older perturb: ask again")
    return response.get("seed"), response.get("look") or ""


def identity(row: Row) -> str:
    """Return the id of a row without a record."""
    value = row.get("id")
    if value is None:
        inside = [name for name, each in row.items() if isinstance(each, dict) and LINKAGE in each]
        advice = f"--rows {inside[0]} reads the row in it" if inside else "keep both fields"
        raise DataError(
            f"the row has no {LINKAGE!r}, so perturb apply did not write it, and no 'id' that "
            f"would name its original: {advice}"
        )
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise DataError(
            "id must be a string or an integer that says which original the row belongs to, "
            f"got {value!r}"
        )
    return str(value)


@lru_cache(maxsize=1 << 13)
def origin_of(label: str, recipe: str, expect: str, status: str) -> Origin:
    """Return what the rows of a record's label, recipe, expectation and status share."""
    try:
        options, condition = read_options(recipe), _condition(label, recipe, expect)
        steps = split(recipe)[0]
    except UsageError as error:
        raise DataError(f"the recipe in perturbation is damaged: {error}") from None
    if status == "original":
        return Origin()
    if not label:
        raise DataError(
            f"the {LINKAGE!r} has no condition; perturb apply writes it, and scoring has to keep it"
        )
    instance = options["seed"], options["replicate"]
    reason = "" if status == "changed" else status
    return Origin(condition, instance, reason, steps, bool(options["target"]))


def _condition(label: str, recipe: str, expect: str) -> Condition:
    """Return the condition that a record names.

    A step that the user typed by its own name has its strength as an axis; a step with a name of
    the user's, or of another library, is called that.
    """
    step = only_step(recipe)
    expect = KEPT if expect == "mapped" else expect
    if step is None:
        return Condition(label, None, "", None, expect)
    p, severity = step.settings.get("p"), step.settings.get("severity")
    try:
        share = None if p is None else float(p)
        level = None if severity is None else int(severity)
    except ValueError:
        raise DataError(f"the recipe in perturbation has no number for p: {recipe!r}") from None
    control = step.name == "identity" or share == 0
    share = None if step.name == "identity" else share  # which has no strength
    if label.partition(":")[0] != step.name:
        return Condition(label, None, "", None, expect, control)
    # A recipe states the spread that was counted, which nobody typed.
    apart = {"p", "severity", *(["spread"] if "spread=" not in label else [])}
    others = [f"{name}={value}" for name, value in step.settings.items() if name not in apart]
    return Condition(step.name, share, ",".join(others), level, expect, control)


def order(condition: Condition) -> tuple[str, float, float, str, str]:
    """Return the sort key that puts the strengths of one perturbator in order."""
    p = -1.0 if condition.p is None else condition.p
    return condition.perturbator, p, condition.severity or 0, condition.params, condition.expect


def labels(conditions: Sequence[Condition]) -> list[str]:
    """Name each condition's perturbator, with its parameters where the name alone is ambiguous.

    An intensity and a count stand for a strength, and are always told. A file goes by its name,
    with the beginning of its hash only where another has that name too.
    """
    short = [each._replace(params=_FILE.sub(r"\1", each.params)) for each in conditions]
    if len({*short}) == len({*conditions}):
        conditions = short
    conditions = [each._replace(params=_FILE.sub(r"\1~\2", each.params)) for each in conditions]
    shared = Counter(each[:2] + each[3:] for each in {condition[:4] for condition in conditions})
    return [
        f"{condition.perturbator} {condition.params}".rstrip()
        if shared[condition[:2] + condition[3:4]] > 1 or _STRENGTH.search(condition.params)
        else condition.perturbator
        for condition in conditions
    ]


def condition_name(label: str, p: float | None, severity: int | None, expect: str = KEPT) -> str:
    """Return the name of a condition: its label with its strength, as it was given.

    Examples:
        >>> condition_name("ocr", 0.05, None), condition_name("ocr", None, 3)
        ('ocr p=0.05', 'ocr severity=3')
        >>> condition_name("antonym", 1.0, None, "other")
        'antonym p=1 (expect other)'
    """
    strength = f" severity={severity}" if severity is not None else "" if p is None else f" p={p:g}"
    return f"{label}{strength}" + ("" if expect == KEPT else f" (expect {expect})")
