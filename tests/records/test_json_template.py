"""Templates against the values and the JSON that are made row by row."""

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.records import json_columns
from perturb.records.json_columns import joined, to_bytes
from perturb.records.json_template import (
    in_rows,
    json_pieces,
    of_choices,
    of_few,
    of_numbers,
    of_values,
)

STRINGS = st.text(st.characters(codec="utf-8"))
SCALARS = st.none() | st.booleans() | STRINGS | st.floats(0, 1e300)
ROWS = 3


@pytest.fixture(autouse=True, params=[1, 32], ids=["by kernels", "one by one"])
def _rows_for_kernels(request, monkeypatch):
    monkeypatch.setattr(json_columns, "_MANY", request.param)


@st.composite
def columns(draw):
    """A column, and what it holds in each row."""
    kind = draw(st.sampled_from(["values", "few", "choices", "integers", "floats"]))
    if kind == "choices":
        choices, numbers = (
            ["a", None, 'b"'],
            draw(st.lists(st.integers(0, 2), min_size=ROWS, max_size=ROWS)),
        )
        return of_choices(choices, np.array(numbers, np.uint8)), [choices[n] for n in numbers]
    of = {"few": STRINGS, "integers": st.integers(0, 2**62), "floats": st.floats(0, 1)}
    values = draw(st.lists(of.get(kind, SCALARS), min_size=ROWS, max_size=ROWS))
    if kind in ("integers", "floats"):
        return of_numbers(np.array(values)), values
    return (of_few if kind == "few" else of_values)(values), values


TEMPLATES = st.recursive(
    columns() | SCALARS.map(lambda value: (value, [value] * ROWS)),
    lambda inner: (
        st.lists(inner, max_size=3).map(
            lambda parts: (
                [part for part, _ in parts],
                [[own[row] for _, own in parts] for row in range(ROWS)],
            )
        )
        | st.dictionaries(STRINGS, inner, max_size=3).map(
            lambda parts: (
                {key: part for key, (part, _) in parts.items()},
                [{key: own[row] for key, (_, own) in parts.items()} for row in range(ROWS)],
            )
        )
    ),
    max_leaves=8,
)


@given(TEMPLATES)
def test_a_template_gives_what_is_made_row_by_row(both) -> None:
    """As values, and to the byte as JSON."""
    template, wanted = both
    assert list(zip(range(ROWS), in_rows(template, ROWS), strict=False)) == list(enumerate(wanted))
    assert list(to_bytes(joined(json_pieces(template), ROWS))) == list(map(orjson.dumps, wanted))


def test_rows_share_what_is_alike_and_no_more() -> None:
    """A row of its own may be changed without the others."""
    one, other = in_rows({"alike": {}, "own": {"n": of_values([1, 2])}}, 2)
    assert one["alike"] is other["alike"]
    one["own"]["n"] = 3
    assert other == {"alike": {}, "own": {"n": 2}}


def test_what_json_can_not_hold() -> None:
    """A lone surrogate is refused, wherever it stands."""
    for template in ({"\ud800": of_values([1])}, [of_values(["\ud800"])], [of_few(["\ud800"])]):
        with pytest.raises(orjson.JSONEncodeError):
            list(to_bytes(joined(json_pieces(template), 1)))
