"""Lines of JSON whose rows each have one string to perturb, without an object for each row.

A kernel reads the lines and says where their values are. The lines of the perturbed rows are put
together of what it wrote, of texts and of records, as spans of arrays; they are what
`perturb_rows` makes of the same rows.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.engine.native.rows import Quoted, read_rows, unquoted
from perturb.engine.text.strings import Strings, column
from perturb.errors import DataError
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.records.batch import RecordBatch
from perturb.records.json_records import Piece, joined, record_pieces
from perturb.records.perturb_texts import perturb_batches
from perturb.records.texts import Texts
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import are_usual_ids, named_texts
from perturb.values.arrays import Codes, Int64, UInt64

# Fewer rows are faster as objects, and more bytes may be a long one, which takes less memory so.
_FEWEST_ROWS, _MOST_BYTES = 32, 4 << 20


class PerturbedLines(NamedTuple):
    """The lines of perturbed rows.

    Attributes:
        data: the lines of all versions.
        counts: the counts of the rows.
        keys: the keys of the ids of the rows that were given; None where their texts name them.
    """

    data: memoryview
    counts: RowCounts
    keys: UInt64 | None


def perturb_lines(lines: bytes, job: Job) -> PerturbedLines | None:
    """Perturb the rows of whole lines.

    Args:
        lines: the lines.
        job: the instructions for each row.

    Returns:
        The lines of the perturbed rows; None where there are no kernels, or something is not usual
        with a row or with what is to be done.
    """
    if not job.is_plain or len(lines) > _MOST_BYTES:
        return None
    try:
        lines.isascii() or lines.decode()
        read = read_rows(lines, job.field[0], job.id_field, LINKAGE)
        if read is None or read[1].shape[1] < _FEWEST_ROWS:
            return None
        return _perturbed(_Rows(read[0], *read[1]), job)
    except (UnicodeDecodeError, DataError, orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None  # it is met again where an error says in which line it is


class _Rows(NamedTuple):
    """Rows of JSON, and where they and their values are; the id at -1 of a row that has none."""

    codes: Codes
    start: Int64
    end: Int64
    text: Int64
    text_end: Int64
    id: Int64
    id_end: Int64

    def take(self, at: Int64) -> _Rows:
        return _Rows(self.codes, *(places[at] for places in self[1:]))

    def between(self, starts: Int64, ends: Int64) -> Strings:
        return Strings(self.codes, starts, ends)

    def ids(self) -> list[Any]:
        """Parse the id of each row; None in all if there is none."""
        if self.id[0] < 0:
            return [None] * len(self.id)
        items = joined([b",", self.between(self.id, self.id_end)], len(self.id))
        parsed: list[Any] = orjson.loads(b"[" + items.codes[1:].tobytes() + b"]")
        return parsed

    def texts(self, job: Job) -> list[tuple[Int64, Texts]] | None:
        """Return the texts of ASCII and the others, each with the rows that they are of.

        None if ids are missing, or before the text, in some rows alone.
        """
        order = np.where(self.id < 0, 0, np.sign(self.id - self.text))
        if order.min() != order.max():
            return None
        ids, kinds = self.ids(), unquoted(self.between(self.text, self.text_end))
        if kinds is None or not are_usual_ids(ids):
            return None
        return [
            (rows, named_texts(texts, [ids[row] for row in rows.tolist()], job))
            for rows, texts in kinds
        ]


def _perturbed(rows: _Rows, job: Job) -> PerturbedLines | None:
    kinds = rows.texts(job)
    if kinds is None:
        return None
    number = len(rows.start)
    counts = RowCounts()
    counts.rows = counts.texts = number
    counts.written = number * len(job.versions)
    has_ids = kinds[0][1].ids is not None
    keys = np.empty(number, np.uint64)
    parts: list[Strings] = []
    for version, (rows_of_kind, texts) in product(job.versions, kinds):
        for places, batch in perturb_batches(texts, version, decoded=False):
            at = rows_of_kind[places]
            counts.see(batch)
            keys[at] = batch.given.keys
            parts.append(_at(at, number, _lines(rows.take(at), batch, job)))
    whole = parts[0] if len(parts) == 1 else joined(parts, number)
    return PerturbedLines(whole.codes.data, counts, keys if has_ids else None)


def _at(places: Int64, rows: int, part: Strings) -> Strings:
    """Return a column of so many rows that has strings at some places, and nothing elsewhere."""
    starts, ends = np.zeros((2, rows), np.int64)
    starts[places], ends[places] = part.starts, part.ends
    return Strings(part.codes, starts, ends)


def _lines(rows: _Rows, batch: RecordBatch, job: Job) -> Strings:
    """Return the rows with other texts and ids, and with their records."""
    number = len(rows.start)
    quoted = joined([Quoted(column(batch.original_ids))], number)
    name: list[Piece] = [
        Strings(quoted.codes, quoted.starts, quoted.ends - 1),  # the quote comes after the suffix
        orjson.dumps(batch.version.suffix)[1:],
    ]
    text: list[Piece] = [Quoted(batch.outcome.result)]
    values = [(rows.text, rows.text_end, text)]
    has_ids = rows.id[0] >= 0
    if has_ids:
        values.insert(int(rows.id[0] > rows.text[0]), (rows.id, rows.id_end, name))
    pieces: list[Piece] = []
    done = rows.start
    for start, end, value in values:
        pieces += (rows.between(done, start), *value)
        done = end
    pieces.append(rows.between(done, rows.end))
    if not has_ids:
        pieces += (b"," + orjson.dumps(job.id_field) + b":", *name)
    pieces.append(b"," + orjson.dumps(LINKAGE) + b":")
    return joined([*pieces, *record_pieces(batch), b"}\n"], number)
