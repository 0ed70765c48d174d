"""`perturb paraphrase`: asked in waves, checked, and never twice; a person's word stays."""

import json
import re
import signal
import sys
import threading

import pytest

from perturb.perturbators.shared.rewordings import read_table

TEXTS = [f"How many of the {n} eggs are left?" for n in range(20)]
ROWS = [{"id": f"r{n}", "q": text} for n, text in enumerate(TEXTS)]


def text_in(body) -> str:
    """The text that is to be reworded."""
    return body["messages"][1]["content"].partition("<text>\n")[2].partition("\n</text>")[0]


def reworded(body) -> str:
    return "Of " + text_in(body)[16:-15] + " eggs, how many remain?"


@pytest.fixture
def paraphrase(perturb, server, jsonl, tmp_path):
    """Reword the rows of a file by the server."""
    server.answer = reworded

    def ask(*more, rows=ROWS):
        given = jsonl("rows.jsonl", *rows), "--field", "q", "-o", tmp_path / "t.jsonl"
        return perturb("paraphrase", *given, "--endpoint", server.url, "--model", "m", *more)

    return ask


@pytest.fixture
def table(tmp_path):
    def read():
        return read_table((tmp_path / "t.jsonl").read_bytes(), "t.jsonl")

    return read


def test_a_table_has_a_checked_rewording_of_each_text(paraphrase, perturb, table, tmp_path) -> None:
    done = paraphrase(rows=[*ROWS, {"id": "x", "q": TEXTS[0]}])
    assert done.status == 0, done.err
    assert [line.text for line in table().lines] == TEXTS
    assert all(line.accepted and line.tries == 1 for line in table().lines)
    assert table().manifest["checks"]["numbers"] == {"checked": 20, "failed": 0}
    assert b"20 of 20 texts have a rewording" in done.out
    assert "perturb: 20 answers" in done.err
    file = tmp_path / "t.jsonl"
    step = f"paraphrase:file={file}"
    made = perturb("apply", step, "-i", tmp_path / "rows.jsonl", "--field", "q")
    assert {row["perturbation"]["status"] for row in made.rows} == {"changed"}
    assert all(row["q"] == reworded_of(row["perturbation"]["original"]) for row in made.rows)
    out = tmp_path / "out.jsonl"
    out.write_bytes(made.out)
    assert perturb("verify", out, "--trust", file).status == 0


def reworded_of(text) -> str:
    return reworded({"messages": [{}, {"content": f"<text>\n{text}\n</text>"}]})


def test_a_text_is_asked_again_with_what_the_checks_said(paraphrase, server, table) -> None:
    def answer(body):
        few = len(body["messages"]) == 2 and text_in(body) in TEXTS[:4]
        return "Of two eggs, how many remain?" if few else reworded(body)

    server.answer = answer
    assert paraphrase("--concurrency", "1").status == 0
    assert [line.tries for line in table().lines] == [2] * 2 + [1] + [2] + [1] * 16  # 2 was right
    again = [body for body in server.requests if len(body["messages"]) == 4]
    assert len(again) == 3
    assert again[0]["messages"][2]["content"] == "Of two eggs, how many remain?"
    assert "(numbers: lost 0; new 2)" in again[0]["messages"][3]["content"]
    assert table().manifest["checks"]["numbers"] == {"checked": 23, "failed": 3}


def test_what_never_passes_stays_without_a_rewording(paraphrase, perturb, server, table, tmp_path):
    server.answer = lambda body: text_in(body) if text_in(body) == TEXTS[5] else reworded(body)
    assert b"19 of 20 texts have a rewording" in paraphrase("--tries", "2").out
    (line,) = [line for line in table().lines if not line.accepted]
    assert (line.text, line.tries) == (TEXTS[5], 2)
    assert line.checks["words"] == "100% of the words are the same"
    step = f"paraphrase:file={tmp_path / 't.jsonl'}"
    made = perturb("apply", step, "-i", tmp_path / "rows.jsonl", "--field", "q")
    told = [row["perturbation"]["status"] for row in made.rows]
    assert told == ["changed"] * 5 + ["no rewording"] + ["changed"] * 14


