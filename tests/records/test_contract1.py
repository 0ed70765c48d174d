"""Records as they were under contract 1 are read as those of contract 2."""

import copy
import pickle

import pytest

import perturb
from perturb.records import schema

OLD = {
    "id": "q1#0",
    "text": "oHw amny eggs?",
    "perturbation": {
        "original_id": "q1",
        "original": "How many eggs?",
        "field": "text",
        "replicate": 0,
        "seed": 7,
        "steps": [
            {
                "name": "char_swap",
                "version": 1,
                "p": 0.1,
                "params": {},
                "units": 14,
                "sites": 7,
                "edits": 2,
            }
        ],
        "edits": [[0, 2, "oH"], [4, 6, "am"]],
        "status": "changed",
        "reason": None,
        "rate": 0.142857,
        "categories": ["perturbed", "perturbed_by:char_swap:p=0.1"],
        "contract": 1,
    },
}


def changed(**values):
    row = copy.deepcopy(OLD)
    row["perturbation"] |= values
    return row


def test_it_is_what_is_made_today() -> None:
    old = perturb.Record.from_row(OLD)
    now = perturb.apply("How many eggs?", "char_swap", p=0.1, seed=7, id="q1")
    assert (old.id, old.text, old.original) == (now.id, now.text, now.original)
    assert (old.edits, old.steps, old.reason) == (now.edits, now.steps, "")
    assert (old.contract, old.pipeline, old.protect, old.only) == (1, "", (), None)
    assert perturb.verify(OLD)
    assert pickle.loads(pickle.dumps(old)) == old
    schema.check(old.to_dict()["perturbation"])


def test_a_change_is_found() -> None:
    for forged in (changed(seed=8), changed(edits=[[0, 2, "oH"]]), changed(reason="no site")):
        with pytest.raises(perturb.VerificationError):
            perturb.verify(forged)


def test_counts_notes_scopes_and_spans() -> None:
    step = OLD["perturbation"]["steps"][0]
    steps = [
        {**step, "p": None, "count": 2, "max_edits": 3, "note": {"order": [1, 0]}, "severity": 4},
        {**step, "name": "keyboard_typos", "params": {"layout": "us"}},
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
    row = changed(edits=[[0, 2, "oH", "Ho"], [4, 6, "am", "ma"]])
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
