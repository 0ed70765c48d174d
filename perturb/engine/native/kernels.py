"""The kernels, called with arrays.

Each function returns None where NumPy has to do the work, but `narrow`, which does it then itself.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.native import library
from perturb.engine.native.arguments import StringColumn, address, like
from perturb.engine.text.characters import LatinTable
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Codes, Int64, NDArray, UInt8, UInt32, UInt64

# One text of fewer characters is done with in less time than a call of a kernel takes.
_SHORT = 1 << 11
_NONE = np.empty(0, np.int64)


def pays(texts: int, size: int) -> bool:
    """Return whether kernels are faster than NumPy for so many texts of so many code points."""
    return library.LIBRARY is not None and (texts > 1 or size > _SHORT)


def keys_of_texts(texts: Strings) -> UInt64 | None:
    """Return the 64-bit BLAKE2b of each text in UTF-8, as an integer of little-endian bytes."""
    return _hashes("perturb_keys", texts)


def checks_of_texts(texts: Strings) -> UInt64 | None:
    """Return the first 32 bits of the SHA-256 of each text in UTF-8, its size and a colon before.

    The size is the number of bytes, in decimal.
    """
    return _hashes("perturb_checks", texts)


def _hashes(kernel: str, texts: Strings) -> UInt64 | None:
    if library.LIBRARY is None:
        return None
    column, hashes = StringColumn(texts), np.empty(len(texts), np.uint64)
    done = library.called(kernel, *column.with_flag(), *column.edges(), len(texts), address(hashes))
    return None if done is None else hashes


def narrow(codes: Codes, table: UInt8, odd: int) -> tuple[UInt8, int]:
    """Look code points of four bytes up in a table of bytes, in C where there is a library.

    Args:
        codes: the code points.
        table: shape (0x110000,); the byte of each; ASCII stays as it is.
        odd: a byte to count.

    Returns:
        The bytes, and how many of them are `odd`.
    """
    codes = like(codes, np.uint32)
    made = np.empty(len(codes), np.uint8)
    found = library.called(
        "perturb_narrow", address(codes), len(codes), address(table), odd, address(made)
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
    mask, keys = like(mask, np.bool_), like(keys, np.uint64)
    edges, counts, wanted = (like(column, np.int64) for column in (edges, counts, wanted))
    chosen = np.empty(int(wanted.sum()), np.int64)
    made = library.called(
        "perturb_choose_marks",
        *(address(mask), len(mask), address(edges), len(wanted)),
        *(address(keys), address(counts), address(wanted), len(chosen), address(chosen)),
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
    mask, keys = like(mask, np.bool_), like(keys, np.uint64)
    edges, counts, wanted = (like(column, np.int64) for column in (edges, counts, wanted))
    after = codes.astype(np.uint8, order="C")
    chosen = np.empty(int(wanted.sum()), np.int64)
    written = np.empty(len(chosen), np.uint8)
    made = library.called(
        "perturb_substitute",
        *(address(after), address(mask), min(len(mask), len(after)), address(edges), len(wanted)),
        *(address(keys), address(counts), address(wanted)),
        *(*(address(column) for column in table), len(chosen), address(chosen), address(written)),
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
    column, keys = StringColumn(texts), like(keys, np.uint64)
    size = len(column.codes)
    after, written = np.empty((2, size), np.uint8)
    chosen, done = np.empty(size, np.int64), np.empty((len(texts), 4), np.int64)
    made = library.called(
        "perturb_texts",
        *(address(column.codes), size, *column.edges(), len(texts), address(keys), plan),
        *(address(after), address(chosen), address(written), address(done)),
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
    keys = like(keys, np.uint64)
    ranks = None if ranks is None else like(ranks, np.uint32)
    starts, ends, edges, counts, wanted = (
        like(column, np.int64) for column in (starts, ends, edges, counts, wanted)
    )
    chosen, made = np.empty(int(wanted.sum()), np.int64), np.empty(len(wanted), np.int64)
    total = library.called(
        "perturb_choose_sites",
        *(address(starts), address(ends), 0 if ranks is None else address(ranks)),
        *(len(starts), apart, address(edges), len(wanted), address(keys), address(counts)),
        *(address(wanted), address(chosen), address(made)),
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
    texts, strings = StringColumn(source), StringColumn(written)
    starts, ends = like(starts, np.int64), like(ends, np.int64)
    growth = int(written.lengths.sum() - (ends - starts).sum())
    kind = np.result_type(texts.codes, strings.codes)
    codes: Codes = np.empty(max(len(source.codes) + growth, 0), kind)
    new_starts, new_ends = np.empty((2, len(source)), np.int64)
    done = library.called(
        "perturb_apply",
        *(*texts.with_flag(), *texts.edges(), len(source), address(starts), address(ends)),
        *(len(starts), *strings.with_flag(), *strings.edges()),
        *(address(codes), len(codes), address(new_starts), address(new_ends)),
    )
    return None if done is None else Strings(codes, new_starts, new_ends)


def compose_edits(
    first: tuple[Int64, Int64, Int64],
    second: tuple[Int64, Int64, Int64],
    source: Codes,
    result: Codes,
) -> tuple[Int64, Int64, Int64, Int64] | None:
    """Return edits of one text that do what edits of it and then others did.

    Args:
        first: where each edit starts, where it ends, and the length of what it writes; in order and
            without overlap.
        second: the same of the edits after these.
        source: the code points before all edits.
        result: those after them.

    Returns:
        Where each edit starts and ends in the source, and what it wrote in the result.
    """
    if library.LIBRARY is None:
        return None
    before, after = (StringColumn(Strings(each, _NONE, _NONE)) for each in (source, result))
    columns = [[like(column, np.int64) for column in edits] for edits in (first, second)]
    made = np.empty((4, len(columns[0][0]) + len(columns[1][0])), np.int64)
    count = library.called(
        "perturb_compose",
        *(*before.with_flag(), *after.with_flag()),
        *(given for edits in columns for given in (*map(address, edits), len(edits[0]))),
        *map(address, made),
    )
    return None if count is None else tuple(made[:, :count].copy())
