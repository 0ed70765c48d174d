"""The kernels, called with arrays; each function returns None where NumPy has to do the work."""

from __future__ import annotations

import numpy as np

from perturb.arrays import Bool, Codes, Int64, NDArray, UInt8, UInt32, UInt64
from perturb.engine.native import library
from perturb.engine.native.arguments import address as _address
from perturb.engine.native.arguments import like as _like
from perturb.engine.text.characters import LatinTable
from perturb.engine.text.strings import Strings

# One text of fewer characters is done with in less time than a call of a kernel takes.
_SHORT = 1 << 11
# As in json.h: more bytes than an edit takes in JSON, besides its strings.
_EDIT_ROOM = 96


def pays(texts: int, size: int) -> bool:
    """Return whether kernels are faster than NumPy for so many texts of so many code points."""
    return library.LIBRARY is not None and (texts > 1 or size > _SHORT)


def keys_of_texts(texts: Strings) -> UInt64 | None:
    """Return the 64-bit BLAKE2b of each text in UTF-8, as an integer of little-endian bytes."""
    if library.LIBRARY is None:
        return None
    column, keys = _Column(texts), np.empty(len(texts), np.uint64)
    done = library.called(
        "perturb_keys", *column.with_flag(), *column.edges(), len(texts), _address(keys)
    )
    return None if done is None else keys


def narrow(codes: Codes, table: UInt8, odd: int) -> tuple[UInt8, int]:
    """Look code points of four bytes up in a table of bytes, in C where there is a library.

    Args:
        codes: the code points.
        table: shape (0x110000,); the byte of each; ASCII stays as it is.
        odd: a byte to count.

    Returns:
        The bytes, and how many of them are `odd`.
    """
    codes = _like(codes, np.uint32)
    made = np.empty(len(codes), np.uint8)
    found = library.called(
        "perturb_narrow", _address(codes), len(codes), _address(table), odd, _address(made)
    )
    if found is None:
        made = table.take(codes)
        found = int(np.count_nonzero(made == odd))
    return made, found


def choose_marks(
    mask: Bool, keys: UInt64, edges: Int64, counts: Int64, wanted: Int64
) -> Int64 | None:
    """Return the places of the `wanted` lowest ranks among the marked places of each text.

    Args:
        mask: shape (code points,); the marks.
        keys: shape (texts,); what the ranks are drawn from.
        edges: shape (texts + 1,); where each text begins, and where the last ends.
        counts: shape (texts,); how many marks each text has.
        wanted: shape (texts,); how many to choose in each text, at most its count.
    """
    if library.LIBRARY is None:
        return None
    mask, keys = _like(mask, np.bool_), _like(keys, np.uint64)
    edges, counts, wanted = (_like(column, np.int64) for column in (edges, counts, wanted))
    chosen = np.empty(int(wanted.sum()), np.int64)
    made = library.called(
        "perturb_choose_marks",
        *(_address(mask), len(mask), _address(edges), len(wanted)),
        *(_address(keys), _address(counts), _address(wanted), len(chosen), _address(chosen)),
    )
    return None if made is None else chosen[:made]


def substitute(
    codes: Codes,
    mask: Bool,
    table: LatinTable,
    keys: UInt64,
    edges: Int64,
    counts: Int64,
    wanted: Int64,
) -> tuple[Codes, Int64, UInt8] | None:
    """Return code points after the substitution, the chosen places, and what is written there.

    Args:
        codes: shape (code points,); of Latin-1 alone.
        mask: see `choose_marks`; only characters that have alternatives are marked.
        table: the alternatives.
        keys: see `choose_marks`; the alternatives are drawn from them as well.
        edges: see `choose_marks`.
        counts: see `choose_marks`.
        wanted: see `choose_marks`.
    """
    if library.LIBRARY is None:
        return None
    mask, keys = _like(mask, np.bool_), _like(keys, np.uint64)
    edges, counts, wanted = (_like(column, np.int64) for column in (edges, counts, wanted))
    after = codes.astype(np.uint8, order="C")
    chosen = np.empty(int(wanted.sum()), np.int64)
    written = np.empty(len(chosen), np.uint8)
    made = library.called(
        "perturb_substitute",
        *(_address(after), _address(mask), min(len(mask), len(after)), _address(edges)),
        *(
            len(wanted),
            _address(keys),
            _address(counts),
            _address(wanted),
            *(_address(column) for column in table),
        ),
        *(len(chosen), _address(chosen), _address(written)),
    )
    return None if made is None else (after, chosen[:made], written[:made])


def perform(
    texts: Strings, keys: UInt64, plan: int
) -> tuple[Codes, Int64, UInt8, NDArray[np.int64]] | None:
    """Return what a step that is known before its texts makes of them.

    Args:
        texts: the texts; of Latin-1.
        keys: shape (texts,); the key of each record.
        plan: where in memory the step is, as planned.h has it.

    Returns:
        The code points after the step; the places that it chose and what is written there; and of
        each text, in four rows, the units, the sites, the edits asked for and those made.
    """
    if library.LIBRARY is None:
        return None
    column, keys = _Column(texts), _like(keys, np.uint64)
    size = len(column.codes)
    after, written = np.empty((2, size), np.uint8)
    chosen, done = np.empty(size, np.int64), np.empty((len(texts), 4), np.int64)
    made = library.called(
        "perturb_texts",
        *(_address(column.codes), size, *column.edges(), len(texts), _address(keys), plan),
        *(_address(after), _address(chosen), _address(written), _address(done)),
    )
    if made is None:
        return None
    # What was written is a small part of the room for it, which is not to be kept.
    chosen, written = chosen[:made].copy(), written[:made].copy()
    return after, chosen, written, np.ascontiguousarray(done.T)


