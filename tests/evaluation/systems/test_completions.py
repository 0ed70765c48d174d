"""The reply, or the error, in what an endpoint says."""

import json

import pytest

from perturb.errors import DataError
from perturb.evaluation.ask import Reply, TransientError, UnansweredError
from perturb.evaluation.systems.endpoint import reply_or_error


def said(message, **more):
    return json.dumps({"choices": [{"message": message, **more}]}).encode()


def read(body, status=200, headers=None, secrets=()):
    return reply_or_error(status, headers or {}, body, secrets)


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("text", "text"),
        (None, None),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "reasoning", "summary": []}, {"type": "output_text", "text": "b"}], "b"),
        ([], None),
    ],
)
def test_content_may_come_in_parts(content, answer):
    assert read(said({"content": content})).answer == answer


def test_half_a_surrogate_is_a_character():
    """So ends what a server cuts off within an emoji; JSON can hold it in an escape."""
    assert read(said({"content": "so 4 \ud83d"})).answer == "so 4 \ud83d"


@pytest.mark.parametrize("content", [7, {"text": "a"}, [{"type": "image"}], ["a"], [7]])
def test_content_that_is_none(content):
    with pytest.raises(TransientError, match="the endpoint's answer isn't a completion"):
        read(said({"content": content}))


def test_refusals_and_filters():
    reply = read(said({"content": None, "refusal": "I can't."}, finish_reason="stop"))
    assert reply == Reply(None, None, "stop", "I can't.")
    body = json.dumps({"error": {"code": "content_filter", "message": "no"}}).encode()
    reply = read(body, 400)
    assert (reply.answer, reply.finish) == (None, "content_filter")
    assert "no" in reply.refusal
    with pytest.raises(UnansweredError):
        read(b"too long", 400)


def test_an_empty_account_stops_all():
    body = json.dumps({"error": {"type": "insufficient_quota", "code": "insufficient_quota"}})
    with pytest.raises(DataError, match="the account has no quota left") as stopped:
        read(body.encode(), 429)
    assert not isinstance(stopped.value, UnansweredError)
    with pytest.raises(DataError, match="402"):
        read(b"pay", 402)


@pytest.mark.parametrize(
    ("status", "headers", "throttled", "after"),
    [
        (429, {}, True, 0.0),
        (429, {"Retry-After": "7"}, True, 7.0),
        (503, {}, False, 0.0),
        (503, {"Retry-After": "2"}, True, 2.0),
        (500, {}, False, 0.0),
    ],
)
def test_which_errors_ask_for_a_slower_pace(status, headers, throttled, after):
    with pytest.raises(TransientError) as error:
        read(b"busy", status, headers)
    assert (error.value.throttled, error.value.after) == (throttled, after)


def test_keys_are_not_repeated():
    with pytest.raises(DataError, match=r"401: key \(hidden\)$"):
        read(b"key s3cr3t", 401, secrets=("", "s3cr3t"))
