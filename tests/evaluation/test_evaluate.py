"""`evaluate`: a Python function as the system under test."""

import asyncio
import threading

import numpy as np
import pytest

from perturb.errors import DataError, UsageError
from perturb.evaluation import IncompleteError, InterruptedEvaluation, evaluate

ROWS = [{"id": f"r{n}", "text": f"question {n}"} for n in range(20)]
WANTED = [{**row, "prediction": row["text"].upper(), "response": {"seed": None}} for row in ROWS]


pytestmark = pytest.mark.usefixtures("waits")


class Caller:
    async def __call__(self, text):
        return text.upper()


async def upper(text):
    return text.upper()


@pytest.mark.parametrize("system", [str.upper, upper, Caller(), lambda text: text.upper()])
def test_plain_and_async_functions(system):
    assert evaluate(system, ROWS) == WANTED
    assert evaluate(system, iter(ROWS), concurrency=1) == WANTED
    assert evaluate(system, []) == []


def test_inside_a_running_loop_as_in_a_notebook():
    async def cell():
        return evaluate(upper, ROWS)

    assert asyncio.run(cell()) == WANTED


def test_many_at_a_time():
    """Eight calls wait for each other: were there never eight, none would end."""
    together = threading.Barrier(8, timeout=30)

    def system(text):
        together.wait()
        return text.upper()

    assert evaluate(system, ROWS[:16], concurrency=8) == WANTED[:16]


def test_whole_rows_paths_and_fields():
    rows = [{"id": 1, "q": {"x": ["a", "b"]}, "prediction": "gold"}]
    made = evaluate(lambda row: row["q"]["x"][0], rows, field=None, prediction="said")
    assert made == [{**rows[0], "said": "a", "response": {"seed": None}}]
    made = evaluate(str.upper, rows, field="q.x[1]", prediction="said")
    assert made[0]["said"] == "B"
    with pytest.raises(DataError, match="row 0: the row already has a field 'prediction'"):
        evaluate(str.upper, rows, field="q.x[1]")


def test_seeds():
    made = evaluate(lambda text, seed: f"{text} {seed}", ROWS[:2], seeds=[3, 4])
    assert [(row["id"], row["prediction"], row["response"]) for row in made] == [
        (f"r{n}#rs{seed}", f"question {n} {seed}", {"seed": seed})
        for n in range(2)
        for seed in (3, 4)
    ]


def test_calls_that_raise_are_made_again(waits):
    calls = []

    def system(text):
        calls.append(text)
        if calls.count(text) <= 2 and text.endswith("7"):
            raise ConnectionError("reset")
        return text.upper()

    assert evaluate(system, ROWS, retries=2) == WANTED
    assert len(calls) == 20 + 4
    assert len(waits) == 4


def broken(text):
    if text.endswith(" 5"):
        raise KeyError("lost")
    return text.upper()


def test_what_the_system_raised_is_the_cause():
    with pytest.raises(DataError, match=r"row 'r5': the system raised KeyError\('lost'\)$") as e:
        evaluate(broken, ROWS)
    assert isinstance(e.value.__cause__, KeyError)


def test_a_system_that_runs_out_of_answers():
    answers = iter(["one"])
    with pytest.raises(DataError, match=r"row 'r1': the system raised .*no more answers"):
        evaluate(lambda text: next(answers), ROWS, concurrency=1)


def test_answers_so_far_are_in_the_error():
    calls = []

    def system(text):
        calls.append(text)
        return broken(text)

    with pytest.raises(IncompleteError) as stopped:
        evaluate(system, ROWS, concurrency=1)
    assert stopped.value.rows == WANTED[:5]
    assert len(calls) == 6

    def down(text):
        raise ConnectionError

    with pytest.raises(IncompleteError, match="32 questions in succession") as stopped:
        evaluate(down, [{"text": str(n)} for n in range(99)], on_error="keep", concurrency=1)
    assert [row["prediction"] for row in stopped.value.rows] == [None] * 32


