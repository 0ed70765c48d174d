"""`perturb test`: one call from rows to a verdict, which composes other commands."""

import json
import re
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from endpoints import serving

from perturb import augment
from perturb.cli import main
from perturb.cli import test as cli
from perturb.cli.test import _slug
from perturb.errors import DataError
from perturb.evaluation import suites
from perturb.evaluation.suites import KINDS, job_file, looked_at
from perturb.pipeline.pipeline import Pipeline
from perturb.plan.recipe import read_job_file

BOTS = """
import re
calls = []
def adds(question):
    numbers = re.findall(r"\\d+", question)
    return str(int(numbers[0]) + int(numbers[1])) if len(numbers) == 2 else "?"
def tells(question):
    return f"The sum is {adds(question)}."
def guesses(question):
    return "7"
def breaks(question):
    raise ConnectionError("no")
"""
SUMS = [
    {"id": f"s{n}", "question": f"What is {n} plus {n + 3}, please?", "answer": str(2 * n + 3)}
    for n in range(30)
]


def jsonl(path: Path, rows: list) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    jsonl(tmp_path / "sums.jsonl", SUMS)
    return tmp_path


def said(capsys, *words):
    status = main(["test", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.slow
def test_one_call_leads_to_a_verdict_and_another_to_a_comparison(here, capsys):
    status, out, err = said(capsys, "sums.jsonl", "python:bots.py:adds")
    assert (status, "overall" in out) == (0, True)
    assert "the suite standard@1 for questions: at most 390 calls with prompts of about" in err
    assert (
        "30 originals show a loss of 0.32 under one noise in 80 % of tests, if 80 % of the" in err
    )
    folder = here / "sums.test"
    made = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    answers = "answers/bots.py-adds.jsonl"
    assert made >= {"rows.jsonl", "suite.yaml", answers, "verdict.json", "report.html"}
    assert json.loads((folder / "verdict.json").read_text())["overall"]
    rows = (folder / "rows.jsonl").read_bytes()
    status, out, err = said(capsys, "sums.jsonl", "python:bots.py:guesses", "--all")
    assert (status, "| bots.py-guesses  | verdict" in out) == (0, True)
    assert (folder / "rows.jsonl").read_bytes() == rows
    assert "perturb apply" not in err
    assert re.search(r"graded 1: '(\d+)', where '\1' is right\n.* 0: '\d+', where '\d+' is", err)
    # Each command that is shown works by itself, and does the same again.
    shown = [line.removeprefix("perturb: $ perturb ") for line in err.splitlines() if " $ " in line]
    assert [line.split()[0] for line in shown] == ["run", "score", "compare", "compare", "report"]


@pytest.mark.slow
def test_a_run_that_failed_goes_on_where_it_was(here, capsys):
    """Its answers are kept; once the system works, only the others are asked for."""
    (here / "bots.py").write_text(
        "n = 0\ndef f(q):\n    global n\n    n += 1\n    if n > 40: raise ValueError('full')\n    return '3'\n"
    )
    words = ("sums.jsonl", "python:bots.py:f", "--all", "--concurrency", "1", "--retries", "0")
    status, _, err = said(capsys, *words)
    assert status == 1
    assert "40 answers" in err
    (here / "bots.py").write_text("def f(q):\n    return '3'\n")
    from perturb.evaluation.asking import _loaded

    _loaded.cache_clear()
    status, _, err = said(capsys, *words, "--same-system")
    assert (status, "350 answers, 40 from an earlier call" in err) == (0, True)


@pytest.mark.slow
def test_answers_that_are_there_are_judged_in_another_way(here, capsys):
    """Nothing is asked again for that, and the looks start over."""
    (here / "bots.py").write_text("def says(question): return f'It is {len(question)}.'\n")
    rows = [
        {"id": n, "question": f"How long is the word {n * 'a'}?", "answer": f"{22 + n}"}
        for n in range(1, 25)
    ]
    jsonl(here / "long.jsonl", rows)
    call = ("long.jsonl", "python:bots.py:says", "--suite", "own.yaml")
    (here / "own.yaml").write_text("grid: [case:p=0.5]\nwith_original: true\n")
    assert "no original is answered correctly" in said(capsys, *call, "--match", "exact")[2]
    status, out, _ = said(capsys, *call, "--match", "contains")
    assert (status, "From 1.000 to 1.000" in out) == (0, True)
    journal = here / "long.test" / "answers" / "bots.py-says.jsonl.journal"
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    asked = [entry["key"] for entry in entries if "key" in entry]
    assert len(asked) == len(set(asked)) <= 48
    looks = [entry["look"] for entry in entries if "look" in entry]
    assert looks == [1, 2, 3, 4] * 2  # with 20 originals nothing can be right, or is lost
    said(capsys, *call, "--match", "contains")
    assert len(journal.read_text().splitlines()) == len(entries)  # nothing is judged again


@pytest.mark.slow
def test_a_program_is_tested_by_rows_with_fields_of_other_names(here, capsys):
    (here / "echo.py").write_text("import sys\nfor line in sys.stdin: print('good', flush=True)\n")
    jsonl(here / "reviews.jsonl", [{"review": f"Good film {n}.", "says": "good"} for n in range(9)])
    command = f"{sys.executable} echo.py"
    call = ("reviews.jsonl", "--command", command, "--field", "review")
    status, _, err = said(capsys, *call)
    assert (status, "--target names right ones" in err) == (0, True), err
    assert said(capsys, *call, "--target", "says", "-o", "other")[0] == 0


def test_a_call_that_is_ended_says_that_the_same_goes_on(here, capsys):
    (here / "bots.py").write_text("def ends(q): raise KeyboardInterrupt\n")
    _, _, err = said(capsys, "sums.jsonl", "python:bots.py:ends")
    assert "perturb: run the same call again to go on where it was, in sums.test\n" in err


GOES_ON = "put that right, and run the same call again to go on where it was, in bad.test"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"id": 2, "question"', "bad.jsonl:2: the line begins a JSON object"),
        ('{"id": 2, "answer": "x"}', "bad.jsonl:2: no field 'question'"),
        ('{"id": 2, "question": null}', "got null (--bad-lines"),
        ('{"id": 2, "question": "What?"}', "bad.jsonl:2: no field 'answer'"),
        ('"What?"', "bad.jsonl:2: a row is a JSON object"),
    ],
)
def test_a_bad_row_ends_in_a_sentence_that_says_how_to_go_on(here, capsys, line, words):
    good = [json.dumps(row) for row in SUMS[:6]]
    (here / "bad.jsonl").write_text("\n".join([good[0], line, *good[1:]]))
    (here / "own.yaml").write_text("grid: [case:p=0.5]\nwith_original: true\n")
    call = ("bad.jsonl", "python:bots.py:adds", "--suite", "own.yaml")
    _, _, err = said(capsys, *call)
    assert (words in err, "--bad-lines skip|FILE" in err, GOES_ON in err) == (True, True, True), err
    assert said(capsys, *call, "--bad-lines", "skip")[0] == 0


