"""Scores of several measures, some of which are null in rows that have others."""

import random

import pytest

import perturb
from perturb.robustness.grading.plan import UNANSWERED
from perturb.robustness.scoring.compare import compare
from perturb.robustness.scoring.flips import flips
from perturb.robustness.scoring.score import score
from perturb.robustness.scoring.tolerance import tolerance

SETTINGS = {"correct": {"threshold": 0.5}, "style": {"threshold": 0.5}}
GRID = ("identity", "keyboard_typos:p=0.05", "keyboard_typos:p=0.2")


def scored(seed: int) -> list[dict]:
    draw = random.Random(seed)
    rows = [{"id": at, "text": f"The quick brown fox number {at} jumps."} for at in range(60)]
    made = [*perturb.augment(rows, perturb.grid(GRID), with_original=True)]
    for row in made:
        mean = {"original": 0.9, "identity": 0.9}.get(row["perturbation"]["condition"], 0.6)
        row["correct"] = int(draw.random() < mean)
        row["style"] = min(max(draw.gauss(mean, 0.2), 0), 1)
        for name in SETTINGS:
            if draw.random() < 0.07:
                row[name] = None
    return made


def found(result, name: str) -> list:
    """The findings by a measure; consistency and answers are of the rows, whatever the measure."""
    every = [one for one in (*result.conditions, *result.overall) if one.metric == name]
    blank = {"consistency": 0, "no_answer": 0, "quality": None}
    if hasattr(every[0], "comparison"):
        return [
            one._replace(comparison=one.comparison._replace(**blank), more_originals=None)
            for one in every
        ]
    return every


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("unanswered", UNANSWERED)
class TestGaps:
    """Each measure says the same beside others as it says alone."""

    def test_of_one_system(self, name, unanswered):
        rows = scored(1)
        both = score(rows, metrics=SETTINGS, unanswered=unanswered)
        alone = score(rows, metrics={name: SETTINGS[name]}, unanswered=unanswered)
        assert found(both, name) == found(alone, name)
        steps = [step for step in both.tolerances if step.metric == name]
        assert steps == [*alone.tolerances]

    def test_of_two(self, name, unanswered):
        sides = scored(1), scored(2)
        both = compare(*sides, metrics=SETTINGS, unanswered=unanswered)
        alone = compare(*sides, metrics={name: SETTINGS[name]}, unanswered=unanswered)
        assert found(both, name) == found(alone, name)

    def test_of_three(self, name, unanswered):
        sides = {"A": scored(1), "B": scored(2), "C": scored(3)}
        both = compare(sides, metrics=SETTINGS, unanswered=unanswered)
        alone = compare(sides, metrics={name: SETTINGS[name]}, unanswered=unanswered)
        picked = [one for one in (*both.conditions, *both.overall) if one.finding.metric == name]
        names = [(one.system, one.finding.perturbator, one.finding.low) for one in picked]
        of_one = (*alone.conditions, *alone.overall)
        assert names == [(one.system, one.finding.perturbator, one.finding.low) for one in of_one]

    def test_of_tolerance(self, name, unanswered):
        rows = scored(1)
        both = tolerance(rows, lose=0.2, metrics=SETTINGS, unanswered=unanswered)
        alone = tolerance(rows, lose=0.2, metrics={name: SETTINGS[name]}, unanswered=unanswered)
        assert [step for step in both.steps if step.metric == name] == [*alone.steps]


@pytest.mark.parametrize("name", SETTINGS)
def test_flips_are_those_of_each_measure_alone(name):
    rows = scored(1)
    of_both = [each for each in flips(rows, SETTINGS) if each.metric == name]
    assert of_both == [*flips(rows, {name: SETTINGS[name]})]


def test_a_hint_says_which_measure_lacks_scores():
    rows = scored(1)
    missing = sum(row["style"] is None and row["correct"] is not None for row in rows)
    (hint,) = [one for one in score(rows, metrics=SETTINGS).hints if one.startswith("style is")]
    assert f"null in {missing} of {len(rows)} rows that have another score" in hint
