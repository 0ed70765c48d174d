"""An endpoint that speaks OpenAI's chat completions, whoever serves it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import regex

from perturb.boundary import body_of
from perturb.errors import DataError, UsageError, shown
from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted, secrets_in, without
from perturb.evaluation.systems.completion import reply_or_error, request_body
from perturb.io.jsonl import dumps

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
