"""Ways that compare what predictive models answer: numbers, lists, labels with their scores."""

import json

import pytest

from perturb.errors import DataError, UsageError
from perturb.robustness import compare, score
from perturb.robustness.grading.ways import match_of

SCORES = [
    ("label", "[0.1, 0.9]", "1", 1),
    ("label", "[0.5, 0.5]", "0", 1),
    ("label", '{"neg": 0.1, "pos": 0.9}', "pos", 1),
    ("label", '{"label": "pos", "score": 0.9}', '{"label": "pos", "score": 0.2}', 1),
    ("label", '[{"label": "a", "score": 0.2}, {"label": "b", "score": 0.8}]', "a", 0),
    ("label", "pos", "pos", 1),
    ("label", '{"text": "pos"}', "pos", 1),
    ("label", '{"label": "pos", "score": null}', "pos", 1),
    ("label", '[{"label": "pos"}]', "pos", 1),
    ("label", '{"label": 1, "score": 0.9}', "1", 1),
    ("label", '[[{"label": "a", "score": 0.2}, {"label": "b", "score": 0.8}]]', "b", 1),
    ("label", "[not a list", "pos", 0),
    ("label", '["b", "a"]', '["a", "b"]', 1),
    ("label", '["b"]', '["a", "b"]', 0),
    ("label", '["pos"]', "pos", 1),
    ("label", "pos", '["pos"]', 1),
    ("label", '["pos", "neg"]', "pos", 0),
    ("set", '["New York, NY", "Paris"]', '["paris", "new york ny"]', 1),
    ("set", '[[5, 8, "B"], [0, 3, "A"]]', '[[0, 3, "A"], [5, 8, "B"]]', 1),
    ("set", '[[0, 3, "B"]]', '[[0, 3, "A"]]', 0),
    ("set", "[1.0, 2]", "[1, 2.0]", 1),
    *(("set", said, right, 1) for said in ("[1.0]", '["1.0"]', "1.0") for right in ("1", "[1]")),
    ("set", r'[{"to": "Z\u00fcrich", "n": 1.0}]', '[{"n": 1, "to": "Zürich"}]', 1),
    ("set", "[1.5]", "[1]", 0),
    ("set", "[" * 990 + "]" * 990, "[1]", 0),
    ("f1", '[[0, 3, "A"]]', '[[0, 3, "A"], [5, 8, "B"]]', 2 / 3),
    ("f1", '["b", "a"]', '["a", "b"]', 1),
    ("f1", "Paris, Rome", '["Rome", "Paris", "Bern"]', 0.8),
    ("f1", '["the","cat"]', "the cat sat", 2 / 3),
    ("f1", "[]", "[]", 1),
    ("f1", "[]", '["a"]', 0),
    ("close:1", "1e999", "3", 0),
    ("close:1", "10:30", "30", 0),
    ("close:1", "2.5 million", "2500000", 1),
    ("close:0.5", "1.1", "0.6", 1),
    ("close:0.5", "1.2", "0.6", 0),
    ("close:0.5", "about 3 m", "3.25", 1),
    ("close:0.5", None, "3.25", 0),
    ("close:1", "5 km", "5 miles", 0),
    ("close:2", "5 km", "5 miles", 1),
    ("close:9", "5 km", "5 kg", 0),
    ("close:9", "5 nights", "5 days", 0),
    ("close:0.6", "5500 m", "5 km", 1),
    ("close:0.4", "5500 m", "5 km", 0),
    ("close:0", "1 h 30 min", "1.5 hours", 1),
    ("close:0", "5 km", "5", 1),
    ("close:1", "10:30", "30 min", 0),
    ("close:1", "1e999 km", "0 m", 0),
    ("distance", "60 min", "2 hours", 1),
    ("close:0.5", "none", "3.25", 0),
    ("close:0.1", "[0.1, 0.9]", "[0.2, 0.8]", 1),
    ("close:0.1", "[0.1, 0.9]", "[0.3, 0.7]", 0),
    ("close:9", "[1, 2, 3]", "[1, 2]", 0),
    ("close:0", "1e3", "1000", 1),
    ("distance", "13.3", "16.3", 3),
    ("distance", "[0.1, 0.9]", "[0.4, 0.6]", 0.3),
    ("distance", '{"label": "a", "score": 0.9}', '{"label": "a", "score": 0.7}', 0.2),
    ("distance", '{"label": "a", "score": 0.9}', '{"label": "b", "score": 0.7}', 0.9),
]


@pytest.mark.parametrize(("way", "said", "right", "value"), SCORES)
def test_ways(way, said, right, value):
    assert match_of(way)(said, right)[0] == pytest.approx(value)


@pytest.mark.parametrize(
    "said",
    [
        '[{"label": "a", "score": null}, {"label": "b", "score": 0.8}]',
        '{"answer": "pos"}',
        '[[{"sequence": "a"}]]',
    ],
)
def test_a_label_without_a_score_is_told(said):
    with pytest.raises(DataError, match=r"a label is a text, or that with the highest score"):
        match_of("label")(said, "pos")


def test_tags_of_tokens_are_one_span_for_an_entity():
    """As transformers writes them where no aggregation is asked for."""
    tokens = [
        ("B-PER", 0, 3),
        ("I-PER", 4, 9),
        ("I-PER", 9, 11),
        ("B-PER", 12, 15),
        ("I-ORG", 20, 24),
    ]
    said = [{"entity": tag, "score": 0.9, "start": at, "end": end} for tag, at, end in tokens]
    right = [[0, 11, "PER"], [12, 15, "PER"], [20, 24, "ORG"]]
    assert match_of("entities")(json.dumps(said), json.dumps(right))[0] == 1
    assert match_of("entities")(json.dumps(said[:1]), json.dumps(right))[0] == pytest.approx(0.5)
    groups = [{"entity_group": "B-cell", "start": 0, "end": 3}]
    assert match_of("entities")(json.dumps(groups), '[[0, 3, "B-cell"]]')[0] == 1


def test_a_distance_needs_numbers():
    with pytest.raises(DataError, match=r"no numbers like those of '3'.*got 'none'"):
        match_of("distance")("none", "3")
    with pytest.raises(ValueError, match="holds no number"):
        match_of("distance")("3", "none")


def test_an_answer_is_not_compared_with_itself():
    with pytest.raises(UsageError, match="are both 'prediction', so all would be right: say with"):
        score([], target="prediction")
    with pytest.raises(UsageError, match="are both 'said'"):
        compare([], [], prediction="said", target="said", match="choice")
