"""`perturb run` against a server of chat completions: runs that were cut off, and what may change before they go on."""

import json
import signal
import sys
import threading

import pytest
from endpoints import ROWS


def test_a_finished_run_asks_nothing_and_writes_the_same(run, jsonl, server, tmp_path):
    rows, path = jsonl("rows.jsonl", *ROWS), tmp_path / "answers.jsonl"
    run(rows)
    before = path.read_bytes()
    path.unlink()
    done = run(rows)
    assert done.message.startswith("0 answers, 20 from an earlier call; 280 tokens")
    assert len(server.requests) == 20
    assert path.read_bytes() == before


def test_rows_that_were_added_are_asked_alone(run, answers, jsonl, server):
    run(jsonl("rows.jsonl", *ROWS[5:10]))
    assert run(jsonl("rows.jsonl", *ROWS)).status == 0
    assert len(server.requests) == 20
    assert [row["id"] for row in answers()] == [row["id"] for row in ROWS]


@pytest.mark.parametrize(
    ("model", "changed", "message"),
    [
        ("m", ("--temperature", "0.7"), "under other settings: temperature was 0.0, now 0.7"),
        ("n", (), "under other settings: model was 'm', now 'n'"),
        ("m", ("--temperature", "0", "--extra-body", '{"top_k": 1}'), "top_k was None, now 1"),
        ("m", ("--temperature", "0", "--system", "s"), "the answer to another question 'r0'"),
        ("m", ("--temperature", "0", "--seed", "1"), "the answer to another question 'r0'"),
    ],
)
def test_changed_settings_are_refused(run, jsonl, server, model, changed, message):
    rows = jsonl("rows.jsonl", *ROWS)
    assert run(rows, "--temperature", "0").status == 0
    done = run(rows, *changed, model=model)
    assert done.status == 2
    assert message in done.message
    assert "write to another output, or delete the journal" in done.message
    assert len(server.requests) == 20


def test_changed_rows_are_refused(run, jsonl):
    run(jsonl("rows.jsonl", *ROWS))
    done = run(jsonl("rows.jsonl", *ROWS[:7], {**ROWS[7], "text": "new"}))
    assert done.status == 2
    assert "the answer to another question 'r7': the rows or the prompt changed" in done.message


def test_settings_that_nothing_was_asked_under_may_change(run, jsonl, server):
    server.trouble = lambda body, times: (401, {}, b"no") if body["model"] == "m" else None
    rows = jsonl("rows.jsonl", *ROWS)
    assert run(rows).status == 1
    assert run(rows, model="n").status == 0


@pytest.mark.slow
def test_a_torn_line_is_cut_off_and_asked_again(run, jsonl, server, tmp_path):
    rows, path = jsonl("rows.jsonl", *ROWS), tmp_path / "answers.jsonl"
    run(rows)
    whole, journal = path.read_bytes(), tmp_path / "answers.jsonl.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:10]) + lines[10][:25])
    torn = json.loads(lines[10])["key"]
    done = run(rows)
    assert done.message.startswith("11 answers, 9 from an earlier call")
    assert torn.replace("r", "question ") in server.asked[20:]
    assert path.read_bytes() == whole
    assert len(journal.read_bytes().splitlines()) == 21


@pytest.mark.slow
def test_cut_off_anywhere(run, jsonl, server, tmp_path):
    """Wherever the journal ends, the rest is asked and the output is the same."""
    rows, path = jsonl("rows.jsonl", *ROWS[:4]), tmp_path / "answers.jsonl"
    run(rows)
    whole, journal = path.read_bytes(), tmp_path / "answers.jsonl.journal"
    data = journal.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    assert len(ends) == 5
    for cut in sorted(
        {0, 1, *(end + step for end in ends for step in (-1, 0, 1))} - {len(data) + 1}
    ):
        journal.write_bytes(data[:cut])
        server.requests.clear()
        assert run(rows).status == 0
        assert path.read_bytes() == whole
        kept = sum(end <= cut for end in ends[1:])
        assert len(server.requests) == 4 - kept


def test_a_damaged_journal_is_named(run, jsonl, tmp_path):
    rows, journal = jsonl("rows.jsonl", *ROWS), tmp_path / "answers.jsonl.journal"
    run(rows)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:4], b"rubbish\n", *lines[5:]]))
    done = run(rows)
    assert (done.status, done.message) == (
        1,
        f"{journal}:5: not a line of a journal",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
@pytest.mark.slow
def test_two_processes_do_not_write_one_journal(run, start, jsonl, server, tmp_path):
    reached, go_on = threading.Event(), threading.Event()

    def hold(body, times):
        reached.set()
        go_on.wait(30)

    server.trouble = hold
    rows = jsonl("rows.jsonl", *ROWS)
    output = tmp_path / "answers.jsonl"
    other = start("run", rows, "-o", output, "--endpoint", server.url, "--model", "m")
    assert reached.wait(30)
    done = run(rows)
    go_on.set()
    assert done.status == 1
    assert done.message == f"another process is writing {output}.journal"
    assert other.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.slow
def test_killed_and_taken_up_again(run, start, jsonl, server, tmp_path, concurrency):
    """Killed while so many questions are under way, after 7 answers: these alone are asked twice."""
    rows = jsonl("rows.jsonl", *ROWS)
    assert run(rows, "--seeds", "2", output="undisturbed.jsonl").status == 0
    server.requests.clear()
    held, go_on = threading.Semaphore(0), threading.Event()

    def hold(body, times):
        if len(server.requests) > 7:
            held.release()
            go_on.wait(30)

    server.trouble = hold
    call = ("run", rows, "-o", tmp_path / "answers.jsonl", "--endpoint", server.url, "--model", "m")
    call = (*call, "--seeds", "2", "--concurrency", concurrency)
    process = start(*call)
    for _ in range(concurrency):
        assert held.acquire(timeout=30)
    process.send_signal(signal.SIGKILL)
    assert process.wait(30) == -signal.SIGKILL
    server.trouble = lambda body, times: None
    go_on.set()
    assert not (tmp_path / "answers.jsonl").exists()
    asked = len(server.requests)
    assert asked == 7 + concurrency
    process = start(*call)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err.startswith(b"perturb: 33 answers, 7 from an earlier call")
    assert len(server.requests) == asked + 33
    names = ("answers.jsonl", "undisturbed.jsonl")
    one, other = ((tmp_path / name).read_bytes() for name in names)
    assert one == other


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT")
@pytest.mark.slow
def test_interrupted_by_the_user(start, jsonl, server, tmp_path):
    reached, go_on = threading.Event(), threading.Event()

    def hold(body, times):
        if len(server.requests) > 7:
            reached.set()
            go_on.wait(30)

    server.trouble = hold
    output = tmp_path / "answers.jsonl"
    call = ("run", jsonl("rows.jsonl", *ROWS), "-o", output, "--endpoint", server.url)
    process = start(*call, "--model", "m", "--concurrency", "1")
    assert reached.wait(30)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    go_on.set()
    assert (process.returncode, out, err) == (130, b"", b"perturb: interrupted\n")
    assert len((tmp_path / "answers.jsonl.journal").read_bytes().splitlines()) == 8
