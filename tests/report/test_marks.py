"""Texts cut at their edits: nothing is lost, and what is left out is counted."""

import doctest
import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from perturb.records.edit import Edit, rebuild
from perturb.report import diff_runs
from perturb.report.diff_runs import runs, unseen


def test_examples():
    assert doctest.testmod(diff_runs) == (0, 3)


@st.composite
def edited(draw, longest):
    """A text of varied characters, and some edits of it."""
    text = "".join(chr(97 + at % 26) for at in range(draw(st.integers(0, longest))))
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    edits = [
        Edit(at, min(at + 1, end), draw(st.sampled_from(["", "X", "YZ"])))
        for at, end in pairwise([*places, len(text)])
    ]
    return text, [edit for edit in edits if text[edit.start : edit.end] != edit.text]


@given(edited(400))
def test_a_short_text_is_whole_on_both_sides(given):
    text, edits = given
    found = runs(text, edits)
    assert "".join(run.removed for run in found) == text
    assert "".join(run.written for run in found) == rebuild(text, edits)
    assert [(run.removed, run.written) for run in found if run.kind == "edit"] == [
        (text[start:end], written) for start, end, written in edits
    ]


@given(edited(6000))
def test_of_a_long_text_gaps_stand_for_what_is_left_out(given):
    text, edits = given
    found = runs(text, edits)
    at = 0
    for run in found:
        if run.kind == "gap":
            at += int(re.fullmatch(r"([\d,]+) characters", run.removed)[1].replace(",", ""))
        else:
            assert text.startswith(run.removed, at)
            at += len(run.removed)
    assert at == len(text)
    assert sum(run.kind == "edit" for run in found) == len(edits)
    assert sum(len(run.removed) for run in found) < 14 * 500


def test_very_many_edits_end_in_a_count():
    text = "ab" * 5000
    edits = [Edit(at, at + 1, "x") for at in range(0, len(text), 2)]
    *shown, last = runs(text, edits)
    count = sum(run.kind == "edit" for run in shown)
    assert last == ("gap", *[f"{5000 - count:,} more edits".replace(",", "")] * 2, False)
    assert 1000 < count < 2000


def test_causes_are_marked():
    edits = [Edit(0, 1, "x"), Edit(2, 3, "y")]
    assert [run.cause for run in runs("abc", edits, {edits[1]})] == [False, False, True]


def test_what_the_eye_would_not_see():
    assert unseen("") is None
    assert unseen("a b") is None
    assert unseen(" \n\t") == "␣ ↵ ⇥"
    assert unseen("\u200d\u00a0") == "U+200D U+00A0"
    assert unseen("\u0301") == "U+0301"
