"""Noise in inspect_ai: a solver that perturbs prompts, a step for datasets, and logs.

Inspect finds the solver of an installed package by its name:

    inspect eval task.py --solver perturb/perturbed -S steps=keyboard_typos:p=0.05
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import value_to_float
from inspect_ai.solver import Generate, Solver, TaskState, solver

from perturb.api import Steps, apply
from perturb.errors import DataError
from perturb.plan import options

__all__ = ["answered_rows", "perturbed", "perturbed_dataset"]


@solver  # type: ignore[misc, untyped-decorator, unused-ignore]
def perturbed(
    steps: str | list[str],
    p: float | None = None,
    seed: int = 0,
    protect: str | list[str] | None = None,
) -> Solver:
    """Return a solver that perturbs the user's prompt, differently in each epoch.

    The record is in the sample's metadata, under `perturbation`. Put it before `generate()`.

    Args:
        steps: see `perturb.apply`.
        p: see `perturb.apply`.
        seed: see `perturb.apply`.
        protect: see `perturb.apply`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        prompt = state.user_prompt
        name, epoch = str(state.sample_id), state.epoch - 1
        record = apply(prompt.text, steps, p, id=name, replicate=epoch, seed=seed, protect=protect)
        prompt.text = record.text
        state.metadata[options.LINKAGE] = record.to_dict()[options.LINKAGE]
        return state

    return solve


def perturbed_dataset(
    dataset: Iterable[Sample],
    steps: Steps,
    p: float | None = None,
    *,
    replicates: int = 1,
    with_original: bool = False,
    seed: int = 0,
    protect: str | list[str] | None = None,
) -> MemoryDataset:
    """Return a dataset with perturbed versions of samples; their records are in the metadata.

    Args:
        dataset: samples with a text as input, or messages: the user's last one is perturbed.
        steps: see `perturb.apply`.
        p: see `perturb.apply`.
        replicates: the number of versions of each sample.
        with_original: whether each untouched sample comes before its versions.
        seed: see `perturb.apply`.
        protect: see `perturb.apply`.

    Raises:
        DataError: a sample has no user message.
    """
    samples: list[Sample] = []
    for number, sample in enumerate(dataset, 1):
        name = str(number if sample.id is None else sample.id)
        if with_original:
            samples.append(sample.model_copy(update={"id": name}, deep=True))
        for replicate in range(replicates):
            version = sample.model_copy(deep=True)
            message = _user_message(version, name)
            text = version.input if message is None else message.text
            record = apply(text, steps, p, id=name, replicate=replicate, seed=seed, protect=protect)
            if message is None:
                version.input = record.text
            else:
                message.text = record.text
            version.id = record.id
            linkage = record.to_dict()[options.LINKAGE]
            version.metadata = {**(version.metadata or {}), options.LINKAGE: linkage}
            samples.append(version)
    return MemoryDataset(samples, name=getattr(dataset, "name", None))


def answered_rows(log: EvalLog | str | Path) -> Iterator[dict[str, Any]]:
    """Yield the samples of a log as rows for `perturb.robustness.score` and `perturb score`.

    A row has `id`, `answer` (the target), `prediction` (the model's answer), `perturbation` if the
    metadata of the sample have a record, and the value of each scorer under its name: 1 for C, 0
    for I. With several epochs, `response.seed` distinguishes them. The prediction of a sample that
    ended in an error is None, and `response.error` has the error.

    Args:
        log: the log of samples that `perturbed` or `perturbed_dataset` made, or of rows that
            `perturb apply` wrote, read with `FieldSpec(metadata=["perturbation"])`; or its path.
    """
    read = log if isinstance(log, EvalLog) else read_eval_log(str(log))
    number, epochs = value_to_float(), read.eval.config.epochs or 1
    for sample in read.samples or []:
        record = (sample.metadata or {}).get(options.LINKAGE)
        response = {"seed": sample.epoch} if epochs > 1 else {}
        if sample.error is not None:
            response["error"] = sample.error.message
        yield {
            "id": str(sample.id),
            "answer": sample.target,
            "prediction": None if sample.error else sample.output.completion,
            **({} if record is None else {options.LINKAGE: record}),
            **({"response": response} if response else {}),
            **{name: number(score.value) for name, score in (sample.scores or {}).items()},
        }


def _user_message(sample: Sample, name: str) -> Any:
    """Return the last message of the user; None if the input is a text."""
    if isinstance(sample.input, str):
        return None
    messages = [message for message in sample.input if message.role == "user"]
    if not messages:
        raise DataError(f"the sample {name} has no message of the user to perturb")
    return messages[-1]
