"""The transcript that a speech recogniser gives of a text."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.grouped_sites import GroupedSites, TextSites
from perturb.engine.places import touching
from perturb.engine.sites import Sites
from perturb.engine.spread import drawn_rates
from perturb.engine.text import scripts
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.characters import Kind, Script
from perturb.engine.text.strings import Strings, concatenate, packed, ranges, repeated, with_rows
from perturb.lexicon.hashing import hashes_of
from perturb.lexicon.phrases import before, in_case_of
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.layout.punctuation import signs_of
from perturb.perturbators.machines._misheard import (
    LETTERS,
    Misheard,
    chances,
    initials_of,
    letters_of,
    misheard,
)
from perturb.perturbators.machines._spoken import numbers_said, signs_said
from perturb.perturbators.machines._whisper import as_whisper
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.written import Written, side_by_side
from perturb.registry.definition import Share
from perturb.rng import below
from perturb.values.arrays import Bool, Float64, Int64, UInt64, distinct

# Lanes of the random numbers: whether a word is as wrong as the one before, whether it is wrong, in
# which way, whether a word of the other sort replaces it, which word, and the word it is heard as.
_FOLLOWS, _WRONG, _HOW, _SORT, _BY, _KEY = range(6)
# What the lanes of the word it is heard as are further on for a second one.
_SECOND = 11


@text_perturbator(
    "asr",
    english=True,
    version=10,
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
    """Write as a speech recogniser does: no punctuation, numbers in words, words misheard.

    Write the transcript of a speech recogniser; `p` is a share of the texts.

    Punctuation is dropped, and symbols are spoken: 10% becomes ten percent, 5 km/h five kilometers
    per hour, and 16 - 3 in a question sixteen minus three. A share `errors` of the words is wrong:
    the word error rate, which differs from text to text as it was counted. Some of them are lost,
    some become two, which counts twice, and most become a word that sounds similar; errors come in
    runs. Function words are wrong less often than others, and replace one another: the, a.
    Protected parts stay, and the rest changes.

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
    starts = batch.words.starts[letters_of(batch.codes[batch.words.starts]) < LETTERS]
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
    small, table = style == "classic", misheard("whisper" if style == "whisper" else "asr")
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

    def free(self, blocked: Bool) -> GroupedSites:
        """Return the parts that hold no blocked code point."""
        return self._kept(~touching(blocked, *self._parts))

    def whole(self, boundaries: Bool) -> GroupedSites:
        """Return the parts that begin and end where grapheme clusters do."""
        starts, ends = self._parts
        return self._kept(boundaries[starts] & boundaries[ends])


