"""`perturb explain`: which rows it explains, what it asks, and what it says when a system is odd."""

import json
import re
import shlex
import signal
import sys
import threading
from collections import Counter

import linkage
import pytest

SYSTEM = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    assert not row.keys() & {"perturbation", "prediction", "response", "explanation"}, row
    right = "eggs" in row["question"] or row["question"].count("x") < 2
    print(json.dumps({**row, "prediction": "3" if right else "4"}), flush=True)
"""
EDITS = [(0, 1, "x"), (9, 10, "x"), (10, 11, "x")]


def command(code):
    return shlex.join([sys.executable, "-c", code])


def perturbed(original_id, edits, answer, replicate=0):
    """A row of a question, untouched where there are no edits, and what was answered to it."""
    how = {"original": "How many eggs?", "field": "question", "edits": edits}
    if edits:
        made = linkage.row(original_id, replicate=replicate, **how)
    else:
        made = linkage.row(original_id, "", status="original", **how) | {"id": original_id}
    response = {"seed": 7, "finish": None, "tokens": None}
    return {**made, "answer": "3", "prediction": answer, "response": response}


@pytest.fixture
def scored(jsonl):
    """An original that is right; a row that is wrong after three edits, and one that is right."""
    return jsonl(
        "scored.jsonl",
        perturbed("q", [], "3"),
        perturbed("q", EDITS, "4"),
        perturbed("q", EDITS[:1], "3", replicate=1),
    )


@pytest.fixture
def explain(perturb, scored, tmp_path):
    """Explain the rows by a program; each time into a file of its own."""
    count = iter(range(100))

    def run(*arguments, code=SYSTEM, output=None):
        output = tmp_path / (output or f"out{next(count)}.jsonl")
        done = perturb("explain", scored, "--command", command(code), "-o", output, *arguments)
        if done.status == 0:
            done.printed, done.out = done.out.decode(), output.read_bytes()
        return done

    return run


@pytest.mark.slow
def test_the_flipped_row_and_no_other_has_an_explanation(explain, scored):
    """It takes a broken "eggs" and two x: of three edits, any with both."""
    done = explain()
    assert done.status == 0
    assert re.fullmatch(r"\d+ answers", done.message)
    clean, flipped, right = done.rows
    assert "explanation" not in clean
    assert "explanation" not in right
    found = flipped.pop("explanation")
    assert (found["status"], found["original_answer"], found["answer"]) == ("minimal", "3", "4")
    assert len(found["edits"]) == 2
    assert tuple(found["edits"][0].values())[:3] in EDITS
    assert "eggs" not in found["text"]
    assert found["text"].count("x") == 2
    assert [clean, flipped, right] == list(map(json.loads, scored.read_text().splitlines()))
    assert explain().out == done.out


def test_what_flips_does_not_list_is_not_explained(perturb, explain, scored, jsonl):
    """A reply that never came, one that no edit changed, and a score at the threshold."""
    clean, flipped, right = map(json.loads, scored.read_text().splitlines())
    again = linkage.row("q", "identity@1", status="no site", original="How many eggs?",
                        field="question")  # fmt: skip
    rows = [clean, {**flipped, "prediction": None}, right]
    rows += [{**again, "answer": "3", "prediction": "4", "response": right["response"]}]
    jsonl("scored.jsonl", *rows)
    assert explain().printed == "No answer flipped, so there is nothing to explain.\n"
    half = {**flipped, "prediction": "3 4", "answer": "3 5"}
    jsonl("scored.jsonl", {**clean, "prediction": "3 5", "answer": "3 5"}, half)
    for door in (
        explain("--match", "f1").printed,
        perturb("flips", scored, "--match", "f1").out.decode(),
    ):
        assert "No answer flipped" in door or "0 broke and 0 recovered" in door


def test_the_explanations_are_printed_too(explain):
    done = explain()
    found = done.rows[1]["explanation"]
    edits = ", ".join(f"{edit['removed']!r} > {edit['text']!r}" for edit in found["edits"])
    assert done.printed.startswith("1 row flipped. Edits that flip the first 1:\n")
    assert f"| minimal   | {edits} | '3' > '4'" in done.printed


@pytest.mark.slow
def test_clean_rows_may_have_a_file_of_their_own(perturb, scored, explain, jsonl, tmp_path):
    whole = explain().rows
    clean, *rest = map(json.loads, scored.read_text().splitlines())
    given = ("--clean", jsonl("clean.jsonl", clean), "--command", command(SYSTEM))
    out = tmp_path / "rest.out"
    assert perturb("explain", jsonl("rest.jsonl", *rest), *given, "-o", out).status == 0
    assert [json.loads(line) for line in out.read_bytes().splitlines()] == whole[1:]
    manifest = json.loads((tmp_path / "rest.out.manifest.json").read_bytes())
    assert manifest["asked"]["options"]["clean"] == str(tmp_path / "clean.jsonl")


@pytest.mark.slow
def test_what_was_asked_is_not_asked_again(explain, tmp_path):
    done = explain(output="out.jsonl")
    again = explain(output="out.jsonl")
    assert again.out == done.out
    assert again.message == f"0 answers, {done.message.split()[0]} from an earlier call"


@pytest.mark.slow
def test_the_number_of_rows_and_of_texts_can_be_limited(explain):
    assert not any("explanation" in row for row in explain("-n", 0).rows)
    found = explain("--budget", 2).rows[1]["explanation"]
    edits = [tuple(edit.values())[:3] for edit in found["edits"]]
    assert (found["status"], edits, found["calls"]) == ("budget spent", EDITS, 6)
    assert explain("--budget", 2, "--repeats", 1).rows[1]["explanation"]["calls"] == 2
    assert explain("--budget", 1).status == 2


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("pass", "the command ended with status 0 before it answered '"),
        ("print('[', flush=True); print(1); print(2)", "the command wrote more lines than"),
        ("import sys; sys.stdin.read()", "no answer within 0.2 s; it must answer each row"),
        ("raise SystemExit(3)", "the command ended with status 3 before it answered '"),
    ],
)
def test_a_program_that_does_not_answer(explain, code, message, tmp_path):
    timeout = 0.2 if "0.2 s" in message else 60
    done = explain("--timeout", timeout, code=code, output="out.jsonl")
    assert done.status == 1
    assert message in done.err
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.slow
def test_a_row_without_answer_costs_no_other(explain, tmp_path):
    broken = tmp_path / "broken"
    broken.touch()
    code = f"import pathlib\nbroken = pathlib.Path({str(broken)!r}).exists()\n{SYSTEM}"
    code = code.replace("print(", "print('{' if broken and 'xx' in row['question'] else ")
    done = explain(code=code, output="out.jsonl")
    assert done.status == 1
    assert (
        "1 row of 1 had no answer: 'line 2'; the first: the command's answer b'{' isn't JSON on one line"
        in (done.message)
    )
    kept = explain("--on-error", "keep", code=code, output="out.jsonl")
    assert kept.status == 0
    assert not any("explanation" in row for row in kept.rows)
    broken.unlink()
    done = explain(code=code, output="out.jsonl")
    assert done.rows[1]["explanation"]["status"] == "minimal"


def test_a_program_that_is_not_there(perturb, scored, tmp_path):
    for name in ("no-such-program", "'", ""):
        done = perturb("explain", scored, "--command", name, "-o", tmp_path / "out.jsonl")
        assert done.status == 2
        assert done.message.startswith("can't start the command")


def test_the_input_is_not_written_over(explain, scored):
    assert explain(output=scored.name).status == 2


@pytest.fixture
def server(server):
    """Counts eggs, as the program does."""
    server.answer = answer
    return server


def answer(body):
    text = body["messages"][-1]["content"]
    return "3" if "eggs" in text or text.count("x") < 2 else "4"


@pytest.mark.slow
def test_an_endpoint_is_asked_as_by_run(perturb, explain, scored, server, tmp_path):
    """The same explanation as the program's; the same seed, prompt and settings as in the run."""
    (tmp_path / "prompt.txt").write_text("Q: {question}", "utf-8")
    call = ("--endpoint", server.url, "--model", "m", "--temperature", "0.5")
    out = tmp_path / "answered.jsonl"
    asked = ("--prompt", tmp_path / "prompt.txt", "-o", out)
    done = perturb("explain", scored, *call, *asked)
    assert done.status == 0
    assert "tokens" in done.message
    assert [json.loads(line) for line in out.read_bytes().splitlines()] == explain().rows
    for body in server.requests:
        assert (body["model"], body["temperature"]) == ("m", 0.5)
        assert body["messages"][0]["content"].startswith("Q: ")
    asked = Counter((body["messages"][-1]["content"], body["seed"]) for body in server.requests)
    assert set(asked.values()) == {1}
    times = Counter(text for text, _ in asked)
    assert {seed for _, seed in asked} == {7, 8, 9, 10}
    assert sorted(times.values())[-3:] == [3, 3, 4]
    assert set(sorted(times.values())[:-3]) == {1}


