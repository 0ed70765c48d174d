"""Whatever `perturb apply` declares, in every format, `perturb verify` makes again."""

import json

import pytest

from perturb.plan.options import OPTIONS

FORMATS = ("jsonl", "csv", "tsv", "parquet")
STEPS = ("keyboard_typos:p=0.2", "word_swap:p=0.1")
PLAIN = ("--field", "question")
# For each option of a job, the ways to give it. Those with lists are for files that hold them.
PLAIN_CALLS = {
    "field": [PLAIN, ("--field", "question", "--field", "context")],
    "target": [(*PLAIN, "--target", "answer")],
    "protect": [(*PLAIN, "--protect", "number,url", "--protect", "word:how much")],
    "only": [(*PLAIN, "--only", r"regex:\w{5,}")],
    "span_policy": [(*PLAIN, "--span-policy", "drop")],
    "id_field": [(*PLAIN, "--id-field", "key")],
    "seed": [(*PLAIN, "--seed", "-9223372036854775808")],
    "replicates": [(*PLAIN, "--replicates", "3")],
    "with_original": [(*PLAIN, "--with-original"), (*PLAIN, "--with-original", "--lean")],
    "copies": [(*PLAIN, "--copies", "follow")],
    "lean": [(*PLAIN, "--lean")],
    "expect": [(*PLAIN, "--expect", "other")],
}
NESTED_CALLS = {
    "field": [
        ("--field", "messages[*].content", "--with-original"),
        ("--field", "messages[-1].content", "--field", "question", "--lean"),
        ("--field", "options", "--replicates", "2"),
    ],
    "target": [
        (*PLAIN, "--field", "options", "--target", "right"),
        (*PLAIN, "--target", "messages[*].content", "--target", "number"),
        ("option_shuffle:p=1", *PLAIN, "--field", "options", "--target", "number"),
        ("name_swap:p=1", *PLAIN, "--target", "squad.text[*]"),
    ],
    "rows": [
        ("--rows", "messages[*]", "--field", "content"),
        ("--rows", "messages[role=user]", "--field", "^.context", "--with-original", "--lean"),
    ],
    "choices": [
        ("option_shuffle:p=1", *PLAIN, "--choices", "options", "--target", "number"),
        ("option_shuffle:p=1", "--choices", "options", "--target", "right", "--lean"),
        ("name_swap:p=1", *PLAIN, "--choices", "options", "--replicates", "2"),
    ],
    "fixed": [("option_shuffle:p=1", "--choices", "options", "--target", "number", "--fixed", "1")],
    "spans": [
        (*PLAIN, "--spans", "keep"),
        (*PLAIN, "--spans", "keep", "--span-policy", "drop", "--with-original"),
        (*PLAIN, "--field", "context", "--spans", "question=keep", "--spans", "context=squad"),
    ],
    "offsets": [(*PLAIN, "--spans", "keep", "--offsets", unit) for unit in ("utf16", "bytes")],
    "missing": [(*PLAIN, "--field", "missing", "--missing", word) for word in ("keep", "skip")],
    "protect": [(*PLAIN, "--protect", "field:keep")],
    "only": [(*PLAIN, "--field", "context", "--only", "field:question=keep")],
}
STEPS_TAKEN = {
    "grid": (*STEPS, "--grid"),
    "labelled grid": ('grid(a=keyboard_typos:p=0.2 | "b c"=ocr:p=0.2)', "--expect", "a=other"),
    "chosen": (f"one_of({STEPS[0]} | 2*{STEPS[1]})", "sometimes(0.5, ocr:p=0.2)"),
    "consistent": (
        "name_swap:p=1",
        "number_format:p=1",
        "--field",
        "context",
        "--target",
        "answer",
    ),
    "intensity": ("keyboard_typos", "--intensity", "low,high", "--grid"),
    "words": ("char_delete", "ocr", "-p", "0.2", "--per", "word"),
    "severity": ("keyboard_typos", "--severity", "3"),
    "count": ("keyboard_typos:count=3", "ocr:p=0.5,max_edits=1"),
    "layout": ("keyboard_typos:p=0.2,layout=de,skip_first=1,min_word_length=3",),
}
ROWS = [
    {
        "id": f"q{n}",
        "key": n,
        "question": f'How much did Ann Miller pay, in all, for {n} bees; 50% > "1,2" | x=y+z? {odd}',
        "context": f"Ann Miller paid {n} dollars. See https://example.com/{n} {odd}\tfor more.",
        "answer": "b" if n % 2 else "Ann Miller",
    }
    for n, odd in enumerate(("naïve", "言葉 👍🏽", "a\nb", "", "…", "é", "%41", "'", "#0"))
]
NESTED = [
    row
    | {
        "options": [f"Ann Miller {n}", "Bob, who paid", "nobody at all"],
        "messages": [
            {"role": "user", "content": row["question"]},
            {"role": "assistant", "content": row["context"]},
        ],
        "keep": [[0, 8], [13, 23]],
        "right": ("C", "nobody at all", "a")[n % 3],
        "number": n % 3,
        "missing": None if n % 2 else row["context"],
        "squad": {"text": ["Ann Miller"], "answer_start": [0]},
    }
    for n, row in enumerate(ROWS)
]


