"""The parsers of edits that the page on the notation shows, against the one that perturb has."""

import json
import runpy
import shutil
import subprocess

import pytest
from pages_shown import ROOT

import perturb
from perturb.records.notation import read
from perturb.testing import HOSTILE

PARSERS = ROOT / "docs" / "reference" / "parsers"
SIGNS = '50%|a>b=c;d+e %41 :\t\r\n\x00\x7f\x9f\u2028\u2029 é€👍 "\\/'
TEXTS = [SIGNS, *(text for text in HOSTILE.values() if not text.isascii()), "\ud800 half \udfff"]
ROWS = [
    {"id": n, "a;b|c=d": text * 3, "labels": {"text": [text[:1]], "answer_start": [0]}}
    for n, text in enumerate(TEXTS)
]


@pytest.fixture(scope="module")
def cases():
    """Rows whose edits write, delete and insert any character, each with its original."""
    any_sign = perturb.from_regex("any_sign", r"(?s)\X", lambda match, rng: SIGNS[len(match[0]) :])
    made = [
        row
        for steps in ([any_sign], ["char_delete"], ["char_swap"], [any_sign, "char_delete"])
        for row in perturb.augment(
            ROWS, perturb.Pipeline.of(steps, p=0.3), field="a;b|c=d", spans="labels"
        )
    ]
    return [row for row in made if row["perturbation"]["status"] == "changed"]


def wanted(row):
    changes = read(row["perturbation"]["edits"])
    texts = {
        path: [[edit.start, edit.removed, edit.text] for edit in edits]
        for path, edits in changes.texts.items()
    }
    return [texts, dict(changes.values), ROWS[changes.values["id"]]["a;b|c=d"]]


def test_there_is_something_to_read(cases) -> None:
    said = "".join(row["perturbation"]["edits"] for row in cases)
    assert all(
        sign in said
        for sign in ("%25", "%7C", "%3E", "%3B", "%2B", "%0A", "%E2%80%A8", "%ED%A0%80")
    )
    assert len(cases) > 30


def test_in_python(cases) -> None:
    own = runpy.run_path(str(PARSERS / "edits.py"))
    for row in cases:
        texts, values = own["parse"](row["perturbation"]["edits"])
        restored = own["restore"](row["a;b|c=d"], texts["a;b|c=d"])
        assert json.loads(json.dumps([texts, values, restored])) == wanted(row)


@pytest.mark.slow
def test_in_javascript(cases) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = (
        (PARSERS / "edits.js").read_text("utf-8")
        + """
        const cases = JSON.parse(require("fs").readFileSync(0, "utf-8"));
        const made = cases.map(([edits, text]) => {
          const [texts, values] = parse(edits);
          return [texts, values, restore(text, texts["a;b|c=d"])];
        });
        console.log(JSON.stringify(made));
    """
    )
    given = json.dumps([[row["perturbation"]["edits"], row["a;b|c=d"]] for row in cases])
    done = subprocess.run(
        ["node", "-e", program], input=given, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == list(map(wanted, cases))


@pytest.mark.slow
def test_in_sql(cases, tmp_path) -> None:
    """A database holds no half of a surrogate pair, and neither does a file of perturb."""
    duckdb = pytest.importorskip("duckdb")
    whole = [
        row
        for row in cases
        if "\\ud" not in ascii(row["a;b|c=d"]) + ascii(row["perturbation"])
        and "%ED%" not in row["perturbation"]["edits"]
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in whole))
    database = duckdb.connect()
    database.execute((PARSERS / "edits.sql").read_text("utf-8"))
    made = database.execute("SELECT * FROM edits_of(?)", [str(file)]).fetchall()
    expected = [
        (row["id"], path, *edit)
        for row in whole
        for path, edits in wanted(row)[0].items()
        for edit in edits
    ]
    assert sorted(made) == sorted(expected)


@pytest.mark.parametrize("name", ["edits.py", "edits.js", "edits.sql"])
def test_they_are_short(name) -> None:
    assert len((PARSERS / name).read_text("utf-8").splitlines()) <= 30
