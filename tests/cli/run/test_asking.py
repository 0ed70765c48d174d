"""`perturb run` against a server of chat completions: what is asked, in which order, and what comes out."""

import json
import threading

import pytest
from endpoints import ROWS


@pytest.mark.slow
def test_rows_come_out_in_order_with_their_answers(run, answers, jsonl, server):
    server.answer = lambda body: body["messages"][0]["content"].upper()
    done = run(jsonl("rows.jsonl", *ROWS))
    assert (done.status, done.out) == (0, b"")
    assert done.message == "20 answers; 240 tokens: prompt 200, completion 40"
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


@pytest.mark.slow
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


def test_rows_without_an_id_are_named_by_their_text_and_themselves(run, answers, jsonl, perturb):
    """What keeps them apart is what does so where they are perturbed."""
    rows = jsonl("rows.jsonl", {"text": "a"}, {"text": "b"}, {"text": "a", "n": 1})
    assert run(rows).status == 0
    made = perturb("apply", "identity", "-i", rows).rows
    ids = [row["id"] for row in answers()]
    assert [name[:5] for name in ids] == ["text:"] * 3
    assert len({*ids}) == 3
    assert [name[-12:] for name in ids] == [row["id"].partition("#")[0][-12:] for row in made]


def test_rows_that_repeat_others_are_asked_once(run, answers, jsonl, perturb, server, tmp_path):
    """They share their id, their answer too, and `score` counts them once."""
    rows = jsonl("rows.jsonl", *[{"text": text, "answer": "a"} for text in "abab"])
    noisy = tmp_path / "noisy.jsonl"
    call = ("apply", "keyboard_typos", "-p", "1", "--with-original", "-i", rows, "-o", noisy)
    assert perturb(*call).status == 0
    assert run(noisy).status == 0
    assert len(server.asked) == 4
    made = answers()
    assert made[:4] == made[4:]
    assert [row["prediction"] is None for row in made] == [False] * 8
    found = json.loads(perturb("score", tmp_path / "answers.jsonl", "--json").out)
    assert found["overall"][0]["originals"] == 2


def test_rows_of_one_id_that_ask_otherwise_are_refused(run, jsonl):
    """Also where the id says that the rows were equal once."""
    name = f"text:{'0' * 16}.{'1' * 12}"
    done = run(jsonl("rows.jsonl", {"id": name, "text": "a"}, {"id": name, "text": "b"}))
    assert done.status == 1
    assert done.message.endswith(f"already a row '{name}': ids must be unique; keep one of them")


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


@pytest.mark.slow
def test_what_was_perturbed_is_asked(perturb, run, server, questions, tmp_path, answers) -> None:
    """Without --field; of a chat, all of its messages."""
    rows = tmp_path / "noisy.jsonl"
    assert (
        perturb("apply", "case:p=1", "--field", "question", "-i", questions, "-o", rows).status == 0
    )
    done = perturb(
        "run", rows, "-o", tmp_path / "a.jsonl", "--endpoint", server.url, "--model", "m"
    )
    assert done.status == 0, done.err
    assert all(row["prediction"] == f"You said: {row['question']}" for row in answers("a.jsonl"))
    chat = b'{"id":"c","messages":[{"role":"system","content":"Be"},{"role":"user","content":"an egg"}]}'
    path = "messages[role=user].content"
    assert perturb("apply", "case:p=1", "--field", path, "-o", rows, stdin=chat).status == 0
    done = perturb(
        "run", rows, "-o", tmp_path / "b.jsonl", "--endpoint", server.url, "--model", "m"
    )
    assert done.status == 0, done.err
