"""What others may have put there is refused in a line: no crash, no trace, no wait."""

import codecs
import encodings
import json
import os
import pkgutil
import re
import shutil
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from perturb.stream import manifest

sys.path.append(str(Path(__file__).parents[2] / "fuzz"))
import damage

CALL = ["apply", "typo_mix", "-p", ".5"]
ROW = '{"id": "a", "text": "some plain words"}\n'
pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with an input."""
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_text(ROW)
    return tmp_path


@pytest.fixture
def written(folder, perturb):
    """A working folder with an output, too."""
    assert perturb(*CALL, "-i", "in.jsonl", "-o", "out.jsonl").status == 0
    return folder


# -- regular files only


@pipes
@pytest.mark.parametrize(
    "call",
    [
        (*CALL, "-i", "p.jsonl"),
        ("verify", "p.jsonl"),
        ("apply", "--config", "p.jsonl", "-i", "in.jsonl"),
        ("apply", "typo:file=p.jsonl", "-i", "in.jsonl"),
        (*CALL, "-i", "s.jsonl"),
    ],
)
def test_a_pipe_or_socket_is_not_waited_for(perturb, folder, call):
    os.mkfifo("p.jsonl")
    with socket.socket(socket.AF_UNIX) as other:
        other.bind("s.jsonl")
    done = perturb(*(word.replace("typo:", "add_context:") for word in call))
    assert done.status in (1, 2)
    assert done.message.endswith("jsonl: not a regular file")


@pipes
@pytest.mark.parametrize("named", ["rows", "rows/*.jsonl"])
def test_pipes_in_a_folder_are_passed_over(perturb, folder, named):
    """And links to devices; but a link that leads nowhere is rows that are missing."""
    Path("rows").mkdir()
    os.mkfifo("rows/p.jsonl")
    Path("rows/null.jsonl").symlink_to(os.devnull)
    Path("rows/linked.jsonl").symlink_to(folder / "in.jsonl")
    assert len(perturb(*CALL, "-i", named).rows) == 1
    Path("rows/lost.jsonl").symlink_to("nowhere")
    assert "lost.jsonl: No such file" in perturb(*CALL, "-i", named).message


@pipes
def test_what_is_planted_beside_an_output_is_left_alone(perturb, folder):
    """Nothing is written through a link, and no pipe is waited for."""
    os.mkfifo(".out.jsonl.123.part")
    Path(".out.jsonl.456.part").symlink_to("planted")
    Path(".out.jsonl.789.part").write_text("of a process that was killed")
    assert perturb(*CALL, "-i", "in.jsonl", "-o", "out.jsonl").status == 0
    assert not Path("planted").exists()
    assert sorted(path.name for path in folder.glob(".out*")) == [
        ".out.jsonl.123.part",
        ".out.jsonl.456.part",
    ]


LOOP = "loop.py"


@pytest.mark.parametrize(
    "call",
    [
        ("list", "--plugin", LOOP),
        (*CALL, "-i", "in.jsonl", "-o", f"{LOOP}/"),
        (*CALL, "-i", LOOP, "-o", "made.jsonl"),
        ("score", "in.jsonl", "--match", f"python:{LOOP}:f"),
    ],
)
def test_a_link_to_itself_is_told(perturb, folder, call):
    Path(LOOP).symlink_to(LOOP)
    done = perturb(*call)
    assert done.status in (1, 2), done.err
    assert LOOP in done.message


@pipes
@pytest.mark.parametrize("plant", [os.mkfifo, lambda path: Path(path).symlink_to("../../planted")])
def test_a_planted_lock_is_refused(perturb, folder, plant):
    Path("out/.perturb").mkdir(parents=True)
    plant("out/.perturb/lock")
    done = perturb(*CALL, "-i", "in.jsonl", "-o", "out/")
    assert done.status == 1
    assert done.message.endswith("out/.perturb/lock: not a regular file")
    assert not (folder / "planted").exists()


@pytest.mark.slow
@pipes
@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-", "<(cat)"])
def test_a_stream_by_its_own_name_is_read(start, folder, name):
    """Though it is a pipe: the caller's own shell made it."""
    if name == "<(cat)":
        code = "import sys; from perturb.__main__ import start; sys.exit(start())"
        line = f"{sys.executable} -c '{code}' {' '.join(CALL)} -i <(sleep .2; cat in.jsonl)"
        done = subprocess.run(["bash", "-c", line], stdin=subprocess.DEVNULL, capture_output=True)
        assert (done.returncode, done.stdout.count(b"\n")) == (0, 1), done.stderr
        return
    done = start(*CALL, "-i", name)
    out, _ = done.communicate(ROW.encode())
    assert (done.returncode, out.count(b"\n")) == (0, 1)


