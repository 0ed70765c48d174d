"""The linkage record: one text, what it was before, and every edit between the two."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

from perturb.errors import DataError

# The key of a row that holds its record.
LINKAGE = "perturbation"


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
        name: of the perturbator.
        version: of the perturbator.
        p: the share of the units to edit; None where `settings` has a `count`.
        params: the value of every parameter.
        units: how many units the text had when the step came to it.
        sites: at how many places it could act.
        edits: how many edits it made.
        settings: `severity`, `count`, `min_edits`, `max_edits`, `skip_first`, `skip_last` and
            `min_word_length`, where they were given.
        note: what the perturbator says beyond that, such as the order that options were put in;
            None for one that says nothing.
    """

    name: str
    version: int
    p: float | None
    params: Mapping[str, Any]
    units: int
    sites: int
    edits: int
    settings: Mapping[str, int]
    note: Mapping[str, Any] | None = None


class Source(Protocol):
    """What a record reads from: the columns of a batch, or a row of a file."""

    @property
    def originals(self) -> Sequence[str]:
        """The texts before."""

    @property
    def texts(self) -> Sequence[str]:
        """The texts after."""

    def id(self, row: int) -> str:
        """What names this version of the text of a row."""

    def linkage(self, row: int) -> dict[str, Any]:
        """The `perturbation` object of a row: all that files hold of a record but its text."""


class Record:
    """What was done to one text. Read-only.

    `str(record)` is the perturbed text. Two records are equal if they say the same.

    Attributes:
        id: names this version of the text.
        original_id: names the original; all versions of one original share it.
        text: the perturbed text.
        original: the text before.
        edits: from `original` to `text`, in order, without overlap.
        steps: each step that the text took, with its units, sites and edits.
        seed: as given.
        replicate: as given; 0 for the first version.
        status: "changed" or "unchanged".
        reason: why a text is unchanged: "no site", "protected", "drew zero", "p is 0",
            "filtered", "cancelled out" (a later step undid an earlier one), or "not taken" (its
            combinators drew no step for it); else None.
        units: of the steps, summed.
        sites: of the steps, summed.
        rate: edits a unit over all steps, in [0, 1]; 0.0 for a text without units.
        field: where in a row the text stood; None for a bare text.
        categories: labels to group by, such as "perturbed_by:keyboard_typos:p=0.05".
        contract: the version of the contract between seed and bytes.
        pipeline: where steps were chosen by chance, what they were chosen from, such as
            "one_of(ocr:p=0.1 | case:p=0.2)"; else None.
        protect: the rules and spans that no edit could touch.
        only: the rules and spans that alone were open to edits; None for the whole text.
        spans: the caller's spans in `text`, None for one that was dropped; None if none were given.
    """

    # Lists of texts become lists of these: they keep nothing that the source has.
    __slots__ = ("_row", "_source")

    def __init__(self, source: Source, row: int) -> None:
        self._source = source
        self._row = row

    @property
    def _said(self) -> dict[str, Any]:
        return self._source.linkage(self._row)

    @property
    def text(self) -> str:  # noqa: D102 (the class describes all attributes)
        return self._source.texts[self._row]

    @property
    def original(self) -> str:  # noqa: D102
        return self._source.originals[self._row]

    @property
    def id(self) -> str:  # noqa: D102
        return self._source.id(self._row)

    @property
    def original_id(self) -> str:  # noqa: D102
        return str(self._said["original_id"])

    @property
    def edits(self) -> tuple[Edit, ...]:  # noqa: D102
        return tuple(Edit(*edit[:3]) for edit in self._said["edits"])

    @property
    def steps(self) -> tuple[StepResult, ...]:  # noqa: D102
        return tuple(map(_step_result, self._said["steps"]))

    @property
    def seed(self) -> int:  # noqa: D102
        return int(self._said["seed"])

    @property
    def replicate(self) -> int:  # noqa: D102
        return int(self._said["replicate"])

    @property
    def status(self) -> str:  # noqa: D102
        return str(self._said["status"])

    @property
    def reason(self) -> str | None:  # noqa: D102
        reason: str | None = self._said["reason"]
        return reason

    @property
    def units(self) -> int:  # noqa: D102
        return sum(step["units"] for step in self._said["steps"])

    @property
    def sites(self) -> int:  # noqa: D102
        return sum(step["sites"] for step in self._said["steps"])

    @property
    def rate(self) -> float:  # noqa: D102
        return float(self._said["rate"])

    @property
    def field(self) -> str | None:  # noqa: D102
        field: str | None = self._said["field"]
        return field

    @property
    def categories(self) -> tuple[str, ...]:  # noqa: D102
        return tuple(self._said["categories"])

    @property
    def contract(self) -> int:  # noqa: D102
        return int(self._said["contract"])

    @property
    def pipeline(self) -> str | None:  # noqa: D102
        pipeline: str | None = self._said.get("pipeline")
        return pipeline

    @property
    def protect(self) -> tuple[Any, ...]:  # noqa: D102
        return tuple(self._said.get("protect", ()))

    @property
    def only(self) -> tuple[Any, ...] | None:  # noqa: D102
        only = self._said.get("only")
        return None if only is None else tuple(only)

    @property
    def spans(self) -> tuple[tuple[int, int] | None, ...] | None:  # noqa: D102
        spans = self._said.get("spans")
        return None if spans is None else tuple(span and (span[0], span[1]) for span in spans)

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
        """The record as a JSON-able mapping: `id`, `text`, and `perturbation` as files hold it."""
        return {"id": self.id, "text": self.text, "perturbation": self._said}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Record:
        """The record of what `to_dict` gave.

        Raises:
            DataError: something is missing or of a wrong form; the message names it.
        """
        for key, kind in (("id", str), ("text", str), ("perturbation", dict)):
            if not isinstance(row.get(key), kind):
                raise DataError(f"a record needs {key!r}, a {kind.__name__}; got {row.get(key)!r}")
        return cls(_Row(row["id"], row["text"], row["perturbation"]), 0)

    def __str__(self) -> str:
        return self._source.texts[self._row]

    def __repr__(self) -> str:
        what = f"{len(self.edits)} edits" if self.status == "changed" else f"{self.reason}"
        return f"<Record {self.id} {self.status}: {what}: {_short(self.text)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Record.from_dict, (self.to_dict(),)


