"""Batch files of three protocols: what is asked, and every way in which an answer can be lost."""

import json

import pytest
from lines import rows_in

from perturb.evaluation.systems import protocols

ROWS = [{"id": f"r{n}", "text": f"question {n}"} for n in range(6)]
CHATS = [
    {
        "id": "a",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2?"}],
    }
]


def chat(text, **more):
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}
    return {"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}


def response(text, **more):
    """As OpenAI's responses are: what was thought stands before what is said."""
    said = {"type": "message", "content": [{"type": "output_text", "text": text}]}
    usage = {"input_tokens": 3, "output_tokens": 2}
    thought = {"type": "reasoning", "summary": []}
    return {"object": "response", "output": [thought, said], "error": None, "usage": usage, **more}


def message(text, ended="end_turn"):
    """As Anthropic's messages are."""
    content = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": text}]
    usage = {"input_tokens": 3, "output_tokens": 2}
    return {"type": "message", "content": content, "stop_reason": ended, "usage": usage}


def openai(name, body, status=200):
    return {
        "id": "b",
        "custom_id": name,
        "response": {"status_code": status, "body": body},
        "error": None,
    }


def anthropic(name, kind, **more):
    return {"custom_id": name, "result": {"type": kind, **more}}


PATHS = {"chat": "", "responses": "/responses", "messages": "/messages"}


@pytest.mark.parametrize("kind", PATHS)
def test_a_batch_is_what_the_endpoint_would_be_asked(run, server, jsonl, tmp_path, kind):
    """One answer comes each way, and is the same."""
    made = {"chat": chat, "responses": response, "messages": message}[kind]
    server.trouble = lambda body, times: (200, {}, made("two"))
    url, rows = server.url + PATHS[kind], jsonl("rows.jsonl", *CHATS)
    asked = ("--endpoint", url, "--max-tokens", "9", "--field", "messages")
    assert run(rows, *asked, output="live.jsonl").status == 0
    assert server.paths == {f"/v1{PATHS[kind] or '/chat/completions'}"}
    batch = tmp_path / "batch.jsonl"
    assert run(rows, *asked, "--write-batch", batch).status == 0
    (request,) = rows_in(batch)
    (body,) = server.requests
    name = request["custom_id"]
    if kind == "messages":
        assert request == {"custom_id": name, "params": body}
        assert (body["system"], len(body["messages"])) == ("Be brief.", 1)
        result = anthropic(name, "succeeded", message=made("two"))
    else:
        path = f"/v1{PATHS[kind] or '/chat/completions'}"
        assert request == {"custom_id": name, "method": "POST", "url": path, "body": body}
        result = openai(name, made("two"))
    assert run(rows, *asked, "--read-batch", jsonl("result.jsonl", result)).status == 0
    live, read = (rows_in(tmp_path / name)[0] for name in ("live.jsonl", "answers.jsonl"))
    assert live == read
    assert read["prediction"] == "two"
    assert read["response"]["tokens"] == {"prompt": 3, "completion": 2}


def test_the_key_of_messages_has_a_header_of_its_own(run, server, jsonl, monkeypatch):
    monkeypatch.setenv("OWN_KEY", "key-of-messages")
    server.trouble = lambda body, times: (200, {}, message("two"))
    asked = ("--endpoint", server.url + "/messages", "--max-tokens", "9", "--key-env", "OWN_KEY")
    assert run(jsonl("rows.jsonl", *ROWS), *asked).status == 0
    assert server.headers[0]["x-api-key"] == "key-of-messages"
    assert "anthropic-version" in server.headers[0]
    assert "Authorization" not in server.headers[0]
    done = run(jsonl("rows.jsonl", *ROWS), "--endpoint", server.url + "/messages", output="b.jsonl")
    assert "messages need a limit: give --max-tokens N" in done.err


def ids(run, jsonl, tmp_path, *options):
    """Write a batch of six rows, and return their ids in it."""
    batch = tmp_path / "batch.jsonl"
    assert run(jsonl("rows.jsonl", *ROWS), *options, "--write-batch", batch).status == 0
    return [each["custom_id"] for each in rows_in(batch)]


def read(run, jsonl, files, *options):
    paths = [jsonl(f"results{at}.jsonl", *rows) for at, rows in enumerate(files)]
    given = [word for path in paths for word in ("--read-batch", path)]
    return run(jsonl("rows.jsonl", *ROWS), *options, *given, "--on-error", "keep")


def test_lost_answers_of_openai_are_told_apart(run, jsonl, tmp_path, answers):
    names = ids(run, jsonl, tmp_path)
    results = [
        openai(names[0], chat("four")),
        openai(names[1], chat("fo", finish_reason="length")),
        openai(names[2], chat(None, finish_reason="content_filter")),
    ]
    errors = [
        {
            "custom_id": names[3],
            "response": None,
            "error": {"code": "batch_expired", "message": "late"},
        },
        {
            "custom_id": names[4],
            "response": None,
            "error": {"code": "batch_cancelled", "message": "no"},
        },
        openai(names[5], {"error": {"message": "too long", "code": "x"}}, 400),
    ]
    done = read(run, jsonl, [results, errors])
    assert done.status == 0
    assert "3 questions of 6 had no answer: 'r3', 'r4', 'r5'" in done.err
    assert (
        "1: the batch says expired, 1: the batch says cancelled, 1: the endpoint said 400"
        in done.err
    )
    assert "--write-batch writes only these" in done.err
    assert "1 answer cut off at the token limit" in done.err
    rows = answers()
    assert [row["prediction"] for row in rows] == ["four", "fo", None, None, None, None]
    assert rows[2]["response"]["finish"] == "content_filter"
    assert rows[3]["response"]["error"] == "the batch says expired: late"


def test_advice_on_what_is_asked_again_works(run, jsonl, tmp_path, answers):
    """Of two replies that were cut off one is cut off once more and one is lost."""
    names = ids(run, jsonl, tmp_path)
    whole = [openai(name, chat("four")) for name in names[2:]]
    cut = [openai(name, chat("fo", finish_reason="length")) for name in names[:2]]
    assert read(run, jsonl, [[*cut, *whole]]).status == 0
    again = ("--again", "truncated", "--max-tokens", "9")
    assert ids(run, jsonl, tmp_path, *again) == names[:2]
    done = read(run, jsonl, [cut[:1]], *again)
    advice = "--again truncated with --write-batch writes these, and those that are truncated once"
    assert advice in done.err
    assert ids(run, jsonl, tmp_path, *again) == names[:2]
    assert read(run, jsonl, [[openai(name, chat("5")) for name in names[:2]]], *again).status == 0
    assert [row["prediction"] for row in answers()] == ["5", "5", "four", "four", "four", "four"]


def test_lost_answers_of_anthropic_are_told_apart(run, server, jsonl, tmp_path, answers):
    asked = ("--endpoint", server.url + "/messages", "--max-tokens", "9")
    names = ids(run, jsonl, tmp_path, *asked)
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}
    results = [
        anthropic(names[0], "succeeded", message=message("four")),
        anthropic(names[1], "succeeded", message=message("fo", "max_tokens")),
        anthropic(names[2], "succeeded", message=message("I won't.", "refusal")),
        anthropic(names[3], "expired"),
        anthropic(names[4], "canceled"),
        anthropic(names[5], "errored", error=error),
    ]
    done = read(run, jsonl, [results], *asked)
    assert done.status == 0
    assert (
        "1: the batch says expired, 1: the batch says canceled, 1: the batch says errored"
        in done.err
    )
    assert "1 refusal; 1 answer cut off at the token limit" in done.err
    rows = answers()
    assert [row["prediction"] for row in rows] == ["four", "fo", None, None, None, None]
    assert rows[2]["response"]["refusal"] == "I won't."
    assert rows[5]["response"]["error"] == "the batch says errored: too long"


