"""`--match judge`: a judge on this machine is asked once about each different reply."""

import json

import linkage
import numpy as np
import pytest
from endpoints import serving

from perturb.evaluation.judge import judge_prompt
from perturb.robustness.metrics.prediction_powered import prediction_powered


@pytest.fixture
def judge():
    """A judge to whom a reply is right where the number of the reference stands in it."""
    with serving() as endpoint:

        def said(body):
            text = body["messages"][-1]["content"]
            inside = [
                text.split(f"<{one}>\n")[1].split("\n")[0] for one in ("reference", "response")
            ]
            return f"Because.\nVerdict: {'right' if inside[0] in inside[1] else 'wrong'}"

        endpoint.answer = said
        yield endpoint


@pytest.fixture
def scored(jsonl):
    """20 originals, all right, and a version of each, of which five are wrong and one silent."""
    rows = []
    for at in range(20):
        rows.append({"id": str(at), "prediction": "It is 4.", "answer": 4})
        said = None if at == 0 else f"I say {3 + (at > 5)}"
        rows.append({**linkage.row(at), "prediction": said, "answer": 4})
    return jsonl("scored.jsonl", *rows)


@pytest.fixture
def score(perturb, judge, scored):
    def run(*arguments, command="score"):
        return perturb(command, scored, "--match", "judge", *arguments)

    return run


@pytest.fixture
def options(judge):
    return "--endpoint", judge.url, "--model", "referee"


def test_each_different_reply_is_judged_once_and_kept(score, options, judge, scored):
    done = score(*options, "--json")
    assert done.status == 0
    found = json.loads(done.out)["overall"][0]
    # One of 20 replies never came.
    assert (found["clean_mean"], found["perturbed_mean"]) == (1, 14 / 19)
    assert len(judge.requests) == 3
    assert "3 answers" in done.err
    again = score("--format", "md")
    assert again.status == 0
    assert "referee judged the replies" in again.out.decode()
    assert len(judge.requests) == 3
    lines = scored.with_name("scored.jsonl.judge.journal").read_text("utf-8").splitlines()
    assert json.loads(lines[0])["settings"]["judge_prompt"] == judge_prompt(None)._asdict()


@pytest.mark.slow
def test_other_commands_read_what_was_judged(score, options, perturb, scored, tmp_path):
    missing = perturb("flips", scored, "--match", "judge")
    assert missing.status == 2
    assert "first ask a judge" in missing.message
    assert score(*options).status == 0
    flips = score("-n", "1", command="flips")
    assert "of 19 rows with edits 5 broke" in flips.out.decode()
    assert score("-o", tmp_path / "p.html", command="report").status == 0
    both = perturb("compare", scored, scored, "--match", "judge")
    assert both.status == 0


def test_a_dry_run_prints_the_prompt_and_asks_nothing(score, options, judge):
    done = score(*options, "--dry-run")
    assert done.out.startswith(b"3 different replies, 0 of them already judged")
    assert b"Verdict: right" in done.out
    assert not judge.requests


def test_a_judge_without_a_verdict_has_not_read_the_reply(score, options, judge):
    judge.answer = lambda body: "Hard to say."
    found = json.loads(score(*options, "--json").out)
    assert found["sentence"].startswith("Cannot judge: 100 % of the clean replies are unread")


def test_a_judge_that_fails_leaves_no_verdict(score, options, judge):
    refuse = (400, {}, {"error": {"message": "no"}})
    judge.trouble = lambda body, times: refuse if "I say 3" in str(body) else None
    done = score(*options)
    assert done.status == 1
    assert "1 reply of 3 had no answer" in done.err
    judge.trouble = lambda body, times: None
    assert score(*options).status == 0
    assert len(judge.requests) == 4


@pytest.mark.slow
def test_a_program_can_judge(score, tmp_path, scored):
    program = tmp_path / "judge.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)['messages'][-1]['content']\n"
        "    word = 'right' if 'I say 3' not in said else 'wrong'\n"
        "    print(json.dumps({'prediction': f'Verdict: {word}'}), flush=True)\n"
    )
    found = json.loads(score("--command", f"python3 {program}", "--json").out)
    assert found["overall"][0]["perturbed_mean"] == 14 / 19
    assert json.loads(score("--json").out) == found


@pytest.mark.slow
def test_another_prompt_is_another_judge(score, options, tmp_path, judge):
    prompt = tmp_path / "p.yaml"
    prompt.write_text("user: 'Is <response>\n\n{response}\n\n right?'")
    assert "must contain {reference}" in score(*options, "--judge-prompt", prompt).message
    prompt.write_text("user: '{reference} = {response}?'")
    assert score(*options).status == 0
    assert "judge_prompt.user was" in score(*options, "--judge-prompt", prompt).message


def test_what_belongs_to_a_judge_needs_one(perturb, scored, options):
    assert "--endpoint is for --match judge" in perturb("score", scored, *options).message
    assert "--dry-run is for --match judge" in perturb("score", scored, "--dry-run").message


def test_the_shipped_prompt_holds_both_texts_as_material():
    (system, user) = judge_prompt(None).messages({"reference": "{4}", "response": "{x}"})
    assert system["role"] == "system"
    assert "<reference>\n{4}\n</reference>" in user["content"]
    assert "<response>\n{x}\n</response>" in user["content"]


@pytest.fixture
def graded(perturb, judge, jsonl):
    """100 originals; the judge takes no "3" for wrong, so that a person is needed."""
    judge.answer = lambda body: "Verdict: right"
    rows = []
    for at in range(100):
        rows.append({"id": str(at), "prediction": "4", "answer": 4})
        rows.append({**linkage.row(at), "prediction": str(3 + (at % 3 > 0)), "answer": 4})
    path = jsonl("rows.jsonl", *rows)
    call = ("--match", "judge", "--human", "ok")

    def run(*arguments, command="score"):
        return perturb(command, path, *call, *arguments)

    return path, run


