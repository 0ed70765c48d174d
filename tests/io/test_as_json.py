"""Files that are read as JSON: YAML, and logs of Inspect."""

import json
import sys
import zipfile

import pytest
from lines import rows_in

from perturb.cli import main

YAML = """\
# how a model is asked
prompts: ["{{question}}"]
since: 2026-01-02
tests:
  - vars: &first
      question: How many eggs do the hens lay?
    assert: [{type: contains, value: "16"}]
    weight: .inf
  - vars:
      question: How many hens?
"""
PLAIN = YAML.replace(" &first", "")
ZSTANDARD = 93
SAMPLES = [
    {"id": n, "epoch": 1, "input": f"How many eggs do {n} hens lay?", "target": str(n)}
    for n in range(1, 5)
]
HEADER = {"version": 2, "eval": {"task": "eggs"}, "status": "success"}


@pytest.fixture
def zstandard(monkeypatch):
    """`zipfile` writes Zstandard too, as Inspect's own copy of it does."""
    library = pytest.importorskip("zstandard")
    if sys.version_info < (3, 14):
        usual = zipfile._get_compressor
        monkeypatch.setattr(zipfile, "_check_compression", lambda _: None)
        monkeypatch.setattr(
            zipfile,
            "_get_compressor",
            lambda kind, level=None: (
                library.ZstdCompressor().compressobj() if kind == ZSTANDARD else usual(kind, level)
            ),
        )
    return library


def log(path, kind=zipfile.ZIP_DEFLATED, head="header.json", samples=SAMPLES):
    with zipfile.ZipFile(path, "w", kind) as archive:
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}/x_epoch_1.json", json.dumps(sample, indent=1))
        archive.writestr("summaries.json", "[]")
        archive.writestr(head, json.dumps(HEADER, indent=1) + "\n")
    return path


STEP = ["apply", "keyboard_typos", "-p", "0.3", "--shape"]


@pytest.mark.parametrize("name", ["config.yaml", "config.yml", "CONFIG.YAML"])
def test_the_tests_of_promptfoo(name, tmp_path) -> None:
    source, out, nested = tmp_path / name, tmp_path / "out.jsonl", tmp_path / "out.json"
    source.write_text("\ufeff" + PLAIN, "utf-8")
    words = [*STEP, "promptfoo", "-i", str(source), "-o"]
    for extra, path in (([], out), (["--nested"], nested)):
        assert main([*words, str(path), *extra]) == 0
        assert main(["verify", str(path), "-i", str(source)]) == 0
    made = json.loads(nested.read_text("utf-8"))
    questions = [row["vars"]["question"] for row in rows_in(out)]
    assert [test["vars"]["question"] for test in made["tests"]] == questions
    assert (made["prompts"], made["since"]) == (["{{question}}"], "2026-01-02")
    assert "hens?" not in questions[1]


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, ZSTANDARD])
@pytest.mark.parametrize("head", ["header.json", "_journal/start.json"])
def test_a_log_of_inspect(kind, head, tmp_path, zstandard) -> None:
    """One that was stopped has the beginning of its header alone."""
    source, out, nested = log(tmp_path / "in.eval", kind, head), tmp_path / "o", tmp_path / "n.json"
    words = [*STEP, "inspect", "-i", str(source), "-o"]
    for extra, path in (([], out), (["--nested"], nested)):
        assert main([*words, str(path), *extra]) == 0
        assert main(["verify", str(path), "-i", str(source)]) == 0
    inputs = [row["input"] for row in rows_in(out)]
    assert len(inputs) == 4
    made = json.loads(nested.read_text("utf-8"))
    assert [sample["input"] for sample in made["samples"]] == inputs
    assert made == {**HEADER, "samples": made["samples"]}
    plain = tmp_path / "in.json"
    plain.write_text(json.dumps({**HEADER, "samples": SAMPLES}))
    assert main([*STEP, "inspect", "-i", str(plain), "-o", str(tmp_path / "p")]) == 0
    assert rows_in(tmp_path / "p") == rows_in(out)


