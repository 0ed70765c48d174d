"""An endpoint that speaks OpenAI's chat completions, whoever serves it."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import AsyncIterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import orjson

from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError
from perturb.evaluation.questions import Question
from perturb.io.jsonl import dumps

_PATH = "/chat/completions"
_HOPELESS = (401, 404, 405)  # of the call, not of the question
_PASSING = (408, 409, 425, 429)


def key_from(name: str | None) -> str | None:
    """The key in an environment variable; by default OPENAI_API_KEY, if there is one.

    Raises:
        UsageError: the variable is not set, or holds what no header can.
    """
    key = os.environ.get(name or "OPENAI_API_KEY")
    if key is None and name is not None:
        raise UsageError(f"the environment variable {name} for the key is not set")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError(f"the key in {name or 'OPENAI_API_KEY'} has characters that no key has")
    return key or None


def target(url: str) -> str:
    """Where completions are asked for, from the base of an API, such as http://localhost:8000/v1.

    Raises:
        UsageError: it is no such URL, or holds a password.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError("--endpoint must be a URL such as http://localhost:8000/v1")
    if parts.username is not None:
        raise UsageError("--endpoint must not hold a name or password: give the key by --key-env")
    path = parts.path.rstrip("/")
    if not path.endswith(_PATH):
        path += _PATH
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


@contextlib.asynccontextmanager
async def endpoint(
    url: str, body: Mapping[str, Any], *, key: str | None, timeout: float
) -> AsyncIterator[Ask]:
    """Open an endpoint.

    Args:
        url: as `target` takes it.
        body: what every request says beside its messages and seed: model, temperature, ...
        key: sent as a bearer token, and nowhere else.
        timeout: seconds for one request, from the connection to the last byte.

    Yields:
        A function from a question, whose content are chat messages, to the reply. It raises
        `TransientError`, `UnansweredError` and, where nothing at all will be answered, `DataError`.

    Raises:
        UsageError: aiohttp is not installed.
    """
    aiohttp = _aiohttp()
    where = target(url)
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"

    async def ask(question: Question) -> Reply:
        seed = {} if question.seed is None else {"seed": question.seed}
        data = dumps({**body, **seed, "messages": question.content})
        try:
            async with session.post(where, data=data, allow_redirects=False) as response:
                said = await response.read()
        except TimeoutError:
            raise TransientError(f"no answer within {timeout:g} s") from None
        except aiohttp.ClientError as error:
            raise TransientError(
                f"the connection failed: {error or type(error).__name__}"
            ) from None
        if response.status != 200:
            raise _refusal(response.status, response.headers, said, key)
        return _reply(said, key)

    async with aiohttp.ClientSession(
        headers=headers,
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=timeout),
        proxy=_proxy(where),
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as session:
        yield ask


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for a URL; for this machine itself there is none."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)


def _aiohttp() -> Any:
    try:
        import aiohttp
    except ImportError as error:
        raise UsageError(
            "--endpoint needs the package aiohttp: pip install 'perturb-text[endpoint]'"
        ) from error
    return aiohttp


def _refusal(status: int, headers: Mapping[str, str], said: bytes, key: str | None) -> Exception:
    """The error for a status other than 200."""
    message = f"the endpoint said {status}: {_shown(said, key)}"
    if status in _PASSING or status >= 500:
        return TransientError(message, _after(headers.get("Retry-After")))
    return DataError(message) if status in _HOPELESS or status < 400 else UnansweredError(message)


def _shown(said: bytes, key: str | None) -> str:
    """What an endpoint said, in a line, and without the key should it repeat that."""
    text = " ".join(said.decode(errors="replace").split()) or "nothing"
    if key is not None:
        text = text.replace(key, "(the key)")
    return text if len(text) <= 200 else f"{text[:199]}…"


def _after(value: str | None) -> float:
    """Seconds that `Retry-After` asks for, as a number or as a date; 0 where it says neither."""
    if value is None:
        return 0.0
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return 0.0
    return max(seconds, 0.0) if math.isfinite(seconds) else 0.0


def _reply(said: bytes, key: str | None) -> Reply:
    """The reply in a body.

    Raises:
        TransientError: it is not what a completion is.
    """
    try:
        found = orjson.loads(said)
        choice = found["choices"][0]
        answer, finish = choice["message"].get("content"), choice.get("finish_reason")
        if not isinstance(answer, str | None) or not isinstance(finish, str | None):
            raise TypeError
        return Reply(answer, _tokens(found.get("usage")), finish)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise TransientError(
            f"what the endpoint said is no completion: {_shown(said, key)}"
        ) from None


def _tokens(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = {name: usage.get(f"{name}_tokens") for name in ("prompt", "completion")}
    return {name: count for name, count in counts.items() if type(count) is int} or None
