"""`perturb run` against a server of chat completions: dry runs, wrong calls, and rows that cannot be asked."""

import json
import subprocess
import sys

import pytest
from endpoints import ROWS

from perturb.errors import installing


def test_a_dry_run_asks_nothing(run, jsonl, server, tmp_path):
    done = run(jsonl("rows.jsonl", *ROWS), "--seeds", "2", "--dry-run")
    assert done.status == 0
    path, count, settings, example = done.out.decode().split("\n", 3)
    assert path == str(tmp_path / "answers.jsonl")
    assert count == "40 questions, 0 of them already answered"
    endpoint = f"{server.url}/chat/completions"
    assert json.loads(settings) == {"endpoint": endpoint, "model": "m"}
    assert json.loads(example) == {
        "key": "r0#rs0",
        "content": [{"role": "user", "content": "question 0"}],
        "seed": 0,
    }
    assert not server.requests
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"id": 1, "question": "a"},
            "no field 'text': known: id, question; name the field",
        ),
        (
            {"id": 1, "text": 7},
            "must be a text, or a list of messages with a role and content; got 7",
        ),
        ({"id": 1, "text": []}, "must be a text, or a list of messages"),
        ({"id": 1, "text": [{"role": 1, "content": ""}]}, "must be a text, or a list of messages"),
        ({"id": 1.5, "text": "a"}, "the field 'id': an id is a string or a whole number; got 1.5"),
        ({"id": 1, "text": "a", "prediction": "b"}, "the row already has a field 'prediction'"),
        ({"id": 1, "text": "a", "response": {}}, "the row already has a field 'response'"),
        ({"id": "r0", "text": "a"}, "there is already a row 'r0': ids must be unique"),
        (b"[1]", "a row is a JSON object; got [1]"),
        (b"x", "not JSON: "),
        (b"{", "the line begins a JSON object and doesn't end it"),
    ],
)
def test_wrong_rows_are_found_before_anything_is_asked(run, jsonl, server, row, message):
    done = run(jsonl("rows.jsonl", ROWS[0], row))
    assert done.status == 1
    assert "rows.jsonl:2: " in done.message
    assert message in done.message
    assert not server.requests


def test_an_output_that_cannot_be_written(run, jsonl, server, tmp_path):
    done = run(jsonl("rows.jsonl", *ROWS), output="nowhere/answers.jsonl")
    journal = tmp_path / "nowhere" / "answers.jsonl.journal"
    assert done.status == 1
    assert done.message == f"can't write {journal}: No such file or directory"
    assert not server.requests


def test_no_rows(run, jsonl):
    done = run(jsonl("rows.jsonl"))
    assert done.status == 1
    assert done.message.endswith("rows.jsonl has no rows")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--command", "cat"), "give either --endpoint URL or --command 'PROGRAM ARGS'"),
        (("--seeds", "0"), "must be a whole number >= 1; got '0'"),
        (("--concurrency", "0"), "must be a whole number >= 1; got '0'"),
        (("--timeout", "never"), "must be a number of seconds above 0; got 'never'"),
        (("--extra-body", "{"), "--extra-body isn't JSON"),
        (("--extra-body", "[]"), "--extra-body must be a JSON object; got []"),
        (
            ("--extra-body", '{"stream": true}'),
            "--extra-body can't have what perturb sets; got stream",
        ),
        (("--benchmarks", "gpqa"), "--benchmarks does nothing without --prompts; leave it out"),
        (
            ("--prompt", "p", "--field", "x"),
            "--field does nothing with --prompt, which makes the question; leave it out",
        ),
        (("--field", "a[["), "can't read the field path"),
        (
            ("--endpoint", "localhost:8000"),
            "--endpoint must be a URL such as http://localhost:8000/v1",
        ),
        (("--endpoint", "http://u:p@host/v1"), "--endpoint must not have a name or password"),
        (("-o", "-"), "name the file for the answers with -o FILE"),
        (
            ("-o", "a.csv.gz"),
            "a.csv.gz is CSV by its name, and JSON Lines are written: name it FILE",
        ),
        (("-o", "runs/a.parquet"), "a.parquet is Parquet by its name"),
    ],
)
def test_wrong_calls(run, jsonl, server, arguments, message):
    done = run(jsonl("rows.jsonl", ROWS[0]), *arguments)
    assert done.status == 2
    assert message in done.message
    assert not server.requests


def test_without_the_library_it_says_what_to_install(run, jsonl, monkeypatch):
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    done = run(jsonl("rows.jsonl", ROWS[0]))
    assert done.status == 2
    assert done.message == f"--endpoint needs the package aiohttp: {installing('endpoint')}"


@pytest.mark.slow
def test_the_library_is_imported_only_to_ask():
    code = "import sys; from perturb.cli import main; main(['run', '--help'])"
    code = f"import contextlib\nwith contextlib.suppress(SystemExit):\n    {code}\nprint('aiohttp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.endswith("False\n")