@pytest.mark.parametrize("answer", ["", "  \n", "<text></text>"])
def test_an_answer_with_nothing_costs_its_text(paraphrase, server, table, answer) -> None:
    server.answer = lambda body: answer if text_in(body) == TEXTS[3] else reworded(body)
    assert paraphrase().status == 0
    assert [line.text for line in table().lines if not line.accepted] == [TEXTS[3]]
    assert (table().lines[3].error, table().lines[3].tries) == ("an empty answer", 3)


def test_a_refusal_costs_its_text(paraphrase, server, table) -> None:
    def refuse(body, times):
        message = {"role": "assistant", "content": None, "refusal": "I won't."}
        if text_in(body) == TEXTS[3]:
            return 200, {}, {"choices": [{"message": message, "finish_reason": "stop"}]}
        return None

    server.trouble = refuse
    assert paraphrase().status == 0
    assert [line.text for line in table().lines if not line.accepted] == [TEXTS[3]]
    assert table().lines[3].error == "refused: I won't."


def test_a_failure_costs_its_text_and_is_asked_again_by_the_same_call(
    paraphrase, server, table, tmp_path
) -> None:
    def fail(body, times):
        return (400, {}, {"error": {"message": "no"}}) if text_in(body) == TEXTS[3] else None

    server.trouble = fail
    assert paraphrase().status == 1
    assert not (tmp_path / "t.jsonl").exists()
    assert len(server.requests) == 20
    assert paraphrase("--on-error", "keep").status == 0
    assert [line.text for line in table().lines if not line.accepted] == [TEXTS[3]]
    assert "400" in table().lines[3].error
    assert len(server.requests) == 21
    server.trouble = lambda body, times: None
    assert paraphrase().status == 0
    assert all(line.accepted for line in table().lines)
    assert len(server.requests) == 22


def test_other_checks_ask_only_what_they_need(paraphrase, server, table) -> None:
    server.answer = lambda body: "Of two eggs, how many remain?"
    assert paraphrase("--tries", "1").status == 0
    assert paraphrase("--tries", "1", "--checks", "names,words").status == 0
    assert len(server.requests) == 20
    assert all(line.accepted for line in table().lines)
    assert [*table().manifest["checks"]] == ["names", "words"]


def test_a_dry_run_shows_what_the_first_try_would_ask(paraphrase, server, tmp_path) -> None:
    assert paraphrase("--max-tokens", "50", rows=ROWS[:5]).status == 0
    server.requests.clear()
    done = paraphrase("--max-tokens", "50", "--price", "2,100", "--dry-run")
    assert done.status == 0, done.err
    count, cost, settings, example = done.out.decode().split("\n", 3)
    assert count == "20 questions at the first of 3 tries, 5 of them already answered"
    assert re.fullmatch(r"prompts of about [\d,]+ tokens, 0\.\d+; answers of at most 750 .*", cost)
    assert json.loads(settings)["model"] == "m"
    assert text_in({"messages": json.loads(example)["content"]}) == TEXTS[0]
    assert server.requests == []
    assert len((tmp_path / "t.jsonl").read_text().splitlines()) == 6  # as it was


def test_a_judge_is_asked_both_ways_of_what_passes(paraphrase, server, table) -> None:
    def answer(body):
        if body["model"] == "m":
            return text_in(body) if text_in(body) == TEXTS[4] else reworded(body)
        first = body["messages"][1]["content"].partition("<first>\n")[2].partition("\n")[0]
        return "They differ.\nVerdict: no" if first == TEXTS[7] else "Verdict: yes"

    server.answer = answer
    assert paraphrase("--judge-model", "judge", "--tries", "1").status == 0
    bad = {line.text: line.checks.get("entailment") for line in table().lines if not line.accepted}
    assert bad == {TEXTS[4]: None, TEXTS[7]: "it says more"}
    assert sum(body["model"] == "judge" for body in server.requests) == 2 * 19
    assert table().manifest["checks"]["entailment"] == {"checked": 19, "failed": 1}


