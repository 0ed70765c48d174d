"""What the measures cost to import and to run."""

import subprocess
import sys
import tracemalloc

import orjson
import pytest
from linkage import row

from perturb.robustness.grading.grade import by_fields
from perturb.robustness.linking.sources import file_source
from perturb.robustness.pairs.columns import collect
from perturb.robustness.pairs.join import join

HEAVY = (
    "jinja2",
    "vl_convert",
    "scipy",
    "matplotlib",
    "sklearn",
    "statsmodels",
    "pandas",
    "torch",
    "yaml",
    "aiohttp",
    "asyncio",
)


def imported_by(statement):
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.slow
def test_importing_the_measures_costs_numpy_alone():
    modules = imported_by("from perturb.robustness import *")
    assert "numpy" in modules
    assert modules.isdisjoint(HEAVY)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["score", "report", "run", "explain", "flips", "summarize", "split_check", "compare"]
)
def test_declaring_a_command_imports_nothing_heavy(name):
    assert imported_by(f"import perturb.cli.{name}").isdisjoint({*HEAVY, "numpy", "orjson"})


@pytest.fixture(scope="module")
def many_rows(tmp_path_factory):
    """5,000 originals with 4 perturbed rows each: 25,000 rows."""
    path = tmp_path_factory.mktemp("cost") / "scored.jsonl"
    with path.open("wb") as out:
        for original in range(5_000):
            out.write(orjson.dumps({"id": original, "correct": original % 5 > 0}) + b"\n")
            for condition in range(4):
                steps = f"typos@1:p={(condition + 1) / 10},layout=us"
                edits = [(1, 2, "x"), (5, 6, "y")]
                made = row(original, steps, original="some text " * 10, edits=edits)
                correct = original % (6 + condition) > 1
                out.write(orjson.dumps({"correct": correct, **made}) + b"\n")
    return path


@pytest.mark.slow
def test_the_join_keeps_numbers_only(many_rows):
    """At most 250 bytes a row beside 8 MB for a batch; a row as a dict takes over 1500."""
    sources = [file_source(many_rows)]
    join(collect(sources, by_fields(["correct"])), sources)  # imports are not counted
    tracemalloc.start()
    join(collect(sources, by_fields(["correct"])), sources)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000 + 250 * 25_000
