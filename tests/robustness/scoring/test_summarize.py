import likelihood
import numpy as np
import orjson
import pytest

from perturb.errors import DataError
from perturb.robustness import summarize_robustness


def run(correct, answers=None):
    answers = answers if answers is not None else ["A" if right else "B" for right in correct]
    return [
        {"symbolic_correct": right, "predicted_answer": answer}
        for right, answer in zip(correct, answers, strict=True)
    ]


def share(right, of):
    return run([True] * right + [False] * (of - right))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "prompts", "rows", "expected"),
    [
        ("comp-math-24-25", {"prompt_1": 1269, "prompt_21": 1286}, 2500, 0.34),
        # Between 0.77 and 0.78 in the averages as they are printed, 54.73 and 56.28.
        ("gpqa", {"prompt_1": 5473, "prompt_21": 5628}, 10_000, 0.775),
    ],
)
def test_prompt_sensitivity_of_the_example_table(
    write, tmp_path, benchmark, prompts, rows, expected
):
    for prompt, right in prompts.items():
        for seed in (0, 1):
            write(f"{benchmark}/{prompt}/output-rs{seed}.jsonl", share(right, rows))
    metrics = summarize_robustness(tmp_path)[benchmark]
    assert metrics["aggregated"]["prompt_sensitivity"] == pytest.approx(expected)
    assert metrics["prompt_1"]["avg"] == pytest.approx(100 * prompts["prompt_1"] / rows)


@pytest.fixture
def results(write, tmp_path):
    write("gpqa/one/output-rs0.jsonl", run([1, 1, 0, 0], ["A", "B", "C", None]))
    write("gpqa/one/output-rs1.jsonl", run([1, 0, 0, 0], ["A", "D", "C", None]))
    write("gpqa/two/deeper/output-rs0.jsonl", run([1, 1, 1, 1], ["A", "B", "C", "D"]))
    write("summarize_robustness/main.log", [])
    write("gpqa/.cache/x", [])
    return tmp_path


def test_the_measures(results):
    metrics = summarize_robustness(results)
    more = {"low", "high", "noise"}
    assert {
        benchmark: {
            name: {key: value for key, value in one.items() if key not in more}
            for name, one in measures.items()
        }
        for benchmark, measures in metrics.items()
    } == {
        "gpqa": {
            "one": {
                "min": 25,
                "max": 50,
                "avg": 37.5,
                "std": 12.5,
                "CR": 50,
                "no_answer": 25,
                "num_seeds": 2,
            },
            "two": {
                "min": 100,
                "max": 100,
                "avg": 100,
                "std": 0,
                "CR": None,
                "no_answer": 0,
                "num_seeds": 1,
            },
            "aggregated": {
                "min": 25,
                "max": 100,
                "avg": pytest.approx(175 / 3),
                "std": pytest.approx(31.180478),
                "CR": pytest.approx(700 / 12),
                "num_runs": 3,
                "prompt_sensitivity": 31.25,
            },
        }
    }
    assert orjson.loads((results / "metrics.json").read_bytes()) == metrics


def test_the_tables(results, command, tmp_path):
    saved = tmp_path / "deep" / "saved.json"
    text = command("summarize", results, "--save", saved)
    assert saved.exists()
    assert not (results / "metrics.json").exists()
    assert text.splitlines() == [
        "dataset | min   | max    | avg   | std   | CR    | prompt_sensitivity | noise",
        "-----------------------------------------------------------------------------",
        "gpqa@3  | 25.00 | 100.00 | 58.33 | 31.18 | 58.33 | 31.25              | 15.31",
        "",
        "-------------------------------------- gpqa --------------------------------------",
        "prompt@1-2 | min    | max    | avg    | low   | high   | std   | CR    | no_answer",
        "----------------------------------------------------------------------------------",
        "one        | 25.00  | 50.00  | 37.50  | 6.85  | 80.51  | 12.50 | 50.00 | 25.00",
        "two        | 100.00 | 100.00 | 100.00 | 48.35 | 100.00 | 0.00  | -     | 0.00",
        "",
        "low and high limit avg with 95 % over questions such as these, for these prompts alone:",
        "prompt_sensitivity, beside noise, says how far prompts scatter.",
    ]


