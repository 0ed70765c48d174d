"""Whether synonyms fit where they are put, beside nlpaug's SynonymAug on the same sentences.

Run it as `python benchmarks/synonyms.py`.
"""

import json
import re
import sys
import tempfile
from pathlib import Path

from common import FOLDER, machine, started, write_result

sys.path.append(str(FOLDER.parent / "tests"))
import judge

CAVEATS = """\
- Every word that can be replaced is, with the seeds 0 to 5. What is judged are the replacements of
  the words that the tables mark with the tag that a careful reader gives them.
- kept: tests/judge.py finds both words in one synset of WordNet with that tag, so neither part of
  speech nor inflection changed. irregular: the same of irregular forms, such as children or went.
  It shares no code and no table of inflection with perturb.
- outside kept: share of the texts that are the original with the replacements and nothing else
  (perturb mends articles besides). Of "layout" the same sentences make texts with line breaks,
  double spaces, brackets, quotes.
- case: the replacement is capitalised as the word was. article: "a" or "an" before a replacement is
  the one that it asks for.
- nlpaug is told the tags of the tables, as nltk's tagger model is not to be had; so it makes no
  mistake of tagging, and leaves words without a tag alone. perturb tags for itself.
- The rules of perturb's tagger were set on sentences like those of sentences.tsv, and on none of
  held_out.tsv.
"""
SEEDS = range(6)
TABLES = ("sentences.tsv", "held_out.tsv")
JOINTS = ("\n", "  (", ") ", ' — "', '"\n\n')
SIDES = ("perturb_words", "nlpaug_words")


def main():
    print(CAVEATS)
    corpora = {name: judge.sentences(name) for name in TABLES}
    corpora["layout"] = laid_out(corpora["sentences.tsv"])
    rows, versions = [], {}
    for name, texts in corpora.items():
        for side in sides_for(texts):
            versions |= side.versions
            for operation in side.makers:
                if operation.startswith("edits "):
                    asked = [text.text for text in texts]
                    made = [side.make(operation, asked, seed) for seed in SEEDS]
                    found = judged(texts, made)
                    rows.append(
                        {"corpus": name, "operation": operation.removeprefix("edits ")} | found
                    )
            side.close()
    report(rows)
    write_result("synonyms", {"machine": machine(), "versions": versions, "rows": rows})


def laid_out(sentences):
    """Texts of six sentences with blanks and marks between them that are easily lost."""
    texts = []
    for first in range(0, len(sentences), 6):
        text, tags = "", {}
        for number, sentence in enumerate(sentences[first : first + 6]):
            text += JOINTS[number - 1] if number else ""
            tags |= {len(text) + start: tag for start, tag in sentence.tags.items()}
            text += sentence.text
        texts.append(judge.Sentence(text, tags))
    return texts


def sides_for(texts):
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "sentences.jsonl")
        data.write_text("".join(json.dumps(text._asdict()) + "\n" for text in texts), "utf-8")
        return started(SIDES, data, "text")


def judged(texts, runs):
    """Counts of what was done right, of how many."""
    counts = {}

    def count(what, right):
        done, total = counts.get(what, (0, 0))
        counts[what] = (done + bool(right), total + 1)

    for made in runs:
        for text, (result, edits) in zip(texts, made, strict=True):
            count("outside kept", applied(text.text, edits)[0] == result)
            for edit, before in zip(edits, applied(text.text, edits)[1], strict=True):
                if edit[0] in text.tags:
                    judge_edit(text, edit, before, count)
    return {what: {"right": right, "of": total} for what, (right, total) in counts.items()}


def judge_edit(text, edit, before, count):
    start, end, new = edit
    word, tag = text.text[start:end], text.tags[start]
    kept = judge.keeps(word, tag, new)
    count("kept", kept)
    if judge.is_irregular(word, tag):
        count("irregular", kept)
    count("case", new[0].isupper() == word[0].isupper())
    article = re.search(r"\b(an?) $", before, re.IGNORECASE)
    if article:
        count("article", article[1].lower() == judge.article(new))


def applied(text, edits):
    """The text with the edits, and what stands before each replacement in it."""
    new, last, befores = "", 0, []
    for start, end, replacement in edits:
        new += text[last:start]
        befores.append(new)
        new += replacement
        last = end
    return new + text[last:], befores


def report(rows):
    measures = ("kept", "irregular", "outside kept", "case", "article")
    print(f"{'':14} {'':22} {'replaced':>8} " + " ".join(f"{name:>12}" for name in measures))
    for row in rows:
        shares = (
            f"{row[name]['right'] / row[name]['of']:12.1%}" if name in row else " " * 12
            for name in measures
        )
        print(f"{row['corpus']:14} {row['operation']:22} {row['kept']['of']:8} " + " ".join(shares))


if __name__ == "__main__":
    main()
