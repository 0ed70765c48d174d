"""The test that docs/frameworks.md shows passes for a system that bears noise, and fails for one that does not."""

import subprocess
import sys
from pathlib import Path

import pytest
import regex

PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"


@pytest.mark.parametrize(
    ("system", "outcome"),
    [("'3'", "4 passed"), ("'3' if 'eggs are left' in text else '4'", "failed")],
)
@pytest.mark.slow
def test_the_example(system, outcome, tmp_path) -> None:
    (example,) = regex.findall(
        r"```python\n(import perturb\nimport pytest\n.*?)```", PAGE.read_text("utf-8"), regex.S
    )
    (tmp_path / "test_mine.py").write_text(f"def system(text):\n    return {system}\n\n{example}")
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert outcome in done.stdout
