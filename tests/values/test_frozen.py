"""Classes of fields that never change, against what a frozen dataclass does."""

import copy
import pickle
from dataclasses import dataclass, replace
from functools import cached_property

import pytest

from perturb.values.fields import Frozen


class Point(Frozen):
    x: int
    y: int = 0


class Named(Point, kw_only=True):
    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a name is needed")


@dataclass(frozen=True)
class Other:
    x: int
    y: int = 0


@pytest.mark.parametrize(("values", "given"), [((1,), {}), ((1, 2), {}), ((), {"x": 1, "y": 2})])
def test_it_is_made_as_a_dataclass_is(values, given):
    made, other = Point(*values, **given), Other(*values, **given)
    assert made.field_values() == vars(other)
    assert repr(made) == repr(other).replace("Other", "Point")
    assert hash(made) == hash((made.x, made.y))
    assert made.replaced(y=5).field_values() == vars(replace(other, y=5))
    assert made == Point(*values, **given) == pickle.loads(pickle.dumps(made)) == copy.copy(made)
    assert made != made.replaced(x=9)
    assert made != other


def test_a_class_made_of_another_has_the_fields_of_both():
    made = Named(x=1, name="here")
    assert (made.x, made.y, made.name) == (1, 0, "here")
    assert made != Point(1)
    with pytest.raises(ValueError, match="a name is needed"):
        made.replaced(name="")


def test_nothing_changes():
    made = Point(1)
    for change in (lambda: setattr(made, "x", 2), lambda: delattr(made, "x")):
        with pytest.raises(AttributeError, match=r"a Point can't be changed.* 'x'"):
            change()
    assert made.x == 1


@pytest.mark.parametrize(
    ("values", "given", "message"),
    [
        ((), {}, "Point needs 'x', which was not given"),
        ((1, 2, 3), {}, "Point takes at most 2 values; got 3"),
        ((1,), {"x": 2}, "Point got 'x' twice: by place and by name"),
        ((1,), {"z": 2}, "Point has no 'z'; known: x, y"),
    ],
)
def test_other_values_are_refused(values, given, message):
    with pytest.raises(TypeError, match=message):
        Point(*values, **given)


class Counted(Frozen):
    x: int

    @cached_property
    def lines(self):
        return iter(range(self.x)), lambda: None


def test_what_is_made_of_the_fields_stays_out_of_a_pickle():
    """It may be what can't be pickled, and the bytes are the same whatever was read."""
    made = Counted(3)
    before = pickle.dumps(made)
    assert made.lines
    assert pickle.dumps(made) == before
    assert vars(copy.copy(made)) == {"x": 3}
