"""No change of an output, its manifest or its input goes unseen; fuzz/mutations.py tries more."""

import json
import sys
from pathlib import Path

import pytest

from perturb.errors import PerturbError
from perturb.plan.job import job_of
from perturb.stream.perturb_file import perturb_file
from perturb.stream.verify_file import verify_file

sys.path.append(str(Path(__file__).parents[2] / "fuzz"))
import mutations


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_every_change_is_found(tmp_path, seed):
    """Of 40 at random in each of three runs."""
    counts, missed = mutations.run(40, seed, tmp_path)
    assert not missed
    assert sum(counts.values()) == 40
    assert counts["without effect"] + counts["nothing to sign"] < 16


@pytest.mark.slow
def test_a_change_of_nothing_would_be_told(tmp_path, monkeypatch):
    """The check can fail: a verify that looks at nothing misses every change."""
    monkeypatch.setattr(mutations, "verify_file", lambda *_, **__: None)
    monkeypatch.setattr(mutations, "verify_folder", lambda *_, **__: None)
    counts, missed = mutations.run(20, 0, tmp_path)
    assert len(missed) + counts["without effect"] + counts["nothing to sign"] == 20
    assert len(missed) > 10


@pytest.mark.parametrize(
    "change",
    [{"pipelines": []}, {"contract": {}}, {"contract": [2]}, {"counts": []}, {"plugins": 5}],
)
def test_a_manifest_that_broke_verify(tmp_path, change):
    """Found by fuzz/mutations.py: each is an error that says what is wrong."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"text": "some few words"}\n')
    perturb_file(str(source), str(target), job_of("typo_mix:p=0.5"))
    manifest = tmp_path / "out.jsonl.manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | change))
    with pytest.raises(PerturbError, match="manifest"):
        verify_file(str(target), source=str(source))
