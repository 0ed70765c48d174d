"""A function as the system: how it is called, and which of its errors are worth another try."""

from urllib.error import HTTPError, URLError

import pytest

from perturb.errors import UsageError
from perturb.evaluation import IncompleteError, ask, evaluate

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


@pytest.fixture
def waits(monkeypatch):
    noted = []

    async def sleep(seconds):
        noted.append(seconds)

    monkeypatch.setattr(ask.asyncio, "sleep", sleep)
    return noted


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
