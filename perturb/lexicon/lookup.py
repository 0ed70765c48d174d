"""From words in a buffer to their numbers in the lexicon, to other forms, and back to spellings."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings
from perturb.lexicon.hashing import hash_codes, word_hashes
from perturb.lexicon.store import load
from perturb.lexicon.tags import BIT, FUNCTION_BITS, WIDTHS
from perturb.values.arrays import Bool, Codes, Int32, Int64, UInt64


def lookup(codes: Codes, starts: Int64, ends: Int64) -> Int32:
    """Find many words of one buffer in the lexicon, in any case.

    Words are compared by a 64-bit hash alone.

    Args:
        codes: code points of the buffer, Latin-1 bytes or UTF-32.
        starts: shape (n,); where each word starts.
        ends: shape (n,); where each ends, not before it starts.

    Returns:
        Shape (n,): the surface of each word, -1 where the lexicon has none.

    Examples:
        >>> found = lookup(np.frombuffer(b"Mice qwx", np.uint8), np.array([0, 5]), np.array([4, 8]))
        >>> spell(found[0]), found[1]
        ('mice', np.int32(-1))
    """
    return surfaces_of_hashes(hash_codes(codes, starts, ends))


def surfaces_of_words(batch: Batch) -> Int32:
    """Return the surface of each word of a batch, -1 where the lexicon has none."""
    return batch.once(_surfaces_of_words)


def _surfaces_of_words(batch: Batch) -> Int32:
    return surfaces_of_hashes(word_hashes(batch))


def surfaces_of_hashes(hashes: UInt64) -> Int32:
    """Return the surface of each word by its hash, -1 where the lexicon has none."""
    lexicon = load()
    surfaces = np.full(len(hashes), -1, np.int32)
    rows, places = lexicon.table.find(hashes)
    surfaces[rows] = lexicon.hash_order.take(places)
    return surfaces


def surfaces_of(batch: Batch, rows: Int64) -> Int64:
    """Return the surfaces of the words at `rows`; -1 where the lexicon has none, or for -1."""
    surfaces = batch.once(_surfaces)
    return np.where(rows >= 0, surfaces.take(rows, mode="wrap"), -1)


def _surfaces(batch: Batch) -> Int64:
    return surfaces_of_words(batch).astype(np.int64) if len(batch.words) else np.array([-1])


def is_function(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that are function words; a row of -1 is none."""
    surfaces = surfaces_of(batch, rows)
    return (surfaces >= 0) & (load().facts[surfaces] & FUNCTION_BITS > 0)


def may_be(batch: Batch, rows: Int64, part: int, bits: int) -> Bool:
    """Mark the words at `rows` that can have one of the tags `bits` of a part of speech."""
    surfaces = surfaces_of(batch, rows)
    marks: Bool = (surfaces >= 0) & (load().masks[surfaces, part] & bits > 0)
    return marks


def slots_of(entry: Int32, part: int | Int64, column: int | Int64) -> Int64:
    """Return the place in `Lexicon.forms` of a form of each entry of a part of speech."""
    lexicon = load()
    places = np.take(WIDTHS, part) * (entry - lexicon.first_entry[part])
    rows: Int64 = lexicon.first_form[part] + places + column
    return rows


def forms_of(surfaces: Int32 | Int64, part: int, column: int | Int64) -> Int32:
    """Return another form of each word as one part of speech.

    Args:
        surfaces: shape (n,); from `lookup`.
        part: the part of speech, by its column.
        column: which of its forms, in the order of `tags.POS_TAGS`.

    Returns:
        Shape (n,): surfaces; -1 where the lexicon has no such form.
    """
    lexicon = load()
    entry = lexicon.entry[surfaces, part]
    known = (surfaces >= 0) & (entry >= 0)
    slots = np.where(known, slots_of(entry, part, column), 0)
    return np.where(known, lexicon.forms[slots], -1).astype(np.int32)


def spellings(surfaces: Int32) -> Strings:
    """Return how surfaces are spelled, on the lexicon's code points; none of them is -1."""
    lexicon = load()
    return Strings(lexicon.codes, lexicon.bounds[surfaces], lexicon.bounds[surfaces + 1])


def takes_an(surfaces: Int32) -> Bool:
    """Say which surfaces are preceded by `an` where they are preceded by `a` or `an`.

    Args:
        surfaces: shape (n,); none of them -1.
    """
    return load().facts[surfaces] & np.uint32(BIT["vowel"]) > 0


def spell(surface: int | np.integer) -> str:
    """Return the spelling of one surface, lower-case."""
    lexicon = load()
    codes = lexicon.codes[lexicon.bounds[surface] : lexicon.bounds[surface + 1]]
    return bytes(codes).decode("ascii")
