"""Replies where tools leave them: deeper than the top of a row, or in a list of one."""

import orjson
import pytest

import perturb
from perturb.errors import DataError
from perturb.robustness import compare, flips, score, tolerance

TEXTS = [
    {"id": at, "text": f"How many are {at} and 2?", "right": [str(at + 2)]} for at in range(12)
]


@pytest.fixture
def answered():
    """Rows as tools write them, and the same with all on top: one in three perturbed ones wrong."""
    made = list(perturb.augment(TEXTS, "keyboard_typos", p=0.2, with_original=True))
    deep, flat = [], []
    for at, row in enumerate(made):
        wrong = row["perturbation"]["condition"] != "original" and at % 3 == 0
        said = "none" if wrong else row["right"][0]
        result = {"completions": [{"text": said}], "score": float(not wrong)}
        result["scores"] = [result["score"]]
        deep.append({**row, "filtered_resps": [said], "result": result})
        flat.append({**row, "prediction": said, "answer": row["right"][0], "s": result["score"]})
    return deep, flat


PATHS = ["filtered_resps", "filtered_resps[0]", "result.completions[0].text"]


@pytest.mark.parametrize("path", PATHS)
def test_paths_and_lists_of_one_read_as_fields_do(answered, path):
    deep, flat = answered
    here = {"prediction": path, "target": "right[0]"}
    assert score(deep, **here).to_dict() == score(flat).to_dict()
    assert score(deep, **{**here, "target": "right"}).to_dict() == score(flat).to_dict()
    assert compare(deep, deep, **here).to_dict() == compare(flat, flat).to_dict()
    assert tolerance(deep, **here).to_dict() == tolerance(flat).to_dict()


def test_scores_at_paths(answered):
    deep, flat = answered
    assert score(deep, score="result.scores").sentence == score(flat, score="s").sentence
    ours, theirs = ({name: {"threshold": 0.5}} for name in ("result.score", "s"))
    found = [one.original_id for one in flips(deep, ours)]
    assert found == [one.original_id for one in flips(flat, theirs)] != []


def test_the_command_line(command, write, answered):
    deep, flat = answered
    one = command("score", write("a.jsonl", deep), "--score", "result.score", "--json")
    two = command("score", write("b.jsonl", flat), "--score", "s", "--json")
    one, two = (orjson.loads(each)["overall"][0]["difference"] for each in (one, two))
    assert one == two
    options = ("--prediction", "result.completions[0].text", "--target", "right", "--json")
    found = orjson.loads(command("score", write("a.jsonl", deep), *options))
    assert found["overall"][0]["difference"] == one


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        (
            ["4", "5"],
            r"a list, .*: name its part, such as prediction\[0\]; of the ways to compare, f1",
        ),
        ([], r"a list, \[\]; of the ways to compare, f1"),
        ({"text": "4"}, r"an object.*such as prediction\.text$"),
        ([{"text": "4"}], r"an object.*such as prediction\[0\]\.text$"),
        ({"a.b": "4"}, r"an object, {'a\.b': '4'}$"),
    ],
)
def test_what_is_no_text_names_its_form(answered, reply, form):
    _, flat = answered
    flat[0] = {**flat[0], "prediction": reply}
    with pytest.raises(DataError, match=rf"row 0: \S+ must hold a text; got {form}"):
        score(flat)
    assert score(flat, match="set").overall


def test_a_path_that_leads_nowhere_is_named(answered):
    deep, _ = answered
    with pytest.raises(DataError, match=r"no field 'result.text'"):
        score(deep, prediction="result.text", target="right")


def test_nan_in_a_frame_is_a_reply_that_never_came(answered):
    """A frame of pandas gives NaN by `to_dict("records")` for a reply that is missing."""
    _, flat = answered
    lost, nan = (
        [{**row, "prediction": said} for row in flat[-5:]] for said in (None, float("nan"))
    )
    assert score(flat[:-5] + nan).to_dict() == score(flat[:-5] + lost).to_dict()


@pytest.mark.parametrize("match", ["exact", "label", "macro-f1"])
def test_labels_are_whole_numbers_in_a_column_with_gaps(answered, match):
    """A frame of pandas holds 0, 1 and None as 0.0, 1.0 and NaN."""
    _, flat = answered
    labels = [{**row, "answer": at // 2 % 2} for at, row in enumerate(flat)]
    labels = [{**row, "prediction": row["answer"]} for row in labels]
    floats = [{**row, "prediction": float(row["prediction"])} for row in labels]
    assert score(floats, match=match).to_dict() == score(labels, match=match).to_dict()
    half = [{**row, "prediction": row["prediction"] + 0.5} for row in labels]
    assert score(half, match=match).overall[0].comparison.clean_mean == 0


def test_a_row_without_a_score_is_lost(answered):
    """As such scores stand in files (null) and frames (NaN); a system's reply doesn't matter."""
    _, flat = answered
    scored = [{**row, "score": 1.0} for row in flat]
    lost, nan = ([{**row, "score": said} for row in scored[-5:]] for said in (None, float("nan")))
    metrics = {"score": {"threshold": 0.5}}
    for how in ({"metrics": metrics}, {"metrics": metrics, "prediction": "prediction"}):
        verdict = score(scored[:-5] + nan, **how)
        assert verdict.to_dict() == score(scored[:-5] + lost, **how).to_dict()
        assert any("Lost replies" in hint for hint in verdict.hints), verdict.hints
