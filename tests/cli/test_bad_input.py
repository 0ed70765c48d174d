"""Whatever is wrong is said in one line: what, where, and what to do; nothing is half written."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

KEYBOARD = ("apply", "keyboard_typos", "-p", "0.1")
GOOD = b'{"id": 1, "text": "a few good words"}\n'
HUGE = b"9" * 5000
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and /proc")

BAD_LINES = {
    "broken": (b'{"text": "a,', "not JSON: Unterminated string"),
    "an array's first line": (b"[", "the line begins a JSON array and doesn't end it, but a row "),
    "an object's first line": (b"{", "objects over several lines, FILE.json"),
    "cut off": (b'{"text": "a",', "the line begins a JSON object and doesn't end it"),
    "two values": (b'{"text": "a"} {"text": "b"}', "not JSON: Extra data at character 15"),
    "control character": (b'{"text": "a\x00b"}', "not JSON: Invalid control character"),
    "number": (b"5", "a row is a JSON object; got the number 5"),
    "list": (b'["a"]', "a row is a JSON object; got a list"),
    "null": (b"null", "a row is a JSON object; got null"),
    "string": (b'"text"', "a row is a JSON object; got a string"),
    "missing": (b'{"txt": "a", "id": 2}', "no field 'text': did you mean txt?"),
    "others": (b'{"context": "a"}', "no field 'text': known: context; say"),
    "empty": (b"{}", "no field 'text'"),
    "no string": (
        b'{"text": 5}',
        "the field 'text' must be a string or a list of strings; got the number 5",
    ),
    "null text": (
        b'{"text": null}',
        "the field 'text' must be a string or a list of strings; got null",
    ),
    "object text": (
        b'{"text": {}}',
        "the field 'text' must be a string or a list of strings; got an object",
    ),
    "utf-8": (b'{"text": "caf\xe9"}', "not UTF-8: byte 14 of the line; save it as UTF-8"),
    "surrogate bytes": (b'{"text": "\xed\xa0\x80"}', "not UTF-8: byte 11 of the line"),
    "utf-16": ('{"text": "a"}'.encode("utf-16"), "not UTF-8: byte 1 of the line"),
    "utf-16 without mark": ('{"text": "a"}'.encode("utf-16-le"), "not JSON: "),
    "deep": (b'{"text": "a", "x": ' + b"[" * 10**5 + b"]" * 10**5 + b"}", "nested too deeply"),
    "digits": (b'{"text": "a", "id": ' + HUGE + b"}", "an id is a string or a whole number"),
    "id": (b'{"text": "a", "id": 1.5}', "the field 'id': an id is a string or a whole number"),
    "id list": (b'{"text": "a", "id": []}', "the field 'id': an id is a string or a whole number"),
    "perturbed": (b'{"text": "a", "perturbation": {}}', "the row has a 'perturbation' already"),
}


@pytest.mark.parametrize(
    ("name", "workers"), [*((name, 1) for name in BAD_LINES), ("broken", 2), ("deep", 2)]
)
def test_a_bad_line_is_named(perturb, jsonl, tmp_path, name, workers):
    """File, line, what is wrong and what to do; no output, no part of one, no manifest."""
    line, message = BAD_LINES[name]
    given = jsonl("in.jsonl", GOOD.strip(), b"", line)
    done = perturb(*KEYBOARD, "-i", given, "-o", tmp_path / "out.jsonl", "--workers", workers)
    assert done.status == 1
    assert done.out == b""
    assert done.message.startswith(f"{given}:3: ")
    assert message in done.message
    assert done.message.endswith("(--bad-lines skip|FILE goes on without such lines)")
    assert list(tmp_path.iterdir()) == [given]


@pytest.mark.parametrize(
    ("path", "row", "message"),
    [
        ("a.b", {"a": {"c": 1}}, "no field 'a.b': there is no 'b'; known: c"),
        ("a.b", {"a": "text"}, "the field 'a.b': can't find 'b' in 'text'"),
        ("a[0]", {"a": {}}, "the field 'a[0]': expected a list for [0]; got {}"),
        ("a[*]", {"a": "text"}, "the field 'a[*]': expected a list for [*]; got 'text'"),
        ("a[3]", {"a": ["text"]}, "no field 'a[3]': the list has only 1 such items"),
        ("a[*]", {"a": ["text", 5]}, "the field 'a[1]' must be a string or a list of strings; got"),
    ],
)
def test_a_path_that_leads_nowhere(perturb, path, row, message):
    """The message says how far the path led, and what is there."""
    done = perturb(*KEYBOARD, "--field", path, stdin=json.dumps(row).encode())
    assert done.status == 1
    assert done.message.startswith("standard input:1: ")
    assert message in done.message


SPANS = {
    "outside": ([[0, 99]], "the span [0, 99] in 's' does not lie in its text, of 9 code points"),
    "before": ([[-1, 2]], "the span [-1, 2] in 's' does not lie in its text"),
    "turned": ([[3, 2]], "the span [3, 2] in 's' does not lie in its text"),
    "no list": ("0-3", "the field 's' must be a list of spans; got a string"),
    "no span": (["0-3"], "a span is written [start, end]"),
    "one end": ([[1]], "a span is written [start, end]"),
    "floats": ([[0.0, 1.0]], "a span is written [start, end]"),
    "no end": ([{"start": 1}], "a span is written [start, end]"),
}


@pytest.mark.parametrize("name", SPANS)
@pytest.mark.parametrize("option", [("--spans", "s"), ("--protect", "field:s")])
def test_spans_that_are_none(perturb, name, option):
    """Spans that can't be, or lie outside of their text, are named with their line."""
    spans, message = SPANS[name]
    row = json.dumps({"text": "some text", "s": spans}).encode()
    done = perturb(*KEYBOARD, *option, stdin=row)
    assert done.status == 1
    assert done.message.startswith("standard input:1: ")
    assert message in done.message


