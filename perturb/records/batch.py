"""From what the engine did with a batch to the records of its texts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from perturb._version import CONTRACT
from perturb.engine import allocator
from perturb.engine.protection import Rules, Span
from perturb.engine.run import run
from perturb.engine.scope import Scope, Spans
from perturb.engine.step import NOT_TAKEN, REASONS
from perturb.engine.text.strings import Strings, packed
from perturb.errors import DataError
from perturb.records.ids import record_keys
from perturb.records.json_edits import edit_lists
from perturb.records.json_template import (
    Column,
    in_rows,
    json_in_rows,
    of_choices,
    of_few,
    of_numbers,
    of_values,
)
from perturb.records.record import Record
from perturb.records.run_config import Settings, scope_of
from perturb.rng import UInt64

# So many characters at a time spread the cost of the calls; more would leave the cache.
_BATCH_SIZE = 5 << 16
# A text costs as much as so many characters, however short it is.
_TEXT_COST = 64

# By the number of the reason why a text was left as it was.
_STATUSES = ["unchanged" if reason else "changed" for reason in REASONS]
_REASONS = [reason or None for reason in REASONS]


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
    _keys: UInt64 | None = None

    def keys(self) -> UInt64:
        """The key of each; they are made once, for whatever is done with the texts."""
        if self._keys is None:
            self._keys = record_keys(self.texts, self.ids, self.fields)
        return self._keys

    def take(self, rows: Sequence[int]) -> Texts:
        """The texts at `rows`, which increase."""
        columns = (self.texts, self.ids, self.fields, self.protect, self.only, self.spans)
        first, last = rows[0], rows[-1] + 1
        if last - first == len(rows):
            taken = Texts(*(column and column[first:last] for column in columns))  # type: ignore[arg-type]
            taken._keys = self.keys()[first:last]
        else:
            taken = Texts(*(column and list(map(column.__getitem__, rows)) for column in columns))  # type: ignore[arg-type]
            taken._keys = self.keys()[rows]
        return taken


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
        source = Strings.of_texts(self.originals)
        self.outcome = run(
            source,
            texts.keys(),
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
        digits = self._texts.keys().astype(">u8").tobytes().hex()
        return ["text:" + digits[at : at + 16] for at in range(0, len(digits), 16)]

    def _edits(self, compact: bool) -> Column:
        """For each text its edits as lists, `[start, end, replacement]`.

        Where they are to be `compact`, what was removed follows.
        """
        edits, source = self.outcome.edits, self.outcome.source
        counts = edits.per_text(source)
        removed = Strings(source.codes, edits.starts, edits.ends) if compact else None

        def values() -> list[list[list[Any]]]:
            base = source.starts.repeat(counts)
            strings = [each for each in (edits.replacements, removed) if each is not None]
            columns = (
                (edits.starts - base).tolist(),
                (edits.ends - base).tolist(),
                *(packed(each.flat(), each.lengths).to_list() for each in strings),
            )
            flat = list(map(list, zip(*columns, strict=True)))
            ends = np.cumsum(counts).tolist()
            return [flat[a:b] for a, b in zip([0, *ends], ends, strict=False)]

        def json() -> Iterable[bytes]:
            made = edit_lists(edits, counts, source.starts, removed)
            return map(orjson.dumps, values()) if made is None else made

        return Column(values, json)

    def _steps(self) -> Any:
        """What each step that a text took did, as a template of all texts."""
        tallies = self.outcome.tallies
        steps = [
            {
                **spec,
                "units": of_numbers(tally.units),
                "sites": of_numbers(tally.sites),
                "edits": of_numbers(tally.edits),
            }
            for spec, tally in zip(self.settings.specs, tallies, strict=True)
        ]
        if not self.settings.pipeline.by_chance and not any(tally.notes for tally in tallies):
            return steps
        by_step = [list(in_rows(step, len(self.originals))) for step in steps]
        for entries, tally in zip(by_step, tallies, strict=True):
            for row, note in tally.notes.items():
                entries[row]["note"] = note
        return of_values(self._taken(by_step))

    def _categories(self) -> Any:
        """The labels of the records, as a template of all texts."""
        labels = self.settings.labels
        if not self.settings.pipeline.by_chance:
            return ["perturbed", *labels]
        by_step = [[label] * len(self.originals) for label in labels]
        return of_values([["perturbed", *own] for own in self._taken(by_step)])

    def _taken(self, by_step: list[list[Any]]) -> list[list[Any]]:
        """For each text its entries in the columns of the steps that it took."""
        texts = zip(*by_step, strict=True)
        if not self.settings.pipeline.by_chance:
            return list(map(list, texts))
        took = np.stack([tally.reasons != NOT_TAKEN for tally in self.outcome.tallies], axis=1)
        return [list(compress(own, mask)) for own, mask in zip(texts, took.tolist(), strict=True)]

    def _rates(self) -> NDArray[np.float64]:
        """For each text its edits a unit, over all steps."""
        tallies = self.outcome.tallies
        edits = sum(tally.edits for tally in tallies)
        units = sum(tally.units for tally in tallies)
        rates: NDArray[np.float64] = np.rint(1e6 * edits / np.maximum(units, 1)) / 1e6
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
        return self.in_rows()

    def in_rows(self, compact: bool = False) -> list[dict[str, Any]]:
        """The `perturbation` object of every text.

        Args:
            compact: whether to leave the original out, and keep in each edit what it removed.
        """
        made: list[dict[str, Any]] = list(in_rows(self._template(compact), len(self.originals)))
        if self._texts.protect is not None or self._texts.only is not None:
            for row, linkage in enumerate(made):
                linkage |= self.scope(row)
        if self._texts.spans is not None:
            for linkage, spans in zip(made, self.spans, strict=True):
                linkage["spans"] = [span and list(span) for span in spans or ()]
        return made

    def json_in_rows(self, compact: bool = False) -> Sequence[orjson.Fragment | dict[str, Any]]:
        """What `in_rows` gives, as JSON where that can hold it.

        Lone surrogates can't be JSON of their own, and what a text has for itself varies in keys.
        """
        texts = self._texts
        if texts.protect is None and texts.only is None and texts.spans is None:
            with contextlib.suppress(orjson.JSONEncodeError):
                made = json_in_rows(self._template(compact), len(self.originals))
                return list(map(orjson.Fragment, made))
        return self.in_rows(compact)

    def _template(self, compact: bool) -> dict[str, Any]:
        """What the records hold; a column wherever they differ."""
        settings, fields = self.settings, self._texts.fields
        return {
            "original_id": of_values(self.original_ids),
            **({} if compact else {"original": of_values(self.originals)}),
            "field": None if fields is None else of_few(fields),
            "replicate": settings.replicate,
            "seed": settings.seed,
            "steps": self._steps(),
            "edits": self._edits(compact),
            "status": of_choices(_STATUSES, self.outcome.reasons),
            "reason": of_choices(_REASONS, self.outcome.reasons),
            "rate": of_numbers(self._rates()),
            "categories": self._categories(),
            "contract": CONTRACT,
            **settings.choice,
            **settings.scope,
        }

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
    allocator.keep()
    for rows in _batches(texts.texts):
        yield rows, Columns(texts.take(rows), settings)


def perturbed(texts: Texts, settings: Settings) -> list[Record]:
    """Perturb many texts, and keep the record of each, in order."""
    made: list[Any] = [None] * len(texts.texts)
    for rows, columns in batches(texts, settings):
        records = map(Record, repeat(columns), range(len(rows)))
        for row, record in zip(rows, records, strict=True):
            made[row] = record
    return made


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Cut texts into batches; those of ASCII apart, since their characters fit into bytes."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + _TEXT_COST
    narrow = np.fromiter(map(str.isascii, texts), np.bool_, len(texts))
    for rows in (np.flatnonzero(narrow), np.flatnonzero(~narrow)):
        ends = np.cumsum(sizes[rows])
        parts = 1 + int(ends[-1:].sum()) // _BATCH_SIZE
        for batch in np.split(rows, ends.searchsorted(ends[-1:] * np.arange(1, parts) // parts)):
            if len(batch):
                yield batch.tolist()
