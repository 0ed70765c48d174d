"""The whole way, from questions to a verdict, under every kind of trouble and killed three times."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from endpoints import serving

from perturb.rng import key64

# Backoff and pauses as ever, only that none is waited for long.
MAIN = (
    "import sys\n"
    "from perturb.evaluation import ask, limits\n"
    "ask._FIRST_WAIT, limits._SLOWEST = 0.001, 1000.0\n"
    "from perturb.cli import main\n"
    "sys.exit(main())\n"
)


def trouble(body, times):
    """Of a hundred questions five fail with 500, three with 429, three without a word, once or twice."""
    kind = key64("trouble", body["messages"][-1]["content"]) % 100
    if times > kind % 2:
        return None
    if kind < 5:
        return 500, {}, b"oops"
    if kind < 8:
        return 429, {"Retry-After": "0.01"}, b"busy"
    return "drop" if kind < 11 else None


class Blows:
    """Holds requests once so many came, so that the process can be killed in the middle."""

    def __init__(self, at, late):
        self.at, self.late = at, late
        self.asked = 0
        self.reached, self.go_on, self.never = (threading.Event() for _ in range(3))

    def __call__(self, body, times):
        self.asked += 1
        if self.asked > self.at:
            self.reached.set()
            self.go_on.wait(30)
        if self.late in body["messages"][-1]["content"] and times == 0:
            self.never.wait(30)  # until the client has given up
        return trouble(body, times)


def start(*call):
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, call)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def answers(path):
    return [json.loads(line)["key"] for line in path.read_bytes().splitlines()[1:]]


def judged(perturb, path):
    """Return what scoring prints, and the files that a run and its report leave."""
    graded = (path, "--match", "number")
    page = path.with_name("page.html")
    calls = (("score", "--json"), ("flips",), ("report", "-o", page))
    done = [perturb(*call, *graded) for call in calls]
    assert [each.status for each in done] == [0, 0, 0]
    files = (path, path.with_name("answers.jsonl.manifest.json"), page)
    own = f"/{path.parent.name}/".encode()
    return [each.out for each in done], [each.read_bytes().replace(own, b"/") for each in files]


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
@pytest.mark.slow
def test_killed_three_times_in_trouble_it_ends_as_undisturbed(perturb, jsonl, tmp_path, in_full):
    size = 1319 if in_full else 80
    questions = [
        {
            "id": f"q{n}",
            "question": f"Ann has {n} eggs and eats 2. How many are left?",
            "answer": n - 2,
        }
        for n in range(2, size + 2)
    ]
    rows = tmp_path / "rows.jsonl"
    call = ("apply", "keyboard_typos:p=0.1", "char_swap:p=0.1", "--grid", "--with-original")
    source = jsonl("questions.jsonl", *questions)
    assert perturb(*call, "--field", "question", "-i", source, "-o", rows).status == 0
    made = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    right = {row["question"]: row["answer"] for row in made}
    calm, rough = (tmp_path / name / "answers.jsonl" for name in ("calm", "rough"))
    for path in (calm, rough):
        path.parent.mkdir()

    with serving() as server:

        def answer(body):
            asked = body["messages"][-1]["content"]
            return f"That makes {right[asked] if key64('right', asked) % 4 else 4711}."

        server.answer = answer
        call = ("run", rows, "--field", "question", "--endpoint", server.url, "--model", "m")
        call = (*call, "--timeout", "1", "--concurrency", "8", "-o")
        assert perturb(*call, calm).status == 0
        total = len(server.requests)
        assert total == 3 * size

        journal = rough.with_name("answers.jsonl.journal")
        server.times.clear()
        for kill in range(3):
            blows = Blows(total // 4, late=f" {7 + kill} eggs")
            server.trouble = blows
            process = start(*call, rough)
            assert blows.reached.wait(60)
            process.send_signal(signal.SIGKILL)
            assert process.wait(30) == -signal.SIGKILL
            process.stderr.close()
            blows.go_on.set()
            blows.never.set()
            assert not rough.exists()
        before = len(answers(journal))
        assert total // 2 < before < total
        server.trouble = trouble
        process = start(*call, rough)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said

    assert f"{total - before:,} answers, {before:,} from an earlier call".encode() in said
    assert len(set(answers(journal))) == len(answers(journal)) == total
    assert judged(perturb, calm) == judged(perturb, rough)
