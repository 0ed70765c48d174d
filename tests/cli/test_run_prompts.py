"""`perturb run --prompts`: benchmarks in several prompts, with several seeds each."""

import json
import sys
from hashlib import sha256

import pytest
from endpoints import with_defaults
from lines import rows_in

LETTERS = [
    {"id": "m1", "problem": "Which is a mammal? A. shark B. dolphin", "expected_answer": "B"},
    {"id": "m2", "problem": "Which is prime? A. 59 B. 51", "expected_answer": "A"},
]
SUMS = [{"id": n, "problem": f"{n} + {n}", "expected_answer": 2 * n} for n in range(1, 5)]


@pytest.fixture
def server(server):
    """Knows sums and letters; asked plainly, it errs in every second seed, or forgets the box."""
    server.answer = answer
    return server


def answer(body):
    text = body["messages"][-1]["content"]
    problem = text.removeprefix("Think. ")
    if "+" in problem:
        said = str(2 * int(problem.split(" + ")[0]))
    else:
        said = "B" if "mammal" in problem else "A"
    if text != problem:
        return f"I thought. \\boxed{{{said}}}"
    return "no idea" if problem == "1 + 1" else f"\\boxed{{{said if body['seed'] % 2 == 0 else 0}}}"


@pytest.fixture
def folder(tmp_path, jsonl):
    """A prompt set with data: sums, and multiple choice."""
    (tmp_path / "data" / "mcq").mkdir(parents=True)
    jsonl("data/sums.jsonl", *SUMS)
    jsonl("data/mcq/test.jsonl", *LETTERS)
    (tmp_path / "plain.yaml").write_text("user: '{problem}'", "utf-8")
    (tmp_path / "think.yaml").write_text("user: |-\n  Think. {problem}", "utf-8")
    prompts = "sums:\n- plain.yaml\n- think.yaml\nmcq:\n- think\n"
    (tmp_path / "set.yaml").write_text(prompts, "utf-8")
    return tmp_path


@pytest.fixture
def run(perturb, server, folder):
    def ask(*arguments, benchmarks="sums:2,mcq:3"):
        return perturb(
            "run", "--prompts", folder / "set.yaml", "--benchmarks", benchmarks,
            "--output-dir", folder / "out", "--endpoint", server.url, "--model", "m",
            *with_defaults(arguments, **{"data-dir": folder / "data"}),
        )  # fmt: skip

    return ask


@pytest.mark.slow
def test_the_whole_grid(run, folder, server):
    done = run()
    assert done.status == 0
    # 2 prompts x 2 seeds x 4 sums, and 1 x 3 x 2 choices
    assert done.message.startswith("22 answers; ")
    out = folder / "out"
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.jsonl")) == [
        *(f"mcq/think/output-rs{seed}.jsonl" for seed in range(3)),
        *(
            f"sums/{prompt}/output-rs{seed}.jsonl"
            for prompt in ("plain", "think")
            for seed in (0, 1)
        ),
    ]
    assert rows_in(out / "sums/plain/output-rs1.jsonl") == [
        {
            **row,
            "prediction": "no idea" if row["id"] == 1 else "\\boxed{0}",
            "response": {
                "seed": 1,
                "finish": "stop",
                "refusal": None,
                "tokens": {"prompt": 10, "completion": 2 if row["id"] == 1 else 1},
            },
            "predicted_answer": None if row["id"] == 1 else "0",
            "symbolic_correct": False,
        }
        for row in SUMS
    ]
    metrics = json.loads((out / "metrics.json").read_bytes())
    plain, think = metrics["sums"]["plain"], metrics["sums"]["think"]
    assert (plain["min"], plain["max"], plain["no_answer"]) == (0.0, 75.0, 25.0)
    assert (think["avg"], think["CR"], think["no_answer"]) == (100.0, 100.0, 0.0)
    assert metrics["mcq"]["aggregated"]["avg"] == 100.0
    assert metrics["sums"]["aggregated"]["num_runs"] == 4
    assert b"prompt_sensitivity" in done.out
    assert {body["seed"] for body in server.requests} == {0, 1, 2}


