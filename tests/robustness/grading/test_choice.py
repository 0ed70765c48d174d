import json

import pytest

import perturb
from perturb.robustness import score
from perturb.robustness.grading.choice import by_choice
from perturb.robustness.grading.option_labels import options_of

QUESTIONS = (
    "What is the capital of Australia?\nA. Sydney\nB. Canberra\nC. Perth\nD. Hobart\nAnswer:",
    "Question: Capital of Australia?\nOptions:\n(a) Sydney\n(b) Canberra\n(c) Perth\nAnswer:",
    "Capital of Australia? A. Sydney B. Canberra C. Perth D. Hobart",
    "Question: Capital of Australia?\nOptions:\n- A. Sydney\n- B. Canberra\n- C. Perth\nAnswer:",
    "Q: Capital of Australia?\n[i] Sydney\n[ii] Canberra\n[iii] Perth\n[iv] Hobart\nA:",
    "Question: Capital of Australia?\nOptions:\n- Sydney\n- Canberra\n- Perth\nAnswer:",
)
TARGETS = ("B", "b", "B", "B", "ii", "Canberra")
SAID = (
    "{label}",
    "The answer is {label}.",
    r"I think \boxed{{{label}}}",
    "{label}. {text}",
    "It is {text}, of course.",
    "Answer: ({label}) {text}",
)


