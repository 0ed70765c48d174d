"""The checkers of fuzz/ run in a reduced size; their commands run for hours."""

import json
import os
import random
import re
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

import perturb

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))
import contract
import damage
import options
import store


@pytest.mark.slow
def test_the_contract_read_anew():
    """Six groups of texts at random: every claim is checked on them, and holds."""
    claims = Counter()
    for number in range(6):
        contract.group(random.Random(number), perturb.names(), 24, claims)
    assert claims["rebuild, restore, order, status"] == 144
    assert claims["edits"] > 100


@pytest.mark.parametrize(
    "edit", [(0, 1, "a", "a"), (0, 0, "", ""), (1, 2, "\ud800", "b"), (0, 1, "b", "c")]
)
def test_a_broken_record_is_told(monkeypatch, edit):
    """The checker can fail."""
    record = perturb.apply("abc", "typo_mix", p=1.0)
    monkeypatch.setattr(type(record), "edits", property(lambda _: (edit,)))
    with pytest.raises(AssertionError):
        contract.check_record(record, 1.0, None, Counter())


def test_the_counts_in_the_documentation_are_those_of_the_stored_runs():
    """The page quotes what the checkers of fuzz/ added with --store."""
    root = Path(__file__).parents[1]
    runs = json.loads((root / "benchmarks" / "results" / "fuzz.json").read_bytes())
    said = " ".join((root / "SECURITY.md").read_text("utf-8").split())
    edits = runs["contract"]["counts"]["edits"]
    assert f"{runs['contract']['cases']:,} texts and {edits:,} edits" in said
    assert re.search(rf"\b{runs['mutations']['cases']:,} (changes|times)", said)
    assert re.search(rf"\b{runs.get('kills', {'cases': 0})['cases']:,} (kills|times)", said)
    assert f"{runs['pathological']['cases']:,} with" in said


def test_a_run_is_stored_once(tmp_path):
    """Counts are added up; the same seed again would count the same cases twice."""
    path = tmp_path / "fuzz.json"
    store.add(path, "contract", 1, 10, {"edits": 5})
    store.add(path, "contract", 2, 10, {"edits": 6, "spans": 1})
    assert json.loads(path.read_bytes()) == {
        "contract": {"cases": 20, "counts": {"edits": 11, "spans": 1}, "seeds": [1, 2]}
    }
    with pytest.raises(SystemExit, match="seed 2"):
        store.add(path, "contract", 2, 10, {"edits": 6})


@pytest.mark.slow
@pytest.mark.parametrize("end", [lambda: 70, lambda: os.kill(os.getpid(), signal.SIGSEGV)])
def test_a_defect_or_a_crash_under_damage_is_told(tmp_path, monkeypatch, end):
    """The checker can fail."""
    (tmp_path / "in").write_bytes(b"ab")
    kind = damage.Kind("in", damage.torn, [["verify", "in"]])
    monkeypatch.setattr(damage, "prepared", lambda _: {"input": kind})
    monkeypatch.setattr(damage, "start", end)
    counts, wrong = damage.run(2, 0, tmp_path, 60)
    assert (counts.total(), len(wrong)) == (2, 2)
    monkeypatch.setattr(damage, "start", lambda: 1)
    assert damage.run(2, 0, tmp_path, 60) == ({"input: 1": 2}, [])


def test_the_options_of_every_command_are_tried():
    assert options.CALLS.keys() == set(options.COMMANDS)