def test_spans_of_several_texts(perturb):
    """Spans are of one text: that at the same places of lists, or the one that is named."""
    row = json.dumps({"text": "ab", "t": ["a", "b"], "s": [[0, 1]], "u": []}).encode()
    done = perturb(*KEYBOARD, "--field", "t[*]", "--spans", "s", stdin=row)
    assert (done.status, "may be of t[0] or t[1]: name it, as in TEXT=s" in done.message) == (
        1,
        True,
    )
    done = perturb(*KEYBOARD, "--field", "u[*]", "--spans", "s", stdin=row)
    assert (done.status, "have no text of this row" in done.message) == (1, True)


CALLS = {
    "p": (["keyboard_typos", "-p", "1.5"], "p must be in [0, 1]; got 1.5; for 1.5 % write p=0.015"),
    "negative p": (["keyboard_typos", "-p", "-0.1"], "p must be in [0, 1]; got -0.1"),
    "p nan": (["keyboard_typos", "-p", "nan"], "p must be a number in [0, 1]; got nan"),
    "p abc": (["keyboard_typos", "-p", "abc"], "argument -p: must be a share of units from 0 to 1, such as 0.1 for 10 %; got 'abc'"),
    "step p": (["keyboard_typos:p=abc"], "p must be a number in [0, 1]; got 'abc'"),
    "count": (["keyboard_typos:count=1.5"], "count must be a whole number; got 1.5"),
    "name": (["keyboard_typo"], "unknown perturbator 'keyboard_typo': did you mean keyboard_typos"),
    "far name": (["qqq"], "unknown perturbator 'qqq': perturb list shows all"),
    "short name": (["kb"], "unknown perturbator 'kb': did you mean keyboard_typos?"),
    "library": (["textattack.X"], "unknown library 'textattack': known: helm, langtest, nlaugmenter, "
        "nlpaug, weave; docs/migration lists the names"),
    "page": (["textattack.X"], "docs/migration"),
    "strength": (["ocr=0.1"], "'ocr=0.1' isn't a step; write a setting after its step, as in ocr:p=0.1"),
    "dash": (["ocr", "–p", "0.1"], "'–p' begins with '–', a typographic dash; write the option with "
        "hyphens: -p"),
    "decimal comma": (["ocr", "-p", "0,05"], "write decimals with a point, as in 0.05"),
    "qwertz": (["keyboard_typos:layout=qwertz"], "these letters are on ch, cz, de,"),
    "no name": ([":p=1"], "unknown perturbator ''"),
    "parameter": (["keyboard_typos:layot=us"], "keyboard_typos has no parameter 'layot'; did "
        "you mean layout"),
    "value": (["keyboard_typos:layout=5"], "layout must be a string; got 5"),
    "layout": (["keyboard_typos:layout=uss"], "layout 'uss'"),
    "spec": (["keyboard_typos:p"], "can't read 'p' in the step 'keyboard_typos:p'"),
    "quotes": (['keyboard_typos:layout="us'], ""),
    "both": (["keyboard_typos:p=0.1", "-p", "0.2"], "give p once; got 0.1 and 0.2"),
    "useless p": (["ocr:p=0.1", "case:p=0.2", "-p", "0.2"], "every step already has a strength"),
    "p and intensity": (["ocr", "-p", "0.3", "--intensity", "low"], "give one of p and intensity"),
    "intensity": (["ocr", "--intensity", "huge"], "intensity must be one of very_low"),
    "no steps": ([], "no steps are given; for example: perturb apply keyboard_typos -p 0.05 ("),
    "file alone": (["x y.csv"], "no steps are given for 'x y.csv'; for example: "
        "perturb apply keyboard_typos -p 0.05 'x y.csv' (perturb list"),
    "folder": ([str(Path(__file__).parent)], "is a folder, not a step; read it with -i "),
    "text file": (["ocr", __file__], "can't tell the format of"),
    "version": (["ocr@0.1"], "write a strength after a colon, as in ocr:p=0.1"),
    "text": (["ocr", "The quick fox"], "'The quick fox' isn't a step; give a text with --text"),
    "bare strength": (["ocr", "0.1"], "'0.1' isn't a step; write a strength as in ocr:p=0.1"),
    "percent": (["ocr", "-p", "10%"], "must be a share of units from 0 to 1, such as 0.1"),
    "word p": (["ocr", "--p", "0.1"], "perturb apply has no option --p: give a strength as -p"),
    "comma": (["ocr,case"], "'ocr,case' isn't a step; separate steps by spaces"),
    "call": (["ocr(p=0.1)"], "unknown combinator 'ocr': known: grid, one_of, some_of, sometimes; "
        "the settings of a step follow a colon, as in ocr:p=0.1"),
    "severity": (["ocr", "--severity", "high"], "from 1 to 5; give words such as low to --intensity"),
    "rate": (["ocr:rate=0.1"], "ocr has no parameter 'rate'; did you mean p?"),
    "word": (["ocr", "--protect", "NASA"], "a word of the text is protected by word:NASA"),
    "steps and config": (["ocr", "--config", "x"], "steps are given twice, as ocr and in --config x"),
    "no config": (["--config", "missing.yaml"], "can't read the file missing.yaml: No such"),
    "same steps": (["ocr", "ocr", "--grid"], "two conditions have the same label; name them, as in LABEL=STEPS; got ocr, ocr"),
    "workers": (["ocr", "--workers", "0"], "--workers must be from 1 to 256; got 0"),
    "replicates": (["ocr", "--replicates", "0"], "replicates must be at least 1; got 0"),
    "seed": (["ocr", "--seed", "x"], "argument --seed: must be a whole number; got 'x'"),
    "field": (["ocr", "--field", "a..b"], "can't read the field path 'a..b'"),
    "empty field": (["ocr", "--field", ""], "can't read the field path ''"),
    "spans": (["ocr", "--spans", "a["], "can't read the field path 'a['"),
    "policy": (["ocr", "--span-policy", "x"], "argument --span-policy: invalid choice: 'x'"),
    "protect": (["ocr", "--protect", "urls"], "unknown protection 'urls': did you mean url"),
    "pattern": (["ocr", "--protect", "regex:("], "the pattern '(' isn't a regular expression"),
    "only": (["ocr", "--only", "x"], "unknown protection 'x'"),
    "id is text": (["ocr", "--field", "id"], "the field 'id' names the rows, so it can't be a text"),
    "id is record": (["ocr", "--id-field", "perturbation"], "it can't be the linkage record too"),
    "option": (["ocr", "--zzz"], "unknown option --zzz of perturb apply: perturb apply --help lists all"),
    "step's option": (["ocr", "--min-edits", "2"], "--min-edits is a setting of a step; write it as NAME:min_edits=..."),
    "parameter as option": (["ocr", "--layout=de"], "--layout is a setting of a step; write it as human_typos:layout=..."),
    "near option": (["ocr", "--feild=text"], "unknown option --feild of perturb apply: did you mean --field"),
    "empty file": (["ocr", "--bad-lines", ""], "argument --bad-lines: the value is empty; is a shell variable unset?"),
    "empty step": (["ocr", ""], "the value is empty; is a shell variable unset?"),
    "end as value": (["ocr", "--workers=--"], "argument --workers: -- isn't a value"),
    "huge number": (["ocr", f"--workers={'9' * 20}"], "argument --workers: must fit into 64 bits"),
    "setting": (["ocr", "p=0.1"], "'p=0.1' isn't a step; write a setting after its step, as in ocr:p=0.1"),
    "no value": (["ocr", "-p"], "argument -p: expected one argument"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call(perturb, tmp_path, monkeypatch, name):
    """The call is refused before anything is read or written, with status 2."""
    arguments, message = CALLS[name]
    monkeypatch.chdir(tmp_path)
    done = perturb("apply", *arguments, "-o", "out.jsonl", stdin=GOOD)
    assert done.status == 2
    assert message in done.message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [
        *("", "5", "steps: []", "steps: [5]", "step: []", "{", "- ocr: 1", "a: b: c", "\t"),
        *("steps: [{name: ocr, q: 1}]", "steps: [{name: ocr, 1: 2}]", "- [ocr]"),
        "!!python/object:os.system {}",
    ],
)
def test_a_config_that_is_none(perturb, tmp_path, content):
    """The message names the file."""
    config = tmp_path / "steps.yaml"
    config.write_text(content)
    done = perturb("apply", "--config", config, stdin=GOOD)
    assert done.status == 2
    assert str(config) in done.message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["aply"], "unknown command 'aply': did you mean apply or play?"),
        (["--verbose", "list"], "unknown option --verbose of perturb: did you mean --version?"),
        (["test", "q", "--dry-run"], "unknown option --dry-run of perturb test: it is one of perturb run, score and 1 more"),
        (["test", "q", "--missing", "skip"], "unknown option --missing of perturb test: it is one of perturb apply"),
        (["show"], "the following arguments are required: NAME (see perturb show --help)"),
        (["show", "orc"], "unknown perturbator 'orc': did you mean ocr?"),
        (["show", "ocr:p=0.1"], "unknown perturbator 'ocr:p=0.1': did you mean ocr?"),
        (["score", "a", "--where", "x"], "--where takes FIELD=VALUE; got 'x'"),
        (["flips", "a", "-n", "-1"], "argument -n: must be a whole number >= 0; got '-1' "
         "(see perturb flips --help)"),
        (["flips", "a", "b"], "unexpected argument 'b' (see perturb flips --help)"),
        (["run", "a", "python:b.py:c"], "unexpected argument 'python:b.py:c'; a system to ask is "
         "--command python:b.py:c (see perturb run --help)"),
        (["list", "ocr", "typos"], "unexpected argument 'typos' (see perturb list --help)"),
        (["list", "--language", "german"], "language: 'german' isn't an ISO 639-1 language code: did you mean de?"),
        (["ocr", "x.jsonl"], "ocr is a step; put a command before it: perturb apply ocr, or perturb show ocr"),
        (["version"], "unknown command 'version': perturb --version prints the version"),
        (["-v"], "perturb has no option -v: perturb --version prints the version"),
        (["apply", "ocr", "--seed", "1", "--seed", "2"], "--seed is given twice, but takes one value "
         "(see perturb apply --help)"),
        (["verify"], "the following arguments are required: FILE (see perturb verify --help)"),
    ],
)  # fmt: skip
def test_a_wrong_command(perturb, arguments, message):
    """Other commands, too, refuse a wrong call in one line."""
    done = perturb(*arguments)
    assert (done.status, done.message) == (2, message)


