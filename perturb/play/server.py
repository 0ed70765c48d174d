"""Servers of pages on the loopback address, and the answers to the page of `perturb play`."""

from __future__ import annotations

import shlex
import sys
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple

import orjson

from perturb.api import apply
from perturb.boundary import complain, trusting
from perturb.engine.presets import PRESETS
from perturb.errors import PerturbError, UsageError
from perturb.io.jsonl import text_of_json
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import SHARES, Step
from perturb.plan.job import job_of
from perturb.plan.recipe import read as read_recipe
from perturb.records.edit import pieces
from perturb.registry.describe import describe
from perturb.registry.registry import names

# The field of a row with the spans that the user selected.
_SPANS = "keep"


def catalogue() -> dict[str, Any]:
    """Return all perturbators with the facts for a choice, and the rules of protection."""
    keys = ("name", "summary", "unit", "label_risk", "languages", "parameters", "severities", "doc")
    return {
        "perturbators": [{key: facts[key] for key in keys} for facts in map(describe, names())],
        "presets": [*PRESETS],
    }


def start_of(steps: Sequence[str], recipe: str | None, text: str | None) -> dict[str, Any]:
    """Return the start of the page, which replaces its example.

    Args:
        steps: specs, as in `perturb apply`.
        recipe: a recipe from a record, instead of steps, with the seed and protection.
        text: the text to perturb.

    Raises:
        UsageError: both are given, a step is unknown, or the page has no place for it.
    """
    start: dict[str, Any] = {} if text is None else {"text": text}
    if not steps and recipe is None:
        return start
    if steps and recipe is not None:
        raise UsageError("a recipe has its own steps; give either steps or a recipe")
    try:
        job = job_of([*steps]) if recipe is None else read_recipe(recipe)
    except TypeError as error:  # a value of the wrong type in a text is wrong usage
        raise UsageError(str(error)) from error
    start["steps"] = [_control(step) for each in job.conditions for step in each.pipeline.parts]
    start["spans"] = [rule for rule in job.protect if isinstance(rule, tuple)]
    start["protect"] = [rule for rule in job.protect if isinstance(rule, str)]
    return {**start, "seed": job.seed}


def _control(step: Any) -> tuple[str, dict[str, Any], float, str]:
    """Return a step in the form of the page: a name, settings, a p and a severity."""
    if not isinstance(step, Step) or step.p is None:
        raise UsageError(f"the page has a slider for the p of each step; {step} has none")
    name, _, rest = str(step).partition(":")
    settings = grammar.assignments(name, rest)
    others = {key: value for key, value in settings.items() if key not in SHARES}
    return name, others, step.p, str(step.severity or "")


class _Call(NamedTuple):
    """A request of a page."""

    text: str
    steps: list[str]
    seed: int
    rules: list[str]
    spans: list[list[int]]


def answer(request: Any, trust: Collection[str] = ()) -> dict[str, Any]:
    """Perturb a text as the page asks.

    Args:
        request: an object with `text`, `steps` (specs), and perhaps `seed`, `protect` (presets) and
            `spans` (start and end of further protected spans, in code points).
        trust: files and functions that the steps may name, since a request is data.

    Returns:
        `pieces`, the text cut at its edits; `text`, `status`, `edits`, `units` and
        `rate`; the `record`; and `command`, `python` and `yaml`, which give the same result.

    Raises:
        UsageError: the request has another form, or is invalid as on the command line.
        DataError: the text can't be perturbed like this.
    """
    call = _read(request)
    protect: list[Any] = [*call.rules, *call.spans]
    with trusting(trust):
        pipeline = Pipeline.of(call.steps)
        record = apply(call.text, pipeline, seed=call.seed, protect=protect)
    call = call._replace(steps=list(map(str, pipeline.parts)))
    return {
        "pieces": list(pieces(record.original, record.edits)),
        "text": record.text,
        "status": record.status,
        "edits": len(record.edits),
        "units": record.units,
        "rate": record.rate,
        "record": record.to_dict(),
        "command": _command(call),
        "python": _python(call),
        "yaml": _yaml(call),
        "share": shlex.join(["perturb", "play", "--recipe", record.recipe, "--text", call.text]),
    }


def _read(request: Any) -> _Call:
    if not isinstance(request, Mapping):
        raise UsageError("a request must be an object with text and steps")
    text = request.get("text")
    if not isinstance(text, str):
        raise UsageError("text must be a string")
    steps = _list_of(str, "steps", request.get("steps"))
    rules = _list_of(str, "protect", request.get("protect", []))
    spans = _list_of(list, "spans", request.get("spans", []))
    return _Call(text, steps, request.get("seed", 0), rules, spans)


