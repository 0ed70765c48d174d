"""Noise in inspect_ai: a solver that perturbs the prompt, and a step that perturbs a data set.

Inspect finds the solver of an installed package by its name:

    inspect eval task.py --solver perturb/perturbed -S steps=keyboard_typos:p=0.05
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from perturb.api import Steps, apply
from perturb.errors import DataError
from perturb.plan import options
from perturb.records.record import Record

__all__ = ["perturbed", "perturbed_dataset"]


@solver  # type: ignore[misc, untyped-decorator, unused-ignore]
def perturbed(
    steps: str | list[str],
    p: float | None = None,
    seed: int = 0,
    protect: str | list[str] | None = None,
) -> Solver:
    """Return a solver that perturbs the user's prompt, otherwise in each epoch.

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
        state.metadata[options.LINKAGE] = _linkage(record)
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
    """Return a data set with perturbed versions of samples; their records are in the metadata.

    Args:
        dataset: samples whose input is a text, or messages of which the last user's is perturbed.
        steps: see `perturb.apply`.
        p: see `perturb.apply`.
        replicates: how many versions of each sample.
        with_original: whether each untouched sample comes before its versions.
        seed: see `perturb.apply`.
        protect: see `perturb.apply`.

    Raises:
        DataError: a sample has no user message.
    """
    made: list[Sample] = []
    for number, sample in enumerate(dataset, 1):
        name = str(number if sample.id is None else sample.id)
        if with_original:
            made.append(sample.model_copy(update={"id": name}, deep=True))
        text = _text(sample, name)
        for replicate in range(replicates):
            record = apply(text, steps, p, id=name, replicate=replicate, seed=seed, protect=protect)
            made.append(_version(sample, record))
    return MemoryDataset(made, name=getattr(dataset, "name", None))


def _text(sample: Sample, name: str) -> str:
    if isinstance(sample.input, str):
        return sample.input
    texts: list[str] = [one.text for one in sample.input if one.role == "user"]
    if not texts:
        raise DataError(f"the sample {name} has no message of the user to perturb")
    return texts[-1]


def _version(sample: Sample, record: Record) -> Sample:
    """Return a sample with the text, id and record of a version."""
    made = sample.model_copy(deep=True)
    if isinstance(made.input, str):
        made.input = record.text
    else:
        [one for one in made.input if one.role == "user"][-1].text = record.text
    made.id = record.id
    made.metadata = {**(made.metadata or {}), options.LINKAGE: _linkage(record)}
    return made


def _linkage(record: Record) -> Mapping[str, Any]:
    linkage: Mapping[str, Any] = record.to_dict()[options.LINKAGE]
    return linkage
