"""Words and sentences that do not belong there."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.boundary import File, lines_of
from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import holding, touching
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text import scripts
from perturb.engine.text.characters import Kind, Script, set_of
from perturb.engine.text.strings import Strings, column, concatenate, optional
from perturb.lexicon.english import is_foreign
from perturb.lexicon.stray import in_rows
from perturb.perturbators.declaration import text_perturbator, word_perturbator
from perturb.perturbators.shared.character_tables import before_label, is_open
from perturb.perturbators.shared.english import in_prose
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

_BULLETS = "-*•+–·|"
# Letters of languages whose scripts have the sentences of another one: Russian, Arabic.
_OF_OTHERS = "ґєіїўјљњћђџѓќѕҐЄІЇЎЈЉЊЋЂЏЃЌЅپچژگکیےٹڈڑںەۆ"


@word_perturbator(
    "word_insert",
    version=3,
    touches={"words", "space", "meaning"},
    expect="same",
    source="J. Wei, K. Zou, EDA: Easy Data Augmentation Techniques, EMNLP 2019",
)
def word_insert(batch: Batch, *, words: Literal["text", "common"] = "text") -> Sites:
    """Insert a random word after a word.

    Insert words in the script of the word before them; words with digits are skipped.

    Args:
        batch: the texts.
        words: "text" draws another word of the same text; "common" draws from a list of common
            words of the script (English, Russian, Greek, Hebrew, Arabic, Hindi, Thai, Korean, and
            words that Chinese and Japanese share), and texts in other scripts stay.
    """
    written = scripts.of_words(batch.words)
    starts, ends = batch.words.starts, batch.words.ends
    plain = ~touching(of_kind(Kind.DIGIT).mask(batch.codes), starts, ends)
    (rows,) = ((written != Script.OTHER) & plain).nonzero()
    script = written[rows]
    if words == "text":
        text = np.arange(len(batch.texts)).repeat(batch.count(starts))[rows]
        group = text * len(Script) + script
        # Sorted by text and script; no word is an option for itself.
        order = np.argsort(group, kind="stable")
        options, group_of = batch.words.take(rows[order]), group[order]
        first = group_of.searchsorted(group)
        count = group_of.searchsorted(group, "right") - first - 1
        place = np.empty(len(rows), np.intp)
        place[order] = np.arange(len(rows))
        place -= first
    else:
        bounds, options = _by_script("common_words.tsv")
        first, place = bounds[script], np.full(len(rows), len(options))
        count = bounds[script + 1] - first
    some = count > 0
    first, count, place = first[some], count[some], place[some]
    ends, spaced = ends[rows[some]], ~scripts.unspaced(script[some])

    def drawn(chosen: Chosen) -> Strings:
        row = chosen.rows
        other = chosen.below(count[row])
        other += other >= place[row]
        return concatenate(optional(spaced[row], " "), options.take(first[row] + other))

    return Sites(ends, ends, "word", drawn)


@text_perturbator(
    "add_context",
    version=5,
    languages=("en", "ru", "el", "he", "ar", "hi", "th", "ko", "zh", "ja"),
    touches={"words", "digits", "punctuation", "space", "meaning"},
    expect="same",
    source="F. Shi et al., Large Language Models Can Be Easily Distracted, ICML 2023",
    example="Ann has nine eggs. She eats two. How many are left?",
)
def add_context(
    batch: Batch, *, where: Literal["start", "end", "inside"] = "end", file: File | None = None
) -> Sites:
    """Insert an irrelevant sentence before, after or into a text.

    Add an irrelevant sentence, after a space if the script has them; `p` is a share of texts.

    After a text without a final stop, such as a search question, it gets a line of its own; a last
    line that ends with a colon, such as "Answer:", stays last.

    Args:
        batch: the texts.
        where: "start", "end", or "inside", that is between two sentences of the text; not into a
            list, a table or options.
        file: a text file in UTF-8 with a sentence on each line, to draw from; the step then holds
            its SHA-256 after the path. Without it, perturb draws a sentence in the script of the
            text (English, Russian, Greek, Hebrew, Arabic, Hindi, Thai, Korean, Chinese, Japanese);
            texts in other scripts, in Latin script in another language, and with letters that
            Russian or Arabic lacks, such as Ukrainian ones, have no site.
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
    if file is None:
        able &= ~holding(batch.texts, set_of(_OF_OTHERS))[text]
    text, places = text[able], places[able]
    open_end = is_open(batch, places) & (written[text] != Script.THAI) & (where == "end")

    def drawn(chosen: Chosen) -> Strings:
        texts, line = text[chosen.rows], open_end[chosen.rows]
        start = first[group[texts]]
        sentence = options.take(start + chosen.below(first[group[texts] + 1] - start))
        blank = optional(~scripts.solid(written[texts]) & ~line, " ")
        space = concatenate(blank, optional(line, "\n"))
        return concatenate(*((space, sentence) if where == "end" else (sentence, space)))

    sites = Sites(places, places, "text", drawn)
    if where == "inside":
        sites = in_prose(batch, sites)
    if file is not None:
        return sites
    return sites.limited(refused=is_foreign(batch) & (written == Script.LATIN))


def _places(batch: Batch, where: str) -> tuple[Int64, Int64]:
    """Return the texts that have such a place, and its position in the batch."""
    sentences = batch.sentences
    counts = batch.count(sentences.starts)
    firsts = np.cumsum(counts) - counts
    if where == "inside":
        later = np.delete(sentences.starts, firsts[counts > 0])
        later = later[~_in_items(batch, later)]
        counts = batch.count(later)
        text = np.flatnonzero(counts)
        within = batch.chosen(batch.texts.take(text)).below(counts[text], lane=1)
        return text, later[(np.cumsum(counts) - counts)[text] + within]
    text = np.flatnonzero(counts > 0)
    if where == "start":
        return text, sentences.starts[firsts[text]]
    return text, before_label(batch, sentences.ends[firsts[text] + counts[text] - 1])


def _in_items(batch: Batch, places: Int64) -> Bool:
    """Mark the places in or right behind items of lists, options and rows of tables."""
    codes, lines, digit = batch.codes, batch.lines.starts, of_kind(Kind.DIGIT)
    heads = of_kind(Kind.SPACE).past(codes, lines)
    labels = heads + (codes[heads] == ord("("))
    ends = np.maximum(digit.past(codes, labels), labels + of_kind(Kind.LETTER).mask(codes[labels]))
    labelled = (ends > labels) & set_of(".):").mask(codes[ends])
    item = labelled & ~digit.mask(codes[np.minimum(ends + 1, len(codes) - 1)])
    item |= set_of(_BULLETS).mask(codes[heads])
    rows = lines.searchsorted(places, "right") - 1
    marks: Bool = item[rows] | (item[rows - 1] & (heads[rows] == places))
    return marks | in_rows(batch)[batch.words.starts.searchsorted(places)]


@cache
def _by_script(table: str) -> tuple[Int64, Strings]:
    """Return the strings of a table in the order of their scripts, and the start of each script."""
    rows = [(Script[script.upper()], string) for string, script, _ in read_rows("languages", table)]
    rows.sort(key=lambda row: row[0])
    first = np.searchsorted([script for script, _ in rows], np.arange(len(Script) + 1))
    return first, column(string for _, string in rows)
