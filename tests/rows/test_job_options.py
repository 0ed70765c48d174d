"""One table of job options: all that names them agrees with it."""

import json
from inspect import getdoc, signature

import pytest
import regex

import perturb
from perturb.cli import apply, parser_of
from perturb.registry.vocabulary import RESERVED
from perturb.rows.job import Job
from perturb.rows.job_options import OPTIONS, split_options, to_words

# Rows in Python have their original beside them; only files leave it out.
OF_FILES = {"compact"}
GIVEN = {
    "field": "question",
    "id_field": "key",
    "seed": -7,
    "replicates": 3,
    "protect": ["url", "regex:a, b", "field:spans"],
    "only": ["word:it's"],
    "spans_field": "labels",
    "target": "right",
    "span_policy": "drop",
    "with_original": True,
    "compact": True,
}


def named(function):
    """The keywords that a function names, with their defaults, and those that the table has."""
    found = {
        name: one.default
        for name, one in signature(function).parameters.items()
        if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
    }
    return found, {one.name: one.default for one in OPTIONS if one.name not in OF_FILES}


@pytest.mark.parametrize("function", [perturb.augment, perturb.Transform])
def test_the_signatures_have_all_of_the_table(function) -> None:
    """Type checkers read signatures, so they name each option again."""
    found, table = named(function)
    assert {name: found[name] for name in table} == table
    assert all(regex.search(rf"^ +{name}: ", getdoc(function), regex.M) for name in table)
    assert not OF_FILES & found.keys()


def test_apply_has_the_defaults_of_the_table() -> None:
    found, table = named(perturb.apply)
    shared = found.keys() & table.keys()
    assert shared == {"seed", "protect", "only", "span_policy"}
    assert all(found[name] == table[name] for name in shared)


@pytest.mark.parametrize("function", [perturb.apply, perturb.augment, perturb.Transform])
def test_what_a_call_names_is_no_parameter_of_a_perturbator(function) -> None:
    """It would never get its value."""
    found, table = named(function)
    assert found.keys() | table.keys() | OF_FILES <= RESERVED


def test_a_job_comes_back_from_its_dict() -> None:
    """Also through JSON, as in a manifest."""
    job = Job.of("one_of(ocr | case:p=1) char_swap:p=0.1", **GIVEN)
    assert job.options == GIVEN
    assert Job.from_dict(json.loads(json.dumps(job.to_dict()))) == job
    assert [*job.to_dict()] == ["pipelines", *GIVEN]


@pytest.mark.parametrize("names", [[], *([name] for name in GIVEN), [*GIVEN]])
def test_the_command_line_reads_what_it_is_written_as(names) -> None:
    """The words of some options, parsed, give the same job."""
    given = {name: GIVEN[name] for name in names}
    words = to_words(given)
    assert bool(words) == bool(names)
    args = parser_of("apply").parse_args(["ocr", *words])
    assert apply._job(args) == Job.of("ocr", **given)


def test_the_table_is_complete() -> None:
    """Each option is given above, and differs from its default there."""
    assert [one.name for one in OPTIONS] == [*GIVEN]
    assert all(one.default != GIVEN[one.name] for one in OPTIONS)
    assert split_options({**GIVEN, "p": 0.1}) == (GIVEN, {"p": 0.1})
