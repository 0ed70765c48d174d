"""Recognition of English texts by their short words and their letters.

The English tables don't fit other languages. A text counts as foreign only on evidence: it has
words or letters of another language that English lacks, and clearly more of them than words that
only English has. Two such words are enough; one is enough if the lexicon lacks half of the others.
Words with a capital are no evidence (Los Angeles, El Niño), except a long one at the start of a
text and those of a text all in capitals. A lack of English words alone is none either, so three
English words stay English. Words that English shares (German war, Swedish men) don't count.

`benchmarks/language_detection.py` measures the errors. Among held-out sentences of six words or
more, it takes 3 in 1,000 foreign ones for English and refuses none of 48 English ones, nor any of
7,473 questions of GSM8K. It takes seven in ten foreign texts of up to five words for English.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from string import ascii_uppercase
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch, places_beyond_ascii, word_classes
from perturb.engine.native import words as kernels
from perturb.engine.native.binding import Struct
from perturb.engine.text.characters import CODE_POINTS, CharacterSet, set_of
from perturb.engine.text.scripts import latin_beyond_ascii
from perturb.engine.text.strings import Strings, ranges
from perturb.lexicon.hashing import HashTable, hash_strings, hashes_of
from perturb.lexicon.phrases import is_capital, is_digit, is_small
from perturb.lexicon.store import surfaces_of
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Float64, Int64, NDArray, UInt32

# Longer words are left out: frequent words are short, and `wordlists/build/foreign_words.py` takes
# those of three to eight letters.
_LONGEST = 8
# Evidence enough, if it is so many times the evidence for English. Measured on `languages.tsv` of
# the tests: with one word as enough, 3 of 52 English sentences are refused, with three 9 rather
# than 5 of 166 foreign ones pass; at 1.5 times 3 of the 52 are refused, beyond 2 nothing is gained.
_ENOUGH, _TIMES = 2.0, 2.0
# A little is enough if the text has this many words or more and English lacks this share of them.
# From eight words on, 18 of the 166 would pass; below five a rare word or two would decide, though
# no such sentence is in the tests. A share of 0.4 or 0.6 changes one sentence at most.
_LITTLE, _FEWEST, _UNKNOWN = 1.0, 5, 0.5
# The weight of a word with a letter of English loanwords and names (café, naïve), relative to a
# word of the table; any other letter beyond ASCII (ł, ș, ğ) weighs 1. From 0.7 on, 3 of the 52
# English sentences are refused.
_LOAN = 0.4
_LOAN_LETTERS = "àáâãäçèéêëíîïñóôõöúûüÀÁÂÃÄÇÈÉÊËÍÎÏÑÓÔÕÖÚÛÜ"
# The first word of a text counts despite its capital from this length on; a shorter one may open a
# name (Los Angeles, Van Gogh). At 6 twice as many held-out foreign sentences pass, 4 of 580.
_NO_ARTICLE = 4


class _Table(NamedTuple):
    """Function words of all languages.

    Attributes:
        words: all of them.
        languages: shape (words,); the languages of each word, English as bit 0, each other as
            another bit.
        lists: how many languages there are.
    """

    words: HashTable
    languages: UInt32
    lists: int


def is_foreign(batch: Batch) -> Bool:
    """Return for each text whether it is evidently in another language than English."""
    return _judged(batch.texts, batch)[0]


def foreign_languages(texts: Strings) -> list[str]:
    """Return the language of each text by its function words; "" for English and unknown ones."""
    return [language_codes()[number] for number in language_numbers(texts).tolist()]


@cache
def language_codes() -> Sequence[str]:
    """Return the codes of the languages that are recognised; the first is of none of them."""
    return "", *(code for code, _ in read_rows("languages", "function_words.tsv"))


def language_numbers(texts: Strings, has_letter: bool = False) -> Int64:
    """Return the number in `language_codes` of the language of each text; 0 for English, too.

    Args:
        texts: the texts, as `Strings.of_texts` gives them.
        has_letter: whether only texts with a letter of Latin script beyond ASCII are looked at.
    """
    found, number = _judged(texts, None, has_letter)
    return np.where(found, number, 0)


@cache
def _vocabulary(is_narrow: bool) -> Struct:
    """Return the words of languages for the kernel, and the classes of characters."""
    loans = set_of(_LOAN_LETTERS)
    others = CharacterSet(
        lambda part: latin_beyond_ascii().first(part.stop) & ~loans.first(part.stop)
    )
    capitals = set_of(ascii_uppercase)
    classes = word_classes(256 if is_narrow else CODE_POINTS, loans, others, capitals)
    table = _function_words()
    found = table.words
    return Struct(
        *(classes, found.hashes, found.taken_bits, found.firsts, table.languages),
        *(len(found.hashes), found.bits, table.lists),
    )


def _judged(texts: Strings, batch: Batch | None, has_letter: bool = False) -> tuple[Bool, Int64]:
    """Return which texts are foreign, and the number of the likeliest language; 0 for none.

    Args:
        texts: the texts.
        batch: these as a batch, if there is one.
        has_letter: see `language_numbers`.
    """
    native = None
    if batch is None or not batch.segmented:
        native = kernels.languages(
            texts, _vocabulary(texts.codes.dtype == np.uint8), not has_letter
        )
    if native is None:
        batch = batch or Batch(texts, np.zeros(len(texts), np.uint64))
        number, most = _evidence(batch)
        if has_letter:
            most[batch.count(places_beyond_ascii(latin_beyond_ascii(), batch.codes)) == 0] = 0
    else:
        number, most = native[0].astype(np.intp), native[1]
    found = most >= _ENOUGH
    (hinted,) = ((most >= _LITTLE) & ~found).nonzero()
    if len(hinted):
        rows = hinted
        if batch is None:
            batch = Batch(texts.apart(hinted), np.zeros(len(hinted), np.uint64))
            rows = np.arange(len(hinted))
        found[hinted] = _mostly_unknown(batch, rows)
    return found, number


def _evidence(batch: Batch) -> tuple[Int64, Float64]:
    """Return the likeliest language of each text, and the evidence for one beside English."""
    words, table, count = batch.words, _function_words(), len(batch.texts)
    rows, places = table.words.find(hashes_of(batch, np.arange(len(words))))
    languages = table.languages[places]
    languages[_may_be_name(batch, words, rows) & (languages & 1 == 0)] = 0
    known, ours = _weighed(batch.text_of(words.starts[rows]), languages, count)
    theirs = known + _strange(batch)
    likeliest = np.where(known.any(axis=0), known.argmax(axis=0) + 1, 0)
    return likeliest, np.where(theirs > _TIMES * ours, theirs, 0).max(axis=0)


def _words_of(batch: Batch, texts: Int64) -> tuple[Int64, Int64]:
    """Return the words of some texts, and for each its text's place among these."""
    starts = batch.words.starts
    firsts = starts.searchsorted(batch.edges[texts])
    counts = starts.searchsorted(batch.edges[texts + 1]) - firsts
    return ranges(firsts, counts), np.arange(len(texts)).repeat(counts)


