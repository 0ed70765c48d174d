"""Labels of conditions: what the caller typed or named, in ids that tell all versions apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.plan.parts import conditions_of, shortened


def labels(steps, **strength):
    return [condition.label for condition in conditions_of(steps, strength)]


@pytest.mark.parametrize(
    ("steps", "strength", "label"),
    [
        ("ocr", {}, "ocr"),
        ("ocr", {"p": 0.05}, "ocr:p=0.05"),
        ("ocr:p=.05", {}, "ocr:p=.05"),
        ("keyboard_typos:layout=de", {"p": 0.1}, "keyboard_typos:layout=de,p=0.1"),
        ("qwerty", {"p": 0.1}, "qwerty:p=0.1"),
        (["ocr", "case:p=1"], {"p": 0.2}, "ocr:p=0.2 case:p=1"),
        (("ocr:p=.05", "case"), {"p": 0.2}, "ocr:p=.05 case:p=0.2"),
        ("ocr   case", {"severity": 2}, "ocr:severity=2 case:severity=2"),
        ("noisy=ocr:p=0.1 case:p=1", {}, "noisy"),
        ('"very noisy"=ocr', {"p": 0.1}, "very noisy"),
        ("noisy=one_of(ocr:p=1 | case:p=1)", {}, "noisy"),
        ("one_of(ocr | case)", {}, "one_of(ocr | case)"),
        # A strength stands in the branches, so the label is what the steps are now.
        ("sometimes(0.5, ocr) case", {"p": 0.1}, "sometimes(0.5, ocr:p=0.1) case:p=0.1"),
        ("weave.split_merge_words ocr", {"p": 0.1}, "weave.split_merge_words ocr:p=0.1"),
        (perturb.steps.ocr(p=0.1), {}, "ocr:p=0.1"),
        ({"name": "ocr", "p": 0.1}, {}, "ocr:p=0.1"),
    ],
)
def test_a_condition_is_called_what_the_caller_typed(steps, strength, label) -> None:
    assert labels(steps, **strength) == [label]


def test_strengths_of_a_grid_tell_its_labels_apart() -> None:
    grid = perturb.grid(["ocr", "noisy=case", "yz_swap:p=1"], p=[0.1, 0.2])
    assert labels(grid) == [
        *("ocr:p=0.1", "ocr:p=0.2", "noisy:p=0.1", "noisy:p=0.2", "yz_swap:p=1"),
    ]


def test_branches_of_a_grid_are_read_with_their_labels() -> None:
    """A label in quotes, one that steps have, and white space around either."""
    grid = 'grid( "very noisy"=ocr  |b=sometimes(0.5, case)| yz_swap   ocr )'
    assert labels(grid, p=0.1) == ["very noisy", "b", "yz_swap:p=0.1 ocr:p=0.1"]
    assert labels(" grid(one_of(ocr:p=1 | case:p=1) )") == ["one_of(ocr:p=1 | case:p=1)"]


@given(st.text() | st.text("ab \n", min_size=40, max_size=60))
def test_a_label_stays_short_and_on_one_line(text) -> None:
    label = shortened(text)
    assert len(label) <= 48
    assert label == " ".join(label.split()) == shortened(label)
    if len(" ".join(text.split())) <= 48:
        assert label == " ".join(text.split())


def test_long_labels_that_begin_alike_are_told_apart() -> None:
    steps = " ".join(["keyboard_typos:p=0.05", "ocr:p=0.05", "word_swap:p=0.01"])
    one, other = (shortened(f"{steps} case:p={p}") for p in (0.1, 0.2))
    assert one[:39] == other[:39]
    assert one != other
    assert one[-9] == "~"


@pytest.mark.parametrize("end", ["", " ", ",", ":", ", ", ": ,"])
def test_a_long_label_is_not_cut_behind_a_mark(end) -> None:
    begin = "x" * (39 - len(end)) + end
    assert shortened(begin + "y" * 40).rpartition("~")[0] == "x" * (39 - len(end))


def test_two_conditions_of_one_label_are_refused() -> None:
    with pytest.raises(perturb.UsageError, match=r"two conditions have the same label; .*got a, a"):
        next(perturb.augment([{"text": "a"}], perturb.grid(["a=ocr", "a=case"])))


def test_ids_of_versions() -> None:
    """The id of the original, its condition, and from the second on the number."""
    rows = [{"id": "q#1", "text": "some words here"}]
    made = list(
        perturb.augment(rows, perturb.grid(["ocr", "n=case"]), replicates=3, with_original=True)
    )
    assert [row["id"] for row in made] == [
        "q#1",
        *("q#1#ocr", "q#1#ocr#1", "q#1#ocr#2"),
        *("q#1#n", "q#1#n#1", "q#1#n#2"),
    ]
    for row in made:
        assert row["perturbation"]["original_id"] == "q#1"
        assert perturb.restored(row) == rows[0]
    texts = [perturb.apply("some words here", "ocr", id="q#1", replicate=n) for n in range(3)]
    assert [one.id for one in texts] == ["q#1#ocr", "q#1#ocr#1", "q#1#ocr#2"]
    assert [one.text for one in texts] == [row["text"] for row in made[1:4]]
