"""One table of the options of a job: all that names them agrees with it."""

from inspect import getdoc, signature

import pytest
import regex

import perturb
from perturb.cli import job_options
from perturb.cli.parser import parsed
from perturb.plan.job import Job, job_of
from perturb.plan.options import OPTIONS, to_words
from perturb.registry.definition import RESERVED

# Each option with another value than its default.
GIVEN = {
    "field": ["question", "chat[role=user].content"],
    "target": ["right"],
    "choices": ["1=endings"],
    "fixed": ["tie"],
    "spans": ["chat[role=user].content=labels"],
    "protect": ["url", "regex:a, b", "field:question=spans"],
    "only": ["word:it's"],
    "span_policy": "drop",
    "copies": "follow",
    "offsets": "utf16",
    "missing": "keep",
    "id_field": "key",
    "rows": "data[*].questions[*]",
    "nested": True,
    "seed": -7,
    "replicates": 3,
    "with_original": True,
    "lean": True,
    "expect": ["other"],
}


def defaults(function):
    return {name: one.default for name, one in signature(function).parameters.items()}


def test_the_table_is_complete() -> None:
    """A job has a field for each option, but for what stands with its conditions."""
    assert [*GIVEN] == [*OPTIONS]
    assert {*Job._fields} ^ {*OPTIONS} == {"conditions", "first_replicate", "expect"}


@pytest.mark.parametrize("function", [perturb.augment, perturb.Transform, job_of])
def test_the_signatures_have_all_of_the_table(function) -> None:
    """Type checkers read signatures, so they name each option again, with the same defaults."""
    # What takes rows in memory has no file to look for them in.
    names = {*OPTIONS} - ({"rows", "nested"} if function is not job_of else set())
    named = {name: value for name, value in defaults(function).items() if name in names}
    assert named.keys() == names
    assert job_of("ocr", **named) == job_of("ocr")
    if function is not job_of:
        assert all(regex.search(rf"^ +{name}: ", getdoc(function), regex.M) for name in names)


def test_apply_has_the_defaults_of_the_table() -> None:
    named, wanted = defaults(perturb.apply), defaults(perturb.augment)
    shared = named.keys() & {*OPTIONS} - {"spans"}
    assert shared == {"seed", "protect", "only", "span_policy"}
    assert all(named[name] == wanted[name] for name in shared)


@pytest.mark.parametrize("function", [perturb.apply, perturb.augment, perturb.Transform])
def test_what_a_call_names_is_no_parameter_of_a_perturbator(function) -> None:
    """A parameter of the same name would be taken for it."""
    names = {*signature(function).parameters}
    assert names | {*OPTIONS} <= RESERVED | {"target", "field", "steps"}


@pytest.mark.parametrize("names", [[], *([name] for name in GIVEN if name != "spans"), [*GIVEN]])
def test_the_command_line_reads_what_it_is_written_as(names) -> None:
    """The words of some options, parsed, give the same job."""
    options = {name: GIVEN[name] for name in names}
    if names == ["protect"]:
        options["protect"] = GIVEN["protect"][:2]
    words = to_words(options)
    assert bool(words) == bool(names)
    if "expect" in options:
        (options["expect"],) = options["expect"]
    _, typed = parsed(["apply", "ocr", *words])
    assert job_options.job_of_options(**typed)[0] == job_of("ocr", **options)
