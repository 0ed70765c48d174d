import math

import orjson
import pytest

from perturb.errors import DataError, UsageError
from perturb.robustness import flips, metric_flip


@pytest.mark.parametrize("rule", ["strict", "pass_fail"])
@pytest.mark.parametrize(
    ("original", "perturbed", "higher_is_better", "direction"),
    [
        (0.3, 0.8, False, "good_to_bad"),
        (0.8, 0.3, False, "bad_to_good"),
        (0.3, 0.8, True, "bad_to_good"),
        (0.8, 0.3, True, "good_to_bad"),
    ],
)
def test_worked_example_in_all_directions(rule, original, perturbed, higher_is_better, direction):
    flip = metric_flip(original, perturbed, 0.75, higher_is_better, rule)
    assert flip == (direction, original, perturbed, 0.75)


@pytest.mark.parametrize("other", [0.3, 0.8, 0.75])
def test_a_value_at_the_threshold_is_on_neither_side(other):
    assert metric_flip(0.75, other, 0.75) is None
    assert metric_flip(other, 0.75, 0.75) is None


def test_a_value_at_the_threshold_passes_where_the_rule_is_pass_or_fail():
    assert metric_flip(0.75, 0.3, 0.75, True, "pass_fail").direction == "good_to_bad"
    assert metric_flip(0.75, 0.8, 0.75, True, "pass_fail") is None
    assert metric_flip(0.75, 0.8, 0.75, False, "pass_fail").direction == "good_to_bad"
    assert metric_flip(0.3, 0.75, 0.75, False, "pass_fail") is None


def test_one_side_is_no_flip():
    assert metric_flip(0.8, 0.9, 0.75) is None
    assert metric_flip(0.1, 0.2, 0.75) is None


def test_unknown_values_and_rules():
    with pytest.raises(ValueError, match="perturbed is NaN"):
        metric_flip(0.3, math.nan, 0.75)
    with pytest.raises(ValueError, match="rule must be"):
        metric_flip(0.3, 0.8, 0.75, rule="loose")


@pytest.fixture
def rows(linked):
    return [
        linked("7", replicate=1, toxicity=0.9, correct=False),
        {"id": 7, "text": "clean text", "toxicity": 0.3, "correct": True},
        linked("7", replicate=0, toxicity=0.8, correct=True),
        linked("7", "swap", 0.2, toxicity=0.1, correct=False),
    ]


METRICS = {
    "toxicity": {"threshold": 0.75, "higher_is_better": False},
    "correct": {"threshold": 0.5},
}


def test_every_row_and_metric_is_reported(rows):
    found = flips(iter(rows), METRICS)
    assert [(each.metric, each.perturbator, each.p, each.replicate) for each in found] == [
        ("toxicity", "typos", 0.1, 1),
        ("correct", "typos", 0.1, 1),
        ("toxicity", "typos", 0.1, 0),
        ("correct", "swap", 0.2, 0),
    ]
    assert found[0].flip == ("good_to_bad", 0.3, 0.9, 0.75)
    assert (found[0].original_prompt, found[0].perturbed_prompt) == ("clean text", "cleam text")


def test_prompts_behind_a_path_are_rebuilt_from_the_edits(rows):
    record = rows[0]["perturbation"]
    record["recipe"] = "typos@1:p=0.1 --field messages[*].content --replicate 1 --contract 4"
    record["edits"] = "messages[0].content|0:c>C|5: >"
    assert flips(rows, METRICS)[0].perturbed_prompt == "Cleantext"
    record["original"] = ""
    found = flips(rows, METRICS)[0]
    assert (found.original_prompt, found.perturbed_prompt) == (None, None)


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ({}, "no metric"),
        ({"correct": {}}, "needs a threshold"),
        ({"correct": {"threshold": 1, "higher": True}}, "needs a threshold"),
        ({"correct": {"threshold": "high"}}, "threshold must be a finite number"),
        ({"correct": {"threshold": True}}, "threshold must be a finite number"),
        ({"correct": {"threshold": 1, "higher_is_better": "no"}}, "true or false"),
        ({"correct": {"threshold": 1, "rule": "loose"}}, "rule must be"),
        ({"bleu": {"threshold": 1}}, "row 0: there is no field 'bleu'"),
    ],
)
def test_bad_settings_are_named(rows, metrics, message):
    with pytest.raises(DataError, match=message):
        flips(rows, metrics)


def test_rows_in_memory_are_named_by_position(rows):
    with pytest.raises(DataError, match="row 0: the perturbed row of original '7' has no clean"):
        flips(rows[:1], METRICS)


