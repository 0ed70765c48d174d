"""Count what each perturbator changes of each class of text, and write the table.

    python benchmarks/reach.py [NAME ...]                     write the table, or those rows
    python benchmarks/reach.py --data FILE.jsonl [--field F]  count on other text

A text is changed if any character is. A word is changed if it no longer stands, as it was, between
the words that do: what is put in between changes none. Words are those of `severity.py`. All is at
p = 1, the most that a step does, with its default parameters.
"""

from itertools import groupby
from pathlib import Path

from common import EXAMPLES, options, read_result, rows_of, show, write_result, write_table
from rapidfuzz.distance import LCSseq
from severity import DATA, PROSE, WORD

import perturb
from perturb.registry.registry import MODULE_OF

TABLE = EXAMPLES.parents[1] / "wordlists/english/reach.tsv"
HEADER = """\
# What: the share of texts that a perturbator changes at p = 1, and of their words, by class of text
# Source: own measurements on examples/questions.jsonl and texts in benchmarks/data
# Licence: MIT (LICENSE)
# Made by: ../benchmarks/reach.py
# Columns: perturbator; class; the share of the texts that it changes; that of their words
"""


def classes():
    """Return the texts of each class."""
    own = [row for path in (EXAMPLES, DATA / "risk_texts.jsonl") for row in rows_of(path)]
    found = {
        "questions": [row["question"] for row in own if row["topic"] in PROSE[:3]],
        "options": [row["question"] for row in own if row["topic"] == PROSE[3]],
    }
    for name, rows in groupby(rows_of(DATA / "class_texts.jsonl"), lambda row: row["class"]):
        found[name] = [row["text"] for row in rows]
    return found


def shares(name, texts):
    """Return the share of texts that a perturbator changes, and of their words."""
    made = [record.text for record in perturb.apply(texts, name, p=1.0)]
    before, after = ([WORD.findall(text) for text in each] for each in (texts, made))
    kept = sum(map(LCSseq.similarity, before, after))
    changed = sum(old != new for old, new in zip(texts, made, strict=True))
    return {
        "texts": round(changed / len(texts), 3),
        "words": round(1 - kept / sum(map(len, before)), 3),
    }


def main():
    """Count, print, and write the table and the result; of other text only print."""
    parser = options(__doc__, "data", "field")
    parser.add_argument("names", nargs="*", metavar="NAME", help="count these; others stay")
    args = parser.parse_args()
    texts = classes()
    if args.data:
        texts = {Path(args.data).stem: [row[args.field] for row in rows_of(args.data)]}
    # Without names no row stays, so a perturbator that is gone leaves none behind.
    reach = read_result("reach")["reach"] if args.names and not args.data else {}
    for name in args.names or [name for name in perturb.names() if name in MODULE_OF]:
        reach[name] = {kind: shares(name, each) for kind, each in texts.items()}
        show(name, reach[name])
    if args.data is None:
        sizes = {kind: len(each) for kind, each in texts.items()}
        write_result("reach", {"texts": sizes, "reach": dict(sorted(reach.items()))})
        rows = [
            [name, kind, *(f"{share:g}" for share in each.values())]
            for name, kinds in reach.items()
            for kind, each in kinds.items()
        ]
        write_table(TABLE, HEADER, rows)


if __name__ == "__main__":
    main()
