"""A person's grades beside a judge's: read, drawn, and what they make of a verdict."""

from collections import Counter
from functools import partial

import linkage
import numpy as np
import pytest

from perturb.errors import DataError, UsageError
from perturb.robustness import compare, score
from perturb.robustness.grading.grade import by_match
from perturb.robustness.grading.plan import Grading
from perturb.robustness.linking.sources import listed_source
from perturb.robustness.measures.human import draw_of, human_grades, rows_to_grade, with_human
from perturb.robustness.measures.metric import SCORE
from perturb.robustness.metrics.prediction_powered import prediction_powered
from perturb.robustness.scoring.score import Grader, judge_pairs

NAMES = ("grade", "prediction", "answer")


def rows(originals, graded, versions=2, blind=0):
    """Replies of which the noisy ones are wrong in a quarter; the judge is blind to some of these.

    A reply reads "no" where it is wrong, "NO" where it is wrong and the judge takes it for right.
    """
    made = []
    for at in range(originals):
        how = {"answer": "yes", "grade": None}
        made.append({"id": str(at), **how, "prediction": "yes"})
        for one in range(versions):
            wrong = (at + one) % 4 == 0
            said = ("NO" if at % 8 < blind else "no") if wrong else f"yes {one}"
            made.append({**linkage.row(at, replicate=one), **how, "prediction": said})
        if at < graded:
            for row in made[-versions - 1 :]:
                row["grade"] = "right" if row["prediction"].startswith("yes") else "wrong"
    return made


def judged(sources, grades, draw=()):
    grade = by_match(lambda said, right: float(said != "no"), *NAMES[1:])
    by = Grader(with_human(grade, grades, *NAMES[1:]), {"score": SCORE}, dict(draw))
    return judge_pairs(sources, Grading(score="score"), by)


@pytest.mark.slow
def test_a_judge_that_is_blind_to_half_of_the_damage_is_corrected():
    """The true difference is -.25; the judge sees half of it, the person all, in 80 of 400."""
    sources = [listed_source(rows(400, 80, blind=4))]
    result = judged(sources, human_grades(sources, *NAMES)).verdict
    found = result.conditions[0]
    assert found.difference == pytest.approx(-0.25, abs=0.01)
    assert found.low < -0.25 < found.high < 0
    assert found.verdict == "worse"
    compared = found.comparison
    assert compared.perturbed_mean - compared.clean_mean == pytest.approx(compared.difference)
    assert (compared.uncertainty.graded, compared.uncertainty.test) == (80, "prediction-powered")
    assert 0 < compared.uncertainty.weight < 1
    assert compared.effect.flips_to_bad == 100  # of 200, the judge's
    assert compared.quality.edited_difference == found.difference  # the person's, not the judge's
    hint = result.hints[0]
    assert hint.startswith("A person's grades cover 240 rows; equal replies to an original share")
    assert "share one. The judge calls right 100 % of 200 that" in hint
    assert "wrong 50 % of 40 that are (specificity; originals none, perturbed 50 % of 40)" in hint


def test_a_person_corrects_means_that_pool_the_answers_of_controls():
    """Of the third of each original's answers that are wrong the judge sees half."""
    one, other = (
        [*made, *asked_again(made)] for made in (rows(100, 60, blind=4), rows(100, 60, blind=8))
    )
    source = [listed_source(one)]
    result = judged(source, human_grades(source, *NAMES)).verdict
    found = result.overall[0]
    assert any(hint.startswith("Clean means pool up to 3 answers") for hint in result.hints)
    clean, noisy, groups = zip(*map(recounted, (one, other)), strict=True)
    changes = np.subtract(noisy, clean)  # by system, and of each the judge's and the person's
    wanted = prediction_powered(*changes[0], groups[0])
    assert (found.difference, found.low, found.high) == pytest.approx(wanted[:1] + wanted[2:4])
    compared, weight = found.comparison, wanted.weight
    means = [prediction_powered(*side, groups[0], weight).mean for side in (clean[0], noisy[0])]
    assert [compared.clean_mean, compared.perturbed_mean] == pytest.approx(means)
    control = next(each for each in result.conditions if each.verdict == "control")
    assert control.comparison.clean_mean == 1  # its own original's
    both = compare(one, other, match=by_judge, human="grade").overall[0]
    wanted = prediction_powered(*changes[1] - changes[0], groups[0])
    assert (both.difference, both.low, both.high) == pytest.approx(wanted[:1] + wanted[2:4])


