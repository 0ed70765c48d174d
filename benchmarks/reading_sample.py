"""Draw replacements of synonym, antonym and hypernym, with planted faults, to be rated blind.

    python benchmarks/reading_sample.py --seed N NAME=FILE[:FIELD] ...  draw into data/reading.tsv
    python benchmarks/reading_sample.py --sheet ORDER > sheet.tsv       what one reader sees
    python benchmarks/reading_sample.py --rated FIRST SECOND            enter two readings
    python benchmarks/reading_sample.py --share FILE[:FIELD]            how many words p = 1 changes

A file has a row of JSON a line, or is a JSON list of rows. Of each perturbator each source gives
`EACH` replacements, one a text where there are enough texts; where a source has fewer, the last one
gives the rest. `PLANTED` more of each have the replacement of another place, so that a reader who
nods is found out. A sheet has all in an order of its own, without source and without a mark; a
reader adds a rating to each number: good, acceptable, wrong sense or ungrammatical.
"""

import json
import random
from itertools import chain
from pathlib import Path

from common import FOLDER, options, write_into

import perturb
from perturb.engine import Batch

NAMES = ("synonym", "antonym", "hypernym")
EACH, PLANTED = 50, {"synonym": 8, "antonym": 6, "hypernym": 6}
AROUND = 60
RATED = FOLDER / "data/reading.tsv"
PAGE = FOLDER.parent / "docs/explanation/reading.md"
RATINGS = ("good", "acceptable", "wrong sense", "ungrammatical")
COLUMNS = ("perturbator", "source", "replacements", "first", "second", "both", "agree")


def read(place):
    """Return the texts of a file."""
    path, _, field = place.partition(":")
    content = Path(path).read_text("utf-8")
    whole = content.lstrip().startswith("[")
    rows = json.loads(content) if whole else map(json.loads, content.splitlines())
    return list(dict.fromkeys(row[field or "text"] for row in rows))


def replacements(text, name, seed):
    """Return the replacements of whole words in one text, in random order, as readers see them."""
    record = perturb.apply(text, name, p=1.0, seed=seed)
    words = [
        shown(text, edit)
        for edit in record.edits
        if text[edit.start : edit.end].lower() not in ("a", "an") and len(edit.text) > 1
    ]
    random.Random(f"{seed}{text}").shuffle(words)
    return words


def shown(text, edit):
    """Return the text before, the word, its replacement, the text behind."""
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
    found = [replacements(text, name, seed) for text in order]
    first = [row[0] for row in found if row]
    more = chain.from_iterable(row[1:] for row in found)
    return [*first, *more][:count]


def draw(sources, seed):
    """Write the replacements to be rated, those with a planted fault marked."""
    rows = []
    for name in NAMES:
        drawn, left = [], EACH * len(sources) + PLANTED[name]
        for number, (label, texts) in enumerate(sources, 1):
            count = left if number == len(sources) else EACH + PLANTED[name] // len(sources)
            found = sample(texts, name, seed, count)
            left -= len(found)
            drawn += [[name, label, "", *row] for row in found]
        by_replacement = {row[5]: row for row in drawn}
        faults = random.Random(seed).sample([*by_replacement.values()], PLANTED[name])
        written = [row[5] for row in faults]
        for row, other in zip(faults, written[1:] + written[:1], strict=True):
            row[2], row[5] = "planted", other
        rows += drawn
    store([[str(number), *row, "", ""] for number, row in enumerate(rows, 1)])


def share(texts, name):
    """Return the share of the words of some texts that are replaced, articles apart."""
    changed = sum(len(replacements(text, name, 0)) for text in texts)
    return changed / len(Batch.of(texts).words)


def stored():
    return [line.split("\t") for line in RATED.read_text("utf-8").partition("\n\n")[2].splitlines()]


def store(rows):
    head = RATED.read_text("utf-8").partition("\n\n")[0]
    RATED.write_text(head + "\n\n" + "".join("\t".join(row) + "\n" for row in rows), "utf-8")


def summary(rows):
    """Return a line of counts: the share that each reader, and both, find good or acceptable."""
    fine = [[rating in RATINGS[:2] for rating in row[8:]] for row in rows]
    shares = [sum(reader) for reader in zip(*fine, strict=True)]
    shares += [sum(map(all, fine)), sum(first == second for first, second in fine)]
    return [len(rows), *(f"{share / len(rows):.0%}" for share in shares)]


def page(rows):
    """Return what the page has on what was read: the counts, and each replacement."""
    planted, rows = [row for row in rows if row[3]], [row for row in rows if not row[3]]
    seen = [sum(row[reader] not in RATINGS[:2] for row in planted) for reader in (8, 9)]
    found = f"the first reading found {seen[0]}, the second {seen[1]}"
    lines = [f"Of {len(planted)} planted faults {found}.", ""]
    lines += [f"| {' | '.join(COLUMNS)} |", "|---|---" + 5 * "|--:" + "|"]
    for name in NAMES:
        for source in (*dict.fromkeys(row[2] for row in rows), None):
            chosen = [row for row in rows if row[1] == name and source in (None, row[2])]
            cells = [f"`{name}`", source or "**all**", *summary(chosen)]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    for name in NAMES:
        lines += ["", f"## {name}"]
        for worst in reversed(RATINGS):
            lines += ["", f"**{worst}**", ""]
            lines += [
                f"- {before}~~{word}~~ **{made}**{after}".replace("<", "&lt;")
                for _, own, _, _, before, word, made, after, *ratings in rows
                if own == name and max(ratings, key=RATINGS.index) == worst
            ]
    return "\n".join(lines) + "\n"


def main():
    """Draw, print a sheet, or enter ratings and write the page."""
    parser = options(__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sheet", metavar="ORDER", help="print what one reader sees")
    parser.add_argument("--rated", nargs=2, metavar="FILE", help="lines of number, tab, rating")
    parser.add_argument("--share", metavar="FILE[:FIELD]", help="count the words that change")
    parser.add_argument("sources", nargs="*", metavar="NAME=FILE[:FIELD]")
    given = parser.parse_args()
    if given.sources:
        named = (source.partition("=") for source in given.sources)
        draw([(label, read(place)) for label, _, place in named], given.seed)
    if given.share:
        texts = read(given.share)
        print(*(f"{name} {share(texts, name):.1%}" for name in NAMES))
    rows = stored()
    if given.sheet:
        random.Random(given.sheet).shuffle(rows)
        for number, name, _, _, before, word, made, after, *_ in rows:
            print("\t".join([number, name, f"{before}[{word} > {made}]{after}"]))
    if given.rated:
        lines = [Path(file).read_text("utf-8").splitlines() for file in given.rated]
        readings = [dict(line.split("\t") for line in reading) for reading in lines]
        rows = [[*row[:8], *(ratings[row[0]] for ratings in readings)] for row in rows]
        store(rows)
        write_into(PAGE, "ratings", page(rows))


if __name__ == "__main__":
    main()
