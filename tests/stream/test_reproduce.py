"""The command line of a manifest is the one that makes the file."""

import shlex

import pytest

from perturb.cli import job_options
from perturb.cli.parser import parsed
from perturb.plan import recipe
from perturb.plan.job import job_of
from perturb.stream.reproduce import commands


@pytest.mark.parametrize(
    "steps",
    [
        "ocr:p=0.1",
        "sometimes(0.5, ocr:p=0.1) char_swap:p=0.2",
        "one_of(ocr:p=0.1 | 2*case:p=1)",
        "grid(ocr:p=0.1 | char_swap:p=0.2 case:p=1)",
        'grid("a b"=ocr:p=0.1 | c=char_swap:p=0.2 case:p=1)',
    ],
)
def test_it_is_the_job_of_the_manifest(steps) -> None:
    """With its combinators and labels, not only the steps in them."""
    options = {"field": ["a b", "c"], "target": "d", "spans": "c=e", "expect": "other"}
    job = job_of(steps, protect=["url", "word:x", "field:c=e"], replicates=2, seed=-1, **options)
    manifest = {"recipe": recipe.written(job), "input": {"path": "in.jsonl"}}
    ((_, line),) = commands(manifest, "o.jsonl", "p.jsonl")
    _, options = parsed(shlex.split(line)[1:])
    assert job_options.job_of_options(**options)[0] == job
    assert (options["input"], options["output"]) == (["in.jsonl"], "p.jsonl")
    ((_, line),) = commands(manifest | {"input": {"path": ["a.csv", "b.csv"]}}, "o.csv", "p.csv")
    assert line.endswith("-i a.csv -i b.csv -o p.csv")


@pytest.mark.parametrize("manifest", [None, {}, {"recipe": 5}, {"recipe": "no_such --contract 4"}])
def test_of_another_manifest_there_is_none(manifest) -> None:
    assert commands(manifest, "o.jsonl") == []