def choose_sites(
    starts: Int64,
    ends: Int64,
    apart: bool,
    keys: UInt64,
    edges: Int64,
    counts: Int64,
    wanted: Int64,
    ranks: UInt32 | None = None,
) -> tuple[Int64, Int64] | None:
    """Return the numbers of the chosen sites, and how many they are in each text.

    Args:
        starts: shape (sites,); strictly increasing.
        ends: shape (sites,); never decreasing, or the kernel leaves it to NumPy.
        apart: whether no two sites overlap.
        keys: see `choose_marks`.
        edges: see `choose_marks`.
        counts: shape (texts,); how many sites each text has.
        wanted: see `choose_marks`.
        ranks: shape (sites,); by which they are chosen, of two alike the first; None to draw them.
    """
    if library.LIBRARY is None:
        return None
    keys = _like(keys, np.uint64)
    ranks = None if ranks is None else _like(ranks, np.uint32)
    starts, ends, edges, counts, wanted = (
        _like(column, np.int64) for column in (starts, ends, edges, counts, wanted)
    )
    chosen, made = np.empty(int(wanted.sum()), np.int64), np.empty(len(wanted), np.int64)
    total = library.called(
        "perturb_choose_sites",
        *(_address(starts), _address(ends), 0 if ranks is None else _address(ranks)),
        *(len(starts), apart, _address(edges), len(wanted), _address(keys), _address(counts)),
        *(_address(wanted), _address(chosen), _address(made)),
    )
    return None if total is None else (chosen[:total], made)


def apply_edits(starts: Int64, ends: Int64, written: Strings, source: Strings) -> Strings | None:
    """Return texts after edits.

    Args:
        starts: shape (edits,); where each edit starts, in code points of the source.
        ends: shape (edits,); where it ends; edits are in order and do not overlap.
        written: what each of them writes.
        source: the texts.
    """
    if library.LIBRARY is None:
        return None
    texts, strings = _Column(source), _Column(written)
    starts, ends = _both(starts, ends)
    growth = int(written.lengths.sum() - (ends - starts).sum())
    kind = np.result_type(texts.codes, strings.codes)
    codes: Codes = np.empty(max(len(source.codes) + growth, 0), kind)
    new_starts, new_ends = np.empty((2, len(source)), np.int64)
    done = library.called(
        "perturb_apply",
        *(*texts.with_flag(), *texts.edges(), len(source), _address(starts), _address(ends)),
        *(len(starts), *strings.with_flag(), *strings.edges()),
        *(_address(codes), len(codes), _address(new_starts), _address(new_ends)),
    )
    return None if done is None else Strings(codes, new_starts, new_ends)


def edit_lists(
    starts: Int64,
    ends: Int64,
    written: Strings,
    removed: Strings | None,
    counts: Int64,
    origins: Int64,
) -> tuple[bytes, Int64] | None:
    """Return lists of edits as JSON, one after the other, and where each of them ends.

    Args:
        starts: shape (edits,); where each edit starts, in code points of the batch.
        ends: shape (edits,); where it ends.
        written: the bytes, in JSON, of what each of them writes.
        removed: the bytes, in JSON, of what each of them removes; None to leave that out.
        counts: shape (texts,); how many edits each text has.
        origins: shape (texts,); where each text starts.
    """
    if library.LIBRARY is None:
        return None
    starts, ends = _both(starts, ends)
    counts, origins = _both(counts, origins)
    own, others = _Column(written), None if removed is None else _Column(removed)
    size = int(written.lengths.sum()) + (0 if removed is None else int(removed.lengths.sum()))
    made = np.empty(size + _EDIT_ROOM * len(starts) + 2 * len(counts), np.uint8)
    list_ends = np.empty(len(counts), np.int64)
    total = library.called(
        "perturb_edit_lists",
        *(_address(starts), _address(ends), len(starts), *own.as_bytes()),
        *((0, 0, 0, 0) if others is None else others.as_bytes()),
        *(_address(counts), _address(origins), len(counts)),
        *(_address(made), len(made), _address(list_ends)),
    )
    return None if total is None else (made[:total].tobytes(), list_ends)


class _Column:
    """A column of strings, as kernels take it."""

    def __init__(self, strings: Strings) -> None:
        self.wide = strings.codes.dtype != np.uint8
        self.codes = _like(strings.codes, np.uint32 if self.wide else np.uint8)
        self._edges = _like(strings.starts, np.int64), _like(strings.ends, np.int64)

    def with_flag(self) -> tuple[int, bool, int]:
        """Return where the codes are, whether they have four bytes each, and how many there are."""
        return _address(self.codes), self.wide, len(self.codes)

    def as_bytes(self) -> tuple[int, int, int, int]:
        """Return where codes of one byte are, how many there are, and where the edges are."""
        return _address(self.codes), len(self.codes), *self.edges()

    def edges(self) -> tuple[int, int]:
        """Return where the starts and the ends are."""
        return _address(self._edges[0]), _address(self._edges[1])


def _both(starts: Int64, ends: Int64) -> tuple[Int64, Int64]:
    return _like(starts, np.int64), _like(ends, np.int64)
