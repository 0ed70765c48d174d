"""Logs that have the ids of rows alone: scored by the records of the rows that were asked."""

import json

import pytest

from perturb import Transform, augment
from perturb.engine.native import binding

ROWS = [{"id": f"q{n}", "text": f"How many eggs are in {n} baskets?"} for n in range(40)]
EXACT = ("--where", "stats[*].name.name=exact_match")
MEAN = ("--score", "stats[name.name=exact_match][0].mean")


def stat(name, value):
    """A statistic as HELM 0.5.16 writes it."""
    numbers = {"sum": value, "sum_squared": value**2, "min": value, "max": value, "mean": value}
    more = {"variance": 0.0, "stddev": 0.0}
    return {"name": {"name": name, "split": "test"}, "count": 1, **numbers, **more}


@pytest.fixture
def helm(tmp_path):
    """The rows that were asked, and HELM's per_instance_stats.json: an entry for each metric."""
    noisy = [*augment(ROWS, "ocr", p=0.5, with_original=True)]
    asked, stats = tmp_path / "asked.jsonl", tmp_path / "per_instance_stats.json"
    asked.write_text("".join(json.dumps(row) + "\n" for row in noisy))
    entries = [
        {"instance_id": row["id"], "train_trial_index": 0, "stats": [stat(*each) for each in some]}
        for names in (("exact_match", "f1"), ("num_prompt_tokens",))
        for row in noisy
        for some in (
            [(name, 0.5 if name == "f1" else float("#" not in row["id"])) for name in names],
        )
    ]
    stats.write_text(json.dumps(entries, indent=2))
    return str(stats), "--records", str(asked), "--id-field", "instance_id"


def test_the_scores_of_helm(helm, perturb):
    done = perturb("score", *helm, *EXACT, *MEAN, "--json")
    overall = json.loads(done.out)["overall"][0]
    assert (overall["clean_mean"], overall["perturbed_mean"]) == (1.0, 0.0)
    assert b"q0, ocr p=0.5" in perturb("flips", *helm, *EXACT, *MEAN).out
    settled = ("--where", "stats[name.name=f1].mean=0.5")
    score = ("--score", "stats[name.name=f1][0].mean")
    overall = json.loads(perturb("score", *helm, *settled, *score, "--json").out)["overall"][0]
    assert overall["difference"] == 0


def test_ids_that_fit_nothing(helm, perturb, tmp_path):
    stats, *options = helm
    assert (
        "the row has no id in 'id': see --id-field"
        in perturb("score", stats, *options[:2], *MEAN).err
    )
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(ROWS[0]) + "\n")
    done = perturb("score", stats, "--records", other, *options[2:], *EXACT, *MEAN)
    assert f"{other} has no row with the id 'q0#ocr:p=0.5'" in done.err
    nothing = ("--where", "stats[*].name.name=exact")
    assert "leaves none of the 160 rows" in perturb("score", *helm, *nothing, *MEAN).err


def test_replies_with_the_id_in_a_path(tmp_path, perturb):
    """Right answers are those of the rows that were asked, whose ids are at a path as well."""
    rows = [
        {"meta": {"id": n}, "text": f"What is {n} and 1?", "answer": str(n + 1)} for n in range(30)
    ]
    noisy = [*augment(rows, "ocr", p=0.5, with_original=True, id_field="meta.id")]
    asked, replies = tmp_path / "asked.jsonl", tmp_path / "replies.jsonl"
    asked.write_text("".join(json.dumps(row) + "\n" for row in noisy))
    said = [{"request": {"custom_id": r["meta"]["id"]}, "body": [r["answer"]]} for r in noisy]
    replies.write_text("".join(json.dumps(row) + "\n" for row in said))
    done = perturb(
        *("score", replies, "--records", asked, "--id-field", "request.custom_id"),
        *("--prediction", "body[0]", "--json"),
    )
    assert json.loads(done.out)["overall"][0]["perturbed_mean"] == 1


def test_originals_without_a_record_by_another_field(tmp_path, perturb):
    noisy = [{**row, "right": 0.5} for row in Transform("ocr", p=0.5)(ROWS)]
    noisy = [{**row, "key": {"id": row["id"]}} for row in noisy]
    clean = [{"key": {"id": row["id"]}, "right": 1.0} for row in ROWS]
    paths = tmp_path / "noisy.jsonl", tmp_path / "clean.jsonl"
    for path, rows in zip(paths, (noisy, clean), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    call = ("score", paths[0], "--clean", paths[1], "--score", "right", "--id-field", "key.id")
    assert json.loads(perturb(*call, "--json").out)["overall"][0]["clean_mean"] == 1


def test_texts_of_items_that_are_chosen_so(perturb, monkeypatch):
    """Kernels leave such paths to Python."""
    turns = [{"by": {"role": role}, "text": f"some words of {role}"} for role in ("user", "bot")]
    given = json.dumps({"turns": [*turns, {"by.role": "user", "text": "more words"}]}).encode()
    call = ("apply", "case:style=upper,p=1", "--field", "turns[by.role=user].text")
    done = perturb(*call, stdin=given)
    texts = [turn["text"] for turn in done.rows[0]["turns"]]
    assert texts == ["SOME WORDS OF USER", "some words of bot", "MORE WORDS"]
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert perturb(*call, stdin=given).out == done.out
