"""Options of multiple-choice questions: found in many forms, moved, relabelled, with their answers."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.batch import Batch
from perturb.perturbators.prompts._questions import find
from perturb.rows.stored import records_in
from perturb.rows.target_field import follow

FORMS = {
    "dots": ("Which?\nA. red\nB. blue\nC. green", "ABC"),
    "brackets": ("Which?\n(A) red\n(B) blue\n(C) green\n", "ABC"),
    "small": ("Which?\r\na) red\r\nb) blue\r\nc) green", "abc"),
    "square": ("[A] red\n[B] blue\n[C] green", "ABC"),
    "numbers": ("Which?\n1) red\n2) blue\n3) green", "123"),
    "roman": ("Which?\ni. red\nii. blue\niii. green", ("i", "ii", "iii")),
    "colons": ("Which?\nA: red\nB: blue\nC: green", "ABC"),
    "bullets": ("Which?\n- A. red\n- B. blue\n- C. green", "ABC"),
    "indented": ("Which?\n  A.  red\n  B.  blue  \n  C.  green", "ABC"),
    "blank lines": ("Which?\n\nA. red\n\nB. blue\n\nC. green\n\nAnswer:", "ABC"),
    "one line": ("Which? (A) red (B) blue (C) green", "ABC"),
    "commas": ("Which? A) red, B) blue, or C) green?", "ABC"),
    "semicolons": ("Which one: (a) red; (b) blue; (c) green. Choose.", "abc"),
    "no space": ("Which? (A)red (B)blue (C)green", "ABC"),
    "grid": ("Which?\nA. red   B. blue\nC. green", "ABC"),
    "numbered questions": ("1. Which?\nA. red\nB. blue\nC. green", "ABC"),
    "statements": ("I. x\nII. y\nWhich?\nA. red\nB. blue\nC. green", "ABC"),
    "small fields": ("which?\na. red\nb. blue\nc. green\nanswer:", "abc"),
    "after the question": ("Which? A. red\nB. blue\nC. green", "ABC"),
}


def options_of(text):
    """The options that are found in a text, question by question."""
    batch = Batch.of([text])
    found = find(batch, "labelled")
    return [
        (one.names, [found.whole[slice(*span)] for span in one.contents]) for one in found.options()
    ]


@pytest.mark.parametrize("form", FORMS)
def test_forms(form):
    """Labels and contents are found in every form, and nothing but the contents moves."""
    text, names = FORMS[form]
    assert options_of(text) == [(tuple(names), ["red", "blue", "green"])]
    record = perturb.apply(text, "option_shuffle:mode=rotate")
    places = [text.index(content) for content in ("red", "blue", "green")]
    for place, old, new in zip(
        places[::-1], ("green", "blue", "red"), ("blue", "red", "green"), strict=True
    ):
        text = text[:place] + new + text[place + len(old) :]
    assert record.text == text
    assert [edit.text for edit in record.edits] == ["green", "red", "blue"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A. red",
        "B. red\nC. blue",
        "A. red\nB) blue",
        "A: Hello.\nB: Hello to you.",
        "Q: 1+1?\nA: 2\n\nQ: 2+2?\nA: 4",
        "A. Smith and C. Jones met B. Brown",
        "Plan: Day 1: fly\nDay 2: swim\nDay 3: run",
        "Take step 1. Mix it. Then step 2. Bake it. Then step 3. Eat it.",
        "Ａ． red\nＢ． blue",
        "А. красный\nБ. синий",
        "أ. أحمر\nب. أزرق",
        "A.\nB.\nC.",
    ],
)
def test_what_holds_no_options(text):
    assert options_of(text) == []
    assert perturb.apply(text, "option_shuffle").status == "no site"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A. x\nB. y\nC. both A and B", "option C names others: 'both A and B'"),
        ("A. x\nB. y\nC. A or B", "option C names others: 'A or B'"),
        ("A. x\nB. y\nC. z\nD. A, B, and C", "option D names others: 'A, B, and C'"),
        ("A. x\nB. y\nC. only A", "option C names others: 'only A'"),
        ("A. x\nB. y\nC. Neither A nor B", "option C names others: 'Neither A nor B'"),
        ("A. x\nB. y\nC. (A) and (B) but not z", "option C names others: '(A) and (B) but not z'"),
        ("A. x\nB. the same as option A", "option B names others: 'the same as option A'"),
        ("1) x\n2) y\n3) 1 and 2", "option 3 names others: '1 and 2'"),
        ("A. x\nB. all of the above\nC. y", "option B is not the last: 'all of the above'"),
        ("A. x\nmore x\nB. y", "option A reaches over several lines"),
        ("A. x\nB. y\nand more of it", "option B seems to go on in the next line"),
        ("A. x\nB. none of the above", "fewer than two options can move"),
        ("A. x\nB. x\nC. x\nD. none of the above\nAnswer: B", "all options are the same"),
        ("A. x\nB. y\nC. both a and (b)", "option C names others: 'both a and (b)'"),
        ("A. x\nB. y\nC. a & b", "option C names others: 'a & b'"),
        ("A. x\nB. y\nC. neither a nor b", "option C names others: 'neither a nor b'"),
        ("(a) x\n(b) y\n(c) All but (a)", "option c names others: 'All but (a)'"),
        ("(a) x\n(b) y\n(c) (a) but not (b)", "option c names others: '(a) but not (b)'"),
        ("(a) x\n(b) y\n(c) None of (a) to (b)", "option c names others: 'None of (a) to (b)'"),
        ("a) x\nb) y\nc) Both A and B", "option c names others: 'Both A and B'"),
        ("I. x\nII. y\nIII. i and ii only", "option III names others: 'i and ii only'"),
    ],
)
def test_what_is_refused(text, said):
    """The text stays, and the record says why."""
    record = perturb.apply(text, "option_shuffle")
    assert (record.text, record.status) == (text, "options refused")
    assert record.steps[0].note == {"refused": [said]}
    assert perturb.verify(record)
    relabelled = perturb.apply(text, "option_labels")
    assert (relabelled.status == "options refused") == ("names others" in said)


@pytest.mark.parametrize(
    "last",
    [
        "None of the above",
        "all of the above.",
        "None of these",
        "Both",
        "Neither is correct",
        "All options are right",
        "Both of the above",
        "None of the other options",
        "All of these are true",
        "None",
        "All are correct",
    ],
)
def test_what_stands_for_others_stays_last(last):
    text = f"A. x\nB. y\nC. z\nD. {last}\nE. none of them"
    for seed in range(20):
        record = perturb.apply(text, "option_shuffle", seed=seed)
        assert record.status == "changed"
        assert record.text.endswith(f"\nD. {last}\nE. none of them")
        assert sorted(record.text) == sorted(text)


@pytest.mark.parametrize(
    ("answer", "new"),
    [
        ("Answer: B", "Answer: C"),
        ("Answer: (B)", "Answer: (C)"),
        ("The answer is B.", "The answer is C."),
        ("Correct answer: B. blue", "Correct answer: C. blue"),
        ("Answer: A. So the answer is A.", "Answer: B. So the answer is B."),
        ("Answer B", "Answer C"),
        ("**Answer:** (B)", "**Answer:** (C)"),
        ("The correct option is: B", "The correct option is: C"),
        ("Answer B if unsure.", "Answer B if unsure."),
        ("Reply with the answer A, B or C.", "Reply with the answer A, B or C."),
        ("Answer:", "Answer:"),
        ("Answer: A, B or C", "Answer: A, B or C"),
        ("Answer: D", "Answer: D"),
        ("Answer: Bob", "Answer: Bob"),
    ],
)
def test_an_answer_in_the_text_follows(answer, new):
    text = f"Which?\nA. red\nB. blue\nC. green\n{answer}"
    record = perturb.apply(text, "option_shuffle:mode=rotate")
    assert record.text == f"Which?\nA. green\nB. red\nC. blue\n{new}"


def test_examples_have_answers_of_their_own():
    """Each question of a few-shot prompt is moved by itself; the note is about the last."""
    text = "A. one\nB. two\nAnswer: A\n\nA. red\nB. blue\nC. green\nAnswer:"
    record = perturb.apply(text, "option_shuffle")
    assert record.sites == record.units == record.steps[0].edits == 2
    assert record.text.startswith("A. two\nB. one\nAnswer: B\n\nA. ")
    assert [option[3] for option in record.steps[0].note["options"]] == [
        "red",
        "blue",
        "green",
    ]


def test_rotations_are_balanced():
    """Over n replicates each of n options stands once at each place."""
    text = "\n".join(f"{name}. option{name}" for name in "ABCDE") + "\nF. None of the above"
    records = [
        perturb.apply(text, "option_shuffle:mode=rotate", replicate=replicate)
        for replicate in range(5)
    ]
    for place in range(5):
        assert len({record.text.split("\n")[place] for record in records}) == 5
    assert [record.status for record in records] == ["changed"] * 4 + ["filtered"]
    assert all(record.text.endswith("F. None of the above") for record in records)
    assert all(map(perturb.verify, records))


@pytest.mark.slow
def test_every_order_is_as_likely():
    """N = 6000 draws among the 5 other orders of 3; each 1200 +- 5 sd, sd = sqrt(6000 * .2 * .8)."""
    texts = perturb.apply(["A. x\nB. y\nC. z"] * 6000, "option_shuffle", id=list(range(6000)))
    counts = {}
    for record in texts:
        counts[record.text] = counts.get(record.text, 0) + 1
    assert len(counts) == 5
    assert all(abs(count - 1200) < 5 * 31 for count in counts.values()), counts


@pytest.mark.slow
def test_equal_options_do_not_hide_the_change():
    """An order that only exchanges equal options is none."""
    for seed in range(50):
        assert perturb.apply("A. x\nB. x\nC. y", "option_shuffle", seed=seed).status == "changed"
    row = {"q": "Which?\nA. x\nB. x\nC. x\nAnswer: B", "answer": "B"}
    for seed in range(9):
        (made,) = perturb.augment([row], "option_shuffle", field="q", target="answer", seed=seed)
        assert (made["perturbation"]["status"], made["answer"]) == ("options refused", "B")


@pytest.mark.parametrize(
    ("text", "seen", "said"),
    [
        ("x\ny", {"y\nx"}, None),
        ("x\r\ny z\r\nnone of these", {"y z\r\nx\r\nnone of these"}, None),
        ("x\n\ny", {"x\n\ny"}, "option B is empty"),
        ("x\ny\n", {"x\ny\n"}, "option C is empty"),
        ("x\ny\nA and B", {"x\ny\nA and B"}, "option C names others: 'A and B'"),
        ("x", {"x"}, None),
    ],
)
def test_lines(text, seen, said):
    records = [perturb.apply(text, "option_shuffle:form=lines", seed=seed) for seed in range(9)]
    assert {record.text for record in records} == seen
    note = records[0].steps[0].note or {}
    assert note.get("refused") == (said and [said])


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("首都？\nA. 巴黎\nB. 伦敦", "首都？\nA. 伦敦\nB. 巴黎"),
        ("首都？(A)巴黎 (B)伦敦", "首都？(A)巴黎 (B)伦敦"),
        ("首都？ (A)巴黎 (B)伦敦", "首都？ (A)伦敦 (B)巴黎"),
        ("ما هي؟\nA) أحمر\nB) أزرق", "ما هي؟\nA) أزرق\nB) أحمر"),
        ("?\n1) क्षत्रिय\n2) re\u0301sume\u0301", "?\n1) re\u0301sume\u0301\n2) क्षत्रिय"),
        ("?\n(A) 👨‍👩‍👧‍👦\n(B) 👍🏽", "?\n(A) 👍🏽\n(B) 👨‍👩‍👧‍👦"),
    ],
)
def test_options_in_other_scripts(text, turned):
    """A label is a Latin letter or a digit, after white space; the options are in any script."""
    assert str(perturb.apply(text, "option_shuffle")) == turned


def test_labels_may_be_protected():
    """What lies between the options is not touched; an option that is protected holds all."""
    text = "Which?\nA. red\nB. blue 2\nAnswer: A"
    record = perturb.apply(text, "option_shuffle", protect="option_label")
    assert record.text == "Which?\nA. blue 2\nB. red\nAnswer: B"
    assert perturb.apply(text, "option_shuffle", protect="number").status == "protected"
    assert perturb.apply(text, "option_labels", protect="option_label").status == "protected"


@pytest.mark.slow
def test_other_steps_go_on_from_there():
    text = "Which?\nA. red\nB. blue\nC. green\nAnswer: C"
    steps = ["option_shuffle", "option_labels:numbering=digit,brackets=bracket", "char_swap:p=0.2"]
    for seed in range(20):
        record = perturb.apply(text, steps, seed=seed, protect="option_label")
        assert perturb.verify(record)
        assert record.restore() == text


@pytest.mark.parametrize(
    ("settings", "labels"),
    [
        ("numbering=digit,brackets=bracket", ["1)", "2)", "3)"]),
        ("numbering=lower,brackets=brackets", ["(a)", "(b)", "(c)"]),
        ("numbering=roman,brackets=dot", ["i.", "ii.", "iii."]),
        ("numbering=roman_upper,brackets=square", ["[I]", "[II]", "[III]"]),
        ("numbering=keep,brackets=brackets", ["(A)", "(B)", "(C)"]),
        ("numbering=digit,brackets=keep", ["1.", "2.", "3."]),
    ],
)
def test_labels(settings, labels):
    text = "Which?\nA. red\nB. blue\nC. green\nThe answer is (B)."
    record = perturb.apply(text, f"option_labels:{settings}")
    bare = labels[1].strip("()[].")
    lines = [f"{a} {b}" for a, b in zip(labels, ("red", "blue", "green"), strict=True)]
    assert record.text == "\n".join(["Which?", *lines, f"The answer is ({bare})."])
    assert options_of(record.text)[0][1] == ["red", "blue", "green"]


@pytest.mark.parametrize(
    ("listed", "new"),
    [
        ("Select A, B, or C.", "Select 1, 2, or 3."),
        ("Select A, B or C.", "Select 1, 2 or 3."),
        ("Reply with A/B/C", "Reply with 1/2/3"),
        ("Reply with (A), (B), or (C)", "Reply with (1), (2), or (3)"),
        ("One of A-C, please", "One of 1-3, please"),
        ("A to C", "1 to 3"),
        ("Vitamin A, B and D", "Vitamin A, B and D"),
    ],
)
def test_lists_of_labels_follow(listed, new):
    text = f"{listed}\nA. red\nB. blue\nC. green\n{listed}"
    made = perturb.apply(text, "option_labels:numbering=digit,brackets=keep").text
    assert made == f"{new}\n1. red\n2. blue\n3. green\n{new}"
    shuffled = perturb.apply(text, "option_shuffle").text
    assert shuffled.startswith(listed)
    assert shuffled.endswith(listed)


def test_labels_that_are_there_already_are_no_site():
    assert (
        perturb.apply("A. x\nB. y", "option_labels:numbering=upper,brackets=dot").status
        == "no site"
    )
    assert perturb.apply("A. x\nB. y", "option_labels:numbering=keep,brackets=keep").status


def test_labels_drawn_are_those_of_the_whole_text():
    """Questions of one text get labels of one kind, and never those that they had."""
    text = "A. x\nB. y\n\nA. u\nB. v"
    seen = set()
    for seed in range(60):
        first, second = perturb.apply(text, "option_labels", seed=seed).text.split("\n\n")
        assert first.replace("x", "u").replace("y", "v") == second
        assert first != "A. x\nB. y"
        seen.add(first)
    assert len(seen) > 10


# The property: after any of these steps, the answer names the content that it named before.

WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=6)
CONTENTS = st.lists(WORDS, min_size=2, max_size=8, unique=True)
LINES = "{}. {}", "({}) {}", "{}) {}", "[{}] {}"
MODES = "shuffle", "rotate"
RELABEL = [
    None,
    "option_labels:numbering=digit",
    "option_labels:numbering=lower",
    "option_labels:numbering=roman_upper",
]


@pytest.mark.slow
@given(
    CONTENTS,
    st.data(),
    st.sampled_from(LINES),
    st.sampled_from(MODES),
    st.sampled_from(RELABEL),
    st.integers(0, 9),
    st.integers(-(2**63), 2**63 - 1),
)
def test_the_label_of_an_answer_leads_to_its_content(
    contents, data, form, mode, relabel, replicate, seed
):
    gold = data.draw(st.integers(0, len(contents) - 1))
    label = string.ascii_uppercase[gold]
    lines = (form.format(*pair) for pair in zip(string.ascii_uppercase, contents, strict=False))
    text = "\n".join(["Which one?", *lines, "", f"Answer: {label}"])
    steps = [f"option_shuffle:mode={mode}", *filter(None, [relabel])]
    record = perturb.apply(text, steps, seed=seed, replicate=replicate)
    after = [step.note for step in record.steps if "options" in (step.note or {})]
    if not after:  # an option such as "none" stands for others
        assert record.text == text
        return
    ((names, now),) = options_of(record.text)
    assert sorted(now) == sorted(contents)
    for said, named in ((label, str.strip), (f"({label.lower()}).", lambda new: new.strip("()."))):
        new = named(follow(said, after, text))
        wanted = {name.lower(): content for name, content in zip(names, now, strict=True)}
        assert wanted[new.lower()] == contents[gold]
    assert now[follow(gold, after, text)] == contents[gold]
    assert follow(contents[gold], after, text) == contents[gold]
    assert record.text.rpartition("Answer: ")[2] == follow(label, after, text)


@pytest.mark.slow
@given(CONTENTS, st.data(), st.sampled_from(MODES), st.integers(0, 9), st.booleans(), st.booleans())
def test_the_answer_in_a_row_of_choices_follows(contents, data, mode, replicate, anchor, typos):
    """Lists: by label, by number and by text, with typos in the options or without."""
    choices = [*contents, "none of the above"] if anchor else contents
    gold = data.draw(st.integers(0, len(choices) - 1))
    steps = [f"option_shuffle:mode={mode},form=lines", *(["char_replace:p=0.3"] if typos else [])]
    for answer in (string.ascii_uppercase[gold], gold, choices[gold]):
        row = {"id": "r", "choices": choices, "answer": answer}
        *_, made = perturb.augment(
            [row], steps, field="choices", target="answer", replicates=replicate + 1
        )
        new = made["answer"]
        assert type(new) is type(answer)
        note = next(records_in(made)).steps[0].note or {}
        place = note["options"][gold][2] if "options" in note else gold
        if not typos:
            assert made["choices"][place] == choices[gold]
            assert sorted(made["choices"]) == sorted(choices)
        if isinstance(answer, int):
            assert new == place
        elif answer in choices:
            assert new == made["choices"][place]
        else:
            assert new == string.ascii_uppercase[place]
        if anchor and not typos:
            assert made["choices"][-1] == "none of the above"
