"""From what the engine did with a batch to the records of its texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from typing import Any

import numpy as np

from perturb.draws import Int64
from perturb.engine import memory
from perturb.engine.protect import Rules, Span
from perturb.engine.run import run
from perturb.engine.scope import Scope, Spans
from perturb.engine.step import NOT_TAKEN, REASONS
from perturb.engine.strings import Strings, packed
from perturb.errors import DataError
from perturb.fragments import edit_lists
from perturb.identity import record_keys
from perturb.record import CONTRACT, Record
from perturb.settings import Settings, scope_of

# So many characters at a time spread the cost of the calls; more would leave the cache.
_BATCH_SIZE = 3 << 16
# A text costs as much as so many characters, however short it is.
_TEXT_COST = 64

# A text's status and reason, by the number of the reason.
_STATUS = [("unchanged" if reason else "changed", reason or None) for reason in REASONS]


@dataclass(slots=True)
class Texts:
    """Texts, and what holds for each alone; every column is as long as `texts` or None.

    Attributes:
        texts: the texts.
        ids: what names each original; None to name them by their texts.
        fields: where in its row each stands.
        protect: for each, further spans where no edit may be.
        only: for each, further spans where edits may be.
        spans: for each, spans to carry along.
    """

    texts: Sequence[str]
    ids: Sequence[str] | None = None
    fields: Sequence[str] | None = None
    protect: Sequence[Sequence[Span]] | None = None
    only: Sequence[Sequence[Span]] | None = None
    spans: Sequence[Sequence[Span]] | None = None

    def take(self, rows: Sequence[int]) -> Texts:
        """The texts at `rows`, which increase."""
        columns = (self.texts, self.ids, self.fields, self.protect, self.only, self.spans)
        first, last = rows[0], rows[-1] + 1
        if last - first == len(rows):
            return Texts(*(column and column[first:last] for column in columns))  # type: ignore[arg-type]
        return Texts(*(column and list(map(column.__getitem__, rows)) for column in columns))  # type: ignore[arg-type]


class Columns:
    """The records of one batch, held as columns; the `Source` of its records.

    Args:
        texts: the texts with what holds for each.
        settings: what they have in common.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """

    def __init__(self, texts: Texts, settings: Settings) -> None:
        self.settings = settings
        self.originals = texts.texts
        self._texts = texts
        self._keys = record_keys(texts.texts, texts.ids, texts.fields)
        source = Strings.of_texts(self.originals)
        self.outcome = run(
            source,
            self._keys,
            settings.stages,
            self._scope_of(source),
            self._spans_of(source),
            settings.replicate,
        )
        if settings.span_policy == "refuse":
            _ = self.spans  # raises where a span was touched
        self.texts = self.outcome.result.to_texts()
        for row in self.outcome.reasons.nonzero()[0].tolist():
            self.texts[row] = self.originals[row]

    def _scope_of(self, source: Strings) -> Scope:
        """What edits may do."""
        texts, settings = self._texts, self.settings
        protect = only = unwritten = None
        if settings.protect or texts.protect is not None:
            protect = Spans.of(source, _found(settings.protect, self.originals, texts.protect))
        if settings.only is not None:
            only = Spans.of(source, _found(settings.only, self.originals, texts.only))
            unwritten = settings.only.unwritten
        return Scope(protect, only, unwritten)

    def _spans_of(self, source: Strings) -> Spans | None:
        """The spans that are carried along."""
        given = self._texts.spans
        return None if given is None else Spans.of(source, _found(Rules(), self.originals, given))

    @cached_property
    def original_ids(self) -> Sequence[str]:
        """The id of each original."""
        if self._texts.ids is not None:
            return self._texts.ids
        return [f"text:{key:016x}" for key in self._keys.tolist()]

    @cached_property
    def edits(self) -> list[list[list[Any]]]:
        """For each text its edits as lists `[start, end, replacement]`."""
        edits, counts = self.outcome.edits, self._edit_counts
        base = self.outcome.source.starts.repeat(counts)
        columns = (
            (edits.starts - base).tolist(),
            (edits.ends - base).tolist(),
            packed(edits.replacements.flat(), edits.replacements.lengths).to_list(),
        )
        flat = [[start, end, written] for start, end, written in zip(*columns, strict=True)]
        ends = np.cumsum(counts).tolist()
        return [flat[a:b] for a, b in zip([0, *ends], ends, strict=False)]

    @cached_property
    def _edit_counts(self) -> Int64:
        return self.outcome.edits.per_text(self.outcome.source)

    @cached_property
    def steps(self) -> list[list[dict[str, Any]]]:
        """For each text what each step that it took did."""
        by_step = [
            [
                {**spec, "units": units, "sites": sites, "edits": edits}
                for units, sites, edits in zip(
                    tally.units.tolist(), tally.sites.tolist(), tally.edits.tolist(), strict=True
                )
            ]
            for spec, tally in zip(self.settings.specs, self.outcome.tallies, strict=True)
        ]
        for entries, tally in zip(by_step, self.outcome.tallies, strict=True):
            for row, note in tally.notes.items():
                entries[row]["note"] = note
        return self._taken(by_step)

    @cached_property
    def categories(self) -> list[list[str]]:
        """For each text the labels of its record."""
        labels = self.settings.labels
        if not self.settings.pipeline.by_chance:
            return [["perturbed", *labels]] * len(self.originals)
        by_step = [[label] * len(self.originals) for label in labels]
        return [["perturbed", *own] for own in self._taken(by_step)]

    def _taken(self, by_step: list[list[Any]]) -> list[list[Any]]:
        """For each text its entries in the columns of the steps that it took."""
        texts = zip(*by_step, strict=True)
        if not self.settings.pipeline.by_chance:
            return list(map(list, texts))
        took = np.stack([tally.reasons != NOT_TAKEN for tally in self.outcome.tallies], axis=1)
        return [list(compress(own, mask)) for own, mask in zip(texts, took.tolist(), strict=True)]

    @cached_property
    def rates(self) -> list[float]:
        """For each text its edits a unit, over all steps."""
        tallies = self.outcome.tallies
        edits = np.sum([tally.edits for tally in tallies], axis=0)
        units = np.sum([tally.units for tally in tallies], axis=0)
        rates: list[float] = (np.rint(1e6 * edits / np.maximum(units, 1)) / 1e6).tolist()
        return rates

    @cached_property
    def spans(self) -> list[tuple[Span | None, ...] | None]:
        """For each text its spans after the edits."""
        carried = self.outcome.spans
        if carried is None:
            return [None] * len(self.originals)
        given = self._texts.spans or ()
        base = np.repeat(self.outcome.result.starts, list(map(len, given)))
        moved = zip(
            (carried.starts - base).tolist(),
            (carried.ends - base).tolist(),
            carried.touched.tolist(),
            strict=True,
        )
        return [
            tuple(self._kept(row, span, *next(moved)) for span in spans)
            for row, spans in enumerate(given)
        ]

    def _kept(self, row: int, span: Span, start: int, end: int, touched: bool) -> Span | None:
        if touched and self.settings.span_policy == "refuse":
            raise DataError(
                f"an edit touches the span {tuple(span)}, {self.originals[row][slice(*span)]!r}, "
                f"of the record {self.original_ids[row]}; protect the spans, or choose the "
                "policy grow or drop"
            )
        return None if touched and self.settings.span_policy == "drop" else (start, end)

    def id(self, row: int) -> str:
        """What names this version of the text of a row."""
        return self.original_ids[row] + self.settings.suffix

    def linkage(self, row: int) -> dict[str, Any]:
        """The `perturbation` object of a row: all that files hold of a record but its text."""
        return self.linkages[row]

    @cached_property
    def linkages(self) -> list[dict[str, Any]]:
        """The `perturbation` object of every text."""
        return self._with_edits(self.edits)

    @cached_property
    def fragments(self) -> list[dict[str, Any]]:
        """The `perturbation` object of every text, its edits written as JSON already."""
        outcome = self.outcome
        edits = edit_lists(outcome.edits, self._edit_counts, outcome.source.starts)
        return self.linkages if edits is None else self._with_edits(edits)

    def _with_edits(self, edits: Sequence[Any]) -> list[dict[str, Any]]:
        settings = self.settings
        columns = zip(
            self.original_ids,
            self.originals,
            self._texts.fields or repeat(None),
            self.steps,
            edits,
            map(_STATUS.__getitem__, self.outcome.reasons.tolist()),
            self.rates,
            self.categories,
            strict=False,  # `repeat` has no end
        )
        made: list[dict[str, Any]] = [
            {
                "original_id": original_id,
                "original": original,
                "field": field,
                "replicate": settings.replicate,
                "seed": settings.seed,
                "steps": steps,
                "edits": own_edits,
                "status": status,
                "reason": reason,
                "rate": rate,
                "categories": categories,
                "contract": CONTRACT,
                **settings.choice,
                **settings.scope,
            }
            for (
                original_id,
                original,
                field,
                steps,
                own_edits,
                (status, reason),
                rate,
                categories,
            ) in columns
        ]
        if self._texts.protect is not None or self._texts.only is not None:
            for row, linkage in enumerate(made):
                linkage |= self.scope(row)
        if self._texts.spans is not None:
            for linkage, spans in zip(made, self.spans, strict=True):
                linkage["spans"] = [span and list(span) for span in spans or ()]
        return made

    def scope(self, row: int) -> Mapping[str, Any]:
        """The protection that held for one text."""
        protect, only = self._texts.protect, self._texts.only
        here = self.settings.only
        if here is not None and only is not None:
            here = here.with_offsets(only[row])
        return scope_of(self.settings.protect.with_offsets(protect[row] if protect else ()), here)


def _found(
    rules: Rules, texts: Sequence[str], offsets: Sequence[Sequence[Span]] | None
) -> list[list[Span]]:
    """The spans that the rules name in each text, and those given for it."""
    if offsets is None:
        return [rules.spans(text) for text in texts]
    pairs = zip(texts, offsets, strict=True)
    return [rules.with_offsets(own).spans(text) for text, own in pairs]


def batches(texts: Texts, settings: Settings) -> Iterator[tuple[list[int], Columns]]:
    """Perturb many texts, batch by batch.

    Yields:
        The rows of the texts of a batch, and their records.
    """
    memory.keep()
    for rows in _batches(texts.texts):
        yield rows, Columns(texts.take(rows), settings)


def perturbed(texts: Texts, settings: Settings) -> list[Record]:
    """Perturb many texts, and keep the record of each, in order."""
    made: list[Any] = [None] * len(texts.texts)
    for rows, columns in batches(texts, settings):
        for index, row in enumerate(rows):
            made[row] = Record(columns, index)
    return made


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Cut texts into batches; those of ASCII apart, since their characters fit into bytes."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + _TEXT_COST
    narrow = np.fromiter(map(str.isascii, texts), np.bool_, len(texts))
    for rows in (np.flatnonzero(narrow), np.flatnonzero(~narrow)):
        number = np.cumsum(sizes[rows]) // _BATCH_SIZE
        for batch in np.split(rows, np.flatnonzero(number[1:] != number[:-1]) + 1):
            if len(batch):
                yield batch.tolist()
