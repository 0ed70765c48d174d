"""Records as they were under contract 1 are read as those of contract 2."""

import copy
import json
import pickle

import pytest

import perturb
from perturb.cli import main
from perturb.records import schema

NOW = perturb.apply("How many eggs?", "char_delete", p=0.3, seed=7, id="q1")


def old_form(record):
    """A row as contract 1 had it."""
    (step,) = record.steps
    told = step._asdict()
    assert len(record.edits) > 1
    steps = {key: told[key] for key in ("name", "version", "p", "units", "sites", "edits")}
    said = {
        "original_id": record.original_id,
        "original": record.original,
        "field": "text",
        "replicate": record.replicate,
        "seed": record.seed,
        "steps": [{**steps, "params": {}}],
        "edits": list(map(list, record.edits)),
        "status": record.status,
        "reason": None,
        "rate": record.rate,
        "categories": list(record.categories),
        "contract": 1,
    }
    return {"id": record.id, "text": record.text, "perturbation": said}


OLD = old_form(NOW)


def changed(**values):
    row = copy.deepcopy(OLD)
    row["perturbation"] |= values
    return row


def test_it_is_what_is_made_today() -> None:
    old = perturb.Record.from_row(OLD)
    assert (old.id, old.text, old.original) == (NOW.id, NOW.text, NOW.original)
    assert (old.edits, old.steps, old.reason) == (NOW.edits, NOW.steps, "")
    assert (old.contract, old.pipeline, old.protect, old.only) == (1, "", (), None)
    assert perturb.verify(OLD)
    assert pickle.loads(pickle.dumps(old)) == old
    schema.check(old.to_dict()["perturbation"])


def test_a_change_is_found() -> None:
    for forged in (
        changed(seed=8),
        changed(edits=OLD["perturbation"]["edits"][:1]),
        changed(reason="no site"),
    ):
        with pytest.raises(perturb.VerificationError):
            perturb.verify(forged)


def test_counts_notes_scopes_and_spans() -> None:
    step = OLD["perturbation"]["steps"][0]
    steps = [
        {**step, "p": None, "count": 2, "max_edits": 3, "note": {"order": [1, 0]}, "severity": 4},
        {**step, "name": "keyboard_typos", "params": {"layout": "auto"}},
        {**step, "name": "keyboard_typos", "params": {"layout": "de"}},
        {**step, "name": "no_longer_there", "params": {"a": True, "b": "x,y"}},
    ]
    row = changed(steps=steps, protect=["url"], spans=[[0, 3], None], pipeline="one_of(ocr)")
    record = perturb.Record.from_row(row)
    first, second, third, fourth = record.steps
    assert (first.p, first.params, first.severity) == (0.0, "count=2,max_edits=3", 4)
    assert first.note == '{"order":[1,0]}'
    assert (second.params, third.params) == ("", "layout=de")
    assert fourth.params == 'a=true,b="x,y"'
    assert (record.protect, record.only, record.pipeline) == (("url",), None, "one_of(ocr)")
    assert record.spans == ((0, 3), None)


def test_a_compact_one_is_restored() -> None:
    edits = [[*edit, NOW.original[edit.start : edit.end]] for edit in NOW.edits]
    row = changed(edits=edits)
    del row["perturbation"]["original"]
    assert perturb.Record.from_row(row).original == "How many eggs?"
    assert perturb.verify(row)


@pytest.mark.parametrize(
    "damage",
    [
        {"edits": [5]},
        {"edits": [[0, 1]]},
        {"edits": [[3, 1, "x"]]},
        {"steps": [5]},
        {"steps": [{"name": "ocr"}]},
        {"spans": [[1]]},
        {"answer": 5},
    ],
)
def test_damage_is_said(damage) -> None:
    with pytest.raises(perturb.DataError, match=r"damaged|needs"):
        perturb.Record.from_row(changed(**damage))


@pytest.fixture
def answers(tmp_path):
    """A file of contract 1 with answers: 30 questions, each clean and perturbed."""
    texts = [f"How many of the {n} brown eggs are left in the basket?" for n in range(30)]
    ids = [f"q{n}" for n in range(30)]
    path = tmp_path / "answers.jsonl"
    rows = []
    for n, one in enumerate(perturb.apply(texts, "char_delete", p=0.3, seed=7, id=ids)):
        row = old_form(one) | {"target": str(n), "prediction": str(n if n % 3 else -1)}
        said = {"steps": [], "edits": [], "status": "original", "rate": 0.0}
        clean = {**row["perturbation"], **said, "categories": ["original"]}
        rows.append(
            {**row, "id": ids[n], "text": texts[n], "prediction": str(n), "perturbation": clean}
        )
        rows.append(row)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_every_command_reads_them(answers, capfd, tmp_path) -> None:
    """Verify gives the texts again; diff marks the edits; score, flips and report judge them."""
    graded = ["--target", "target"]
    page = tmp_path / "report.html"
    for command, wanted in (
        (["verify", str(answers)], "60 rows"),
        (["diff", str(answers), "-n", "2"], "[-"),
        (["score", str(answers), *graded], "char_delete"),
        (["flips", str(answers), *graded], "q3, char_delete"),
        (["report", str(answers), *graded, "-o", str(page)], ""),
    ):
        assert main(command) == 0, capfd.readouterr()
        said = capfd.readouterr()
        assert wanted in said.out + said.err, command
    assert "char_delete" in page.read_text("utf-8")