@pytest.mark.parametrize("in_notebook", [False, True])
def test_an_interruption_keeps_the_answers(in_notebook):
    async def system(text):
        if text.endswith(" 5"):
            raise KeyboardInterrupt
        return text.upper()

    async def cell():
        evaluate(system, ROWS, concurrency=1)

    with pytest.raises(KeyboardInterrupt) as stopped:
        asyncio.run(cell()) if in_notebook else evaluate(system, ROWS, concurrency=1)
    assert isinstance(stopped.value, InterruptedEvaluation)
    assert stopped.value.rows == WANTED[:5]


def test_a_failed_row_may_be_kept():
    made = evaluate(broken, ROWS, on_error="keep")
    error = "the system raised KeyError('lost')"
    assert made[5] == {**ROWS[5], "prediction": None, "response": {"seed": None, "error": error}}
    assert made[:5] + made[6:] == WANTED[:5] + WANTED[6:]


def test_an_answer_is_what_json_can_hold():
    for said in (3, 0.5, True, np.float64(0.5), np.int64(3), np.str_("yes")):
        (row,) = evaluate(lambda text: said, ROWS[:1])  # noqa: B023
        assert row["prediction"] == said
        assert type(row["prediction"]) in (int, float, bool, str)
    scored = {"label": "pos", "score": np.float32(0.5)}
    for said, plain in (
        (np.array([0.5, 1]), [0.5, 1.0]),
        (("a", [np.int64(1)]), ["a", [1]]),
        (scored, {"label": "pos", "score": 0.5}),
    ):
        (row,) = evaluate(lambda text: said, ROWS[:1])  # noqa: B023
        assert repr(row["prediction"]) == repr(plain)
    with pytest.raises(DataError, match="got nan"):
        evaluate(lambda text: float("nan"), ROWS[:1])
    with pytest.raises(DataError, match="got \\[nan\\]"):
        evaluate(lambda text: [float("nan")], ROWS[:1])
    assert evaluate(lambda text: None, ROWS[:1])[0]["prediction"] is None
    with pytest.raises(
        DataError,
        match=r"row 'r0': the system must answer with a string, a number, None, or a list or dict "
        r"of these; got \{3\}",
    ):
        evaluate(lambda text: {3}, ROWS)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": 1, "text": 2}], "row 0: the field 'text' must be a string; got 2"),
        ([{"id": 1, "x": "a"}], "row 0: no field 'text'"),
        ([*ROWS, ROWS[3]], "row 20: there is already a row 'r3'"),
        (["text"], "row 0: rows are dicts, as json.loads makes of a file's lines and to_dict"),
    ],
)
def test_wrong_rows(rows, message):
    with pytest.raises(DataError, match=message):
        evaluate(str.upper, rows)


@pytest.mark.parametrize(
    "arguments",
    [
        {"concurrency": 0},
        {"retries": -1},
        {"retries": True},
        {"on_error": "go on"},
        {"seeds": []},
        {"seeds": [1, 1]},
        {"seeds": [0.5]},
        {"seeds": [1 << 63]},
    ],
)
def test_wrong_calls(arguments):
    with pytest.raises(UsageError):
        evaluate(str.upper, ROWS, **arguments)


def test_the_rows_do_not_come_first() -> None:
    with pytest.raises(TypeError, match="the system must be a function, before the rows; got"):
        evaluate([{"text": "a"}], str.upper)


def test_rows_that_repeat_others_are_asked_once_and_all_come_back():
    asked = []

    def system(row):
        asked.append(row["text"])
        return row["text"] * 2

    rows = [{"text": "a", "n": 1.5}, {"text": "b"}, {"text": "a", "n": 1.5}]
    found = evaluate(system, rows, field=None)
    assert sorted(asked) == ["a", "b"]
    assert [row["prediction"] for row in found] == ["aa", "bb", "aa"]
    assert found[0]["id"] == found[2]["id"] != found[1]["id"]
