"""The linkage record: one text, what it was before, and every edit between the two."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

from perturb.errors import DataError

CONTRACT = 1


class Edit(NamedTuple):
    """The replacement of `original[start:end]`.

    Attributes:
        start: index of the first replaced code point of the original.
        end: index after the last; equal to `start` for an insertion.
        replacement: what was written; empty for a deletion.
    """

    start: int
    end: int
    replacement: str


class StepResult(NamedTuple):
    """One step of the pipeline and what it did with the text.

    Attributes:
        spec: name, version, strength and parameters, as `Step.to_dict` gives them.
        units: how many units the text had when the step came to it.
        sites: at how many places it could act.
        edits: how many edits it made.
    """

    spec: Mapping[str, Any]
    units: int
    sites: int
    edits: int


class Facts(NamedTuple):
    """All that a record holds but its two texts; see `Record`."""

    original_id: str
    id: str
    edits: tuple[Edit, ...]
    steps: tuple[StepResult, ...]
    seed: int
    replicate: int
    reason: str | None
    field: str | None
    categories: tuple[str, ...]
    scope: Mapping[str, Any]
    spans: tuple[tuple[int, int] | None, ...] | None


class Source(Protocol):
    """What a record reads from: the columns of a batch, or what a row of a file said."""

    originals: Sequence[str]
    texts: Sequence[str]

    def facts(self, row: int) -> Facts:
        """All but the texts of one row."""


class Record:
    """What was done to one text. Read-only.

    `str(record)` is the perturbed text. Two records are equal if they say the same.

    Attributes:
        id: names this version of the text.
        original_id: names the original; all versions of one original share it.
        text: the perturbed text.
        original: the text before.
        edits: from `original` to `text`, in order, without overlap.
        steps: each step with its units, sites and edits.
        seed: as given.
        replicate: as given; 0 for the first version.
        status: "changed" or "unchanged".
        reason: why a text is unchanged: "no site", "protected", "drew zero", "p is 0",
            "filtered", or "cancelled out" (a later step undid an earlier one); else None.
        units: of the steps, summed.
        sites: of the steps, summed.
        rate: edits a unit over all steps, in [0, 1]; 0.0 for a text without units.
        field: where in a row the text stood; None for a bare text.
        categories: labels to group by, such as "perturbed_by:keyboard_typos:p=0.05".
        scope: the protection that was in force: `protect` and `only`, where they were given.
        spans: the caller's spans in `text`, None for one that was dropped; None if none were given.
    """

    __slots__ = ("_cached", "_row", "_source")

    def __init__(self, source: Source, row: int) -> None:
        self._source = source
        self._row = row
        self._cached: Facts | None = None

    @property
    def _facts(self) -> Facts:
        if self._cached is None:
            self._cached = self._source.facts(self._row)
        return self._cached

    @property
    def text(self) -> str:  # noqa: D102 (all attributes are described in the class)
        return self._source.texts[self._row]

    @property
    def original(self) -> str:  # noqa: D102
        return self._source.originals[self._row]

    @property
    def id(self) -> str:  # noqa: D102
        return self._facts.id

    @property
    def original_id(self) -> str:  # noqa: D102
        return self._facts.original_id

    @property
    def edits(self) -> tuple[Edit, ...]:  # noqa: D102
        return self._facts.edits

    @property
    def steps(self) -> tuple[StepResult, ...]:  # noqa: D102
        return self._facts.steps

    @property
    def seed(self) -> int:  # noqa: D102
        return self._facts.seed

    @property
    def replicate(self) -> int:  # noqa: D102
        return self._facts.replicate

    @property
    def status(self) -> str:  # noqa: D102
        return "unchanged" if self.reason else "changed"

    @property
    def reason(self) -> str | None:  # noqa: D102
        return self._facts.reason

    @property
    def units(self) -> int:  # noqa: D102
        return sum(step.units for step in self.steps)

    @property
    def sites(self) -> int:  # noqa: D102
        return sum(step.sites for step in self.steps)

    @property
    def rate(self) -> float:  # noqa: D102
        return rate(self.steps)

    @property
    def field(self) -> str | None:  # noqa: D102
        return self._facts.field

    @property
    def categories(self) -> tuple[str, ...]:  # noqa: D102
        return self._facts.categories

    @property
    def scope(self) -> Mapping[str, Any]:  # noqa: D102
        return self._facts.scope

    @property
    def spans(self) -> tuple[tuple[int, int] | None, ...] | None:  # noqa: D102
        return self._facts.spans

    def restore(self) -> str:
        """Give the original back from the text, the edits and what they removed.

        Examples:
            >>> import perturb
            >>> record = perturb.apply("Keep calm", "char_delete", p=0.5)
            >>> record.restore()
            'Keep calm'
        """
        removed = (self.original[edit.start : edit.end] for edit in self.edits)
        return restore(self.text, self.edits, removed)

    def project(self, start: int, end: int) -> tuple[int, int]:
        """Move a span of the original into the text.

        A span that an edit only partly covers grows to the whole of what the edit wrote; an
        insertion at its border stays outside.

        Args:
            start: index in `original`.
            end: index after the last, at least `start`.

        Raises:
            ValueError: the span does not lie in the original.
        """
        if not 0 <= start <= end <= len(self.original):
            raise ValueError(
                f"a span lies in [0, {len(self.original)}], its start not after its end; "
                f"got ({start}, {end})"
            )
        return project(self.edits, start, end)

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON-able mapping: `id`, `text`, and `perturbation` as files hold it."""
        return {
            "id": self.id,
            "text": self.text,
            "perturbation": linkage(self._facts, self.original),
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Record:
        """The record of what `to_dict` gave.

        Raises:
            DataError: something is missing or of a wrong form; the message names it.
        """
        return record_of(row["text"], row["perturbation"], row["id"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        what = f"{len(self.edits)} edits" if self.status == "changed" else f"{self.reason}"
        return f"<Record {self.id} {self.status}: {what}: {_short(self.text)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Record.from_dict, (self.to_dict(),)


class _Row(NamedTuple):
    """One record on its own, as the source of itself."""

    originals: tuple[str]
    texts: tuple[str]
    only: Facts

    def facts(self, row: int) -> Facts:
        return self.only


def rebuild(original: str, edits: Iterable[Edit]) -> str:
    """Apply edits, which are in order and do not overlap, to the text they refer to."""
    parts, at = [], 0
    for start, end, replacement in edits:
        parts += (original[at:start], replacement)
        at = end
    return "".join([*parts, original[at:]])


def restore(text: str, edits: Iterable[Edit], removed: Iterable[str]) -> str:
    """Undo edits, given what each removed."""
    parts, at, grown = [], 0, 0
    for (start, end, replacement), was in zip(edits, removed, strict=True):
        parts += (text[at : start + grown], was)
        at = start + grown + len(replacement)
        grown += len(replacement) - (end - start)
    return "".join([*parts, text[at:]])


def project(edits: Sequence[Edit], start: int, end: int) -> tuple[int, int]:
    """Move a span of the original through edits; see `Record.project`."""
    grown = [0, *accumulate(len(e.replacement) - (e.end - e.start) for e in edits)]
    first = bisect_right(edits, start, key=lambda edit: edit.end)
    last = bisect_left(edits, end, key=lambda edit: edit.start)
    moved_start, moved_end = start + grown[first], end + grown[max(first, last)]
    if first < last:
        if edits[first].start < start:
            moved_start = edits[first].start + grown[first]
        if edits[last - 1].end > end:
            moved_end = edits[last - 1].end + grown[last]
    return moved_start, moved_end


def rate(steps: Sequence[StepResult]) -> float:
    """Edits a unit, over all steps."""
    units = sum(step.units for step in steps)
    return round(sum(step.edits for step in steps) / units, 6) if units else 0.0


def linkage(facts: Facts, original: str) -> dict[str, Any]:
    """The `perturbation` object of a row."""
    made: dict[str, Any] = {
        "original_id": facts.original_id,
        "original": original,
        "field": facts.field,
        "replicate": facts.replicate,
        "seed": facts.seed,
        "steps": [
            {**step.spec, "units": step.units, "sites": step.sites, "edits": step.edits}
            for step in facts.steps
        ],
        "edits": [list(edit) for edit in facts.edits],
        "status": "unchanged" if facts.reason else "changed",
        "reason": facts.reason,
        "rate": rate(facts.steps),
        "categories": list(facts.categories),
        "contract": CONTRACT,
        **facts.scope,
    }
    if facts.spans is not None:
        made["spans"] = [span and list(span) for span in facts.spans]
    return made


def record_of(text: str, perturbation: Mapping[str, Any], id: str) -> Record:
    """The record of a row that holds `text` and this `perturbation` object.

    Raises:
        DataError: something is missing or of a wrong form; the message names it.
    """
    try:
        edits = tuple(Edit(start, end, new) for start, end, new, *_ in perturbation["edits"])
        if "original" in perturbation:
            original = perturbation["original"]
        else:
            removed = [edit[3] for edit in perturbation["edits"]]
            original = restore(text, edits, removed)
        spans = perturbation.get("spans")
        facts = Facts(
            original_id=perturbation["original_id"],
            id=id,
            edits=edits,
            steps=tuple(map(_step_result, perturbation["steps"])),
            seed=perturbation["seed"],
            replicate=perturbation["replicate"],
            reason=perturbation["reason"],
            field=perturbation["field"],
            categories=tuple(perturbation["categories"]),
            scope={key: perturbation[key] for key in ("protect", "only") if key in perturbation},
            spans=None if spans is None else tuple(span and (span[0], span[1]) for span in spans),
        )
    except KeyError as error:
        raise DataError(f"the perturbation record has no {error.args[0]!r}") from error
    except (TypeError, ValueError, IndexError) as error:
        raise DataError(f"the perturbation record is not well formed: {error}") from error
    return Record(_Row((original,), (text,), facts), 0)


def _step_result(step: Mapping[str, Any]) -> StepResult:
    spec = dict(step)
    counts = (spec.pop("units"), spec.pop("sites"), spec.pop("edits"))
    return StepResult(spec, *counts)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