def _weighed(text: Int64, languages: UInt32, count: int) -> tuple[Int64, Int64]:
    """Return the number of words of each language that English lacks, and of the reverse.

    Args:
        text: the number of the text in which each function word stands.
        languages: the languages of each of these words.
        count: the number of texts.

    Returns:
        Both of shape (languages, texts).
    """
    bits = np.arange(1, _function_words().lists, dtype=np.uint32)
    own, english = languages >> bits[:, None] & 1 > 0, languages & 1 > 0
    shape = len(bits), count
    theirs, ours = (
        np.bincount(language * count + text[row], minlength=len(bits) * count).reshape(shape)
        for language, row in (np.nonzero(own & ~english), np.nonzero(english & ~own))
    )
    return theirs, ours


def _mostly_unknown(batch: Batch, texts: Int64) -> Bool:
    """Mark those of some texts in which the lexicon lacks half of the words or more.

    Names, numbers and words of one letter don't count; texts of few words are never marked.
    """
    rows, text = _words_of(batch, texts)
    words, codes, count = batch.words.take(rows), batch.codes, len(texts)
    names = is_capital(codes[words.starts]) & ~_shouts(batch, texts[text])
    (kept,) = (~names & ~is_digit(codes[words.starts]) & (words.lengths > 1)).nonzero()
    text = text[kept]
    unknown = text[surfaces_of(batch, rows[kept]) < 0]
    counted = np.bincount(text, minlength=count)
    lacking = np.bincount(unknown, minlength=count)
    return (counted >= _FEWEST) & (lacking >= _UNKNOWN * counted)


