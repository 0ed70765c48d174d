"""What becomes of the right answer, row by row."""

import pytest

import perturb

TEXT = "Anna can't sell 12 eggs to Peter."
# What a step declares, as `perturb.describe` says it.
SAME, MAPPED, OTHER = "keyboard_typos", "option_shuffle", "antonym"


def made(expect, name):
    """A step that acts on every text, and declares this."""
    return perturb.from_function(name, lambda text: f"{text} {name}", expect=expect)


STEPS = {
    word: made(word, f"is_{word}") for word in ("same", "mapped", "other", "abstain", "unknown")
}
COMPOSED = {
    ("same", "same"): "same",
    ("same", "mapped"): "mapped",
    ("mapped", "mapped"): "mapped",
    ("same", "other"): "other",
    ("same", "unknown"): "unknown",
    ("mapped", "other"): "unknown",
    ("other", "unknown"): "unknown",
    ("same", "abstain"): "abstain",
    ("mapped", "abstain"): "abstain",
    ("abstain", "other"): "unknown",
}


@pytest.mark.parametrize(("words", "wanted"), COMPOSED.items())
def test_steps_that_act_compose(words, wanted) -> None:
    for order in (words, words[::-1]):
        steps = [STEPS[word] for word in order]
        assert perturb.apply(TEXT, steps, p=1).expect == wanted


def test_a_step_that_does_nothing_says_nothing() -> None:
    """Nor does one that the others undo."""
    steps = [STEPS["same"], perturb.from_regex("digits_only", r"x\d", "", expect="other")]
    assert perturb.apply(TEXT, steps, p=1).expect == "same"
    assert perturb.apply(TEXT, STEPS["other"], p=0).expect == "same"
    chances = perturb.apply([TEXT] * 2, perturb.sometimes(0.5, STEPS["other"]), p=1, id=range(2))
    several = perturb.apply(
        [TEXT] * 40, perturb.sometimes(0.5, STEPS["other"]), p=1, id=list(range(40))
    )
    assert {(one.status, one.expect) for one in several} == {
        *{("changed", "other"), ("not taken", "same")},
    }
    assert len(chances) == 2


def rows(steps, row=None, **options):
    return list(perturb.augment([row or {"id": "a", "text": TEXT}], steps, **options))


def test_the_caller_has_the_last_word() -> None:
    """Where something changed; for all conditions, or by label."""
    steps = perturb.grid(["ocr:p=0.5", "noisy=keyboard_typos:p=0.5", "identity"])
    assert [one["perturbation"]["expect"] for one in rows(steps)] == ["same"] * 3
    said = rows(steps, expect="unknown")
    assert [one["perturbation"]["expect"] for one in said] == ["unknown", "unknown", "same"]
    said = rows(steps, expect={"noisy": "other"}, with_original=True)
    assert [one["perturbation"]["expect"] for one in said] == ["same", "same", "other", "same"]
    assert all(map(perturb.verify, said))


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("equal", "expect must be one of same, mapped, other, abstain, unknown"),
        ({"x": "same"}, "names no cond"),
    ],
)
def test_an_unknown_word_is_refused(expect, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        rows("ocr", expect=expect)


def test_a_span_whose_own_text_changed_is_mapped() -> None:
    """One that merely moved is as it was."""
    row = {"id": 1, "text": "the lazy dog", "spans": [[4, 8]]}
    for steps, wanted in (
        ("yz_swap:p=1", "mapped"),
        (perturb.from_regex("longer", "the", "over the", expect="same"), "same"),
        (perturb.from_regex("ending", "dog", "dogs", expect="same"), "same"),
    ):
        (found,) = rows(steps, row, p=None if isinstance(steps, str) else 1, spans="spans")
        assert found["perturbation"]["expect"] == wanted
        assert (
            rows(steps, row, p=None if isinstance(steps, str) else 1)[0]["perturbation"]["expect"]
            == "same"
        )


def test_an_answer_that_follows_is_mapped_and_else_the_declared_word_holds() -> None:
    row = {"id": 1, "text": "Anna met Peter. Who met Peter?", "gold": "Anna", "other": "nobody"}
    (followed,) = rows("name_swap:p=1", row, target="gold")
    assert followed["gold"] != "Anna"
    assert followed["perturbation"]["expect"] == "mapped"
    (untouched,) = rows("keyboard_typos:p=0.5", row, target="gold")
    assert untouched["perturbation"]["expect"] == "same"
