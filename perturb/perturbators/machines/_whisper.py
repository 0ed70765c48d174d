"""The layout of a transcript by Whisper: sentences, where a text has none, and its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.case import capitals
from perturb.engine.text.characters import Kind, of_kind, set_of
from perturb.engine.text.strings import Strings, column, concatenate, packed, same
from perturb.lexicon.numerals import Numbers, digits, in_digits, in_words, named
from perturb.lexicon.phrases import among, is_digit, is_small
from perturb.perturbators.layout.punctuation import signs_of
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.written import Written, side_by_side
from perturb.values.arrays import Bool, Int64

# Lanes of the random numbers, beside those of the words: a sign stays, the end of a text, its first
# letter, how a number is written, and a comma behind a word that is heard as another.
_SIGN, _END, _CAPITAL, _NUMBER, _DIGIT = range(6, 11)
_COMMA = 17
_ENDS = "?", ".", ""
# What may follow the last word of a text.
_BEHIND = ".,:;!?…\"'”’»)]}-–—"
# The bit by which the cases of a letter of ASCII differ.
_CASE = 32
_SMALL = 10
OPENS_QUESTION = frozenset(
    "what who whom whose which when where why how is are was were do does did can could will would "
    "should has have had".split()
)


def as_whisper(batch: Batch, words: Written, signs: Written, counts: dict[str, Any]) -> Written:
    """Return all changes of a text by Whisper.

    Args:
        batch: the texts.
        words: the words that are heard as others.
        signs: the punctuation and symbols that a recogniser without any would leave out or say.
        counts: the content of the table.
    """
    layout = counts["layout"]
    pauses = (batch.codes[words.ends] == ord(" ")) & (words.texts.lengths > 0)
    pauses &= batch.uniform(words.starts, _COMMA) < layout["comma"]
    heard = concatenate(words.texts, column(["", ","]).take(pauses.astype(np.intp)))
    words = Written(words.starts, words.ends, heard)
    lasts, reached, endings, capital = _endings(batch, layout)
    stops = {"?": layout["ends"]["asks"][0]} | dict.fromkeys(".!", layout["ends"]["tells"][1])
    kept = stops | layout["kept"]
    of_sign = np.full(128, kept.pop("other"))
    of_sign[[*map(ord, kept)]] = [*kept.values()]
    shares = of_sign[np.minimum(batch.codes[signs.starts], 127)]
    stays = batch.uniform(signs.starts, _SIGN) < shares
    # Of a run that stays, the first sign does.
    ends = signs.ends - (stays & is_blank(batch.codes[signs.ends - 1]))
    signs = Written(signs.starts + stays, ends, signs.texts)
    signs.texts.ends[stays] = signs.texts.starts[stays]
    within = signs.starts < lasts[batch.text_of(signs.starts)]
    signs = signs.keep(within & (signs.starts < signs.ends))
    (tails,) = (reached > lasts).nonzero()
    tail = Written(lasts[tails], reached[tails], endings.take(tails))
    parts = side_by_side([words, *_numerals(batch, layout), tail, signs])
    return _sentences(batch, parts, lasts, reached, endings, capital)


def _endings(batch: Batch, layout: dict[str, Any]) -> tuple[Int64, Int64, Strings, Bool]:
    """Return where the last word of each text and the signs behind it end, and the new ending.

    Both places are the start of a text without a word. At last, whether the text begins with a
    capital: what ends like a sentence begins like one.
    """
    codes, firsts, ends = batch.codes, batch.texts.starts, batch.texts.ends
    (filled,) = (~is_blank(codes)).nonzero()
    content = filled[~set_of(_BEHIND).mask(codes[filled])]
    lasts, reached = (
        np.maximum(np.append(-1, places)[places.searchsorted(ends)] + 1, firsts)
        for places in (content, filled)
    )
    reached[lasts == firsts] = firsts[lasts == firsts]
    stops, marks = (
        batch.count(places[places >= lasts[batch.text_of(places)]]) > 0
        for places in (signs_of(batch, ".!…"), signs_of(batch, "?"))
    )
    opens = among(batch, batch.words.starts.searchsorted(firsts), OPENS_QUESTION)
    ends, capital = (
        np.array([layout[name][kind] for kind in ("tells", "asks")]) for name in ("ends", "capital")
    )
    asks = (marks | (opens & ~stops)).astype(np.intp)
    sums = np.cumsum(ends, axis=1)[asks]
    drawn = (batch.uniform(firsts, _END)[:, None] >= sums[:, :-1]).sum(axis=1)
    upper = batch.uniform(firsts, _CAPITAL) < capital[asks, drawn]
    return lasts, reached, column(_ENDS).take(drawn), upper


def _numerals(batch: Batch, layout: dict[str, Any]) -> list[Written]:
    """Return the whole numbers that are written in the other way, or misheard."""
    codes, found, rules = batch.codes, in_words(batch), []
    in_letters = found.keep(~is_digit(codes[found.starts]))
    for numbers, way in ((in_letters, "digits"), (in_digits(batch), "words")):
        behind = codes[np.minimum(numbers.ends + 1, len(codes) - 1)]
        # What begins a text or a line may be the number of an item.
        bare = (codes[numbers.starts - 1] == ord(" ")) & ~is_digit(behind)
        bare &= set_of(" .,?!;:\n\0").mask(codes[numbers.ends])
        numbers = numbers.keep(bare)
        # The number of a date, a chapter or a king is written as it is.
        before = batch.words.starts[np.maximum(numbers.first - 1, 0)]
        free = (numbers.first == 0) | ~capitals().mask(codes[before])
        free |= before < batch.texts.starts[batch.text_of(numbers.starts)]
        free &= ~capitals().mask(behind[bare])
        draws = batch.uniform(numbers.starts, _NUMBER)
        goes = free & (draws < np.array(layout[way])[(numbers.values > _SMALL).astype(np.intp)])
        other = numbers.keep(goes)
        texts = named(other.values) if way == "words" else digits(other.values, commas=False)
        rules.append(Written(other.starts, other.ends, texts))
        if way == "words":
            rules.append(_misheard(batch, numbers.keep(~goes & (draws >= 1 - layout["misheard"]))))
    return rules


def _misheard(batch: Batch, numbers: Numbers) -> Written:
    """Return numbers heard as others: 13 as 30, and else another last digit."""
    values = numbers.values
    last = (values + 1 + (9 * batch.uniform(numbers.starts, _DIGIT)).astype(np.intp)) % 10
    teen, tens = (values > 12) & (values < 20), (values > 20) & (values < 100) & (values % 10 == 0)
    others = np.where(tens, values // 10 + 10, values - values % 10 + last)
    heard = np.where(teen, values % 10 * 10, others)
    return Written(numbers.starts, numbers.ends, digits(heard, commas=True))


def _sentences(
    batch: Batch, parts: Written, lasts: Int64, reached: Int64, endings: Strings, upper: Bool
) -> Written:
    """Return the changes, with a capital at the start and the ending of each text.

    They belong to the word there where that changes, and are changes of its letter otherwise.
    """
    codes, texts = batch.codes, batch.texts
    owner = batch.text_of(parts.starts)
    bare = (reached == lasts) & (endings.lengths > 0) & (lasts > texts.starts)
    hit = bare[owner] & (parts.ends == lasts[owner])
    suffix = endings.take(owner)
    suffix.ends[~hit] = suffix.starts[~hit]
    written = concatenate(parts.texts, suffix)
    (filled,) = of_kind(Kind.LETTER, Kind.DIGIT).mask(codes).nonzero()
    first = np.append(filled, 0)[filled.searchsorted(texts.starts)]
    # I and words in capitals stay so.
    turns = is_small(codes[first]) & upper
    turns |= is_small(codes[first] ^ _CASE) & is_small(codes[first + 1]) & ~upper
    turns &= (first >= texts.starts) & (first < texts.ends)
    here = turns[owner] & (parts.starts == first[owner]) & (written.lengths > 0)
    at, rises = written.starts[here], upper[owner[here]]
    behind = written.codes.take(at + 1, mode="clip")
    falls = ~rises & (written.lengths[here] > 1) & is_small(behind)
    now = written.codes[at]
    at = at[(rises & is_small(now)) | (falls & is_small(now ^ _CASE))]
    written.codes[at] ^= _CASE
    parts = Written(parts.starts, parts.ends, written)
    at, end = first[turns], lasts[bare] - 1
    heads = Written(at, at + 1, packed(codes[at] ^ _CASE, np.ones(len(at), np.intp)))
    last = Strings(codes, end, end + 1)
    tails = Written(end, end + 1, concatenate(last, endings.take(bare.nonzero()[0])))
    parts = side_by_side([parts, heads, tails])
    return parts.keep(~same(Strings(codes, parts.starts, parts.ends), parts.texts))