def asked_again(made):
    """Return two answers of a control to each original; all second ones are wrong."""
    for row in made:
        if "perturbation" not in row:
            for one, said in enumerate(("yes", "NO" if int(row["id"]) % 2 else "no")):
                grade = row["grade"] and ("wrong" if one else "right")
                again = linkage.row(row["id"], "identity@1", status="no site", replicate=one)
                yield {**again, "answer": "yes", "prediction": said, "grade": grade}


def recounted(made):
    """Return the clean and the noisy scores of versions, by the judge and by the person."""
    words, kept = {"right": 1.0, "wrong": 0.0, None: np.nan}, {}
    for row in made:
        origin = row.get("perturbation", {"original_id": row["id"], "status": "original"})
        is_noisy = origin["status"] == "changed"
        scores = by_judge(row["prediction"], ""), words[row["grade"]]
        kept.setdefault(origin["original_id"], ([], []))[is_noisy].append(scores)
    each = [
        (np.mean(clean, axis=0), one, at) for at, (clean, noisy) in kept.items() for one in noisy
    ]
    clean, noisy, groups = zip(*each, strict=True)
    return np.transpose(clean), np.transpose(noisy), groups


def by_judge(said, _):
    return float(said != "no")


@pytest.mark.slow
def test_python_takes_the_field_of_a_person():
    sources = [listed_source(rows(400, 80, blind=4))]
    found = score(rows(400, 80, blind=4), match=by_judge, human="grade")
    assert found == judged(sources, human_grades(sources, *NAMES)).verdict
    with pytest.raises(DataError, match="no row has right or wrong in its field 'grades'"):
        score(rows(40, 30), human="grades")
    for other in ({"against": "original"}, {"metrics": {"x": {"threshold": 0.5}}}):
        with pytest.raises(UsageError, match=r"leave out (--metrics and --against|--human)"):
            score(rows(40, 30), human="grade", **other)


@pytest.mark.slow
def test_two_systems_are_compared_by_what_a_person_says():
    """The judge is blind to half of what B loses, and A loses as much; the person sees both."""
    a, b = rows(400, 120), rows(400, 80, blind=4)
    plain, found = (compare(a, b, match=by_judge, **how) for how in ({}, {"human": "grade"}))
    assert plain.conditions[0].verdict == "A loses more"
    one = found.conditions[0]
    assert (one.difference, one.change_a) == (pytest.approx(0, abs=0.02), pytest.approx(-0.25))
    assert one.low < 0 < one.high
    assert one.verdict == "undecided"
    assert found.hints[-2].startswith("A person's grades cover 360 rows of A; equal")
    assert "rows of B; equal" in found.hints[-1]


@pytest.mark.slow
def test_the_difference_of_two_systems_is_corrected_as_one_mean():
    a, b = rows(400, 80), rows(400, 80, blind=4)
    one = compare(a, b, match=by_judge, human="grade").conditions[0]
    noisy = [[row for row in each if "perturbation" in row] for each in (a, b)]
    judge = [np.array([by_judge(row["prediction"], "") for row in each]) for each in noisy]
    person = [
        np.array([{"right": 1.0, "wrong": 0.0, None: np.nan}[row["grade"]] for row in each])
        for each in noisy
    ]
    groups = [row["perturbation"]["original_id"] for row in noisy[0]]
    wanted = prediction_powered(judge[1] - judge[0], person[1] - person[0], groups)
    assert (one.difference, one.low, one.high) == pytest.approx(wanted[:1] + wanted[2:4])
    assert one.p_adjusted == pytest.approx(wanted.p_value)
    assert one.change_b - one.change_a == pytest.approx(one.difference)


@pytest.mark.slow
def test_of_two_systems_the_originals_count_that_are_graded_in_both():
    one = compare(rows(400, 29), rows(400, 80), match=by_judge, human="grade").conditions[0]
    assert one.verdict == "cannot judge"
    assert one.reason.startswith("a person graded 29 originals of both, and it takes 30 to correct")


