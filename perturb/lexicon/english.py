"""Recognition of English texts by their short words and their letters.

English tables are not for other languages. A text counts as foreign only on evidence: it has words
of closed classes of another language that English has not, and clearly more of them than words that
only English has. Words with a capital are no such evidence (Los Angeles, El Niño), except a long
one that a text begins with; nor is a lack of English words, so that three English words stay
English. Words that English has too (German war, Swedish men) are not in the table.

`benchmarks/language_detection.py` measures the errors: about one English text in a hundred is
refused, one that quotes more French than it has English; of foreign sentences of six words and more
one in five is taken for English (one in three in Polish and Swedish), and of shorter texts almost
nine in ten. Foreign texts all in capitals are nearly always taken for English.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perturb.arrays import Bool, Codes, Int64, UInt32, UInt64
from perturb.engine.batch import Batch
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Script, scripts
from perturb.lexicon.hashing import hash_strings, word_hashes
from perturb.resources import read_rows

# Words of the table are at most so long; longer ones of a text are not looked up.
_LONGEST = 8
# So much evidence is needed, and so many times as much as for English.
_ENOUGH, _TIMES = 2.0, 2.0
# What a word with a letter that English has not counts, beside a word of the table.
_ACCENTED = 0.4
# A word with a capital is so long, or may be an article or a preposition of a name.
_NO_ARTICLE = 4
_SLOTS = 16


class _Table(NamedTuple):
    """Function words by hash; bit 0 of `languages` is English, each other bit another language.

    The slots, of the first bits of a hash, are taken by any word, or by one that English has not.
    """

    hashes: UInt64
    languages: UInt32
    taken: Bool
    foreign: Bool
    lists: int

    def find(self, hashes: UInt64, taken: Bool) -> tuple[Int64, UInt32]:
        """Return which hashes are of words in slots that are taken, and their languages."""
        (near,) = taken[hashes >> np.uint64(64 - _SLOTS)].nonzero()
        place = self.hashes.searchsorted(hashes[near])
        known = self.hashes[place] == hashes[near]
        return near[known], self.languages[place[known]]


def is_foreign(batch: Batch) -> Bool:
    """Return for each text whether it is evidently in another language than English."""
    words, count = batch.words, len(batch.texts)
    if not len(words):
        return np.zeros(count, np.bool_)
    (few,) = (words.ends - words.starts <= _LONGEST).nonzero()
    short, hashes = words.take(few), word_hashes(batch)[few]
    table = _function_words()
    rows, languages = table.find(hashes, table.foreign)
    rows = rows[(languages & 1 == 0) & ~_may_be_name(short, rows)]
    strange = _ACCENTED * np.bincount(batch.text_of(_accented(batch)), minlength=count)
    evidence = np.bincount(batch.text_of(short.starts[rows]), minlength=count) + strange
    # Few texts have enough evidence of all other languages together.
    suspects: Bool = evidence >= _ENOUGH
    if not suspects.any():
        return suspects
    (asked,) = suspects.repeat(batch.count(short.starts)).nonzero()
    rows, languages = table.find(hashes[asked], table.taken)
    rows = asked[rows]
    languages[_may_be_name(short, rows) & (languages & 1 == 0)] = 0
    return suspects & _outnumbered(batch.text_of(short.starts[rows]), languages, strange)


def _outnumbered(text: Int64, languages: UInt32, strange: NDArray[np.floating]) -> Bool:
    """Mark the texts that have more words of another language than of English.

    Args:
        text: the number of the text in which each function word stands.
        languages: of each of these words.
        strange: what the words with a letter that English has not count, in each text.
    """
    found = np.zeros(len(strange), np.bool_)
    english = languages & 1 > 0
    for bit in range(1, _function_words().lists):
        theirs = languages >> np.uint32(bit) & 1 > 0
        foreign = np.bincount(text[theirs & ~english], minlength=len(found)) + strange
        ours = np.bincount(text[english & ~theirs], minlength=len(found))
        found |= (foreign >= _ENOUGH) & (foreign > _TIMES * ours)
    return found


def _accented(batch: Batch) -> Int64:
    """Return the starts of the words without a capital that have a Latin letter beyond ASCII."""
    words, codes = batch.words, batch.codes
    (places,) = (codes > 0x7F).nonzero()
    places = places[_beyond_ascii().mask(codes[places])]
    row = np.unique(words.starts.searchsorted(places, "right") - 1)
    starts = words.starts[row[row >= 0]]
    return starts[~_is_capital(codes[starts])]


def _may_be_name(words: Strings, rows: Int64) -> Bool:
    """Mark the words with a capital, but for the long ones that a text begins with: ¿Cuándo ...

    A short one there may be of a name: Los Angeles, Des Moines, Van Gogh.
    """
    starts = words.starts[rows]
    before = words.codes[starts - 1]
    begins = (before == 0) | (before == ord("¿"))
    long = words.ends[rows] - starts >= _NO_ARTICLE
    found: Bool = _is_capital(words.codes[starts]) & ~(begins & long)
    return found


def _is_capital(codes: Codes) -> Bool:
    capital: Bool = (codes >= ord("A")) & (codes <= ord("Z"))
    return capital


@cache
def _beyond_ascii() -> CharacterSet:
    member = scripts() == Script.LATIN
    member[:0x80] = False
    return CharacterSet(member)


@cache
def _function_words() -> _Table:
    english = [row[0] for row in read_rows("english", "stop_words.tsv")]
    lists = [english] + [row[1].split() for row in read_rows("languages", "function_words.tsv")]
    languages: dict[str, int] = {}
    for bit, words in enumerate(lists):
        for word in words:
            languages[word] = languages.get(word, 0) | 1 << bit
    # A single letter is a variable or part of an abbreviation as often as a word. All letters
    # beyond Latin-1 hash alike, so that a word of nothing else would be found in other scripts.
    own = {
        word: bits
        for word, bits in languages.items()
        if 1 < len(word) <= _LONGEST and min(word) <= "\xff"
    }
    hashes = hash_strings(list(own))
    order = np.argsort(hashes)
    bits = np.array(list(own.values()), np.uint32)
    taken, foreign = np.zeros((2, 1 << _SLOTS), np.bool_)
    slots = hashes >> np.uint64(64 - _SLOTS)
    taken[slots], foreign[slots[bits & 1 == 0]] = True, True
    # A last one that is above all others, and is no word.
    return _Table(
        np.append(hashes[order], np.uint64(2**64 - 1)),
        np.append(bits[order], 0),
        taken,
        foreign,
        len(lists),
    )
