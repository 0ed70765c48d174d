import doctest
import importlib

import pytest

import perturb
from perturb.robustness import score
from perturb.robustness.scoring.choice import Options, by_choice, chosen_option, options_of

OPTIONS = Options(tuple("ABCD"), ("Rome", "Paris", "Oslo", "None of the above"))
READ = [
    ("b", 1),
    ("(B)", 1),
    ("**B**", 1),
    ("Answer: b", 1),
    ("ANSWER - B", 1),
    (r"so \boxed{\text{B}}", 1),
    (r"\boxed{B. Paris}", 1),
    ("It is B.", 1),
    ("The answer is B, not C. Option A would need more.", 1),
    ("The correct answer is **B**.", 1),
    ("Answer: option (b)", 1),
    ("B) because A is wrong", 1),
    ("I would go with C, as A and B are in the south.", 2),
    ("the second option", 1),
    ("Answer: 2", 1),
    ("Answer: ii", 1),
    ("Paris", 1),
    ("The answer is Paris.", 1),
    ("That would be paris!", 1),
    ("None of the above.", 3),
    ("The answer is a city in Norway.", None),
    ("I think a capital is in the north.", None),
    ("Rome or Paris, I don't know.", None),
    ("The answer is not A but B.", None),
    ("Neither A nor B.", None),
    ("", None),
]


@pytest.mark.parametrize(("said", "place"), READ)
def test_replies(said, place):
    assert chosen_option(said, OPTIONS) == place


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Q?\nA. one thing\nB. two", ("A", "B")),
        ("Q?\n[i] x\n[ii] y\n[iii] z", ("i", "ii", "iii")),
        ("Q? (1) x (2) y", ("1", "2")),
        ("1. First question\n2. Second\n", ("1", "2")),
        ("Q?\n- a) x\n- b) y", ("a", "b")),
        ("No options. A dog.", None),
        ("B. x\nC. y", None),
    ],
)
def test_options(question, labels):
    found = options_of(question)
    assert (None if found is None else found.labels) == labels


QUESTIONS = (
    "What is the capital of Australia?\nA. Sydney\nB. Canberra\nC. Perth\nD. Hobart\nAnswer:",
    "Question: Capital of Australia?\nOptions:\n(a) Sydney\n(b) Canberra\n(c) Perth\nAnswer:",
    "Capital of Australia? A. Sydney B. Canberra C. Perth D. Hobart",
)
SAID = (
    "{label}",
    "The answer is {label}.",
    r"I think \boxed{{{label}}}",
    "{label}. {text}",
    "It is {text}, of course.",
    "Answer: ({label}) {text}",
)


@pytest.mark.parametrize("step", ["option_shuffle", "option_labels", "prompt_format"])
@pytest.mark.parametrize("followed", [True, False])
def test_a_perfect_system_is_right_in_every_way_of_writing(step, followed):
    """20 versions of each question, each said in six ways; with the answer moved along and not."""
    for question in QUESTIONS:
        rows = [{"id": "1", "question": question, "answer": "B"}]
        options = {"target": "answer"} if followed else {}
        made = [
            row
            for seed in range(20)
            for row in perturb.augment(rows, step, p=1.0, field="question", seed=seed, **options)
        ]
        for row in [*rows, *made]:
            found = options_of(row["question"])
            assert found is not None, row["question"]
            place = found.texts.index("Canberra")
            for form in SAID:
                said = form.format(label=found.labels[place], text="Canberra")
                graded = by_choice({**row, "prediction": said}, "prediction", "answer")
                assert graded == (1.0, "Canberra"), (row["question"], said)


def test_equal_options_agree_whatever_their_labels(linked):
    """The option is the answer, not its label."""
    rows = [{"id": "1", "text": QUESTIONS[0], "prediction": "B", "answer": "B"}]
    moved = "Q?\ni) Perth\nii) Sydney\niii) Canberra"
    rows.append(linked("1", text=moved, prediction="iii", answer="iii"))
    rows[1]["perturbation"].update(original=QUESTIONS[0], answer={"field": "answer"}, edits=[])
    found = score(rows, match="choice").overall[0].comparison
    assert (found.perturbed_mean, found.consistency) == (1, 100)


def test_the_examples_of_the_docstrings():
    for name in ("choice", "matches", "boxed", "conditions", "gate", "metric"):
        module = importlib.import_module(f"perturb.robustness.scoring.{name}")
        failed, tried = doctest.testmod(module)
        assert tried >= 1
        assert not failed
