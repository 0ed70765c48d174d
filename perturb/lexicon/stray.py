"""Words outside running text: in lines of code, in rows of tables, and terms of a trade.

Markup is known before (`presets.code`). This reads lines that only look like code or data, and the
trade that a text is of, whose terms mean something else there: a path, a port, a significant
history.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.characters import Kind, of_kind, set_of
from perturb.lexicon.phrases import words_among
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64

# Signs that prose has none of, and brackets that follow a name, as in a call.
_SIGNS, _CALLS = "{}=_$@\\<>", "(["
# A line of this many signs, with one for three words or more, is code. Fewer are in prose that
# names a function; with one for two, calls with an argument in words pass for prose.
_LEAST, _WORDS = 2, 3
# Signs that tie a word to something else than prose: an attribute, one side of a pair, [T]he.
_BEFORE, _BEHIND = "[]}=_\\@#&^~|/<", "[{(=_\\^~|/<@"
# A row of data has this many commas without a space behind them, or tabs; with one, so few words.
# With more words a cell, its cells hold sentences. Chosen by hand on 27 November 2026, on the files
# of vega-datasets.
_COMMAS, _IN_CELL, _IN_TWO = 2, 4, 4
TECHNICAL, LEGAL = "technical", "legal"
# A trade is known by this many of its words, and one in so many words: a single one is in any text,
# and two in any long one. With two in any text, 15 % of encyclopedic paragraphs are technical.
_OF_TRADE, _APART = 2, 50


def in_code(batch: Batch) -> Bool:
    """Mark the words in lines of code, and those that signs of code touch; the last never is."""
    return batch.once(_in_code)


def _in_code(batch: Batch) -> Bool:
    codes, words = batch.codes, batch.words
    signs = set_of(_SIGNS).mask(codes)
    named = of_kind(Kind.LETTER, Kind.CONNECTOR).mask(codes[:-1])
    signs = signs | np.append(False, named & set_of(_CALLS).mask(codes[1:]))
    signs |= (codes == ord(";")) & np.append(_breaks(codes[1:]), False)
    prompt = set_of("$>").mask(codes[:-1]) & (codes[1:] == ord(" "))
    marks = np.zeros(len(words) + 1, np.bool_)
    if signs.any():
        line, of_word, counts = _lines(batch)
        found = np.bincount(line[signs], minlength=len(counts))
        lines = line[:-1][prompt & _opens(codes[:-1])]
        found[lines] = counts[lines] + _LEAST
        marks[:-1] = ((found >= _LEAST) & (_WORDS * found >= counts))[of_word]
    lead = codes[words.starts - 1]
    option = (lead == ord("-")) & ~of_kind(Kind.LETTER, Kind.DIGIT).mask(codes[words.starts - 2])
    marks[:-1] |= option | set_of(_BEFORE).mask(lead) | set_of(_BEHIND).mask(codes[words.ends])
    # Words that a hyphen parts at the end of a line, the first half and the second.
    hyphen, feeds = set_of("-\u2010\u00ad").mask(codes), codes == ord("\n")
    (parted,) = (hyphen[:-1] & feeds[1:]).nonzero()
    seconds = words.starts.searchsorted(parted)
    halves = np.isin(parted, words.ends) & (seconds < len(words))
    parted, seconds = parted[halves], seconds[halves]
    seconds = seconds[batch.text_of(parted) == batch.text_of(words.starts[seconds])]
    marks[seconds] = marks[seconds - 1] = True
    return marks


def _opens(codes: Codes) -> Bool:
    """Mark the characters with only blanks before them in their line."""
    places = np.arange(len(codes))
    blank = of_kind(Kind.SPACE).mask(codes)
    last = np.maximum.accumulate(np.where(blank, -1, places))
    marks: Bool = _breaks(codes[np.append(0, last[:-1])])
    return marks


def in_rows(batch: Batch) -> Bool:
    """Mark the words in rows of tables, heads and all; the last never is."""
    return batch.once(_in_rows)


def _in_rows(batch: Batch) -> Bool:
    codes = batch.codes
    blank, digit = of_kind(Kind.SPACE, Kind.NEWLINE).mask(codes), of_kind(Kind.DIGIT).mask(codes)
    parted = codes == ord("\t")
    parted[:-1] |= (codes[:-1] == ord(",")) & ~blank[1:]
    parted[1:-1] &= ~(digit[:-2] & digit[2:] & (codes[1:-1] == ord(",")))
    bars = codes == ord("|")
    marks = np.zeros(len(batch.words) + 1, np.bool_)
    if parted.any() or bars.any():
        line, of_word, counts = _lines(batch)
        cells, bar = (np.bincount(line[signs], minlength=len(counts)) for signs in (parted, bars))
        row = (cells >= _COMMAS) & (counts <= _IN_CELL * (cells + 1))
        row |= (cells > 0) & (counts <= _IN_TWO)
        marks[:-1] = (row | ((bar >= _COMMAS) & (counts <= _IN_CELL * bar)))[of_word]
    return marks


def in_heads(batch: Batch, places: Int64) -> Bool:
    """Mark the places in the first line of a text that is a table."""
    breaks, text = np.flatnonzero(_breaks(batch.codes)), batch.text_of(places)
    ends = breaks[breaks.searchsorted(batch.texts.starts)][text]
    words = np.minimum(batch.words.starts.searchsorted(places), len(batch.words) - 1)
    marks: Bool = in_rows(batch)[words] & (places < ends)
    return marks


def _lines(batch: Batch) -> tuple[Int64, Int64, Int64]:
    """Return the line of each character and of each word, and the words of each line.

    The lines of a text that is JSON as a whole count as long ones: which of its strings are prose
    is for the step to say.
    """
    line = np.cumsum(_breaks(batch.codes), dtype=np.intp)
    of_word = line[batch.words.starts]
    counts = np.bincount(of_word, minlength=int(line[-1]) + 1)
    json = set_of("{[").mask(batch.codes[batch.texts.starts])
    counts[of_word[np.repeat(json, batch.count(batch.words.starts))]] = len(batch.codes) * _WORDS
    return line, of_word, counts


def _breaks(codes: Codes) -> Bool:
    """Mark line feeds and the borders of texts."""
    marks: Bool = (codes == ord("\n")) | (codes == 0)
    return marks


def of_trade(batch: Batch, trade: str) -> Bool:
    """Mark the texts with two words of a trade."""
    return batch.once(_of_trade, trade)


def _of_trade(batch: Batch, trade: str) -> Bool:
    counts = batch.count(batch.words.starts[words_among(batch, _trades()[trade][0])])
    if trade == TECHNICAL:  # code is a sign of it, too
        (quotes,) = (batch.codes == ord("`")).nonzero()
        counts = counts + batch.count(quotes) + batch.count(batch.words.starts[in_code(batch)[:-1]])
    if trade == LEGAL:
        (sections,) = (batch.codes == ord("§")).nonzero()
        counts = counts + batch.count(sections)
    marks: Bool = counts >= np.maximum(_OF_TRADE, batch.count(batch.words.starts) / _APART)
    return marks


def terms(batch: Batch) -> Int64:
    """Return the words that are terms of the trade of their text."""
    found = []
    for trade, (_, special) in _trades().items():
        rows = words_among(batch, special)
        found.append(rows[of_trade(batch, trade)[batch.text_of(batch.words.starts[rows])]])
    return np.concatenate(found)


@cache
def _trades() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return the words that each trade is known by, and its terms."""
    return {
        trade: (frozenset(cues.split()), frozenset(words.split()))
        for trade, cues, words in read_rows("english", "trades.tsv")
    }
