"""`perturb run`: prices, caches, batches, headers, and one system for one journal."""

import json
import re
import sys

import pytest
from endpoints import completion, serving, with_defaults
from lines import rows_in

from perturb.cli import progress as talk
from perturb.evaluation.ask_rows import AskCounts

ROWS = [{"id": f"r{n}", "text": f"question {n}"} for n in range(6)]


@pytest.fixture
def run(perturb, server, jsonl, tmp_path):
    def ask(*arguments, rows=ROWS, output="o.jsonl", url=None):
        defaults = {"o": tmp_path / output, "endpoint": url or server.url, "model": "m"}
        rows = jsonl("rows.jsonl", *rows)
        return perturb("run", rows, *with_defaults(arguments, **defaults))

    return ask


def test_another_endpoint_is_another_system(run, server, tmp_path):
    with serving() as other:
        assert run(rows=ROWS[:3]).status == 0
        done = run(url=other.url)
        assert done.status == 2
        assert f"endpoint was '{server.url}/chat/completions', now '{other.url}/" in done.message
        assert "--same-system" in done.message
        assert run("--same-system", url=other.url).status == 0
        assert len(other.requests) == 3


def test_another_model_is_never_the_same_system(run):
    assert run().status == 0
    done = run("--same-system", "--model", "n")
    assert done.status == 2
    assert "model was 'm', now 'n'" in done.message
    assert "--same-system says" not in done.message