def _strange(batch: Batch) -> NDArray[np.floating]:
    """Return the weight of the words without a capital that have a Latin letter beyond ASCII."""
    words, codes, count = batch.words, batch.codes, len(batch.texts)
    places = places_beyond_ascii(latin_beyond_ascii(), codes)
    if not len(places):
        return np.zeros(count)
    row = words.starts.searchsorted(places, "right") - 1
    places, row = places[row >= 0], row[row >= 0]
    weight = np.where(set_of(_LOAN_LETTERS).mask(codes[places]), _LOAN, 1.0)
    first = np.append(True, row[1:] != row[:-1])[: len(row)].nonzero()[0]
    rows, most = row[first], np.maximum.reduceat(weight, first)
    named = _may_be_name(batch, words, rows)
    texts = batch.text_of(words.starts[rows[~named]])
    return np.bincount(texts, most[~named], count).astype(np.float64)


def _may_be_name(batch: Batch, words: Strings, rows: Int64) -> Bool:
    """Mark the words with a capital, but for the long ones that a text begins with: ¿Cuándo ...

    A short one there may open a name: Los Angeles, Des Moines, Van Gogh. In a text all in capitals,
    capitals say nothing.
    """
    codes, starts, ends = words.codes, words.starts[rows], words.ends[rows]
    found: Bool = is_capital(codes[starts])
    before = codes[starts - 1]
    begins = (before == 0) | (before == ord("¿"))
    found &= ~(begins & (ends - starts >= _NO_ARTICLE))
    (shouted,) = (found & is_capital(codes[ends - 1]) & (ends - starts > 1)).nonzero()
    if len(shouted):
        found[shouted] = ~_shouts(batch, batch.text_of(starts[shouted]))
    return found


def _shouts(batch: Batch, rows: Int64) -> Bool:
    """Mark the texts that have no small letter of ASCII, and more than a few words.

    Args:
        batch: the texts.
        rows: shape (n,); the numbers of texts, ascending, perhaps repeated.

    Returns:
        Shape (n,).
    """
    texts, back = np.unique(rows, return_inverse=True)
    starts, ends = batch.texts.starts[texts], batch.texts.ends[texts]
    lengths = ends - starts
    small = is_small(batch.codes[ranges(starts, lengths)])
    written = np.add.reduceat(small, np.cumsum(lengths) - lengths, dtype=np.intp)
    shouting: Bool = (written == 0) & (batch.count(batch.words.starts)[texts] > _FEWEST)
    return shouting[back]


@cache
def _function_words() -> _Table:
    english = [row[0] for row in read_rows("english", "stop_words.tsv")]
    # The words of each other language: our own list, and the longer ones.
    more = dict(read_rows("languages", "foreign_words.tsv"))
    rows = read_rows("languages", "function_words.tsv")
    lists = [english, *(f"{words} {more[language]}".split() for language, words in rows)]
    languages: dict[str, int] = {}
    for bit, words in enumerate(lists):
        for word in words:
            languages[word] = languages.get(word, 0) | 1 << bit
    # A single letter is as often a variable or part of an abbreviation as a word. All letters
    # beyond Latin-1 hash alike, so a word made only of them would match words of other scripts.
    known = [word for word in languages if 1 < len(word) <= _LONGEST and min(word) <= "\xff"]
    hashes = hash_strings(known)
    order = np.argsort(hashes)
    hashes, bits = hashes[order], np.array([languages[word] for word in known], np.uint32)[order]
    return _Table(HashTable.of(hashes), np.append(bits, np.uint32(0)), len(lists))