def test_every_output_has_a_manifest(run, folder):
    assert run("--temperature", "0").status == 0
    for path in (folder / "out").rglob("output-rs*.jsonl"):
        manifest = json.loads(path.with_name(f"{path.name}.manifest.json").read_bytes())
        assert manifest["asked"]["options"]["prompts"] == str(folder / "set.yaml")
        assert manifest["asked"]["options"]["temperature"] == 0.0
        assert manifest["counts"]["answers"] == len(rows_in(path))
        assert manifest["output"]["sha256"] == sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
def test_the_prompts_that_come_with_perturb(perturb, folder, server):
    """The field of the problem may be another than theirs."""
    server.answer = lambda body: "It is \\boxed{2}."
    call = ("run", "--data-dir", folder / "data", "--endpoint", server.url, "--model", "m",
            "--benchmarks", "sums:1", "--output-dir")  # fmt: skip
    done = perturb(*call, folder / "out", "--prompts", "math")
    assert done.status == 0
    assert done.message.startswith("80 answers; ")
    assert perturb(*call, folder / "other", "--prompts", "mcq", "--field", "id").status == 0
    assert len(server.requests) == 160
    done = perturb(*call, folder / "out", "--prompts", folder / "set.yaml", "--field", "x")
    assert (
        done.message
        == "--field does nothing with --prompts, which makes the questions; leave it out"
    )


@pytest.mark.slow
def test_nothing_is_asked_twice_and_what_is_new_alone(run, folder, server):
    assert run(benchmarks="sums").status == 0
    assert len(server.requests) == 8
    assert run().status == 0
    assert len(server.requests) == 22
    assert run().status == 0
    assert len(server.requests) == 22


@pytest.mark.slow
def test_perturbed_rows_are_benchmarks_like_any_other(run, perturb, folder, server):
    """Prompts x steps x replicates x seeds is one grid; the linkage lets it be scored."""
    data = folder / "data"
    steps = (
        "keyboard_typos:p=0.2",
        "identity:p=1",
        "--grid",
        "--replicates",
        "2",
        "--with-original",
    )
    call = ("apply", *steps, "--field", "problem", "-i", data / "mcq" / "test.jsonl")
    assert perturb(*call, "-o", data / "mcq.jsonl").status == 0
    assert run(benchmarks="mcq:2").status == 0
    made = rows_in(folder / "out" / "mcq" / "think" / "output-rs1.jsonl")
    given = rows_in(data / "mcq.jsonl")
    assert len(made) == 2 * (2 * 2 + 1)
    assert [row["perturbation"] for row in made] == [row["perturbation"] for row in given]
    assert [row["id"] for row in made] == [row["id"] for row in given]
    asked = {body["messages"][0]["content"] for body in server.requests}
    assert asked == {f"Think. {row['problem']}" for row in given}
    file = folder / "out" / "mcq" / "think" / "output-rs1.jsonl"
    done = perturb("score", file, "--score", "symbolic_correct", "--prediction", "predicted_answer")
    assert done.status == 0
    assert b"keyboard_typos" in done.out


@pytest.mark.slow
def test_a_command_is_given_the_rows_with_their_messages(perturb, folder):
    program = folder / "program.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    row = json.loads(line)\n"
        "    said = row['messages'][0]['content'].removeprefix('Think. ')\n"
        "    print(json.dumps(f\"{said} {row['seed']} {row['expected_answer']}\"), flush=True)\n",
        "utf-8",
    )
    call = (
        "run", "--prompts", folder / "set.yaml", "--benchmarks", "mcq:2", "--data-dir",
        folder / "data", "--output-dir", folder / "out", "--command", f"{sys.executable} {program}",
        "--extract", "boxed", "--extract", "regex:\\w+$",
    )  # fmt: skip
    batch = perturb(*call, "--write-batch", folder / "batch.jsonl")
    assert "--write-batch does nothing with --command, which answers at once" in batch.message
    assert perturb(*call).status == 0
    made = rows_in(folder / "out" / "mcq" / "think" / "output-rs1.jsonl")
    assert [row["prediction"] for row in made] == [
        f"{row['problem']} 1 {row['expected_answer']}" for row in LETTERS
    ]
    assert all(row["symbolic_correct"] for row in made)


