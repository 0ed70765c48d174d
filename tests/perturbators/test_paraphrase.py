"""Texts in other words: read from a table alone, exactly recorded, and made again anywhere."""

import json
import shutil
import subprocess
import sys

import pytest

import perturb
from perturb.perturbators.shared import rewordings
from perturb.perturbators.shared.rewordings import Rewording, Table, hash_of, read_table

TEXTS = [f"How many of the {n} eggs are left?" for n in range(200)]
REFUSED = "Nobody rewords this?"


def reworded(text: str) -> str:
    return f"{text.replace('How many of', 'Of')[:-16]} eggs, how many remain?"


@pytest.fixture
def table(tmp_path):
    """A table of all texts, and of one whose rewording lost a number."""
    lines = [Rewording(text, reworded(text), 1, {"numbers": ""}) for text in TEXTS]
    lines.append(Rewording(REFUSED, "Nobody does?", 3, {"numbers": "", "names": "lost Ann"}))
    path = tmp_path / "rewordings.jsonl"
    path.write_bytes(Table({"checks": {}}, lines).written())
    return path


def test_a_text_becomes_its_rewording_by_exact_edits(table) -> None:
    records = perturb.apply(TEXTS, {"name": "paraphrase", "file": str(table)}, p=1.0)
    for text, record in zip(TEXTS, records, strict=True):
        assert record.text == reworded(text) != text
        assert record.restore() == text
        assert len(record.edits) > 1  # what both have stays
        assert perturb.verify(record, trust=[str(table)])


def test_p_is_the_share_of_texts_and_nested(table) -> None:
    def changed(p: float) -> set[str]:
        step = {"name": "paraphrase", "file": str(table)}
        records = perturb.apply(TEXTS, step, p=p, seed=4)
        return {record.original for record in records if record.status == "changed"}

    some, more = changed(0.2), changed(0.6)
    assert some < more
    assert 20 < len(some) < 60 < 95 < len(more) < 145  # of 200, five standard deviations around
    assert changed(0.0) == set()
    assert changed(1.0) == {*TEXTS}


@pytest.mark.parametrize("text", [REFUSED, "", "  "])
def test_a_text_without_an_accepted_rewording_says_so(table, text) -> None:
    record = perturb.apply(text, {"name": "paraphrase", "file": str(table)}, p=1.0)
    assert (record.text, record.status) == (text, "no rewording")


def test_without_a_table_no_text_has_a_rewording() -> None:
    assert perturb.apply("How many?", "paraphrase", p=1.0).status == "no rewording"


def test_a_protected_place_keeps_the_whole_text(table) -> None:
    step = {"name": "paraphrase", "file": str(table)}
    record = perturb.apply(TEXTS[7], step, p=1.0, protect="word:many")
    assert (record.text, record.status) == (TEXTS[7], "protected")


def test_a_persons_word_overrules_the_checks() -> None:
    passed = Rewording("Why so?", "How come?", 1, {"words": ""})
    failed = Rewording("Why so?", "How come?", 1, {"words": "the same"})
    assert [passed.accepted, failed.accepted] == [True, False]
    assert [one._replace(person=True).accepted for one in (passed, failed)] == [True, True]
    assert [one._replace(person=False).accepted for one in (passed, failed)] == [False, False]
    assert not Rewording("Why so?", "Why so?", person=True).accepted
    assert not Rewording("Why so?", None, error="HTTP 500", person=True).accepted


def test_a_table_of_other_texts_is_named(table) -> None:
    with pytest.raises(
        perturb.DataError, match=r"rewordings\.jsonl is a table of other texts.*Whe"
    ):
        perturb.apply([TEXTS[0], "Where is it?"], {"name": "paraphrase", "file": str(table)})


def test_of_several_fields_one_is_reworded(table) -> None:
    row = {"id": "1", "question": TEXTS[3], "context": "No table has this."}
    step, fields = f"paraphrase:file={table}", ["question", "context"]
    with pytest.raises(perturb.DataError, match=r"No table has this.*field=question"):
        list(perturb.augment([row], step, field=fields))
    (made,) = perturb.augment([row], f"{step},field=question", field=fields)
    assert (made["question"], made["context"]) == (reworded(TEXTS[3]), row["context"])
    assert perturb.restored(made) == row


