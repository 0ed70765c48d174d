"""The server of the page: on the loopback address, for requests of its own page alone."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Collection, Mapping
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import token_urlsafe
from typing import Any

import orjson

from perturb.boundary import complain
from perturb.errors import PerturbError
from perturb.play.answers import answer, catalogue

HOST = "127.0.0.1"
# The bytes of the largest request that is read.
MAX_BYTES = 4_000_000

_PAGES = {
    "": ("page.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
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
    """A request that is not answered."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class PlayServer(ThreadingHTTPServer):
    """A server on a port of the loopback address; port 0 takes any that is free.

    Other users of this machine reach that port too, so its paths begin with a random token.

    Args:
        port: the port of the address.
        trust: files (by their paths) and functions (as "module:function") that requests may name.
        start: what the page begins with, as `answers.start_of` returns it.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True

    def __init__(
        self, port: int = 0, trust: Collection[str] = (), start: Mapping[str, Any] | None = None
    ) -> None:
        self.home, self.trust = f"/{token_urlsafe(24)}/", trust
        # It imports the plugins that are installed: no request is to do that.
        self.catalogue = _json({**catalogue(), "start": start or {}})
        super().__init__((HOST, port), _Handler)

    def handle_error(self, *_: Any) -> None:
        """Pass over a client that has left; anything else is a defect."""
        if not isinstance(sys.exception(), ConnectionError):
            complain(traceback.format_exc())

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}{self.home}"


class _Handler(BaseHTTPRequestHandler):
    server: PlayServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        self._respond(self._get)

    def do_POST(self) -> None:
        self._respond(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log."""

    def _respond(self, make: Callable[[str], tuple[bytes, str]]) -> None:
        """Send what is made for the page that the request names."""
        try:
            self._check_origin()
            body, kind = make(self.path.removeprefix(self.server.home))
            status = HTTPStatus.OK
        except _RefusedError as refused:
            # What is left unread of the request must not be taken for the next one.
            self.close_connection = True
            body, kind, status = _json({"error": str(refused)}), _JSON, refused.status
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def _check_origin(self) -> None:
        """Refuse other users and other pages, which a browser names, and other names of here."""
        hosts = {f"{host}:{self.server.server_port}" for host in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in hosts:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "this server answers to 127.0.0.1 alone")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "this server answers its own page alone")
        home = self.server.home.encode()
        if not compare_digest(self.path.encode()[: len(home)], home):
            message = "this server answers at the address that perturb play prints, with its token"
            raise _RefusedError(HTTPStatus.FORBIDDEN, message)

    def _get(self, page: str) -> tuple[bytes, str]:
        if page == "catalogue":
            return self.server.catalogue, _JSON
        if page not in _PAGES:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        name, kind = _PAGES[page]
        return files("perturb.play").joinpath(name).read_bytes(), kind

    def _post(self, page: str) -> tuple[bytes, str]:
        if page != "perturb":
            raise _RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        if self.headers.get("Content-Type") != _JSON:
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"a request is {_JSON}")
        try:
            request = orjson.loads(self.rfile.read(self._length()))
            return _json(answer(request, self.server.trust)), _JSON
        except (orjson.JSONDecodeError, PerturbError, TypeError, ValueError) as error:
            return _json({"error": str(error)}), _JSON

    def _length(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "a request says its length")
        if len(length) > len(str(MAX_BYTES)) or int(length) > MAX_BYTES:
            message = f"a request has at most {MAX_BYTES:,} bytes"
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        return int(length)


def _json(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
