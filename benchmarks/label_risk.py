"""Count how often a perturbator loses numbers, negations, option labels and names.

    python benchmarks/label_risk.py [NAME ...]                     write the table, or those rows
    python benchmarks/label_risk.py --data FILE.jsonl [--field F]  count on other text

A thing is lost where the edits of the record touch it and the reader no longer finds it. A number
is lost if its value is not there any more, or if digits give another one; a negation if there is
none in its place; the label of an option if its letter is gone. A negation or a name of which at
least half of the letters are right still reads, with spaces in it or repeated letters as well.
Case, marks, look-alikes, entities and invisible characters don't change what is read. Where a step
changes the order, all that it moves is lost. A share is of the texts that have such a thing.
Questions of knowledge, which hang on names, are counted apart, at the severities 2 and 4.
"""

import html
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import chain
from pathlib import Path

import regex
from common import EXAMPLES, FOLDER, options, read_result, rows_of, write_result, write_table
from rapidfuzz.distance import OSA

import perturb
from perturb.registry.label_risk import WEIGHTS, risk_of
from perturb.resources import read_rows

TEXTS = FOLDER / "data/risk_texts.jsonl"
TABLE = FOLDER.parent / "wordlists/english/label_risks.tsv"
KNOWLEDGE = FOLDER / "data/knowledge.jsonl"
SEVERITIES = (2, 4)
INTENSITIES = ("low", "medium")
VERSIONS = 4000  # so many of the texts, or a few less, are made for each share
HEADER = """\
# What: the shares of texts in which a perturbator, at the intensity medium, loses a thing
# Source: own measurements on examples/questions.jsonl and benchmarks/data/risk_texts.jsonl
# Licence: MIT (LICENSE)
# Made by: ../benchmarks/label_risk.py
# Columns: perturbator; the share of the texts with numbers in which one is lost or appears; of
#   those with negations in which one is lost; with labels of options; with names
"""
NUMBER = regex.compile(r"\d+(?:[.,]\d+)*")
NEGATION = regex.compile(
    r"\b(?:no|not|never|none|nor|neither|nobody|nothing|nowhere|without|w/o|cannot"
    r"|(?:ai|are|ca|could|did|does|do|had|has|have|is|might|must|need|sha|should|was|were|wo|would)"
    r"n['’]?t)\b",
    regex.I,
)
OPTION = regex.compile(r"^[ \t]*[(\[]?([A-Ha-h])[.):\]][ \t]+\S.*$", regex.M)
NAME = regex.compile(r"(?<=[\p{L}\p{N},;)'’-] )\p{Lu}\p{Ll}{2,}\b")
REVERSED = regex.compile("\u202e(.*?)\u202c", regex.S)
INVISIBLE = regex.compile(r"[\p{Cf}\p{Mn}\p{Me}]")


@lru_cache(maxsize=1)
def look_alikes():
    """Return what each look-alike of an ASCII character is read as."""
    rows = read_rows("unicode", "homoglyphs.tsv")
    return {
        ord(other): char
        for char, *others in rows
        for other in "".join(others)
        if char.isascii() and not other.isascii()
    }


@lru_cache(maxsize=200_000)
def as_read(text):
    """Return a text as a reader sees it."""
    text = REVERSED.sub(lambda match: match[1][::-1], html.unescape(text))
    text = INVISIBLE.sub("", unicodedata.normalize("NFKD", text))
    return text.translate(look_alikes()).casefold()


@lru_cache(maxsize=1)
def number_words():
    """Return the values of the names of numbers, and a pattern for numbers that are spelled."""
    values = {word: int(digits) for digits, word, _ in read_rows("english", "numbers.tsv")}
    word = f"(?:{'|'.join(values)})"
    return values, regex.compile(rf"\b{word}(?:[ -](?:and )?{word})*\b")


def value_of(spelled):
    """Return the digits of a number that is spelled."""
    values, _ = number_words()
    total = group = 0
    for value in (values[word] for word in regex.split(r"[ -](?:and )?", spelled)):
        if value < 100:  # after ten and more they are the second half of a year: twenty nineteen
            group = 100 * group + value if value >= 10 and 0 < group < 100 else group + value
        elif value == 100:
            group = max(group, 1) * value
        else:
            total, group = total + max(group, 1) * value, 0
    return str(total + group)


@lru_cache(maxsize=200_000)
def numbers_in(text):
    """Return the values of the numbers that a text has in digits."""
    numbers = NUMBER.findall(as_read(text))
    return frozenset(regex.sub(r",(?=\d{3}(?!\d))", "", number) for number in numbers)


@lru_cache(maxsize=200_000)
def spelled_in(text):
    """Return the values of the numbers that a text spells."""
    return frozenset(value_of(match[0]) for match in number_words()[1].finditer(as_read(text)))


def letters(text):
    """Return the letters of a text as a reader sees them, without space and repetition."""
    return regex.sub(r"(.)\1+", r"\1", "".join(as_read(text).split()))


