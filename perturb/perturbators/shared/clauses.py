"""The questions, commands and negations of a text, and the parts of speech of its words."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.lexicon.phrases import after, among, before
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import TAG, TAGS
from perturb.lexicon.tokens import read_batch
from perturb.values.arrays import Bool, Int64, UInt8

_INVERTING = frozenset(
    "how what when where why which who whom whose is are was were am do does did has have had will "
    "would can could should must may might shall".split()
)
# What may follow an imperative.
_OBJECTS = frozenset(
    "a an the this that these those my your his her its our their me him us them it how why what "
    "whether if which who when where all any each every in on at to for".split()
)
_NEGATIONS = frozenset(
    "not never isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot "
    "couldn't won't wouldn't shouldn't ain't".split()
)
# So many words before a word may be a negation of it.
_REACH = 6


def tags_of(batch: Batch) -> UInt8:
    """Return `tag` of all words of a batch."""
    return tag(batch.once(read_batch))


def in_question(batch: Batch, places: Int64) -> Bool:
    """Mark the places in a clause that asks: the last of a question, or one that begins so."""
    sentences, codes = batch.sentences, batch.codes
    if not len(sentences) or not len(places):
        return np.zeros(len(places), np.bool_)
    row = np.maximum(sentences.starts.searchsorted(places, "right") - 1, 0)
    asks, commas = batch.once(_asking)
    asked = asks[row]
    places, row = places[asked], row[asked]
    starts, ends = sentences.starts[row], sentences.ends[row]
    following = commas.searchsorted(places)
    last = np.append(commas, len(codes))[following] >= ends
    begins = np.maximum(np.append(-1, commas)[following], starts)
    word = np.minimum(batch.words.starts.searchsorted(begins), len(batch.words) - 1)
    asked[asked] = last | among(batch, word, _INVERTING)
    return asked


def _asking(batch: Batch) -> tuple[Bool, Int64]:
    """Mark the sentences with a question mark; return the commas of all texts too."""
    (marks,) = (batch.codes == ord("?")).nonzero()
    (commas,) = (batch.codes == ord(",")).nonzero()
    sentences = batch.sentences
    return marks.searchsorted(sentences.ends) > marks.searchsorted(sentences.starts), commas


def is_tagged(*names: str) -> Bool:
    """Return which of the tags are named, a mark for each number of a tag."""
    return np.array([name in names for name in TAGS])


def imperatives(batch: Batch) -> Int64:
    """Return the words that are verbs of commands: at the start of a sentence, before an object."""
    words = batch.words
    verbs = np.flatnonzero(batch.once(tags_of) == TAG["VB"])
    rows = verbs[are_among(words.starts[verbs], batch.sentences.starts)]
    rows = rows[among(batch, after(batch, rows), _OBJECTS)]
    return rows[~in_question(batch, words.starts[rows])]


def negated_before(batch: Batch, rows: Int64) -> Bool:
    """Mark the words with a negation among the six before them in the same clause."""
    negated = np.zeros(len(rows), np.bool_)
    for _ in range(_REACH):
        rows = np.where(rows < 0, -1, before(batch, np.maximum(rows, 0)))
        negated |= among(batch, rows, _NEGATIONS)
    return negated