def _list_of(kind: type, name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UsageError(f"{name} must be a list, each a {kind.__name__}; got {value!r}")
    return value


def _rules(call: _Call) -> list[str]:
    """Return the rules of protection, with spans as a field of the row."""
    return [*call.rules, *([f"field:{_SPANS}"] if call.spans else [])]


def _command(call: _Call) -> str:
    row = {"text": call.text} | ({_SPANS: call.spans} if call.spans else {})
    words = ["perturb", "apply", *call.steps]
    words += ["--seed", str(call.seed)] if call.seed else []
    words += [word for rule in _rules(call) for word in ("--protect", rule)]
    return f"printf '%s\\n' {shlex.quote(text_of_json(row))} |\n  {shlex.join(words)}"


def _python(call: _Call) -> str:
    protect = [*call.rules, *map(tuple, call.spans)]
    arguments = [repr(call.text), repr(call.steps[0] if len(call.steps) == 1 else call.steps)]
    arguments += [f"seed={call.seed}"] if call.seed else []
    arguments += [f"protect={protect!r}"] if protect else []
    return f"import perturb\n\nrecord = perturb.apply({', '.join(arguments)})\nprint(record.text)"


def _yaml(call: _Call) -> str:
    import yaml

    settings: dict[str, Any] = {"steps": call.steps, "seed": call.seed}
    if rules := _rules(call):
        settings["protect"] = rules
    return yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)


HOST = "127.0.0.1"
# The bytes of the largest request: a text of a million characters that take four bytes each. More
# would block the page, and memory shouldn't grow with a request. Chosen by hand.
MAX_BYTES = 4_000_000

# What a page and its parts are, by their suffixes.
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_JSON = "application/json"


class _RefusedError(Exception):
    """A refused request."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class PageServer(ThreadingHTTPServer):
    """A server of one page on a port of the loopback address; port 0 takes any free one.

    Other users of this machine can reach that port too, so its paths begin with a random token.

    Args:
        port: the port of the address.
        pages: the names of the files of `perturb.play` that it serves, by their paths; one of HTML
            goes on where `head.html` ends.
        data: what gives the JSON at a path that is read.
        answers: what answers the JSON sent to a path.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True

    def __init__(
        self,
        port: int,
        pages: Mapping[str, str],
        data: Mapping[str, Callable[[], bytes]],
        answers: Mapping[str, Callable[[Any], dict[str, Any]]],
    ) -> None:
        self.home = f"/{token_urlsafe(24)}/"
        self.pages, self.data, self.answers = pages, data, answers
        super().__init__((HOST, port), _Handler)

    def handle_error(self, *_: Any) -> None:
        """Ignore that a client has left; any other error is a defect."""
        if not isinstance(sys.exception(), ConnectionError):
            complain(traceback.format_exc())

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}{self.home}"


class PlayServer(PageServer):
    """The server of `perturb play`.

    Args:
        port: see `PageServer`.
        trust: files (by their paths) and functions (as "module:function") that requests may name.
        start: the start of the page, from `start_of`.
    """

    def __init__(
        self, port: int = 0, trust: Collection[str] = (), start: Mapping[str, Any] | None = None
    ) -> None:
        # This imports the installed plugins, which no request must do.
        known = as_json({**catalogue(), "start": start or {}})
        pages = {"": "page.html", "page.css": "page.css", "page.js": "page.js"}
        answers = {"perturb": partial(answer, trust=trust)}
        super().__init__(port, pages, {"catalogue": lambda: known}, answers)


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        self._respond(self._get)

    def do_POST(self) -> None:
        self._respond(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log."""

    def _respond(self, make: Callable[[str], tuple[bytes, str]]) -> None:
        """Send the page or answer that the request names."""
        try:
            self._check_origin()
            body, kind = make(self.path.removeprefix(self.server.home))
            status = HTTPStatus.OK
        except _RefusedError as refused:
            # Unread bytes of the request must not pass for the next one.
            self.close_connection = True
            body, kind, status = as_json({"error": str(refused)}), _JSON, refused.status
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def _check_origin(self) -> None:
        """Refuse other users, other origins (which browsers send), and other names of this host."""
        hosts = {f"{host}:{self.server.server_port}" for host in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in hosts:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "this server answers only on 127.0.0.1")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "this server answers only its own page")
        home = self.server.home.encode()
        if not compare_digest(self.path.encode()[: len(home)], home):
            message = "this server answers at the address that the command prints, with its token"
            raise _RefusedError(HTTPStatus.FORBIDDEN, message)

    def _get(self, page: str) -> tuple[bytes, str]:
        if page in self.server.data:
            try:
                return self.server.data[page](), _JSON
            except PerturbError as error:
                return as_json({"error": str(error)}), _JSON
        if page not in self.server.pages:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        folder, name = files("perturb.play"), self.server.pages[page]
        kind = _KINDS[Path(name).suffix]
        parts = ["head.html", name] if name.endswith(".html") else [name]
        return b"".join(folder.joinpath(part).read_bytes() for part in parts), kind

    def _post(self, page: str) -> tuple[bytes, str]:
        if page not in self.server.answers:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        if self.headers.get("Content-Type") != _JSON:
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"a request must be {_JSON}")
        try:
            request = orjson.loads(self.rfile.read(self._length()))
            return as_json(self.server.answers[page](request)), _JSON
        except (orjson.JSONDecodeError, PerturbError, TypeError, ValueError) as error:
            return as_json({"error": str(error)}), _JSON

    def _length(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "a request must give its length")
        if len(length) > len(str(MAX_BYTES)) or int(length) > MAX_BYTES:
            message = f"a request may have at most {MAX_BYTES:,} bytes"
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        return int(length)


def as_json(value: Any) -> bytes:
    """Return a value as JSON."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