@pytest.mark.slow
@pytest.mark.parametrize("command", [(*KEYBOARD, "-i"), ("verify",), ("diff",)])
def test_files_that_can_not_be_read(perturb, tmp_path, command):
    """A missing file, a directory, damaged and cut-off compression: each by its name."""
    empty = "has no _manifest.json" if command == ("verify",) else "has no file of rows"
    rows = b"".join(b'{"id": %d, "text": "word number %d"}\n' % (n, n * n) for n in range(5000))
    packed = {".gz": gzip.compress(rows, mtime=0), ".zst": zstandard.compress(rows)}
    files = {
        "missing.jsonl": (None, "No such file or directory"),
        "folder": (None, empty),
        "folder/../none/in.jsonl": (None, "No such file or directory"),
        "text.gz": (rows, "Not a gzipped file"),
        "text.zst": (rows, "the compressed data is damaged"),
        "damaged.gz": (packed[".gz"][:3000] + b"\0\0\0" + packed[".gz"][3003:], "damaged"),
        "damaged.zst": (packed[".zst"][:3000] + b"\0\0\0" + packed[".zst"][3003:], "damaged"),
        "last.gz": (packed[".gz"][:-1], "damaged"),
        "last.zst": (packed[".zst"][:-1], "damaged"),
        "checksum.gz": (packed[".gz"][:-6] + b"\0\0" + packed[".gz"][-4:], "CRC check failed"),
        "tail.gz": (packed[".gz"] + b"tail", "Not a gzipped file"),
        "nothing.gz": (b"", "the compressed data is damaged: the file is empty"),
        "nothing.zst": (b"", "the compressed data is damaged: the file is empty"),
        "tail.zst": (packed[".zst"] + b"tail", "the compressed data is damaged"),
    }
    (tmp_path / "folder").mkdir()
    for name, (content, message) in files.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        out = tmp_path / "out.jsonl"
        done = perturb(*command, path, *(("-o", out) if command[0] == "apply" else ()))
        if command[0] != "apply" and "perturb" in done.message:
            continue  # a row before the damage had no record
        assert done.status == 1, name
        assert str(path) in done.message
        assert message in done.message
        assert not list(tmp_path.glob("*out*"))


