"""Answers appear together with their manifest, or not at all."""

import json

import pytest

from perturb.errors import DataError
from perturb.evaluation.ask_rows import AskCounts, writing_answers


def write(folder):
    source, out = folder / "in.jsonl", folder / "out.jsonl"
    source.write_text('{"text": "a"}\n')
    with writing_answers(str(out), str(source), {"command": "run"}, AskCounts(3)) as file:
        file.write(b"{}\n")
    return out


def test_the_manifest_describes_the_answers(tmp_path):
    out = write(tmp_path)
    said = json.loads((tmp_path / "out.jsonl.manifest.json").read_bytes())
    assert said["output"]["bytes"] == len(out.read_bytes()) == 3
    assert said["asked"] == {"command": "run"}


def test_no_answers_without_a_manifest(tmp_path):
    """Found by fuzz/kills.py: a signal between the two left answers alone."""
    (tmp_path / "out.jsonl.manifest.json").mkdir()
    with pytest.raises(DataError, match="manifest"):
        write(tmp_path)
    assert not (tmp_path / "out.jsonl").exists()
