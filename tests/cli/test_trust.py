"""Data is data: no file and no module that it names is opened or imported."""

import contextlib
import json
import subprocess
import sys

import pytest

import perturb
from perturb import boundary
from perturb.stream.manifest import CHECKSUM, checksum

CODE = "def tags(words):\n    open({marker!r}, 'w').close()\n    return ['NN'] * len(words)\n"


@pytest.fixture(name="run")
def _run(request):
    """Run the command line; `perturb` is the package here."""
    return request.getfixturevalue("perturb")


@pytest.fixture
def tagger(tmp_path, monkeypatch):
    """A tagger that leaves a file behind; its name, and the file."""
    marker = tmp_path / "PWNED"
    (tmp_path / "tagger_of_a_stranger.py").write_text(CODE.format(marker=str(marker)))
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("tagger_of_a_stranger", None)
    return "tagger_of_a_stranger:tags", marker


def row_by(steps, text, **settings):
    """A row as it is written."""
    (row,) = perturb.augment([{"id": "a", "text": text}], steps, **settings)
    return row


def forged(manifest, **changes):
    """Change a manifest, and sign it anew."""
    said = json.loads(manifest.read_bytes())
    for part, values in changes.items():
        said[part] = said[part] | values if isinstance(values, dict) else values
    said[CHECKSUM] = checksum(said)
    manifest.write_text(json.dumps(said))


@pytest.mark.parametrize("form", ["step", "pipeline", "manifest"])
def test_verify_runs_no_code_that_a_record_names(run, jsonl, tagger, form):
    """A tagger in a record, a pipeline in a record or a manifest is not even imported."""
    name, marker = tagger
    row = row_by("synonym:p=1.0", "The old house")
    version = perturb.describe("synonym")["version"]
    step = f"synonym@{version}:p=1.0,tagger={name}"
    recipe = f"{step if form == 'step' else f'sometimes(1.0, {step})'} --contract 4"
    if form == "manifest":
        path = jsonl("out.jsonl").with_name("made.jsonl")
        run("apply", "synonym:p=1.0", "-i", jsonl("in.jsonl", {"text": "a"}), "-o", path)
        forged(path.with_name("made.jsonl.manifest.json"), recipe=recipe)
    else:
        row["perturbation"]["recipe"] = recipe
        path = jsonl("out.jsonl", row)
    done = run("verify", path)
    assert done.status != 0
    assert f"names tagger {name!r}" in done.message
    assert "--trust" in done.message
    assert not marker.exists()
    assert "tagger_of_a_stranger" not in sys.modules


def test_verify_runs_code_that_the_caller_trusts(run, jsonl, tagger):
    """A record that names a tagger is made again where the caller names it too."""
    name, marker = tagger
    step = perturb.steps.synonym(p=1.0, tagger=name)
    record = perturb.apply("The old house", step, id="a")
    marker.unlink()
    with pytest.raises(perturb.UsageError, match="names tagger"):
        perturb.verify(record)
    assert not marker.exists()
    assert perturb.verify(record, trust=[name])
    assert marker.exists()
    path = jsonl("out.jsonl", row_by(step, "The old house"))
    assert run("verify", path, "--trust", name).status == 0
    assert run("verify", path, "--trust", "another:name").status != 0


def test_verify_opens_no_file_that_a_record_names(run, jsonl, tmp_path):
    """Not even its hash is told."""
    secret = tmp_path / "secret.txt"
    secret.write_text("Nobody reads this.\n")
    path = jsonl("out.jsonl", row_by(perturb.steps.add_context(p=1.0, file=str(secret)), "Why?"))
    secret.write_text("Nor this.\n")
    boundary.lines_of.cache_clear()
    done = run("verify", path)
    assert done.status == 1
    assert f"names file '{secret}'" in done.message
    done = run("verify", path, "--trust", secret)
    assert "has changed: its SHA-256 is" in done.message


def test_verify_opens_no_input_that_a_manifest_names(run, jsonl, tmp_path):
    """The input is compared where the caller names it."""
    path = tmp_path / "out.jsonl"
    run("apply", "case:p=1.0", "-i", jsonl("in.jsonl", {"text": "a"}), "-o", path)
    manifest = path.with_name("out.jsonl.manifest.json")
    forged(manifest, input={"path": "/dev/zero"}, output={"sha256": "0" * 64})
    done = run("verify", path)
    assert done.status == 1
    assert "--input FILE finds the row" in done.message


@pytest.mark.slow
def test_python_m_imports_nothing_from_the_working_folder(tmp_path):
    """A file called numpy.py beside the data is not run."""
    for name in ("numpy", "orjson", "regex", "typing", "yaml"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('PWNED')")
    done = subprocess.run(
        [sys.executable, "-m", "perturb", "apply", "case:p=1.0"],
        input=b'{"text": "a"}\n',
        cwd=tmp_path,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["text"] == "A"


@pytest.mark.slow
def test_no_manifest_runs_code(run, jsonl, tagger, tmp_path):
    """Neither where it is the config of another run, nor where a page says how rows were made."""
    name, marker = tagger
    rows = jsonl("in.jsonl", {"id": "a", "text": "The old house"})
    out, again = tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    run("apply", "synonym:p=1.0", "--with-original", "-i", rows, "-o", out)
    path = tmp_path / "out.jsonl.manifest.json"
    recipe = json.loads(path.read_bytes())["recipe"]
    forged(path, recipe=recipe.replace(":p=1.0", f":p=1.0,tagger={name}"))
    call = ("apply", "--config", path, "-i", rows, "-o", again)
    done = run(*call)
    assert done.status == 2
    assert f"names tagger {name!r}" in done.message
    scored = [{**json.loads(line), "score": 1.0} for line in out.read_bytes().splitlines()]
    out.write_text("".join(f"{json.dumps(row)}\n" for row in scored))
    run("report", out, "--score", "score", "-o", tmp_path / "page.html")
    assert not marker.exists()
    assert "tagger_of_a_stranger" not in sys.modules
    assert run(*call, "--trust", name).status == 0
    _, row = map(json.loads, again.read_bytes().splitlines())
    assert f"tagger={name}" in row["perturbation"]["recipe"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs terminals of POSIX")
@pytest.mark.parametrize("command", ["apply", "diff", "verify", "score", "flips", "split-check"])
def test_no_escape_of_data_reaches_a_terminal(tmp_path, command):
    """Not from names of files, ids, texts and answers; tabs and line ends stay."""
    import os
    import pty

    bad = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
    rows = [{"id": bad, "text": f"The {bad}\tfox", "answer": "1", "prediction": "1"}]
    rows += perturb.augment(rows, "case", p=1.0)
    rows[1]["prediction"] = bad
    path = tmp_path / f"{bad.replace('/', '')}.tsv"
    if command == "apply":
        path.write_text(f"id\ttext\n{bad}\tThe {bad} fox\n", "utf-8")
    else:
        path = path.with_suffix(".jsonl")
        left = rows[1:] if command in ("diff", "verify") else rows
        path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in left))
    words = {
        "apply": ["case", "-i", path],
        "split-check": [path, path],
        "score": [path, "--target", "answer"],
        "flips": [path, "--target", "answer"],
    }.get(command, [path])
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "perturb", command, *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # the terminal is at its end
        while part := os.read(ours, 1 << 16):
            said += part
    os.close(ours)
    assert said
    assert not {*"\x1b\x07\x9b\u202e"} & {*said.decode()}
    assert b"Traceback" not in said