@on_linux
def test_an_input_that_fails_while_it_is_read(perturb, tmp_path):
    """An error of the device is said with the name of the file."""
    done = perturb(*KEYBOARD, "-i", "/proc/self/mem", "-o", tmp_path / "out.jsonl")
    assert done.status == 1
    assert done.message == "can't read /proc/self/mem: Input/output error"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all files")
def test_a_file_without_permission(perturb, jsonl):
    """Permission is said to be wanting."""
    path = jsonl("in.jsonl", GOOD.strip())
    path.chmod(0)
    done = perturb(*KEYBOARD, "-i", path)
    assert (done.status, done.message) == (1, f"can't read {path}: Permission denied")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("none/out.jsonl", "there is no folder {path.parent}; make it first"),
        ("in.jsonl/out.jsonl", "Not a directory"),
        ("x" * 300, "File name too long"),
        pytest.param("/dev/full", "No space left on device", marks=on_linux),
    ],
)
@pytest.mark.parametrize("option", ["-o", "--bad-lines"])
def test_files_that_can_not_be_written(perturb, jsonl, tmp_path, option, target, message):
    """The message has the name that was given, and nothing else is left behind."""
    given = jsonl("in.jsonl", GOOD.strip(), b"bad")
    (tmp_path / "folder").mkdir()
    path = Path(tmp_path, target)
    bad = () if option == "--bad-lines" else ("--bad-lines", "skip")
    done = perturb(*KEYBOARD, "-i", given, option, path, *bad)
    assert done.status == 1
    assert done.message == f"can't write {path}: {message.format(path=path)}"
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["folder", "in.jsonl"]