def changed(key: str, value: object):
    def change(lines: list[bytes]) -> list[bytes]:
        return [*lines[:2], json.dumps({**json.loads(lines[2]), key: value}).encode(), *lines[3:]]

    return change


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: lines[:-1], r"rewordings.jsonl is damaged: it has 200 texts.* says 201"),
        (lambda lines: [*lines, lines[-1]], r"rewordings.jsonl:203: a line before has this text"),
        (lambda lines: [*lines[:-1], lines[-1][:40]], r"rewordings.jsonl:202: not a line"),
        (lambda lines: [lines[0], b"[]", *lines[2:]], r"rewordings.jsonl:2: not a line"),
        (lambda lines: lines[1:], r"rewordings.jsonl is no table of rewordings"),
        (lambda lines: [], r"rewordings.jsonl is no table of rewordings"),
        (lambda lines: [b"\xff\xfe", *lines], r"rewordings.jsonl is no table of rewordings"),
        (changed("text", "How many?"), r"rewordings.jsonl:3: not a line"),
        (changed("rewording", 3), r"rewordings.jsonl:3: not a line"),
        (changed("checks", {"numbers": 3}), r"rewordings.jsonl:3: not a line"),
        (changed("checks", {"numbers": "lost 3"}), r"rewordings.jsonl:3: not a line"),
        (changed("person", "yes"), r"rewordings.jsonl:3: not a line"),
        (changed("accepted", False), r"rewordings.jsonl:3: not a line"),
    ],
)
def test_a_damaged_table_is_a_data_error_that_names_it(table, damage, said) -> None:
    table.write_bytes(b"\n".join(damage(table.read_bytes().splitlines())))
    with pytest.raises(perturb.DataError, match=said):
        perturb.apply(TEXTS[0], {"name": "paraphrase", "file": str(table)})


def test_the_table_is_read_once(table, monkeypatch) -> None:
    read = []
    real = rewordings.read_table
    monkeypatch.setattr(
        rewordings, "read_table", lambda *given: read.append(given[1]) or real(*given)
    )
    rewordings.rewordings_of.cache_clear()
    rows = ({"question": text} for text in TEXTS * 20)
    step = {"name": "paraphrase", "file": str(table)}
    made = perturb.augment(rows, step, p=1.0, field="question")
    assert sum(row["perturbation"]["status"] == "changed" for row in made) == 4000
    assert read == [str(table)]


def test_what_was_made_is_verified_in_another_folder_and_process(table, tmp_path) -> None:
    rows = tmp_path / "in.jsonl"
    rows.write_text("".join(json.dumps({"question": text}) + "\n" for text in TEXTS))
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    shutil.copy(table, home / "table.jsonl")

    def call(folder, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "perturb", *words]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    made = call(home, "apply", "paraphrase:file=table.jsonl,p=0.5", "-i", str(rows), "--field",
                "question", "-o", "out.jsonl")  # fmt: skip
    assert made.returncode == 0, made.stderr
    home.rename(away)
    assert call(away, "verify", "out.jsonl").returncode == 1  # data names the file
    checked = call(away, "verify", "out.jsonl", "--trust", "table.jsonl")
    assert checked.returncode == 0, checked.stderr
    table = away / "table.jsonl"
    table.write_bytes(table.read_bytes().replace(b"how many remain", b"how much remains"))
    checked = call(away, "verify", "out.jsonl", "--trust", "table.jsonl")
    assert checked.returncode != 0
    assert "table.jsonl has changed" in checked.stderr


def test_a_table_is_read_as_it_was_written() -> None:
    lines = [
        Rewording("Überall?", "Wo\u2028nicht?", 2, {"a": ""}, "", True),
        Rewording("x", error="no"),
    ]
    table = Table({"asked": {"model": "m"}}, lines)
    assert read_table(table.written(), "t") == table
    assert hash_of("Überall?") == "5b469fe91cedb827"
