"""Write common nouns of English with what they are in other languages.

    git clone https://github.com/omwn/omw-data
    cd omw-data; git show 291d2c2:wns/mcr/wn-data-spa.tab >wns/mcr/wn-data-spa.tab; cd ..
    python wordlists/build/code_switch.py omw-data/wns wordlists

Run after wordnet.py. A noun is in the table if three of four of its uses in SemCor are of one synset,
and a wordnet of the other language has a single word there, which is one word: where several
compete, nothing says which is the usual one.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

HEADER = """\
# Common nouns of English, and what they are in other languages
# Source: WordNet 3.0; Open Multilingual Wordnet (github.com/omwn/omw-data): MultiWordNet 1.5
#   (Italian), Multilingual Central Repository 3.0 (Spanish, Catalan, Galician), Chinese Open Wordnet
# Licence: licenses/WORDNET.txt, licenses/MULTILINGUAL_WORDNETS.txt (CC BY 3.0), licenses/CHINESE_OPEN_WORDNET.txt
# Made by: wordlists/build/code_switch.py
# Columns: noun; Spanish; Catalan; Galician; Italian; Chinese; - where there is no single word

"""
WORDNETS = {
    "es": "mcr/wn-data-spa",
    "ca": "mcr/wn-data-cat",
    "gl": "mcr/wn-data-glg",
    "it": "ita/wn-data-ita",
    "zh": "cow/wn-data-cmn",
}
LEAST, MAIN, LONGEST = 3, 0.75, 3
# Nouns whose main sense in SemCor is not what they mostly are, and those that are rather other
# words; and translations that a reader found wrong.
LEFT_OUT = set(
    "one lot nothing today will can may stress dealing second data don bit means being while cop woods "
    "run stem tube spot words values services steps funds self two three sir much finding much area "
    "award rank tale public crew troops".split()
)
WRONG = {
    "es": "fig manufacturer arrow principal mouse fox vanity ripple drum moth mammal collage sacrifice "
    "survival roar plenty eccentric province ending elimination tune graduate cps eggs losses mainland "
    "prowess paneling omen slug suspicion stocking laity stranger patriotism resume breakdown monkey "
    "female baby infant babe native janitor straw human ruler penalty radiochlorine neutralist vulture "
    "passing arms lover series hypocrite handstand ghoul clump cluster left feed letter "
    "square cab smoke parent lid union times back holder barn lap bulk dive caller tin ten "
    "swallow razor documentary proceeds gown mailbox chosen steeple unemployment anode "
    "sheriff proprietorship whole stove",
    "ca": "crew",
    "gl": "number",
    "it": "inch career location",
    "zh": "material",
}


def read(path):
    """Return the rows of a table."""
    return [line.split("\t") for line in path.read_text("utf-8").partition("\n\n")[2].splitlines()]


def nouns(path, taboo):
    """Return the main synset of each common noun that is decent, the most common first."""
    senses = defaultdict(list)
    for synset, members, *_, offensive in read(path):
        if offensive == "x":
            continue
        for member in members.split("|"):
            word, _, count = member.partition(":")
            senses[word].append((int(count or 0), synset))
    found = []
    for word, counted in senses.items():
        total, (count, synset) = sum(count for count, _ in counted), max(counted)
        common = total >= LEAST and count >= MAIN * total
        if common and re.fullmatch("[a-z]{3,}", word) and word not in LEFT_OUT | taboo:
            found.append((-total, word, synset))
    return [(word, synset) for _, word, synset in sorted(found)]


def words(path):
    """Return the word of each noun synset that has a single one."""
    lemmas = defaultdict(set)
    for line in path.read_text("utf-8").splitlines():
        synset, kind, lemma, *_ = [*line.split("\t"), "", ""]
        if kind.rpartition(":")[2] == "lemma" and synset.endswith("-n"):
            lemmas[synset[:8]].add(lemma)
    return {
        synset: next(iter(own))
        for synset, own in lemmas.items()
        if len(own) == 1 and re.fullmatch(r"[^\W\d_]+", next(iter(own)))
    }


def main(data, folder):
    folder = Path(folder)
    tables = {code: words(Path(data) / f"{name}.tab") for code, name in WORDNETS.items()}
    taboo = {word for word, *_ in read(folder / "english" / "taboo.tsv")}
    rows = []
    for noun, synset in nouns(folder / "wordnet" / "noun.tsv", taboo):
        row = [
            "-"
            if noun in WRONG[code].split()
            or word in {noun, *taboo}
            or (code == "zh" and len(word) > LONGEST)
            else word
            for code, table in tables.items()
            if (word := table.get(synset, "-"))
        ]
        if set(row) != {"-"}:
            rows.append("\t".join([noun, *row]) + "\n")
    (folder / "languages" / "code_switch.tsv").write_text(
        HEADER + "".join(rows), "utf-8", newline="\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
