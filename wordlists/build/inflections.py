"""Write the inflected forms that our suffix rules get wrong.

    pip install lemminflect==0.2.3
    python wordlists/build/inflections.py wordlists

Run from the repository's root, after wordnet.py and word_sizes.py. Of the variants that lemminflect
looks up (its data come from the SPECIALIST Lexicon of the U.S. National Library of Medicine) the
one in the smallest SCOWL size class is taken. A noun whose plural is not in SCOWL has none; an
adjective or adverb compares with -er and -est only where both are in SCOWL.
"""

import re
import sys
from pathlib import Path

from lemminflect import getInflection

sys.path.insert(0, str(Path(__file__).parents[2]))
from perturb.lexicon.inflect import inflect

HEADER = """\
# Inflected forms that are not as the suffix rules have them; every form of comparison
# Source: lemminflect 0.2.3, Brad Jascob, with data of the NLM SPECIALIST Lexicon; corrected
# Licence: licenses/LEMMINFLECT.txt
# Made by: wordlists/build/inflections.py
# Columns: word; tag; form, or - for none

"""
TAGS = {
    "noun": ("NNS",),
    "verb": ("VBZ", "VBD", "VBN", "VBG"),
    "adjective": ("JJR", "JJS"),
    "adverb": ("RBR", "RBS"),
}
WORD = re.compile(r"[a-z][a-z'-]*[a-z]")
ZERO_PLURAL = set(
    "aircraft bison cod crossroads deer elk fish halibut headquarters hovercraft mackerel means moose "
    "offspring salmon series sheep shrimp spacecraft species squid swine trout tuna".split()
)
# Plurals that the sources lack or that mean something else: goods, arms of war, times past.
NO_PLURAL = set(
    "advice baggage cash clothing corn equipment evidence fun furniture garbage harm health "
    "homework housework information jewelry knowledge laughter luck luggage machinery mail "
    "merchandise money music news pasta pay pork remuneration progress research rice rubbish scenery snow "
    "software stuff traffic trash weather wheat".split()
)
FIXES = {
    ("man", "NNS"): "men",
    ("woman", "NNS"): "women",
    ("person", "NNS"): "people",
    ("die", "NNS"): "dice",
    ("penny", "NNS"): "pennies",
    ("staff", "NNS"): "staff",
    ("broadcast", "VBD"): "broadcast",
    ("forecast", "VBD"): "forecast",
    ("fit", "VBN"): "fit",
    ("get", "VBN"): "gotten",
    ("hang", "VBD"): "hung",
    ("lie", "VBD"): "lay",
    ("lie", "VBN"): "lain",
    ("light", "VBD"): "lit",
    ("light", "VBN"): "lit",
    ("bid", "VBD"): "bid",
    ("bid", "VBN"): "bid",
    ("bust", "VBD"): "busted",
    ("cost", "VBD"): "cost",
    ("cost", "VBN"): "cost",
    ("shine", "VBD"): "shone",
    ("shine", "VBN"): "shone",
    ("wet", "VBD"): "wet",
    ("wake", "VBD"): "woke",
    ("wake", "VBN"): "woken",
    ("spit", "VBD"): "spat",
    ("spit", "VBN"): "spat",
    ("bear", "VBN"): "borne",
    ("bind", "VBD"): "bound",
    ("fly", "VBD"): "flew",
    ("found", "VBD"): "founded",
    ("found", "VBN"): "founded",
    ("wind", "VBD"): "wound",
    ("wind", "VBN"): "wound",
    ("input", "VBD"): "input",
    ("output", "VBD"): "output",
    ("output", "VBN"): "output",
    ("little", "JJR"): "-",
    ("little", "JJS"): "-",
    ("far", "JJR"): "farther",
    ("far", "JJS"): "farthest",
    ("far", "RBR"): "farther",
    ("far", "RBS"): "farthest",
    ("good", "JJR"): "better",
    ("good", "JJS"): "best",
    ("bad", "JJR"): "worse",
    ("bad", "JJS"): "worst",
    ("ill", "JJR"): "-",
    ("ill", "JJS"): "-",
    ("well", "RBR"): "better",
    ("well", "RBS"): "best",
    ("badly", "RBR"): "worse",
    ("badly", "RBS"): "worst",
    ("common", "JJR"): "-",
    ("common", "JJS"): "-",
    ("able", "JJR"): "-",
    ("able", "JJS"): "-",
    ("often", "RBR"): "-",
    ("often", "RBS"): "-",
    ("wrong", "RBR"): "-",
    ("wrong", "RBS"): "-",
    ("ancient", "JJR"): "-",
    ("ancient", "JJS"): "-",
}
COMMON = 60
COMPARED = 35


def read(path):
    return [line.split("\t") for line in path.read_text("utf-8").partition("\n\n")[2].splitlines()]


def lemmas(folder, pos):
    members = (m for row in read(folder / "wordnet" / f"{pos}.tsv") for m in row[1].split("|"))
    return sorted({word for m in members if WORD.fullmatch(word := m.partition(":")[0])})


def variants(lemma, tag):
    """Return the forms that lemminflect knows and the regular one, best first."""
    # Adverbs and adjectives are told apart by the tag, and lemminflect's tags are ours.
    known = [form for form in getInflection(lemma, tag, inflect_oov=False) if WORD.fullmatch(form)]
    return known + [form for form in [inflect(lemma, tag)] if form not in known]


def plural(lemma, sizes):
    if lemma in ZERO_PLURAL:
        return lemma
    if lemma in NO_PLURAL:
        return "-"
    forms = [form for form in variants(lemma, "NNS") if form != lemma]
    best = min(forms, key=lambda form: sizes.get(form, 99))
    return "-" if lemma in sizes and best not in sizes else best


def verb(lemma, tag, sizes):
    forms = variants(lemma, tag)
    # The regular form counts only where nothing better is known: "goed" is nobody's past.
    known = forms[:-1] if len(forms) > 1 and inflect(lemma, tag) == forms[-1] else forms
    return min(known, key=lambda form: sizes.get(form, 99))


def compared(lemma, tag, sizes):
    """Return the form, if the word has both comparative and superlative (a `backer` is a noun)."""
    best = []
    for each in (tag[:2] + "R", tag[:2] + "S"):
        forms = [form for form in variants(lemma, each) if sizes.get(form, 99) <= COMPARED]
        best.append(min(forms, key=lambda form: sizes[form]) if forms else "-")
    return "-" if "-" in best else best["RS".index(tag[-1])]


def form(lemma, tag, sizes):
    if (lemma, tag) in FIXES:
        return FIXES[lemma, tag]
    if tag == "NNS":
        return plural(lemma, sizes)
    return (verb if tag[0] == "V" else compared)(lemma, tag, sizes)


def main(target):
    target = Path(target)
    sizes = {word: int(size) for word, size in read(target / "english" / "word_sizes.tsv")}
    with (target / "english" / "inflections.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        for pos, tags in TAGS.items():
            for lemma in lemmas(target, pos):
                for tag in tags:
                    word = form(lemma, tag, sizes)
                    regular = "-" if pos[:2] == "ad" else inflect(lemma, tag)
                    if word != regular:
                        out.write(f"{lemma}\t{tag}\t{word}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