# -- encodings


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.txt", "in.json", "in.jsonl.gz"])
def test_a_byte_order_mark_names_its_encoding(perturb, folder, encoding, name):
    """And verify, which reads the input anew, needs no other word either."""
    text = {"csv": "id,text\na,früher Gruß 🙂\n", "txt": "früher Gruß 🙂\n"}.get(
        name[3:], '{"id": "a", "text": "früher Gruß 🙂"}\n'
    )
    pack = __import__("gzip").compress if name.endswith("gz") else bytes
    outs = []
    for each in ("utf-8", encoding):
        Path(name).write_bytes(pack(text.encode(each)))
        done = perturb(*CALL, "-i", name, "-o", f"out-{name}")
        assert done.status == 0, done.message
        outs.append(Path(f"out-{name}").read_bytes().removeprefix(codecs.BOM_UTF8))
        if name != "in.txt":
            assert perturb("verify", f"out-{name}", "-i", name).status == 0
    assert outs[0] == outs[1]


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.txt"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("wrong", [[], ["--encoding", "latin-1"]])
def test_the_advice_for_text_full_of_nuls_works(perturb, folder, name, encoding, wrong):
    text = "id,text\n1,some words\n" if name == "in.csv" else ROW
    Path(name).write_bytes(text.encode(encoding))
    done = perturb(*CALL, "-i", name, "-o", "out.jsonl", *wrong)
    assert done.status == 1
    said, advice = done.message.split("save it as UTF-8, or give perturb apply ")
    assert (said, advice) == (f"{name}: the file looks like {encoding}: ", f"--encoding {encoding}")
    assert perturb(*CALL, "-i", name, "-o", "out.jsonl", *advice.split()).status == 0
    assert b"some" in Path("out.jsonl").read_bytes()


@pytest.mark.parametrize("name", ["in.csv", "in.txt"])
def test_text_with_nuls_further_on_is_a_bad_line(perturb, folder, name):
    """As what is in UTF-16 and read as if each byte were a letter."""
    Path(name).write_bytes("text\nein früher Gruß\n".encode("utf-16"))
    done = perturb(*CALL, "-i", name, "--encoding", "latin-1")
    assert (done.status, done.out) == (1, b"")
    assert (
        "it contains NULs, so it has another encoding: give perturb apply --encoding, such as utf-16"
        in done.message
    )
    assert perturb(*CALL, "-i", name, "--encoding", "utf-16").status == 0


@pytest.mark.parametrize(
    "encoding",
    "rot13 hex base64 zip bz2 uu quopri punycode idna undefined unicode_escape a\0b".split(),
)
def test_what_is_no_encoding_of_text_is_refused(perturb, folder, encoding):
    done = perturb(*CALL, "-i", "in.jsonl", "--encoding", encoding)
    assert done.status == 2
    assert done.message.startswith(f"unknown encoding {encoding!r}: give one that Python")


@pytest.mark.parametrize("name", [each.name for each in pkgutil.iter_modules(encodings.__path__)])
def test_every_encoding_of_python_reads_its_own_or_is_refused(perturb, folder, name):
    """And any bytes, which are no text in it, are an error in a line."""
    try:
        data = ROW.encode(name)
    except (LookupError, UnicodeError):
        data = None
    for content in (data or b"x", bytes(range(256)), ROW.encode(), b"\xff\xfe" * 9, b"+A-\x1b$B\n"):
        Path("in.jsonl").write_bytes(content)
        done = perturb(*CALL, "-i", "in.jsonl", "--encoding", name)
        assert done.status in (0, 1, 2), done.err
        assert done.status == 0 or content is not data or "unknown encoding" in done.err