def things(row, field):
    """Return where the things of each kind are in a text: start, end, and what must be read."""
    text = row[field]
    name = NAME
    if row.get("names") is not None:
        name = regex.compile(rf"\b(?:{'|'.join(map(regex.escape, row['names'])) or '(?!)'})\b")
    patterns = {"numbers": NUMBER, "negations": NEGATION, "options": OPTION, "names": name}
    return {
        kind: [match.span(match.lastindex or 0) for match in pattern.finditer(text)]
        for kind, pattern in patterns.items()
    }


def window(record, start, end):
    """Return what stood around a thing and what stands there now; None if nothing touched it."""
    edits = [part for part in record.edits if part.start < end and part.end > start]
    if not edits:
        return None
    first, last = min(start, edits[0].start), max(end, edits[-1].end)
    after, at = [], first
    for part in edits:
        after += [record.original[at : part.start], part.text]
        at = part.end
    return record.original[first:last], "".join([*after, record.original[at:last]])


def lost(kind, record, start, end):
    """Tell if the reader no longer finds a thing."""
    around = window(record, start, end)
    if around is None:
        return False
    before, after = around
    thing = record.original[start:end]
    if kind == "numbers":
        return not numbers_in(thing) <= numbers_in(after) | spelled_in(after)
    if kind == "options":
        return regex.search(rf"(?<!\w){regex.escape(as_read(thing))}(?!\w)", as_read(after)) is None
    if kind == "negations" and NEGATION.search(as_read(after)):
        return False
    if kind == "names" and letters(thing) in letters(after):
        return False
    return 2 * OSA.distance(letters(before), letters(after)) > len(letters(thing))


def moved(kind, record, start, end):
    """Tell if an edit has a thing in its span, or any of the option that is labelled."""
    if kind == "options":
        end = start + len(record.original[start:].partition("\n")[0])
    return window(record, start, end) is not None


def count(rows, field, name, **strength):
    """Return the share of the texts with things of a kind in which one is lost, by kind."""
    times = max(1, VERSIONS // len(rows))
    texts = [row[field] for row in rows] * times
    spans_of = [things(row, field) for row in rows] * times
    records = perturb.apply(texts, name, **strength, seed=1, id=list(range(len(texts))))
    gone_by = moved if "order" in perturb.describe(name)["touches"] else lost
    have, gone = Counter(), Counter()
    for record, places in zip(records, spans_of, strict=True):
        for kind, spans in places.items():
            if spans:
                have[kind] += 1
                gone[kind] += any(gone_by(kind, record, *span) for span in spans) or (
                    kind == "numbers" and appears(record)
                )
    return {kind: round(gone[kind] / have[kind], 4) if have[kind] else 0.0 for kind in WEIGHTS}


def of_knowledge(name):
    """Return the share of knowledge questions whose names or numbers are lost, by severity.

    Steps that have no severities are counted at p = 1, and severities out of reach are left out.
    """
    rows, reached = list(rows_of(KNOWLEDGE)), perturb.describe(name)["severities"]
    strengths = {f"severity {one}": {"severity": one} for one in SEVERITIES if one in reached}
    strengths = strengths if reached else {"p = 1": {"p": 1.0}}
    return {label: count(rows, "question", name, **at) for label, at in strengths.items()}


def appears(record):
    """Tell if digits give a number that the text did not have."""
    before = numbers_in(record.original) | spelled_in(record.original)
    return not numbers_in(record.text) <= before


def main():
    parser = options(__doc__, "data", "field")
    parser.add_argument("names", nargs="*", metavar="NAME", help="count these; others stay")
    args = parser.parse_args()
    rows = list(rows_of(args.data) if args.data else chain(rows_of(EXAMPLES), rows_of(TEXTS)))
    counted, known = {}, {}
    # Without names no row stays, so a perturbator that is gone leaves none behind.
    if args.names and not args.data:
        before = read_result("label_risk")
        counted, known = before["shares"], before["knowledge"]
    for name in args.names or perturb.names():
        levels = {level: count(rows, args.field, name, intensity=level) for level in INTENSITIES}
        counted[name], known[name], medium = levels, of_knowledge(name), levels["medium"]
        cells = "".join(f"{share:9.1%}" for share in medium.values())
        risk = risk_of(name, medium, perturb.describe(name)["touches"])
        print(f"{name:20}{cells}  {risk}", flush=True)
    have = Counter(kind for row in rows for kind, at in things(row, args.field).items() if at)
    counted, known = dict(sorted(counted.items())), dict(sorted(known.items()))
    facts = {"texts": len(rows), "texts_with": dict(have), "shares": counted, "knowledge": known}
    write_result(f"label_risk_{Path(args.data).stem}" if args.data else "label_risk", facts)
    if not args.data:
        rows = ([name, *map("{:g}".format, counted[name]["medium"].values())] for name in counted)
        write_table(TABLE, HEADER, rows)


if __name__ == "__main__":
    main()
