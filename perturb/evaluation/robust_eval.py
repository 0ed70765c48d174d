"""Prompts x benchmarks x seeds, in the layout of NeMo-Skills: BENCHMARK/PROMPT/output-rsN.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

from perturb.errors import DataError, UsageError, door, unknown
from perturb.evaluation.ask_rows import Output, answer, count_questions, make_folders
from perturb.evaluation.asking import Asking
from perturb.evaluation.prompts import SHIPPED, load_set, shipped_set
from perturb.evaluation.questions import Content, Row
from perturb.robustness.grading.extract import Extract, extractor, graded
from perturb.robustness.scoring.summarize import Metrics, summarize_robustness
from perturb.values.signatures import spelled_out

_FILES = ("{0}.jsonl", "{0}.jsonl.gz", "{0}.jsonl.zst", "{0}/test.jsonl")


class Asked(TypedDict, total=False):
    """The keyword arguments that say how a system is asked, as `Asking` has them."""

    model: str | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    extra_body: Mapping[str, Any] | None
    key_env: str | None
    header: Sequence[str]
    concurrency: int
    rpm: float | None
    tpm: float | None
    retries: int
    timeout: float
    cache: Path | None
    same_system: bool


@dataclass(frozen=True)
class PromptRuns:
    """A plan of benchmarks in several prompts; `robust_eval` describes its fields."""

    prompts: str | Path
    benchmarks: str
    data_dir: str | Path
    output_dir: str | Path
    field: str = "problem"
    target: str = "expected_answer"
    extract: Sequence[str] = ("boxed",)
    prediction: str = "prediction"

    @property
    def journal(self) -> Path:
        """The path of the journal, in the folder of the outputs."""
        return Path(self.output_dir, "answers.journal")

    def options(self) -> dict[str, Any]:
        """Return its fields that have a value, for manifests."""
        return {
            name: str(one) if isinstance(one, Path) else one for name, one in vars(self).items()
        }

    def outputs(self, asking: Asking) -> list[Output]:
        """Return one output for each prompt and seed of each benchmark.

        Raises:
            UsageError: a benchmark has no prompts or no data, or there is no such rule.
        """
        counts, name = parse_benchmarks(self.benchmarks), str(self.prompts)
        if name in SHIPPED:
            prompts = dict.fromkeys(counts, shipped_set(name, self.field))
        else:
            prompts = load_set(Path(name))
        outputs: list[Output] = []
        for benchmark, count in counts.items():
            if benchmark not in prompts:
                raise unknown("benchmark", benchmark, prompts)
            source = _source(Path(self.data_dir), benchmark)
            for name, (prompt, rule) in prompts[benchmark].items():
                find = extractor(self.extract if rule is None else [rule])
                outputs += [
                    Output(
                        path=str(Path(self.output_dir, benchmark, name, f"output-rs{seed}.jsonl")),
                        source=source,
                        content=partial(_content, asking.prompted(prompt), self.target),
                        seeds=(seed,),
                        prefix=f"{benchmark}/{name}/rs{seed}/",
                        prediction=self.prediction,
                        complete=partial(_complete, find, self.target, self.prediction),
                    )
                    for seed in range(count)
                ]
        return outputs

    def summarize(self) -> Metrics:
        """Judge the outputs, and write the tables and metrics.json beside them."""
        return summarize_robustness(self.output_dir)


@door
@partial(spelled_out, kinds=Asked.__annotations__, defaults=vars(Asking))
def robust_eval(
    system: str | Callable[..., Any],
    *,
    prompts: str | Path,
    benchmarks: str,
    data_dir: str | Path,
    output_dir: str | Path,
    field: str = "problem",
    target: str = "expected_answer",
    extract: Sequence[str] = ("boxed",),
    prediction: str = "prediction",
    **asked: Unpack[Asked],
) -> Metrics:
    """Ask a system about every benchmark, with every prompt and seed, and summarize.

    `perturb run --prompts` does the same: one call continues with the answers of the other, which
    are kept in `output_dir/answers.journal`. If a call was stopped, or questions had no answer, the
    same call asks only the rest.

    Args:
        system: the URL of an endpoint; or a function, plain or async, from chat messages to the
            answer, which gets the seed as `seed`, or its place, `python:FILE.py:FUNCTION`.
        prompts: YAML from benchmarks to prompt files; or `math` or `mcq`, the sets that come with
            perturb.
        benchmarks: names with numbers of seeds, such as `gpqa:16,comp-math-24-25:16`.
        data_dir: the folder of BENCHMARK.jsonl or BENCHMARK/test.jsonl.
        output_dir: the folder for BENCHMARK/PROMPT/output-rsN.jsonl, metrics.json and the log.
        field: the field of the problem, for prompts that come with perturb.
        target: the field of the right answer.
        extract: the rules that find the answer: `boxed`, `number`, `choice`, `regex:PATTERN`.
        prediction: the field for the answer.
        model: the model at the endpoint.
        temperature: sent with each request, like the next three.
        top_p: see above.
        max_tokens: see above.
        extra_body: further fields of each request.
        key_env: the environment variable with the key of an endpoint; OPENAI_API_KEY by default.
        header: headers of each request, as `NAME: VALUE`.
        concurrency: questions under way at a time.
        rpm: requests a minute at most.
        tpm: tokens a minute at most.
        retries: tries after the first, with backoff; for a function as in `evaluate`.
        timeout: seconds for one answer of an endpoint.
        cache: a folder that keeps answers for all runs that ask the same.
        same_system: go on although the endpoint or the function's file has changed.

    Returns:
        The result of `summarize_robustness`.

    Raises:
        DataError: questions had no answer (how many, and the first error), or rows can't be asked.
        UsageError: a benchmark, a prompt set or a rule is invalid.

    Source: "Robustness Evaluation" (NeMo-Skills).
    """
    runs = PromptRuns(
        *(prompts, benchmarks, data_dir, output_dir, field, target, extract, prediction)
    )
    is_command = not isinstance(system, str) or system.startswith("python:")
    named: dict[str, Any] = {"command" if is_command else "endpoint": system, **asked}
    asking = Asking(**named)
    outputs, journal = runs.outputs(asking), asking.journal(runs.journal)
    make_folders(outputs)
    run = asking.run(journal, count_questions(outputs, journal))
    answer(run, outputs, asking.call("run", **runs.options()))
    return runs.summarize()


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


def _source(data: Path, benchmark: str) -> str:
    files = [data / form.format(benchmark) for form in _FILES]
    for file in files:
        if file.is_file():
            return str(file)
    raise UsageError(f"there is no data for {benchmark}: neither {files[0]} nor {files[-1]}")


def _content(content: Content, target: str, row: Row) -> Any:
    if not isinstance(row.get(target), str | int | float):
        raise DataError(
            f"the field {target!r} must be the right answer, a text or a number; name another with "
            "--target"
        )
    return content(row)


def _complete(extract: Extract, target: str, prediction: str, row: Row) -> Row:
    response = None if row[prediction] is None else str(row[prediction])
    answer, correct = graded(response, str(row[target]), extract)
    return {**row, "predicted_answer": answer, "symbolic_correct": correct}
