"""The bytes of a row depend on the row and the call alone."""

import gzip
import json

import pytest
import zstandard

CALL = ("apply", "keyboard_typos", "word_swap", "-p", "0.1", "--field", "question")


@pytest.fixture(scope="module")
def many(questions, tmp_path_factory):
    """Rows enough for many blocks, so that several processes have something to do."""
    rows = [json.loads(line) for line in questions.read_bytes().splitlines()]
    path = tmp_path_factory.mktemp("many") / "many.jsonl"
    with path.open("w") as file:
        for n in range(40):
            for row in rows:
                file.write(json.dumps(row | {"id": f"{row['id']}-{n}"}, ensure_ascii=False) + "\n")
    assert path.stat().st_size > 600_000
    return path


@pytest.fixture
def plain(perturb, questions):
    """What the examples give."""
    return perturb(*CALL, "-i", questions).out


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(perturb, many):
    """One, two and three processes write the same rows in the same order."""
    outs = {perturb(*CALL, "-i", many, "--workers", n).out for n in (1, 2, 3)}
    assert len(outs) == 1
    assert outs.pop().count(b"\n") == 4000


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_bad_line_stops_any_number_of_workers_at_the_same_row(perturb, many, workers):
    """What stands before the bad line is written, and nothing after it."""
    lines = many.read_bytes().splitlines(keepends=True)
    lines[2500] = b"{\n"
    done = perturb(*CALL, "--workers", workers, stdin=b"".join(lines))
    assert done.status == 1
    assert done.message.startswith("standard input:2501: ")
    assert len(done.rows) == 2500


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers_skips_the_same_lines(perturb, many, tmp_path, workers):
    """The bad lines are kept in order, too."""
    lines = many.read_bytes().splitlines(keepends=True)
    for n in (3, 1500, 1501, 3999):
        lines[n] = b"%d\n" % n
    kept = tmp_path / "bad"
    done = perturb(*CALL, "--workers", workers, "--bad-lines", kept, stdin=b"".join(lines))
    assert len(done.rows) == 3996
    assert kept.read_bytes() == b"3\n1500\n1501\n3999\n"
    assert done.message == "left out 4 bad lines of standard input"


def test_the_order_of_rows_changes_none_of_them(perturb, questions, plain):
    """Turned round or interleaved, each row comes out with the same bytes."""
    lines = questions.read_bytes().splitlines(keepends=True)
    made = plain.splitlines(keepends=True)
    for order in (slice(None, None, -1), slice(1, None, 3)):
        assert perturb(*CALL, stdin=b"".join(lines[order])).out == b"".join(made[order])


def test_shards_together_are_the_whole(perturb, questions, plain):
    """The outputs of the pieces of a file are the pieces of its output."""
    lines = questions.read_bytes().splitlines(keepends=True)
    shards = [lines[:7], lines[7:8], lines[8:60], lines[60:]]
    assert b"".join(perturb(*CALL, stdin=b"".join(shard)).out for shard in shards) == plain


@pytest.mark.slow
def test_compressed_files_hold_the_same(perturb, questions, plain, tmp_path):
    """A name that ends in .gz or .zst is compressed, at either end."""
    data = questions.read_bytes()
    half = len(data) // 2
    pack = {
        "gz": gzip.compress,
        "zst": zstandard.ZstdCompressor().compress,
    }
    unpack = {
        "gz": gzip.decompress,
        "zst": lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed),
    }
    for end, other in (("gz", "zst"), ("zst", "gz")):
        given = tmp_path / f"in.jsonl.{end}"
        given.write_bytes(pack[end](data[:half]) + pack[end](b"") + pack[end](data[half:]))
        assert perturb(*CALL, "-i", given).out == plain
        out = tmp_path / f"out.jsonl.{other}"
        assert perturb(*CALL, "-i", given, "-o", out).status == 0
        assert unpack[other](out.read_bytes()) == plain
        assert perturb("verify", out).status == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\n\n \t\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\xef\xbb\xbf\n" + data,
        lambda data: data.removesuffix(b"\n"),
        lambda data: data.replace(b"\n", b" \n"),
    ],
    ids=["crlf", "blank lines", "bom", "bom alone", "no end", "spaces"],
)
def test_what_stands_around_the_rows_does_not_matter(perturb, questions, plain, change):
    """Line ends, blank lines, a byte order mark and a missing last line end change no row."""
    given = change(questions.read_bytes())
    done = perturb(*CALL, stdin=given)
    assert done.status == 0, done.err
    assert done.out == (plain.replace(b"\n", b"\r\n") if b"\r" in given else plain)


def test_nothing_comes_of_nothing(perturb, tmp_path):
    """An empty input gives an empty output, which can be checked."""
    out = tmp_path / "out.jsonl"
    assert perturb(*CALL, "-o", out, stdin=b"").status == 0
    assert out.read_bytes() == b""
    assert perturb("verify", out).status == 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_one_line_of_several_megabytes(perturb, workers):
    """A line longer than any block is a row like others, and counted as one line."""
    row = {"id": "long", "question": "A river runs to the sea. " * 40_000, "more": "x" * 2_000_000}
    lines = [b'{"id": "a", "question": "short one"}', json.dumps(row).encode(), b"no"]
    done = perturb(
        *("apply", "keyboard_typos", "-p", 0.001, "--field", "question", "--workers", workers),
        stdin=b"\n".join(lines),
    )
    assert done.message.startswith("standard input:3: ")
    _, made = done.rows
    assert made["more"] == row["more"]
    assert made["perturbation"]["original"] == row["question"]
    assert made["perturbation"]["edits"].count("|") in (1000, 1001)