def test_no_benchmark(tmp_path):
    with pytest.raises(DataError, match="holds no benchmark"):
        summarize_robustness(tmp_path)
    with pytest.raises(DataError, match="is not a directory"):
        summarize_robustness(tmp_path / "none")
    (tmp_path / "gpqa").mkdir()
    with pytest.raises(DataError, match="gpqa holds no prompt"):
        summarize_robustness(tmp_path)
    (tmp_path / "gpqa" / "one").mkdir()
    with pytest.raises(DataError, match=r"one holds no output-rs\*\.jsonl"):
        summarize_robustness(tmp_path)


def test_unequal_and_empty_runs_are_named(write, tmp_path):
    write("gpqa/one/output-rs0.jsonl", share(1, 4))
    write("gpqa/two/output-rs0.jsonl", share(1, 3))
    with pytest.raises(DataError, match=r"two/output-rs0.jsonl has 3 rows and .*one.* 4"):
        summarize_robustness(tmp_path)
    write("gpqa/two/output-rs0.jsonl", [])
    with pytest.raises(DataError, match=r"two/output-rs0.jsonl is empty"):
        summarize_robustness(tmp_path)


def test_missing_fields_are_named(write, tmp_path):
    write("gpqa/one/output-rs0.jsonl", [{"symbolic_correct": True}])
    with pytest.raises(DataError, match=r"output-rs0.jsonl:1: .*'predicted_answer'"):
        summarize_robustness(tmp_path)


def test_the_name_of_the_aggregate_is_taken(write, tmp_path):
    write("gpqa/aggregated/output-rs0.jsonl", share(1, 2))
    with pytest.raises(DataError, match="cannot be named aggregated"):
        summarize_robustness(tmp_path)


def test_the_noise_floor_is_that_of_prompts_that_mean_nothing(write, tmp_path):
    """Dealing the scores of each question to the runs anew, 4,000 times, gives it to within 3 %."""
    rng = np.random.default_rng(3)
    right = rng.random((5, 40)) < rng.random(40)
    seeds = {"one": [0, 1], "two": [2], "three": [3, 4]}
    for prompt, runs in seeds.items():
        for seed, at in enumerate(runs):
            write(f"gpqa/{prompt}/output-rs{seed}.jsonl", run(right[at].tolist()))
    metrics = summarize_robustness(tmp_path)["gpqa"]["aggregated"]
    dealt = rng.permuted(np.broadcast_to(right, (4000, 5, 40)), axis=1)
    averages = [dealt[:, runs].mean((1, 2)) for runs in seeds.values()]
    slow = 100 * np.sqrt(np.var(averages, axis=0).mean())
    assert metrics["noise"] == pytest.approx(slow, rel=0.03)
    assert metrics["low"] < metrics["avg"] < metrics["high"]


def test_seeds_of_a_question_are_no_more_questions(write, tmp_path):
    """Three runs that say the same are one: the interval is as wide, to the rounding."""
    for prompt, seeds in (("one", 1), ("two", 3)):
        for seed in range(seeds):
            write(f"gpqa/{prompt}/output-rs{seed}.jsonl", share(70, 100))
    metrics = summarize_robustness(tmp_path)["gpqa"]
    one, two = ([metrics[name][limit] for limit in ("low", "high")] for name in ("one", "two"))
    assert one == pytest.approx(two)
    assert one == pytest.approx([60.4, 78.2], abs=0.3)  # Agresti and Coull's of 70 of 100
    assert metrics["aggregated"]["noise"] == metrics["aggregated"]["prompt_sensitivity"] == 0


def test_scores_between_0_and_1(write, tmp_path):
    write("gpqa/one/output-rs0.jsonl", run([0.5, 0.25, 0.75, 0.5] * 4, ["A"] * 16))
    limits = summarize_robustness(tmp_path)["gpqa"]["one"]
    expected = likelihood.limits([0.5, 0.25, 0.75, 0.5] * 4, range(16), ends=(0.0, 1.0))
    assert [limits["low"], limits["high"]] == pytest.approx(100 * np.array(expected), abs=1e-5)
