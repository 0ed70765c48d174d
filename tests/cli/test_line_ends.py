"""What ends the first line of a file ends all lines of the output, in the formats of text."""

import gzip
import json

import pytest

ROWS = [{"id": str(n), "text": f"some plain words, of number {n}"} for n in range(3)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
FILES = {
    "in.jsonl": LINES,
    "lines.json": LINES,
    "array.json": json.dumps(ROWS, indent=1),
    "in.txt": "A first line.\n\nAnd a third one.\n",
    "in.conll": "-DOCSTART- O\n\nAda B-PER\nlived O\n\nLondon B-LOC\n\n",
    "in.csv": "id,text\n0,some plain words\n",
    "in.jsonl.gz": LINES,
}
PLAIN = ("apply", "case", "-p", "0.5")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", FILES)
def test_crlf_stays_crlf(perturb, tmp_path, name, workers):
    """And the rest is what it is with the other end."""
    written = {}
    for end in ("\n", "\r\n"):
        (tmp_path / repr(end)).mkdir()
        given, out = (tmp_path / repr(end) / each for each in (name, f"out-{name}"))
        data = FILES[name].replace("\n", end).encode()
        given.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        field = ("--field", "tokens") if name == "in.conll" else ()
        call = (*PLAIN, *field, given, "-o", out, "--workers", workers)
        assert perturb(*call).status == 0
        made = out.read_bytes()
        written[end] = gzip.decompress(made) if name.endswith(".gz") else made
        if b"perturbation" in written[end]:
            assert perturb("verify", out, "-i", given).status == 0
            back = tmp_path / repr(end) / f"back-{name}"
            assert perturb("restore", out, "-o", back).status == 0
            if "json" not in name:
                assert back.read_bytes() == data
            elif not name.endswith(".gz"):
                assert (b"\r\n" in back.read_bytes()) == (end == "\r\n")
    assert written["\r\n"] == written["\n"].replace(b"\n", b"\r\n")
    assert b"\r" not in written["\n"]


def test_another_format_has_its_own(perturb, tmp_path):
    """As it has its own delimiter."""
    given, out = tmp_path / "in.jsonl", tmp_path / "out.json"
    given.write_bytes(LINES.replace("\n", "\r\n").encode())
    assert perturb(*PLAIN, given, "-o", out).status == 0
    assert b"\r" not in out.read_bytes()


def test_the_first_line_decides_and_a_last_without_end_gets_one(perturb, tmp_path):
    given, out = tmp_path / "in.txt", tmp_path / "out.txt"
    given.write_bytes(b"one\r\ntwo\nthree")
    assert perturb("apply", "identity", given, "-o", out).status == 0
    assert out.read_bytes() == b"one\r\ntwo\r\nthree\r\n"
