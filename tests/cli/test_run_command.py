"""`perturb run --command`: a program that is given rows and answers them, line by line."""

import contextlib
import os
import shlex
import struct
import subprocess
import sys

import pytest
from lines import rows_in

ROWS = [{"id": f"r{n}", "text": f"question {n}"} for n in range(12)]


@pytest.fixture
def run(perturb, jsonl, tmp_path):
    """Have a program in Python answer rows; `say` is what it does with each."""

    def ask(say, *arguments, rows=ROWS, end=""):
        program = tmp_path / "program.py"
        program.write_text(
            "import json, sys\n"
            "for number, line in enumerate(sys.stdin):\n"
            "    row = json.loads(line)\n"
            f"    {say}\n"
            "    sys.stdout.flush()\n"
            f"{end}\n",
            "utf-8",
        )
        command = f"{shlex.quote(sys.executable)} {shlex.quote(str(program))}"
        given = jsonl("rows.jsonl", *rows)
        return perturb("run", given, "-o", tmp_path / "o.jsonl", "--command", command, *arguments)

    return ask


@pytest.fixture
def answers(tmp_path):
    def read():
        return rows_in(tmp_path / "o.jsonl")

    return read


@pytest.mark.parametrize("concurrency", [1, 5])
def test_answers_belong_to_their_rows(run, answers, concurrency):
    done = run("print(row['text'].upper())", "--concurrency", concurrency)
    assert (done.status, done.message) == (0, "12 answers")
    response = {"seed": None, "finish": None, "refusal": None, "tokens": None}
    assert answers() == [
        {**row, "prediction": row["text"].upper(), "response": response} for row in ROWS
    ]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("plain text", "plain text"),
        ("  spaces stay ", "  spaces stay "),
        ("", ""),
        ("42", "42"),
        ("nullify", "nullify"),
        ('"two\\nlines"', "two\nlines"),
        ('{"prediction": "B", "more": 1}', "B"),
        ('{"prediction": null}', None),
        ('{"prediction": 18}', 18),
        ('{"prediction": 0.25}', 0.25),
        ('{"prediction": true}', True),
        ("null", None),
        ("[1]", "[1]"),
        ("größer 🇯🇵", "größer 🇯🇵"),
    ],
)
def test_forms_of_an_answer(run, answers, said, answer, monkeypatch):
    monkeypatch.setenv("PYTHONUTF8", "1")
    assert run(f"print({said!r})", rows=ROWS[:1]).status == 0
    assert answers()[0]["prediction"] == answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "'{}'",
            "must be a text, an object with the answer as `prediction`, or an object with a label",
        ),
        ("'{\"prediction\": NaN}'", "and its score; got {'prediction': nan}"),
        ("'{'", "; a text that begins like JSON must be written as JSON"),
    ],
)
def test_an_answer_that_is_none_loses_no_other(run, answers, said, message):
    say = f"print({said} if row['id'] == 'r4' else row['id'])"
    done = run(say)
    assert done.status == 1
    assert done.message.startswith("1 question of 12 had no answer: 'r4'; the first: ")
    assert message in done.message
    assert run(say, "--on-error", "keep").status == 0
    kept = answers()
    assert message in kept[4]["response"]["error"]
    assert [row["prediction"] for row in kept] == [None if n == 4 else f"r{n}" for n in range(12)]


def test_bytes_that_are_no_text(run):
    done = run("sys.stdout.buffer.write(b'a\\xff\\n')", rows=ROWS[:1])
    assert "the command's answer is not UTF-8: byte 2" in done.message


@pytest.mark.slow
def test_a_command_that_ends_too_early_can_be_taken_up_again(run, answers):
    done = run("print(number) if number < 5 else sys.exit(3)", "--concurrency", "1")
    assert done.status == 1
    assert f"the command ended with status 3 before it answered {ROWS[5]['id']!r}" in done.message
    assert " keeps 5 answers of this run, and" in done.message
    changed = run("print(f'again {number}')")
    assert changed.status == 2
    assert "has answers under other settings: program was ['python" in changed.message
    assert "if it is the same system after all, add --same-system" in changed.message
    done = run("print(f'again {number}')", "--same-system")
    assert done.message == "7 answers, 5 from an earlier call"
    wanted = [*map(str, range(5)), *(f"again {number}" for number in range(7))]
    assert [row["prediction"] for row in answers()] == wanted


@pytest.mark.slow
def test_a_command_that_says_too_much(run, answers):
    """Which line answers which row can't be told, so that none is kept."""
    assert run("print(number)", rows=ROWS[:4]).status == 0
    done = run("print('x'); print('y')", "--same-system")
    assert done.status == 1
    assert "the command wrote more lines than it got rows" in done.message
    assert run("print('z')", "--same-system").message == "8 answers, 4 from an earlier call"
    assert [row["prediction"] for row in answers()] == [*"0123", *"zzzzzzzz"]


