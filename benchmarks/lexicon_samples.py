"""Show replacements in real sentences, to judge by eye how they read.

    python benchmarks/lexicon_samples.py texts.txt [relation] [profile] [how many]

Each line of the file is a text. Prints every n-th replaceable word, in its place, with what it
would be replaced with.
"""

import re
import sys
from pathlib import Path

import numpy as np

from perturb.lexicon.candidates import candidates, rows
from perturb.lexicon.store import spell
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import TAGS
from perturb.lexicon.tokens import read_words

WORD = re.compile(r"\w+(?:['’-]\w+)*")
AROUND = 40


def main(source, relation="synonyms", profile="common", shown="200"):
    text = Path(source).read_text("utf-8")
    spans = np.array([match.span() for match in WORD.finditer(text)])
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    starts, ends = spans[:, 0].copy(), spans[:, 1].copy()
    lines = np.array([match.end() for match in re.finditer("^", text, re.MULTILINE)])
    words = read_words(codes, starts, ends, lines)
    tags = tag(words)
    found = candidates(relation, profile)
    froms, tos = rows(found, words.surfaces, tags)
    places = np.flatnonzero(tos > froms)
    print(f"{len(spans)} words, {len(places)} replaceable ({len(places) / len(spans):.1%})")
    for place in places[:: max(1, len(places) // int(shown))]:
        start, end = spans[place]
        left = text[max(0, start - AROUND) : start].replace("\n", " ")
        right = text[end : end + AROUND].replace("\n", " ")
        written = "|".join(spell(target) for target in found.targets[froms[place] : tos[place]])
        print(f"{left}[{text[start:end]} > {written} {TAGS[tags[place]]}]{right}")


if __name__ == "__main__":
    main(*sys.argv[1:])
