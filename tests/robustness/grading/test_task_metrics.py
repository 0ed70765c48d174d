"""Metrics of tasks, each against the library that people compute it with."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.robustness import score
from perturb.robustness.grading.ways import match_of

# From scripts/task_metrics.py: by jiwer, ranx and nervaluate.
LINES = Path(__file__).with_name("task_metrics.jsonl").read_text("utf-8").splitlines()
KINDS = "wer", "cer", "recall:3", "mrr", "ndcg:3", "ndcg:10", "entities"


def graded(way, said, right):
    texts = (one if isinstance(one, str) else json.dumps(one) for one in (said, right))
    return match_of(way)(*texts)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_metrics_are_those_of_their_libraries(kind):
    lines = [line for line in map(json.loads, LINES) if line[0] == kind]
    assert len(lines) >= 30
    assert len({value for *_, value in lines}) > 5
    for way, said, right, value in lines:
        assert graded(way, said, right) == pytest.approx(value), (said, right)


IDS = [f"p{number}" for number in range(8)]


@pytest.mark.slow
@given(
    st.permutations(IDS),
    st.dictionaries(st.sampled_from(IDS), st.integers(1, 4), min_size=1),
    st.integers(1, 8),
)
def test_rankings_are_as_scikit_learn_rates_them(said, gains, first):
    from sklearn import metrics  # not for a collection

    true = np.array([[gains.get(one, 0) for one in IDS]])
    scores = np.array([[-said.index(one) for one in IDS]])
    assert graded(f"ndcg:{first}", said, gains) == pytest.approx(
        metrics.ndcg_score(true, scores, k=first)
    )
    one = next(iter(gains))
    only = (true > 0) & (np.array([IDS]) == one)
    by_rank = metrics.label_ranking_average_precision_score(only, scores)
    assert graded("mrr", said, one) == pytest.approx(by_rank)
    assert graded(f"recall:{first}", said, one) == (one in said[:first])


@pytest.mark.parametrize(
    ("way", "said", "right", "value"),
    [
        ("recall:2", {"a": 0.1, "b": 0.9, "c": 0.5}, "c", 1),
        ("recall:2", ["a", "a", "b"], "b", 1),
        ("mrr", [7, 3], 3, 1 / 2),
        ("mrr", [], "3", 0),
        ("entities", [[2, 9, "A"]], [[0, 3, "A"], [8, 9, "A"]], 2 / 3),
        ("entities", [[0, 3, "A"]], [[3, 5, "A"]], 0),
        ("entities", [[0, 5, "B"], [0, 5, "A"]], [[0, 5, "A"]], 2 / 3),
        ("entities", [{"start": 0, "end": 5, "entity_group": "A"}], [[1, 2, "A"]], 1),
        ("entities", [], [], 1),
        ("entities", [[0, 5, "A"]], [], 0),
    ],
)
def test_edges(way, said, right, value):
    assert graded(way, said, right) == pytest.approx(value)


@pytest.mark.parametrize(
    ("way", "said", "right", "words"),
    [
        ("recall:3", "p1, p2", "p1", "takes a list of ids, best first"),
        ("entities", "Paris", "[]", "takes spans such as"),
        ("entities", "[1]", "[]", "a span is written"),
        ("mrr", '{"p1": "high"}', "p1", "the score of an id must be"),
        ("mrr", '["p1"]', '{"p1": null}', "the gain of an id must be"),
    ],
)
def test_what_has_another_form_is_refused(way, said, right, words):
    with pytest.raises(DataError, match=words):
        match_of(way)(said, right)


@pytest.mark.parametrize("way", ["recall:", "ndcg:0", "recall:x", "recall", "mrr:3", "choice:a"])
def test_a_number_of_ids_is_needed_where_there_is_one(way):
    with pytest.raises(UsageError, match="match"):
        match_of(way)


def test_an_answer_without_right_ids_or_spans_is_refused():
    with pytest.raises(ValueError, match="holds no right id"):
        graded("mrr", ["a"], {"a": 0})
    with pytest.raises(ValueError, match="holds no list of spans"):
        graded("entities", [], "")


def rows(clean, noisy, right, number=40):
    """Originals with their perturbed rows, all answered in these two ways."""
    originals = [{"id": f"q{place}", "text": "Where does it rain?"} for place in range(number)]
    perturbed = perturb.augment(originals, "keyboard_typos", p=0.5, with_original=True)
    return [
        {**row, "answer": right, "prediction": noisy if "#" in row["id"] else clean}
        for row in perturbed
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "clean", "noisy", "right"),
    [
        ("recall:1", ["a", "b"], ["b", "a"], "a"),
        ("entities", [[0, 5, "A"]], [[0, 5, "B"]], [[0, 5, "A"]]),
        ("wer", "it rains", "it is the rain", "it rains"),
        ("cer", "it rains", "1t ra1ns", "it rains"),
    ],
)
def test_a_verdict_knows_which_side_is_better(way, clean, noisy, right):
    worse = score(rows(clean, noisy, right), match=way, target="answer")
    other = score(rows(noisy, clean, right), match=way, target="answer")
    assert worse.conditions[0].verdict == "worse"
    # Where no original is right at all, none can be answered less rightly.
    assert other.conditions[0].verdict in ("better", "cannot judge")


@pytest.mark.slow
def test_flips_need_a_threshold(tmp_path, capsys):
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows("it", "is it not", "it"))), "utf-8")
    assert main(["flips", str(file), "--match", "wer"]) == 2
    assert "--match wer has no threshold" in capsys.readouterr().err
    assert main(["score", str(file), "--match", "wer", "--fail-if", "drop>3"]) == 0
