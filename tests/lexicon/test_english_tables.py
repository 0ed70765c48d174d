"""The English word tables hold what they say."""

import pytest

from perturb.resources import read_rows


def rows(name):
    return read_rows("english", name)


@pytest.mark.parametrize(
    ("name", "least"),
    [("abbreviations.tsv", 150), ("misspellings.tsv", 500), ("contractions.tsv", 90),
     ("fillers.tsv", 50), ("homophones.tsv", 600), ("spelling_variants.tsv", 2000),
     ("stop_words.tsv", 180)],
)  # fmt: skip
def test_size(name, least):
    assert len(rows(name)) >= least


@pytest.mark.slow
def test_misspellings_are_wrong():
    words = {row[0] for row in rows("word_sizes.tsv")}
    for right, wrong, kind in rows("misspellings.tsv"):
        assert right != wrong
        known = all(part in words for part in right.split(" "))
        assert known or right.istitle() or "'" in right, right
        assert (wrong in words) == (kind == "word"), wrong


def test_misspellings_are_no_british_spellings():
    variants = {frozenset(row) for row in rows("spelling_variants.tsv")}
    assert not variants & {frozenset(row[:2]) for row in rows("misspellings.tsv")}


def test_contractions_say_whether_they_are_clear():
    table = rows("contractions.tsv")
    short = [row[1] for row in table]
    for _, contraction, style, clear in table:
        assert style in ("standard", "informal")
        assert contraction == "can't" or (short.count(contraction) > 1) == (clear == "many")


@pytest.mark.parametrize(
    "group",
    ["to too", "their there they're", "hear here", "knight night", "peace piece", "one won"],
)
def test_homophones(group):
    assert set(group.split()) in [set(row[0].split()) for row in rows("homophones.tsv")]


def test_numbers():
    names = {number: (cardinal, ordinal) for number, cardinal, ordinal in rows("numbers.tsv")}
    assert names["12"] == ("twelve", "twelfth")
    assert names["40"] == ("forty", "fortieth")
