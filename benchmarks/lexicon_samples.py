"""Show replacements in real sentences, to judge by eye how they read.

    python benchmarks/lexicon_samples.py texts.txt [relation] [profile] [how many]

Each line of the file is a text. Prints every n-th replaceable word, in its place, with what it
would be replaced with.
"""

import sys
from pathlib import Path

import numpy as np
from lexicon_speed import batch

from perturb.lexicon.candidates import candidates, rows
from perturb.lexicon.store import spell
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import TAGS
from perturb.lexicon.tokens import read_words

AROUND = 40


def main(source, relation="synonyms", profile="common", shown="200"):
    text = Path(source).read_text("utf-8")
    codes, starts, ends, lines = batch(text.split("\n"))
    words = read_words(codes, starts, ends, lines)
    tags = tag(words)
    table = candidates(relation, profile)
    froms, tos = rows(table, words.surfaces, tags)
    places = np.flatnonzero(tos > froms)
    print(f"{len(starts)} words, {len(places)} replaceable ({len(places) / len(starts):.1%})")
    for place in places[:: max(1, len(places) // int(shown))]:
        start, end = starts[place], ends[place]
        left = text[max(0, start - AROUND) : start].replace("\n", " ")
        right = text[end : end + AROUND].replace("\n", " ")
        words = "|".join(spell(target) for target in table.targets[froms[place] : tos[place]])
        print(f"{left}[{text[start:end]} > {words} {TAGS[tags[place]]}]{right}")


if __name__ == "__main__":
    main(*sys.argv[1:])
