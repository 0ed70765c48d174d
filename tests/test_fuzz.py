"""The checkers of fuzz/ run in a reduced size; their commands run for hours."""

import json
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

import perturb

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))
import contract


def test_the_contract_read_anew():
    """Six groups of texts at random: every claim is checked on them, and holds."""
    claims = Counter()
    for number in range(6):
        contract.group(random.Random(number), perturb.names(), 24, claims)
    assert claims["rebuild, restore, order, status"] == 144
    assert claims["edits"] > 100


@pytest.mark.parametrize("edit", [(0, 1, "a"), (0, 0, ""), (1, 2, "\ud800")])
def test_a_broken_record_is_told(monkeypatch, edit):
    """The checker can fail."""
    record = perturb.apply("abc", "typo_mix", p=1.0)
    monkeypatch.setattr(type(record), "edits", property(lambda _: (edit,)))
    with pytest.raises(AssertionError):
        contract.check_record(record, 1.0, None, Counter())


def test_the_counts_in_the_documentation_are_those_of_the_last_run():
    """SECURITY.md quotes what `fuzz/contract.py --store` wrote."""
    root = Path(__file__).parents[1]
    run = json.loads((root / "benchmarks" / "results" / "fuzz.json").read_bytes())
    said = " ".join((root / "SECURITY.md").read_text("utf-8").split())
    assert f"checked {run['cases']:,} texts and {run['claims']['edits']:,} edits" in said
    assert f"{run['failures']} failures" in said
