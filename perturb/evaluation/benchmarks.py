"""Prompts x benchmarks x seeds, in the layout of NeMo-Skills: BENCHMARK/PROMPT/output-rsN.jsonl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from perturb.errors import DataError, UsageError, unknown
from perturb.evaluation.ask_rows import Output
from perturb.evaluation.prompts import Prompt, Variant
from perturb.evaluation.questions import Row, without_records
from perturb.robustness.grading.extract import Extract, extractor, graded

_FILES = ("{0}.jsonl", "{0}.jsonl.gz", "{0}.jsonl.zst", "{0}/test.jsonl")


def parse_benchmarks(text: str) -> dict[str, int]:
    """Read `gpqa:16,comp-math-24-25:16`: benchmarks, each with its number of seeds, 1 if none.

    Raises:
        UsageError: it is written otherwise, or names one twice.
    """
    found: dict[str, int] = {}
    for part in text.split(","):
        name, colon, count = part.strip().partition(":")
        if not name or name in found or (colon and not (count.isdecimal() and int(count))):
            raise UsageError(f"benchmarks are written gpqa:16,comp-math:4, each once; got {text!r}")
        found[name] = int(count) if colon else 1
    return found


def grid(
    directory: Path,
    data: Path,
    prompts: Mapping[str, Mapping[str, Variant]],
    benchmarks: Mapping[str, int],
    *,
    rows_too: bool,
    extract: Sequence[str],
    target: str,
    prediction: str,
) -> list[Output]:
    """Return one output for each prompt and seed of each benchmark.

    Args:
        directory: where the outputs go.
        data: holds BENCHMARK.jsonl or BENCHMARK/test.jsonl.
        prompts: as `load_set` reads them.
        benchmarks: how many seeds each is asked with; these are 0, 1, ...
        rows_too: whether the system is given rows, with the prompt as `messages`, or the messages
            alone.
        extract: the rules that find the answer to a prompt that has none of its own.
        target: the field of the right answer.
        prediction: the field for what the system says.

    Raises:
        UsageError: a benchmark has no prompts or no data, or there is no such rule.
    """
    made: list[Output] = []
    for benchmark, count in benchmarks.items():
        if benchmark not in prompts:
            raise unknown("benchmark", benchmark, prompts)
        source = _source(data, benchmark)
        for name, (prompt, own) in prompts[benchmark].items():
            find = extractor([own] if own is not None else extract)
            made += [
                Output(
                    path=str(directory / benchmark / name / f"output-rs{seed}.jsonl"),
                    source=source,
                    content=partial(_content, prompt, target, rows_too),
                    seeds=(seed,),
                    prefix=f"{benchmark}/{name}/rs{seed}/",
                    prediction=prediction,
                    complete=partial(_complete, find, target, prediction),
                )
                for seed in range(count)
            ]
    return made


def _source(data: Path, benchmark: str) -> str:
    files = [data / form.format(benchmark) for form in _FILES]
    for file in files:
        if file.is_file():
            return str(file)
    raise UsageError(f"there is no data for {benchmark}: neither {files[0]} nor {files[-1]}")


def _content(prompt: Prompt, target: str, rows_too: bool, row: Row) -> Any:
    if not isinstance(row.get(target), str | int | float):
        raise DataError(
            f"the field {target!r} must hold the right answer, a text or a number; "
            "say with --target which field does"
        )
    messages = prompt.messages(row)
    return {**without_records(row), "messages": messages} if rows_too else messages


def _complete(extract: Extract, target: str, prediction: str, row: Row) -> Row:
    said = None if row[prediction] is None else str(row[prediction])
    answer, correct = graded(said, str(row[target]), extract)
    return {**row, "predicted_answer": answer, "symbolic_correct": correct}
