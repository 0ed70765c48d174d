"""The commands on the page that go on from it, and the files beside the rows that they come from."""

import shlex
import sys

import orjson
import pytest
from pages import clean, commands, linked

from perturb.cli import main
from perturb.io.files import SeenBytes
from perturb.stream.manifest import asked_manifest


@pytest.mark.slow
def test_the_next_command_mends_what_cannot_be_judged(page, tmp_path):
    """Answers in a sentence, graded by exact match: the page names the match that reads them."""
    rows = [clean(n, 1, answer="4", prediction="So it is 4.") for n in range(30)]
    rows += [linked(str(n), 1, answer="4", prediction=f"It is {4 + n % 2}.") for n in range(30)]
    text = page(rows)
    assert "Cannot judge: no original is answered correctly" in text
    following = shlex.split(commands(text)[0])
    assert following[-4:] == ["--match", "number", "-o", str(tmp_path / "page.html")]
    assert main(following[1:]) == 0
    assert "Breaks under <bdi>typos p=0.1</bdi>" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["metrics", "rows of another program"])
def test_every_command_of_a_page_runs(page, tmp_path, monkeypatch, way):
    """Of scores by metrics no edits can be explained; inner rows are found in each command."""
    monkeypatch.chdir(tmp_path)
    rows = [clean(n, 1) for n in range(30)] + [linked(str(n), n % 2) for n in range(30)]
    given = ["--score", "score"]
    if way == "metrics":
        (tmp_path / "m.yaml").write_text("score: {threshold: 0.5}\n")
        given = ["--metrics", "m.yaml"]
    else:
        rows = [{"doc": row, "filter": "strict"} for row in rows]
        given += ["--rows", "doc", "--where", "^.filter=strict"]
    found = list(map(shlex.split, commands(page(rows, *given))))
    assert [words[1] for words in found] == ["compare", "flips", "report", "score"]
    found[0][found[0].index("AFTER.jsonl")] = found[0][2]
    assert [main(words[1:]) for words in found] == [0] * 4


@pytest.mark.slow
def test_the_days_of_the_answers_come_from_the_journal(page, tmp_path):
    rows = [clean(1, 1), linked("1", 0)]
    assert "asked 2" not in page(rows, "--score", "score")
    entries = [{"journal": 2}, {"key": "1", "at": "2026-03-01T23:59:00+00:00"}]
    entries.append({"key": "2", "at": "2026-03-02T00:01:00+00:00"})
    journal = tmp_path / "scored.jsonl.journal"
    journal.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in entries))
    assert "asked 2026-03-01 to 2026-03-02" in page(rows, "--score", "score")
    journal.write_bytes(orjson.dumps(entries[1]))
    assert "asked 2026-03-01<" in page(rows, "--score", "score")


@pytest.mark.slow
def test_the_command_of_the_manifest_gives_the_rows_again(page, tmp_path, monkeypatch):
    """The page of answered rows, with the manifest of the perturbed ones beside them."""
    monkeypatch.chdir(tmp_path)
    given = tmp_path / "in put.jsonl"
    given.write_text('{"id": 1, "q": "How many eggs at http://a.example?"}\n')
    steps = ["char_delete:p=0.2,fill=_", "ocr:p=0.3", "--grid", "--seed", "7", "--replicates", "2"]
    more = ["--field", "q", "--protect", "url,number", "--protect", "word:eggs", "--with-original"]
    assert main(["apply", *steps, *more, "-i", str(given), "-o", "made.jsonl"]) == 0
    rows = list(map(orjson.loads, (tmp_path / "made.jsonl").read_bytes().splitlines()))
    (tmp_path / "made.jsonl.manifest.json").rename("scored.jsonl.manifest.json")
    text = page([{**row, "score": 1} for row in rows], "--score", "score")
    assert "The manifest of <bdi>scored.jsonl</bdi>" in text
    apply, again, score = map(shlex.split, commands(text)[-3:])
    assert main(apply[1:]) == 0
    assert (tmp_path / "perturbed.jsonl").read_bytes() == (tmp_path / "made.jsonl").read_bytes()
    before = (tmp_path / "page.html").read_bytes()
    (tmp_path / "page.html").unlink()
    assert main(again[1:]) == main(score[1:]) == 0
    assert (tmp_path / "page.html").read_bytes() == before


def walk_the_way(step, system):
    """From in.jsonl to page.html, with explained flips."""
    calls = [
        ["apply", step, "--with-original", "-i", "in.jsonl", "-o", "rows.jsonl"],
        ["run", "rows.jsonl", "-o", "answered.jsonl", *system],
        ["explain", "answered.jsonl", "-o", "explained.jsonl", *system],
        ["report", "explained.jsonl", "-o", "page.html"],
    ]
    assert [main(call) for call in calls] == [0] * 4