def test_a_command_that_waits_for_the_end_of_its_input(run):
    done = run("pass", "--timeout", "0.3", rows=ROWS[:1])
    assert done.status == 1
    assert "gave 'r0' no answer within 0.3 s; it must answer each row as it comes" in done.message


def test_seeds_and_prompts_go_into_the_rows(run, answers, tmp_path):
    prompt = tmp_path / "p.txt"
    prompt.write_text("Say {text}", "utf-8")
    say = "print(json.dumps({'prediction': row['messages'][0]['content'] + f\" {row['seed']}\"}))"
    assert run(say, "--seeds", "2", "--prompt", prompt, rows=ROWS[:1]).status == 0
    assert [(row["id"], row["prediction"]) for row in answers()] == [
        ("r0#rs0", "Say question 0 0"),
        ("r0#rs1", "Say question 0 1"),
    ]
    assert "messages" not in answers()[0]


@pytest.mark.filterwarnings("default:the function gets whole rows")
def test_a_function_answers_with_objects_as_programs_do(perturb, jsonl, tmp_path, answers):
    """The row with its prediction is that prediction; one without is refused, and named."""
    (tmp_path / "own.py").write_text(
        "def row(row): return {**row, 'prediction': row['text'].upper()}\n"
        "def label(row): return {'label': 'pos', 'score': 0.5}\n"
        "def bare(row): return row\n"
    )
    call = ("run", jsonl("rows.jsonl", *ROWS[:1]), "-o", tmp_path / "o.jsonl", "--command")
    for name, answer in (("row", "QUESTION 0"), ("label", {"label": "pos", "score": 0.5})):
        assert perturb(*call, f"python:{tmp_path}/own.py:{name}").status == 0
        assert answers()[0]["prediction"] == answer
        (tmp_path / "o.jsonl.journal").unlink()
    done = perturb(*call, f"python:{tmp_path}/own.py:bare")
    assert (done.status, "an object with the answer as `prediction`" in done.err) == (1, True)


@pytest.mark.filterwarnings("default:the function gets whole rows")
def test_a_function_of_whole_rows_is_told_of(perturb, jsonl, tmp_path, answers):
    """One of texts may not notice: f"{question}" holds the right answer too."""
    (tmp_path / "own.py").write_text("def says(asked): return f'{asked}'\n")
    call = ("run", jsonl("rows.jsonl", *ROWS[:1]), "--command", f"python:{tmp_path}/own.py:says")
    done = perturb(*call, "-o", tmp_path / "whole.jsonl")
    assert (done.status, "the function gets whole rows, right" in done.err) == (0, True)
    done = perturb(*call, "-o", tmp_path / "o.jsonl", "--field", "text")
    assert (answers()[0]["prediction"], "whole rows" in done.err) == ("question 0", False)


@pytest.mark.slow
def test_a_program_does_not_see_what_was_done_to_a_row(run, answers):
    rows = [{**row, "perturbation": {"original": "this"}} for row in ROWS]
    assert run("print(sorted(row))", rows=rows).status == 0
    assert {row["prediction"] for row in answers()} == {"['id', 'text']"}
    assert [row["perturbation"] for row in answers()] == [{"original": "this"}] * len(ROWS)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "can't start the command '': it is empty"),
        ("no-such-program -x", "can't start the command 'no-such-program -x': No such file"),
        ("a 'b", "can't start the command: No closing quotation"),
    ],
)
def test_commands_that_cannot_be_started(perturb, jsonl, tmp_path, command, message):
    rows = jsonl("rows.jsonl", *ROWS)
    done = perturb("run", rows, "-o", tmp_path / "o.jsonl", "--command", command)
    assert done.status == 2
    assert message in done.message


def test_options_of_an_endpoint_are_refused(run):
    done = run("print(1)", "--temperature", "0")
    assert (done.status, done.message) == (
        2,
        "--temperature does nothing with --command, which gets whole rows; leave it out",
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals")
def test_a_terminal_shows_a_bar_that_counts_what_was_there(run, jsonl, tmp_path):
    import fcntl
    import pty
    import termios

    assert run("print(number)", rows=ROWS[:4]).status == 0
    program = [sys.executable, str(tmp_path / "program.py")]
    rows, output = jsonl("rows.jsonl", *ROWS), tmp_path / "o.jsonl"
    call = ["run", rows, "-o", output, "--command", shlex.join(program)]
    terminal, process_side = pty.openpty()
    fcntl.ioctl(process_side, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    path = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen(
        [sys.executable, "-m", "perturb", *map(str, call)],
        stderr=process_side,
        env={**os.environ, "PYTHONPATH": path, "TQDM_MININTERVAL": "0"},
    ) as process:
        os.close(process_side)
        shown = b""
        with contextlib.suppress(OSError):  # what Linux says at the end
            while data := os.read(terminal, 4096):
                shown += data
    os.close(terminal)
    assert process.returncode == 0
    assert b" 4/12 [" in shown
    assert b" 12/12 [" in shown
    assert b"row/s" in shown
    assert shown.endswith(b"perturb: 8 answers, 4 from an earlier call\r\n")
