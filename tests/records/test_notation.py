"""The changes of a row as a line of text: read back, and the same from kernels and from Python."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.text.strings import as_list
from perturb.errors import DataError
from perturb.plan.job import job_of
from perturb.records import notation
from perturb.records.edit import Edit, edits_between, restore
from perturb.records.notation import RECORD
from perturb.records.perturb_texts import perturb_batch
from perturb.records.texts import Texts
from perturb.testing import texts
from perturb.values.spans import rebuild

# What the grammar would read as its own, ends a line for somebody, or is no character.
SIGNS = '%|>=;+:,"\\[]'
ODD = "\0\x01\t\n\r\v\f\x1c\x1d\x1e\x7f\x80\x85\x9f\u2028\u2029\ud800\udbff\udc00\udfff"
hostile = st.text(st.sampled_from([*SIGNS, *ODD, *"ab0é߿ࠀ\uffff😀\U0010ffff"]) | st.characters())
paths = st.text(st.sampled_from([*"ab.[]0 =%|;>+", *ODD]), min_size=1)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "=;", "text"]), inner, max_size=3)
    ),
)
PATTERN = re.compile(next(field.form["pattern"] for field in RECORD if field.name == "edits"))


@st.composite
def edits(draw):
    """Edits in order, some of which touch."""
    made, at = [], 0
    for old, new in draw(st.lists(st.tuples(hostile, hostile), min_size=1, max_size=4)):
        if old != new:
            at += draw(st.integers(0, 2_000_000))
            made.append(Edit(at, at + len(old), new, old))
            at += len(old)
    return tuple(made)


@pytest.mark.slow
@given(st.dictionaries(paths, edits()), st.dictionaries(paths, values | st.just(notation.ABSENT)))
def test_what_is_written_is_read_back(changed, others) -> None:
    """On one line, of UTF-8, as the JSON Schema says."""
    changed = {path: made for path, made in changed.items() if made}
    parts = [notation.written_text(path, made) for path, made in changed.items()]
    parts += [notation.written_value(path, value) for path, value in others.items()]
    line = ";".join(parts)
    assert notation.read(line) == (changed, others)
    assert len(line.splitlines()) < 2
    assert line.encode().decode() == line
    assert PATTERN.search(line)


@given(hostile)
def test_what_is_quoted_has_no_sign(text) -> None:
    quoted = notation.quoted(text)
    assert not set(quoted.replace("%", "")) & {*"|>=;+", *ODD}
    assert notation.quoted(quoted).replace("%25", "%") == quoted


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("text", "a change is PATH"),
        ("text|", "an edit is START:OLD>NEW"),
        ("text|3", "an edit is START:OLD>NEW"),
        ("text|3:a", "an edit is START:OLD>NEW"),
        ("text|-3:a>b", "an edit is START:OLD>NEW"),
        ("text|3:a>b>c", "an edit is START:OLD>NEW"),
        ("text|3:a>a", "changes something"),
        ("text|3:abc>|4:b>c", "at or after 6"),
        ("text|3:a>b;", "a change is PATH"),
        ("text|3:a>%", "two digits"),
        ("text|3:a>%4", "two digits"),
        ("text|3:a>%zz", "two digits"),
        ("text|3:a>%ff", "two digits"),
        ("text|3:a>%FF", "must be UTF-8"),
        ("id={", ""),
        ("id=nope", ""),
    ],
)
def test_damage_is_named(line, message) -> None:
    with pytest.raises(DataError, match=f"the edits of a record are damaged at .*{message}"):
        notation.read(line)


@given(texts, texts)
def test_edits_lead_from_text_to_text_and_back(before, after) -> None:
    found = edits_between(before, after)
    assert rebuild(before, found) == after
    assert restore(after, found) == before


SPECS = [
    "keyboard_typos:p=0.5",
    "char_delete:p=0.5",
    'char_replace:p=0.7,alphabet="\\"\\\\/a\\u0001\\n\\u007f"',
    'char_replace:p=0.7,alphabet="%|>=;+"',
    'char_replace:p=0.7,alphabet="é߿ࠀ\\uffff😀"',
    "filler:p=0.5",
    "word_swap:p=1",
    "identity:p=1",
    "one_of(ocr:p=0.5 | 2*case:p=0.3)",
    "option_shuffle",
]


def batch_of(column, spec, path="text", **options):
    ids = [f'{row}%s"\0' for row in range(len(column))]
    given = Texts(column, ids, fields=[path] * len(column))
    (version,) = job_of(spec, field=path, **options).versions
    return perturb_batch(given, version)


def assert_same(batch) -> None:
    """The kernel and Python write the same."""
    paths = batch.fields
    assert as_list(batch.changes()) == list(map(notation.written_text, paths, batch.edits))


@pytest.mark.slow
@given(
    st.lists(texts | hostile, min_size=1, max_size=4),
    st.sampled_from(SPECS),
    st.sampled_from(["text", "a%b", "x=y;z|w>", '"é"', "a.b[3]"]),
    st.sampled_from([{}, {"lean": True}, {"protect": ["number"], "only": "regex:[a-z%]+"}]),
)
def test_kernels_write_what_python_writes(column, spec, path, options) -> None:
    column = [text.encode("utf-8", "replace").decode() for text in column]
    assert_same(batch_of([*column, "A. red\nB. blue", "1"], spec, path, **options))


@pytest.mark.slow
@given(
    st.lists(hostile, min_size=1, max_size=4), st.sampled_from(["char_swap:p=1", "char_delete:p=1"])
)
def test_lone_surrogates_are_encoded(column, spec) -> None:
    """They can't be JSON of their own, in an original; in edits they can."""
    batch = batch_of(column, spec, lean=True)
    assert as_list(batch.changes()) == list(
        map(notation.written_text, ["text"] * len(column), batch.edits)
    )
    "".join(as_list(batch.changes())).encode()


