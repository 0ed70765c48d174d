"""A small system under test: a text classifier that tells sport from cooking.

    python examples/classifier.py texts > texts.jsonl
    perturb apply ... -i texts.jsonl -o noisy.jsonl
    perturb run noisy.jsonl -o scored.jsonl --command 'python examples/classifier.py answers'

A second one reads pairs of letters in place of words: `classifier.py answers letters`.

It needs scikit-learn, and makes its own data: sentences of filler with two words of their topic and
one of the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from perturb.rng import key64

WORDS = {
    "sport": "match goal team player coach league season stadium referee striker".split(),
    "cooking": "butter oven recipe flour garlic onion simmer roast pepper kitchen".split(),
}
FILLER = "the a today with very some another about after people often really".split()


def sentence(label: str, number: int) -> str:
    """Eleven words: eight of filler, two of the label and one of the other label."""
    other = next(name for name in WORDS if name != label)
    pools = [FILLER] * 8 + [WORDS[label]] * 2 + [WORDS[other]]
    places = (key64("word", label, number, at) for at in range(11))
    return " ".join(pool[place % len(pool)] for pool, place in zip(pools, places, strict=True))


def texts() -> Iterator[dict[str, Any]]:
    """300 rows to test on."""
    for number in range(150, 300):
        for label in WORDS:
            yield {"id": f"{label}-{number}", "text": sentence(label, number), "label": label}


def answers(rows: Iterable[dict[str, Any]], reads: str = "words") -> Iterator[dict[str, Any]]:
    """The rows, each with the label that a classifier trained on other rows gives its text."""
    train = [(sentence(label, number), label) for number in range(150) for label in WORDS]
    letters = CountVectorizer(analyzer="char_wb", ngram_range=(2, 3))
    model = make_pipeline(letters if reads == "letters" else CountVectorizer(), MultinomialNB())
    model.fit(*zip(*train, strict=True))
    for row in rows:
        yield {**row, "prediction": str(model.predict([row["text"]])[0])}


if __name__ == "__main__":
    command, *reads = sys.argv[1:] or [None]
    if command not in ("texts", "answers") or reads not in ([], ["letters"]):
        sys.exit("usage: classifier.py texts|answers [letters]")
    made = texts() if command == "texts" else answers(map(orjson.loads, sys.stdin.buffer), *reads)
    for row in made:
        sys.stdout.buffer.write(orjson.dumps(row) + b"\n")
        sys.stdout.buffer.flush()  # who asks row by row waits for it