@pytest.mark.slow
def test_below_thirty_graded_originals_nothing_is_judged():
    sources = [listed_source(rows(400, 29))]
    found = judged(sources, human_grades(sources, *NAMES)).verdict.conditions[0]
    assert found.verdict == "cannot judge"
    assert found.reason.startswith("a person graded 29 originals, and it takes 30")
    sources = [listed_source(rows(400, 30))]
    found = judged(sources, human_grades(sources, *NAMES)).verdict.conditions[0]
    assert (found.verdict, found.comparison.uncertainty.graded) == ("worse", 30)


@pytest.mark.slow
def test_an_original_counts_where_all_of_its_rows_are_graded():
    some = rows(400, 40)
    some[0]["grade"] = None
    found = score(some, match=by_judge, human="grade").conditions[0]
    assert found.comparison.uncertainty.graded == 39
    some[4]["grade"] = None  # one may be under work, two are not a draw that was graded in order
    found = score(some, match=by_judge, human="grade").conditions[0]
    assert (found.verdict, found.reason) == (
        "cannot judge",
        "a person left out grades of 2 originals, and graded others whole: hard ones may be "
        "missing, so grade them",
    )


def chosen(broken, others):
    """200 originals, of which 50 break, and a person graded so many of these and of the others."""
    some = rows(200, 200, versions=1)
    left = {True: broken, False: others}
    for clean, noisy in zip(some[::2], some[1::2], strict=True):
        breaks = noisy["prediction"] == "no"
        left[breaks] -= 1
        if left[breaks] < 0:
            clean["grade"] = noisy["grade"] = None
    return score(some, match=by_judge, human="grade")


@pytest.mark.slow
def test_originals_that_a_person_chose_by_the_judge_cannot_be_judged():
    """By hand: of 60 graded originals 50 break, of all 200 a quarter, so that the share of .75 has
    a standard error of sqrt(.25 * .75 * 200 / 199 * (1/60 - 1/200)) and lies 12.4 of them off."""
    one = chosen(50, 10).conditions[0]
    assert one.verdict == "cannot judge"
    assert one.reason == (
        "the 60 originals that a person graded aren't like a random draw: their mean score of "
        "perturbed replies is 0.167 by the judge, that of the other 140 1.000; perturb score "
        "--human FIELD --draw N draws some"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "word"),
    [(6, "cannot judge"), (7, "worse"), (23, "worse"), (24, "cannot judge")],
)
def test_how_far_from_a_draw_originals_may_be(broken, word):
    """Of 60 drawn, 15 would break, with a standard deviation of 60 sqrt(.25 * .75 * 200/199 *
    (1/60 - 1/200)) = 2.813. Three measures are looked at, so that a p-value of .01 is 2.935 of
    these off: 8.26."""
    assert chosen(broken, 60 - broken).conditions[0].verdict == word


@pytest.mark.slow
def test_of_grades_without_a_draw_it_is_told_that_nothing_shows_one():
    found = chosen(15, 45)
    assert found.conditions[0].verdict == "worse"
    assert "Nothing shows that these originals were drawn at random" in found.hints[0]


def test_grades_are_words_numbers_or_truth_values():
    some = [
        {"id": str(at), "prediction": "x", "answer": "y", "grade": value}
        for at, value in enumerate([True, 0, "Right", "no", "incorrect", 1.0 == 1, "", None])
    ]
    grades = human_grades([listed_source(some)], *NAMES)
    assert {int(name): grade for (name, _, _), grade in grades.items()} == {
        0: 1, 1: 0, 2: 1, 3: 0, 4: 0, 5: 1,
    }  # fmt: skip


@pytest.mark.parametrize("value", ["maybe", 2, ["right"], float("nan")])
def test_what_is_no_grade_is_refused(value):
    some = [{"id": "a", "prediction": "x", "answer": "y", "grade": value}]
    with pytest.raises(DataError, match=r"row 0: grade must be right or wrong; got"):
        human_grades([listed_source(some)], *NAMES)


def test_a_reply_has_one_grade():
    row = {"id": "a", "prediction": "x", "answer": "y", "grade": 1}
    with pytest.raises(DataError, match="row 1: grade is 0 here, but the same reply to the same"):
        human_grades([listed_source([row, {**row, "grade": 0}])], *NAMES)


@pytest.fixture
def draw():
    sources = [listed_source(rows(200, 0, versions=3))]
    return partial(rows_to_grade, sources, *NAMES, seed=1, grades={})


