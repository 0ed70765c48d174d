"""Draw replacements of steps on meaning, with planted faults, to be rated blind.

    python benchmarks/reading_sample.py --seed N CLASS=FILE[:FIELD] ...  draw data/reading.tsv
    python benchmarks/reading_sample.py --sheet ORDER > sheet.tsv        what a reader sees
    python benchmarks/reading_sample.py --rated FILE                     enter a reading

A file has a row of JSON a line, or is a JSON list of rows. Of each step each class of text gives
`EACH` replacements, drawn from all that the step makes, so that each weighs as often as it occurs;
one in ten more has the replacement of another place, so that a reader who nods is found out. A
sheet has all in an order of its own, without class and without a mark; a reader adds a rating to
each number: good, acceptable, wrong sense or ungrammatical. Numbers that are left out are good.
"""

import json
import random
from pathlib import Path

from common import FOLDER, options, write_into

import perturb

NAMES = "synonym hypernym negation name_swap gender_swap entity_swap number_format date_format"
# These change all of a text together, so a reader sees the text as it is then.
TOGETHER = {"name_swap", "gender_swap", "entity_swap"}
EACH, ONE_IN = 25, 10
AROUND = 90
RATED = FOLDER / "data/reading.tsv"
PAGE = FOLDER.parent / "docs/explanation/reading.md"
RATINGS = ("good", "acceptable", "wrong sense", "ungrammatical")


def read(place):
    """Return the texts of a file."""
    path, _, field = place.partition(":")
    content = Path(path).read_text("utf-8")
    whole = content.lstrip().startswith("[")
    rows = json.loads(content) if whole else map(json.loads, content.splitlines())
    return list(dict.fromkeys(row[field or "text"] for row in rows))


def replacements(texts, name, seed):
    """Return the replacements in all texts, articles apart, as readers see them."""
    found = []
    for record in perturb.apply(texts, name, p=1.0, seed=seed):
        shift = 0
        for edit in record.edits:
            was, start = record.original[edit.start : edit.end], edit.start
            if was.lower() not in ("a", "an") and "n" not in (was, edit.text):
                around = (record.original, start, edit.end)
                if name in TOGETHER:
                    around = (record.text, start + shift, start + shift + len(edit.text))
                found.append(shown(*around, was, edit.text))
            shift += len(edit.text) - len(was)
    return found


def shown(text, start, end, was, made):
    """Return the text before, what stood there, its replacement, the text behind."""
    parts = text[max(0, start - AROUND) : start], was, made, text[end : end + AROUND]
    return [" ".join(part.replace("\t", " ").split("\n")) for part in parts]


def draw(sources, seed):
    """Write the replacements to be rated, those with a planted fault marked."""
    rows = []
    for name in NAMES.split():
        drawn = []
        for label, texts in sources:
            found = replacements(texts, name, seed)
            rng = random.Random(f"{name}{label}{seed}")
            chosen = rng.sample(found, min(EACH, len(found)))
            drawn += [[name, label, "", *row] for row in chosen]
        others = {row[5]: row for row in random.Random(seed).sample(drawn, len(drawn))}
        faults = [*others.values()][: len(drawn) // ONE_IN]
        made = [row[5] for row in faults]
        for row, other in zip(faults, made[1:] + made[:1], strict=True):
            drawn.append([*row[:2], "planted", *row[3:5], other, row[6]])
        rows += drawn
    store([[str(number), *row, ""] for number, row in enumerate(rows, 1)])


def stored():
    return [line.split("\t") for line in RATED.read_text("utf-8").partition("\n\n")[2].splitlines()]


def store(rows):
    head = RATED.read_text("utf-8").partition("\n\n")[0]
    RATED.write_text(head + "\n\n" + "".join("\t".join(row) + "\n" for row in rows), "utf-8")


def is_fault(row):
    """Return whether a replacement reads badly that was not planted."""
    return not row[3] and row[8] not in RATINGS[:2]


def page(rows):
    """Return what the page has on what was read: the counts, and each fault."""
    planted, rows = [row for row in rows if row[3]], [row for row in rows if not row[3]]
    seen = sum(row[8] not in RATINGS[:2] for row in planted)
    labels = [*dict.fromkeys(row[2] for row in rows)]
    lines = [f"The reading found {seen} of {len(planted)} planted faults.", ""]
    lines += [f"| step | {' | '.join(labels)} | all |", "|---" + "|--:" * (len(labels) + 1) + "|"]
    for name in (*NAMES.split(), None):
        cells = [f"`{name}`" if name else "**all**"]
        for label in (*labels, None):
            of = [row for row in rows if name in (None, row[1]) and label in (None, row[2])]
            fine = sum(row[8] in RATINGS[:2] for row in of)
            cells.append(f"{fine} of {len(of)}" if of else "none")
        cells[-1] += f", {fine / len(of):.0%}"
        lines.append(f"| {' | '.join(cells)} |")
    for name in NAMES.split():
        faults = [row for row in rows if row[1] == name and is_fault(row)]
        told = [f"- {row[2]}: {row[4]}~~{row[5]}~~ **{row[6]}**{row[7]}" for row in faults]
        told = [one.replace("<", "&lt;").replace("`", "\\`") for one in told]
        lines += ["", f"**{name}**", "", *told] if told else []
    return "\n".join(lines) + "\n"


def main():
    """Draw, print a sheet, or enter ratings and write the page."""
    parser = options(__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sheet", metavar="ORDER", help="print what a reader sees")
    parser.add_argument("--rated", metavar="FILE", help="lines of number, tab, rating")
    parser.add_argument("sources", nargs="*", metavar="CLASS=FILE[:FIELD]")
    given = parser.parse_args()
    if given.sources:
        named = (source.partition("=") for source in given.sources)
        draw([(label, read(place)) for label, _, place in named], given.seed)
    rows = stored()
    if given.sheet:
        random.Random(given.sheet).shuffle(rows)
        for number, name, _, _, before, word, made, after, *_ in rows:
            print("\t".join([number, name, f"{before}[{word} > {made}]{after}"]))
    if given.rated:
        lines = Path(given.rated).read_text("utf-8").splitlines()
        ratings = dict(line.split("\t") for line in lines)
        rows = [[*row[:8], ratings.get(row[0], RATINGS[0])] for row in rows]
        # The text around is other people's, and stays where the page quotes it alone.
        rows = [row if is_fault(row) else [*row[:4], "", *row[5:7], "", row[8]] for row in rows]
        store(rows)
        write_into(PAGE, "ratings", page(rows))


if __name__ == "__main__":
    main()
