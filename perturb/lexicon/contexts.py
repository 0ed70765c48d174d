"""Places where no related word reads well, though its part of speech is clear.

An adjective that a number or "how" makes a measure (6 feet wide, how old). In a text without
capitals, a noun or adjective that may be part of a name (the red sox, hall of fame) and a verb
without a subject or an auxiliary (a walk to remember); in a search, also all words of one about
songs, films or books (who sings love me tender), while in a statement only an unknown neighbour
makes an adjective part of a name. Beside a capital, a word that may belong to its name (Machine
Learning, Harvard stadium, the lower Rhine). A verb without an object whose replacement needs one
(where to eat), and one that joins clauses (provided that). The words of a fixed phrase (in use,
prisoners of war). Labels and terms: words before a colon or alone in a line, capitals inside a
sentence (the Decorator), a bare singular that begins one (Flask uses it), words all in capitals in
a text that isn't, unless they are a sentence, those of code and tables, and those of the trade of
the text.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.characters import set_of
from perturb.engine.text.strings import ranges
from perturb.lexicon.phrases import Phrases, among, count_among, is_capital, words_among
from perturb.lexicon.store import is_rather
from perturb.lexicon.stray import in_code, in_rows, terms
from perturb.lexicon.tagger_rules import has
from perturb.lexicon.tagger_tables import NOTHING, known
from perturb.lexicon.tags import NOUN, TAG, TAGS, VB, VERB
from perturb.lexicon.tokens import DIGITS, LOWER, MIXED, TITLE, UPPER, Words
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, UInt8

# Which tags are of nouns and adjectives, of what can be a measure, and of verbs with an object.
_NOMINAL, _PLAIN, _ACTIVE = (
    np.array([tag in names.split() for tag in TAGS])
    for names in ("NN NNS JJ JJR JJS", "JJ RB", "VB VBZ VBD VBG")
)
# Before an adjective these make a measure: how old, twice as big.
_LEADS = "how as"
# After a noun these give a measure: half a mile long.
_DIMENSIONS = frozenset("long wide high tall deep thick old large".split())
# Beside these a noun without an article may be a title: who died in glee.
_LOOSE = frozenset("in on from at with and or to for by than as like called named".split())
# A search with one of these asks for a song, a film or a book, and may hold its title.
WORKS = frozenset(
    "sing sings sang sung song songs singer singers lyrics album albums movie movies film films "
    "episode episodes season seasons show shows series sitcom cartoon tv book books novel novels "
    "poem cast plays played playing character characters theme soundtrack band bands voice voiced "
    "voices stars starred starring wrote written writes actor actors actress".split()
)
ASKING = frozenset("who whom whose what which when where why how".split())
# Adjectives that names of places and times begin with.
_PARTS = frozenset("lower upper higher late early great greater little old new inner outer".split())
_JOINING = "provided providing given granted supposing considering require requires required"
_HELPS = "help helps helped helping"
# A question with one of these may have the object in front: what did they eat?
_FRONTED = frozenset("what which whom that many much".split())
# After these, an adjective without a noun may be a title: the bold and the beautiful, all quiet.
_WHOLE = "the all"
_ARTICLES = frozenset("a an the".split())
_DO = "do does did"
# Fewer words before a colon, or all in capitals, are a label; with more, they are a sentence.
_LABEL = 4
# Before the base form of a verb one of these stands somewhere in its sentence.
_BASE_AFTER = frozenset(
    "do does did don't doesn't didn't to can could will would shall should may might must cannot "
    "can't couldn't won't wouldn't shouldn't let".split()
)


def is_unfit(batch: Batch, words: Words, tags: UInt8) -> Bool:
    """Mark the words of a batch that must stay, whatever their tags."""
    unfit, (tagged,) = np.zeros(len(tags), np.bool_), (tags > 0).nonzero()
    nominal = tagged[_NOMINAL.take(tags[tagged])]
    for rows in (
        _measures(batch, words, tags, tagged),
        _in_bare_names(batch, words, tags, nominal),
        _bare_verbs(batch, words, tags, tagged),
        _in_capital_names(batch, words, nominal),
        _beside_verbs(batch, words, tags, tagged),
        _lacking_object(batch, words, tags, tagged),
        _in_phrases(batch),
        _named(batch, words, tags, tagged),
        _labels(batch, words),
        terms(batch),
    ):
        unfit[rows] = True
    unfit |= (in_code(batch) | in_rows(batch))[:-1]
    return unfit


def _measures(batch: Batch, words: Words, tags: UInt8, tagged: Int64) -> Int64:
    """Return adjectives and adverbs after how, a number and its unit, and in "twice as big"."""
    rows = tagged[_PLAIN.take(tags[tagged]) & ~words.apart[tagged]]
    measures = among(batch, rows - 1, _LEADS)
    measures |= among(batch, rows - 1, "that") & (tags[rows] == TAG["RB"])
    number = has(known().bits, "number")[known().kinds[words.surfaces[rows - 2]]]
    number |= words.shapes[rows - 2] == DIGITS
    measures |= ~words.apart[rows - 1] & number
    measures |= among(batch, rows, _DIMENSIONS) & _has_meaning(words, rows - 1)
    return rows[measures]


def _in_bare_names(batch: Batch, words: Words, tags: UInt8, nominal: Int64) -> Int64:
    """Return nouns and adjectives beside another word with meaning in texts without capitals."""
    bare = bare_texts(batch)
    if not (bare.any() and len(tags)):
        return np.zeros(0, np.intp)
    counts, cues = batch.count(batch.words.starts), words_among(batch, WORKS)
    searches = bare & _searches(batch, words, counts)
    of_works = (searches & about_works(batch)).repeat(counts)
    of_works[cues] = False
    rows = nominal[bare.repeat(counts)[nominal]]
    after = (rows + 1) % len(tags)
    # In "it was a good movie" the adjective judges; a title would hold an unknown word.
    plain = _PLAIN.take(tags[rows]) & ~searches.repeat(counts)[rows]
    unknown = words.surfaces < 0
    left = np.where(plain, unknown[rows - 1], _may_be_named(batch, words, rows - 1))
    right = np.where(plain, unknown[after], _may_be_named(batch, words, after))
    left |= ~plain & among(batch, rows - 1, _LOOSE)
    lone = words.apart[after] | ~_has_meaning(words, after)
    left |= (tags[rows] == TAG["JJ"]) & among(batch, rows - 1, _WHOLE) & lone
    named = (left & ~words.apart[rows]) | (right & ~words.apart[after])
    return np.concatenate([rows[named], np.flatnonzero(of_works)])


def _searches(batch: Batch, words: Words, counts: Int64) -> Bool:
    """Mark the texts that ask, or only name something, as searches do.

    A statement has a stop or a comma, as nearly all reviews in small letters do and hardly any of
    the Natural Questions, or else a verb such as "was" and no question word.
    """
    starts = batch.words.starts
    verbs = has(known().bits, "be", "have", "do", "modal")[known().kinds[words.surfaces]]
    asking = words_among(batch, ASKING)
    (stops,), (asked,) = (set_of(s).mask(batch.codes).nonzero() for s in (".,;!", "?"))
    tells = (batch.count(starts[verbs]) > 0) & (batch.count(starts[asking]) == 0)
    tells |= batch.count(stops) > 0
    first = (counts.cumsum() - counts) % len(verbs)
    searches: Bool = verbs[first] | np.isin(first, asking) | (batch.count(asked) > 0) | ~tells
    return searches


def _bare_verbs(batch: Batch, words: Words, tags: UInt8, tagged: Int64) -> Int64:
    """Return base forms and participles that aren't the verb of a question without capitals."""
    bare = bare_texts(batch)
    if not bare.any():
        return np.zeros(0, np.intp)
    rows = tagged[(tags[tagged] == TAG["VB"]) | (tags[tagged] == TAG["VBG"])]
    rows = rows[bare[batch.text_of(batch.words.starts[rows])]]
    beside = ~words.apart[rows]
    base = tags[rows] == TAG["VB"]
    title = base & (words.first[rows] | ~_follows(batch, words, rows, _BASE_AFTER))
    title |= beside & among(batch, rows - 1, _DO)
    # The right to buy, a walk to remember.
    noun = beside & among(batch, rows - 1, "to") & ~words.apart[rows - 1] & ~words.apart[rows - 2]
    unfit: Int64 = rows[title | (noun & among(batch, rows - 3, _ARTICLES))]
    return unfit


