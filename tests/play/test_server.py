"""The server: its page and answers, for its own page alone."""

import http.client
import json

import pytest

from perturb.cli import main
from perturb.play.server import HOST, MAX_BYTES

JSON = {"Content-Type": "application/json"}
GOOD = json.dumps({"text": "two eggs", "steps": ["char_delete:p=0.5"]})


@pytest.fixture
def ask(server):
    def request(method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(HOST, server.server_port, timeout=10)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    return request


@pytest.mark.parametrize("path", ["/", "/page.css", "/page.js", "/catalogue"])
def test_the_page(ask, path) -> None:
    status, headers, body = ask("GET", path)
    assert status == 200
    assert int(headers["Content-Length"]) == len(body) > 500
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert b"http://" not in body
    assert b"https://" not in body or path == "/catalogue"


def test_an_answer_and_an_error(ask) -> None:
    status, _, body = ask("POST", "/perturb", GOOD, JSON)
    assert (status, json.loads(body)["record"]["perturbation"]["original"]) == (200, "two eggs")
    for bad, message in (("{", "unexpected"), ('{"text": 1}', "text must be a string")):
        status, _, body = ask("POST", "/perturb", bad, JSON)
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
    ],
)
def test_other_pages_and_other_requests_are_refused(ask, headers, status) -> None:
    got, _, body = ask("POST", "/perturb", GOOD, headers)
    assert got == status
    assert b"eggs" not in body


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/page.html", "/answers.py"])
def test_there_is_nothing_else(ask, path) -> None:
    assert ask("GET", path)[0] == 404
    assert ask("POST", path, GOOD, JSON)[0] == 404


def test_its_own_origin_is_answered(ask, server) -> None:
    origin = server.url.rstrip("/")
    assert ask("POST", "/perturb", GOOD, {**JSON, "Origin": origin})[0] == 200


def test_a_port_that_is_taken(server, capsys) -> None:
    assert main(["play", "--no-browser", "--port", str(server.server_port)]) == 2
    assert "can't serve on port" in capsys.readouterr().err
