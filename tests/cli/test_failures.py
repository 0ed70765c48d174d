"""Nothing ends in a trace: what can be expected is one short line, a defect asks for a report."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import perturb as package
from perturb.cli import main, talk
from perturb.cli.parser import COMMANDS
from perturb.errors import DataError, UsageError, shown

HUGE = 1 << 63
LINE = b'{"id": 1, "text": "a few good words here, 12"}\n'


@pytest.mark.parametrize(
    "step",
    [
        *(
            f"typo_mix:p=0.1,{name}={number}"
            for name in ("min_edits", "max_edits", "skip_first", "skip_last", "min_word_length")
            for number in (HUGE, 10**26, 1 << 31)
        ),
        f"typo_mix:count={HUGE}",
        f"typo_mix:count={10**26}",
        *(f"elongate:p=1,longest={number}" for number in (10**12, HUGE, 1001, 0, -5)),
        *(f"line_breaks:p=1,width={number}" for number in (HUGE, -HUGE)),
        f"word_shuffle:p=1,window={HUGE}",
        f"sentence_shuffle:p=1,window={HUGE}",
        f"example_shuffle:p=1,skip={HUGE}",
        f"combining_marks:p=1,marks={HUGE}",
    ],
)
def test_numbers_beyond_all_bounds_are_refused(perturb, step):
    """Before any memory is asked for; the line names the parameter."""
    done = perturb("apply", step, stdin=LINE)
    assert done.status == 2, done.err
    name = step.rpartition(",")[2].rpartition(":")[2].partition("=")[0]
    assert name in done.message or "64-bit" in done.message


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--seed", HUGE),
        ("--seed", -HUGE - 1),
        ("--replicates", 10_001),
        ("--replicates", HUGE),
        ("--replicates", 0),
        ("--workers", 257),
        ("--workers", 100_000),
        ("--workers", 0),
    ],
)
def test_options_beyond_their_bounds_are_refused(perturb, option, value):
    """The line says the bound."""
    done = perturb("apply", "case:p=1", option, value, stdin=LINE)
    assert done.status == 2
    assert option.strip("-") in done.message


@pytest.mark.parametrize("pattern", ["(" * 3000 + ")" * 3000, "(?R)", "a" * 100_000 + "("])
@pytest.mark.slow
def test_patterns_that_break_the_matcher(perturb, pattern):
    """A pattern that calls itself, or is nested beyond reason, is named."""
    done = perturb("apply", "case:p=1", "--protect", f"regex:{pattern}", stdin=LINE)
    assert done.status in (1, 2)
    assert "pattern" in done.message
    assert len(done.message) < 2500


@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000,
        "[" * 900 + "]" * 900,
        "\n".join(f"{' ' * depth}a:" for depth in range(2000)),
        'steps: [{name: add_context, p: 1, params: {file: "a\\0b"}}]',
        "steps: [2024-13-45]",
    ],
)
@pytest.mark.slow
def test_files_of_steps_that_break_the_parser(perturb, tmp_path, content):
    """The file is named."""
    path = tmp_path / "steps.yaml"
    path.write_text(content)
    done = perturb("apply", "--config", path, stdin=LINE)
    assert done.status == 2
    assert str(path) in done.message


@pytest.mark.parametrize("tagger", ["os:getcwd", "builtins:len", "builtins:print", "json:loads"])
def test_functions_that_are_no_taggers(perturb, tagger):
    """A function that fails, or returns something else than tags, is named."""
    done = perturb("apply", f"synonym:p=1,tagger={tagger}", stdin=LINE)
    assert done.status in (1, 2)
    assert tagger in done.message


DEEP = json.loads("[" * 900 + "]" * 900)


@pytest.mark.parametrize("command", ["verify", "diff"])
@pytest.mark.parametrize(
    "change",
    [
        {"edits": DEEP},
        {"edits": "id=" + "[" * 5000},
        {"edits": "id=" + "9" * 5000},
        {"edits": f"text|{10**30}:a>b"},
        {"edits": "text|" + "9" * 5000 + ":a>b"},
        {"edits": None},
        {"edits": "text|0:a>b;" * 10_000},
        {"recipe": DEEP},
        {"recipe": "one_of(" * 10_000},
        {"recipe": "ocr --seed " + "9" * 5000},
        {"recipe": "x" * 1_000_000},
        {"original_id": DEEP},
        {"original": "x" * 1_000_000},
        {"status": "x" * 1_000_000},
    ],
)
def test_damaged_records(perturb, jsonl, command, change):
    """A line of bounded length, whatever stands in a record and however deep it is."""
    (row,) = package.augment([{"id": "a", "text": "a few good words here, 12"}], "typo_mix", p=0.5)
    row["perturbation"] |= change
    done = perturb(command, jsonl("out.jsonl", row))
    assert done.status in ((1,) if command == "verify" else (0, 1))
    if done.status:
        assert len(done.message) < 2500


@pytest.mark.parametrize("field", ["id", "question", "text"])
def test_a_deep_value_where_text_is_wanted(perturb, field):
    """A thousand lists in each other are named shortly."""
    line = json.dumps({"id": 1, "text": "a b"} | {field: DEEP}).encode() + b"\n"
    done = perturb("apply", "case:p=1", "--field", "question", stdin=line)
    assert done.status == 1
    assert len(done.message) < 500


@pytest.mark.parametrize("value", [10**30, -(10**40), 1e308, float("nan"), "\ud800", DEEP, None])
def test_scores_out_of_range(perturb, jsonl, value):
    """Whatever stands where a score is wanted: a verdict, or a line that names the row."""
    rows = list(
        package.augment(
            [{"id": str(n), "text": f"a few good words, {n}"} for n in range(4)],
            "typo_mix",
            p=0.5,
            with_original=True,
        )
    )
    for row in rows:
        row["score"] = 1 if row["perturbation"]["status"] == "original" else value
    path = jsonl("scored.jsonl", *rows)
    for command in ("score", "flips"):
        done = perturb(command, path, "--score", "score")
        assert done.status in (0, 1), done.err
        if done.status:
            assert len(done.message) < 500


def test_messages_are_short():
    """However long the value in it is, a message is not."""
    assert len(str(DataError("x" * 10**6))) < 2100
    assert str(DataError("x" * 2000)) == "x" * 2000
    assert shown("a" * 10**6) == repr("a" * 98)[:-1] + "..." + "a" * 98 + "'" or len(shown("a")) < 9
    assert len(shown({"a" * 500: [list(range(1000))] * 1000})) < 1000
    assert shown(10**6000) == "a whole number of 19932 bits"
    assert len(shown(DEEP)) < 100


def failing(error):
    def run(**_):
        raise error

    return run


@pytest.fixture
def command(monkeypatch):
    """Make `perturb list` fail with an error."""

    def replace(error):
        from perturb.cli import list as module

        monkeypatch.setattr(module, "run", failing(error))

    return replace


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (UsageError("wrong\ncall"), 2, "wrong call"),
        (DataError("bad data"), 1, "bad data"),
        (MemoryError(), 1, "out of memory"),
        (RecursionError(), 1, "nested too deeply"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(28, "No space left on device"), 1, "can't write standard output: No space"),
        (PermissionError(13, "Permission denied", "x.txt"), 1, "can't read or write x.txt: Perm"),
        (ZeroDivisionError("division by zero"), 70, "defect of perturb; please report"),
    ],
)
def test_every_failure_is_one_line(perturb, command, error, status, said):
    """With its exit status."""
    command(error)
    done = perturb("list")
    assert (done.status, done.out) == (status, b"")
    assert said in done.message


def test_a_defect_says_where_it_came_from(perturb, command, monkeypatch):
    """The last places in the code in one line; all of the trace where it is asked for."""
    command(ZeroDivisionError("division by zero"))
    done = perturb("list")
    assert "ZeroDivisionError: division by zero (cli/__init__.py:" in done.message
    monkeypatch.setenv("PERTURB_DEBUG", "1")
    done = perturb("list")
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert done.err.splitlines()[-1].startswith("perturb: this is a defect")


@pytest.mark.parametrize("stderr", [None, "closed", "full"])
def test_no_standard_error_is_no_failure(tmp_path, monkeypatch, stderr):
    """What can't be said is not said, and the command goes on."""
    path = {"full": Path("/dev/full"), "closed": tmp_path / "err"}.get(stderr)
    stream = path and path.open("w")
    if stderr == "closed":
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    talk.say("hello")
    assert main(["show", "nobody"]) == 2
    if stderr == "full":
        with pytest.raises(OSError, match="No space"):
            stream.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of POSIX")