def _follows(batch: Batch, words: Words, rows: Int64, wanted: frozenset[str]) -> Bool:
    """Mark the words that one of `wanted` stands before in their sentence."""
    marked, begins = words_among(batch, wanted), np.flatnonzero(words.first)
    first = begins[begins.searchsorted(rows, "right") - 1]
    return marked.searchsorted(rows) > marked.searchsorted(first)


def _in_capital_names(batch: Batch, words: Words, rows: Int64) -> Int64:
    """Return nouns and adjectives that the word with a capital beside them may be a name with."""
    after = (rows + 1) % len(words.shapes)
    capital = (words.shapes == TITLE) | (words.shapes == MIXED)
    named = capital & ~words.first
    (at,) = named.nonzero()
    named[at] = _has_meaning(words, at)
    right = ~words.apart[after] & named[after]
    right &= capital[rows] | among(batch, rows, _PARTS)
    fits: Bool = right | (~words.apart[rows] & named[rows - 1])
    return rows[fits]


def _named(batch: Batch, words: Words, tags: UInt8, tagged: Int64) -> Int64:
    """Return words that their capitals make terms, judging by the rest of the text."""
    shapes, first = words.shapes[tagged], words.first[tagged]
    texts = batch.text_of(batch.words.starts[tagged])
    small = batch.count(batch.words.starts[words.shapes == LOWER])[texts] > 0
    bare = first & (tags[tagged] == TAG["NN"]) & ~words.apart[(tagged + 1) % len(tags)]
    capital = (shapes == TITLE) & (~first | bare) & small
    sentence = words.first.cumsum() - 1
    loud, counts = np.bincount(sentence, words.shapes == UPPER), np.bincount(sentence)
    cried = ((loud == counts) & (counts >= _LABEL))[sentence[tagged]]
    named: Int64 = tagged[capital | ((shapes == UPPER) & small & ~cried)]
    return named


