import json
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
