"""Hold the shares of the errors that `grammar_errors` makes against the published counts.

    python benchmarks/grammar_errors.py [FILE[:FIELD] ...]

Each file gives a column; without one, the questions that ship do. A file has a row of JSON a line,
and its field is `question` where none is given.
"""

import sys
from collections import Counter

from common import EXAMPLES
from reading_sample import read

import perturb
from perturb.engine.batch import Batch
from perturb.perturbators.people import grammar

ARTICLES = {"a", "an", "the"}
SORTS = "article", "noun", "preposition", "agreement", "verb"
# At least so many texts, some of them several times.
TEXTS = 1000


def published():
    """Return the share of each sort in the counts of learners' errors."""
    counts = dict.fromkeys(SORTS, 0.0)
    for name, sort in grammar.SORTS.items():
        counts[name.removeprefix("added ")] += sort.errors
    return {sort: count / sum(counts.values()) for sort, count in counts.items()}


def sort_of(edit, place, spans):
    """Return what sort of error an edit is.

    Args:
        edit: the edit.
        place: where it is in the batch.
        spans: the places of nouns, of agreement and of verbs.
    """
    removed, written = edit.removed.strip(), edit.text.strip()
    for sort, some in spans.items():
        if place in some and removed and written:
            return sort
    return "article" if {removed, written} & ARTICLES else "preposition"


def shares(texts):
    """Return the share of each sort of error, where every place is one."""
    texts = texts * -(-TEXTS // len(texts))
    batch = Batch.of(texts)
    spans = {}
    for sort in ("noun", "agreement", "verb"):
        found = grammar.SORTS[sort].find(batch, 1.0)
        spans[sort] = {*zip(found.starts.tolist(), found.ends.tolist(), strict=True)}
    records = perturb.apply(texts, "grammar_errors", p=1.0, id=list(range(len(texts))))
    counts = Counter(
        sort_of(edit, (start + edit.start, start + edit.end), spans)
        for start, record in zip(batch.texts.starts.tolist(), records, strict=True)
        for edit in record.edits
    )
    return {sort: counts[sort] / counts.total() for sort in SORTS}


def main(files):
    """Print the table."""
    places = [file if ":" in file else f"{file}:question" for file in files or [str(EXAMPLES)]]
    columns = [published(), *(shares(read(place)) for place in places)]
    for sort in SORTS:
        print(f"| {sort} | {' | '.join(f'{column[sort]:.1%}' for column in columns)} |")
    far = [total_variation_of(columns[0], column) for column in columns[1:]]
    print(f"| distance | 0 | {' | '.join(f'{one:.2f}' for one in far)} |")


def total_variation_of(some, others):
    """Return half the sum of the differences of two lists of shares."""
    return sum(abs(some[sort] - others[sort]) for sort in SORTS) / 2


if __name__ == "__main__":
    main(sys.argv[1:])
