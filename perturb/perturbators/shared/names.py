"""Words that are names, by their capitals."""

from __future__ import annotations

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.lexicon.lookup import lookup
from perturb.lexicon.phrases import Found, after, before
from perturb.values.arrays import Bool, Codes, Int64


def is_name(batch: Batch, rows: Int64) -> Bool:
    """Mark the words with a capital that no sentence begins with, or that the lexicon lacks.

    A row of -1 is none.
    """
    found = has_capital(batch, rows)
    named = batch.words.take(rows[found])
    unknown = lookup(named.codes, named.starts, named.ends) < 0
    found[found] = unknown | ~are_among(named.starts, batch.sentences.starts)
    return found


def in_names(batch: Batch, found: Found) -> Bool:
    """Mark the phrases with a capital of their own, and those beside names: Pearl Harbor.

    Words all in capitals have none of their own.
    """
    starts = batch.words.starts[found.first]
    capital = is_capital(batch.codes[starts]) & ~is_capital(batch.codes[starts + 1])
    own = capital & ~are_among(starts, batch.sentences.starts)
    left, right = before(batch, found.first), after(batch, found.last)
    beside = has_capital(batch, left) | has_capital(batch, right)
    named: Bool = own | (capital & beside)
    return named


def has_capital(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` with a capital, but for the word I; a row of -1 is none."""
    starts = batch.words.starts[rows]
    heads = batch.codes[starts]
    led: Bool = (rows >= 0) & is_capital(heads)
    led &= (heads != ord("I")) | (batch.words.ends[rows] > starts + 1)
    return led


def is_capital(codes: Codes) -> Bool:
    """Mark the capitals of ASCII."""
    capital: Bool = (codes >= ord("A")) & (codes <= ord("Z"))
    return capital