WAYS = {
    "option_labels": [
        f"numbering={numbering},brackets={brackets}"
        for numbering in ("upper", "lower", "digit", "roman", "roman_upper", "keep")
        for brackets in ("dot", "bracket", "brackets", "square", "keep")
    ],
    "option_shuffle": [f"mode={mode}" for mode in ("shuffle", "rotate")],
    "prompt_format": [
        f"casing={casing},marker={marker}"
        for casing in ("lower", "upper", "title", "keep")
        for marker in ("-", "*", "•", "+", "–", "·", "keep", "random")
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("followed", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_perfect_system_is_right_in_every_way_of_writing(name, followed):
    """Each way of writing options, each said in six ways; with the answer moved along and not.

    What is written at random, separators of fields and orders of options, is drawn twice.
    """
    for question, target in zip(QUESTIONS, TARGETS, strict=True):
        rows = [{"id": "1", "question": question, "answer": target}]
        options = {"target": "answer"} if followed and target != "Canberra" else {}
        made = [
            row
            for way in WAYS[name]
            for row in perturb.augment(
                rows, f"{name}:{way}", p=1.0, field="question", replicates=2, **options
            )
        ]
        for row in [*rows, *made]:
            found = options_of(row["question"])
            assert found is not None, row["question"]
            place = found.texts.index("Canberra")
            for form in SAID:
                said = form.format(label=found.labels[place], text="Canberra")
                graded = by_choice({**row, "prediction": said}, "prediction", "answer")
                assert graded == (1.0, "Canberra"), (row["question"], said)


@pytest.mark.slow
def test_the_score_of_a_perfect_system_is_one():
    """From the rows to the verdict: all ways in one grid, answers that count among the options."""
    questions = [
        {"id": str(at), "question": question, "answer": target}
        for at, (question, target) in enumerate(zip(QUESTIONS, TARGETS, strict=True))
    ]
    steps = ["option_shuffle", "option_labels", "prompt_format"]
    made = [
        row
        for at, step in enumerate(steps)
        for row in perturb.augment(
            questions, step, p=1.0, field="question", replicates=3, with_original=not at
        )
    ]
    for form in SAID:
        for row in made:
            found = options_of(row["question"])
            label = found.labels[found.texts.index("Canberra")]
            row["prediction"] = form.format(label=label, text="Canberra")
        (whole,) = [one for one in score(made, match="choice").overall if one.scope == "all"]
        assert (whole.comparison.clean_mean, whole.comparison.perturbed_mean) == (1, 1), form


def test_a_right_answer_that_is_no_option_is_one_more_where_the_record_says_so():
    row = {"text": "Which is better?", "options": ["Rome is old", "Paris is big"]}
    rows = [{**row, "id": at, "answer": right} for at, right in enumerate(("A", "B", "tie"))]
    options = {"field": "text", "choices": "options", "target": "answer", "with_original": True}
    noisy = [*perturb.augment(rows, "option_shuffle", fixed=("tie", "-1"), **options)]
    said = {"A": "The answer is A.", "B": "(B)", "tie": "It's a tie."}
    for right in (*said, "C"):
        graded = [by_choice({**row, "said": said.get(right)}, "said", "answer") for row in noisy]
        expected = [right in said and row["answer"] == right for row in noisy]
        assert [score == 1 for score, _ in graded] == expected
        assert {answer for _, answer in graded} <= {*row["options"], "tie", None}
    with pytest.raises(ValueError, match="holds no option"):
        by_choice({**noisy[0], "said": "A", "answer": "neither"}, "said", "answer")


def test_a_flag_for_each_option_is_a_right_answer():
    row = {"text": QUESTIONS[0], "right": [0, 1, 0, 0], "said": "The answer is B."}
    assert by_choice(row, "said", "right") == (1.0, "Canberra")
    assert by_choice({**row, "right": ["B"]}, "said", "right") == (1.0, "Canberra")
    for flags in ([0, 1, 1, 0], [0, 1, 0], ["A", "B"]):
        with pytest.raises(ValueError, match="holds no option"):
            by_choice({**row, "right": flags}, "said", "right")


def test_equal_options_agree_whatever_their_labels(linked):
    """The option is the answer, not its label."""
    rows = [{"id": "1", "text": QUESTIONS[0], "prediction": "B", "answer": "B"}]
    moved = "Q?\ni) Perth\nii) Sydney\niii) Canberra"
    edits = [(0, len(QUESTIONS[0]), moved)]
    rows.append(linked("1", original=QUESTIONS[0], edits=edits, expect="mapped",
                       prediction="iii", answer="iii"))  # fmt: skip
    rows[1]["perturbation"]["recipe"] = "typos@1:p=0.1 --target answer --contract 4"
    found = score(rows, match="choice").overall[0].comparison
    assert (found.perturbed_mean, found.consistency) == (1, 100)


@pytest.mark.parametrize("path", ["choices", "choices[*].text"])
def test_a_table_of_text_holds_lists_as_json(path):
    """Their options are read, and so is what edits touch: both were taken for left out."""
    colours = ["red", "blue", "green"]
    options = colours if path == "choices" else [{"text": colour} for colour in colours]
    questions = [
        {"id": str(at), "parts": [f"Which, {at}?"], "choices": options, "answer": "red"}
        for at in range(6)
    ]
    steps = perturb.grid(["option_shuffle", "char_delete:p=0.4"])
    made = perturb.augment(
        questions, steps, field="parts[*]", choices=path, target="answer", with_original=True
    )
    cells = []
    for row in made:
        flat = {f"perturbation.{name}": value for name, value in row["perturbation"].items()}
        lists = {name: json.dumps(row[name]) for name in ("parts", "choices")}
        cells.append({**row, **lists, **flat, "prediction": "It is red."})
        del cells[-1]["perturbation"]
    verdict = score(cells, match="choice")
    assert verdict.overall[0].comparison.perturbed_mean == 1
    assert not verdict.overall[0].comparison.quality.damage_unknown


def test_labels_that_noise_damaged_are_those_of_the_original():
    """A scan may leave "fC) Perth": whoever says C, or Perth, still means the third option."""
    text = "Capital of Australia?\nOptions:\n(A) Sydney\n(B) Canberra\n(C) Perth\n(D) Hobart"
    scan = perturb.from_function("scan", lambda text: text.replace("(C)", "fC)"))
    rows = [{"input": text, "target": f"({label})"} for label in "ABCD"]
    for options in ({"target": "target"}, {}):
        made = perturb.augment(rows, scan, p=1.0, field="input", **options)
        for right, row in enumerate(made):
            said = [
                by_choice(row | {"prediction": reply}, "prediction", "target")
                for reply in ("A", "(B)", "It is Perth.", "The answer is D.")
            ]
            grades = [float(place == right) for place in range(4)]
            texts = ["Sydney", "Canberra", "Perth", "Hobart"]
            assert said == [*zip(grades, texts, strict=True)]


def test_labels_that_noise_damaged_count_where_options_moved():
    """With their texts moved and their labels damaged, the labels are what is still known."""
    text = "Capital of Australia?\nOptions:\n(A) Sydney\n(B) Canberra\n(C) Perth\n(D) Hobart"
    scan = perturb.from_function("scan", lambda text: text.replace("(C)", "fC)"))
    steps = ["option_shuffle:p=1,mode=rotate", scan]
    rows = [{"input": text, "target": f"({label})"} for label in "ABCD"]
    for row in perturb.augment(rows, steps, p=1.0, field="input", target="target"):
        said = {
            reply: by_choice(row | {"prediction": reply}, "prediction", "target")[0]
            for reply in "ABCD"
        }
        assert said == {reply: float(f"({reply})" == row["target"]) for reply in "ABCD"}
