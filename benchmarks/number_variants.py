r"""Count the word problems that `number_variant` varies, and check every chain by other means.

    python benchmarks/number_variants.py FILE [--seeds N] [--read N]

FILE has the rows of GSM8K, a question and an answer each, one of JSON a line. It is read, and never
copied. An evaluator of its own, which knows brackets, computes all chains of the outputs again.
`--read N` prints N problems, drawn at random, before and after, for a person to read.

What a benchmark says of a system that knows it by heart, here a search that returns the answer of
the nearest problem of the file GSM8K (`pip install rank_bm25`):

    perturb apply number_variant --field question --target answer -i FILE --with-original -o v.jsonl
    GSM8K=FILE perturb run v.jsonl --field question -o answered.jsonl \
        --command python:benchmarks/number_variants.py:by_heart
    perturb score answered.jsonl --match number --target answer
"""

import argparse
import json
import os
import random
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import perturb

CHAIN = re.compile(r"<<([^<>=]*)=([^<>]*)>>")
TOKEN = re.compile(r"\s*(\d+\.?\d*|\.\d+|[-+*/()])")


def computed(source):
    """Compute an expression by recursive descent, exactly."""
    tokens = TOKEN.findall(source)

    def factor():
        token = tokens.pop(0)
        if token == "-":
            return -factor()
        if token != "(":
            return Fraction(token)
        value = terms()
        tokens.pop(0)
        return value

    def product():
        value = factor()
        while tokens and tokens[0] in "*/":
            value = value * factor() if tokens.pop(0) == "*" else value / factor()
        return value

    def terms():
        value = product()
        while tokens and tokens[0] in "+-":
            value = value + product() if tokens.pop(0) == "+" else value - product()
        return value

    return terms()


def words_of(text):
    return re.findall(r"\w+", text.lower())


@cache
def learned():
    """Return a search of the problems that were learned by heart, and their answers."""
    from rank_bm25 import BM25Okapi

    rows = [json.loads(line) for line in Path(os.environ["GSM8K"]).read_text("utf-8").splitlines()]
    return BM25Okapi([words_of(row["question"]) for row in rows]), [row["answer"] for row in rows]


def by_heart(question):
    """Return the answer of the nearest problem."""
    search, answers = learned()
    nearest = int(search.get_scores(words_of(question)).argmax())
    return answers[nearest].rpartition("####")[2].strip()


def measure(path, seeds=1, read=0):
    """Return what became of the problems, the chains that hold and that don't, and the refusals."""
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    texts = [row["question"] + "\n\n" + row["answer"] for row in rows]
    counts, chains, reasons = Counter(), Counter(), Counter()
    for seed in range(seeds):
        records = perturb.apply(texts, "number_variant", p=1, seed=seed)
        for record in records:
            counts[record.status] += 1
            if record.status != "changed":
                note = record.steps[0].note or {"refused": ["no chain"]}
                reasons[note["refused"][0] if "refused" in note else record.status] += 1
                continue
            for source, result in CHAIN.findall(record.text):
                chains[computed(source) == Fraction(result)] += 1
        changed = [record for record in records if record.status == "changed"]
        for record in random.Random(seed).sample(changed, min(read, len(changed))):
            print(record.original, record.text, sep="\n--->\n", end="\n=====\n")
    return counts, chains, reasons


def main():
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--read", type=int, default=0)
    given = parser.parse_args()
    counts, chains, reasons = measure(given.file, given.seeds, given.read)
    total = counts.total()
    print(f"{counts['changed']:,} of {total:,} problems vary")
    print(f"{chains[True]:,} of {chains.total():,} chains hold")
    for reason, count in reasons.most_common():
        print(f"{count:6,}  {reason}")


if __name__ == "__main__":
    main()
