"""The tone of requests, and whether they order or ask."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.places import are_among
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.phrases import Phrases, after, is_capital
from perturb.lexicon.store import is_function, may_be
from perturb.lexicon.tags import VB, VERB
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.shared.character_tables import is_open
from perturb.perturbators.shared.clauses import imperatives, tags_of
from perturb.perturbators.shared.english import Language, in_english, in_latin_script
from perturb.perturbators.shared.written import Written, in_order
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

Style = Literal[
    "random", "polite", "persona", "casual", "formal", "urgent", "encouraging", "rude",
    "question", "command",
]  # fmt: skip

# The openings that make a question of a command.
_ASKS = ("Could you ", "Can you please ", "Would you please ", "Could you please ")
_LEADS = tuple(
    f"{verb} you{please}"
    for verb in ("could", "can", "would", "will")
    for please in ("", " please", " kindly")
)


@text_perturbator(
    "instruction_style",
    version=4,
    languages=("en",),
    touches={"words", "punctuation", "space", "case"},
    source="K. Zhu et al., PromptBench, 2023, and M. Sclar et al., ICLR 2024 (that the form of a "
    "prompt matters); own sentences (wordlists/english/instruction_styles.tsv)",
    example="Write a short poem about a bus. It should rhyme.",
)
def instruction_style(
    batch: Batch, *, style: Style = "random", language: Language = "auto"
) -> Sites:
    """Ask in another tone: politely, formally, in a hurry, as a question or a command.

    Change the tone of a text, not its request; `p` is a share of the texts.

    Args:
        batch: the texts.
        style: the tone of a sentence before or after the text: "polite", "persona" (you are an
            expert), "casual", "formal", "urgent", "encouraging" or "rude", or "random" for any but
            the last; "question" turns the first command into a question (could you write),
            "command" the first request that is a question into a command.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
    """
    rewrite = {"question": _commands, "command": _requests}.get(style)
    if rewrite is not None:
        return _parts(batch, rewrite(batch), language)
    return in_english(batch, in_latin_script(batch, _framed(batch, style)), language)


def _framed(batch: Batch, style: Style) -> Sites:
    """Return a place at the end of each text that its sentence goes to."""
    rows, sentences = _styles(style), batch.sentences
    (text,) = batch.count(batch.words.starts).nonzero()
    spans = batch.texts.take(text)
    first = np.searchsorted(sentences.starts, spans.starts)
    last = np.cumsum(batch.count(sentences.starts))[text] - 1
    # Sentences before a text come first. Nothing follows a colon, as in "Answer:".
    fronts = sum(place == "before" for place, _ in rows)
    open_ended = batch.codes[sentences.ends[last] - 1] == ord(":")
    draws = batch.chosen(spans).below(np.where(open_ended, fronts, len(rows)))
    places = np.where(draws < fronts, sentences.starts[first], sentences.ends[last])
    # After a text without a final stop, such as a search question, and before a heading, it gets a
    # line of its own.
    forms = [(f" {text}", f"\n{text}") if place == "after" else (f"{text} ", f"{text}\n")
             for place, text in rows]  # fmt: skip
    heading = batch.codes[places] == ord("#")
    line = np.where(draws < fronts, heading, is_open(batch, places))
    texts = column(form for pair in forms for form in pair).take(2 * draws + line)
    return Written(places, places, texts).sites("text")


@cache
def _styles(style: Style) -> tuple[tuple[str, str], ...]:
    """Return the sentences of a style, each with its place; those before a text first."""
    rows = [
        (place, text)
        for sort, place, text in read_rows("english", "instruction_styles.tsv")
        if style == sort or (style == "random" and sort != "rude")
    ]
    return tuple(sorted(rows, key=lambda row: row[0] == "after"))


def _commands(batch: Batch) -> Written:
    """Return the first letter of the first command of each text, with its replacement."""
    starts = batch.words.starts[imperatives(batch, batch.once(tags_of, VERB, VB))]
    starts = starts[_are_first(batch, starts)]
    draws = batch.chosen(Strings(batch.codes, starts, starts + 1)).below(len(_ASKS)).tolist()
    letters = zip(draws, batch.codes[starts].tolist(), strict=True)
    shouted = is_capital(batch.codes[starts + 1]).tolist()
    texts = column(
        _ASKS[draw].upper() + chr(code) if loud else _ASKS[draw] + chr(code).lower()
        for (draw, code), loud in zip(letters, shouted, strict=True)
    )
    return Written(starts, starts + 1, texts)


def _requests(batch: Batch) -> Written:
    """Return "Could you" and the like, with the next letter, where a request begins so."""
    matches = _leads().find(batch)
    right = after(batch, matches.last)
    fits = may_be(batch, right, VERB, VB) & ~is_function(batch, right)
    fits &= are_among(matches.starts, batch.sentences.starts) & _stop(batch, matches.starts)[1]
    starts, letters = matches.starts[fits], batch.words.starts[right[fits]]
    texts = column(chr(code).upper() for code in batch.codes[letters].tolist())
    return Written(starts, letters + 1, texts).keep(_are_first(batch, starts))


@cache
def _leads() -> Phrases:
    return Phrases((lead, lead) for lead in _LEADS)


def _are_first(batch: Batch, starts: Int64) -> Bool:
    """Mark the first of the places of each text."""
    return np.diff(batch.text_of(starts), prepend=-1) > 0


def _stop(batch: Batch, starts: Int64) -> tuple[Int64, Bool]:
    """Return the last character of the sentence of each place; whether it asks."""
    row = np.searchsorted(batch.sentences.starts, starts, "right") - 1
    places = batch.sentences.ends[row] - 1
    return places, batch.codes[places] == ord("?")


def _parts(batch: Batch, places: Written, language: Language) -> Sites:
    """Return a site for each text: the words that change, and the stop of their sentence."""
    prose = in_english(batch, places.sites("text"), language)
    places = places.keep(np.isin(places.starts, prose.starts))
    stops, asks = _stop(batch, places.starts)
    mended = asks | (batch.codes[stops] == ord(".")) | (batch.codes[stops] == ord("!"))
    mended &= stops >= places.ends
    marks = column(["?", "."]).take(asks[mended].astype(np.intp))
    parts = in_order([places, Written(stops[mended], stops[mended] + 1, marks)])
    sites = GroupedSites(parts.starts, parts.ends, 1 + mended, "text", parts.write)
    return sites.limited(prose.scripts, prose.refused)
