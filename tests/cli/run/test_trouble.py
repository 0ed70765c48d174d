"""`perturb run` against a server of chat completions: an endpoint that refuses, fails, is late or gone."""

import gzip
import json
import re
import threading

import pytest
from endpoints import BUSY, ROWS, completion, refuse_two

from perturb import boundary

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


@pytest.mark.slow
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
    assert done.message.startswith("2 answers, 18 from an earlier call; 280 tokens")
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


@pytest.mark.slow
def test_a_server_that_is_gone_is_given_up(run, jsonl, server, waits):
    server.trouble = lambda body, times: "drop" if len(server.requests) > 5 else None
    rows = [{"id": n, "text": str(n)} for n in range(100)]
    done = run(jsonl("rows.jsonl", *rows), "--concurrency", "1", "--retries", "1")
    assert done.status == 1
    notice, message = done.err.splitlines()
    assert notice == "perturb: the connection failed: Server disconnected; trying again"
    assert "32 questions in succession had no answer; '36': the connection failed" in message
    assert "(2 tries); " in message
    assert " keeps 5 answers of this run, and" in message
    assert len(server.requests) == 5 + 64


def test_the_endpoint_is_not_there(perturb, jsonl, tmp_path, waits):
    """Which is said at once: a server that never answered is not one that starts again."""
    call = ("-o", tmp_path / "o.jsonl", "--endpoint", "http://127.0.0.1:1/v1", "--model", "m")
    done = perturb("run", jsonl("rows.jsonl", ROWS[0]), *call)
    assert (done.status, waits) == (1, [])
    assert "can't reach http://127.0.0.1:1/v1" in done.message
    assert "is the server running?" in done.message


@pytest.mark.slow
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
        ("ABSENT", "isn't set"),
        ("BROKEN", "has invalid characters"),
    ):
        done = run(jsonl("rows.jsonl", ROWS[1]), "--key-env", name)
        assert done.status == 2
        assert name in done.message
        assert what in done.message


def test_a_long_wait_is_cut_and_its_end_is_told(run, jsonl, server, waits):
    """Ten minutes, whatever the endpoint asks for; all that wait for one end are told of once."""
    long = {"Retry-After": "99999999999"}
    server.trouble = lambda body, times: (429, long, BUSY) if not times else None
    done = run(jsonl("rows.jsonl", *ROWS))
    assert done.status == 0
    assert all(600 <= seconds < 601 for seconds in waits)
    told = [line for line in done.err.splitlines() if "trying again" in line]
    assert len(told) == 1
    assert re.search(r"trying again at \d\d:\d\d:\d\d$", told[0])


@pytest.mark.parametrize("form", ["plain", "gzip", "bomb"])
def test_an_answer_without_end_fails_its_question_alone(
    run, answers, jsonl, server, monkeypatch, form
):
    """As it comes, and unpacked: 10 kB of zeros stand for 10 MB."""
    monkeypatch.setattr(boundary, "LARGEST_ANSWER", 100_000)
    body = b" " * (10_000_000 if form == "bomb" else 100_001)
    packed = {"Content-Encoding": "gzip"} if form != "plain" else {}
    large = (200, packed, body if form == "plain" else gzip.compress(body))
    server.trouble = lambda body, _: large if "3" in body["messages"][-1]["content"] else None
    done = run(jsonl("rows.jsonl", *ROWS[:5]), "--on-error", "keep")
    assert done.status == 0
    assert "the endpoint said 200: the answer has more than" in done.err
    assert len(server.requests) == 5  # a second time it would be as large
    assert [row["prediction"] is None for row in answers()] == [n == 3 for n in range(5)]


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"Content-Encoding": "br"}, b"\x0b\x02\x80"),
        ({"Content-Encoding": "gzip"}, b"{}"),
        ({"Content-Encoding": "gzip"}, gzip.compress(b"{}" * 1000, mtime=0)[:-9]),
        ({"Content-Encoding": "gzip"}, gzip.compress(b"{}", mtime=0) * 2),
    ],
)
def test_an_answer_that_is_packed_wrongly_fails_its_question(run, jsonl, server, headers, said):
    server.trouble = lambda *_: (200, headers, said)
    done = run(jsonl("rows.jsonl", ROWS[0]))
    assert done.status == 1
    assert "the answer is packed as 'br'" in done.err or "the answer is damaged" in done.err


def test_an_answer_that_is_packed_is_read(run, answers, jsonl, server):
    said = gzip.compress(json.dumps(completion("two")).encode())
    server.trouble = lambda *_: (200, {"Content-Encoding": "gzip"}, said)
    assert run(jsonl("rows.jsonl", ROWS[0])).status == 0
    assert answers()[0]["prediction"] == "two"


def test_a_key_that_is_repeated_is_masked(run, jsonl, server, monkeypatch, tmp_path):
    """In an answer, a refusal, an error and the journal; a flag in a header is no key."""
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-mine-1234")
    said = "Authorization: Bearer key-of-mine-1234, X-Api-Key: other-of-mine, X-Flag: flag-of-mine"
    escaped = json.dumps({"error": said.replace("mine", "m\u0069ne")}).replace("key-", "\\u006bey-")
    troubles = {
        "question 0": (200, {}, completion(said)),
        "question 1": (400, {}, {"error": said}),
        "question 2": (400, {}, escaped.encode()),
    }
    server.trouble = lambda body, _: troubles[body["messages"][-1]["content"]]
    headers = ("--header", "X-Api-Key: Token other-of-mine", "--header", "X-Flag: flag-of-mine")
    done = run(jsonl("rows.jsonl", *ROWS[:3]), *headers, "--on-error", "keep")
    assert done.status == 0
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir()) + done.err.encode()
    assert b"key-of-mine" not in written
    assert b"other-of-mine" not in written
    assert b"Bearer (hidden), X-Api-Key: (hidden), X-Flag: flag-of-mine" in written


def test_no_escape_of_an_endpoint_reaches_the_terminal(run, jsonl, server):
    said = {"error": "\x1b[2J\x1b]0;title\x07\x9b31m \u202eback"}
    server.trouble = lambda *_: (400, {}, json.dumps(said, ensure_ascii=False).encode())
    done = run(jsonl("rows.jsonl", {"id": "\x1b[2Jid", "text": "a"}))
    assert done.status == 1
    assert not {*"\x1b\x07\x9b\u202e"} & {*done.err}
