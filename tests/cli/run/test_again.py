"""`perturb run --again`: asking just those questions again whose replies were lost."""

import json
import shlex
import sys

import pytest
from endpoints import ROWS, completion
from lines import rows_in

import perturb as package

SORRY = "I'm sorry, but I can't help with that."
STATES = ("failed", "truncated", "refused")


def finished(answer, reason):
    return completion(answer) | {
        "choices": [{"message": {"content": answer}, "finish_reason": reason}]
    }


def odd(body, times):
    """What becomes of the first three questions; below 100 tokens the second is cut off."""
    said = {
        "question 0": None,
        "question 1": "a rather lo",
        "question 2": SORRY,
    }
    text = body["messages"][-1]["content"]
    if text not in said or body.get("max_tokens", 50) >= 100:
        return None
    return 200, {}, finished(said[text], "length" if text == "question 1" else "stop")


@pytest.mark.slow
@pytest.mark.parametrize(("state", "which"), [*zip(STATES, range(3), strict=True)])
def test_just_these_are_asked_again(run, answers, jsonl, server, state, which):
    rows = jsonl("rows.jsonl", *ROWS)
    server.trouble = odd
    assert run(rows, "--max-tokens", "50").status == 0
    before = answers()
    server.trouble = lambda body, times: None
    done = run(rows, "--max-tokens", "50", "--again", state)
    assert done.message.startswith("1 answer, 19 from an earlier call")
    assert server.asked[20:] == [f"question {which}"]
    after = answers()
    assert after[which]["prediction"] == f"You said: question {which}"
    assert [*after[:which], *after[which + 1 :]] == [*before[:which], *before[which + 1 :]]
    assert run(rows, "--max-tokens", "50").message.startswith("0 answers, 20 from an earlier call")
    assert answers() == after


@pytest.mark.slow
def test_a_new_limit_is_of_what_is_asked_again_and_stays(run, answers, jsonl, server, tmp_path):
    rows = jsonl("rows.jsonl", *ROWS)
    server.trouble = odd
    run(rows, "--max-tokens", "50")
    dry = run(rows, "--max-tokens", "100", "--again", "truncated", "--dry-run")
    assert b"20 questions, 19 of them already answered" in dry.out
    assert run(rows, "--max-tokens", "100").status == 2
    assert run(rows, "--max-tokens", "100", "--again", "truncated").status == 0
    assert [body["max_tokens"] for body in server.requests[20:]] == [100]
    assert answers()[1]["prediction"] == "You said: question 1"
    manifest = json.loads((tmp_path / "answers.jsonl.manifest.json").read_text())
    options = manifest["asked"]["options"]
    assert (options["max_tokens"], options["again"]) == (100, "truncated")
    assert manifest["counts"]["finish"] == {"stop": 20}
    assert run(rows, "--max-tokens", "100").message.startswith("0 answers, 20 from an earlier call")
    done = run(rows, "--max-tokens", "50")
    assert "max_tokens was 100, now 50" in done.message
    done = run(rows, "--max-tokens", "100", "--again", "refused", "--temperature", "1")
    assert "temperature was None, now 1.0" in done.message


@pytest.mark.slow
def test_what_is_asked_again_is_not_looked_up(run, answers, jsonl, server, tmp_path):
    rows, cache = jsonl("rows.jsonl", *ROWS), ("--cache", tmp_path / "cache")
    server.trouble = odd
    run(rows, *cache)
    server.trouble = lambda body, times: None
    run(rows, *cache, "--again", "refused")
    assert answers()[2]["prediction"] == "You said: question 2"
    run(rows, *cache, output="other.jsonl")  # which finds the new reply
    assert answers("other.jsonl")[2]["prediction"] == "You said: question 2"
    assert len(server.requests) == 21


def test_a_question_that_fails_again_leaves_the_old_reply(run, answers, jsonl, server):
    rows = jsonl("rows.jsonl", *ROWS)
    server.trouble = odd
    run(rows)
    before = answers()
    server.trouble = lambda body, times: (400, {}, b"no")
    assert run(rows, "--again", "refused").status == 1
    assert run(rows).status == 0
    assert answers() == before


@pytest.mark.slow
def test_an_answer_stays_where_no_other_comes(run, answers, jsonl, server):
    """Neither a null nor a failure takes the place of a reply that was cut off."""
    rows = jsonl("rows.jsonl", *ROWS)
    server.trouble = odd
    run(rows)
    before = answers()
    for said in ((200, {}, finished(None, "length")), (400, {}, b"no")):
        server.trouble = lambda body, times, said=said: said
        run(rows, "--again", "truncated", "--on-error", "keep")
        assert answers() == before
    assert run(rows).status == 0
    assert answers() == before


LIMITED = """\
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({{"prediction": {noisy} if "#" in row["id"] else "yes"}}), flush=True)
"""


@pytest.mark.slow
def test_a_look_that_lost_replies_stopped_is_taken_again(perturb, jsonl, tmp_path):
    """All noisy replies were lost, so that no look would judge; asked again, all are right."""
    plain = [{"id": f"q{at}", "text": f"some text {at}", "answer": "yes"} for at in range(400)]
    rows = jsonl("rows.jsonl", *package.augment(plain, "char_delete", p=0.3, with_original=True))
    output, program = tmp_path / "out.jsonl", tmp_path / "system.py"
    command = shlex.join([sys.executable, str(program)])
    call = ("run", rows, "-o", output, "--command", command, "--until", "decided", "--same-system")
    program.write_text(LIMITED.format(noisy="None"))
    assert "cannot judge, for good" in perturb(*call).err
    program.write_text(LIMITED.format(noisy='"yes"'))
    done = perturb(*call, "--again", "failed")
    assert "look 1 of 5: undecided with 80 originals" in done.err
    looks = rows_in(output.with_suffix(".jsonl.journal"))
    assert [(one["look"], one["decided"]) for one in looks if "look" in one][:2] == [
        (1, True),
        (1, False),
    ]
    whole = output.read_bytes()
    assert perturb(*call).status == 0
    assert output.read_bytes() == whole


@pytest.mark.slow
def test_a_run_that_ended_undecided_ends_so_again(perturb, jsonl, tmp_path):
    plain = [{"id": f"q{at}", "text": f"some text {at}", "answer": "yes"} for at in range(60)]
    rows = jsonl("rows.jsonl", *package.augment(plain, "char_delete", p=0.3, with_original=True))
    output, program = tmp_path / "out.jsonl", tmp_path / "system.py"
    program.write_text(LIMITED.format(noisy='"yes"'))
    command = shlex.join([sys.executable, str(program)])
    call = ("run", rows, "-o", output, "--command", command, "--until", "decided")
    call = (*call, "--margin", "0.06")
    perturb(*call)
    journal = output.with_suffix(".jsonl.journal")
    journal.write_text(journal.read_text().replace('"decided":true', '"decided":false'))
    whole = output.read_bytes()
    done = perturb(*call)
    assert (done.status, output.read_bytes()) == (0, whole)
    assert "look 5 of 5: undecided with 60 originals" in done.err