# -- manifests


def forged(path, change):
    """Change a manifest, and give it the checksum of what it then says."""
    content = json.loads(Path(path).read_bytes())
    del content[manifest.CHECKSUM]
    change(content)
    Path(path).write_bytes(manifest.dumped(content))


@pytest.mark.parametrize(
    ("keys", "value", "said"),
    [
        ("input", {}, "it has no 'input.sha256'"),
        ("input", 5, "its 'input' is 5"),
        ("input format", None, "it has no 'input.format'"),
        ("input format", ["csv"], "its 'input.format' is ['csv']"),
        ("input format", "xyz", "its 'input.format' is 'xyz'"),
        ("input encoding", 5, "its 'input.encoding' is 5"),
        ("input limit", True, "its 'input.limit' is True"),
        ("output", "x", "its 'output' is 'x'"),
        ("output format", {}, "its 'output.format' is {}"),
        ("counts conditions", {"a": 1}, "its 'counts.conditions.a' is 1"),
        ("recipe", [], "its 'recipe' is []"),
        ("tables", 1, "its 'tables' is 1"),
        ("plugins", {"a": None}, "it has no 'plugins.a'"),
        ("input path", [1], "its 'input.path' is [1]"),
    ],
)
def test_a_manifest_of_another_form_is_told_by_its_field(perturb, written, keys, value, said):
    *outer, last = keys.split()

    def change(content):
        for key in outer:
            content = content[key]
        content[last] = value

    forged("out.jsonl.manifest.json", change)
    for call in (["verify", "out.jsonl"], ["verify", "out.jsonl", "-i", "in.jsonl"]):
        done = perturb(*call)
        assert done.status == 1
        assert done.message == f"out.jsonl.manifest.json is not a manifest of perturb: {said}"


FOLDER = [*CALL, "-i", "rows/", "-o", "out/"]
ASKED = f"{sys.executable} -c 'for _ in open(0): print(7, flush=True)'"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "made", "calls"),
    [
        ("out.jsonl.manifest.json", None, ["verify out.jsonl", "verify out.jsonl -i in.jsonl"]),
        (
            "out/_manifest.json",
            FOLDER,
            ["verify out/ -i rows/", "verify out/in.jsonl", " ".join(FOLDER)],
        ),
        (
            "ask.jsonl.manifest.json",
            ["run", "out.jsonl", "--command", ASKED, "-o", "ask.jsonl"],
            ["verify ask.jsonl", "report ask.jsonl --target id -o r.html"],
        ),
    ],
)
def test_no_value_in_a_manifest_is_a_defect(perturb, written, path, made, calls, in_full):
    """Each in turn something else, or missing, with the right checksum."""
    Path("rows").mkdir()
    shutil.copy("in.jsonl", "rows/in.jsonl")
    if made:
        assert perturb(*made).status == 0
    whole, tried = Path(path).read_bytes(), 0
    for number, place in enumerate(places(json.loads(whole))):
        for value in damage.ODD if in_full else damage.ODD[number % 8 :: 8]:
            Path(path).write_bytes(whole)
            forged(path, partial(put, place=place, value=value))
            for call in calls:
                done = perturb(*call.split())
                assert done.status in (0, 1, 2), (place, value, done.err)
            tried += 1
    assert tried > 30


def places(value, before=()):
    """Yield the keys that lead to each value of JSON."""
    inner = value.items() if isinstance(value, dict) else ()
    for key, part in inner:
        if key != manifest.CHECKSUM:
            yield (*before, key)
            yield from places(part, (*before, key))


def put(content, place, value):
    """Put a value in its place; a `None` takes away what is there."""
    *outer, last = place
    for key in outer:
        content = content[key]
    if value is None:
        del content[last]
    else:
        content[last] = value