def test_a_log_without_samples(tmp_path, capfd) -> None:
    source = log(tmp_path / "in.eval", samples=[])
    assert main([*STEP, "inspect", "-i", str(source)]) == 0
    assert "has no rows" in capfd.readouterr().err


def test_scores_of_a_log_are_read(tmp_path, capfd) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(f'{{"id": {n}, "text": "How many eggs are {n}?"}}\n' for n in range(9)))
    out = tmp_path / "out.jsonl"
    assert main(["apply", "case", "--with-original", "-i", str(rows), "-o", str(out)]) == 0
    samples = [
        {"id": n, "metadata": row, "score": float("eggs" in row["text"])}
        for n, row in enumerate(rows_in(out))
    ]
    source = log(tmp_path / "in.eval", samples=samples)
    assert main(["score", str(source), "--rows", "samples[*].metadata", "--score", "^.score"]) == 0
    assert "9 originals" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.yaml", YAML.replace("- vars:\n", "- vars: *first\n", 1).encode(), "isn't YAML"),
        ("a.yaml", YAML.encode() + b"  - vars: *first\n", "an alias, *NAME, isn't read"),
        ("a.yaml", b"a: [", "a.yaml: it isn't YAML"),
        ("a.yaml", b"a: \xff", "can't decode byte 0xff"),
        ("a.yaml", b"- a\n- b\n", "expected an object that holds 'tests[*]'"),
        ("a.yaml", b"? [1]\n: 2\n", "a.yaml: it isn't YAML"),
        ("a.yaml", b"a: !!set {b}\n", "can't be written as JSON"),
        ("a.eval", b"{}", "not a whole log of Inspect: File is not a zip file"),
    ],
)
def test_others_are_refused(name, content, message, tmp_path, capfd) -> None:
    source = tmp_path / name
    source.write_bytes(content)
    assert main([*STEP, "promptfoo", "-i", str(source)]) == 1
    assert message in capfd.readouterr().err


def test_a_damaged_log_is_refused(tmp_path, zstandard, monkeypatch, capfd) -> None:
    source = log(tmp_path / "in.eval", ZSTANDARD)
    whole = source.read_bytes()
    words = [*STEP, "inspect", "-i", str(source)]
    for at in (60, 90):
        source.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        assert main(words) == 1
        assert "in.eval: not a whole log of Inspect: " in capfd.readouterr().err
    source.write_bytes(whole[:-30])
    assert main(words) == 1
    log(source, samples=[{**SAMPLES[0], "long": "x" * (2 << 20)}])
    assert main([*words, "--max-line", "1"]) == 1
    assert "has 2 MB; perturb apply --max-line MB allows more" in capfd.readouterr().err
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("other.json", "{}")
    assert main(words) == 1
    assert "not a whole log of Inspect: '_journal/start.json'" in capfd.readouterr().err


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="zipfile reads it by itself")
def test_the_extra_is_named(tmp_path, zstandard, monkeypatch, capfd) -> None:
    source = log(tmp_path / "in.eval", ZSTANDARD)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert main([*STEP, "inspect", "-i", str(source)]) == 2
    assert "[zstd]" in capfd.readouterr().err


def test_they_are_read_and_not_written(tmp_path, capfd) -> None:
    """Beside rows in a folder they are configurations and logs, not rows."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "config.yaml").write_text(PLAIN)
    (folder / "rows.jsonl").write_text('{"text": "How many eggs?"}\n')
    assert main(["apply", "case", "-i", str(folder), "-o", str(tmp_path / "out.jsonl")]) == 0
    assert len(rows_in(tmp_path / "out.jsonl")) == 1
    source = str(folder / "config.yaml")
    for name in ("out.yaml", "out.eval"):
        assert main([*STEP, "promptfoo", "-i", source, "-o", str(tmp_path / name)]) == 2
        assert "name the output FILE.json" in capfd.readouterr().err
