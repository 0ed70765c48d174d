"""Run a Python function over benchmarks, prompts and seeds, as NeMo-Skills' `robust_eval` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from perturb.errors import DataError
from perturb.evaluation.ask import System
from perturb.evaluation.ask_rows import (
    AskCounts,
    AskPolicy,
    Output,
    Progress,
    ask_outputs,
    count_questions,
    make_folders,
    write_outputs,
)
from perturb.evaluation.benchmarks import grid, parse_benchmarks
from perturb.evaluation.journal import Journal
from perturb.evaluation.limits import RateLimiter, paced
from perturb.evaluation.prompts import SHIPPED, load_set, shipped_set
from perturb.evaluation.systems import endpoint
from perturb.evaluation.systems.function import function
from perturb.robustness.scoring.summarize import Metrics, summarize_robustness

_SILENT = Progress(lambda: None, lambda *_: None)


def robust_eval(
    system: str | Callable[..., Any],
    *,
    prompt_set_config: str | Path,
    benchmarks: str,
    data_dir: str | Path,
    output_dir: str | Path,
    body: Mapping[str, Any] | None = None,
    key_env: str | None = None,
    field: str = "problem",
    target: str = "expected_answer",
    extract: Sequence[str] = ("boxed",),
    concurrency: int = 16,
    retries: int = 8,
    timeout: float = 600.0,
) -> Metrics:
    """Ask a system every benchmark in every prompt with every seed, and summarize.

    Answers are kept in `output_dir/answers.journal`: where a call was stopped, or questions had no
    answer, the same call asks the rest alone.

    Args:
        system: the URL of an endpoint; or a function, plain or async, from chat messages to the
            answer, which gets the seed as `seed`.
        prompt_set_config: YAML from benchmarks to prompt files; or `math` or `mcq`, the sets that
            come with perturb.
        benchmarks: names with their numbers of seeds, as `gpqa:16,comp-math-24-25:16`.
        data_dir: holds BENCHMARK.jsonl or BENCHMARK/test.jsonl.
        output_dir: for BENCHMARK/PROMPT/output-rsN.jsonl, metrics.json and the log.
        body: what each request to an endpoint says: `model`, `temperature`, `top_p`, ...
        key_env: the environment variable with the key of an endpoint; OPENAI_API_KEY by default.
        field: the field of the problem, for prompts that come with perturb.
        target: the field of the right answer.
        extract: the rules that find the answer: `boxed`, `number`, `choice`, `regex:PATTERN`.
        concurrency: questions under way at a time.
        retries: tries after the first, with backoff.
        timeout: seconds for one answer of an endpoint.

    Returns:
        What `summarize_robustness` returns.

    Raises:
        DataError: questions had no answer (how many, and the first error), or rows can't be asked.
        UsageError: a benchmark, a prompt set or a rule can't be.

    Source: "Robustness Evaluation" (NeMo-Skills).
    """
    root, counted = Path(output_dir), parse_benchmarks(benchmarks)
    if str(prompt_set_config) in SHIPPED:
        prompts = dict.fromkeys(counted, shipped_set(str(prompt_set_config), field))
    else:
        prompts = load_set(Path(prompt_set_config))
    outputs = grid(
        root,
        Path(data_dir),
        prompts,
        counted,
        rows_too=False,
        extract=extract,
        target=target,
        prediction="prediction",
    )
    opened, settings = _system(system, dict(body or {}), key_env, concurrency, timeout)
    options = {
        "prompts": str(prompt_set_config),
        "benchmarks": benchmarks,
        "data_dir": str(data_dir),
        "output_dir": str(output_dir),
    }
    journal = Journal(root / "answers.journal", settings)
    make_folders(outputs)
    counts = count_questions(outputs, journal)
    _ask(outputs, journal, opened, AskPolicy(concurrency, retries), counts)
    asked = {"command": "run", "options": {**settings, **options}}
    write_outputs(outputs, journal, counts, asked)
    return summarize_robustness(root)


def _system(
    system: str | Callable[..., Any],
    body: dict[str, Any],
    key_env: str | None,
    concurrency: int,
    timeout: float,
) -> tuple[System, dict[str, Any]]:
    """Return the system, paced, and the settings of its journal."""
    if isinstance(system, str):
        key = endpoint.key_from(key_env)
        opened = endpoint.endpoint(system, body, key=key, headers={}, timeout=timeout)
        settings = endpoint.settings(system, body)
    else:
        name = getattr(system, "__qualname__", type(system).__qualname__)
        opened, settings = function(system, concurrency=concurrency), {"function": name}
    return paced(opened, RateLimiter()), settings


def _ask(
    outputs: list[Output],
    journal: Journal,
    system: System,
    policy: AskPolicy,
    counts: AskCounts,
) -> None:
    ask_outputs(outputs, journal, system, policy, counts, _SILENT)
    if counts.failed:
        key, error = next(iter(counts.failed.items()))
        raise DataError(
            f"{len(counts.failed)} questions of {counts.questions} had no answer; {key!r}: "
            f"{error}; the same call asks only these, since all else is kept in {journal.path}"
        )
