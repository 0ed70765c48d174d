import gzip
import math
import sys

import orjson
import pytest

from perturb.errors import DataError, UsageError
from perturb.io.outputs import writing


@pytest.mark.parametrize(
    ("match", "answer", "target", "score"),
    [
        ("exact", "Paris", "Paris", 1),
        ("exact", 5, "5", 1),
        ("exact", "paris", "Paris", 0),
        ("number", "so 2 * 600 = $1,200.", "#### 1200", 1),
        ("number", "about .5", 0.5, 1),
        ("number", "1.50e3", "1500", 1),
        ("number", "0.0", "-0", 1),
        ("number", "1" * 40, "1" * 39 + "2", 0),
        ("number", "-3", "3", 0),
        ("number", "I do not know", "3", 0),
        ("choice", "b", "B", 1),
        ("choice", "The answer is (B), not (C).", "B", 1),
        ("choice", "C) because A is wrong", "(C)", 1),
        ("choice", r"so \boxed{D}", "D", 1),
        ("choice", "No idea.", "A", 0),
        ("choice", None, "A", 0),
    ],
)
def test_matches(command, write, linked, match, answer, target, score):
    fields = {"answer": answer, "gold": target}
    rows = [{"id": 1, **fields}, linked(1, **fields)]
    arguments = ("--prediction", "answer", "--target", "gold", "--match", match, "--json")
    report = orjson.loads(command("score", write("s", rows), *arguments))
    assert report["overall"][0]["perturbed_mean"] == score


def test_match_by_embedding(command, write, linked, monkeypatch):
    def embed(texts):
        return [[math.cos(len(text)), math.sin(len(text))] for text in texts]

    monkeypatch.setattr("perturb.robustness.grading.grade.embedder", lambda _: embed)
    rows = [{"id": 1, "answer": "abc", "gold": "xyz"}, linked(1, answer="abcd", gold="xyz")]
    rows += [linked(1, replicate=1, answer=None, gold="xyz")]
    arguments = ("--prediction", "answer", "--target", "gold", "--match", "embedding", "--json")
    found = orjson.loads(command("score", write("s", rows), *arguments))["overall"][0]
    assert found["clean_mean"] == pytest.approx(1)
    assert found["perturbed_mean"] == pytest.approx(math.cos(1))  # that of the reply that came
    assert found["no_answer"] == 50


def test_a_row_that_cannot_be_embedded_is_named(command, write, linked, monkeypatch):
    def embed(texts):
        return [[1.0, 0.0] for _ in texts]

    monkeypatch.setattr("perturb.robustness.grading.grade.embedder", lambda _: embed)
    options = ("--prediction", "answer", "--target", "gold", "--match", "embedding")
    rows = [{"id": 1, "answer": "a", "gold": "a"}, linked(1, answer="a", gold=None)]
    with pytest.raises(DataError, match=":2: gold holds no text to embed, got None"):
        command("score", write("s.jsonl", rows), *options)
    rows[1] = linked(1, gold="a")
    with pytest.raises(DataError, match=":2: there is no field 'answer'"):
        command("score", write("s.jsonl", rows), *options)


def test_without_an_embedding_library_the_error_says_what_to_install(command, write, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match="pip install sentence-transformers"):
        command(
            "score",
            write("s", []),
            *("--prediction", "answer", "--target", "gold", "--match", "embedding"),
        )


CLEAN = {"id": "1", "correct": 1}
RECORD = {"id": "1", "correct": 1, "perturbation": {"original_id": "1"}}
# A row with `of` is perturbed, from that original.
BAD = [
    ([], "no row to score"),
    ([CLEAN], "no row is perturbed"),
    ([{"id": "1"}], "no row is perturbed: none has a 'perturbation' .*; perturb apply writes that"),
    ([{"of": "1", "correct": 1}], ":1: the perturbed row of original '1' has no clean row"),
    (
        [CLEAN, {"id": "2", "correct": 1}, {"of": "1", "correct": 1}],
        ":2: the clean row of original '2' has no perturbed row",
    ),
    (
        [CLEAN, CLEAN, CLEAN, {"of": "1", "correct": 1}],
        r":1 and .*:2 are both the clean row of original '1' \(and 1 more such\): keep one",
    ),
    (
        [CLEAN, {"of": "1", "correct": 1}, {"of": "1", "correct": 0}],
        ":2 and .*:3 have the same steps, seed and replicate of original '1'",
    ),
    (
        [CLEAN, {"of": "1", "correct": [1, 0]}],
        r":2: correct must be true, false or a number within 1e\+100; got \[1, 0\]",
    ),
    ([CLEAN, {"of": "1", "correct": "yes"}], "got 'yes': write numbers in its place, or compare"),
    ([CLEAN, {"of": "1"}], "no field 'correct'; the row has id, text, perturbation, of"),
    ([{"correct": 1}], ":1: the row has no 'perturbation', .* its original: keep both fields"),
    (
        [{"n": 1, "doc": RECORD}],
        ":1: the row has no 'perturbation', .*: --rows doc reads the row in",
    ),
    ([{"id": 1.5, "correct": 1}], ":1: id must be a string or an integer"),
    ([CLEAN | {"perturbation": "x"}], "'perturbation' of a row must be an object"),
    ([RECORD], "needs one of changed, original, .* in 'status'; got ''"),
    (
        [RECORD | {"perturbation": {"original_id": "1", "status": "changed"}}],
        "needs one of same, .* in 'expect'; got ''",
    ),
    (
        [CLEAN, {"of": "1", "steps": 'typos@1:fill="', "correct": 1}],
        "recipe .* is damaged: .*quote",
    ),
    ([CLEAN, {"of": "1", "p": "high", "correct": 1}], "has no number for p: 'typos@1:p=high"),
    ([CLEAN, {"of": "1", "edits": [(1, 1, "")], "correct": 1}], "edits of a record are damaged"),
    (
        [CLEAN, *({"of": "1", "steps": f"ocr@{at}:p=0.1", "correct": 1} for at in (1, 2))],
        ":3: the condition 'ocr:p=0.1' is 'ocr@2:p=0.1' here and 'ocr@1:p=0.1' in a row before",
    ),
    # The first row that is wrong, whatever is wrong with it.
    ([CLEAN, {"of": "1", "correct": "yes"}, {"of": "1", "p": "high"}], ":2: correct must be"),
    ([CLEAN, {"of": "1", "p": "high"}, {"of": "1", "correct": "yes"}], ":2: .* no number for p"),
]


