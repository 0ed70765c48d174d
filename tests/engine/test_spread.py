"""The rates of texts: drawn around that of the step, which stays their mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.spread import rates

TEXTS = [f"The quick brown fox jumps over the lazy dog near river {i}." for i in range(2000)]
shares = st.floats(0, 1)
spreads = st.floats(0.05, 4)


@given(share=shares, spread=spreads)
def test_the_mean_of_the_rates_is_the_share(share, spread) -> None:
    drawn = rates(share, spread)
    assert drawn.mean() == pytest.approx(share, abs=1e-12)
    assert 0 <= drawn[0] <= drawn[-1] <= 1
    assert np.all(np.diff(drawn) >= 0)


@given(share=shares, more=shares, spread=spreads)
def test_a_larger_share_makes_no_rate_smaller(share, more, spread) -> None:
    low, high = sorted((share, more))
    assert np.all(rates(low, spread) <= rates(high, spread) + 1e-12)


@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0])
def test_their_standard_deviation_is_the_spread(spread) -> None:
    assert rates(0.01, spread).std() / 0.01 == pytest.approx(spread, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("step", ["keyboard_typos", "ocr", "word_delete", "misspelling", "case"])
@pytest.mark.parametrize("per", ["unit", "word"])
def test_edits_are_nested_and_the_mean_is_p(step, per) -> None:
    """N = 2000; the standard error of the mean rate is 0.1 * spread / sqrt(N), and 5 are allowed."""
    least = [set()] * len(TEXTS)
    for p in (0.02, 0.1):
        records = perturb.apply(TEXTS, f"{step}:p={p},per={per},spread=1", seed=1)
        edits = [{(edit.start, edit.end, edit.text) for edit in record.edits} for record in records]
        assert all(before <= after for before, after in zip(least, edits, strict=True))
        least = edits
    units = sum(record.steps[0].units for record in records)
    wanted = [record.steps[0] for record in records]
    if not any(step.saturated for step in wanted):
        assert sum(step.edits for step in wanted) / units == pytest.approx(0.1, abs=0.012)


def test_some_texts_stay_as_they_are_and_others_have_many_errors() -> None:
    """N = 2000 texts of 57 or so characters; without a spread none has fewer than 2 edits."""
    plain = perturb.apply(TEXTS, "keyboard_typos:p=0.04", seed=1)
    assert {len(record.edits) for record in plain} == {2, 3}
    counts = np.array(
        [len(r.edits) for r in perturb.apply(TEXTS, "keyboard_typos:p=0.04,spread=2")]
    )
    assert 0.3 < (counts == 0).mean() < 0.5
    assert counts.max() > 15


COUNTED = {"ocr": 1.11, "human_typos": 1.15, "grammar_errors": 0.77, "fitted": 1.19}


def test_counted_noise_has_the_spread_of_the_counts() -> None:
    for name in perturb.names():
        if name not in COUNTED:
            assert perturb.Pipeline.of(f"{name}:p=0.1").steps[0].spread == 0, name
    for name, spread in COUNTED.items():
        (step,) = perturb.Pipeline.of(f"{name}:p=0.1").steps
        assert (step.spread, step.to_dict()["spread"], str(step)) == (
            *(spread, spread),
            f"{name}:p=0.1",
        )
        assert perturb.Pipeline.of(name).steps[0].spread == spread
        for alone in ("count=2", "p=1.0", "severity=2", "p=0.1,spread=0.5", "p=0.1,spread=0.0"):
            step = perturb.Pipeline.of(f"{name}:{alone}")
            assert str(step) == f"{name}:{alone}"
            assert perturb.Pipeline.of(str(step)) == step


def test_what_counted_noise_does_is_stated_and_made_again() -> None:
    """N = 2000 texts of 57 or so characters."""
    records = perturb.apply(TEXTS, "ocr:p=0.02")
    stays = sum(not record.edits for record in records) / len(TEXTS)
    assert 0.3 < stays < 0.6
    assert records[0].recipe == f"ocr@{records[0].steps[0].version}:p=0.02,spread=1.11 --contract 4"
    assert all(perturb.verify(record) for record in records[:20])
    more = perturb.apply(TEXTS, "ocr:p=0.04")
    for few, many in zip(records[:300], more, strict=False):
        assert {*few.edits} <= {*many.edits}


def test_without_a_spread_no_byte_changes() -> None:
    for step in ("keyboard_typos", "char_swap"):
        assert [*map(str, perturb.apply(TEXTS[:50], f"{step}:p=0.1,spread=0"))] == [
            *map(str, perturb.apply(TEXTS[:50], step, p=0.1))
        ]


def test_a_record_has_it_and_is_verified() -> None:
    record = perturb.apply(TEXTS[0], "keyboard_typos:p=0.3,spread=1", seed=2)
    assert "spread=1.0" in record.to_dict()["perturbation"]["recipe"]
    assert perturb.verify(record.to_dict())


@pytest.mark.parametrize(
    ("spread", "error", "message"),
    [
        ("5", perturb.UsageError, "from 0 to 4, such as 1; got 5"),
        ("-1", perturb.UsageError, "from 0 to 4"),
        ("nan", perturb.UsageError, "from 0 to 4"),
        ("wide", TypeError, "spread must be a number"),
        ("1,count=2", perturb.UsageError, "for a spread give a share"),
    ],
)
def test_what_can_not_be(spread, error, message) -> None:
    settings = spread if "count" in spread else f"{spread},p=0.1"
    with pytest.raises(error, match=message):
        perturb.apply("text", f"keyboard_typos:spread={settings}")
