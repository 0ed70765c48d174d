"""The server: its page and answers, for its own page alone."""

import contextlib
import http.client
import json
import socket
import struct
import sys
import threading

import pytest

from perturb.cli import main
from perturb.play.server import HOST, MAX_BYTES, PlayServer, answer

JSON = {"Content-Type": "application/json"}
GOOD = json.dumps({"text": "two eggs", "steps": ["char_delete:p=0.5"]})


@pytest.fixture
def ask(server):
    def request(method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(HOST, server.server_port, timeout=10)
        try:
            connection.request(method, f"{server.home}{path}", body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    return request


@pytest.mark.parametrize("path", ["", "page.css", "page.js", "catalogue"])
def test_the_page(ask, path) -> None:
    status, headers, body = ask("GET", path)
    assert status == 200
    assert int(headers["Content-Length"]) == len(body) > 500
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert b"http://" not in body
    assert b"https://" not in body or path == "catalogue"


def test_an_answer_and_an_error(ask) -> None:
    status, _, body = ask("POST", "perturb", GOOD, JSON)
    assert (status, json.loads(body)["record"]["perturbation"]["original"]) == (200, "two eggs")
    for bad, message in (("{", "unexpected"), ('{"text": 1}', "text must be a string")):
        status, _, body = ask("POST", "perturb", bad, JSON)
        assert status == 200
        assert message in json.loads(body)["error"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**JSON, "Origin": "https://evil.example"}, 403),
        ({**JSON, "Origin": "null"}, 403),
        ({**JSON, "Host": "evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({**JSON, "Content-Length": "none"}, 411),
        ({**JSON, "Content-Length": str(MAX_BYTES + 1)}, 413),
        ({**JSON, "Content-Length": "9" * 5000}, 413),
        ({**JSON, "Content-Length": str(len(GOOD)), "Transfer-Encoding": "chunked"}, 411),
    ],
)
def test_other_pages_and_other_requests_are_refused(ask, headers, status) -> None:
    got, _, body = ask("POST", "perturb", GOOD, headers)
    assert got == status
    assert b"eggs" not in body


@pytest.mark.parametrize("home", ["/", "//", "/x/", "/%2e/", "", "/" + "A" * 32 + "/"])
@pytest.mark.parametrize("page", ["", "page.js", "catalogue", "perturb"])
def test_nobody_is_answered_without_the_token(server, home, page) -> None:
    """Whoever finds the port: other users of the machine, other programs, other pages."""
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=10)
    with contextlib.closing(connection):
        connection.request("POST" if page == "perturb" else "GET", f"{home}{page}", GOOD, JSON)
        response = connection.getresponse()
        assert response.status == 403
        assert b"eggs" not in response.read()
    assert len(server.home) == 34
    with PlayServer() as other:
        assert other.home != server.home


@pytest.mark.parametrize(
    "step",
    [
        "synonym:tagger=antigravity:fly,p=1,language=en",
        "add_context:file=/etc/passwd,p=1",
        "add_context:file=/etc/passwd@sha256:00,p=1",
        "synonym:lexicon=nltk:fra,p=1",
        "nlpaug.KeyboardAug",
        "sometimes(1.0, one_of(case:p=1 | antonym:tagger=antigravity:fly,p=1))",
    ],
)
def test_nothing_that_a_request_names_is_opened_or_run(ask, step) -> None:
    status, _, body = ask("POST", "perturb", json.dumps({"text": "a b", "steps": [step]}), JSON)
    assert status == 200
    assert "the data names" in json.loads(body)["error"]
    assert "antigravity" not in sys.modules


def test_what_the_caller_trusts_is_used(tmp_path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("a line of mine\n")
    asked = {"text": "two eggs", "steps": [f"add_context:file={path},p=1"]}
    assert "a line of mine" in answer(asked, [str(path)])["text"]


def test_clients_that_leave_are_nobody_s_fault(server, ask, capfd) -> None:
    """Before they have asked, amid their request, and before they read the answer."""
    long = json.dumps({"text": "two eggs " * 50_000, "steps": ["char_delete:p=0.5"]})
    head = f"POST {server.home}perturb HTTP/1.1\r\nHost: {HOST}:{server.server_port}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(long)}\r\n\r\n"
    for sent in ("", head[:20], head, head + long[:99], head + long):
        with socket.create_connection((HOST, server.server_port)) as connection:
            # What is unread when it is closed resets the connection.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(sent.encode())
    assert ask("GET", "")[0] == 200
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(30)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("path", ["../pyproject.toml", "page.html", "answers.py", "?a"])
def test_there_is_nothing_else(ask, path) -> None:
    assert ask("GET", path)[0] == 404
    assert ask("POST", path, GOOD, JSON)[0] == 404


def test_its_own_origin_is_answered(ask, server) -> None:
    origin = f"http://{HOST}:{server.server_port}"
    assert ask("POST", "perturb", GOOD, {**JSON, "Origin": origin})[0] == 200


def test_a_port_that_is_taken(server, capsys) -> None:
    assert main(["play", "--no-browser", "--port", str(server.server_port)]) == 2
    assert "can't serve on port" in capsys.readouterr().err
