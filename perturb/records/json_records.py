"""Records as bytes of JSON, by kernels, for rows that are written without an object for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import orjson

from perturb.engine.native.rows import Quoted, join
from perturb.engine.text.strings import Strings, column, of_one_size, packed
from perturb.errors import DataError
from perturb.records import notation
from perturb.records.batch import STATUSES, RecordBatch
from perturb.records.schema import NAMES
from perturb.registry.vocabulary import EXPECTS

# What all rows have, or each row its own.
Piece = bytes | Strings | Quoted


def record_pieces(batch: RecordBatch) -> list[Piece]:
    """Return what the JSON of the records of texts that are all of their rows is put together of.

    Raises:
        DataError: see `joined`.
    """
    version = batch.version
    original: list[Piece] = [b'""'] if version.job.lean else [Quoted(batch.outcome.source)]
    columns: list[list[Piece]] = [
        [Quoted(column(batch.original_ids))],
        original,
        [orjson.dumps(version.condition.label)],
        [_strings(map(orjson.dumps, STATUSES)).take(batch.outcome.reasons.astype(np.intp))],
        [_strings(map(orjson.dumps, EXPECTS)).take(batch.expect.astype(np.intp))],
        [b'"', *_changes(batch), b'"'],
        [b'"', of_one_size(batch.checks(), len(batch)), b'"'],
        [orjson.dumps(version.recipe)],
    ]
    pieces: list[Piece] = []
    for name, of_field in zip(NAMES, columns, strict=True):
        pieces += (f'{"," if pieces else "{"}"{name}":'.encode(), *of_field)
    return [*pieces, b"}"]


def _changes(batch: RecordBatch) -> list[Piece]:
    """Return the changes of each row as they stand between the quotes of a string of JSON."""
    lead = batch.given.id_changes
    if not isinstance(lead, str) and lead is not None and not all(lead):
        raise DataError("some ids are strings, and some are not")
    path = (";" if lead else "") + notation.quoted(batch.fields[0])
    changes = batch.written_edits(_inner(path), json=True)
    if changes is None:
        raise DataError("there are no kernels")
    if isinstance(lead, str):
        return [_inner(lead), changes]
    return [changes] if lead is None else [_strings(map(_inner, lead)), changes]


def joined(pieces: Sequence[Piece], rows: int) -> Strings:
    """Return the column that has in each row one piece after the other.

    Raises:
        DataError: a text holds a lone surrogate, which can't be JSON of its own.
    """
    column = join(pieces, rows)
    if column is None:
        raise DataError("a text holds a lone surrogate")
    return column


def _inner(string: str) -> bytes:
    """Return what stands between the quotes of a string of JSON."""
    return orjson.dumps(string)[1:-1]


def _strings(each: Iterable[bytes]) -> Strings:
    """Return bytes as a column."""
    parts = list(each)
    lengths = np.fromiter(map(len, parts), np.intp, len(parts))
    return packed(np.frombuffer(b"".join(parts), np.uint8), lengths)
