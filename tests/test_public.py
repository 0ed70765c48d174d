"""The public API: what `__all__` lists is what there is, and every other module says it is private."""

import ast
import re
import runpy
import subprocess
import sys
from importlib import import_module
from inspect import getmodule, isclass, isfunction, ismodule, signature
from pathlib import Path
from typing import get_overloads

import pytest
import yaml

import perturb
from perturb import api
from perturb.errors import installing
from perturb.plan.arguments import Noise

PACKAGE = Path(perturb.__file__).parent
ROOT = Path(__file__).parents[1]
PUBLIC = [
    *("perturb", "perturb.dask", "perturb.engine", "perturb.evaluation", "perturb.integrations"),
    *(
        f"perturb.integrations.{name}"
        for name in (
            *("inspect_ai", "sentence_transformers", "sklearn", "spacy", "tools", "torch"),
            *("transformers", "weave"),
        )
    ),
    *("perturb.ray", "perturb.robustness", "perturb.spark", "perturb.steps", "perturb.testing"),
]
# What a release promises of the front door: a change of this list is one for the changelog.
FRONT_DOOR = """
DataError Edit Fit Grid Intensity KeyedRandom PerturbError Perturbator Pipeline Record RecordList Severity
SpanPolicy Step Transform UsageError VerificationError apply augment categories describe edits_between fit from_function from_regex grid names one_of
perturbator read_records register restored some_of sometimes verify
""".split()


def module_of(file):
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_the_front_door_is_as_promised() -> None:
    assert perturb.__all__ == FRONT_DOOR


def imported(name):
    """A public module; those of other libraries need them."""
    library = name.rpartition(".")[2]
    if library in ("inspect_ai", "sklearn", "spacy"):
        pytest.importorskip(library)
    return import_module(name)


@pytest.mark.parametrize("name", PUBLIC)
def test_all_lists_the_public_members(name) -> None:
    """Of a module that imports its members when they are used, once they all are."""
    module = imported(name)
    listed = {member for member in module.__all__ if not ismodule(getattr(module, member, module))}
    assert all(hasattr(module, one) or name == "perturb.integrations" for one in module.__all__)
    members = {
        member
        for member, value in vars(module).items()
        if not member.startswith("_")
        and not ismodule(value)
        and (member in listed or not is_imported(module, value))
    }
    assert members - {"annotations", "TYPE_CHECKING"} == listed


def is_imported(module, value) -> bool:
    """Whether a member that is not listed comes from elsewhere, as imports of a module do."""
    home = getmodule(value)
    return module.__name__ == "perturb" or (home is not None and home is not module)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_members_are_documented(name) -> None:
    module = imported(name)
    for member in module.__all__:
        value = getattr(module, member, None)
        if isclass(value) or isfunction(value):
            assert value.__doc__, member


def test_dir_lists_the_api_before_it_is_used() -> None:
    program = "import perturb, sys; assert 'numpy' not in sys.modules; print(*dir(perturb))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    modules = [name.removeprefix("perturb.") for name in PUBLIC[1:] if name.count(".") == 1]
    assert done.stdout.split() == sorted([*perturb.__all__, *modules, "__version__"])


@pytest.mark.slow
def test_modules_are_there_without_an_import() -> None:
    program = (
        "import perturb\n"
        "perturb.testing.check_perturbator; perturb.robustness.flips; perturb.engine.Batch\n"
        "perturb.evaluation.evaluate; perturb.integrations; perturb.dask; perturb.spark\n"
        "import sys; perturb.ray.augment; assert not {'ray', 'dask', 'pyspark'} & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_testing_names_its_extra() -> None:
    program = "import sys; sys.modules['hypothesis'] = None\nimport perturb\nperturb.testing"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"ImportError: perturb.testing needs hypothesis: {installing('testing')}" in done.stderr


def test_a_wrong_name_has_its_neighbour() -> None:
    """The interpreter finds it, by the name and the module in the error."""
    with pytest.raises(AttributeError, match="'perturb' has no attribute 'aply'") as caught:
        perturb.aply  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("aply", perturb)
    for name, right in {"show": "describe", "score": "robustness.score"}.items():
        with pytest.raises(AttributeError, match=f"did you mean perturb.{right}"):
            getattr(perturb, name)


PACKAGES_AND_FLAT = sorted({*PACKAGE.rglob("__init__.py"), *PACKAGE.glob("*.py")})


@pytest.mark.parametrize("file", PACKAGES_AND_FLAT, ids=module_of)
def test_what_is_a_package_or_lies_flat_is_public_or_says_it_is_not(file) -> None:
    tree = ast.parse(file.read_text("utf-8"))
    private = "Private" in ast.get_docstring(tree)
    assert private != (module_of(file) in PUBLIC), file
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert ("__all__" in assigned) != private, file


@pytest.mark.parametrize("number", [0, 1])
def test_both_overloads_of_apply_have_every_keyword(number) -> None:
    """With the same defaults; those that rows have too come from `Noise`."""
    typed, full = (
        signature(each).parameters for each in (get_overloads(api.apply)[number], api.apply)
    )
    assert {*typed} - {"options"} | {*Noise.__annotations__} == {*full}
    assert all(typed[name].default == full[name].default for name in typed.keys() & full.keys())


def test_apply_hands_each_option_on_under_its_name(monkeypatch) -> None:
    jobs = []
    monkeypatch.setattr(api, "_job", lambda *_, **options: jobs.append(options))
    values = {name: [name] for name in [*Noise.__annotations__, "replicate"]}
    with pytest.raises(AttributeError):  # there is no job
        api.apply("a", "ocr", **values)
    values["first_replicate"] = values.pop("replicate")
    assert jobs == [values]


def test_apply_and_augment_have_the_same_defaults_of_noise() -> None:
    apply, augment = (signature(door).parameters for door in (perturb.apply, perturb.augment))
    for name in Noise.__annotations__:
        assert str(apply[name]) == str(augment[name])


def test_both_citations_name_this_version_and_agree() -> None:
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    entry = (ROOT / "docs" / "faq.md").read_text("utf-8").partition("```bibtex")[2]
    named = dict(re.findall(r"(\w+) = \{+(.+?)\}+,?\n", entry))
    assert named["version"] == said["version"] == perturb.__version__
    assert (named["title"], named["license"]) == (said["title"], said["license"])
    assert named["author"] == said["authors"][0]["name"]


def test_the_bytes_of_a_version_on_record_are_its_own() -> None:
    release = runpy.run_path(str(ROOT / "scripts" / "release.py"))
    on_record = release["recorded"]()
    assert on_record.get(perturb.__version__, release["digest"]()) == release["digest"]()


def test_pages_say_how_perturb_is_installed() -> None:
    """From a checkout, and once it is published from the package index."""
    page = "`pip install '.[arrow]'`, `pip install .` or - run: pip install ./perturb  # here"
    assert runpy.run_path(str(ROOT / "docs" / "conf.py"))["published"](page) == (
        "`pip install 'perturb-text[arrow]'`, `pip install perturb-text` or - run: "
        "pip install perturb-text  # here"
    )
    for path in (ROOT / "docs").rglob("*.md"):
        assert "pip install perturb-text" not in path.read_text("utf-8"), path
