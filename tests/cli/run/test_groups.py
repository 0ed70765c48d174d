"""`perturb run --command --group`: filters, which read all of their input and then answer."""

import json
import shlex
import subprocess
import sys

import pytest

ROWS = [{"id": f"r{n}", "text": f'"question {n}'} for n in range(7)]
# Upper case, at the end of the input; each start adds a line to a file, with the rows it got.
FILTER = """\
import sys
lines = sys.stdin.read().splitlines()
with open("starts", "a") as file:
    print(len(lines), file=file)
{more}
print("\\n".join(lines).upper())
"""


@pytest.fixture
def run(perturb, jsonl, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def ask(group, *more, says="", rows=ROWS, command=None):
        program = tmp_path / "filter.py"
        program.write_text(FILTER.format(more=says), "utf-8")
        command = command or shlex.join([sys.executable, str(program)])
        given = jsonl("rows.jsonl", *rows)
        call = ("run", given, "-o", tmp_path / "o.jsonl", "--command", command, "--group", group)
        return perturb(*call, *more)

    return ask


@pytest.fixture
def starts(tmp_path):
    return lambda: [int(line) for line in (tmp_path / "starts").read_text().split()]


@pytest.fixture
def answers(tmp_path):
    def read():
        lines = (tmp_path / "o.jsonl").read_bytes().splitlines()
        return [json.loads(line)["prediction"] for line in lines]

    return read


@pytest.mark.slow
@pytest.mark.slow
def test_another_group_is_another_setting_of_the_journal(perturb, jsonl, tmp_path) -> None:
    rows = jsonl("few.jsonl", *({"id": at, "text": "a"} for at in range(4)))
    call = ("run", rows, "-o", tmp_path / "o.jsonl", "--field", "text", "--command", "cat")
    assert perturb(*call, "--group", "2").status == 0
    done = perturb(*call, "--group", "all")
    assert done.status == 2
    assert "group was 2, now 'all'" in done.message
    assert perturb(*call, "--group", "2").status == 0


@pytest.mark.parametrize(("group", "sizes"), [("3", [3, 3, 1]), ("all", [7]), ("20", [7])])
def test_a_filter_gets_groups_of_texts(run, answers, starts, group, sizes):
    done = run(group, "--field", "text")
    assert (done.status, done.message) == (0, "7 answers")
    assert answers() == [row["text"].upper() for row in ROWS]
    assert starts() == sizes
    assert run(group, "--field", "text").message == "0 answers, 7 from an earlier call"
    assert starts() == sizes


@pytest.mark.slow
def test_without_a_field_it_gets_rows(run, answers):
    says = "import json; lines = [json.dumps(json.loads(line)['id']) for line in lines]"
    assert run("4", says=says).status == 0
    assert answers() == [f"R{n}" for n in range(7)]


@pytest.mark.slow
def test_a_cache_spares_the_filter_what_it_knows(run, answers, starts, tmp_path):
    call = ("3", "--field", "text", "--cache", tmp_path / "cache")
    assert run(*call, rows=ROWS[:2]).status == 0
    (tmp_path / "o.jsonl.journal").unlink()
    assert run(*call).status == 0
    assert answers() == [row["text"].upper() for row in ROWS]
    assert sum(starts()) == len(ROWS)


@pytest.mark.slow
def test_seeds_are_in_the_rows(run, answers):
    says = "import json; lines = [str(json.loads(line)['seed']) for line in lines]"
    assert run("all", "--seeds", "2", says=says, rows=ROWS[:2]).status == 0
    assert answers() == ["0", "1", "0", "1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("if 'question 4' in lines[1]: lines.pop()", "wrote 2 lines for 3 rows from 'r3' on and"),
        ("if 'question 4' in lines[1]: sys.exit(3)", "wrote 0 lines for 3 rows from 'r3' on and "
         "ended with status 3"),
        ("if 'question 4' in lines[1]: lines.append('')", "wrote more lines than 3 rows from 'r3'"),
        ("if 'question 4' in lines[1]: import time; time.sleep(9)", "didn't end within 0.9 s of 3"),
    ],
)  # fmt: skip
def test_what_goes_wrong_in_one_group_costs_no_other(run, answers, starts, says, message):
    done = run("3", "--field", "text", "--timeout", "0.3" if "sleep" in says else "60", says=says)
    assert done.status == 1
    assert message in done.message
    assert "3 answers of this run" in done.message
    assert starts() == [3, 3]
    assert (
        run("3", "--field", "text", "--same-system").message == "4 answers, 3 from an earlier call"
    )
    assert starts() == [3, 3, 3, 1]
    assert answers() == [row["text"].upper() for row in ROWS]


@pytest.mark.slow
def test_a_filter_of_the_system_that_closes_early(run):
    rows = [{"id": f"r{n}", "text": "x" * 1000} for n in range(2000)]
    done = run("all", "--field", "text", rows=rows, command="head -n 1")
    assert done.status == 1
    assert "wrote 1 line for 2000 rows from 'r0' on and ended with status 0" in done.message


@pytest.mark.slow
def test_finished_groups_outlive_a_killed_run(run, answers, starts, tmp_path):
    program = tmp_path / "filter.py"
    kill = "import os, signal; len(lines) == 3 and 'n 3' in lines[0] and os.kill(os.getppid(), 9)"
    program.write_text(FILTER.format(more=kill), "utf-8")
    command = shlex.join([sys.executable, str(program)])
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    call = ["run", "rows.jsonl", "-o", "o.jsonl", "--field", "text", "--command", command]
    killed = subprocess.run(
        [sys.executable, "-m", "perturb", *call, "--group", "3"], cwd=tmp_path, check=False
    )
    assert killed.returncode == -9
    done = run("3", "--field", "text", "--same-system")
    assert done.message == "4 answers, 3 from an earlier call"
    assert starts() == [3, 3, 3, 1]
    assert answers() == [row["text"].upper() for row in ROWS]


@pytest.mark.parametrize("text", ["one\ntwo", "one\r", "half \ud83d"])
def test_a_text_that_is_no_line_is_refused(run, text):
    done = run("2", "--field", "text", rows=[{"id": "a", "text": text}])
    assert (done.status, "the field 'text' has a line break" in done.message) == (1, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--group", "0"], "must be a whole number >= 1"),
        (["--group", "2", "--field", "text", "--seed", "1"], "--seed does nothing with --command"),
        (["--group", "2", "--rpm", "60"], "--rpm does nothing with --group"),
        (["--field", "text"], "--field does nothing with --command, which gets whole rows"),
    ],
)
def test_options_that_do_nothing(perturb, jsonl, tmp_path, options, message):
    rows = jsonl("rows.jsonl", *ROWS)
    done = perturb("run", rows, "-o", tmp_path / "o.jsonl", "--command", "cat", *options)
    assert (done.status, message in done.message) == (2, True)


def test_an_endpoint_has_no_groups(perturb, jsonl, tmp_path):
    rows = jsonl("rows.jsonl", *ROWS)
    call = ("run", rows, "-o", tmp_path / "o.jsonl", "--endpoint", "http://localhost:1/v1")
    done = perturb(*call, "--model", "m", "--group", "2")
    assert (done.status, "--group does nothing with --endpoint" in done.message) == (2, True)
