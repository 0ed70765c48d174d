"""The records of one batch of texts, held as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress, repeat
from typing import Any

import numpy as np
import orjson

from perturb._version import CONTRACT
from perturb.engine.one_text import SingleOutcome
from perturb.engine.protection import Span
from perturb.engine.run import Outcome
from perturb.engine.step import NOT_TAKEN, REASONS, Tally
from perturb.engine.text.strings import Strings, column, packed
from perturb.errors import DataError
from perturb.io.jsonl import text_of_json
from perturb.records import json_columns
from perturb.records.edit import Edit
from perturb.records.ids import TEXT_PREFIX
from perturb.records.json_columns import JsonColumn, joined, to_bytes
from perturb.records.json_edits import edit_lists
from perturb.records.json_template import (
    Column,
    in_rows,
    json_pieces,
    of_choices,
    of_few,
    of_numbers,
    of_strings,
    of_values,
)
from perturb.records.run_config import RunConfig, scope_of
from perturb.records.texts import Texts
from perturb.values.arrays import Float64, UInt64

# By the number of the reason why a text was left as it was.
_STATUSES = ["unchanged" if reason else "changed" for reason in REASONS]
# A text of more characters is long; its copies take more memory than all else.
_LONG = 1 << 20
# An edit without the calls of Python that its class would make.
_edit: Callable[[type[Edit], Iterable[Any]], Edit] = tuple.__new__


class RecordBatch:
    """The records of one batch, held as columns; the `RecordSource` of its records.

    Args:
        texts: the texts with what holds for each.
        config: what they have in common.
        outcome: what the engine did with them.
        decoded: whether `texts` are asked for; an attribute that is made when it is read would be
            slower to read, for each record.

    Attributes:
        config: what the texts have in common.
        outcome: what the engine did with them.
        originals: the texts before.
        texts: the texts after; there is no such attribute where they are not asked for.

    Raises:
        DataError: an edit touched a span and the policy is to refuse.
    """

    def __init__(
        self,
        texts: Texts,
        config: RunConfig,
        outcome: Outcome | SingleOutcome,
        decoded: bool = True,
    ) -> None:
        self.config = config
        self.outcome = outcome
        self._given = texts
        self._rows = len(texts)
        self._columns: dict[str, Sequence[Any]] = {}
        if config.span_policy == "refuse":
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
        return self.original_ids[row] + self.config.suffix

    def edits(self, row: int) -> tuple[Edit, ...]:
        """Return the edits of a row."""
        return self._edits[row]

    def value(self, row: int, key: str) -> Any:
        """Return one value of the `perturbation` object of a row; None where it has none."""
        if key not in self._columns:
            made = in_rows(self._template.get(key), self._rows)
            self._columns[key] = made if isinstance(made, list) else list(made)
        return self._columns[key][row]

    @property
    def carries_spans(self) -> bool:
        """True if the records hold spans of the caller's."""
        return self._given.spans is not None

    def linkage(self, row: int) -> dict[str, Any]:
        """Return the `perturbation` object of a row: all that files hold but its text."""
        return self.linkages[row]

    @cached_property
    def linkages(self) -> list[dict[str, Any]]:
        """The `perturbation` object of every text."""
        return list(in_rows(self._template, self._rows))

    def in_rows(self, compact: bool = False) -> list[dict[str, Any]]:
        """Return the `perturbation` object of every text.

        Args:
            compact: whether to leave the original out, and keep in each edit what it removed.
        """
        return list(in_rows(self.template(compact), self._rows))

    def json_pieces(self, compact: bool = False) -> list[bytes | JsonColumn]:
        """Return what the JSON of what `in_rows` gives is put together of.

        Raises:
            orjson.JSONEncodeError: there are lone surrogates, which can't be JSON of their own;
                perhaps only when the rows are taken.
        """
        return json_pieces(self.template(compact))

    def json_in_rows(self, compact: bool = False) -> Sequence[orjson.Fragment | dict[str, Any]]:
        """Return what `in_rows` gives, as JSON where that can hold it.

        Of one long text only the edits are JSON, so that all that is long is held once.
        """
        try:
            if self._rows > 1 or len(self.originals[0]) <= _LONG:
                made = joined(self.json_pieces(compact), self._rows)
                return list(map(orjson.Fragment, to_bytes(made)))
            template = self.template(compact)
            edits = list(map(orjson.Fragment, to_bytes(template["edits"].json())))
            return list(in_rows({**template, "edits": of_values(edits)}, 1))
        except orjson.JSONEncodeError:
            return self.in_rows(compact)

    @cached_property
    def _template(self) -> dict[str, Any]:
        return self.template()

    def template(self, compact: bool = False) -> dict[str, Any]:
        """Return what the records hold, in the order of the schema; a column where they differ.

        The columns refer to the batch: who keeps them there makes a cycle of references.

        Args:
            compact: see `in_rows`.
        """
        config, given, reasons = self.config, self._given, self.outcome.reasons
        rows = self._rows
        original = of_strings(lambda: self.originals, lambda: self.outcome.source, rows)
        return {
            "original_id": of_strings(lambda: self.original_ids, lambda: self.id_codes, rows),
            **({} if compact else {"original": original}),
            "field": "" if given.fields is None else of_few(given.fields),
            "replicate": config.replicate,
            "seed": config.seed,
            "steps": self._steps(),
            "edits": self._edit_column(compact),
            "status": of_choices(_STATUSES, reasons),
            "reason": of_choices(REASONS, reasons) if reasons.any() else "",
            "rate": of_numbers(self.rates()),
            "categories": self._categories(),
            "contract": CONTRACT,
            "pipeline": config.drawn_from,
            "scope": self._scopes(),
            **({} if given.spans is None else {"spans": of_values(self._span_objects())}),
        }

    @cached_property
    def edit_columns(self) -> tuple[list[int], list[int], list[str]]:
        """The starts, the ends and the texts of the edits of all texts."""
        return self.outcome.edit_columns()

    def _by_text(self, flat: Sequence[Any]) -> Iterator[Any]:
        """Cut a column with an entry for each edit into one sequence a text."""
        ends = self.outcome.edit_ends()
        return (flat[a:b] for a, b in zip([0, *ends], ends, strict=False))

    @cached_property
    def _edits(self) -> list[tuple[Edit, ...]]:
        """The edits of every text."""
        columns = zip(*self.edit_columns, strict=True)
        return list(self._by_text(tuple(map(_edit, repeat(Edit), columns))))

    def _edit_column(self, compact: bool) -> Column:
        """Return the column of the edits of each text, as objects.

        Where they are to be `compact`, they hold what was removed.
        """
        edits, source = self.outcome.edits, self.outcome.source
        removed = Strings(source.codes, edits.starts, edits.ends) if compact else None

        def values() -> list[list[dict[str, Any]]]:
            columns: tuple[list[Any], ...] = self.edit_columns
            keys: tuple[str, ...] = Edit._fields
            if removed is not None:
                keys = (*keys, "removed")
                columns = (*columns, packed(removed.flat(), removed.lengths).to_list())
            flat = [dict(zip(keys, one, strict=True)) for one in zip(*columns, strict=True)]
            return list(self._by_text(flat))

        def json() -> JsonColumn:
            made = edit_lists(edits, edits.per_text(source), source.starts, removed)
            return json_columns.of_values(values()) if made is None else made

        return Column(values, json)

    def _steps(self) -> Any:
        """Return what each step that a text took did, as a template of all texts."""
        pairs = zip(self.config.specs, self.outcome.tallies, strict=True)
        steps = [self._step(spec, tally) for spec, tally in pairs]
        if not self.config.pipeline.by_chance:
            return steps
        return of_values(self._taken([list(in_rows(step, self._rows)) for step in steps]))

    def _step(self, spec: dict[str, Any], tally: Tally) -> dict[str, Any]:
        """Return what one step did, as a template of all texts."""
        notes: Any = ""
        if tally.notes:
            notes = [""] * self._rows
            for row, note in tally.notes.items():
                notes[row] = text_of_json(note)
        return {
            **spec,
            "units": of_numbers(tally.units),
            "closed": of_numbers(tally.closed) if tally.closed.any() else 0,
            "sites": of_numbers(tally.sites),
            "edits": of_numbers(tally.edits),
            "saturated": of_choices((False, True), tally.saturated.view(np.uint8))
            if tally.saturated.any()
            else False,
            "note": of_values(notes) if notes else "",
        }

    def _categories(self) -> Any:
        """Return the labels of the records, as a template of all texts."""
        labels = self.config.categories
        if not self.config.pipeline.by_chance:
            return ["perturbed", *labels]
        by_step = [[label] * self._rows for label in labels]
        return of_values([["perturbed", *own] for own in self._taken(by_step)])

    def _taken(self, by_step: list[list[Any]]) -> list[list[Any]]:
        """Return for each text its entries in the columns of the steps that it took."""
        took = np.stack([tally.reasons != NOT_TAKEN for tally in self.outcome.tallies], axis=1)
        texts = zip(*by_step, strict=True)
        return [list(compress(own, mask)) for own, mask in zip(texts, took.tolist(), strict=True)]

    def rates(self) -> Float64:
        """Return for each text its edits a unit, over all steps."""
        tallies = self.outcome.tallies
        edits = sum(tally.edits for tally in tallies)
        units = sum(tally.units for tally in tallies)
        rates: Float64 = np.rint(1e6 * edits / np.maximum(units, 1)) / 1e6
        return rates

    def _scopes(self) -> Any:
        """Return the protection that held, as a template of all texts."""
        protect, only, here = self._given.protect, self._given.only, self.config.only
        if protect is None and only is None:
            return self.config.scope
        none: list[Sequence[Span]] = [()] * self._rows
        return of_values(
            [
                scope_of(
                    self.config.protect.with_offsets(closed),
                    here if here is None or only is None else here.with_offsets(opened),
                )
                for closed, opened in zip(protect or none, only or none, strict=True)
            ]
        )

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
        return [
            tuple(self._kept(row, span, *next(moved)) for span in spans)
            for row, spans in enumerate(given)
        ]

    def _span_objects(self) -> list[list[dict[str, int]]]:
        """Return the spans of each text as records hold them."""
        return [
            [dict(zip(("start", "end"), span or (-1, -1), strict=True)) for span in own]
            for own in self.spans
        ]

    def _kept(self, row: int, span: Span, start: int, end: int, touched: bool) -> Span | None:
        if touched and self.config.span_policy == "refuse":
            raise DataError(
                f"an edit touches the span {tuple(span)}, {self.originals[row][slice(*span)]!r}, "
                f"of the record {self.original_ids[row]}; protect the spans, or choose the "
                "policy grow or drop"
            )
        return None if touched and self.config.span_policy == "drop" else (start, end)
