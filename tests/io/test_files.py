"""Files are read in blocks of whole lines, and appear under their names only when whole."""

import contextlib
import gzip
import hashlib
import os

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import DataError
from perturb.io import files, outputs
from perturb.io.files import InputFile
from perturb.io.inputs import Inputs, open_input
from perturb.io.outputs import writing


@pytest.mark.slow
@given(data=st.binary() | st.lists(st.sampled_from([b"\n", b"ab", b""])).map(b"".join),
       size=st.integers(1, 9), end=st.sampled_from(["", ".gz", ".GZ", ".zst"]))  # fmt: skip
def test_blocks_are_the_file(tmp_path_factory, data, size, end):
    """Whatever the size of a read, the blocks are whole lines, numbered, and make up the file."""
    path = tmp_path_factory.mktemp("blocks") / f"in{end}"
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[end.lower()]
    path.write_bytes(pack(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", size)
        patch.setattr(files, "_COMPRESSED_BLOCK", size)
        source = InputFile(str(path))
        blocks = list(source.blocks())
        source.close()
    assert b"".join(block for _, block in blocks) == data
    for n, (first, block) in enumerate(blocks):
        assert block
        assert first == 1 + sum(before.count(b"\n") for _, before in blocks[:n])
        assert block.endswith(b"\n") or n == len(blocks) - 1
    assert source.digest.hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()
    assert source.digest.size == path.stat().st_size


@pytest.mark.parametrize("end", ["", ".gz", ".zst"])
def test_blocks_are_as_large_where_they_were_compressed(tmp_path, end):
    """Whose libraries give some KB at a time."""
    path = tmp_path / f"in{end}"
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[end]
    path.write_bytes(pack(b"".join(b"a line, %d\n" % n for n in range(100_000))))
    source = InputFile(str(path))
    *blocks, _ = (len(block) for _, block in source.blocks())
    source.close()
    assert blocks
    assert min(blocks) > 0.99 * files.BLOCK


@pytest.mark.skipif(files.fcntl is None, reason="pipes have one size")
def test_a_pipe_holds_a_block():
    """So that one is there when it is asked for, and no smaller one, as fast as rows may come."""
    end, start = os.pipe()
    os.set_blocking(start, False)
    with os.fdopen(end, "rb") as pipe, os.fdopen(start, "wb", buffering=0) as rows:
        files.widen(pipe)
        assert rows.write(bytes(files.BLOCK)) == files.BLOCK
        assert len(pipe.read1(files.BLOCK)) == files.BLOCK


@pytest.mark.parametrize("end", ["gz", "zst"])
def test_every_cut_of_a_compressed_file_is_seen(tmp_path, end):
    """A file that lost any number of bytes at its end is damaged, not shorter."""
    pack = {"gz": gzip.compress, "zst": zstandard.compress}[end]
    whole = pack(b"a line\n" * 9)
    path = tmp_path / f"in.{end}"
    for length in range(1, len(whole)):
        path.write_bytes(whole[:length])
        source = InputFile(str(path))
        with pytest.raises(DataError, match=r"damaged|Not a gzipped"):
            list(source.blocks())
        source.close()


@pytest.mark.parametrize("name", ["out", "out.gz", "out.zst"])
def test_a_file_appears_when_it_is_whole(tmp_path, name):
    """Until then its name is free, or what stood there before stands there."""
    path = tmp_path / name
    for content in (b"first", b"second"):
        before = path.read_bytes() if path.exists() else None
        with writing(str(path)) as (file, digest):
            file.write(content)
            assert (path.read_bytes() if path.exists() else None) == before
        assert digest.hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()
        assert digest.size == path.stat().st_size
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["out", "out.gz", "out.zst"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, DataError])
def test_a_failure_leaves_nothing(tmp_path, name, error):
    """Whatever goes wrong while a file is written, no part of it stays."""

    def fail():
        with writing(str(tmp_path / name)) as (file, _):
            file.write(b"half")
            raise error("stop")

    with pytest.raises(error):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_is_written_is_sent_to_the_disk_on_the_way(tmp_path, monkeypatch):
    """Each part once, and the file is the same."""
    sent = []
    monkeypatch.setattr(outputs, "_SENT", 10)
    monkeypatch.setattr(os, "POSIX_FADV_DONTNEED", 4, raising=False)
    monkeypatch.setattr(
        os, "posix_fadvise", lambda _, start, size, how: sent.append((start, size)), raising=False
    )
    with writing(str(tmp_path / "out")) as (out, digest):
        for _ in range(5):
            out.write(b"12345678")
    assert sent == [(0, 16), (16, 16)]
    assert (tmp_path / "out").read_bytes() == b"12345678" * 5
    assert digest.hexdigest() == hashlib.sha256(b"12345678" * 5).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(
    "form", ["jsonl", "jsonl.gz", "jsonl.zst", "csv", "csv.gz", "tsv", "parquet"]
)
def test_a_row_that_is_too_long_is_told_in_every_format(tmp_path, form):
    """Of CSV over all lines of a field, as where a quote is left open."""
    path, text = tmp_path / f"in.{form}", "some words\n" * 200_000
    if form == "parquet":
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.table({"text": ["a", text]}), path)
    else:
        data = f'{{"text": "a"}}\n{{"text": "{text.replace(chr(10), " ")}"}}\n'
        if "jsonl" not in form:
            data = f'text\na\n"{text}'
        pack = {"gz": gzip.compress, "zst": zstandard.compress}.get(form.rpartition(".")[2], bytes)
        path.write_bytes(pack(data.encode()))
    number = 2 if form == "parquet" or "jsonl" in form else 3
    with pytest.raises(DataError, match=rf"in.{form}:{number}: .* longer than 1 MB.*--max-line"):
        read_all(path, 1 << 20)
    if form != "csv" and form != "csv.gz" and form != "tsv":  # there the quote is still open
        assert read_all(path, 1 << 22)


def read_all(path, max_line):
    with contextlib.closing(Inputs([str(path)], max_line=max_line)) as source:
        return list(source.rows())


def test_a_file_without_line_ends_is_told(tmp_path, monkeypatch):
    """Also where nobody says how long a line may be."""
    monkeypatch.setattr(files, "LONGEST", 1 << 20)
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"x" * (1 << 20))
    assert [len(lines) for _, lines in blocks_of(path)] == [1 << 20]
    path.write_bytes(b"{}\n" + b"x" * (1 << 22))
    with pytest.raises(DataError, match=r"in.jsonl:2: the line is longer than 1 MB, the limit"):
        blocks_of(path)


def blocks_of(path):
    with contextlib.closing(open_input(str(path))) as source:
        return list(source.blocks())


@pytest.mark.slow
def test_a_few_compressed_bytes_ask_for_little_memory(tmp_path):
    """64 MB of spaces are a line that is too long before they are all there."""
    path = tmp_path / "in.jsonl.zst"
    path.write_bytes(zstandard.compress(b" " * (1 << 26)))
    with contextlib.closing(InputFile(str(path), 1 << 20)) as source:
        with pytest.raises(DataError, match="longer"):
            list(source.blocks())
        assert source.digest.size <= 2 * files._COMPRESSED_BLOCK