def _labels(batch: Batch, words: Words) -> Int64:
    """Return words before a colon, all of a short line, and those that are a line of their own."""
    ends, begins = batch.words.ends, np.flatnonzero(words.first)
    last = np.append(begins, len(ends))[1:] - 1
    labels = batch.codes[ends[last]] == ord(":")
    several = batch.count(batch.words.starts)[batch.text_of(batch.words.starts[last])] > 1
    labels |= (begins == last) & several
    begins = np.where(last - begins < _LABEL, begins, last)
    return ranges(begins[labels], (last - begins + 1)[labels])


def _beside_verbs(batch: Batch, words: Words, tags: UInt8, tagged: Int64) -> Int64:
    """Return verbs that are conjunctions, that help others, and participles taken for pasts.

    Provided that; it helps ease pain; not started.
    """
    after = (tagged + 1) % len(words.apart)
    beside = ~words.apart[after]
    joins = among(batch, tagged, _JOINING) & among(batch, after, "that")
    helps = among(batch, tagged, _HELPS) & is_rather(batch, after, VERB, VB, NOUN)
    past = (tags[tagged] == TAG["VBD"]) & ~words.apart[tagged] & among(batch, tagged - 1, "not")
    unfit: Int64 = tagged[(beside & (joins | helps)) | past]
    return unfit


def bare_texts(batch: Batch) -> Bool:
    """Mark the texts without a capital of ASCII."""
    return batch.once(_bare_texts)


def about_works(batch: Batch) -> Bool:
    """Mark the texts with a word for songs, films or books, which may have the title of one."""
    return count_among(batch, WORKS) > 0


def _bare_texts(batch: Batch) -> Bool:
    return ~np.logical_or.reduceat(is_capital(batch.codes), batch.texts.starts)


def _may_be_named(batch: Batch, words: Words, rows: Int64) -> Bool:
    """Mark the words that may be part of a name beside another."""
    return _has_meaning(words, rows) | among(batch, rows, "of")


def _lacking_object(batch: Batch, words: Words, tags: UInt8, tagged: Int64) -> Int64:
    """Return verbs that need an object and have none behind them, nor perhaps in front."""
    rows = tagged[_ACTIVE.take(tags[tagged])]
    rows = rows[among(batch, rows, _object_verbs())]
    after = (rows + 1) % len(tags)
    bits, kinds = known().bits, known().kinds[words.surfaces[after]]
    opens = has(bits, "determiner", "possessive", "number", "object", "pronoun")[kinds]
    opens |= _has_meaning(words, after) | (words.shapes[after] == DIGITS)
    # The word after the last is the first, and that stands apart.
    follows = opens & ~words.apart[after]
    asked = _follows(batch, words, rows, _FRONTED)
    to = among(batch, after, "to") & (rows + 1 < len(tags))
    lacking: Int64 = rows[to | ~(follows | asked)]
    return lacking


def _in_phrases(batch: Batch) -> Int64:
    """Return the words of fixed phrases."""
    found = _fixed_phrases().find(batch)
    return ranges(found.first, found.last - found.first + 1)


@cache
def _fixed_phrases() -> Phrases:
    lines = read_rows("english", "fixed_phrases.tsv")
    return Phrases((phrase, "") for (line,) in lines for phrase in line.split("; "))


def _has_meaning(words: Words, rows: Int64) -> Bool:
    """Mark words outside the lexicon, such as names, and those that are no function words."""
    surfaces = words.surfaces[rows]
    marks: Bool = (surfaces < 0) | (known().kinds[surfaces] == NOTHING)
    return marks


@cache
def _object_verbs() -> frozenset[str]:
    return frozenset(
        form for _, forms in read_rows("english", "object_verbs.tsv") for form in forms.split(" ")
    )