def test_a_row_that_cannot_be_asked_is_named(perturb, scored, server, tmp_path):
    call = ("--endpoint", server.url, "--model", "m", "-o", tmp_path / "out.jsonl")
    done = perturb("explain", scored, *call)
    assert done.status == 1
    assert "scored.jsonl:2: no field 'text': " in done.message
    assert done.message.endswith("name the field to ask with --field (field= in Python)")
    assert not server.requests


@pytest.fixture
def many(jsonl):
    """Twenty flipped rows of as many originals."""
    rows = []
    for n in range(20):
        rows += [perturbed(f"q{n}", [], "3"), perturbed(f"q{n}", EDITS, "4")]
    return jsonl("many.jsonl", *rows)


@pytest.mark.slow
def test_rows_are_explained_at_the_same_time(perturb, many, server, tmp_path):
    """The first four requests wait for each other: were there never four, none would end."""
    together = threading.Barrier(4, timeout=30)
    server.trouble = lambda body, times: together.wait() and None
    call = ("--endpoint", server.url, "--model", "m", "--field", "question")
    out = tmp_path / "out.jsonl"
    assert perturb("explain", many, *call, "--concurrency", "4", "-o", out).status == 0
    assert server.most_under_way == 4
    found = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [row["explanation"]["status"] for row in found[1::2]] == ["minimal"] * 20


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
@pytest.mark.parametrize("blow", ["SIGKILL", "SIGINT"])
@pytest.mark.slow
def test_stopped_anywhere_it_goes_on_from_there(start, perturb, many, server, tmp_path, blow):
    call = ("--endpoint", server.url, "--model", "m", "--field", "question", "--concurrency", "3")
    assert perturb("explain", many, *call, "-o", tmp_path / "whole.jsonl").status == 0
    whole = len(server.requests)
    reached, go_on = threading.Event(), threading.Event()

    def hold(body, times):
        if len(server.requests) >= whole + 30:
            reached.set()
            go_on.wait(30)

    server.trouble = hold
    process = start("explain", many, *call, "-o", tmp_path / "out.jsonl")
    assert reached.wait(30)
    process.send_signal(getattr(signal, blow))
    _, err = process.communicate(timeout=30)
    assert process.returncode == {"SIGKILL": -9, "SIGINT": 130}[blow]
    assert err == {"SIGKILL": b"", "SIGINT": b"perturb: interrupted\n"}[blow]
    go_on.set()
    server.trouble = lambda body, times: None
    before = len((tmp_path / "out.jsonl.journal").read_bytes().splitlines()) - 1
    assert before >= 25
    asked = len(server.requests)
    done = perturb("explain", many, *call, "-o", tmp_path / "out.jsonl")
    assert done.status == 0
    # Of the three that were under way, some may reach the server after the process has ended.
    assert whole - before <= len(server.requests) - asked <= whole - before + 3
    for name in ("{}.jsonl", "{}.jsonl.manifest.json"):
        one, other = ((tmp_path / name.format(of)).read_bytes() for of in ("whole", "out"))
        assert one.replace(b"whole", b"out") == other.replace(b"whole", b"out")


