"""What messages say to do about files that are not read works when it is done."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lines import rows_in

from perturb.io.formats import _ADVICE

CALL = ["apply", "typo_mix", "-p", ".5"]
ROW = '{"id": "a", "text": "some plain words"}\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


FILES = {
    "in.srt": "1\n00:00:01,000 --> 00:00:02,000\nHello there, my friend.\n\n2\n00:00:03,000 --> "
    "00:00:04,000\nWhat is new?\n",
    "in.m2": "S This are a sentence .\nA 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0\n\nS Fine .\n",
}


@pytest.mark.skipif(not shutil.which("bash"), reason="needs a shell")
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("in.srt", ["Hello there, my friend.", "What is new?"]),
        ("in.m2", ["This are a sentence .", "Fine ."]),
    ],
)
def test_advice_works_when_it_is_followed(perturb, folder, name, texts):
    """What it says to run gives a file that is read, with the texts and nothing else in it."""
    Path(name).write_text(FILES[name])
    said = perturb(*CALL, "-i", name).message
    assert said == perturb(*CALL, name).message
    line = re.search(r"(?:grep|sed|python) .*?> FILE\.\w+", said)[0].replace("FILE", name)
    made = line.rpartition("> ")[2]
    subprocess.run(["bash", "-c", line], check=True)
    Path(name).unlink()
    rows = perturb("apply", "identity", "-i", made, "-o", "out.jsonl")
    assert rows.status == 0, rows.message
    rows = rows_in(Path("out.jsonl"))
    assert [row["text"] for row in rows] == texts


@pytest.mark.slow
def test_advice_is_given_for_a_file_named_as_a_step(perturb, folder):
    for end in _ADVICE:
        Path(f"x{end}").write_text("")
        assert "in Python" in (said := perturb(*CALL, f"x{end}").message) or ": " in said
        assert "--format jsonl" not in said
    Path("rows").write_text(ROW)
    said = perturb(*CALL, "rows").message
    assert said == "rows is a file, not a step; read it as JSON lines with -i rows"
    assert perturb(*CALL, "-i", "rows").status == 0


@pytest.mark.parametrize("named", ["--shape openai_tools", "--field messages[role=tool].content"])
def test_results_of_tools_get_no_noise_of_people(perturb, folder, named):
    """Typos would break their JSON; faults of tools are in a suite as the message has it."""
    result = {"role": "tool", "content": '{"sum": 7, "parts": [3, 4]}'}
    rows = [{"id": n, "messages": [result], "answer": "7"} for n in range(9)]
    Path("t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    Path("tools.py").write_text("def f(messages): return '7'\n")
    call = ("t.jsonl", "python:tools.py:f", *named.split())
    done = perturb("test", *call)
    assert (done.status, "content holds results of tools: give" in done.message) == (2, True)
    assert not Path("t.test").exists()
    Path("own.yaml").write_text(re.search(r"grid: \[.*\]", done.message)[0])
    done = perturb("test", *call, "--suite", "own.yaml")
    assert (done.status, b"tool_result" in done.out) == (0, True)
