"""`perturb run` against a server of chat completions on this machine."""

import json
import signal
import subprocess
import sys
import threading

import pytest
from endpoints import completion, serving, with_defaults

from perturb.evaluation import ask, limits

ROWS = [
    {"id": f"r{n}", "text": f"question {n}", "target": n, "deep": {"x": [1.5]}} for n in range(20)
]
BUSY = {"error": {"message": "busy"}}


@pytest.fixture
def server():
    with serving() as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """Waits between tries are noted, not waited."""
    noted = []

    elapsed = [0.0]

    async def sleep(seconds):
        noted.append(seconds)

    async def pause(seconds):
        elapsed[0] += seconds

    monkeypatch.setattr(ask.asyncio, "sleep", sleep)
    monkeypatch.setattr(limits, "now", lambda: elapsed[0])
    monkeypatch.setattr(limits, "sleep", pause)
    return noted


@pytest.fixture
def run(perturb, server, tmp_path):
    """Ask the server the rows of a file."""

    def ask(rows, *arguments, output="answers.jsonl", model="m"):
        defaults = {"o": tmp_path / output, "endpoint": server.url, "model": model}
        return perturb("run", rows, *with_defaults(arguments, **defaults))

    return ask


@pytest.fixture
def answers(tmp_path):
    """Read the rows that were written."""

    def read(name="answers.jsonl"):
        return [json.loads(line) for line in (tmp_path / name).read_bytes().splitlines()]

    return read


def test_rows_come_out_in_order_with_their_answers(run, answers, jsonl, server):
    server.answer = lambda body: body["messages"][0]["content"].upper()
    done = run(jsonl("rows.jsonl", *ROWS))
    assert (done.status, done.out) == (0, b"")
    assert done.message == "20 answers; 240 tokens: 200 of the prompt, 40 of the completion"
    response = {
        "seed": None,
        "finish": "stop",
        "refusal": None,
        "tokens": {"prompt": 10, "completion": 2},
    }
    assert answers() == [
        {**row, "prediction": row["text"].upper(), "response": response} for row in ROWS
    ]
    assert sorted(server.asked) == sorted(row["text"] for row in ROWS)
    assert server.requests[0].keys() == {"model", "messages"}


def test_what_is_passed_on(run, jsonl, server):
    done = run(
        jsonl("rows.jsonl", ROWS[0]), "--temperature", "0.5", "--top-p", "0.9", "--seed", "7",
        "--max-tokens", "5", "--extra-body", '{"top_k": 3}', "--system", "Be brief.",
    )  # fmt: skip
    assert done.status == 0
    assert server.requests == [
        {
            "model": "m",
            "temperature": 0.5,
            "top_p": 0.9,
            "max_tokens": 5,
            "top_k": 3,
            "seed": 7,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "question 0"},
            ],
        }
    ]


def test_chat_messages_are_sent_as_they_are(run, jsonl, server):
    messages = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "hi", "name": "ada"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "user", "content": "and?"},
    ]
    assert (
        run(jsonl("rows.jsonl", {"id": 1, "messages": messages}), "--field", "messages").status == 0
    )
    assert server.requests[0]["messages"] == messages


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("p.txt", "Q: {text}\n{{x}} {deep.x[0]}", [("user", "Q: question 0\n{x} 1.5")]),
        (
            "p.yaml",
            "system: You are {id}.\nuser: |-\n  Say \\boxed{{}}.\n\n  {text}",
            [("system", "You are r0."), ("user", "Say \\boxed{}.\n\nquestion 0")],
        ),
    ],
)
def test_a_prompt_is_filled_with_the_row(run, jsonl, server, tmp_path, name, text, messages):
    (tmp_path / name).write_text(text, "utf-8")
    assert run(jsonl("rows.jsonl", ROWS[0]), "--prompt", tmp_path / name).status == 0
    assert [(m["role"], m["content"]) for m in server.requests[0]["messages"]] == messages


def test_each_row_is_asked_with_each_seed(run, answers, jsonl, server):
    assert run(jsonl("rows.jsonl", *ROWS[:2]), "--seeds", "3", "--seed", "5").status == 0
    assert [(row["id"], row["prediction"], row["response"]["seed"]) for row in answers()] == [
        (f"r{n}#rs{seed}", f"You said: question {n} [{seed}]", seed)
        for n in range(2)
        for seed in (5, 6, 7)
    ]


