"""Write a page with what perturb and its peers make of the same hundred sentences.

Run it as `python benchmarks/side_by_side.py`; it needs the environments of `setup_peers.py`.
"""

import re
import sys
from difflib import SequenceMatcher

from common import FOLDER, started_on, versions_of, write_into
from setup_peers import PEERS

sys.path.append(str(FOLDER.parent / "tests"))
import judge

PAGE = FOLDER.parent / "docs/explanation/side-by-side.md"
SIDES = "perturb_read", "nlpaug", "nlpaug_words", *list(PEERS)[1:]
SEED = 1
COUNT = 100
TITLES = {
    "typos": "Typing errors",
    "ocr": "Misread characters",
    "synonyms": "Synonyms",
    "misspellings": "Misspellings",
    "homophones": "Homophones",
}


def main():
    sentences = [*judge.sentences("held_out.tsv"), *judge.sentences("sentences.tsv")][:COUNT]
    texts = [sentence.text for sentence in sentences]
    rows = [sentence._asdict() for sentence in sentences]
    with started_on(SIDES, rows) as sides:
        read = [(side, name) for side in sides for name in side.operations if ": " in name]
        outputs = {name: side.make(name, texts, SEED) for side, name in read}
    versions = versions_of(sides)
    named = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts = [f"Versions: {named}.\n"]
    for kind, title in TITLES.items():
        sections = (
            (name.partition(": ")[2], outcome)
            for name, outcome in outputs.items()
            if name.startswith(kind)
        )
        parts += [f"\n## {title}\n", *compared(texts, dict(sections))]
    write_into(PAGE, "outcomes", "\n".join(parts) + "\n")


def compared(texts, outputs):
    """Yield the lines of a section: how many sentences changed, and each sentence with its own."""
    yield "| | sentences changed | words changed |"
    yield "|---|--:|--:|"
    for name, outcome in outputs.items():
        words = [
            sum(last - first for _, first, last, _, _ in changes(text.split(), one.split()))
            for text, one in zip(texts, outcome, strict=True)
        ]
        share = sum(words) / sum(len(text.split()) for text in texts)
        yield f"| {name} | {sum(map(bool, words))} | {share:.1%} |"
    for number, text in enumerate(texts, 1):
        yield f"\n{number}. {escaped(text)}\n"
        for name, outcome in outputs.items():
            same = outcome[number - 1] == text
            yield f"   - {name}: {'*unchanged*' if same else marked(text, outcome[number - 1])}"


def changes(old, new):
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [code for code in codes if code[0] != "equal"]


def marked(text, outcome):
    """Return the words of a text with those taken out struck, and those put in in bold."""
    old, new = text.split(), outcome.split()
    parts, at = [], 0
    for _, first, last, begin, end in changes(old, new):
        parts.append(escaped(" ".join(old[at:first])))
        parts += [f"~~{escaped(' '.join(old[first:last]))}~~"] if first < last else []
        parts += [f"**{escaped(' '.join(new[begin:end]))}**"] if begin < end else []
        at = last
    return " ".join(filter(None, [*parts, escaped(" ".join(old[at:]))]))


def escaped(text):
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", text)


if __name__ == "__main__":
    main()
