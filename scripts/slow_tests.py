"""Mark the slow tests: `python scripts/slow_tests.py [--write] [PATH ...]`.

Runs the tests that a run without --slow has, and prints the functions whose tests take more than
`MOST` seconds of CPU in the mean, child processes included. With --write it marks them. A mark is
never removed, since a marked test may wait, or need a browser.
"""

import ast
import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The functions above it had one test in seven, and took three quarters of the CPU.
MOST = 0.035
MARK = "@pytest.mark.slow"


class Costs:
    """A plug-in of pytest that keeps the CPU seconds of each test, by file and function."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str], list[float]] = defaultdict(list)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Time one test with its fixtures."""
        before = sum(os.times()[:4])
        try:
            return (yield)
        finally:
            path, _, name = item.nodeid.partition("[")[0].partition("::")
            self.of[path, name].append(sum(os.times()[:4]) - before)


def mark(path: Path, names: set[str]) -> None:
    """Put the mark above the functions of a file that have these names, in classes too."""
    source = path.read_text("utf-8")
    lines = source.splitlines(keepends=True)
    tree = ast.parse(source)
    inner = ((f"{outer.name}::", outer) for outer in tree.body if isinstance(outer, ast.ClassDef))
    for prefix, scope in reversed([("", tree), *inner]):
        for node in reversed(scope.body):
            if isinstance(node, ast.FunctionDef) and prefix + node.name in names:
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                lines.insert(first - 1, " " * node.col_offset + MARK + "\n")
    path.write_text("".join(lines), "utf-8")


def main(arguments: list[str]) -> None:
    """Run the tests and print or write what is to be marked."""
    write = "--write" in arguments
    costs = Costs()
    paths = [each for each in arguments if each != "--write"] or ["tests"]
    pytest.main(["-q", "-n", "0", *paths], plugins=[costs])
    slow: dict[str, set[str]] = defaultdict(set)
    for (path, name), seconds in sorted(costs.of.items()):
        mean = sum(seconds) / len(seconds)
        if mean > MOST:
            print(f"{mean:8.3f} s  {path}::{name}")
            slow[path].add(name)
    for path, names in slow.items() if write else ():
        mark(ROOT / path, names)


if __name__ == "__main__":
    main(sys.argv[1:])