def test_answers_with_several_seeds_are_scored(run, perturb, jsonl, tmp_path, server):
    """What the solver says depends on the seed alone, so that perturbing changes nothing."""
    server.answer = lambda body: str(body["seed"])
    frozen = tmp_path / "frozen.jsonl"
    call = ("apply", "keyboard_typos", "-p", "0.3", "--with-original", "-o", frozen)
    assert perturb(*call, "-i", jsonl("rows.jsonl", *ROWS)).status == 0
    assert run(frozen, "--seeds", "3").status == 0
    call = ("score", tmp_path / "answers.jsonl", "--target", "target")
    done = perturb(*call, "--json")
    assert done.status == 0
    found = json.loads(done.out)["overall"][0]
    assert (found["rows"], found["originals"]) == (60, 20)
    assert found["clean_mean"] == found["perturbed_mean"] == 3 / 60


def test_rows_without_an_id_are_named_by_their_text(run, answers, jsonl):
    assert run(jsonl("rows.jsonl", {"text": "a"}, {"text": "b"})).status == 0
    assert [row["id"][:5] for row in answers()] == ["text:", "text:"]
    done = run(jsonl("twice.jsonl", {"text": "a"}, {"text": "a"}), output="other.jsonl")
    assert done.status == 1
    assert "twice.jsonl:2: there is a row 'text:" in done.message


def test_odd_rows_keep_what_they_hold(run, jsonl, tmp_path, server):
    server.answer = lambda body: "ok"
    row = b'{"id":"a","text":"lone \\ud800 half","n":123456789012345678901234567890}'
    assert run(jsonl("rows.jsonl", row)).status == 0
    written = (tmp_path / "answers.jsonl").read_bytes()
    assert written.startswith(row[:-1] + b',"prediction":"ok"')


def test_so_many_at_a_time_and_no_more(run, jsonl, server):
    """The first four requests wait for each other: were there never four, none would end."""
    together = threading.Barrier(4, timeout=30)
    server.trouble = lambda body, times: together.wait() and None
    assert run(jsonl("rows.jsonl", *ROWS), "--concurrency", "4").status == 0
    assert server.most_under_way == 4