def test_a_persons_word_outlives_the_next_call(paraphrase, server, table, tmp_path) -> None:
    two = "Of two eggs, how many remain?"  # no check lets it pass
    server.answer = lambda body: two if text_in(body) == TEXTS[1] else reworded(body)
    assert paraphrase("--tries", "2").status == 0
    made = table()
    lines = [made.lines[0]._replace(person=False), made.lines[1]._replace(person=True)]
    (tmp_path / "t.jsonl").write_bytes(made._replace(lines=lines + made.lines[2:]).written())
    asked = len(server.requests)
    for _ in range(2):
        assert b"19 of 20 texts have a rewording" in paraphrase("--tries", "3").out
        assert [line.person for line in table().lines] == [False, True] + [None] * 18
        assert [line.accepted for line in table().lines] == [False] + [True] * 19
    assert len(server.requests) == asked


def test_what_is_no_table_is_not_written_over(paraphrase, tmp_path) -> None:
    (tmp_path / "t.jsonl").write_text("my notes\n")
    done = paraphrase()
    assert done.status == 1
    assert "is no table of rewordings" in done.message
    assert (tmp_path / "t.jsonl").read_text() == "my notes\n"


def test_a_program_and_a_function_get_the_text(perturb, jsonl, tmp_path, table) -> None:
    (tmp_path / "own.py").write_text(
        "def reword(row):\n    assert row['messages'] and row['try'] == 1\n"
        "    return 'Of ' + row['text'][16:-15] + ' eggs, how many remain?'\n"
    )
    rows = jsonl("rows.jsonl", *ROWS)
    function = f"python:{tmp_path}/own.py:reword"
    to = "-o", tmp_path / "t.jsonl", "--field", "q"
    assert perturb("paraphrase", rows, "--command", function, *to).status == 0
    assert all(line.accepted for line in table().lines)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--checks", "all,nubmers"), "unknown check 'nubmers': did you mean numbers or names?"),
        (("--field", "r"), "no field 'r'"),
        (("--prompt", "{tmp}/prompt.txt"), "the prompt must contain {text}"),
        (("--tries", "0"), "must be a whole number >= 1"),
    ],
)
def test_a_wrong_call_asks_nothing(paraphrase, server, tmp_path, more, message) -> None:
    (tmp_path / "prompt.txt").write_text("Reword {txt}.")
    done = paraphrase(*(word.replace("{tmp}", str(tmp_path)) for word in more))
    assert done.status != 0
    assert message in done.message
    assert server.requests == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
@pytest.mark.slow
def test_a_killed_run_asks_nothing_twice(start, server, jsonl, tmp_path) -> None:
    """Killed in the second wave, while one question is under way: that one alone comes twice."""
    first_try = dict.fromkeys(TEXTS[:9], "Of two eggs, how many remain?")

    def answer(body):
        return first_try.get(text_in(body)) if len(body["messages"]) == 2 else None

    server.answer = lambda body: answer(body) or reworded(body)
    held, go_on = threading.Event(), threading.Event()

    def hold(body, times):
        if len(server.requests) == 24:
            held.set()
            go_on.wait(30)

    server.trouble = hold
    call = ("paraphrase", jsonl("rows.jsonl", *ROWS), "--field", "q", "-o", tmp_path / "t.jsonl")
    call = (*call, "--endpoint", server.url, "--model", "m", "--concurrency", "1")
    process = start(*call)
    assert held.wait(30)
    process.send_signal(signal.SIGKILL)
    assert process.wait(30) == -signal.SIGKILL
    assert not (tmp_path / "t.jsonl").exists()
    go_on.set()
    process = start(*call)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(server.requests) == 20 + 8 + 1  # one of nine was right by chance
    asked = [json.dumps(body["messages"]) for body in server.requests]
    assert len(asked) - len({*asked}) == 1
