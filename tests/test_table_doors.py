"""Tables at doors that take none, and ids that stand in an index."""

import pytest

import perturb
from perturb.transform import Transform


def test_a_table_at_the_door_for_texts_or_rows():
    """The message has the call that takes it."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"question": ["How many eggs?"]})
    call = r"perturb\.Transform\(STEPS, field=COLUMN\)\(data\) takes tables"
    with pytest.raises(TypeError, match=rf"rows are .* got a DataFrame: {call}"):
        perturb.augment(frame, "char_swap", field="question")
    with pytest.raises(TypeError, match=rf"text .* got a DataFrame: {call}"):
        perturb.apply(frame, "char_swap")


@pytest.mark.parametrize("id_field", ["id", "key"])
def test_ids_in_an_index_stay_there(id_field):
    """Each version of a row has its own in it; the rows are those of a frame with a column."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({id_field: [11, 12], "text": ["Who came?", "How many eggs?"]})
    transform = Transform("char_swap", p=0.3, id_field=id_field)
    made = transform(frame.set_index(id_field))
    assert made.index.tolist() == ["11#char_swap:p=0.3", "12#char_swap:p=0.3"]
    assert made.reset_index().equals(transform(frame))
    frame["part"] = ["a", "b"]
    levels = frame.set_index(["part", id_field])
    assert transform(levels).equals(transform(frame).set_index(["part", id_field]))


@pytest.mark.parametrize("library", ["numpy", "pandas", "polars", "pyarrow"])
def test_columns_of_texts_are_lists_of_texts(library):
    module = pytest.importorskip(library)
    column = {"pandas": "Series", "polars": "Series"}.get(library, "array")
    records = perturb.apply(getattr(module, column)(["Who came?", "How many?"]), "char_swap", p=0.9)
    assert records == perturb.apply(["Who came?", "How many?"], "char_swap", p=0.9)
    assert {type(record.original) for record in records} == {str}


def test_texts_that_are_no_rows_are_sent_to_apply():
    for call in (lambda: Transform("case")(["a text"]), lambda: [*perturb.augment(["a"], "case")]):
        with pytest.raises(perturb.DataError, match=r"got a string; .* go to perturb\.apply"):
            call()
