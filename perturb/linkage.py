"""From what the engine did with a batch to the records of its texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
import regex

from perturb.draws import UInt64
from perturb.engine.protect import Rules, Span
from perturb.engine.run import REASONS, Spans, run
from perturb.engine.strings import Strings, packed
from perturb.errors import DataError, UsageError
from perturb.pipeline import Pipeline
from perturb.record import CONTRACT

# So many characters at a time spread the cost of the calls; more would leave the cache.
_BATCH_SIZE = 1 << 18
# A text costs as much as so many characters, however short it is.
_TEXT_COST = 64

SPAN_POLICIES = ("grow", "drop", "refuse")

_EMPTY_DIGEST = blake2b(digest_size=8)
_TEXT_ID = regex.compile(r"text:[0-9a-f]{16}")


@dataclass(frozen=True)
class Settings:
    """What all texts of a run have in common.

    Attributes:
        pipeline: the steps.
        seed: any integer; 0 is a seed like any other.
        replicate: which of several versions of the same texts this is, from 0.
        protect: where no edit may be.
        only: where alone edits may be; None for everywhere.
        span_policy: what becomes of a span that an edit touches: "grow", "drop" or "refuse".
        label: what tells the rows of this pipeline from those of others in the same output.
    """

    pipeline: Pipeline
    seed: int = 0
    replicate: int = 0
    protect: Rules = field(default_factory=Rules)
    only: Rules | None = None
    span_policy: str = "grow"
    label: str = ""

    @cached_property
    def streams(self) -> list[int]:
        """The key of each step's stream of draws."""
        return self.pipeline.streams(self.seed, self.replicate)

    @cached_property
    def specs(self) -> list[dict[str, Any]]:
        """Each step as records hold it."""
        return [step.to_dict() for step in self.pipeline.steps]

    @cached_property
    def categories(self) -> list[str]:
        """The labels of the records."""
        return ["perturbed", *(f"perturbed_by:{step}" for step in self.pipeline.steps)]

    @cached_property
    def scope(self) -> dict[str, Any]:
        """The protection as records hold it, without offsets."""
        return _scope(self.protect, self.only)

    def version_id(self, original_id: str) -> str:
        """The id of this version of an original."""
        return "#".join(filter(None, (original_id, self.label, str(self.replicate))))


@dataclass(frozen=True, slots=True)
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
        """The texts at `rows`."""
        columns = (self.texts, self.ids, self.fields, self.protect, self.only, self.spans)
        return Texts(*(column and list(map(column.__getitem__, rows)) for column in columns))  # type: ignore[arg-type]


def record_keys(texts: Texts) -> UInt64:
    """The key of each record: of its id, or of its text where it has none.

    A path into a list belongs to the key, so that the texts of one row draw on their own.
    """
    if texts.ids is None:
        digests = list(map(_digest, texts.texts))
    elif texts.fields is None or "[" not in texts.fields[0]:
        digests = list(map(_digest_of_id, texts.ids))
    else:
        pairs = zip(texts.ids, texts.fields, strict=True)
        digests = [_digest("\0".join(pair)) for pair in pairs]
    return np.frombuffer(b"".join(digests), "<u8")


def id_of_text(text: str) -> str:
    """The id of an original that has no other."""
    return f"text:{int.from_bytes(_digest(text), 'little'):016x}"


