"""Pairs from files as people have them: M2, two files of lines, CTM beside STM."""

import json

import pytest

import perturb
from perturb.cli import main
from perturb.fitting.sources import pairs_of

M2 = """\
S He go to school , does n't he ?
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 2 2|||M:ADV|||often|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||1

S Nothing is wrong ( here ) .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The the end .
A 1 2|||U:DET|||-NONE-|||REQUIRED|||-NONE-|||0
"""
STM = """\
;; a comment
talk 1 ann 0.00 2.00 <o,f0> the hens { lay / laid } twelve (uh) eggs
talk 1 ann 2.00 4.00 IGNORE_TIME_SEGMENT_IN_SCORING
talk 1 bob 4.00 6.00 where is it
talk 2 bob 0.00 1.00 hello
"""
CTM = """\
talk 1 0.10 0.20 the 0.9
talk 1 0.40 0.30 hands
talk 1 * * <ALT_BEGIN>
talk 1 0.80 0.30 lay
talk 1 * * <ALT>
talk 1 0.80 0.30 lie
talk 1 * * <ALT_END>
talk 1 1.20 0.30 eggs
talk 1 2.50 0.30 noise
talk 1 4.10 0.40 wears
talk 1 4.60 0.30 it
"""


@pytest.fixture
def file(tmp_path):
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write


def test_corrections_of_the_first_annotator_as_running_text(file) -> None:
    assert pairs_of(file("a.m2", M2)) == (
        ["He goes often to school, doesn't he?", "Nothing is wrong (here).", "The end."],
        ["He go to school, doesn't he?", "Nothing is wrong (here).", "The the end."],
    )


def test_segments_have_the_words_whose_middle_lies_in_them(file) -> None:
    assert pairs_of(file("a.stm", STM), file("a.ctm", CTM)) == (
        ["the hens lay twelve uh eggs", "where is it", "hello"],
        ["the hands lay eggs", "wears it", ""],
    )


def test_two_files_of_lines(file) -> None:
    clean, noisy = file("a.txt", "one\n\ntwo\n"), file("b.txt", "onne\n\ntoo\n")
    assert pairs_of(clean, noisy) == (["one", "two"], ["onne", "too"])


@pytest.mark.parametrize(
    ("names", "contents", "message"),
    [
        (("a.m2",), ("S a b\nA 1 9|||R|||x|||R|||-|||0\n",), "a.m2:2: the edit 1 9 is beyond its"),
        (("a.m2",), ("S a b\nA 1 2 R x\n",), "a.m2:2: an edit of M2 is START END"),
        (("a.m2",), ("He goes.\n",), "a.m2:1: a line of M2 begins with S or A; got 'He goes.'"),
        (
            ("a.m2",),
            ("S a b c\nA 0 2|||R|||x|||R|||-|||0\nA 1 3|||R|||y|||R|||-|||0\n",),
            "a.m2:1: two edits of this sentence overlap",
        ),
        (("a.m2", "b.txt"), ("", ""), "has both texts of each pair; leave out"),
        (("a.txt", "b.txt"), ("one\ntwo\n", "one\n"), "b.txt ends before"),
        (("a.stm", "b.txt"), ("", ""), "two files: REFERENCE.stm HYPOTHESIS.ctm"),
        (("a.stm", "b.ctm"), (STM, "talk 1 x 0.2 the\n"), "b.ctm:1: a time is a number of sec"),
        (("a.stm", "b.ctm"), ("talk 1 ann 0 1 hi\n", "talk 1 0\n"), "b.ctm:1: words of CTM have"),
        (("a.stm", "b.ctm"), ("talk 1\n", CTM), "a.stm:1: a segment of STM has two names"),
    ],
)
def test_a_damaged_file_is_named_with_the_line(file, names, contents, message) -> None:
    with pytest.raises(perturb.PerturbError) as raised:
        pairs_of(*map(file, names, contents))
    assert message in str(raised.value)


@pytest.mark.slow
def test_noise_is_fitted_to_each(file, tmp_path, capsys) -> None:
    clean = [f"the sea is wide , said number {n} ." for n in range(60)]
    edit = "A 0 1|||R:ORTH|||the|||REQUIRED|||-NONE-|||0\n\n"
    m2 = "".join(f"S {text.replace('the', 'teh', 1)}\n{edit}" for text in clean)
    noisy = file("noisy.txt", "\n".join(text.replace("the", "teh", 1) for text in clean) + "\n")
    plain = file("clean.txt", "\n".join(clean) + "\n")
    for source in ([file("a.m2", m2)], [plain, noisy]):
        assert main(["fit", *source, "-o", str(tmp_path / "noise.json")]) == 0
        found = json.loads((tmp_path / "noise.json").read_text())
        assert found["pairs"] == 60
        assert found["edits"][0][:4] == ["t", "he", "", "eh"]
    capsys.readouterr()


def test_fields_inside_others_are_named_by_their_paths(file) -> None:
    rows = file("a.jsonl", '{"text":"teh","perturbation":{"original":"the"}}\n')
    assert pairs_of(rows, names=("perturbation.original", "text")) == (["the"], ["teh"])