def test_headers_and_fields_with_keys_are_sent_and_written_nowhere(run, server, tmp_path):
    server.trouble = lambda body, times: (401, {}, b"you said hush-1 and hush-2")
    secret = ("--header", "X-Team: hush-1", "--extra-body", '{"auth": {"api_key": "hush-2"}}')
    done = run(*secret)
    assert done.message == "the endpoint said 401: you said (hidden) and (hidden)"
    server.trouble = lambda body, times: None
    done = run(*secret)
    assert done.status == 0
    assert server.headers[-1]["X-Team"] == "hush-1"
    assert server.requests[-1]["auth"] == {"api_key": "hush-2"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4
    assert not [path for path in files if b"hush" in path.read_bytes()]
    manifest = json.loads((tmp_path / "o.jsonl.manifest.json").read_bytes())
    assert manifest["asked"]["options"]["header"] == ["X-Team: ..."]
    done = run("--header", "hush-3")
    assert (done.status, "hush" in done.err) == (2, False)


def test_keys_of_a_command_are_written_nowhere(perturb, jsonl, tmp_path):
    program = tmp_path / "p.py"
    program.write_text("import sys\nfor line in sys.stdin: print(sys.argv[2], flush=True)\n")
    call = ("run", jsonl("rows.jsonl", *ROWS), "-o", tmp_path / "o.jsonl", "--command")
    assert perturb(*call, f"{sys.executable} {program} --api-key hush").status == 0
    assert (
        rows_in(tmp_path / "o.jsonl")[0]["prediction"] == "hush"
    )  # what it says itself is its own
    for name in ("o.jsonl.manifest.json", "o.jsonl.journal"):
        text = (tmp_path / name).read_bytes()
        assert b"hush" not in text.replace(b'"answer":"hush"', b"")
        assert b"--api-key '(hidden)'" in text
    assert perturb(*call, f"{sys.executable} {program} --api-key other").message.startswith("0 ans")


@pytest.mark.slow
def test_a_cache_serves_other_runs(run, server, tmp_path):
    cache = ("--cache", tmp_path / "cache")
    assert run(*cache, rows=ROWS[:4]).status == 0
    first = (tmp_path / "o.jsonl").read_bytes()
    done = run(*cache, output="other.jsonl")
    assert done.message.startswith("6 answers (4 of them from the cache); ")
    assert len(server.requests) == 6
    assert (tmp_path / "other.jsonl").read_bytes().startswith(first)
    assert run(*cache, "--temperature", "1", output="hot.jsonl").status == 0
    assert run(*cache, "--seed", "1", output="seeded.jsonl").status == 0
    assert len(server.requests) == 18


def test_a_damaged_cache_is_named(run, tmp_path):
    assert run("--cache", tmp_path / "cache").status == 0
    file = next((tmp_path / "cache").rglob("*.json"))
    for damage in (b"{", b"[1]", b'{"x": 1}'):
        file.write_bytes(damage)
        done = run("--cache", tmp_path / "cache", output="other.jsonl")
        assert done.status == 1
        assert f"{file} has no answer: delete it" in done.message


def test_the_price_in_the_plan_and_at_the_end(run, server):
    done = run("--price", "2,100", "--dry-run", "--max-tokens", "50")
    assert done.status == 0
    (plan,) = [line for line in done.out.decode().splitlines() if "prompts of" in line]
    # 41 bytes each: {"role":"user","content":"question 0"} in a list
    assert plan == "prompts of about 62 tokens, 0.00012; answers of at most 300 tokens, 0.03"
    assert not server.requests
    done = run("--price", "1000,100000")
    assert done.message.endswith("prompt 60, completion 24; cost 2.46")
    assert run("--price", "cheap").status == 2


def test_refusals_and_cut_answers_are_counted_and_kept(run, server, tmp_path):
    def answer(body, times):
        said = completion("cut")
        if body["messages"][0]["content"] == "question 0":
            said["choices"][0]["message"] = {"content": None, "refusal": "I won't."}
        else:
            filtered = body["messages"][0]["content"] == "question 3"
            said["choices"][0]["finish_reason"] = "content_filter" if filtered else "length"
        return 200, {}, said

    server.trouble = answer
    done = run(rows=ROWS[:4])
    assert done.status == 0
    assert done.message.endswith("; 2 refusals; 2 answers cut off at the token limit")
    refused, *cut, _ = rows_in(tmp_path / "o.jsonl")
    assert (refused["prediction"], refused["response"]["refusal"]) == (None, "I won't.")
    assert [row["response"]["finish"] for row in cut] == ["length", "length"]
    manifest = json.loads((tmp_path / "o.jsonl.manifest.json").read_bytes())
    assert manifest["counts"]["refused"] == 2
    assert manifest["counts"]["finish"] == {"length": 2, "stop": 1, "content_filter": 1}
    entry = rows_in(tmp_path / "o.jsonl.journal")[1]
    assert entry["seconds"] > 0
    assert entry["at"].endswith("+00:00")


def test_an_empty_account_stops_the_run(run, server):
    error = {"error": {"code": "insufficient_quota", "message": "pay"}}
    server.trouble = lambda body, times: (429, {}, error)
    done = run("--concurrency", "1")
    assert done.status == 1
    assert "the account has no quota left" in done.message
    assert len(server.requests) == 1


def test_a_batch_is_written_and_read(run, server, jsonl, tmp_path):
    assert run(output="asked.jsonl").status == 0
    server.requests.clear()
    batch = tmp_path / "batch.jsonl"
    done = run("--write-batch", batch)
    assert done.status == 0
    assert done.message.startswith(
        f"6 questions in {batch}; then give the file of answers to the same"
    )
    requests = rows_in(batch)
    assert requests[2].keys() == {"custom_id", "method", "url", "body"}
    assert requests[2]["url"] == "/v1/chat/completions"
    assert requests[2]["body"] == {
        "model": "m",
        "messages": [{"role": "user", "content": "question 2"}],
    }
    results = [
        {
            "id": f"batch_{n}",
            "custom_id": request["custom_id"],
            "response": {
                "status_code": 200,
                "body": completion(server.answer(request["body"])),
            },
            "error": None,
        }
        for n, request in enumerate(requests)
    ]
    done = run("--read-batch", jsonl("some.jsonl", *reversed(results[:4])))
    assert done.status == 1
    assert "2 questions of 6 had no answer: 'r4', 'r5'; the first: not in " in done.message
    expired = {**results[4], "response": None, "error": {"code": "x", "message": "expired"}}
    broken = {**results[5], "response": {"status_code": 400, "body": {"error": "long"}}}
    done = run("--read-batch", jsonl("errors.jsonl", expired, broken), "--on-error", "keep")
    assert done.status == 0
    errors = [row["response"].get("error", "") for row in rows_in(tmp_path / "o.jsonl")]
    assert "expired" in errors[4]
    assert "said 400" in errors[5]
    assert run("--read-batch", jsonl("rest.jsonl", *results[4:])).status == 0
    assert not server.requests
    assert (tmp_path / "o.jsonl").read_bytes() == (tmp_path / "asked.jsonl").read_bytes()


def test_a_batch_of_other_questions(run, jsonl, tmp_path):
    run("--write-batch", tmp_path / "batch.jsonl")
    results = [
        {"custom_id": one["custom_id"], "response": {"status_code": 200, "body": completion("x")}}
        for one in rows_in(tmp_path / "batch.jsonl")
    ]
    given = ("--read-batch", jsonl("results.jsonl", *results))
    done = run(*given, "--seed", "3")
    assert done.status == 1
    assert "answers none of the questions" in done.message
    done = run("--read-batch", jsonl("wrong.jsonl", {"custom_id": 3}))
    assert "wrong.jsonl:1: this line isn't an answer of a batch" in done.message


def test_the_ids_of_a_batch_are_as_all_services_take_them(run, server, jsonl, tmp_path):
    """Long ids that begin alike, and such that only differ in what ids can't hold."""
    names = [*("x" * 60 + end for end in "ab"), "q:1#ocr:p=0.1", "q 1#ocr p=0.1", "œuf 🥚", "q_1-a"]
    rows = [{"id": name, "text": "Two and two?"} for name in names]
    batch = tmp_path / "batch.jsonl"
    assert run("--write-batch", batch, rows=rows).status == 0
    requests = rows_in(batch)
    ids = [request["custom_id"] for request in requests]
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", each) for each in ids)
    assert len({*ids}) == len(names)
    assert ids[-1].endswith("-q_1-a")
    results = [
        {"custom_id": name, "response": {"status_code": 200, "body": completion(f"reply {at}")}}
        for at, name in enumerate(ids)
    ]
    assert run("--read-batch", jsonl("results.jsonl", *reversed(results)), rows=rows).status == 0
    found = [(row["id"], row["prediction"]) for row in rows_in(tmp_path / "o.jsonl")]
    assert found == [(name, f"reply {at}") for at, name in enumerate(names)]
    assert not server.requests


def test_half_a_surrogate_in_a_reply_is_kept(run, server, tmp_path):
    server.answer = lambda body: "so 4 \ud83d"
    assert run().status == 0
    assert {row["prediction"] for row in rows_in(tmp_path / "o.jsonl")} == {"so 4 \ud83d"}
    assert run("--seed", "1", output="again.jsonl").status == 0


def test_batches_are_for_endpoints(perturb, jsonl, tmp_path):
    call = ("run", jsonl("rows.jsonl", *ROWS), "-o", tmp_path / "o.jsonl", "--command", "cat")
    done = perturb(*call, "--write-batch", tmp_path / "b.jsonl")
    assert (
        done.message
        == "--write-batch does nothing with --command, which answers at once; leave it out"
    )


def test_progress_without_a_terminal(capsys):
    """A line after each wait, until the end; the clock is given."""
    counts = AskCounts(questions=1000, before=100)
    times, ended = iter([0.0, 30.0, 60.0]), iter([False, False, True])
    progress = talk.ProgressLines(counts, lambda: next(times), lambda seconds: next(ended))
    counts.answered = 60
    progress.again("busy")
    progress.again("busy")
    with progress.written():
        pass
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "perturb: busy; trying again"
    assert second == "perturb: 160 of 1,000 questions, 2.0 a second, 7 min 00 s to go, 2 retries"
    assert third.startswith("perturb: 160 of 1,000 questions, 1.0 a second, 14 min 00 s to go")