@pytest.mark.slow
def test_a_cache_answers_no_repeat_of_a_coin(perturb, jsonl, tmp_path):
    """Without seeds, a question that is asked again is another one; the second call asks none."""
    rows = [perturbed("q", [], "3"), perturbed("q", EDITS, "4")]
    for row in rows:
        row["response"]["seed"] = None
    code = "import sys\nfor number, line in enumerate(sys.stdin): print(3 + number % 3, flush=True)"
    call = ("--command", command(code), "--cache", tmp_path / "cache", "--concurrency", 1)
    scored = jsonl("coin.jsonl", *rows)
    for name in ("one.jsonl", "two.jsonl"):
        assert perturb("explain", scored, *call, "-o", tmp_path / name).status == 0
    one, two = ((tmp_path / name).read_bytes() for name in ("one.jsonl", "two.jsonl"))
    assert json.loads(one.splitlines()[1])["explanation"]["status"] == "varies"
    assert one == two


def test_only_the_rows_that_are_asked_for(perturb, jsonl, tmp_path):
    """Rows with another value are neither explained nor written, and the manifest has the words."""
    rows = [
        {**perturbed(name, edits, answer), "topic": name}
        for name in "ab"
        for edits, answer in (([], "3"), (EDITS, "4"))
    ]
    scored, output = jsonl("topics.jsonl", *rows), tmp_path / "out.jsonl"
    call = ("explain", scored, "--command", command(SYSTEM), "-o", output, "--where", "topic=b")
    assert "1 row flipped" in perturb(*call).out.decode()
    made = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(row["topic"], "explanation" in row) for row in made] == [("b", False), ("b", True)]
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert "topic=b" in json.dumps(manifest)
