"""Compute what other libraries say of answers, for the tests of `--match` that compare with them.

    pip install jiwer ranx nervaluate
    python scripts/task_metrics.py > tests/robustness/grading/task_metrics.jsonl

Computed with jiwer 4.0.0, ranx 0.3.21 and nervaluate 1.2.1. These are no dependencies of the tests:
ranx brings numba, and nervaluate pandas.
"""

from __future__ import annotations

import json
import random  # noqa: TID251 - no draw of the engine
from collections.abc import Iterator
from itertools import islice
from typing import Any

import jiwer
from nervaluate import Evaluator
from ranx import Qrels, Run, evaluate

WORDS = "the cat The sat on a mat. naïve 猫 don't".split()
Line = tuple[str, Any, Any, float]


def transcripts(draw: random.Random) -> Iterator[Line]:
    """Yield word and character error rates; replies may be longer than the right answer."""
    for _ in range(40):
        said = draw.choice(["", " ", "  "]).join(draw.choices(WORDS, k=draw.randrange(9)))
        right = " ".join(draw.choices(WORDS, k=draw.randint(1, 6)))
        yield "wer", said, right, jiwer.wer(right, said)
        yield "cer", said, right, jiwer.cer(right, said)


def rankings(draw: random.Random) -> Iterator[Line]:
    """Yield measures of ranked ids; gains are graded, some 0, and not all right ids are found."""
    measures = {"recall:3": "recall@3", "mrr": "mrr", "ndcg:3": "ndcg@3", "ndcg:10": "ndcg@10"}
    for _ in range(30):
        ids = [f"p{number}" for number in range(12)]
        said = draw.sample(ids, draw.randint(1, 10))
        gains = {one: draw.randint(0, 3) for one in draw.sample(ids, draw.randint(1, 5))}
        gains[draw.choice(ids)] = 1
        run = Run({"q": {one: float(-place) for place, one in enumerate(said)}})
        for ours, theirs in measures.items():
            yield ours, said, gains, float(evaluate(Qrels({"q": gains}), run, theirs))


def spans(draw: random.Random) -> list[list[Any]]:
    """Return spans with labels, none of which overlap."""
    ends = sorted(draw.sample(range(30), 2 * draw.randint(1, 4)))
    return [
        [ends[at], ends[at + 1], draw.choice(["PER", "ORG"])] for at in range(0, len(ends) - 1, 2)
    ]


def entities(draw: random.Random) -> Iterator[Line]:
    """Yield F1 of entities by type.

    In nervaluate an entity of another label takes the right one away from those after it. Such
    sets are left out, where the order of one's entities would change one's score.
    """
    while True:
        said, right = spans(draw), spans(draw)
        orders = [said, said[::-1], sorted(said, key=lambda span: span[2])]
        scores = {_by_type(order, right) for order in (*orders, orders[2][::-1])}
        if len(scores) == 1:
            yield "entities", said, right, scores.pop()


def _by_type(said: list[list[Any]], right: list[list[Any]]) -> float:
    # Their ends are those of the last character or token.
    true, found = (
        [[{"start": start, "end": end - 1, "label": name} for start, end, name in each]]
        for each in (right, said)
    )
    results = Evaluator(true, found, tags=["PER", "ORG"], loader="dict").evaluate()
    return float(results["overall"]["ent_type"].f1)


def main() -> None:
    """Print each line as JSON: the way, what was said, the right answer, the score."""
    draw = random.Random(1)
    for line in (*transcripts(draw), *rankings(draw)):
        print(json.dumps(line, ensure_ascii=False))
    for line in islice(entities(draw), 60):
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