@pytest.mark.slow
def test_a_person_grades_what_is_drawn_and_corrects_the_judge(graded, options, tmp_path):
    path, run = graded
    missing = run(*options)
    assert missing.status == 1
    assert "no row has right or wrong in its field 'ok'" in missing.err
    drawn = run("--draw", 60)
    assert drawn.status == 0
    file = path.with_name("rows.jsonl.human.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert drawn.message.startswith(f"{len(rows)} replies to grade in {file}; write right or wrong")
    for row in rows:
        row["ok"] = "right" if row["prediction"] == "4" else "wrong"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = json.loads(run("--json").out)
    one = found["conditions"][0]
    assert (one["test"], one["graded"], one["verdict"]) == ("prediction-powered", 60, "worse")
    assert one["low"] < -0.34 < one["high"] < 0
    assert run("--draw", 10).message.startswith("0 replies to grade")
    assert json.loads(run("--json").out) == found
    assert run("-o", tmp_path / "page.html", command="report").status == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "perturb score rows.jsonl --match judge --human ok" in page.replace(
        f"{path.parent}/", ""
    )
    assert "s grades cover" in page
    assert "The judge may err" not in page


@pytest.mark.slow
def test_without_a_person_the_error_of_a_judge_is_told(graded, options, perturb):
    path, _ = graded
    done = perturb("score", path, "--match", "judge", *options, "--json")
    (hint,) = [one for one in json.loads(done.out)["hints"] if "may err" in one]
    assert "wrong on 10 % of the perturbed replies alone" in hint
    assert "anything from -0.100 to +0.100" in hint


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "said"), [
    (2, "of one system alone, the difference could be anything from -0.100 to +0.100; "),
    (3, "of one system alone, its difference could be off by 0.1 either way, and its rank with"),
])  # fmt: skip
def test_of_several_systems_it_is_told_once(graded, options, perturb, tmp_path, systems, said):
    path, _ = graded
    files = [path, *(path.with_name(f"other{at}.jsonl") for at in range(1, systems))]
    for file in files:
        file.write_bytes(path.read_bytes())
        assert perturb("score", file, "--match", "judge", *options).status == 0
    page = tmp_path / "page.html"
    done = perturb("compare", *files, "--match", "judge", "--json", "-o", page)
    hints = json.loads(done.out)["hints"]
    (hint,) = [one for one in hints if "may err" in one]
    assert said in hint
    (who,) = [one for one in hints if "judged the replies" in one]
    assert who.endswith(" and ".join(f"{file}.judge.journal" for file in files) + ".")
    assert said.replace("-0", "−0") in page.read_text("utf-8")


def test_a_draw_needs_a_field_and_replies(graded, perturb):
    path, _ = graded
    assert "--draw needs --human FIELD" in perturb("score", path, "--draw", 5).message
    scored = perturb("score", path, "--against", "original", "--human", "ok")
    assert "--human grades replies; leave out --metrics and --against" in scored.message


@pytest.mark.slow
def test_a_person_corrects_scores_that_are_in_the_rows(perturb, jsonl):
    """Scores between 0 and 1, which fall by half as much as they should; rows without replies are
    graded one by one. Computed anew by `prediction_powered`."""
    rng, rows = np.random.default_rng(3), []
    for at in range(90):
        broken = at % 3 == 0
        rows.append({"id": str(at), "s": float(rng.uniform(0.8, 1))})
        rows.append({**linkage.row(at), "s": float(rng.uniform(0.3, 0.5) if broken else 0.9)})
    path = jsonl("rows.jsonl", *rows)
    call = ("score", path, "--score", "s", "--human", "ok")
    assert perturb(*call, "--draw", 40).message.startswith("80 replies to grade in")
    file = path.with_name("rows.jsonl.human.jsonl")
    drawn = [json.loads(line) for line in file.read_text().splitlines()]
    for row in drawn:
        row["ok"] = "wrong" if "#" in row["id"] and int(row["id"].split("#")[0]) % 3 == 0 else 1
    file.write_text("".join(json.dumps(row) + "\n" for row in drawn))
    found = json.loads(perturb(*call, "--json").out)
    one = found["conditions"][0]
    graded = {row["id"] for row in drawn}
    change = [noisy["s"] - clean["s"] for clean, noisy in zip(rows[::2], rows[1::2], strict=True)]
    person = [-float(at % 3 == 0) if str(at) in graded else np.nan for at in range(90)]
    wanted = prediction_powered(change, person, range(90))
    assert [one[name] for name in ("difference", "low", "high", "graded")] == pytest.approx(
        [wanted.mean, wanted.low, wanted.high, 40]
    )
    assert found["hints"][0].startswith("A person's grades cover 80 rows; equal replies")
    assert "Their mean score is 0." in found["hints"][0]
    assert "where right and 0." in found["hints"][0]
    points = jsonl("points.jsonl", *({**row, "s": 100 * row["s"]} for row in rows))
    done = perturb("score", points, "--score", "s", "--human", "ok", "--draw", 5)
    assert done.status == 0
    beside = points.with_name("points.jsonl.human.jsonl")
    beside.write_text(beside.read_text().replace('"ok":null', '"ok":"right"'))
    message = perturb("score", points, "--score", "s", "--human", "ok").message
    assert message.startswith("a person's grades are 0 and 1, and s reaches 9")