def _words(
    batch: Batch, said: Written, errors: float, small: bool, table: Misheard
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
    may = letters_of(codes[words.starts]) < LETTERS
    # Punctuation within a word is a place of its own.
    may[words.starts.searchsorted(signs_of(batch, "_"), "right") - 1] = False
    units = letters_of(codes[said.ends - 1]) < LETTERS
    firsts, lasts = (words.starts.searchsorted(side[units]) for side in (said.starts, said.ends))
    may[ranges(firsts, lasts - firsts)] = False
    (rows,) = may.nonzero()
    factors, losses, sort = chances(batch, rows, table)
    wrong = _wrong(batch, rows, factors, errors, table)
    changed = [heard_as(batch, rows[wrong], losses[wrong], sort[wrong], small, table)]
    if small:
        (places,) = capitals().mask(codes).nonzero()
        capital = words.take(distinct(words.starts.searchsorted(places, "right") - 1))
        changed.append(Written(capital.starts, capital.ends, _small(capital)))
    return changed


def heard_as(
    batch: Batch, rows: Int64, losses: Float64, sort: Int64, small: bool, table: Misheard
) -> Written:
    """Return the places of wrong words with their replacements, see `chances`.

    A lost word takes the space before it along, and one without that space is not lost.
    """
    starts, ends = batch.words.starts[rows], batch.words.ends[rows]
    how = batch.uniform(starts, _HOW)
    lost = (how < losses) & (before(batch, rows) >= 0)
    added = how >= 1 - table.counts["added"]
    texts = _written(batch, rows, sort, added, small, table)
    texts.ends[lost] = texts.starts[lost]
    return Written(starts - lost, ends, texts)


def _written(
    batch: Batch, rows: Int64, sort: Int64, added: Bool, small: bool, table: Misheard
) -> Strings:
    """Return the replacements of wrong words; those in `added` become two words."""
    heard = _heard(batch, rows, sort, table)
    if not small:
        heard = in_case_of(batch.words.take(rows), heard, np.zeros(len(rows), np.bool_))
    (some,) = added.nonzero()
    others = _heard(batch, rows[some], np.full(len(some), 2), table, _SECOND)
    longer = concatenate(heard.take(some), repeated(" ", len(some)), others)
    return with_rows(heard, some, longer)


def _wrong(batch: Batch, rows: Int64, factors: Float64, errors: float, table: Misheard) -> Int64:
    """Return the wrong words, in runs; the shares of texts differ as they were counted.

    A word belongs to the run of the one before it or begins another. The words of a run are all
    wrong or all right, at the mean of their chances, so runs don't change the share of a text.

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
    # A word that becomes two is two errors.
    share = errors / (1 + table.counts["added"])
    of_texts = drawn_rates(batch.keys, share, table.counts["spread"])[sizes > 0]
    firsts = np.cumsum(some) - some
    scale = of_texts * some / np.add.reduceat(factors, firsts)
    right = 1 - np.minimum(factors * scale.repeat(some), 1)
    # The excess of chances above 1 is distributed over the room that the others have.
    room = (1 - of_texts) * some / np.maximum(np.add.reduceat(right, firsts), 1e-9)
    anew = batch.uniform(starts, _FOLLOWS) >= table.counts["follows"]
    anew[firsts] = True
    (heads,) = anew.nonzero()
    lengths = np.diff(heads, append=len(rows))
    chance = 1 - np.add.reduceat(right * room.repeat(some), heads) / lengths
    return np.flatnonzero((batch.uniform(starts[heads], _WRONG) < chance).repeat(lengths))


def _heard(batch: Batch, rows: Int64, sort: Int64, table: Misheard, lanes: int = 0) -> Strings:
    """Draw a word to replace each word at `rows`, or to add to it: never itself."""
    hashes = hashes_of(batch, rows)
    starts = batch.words.starts[rows]
    draws = batch.draw(starts, _BY + lanes)
    # An added word sounds like any common word.
    key = table.common[below(batch.draw(starts, _KEY + lanes), len(table.common))]
    known, place = table.keys.find(hashes)
    unknown = sort < 2
    unknown[known] = False
    known, place = (some[sort[known] < 2] for some in (known, place))
    key[known] = table.rows[place]
    # A word outside the table is heard as its neighbour in the alphabet, or as a word that sounds
    # like that.
    (others,) = unknown.nonzero()
    way = below(batch.draw(starts[others], _KEY + lanes), 4)
    near = table.initials.searchsorted(initials_of(batch.words.take(rows[others]))) - way // 2
    key[others] = near.clip(0, len(table.initials) - 1)
    option = table.firsts[key] + 2 + below(draws, np.diff(table.firsts)[key] - 2)
    itself = others[way % 2 == 1]
    option[itself] = table.firsts[key[itself]]
    to_grammar = np.array(table.counts["to grammar"])[sort]
    (few,) = (batch.uniform(starts, _SORT + lanes) < to_grammar).nonzero()
    drawn = _grammar(batch, starts[few], hashes[few], sort[few], table, lanes)
    option[few] = table.firsts[-1] + drawn
    return table.words.take(option)


def _grammar(
    batch: Batch, starts: Int64, hashes: UInt64, sort: Int64, table: Misheard, lanes: int
) -> Int64:
    """Draw a function word to replace each word, or to add to it: never itself."""

    def drawn(group: Int64, lane: int, rows: Int64) -> Int64:
        low = table.ends[group]
        level = low + below(batch.draw(starts[rows], lane + lanes), table.ends[group + 1] - low)
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


def _small(strings: Strings) -> Strings:
    """Return strings in lower case; those of Latin-1 stay in it."""
    lower, codes = case_maps()[0], strings.flat()
    table = lower[:256].astype(np.uint8) if codes.dtype == np.uint8 else lower
    return packed(table[codes], strings.lengths)
