"""Experiments of known truth: every sentence that is written is true, complete and everywhere the same.

Each experiment has rows whose truth is known by how they were made; what has to be said, and what
would be false. The terminal, JSON, LaTeX, Markdown, JUnit and the page have the same sentences.
"""

import html
import json
import re
from xml.etree import ElementTree

import linkage
import pytest

from perturb.cli import main


def versions(steps, said, count, **more):
    """Rows of versions of originals, by what is said of each, and None for a row that isn't there."""
    expect = more.pop("expect", "same")
    rows = []
    for at in range(count):
        answer = said(at)
        if answer != "left out":
            row = linkage.row(
                str(at), steps, original="clean text", edits=((4, 5, "m"),), expect=expect
            )
            rows.append({**row, "answer": "a", "prediction": answer, **more})
    return rows


def originals(count, said=lambda at: "a", **more):
    """Clean rows, all answered rightly if nothing else is said."""
    text = {"text": "clean text", "answer": "a"}
    return [{"id": str(at), **text, "prediction": said(at), **more} for at in range(count)]


def every(count):
    """What is said: wrong of every so many."""
    return lambda at: "ba"[at % count > 0]


def scored(count, moved):
    """Originals of score 1 and one version of each, of the score that is given."""
    rows = originals(count, score=1.0)
    return rows + [{**row, "score": moved(at)} for at, row in
                   enumerate(versions("typos@1:p=0.1", every(1), count))]  # fmt: skip


def grid(loss, strengths, count=600):
    """Originals, and versions at strengths of which a share is lost, those of weak ones too."""
    rows = originals(count)
    for p in strengths:
        rows += versions(f"typos@1:p={p}", lambda at, p=p: "ba"[at >= loss(p) * count], count)
    return rows


RIGHT, GONE = (lambda at: "a"), (lambda at: "a" if at % 13 else "left out")
MIXED = [
    *originals(400),
    *versions("typos@1:p=0.1", every(3), 400),
    *versions("ocr@1:p=0.1", RIGHT, 400),
    *versions("case@1:p=0.1", lambda at: "ba"[at >= 3], 400),
]
TWO = [*originals(300), *versions("typos@1:p=0.1", every(25), 300)]
# Per experiment: the command, its files, what has to be said, and what would be false.
EXPERIMENTS = {
    "one of 20 scores moves by .01": (
        ["score", "--score", "score"],
        [scored(20, lambda at: 1 - 0.01 * (at == 0))],
        ["Undecided", "20 originals", "about 140 more originals"],
        ["Holds", "Breaks"],
    ),
    "a twentieth of 400 scores loses .5": (
        ["score", "--score", "score"],
        [scored(400, lambda at: 1 - 0.5 * (at % 20 == 0))],
        ["Breaks under typos p=0.1 (-0.025)", "From 1.000 to 0.975"],
        ["Holds", "Undecided"],
    ),
    "one breaks, one holds, one may": (
        ["score", "--fail-if", "drop>0.05"],
        [MIXED],
        ["Breaks under typos p=0.1 (-0.335)", "1 worse", "1 robust", "1 undecided"],
        ["2 worse", "2 robust"],
    ),
    "six originals": (
        ["score", "--fail-if", "drop>0.05"],
        [[*originals(6), *versions("typos@1:p=0.1", every(6), 6)]],
        ["Undecided", "6 originals"],
        ["Holds", "Breaks"],
    ),
    "less is better": (
        ["score", "--match", "distance"],
        [
            [
                *originals(400, lambda at: "1", answer=1),
                *versions("typos@1:p=0.1", lambda at: "12"[at % 4 == 0], 400, answer=1),
            ]
        ],
        ["Breaks under typos p=0.1 (+0.250)"],
        ["Holds", "Improves"],
    ),
    "a cliff at 7 %": (
        ["tolerance", "--lose", "0.05", "--fail-if", "tolerance<0.06"],
        [grid(lambda p: 0.4 * (p > 0.07), (0.02, 0.05, 0.1, 0.2))],
        ["between 5 and 10 % of"],
        ["7 %"],
    ),
    "lost at the first strength": (
        ["tolerance", "--lose", "0.05", "--fail-if", "tolerance<0.005"],
        [grid(lambda p: 0.33, (0.05, 0.1, 0.2))],
        ["0.05 is lost under typos at less than 5 %", "no strength below 5 %"],
        ["0.746", "estimate"],
    ),
    "nulls, and else all right": (
        ["score"],
        [[*originals(200), *versions("typos@1:p=0.1", lambda at: None if at < 9 else "a", 200)]],
        [
            "Cannot judge",
            "4.5 % of the perturbed replies are without a reply or score",
            "Lost replies, typos p=0.1: 9 without a reply or score of 200",
        ],
        ["Breaks", "Holds"],
    ),
    "two replies lost, and else all right": (
        ["score"],
        [
            [
                *originals(400),
                *versions("typos@1:p=0.1", lambda at: None if at < 2 else "a", 400),
            ]
        ],
        ["Holds under typos", "Lost replies, typos p=0.1: 2 without a reply or score of 400"],
        ["Cannot judge", "Breaks"],
    ),
    "broken rows deleted": (
        ["score"],
        [
            [
                *originals(390),
                *versions("typos@1:p=0.1", GONE, 390),
                *versions("typos@1:p=0.2", RIGHT, 390),
            ]
        ],
        ["Cannot judge typos p=0.1", "Lost replies, typos p=0.1: 30 missing of 390"],
        ["Holds under typos p=0.1"],
    ),
    "small p, made large by three more": (
        ["score"],
        [
            [
                *originals(150),
                *versions("typos@1:p=0.1", lambda at: "ba"[at >= 5], 150),
                *(
                    row
                    for name in ("ocr", "case", "swap")
                    for row in versions(f"{name}@1:p=0.1", RIGHT, 150)
                ),
            ]
        ],
        ["typos p=0.1", "is adjusted for the number of comparisons"],
        ["Breaks"],
    ),
    "passages that turn whole": (
        ["score", "--cluster", "passage"],
        [
            [
                {
                    **row,
                    "passage": int(
                        (row.get("perturbation") or {"original_id": row["id"]})["original_id"]
                    )
                    % 20,
                }
                for row in [
                    *originals(200),
                    *versions("typos@1:p=0.1", lambda at: "ba"[at % 20 > 1], 200),
                ]
            ]
        ],
        ["20 clusters of 200 originals", "Undecided"],
        ["Breaks", "Holds"],
    ),
    "answers that should change": (
        ["score", "--fail-if", "reaction<0.1"],
        [
            [
                *originals(200),
                *versions("antonym@1:p=1", lambda at: "ba"[at % 5 == 0], 200, expect="other"),
                *versions("typos@1:p=0.1", RIGHT, 200),
            ]
        ],
        ["Sensitive under antonym p=1", "+0.800"],
        ["Insensitive"],
    ),
    "of two systems one loses more": (
        ["compare", "--fail-if", "drop>0.05"],
        [TWO, [*originals(300), *versions("typos@1:p=0.1", every(3), 300)]],
        ["1 loses more than 0 under typos p=0.1 (-0.293)"],
        ["0 loses more", "same"],
    ),
}


