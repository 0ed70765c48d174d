"""The compiled lexicon in memory: words by their numbers, with their forms and spellings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings
from perturb.lexicon.hashing import HashTable, hash_words, vocabulary
from perturb.lexicon.tags import BIT, FUNCTION_BITS, WIDTHS
from perturb.resources import TableError, path
from perturb.values.arrays import Bool, Int32, Int64, NDArray, UInt8, UInt16, UInt32, UInt64

# Arrays in the file that are fields of `Lexicon`.
_FIELDS = ("hash_order", "codes", "facts", "entry", "masks", "weights", "forms", "collocations")
# Highest bits of a hash that choose its slot: 122,788 words in 262,144 slots. The 21 bits that a
# table chooses by itself would take 10 MB.
_BITS = 18


class RelationPairs(NamedTuple):
    """A relation: the targets of every entry, in rows, with the marks of each pair."""

    lengths: UInt16
    targets: Int32
    marks: UInt8


class Lexicon(NamedTuple):
    """Surfaces (spelled words) and entries (dictionary words, each as one part of speech).

    Attributes:
        table: the hashes of all single-word surfaces.
        hash_order: the surface of each of them, -1 for the last.
        codes: the spellings of all surfaces in a row, ASCII, and eight zeros.
        bounds: the start of each surface in `codes`, and the end.
        facts: bits of `tags.BIT` for each surface.
        entry: shape (surfaces, 4), the likeliest entry of a surface as noun, verb, adjective and
            adverb; -1 if it has none.
        masks: shape (surfaces, 4), the tags of that part of speech that the surface can have; bit 0
            is the base form.
        weights: shape (surfaces, 4), how often the entry occurs, in tenths of a SemCor count.
        first_entry: number of the first entry of each part of speech, and the number of entries.
        first_form: place in `forms` of the first form of each part of speech.
        forms: the surface of every form of every entry, -1 if it has none.
        collocations: two surfaces that are one word together, first << 32 | second, ascending.
    """

    table: HashTable
    hash_order: Int32
    codes: UInt8
    bounds: Int64
    facts: UInt32
    entry: Int32
    masks: UInt8
    weights: UInt16
    first_entry: Int32
    first_form: Int32
    forms: Int32
    collocations: UInt64


@cache
def load() -> Lexicon:
    """Read the lexicon; the first call takes tens of milliseconds, later ones none.

    Raises:
        TableError: the compiled lexicon is missing or damaged.
    """
    stored = _read([*_FIELDS, "lengths", "entry_counts"])
    bounds, entries = _pointers(stored.pop("lengths")), stored.pop("entry_counts")
    order = stored["hash_order"]
    single = len(order)
    # Folded as stored, with the eight zeros after the last.
    hashes = hash_words(stored["codes"], bounds[:single], bounds[1 : single + 1])[order]
    if not (hashes[1:] > hashes[:-1]).all():
        raise TableError(_DAMAGED)
    derived: dict[str, Any] = {
        "table": HashTable.of(hashes, _BITS),
        "hash_order": np.append(order, np.int32(-1)),
        "bounds": bounds,
        "first_entry": _pointers(entries).astype(np.int32),
        "first_form": _pointers(entries * np.array(WIDTHS)).astype(np.int32),
    }
    return Lexicon(**stored | derived)


@cache
def relation(name: str) -> RelationPairs:
    """Read one relation: "synonyms", "antonyms" or "hypernyms".

    Raises:
        TableError: the compiled lexicon is missing or damaged.
    """
    stored = _read(f"{name}_{field}" for field in RelationPairs._fields)
    return RelationPairs(*stored.values())


_DAMAGED = "the table english/lexicon.npz is damaged: reinstall perturb, or restore it from git"


def _read(names: Iterable[str]) -> dict[str, NDArray[Any]]:
    try:
        # The file is opened here because numpy leaves it open when it is no archive.
        with (
            path("english", "lexicon.npz").open("rb") as file,
            np.load(file, allow_pickle=False) as stored,
        ):
            return {name: stored[name] for name in names}
    except (BadZipFile, EOFError, KeyError, ValueError) as error:
        raise TableError(_DAMAGED) from error


def _pointers(lengths: NDArray[Any]) -> Int64:
    pointers = np.zeros(len(lengths) + 1, np.intp)
    np.cumsum(lengths, out=pointers[1:])
    return pointers


def surfaces_of_words(batch: Batch) -> Int32:
    """Return the surface of each word of a batch, -1 where the lexicon has none."""
    return batch.once(_surfaces).take(vocabulary(batch).numbers[:-1])


def surfaces_of_hashes(hashes: UInt64) -> Int32:
    """Return the surface of each word by its hash, -1 where the lexicon has none."""
    return load().hash_order.take(load().table.places(hashes)[:-1])


def surfaces_of(batch: Batch, rows: Int64) -> Int32:
    """Return the surfaces of the words at `rows`; -1 where the lexicon has none, or for -1."""
    return batch.once(_surfaces).take(vocabulary(batch).numbers[rows])


def _surfaces(batch: Batch) -> Int32:
    """Return the surface of each number of the vocabulary, -1 for the last."""
    return load().hash_order.take(load().table.places(vocabulary(batch).hashes))


def is_function(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that are function words; a row of -1 never is."""
    return batch.once(_functions).take(vocabulary(batch).numbers[rows])


def _functions(batch: Batch) -> Bool:
    surfaces = batch.once(_surfaces)
    return (surfaces >= 0) & (load().facts[surfaces] & FUNCTION_BITS > 0)


def may_be(batch: Batch, rows: Int64, part: int, bits: int) -> Bool:
    """Mark the words at `rows` that can have one of the tags `bits` of a part of speech."""
    return batch.once(_able, part, bits).take(vocabulary(batch).numbers[rows])


def is_rather(batch: Batch, rows: Int64, part: int, bits: int, other: int) -> Bool:
    """Mark the words at `rows` that can have the tags `bits` of a part of speech, and mostly do.

    Args:
        batch: the texts.
        rows: the words; a row of -1 is marked as the last word of the batch is.
        part: the part of speech.
        bits: tags of it.
        other: another part of speech, which they are less often.
    """
    weights = load().weights[surfaces_of(batch, rows)]
    return may_be(batch, rows, part, bits) & (weights[:, part] > weights[:, other])


def words_marked(batch: Batch, marks: Bool) -> Bool:
    """Mark the words of a batch whose surfaces are marked; the last mark is for unknown words."""
    return marks.take(batch.once(_surfaces)).take(vocabulary(batch).numbers[:-1])


def words_able(batch: Batch, part: int, bits: int) -> Bool:
    """Mark the words of a batch that can have one of the tags `bits` of a part of speech."""
    return batch.once(_able, part, bits).take(vocabulary(batch).numbers[:-1])


def _able(batch: Batch, part: int, bits: int) -> Bool:
    surfaces = batch.once(_surfaces)
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
        surfaces: shape (n,); -1 for words that the lexicon lacks.
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
    """Mark the surfaces that take `an` rather than `a`.

    Args:
        surfaces: shape (n,); none of them -1.
    """
    return load().facts[surfaces] & np.uint32(BIT["vowel"]) > 0
