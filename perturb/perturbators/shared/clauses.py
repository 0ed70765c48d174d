"""The questions, commands and negations of a text, and the parts of speech of its words."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.native.words import asking
from perturb.engine.places import are_among
from perturb.engine.text.strings import ranges
from perturb.lexicon.hashing import narrow_codes, vocabulary
from perturb.lexicon.phrases import after, among, before, numbers_among
from perturb.lexicon.store import words_able
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import TAG
from perturb.lexicon.tokens import read_batch
from perturb.values.arrays import Bool, Int64, UInt8, distinct

_INVERTING = frozenset(
    "how what when where why which who whom whose is are was were am do does did has have had will "
    "would can could should must may might shall".split()
)
# The words that may follow an imperative.
_OBJECTS = frozenset(
    "a an the this that these those my your his her its our their me him us them it how why what "
    "whether if which who when where all any each every in on at to for".split()
)
_NEGATIONS = frozenset(
    "not never isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot "
    "couldn't won't wouldn't shouldn't ain't".split()
)
# A negation reaches this many words in a clause: doesn't seem to like her new car. Chosen by hand
# on 22 November 2026; a longer reach would cross into clauses without a comma.
_REACH = 6


def tags_of(batch: Batch, part: int | None = None, bits: int = 0) -> UInt8:
    """Return `tag` of all words of a batch, or of those that can have some tags, which is faster.

    Args:
        batch: the texts.
        part: the part of speech of those tags; None for all words.
        bits: the tags.
    """
    words = batch.once(read_batch)
    return tag(words, None if part is None else words_able(batch, part, bits))


def in_question(batch: Batch, rows: Int64) -> Bool:
    """Mark the words in a clause that asks: the last of a question, or one that begins like one."""
    return batch.once(_asking).take(rows)


def _asking(batch: Batch) -> Bool:
    """Mark all words of a batch that `in_question` marks."""
    words, sentences = batch.words.starts, batch.sentences
    numbers, opens = vocabulary(batch).numbers, batch.once(numbers_among, _INVERTING, False)
    spans = sentences.starts, sentences.ends
    native = asking(narrow_codes(batch), spans, words, numbers[:-1], opens)
    if native is not None:
        return native
    asks = np.zeros(len(words), np.bool_)
    (marks,) = (batch.codes == ord("?")).nonzero()
    row = sentences.starts.searchsorted(marks, "right") - 1
    rows = distinct(row[(row >= 0) & (marks < sentences.ends[row])])
    if not len(rows):
        return asks
    starts, ends = sentences.starts[rows], sentences.ends[rows]
    # The clauses of these sentences begin at their starts and at commas.
    (commas,) = (batch.codes == ord(",")).nonzero()
    row = starts.searchsorted(commas, "right") - 1
    begins = np.sort(np.concatenate([starts, commas[(row >= 0) & (commas < ends[row])]]))
    last = begins.searchsorted(ends) - 1
    first = words.searchsorted(begins)
    beyond = np.append(first[1:], len(words))
    beyond[last] = words.searchsorted(ends)
    clauses = among(batch, np.minimum(first, len(words) - 1), _INVERTING)
    clauses[last] = True
    asks[ranges(first[clauses], (beyond - first)[clauses])] = True
    return asks


def is_tagged(tags: UInt8, *names: str) -> Bool:
    """Mark the tags that are named."""
    marks = np.zeros(len(tags), np.bool_)
    for name in names:
        marks |= tags == TAG[name]
    return marks


def imperatives(batch: Batch, tags: UInt8) -> Int64:
    """Return the words that are verbs of commands: at the start of a sentence, before an object.

    Args:
        batch: the texts.
        tags: the tags of all words that can be verbs in their base form, from `tags_of`.
    """
    words = batch.words
    verbs = np.flatnonzero(tags == TAG["VB"])
    rows = verbs[are_among(words.starts[verbs], batch.sentences.starts)]
    rows = rows[among(batch, after(batch, rows), _OBJECTS)]
    return rows[~in_question(batch, rows)]


def negated_before(batch: Batch, rows: Int64) -> Bool:
    """Mark the words with a negation among the six before them in the same clause."""
    negated = np.zeros(len(rows), np.bool_)
    for _ in range(_REACH):
        rows = before(batch, rows)
        negated |= among(batch, rows, _NEGATIONS)
    return negated