def test_other_fields(run, folder, jsonl, server):
    renamed = [{"id": row["id"], "problem": row["problem"], "prediction": "2"} for row in SUMS]
    jsonl("data/sums.jsonl", *renamed)
    done = run("--target", "prediction", benchmarks="sums")
    assert "the row already has a field 'prediction'" in done.message
    arguments = ("--target", "prediction", "--prediction", "generation", "--extract", "number")
    assert run(*arguments, benchmarks="sums").status == 0
    made = rows_in(folder / "out" / "sums" / "think" / "output-rs0.jsonl")
    assert [row["symbolic_correct"] for row in made] == [True, False, False, False]
    assert made[1]["generation"] == "I thought. \\boxed{4}"


def test_a_prompt_may_have_a_rule_of_its_own(run, folder):
    (folder / "set.yaml").write_text(
        "sums:\n- think\n- {prompt_config: plain, extract_regex: 'no (.+)'}\n", "utf-8"
    )
    assert run(benchmarks="sums").status == 0
    made = rows_in(folder / "out" / "sums" / "plain" / "output-rs0.jsonl")
    assert [row["predicted_answer"] for row in made] == ["idea", None, None, None]
    made = rows_in(folder / "out" / "sums" / "think" / "output-rs0.jsonl")
    assert [row["predicted_answer"] for row in made] == ["2", "4", "6", "8"]


def test_a_dry_run_shows_the_plan(run, folder, server):
    done = run("--dry-run")
    assert done.status == 0
    *paths, count, _, example = done.out.decode().split("\n", 9)
    assert paths[0] == str(folder / "out" / "sums" / "plain" / "output-rs0.jsonl")
    assert len(paths) == 7
    assert count == "22 questions, 0 of them already answered"
    assert json.loads(example)["content"] == [{"role": "user", "content": "1 + 1"}]
    assert not server.requests
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("benchmarks", "message"),
    [
        ("sum", "unknown benchmark 'sum': did you mean sums?"),
        ("sums:0", "write benchmarks as gpqa:16,comp-math:4, each once; got 'sums:0'"),
        ("sums:x", "write benchmarks as"),
        ("sums,sums:2", "write benchmarks as"),
        ("", "write benchmarks as"),
    ],
)
def test_wrong_benchmarks(run, benchmarks, message):
    done = run(benchmarks=benchmarks)
    assert done.status == 2
    assert message in done.message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seed", "1"), "--seed does nothing with --prompts"),
        (("-o", "x.jsonl"), "--output does nothing with --prompts"),
        (("rows.jsonl",), "INPUT does nothing with --prompts"),
        (("--extract", "box"), "an answer is found by boxed, number, choice or regex:PATTERN"),
        (("--data-dir", "nowhere"), "there is no data for sums: neither nowhere/sums.jsonl nor "),
    ],
)
def test_wrong_calls(run, arguments, message):
    done = run(*arguments)
    assert done.status == 2
    assert message in done.message


def test_what_is_missing_is_found_before_anything_is_asked(run, folder, jsonl, server, perturb):
    jsonl("data/sums.jsonl", SUMS[0], {"id": 9, "problem": "x"})
    done = run()
    assert done.status == 1
    assert "sums.jsonl:2: the field 'expected_answer' must be the right answer" in done.message
    jsonl("data/sums.jsonl", SUMS[0], {"id": 9, "expected_answer": "x"})
    assert "sums.jsonl:2: no field 'problem'" in run().message
    assert not server.requests
    done = perturb("run", "--prompts", "p", "--endpoint", server.url, "--model", "m")
    assert done.message == "--prompts needs --benchmarks, --data-dir and --output-dir"
