"""Blocks of lines on several processes give the bytes that one process gives."""

import gc
import json
import multiprocessing
import signal
import sys
import traceback
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from perturb.engine.native import binding
from perturb.errors import DataError
from perturb.pipeline.pipeline import Pipeline
from perturb.plan.job import job_of
from perturb.stream import perturb_file
from perturb.stream.blocks import Block, perturb_block
from perturb.stream.perturb_file import perturb_blocks

TYPOS = Pipeline.of("keyboard_typos:p=0.1")
# Threads share the work of a step that is one kernel, processes that of others.
KINDS = pytest.mark.parametrize("steps", ["keyboard_typos:p=0.1", "word_swap:p=0.1"])
# More than a place in shared memory holds.
LARGE = 10_000_000


def blocks_of(sizes):
    """Blocks of one row each, with texts of so many characters."""
    rows = (json.dumps({"text": ("some words " * size)[:size]}).encode() for size in sizes)
    return [(number, row + b"\n") for number, row in enumerate(rows, 1)]


def written(job, blocks, workers):
    """The bytes of each block, which may go when the next is asked for."""
    return [
        bytes(block.data)
        for block in perturb_blocks(job, iter(blocks), stop_at_bad=True, workers=workers)
    ]


@pytest.mark.parametrize(
    "sizes",
    [
        [],
        [10],
        [10, LARGE, 20],
        [LARGE],
        [300_000, *[10] * 30],  # the others are done before the first
        range(200),
    ],
    ids=["none", "one", "large", "only large", "uneven", "many"],
)
@pytest.mark.parametrize("workers", [2, 3])
@KINDS
@pytest.mark.slow
def test_order_and_sizes_change_nothing(steps, sizes, workers) -> None:
    blocks = blocks_of(sizes)
    job = job_of(steps)
    assert written(job, blocks, workers) == written(job, blocks, 1)


@pytest.fixture(autouse=True)
def at_once(monkeypatch) -> None:
    """Workers start with the second block, not once there was work for a second."""
    monkeypatch.setattr(perturb_file, "_ALONE", (0, 0))


@KINDS
@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "csv"])
@pytest.mark.slow
def test_the_manifest_says_what_the_files_are(tmp_path, steps, ending) -> None:
    """A thread hashes files beside the work on them."""
    sources = [tmp_path / f"{name}.jsonl" for name in ("first", "second")]
    for at, source in enumerate(sources):
        rows = ({"text": "some words " * (1 + number % 90), "at": at} for number in range(9000))
        source.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    said = []
    for workers in (1, 2, 3):
        target = tmp_path / f"{workers}.{ending}"
        job = job_of(steps)
        perturb_file.perturb_file([*map(str, sources)], str(target), job, workers=workers)
        manifest = json.loads(Path(f"{target}.manifest.json").read_bytes())
        assert manifest["output"]["sha256"] == sha256(target.read_bytes()).hexdigest()
        said.append([manifest["input"], manifest["output"]["sha256"]])
    assert said == said[:1] * 3
    whole = json.dumps(said[0][0])
    assert all(sha256(source.read_bytes()).hexdigest() in whole for source in sources)


