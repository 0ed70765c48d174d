"""Summary of a results directory: benchmarks, prompts and seeds, as NeMo-Skills lays them out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from perturb.boundary import display, opened
from perturb.errors import DataError
from perturb.robustness.grading.grade import by_fields
from perturb.robustness.metrics.consistency import consistency_rate
from perturb.robustness.scoring.sources import file_source
from perturb.robustness.tables.formats import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUNS = "output-rs*.jsonl"
_BENCHMARK_COLUMNS = ("min", "max", "avg", "std", "CR", "prompt_sensitivity")
_PROMPT_COLUMNS = ("min", "max", "avg", "std", "CR", "no_answer")

Metrics = dict[str, dict[str, dict[str, Any]]]


class _Run(NamedTuple):
    accuracy: float
    no_answer: float
    answers: list[Any]


def summarize_robustness(
    results_dir: str | Path, save_metrics_path: str | Path | None = None
) -> Metrics:
    """Summarize the runs under `results_dir/BENCHMARK/PROMPT/output-rsN.jsonl`; print and save it.

    The tables also go to `results_dir/summarize_robustness/main.log`.

    A row holds `predicted_answer` (null: no answer) and `symbolic_correct` (true, false or a
    number in [0, 1]); row i of every run of a benchmark is the same datapoint.

    Each prompt, and all runs of a benchmark under `aggregated`, have `min`, `max`, `avg` and `std`
    of the runs' accuracies, and `CR`, the consistency rate (null for a single run). A prompt also
    has `no_answer` and `num_seeds`; `aggregated` has `num_runs` and `prompt_sensitivity`, the
    standard deviation of the prompts' averages. All but the counts are in percent; standard
    deviations are the population's.

    Directories whose name holds "summarize" or starts with a dot are no benchmarks.

    Args:
        results_dir: the directory of the benchmarks.
        save_metrics_path: where to write the metrics; `results_dir/metrics.json` by default.

    Returns:
        What was written: benchmark -> prompt or `aggregated` -> measure.

    Raises:
        DataError: there is no benchmark, a benchmark or prompt has no run, a run is empty or has
            another number of rows than the others of its benchmark, or a row lacks a field.

    Source: "Robustness Evaluation" (NeMo-Skills), section "Summarize Robustness".
    """
    root = Path(results_dir)
    metrics = {path.name: _benchmark(path) for path in _benchmarks(root)}
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


def _benchmarks(root: Path) -> list[Path]:
    if not root.is_dir():
        raise DataError(f"{root} is not a directory")
    benchmarks = _directories(root)
    if not benchmarks:
        raise DataError(f"{root} holds no benchmark: BENCHMARK/PROMPT/{_RUNS} is expected")
    return benchmarks


def _benchmark(path: Path) -> dict[str, dict[str, Any]]:
    prompts = {prompt.name: _runs(prompt) for prompt in _directories(path)}
    if not prompts:
        raise DataError(f"{path} holds no prompt: PROMPT/{_RUNS} is expected")
    runs = [run for by_seed in prompts.values() for run in by_seed.values()]
    _refuse_unequal({file: run for found in prompts.values() for file, run in found.items()})
    metrics = {
        name: {
            **_statistics(list(by_seed.values())),
            "no_answer": float(np.mean([run.no_answer for run in by_seed.values()])),
            "num_seeds": len(by_seed),
        }
        for name, by_seed in prompts.items()
    }
    averages = [prompt["avg"] for prompt in metrics.values()]
    metrics["aggregated"] = {
        **_statistics(runs),
        "num_runs": len(runs),
        "prompt_sensitivity": float(np.std(averages)),
    }
    return metrics


def _runs(prompt: Path) -> dict[Path, _Run]:
    if prompt.name == "aggregated":
        raise DataError(f"{prompt}: a prompt cannot be named aggregated, the metrics use that name")
    files = sorted(prompt.rglob(_RUNS))
    if not files:
        raise DataError(f"{prompt} holds no {_RUNS}")
    return {file: _run(file) for file in files}


def _run(file: Path) -> _Run:
    source, grade = file_source(file), by_fields(["symbolic_correct"], "predicted_answer")
    scores, answers = [], []
    for number, row in source.rows:
        try:
            for (score,), answer in grade([row]):
                scores.append(score)
                answers.append(answer)
        except DataError as error:
            raise DataError(f"{source.at(number)}: {error}") from None
    if not scores:
        raise DataError(f"{file} is empty: run it again or leave the run out")
    missing = 100 * answers.count(None) / len(answers)
    return _Run(100 * float(np.mean(scores)), missing, answers)


def _refuse_unequal(runs: dict[Path, _Run]) -> None:
    longest = max(runs, key=lambda file: len(runs[file].answers))
    for file, run in runs.items():
        if len(run.answers) < len(runs[longest].answers):
            raise DataError(
                f"{file} has {len(run.answers)} rows and {longest} {len(runs[longest].answers)}: "
                "every run of a benchmark must answer the same datapoints"
            )


def _statistics(runs: Sequence[_Run]) -> dict[str, Any]:
    accuracies = [run.accuracy for run in runs]
    return {
        "min": min(accuracies),
        "max": max(accuracies),
        "avg": float(np.mean(accuracies)),
        "std": float(np.std(accuracies)),
        "CR": consistency_rate(by_run=[run.answers for run in runs]) if len(runs) > 1 else None,
    }


def _report(metrics: Metrics) -> str:
    rows = [
        _cells(f"{name}@{found['aggregated']['num_runs']}", found["aggregated"], _BENCHMARK_COLUMNS)
        for name, found in metrics.items()
    ]
    tables = [aligned([("dataset", *_BENCHMARK_COLUMNS), *rows])]
    for name, found in metrics.items():
        table = _prompts(found)
        width = len(table.splitlines()[1])
        tables.append(f"{f' {name} ':-^{width}}\n{table}")
    return "\n\n".join(tables)


def _prompts(found: dict[str, dict[str, Any]]) -> str:
    prompts = {name: measures for name, measures in found.items() if name != "aggregated"}
    seeds = sorted({measures["num_seeds"] for measures in prompts.values()})
    header = "prompt@" + "-".join(map(str, seeds[:1] + seeds[1:][-1:]))
    by_average = sorted(prompts.items(), key=lambda item: item[1]["avg"])
    rows = [_cells(name, measures, _PROMPT_COLUMNS) for name, measures in by_average]
    return aligned([(header, *_PROMPT_COLUMNS), *rows])


def _cells(name: str, measures: dict[str, Any], columns: Sequence[str]) -> tuple[str, ...]:
    cells = ("-" if measures[key] is None else f"{measures[key]:.2f}" for key in columns)
    return (name, *cells)
