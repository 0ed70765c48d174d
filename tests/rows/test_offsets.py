"""Spans in any spelling and unit: one or a list of them, with ends or lengths, in each home of rows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.cli import main
from perturb.rows.stored import record_of
from perturb.values.spans import UNITS, in_characters, in_units, with_ends

TEXT = "😀 Ada 𝒳 lived in Zürich."
START, END = TEXT.index("Zürich"), TEXT.index("Zürich") + 6
ENCODINGS = {"characters": ("utf-32-le", 4), "utf16": ("utf-16-le", 2), "bytes": ("utf-8", 1)}


def size(text: str, unit: str) -> int:
    encoding, each = ENCODINGS[unit]
    return len(text.encode(encoding)) // each


def cut(text: str, start: int, end: int, unit: str) -> str:
    encoding, each = ENCODINGS[unit]
    return text.encode(encoding)[each * start : each * end].decode(encoding)


FORMS = {
    "list": lambda start, end: [[start, end, "LOC"]],
    "pair": lambda start, end: [start, end, "LOC"],
    "object": lambda start, end: {"start": start, "end": end, "text": "Zürich"},
    "length": lambda start, end: [{"offset": start, "length": end - start}],
    "answer": lambda start, _: {"answer_start": start, "text": "Zürich"},
    "answers": lambda start, _: {"answer_start": [start], "text": ["Zürich"]},
}


def place_in(value, unit: str) -> tuple[int, int]:
    """Return the ends of the one span in any of the forms."""
    if isinstance(value, list) and isinstance(value[0], (list, dict)):
        (value,) = value
    if isinstance(value, list):
        return value[0], value[1]
    value = {key: one[0] if isinstance(one, list) else one for key, one in value.items()}
    start = value.get("start", value.get("offset", value.get("answer_start")))
    if "length" in value:
        return start, start + value["length"]
    return start, value.get("end", start + size(value.get("text", ""), unit))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("home", ["dicts", "lines"])
def test_a_span_moves_in_its_form_and_unit(tmp_path, unit, form, home):
    before = size(TEXT[:START], unit), size(TEXT[:END], unit)
    rows = [{"id": n, "text": TEXT, "ann": FORMS[form](*before)} for n in range(8)]
    if home == "dicts":
        made = [*perturb.augment(rows, "char_insert", p=0.3, spans="ann", offsets=unit)]
    else:
        source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        words = ["--spans", "ann", "--offsets", unit, "-i", str(source), "-o", str(out)]
        assert main(["apply", "char_insert", "-p", "0.3", *words]) == 0
        made = [json.loads(line) for line in out.read_text().splitlines()]
        assert main(["verify", str(out), "--input", str(source)]) == 0
        assert main(["restore", str(out), "-o", str(tmp_path / "back.jsonl")]) == 0
        back = [json.loads(line) for line in (tmp_path / "back.jsonl").read_text().splitlines()]
        assert [row["ann"] for row in back] == [row["ann"] for row in rows]
    moved = 0
    for row in made:
        record = record_of(row)
        start, end = record.project(START, END)
        assert cut(row["text"], *place_in(row["ann"], unit), unit) == row["text"][start:end]
        moved += start != START
        assert perturb.verify(row)
    assert moved > 4


def test_pairs_in_a_list_of_annotations() -> None:
    row = {"id": 1, "text": "Ada lived.", "all": [{"at": [0, 3]}, {"at": [4, 9]}]}
    (made,) = perturb.augment([row], "char_insert:p=0.5", spans="all[*].at", seed=1)
    record = record_of(made)
    assert [one["at"] for one in made["all"]] == [[*record.project(*at)] for at in ((0, 3), (4, 9))]


def test_one_span_that_is_dropped_is_null() -> None:
    row = {"id": 1, "text": "Ada lived.", "ann": {"start": 0, "end": 3}}
    (made,) = perturb.augment([row], "case:p=1", spans="ann", span_policy="drop")
    assert made["ann"] is None


@pytest.mark.parametrize(
    ("span", "unit", "message"),
    [
        ([1, 3], "utf16", "within a character, if offsets count utf16"),
        ([0, 2], "bytes", "within a character, if offsets count bytes"),
        ([0, 99], "bytes", "beyond its text, if offsets count bytes"),
        ({"start": 0, "end": 4, "text": "😀"}, "characters", "says that its text is '😀'"),
    ],
)
def test_offsets_in_another_unit_are_an_error(span, unit, message):
    row = {"id": 1, "text": "😀 Ada", "ann": [span]}
    with pytest.raises(perturb.DataError, match=message):
        [*perturb.augment([row], "case", p=1.0, spans="ann", offsets=unit)]
    with pytest.raises(perturb.UsageError, match="offsets must be one of characters, utf16, bytes"):
        [*perturb.augment([row], "case", spans="ann", offsets="chars")]


@given(st.text(max_size=20), st.integers(0, 20), st.integers(0, 20), st.sampled_from([*UNITS]))
def test_units_and_characters_are_converted_into_each_other(text, start, length, unit):
    encoding, each = ENCODINGS[unit]
    start = min(start, len(text))
    end = min(start + length, len(text))
    ends = [len(text[:at].encode(encoding, "surrogatepass")) // each for at in (start, end)]
    assert in_units((start, end), text, unit) == tuple(ends)
    assert in_characters([*ends, "X"], text, unit) == [start, end, "X"]
    assert with_ends({"offset": 0, "length": 1}, start, end) == {
        "offset": start,
        "length": end - start,
    }


def test_a_single_span_keeps_its_form() -> None:
    row = {"id": 1, "text": "é an egg", "ents": [3, 5, "X"]}
    for seed in range(4):
        (now,) = perturb.augment(
            [row], "char_insert:p=0.5", spans="ents", offsets="bytes", seed=seed
        )
        start, end, label = now["ents"]
        assert (type(start), type(end), label) == (int, int, "X")


@pytest.mark.parametrize("start", ["5", 5.5, None])
@pytest.mark.parametrize("unit", ENCODINGS)
def test_a_start_that_is_no_whole_number_is_an_error(start, unit):
    """In ASCII, too, where every unit counts the same."""
    row = {"id": 1, "text": "Anna met Bob", "ann": [{"text": "met", "answer_start": start}]}
    with pytest.raises(perturb.DataError, match="a span is written"):
        [*perturb.augment([row], "case", p=1.0, spans="ann", offsets=unit)]