def test_lost_responses_are_told_apart(run, server, jsonl, tmp_path, answers):
    asked = ("--endpoint", server.url + "/responses")
    names = ids(run, jsonl, tmp_path, *asked)
    refusal = [{"type": "message", "content": [{"type": "refusal", "refusal": "I won't."}]}]
    results = [
        openai(names[0], response("four")),
        openai(names[1], response("fo", incomplete_details={"reason": "max_output_tokens"})),
        openai(names[2], response("", output=refusal)),
        openai(names[3], response("", error={"code": "server_error", "message": "oh"}, output=[])),
        openai(names[4], response("", error=None, output=[], status="failed")),
        openai("other", response("four")),
    ]
    done = read(run, jsonl, [results], *asked)
    assert "3 questions of 6 had no answer: 'r3', 'r4', 'r5'" in done.err
    assert "left out: 1 of 6 answers, to other questions, such as other" in done.err
    rows = answers()
    assert [row["prediction"] for row in rows[:3]] == ["four", "fo", None]
    assert rows[1]["response"]["finish"] == "length"
    assert rows[2]["response"]["refusal"] == "I won't."
    told = [row["response"]["error"] for row in rows[3:5]]
    assert told == [f"the endpoint's answer says {why}" for why in ("server_error: oh", "failed")]


