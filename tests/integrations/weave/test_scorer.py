import math
import sys

import numpy as np
import pytest

from perturb.integrations.weave import RobustnessScorer

ANGLES = {"a": 0.0, "a'": 0.3, "b": 0.6, "c": math.pi / 2}


def embed(texts):
    return [[3 * math.cos(ANGLES[text]), 3 * math.sin(ANGLES[text])] for text in texts]


def test_exact_match_without_ground_truths():
    report = RobustnessScorer(use_exact_match=True).score([True, "True", "False", True, True])
    assert report == {
        "cohen_h": pytest.approx(2 * math.asin(math.sqrt(0.25)) / math.pi),
        "score(original)": 1.0,
        "score(perturbed)": 0.75,
    }


def test_exact_match_with_ground_truths_scores_the_original_too():
    scorer = RobustnessScorer(use_exact_match=True, use_ground_truths=True)
    report = scorer.score(["x", "y", "y"], ["y", "y", "y"])
    assert report == {"cohen_h": 1.0, "score(original)": 0.0, "score(perturbed)": 1.0}


def test_interpretation_is_opt_in():
    scorer = RobustnessScorer(use_exact_match=True, return_interpretation=True)
    assert scorer.score(["x", "x"])["interpretation"] == "Small effect"
    scorer = RobustnessScorer(return_interpretation=True, embed=embed)
    assert scorer.score(["a", "b", "c"])["interpretation"] == "Huge effect"


def test_similarity_without_ground_truths():
    report = RobustnessScorer(embed=embed).score(["a", "b", "c"])
    drops = 1 - np.cos([0.6, math.pi / 2])
    assert report == {
        "cohen_d": pytest.approx(drops.mean() / drops.std(ddof=1)),
        "cohen_d_sign": "positive",
        "score(original)": 1.0,
        "score(perturbed)": pytest.approx(1 - drops.mean()),
    }


def test_similarity_with_ground_truths_can_rise():
    scorer = RobustnessScorer(use_ground_truths=True, embed=embed)
    report = scorer.score(["c", "b", "a'"], ["a", "a", "a"])
    assert report["cohen_d_sign"] == "negative"
    assert report["cohen_d"] > 0
    assert report["score(original)"] == pytest.approx(0, abs=1e-12)


def test_equal_outputs_have_no_effect_and_no_sign():
    report = RobustnessScorer(embed=embed).score(["b", "b", "b"])
    assert (report["cohen_d"], report["cohen_d_sign"]) == (0.0, "zero")


def test_sd_floor_reaches_the_effect():
    assert RobustnessScorer(embed=embed).score(["a", "b", "b"])["cohen_d"] == math.inf
    assert RobustnessScorer(embed=embed, sd_floor=0.01).score(["a", "b", "b"])["cohen_d"] == 0.0


@pytest.mark.parametrize("output", [[], ["x"], "xy"])
def test_too_few_outputs(output):
    with pytest.raises(ValueError, match="at least one more"):
        RobustnessScorer(use_exact_match=True).score(output)


def test_ground_truths_are_needed_only_where_they_are_used():
    plain = RobustnessScorer(use_exact_match=True)
    assert plain.score(["x", "y"], ["y", "y"]) == plain.score(["x", "y"])
    scorer = RobustnessScorer(use_exact_match=True, use_ground_truths=True)
    with pytest.raises(ValueError, match="give ground_truths"):
        scorer.score(["x", "y"])
    with pytest.raises(ValueError, match="2 outputs need 2 ground_truths"):
        scorer.score(["x", "y"], ["x"])


@pytest.mark.parametrize(
    ("vectors", "message"),
    [([1.0, 2.0, 3.0], "shape"), ([[0.0, 0.0]] * 3, "no direction"), ([[math.nan]] * 3, "nan")],
)
def test_a_bad_embedder_is_named(vectors, message):
    with pytest.raises(ValueError, match=message):
        RobustnessScorer(embed=lambda _: vectors).score(["a", "b", "c"])


def test_without_an_embedding_library_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError, match="pip install sentence-transformers"):
        RobustnessScorer().score(["a", "b", "c"])