class _Row:
    """One record of a file, as the source of itself."""

    def __init__(self, id: str, text: str, perturbation: dict[str, Any]) -> None:
        for key, kinds in _LINKAGE.items():
            if not isinstance(perturbation.get(key, _MISSING), kinds):
                got = repr(perturbation[key]) if key in perturbation else "nothing"
                raise DataError(f"the perturbation record needs {key!r}; got {got}")
        edits = perturbation["edits"]
        original = perturbation.get("original")
        try:
            if original is None:
                original = restore(text, [Edit(*edit[:3]) for edit in edits], [e[3] for e in edits])
            _check_edits(original, edits)
        except (TypeError, ValueError, IndexError) as error:
            raise DataError(f"the edits of the perturbation record are damaged: {error}") from error
        self._id = id
        self._linkage = perturbation
        self.originals = [original]
        self.texts = [text]

    def id(self, row: int) -> str:  # noqa: ARG002
        return self._id

    def linkage(self, row: int) -> dict[str, Any]:  # noqa: ARG002
        return self._linkage


_LIMITS = ("count", "min_edits", "max_edits", "skip_first", "skip_last", "min_word_length")
_MISSING = object()
_LINKAGE: dict[str, tuple[type, ...]] = {
    "original_id": (str,),
    "field": (str, type(None)),
    "replicate": (int,),
    "seed": (int,),
    "steps": (list,),
    "edits": (list,),
    "status": (str,),
    "reason": (str, type(None)),
    "rate": (float, int),
    "categories": (list,),
    "contract": (int,),
}


def _check_edits(original: str, edits: Sequence[Sequence[Any]]) -> None:
    at = 0
    for start, end, replacement, *_ in edits:
        if not at <= start <= end <= len(original) or original[start:end] == replacement:
            raise ValueError(
                f"{[start, end, replacement]} must change the original, of {len(original)} "
                f"code points, at or after {at}"
            )
        at = end


def rebuild(original: str, edits: Iterable[Edit]) -> str:
    """Apply edits, which are in order and do not overlap, to the text they refer to."""
    parts: list[str] = []
    at = 0
    for start, end, replacement in edits:
        parts += (original[at:start], replacement)
        at = end
    return "".join([*parts, original[at:]])


def restore(text: str, edits: Iterable[Edit], removed: Iterable[str]) -> str:
    """Undo edits, given what each removed."""
    parts: list[str] = []
    at = grown = 0
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


def _step_result(step: Mapping[str, Any]) -> StepResult:
    settings = {key: step[key] for key in ("severity", *_LIMITS) if key in step}
    return StepResult(
        step["name"],
        step["version"],
        step["p"],
        step["params"],
        step["units"],
        step["sites"],
        step["edits"],
        settings,
        step.get("note"),
    )


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