def plain(text):
    """Letters and digits alone: a page has other spaces, minus signs and brackets."""
    return re.sub(r"[^a-z0-9.]", "", html.unescape(text).lower())


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_sentence_is_true_complete_and_everywhere_the_same(name, tmp_path, capsys):
    (command, *options), systems, said, false = EXPERIMENTS[name]
    paths = []
    for at, rows in enumerate(systems):
        paths.append(str(tmp_path / f"{at}.jsonl"))
        (tmp_path / f"{at}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    rules = [at for at, word in enumerate(options) if word == "--fail-if"]
    plain_options = [word for at, word in enumerate(options) if {at, at - 1}.isdisjoint(rules)]

    def call(*more, given=options):
        status = main([command, *paths, *given, *more])
        return status, capsys.readouterr().out

    status, out = call("--json", "--junit", str(tmp_path / "junit.xml"))
    found = json.loads(out)
    sentences = [found["sentence"], *found["hints"]]
    whole = " ".join(sentences)
    assert [word for word in said if word not in whole] == [], whole
    assert [word for word in false if word in found["sentence"]] == [], whole
    _, table = call()
    text = " ".join(table.split())
    assert [one for one in sentences if one not in text] == []
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    suite = suite if suite.tag == "testsuite" else suite.find("testsuite")
    assert suite.find("system-out").text.split("\n") == sentences
    assert (int(suite.get("failures")) > 0) == (status == 3)
    _, latex = call("--format", "latex")
    comments = [line[2:] for line in latex.splitlines() if line.startswith("% ")]
    assert comments == sentences
    _, markdown = call("--format", "md", given=plain_options)
    assert markdown.splitlines()[0] == f"**{sentences[0]}**"
    assert [line[2:] for line in markdown.splitlines() if line.startswith("- ")] == sentences[1:]
    page = tmp_path / "page.html"
    assert main(["report", *paths, *plain_options, "-o", str(page)]) == 0
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page.read_text("utf-8"), flags=re.DOTALL)
    shown = plain(re.sub(r"<[^>]+>", " ", body))
    if command == "tolerance":  # the sentence of a page is that of its score
        limits = [f"{100 * found['steps'][0][name]:g}" for name in ("low", "high")]
        assert plain(f"[{', '.join(limits)}] of units, loses.") in shown
        sentences = found["hints"]
    assert [one for one in sentences if plain(one) not in shown] == []
