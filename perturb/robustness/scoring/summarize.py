"""Summary of a results directory: benchmarks, prompts and seeds, as NeMo-Skills lays them out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.boundary import display, opened
from perturb.errors import DataError
from perturb.robustness.grading.grade import by_fields
from perturb.robustness.linking.sources import file_source
from perturb.robustness.metrics.bounded import bounded_interval
from perturb.robustness.metrics.consistency import consistency_rate
from perturb.robustness.tables.formats import aligned, number

_RUNS = "output-rs*.jsonl"
_BENCHMARK_COLUMNS = ("min", "max", "avg", "std", "CR", "prompt_sensitivity", "noise")
_ABOUT = (
    "low and high limit avg with 95 % over questions such as these, for these prompts alone:\n"
    "prompt_sensitivity, beside noise, says how far prompts scatter."
)
_PROMPT_COLUMNS = ("min", "max", "avg", "low", "high", "std", "CR", "no_answer")

Metrics = dict[str, dict[str, dict[str, Any]]]


class _Run(NamedTuple):
    file: Path
    scores: list[float]
    answers: list[Any]

    @property
    def accuracy(self) -> float:
        """The mean of the scores, in percent."""
        return 100 * float(np.mean(self.scores))


def summarize_robustness(
    results_dir: str | Path, save_metrics_path: str | Path | None = None
) -> Metrics:
    """Summarize the runs under `results_dir/BENCHMARK/PROMPT/output-rsN.jsonl`; print and save it.

    The tables also go to `results_dir/summarize_robustness/main.log`.

    A row holds `predicted_answer` (null: no answer) and `symbolic_correct` (true, false or a
    number in [0, 1]); row i of every run of a benchmark is the same datapoint.

    Each prompt, and all runs of a benchmark under `aggregated`, have `min`, `max`, `avg` and `std`
    of the runs' accuracies, and `CR`, the consistency rate (null for a single run); `low` and
    `high` limit the average, 95 %, with questions as clusters (null for a single question). A
    prompt also has `no_answer` and `num_seeds`; `aggregated` has `num_runs` and
    `prompt_sensitivity`, the standard deviation of the prompts' averages, and `noise`, what that
    would be if prompts meant nothing: its root mean square where the scores of each question are
    dealt to the runs at random (null for a single run). All but the counts are in percent; standard
    deviations are the population's.

    Directories whose name holds "summarize" or starts with a dot are no benchmarks.

    Args:
        results_dir: the directory of the benchmarks.
        save_metrics_path: where to write the metrics; `results_dir/metrics.json` by default.

    Returns:
        The metrics that were written: benchmark -> prompt or `aggregated` -> measure.

    Raises:
        DataError: there is no benchmark, a benchmark or prompt has no run, a run is empty or has
            another number of rows than the others of its benchmark, or a row lacks a field.

    Source: "Robustness Evaluation" (NeMo-Skills), section "Summarize Robustness".
    """
    root = Path(results_dir)
    if not root.is_dir():
        raise DataError(f"{root} is not a directory")
    metrics = {path.name: _benchmark(path) for path in _directories(root)}
    if not metrics:
        raise DataError(f"{root} holds no benchmark: BENCHMARK/PROMPT/{_RUNS} is expected")
    report = _report(metrics)
    target = root / "metrics.json" if save_metrics_path is None else Path(save_metrics_path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with opened(target, "wb") as file:
        file.write(orjson.dumps(metrics, option=orjson.OPT_INDENT_2))
    log = root / "summarize_robustness" / "main.log"
    log.parent.mkdir(exist_ok=True)
    with opened(log, "wb") as file:
        file.write(f"{report}\n".encode())
    display(report)  # last: a reader that leaves takes no file along
    return metrics


def _directories(parent: Path) -> list[Path]:
    return sorted(
        path
        for path in parent.iterdir()
        if path.is_dir() and "summarize" not in path.name and not path.name.startswith(".")
    )


def _benchmark(path: Path) -> dict[str, dict[str, Any]]:
    prompts = {prompt.name: _runs(prompt) for prompt in _directories(path)}
    if not prompts:
        raise DataError(f"{path} holds no prompt: PROMPT/{_RUNS} is expected")
    runs = [run for by_seed in prompts.values() for run in by_seed]
    longest = max(runs, key=lambda run: len(run.answers))
    for run in runs:
        if len(run.answers) < len(longest.answers):
            raise DataError(
                f"{run.file} has {len(run.answers)} rows and {longest.file} "
                f"{len(longest.answers)}: every run of a benchmark must answer the same datapoints"
            )
    metrics: dict[str, dict[str, Any]] = {}
    for name, by_seed in prompts.items():
        missing = [100 * run.answers.count(None) / len(run.answers) for run in by_seed]
        no_answer = {"no_answer": float(np.mean(missing)), "num_seeds": len(by_seed)}
        metrics[name] = _statistics(by_seed) | no_answer
    metrics["aggregated"] = {
        **_statistics(runs),
        "num_runs": len(runs),
        "prompt_sensitivity": float(np.std([prompt["avg"] for prompt in metrics.values()])),
        "noise": _noise(list(prompts.values())),
    }
    return metrics


def _runs(prompt: Path) -> list[_Run]:
    if prompt.name == "aggregated":
        raise DataError(f"{prompt}: a prompt cannot be named aggregated, the metrics use that name")
    files = sorted(prompt.rglob(_RUNS))
    if not files:
        raise DataError(f"{prompt} holds no {_RUNS}")
    return [_run(file) for file in files]


def _run(file: Path) -> _Run:
    source, grade = file_source(file), by_fields(["symbolic_correct"], "predicted_answer")
    scores, answers = [], []
    for at, row in source.rows:
        with source.naming(at):
            (((score,), answer),) = grade([row])
        scores.append(score)
        answers.append(answer)
    if not scores:
        raise DataError(f"{file} is empty: run it again or leave the run out")
    return _Run(file, scores, answers)


def _statistics(runs: Sequence[_Run]) -> dict[str, Any]:
    accuracies = [run.accuracy for run in runs]
    return {
        "min": min(accuracies),
        "max": max(accuracies),
        "avg": float(np.mean(accuracies)),
        "std": float(np.std(accuracies)),
        "CR": consistency_rate(by_run=[run.answers for run in runs]) if len(runs) > 1 else None,
        **_limits(runs),
    }


def _limits(runs: Sequence[_Run]) -> dict[str, float | None]:
    """Return the limits of the average over runs, with the questions as clusters."""
    scores = np.array([run.scores for run in runs])
    questions = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    if scores.shape[1] < 2:
        return {"low": None, "high": None}
    low, high = bounded_interval(scores.ravel(), questions.ravel(), ends=(0.0, 1.0))
    return {"low": 100 * low, "high": 100 * high}


def _noise(prompts: Sequence[Sequence[_Run]]) -> float | None:
    """Return the sensitivity to prompts that mean nothing.

    For a question whose R scores have the variance v, the mean of S of them, drawn without
    replacement, has the variance v / S * (R - S) / (R - 1), and two such means the covariance
    -v / (R - 1).
    """
    scores = np.array([run.scores for runs in prompts for run in runs])
    count = len(scores)
    if count < 2:
        return None
    seeds = np.array([len(runs) for runs in prompts])
    share = ((count - seeds) / seeds + 1).mean() / (count - 1) * (1 - 1 / seeds.size)
    return float(100 * np.sqrt(share * scores.var(axis=0).sum()) / scores.shape[1])


def _report(metrics: Metrics) -> str:
    wholes = {
        f"{name}@{prompts['aggregated']['num_runs']}": prompts["aggregated"]
        for name, prompts in metrics.items()
    }
    tables = [_table("dataset", _BENCHMARK_COLUMNS, wholes)]
    for name, measures in metrics.items():
        prompts = {prompt: one for prompt, one in measures.items() if prompt != "aggregated"}
        seeds = sorted({one["num_seeds"] for one in prompts.values()})
        header = "prompt@" + "-".join(map(str, seeds[:1] + seeds[1:][-1:]))
        by_average = dict(sorted(prompts.items(), key=lambda item: item[1]["avg"]))
        table = _table(header, _PROMPT_COLUMNS, by_average)
        width = len(table.splitlines()[1])
        tables.append(f"{f' {name} ':-^{width}}\n{table}")
    return "\n\n".join([*tables, _ABOUT])


def _table(header: str, columns: Sequence[str], measures: dict[str, dict[str, Any]]) -> str:
    rows = [
        (name, *(number(values[key], ".2f") for key in columns))
        for name, values in measures.items()
    ]
    return aligned([(header, *columns), *rows])
