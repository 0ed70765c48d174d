"""An endpoint: its requests, replies and errors, in the protocol that its URL names."""

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
from perturb.errors import DataError, UsageError, installing, shown
from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted, secrets_in, without
from perturb.evaluation.systems.protocols import reply_of, spoken_at
from perturb.io.jsonl import dumps, loads

_HOPELESS = (401, 402, 404, 405)  # the call is wrong, not the question
_PASSING = (408, 409, 425, 429)  # time-out, conflict, too early, too many; and the server's, 5xx
# The error codes, with status 429 or others, of an account that is out of money.
_OUT_OF_MONEY = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
# The longest wait in seconds that an endpoint can ask for: limits of requests are per minute or
# less, and a date far ahead must not stop a run. Chosen by hand.
_LONGEST_WAIT = 600.0
# The error codes of services whose filter refused the question itself.
_FILTERED = {"content_filter", "content_policy_violation"}


def reply_or_error(
    status: int, headers: Mapping[str, str], content: bytes, secrets: tuple[str, ...]
) -> Reply:
    """Return the reply in a response of an endpoint.

    Args:
        status: the HTTP status.
        headers: the headers of the response.
        content: its body.
        secrets: hidden in messages, in case the endpoint repeats them.

    Raises:
        TransientError: another try may help.
        UnansweredError: this question is refused; others may be answered.
        DataError: no question will be answered.
    """
    line = _line(content, secrets)
    if status == 200:
        return _reply(content, line, secrets)
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
    """Return whether another try may help after this HTTP status."""
    return status in _PASSING or status >= 500


def _codes(content: bytes) -> set[str]:
    """Return the code and the type of an error."""
    try:
        error = orjson.loads(content)["error"]
        return {error[name] for name in ("code", "type") if isinstance(error.get(name), str)}
    except (ValueError, LookupError, TypeError, AttributeError):
        return set()


def _line(content: bytes, secrets: tuple[str, ...]) -> str:
    """Return the response of an endpoint on one line, with keys hidden."""
    if b"\\" in content:  # it may contain a key in escapes
        with contextlib.suppress(ValueError):
            content = orjson.dumps(orjson.loads(content))
    text = " ".join(content.decode(errors="replace").split()) or "nothing"
    text = redacted(without(text, secrets))
    return text if len(text) <= 200 else f"{text[:199]}…"


def seconds_after(value: str | None) -> float:
    """Return the seconds of a `Retry-After`, at most ten minutes; 0 without a usable one."""
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


def _reply(content: bytes, line: str, secrets: tuple[str, ...]) -> Reply:
    """Return the reply in a body; raise `TransientError` if it isn't one."""
    try:
        return reply_of(loads(content))  # half a surrogate is a character to most servers
    except TransientError as error:
        why = _line(str(error).encode(errors="replace"), secrets)
        raise TransientError(f"the endpoint's answer says {why}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise TransientError(f"the endpoint's answer isn't a completion: {line}") from None


# The length of the shortest key that is hidden in answers: "EMPTY", which local servers take, isn't
# a secret, and hiding such a word would damage answers.
_SECRET = 8
_HEADER = regex.compile(r"[\w!#$%&'*+.^`|~-]+", regex.ASCII)


def key_from(name: str | None) -> str | None:
    """Return the key in an environment variable; by default of OPENAI_API_KEY.

    Raises:
        UsageError: the variable isn't set, or has characters that no header can have.
    """
    key = os.environ.get(name or "OPENAI_API_KEY")
    if key is None and name is not None:
        raise UsageError(f"the environment variable {name} for the key isn't set")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError(f"the key in {name or 'OPENAI_API_KEY'} has invalid characters")
    return key or None


def target(url: str) -> str:
    """Return the URL that is asked: of chat completions, where it is the base of an API.

    Raises:
        UsageError: it isn't such a URL, or has a password in it.
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
        raise UsageError("--endpoint must not have a name or password: give the key by --key-env")
    path = parts.path.rstrip("/")
    end = spoken_at(path).path
    path = path.removesuffix(end) + end
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def settings(url: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of all answers of an endpoint, without keys.

    The URL ends with its path, since some have a key after that.
    """
    return {"endpoint": target(url).partition("?")[0], **redacted(dict(body))}


def parse_headers(texts: Sequence[str]) -> dict[str, str]:
    """Read headers in the form `NAME: VALUE`.

    Raises:
        UsageError: a header has another form.
    """
    headers: dict[str, str] = {}
    for number, text in enumerate(texts, 1):
        name, colon, value = text.partition(":")
        value = value.strip()
        if not (_HEADER.fullmatch(name) and colon and value.isascii() and value.isprintable()):
            raise UsageError(f"--header takes 'NAME: VALUE'; header {number} has another form")
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
        body: the fields of every request besides messages and seed: model, temperature, ...
        key: sent in the header of its protocol, and nowhere else.
        headers: further headers; their values are never shown.
        timeout: seconds for one request, from the connection to the last byte.

    Yields:
        A function from a question with chat messages as content to the reply. It raises
        `TransientError`, `UnansweredError` and, if no question will be answered, `DataError`.

    Raises:
        UsageError: aiohttp isn't installed.
    """
    try:
        import aiohttp
    except ImportError as error:
        raise UsageError(
            f"--endpoint needs the package aiohttp: {installing('endpoint')}"
        ) from error
    where = target(url)
    protocol = spoken_at(urlsplit(where).path)
    keys = {} if key is None else protocol.headers(key)
    all_headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip", **keys, **headers}
    # A flag in a header isn't a secret, and an answer may well contain it.
    secrets = (*secrets_in({"key": key}), *secrets_in(dict(headers)), *secrets_in(body))
    hidden = (*secrets, *headers.values())
    secrets = tuple(secret for secret in secrets if len(secret) >= _SECRET)

    def masked(text: Any) -> Any:
        return without(text, secrets) if isinstance(text, str) else text

    reached = False

    async def ask(question: Question) -> Reply:
        nonlocal reached
        data = dumps(protocol.body(body, question))
        try:
            async with session.post(where, data=data, allow_redirects=False) as response:
                reached = True
                content = await body_of(response)
        except TimeoutError:
            raise TransientError(f"no answer within {timeout:g} s") from None
        except DataError as error:
            raise UnansweredError(f"the endpoint said {response.status}: {error}") from None
        except aiohttp.ClientError as error:
            # The server was never there; one that restarts was reached before.
            if isinstance(error, aiohttp.ClientConnectorError) and not reached:
                raise DataError(
                    f"can't reach {where.partition('?')[0]}: {error}; is the server running?"
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
    """Return the proxy that the environment names for a URL; none for this machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)
