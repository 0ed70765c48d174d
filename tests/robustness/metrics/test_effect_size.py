import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
    performance_drop_rate,
)

proportions = st.floats(0, 1)


@pytest.mark.parametrize(
    ("original", "perturbed", "expected"),
    [(1.0, 0.8, 0.295), (0.8, 0.6, 0.141), (0.8, 0.36, 0.295)],
)
def test_h_worked_examples(original, perturbed, expected):
    h = cohens_h(original, perturbed)
    assert h < 0
    assert abs(h) / math.pi == pytest.approx(expected, abs=5e-4)


@given(proportions, proportions)
def test_h_is_statsmodels_effect_size(original, perturbed):
    from statsmodels.stats.proportion import proportion_effectsize  # not for a collection

    expected = proportion_effectsize(perturbed, original)
    assert cohens_h(original, perturbed) == pytest.approx(expected, abs=1e-12)


@given(proportions, proportions)
def test_h_is_antisymmetric_and_bounded(one, other):
    assert cohens_h(one, other) == -cohens_h(other, one)
    assert abs(cohens_h(one, other)) <= math.pi


def test_h_takes_the_mean_of_scores():
    assert cohens_h([1, 1, 0, 0], [True, False, False, False]) == cohens_h(0.5, 0.25)


@pytest.mark.parametrize("bad", [1.2, -0.1, [0.5, 80.0]])
def test_h_refuses_what_is_no_proportion(bad):
    with pytest.raises(ValueError, match=r"perturbed\[\d\] is .* outside \[0, 1\]"):
        cohens_h(0.5, bad)


@pytest.mark.parametrize("measure", [cohens_h, cohens_d, performance_drop_rate])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([], "is empty"),
        ([0.1, math.nan], r"\[1\] is nan"),
        ([[0.1]], "flat"),
        ("x", "number"),
        (["0.5"], "number"),
    ],
)
def test_bad_scores_are_named(measure, bad, message):
    with pytest.raises(ValueError, match=f"perturbed.*{message}"):
        measure(0.5, bad)


@pytest.mark.parametrize(
    ("h", "words"),
    [
        (0.0, "Small effect"),
        (0.1591, "Small effect"),
        (0.1592, "Medium effect"),
        (0.3819, "Medium effect"),
        (0.3820, "Huge effect"),
        (1.0, "Huge effect"),
    ],
)
def test_h_bands(h, words):
    assert interpret_cohens_h(h) == words


@pytest.mark.parametrize("raw", [-0.1, 3.1, math.nan])
def test_h_bands_refuse_the_raw_h(raw):
    with pytest.raises(ValueError, match="normalised"):
        interpret_cohens_h(raw)


@pytest.mark.parametrize(
    ("d", "words"),
    [
        (0.0, "Small effect"),
        (-0.1999, "Small effect"),
        (0.2, "Medium effect"),
        (-0.79, "Medium effect"),
        (0.8, "Huge effect"),
        (-math.inf, "Huge effect"),
    ],
)
def test_d_bands_go_by_magnitude(d, words):
    assert interpret_cohens_d(d) == words


def test_d_band_refuses_nan():
    with pytest.raises(ValueError, match="NaN"):
        interpret_cohens_d(math.nan)


def test_d_is_mean_over_sample_sd_of_the_differences():
    before, after = np.array([0.9, 0.8, 0.7, 1.0]), np.array([0.6, 0.8, 0.5, 0.4])
    drop = before - after
    assert cohens_d(before, after) == pytest.approx(drop.mean() / drop.std(ddof=1))
    assert cohens_d(1.0, after) == pytest.approx((1 - after).mean() / after.std(ddof=1))


@pytest.mark.parametrize(
    ("original", "perturbed", "expected"),
    [
        (1.0, [1.0, 1.0], 0.0),
        (1.0, [0.9] * 3, math.inf),
        (0.5, [0.9] * 7, -math.inf),
        ([0.9, 0.8], [0.8, 0.7], math.inf),  # equal up to rounding: 0.1 and 0.1 + 8e-17
        ([0.3, 0.7], [0.3, 0.7], 0.0),
    ],
)
def test_d_of_a_constant_difference(original, perturbed, expected):
    assert cohens_d(original, perturbed) == expected


def test_sd_floor_turns_a_nearly_constant_drop_into_none():
    assert cohens_d(1.0, [0.99, 0.9899]) > 100
    assert cohens_d(1.0, [0.99, 0.9899], sd_floor=0.01) == 0.0
    assert cohens_d(1.0, [0.9, 0.9], sd_floor=0.01) == 0.0


def test_d_refuses_what_it_cannot_pair():
    with pytest.raises(ValueError, match="at least 2"):
        cohens_d(1.0, [0.9])
    with pytest.raises(ValueError, match="original holds 3 scores and perturbed 2"):
        cohens_d([1, 1, 1], [0.9, 0.8])
    with pytest.raises(ValueError, match="sd_floor"):
        cohens_d(1.0, [0.9, 0.8], sd_floor=-1)


def test_drop_rate_is_asymmetric():
    assert performance_drop_rate(0.8, 0.4) == pytest.approx(50)
    assert performance_drop_rate(0.4, 0.8) == pytest.approx(-100)
    assert performance_drop_rate([1, 0], [0.25]) == pytest.approx(50)


@pytest.mark.parametrize("original", [0.0, -1.0])
def test_drop_rate_needs_a_positive_original(original):
    with pytest.raises(ValueError, match="cohens_h or cohens_d"):
        performance_drop_rate(original, 0.5)
