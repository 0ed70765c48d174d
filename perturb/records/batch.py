"""The records of one batch of texts, held as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native.kernels import checks_of_texts
from perturb.engine.native.rows import edit_texts
from perturb.engine.one_text import SingleOutcome
from perturb.engine.protection import Span
from perturb.engine.run import Outcome
from perturb.engine.step import REASONS
from perturb.engine.text.strings import Strings, column
from perturb.errors import DataError
from perturb.plan.job import Version
from perturb.records import notation
from perturb.records.collector import collector_paused
from perturb.records.edit import Edit
from perturb.records.ids import TEXT_PREFIX
from perturb.records.schema import NAMES
from perturb.records.texts import Texts
from perturb.registry.expectations import composed_codes
from perturb.registry.vocabulary import EXPECTS
from perturb.rng import sha256
from perturb.values.arrays import Bool, Int8, UInt64

# By the number of the reason why a text was left as it was.
STATUSES = ["changed", *REASONS[1:]]
# Fewer texts are hashed sooner than a kernel is called.
_FEW = 4
# An edit without the calls of Python that its class would make.
_edit: Callable[[type[Edit], Iterable[Any]], Edit] = tuple.__new__


class StepResult(NamedTuple):
    """One step of the pipeline and what it did with a text.

    Attributes:
        name: of the perturbator.
        version: of the perturbator.
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
        self._given = texts
        self._rows = len(texts)
        if version.job.span_policy == "refuse":
            _ = self.spans  # raises where a span was touched
        if decoded:
            self.texts = outcome.texts(texts.texts)

    def __len__(self) -> int:
        return self._rows

    @cached_property
    def originals(self) -> Sequence[str]:
        """The texts before any edit."""
        return self._given.texts

    @cached_property
    def original_ids(self) -> Sequence[str]:
        """The id of each original."""
        if self._given.ids is not None:
            return self._given.ids
        digits = self._given.keys.astype(">u8").tobytes().hex()
        return [TEXT_PREFIX + digits[at : at + 16] for at in range(0, len(digits), 16)]

    @property
    def keys(self) -> UInt64:
        """The key of each record."""
        return self._given.keys

    @cached_property
    def id_codes(self) -> Strings:
        """The ids of the originals, in an array."""
        if self._given.ids is not None:
            return column(self._given.ids)
        digits = np.frombuffer(self.keys.astype(">u8").tobytes().hex().encode(), np.uint8)
        prefix = np.frombuffer(TEXT_PREFIX.encode(), np.uint8)
        size = len(prefix) + 16
        codes = np.empty((self._rows, size), np.uint8)
        codes[:, : len(prefix)] = prefix
        codes[:, len(prefix) :] = digits.reshape(-1, 16)
        starts = np.arange(len(codes)) * size
        return Strings(codes.ravel(), starts, starts + size)

    def id(self, row: int) -> str:
        """Return the name of this version of the text of a row."""
        return self.original_ids[row] + self.version.suffix

    def field(self, row: int) -> str:
        """Return where a text stood in its row."""
        return notation.BARE if self._given.fields is None else self._given.fields[row]

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
        paths = self._given.fields or [notation.BARE] * self._rows
        edits, source = self.outcome.edits, self.outcome.source
        old = Strings(source.codes, edits.starts, edits.ends)
        counts = edits.per_text(source)
        texts = edit_texts(old, edits.replacements, counts, source.starts, b"", json=False)
        if texts is None:
            return list(map(notation.written_text, paths, self.edits))
        data = texts.codes.tobytes()
        edges = zip(texts.starts.tolist(), texts.ends.tolist(), strict=True)
        parts = zip(paths, (data[start:end].decode() for start, end in edges), strict=True)
        return [notation.quoted(path) + part if part else "" for path, part in parts]

    @property
    def id_changes(self) -> Sequence[str] | str | None:
        """How the id in the row of each text differs from what records say; see `Texts`."""
        return self._given.id_changes

    def checks(self) -> list[str]:
        """Return the check of every text, where it is the only one of its row."""
        hashes = None if self._rows < _FEW else checks_of_texts(self.outcome.source)
        if hashes is None:
            return [check_of((text,)) for text in self.originals]
        digits = hashes.astype(">u4").tobytes().hex()
        return ["x" + digits[at : at + 8] for at in range(0, len(digits), 8)]

    def status(self, row: int) -> str:
        """Return "changed", or why not."""
        return STATUSES[int(self.outcome.reasons[row])]

    def linkage(self, row: int) -> tuple[str, ...]:
        """Return the values of the record of a text, in the order of the schema."""
        return tuple(self._linkages[row].values())

    @cached_property
    def _linkages(self) -> list[dict[str, str]]:
        return self.linkages()

    def columns(self) -> tuple[Sequence[str] | str, ...]:
        """Return the columns of the records of texts that each are all of their row.

        Returns:
            In the order of the schema; one string where it is the same in all records.
        """
        version = self.version
        return (
            self.original_ids,
            "" if version.job.lean else self.originals,
            version.condition.label,
            [STATUSES[reason] for reason in self.outcome.reasons.tolist()],
            [EXPECTS[code] for code in self.expect.tolist()],
            self.joined_changes(),
            self.checks(),
            version.recipe,
        )

    def linkages(self) -> list[dict[str, str]]:
        """Return the record of every text, where it is the only one of its row."""
        columns = [
            repeat(values, self._rows) if isinstance(values, str) else values
            for values in self.columns()
        ]
        with collector_paused(self._rows):
            return [dict(zip(NAMES, values, strict=True)) for values in zip(*columns, strict=True)]

    def joined_changes(self) -> list[str]:
        """Return the changes of every text that is the only one of its row, with that of its id."""
        lead = self._given.id_changes
        if not lead:
            return self.changes()
        leads = repeat(lead) if isinstance(lead, str) else lead
        pairs = zip(leads, self.changes(), strict=False)
        return [";".join(filter(None, pair)) for pair in pairs]

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

    def notes(self, row: int) -> list[Any]:
        """Return what the steps say of a text, in order; those that say nothing are left out."""
        return [tally.notes[row] for tally in self.outcome.tallies if row in tally.notes]

    @cached_property
    def spans(self) -> list[tuple[Span | None, ...]]:
        """The spans of each text after the edits; None for one that was dropped."""
        carried = self.outcome.spans
        given = self._given.spans or ()
        if carried is None:
            return [()] * self._rows
        base = np.repeat(self.outcome.result.starts, list(map(len, given)))
        moved = zip(
            (carried.starts - base).tolist(),
            (carried.ends - base).tolist(),
            carried.touched.tolist(),
            strict=True,
        )
        each = iter(moved)
        return [
            tuple(self._span(row, span, *next(each)) for span in own)
            for row, own in enumerate(given)
        ]

    def _span(self, row: int, span: Span, start: int, end: int, touched: bool) -> Span | None:
        policy = self.version.job.span_policy
        if touched and policy == "refuse":
            raise DataError(
                f"an edit touches the span {tuple(span)}, {self.originals[row][slice(*span)]!r}, "
                f"of the record {self.id(row)}; protect the spans, or choose the policy grow or "
                "drop"
            )
        return None if touched and policy == "drop" else (start, end)

    def again(self, row: int) -> RecordBatch:
        """Return the record of one text, perturbed once more by the same steps."""
        from perturb.records.perturb_texts import perturb_batch  # which makes these

        return perturb_batch(self._given.where(np.arange(len(self)) == row), self.version)


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