@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-", "2>/dev/full", ">&- <&- 2>&-"])
@pytest.mark.slow
def test_closed_streams_harm_no_file(start, tmp_path, questions, closed):
    """The output never takes the number of a closed stream."""
    out = tmp_path / "out.jsonl"
    main_line = "import sys; from perturb.__main__ import start; sys.exit(start())"
    call = ["apply", "case:p=1", "--field", "question", "-i", str(questions), "-o", str(out)]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", sys.executable, "-c", main_line, *call],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert main(["verify", str(out), "--input", str(questions)]) == 0


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", [b"\x00\xff", b"{", b"[" * 5000, b"9" * 5000, b'{"a": 1}', b""])
def test_every_command_takes_any_file(perturb, tmp_path, command, content):
    """Whatever a file holds, no command fails in a way that nobody foresaw."""
    path = tmp_path / "file"
    path.write_bytes(content)
    done = perturb(command, path)
    assert done.status in (0, 1, 2)
    if done.status and done.err:
        assert len(done.message) < 2500


@pytest.mark.slow
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long(perturb, tmp_path, end):
    """It is named before it is read whole; more is allowed where it is asked for."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b'{"text": "a"}\n{"id": "' + b"x" * (3 << 20) + b'", "text": "b"}' + end)
    call = ("apply", "case:p=1", "-i", path, "-o", out, "--max-line")
    done = perturb(*call, 1)
    assert done.status == 1
    assert f"{path}:2: the line is longer than 1 MB" in done.message
    assert not out.exists()
    assert perturb(*call, 4).status == 0
    assert perturb(*call, 0).status == perturb(*call, "x").status == 2


def test_an_interruption_that_python_wraps(perturb, command):
    """Found by fuzz/kills.py: Ctrl-C within `__set_name__` comes out as a RuntimeError."""
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = KeyboardInterrupt()
    command(error)
    done = perturb("list")
    assert (done.status, done.message) == (130, "interrupted")


@pytest.mark.slow
def test_a_row_of_any_depth_is_written_or_named(perturb, jsonl, tmp_path):
    """Also where it can be read, and what looks for copies of the text goes deeper than the stack."""
    for depth in range(500, 1050, 10):
        line = b'{"text": "a", "x": ' + b"[" * depth + b"]" * depth + b"}"
        call = (
            "apply",
            "keyboard_typos",
            "-i",
            jsonl("in.jsonl", line),
            "-o",
            tmp_path / "out.jsonl",
        )
        done = perturb(*call, "--bad-lines", "skip")
        assert done.status == 0, depth
