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
def test_ids_in_an_index_are_asked_for(id_field):
    """A text's hash is not taken for the id that stands in the index."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({id_field: [11, 12], "text": ["Who came?", "How many eggs?"]})
    transform = Transform("char_swap", p=0.3, id_field=id_field)
    indexed = frame.set_index(id_field)
    with pytest.raises(perturb.DataError, match=rf"index '{id_field}'.*data\.reset_index\(\)"):
        transform(indexed)
    assert transform(indexed.reset_index()).equals(transform(frame))