def test_the_first_choice_is_the_one_with_index_0(run, jsonl, tmp_path, answers):
    names = ids(run, jsonl, tmp_path)
    choices = [
        {**chat(text)["choices"][0], "index": at} for at, text in ((1, "other"), (0, "first"))
    ]
    assert read(run, jsonl, [[openai(name, {"choices": choices}) for name in names]]).status == 0
    assert {row["prediction"] for row in answers()} == {"first"}


def test_a_line_that_is_cut_off_leaves_the_others(run, jsonl, tmp_path, answers):
    names = ids(run, jsonl, tmp_path)
    path = jsonl("cut.jsonl", *(openai(name, chat("four")) for name in names))
    whole = path.read_bytes()
    rows = jsonl("rows.jsonl", *ROWS)
    path.write_bytes(whole[: whole.rindex(b"four")])
    done = run(rows, "--read-batch", path, "--on-error", "keep", output="c.jsonl")
    assert "cut.jsonl:6: not JSON" in done.err
    path.write_bytes(whole[: whole.rindex(b", ") + 1])
    done = run(rows, "--read-batch", path, "--on-error", "keep")
    assert done.status == 0
    assert "cut.jsonl:6: the line begins a JSON object and doesn't end it: the last" in done.err
    assert "--format" not in done.err
    assert "the last line, as if the file were cut off; all others are taken" in done.err
    assert [row["prediction"] for row in answers()] == ["four"] * 5 + [None]
    path.write_bytes(path.read_bytes() + b"\n" + json.dumps(openai(names[5], chat("x"))).encode())
    done = run(rows, "--read-batch", path, output="b.jsonl")
    assert done.status == 1
    assert done.message.startswith(f"{path}:6: the line begins a JSON object and doesn't end it")


def test_an_id_that_stands_twice_is_told(run, jsonl, tmp_path, answers):
    """A second try of what had failed is none."""
    names = ids(run, jsonl, tmp_path)
    lost = {"custom_id": names[1], "response": None, "error": {"code": "batch_expired"}}
    first = [lost, *(openai(name, chat("four")) for name in names)]
    done = read(
        run, jsonl, [first, [openai(names[0], chat("five")), openai(names[2], chat("four"))]]
    )
    assert done.status == 0
    assert f"1 custom_id with several answers, as {names[0]}: the first is taken" in done.err
    assert {row["prediction"] for row in answers()} == {"four"}


def test_a_batch_is_as_many_files_as_the_service_wants(run, jsonl, tmp_path, monkeypatch):
    first, *others = protocols.PROTOCOLS
    monkeypatch.setattr(protocols, "PROTOCOLS", (first._replace(requests=4), *others))
    done = run(jsonl("rows.jsonl", *ROWS), "--write-batch", tmp_path / "b.jsonl")
    second = tmp_path / "b-2.jsonl"
    assert done.message.startswith(f"6 questions in {tmp_path / 'b.jsonl'}, {second}; then give")
    assert [len(rows_in(path)) for path in (tmp_path / "b.jsonl", second)] == [4, 2]
    size = len((tmp_path / "b.jsonl").read_bytes()) // 2
    monkeypatch.setattr(protocols, "PROTOCOLS", (first._replace(size=size), *others))
    run(jsonl("rows.jsonl", *ROWS), "--write-batch", tmp_path / "c.jsonl")
    parts = [tmp_path / f"c{end}.jsonl" for end in ("", "-2", "-3")]
    assert [len(rows_in(path)) for path in parts] == [2, 2, 2]
    assert max(path.stat().st_size for path in parts) <= size
