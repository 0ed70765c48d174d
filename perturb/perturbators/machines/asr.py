"""The transcript that a speech recogniser gives of a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.places import touching
from perturb.engine.sites import Sites
from perturb.engine.text import scripts
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.strings import (
    Strings,
    column,
    concatenate,
    distinct,
    packed,
    repeated,
    stack,
)
from perturb.engine.text.unicode import Script
from perturb.errors import UsageError
from perturb.lexicon.hashing import HashTable, hash_strings, hashes_of, letters_of
from perturb.lexicon.phrases import before, in_case_of
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.machines._spoken import numbers_said, signs_said
from perturb.perturbators.shared.written import Written
from perturb.registry.definition import WHOLE
from perturb.resources import read_json, read_rows
from perturb.rng import below
from perturb.values.arrays import Bool, Codes, Int64, UInt64

# Lanes of the draws: whether a word is as wrong as the one before, whether it is wrong, in which
# way, whether a word of the other sort is written for it, and which.
_FOLLOWS, _WRONG, _HOW, _SORT, _BY = range(5)
_LETTERS = 26


@perturbator(
    "asr",
    unit="text",
    summary="Write as a speech recogniser does: no signs, numbers in words, words misheard.",
    label_risk="medium",
    english=True,
    version=2,
    touches={"case", "punctuation", "digits", "words", "space", "meaning"},
    expect="same",
    source="counts of spoken questions in NoiseQA (A. Ravichander et al., EACL 2021); words that "
    "sound alike by CMUdict (wordlists/english/misheard.tsv)",
    intensities=WHOLE,
    example="I know, they're in the right place: it's a big sale, and we have 24 days to wait.",
)
def asr(
    batch: Batch, *, errors: float = 0.08, style: Literal["plain", "modern"] = "plain"
) -> Sites:
    """Leave what a recogniser of speech leaves; `p` is a share of the texts.

    Signs are gone, or spoken: 10% is ten percent, $4.50 four dollars and fifty cents. Of the words
    in letters the share `errors` is wrong, which is the word error rate. Some are lost, before some
    another is put in, and for most a word is written that sounds like it; errors follow each other.
    Words of grammar are wrong less often than others, and become one another: the, a. What is
    protected stays as it is, and the rest changes.

    Args:
        batch: the texts.
        errors: the word error rate, from 0 to 1.
        style: "plain" has small letters alone, and numbers in words; "modern" keeps case, and the
            digits of numbers with the signs in them.
    """
    if not 0 <= errors <= 1:
        raise UsageError(f"asr: errors must be from 0 to 1; got {errors}")
    numbers = numbers_said(batch)
    rules = [*_words(batch, errors, style == "plain"), signs_said(batch, numbers)]
    parts = _side_by_side(rules if style == "modern" else [numbers, *rules])
    latin = scripts.of_texts(batch) == Script.LATIN
    parts = parts.keep(latin.repeat(batch.count(parts.starts)))
    sizes = batch.count(parts.starts)
    return _Remains(parts.starts, parts.ends, sizes[sizes > 0], "text", parts.write)


def _side_by_side(rules: Sequence[Written]) -> Written:
    """Return the places of all rules in order; of two that overlap the first stays."""
    starts, ends = (np.concatenate([rule[side] for rule in rules]) for side in (0, 1))
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], ends[order]
    apart = starts >= np.append(0, np.maximum.accumulate(ends))[:-1]
    texts = stack(*(rule.texts for rule in rules))
    return Written(starts, ends, texts.take(order)).keep(apart)


class _Remains(GroupedSites):
    """The parts of texts that change, without those that may not."""

    def free(self, blocked: Bool) -> Self:
        """Return the parts that hold no blocked code point."""
        return self._of(~touching(blocked, *self._parts))

    def whole(self, boundaries: Bool) -> Self:
        """Return the parts that begin and end where grapheme clusters do."""
        starts, ends = self._parts
        return self._of(boundaries[starts] & boundaries[ends])

    def keep(self, mask: Bool) -> Self:
        """Return the texts where `mask` is true."""
        return self._of(mask.repeat(self.sizes))

    def _of(self, good: Bool) -> Self:
        if not len(self.sizes):
            return self
        sizes = np.add.reduceat(good, self._firsts, dtype=np.int64)
        starts, ends = (column[good] for column in self._parts)
        return type(self)(starts, ends, sizes[sizes > 0], self.unit, self._write)._like(self)


class _Misheard(NamedTuple):
    """What is written for words that are misheard.

    Attributes:
        grammar: the words of grammar, as a table.
        keys: the words that have others of a like sound, as a table.
        rows: shape (keys,); the row of each key in `firsts`.
        firsts: shape (keys + 1,); the first of the words that sound like a key.
        words: the words that sound like keys, behind them words of grammar, and the keys.
        hashes: the hashes of these words of grammar.
        leads: shape (677,); the first key that begins with two letters, 26 a + b for them.
        sums: shape (n,); how often each word of grammar was written, summed up.
        counts: what was counted.
    """

    grammar: HashTable
    keys: HashTable
    rows: Int64
    firsts: Int64
    words: Strings
    hashes: UInt64
    leads: Int64
    sums: Int64
    counts: dict[str, Any]


@cache
def _misheard() -> _Misheard:
    counts = read_json("noise", "asr.json")
    rows = sorted(read_rows("english", "misheard.tsv"))
    near = [row[1].split(" ") for row in rows]
    hashes = hash_strings([row[0] for row in rows])
    order = np.argsort(hashes)
    grammar = distinct(hash_strings([row[0] for row in read_rows("english", "stop_words.tsv")]))
    leads = [26 * (ord(word[0]) - 97) + (ord(word[1:2] or "a") - 97) for word, _ in rows]
    written = counts["grammar words"]
    return _Misheard(
        HashTable.of(grammar),
        HashTable.of(hashes[order]),
        order,
        np.cumsum([0, *map(len, near)]),
        column([*chain.from_iterable(near), *(word for word, _ in [*written, *rows])]),
        hash_strings([word for word, _ in written]),
        np.searchsorted(leads, np.arange(677)),
        np.cumsum([count for _, count in written]),
        counts,
    )


def _words(batch: Batch, errors: float, small: bool) -> list[Written]:
    """Return the words that change, with what is written for each.

    Args:
        batch: the texts.
        errors: the word error rate.
        small: whether all letters become small.
    """
    words, table = batch.words, _misheard()
    letters = letters_of(batch)
    (rows,) = ((letters[words.starts] - np.uint8(97)) < _LETTERS).nonzero()
    is_grammar = np.zeros(len(words), np.bool_)
    is_grammar[table.grammar.find_words(batch)[0]] = True
    rows = rows[_wrong(batch, rows, is_grammar[rows], errors)]
    starts, sort = words.starts[rows], is_grammar[rows].astype(np.int64)
    how = batch.uniform(starts, _HOW)
    lost = (how < np.array(table.counts["lost"])[sort]) & (before(batch, rows) >= 0)
    added = how >= 1 - np.array(table.counts["added"])[sort]
    heard = _heard(batch, rows, np.where(added, 2, sort))
    spans = words.take(rows)
    if small:
        spans = packed(_small(spans.flat()), spans.lengths)
    else:
        cased = in_case_of(spans, heard, np.zeros(len(rows), np.bool_))
        heard = stack(cased, heard).take(np.arange(len(rows)) + len(rows) * added)
    kept = concatenate(repeated(" ", len(rows)), spans)
    kept.ends[~added] = kept.starts[~added]
    heard.ends[lost] = heard.starts[lost]
    wrong = Written(starts - lost, words.ends[rows], concatenate(heard, kept))
    if not small:
        return [wrong]
    (at,) = capitals().mask(batch.codes).nonzero()
    others = distinct(words.starts.searchsorted(at, "right") - 1)
    others = others[words.ends[others] > 0]
    capital = words.take(others)
    lowered = Written(capital.starts, capital.ends, packed(_small(capital.flat()), capital.lengths))
    return [wrong, lowered]


def _wrong(batch: Batch, rows: Int64, is_grammar: Bool, errors: float) -> Bool:
    """Mark the words that are wrong, in runs, the same share of each text on average.

    A word is as wrong as the one before it, or is drawn anew, so the share does not depend on that.
    """
    starts, counts = batch.words.starts[rows], _misheard().counts
    sizes = batch.count(starts)
    texts = np.arange(len(sizes)).repeat(sizes)
    share = np.bincount(texts, is_grammar, len(sizes)) / np.maximum(sizes, 1)
    # Words of grammar are wrong at a part of the rate of the others, which is 1 at most.
    ratio = counts["grammar is wrong"]
    others = np.minimum(errors / (1 - share + share * ratio), 1)
    grammar = (errors - (1 - share) * others) / np.maximum(share, 1e-9)
    chances = np.where(is_grammar, grammar.repeat(sizes), others.repeat(sizes))
    anew = batch.uniform(starts, _FOLLOWS) >= counts["follows"]
    anew[(np.cumsum(sizes) - sizes)[sizes > 0]] = True
    source = np.maximum.accumulate(np.where(anew, np.arange(len(rows)), 0))
    wrong: Bool = batch.uniform(starts, _WRONG)[source] < chances
    return wrong


def _heard(batch: Batch, rows: Int64, sort: Int64) -> Strings:
    """Draw a word that is written for each of those at `rows`, or is added to it: never itself."""
    table, words = _misheard(), batch.words
    starts, letters = words.starts[rows], letters_of(batch)
    draws = batch.draw(starts, _BY)
    # For a word that has no others of its sound one is written that begins as it does.
    lead = 26 * (letters[starts] - 97).astype(np.int64) + np.minimum(letters[starts + 1] - 97, 25)
    low, high = table.leads[lead], table.leads[lead + 1]
    low, high = np.where(high > low, [low, high], [[0], [len(table.rows)]])
    key = low + below(draws, high - low)
    option = table.firsts[-1] + len(table.sums) + key
    known, place = table.keys.find(hashes_of(batch, rows))
    key = table.rows[place]
    option[known] = table.firsts[key] + below(draws[known], np.diff(table.firsts)[key])
    to_grammar = np.array(table.counts["to grammar"])[sort]
    (few,) = (batch.uniform(starts, _SORT) < to_grammar).nonzero()
    number = table.sums.searchsorted(below(draws[few], int(table.sums[-1])), "right")
    number += table.hashes[number] == hashes_of(batch, rows[few])
    option[few] = table.firsts[-1] + number % len(table.sums)
    return table.words.take(option)


def _small(codes: Codes) -> Codes:
    """Return the code points in lower case; those of Latin-1 stay in it."""
    lower, _ = case_maps()
    return lower[:256].astype(np.uint8)[codes] if codes.dtype == np.uint8 else lower[codes]
