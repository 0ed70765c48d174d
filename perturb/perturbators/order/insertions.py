"""Words and sentences that do not belong there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.boundary import File, lines_of
from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text import scripts
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, column, concatenate, optional
from perturb.engine.text.unicode import Kind, Script
from perturb.lexicon.english import is_foreign
from perturb.registry.definition import WHOLE, WORDS
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Int64, UInt8

# From chosen sites, and their numbers among all sites, to their replacements.
Drawn = Callable[[Chosen, Int64], Strings]


@perturbator(
    "word_insert",
    unit="word",
    version=2,
    summary="Put a random word behind a word.",
    label_risk="medium",
    touches={"words", "space", "meaning"},
    expect="same",
    source="J. Wei, K. Zou, EDA: Easy Data Augmentation Techniques, EMNLP 2019",
    intensities=WORDS,
)
def word_insert(batch: Batch, *, words: Literal["text", "common"] = "text") -> Sites:
    """Insert words in the script of the word before them; words with digits are left out.

    Args:
        batch: the texts.
        words: "text" draws another word of the same text; "common" draws from a list of common
            words of the script (English, Russian, Greek, Hebrew, Arabic, Hindi, Thai, Korean, and
            words that Chinese and Japanese share), and other scripts have no site.
    """
    written = scripts.of_words(batch.words)
    digits = np.flatnonzero(of_kind(Kind.DIGIT).mask(batch.codes))
    starts, ends = batch.words.starts, batch.words.ends
    plain = digits.searchsorted(starts) == digits.searchsorted(ends)
    rows = np.flatnonzero((written != Script.OTHER) & plain)
    if words == "text":
        return _from_text(batch, rows, written[rows])
    first, options = _by_script("common_words.tsv")
    rows = rows[first[written[rows] + 1] > first[written[rows]]]

    def drawn(chosen: Chosen, own: Int64) -> Strings:
        return _one_of(chosen, first, options, written[rows[own]])

    return _behind(batch, rows, written[rows], drawn)


def _from_text(batch: Batch, rows: Int64, written: UInt8) -> Sites:
    """Return sites behind the words at `rows` that share text and script with another word."""
    text = np.repeat(np.arange(len(batch.texts)), batch.count(batch.words.starts))[rows]
    group = text * len(Script) + written
    order = np.argsort(group, kind="stable")
    # The words of a group stand side by side in `order`; `place` is where each stands there.
    place = np.empty(len(rows), np.int64)
    place[order] = np.arange(len(rows))
    first = np.searchsorted(group[order], group)
    size = np.searchsorted(group[order], group, "right") - first
    some = np.flatnonzero(size > 1)

    def drawn(chosen: Chosen, own: Int64) -> Strings:
        own = some[own]
        other = chosen.below(size[own] - 1)
        other += other >= place[own] - first[own]
        return batch.words.take(rows[order[first[own] + other]])

    return _behind(batch, rows[some], written[some], drawn)


def _behind(batch: Batch, rows: Int64, written: UInt8, drawn: Drawn) -> Sites:
    """Return a site behind each word at `rows`; a space comes first where the script has them."""
    ends = batch.words.ends[rows]
    spaced = ~scripts.unspaced(written)

    def made(chosen: Chosen) -> Strings:
        own = chosen.rows
        return concatenate(optional(spaced[own], " "), drawn(chosen, own))

    return Sites(ends, ends, "word", made)


@perturbator(
    "add_context",
    unit="text",
    version=2,
    summary="Put a sentence that has nothing to do with it before, behind or into a text.",
    label_risk="medium",
    touches={"words", "digits", "punctuation", "space", "meaning"},
    expect="same",
    source="F. Shi et al., Large Language Models Can Be Easily Distracted, ICML 2023",
    intensities=WHOLE,
    example="Ann has nine eggs. She eats two. How many are left?",
)
def add_context(
    batch: Batch,
    *,
    where: Literal["start", "end", "inside"] = "end",
    file: File | None = None,
) -> Sites:
    """Add an irrelevant sentence, parted by a space where the script has them; `p` is of texts.

    Behind a text without a stop at its end, such as a search question, it stands on a line of its
    own.

    Args:
        batch: the texts.
        where: "start", "end", or "inside", that is between two sentences of the text.
        file: a text file in UTF-8 with a sentence on each line, to draw from; the step then holds
            the SHA-256 of the file behind its path. Without it a sentence in the script of the text
            is drawn (English, Russian, Greek, Hebrew, Arabic, Hindi, Thai, Korean, Chinese,
            Japanese); texts in other scripts, and in Latin script in another language, have no
            site.
    """
    written = scripts.of_texts(batch)
    if file is None:
        first, options = _by_script("contexts.tsv")
        group = written
    else:
        options = column(lines_of(file))
        first, group = np.array([0, len(options)]), np.zeros_like(written)
    text, places = _places(batch, where)
    able = first[group[text] + 1] > first[group[text]]
    text, places = text[able], places[able]
    # Thai has no stops.
    open_end = ~_stops().mask(batch.codes[places - 1]) & (written[text] != Script.THAI)
    open_end &= where == "end"

    def made(chosen: Chosen) -> Strings:
        own = text[chosen.rows]
        sentence = _one_of(chosen, first, options, group[own])
        line = open_end[chosen.rows]
        space = concatenate(
            optional(~scripts.solid(written[own]) & ~line, " "), optional(line, "\n")
        )
        return concatenate(*((space, sentence) if where == "end" else (sentence, space)))

    sites = Sites(places, places, "text", made)
    if file is not None:
        return sites
    return sites.limited(refused=is_foreign(batch) & (written == Script.LATIN))


@cache
def _stops() -> CharacterSet:
    """Return what a text ends with that is whole: stops, quotes, brackets and signs of any kind."""
    return of_kind(Kind.PUNCTUATION, Kind.SYMBOL)


def _places(batch: Batch, where: str) -> tuple[Int64, Int64]:
    """Return the texts that have such a place, and its position in the batch."""
    sentences = batch.sentences
    counts = batch.count(sentences.starts)
    firsts = np.cumsum(counts) - counts
    if where == "inside":
        text = np.flatnonzero(counts > 1)
        within = batch.chosen(batch.texts.take(text)).below(counts[text] - 1, lane=1)
        return text, sentences.starts[firsts[text] + 1 + within]
    text = np.flatnonzero(counts > 0)
    if where == "start":
        return text, sentences.starts[firsts[text]]
    return text, sentences.ends[firsts[text] + counts[text] - 1]


def _one_of(chosen: Chosen, first: Int64, options: Strings, group: UInt8) -> Strings:
    """Draw for each chosen site one of the options of its group."""
    return options.take(first[group] + chosen.below(first[group + 1] - first[group]))


@cache
def _by_script(table: str) -> tuple[Int64, Strings]:
    """Return the strings of a table in the order of their scripts, and the start of each script."""
    rows = [(Script[script.upper()], string) for string, script, _ in read_rows("languages", table)]
    rows.sort(key=lambda row: row[0])
    first = np.searchsorted([script for script, _ in rows], np.arange(len(Script) + 1))
    return first, column(string for _, string in rows)
