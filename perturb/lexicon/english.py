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

from perturb.engine.batch import Batch
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.unicode import Script, scripts
from perturb.lexicon.hashing import Codes, fold, hash_strings, hash_words
from perturb.resources import read_rows
from perturb.rng import Int64

Bool = NDArray[np.bool_]
UInt32 = NDArray[np.uint32]
UInt64 = NDArray[np.uint64]

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
    """Function words by hash; bit 0 of `languages` is English, each other bit another language."""

    hashes: UInt64
    languages: UInt32
    taken: Bool
    lists: int


def is_foreign(batch: Batch) -> Bool:
    """Return for each text whether it is evidently in another language than English."""
    found = np.zeros(len(batch.texts), np.bool_)
    words, codes = batch.words, batch.codes
    if not len(words):
        return found
    table = _function_words()
    (short,) = (words.ends - words.starts <= _LONGEST).nonzero()
    starts = words.starts[short]
    hashes = hash_words(fold(codes), starts, words.ends[short])
    (near,) = table.taken[hashes >> np.uint64(64 - _SLOTS)].nonzero()
    place = table.hashes.searchsorted(hashes[near])
    known = table.hashes[place] == hashes[near]
    places, languages = starts[near[known]], table.languages[place[known]]
    lengths = words.ends[short][near[known]] - places
    languages[_may_be_name(codes, places, lengths) & (languages & 1 == 0)] = 0
    accented = _accented(batch)
    suspects = np.zeros(len(found), np.bool_)
    suspects[batch.text_of(places[(languages > 1) & (languages & 1 == 0)])] = True
    suspects[batch.text_of(accented)] = True
    if suspects.any():
        _judge(batch, found, suspects, places, languages, accented)
    return found


def _judge(
    batch: Batch,
    found: Bool,
    suspects: Bool,
    places: Int64,
    languages: UInt32,
    accented: Int64,
) -> None:
    """Mark the suspects that have more words of another language than of English."""
    text = batch.text_of(places)
    (asked,) = suspects[text].nonzero()
    text, languages, count = text[asked], languages[asked], len(found)
    strange = np.bincount(batch.text_of(accented), minlength=count) * _ACCENTED
    english = languages & 1 > 0
    for bit in range(1, _function_words().lists):
        theirs = languages >> np.uint32(bit) & 1 > 0
        foreign = np.bincount(text[theirs & ~english], minlength=count) + strange
        ours = np.bincount(text[english & ~theirs], minlength=count)
        found |= suspects & (foreign >= _ENOUGH) & (foreign > _TIMES * ours)


def _accented(batch: Batch) -> Int64:
    """Return the starts of the words without a capital that have a Latin letter beyond ASCII."""
    words, codes = batch.words, batch.codes
    (places,) = (codes > 0x7F).nonzero()
    places = places[_beyond_ascii().mask(codes[places])]
    row = np.unique(words.starts.searchsorted(places, "right") - 1)
    starts = words.starts[row[row >= 0]]
    return starts[~_is_capital(codes[starts])]


def _may_be_name(codes: Codes, places: Int64, lengths: Int64) -> Bool:
    """Mark the words with a capital, but for the long ones that a text begins with: ¿Cuándo ...

    A short one there may be of a name: Los Angeles, Des Moines, Van Gogh.
    """
    before = codes[places - 1]
    begins = (before == 0) | (before == ord("¿"))
    found: Bool = _is_capital(codes[places]) & ~(begins & (lengths >= _NO_ARTICLE))
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
    taken = np.zeros(1 << _SLOTS, np.bool_)
    taken[hashes >> np.uint64(64 - _SLOTS)] = True
    bits = np.array(list(own.values()), np.uint32)[order]
    # A last one that is above all others, and is no word.
    return _Table(
        np.append(hashes[order], np.uint64(2**64 - 1)), np.append(bits, 0), taken, len(lists)
    )
