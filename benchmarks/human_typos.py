"""Hold the errors of `human_typos` against lists of attested misspellings.

    python benchmarks/human_typos.py --fitted FILE --held-out FILE [--data FILE.jsonl]

A list has one `wrong->right` a line, as codespell's dictionary has; a line with several
corrections is left out, and so is a pair that takes more than one error. From the fitted list come
the weights of the kinds within words; pairs of it are taken out of the held-out list. What is
compared is the share of each kind and that of each third of the word (and of its first letter), by
the total variation distance; `typo_mix` and `keyboard_typos` stand beside it.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from common import EXAMPLES, machine, write_result

import perturb

KINDS = ("omit", "neighbour", "insert", "double", "transpose", "undouble")
NAMES = ("human_typos", "typo_mix", "keyboard_typos")
REPLICATES = 60
P = 0.02


def read_pairs(path):
    """Read the pairs of a wrong and a right word, in lower case."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    pairs = [line.strip().rstrip(",").lower().split("->") for line in lines if "->" in line]
    return {(pair[0], pair[1]) for pair in pairs if len(pair) == 2 and "," not in pair[1]}


def error(wrong, right):
    """Return the kind of the one error that makes `wrong` of `right`, and its place; else None."""
    lead = next(
        (i for i, two in enumerate(zip(wrong, right, strict=False)) if two[0] != two[1]), -1
    )
    lead = min(len(wrong), len(right)) if lead < 0 else lead
    if not (wrong + right).isalpha():
        return None
    if len(wrong) == len(right) - 1 and wrong == right[:lead] + right[lead + 1 :]:
        return ("undouble" if lead and right[lead] == right[lead - 1] else "omit"), lead
    if len(wrong) == len(right) + 1 and wrong[:lead] + wrong[lead + 1 :] == right:
        return ("double" if lead and wrong[lead] == wrong[lead - 1] else "insert"), lead
    if len(wrong) != len(right) or wrong == right:
        return None
    if wrong[lead + 1 :] == right[lead + 1 :]:
        return "neighbour", lead
    if wrong[lead : lead + 2] == right[lead : lead + 2][::-1] and (
        wrong[lead + 2 :] == right[lead + 2 :]
    ):
        return "transpose", lead
    return None


def third(place, size):
    """Return the part of a word of `size` letters in which a place lies."""
    return "first letter" if not place else ("begin", "middle", "end")[min(3 * place // size, 2)]


def shares(pairs):
    """Return how many pairs have one error, and the shares of kinds and of places."""
    found = [(error(wrong, right), len(right)) for wrong, right in pairs]
    found = [
        (kind, third(place, size)) for (kind, place), size in filter(lambda one: one[0], found)
    ]
    kinds, places = (Counter(column) for column in zip(*found, strict=True))
    count = len(found)
    return (
        count,
        {kind: kinds[kind] / count for kind in KINDS},
        {place: places[place] / count for place in ("first letter", "begin", "middle", "end")},
    )


def made(name, texts):
    """Return the words that a perturbator makes, with the right ones."""
    pairs = []
    for replicate in range(REPLICATES):
        ids = list(range(len(texts)))
        records = perturb.apply(texts, name, p=P, seed=replicate, id=ids)
        for record in records:
            right, wrong = record.original.split(), record.text.split()
            if len(right) == len(wrong):
                pairs += [
                    (one.strip(".,?!'\"").lower(), other.strip(".,?!'\"").lower())
                    for one, other in zip(wrong, right, strict=True)
                    if one != other
                ]
    return pairs


def distance(one, other):
    """Return the total variation distance of two distributions."""
    return sum(abs(one[key] - other[key]) for key in one) / 2


def main():
    """Print and store the shares and the distances."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fitted", required=True, help="the list that the weights come from")
    parser.add_argument("--held-out", required=True, help="a list that was not used")
    parser.add_argument("--data", default=EXAMPLES)
    given = parser.parse_args()
    fitted = read_pairs(given.fitted)
    lists = {"fitted": fitted, "held out": read_pairs(given.held_out) - fitted}
    lines = Path(given.data).read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["question"] for line in lines]
    rows = {name: shares(pairs) for name, pairs in lists.items()}
    rows |= {name: shares(made(name, texts)) for name in NAMES}
    _, kinds, places = rows["held out"]
    result = {
        name: {
            "pairs": count,
            "kinds": {key: round(share, 4) for key, share in own.items()},
            "places": {key: round(share, 4) for key, share in where.items()},
            "distance_of_kinds": round(distance(own, kinds), 4),
            "distance_of_places": round(distance(where, places), 4),
        }
        for name, (count, own, where) in rows.items()
    }
    for name, row in result.items():
        print(f"{name:16}{json.dumps(row)}")
    write_result("human_typos", {"machine": machine(), "p": P, "texts": len(texts), **result})


if __name__ == "__main__":
    main()
