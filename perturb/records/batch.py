"""The records of one batch of texts, held as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.edits import followed
from perturb.engine.memory import collector_paused
from perturb.engine.native.blocks import edit_texts
from perturb.engine.planned import SingleOutcome
from perturb.engine.run import Outcome
from perturb.engine.scope import Span
from perturb.engine.step import REASONS
from perturb.engine.text.strings import Strings, as_list, column
from perturb.errors import DataError
from perturb.plan.job import Version
from perturb.records import notation
from perturb.records.edit import Edit
from perturb.records.notation import NAMES
from perturb.records.texts import Texts
from perturb.registry.definition import EXPECTS
from perturb.values.arrays import Bool, Int8, NDArray

# By the number of the reason why a text was left as it was.
STATUSES = ["changed", *REASONS[1:]]
# An edit without the calls of Python that its class would make.
_edit: Callable[[type[Edit], Iterable[Any]], Edit] = tuple.__new__

# What a step declares of the right answer: it stays the same, it is mapped (moved or rewritten with
# the text), it becomes another, nobody can know it any more, so that a system should abstain, or it
# is unknown.
_SAME, _MAPPED, _OTHER, _ABSTAIN, _UNKNOWN = range(len(EXPECTS))
# By the codes of two steps. The opposite of the opposite may be the old answer or a third one, so
# "other" remains known only beside "same"; a lost answer stays lost wherever the rest moves.
# Neither the order of steps nor their grouping matters.
_TABLE = np.full((len(EXPECTS), len(EXPECTS)), _UNKNOWN, np.int8)
_TABLE[_SAME] = _TABLE[:, _SAME] = range(len(EXPECTS))
_TABLE[_MAPPED, _MAPPED] = _MAPPED
_TABLE[_ABSTAIN, [_MAPPED, _ABSTAIN]] = _TABLE[_MAPPED, _ABSTAIN] = _ABSTAIN


REFUSED = "an edit touches a span; protect the spans, or choose the policy grow or drop"


class StaysError(DataError):
    """What belongs to a text can't follow its edits, so its row stays as it was."""


class StepResult(NamedTuple):
    """One step of the pipeline, and its work on a text.

    Attributes:
        name: the name of the perturbator.
        version: the version of the perturbator.
        p: the strength, in [0, 1]; None where a `count` was given.
        spec: the step as text, with its parameters.
        units: how many open units the text had when the step came to it.
        closed: how many more there were that are protected, out of scope or of another script.
        sites: at how many places it could act.
        edits: how many edits it made.
        saturated: whether there were fewer sites than edits wanted.
        note: what the perturbator says beyond that, such as the order that options were put in;
            None for one that says nothing.
    """

    name: str
    version: int
    p: float | None
    spec: str
    units: int
    closed: int
    sites: int
    edits: int
    saturated: bool
    note: Any