def test_every_option_is_in_the_table():
    """An option that is added has to be verified."""
    elsewhere = {"rows", "nested"}  # of files that hold several: tests/cli/test_inner_rows.py
    assert {*OPTIONS} == {*PLAIN_CALLS, *NESTED_CALLS, *elsewhere}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The rows as a file of each format; a table of text holds no lists."""
    folder = tmp_path_factory.mktemp("files")
    made = {"nested jsonl": folder / "nested.jsonl"}
    made["nested jsonl"].write_text("".join(json.dumps(row) + "\n" for row in NESTED))
    for form in FORMATS:
        path = made[form] = folder / f"in.{form}"
        if form == "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        elif form == "parquet":
            pa = pytest.importorskip("pyarrow")
            parquet = pytest.importorskip("pyarrow.parquet")
            parquet.write_table(pa.Table.from_pylist(ROWS), path)
            made["nested parquet"] = folder / "nested.parquet"
            parquet.write_table(pa.Table.from_pylist(NESTED), made["nested parquet"])
        else:
            import csv

            with path.open("w", newline="") as file:
                writer = csv.DictWriter(file, ROWS[0], delimiter="\t" if form == "tsv" else ",")
                writer.writeheader()
                writer.writerows(ROWS)
    return made


def calls():
    for form in FORMATS:
        for name, ways in PLAIN_CALLS.items():
            for way in ways:
                yield pytest.param(form, (*STEPS, *way), id=f"{form}-{name}-{' '.join(way)}")
        for name, steps in STEPS_TAKEN.items():
            yield pytest.param(form, (*steps, *PLAIN), id=f"{form}-{name}")
    for form in ("nested jsonl", "nested parquet"):
        for name, ways in NESTED_CALLS.items():
            for way in ways:
                yield pytest.param(form, (*STEPS, *way), id=f"{form}-{name}-{' '.join(way)}")


@pytest.mark.slow
@pytest.mark.parametrize(("form", "call"), [*calls()])
@pytest.mark.parametrize("to", FORMATS)
def test_what_was_written_passes(perturb, files, tmp_path, form, call, to):
    """With its manifest and the input, with its manifest, and alone."""
    out = tmp_path / f"out.{to}"
    done = perturb("apply", *call, "-i", files[form], "-o", out)
    assert done.status == 0, done.err
    done = perturb("verify", out, "--input", files[form])
    assert done.status == 0, done.err
    assert done.out.endswith(b"reproduced, and the file matches its manifest\n")
    done = perturb("verify", out)
    assert done.status == 0, done.err
    assert b"without --input" in done.out
    out.with_name(f"{out.name}.manifest.json").unlink()
    done = perturb("verify", out)
    assert done.status == 0, done.err
    assert b"there is no manifest beside the file" in done.out
