"""nlpaug's augmenters by their names: the same contract, and no code runs because data names it."""

import json
import pickle
import subprocess
import sys
from importlib.util import find_spec

import pytest

import perturb
from perturb.cli import main

pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(find_spec("nlpaug") is None, reason="nlpaug is not installed"),
]

TEXTS = ["The quick brown fox jumps over 1200 lazy dogs.", "", "How many eggs are left today?"]
STEP = "nlpaug.KeyboardAug:aug_char_p=0.5"


@pytest.mark.slow
def test_it_keeps_the_contract() -> None:
    records = perturb.apply(TEXTS, STEP, seed=3)
    assert [record.restore() for record in records] == TEXTS
    assert [bool(record.edits) for record in records] == [True, False, True]
    again = perturb.apply(TEXTS[::-1], perturb.Pipeline.of(STEP), seed=3)[::-1]
    assert [record.text for record in again] == [record.text for record in records]
    sent = pickle.loads(pickle.dumps(perturb.Transform(STEP, seed=3)))
    assert [row["text"] for row in sent([{"text": text} for text in TEXTS])] == [
        record.text for record in records
    ]
    assert perturb.apply(TEXTS[0], STEP, protect="number").status in ("changed", "protected")
    assert perturb.verify(records[0], trust=["nlpaug.KeyboardAug"])


def test_on_the_command_line(tmp_path, capfd) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS[::2]))
    assert main(["apply", STEP, "-i", str(source), "-o", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert all("aug_char_p=0.5" in row["perturbation"]["recipe"] for row in rows)
    assert main(["verify", str(out), "--trust", "nlpaug.KeyboardAug"]) == 0
    assert main(["show", "nlpaug.OcrAug"]) == 0
    assert main(["verify", str(out)]) == 1
    assert "--trust 'nlpaug.KeyboardAug'" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("nlpaug.KeyboardAg", "did you mean nlpaug.KeyboardAug"),
        ("nlpaug.KeyboardAug:aug_chr_p=1", "has no parameter 'aug_chr_p'; did you mean aug_char_p"),
        ("nlpaug.KeyboardAug:lang=xx", "nlpaug can't make it: Only support en"),
        ("nlpaug.KeyboardAug:stopwords=a", "has no parameter 'stopwords'"),
        ("nlaug.KeyboardAug", "unknown library 'nlaug'"),
    ],
)
def test_what_is_wrong_is_said(step, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        perturb.apply("a text", step)


def test_data_names_no_model() -> None:
    """A record whose augmenter is trusted still can't name a file of its own."""
    row = perturb.Transform(STEP, seed=3)([{"id": "a", "text": TEXTS[0]}])[0]
    said = row["perturbation"]
    said["recipe"] = said["recipe"].replace("aug_char_p=0.5", 'model_path="/etc/passwd"')
    with pytest.raises(perturb.UsageError, match="names model_path '/etc/passwd'"):
        perturb.verify(row, trust=["nlpaug.KeyboardAug"])


@pytest.mark.slow
def test_without_nlpaug() -> None:
    code = (
        "import sys; sys.modules['nlpaug'] = None\n"
        "import perturb\n"
        "try: perturb.apply('a', 'nlpaug.KeyboardAug')\n"
        "except perturb.UsageError as error: assert '[nlpaug]' in str(error), error\n"
        "else: raise SystemExit('no error')\n"
        "assert 'keyboard_typos' in perturb.names()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
