"""Where fillers stand, and with which commas."""

import re

import pytest
from taken import all_of, some_of

import perturb
from perturb.perturbators.words import fillers
from perturb.resources import read_rows

FILLERS = {kind: {row[0] for row in read_rows("english", "fillers.tsv") if row[1] == kind}
           for kind in ("hesitation", "marker", "hedge", "repair")}  # fmt: skip


@pytest.mark.parametrize("kind", FILLERS)
def test_filler_kinds(kind):
    text = "went home. " * 2000
    made = perturb.apply(text, f"filler:kind={kind},where=word,language=en", p=1.0).text
    between = {one.removeprefix("went").removesuffix("home") for one in made.split(". ")}
    assert {one.strip(", ") for one in between} - {""} == FILLERS[kind]


def test_filler_commas():
    hedge, repair = "filler:kind=hedge,where=word", "filler:kind=repair,where=word"
    assert "went, um, home" in some_of("filler:where=word", "went home")
    assert "went, um, home" in some_of("filler:where=word", "went, home")
    assert "went maybe home" in some_of(hedge, "went home")
    assert "went, maybe home" in some_of(hedge, "went, home")
    assert "went, or rather home" in some_of(repair, "went home")


@pytest.mark.parametrize(
    "text", ["alone", "One. Two", "5 6", "a  b", "a\nb", "a-b (c) d", "привет мир", "it 狐狸",
             "9 dollars", "has 9"]
)  # fmt: skip
def test_no_filler(text):
    assert perturb.apply(text, "filler:where=word", p=1.0).status == "no site"


def test_hesitations_stand_at_the_edges_of_clauses():
    text = "It was late, so Mara left because I asked. When is it? who is it"
    uh = "(?i:" + "|".join(FILLERS["hesitation"]) + ")"
    for seed in range(10):
        made = all_of("filler", text, seed=seed)
        assert re.fullmatch(
            f"{uh}, it was late, {uh}, so Mara left, {uh}, because I asked. "
            f"{uh}, when is it. {uh}, who is it".replace(".", r"[.?]"), made
        ), made  # fmt: skip
        assert made[0].isupper()
    # Names and I keep their capital; what may be a name, and capitals, have nothing before them.
    assert some_of("filler", "I left. MARA LEFT. Will left.") <= {
        f"{one[0].upper()}{one[1:]}, I left. MARA LEFT. Will left." for one in FILLERS["hesitation"]
    }
    assert "Um, Mara left." in some_of("filler", "Mara left.")
    # Labels begin their lines.
    labelled = all_of("filler", "Question: Is it?\nA. It is.\nAnswer:")
    wanted = rf"Question: {uh}, is it\?\nA\. {uh}, it is\.\nAnswer:"
    assert re.fullmatch(wanted, labelled)


@pytest.mark.slow
def test_kinds_are_hesitations_first():
    # um and uh have 16 of the 24 weights. N = 3000, expectation .667, standard deviation .0086.
    text = "left, home. " * 3000
    made = perturb.apply(text, "filler:language=en", p=1.0, only=['word:", home"', "regex:, "]).text
    assert len(re.findall(r", u[hm],", made)) / 3000 == pytest.approx(16 / 24, abs=0.04)


def test_every_filler_row_says_its_commas():
    rows = read_rows("english", "fillers.tsv")
    assert {row[2] for row in rows} == {"around", "before", "none", "within"}
    weights = sum(int(row[3]) for row in rows)
    assert len(fillers._fillers("any", "word", "auto").inside) == weights
    assert len(fillers._fillers("any", "clause", "auto").inside) < weights
