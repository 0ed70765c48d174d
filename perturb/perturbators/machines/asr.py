"""The transcript that a speech recogniser gives of a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import chain
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.grouped_sites import GroupedSites, TextSites
from perturb.engine.places import touching
from perturb.engine.sites import Sites
from perturb.engine.spread import drawn_rates
from perturb.engine.text import scripts
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.characters import Kind, Script
from perturb.engine.text.strings import (
    Strings,
    concatenate,
    encode,
    packed,
    ranges,
    repeated,
    stack,
)
from perturb.lexicon.hashing import HashTable, fold, hash_strings, hash_words, hashes_of, vocabulary
from perturb.lexicon.phrases import in_case_of
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.layout.punctuation import signs_of
from perturb.perturbators.machines._spoken import numbers_said, signs_said
from perturb.perturbators.machines._whisper import as_whisper
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.written import Written, side_by_side
from perturb.registry.definition import Share
from perturb.resources import read_body, read_json, read_rows
from perturb.rng import below
from perturb.values.arrays import Bool, Codes, Float64, Int64, UInt64, distinct

# Lanes of the random numbers: whether a word is as wrong as the one before, whether it is wrong, in
# which way, whether a word of the other sort replaces it, which word, and the word it is heard as.
_FOLLOWS, _WRONG, _HOW, _SORT, _BY, _KEY = range(6)
_LETTERS = 26
# The grade of the most common words in the table of misheard words.
_COMMON = 5
# The place of a word in the alphabet is read from its first eight letters, of five bits each, since
# few words differ only later.
_INITIALS, _BITS = 8, 5


@text_perturbator(
    "asr",
    summary="Write as a speech recogniser does: no punctuation, numbers in words, words misheard.",
    english=True,
    version=7,
    touches={"case", "punctuation", "digits", "words", "space", "meaning"},
    expect="same",
    source="counts of spoken questions in NoiseQA (A. Ravichander et al., EACL 2021), and of what "
    "Whisper tiny.en and base write (wordlists/noise); words that sound alike by CMUdict "
    "(wordlists/english/misheard.tsv)",
    example="I know, they're in the right place: it's a big sale, and we have 24 days to wait.",
)
def asr(
    batch: Batch,
    *,
    errors: Share = 0.08,
    style: Literal["classic", "modern", "whisper"] = "classic",
) -> Sites:
    """Write the transcript of a speech recogniser; `p` is a share of the texts.

    Punctuation is dropped, and symbols are spoken: 10% becomes ten percent, 5 km/h five kilometers
    per hour. A share `errors` of the words is wrong: the word error rate, which differs from text
    to text as it was counted. Some of them are lost, some get another word before them, and most
    become a word that sounds similar; errors come in runs. Function words are wrong less often than
    others, and replace one another: the, a. Protected parts stay, and the rest changes.

    Args:
        batch: the texts.
        errors: the mean word error rate.
        style: "classic" has only small letters, and numbers in words; "modern" keeps case, and the
            digits and punctuation of numbers; "whisper" writes sentences with a capital and a full
            stop or question mark where the text has none, most of its commas, and small numbers
            now in words and now in digits, as Whisper tiny.en and base do.
    """
    sure = _surely_change(batch, style) & (batch.once(scripts.of_texts) == Script.LATIN)
    sites = TextSites(batch, partial(_changes, errors=errors, style=style), sure)
    sites.have_places = partial(_can_mishear, errors=errors)
    return sites


def _can_mishear(batch: Batch, errors: float) -> Bool:
    """Mark Latin texts with a word that may be misheard at a rate above 0."""
    starts = batch.words.starts[_letters(batch.codes[batch.words.starts]) < _LETTERS]
    latin: Bool = batch.once(scripts.of_texts) == Script.LATIN
    return latin & (batch.count(starts) > 0) & (errors > 0)


def _surely_change(batch: Batch, style: str) -> Bool:
    """Mark texts that begin with a capital, or hold a question mark between a word and a space.

    No part of a text can take the place of its first word; nor of such a question mark, since no
    number includes it. A transcript of Whisper may be the text.
    """
    codes = batch.codes
    if style == "classic":
        return capitals().mask(codes[batch.texts.starts])
    (places,) = (codes == ord("?")).nonzero()
    follows = of_kind(Kind.LETTER, Kind.DIGIT).mask(codes[places - 1])
    surely = batch.count(places[follows & is_blank(codes[places + 1])]) > 0
    return surely & (style == "modern")


def _changes(batch: Batch, errors: float, style: str) -> _Remains:
    """Return all changes of Latin texts."""
    small, table = style == "classic", _misheard("whisper" if style == "whisper" else "asr")
    numbers = numbers_said(batch)
    rules = [*_words(batch, numbers, errors, small, table), signs_said(batch, numbers)]
    if style == "whisper":
        parts = as_whisper(batch, rules[0], rules[-1], table.counts)
    else:
        parts = side_by_side([numbers, *rules] if small else rules)
    latin = batch.once(scripts.of_texts) == Script.LATIN
    parts = parts.keep(latin.repeat(batch.count(parts.starts)))
    sizes = batch.count(parts.starts)
    return _Remains(parts.starts, parts.ends, sizes[sizes > 0], "text", parts.write)


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
        sizes = np.add.reduceat(good, self._firsts, dtype=np.intp)
        starts, ends = (column[good] for column in self._parts)
        return type(self)(starts, ends, sizes[sizes > 0], self.unit, self._write)._like(self)


class _Misheard(NamedTuple):
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
        initials: shape (keys,); `_initials` of the keys, ascending.
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
def _misheard(name: str) -> _Misheard:
    counts = read_json("noise", f"{name}.json")
    written: dict[str, dict[str, int]] = counts["grammar words"]
    of_grammar = [*chain.from_iterable(written.values())]
    words, firsts = _table(of_grammar)
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
    return _Misheard(
        HashTable.of(grammar),
        factors,
        lost,
        HashTable.of(hashes[order]),
        wrong[common[order]],
        order,
        firsts,
        words,
        np.flatnonzero(common == _COMMON),
        _initials(keys),
        HashTable.of(heard[2:][of_heard]),
        of_heard + 2,
        sums[np.cumsum([0, *map(len, written.values())])],
        sums[1:],
        hash_strings(of_grammar),
        counts,
    )


def _table(words: Sequence[str]) -> tuple[Strings, Int64]:
    """Return the content of the table of misheard words, then `words`, and the start of each row.

    Reading it into Python strings would take most of the time of a first text.
    """
    codes = encode(f"{read_body('english', 'misheard.tsv')}{' '.join(words)}\n")
    (ends,) = (codes <= ord(" ")).nonzero()
    firsts = np.append(0, (codes[ends] == ord("\n")).nonzero()[0][:-1] + 1)
    return Strings(codes, np.append(0, ends[:-1] + 1), ends), firsts


def _words(
    batch: Batch, said: Written, errors: float, small: bool, table: _Misheard
) -> list[Written]:
    """Return the words that change, each with its replacement.

    Args:
        batch: the texts.
        said: the numbers, whose units are heard correctly.
        errors: the word error rate.
        small: whether all letters become small.
        table: the counts of a recogniser.
    """
    words, codes = batch.words, batch.codes
    may = _letters(codes[words.starts]) < _LETTERS
    # Punctuation within a word is a place of its own.
    may[words.starts.searchsorted(signs_of(batch, "_"), "right") - 1] = False
    units = _letters(codes[said.ends - 1]) < _LETTERS
    firsts, lasts = (words.starts.searchsorted(side[units]) for side in (said.starts, said.ends))
    may[ranges(firsts, lasts - firsts)] = False
    (rows,) = may.nonzero()
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
    ends_in_s = codes[words.ends[rows] - 1] | 32 == ord("s")
    wrong = _wrong(batch, rows, factors.ravel()[numbers + size * ends_in_s], errors, table)
    rows, numbers = rows[wrong], numbers[wrong]
    starts, sort = words.starts[rows], is_grammar[numbers]
    how = batch.uniform(starts, _HOW)
    follows = (codes[starts - 1] == ord(" ")) & (words.ends[rows - 1] == starts - 1)
    lost = (how < losses[numbers]) & follows
    added = how >= 1 - np.array(table.counts["added"])[sort]
    texts = _written(batch, rows, sort, added, small, table)
    texts.ends[lost] = texts.starts[lost]
    changed = [Written(starts - lost, words.ends[rows], texts)]
    if small:
        (places,) = capitals().mask(codes).nonzero()
        capital = words.take(distinct(words.starts.searchsorted(places, "right") - 1))
        changed.append(Written(capital.starts, capital.ends, _small(capital)))
    return changed


def _written(
    batch: Batch, rows: Int64, sort: Int64, added: Bool, small: bool, table: _Misheard
) -> Strings:
    """Return the replacements of wrong words; for those in `added` they are insertions before."""
    spans, heard = batch.words.take(rows), _heard(batch, rows, np.where(added, 2, sort), table)
    (some,) = added.nonzero()
    kept = _small(spans.take(some)) if small else spans.take(some)
    longer = concatenate(heard.take(some), repeated(" ", len(some)), kept)
    if not small:
        heard = in_case_of(spans, heard, np.zeros(len(rows), np.bool_))
    texts = np.arange(len(rows))
    texts[some] = len(rows) + np.arange(len(some))
    return stack(heard, longer).take(texts)


def _wrong(batch: Batch, rows: Int64, factors: Float64, errors: float, table: _Misheard) -> Int64:
    """Return the wrong words, in runs; the shares of texts differ as they were counted.

    A word is as wrong as the one before it or is drawn independently, so runs don't change the
    share of a text.

    Args:
        batch: the texts.
        rows: the words that may be wrong.
        factors: the relative rate of each.
        errors: the mean share.
        table: the counts of a recogniser.
    """
    starts = batch.words.starts[rows]
    sizes = batch.count(starts)
    some = sizes[sizes > 0]
    of_texts = drawn_rates(batch.keys, errors, table.counts["spread"])[sizes > 0]
    firsts = np.cumsum(some) - some
    scale = of_texts * some / np.add.reduceat(factors, firsts)
    right = 1 - np.minimum(factors * scale.repeat(some), 1)
    # The excess of chances above 1 is distributed over the room that the others have.
    room = (1 - of_texts) * some / np.maximum(np.add.reduceat(right, firsts), 1e-9)
    anew = batch.uniform(starts, _FOLLOWS) >= table.counts["follows"]
    anew[firsts] = True
    (heads,) = anew.nonzero()
    draws = batch.uniform(starts[heads], _WRONG).repeat(np.diff(heads, append=len(rows)))
    return (draws < 1 - right * room.repeat(some)).nonzero()[0]


def _heard(batch: Batch, rows: Int64, sort: Int64, table: _Misheard) -> Strings:
    """Draw a word to replace each word at `rows`, or to add to it: never itself."""
    hashes = hashes_of(batch, rows)
    starts = batch.words.starts[rows]
    draws = batch.draw(starts, _BY)
    # An added word sounds like any common word.
    key = table.common[below(batch.draw(starts, _KEY), len(table.common))]
    known, place = table.keys.find(hashes)
    unknown = sort < 2
    unknown[known] = False
    known, place = (some[sort[known] < 2] for some in (known, place))
    key[known] = table.rows[place]
    # A word outside the table is heard as its neighbour in the alphabet, or as a word that sounds
    # like that.
    (others,) = unknown.nonzero()
    way = below(batch.draw(starts[others], _KEY), 4)
    near = table.initials.searchsorted(_initials(batch.words.take(rows[others]))) - way // 2
    key[others] = near.clip(0, len(table.initials) - 1)
    option = table.firsts[key] + 2 + below(draws, np.diff(table.firsts)[key] - 2)
    itself = others[way % 2 == 1]
    option[itself] = table.firsts[key[itself]]
    to_grammar = np.array(table.counts["to grammar"])[sort]
    (few,) = (batch.uniform(starts, _SORT) < to_grammar).nonzero()
    option[few] = table.firsts[-1] + _grammar(batch, starts[few], hashes[few], sort[few], table)
    return table.words.take(option)


def _grammar(batch: Batch, starts: Int64, hashes: UInt64, sort: Int64, table: _Misheard) -> Int64:
    """Draw a function word to replace each word, or to add to it: never itself."""

    def drawn(group: Int64, lane: int, rows: Int64) -> Int64:
        low = table.ends[group]
        level = low + below(batch.draw(starts[rows], lane), table.ends[group + 1] - low)
        number = table.sums.searchsorted(level, "right")
        number += table.hashes[number] == hashes[rows]
        return number

    group = (sort == 2).astype(np.intp)
    known, place = table.heard.find(hashes)
    known, place = (some[sort[known] == 1] for some in (known, place))
    group[known] = table.groups[place]
    option = drawn(group, _BY, np.arange(len(group)))
    (others,) = (table.hashes[option] == 0).nonzero()
    option[others] = drawn(np.zeros(len(others), np.intp), _KEY, others)
    return option


def _letters(codes: Codes) -> Codes:
    """Return letters of ASCII as numbers, from 0 for a; other code points are larger."""
    numbers: Codes = np.subtract(codes | 32, ord("a"), dtype=codes.dtype)
    return numbers


def _initials(words: Strings) -> Int64:
    """Return the first letters of words as numbers in the order of the alphabet.

    Other characters come before all letters.
    """
    places = np.arange(_INITIALS)
    within = places < words.lengths[:, None]
    letters = _letters(words.codes[words.starts[:, None] + places * within])
    ordinals = np.where(within & (letters < _LETTERS), letters + np.uint8(1), 0).astype(np.int64)
    return np.asarray((ordinals << _BITS * places[::-1]).sum(axis=1))


def _small(strings: Strings) -> Strings:
    """Return strings in lower case; those of Latin-1 stay in it."""
    lower, codes = case_maps()[0], strings.flat()
    table = lower[:256].astype(np.uint8) if codes.dtype == np.uint8 else lower
    return packed(table[codes], strings.lengths)
