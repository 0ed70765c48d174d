"""The kernels of draws, selection and edits, called with arrays.

Each function but `pays`, `line_ends` and `perform` returns None if NumPy has to do the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import Struct, codes_of, column_of
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Codes, Int64, NDArray, UInt8, UInt16, UInt32, UInt64

# The length up to which NumPy serves a single text. With `ocr` and `human_typos`, kernels save a
# tenth of its time up to about 2,000 characters, and half or more at 8,000. Chosen by hand.
_SHORT = 1 << 11
# With fewer draws a kernel saves at most a microsecond of the 6 that NumPy takes. Chosen by hand.
_FEW = 64


def pays(texts: int, size: int) -> bool:
    """Return whether kernels are faster than NumPy for this number of texts and code points."""
    return binding.LIBRARY is not None and (texts > 1 or size > _SHORT)


def keys_of_texts(texts: Strings) -> UInt64 | None:
    """Return the 64-bit BLAKE2b of each text in UTF-8, as an integer of little-endian bytes."""
    return _hashes("perturb_keys", texts)


def checks_of_texts(texts: Strings) -> UInt64 | None:
    """Return the first 32 bits of the SHA-256 of each text in UTF-8, after its size and a colon.

    The size is the number of bytes, in decimal.
    """
    return _hashes("perturb_checks", texts)


def _hashes(kernel: str, texts: Strings) -> UInt64 | None:
    hashes = np.empty(len(texts), np.uint64)
    count = binding.called(kernel, *column_of(texts), len(texts), hashes)
    return None if count is None else hashes


def utf8(texts: Strings) -> tuple[UInt8, Int64] | None:
    """Return texts in UTF-8, one behind the other, and where each begins and the last ends.

    Returns:
        None where there are no kernels, or a text holds a lone surrogate.
    """
    room = int(texts.lengths.sum()) * (2 if texts.codes.dtype == np.uint8 else 4)
    data, edges = np.empty(room, np.uint8), np.empty(len(texts) + 1, np.int64)
    column = *column_of(texts), len(texts)
    size = binding.called("perturb_utf8", *column, data, room, edges)
    return None if size is None else (data[:size].copy(), edges)


def numbers(codes: Codes, classes: UInt16) -> tuple[Int64, Int64] | None:
    """Return where numbers start and end; None if there is no library.

    Args:
        codes: the code points of texts, a separator on both sides of each.
        classes: shape (0x110000,); what each is in a number, in the bits of numbers.h.
    """
    starts, ends = np.empty((2, len(codes)), np.int64)
    count = binding.called("perturb_numbers", *codes_of(codes), classes, starts, ends)
    return None if count is None else (starts[:count].copy(), ends[:count].copy())


def draws(keys: UInt64, edges: Int64, places: Int64, lane: int) -> UInt32 | None:
    """Return a draw for each place.

    Args:
        keys: shape (texts,); the key of each text.
        edges: shape (texts + 1,); where each text begins, and where the last ends.
        places: shape (n,); increasing.
        lane: the purpose of the draws.
    """
    if len(places) < _FEW:
        return None
    drawn = np.empty(len(places), np.uint32)
    texts = keys, edges, len(keys)
    count = binding.called("perturb_draws", *texts, places, len(places), lane, drawn)
    return None if count is None else drawn


def stops(
    texts: Strings, classes: UInt16, tables: Sequence[NDArray[Any]]
) -> tuple[Int64, Int64, Int64, Int64, Bool, Bool] | None:
    """Return the columns of `perturb.engine.text.sentences.Stops`, in its order.

    Args:
        texts: the texts, with separators around each.
        classes: the classes of each code point, as in sentences.h; of Latin-1 or of all.
        tables: hashes, letters and kinds of words before full stops, then of those after them.
    """
    codes = codes_of(texts.codes)
    room = codes[2] // 2 + 1
    places, marks = np.empty((4, room), np.int64), np.empty((2, room), np.bool_)
    structs = np.stack([Struct(*tables[at : at + 3], len(tables[at])).numbers for at in (0, 3)])
    column = *codes, texts.starts, texts.ends, len(texts)
    known = classes, len(classes), structs
    count = binding.called("perturb_stops", *column, *known, room, *places, *marks)
    if count is None:
        return None
    # A view would keep the unused rest of the array in memory.
    starts, ends, closed, following = places[:, :count].copy()
    bound, ending = marks[:, :count].copy()
    return starts, ends, closed, following, bound, ending


def line_ends(data: bytes) -> int:
    """Return the number of line ends; `bytes.count` takes three times as long."""
    count = binding.called("perturb_line_ends", data, len(data))
    if count is None:
        count = int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n")))
    return count


def in_tables(texts: Strings, classes: UInt8) -> Int64 | None:
    """Return the places of | in texts, and of all in lines that have one and no word.

    Args:
        texts: the texts, a byte for each character.
        classes: whether each character ends a line, and is of a word, in the bits of marks.h.
    """
    places = np.empty(len(texts.codes), np.int64)
    bytes_ = texts.codes, len(texts.codes), texts.starts, texts.ends
    count = binding.called("perturb_in_tables", *bytes_, len(texts), classes, places)
    return None if count is None else places[:count].copy()


def choose_marks(
    mask: Bool, keys: UInt64, edges: Int64, counts: Int64, wanted: Int64
) -> Int64 | None:
    """Return the places of the `wanted` lowest ranks among the marked places of each text.

    Args:
        mask: shape (code points,); the marks.
        keys: shape (texts,); the keys from which ranks are drawn.
        edges: shape (texts + 1,); where each text begins, and where the last ends.
        counts: shape (texts,); how many marks each text has.
        wanted: shape (texts,); how many to choose in each text, at most its count.
    """
    chosen = np.empty(int(wanted.sum()), np.int64)
    arguments = mask, len(mask), edges, len(wanted), keys, counts, wanted
    total = binding.called("perturb_choose_marks", *arguments, len(chosen), chosen)
    return None if total is None else chosen[:total]


def perform(
    texts: Strings, closed: Int64, keys: UInt64, plans: Struct, of: UInt8 | None
) -> tuple[Codes, Int64, UInt8, NDArray[np.int64]]:
    """Perform a step with sites that are known before its texts; there must be a library.

    Args:
        texts: the texts, a byte for each character.
        closed: shape (texts,); how many characters of each are no units.
        keys: shape (texts,); the key of each record.
        plans: the addresses of the step for each kind of text, a Plan of planned.h each.
        of: shape (texts,); the kind of each; None for the first.

    Returns:
        The bytes after the step; the chosen places and the bytes written there; and in four rows,
        for each text, the units, the sites, the edits asked for and those made.
    """
    size = len(texts.codes)
    after, written = np.empty((2, size), np.uint8)
    chosen, counts = np.empty(size, np.int64), np.empty((len(texts), 4), np.int64)
    column = texts.codes, size, texts.starts, texts.ends, closed, len(texts), keys
    plan = plans.numbers, len(plans.numbers), of
    total = binding.called("perturb_texts", *column, *plan, after, chosen, written, counts)
    # Edits fill a small part of the arrays, and views would keep all of them in memory.
    chosen, written = chosen[:total].copy(), written[:total].copy()
    return after, chosen, written, np.ascontiguousarray(counts.T)


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
    """Return the rows of the chosen sites, and their number in each text.

    Args:
        starts: shape (sites,); strictly increasing.
        ends: shape (sites,); if they decrease anywhere, the kernel leaves the choice to NumPy.
        apart: whether no two sites overlap.
        keys: see `choose_marks`.
        edges: see `choose_marks`.
        counts: shape (texts,); how many sites each text has.
        wanted: see `choose_marks`.
        ranks: shape (sites,); the lowest are chosen, the first of equal ones; None to draw them.
    """
    chosen, taken = np.empty(int(wanted.sum()), np.int64), np.empty(len(wanted), np.int64)
    sites = starts, ends, ranks, len(starts), apart
    texts = edges, len(wanted), keys, counts, wanted
    total = binding.called("perturb_choose_sites", *sites, *texts, len(chosen), chosen, taken)
    return None if total is None else (chosen[:total], taken)


def apply_edits(starts: Int64, ends: Int64, written: Strings, source: Strings) -> Strings | None:
    """Return texts after edits.

    Args:
        starts: shape (edits,); where each edit starts, in code points of the source.
        ends: shape (edits,); where it ends; edits are in order and do not overlap.
        written: the replacements.
        source: the texts.
    """
    texts, strings = column_of(source), column_of(written)
    growth = int(written.lengths.sum() - (ends - starts).sum())
    size = max(len(source.codes) + growth, 0)
    codes: Codes = np.empty(size, np.result_type(texts[0], strings[0]))
    new_starts, new_ends = np.empty((2, len(source)), np.int64)
    edits = starts, ends, len(starts), *strings
    room = codes, size, new_starts, new_ends
    count = binding.called("perturb_apply", *texts, len(source), *edits, *room)
    return None if count is None else Strings(codes, new_starts, new_ends)


def compose_edits(
    first: tuple[Int64, Int64, Int64],
    second: tuple[Int64, Int64, Int64],
    source: Codes,
    result: Codes,
) -> tuple[Int64, Int64, Int64, Int64] | None:
    """Return the edits of one text that have the effect of two rounds of edits.

    Args:
        first: the start and end of each edit, and the length of its replacement; in order and
            without overlap.
        second: the same for the edits of the second round.
        source: the code points before all edits.
        result: the code points after them.

    Returns:
        The start and end of each edit in the source, and of its replacement in the result.
    """
    edits = np.empty((4, len(first[0]) + len(second[0])), np.int64)
    codes = *codes_of(source), *codes_of(result)
    rounds = *first, len(first[0]), *second, len(second[0])
    count = binding.called("perturb_compose", *codes, *rounds, *edits)
    return None if count is None else tuple(edits[:, :count].copy())
