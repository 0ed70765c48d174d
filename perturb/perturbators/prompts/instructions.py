"""The tone of requests, and whether they order or ask."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.places import are_among
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.features import VB, VERB
from perturb.lexicon.phrases import Phrases, after
from perturb.lexicon.store import load
from perturb.perturbators.shared.clauses import imperatives
from perturb.perturbators.shared.english import Language, in_english, in_other_script, in_prose
from perturb.perturbators.shared.neighbours import is_function, surfaces_of
from perturb.registry.definition import WHOLE
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

Style = Literal[
    "random", "polite", "persona", "casual", "formal", "urgent", "encouraging", "rude",
    "question", "command",
]  # fmt: skip

# What a command becomes a question with.
_ASKS = ("Could you ", "Can you please ", "Would you please ", "Could you please ")
_LEADS = tuple(
    f"{verb} you{please}"
    for verb in ("could", "can", "would", "will")
    for please in ("", " please", " kindly")
)


@perturbator(
    "instruction_style",
    unit="text",
    summary="Ask in another tone: politely, formally, in a hurry, as a question or a command.",
    label_risk="low",
    languages=("en",),
    touches={"words", "punctuation", "space", "case"},
    source="K. Zhu et al., PromptBench, 2023, and M. Sclar et al., ICLR 2024 (that the form of a "
    "prompt matters); own sentences (wordlists/english/instruction_styles.tsv)",
    intensities=WHOLE,
    example="Write a short poem about a bus. It should rhyme.",
)
def instruction_style(
    batch: Batch, *, style: Style = "random", language: Language = "auto"
) -> Sites:
    """Change the tone of a text and nothing that it asks for; `p` is a share of the texts.

    Args:
        batch: the texts.
        style: a sentence before or behind the text that is "polite", "persona" (you are an expert),
            "casual", "formal", "urgent", "encouraging" or "rude", or "random" of all
            but the last;
            "question" makes a question of the first command (could you write), "command" a command
            of the first request that is a question.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    if style == "question":
        return _parts(batch, *_commands(batch), language)
    if style == "command":
        return _parts(batch, *_requests(batch), language)
    sites = _framed(batch, style)
    sites = sites.keep(~in_other_script(batch)[batch.text_of(sites.starts)])
    return in_english(batch, sites, language)


def _framed(batch: Batch, style: Style) -> Sites:
    """Return a place at the end of each text that its sentence goes to."""
    rows = _styles(style)
    words = batch.words
    (text,) = batch.count(words.starts).nonzero()
    spans = batch.texts.take(text)
    # Those that go before a text come first. Nothing goes behind a colon, as in "Answer:".
    fronts = sum(place == "before" for place, _ in rows)
    counts = np.cumsum(batch.count(batch.sentences.starts))[text]
    open_ended = batch.codes[batch.sentences.ends[counts - 1] - 1] == ord(":")
    draws = batch.chosen(spans).below(np.where(open_ended, fronts, len(rows)))
    is_after = draws >= fronts
    sentences = batch.sentences
    first = np.searchsorted(sentences.starts, spans.starts)
    places = np.where(is_after, sentences.ends[counts - 1], sentences.starts[first])
    written = column(
        f" {sentence}" if place == "after" else f"{sentence} " for place, sentence in rows
    ).take(draws)
    return Sites(places, places, "text", lambda chosen: written.take(chosen.rows))


@cache
def _styles(style: Style) -> tuple[tuple[str, str], ...]:
    rows = read_rows("english", "instruction_styles.tsv")
    wanted = [
        (place, text)
        for own, place, text in rows
        if style == own or (style == "random" and own != "rude")
    ]
    return tuple(sorted(wanted, key=lambda row: row[0] == "after"))


def _commands(batch: Batch) -> tuple[Int64, Int64, Strings]:
    """Return the first letter of the first command of each text, with what is written for it."""
    words = batch.words
    rows = _first_of_texts(batch, imperatives(batch))
    starts = words.starts[rows]
    draws = batch.chosen(Strings(batch.codes, starts, starts + 1), None).below(len(_ASKS))
    letters = [chr(code).lower() for code in batch.codes[starts].tolist()]
    written = (_ASKS[draw] + letter for draw, letter in zip(draws.tolist(), letters, strict=True))
    return starts, starts + 1, column(written)


def _requests(batch: Batch) -> tuple[Int64, Int64, Strings]:
    """Return "Could you" and the like, with the letter behind it, where a request begins so."""
    table = _leads()
    found = table.find(batch)
    right = after(batch, found.last)
    surfaces = surfaces_of(batch, right)
    fits = (surfaces >= 0) & (load().masks[surfaces, VERB] & VB > 0)
    fits &= are_among(found.starts, batch.sentences.starts) & ~is_function(batch, right)
    fits &= _stop(batch, found.starts)[1]
    rows = np.flatnonzero(fits)
    rows = rows[_are_first(batch, found.starts[rows])]
    starts = batch.words.starts[right[rows]]
    letters = [chr(code).upper() for code in batch.codes[starts].tolist()]
    return found.starts[rows], starts + 1, column(letters)


@cache
def _leads() -> Phrases:
    return Phrases((lead, lead) for lead in _LEADS)


def _are_first(batch: Batch, starts: Int64) -> Bool:
    """Mark the first of the places of each text."""
    text = batch.text_of(starts)
    first: Bool = np.append(True, text[1:] != text[:-1])[: len(text)]
    return first


def _first_of_texts(batch: Batch, rows: Int64) -> Int64:
    return rows[_are_first(batch, batch.words.starts[rows])]


def _stop(batch: Batch, starts: Int64) -> tuple[Int64, Bool]:
    """Return the last character of the sentence of each place; whether it asks."""
    row = np.searchsorted(batch.sentences.starts, starts, "right") - 1
    places = batch.sentences.ends[row] - 1
    asks: Bool = batch.codes[places] == ord("?")
    return places, asks


def _parts(batch: Batch, starts: Int64, ends: Int64, written: Strings, language: Language) -> Sites:
    """Return a site for each text: the words that change, and the stop of their sentence."""
    prose = np.isin(starts, in_prose(batch, Sites(starts, ends, "text")).starts)
    starts, ends = starts[prose], ends[prose]
    texts = written.take(np.flatnonzero(prose)).to_list()
    stops, asks = _stop(batch, starts)
    mended = asks | (batch.codes[stops] == ord(".")) | (batch.codes[stops] == ord("!"))
    mended &= stops >= ends
    all_starts = np.concatenate([starts, stops[mended]])
    all_ends = np.concatenate([ends, stops[mended] + 1])
    made = [*texts, *("." if ask else "?" for ask in asks[mended].tolist())]
    order = np.argsort(all_starts)
    columns = column(made).take(order)

    def parts_written(chosen: Chosen) -> Strings:
        return columns.take(chosen.rows)

    sites = GroupedSites(all_starts[order], all_ends[order], 1 + mended, "text", parts_written)
    limits = in_english(batch, Sites(starts, ends, "text"), language)
    return sites.limited(limits.scripts, limits.refused)