def test_a_failed_run_leaves_the_old_file(perturb, jsonl, tmp_path):
    """What stood at the target path stays there, with its manifest, until a whole file is made."""
    out = tmp_path / "out.jsonl"
    assert perturb(*KEYBOARD, "-i", jsonl("in.jsonl", GOOD.strip()), "-o", out).status == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = perturb(*KEYBOARD, "-o", out, "--bad-lines", "stop", stdin=GOOD * 9 + b"bad")
    assert done.status == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_output_whose_manifest_can_not_be_written(perturb, tmp_path):
    """The old output stays, since a new one would stand there without its manifest."""
    out = tmp_path / "out.jsonl"
    out.write_bytes(b"what stood there")
    (tmp_path / "out.jsonl.manifest.json").mkdir()
    done = perturb(*KEYBOARD, "-o", out, stdin=GOOD)
    assert (done.status, "can't write" in done.message) == (1, True)
    assert out.read_bytes() == b"what stood there"
    assert {path.suffix for path in tmp_path.iterdir()} <= {".jsonl", ".json", ""}


def test_the_file_behind_a_link_is_written(perturb, tmp_path):
    """A link stays a link."""
    (tmp_path / "there").mkdir()
    link, file = tmp_path / "out.jsonl", tmp_path / "there" / "real.jsonl"
    link.symlink_to(file)
    for _ in range(2):
        assert perturb(*KEYBOARD, "-o", link, stdin=GOOD).status == 0
        assert link.is_symlink()
        assert json.loads(file.read_bytes())["id"] == "1#keyboard_typos:p=0.1"
    assert perturb("verify", link).status == 0