@pytest.mark.parametrize(
    "content", ['{"recipe": 1}', "{", "[]", '{"shards": 5}', '{"shards": {"x": 1}}']
)
def test_a_manifest_above_that_does_not_list_the_file_is_passed_over(perturb, written, content):
    """It is another program's, or of another folder."""
    Path("deep/er").mkdir(parents=True)
    shutil.move("out.jsonl", "deep/er/out.jsonl")
    Path("_manifest.json").write_text(content)
    done = perturb("verify", "deep/er/out.jsonl")
    assert done.status == 0
    assert b"there is no manifest beside the file" in done.out


def test_a_manifest_above_is_found_behind_a_broken_one(perturb, folder):
    Path("rows/deep").mkdir(parents=True)
    shutil.copy("in.jsonl", "rows/deep/in.jsonl")
    assert perturb(*CALL, "-i", "rows/", "-o", "out/").status == 0
    Path("out/deep/_manifest.json").write_text("{")
    assert "matches its manifest" in perturb("verify", "out/deep/in.jsonl").out.decode()


# -- tables, noise, configurations


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.feather"])
def test_a_changed_table_is_told_before_it_is_parsed(perturb, folder, name):
    """By its hash: the library that parses it was not made for what others changed."""
    pytest.importorskip("pyarrow")
    assert perturb(*CALL, "-i", "in.jsonl", "-o", name).status == 0
    Path(name).write_bytes(b"no table")
    for more in ([], ["-i", "in.jsonl"]):
        done = perturb("verify", name, *more)
        assert done.status == 1
        assert done.message.startswith(
            f"{name}: its SHA-256 is not the one in {name}.manifest.json"
        )


def test_a_table_with_false_contents_is_told(perturb, folder):
    """Its text is no UTF-8, which Arrow finds where it is asked to look."""
    pa = pytest.importorskip("pyarrow")
    wrong = pa.StringArray.from_buffers(
        1, pa.array([0, 2], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xfe")
    )
    table = pa.table({"id": ["a"], "text": wrong})
    with pa.ipc.new_file("in.arrow", table.schema) as out:
        out.write_table(table)
    for call in ([*CALL, "-i", "in.arrow", "-o", "out.arrow"], ["verify", "in.arrow"]):
        done = perturb(*call)
        assert done.status == 1
        assert done.message.startswith("in.arrow: damaged, or not Arrow: ")


@pytest.mark.parametrize(
    "content", ["steps: !!bool x", "steps: !!timestamp x", "steps: 2020-99-99"]
)
@pytest.mark.parametrize(
    "call", [["apply", "-i", "in.jsonl", "--config"], ["score", "out.jsonl", "--metrics"]]
)
def test_yaml_that_its_library_stumbles_over_is_told(perturb, written, content, call):
    Path("x.yaml").write_text(content)
    done = perturb(*call, "x.yaml")
    assert done.status == 2
    assert done.message.startswith("x.yaml isn't YAML: ")


def test_a_pattern_that_ends_in_a_comment_protects(perturb):
    import perturb as package

    rule = re.compile("the # a word", re.VERBOSE)
    record = package.apply("the dog did not go", "char_delete", p=1.0, protect=[rule])
    assert record.text.split() == ["the"]
    assert package.verify(record)


@pytest.mark.parametrize(
    "change",
    [{"tokens": 5}, {"tokens": {"a": []}}, {"attempts": "x"}, {"finish": []}, {"answer": 1e400}],
)
@pytest.mark.parametrize("kept", ["journal", "cache"])
def test_an_answer_of_another_form_is_told(perturb, written, kept, change):
    """In the journal that is read for the output, and in a cache."""
    call = ["run", "out.jsonl", "--command", ASKED, "--cache", "cache", "-o", "ask.jsonl"]
    assert perturb(*call).status == 0
    journal = Path("ask.jsonl.journal")
    path = journal if kept == "journal" else next(Path("cache").rglob("*.json"))
    *head, last = path.read_text().splitlines()
    path.write_text("\n".join([*head, json.dumps({**json.loads(last), **change})]) + "\n")
    if kept == "cache":
        journal.unlink()
    done = perturb(*call)
    assert done.status == 1
    assert "has no answer: delete it" in done.message