def test_answers_of_several_seeds_are_told_apart(command, write, linked):
    rows = [{"id": "7", "text": "clean text", "score": 1.0}]
    rows += [linked(7, score=0.0, response={"seed": seed}) for seed in (0, 1)]
    text = command("flips", write("scored.jsonl", rows), "--score", "score")
    assert [line.partition(": ")[0] for line in text.splitlines() if line.startswith("7")] == [
        f"7, typos p=0.1, replicate 0, asked with seed {seed}" for seed in (0, 1)
    ]


def test_the_command(command, write, rows, tmp_path):
    scored, config = write("scored.jsonl", rows), tmp_path / "metrics.yaml"
    config.write_text(
        "toxicity: {threshold: 0.75, higher_is_better: false}\ncorrect: {threshold: 0.5}"
    )
    lines = command("flips", scored, "--metrics", config, "--json").splitlines()
    assert orjson.loads(lines[0]) == {
        "problem": "robustness",
        "metric": "toxicity",
        "threshold": 0.75,
        "from": 0.3,
        "to": 0.9,
        "direction": "good_to_bad",
        "perturbator": "typos",
        "p": 0.1,
        "severity": None,
        "original_id": "7",
        "replicate": 1,
        "sample": None,
        "original_prompt": "clean text",
        "perturbed_prompt": "cleam text",
        "original_answer": None,
        "perturbed_answer": None,
    }
    assert len(lines) == 4
    text = command("flips", scored, "--metrics", config)
    assert text.startswith("toxicity: of 3 rows with edits 2 broke and 0 recovered\n")
    assert "7, typos p=0.1, replicate 1: toxicity 0.3 -> 0.9 (good -> bad)" in text
    first = command("flips", scored, "--metrics", config, "-n", "1")
    assert first.endswith("3 more; -n 0 lists all\n")
    assert text.startswith(first.partition("\n\n")[0])


def test_rows_without_an_edit_are_no_problems(command, write, rows):
    for row in rows[2:3]:
        row["perturbation"]["status"] = "no site"
    assert [each.replicate for each in flips(rows, METRICS)] == [1, 1, 0]
    text = command("flips", write("scored.jsonl", rows), "--score", "toxicity")
    assert "of 1 without an edit 0 and 1" in text


def test_edits_are_marked_and_answers_shown(command, write, linked):
    rows = [{"id": 1, "prediction": "4", "answer": "4"}, linked(1, prediction="5", answer="4")]
    text = command("flips", write("scored.jsonl", rows))
    assert "  clea[-n-]{+m+} text\n  answers: '4' -> '5'\n" in text


@pytest.mark.parametrize("text", ["correct: 0.5", "- correct", "{", "correct: {threshold: x}"])
def test_a_bad_metrics_file_is_named(command, write, rows, tmp_path, text):
    config = tmp_path / "metrics.yaml"
    config.write_text(text)
    with pytest.raises(UsageError, match=r"metrics\.yaml"):
        command("flips", write("scored.jsonl", rows), "--metrics", config)


def test_a_lost_reply_is_no_flip(command, write, linked):
    """It is left out and counted, whichever of the two never came, with an edit and without."""
    rows = [{"id": at, "prediction": None if at == 1 else "a", "answer": "a"} for at in range(4)]
    rows += [linked(at, prediction=said, answer="a") for at, said in enumerate([None, "a", "b"])]
    rows.append(linked(3, status="no site", prediction=None, answer="a"))
    text = command("flips", write("scored.jsonl", rows))
    assert text.startswith(
        "correct: of 1 rows with edits 1 broke and 0 recovered\n"
        "left out: 3 rows whose reply, or the reply to their original, never came, "
    )
    assert [line[0] for line in text.splitlines() if ", replicate" in line] == ["2"]


def test_answers_flip_as_the_command_lists_them(write, command, linked):
    """In every way to compare that has a threshold, with the answers of both."""
    rows = [{"id": "1", "text": "clean text", "prediction": "The 4.", "answer": "4"}]
    said = ("five", "4!")
    rows += [linked("1", replicate=n, prediction=each, answer="4") for n, each in enumerate(said)]
    scored = write("scored.jsonl", rows)
    for way, count in {"exact": 0, "contains": 1}.items():
        found = flips(rows, match=way)
        assert len(found) == count
        listed = command("flips", scored, "--match", way, "--json").splitlines()
        assert len(listed) == count
        for problem, line in zip(found, listed, strict=True):
            told = orjson.loads(line)
            assert (problem.metric, problem.original_answer) == (told["metric"], "The 4.")
            assert problem.perturbed_answer == told["perturbed_answer"] == "five"
    assert len(flips(rows, against="original")) == 2
    assert [
        one.metric
        for one in flips([{**row, "x": len(row["prediction"]) < 5} for row in rows], score="x")
    ] == ["x", "x"]
    with pytest.raises(UsageError, match="--match wer has no threshold"):
        flips(rows, match="wer")
    with pytest.raises(UsageError, match="--metrics names the scores"):
        flips(rows, METRICS, match="exact")
