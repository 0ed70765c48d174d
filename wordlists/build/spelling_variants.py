"""Write American and British spellings of the same words.

    apt-get download scowl
    dpkg -x scowl_*.deb x
    python wordlists/build/spelling_variants.py x/usr/share/dict/scowl wordlists

A word that only SCOWL's American lists have is paired with one that only its British lists have,
if a rule below turns the one into the other at some place.
"""

import sys
from pathlib import Path

LARGEST = 60
HEADER = """\
# American and British spelling of the same word
# Source: SCOWL 2020.12.07 (Debian scowl 2020.12.07-2), Kevin Atkinson
# Licence: licenses/SCOWL.txt
# Made by: wordlists/build/spelling_variants.py
# Columns: American; British

"""
# Tried in this order; the first that gives a British word wins.
RULES = [
    rule.split("/")
    for rule in (
        "or/our ize/ise izing/ising ization/isation yze/yse yzing/ysing er/re ers/res ered/red ense/ence "
        "og/ogue ogs/ogues ed/led ing/ling er/ler e/ae e/oe gray/grey f/ph ck/que ks/ques "
        "program/programme l/ll ll/l m/mme gment/gement dgm/dgem ip/yp tire/tyre curb/kerb plow/plough "
        "mold/mould molt/moult mustache/moustache aluminum/aluminium draft/draught jewelry/jewellery "
        "pajama/pyjama story/storey check/cheque s/c k/c p/pp t/tt ou/o z/s ter/tre e/ee "
        "skeptic/sceptic smolder/smoulder airplane/aeroplane specialty/speciality cozy/cosy"
    ).split()
]
# Accepted by a rule, but words of their own; a practice is a noun on either side of the ocean.
WRONG = {
    ("story", "storey"),
    ("stories", "storeys"),
    ("draft", "draught"),
    ("check", "cheque"),
    ("moms", "mums"),
}


def read(folder, kind):
    words = set()
    for path in folder.glob(f"{kind}-words.*"):
        if int(path.suffix[1:]) <= LARGEST:
            words.update(path.read_text("latin-1").split())
    return {word for word in words if word.isascii() and not word.endswith("'s")}


def british(word, accepted):
    for old, new in RULES:
        start = word.find(old)
        while start >= 0:
            found = word[:start] + new + word[start + len(old) :]
            if found in accepted:
                return found
            start = word.find(old, start + 1)
    return None


def main(source, target):
    source = Path(source)
    common, american, other = (read(source, kind) for kind in ("english", "american", "british"))
    accepted = other - american - common
    rows = [(word, british(word, accepted)) for word in sorted(american - other)]
    rows = [row for row in rows if row[1] and row not in WRONG]
    with (Path(target) / "english" / "spelling_variants.tsv").open(
        "w", encoding="utf-8", newline="\n"
    ) as out:
        out.write(HEADER)
        out.writelines("\t".join(row) + "\n" for row in rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
