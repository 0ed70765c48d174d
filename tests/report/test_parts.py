"""The parts of the page: kinds of edits, axes, excerpts, and the words of the first screen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import clean, linked, series

from perturb.records.edit import Edit
from perturb.records.notation import BARE, read_many, written_text
from perturb.report import edit_kinds
from perturb.report.edit_kinds import LABELS, beside_others, kinds_of
from perturb.report.follow_up import Commands, next_step
from perturb.report.geometry import axis, panels
from perturb.report.listing import Texts, excerpt
from perturb.robustness.tables.headline import headlines
from perturb.values.spans import rebuild


def columns(edits):
    return read_many([written_text(BARE, edits)])


def said(text, *edits):
    (bits,) = kinds_of([text], columns([Edit(*edit, text[edit[0] : edit[1]]) for edit in edits]))
    return [label for bit, label in enumerate(LABELS) if bits >> bit & 1]


@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        ((0, 0, "x"), ["insertion", "capitalised word", "first fifth"]),
        ((3, 3, "x"), ["insertion", "capitalised word", "first fifth"]),
        ((4, 7, ""), ["deletion", "negation", "first fifth"]),
        ((9, 11, "vo"), ["transposition", "other word", "second fifth"]),
        ((13, 15, "TX"), ["substitution", "function word", "third fifth"]),
        ((13, 16, "THE"), ["change of case", "function word", "third fifth"]),
        ((17, 18, "3"), ["substitution", "number", "fourth fifth"]),
        ((12, 13, ""), ["white space", "space between words", "third fifth"]),
        ((24, 25, "!"), ["substitution", "punctuation or symbol", "last fifth"]),
    ],
)
def test_an_edit_is_of_a_kind_touches_a_class_and_has_a_place(edit, wanted):
    assert said("Ann not move the 12 eggs.", edit) == wanted


@pytest.mark.slow
@given(st.text(alphabet="aB1 .'é漢", max_size=30), st.data())
def test_every_edit_has_one_kind_some_class_and_one_place(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 3, len(text))))
    written = data.draw(st.text(alphabet="xY2 ", max_size=3).filter(lambda w: w != text[start:end]))
    found = said(text, (start, end, written))
    assert len([one for one in found if one in edit_kinds.KINDS]) == 1
    assert [one for one in found if one in edit_kinds.CLASSES]
    assert len([one for one in found if one in edit_kinds.PLACES]) == 1


def test_texts_that_were_read_are_written_behind_all_that_are_kept():
    texts = Texts()
    numbers = [texts.number(text) for text in ("a" * 9, "b" * 20, "a" * 9)]
    assert texts.get(numbers[2]) == b"a" * 9
    numbers.append(texts.put_json(["c\ud800"]))
    assert numbers == [0, 1, 0, 2]
    assert [texts.get(at) for at in numbers[1:]] == [b"b" * 20, b"a" * 9, '["c\ufffd"]'.encode()]


def test_what_an_edit_touches_is_unknown_without_its_text():
    (bits,) = kinds_of([None], columns([Edit(3, 5, "ow", "wo")]))
    found = [label for bit, label in enumerate(LABELS) if bits >> bit & 1]
    assert found == ["transposition", "unknown", "unknown"]


def test_a_curve_leaves_out_what_changes_the_right_answer():
    """Where antonyms act the answer is another one, so that score is no point of their curve."""
    rows = [clean(f"q{at}", 1.0) for at in range(60)]
    for p, expect in ((0.1, "same"), (0.2, "same"), (0.3, "other")):
        rows += [
            linked(f"q{at}", at % 3 / 2, p=p, expect=expect, edits=[(0, 1, "x")])
            for at in range(60)
        ]
    findings = [one for one in series(rows).judged.verdict.conditions if one.scope == "all"]
    (panel,) = panels([findings], axis([0, 1]))
    (line,) = panel.lines
    assert [point.finding.p for point in line] == [0.1, 0.2]


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_an_axis_holds_its_values_and_round_ticks(low, high):
    found = axis([low, high])
    assert found.low <= min(low, high) <= max(low, high) <= found.high
    assert 2 <= len(found.ticks) <= 8
    assert found.ticks == sorted(set(found.ticks))
    assert 0 <= found.at(low) <= 100


@pytest.mark.slow
@given(st.integers(0, 3), st.data())
def test_an_excerpt_makes_the_same_part_of_the_perturbed_text(edits, data):
    """Up to the end of the excerpt, what its edits make of it is what all edits make there."""
    text = "".join(chr(97 + at % 26) for at in range(9_000))
    places = sorted(data.draw(st.sets(st.integers(0, 8_990), min_size=edits, max_size=edits)))
    made = [Edit(place, place + 1, "ZZ", text[place]) for place in places]
    found = excerpt(text, made)
    assert found.text == text[found.start : found.start + len(found.text)]
    assert found.left == len(text) - found.start - len(found.text)
    assert len(found.edits) + found.edits_left == edits
    assert rebuild(found.text, found.edits) in rebuild(text, made) or found.edits_left


COMMANDS = Commands(
    lambda way: f"rematch {way}", "explain", lambda words: words, "more", "gate", "again"
)


@pytest.mark.slow
def test_of_few_rows_that_all_held_nothing_is_told():
    """12 of 335 originals have it, and one in ten breaks whether it has it or not.

    Of 2,000 sets 95 % should hold the truth, with a standard error of half a percent.
    """
    rng, one = np.random.default_rng(1), np.zeros(335, np.int32)
    has = np.arange(335) < 12
    limits = np.array(
        [beside_others(has, rng.random(335) < 0.1, one, np.arange(335)) for _ in range(2000)]
    )
    assert np.mean((limits[:, 1] <= 0) & (limits[:, 2] >= 0)) > 0.94
    held = beside_others(has, ~has & (np.arange(335) % 10 == 0), one, np.arange(335))
    assert held[1] < 0 < held[2]


def judged(scores, **more):
    rows = [clean(n, 1) for n in range(len(scores[0]))]
    for at, column in enumerate(scores):
        rows += [linked(str(n), one, name=f"n{at}", **more) for n, one in enumerate(column)]
    return series(rows).judged.verdict


def test_what_is_next_where_something_breaks():
    found = judged([[1] * 400, [0] * 200 + [1] * 200])
    (head,) = headlines(found)
    assert next_step(found, head, False, COMMANDS).command == "explain"
    assert next_step(found, head, True, COMMANDS).command == "again"


def test_what_is_next_where_nothing_breaks():
    robust = judged([[1] * 400])
    assert next_step(robust, *headlines(robust), False, COMMANDS).command == "gate"
    undecided = judged([[1] * 10])
    found = next_step(undecided, *headlines(undecided), False, COMMANDS)
    assert found.command == "more"
    assert "more originals" in found.why


def test_what_is_next_where_nothing_can_be_judged():
    found = judged([[0]])
    (head,) = headlines(found)
    assert str(head) == "Cannot judge: there is one original."
    assert next_step(found, head, False, COMMANDS).command == ""


def test_a_kind_that_surely_breaks_more_comes_before_one_seen_once():
    """The one row that changes case breaks, which proves nothing."""
    insertion, case = 1 << 0, 1 << 4
    kinds = np.array([insertion] * 100 + [case] + [1 << 1] * 100, np.int32)
    broke = np.arange(201) % 5 == 0
    broke[:100], broke[100] = np.arange(100) % 2 == 0, True
    one, each = np.zeros(201, np.int32), np.arange(201, dtype=np.int32)
    found = edit_kinds.tally(kinds, one, np.ones(201, bool), broke, one, each)
    rows = found["kind of edit"]
    assert [row.label for row in rows] == ["insertion", "deletion", "change of case"]
    assert rows[2].more[0] > rows[0].more[0]
