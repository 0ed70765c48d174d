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
    ("B because A is wrong", 1),
    ("B, since A is wrong", 1),
    ("B\n\nExplanation: A is in Italy.", 1),
    ("A is wrong, so B.", 1),
    ("A is incorrect. B is correct.", 1),
    ("(B) is correct; (A) is not.", 1),
    ("B is the correct answer.", 1),
    ("Correct: B", 1),
    ("The correct choice: B", 1),
    ("I'd say B.", 1),
    ("Probably B", 1),
    ("I think the answer is A... wait, no. The answer is B.", 1),
    ("The answer isn't A; it's B.", 1),
    ("Option A is wrong. Option C is wrong. So it is option B.", 1),
    ("<B>", 1),
    ("'B'", 1),
    ("A: B", 1),
    ("<think>A or C?</think><answer>B</answer>", 1),
    ('{"answer": "B"}', 1),
    (r"$\boxed{\textbf{(B) } Paris}$", 1),
    ("Second", 1),
    ("La respuesta correcta es B.", 1),
    ("Die Antwort ist (b).", 1),
    ("Réponse : B", 1),
    ("La risposta è B", 1),
    ("Ответ: B", 1),
    ("正确答案是B。", 1),
    ("答案：Ｂ或B", None),
    ("答えはBです", 1),
    ("정답: B", 1),
    ("I don't think the answer is B.", None),
    ("I don't think it is B.", None),
    ("I can't tell whether B is correct.", None),
    ("It's not B", None),
    ("B is wrong.", None),
    ("A or B", None),
    ("I, as a model, can't answer.", None),
    ("I - as a model - can't answer.", None),
    ("So a capital it is.", None),
    ("The best is a mix of both.", None),
    ("Only one is correct.", None),
    ("A for effort", None),
    ("a - b = 3", None),
    ("Antwort: Keine", None),
    ("Answer: E", None),
    ("The right to vote is a good thing.", None),
    ("Answer: A, B", None),
    ("Answer: B/C", None),
    ("The answer is (A) and (C).", None),
    ("The answer is either A or B.", None),
    ("A and B are correct.", None),
    ("Answer: B, a city", 1),
    ("b?", 1),
    ("Answer B", 1),
    (r"Answer: \(B\)", 1),
    ("The answer is:\n\n**(B) Paris**", 1),
    ("I was going to answer A, but the answer should be B.", 1),
    ("Choose A? No, choose B.", 1),
    ("The correct answer is not among the options.", None),
    ("Step 1: A is wrong. Step 2: C is wrong. Step 3: B remains.", None),
    ("Option A is Rome, B is Paris. The question asks for France, so Paris.", 1),
    ("I think Rome, no, I think Oslo.", 2),
    ("I don't think Oslo.", None),
    ("It is not Oslo.", None),
    ("It's Oslo, not the others.", 2),
    ("Option A is in Italy, B in France. So the answer must be Paris.", 1),
]


@pytest.mark.parametrize(("said", "place"), READ)
def test_replies(said, place):
    assert chosen_option(said, OPTIONS) == place


@pytest.mark.parametrize("part", ["so ", "I think ", "correct is ", "a" + " " * 9, "<answer>"])
def test_long_replies_take_linear_time(part):
    """What is quadratic takes half a minute here."""
    chosen_option(part * 10_000, OPTIONS)


ROMAN = Options(("i", "ii", "iii", "iv", "v"), ("Rome", "Paris", "Oslo", "Bern", "Kyiv"))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("ii", 1),
        ("IV.", 3),
        ("V", 4),
        ("The answer is i.", 0),
        ("The answer is (iii) because (i) is wrong.", 2),
        ("I think it is v.", 4),
        ("I believe iii", 2),
        ("iv because the others are capitals of larger countries", 3),
        ("I would say (iv).", 3),
        ("2", 1),
        ("b", 1),
        ("I don't know.", None),
    ],
)
def test_replies_with_roman_labels(said, place):
    assert chosen_option(said, ROMAN) == place


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Q?\nA. one thing\nB. two", ("A", "B")),
        ("Q?\n[i] x\n[ii] y\n[iii] z", ("i", "ii", "iii")),
        ("Q? (1) x (2) y", ("1", "2")),
        ("1. First question\n2. Second\n", ("1", "2")),
        ("Q?\n- a) x\n- b) y", ("a", "b")),
        ("Q?\nOptions:\n- x\n- y\n- z\nAnswer:", ("A", "B", "C")),
        ("CHOICES ::\n\n* x\n\n* y", ("A", "B")),
        ("Facts:\n- x\n- y", None),
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


def test_equal_options_agree_whatever_their_labels(linked):
    """The option is the answer, not its label."""
    rows = [{"id": "1", "text": QUESTIONS[0], "prediction": "B", "answer": "B"}]
    moved = "Q?\ni) Perth\nii) Sydney\niii) Canberra"
    rows.append(linked("1", text=moved, prediction="iii", answer="iii"))
    rows[1]["perturbation"].update(original=QUESTIONS[0], answer={"field": "answer"}, edits=[])
    found = score(rows, match="choice").overall[0].comparison
    assert (found.perturbed_mean, found.consistency) == (1, 100)


def test_the_examples_of_the_docstrings():
    for name in ("choice", "matches", "numbers", "boxed", "conditions", "gate", "metric"):
        module = importlib.import_module(f"perturb.robustness.scoring.{name}")
        failed, tried = doctest.testmod(module)
        assert tried >= 1
        assert not failed