def test_other_rows_that_are_not_one_kind_are_refused():
    rows = [{"question": "How?"}, {"question": chat("How?")}]
    with pytest.raises(DataError, match="'question' holds a chat, which is a list, in some rows"):
        looked_at(rows, None, None)


@pytest.mark.slow
def test_a_model_is_right_where_it_says_the_right_answer(here, capsys):
    jsonl(
        here / "rows.jsonl",
        [{"question": f"Which {n}, please?", "answer": "Lima"} for n in "abcdef"],
    )
    with serving() as server:
        server.answer = lambda body: "I think: Lima."
        status, out, err = said(capsys, "rows.jsonl", "--endpoint", server.url, "--model", "m")
    assert (status, "--match contains" in err, "1.000 -> 1.000" in out) == (0, True, True), out


def test_an_endpoint_needs_its_package_before_there_is_a_folder(here, capsys, monkeypatch):
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    status, _, err = said(
        capsys, "sums.jsonl", "--endpoint", "http://localhost:1/v1", "--model", "m"
    )
    assert (status, "--endpoint needs the package aiohttp: pip install" in err) == (2, True)
    assert not (here / "sums.test").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sums.jsonl",), "name one system to test: python:FILE.py:FUNCTION, --command 'PROG"),
        (("sums.jsonl", "bots.py"), "a function is named as python:FILE.py:FUNCTION; got 'bots.p"),
        (("sums.jsonl", "python:bots.py:no"), "bots.py has no function 'no'"),
        (("none.jsonl", "python:bots.py:adds"), "can't read none.jsonl"),
        (("sums.jsonl", "python:bots.py:adds", "--suite", "standard@0"), "unknown suite 'standar"),
        (("sums.jsonl", "--endpoint", "http://localhost:1/v1"), "--endpoint needs --model NAME"),
        (
            ("sums.jsonl", "python:bots.py:adds", "--field", "text"),
            "no field 'text': known: answer",
        ),
    ],
)
def test_a_wrong_call_ends_in_a_sentence_and_makes_nothing(here, capsys, words, message):
    status, _, err = said(capsys, *words)
    assert (status in (1, 2), message in err) == (True, True), err
    assert not (here / "sums.test" / "rows.jsonl").exists()