def _digest(text: str) -> bytes:
    digest = _EMPTY_DIGEST.copy()  # faster than a new one
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _digest_of_id(id: str) -> bytes:
    """The key of an id; one that was made of a text is that text's key."""
    if _TEXT_ID.fullmatch(id):
        return int(id[5:], 16).to_bytes(8, "little")
    return _digest(id)


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
        self._keys = record_keys(texts)
        source = Strings.of_texts(self.originals)
        steps = list(zip(settings.pipeline.steps, settings.streams, strict=True))
        self.outcome = run(source, self._keys, steps, *self._scope_of(source), settings.replicate)
        if settings.span_policy == "refuse":
            _ = self.spans  # raises where a span was touched
        self.texts = self.outcome.result.to_list()
        for row in np.flatnonzero(self.outcome.reasons).tolist():
            self.texts[row] = self.originals[row]

    def _scope_of(self, source: Strings) -> tuple[Spans | None, Spans | None, Spans | None]:
        """The spans that are protected, that alone are open, and that are carried along."""
        texts, settings = self._texts, self.settings
        protect = only = spans = None
        if settings.protect or texts.protect is not None:
            protect = Spans.of(source, _found(settings.protect, self.originals, texts.protect))
        if settings.only is not None:
            only = Spans.of(source, _found(settings.only, self.originals, texts.only))
        if texts.spans is not None:
            spans = Spans.of(source, _found(Rules(), self.originals, texts.spans))
        return protect, only, spans

    @cached_property
    def original_ids(self) -> Sequence[str]:
        """The id of each original."""
        if self._texts.ids is not None:
            return self._texts.ids
        return [f"text:{key:016x}" for key in self._keys.tolist()]

    @cached_property
    def edits(self) -> list[list[list[Any]]]:
        """For each text its edits as lists `[start, end, replacement]`."""
        outcome = self.outcome
        counts = outcome.edits.per_text(outcome.source)
        base = np.repeat(outcome.source.starts, counts)
        replacements = outcome.edits.replacements
        flat = [
            list(edit)
            for edit in zip(
                (outcome.edits.starts - base).tolist(),
                (outcome.edits.ends - base).tolist(),
                packed(replacements.flat(), replacements.lengths).to_list(),
                strict=True,
            )
        ]
        ends = np.cumsum(counts).tolist()
        return [flat[a:b] for a, b in zip([0, *ends], ends, strict=False)]

    @cached_property
    def reasons(self) -> list[str | None]:
        """Why each text is unchanged; None for one that changed."""
        return [REASONS[reason] or None for reason in self.outcome.reasons.tolist()]

    @cached_property
    def tallies(self) -> list[list[tuple[int, int, int]]]:
        """For each step and text: units, sites, edits."""
        return [
            list(zip(t.units.tolist(), t.sites.tolist(), t.edits.tolist(), strict=True))
            for t in self.outcome.tallies
        ]

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
        return self.settings.version_id(self.original_ids[row])

    def linkage(self, row: int) -> dict[str, Any]:
        """The `perturbation` object of a row: all that files hold of a record but its text."""
        settings, fields = self.settings, self._texts.fields
        tallies = [tally[row] for tally in self.tallies]
        notes = [tally.notes.get(row) for tally in self.outcome.tallies]
        all_units = sum(units for units, _, _ in tallies)
        reason = self.reasons[row]
        made: dict[str, Any] = {
            "original_id": self.original_ids[row],
            "original": self.originals[row],
            "field": fields and fields[row],
            "replicate": settings.replicate,
            "seed": settings.seed,
            "steps": [
                {**spec, "units": units, "sites": sites, "edits": edits}
                | ({} if note is None else {"note": note})
                for spec, (units, sites, edits), note in zip(
                    settings.specs, tallies, notes, strict=True
                )
            ],
            "edits": self.edits[row],
            "status": "unchanged" if reason else "changed",
            "reason": reason,
            "rate": round(sum(edits for _, _, edits in tallies) / max(all_units, 1), 6),
            "categories": settings.categories,
            "contract": CONTRACT,
            **self.scope(row),
        }
        if self._texts.spans is not None:
            made["spans"] = [span and list(span) for span in self.spans[row] or ()]
        return made

    def scope(self, row: int) -> Mapping[str, Any]:
        """The protection that held for one text."""
        protect, only = self._texts.protect, self._texts.only
        if protect is None and only is None:
            return self.settings.scope
        here = self.settings.only
        if here is not None and only is not None:
            here = here.with_offsets(only[row])
        return _scope(self.settings.protect.with_offsets(protect[row] if protect else ()), here)


def _found(
    rules: Rules, texts: Sequence[str], offsets: Sequence[Sequence[Span]] | None
) -> list[list[Span]]:
    """The spans that the rules name in each text, and those given for it."""
    if offsets is None:
        return [rules.spans(text) for text in texts]
    pairs = zip(texts, offsets, strict=True)
    return [rules.with_offsets(own).spans(text) for text, own in pairs]


def _scope(protect: Rules, only: Rules | None) -> dict[str, Any]:
    made = {"protect": protect.to_list()} if protect else {}
    return made if only is None else {**made, "only": only.to_list()}


def checked_settings(
    pipeline: Pipeline,
    *,
    seed: int = 0,
    replicate: int = 0,
    protect: Any = None,
    only: Any = None,
    span_policy: str = "grow",
) -> Settings:
    """Settings from what a caller wrote.

    Raises:
        UsageError: a value that can't be.
        TypeError: a value of a wrong type.
    """
    for name, value in (("seed", seed), ("replicate", replicate)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name} must be a whole number; got {value!r}")
    if not -(1 << 63) <= seed < 1 << 64:
        raise UsageError(f"seed must fit into 64 bits, to be kept in JSON; got {seed}")
    if replicate < 0:
        raise UsageError(f"replicate must be at least 0; got {replicate}")
    if span_policy not in SPAN_POLICIES:
        raise UsageError(f"span_policy is one of {', '.join(SPAN_POLICIES)}; got {span_policy!r}")
    return Settings(
        pipeline,
        seed,
        replicate,
        Rules() if protect is None else Rules.of(protect),
        None if only is None else Rules.of(only),
        span_policy,
    )


def in_batches(texts: Texts, settings: Settings) -> list[tuple[Columns, int]]:
    """Perturb many texts, batch by batch.

    Returns:
        For each text the columns that hold it and its row in them.
    """
    made: list[Any] = [None] * len(texts.texts)
    for rows in _batches(texts.texts):
        columns = Columns(texts.take(rows), settings)
        for index, row in enumerate(rows):
            made[row] = (columns, index)
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


def checked_id(id: Any) -> str:
    """An id as a string.

    Raises:
        TypeError: it is neither a string nor a whole number.
    """
    if isinstance(id, str):
        return id
    if isinstance(id, int) and not isinstance(id, bool):
        return str(id)
    raise TypeError(f"an id is a string or a whole number; got {id!r}")
