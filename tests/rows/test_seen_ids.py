"""Two rows of one id are found, against a dictionary of the ids so far."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.cli import main
from perturb.io import files
from perturb.rows import seen_ids
from perturb.rows.seen_ids import SeenIds, ids_of


def first_pair(blocks):
    """The slow way: the first row whose id stood before, in the first block that has one."""
    seen = {}
    number = 0
    for block in blocks:
        pairs = []
        for row in block:
            number += 1
            if row["id"] is not None and str(row["id"]) in seen:
                pairs.append((seen[str(row["id"])], number))
            elif row["id"] is not None:
                seen[str(row["id"])] = number
        if pairs:
            return pairs[0]
    return None


MARKS = {"marks shared": (16, 4), "marks apart": (1 << 24, 0), "no marks": (1 << 24, 1 << 17)}


@pytest.fixture(autouse=True, params=MARKS.values(), ids=[*MARKS])
def _marks(request, monkeypatch):
    for name, number in zip(("_MARKS", "_FEW"), request.param, strict=True):
        monkeypatch.setattr(seen_ids, name, number)


ids = st.none() | st.integers(0, 60) | st.sampled_from(["1", "x", "text:0123456789abcdef"])


@pytest.mark.slow
@given(st.lists(st.lists(st.fixed_dictionaries({"id": ids}), max_size=12), max_size=8))
def test_pairs_are_found_as_a_dictionary_finds_them(blocks) -> None:
    seen, number, found = SeenIds(), 1, None
    for block in blocks:
        found = seen.add(ids_of(block, range(number, number + len(block)), "id"))
        number += len(block)
        if found:
            break
    wanted = first_pair(blocks)
    assert (found and found[1]) == (wanted and wanted[1])
    assert found is None or found[0] <= wanted[0] or found[0] < found[1]


def test_memory_is_bounded(monkeypatch) -> None:
    """Only so many ids are kept; what is kept is still found later."""
    monkeypatch.setattr(seen_ids, "MOST_IDS", 100)
    seen = SeenIds()
    for start in range(0, 1000, 50):
        assert seen.add(ids_of([{"id": start + n} for n in range(50)], range(50), "id")) is None
    assert sum(len(run.hashes) for run in seen._runs) == 100
    assert seen.add(ids_of([{"id": 7}], [1001], "id")) == (7, 1001)
    assert seen.add(ids_of([{"id": 700}], [1001], "id")) is None
    assert seen.not_kept == 902


def test_the_command_line_tells_what_was_not_looked_for(tmp_path, monkeypatch, capfd) -> None:
    monkeypatch.setattr(seen_ids, "MOST_IDS", 2)
    monkeypatch.setattr(files, "BLOCK", 60)
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": n, "text": "some words that stand in a row"} for n in range(8)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["apply", "ocr", "-i", str(source), "-o", str(target)]) == 0
    said = json.loads((tmp_path / "out.jsonl.manifest.json").read_text("utf-8"))["input"]
    assert 0 < said["ids_not_kept"] <= 6
    assert (
        f"the ids of the last {said['ids_not_kept']} rows of {source} were checked against the "
        "first 2 ids, but not against each other"
    ) in capfd.readouterr().err


def test_augment_refuses_a_second_row_of_an_id() -> None:
    rows = [{"id": n, "text": "some words"} for n in range(300)]
    assert len(list(perturb.augment(rows, "ocr"))) == 300
    with pytest.raises(perturb.DataError, match="row 301: its 'id' is that of row 4 too"):
        list(perturb.augment([*rows, {"id": "3", "text": "x"}], "ocr"))


def test_equal_texts_without_ids_are_one_original() -> None:
    first, second = perturb.augment([{"text": "some words"}] * 2, "ocr", p=0.5)
    assert first == second


def test_the_first_row_of_each_hash_is_told() -> None:
    """Within rows added at once, and of rows before, whatever the order."""
    seen = SeenIds()
    assert seen.first_rows([], []) == []
    assert seen.first_rows([8, 4, 8, 6], [10, 11, 12, 13]) == [10, 11, 10, 13]
    assert seen.first_rows([6, 2, 4, 2, -2], range(14, 19)) == [13, 15, 11, 15, 18]
