"""The ways to compare what a system said with the right answer, in one table.

What compares is imported when it is used: help lists the ways, and waits for no library.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from perturb.errors import UsageError, unknown


class Way(NamedTuple):
    """A way to compare what a system said with the right answer.

    Attributes:
        name: as `--match` takes it; in capitals, what follows a colon.
        summary: what scores, in words of Markdown.
        function: the function of `matches` or `value_matches` that compares two texts; or, where
            its name begins with `by_`, that makes such a one of what follows the colon. None of a
            way that takes more than two texts.
        package: what pip installs for it, where it needs more than perturb does.
        of: the values that are compared: a "text"; "items", of a list or the words of a text; or a
            "value" as JSON, such as a list of numbers.
        higher_is_better: whether more is better; else 0 is best.
        title: its usual name, of one that is known both as a mean over replies and of a corpus.
        corpus: whether it is a measure of all replies together; `match_of` returns a `CorpusMatch`.
    """

    name: str
    summary: str
    function: str | None = None
    package: str = ""
    of: str = "text"
    higher_is_better: bool = True
    title: str = ""
    corpus: bool = False

    @property
    def label(self) -> str:
        """The title, and whether it is one of a corpus or a mean; "" without a title."""
        over = "corpus" if self.corpus else "mean of replies"
        return f"{self.title} ({over})" if self.title else ""


# Those of one reply that are known of a corpus too, and then are named as such.
_OF_TEXTS = (
    Way("bleu", "BLEU of one reply, from 0 to 1", "by_bleu", "sacrebleu", title="BLEU"),
    Way("chrf", "chrF of one reply, from 0 to 1", "by_chrf", title="chrF"),
    Way(
        "wer",
        "word error rate: words to replace, add or delete per word of the right answer, where "
        "case and punctuation count; lower is better",
        "by_word_errors",
        "rapidfuzz",
        higher_is_better=False,
        title="WER",
    ),
    Way(
        "cer",
        "character error rate, like `wer`; lower is better",
        "by_character_errors",
        "rapidfuzz",
        higher_is_better=False,
        title="CER",
    ),
)
WAYS = (
    Way("exact", "1 where both are the same string", "exact"),
    Way(
        "normalized",
        "1 where both are equal without case, punctuation and articles (SQuAD), but for the sign "
        "and point of numbers",
        "normalized",
    ),
    Way("contains", "1 where it is contained as whole words, normalized", "contains"),
    Way(
        "number",
        "the last quantity in each, or that in its box or after `####`, without numbers that "
        "are denied (`6, not 5`) and sources (`7 [1]`), in whatever notation: `$1,200.00` is "
        "`1200`, `3/4` is `0.75`, `2 million` is `2000000`, `½` is `0.5`, `3 out of 5` is `3/5` "
        'or `3`, `3,5` is `3.5`, and a reply may end with "twenty-one" or "half a million"; of '
        "two known units, `90 min` is `1.5 h` and `5 km` isn't `5 miles`; words that are no "
        "known unit count where both have some: the right number of something else, as `5 "
        "nights` for `5 days`, is unread; a range is right where the same one is, as `10-12` for "
        '`10 to 12`, and unread where its end is, as are `3 or 4`, `± 5`, `x > 5`, "more than 5" '
        "and a `2 mil` of no clear language; a reply that says no number is wrong, and one that "
        'may say a number in other words, such as "none", "twice", "the second" or "infinity", is '
        "unread",
        "number",
    ),
    Way(
        "choice",
        "the option that is named, by the labels and texts of the row's own options; without any, "
        "whether yes, no or maybe is said, which `true` and `false` are too",
    ),
    Way(
        "math",
        "equal as mathematics, by math-verify, with units, scales, ranges and times as `number` "
        "reads them: `5\\text{ km}` isn't `5 m`; a reply with a power, factorial or sum that may "
        "have over 100,000 digits is unread",
        "by_math",
        "math-verify",
    ),
    Way("regex:PATTERN", "the last match in each", "by_pattern"),
    Way("f1", "shared words, or items of lists, from 0 to 1", "f1", of="items"),
    Way(
        "entities",
        "F1 of spans with labels, each found if one with its label overlaps with it; `f1` counts "
        "only spans that are the same",
        "entities",
        of="value",
    ),
    Way(
        "rouge-l",
        "ROUGE-L: longest common subsequence of words, from 0 to 1",
        "by_rouge",
        "rapidfuzz",
    ),
    *_OF_TEXTS,
    *(
        way._replace(
            name=f"corpus-{way.name}",
            summary=f"{way.title} of all replies together, where a long text counts more than a "
            "short one" + "; lower is better" * (not way.higher_is_better),
            corpus=True,
        )
        for way in _OF_TEXTS
    ),
    Way(
        "macro-f1",
        "the mean of F1 over the labels of the right answers; labels are read as by `label`",
        "by_macro_f1",
        of="value",
        corpus=True,
        title="macro F1",
    ),
    Way(
        "corpus:FILE.py:FUNCTION",
        "what your function of all replies and all right answers returns, two lists of texts",
        "by_corpus",
        of="items",
        corpus=True,
    ),
    Way(
        "recall:K",
        "the share of the right ids among the first K of a list of ids, best first; the right "
        'answer is an id, a list, or an object of ids with gains, such as `{"p7": 2, "p9": 1}`',
        "by_recall",
        of="value",
    ),
    Way("mrr", "1 / the place of the first right id, or 0", "reciprocal_rank", of="value"),
    Way(
        "ndcg:K",
        "nDCG of the first K ids: the sum of gain / log2(place + 1), as a share of the largest "
        "that is possible",
        "by_ndcg",
        of="value",
    ),
    Way("set", "the same items in any order", "as_set", of="items"),
    Way(
        "label",
        'the label with the highest score: of `{"neg": 0.1, "pos": 0.9}` its name, of `[0.1, 0.9]` '
        "its place from 0; of lists of labels, the same in any order",
        "label",
        of="value",
    ),
    Way(
        "close:DISTANCE",
        "1 where the numbers are at most so far apart, in the unit of the right answer; of lists, "
        "and of labels with scores, each",
        "by_closeness",
        of="value",
    ),
    Way(
        "distance",
        "the distance of the numbers; of lists, and of labels with scores, the largest; lower is "
        "better",
        "distance",
        of="value",
        higher_is_better=False,
    ),
    Way(
        "embedding",
        "cosine of embeddings, from -1 to 1; `embedding:MODEL` names a folder, an installed "
        "package or a model of the Hub, by default all-MiniLM-L6-v2",
        None,
        "sentence-transformers",
    ),
    Way("python:FILE.py:FUNCTION", "what your function of both returns", "by_place", of="items"),
    Way("judge", "what a model says that is asked about each different reply"),
)
DEFAULT, BY_JUDGE = WAYS[0].name, WAYS[-1].name
# Metrics without an upper end: a reply may hold more errors than the right answer has words.
ERROR_RATES = {way.label for way in WAYS if way.title in ("WER", "CER")}
# The field of the output for the original, which replaces a right answer that nobody knows.
REFERENCE = "the answer to the original"


def way_of(name: str) -> Way:
    """Return the way that `WAYS` has under a name.

    Raises:
        UsageError: there is none.
    """
    kind = name.partition(":")[:2]
    for way in WAYS:
        # The name of a model may be left out.
        if way.name.partition(":")[:2] == (kind if kind[0] != "embedding" else ("embedding", "")):
            return way
    raise _unknown(name)


def _unknown(name: str) -> UsageError:
    # A judge is asked by the command line alone.
    error = unknown("match", name, [way.name for way in WAYS if way.name != BY_JUDGE])
    return UsageError(f"{error}; perturb score --help has all")


def match_of(name: str) -> Any:
    """Return the comparison of two texts that `WAYS` has under a name, or a `CorpusMatch`.

    Raises:
        UsageError: there is none for two texts, or its pattern or function is wrong.
        ImportError: it needs a library that is not installed.
    """
    from perturb.robustness.grading import corpus_matches, matches, value_matches

    way = way_of(name)
    if way.function is None:
        raise _unknown(name)
    functions = {**vars(matches), **vars(value_matches), **vars(corpus_matches)}
    compare, makes = functions[way.function], way.function.startswith("by_")
    try:
        made = compare(name.partition(":")[2]) if makes else compare
        is_mean = isinstance(made, corpus_matches.CorpusMatch) and not way.corpus
        return made.alone if is_mean else made
    except ImportError:
        if not way.package:
            raise
        message = f"--match {name} needs {way.package}: pip install {way.package}"
        raise ImportError(message) from None