def test_a_folder_keeps_the_rows_of_one_file_and_suite(here, capsys):
    (here / "own.yaml").write_text("grid: [case:p=0.5]\nwith_original: true\n")
    call = ("sums.jsonl", "python:bots.py:adds", "--suite", "own.yaml")
    assert said(capsys, *call)[0] == 0
    for other in (("--limit", 3), ("--suite", "standard@1")):
        status, _, err = said(capsys, *(call[:2] if other[0] == "--suite" else call), *other)
        assert (status, "name another folder with -o" in err) == (2, True), err


@pytest.mark.slow
def test_an_own_step_is_in_an_own_suite_and_all_are_asked_where_a_call_stopped_early(
    here, capsys, forget, monkeypatch
):
    monkeypatch.setattr(cli, "_QUICK", 0)  # no system is
    (here / "own_step.py").write_text(
        'import perturb\n\n@perturb.perturbator("sloppy", unit="word", summary="x", label_risk="low")\n'
        "def sloppy(word: str) -> str:\n    return word.upper()\n"
    )
    (here / "own.yaml").write_text("grid: ['sloppy:p=0.5']\nwith_original: true\n")
    call = ("sums.jsonl", "python:bots.py:adds", "--suite", "own.yaml")
    assert "unknown perturbator 'sloppy'" in said(capsys, *call)[2]
    call = (*call, "--plugin", "own_step.py")
    status, out, err = said(capsys, *call)
    assert (status, err.count("--plugin own_step.py -o"), "look 4 of 5" in out) == (0, 1, True), err
    status, out, err = said(capsys, *call, "--all")
    assert (status, "looked at 5 times" in out, "all 30 rows" in out) == (0, True, True), out


@pytest.mark.slow
def test_a_system_that_answers_at_once_is_asked_every_question(here, capsys):
    """To stop early would save nothing; what it takes to find a noise harmless is said before."""
    (here / "own.yaml").write_text("grid: [case:p=0.5]\nwith_original: true\n")
    for _ in range(2):
        call = ("sums.jsonl", "python:bots.py:adds", "--suite", "own.yaml")
        status, out, err = said(capsys, *call)
        assert (status, "30 originals, all 30 rows" in out) == (0, True), err
        assert "no noise is found to be harmless with fewer than 159 originals" in err
        assert "ms, so the other questions are asked too" in err
    assert "0 answers, 60 from an earlier call" in err


