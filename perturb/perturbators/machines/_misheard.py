"""The words that recognisers of speech mishear: how often each, and as which."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings, encode
from perturb.lexicon.hashing import HashTable, fold, hash_strings, hash_words, vocabulary
from perturb.resources import read_body, read_json, read_rows
from perturb.values.arrays import Codes, Float64, Int64, UInt64, distinct

LETTERS = 26
# The grade of the most common words in the table of misheard words.
_COMMON = 5
# The place of a word in the alphabet is read from its first eight letters, of five bits each, since
# few words differ only later.
_INITIALS, _BITS = 8, 5


class Misheard(NamedTuple):
    """The replacements of misheard words.

    Attributes:
        grammar: the function words, as a table.
        factors: how often each of them is wrong, in units of a word that isn't a plural.
        lost: how often it is then lost.
        keys: the words with others of similar sound, as a table.
        of_keys: how often each of these is wrong, in the same units.
        rows: shape (keys,); the row of each key in `firsts`.
        firsts: shape (keys + 1,); the place of each key in `words`, where its grade follows it, and
            then the words that sound like it; at the end, the first function word.
        words: the content of the table, then the function words that are written.
        common: the rows of the most common keys.
        initials: shape (keys,); `initials_of` of the keys, ascending.
        heard: the function words that others replace, as a table.
        groups: the number of each of these in `ends`, which begins with the groups for any word and
            for added words.
        ends: shape (groups + 1,); the start of the counts of each group.
        sums: the cumulative counts of the function words that were written.
        hashes: the hashes of these; that of "", which means any word, is 0.
        counts: the counts as in the file.
    """

    grammar: HashTable
    factors: Float64
    lost: Float64
    keys: HashTable
    of_keys: Float64
    rows: Int64
    firsts: Int64
    words: Strings
    common: Int64
    initials: Int64
    heard: HashTable
    groups: Int64
    ends: Int64
    sums: Int64
    hashes: UInt64
    counts: dict[str, Any]


@cache
def misheard(name: str) -> Misheard:
    """Return the replacements of a table that ships, "asr" or "whisper"."""
    counts = read_json("noise", f"{name}.json")
    written: dict[str, dict[str, int]] = counts["grammar words"]
    of_grammar = [*chain.from_iterable(written.values())]
    words, firsts = _table(of_grammar)
    if name == "whisper":
        words = _with_capital_i(words)
    keys, common = words.take(firsts[:-1]), words.codes[words.starts[firsts[:-1] + 1]] - ord("0")
    hashes = hash_words(fold(words.codes), keys.starts, keys.ends)
    order = np.argsort(hashes)
    wrong = np.array([counts["wrong"].get(str(size), 0) for size in range(_COMMON + 1)])
    grammar = distinct(hash_strings([row[0] for row in read_rows("english", "stop_words.tsv")]))
    factors = np.full(len(grammar), counts["wrong"]["grammar"])
    lost = np.full(len(grammar), counts["lost"][1])
    often = grammar.searchsorted(hash_strings([*counts["grammar is wrong"]]))
    factors[often] = [*counts["grammar is wrong"].values()]
    lost[often] = [*counts["grammar is lost"].values()]
    sums = np.cumsum([0, *chain.from_iterable(options.values() for options in written.values())])
    heard = hash_strings([*written])
    of_heard = np.argsort(heard[2:])
    return Misheard(
        HashTable.of(grammar),
        factors,
        lost,
        HashTable.of(hashes[order]),
        wrong[common[order]],
        order,
        firsts,
        words,
        np.flatnonzero(common == _COMMON),
        initials_of(keys),
        HashTable.of(heard[2:][of_heard]),
        of_heard + 2,
        sums[np.cumsum([0, *map(len, written.values())])],
        sums[1:],
        hash_strings(of_grammar),
        counts,
    )


def _with_capital_i(words: Strings) -> Strings:
    """Return words with the pronoun as sentences have it: I, I'm."""
    codes = words.codes.copy()
    (at,) = (codes[1:-1] == ord("i")).nonzero()
    alone = (codes[at] <= ord(" ")) & np.isin(codes[at + 2], encode(" \t\n'"))
    codes[at[alone] + 1] = ord("I")
    return Strings(codes, words.starts, words.ends)


def _table(words: Sequence[str]) -> tuple[Strings, Int64]:
    """Return the content of the table of misheard words, then `words`, and the start of each row.

    Reading it into Python strings would take most of the time of a first text.
    """
    codes = encode(f"{read_body('english', 'misheard.tsv')}{' '.join(words)}\n")
    (ends,) = (codes <= ord(" ")).nonzero()
    firsts = np.append(0, (codes[ends] == ord("\n")).nonzero()[0][:-1] + 1)
    return Strings(codes, np.append(0, ends[:-1] + 1), ends), firsts


def chances(batch: Batch, rows: Int64, table: Misheard) -> tuple[Float64, Float64, Int64]:
    """Return of words how often each is wrong, how often it is then lost, and its sort.

    The sort is 1 for a function word, else 0; rates are in the units of the table.
    """
    numbers, hashes, _ = vocabulary(batch)
    numbers, size = numbers[rows], len(hashes)
    # The factor of each word of the vocabulary, and in a second row that of a word ending with s.
    factors = np.full((2, size), table.counts["wrong"]["unknown"])
    known, place = table.keys.find(hashes)
    factors[:, known] = table.of_keys[place]
    factors[1] *= table.counts["wrong with s"]
    grammar, place = table.grammar.find(hashes)
    factors[:, grammar] = table.factors[place]
    losses = np.full(size, table.counts["lost"][0])
    losses[grammar] = table.lost[place]
    is_grammar = np.zeros(size, np.intp)
    is_grammar[grammar] = 1
    ends_in_s = batch.codes[batch.words.ends[rows] - 1] | 32 == ord("s")
    return factors.ravel()[numbers + size * ends_in_s], losses[numbers], is_grammar[numbers]


def letters_of(codes: Codes) -> Codes:
    """Return letters of ASCII as numbers, from 0 for a; other code points are larger."""
    numbers: Codes = np.subtract(codes | 32, ord("a"), dtype=codes.dtype)
    return numbers


def initials_of(words: Strings) -> Int64:
    """Return the first letters of words as numbers in the order of the alphabet.

    Other characters come before all letters.
    """
    places = np.arange(_INITIALS)
    within = places < words.lengths[:, None]
    letters = letters_of(words.codes[words.starts[:, None] + places * within])
    ordinals = np.where(within & (letters < LETTERS), letters + np.uint8(1), 0).astype(np.int64)
    return np.asarray((ordinals << _BITS * places[::-1]).sum(axis=1))
