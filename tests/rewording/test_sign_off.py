"""The page on which rewordings are signed off: a person's word goes into the table."""

import http.client
import json
import threading

import pytest

from perturb.errors import DataError
from perturb.perturbators.shared.rewordings import Rewording, Table, table_at
from perturb.play.server import HOST
from perturb.rewording.sign_off import SigningServer

LINES = [
    Rewording("How many are left?", "What number remains?", 1, {"numbers": "", "words": ""}),
    Rewording(
        "Where is <b>it</b>?", "Where is <i>this</i>?", 3, {"numbers": "", "names": "lost X"}
    ),
    Rewording("Why not?", None, 3, {}, "an empty answer"),
]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(Table({"checks": {}}, LINES).written())
    return path


@pytest.fixture
def server(path):
    with SigningServer(str(path)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def sent(server, **request) -> dict:
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=10)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"{server.home}sign", json.dumps(request), headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def test_words_are_marked_that_differ(server) -> None:
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=10)
    connection.request("GET", f"{server.home}table")
    first, _, last = json.loads(connection.getresponse().read())
    connection.close()
    assert first["pieces"] == [
        ["removed", "How many are left"],
        ["written", "What number remains"],
        ["kept", "?"],
    ]
    assert last["pieces"] == [["removed", "Why not?"], ["written", ""]]


@pytest.mark.parametrize("person", [True, False, None])
def test_a_word_goes_into_the_table(server, path, person) -> None:
    line = LINES[1].to_dict()
    answer = sent(server, hash=line["hash"], rewording=line["rewording"], person=person)
    assert answer == LINES[1]._replace(person=person).to_dict()
    assert table_at(path).lines == [LINES[0], LINES[1]._replace(person=person), LINES[2]]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({}, "a request must have hash, rewording and person"),
        ({"person": "yes"}, "a request must have"),
        ({"person": True, "rewording": "Another?"}, "no such rewording any more"),
        ({"person": True, "hash": "0"}, "no such rewording any more"),
        ({"person": True, "rewording": None, "hash": LINES[2].to_dict()["hash"]}, "must have"),
    ],
)
def test_another_request_changes_nothing(server, path, request_, said) -> None:
    line = LINES[0].to_dict()
    given = {"hash": line["hash"], "rewording": line["rewording"], **request_}
    assert said in sent(server, **given)["error"]
    assert table_at(path).lines == LINES


def test_a_damaged_table_is_not_served(path) -> None:
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DataError, match=r"t\.jsonl:4: not a line"):
        SigningServer(str(path))


@pytest.mark.slow
def test_a_person_signs_in_a_browser(browser, server, path) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.set_default_timeout(10_000)
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(server.url)
    page.wait_for_selector("article")
    assert page.locator("article").count() == 1  # what passed
    page.click("text=Yes")
    page.wait_for_selector("[aria-pressed=true]")
    page.select_option("#which", "failed")
    assert page.locator("article").count() == 2
    assert page.locator("article .wrong").inner_text() == "names: lost X"
    assert page.locator("article p").nth(0).inner_text() == "Where is <b>it</b>?"
    assert page.locator("article p").nth(1).inner_text() == "Where is <i>this</i>?"
    assert page.locator("article del").all_inner_texts() == ["b", "it", "b"]
    assert page.locator("article ins").all_inner_texts() == ["i", "this", "i"]
    page.click("text=No")
    page.wait_for_function(
        "() => document.querySelector('#count').textContent.startsWith('2 of 3')"
    )
    page.select_option("#which", "signed")
    page.click("article:first-child >> text=Yes")  # taken back
    page.wait_for_function(
        "() => document.querySelector('#count').textContent.startsWith('1 of 3')"
    )
    assert [line.person for line in table_at(path).lines] == [None, False, None]
    path.write_bytes(b"{}")
    page.reload()
    page.wait_for_function(
        "() => document.querySelector('#count').textContent.includes('no table')"
    )
    assert said == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
