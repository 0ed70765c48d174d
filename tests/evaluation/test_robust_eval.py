"""`robust_eval`: benchmarks x prompts x seeds from Python."""

import importlib
import json

import pytest
from endpoints import serving

from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.evaluation import robust_eval

SUMS = [{"id": n, "problem": f"{n} + {n}", "expected_answer": 2 * n} for n in range(1, 5)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    lines = [json.dumps(row) for row in SUMS]
    (tmp_path / "data" / "sums.jsonl").write_text("\n".join(lines), "utf-8")
    return tmp_path


def call(folder, system, **more):
    settings = {"prompts": "math", "benchmarks": "sums:2", **more}
    return robust_eval(system, data_dir=folder / "data", output_dir=folder / "out", **settings)


def solve(messages, seed):
    """Right, but for the second seed of prompts that are not addressed to a system."""
    text = " ".join(message["content"] for message in messages)
    problem = next(row for row in SUMS if row["problem"] in text)
    right = len(messages) == 2 or seed == 0
    return f"It is \\boxed{{{problem['expected_answer'] if right else 'none'}}}"


@pytest.mark.slow
def test_a_function_over_the_prompts_that_come_with_perturb(folder, capsys):
    metrics = call(folder, solve)["sums"]
    assert len(metrics) == 21
    assert (metrics["system_only"]["avg"], metrics["plain"]["avg"]) == (100.0, 50.0)
    assert metrics["aggregated"]["num_runs"] == 40
    assert metrics["aggregated"]["prompt_sensitivity"] > 0
    told = capsys.readouterr().out
    log = folder / "out" / "summarize_robustness" / "main.log"
    assert log.read_text("utf-8") == told
    assert json.loads((folder / "out" / "metrics.json").read_bytes())["sums"] == metrics
    output = folder / "out" / "sums" / "plain" / "output-rs1.jsonl"
    manifest = json.loads(output.with_name("output-rs1.jsonl.manifest.json").read_bytes())
    assert manifest["asked"]["options"]["benchmarks"] == "sums:2"
    assert manifest["counts"]["answers"] == 4


@pytest.mark.slow
def test_an_endpoint_and_what_it_is_told(folder):
    with serving() as server:
        server.answer = lambda body: solve(body["messages"], body["seed"])
        metrics = call(folder, server.url, model="m", temperature=0.6)
        assert metrics["sums"]["system_only"]["avg"] == 100.0
        assert {(body["model"], body["temperature"]) for body in server.requests} == {("m", 0.6)}
        asked = len(server.requests)
        assert call(folder, server.url, model="m", temperature=0.6) == metrics
        assert len(server.requests) == asked == 160


@pytest.mark.slow
def test_what_failed_is_asked_alone(folder):
    calls = []

    def system(messages, seed):
        calls.append(messages)
        if len(calls) == 7:
            raise ConnectionError("reset")
        return solve(messages, seed)

    with pytest.raises(
        DataError, match=r"1 question of 160 had no answer: 'sums/.*ConnectionError"
    ):
        call(folder, system, retries=0, concurrency=1)
    call(folder, system, retries=0)
    assert len(calls) == 161


def test_either_door_continues_with_the_answers_of_the_other(folder, monkeypatch, capsys):
    """The same questions to the same function have one journal, one cache and one verdict."""
    monkeypatch.chdir(folder)
    (folder / "set.yaml").write_text("sums:\n- {name: plain, user: '{problem}'}\n", "utf-8")
    code = (
        "def solve(messages, seed):\n    return f'\\\\boxed{{{eval(messages[0][\"content\"])}}}'\n"
    )
    (folder / "solver.py").write_text(code, "utf-8")
    words = ["run", "--prompts", "set.yaml", "--benchmarks", "sums", "--data-dir", "data"]
    words += ["--output-dir", "out", "--command", "python:solver.py:solve", "--cache", "cache"]
    assert main(words) == 0
    made = (folder / "out" / "sums" / "plain" / "output-rs0.jsonl").read_bytes()
    monkeypatch.syspath_prepend(folder)
    solver = importlib.import_module("solver")
    monkeypatch.setattr(solver, "eval", None, raising=False)  # a second question would fail
    metrics = call(folder, solver.solve, prompts="set.yaml", benchmarks="sums")
    assert metrics["sums"]["plain"]["avg"] == 100.0
    again = call(folder, "python:solver.py:solve", prompts="set.yaml", benchmarks="sums")
    assert again == metrics
    assert (folder / "out" / "sums" / "plain" / "output-rs0.jsonl").read_bytes() == made
    capsys.readouterr()
    monkeypatch.setattr(solver, "solve", lambda messages, seed: "")  # no file can name it
    with pytest.raises(UsageError, match=r"command was 'python:solver\.py:solve', now None"):
        call(folder, solver.solve, prompts="set.yaml", benchmarks="sums")


def test_a_function_without_a_seed_is_refused_at_once(folder):
    calls = []
    with pytest.raises(
        UsageError,
        match=r"system\(ASKED, seed=N\), but doesn't take that: got an",
    ):
        call(folder, lambda messages: calls.append(messages))
    assert not calls


def test_wrong_calls(folder):
    with pytest.raises(UsageError, match="there is no data for other"):
        call(folder, solve, benchmarks="other")
    with pytest.raises(UsageError, match="an answer is found by"):
        call(folder, solve, extract=["box"])
