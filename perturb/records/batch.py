"""The records of one batch of texts, held as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native.blocks import edit_texts
from perturb.engine.native.kernels import checks_of_texts
from perturb.engine.planned import SingleOutcome
from perturb.engine.run import Outcome
from perturb.engine.scope import Span
from perturb.engine.step import REASONS
from perturb.errors import DataError
from perturb.plan.job import Version
from perturb.records import notation
from perturb.records.collector import collector_paused
from perturb.records.edit import Edit
from perturb.records.ids import TEXT_PREFIX, digits_of
from perturb.records.notation import NAMES
from perturb.records.texts import Texts
from perturb.registry.definition import EXPECTS
from perturb.registry.expectations import composed_codes
from perturb.rng import sha256
from perturb.values.arrays import Bool, Int8

# By the number of the reason why a text was left as it was.
STATUSES = ["changed", *REASONS[1:]]
# Fewer texts are hashed sooner than a kernel is called.
_FEW = 4
# An edit without the calls of Python that its class would make.
_edit: Callable[[type[Edit], Iterable[Any]], Edit] = tuple.__new__


class StepResult(NamedTuple):
    """One step of the pipeline and what it did with a text.

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
        version: what they have in common.
        outcome: what the engine did with them.
        decoded: whether `texts` are asked for; an attribute that is made when it is read would be
            slower to read, for each record.

    Attributes:
        given: the texts before, with what holds for each alone.
        version: what the texts have in common.
        outcome: what the engine did with them.
        texts: the texts after; there is no such attribute where they are not asked for.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """

    def __init__(
        self,
        texts: Texts,
        version: Version,
        outcome: Outcome | SingleOutcome,
        decoded: bool = True,
    ) -> None:
        self.version = version
        self.outcome = outcome
        self.given = texts
        if version.job.span_policy == "refuse":
            _ = self.spans  # raises where a span was touched
        if decoded:
            self.texts = outcome.texts(texts.texts)

    @cached_property
    def _rows(self) -> int:
        return len(self.given)

    def __len__(self) -> int:
        return self._rows

    @cached_property
    def originals(self) -> Sequence[str]:
        """The texts before any edit."""
        return self.given.texts

    @cached_property
    def original_ids(self) -> Sequence[str]:
        """The id of each original."""
        if self.given.ids is not None:
            return self.given.ids
        names = [TEXT_PREFIX + digits for digits in digits_of(self.given.keys, ",").split(",")]
        pairs = zip(names, self.given.apart or (), strict=False)
        return [f"{name}.{row}" if row else name for name, row in pairs] or names

    @cached_property
    def ids(self) -> list[str]:
        """The name of this version of each text."""
        return [name + self.version.suffix for name in self.original_ids]

    @cached_property
    def fields(self) -> Sequence[str]:
        """The path to each text in its row."""
        return self.given.fields or [notation.BARE] * self._rows

    @cached_property
    def edits(self) -> list[tuple[Edit, ...]]:
        """The edits of every text."""
        columns = self.outcome.edit_columns()
        with collector_paused(len(columns[0])):
            flat = tuple(map(_edit, repeat(Edit), zip(*columns, strict=True)))
            text_ends = self.outcome.edit_ends()
            return [flat[a:b] for a, b in zip([0, *text_ends], text_ends, strict=False)]

    @cached_property
    def expect(self) -> Int8:
        """What becomes of the right answer to every text, as a number of `EXPECTS`."""
        return expected(self.version, self.acted(), self.outcome.reasons == 0)

    def acted(self) -> Bool:
        """Return which step acted on which text, in shape (steps, texts)."""
        return np.stack([tally.edits > 0 for tally in self.outcome.tallies])

    def changes(self) -> list[str]:
        """Return the change of every text, as records have it; "" where there is none."""
        same = len(set(self.fields)) == 1
        path = notation.quoted(self.fields[0]) if same else ""  # else each has its own
        outcome = self.outcome
        texts = edit_texts(outcome.source, outcome.result, outcome.edits, path.encode())
        if texts is None:
            return list(map(notation.written_text, self.fields, self.edits))
        data = texts.codes.tobytes()
        edges = zip(texts.starts.tolist(), texts.ends.tolist(), strict=True)
        if data.isascii():
            whole = data.decode()
            parts = [whole[start:end] for start, end in edges]
        else:
            parts = [data[start:end].decode() for start, end in edges]
        if same:
            return parts
        named = zip(self.fields, parts, strict=True)
        return [notation.quoted(path) + part if part else "" for path, part in named]

    def checks(self) -> str:
        """Return the checks of all texts, each the only one of its row, one after the other."""
        hashes = None if self._rows < _FEW else checks_of_texts(self.outcome.source)
        if hashes is None:
            return "".join(check_of((text,)) for text in self.originals)
        return "x" + digits_of(hashes.astype(np.uint32), "x")

    @cached_property
    def statuses(self) -> list[str]:
        """Of each text "changed", or why not."""
        return [STATUSES[reason] for reason in self.outcome.reasons.tolist()]

    def columns(self) -> tuple[Any, ...]:
        """Return the columns of the records of texts that each are all of their row.

        They are in the order of the schema; one string where it is the same in all records.
        """
        version, changes, lead = self.version, self.changes(), self.given.id_changes
        if lead:
            leads = repeat(lead) if isinstance(lead, str) else lead
            pairs = zip(leads, changes, strict=False)
            changes = [";".join(filter(None, pair)) for pair in pairs]
        return (
            self.original_ids,
            "" if version.job.lean else self.originals,
            version.condition.label,
            self.statuses,
            EXPECTS[self.expect[0]]
            if (self.expect == self.expect[0]).all()
            else [EXPECTS[code] for code in self.expect.tolist()],
            changes,
            [f"x{digits}" for digits in self.checks().split("x")[1:]],
            version.recipe,
        )

    @cached_property
    def linkages(self) -> list[dict[str, str]]:
        """The record of every text, where it is the only one of its row."""
        columns = [
            repeat(values, self._rows) if isinstance(values, str) else values
            for values in self.columns()
        ]
        with collector_paused(self._rows):
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
                tally.notes.get(row),
            )
            for step, tally in pairs
            if REASONS[tally.reasons[row]] != "not taken"
        )

    def notes(self) -> list[list[Any]]:
        """Return what the steps say of each text, in order; those that say nothing are left out."""
        notes = [tally.notes for tally in self.outcome.tallies]
        return [[each[row] for each in notes if row in each] for row in range(self._rows)]

    @cached_property
    def spans(self) -> list[tuple[Span | None, ...]]:
        """The spans of each text after the edits; None for one that was dropped."""
        carried, spans = self.outcome.spans, self.given.spans or ()
        if carried is None:
            return [()] * self._rows
        base = np.repeat(self.outcome.result.starts, list(map(len, spans)))
        starts, ends = (carried.starts - base).tolist(), (carried.ends - base).tolist()
        moved = zip(starts, ends, carried.touched.tolist(), strict=True)
        return [
            tuple(self._span(row, span, *next(moved)) for span in row_spans)
            for row, row_spans in enumerate(spans)
        ]

    def _span(self, row: int, span: Span, start: int, end: int, touched: bool) -> Span | None:
        policy = self.version.job.span_policy
        if touched and policy == "refuse":
            raise DataError(
                f"an edit touches the span {tuple(span)}, {self.originals[row][slice(*span)]!r}, "
                f"of the record {self.ids[row]}; protect the spans, or choose the policy grow or "
                "drop"
            )
        return None if touched and policy == "drop" else (start, end)


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


def check_of(texts: Iterable[str]) -> str:
    """Return the check of the texts and string answers of a row, in the order of the recipe.

    It is against accidents, not forgers: `x`, and the first 8 hexadecimal digits of the SHA-256 of
    all texts, each as the number of its bytes in UTF-8, a colon, and these bytes.

    Examples:
        >>> check_of(["How many eggs?"])
        'x5346abe8'
    """
    digest = sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return f"x{digest.hexdigest()[:8]}"
