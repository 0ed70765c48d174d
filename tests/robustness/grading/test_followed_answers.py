"""A right answer that the edits of its row left behind is never compared in silence."""

import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError
from perturb.robustness.grading.choice import by_choice, mapping

CHOICES = ["Moon", "Mars", "Sun", "Ceres"]
QUESTION = "Which is a planet?\n" + "\n".join(
    f"{label}) {text}" for label, text in zip("ABCD", CHOICES, strict=True)
)


def answered(field, text, answer, says, **options):
    """30 questions with their shuffled versions, and what a system says that is always right."""
    rows = [{"id": str(at), field: text, "answer": answer} for at in range(30)]
    noisy = perturb.augment(
        rows, "option_shuffle", field=field, with_original=True, seed=1, **options
    )
    return [{**row, "prediction": says(row[field])} for row in noisy]


def label_of_mars(options):
    if isinstance(options, list):
        return "ABCD"[options.index("Mars")]
    return next(line[0] for line in options.splitlines() if line.endswith("Mars"))


def number_of_mars(options):
    return options.index("Mars")


WAYS = [
    ("choices", CHOICES, "B", label_of_mars),
    ("choices", CHOICES, 1, number_of_mars),
    ("text", QUESTION, "B", label_of_mars),
]


@pytest.mark.parametrize(("field", "text", "answer", "says"), WAYS)
def test_an_answer_that_stayed_behind_is_refused(field, text, answer, says) -> None:
    with pytest.raises(DataError, match=r"'answer' is that of the original.* --target answer"):
        perturb.robustness.score(answered(field, text, answer, says))


@pytest.mark.parametrize(("field", "text", "answer", "says"), WAYS)
def test_one_that_followed_is_judged(field, text, answer, says) -> None:
    rows = answered(field, text, answer, says, target="answer")
    assert perturb.robustness.score(rows).overall[0].comparison.perturbed_mean == 1


@pytest.mark.parametrize("target", [{"target": "answer"}, {}])
@pytest.mark.parametrize("first", ["0", "1"])
def test_an_answer_counts_from_the_first_label(first, target) -> None:
    """As those of MedMCQA's own files count from 1, and those of its copies from 0."""
    rows = [
        {"id": str(at), "text": "Which is a planet?", "options": CHOICES, "answer": 1 + int(first)}
        for at in range(30)
    ]
    noisy = perturb.augment(
        rows, "option_shuffle", with_original=True, choices=f"{first}=options", **target
    )
    said = [{**row, "prediction": str(row["options"].index("Mars") + int(first))} for row in noisy]
    assert {row["options"].index("Mars") for row in said} == set(range(4))
    made = perturb.robustness.score(said, match="choice").overall[0].comparison
    assert (made.clean_mean, made.perturbed_mean) == (1, 1)


@pytest.mark.parametrize("options", [{"against": "original"}, {"match": "choice"}])
@pytest.mark.parametrize(("field", "text", "answer", "says"), [WAYS[0], WAYS[2]])
def test_what_looks_the_option_up_needs_no_target(field, text, answer, says, options) -> None:
    """Whether the options are lines of a question or items of a list."""
    rows = answered(field, text, answer, says)
    assert perturb.robustness.score(rows, **options).overall[0].comparison.perturbed_mean == 1


def test_an_answer_that_names_no_label_stays_right() -> None:
    rows = answered("choices", CHOICES, "Mars", lambda options: "Mars")
    assert perturb.robustness.score(rows).overall[0].comparison.perturbed_mean == 1


def test_a_name_that_was_swapped_is_refused_and_others_are_not() -> None:
    text = "Tom paid Ann 3 dollars in Paris."
    for answer, is_refused in (("Tom", True), ("3", False)):
        row = {"id": "1", "text": text, "answer": answer}
        (noisy,) = perturb.augment([row], "name_swap", p=1)
        rows = [{**one, "prediction": answer} for one in (row, noisy)]
        if is_refused:
            with pytest.raises(DataError, match="'Tom' in 'answer'"):
                perturb.robustness.score(rows)
        else:
            assert perturb.robustness.score(rows).overall[0].comparison.perturbed_mean == 1


def test_what_was_said_to_stay_is_judged_as_it_is() -> None:
    rows = answered("choices", CHOICES, "B", label_of_mars, expect="same")
    assert perturb.robustness.score(rows).overall[0].comparison.perturbed_mean < 1


def test_a_table_is_refused_with_its_line(tmp_path, capsys) -> None:
    source, noisy = tmp_path / "in.csv", tmp_path / "noisy.csv"
    question = QUESTION.replace("\n", " ")
    rows = "".join(f"{at},{question},B,B\n" for at in range(9))
    source.write_text(f"id,text,answer,prediction\n{rows}", "utf-8")
    given = ["--with-original", "-i", str(source), "-o", str(noisy)]
    assert main(["apply", "option_shuffle", *given]) == 0
    assert main(["score", str(noisy)]) == 1
    assert "noisy.csv:3: the right answer 'B' in 'answer'" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["key", None])
@pytest.mark.parametrize(
    ("shape", "choices"),
    [
        ({"text": ["a rock", "a tree", "a lamp"], "label": ["A", "B", "C"]}, "c.text"),
        ({"A": "a rock", "B": "a tree", "C": "a lamp"}, "c"),
        (["a rock", "a tree", "a lamp"], "c"),
    ],
)
def test_options_in_fields_of_their_own(shape, choices, target) -> None:
    """A reply by text or by label is read among the options that the row has now."""
    row = {"id": "q", "c": shape, "key": "B"}
    for seed in range(5):
        (made,) = perturb.augment(
            [row], "option_shuffle", choices=choices, target=target or (), seed=seed
        )
        texts = made["c"]["text"] if choices == "c.text" else [*options_of(made["c"])]
        label = "ABC"[texts.index("a tree")]
        for said, score in (("a tree", 1.0), (f"({label})", 1.0), ("a lamp", 0.0)):
            assert by_choice({**made, "reply": said}, "reply", "key")[0] == score
        assert mapping(made)("B") == label


def options_of(held):
    return held.values() if isinstance(held, dict) else held
