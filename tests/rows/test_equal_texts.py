"""Equal texts of one row get equal edits, whichever step writes them."""

import json

import pytest

import perturb
from perturb.engine.native import binding
from perturb.plan.job import job_of
from perturb.rows.block import perturb_lines
from perturb.stream.blocks import perturb_block

TEXT = (
    "Anna said that the 3 old houses in Paris aren't blue, because 12 km away she bought a car.\n"
    "Who wrote it?\nA. red\nB. blue\nC. green"
)
ROW = {"a": TEXT, "said": [{"c": TEXT}, {"c": "Some other words."}, {"c": TEXT}]}


def made(step, row, **options):
    """The row perturbed, by kernels and as rows of Python."""
    job, line = job_of(step, None, seed=3, **options), json.dumps(row).encode()
    with pytest.MonkeyPatch.context() as patch:
        ours = perturb_block(job, True, 1, line)
        patch.setattr(binding, "LIBRARY", None)
        assert bytes(ours.data) == bytes(perturb_block(job, True, 1, line).data)
    return json.loads(bytes(ours.data))


@pytest.mark.parametrize("name", perturb.names())
def test_equal_texts_stay_equal(name) -> None:
    row = made(name, ROW, field=["a", "said[*].c"])
    assert row["a"] == row["said"][0]["c"] == row["said"][2]["c"]
    assert perturb.verify(row)
    assert perturb.restored(row) == ROW


@pytest.mark.parametrize("size", [2, 3, 64, pytest.param(5000, marks=pytest.mark.slow)])
def test_many_texts_of_one_row(size) -> None:
    """Every second one equals the first, and the others have keys of their own."""
    texts = ["the same words" if at % 2 == 0 else f"the same word{at:05}" for at in range(size)]
    row = made("char_swap:p=1", {"id": "a", "list": texts}, field="list[*]")
    assert len({*row["list"][::2]}) == 1
    assert len({text[:9] for text in row["list"][1::2]}) >= min(size // 2, 3)


def slot(text):
    """Where a kernel looks for a text of sixteen letters first, among 512."""
    data, odd = text.encode(), 0x9E3779B97F4A7C15
    low, high = (int.from_bytes(data[at : at + 8], "little") for at in (0, 8))
    product = (16 ^ low) * (odd ^ high)
    return (product ^ product >> 64) % 512


@pytest.mark.skipif(binding.LIBRARY is None, reason="there are no kernels")
@pytest.mark.slow
def test_texts_that_someone_chose_to_be_slow_are_left_to_python() -> None:
    """All of them are looked for at one place; Python hashes as nobody can foresee."""
    texts = [text for at in range(10**5) if slot(text := f"{at:016}") == 7][:180]
    job = job_of("char_swap", None, field="list[*]")
    line = json.dumps({"list": texts}).encode()
    assert perturb_lines(1, line, job).left == [(0, 1, line)]
    others = json.dumps({"list": [f"{at:016}" for at in range(180)]}).encode()
    assert perturb_lines(1, others, job).left == []
    made("char_swap", {"list": texts}, field="list[*]")


def test_an_answer_that_equals_a_text_follows_it() -> None:
    row = made("name_swap:p=1", {"text": "Anna", "answer": "Anna"}, target="answer")
    assert row["text"] == row["answer"] != "Anna"