class RecordBatch:
    """The records of one batch, held as columns.

    Args:
        texts: the texts with what holds for each.
        version: the job, condition and replicate that they share.
        outcome: what the engine did with them.
        decoded: whether strings of Python are asked for, which take longer; an attribute that is
            made when it is read would be slower to read, for each record.

    Attributes:
        given: the texts before, with what holds for each alone.
        version: the job, condition and replicate that the texts share.
        outcome: what the engine did with them.
        texts: the texts after; there is no such attribute where they are not asked for.
    """

    def __init__(
        self, texts: Texts, version: Version, outcome: Outcome | SingleOutcome, decoded: bool = True
    ) -> None:
        self.version = version
        self.outcome = outcome
        self.given = texts
        self._decoded = decoded
        if decoded:
            self.texts = outcome.texts(texts.texts)

    def __len__(self) -> int:
        return len(self.given)

    @cached_property
    def originals(self) -> Sequence[str]:
        """The texts before any edit."""
        return self.given.texts

    @cached_property
    def original_ids(self) -> Sequence[str] | Strings:
        """The id of each original."""
        return self.given.names

    @cached_property
    def ids(self) -> list[str] | Strings:
        """The name of this version of each text."""
        names, suffix = self.original_ids, self.version.suffix
        if not isinstance(names, Strings):
            return [name + suffix for name in names]
        return followed(names, suffix)

    @cached_property
    def fields(self) -> Sequence[str]:
        """The path to each text in its row."""
        return self.given.fields or [notation.BARE] * len(self)

    @cached_property
    def edits(self) -> list[tuple[Edit, ...]]:
        """The edits of every text."""
        columns = self.outcome.edit_columns()
        with collector_paused(len(columns[0])):
            flat = tuple(map(_edit, repeat(Edit), zip(*columns, strict=True)))
            text_ends = self.outcome.edit_ends()
            return [flat[a:b] for a, b in zip([0, *text_ends], text_ends, strict=False)]

    def acted(self) -> Bool:
        """Return which step acted on which text, in shape (steps, texts)."""
        return np.stack([tally.edits > 0 for tally in self.outcome.tallies])

    def changes(self) -> Sequence[str] | Strings:
        """Return the change of every text, as records have it; "" if there is none."""
        same = len(set(self.fields)) == 1
        path = notation.quoted(self.fields[0]) if same else ""  # else each has its own
        outcome = self.outcome
        texts = edit_texts(outcome.source, outcome.result, outcome.edits, path.encode())
        if texts is None:
            return list(map(notation.written_text, self.fields, self.edits))
        data, parts = texts.codes.tobytes(), texts
        if not data.isascii():
            edges = zip(texts.starts.tolist(), texts.ends.tolist(), strict=True)
            parts = column(data[start:end].decode() for start, end in edges)
        if same:
            return parts
        named = zip(self.fields, parts.to_list(), strict=True)
        return [notation.quoted(path) + part if part else "" for path, part in named]

    @cached_property
    def statuses(self) -> list[str]:
        """Of each text "changed", or why not."""
        return [STATUSES[reason] for reason in self.outcome.reasons.tolist()]

    def columns(self) -> tuple[Any, ...]:
        """Return the columns of the records of the rows that the texts are of.

        They are in the order of the schema; one string where it is the same in all records, and
        else strings of Python or of the engine.
        """
        version, given, job = self.version, self.given, self.version.job
        ids, leads = self.original_ids, given.id_changes
        originals = self.originals if self._decoded else given.source
        changes, reasons, acted = self.changes(), self.outcome.reasons, self.acted()
        if given.groups is not None:
            heads = given.heads.tolist()
            columns = as_list(ids), as_list(originals)
            ids, originals = ([column[head] for head in heads] for column in columns)
            leads = [leads[head] for head in heads] if isinstance(leads, list) else leads
            changes = self._joined(as_list(changes), heads)
            # A row changed if one of its texts did; else its first reason counts.
            reasons = np.minimum.reduceat(reasons, heads)
            acted = np.logical_or.reduceat(acted, heads, axis=1)
        if leads:
            own = repeat(leads) if isinstance(leads, str) else leads
            pairs = zip(own, as_list(changes), strict=False)
            changes = [";".join(filter(None, pair)) for pair in pairs]
        codes = expected(version, acted, reasons == 0)
        return (
            ids,
            originals if job.has_original else "",
            version.condition.label,
            self._words(STATUSES, reasons),
            EXPECTS[codes[0]] if len({*codes.tolist()}) == 1 else self._words(EXPECTS, codes),
            changes,
            given.checks,
            version.recipe,
        )

    def _words(self, words: Sequence[str], codes: NDArray[Any]) -> list[str] | Strings:
        if self._decoded:
            return [words[code] for code in codes.tolist()]
        return column(words).take(codes)

    def _joined(self, changes: Sequence[str], heads: Sequence[int]) -> list[str]:
        """Return the changes of each row; those of its answers are said otherwise."""
        if self.given.numbers is not None:
            marked = zip(changes, self.given.numbers, strict=True)
            changes = ["" if number < 0 else change for change, number in marked]
        edges = pairwise([*heads, len(changes)])
        return [";".join(filter(None, changes[first:last])) for first, last in edges]

    @cached_property
    def linkages(self) -> list[dict[str, str]]:
        """The record of every row."""
        rows = len(self) if self.given.groups is None else len(self.given.heads)
        columns = [
            repeat(values, rows) if isinstance(values, str) else as_list(values)
            for values in self.columns()
        ]
        with collector_paused(rows):
            return [dict(zip(NAMES, values, strict=True)) for values in zip(*columns, strict=True)]

    def steps(self, row: int) -> tuple[StepResult, ...]:
        """Return what each step that a text took did with it."""
        steps = self.version.condition.pipeline.steps
        pairs = zip(steps, self.outcome.tallies, strict=True)
        return tuple(
            StepResult(
                step.perturbator.name,
                step.perturbator.version,
                step.p,
                str(step),
                int(tally.units[row]),
                int(tally.closed[row]),
                int(tally.sites[row]),
                int(tally.edits[row]),
                bool(tally.saturated[row]),
                tally.notes().get(row),
            )
            for step, tally in pairs
            if REASONS[tally.reasons[row]] != "not taken"
        )

    @cached_property
    def notes(self) -> list[list[Any]]:
        """The notes of the steps on each text, in order."""
        notes = [dict(tally.notes()) for tally in self.outcome.tallies]
        return [[each[row] for each in notes if row in each] for row in range(len(self))]

    @cached_property
    def spans(self) -> list[tuple[Span | None, ...]]:
        """The spans of each text after the edits; None for one that is dropped, or refused."""
        carried, spans = self.outcome.spans, self.given.spans or ()
        if carried is None:
            return [()] * len(self)
        base = np.repeat(self.outcome.result.starts, list(map(len, spans)))
        starts, ends = (carried.starts - base).tolist(), (carried.ends - base).tolist()
        moved = zip(starts, ends, carried.touched.tolist(), strict=True)
        return [tuple(self._span(*next(moved)) for _ in row_spans) for row_spans in spans]

    def _span(self, start: int, end: int, touched: bool) -> Span | None:
        return None if touched and self.version.job.span_policy != "grow" else (start, end)

    def check_spans(self) -> RecordBatch:
        """Return these records, none with an edit that touched a span.

        Raises:
            StaysError: an edit did, and the policy is to refuse.
        """
        if self.version.job.span_policy == "refuse":
            rows = zip(as_list(self.ids), self.spans, strict=True)
            for name in (name for name, spans in rows if None in spans):
                raise StaysError(f"the record {name}: {REFUSED}")
        return self


