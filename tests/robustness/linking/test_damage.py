"""Edits that touch numbers, negations or options, beside a slow and obvious reference."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.records.edit import Edit
from perturb.records.notation import read_many, written_text
from perturb.robustness import score
from perturb.robustness.linking.damage import PROTECT, WRITES_DIGITS, damages

WORDS = "no|not|never|none|nobody|nothing|neither|nor|nowhere|without|cannot"
KINDS = (
    regex.compile(r"\d+(?:[.,:/]\d+)*"),
    regex.compile(rf"(?i)\b(?:{WORDS}|\w+n['’]t)\b"),
    regex.compile(r"(?m)^[ \t]*\(?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):](?=[ \t])"),
)
PIECES = [
    "no",
    "Not",
    "NEVER",
    "don't",
    "CAN’T",
    "know",
    "without",
    "12",
    "3.5",
    "A.",
    "(b)",
    "iv)",
]
TEXTS = st.lists(st.sampled_from([*PIECES, " ", "\n", "İ", "x", "."]), max_size=12).map("".join)


def damage_of(*texts):
    """Return the damage of texts, each with its edits, all at once."""
    changed = read_many([written_text("text", edits) for _, edits in texts])
    return damages([text for text, _ in texts], changed).tolist()


def touches(start, end, edit):
    if edit.start == edit.end:
        return start < edit.start < end
    return edit.start < end and start < edit.end


@pytest.mark.slow
@given(TEXTS, st.data())
def test_the_kinds_that_an_edit_touches(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    edit = Edit(start, end, data.draw(st.sampled_from(["", "q", "7", "no"])), text[start:end])
    expected = 0
    for bit, pattern in enumerate(KINDS):
        spans = [found.span() for found in pattern.finditer(text)]
        if bit < 2 or len(spans) > 1:
            expected |= any(touches(*span, edit) for span in spans) << bit
    # Beside a number, what is written may make it longer: then no number of the new text is it.
    made = text[:start] + edit.text + text[end:]
    shift = len(edit.text) - (end - start)
    kept = {found.span() for found in KINDS[0].finditer(made)}
    for found in KINDS[0].finditer(text):
        low, high = found.span()
        if not touches(low, high, edit):
            moved = (low, high) if high <= start else (low + shift, high + shift)
            expected |= moved not in kept
    if expected & 2 and text[start:end].lower() == edit.text.lower():
        expected &= ~2
    if not expected & 1 and regex.search(r"\d", edit.text):
        expected |= WRITES_DIGITS
    # What stands before and behind is another text's.
    beside = data.draw(st.lists(TEXTS, max_size=2))
    for number in range(len(beside) + 1):
        texts = [(other, ()) for other in beside]
        texts.insert(number, (text, [edit]))
        assert damage_of(*texts)[number] == expected
    assert damage_of((text, [edit]), (text, [edit])) == [expected, expected]


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("no eggs", (3, 4, "3"), WRITES_DIGITS),  # there is no number to touch
        ("12 eggs", (2, 2, "3"), 1),
        ("3 4", (1, 2, ""), 1),
        ("3 4", (1, 2, "."), 1),
        ("12 eggs", (3, 4, "3"), WRITES_DIGITS),
        ("do NOT", (3, 6, "not"), 0),
        ("do not", (3, 6, "now"), 2),
    ],
)
def test_what_is_written_is_told_from_what_the_original_holds(text, edit, expected):
    start, end, written = edit
    edits = [Edit(start, end, written, text[start:end])]
    assert damage_of((text, edits)) == [expected]


@pytest.mark.parametrize("step", ["char_replace", "char_insert", "char_swap", "word_delete"])
def test_the_presets_keep_edits_off_their_kinds(step):
    text = (
        "Don't say that nobody can’t have 3.5 eggs, nor 12: NEVER. It isn't without merit.\n"
        "A. no one\nB. someone cannot\n(c) neither 7/8 nor 1,000"
    )
    every = perturb.apply(text, step, p=1.0)
    assert damage_of((text, every.edits))[0] & 2
    record = perturb.apply(text, step, p=1.0, protect=list(PROTECT))
    assert record.edits
    assert damage_of((text, record.edits)) == [0]


@pytest.mark.parametrize(("step", "hinted"), [("number_variant", False), ("word_delete", True)])
def test_numbers_that_the_right_answer_follows_are_no_damage(step, hinted):
    problems = [
        {
            "id": str(at),
            "question": f"Tom has {12 + at} eggs and buys 5 more. How many has he?",
            "answer": f"He has <<{12 + at}+5={17 + at}>>{17 + at}.\n#### {17 + at}",
        }
        for at in range(30)
    ]
    made = perturb.augment(
        problems, step, p=1, field="question", target="answer", with_original=True
    )
    rows = [{**row, "correct": row["perturbation"]["status"] == "original"} for row in made]
    hints = " ".join(score(rows, metrics={"correct": {"threshold": 0.5}}).hints)
    assert ("touches a number" in hints) == hinted
