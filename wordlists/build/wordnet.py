"""Write WordNet 3.0 as one line a synset, one file a part of speech.

Fetch and run, in a folder of its own:

    apt-get download wordnet-base wordnet-sense-index
    for deb in *.deb; do dpkg -x $deb wn; done
    pip install nltk==3.10.4
    python wordlists/build/wordnet.py wn/usr/share/wordnet wordlists/wordnet

Read through nltk's WordNetCorpusReader, so a WordNet that nltk can read gives the same columns.
Synsets whose every member is capitalised (people, places, taxa) are left out: no word of running
text that we may replace looks one of them up.
"""

import re
import sys
import warnings
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader

FILES = {"n": "noun.tsv", "v": "verb.tsv", "a": "adjective.tsv", "r": "adverb.tsv"}
HEADER = """\
# WordNet 3.0, {name}: one synset a row, members with their counts in SemCor
# Source: Debian wordnet-base and wordnet-sense-index 1:3.0-37, Princeton University; modified
# Licence: licenses/WORDNET.txt
# Made by: wordlists/build/wordnet.py
# Columns: synset; members name:count joined by |; antonyms own>other@synset; hypernyms; x = offensive

"""
# nltk wants this file of fixed facts, which Debian leaves out.
LEXNAMES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute "
    "noun.body noun.cognition noun.communication noun.event noun.feeling noun.food noun.group "
    "noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant "
    "noun.possession noun.process noun.quantity noun.relation noun.shape noun.state "
    "noun.substance noun.time verb.body verb.change verb.cognition verb.communication "
    "verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion "
    "verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl"
).split()
LEXCODES = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
# How the glosses mark a word that insults; the usage domains mark the rest.
INSULT = re.compile(
    r"ethnic slur|offensive (term|name|word)|term of (abuse|contempt)"
    r"|(disparaging|derogatory|obscene|vulgar|insulting|taboo|contemptuous)( slang)? (term|name|word)"
    r"|(slang|obscene|vulgar)( terms?)? for |abusive (term|name|word)"
)
DOMAINS = {"ethnic_slur", "disparagement", "obscenity", "dirty_word"}


class Offline(WordNetCorpusReader):
    """A reader that asks for no mapping to other WordNets."""

    def map_wn(self, version="wordnet"):
        return None


def open_wordnet(folder):
    names = folder / "lexnames"
    if not names.exists():
        rows = (f"{i:02d}\t{n}\t{LEXCODES[n.partition('.')[0]]}\n" for i, n in enumerate(LEXNAMES))
        names.write_text("".join(rows))
    nltk.data.path.append(str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Offline(str(folder), None)


def offends(synset):
    domains = {lemma for domain in synset.usage_domains() for lemma in domain.lemma_names()}
    for lemma in synset.lemmas():
        domains.update(domain.name() for domain in lemma.usage_domains())
    return bool(domains & DOMAINS) or bool(INSULT.search(synset.definition()))


def member(lemma):
    count = lemma.count()
    name = lemma.name().replace("_", " ")
    return f"{name}:{count}" if count else name


def row(synset):
    pairs = [
        f"{lemma.name()}>{other.name()}@{other.synset().offset():08d}".replace("_", " ")
        for lemma in synset.lemmas()
        for other in lemma.antonyms()
    ]
    parents = [f"{parent.offset():08d}" for parent in synset.hypernyms()]
    return "\t".join(
        (
            f"{synset.offset():08d}",
            "|".join(member(lemma) for lemma in synset.lemmas()),
            "|".join(sorted(pairs)),
            "|".join(sorted(parents)),
            "x" if offends(synset) else "",
        )
    )


def wanted(synset):
    return any(name == name.lower() for name in synset.lemma_names())


def main(source, target):
    reader = open_wordnet(Path(source).resolve())
    Path(target).mkdir(parents=True, exist_ok=True)
    for pos, name in FILES.items():
        synsets = sorted(filter(wanted, reader.all_synsets(pos)), key=lambda s: s.offset())
        with (Path(target) / name).open("w", encoding="utf-8", newline="\n") as out:
            out.write(HEADER.format(name=name.partition(".")[0] + "s"))
            out.writelines(row(synset) + "\n" for synset in synsets)


if __name__ == "__main__":
    main(*sys.argv[1:])
