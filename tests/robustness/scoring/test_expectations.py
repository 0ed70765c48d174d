"""Rows whose right answer should or may be another one: findings of their own, in no average."""

import pytest

from perturb.errors import UsageError
from perturb.robustness import compare, flips, score
from perturb.robustness.tables.gate import gated, rule_of

METRICS = {"correct": {"threshold": 0.5}}


def judged(rows):
    return score(rows, metrics=METRICS)


def names(found):
    return {one.name: one.comparison.rows for one in found.conditions if one.scope == "all"}


@pytest.fixture
def rows(linked):
    """Typos break one in five; who rightly follows antonyms scores nothing under them."""
    made = [{"id": str(at), "correct": True} for at in range(100)]
    made += [linked(at, correct=at % 5 > 0) for at in range(100)]
    made += [linked(at, "antonym", 1.0, expect="other", correct=False) for at in range(90)]
    made += [linked(at, "antonym", 1.0, status="no site", correct=True) for at in range(90, 100)]
    return made


@pytest.mark.slow
def test_they_are_a_finding_judged_by_the_reaction(rows):
    found, alone = judged(rows), judged(rows[:200])
    assert names(found) == {"antonym p=1 (expect other)": 100, "typos p=0.1": 100}
    other, typos = (one for one in found.conditions if one.scope == "all")
    assert (other.verdict, other.reason, other.p_adjusted) == ("sensitive", "", None)
    assert (other.difference, other.reaction.reacting) == (pytest.approx(0.8), 90)
    assert other.reaction.control == "typos p=0.1"
    assert (typos, *found.overall) == (alone.conditions[0], *alone.overall)
    said = "Breaks under typos p=0.1 (-0.200). Sensitive under antonym p=1 (+0.800). Overall from "
    assert found.sentence.startswith(said)
    assert found.sentence.endswith(
        "A reaction of at least 0.1 counts: 1.000 of the answers change, 0.200 under typos p=0.1 "
        "(+0.800, 95 % interval +0.698 to +0.874; 90 originals)."
    )
    assert "Of 2" not in found.sentence


def test_without_a_control_nothing_tells_what_any_edit_does(rows):
    sentence = judged([*rows[:100], *rows[200:]]).sentence
    assert sentence == (
        "Cannot judge antonym (expect other): beside no control the reaction is +1.000, but any "
        "edit may do that: perturb also by what keeps the answer, with as many edits (1.0 a row), "
        "such as keyboard_typos:count=1."
    )


def test_rows_of_one_noise_are_parted_by_it(linked, rows):
    """Of several kinds, an unedited row is of those whose answer is kept, as its own is."""
    mixed = [row for at in range(100) for row in (
        linked(at, "swap", expect="mapped" if at % 2 else "same", correct=True),
        linked(at, "swap", replicate=1, expect="unknown", correct=True),
        linked(at, "swap", replicate=2, status="no site", correct=True),
    )]  # fmt: skip
    assert names(judged([*rows[:100], *mixed])) == {
        "swap p=0.1": 200,
        "swap p=0.1 (expect unknown)": 100,
    }


def test_what_cannot_be_judged_says_why_once(linked):
    """Of two noises at a count each, neither judged, and no right answer at all."""
    rows = [{"id": str(at), "correct": False} for at in range(40)]
    for count in (1, 3):
        rows += [linked(at, steps=f"typos@1:count={count}", correct=False) for at in range(40)]
    rows += [linked(at, "antonym", 1.0, expect="other", correct=False) for at in range(40)]
    rows += [linked(at, "word_delete", 0.1, expect="unknown", correct=False) for at in range(40)]
    found = judged(rows)
    why = "no original is answered correctly: there is nothing to lose"
    assert found.sentence.startswith(
        "Insensitive under antonym p=1 (+0.000). Cannot judge typos count=1 and typos count=3: "
        f"{why}. Cannot judge word_delete (expect unknown): what becomes of the right answer is not "
        "known: say it where it is perturbed, with --expect LABEL=same, mapped, other or abstain. A reaction "
    )
    printed = " ".join(str(found).split())
    assert printed.count(why) == printed.count("expect unknown)") - 1 == 1
    assert printed.count("is not known") == 1
    conditions = gated(found)
    for name in ("typos", "typos@3", "typos count=3"):
        assert len(rule_of(f"{name}: drop>0.1").checked(conditions)) == 1 + (name == "typos")


