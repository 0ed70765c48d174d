"""`perturb.steps`: a function for each name, its types as generated, and reprs that can be pasted."""

import re
import runpy
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest
from cases import CASES

import perturb
from perturb.registry.registry import MODULE_OF, known, resolve

ROOT = Path(__file__).parents[1]


def test_the_types_are_those_of_the_perturbators() -> None:
    """If they are not: python scripts/steps.py."""
    script = runpy.run_path(str(ROOT / "scripts" / "steps.py"))
    assert script["STUB"].read_text("utf-8") == script["stub"]()


@pytest.mark.slow
@pytest.mark.usefixtures("only_in_full")
def test_the_types_are_those_of_the_module() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "perturb.steps"]
    command += ["--mypy-config-file", "pyproject.toml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(MODULE_OF))
def test_a_function_makes_the_step_of_its_name(name) -> None:
    function = getattr(perturb.steps, name)
    found, fixed = resolve(name)
    assert (function(0.25),) == perturb.Pipeline.of(f"{name}:p=0.25").steps
    assert (function(count=2, max_edits=3),) == perturb.Pipeline.of(
        name, count=2, max_edits=3
    ).steps
    assert function() == function(
        **{key: one.default for key, one in signature(function).parameters.items()}
    )
    assert found.parameters.keys() - signature(function).parameters.keys() == fixed.keys()
    assert function.__name__ == name
    assert function.__doc__.startswith(found.summary)
    about = re.findall(r"(?m)^    (\w+): ", function.__doc__)
    assert {*about} == {*signature(function).parameters}


def test_every_name_is_listed() -> None:
    assert {*perturb.names()} | {"StepName", "qwerty"} <= {*dir(perturb.steps)}
    assert perturb.steps.ocr is perturb.steps.ocr


def test_names_of_the_caller_have_a_function_as_long_as_they_are_known() -> None:
    mine = perturb.from_regex("mine", "a", "b")
    assert not hasattr(perturb.steps, "mine")
    with known(mine):
        assert perturb.steps.mine(p=1).perturbator is mine
        assert "mine" in dir(perturb.steps)
        assert repr(perturb.steps.mine(p=1)) == "perturb.steps.mine(p=1.0)"
    assert not hasattr(perturb.steps, "mine")


def test_a_wrong_name_has_its_neighbours() -> None:
    with pytest.raises(
        AttributeError, match=r"'perturb.steps': unknown .* did you mean keyboard_typos"
    ):
        perturb.steps.keybord_typos  # noqa: B018
    with pytest.raises(perturb.UsageError, match="no parameter 'layuot'; did you mean layout"):
        perturb.steps.keyboard_typos(layuot="de")


@pytest.mark.parametrize("spec", [case.spec for case in CASES])
def test_a_step_can_be_pasted(spec) -> None:
    for strength in ({"p": 0.05}, {"count": 3, "min_word_length": 4}, {"p": 1, "max_edits": 0}):
        pipeline = perturb.Pipeline.of(spec, **strength)
        for made in (pipeline, perturb.grid([pipeline, "case"]), *pipeline.steps):
            again = eval(repr(made), {"perturb": perturb})
            assert again == made
            assert repr(again) == repr(made)


@pytest.mark.parametrize("name", perturb.names())
def test_a_step_of_a_severity_can_be_pasted(name) -> None:
    for severity in perturb.describe(name)["severities"]:
        step = getattr(perturb.steps, name)(severity=severity)
        assert repr(step) == f"perturb.steps.{name}(severity={severity})"
        assert eval(repr(step)) == step


def test_a_repr_is_as_one_would_write_it() -> None:
    assert repr(perturb.steps.keyboard_typos(p=0.05, layout="de")) == (
        "perturb.steps.keyboard_typos(p=0.05, layout='de')"
    )
    assert repr(perturb.Pipeline.of("ocr:p=0.1 sometimes(0.5, case:count=1)")) == (
        "perturb.Pipeline.of('ocr:p=0.1 sometimes(0.5, case:count=1)')"
    )
    assert (
        repr(perturb.grid(["ocr"], [0.1, 0.2])) == "perturb.Grid.of('grid(ocr:p=0.1 | ocr:p=0.2)')"
    )


def test_what_no_name_stands_for_is_not_given_as_a_call() -> None:
    pipeline = perturb.Pipeline.of([perturb.from_function("nameless", str.upper), "ocr:p=0.1"], p=1)
    assert repr(pipeline.steps[0]) == "<Step nameless:p=1.0>"
    assert repr(pipeline) == "<Pipeline nameless:p=1.0 ocr:p=0.1>"
    assert repr(perturb.Grid((pipeline,), (str(pipeline),))) == (
        "<Grid grid(nameless:p=1.0 ocr:p=0.1)>"
    )
