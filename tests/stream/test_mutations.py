"""No change of an output, its manifest or its input goes unseen; fuzz/mutations.py tries more."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "fuzz"))
import mutations


@pytest.mark.parametrize("seed", range(3))
def test_every_change_is_found(tmp_path, seed):
    """Of 40 at random in each of three runs."""
    counts, missed = mutations.run(40, seed, tmp_path)
    assert not missed
    assert sum(counts.values()) == 40
    assert counts["without effect"] < 10


def test_a_change_of_nothing_would_be_told(tmp_path, monkeypatch):
    """The check can fail: a verify that looks at nothing misses every change."""
    monkeypatch.setattr(mutations, "verify_file", lambda *_, **__: None)
    counts, missed = mutations.run(10, 0, tmp_path)
    assert len(missed) + counts["without effect"] == 10
