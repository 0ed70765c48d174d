"""Rows inside a file or a line: `--rows PATH`."""

import contextlib
import json
import tracemalloc

import pytest
from lines import rows_in

from perturb.cli import main
from perturb.io import json_files
from perturb.io.inner_rows import InnerRows

PASSAGES = ["Sixteen hens lay eggs, she said.", "The crates hold a dozen eggs each."]
ARTICLES = {
    "version": "1.1",
    "about": {"license": "none"},
    "data": [
        {
            "title": f"Article {at}",
            "paragraphs": [
                {
                    "context": context,
                    "qas": [
                        {
                            "id": f"{at}-{n}",
                            "question": f"Where do the {n} hens lay their eggs?",
                            "answers": [{"text": context[:7], "answer_start": 0}],
                        }
                        for n in range(3)
                    ],
                },
                {"context": "A passage without questions."},
            ],
        }
        for at, context in enumerate(PASSAGES)
    ],
    "after": [1, {"x": 1e400}],
}
ROWS = ["--rows", "data[*].paragraphs[*].qas[*]"]


@pytest.fixture
def articles(tmp_path):
    path = tmp_path / "articles.json"
    path.write_text(json.dumps(ARTICLES, indent=1))
    return path


@pytest.mark.parametrize("size", [7, 1 << 20])
@pytest.mark.parametrize(
    "given",
    [
        ["--field", "question"],
        ["--field", "^.context", "--spans", "answers[*]", "--target", "answers[*].text"],
    ],
)
def test_each_question_is_a_row(given, size, articles, tmp_path, monkeypatch) -> None:
    """Blocks of seven bytes show that nothing depends on where the text is cut."""
    monkeypatch.setattr("perturb.io.files.BLOCK", size)
    out = tmp_path / "out.jsonl"
    words = ["apply", "keyboard_typos", "-p", "0.2", *ROWS, *given, "--replicates", "2"]
    assert main([*words, "--with-original", "-i", str(articles), "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(articles)]) == 0
    made = rows_in(out)
    assert len(made) == 6 * 3
    originals = [row for row in made if row["perturbation"]["status"] == "original"]
    assert [row["id"] for row in originals] == [f"{at}-{n}" for at in (0, 1) for n in range(3)]
    assert all(row["^"]["^"]["^"] == {"version": "1.1"} for row in made)
    assert {row["^"]["^"]["title"] for row in made} == {"Article 0", "Article 1"}
    for row in made:
        if "^.context" in given:
            (answer,) = row["answers"]
            start = answer["answer_start"]
            assert row["^"]["context"][start:][: len(answer["text"])] == answer["text"]
    back = tmp_path / "back.jsonl"
    assert main(["restore", str(out), "-o", str(back)]) == 0
    plain = [{k: v for k, v in row.items() if k != "perturbation"} for row in originals]
    assert rows_in(back) == plain


def test_the_recipe_holds_it_and_a_limit_counts_its_rows(articles, tmp_path) -> None:
    out, again = tmp_path / "out.json", tmp_path / "again.json"
    words = ["apply", "char_swap", *ROWS, "--field", "question", "--limit", "4"]
    assert main([*words, "-i", str(articles), "-o", str(out)]) == 0
    manifest = json.loads((tmp_path / "out.json.manifest.json").read_text())
    assert "--rows data[*].paragraphs[*].qas[*]" in manifest["recipe"]
    assert manifest["counts"]["rows_written"] == len(json.loads(out.read_text())) == 4
    recipe = ["apply", "--recipe", manifest["recipe"], "--limit", "4"]
    assert main([*recipe, "-i", str(articles), "-o", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    assert main(["verify", str(out), "-i", str(articles)]) == 0


def test_rows_in_lines_and_texts_that_are_rows(tmp_path, capfd) -> None:
    """A row is an object of a list, an object in an object, or a text."""
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        '{"doc": {"id": 1, "text": "How many eggs?"}, "score": 0.50, "n": [1]}\n'
        '{"doc": 5}\n'
        '{"doc": {"id": 2, "text": "How many hens?"}, "score": 1e2}\n'
    )
    words = ["apply", "identity", "--rows", "doc", "-i", str(source), "-o", str(out)]
    assert main(words) == 1
    assert "in.jsonl:2: value 2: 'doc' must be an object or a text" in capfd.readouterr().err
    assert main([*words, "--bad-lines", str(tmp_path / "bad.jsonl")]) == 0
    assert [row["^"] for row in rows_in(out)] == [{"score": 0.5}, {"score": 100.0}]
    assert b'"score":0.50' in out.read_bytes()
    assert (tmp_path / "bad.jsonl").read_text() == '{"doc": 5}\n'
    source.write_text('{"questions": ["How many eggs?", "How many hens?"]}\n')
    assert (
        main(["apply", "identity", "--rows", "questions[*]", "-i", str(source), "-o", str(out)])
        == 0
    )
    assert [row["text"] for row in rows_in(out)] == ["How many eggs?", "How many hens?"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("dta[*].x", "there is no 'dta'; did you mean data?"),
        ("about.licenses[*]", "there is no 'licenses'; did you mean license?"),
        ("version[*]", "expected a list for [*]"),
        ("after[0]", "'after[0]' must be an object or a text"),
        ("a[", "can't read the field path"),
    ],
)
def test_a_path_without_rows_is_an_error(path, message, articles, capfd) -> None:
    assert main(["apply", "identity", "--rows", path, "-i", str(articles)]) in (1, 2)
    assert message in capfd.readouterr().err


@pytest.mark.parametrize("end", ["", "]", "]}", '], "x": }', "]} ]", '], "x" 5}'])
def test_a_list_in_a_damaged_file_is_an_error(end, tmp_path, capfd) -> None:
    source = tmp_path / "in.json"
    source.write_text('{\n"rows": [{"text": "How many eggs?"}' + end)
    code = main(["apply", "identity", "--rows", "rows[*]", "-i", str(source)])
    assert (code == 0) == (end == "]}")
    assert ("in.json:2: " in capfd.readouterr().err) == (code != 0)


def test_one_element_of_the_outermost_list_is_in_memory(tmp_path) -> None:
    path = tmp_path / "in.json"
    element = '{"text": "' + "How many eggs? " * 4_000 + '"},\n'
    path.write_text('{\n"n": 12, "rows": [' + element * 600 + "{}]}")
    tracemalloc.start()
    with contextlib.closing(json_files.Reader(str(path))) as reader:
        reader.inner = InnerRows("rows[*]")
        assert sum(block.count(b'"n":12,') for _, block in reader.blocks()) == 601
    assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 3
    tracemalloc.stop()


@pytest.mark.parametrize("number", ["1.5e+30", "-0.25", "1E5", "12", "true", "null"])
@pytest.mark.parametrize("size", range(1, 9))
def test_a_number_may_be_cut_anywhere(number, size, tmp_path, monkeypatch) -> None:
    """A block that ends in 1.5e holds a whole number, 1.5, which is another one."""
    monkeypatch.setattr("perturb.io.files.BLOCK", size)
    source, out = tmp_path / "in.json", tmp_path / "out.jsonl"
    source.write_text(f'{{"n":\n{number},"rows": [{{"text": "How many eggs?"}}],\n"m": {number}}}')
    words = ["apply", "identity", "--rows", "rows[*]", "-i", str(source), "-o", str(out)]
    assert main(words) == 0
    assert f'"n":{number}' in out.read_text()


def test_score_reads_the_rows_of_a_log(tmp_path, capfd) -> None:
    """A toy system writes one file, as evaluation harnesses do."""
    source, out, log = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "log.json"))
    source.write_text(
        "".join(f'{{"id": {n}, "text": "How many eggs are {n}?"}}\n' for n in range(40))
    )
    words = ["apply", "keyboard_typos", "--with-original", "-i", str(source), "-o", str(out)]
    assert main(words) == 0
    samples = [
        {"doc": row, "right": float("eggs" in row["text"]), "kept": "yes"} for row in rows_in(out)
    ]
    log.write_text(json.dumps({"model": "toy", "samples": samples}, indent=1))
    given = ["--rows", "samples[*].doc", "--score", "^.right", "--where", "^.kept=yes", "--json"]
    assert main(["score", str(log), *given]) in (0, 1)
    assert json.loads(capfd.readouterr().out)
    for options, hint in (
        (["--score", "right"], "; around it is ^.right"),
        (["--score", "^.right", "--where", "model=toy"], "; around it is ^.^.model"),
        (["--score", "left"], "perturbation, ^\n"),
    ):
        assert main(["score", str(log), *given[:2], *options]) == 1
        assert hint in capfd.readouterr().err


@pytest.mark.parametrize("option", ["--field", "--target", "--spans", "--protect"])
@pytest.mark.parametrize("path", ["a[*].c", "a[x=y].c"])
def test_a_key_that_no_item_of_a_list_has(perturb, tmp_path, option, path) -> None:
    """Items may lack a key, but if it is misspelled no row has it, and nothing is written."""
    rows = [{"text": "t", "a": []}] + [{"text": "t", "a": [{"x": "y", "b": "text"}]}] * 3
    stdin = "".join(map("{}\n".format, map(json.dumps, rows))).encode()
    given = [option, "field:" * (option == "--protect") + path]
    out = tmp_path / "out.jsonl"
    done = perturb("apply", "keyboard_typos", *given, "-o", out, stdin=stdin)
    assert done.status == 1
    assert "there is no 'c'; known: b, x; none of 4 rows has it" in done.message
    assert not out.exists()
    rows[2] = {"text": "t", "a": [{"x": "y", "c": []}, {"x": "z"}, {}]}
    if option in ("--spans", "--protect"):
        stdin = "".join(map("{}\n".format, map(json.dumps, rows))).encode()
        assert perturb("apply", "keyboard_typos", *given, "-o", out, stdin=stdin).status == 0
