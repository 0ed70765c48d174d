"""The compiled lexicon in memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from perturb.lexicon.hashing import HashTable, hash_words
from perturb.lexicon.tags import WIDTHS
from perturb.resources import TableError, path
from perturb.values.arrays import Int32, Int64, NDArray, UInt8, UInt16, UInt32, UInt64

# Arrays in the file that are fields of `Lexicon`.
_FIELDS = ("hash_order", "codes", "facts", "entry", "masks", "weights", "forms", "collocations")
# Highest bits of a hash that choose its slot: about half a word in each. What the table
# chooses by itself would take 10 MB.
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
        codes: spellings of all surfaces on end, ASCII, and eight zeros.
        bounds: where each surface begins in `codes`, and the end.
        facts: bits of `tags.BIT` for each surface.
        entry: shape (surfaces, 4), the likeliest entry of a surface as noun, verb, adjective and
            adverb; -1 where it is none.
        masks: shape (surfaces, 4), which of the tags of that part of speech the surface has there;
            bit 0 is the base form.
        weights: shape (surfaces, 4), how often the entry occurs, in tenths of a SemCor count.
        first_entry: number of the first entry of each part of speech, and the number of entries.
        first_form: place in `forms` of the first form of each part of speech.
        forms: the surface of every form of every entry, -1 where it has none.
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
    pointers = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=pointers[1:])
    return pointers
