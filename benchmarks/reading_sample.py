"""Draw a sample of replacements of synonym, antonym and hypernym, to be read and rated by a person.

    python benchmarks/reading_sample.py --seed N NAME=FILE[:FIELD] ... > sample.tsv
    python benchmarks/reading_sample.py --steps name_swap,gender_swap NAME=FILE[:FIELD] ...
    python benchmarks/reading_sample.py --page      write docs/explanation/reading.md

A file has a row of JSON a line, or is a JSON list of rows. Of each perturbator each source gives
`EACH` replacements, one a text where there are enough texts; where a source has fewer, the last one
gives the rest. The columns are the perturbator, the source, the text before, the word, what is
written for it, and the text behind; a reader adds a rating: good, acceptable, wrong sense or
ungrammatical.
"""

import json
import random
from itertools import chain
from pathlib import Path

from common import FOLDER, options, write_into

import perturb

NAMES = ("synonym", "antonym", "hypernym")
EACH = 50
AROUND = 60


def read(path, field):
    """Return the texts of a file."""
    content = Path(path).read_text("utf-8")
    whole = content.lstrip().startswith("[")
    rows = json.loads(content) if whole else map(json.loads, content.splitlines())
    return list(dict.fromkeys(row[field] for row in rows))


def replacements(text, name, seed):
    """Return the replacements of whole words in one text, in random order."""
    record = perturb.apply(text, name, p=1.0, seed=seed)
    words = [
        edit
        for edit in record.edits
        if text[edit.start : edit.end].lower() not in ("a", "an") and len(edit.text) > 1
    ]
    random.Random(f"{seed}{text}").shuffle(words)
    return words


def shown(text, edit):
    """Return what a reader sees: the text before, the word, its replacement, the text behind."""
    parts = (
        text[max(0, edit.start - AROUND) : edit.start],
        text[edit.start : edit.end],
        edit.text,
        text[edit.end : edit.end + AROUND],
    )
    return [" ".join(part.split(" ")).replace("\n", " ").replace("\t", " ") for part in parts]


def sample(texts, name, seed, count):
    """Draw replacements from texts in random order."""
    order = texts[:]
    random.Random(f"{name}{seed}").shuffle(order)
    found = [[(text, edit) for edit in replacements(text, name, seed)] for text in order]
    first = [row[0] for row in found if row]
    more = chain.from_iterable(row[1:] for row in found)
    return [*first, *more][:count]


RATED = FOLDER / "data/reading.tsv"
PAGE = FOLDER.parent / "docs/explanation/reading.md"
RATINGS = ("good", "acceptable", "wrong sense", "ungrammatical")
COLUMNS = ("perturbator", "source", "replacements", *RATINGS, "good or acceptable")


def page(rows):
    """Return what the page has on what was read: the counts, and each replacement."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---|---" + 6 * "|--:" + "|"]
    for name in NAMES:
        for source in (*dict.fromkeys(row[1] for row in rows), None):
            ratings = [row[2] for row in rows if row[0] == name and source in (None, row[1])]
            counts = [ratings.count(rating) for rating in RATINGS]
            share = sum(counts[:2]) / len(ratings)
            cells = [f"`{name}`", source or "**all**", len(ratings), *counts, f"{share:.0%}"]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    for name in NAMES:
        lines += ["", f"## {name}"]
        for rating in reversed(RATINGS):
            lines += ["", f"**{rating}**", ""]
            lines += [
                f"- {before}~~{word}~~ **{made}**{after}".replace("<", "&lt;")
                for own, _, rated, before, word, made, after in rows
                if (own, rated) == (name, rating)
            ]
    return "\n".join(lines) + "\n"


def main():
    """Print the samples, or write the page."""
    parser = options(__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", default=",".join(NAMES), help="other steps, parted by commas")
    parser.add_argument("--page", action="store_true", help="write docs/explanation/reading.md")
    parser.add_argument("sources", nargs="*", metavar="NAME=FILE[:FIELD]")
    given = parser.parse_args()
    if given.page:
        content = RATED.read_text("utf-8").partition("\n\n")[2]
        write_into(PAGE, "ratings", page([line.split("\t") for line in content.splitlines()]))
        return
    for name in given.steps.split(","):
        left = EACH * len(given.sources)
        for number, source in enumerate(given.sources, 1):
            label, _, place = source.partition("=")
            path, _, field = place.partition(":")
            count = left if number == len(given.sources) else EACH
            drawn = sample(read(path, field or "text"), name, given.seed, count)
            left -= len(drawn)
            for text, edit in drawn:
                print("\t".join([name, label, *shown(text, edit)]))


if __name__ == "__main__":
    main()