@pytest.mark.slow
def test_its_folder_names_its_answers(here, capsys):
    """Those who judge take the folder, and judge as its verdict does."""
    (here / "own.yaml").write_text("grid: [case:p=0.5]\nwith_original: true\n")
    for system in ("tells", "guesses"):
        call = ("sums.jsonl", f"python:bots.py:{system}", "--suite", "own.yaml")
        assert said(capsys, *call, "--match", "contains")[0] == 0
        if system == "tells":
            assert main(["score", "sums.test", "--json"]) == 0
            shown = json.loads(capsys.readouterr().out)
            assert shown == json.loads(Path("sums.test/verdict.json").read_text())
    assert main(["compare", "sums.test"]) == 0
    assert "| bots.py-tells -" in capsys.readouterr().out
    assert main(["report", "sums.test", "-o", "page.html"]) == 0
    assert "<bdi>bots.py-tells</bdi>" in Path("page.html").read_text()


def chat(text):
    return [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]


OPTIONS = "Which is red?\nA. grass\nB. blood\nC. snow"
PEOPLE = "Anna Smith said that she would call her brother Peter on Monday."


@pytest.mark.parametrize(
    ("row", "kind", "field", "match"),
    [
        ({"question": "How many eggs?", "answer": "12"}, "questions", "question", "number"),
        (
            {"question": "How many?", "answer": "5 + 1 = 6\n#### 6"},
            "questions",
            "question",
            "number",
        ),
        ({"text": "Where is it?", "label": "there"}, "questions", "text", "exact"),
        ({"prompt": OPTIONS, "answer": "B"}, "options", "prompt", "choice"),
        ({"messages": chat("hi"), "target": "x"}, "chats", "messages[role=user].content", "exact"),
        ({"text": PEOPLE, "answer": "Anna"}, "entities", "text", "exact"),
        ({"input": "It rained all day. " * 100, "answer": "1"}, "passages", "input", "number"),
    ],
)
def test_rows_are_known_by_their_kind(row, kind, field, match):
    found = looked_at([row] * 3, None, None)
    assert (found.kind, found.field, found.match) == (kind, [field], match)


LISTS = {"text": ["a", "b"], "label": ["A", "B"]}


@pytest.mark.parametrize(
    ("fields", "choices", "unknown"),
    [
        ({"choices": ["a", "b"]}, ["A=choices"], []),
        ({"options": {"A": "a", "B": "b"}}, ["A=options"], []),
        ({"choices": LISTS}, ["choices.text"], []),
        ({"options": [{"label": "A", "text": "a"}, {"label": "B", "text": "b"}]}, ["options[*].text"], []),
        ({"A": "a", "B": "b"}, ["A", "B"], []),
        ({"option1": "a", "option2": "b"}, ["option1", "option2"], []),
        ({"options": "a or b"}, (), ["options"]),
        ({"choices": [1, 2]}, (), ["choices"]),
        ({"choices": []}, (), []),
        ({"details": "a"}, (), []),
    ],
)  # fmt: skip
def test_options_in_fields_of_their_own_are_found(fields, choices, unknown):
    found = looked_at([{"question": "Which?", **fields, "answer": "B"}] * 3, None, None)
    assert (found.choices, found.unknown) == (choices, unknown)
    assert (found.kind, found.match) == (
        ("choices", "choice") if choices else ("questions", "exact")
    )


def test_each_noise_of_the_suite_can_act_on_options_in_fields():
    """Labels are written only where options are asked, so a step on labels changes no row."""
    steps, _ = read_job_file(job_file("standard@1", "choices"))
    rows = [{"question": "Which animal is it?", "choices": ["a cat", "the dog"], "answer": 0}] * 40
    how = {"field": ["question"], "choices": ["A=choices"], "target": ["answer"], "seed": 1}
    for cell in steps["grid"]:
        done = augment(rows, cell.partition(":")[0], p=1.0, **how)
        assert any(row["perturbation"]["status"] == "changed" for row in done), cell
    labelled = augment(rows, "option_labels", p=1.0, **how)
    assert not any(row["perturbation"]["status"] == "changed" for row in labelled)


