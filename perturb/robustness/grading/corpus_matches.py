"""Measures of all replies together: the counts of each reply, and the measure of their sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from perturb.robustness.grading.matches import function_at
from perturb.robustness.grading.value_matches import highest
from perturb.robustness.metrics.checks import checked_score
from perturb.robustness.metrics.corpus import Corpus, by_calls, by_counts, macro_f1
from perturb.values.arrays import Float64

# chrF and BLEU by their usual settings, as in sacreBLEU.
_CHARACTERS, _WORDS, _BETA = 6, 4, 2


class CorpusMatch(NamedTuple):
    """A measure of a corpus.

    Attributes:
        compare: from a reply, or None, and a right answer to the score of the row alone, behind
            which are its numbers in the table of the measure; and to the answer that was read.
        corpus: the measure.
    """

    compare: Callable[[str | None, str], tuple[tuple[float, ...], str | None]]
    corpus: Corpus

    def alone(self, reply: str | None, right: str) -> tuple[float, str | None]:
        """Return the score of a row, and the answer."""
        scores, answer = self.compare(reply, right)
        return scores[0], answer


def by_bleu(_: str) -> CorpusMatch:
    """BLEU, by the counts of sacreBLEU; of one text, with the orders of n-grams that it has.

    Source: Papineni et al. (2002), BLEU; Post (2018), A Call for Clarity in Reporting BLEU Scores.
    """
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(effective_order=True)

    def compare(reply: str | None, right: str) -> tuple[tuple[float, ...], str | None]:
        found = metric.sentence_score(reply or "", [right])
        counts = *found.counts, *found.totals, found.sys_len, found.ref_len
        # BLEU of equal texts is 100.00000000000004, and a score above 1 would count as unbounded.
        score = 1.0 if _blank(reply, right) else min(found.score / 100, 1.0)
        return (score * (reply is not None), *map(float, counts)), reply

    return CorpusMatch(compare, by_counts(_bleu, _bleu_right, _bleu_wrong))


def _blank(reply: str | None, right: str) -> bool:
    """Return whether both are alike, but without an n-gram to share."""
    return not (reply or "").split() and not right.split()


def _bleu(sums: Float64) -> Float64:
    hits, said = sums[..., :_WORDS], sums[..., _WORDS : 2 * _WORDS]
    smooth = 2.0 ** np.cumsum((hits == 0) & (said > 0), axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(hits > 0, hits / said, np.where(said > 0, 1 / (smooth * said), 0.0))
        brevity = np.minimum(0.0, 1 - sums[..., -1] / sums[..., -2])
        score = np.exp(np.log(precision).mean(axis=-1) + brevity)
    return np.asarray(np.where(hits.any(axis=-1), score, 0.0))


def _bleu_right(table: Float64) -> Float64:
    words = table[:, -1:]
    counts = np.maximum(words - np.arange(_WORDS), 0)
    return np.concatenate([counts, counts, words, words], axis=1)


def _bleu_wrong(table: Float64) -> Float64:
    # As many words as there should be: where replies are too long, an empty one would cost nothing.
    is_hit = np.repeat([True, False], [_WORDS, _WORDS + 2])
    return np.where(is_hit, 0.0, _bleu_right(table))


def by_chrf(_: str) -> CorpusMatch:
    """chrF, the F-score of the mean precision and recall of character n-grams, as in sacreBLEU.

    Source: Popović (2015), chrF: character n-gram F-score for automatic MT evaluation.
    """

    def compare(reply: str | None, right: str) -> tuple[tuple[float, ...], str | None]:
        said, known = _grams(reply or ""), _grams(right)
        counts = [
            [(ours & theirs).total(), ours.total() if theirs else 0, theirs.total()]
            for ours, theirs in zip(said, known, strict=True)
        ]
        table = np.array(counts, float).T.ravel()
        score = 1.0 if _blank(reply, right) else float(_chrf(table))
        return (score * (reply is not None), *table.tolist()), reply

    return CorpusMatch(compare, by_counts(_chrf, *(_chrf_as(each) for each in (True, False))))


def _grams(text: str) -> list[Counter[str]]:
    letters = "".join(text.split())
    return [
        Counter(letters[at : at + size] for at in range(len(letters) - size + 1))
        for size in range(1, _CHARACTERS + 1)
    ]


def _chrf(sums: Float64) -> Float64:
    hits, said, known = np.split(sums, 3, axis=-1)
    counted = (said > 0) & (known > 0)
    orders = np.maximum(counted.sum(axis=-1), 1)
    precision, recall = (
        np.divide(hits, each, out=np.zeros_like(hits), where=counted).sum(axis=-1) / orders
        for each in (said, known)
    )
    below = _BETA**2 * precision + recall
    score = (1 + _BETA**2) * precision * recall / np.where(below > 0, below, 1.0)
    return np.asarray(score)


def _chrf_as(is_right: bool) -> Callable[[Float64], Float64]:
    return lambda table: np.concatenate(
        [table[:, -_CHARACTERS:] * is_right, *[table[:, -_CHARACTERS:]] * 2], axis=1
    )


def _by_errors(units: Callable[[str], Sequence[str]]) -> CorpusMatch:
    from rapidfuzz.distance import Levenshtein

    def compare(reply: str | None, right: str) -> tuple[tuple[float, ...], str | None]:
        known = units(right)
        errors, size = Levenshtein.distance(units(reply or ""), known), len(known)
        return (errors / max(size, 1), float(errors), float(size)), reply

    return CorpusMatch(
        compare,
        by_counts(
            lambda sums: sums[..., 0] / np.maximum(sums[..., 1], 1.0),
            lambda table: table * [0, 1],
            lambda table: table[:, [1, 1]],
        ),
    )


def by_word_errors(_: str) -> CorpusMatch:
    """Word error rate: edits of words per word of the right answer; words are parted by spaces."""
    return _by_errors(str.split)


def by_character_errors(_: str) -> CorpusMatch:
    """Character error rate: edits of characters per character of the right answer."""
    return _by_errors(str.strip)


def by_macro_f1(_: str) -> CorpusMatch:
    """Macro F1 of labels, which are read as `label` reads them."""
    numbers: dict[str, float] = {}

    def compare(reply: str | None, right: str) -> tuple[tuple[float, ...], str | None]:
        said, known = None if reply is None else highest(reply), highest(right)
        table = [
            -1.0 if each is None else numbers.setdefault(each, float(len(numbers)))
            for each in (said, known)
        ]
        return (float(said == known), *table), said

    return CorpusMatch(compare, macro_f1())


def by_corpus(place: str) -> CorpusMatch:
    """Return the measure of a function that is named as FILE.py:FUNCTION."""
    return of_all(function_at(place), place.rpartition(":")[2])


def of_all(function: Callable[[list[str], list[str]], Any], name: str) -> CorpusMatch:
    """Return the measure of a function of all replies and all right answers."""
    numbers, texts = {"": 0.0}, list[str]()

    def numbered(text: str) -> float:
        return numbers.setdefault(text, float(len(numbers)))

    def compare(reply: str | None, right: str) -> tuple[tuple[float, ...], str | None]:
        return (float(reply == right), numbered(reply or ""), numbered(right)), reply

    def measure(table: Float64) -> float:
        if len(texts) < len(numbers):
            texts[:] = numbers
        said, known = ([texts[at] for at in column] for column in table.T.astype(int).tolist())
        value = function(said, known)
        return checked_score(getattr(value, "item", lambda: value)(), f"what {name} returns")

    return CorpusMatch(compare, by_calls(measure))