@pytest.mark.slow
def test_an_error_is_told_while_a_file_is_hashed(tmp_path) -> None:
    """Also where a compressor writes its rest when the output is given up."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl.gz"
    source.write_bytes(b'{"text":"some words"}\n' * 90_000 + b"no row\n")
    with pytest.raises(DataError, match=r"in\.jsonl:90001: not JSON"):
        perturb_file.perturb_file(str(source), str(target), job_of(TYPOS), workers=2)
    assert [*tmp_path.iterdir()] == [source]


CHAT = {"messages": [{"role": "user", "content": "Some words."}]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "options"),
    [
        ({"text": "Some words."}, {}),
        ({"id": 1, "text": "Some words."}, {"lean": True}),
        ({"text": "Some wörds, 言葉."}, {"replicates": 2}),
        ({"text": "Some words.", "x": 1e999}, {}),
        (CHAT, {"field": "messages[0].content"}),
    ],
)
def test_all_that_a_block_needed_goes_with_it(row, options) -> None:
    """Without the garbage collector, which runs rarely while a file is perturbed."""
    rows = ({**row, **({"id": n} if "id" in row else {"at": n})} for n in range(200))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    job = job_of(TYPOS, **options)
    perturb_block(job, True, 1, lines)  # reads tables
    gc.collect()
    gc.disable()
    try:
        perturb_block(job, True, 1, lines)
        assert gc.collect() == 0
    finally:
        gc.enable()


@KINDS
@pytest.mark.slow
def test_much_may_come_of_a_small_block(steps) -> None:
    """More than its place holds."""
    job = job_of(steps, replicates=40)
    blocks = blocks_of([120_000, 10, 120_000])
    made = written(job, blocks, 2)
    assert len(made[0]) > LARGE
    assert made == written(job, blocks, 1)


@KINDS
@pytest.mark.slow
def test_blocks_are_asked_for_as_they_are_wanted(steps) -> None:
    """However long the input, only so many blocks are held at a time."""
    asked = []
    blocks = (asked.append(number) or (number, lines) for number, lines in blocks_of([10] * 100))
    made = perturb_blocks(job_of(steps), blocks, stop_at_bad=True, workers=2)
    held = [len(asked) - taken for taken, _ in enumerate(made, 1)]
    assert max(held) < 10
    assert len(held) == 100


@KINDS
def test_a_small_file_needs_no_workers(monkeypatch, steps) -> None:
    """What takes less than a second is worked on where it was read."""
    monkeypatch.undo()  # so that workers start when they do
    monkeypatch.setattr(perturb_file, "_by_threads", None)
    monkeypatch.setitem(sys.modules, "perturb.stream.workers", None)
    assert len(written(job_of(steps), blocks_of([10] * 3), 2)) == 3


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system has no masks")
def test_ctrl_c_waits_while_a_worker_starts(monkeypatch) -> None:
    """Until the worker has said that it leaves it to the parent; then the parent takes it again."""

    def held_back() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    kind = multiprocessing.get_context("fork" if sys.platform == "linux" else None).Process
    begin = kind.start

    def noted(process) -> None:
        started.append(held_back())
        begin(process)

    started: list[bool] = []
    monkeypatch.setattr(kind, "start", noted)
    written(job_of("word_swap"), blocks_of([10] * 4), 2)
    assert started == [True, True]
    assert not held_back()


@KINDS
@pytest.mark.slow
def test_what_is_wrong_in_a_worker_is_raised_with_its_place(steps) -> None:
    """As it would be raised here, with where it happened."""
    blocks = [*blocks_of([10]), ("no number", b"{}\n\n")]
    with pytest.raises(TypeError) as caught:
        written(job_of(steps), blocks, 2)
    there = "".join(traceback.format_exception(caught.value))
    assert "in perturb_lines" in there


@KINDS
@pytest.mark.slow
def test_counts_come_with_the_bytes(steps) -> None:
    """What is told of the blocks adds up to the same."""
    job = job_of(steps)

    def told(workers) -> list[Any]:
        made: list[Block] = list(
            perturb_blocks(job, iter(blocks_of(range(50))), stop_at_bad=True, workers=workers)
        )
        return [block.counts.to_dict() for block in made]

    assert told(2) == told(1)


@pytest.mark.parametrize("library", [binding.LIBRARY, None])
def test_a_list_gets_no_item_more(monkeypatch, library):
    """From a step that writes lines, with kernels and without."""
    monkeypatch.setattr(binding, "LIBRARY", library)
    lines = b'{"id":"a","text":["one two","three four"]}\n{"id":"b","text":"five"}\n'
    made = perturb_block(job_of("duplicate:p=1"), False, 1, lines)
    assert [bad.number for bad in made.bad] == [1]
    assert b"five five" in made.data
