"""The page's answers: the text, and three ways to the same text elsewhere."""

import json
import shlex
import subprocess
import sys

import pytest

import perturb
from perturb.cli import main
from perturb.errors import UsageError
from perturb.play.server import answer, catalogue, start_of

TEXT = 'Ann\'s "hens" lay 16 eggs\n a day for $2; see https://x.y 🥚🥚 and naïve cafés.'
ASKED = {
    "text": TEXT,
    "steps": ["keyboard_typos:p=0.3,layout=de", "one_of(char_swap:p=0.2 | case:p=0.5)"],
    "seed": 5,
    "protect": ["url", "word:eggs"],
    "spans": [[0, 5]],
}


@pytest.fixture(scope="module")
def answered():
    found = answer(ASKED)
    assert found["text"] != TEXT
    return found


def test_the_pieces_are_the_two_texts(answered) -> None:
    def text(*kinds):
        return "".join(text for kind, text in answered["pieces"] if kind in kinds)

    assert text("kept", "removed") == TEXT
    assert text("kept", "written") == answered["text"]
    assert answered["record"]["text"] == answered["text"]


@pytest.mark.slow
def test_the_command_line_makes_the_same(answered, tmp_path) -> None:
    command = answered["command"].replace("perturb apply", f"{sys.executable} -m perturb apply")
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, cwd=tmp_path)
    assert json.loads(done.stdout)["text"] == answered["text"]


def test_python_makes_the_same(answered, capsys) -> None:
    exec(answered["python"], {})
    assert capsys.readouterr().out == f"{answered['text']}\n"


def test_the_config_makes_the_same(answered, tmp_path) -> None:
    config, rows, out = (tmp_path / name for name in ("c.yaml", "in.jsonl", "out.jsonl"))
    config.write_text(answered["yaml"], "utf-8")
    rows.write_text(json.dumps({"text": TEXT, "keep": [[0, 5]]}), "utf-8")
    assert main(["apply", "--config", str(config), "-i", str(rows), "-o", str(out)]) == 0
    assert json.loads(out.read_text("utf-8"))["text"] == answered["text"]


def test_every_perturbator_can_be_chosen() -> None:
    found = catalogue()["perturbators"]
    assert [one["name"] for one in found] == perturb.names()
    json.dumps(found)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "an object with text and steps"),
        ({"steps": ["ocr"]}, "text must be a string"),
        ({"text": "a", "steps": "ocr"}, "steps must be a list"),
        ({"text": "a", "steps": []}, "needs at least one step"),
        ({"text": "a", "steps": ["orc"]}, "unknown perturbator 'orc': did you mean ocr"),
        ({"text": "a", "steps": ["ocr:p=2"]}, "p must be"),
        (
            {"text": "a", "steps": ["ocr"], "protect": ["urls"]},
            "unknown protection 'urls': did you mean url",
        ),
        ({"text": "a", "steps": ["ocr"], "spans": [[0, 9]]}, "span"),
        ({"text": "a", "steps": ["ocr"], "seed": "x"}, "seed must be a whole number; got 'x'"),
    ],
)
def test_bad_input_is_told_as_on_the_command_line(given, message) -> None:
    with pytest.raises((perturb.PerturbError, TypeError), match=message):
        answer(given)


def test_what_is_shared_begins_with_the_same() -> None:
    """Steps with settings of every kind, the seed, rules and spans."""
    steps = ["keyboard_typos:p=0.3,per=word,layout=de", "case:severity=2"]
    request = {**ASKED, "steps": steps}
    shared = answer(request)
    *_, recipe, option, text = shlex.split(shared["share"])
    assert (option, text) == ("--text", TEXT)
    start = start_of([], recipe, text)
    (_, per_word, p, _), (_, others, _, severity) = start["steps"]
    assert (per_word, p) == ({"per": "word", "layout": "de"}, 0.3)
    assert (others, severity) == ({}, "2")
    assert {name: start[name] for name in ("seed", "protect", "text")} == {
        name: request[name] for name in ("seed", "protect", "text")
    }
    assert [[*span] for span in start["spans"]] == request["spans"]


@pytest.mark.parametrize("step", ["one_of(ocr | case)", "ocr:count=2"])
def test_the_page_has_no_place_for_it(step) -> None:
    with pytest.raises(UsageError, match="the page has a slider for the p of each step; "):
        start_of([step], None, None)


def test_a_step_with_no_strength_behind_its_sign_is_refused():
    with pytest.raises(UsageError, match=r"case: p must be a number in \[0, 1\]; got ''"):
        start_of(["case:p="], None, None)


def test_steps_stand_beside_no_recipe() -> None:
    recipe = perturb.apply("eggs", "ocr").recipe
    with pytest.raises(UsageError, match="a recipe has its own steps"):
        start_of(["ocr"], recipe, None)
    assert start_of([], None, "eggs") == {"text": "eggs"}
