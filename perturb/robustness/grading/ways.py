"""The ways to compare what a system said with the right answer, in one table.

What compares is imported when it is used: help lists the ways, and waits for no library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from perturb.errors import UsageError, unknown

if TYPE_CHECKING:
    from perturb.robustness.grading.matches import Match


class Way(NamedTuple):
    """A way to compare what a system said with the right answer.

    Attributes:
        name: as `--match` takes it; in capitals, what follows a colon.
        summary: what scores, in words of Markdown.
        function: the function of `matches` that compares two texts; or, where its name begins with
            `by_`, that makes such a one of what follows the colon. None of a way that takes more
            than two texts.
        package: what pip installs for it, where it needs more than perturb does.
    """

    name: str
    summary: str
    function: str | None = None
    package: str = ""


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
        "the last quantity in each, or that in its box or after `####`, in whatever notation: "
        "`$1,200.00` is `1200`, `3/4` is `0.75`, `2 million` is `2000000`, `½` is `0.5`, and a "
        'reply without digits may end with "twenty-one"; of two known units, `90 min` is `1.5 h` '
        "and `5 km` isn't `5 miles`; commas part thousands, but `3,5` is `3.5` where the right "
        "answer has decimals",
        "number",
    ),
    Way("choice", "the option that is named, by the labels and texts of the row's own options"),
    Way("math", "equal as mathematics, by math-verify", "by_math", "math-verify"),
    Way("regex:PATTERN", "the last match in each", "by_pattern"),
    Way("f1", "shared words, or items of lists, from 0 to 1", "f1"),
    Way(
        "rouge-l",
        "ROUGE-L: longest common subsequence of words, from 0 to 1",
        "by_rouge",
        "rapidfuzz",
    ),
    Way("bleu", "BLEU of the whole reply, from 0 to 1", "by_bleu", "sacrebleu"),
    Way("chrf", "chrF of the whole reply, from 0 to 1", "by_chrf", "sacrebleu"),
    Way("set", "the same items in any order", "as_set"),
    Way(
        "label",
        'the label with the highest score: of `{"neg": 0.1, "pos": 0.9}` its name, of `[0.1, 0.9]` '
        "its place from 0; of lists of labels, the same in any order",
        "label",
    ),
    Way(
        "close:DISTANCE",
        "1 where the numbers are at most so far apart; of lists, and of labels with scores, each",
        "by_closeness",
    ),
    Way(
        "distance",
        "the distance of the numbers; of lists, and of labels with scores, the largest; lower is "
        "better",
        "distance",
    ),
    Way(
        "embedding",
        "cosine of embeddings, from -1 to 1; `embedding:MODEL` names a folder, an installed "
        "package or a model of the Hub, by default all-MiniLM-L6-v2",
        None,
        "sentence-transformers",
    ),
    Way("python:FILE.py:FUNCTION", "what your function of both returns", "by_place"),
    Way("judge", "what a model says that is asked about each different reply"),
)
DEFAULT, BY_JUDGE = WAYS[0].name, WAYS[-1].name
# Those that compare whole values, such as lists of numbers, and not their texts.
OF_VALUES = ("label", "close", "distance")
# Those that compare the items of lists; all others take a text.
OF_LISTS = ("f1", "set", "python")
# The field of the output for the original, which replaces a right answer that nobody knows.
REFERENCE = "the answer to the original"


def match_of(name: str) -> Match:
    """Return the comparison of two texts that `WAYS` has under a name.

    Raises:
        UsageError: there is none, or its pattern or function is wrong.
        ImportError: it needs a library that is not installed.
    """
    kind, colon, argument = name.partition(":")
    for way in WAYS:
        if way.function is not None and way.name.partition(":")[:2] == (kind, colon):
            from perturb.robustness.grading import matches

            makes = way.function.startswith("by_")
            compare = getattr(matches, way.function)
            try:
                match: Match = compare(argument) if makes else compare
                return match
            except ImportError:
                if not way.package:
                    raise
                message = f"--match {name} needs {way.package}: pip install {way.package}"
                raise ImportError(message) from None
    # A judge is asked by the command line alone.
    error = unknown("match", name, [way.name for way in WAYS if way.name != BY_JUDGE])
    raise UsageError(f"{error}; perturb score --help has all")
