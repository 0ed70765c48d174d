"""A function as the system: how it is called, and which of its errors are worth another try."""

from urllib.error import HTTPError, URLError

import pytest

from perturb.errors import UsageError
from perturb.evaluation import IncompleteError, evaluate

ROWS = [{"id": "a", "text": "Two and two?"}]


class RateLimitError(Exception):
    """As the clients of several services call it."""


class APITimeoutError(Exception):
    """As OpenAI's client calls it."""


class StatusError(Exception):
    """An error with a status of HTTP: its own, as OpenAI's client, or its response's, as httpx."""

    def __init__(self, status, response=False):
        super().__init__(status)
        if response:
            self.response = StatusError(status)
        else:
            self.status_code = status


def tries(error):
    """Return how often a system is asked that raises an error each time."""
    calls = []

    def system(text):
        calls.append(text)
        raise error

    with pytest.raises(IncompleteError, match="the system raised") as stopped:
        evaluate(system, ROWS, retries=3)
    assert type(stopped.value.__cause__) is type(error)
    return len(calls)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError(), TimeoutError(), URLError("no route"), RateLimitError(),
        APITimeoutError(), StatusError(429), StatusError(503, response=True),
        HTTPError("u", 500, "", None, None),
    ],
    ids=repr,
)  # fmt: skip
def test_errors_that_may_pass_are_tried_again(error, waits):
    assert tries(error) == 4
    assert len(waits) == 3


@pytest.mark.parametrize(
    "error",
    [
        TypeError(), KeyError("x"), ValueError("status"), FileNotFoundError(), RuntimeError("timeout"),
        StatusError(400), StatusError(404, response=True), HTTPError("u", 401, "", None, None),
    ],
    ids=repr,
)  # fmt: skip
def test_all_other_errors_come_once(error, waits):
    assert tries(error) == 1
    assert not waits


@pytest.mark.parametrize(
    ("system", "seeds", "message"),
    [
        (lambda text: text, [1], r"system\(ASKED, seed=N\), .* unexpected keyword argument 'seed'"),
        (
            lambda text, other: text,
            None,
            r"system\(ASKED\), .* missing a required argument: 'other'",
        ),
        (lambda: "", None, "too many positional arguments"),
    ],
)
def test_a_function_that_can_not_be_called_so_is_refused(system, seeds, message, waits):
    with pytest.raises(UsageError, match=message):
        evaluate(system, ROWS, seeds=seeds, retries=8)
    assert not waits


def test_functions_of_c_and_objects_are_called():
    class System:
        def __call__(self, text, seed=None):
            return f"{text} {seed}"

    assert evaluate(str, ROWS)[0]["prediction"] == "Two and two?"
    assert evaluate(len, ROWS)[0]["prediction"] == 12
    assert evaluate(System(), ROWS, seeds=[7])[0]["prediction"] == "Two and two? 7"


MANY = [{"id": str(at), "text": "a" * (at % 7 + 1)} for at in range(50)]


def alone(text):
    return str(len(text))


@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_batched_system_answers_as_one_that_is_asked_alone(size):
    calls = []

    def lengths(texts):
        calls.append(len(texts))
        return [alone(text) for text in texts]

    assert evaluate(lengths, MANY, batched=size) == evaluate(alone, MANY)
    assert max(calls) == min(size, 50)
    assert len(calls) == -(-50 // size)


def test_a_batched_system_may_be_async_and_gets_one_seed_a_call():
    async def lengths(texts, seed):
        return [f"{len(text)} {seed}" for text in texts]

    rows = evaluate(lengths, MANY, batched=16, seeds=[3, 4])
    assert [row["prediction"] for row in rows[:2]] == ["1 3", "1 4"]
    assert len(rows) == 100


def test_a_text_that_fails_costs_the_others_of_its_batch_nothing(waits):
    """The batch is asked again one by one; one answer of a wrong kind is that text's alone."""
    calls = []

    def lengths(texts):
        calls.append(len(texts))
        if "aaa" in texts:
            raise ValueError("three")
        return [object() if text == "aaaa" else alone(text) for text in texts]

    rows = evaluate(lengths, MANY, batched=10, on_error="keep")
    lost = {row["text"] for row in rows if row["prediction"] is None}
    assert lost == {"aaa", "aaaa"}
    assert "the system raised ValueError('three')" in rows[2]["response"]["error"]
    assert "must answer with a string" in rows[3]["response"]["error"]
    assert {row["prediction"] for row in rows} == {None, "1", "2", "5", "6", "7"}


def test_a_batched_system_that_loses_count_stops_the_run():
    with pytest.raises(IncompleteError, match="a list of 10 with a list of as many; got 9 answers"):
        evaluate(lambda texts: ["x"] * (len(texts) - 1), MANY, batched=10, concurrency=4)
    with pytest.raises(IncompleteError, match="as many; got 'x'"):
        evaluate(lambda texts: "x", MANY, batched=10)
    with pytest.raises(UsageError, match="batched must be a whole number of at least 1; got 0"):
        evaluate(alone, MANY, batched=0)


def test_a_function_of_texts_that_is_given_a_row_is_told_of_the_field():
    with pytest.raises(IncompleteError, match=r"no attribute 'upper'.*whole row: --field"):
        evaluate(lambda text: text.upper(), ROWS, field=None)