@pytest.mark.slow
def test_the_commands_go_back_to_the_rows(tmp_path, monkeypatch):
    """apply, run and explain, as their manifests say; each gives the bytes that it gave."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "How many eggs?", "answer": "3"}\n')
    program = "import sys; [print(3 + ('eggs' not in line), flush=True) for line in sys.stdin]"
    system = ["--command", shlex.join([sys.executable, "-c", program])]
    walk_the_way("char_delete:p=0.9", system)
    names = ("rows.jsonl", "answered.jsonl", "explained.jsonl")
    files = [tmp_path / f"{name}{end}" for name in names for end in ("", ".manifest.json")]
    before = [file.read_bytes() for file in files]
    text = (tmp_path / "page.html").read_text("utf-8")
    made = commands(text)[-5:]
    for file in (*files, *tmp_path.glob("*.journal")):
        file.unlink()
    assert [main(shlex.split(command)[1:]) for command in made[:3]] == [0] * 3
    assert [file.read_bytes() for file in files] == before
    assert '"status":"minimal"' in (tmp_path / "explained.jsonl").read_text()


@pytest.mark.slow
def test_the_next_command_leaves_alone_what_the_answers_depend_on(tmp_path, monkeypatch):
    """A system that is right as long as it reads "not"; perturbed again, it never breaks."""
    monkeypatch.chdir(tmp_path)
    lines = [
        f'{{"id": {n}, "text": "It was not so late yet.", "answer": "3"}}\n' for n in range(40)
    ]
    (tmp_path / "in.jsonl").write_text("".join(lines))
    program = "import sys; [print(3 + (' not ' not in line), flush=True) for line in sys.stdin]"
    system = ["--command", shlex.join([sys.executable, "-c", program])]
    walk_the_way("char_delete:p=0.3", system)
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "Perturb again without touching what the answer depends on." in text
    again = shlex.split(commands(text)[0])
    assert main(again[1:]) == main(["run", "again.jsonl", "-o", "after.jsonl", *system]) == 0
    rows = map(orjson.loads, (tmp_path / "after.jsonl").read_bytes().splitlines())
    assert {row["prediction"] for row in rows} == {"3"}


def test_a_manifest_is_shown_as_it_is(page, tmp_path):
    rows = [clean(1, 1), linked("1", 0)]
    (tmp_path / "asked.jsonl").write_bytes(orjson.dumps(rows[0]))
    asked = {"command": "run", "options": {"model": "<b>"}}
    about = asked_manifest(
        asked=asked, source=str(tmp_path / "asked.jsonl"), written=SeenBytes(hashed=True), counts={}
    )
    (tmp_path / "scored.jsonl.manifest.json").write_bytes(about)
    assert "&#34;model&#34;: &#34;&lt;b&gt;&#34;" in page(rows, "--score", "score")


@pytest.mark.parametrize("held", ["{", "[]", '{"system": "small"}', '{"asked": {}, "input": 1}'])
def test_a_manifest_that_is_none(tmp_path, held, capsys):
    (tmp_path / "s.manifest.json").write_text(held)
    (tmp_path / "s").write_bytes(
        b"".join(orjson.dumps(r) + b"\n" for r in [clean(1, 1), linked("1", 0)])
    )
    assert main(["report", str(tmp_path / "s"), "--score", "score", "-o", str(tmp_path / "p")]) == 1
    assert "s.manifest.json" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("place", "advised"), [(7, True), (9, False)])
def test_protection_is_not_advised_where_other_edits_explain_the_flips(page, place, advised):
    """Rows with a changed number break, but `explain` may say that another edit flips them."""
    rows = []
    for at in range(200):
        rows.append(clean(at, 1, text="He has 6 eggs", prediction="4", answer="4"))
        edits = [(7, 8, "7"), (9, 10, "a")] if at % 2 else [(9, 10, "a")]
        row = linked(str(at), 0, original="He has 6 eggs", edits=edits, answer="4",
                     prediction="5" if at % 4 == 1 else "4")  # fmt: skip
        if at % 4 == 1:
            (edit,) = [one for one in edits if one[0] == place]
            cause = dict(zip(("start", "end", "text"), edit, strict=True))
            cause["removed"] = "He has 6 eggs"[edit[0] : edit[1]]
            row["explanation"] = {"status": "minimal", "edits": [cause]}
        rows.append(row)
    text = page(rows)
    assert "of 200 rows 100 touch numbers" in text
    assert ("perturb with --protect number" in text) == advised
