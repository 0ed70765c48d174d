"""An endpoint that speaks OpenAI's chat completions: its requests, replies and errors."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import orjson
import regex

from perturb.boundary import body_of
from perturb.errors import DataError, UsageError, shown
from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted, secrets_in, without
from perturb.io.jsonl import dumps, loads

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


_PATH = "/chat/completions"
# The characters of the shortest key that is hidden in answers: "EMPTY" is no secret.
_SECRET = 8
_HEADER = regex.compile(r"[\w!#$%&'*+.^`|~-]+", regex.ASCII)


def key_from(name: str | None) -> str | None:
    """Return the key in an environment variable; by default of OPENAI_API_KEY.

    Raises:
        UsageError: the variable is not set, or holds what no header can.
    """
    key = os.environ.get(name or "OPENAI_API_KEY")
    if key is None and name is not None:
        raise UsageError(f"the environment variable {name} for the key is not set")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError(f"the key in {name or 'OPENAI_API_KEY'} has invalid characters")
    return key or None


def target(url: str) -> str:
    """Return the URL of completions, from the base of an API such as http://localhost:8000/v1.

    Raises:
        UsageError: it is no such URL, or holds a password.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"--endpoint must be a URL such as http://localhost:8000/v1; got {shown(url)}"
        )
    if parts.username is not None:
        raise UsageError("--endpoint must not hold a name or password: give the key by --key-env")
    path = parts.path.rstrip("/").removesuffix(_PATH) + _PATH
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def settings(url: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what all answers of an endpoint have in common, without keys.

    What the URL says after its path is left out: some hold a key there.
    """
    return {"endpoint": target(url).partition("?")[0], **redacted(dict(body))}


def parse_headers(texts: Sequence[str]) -> dict[str, str]:
    """Read headers that are written `NAME: VALUE`.

    Raises:
        UsageError: one is written otherwise.
    """
    headers: dict[str, str] = {}
    for number, text in enumerate(texts, 1):
        name, colon, value = text.partition(":")
        value = value.strip()
        if not (_HEADER.fullmatch(name) and colon and value.isascii() and value.isprintable()):
            raise UsageError(f"--header takes 'NAME: VALUE'; header {number} is written otherwise")
        headers[name] = value
    return headers


@contextlib.asynccontextmanager
async def endpoint(
    url: str,
    body: Mapping[str, Any],
    *,
    key: str | None,
    headers: Mapping[str, str],
    timeout: float,
) -> AsyncIterator[Ask]:
    """Open an endpoint.

    Args:
        url: as `target` takes it.
        body: what every request says beside its messages and seed: model, temperature, ...
        key: sent as a bearer token, and nowhere else.
        headers: further ones; their values are shown nowhere.
        timeout: seconds for one request, from the connection to the last byte.

    Yields:
        A function from a question, whose content are chat messages, to the reply. It raises
        `TransientError`, `UnansweredError` and, where nothing at all will be answered, `DataError`.

    Raises:
        UsageError: aiohttp is not installed.
    """
    try:
        import aiohttp
    except ImportError as error:
        raise UsageError(
            "--endpoint needs the package aiohttp: pip install 'perturb-text[endpoint]'"
        ) from error
    where = target(url)
    all_headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip", **headers}
    if key is not None:
        all_headers["Authorization"] = f"Bearer {key}"
    # A flag in a header is no secret, and an answer may well say the same.
    secrets = (*secrets_in({"key": key}), *secrets_in(dict(headers)), *secrets_in(body))
    hidden = (*secrets, *headers.values())
    secrets = tuple(secret for secret in secrets if len(secret) >= _SECRET)

    def masked(text: Any) -> Any:
        return without(text, secrets) if isinstance(text, str) else text

    reached = False

    async def ask(question: Question) -> Reply:
        nonlocal reached
        data = dumps(request_body(body, question))
        try:
            async with session.post(where, data=data, allow_redirects=False) as response:
                reached = True
                content = await body_of(response)
        except TimeoutError:
            raise TransientError(f"no answer within {timeout:g} s") from None
        except DataError as error:
            raise UnansweredError(f"the endpoint said {response.status}: {error}") from None
        except aiohttp.ClientError as error:
            # A server that never was there, and none that starts again.
            if isinstance(error, aiohttp.ClientConnectorError) and not reached:
                raise DataError(
                    f"can't reach {where.partition('?')[0]}: {error}; is it running there?"
                ) from None
            raise TransientError(
                f"the connection failed: {error or type(error).__name__}"
            ) from None
        reply = reply_or_error(response.status, response.headers, content, hidden)
        told = ("answer", "finish", "refusal")
        return reply._replace(**{name: masked(getattr(reply, name)) for name in told})

    async with aiohttp.ClientSession(
        headers=all_headers,
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=timeout),
        proxy=_proxy(where),
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as session:
        yield ask


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for a URL; none for this machine itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)
