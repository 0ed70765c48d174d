"""Looks at data that are coming in: the boundary, what follows from it, and how it is written."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import DataError
from perturb.robustness import bounded_interval, bounded_test
from perturb.robustness.metrics.distributions import normal_two_sided
from perturb.robustness.metrics.looks import Look, _boundary, _reached, look_hint, look_of

# Jennison and Turnbull (2000), Group Sequential Methods, table 2.3, for a size of .05.
PUBLISHED = {1: 1.960, 2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 6: 2.053, 8: 2.072}


@pytest.mark.parametrize(("looks", "boundary"), PUBLISHED.items())
def test_the_boundary_is_the_published_one(looks, boundary) -> None:
    assert _boundary(looks) == pytest.approx(boundary, abs=0.0006)


@pytest.mark.parametrize("boundary", [0.5, 1.5, 2.5])
def test_walks_reach_a_boundary_as_often_as_is_said(boundary) -> None:
    """200,000 walks; the standard error is at most .0011."""
    walks = np.random.default_rng(4).standard_normal((200_000, 4)).cumsum(axis=1) / 2
    share = np.mean(np.abs(walks).max(axis=1) >= boundary)
    assert _reached(boundary, 4) == pytest.approx(share, abs=0.004)


@given(st.integers(1, 9), st.data(), st.floats(1e-12, 1))
def test_what_one_look_shows_is_less_among_several(planned, data, p_value) -> None:
    look = Look(data.draw(st.integers(1, planned)), planned)
    assert 0.95 <= look.level < 1
    assert look.p_value(p_value) >= p_value * (1 - 1e-9) - 1e-12
    assert look.p_value(p_value) <= 1


@pytest.mark.parametrize("number", [1, 3, 5])
def test_interval_and_p_value_agree(number) -> None:
    """A statistic at the edge of the interval has a p-value of .05."""
    look = Look(number, 5)
    assert look.p_value(1 - look.level) == pytest.approx(0.05, abs=1e-6)
    assert look.level == pytest.approx(1 - normal_two_sided(2.0401 * (5 / number) ** 0.5), abs=1e-4)


def test_data_that_are_looked_at_once_are_as_ever() -> None:
    assert Look() == look_of([""]) == look_of([])
    assert (Look().level, Look().p_value(0.0123)) == (0.95, 0.0123)
    assert look_hint(Look()) == []
    assert look_hint(Look(5, 5))[0].startswith("Answers were looked at 5 times: intervals and")


def test_a_look_is_read_as_it_is_written() -> None:
    assert look_of([str(Look(2, 5))]) == Look(2, 5)


@pytest.mark.parametrize(
    "texts", [["2/5", "3/5"], ["", "2/5"], ["6/5"], ["0/5"], ["2"], ["2/5/5"], ["x/5"], ["2/99"]]
)
def test_looks_that_cannot_be(texts) -> None:
    with pytest.raises(DataError, match="score the rows of each run by themselves"):
        look_of(texts)


def test_a_verdict_allows_for_the_looks(command, write, linked) -> None:
    """The interval has the level of its look, and the p-value is that of all of them."""
    rng, rows = np.random.default_rng(2), []
    for at in range(80):
        for row in ({"id": at}, linked(str(at), "typos")):
            correct = int(rng.random() < (0.8 if len(row) > 1 else 0.95))
            rows.append({**row, "correct": correct, "response": {"seed": None, "look": "2/5"}})

    path = write("scored", rows)
    report = json.loads(command("score", path, "--score", "correct", "--json"))
    found, look = report["conditions"][0], Look(2, 5)
    pairs = [row["correct"] for row in rows[::2]], [row["correct"] for row in rows[1::2]]
    change = np.subtract(*pairs[::-1])
    expected = bounded_interval(change, range(80), look.level)
    assert (found["low"], found["high"]) == pytest.approx(tuple(expected))
    assert found["p_value"] == pytest.approx(look.p_value(bounded_test(change, range(80))))
    assert report["hints"][-1].startswith("Asking stopped at look 2 of 5")
    rows[0]["response"]["look"] = "3/5"
    with pytest.raises(DataError, match="'2/5', '3/5'"):
        command("score", write("mixed", rows), "--score", "correct")