def test_options_are_found_unless_the_question_or_the_caller_names_them():
    rows = [{"question": OPTIONS, "choices": ["grass", "blood", "snow"], "answer": "B"}]
    assert looked_at(rows, None, None)[5:] == ((), [])
    assert looked_at([{**rows[0], "question": "Which?"}], None, None, ["choices"]).choices == [
        "choices"
    ]
    chats = [{"messages": chat("Which?"), "choices": ["a", "b"], "answer": "B"}]
    assert looked_at(chats, None, None)[5:] == ((), ["choices"])


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ({"question": "Which is {n}?", "choices": ["no", "{n}"], "answer": 1}, "A=choices"),
        ({"question": {"stem": "Which is {n}?", "choices": [{"text": "no", "label": "A"}, {"text": "{n}", "label": "B"}]}, "answerKey": "B"}, "'question.choices[*].text'"),
    ],
)  # fmt: skip
def test_a_question_is_never_asked_without_its_options(here, capsys, row, shown):
    (here / "quiz.py").write_text(
        "def f(q): return 'B' if '\\nA. ' in q and '\\nB. ' in q else 'none'\n"
    )
    jsonl(
        here / "mc.jsonl",
        [json.loads(json.dumps({"id": n, **row}).replace("{n}", f"it {n}")) for n in range(6)],
    )
    (here / "own.yaml").write_text("grid: [case:p=0.5]\nwith_original: true\n")
    status, out, err = said(capsys, "mc.jsonl", "python:quiz.py:f", "--suite", "own.yaml")
    assert (status, "1.000 -> 1.000" in out) == (0, True), err
    assert f"asked with the options below it that --choices {shown} names" in err
    assert "left out" not in err  # by a suite of the caller's
    err = said(capsys, "mc.jsonl", "python:quiz.py:f", "-o", "full")[2]
    assert "option_labels is left out: options in fields of their own have no labels" in err
    jsonl(
        here / "odd.jsonl",
        [{"id": n, "question": f"Is {n}?", "options": "a, b", "answer": "b"} for n in range(6)],
    )
    err = said(capsys, "odd.jsonl", "python:quiz.py:f", "--suite", "own.yaml")[2]
    assert "'options' isn't asked; if it holds answer options, name them with --choices" in err


def test_rows_without_a_question_are_refused():
    with pytest.raises(DataError, match="no rows to test"):
        looked_at([[1]], ["question"], None)
    with pytest.raises(DataError, match=r"no row has one of the fields question, .*rows have a, b"):
        looked_at([{"a": 1, "b": 2}], None, None)
    with pytest.raises(DataError, match="must hold a text or a chat"):
        looked_at([{"question": 3}], None, None)


def test_a_suite_never_changes():
    """Another suite, or the same with other jobs, has another version."""
    folder = Path(suites.__file__).parent / "standard@1"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(KINDS)
    jobs = "".join(job_file("standard@1", kind).read_text() for kind in sorted(KINDS))
    assert sha256(jobs.encode()).hexdigest()[:16] == "1e9642203541cbe0"
    for kind in KINDS:
        steps, options = read_job_file(job_file("standard@1", kind))
        assert options == {"with_original": True}
        names = {
            Pipeline.of(cell.partition(":p")[0]).steps[0].perturbator.name for cell in steps["grid"]
        }
        # Options in fields of their own have no labels that a step could write anew.
        assert len(names) == (5 if kind == "choices" else 6)


def test_an_own_suite_has_originals_and_limits_are_whole_numbers(here, capsys):
    (here / "own.yaml").write_text("grid: [case:p=0.5]\n")
    call = ("sums.jsonl", "python:bots.py:adds", "--suite", "own.yaml")
    assert said(capsys, *call, "--limit", 0)[0] == 2
    status, out, _ = said(capsys, *call, "--limit", 6)
    assert (status, "overall" in out or "case" in out) == (0, True)


def test_a_first_row_without_a_text_doesn_t_hide_the_others():
    rows = [{"id": 1, "question": None}, [1], {"id": 2, "question": "How many?", "answer": "3"}]
    assert looked_at(rows, None, None)[:4] == ("questions", ["question"], ["question"], "answer")


@pytest.mark.parametrize("named", ["python:", "  ", "\\"])
def test_every_name_of_a_system_names_files(named):
    assert (_slug(named), _slug("O'Brien")) == ("system", "O-Brien")