@pytest.mark.parametrize(("rows", "message"), BAD)
def test_bad_rows_are_named(command, write, linked, rows, message):
    made = [linked(row["of"], **row) if "of" in row else row for row in rows]
    with pytest.raises(DataError, match=message):
        command("score", write("s.jsonl", made), "--score", "correct")


def test_nan_and_broken_lines_are_named(command, linked, tmp_path):
    path = tmp_path / "scored.jsonl"
    path.write_text('{"id": 1, "correct": 1}\n\n{"id": 2, "correct": NaN}\n')
    with path.open("ab") as out:
        out.write(orjson.dumps(linked(1, correct=1)))
    with pytest.raises(
        DataError, match=r"scored.jsonl:3: correct must be .* number within .*; got nan"
    ):
        command("score", path, "--score", "correct")
    path.write_text('{"id": 1, "correct": 1}\n{id}\n')
    with pytest.raises(DataError, match=r"scored.jsonl:2: not JSON"):
        command("score", path, "--score", "correct")
    path.write_text("[1]\n")
    with pytest.raises(DataError, match=":1: a row is a JSON object; got"):
        command("score", path, "--score", "correct")
    with pytest.raises(DataError, match=r"can't read .*none.jsonl: No such"):
        command("score", tmp_path / "none.jsonl", "--score", "correct")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b'{"id": 1}\n' * 1000)[:20])
    with pytest.raises(DataError, match=r"cut.gz: the compressed data is damaged"):
        command("score", tmp_path / "cut.gz", "--score", "correct")


def test_a_target_that_cannot_be_read_is_named(command, write, linked):
    rows = [{"id": 1, "answer": "5", "gold": "none"}, linked(1, answer="5", gold="5")]
    with pytest.raises(DataError, match=r":1: gold holds no number, got 'none'"):
        command(
            "score",
            write("s", rows),
            "--prediction",
            "answer",
            "--target",
            "gold",
            "--match",
            "number",
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--score", "correct", "--target", "gold"), "leave out --target, --match and --against"),
        (("--score", "correct", "--match", "exact"), "leave out --target, --match and --against"),
    ],
)
def test_contradicting_options(command, write, arguments, message):
    with pytest.raises(UsageError, match=message):
        command("score", write("s", []), *arguments)


def test_the_fields_by_default(command, write, linked):
    """Those that perturb run writes, and that benchmarks have."""
    rows = [
        {"id": 1, "prediction": "4", "answer": "4"},
        linked(1, prediction="5", answer="4"),
    ]
    assert (
        orjson.loads(command("score", write("s", rows), "--json"))["overall"][0]["difference"] == -1
    )
    with pytest.raises(DataError, match=":1: there is no field 'prediction'; the row has id"):
        command("score", write("s", [{"id": 1, "answer": "4"}, rows[1]]))


def test_rows_of_several_texts_are_refused(command, write, linked):
    row = linked(1, prediction="5", answer="4")
    row["perturbation"] = [row["perturbation"]] * 2
    with pytest.raises(DataError, match=":1: the 'perturbation' of a row must be an object; got"):
        command("score", write("s", [row]))


@pytest.mark.parametrize("name", ["s.jsonl.gz", "s.jsonl.zst"])
def test_compressed_files_and_no_pipe(command, linked, tmp_path, name):
    with writing(str(tmp_path / name)) as (file, _):
        for row in ({"id": 1, "correct": 1}, linked(1, correct=0)):
            file.write(orjson.dumps(row) + b"\n")
    found = orjson.loads(command("score", tmp_path / name, "--score", "correct", "--json"))
    assert found["overall"][0]["difference"] == -1
    with pytest.raises(UsageError, match="read more than once: give a file"):
        command("score", "-", "--score", "correct")
