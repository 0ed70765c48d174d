import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

QUESTIONS = Path(__file__).parents[1] / "examples" / "questions.jsonl"
ROWS = [json.loads(line) for line in QUESTIONS.read_bytes().decode("utf-8").split("\n")[:-1]]
FEATURES = (
    *("\r\n", "\t", "  ", "https://", "@example.com", "{name}", "```", "$$", "| item", "\nB. "),
    *("\u0301", "\u200d", "🇯🇵", "🏽", "“", "’", "—", "\u00a0", "<b>", "Größe", "река"),
    *("Ποια", "כמה", "عاصمة", "भारत", "বাংলা", "ประเทศ", "中国", "日本", "대한민국"),
)


def test_rows():
    assert [row["id"] for row in ROWS] == [f"q{number:03}" for number in range(1, 101)]
    assert len({row["question"] for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert list(row) == ["id", "question", "answer", "topic"]
        assert all(isinstance(value, str) and value for value in row.values())


def test_characters_are_not_escaped():
    text = QUESTIONS.read_text("utf-8")
    assert "\\u" not in text.replace("\\\\", "")
    assert text.endswith("}\n")


@pytest.mark.parametrize("feature", FEATURES)
def test_what_the_examples_are_there_for(feature):
    assert any(feature in row["question"] for row in ROWS)


def test_lengths():
    lengths = [len(row["question"]) for row in ROWS]
    assert min(lengths) < 5
    assert sum(length > 600 for length in lengths) >= 3


@pytest.mark.slow
def test_the_package_of_a_plugin() -> None:
    """Its entry points name perturbators, and its own tests pass where perturb is installed."""
    folder = QUESTIONS.parent / "plugin"
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"] == {"perturb.perturbators": {"shout": "perturb_shout:shout"}}
    path = os.pathsep.join([str(folder), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, folder],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
