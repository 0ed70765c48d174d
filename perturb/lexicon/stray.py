"""Words outside running text: in lines of code, in rows of tables, and terms of a trade.

Markup is known before (`presets.code`). This reads lines that only look like code or data, and the
trade that a text is of, whose terms mean something else there: a path, a port, a significant
history.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import covered
from perturb.engine.text.characters import Kind, blank, of_kind, set_of
from perturb.lexicon.phrases import count_among, words_among
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
    (places,) = set_of(_SIGNS + _CALLS + ";").mask(codes).nonzero()
    before, sign, behind = codes[places - 1], codes[places], codes[places + 1]
    counts = of_kind(Kind.LETTER, Kind.CONNECTOR).mask(before) & set_of(_CALLS).mask(sign)
    counts |= set_of(_SIGNS).mask(sign) | ((sign == ord(";")) & _breaks(behind))
    prompts = places[set_of("$>").mask(sign) & (behind == ord(" "))]
    prompts = prompts[_breaks(codes[of_kind(Kind.SPACE).back(codes, prompts) - 1])]
    lines = _Lines.at(batch, places[counts])
    found = lines.holding(places[counts])
    code = (found >= _LEAST) & (_WORDS * found >= lines.words)
    marks = lines.mark(code | (lines.holding(prompts) > 0))
    lead = codes[words.starts - 1]
    option = (lead == ord("-")) & ~of_kind(Kind.LETTER, Kind.DIGIT).mask(codes[words.starts - 2])
    marks[:-1] |= option | set_of(_BEFORE).mask(lead) | set_of(_BEHIND).mask(codes[words.ends])
    # Words that a hyphen parts at the end of a line, the first half and the second.
    (parted,) = (codes == ord("\n")).nonzero()
    parted = parted[set_of("-\u2010\u00ad").mask(codes[parted - 1])] - 1
    seconds = words.starts.searchsorted(parted)
    halves = np.isin(parted, words.ends) & (seconds < len(words))
    parted, seconds = parted[halves], seconds[halves]
    seconds = seconds[batch.text_of(parted) == batch.text_of(words.starts[seconds])]
    marks[seconds] = marks[seconds - 1] = True
    return marks


def in_rows(batch: Batch) -> Bool:
    """Mark the words in rows of tables, heads and all; the last never is."""
    return batch.once(_in_rows)


def _in_rows(batch: Batch) -> Bool:
    codes = batch.codes
    (places,) = set_of(",\t|").mask(codes).nonzero()
    sign, before, behind = codes[places], codes[places - 1], codes[places + 1]
    bars = sign == ord("|")
    digit = of_kind(Kind.DIGIT)
    usual = blank().mask(behind) | (digit.mask(before) & digit.mask(behind))
    parts = (sign == ord("\t")) | ((sign == ord(",")) & ~usual)
    lines = _Lines.at(batch, places[bars | parts])
    cells, bar = lines.holding(places[parts]), lines.holding(places[bars])
    row = (cells >= _COMMAS) & (lines.words <= _IN_CELL * (cells + 1))
    row |= (cells > 0) & (lines.words <= _IN_TWO)
    return lines.mark(row | ((bar >= _COMMAS) & (lines.words <= _IN_CELL * bar)))


def in_heads(batch: Batch, places: Int64) -> Bool:
    """Mark the places in the first line of a text that is a table."""
    breaks, text = batch.once(_line_breaks), batch.text_of(places)
    ends = breaks[breaks.searchsorted(batch.texts.starts)][text]
    words = np.minimum(batch.words.starts.searchsorted(places), len(batch.words) - 1)
    return in_rows(batch)[words] & (places < ends)


class _Lines(NamedTuple):
    """Some lines of a batch.

    The lines of a text that is JSON as a whole count as long ones: which of its strings are prose
    is for the step to say.
    """

    batch: Batch
    numbers: Int64
    first: Int64
    last: Int64
    words: Int64

    @classmethod
    def at(cls, batch: Batch, places: Int64) -> _Lines:
        """Return the lines of these places."""
        breaks = batch.once(_line_breaks)
        numbers = np.unique(breaks.searchsorted(places))
        first, last = (batch.words.starts.searchsorted(breaks[numbers - back]) for back in (1, 0))
        json = set_of("{[").mask(batch.codes[batch.texts.starts])
        long = json[batch.text_of(breaks[numbers - 1] + 1)]
        words = np.where(long, len(batch.codes) * _WORDS, last - first)
        return cls(batch, numbers, first, last, words)

    def holding(self, places: Int64) -> Int64:
        """Return how many of the increasing places, all of them in these lines, each line has."""
        ends = places.searchsorted(self.batch.once(_line_breaks)[self.numbers])
        return np.diff(ends, prepend=0)

    def mark(self, chosen: Bool) -> Bool:
        """Mark the words of some of the lines; the last mark, of no word, is never set."""
        return covered(self.first[chosen], self.last[chosen], len(self.batch.words) + 1)


def _line_breaks(batch: Batch) -> Int64:
    """Return the places of line feeds and of the borders of texts."""
    return _breaks(batch.codes).nonzero()[0]


def _breaks(codes: Codes) -> Bool:
    """Mark line feeds and the borders of texts."""
    marks: Bool = (codes == ord("\n")) | (codes == 0)
    return marks


def of_trade(batch: Batch, trade: str) -> Bool:
    """Mark the texts with two words of a trade."""
    return batch.once(_of_trade, trade)


def _of_trade(batch: Batch, trade: str) -> Bool:
    counts = count_among(batch, _trades()[trade][0])
    if trade == TECHNICAL:  # code is a sign of it, too
        (quotes,) = (batch.codes == ord("`")).nonzero()
        counts = counts + batch.count(quotes) + batch.count(batch.words.starts[in_code(batch)[:-1]])
    if trade == LEGAL:
        (sections,) = (batch.codes == ord("§")).nonzero()
        counts = counts + batch.count(sections)
    return counts >= np.maximum(_OF_TRADE, batch.count(batch.words.starts) / _APART)


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
