"""The examples in docstrings give what they show."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import perturb
from perturb.registry import registry

ROOT = Path(perturb.__file__).parent
MODULES = [
    ".".join(("perturb", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for file in sorted(ROOT.rglob("*.py"))
    if ">>> " in file.read_text("utf-8")
]


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Forget the perturbators that examples register."""
    for name in perturb.names():
        registry.lookup(name)
    before = registry.snapshot()
    yield
    registry.restore(before)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name) -> None:
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("perturb"):
            raise
        pytest.skip(f"{error.name} is not installed")
    found = doctest.testmod(module)
    assert found.failed == 0
    assert found.attempted > 0