def test_their_flips_are_no_problems(rows):
    assert {one.perturbator for one in flips(rows, METRICS)} == {"typos"}


@pytest.mark.slow
def test_a_rule_about_every_condition_is_not_about_them(rows):
    conditions = gated(judged(rows))
    checked = rule_of("drop>0.9").checked(conditions)
    assert [(one.condition, one.failure) for one in checked] == [
        ("typos p=0.1", ""),
        ("overall", ""),
    ]
    for text, failure in (("reaction<0.95", "is at most 0.8"), ("reaction<0.7", "")):
        for rule in (text, f"antonym p=1 (expect other): {text}"):
            (own,) = rule_of(rule).checked(conditions)
            assert own.condition.startswith("antonym")
            assert failure in own.failure
    (own,) = rule_of("reaction<0.1").checked(gated(judged([*rows[:100], *rows[200:]])))
    assert "cannot be judged: beside no control" in own.failure
    with pytest.raises(
        UsageError, match="no condition has a reaction to judge; there are difference, low, "
    ):
        rule_of("reaction<0.1").checked(gated(judged(rows[:200])))


@pytest.mark.slow
def test_of_two_systems_too(rows):
    found = compare(rows, rows, metrics=METRICS)
    assert [(one.condition, one.reason) for one in found.conditions] == [
        ("antonym p=1 (expect other)", ""),
        ("typos p=0.1", ""),
    ]
    assert found.overall[0].rows == 100
    (alone,) = compare(rows[:100] + rows[200:], rows[:100] + rows[200:], metrics=METRICS).overall
    assert alone.reason == "the right answer should be another one"


def test_two_severities_are_compared_each_with_its_own(linked):
    rows = [{"id": str(at), "correct": True} for at in range(50)]
    for level in (2, 3):
        rows += [
            linked(at, steps=f"ocr@1:severity={level}", correct=level == 2) for at in range(50)
        ]
    found = compare(rows, rows, metrics=METRICS)
    assert {one.condition: one.change_b for one in found.conditions} == {
        "ocr severity=2": 0.0,
        "ocr severity=3": -1.0,
    }


def test_names_are_those_that_the_user_typed(linked):
    steps = {
        "nlpaug.KeyboardAug:aug_char_p=0.3": "keyboard_typos@2:p=0.3",
        "my noise": "ocr@1:p=0.1 case@1:p=0.5",
        "still": "identity@1",
        "ocr:p=0.05": "ocr@1:p=0.05",
    }
    rows = [{"id": "1", "correct": True}]
    rows += [linked(1, steps=made, condition=label, correct=True) for label, made in steps.items()]
    found = {one.name: one.verdict for one in judged(rows).conditions}
    assert found == dict.fromkeys([*steps][:2], "cannot judge") | {
        "still": "control",
        "ocr p=0.05": "cannot judge",
    }


def test_where_no_text_is_left_damage_is_not_known(linked):
    rows = [{"id": str(at), "correct": True} for at in range(50)]
    for at in range(50):
        row = linked(at, original="He has 6", edits=[(7, 8, "7")], lean=at > 9, correct=True)
        rows.append({key: row[key] for key in row if key != "text"})
    found = judged(rows)
    quality = found.overall[0].comparison.quality
    assert (quality.touching_numbers, quality.damage_unknown) == (10, 40)
    assert "What the edits touch is not known of 40 of 50 rows" in found.hints[0]
    assert not [one for one in found.overall if one.scope == "undamaged"]
