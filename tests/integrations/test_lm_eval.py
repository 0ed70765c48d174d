"""The samples of lm-eval are scored as they are: rows within lines, a line for each filter."""

import json

import pytest

import perturb
from perturb.cli import main

QUESTIONS = [
    {
        "id": f"q{number}",
        "question": f"How many eggs are {number} and 3 eggs?",
        "answer": number + 3,
    }
    for number in range(40)
]


def sample(number, row, strategy, score):
    """A line of samples_TASK_DATE.jsonl, as lm-eval 0.4 writes it with --log_samples."""
    said = str(row["answer"]) if score else "no idea"
    return {
        "doc_id": number,
        "doc": row,
        "target": str(row["answer"]),
        "arguments": {
            "gen_args_0": {
                "arg_0": f"Question: {row['question']}\nAnswer:",
                "arg_1": {"until": ["\n"]},
            }
        },
        "resps": [[said]],
        "filtered_resps": [said],
        "filter": strategy,
        "metrics": ["exact_match"],
        "doc_hash": "0" * 64,
        "prompt_hash": "1" * 64,
        "target_hash": "2" * 64,
        "exact_match": float(score),
    }


@pytest.fixture
def rows():
    return list(
        perturb.augment(QUESTIONS, "keyboard_typos", p=0.1, field="question", with_original=True)
    )


@pytest.fixture
def scores(rows):
    """Every third perturbed row is wrong; the lenient filter takes all."""
    return [
        row["perturbation"]["status"] == "original" or at % 3 > 0 for at, row in enumerate(rows)
    ]


@pytest.fixture
def samples(rows, scores, tmp_path):
    path = tmp_path / "samples_eggs_2026-01-01T00-00-00.jsonl"
    lines = [
        sample(at, row, strategy, score or strategy == "flexible-extract")
        for at, (row, score) in enumerate(zip(rows, scores, strict=True))
        for strategy in ("strict-match", "flexible-extract")
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("command", [["score", "--json"], ["flips", "--json"]])
def test_samples_are_scored_as_flat_rows_are(
    command, samples, rows, scores, tmp_path, capfd
) -> None:
    flat = tmp_path / "flat.jsonl"
    flat.write_text(
        "".join(
            json.dumps({**row, "exact_match": float(score)}) + "\n"
            for row, score in zip(rows, scores, strict=True)
        )
    )
    assert main([*command, str(flat), "--score", "exact_match"]) == 0
    expected = capfd.readouterr().out
    given = ["--rows", "doc", "--where", "^.filter=strict-match", "--score", "^.exact_match"]
    assert main([*command, str(samples), *given]) == 0
    said = capfd.readouterr().out.replace("^.exact_match", "exact_match")
    assert said.replace(str(samples), str(flat)) == expected
    assert expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--rows", "document"], "document"),
        (["--rows", "doc_id"], "'doc_id' must be an object or a text to be a row"),
        (["--rows", "doc", "--where", "filters=x"], "the row has no field 'filters'; it has id"),
        (["--rows", "doc", "--where", "^.filters=x"], "there is no 'filters'; "),
        (["--rows", "doc", "--where", "^.filter"], "--where"),
        (
            ["--rows", "doc", "--where", "^.filter=none"],
            "--where ^.filter=none leaves none of the ",
        ),
        (["--rows", "doc"], ""),  # both filters: two rows are the same
    ],
)
def test_what_is_wrong_is_said(given, message, samples, capfd) -> None:
    assert main(["score", str(samples), "--score", "^.exact_match", *given]) in (1, 2)
    said = capfd.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1
