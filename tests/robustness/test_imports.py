"""Modules of scoring, tables and grading build on each other in one direction."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import perturb

PACKAGE = Path(perturb.__file__).parent


def imported(file):
    """The modules that a file imports where it stands, when it runs, or for its types."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


@pytest.mark.parametrize("part", ["robustness", "report"])
def test_no_module_imports_one_that_builds_on_it(part):
    files = {
        ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts): file
        for file in (PACKAGE / part).rglob("*.py")
        if file.name != "__init__.py"
    }
    graph = {name: {*imported(file)} & {*files} for name, file in files.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(files)