def test_whole_originals_are_drawn_and_each_reply_once(draw):
    """Of each original a right reply, and up to three to its versions; "no" stands there once."""
    drawn = draw(count=20)
    origins = Counter(row["id"].partition("#")[0] for row in drawn)
    assert len(origins) == 20
    assert set(origins.values()) == {4}
    assert all(next(iter(row)) == "grade" and row["grade"] is None for row in drawn)


def test_a_larger_draw_begins_with_a_smaller_one(draw):
    assert draw(count=30)[: len(draw(count=20))] == draw(count=20)
    assert draw(count=20, seed=2) != draw(count=20)


@pytest.mark.slow
def test_every_original_is_as_likely():
    """400 draws of 10 of 50: each 80 times, with a deviation of 8; all within five."""
    sources = [listed_source(rows(50, 0, versions=1))]
    draw = partial(rows_to_grade, sources, *NAMES, count=10, grades={})
    drawn = (row["id"] for seed in range(400) for row in draw(seed=seed))
    counts = Counter(name for name in drawn if "#" not in name)
    assert len(counts) == 50
    assert all(40 < count < 120 for count in counts.values())


def test_grades_that_are_there_are_kept(draw):
    first = {("150", "yes", "yes"): 1.0, ("3", "no", "yes"): 0.0}
    drawn = draw(count=2, grades=first)
    kept = {(row["id"].partition("#")[0], row["prediction"]): row["grade"] for row in drawn}
    assert kept["150", "yes"] == "right"
    assert kept["3", "no"] == "wrong"
    assert len({name for name, _ in kept}) == 4


@pytest.fixture
def drawn():
    """The rows of 120 originals of 400."""
    sources = [listed_source(rows(400, 0))]
    return rows_to_grade(sources, *NAMES, count=120, seed=1, grades={})


@pytest.fixture
def person(drawn):
    """Judge 400 originals, of which those are graded whose places in the draw are given."""
    sources = [listed_source(rows(400, 0))]

    def graded(places, more=()):
        for row in drawn:
            right = row["prediction"].startswith("yes")
            row["grade"] = ("right" if right else "wrong") if places(row["drawn"]) else None
        beside = listed_source([*drawn, *more])
        grades = human_grades([*sources, beside], *NAMES)
        return judged(sources, grades, draw_of([beside])).verdict

    return graded


@pytest.mark.slow
def test_a_draw_that_is_graded_from_its_beginning_is_one(person):
    found = person(lambda place: place <= 70)
    assert found.conditions[0].comparison.uncertainty.graded == 70
    assert found.conditions[0].verdict == "worse"
    assert "Nothing shows" not in found.hints[0]


@pytest.mark.slow
def test_of_a_draw_with_gaps_nothing_is_judged(person):
    """Who leaves out the hard ones has chosen the others, which no measure of the judge shows."""
    one = person(lambda place: place <= 70 and place not in (3, 5)).conditions[0]
    assert one.verdict == "cannot judge"
    assert one.reason == (
        "a person left out grades of 2 originals, and graded others drawn after them: hard ones "
        "may be missing, so grade them"
    )


@pytest.mark.slow
def test_grades_outside_the_draw_are_left_out(person, drawn):
    within, places = person(lambda place: place <= 70), draw_of([listed_source(drawn)])
    at = next(at for at in range(400) if str(at) not in places)
    clean, *noisy = rows(400, 400)[3 * at :][:3]
    found = person(lambda place: place <= 70, [{**clean, "grade": "wrong"}, *noisy])
    assert found.conditions == within.conditions
    assert found.hints[0].endswith(" Originals graded outside the draw are left out: 1.")


@pytest.mark.slow
def test_a_smaller_draw_keeps_the_places_of_a_larger_one(drawn):
    sources, first = [listed_source(rows(400, 0))], drawn[: len(drawn) // 2]
    graded = [{**row, "grade": "right"} for row in first]
    again = rows_to_grade(
        sources, *NAMES, count=5, seed=1, grades=human_grades([listed_source(graded)], *NAMES)
    )
    assert [row["drawn"] for row in again] == [row["drawn"] for row in first]
    other = rows_to_grade(
        sources, *NAMES, count=5, seed=2, grades=human_grades([listed_source(graded)], *NAMES)
    )
    assert len(draw_of([listed_source(other)])) == 5
    assert {row["id"] for row in first} <= {row["id"] for row in other}