TROUBLES = {
    "429": (429, {}, BUSY),
    "500": (500, {}, b"oops"),
    "503": (503, {"Retry-After": "3"}, b""),
    "dropped": "drop",
    "no JSON": (200, {}, b'{"choices": [{"mess'),
    "no choices": (200, {}, {"error": "overloaded"}),
    "no message": (200, {}, {"choices": [{}]}),
    "a number": (200, {}, completion(42)),
    "no object": (200, {}, [1]),
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_trouble_that_passes_costs_nothing_but_tries(run, answers, jsonl, server, waits, trouble):
    """Two questions in three fail, once or twice; nothing is lost or asked once too often."""
    fails = {row["text"]: n % 3 for n, row in enumerate(ROWS)}
    server.trouble = lambda body, times: (
        trouble if times < fails[body["messages"][-1]["content"]] else None
    )
    assert run(jsonl("rows.jsonl", *ROWS)).status == 0
    assert [row["prediction"] for row in answers()] == [f"You said: {row['text']}" for row in ROWS]
    assert {text: server.asked.count(text) - 1 for text in fails} == fails
    assert len(waits) == sum(fails.values())


def test_retry_after_is_honoured(run, jsonl, server, waits):
    server.trouble = lambda body, times: (429, {"Retry-After": "17"}, BUSY) if not times else None
    assert run(jsonl("rows.jsonl", *ROWS)).status == 0
    assert len(waits) == len(ROWS)
    assert all(17.25 <= seconds < 17.5 for seconds in waits)
    assert len(set(waits)) == len(ROWS)  # they return apart


def test_an_answer_that_is_late_is_asked_for_again(run, answers, jsonl, server):
    late = threading.Event()
    server.trouble = lambda body, times: late.wait(30) and None if not times else None
    done = run(jsonl("rows.jsonl", ROWS[0]), "--timeout", "1.5")
    late.set()
    assert done.status == 0
    assert len(server.requests) == 2
    assert answers()[0]["prediction"] == "You said: question 0"


def test_no_answer_is_null(run, answers, jsonl, server):
    server.answer = lambda body: None
    assert run(jsonl("rows.jsonl", ROWS[0])).status == 0
    assert answers()[0]["prediction"] is None


def refuse_two(body, times):
    refused = body["messages"][-1]["content"] in ("question 3", "question 11")
    return (400, {}, {"error": {"message": "the prompt is too long"}}) if refused else None


def test_a_question_that_is_refused_loses_no_other(run, answers, jsonl, server, tmp_path):
    rows = jsonl("rows.jsonl", *ROWS)
    server.trouble = refuse_two
    done = run(rows, "--concurrency", "1")
    assert done.status == 1
    assert done.message.startswith(
        "2 questions of 20 had no answer: 'r3', 'r11'; the first: the endpoint said 400: "
        '{"error": {"message": "the prompt is too long"}}; the same call asks only these'
    )
    assert not (tmp_path / "answers.jsonl").exists()
    assert len(server.requests) == 20

    server.trouble = lambda body, times: None
    done = run(rows)
    assert done.message.startswith("2 answers, 18 from before; 280 tokens")
    assert sorted(server.asked[20:]) == ["question 11", "question 3"]
    assert [row["prediction"] for row in answers()] == [f"You said: {row['text']}" for row in ROWS]


def test_refused_questions_can_be_kept_and_are_asked_again(run, answers, jsonl, server):
    rows = jsonl("rows.jsonl", *ROWS)
    server.trouble = refuse_two
    done = run(rows, "--on-error", "keep")
    assert done.status == 0
    assert "2 questions of 20 had no answer" in done.err
    kept = answers()
    assert [row["id"] for row in kept if row["prediction"] is None] == ["r3", "r11"]
    assert "too long" in kept[3]["response"]["error"]
    assert len(server.requests) == 20
    server.trouble = lambda body, times: None
    assert run(rows, "--on-error", "keep").status == 0
    assert len(server.requests) == 22
    assert answers()[3]["prediction"] == "You said: question 3"


def test_a_few_of_many_refused_questions_are_named(run, jsonl, server):
    server.trouble = lambda body, times: (400, {}, b"no")
    done = run(jsonl("rows.jsonl", *ROWS), "--concurrency", "1")
    assert "had no answer: 'r0', 'r1', 'r2', 'r3', 'r4' and 15 more; the first: the" in done.message


@pytest.mark.parametrize("status", [301, 401, 404])
def test_where_nothing_is_answered_all_stops_at_once(run, jsonl, server, status):
    server.trouble = lambda body, times: (status, {}, b"no")
    done = run(jsonl("rows.jsonl", *ROWS), "--concurrency", "2")
    assert (done.status, done.message) == (1, f"the endpoint said {status}: no")
    assert len(server.requests) <= 2


def test_a_server_that_is_gone_is_given_up(run, jsonl, server, waits):
    server.trouble = lambda body, times: "drop" if len(server.requests) > 5 else None
    rows = [{"id": n, "text": str(n)} for n in range(100)]
    done = run(jsonl("rows.jsonl", *rows), "--concurrency", "1", "--retries", "1")
    assert done.status == 1
    notice, message = done.err.splitlines()
    assert notice == "perturb: the connection failed: Server disconnected; trying again"
    assert "32 questions in succession had no answer; '36': the connection failed" in message
    assert "(2 tries); 5 answers of this run are kept in " in message
    assert len(server.requests) == 5 + 64


def test_the_endpoint_is_not_there(perturb, jsonl, tmp_path):
    call = ("-o", tmp_path / "o.jsonl", "--endpoint", "http://127.0.0.1:1/v1", "--model", "m")
    done = perturb("run", jsonl("rows.jsonl", ROWS[0]), *call)
    assert done.status == 1
    notice, message = done.err.splitlines()
    failed = "the connection failed: Cannot connect to host 127.0.0.1:1 "
    assert notice.startswith(f"perturb: {failed}")
    assert f"'r0'; the first: {failed}" in message
    assert "(9 tries)" in message


def test_the_key_goes_to_the_endpoint_and_nowhere_else(run, jsonl, server, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    server.trouble = lambda body, times: (
        (400, {}, f"bad key sk-very-secret for {body}".encode()) if not times else None
    )
    rows = jsonl("rows.jsonl", *ROWS)
    first = run(rows, "--key-env", "MY_KEY", "--on-error", "keep")
    second = run(rows, "--key-env", "MY_KEY")
    assert (first.status, second.status) == (0, 0)
    server.trouble = lambda body, times: (401, {}, b"wrong key: sk-very-secret")
    refused = run(rows, "--key-env", "MY_KEY", output="other.jsonl")
    assert refused.message == "the endpoint said 401: wrong key: (hidden)"
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer sk-very-secret"}
    told = "".join(done.err + done.out.decode() for done in (first, second, refused))
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "bad key (hidden)" in told
    assert "secret" not in told
    assert b"secret" not in files


def test_the_key_may_come_from_the_usual_variable(run, jsonl, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")
    assert run(jsonl("rows.jsonl", ROWS[0])).status == 0
    monkeypatch.delenv("OPENAI_API_KEY")
    assert run(jsonl("rows.jsonl", ROWS[1]), output="other.jsonl").status == 0
    assert [headers.get("Authorization") for headers in server.headers] == ["Bearer sk-usual", None]
    monkeypatch.setenv("BROKEN", "sk-\nusual")
    for name, what in (
        ("ABSENT", "is not set"),
        ("BROKEN", "has invalid characters"),
    ):
        done = run(jsonl("rows.jsonl", ROWS[1]), "--key-env", name)
        assert done.status == 2
        assert name in done.message
        assert what in done.message


def test_a_finished_run_asks_nothing_and_writes_the_same(run, jsonl, server, tmp_path):
    rows, path = jsonl("rows.jsonl", *ROWS), tmp_path / "answers.jsonl"
    run(rows)
    before = path.read_bytes()
    path.unlink()
    done = run(rows)
    assert done.message.startswith("0 answers, 20 from before; 280 tokens")
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


def test_a_torn_line_is_cut_off_and_asked_again(run, jsonl, server, tmp_path):
    rows, path = jsonl("rows.jsonl", *ROWS), tmp_path / "answers.jsonl"
    run(rows)
    whole, journal = path.read_bytes(), tmp_path / "answers.jsonl.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:10]) + lines[10][:25])
    torn = json.loads(lines[10])["key"]
    done = run(rows)
    assert done.message.startswith("11 answers, 9 from before")
    assert torn.replace("r", "question ") in server.asked[20:]
    assert path.read_bytes() == whole
    assert len(journal.read_bytes().splitlines()) == 21


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
    assert err.startswith(b"perturb: 33 answers, 7 from before")
    assert len(server.requests) == asked + 33
    names = ("answers.jsonl", "undisturbed.jsonl")
    one, other = ((tmp_path / name).read_bytes() for name in names)
    assert one == other


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT")
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


def test_a_dry_run_asks_nothing(run, jsonl, server, tmp_path):
    done = run(jsonl("rows.jsonl", *ROWS), "--seeds", "2", "--dry-run")
    assert done.status == 0
    path, count, settings, example = done.out.decode().split("\n", 3)
    assert path == str(tmp_path / "answers.jsonl")
    assert count == "40 questions, 0 of them answered before"
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
            "no field 'text': there is no 'text', but 'id', 'question'; say",
        ),
        (
            {"id": 1, "text": 7},
            "must be a text, or a list of messages with a role and content; got 7",
        ),
        ({"id": 1, "text": []}, "must be a text, or a list of messages"),
        ({"id": 1, "text": [{"role": 1, "content": ""}]}, "must be a text, or a list of messages"),
        ({"id": 1.5, "text": "a"}, "the field 'id': an id is a string or a whole number; got 1.5"),
        ({"id": 1, "text": "a", "prediction": "b"}, "the row has a field 'prediction' already"),
        ({"id": 1, "text": "a", "response": {}}, "the row has a field 'response' already"),
        ({"id": "r0", "text": "a"}, "there is a row 'r0' already: ids must be unique"),
        (b"[1]", "a row is a JSON object; got [1]"),
        (b"{", "not JSON: "),
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
    assert done.message.endswith("rows.jsonl holds no row")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--command", "cat"), "give either --endpoint URL or --command 'PROGRAM ARGS'"),
        (("--seeds", "0"), "must be a number of at least 1; got '0'"),
        (("--concurrency", "0"), "must be a number of at least 1; got '0'"),
        (("--timeout", "never"), "must be seconds above 0; got 'never'"),
        (("--extra-body", "{"), "--extra-body is not JSON"),
        (("--extra-body", "[]"), "--extra-body must be a JSON object; got []"),
        (("--extra-body", '{"stream": true}'), "--extra-body must not hold stream"),
        (("--benchmarks", "gpqa"), "there is no --prompts: leave out --benchmarks"),
        (("--prompt", "p", "--field", "x"), "--prompt says what to ask: leave out --field"),
        (("--field", "a[["), "can't read the field path"),
        (
            ("--endpoint", "localhost:8000"),
            "--endpoint must be a URL such as http://localhost:8000/v1",
        ),
        (("--endpoint", "http://u:p@host/v1"), "--endpoint must not hold a name or password"),
        (("-o", "-"), "give a file of rows, and with -o the file for the answers"),
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
    assert (
        done.message == "--endpoint needs the package aiohttp: pip install 'perturb-text[endpoint]'"
    )


def test_the_library_is_imported_only_to_ask():
    code = "import sys; from perturb.cli import main; main(['run', '--help'])"
    code = f"import contextlib\nwith contextlib.suppress(SystemExit):\n    {code}\nprint('aiohttp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.endswith("False\n")