@pytest.mark.slow
def test_places_of_any_number_of_digits() -> None:
    """At every power of ten the numbers get longer."""
    batch = batch_of(["a" * 1_000_100, "b" * 9], "char_replace:alphabet=xy,p=0.3")
    assert batch.outcome.edits.starts.max() > 1_000_000
    assert_same(batch)


@pytest.mark.slow
@given(texts, st.integers(0, 9))
def test_a_record_restores_itself(text, seed) -> None:
    """From its own line, without the original."""
    record = perturb.apply(text, ["char_delete:p=0.2", "char_insert:p=0.2"], seed=seed)
    changes = notation.read(record.to_dict()["perturbation"]["edits"])
    assert restore(record.text, changes.texts.get("text", ())) == text


@st.composite
def lines(draw):
    """Changes of a row as text, some of them damaged."""
    changed = draw(st.dictionaries(paths, edits().filter(bool), max_size=3))
    parts = [notation.written_text(path, made) for path, made in changed.items()]
    others = draw(st.dictionaries(paths, values, max_size=2))
    line = ";".join(parts + [notation.written_value(path, value) for path, value in others.items()])
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(line)))
        line = line[:at] + draw(st.sampled_from([*";|:>%=0", "%C3", "|3:a>a"])) + line[at + 1 :]
    return line


@pytest.mark.slow
@given(st.lists(lines(), max_size=5))
def test_many_are_read_as_each_is(rows):
    """Those that are damaged are left."""
    many = notation.read_many(rows)
    for number, line in enumerate(rows):
        try:
            alone = notation.read(line)
        except DataError:
            assert many.left[number] or "=" in line  # before JSON, which isn't read
            continue
        texts = [at for at, row in enumerate(many.rows.tolist()) if row == number]
        if many.left[number] or len(alone.texts) < len(texts):
            continue
        every = zip(
            many.texts.tolist(),
            many.starts.tolist(),
            many.old.to_list(),
            many.new.to_list(),
            strict=True,
        )
        told = [each for each in every if each[0] in texts]
        assert told == [
            (at, start, old, new)
            for at, made in zip(texts, alone.texts.values(), strict=True)
            for start, _, new, old in made
        ]


def test_usual_changes_are_not_left():
    rows = ["", "text|0:a>b|3:>%3E", "a|1:x>;b[0]|2:>y;id=7", "id=7"]
    many = notation.read_many(rows)
    assert not many.left.any()
    assert many.new.to_list() == ["b", ">", "", "y"]
    assert not notation.read_many([]).rows.size
