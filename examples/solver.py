"""A small system under test: it has learned a hundred questions by heart.

    perturb run ROWS.jsonl -o ANSWERS.jsonl --command 'python examples/solver.py'

It reads rows from standard input and answers each, as it comes, with what it learned for the
question that has most words in common with it; where none has any, it guesses. Another file to
learn from, with `question` and `answer`, may be its argument.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

QUESTIONS = Path(__file__).with_name("questions.jsonl")


def words(question: str) -> frozenset[str]:
    """Return the words of a question, without case."""
    return frozenset(re.findall(r"\w+", question.lower()))


def nearest(asked: frozenset[str], known: list[tuple[frozenset[str], str]]) -> str:
    """Return the answer to the known question that shares the largest part of its words."""
    shares = [len(asked & learned) / len(asked | learned) for learned, _ in known if learned]
    return known[shares.index(max(shares))][1]


if __name__ == "__main__":
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else QUESTIONS
    rows = map(json.loads, source.read_bytes().splitlines())
    known = [(words(row["question"]), row["answer"]) for row in rows]
    for line in sys.stdin:
        answer = nearest(words(json.loads(line)["question"]), known)
        print(json.dumps({"prediction": answer}), flush=True)