def is_dropped(policy: str) -> bool:
    """Return whether a span that an edit touches is dropped.

    Raises:
        StaysError: the policy is to refuse.
    """
    if policy == "refuse":
        raise StaysError(REFUSED)
    return policy == "drop"


def expected(version: Version, acted: Bool, changed: Bool) -> Int8:
    """Return what becomes of right answers, as numbers of `EXPECTS`.

    Args:
        version: the steps, and what the caller says of them.
        acted: shape (steps, texts); which step acted.
        changed: shape (texts,); an unchanged text has the same answer.
    """
    word = version.condition.expect
    if word is None:
        codes = composed_codes(version.expectations, acted)
    else:
        codes = np.full(len(changed), EXPECTS.index(word), np.int8)
    codes[~changed] = 0
    return codes


def composed_codes(words: Sequence[str], acted: Any) -> Int8:
    """Return the effect on each text's right answer of the steps that edited it.

    Args:
        words: the declaration of each step.
        acted: for each step, whether it edited each text; of the shape (steps, texts).

    Returns:
        For each text an index into `EXPECTS`; that of "same" if no step edited it.

    Examples:
        >>> codes = composed_codes(["same", "mapped", "other"], [[1, 0, 1], [1, 0, 1], [0, 0, 1]])
        >>> [EXPECTS[code] for code in codes]
        ['mapped', 'same', 'unknown']
    """
    steps = np.asarray(acted, bool)
    codes = np.full(steps.shape[1:], _SAME, np.int8)
    for word, here in zip(words, steps, strict=True):
        if word != "same":
            codes[here] = _TABLE[codes[here], EXPECTS.index(word)]
    return codes
