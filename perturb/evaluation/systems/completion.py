"""Chat completions as OpenAI has them: the body of a request, and the reply or error in a body."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import orjson

from perturb.errors import DataError
from perturb.evaluation.ask import Reply, TransientError, UnansweredError
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted, without
from perturb.io.jsonl import loads

_HOPELESS = (401, 402, 404, 405)  # of the call, not of the question
_PASSING = (408, 409, 425, 429)
# What a status of 429, or another, means when the account is out of money.
_OUT_OF_MONEY = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
# The seconds that an endpoint can have itself left alone: ten minutes.
_LONGEST_WAIT = 600.0
# How services say that a filter refused the question itself.
_FILTERED = {"content_filter", "content_policy_violation"}


def request_body(body: Mapping[str, Any], question: Question) -> dict[str, Any]:
    """Return the body that asks a question."""
    return {**body, **question.seed_alone(), "messages": question.content}


def reply_or_error(
    status: int, headers: Mapping[str, str], content: bytes, secrets: tuple[str, ...]
) -> Reply:
    """Return the reply in what an endpoint said.

    Args:
        status: the status of HTTP.
        headers: the headers of the response.
        content: its body.
        secrets: hidden in messages, should the endpoint repeat them.

    Raises:
        TransientError: another try may help.
        UnansweredError: this question is refused, others may be answered.
        DataError: nothing will be answered.
    """
    line = _line(content, secrets)
    if status == 200:
        return _reply(content, line)
    message = f"the endpoint said {status}: {line}"
    codes = _codes(content)
    if codes & _OUT_OF_MONEY:
        raise DataError(f"{message}; the account has no quota left")
    if status == 400 and codes & _FILTERED:
        return Reply(None, finish="content_filter", refusal=line)
    if may_pass(status):
        after = headers.get("Retry-After")
        throttled = status == 429 or (status == 503 and after is not None)
        raise TransientError(message, seconds_after(after), throttled)
    if status in _HOPELESS or status < 400:
        raise DataError(message)
    raise UnansweredError(message)


def may_pass(status: int) -> bool:
    """Return whether another try may help after a status of HTTP."""
    return status in _PASSING or status >= 500


def _codes(content: bytes) -> set[str]:
    """Return the code and the type of an error."""
    try:
        error = orjson.loads(content)["error"]
        return {error[name] for name in ("code", "type") if isinstance(error.get(name), str)}
    except (ValueError, LookupError, TypeError, AttributeError):
        return set()


def _line(content: bytes, secrets: tuple[str, ...]) -> str:
    """Return what an endpoint said in a line, without keys should it repeat them."""
    if b"\\" in content:  # a key may stand there in escapes
        with contextlib.suppress(ValueError):
            content = orjson.dumps(orjson.loads(content))
    text = " ".join(content.decode(errors="replace").split()) or "nothing"
    text = redacted(without(text, secrets))
    return text if len(text) <= 200 else f"{text[:199]}…"


def seconds_after(value: str | None) -> float:
    """Return the seconds of a `Retry-After`, at most ten minutes; 0 where it says none."""
    if value is None:
        return 0.0
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(seconds, 0.0), _LONGEST_WAIT) if math.isfinite(seconds) else 0.0


def _reply(content: bytes, line: str) -> Reply:
    """Return the reply in a body; `TransientError` where it is no completion."""
    try:
        completion, _ = loads(content)  # half a surrogate is a character to most servers
        choice = completion["choices"][0]
        message = choice["message"]
        refusal, finish = message.get("refusal"), choice.get("finish_reason")
        if not isinstance(refusal, str | None) or not isinstance(finish, str | None):
            raise TypeError
        answer = _text(message.get("content"))
        return Reply(answer, _tokens(completion.get("usage")), finish, refusal or None)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise TransientError(f"the endpoint's answer is no completion: {line}") from None


def _text(content: Any) -> str | None:
    """Return the text of a content: a string, or a list of parts of which some hold text."""
    if isinstance(content, list):
        texts = [part["text"] for part in content if isinstance(part.get("text"), str)]
        if content and not texts:
            raise TypeError
        return "".join(texts) if texts else None
    if not isinstance(content, str | None):
        raise TypeError
    return content


def _tokens(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = {name: usage.get(f"{name}_tokens") for name in ("prompt", "completion")}
    return {name: count for name, count in counts.items() if type(count) is int} or None
