"""The command line of a manifest is the one that makes the file."""

import shlex

import pytest

from perturb.cli import apply, parser_of
from perturb.rows.job import Job
from perturb.stream.reproduce import commands


@pytest.mark.parametrize(
    "steps",
    [
        "ocr:p=0.1",
        "sometimes(0.5, ocr:p=0.1) char_swap:p=0.2",
        "one_of(ocr:p=0.1 | 2*case:p=1)",
        "grid(ocr:p=0.1 | char_swap:p=0.2 case:p=1)",
    ],
)
def test_it_is_the_job_of_the_manifest(steps) -> None:
    """With its combinators, not only the steps in them."""
    job = Job.of(steps, field="a b", protect=["url", "word:x"], replicates=2)
    ((_, line),) = commands({**job.to_dict(), "input": {"path": "in.jsonl"}}, "o.jsonl", "p.jsonl")
    args = parser_of("apply").parse_args(shlex.split(line)[2:])
    assert apply._job(args) == job
    assert (args.input, args.output) == (["in.jsonl"], "p.jsonl")
    told = {"input": {"path": ["a.csv", "b.csv"]}, "output": {"record": "columns"}}
    ((_, line),) = commands({**job.to_dict(), **told}, "o.csv", "p.csv")
    assert line.endswith("-i a.csv -i b.csv --record columns -o p.csv")


@pytest.mark.parametrize("manifest", [None, {}, {"pipelines": 5}, {"pipelines": ["no_such"]}])
def test_of_another_manifest_there_is_none(manifest) -> None:
    assert commands(manifest, "o.jsonl") == []
