"""Prompts x benchmarks x seeds, in the layout of NeMo-Skills: BENCHMARK/PROMPT/output-rsN.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from perturb.errors import DataError, UsageError, unknown
from perturb.evaluation.ask_rows import (
    Output,
    Run,
    ask_questions,
    count_questions,
    make_folders,
    unanswered,
    write_outputs,
)
from perturb.evaluation.journal import Journal
from perturb.evaluation.limits import RateLimiter, paced
from perturb.evaluation.prompts import SHIPPED, Prompt, load_set, shipped_set
from perturb.evaluation.questions import Row, without_records
from perturb.evaluation.systems import endpoint
from perturb.evaluation.systems.function import function
from perturb.robustness.grading.extract import Extract, extractor, graded
from perturb.robustness.scoring.summarize import Metrics, summarize_robustness

# The journal in the folder of the outputs.
JOURNAL = "answers.journal"
_FILES = ("{0}.jsonl", "{0}.jsonl.gz", "{0}.jsonl.zst", "{0}/test.jsonl")


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
    """Ask a system about every benchmark, with every prompt and seed, and summarize.

    Answers are kept in `output_dir/answers.journal`: if a call was stopped, or questions had no
    answer, the same call asks only the rest.

    Args:
        system: the URL of an endpoint; or a function, plain or async, from chat messages to the
            answer, which gets the seed as `seed`.
        prompt_set_config: YAML from benchmarks to prompt files; or `math` or `mcq`, the sets that
            come with perturb.
        benchmarks: names with numbers of seeds, such as `gpqa:16,comp-math-24-25:16`.
        data_dir: the folder of BENCHMARK.jsonl or BENCHMARK/test.jsonl.
        output_dir: the folder for BENCHMARK/PROMPT/output-rsN.jsonl, metrics.json and the log.
        body: the fields of each request to an endpoint: `model`, `temperature`, `top_p`, ...
        key_env: the environment variable with the key of an endpoint; OPENAI_API_KEY by default.
        field: the field of the problem, for prompts that come with perturb.
        target: the field of the right answer.
        extract: the rules that find the answer: `boxed`, `number`, `choice`, `regex:PATTERN`.
        concurrency: questions under way at a time.
        retries: tries after the first, with backoff; for a function as in `evaluate`.
        timeout: seconds for one answer of an endpoint.

    Returns:
        The result of `summarize_robustness`.

    Raises:
        DataError: questions had no answer (how many, and the first error), or rows can't be asked.
        UsageError: a benchmark, a prompt set or a rule is invalid.

    Source: "Robustness Evaluation" (NeMo-Skills).
    """
    options = {
        "prompts": str(prompt_set_config),
        "benchmarks": benchmarks,
        "data_dir": str(data_dir),
        "output_dir": str(output_dir),
    }
    outputs = grid(*options.values(), field=field, target=target, extract=extract)
    if isinstance(system, str):
        body, key = dict(body or {}), endpoint.key_from(key_env)
        opened = endpoint.endpoint(system, body, key=key, headers={}, timeout=timeout)
        settings = endpoint.settings(system, body)
    else:
        name = getattr(system, "__qualname__", type(system).__qualname__)
        opened, settings = function(system, concurrency=concurrency), {"function": name}
    journal = Journal(Path(output_dir, JOURNAL), settings)
    make_folders(outputs)
    counts = count_questions(outputs, journal)
    run = Run(paced(opened, RateLimiter()), journal, counts, concurrency, retries)
    ask_questions(run, unanswered(outputs, journal))
    if counts.failed:
        question, error = next(iter(counts.failed.items()))
        raise DataError(
            f"{len(counts.failed)} of {counts.questions} questions had no answer; {question!r}: "
            f"{error}; the same call asks only these, since {journal.path} has all others"
        )
    call = {"command": "run", "options": {**settings, **options}}
    write_outputs(outputs, journal, counts, call)
    return summarize_robustness(output_dir)


def parse_benchmarks(text: str) -> dict[str, int]:
    """Read `gpqa:16,comp-math-24-25:16`: benchmarks, each with its number of seeds, 1 if none.

    Raises:
        UsageError: it has another form, or names a benchmark twice.
    """
    benchmarks: dict[str, int] = {}
    for part in text.split(","):
        name, colon, count = part.strip().partition(":")
        if not name or name in benchmarks or (colon and not (count.isdecimal() and int(count))):
            raise UsageError(f"write benchmarks as gpqa:16,comp-math:4, each once; got {text!r}")
        benchmarks[name] = int(count) if colon else 1
    return benchmarks


def grid(
    prompt_set: str,
    benchmarks: str,
    data_dir: str | Path,
    output_dir: str | Path,
    *,
    field: str,
    target: str,
    extract: Sequence[str],
    prediction: str = "prediction",
    rows_too: bool = False,
) -> list[Output]:
    """Return one output for each prompt and seed of each benchmark.

    Args:
        prompt_set: see `robust_eval`, as for all that follow.
        benchmarks: the names, each with its number of seeds 0, 1, ...
        data_dir: the folder of the rows.
        output_dir: the folder for the outputs.
        field: the field of the problem, for prompts that come with perturb.
        target: the field of the right answer.
        extract: the rules that find the answer, for prompts without their own.
        prediction: the field for the reply.
        rows_too: whether the system gets rows, with the prompt as `messages`, or only the messages.

    Raises:
        UsageError: a benchmark has no prompts or no data, or there is no such rule.
    """
    counts = parse_benchmarks(benchmarks)
    if prompt_set in SHIPPED:
        prompts = dict.fromkeys(counts, shipped_set(prompt_set, field))
    else:
        prompts = load_set(Path(prompt_set))
    outputs: list[Output] = []
    for benchmark, count in counts.items():
        if benchmark not in prompts:
            raise unknown("benchmark", benchmark, prompts)
        source = _source(Path(data_dir), benchmark)
        for name, (prompt, rule) in prompts[benchmark].items():
            find = extractor(extract if rule is None else [rule])
            outputs += [
                Output(
                    path=str(Path(output_dir, benchmark, name, f"output-rs{seed}.jsonl")),
                    source=source,
                    content=partial(_content, prompt, target, rows_too),
                    seeds=(seed,),
                    prefix=f"{benchmark}/{name}/rs{seed}/",
                    prediction=prediction,
                    complete=partial(_complete, find, target, prediction),
                )
                for seed in range(count)
            ]
    return outputs


def _source(data: Path, benchmark: str) -> str:
    files = [data / form.format(benchmark) for form in _FILES]
    for file in files:
        if file.is_file():
            return str(file)
    raise UsageError(f"there is no data for {benchmark}: neither {files[0]} nor {files[-1]}")


def _content(prompt: Prompt, target: str, rows_too: bool, row: Row) -> Any:
    if not isinstance(row.get(target), str | int | float):
        raise DataError(
            f"the field {target!r} must be the right answer, a text or a number; name another with "
            "--target"
        )
    messages = prompt.messages(row)
    return {**without_records(row), "messages": messages} if rows_too else messages


def _complete(extract: Extract, target: str, prediction: str, row: Row) -> Row:
    response = None if row[prediction] is None else str(row[prediction])
    answer, correct = graded(response, str(row[target]), extract)
    return {**row, "predicted_answer": answer, "symbolic_correct": correct}
