"""Combinators and grids on the command line and in files of steps."""

import json

import pytest

from perturb.rows.stored import record_of

CELLS = ["ocr:p=0.1", "ocr:p=0.2", "case:p=0.4"]
GRID = ("apply", "ocr", "case:p=0.4", "--grid", "-p", "0.1,0.2", "--field", "question")


def ids(done):
    return [row["id"] for row in done.rows]


@pytest.mark.slow
def test_a_grid_is_steps_by_strengths_by_replicates(perturb, questions):
    """Each cell gives rows as it does alone, under an id of its own."""
    done = perturb(*GRID, "--replicates", 2, "--with-original", "-i", questions)
    assert ids(done)[:7] == ["q001", *(f"q001#{cell}{end}" for cell in CELLS for end in ("", "#1"))]
    assert len(set(ids(done))) == len(done.rows) == 700
    for at, cell in zip((1, 3, 5), CELLS, strict=True):
        alone = perturb("apply", cell, "--field", "question", "-i", questions).rows
        for together, single in zip(done.rows[at::7], alone, strict=True):
            assert together == single


@pytest.mark.parametrize(
    "arguments",
    [
        ("grid(ocr | case:p=0.4)", "-p", "0.1,0.2"),
        ("--config", "grid: [ocr, case:p=0.4]\np: [0.1, 0.2]"),
        ("--config", "grid:\n  - name: ocr\n  - {name: case, p: 0.4}", "-p", "0.1,0.2"),
        ("--config", "steps: [ocr, 'case:p=0.4']", "--grid", "-p", "0.1,0.2"),
        ("--config", "[ocr, 'case:p=0.4']", "--grid", "-p", "0.1,0.2"),
        ("--config", '{"grid": ["ocr:p=0.1", "ocr:p=0.2", "case:p=0.4"]}'),
        ("--grid", *CELLS),
    ],
    ids=range(7),
)
def test_every_way_to_write_a_grid(perturb, questions, tmp_path, arguments):
    wanted = perturb(*GRID, "-i", questions)
    assert wanted.status == 0
    if arguments[0] == "--config":
        path = tmp_path / "steps.yaml"
        path.write_text(arguments[1], "utf-8")
        arguments = ("--config", path, *arguments[2:])
    done = perturb("apply", *arguments, "--field", "question", "-i", questions)
    assert (done.status, done.out) == (0, wanted.out), done.err


CONFIG = """
steps:
  - one_of:
      - keyboard_typos:p=0.05
      - [word_swap:p=0.1, {name: ocr, p: 0.1}]
    weights: [1, 2]
  - some_of: [char_delete, case:p=0.3, whitespace]
    k: 2
  - sometimes: comma_insert
    probability: 0.25
"""
SPEC = (
    "one_of(keyboard_typos:p=0.05 | 2*word_swap:p=0.1 ocr:p=0.1)",
    "some_of(2, char_delete | case:p=0.3 | whitespace)",
    "sometimes(0.25, comma_insert)",
)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", "lean", "workers", "replicates"])
def test_what_was_taken_is_verified(perturb, questions, tmp_path, form):
    """Steps from a file are those of the command line; each row gives its own text again."""
    (tmp_path / "steps.yaml").write_text(CONFIG, "utf-8")
    more = {
        "lean": ("--lean",),
        "workers": ("--workers", "2"),
        "replicates": ("--replicates", "2"),
    }
    call = ("-p", "0.1", "--field", "question", "-i", questions, *more.get(form, ()))
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert perturb("apply", "--config", tmp_path / "steps.yaml", *call, "-o", one).status == 0
    assert perturb("apply", *SPEC, *call, "-o", other).status == 0
    assert one.read_bytes() == other.read_bytes()
    (tmp_path / "other.jsonl.manifest.json").unlink()
    for path in (one, other):
        done = perturb("verify", path)
        assert done.status == 0, done.err
    records = [record_of(json.loads(line)) for line in one.read_bytes().splitlines()]
    taken = [step for record in records for step in record.steps]
    assert {len(record.steps) for record in records} == {3, 4, 5}
    manifest = json.loads((tmp_path / "one.jsonl.manifest.json").read_bytes())
    (cell,) = manifest["counts"]["conditions"].values()
    assert cell["units"] == sum(step.units for step in taken)
    assert cell["edits"] == sum(step.edits for step in taken)


def test_a_text_that_takes_no_step_says_so(perturb, questions, tmp_path):
    out = tmp_path / "out.jsonl"
    perturb(
        "apply", "sometimes(0.5, case:p=0.5)", "-i", questions, "--field", "question", "-o", out
    )
    rows = [json.loads(line)["perturbation"] for line in out.read_bytes().splitlines()]
    idle = [row for row in rows if row["status"] == "not taken"]
    assert 0 < len(idle) < len(rows)
    for row in idle:
        assert (row["edits"], row["expect"]) == ("", "same")
        assert row["condition"] == "sometimes(0.5, case:p=0.5)"
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_bytes())
    (cell,) = manifest["counts"]["conditions"].values()
    assert cell["statuses"]["not taken"] == len(idle)
    assert perturb("verify", out).status == 0


@pytest.mark.slow
def test_score_goes_by_what_was_taken(perturb, questions, tmp_path):
    """Two cells that leave the same text alone do not stand in each other's way."""
    out = tmp_path / "scored.jsonl"
    done = perturb(
        *("apply", "one_of(ocr:p=0.2 | case:p=0.1)", "sometimes(0.5, ocr:p=0.2)", "--grid"),
        *("--with-original", "--replicates", 2, "-i", questions, "--field", "question"),
    )
    rows = [{**row, "score": row["perturbation"]["status"] == "original"} for row in done.rows]
    out.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    scored = perturb("score", out, "--score", "score", "--json")
    assert scored.status == 0, scored.err
    found = {
        c["perturbator"]: c["rows"]
        for c in json.loads(scored.out)["conditions"]
        if c["scope"] == "all"
    }
    conditions = [row["perturbation"]["condition"] for row in done.rows]
    assert found == {name: conditions.count(name) for name in {*conditions} - {"original"}}


def test_json_in_a_field(perturb):
    """A line whose field is no JSON is a bad line."""
    good, bad = json.dumps({"text": '{"lazy": "lazy"}'}), json.dumps({"text": "lazy"})
    call = ("apply", "yz_swap", "-p", "1", "--only", "json")
    done = perturb(*call, stdin=f"{good}\n{bad}\n".encode())
    assert done.status == 1
    assert (
        "standard input:2: the rule json is for texts that are JSON, but 'lazy' isn't"
        in done.message
    )
    done = perturb(*call, "--bad-lines", "skip", stdin=f"{good}\n{bad}\n".encode())
    assert [row["text"] for row in done.rows] == ['{"lazy": "layz"}']


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["ocr", "--grid", "-p", "0.1,"],
            "argument -p: must be a share of units from 0 to 1, such as 0.1 for 10 %; got ''",
        ),
        (["ocr", "--grid", "-p", "0.1,0.1"], "two conditions have the same label"),
        (["ocr", "--grid", "--intensity", "low,huge"], "intensity must be one of very_low"),
        (["ocr", "--intensity", "low,high"], "several values of intensity need a grid"),
        (["grid(ocr)", "case", "--grid"], "a grid isn't a pipeline"),
    ],
)
def test_a_wrong_call(perturb, arguments, message):
    done = perturb("apply", *arguments)
    assert done.status == 2
    assert message in done.message