def test_input_and_output_are_two_files(perturb, jsonl, tmp_path, monkeypatch):
    """One file under two names is seen to be one; the input stays as it is."""
    given = jsonl("in.jsonl", GOOD.strip())
    (tmp_path / "link.jsonl").symlink_to(given)
    os.link(given, tmp_path / "hard.jsonl")
    monkeypatch.chdir(tmp_path)
    for other in (given, "in.jsonl", "./in.jsonl", "link.jsonl", "hard.jsonl"):
        for call in (["-o", other], ["-o", "out.jsonl", "--bad-lines", other]):
            done = perturb(*KEYBOARD, "-i", given, *call)
            assert done.status == 2
            assert "are the same file" in done.message
    for a, b in (("out", "out"), ("out", "./out"), ("-", "-")):
        done = perturb(*KEYBOARD, "-i", given, "-o", a, "--bad-lines", b)
        assert (done.status, "are the same file" in done.message) == (2, True)
    assert given.read_bytes() == GOOD
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.slow
def test_a_file_on_standard_input_is_not_replaced(jsonl):
    """`-o rows.jsonl < rows.jsonl` is refused; what comes through a pipe may go to any file."""
    given = jsonl("in.jsonl", GOOD.strip())
    with given.open("rb") as stream:
        line = [sys.executable, "-m", "perturb", *KEYBOARD, "-o", str(given)]
        refused = subprocess.run(line, stdin=stream, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "the input and the output are the same file" in refused.stderr
    assert given.read_bytes() == GOOD
    assert subprocess.run(line, input=GOOD, capture_output=True).returncode == 0
    assert given.read_bytes() != GOOD


@pytest.mark.slow
@on_linux
def test_a_terminal_is_told_what_it_is_asked_for():
    """Without an input file rows come from the terminal, which would look like a hang."""
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "perturb", "apply", "case"]
    with subprocess.Popen(
        command, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(slave)
        os.write(master, b'{"text": "a"}\n\x04')
        out, said = process.communicate(timeout=60)
    os.close(master)
    assert b"reading rows from the terminal, one JSON object a line, until Ctrl-D" in said
    assert b'"original":"a"' in out
