"""An evaluation in the shape of Weave's tutorial."""

import asyncio
import json
import math

import numpy as np
import pytest
from scipy import stats

from perturb import verify
from perturb.errors import DataError, UsageError
from perturb.integrations.weave import Evaluation, RobustnessScorer, create_perturbed_dataset

TEXTS = [f"Who wrote the {n}. of the letters to the editor?" for n in range(12)]
TRUTHS = [f"author {n}" for n in range(12)]


class LiteLLMSystem:
    def __init__(self, forgets):
        self.forgets = forgets

    async def predict(self, prompt):
        known = next((t for q, t in zip(TEXTS, TRUTHS, strict=True) if f": {q}\n" in prompt), None)
        return known or ("who?" if self.forgets else TRUTHS[0])


class PerturberModel:
    prompt = "You are concise.\nQuestion: {question}\nAnswer:\n"

    def __init__(self, system):
        self.system = system

    async def predict(self, questions: list[str]) -> list[str]:
        return [await self.system.predict(self.prompt.format(question=q)) for q in questions]


def embed(texts):
    return [[1.0, len(text)] for text in texts]


def dataset():
    made = create_perturbed_dataset(TEXTS, num_perturbations=4)
    return [
        {"questions": one["questions"], "ground_truths": [truth] * len(one["questions"])}
        for one, truth in zip(made, TRUTHS, strict=True)
    ]


def test_the_tutorial():
    scorer = RobustnessScorer(use_exact_match=False, use_ground_truths=True, embed=embed)
    evaluation = Evaluation(dataset=dataset(), scorers=[scorer])
    summary = asyncio.run(evaluation.evaluate(PerturberModel(LiteLLMSystem(True))))
    found = summary["RobustnessScorer"]
    assert list(found) == ["cohen_d", "cohen_d_sign", "score(original)", "score(perturbed)"]
    assert found["score(original)"]["mean"] == 1.0
    assert found["score(perturbed)"]["mean"] < 1.0
    assert sum(found["cohen_d_sign"].values()) == summary["rows"] == 12
    # All perturbed answers are the same text, so that all drops of a row are equal.
    assert found["cohen_d"] == {"mean": None, "median": math.inf, "infinite": 12}


def test_ground_truths_that_are_not_used_are_ignored():
    scorer = RobustnessScorer(use_exact_match=True)
    evaluation = Evaluation(dataset(), [scorer])
    summary = asyncio.run(evaluation.evaluate(PerturberModel(LiteLLMSystem(True))))
    assert summary["RobustnessScorer"]["score(perturbed)"]["mean"] == 0.0
    assert summary["errors"] == 0


def test_two_models_over_the_same_rows():
    models = {name: PerturberModel(LiteLLMSystem(name == "mini")) for name in ("4o", "mini")}
    found = asyncio.run(Evaluation(dataset(), [RobustnessScorer(True, True)]).compare(models))
    means = [
        found.summaries[name]["RobustnessScorer"]["score(perturbed)"]["mean"] for name in models
    ]
    assert means == [1 / 12, 0.0]  # one of the authors is the one that is guessed
    assert [one.score for one in found.differences] == [
        f"RobustnessScorer.{name}" for name in ("cohen_h", "score(original)", "score(perturbed)")
    ]
    perturbed = found.differences[-1]
    values = [-1.0, *[0.0] * 11]
    interval = stats.t.interval(0.95, 11, np.mean(values), stats.sem(values))
    assert perturbed[:4] == ("4o", "mini", "RobustnessScorer.score(perturbed)", 12)
    assert perturbed.difference == pytest.approx(-1 / 12)
    assert (perturbed.low, perturbed.high) == pytest.approx(interval, abs=1e-9)
    assert found.differences[1].low is None  # all originals are right for both


def test_rows_without_a_finite_number_are_left_out_of_differences():
    scores = iter([1.0, math.inf, 3.0, 2.0, 5.0, 7.0])
    evaluation = Evaluation([{"x": 1}] * 3, [lambda output: next(scores)], concurrency=1)
    (one,) = asyncio.run(evaluation.compare({"a": lambda x: x, "b": lambda x: x})).differences
    assert (one.rows, one.mean_a, one.mean_b, one.difference) == (2, 2.0, 4.5, 2.5)


def length(output, questions):
    return {"same": len(output) == len(questions), "first": output[0], "parts": {"n": len(output)}}


def test_functions_and_whatever_they_return():
    async def everything(**columns):
        return columns["questions"]

    class Starred:
        def score(self, **columns):
            return len(columns["output"])

    evaluation = Evaluation([{"questions": ["a", "b"]}, {"questions": ["a"]}], [length, Starred()])
    summary = asyncio.run(evaluation.evaluate(everything))
    assert summary == {
        "length": {
            "same": {"true_count": 2, "true_fraction": 1.0},
            "first": {"a": 2},
            "parts": {"n": {"mean": 1.5, "median": 1.5, "infinite": 0}},
        },
        "Starred": {"mean": 1.5, "median": 1.5, "infinite": 0},
        "rows": 2,
        "errors": 0,
    }


def test_a_row_that_raises_costs_no_other():
    def model(questions):
        if questions == ["b"]:
            raise ConnectionError("reset")
        return questions

    rows = [{"questions": ["a"]}, {"questions": ["b"]}]
    evaluation = Evaluation(rows, [length])
    scored = asyncio.run(evaluation.scored_rows(model))
    assert [row.error for row in scored] == [None, "ConnectionError: reset"]
    assert evaluation.summarize(scored)["errors"] == 1
    with pytest.raises(DataError, match="no row could be scored; row 0: ConnectionError: reset"):
        asyncio.run(Evaluation(rows[1:], [length]).evaluate(model))


def test_wrong_calls():
    for rows, scorers in (([], [length]), ([{"x": 1}], [])):
        with pytest.raises(UsageError, match="at least one row and one scorer"):
            Evaluation(rows, scorers)
    with pytest.raises(UsageError, match="different names; got length, length"):
        Evaluation([{"x": 1}], [length, length])
    with pytest.raises(UsageError, match=r"object with predict\(\) is needed; got 3"):
        asyncio.run(Evaluation([{"x": 1}], [length]).evaluate(3))


@pytest.mark.slow
def test_data_sets_have_no_duplicates_and_carry_their_records():
    texts = [f"Is {n} odd?" for n in range(60)]
    made = create_perturbed_dataset(texts, num_perturbations=7, records=True)
    for text, row in zip(texts, made, strict=True):
        assert len(set(row["questions"])) == 8
        assert len(row["records"]) == 7
        for version, record in zip(row["questions"][1:], row["records"], strict=True):
            found = json.loads(json.dumps(record))
            assert (found["perturbation"]["original"], found["text"]) == (text, version)
            assert verify(found)
    plain = create_perturbed_dataset(texts, num_perturbations=7)
    assert [row["questions"] for row in made] == [row["questions"] for row in plain]
