"""Hold the errors of `human_typos` against lists of attested misspellings.

    python benchmarks/human_typos.py --fitted FILE --held-out FILE [--data FILE.jsonl]

A list has one `wrong->right` a line, as codespell's dictionary and cspell's have; a line with
several corrections is left out, and so is a pair that takes more than one error. From the fitted
list come the weights of the kinds within words; pairs of it are taken out of the held-out list.
"""

import json
from collections import Counter
from itertools import takewhile
from operator import eq
from pathlib import Path

from common import EXAMPLES, Run, options, rows_of, started_on, versions_of

import perturb

KINDS = ("omit", "neighbour", "insert", "double", "transpose", "undouble")
NAMES = ("human_typos", "typo_mix", "keyboard_typos")
PEERS = ("nlpaug_read", "glitchlings_read", "textnoisr_read")
PLACES = ("first letter", "begin", "middle", "end")
LENGTHS = ("2 to 4", "5 and 6", "7 and 8", "9 or more")
WHAT = ("kinds", "places", "lengths")
REPLICATES = 60
P = 0.02


def read_pairs(path):
    """Read the pairs of a wrong and a right word, in lower case."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    pairs = [line.strip().strip('",').lower().split("->") for line in lines if "->" in line]
    return {(pair[0], pair[1]) for pair in pairs if len(pair) == 2 and "," not in pair[1]}


def error(wrong, right):
    """Return the kind of the one error that makes `wrong` of `right`, and its place; else None."""
    lead = len([*takewhile(bool, map(eq, wrong, right))])
    before, ours, theirs = right[:lead][-1:], wrong[lead:], right[lead:]
    if wrong == right or not (wrong + right).isalpha():
        return None
    if ours == theirs[1:]:
        return ("undouble" if theirs[0] == before else "omit"), lead
    if ours[1:] == theirs:
        return ("double" if ours[0] == before else "insert"), lead
    if ours[1:] == theirs[1:]:
        return "neighbour", lead
    transposed = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return ("transpose", lead) if transposed else None


def shares(pairs):
    """Return how many pairs have one error, and the shares of kinds, places and lengths."""
    kinds, places, lengths = Counter(), Counter(), Counter()
    for wrong, right in pairs:
        if match := error(wrong, right):
            kind, place = match
            kinds[kind] += 1
            places[PLACES[min(3 * place // len(right), 2) + 1 if place else 0]] += 1
            lengths[LENGTHS[min(max(len(right) - 3, 0) // 2, 3)]] += 1
    count = kinds.total()
    columns = zip((KINDS, PLACES, LENGTHS), (kinds, places, lengths), strict=True)
    return count, *({name: counts[name] / count for name in names} for names, counts in columns)


def changed(texts, results):
    """Return the words that differ, with the right ones, where texts have as many as before."""
    return [
        tuple(word.strip(".,?!'\"").lower() for word in pair)
        for right, wrong in zip(map(str.split, texts), map(str.split, results), strict=True)
        if len(right) == len(wrong)
        for pair in zip(wrong, right, strict=True)
        if pair[0] != pair[1]
    ]


def made_by_peers(texts):
    """Return the words that each peer makes, with the right ones, and the versions of the peers."""
    with started_on(PEERS, [{"text": text, "tags": {}} for text in texts]) as sides:
        pairs = {
            name.removeprefix("typos: "): [
                pair
                for seed in range(REPLICATES // 6)
                for pair in changed(texts, side.make(name, texts, seed))
            ]
            for side in sides
            for name in side.makers
            if name.startswith("typos: ")
        }
    return pairs, versions_of(sides)


def main():
    """Print and store the shares and the distances."""
    parser = options(__doc__, data=EXAMPLES)
    parser.add_argument("--fitted", required=True, help="the list that the weights come from")
    parser.add_argument("--held-out", required=True, help="a list that was not used")
    run = Run(parser)
    fitted = read_pairs(run.args.fitted)
    lists = {"fitted": fitted, "held out": read_pairs(run.args.held_out) - fitted}
    texts = [row["question"] for row in rows_of(run.args.data)]
    rows = {name: shares(pairs) for name, pairs in lists.items()}
    ids = list(range(len(texts)))
    for name in NAMES:
        runs = (perturb.apply(texts, name, p=P, seed=seed, id=ids) for seed in range(REPLICATES))
        rows[name] = shares([pair for run in runs for pair in changed(texts, map(str, run))])
    peers, versions = made_by_peers(texts)
    rows |= {name: shares(pairs) for name, pairs in peers.items()}
    _, *held_out = rows["held out"]
    result = {}
    for name, (count, *distributions) in rows.items():
        result[name] = {"pairs": count}
        for what, ours, other in zip(WHAT, distributions, held_out, strict=True):
            result[name][what] = {key: round(share, 4) for key, share in ours.items()}
            distance = sum(abs(ours[key] - other[key]) for key in ours) / 2
            result[name][f"distance_of_{what}"] = round(distance, 4)
    run.tell(versions, p=P, texts=len(texts))
    for name, row in result.items():
        print(f"{name:16}{json.dumps(row)}")
    run.write("human_typos", **result)


if __name__ == "__main__":
    main()
