"""The same rows give the same texts and records, whatever home of data they come from and go to."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.io.frames import frame_of, rows_of
from perturb.io.text_tables import TextTable
from perturb.plan.job import job_of
from perturb.rows import table_rows
from perturb.stream.blocks import perturb_block

TEXTS = st.lists(
    st.sampled_from(["the cat", "naïve", "10 €", "a, b", "Привет", "😀", "", "Anna met Bob", "42"]),
    max_size=5,
).map(" ".join)
STEPS = st.sampled_from(
    ["keyboard_typos:p=0.3", "char_swap:p=0.5", "identity", "typo_mix:p=0.4", "name_swap:p=1"]
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lean": st.just(True),
        "replicates": st.just(2),
        "with_original": st.just(True),
        "protect": st.just("number"),
        "field": st.sampled_from(["text", "note", ["text", "note"]]),
    },
)
ROWS = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.just([f"r{at}" for at in range(n)]), *[st.lists(TEXTS, min_size=n, max_size=n)] * 2
    )
)


def of_columns(made):
    """Rows of columns."""
    return [dict(zip(made, values, strict=True)) for values in zip(*made.values(), strict=True)]


def in_frame(library, columns):
    if library == "columns":
        return columns
    module = pytest.importorskip(library)
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


def homes(columns, job, transform):
    """What each home makes of the same rows."""
    rows = of_columns(columns)
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    yield (
        "lines",
        list(map(json.loads, bytes(perturb_block(job, True, 1, lines).data).splitlines())),
    )
    table = TextTable(columns, range(2, 2 + len(rows)), {})
    yield "CSV", of_columns(perturb_block(job, True, 2, table).data)
    for library, kind in (
        ("columns", "columns"),
        ("pandas", "pandas"),
        ("polars", "polars"),
        ("pyarrow", "arrow"),
    ):
        yield library, rows_of(frame_of(transform(in_frame(library, columns)), kind))


@given(ROWS, STEPS, OPTIONS)
def test_homes_give_the_same_rows(given_rows, steps, options) -> None:
    columns = dict(zip(("id", "text", "note"), given_rows, strict=True))
    options = {"field": "text", **options}
    expected = list(perturb.augment(of_columns(columns), steps, **options))
    transform = perturb.Transform(steps, **options)
    for name, made in homes(columns, job_of(steps, **options), transform):
        assert made == expected, name


@given(ROWS, STEPS, st.integers(0, 6), st.sampled_from(["text", ["a", "b c"], None, 5]))
def test_an_odd_row_changes_no_other(given_rows, steps, at, odd) -> None:
    """A list, nothing or a number in place of a text costs that row its way, or is its error."""
    columns = dict(zip(("id", "text", "note"), map(list, given_rows), strict=True))
    transform = perturb.Transform(steps, missing="skip", with_original=True)
    plain = transform(columns)
    at = min(at, len(columns["text"]) - 1)
    columns["text"][at] = odd
    if odd == 5:
        with pytest.raises(perturb.DataError, match=f"row {at + 1}: .* got the number 5"):
            transform(columns)
        return
    rows = of_columns(transform(columns))
    assert rows == list(
        perturb.augment(of_columns(columns), steps, missing="skip", with_original=True)
    )
    own = {f"r{at}"}
    assert [row for row in rows if row["perturbation"]["original_id"] not in own] == [
        row for row in of_columns(plain) if row["perturbation"]["original_id"] not in own
    ]


def test_a_text_that_a_step_refuses_is_named(monkeypatch) -> None:
    """The engine sees a column at once; the row at fault is looked for afterwards."""
    given = table_rows._by_column

    def refused(*given_to):
        yield from given(*given_to)
        raise perturb.DataError("some text is refused")

    monkeypatch.setattr(table_rows, "_by_column", refused)
    columns = {"id": ["a", "b"], "text": ["the cat", "a dog"]}
    made = perturb.Transform("char_swap", p=0.5)(columns)
    assert of_columns(made) == list(perturb.augment(of_columns(columns), "char_swap", p=0.5))
