"""The range of a parameter is its annotation's; it is checked, described and shown from there."""

import math
from typing import Annotated

import pytest

import perturb
from perturb.boundary import trusting
from perturb.pipeline.pipeline import Pipeline
from perturb.registry.definition import Range, checked_parameters
from perturb.registry.making import build_perturbator
from perturb.registry.registry import lookup

RANGES = [
    ("asr", "errors", "from 0 to 1", (0, 0.5, 1), (-0.1, 1.5)),
    ("combining_marks", "marks", "from 1 to 32", (1, 32), (0, 33)),
    ("elongate", "longest", "from 1 to 1000", (1, 1000), (0, 1001)),
    ("example_shuffle", "skip", "at least 0", (0, 9), (-1,)),
    ("line_breaks", "width", "at least 2", (2, 80), (1,)),
    ("typo_mix", "swap", "at least 0", (0, 0.5, 7), (-0.1,)),
    ("whitespace", "longest", "at least 2", (2, 9), (1,)),
    ("word_shuffle", "window", "at least 2", (2, 9), (1,)),
]


@pytest.mark.parametrize(("name", "key", "words", "inside", "outside"), RANGES)
@pytest.mark.parametrize("texts", [[], ["some text"]])
def test_a_range_is_checked(name, key, words, inside, outside, texts) -> None:
    for value in inside:
        assert len(perturb.apply(texts, {"name": name, key: value})) == len(texts)
    for value in outside:
        with pytest.raises(perturb.UsageError) as caught:
            perturb.apply(texts, {"name": name, key: value})
        assert str(caught.value) == f"{name}: {key} must be {words}; got {value}"


def test_a_range_beside_none() -> None:
    with pytest.raises(perturb.UsageError, match="window must be at least 2; got 1"):
        perturb.apply("", "sentence_shuffle:window=1")
    assert perturb.apply("", {"name": "sentence_shuffle", "window": None}).status == "no site"


@pytest.mark.parametrize("name", perturb.names())
def test_all_ranges_are_checked_and_described(name) -> None:
    """So `perturb show` and the pages have them, also those of a perturbator that is new."""
    kind = lookup(name)
    assert perturb.describe(name)["ranges"] == {key: str(each) for key, each in kind.ranges.items()}
    assert {row[1] for row in RANGES if row[0] == name} <= kind.ranges.keys()
    for key, (least, most) in kind.ranges.items():
        odd = [math.nan, math.inf] if type(kind.parameters[key]) is float else [-(1 << 31), 1 << 31]
        for value in (least - 1, *[most + 1] * math.isfinite(most), *odd):
            with pytest.raises(perturb.UsageError, match=f"{name}: {key} must be .*; got {value}"):
                checked_parameters(kind, {key: value})


def test_a_range_of_anyone() -> None:
    """Other marks of an annotation are no matter."""

    def find(batch, *, size: Annotated[float, "mm", Range(0.5)] = 1, sort: Annotated[str, 0] = ""):
        raise AssertionError

    made = build_perturbator(
        "sized", find, unit="word", label_risk="low", intensities=(1.0,) * 6,
        summary="", source="", version=1,
    )  # fmt: skip
    assert {key: str(limits) for key, limits in made.ranges.items()} == {"size": "at least 0.5"}
    assert checked_parameters(made, {"size": 2}) == {"size": 2, "sort": ""}
    with pytest.raises(perturb.UsageError, match=r"size must be at least 0.5; got 0.25"):
        checked_parameters(made, {"size": 0.25})


def test_a_default_needs_no_trust() -> None:
    """The mapping of a step has all parameters, and only others than the default open a thing."""
    step = Pipeline.of("synonym:p=1.0").steps[0]
    with trusting(()):
        assert Pipeline.of(step.to_dict()).steps == (step,)
        with pytest.raises(perturb.UsageError, match="trust"):
            Pipeline.of("synonym:lexicon=nltk:fra")


@pytest.mark.parametrize("value", [1 << 31, -(1 << 31)])
def test_a_whole_number_of_anyone_has_32_bits(value) -> None:
    def find(batch, *, size: int = 0):
        raise AssertionError

    made = build_perturbator(
        "n", find, unit="word", label_risk="low", intensities=(1.0,) * 6,
        summary="", source="", version=1,
    )  # fmt: skip
    with pytest.raises(perturb.UsageError, match="size must be a whole number within 32 bits"):
        checked_parameters(made, {"size": value})
