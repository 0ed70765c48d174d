"""Whether synonyms fit where they are put, beside nlpaug's SynonymAug on the same sentences.

Run it as `python benchmarks/synonyms.py`.
"""

import re
import sys

from common import FOLDER, Run, line, options, started_on

sys.path.append(str(FOLDER.parent / "tests"))
import judge

SEEDS = range(6)
TABLES = ("sentences.tsv", "held_out.tsv")
JOINTS = ("\n", "  (", ") ", ' — "', '"\n\n')
SIDES = ("perturb_words", "nlpaug_words")


def main():
    run = Run(options(__doc__))
    corpora = {name: judge.sentences(name) for name in TABLES}
    corpora["layout"] = laid_out(corpora["sentences.tsv"])
    rows, versions = [], {}
    for name, texts in corpora.items():
        plain = [text.text for text in texts]
        with started_on(SIDES, [text._asdict() for text in texts]) as sides:
            for side in sides:
                versions |= side.versions
                for maker in (maker for maker in side.makers if maker.startswith("edits ")):
                    runs = [side.make(maker, plain, seed) for seed in SEEDS]
                    operation = maker.removeprefix("edits ")
                    rows.append({"corpus": name, "operation": operation} | judged(texts, runs))
    run.tell(versions)
    report(rows)
    run.write("synonyms", rows=rows)


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


def judged(texts, runs):
    """Counts of what was done right, of how many."""
    counts = {}

    def count(what, right):
        done, total = counts.get(what, (0, 0))
        counts[what] = (done + bool(right), total + 1)

    for run in runs:
        for text, (result, edits) in zip(texts, run, strict=True):
            expected, befores = applied(text.text, edits)
            count("outside kept", expected == result)
            for edit, before in zip(edits, befores, strict=True):
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
    print(line(" " * 37 + " replaced", measures, 46, 13))
    for row in rows:
        counts = (row.get(name) for name in measures)
        shares = (f"{count['right'] / count['of']:.1%}" if count else "" for count in counts)
        name = f"{row['corpus']:14} {row['operation']:22} {row['kept']['of']:8}"
        print(line(name, shares, 46, 13))


if __name__ == "__main__":
    main()
